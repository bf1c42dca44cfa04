"""The command line: what was typed becomes a verb with its options, and its result a report."""

import gc

# what a command makes is hardly ever garbage in cycles: looking for it seldom saves a tenth of the imports that follow
gc.set_threshold(100_000)

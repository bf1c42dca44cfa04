"""The command line: one command per file, thin; options -> api -> report."""

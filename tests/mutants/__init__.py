"""Small faults put into the source one at a time, to see whether the tests notice: ``python tasks.py mutants``."""

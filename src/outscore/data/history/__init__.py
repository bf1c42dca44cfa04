"""The history of test sets: what was compared on each, kept in one SQLite file, carried between files as JSONL."""

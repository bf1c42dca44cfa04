"""End to end: real data through files, the command line and Python, against outside results."""

"""Expected numbers from independent software; each JSON file says which, with which definition and
tolerance.
"""

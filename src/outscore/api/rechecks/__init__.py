"""``recheck``."""

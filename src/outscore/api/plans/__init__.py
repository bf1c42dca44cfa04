"""``plan`` and ``ppv``."""

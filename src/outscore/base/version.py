"""The version of the library, which every result and every cached count carries."""

__version__ = "0.2.0"

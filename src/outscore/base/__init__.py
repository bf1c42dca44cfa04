"""The floor on which all others stand: errors, notes, random streams, the registry.

Imports numpy and the standard library only.
"""

__version__ = "0.2.0"  # which every result and every cached count carries

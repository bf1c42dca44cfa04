"""The floor on which all others stand: errors, notes, random streams, the registry.

Imports numpy and the standard library only.
"""

"""What every floor stands on: errors, notes, random streams, the registry.

Imports numpy and the standard library only.
"""

"""Corrections over a declared family of hypotheses."""

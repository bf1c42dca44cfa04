"""The common parts of several studies."""

"""The sources, done again on open data: one module for each source, one section of the page for each of its studies."""

"""One self-contained page of a result, for supervisors and reviewers: works from a file, without network."""

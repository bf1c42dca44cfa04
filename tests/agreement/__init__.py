"""Agreement between annotators, against definitions in plain loops."""

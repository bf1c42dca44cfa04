"""``history``, and what other verbs remember."""

"""``history``, and the recording of other verbs in it."""

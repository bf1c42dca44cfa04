"""``Sequential`` and ``follow``: evaluations that are watched while they run."""

"""Planning: how likely a comparison is to find a gain, and how many items that takes."""

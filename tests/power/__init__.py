"""Planning: power against enumeration and published values."""

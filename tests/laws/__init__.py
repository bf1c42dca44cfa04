"""Statistical laws, by simulation and by complete enumeration."""

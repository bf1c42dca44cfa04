"""Results: frozen records and their JSON, without computation."""

"""What several studies have in common."""

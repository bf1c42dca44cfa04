"""What the verbs have in common: from inputs to panels, records, and cells."""

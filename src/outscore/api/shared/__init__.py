"""Steps that the verbs share: from inputs to panels, records, and cells."""

"""Steps that the verbs share: from inputs to statistics, judged pairs and records."""

"""How texts, labels and columns are read and counted for metrics of several families; nothing here is a metric."""

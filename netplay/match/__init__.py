"""One match as this node takes part in it: the log replicated, as host or as peer."""

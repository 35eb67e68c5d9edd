"""Programs that mean no good, against real node processes."""

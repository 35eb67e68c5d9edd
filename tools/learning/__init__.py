"""What computer players know by having played."""

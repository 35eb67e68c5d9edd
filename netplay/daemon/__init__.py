"""The node as a program: one nursery, the door, computer players, start and stop."""

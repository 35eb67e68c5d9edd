"""The window: draws a view, turns input into moves.  No rules of play, no peers."""

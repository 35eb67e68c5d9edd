"""The window of pygame: its loop, painter, speaker, and the desktop around it."""

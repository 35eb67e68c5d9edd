"""What pages are drawn with: scenes, widgets, colours, letters, what a hand does."""

"""What a window knows and what becomes of it: the model, its update; no pygame."""

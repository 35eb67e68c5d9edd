"""The pages of the window, each a pair of functions: its scene, and its reactions."""

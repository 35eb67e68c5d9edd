"""Builds what is released: `python -m tools.release KIND`, see CONTRIBUTING."""

"""Hostile bytes in great number: `python -m tests.fuzz frames|files COUNT`."""

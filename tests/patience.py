"""How long a test waits for what comes by itself."""

from typing import Final

PATIENCE: Final = 300.0
"""Seconds, on a machine that has much else to do: it bounds a failure, no promise."""

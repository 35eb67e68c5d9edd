"""A node for playing with friends from computer to computer, with no server."""

from typing import Final

VERSION: Final = "0.1.0"
"""The program's version, as players see it; here and nowhere else."""

"""Levels of computer players, in games that have them instead of a slider.

Source document of Numlo, Game play: "The levels are Hard, Medium, and Easy".
"""

from collections.abc import Mapping
from typing import Final

LEVELLED: Final = frozenset({"numlo", "hexagrams"})
"""Games with levels."""

SKILLS: Final[Mapping[str, int]] = {"easy": 20, "medium": 50, "hard": 100}
"""The skill, 0-100, that each level stands for."""

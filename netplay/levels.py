"""Levels of computer players, in games that have them instead of a slider.

Which games have them says `levels` in their `About`.

Source document of Numlo, Game play: "The levels are Hard, Medium, and Easy".
"""

from collections.abc import Mapping
from typing import Final

SKILLS: Final[Mapping[str, int]] = {"easy": 20, "medium": 50, "hard": 100}
"""The skill, 0-100, that each level stands for."""

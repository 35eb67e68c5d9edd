"""Texts as surfaces, with the bundled fonts, kept while they are in use."""

from functools import lru_cache

import pygame
import pygame.font

from client.metrics import FONTS
from client.scene import Colour


@lru_cache(maxsize=64)
def font(size: int, *, bold: bool) -> pygame.font.Font:
    """Return a bundled font at a height in pixels."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(str(FONTS[bold]), size)


@lru_cache(maxsize=4000)
def text(line: str, size: int, colour: Colour, *, bold: bool) -> pygame.Surface:
    """Return one line of text on nothing."""
    return font(size, bold=bold).render(line, True, colour)

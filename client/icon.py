"""The program's icon."""

import pygame

from client.paint import Painter
from client.scene import Rect, Touch
from client.theme import LIGHT, Look
from client.widgets import piece


def icon(side: int) -> pygame.Surface:
    """Return the program's icon: a tile."""
    surface = pygame.Surface((side, side))
    look = Look(LIGHT)
    face = piece("", Rect(0, 0, side, side), "N", "1", look)
    Painter(surface, look).paint(face, Touch())
    return surface

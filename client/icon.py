"""The program's icon."""

import pygame

from client.paint import Painter
from client.scene import Rect, Touch
from client.theme import LIGHT, Look
from client.widgets import piece


def icon(side: int) -> pygame.Surface:
    """Return the program's icon: a tile, with nothing around its round corners."""
    whole = pygame.Surface((side, side))
    look = Look(LIGHT)
    face = piece("", Rect(0, 0, side, side), "N", "1", look)
    Painter(whole, look).paint(face, Touch())
    large = pygame.Surface((4 * side, 4 * side), pygame.SRCALPHA)
    # A little rounder than the tile, whose corners end in the colour of the ground.
    pygame.draw.rect(large, "white", large.get_rect(), border_radius=6 * face.radius)
    surface = pygame.transform.smoothscale(large, (side, side))
    surface.blit(whole, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
    return surface

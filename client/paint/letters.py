"""Texts as surfaces, kept while in use; each character by a font that has it."""

from functools import lru_cache
from pathlib import Path

import pygame
import pygame.font

from client import metrics, typefaces
from client.scene import Colour
from client.typefaces import FONTS, Cut


@lru_cache(maxsize=64)
def font(size: int, *, bold: int) -> pygame.font.Font:
    """Return a bundled font at a height in pixels."""
    return _font(FONTS[Cut(bold)], size)


@lru_cache(maxsize=64)
def _font(path: Path, size: int) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(str(path), size)


@lru_cache(maxsize=4000)
def text(line: str, size: int, colour: Colour, *, bold: int) -> pygame.Surface:
    """Return one line of text on nothing."""
    usual = font(size, bold=bold)
    parts = metrics.runs(line, bold=bold)
    if all(face is typefaces.own(bold) for _part, face in parts):
        return usual.render(line, True, colour)
    high, base = usual.get_linesize(), usual.get_ascent()
    wide = metrics.width(line, size, bold=bold)
    whole = pygame.Surface((max(1, wide), high), pygame.SRCALPHA)
    x = 0
    for part, face in parts:
        if face is None:
            for character in part:
                drawn = _coded(character, size, colour)
                whole.blit(drawn, (x, (high - drawn.get_height()) // 2))
                x += metrics.width(character, size, bold=bold)
            continue
        own = _font(face.path, size)
        whole.blit(own.render(part, True, colour), (x, base - own.get_ascent()))
        x += metrics.width(part, size, bold=bold)
    return whole


def _coded(character: str, size: int, colour: Colour) -> pygame.Surface:
    """Return the code of a character that no font has: its figures in a box."""
    figures = typefaces.code(character)
    wide = metrics.width(character, size)
    box = pygame.Surface((max(1, wide), max(1, round(size * 1.1))), pygame.SRCALPHA)
    inner = box.get_rect().inflate(-max(2, size // 8), 0)
    pygame.draw.rect(box, colour, inner, 1)
    half = len(figures) // 2
    small = font(max(5, round(size * 0.5)), bold=False)
    for row, part in enumerate((figures[:half], figures[half:])):
        face = small.render(part, True, colour)
        room = (inner.w - 2, max(1, inner.h // 2 - 1))
        if face.get_width() > room[0] or face.get_height() > room[1]:
            shrunk = min(face.get_width(), room[0]), min(face.get_height(), room[1])
            face = pygame.transform.smoothscale(face, shrunk)
        middle = inner.y + (2 * row + 1) * inner.h // 4
        box.blit(face, face.get_rect(center=(inner.centerx, middle)))
    return box

"""Pieces of Hexcolumns and Numlo can be told apart without their colours.

The three kinds of colour blindness are simulated as Machado, Oliveira and Fernandes
(2009) do, at their full strength; what is compared is what the painter draws.
"""

import os
from itertools import combinations

from client.ui.scene import Touch

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
import pytest
from msgspec.structs import replace

from client.hexcolumns.wells import hexagon
from client.numlo.view import MARKS, colour
from client.pages import screen
from client.ui.scene import Colour, Node, Rect, Role, Shape, find, walk
from client.ui.theme import THEMES, Look
from client.ui.widgets import ink
from client.window.painter import Painter
from rules.hexcolumns import COLOURS, Motif, cell
from tests.client.worlds import base, in_match

BLIND = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

GREY = (150, 150, 150)

ENOUGH = 14.0
"""Mean difference of a pixel's channels, of 255, from which two pieces differ."""


def linear(channel: int) -> float:
    c = channel / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def shown(light: float) -> float:
    c = min(1.0, max(0.0, light))
    return 255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055)


def seen_by(pixel: Colour, kind: str) -> tuple[float, ...]:
    r, g, b = map(linear, pixel)
    return tuple(shown(x * r + y * g + z * b) for x, y, z in BLIND[kind])


def pixels(node: Node, look: Look) -> list[Colour]:
    surface = pygame.Surface(node.rect[2:])
    surface.fill(look.theme.cell)
    painter = Painter(surface, look)
    painter.paint(node, Touch())
    w, h = node.rect[2:]
    return [tuple(surface.get_at((x, y))[:3]) for y in range(h) for x in range(w)]  # type: ignore[misc]


def apart(one: list[Colour], other: list[Colour], kind: str) -> float:
    """Return how far apart two pictures are for somebody, a pixel and channel."""
    cached = {pixel: seen_by(pixel, kind) for pixel in {*one, *other}}
    total = sum(
        abs(a - b)
        for p, q in zip(one, other, strict=True)
        for a, b in zip(cached[p], cached[q], strict=True)
    )
    return total / len(one) / 3


def hexes(look: Look, size: tuple[int, int], motif: Motif) -> list[Node]:
    return [
        hexagon(Rect(0, 0, *size), cell(n, motif), look) for n in range(len(COLOURS))
    ]


def discs(look: Look, size: tuple[int, int]) -> list[Node]:
    rect = Rect(0, 0, *size)
    return [
        Node(
            Role.LABEL, "", rect, shape=Shape.CIRCLE, bg=colour(seat, look),
            fg=ink(colour(seat, look), look), mark=MARKS[seat],
        )
        for seat in range(4)
    ]  # fmt: skip


def smallest(players: int) -> tuple[int, int]:
    """Return the size of the smallest hexes in a window of 800x500."""
    root = screen.scene(in_match(base((800, 500)), "hexcolumns", players, 0))
    small = find(root, f"well:{players - 1}")
    assert small is not None
    found = {n.rect[2:] for n in walk(small) if n.shape is Shape.FLAT}
    return min(found)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", BLIND)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("motif", list(Motif))
def test_the_colours_of_hexcolumns_differ_for_the_colour_blind_in_small_wells(
    theme: str, kind: str, players: int, motif: Motif
) -> None:
    look = Look(THEMES[theme])
    drawn = [pixels(each, look) for each in hexes(look, smallest(players), motif)]
    for one, other in combinations(drawn, 2):
        assert apart(one, other, kind) >= ENOUGH


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", BLIND)
def test_the_colours_of_numlo_differ_for_the_colour_blind(
    theme: str, kind: str
) -> None:
    look = Look(THEMES[theme])
    drawn = [pixels(each, look) for each in discs(look, (16, 16))]
    for one, other in combinations(drawn, 2):
        assert apart(one, other, kind) >= ENOUGH


@pytest.mark.parametrize("theme", THEMES)
def test_each_colour_has_a_bold_sign_that_tells_it_without_any_colour(
    theme: str,
) -> None:
    look = Look(THEMES[theme])
    grey = [
        replace(each, bg=GREY, fg=GREY, edge=(0, 0, 0))
        for each in hexes(look, smallest(2), Motif.PLAIN)
    ]
    drawn = [pixels(each, look) for each in grey]
    for one, other in combinations(drawn, 2):
        different = sum(abs(p[0] - q[0]) > 40 for p, q in zip(one, other, strict=True))
        assert different >= len(one) // 10
    discs_ = [replace(each, bg=GREY, fg=(0, 0, 0)) for each in discs(look, (16, 16))]
    drawn = [pixels(each, look) for each in discs_]
    for one, other in combinations(drawn, 2):
        different = sum(abs(p[0] - q[0]) > 40 for p, q in zip(one, other, strict=True))
        assert different >= len(one) // 20

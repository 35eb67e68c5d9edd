"""Sprites of shapes, marks and patterns: drawn large, scaled down, kept.

Everything is drawn four times too large and scaled down smoothly.  A sprite is first
filled with its own colour at alpha 0, so that no dark fringe comes from the scaling.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Final, TypeAlias

import pygame

from client.scene import Colour, Mark, Node, Pattern, Shape, mix, outline

MANY: Final = 4
"""How many times larger sprites are drawn."""

KEPT: Final = 3000
"""Sprites kept; a board of 225 cells in three sizes needs about 200."""

Corners: TypeAlias = Sequence[tuple[float, float]]


def _blank(size: tuple[int, int], colour: Colour) -> pygame.Surface:
    """Return a transparent surface, `MANY` times the size, of a hidden colour."""
    w, h = size
    surface = pygame.Surface((w * MANY, h * MANY), pygame.SRCALPHA)
    surface.fill((*colour, 0))
    return surface


def _down(surface: pygame.Surface) -> pygame.Surface:
    w, h = surface.get_size()
    return pygame.transform.smoothscale(surface, (w // MANY, h // MANY))


def _smaller(corners: Corners, by: float) -> Corners:
    """Return a convex polygon whose sides lie `by` farther in."""
    cx = sum(x for x, _ in corners) / len(corners)
    cy = sum(y for _, y in corners) / len(corners)
    near = min(
        abs((bx - ax) * (ay - cy) - (ax - cx) * (by_ - ay))
        / max(1e-6, ((bx - ax) ** 2 + (by_ - ay) ** 2) ** 0.5)
        for (ax, ay), (bx, by_) in zip(
            corners, (*corners[1:], *corners[:1]), strict=True
        )
    )
    part = max(0.0, 1 - by / max(near, 1e-6))
    return [(cx + (x - cx) * part, cy + (y - cy) * part) for x, y in corners]


class Body:
    """What a sprite of a node's shape depends on, in true pixels."""

    def __init__(self, node: Node) -> None:
        x, y, w, h = node.rect
        self.size = (max(1, w), max(1, h))
        self.shape = node.shape
        self.points = tuple((px - x, py - y) for px, py in outline(node))
        self.radius = min(node.radius, w // 2, h // 2)
        self.depth = node.depth
        self.bg, self.edge, self.border = node.bg, node.edge, node.border
        self.pattern = node.pattern

    def fill(
        self, target: pygame.Surface, colour: Colour, inner: int, lower: int
    ) -> None:
        """Fill the shape, `inner` px smaller all round and `lower` px at the foot."""
        w, h = self.size
        if self.shape in (Shape.RECT, Shape.ROUND):
            box = pygame.Rect(
                inner * MANY,
                inner * MANY,
                max(0, w - 2 * inner) * MANY,
                max(0, h - 2 * inner - lower) * MANY,
            )
            rounding = max(0, self.radius - inner) * MANY
            radius = rounding if self.shape is Shape.ROUND else 0
            pygame.draw.rect(target, colour, box, border_radius=radius or -1)
        elif self.shape is Shape.CIRCLE:
            r = (min(w, h) / 2 - inner - lower / 2) * MANY
            middle = (w * MANY / 2, (h - lower) * MANY / 2)
            pygame.draw.circle(target, colour, middle, max(0.0, r))
        else:
            part = (h - lower) / h
            flat = [(x, y * part) for x, y in self.points]
            corners = _smaller(flat, inner) if inner else flat
            pygame.draw.polygon(
                target, colour, [(x * MANY, y * MANY) for x, y in corners]
            )


_sprites: dict[tuple[object, ...], pygame.Surface] = {}


def sprite(node: Node) -> pygame.Surface:
    """Return the node's shape with edge and pattern, without mark and text."""
    x, y, w, h = node.rect
    points = node.points
    if points:  # relative to the node, so that equal polygons share a sprite
        points = tuple((px - x, py - y) for px, py in points)
    key = (
        w, h, node.shape, points, node.radius, node.depth, node.bg, node.edge,
        node.border, node.pattern,
    )  # fmt: skip
    found = _sprites.get(key)
    if found is None:
        if len(_sprites) > KEPT:
            _sprites.clear()
        found = _sprites[key] = _draw(Body(node))
    return found


def _draw(body: Body) -> pygame.Surface:
    base = body.bg or body.edge or (0, 0, 0)
    target = _blank(body.size, body.edge if body.border and body.edge else base)
    if body.edge is not None and (body.border or body.depth):
        body.fill(target, body.edge, 0, 0)
    inner = body.border if body.edge is not None else 0
    if body.bg is not None:
        body.fill(target, body.bg, inner, body.depth)
    elif inner:
        _hollow(target, body, inner)
    if body.pattern is not Pattern.NONE:
        _texture(target, body, inner)
    return _down(target)


def _hollow(target: pygame.Surface, body: Body, inner: int) -> None:
    """Take the middle out, so that only the edge stays."""
    hole = pygame.Surface(target.get_size(), pygame.SRCALPHA)
    hole.fill((255, 255, 255, 255))
    cover = pygame.Surface(target.get_size(), pygame.SRCALPHA)
    body.fill(cover, (255, 255, 255), inner, body.depth)
    hole.blit(cover, (0, 0), special_flags=pygame.BLEND_RGBA_SUB)
    hole.fill((255, 255, 255, 0), special_flags=pygame.BLEND_RGBA_MAX)
    target.blit(hole, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)


def _texture(target: pygame.Surface, body: Body, inner: int) -> None:
    """Draw the body's pattern inside its shape."""
    if body.pattern in PLATES:
        _plate(target, body)
        return
    ink = mix(body.bg or (128, 128, 128), body.edge or (0, 0, 0), 0.55)
    layer = pygame.Surface(target.get_size(), pygame.SRCALPHA)
    layer.fill((*ink, 0))
    _dots(layer, ink)
    mask = pygame.Surface(target.get_size(), pygame.SRCALPHA)
    mask.fill((255, 255, 255, 0))
    body.fill(mask, (255, 255, 255), inner, body.depth)
    layer.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    target.blit(layer, (0, 0))


PLATES: Final[dict[Pattern, Corners]] = {
    Pattern.DISC: [
        (0.5 + 0.38 * sin(pi * n / 24), 0.5 + 0.38 * cos(pi * n / 24))
        for n in range(48)
    ],
    Pattern.BOX: [(0.0, 0.02), (1.0, 0.02), (1.0, 0.98), (0.0, 0.98)],
    Pattern.GEM: [(0.5, -0.06), (1.06, 0.5), (0.5, 1.06), (-0.06, 0.5)],
    Pattern.WEDGE: [(0.5, -0.06), (1.1, 0.94), (-0.1, 0.94)],
    Pattern.FUNNEL: [(-0.1, 0.06), (1.1, 0.06), (0.5, 1.06)],
    Pattern.PILL: [(0.26, -0.1), (0.74, -0.1), (0.74, 1.1), (0.26, 1.1)],
}  # fmt: skip
"""Signs in a square of side 1."""

PLATE: Final = 0.72
"""How much of a shape such a square takes."""


def _plate(target: pygame.Surface, body: Body) -> None:
    """Draw the body's bold sign in its middle, in the colour of its edge."""
    w, h = body.size
    side = min(w, h - body.depth) * PLATE
    x, y = (w - side) / 2, (h - body.depth - side) / 2
    corners = [
        ((x + side * px) * MANY, (y + side * py) * MANY)
        for px, py in PLATES[body.pattern]
    ]
    pygame.draw.polygon(target, body.edge or (0, 0, 0), corners)


def _dots(layer: pygame.Surface, ink: Colour) -> None:
    w, h = layer.get_size()
    pitch = max(MANY * 4, min(w, h) // 5)
    thick = max(MANY, pitch // 4)
    for i in range(-h // pitch - 1, (w + h) // pitch + 2):
        for j in range(h // pitch + 1):
            spot = (i * pitch + pitch // 2 * (j % 2), j * pitch)
            pygame.draw.circle(layer, ink, spot, thick)


def _star(m: float, r: float) -> Corners:
    """Return the corners of a five-pointed star about (m, m)."""
    return [
        (
            m + sin(pi * i / 5) * (r if i % 2 == 0 else r * 0.45),
            m - cos(pi * i / 5) * (r if i % 2 == 0 else r * 0.45),
        )
        for i in range(10)
    ]


def _polygons(mark: Mark, s: float) -> Sequence[Corners]:
    """Return the filled polygons of a mark in a square of side `s`."""
    m, t = s / 2, s * 0.11
    level = [(0.0, m - t), (s, m - t), (s, m + t), (0.0, m + t)]
    upright = [(m - t, 0.0), (m + t, 0.0), (m + t, s), (m - t, s)]
    a = t * 1.4
    table: dict[Mark, Sequence[Corners]] = {
        Mark.BAR: (level,),
        Mark.PLUS: (level, upright),
        Mark.CROSS: (
            [(0, a), (a, 0), (s, s - a), (s - a, s)],
            [(s - a, 0), (s, a), (a, s), (0, s - a)],
        ),
        Mark.SQUARE: ([(a, a), (s - a, a), (s - a, s - a), (a, s - a)],),
        Mark.DIAMOND: ([(m, 0), (s, m), (m, s), (0, m)],),
        Mark.TRIANGLE: ([(m, s * 0.06), (s, s * 0.94), (0, s * 0.94)],),
        Mark.STAR: (_star(m, m),),
        Mark.LEFT: ([(0, m), (s * 0.8, 0), (s * 0.8, s)],),
        Mark.RIGHT: ([(s, m), (s * 0.2, 0), (s * 0.2, s)],),
        Mark.UP: ([(m, s * 0.15), (s, s * 0.85), (0, s * 0.85)],),
        Mark.DOWN: ([(m, s * 0.85), (s, s * 0.15), (0, s * 0.15)],),
    }  # fmt: skip
    return table.get(mark, ())


@lru_cache(maxsize=500)
def sign(mark: Mark, side: int, colour: Colour) -> pygame.Surface:
    """Return the sprite of a mark in a square of `side` pixels."""
    target = _blank((side, side), colour)
    s = side * MANY
    for corners in _polygons(mark, s):
        pygame.draw.polygon(target, colour, corners)
    _rounds(target, mark, s, colour)
    return _down(target)


def _rounds(target: pygame.Surface, mark: Mark, s: int, colour: Colour) -> None:
    m, thick = s / 2, max(MANY, s // 6)
    match mark:
        case Mark.DOT:
            pygame.draw.circle(target, colour, (m, m), s * 0.32)
        case Mark.LINKED:
            pygame.draw.circle(target, colour, (m, m), s * 0.46)
        case Mark.RING:
            pygame.draw.circle(target, colour, (m, m), m, thick)
        case Mark.CUT:
            pygame.draw.circle(target, colour, (m, m), m, thick)
            gap = [(0, s * 0.85), (s * 0.85, 0), (s, s * 0.15), (s * 0.15, s)]
            pygame.draw.polygon(target, (*colour, 0), gap)
        case Mark.BOMB:
            pygame.draw.circle(target, colour, (m * 0.9, m * 1.15), s * 0.36)
            pygame.draw.line(
                target, colour, (m * 1.3, m * 0.7), (s * 0.92, s * 0.08), thick
            )
        case Mark.EYE:
            lid = pygame.Rect(0, round(s * 0.2), s, round(s * 0.6))
            pygame.draw.ellipse(target, colour, lid, max(MANY, s // 9))
            pygame.draw.circle(target, colour, (m, m), s * 0.17)
        case Mark.CHECKED:
            ticks = [(s * 0.08, s * 0.52), (s * 0.38, s * 0.82), (s * 0.92, s * 0.2)]
            pygame.draw.lines(target, colour, closed=False, points=ticks, width=thick)
        case _:
            pass

"""Texts as surfaces, kept while in use; each character by a font that has it."""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin
from pathlib import Path
from typing import Final, TypeAlias

import pygame
import pygame.font
from msgspec.structs import replace

from client.ui import hand, tiles, typefaces
from client.ui.scene import (
    MARGIN,
    Align,
    Colour,
    Mark,
    Node,
    Pattern,
    Point,
    Rect,
    Role,
    Shape,
    Touch,
    find,
    mix,
    outline,
    shift,
)
from client.ui.theme import Look
from client.ui.typefaces import FONTS, Cut


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
    parts = typefaces.runs(line, bold=bold)
    if all(face is typefaces.own(bold) for _part, face in parts):
        return usual.render(line, True, colour)
    high, base = usual.get_linesize(), usual.get_ascent()
    wide = typefaces.width(line, size, bold=bold)
    whole = pygame.Surface((max(1, wide), high), pygame.SRCALPHA)
    x = 0
    for part, face in parts:
        if face is None:
            for character in part:
                drawn = _coded(character, size, colour)
                whole.blit(drawn, (x, (high - drawn.get_height()) // 2))
                x += typefaces.width(character, size, bold=bold)
            continue
        own = _font(face.path, size)
        whole.blit(own.render(part, True, colour), (x, base - own.get_ascent()))
        x += typefaces.width(part, size, bold=bold)
    return whole


def _coded(character: str, size: int, colour: Colour) -> pygame.Surface:
    """Return the code of a character that no font has: its figures in a box."""
    figures = typefaces.code(character)
    wide = typefaces.width(character, size)
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


# Sprites of shapes, marks and patterns: drawn large, scaled down, kept.
#
# Everything is drawn four times too large and scaled down smoothly. A sprite is first
# filled with its own colour at alpha 0, so that no dark fringe comes from the scaling.


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


def _shrunk(corners: Corners, by: float) -> Corners:
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
            corners = _shrunk(flat, inner) if inner else flat
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
        # Take the middle out, so that only the edge stays
        hole = pygame.Surface(target.get_size(), pygame.SRCALPHA)
        hole.fill((255, 255, 255, 255))
        cover = pygame.Surface(target.get_size(), pygame.SRCALPHA)
        body.fill(cover, (255, 255, 255), inner, body.depth)
        hole.blit(cover, (0, 0), special_flags=pygame.BLEND_RGBA_SUB)
        hole.fill((255, 255, 255, 0), special_flags=pygame.BLEND_RGBA_MAX)
        target.blit(hole, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    if body.pattern is not Pattern.NONE:
        _texture(target, body, inner)
    return _down(target)


def _texture(target: pygame.Surface, body: Body, inner: int) -> None:
    """Draw the body's pattern inside its shape."""
    if body.pattern in PLATES:
        # A bold sign in its middle, in the colour of its edge
        w, h = body.size
        side = min(w, h - body.depth) * PLATE
        x, y = (w - side) / 2, (h - body.depth - side) / 2
        corners = [
            ((x + side * px) * MANY, (y + side * py) * MANY)
            for px, py in PLATES[body.pattern]
        ]
        pygame.draw.polygon(target, body.edge or (0, 0, 0), corners)
        return
    ink = mix(body.bg or (128, 128, 128), body.edge or (0, 0, 0), 0.55)
    layer = pygame.Surface(target.get_size(), pygame.SRCALPHA)
    layer.fill((*ink, 0))
    w, h = layer.get_size()
    pitch = max(MANY * 4, min(w, h) // 5)
    for i in range(-h // pitch - 1, (w + h) // pitch + 2):
        for j in range(h // pitch + 1):
            spot = (i * pitch + pitch // 2 * (j % 2), j * pitch)
            pygame.draw.circle(layer, ink, spot, max(MANY, pitch // 4))
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


def _polygons(mark: Mark, s: float) -> Sequence[Corners]:
    """Return the filled polygons of a mark in a square of side `s`."""
    m, t = s / 2, s * 0.11
    level = [(0.0, m - t), (s, m - t), (s, m + t), (0.0, m + t)]
    upright = [(m - t, 0.0), (m + t, 0.0), (m + t, s), (m - t, s)]
    a = t * 1.4
    # The corners of a five-pointed star, every second one further in
    spokes = enumerate((m, m * 0.45) * 5)
    star = [(m + sin(pi * i / 5) * r, m - cos(pi * i / 5) * r) for i, r in spokes]
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
        Mark.STAR: (star,),
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


# From a node tree to pixels.


SMALL: Final = 200 * 200
"""Shapes of more pixels are drawn in parts instead of kept as one sprite."""

GHOSTLY: Final = 110
"""Alpha of what is half visible."""

PADDING: Final = 10
"""Pixels at 100 % between a field's edge and its text."""


def _plain(node: Node) -> bool:
    """Tell whether a node is drawn by filling it, not kept as a sprite."""
    if node.shape is Shape.RECT and not node.border:
        return node.bg is not None and not node.depth and node.pattern is Pattern.NONE
    large = node.rect.w * node.rect.h > SMALL
    return large and node.shape in (Shape.RECT, Shape.ROUND)


_small: dict[tuple[int, Rect, int], tuple[Node, pygame.Surface]] = {}
"""Miniatures drawn: each with its scene, so that this one's id stays its own."""


def _drawn_smaller(scene: Node, node: Node, look: Look) -> pygame.Surface:
    wide, high, (w, h) = scene.rect.w, scene.rect.h, node.rect[2:]
    whole = pygame.Surface((wide, high))
    painter = Painter(whole, look)
    painter.paint(shift(scene, -scene.rect.x, -scene.rect.y), Touch())
    part = max(w / wide, h / high)
    cut = pygame.Rect(0, 0, min(wide, round(w / part)), min(high, round(h / part)))
    cut.center = wide // 2, high // 2
    face = pygame.Surface((w, h), pygame.SRCALPHA)
    face.blit(pygame.transform.smoothscale(whole.subsurface(cut), (w, h)), (0, 0))
    body = Node(
        Role.LABEL, "", Rect(0, 0, w, h), shape=Shape.ROUND, radius=node.radius,
        bg=(255, 255, 255),
    )  # fmt: skip
    face.blit(sprite(body), (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
    return face


class Painter:
    """Draws scenes in one look on one surface."""

    def __init__(self, surface: pygame.Surface, look: Look) -> None:
        self.surface = surface
        self.look = look
        self.touch = Touch()
        self.part = Rect(0, 0, *surface.get_size())
        self._near = (0, 0, *surface.get_size())

    def paint(self, root: Node, touch: Touch, part: Rect | None = None) -> None:
        """Draw the scene and what the hand does to it.

        Args:
            root: The scene.
            touch: What the hand does.
            part: Draw this rectangle only; None for all.
        """
        self.touch = touch
        self.part = part or root.rect
        near = self.part.inset(-MARGIN)
        self._near = (near.x, near.y, near.right, near.bottom)
        self.surface.set_clip(pygame.Rect(self.part))
        self.surface.fill(self.look.theme.ground)
        self._node(root)
        lifted = find(root, touch.lift) if touch.lift else None
        if lifted is not None:
            self.touch = Touch()
            self._node(shift(replace(lifted, ghost=False), *touch.by))

    def _node(self, node: Node) -> None:
        if node.ghost or (node.name and node.name == self.touch.lift):
            layer = pygame.Surface(node.rect[2:], pygame.SRCALPHA)
            inner = Painter(layer, self.look)
            inner._node(shift(replace(node, ghost=False), -node.rect.x, -node.rect.y))
            layer.set_alpha(GHOSTLY)
            self.surface.blit(layer, node.rect[:2])
            return
        if node.role is Role.DIALOG and node.depth:
            # All that is drawn so far is dimmed behind a dialog.
            layer = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
            layer.fill((*self.look.theme.veil, 120))
            self.surface.blit(layer, (0, 0))
        if node.rect.meets(self.part):
            self._body(self._touched(node))
        self._kids(node)
        if node.name and node.name == self.touch.focus:
            self._ring(node)

    def _kids(self, node: Node) -> None:
        if not node.clip:
            self._each(node.kids)
            return
        if not node.rect.meets(self.part):
            return
        before = self.surface.get_clip()
        self.surface.set_clip(before.clip(pygame.Rect(node.rect)))
        self._each(node.kids)
        self.surface.set_clip(before)

    def _each(self, nodes: Sequence[Node]) -> None:
        """Draw nodes, but none with nothing on it that is far from the part drawn.

        Most nodes are such, a falling piece being small: so this is written out.
        """
        x, y, right, bottom = self._near
        for node in nodes:
            if node.clip or not node.kids:
                left, upper, w, h = node.rect
                if left >= right or upper >= bottom or left + w <= x or upper + h <= y:
                    continue
            self._node(node)

    def _touched(self, node: Node) -> Node:
        name = node.name
        if not name or not node.enabled:
            return node
        if name == self.touch.over and node.drop:
            edge = self.look.theme.accent
            return replace(node, edge=edge, border=max(2, self.look.px(3)))
        if not node.live or name not in (self.touch.hover, self.touch.pressed):
            return node
        part = 0.16 if name == self.touch.pressed else 0.08
        if node.bg is None:
            quiet = node.role in (Role.BUTTON, Role.TAB, Role.ITEM)
            if not quiet or node.fg is None:
                return node
            shape = node.shape if node.shape is not Shape.NONE else Shape.RECT
            ground = mix(self.look.theme.panel, node.fg, part)
            return replace(node, bg=ground, shape=shape)
        return replace(node, bg=mix(node.bg, node.fg or (0, 0, 0), part))

    def _body(self, node: Node) -> None:
        """Draw a node's own shape, mark and texts."""
        if node.shape is Shape.LINE:
            self._line(node)
        elif node.shape is not Shape.NONE and (node.bg or node.edge):
            if _plain(node):
                self._large(node)
            else:
                self.surface.blit(sprite(node), node.rect[:2])
        if node.miniature is not None:
            scene, (w, h) = node.miniature, node.rect[2:]
            key = id(scene), Rect(0, 0, w, h), node.radius
            found = _small.get(key)
            if found is None:
                if len(_small) > 60:
                    _small.clear()
                found = _small[key] = scene, _drawn_smaller(scene, node, self.look)
            self.surface.blit(found[1], node.rect[:2])
        if node.role is Role.ENTRY:
            self._entry(node)
            return
        if node.mark is not Mark.NONE and node.fg is not None:
            spot = tiles.mark_at(node)
            left, top = node.rect.x + spot.x, node.rect.y + spot.y
            self.surface.blit(sign(node.mark, spot.w, node.fg), (left, top))
        self._text(node)

    def _large(self, node: Node) -> None:
        """Draw a large rectangle from fills and corner sprites."""
        if node.bg is None:
            return
        if node.border and node.edge is not None:
            self._slab(node.rect, node.radius, node.edge)
            inner = node.rect.inset(node.border)
            self._slab(inner, max(0, node.radius - node.border), node.bg)
        else:
            self._slab(node.rect, node.radius, node.bg)

    def _slab(self, rect: Rect, radius: int, colour: Colour) -> None:
        r = min(radius, rect.w // 2, rect.h // 2)
        if not r:
            self.surface.fill(colour, rect)
            return
        self.surface.fill(colour, (rect.x + r, rect.y, rect.w - 2 * r, rect.h))
        self.surface.fill(colour, (rect.x, rect.y + r, rect.w, rect.h - 2 * r))
        spot = Rect(0, 0, 2 * r, 2 * r)
        ball = sprite(
            Node(Role.LABEL, "", spot, shape=Shape.ROUND, radius=r, bg=colour)
        )
        for dx, far_x in ((0, rect.x), (r, rect.right - r)):
            for dy, far_y in ((0, rect.y), (r, rect.bottom - r)):
                self.surface.blit(ball, (far_x, far_y), (dx, dy, r, r))

    def _line(self, node: Node) -> None:
        """Draw a stroke through the node's points, with round joints."""
        if node.edge is None:
            return
        wide = max(1, node.border)
        for start, end in zip(node.points, node.points[1:], strict=False):
            pygame.draw.line(self.surface, node.edge, start, end, wide)
        if wide > 2:
            for spot in node.points:
                pygame.draw.aacircle(self.surface, node.edge, spot, wide / 2)

    def _text(self, node: Node) -> None:
        if node.fg is None or not node.size:
            return
        if node.text and node.wrap:
            x, y, w, h = node.rect
            pitch = round(node.size * typefaces.LINE)
            wrapped = typefaces.wrap(node.text, node.size, w, bold=node.cut)
            for i, line in enumerate(wrapped[: max(1, h // pitch)]):
                face = text(line, node.size, node.fg, bold=node.cut)
                slack = w - face.get_width()
                left = {Align.LEFT: 0, Align.RIGHT: slack}.get(node.align, slack // 2)
                self.surface.blit(face, (x + left, y + i * pitch))
        elif node.text:
            self._one_line(node)
        if node.corner:
            size, edge = tiles.size(node), tiles.edge(node)
            face = text(node.corner, size, node.fg, bold=node.cut)
            x = node.rect.right - face.get_width() - edge
            low = node.rect.bottom - node.depth - face.get_height()
            self.surface.blit(face, (x, low - edge + size // 4))

    def _one_line(self, node: Node) -> None:
        """Draw a text on one line, cut with an ellipsis if it must be."""
        x, y, w, h = node.rect
        h -= node.depth
        pad = self.look.px(6) if node.role is Role.BUTTON else 0
        room = w - 2 * pad
        line, size = typefaces.fit(node.text, node.size, max(0, room), bold=node.cut)
        if not line:
            return
        left = lift = 0
        if node.corner:
            size, left, lift = tiles.face(node)
        face = text(line, size, node.fg or (0, 0, 0), bold=node.cut)
        wide, high = face.get_size()
        if node.mark is not Mark.NONE:
            wide -= round(node.size * 1.2)
        slack = {Align.LEFT: pad, Align.RIGHT: w - wide - pad}
        if not node.corner:
            left = slack.get(node.align, (w - wide) // 2)
        self.surface.blit(face, (x + left, y + (h - high) // 2 - lift))

    def _entry(self, node: Node) -> None:
        """Draw a field's text, its selection and its cursor."""
        pad = self.look.px(PADDING)
        room = Rect(node.rect.x + pad, node.rect.y, node.rect.w - 2 * pad, node.rect.h)
        first = hand.view(node.text, max(0, node.caret), node.size, room.w)
        before = self.surface.get_clip()
        self.surface.set_clip(before.clip(pygame.Rect(room)))
        high = round(node.size * 1.35)
        y = room.y + (room.h - high) // 2

        def place(at: int) -> int:
            shown = node.text[first : max(first, at)]
            return room.x + typefaces.width(shown, node.size)

        focused = node.name == self.touch.focus
        if focused and node.anchor != node.caret:
            low, far = sorted((place(node.anchor), place(node.caret)))
            ground = mix(node.bg or (0, 0, 0), self.look.theme.accent, 0.35)
            self.surface.fill(ground, (low, y, far - low, high))
        if node.text[first:]:
            face = text(node.text[first:], node.size, node.fg or (0, 0, 0), bold=False)
            self.surface.blit(
                face, (room.x, room.y + (room.h - face.get_height()) // 2)
            )
        self.surface.set_clip(before)
        if focused:
            bar = (place(node.caret), y, max(1, self.look.px(2)), high)
            self.surface.fill(self.look.theme.focus, bar)

    def _ring(self, node: Node) -> None:
        wide = max(2, self.look.px(2))
        row = node.role is Role.ITEM  # its list and the next row would hide what is out
        rect = node.rect if row else node.rect.inset(-wide)
        bodied = node.shape not in (Shape.NONE, Shape.LINE)
        face = Node(
            Role.LABEL, "", rect if not node.points else node.rect,
            shape=node.shape if bodied else Shape.ROUND,
            points=node.points, radius=node.radius + wide if bodied else wide * 2,
            edge=self.look.theme.focus, border=wide,
        )  # fmt: skip
        spot: Point = face.rect.x, face.rect.y
        self.surface.blit(sprite(face), spot)

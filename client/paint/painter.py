"""From a node tree to pixels."""

from collections.abc import Sequence
from typing import Final

import pygame
from msgspec.structs import replace

from client import edit, metrics, tile_corners
from client.paint import letters, shapes
from client.scene import (
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
    shift,
)
from client.scene_diff import MARGIN
from client.theme import Look

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


def _smaller(node: Node, look: Look) -> pygame.Surface:
    """Return a node's miniature: it fills the shape, its corners are the shape's."""
    scene, (w, h) = node.miniature, node.rect[2:]
    assert scene is not None  # callers have looked
    key = id(scene), Rect(0, 0, w, h), node.radius
    found = _small.get(key)
    if found is None:
        if len(_small) > 60:
            _small.clear()
        found = _small[key] = scene, _drawn_smaller(scene, node, look)
    return found[1]


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
    face.blit(shapes.sprite(body), (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
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
            self._ghost(node)
            return
        if node.role is Role.DIALOG and node.depth:
            self._veil()
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

    def _ghost(self, node: Node) -> None:
        layer = pygame.Surface(node.rect[2:], pygame.SRCALPHA)
        inner = Painter(layer, self.look)
        inner._node(shift(replace(node, ghost=False), -node.rect.x, -node.rect.y))
        layer.set_alpha(GHOSTLY)
        self.surface.blit(layer, node.rect[:2])

    def _veil(self) -> None:
        """Dim everything drawn so far: a dialog comes."""
        layer = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        layer.fill((*self.look.theme.veil, 120))
        self.surface.blit(layer, (0, 0))

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
                self.surface.blit(shapes.sprite(node), node.rect[:2])
        if node.miniature is not None:
            self.surface.blit(_smaller(node, self.look), node.rect[:2])
        if node.role is Role.ENTRY:
            self._entry(node)
            return
        self._mark(node)
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
        ball = shapes.sprite(
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

    def _mark(self, node: Node) -> None:
        """Draw the node's mark: left of its text, or in the middle."""
        if node.mark is Mark.NONE or node.fg is None:
            return
        x, y, w, h = node.rect
        h -= node.depth
        if node.text:
            side = min(h, max(6, round(node.size * 0.8)))
            wide = metrics.width(node.text, node.size, bold=node.cut)
            left = x + max(0, (w - wide - side - side // 2) // 2)
            spot = (left, y + (h - side) // 2)
        else:
            side = max(5, min(w, h) * (10 if node.shape is Shape.NONE else 5) // 10)
            spot = (x + (w - side) // 2, y + (h - side) // 2)
        self.surface.blit(shapes.sign(node.mark, side, node.fg), spot)

    def _text(self, node: Node) -> None:
        if node.fg is None or not node.size:
            return
        if node.text and node.wrap:
            self._lines(node)
        elif node.text:
            self._one_line(node)
        if node.corner:
            size, edge = tile_corners.size(node), tile_corners.edge(node)
            face = letters.text(node.corner, size, node.fg, bold=node.cut)
            x = node.rect.right - face.get_width() - edge
            low = node.rect.bottom - node.depth - face.get_height()
            self.surface.blit(face, (x, low - edge + size // 4))

    def _one_line(self, node: Node) -> None:
        """Draw a text on one line, cut with an ellipsis if it must be."""
        x, y, w, h = node.rect
        h -= node.depth
        pad = self.look.px(6) if node.role is Role.BUTTON else 0
        room = w - 2 * pad
        line, size = metrics.fit(node.text, node.size, max(0, room), bold=node.cut)
        if not line:
            return
        left = lift = 0
        if node.corner:
            size, left, lift = tile_corners.face(node)
        face = letters.text(line, size, node.fg or (0, 0, 0), bold=node.cut)
        wide, high = face.get_size()
        if node.mark is not Mark.NONE:
            wide -= round(node.size * 1.2)
        slack = {Align.LEFT: pad, Align.RIGHT: w - wide - pad}
        if not node.corner:
            left = slack.get(node.align, (w - wide) // 2)
        self.surface.blit(face, (x + left, y + (h - high) // 2 - lift))

    def _lines(self, node: Node) -> None:
        x, y, w, h = node.rect
        pitch = round(node.size * metrics.LINE)
        for i, line in enumerate(
            metrics.wrap(node.text, node.size, w, bold=node.cut)[: max(1, h // pitch)]
        ):
            face = letters.text(line, node.size, node.fg or (0, 0, 0), bold=node.cut)
            slack = {Align.LEFT: 0, Align.RIGHT: w - face.get_width()}
            left = slack.get(node.align, (w - face.get_width()) // 2)
            self.surface.blit(face, (x + left, y + i * pitch))

    def _entry(self, node: Node) -> None:
        """Draw a field's text, its selection and its cursor."""
        pad = self.look.px(PADDING)
        room = Rect(node.rect.x + pad, node.rect.y, node.rect.w - 2 * pad, node.rect.h)
        first = edit.view(node.text, max(0, node.caret), node.size, room.w)
        before = self.surface.get_clip()
        self.surface.set_clip(before.clip(pygame.Rect(room)))
        high = round(node.size * 1.35)
        y = room.y + (room.h - high) // 2

        def place(at: int) -> int:
            shown = node.text[first : max(first, at)]
            return room.x + metrics.width(shown, node.size)

        focused = node.name == self.touch.focus
        if focused and node.anchor != node.caret:
            low, far = sorted((place(node.anchor), place(node.caret)))
            ground = mix(node.bg or (0, 0, 0), self.look.theme.accent, 0.35)
            self.surface.fill(ground, (low, y, far - low, high))
        if node.text[first:]:
            face = letters.text(
                node.text[first:], node.size, node.fg or (0, 0, 0), bold=False
            )
            self.surface.blit(
                face, (room.x, room.y + (room.h - face.get_height()) // 2)
            )
        self.surface.set_clip(before)
        if focused:
            bar = (place(node.caret), y, max(1, self.look.px(2)), high)
            self.surface.fill(self.look.theme.focus, bar)

    def _ring(self, node: Node) -> None:
        wide = max(2, self.look.px(2))
        rect = node.rect.inset(-wide)
        bodied = node.shape not in (Shape.NONE, Shape.LINE)
        face = Node(
            Role.LABEL, "", rect if not node.points else node.rect,
            shape=node.shape if bodied else Shape.ROUND,
            points=node.points, radius=node.radius + wide if bodied else wide * 2,
            edge=self.look.theme.focus, border=wide,
        )  # fmt: skip
        spot: Point = face.rect.x, face.rect.y
        self.surface.blit(shapes.sprite(face), spot)

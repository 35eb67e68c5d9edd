"""The semantic scene: what is on the screen, as a tree of plain values.

Painter, hit test, keyboard focus, the debug port and the tests all read this one
tree, so what is drawn is what can be clicked.  Nothing here knows of pygame.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.ui.typefaces import Cut

Colour: TypeAlias = tuple[int, int, int]
Point: TypeAlias = tuple[int, int]


class Rect(NamedTuple):
    """A rectangle in pixels, origin at the window's upper left corner."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """Return the first column to the right of it."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """Return the first row below it."""
        return self.y + self.h

    @property
    def centre(self) -> Point:
        """Return its middle."""
        return self.x + self.w // 2, self.y + self.h // 2

    def has(self, point: Point) -> bool:
        """Tell whether the point lies inside."""
        return self.x <= point[0] < self.right and self.y <= point[1] < self.bottom

    def holds(self, other: "Rect") -> bool:
        """Tell whether the other rectangle lies wholly inside."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def meets(self, other: "Rect") -> bool:
        """Tell whether the two share at least one pixel."""
        x, y, w, h = self
        left, top_, wide, high = other
        return x < left + wide and left < x + w and y < top_ + high and top_ < y + h

    def cut(self, other: "Rect") -> "Rect":
        """Return the part inside the other, of no size if there is none."""
        x, y, w, h = self
        left, top_, wide, high = other
        at, down = max(x, left), max(y, top_)
        w, h = min(x + w, left + wide) - at, min(y + h, top_ + high) - down
        return Rect(at, down, max(0, w), max(0, h))

    def inset(self, dx: int, dy: int | None = None) -> "Rect":
        """Return it smaller by `dx` left and right and `dy` above and below.

        Negative numbers make it larger.
        """
        dy = dx if dy is None else dy
        w, h = max(0, self.w - 2 * dx), max(0, self.h - 2 * dy)
        return Rect(self.x + dx, self.y + dy, w, h)

    def moved(self, dx: int, dy: int) -> "Rect":
        """Return it elsewhere, of the same size."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)


class Role(StrEnum):
    """What a node is to the user; decides focus, keys and default drawing."""

    PANEL = "panel"
    LABEL = "label"
    BUTTON = "button"
    ENTRY = "entry"
    LIST = "list"
    ITEM = "item"
    CHOICE = "choice"
    CHECK = "check"
    SLIDER = "slider"
    TAB = "tab"
    DIALOG = "dialog"
    CELL = "cell"
    """A place on a board."""
    TILE = "tile"
    """A piece that lies on a place, in a rack or in a pool."""


class Shape(StrEnum):
    """The outline, always fitted to the node's rectangle."""

    NONE = "none"
    """No body: only the text and the children show."""
    RECT = "rect"
    ROUND = "round"
    """A rectangle with rounded corners of `radius` pixels."""
    CIRCLE = "circle"
    FLAT = "flat hexagon"
    """A hexagon with a corner at the left and at the right."""
    POLYGON = "polygon"
    """The outline through `points`, in window pixels."""
    LINE = "line"
    """A stroke of `border` pixels through `points`, in the colour `edge`."""


class Mark(StrEnum):
    """A sign drawn in the middle, in `fg`, so that colour is never alone."""

    NONE = ""
    DOT = "dot"
    RING = "ring"
    BAR = "bar"
    PLUS = "plus"
    CROSS = "cross"
    SQUARE = "square"
    DIAMOND = "diamond"
    TRIANGLE = "triangle"
    STAR = "star"
    BOMB = "bomb"
    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    CHECKED = "checked"
    LINKED = "linked"
    """A full disc: connected."""
    CUT = "cut"
    """A broken ring: not connected."""
    EYE = "eye"


class Pattern(StrEnum):
    """A texture over the whole shape, in `edge`, faint, under mark and text."""

    NONE = ""
    DOTS = "dots"
    DISC = "disc"
    BOX = "box"
    GEM = "gem"
    WEDGE = "wedge"
    FUNNEL = "funnel"
    PILL = "pill"
    """One bold sign each, in the middle, wholly in `edge`; a mark stands on it."""


class Align(StrEnum):
    """Where the text stands in its rectangle."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Means(Struct, frozen=True, tag=True):
    """What a click on a node means: a message of the page or game that shows it."""


class Unfold(Means, frozen=True):
    """Open the list of a drop-down, or close it."""

    name: str
    """The drop-down's."""


class Write(Means, frozen=True):
    """Put the text cursor of a field where the click came."""

    field: str


class Chosen(Means, frozen=True):
    """A row of an open list was chosen: the list closes, and then this is meant."""

    of: Means


class Rows(Means, frozen=True):
    """Of an open list, which is no button itself: what each of its rows means.

    The keyboard may choose a row that is scrolled out of sight, and so is no node.
    """

    each: tuple[Means, ...]


class Node(Struct, frozen=True, omit_defaults=True):
    """One thing on the screen and what lies on it.

    Children are drawn after, so over, their parent, in their order.  `name` is
    unique among the nodes that have one; an empty name is mere decoration.  It is for
    focus, tests and screen readers: what a click does, `means` says.
    """

    role: Role
    name: str
    rect: Rect
    text: str = ""
    """Shown in the shape; wraps where `wrap` is set, else is cut with an ellipsis."""
    value: str = ""
    """The state in words, for scripts and for entries their content."""
    corner: str = ""
    """A small text in the lower right corner, such as a tile's points."""
    kids: tuple["Node", ...] = ()

    shape: Shape = Shape.NONE
    points: tuple[Point, ...] = ()
    radius: int = 0
    depth: int = 0
    """How many pixels the piece stands out at its lower edge."""
    bg: Colour | None = None
    fg: Colour | None = None
    edge: Colour | None = None
    border: int = 0
    mark: Mark = Mark.NONE
    pattern: Pattern = Pattern.NONE

    miniature: "Node | None" = None
    """Another scene, drawn smaller to fill the shape; nothing on it can be touched."""

    size: int = 0
    """Text height in pixels; 0 is no text."""
    bold: bool = False
    align: Align = Align.CENTRE
    wrap: bool = False

    live: bool = False
    """May be clicked, and then is what a click hits."""
    means: Means | None = None
    """What a click on it means; None for what is only dragged or drawn along."""
    focusable: bool = False
    """Tab stops here."""
    drag: bool = False
    """May be picked up with the mouse."""
    drop: bool = False
    """Takes what is dropped on it."""
    enabled: bool = True
    selected: bool = False
    ghost: bool = False
    """Half visible: a preview, or what is being dragged away."""
    clip: bool = False
    """Children show only inside `rect`."""
    content: int = 0
    """Of a list: the height of all its rows, in pixels."""
    offset: int = 0
    """Of a list: how far it is scrolled, in pixels."""
    caret: int = -1
    """Of an entry: the place of the text cursor, in characters."""
    anchor: int = -1
    """Of an entry: the other end of the selection."""

    @property
    def cut(self) -> Cut:
        """Return the font of its texts: letters of tiles have one of their own."""
        if self.role is Role.TILE:
            return Cut.TILE
        return Cut.BOLD if self.bold else Cut.TEXT


def around(*rects: Rect) -> Rect | None:
    """Return the smallest rectangle round others; None for none."""
    if not rects:
        return None
    x, y = min(r.x for r in rects), min(r.y for r in rects)
    right, bottom = max(r.right for r in rects), max(r.bottom for r in rects)
    return Rect(x, y, right - x, bottom - y)


def outline(node: Node) -> tuple[Point, ...]:
    """Return the corners of the node's shape, clockwise; a circle is its square."""
    x, y, w, h = node.rect
    match node.shape:
        case Shape.POLYGON | Shape.LINE:
            return node.points
        case Shape.FLAT:
            q, m = w // 4, y + h // 2
            return (
                (x + q, y), (x + w - q, y), (x + w, m),
                (x + w - q, y + h), (x + q, y + h), (x, m),
            )  # fmt: skip
        case _:
            return (x, y), (x + w, y), (x + w, y + h), (x, y + h)


def inside(point: Point, corners: tuple[Point, ...]) -> bool:
    """Tell whether the point is inside the polygon (crossings of a ray)."""
    px, py = point
    odd = False
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], *corners[:1]), strict=True):
        if (ay > py) != (by > py) and px < (bx - ax) * (py - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def covers(node: Node, point: Point) -> bool:
    """Tell whether the point is on the node's very shape."""
    if not node.rect.has(point):
        return False
    match node.shape:
        case Shape.FLAT | Shape.POLYGON:
            return inside(point, outline(node))
        case Shape.CIRCLE:
            (cx, cy), r = node.rect.centre, min(node.rect.w, node.rect.h) / 2
            return (point[0] - cx) ** 2 + (point[1] - cy) ** 2 <= r * r
        case _:
            return True


def walk(root: Node) -> Iterator[Node]:
    """Yield the node and all below it, in the order they are drawn."""
    waiting = [root]  # a generator within a generator for each level is slow
    while waiting:
        node = waiting.pop()
        yield node
        if node.kids:
            waiting.extend(reversed(node.kids))


def find(root: Node, name: str) -> Node | None:
    """Return the node of that name, or None; decoration has none to be found by."""
    if not name:
        return None
    return next((node for node in walk(root) if node.name == name), None)


def is_sign(node: Node) -> bool:
    """Tell whether a button's face is a sign, whose words are its value."""
    if node.role is not Role.BUTTON or not node.value:
        return False
    return not any(map(str.isalpha, "".join(each.text for each in walk(node))))


def dialogs(root: Node) -> Iterator[Node]:
    """Yield the dialogs, the uppermost last.

    Nothing within a list or another clipped part is a dialog.
    """
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.role is Role.DIALOG:
            yield node
        if node.kids and not node.clip:
            waiting.extend(reversed(node.kids))


def top(root: Node) -> Node:
    """Return the part that takes input: the uppermost dialog, or the whole."""
    return [root, *dialogs(root)][-1]


def safe(dialog: Node) -> str:
    """Return the name of the button that closes a dialog and changes nothing else.

    Where there is none, of its first field.  A page without a frame, or what takes keys
    itself, such as a game's own question, has neither: keys are for all of it.
    """
    found = stops(dialog) if dialog.role is Role.DIALOG and dialog.depth else ()
    # What puts away a fault stands above the button that closes the dialog.
    ends = (n for n in reversed(found) if n.name.rpartition(".")[2] in ("close", "no"))
    fields = (n for n in found if n.role is Role.ENTRY)
    return next((n.name for n in (*ends, *fields)), "")


def _hits(node: Node, point: Point) -> Iterator[Node]:
    """Yield what lies under the point, uppermost first."""
    if node.clip and not node.rect.has(point):
        return
    for kid in reversed(node.kids):
        yield from _hits(kid, point)
    if covers(node, point):
        yield node


def hit(root: Node, point: Point) -> Node | None:
    """Return the live node a click at the point reaches.

    A dialog covers all below it: a click beside it reaches nothing.
    """
    return next((n for n in _hits(top(root), point) if n.live and n.enabled), None)


def drop_at(root: Node, point: Point) -> Node | None:
    """Return the node that takes what is dropped at the point."""
    return next((n for n in _hits(top(root), point) if n.drop and n.enabled), None)


def list_at(root: Node, point: Point) -> Node | None:
    """Return the scrolling list under the point."""
    return next((n for n in _hits(top(root), point) if n.role is Role.LIST), None)


def stops(root: Node) -> tuple[Node, ...]:
    """Return where Tab stops, in reading order of the tree."""
    return tuple(n for n in walk(top(root)) if n.focusable and n.enabled)


def step(
    root: Node, focus: str, by: int, order: Sequence[str] = (), place: str = ""
) -> str:
    """Return the name that has the focus after Tab (+1) or Shift+Tab (-1).

    Args:
        root: The scene.
        focus: What has it now; empty for nothing.
        by: Which way.
        order: Where Tab stopped when the focus was lost.
        place: What had it then: the first to come to, once it can be pressed again.
    """
    names = [n.name for n in stops(root)]
    if not names:
        return ""
    if focus not in names:
        at = order.index(place) if place in order else len(order)
        onward = order[at:] if by > 0 else order[: at + 1][::-1]
        ends = names[0 if by > 0 else -1]
        return next((name for name in onward if place and name in names), ends)
    return names[(names.index(focus) + by) % len(names)]


def shift(node: Node, dx: int, dy: int) -> Node:
    """Return the node and all on it, moved."""
    return replace(
        node,
        rect=node.rect.moved(dx, dy),
        points=tuple((x + dx, y + dy) for x, y in node.points),
        kids=tuple(shift(kid, dx, dy) for kid in node.kids),
    )


def _linear(channel: int) -> float:
    c = channel / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def luminance(colour: Colour) -> float:
    """Return the relative luminance, 0 black to 1 white (WCAG 2.1)."""
    r, g, b = map(_linear, colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio, 1 to 21 (WCAG 2.1)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mix(one: Colour, other: Colour, part: float) -> Colour:
    """Return the colour `part` of the way from one to the other."""
    r, g, b = (round(a + (c - a) * part) for a, c in zip(one, other, strict=True))
    return r, g, b


class Touch(Struct, frozen=True):
    """What the user's hand does to a scene; drawn over it, not built into it."""

    focus: str = ""
    """The node with the keyboard."""
    hover: str = ""
    pressed: str = ""
    lift: str = ""
    """The node being dragged."""
    by: Point = (0, 0)
    """How far it has been dragged, in pixels."""
    over: str = ""
    """The node it would drop onto."""


# Where two scenes differ, so that only that much is drawn anew.


MARGIN: Final = 8
"""Pixels around a node that its focus ring may take."""

NEAR: Final = 2
"""Pixels around decoration, which has no ring: its neighbours are told with it."""


def changes(old: Node, new: Node) -> tuple[Rect, ...]:
    """Return rectangles that together hold all in which two scenes differ.

    Rings, ghosts and veils are drawn round or over nodes, hence the margin; a scene
    with a dialog is told to differ everywhere.  What differs in places far apart is
    not told as all that lies between.
    """
    if old is new:
        return ()
    if top(old) is not old or top(new) is not new:
        return () if old == new else (new.rect,)
    return apart(_differs(old, new))


def _differs(old: Node, new: Node) -> Iterator[Rect]:
    """Yield where two nodes differ, going down while they are alike."""
    if old is new:
        return
    if not (old.kids or new.kids):
        if old != new:
            yield from {_room(old), _room(new)}
        return
    if replace(old, kids=()) != replace(new, kids=()):
        yield from (_span(old), _span(new))
        return
    pairs, single = _matched(old.kids, new.kids)
    places = [rect for one, other in pairs for rect in _differs(one, other)]
    places += map(_span, single)
    strip = around(*places)
    if strip and new.clip and not any(kid.kids for kid in new.kids):
        yield strip  # a column of a well: its hexes lie close together
    else:
        yield from places


def _matched(
    old: tuple[Node, ...], new: tuple[Node, ...]
) -> tuple[Iterable[tuple[Node, Node]], Sequence[Node]]:
    """Return nodes in pairs, and those of either side that have no counterpart.

    Where something came or went, what stands before it and after it is matched.
    """
    few = min(len(old), len(new))
    if len(old) == len(new):
        return zip(old, new, strict=True), ()
    first = 0
    while first < few and _kin(old[first], new[first]):
        first += 1
    last = 0
    while last < few - first and _kin(old[-1 - last], new[-1 - last]):
        last += 1
    ends = len(old) - last, len(new) - last
    pairs = [
        *zip(old[:first], new[:first], strict=True),
        *zip(old[ends[0] :], new[ends[1] :], strict=True),
    ]
    return pairs, (*old[first : ends[0]], *new[first : ends[1]])


def _kin(one: Node, other: Node) -> bool:
    """Tell whether two nodes may be the same thing at two moments."""
    return one.name == other.name and one.role is other.role


PARTS: Final = 12
"""More places that differ are told together: each costs a walk through the scene."""

WALK: Final = 1000
"""So many pixels are drawn needlessly before another walk is the cheaper way."""

MANY: Final = 24
"""More than these are told as one: to find out which lie near would cost too much."""


def apart(rects: Iterable[Rect]) -> tuple[Rect, ...]:
    """Return rectangles that hold the same, at most `PARTS`.

    They may meet: to draw some pixels twice is cheaper than all that lies round them.
    """
    found: list[Rect] = []
    coming = iter(rects)
    for rect in coming:
        # It is made one with those it lies close to.
        whole = rect
        while near := [other for other in found if _between((whole, other)) <= WALK]:
            found = [other for other in found if other not in near]
            whole = around(whole, *near) or whole
        found.append(whole)
        if len(found) > MANY:
            return (around(*found, *coming) or rect,)
    return tuple(_fewer(found))


def _fewer(found: list[Rect]) -> list[Rect]:
    """Return at most `PARTS` rectangles that hold the same, with little besides."""
    lost = {pair: _between(pair) for pair in combinations(set(found), 2)}
    rest = set(found)
    while len(rest) > PARTS:
        one, other = min(lost, key=lost.__getitem__)
        both = around(one, other) or one
        rest -= {one, other, both}
        lost = {pair: pixels for pair, pixels in lost.items() if rest.issuperset(pair)}
        lost.update({(each, both): _between((each, both)) for each in rest})
        rest.add(both)
    return sorted(rest)


def _between(pair: tuple[Rect, Rect]) -> int:
    """Return how many pixels would be told needlessly, were two told as one."""
    (x, y, w, h), (left, upper, wide, high) = pair  # written out: asked for often
    across = max(x + w, left + wide) - min(x, left)
    down = max(y + h, upper + high) - min(y, upper)
    return across * down - w * h - wide * high


def _room(node: Node) -> Rect:
    """Return a rectangle that holds a node, with what is drawn round it."""
    bare = not (node.name or node.text or node.corner or node.points)
    return node.rect.inset(-NEAR if bare else -MARGIN)


def _span(node: Node) -> Rect:
    return around(*map(_room, walk(node))) or node.rect


def touched(root: Node, old: Touch, new: Touch) -> Rect | None:
    """Return a rectangle that holds all in which two touches of a scene differ."""
    if old == new:
        return None
    if old.lift or new.lift:
        return root.rect
    names = {old.focus, old.hover, old.pressed, old.over} ^ {
        new.focus, new.hover, new.pressed, new.over,
    }  # fmt: skip
    names |= {old.pressed, new.pressed}
    found = [node for name in names if (node := find(root, name)) is not None]
    return around(*map(_span, found))

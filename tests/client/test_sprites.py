"""What was drawn once is drawn the same again, and nothing else is taken for it."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from client.ui.scene import Mark, Node, Pattern, Rect, Role, Shape, Touch
from client.ui.theme import THEMES, Look
from client.window.painter import Painter

LOOK = Look(THEMES["light"])
AREA = Rect(0, 0, 120, 90)
PIECE = Node(
    Role.LABEL, "piece", Rect(20, 20, 60, 40), shape=Shape.ROUND, radius=8, depth=4,
    bg=(200, 120, 30), edge=(20, 30, 90), border=3, fg=(0, 0, 0), text="Wort", size=14,
)  # fmt: skip


def drawn(*nodes: Node, **touch: Any) -> pygame.Surface:
    surface = pygame.Surface(AREA[2:])
    root = Node(Role.PANEL, "window", AREA, kids=nodes)
    Painter(surface, LOOK).paint(root, Touch(**touch))
    return surface


def data(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


def rough(colour: tuple[int, ...]) -> tuple[int, ...]:
    """Return a colour without what scaling changes in it."""
    return tuple((part + 6) // 16 for part in colour)


def seen(surface: pygame.Surface, spot: tuple[int, int]) -> tuple[int, ...]:
    return rough(tuple(surface.get_at(spot))[:3])


@pytest.mark.parametrize(
    "other",
    [
        {"pattern": Pattern.GEM},
        {"edge": (250, 0, 0)},
        {"bg": (10, 200, 200)},
        {"border": 1},
        {"depth": 0},
        {"radius": 20},
        {"shape": Shape.RECT},
        {"shape": Shape.CIRCLE},
        {"mark": Mark.STAR},
        {"text": "Worte"},
        {"size": 18},
        {"bold": True},
        {"ghost": True},
        {"rect": Rect(20, 20, 50, 40)},
        {"rect": Rect(21, 20, 60, 40)},
    ],
)
def test_a_piece_that_differs_in_one_thing_is_drawn_otherwise(
    other: dict[str, Any],
) -> None:
    first = data(drawn(PIECE))
    assert data(drawn(replace(PIECE, **other))) != first
    assert data(drawn(PIECE)) == first


def test_a_small_board_is_drawn_for_its_size_and_its_game() -> None:
    boards = [
        Node(Role.PANEL, "", Rect(0, 0, 200, 200), shape=Shape.RECT, bg=colour)
        for colour in ((200, 0, 0), (0, 200, 0))
    ]
    faces = [
        Node(Role.LABEL, "", Rect(10, 10, side, side), miniature=board)
        for board in boards
        for side in (30, 60)
    ]
    for _again in range(2):
        found = [drawn(face) for face in faces]
        inside = [seen(each, (25, 25)) for each in found]
        far = [seen(each, (55, 55)) for each in found]
        ground = rough(LOOK.theme.ground)
        red, green = rough((200, 0, 0)), rough((0, 200, 0))
        assert inside == [red, red, green, green]
        assert far == [ground, red, ground, green]


def test_small_boards_that_come_and_go_are_not_taken_for_each_other() -> None:
    for step in range(90):  # more than are kept, each gone when the next is made
        colour = (16 * (step % 15) + 8, 16 * (step // 15) + 8, 24)
        board = Node(Role.PANEL, "", Rect(0, 0, 90, 90), shape=Shape.RECT, bg=colour)
        face = Node(Role.LABEL, "", Rect(10, 10, 40, 40), miniature=board)
        assert seen(drawn(face), (30, 30)) == rough(colour)


def test_what_is_dragged_lies_where_the_pointer_has_taken_it() -> None:
    piece = replace(PIECE, rect=Rect(0, 0, 20, 20), text="", depth=0, border=0)
    surface = drawn(replace(piece, live=True, drag=True), lift="piece", by=(60, 30))
    assert tuple(surface.get_at((70, 40)))[:3] == piece.bg
    pale = tuple(surface.get_at((10, 10)))[:3]
    assert pale not in (piece.bg, LOOK.theme.ground), "its place shows it faintly"
    assert tuple(surface.get_at((40, 70)))[:3] == LOOK.theme.ground


def test_where_a_piece_may_be_dropped_is_seen() -> None:
    cell = Node(Role.CELL, "cell", Rect(20, 20, 60, 40), shape=Shape.RECT, drop=True,
                bg=(200, 200, 200))  # fmt: skip
    plain = data(drawn(cell))
    assert data(drawn(cell, over="cell")) != plain
    assert data(drawn(replace(cell, drop=False), over="cell")) == plain


@pytest.mark.parametrize("bg", [(200, 200, 200), None])
def test_a_button_shows_that_the_pointer_is_on_it_and_that_it_is_pressed(
    bg: tuple[int, int, int] | None,
) -> None:
    button = Node(
        Role.BUTTON, "b", Rect(20, 20, 60, 40), shape=Shape.ROUND, radius=6, bg=bg,
        fg=(0, 0, 0), text="Go", size=14, live=True,
    )  # fmt: skip
    faces = [data(drawn(button, **touch)) for touch in ({}, {"hover": "b"})]
    faces.append(data(drawn(button, hover="b", pressed="b")))
    assert len({*faces}) == 3


def test_a_list_in_a_list_does_not_spill_and_what_follows_is_whole() -> None:
    long = Node(Role.LABEL, "", Rect(0, 0, 120, 90), shape=Shape.RECT, bg=(9, 9, 9))
    inner = Node(Role.LIST, "in", Rect(40, 10, 20, 90), kids=(long,), clip=True)
    mark = replace(long, rect=Rect(30, 40, 30, 30), bg=(200, 0, 0))
    outer = Node(
        Role.LIST, "out", Rect(30, 0, 40, 50), kids=(inner, mark), clip=True
    )  # fmt: skip
    after = replace(long, rect=Rect(0, 70, 120, 20), bg=(0, 0, 200))
    surface = drawn(outer, after)
    found = {spot: tuple(surface.get_at(spot))[:3] for spot in (
        (50, 20), (35, 20), (50, 45), (50, 55), (50, 80), (110, 80),
    )}  # fmt: skip
    ground = LOOK.theme.ground
    assert list(found.values()) == [
        (9, 9, 9), ground, (200, 0, 0), ground, (0, 0, 200), (0, 0, 200),
    ]  # fmt: skip


def test_a_field_shows_marked_text_both_ways_and_leaves_room_for_what_follows() -> None:
    field = Node(
        Role.ENTRY, "f", Rect(5, 10, 80, 30), shape=Shape.RECT, bg=(255, 255, 255),
        fg=(0, 0, 0), text="Buchstabe", size=14, caret=6, anchor=2,
    )  # fmt: skip
    after = Node(Role.LABEL, "", Rect(90, 60, 20, 20), shape=Shape.RECT, bg=(0, 0, 200))
    forth = drawn(field, after, focus="f")
    plain = drawn(replace(field, anchor=6), after, focus="f")
    back = drawn(replace(field, caret=2, anchor=6), after, focus="f")
    unmarked = drawn(replace(field, caret=2, anchor=2), after, focus="f")
    assert data(forth) != data(plain)
    assert data(back) != data(unmarked)
    assert tuple(forth.get_at((100, 70)))[:3] == (0, 0, 200)


def test_a_long_text_in_a_field_is_shown_where_the_cursor_is() -> None:
    words = "".join(chr(ord("a") + n % 26) for n in range(60))
    field = Node(
        Role.ENTRY, "f", Rect(5, 10, 80, 30), shape=Shape.RECT, bg=(255, 255, 255),
        fg=(0, 0, 0), text=words, size=14, caret=0, anchor=0,
    )  # fmt: skip
    first = drawn(field, focus="f")
    last = drawn(replace(field, caret=60, anchor=60), focus="f")
    assert data(first) != data(last)
    bar = LOOK.theme.focus
    for surface in (first, last):
        columns = [x for x in range(5, 85) if tuple(surface.get_at((x, 25)))[:3] == bar]
        assert columns, "the cursor is seen"

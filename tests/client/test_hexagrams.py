"""The Hexagrams board, and what the hand does on it, without any display."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client import hexagrams as shown
from client.app.board import Step
from client.hexagrams.geometry import Place, neighbour, spots
from client.hexagrams.input import Local
from client.ui import tiles
from client.ui.intents import Click, Drop, Key, Text
from client.ui.scene import Mark, contrast, find, hit, walk
from client.ui.theme import THEMES, Look
from rules import hexagrams
from rules.hexagrams import BLACK, TRIANGLES, WHITE, Triad, triangle
from rules.hexagrams.board import HEXAGON_LINKS, forward
from tests.client.clicking import handle
from tests.client.hexagrams_hands import (
    ENTER,
    LOOK,
    after,
    example,
    h,
    marked,
    node,
    scene,
    seen_of,
    start,
    t,
)
from tests.client.worlds import NAMES

# The board


def test_the_board_has_ten_hexagons_and_thirty_two_triangles_full_of_stones() -> None:
    root = scene(start(), Local())
    names = [n.name for n in walk(root)]
    for kind, count in (("cell:h", 10), ("cell:t", 32), ("tile:h", 10), ("tile:t", 32)):
        assert sum(name.startswith(kind) for name in names) == count
    stones = [n for n in walk(root) if n.name.startswith("tile:")]
    kinds = Counter((n.name[5], n.value.split()[0]) for n in stones)
    assert kinds == {(kind, side): count for kind, count in (("h", 5), ("t", 16))
                     for side in ("white", "black")}  # fmt: skip


def test_triangles_touch_hexagons_along_sides_and_each_other_in_points() -> None:
    """The geometry of the game's page, checked against the rules' own links."""
    for number, (row, x) in TRIANGLES.items():
        own = set(rounded(("t", number)))
        for other in hexagrams.bits(forward(WHITE, 1 << number)):
            assert len(own & set(rounded(("t", other)))) == 1, (row, x)
    for a, b, between in HEXAGON_LINKS:
        assert len(set(rounded(("h", a))) & set(rounded(("h", b)))) == 1
        for each in hexagrams.bits(between):
            corners = set(rounded(("t", each)))
            shared = [len(corners & set(rounded(("h", n)))) for n in (a, b)]
            assert sorted(shared) == [1, 2] or shared == [2, 2]


def rounded(place: Place) -> list[tuple[float, float]]:
    return [(round(x, 6), round(y, 6)) for x, y in spots()[place].corners]


def test_no_two_cells_overlap() -> None:
    root = scene(start(None), Local())
    for cell in (n for n in walk(root) if n.name.startswith("cell:")):
        stone = find(root, cell.name.replace("cell", "tile"))
        assert stone is not None
        count = len(cell.points)
        middle = tuple(round(sum(p[i] for p in cell.points) / count) for i in (0, 1))
        found = hit(root, (middle[0], middle[1]))
        assert found is stone
        for x, y in cell.points:  # just inside each corner only this cell is hit
            inner = (x + round((middle[0] - x) / 12), y + round((middle[1] - y) / 12))
            found = hit(root, inner)
            assert found is not None
            assert found.name == cell.name


def test_odd_rows_point_up_as_the_document_draws_them() -> None:
    for number, (row, _x) in TRIANGLES.items():
        ys = [y for _, y in spots()["t", number].corners]
        tip_above = ys[0] < ys[1]
        assert tip_above == (row % 2 == 1)


@pytest.mark.parametrize(("seat", "below"), [(WHITE, WHITE), (BLACK, BLACK)])
def test_the_own_side_lies_below(seat: int, below: int) -> None:
    seen = start(seat)
    own = node(seen, Local(), f"tile:{t(1 if below == WHITE else 8, 3)}").rect
    other = node(seen, Local(), f"tile:{t(8 if below == WHITE else 1, 3)}").rect
    assert own.y > other.y


def test_a_bystander_sees_white_above() -> None:
    seen = start(None)
    first, last = (node(seen, Local(), f"tile:{t(n, 3)}").rect for n in (1, 8))
    assert first.y < last.y


@pytest.mark.parametrize("theme", THEMES)
def test_stones_stand_out_from_cells_and_from_each_other(theme: str) -> None:
    look = Look(THEMES[theme])
    root = scene(start(), Local(), look)
    grounds = {n.name: n.bg for n in walk(root) if n.name.startswith("cell:")}
    faces = set()
    for stone in (n for n in walk(root) if n.name.startswith("tile:")):
        cell = grounds[stone.name.replace("tile", "cell")]
        assert cell is not None
        assert stone.bg is not None
        assert stone.edge is not None
        best = max(contrast(stone.bg, cell), contrast(stone.edge, cell))
        assert best >= 3
        faces.add((stone.bg, stone.kids[0].mark))
    (one, sign), (two, other) = faces
    assert contrast(one, two) >= 7
    assert {sign, other} == {Mark.RING, Mark.DOT}


# Moving


def test_a_picked_stone_stays_picked_until_it_is_taken() -> None:
    seen, place = start(), ("t", triangle(4, 1))
    picked = after(seen, Click(f"tile:{t(4, 1)}"))
    assert picked.picked == place
    white, black = seen.view.triads
    taken = white ^ 1 << triangle(4, 1), black | 1 << triangle(4, 1)
    for triads, kept in ((seen.view.triads, place), (taken, Local().picked)):
        later = seen_of(replace(seen.view, triads=triads), WHITE)
        assert shown.renew(later, picked).picked == kept


def test_a_stone_is_dragged_clicked_or_keyed_to_its_target_alike() -> None:
    seen = start()
    wanted = Triad(triangle(4, 1), triangle(5, 1))
    _, dragged = handle(
        shown, seen, Local(), Drop(f"tile:{t(4, 1)}", f"tile:{t(5, 1)}")
    )
    picked = after(seen, Click(f"tile:{t(4, 1)}"))
    _, clicked = handle(shown, seen, picked, Click(f"tile:{t(5, 1)}"))
    by_key = after(seen, Key("up"))
    by_key = replace(by_key, at=("t", triangle(4, 1)))
    by_key = after(seen, ENTER, local=by_key)
    by_key = replace(by_key, at=("t", triangle(5, 1)))
    _, keyed = handle(shown, seen, by_key, ENTER)
    assert dragged == clicked == keyed == wanted


def test_the_document_s_example_is_played_with_the_mouse_alone() -> None:
    """Source document, An example: Black wins by blocking the last white hexad."""
    state = example()
    plies = [
        (t(8, 1), t(7, 0)), (t(4, 1), t(5, 1)), (t(7, 2), t(6, 2)),
        (t(5, 1), t(6, 2)), (t(7, 0), t(6, 0)), (h(1, 0), h(1, 2)),
        (t(6, 0), t(5, 1)),
    ]  # fmt: skip
    past: list[Step[Any, Any]] = []
    for origin, target in plies:
        seen = seen_of(state, state.turn, tuple(past))
        local = after(seen, Click(f"tile:{origin}"))
        assert target in marked(seen, local)
        onto = "tile" if find(scene(seen, local), f"tile:{target}") else "cell"
        _, move = handle(shown, seen, local, Click(f"{onto}:{target}"))
        assert move is not None
        past.append(Step(state, state.turn, move))
        state = hexagrams.play(state, state.turn, move)
    tiles.call(tiles.PAGE)
    told = [shown.tell(step, NAMES).partition(": ")[2] for step in past]
    assert told == [
        "T(8,1)-T(7,0)", "T(4,1)-T(5,1)", "T(7,2)-T(6,2)", "T(5,1)xT(6,2)",
        "T(7,0)-T(6,0)", "H(1,0)-H(1,2)", "T(6,0)-T(5,1)",
    ]  # fmt: skip
    final = seen_of(state, WHITE, tuple(past))
    assert (state.winner, state.ending) == (BLACK, "blocked")
    lost = node(final, Local(), "captured:1")
    assert lost.value == "3 hexads, 13 triads"
    black = node(final, Local(), "captured:1").kids[1:]
    stones = [n for n in walk(scene(final, Local())) if n.value.startswith("black")]
    assert len(black) == 16
    assert {n.bg for n in black} == {n.bg for n in stones if n.drag or n.drop}


def test_keys_alone_play_the_first_move() -> None:
    """By steps of the cursor only: from the stone it starts on to one in front."""
    seen = start()
    local = after(seen, Key("up"))
    assert local.at[0] == "t"
    local = after(seen, Text(" "), local=local)
    target = next(iter(marked(seen, local)))
    path = way(local.at, (target[0], int(target[1:])), WHITE)
    local = after(seen, *map(Key, path), local=local)
    _, move = handle(shown, seen, local, ENTER)
    assert move in list(hexagrams.moves(seen.view, WHITE))


def way(start_: Place, goal: Place, below: int) -> list[str]:
    """Return keys that bring the cursor from one cell to another."""
    known: dict[Place, list[str]] = {start_: []}
    fresh = [start_]
    while fresh:
        place = fresh.pop(0)
        for key in ("up", "down", "left", "right", "q", "e", "a", "d"):
            to = neighbour(place, key, below)
            if to not in known:
                known[to] = [*known[place], key]
                fresh.append(to)
    return known[goal]


@pytest.mark.parametrize("below", [WHITE, BLACK])
@pytest.mark.parametrize("keys", [("up", "down", "left", "right"), tuple("qweasd")])
def test_the_cursor_reaches_every_cell(below: int, keys: tuple[str, ...]) -> None:
    first: Place = ("h", 0)
    known, fresh = {first}, [first]
    while fresh:
        place = fresh.pop()
        for key in keys:
            to = neighbour(place, key, below)
            if to not in known:
                known.add(to)
                fresh.append(to)
    assert known == set(spots())


@given(st.integers(0, 99))
@settings(max_examples=5)
def test_what_must_be_done_is_marked_for_whoever_is_to_do_it_alone(seed: int) -> None:
    state, dice = hexagrams.start(2, hexagrams.Options()), Random(seed)
    while actors := hexagrams.actors(state):
        [mover] = actors
        if hexagrams.forced(state):
            for seat in (WHITE, BLACK, None):
                nodes = walk(scene(seen_of(state, seat), Local()))
                marks = [n.name for n in nodes if n.edge == LOOK.theme.bad]
                assert bool(marks) is (seat == mover)
        move = dice.choice(list(hexagrams.moves(state, mover)))
        state = hexagrams.play(state, mover, move)

"""What the hand does on the Hexagrams board, without any display."""

from itertools import pairwise
from math import hypot
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client import hexagrams as shown
from client.board import Seen, Step
from client.hexagrams.acting import NOWHERE, Local, name_of
from client.hexagrams.geometry import (
    COMPASS,
    Field,
    Place,
    neighbour,
    spots,
)
from client.intents import Button, Click, Drop, Hover, Key, Lift, Text
from client.pages.play import SIDE
from client.scene import Mark, Node, Rect, Shape, contrast, find, hit, walk
from client.theme import THEMES, Look
from rules import hexagrams
from rules.hexagrams import (
    BLACK,
    HEXAGONS,
    OVER,
    TRIANGLES,
    WHITE,
    Hexad,
    Options,
    Resign,
    State,
    Triad,
    hexagon,
    triangle,
)
from rules.hexagrams.board import HEXAGON_LINKS, forward
from tests.client.worlds import NAMES

AREA = Rect(0, 0, 900, 740)
LOOK = Look()
ENTER, ESCAPE = Key("enter"), Key("escape")


def seen_of(
    state: State, seat: int | None = None, past: tuple[Any, ...] = ()
) -> Seen[Any, Any]:
    return Seen(state, seat, NAMES[:2], past)


def start(seat: int | None = WHITE) -> Seen[Any, Any]:
    return seen_of(hexagrams.start(2, Options()), seat)


def position(
    turn: int, hexads: tuple[str, str], triads: tuple[str, str], **changes: Any
) -> State:
    """Return a position; cells are written as "3,0 4,1", White's first."""

    def numbered(text: str, number: Any) -> int:
        pairs = (map(int, each.split(",")) for each in text.split())
        return sum(1 << number(*pair) for pair in pairs)

    return State(
        turn=turn,
        hexads=(numbered(hexads[0], hexagon), numbered(hexads[1], hexagon)),
        triads=(numbered(triads[0], triangle), numbered(triads[1], triangle)),
        **changes,
    )


def example() -> State:
    """Return the source document's second picture, Black to move."""
    return position(BLACK, ("1,0", "1,6 2,3"), ("3,0 3,2 4,1", "5,-1 5,3 7,2 8,1"))


def t(row: int, x: int) -> str:
    return f"t{triangle(row, x)}"


def h(row: int, x: int) -> str:
    return f"h{hexagon(row, x)}"


def after(seen: Seen[Any, Any], *intents: Any, local: Local | None = None) -> Local:
    state = shown.begin(seen) if local is None else local
    for intent in intents:
        state, _move = shown.handle(seen, state, intent)
    return state


def scene(seen: Seen[Any, Any], local: Local, look: Look = LOOK) -> Node:
    return shown.scene(seen, local, AREA, look)


def node(seen: Seen[Any, Any], local: Local, name: str) -> Node:
    found = find(scene(seen, local), name)
    assert found is not None, name
    return found


def marked(seen: Seen[Any, Any], local: Local) -> set[str]:
    """Return the cells marked as targets."""
    names = (n.name for n in walk(scene(seen, local)))
    return {n.removeprefix("target:") for n in names if n.startswith("target:")}


# The board


def test_the_board_has_ten_hexagons_and_thirty_two_triangles_full_of_stones() -> None:
    root = scene(start(), Local())
    names = [n.name for n in walk(root)]
    for kind, count in (("cell:h", 10), ("cell:t", 32), ("tile:h", 10), ("tile:t", 32)):
        assert sum(name.startswith(kind) for name in names) == count
    values = [n.value for n in walk(root) if n.name.startswith("tile:")]
    assert sum("white hexad" in value for value in values) == 5
    assert sum("black triad" in value for value in values) == 16


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


def test_a_stone_is_dragged_clicked_or_keyed_to_its_target_alike() -> None:
    seen = start()
    wanted = Triad(triangle(4, 1), triangle(5, 1))
    _, dragged = shown.handle(seen, Local(), Drop(f"tile:{t(4, 1)}", f"tile:{t(5, 1)}"))
    picked = after(seen, Click(f"tile:{t(4, 1)}"))
    _, clicked = shown.handle(seen, picked, Click(f"tile:{t(5, 1)}"))
    by_key = after(seen, Key("up"))
    by_key = replace(by_key, at=("t", triangle(4, 1)))
    by_key = after(seen, ENTER, local=by_key)
    by_key = replace(by_key, at=("t", triangle(5, 1)))
    _, keyed = shown.handle(seen, by_key, ENTER)
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
        _, move = shown.handle(seen, local, Click(f"{onto}:{target}"))
        assert move is not None
        past.append(Step(state, state.turn, move))
        state = hexagrams.play(state, state.turn, move)
    told = [shown.tell(step, NAMES).partition(": ")[2] for step in past]
    assert told == [
        "T(8,1)-T(7,0)", "T(4,1)-T(5,1)", "T(7,2)-T(6,2)", "T(5,1)xT(6,2)",
        "T(7,0)-T(6,0)", "H(1,0)-H(1,2)", "T(6,0)-T(5,1)",
    ]  # fmt: skip
    final = seen_of(state, WHITE, tuple(past))
    assert shown.status(final, Local()) == (
        "Bert (Black) wins: the hexads of White are blocked."
    )
    lost = node(final, Local(), "captured:1")
    assert lost.value == "3 hexads, 13 triads"


def test_keys_alone_play_the_first_move() -> None:
    """By steps of the cursor only: from the stone it starts on to one in front."""
    seen = start()
    local = after(seen, Key("up"))
    assert local.at[0] == "t"
    local = after(seen, Text(" "), local=local)
    target = next(iter(marked(seen, local)))
    path = way(local.at, (target[0], int(target[1:])), WHITE)
    local = after(seen, *map(Key, path), local=local)
    _, move = shown.handle(seen, local, ENTER)
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


def test_a_key_moves_the_cursor_where_it_points() -> None:
    field = Field(0.0, 0.0, 1.0, BLACK)
    for place in spots():
        for key, (ux, uy) in COMPASS.items():
            to = neighbour(place, key, BLACK)
            (ax, ay), (bx, by) = field.middle(place), field.middle(to)
            dx, dy = bx - ax, by - ay
            assert to == place or dx * ux + dy * uy >= 0.7 * hypot(dx, dy) - 1e-6


# Marks and words


def test_triads_that_must_capture_and_their_prey_are_marked() -> None:
    seen = start()
    root = scene(seen, Local())
    forced = {n.name for n in walk(root) if n.value.endswith("must capture")}
    assert forced == {f"tile:{t(4, x)}" for x in (-1, 1, 3, 5, 7)}
    for name in forced:
        assert node(seen, Local(), name).edge == LOOK.theme.bad
    assert node(seen, Local(), f"cell:{t(5, 1)}").edge == LOOK.theme.bad
    assert "must capture" in shown.status(seen, Local())
    other = start(BLACK)
    assert node(other, Local(), f"tile:{t(4, 1)}").edge != LOOK.theme.bad


@pytest.mark.parametrize(("origin", "words"), [
    (t(3, 0), "A triad can capture, so one must."),
    (h(0, 1), "A triad can capture, so one must."),
])  # fmt: skip
def test_picking_another_stone_says_that_a_triad_must_capture(
    origin: str, words: str
) -> None:
    seen = start()
    local = after(seen, Click(f"tile:{origin}"))
    assert shown.status(seen, local) == words
    assert marked(seen, local) == set()


@pytest.mark.parametrize(("origin", "target", "words"), [
    (t(8, 1), t(6, 0), "touching triangle forward"),
    (t(8, 1), h(2, 1), "Triads stay on triangles"),
    (h(1, 6), t(7, 0), "Hexads stay on hexagons"),
    (h(1, 6), h(0, 1), "neighbouring hexagon"),
])  # fmt: skip
def test_an_illegal_move_is_refused_in_words(
    origin: str, target: str, words: str
) -> None:
    seen = seen_of(example(), BLACK)
    local, move = shown.handle(seen, Local(), Drop(f"tile:{origin}", f"cell:{target}"))
    assert move is None
    assert words in shown.status(seen, local)


def test_a_blocked_hexad_says_what_stands_in_its_way() -> None:
    around = "4,1 5,1"
    state = position(WHITE, ("1,0", "1,6"), (around, "8,3"))
    seen = seen_of(state, WHITE)
    assert all(isinstance(m, Triad) for m in hexagrams.moves(state, WHITE))
    local = after(seen, Click(f"tile:{h(1, 0)}"))
    assert shown.status(seen, local) == "Triads stand in this hexad's way."


def test_a_triad_on_the_last_row_says_that_it_cannot_go_on() -> None:
    state = position(WHITE, ("0,1", "1,6"), ("8,1", "5,3"))
    seen = seen_of(state, WHITE)
    local = after(seen, Click(f"tile:{t(8, 1)}"))
    assert shown.status(seen, local) == "This triad cannot go forward."


def test_targets_are_exactly_the_rules_moves_for_every_stone() -> None:
    state = example()
    for turn in (WHITE, BLACK):
        seen = seen_of(replace(state, turn=turn), turn)
        legal = list(hexagrams.moves(seen.view, turn))
        assert legal
        for place in spots():
            local = Local(picked=place)
            kind = Triad if place[0] == "t" else Hexad
            wanted = {
                f"{place[0]}{m.target}"
                for m in legal
                if isinstance(m, kind) and m.origin == place[1]
            }
            assert marked(seen, local) == wanted


def test_targets_of_the_stone_under_the_pointer_are_shown() -> None:
    seen = seen_of(example(), BLACK)
    local = after(seen, Hover(f"tile:{t(8, 1)}"))
    assert marked(seen, local) == {t(7, 0)}
    assert marked(seen, after(seen, Hover(""), local=local)) == set()


def test_targets_are_shown_while_a_stone_is_dragged_and_no_longer() -> None:
    seen = seen_of(example(), BLACK)
    local = after(seen, Lift(f"tile:{t(8, 1)}"))
    assert marked(seen, local) == {t(7, 0)}
    assert marked(seen, after(seen, Drop(f"tile:{t(8, 1)}", ""), local=local)) == set()


def test_stones_of_the_other_side_and_other_turns_are_refused_in_words() -> None:
    seen = start()
    local = after(seen, Click(f"tile:{t(5, 1)}"))
    assert shown.status(seen, local) == "That stone is not yours"
    waiting = start(BLACK)
    local = after(waiting, Drop(f"tile:{t(5, 1)}", f"tile:{t(4, 1)}"))
    assert shown.status(waiting, local) == "It is not your turn."
    late = replace(start(), live=False)
    local, move = shown.handle(
        late, Local(), Drop(f"tile:{t(4, 1)}", f"tile:{t(5, 1)}")
    )
    assert move is None
    assert "not ready" in shown.status(late, local)


@pytest.mark.parametrize(
    "intent", [ESCAPE, Click("", Button.RIGHT), Drop("tile:t16", "")]
)
def test_a_picked_stone_can_be_let_go(intent: Any) -> None:
    seen = start()
    local = after(seen, Click(f"tile:{t(4, 1)}"))
    assert local.picked != NOWHERE
    assert after(seen, intent, local=local).picked == NOWHERE


def test_the_last_move_is_highlighted_from_and_to() -> None:
    state = hexagrams.start(2, Options())
    move = Triad(triangle(4, 1), triangle(5, 1))
    step = Step(state, WHITE, move)
    seen = seen_of(hexagrams.play(state, WHITE, move), BLACK, (step,))
    plain = node(start(), Local(), f"cell:{t(4, 3)}").bg
    for name in (t(4, 1), t(5, 1)):
        assert node(seen, Local(), f"cell:{name}").bg != plain
    assert "Anna: T(4,1)xT(5,1)" in shown.status(seen, Local())
    assert node(seen, Local(), "captured:1").value == "0 hexads, 1 triads"
    anna, bert = shown.sheets(seen)
    assert anna.lines == (("took 1 △", ""),)
    assert bert.lines == ()


def test_what_was_captured_fits_beside_its_word_in_the_narrowest_panel() -> None:
    """Half of the side column at 800x500, with the most that can be taken."""
    room = (SIDE[0] - LOOK.gap) // 2 - 2 * LOOK.px(10)
    state = replace(hexagrams.start(2, Options()), hexads=(0, 0), triads=(0, 0))
    ((left, right),) = shown.sheets(seen_of(state, WHITE))[0].lines
    assert (left, right) == ("took 5 ⬡ 16 △", "")
    assert LOOK.width(left, LOOK.small) + LOOK.px(8) <= room


def test_the_cursor_and_the_last_move_are_marked_by_different_shapes() -> None:
    """Strokes in the corners are the cursor's; the last move colours whole cells."""
    state = hexagrams.start(2, Options())
    move = Triad(triangle(4, 1), triangle(5, 1))
    step = Step(state, WHITE, move)
    seen = seen_of(hexagrams.play(state, WHITE, move), BLACK, (step,))
    at = ("t", triangle(5, 1))
    sign = node(seen, Local(at=at), "cursor")
    cell = node(seen, Local(at=at), f"cell:{t(5, 1)}")
    assert {kid.shape for kid in sign.kids} == {Shape.LINE}
    assert cell == node(seen, Local(), f"cell:{t(5, 1)}")
    assert cell.bg != node(start(), Local(), f"cell:{t(5, 1)}").bg


def test_every_cell_is_called_as_in_the_notation() -> None:
    seen = start()
    for number, (row, x) in TRIANGLES.items():
        assert node(seen, Local(), f"cell:t{number}").value.startswith(f"T({row},{x})")
    for number, (row, x) in enumerate(HEXAGONS):
        assert name_of(("h", number)) == f"H({row},{x})"


@pytest.mark.parametrize(("ending", "winner", "words"), [
    ("hexads", 0, "Anna (White) wins: all hexads of Black are captured."),
    ("stuck", 1, "Bert (Black) wins: White has no legal move."),
    ("count", 1, "Bert (Black) wins with more triads left."),
    ("count", -1, "A draw: both sides have as many triads left."),
    ("resigned", 0, "Anna (White) wins: Black resigned."),
])  # fmt: skip
def test_every_ending_is_explained(ending: Any, winner: int, words: str) -> None:
    state = replace(example(), turn=OVER, winner=winner, ending=ending)
    assert shown.status(seen_of(state, WHITE), Local()) == words


def test_the_third_criterion_is_announced_before_it_counts() -> None:
    seen = seen_of(replace(example(), quiet=50), BLACK)
    text = shown.status(seen, Local())
    assert "10 more moves without" in text
    assert "(3 to 4)" in text
    assert "more moves" not in shown.status(seen_of(example(), BLACK), Local())


def test_a_resignation_is_told_and_does_not_end_the_highlight() -> None:
    state = hexagrams.start(2, Options())
    step: Step[Any, Any] = Step(state, WHITE, Resign())
    final = hexagrams.play(state, WHITE, Resign())
    seen = seen_of(final, BLACK, (step,))
    assert shown.tell(step, NAMES) == "Anna resigns."
    assert [sheet.out for sheet in shown.sheets(seen)] == [True, False]
    scene(seen, Local())


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_whatever_is_clicked_moves_are_legal_and_scenes_stand(
    data: st.DataObject,
) -> None:
    state = hexagrams.start(2, Options())
    local = Local()
    names = [f"{head}:{p[0]}{p[1]}" for head in ("tile", "cell") for p in spots()]
    for _ in range(12):
        if state.turn == OVER:
            return
        seen = seen_of(state, state.turn)
        forced = list(hexagrams.moves(state, state.turn))
        sure = data.draw(st.sampled_from(forced))
        sort = "t" if isinstance(sure, Triad) else "h"
        intents = [
            Click(data.draw(st.sampled_from(names))),
            Click(f"tile:{sort}{sure.origin}"),
            Click(f"cell:{sort}{sure.target}"),
        ]
        for intent in intents:
            local, move = shown.handle(seen, local, intent)
            assert shown.status(seen, local)
            if move is not None:
                state = hexagrams.play(state, state.turn, move)
                local = shown.renew(seen_of(state, state.turn), local)
                break
        scene(seen_of(state, WHITE), local)


def test_rows_of_cells_do_not_leave_the_area() -> None:
    root = scene(start(), Local())
    for n in walk(root):
        assert AREA.holds(n.rect), n
    xs = sorted({x for _r, x in HEXAGONS})
    assert all(b - a == 1 for a, b in pairwise(xs))

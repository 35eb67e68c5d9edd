"""What the hand does on the Numlo board, without any display."""

import random
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client import numlo as shown
from client.app.board import Seen, Step
from client.numlo.input import Local
from client.numlo.view import MARKS, colour
from client.ui.intents import Button, Click, Hover, Key, Text
from client.ui.scene import Node, Rect, Shape, contrast, find, walk
from client.ui.texts import LANGUAGES, speak
from client.ui.theme import THEMES, Look
from rules import numlo
from rules.numlo import OVER, Options, Place, Resign
from rules.numlo.state import pack
from tests.client.clicking import handle
from tests.client.worlds import NAMES

AREA = Rect(0, 0, 900, 740)
LOOK = Look()
OTHELLO = Options(size=8, start="othello", values=False)


@lru_cache
def wandered(seats: int = 3, moves: int = 20, seed: int = 3) -> tuple[Any, Any]:
    """Return a match after moves by chance, at a turn of seat 0, and its steps."""
    rng, past = random.Random(seed), []
    state = numlo.start(seats, Options())
    while numlo.actors(state) and (moves > 0 or state.turn != 0):
        actor = state.turn
        move = rng.choice(list(numlo.moves(state, actor)))
        past.append(Step(state, actor, move))
        state = numlo.play(state, actor, move)
        moves -= actor >= 0
    return state, tuple(past)


def middle(seat: int | None = 0, seats: int = 3) -> Seen[Any, Any]:
    state, past = wandered(seats)
    return Seen(state, seat, NAMES[:seats], past)


def othello() -> Seen[Any, Any]:
    state = numlo.start(2, OTHELLO)
    while state.turn < 0:
        state = numlo.play(
            state, state.turn, next(iter(numlo.moves(state, state.turn)))
        )
    return Seen(state, state.turn, NAMES[:2])


def rows_of(*rows: str, turn: int = 0) -> Any:
    """Return an 8x8 position from rows of B, R, G and dots, top left corner first."""
    options = Options(size=8, values=False)
    held: list[int] = [0, 0, 0]
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter in "BRG":
                held["BRG".index(letter)] |= 1 << (y * 8 + x)
    base = replace(numlo.start(3, options), turn=turn, tiles=pack(8, held))
    open_ = 0
    for square in range(64):
        taken = any(board >> square & 1 for board in held)
        if not taken and numlo.flips(base, turn, square):
            open_ |= 1 << square
    return replace(base, open=pack(8, [open_])[0])


def after(seen: Seen[Any, Any], *intents: Any, local: Local | None = None) -> Local:
    state = shown.begin(seen) if local is None else local
    for intent in intents:
        state, _move = handle(shown, seen, state, intent)
    return state


def scene(seen: Seen[Any, Any], local: Local, look: Look = LOOK) -> Node:
    return shown.scene(seen, local, AREA, look)


def node(seen: Seen[Any, Any], local: Local, name: str) -> Node:
    found = find(scene(seen, local), name)
    assert found is not None, name
    return found


def selected(seen: Seen[Any, Any], local: Local) -> set[int]:
    return {
        int(n.name[5:])
        for n in walk(scene(seen, local))
        if n.name.startswith("cell:") and n.selected
    }


def legal(seen: Seen[Any, Any]) -> list[int]:
    moves = numlo.moves(seen.view, seen.view.turn)
    return [m.square for m in moves if isinstance(m, Place)]


# The board


def test_every_square_shows_its_owner_and_its_value() -> None:
    seen = middle()
    owners = numlo.owners(seen.view)
    for square, (owner, value) in enumerate(zip(owners, seen.view.values, strict=True)):
        cell = node(seen, Local(), f"cell:{square}")
        name = "" if owner is None else ("blue", "red", "green")[owner]
        assert cell.value == " ".join(filter(None, (name, str(value or ""))))
        signs = {kid.mark for kid in cell.kids} & set(MARKS)
        assert signs == (set() if owner is None else {MARKS[owner]})
        if value:
            assert str(value) in {kid.text for kid in cell.kids}


@pytest.mark.parametrize("theme", THEMES)
def test_tiles_stand_out_and_have_signs_of_their_own(theme: str) -> None:
    look = Look(THEMES[theme])
    assert len({colour(seat, look) for seat in range(4)}) == 4
    assert len(set(MARKS)) == 4
    seen = middle(seats=4)
    for cell in walk(scene(seen, Local(), look)):
        for kid in cell.kids:
            if kid.mark in MARKS and kid.bg is not None:
                assert kid.fg is not None
                assert contrast(kid.bg, kid.fg) >= 3


def test_rows_and_columns_are_named_as_the_move_list_names_them() -> None:
    seen = middle()
    step = next(s for s in reversed(seen.past) if isinstance(s.move, Place))
    told = shown.tell(step, NAMES).split()
    assert told[0] == NAMES[step.actor]
    column, row = told[1][0], told[1][1:]
    root = scene(seen, Local())
    cell = node(seen, Local(), f"cell:{step.move.square}").rect
    below = next(n.rect for n in walk(root) if n.text == column)
    beside = min((n.rect for n in walk(root) if n.text == row), key=lambda r: r.x)
    assert below.x == cell.x
    assert beside.y == cell.y
    assert told[2] == f"+{numlo.gain(step.before, step.actor, step.move.square)}"


def test_the_last_tile_laid_is_highlighted() -> None:
    seen = middle()
    step = next(s for s in reversed(seen.past) if isinstance(s.move, Place))
    lit = {n.name for n in walk(scene(seen, Local())) if n.edge == LOOK.theme.latest}
    assert lit == {f"cell:{step.move.square}"}


def test_the_cursor_and_the_last_tile_are_marked_by_different_shapes() -> None:
    seen = middle()
    step = next(s for s in reversed(seen.past) if isinstance(s.move, Place))
    local = Local(at=step.move.square, typed=True)
    assert {kid.shape for kid in node(seen, local, "cursor").kids} == {Shape.LINE}
    square = node(seen, local, f"cell:{step.move.square}")
    assert (square.shape, square.edge) == (Shape.ROUND, LOOK.theme.latest)


def test_no_button_stands_below_a_board_that_is_finished() -> None:
    seen = middle()
    over = replace(seen, view=replace(seen.view, turn=OVER))
    assert find(scene(seen, Local()), "show")
    assert find(scene(seen, Local()), "hint")
    assert not {n.name for n in walk(scene(over, Local()))} & {"show", "hint"}


# Laying


def test_a_click_on_an_open_square_lays_there() -> None:
    seen = middle()
    square = legal(seen)[0]
    _, move = handle(shown, seen, Local(), Click(f"cell:{square}"))
    assert move == Place(square)


def test_arrow_keys_and_enter_lay_too() -> None:
    seen = othello()
    start = after(seen, Key("up"))
    assert node(seen, start, "cursor")
    square = legal(seen)[0]
    row, column = divmod(start.at, 8)
    to_row, to_column = divmod(square, 8)
    keys = [Key("down" if to_row > row else "up")] * abs(to_row - row)
    keys += [Key("right" if to_column > column else "left")] * abs(to_column - column)
    local = after(seen, *keys, local=start)
    assert local.at == square
    for intent in (Key("enter"), Text(" ")):
        assert handle(shown, seen, local, intent)[1] == Place(square)


@given(st.lists(st.sampled_from(["left", "right", "up", "down"]), max_size=60))
def test_the_cursor_stays_on_the_board(keys: list[str]) -> None:
    local = after(othello(), *map(Key, ["up", *keys]))
    assert 0 <= local.at < 64


def test_a_square_that_flips_nothing_is_refused_in_words() -> None:
    seen = othello()
    local, move = handle(shown, seen, Local(), Click("cell:0"))
    assert move is None
    refused = shown.status(seen, local)
    local, move = handle(shown, seen, Local(), Click("cell:27"))
    assert move is None
    assert len({refused, shown.status(seen, local), shown.status(seen, Local())}) == 3
    moved = after(seen, Hover(f"cell:{legal(seen)[0]}"), local=local)
    assert shown.status(seen, moved) not in {refused, shown.status(seen, local)}


def test_the_right_button_lays_nothing() -> None:
    seen = middle()
    intent = Click(f"cell:{legal(seen)[0]}", Button.RIGHT)
    assert handle(shown, seen, Local(), intent)[1] is None


# What would flip


def flipping(seen: Seen[Any, Any], local: Local) -> set[int]:
    return {
        int(n.name[5:])
        for n in walk(scene(seen, local))
        if any(kid.value == "flips" for kid in n.kids)
    }


@pytest.mark.parametrize(("rows", "square", "flips"), [
    (("BRRRRR..",), 6, {1, 2, 3, 4, 5}),
    (("BRGRRRR.",), 7, set()),
    ((".RRRBRRB",), 0, {1, 2, 3}),
    ((".GBRRB", "RRGRRG", "BRBGRR"), 0, {1, 8 * 1 + 1, 8 * 1}),
])  # fmt: skip
def test_the_document_s_examples_are_shown_before_the_tile_lies(
    rows: tuple[str, ...], square: int, flips: set[int]
) -> None:
    seen = Seen(rows_of(*rows), 0, NAMES[:3])
    local = after(seen, Hover(f"cell:{square}"))
    assert flipping(seen, local) == flips
    preview = find(scene(seen, local), "preview")
    if flips:
        assert preview is not None
        assert preview.text == f"+{len(flips) + 1}"
        assert f" {len(flips)} " in shown.status(seen, local)
    else:
        assert preview is None


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 143))
def test_the_preview_is_what_laying_there_does(square: int) -> None:
    seen = middle()
    local = after(seen, Hover(f"cell:{square}"))
    if square not in legal(seen):
        assert find(scene(seen, local), "preview") is None
        assert flipping(seen, local) == set()
        return
    before, later = numlo.owners(seen.view), numlo.play(seen.view, 0, Place(square))
    owners = numlo.owners(later)
    changed = {
        n for n in range(144) if before[n] is not None and before[n] != owners[n]
    }
    assert flipping(seen, local) == changed
    gain = numlo.scores(later)[0] - numlo.scores(seen.view)[0]
    assert node(seen, local, "preview").text == f"+{gain}"


def test_nothing_is_previewed_on_another_seat_s_turn() -> None:
    seen = middle(seat=1)
    local = after(seen, Hover(f"cell:{legal(seen)[0]}"))
    assert find(scene(seen, local), "preview") is None
    assert flipping(seen, local) == set()


# SHOW and HINT


@pytest.mark.parametrize("intent", [Click("show"), Text("s"), Text("S")])
def test_show_marks_every_open_square_and_hides_them_again(intent: Any) -> None:
    seen = middle()
    local = after(seen, intent)
    assert selected(seen, local) == set(legal(seen))
    assert selected(seen, after(seen, intent, local=local)) == set()


def test_alone_against_computers_open_squares_are_marked_at_once() -> None:
    seen = middle()
    others = frozenset(range(1, len(seen.names)))
    alone = replace(seen, computers=others)
    local = shown.begin(alone)
    assert selected(alone, local) == set(legal(alone))
    assert selected(alone, after(alone, Text("s"), local=local)) == set()
    for computers in (frozenset[int](), others - {1}):
        with_friends = replace(seen, computers=computers)
        assert selected(with_friends, shown.begin(with_friends)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_buttons_stay_where_they_are_as_squares_are_marked(language: str) -> None:
    speak(language)
    seen = middle()
    names = ("show", "hint", "game.sound", "game.new", "game.quit")
    one, other = (
        [node(seen, local, name).rect for name in names]
        for local in (Local(), Local(show=True))
    )
    assert one == other


@pytest.mark.parametrize("intent", [Click("hint"), Text("h"), Text("H")])
def test_hint_stars_the_square_that_wins_most_points_now(intent: Any) -> None:
    seen = middle()
    local = after(seen, intent)
    root = scene(seen, local)
    starred = [n for n in walk(root) if any(k.name == "hinted" for k in n.kids)]
    (cell,) = starred
    gains = {n: numlo.gain(seen.view, 0, n) for n in legal(seen)}
    assert gains[int(cell.name[5:])] == max(gains.values())
    assert handle(shown, seen, local, Key("enter"))[1] == Place(int(cell.name[5:]))


def test_there_is_no_hint_for_others_and_it_goes_with_the_turn() -> None:
    assert after(middle(seat=1), Text("h")).hint == -1
    assert not node(middle(seat=1), Local(), "hint").enabled
    seen = middle()
    assert shown.renew(seen, after(seen, Text("h"))).hint == -1


# Words


def test_scores_and_squares_stand_at_each_seat() -> None:
    seen = middle()
    scores, owners = numlo.scores(seen.view), numlo.owners(seen.view)
    for seat, sheet in enumerate(shown.sheets(seen)):
        assert sheet.score == str(scores[seat])
        assert str(owners.count(seat)) in sheet.note
        assert ("Blue", "Red", "Green")[seat] in sheet.note


def test_the_end_names_the_winner_or_the_tie() -> None:
    seen = middle()
    over = replace(seen, view=replace(seen.view, turn=OVER))
    text = shown.status(over, Local())
    scores = numlo.scores(seen.view)
    assert str(max(scores)) in text
    best = [NAMES[i] for i, s in enumerate(scores) if s == max(scores)]
    assert all(name in text for name in best)
    gone = Step(seen.view, 1, Resign())
    assert "Bert" in shown.tell(gone, NAMES)


def test_moves_of_chance_are_not_listed() -> None:
    seen = middle()
    lines = [shown.tell(step, NAMES) for step in seen.past if step.actor < 0]
    assert lines
    assert not any(lines)


@pytest.mark.parametrize("size", [8, 12, 20])
@pytest.mark.parametrize("area", [(514, 390), (900, 740), (700, 1100)])
def test_boards_of_any_size_fit_with_their_buttons(
    size: int, area: tuple[int, int]
) -> None:
    state = numlo.start(3, Options(size=size, values=False))
    room = Rect(7, 9, *area)
    root = shown.scene(Seen(state, 0, NAMES[:3]), Local(at=0, typed=True), room, LOOK)
    nodes = list(walk(root))
    assert all(room.holds(n.rect) for n in nodes)
    cells = [n.rect for n in nodes if n.name.startswith("cell:")]
    assert len(cells) == size * size
    assert not any(a.meets(b) for a in cells[: size + 2] for b in cells if a is not b)
    assert not any(n.rect.meets(c) for n in nodes for c in cells if n.name == "show")


def skipped() -> tuple[Any, Any]:
    """Return a match right after somebody had no move, and its steps."""
    for seed in range(60):
        rng, past = random.Random(seed), []
        state = numlo.start(3, Options(size=8, values=False))
        while numlo.actors(state):
            move = rng.choice(list(numlo.moves(state, state.turn)))
            past.append(Step(state, state.turn, move))
            state = numlo.play(state, state.turn, move)
            if state.passed and state.turn != OVER:
                return state, tuple(past)
    raise AssertionError("nobody was ever skipped")


def test_who_is_skipped_is_said_until_that_player_moves_and_listed() -> None:
    state, past = skipped()
    lost = state.passed[0]
    move = next(iter(numlo.moves(state, state.turn)))
    later = numlo.play(state, state.turn, move)
    steps = (*past, Step(state, state.turn, move))
    seen = Seen(later, lost, NAMES[:3], steps)
    assert NAMES[lost] in shown.status(seen, Local())
    assert NAMES[lost] in shown.tell(steps[-1], NAMES)

    # Where a move is told without names, two who were skipped leave no trace.
    nameless = ("",) * 3
    others = tuple(seat for seat in range(3) if seat != state.turn)
    before, after = (replace(state, passed=seats) for seats in ((), others))
    told = [shown.tell(Step(at, state.turn, move), nameless) for at in (before, after)]
    assert told[0] == told[1]

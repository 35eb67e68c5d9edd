"""Lhexicon played with the keyboard alone: cursor, arrow, typed letters."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.lhexicon.keyboard import COMPASS
from client.lhexicon.local import Phase, phase
from client.ui.intents import Click, Key, Text
from client.ui.layout import Hexes
from rules import hexes
from rules.lhexicon import Lay
from tests.client.games import RIGHT, cell, drops, marks
from tests.client.lhexicon_hands import (
    AREA,
    BACK,
    DELETE,
    ENTER,
    ESCAPE,
    after,
    coded,
    keys_for,
    leveled,
    move_of,
    node,
    said,
    tile,
)
from tests.rules.lhexicon import worked

# The keyboard alone


def test_the_document_s_match_can_be_played_with_keys_alone() -> None:
    seen = coded()
    steer = [Key("up"), Text("q"), Text("q"), Text(" ")]
    local = after(seen, *steer)
    assert local.cursor == cell(-2, 0)
    local = after(seen, *keys_for(worked.CODED), local=local)
    assert [each.cell for each in local.laid] == list(worked.path(worked.CODED))
    local = after(seen, ENTER, local=local)
    assert node(seen, local, "word").value == "CODED"
    move = move_of(seen, local, ENTER)
    assert isinstance(move, Lay)
    assert move.path == worked.path(worked.CODED)


def test_a_tile_reached_by_tab_is_picked_steered_and_put_down_by_keys() -> None:
    seen = coded()
    name = tile(seen, "X")
    local = after(seen, Click(name), Key("up"), Text("w"), Click(name))
    assert [each.cell for each in local.laid] == [cell(0, -1)]
    held = after(seen, Click(name), Key("up"), Click(name, w=40))
    assert not held.laid
    assert held.chosen < 0


def test_letters_on_the_board_are_typed_too_and_become_part_of_the_word() -> None:
    seen = leveled()
    local = after(seen, Click(f"cell:{cell(-1, 1)}"), *keys_for(worked.CODDLE))
    assert len(local.laid) == 2
    local = after(seen, ENTER, local=local)
    assert local.path == worked.path(worked.CODDLE)
    assert isinstance(move_of(seen, local, ENTER), Lay)


def test_another_letter_than_the_one_that_lies_there_is_refused_in_words() -> None:
    seen = leveled()
    local = after(seen, Click(f"cell:{cell(-1, 0)}"), Text("p"))
    assert not local.laid
    assert said(seen, local) != said(seen, after(seen))


def test_letters_laid_with_the_mouse_are_marked_with_space() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), ENTER, Key("up"))
    assert local.marking
    assert local.guessed  # the first mark of one's own begins anew
    path = [hexes.hexagon(9)[n] for n in worked.path(worked.CODDLE)]
    local = replace(local, cursor=cell(*path[0]))
    keys: list[Any] = [Text(" ")]
    for a, b in pairwise(path):
        step = (b[0] - a[0], b[1] - a[1])
        keys += [Text(COMPASS[hexes.STEPS.index(step)]), Text(" ")]
    local = after(seen, *keys, local=local)
    assert isinstance(move_of(seen, local, ENTER), Lay)


@pytest.mark.parametrize(("letter", "wide", "high"), [
    ("q", -1, -1), ("w", 0, -1), ("e", 1, -1), ("a", -1, 1), ("s", 0, 1), ("d", 1, 1),
])  # fmt: skip
def test_six_keys_move_the_cursor_as_they_lie_on_the_keyboard(
    letter: str, wide: int, high: int
) -> None:
    seen = coded()
    local = after(seen, Key("up"), Text(letter))
    places = Hexes.fitted(AREA, hexes.hexagon(9))
    x, y = places.middle(*hexes.hexagon(9)[local.cursor])
    x0, y0 = places.middle(0, 0)
    assert (round(x - x0) > 0) - (round(x - x0) < 0) == wide
    assert (round(y - y0) > 0) - (round(y - y0) < 0) == high


@given(st.lists(st.sampled_from(["left", "right", "up", "down"]), max_size=40))
def test_arrow_keys_keep_the_cursor_on_the_board(keys: list[str]) -> None:
    seen = coded()
    local = after(seen, *map(Key, ["up", *keys]))
    assert 0 <= local.cursor < len(hexes.hexagon(9))


def test_arrow_keys_reach_every_hexagon() -> None:
    seen = coded()
    start = after(seen, Key("up"))
    known, fresh = {start.cursor}, [start]
    while fresh:
        local = fresh.pop()
        for key in ("left", "right", "up", "down"):
            moved = after(seen, Key(key), local=local)
            if moved.cursor not in known:
                known.add(moved.cursor)
                fresh.append(moved)
    assert len(known) == len(hexes.hexagon(9))


def test_backspace_goes_back_letter_by_letter_and_mark_by_mark() -> None:
    seen = coded()
    local = after(seen, Click(f"cell:{cell(-2, 0)}"), *keys_for(worked.CODED), ENTER)
    for left in range(4, -1, -1):
        local = after(seen, BACK, local=local)
        assert len(local.path) == left
    local = after(seen, BACK, local=local)
    assert not local.marking
    local = after(seen, Click(f"cell:{cell(3, 3)}"), local=local)
    for left in range(4, -1, -1):
        local = after(seen, BACK, local=local)
        assert len(local.laid) == left


def test_delete_takes_everything_back_from_any_phase_and_escape_by_steps() -> None:
    seen = leveled()
    local = after(seen, *drops(seen.view, 1, worked.CODDLE), RIGHT)
    local = after(seen, *marks(worked.CODDLE), local=local)
    once = after(seen, ESCAPE, local=local)
    assert phase(seen, once) is Phase.PROGRESS
    assert once.laid == local.laid
    twice = after(seen, ESCAPE, local=once)
    assert not twice.laid
    assert phase(seen, twice) is Phase.IDLE
    assert after(seen, ESCAPE, local=twice) == twice
    local = after(seen, DELETE, local=local)
    assert not local.laid
    assert phase(seen, local) is Phase.IDLE


def test_the_arrow_turns_by_click_and_arrow_keys_only_move_the_cursor() -> None:
    seen = coded()
    local = after(seen, Click(f"cell:{cell(0, 0)}"))
    facings = {local.facing}
    for _ in range(5):
        local = after(seen, Click(f"cell:{cell(0, 0)}"), local=local)
        facings.add(local.facing)
    assert facings == set(range(6))
    assert node(seen, local, "cursor").value.startswith("typing")
    turned = after(seen, Key("q", alt=True), local=local)
    assert turned.facing == COMPASS.index("q")
    for key in ("left", "right", "up", "down"):
        moved = after(seen, Key(key), local=turned)
        assert moved.facing == turned.facing
        assert moved.cursor != turned.cursor
        assert moved.typing

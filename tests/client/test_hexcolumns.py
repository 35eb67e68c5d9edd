"""What the hand does at the wells of Hexcolumns, without any display."""

import random
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client import hexcolumns as shown
from client.app.board import Seen
from client.app.model import Model, Over
from client.hexcolumns import bindings
from client.hexcolumns.input import INPUTS, Local
from client.pages import screen
from client.ui.intents import Blur, Click, Key
from client.ui.scene import (
    MARGIN,
    PARTS,
    Node,
    Rect,
    apart,
    around,
    changes,
    find,
    walk,
)
from client.ui.theme import Look
from client.update import held
from rules import hexcolumns
from rules.game import CHANCE, Resign
from rules.hexcolumns import Options, Pause, Resume, Rotate, Shift, State
from tests.client.clicking import handle, update
from tests.client.worlds import NAMES, base, fed, in_match, seat

AREA = Rect(10, 60, 860, 720)
LOOK = Look()


def drawn(state: State, rng: random.Random) -> State:
    """Return the state with every piece drawn that is waited for."""
    while CHANCE in hexcolumns.actors(state):
        gem = hexcolumns.chance_move(state, rng.randrange(720))
        state = hexcolumns.play(state, CHANCE, gem)
    return state


@lru_cache
def begun(seats: int = 1, size: int = 6, level: int = 0, ticks: int = 0) -> State:
    """Return wells in which so many ticks have passed."""
    rng = random.Random(5)
    state = drawn(hexcolumns.start(seats, Options(size, level)), rng)
    for each in range(seats):
        left = ticks
        while left and each in hexcolumns.actors(state):
            state, left = hexcolumns.advance(state, each, left)
            state = drawn(state, rng)
    return state


def seen_of(state: State, at: int | None = 0, **more: Any) -> Seen[Any, Any]:
    return Seen(state, at, NAMES[: len(state.wells)], **more)


def with_well(state: State, at: int = 0, **changed: Any) -> State:
    wells = list(state.wells)
    wells[at] = replace(wells[at], **changed)
    return replace(state, wells=tuple(wells))


def scene(seen: Seen[Any, Any], local: Local | None = None) -> Node:
    return shown.scene(seen, local or shown.begin(seen), AREA, LOOK)


def text_of(seen: Seen[Any, Any], name: str) -> str:
    found = find(scene(seen), name)
    return "" if found is None else found.text


def move_of(seen: Seen[Any, Any], intent: Any, local: Local | None = None) -> Any:
    return handle(shown, seen, local or shown.begin(seen), intent)[1]


# What is drawn


@pytest.mark.parametrize("size", [6, 7, 8, 9])
def test_a_well_of_every_size_shows_each_of_its_hexes_and_the_piece(size: int) -> None:
    state = begun(1, size)
    hexes = [n for n in walk(scene(seen_of(state))) if n.role in ("cell", "tile")]
    assert len(hexes) == 3 * size * size - 3 * size + 1 + 3
    assert all(AREA.holds(node.rect) for node in hexes)
    assert sum(node.role == "tile" for node in hexes) == 3


def test_names_stand_close_above_the_wells_of_the_others() -> None:
    root = scene(seen_of(begun(4, 9)))
    for other in (1, 2, 3):
        well = find(root, f"well:{other}")
        assert well is not None
        name = next(n for n in walk(well) if n.text == NAMES[other])
        highest = min(n.rect.y for n in walk(well) if n.role in ("cell", "tile"))
        assert 0 <= highest - name.rect.bottom <= LOOK.px(6)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_hexes_of_a_well_are_alike_and_as_far_from_one_another(seats: int) -> None:
    root = scene(seen_of(begun(seats, 9)))
    for each in range(seats):
        well = find(root, f"well:{each}")
        assert well is not None
        spots = [n.rect for n in walk(well) if n.role == "cell"]
        assert len({(spot.w, spot.h) for spot in spots}) == 1
        xs = sorted({spot.x for spot in spots})
        assert len({b - a for a, b in pairwise(xs)}) == 1
        for x in xs:
            ys = sorted(spot.y for spot in spots if spot.x == x)
            assert len({b - a for a, b in pairwise(ys)}) <= 1


def test_the_body_of_a_well_shows_around_its_hexes() -> None:
    well = find(scene(seen_of(begun(2))), "well:1")
    assert well is not None
    hexes = around(*(n.rect for n in walk(well) if n.role == "cell"))
    body = around(*(n.rect for n in walk(well) if n.bg == LOOK.theme.board))
    assert hexes is not None
    assert body is not None
    assert body.holds(hexes.inset(-1))
    assert well.rect.holds(body)


def test_where_all_play_at_once_the_title_names_no_turn() -> None:
    both = screen.title(in_match(base(), "hexcolumns", 2, 0))
    assert both.endswith(" – Hexcolumns")
    assert "turn" not in both
    assert screen.title(in_match(base(), "hexcolumns", 1, 0)) == "Hexcolumns"
    turns = in_match(base(), "numlo", 2, 0)
    assert screen.title(turns).endswith("turn – Numlo")
    # Before the position is here nobody knows whose seat this is.
    assert screen.title(replace(turns, match=None)) == "Numlo"


def test_the_countdown_ends_with_the_well() -> None:
    state = begun(2)
    assert text_of(seen_of(state), "countdown").startswith("60 s ")
    over = with_well(state, over=True)
    assert text_of(seen_of(over), "countdown") == ""
    assert text_of(seen_of(over), "notice")


@pytest.mark.parametrize(
    ("level", "clock", "words"),
    [
        (3, 31, "2 s to the next level"),
        (3, 0, "The next level comes with the next piece"),
        (25, 90, "3 s, the last level"),
        (25, 0, "The last level"),
    ],
)
def test_the_countdown_says_what_it_leads_to(
    level: int, clock: int, words: str
) -> None:
    state = with_well(begun(), level=level, clock=clock)
    assert text_of(seen_of(state), "countdown") == words


def test_nothing_is_left_to_press_at_a_well_that_is_over() -> None:
    state = begun(2)
    pressed = {n.name for n in walk(scene(seen_of(state))) if n.live}
    assert {f"press:{name}" for name in INPUTS} <= pressed
    over = with_well(state, over=True)
    assert not [n for n in walk(scene(seen_of(over))) if n.live]


def test_only_the_places_of_the_pieces_are_drawn_anew_when_they_fall() -> None:
    state = begun(4, 9, 25)
    later = state
    for each in range(4):
        later, _left = hexcolumns.advance(later, each, 2)
    old, new = scene(seen_of(state)), scene(seen_of(later))
    parts = changes(old, new)
    assert len(parts) == 4
    for each, part in enumerate(sorted(parts, key=lambda p: (p.x, p.y))):
        well = find(new, f"well:{each}")
        assert well is not None
        assert well.rect.inset(-8).holds(part)
        assert part.w * part.h * 5 < well.rect.w * well.rect.h


def test_what_comes_and_goes_in_a_well_is_all_that_is_drawn_anew() -> None:
    seen = seen_of(begun(2, 9))
    bare, gained = scene(seen), scene(seen, Local(gained=120))
    sign = find(gained, "gained")
    assert sign is not None
    around_it = (sign.rect.inset(-MARGIN),)
    assert changes(bare, gained) == changes(gained, bare) == around_it


@given(st.lists(st.tuples(*[st.integers(0, 60)] * 2, *[st.integers(1, 30)] * 2)))
def test_parts_hold_all_and_are_few(found: list[Any]) -> None:
    rects = [Rect(*each) for each in found]
    parts = apart(rects)
    assert len(parts) <= PARTS
    assert all(any(part.holds(rect) for part in parts) for rect in rects)


def test_a_row_and_a_column_that_meet_are_not_told_as_all_between_them() -> None:
    row, column = Rect(0, 0, 300, 20), Rect(140, 10, 20, 400)
    assert set(apart([row, column])) == {row, column}
    beside = Rect(300, 0, 20, 20)
    assert apart([row, beside]) == (Rect(0, 0, 320, 20),)


def test_many_small_places_are_not_told_as_all_that_lies_between() -> None:
    spots = [Rect(100 * i, 70 * (i % 3), 20, 20) for i in range(18)]
    parts = apart(spots)
    assert 1 < len(parts) <= PARTS
    whole_ = around(*spots)
    assert whole_ is not None
    assert sum(part.w * part.h for part in parts) * 3 < whole_.w * whole_.h


# Keys


def test_every_input_has_a_key_and_a_button() -> None:
    state = begun(ticks=150)  # low enough for all ways aside
    wanted = {*INPUTS.values(), Pause(), hexcolumns.Radar(on=True)}
    seen = seen_of(state)
    pressed = {move_of(seen, Key(key)) for key in bindings.table(())}
    assert {m for m in pressed if m} == wanted
    names = [n.name for n in walk(scene(seen)) if n.name.startswith("press:")]
    assert {move_of(seen, Click(name)) for name in names} == wanted


def test_between_two_pieces_nothing_moves_and_all_else_is_done() -> None:
    well, keys = begun(ticks=150), bindings.table(())
    falling, between = seen_of(well), seen_of(with_well(well, piece=b""))
    refused = {move_of(falling, Key(k)) for k in keys if not move_of(between, Key(k))}
    assert refused - {None} == {*INPUTS.values()} - {hexcolumns.Faster()}


def test_a_held_key_repeats_a_step_but_never_a_drop() -> None:
    seen = seen_of(begun(ticks=150))
    local = shown.begin(seen)
    for key, again in (("left", Shift(-1)), ("space", None), ("up", None)):
        down, first = handle(shown, seen, local, Key(key))
        assert first is not None
        assert handle(shown, seen, down, Key(key))[1] == again
        up = handle(shown, seen, down, Key(key, down=False))[0]
        assert handle(shown, seen, up, Key(key))[1] == first


def test_ctrl_escape_gives_up_even_in_a_pause() -> None:
    paused = with_well(begun(), paused=True)
    for state in (begun(), paused):
        assert move_of(seen_of(state), Key("escape", ctrl=True)) == Resign()
    assert move_of(seen_of(begun()), Key("escape")) is None


def test_in_a_pause_only_the_way_out_is_open() -> None:
    seen = seen_of(with_well(begun(), paused=True))
    assert move_of(seen, Key("left")) is None
    assert move_of(seen, Key("enter")) == Resume()
    assert move_of(seen, Key("p")) == Resume()
    assert move_of(seen_of(begun()), Key("enter")) is None
    assert " Enter " in text_of(seen, "notice")


def test_a_chosen_key_takes_the_place_of_the_usual_ones() -> None:
    chosen = bindings.choose((), "rotate", "k")
    seen = seen_of(begun(), keys=chosen)
    assert move_of(seen, Key("k")) == Rotate()
    assert move_of(seen, Key("up")) is None
    assert "K" in dict(bindings.keys(chosen))
    assert "K" not in dict(bindings.keys(()))


def test_a_key_presses_one_button_only() -> None:
    chosen = bindings.choose(bindings.choose((), "rotate", "left"), "drop", "left")
    assert bindings.table(chosen)["left"] == "drop"
    assert bindings.keys_of("rotate", chosen) == ("up", "w")
    assert bindings.keys_of("left", chosen) == ("a",)


def test_the_key_to_go_on_is_told_as_it_was_chosen() -> None:
    state = with_well(begun(), paused=True)
    seen = seen_of(state, keys=bindings.choose((), "resume", "g"))
    assert " G " in text_of(seen, "notice")


@pytest.mark.parametrize("button", list(bindings.USUAL))
def test_keys_are_chosen_on_the_preferences_page(button: str) -> None:
    model = replace(fed(base(), *()), over=Over.PREFERENCES)
    model, _effects = update(model, Click(f"key.{button}"))
    assert held(model)  # letters, too, must come as keys
    model, effects = update(model, Key("k"))
    assert not held(model)
    assert model.settings.keys == ((button, "k"),)
    assert [type(each).__name__ for each in effects] == ["Store"]
    model, _effects = update(model, Click("key.reset"))
    assert model.settings.keys == ()


def test_escape_chooses_no_key_and_keeps_the_page() -> None:
    model = replace(base(), over=Over.PREFERENCES)
    model, _effects = update(model, Click("key.drop"))
    model, _effects = update(model, Key("escape"))
    assert (model.over, model.open, model.settings.keys) == (Over.PREFERENCES, "", ())


def test_delay_and_repeat_are_chosen_on_the_preferences_page() -> None:
    model = replace(base(), over=Over.PREFERENCES)
    for name in ("set.delay", "set.repeat"):
        model, _effects = update(model, Click(name))
        model, _effects = update(model, Click(f"{name}:0"))
    assert (model.settings.delay, model.settings.repeat) == (100, 20)


# Pauses


def at_wells(*kinds: str) -> Model:
    """Return the window at a match of these players."""
    model = in_match(base(), "hexcolumns", len(kinds), 0)
    status = model.status
    assert status is not None
    assert status.table is not None
    seats = tuple(map(seat, NAMES, kinds))
    fresh = replace(status, table=replace(status.table, seats=seats))
    return fed(model, fresh)


def sent(model: Model, intent: Any) -> list[str]:
    """Return what is asked of the node after an intent."""
    _model, effects = update(model, intent)
    return [
        type(each.request.ask).__name__ for each in effects if hasattr(each, "request")
    ]


def test_who_plays_alone_pauses_by_leaving_the_window() -> None:
    assert sent(at_wells("person"), Blur()) == ["Play"]
    assert sent(at_wells("person", "computer"), Blur()) == ["Play"]
    assert move_of(seen_of(begun()), Blur()) == Pause()


def test_a_key_let_go_in_another_window_is_held_no_more() -> None:
    seen = seen_of(begun(ticks=150))
    down, _first = handle(shown, seen, shown.begin(seen), Key("up"))
    assert handle(shown, seen, down, Key("up"))[1] is None
    away, _pause = handle(shown, seen, down, Blur())
    assert handle(shown, seen, away, Key("up"))[1] is not None


def test_nobody_pauses_while_others_play() -> None:
    assert sent(at_wells("person", "remote"), Blur()) == []
    assert sent(at_wells("person", "person"), Blur()) == []


def test_a_pause_is_not_ended_by_leaving_the_window_again() -> None:
    assert move_of(seen_of(with_well(begun(), paused=True)), Blur()) is None


def test_a_page_over_the_wells_pauses_them_too() -> None:
    assert "Play" in sent(at_wells("person"), Click("preferences"))
    assert sent(at_wells("person"), Key("f1")) == ["Play"]
    assert sent(at_wells("person", "remote"), Key("f1")) == []


def test_turn_based_games_do_not_mind_being_left() -> None:
    model = in_match(base(), "numlo", 2, 0)
    assert sent(model, Blur()) == []

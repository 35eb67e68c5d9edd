"""What every board does alike: it refuses for one reason, and a key points one way."""

from functools import cache
from math import hypot
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from client.app import board
from client.ui import texts
from client.ui.intents import Click, Drop, Hover, Key, Text
from client.ui.scene import Role, walk
from rules import hexagrams, lhexicon, networdz, numlo
from rules.game import CHANCE, IllegalMoveError, Resign
from tests.client.clicking import handle
from tests.client.test_hand_laws import (
    AREA,
    LASTING,
    LOOK,
    did,
    pool,
    quiet,
    seeds,
    seen_at,
    taken,
)
from tests.client.worlds import NAMES
from tests.rules.matches import Match

# What cannot be done is refused, with its one reason, in every game alike.


def makes(name: str, move: Any) -> tuple[Any, ...]:
    """Return what a hand does to make a move; with words it passes."""
    if name == "numlo":
        return (Click(f"cell:{move.square}"),)
    if name == "hexagrams":
        sort = "t" if isinstance(move, hexagrams.Triad) else "h"
        return (Drop(f"tile:{sort}{move.origin}", f"cell:{sort}{move.target}"),)
    return Click("pass"), Key("enter")


@cache
def turns(name: str) -> tuple[tuple[Match, int, int, Any], ...]:
    """Return places in matches, with whose turn it is and a move that can be made."""
    found = list[tuple[Match, int, int, Any]]()
    for match in pool(name):
        for start in range(0, len(match.log), 1 + len(match.states) // 10):
            index = quiet(match, start)
            state, actors = match.states[index], match.game.actors(match.states[index])
            seat = min(actors, default=CHANCE)
            if match.seats < 2 or len(actors) > 1 or seat < 0:
                continue
            words = {"networdz": networdz.Pass(()), "lhexicon": lhexicon.Pass()}
            moves = [words[name]] if name in words else match.game.moves(state, seat)
            move = taken(match.game, state, seat, *moves)
            if move is not None and not isinstance(move, Resign):
                found.append((match, index, seat, move))
    assert len(found) > 5, name
    return tuple(found[:: 1 + len(found) // 5])


def refusal(module: Any, seen: Any, *intents: Any, at: Any = None) -> tuple[str, Any]:
    """Return what is said once nothing has come of what a hand does, and the hand."""
    local = module.begin(seen) if at is None else at
    for intent in intents:
        local, move = handle(module, seen, local, intent)
        assert move is None, (seen.seat, intent)
    told = module.status(seen, local)
    if local.notice and local.notice not in told:  # a dialog of the board says it
        drawn = [each.text for each in walk(module.scene(seen, local, AREA, LOOK))]
        assert any(local.notice in text for text in drawn), (seen.seat, local.notice)
        return local.notice, local
    return told, local


def test_who_is_not_on_turn_reads_whose_turn_it_is_and_all_read_when_to_wait() -> None:
    early, late = set[str](), set[str]()
    for name in LASTING:
        module = board.find(name)
        for match, index, seat, move in turns(name):
            other = (seat + 1) % match.seats
            seen, does = seen_at(match, index, other), makes(name, move)
            told, local = refusal(module, seen, *does)
            assert NAMES[seat] in told and NAMES[other] not in told, (name, told)
            early.add(told.replace(NAMES[seat], "*"))
            shown = module.begin(seen)  # nor is a place marked, whatever one asks
            for ask in (Text("s"), Text("h")):
                shown = did(module, seen, shown, ask)
                root = module.scene(seen, shown, AREA, LOOK)
                cells = [each for each in walk(root) if each.role is Role.CELL]
                assert not [each.name for each in cells if each.selected], (name, ask)
            own = seen_at(match, index, seat)
            ready = did(module, own, module.begin(own), *does[:-1])
            told, held = refusal(module, replace(own, live=False), does[-1], at=ready)
            late.add(told)
            # Once somebody has moved nothing is said of what could not be done before.
            after = quiet(match, index + 1)
            for who, hand in ((other, local), (seat, held)):
                now = seen_at(match, after, who)
                assert hand.notice
                said, clean = (
                    module.status(now, module.renew(now, replace(hand, notice=each)))
                    for each in (hand.notice, "")
                )
                assert said == clean, (name, who)
            _local, sent = handle(module, own, ready, does[-1])
            match.game.play(own.view, seat, sent)
            idle = seen_at(match, index, None)
            assert refusal(module, idle, *does)[0] == refusal(module, idle)[0]
    assert (len(early), len(late)) == (1, 1), (early, late)
    assert not early & late


def test_a_pointer_that_has_left_the_board_leaves_nothing_there() -> None:
    for name in LASTING:
        module = board.find(name)
        for match, index, seat, _move in turns(name)[::3]:
            for who in (seat, (seat + 1) % match.seats):
                seen = seen_at(match, index, who)
                local = module.begin(seen)
                before = module.scene(seen, local, AREA, LOOK)
                cells = [each.name for each in walk(before) if each.live]
                for cell in cells[:: 1 + len(cells) // 20]:
                    over = did(module, seen, local, Hover(cell))
                    left = did(module, seen, over, Hover(""))
                    assert module.scene(seen, left, AREA, LOOK) == before, (name, cell)


def test_what_is_pointed_at_before_the_turn_is_not_said_to_be_stuck() -> None:
    module = board.find("hexagrams")
    for match, index, seat, _move in turns("hexagrams")[::3]:
        seen = seen_at(match, index, 1 - seat)
        local = module.begin(seen)
        stones = [n.name for n in walk(module.scene(seen, local, AREA, LOOK)) if n.drag]
        assert stones
        for stone in stones:
            assert not did(module, seen, local, Click(stone)).notice


def test_what_the_rules_forbid_is_refused_in_their_words_and_stones_in_their_own() -> (
    None
):
    module = board.find("numlo")
    for match, index, seat, _move in turns("numlo")[::3]:
        seen = seen_at(match, index, seat)
        for square in range(0, len(seen.view.values), 19):
            try:
                numlo.play(seen.view, seat, numlo.Place(square))
            except IllegalMoveError as error:
                told, _local = refusal(module, seen, Click(f"cell:{square}"))
                assert told == texts.told(error.words)
    module, reasons = board.find("hexagrams"), dict[str, set[str]](h=set(), t=set())
    for match, index, seat, _move in turns("hexagrams")[::3]:
        seen = seen_at(match, index, seat)
        for sort, held in (("h", seen.view.hexads), ("t", seen.view.triads)):
            kind, aim = (
                (hexagrams.Hexad, "t0") if sort == "h" else (hexagrams.Triad, "h0")
            )
            own = [n for n in range(32) if held[seat] >> n & 1]
            for origin in own[:1]:
                stone = f"tile:{sort}{origin}"
                reasons[sort].add(refusal(module, seen, Drop(stone, f"cell:{aim}"))[0])
                for target in range(0, 10, 3):
                    try:
                        hexagrams.play(seen.view, seat, kind(origin, target))
                    except IllegalMoveError as error:
                        drop = Drop(stone, f"cell:{sort}{target}")
                        told = texts.told(error.words)
                        assert (
                            target == origin or refusal(module, seen, drop)[0] == told
                        )
    for sort, name in (("h", "hexad"), ("t", "triad")):
        (told,) = reasons[sort]
        assert name in told.lower()


# Where a key leads, by what is drawn.

LEADS: Final = {
    "up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0),
    "w": (0, -1), "s": (0, 1), "q": (-0.87, -0.5), "e": (0.87, -0.5),
    "a": (-0.87, 0.5), "d": (0.87, 0.5),
}  # fmt: skip
"""Where each key points on a screen; letters of boards of hexagons alone."""


@pytest.mark.parametrize(
    ("name", "keys"),
    [("numlo", 4), ("networdz", 4), ("hexagrams", 10), ("lhexicon", 10)],
)
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_a_key_leads_where_it_points_on_the_board_as_it_is_drawn(
    name: str, keys: int, seed: int
) -> None:
    rng, module = Random(seed), board.find(name)
    match, index, _seat, _move = rng.choice(turns(name))
    seen = seen_at(match, index, rng.randrange(match.seats))
    local = did(module, seen, module.begin(seen), Key("up"))
    at, led = cursor_of(module, seen, local), 0
    # Each twice, as a key of Networdz turns the way of writing first; of two opposite
    # ones one leads somewhere, wherever the others have led.
    ways = list(LEADS)[:keys]
    walked = [*rng.choices(ways, k=4), *ways]
    for key in [key for way in walked for key in (way, way)]:
        intent = Text(key) if len(key) == 1 else Key(key)
        local = did(module, seen, local, intent)
        now = cursor_of(module, seen, local)
        x, y = now[0] - at[0], now[1] - at[1]
        along = x * LEADS[key][0] + y * LEADS[key][1]
        assert along >= 0.7 * hypot(x, y) - 2, (key, at, now)
        led, at = led + (now != at), now
    assert led >= 2


def cursor_of(module: Any, seen: Any, local: Any) -> tuple[int, int]:
    """Return the middle of the keyboard's cursor on the board."""
    root = module.scene(seen, local, AREA, LOOK)
    return next(each.rect.centre for each in walk(root) if each.name == "cursor")

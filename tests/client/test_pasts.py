"""The past of a match, as each seat can look back at it."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app import board, follow
from client.app.model import seen
from client.ui.scene import Rect
from client.ui.theme import Look
from netplay.messages import door
from netplay.messages.table import Fairness
from rules import GAMES
from rules.tiles import UNKNOWN, Reveal, Tiles
from tests.client.pasts import Course, Watcher, earlier, truths
from tests.netplay.match.encrypted import unproved
from tests.netplay.party import Party

__all__ = ["unproved"]

pytestmark = pytest.mark.usefixtures("unproved")

NUMLO = GAMES["numlo"].ABOUT.options(size=8, values=False)
AREA, LOOK = Rect(0, 0, 700, 560), Look()


def less_known(position: Any, true: Any, seat: int) -> bool:
    """Tell whether a position says nothing untrue, of own tiles perhaps less."""
    tiles = getattr(position, "tiles", None)
    if not isinstance(tiles, Tiles) or seat < 0:
        return bool(position == true)
    own = zip(tiles.kinds[seat], true.tiles.kinds[seat], strict=True)
    filled = tuple(b if a == UNKNOWN else a for a, b in own)
    kinds = (*tiles.kinds[:seat], filled, *tiles.kinds[seat + 1 :])
    back = tuple(
        b if a.kind == UNKNOWN else a
        for a, b in zip(tiles.returned, true.tiles.returned, strict=True)
    )
    told = replace(position, tiles=replace(tiles, kinds=kinds, returned=back))
    return bool(told == true)


def check(watcher: Watcher, *, exact: bool) -> None:
    """Compare all that a window can look back at with what the rules say."""
    found, true = watcher.positions(), truths(watcher.match, watcher.seat)
    assert len(found) == len(true)
    assert not watcher.shown.missed
    for position, right in zip(found, true, strict=True):
        assert less_known(position, right, watcher.seat)
        assert position == right or not exact
    for step, past in zip(watcher.shown.past, watcher.match.fold.history, strict=True):
        assert step.actor == past.actor
        if not isinstance(step.move, Reveal):
            assert step.move == past.move


def draw_all(watcher: Watcher) -> None:
    """Draw and tell every position that a window can look back at."""
    model, match = watcher.model, watcher.shown
    module = board.find(match.game)
    for back in (-1, *range(len(match.past))):
        at = replace(match, back=back)
        now = seen(model, at)
        local = module.begin(now)
        module.scene(now, local, AREA, LOOK)
        module.status(now, local)
        module.sheets(now)
    for step in match.past:
        module.tell(step, model.names)


@settings(
    max_examples=2, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@pytest.mark.parametrize(("game", "fairness"), [
    ("networdz", "committed"), ("networdz", "encrypted"), ("lhexicon", "committed"),
    ("lhexicon", "encrypted"), ("numlo", "committed"), ("hexagrams", "committed"),
])  # fmt: skip
@given(seed=st.integers(0, 2**32), members=st.integers(2, 3))
def test_every_view_of_every_seat_rebuilds_each_earlier_one(
    game: str, fairness: Fairness, seed: int, members: int
) -> None:
    if game == "hexagrams":
        members = 2
    course = Course(game, fairness, members, seed)
    for number in range(12):
        course.step()
        for watcher in course.watchers if number == 5 else ():
            draw_all(watcher)
    handed = any(match.fold.handed for match in course.party.running)
    course.end()
    for watcher in course.watchers:
        check(watcher, exact=not handed)
        again = Watcher(watcher.match, watcher.seat)
        again.look()
        assert again.positions() == watcher.positions()
        check(again, exact=not handed)
        draw_all(again)


def test_who_looks_back_stays_at_the_same_move_while_earlier_ones_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.record.views.PIECE_MOVES", 7)
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    for _ in range(20):
        party.play_one(Random(1))
        party.settle()
    watcher = Watcher(party.member(0), 0)
    monkeypatch.setattr(watcher, "_ask_on", lambda *_: None)
    watcher.look()
    back = replace(watcher.shown, back=2)
    looked_at, missed = back.past[2], back.missed
    model, effects = follow.earlier(replace(watcher.model, match=back))
    while effects:
        (asked,) = effects
        answer = door.Done(0, data=earlier(asked.request.ask, watcher.match))
        model, effects = follow.longer(replace(model, asked={}), answer)
        assert model.match is not None
        assert model.match.past[model.match.back] == looked_at
        assert model.match.missed < missed
        # Come again too late, as one of another match does, it changes nothing.
        assert follow.longer(model, answer) == (model, ())
    assert model.match is not None
    assert not model.match.missed
    assert model.match.back == missed + 2


def test_who_looks_back_as_a_turn_is_taken_back_sees_what_there_is_now() -> None:
    course = Course("hexagrams", "committed", 2, 1)
    party, watcher = course.party, course.watchers[0]
    for place in (0, 3, 5):
        while len(party.member(0).fold.history) < 6:
            party.play_one(Random(1))
            party.settle()
        watcher.look()
        looking = replace(watcher.shown, back=place)
        watcher.model = replace(watcher.model, match=looking)
        made = len(party.member(0).fold.history)
        course.take_back()
        assert len(party.member(0).fold.history) < made
        watcher.look()
        now = seen(watcher.model, watcher.shown)
        assert (watcher.shown.back, now.view) == (-1, watcher.positions()[-1])


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_a_window_that_turns_to_another_seat_here_shows_what_a_new_one_does(
    game: str,
) -> None:
    party, rng = Party(game, 2, seats=4), Random(3)
    party.link_all()
    party.settle()
    watcher = Watcher(party.member(0), 0)
    for _ in range(6):
        party.play_one(rng)
        party.settle()
        watcher.look()
    other, new = (Watcher(party.member(0), 2) for _ in range(2))
    other.model = watcher.model
    for each in (other, new):
        each.look()
        assert each.shown.seat == 2
    assert other.positions() == new.positions()
    assert other.shown.kinds == new.shown.kinds

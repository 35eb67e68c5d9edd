"""A member that presses as fast as it is let, and games that go on for hours."""

from random import Random
from typing import Final

import pytest

from client.app import follow
from netplay.errors import LocalError
from netplay.limits import DOOR_FRAME_BYTES
from netplay.match.match import Match
from netplay.record.playable import Past
from netplay.table.places import news
from netplay.wire import encode, pack
from rules.hexcolumns import Rotate
from tests.client.pasts import Watcher
from tests.netplay.party import Party

SECONDS: Final = 40
"""Of pressing: before, 198 rotations a stretch made the view 4 MiB long by then."""


def pushed(match: Match) -> int:
    """Return the bytes of the largest thing that a new window is told of a match."""
    sizes = [0]
    for seat in (-1, *match.members.seats):
        watcher = Watcher(match, seat)
        told = news(match, watcher.views.windows[1])
        assert told is not None
        sizes.append(len(encode(told)))  # raises if too large
        for place in (0, 1, len(match.fold.history) // 2, len(match.fold.history)):
            sizes.append(len(encode(watcher.views.back(1, place, match).message)))
            sizes.append(len(pack(match.seats.view(None).piece(place))))
    return max(sizes)


def presses(party: Party, n: int) -> int:
    """Press a key as often as the program takes it; return how often that was."""
    match = party.member(n)
    count = 0
    while count < 1000:
        try:
            match.play(n, pack(Rotate()), -1, party.now)
        except LocalError:
            return count
        count += 1
    return count


def test_a_member_that_presses_as_fast_as_it_can_fills_no_window() -> None:
    party = Party("hexcolumns", 2)
    party.link_all()
    party.settle()
    made = 0
    for _ in range(SECONDS * 30):
        party.wake(1 / 30)
        if party.member(1).fold.actors >= {1}:
            made += presses(party, 1)
    assert made > 1000
    assert len(party.member(0).fold.history) <= made + 200
    assert made <= 60 + SECONDS * 30 * 4
    for match in party.running:
        assert pushed(match) < DOOR_FRAME_BYTES // 8


def test_a_window_opens_and_looks_back_after_hours_of_four_hands() -> None:
    party = Party("hexcolumns", 4)
    party.link_all()
    party.settle()
    match = party.member(0)
    six_hours = range(6 * 3600 * 40)  # ten inputs a second each
    match.fold.history.extend(Past(0, n % 4, Rotate(), n * 25) for n in six_hours)
    assert pushed(match) < DOOR_FRAME_BYTES // 8


def test_a_long_history_comes_by_pieces_and_is_whole_in_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.record.views.PIECE_MOVES", 7)
    party = Party("numlo", 2)
    party.link_all()
    party.settle()
    rng = Random(3)
    for _ in range(40):
        party.play_one(rng)
        party.settle()
    match = party.member(0)
    watcher = Watcher(match, 0)
    watcher.look()
    assert len(match.fold.history) > 3 * 7
    assert len(watcher.shown.past) == len(match.fold.history)
    assert watcher.shown.missed == 0
    state = match.fold.playable.start()
    for step, past in zip(watcher.shown.past, match.fold.history, strict=True):
        assert step.before == state
        state = match.fold.game.play(state, past.actor, past.move)
    assert follow.delivered(watcher.shown).state == state

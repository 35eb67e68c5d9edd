"""Words that are challenged, with a bag that nobody sees into: tiles wait for it."""

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from netplay.record.store import MAGIC, frame
from netplay.record.verify import verify
from netplay.wire import pack
from rules import networdz
from rules.game import Resign
from rules.networdz import Accept, Challenge, Lay, Move, Options, Pass, Phase
from rules.tiles import bag_size
from tests.netplay.match.encrypted import check_views, ready
from tests.netplay.party import Party
from tests.rules.networdz.positions import dictionary
from tests.test_second_rules import WORDS, jumbled, short_edition

WAYS = ("single", "double", "five")


def _options(way: str) -> Options:
    words = {"edition": short_edition(), "lexicon": dictionary(WORDS)}
    return Options(**words, challenge=way)  # type: ignore[arg-type]


def _does(party: Party, move: Move) -> None:
    """Let whoever is on turn make a move."""
    [(n, seat)] = party.movers()
    party.member(n).play(seat, pack(move), -1, party.now)
    party.settle()


def _seen(party: Party) -> tuple[Any, int]:
    """Return the view of the seat on turn, and the seat."""
    [(n, seat)] = party.movers()
    return party.member(n).seats.view(seat).state, seat


def _play_on(party: Party, rng: Random, turns: int) -> Counter[str]:
    """Play plays and phonies, challenges and exchanges; return what came of them."""
    came: Counter[str] = Counter()
    for _ in range(turns):
        if party.member(0).fold.over:
            break
        view, seat = _seen(party)
        after, some = networdz.accepted(view), rng.random()
        if view.pending and some < 0.4:
            came["wrong" if networdz.wrong(view) else "in vain"] += 1
            _does(party, Challenge())
        elif after.phase is not Phase.PLAY or (view.pending and some < 0.5):
            _does(party, Accept())
        elif some < 0.53 and bag_size(after.tiles) > 2:
            _does(party, Pass(after.tiles.racks[seat][:2]))
        else:
            phony = _phony(view, seat) if rng.random() < 0.5 else None
            _does(party, phony or next(networdz.lays(after, seat), None) or Pass())
    return came


def _phony(view: Any, seat: int) -> Lay | None:
    """Return a play of a word that is none, if one is soon found."""
    for lay in islice(networdz.lays(view, seat), 12):
        for phony in (jumbled(lay, Random(seed)) for seed in range(6)):
            if networdz.wrong(networdz.play(view, seat, phony)):
                return phony
    return None


@pytest.mark.parametrize(
    ("way", "members"), [("double", 2), pytest.param("five", 3, marks=pytest.mark.slow)]
)
def test_a_whole_match_with_words_that_are_challenged_is_audited(
    way: str, members: int
) -> None:
    party = ready(members, options=_options(way))
    came = _play_on(party, Random(members), 200)
    assert party.member(0).fold.over
    assert came["wrong"]
    assert came["in vain"]
    check_views(party)
    assert {match.audit() for match in party.running} == {"ok"}
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    found = verify(MAGIC + b"".join(map(frame, logs[0])))
    assert (found.verdict, found.audit) == ("good", "ok")


def _pending(party: Party) -> Any:
    """Lay a word that is none; return the state as everybody sees it."""
    while True:
        view, seat = _seen(party)
        phony = _phony(view, seat)
        if phony is not None:
            _does(party, phony)
            return party.member(0).fold.state
        _does(party, Pass(view.tiles.racks[seat][:3]))


def test_who_comes_back_while_a_word_waits_finds_it_waiting() -> None:
    party = ready(2, options=_options("single"))
    state = _pending(party)
    for n in (0, 1):
        party.crash(n)
        party.start(n)
        party.link_all()
        party.settle()
        party.wake(30)
        assert party.member(n).fold.state == state
    _does(party, Challenge())
    after = party.member(1).fold.state
    assert after.pending is None
    assert after.tiles.first == state.tiles.first
    assert len(after.tiles.racks[state.pending.seat]) == 4
    # The tiles have been seen, and are laid again without another word of theirs.
    _does(party, Pass())
    view, seat = _seen(party)
    _does(party, next(networdz.lays(view, seat)))
    _does(party, Accept())
    assert party.member(0).fold.state.tiles.first > state.tiles.first
    assert party.movers()


def test_a_word_of_who_leaves_for_good_may_still_be_challenged() -> None:
    party = ready(3, options=_options("single"))
    state = _pending(party)
    seat = state.pending.seat
    party.member(seat).play(seat, pack(Resign()), -1, 0.0)
    party.settle()
    _does(party, Challenge())
    after = party.member(state.turn).fold.state
    assert not any(after.letters)
    assert after.turn == state.turn
    _play_on(party, Random(5), 4)
    assert isinstance(next(networdz.lays(*_seen(party)), Lay((), ())), Lay)

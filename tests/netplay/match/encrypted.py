"""Encrypted matches in memory, and what tests ask of them."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from netplay.bag.shuffle import BESIDES, PER_TILE
from netplay.errors import Code, PeerError
from netplay.match import masks
from netplay.match.match import Match
from netplay.messages.log import LogBody
from netplay.record import proving
from netplay.record.masked import MaskedBag, Mixed, Phase
from netplay.record.views import Whole
from netplay.wire import pack
from rules.networdz import Pass
from tests.netplay.match.matches import entered
from tests.netplay.party import Party
from tests.simulation.bags import once


@pytest.fixture
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let mixings go without their proofs, and one member check a lift for all.

    Both take most of the time.
    """

    def no_proof(_step: Any, _mask: int, old: Any, *_rest: Any) -> bytes:
        return bytes(PER_TILE * len(old) + BESIDES)

    monkeypatch.setattr(masks, "prove", no_proof)
    monkeypatch.setattr(Mixed, "check", lambda _mixed: None)
    for name in ("check_key", "check_lift"):
        monkeypatch.setattr(proving, name, once(getattr(proving, name)))


def encrypted(members: int, game: str = "networdz", **more: Any) -> Party:
    party = Party(game, members, fairness="encrypted", **more)
    party.link_all()
    return party


def ready(members: int, **more: Any) -> Party:
    party = encrypted(members, **more)
    party.settle()
    assert bag_of(party).phase is Phase.READY
    return party


def bag_of(party: Party, n: int = 0) -> MaskedBag:
    bag = party.member(n).fold.bag
    assert bag is not None
    return bag


def exchange(party: Party, count: int = 3) -> None:
    """Let whoever is on turn put tiles back, and draw others for them."""
    [(n, seat)] = party.movers()
    rack = party.member(n).seats.view(seat).state.tiles.racks[seat]
    party.member(n).play(seat, pack(Pass(rack[:count])), -1, party.now)
    party.settle()


def play_random(party: Party, rng: Random, turns: int) -> None:
    """Play legal moves, an exchange now and then."""
    for _ in range(turns):
        if party.member(0).fold.over:
            return
        if rng.random() < 0.2 and party.member(0).fold.state.tiles.first < 60:
            exchange(party, rng.randrange(1, 5))
        elif not party.play_one(rng):
            return
        party.settle()


def full(match: Match) -> Whole:
    found = Whole(match.fold, lambda _round: None)
    assert found.advance()
    return found


def check_views(party: Party) -> None:
    """Compare what every seat sees with what the rules say of the open tiles."""
    for match in party.running:
        open_ = full(match)
        game, fold = match.fold.game, match.fold
        assert game.view(open_.state, None) == fold.state
        for seat in fold.seats_of(match.me):
            assert match.seats.view(seat).state == game.view(open_.state, seat)


def silence(match: Match, kind: type) -> None:
    """Let a member say no bodies of a kind."""
    owed: Callable[..., Iterator[LogBody]] = match.masks.owed

    def less(waiting: Any) -> Iterator[LogBody]:
        return (body for body in owed(waiting) if not isinstance(body, kind))

    match.masks.owed = less  # type: ignore[method-assign]


def said(party: Party, kind: type) -> list[tuple[int, int, Any]]:
    """Return (author, entry, body) of what was said of a kind."""
    keys = [key.key for key in party.keys]
    lines = party.member(0).ledger.log.lines
    return [
        (keys.index(line.entry.author), line.entry.number, line.body)
        for line in lines
        if isinstance(line.body, kind)
    ]


def refused(party: Party, body: LogBody, author: int) -> Code:
    """Return the code with which a member refuses what a host has entered."""
    raw = entered(party, body, author)
    with pytest.raises(PeerError) as caught:
        party.member(1).ledger.accept(raw)
    return caught.value.code

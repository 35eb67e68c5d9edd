"""Mistakes of our own, and what comes too early or from another history."""

from collections.abc import Mapping
from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.match.match import Match
from netplay.messages.log import Face, Opening, Proof, Share
from netplay.record.fold import Fold
from netplay.record.views import SeatView
from netplay.wire import pack
from rules import GAMES
from rules.game import IllegalMoveError
from rules.networdz import Pass
from tests.netplay.match.matches import NUMLO, ready, wanting
from tests.netplay.party import Party


def test_an_illegal_move_of_ones_own_is_refused_at_once() -> None:
    party = ready()
    [(n, seat)] = party.movers()
    with pytest.raises(IllegalMoveError):
        party.member(n).play(seat, pack(Pass((99,))), -1, party.now)
    with pytest.raises(LocalError) as caught:
        party.member(n).play(seat, b"\xc0", -1, party.now)
    assert caught.value.code is Code.ILLEGAL_MOVE
    with pytest.raises(LocalError) as caught:
        party.member(n).play(seat, pack(Pass()), 99, party.now)
    assert caught.value.code is Code.STALE
    with pytest.raises(LocalError) as caught:
        party.member(n).play(1 - seat, pack(Pass()), -1, party.now)
    assert caught.value.code is Code.NOT_A_MEMBER
    with pytest.raises(LocalError) as caught:
        party.member(1 - n).play(1 - seat, pack(Pass()), -1, party.now)
    assert caught.value.code is Code.NOT_YOUR_TURN


def test_a_view_waits_for_an_opening_that_has_not_come() -> None:
    party = ready()
    match = party.member(1)
    view = SeatView(match.fold, 1, lambda _: None)
    view.advance()
    assert not view.up_to_date
    assert match.seats.view(1).up_to_date


def test_a_look_back_shows_the_view_as_it_was() -> None:
    party = ready("numlo", options=NUMLO)
    first = party.member(0).seats.view(0).state
    number = party.member(0).fold.number
    for _ in range(5):
        party.play_one(Random(1))
        party.settle()
    view = party.member(0).seats.view(0)
    state, happened = view.back(number)
    assert state == first
    assert happened == view.count - 5
    assert view.back(0)[0] == view.seen[0].state


class Trusting(Fold):
    """A fold that believes every proof, as of a bag that a dealer filled wrongly."""

    def check_proof(self, author: bytes, proof: Proof) -> None:
        """Believe it."""


def test_tiles_turned_up_that_cannot_be_leave_the_fold_as_it_was() -> None:
    options = GAMES["networdz"].ABOUT.options(show_racks=True)
    party = Party("networdz", 2, options)
    party.link_all()
    party.settle()
    assert party.play_one(Random(4))
    party.settle()
    ledger = party.member(0).ledger
    lines = ledger.log.lines
    at = next(n for n, line in enumerate(lines) if isinstance(line.body, Face))
    fold = Trusting(party.terms)
    for line in lines[:at]:
        fold.apply(line)
    face = lines[at].body
    assert isinstance(face, Face)
    proofs = tuple(replace(proof, kind=10_000) for proof in face.proofs)
    before = (fold.state, dict(fold.faces), len(fold.history), fold.at, fold.number)
    with pytest.raises(IllegalMoveError):
        fold.apply(replace(lines[at], body=Face(proofs)))
    assert before == (fold.state, fold.faces, len(fold.history), fold.at, fold.number)
    fold.apply(lines[at])
    assert fold.faces.keys() == {proof.tile for proof in face.proofs}


def test_an_opening_that_comes_before_its_entry_is_kept_until_then() -> None:
    party = Party("networdz", 2)
    party.link_all()
    early: list[Opening] = []
    host, guest = party.keys[0].key, party.member(1)
    while not early:
        party.collect()
        early = [m for a, _, m in party.wire if a == 0 and isinstance(m, Opening)]
        if not early:
            assert party.deliver()
    guest.receive(host, early[0], party.now)
    assert not guest.hidden.proofs
    party.wire = type(party.wire)(m for m in party.wire if m[2] is not early[0])
    party.settle()
    assert {p.tile for p in early[0].proofs} <= guest.hidden.proofs.keys()


def test_a_share_that_comes_before_the_root_is_kept_until_then() -> None:
    party = Party("networdz", 3)
    party.link_all()
    early: list[Share] = []
    host, guest = party.keys[0].key, party.member(1)
    while not early:
        party.collect()
        early = [m for a, b, m in party.wire if (a, b) == (0, 1) and type(m) is Share]
        if not early:
            assert party.deliver()
    assert guest.fold.rounds.get(1).root is None  # type: ignore[union-attr]
    guest.receive(host, early[0], party.now)
    assert not guest.hidden.shares
    party.wire = type(party.wire)(m for m in party.wire if m[2] is not early[0])
    party.settle()
    assert guest.hidden.shares == {(1, guest.me): early[0].share}


def early_shares(match: Match) -> Mapping[bytes, Mapping[int, Share]]:
    """Return what came too early of whom: nobody is shown that."""
    return match.dealing._early_shares


def test_shares_that_come_too_early_are_bounded() -> None:
    party = ready(members=3)
    match, host = party.member(1), party.keys[0].key
    for number in range(50, 70):
        match.receive(host, Share(match.match, number, bytes(32)), party.now)
    assert list(early_shares(match)[host]) == [*range(54, 70)]


def test_an_early_share_that_does_not_fit_is_dropped_when_its_root_comes() -> None:
    party = Party("networdz", 3)
    party.link_all()
    host, guest = party.keys[0].key, party.member(1)
    while guest.fold.rounds.get(1) is None:
        assert party.deliver()
    for key in (host, party.keys[2].key):
        guest.receive(key, Share(guest.match, 1, bytes(32)), party.now)
    party.settle()
    assert early_shares(guest) == {host: {}, party.keys[2].key: {}}
    assert guest.hidden.shares.keys() == {(1, guest.me)}
    assert bytes(32) not in guest.hidden.shares.values()


def test_openings_that_come_too_early_are_bounded() -> None:
    party = ready()
    proofs = tuple(Proof(900 + n, 0, bytes(32), ()) for n in range(128))
    more = tuple(Proof(2000 + n, 0, bytes(32), ()) for n in range(9))
    for some in (proofs, more):
        opening = Opening(party.member(1).match, some)
        party.member(1).receive(party.keys[0].key, opening, party.now)
    kept = party.member(1).dealing._early[party.keys[0].key]
    assert len(kept) == 128
    assert all(proof.tile in kept for proof in more)
    assert 900 not in kept


def test_what_an_earlier_host_says_of_a_dropped_history_is_passed_over() -> None:
    party = ready(members=3)
    match = party.member(1)
    tile = wanting(match.fold)[0][0]
    other = party.keys[2].key
    before = dict(match.hidden.shares), dict(match.hidden.proofs)
    match.receive(other, Share(match.match, 1, bytes(32)), party.now)
    match.receive(other, Share(match.match, 7, bytes(32)), party.now)
    own = wanting(match.fold)[1][0]
    for number in (tile, own):
        wrong = Proof(number, 0, bytes(32), ())
        match.receive(other, Opening(match.match, (wrong,)), party.now)
    assert (match.hidden.shares, match.hidden.proofs) == before


def test_a_proof_of_a_deal_that_began_again_is_believed_no_more() -> None:
    party = ready()
    match = party.member(1)
    tile = wanting(match.fold)[1][0]
    kept = match.hidden.proofs[tile]
    match.hidden.proofs[tile] = replace(kept, salt=bytes(32))
    assert match.knows.proof(tile) is None
    opening = Opening(match.match, (kept,))
    match.receive(party.keys[0].key, opening, party.now)
    assert match.knows.proof(tile) == kept

"""Hostile hosts: their peers refuse, and say what was wrong."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.match import dealing
from netplay.messages.log import Entries, Fork, Opening, Root, Share
from netplay.record import chance
from netplay.record.log import Signed, author_data, read_entry
from netplay.record.views import audit
from netplay.wire import pack
from rules.networdz import Pass
from tests.netplay.match.matches import (
    a_turn,
    entered,
    proof_changed,
    ready,
    turn_of,
    until_turn_of,
    wanting,
)
from tests.netplay.party import Party


def refused_by_peer(party: Party, raw: bytes) -> Code:
    with pytest.raises(PeerError) as caught:
        message = Entries(party.member(0).match, (raw,))
        party.member(1).receive(party.keys[0].key, message, party.now)
    return caught.value.code


def forked(party: Party) -> tuple[bytes, Entries, Entries]:
    """Return a host's key, and two entries that it makes in one place."""
    until_turn_of(party, 0)
    host = party.member(0)
    turn = turn_of(host, 0, Pass())
    one, two = entered(party, turn), entered(party, turn, at=10**6)
    key = party.keys[0].key
    return key, Entries(host.match, (one,)), Entries(host.match, (two,))


def test_a_host_cannot_move_for_its_peer() -> None:
    party = ready()
    until_turn_of(party, 1)
    turn = turn_of(party.member(0), 1, Pass())
    assert refused_by_peer(party, entered(party, turn)) is Code.NOT_A_MEMBER


def test_a_host_cannot_enter_an_illegal_move() -> None:
    party = ready()
    until_turn_of(party, 0)
    turn = turn_of(party.member(0), 0, Pass((98,)))
    assert refused_by_peer(party, entered(party, turn)) is Code.ILLEGAL_MOVE


def test_a_host_cannot_lay_a_tile_it_has_not_drawn() -> None:
    party = ready()
    until_turn_of(party, 0)
    forged = proof_changed(a_turn(party, 0), salt=bytes(32))
    assert refused_by_peer(party, entered(party, forged)) is Code.BAD_PROOF


def test_a_host_that_writes_two_histories_is_shown_to_have() -> None:
    party = ready()
    key, one, two = forked(party)
    assert one.entries != two.entries
    peer = party.member(1)
    peer.receive(key, one, party.now)
    peer.receive(key, two, party.now)
    fork = peer.hidden.fork
    assert fork is not None
    assert {fork.first, fork.second} == {*one.entries, *two.entries}
    assert Code.FORK.text in str(peer.stopped)
    assert party.notices[1]
    with pytest.raises(LocalError):
        peer.play(1, pack(Pass()), -1, party.now)


def test_the_proof_of_a_fork_convinces_everybody() -> None:
    party = ready(members=3)
    key, one, two = forked(party)
    party.member(1).receive(key, one, party.now)
    party.member(2).receive(key, two, party.now)
    party.settle()  # their acknowledgements differ, and they compare
    assert party.member(1).hidden.fork is not None
    assert party.member(2).hidden.fork is not None
    assert party.member(0).hidden.fork is not None


def test_the_proof_of_a_fork_outlives_a_crash_and_is_shown_to_who_comes_later() -> None:
    party = ready(members=3)
    key, one, two = forked(party)
    party.crash(2)
    party.member(1).receive(key, one, party.now)
    party.member(1).receive(key, two, party.now)
    party.crash(1)
    party.start(1)
    assert Code.FORK.text in str(party.member(1).stopped)
    party.start(2)
    party.link(1, 2)
    party.settle()
    assert party.member(2).hidden.fork == party.member(1).hidden.fork


def test_who_has_not_heard_of_the_host_learns_of_it_and_of_its_fork() -> None:
    """Its links must not break over a proof that it cannot judge yet."""
    party = ready(members=3)
    until_turn_of(party, 1)
    party.cut(0, 1)
    party.cut(0, 2)
    for n in (1, 2):
        party.member(n).vote(party.now)
    party.wake(1)
    party.wake(2)
    host = party.member(1)
    assert host.host == host.me
    turn, log, own = pack(turn_of(host, 1, Pass())), host.ledger.log, host.signer
    number = log.own(own.key)
    signed = Signed(
        own.key, number, turn, own.sign(author_data(log.match, number, turn))
    )
    for at in (log.at, log.at + 10**6):
        raw = log.compose(own, signed, at).raw
        party.member(2).receive(own.key, Entries(log.match, (raw,)), party.now)
    assert party.member(2).hidden.fork is not None
    party.crash(1)
    behind = party.member(0)
    assert behind.ledger.log.term < party.member(2).ledger.log.term
    party.link(0, 2)
    party.settle()  # where a refusal would end the test
    assert behind.hidden.fork == party.member(2).hidden.fork


def test_what_proves_no_fork_of_a_term_that_comes_later_is_dropped() -> None:
    party = ready(members=3)
    until_turn_of(party, 0)
    key, match = party.keys[1].key, party.member(2)
    turn = turn_of(party.member(0), 0, Pass())
    made = [entered(party, turn), entered(party, turn, at=10**6)]
    raws = [pack(replace(read_entry(raw), term=7)) for raw in made]
    match.receive(key, Fork(match.match, *raws), party.now)
    assert match.hidden.fork is None
    party.play_one(Random(1))
    party.settle()
    assert match.hidden.fork is None


def test_a_fork_is_not_believed_without_two_good_signatures() -> None:
    party = ready()
    raw = party.logs()[0][3]
    for second in (raw, party.logs()[0][4]):
        with pytest.raises(PeerError) as caught:
            proof = Fork(party.member(0).match, raw, second)
            party.member(1).receive(party.keys[0].key, proof, party.now)
        assert caught.value.code is Code.UNEXPECTED
    assert party.member(1).hidden.fork is None


def test_a_withheld_root_stops_the_match_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = dealing._of_chance

    def rootless(*given: Any) -> Iterator[Any]:
        return (one for one in real(*given) if not isinstance(one, Root))

    monkeypatch.setattr(dealing, "_of_chance", rootless)
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    for match in party.running:
        assert match.fold.stuck
        assert not match.fold.over
        assert not match.stopped


def test_a_bag_that_is_not_of_the_agreed_order_fails_the_audit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The host chooses its own order: every draw has a proof, but not the audit."""

    real = chance.Round.draft

    class Crooked(chance.Bag):
        def __init__(self, *arguments: Any) -> None:
            match, number, first, kinds, secret, _ = arguments
            super().__init__(match, number, first, kinds, secret, [b"chosen"])

    def draft(self: Any, match: bytes, kinds: Any, dealer: bytes, secret: bytes) -> Any:
        monkeypatch.setattr(chance, "Bag", Crooked)
        return real(self, match, kinds, dealer, secret)

    monkeypatch.setattr(chance.Round, "draft", draft)
    party = Party("networdz", 2)
    party.link_all()
    party.play_out(Random(1))
    monkeypatch.undo()
    for match in party.running:
        assert Code.BAD_PROOF.text in audit(match.ledger.fold)


def test_an_opening_that_does_not_fit_the_root_ends_the_link() -> None:
    party = ready()
    match = party.member(0)
    tile = wanting(match.fold)[1][0]
    bag = match.knows.whole.bag(tile)
    assert bag is not None
    good = bag.proof(tile)
    bad = type(good)(good.tile, (good.kind + 1) % 26, good.salt, good.path)
    with pytest.raises(PeerError) as caught:
        opening = Opening(match.match, (bad,))
        party.member(1).receive(party.keys[0].key, opening, party.now)
    assert caught.value.code is Code.BAD_PROOF


def test_an_opening_of_anothers_tile_is_a_breach() -> None:
    party = ready()
    match = party.member(0)
    tile = wanting(match.fold)[0][0]
    bag = match.knows.whole.bag(tile)
    assert bag is not None
    with pytest.raises(PeerError) as caught:
        opening = Opening(match.match, (bag.proof(tile),))
        party.member(1).receive(party.keys[0].key, opening, party.now)
    assert caught.value.code is Code.UNEXPECTED


def test_a_share_that_the_root_does_not_know_is_a_breach() -> None:
    party = ready(members=3)
    with pytest.raises(PeerError) as caught:
        share = Share(party.member(0).match, 1, bytes(32))
        party.member(1).receive(party.keys[0].key, share, party.now)
    assert caught.value.code is Code.BAD_PROOF

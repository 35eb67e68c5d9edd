"""Who is sent what of a log."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, PeerError
from netplay.limits import ENTRIES_BYTES
from netplay.match.replica import batches
from netplay.messages.log import (
    ENTRIES_A_FRAME,
    Ack,
    Entries,
    Fork,
    Have,
    Share,
    Submit,
)
from netplay.wire import encode
from rules.game import Resign
from rules.networdz import Pass
from tests.netplay.match.matches import entered, turn_of, until_turn_of
from tests.netplay.party import Party, have


@given(st.lists(st.binary(max_size=30_000), max_size=600))
def test_batches_keep_the_order_and_fit_their_frames(raws: list[bytes]) -> None:
    parts = batches(raws)
    assert [raw for part in parts for raw in part] == raws
    for part in parts:
        assert 0 < len(part) <= ENTRIES_A_FRAME
        assert len(part) == 1 or sum(map(len, part)) <= ENTRIES_BYTES
        encode(Entries(bytes(32), part))


def ready(members: int = 2, moves: int = 4) -> Party:
    party = Party("networdz", members)
    party.link_all()
    party.settle()
    for _ in range(moves):
        party.play_one(Random(1))
        party.settle()
    return party


def test_who_says_that_it_has_nothing_is_sent_everything() -> None:
    party = ready()
    match = party.member(0)
    match.receive(party.keys[1].key, Have(match.match, 0, 0, bytes(32)), party.now)
    sent = [
        raw
        for out in match.outgoing()
        if isinstance(out.message, Entries)
        for raw in out.message.entries
    ]
    assert tuple(sent) == match.ledger.raws(0)


def test_who_has_more_is_told_how_much_we_have() -> None:
    party = ready()
    match = party.member(1)
    more = Have(match.match, 0, len(match.ledger.log) + 3, bytes(32))
    match.receive(party.keys[0].key, more, party.now)
    assert have(match) in [out.message for out in match.outgoing()]


def test_a_gap_is_asked_for() -> None:
    party = ready()
    match = party.member(1)
    raw = party.logs()[0][-1]
    match.ledger.truncate(3)
    match.parts.renew()
    entries = Entries(match.match, (raw,))
    match.receive(party.keys[0].key, entries, party.now)
    assert have(match) in [out.message for out in match.outgoing()]


def test_different_heads_of_one_term_are_compared_until_the_fork_is_proved() -> None:
    for greet in (True, False):
        party = ready()
        until_turn_of(party, 0)
        turn = turn_of(party.member(0), 0, Pass())
        ours, theirs = entered(party, turn), entered(party, turn, at=10**6)
        one, two = party.member(0), party.member(1)
        one.ledger.accept(ours)
        two.ledger.accept(theirs)
        log = two.ledger.log
        said = Have if greet else Ack
        message = (
            Have(log.match, 0, len(log), log.head)
            if said is Have
            else two.replica.ack()
        )
        one.receive(party.keys[1].key, message, party.now)
        party.settle()
        assert two.hidden.fork is not None
        assert one.hidden.fork is not None
        assert isinstance(party.sent[1, 0][-1], Fork | Ack)


def test_an_entry_that_nobodys_host_signed_in_the_place_of_ours_is_a_breach() -> None:
    party = ready()
    raw = bytearray(party.logs()[0][5])
    raw[-1] ^= 1
    with pytest.raises(PeerError) as caught:
        entries = Entries(party.member(1).match, (bytes(raw),))
        party.member(1).receive(party.keys[0].key, entries, party.now)
    assert caught.value.code is Code.BAD_LOG
    assert party.member(1).hidden.fork is None


def test_who_has_no_link_to_the_host_gets_entries_through_another() -> None:
    party = ready(3, 2)
    party.cut(0, 2)
    for _ in range(6):
        if party.movers()[0][0] == 2:
            break
        party.play_one(Random(2))
        party.settle()
    logs = party.logs()
    assert logs[2] == logs[0]


def test_the_same_share_again_changes_nothing() -> None:
    party = ready(3, 0)
    match = party.member(1)
    [(key, share)] = match.hidden.shares.items()
    size = len(party.archives[1].open_secrets(party.terms.nonce).read())
    again = Share(match.match, key[0], share)
    match.receive(party.keys[0].key, again, party.now)
    assert len(party.archives[1].open_secrets(party.terms.nonce).read()) == size
    nobodys = Share(match.match, 9, share)  # of a deal in a history we dropped
    match.receive(party.keys[0].key, nobodys, party.now)
    assert len(party.archives[1].open_secrets(party.terms.nonce).read()) == size


def test_nothing_leaves_before_it_is_on_the_disk() -> None:
    party = ready(2, 0)
    disk = party.archives[0].open(party.terms.nonce)
    until_turn_of(party, 0)
    party.play_one(Random(3))
    data = disk.data  # type: ignore[attr-defined]
    assert disk.synced < len(data)  # type: ignore[attr-defined]
    out = party.member(0).outgoing()
    assert disk.synced == len(data)  # type: ignore[attr-defined]
    guest, before = party.member(1), party.member(1).final
    for one in out:
        guest.receive(party.keys[0].key, one.message, party.now)
    assert guest.final == before < len(guest.ledger.log)
    party.settle()
    assert guest.final == len(guest.ledger.log)


def test_an_entry_is_given_to_all_peers_as_one_message() -> None:
    party = ready(4, 0)
    until_turn_of(party, 0)
    party.play_one(Random(3))
    [out] = [
        out for out in party.member(0).outgoing() if isinstance(out.message, Entries)
    ]
    assert set(out.keys) == {key.key for key in party.keys[1:]}


def test_what_changes_the_electors_is_final_by_those_before_it() -> None:
    party = Party("numlo", 3)
    party.link_all()
    party.settle()
    for n in (1, 2):
        match = party.member(n)
        match.replication.submit(turn_of(match, n, Resign()), party.now)
    for n in (1, 2):  # what they wrote has left them, and no answer reaches them
        for out in party.member(n).outgoing():
            if isinstance(out.message, Submit):
                party.member(0).receive(party.keys[n].key, out.message, party.now)
    host = party.member(0)
    before = len(party.member(1).ledger.log)
    assert host.fold.electors == {host.me}
    assert host.final == before
    party.settle()
    assert host.final == len(host.ledger.log)

"""Members bound by a promise: which terms they follow, and what they stand for."""

from hashlib import sha256
from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.match.effects import BeHost
from netplay.match.match import Match
from netplay.messages.log import Ack, Claim, Entries, Entry, Grant, Have, Term
from netplay.messages.types import BODY_BYTES
from netplay.record.log import Signed, author_data, term_data
from netplay.wire import pack
from tests.netplay.match.elections import isolate, party_of, play_some, resign_of
from tests.netplay.match.matches import claim_of, promise
from tests.netplay.party import Party, have


def test_a_member_that_promised_another_term_acknowledges_no_older_one() -> None:
    party = party_of(3)
    promise(party.member(2), 5)
    party.cut(0, 1)
    party.cut(1, 2)
    before = len(party.logs()[0])
    party.member(0).replication.submit(resign_of(party, 0), party.now)
    for _ in range(6):
        party.deliver()
    bound = party.member(2)
    assert len(bound.ledger.log) == before + 1
    assert bound.members.vouched() == before
    assert bound.replica.ack().number == before
    assert party.member(0).final <= before


def test_what_a_bound_member_stands_for_survives_crashes() -> None:
    party = party_of(3)
    match = party.member(2)
    before = len(match.ledger.log)
    promise(match, 5)
    play_some(party, 1, Random(1))
    party.crash(2)
    party.start(2)
    assert party.member(2).members.vouched() == before
    promise(party.member(2), 9)
    assert party.member(2).members.vouched() == before
    assert party.member(2).hidden.vouched == before


def test_a_bound_member_is_freed_by_the_old_hosts_next_term() -> None:
    party = party_of(3)
    promise(party.member(2), 5)
    play_some(party, 1, Random(1))
    party.wake(1)
    assert party.member(2).members.bound
    party.wake(3)
    party.wake(1)
    assert not party.member(2).members.bound
    assert {match.ledger.log.term for match in party.running} == {7}
    party.play_out(Random(1))
    assert {match.final for match in party.running} == {len(party.logs()[0])}


def test_members_bound_by_promises_with_shorter_logs_catch_up() -> None:
    party = party_of(4)
    promise(party.member(2), 3)
    promise(party.member(3), 5)
    for other in (0, 1, 2):
        party.cut(3, other)
    play_some(party, 1, Random(1))
    party.cut(0, 2)
    party.cut(1, 2)
    lengths = [len(log) for log in party.logs()]
    assert lengths[3] < lengths[0]
    party.crash(0)
    party.link_all()
    for _ in range(70):
        party.wake(1)
    assert {match.members.bound for match in party.running} == {False}
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    assert party.member(1).quorate


def test_a_term_of_old_replaces_none_of_a_newer_one() -> None:
    party = party_of(3)
    old = party.member(1).ledger
    number, head = len(old.log), old.log.head
    votes = []
    for n in (1, 2):
        key = party.keys[n]
        data = term_data(old.log.match, 1, party.keys[1].key, number, head)
        votes.append((n, key.sign(data)))
    body = pack(Term(1, tuple(votes)))
    own = old.log.own(party.keys[1].key)
    sign = party.keys[1].sign(author_data(old.log.match, own, body))
    signed = Signed(party.keys[1].key, own, body, sign)
    late = old.log.compose(party.keys[1], signed, 0, 1).raw
    play_some(party, 3, Random(1))
    claim = Claim(old.log.match, 4, len(old.log), old.log.head)
    party.member(0).receive(party.keys[1].key, claim, party.now)
    party.settle()
    match = party.member(2)
    logs = party.logs()
    assert match.ledger.log.term == 5
    match.receive(party.keys[1].key, Entries(match.match, (late,)), party.now)
    assert party.logs() == logs


def test_a_claimant_that_agreed_to_another_enters_no_term_of_its_own() -> None:
    party = party_of(3)
    isolate(party, 0)
    party.now += 1
    for n in (1, 2):
        party.member(n).replication.do(
            party.member(n).election.wake(party.now), party.now
        )
    party.now += 61
    one, two = party.member(1), party.member(2)
    one.wake(party.now)
    two.replication.on_message(one.me, claim_of(one), party.now)
    [grant] = [out.message for out in two.outgoing() if isinstance(out.message, Grant)]
    log = one.ledger.log
    one.replication.on_message(
        two.me, Claim(log.match, 8, len(log), log.head), party.now
    )
    assert one.hidden.granted == 8
    one.receive(two.me, grant, party.now)
    assert one.ledger.log.term == 0


def test_of_two_claims_of_one_term_at_most_one_is_granted() -> None:
    party = party_of(3)
    isolate(party, 0)
    party.now += 1
    for n in (1, 2):
        party.member(n).replication.do(
            party.member(n).election.wake(party.now), party.now
        )
    party.now += 61
    for n in (1, 2):
        party.member(n).replication.do(
            party.member(n).election.make_claim(party.now), party.now
        )
    one, two = (party.member(n) for n in (1, 2))
    claims = claim_of(one), claim_of(two)
    one.replication.on_message(two.me, claims[1], party.now)
    two.replication.on_message(one.me, claims[0], party.now)
    assert sorted([one.hidden.granted, two.hidden.granted]) == [0, 1]


def apart(rng: Random) -> Party:
    """Return a party of which member 1 has a term that nobody has ever heard of."""
    party = party_of(3)
    while party.movers() != [(0, 0)]:
        play_some(party, 1, rng)
    # Member 1 takes term 1, with member 2's promise, and nobody ever hears of it.
    number = len(party.logs()[0])
    lonely = party.member(1)
    two = party.member(2)
    claim = Claim(lonely.match, 1, number, lonely.ledger.log.head)
    promise(two, 1)
    data = term_data(claim.match, claim.term, lonely.me, claim.number, claim.head)
    votes = ((1, lonely.signer.sign(data)), (2, two.signer.sign(data)))
    isolate(party, 1)
    lonely.replication.do([BeHost(Term(1, votes), 1)], party.now)
    lonely.outgoing()
    # The others go on in term 0, and then in another.
    play_some(party, 1, rng)
    assert len(party.logs()[0]) == number + 1
    for _ in range(6):
        party.wake(1)
    assert party.member(0).ledger.log.term > 1
    assert party.member(0).ledger.log.lines[number].entry.term == 0
    return party


def test_entries_of_an_older_term_before_a_newer_one_replace_a_term_between() -> None:
    rng = Random(2)
    party = apart(rng)
    party.link_all()
    party.settle()
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    party.play_out(rng)
    assert {match.audit() for match in party.running} == {"ok"}


def test_nothing_is_said_any_more_of_a_branch_that_is_dropped() -> None:
    party = apart(Random(2))
    host, lonely = party.member(0), party.member(1)
    lonely.link_up(host.me, party.now)
    lonely.receive(host.me, have(host), party.now)
    lonely.receive(host.me, Entries(host.match, host.ledger.raws(0)), party.now)
    log = lonely.ledger.log
    assert log.heads == host.ledger.log.heads
    said = [out.message for out in lonely.outgoing()]
    places = [(m.number, m.head) for m in said if isinstance(m, Have | Ack)]
    assert places
    assert all(head == log.heads[number] for number, head in places)


def branch_of(match: Match, size: int) -> list[bytes]:
    """Return entries of term 0 in the place of a new host's term, so large in all."""
    log = match.ledger.log
    term = next(n for n, line in enumerate(log.lines) if line.entry.term)
    number, prev, raws = term, log.heads[term], list[bytes]()
    while size:
        empty = Entry(number, 0, prev, 0, bytes(32), 0, b"", *[bytes(64)] * 2)
        room = size if size <= BODY_BYTES else min(BODY_BYTES, size - 1000)
        entry = replace(empty, body=bytes(room))
        over = len(pack(entry)) - room
        raws.append(pack(replace(entry, body=bytes(room - over))))
        size -= len(raws[-1])
        prev, number = sha256(raws[-1]).digest(), number + 1
    return raws


def test_another_history_is_held_beside_the_log_up_to_its_bound() -> None:
    party = party_of(3)
    isolate(party, 0)
    for _ in range(70):
        party.wake(1)
    match = party.member(2)
    assert match.ledger.log.term
    most, before = 4 * 1024 * 1024, party.logs()
    for size in (most, most + 1):
        raws = branch_of(match, size)
        assert sum(map(len, raws)) == size
        for raw in raws[:-1]:
            match.receive(party.keys[1].key, Entries(match.match, (raw,)), party.now)
        last = Entries(match.match, (raws[-1],))
        if size == most:
            match.receive(party.keys[1].key, last, party.now)
            continue
        with pytest.raises(PeerError) as caught:
            match.receive(party.keys[1].key, last, party.now)
        assert caught.value.code is Code.TOO_LARGE
    assert party.logs() == before

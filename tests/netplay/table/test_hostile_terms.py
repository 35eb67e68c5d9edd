"""A host whose terms creep away from what its guest has agreed to."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code
from netplay.messages.door import ChangeTable, Consent, Join, StartMatch
from netplay.messages.log import Entries, Have
from netplay.messages.table import Accept, Decline, Member, Proposal
from netplay.messages.table_questions import StandIn
from netplay.record.chance import ZERO
from netplay.record.ledger import Ledger, make_genesis
from netplay.record.log import match_of, terms_data
from netplay.sentences import Says
from netplay.wire import PeerMessage
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.said import says

PROPOSALS = 2_000


@pytest.fixture
def net() -> Iterator[Net]:
    """A guest that has accepted the terms of a table of two."""
    one = Net("ann", "bob", "eve")
    one.done("ann", table("numlo", "person", "remote", options=SMALL))
    one.done("bob", Join("ann", -1))
    one.settle()
    assert one.status("ann").seats[1].accepted
    yield one
    one.close()


def said(net: Net, proposal: Proposal) -> list[PeerMessage]:
    """Return what the guest answers to terms."""
    net["bob"].tables.receive(net["ann"].key, proposal, net.now)
    return [out.message for out in net["bob"].tables.take_outgoing()]


def test_nobody_looks_on_as_a_member_without_a_seat(net: Net) -> None:
    as_agreed = net["ann"].forming.proposal()
    eve = Member(net["eve"].key, "eve")
    members = (*as_agreed.terms.members, eve)
    terms = replace(as_agreed.terms, members=members)
    (no,) = [
        m
        for m in said(net, replace(as_agreed, revision=9, terms=terms))
        if isinstance(m, Decline | Accept)
    ]
    assert isinstance(no, Decline)
    assert no.code == Code.UNEXPECTED.number


def test_a_guest_is_not_left_without_a_seat(net: Net) -> None:
    as_agreed = net["ann"].forming.proposal()
    seats = tuple(replace(seat, member=0) for seat in as_agreed.terms.seats)
    terms = replace(as_agreed.terms, seats=seats)
    answers = said(net, replace(as_agreed, revision=9, terms=terms))
    assert any(isinstance(answer, Decline) for answer in answers)


@pytest.mark.parametrize("older", [False, True])
def test_a_match_that_begins_by_terms_of_before_is_told_as_changed(
    net: Net, *, older: bool
) -> None:
    """Its host may begin it: all have signed them."""
    ann, bob = net["ann"], net["bob"]
    rules = (("size", "10"), *SMALL[1:])
    proposals = [ann.forming.proposal()]
    net.done("ann", ChangeTable(table("numlo", "person", "remote", options=rules)))
    net.settle()
    net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    net.settle()
    proposals.append(ann.forming.proposal())
    signed = [m.signature for m in ann.got if isinstance(m, Accept)]
    terms, theirs = (proposals[-1 - older].terms, signed[-1 - older])
    signatures = ann.signer.sign(terms_data(terms)), theirs
    begun = Entries(match_of(terms), (make_genesis(ann.signer, terms, signatures),))
    before = len(bob.lines("warning"))
    bob.tables.receive(ann.key, begun, net.now)
    net.settle()
    assert bob.match.match == begun.match
    told = bob.lines("warning")[before:]
    assert [says(line, Says.CHANGED_RULES, name="ann") for line in told] == [
        True
    ] * older


@pytest.mark.parametrize("stands", ["playing", "over", "asleep"])
@pytest.mark.parametrize("kept", [False, True])
def test_a_host_takes_nobody_from_a_match_to_another_of_the_same_table(
    net: Net, stands: str, *, kept: bool
) -> None:
    """It had the guest sign other terms before, as every change of rules does."""
    ann, bob = net["ann"], net["bob"]
    [signed] = [m.signature for m in ann.got if isinstance(m, Accept)]
    terms = ann.forming.proposal().terms
    signatures = ann.signer.sign(terms_data(terms)), signed
    older = Entries(match_of(terms), (make_genesis(ann.signer, terms, signatures),))
    if kept:  # it was begun first, and left
        Ledger(bob.archive.open(older.match), older.entries).file.sync()
    rules = (("size", "10"), *SMALL[1:])
    net.done("ann", ChangeTable(table("numlo", "person", "remote", options=rules)))
    net.settle()
    net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    played = bob.match.match
    assert played != older.match
    if stands == "over":
        for name in ("ann", "bob"):
            net.done(name, StandIn(40))
        net.play_out(Random(1))
    if stands == "asleep":
        net.isolate("bob")
        bob.restart(net.now)
    for message in (Have(older.match, 1, 0, ZERO), older, older):
        bob.tables.receive(ann.key, message, net.now)
    assert [game.match for game in bob.tables.games(net.now)] == [played]
    assert bob.match.match == played
    assert bob.archive.has(older.match) == kept
    net.settle()
    told = [line for line in bob.lines("warning") if says(line, Says.BEGUN_TWICE)]
    assert len(told) == 1


@pytest.mark.parametrize("members", [(1, 0), (1, 1)])
def test_a_guest_that_is_given_another_seat_is_asked(
    net: Net, members: tuple[int, ...]
) -> None:
    as_agreed = net["ann"].forming.proposal()
    pairs = zip(as_agreed.terms.seats, members, strict=True)
    seats = tuple(replace(seat, member=member) for seat, member in pairs)
    changed = replace(
        as_agreed, revision=9, terms=replace(as_agreed.terms, seats=seats)
    )
    assert not any(isinstance(answer, Accept) for answer in said(net, changed))
    shown = net.status("bob")
    assert [what for what, _, _ in shown.changes] == ["players"]
    net.done("bob", Consent(accept=True, revision=9))
    answers = [out.message for out in net["bob"].tables.take_outgoing()]
    assert any(isinstance(answer, Accept) for answer in answers)


def test_a_guest_is_asked_about_other_days_to_think(net: Net) -> None:
    agreed = net["ann"].forming.proposal()
    days = replace(agreed.terms, days=agreed.terms.days + 1)
    assert not any(
        isinstance(answer, Accept)
        for answer in said(net, replace(agreed, revision=9, terms=days))
    )
    assert [what for what, _, _ in net.status("bob").changes] == ["days"]


def test_thousands_of_members_come_and_go_and_leave_nothing() -> None:
    net = Net("ann", "bob")
    net.done("ann", table("numlo", "person", "remote", "remote", options=SMALL[:2]))
    net.done("bob", Join("ann", -1))
    net.settle()
    as_agreed = net["ann"].forming.proposal()
    members, seats = as_agreed.terms.members, as_agreed.terms.seats
    for number in range(PROPOSALS):
        other = Member(number.to_bytes(32, "big"), "x")
        terms = replace(
            as_agreed.terms,
            members=(*members, other),
            seats=(*seats[:2], replace(seats[2], member=2, name="x")),
        )
        places = ("", "", f"10.0.0.1:{number}")
        answers = said(
            net, replace(as_agreed, revision=9 + number, terms=terms, addresses=places)
        )
        assert any(isinstance(answer, Accept) for answer in answers)
    assert len(net["bob"].tables.shared.places) <= 4
    net.close()

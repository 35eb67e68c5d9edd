"""What strangers, and players who cheat, may not do to a table."""

from typing import get_args

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.messages.door import Answer, Join, LeaveTable
from netplay.messages.log import Entries, Have, LogMessage, Opening
from netplay.messages.table import Accept, Ask, Chat, Decline, Proposal, Want
from netplay.messages.table_questions import StandIn
from netplay.record.ledger import make_genesis
from netplay.record.log import match_of
from netplay.record.store import MatchFile
from netplay.sentences import Says
from netplay.table.tables import Tables
from netplay.wire import encode
from rules import GAMES, lexicon
from tests.netplay.joined_nodes import Net, table
from tests.netplay.party import make_terms
from tests.said import says
from tools.protocol.examples import MESSAGES


def test_a_line_by_a_stranger_at_the_table_is_a_breach(net: Net) -> None:
    net.start("bob")
    nonce = net["ann"].chat.nonce
    line = Chat(nonce, net["dan"].key, 0, "hi", bytes(64))
    with pytest.raises(Exception, match="stranger"):
        net["ann"].tables.receive(net["bob"].key, line, net.now)
    other = Chat(bytes(32), net["bob"].key, 0, "hi", bytes(64))
    net["ann"].tables.receive(net["bob"].key, other, net.now)


def test_messages_for_no_table_are_answered_or_ignored(net: Net) -> None:
    net.link("ann", "bob")
    net.settle()
    key, tables = net["bob"].key, net["ann"].tables
    for message in (
        Accept(bytes(32), 0, bytes(64)),
        Decline(b"", 0, 1, "no"),
        Have(bytes(32), 0, 5, bytes(32)),
        Opening(bytes(32), ()),
        Entries(bytes(32), ()),
        Ask(b"", -1),
    ):
        tables.receive(key, message, net.now)
    [no_such, have, decline] = [out.message for out in tables.take_outgoing()]
    assert isinstance(have, Have)
    for said, name in ((no_such, bytes(32)), (decline, b"")):
        assert isinstance(said, Decline)
        assert (said.table, said.code) == (name, Code.NO_TABLE.number)
    tables.receive(key, Want(bytes(32), bytes(32), 0), net.now)
    tables.receive(
        key, Want(bytes(32), bytes.fromhex(lexicon.shipped()["english"]), 0), net.now
    )
    assert not tables.take_outgoing()


OF_A_MATCH = [kind for kind in get_args(LogMessage) if kind not in {Have, Entries}]


@pytest.mark.parametrize("kind", OF_A_MATCH, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("seated", [False, True])
def test_what_is_said_of_a_match_that_is_not_here_yet_is_dropped(
    net: Net, kind: type[LogMessage], *, seated: bool
) -> None:
    if seated:  # at the host's table, where the Ack before the genesis comes from
        net.done("ann", table("numlo", "person", "remote"))
        net.done("bob", Join("ann", -1))
    else:
        net.link("ann", "bob")
    net.settle()
    for message in MESSAGES[kind]:
        net["bob"].tables.receive(net["ann"].key, message, net.now)
    assert net["bob"].tables.take_outgoing() == []
    assert not net["bob"].archive.disks


def test_a_genesis_of_others_or_of_another_name_is_a_breach(net: Net) -> None:
    net.start("bob")
    match = net["ann"].match
    raw = match.ledger.raws(0)[0]
    net.link("ann", "cyd")
    peers, ann = net["cyd"].tables.shared.peers, net["ann"].key
    peers[ann] = replace(peers[ann], friend=False)
    for name, why, code in (
        (match.match, "no seat", Code.NOT_A_MEMBER),
        (bytes(32), "another match", Code.BAD_LOG),
    ):
        with pytest.raises(PeerError, match=why) as caught:
            net["cyd"].tables.receive(net["ann"].key, Entries(name, (raw,)), net.now)
        assert caught.value.code is code
    with pytest.raises(PeerError) as caught:
        net["ann"].tables.receive(
            net["cyd"].key, Have(match.match, 0, 0, bytes(32)), net.now
        )
    assert caught.value.code is Code.NOT_A_MEMBER


def test_two_who_both_lack_a_match_do_not_tell_each_other_for_ever(net: Net) -> None:
    net.link("ann", "bob")
    net.settle()
    for number in (0, 5):  # of a match that one had, and has lost
        have = Have(bytes(32), 0, number, bytes(32))
        net.wire.append(("ann", "bob", encode(have)))
        net.settle(20)


def proposed(net: Net) -> Proposal:
    """Let ann form a table to which bob would come; return what she proposes."""
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote"))
    forming = net["ann"].forming
    return forming.proposal()


def test_a_proposal_by_somebody_who_is_not_its_host_is_a_breach(net: Net) -> None:
    proposal = proposed(net)
    net.link("cyd", "bob")
    with pytest.raises(PeerError) as caught:
        net["bob"].tables.receive(net["cyd"].key, proposal, net.now)
    assert caught.value.code is Code.UNEXPECTED


def test_a_guest_with_other_rules_declines_in_words(net: Net) -> None:
    good = proposed(net)
    net.link("ann", "bob")
    terms = replace(good.terms, rules=99)
    net["bob"].tables.receive(
        net["ann"].key, Proposal(1, terms, (), "ask", b""), net.now
    )
    outs = [out.message for out in net["bob"].tables.take_outgoing()]
    [decline] = [out for out in outs if isinstance(out, Decline)]
    assert decline.code == Code.RULES.number
    assert says(decline.reason, Says.RULES_VERSION, rules=99)
    assert says(net.status("bob").waiting, Says.RULES_VERSION, rules=99)


def test_what_a_host_says_of_its_table_is_shown_clean(net: Net) -> None:
    good = proposed(net).terms
    net.link("ann", "bob")
    terms = replace(
        good,
        game="num\x1b[2Jlo",
        members=tuple(replace(m, name="An\x07n") for m in good.members),
        seats=tuple(replace(seat, name="\u202eAnn") for seat in good.seats),
    )
    net["bob"].tables.receive(
        net["ann"].key, Proposal(1, terms, (), "ask", b""), net.now
    )
    shown = net.status("bob")
    assert (shown.game, shown.host) == ("num[2Jlo", "Ann")
    assert {seat.name for seat in shown.seats} == {"Ann"}
    assert all(line.isprintable() for line in [str(shown.waiting), shown.host])


def test_a_genesis_that_is_not_signed_leaves_no_file(net: Net) -> None:
    eve, bob = net["ann"].signer, net["bob"].signer
    terms = make_terms("numlo", [eve, bob], GAMES["numlo"].ABOUT.options())
    forged = make_genesis(eve, terms, (bytes(64), bytes(64)))
    net.link("ann", "bob")
    tables, name = net["bob"].tables, match_of(terms)
    with pytest.raises(PeerError):
        tables.receive(eve.key, Entries(name, (forged,)), net.now)
    assert not net["bob"].archive.disks
    tables.receive(eve.key, Have(name, 0, 0, bytes(32)), net.now)
    assert net["bob"].table.match is None


def test_a_file_without_its_genesis_is_no_match_and_is_filled_again(net: Net) -> None:
    net.start("bob")
    net.isolate("bob")
    match = net["ann"].match
    archive = net["bob"].archive
    archive.disks.clear()
    MatchFile(archive.open(match.match))
    net["bob"].restart(net.now)
    assert net["bob"].table.match is None
    net.settle()
    net.done("bob", StandIn(40))
    taken = net["bob"].match
    assert taken.ledger.raws(0) == match.ledger.raws(0)


def test_a_stranger_does_not_put_a_kept_match_in_hand(net: Net) -> None:
    net.start("bob")
    match = net["bob"].match
    name, raw = match.match, match.ledger.raws(0)[0]
    net.done("bob", LeaveTable())
    net.settle()
    net.isolate("bob")
    net.link("cyd", "bob")
    net["bob"].tables.take_outgoing()
    for message in (Have(name, 0, 0, bytes(32)), Entries(name, (raw,))):
        net["bob"].tables.receive(net["cyd"].key, message, net.now)
        assert net["bob"].tables.take_outgoing() == []
        assert net["bob"].table.match is None
        assert net["bob"].archive.in_hand() == {}


def test_a_stranger_does_not_make_others_matches_begin_here(net: Net) -> None:
    net.start("bob")
    match = net["bob"].match
    raw = match.ledger.raws(0)[0]
    net["bob"].tables = Tables(net["bob"].means(), "bob")
    net["bob"].archive.disks.clear()
    net.link("cyd", "bob")
    with pytest.raises(PeerError) as caught:
        net["bob"].tables.receive(net["cyd"].key, Entries(match.match, (raw,)), net.now)
    assert caught.value.code is Code.NOT_A_MEMBER
    assert not net["bob"].archive.disks


def test_a_member_that_leaves_and_comes_back_without_end_is_hung_up_on(
    net: Net,
) -> None:
    """Each time is written down and synced: nothing else would be done meanwhile."""
    net.start("bob")
    match, tables, key = net["ann"].match, net["ann"].tables, net["bob"].key
    assert match is not None
    log = match.ledger.log
    back = Have(match.match, log.term, len(log), log.head)
    leaves = Decline(match.fold.terms.nonce, 0, Code.STOPPED.number, "bye")

    def leave_and_come_back(times: int) -> None:
        for _ in range(times):
            tables.receive(key, leaves, net.now)
            tables.receive(key, back, net.now)

    leave_and_come_back(5)  # as people do
    with pytest.raises(PeerError) as caught:
        leave_and_come_back(100)
    assert caught.value.code is Code.TOO_MANY
    net.now += 3600
    tables.receive(key, leaves, net.now)
    assert net.status("ann").phase == "stopped"

"""Friends, those the player has never said yes to, and what both may do to a table."""

from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import PIECES_AT_ONCE
from netplay.messages.door import Answer, Consent, Join, LeaveTable, StartMatch
from netplay.messages.log import Ack, Entries, Have, Position
from netplay.messages.table import Attend, Decline, Piece, Proposal, Want
from netplay.record.log import read_entry
from netplay.record.store import MatchFile
from netplay.sentences import Says
from netplay.wire import pack, unpack
from rules import GAMES, lexicon
from tests.netplay.joined_nodes import Net, table
from tests.said import says

ENGLISH = bytes.fromhex(lexicon.shipped()["english"])


def strange(net: Net, a: str, b: str) -> None:
    """Make somebody a stranger to another, on a link that is there."""
    peers = net[a].tables.shared.peers
    peers[net[b].key] = replace(peers[net[b].key], friend=False)


def call(net: Net) -> None:
    """Let ann, whom bob does not know, call bob to a table."""
    net.link("ann", "bob")
    strange(net, "bob", "ann")
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()


def test_a_call_by_somebody_unknown_waits_for_the_player(net: Net) -> None:
    net.done("bob", Answer(on=True))
    call(net)
    bob = net["bob"].tables
    assert bob.mode() == "answering"
    assert net.status("bob").called
    assert not net.status("bob").waiting
    assert not net.status("ann").seats[1].accepted
    assert not bob.expects(net["ann"].key)
    net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    net.settle()
    assert net.status("ann").seats[1].accepted
    assert not net.status("bob").called
    assert bob.take_friends() == (net["ann"].key,)
    assert bob.take_friends() == ()


@pytest.mark.parametrize("by", [Consent(accept=False, revision=1), LeaveTable()])
def test_a_call_is_declined(net: Net, by: Consent | LeaveTable) -> None:
    net.done("bob", Answer(on=True))
    call(net)
    if isinstance(by, Consent):
        by = replace(by, revision=net.status("bob").revision)
    net.done("bob", by)
    net.settle()
    assert net["bob"].tables.table_status(net.now) is None
    assert net.status("ann").seats[1].state == "awaited"


def test_the_first_who_calls_may_be_sat_down_with_unasked(net: Net) -> None:
    net.done("bob", Answer(on=True, first=True))
    call(net)
    assert net.status("ann").seats[1].accepted
    assert net["bob"].tables.take_friends() == ()
    net.done("bob", LeaveTable())
    net.done("ann", LeaveTable())
    net.settle()
    call(net)
    assert net.status("bob").called


def test_a_call_by_somebody_unknown_waits_beside_a_friends_table_and_ones_own(
    net: Net,
) -> None:
    net.done("bob", Answer(on=True))
    call(net)
    net.link("cyd", "bob")
    net.done("cyd", table("numlo", "person", "remote:bob"))
    net.settle()
    assert net.status("bob").host == "cyd"
    net.done("bob", table("numlo", "person", "computer"))
    net.settle()
    games = net["bob"].tables.games(net.now)
    assert [(one.table, one.mode, one.mine) for one in games] == [
        (1, "called", True),
        (2, "joined", False),
        (3, "hosting", False),
    ]
    assert not any(isinstance(message, Decline) for message in net["ann"].got)
    net.done("bob", Consent(accept=True, revision=1), on=1)
    net.settle()
    assert net.status("ann").seats[1].accepted


def test_who_is_at_the_table_gets_its_files_and_not_for_ever(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    tables, key = net["ann"].tables, net["bob"].key
    nonce = net["ann"].forming.nonce
    fetched = sum(isinstance(message, Want) for message in net["ann"].got)
    other = bytes.fromhex(lexicon.shipped()["french"])
    tables.receive(key, Want(nonce, other, 0), net.now)
    assert not tables.take_outgoing()
    net.link("ann", "cyd")
    tables.take_outgoing()
    tables.receive(net["cyd"].key, Want(nonce, ENGLISH, 0), net.now)
    assert not tables.take_outgoing()
    with pytest.raises(PeerError) as caught:
        for _ in range(10_000):
            tables.receive(key, Want(nonce, ENGLISH, 0), net.now)
    assert caught.value.code is Code.TOO_MANY
    out = [each.message for each in tables.take_outgoing()]
    assert len(out) == PIECES_AT_ONCE - fetched
    assert all(isinstance(message, Piece) for message in out)


def test_a_match_that_is_over_is_not_put_in_hand_again_but_its_end_is_given(
    net: Net,
) -> None:
    net.start("bob")
    net.play_out(Random(3))
    assert {net.status(name).audit for name in ("ann", "bob")} == {"ok"}
    match = net["bob"].match
    log = match.ledger.log
    for name in ("ann", "bob"):
        net.done(name, LeaveTable())
    net.settle()
    key, tables = net["bob"].key, net["ann"].tables
    whole, part = Have(log.match, log.term, len(log), log.head), len(log) - 3
    behind = Have(log.match, log.lines[part - 1].entry.term, part, log.heads[part])
    for have in (whole, behind):
        tables.receive(key, have, net.now)
    assert tables.table_status(net.now) is None
    out = [each.message for each in tables.take_outgoing()]
    (entries,) = [message for message in out if isinstance(message, Entries)]
    assert entries.entries == match.ledger.raws(part)
    tables.receive(key, Entries(log.match, match.ledger.raws(0)), net.now)
    assert tables.table_status(net.now) is None


def test_who_speaks_of_an_old_match_without_end_has_it_read_seldom(net: Net) -> None:
    """Each time it is checked move by move, and nothing else is done meanwhile."""
    net.start("bob")
    net.play_out(Random(3))
    match = net["bob"].match
    have = Have(match.match, 0, 1, match.ledger.log.heads[1])
    size = sum(map(len, match.ledger.raws(0)))
    for name in ("ann", "bob"):
        net.done(name, LeaveTable())
    net.settle()
    key, tables = net["bob"].key, net["ann"].tables

    def answered(times: int) -> int:
        for _ in range(times):
            tables.receive(key, have, net.now)
        out = [each.message for each in tables.take_outgoing()]
        return sum(isinstance(message, Ack) for message in out)

    assert answered(4) == 4
    flood = 2 * 1024 * 1024 // size
    assert 0 < answered(flood) <= flood // 2
    assert answered(1) == 0
    net.wake(3600)
    assert answered(1) == 1


def test_a_match_that_is_over_takes_its_end_into_its_file_where_a_member_has_more(
    net: Net,
) -> None:
    net.start("bob")
    net.play_out(Random(3))
    match = net["bob"].match
    log, raws = match.ledger.log, match.ledger.raws(0)
    assert isinstance(log.lines[-1].body, Position)  # the match was over before
    for name in ("ann", "bob"):
        net.done(name, LeaveTable())
    net.settle()
    key, tables = net["bob"].key, net["ann"].tables
    archive = tables.shared.means.archive
    file = MatchFile(archive.open(log.match))
    file.keep(raws[:-1])
    file.close()
    tables.receive(key, Have(log.match, log.term, len(log), log.head), net.now)
    part = len(log) - 1
    behind = Have(log.match, log.lines[part - 1].entry.term, part, log.heads[part])
    ack, have = [each.message for each in tables.take_outgoing()]
    assert isinstance(ack, Ack)
    assert have == behind  # who has more sends it
    forged = replace(read_entry(raws[-1]), host_signature=bytes(64))
    with pytest.raises(PeerError, match="signature"):
        tables.receive(key, Entries(log.match, (pack(forged),)), net.now)
    tables.receive(key, Entries(log.match, raws[-2:]), net.now)
    (ack,) = [each.message for each in tables.take_outgoing()]
    assert isinstance(ack, Ack)
    assert ack.number == len(log)
    assert tables.table_status(net.now) is None
    kept = MatchFile(archive.open(log.match))
    assert tuple(kept.entries) == raws
    kept.close()


def test_peers_that_have_gone_are_forgotten(net: Net) -> None:
    tables = net["ann"].tables
    for number in range(100):
        key = number.to_bytes(32, "big")
        tables.peer_up(key, f"visitor {number}", "", net.now, friend=False)
        tables.receive(key, Attend(b""), net.now)
        tables.peer_down(key, net.now)
    assert not tables.shared.peers
    net.done("ann", table("numlo", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.cut("ann", "bob")
    assert net["bob"].key in tables.shared.peers


def visit(net: Net, number: int) -> None:
    """Let somebody new ask ann to watch, and go."""
    tables, key = net["ann"].tables, (number + 1).to_bytes(32, "big")
    tables.peer_up(key, f"visitor {number}", "", net.now, friend=False)
    tables.receive(key, Attend(b""), net.now)
    net.settle()
    tables.peer_down(key, net.now)
    net.settle()


@pytest.mark.parametrize("computers", [True, False])
def test_two_hundred_who_would_like_to_watch_are_few_lines_at_both_players(
    net: Net, *, computers: bool
) -> None:
    net.start("bob", computers=computers)
    net.settle()
    for name in ("ann", "bob"):
        net[name].pushes.clear()
    for number in range(200):
        visit(net, number)
    for name in ("ann", "bob"):
        assert len(net[name].lines("system")) <= 8
    net["bob"].pushes.clear()
    for number in (200, 201):  # that some are missing is said once
        net.now += 1000
        visit(net, number)
    said = net["bob"].lines("system")
    assert sum(says(line, Says.STRANGERS_LEFT_OUT) for line in said) == 1


def test_an_offer_over_and_over_is_asked_about_a_few_times(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.link("ann", "bob")
    strange(net, "bob", "ann")
    net.done("ann", table("networdz", "person", "remote:bob"))
    forming = net["ann"].forming
    proposal: Proposal = forming.proposal()
    tables, key = net["bob"].tables, net["ann"].key
    for _ in range(50):
        tables.receive(key, proposal, net.now)
        tables.receive(key, Decline(forming.nonce, 0, 15, "no"), net.now)
    net.settle()
    assert len(net["bob"].lines("system")) <= 3


def test_a_stranger_at_an_open_table_says_little_and_is_trusted_with_the_match(
    net: Net,
) -> None:
    net.done("ann", table("numlo", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.dial()
    strange(net, "ann", "bob")
    net.settle()
    tables, key = net["ann"].tables, net["bob"].key
    net["ann"].pushes.clear()
    talk = net["bob"].chat.talk
    for number in range(40):  # at its own pace, and all at once
        tables.receive(key, talk.say(f"line {number}", net.now + 60 * number), net.now)
    net.settle()
    assert len(net["ann"].lines("chat")) <= 10
    assert tables.expects(key)
    assert not tables.trusts(key)
    net.done("ann", StartMatch())
    net.settle()
    assert tables.trusts(key)
    assert tables.take_friends() == (key,)


@pytest.mark.parametrize("first", [True, False])
def test_those_who_have_begun_a_match_together_are_no_strangers_afterwards(
    net: Net, *, first: bool
) -> None:
    net.done("bob", Answer(on=True, first=first))
    call(net)
    strange(net, "ann", "bob")
    if not first:
        net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
        net.settle()
    net["bob"].tables.take_friends()
    net.done("ann", StartMatch())
    net.settle()
    assert net["ann"].tables.take_friends() == (net["bob"].key,)
    net.done("ann", LeaveTable())
    net.done("bob", LeaveTable())
    net.done("bob", Answer(on=False))
    net.settle()

    net["ann"].got.clear()

    net.done("ann", table("numlo", "person", "remote:bob"))
    net.settle()

    assert not any(isinstance(message, Decline) for message in net["ann"].got)
    assert net.status("bob").called
    assert net["bob"].tables.shared.knows(net["ann"].key)
    assert net["ann"].tables.shared.knows(net["bob"].key)


def test_players_of_one_match_are_no_strangers_though_neither_has_called_the_other(
    net: Net,
) -> None:
    net.part("bob", "cyd")
    for name in ("bob", "cyd"):
        net.done(name, Join("ann", -1))
    net.done("ann", table("numlo", "person", "remote", "remote"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    tables, key = net["bob"].tables, net["cyd"].key
    assert key not in tables.take_friends()
    net.apart.clear()
    net.now += 1
    tables.peer_up(key, "cyd", "cyd:1", net.now, friend=False)
    net.settle()
    assert tables.take_friends() == (key,)
    assert tables.shared.peers[key].friend


def test_who_is_joined_is_a_friend_and_who_sits_beside_is_none(net: Net) -> None:
    net.done("ann", table("numlo", "person", "remote", "remote"))
    net.done("bob", Join("ann", -1))
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert net["bob"].tables.take_friends() == (net["ann"].key,)
    assert net["bob"].tables.shared.is_up(net["cyd"].key)
    assert net["ann"].tables.take_friends() == ()


def test_words_that_a_host_puts_in_place_of_others_are_not_fetched_unasked(
    net: Net,
) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    forming = net["ann"].forming
    good, unknown = forming.proposal(), bytes(range(32))
    options = unpack(good.terms.options, GAMES["networdz"].ABOUT.options)
    other = pack(replace(options, lexicon=unknown.hex()))
    terms = replace(good.terms, lexicon=unknown, options=other)
    changed = replace(good, revision=good.revision + 1, terms=terms)
    tables, key = net["bob"].tables, net["ann"].key
    tables.receive(key, changed, net.now)
    assert not any(isinstance(out.message, Want) for out in tables.take_outgoing())
    net.done("bob", Consent(accept=True, revision=changed.revision))
    wants = [out.message for out in tables.take_outgoing()]
    assert wants[:1] == [Want(good.terms.nonce, unknown, 0)]

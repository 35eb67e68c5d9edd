"""Seats handed to somebody else by consent."""

from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.messages.door import Answer, Consent, LeaveTable, Play, Say, StartMatch
from netplay.messages.log import Consent as Consent_
from netplay.messages.log import Entries, Term
from netplay.messages.table import Days
from netplay.messages.table_questions import (
    AnswerWatcher,
    HandSeat,
    StandIn,
    Vote,
    WatchAt,
)
from netplay.record.log import Signed, author_data, term_data
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES
from tests.netplay.joined_nodes import SMALL, Net, table


def begin(net: Net, *answering: str, days: Days = 1) -> None:
    """Begin a match of two at other nodes and a computer here; dan is there, too."""
    for guest in answering or ("bob", "cyd", "dan"):
        net.done(guest, Answer(on=True))
        net.done(guest, StandIn(30))
    seats = ("computer:30", "remote:bob", "remote:cyd")
    net.done("ann", replace(table("numlo", *seats, options=SMALL[:2]), days=days))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()


def hand(net: Net, names: tuple[str, ...], seat: int, who: str) -> None:
    for name in names:
        net.done(name, HandSeat(seat, who))
        net.settle()


def test_a_seat_passes_to_another_member_when_all_others_agree(net: Net) -> None:
    net.start("bob", "cyd")
    for _ in range(4):
        net.think(Random(1))
        net.settle()
    net.isolate("cyd")
    gone = net.nodes.pop("cyd")
    hand(net, ("bob",), 2, "bob")
    assert net.status("ann").seats[2].state == "away"
    assert str(Says.AGREES_TO_HAND(name="bob", other="bob", seat="cyd")) in net[
        "ann"
    ].lines("system")
    hand(net, ("ann",), 2, "bob")
    assert net.status("ann").seats[2].name == "bob"
    assert net.status("bob").seats[2].kind == "person"
    net.play_out(Random(1))
    assert {net.status(name).audit for name in ("ann", "bob")} == {"ok"}
    gone.tables.close()


def test_a_seat_passes_to_a_new_player_who_waits_to_be_called(net: Net) -> None:
    net.start("bob", "cyd", game="networdz")
    for _ in range(5):
        net.think(Random(2))
        net.settle()
    net.isolate("cyd")
    gone = net.nodes.pop("cyd")
    net.done("dan", Answer(on=True))
    net.done("dan", StandIn(30))
    net.link("ann", "dan")
    net.link("bob", "dan")
    hand(net, ("ann", "bob"), 2, "dan")
    assert [seat.name for seat in net.status("dan").seats][2] == "dan"
    net.play_out(Random(2))
    assert {net.status(name).audit for name in ("ann", "bob", "dan")} == {"ok"}
    gone.tables.close()


@pytest.mark.parametrize("days", [0, 1])
def test_who_has_not_heard_of_a_new_player_yet_hangs_up_on_nobody(
    net: Net, days: Days
) -> None:
    """They may be at another game, which would be interrupted."""
    begin(net, days=days)
    net.link("ann", "dan")
    net.link("cyd", "dan")
    hand(net, ("cyd",), 1, "dan")
    for other in ("ann", "bob"):
        net.part(other, "cyd")
    hand(net, ("ann",), 1, "dan")
    for name in ("ann", "dan"):  # whose turn it is has not heard of dan
        shown = net.status(name)
        assert (shown.phase, shown.waiting) == ("paused", "cyd")
    net.done("dan", Say("hello"))
    net.settle(2000)
    assert not net["cyd"].errors
    assert frozenset(("cyd", "dan")) in net.links
    net.apart.clear()
    net.play_out(Random(3))
    assert not any(node.errors for node in net.nodes.values())
    assert net["cyd"].lines("chat") == ["hello"]
    assert {net.status(name).audit for name in ("ann", "cyd", "dan")} == {"ok"}


@pytest.mark.parametrize("opened", [True, False])
def test_a_giver_and_a_closed_match_hang_up_on_no_new_player(
    net: Net, *, opened: bool
) -> None:
    """Who had the seat agrees to nothing; a match on disk has nothing in hand."""
    begin(net)
    net.link("ann", "dan")
    net.link("bob", "dan")
    net.link("cyd", "dan")
    if opened:
        net.done("cyd", table("hexagrams", "person", "remote:dan"))
        net.settle()
        net.done("cyd", StartMatch(), on=2)
        net.settle()
        hand(net, ("bob",), 2, "dan")
    else:
        hand(net, ("cyd",), 1, "dan")
        net.done("cyd", LeaveTable())
    for other in ("ann", "bob"):
        net.part(other, "cyd")
    hand(net, ("ann",), 2 if opened else 1, "dan")
    numlo = net.games("dan")["numlo"]
    net.done("dan", Say("hello"), on=numlo.table)
    net.settle(2000)
    assert numlo.phase == ("playing" if opened else "paused")
    assert not net["cyd"].errors
    assert frozenset(("cyd", "dan")) in net.links
    net.apart.clear()
    net.settle(2000)
    assert "dan" in [seat.name for seat in net.status_of("ann", "numlo").seats]
    assert not any(node.errors for node in net.nodes.values())


@pytest.mark.parametrize("state", ["in hand", "closed", "host"])
def test_who_was_away_from_all_that_passed_its_seat_on_hangs_up_on_no_new_player(
    net: Net, state: str
) -> None:
    """Nobody has told it of anything, and the new player is the first it meets."""
    begin(net)
    giver, seat = ("ann", 0) if state == "host" else ("cyd", 2)
    others = sorted({"ann", "bob", "cyd"} - {giver})
    for other in others:
        net.part(other, giver)
        net.link(other, "dan")
    if state == "closed":
        net.done(giver, LeaveTable())
    if state == "host":
        for other in others:
            net.done(other, Vote())
        net.settle(2000)
    hand(net, tuple(others), seat, "dan")
    numlo = net.games("dan")["numlo"]
    assert numlo.phase == "playing"
    net.link(giver, "dan")
    net.settle(2000)
    net.done("dan", Say("hello"), on=numlo.table)
    net.settle(2000)
    assert not net[giver].errors
    assert not net["dan"].errors
    assert frozenset((giver, "dan")) in net.links
    net.apart.clear()
    net.settle(2000)
    names = [one.name for one in net.status_of(others[0], "numlo").seats]
    assert names[seat] == "dan"
    assert not {name: node.errors for name, node in net.nodes.items() if node.errors}


def test_a_new_player_who_has_looked_on_at_who_was_away_is_not_hung_up_on(
    net: Net,
) -> None:
    net.done("dan", StandIn(30))
    begin(net, "bob", "cyd")
    net.done("dan", WatchAt("cyd"))
    net.settle()
    for name in ("ann", "bob", "cyd"):
        net.done(name, AnswerWatcher(allow=True, whom="dan"))
        net.settle()
    assert net["dan"].tables.mode() == "watching"
    for other in ("ann", "bob"):
        net.part(other, "cyd")
        net.link(other, "dan")
    hand(net, ("ann", "bob"), 2, "dan")
    assert net["dan"].tables.mode() == "joined"
    net.settle(2000)
    net.done("dan", Say("hello"))
    net.settle(2000)
    assert not net["cyd"].errors
    assert not net["dan"].errors
    net.apart.clear()
    net.settle(2000)
    assert [seat.name for seat in net.status("cyd").seats][2] == "dan"
    assert not {name: node.errors for name, node in net.nodes.items() if node.errors}


@pytest.mark.parametrize("by", ["person", "computer"])
def test_who_is_taken_for_lost_by_the_other_of_two_waits_for_that_one(
    net: Net, by: str
) -> None:
    """The other may say so, and then hand on no seat (H5): nothing can be entered."""
    net.start("bob", computers=by == "computer")
    while net.status("ann").turn != (1,):
        seat = net["ann"].match
        move = next(iter(GAMES["numlo"].moves(seat.fold.state, 0)))
        net.done("ann", Play(0, pack(move), 10_000))
        net.settle()
    ann, bob, liar = net["ann"], net["bob"], net["ann"].match.signer
    log = ann.match.ledger.log
    place = log.match, log.term + 1, ann.key, len(log), log.head
    body = pack(Term(0, ((0, liar.sign(term_data(*place))),)))
    own = log.own(ann.key)
    proof = liar.sign(author_data(log.match, own, body))
    signed = Signed(ann.key, own, body, proof)
    raw = log.compose(liar, signed, log.at, log.term + 1).raw
    bob.tables.receive(ann.key, Entries(log.match, (raw,)), net.now)
    net.settle()
    assert bob.match.fold.gone == bob.key
    shown = net.status("bob")
    assert (shown.phase, shown.waiting) == ("paused", "ann")
    assert not bob.tables.wants().thoughts
    net.done("bob", LeaveTable())


def test_a_friend_who_waits_for_no_calls_is_asked_whether_to_take_a_seat(
    net: Net,
) -> None:
    """Nobody hangs up, which would end what else the two are at."""
    net.start("bob", "cyd")
    net.isolate("cyd")
    gone = net.nodes.pop("cyd")
    net.link("ann", "dan")
    net.link("bob", "dan")
    hand(net, ("ann", "bob"), 2, "dan")
    net.settle()
    assert not net["dan"].errors
    assert len(net["dan"].tables.places) == 1
    assert net.status("dan").called
    net.done("dan", Consent(accept=True, revision=0))
    net.settle()
    net.done("dan", StandIn(30))
    net.play_out(Random(2))
    assert {net.status(name).audit for name in ("ann", "bob", "dan")} == {"ok"}
    gone.tables.close()


def test_a_seat_of_persons_at_one_computer_passes_to_nobody_elsewhere(net: Net) -> None:
    """Their match has a key of its own: who got the seat would never be let in."""
    net.done("ann", table("hexagrams", "person:A", "person:B"))
    net.done("ann", StartMatch())
    net.link("ann", "bob")
    net.done("bob", Answer(on=True))
    assert net.failed("ann", HandSeat(1, "bob")) is Code.USAGE
    net.settle()
    assert [seat.state for seat in net.status("ann").seats] == ["here", "here"]


def test_handing_over_what_cannot_be_is_refused(net: Net) -> None:
    assert net.failed("ann", HandSeat(0, "bob")) is Code.NO_TABLE
    net.start("bob")
    for wrong in ((8, "bob"), (1, "bob"), (1, "zoe")):
        assert net.failed("ann", HandSeat(*wrong)) is Code.USAGE


def test_a_consent_with_a_bad_signature_or_seat_is_a_breach(net: Net) -> None:
    net.start("bob", "cyd")
    match = net["ann"].match
    for seat, code in ((2, Code.BAD_SIGNATURE), (3, Code.UNEXPECTED)):
        consent = Consent_(match.match, seat, net["bob"].key, "bob", bytes(64))
        with pytest.raises(PeerError) as caught:
            net["ann"].tables.receive(net["bob"].key, consent, net.now)
        assert caught.value.code is code

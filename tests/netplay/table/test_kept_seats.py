"""Seats that are kept for somebody, and players who are not wanted."""

import pytest

from netplay.errors import Code
from netplay.fingerprint import fingerprint
from netplay.messages.door import Answer, Consent, Join, LeaveTable, Say, StartMatch
from netplay.messages.table import Decline
from netplay.messages.table_questions import Kick
from netplay.peering import invitation
from netplay.peering.peers import KnownPeers
from netplay.sentences import Says
from netplay.table.forming import may_take
from tests.netplay.joined_nodes import Net, table
from tests.said import says

BERT, EVE = b"b" * 32, b"e" * 32
KEPT = invitation.write(["203.0.113.5"], BERT, 4770)


def names(net: Net, name: str = "ann") -> list[str]:
    return [seat.name for seat in net.status(name).seats]


def comes(net: Net, name: str, ip: str, port: int = 4770) -> None:
    """Let somebody dial ann from an address, and ask for a seat."""
    node = net[name]
    net.links.add(frozenset((name, "ann")))
    node.tables.peer_up(net["ann"].key, "ann", "ann", net.now)
    net["ann"].tables.peer_up(node.key, name, f"{ip}:{port}", net.now)
    net.settle()


def test_a_seat_kept_for_an_invitation_waits_for_its_key() -> None:
    known = KnownPeers(None)
    for wanted in (KEPT, fingerprint(BERT), fingerprint(BERT).lower()):
        assert may_take(wanted, BERT, "198.51.100.9:999", known)
        assert not may_take(wanted, EVE, "203.0.113.5:4770", known)
    assert not may_take("netplay:broken", BERT, "203.0.113.5:4770", known)


def test_a_seat_at_an_address_where_a_key_is_trusted_waits_for_that_key() -> None:
    known = KnownPeers(None)
    known.met(BERT, "Bert", "203.0.113.5:4770", dialled=True)
    for wanted in ("203.0.113.5", "203.0.113.5:4770"):
        assert may_take(wanted, BERT, "198.51.100.9:999", known)
        assert not may_take(wanted, EVE, "203.0.113.5:4770", known)


@pytest.mark.parametrize(
    ("wanted", "came_from", "taken"),
    [
        ("203.0.113.5", "203.0.113.5:61000", True),
        ("203.0.113.5:4771", "203.0.113.5:61000", True),
        ("203.0.113.5", "203.0.113.6:4770", False),
        ("[2001:db8::1]:4770", "[2001:db8::ffff]:61000", True),
        ("[2001:db8::1]:4770", "[2001:db8:1::1]:4770", False),
        ("bert.example", "bert.example", True),  # it was dialled there
        ("bert.example", "203.0.113.5:4770", False),
        ("203.0.113.5", "", False),
        ("", "203.0.113.5:4770", False),
    ],
)
def test_who_comes_from_the_address_gets_the_seat_through_any_port(
    wanted: str, came_from: str, *, taken: bool
) -> None:
    assert may_take(wanted, EVE, came_from, KnownPeers(None)) is taken


def test_whoever_asks_first_does_not_get_the_seat_of_another(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote:203.0.113.5 my friend"))
    net.done("cyd", Join("ann", -1))
    comes(net, "cyd", "198.51.100.9")
    assert names(net) == ["ann", ""]
    assert says(net["cyd"].lines("error")[-1], Says.SEATS_KEPT)
    key = fingerprint(net["cyd"].key)
    assert net["ann"].lines("system")[-1] == str(Says.ASKS_FOR_SEAT(who=f"cyd, {key}"))
    told = net["ann"].lines("system")
    net.done("cyd", Join("ann", -1))
    comes(net, "cyd", "198.51.100.9")
    assert net["ann"].lines("system") == told, "once is enough"
    net.done("bob", Join("ann", -1))
    comes(net, "bob", "203.0.113.5", 61000)
    assert names(net) == ["ann", "bob"]


def test_a_stranger_may_sit_where_nobody_is_expected_and_there_alone(net: Net) -> None:
    key = fingerprint(net["bob"].key)
    net.done("ann", table("networdz", f"remote:{key}", "person", "remote"))
    net.done("cyd", Join("ann", 0))
    comes(net, "cyd", "198.51.100.9")
    assert names(net) == ["", "ann", ""]
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert names(net) == ["", "ann", "cyd"]
    net.done("bob", Join("ann", -1))
    comes(net, "bob", "198.51.100.9")
    assert names(net) == ["bob", "ann", "cyd"]


def test_who_is_kept_a_seat_and_says_no_keeps_it(net: Net) -> None:
    net["ann"].known.met(net["bob"].key, "bob", "bob:4770", dialled=True)
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()  # bob is called, and does not wait for calls
    net.done("bob", Consent(accept=False, revision=net.status("bob").revision))
    net.settle()
    assert says(net["ann"].lines("system")[-1], Says.DOES_NOT_PLAY, name="bob")
    assert not net["ann"].tables.wants_dial()
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert names(net) == ["ann", "bob"]  # it is kept, as is the no
    assert net.status("ann").seats[1].asked == "declined"
    net.cut("ann", "bob")
    net.done("bob", Join("ann", -1))
    net.settle()
    assert names(net) == ["ann", "bob"]
    assert net.status("ann").seats[1].asked == ""


def test_a_player_is_removed_by_name_or_key(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote", "remote"))
    for name in ("bob", "cyd"):
        net.done(name, Join("ann", -1))
    net.settle()
    net.done("ann", Kick("bob"))
    net.settle()
    assert names(net) == ["ann", "", "cyd"]
    assert says(net["bob"].lines("error")[-1], Says.SEAT_FREED)
    told = [one for one in net["bob"].got if isinstance(one, Decline)]
    assert {one.code for one in told} == {Code.DECLINED.number}
    net.done("ann", Kick(fingerprint(net["cyd"].key)))
    net.settle()
    assert names(net) == ["ann", "", ""]
    assert net.failed("ann", Kick("bob")) is Code.USAGE
    assert net.failed("bob", Kick("ann")) is Code.NO_TABLE


def test_who_was_removed_does_not_come_back_to_the_table(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("ann", Kick("bob"))
    net.settle()
    net.done("bob", Join("ann", -1))
    net.settle()
    assert names(net) == ["ann", ""]
    assert says(net["bob"].lines("error")[-1], Says.SEAT_FREED)
    told = [one for one in net["bob"].got if isinstance(one, Decline)]
    assert {one.code for one in told} == {Code.DECLINED.number}
    net.done("ann", LeaveTable())
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    assert names(net) == ["ann", "bob"]


def block(net: Net, who: str, whom: str) -> None:
    key = net[whom].key
    net[who].known.blocked.add(key, whom)
    net[who].tables.block(key)


def test_who_is_blocked_loses_the_seat_and_is_not_called(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()
    block(net, "ann", "bob")
    net.settle()
    assert names(net) == ["ann", ""]
    assert not net["ann"].tables.wants_dial()


def test_a_table_with_a_blocked_player_is_declined(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net["cyd"].known.blocked.add(net["bob"].key, "bob")
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert names(net) == ["ann", "bob", ""]
    assert says(net["cyd"].lines("error")[-1], Says.NO_SEAT_BLOCKED, names="bob")
    assert net["cyd"].tables.table_status(net.now) is None


def test_who_blocks_the_host_leaves_the_table(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    block(net, "bob", "ann")
    net.settle()
    assert net["bob"].tables.table_status(net.now) is None
    assert names(net) == ["ann", ""]


def test_who_blocks_another_guest_leaves_the_table(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote", "remote"))
    for name in ("bob", "cyd"):
        net.done(name, Join("ann", -1))
        net.settle()
    block(net, "cyd", "bob")
    net.settle()
    assert net["cyd"].tables.table_status(net.now) is None
    assert names(net) == ["ann", "bob", ""]


def test_nothing_of_a_blocked_player_is_shown_whoever_passes_it_on(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    block(net, "cyd", "bob")
    net.cut("cyd", "bob")
    assert not [d for d in net["cyd"].tables.wants_dial() if d.key == net["bob"].key]
    net.done("bob", Say("there"))
    net.done("ann", Say("hello"))
    net.settle()
    assert net["cyd"].lines("chat") == ["hello"]
    assert net["cyd"].tables.games(net.now)[0].unread == 1
    assert sorted(net["ann"].lines("chat")) == ["hello", "there"]
    net["cyd"].pushes.clear()
    net["cyd"].tables.window_up(7)
    net.settle()
    assert net["cyd"].lines("chat") == ["hello"]
    assert net.status("cyd").phase == "playing"  # the match goes on


def test_a_known_name_under_another_key_is_told_of_at_the_table(net: Net) -> None:
    net["ann"].known.met(BERT, "Bob", "", dialled=False)
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    doubt = "another key than the Bob you know"
    assert net["ann"].lines("warning") == [
        str(Says.HAS_COME(name=f"bob ({doubt})")),
        str(Says.CAN_BEGIN(name=f"bob ({doubt})")),
    ]
    assert [str(seat.doubt) for seat in net.status("ann").seats] == ["", doubt]
    net.done("bob", Say("me"))
    net.settle()
    said = [
        p.message for p in net["ann"].pushes if getattr(p.message, "text", "") == "me"
    ]
    assert [str(line.author) for line in said] == [f"bob ({doubt})"]
    net.done("ann", StartMatch())
    net.settle()
    assert [str(seat.doubt) for seat in net.status("ann").seats] == ["", doubt]

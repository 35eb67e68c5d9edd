"""Nodes in memory that tell their friends where they may be found."""

import json
import socket
import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.finding.outside import Outside
from netplay.finding.telling import places_data, useful_place
from netplay.finding.whereabouts import Whereabouts
from netplay.journal import silent
from netplay.messages.link import Places
from netplay.messages.types import PAIRS, PLACES, SIGNATURE_BYTES
from netplay.peering.address import Address
from netplay.wanted import Dial
from netplay.wire import KINDS, Frame, decode, pack
from tests.netplay.memory import KEYS, SECRETS, Player, World, running


def befriend(one: Player, other: Player) -> None:
    """Let two players sit at one table."""
    one.notes.members.add(other.key)
    other.notes.members.add(one.key)


def at(player: Player, *addresses: str) -> list[str]:
    """Let a computer have addresses; return the list, to be changed."""
    mine = list(addresses)
    player.places = mine
    return mine


def word(of: Player, number: int, *places: str) -> Places:
    """Return what a node signs of its places."""
    sign = SECRETS[KEYS.index(of.key)].sign
    return Places(of.key, number, places, sign(places_data(of.key, number, places)), ())


def told(player: Player, of: Player) -> tuple[str, ...]:
    return player.known.places_told(of.key)


async def test_members_are_told_of_all_places_and_again_when_they_change(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    befriend(first, second)
    mine = at(first, "10.0.0.1", "2001:db8::1")
    at(second, "10.0.0.2", "fe80::2%eth9")
    async with running(first, second):
        first.wants(second, by_key=True)
        await trio.sleep(6)
        assert told(second, first) == ("10.0.0.1:4771", "[2001:db8::1]:4771")
        assert told(first, second) == ("10.0.0.2:4772", "[fe80::2]:4772")
        mine[:] = ["192.168.7.7"]
        await trio.sleep(6)
        assert told(second, first) == ("192.168.7.7:4771",)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such pair of sockets")
async def test_who_is_told_of_new_addresses_looks_no_more_by_itself(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _second = two
    mine = at(first, "10.0.0.1")
    here, system = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    here.setblocking(False)
    first.address_news = here
    first.restarted()

    def shown() -> list[str]:
        found = first.node.rpc.status().network.places
        return [place.address for place in found]

    with here, system:
        async with running(first):
            await trio.sleep(1)
            assert shown() == ["10.0.0.1:4771"]
            mine[:] = ["192.168.7.7"]
            await trio.sleep(30)
            assert shown() == ["10.0.0.1:4771"]
            for _ in range(3):
                system.send(b"an address has gone, another has come")
            await trio.sleep(1)
            assert shown() == ["192.168.7.7:4771"]
            mine[:] = ["192.168.7.8"]  # what was missed is seen within a minute
            await trio.sleep(61)
            assert shown() == ["192.168.7.8:4771"]


async def test_where_a_friend_has_reached_us_is_shown_with_name_and_time(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    befriend(first, second)
    async with running(first, second):
        second.wants(first, by_key=True)
        await trio.sleep(130)
        (place,) = first.node.rpc.status().network.places
        assert (place.address, place.scope, place.by) == (
            "10.0.0.1:4771", "network", "player 2",
        )  # fmt: skip
        assert 60 < place.ago <= 130


async def test_strangers_are_told_nothing_and_believed_nothing(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    first.notes.members.add(second.key)
    async with running(first, second):
        first.wants(second, by_key=True)
        await trio.sleep(6)
        first.links.send((second.key,), word(first, 99, "10.9.9.9:1"))
        await trio.sleep(6)
        assert told(second, first) == ()
        assert told(first, second) == ()
        (place,) = second.node.rpc.status().network.places
        assert place.by == ""


async def test_a_friend_is_found_where_it_has_said_that_it_may_be(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    first.known.met(second.key, "Bert", "10.0.0.1:4772", dialled=True)
    first.known.tells(second.key, ("10.0.0.9:4779",))
    second.port = 4779
    async with running(first, second):
        dial = first.wants(second, by_key=True)
        first.notes.dials[:] = [replace(dial, address="10.0.0.1:4772")]
        first.node.settled()
        await trio.sleep(3)
        assert second.key in first.notes.up


async def test_somebody_else_at_a_place_that_a_friend_told_is_no_alarm(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    first.known.met(second.key, "Bert", "10.0.0.1:4780", dialled=False)
    first.known.tells(second.key, (f"10.0.0.9:{second.port}",))
    first.notes.dials.append(Dial("", second.key))
    second.net.key = first.key[::-1]
    alarms: list[str] = []
    first.node.alarm = alarms.append  # type: ignore[method-assign]
    async with running(first, second):
        await trio.sleep(3)
        assert first.notes.failed
        assert not first.notes.up
        assert alarms == []


async def test_a_flood_of_places_is_not_written_down(
    two: tuple[Player, Player],
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = two
    befriend(first, second)
    async with running(first, second):
        first.wants(second, by_key=True)
        await trio.sleep(6)
        written: list[object] = []
        monkeypatch.setattr(second.known, "_write", lambda: written.append(1))
        for number in range(50):
            lie = word(first, number, f"10.9.9.{number}:1")
            first.links.send((second.key,), lie)
        await trio.sleep(1)
        assert 1 <= len(written) <= 6
        assert second.notes.up


def test_nine_places_are_refused_and_a_pair_more_than_can_be() -> None:
    number = next(number for number, kind in KINDS.items() if kind is Places)

    def told(places: int, pairs: int) -> bytes:
        where = ("10.0.0.1:1",) * places
        return pack((KEYS[0], 1, where, bytes(SIGNATURE_BYTES), (bytes(16),) * pairs))

    assert decode(Frame(number, told(PLACES, PAIRS))) is not None
    for more in (told(PLACES + 1, 0), told(0, PAIRS + 1)):
        with pytest.raises(PeerError) as caught:
            decode(Frame(number, more))
        assert caught.value.code is Code.BAD_FRAME


@pytest.mark.parametrize("host", ["127.0.0.1", "224.0.0.1", "example.org", ""])
def test_a_carrier_that_a_friend_tells_is_called_only_where_that_may_be(
    host: str,
) -> None:
    carrier = "via/ABCDEFGHIJKLMNOPQRST"
    assert useful_place(f"{carrier}@{host}:4770" if host else carrier) == ""
    assert useful_place(f"{carrier}@8.9.3.2:4770") == f"{carrier}@8.9.3.2:4770"


OWN, FIRST, SECOND = "10.0.0.1", "81.2.69.142:4771", "81.2.69.143:4771"
NOW = cast("Any", SimpleNamespace(unix=int))
"""What tells friends of places, as far as it has a clock."""


@pytest.mark.parametrize(
    ("calls", "datagrams", "told"),
    [
        ([FIRST], [SECOND], [FIRST, SECOND]),
        ([FIRST], [FIRST, SECOND], [FIRST, SECOND]),
        ([FIRST], [SECOND, FIRST], [FIRST, SECOND]),
        ([FIRST, SECOND], [FIRST, SECOND], [FIRST, SECOND]),
        ([], [SECOND, FIRST], [FIRST, SECOND]),
        ([FIRST, SECOND], ["81.2.69.144:4771"], [FIRST, SECOND]),
    ],
)
async def test_of_where_calls_and_datagrams_come_out_two_numbers_are_told(
    calls: list[str], datagrams: list[str], told: list[str]
) -> None:
    def seen(places: list[str], *, udp: bool) -> Outside:
        facts = [[f"9.9.9.{n}", place, 1] for n, place in enumerate(places)]
        kept, nobody = json.dumps([[OWN], facts]), cast("Any", None)
        return Outside(nobody, int, nobody, silent, kept, udp=udp)

    nobody, both = (
        cast("Any", None),
        (seen(calls, udp=False), seen(datagrams, udp=True)),
    )
    where = Whereabouts(lambda: (OWN,), nobody, nobody, NOW, lambda: None, *both)
    where.port = 4771
    assert sorted(where.words()) == sorted([f"{OWN}:4771", *told])


async def test_where_the_router_passes_on_both_calls_get_through_as_datagrams_do() -> (
    None
):
    nobody = cast("Any", None)
    none = Outside(nobody, int, nobody, silent)
    where = Whereabouts(lambda: (OWN,), nobody, nobody, NOW, lambda: None, none, none)
    where.port = 4771
    both, alone = Address("8.9.1.2", 4771), Address("8.9.1.2", 4772)
    where.mapped, where.mapped_udp = (both,), (both, alone)
    assert where.of_datagrams == {alone}


async def test_with_carriers_no_more_places_are_told_than_others_take() -> None:
    nobody, carriers = cast("Any", None), ("one", "other")
    none = Outside(nobody, int, nobody, silent)
    own = tuple(f"10.0.0.{n}" for n in range(1, 12))
    where = Whereabouts(lambda: own, nobody, nobody, NOW, lambda: None, none, none)
    where.port = 4771
    assert len(where.words()) == PLACES
    where.through = lambda: carriers
    assert len(where.words()) == PLACES
    assert where.words()[-2:] == carriers

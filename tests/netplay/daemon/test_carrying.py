"""Nodes in memory that carry for each other, and those that do so badly."""

from pathlib import Path

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from netplay import limits
from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages.door import Done, Failed
from netplay.messages.link import CloseLine, LineBytes, LineMessage, OpenLine, Ring
from netplay.messages.node_questions import (
    AddCarrier,
    Befriend,
    Carry,
    GetInvitation,
    RemoveCarrier,
    SetCarry,
)
from netplay.messages.types import LINE_BYTES, PLACES
from netplay.peering import invitation
from netplay.peering.line import is_via
from netplay.peering.switchboard import number_of
from netplay.sentences import Says
from netplay.wanted import Dial
from tests.netplay.finding.test_whereabouts import at, befriend
from tests.netplay.memory import Player, World, acquainted, running
from tests.said import says


def via(carla: Player, other: Player) -> str:
    """Return an invitation that leads there through Carla's node alone."""
    carrier = fingerprint(carla.key).replace("-", "")
    place = f"via/{carrier}@10.0.0.1:{carla.port}"
    return f"netplay:{place}#{fingerprint(other.key)}"


async def settled(seconds: float = 1.0) -> None:
    await trio.sleep(seconds)


def calls(one: Player, line: str) -> Dial:
    dial = Dial(line, None)
    one.notes.dials.append(dial)
    one.node.settled()
    return dial


@pytest.fixture
def cast(world: World, tmp_path: Path) -> tuple[Player, Player, Player]:
    """Ann and Bob, and Carla in between."""
    ann, bob, carla = (Player(world, n, tmp_path) for n in (1, 2, 3))
    return ann, bob, carla


def through(one: Player, other: Player) -> list[str]:
    """Return who carries the link to another, if there is a link."""
    peers = one.node.rpc.status().peers
    key = fingerprint(other.key)
    return [peer.through for peer in peers if peer.key == key and peer.connected]


async def test_two_who_both_know_a_node_that_carries_have_a_link_through_it(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, bob, carla = cast
    async with running(*cast):
        await acquainted(carla, ann, bob)
        calls(bob, via(carla, ann))
        await settled()
        assert through(bob, ann) == through(ann, bob) == ["player 3"]
        bob.says(ann, seat=2)
        await settled()
        assert [m.seat for m in ann.notes.heard] == [2]
        assert carla.notes.heard == []
        status = carla.node.rpc.status().network.carry
        assert (status.lines, status.carry) == (1, "known")
        assert status.carried > 0


async def test_what_is_carried_is_in_the_invitation_as_one_more_place(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, _bob, carla = cast
    async with running(*cast):
        await acquainted(carla, ann)
        answer = ann.ask(GetInvitation())
        assert isinstance(answer, Done)
        places = invitation.read(str(answer.text)).places
        assert places[-1].text() == invitation.read(via(carla, ann)).places[0].text()
        ann.ask(RemoveCarrier("player 3"))
        carla.ask(SetCarry("off"))
        await settled()
        answer = ann.ask(GetInvitation())
        assert isinstance(answer, Done)
        assert "via/" not in str(answer.text)


async def test_who_has_many_addresses_is_told_with_who_carries_all_the_same(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, bob, carla = cast
    at(ann, *(f"10.0.{n}.1" for n in range(2 * PLACES)))
    befriend(ann, bob)
    async with running(*cast):
        await acquainted(carla, ann)
        ann.wants(bob, by_key=True)
        await settled(10.0)
        found = bob.known.places_told(ann.key)
        assert len(found) == PLACES
        assert [place for place in found if is_via(place)] == [found[-1]]


async def test_a_node_of_its_own_places_is_not_reached_through_another(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, bob, carla = cast
    async with running(*cast):
        await acquainted(carla, ann, bob)
        own, place = f"10.0.0.1:{ann.port}", via(carla, ann).removeprefix("netplay:")
        calls(bob, f"netplay:{own},{place}")
        await settled(2 * limits.VIA_SECONDS)
        assert through(bob, ann) == [""]


@pytest.mark.parametrize(
    ("carry", "friends", "linked"),
    [
        ("off", "both", False),
        ("known", "both", True),
        ("known", "one", False),
        ("known", "none", False),
        ("friends", "one", True),
        ("friends", "none", False),
    ],
)
async def test_nobody_is_carried_for_but_as_the_player_has_chosen(
    autojump_clock: trio.testing.MockClock,
    cast: tuple[Player, Player, Player],
    carry: Carry,
    friends: str,
    linked: bool,
) -> None:
    ann, bob, carla = cast
    async with running(*cast):
        await acquainted(carla, carry=carry)
        for each in (ann, bob):
            each.ask(AddCarrier(carla.line))
        await settled()
        for each in {"both": (ann, bob), "one": (ann,), "none": ()}[friends]:
            carla.ask(Befriend(fingerprint(each.key)))
        await settled()
        dial = calls(bob, via(carla, ann))
        await settled(3)
        assert bool(through(bob, ann)) is linked
        if not linked:
            told = [words for one, words in bob.notes.failed if one == dial]
            assert says(told[0], Says.CARRIES_NOT)


async def test_lines_end_when_the_player_carries_no_more(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, bob, carla = cast
    async with running(*cast):
        await acquainted(carla, ann, bob)
        calls(bob, via(carla, ann))
        await settled()
        carla.ask(SetCarry("off"))
        await settled()
        assert through(bob, ann) == []
        assert carla.home.setting("carry") == "off"
        carla.ask(SetCarry("known"))
        await settled(20)
        assert through(bob, ann) == ["player 3"], "it is looked for again"


async def test_who_is_not_there_is_told_of_by_the_name_of_who_carries(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, bob, carla = cast
    async with running(bob, carla):
        await acquainted(carla, bob)
        carla.known.befriend(ann.key, "Ann")
        dial = calls(bob, via(carla, ann))
        await settled(3)
        told = [words for one, words in bob.notes.failed if one == dial]
        assert (
            str(Says.NOT_CARRIED(name="player 3", why="who is called has no link"))
            in told[0]
        )


async def test_a_carrier_that_is_away_is_no_alarm_and_named(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, bob, carla = cast
    async with running(bob):
        dial = calls(bob, via(carla, ann))
        await settled(2 * limits.CARRIER_SECONDS)
        told = [words for one, words in bob.notes.failed if one == dial]
        assert says(told[0], Says.CARRIER_AWAY)
        assert all(one == dial for one, _ in bob.notes.failed)


async def test_a_carrier_that_leads_to_another_is_no_alarm(
    autojump_clock: trio.testing.MockClock,
    world: World,
    cast: tuple[Player, Player, Player],
    tmp_path: Path,
) -> None:
    ann, bob, carla = cast
    eve = Player(world, 4, tmp_path)
    async with running(ann, bob, carla, eve):
        await acquainted(carla, ann, bob, eve)
        receive = carla.carrying.receive

        def misled(key: bytes, message: LineMessage, now: float) -> None:
            if isinstance(message, OpenLine):
                message = replace(message, to=fingerprint(eve.key))
            receive(key, message, now)

        carla.carrying.receive = misled  # type: ignore[method-assign]
        dial = calls(bob, via(carla, ann))
        await settled(3)
        assert through(bob, ann) == []
        told = [words for one, words in bob.notes.failed if one == dial]
        assert says(told[0], Says.LED_ASTRAY)
        assert not bob.node.rpc.status().faults


async def test_a_ring_of_a_stranger_is_declined(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, _bob, carla = cast
    heard: list[LineMessage] = []
    async with running(ann, carla):
        carla.wants(ann)
        await settled()
        carla.carrying.receive = (  # type: ignore[method-assign]
            lambda _key, message, _now: heard.append(message)
        )
        number = number_of(carla.key, ann.key, 0)
        carla.links.send((ann.key,), Ring(number, "WHOEVER"))
        await settled()
        assert [m.code for m in heard if isinstance(m, CloseLine)] == [
            Code.DECLINED.number
        ]


def flood(number: int) -> list[LineMessage]:
    piece = LineBytes(number, bytes(LINE_BYTES))
    return [piece] * (limits.LINE_WINDOW_BYTES // LINE_BYTES + 1)


def many(number: int) -> list[LineMessage]:
    count = int(limits.LINES_OPENED_AT_ONCE) + 1
    return [OpenLine(number + 2 * n, "WHOEVER") for n in range(1, count + 1)]


def wrong(number: int) -> list[LineMessage]:
    return [OpenLine(number + 1, "WHOEVER")]


@pytest.mark.parametrize(
    ("says", "code"),
    [(flood, Code.TOO_MANY), (many, Code.TOO_MANY), (wrong, Code.UNEXPECTED)],
)
async def test_who_floods_a_carrier_is_hung_up_on_and_others_go_on(
    autojump_clock: trio.testing.MockClock,
    cast: tuple[Player, Player, Player], tmp_path: Path, world: World,
    says: object, code: Code,
) -> None:  # fmt: skip
    ann, bob, carla = cast
    eve = Player(world, 4, tmp_path)
    async with running(*cast, eve):
        await acquainted(carla, ann, bob, eve)
        calls(bob, via(carla, ann))
        await settled()
        number = number_of(eve.key, carla.key, 0)
        eve.links.send((carla.key,), OpenLine(number, fingerprint(ann.key)))
        ended: list[PeerError] = []
        receive = carla.carrying.receive

        def noted(key: bytes, message: LineMessage, now: float) -> None:
            try:
                receive(key, message, now)
            except PeerError as error:
                ended.append(error)
                raise

        carla.carrying.receive = noted  # type: ignore[method-assign]
        assert callable(says)
        for message in says(number):
            eve.links.send((carla.key,), message)
        await settled()
        assert [error.code for error in ended] == [code]
        assert through(bob, ann) == ["player 3"]
        bob.says(ann, seat=1)
        await settled()
        assert len(ann.notes.heard) == 1


async def test_a_carrier_that_gives_more_than_leave_is_hung_up_on(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, bob, carla = cast
    async with running(*cast):
        await acquainted(carla, ann, bob)
        calls(bob, via(carla, ann))
        await settled()
        for message in flood(number_of(carla.key, ann.key, 0)):
            carla.links.send((ann.key,), message)
        await trio.testing.wait_all_tasks_blocked()
        assert "down" in ann.notes.history
        await settled(30)
        assert through(bob, ann) == ["player 3"], "both have come again"


async def test_a_carrier_is_named_by_an_invitation_and_there_are_only_so_many(
    autojump_clock: trio.testing.MockClock, cast: tuple[Player, Player, Player]
) -> None:
    ann, _bob, _carla = cast
    async with running(ann):
        wrong = ann.ask(AddCarrier("10.0.0.1:4770"))
        assert isinstance(wrong, Failed)
        assert wrong.code == Code.USAGE.number
        own = ann.ask(AddCarrier(ann.line))
        assert isinstance(own, Failed)
        assert own.code == Code.SELF.number
        for number in range(limits.CARRIERS + 1):
            key = fingerprint(bytes([number]) * 32)
            answer = ann.ask(AddCarrier(f"netplay:10.0.0.1:1#{key}"))
            if number == 0:  # nobody knows yet what they are called
                assert isinstance(answer, Done)
                assert answer.text == Says.CARRIER_ADDED(name=Says.WHOEVER_INVITED())
        assert isinstance(answer, Failed)
        assert answer.code == Code.USAGE.number
        assert len(ann.node.rpc.status().network.carry.carriers) == limits.CARRIERS
        ann.restarted()
        assert len(ann.node.rpc.status().network.carry.carriers) == limits.CARRIERS
        # One of them has moved: it needs no place more.
        moved = f"netplay:10.0.0.1:2#{fingerprint(bytes(32))}"
        assert isinstance(ann.ask(AddCarrier(moved)), Done)
        carriers = ann.node.rpc.status().network.carry.carriers
        assert len(carriers) == limits.CARRIERS
        assert moved in {one.invitation for one in carriers}

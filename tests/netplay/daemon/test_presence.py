"""Nodes in memory that show themselves: beacon, invitation, port mapping, keys."""

import re
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from typing_extensions import override

from netplay import VERSION
from netplay.daemon import presence
from netplay.daemon.parts import Parts
from netplay.daemon.presence import keep_port, kept_port
from netplay.daemon.starting import Choice, _map_port
from netplay.errors import Code, LocalError
from netplay.finding.appointments import Appointments
from netplay.finding.router import Language, NatPmp
from netplay.fingerprint import fingerprint
from netplay.home import Home
from netplay.journal import silent
from netplay.messages.door import (
    Call,
    ChangeTable,
    Done,
    Failed,
    HostTable,
    Join,
    Question,
)
from netplay.messages.node_questions import (
    Block,
    Forget,
    GetInvitation,
    GetKnown,
    KnownNode,
    NameEntries,
    NameServers,
    Neighbour,
    Network,
    SetPort,
    Switch,
)
from netplay.messages.table_questions import WatchAt
from netplay.peering import invitation
from netplay.peering.address import PORT
from netplay.sentences import Says
from netplay.wanted import Dial
from netplay.wire import unpack
from tests.netplay.finding.test_appointments import MemoryDht
from tests.netplay.finding.test_beacon import FakeAir, Sky
from tests.netplay.finding.test_portmap import FakeRouter
from tests.netplay.finding.test_reach import Places
from tests.netplay.memory import Player, World, running
from tests.said import says


class Shown(Player):
    """A player whose node has air to speak through and a router to ask."""

    def __init__(
        self, world: World, number: int, path: Path, sky: Sky, **wishes: bool
    ) -> None:
        self.air = FakeAir(sky, f"10.0.0.{number}")
        self.router = FakeRouter()
        self.wishes = wishes
        super().__init__(world, number, path)

    @override
    def parts(self) -> Parts:
        async def find(version: int) -> tuple[Language, ...]:
            return (NatPmp(self.router),) if version == 4 else ()

        parts, apart = super().parts(), self.wishes
        return replace(parts, air=self.air, router=find, unix=lambda: 99, **apart)

    def offers(self, game: str, free: int) -> None:
        self.notes.offered = (game, free)
        self.notes.changed = True
        self.node.settled()

    def does(self, question: Question) -> Done:
        answer = self.ask(question)
        assert isinstance(answer, Done), answer
        return answer

    def refuses(self, question: Question) -> Code:
        answer = self.ask(question)
        assert isinstance(answer, Failed), answer
        return next(code for code in Code if code.number == answer.code)

    def peers(self) -> tuple[KnownNode, ...]:
        found: tuple[KnownNode, ...]
        found = unpack(self.does(GetKnown()).data, tuple[KnownNode, ...])
        return found

    @property
    def network(self) -> Network:
        return self.node.rpc.status().network

    @property
    def nearby(self) -> tuple[Neighbour, ...]:
        return self.node.rpc.status().nearby


@pytest.fixture
def two(world: World, tmp_path: Path) -> tuple[Shown, Shown]:
    sky = Sky()
    return Shown(world, 1, tmp_path, sky), Shown(world, 2, tmp_path, sky)


async def test_a_table_with_free_seats_is_seen_nearby_until_it_is_full(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.offers("numlo", 1)
        await trio.sleep(1)
        key = fingerprint(first.key)
        (table,) = second.nearby
        assert table == Neighbour(
            "10.0.0.1:4771", "player 1", "numlo", 1, VERSION, key,
            invitation=f"netplay:10.0.0.1:4771#{key}",
        )  # fmt: skip
        assert not first.nearby
        first.notes.offered = None
        first.notes.changed = True
        first.node.settled()
        await trio.sleep(1)
        assert not second.nearby


async def test_a_node_that_stops_takes_its_table_from_the_list(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(second):
        async with trio.open_nursery() as nursery:
            await nursery.start(first.node.run, first.port)
            first.offers("numlo", 1)
            await trio.sleep(1)
            assert second.nearby
            first.node.stop()
        assert not second.nearby
        assert first.air.closed


async def test_the_beacon_is_switched_and_the_wish_is_kept(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.offers("numlo", 1)
        await trio.sleep(1)
        assert first.network.beacon
        assert first.does(Switch("beacon", on=False)).text == Says.SWITCHED(
            name="beacon", wish="off"
        )
        await trio.sleep(1)
        assert not first.network.beacon
        assert not second.nearby
        assert first.home.setting("beacon") == "off"
        first.does(Switch("beacon", on=True))
        await trio.sleep(1)
        assert second.nearby


async def test_offensive_words_are_off_until_they_are_wanted(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        assert not first.node.rpc.status().offensive
        first.does(Switch("offensive-words", on=True))
        assert first.node.rpc.status().offensive
        assert first.home.setting("offensive-words") == "on"
        first.does(Switch("offensive-words", on=False))
        assert not first.node.rpc.status().offensive


async def test_the_pace_of_computers_is_kept(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        for on, kept in ((True, "on"), (False, "off")):
            first.does(Switch("pace", on=on))
            assert first.node.rpc.status().paced is on
            assert first.home.setting("pace") == kept


async def test_a_node_started_without_a_beacon_says_nothing(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    sky = Sky()
    first = Shown(world, 1, tmp_path, sky, beacon=False)
    async with running(first):
        first.offers("numlo", 1)
        await trio.sleep(10)
        assert not first.network.beacon
    assert sky.said == []


async def test_a_node_without_air_has_no_beacon(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    player = Player(world, 1, tmp_path)
    async with running(player):
        status = player.node.rpc.status()
        assert not status.network.beacon
        assert status.nearby == ()
        answer = player.ask(Switch("beacon", on=True))
        assert answer == Done(1, Says.SWITCHED(name="beacon", wish="on"))


async def test_the_port_is_mapped_named_in_the_invitation_and_given_back(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Shown(world, 1, tmp_path, Sky())
    async with trio.open_nursery() as nursery:
        await nursery.start(first.node.run, first.port)
        key = fingerprint(first.key)
        assert str(first.does(GetInvitation()).text) == f"netplay:10.0.0.1:4771#{key}"
        first.does(Switch("map-port", on=True))
        await trio.sleep(1)
        assert first.home.setting("map-port") == "on"
        assert first.network.map_port
        assert first.network.external == "1.2.3.4:4771"
        assert "1.2.3.4:4771" in str(first.network.mapping)
        text = f"netplay:10.0.0.1:4771,1.2.3.4:4771#{key}"
        assert str(first.does(GetInvitation()).text) == text
        first.node.stop()
    assert first.router.mapped == {}


async def test_a_slow_router_gets_the_time_to_take_the_port_back(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Shown(world, 1, tmp_path, Sky(), map_port=True)
    async with trio.open_nursery() as nursery:
        await nursery.start(first.node.run, first.port)
        await trio.sleep(1)
        assert first.router.mapped == {4771: 4771}
        first.router.lose = 4  # nearly four seconds
        first.node.stop()
    assert first.router.mapped == {}


async def test_a_node_may_map_its_port_from_the_start(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Shown(world, 1, tmp_path, Sky(), map_port=True)
    async with running(first):
        await trio.sleep(1)
        assert first.router.mapped == {4771: 4771}


@pytest.mark.parametrize("wish", ["on", "off"])
async def test_the_player_is_asked_about_the_router_once_and_when_others_may_come(
    wish: str, world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Shown(world, 1, tmp_path, Sky())
    async with running(first):
        await trio.sleep(1)
        assert not first.network.may_ask
        assert first.router.asked == []
        first.offers("numlo", 1)
        await trio.sleep(1)
        assert first.network.may_ask
        first.does(Switch("map-port", on=wish == "on"))
        await trio.sleep(1)
        assert not first.network.may_ask
        assert bool(first.router.mapped) == (wish == "on")
    said = Shown(world, 2, tmp_path, Sky(), map_port=False)
    async with running(said):
        said.offers("numlo", 1)
        await trio.sleep(1)
        assert not said.network.may_ask


async def test_what_the_router_has_given_up_counts_as_reached_no_more(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Shown(world, 1, tmp_path, Sky(), map_port=True)
    second = Player(world, 2, tmp_path)
    second.net.ip = first.net.ip = "9.9.9.9"
    second.notes.members.add(first.key)
    first.notes.members.add(second.key)
    Places(second, "9.9.9.9")  # there the router lets nobody in but at its own
    async with running(first, second):
        await trio.sleep(1)
        first.notes.dials.append(Dial(f"9.9.8.8:{second.port}", second.key))
        first.node.settled()
        await trio.sleep(20)
        assert first.network.reach == "internet"
        second.node.stop()
        first.router.result = 2  # it has been told to pass nothing on
        first.does(Switch("map-port", on=False))
        await trio.sleep(20)
        assert first.network.external == ""
        assert first.network.reach == "no"


async def test_a_router_that_forgets_just_after_it_was_asked_is_asked_again(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Shown(world, 1, tmp_path, Sky(), map_port=True)
    async with running(first):
        await trio.sleep(1)
        first.presence.link(b"a", up=False)
        await trio.sleep(1)
        first.router.mapped.clear()  # it was restarted, for which another link is lost
        asked = len(first.router.asked)
        for _more in range(3):
            first.presence.link(b"b", up=False)
        await trio.sleep(20)
        assert first.router.mapped == {4771: 4771}
        assert len(first.router.asked) <= asked + 6, "it is not asked for each of them"


async def test_the_router_is_asked_as_a_table_opens_and_no_more_once_it_is_closed(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Shown(world, 1, tmp_path, Sky())
    async with running(first):
        for _table in range(2):
            before = len(first.router.asked)
            first.offers("numlo", 1)
            await trio.sleep(1)
            assert len(first.router.asked) > before
            first.notes.offered, first.notes.changed = None, True
            first.node.settled()
            await trio.sleep(1)
            before = len(first.router.asked)
            await trio.sleep(2 * 3600)
            assert len(first.router.asked) == before


@pytest.mark.parametrize(
    ("kept", "chosen", "wished"),
    [
        ("", None, None), ("on", None, True), ("off", None, False),
        ("", True, True), ("off", True, True), ("on", False, False),
    ],
)  # fmt: skip
def test_who_has_never_said_anything_of_the_router_has_not_said_no(
    kept: str, chosen: bool | None, *, wished: bool | None, tmp_path: Path
) -> None:
    home = Home(tmp_path)
    home.prepare()
    if kept:
        home.set("map-port", kept)
    assert _map_port(Choice(home, silent, map_port=chosen)) is wished


@pytest.mark.parametrize("text", ["65536", "٤٧٧٠", ""])
async def test_a_port_of_which_others_cannot_be_told_is_not_kept(
    text: str, world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Shown(world, 1, tmp_path, Sky())
    async with running(first):
        first.does(SetPort("4772"))
        assert first.refuses(SetPort(text)) is Code.USAGE
    assert kept_port(first.home) == 4772
    first.home.set("port", text or "none")
    assert kept_port(first.home) == PORT, "as of a file that somebody has changed"


async def test_a_first_contact_shows_the_fingerprint_to_compare_and_only_the_first(
    world: World, two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        lines = first.lines()
        first.wants(second)
        await trio.sleep(1)
        (line,) = lines
        assert (line.tone, line.at) == ("system", 99)
        assert fingerprint(second.key) in str(line.said)
        assert says(str(line.said), Says.FIRST_CONTACT, who="player 2")
        world.cut()
        await trio.sleep(1)
        assert len(lines) == 1


async def test_a_first_contact_by_invitation_need_not_be_compared(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        lines = first.lines()
        first.notes.dials.append(Dial(str(second.does(GetInvitation()).text), None))
        first.node.settled()
        await trio.sleep(1)
        (line,) = lines
        assert says(str(line.said), Says.KEY_INVITED, who="player 2")


async def test_who_was_found_nearby_is_a_first_contact_to_compare(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        second.offers("numlo", 1)
        await trio.sleep(1)
        lines = first.lines()
        (table,) = first.nearby
        first.notes.dials.append(Dial(table.invitation, None))
        first.node.settled()
        await trio.sleep(1)
        (line,) = lines
        assert says(str(line.said), Says.FIRST_CONTACT, who="player 2")


async def test_the_nodes_met_are_listed_and_forgotten_by_key_name_or_address(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        first.notes.dials.clear()
        key, address = fingerprint(second.key), "10.0.0.1:4772"
        met = KnownNode("player 2", key, (address,), (address,))
        for whom in (key, key.lower().replace("-", ""), "player 2"):
            first.known.met(second.key, "player 2", address, dialled=True)
            assert first.peers() == (met,)
            assert first.does(Forget(whom)).text == Says.FORGOTTEN(name=whom)
            assert first.peers() == ()
        assert first.does(Forget(address)).text == Says.WAS_UNKNOWN(address=address)
        first.known.met(second.key, "player 2", address, dialled=True)
        assert first.does(Forget(address)).text == Says.WAS_KNOWN(address=address)
        assert first.peers() == (KnownNode("player 2", key, (address,), ()),)
        assert first.refuses(Forget("a/b")) is Code.USAGE


async def test_two_players_of_one_name_are_told_apart_by_their_keys(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    known = first.known
    async with running(first):
        for key in (b"x" * 32, b"y" * 32):
            known.met(key, "Anna", "h:1", dialled=False)
        answer = first.ask(Forget("Anna"))
        assert isinstance(answer, Failed)
        assert fingerprint(b"x" * 32) in answer.reason
        first.does(Forget(fingerprint(b"x" * 32)))
        assert [one.key for one in first.peers()] == [fingerprint(b"y" * 32)]


async def test_what_is_neither_address_nor_invitation_is_refused_at_once(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first):
        for question in (Join("a/b"), Call("netplay:h#ABCD"), WatchAt("a/b")):
            assert first.refuses(question) is Code.USAGE
        text = invitation.write(["10.0.0.2"], second.key, 4770)
        for question in (Join(text), Call("10.0.0.2 my friend")):
            assert isinstance(first.ask(question), Done)


async def test_the_line_of_somebody_who_is_blocked_is_refused_and_not_called(
    two: tuple[Shown, Shown], world: World, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.known.met(second.key, "Bert", "10.0.0.2:1", dialled=False)
        first.does(Block("Bert"))
        before = world.dials
        text = invitation.write(["10.0.0.2"], second.key, second.port)
        for question in (Join(text), Call(text), WatchAt(text)):
            answer = first.ask(question)
            assert isinstance(answer, Failed)
            assert "Bert" in answer.reason
        await trio.sleep(60)
        assert world.dials == before


async def test_another_node_at_the_place_of_a_table_nearby_is_not_joined(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    sky = Sky()
    host, guest = Shown(world, 1, tmp_path, sky), Shown(world, 2, tmp_path, sky)
    other = Player(world, 3, tmp_path, port=host.port)
    async with running(guest):
        async with trio.open_nursery() as nursery:
            await nursery.start(host.node.run, host.port)
            host.offers("numlo", 1)
            await trio.sleep(1)
            nursery.cancel_scope.cancel()
        (table,) = guest.nearby
        async with running(other):
            guest.notes.dials.append(Dial(table.invitation, None))
            guest.node.settled()
            await trio.sleep(1)
            assert not guest.notes.up
            _dial, why = guest.notes.failed[-1]
            assert says(why, Says.NOT_THE_INVITER)


@pytest.mark.parametrize("true", [True, False])
async def test_who_is_missed_is_called_where_a_beacon_was_heard_and_proves_the_key(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock, *, true: bool
) -> None:
    sky = Sky()
    host, guest = Shown(world, 1, tmp_path, sky), Shown(world, 2, tmp_path, sky)
    other = Player(world, 3, tmp_path, port=host.port)
    alarms: list[object] = []
    guest.node.alarm = alarms.append  # type: ignore[method-assign]
    async with running(guest):
        async with trio.open_nursery() as nursery:
            await nursery.start(host.node.run, host.port)
            host.offers("numlo", 1)
            await trio.sleep(1)
            if true:
                guest.notes.dials.append(Dial("", host.key))
                guest.node.settled()
                await trio.sleep(1)
                assert host.key in guest.notes.up
            nursery.cancel_scope.cancel()
        if not true:  # somebody says again what was heard, or has come to its place
            async with running(other):
                guest.notes.dials.append(Dial("", host.key))
                guest.node.settled()
                await trio.sleep(1)
                assert guest.notes.failed
                assert not guest.notes.up
    assert alarms == []


@pytest.mark.parametrize("greet", [True, False])
async def test_friends_whose_ports_have_changed_meet_on_the_same_network(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock, *, greet: bool
) -> None:
    """Neither offers anything, and each knows only where the other was once."""
    sky = Sky()
    first, second = (Shown(world, n, tmp_path, sky, greet=greet) for n in (1, 2))
    stranger = Shown(world, 3, tmp_path, sky, greet=True)
    for one, other in ((first, second), (second, first)):
        one.known.befriend(other.key, "")
        one.known.tells(other.key, ("10.0.0.9:9",))
    async with running(first, stranger):
        await trio.sleep(100)
        async with running(second):
            await trio.sleep(2)
            assert (second.key in first.notes.up) is greet
            assert not (stranger.nearby or first.nearby)
            assert stranger.key not in {*first.notes.up, *second.notes.up}


async def test_a_known_name_under_another_key_is_told_of(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    sky = Sky()
    anna, bert, false = (Shown(world, n, tmp_path, sky) for n in (1, 2, 3))
    bert.node.rpc.name, false.node.rpc.name = "Bert", "Веrt"
    async with running(anna, bert, false):
        anna.wants(bert)
        await trio.sleep(1)
        lines = anna.lines()
        bert.offers("numlo", 1)
        false.offers("numlo", 1)
        anna.wants(false)
        await trio.sleep(2)
        doubt = "another key than the Bert you know"
        nearby = {one.key: str(one.doubt) for one in anna.nearby}
        assert nearby == {fingerprint(bert.key): "", fingerprint(false.key): doubt}
        peers = {one.key: str(one.doubt) for one in anna.node.rpc.status().peers}
        assert peers == nearby
        (warning,) = [line for line in lines if line.tone == "warning"]
        assert doubt in str(warning.said)
        assert fingerprint(false.key) in str(warning.said)
        met = {one.key: str(one.doubt) for one in anna.peers()}
        assert met == nearby
        anna.does(Forget(fingerprint(bert.key)))
        assert {one.doubt for one in anna.peers()} == {""}


async def test_a_typed_name_is_a_friends_then_one_nearby_then_a_computers(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        second.offers("numlo", 1)
        await trio.sleep(1)
        (table,) = first.nearby
        joined = str(first.does(Join("Player 2")).text)
        assert joined == repr(Join(table.invitation))  # found by its beacon
        assert str(first.does(Join("player2.lan")).text) == repr(Join("player2.lan"))
        assert str(first.does(Join("anna")).text) == repr(Join("anna"))
        known, friend = first.known, bytes([7]) * 32
        known.met(friend, "PLAYER 2", "10.0.0.9:4770", dialled=True)
        known.befriend(friend, "PLAYER 2")
        line = f"netplay:10.0.0.9:4770#{fingerprint(friend)}"
        assert str(first.does(Join("player 2")).text) == repr(Join(line))
        assert str(first.does(WatchAt("player 2")).text) == repr(WatchAt(line))
        seats = "person", "remote:player 2", "remote:anna", "remote"
        host = HostTable("numlo", seats, (), "", "")
        for ask in (host, ChangeTable(host)):
            assert f"'remote:{line} player 2', 'remote:anna', 'remote'" in str(
                first.does(ask).text
            )
        other = bytes([8]) * 32
        known.met(other, "Player 2", "10.0.0.8:4770", dialled=True)
        known.befriend(other, "Player 2")
        assert first.refuses(Join("player 2")) is Code.USAGE


async def test_servers_and_nodes_of_the_dht_that_are_named_are_those_at_once(
    two: tuple[Shown, Shown], autojump_clock: trio.testing.MockClock
) -> None:
    first, _second = two
    async with running(first):
        usual = first.network.servers, first.network.dht_nodes
        for servers, nodes in (("192.0.2.1:3478", "192.0.2.2:6881"), ("", "")):
            first.does(NameServers(servers))
            first.does(NameEntries(nodes))
            named = (servers,), (nodes,)
            found = first.network.servers, first.network.dht_nodes
            assert found == (named if servers else usual)


class Standing:
    """How a node with a router, a DHT and others nearby is to stand."""

    def __init__(self, node: Shown, appointments: Appointments) -> None:
        self.node, self.appointments = node, appointments
        self.on = {"beacon": True, "map-port": False, "greet": False, "dht": False}
        self.passes = True
        """The router passes ports on."""
        self.dht_sees = ""
        self.offered = self.decided = False
        """Others may have wanted to come; the player was asked about the router."""

    async def act(self, what: str, number: int) -> None:
        node, on = self.node, number % 2 == 0
        match what:
            case "beacon" | "map-port" | "greet" | "dht":
                node.does(Switch(what, on=on))
                self.on[what] = on
                self.decided |= what == "map-port"
            case "router":  # it is started anew, and may pass nothing on from now on
                lost = self.on["map-port"] and self.passes
                self.passes, node.router.result = on, 0 if on else 2
                node.router.mapped.clear()
                node.presence.link(b"a", up=not lost)
            case "dht sees":
                self.dht_sees = SEEN[number % len(SEEN)]
                self.appointments.outside(self.dht_sees)
            case _:
                node.offers("numlo", 1)
                self.offered = True
        await trio.sleep(15)

    def compare(self) -> None:
        node, network = self.node, self.node.network
        stands = {
            "beacon": network.beacon, "map-port": network.map_port,
            "greet": network.greet, "dht": network.dht,
        }  # fmt: skip
        assert stands == self.on
        passed = self.on["map-port"] and self.passes
        assert network.external == ("1.2.3.4:4771" if passed else "")
        assert node.router.mapped == ({4771: 4771} if passed else {})
        met = "meets" if self.on["dht"] else "near"
        assert network.inviting == ("fine" if passed else met)
        # The player is asked one thing after the other, and only what may help.
        assert network.may_ask == (self.offered and not self.decided)
        near = network.inviting == "near"
        assert network.may_ask_servers == (self.offered and self.decided and near)
        theirs = {place.address.rpartition(":")[0] for place in network.places}
        theirs -= {"10.0.0.1", "1.2.3.4"}
        assert theirs <= {host for host in GLOBAL if host == self.dht_sees}
        if not passed and self.dht_sees in GLOBAL:
            assert theirs, "where friends may find this node"


GLOBAL = ("8.9.10.11", "81.2.69.142")
SEEN = (*GLOBAL, "192.168.1.9", "224.0.0.251", "127.0.0.1", "10.9.9.9", "", "x", "::1")
TOLD = st.tuples(
    st.sampled_from(
        ("beacon", "map-port", "greet", "dht", "router", "dht sees", "offers")
    ),
    st.integers(0, 20),
)


@given(acts=st.lists(TOLD, max_size=8))
@example(acts=[("map-port", 0), ("router", 0), ("router", 1), ("router", 2)])
@example(acts=[("offers", 0), ("router", 1), ("map-port", 0), ("map-port", 1)])
@example(acts=[("dht", 0), *(("dht sees", number) for number in range(len(SEEN)))])
def test_whatever_is_switched_and_lost_the_node_says_how_it_is_found(
    acts: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def main() -> None:
        node = Shown(World(), 1, tmp_path_factory.mktemp("shown"), Sky())
        node.dht = MemoryDht().opens
        made = list[Appointments]()

        def appointing(*given_: Any) -> Appointments:
            made.append(Appointments(*given_))
            return made[-1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(presence, "Appointments", appointing)
            node.restarted()
        async with running(node):
            standing = Standing(node, made[-1])
            await trio.sleep(5)
            for what, number in acts:
                await standing.act(what, number)
                standing.compare()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


@given(text=st.integers(-9, 70_000).map(str) | st.text("0123456789٣ .-", max_size=7))
@example(text="65535")
@example(text="65536")
@example(text="04770")
def test_a_port_is_kept_if_it_is_one_and_else_the_one_before(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = Home(tmp_path_factory.mktemp("home"))
    home.prepare()
    keep_port(home, "4772")
    plain = bool(re.fullmatch(r"[0-9]{1,5}", text)) and int(text) in range(1, 65536)
    if plain:
        assert keep_port(home, text) == kept_port(home) == int(text)
        return
    with pytest.raises(LocalError):
        keep_port(home, text)
    assert kept_port(home) == 4772
    home.set("port", text or "none")
    assert kept_port(home) == PORT

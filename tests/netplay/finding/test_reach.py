"""Nodes in memory that find out whether others can reach them."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from netplay.errors import Code, LocalError
from netplay.finding.reach import (
    NOBODY,
    Scope,
    Standing,
    Try,
    advice,
    distance,
    is_near,
    judge,
)
from netplay.limits import DIAL_SECONDS, PROBE_PAUSE_SECONDS
from netplay.messages.door import Done, Failed, Request
from netplay.messages.link import DialBack, DialedBack, Tried
from netplay.messages.node_questions import CheckReach
from netplay.peering.address import Address
from netplay.peering.net import Secured, Turn, at_once
from netplay.said import Saying
from netplay.sentences import Says
from netplay.text.phrases import known
from netplay.wanted import Dial
from tests.netplay.finding.test_whereabouts import at
from tests.netplay.memory import Player, World, met, running
from tests.said import says


class Asked:
    """A window that asks a node whether it is reached."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.answers: list[Done | Failed] = []
        request = Request(7, CheckReach())
        player.node.answer(1, request, self.answers.append)

    @property
    def scope(self) -> str:
        return self.player.node.rpc.status().network.reach

    @property
    def words(self) -> str:
        (answer,) = self.answers
        assert isinstance(answer, Done)
        assert answer.id == 7
        assert answer.text == self.player.node.rpc.status().network.reached
        return answer.text


async def test_a_node_that_nobody_is_connected_to_does_not_know(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    async with running(first):
        asked = Asked(first)
        await trio.sleep(1)
        assert asked.scope == "unknown"
        assert asked.words == NOBODY.words


async def test_a_peer_that_was_called_dials_back(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with met(first, second):
        asked = Asked(first)
        await trio.sleep(1)
        assert world.dials == 2
        assert asked.scope == "network"
        assert str(Says.REACHED_INSIDE(name="player 2")) in str(asked.words)
        assert first.notes.history == second.notes.history == ["up"]


@pytest.mark.parametrize("address", ["8.8.4.4", "anna.example.org"])
async def test_a_peer_that_came_by_itself_is_proof_enough(
    address: str,
    world: World,
    two: tuple[Player, Player],
    autojump_clock: trio.testing.MockClock,
) -> None:
    first, second = two
    second.net.ip = "1.2.3.4"
    async with running(first, second):
        second.notes.dials.append(Dial(f"{address}:{first.port}", None))
        second.node.settled()
        await trio.sleep(1)
        asked = Asked(first)
        await trio.sleep(1)
        assert world.dials == 1
        assert asked.scope == "internet"
        assert str(asked.words) == str(Says.REACHED(name="player 2", kind="IPv4"))


async def test_a_node_behind_a_closed_router_learns_that_it_is_not_reached(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with met(first, second):
        first.notes.dials.clear()
        del world.listening[first.port]  # from now on nobody comes through
        asked = Asked(first)
        await trio.sleep(1)
        assert asked.scope == "no"
        assert says(
            asked.words, Says.NOT_REACHED, name="player 2", host="10.0.0.1:4771"
        )
        world.listening[first.port] = world.listening[second.port]


async def test_another_node_at_our_address_does_not_count(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with met(first, second):
        first.notes.dials.clear()
        world.listening[first.port] = world.listening[second.port]
        asked = Asked(first)
        await trio.sleep(1)
        assert asked.scope == "no"
        assert Code.WRONG_KEY.text in str(asked.words)


async def test_a_peer_whose_handshake_hangs_is_told_as_no_answer(
    world: World,
    two: tuple[Player, Player],
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    first, second = two
    async with met(first, second):

        async def hang(stream: trio.abc.Stream, *, server_side: bool) -> Secured:
            await trio.sleep_forever()
            raise AssertionError

        monkeypatch.setattr(second.net, "secure", hang)
        asked = Asked(first)
        await trio.sleep(14)
        assert asked.scope == "no"
        assert Code.NO_ANSWER.text in str(asked.words)


async def test_a_peer_that_never_tells_is_not_waited_for_any_longer(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with met(first, second):
        second.presence.receive = lambda *_: None  # type: ignore[method-assign]
        asked = Asked(first)
        await trio.sleep(16)
        assert asked.words == NOBODY.words


async def test_a_peer_that_asks_again_and_again_is_not_dialled_each_time(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with met(first, second):
        for _ in range(5):
            Asked(first)
        await trio.sleep(1)
        assert world.dials == 2
        await trio.sleep(20)
        Asked(first)
        await trio.sleep(1)
        assert world.dials == 3


async def test_who_asks_for_ever_has_an_address_dialled_seldom_where_it_is_not(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    seen = await far_friends(first, second, "9.9.9.9")
    async with calling(first, second):
        seen.dialled.clear()
        for minute in range(60):
            ports = tuple(f"8.8.4.4:{8 * minute + n}" for n in range(1, 9))
            first.links.send((second.key,), DialBack(1000 + minute, first.port, ports))
            await trio.sleep(60)
        assert 1 < sum("8.8.4.4" in place for place in seen.dialled) <= 24
        # Where it is it is dialled as before.
        assert seen.dialled.count(f"9.9.9.9:{first.port}") > 50


async def test_a_peer_that_we_have_called_is_told_so_without_another_dial(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with met(second, first):
        told: list[DialedBack] = []

        def noted(_connection: object, message: object) -> None:
            if isinstance(message, DialedBack):
                told.append(message)

        first.presence.receive = noted  # type: ignore[method-assign]
        first.links.send((second.key,), DialBack(3, 9, ()))
        await trio.sleep(1)
        assert told == [DialedBack(3, (Tried("10.0.0.1:4771", True, ""),))]
        assert world.dials == 1


async def test_an_answer_that_nobody_asked_for_is_dropped(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with met(first, second):
        lie = DialedBack(1, (Tried("8.8.8.8:4770", True, ""),))
        second.links.send((first.key,), lie)
        await trio.sleep(1)
        assert first.node.rpc.status().network.reach == "unknown"
        assert first.notes.up


@pytest.mark.parametrize(
    ("where", "scope"),
    [
        ("127.0.0.1", Scope.COMPUTER),
        ("127.0.0.1:4770", Scope.COMPUTER),
        ("[::1]:4770", Scope.COMPUTER),
        ("192.168.0.1:4770", Scope.NETWORK),
        ("100.64.0.1", Scope.NETWORK),
        ("fe80::1%eth0", Scope.NETWORK),
        ("[fe80::1%eth0]:4770", Scope.NETWORK),
        ("1.2.3.4:4770", Scope.INTERNET),
        ("2600::1", Scope.INTERNET),
        ("[2600::1]:4770", Scope.INTERNET),
        ("example.org:4770", Scope.NETWORK),
        ("", Scope.NETWORK),
    ],
)
def test_how_far_away_an_address_is(where: str, scope: Scope) -> None:
    assert distance(where) is scope


def test_the_farthest_success_counts_more_than_any_failure() -> None:
    far = Try("Anna", "1.2.3.4", "")
    near = Try("Ben", "10.0.0.1:1", "", near=True)
    failed = Try("Cleo", "5.6.7.8:1", "there is no answer")
    own = Standing()
    assert judge([], own) == NOBODY
    assert judge([failed], own).scope is Scope.NO
    assert judge([failed, near], own).scope is Scope.NETWORK
    assert judge([near, failed, far], own).scope is Scope.INTERNET
    assert judge([Try("", "127.0.0.1", "", near=True)], own).scope is Scope.COMPUTER


def test_whom_we_have_called_proves_nothing_of_others_behind_a_router() -> None:
    bob = Try("Bob", "1.2.3.4:4770", "", called=True)
    home = Standing(("192.168.0.2",))
    verdict = judge([bob], home)
    assert verdict.scope is Scope.UNKNOWN
    assert str(verdict.words) == str(Says.REACHED_CALLED(name="Bob", kind="IPv4"))
    for plain in (Standing(("1.2.3.4",)), Standing(mapped=("1.2.3.4",))):
        assert judge([bob], plain).scope is Scope.INTERNET
    cid = Try("Cid", "1.2.3.4:4770", Says.TRIED_SILENT())
    both = judge([bob, cid], home)
    assert both.scope is Scope.NO
    why = Says.TRIED_SILENT()
    assert says(both.words, Says.NOT_REACHED, name="Cid", host="1.2.3.4:4770", why=why)
    dora = Try("Dora", "1.2.3.4:4770", "")
    assert judge([bob, dora], home).scope is Scope.INTERNET


def test_where_ports_are_taken_at_random_nobody_is_told_to_call_at_once() -> None:
    lost = Try("Cid", "1.2.3.4:4770", Says.TRIED_SILENT(), called=True)
    words = judge([lost], Standing(("192.168.0.2",), random=True)).words
    assert says(words, Says.ADVICE_RANDOM)
    assert not says(words, Says.ADVICE_ROUTER)


def test_each_kind_of_place_is_told_by_itself() -> None:
    four = Try("Anna", "1.2.3.4:4770", "")
    six = Try("Ben", "[2600::1]:4770", "there is no answer")
    near = Try("Cleo", "192.168.0.2:4770", "", near=True)
    words = str(judge([four, six], Standing()).words)
    assert str(Says.REACHED(name="Anna", kind="IPv4")) in words
    assert says(words, Says.NOT_REACHED, kind="IPv6", name="Ben", host="[2600::1]:4770")
    words = str(judge([near, six], Standing()).words)
    assert says(words, Says.REACHED_INSIDE)  # which proves nothing about the internet
    assert says(words, Says.NOT_REACHED, kind="IPv6")
    again = Try("Dora", "5.6.7.8:4770", "there is no answer")
    assert not says(str(judge([again, four], Standing()).words), Says.NOT_REACHED)


@pytest.mark.parametrize(
    ("host", "standing", "says"),
    [
        ("1.2.3.4:4770", Standing(), Says.ADVICE_ROUTER),
        ("1.2.3.4:4770", Standing(("192.168.0.2",), "1.2.3.4"), Says.ADVICE_ROUTER),
        ("1.2.3.4:4770", Standing((), "100.64.3.3"), Says.ADVICE_SHARED),
        ("1.2.3.4:4770", Standing(("100.99.0.1",)), Says.ADVICE_SHARED),
        ("1.2.3.4:4770", Standing(("1.2.3.4",)), Says.ADVICE_OWN_FIREWALL),
        ("[2600::1]:4770", Standing(("2600::1",)), Says.ADVICE_SIX),
        (
            "[2600::1]:4770",
            Standing(("2600::1",), mapped=("2600::1",)),
            Says.ADVICE_BEHIND_MAPPING,
        ),
        (
            "1.2.3.4:9",
            Standing(("192.168.0.2",), "1.2.3.4", ("1.2.3.4",)),
            Says.ADVICE_BEHIND_MAPPING,
        ),
        ("1.2.3.4:9", Standing((), "192.168.1.9"), Says.ADVICE_TWO_ROUTERS),
        ("1.2.3.4:9", Standing((), "9.9.9.9"), Says.ADVICE_OTHER_WAY),
    ],
)
def test_what_may_help_depends_on_what_is_in_the_way(
    host: str, standing: Standing, says: Saying
) -> None:
    assert advice(host, standing).code == says.name


@pytest.mark.parametrize(
    ("host", "here", "says"),
    [
        ("1.2.3.4:4770", False, Says.ADVICE_OWN_FIREWALL),
        ("1.2.3.4:4770", True, Says.ADVICE_ROUTER),
        ("[2600::1]:4770", False, Says.ADVICE_OWN_FIREWALL),
        ("[2600::1]:4770", True, Says.ADVICE_SIX_ROUTER),
    ],
)
def test_a_friend_in_the_same_network_tells_whose_firewall_it_is(
    host: str, here: bool, says: Saying
) -> None:
    own = Standing(("192.168.0.2", "2600::1"), "1.2.3.4")
    inner = "[2600::1]:4770" if "[" in host else "192.168.0.2:4770"
    near = Try("Ben", inner, "" if here else Says.TRIED_SILENT(), near=True)
    far = Try("Anna", host, Says.TRIED_SILENT())
    assert str(says()) in str(judge([far, near], own).words)


@pytest.mark.parametrize("where", ["1.2.3.4:4770", "[2600::1]:4770"])
def test_a_friend_in_the_same_network_proves_nothing_about_the_internet(
    where: str,
) -> None:
    own = Standing(("192.168.0.2", "2600::1"), "1.2.3.4")
    through = Try("Ben", where, "", near=True)
    verdict = judge([through], own)
    assert verdict.scope is not Scope.NO
    assert says(str(verdict.words), Says.REACHED_NEAR)
    lost = Try("Ben", "1.2.3.4:4770", Says.TRIED_SILENT(), near=True)
    assert judge([lost], own) == NOBODY  # no router need lead out and in again


def test_both_kinds_that_answer_are_named() -> None:
    four, six = Try("Ann", "1.2.3.4:4770", ""), Try("Bob", "[2600::1]:4770", "")
    ann, bob = (
        Says.REACHED(name="Ann", kind="IPv4"),
        Says.REACHED(name="Bob", kind="IPv6"),
    )
    assert judge([six, four], Standing()).words == Says.THEN(first=ann, then=bob)


@pytest.mark.parametrize(
    ("where", "near"),
    [
        ("192.168.7.7", True),
        ("100.64.0.9:4770", True),
        ("[fe80::1%eth0]:4770", True),
        ("1.2.3.4", True),  # our router's own: it came out and in again
        ("[2600:0:0:1::9]:4770", True),
        ("[2600:0:0:2::9]:4770", False),
        ("1.2.3.5:4770", False),
        ("bert.example.org:4770", False),
        ("bert.local:4770", True),
        ("laptop", True),
    ],
)
def test_who_is_in_the_same_network(where: str, near: bool) -> None:
    own = Standing(("192.168.0.2", "2600:0:0:1::1"), "1.2.3.4")
    assert is_near(where, own) is near


class Places:
    """A network in which a node answers at some of its places only."""

    def __init__(self, player: Player, *deaf: str) -> None:
        self.dialled: list[str] = []
        self.deaf = set(deaf)
        connect = player.net.connect

        async def some(address: Address) -> trio.abc.Stream:
            self.dialled.append(address.text())
            if address.host in self.deaf:
                why = Says.PLACE_REFUSES(place=address.text())
                raise LocalError(Code.NO_ANSWER, why)
            return await connect(address)

        player.net.connect = some  # type: ignore[method-assign]


OWN = "10.0.0.1", "2600::1", "8.8.4.4", "fe80::1%eth0", "127.0.0.1"


async def far_friends(first: Player, second: Player, ip: str) -> Places:
    """Let a node call another that is elsewhere, and has it tried at its places."""
    at(first, *OWN)
    second.net.ip = first.net.ip = ip
    second.notes.members.add(first.key)
    first.notes.members.add(second.key)
    return Places(second, "8.8.4.4")


@asynccontextmanager
async def calling(
    first: Player, second: Player, *others: Player, place: str = "9.9.8.8"
) -> AsyncIterator[None]:
    """Run nodes, the first of which has called the second a moment ago."""
    async with running(first, second, *others):
        first.notes.dials.append(Dial(f"{place}:{second.port}", second.key))
        first.node.settled()
        await trio.sleep(8)
        yield


async def test_a_friend_tries_each_place_by_itself_and_says_of_each_what_came_of_it(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    seen = await far_friends(first, second, "9.9.9.9")
    async with calling(first, second):
        port = first.port
        assert sorted(set(seen.dialled)) == [
            f"8.8.4.4:{port}", f"9.9.9.9:{port}", f"[2600::1]:{port}",
        ]  # fmt: skip
        asked = Asked(first)
        await trio.sleep(1)
        assert asked.scope == "internet"
        # By IPv6 no router is in between; by IPv4 one may know whom we have called.
        assert asked.words == Says.THEN(
            first=Says.REACHED(name="player 2", kind="IPv6"),
            then=Says.REACHED_CALLED(name="player 2", kind="IPv4"),
        )
        shown = {p.address: p for p in first.node.rpc.status().network.places}
        assert shown[f"10.0.0.1:{port}"].by == ""  # nobody of this network has tried
        assert shown[f"[2600::1]:{port}"].failed == ""
        assert shown[f"[2600::1]:{port}"].by == "player 2"
        assert shown[f"8.8.4.4:{port}"].failed == Says.TRIED_REFUSES()
        told = known(shown[f"8.8.4.4:{port}"])
        assert "player 2" in told and says(told, Says.TRIED_REFUSES)


async def test_a_friend_at_home_does_not_unsay_that_nobody_outside_gets_through(
    world: World,
    two: tuple[Player, Player],
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
) -> None:
    first, second = two
    third = Player(world, 3, tmp_path)
    seen = await far_friends(first, second, "9.9.9.9")
    seen.deaf |= {"2600::1", "9.9.9.9"}
    third.net.ip = "10.0.0.3"
    first.notes.members.add(third.key)
    third.notes.members.add(first.key)
    async with calling(first, second, third):
        assert first.node.rpc.status().network.reach == "no"
        third.notes.dials.append(Dial(f"10.0.0.1:{first.port}", first.key))
        third.node.settled()
        await trio.sleep(8)
        asked = Asked(first)
        await trio.sleep(1)
        assert asked.scope == "network"
        assert says(asked.words, Says.NOT_REACHED)


async def test_a_fact_that_is_contradicted_goes_and_with_the_network_all_do(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    seen = await far_friends(first, second, "9.9.9.9")
    mine = at(first, *OWN)
    async with calling(first, second):
        status = first.node.rpc.status
        assert status().network.reach == "internet"  # without having been asked
        await trio.sleep(2 * PROBE_PAUSE_SECONDS)
        seen.deaf |= {"2600::1", "9.9.9.9"}
        Asked(first)
        await trio.sleep(1)
        assert status().network.reach == "no"
        mine[:] = ["10.7.7.7"]
        await trio.sleep(8)
        assert status().network.reached == NOBODY.words


async def test_who_has_not_said_where_we_are_is_asked_again_until_there_is_an_answer(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    at(first, "10.0.0.1")
    second.net.ip = first.net.ip = "9.9.9.9"
    first.notes.members.add(second.key)
    asked: list[float] = []

    async def silent(whom: Address) -> Address:
        asked.append(trio.current_time())
        if len(asked) < 4:
            await trio.sleep(DIAL_SECONDS)
            raise LocalError(Code.NO_ANSWER, whom.text())
        return Address("8.8.4.4", first.port)

    first.net.meets = True
    first.net.seen = silent  # type: ignore[method-assign]
    async with running(first, second):
        first.notes.dials.append(Dial(f"9.9.8.8:{second.port}", second.key))
        first.node.settled()
        await trio.sleep(5)
        assert len(asked) == 1
        await trio.sleep(20)
        assert len(asked) == 2
        await trio.sleep(600)
        assert len(asked) == 4
        pauses = [after - before for before, after in itertools.pairwise(asked)]
        assert pauses == sorted(pauses)
        shown = [each.address for each in first.node.rpc.status().network.places]
        assert f"8.8.4.4:{first.port}" in shown


@pytest.mark.parametrize(("connects", "proves"), [(0.0, 1.0), (0.2, 0.0)])
async def test_whom_a_plain_call_reaches_can_be_asked_where_we_are_whatever_is_faster(
    two: tuple[Player, Player],
    autojump_clock: trio.testing.MockClock,
    connects: float,
    proves: float,
) -> None:
    """Over a link from our own port nobody can be asked where it comes out."""
    first, second = two
    at(first, "10.0.0.1")
    second.net.ip = first.net.ip = "9.9.9.9"
    first.notes.members.add(second.key)
    asked: list[Address] = []
    secure, connect = first.net.secure, first.net.connect

    async def meet(address: Address, pause: object, *, server_side: bool) -> Secured:
        return await secure(await connect(address), server_side=False)

    async def late(address: Address) -> trio.abc.Stream:
        await trio.sleep(connects)
        return await connect(address)

    async def slow(
        stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        await trio.sleep(proves)
        return await secure(stream, server_side=server_side, turn=turn)

    async def seen(whom: Address) -> Address:
        asked.append(whom)
        return Address("8.8.4.4", first.port)

    first.net.meets = True
    first.net.meet, first.net.secure = meet, slow  # type: ignore[method-assign, assignment]
    first.net.connect = late  # type: ignore[method-assign]
    first.net.seen = seen  # type: ignore[method-assign]
    async with calling(first, second):
        assert asked == [Address("9.9.8.8", second.port)]


@pytest.mark.parametrize("later", [0, 4, 8.2, 8.3, 8.4, 8.6, 12, 16])
async def test_two_behind_routers_never_call_by_turns_only(
    world: World,
    two: tuple[Player, Player],
    autojump_clock: trio.testing.MockClock,
    later: float,
) -> None:
    """A router lets somebody in only while it is called itself."""
    calling: dict[bytes, tuple[trio.Event, list[trio.abc.Stream]]] = {}

    async def deaf(address: Address) -> trio.abc.Stream:
        await trio.sleep(DIAL_SECONDS)
        raise LocalError(Code.NO_ANSWER, address.text())

    def meeting(me: Player, other: Player) -> Any:
        async def meet(
            _where: Address, _pause: object, *, server_side: bool
        ) -> Secured:
            del server_side
            if other.key in calling:
                came, streams = calling[other.key]
                ours, theirs = trio.testing.memory_stream_pair()
                streams.append(theirs)
                came.set()
                return Secured(ours, other.key)
            came, streams = calling[me.key] = trio.Event(), []
            try:
                await came.wait()
            finally:
                del calling[me.key]
            return Secured(streams[0], other.key)

        return meet

    for me, other in (two, two[::-1]):
        at(me, "10.0.0.1")
        me.net.meets, me.net.connect = True, deaf  # type: ignore[method-assign]
        me.net.meet = meeting(me, other)  # type: ignore[method-assign]
        me.notes.members.add(other.key)
    async with running(*two):
        for me, other in (two, two[::-1]):
            me.notes.dials.append(Dial("9.9.8.8:4770", other.key))
            me.node.settled()
            await trio.sleep(later)
        await trio.sleep(30)
        assert two[0].notes.history == two[1].notes.history == ["up"]


async def test_places_that_somebody_names_are_dialled_only_for_friends(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    seen = await far_friends(first, second, "9.9.9.9")
    second.notes.members.clear()
    async with calling(first, second):
        assert seen.dialled == [f"9.9.9.9:{first.port}"]


async def test_places_at_home_are_dialled_only_for_who_is_at_home(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    seen = await far_friends(first, second, "10.0.0.9")
    async with calling(first, second, place="10.0.0.2"):
        assert f"10.0.0.1:{first.port}" in seen.dialled
        assert not [
            place for place in seen.dialled if "127." in place or "fe80" in place
        ]
        asked = Asked(first)
        await trio.sleep(1)
        assert asked.scope == "network"
        assert says(str(asked.words), Says.REACHED_NEAR)
        for place in first.node.rpc.status().network.places:
            assert place.scope != "internet" or place.by == ""

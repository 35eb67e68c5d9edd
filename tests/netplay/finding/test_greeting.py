"""Friends for whom nobody waits are called now and then: so both see who is awake."""

import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from netplay.daemon.parts import Parts
from netplay.finding.telling import Greeting
from netplay.finding.whereabouts import LOOK_SECONDS
from netplay.fingerprint import fingerprint
from netplay.limits import (
    CALM_SECONDS,
    DIAL_SECONDS,
    GREET_AT_ONCE,
    GREET_MOST_SECONDS,
    LINKS,
    WORDS_A_SECOND,
    WORDS_AT_ONCE,
)
from netplay.messages.door import SetName
from netplay.messages.node_questions import Block, Switch, Unblock
from netplay.messages.table import Ask
from netplay.peering.address import Address
from netplay.peering.peers import KnownPeers
from tests.netplay.memory import KEYS, Player, World, met, running

SOON = 5.0
"""Seconds in which a friend who is awake is seen so: by a call at once."""

ME, BOB = KEYS[:2]

ASK: Final = Ask(b"", 1)
"""Something said to a node that asks for an answer of people, not of programs."""


class Sociable(Player):
    """A player as most are: friends are called."""

    def __init__(self, world: World, number: int, path: Path) -> None:
        self.noted: list[str] = []
        self.slept = 0.0
        """Seconds for which the computer was asleep, and the node's clock stood."""
        super().__init__(world, number, path)
        self.called: list[tuple[float, Address]] = []
        connect = self.net.connect

        async def noted(address: Address) -> trio.abc.Stream:
            self.called.append((trio.current_time(), address))
            return await connect(address)

        self.net.connect = noted  # type: ignore[method-assign]

    def journal(self, event: str, **_fields: object) -> None:
        """Take an event of the node."""
        self.noted.append(event)

    def parts(self) -> Parts:
        """Return what the node is made of; its clock runs."""
        parts = replace(super().parts(), greet=True)
        unix = 1_700_000_000
        return replace(parts, unix=lambda: unix + int(self.slept + trio.current_time()))

    def befriends(self, *others: Player, at: int = 0) -> None:
        """Know others as friends, at their place or another."""
        for one in others:
            place = f"10.0.0.1:{at or one.port}"
            self.known.met(one.key, f"player {one.net.ip[-1]}", place, dialled=False)
            self.known.befriend(one.key, "")

    def calls(self, other: Player) -> int:
        return sum(address.port == other.port for _, address in self.called)

    def sees(self, other: Player) -> bool:
        """Tell whether windows show somebody as awake."""
        peers = self.node.rpc.status().peers
        return any(p.connected and p.key == fingerprint(other.key) for p in peers)


@pytest.fixture
def cast(world: World, tmp_path: Path) -> list[Sociable]:
    return [Sociable(world, number, tmp_path) for number in (1, 2, 3)]


@pytest.fixture
def friends(cast: list[Sociable]) -> tuple[Sociable, Sociable]:
    """Two who know each other."""
    ann, bob, _ = cast
    ann.befriends(bob)
    bob.befriends(ann)
    return ann, bob


async def test_friends_see_each_other_awake_within_seconds_whoever_starts_first(
    friends: tuple[Sociable, Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = friends
    async with running(ann):
        await trio.sleep(300)
        assert not ann.sees(bob)
        async with running(bob):
            await trio.sleep(SOON)
            assert ann.sees(bob)
            assert bob.sees(ann)
        await trio.sleep(SOON)
        assert not ann.sees(bob)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such pair of sockets")
@pytest.mark.parametrize("opens", [True, False])
async def test_who_has_slept_calls_friends_at_the_first_thing_that_wakes_the_node(
    cast: list[Sociable], opens: bool, autojump_clock: trio.testing.MockClock
) -> None:
    """Somebody opens a window, or a friend's ping comes: looks are a minute apart."""
    ann, bob, cyd = cast
    ann.befriends(bob, cyd)
    bob.befriends(ann)
    here, system = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    here.setblocking(False)
    ann.address_news = here
    ann.restarted()
    with here, system:
        async with running(ann, bob):
            await trio.sleep(SOON)
            ann.notes.moved = False  # nothing happens at tables
            await trio.sleep(600)
            assert ann.sees(bob)
            before = ann.calls(cyd)
            ann.slept = 3600.0
            if opens:
                ann.node.window_up(1)
            await trio.sleep(SOON if opens else CALM_SECONDS + 1)
            assert ann.calls(cyd) > before


async def test_a_new_name_reaches_friends_who_are_awake_at_once_over_their_links(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = cast
    for one in cast:
        one.befriends(*(other for other in cast if other is not one))
    async with running(ann, bob, cyd):
        await trio.sleep(SOON)
        ann.ask(SetName("Anna"))
        await trio.sleep(SOON)
        for friend in bob, cyd:
            seen = friend.node.rpc.status().peers
            assert "Anna" in {p.name for p in seen if p.connected}
            assert friend.known.name(ann.key) == "Anna"
            assert ann.sees(friend)
            assert friend.notes.up[ann.key][0] == "Anna"
            assert ("Anna", fingerprint(ann.key)) in friend.node.rpc.status().friends
            assert "down" not in friend.notes.history
        assert "down" not in ann.notes.history


@pytest.mark.parametrize("steps", range(0, 40, 3))
async def test_a_name_taken_while_a_link_is_made_is_heard_all_the_same(
    cast: list[Sociable], steps: int, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, _ = cast
    async with running(ann, bob):
        ann.wants(bob)
        for _step in range(steps):
            await trio.lowlevel.checkpoint()
        ann.ask(SetName("Anna"))
        bob.ask(SetName("Bobby"))
        await trio.sleep(1)
        assert bob.notes.up[ann.key][0] == "Anna"
        assert ann.notes.up[bob.key][0] == "Bobby"


async def test_who_takes_names_all_the_time_keeps_no_disk_busy(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, _ = cast
    bob.befriends(ann)
    async with met(ann, bob):
        written = set()
        for number in range(600):
            ann.ask(SetName(f"Ann {number}"))
            await trio.sleep(0.1)
            written.add((bob.home.peers).read_bytes())
        assert ann.sees(bob)
        assert len(written) <= 2 + WORDS_AT_ONCE + 60 * WORDS_A_SECOND
        assert bob.notes.up[ann.key][0].startswith("Ann 5")
        await trio.sleep(1 / WORDS_A_SECOND)
        assert bob.notes.up[ann.key][0] == "Ann 599"  # the last counts in the end
        assert bob.known.name(ann.key) == "Ann 599"
        await trio.sleep(60)
        ann.ask(SetName("Anna"))
        await trio.sleep(1)
        assert bob.notes.up[ann.key][0] == "Anna"


@pytest.mark.parametrize("last", ["Ann", "Anna", "Ann 5"])
async def test_whoever_tries_many_names_is_called_by_the_last(
    cast: list[Sociable], last: str, autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, _ = cast
    bob.befriends(ann)
    async with met(ann, bob):
        for name in (*(f"Ann {number}" for number in range(9)), last):
            ann.ask(SetName(name))
        await trio.sleep(1 / WORDS_A_SECOND + 1)
        assert bob.notes.up[ann.key][0] == last
        assert bob.known.name(ann.key) == last


async def test_a_stranger_takes_another_name_and_is_not_written_down(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, _ = cast
    async with met(ann, bob):
        ann.ask(SetName("Anna"))
        await trio.sleep(1)
        assert bob.notes.up[ann.key][0] == "Anna"
        assert not bob.known.knows(ann.key)


async def test_two_friends_who_both_moved_see_each_other_by_a_friend_in_common(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    """Nobody waits for anybody: no table wants a link."""
    ann, bob, cyd = cast
    for one in cast:
        one.befriends(*(other for other in cast if other is not one))
    async with running(*cast):
        await trio.sleep(60)
    for one in ann, bob:
        one.port += 1000
    for one in cast:
        one.restarted()
    async with running(ann, cyd):
        await trio.sleep(300)
        async with running(bob):
            await trio.sleep(SOON)
            assert ann.sees(bob)
            assert bob.sees(ann)


@pytest.mark.parametrize("here", [True, False])
async def test_a_word_of_the_loopback_counts_for_who_listens_there_alone(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock, *, here: bool
) -> None:
    ann, bob = (Sociable(world, number, tmp_path) for number in (1, 2))
    ann.befriends(bob)
    bob.befriends(ann)
    bob.places = ["127.0.0.1"]
    ann.places = bob.places if here else []
    async with running(ann, bob):
        await trio.sleep(60)
        found = ann.known.places_told(bob.key)
        assert found == ((f"127.0.0.1:{bob.port}",) if here else ())


class Steps(trio.abc.Instrument):
    """Counts how often tasks have something to do."""

    def __init__(self) -> None:
        self.count = 0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.count += bool(task.name)


async def steps(seconds: float) -> int:
    """Return how often anything wakes in so many seconds."""
    counting = Steps()
    trio.lowlevel.add_instrument(counting)
    await trio.sleep(seconds)
    trio.lowlevel.remove_instrument(counting)
    return counting.count


async def test_friends_who_sleep_wake_a_node_only_to_be_called(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = cast
    async with running(ann):
        await trio.sleep(300)
        alone = await steps(3 * GREET_MOST_SECONDS)
        ann.befriends(bob, cyd)
        await trio.sleep(GREET_MOST_SECONDS)
        before = len(ann.called)
        woken = await steps(3 * GREET_MOST_SECONDS) - alone
        called = len(ann.called) - before
        assert called
        assert woken < 60 * called
        looks = 3 * GREET_MOST_SECONDS / LOOK_SECONDS  # at its own addresses
        assert alone < 1.2 * looks


async def until_down(one: Sociable, other: Sociable) -> float:
    """Return the seconds until a node has seen that another is gone."""
    began = trio.current_time()
    with trio.move_on_after(60):
        while one.sees(other):  # noqa: ASYNC110 (links tell no test)
            await trio.sleep(0.25)
    return trio.current_time() - began


@asynccontextmanager
async def vanished(
    one: Sociable, other: Sociable, world: World, silent: float = 0
) -> AsyncIterator[None]:
    """Run two, whose line goes dead a moment after a word, and wait so many seconds."""
    async with running(one, other):
        await trio.sleep(100)
        other.links.send((one.key,), ASK)
        await trio.sleep(6)
        world.freeze()
        await trio.sleep(silent)
        yield


async def test_friends_at_no_table_cost_a_ping_every_half_minute(
    friends: tuple[Sociable, Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob = friends
    async with running(ann, bob):
        await trio.sleep(120)
        read = ann.links.here()[bob.key].link.receive  # type: ignore[union-attr]
        heard: list[bytes] = []

        def noted(data: bytes, now: float) -> object:
            heard.append(data)
            return read(data, now)

        ann.links.here()[bob.key].link.receive = noted  # type: ignore[union-attr, method-assign, assignment]
        await trio.sleep(3600)
        assert 3600 / 35 <= len(heard) <= 3600 / 25
        ann.notes.members.add(bob.key)  # now they sit down together
        ann.node.settled()
        heard.clear()
        await trio.sleep(3600)
        assert len(heard) >= 3600 / 6


async def test_a_friend_at_no_table_who_vanishes_is_seen_so_within_37_seconds(
    friends: tuple[Sociable, Sociable],
    world: World,
    autojump_clock: trio.testing.MockClock,
) -> None:
    ann, bob = friends
    async with vanished(ann, bob, world):
        assert 12 < await until_down(ann, bob) <= 37.5


@pytest.mark.parametrize("silent", [1, 9, 19])
async def test_what_is_said_to_a_friend_who_has_vanished_finds_it_out_soon(
    silent: int,
    friends: tuple[Sociable, Sociable],
    world: World,
    autojump_clock: trio.testing.MockClock,
) -> None:
    ann, bob = friends
    async with vanished(ann, bob, world, silent):
        assert ann.sees(bob)
        ann.links.send((bob.key,), ASK)
        assert await until_down(ann, bob) <= 12.5


@pytest.mark.parametrize("silent", [0, 3, 9, 15, 20, 24, 30])
async def test_who_sits_down_with_a_friend_whose_link_is_dead_finds_it_out_soon(
    silent: int,
    friends: tuple[Sociable, Sociable],
    world: World,
    autojump_clock: trio.testing.MockClock,
) -> None:
    ann, bob = friends
    async with vanished(ann, bob, world, silent):
        ann.notes.members.add(bob.key)
        ann.wants(bob, by_key=True)
        ann.node.settled()
        dead = ann.links.here().get(bob.key)
        await trio.sleep(7)  # the other listens still, and is called beside the link
        assert ann.links.here()[bob.key] is not dead
        assert ann.sees(bob)
        assert bob.sees(ann)


async def test_a_friend_who_sleeps_is_told_of_in_the_journal_once(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, _ = cast
    ann.befriends(bob)
    async with running(ann):
        await trio.sleep(20 * GREET_MOST_SECONDS)
        assert ann.calls(bob) > 15
        assert ann.noted.count("dial.failed") == 1
        async with running(bob):
            await trio.sleep(SOON + GREET_MOST_SECONDS)
            assert ann.sees(bob)
        await trio.sleep(20 * GREET_MOST_SECONDS)
        assert ann.noted.count("dial.failed") == 2


def calls(own: bytes, friend: bytes, began: int, until: int) -> list[int]:
    """Return when a node calls a friend who never answers."""
    known, now = KnownPeers(None), float(began)
    known.met(friend, "x", "10.0.0.1:1", dialled=False)
    known.befriend(friend, "")
    nobody = Nobody()
    greeting = Greeting(own, nobody, known, lambda: int(now), lambda: None)  # type: ignore[arg-type]
    found: list[int] = []
    while now < until:
        if greeting.friends(now) and not (found and now < found[-1] + DIAL_SECONDS):
            found.append(int(now))
        now += 1
    return found


class Nobody:
    """Links, of which there are none."""

    def here(self) -> dict[bytes, object]:
        return {}


def test_who_does_not_answer_is_called_ever_more_seldom() -> None:
    at = calls(ME, BOB, 1000, 101_000)
    assert at[0] == 1000
    waits = [later - before for before, later in pairwise(at)]
    for number, wait in enumerate(waits[:4]):
        assert DIAL_SECONDS < wait <= 60 * 2**number + DIAL_SECONDS
    assert set(waits[5:]) == {GREET_MOST_SECONDS}
    assert len(at) <= 7 + 100_000 / GREET_MOST_SECONDS


@pytest.mark.parametrize("later", [1, 17, 60, 333, 2000, 50_123])
def test_two_who_call_in_vain_call_soon_at_the_same_moment(later: int) -> None:
    began = 1_700_000_000
    until = began + later + 2 * GREET_MOST_SECONDS + 10
    one = set(calls(ME, BOB, began, until))
    other = set(calls(BOB, ME, began + later, until))
    assert one & other


async def test_of_many_friends_few_are_called_at_a_time_and_all_soon(
    world: World, cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, *_ = cast
    many = [bytes([n]) * 32 for n in range(40)]
    for number, key in enumerate(many):
        ann.known.met(key, "x", f"10.0.0.1:{6000 + number}", dialled=False)
        ann.known.befriend(key, "")
    async with running(ann):
        await trio.sleep(90)
        first: dict[int, float] = {}
        for time, address in ann.called:
            first.setdefault(address.port, time)
        assert len(first) == len(many)
        assert max(Counter(first.values()).values()) <= GREET_AT_ONCE
        assert max(first.values()) <= 60


async def test_nobody_is_called_who_is_blocked_or_was_only_met_or_has_no_place(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, cyd = cast
    ann.befriends(bob)
    bob.befriends(ann)
    ann.known.met(cyd.key, "player 3", f"10.0.0.1:{cyd.port}", dialled=False)
    ann.known.befriend(bytes(32), "nowhere")
    ann.ask(Block("player 2"))
    async with running(ann, bob, cyd):
        await trio.sleep(600)
        assert not ann.called
        assert not ann.sees(bob)
        assert not bob.sees(ann)
        ann.ask(Unblock("player 2"))
        await trio.sleep(SOON)
        assert ann.sees(bob)


async def test_who_does_not_want_it_calls_nobody_and_is_asked_no_more(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, _ = cast
    ann.befriends(bob)
    ann.home.set("greet", "off")
    async with running(ann):
        ann.ask(Switch("greet", on=False))
        await trio.sleep(600)
        assert not ann.called
        assert not ann.node.rpc.status().network.greet
        async with running(bob):
            ann.ask(Switch("greet", on=True))
            await trio.sleep(SOON)
            assert ann.sees(bob)


async def test_a_friend_who_has_gone_is_called_again_but_not_at_once(
    world: World, cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    ann, bob, _ = cast
    ann.befriends(bob)
    async with running(ann, bob):
        await trio.sleep(SOON)
        assert ann.sees(bob)
        before = ann.calls(bob)
        world.cut()
        await trio.sleep(SOON)
        assert ann.calls(bob) == before
        await trio.sleep(15)
        assert ann.sees(bob)


def test_a_friend_with_no_room_who_takes_each_call_for_a_moment_is_called_seldom() -> (
    None
):
    """It takes whoever comes, and lets go of the one that came first."""
    known, links, begun = KnownPeers(None), Nobody(), list[int]()
    known.met(BOB, "x", "10.0.0.1:1", dialled=False)
    known.befriend(BOB, "")
    greeting = Greeting(ME, links, known, lambda: 0, lambda: None)  # type: ignore[arg-type]
    for now in range(3600):
        linked = begun and now - begun[-1] in range(1, 30)
        here: dict[bytes, object] = {BOB: None} if linked else {}
        links.here = lambda here=here: here  # type: ignore[method-assign, misc]
        if greeting.friends(float(now)) and not linked:
            begun.append(now)
    assert 4 < len(begun) < 10


async def test_another_network_soon_after_another_is_called_from_as_well(
    cast: list[Sociable], autojump_clock: trio.testing.MockClock
) -> None:
    """As where one is lost before the next is there."""
    ann, bob, _ = cast
    ann.befriends(bob)
    ann.places = mine = ["10.0.0.1"]
    async with running(ann):
        await trio.sleep(140)
        before = ann.calls(bob)
        mine[:] = ["10.5.5.5"]
        with trio.fail_after(SOON + LOOK_SECONDS):
            while ann.calls(bob) == before:  # noqa: ASYNC110 (it tells nobody)
                await trio.sleep(0.5)
        mine[:] = ["10.7.7.7"]
        await trio.sleep(SOON + LOOK_SECONDS)
        assert ann.calls(bob) > before + 1


def test_links_to_friends_leave_room_for_those_who_come() -> None:
    known = KnownPeers(None)
    for number in range(LINKS):
        key = bytes([number]) * 32
        known.met(key, "x", f"10.0.0.1:{6000 + number}", dialled=False)
        known.befriend(key, "")
    links = Nobody()
    greeting = Greeting(ME, links, known, lambda: 0, lambda: None)  # type: ignore[arg-type]
    assert greeting.friends(0.0)
    for count, room in ((LINKS // 2 - 1, 1), (LINKS // 2, 0)):
        found: dict[bytes, object] = {bytes([n]) * 32: None for n in range(count)}
        links.here = lambda found=found: found  # type: ignore[method-assign, misc]
        assert len(greeting.friends(1000.0 * (count + 1))) == room

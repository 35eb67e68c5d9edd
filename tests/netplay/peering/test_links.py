import gc
from collections.abc import Hashable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from netplay import limits
from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint, folded
from netplay.messages.door import Done, Question, Request, SetName
from netplay.messages.log import Entries
from netplay.messages.node_questions import Block, Describe, Personal, Unblock
from netplay.peering.connection import Connection, Way
from netplay.peering.dial_plan import LATE_SECONDS
from netplay.peering.gate import Gate
from netplay.peering.net import Incoming, Secured
from netplay.peering.pipe import Turn
from netplay.sentences import Says
from netplay.wanted import Dial, Outgoing
from tests.netplay.memory import KEYS, MemoryNet, Notes, Player, World, met, running
from tests.netplay.peering.test_missing import knows
from tests.said import says


async def comes(world: World, player: Player, key: bytes, ip: str) -> trio.abc.Stream:
    """Connect to a node as a stranger who then says nothing."""
    _, handler, nursery = world.listening[player.port]
    ours, theirs = trio.testing.memory_stream_pair()
    world.peers[theirs] = key
    nursery.start_soon(handler, Incoming(theirs, ip))
    await trio.testing.wait_all_tasks_blocked()
    return ours


async def is_open(stream: trio.abc.Stream) -> bool:
    """Tell whether a stream has not been closed at the other end."""
    with trio.move_on_after(0.01):
        while await stream.receive_some(1000):
            pass
        return False
    return True


def journalled(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> list[dict[str, object]]:
    """Return the lines that a node's journal will have; it is made anew."""
    lines: list[dict[str, object]] = []

    def note(event: str, **fields: object) -> None:
        if not event.startswith("node."):
            lines.append(fields)

    monkeypatch.setattr(player, "journal", note)
    player.restarted()
    return lines


@pytest.fixture
def player(world: World, tmp_path: Path) -> Player:
    return Player(world, 1, tmp_path)


async def test_idle_strangers_make_room_for_the_next(
    world: World, player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        streams = [
            await comes(world, player, KEYS[2], "10.0.0.66")
            for _ in range(limits.HALF_OPEN)
        ]
        await trio.sleep(8)  # each has had its turn
        streams.append(await comes(world, player, KEYS[2], "10.0.0.66"))
        assert not await is_open(streams[0])
        for stream in streams[1:]:
            assert await is_open(stream)


async def test_an_idle_stranger_is_sent_away_in_time(
    world: World, player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        stream = await comes(world, player, KEYS[2], "10.0.0.66")
        await trio.sleep(limits.HANDSHAKE_SECONDS - 1)
        assert await is_open(stream)
        await trio.sleep(limits.BYE_SECONDS + 2)
        assert not await is_open(stream)


async def test_links_that_were_cut_are_let_go_without_the_collector(
    world: World, player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    def kept() -> int:
        return sum(isinstance(one, Connection) for one in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = kept()
        async with running(player):
            for number in range(5):
                stream = await comes(world, player, KEYS[2], f"10.0.0.{number}")
                await stream.aclose()
                await trio.testing.wait_all_tasks_blocked()
            assert kept() <= before
    finally:
        gc.enable()


async def test_a_flood_of_connections_does_not_keep_a_friend_out(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        for number in range(500):
            await comes(world, first, KEYS[3], f"10.0.{number % 50}.1")
        began = trio.current_time()
        second.wants(first)
        while not first.notes.up:  # noqa: ASYNC110 (nothing tells)
            await trio.sleep(0.01)
        assert trio.current_time() - began < 2


async def test_an_address_that_comes_too_often_waits_and_is_let_in(
    world: World, player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        for _ in range(int(limits.HANDSHAKES_AT_ONCE)):
            await comes(world, player, KEYS[2], "10.0.0.66")
        stream = await comes(world, player, KEYS[3], "10.0.0.66")
        began = trio.current_time()
        assert await stream.receive_some(1)  # its Hello begins
        assert 0 < trio.current_time() - began < 0.5


async def test_of_a_crowd_of_strangers_not_too_much_is_written(
    world: World,
    player: Player,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = journalled(player, monkeypatch)
    async with running(player):
        for _ in range(300):
            stream = await comes(world, player, KEYS[2], "10.0.0.66")
            await stream.send_all(b"\0\0\0\0")
            await trio.sleep(0.1)
        assert limits.STRANGER_LINES_AT_ONCE <= len(lines) <= 120
        assert sum(int(str(line.get("left_out", 0))) for line in lines) > 100


async def test_a_friend_who_comes_and_goes_all_the_time_writes_few_lines(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, friend = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    lines = journalled(player, monkeypatch)
    player.notes.members.add(friend.key)
    async with running(player):
        for _ in range(100):
            friend.notes = Notes()
            friend.restarted()
            async with running(friend):
                friend.wants(player)
                await trio.sleep(0.1)
                assert friend.key in player.notes.up
            await trio.sleep(0.1)
    assert limits.COMER_LINES_AT_ONCE < len(lines) < 2 * limits.COMER_LINES_AT_ONCE
    assert sum(int(str(line.get("left_out", 0))) for line in lines) > 100


async def test_a_friend_who_is_away_for_a_day_fills_no_journal_and_is_found_soon(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, friend = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    knows(player, friend)
    lines = journalled(player, monkeypatch)
    async with running(player):
        player.wants(friend, by_key=True)
        await trio.sleep(25 * 3600)
        day, count = 25 * 3600 * limits.DIAL_LINES_A_SECOND, len(lines)
        assert limits.DIAL_LINES_AT_ONCE < count < day + limits.DIAL_LINES_AT_ONCE
        assert count * 250 < 256 * 1024
        async with running(friend):
            await trio.sleep(60)
            assert friend.key in player.notes.up


async def test_who_was_missed_for_long_and_goes_again_is_looked_for_at_once(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    first.known.met(second.key, "second", f"10.0.0.1:{second.port}", dialled=True)
    first.wants(second, by_key=True)
    async with running(first):
        for away, patience in ((5000, 2 * LATE_SECONDS), (1, 5)):
            await trio.sleep(away)
            async with running(second):
                await trio.sleep(patience)
                assert second.key in first.notes.up
            second.restarted()
            await trio.sleep(1)


async def test_a_handshake_that_fails_or_stalls_closes_the_connection(
    world: World,
    player: Player,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fails(
        _self: MemoryNet, _stream: trio.abc.Stream, *, server_side: bool, turn: Turn
    ) -> Secured:
        assert server_side
        raise PeerError(Code.BAD_CERTIFICATE)

    async def stalls(
        _self: MemoryNet, _stream: trio.abc.Stream, *, server_side: bool, turn: Turn
    ) -> Secured:
        assert server_side
        await trio.sleep_forever()
        raise AssertionError

    async with running(player):
        monkeypatch.setattr(MemoryNet, "secure", fails)
        assert not await is_open(await comes(world, player, KEYS[2], "10.0.0.66"))
        monkeypatch.setattr(MemoryNet, "secure", stalls)
        stream = await comes(world, player, KEYS[2], "10.0.0.66")
        await trio.sleep(limits.HANDSHAKE_SECONDS + 1)
        assert not await is_open(stream)


async def test_in_a_crowd_the_oldest_stranger_goes_and_members_stay(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.limits.LINKS", 2)
    host, member, stranger, last = (Player(world, n, tmp_path) for n in (1, 2, 3, 4))
    host.notes.members.add(member.key)
    async with running(host, member, stranger, last):
        for other in (member, stranger, last):
            other.wants(host)
            await trio.sleep(1)
            other.notes.dials.clear()
        assert set(host.notes.up) == {member.key, last.key}
        assert stranger.notes.history == ["up", "down"]


async def test_a_stranger_has_no_room_among_members(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.limits.LINKS", 1)
    host, member, stranger = (Player(world, n, tmp_path) for n in (1, 2, 3))
    host.notes.members.add(member.key)
    async with running(host, member, stranger):
        for other in (member, stranger):
            other.wants(host)
            await trio.sleep(1)
        assert set(host.notes.up) == {member.key}
        await trio.sleep(300)  # it is called again for some minutes
        assert Code.BUSY.text in stranger.notes.failed[0][1]


async def test_a_member_always_has_room(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.limits.LINKS", 1)
    host, one, two = (Player(world, n, tmp_path) for n in (1, 2, 3))
    host.notes.members |= {one.key, two.key}
    async with running(host, one, two):
        for other in (one, two):
            other.wants(host)
            await trio.sleep(1)
        assert set(host.notes.up) == {one.key, two.key}


async def test_a_node_that_cannot_write_down_a_peer_talks_to_it_all_the_same(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object, **__: object) -> None:
        raise LocalError(Code.DISK, "full")

    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        monkeypatch.setattr(first.known, "met", full)
        first.wants(second)
        await trio.sleep(1)
        assert first.notes.up
        assert second.notes.up


async def test_a_peer_that_does_not_read_is_dropped_and_costs_bounded_memory(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    first.notes.members.add(second.key)
    big = Entries(bytes(32), (bytes(60_000),))
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        first.notes.dials.clear()
        (connection,) = first.links.here().values()
        sent = 0

        async def stuck(_data: bytes) -> None:
            await trio.sleep_forever()

        monkeypatch.setattr(connection.stream, "send_all", stuck)
        while first.notes.up and sent < 2 * limits.QUEUE_BYTES:
            first.notes.shared.put([Outgoing((second.key,), big)])
            first.node.settled()
            sent += 60_000
            await trio.sleep(0.001)
        assert first.notes.history == ["up", "down"]
        assert sent <= limits.QUEUE_BYTES + 240_000


async def test_what_is_said_to_a_closed_link_is_dropped(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        first.notes.dials.clear()
        (connection,) = first.links.here().values()
        world.cut()
        await trio.sleep(0.1)
        connection.send(b"too late")
        assert connection.close(None, "") == []
        connection.wake(0.0)
        assert connection.deadline() == float("inf")


async def test_a_blocked_key_is_hung_up_on_before_a_word_is_said(
    world: World, player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    player.known.blocked.add(KEYS[2], "Eve")
    async with running(player):
        stream = await comes(world, player, KEYS[2], "10.0.0.66")
        with trio.fail_after(1):
            assert await stream.receive_some(1000) == b""
        assert KEYS[2] not in player.notes.up
        assert await is_open(await comes(world, player, KEYS[3], "10.0.0.66"))


@pytest.mark.parametrize("called", ["player 2", "Bobo"])
async def test_who_is_blocked_is_hung_up_on_and_not_dialled(
    called: str, world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    one, two = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(one, two):
        dial = one.wants(two)
        await trio.sleep(1)
        assert two.key in one.notes.up
        noted = Describe("player 2", Personal("Bobo"))  # both names mean the same
        one.node.answer(1, Request(1, noted), lambda _: None)
        one.node.answer(1, Request(1, Block(called)), lambda _: None)
        await trio.sleep(5)
        assert two.key not in one.notes.up
        assert one.key not in two.notes.up
        assert "block" in one.notes.history
        failed = [why for wanted, why in one.notes.failed if wanted == dial]
        assert says(failed[-1], Says.UNBLOCK_FIRST)
        assert not one.node.rpc.status().peers, "nobody waits for who is blocked"
        two.wants(one)
        await trio.sleep(5)
        assert not one.notes.up
        again: list[object] = []
        ask = Request(2, Unblock(called))
        one.node.answer(1, ask, again.append)
        assert again == [Done(2, Says.NO_LONGER_BLOCKED(name="Bobo"))]
        await trio.sleep(20)
        assert two.key in one.notes.up


async def test_a_friend_is_not_called_by_ones_own_name(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    one, two = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(one, two):
        one.wants(two)
        await trio.sleep(1)
        told: list[Any] = []
        for number, name in enumerate(("Player 1", "Bobo"), 1):
            noted = Describe("player 2", Personal(name))
            one.node.answer(1, Request(number, noted), told.append)
        assert told[0].error.said == Says.CALLED_AS_YOU(name="player 1")
        assert told[1] == Done(2, Says.NOTED(name="Bobo"))


async def test_friends_call_one_by_the_last_name_whenever_it_was_taken(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    one, two = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(one):
        for moment in range(0, 40, 2):  # also while their first words are under way
            async with running(two):
                two.wants(one)
                for _step in range(moment):
                    await trio.lowlevel.checkpoint()
                one.does(SetName(f"Anna {moment}"))
                await trio.sleep(5)
                assert two.notes.up[one.key][0] == f"Anna {moment}"
            await trio.sleep(60)
            two.notes.up.clear()
            two.restarted()
        async with running(two):
            two.wants(one)
            await trio.sleep(5)
            for number in range(
                int(3 * limits.WORDS_AT_ONCE)
            ):  # more than are heard at once
                one.does(SetName(f"Anne {number}"))
                await trio.lowlevel.checkpoint()
            await trio.testing.wait_all_tasks_blocked()
            heard = two.notes.up[one.key][0]
            one.does(SetName(heard))
            await trio.sleep(120)
            assert two.notes.up[one.key][0] == heard


async def test_which_of_two_friends_of_one_name_is_said_by_a_number(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    one = Player(world, 1, tmp_path)
    async with running(one):
        one.known.befriend(KEYS[2], "Bert")
        one.known.befriend(KEYS[3], "Bert")
        names = dict(one.node.rpc.status().friends)
        assert set(names) == {"Bert (1)", "Bert (2)"}
        told: list[Any] = []
        asked: tuple[Question, ...] = (
            Block("Bert"),
            Describe("Bert (2)", Personal("Bert (1)")),
            Describe("Bert (2)", Personal("Huber")),
            Block("Bert"),
        )
        for number, question in enumerate(asked, 1):
            one.node.answer(1, Request(number, question), told.append)
        several = Says.SEVERAL_NAMED(whom="Bert", ways="Bert (1), Bert (2)")
        assert told[0].error.said == several, "and no keys"
        assert told[1].error.said == Says.CALLED_AS_FRIEND(name="Bert")
        assert told[2] == Done(3, Says.NOTED(name="Huber"))
        assert one.known.called(KEYS[3]) == "Huber"
        assert told[3] == Done(4, Says.BLOCKED(name="Bert"))
        assert set(one.known.blocked.all()) == {KEYS[2]}
        assert one.node.rpc.status().blocked == (("Bert", fingerprint(KEYS[2])),)
        assert dict(one.node.rpc.status().friends) == {"Huber": fingerprint(KEYS[3])}


async def test_a_key_is_held_to_an_address_only_where_it_answered_a_call(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        first.known.met(second.key, "old", "", dialled=False)
        second.wants(first)
        await trio.sleep(1)
        (called,) = second.known.all()
        assert called[0] == first.key
        assert called[2] == (f"10.0.0.1:{first.port}",)
        (came,) = first.known.all()
        assert came[1].name == "player 2", "it is known, so what it says is kept"
        assert came[2] == (), "anybody may call from there"


async def test_whoever_is_met_is_told_of_once(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    met: list[str] = []
    monkeypatch.setattr(first.node, "met", lambda _who, name: met.append(name))
    async with running(first, second):
        for _ in range(2):
            first.wants(second)
            await trio.sleep(1)
            assert met == ["player 2"]
            for link in tuple(second.links.here().values()):
                second.links.hang_up(link, None, "for now")
            await trio.sleep(1)


async def test_a_node_that_ends_takes_nobody_any_more(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with met(second, first):
        second.links.end("the node was stopped")
        first.wants(second)  # calls again as soon as the link has ended
        await trio.sleep(limits.BYE_SECONDS)
        assert not second.links.here()
        assert not first.links.here()


async def test_a_stranger_is_neither_written_down_nor_trusted_until_a_table_needs_it(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    host, guest = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(host, guest):
        guest.wants(host)
        await trio.sleep(1)
        links = host.links
        (link,) = links.here().values()
        links.trust_all()
        assert (link.remembered, link.trusted) == (False, False)
        assert not list(host.known.all())
        host.notes.members.add(guest.key)
        links.trust_all()
        assert (link.remembered, link.trusted) == (True, True)
        assert [key for key, _peer, _trusted in host.known.all()] == [guest.key]


async def test_who_has_come_in_stands_in_nobodys_way_at_the_gate(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.peering.gate.HALF_OPEN", 1)
    host, one, two = (Player(world, n, tmp_path) for n in (1, 2, 3))
    async with running(host, one, two):
        for other in (one, two):
            other.wants(host)
            await trio.sleep(1)
        assert set(host.notes.up) == {one.key, two.key}
        assert one.notes.history == ["up"]


@pytest.mark.parametrize("met", [False, True])
@pytest.mark.parametrize("patient", [False, True])
@pytest.mark.parametrize("line", ["{place}", "netplay:{place}#{key}"])
async def test_whoever_calls_who_has_blocked_it_is_told_that_nobody_answers(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    line: str,
    *,
    patient: bool,
    met: bool,
) -> None:
    one, two = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    one.known.blocked.add(two.key, "player 2")
    place = f"10.0.0.1:{one.port}"
    if met:
        two.known.met(one.key, "player 1", place, dialled=True)
    async with running(one, two):
        heard = two.lines()
        address = line.format(place=place, key=fingerprint(one.key))
        two.notes.dials.append(Dial(address, None, patient=patient))
        two.node.settled()
        await trio.sleep(5)
        assert {why for _dial, why in two.notes.failed} == {
            f"{Code.NO_ANSWER.text}: {place}"
        }
        assert not heard


async def test_who_is_blocked_in_mid_handshake_does_not_get_in(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The key was looked at and was good; its first word comes after the block."""
    one, two = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    blocked, proved = one.known.blocked, Gate.proved

    def proved_and_blocked(gate: Gate, visitor: Hashable, now: float) -> None:
        proved(gate, visitor, now)
        if two.key not in blocked:
            blocked.add(two.key, "player 2")

    monkeypatch.setattr(Gate, "proved", proved_and_blocked)
    async with running(one, two):
        heard = two.lines()
        two.wants(one)
        await trio.sleep(5)
        assert two.notes.failed, "it ends as where nobody is"
        assert not heard, "no crowd is spoken of"
        assert two.key in blocked
        assert two.key not in one.notes.up
        assert "up" not in one.notes.history


async def test_who_comes_back_over_a_new_line_pushes_nobody_out_of_a_full_node(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its old line is dead, and nothing has said so yet."""
    monkeypatch.setattr("netplay.limits.LINKS", 2)
    host, first, second = (Player(world, n, tmp_path) for n in (1, 2, 3))
    async with running(host, first):
        first.wants(host)
        await trio.sleep(1)
        async with running(second):
            second.wants(host)
            await trio.sleep(1)
            world.freeze_last()
        assert set(host.notes.up) == {first.key, second.key}
        second.notes.up.clear()
        second.restarted()
        async with running(second):
            second.wants(host)
            await trio.sleep(1)
            assert set(second.notes.up) == {host.key}
            assert set(host.notes.up) == {first.key, second.key}
            assert first.notes.history == ["up"]


async def test_two_who_call_each_other_at_once_keep_one_link_and_stay_there(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        first.wants(second)
        second.wants(first)
        await trio.sleep(30)
        for one, other in ((first, second), (second, first)):
            assert set(one.notes.up) == {other.key}
            assert one.notes.history[-1] == "up"
            assert len(one.notes.history) <= 3


@pytest.mark.parametrize("apart", [0.5, 60.0])
@pytest.mark.parametrize("calls", list(permutations(("first", "second", "both"), 2)))
async def test_of_two_links_at_once_both_ends_keep_the_same_and_else_the_newer(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    calls: tuple[str, str],
    apart: float,
) -> None:
    """Each is dialled by one of two nodes, or by both, who meet half way."""
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    ends = {"first": first, "second": second}
    prints = {name: folded(fingerprint(end.key)) for name, end in ends.items()}
    diallers = [
        min(prints, key=prints.__getitem__) if c == "both" else c for c in calls
    ]
    made: list[dict[str, Connection]] = []
    async with running(first, second) as nursery:
        for call in calls:
            streams = trio.testing.memory_stream_pair()
            link: dict[str, Connection] = {}
            for (name, end), stream in zip(ends.items(), streams, strict=True):
                (other,) = (one for one in ends.values() if one is not end)
                way = Way.DIALLED if call == name else Way.CAME
                way = Way.MET if call == "both" else way
                link[name] = Connection(stream, other.key, "10.0.0.1", way)
                now = trio.current_time()
                nursery.start_soon(end.links.carry, link[name], now, lambda _: None)
            made.append(link)
            await trio.sleep(apart)
        await trio.sleep(5)
        kept = 1
        if apart < 1 and diallers[0] != diallers[1]:
            kept = diallers.index(min(ends, key=lambda name: ends[name].key))
        for name, end in ends.items():
            (link_kept,) = end.links.here().values()
            assert link_kept is made[kept][name]


async def test_a_mistake_in_a_link_ends_that_one_and_not_the_next(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
    mistakes: list[Exception],
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        old = first.links.here()[second.key]

        def broken(_now: float) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(old, "wake", broken)
        await trio.sleep(60)
        assert [type(one) for one in mistakes] == [ZeroDivisionError]
        mistakes.clear()
        assert first.notes.history == ["up", "down", "up"]
        assert first.links.here()[second.key] is not old


async def test_of_more_friends_than_are_remembered_who_left_first_is_forgotten(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.limits.PEERS_AWAY", 2)
    host, *others = (Player(world, n, tmp_path) for n in (1, 2, 3, 4))
    async with running(host):
        for n in (0, 1, 0, 2):  # the first comes again, after the second
            async with running(others[n]):
                host.wants(others[n])
                await trio.sleep(1)
            host.notes.dials.clear()
            await trio.sleep(1)
            others[n].notes.up.clear()
            others[n].restarted()
        gone = [one.name for one in host.node.rpc.status().peers]
        assert gone == ["player 2", "player 4"]

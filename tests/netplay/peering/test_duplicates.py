"""Copies of one home that run at once: each is told, neither pushes the other out."""

from pathlib import Path

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code
from netplay.messages.door import Join, Request, Retry
from netplay.peering.identity import KEYS_KEPT, Duplicates
from netplay.sentences import Says
from tests.netplay.memory import Player, World, running
from tests.said import says

KEY = b"key"


@given(st.lists(st.integers(1, 3), max_size=40))
def test_starts_one_after_the_other_are_never_taken_for_copies(
    links: list[int],
) -> None:
    seen = Duplicates()
    for start, times in enumerate(links):
        for _ in range(times):
            assert not seen.is_one(KEY, bytes([start]))
            seen.note_nonce(KEY, bytes([start]))


def test_a_start_that_comes_back_after_another_is_a_copy_until_it_is_forgotten() -> (
    None
):
    seen = Duplicates()
    seen.note_nonce(KEY, b"1")
    seen.note_nonce(KEY, b"2")
    assert seen.is_one(KEY, b"1")
    assert not seen.is_one(KEY, b"2")
    assert not seen.is_one(b"other", b"1")
    seen.absolve(KEY)
    assert not seen.is_one(KEY, b"1")
    seen.note_nonce(KEY, b"1")
    seen.note_nonce(KEY, b"2")
    for number in range(KEYS_KEPT):
        seen.note_nonce(number.to_bytes(2, "big"), b"1")
    assert not seen.is_one(KEY, b"1")


@pytest.fixture
def cast(world: World, tmp_path: Path) -> tuple[Player, Player, Player]:
    """Return a node, a copy of it and a friend of both."""
    one = Player(world, 1, tmp_path)
    copy = Player(world, 1, tmp_path / "copy", port=4790)
    copy.noise = 5000
    copy.restarted()
    return one, copy, Player(world, 2, tmp_path)


def alarms(player: Player, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return where all that is told loudly at a node will stand."""
    told: list[str] = []
    monkeypatch.setattr(player.node, "alarm", told.append)
    return told


async def test_two_copies_of_a_home_do_not_push_each_other_out_for_ever(
    cast: tuple[Player, Player, Player],
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, copy, friend = cast
    friend.notes.members.add(one.key)
    told = {player: alarms(player, monkeypatch) for player in cast}
    async with running(*cast):
        for player in (one, copy):
            player.wants(friend, by_key=True)
        await trio.sleep(3600)
        assert len(friend.notes.history) <= 6
        assert friend.notes.up == {}
        for player in (one, copy):
            (fault,) = player.node.rpc.faults()
            assert told[player] == [fault]
            assert says(str(fault), Says.KEY_USED_SAYS)
        assert len(told[friend]) == 1
        assert says(str(told[friend][0]), Says.KEY_USED_TWICE)
        assert [each.code for each in friend.node.rpc.faults()] == ["KEY_USED_TWICE"]
        one.node.answer(0, Request(1, Retry()), lambda _answer: None)
        await trio.sleep(3600)
        assert friend.notes.up.keys() == {one.key}
        assert friend.node.rpc.faults() == one.node.rpc.faults() == ()
        assert copy.node.rpc.faults()


async def test_a_copy_that_calls_is_refused_and_both_are_told(
    cast: tuple[Player, Player, Player],
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, copy, _ = cast
    told = {player: alarms(player, monkeypatch) for player in cast}
    async with running(one, copy):
        copy.wants(one)
        await trio.sleep(3600)
        assert len(copy.notes.failed) == 1
        for player in (one, copy):
            (fault,) = player.node.rpc.faults()
            assert told[player] == [fault]
            assert says(fault, Says.KEY_USED_AT)
            assert "10.0.0.1" in str(fault)
            assert player.notes.up == {}


async def test_a_stranger_frightens_nobody_with_a_key_in_use(
    cast: tuple[Player, Player, Player],
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, _, stranger = cast
    told = alarms(one, monkeypatch)
    async with running(one, stranger):
        stranger.wants(one)
        await trio.sleep(1)
        (link,) = stranger.links.here().values()
        stranger.links.hang_up(link, Code.KEY_IN_USE, "")
        await trio.sleep(1)
        assert told == []
        assert one.node.rpc.faults() == ()


async def test_who_calls_by_hand_is_not_held_back(
    cast: tuple[Player, Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    one, _, friend = cast
    async with running(one, friend):
        one.links.held.stop(friend.key, "why")
        one.wants(friend, by_key=True)
        await trio.sleep(1000)
        assert one.notes.up == {}
        one.node.answer(
            0, Request(1, Join(f"10.0.0.1:{friend.port}")), lambda _answer: None
        )
        await trio.sleep(1)
        assert friend.key in one.notes.up


async def test_whose_key_is_used_once_again_hears_no_more_of_it(
    cast: tuple[Player, Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    """The other computer is off, and the friend has called this one."""
    one, _, friend = cast
    one.notes.members.add(friend.key)
    why = Says.KEY_USED_SAYS(who="Bert")
    async with running(one, friend):
        one.links.held.stop(friend.key, why)
        assert one.node.rpc.faults() == (why,)
        friend.wants(one, by_key=True)
        await trio.sleep(10)
        assert friend.key in one.notes.up
        assert one.node.rpc.faults() == ()


async def test_a_node_that_starts_again_and_again_is_let_in_each_time(
    cast: tuple[Player, Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    one, _, friend = cast
    async with running(friend):
        one.wants(friend, by_key=True)
        for _ in range(9):
            async with running(one):
                await trio.sleep(2)
                assert one.key in friend.notes.up
            await trio.sleep(1)
            one.notes.up.clear()
            one.restarted()

from pathlib import Path

import pytest
import trio
import trio.testing

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.limits import (
    DOOR_TRIES,
    REDIAL_JITTER,
    REDIAL_SOON_SECONDS,
    SILENCE_SECONDS,
)
from netplay.messages.door import Retry
from netplay.messages.node_questions import Forget
from netplay.messages.table import Ask
from netplay.peering.net import Secured, Turn, at_once
from netplay.sentences import Says
from netplay.wanted import Dial, Thought
from tests.netplay.memory import KEYS, Player, World, running
from tests.said import says


async def test_a_wanted_link_is_dialled_and_both_nodes_learn_of_it(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        assert first.notes.up == {second.key: ("player 2", "10.0.0.1:4772")}
        assert second.notes.up == {first.key: ("player 1", "10.0.0.1:4771")}


async def test_what_one_desk_sends_the_other_hears_in_order(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        for seat in range(4):
            first.says(second, seat=seat)
            second.says(first, seat=seat)
        await trio.sleep(1)
        assert (
            second.notes.heard == first.notes.heard == [Ask(b"", n) for n in range(4)]
        )


async def test_one_message_goes_to_all_who_are_there(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second, third, away = (Player(world, n, tmp_path) for n in (1, 2, 3, 4))
    async with running(first, second, third):
        first.wants(second)
        first.wants(third)
        await trio.sleep(1)
        first.says(second, third, away, seat=3)
        first.says(away)
        await trio.sleep(1)
        assert second.notes.heard == third.notes.heard == [Ask(b"", 3)]


async def test_a_cut_link_is_noticed_at_once_and_dialled_again(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        world.cut()
        await trio.sleep(1)
        for player in two:
            assert player.notes.history == ["up", "down", "up"]


async def test_a_silent_link_is_given_up_after_twelve_seconds(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    for one, other in ((first, second), (second, first)):  # at one table
        one.notes.missed.add(other.key)
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        first.notes.dials.clear()
        world.freeze()
        await trio.sleep(SILENCE_SECONDS - 2)
        assert first.notes.up
        await trio.sleep(3)
        assert not first.notes.up
        assert not second.notes.up


async def test_an_idle_link_stays(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(3600)
        assert first.notes.history == second.notes.history == ["up"]


async def test_two_that_dial_each_other_at_once_keep_one_link(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second, by_key=True)
        second.wants(first, by_key=True)
        await trio.sleep(30)
        assert await world.open() == 1
        assert world.dials == 2
        first.says(second)
        second.says(first)
        await trio.sleep(1)
        assert len(first.notes.heard) == len(second.notes.heard) == 1


async def test_a_peer_that_was_restarted_takes_the_place_of_its_old_link(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first):
        with trio.CancelScope() as life:
            async with trio.open_nursery() as nursery:
                await nursery.start(second.node.run, second.port)
                second.wants(first)
                await trio.sleep(1)
                world.freeze()  # the cut is not seen
                life.cancel()
        second.notes.up.clear()
        second.restarted()
        async with running(second):
            second.node.settled()
            await trio.sleep(1)
            assert first.notes.history == ["up", "down", "up"]


async def test_an_address_that_does_not_answer_is_tried_again_ever_less_often(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first):
        dial = first.wants(second)
        await trio.sleep(2)
        early = world.dials
        assert 3 <= early <= 6
        await trio.sleep(100)
        soon = world.dials - early
        assert 66 <= soon <= 110
        await trio.sleep(100)
        assert world.dials - early - soon < soon * 0.6
        late = world.dials
        await trio.sleep(100)
        assert 10 <= world.dials - late <= 15
        assert first.notes.failed[0] == (dial, f"{Code.NO_ANSWER.text}: 10.0.0.1:4772")
        async with running(second):
            await trio.sleep(12)
            assert first.notes.up


@pytest.mark.parametrize("times", [DOOR_TRIES - 1, DOOR_TRIES])
async def test_a_crowded_door_that_hangs_up_is_tried_again_before_it_is_told(
    world: World,
    two: tuple[Player, Player],
    times: int,
    autojump_clock: trio.testing.MockClock,
) -> None:
    first, second = two
    async with running(first, second):
        world.hung_up = times
        first.wants(second)
        await trio.sleep(10)
        assert world.dials == times + 1
        assert first.notes.up
        assert bool(first.notes.failed) is (times == DOOR_TRIES)


@pytest.mark.parametrize("times", [1, DOOR_TRIES - 1, DOOR_TRIES])
async def test_who_is_there_but_keeps_another_connection_is_no_call_in_vain(
    two: tuple[Player, Player], times: int, autojump_clock: trio.testing.MockClock
) -> None:
    """Two who call each other at once may each drop what the other takes."""
    first, second = two
    secure, left = second.net.secure, [times]

    async def drops(
        stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        proved = await secure(stream, server_side=server_side, turn=turn)
        if left[0]:
            left[0] -= 1
            await trio.aclose_forcefully(stream)
        return proved

    second.net.secure = drops  # type: ignore[method-assign]
    async with running(first, second):
        first.wants(second)
        await trio.sleep(10)
        assert first.notes.up
        assert bool(first.notes.failed) is (times == DOOR_TRIES)


async def test_a_player_who_hangs_up_over_and_over_is_called_no_more_often_for_it(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    """As who has blocked us does: nothing is given up where one is called again."""
    first, second = two
    secure = second.net.secure

    async def drops(
        stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        proved = await secure(stream, server_side=server_side, turn=turn)
        await trio.aclose_forcefully(stream)
        return proved

    second.net.secure = drops  # type: ignore[method-assign]
    async with running(first, second):
        first.wants(second, by_key=True)
        await trio.sleep(60)
        apart = REDIAL_SOON_SECONDS * (1 - REDIAL_JITTER)
        assert world.dials <= 60 / apart + 3  # the first waits are shorter


async def test_an_address_that_cannot_be_found_is_told(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    async with running(first):
        first.notes.dials.append(Dial("nowhere", None))
        first.node.settled()
        await trio.sleep(0.1)
        assert says(first.notes.failed[0][1], Code.NO_ADDRESS)


async def test_what_is_no_address_is_told_once(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    async with running(first):
        first.notes.dials.append(Dial("a/b", None))
        first.node.settled()
        await trio.sleep(100)
        assert len(first.notes.failed) == 1


async def test_a_node_that_calls_itself_is_told_once(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    async with running(first):
        first.wants(first)
        await trio.sleep(100)
        assert [why for _, why in first.notes.failed] == [Code.SELF.text]


async def test_another_key_at_a_known_address_stops_loudly_until_forgotten(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    thief = Player(world, 3, tmp_path, port=second.port)
    async with running(first):
        async with running(second):
            first.wants(second)
            await trio.sleep(1)
        async with running(thief):
            await trio.sleep(100)
            assert first.notes.up == {}
            assert says(first.notes.failed[-1][1], Code.WRONG_KEY)
            dials = world.dials
            await trio.sleep(100)
            assert world.dials == dials
            first.ask(Forget(f"10.0.0.1:{second.port}"))
            await trio.sleep(1)
            assert list(first.notes.up) == [thief.key]


async def test_only_the_key_that_is_wanted_will_do(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        first.notes.dials.append(Dial("10.0.0.1:4772", KEYS[5]))
        first.node.settled()
        await trio.sleep(1)
        assert first.notes.up == {}
        assert says(first.notes.failed[0][1], Says.OTHER_KEY_ANSWERED)


async def test_whose_place_another_has_is_named_and_no_key_is_shown(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        first.known.befriend(KEYS[5], "Carla")
        first.notes.dials.append(Dial("10.0.0.1:4772", KEYS[5]))
        first.node.settled()
        await trio.sleep(1)
        assert first.notes.up == {}
        why = first.notes.failed[0][1]
        assert str(Says.SOMEBODY_ELSE_ANSWERED(name="Carla")) in why
        assert fingerprint(KEYS[5]) not in why
        assert fingerprint(second.key) not in why


async def test_a_peer_is_found_at_the_addresses_known_for_its_key(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.notes.members.add(second.key)
        second.wants(first)
        await trio.sleep(1)
        second.notes.dials.clear()
        world.cut()
        await trio.sleep(0.1)
        first.notes.dials.append(Dial("", second.key))
        first.node.settled()
        await trio.sleep(1)
        assert list(first.notes.up) == [second.key]


async def test_a_peer_nobody_knows_a_way_to_is_told(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first):
        first.notes.dials.append(Dial("", second.key))
        first.node.settled()
        await trio.sleep(0.1)
        assert says(first.notes.failed[0][1], Says.NO_ADDRESS_KNOWN)


async def test_a_peer_that_breaks_the_rules_is_hung_up_on(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        first.notes.dials.clear()
        second.notes.refuse = PeerError(Code.BAD_PROOF, "not drawn")
        first.says(second)
        await trio.sleep(1)
        assert first.notes.history == second.notes.history == ["up", "down"]


async def test_a_disk_that_fails_ends_no_link(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        second.notes.disk = LocalError(Code.DISK, "full")
        first.says(second)
        await trio.sleep(1)
        assert second.notes.history == ["up"]


async def test_a_node_that_stops_says_goodbye_and_closes_its_files(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first):
        async with trio.open_nursery() as nursery:
            await nursery.start(second.node.run, second.port)
            second.wants(first)
            await trio.sleep(1)
            began = trio.current_time()
            second.node.stop()
        assert trio.current_time() - began < 0.5
        assert second.notes.closed == 1
        assert first.notes.history == ["up", "down"]


async def test_retry_dials_at_once(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first):
        first.wants(second)
        await trio.sleep(60)
        dials = world.dials
        async with running(second):
            first.ask(Retry())
            await trio.sleep(0.1)
            assert world.dials == dials + 1
            assert first.notes.up


async def test_a_computer_player_thinks_once_and_its_move_comes_to_the_desk(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    async with running(first):
        first.notes.thoughts.append(Thought(b"m", 2, 7, "numlo", None, 50))
        first.node.settled()
        first.node.settled()
        await trio.sleep(0.5)
        assert first.notes.moves == []
        await trio.sleep(1)
        assert first.notes.moves == [2]
        assert first.notes.thoughts == []


async def test_what_a_computer_will_need_is_loaded_while_another_is_to_move(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    soon = Thought(b"m", 2, 7, "numlo", None, 50)
    async with running(first):
        first.notes.to_come.append(soon)
        first.node.settled()
        await trio.sleep(0.1)
        assert first.thinker.prepared == [soon]
        assert first.notes.moves == []
        first.notes.thoughts.append(soon)  # now it is its turn
        first.notes.to_come.append(soon)
        first.node.settled()
        await trio.sleep(2)
        assert first.thinker.prepared == [soon]


async def test_a_thought_that_nobody_wants_any_more_is_ended(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    async with running(first):
        thought = Thought(b"m", 2, 7, "numlo", None, 50)
        first.notes.thoughts.append(thought)
        first.node.settled()
        await trio.sleep(0.5)
        first.notes.thoughts.clear()
        first.node.settled()
        first.notes.thoughts.append(thought)
        first.node.settled()
        await trio.sleep(0.1)
        assert first.thinker.cancelled == 1
        await trio.sleep(1.5)
        assert first.notes.moves == [2]


async def test_the_desk_is_woken_when_it_asked_to_be(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, _ = two
    async with running(first):
        start = trio.current_time()
        first.notes.due = start + 50.0
        first.node.settled()
        first.notes.due = start + 20.0
        first.node.settled()
        await trio.sleep(30)
        assert first.notes.woken == [start + 20.0]
        assert first.notes.wants().due is None


async def test_a_port_in_use_is_a_sentence(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Player(world, 1, tmp_path)
    other = Player(world, 2, tmp_path, port=first.port)
    async with running(first):
        with pytest.raises(BaseExceptionGroup) as caught:
            await other.node.run(other.port)
        found = caught.value
        while isinstance(found, BaseExceptionGroup):
            (found,) = found.exceptions
        assert isinstance(found, LocalError)
        assert found.code is Code.PORT_IN_USE


async def test_members_of_a_match_are_trusted_as_soon_as_they_are_members(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        second.notes.members.add(first.key)
        second.notes.changed = True
        second.node.settled()
        for _ in range(3000):
            first.says(second)
        await trio.sleep(1)
        assert len(second.notes.heard) == 3000


async def test_a_stranger_that_floods_is_hung_up_on(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first, second):
        first.wants(second)
        await trio.sleep(1)
        first.notes.dials.clear()
        for _ in range(3000):
            first.says(second)
        await trio.sleep(1)
        assert second.notes.history == ["up", "down"]
        assert len(second.notes.heard) < 1000


@pytest.mark.parametrize("both", [False, True])
async def test_who_was_hung_up_on_for_a_fault_is_not_dialled_five_times_a_second(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock, *, both: bool
) -> None:
    first, second = two
    second.notes.refuse = PeerError(Code.BAD_LOG, "damaged")
    async with running(first, second):
        first.wants(second, by_key=True)
        if both:
            second.wants(first, by_key=True)
        for _ in range(600):
            await trio.sleep(0.1)
            if second.key in first.notes.up:
                first.says(second)
        tries = first.notes.history.count("up")
        assert 2 <= tries <= 8
        before = tries
        first.ask(Retry())
        await trio.sleep(0.2)
        assert first.notes.history.count("up") == before + 1


async def test_a_match_that_is_over_is_dialled_less_and_less(
    world: World, two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    async with running(first):
        first.notes.dials.append(Dial(f"10.0.0.1:{second.port}", second.key, calm=True))
        first.node.settled()
        await trio.sleep(600)
        assert world.dials < 120


async def test_matches_of_before_are_opened_while_the_node_runs(
    two: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = two
    kept = {bytes([number]): number for number in range(50)}
    first.notes.unopened.note(kept, lambda _match, _number: None)
    async with running(first, second):
        first.wants(second)
        assert first.notes.unopened
        left = [first.node.rpc.status().unopened]
        while left[-1]:
            await trio.sleep(0.01)
            left.append(first.node.rpc.status().unopened)
        assert left[0] > 40
        assert left == sorted(left, reverse=True)
        await trio.sleep(1)
        assert first.notes.up  # others had their turn
        assert not first.notes.unopened
        times = first.notes.opened_at
        assert len(times) == 50
        assert times == sorted(set(times))

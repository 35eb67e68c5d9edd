from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from netplay import VERSION
from netplay.daemon.presence import kept_port
from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint
from netplay.messages.door import (
    Clicked,
    Done,
    Failed,
    FromNode,
    GetStatus,
    Hint,
    Line,
    Notice,
    Question,
    Request,
    Retry,
    Say,
    SetName,
    Status,
    StopNode,
)
from netplay.messages.node_questions import Forget, SetPort, ShowLine, Shown
from netplay.peering.address import PORT
from netplay.sentences import Says
from netplay.wanted import EVERY_WINDOW, Dial, Push, Thought
from netplay.wire import Frame, decode_from_node, encode, unpack
from rules import GAMES
from tests.netplay.memory import KEYS, Player, World, running
from tests.said import says


class Window:
    """A window that is told of everything, without a socket."""

    def __init__(self, player: Player, number: int = 77) -> None:
        self.node, self.number, self.gone = player.node, number, False
        self.heard: list[Any] = []
        self.replies: list[Done | Failed] = []
        door = player.door
        push, watching = door.push, door.watching

        def pushed(message: FromNode, to: int | None = None) -> None:
            push(message, to)
            if to in {None, number} and not self.gone:
                data = encode(message)
                self.hear(decode_from_node(Frame(data[4], data[5:])))

        door.push = pushed  # type: ignore[method-assign]
        door.watching = lambda: [*watching(), *([] if self.gone else [number])]  # type: ignore[method-assign]
        self.node.window_up(number)

    def hear(self, message: Any) -> None:
        self.heard.append(message)

    def leave(self) -> None:
        self.gone = True
        self.node.window_down(self.number)

    def ask(self, question: Question) -> Done | Failed:
        self.node.answer(self.number, Request(5, question), self.replies.append)
        return self.replies[-1]

    def statuses(self) -> list[Status]:
        return [m for m in self.heard if isinstance(m, Status)]


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(World(), 1, tmp_path)


async def test_a_new_window_is_shown_the_status_and_the_desk_is_told(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        window = Window(player)
        (status,) = window.statuses()
        assert status.name == "player 1"
        assert status.key == fingerprint(player.key)
        assert status.version == VERSION
        assert status.port == player.port
        assert status.addresses == ("10.0.0.1",)
        assert player.notes.windows == [77]
        window.leave()
        assert player.notes.windows == []


async def test_the_status_can_be_asked_for(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        done = Window(player).ask(GetStatus())
        assert isinstance(done, Done)
        assert unpack(done.data, Status).mode == "idle"


async def test_peers_that_are_there_and_gone_are_shown(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    world = World()
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        window = Window(first)
        first.wants(second)
        await trio.sleep(11)
        (peer,) = first.node.rpc.status().peers
        assert (peer.name, peer.connected) == ("player 2", True)
        assert peer.since in {10, 11}
        assert peer.address == "10.0.0.1:4772"
        first.notes.dials.clear()
        world.cut()
        await trio.sleep(5.5)
        (peer,) = first.node.rpc.status().peers
        assert (peer.name, peer.connected, peer.since) == ("player 2", False, 5)
        pushed = [tuple(p.connected for p in s.peers) for s in window.statuses()]
        assert list(dict.fromkeys(pushed)) == [(), (True,), (False,)]


async def test_a_stranger_that_has_gone_leaves_no_trace(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    world = World()
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        second.wants(first)
        await trio.sleep(1)
        (peer,) = first.node.rpc.status().peers
        assert peer.name == "player 2"
        second.notes.dials.clear()
        world.cut()
        await trio.sleep(1)
        assert first.node.rpc.status().peers == ()
        assert not first.home.peers.exists()


async def test_a_member_that_came_is_remembered_with_where_it_listens(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    world = World()
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        second.wants(first)
        await trio.sleep(1)
        first.notes.members.add(second.key)
        first.notes.changed = True
        first.node.settled()
        assert first.known.addresses(second.key) == ("10.0.0.2:4772",)


async def test_changes_are_pushed_but_not_too_often(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        window = Window(player)
        await trio.sleep(1)
        window.heard.clear()
        for _ in range(100):
            player.notes.changed = True
            player.node.settled()
            await trio.sleep(0.001)
        await trio.sleep(1)
        assert 2 <= len(window.statuses()) <= 6


async def test_pushes_go_to_their_window_or_to_all(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        window = Window(player)
        lines = [Line("a", text, 1) for text in ("mine", "all", "other's")]
        for number, line in zip((77, EVERY_WINDOW, 78), lines, strict=True):
            player.notes.shared.pushes.append(Push(number, line))
        player.node.settled()
        assert [m for m in window.heard if isinstance(m, Line)] == lines[:2]


async def test_windows_are_told_loudly_that_another_key_answers_for_a_member(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    world = World()
    first, thief = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, thief):
        window = Window(first)
        first.notes.dials.append(Dial("10.0.0.1:4772", KEYS[5]))
        first.node.settled()
        await trio.sleep(100)
        (line,) = (m for m in window.heard if isinstance(m, Notice))
        assert line.tone == "error"
        assert fingerprint(KEYS[5]) in str(line.said)
        assert says(str(line.said), Says.OTHER_KEY_ANSWERED)
        window.ask(Retry())
        await trio.sleep(100)
        assert len([m for m in window.heard if isinstance(m, Notice)]) == 2


async def test_a_new_name_is_kept_and_told_to_new_peers(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    world = World()
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        window = Window(first)
        assert isinstance(window.ask(SetName("An\x1bne")), Done)
        assert first.home.setting("name") == "Anne"
        first.wants(second)
        await trio.sleep(1)
        assert second.notes.up[first.key][0] == "Anne"
        assert window.statuses()[-1].name == "Anne"


async def test_a_name_the_desk_refuses_is_not_kept(
    player: Player,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running(player):
        monkeypatch.setattr(player.notes, "ask", lambda *_: Failed(5, 32, "no"))
        assert isinstance(Window(player).ask(SetName("")), Failed)
        assert player.home.setting("name") == "player 1"


async def test_the_rest_is_for_the_tables(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        assert Window(player).ask(Say("hi")) == Done(5, "Say(text='hi', guest='')")


async def test_an_error_is_an_answer(
    player: Player,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> Done:
        raise LocalError(Code.DISK, "full")

    async with running(player):
        window = Window(player)
        monkeypatch.setattr(player.notes, "ask", refuse)
        failed = window.ask(Say("hi"))
        assert isinstance(failed, Failed)
        assert failed.code == Code.DISK.number
        assert "full" in failed.reason


async def test_a_node_can_be_told_to_stop_and_answers_before_it_does(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(player.node.run, player.port)
        window = Window(player)
        assert window.ask(StopNode()) == Done(5, Says.NODE_STOPS())
        window.leave()
    assert player.notes.closed == 1


async def test_retry_and_forget_are_the_nodes_own(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    world = World()
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first):
        window = Window(first)
        assert isinstance(window.ask(Retry()), Done)
        async with running(second):
            first.wants(second)
            await trio.sleep(1)
        done = window.ask(Forget(f"10.0.0.1:{second.port}"))
        assert isinstance(done, Done)
        assert says(str(done.text), Says.WAS_KNOWN)
        done = window.ask(Forget(f"10.0.0.1:{second.port}"))
        assert says(str(getattr(done, "text", "")), Says.WAS_UNKNOWN)
        assert isinstance(window.ask(Forget("a/b")), Failed)


async def test_a_hint_is_thought_about_while_other_questions_are_answered(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    game = GAMES["hexagrams"]
    state = game.start(2, game.ABOUT.options())
    move = next(game.moves(state, 0))

    async def sage(_thought: Thought) -> object:
        await trio.sleep(1)
        return move

    player.thinker.think = sage  # type: ignore[method-assign]
    async with running(player):
        window = Window(player)
        failed = window.ask(Hint(0))
        assert isinstance(failed, Failed)
        assert says(failed.reason, Says.NO_HINTS)
        player.notes.hints = Thought(b"m", 0, 1, "hexagrams", state, 100)
        count = len(window.replies)
        player.node.answer(77, Request(9, Hint(0)), window.replies.append)
        assert len(window.replies) == count
        window.ask(Say("hi"))
        await trio.sleep(2)
        done = window.replies[-1]
        assert isinstance(done, Done)
        assert done.id == 9
        assert done.text
        assert unpack(done.data, game.ABOUT.move) == move


async def test_the_port_of_the_next_start_is_kept(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        window = Window(player)
        assert player.node.rpc.status().next_port == PORT
        for wrong in ("", "0", "65536", "-1", "four", "४७७१", "9" * 5000):
            answer = window.ask(SetPort(wrong))
            assert isinstance(answer, Failed)
            assert "from 1 to 65535" in answer.reason
        assert isinstance(window.ask(SetPort("04771")), Done)
        assert player.node.rpc.status().next_port == 4771
        assert player.node.rpc.status().port == player.port
        assert kept_port(player.home) == 4771


class Taker(Window):
    """A window that says that it has taken what was clicked, unless it hangs."""

    def __init__(self, player: Player, number: int, *, hangs: bool = False) -> None:
        self.hangs = hangs
        super().__init__(player, number)

    def hear(self, message: Any) -> None:
        super().hear(message)
        if isinstance(message, Clicked) and not self.hangs:
            self.ask(Shown(message.number))

    def clicked(self) -> list[str]:
        return [told.line for told in self.heard if isinstance(told, Clicked)]


LINE = "netplay:192.168.0.12:4770#ABCD-EFGH-IJKL-MNOP-QRST"


async def test_a_clicked_line_is_shown_in_the_window_opened_last_that_takes_it(
    player: Player, autojump_clock: trio.testing.MockClock
) -> None:
    async with running(player):
        replies: list[Done | Failed] = []

        async def click(line: str) -> None:
            player.node.answer(1, Request(9, ShowLine(line)), replies.append)
            await trio.sleep(10)

        await click(LINE)
        assert replies == [Done(9)]  # nobody has taken it
        first, second = Taker(player, 77), Taker(player, 78)
        hung = Taker(player, 79, hangs=True)
        await click(LINE + "%20your%20bank")
        assert replies[1:] == [Done(9, Says.SHOWN_IN_WINDOW())]
        assert [one.clicked() for one in (first, second, hung)] == [[], [LINE], [LINE]]
        hung.ask(Shown(7))  # of nothing that waits
        await click("netplay:1.2.3.4")
        assert isinstance(replies[-1], Failed)
        assert "invitation" in replies[-1].reason
        assert second.clicked() == [LINE]

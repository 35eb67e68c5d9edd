# ruff: noqa: ARG002 (fakes take what the real ones take)
import os
import socket
import stat
import sys
from pathlib import Path

import pytest
import trio
import trio.testing

from netplay import VERSION, limits
from netplay.daemon.door import PATH_BYTES, Door, Paced, Reply, serve_door
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import (
    Done,
    Failed,
    FromNode,
    GetStatus,
    Knock,
    Line,
    Notice,
    Request,
    Say,
    Seated,
    ToNode,
)
from netplay.sentences import Says
from netplay.wire import FrameReader, decode_from_node, encode
from tests.patience import PATIENCE
from tests.said import says

TOKEN = b"t" * 32
LINE = Line("Anna", "hello", 0)


class Butler:
    """Answers every request with its own words."""

    def __init__(self) -> None:
        self.up: list[int] = []
        self.seen: list[int] = []

    def window_up(self, window: int) -> None:
        self.up.append(window)
        self.seen.append(window)

    def window_down(self, window: int) -> None:
        self.up.remove(window)

    def answer(self, window: int, request: Request, reply: Reply) -> None:
        reply(Done(request.id, repr(request.ask)))

    def guest(self, window: int, shown: bytes) -> Seated | None:
        return Seated(b"seated", bytes(32), 1) if shown == b"link" else None

    def shown_to_guest(self, window: int, message: FromNode) -> FromNode | None:
        return message if message != LINE else None

    def mistake(self, error: Exception, what: str) -> None:
        raise error


class Guest:
    """The other end of a door."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.reader = FrameReader(limits.DOOR_FRAME_BYTES)

    async def say(self, *messages: ToNode | Line) -> None:
        await self.stream.send_all(b"".join(map(encode, messages)))

    async def hear(self) -> FromNode | None:
        while (frame := self.reader.next()) is None:
            data = await self.stream.receive_some()
            if not data:
                return None
            self.reader.feed(bytes(data))
        return decode_from_node(frame)


def knock(*, pushes: bool = True, token: bytes = b"", version: str = VERSION) -> Knock:
    return Knock(token, version, pushes)


class House:
    """A door on streams in memory."""

    def __init__(self, nursery: trio.Nursery, token: bytes = b"") -> None:
        self.nursery = nursery
        self.butler = Butler()
        self.door = Door(token)

    def guest(self) -> Guest:
        ours, theirs = trio.testing.memory_stream_pair()
        self.nursery.start_soon(self.door.serve, theirs, self.butler)
        return Guest(ours)


async def test_requests_are_answered_in_order(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    guest = house.guest()
    await guest.say(knock(), Request(1, Say("a")), Request(2, GetStatus()))
    assert await guest.hear() == Done(1, "Say(text='a', guest='')")
    assert await guest.hear() == Done(2, "GetStatus()")


async def test_windows_get_pushes_and_commands_do_not(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    window, command = house.guest(), house.guest()
    assert not house.door.watched
    await window.say(knock(), Request(1, GetStatus()))
    await command.say(knock(pushes=False), Request(1, GetStatus()))
    await window.hear()
    await command.hear()
    assert house.door.watched
    assert len(house.butler.up) == 1
    house.door.push(LINE)
    house.door.push(LINE, house.butler.up[0])
    house.door.push(LINE, 99)
    await command.say(Request(2, GetStatus()))
    assert await window.hear() == LINE
    assert await window.hear() == LINE
    assert isinstance(await command.hear(), Done)


async def test_a_window_that_goes_is_forgotten(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    guest = house.guest()
    await guest.say(knock())
    await trio.sleep(1)
    assert house.butler.up
    await guest.stream.aclose()
    await trio.sleep(1)
    assert house.butler.up == []
    assert house.butler.seen
    assert not house.door.watched


async def test_a_wrong_token_opens_nothing(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery, TOKEN)
    guest = house.guest()
    await guest.say(knock(token=b"guess"), Request(1, GetStatus()))
    assert await guest.hear() is None
    assert house.butler.seen == []
    owner = house.guest()
    await owner.say(knock(token=TOKEN), Request(1, GetStatus()))
    assert isinstance(await owner.hear(), Done)


async def test_another_version_is_told_so(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    guest = house.guest()
    await guest.say(knock(version="0.0.0"))
    failed = await guest.hear()
    assert isinstance(failed, Failed)
    assert failed.code == Code.VERSION.number
    told = Says.OTHER_VERSION(node=VERSION, program="0.0.0")
    assert failed.error.said == told, "this one sentence alone"
    assert await guest.hear() is None
    assert house.butler.seen == []


async def test_a_request_before_the_knock_is_not_heard(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    guest = House(nursery).guest()
    await guest.say(Request(1, GetStatus()))
    assert await guest.hear() is None


async def test_whoever_does_not_knock_is_sent_away_in_time(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    guest = House(nursery).guest()
    began = trio.current_time()
    assert await guest.hear() is None
    assert trio.current_time() - began == pytest.approx(limits.KNOCK_SECONDS)


async def test_rubbish_is_told_and_ends_the_visit(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    guest = House(nursery).guest()
    await guest.say(knock(), LINE)
    failed = await guest.hear()
    assert isinstance(failed, Failed)
    assert failed.code == Code.UNEXPECTED.number
    assert await guest.hear() is None


async def test_a_second_knock_ends_the_visit(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    guest = House(nursery).guest()
    await guest.say(knock(), knock())
    assert await guest.hear() is None


async def test_there_is_room_for_so_many(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    for looker in [house.guest() for _ in range(limits.DOOR_CLIENTS)]:
        await looker.say(Knock(b"", VERSION, True, b"link"))  # who takes none of it
        assert isinstance(await looker.hear(), Seated)
    guests = [house.guest() for _ in range(limits.DOOR_CLIENTS)]
    for guest in guests:
        await guest.say(knock(), Request(1, GetStatus()))
        await guest.hear()
    assert await house.guest().hear() is None
    await guests[0].stream.aclose()
    await trio.sleep(1)
    late = house.guest()
    await late.say(knock(), Request(1, GetStatus()))
    assert isinstance(await late.hear(), Done)


async def test_a_window_that_hangs_is_shown_the_door(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    ours, theirs = trio.testing.lockstep_stream_pair()
    nursery.start_soon(house.door.serve, theirs, house.butler)
    await ours.send_all(encode(knock()))
    await trio.testing.wait_all_tasks_blocked()
    for _ in range(2 * limits.DOOR_QUEUE):
        house.door.push(LINE)
        await trio.lowlevel.checkpoint()
    await trio.sleep(1)
    assert house.butler.up == []


async def test_a_closing_door_lets_the_last_words_out(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    guest = house.guest()
    await guest.say(knock(), Request(1, GetStatus()))
    await trio.sleep(1)
    house.door.push(LINE)
    began = trio.current_time()
    await house.door.close()
    assert trio.current_time() - began < 1
    assert isinstance(await guest.hear(), Done)
    assert await guest.hear() == LINE
    assert await guest.hear() is None


async def test_a_broken_stream_ends_the_visit(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    guest = house.guest()
    await guest.say(knock())
    await trio.sleep(1)
    guest.stream.receive_stream.close()  # type: ignore[attr-defined]
    house.door.push(LINE)
    await trio.sleep(1)
    assert house.butler.up == []


def made(path: Path) -> Home:
    home = Home(path)
    home.prepare()
    return home


async def visited(home: Home) -> str:
    """Return what the door of a home answers to a command."""

    def ask() -> str:
        with Visit(home) as visit:
            return visit.ask(Say("x")).text

    return await trio.to_thread.run_sync(ask)


async def test_the_door_of_a_home_is_a_socket_of_its_owner_alone(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    home = made(tmp_path / "h")
    home.door.write_bytes(b"left behind by a node that was killed")
    await nursery.start(serve_door, home, TOKEN, Butler())
    mode = home.door.stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600
    assert not home.token.exists()
    assert await visited(home) == "Say(text='x', guest='')"


async def test_a_path_too_long_for_a_socket_gets_a_port_and_a_token(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    home = made(tmp_path / ("deep" * 40))
    assert len(os.fsencode(str(home.door))) > PATH_BYTES
    await nursery.start(serve_door, home, TOKEN, Butler())
    assert stat.S_IMODE(home.token.stat().st_mode) == 0o600
    assert await visited(home) == "Say(text='x', guest='')"
    home.token.write_text(home.token.read_text().replace("74", "75"))
    with pytest.raises(LocalError):
        await visited(home)


class Crowd(trio.abc.Listener[trio.SocketStream]):
    """A listener to which somebody comes at any time."""

    def __init__(self) -> None:
        self.taken = 0

    async def accept(self) -> trio.SocketStream:
        await trio.lowlevel.checkpoint()
        self.taken += 1
        ours, theirs = socket.socketpair()
        theirs.close()
        return trio.SocketStream(trio.socket.from_stdlib_socket(ours))

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_whoever_comes_again_and_again_to_a_port_costs_little(
    nursery: trio.Nursery,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crowd = Crowd()
    house = House(nursery, TOKEN)

    async def serve(stream: trio.SocketStream) -> None:
        await house.door.serve(stream, house.butler)

    nursery.start_soon(trio.serve_listeners, serve, [Paced(crowd)])
    await trio.sleep(10)
    most = limits.DOOR_COMERS_AT_ONCE + 10 * limits.DOOR_COMERS_A_SECOND
    assert limits.DOOR_COMERS_AT_ONCE < crowd.taken <= most + 1
    home = made(tmp_path / ("deep" * 40))
    paced: list[object] = []

    class Noted(Paced):
        def __init__(self, listener: trio.abc.Listener[trio.SocketStream]) -> None:
            paced.append(listener)
            super().__init__(listener)

    monkeypatch.setattr("netplay.daemon.door.Paced", Noted)
    await nursery.start(serve_door, home, TOKEN, Butler())
    assert len(paced) == 1


async def test_the_door_goes_with_the_node(tmp_path: Path) -> None:
    home = made(tmp_path / "h")
    async with trio.open_nursery() as nursery:
        await nursery.start(serve_door, home, TOKEN, Butler())
        nursery.cancel_scope.cancel()
    assert not home.door.exists()
    with pytest.raises(LocalError) as caught:
        await visited(home)
    assert says(str(caught.value), Code.NO_NODE)


async def test_a_door_that_cannot_be_removed_does_not_keep_the_node_from_ending(
    tmp_path: Path,
) -> None:
    """The home has become read-only, say."""
    home = made(tmp_path / "h")
    async with trio.open_nursery() as nursery:
        await nursery.start(serve_door, home, TOKEN, Butler())
        home.door.unlink()
        home.door.mkdir()
        nursery.cancel_scope.cancel()
    assert nursery.cancel_scope.cancelled_caught


async def test_a_door_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    home = Home(tmp_path / "missing")
    with pytest.raises(LocalError) as caught:
        await serve_door(home, TOKEN, Butler())
    assert caught.value.code is Code.DISK


@pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0,
    reason="needs to become another user, which only root can",
)
async def test_another_user_is_not_let_in(
    nursery: trio.Nursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = made(tmp_path / "h")
    butler = Butler()
    await nursery.start(serve_door, home, TOKEN, butler)
    # The node believes to be somebody else: to it, we are the stranger.
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.settimeout(PATIENCE)
        await trio.to_thread.run_sync(stranger.connect, str(home.door))
        assert await trio.to_thread.run_sync(stranger.recv, 1) == b""
    assert butler.seen == []


async def test_connections_without_the_token_lock_nobody_out(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery, TOKEN)
    silent = [house.guest() for _ in range(3 * limits.DOOR_KNOCKING)]
    await trio.testing.wait_all_tasks_blocked()
    still = 0
    for guest in silent:
        with trio.move_on_after(0.001) as waited:
            assert await guest.hear() is None
        still += waited.cancelled_caught
    assert still <= limits.DOOR_KNOCKING
    late = house.guest()
    await late.say(knock(token=TOKEN), Request(1, GetStatus()))
    assert isinstance(await late.hear(), Done)
    assert await silent[0].hear() is None


async def test_nothing_large_is_read_before_the_token(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    house = House(nursery)
    guest = house.guest()
    await guest.stream.send_all((2**20).to_bytes(4, "big") + bytes(8))
    refused = await guest.hear()
    assert isinstance(refused, Failed)
    assert refused.code == Code.TOO_LARGE.number


class Talkative(Butler):
    """Answers with more than a frame holds where it is asked to."""

    def answer(self, window: int, request: Request, reply: Reply) -> None:
        large = isinstance(request.ask, GetStatus)
        data = bytes(limits.DOOR_FRAME_BYTES) if large else b""
        reply(Done(request.id, data=data))


async def outside(home: Home) -> Guest:
    """Return a window of a home's real door."""
    guest = Guest(await trio.open_unix_socket(str(home.door)))
    await guest.say(knock())
    return guest


async def test_an_answer_that_is_too_large_is_a_refusal_and_the_window_stays(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    home = made(tmp_path / "h")
    await nursery.start(serve_door, home, TOKEN, Talkative())
    with trio.fail_after(PATIENCE):
        guest = await outside(home)
        await guest.say(Request(1, GetStatus()), Request(2, Say("x")))
        refused = await guest.hear()
        assert isinstance(refused, Failed)
        assert refused.id == 1
        assert says(refused.reason, Says.ANSWER_TOO_LARGE)
        assert str(limits.DOOR_FRAME_BYTES) in refused.reason
        assert await guest.hear() == Done(2)
        await guest.stream.aclose()


async def test_what_is_too_large_to_be_pushed_is_told_once_until_it_fits_again(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    home = made(tmp_path / "h")
    large = Line("Anna", "x" * limits.DOOR_FRAME_BYTES, 0)
    door: Door = await nursery.start(serve_door, home, TOKEN, Butler())
    with trio.fail_after(PATIENCE):
        one = await outside(home)
        await one.say(Request(1, Say("x")))
        await one.hear()
        for line in (large, large, LINE, large, large, LINE):
            door.push(line)
        heard = [await one.hear() for _ in range(4)]
        assert heard[1] == heard[3] == LINE
        for notice in (heard[0], heard[2]):
            assert isinstance(notice, Notice)
            assert notice.tone == "error"
            assert "Line" in str(notice.said)
        other = await outside(home)
        await other.say(Request(1, Say("x")))
        await other.hear()
        door.push(large)
        assert isinstance(await other.hear(), Notice)
        assert isinstance(await one.hear(), Notice)
        await one.stream.aclose()
        await other.stream.aclose()

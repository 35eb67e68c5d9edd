"""Who comes to the pages' server: browsers, pages elsewhere, and worse."""

import json
import os
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from client.browser.pages import Kept

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pytest
import trio
import trio.testing
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Message,
    RejectConnection,
    Request,
    TextMessage,
)

from client.browser import pages as pages_module
from client.browser import talk
from client.browser.access import Access
from client.browser.pages import UNKNOWN, Pages
from client.browser.server import Page, Server, files
from netplay.limits import (
    DOOR_GUESTS,
    LENT_LOOKS,
    WEB_ANSWER_SECONDS,
    WEB_ASLEEP_SECONDS,
    WEB_HEAD_SECONDS,
    WEB_LOOKS_ASLEEP_SECONDS,
    WEB_MESSAGE_BYTES,
    WEB_REQUESTS_A_SECOND,
    WEB_REQUESTS_AT_ONCE,
    WEB_SESSIONS,
    WEB_WRONG,
    WEB_WRONG_OF_ONE,
)
from netplay.messages import door
from netplay.messages.door import BYSTANDER
from netplay.web_place import GUEST_MARK
from tests.client.fakenode import FakeNode

HOST = "127.0.0.1:7947"
ORIGIN = f"http://{HOST}"


class Site:
    """A server in memory, with a fake node behind its pages."""

    def __init__(self, nursery: trio.Nursery, home: Path) -> None:
        self.node, self.home = FakeNode("Anna"), home
        self.node.nursery = nursery
        self.access = Access()
        self.mistakes: list[Exception] = []
        self.pages = Pages(home, self.access, nursery, self.node.open)
        self.server = Server(files(), self.pages.welcome, self.mistakes.append)
        self.server.names = frozenset({HOST})
        self.nursery = nursery

    @property
    def sessions(self) -> list[Kept]:
        """What is kept of pages, of those that stay away among them."""
        return list(self.pages._kept.values())

    def faults(self) -> list[str]:
        """Return what sessions have written down of what went wrong."""
        file = self.home / "journal.log"
        return [
            line
            for line in (file.read_text("utf-8") if file.exists() else "").splitlines()
            if "window.fault" in line
        ]

    def stream(self, address: str = "127.0.0.1") -> trio.abc.Stream:
        ours, theirs = trio.testing.memory_stream_pair()
        self.nursery.start_soon(self.server.serve, theirs, address)
        return ours

    async def get(self, path: str, host: str = HOST, method: str = "GET") -> bytes:
        stream = self.stream()
        head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        await stream.send_all(head.encode())
        return b"".join([bytes(data) async for data in stream])

    def invite(self) -> str:
        return self.access.invite(trio.current_time())


class Browser:
    """A page's WebSocket, as a browser has it."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.socket = WSConnection(ConnectionType.CLIENT)
        self.events: list[Any] = []
        self.closed: int | None = None

    async def open(self, host: str = HOST, origin: str = ORIGIN) -> Any:
        headers = [(b"Origin", origin.encode())]
        request = Request(host=host, target="/page", extra_headers=headers)
        await self.stream.send_all(self.socket.send(request))
        return await self.event()

    async def event(self) -> Any:
        while not self.events:
            data = bytes(await self.stream.receive_some(65536))
            self.socket.receive_data(data or None)
            self.events += self.socket.events()
        return self.events.pop(0)

    async def say(self, **said: Any) -> None:
        await self.send(TextMessage(json.dumps(said)))

    async def send(self, message: Message) -> None:
        await self.stream.send_all(self.socket.send(message))

    async def hello(self, tab: str = "0" * 32, **more: Any) -> dict[str, Any]:
        await self.say(do="hello", tab=tab, w=1280, h=800, **more)
        return await self.told()

    async def told(self) -> dict[str, Any]:
        """Return the next that is told; what closes the page is kept in mind."""
        text = ""
        while True:
            event = await self.event()
            if isinstance(event, TextMessage):
                text += event.data
                if event.message_finished:
                    return dict(json.loads(text))
            elif isinstance(event, CloseConnection):
                self.closed = event.code
                return {}


@asynccontextmanager
async def site(home: Path) -> AsyncIterator[Site]:
    async with trio.open_nursery() as nursery:
        found = Site(nursery, home)
        yield found
        assert found.mistakes == []
        nursery.cancel_scope.cancel()


async def entered(found: Site, **more: Any) -> tuple[Browser, dict[str, Any]]:
    page = Browser(found.stream())
    assert isinstance(await page.open(), AcceptConnection)
    return page, await page.hello(**more)


async def test_a_page_that_calls_the_server_by_another_name_gets_nothing(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        assert b" 200 " in (await found.get("/"))[:20]
        for host in ("evil.example", "127.0.0.1:80", "127.0.0.1", ""):
            answer = await found.get("/", host)
            assert answer[:13] in (b"HTTP/1.1 421 ", b"HTTP/1.1 400 "), answer[:40]
            assert b"<html" not in answer
        page = Browser(found.stream())
        assert isinstance(await page.open(host="evil.example"), RejectConnection)


async def test_a_page_from_elsewhere_opens_no_socket(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        for origin in ("http://evil.example", "null", f"https://{HOST}", ""):
            page = Browser(found.stream())
            answer = await page.open(origin=origin)
            assert isinstance(answer, RejectConnection)
            assert answer.status_code == 403


async def test_every_answer_keeps_other_pages_away(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        for path in files():
            answer = (await found.get(path, method="HEAD")).lower()
            assert b"default-src 'none'" in answer
            assert b"'unsafe" not in answer
            assert b"nosniff" in answer
            assert b"set-cookie" not in answer
            assert answer.endswith(b"\r\n\r\n")
        for path in ("/../settings.json", "//etc/passwd", "/page", "/index.html?x=1"):
            assert b" 404 " in (await found.get(path))[:20]
        assert b" 405 " in (await found.get("/", method="DELETE"))[:20]


async def test_a_link_lets_one_in_once_and_the_token_lets_it_in_again(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        link = found.invite()
        page, told = await entered(found, entry=link)
        token = told["token"]
        assert token != link
        scene = (await page.told())["scene"]
        assert scene["n"] == "window"
        other, told = await entered(found, entry=link)
        assert "token" not in told
        assert told["refused"]
        assert await other.told() == {}
        assert other.closed == UNKNOWN
        _again, told = await entered(found, token=token, tab="1" * 32)
        assert told["token"] == token


async def test_a_link_is_too_old_after_some_minutes(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        link = found.invite()
        await trio.sleep(301)
        _page, told = await entered(found, entry=link)
        assert "refused" in told


TIMES = {"token": 2 * WEB_WRONG, "entry": WEB_WRONG_OF_ONE + 1}


@pytest.mark.parametrize("old", TIMES)
async def test_old_tabs_and_links_keep_no_new_link_out(
    old: str, tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        good = found.invite()
        for _ in range(TIMES[old]):
            _page, told = await entered(found, **{old: secrets.token_urlsafe(16)})
            assert "refused" in told
        _page, told = await entered(found, entry=good)
        assert "token" in (await entered(found, token=told["token"]))[1]


async def test_what_is_the_owners_goes_to_no_other_computer_unencrypted(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        _page, told = await entered(found, entry=found.invite())
        for hello in ({"entry": found.invite()}, {"token": told["token"]}):
            page = Browser(found.stream("192.0.2.9"))
            await page.open()
            answer = await page.hello(**hello)
            assert "refused" in answer
            assert await page.told() == {}
            assert page.closed == UNKNOWN


async def test_fifty_wrong_codes_from_everywhere_close_every_link(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        good = found.invite()
        for i in range(50):
            page = Browser(found.stream(f"127.0.1.{i}"))
            await page.open()
            await page.hello(entry="wrong")
        _page, told = await entered(found, entry=good)
        assert "refused" in told
        _page, told = await entered(found, entry=found.invite())
        assert "token" in told


async def test_a_page_that_comes_back_finds_its_session(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, told = await entered(found, entry=found.invite())
        await page.told()
        await page.say(do="drawn", frame=1)
        await page.say(do="use", name="preferences")
        await trio.sleep(1)
        await page.stream.aclose()
        await trio.sleep(30)
        page, _told = await entered(found, token=told["token"])
        text = json.dumps((await page.told())["scene"])
        assert '"set.theme"' in text
        page, _told = await entered(found, token=told["token"], tab="a" * 32)
        text = json.dumps((await page.told())["scene"])
        assert '"set.theme"' not in text


def named(scene: dict[str, Any], name: str) -> dict[str, Any] | None:
    kids = [named(kid, name) for kid in scene.get("_", ())]
    return scene if scene.get("n") == name else next(filter(None, kids), None)


async def test_what_is_touched_is_what_the_page_showed_there(
    tmp_path: Path, autojump_clock: object
) -> None:
    """The scene moves while a touch is on its way: another thing lies there then."""
    async with site(tmp_path) as found:
        page, told = await entered(found, entry=found.invite())
        scene = (await page.told())["scene"]
        await page.say(do="drawn", frame=1)
        wanted, other = named(scene, "preferences"), named(scene, "help")
        assert wanted is not None
        assert other is not None
        for box, at in ((wanted, "gone"), (other, "preferences")):
            x, y = box["b"][0] + box["b"][2] // 2, box["b"][1] + box["b"][3] // 2
            for what in ("down", "up"):
                await page.say(do="point", what=what, x=x, y=y, at=at)
            await trio.sleep(1)
            await page.stream.aclose()
            page, _told = await entered(found, token=told["token"])
            text = json.dumps((await page.told())["scene"])
            assert ('"set.theme"' in text) == (at == "preferences")


async def test_a_session_whose_page_stays_away_ends(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, _told = await entered(found, entry=found.invite())
        await page.stream.aclose()
        await trio.sleep(10)
        assert len(found.sessions) == 1
        await trio.sleep(700)
        assert not found.sessions


async def test_a_page_that_took_over_stays_however_late_the_other_closes(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        first, told = await entered(found, entry=found.invite())
        second, _told = await entered(found, token=told["token"])
        (kept,) = found.sessions
        await first.stream.aclose()
        await trio.sleep(1)
        assert kept.page is not None
        assert kept.session.shown
        await second.stream.aclose()
        await trio.sleep(1)
        assert kept.page is None


async def test_a_page_that_says_goodbye_while_it_is_told_something_is_no_fault(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, told = await entered(found, entry=found.invite())
        await page.told()
        (kept,) = found.sessions
        assert kept.page is not None
        show = kept.page.send
        await page.send(CloseConnection(1001))
        await trio.testing.wait_all_tasks_blocked()
        show(b"{}")  # before its end was noticed everywhere
        assert not kept.session.shown
        await page.stream.aclose()
        page, _told = await entered(found, token=told["token"])
        assert not found.faults()


async def test_a_page_that_was_there_for_long_may_be_away_as_long_as_any(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, told = await entered(found, entry=found.invite())
        await page.told()
        await page.say(do="drawn", frame=1)
        await page.say(do="use", name="preferences")
        for _ in range(30):
            await trio.sleep(30)
            await page.say(do="point", what="left")
        await page.stream.aclose()
        await trio.sleep(WEB_ASLEEP_SECONDS / 2)
        page, _told = await entered(found, token=told["token"])
        assert '"set.theme"' in json.dumps((await page.told())["scene"])


@pytest.mark.parametrize(("seat", "stays"), [(BYSTANDER, False), (1, True)])
async def test_who_looked_on_and_closed_the_tab_is_soon_gone_and_may_come_back(
    tmp_path: Path, autojump_clock: object, *, seat: int, stays: bool
) -> None:
    """The node tells everybody who is at its door to watch; a player keeps a move."""
    async with site(tmp_path) as found:
        usual, node = found.node.answer, found.node
        token, doors = bytes(range(door.TOKEN_BYTES)), list[bytes]()

        def answer(message: door.ToNode) -> list[door.FromNode]:
            if isinstance(message, door.Knock) and message.guest:
                doors.append(message.guest)
                return [door.Seated(token, bytes(32), seat), *usual(message)]
            return usual(message)

        node.answer = answer  # type: ignore[method-assign]
        page, told = await entered(found, entry=f"{GUEST_MARK}{b'link'.hex()}")
        await page.stream.aclose()
        await trio.sleep(10)
        assert len(found.sessions) == 1, "as behind a tab that is loaded again"
        await trio.sleep(WEB_LOOKS_ASLEEP_SECONDS)
        assert bool(found.sessions) is stays
        page, again = await entered(found, token=told["token"])
        assert again["token"] == told["token"]
        assert "scene" in await page.told()
        assert doors[0] == b"link"
        assert {*doors[1:]} == {token}


async def test_owner_and_guests_have_sessions_of_their_own_and_no_more(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        usual, pages = found.node.answer, dict[str, list[Browser]](owner=[], guests=[])

        def answer(message: door.ToNode) -> list[door.FromNode]:
            if isinstance(message, door.Knock) and message.guest:
                return [door.Seated(message.guest, bytes(32), 1), *usual(message)]
            return usual(message)

        found.node.answer = answer  # type: ignore[method-assign]
        page, told = await entered(found, entry=found.invite())
        pages["owner"].append(page)

        async def comes(kind: str) -> dict[str, Any]:
            number = len(pages[kind])
            own = {"token": told["token"], "tab": f"{number:032x}"}
            link = {"entry": GUEST_MARK + number.to_bytes(door.TOKEN_BYTES).hex()}
            page, said = await entered(found, **(own if kind == "owner" else link))
            if "token" in said:
                pages[kind].append(page)
            return said

        most = {"owner": WEB_SESSIONS, "guests": DOOR_GUESTS}
        while lacking := [kind for kind in most if len(pages[kind]) < most[kind]]:
            assert "token" in await comes(min(lacking, key=lambda one: len(pages[one])))
        for kind in most:
            assert "refused" in await comes(kind)
        for kind in most:
            await pages[kind][0].stream.aclose()
            await trio.sleep(1)
            assert "token" in await comes(kind)
            assert "refused" in await comes(kind)


async def test_who_looks_on_in_numbers_leaves_room_for_guests_with_seats(
    tmp_path: Path, autojump_clock: object
) -> None:
    """All come back at once: the node knows of none of them when each asks."""
    async with site(tmp_path) as found:
        usual, first = found.node.answer, DOOR_GUESTS

        def answer(message: door.ToNode) -> list[door.FromNode]:
            if isinstance(message, door.Knock) and message.guest:
                number = int.from_bytes(message.guest)
                seat = door.BYSTANDER if number < first else 1
                return [door.Seated(message.guest, bytes(32), seat), *usual(message)]
            return usual(message)

        found.node.answer = answer  # type: ignore[method-assign]
        came = dict[int, Browser]()

        async def come(number: int) -> None:
            link = GUEST_MARK + number.to_bytes(door.TOKEN_BYTES).hex()
            page, said = await entered(found, entry=link)
            if "token" in said:
                came[number] = page

        async with trio.open_nursery() as nursery:
            for number in range(first):
                nursery.start_soon(come, number)
        assert len(came) == LENT_LOOKS
        for number in range(first, first + DOOR_GUESTS):
            await come(number)
        assert len(came) == DOOR_GUESTS, "the others are refused, and none is ended"
        one = min(came)
        await came.pop(one).stream.aclose()
        await trio.sleep(1)
        async with trio.open_nursery() as nursery:
            for number in set(range(first)) - {one, *came}:
                nursery.start_soon(come, number)
        assert len([number for number in came if number < first]) == LENT_LOOKS
        assert len(came) == DOOR_GUESTS


HOSTILE = [
    "[]", "{", "null", '{"do": "use"}', '{"do": "use", "name": 7}',
    '{"do": "use", "name": "x", "more": 1}', '{"do": "no such thing"}',
    '{"do": "size", "w": 1e9, "h": 10}', '{"do": "point", "what": "melt"}',
    '{"do": "edit", "name": "field.name", "text": "", "anchor": -1, "caret": 0}',
    json.dumps({"do": "text", "text": "x" * 4001}), "[" * 20_000,
    '{"x":' + "[" * 20_000, '{"do": "text", "text": "\\ud800"}',
    '{"do": "wheel", "x": NaN, "y": 0, "by": 1e999}',
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_a_page_that_says_nonsense_is_closed_and_its_session_lives(
    text: str, tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, told = await entered(found, entry=found.invite())
        await page.send(TextMessage(text))
        while await page.told():
            pass
        assert page.closed == 1008
        _page, again = await entered(found, token=told["token"])
        assert again["token"] == told["token"]
        assert len(found.sessions) == 1


@pytest.mark.parametrize(
    "name", ["Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol", "Connection"]
)
async def test_a_head_that_is_no_text_opens_no_socket_and_is_no_fault_of_ours(
    name: str, tmp_path: Path, autojump_clock: object
) -> None:
    heads = {
        "Host": HOST, "Origin": ORIGIN, "Connection": "Upgrade",
        "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }  # fmt: skip
    heads[name] = f"{heads.get(name, '')}, \xff"
    head = "".join(f"{each}: {value}\r\n" for each, value in heads.items())
    async with site(tmp_path) as found:
        stream = found.stream()
        await stream.send_all(f"GET /page HTTP/1.1\r\n{head}\r\n".encode("latin-1"))
        answer = await stream.receive_some(4096)
        assert b" 101 " not in bytes(answer)[:20]


async def test_a_page_that_says_too_much_at_once_or_in_bytes_is_closed(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        token = (await entered(found, entry=found.invite()))[1]["token"]
        for message, code in (
            (TextMessage("x" * (WEB_MESSAGE_BYTES + 1)), 1009),
            (BytesMessage(b"{}"), 1008),
        ):
            page, _told = await entered(found, token=token)
            with trio.move_on_after(60):
                await page.send(message)
            while await page.told():
                pass
            assert page.closed == code


class Counted:
    """Who is behind a page, and writes down whenever it is told something."""

    def __init__(self, name: str, told: list[str], work: Callable[[], None]) -> None:
        self.name, self.told, self.work = name, told, work

    def said(self, _message: talk.FromPage) -> None:
        self.told.append(self.name)
        self.work()

    def left(self) -> None:
        self.told.append("left")


@asynccontextmanager
async def counting(
    told: list[str], work: Callable[[], None] = lambda: None
) -> AsyncIterator[Callable[[str], Awaitable[Browser]]]:
    """Serve pages, each of which is told of by the first letter of its tab."""

    async def welcome(hello: talk.Hello, page: Page) -> Counted:
        page.send(b"{}")
        return Counted(hello.tab[0], told, work)

    async with trio.open_nursery() as nursery:
        mistakes: list[Exception] = []
        server = Server(files(), welcome, mistakes.append)
        server.names = frozenset({HOST})

        async def come(name: str) -> Browser:
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(server.serve, theirs, "127.0.0.1")
            page = Browser(ours)
            await page.open()
            await page.hello(name * 32)
            return page

        yield come
        assert mistakes == []
        nursery.cancel_scope.cancel()


async def test_a_page_that_says_much_at_once_lets_others_speak_in_between(
    autojump_clock: object,
) -> None:
    told: list[str] = []
    async with counting(told) as come:
        one, other = await come("a"), await come("b")
        much = b"".join(
            one.socket.send(TextMessage('{"do": "away"}')) for _ in "x" * 300
        )
        await one.stream.send_all(much)
        await other.say(do="away")
        await trio.sleep(10)
        assert told.count("a") == 300
        assert told.index("b") < 100


async def test_a_page_that_has_said_much_in_all_is_heard_as_before(
    autojump_clock: object,
) -> None:
    told: list[str] = []
    count, text = 40, "x" * 1000
    assert count * len(text) > WEB_MESSAGE_BYTES
    async with counting(told) as come:
        page = await come("a")
        for _ in range(count):
            await page.say(do="text", text=text)
        await trio.sleep(10)
        assert told.count("a") == count


async def test_a_page_that_gives_much_work_is_heard_more_slowly_and_no_other(
    autojump_clock: trio.testing.MockClock,
) -> None:
    # 20 seconds of work, of which five may come at once.
    told: list[str] = []
    async with counting(told, lambda: autojump_clock.jump(0.1)) as come:
        one, other = await come("a"), await come("b")
        began = trio.current_time()
        for _ in range(200):
            await one.say(do="away")
        await trio.sleep(30)
        assert 100 < told.count("a") < 150
        await other.say(do="away")
        await trio.sleep(2)
        assert "b" in told
        await trio.sleep(began + 90 - trio.current_time())
        assert told.count("a") == 200


async def test_names_that_are_not_in_the_scene_do_nothing(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, _told = await entered(found, entry=found.invite())
        await page.told()
        for name in ("", "window", "field.name", "stop", "set.theme", "x" * 200):
            await page.say(do="use", name=name)
            await page.say(do="focus", name=name)
            await page.say(
                do="edit", name=name, text="owned", anchor=0, caret=4000, turn=1
            )
        await trio.sleep(1)
        (kept,) = found.sessions
        assert not found.faults()
        assert not any(
            "owned" in each.text for each in kept.session.model.edits.values()
        )


async def test_who_does_not_say_who_it_is_does_not_stay(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page = Browser(found.stream())
        await page.open()
        began = trio.current_time()
        assert await page.told() == {}
        assert page.closed == 1000
        assert trio.current_time() - began <= WEB_HEAD_SECONDS


@pytest.mark.parametrize("place", ["10.0.0.9", "2001:db8::{:x}"])
async def test_who_asks_without_end_is_answered_slowly_and_others_at_once(
    place: str, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    more = (place.format(number) for number in count())
    ask = f"GET /nothing HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    async with site(tmp_path) as found:
        stream, began = found.stream(next(more)), trio.current_time()
        for _request in range(WEB_REQUESTS_AT_ONCE):
            await stream.send_all(ask)
            assert b" 404 " in await stream.receive_some(4096)
        assert trio.current_time() == began  # as many as a home with several asks for
        for _connection in range(8):  # new ones are no way around that
            for stream in [found.stream(next(more)) for _each in range(8)]:
                await stream.send_all(ask)
                assert b" 404 " in await stream.receive_some(4096)
                await stream.aclose()
        assert trio.current_time() - began > 50 / WEB_REQUESTS_A_SECOND
        began = trio.current_time()
        assert b" 200 " in (await found.get("/"))[:20]
        assert trio.current_time() == began


async def test_who_takes_no_answer_does_not_stay(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        ours, theirs = trio.testing.lockstep_stream_pair()
        asked = f"GET /main.js HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
        found.nursery.start_soon(ours.send_all, asked.encode())
        with trio.fail_after(2 * WEB_ANSWER_SECONDS):
            await found.server.serve(theirs, "192.0.2.7")
            await trio.testing.wait_all_tasks_blocked()


async def test_a_node_that_is_down_costs_no_guest_its_seat(
    tmp_path: Path, autojump_clock: object
) -> None:
    async def closed(_home: Path) -> tuple[trio.abc.Stream, bytes]:
        raise OSError

    async with site(tmp_path) as found:
        pages = Pages(tmp_path, found.access, found.nursery, closed)
        found.server = Server(files(), pages.welcome, found.mistakes.append)
        found.server.names = frozenset({HOST})
        for _ in range(2 * WEB_WRONG_OF_ONE):
            _page, told = await entered(found, token="g." + "00" * 16)
            assert told["later"]
        for _ in range(WEB_WRONG_OF_ONE):
            _page, told = await entered(found, token="g.")
            assert not told["later"]
        # What others at its address have tried is no reason to throw a token away.
        _page, told = await entered(found, token="g." + "00" * 16)
        assert told["later"]


async def test_a_silent_page_is_given_up(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        await entered(found, entry=found.invite())
        await trio.sleep(60)
        (kept,) = found.sessions
        assert kept.page is None


async def test_a_page_that_paints_nothing_is_sent_no_more(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, _told = await entered(found, entry=found.invite())
        frames = []
        with trio.move_on_after(20):
            for i in range(50):
                await page.say(do="use", name=("preferences", "close")[i % 2])
                await page.say(do="key", key="escape")
            while True:
                frames.append((await page.told())["frame"])
        assert frames == [1, 2]


async def test_what_is_typed_into_a_field_arrives_as_typed(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, _told = await entered(found, entry=found.invite())
        await page.told()
        name = "field.address"
        for turn, text in enumerate(("Л", "Лен", "Лена:1", "Ле", "Аня"), 1):
            await page.say(
                do="edit", name=name, text=text, anchor=1, caret=len(text), turn=turn
            )
            await trio.sleep(0.1)
            (kept,) = found.sessions
            edit = kept.session.model.edits[name]
            assert (edit.text, edit.anchor, edit.caret) == (text, 1, len(text))


def test_the_module_of_pages_says_what_it_closes_with() -> None:
    codes = {UNKNOWN, pages_module.FULL, pages_module.TAKEN}
    script = files()["/main.js"].data.decode()
    assert len(codes) == 3
    assert f"TAKEN = {pages_module.TAKEN}" in script


def test_the_first_page_asks_for_all_it_needs_at_once_and_it_is_little() -> None:
    # What is found only by reading another file comes a way to the server later.
    every = files()
    asked = set(re.findall(r'(?:href|src)="(/[^"]+)"', every["/"].data.decode()))
    needed = {path for path in every if path.endswith((".js", ".otf", ".css"))}
    assert needed - {"/worker.js"} <= asked  # which is for when nobody looks at it
    assert sum(len(every[path].data) for path in {"/", *asked}) <= 1_500_000

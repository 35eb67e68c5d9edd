"""The pages for browsers under attack: a node, its pages, and who means ill of them.

All of it goes over real sockets to a process of its own.  A match goes on meanwhile,
with a guest who sits in a browser.
"""

import json
import os
import signal
import socket
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from wsproto.events import RejectConnection

from client.browser.pages import TAKEN
from netplay.daemon.visit import Visit
from netplay.errors import LocalError
from netplay.home import Home
from netplay.limits import (
    WEB_CONNECTIONS,
    WEB_CONNECTIONS_OF_ONE,
    WEB_KNOCKS_A_SECOND,
    WEB_KNOCKS_AT_ONCE,
    WEB_WRONG,
    WEB_WRONG_OF_ONE,
)
from netplay.messages import door
from netplay.messages.door import HostTable, LeaveTable
from netplay.messages.node_questions import Pair, Paired
from netplay.messages.table_questions import LendSeat
from netplay.sentences import Says
from netplay.web_place import served
from netplay.wire import unpack
from tests.netplay.daemon.test_lending import OPEN, closed, hosted, node
from tests.patience import PATIENCE
from tests.said import says
from tools.bench import browser

__all__ = ["closed"]

pytestmark = pytest.mark.processes

MASK = b"\0\0\0\0"
SECRET = "Secret Carla"
HALF_OPEN = 200


class Pages:
    """A home's pages, a match with a seat that is lent, and another for nobody."""

    def __init__(self, home: Path, place: Home) -> None:
        hosted(place, "person:Anna", f"person:{SECRET}")
        self.table = hosted(place, "person:Anna", "person:Bert")
        self.home, self.place = home, place
        self.link = self.lent()
        self.port = self.where()

    def where(self) -> int:
        end = monotonic() + PATIENCE
        while (found := served(self.home)) is None:
            assert monotonic() < end
            sleep(0.05)
        return found.port

    def lent(self, table: int = 0) -> str:
        with Visit(self.place, table=table or self.table) as visit:
            text = str(visit.ask(LendSeat(1, served=True), PATIENCE).text)
        return text.partition("#")[2]

    def entry(self) -> str:
        """Return what lets the owner in."""
        with Visit(self.place) as visit:
            made = unpack(visit.ask(Pair(here=True)).data, Paired)
        return str(made.link).partition("#")[2]

    def pid(self) -> int:
        """Return the process that serves the pages."""
        ups = [
            line for line in self.place.journal.read_text().splitlines()
            if "web.up" in line
        ]  # fmt: skip
        return int(ups[-1].rpartition("pid=")[2].split()[0])

    def megabytes(self) -> float:
        text = Path(f"/proc/{self.pid()}/status").read_text()
        (line,) = (line for line in text.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


class Tab(browser.Tab):
    """A page's WebSocket, from an address of this computer's own choosing."""

    def __init__(self, pages: Pages, address: str = "127.0.0.1") -> None:
        super().__init__(pages.port, address, PATIENCE)
        OPEN.append(self.raw)


@contextmanager
def at_pages(home: Path) -> Iterator[Pages]:
    with node(home) as place:
        yield Pages(home, place)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    with at_pages(tmp_path_factory.mktemp("pages")) as found:
        yield found


@pytest.fixture
def guest(pages: Pages) -> Iterator[Tab]:
    """Sit down as a guest, and look afterwards whether that seat still answers."""
    tab = Tab(pages)
    assert "token" in tab.hello(entry=pages.lent())
    tab.until('"cell:')
    yield tab
    tab.say(do="use", name="help")
    tab.until('"help"')
    assert tab.closed is None
    assert SECRET not in json.dumps(tab.heard)
    with Visit(pages.place, table=pages.table) as visit:
        table = unpack(visit.ask(door.GetStatus()).data, door.Status).table
    assert table is not None
    assert table.phase == "playing"


def request(pages: Pages, text: str) -> bytes:
    """Return all that comes for a request."""
    with socket.create_connection(("127.0.0.1", pages.port), PATIENCE) as raw:
        raw.sendall(text.replace("\n", "\r\n").encode())
        found = b""
        while data := raw.recv(1 << 16):
            found += data
        return found


@pytest.mark.usefixtures("guest")
def test_pages_elsewhere_get_nothing_by_whatever_name(pages: Pages) -> None:
    here = f"127.0.0.1:{pages.port}"
    for host in ("evil.example", f"evil.example:{pages.port}", "127.0.0.1", "[::1]"):
        ask = f"GET / HTTP/1.1\nHost: {host}\nConnection: close\n\n"
        assert b" 421 " in request(pages, ask)[:20], host
        assert isinstance(Tab(pages).open(host=host), RejectConnection)
    for text in (
        f"GET / HTTP/1.1\nHost: {here}\nHost: evil.example\n\n",
        "GET / HTTP/1.0\n\n",
        f"GET http://evil.example/ HTTP/1.1\nHost: {here}\nConnection: close\n\n",
        f"GET /?token=x HTTP/1.1\nHost: {here}\nConnection: close\n\n",
        f"POST / HTTP/1.1\nHost: {here}\nContent-Length: 3\n\nabc",
        "\x16\x03\x01 no request at all\n\n",
    ):
        answer = request(pages, text)
        assert b"<html" not in answer.lower(), text
    for origin in ("http://evil.example", "null", f"https://{here}", f"http://{here}/"):
        assert isinstance(Tab(pages).open(origin=origin), RejectConnection), origin


def header(length: int, opcode: int = 1, *, last: bool = True) -> bytes:
    first = opcode | (0x80 if last else 0)
    if length < 126:
        return bytes((first, 0x80 | length)) + MASK
    return bytes((first, 0xFF)) + struct.pack("!Q", length) + MASK


def flood(raw: socket.socket, data: bytes, most: int) -> int:
    """Send something again and again until nobody takes it; return how many bytes."""
    sent = 0
    raw.settimeout(5)
    try:
        while sent < most:
            sent += raw.send(data)
    except OSError:
        pass
    return sent


@pytest.mark.usefixtures("guest")
@pytest.mark.parametrize("inside", [False, True])
def test_torn_and_huge_frames_close_their_page_alone(
    pages: Pages, inside: bool
) -> None:
    before = pages.megabytes()
    for piece in (
        header(1 << 62),
        header(1 << 20) + b"x" * (1 << 20),
        header(8, opcode=2) + b"\0" * 8,
        bytes((0xF1, 0x80)) + MASK,  # bits that nobody has agreed on
        header(4)[:3],
    ):
        tab = Tab(pages)
        if inside:
            assert "token" in tab.hello(entry=pages.entry())
        else:
            tab.open()
        with suppress(OSError):  # it may be closed before all is sent
            tab.raw.sendall(piece)
            tab.raw.shutdown(socket.SHUT_WR)
        tab.until_closed()
    assert pages.megabytes() - before < 24


@pytest.mark.usefixtures("guest")
def test_nothing_that_is_packed_is_unpacked(pages: Pages) -> None:
    here = f"127.0.0.1:{pages.port}"
    packed = zlib.compressobj(wbits=-15)
    bomb = packed.compress(b" " * (64 << 20)) + packed.flush(zlib.Z_SYNC_FLUSH)
    tab = Tab(pages)
    tab.raw.sendall(
        f"GET /page HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n".encode()
    )
    answer = tab.raw.recv(4096)
    assert b" 101 " in answer[:20]
    assert b"extensions" not in answer.lower()
    before = pages.megabytes()
    with suppress(OSError):
        tab.raw.sendall(header(len(bomb), 0x41) + bomb)
    rest = b""
    with suppress(OSError):
        while data := tab.raw.recv(4096):
            rest += data
    assert len(rest) < 200  # a word of goodbye
    assert pages.megabytes() - before < 24


@pytest.mark.usefixtures("guest")
def test_frames_that_say_nothing_are_few_or_the_page_is_closed(pages: Pages) -> None:
    entered = Tab(pages)
    assert "token" in entered.hello(entry=pages.entry())
    before = pages.megabytes()
    for tab in (Tab(pages), Tab(pages), entered):
        if tab is not entered:
            tab.open()
        # Each would be kept, or answered; nothing that is answered is read.
        piece = header(0, last=False) + header(0, 0, last=False) * 9999
        pings = header(125, 9) + b"x" * 125
        data = piece if tab is not entered else pings * 400
        assert flood(tab.raw, data, 64 << 20) < 64 << 20
    assert pages.megabytes() - before < 24


@pytest.mark.usefixtures("guest")
def test_half_open_connections_from_everywhere_keep_nobody_out(pages: Pages) -> None:
    idle = []
    for i in range(HALF_OPEN):
        address = f"127.0.7.{1 + i % 20}"
        try:
            idle.append(Tab(pages, address))
            if i % 2:
                idle[-1].open()  # a WebSocket on which nobody says who it is
            else:
                idle[-1].raw.sendall(b"GET / HT")
        except OSError:
            pass  # it was among those that went
    assert len(idle) > min(WEB_CONNECTIONS, WEB_CONNECTIONS_OF_ONE)
    began = monotonic()
    tab = Tab(pages)
    assert "token" in tab.hello(entry=pages.entry())
    assert monotonic() - began < 20
    for one in idle:
        one.raw.close()


def test_a_link_that_is_stolen_later_opens_nothing_and_the_owner_is_told(
    pages: Pages,
) -> None:
    link, tab = pages.lent(), Tab(pages)
    token = tab.hello(entry=link)["token"]
    with Visit(pages.place, pushes=True) as owner:
        thief = Tab(pages, "127.0.8.1")
        told = thief.hello(entry=link)
        assert told["refused"]
        assert not told["later"]
        thief.until_closed()
        assert len(thief.heard) == 1
        said = (
            m.said.code for m in owner.heard(PATIENCE) if isinstance(m, door.Notice)
        )
        assert "LINK_OPENED_AGAIN" in said
    tab.until('"cell:')
    with Visit(pages.place, table=pages.table) as visit:
        visit.ask(LendSeat(1, on=False))
    tab.until_closed()
    assert says(json.dumps(tab.heard), Says.SEAT_LENT_NO_MORE)
    again = Tab(pages).hello(token=token)
    assert again.keys() == {"refused", "lang", "later"}


def test_a_guest_who_tries_every_button_and_key_stays_in_its_match(
    pages: Pages, guest: Tab
) -> None:
    names = (
        "preferences", "leave", "games", "load", "save", "finished", "dictionary",
        "devices", "rename", "host", "open", "answer", "who0", "who1", "lend.show",
        "kind1", "start", "result.home", "set.theme", "field.address", "network",
    )  # fmt: skip
    for name in names:
        guest.say(do="use", name=name)
        guest.say(do="focus", name=name)
        guest.say(do="edit", name=name, text="/etc/passwd", anchor=0, caret=0, turn=1)
    for key in ("f1", "f2", "f3", "f4", "f5", "f10", "escape", "return"):
        for ctrl in (False, True):
            guest.say(do="key", key=key, ctrl=ctrl)
    guest.say(do="key", key="escape")
    guest.say(do="use", name="help")
    guest.until('"help"')
    everything = json.dumps(guest.heard)
    for never in ("set.theme", "/etc", str(pages.home), SECRET, '"finished"'):
        assert never not in everything, never


@pytest.mark.usefixtures("guest")
def test_fifty_wrong_codes_end_the_code_and_the_owner_is_told(pages: Pages) -> None:
    code = pages.entry()
    with Visit(pages.place, pushes=True) as owner:
        for i in range(WEB_WRONG):
            told = Tab(pages, f"127.0.9.{1 + i // 4}").hello(entry="ABCD2345")
            assert "refused" in told
        said = (
            m.said.code for m in owner.heard(PATIENCE) if isinstance(m, door.Notice)
        )
        assert "CODE_WITHDRAWN" in said
    assert "refused" in Tab(pages).hello(entry=code)
    assert "token" in Tab(pages).hello(entry=pages.entry())


def test_a_guest_who_has_lost_the_way_in_sits_there_again_by_a_new_link(
    pages: Pages,
) -> None:
    # Another address is another origin: there the page knows nothing of its token.
    tab = Tab(pages)
    lost = tab.hello(entry=pages.lent())["token"]
    tab.until('"cell:')
    link = pages.lent()
    assert tab.until_closed()
    again = Tab(pages)
    token = again.hello(entry=link)["token"]
    assert token != lost
    again.until('"cell:')
    again.until("Bert")
    assert "refused" in Tab(pages).hello(token=lost)


def test_who_has_shown_old_links_comes_in_by_a_new_one(pages: Pages) -> None:
    old, link = pages.lent(), pages.lent()
    for _ in range(WEB_WRONG_OF_ONE + 2):
        assert "refused" in Tab(pages, "127.0.6.1").hello(entry=old)
    assert "token" in Tab(pages, "127.0.6.1").hello(entry=link)


def test_who_tries_links_without_end_is_heard_seldom_and_others_are_not(
    pages: Pages,
) -> None:
    began, heard = time.monotonic(), 0
    while not Tab(pages, "127.0.6.2").hello(token=f"g.{heard:032x}")["later"]:
        heard += 1
        # On a busy computer some of those at once are forgotten meanwhile.
        waited = time.monotonic() - began
        assert heard <= WEB_KNOCKS_AT_ONCE + waited * WEB_KNOCKS_A_SECOND + 1
    assert heard
    assert "token" in Tab(pages, "127.0.6.3").hello(entry=pages.lent())


def test_a_second_tab_of_a_guest_takes_the_seat_over(pages: Pages) -> None:
    one, other = Tab(pages), Tab(pages)
    token = one.hello(entry=pages.lent())["token"]
    one.until('"cell:')
    assert other.hello(token=token, tab="1" * 32)["token"] == token
    other.until('"cell:')
    assert one.until_closed() == TAKEN
    other.say(do="use", name="help")
    other.until('"help"')
    assert other.closed is None


@contextmanager
def forming(pages: Pages, *seats: str) -> Iterator[int]:
    """Form a table for as long as it is looked at."""
    with Visit(pages.place) as visit:
        visit.ask(HostTable("numlo", seats, (("size", "8"),), "", ""))
        number = max(game.table for game in visit.status().games)
    yield number
    with suppress(LocalError), Visit(pages.place, table=number) as visit:
        visit.ask(LeaveTable())


def seat_at(pages: Pages, table: int) -> door.SeatStatus:
    with Visit(pages.place, table=table) as visit:
        found = unpack(visit.ask(door.GetStatus()).data, door.Status).table
    assert found is not None
    return found.seats[1]


def sits_down(tab: Tab, name: str) -> None:
    tab.until("field.guest")
    tab.say(do="edit", name="field.guest", text=name, anchor=0, caret=0, turn=1)
    tab.quiet(0.5)
    tab.say(do="use", name="sit")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\u202eeve\u2066\x07 \u200bB", "eve B"),
        ("W" * 4000, "W" * 24),
        ('<b onclick="x">', '<b onclick="x">'),
    ],
)
def test_a_guest_with_a_name_that_means_ill_keeps_its_seat(
    pages: Pages, name: str, shown: str
) -> None:
    with forming(pages, "person:Anna", "browser") as table:
        tab = Tab(pages)
        tab.hello(entry=pages.lent(table))
        sits_down(tab, name)
        end = monotonic() + PATIENCE
        while not (found := seat_at(pages, table)).name:
            assert tab.closed is None
            assert monotonic() < end
            tab.quiet(0.1)
        assert found.name == shown
        tab.until("You sit at the table")
    tab.until_closed()
    assert says(json.dumps(tab.heard), Says.SEAT_LENT_NO_MORE)


def test_pages_that_are_killed_come_again_and_the_guest_is_where_it_was(
    pages: Pages,
) -> None:
    tab = Tab(pages)
    token = tab.hello(entry=pages.lent())["token"]
    tab.until('"cell:')
    gone = pages.pid()
    os.kill(gone, signal.SIGKILL)
    tab.until_closed()
    end = monotonic() + PATIENCE
    while pages.pid() == gone or served(pages.home) is None:
        assert monotonic() < end
        sleep(0.05)
    pages.port = pages.where()
    told: dict[str, Any] = {"later": True}
    while told.get("later", not told):  # told so, or cut off, a page asks again
        assert monotonic() < end
        again = Tab(pages)
        told = again.hello(token=token)
    assert told.get("token") == token, told
    again.until('"cell:')

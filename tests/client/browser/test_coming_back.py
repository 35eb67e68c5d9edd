"""A page comes back: over a line that says nothing any more, to a tab it had left."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from netplay.daemon.visit import Visit
from netplay.home import Home
from netplay.limits import DOOR_GUESTS
from netplay.messages import door
from tests.client.browser.chromium import (
    PHONE,
    Eye,
    Tab,
    browser,
    needs_chromium,
    opened,
    owned,
    quiet,
    served,
)
from tests.client.browser.test_devices import opens
from tests.client.browser.test_lent import command, lent
from tests.patience import until

pytestmark = [pytest.mark.processes, needs_chromium]

SOON = 30.0
"""Seconds in which a page comes back: systems give a line up after a quarter hour."""


class Line:
    """A way to a port, that can fall silent as a phone's does that sleeps."""

    def __init__(self, port: int) -> None:
        self.port, self.silent = port, False
        self._all: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.here: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self.port))
                self._all += [near, far]
                alive = threading.Event()
                for one, other in ((near, far), (far, near)):
                    pump = threading.Thread(
                        target=self._pump, args=(one, other, alive), daemon=True
                    )
                    pump.start()
                    self._cut = alive

    def _pump(
        self, one: socket.socket, other: socket.socket, cut: threading.Event
    ) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if self.silent:
                    cut.set()
                if not cut.is_set():  # else it is lost, and nobody is told
                    other.sendall(data)
            if not cut.is_set():
                other.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for each in (self._listener, *self._all):
            each.close()


@contextmanager
def line(port: int) -> Iterator[Line]:
    found = Line(port)
    try:
        yield found
    finally:
        found.close()


def at_table(home: Path, name: str) -> str:
    """Begin another match, and return a link to the seat of that name."""
    ask = door.HostTable("numlo", ("person:Anna", f"person:{name}"), (), "", "")
    told = command(home, "lend", "2", "--table", str(opens(home, ask)))
    found = re.search(r"http://\S+", told)
    assert found is not None
    return found[0]


def shows(tab: Tab, text: str) -> bool:
    return text in str(tab.page.inner_text("#message"))


def test_a_phone_that_slept_comes_back_though_its_line_says_nothing(
    lending: Path,
) -> None:
    link = lent(lending)
    port = int(link.split(":")[2].split("/")[0])
    rules = f"MAP localhost:{port} 127.0.0.1:"
    with line(port) as way, browser(f"--host-resolver-rules={rules}{way.here}") as b:
        at = link.replace("127.0.0.1", "localhost")
        tab = opened(b, at, PHONE, has_touch=True, is_mobile=True)
        until(lambda: "cell:0" in tab.names())
        tab.page.wait_for_timeout(3000)
        way.silent = True
        with Visit(Home(lending)) as visit:
            visit.ask(door.Say("there?"))
        tab.page.touchscreen.tap(5, 5)
        tab.page.wait_for_timeout(500)
        way.silent = False  # for new connections: the old one is lost
        until(lambda: tab.names()["side:0"] == "Chat (1)", SOON)
        tab.press("side:0")
        until(lambda: "there?" in tab.reads())
        assert tab.errors == []


def test_a_browser_with_two_links_finds_both_seats_again(tmp_path: Path) -> None:
    """A friend may have a seat at two tables, or two friends one tablet."""
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        web.link()
        owned(tmp_path)
        first, second = (at_table(tmp_path, name) for name in ("Bert", "Carla"))
        tab = opened(chromium, first, PHONE, has_touch=True, is_mobile=True)
        until(lambda: "Bert" in tab.reads())
        other = Tab(tab.page.context.new_page(), touch=True)
        other.page.goto(second)
        until(lambda: "Carla" in other.reads())
        tab.page.reload()
        until(lambda: "Bert" in tab.reads())
        for each in (tab, other):
            each.page.close()
        context: Any = tab.page.context
        for link, name in ((second, "Carla"), (first, "Bert")):
            again = Tab(context.new_page(), touch=True)
            again.page.goto(link)
            until(lambda again=again, name=name: name in again.reads())
            assert again.errors == []
            again.page.close()


@pytest.mark.slow  # ten pages; `test_server.py` fills and leaves all places without
def test_guests_whose_pages_are_closed_keep_no_other_guest_out(tmp_path: Path) -> None:
    """Eight friends close the page after a move, or the owner ends their play."""
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        web.link()
        owned(tmp_path)
        names = [f"Friend{number}" for number in range(DOOR_GUESTS + 2)]
        links = [at_table(tmp_path, name) for name in names]
        tabs = []
        for name, link in zip(names, links, strict=True):
            tab = opened(chromium, link, PHONE, has_touch=True, is_mobile=True)
            until(lambda tab=tab, name=name: name in tab.reads())
            tab.page.close()
            tabs.append(tab)
        context: Any = tabs[0].page.context
        again = Tab(context.new_page(), touch=True)
        again.page.goto(links[0])
        until(lambda: names[0] in again.reads())
        assert [tab.errors for tab in (*tabs, again) if tab.errors] == []


def test_a_tab_that_was_left_for_another_is_come_back_to_by_one_touch(
    lending: Path,
) -> None:
    with browser() as chromium:
        tab = opened(chromium, lent(lending), PHONE, has_touch=True, is_mobile=True)
        until(lambda: "cell:0" in tab.names())
        other = Tab(tab.page.context.new_page(), touch=True)
        other.page.goto(tab.page.url)
        until(lambda: shows(tab, "another tab"))
        tab.page.get_by_role("button", name="Go on here").tap()
        until(lambda: shows(other, "another tab"))
        until(lambda: "cell:0" in tab.names() and not shows(tab, "another tab"))
        assert Eye(lending).status() is not None


NOTICES: Final = (
    "navigator.serviceWorker.getRegistration()"
    ".then((found) => found ? found.getNotifications() : [])"
    ".then((all) => all.map((each) => each.title + ': ' + each.body))"
)


def test_a_page_that_nobody_looks_at_calls_when_a_friend_writes(tmp_path: Path) -> None:
    """By a worker, as phones know no other way."""
    anna, bert = tmp_path / "anna", tmp_path / "bert"
    for home in (anna, bert):
        quiet(home)
    with served(anna) as web, served(bert) as other, browser() as chromium:
        other.link()
        tab = opened(chromium, web.link(), permissions=["notifications"])
        for home in (anna, bert):
            until((home / "door").exists)
            with Visit(Home(home)) as visit:
                visit.ask(door.SetName(home.name.title()))
        ask = door.HostTable("numlo", ("person:Anna", "remote"), (), "", "", days=3)
        opens(anna, ask, bert)
        tab.page.evaluate(
            "Object.defineProperty(document, 'hidden', {get: () => true});"
            "document.dispatchEvent(new Event('visibilitychange')); null"
        )
        for _ in range(3):  # the first may come before its node knows of that
            with Visit(Home(bert)) as visit:
                visit.ask(door.Say("hello"))
            with suppress(AssertionError):
                until(lambda: "Bert" in str(tab.page.evaluate(NOTICES)), 10)
                break
        assert "Bert" in str(tab.page.evaluate(NOTICES))
        assert tab.errors == []

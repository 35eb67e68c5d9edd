"""A friend's browser is Firefox: it opens the page, sits down and plays a turn."""

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from netplay import wire
from netplay.daemon.visit import Visit
from netplay.home import Home
from netplay.messages import door
from netplay.messages.door import HostTable, Play, StartMatch
from netplay.players import player
from rules import networdz
from tests.client.browser.chromium import PHONE, ROOT, Eye, Tab, owned, quiet, served
from tests.client.browser.test_lent import lent
from tests.client.browser.touching import THUMBS, typed
from tests.patience import PATIENCE, until

FIREFOX: Final = shutil.which("firefox-esr") or ""
PUPPETEER: Final = ROOT / "node_modules" / "puppeteer-core"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.processes,
    pytest.mark.skipif(
        not FIREFOX, reason="Firefox is missing: apt-get install firefox-esr"
    ),
    pytest.mark.skipif(
        not PUPPETEER.is_dir(),
        reason="puppeteer is missing: npm install --no-save puppeteer-core",
    ),
]


class Page:
    """A page of Firefox, with what is used of Playwright's."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        """Ask a program that drives it."""
        self._child = child
        self.viewport_size = {"width": PHONE[0], "height": PHONE[1]}
        self.mouse = self.touchscreen = self.keyboard = self

    def _do(self, name: str, *given: object) -> Any:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        print(json.dumps([name, *given]), file=self._child.stdin, flush=True)
        answer = json.loads(self._child.stdout.readline())
        assert "error" not in answer, answer
        return answer["is"]

    def on(self, _event: str, _taker: object) -> None:
        """Take no events: `errors` are asked for."""

    def goto(self, link: str) -> None:
        self._do("goto", link)

    def evaluate(self, script: str, given: object = None) -> Any:
        return self._do("evaluate", script, given)

    def tap(self, x: float, y: float) -> None:
        self._do("tap", x, y)

    def click(self, x: float, y: float) -> None:
        self._do("click", x, y)

    def type(self, text: str) -> None:
        self._do("type", text)

    def press(self, keys: str) -> None:
        """Press a key, with others before it and a plus between held down."""
        self._do("press", *keys.split("+"))

    def inner_text(self, selector: str, timeout: float = 0) -> Any:
        del timeout
        return self.evaluate(f"document.querySelector('{selector}').innerText")

    def input_value(self, selector: str) -> Any:
        return self.evaluate(f"document.querySelector('{selector}')?.value ?? ''")

    def wait_for_timeout(self, milliseconds: float) -> None:
        self.evaluate(f"() => new Promise(done => setTimeout(done, {milliseconds}))")

    def errors(self) -> Any:
        """Return what went wrong in the page."""
        return self._do("errors")


@contextmanager
def firefox() -> Iterator[Page]:
    words = ["node", str(Path(__file__).with_name("firefox.mjs")), FIREFOX]
    child = subprocess.Popen(
        [*words, *map(str, PHONE)], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdin is not None
    try:
        yield Page(child)
    finally:
        child.stdin.close()
        child.wait(PATIENCE)
        assert child.stdout is not None
        child.stdout.close()


def owner_moves(home: Path) -> None:
    """Play the owner's turns until it is the guest's."""
    with Visit(Home(home), pushes=True) as visit:
        visit.put(door.Watch(0))
        for heard in visit.heard(PATIENCE):
            if isinstance(heard, door.View):
                view = wire.unpack(heard.state, networdz.State)
                actors = networdz.actors(view)
                if actors == {1}:
                    return
                if 0 in actors and not heard.made:
                    move = player("networdz").choose(view, 0, 30, random.Random(1))
                    visit.put(Play(0, wire.pack(move), heard.number))


@pytest.mark.parametrize("touch", [True, False])
def test_a_guest_in_firefox_sits_down_and_plays_a_turn(
    tmp_path: Path, *, touch: bool
) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, firefox() as page:
        web.link()
        owned(tmp_path)
        with Visit(Home(tmp_path)) as visit:
            visit.ask(HostTable("networdz", ("person:Anna", "browser"), (), "", ""))
        page.goto(lent(tmp_path))
        tab = Tab(page, touch=touch)
        until(lambda: "field.guest" in tab.names())
        typed(tab, "field.guest", "Dora")
        tab.press("sit")
        until(lambda: "You sit at the table" in tab.reads())
        with Visit(Home(tmp_path)) as visit:
            visit.ask(StartMatch())
        until(lambda: "cell:0" in tab.names())
        owner_moves(tmp_path)
        eye = Eye(tmp_path, 1)
        until(lambda: str(page.evaluate("document.title")).startswith("Your turn"))
        view, _over = eye.turn()
        move = player("networdz").choose(view, 1, 60, random.Random(2))
        before = now.entries if (now := eye.status()) else 0
        THUMBS["networdz"](tab, view, move)
        until(lambda: (now := eye.status()) is not None and now.entries > before)
        found = eye.status()
        assert found is not None
        assert (found.seats[1].name, found.turn) == ("Dora", (0,))
        assert page.errors() == []

"""A home's pages in a real Chromium, with a node behind them."""

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from client.app import settings
from client.app.settings import Settings
from netplay import wire
from netplay.daemon.visit import Visit
from netplay.errors import LocalError
from netplay.home import Home
from netplay.messages import door
from netplay.web_place import PORTS
from rules import GAMES
from tests.client.test_window import unasked
from tests.patience import PATIENCE, until
from tests.ports import own_port

CHROMIUM: Final = shutil.which("chromium") or ""
ROOT: Final = Path(__file__).parents[3]
PHONE: Final = (390, 844)

needs_chromium = pytest.mark.skipif(
    not CHROMIUM, reason="chromium is missing: apt-get install chromium"
)


def quiet(home: Path, **changes: Any) -> None:
    """Let a home make no noise and lose no time, and tell the network nothing."""
    home.mkdir(parents=True, exist_ok=True)
    own = Settings(sound=False, animation="off", pause="none", **changes)
    settings.store(home, own)
    Home(home).set("beacon", "off")
    unasked(home)
    # Its pages at a port that no test beside takes while they are down.
    (home / PORTS).write_text(f"[{own_port()},0]")


class Served:
    """`netplay web` as a person starts it."""

    def __init__(self, home: Path, *more: str) -> None:
        """Start it for a home."""
        words = [sys.executable, "-m", "netplay", "web", "--no-open", "--port", "0"]
        words += more
        env = {**os.environ, "NETPLAY_HOME": str(home), "LANGUAGE": "en"}
        self.home = home
        self.child = subprocess.Popen(
            words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.said = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.said += line.decode()

    def link(self) -> str:
        """Return the link that it prints."""
        found = until(lambda: re.search(r"http://\S+", self.said))
        return str(found[0])

    def close(self) -> int:
        """End it as a terminal does; return its exit code."""
        self.child.terminate()
        code = self.child.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert self.child.stdout is not None
        self.child.stdout.close()
        return code


@contextmanager
def served(home: Path, *more: str) -> Iterator[Served]:
    """Serve a home's pages."""
    found = Served(home, *more)
    try:
        yield found
    finally:
        if found.child.poll() is None:
            found.close()


def owned(home: Path) -> None:
    """Wait for node and pages of a home, and call its player Anna."""
    until(lambda: (home / "door").exists() and (home / "web.json").exists())
    with Visit(Home(home)) as visit:
        visit.ask(door.SetName("Anna"))


def follow(page: Any) -> None:
    """Let the document follow the picture, which takes it 60 ms.

    They pass by the clock of the page: a busy machine may stop it for longer.
    """
    page.evaluate("() => new Promise(done => setTimeout(done, 80))")


class Tab:
    """A page, used by who finds things by what they are."""

    def __init__(self, page: Any, *, touch: bool = False) -> None:
        """Look at a page of Playwright's."""
        self.page, self.touch = page, touch
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._logged)

    def _logged(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def names(self) -> dict[str, str]:
        """Return all that can be used, and what it is called."""
        found: dict[str, str] = self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('#document *')]"
            ".filter(e => e.told && e.told.n)"
            ".map(e => [e.told.n, e.getAttribute('aria-label') || e.textContent]))"
        )
        return found

    def place(self, name: str) -> tuple[float, float] | None:
        """Return the middle of what has a name, in pixels of the page."""
        found = self.page.evaluate(
            "name => { const e = [...document.querySelectorAll('#document *')]"
            ".find(e => e.told && e.told.n === name); if (!e) return null;"
            "const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2] }",
            name,
        )
        return None if found is None else (found[0], found[1])

    def press(self, name: str) -> None:
        """Touch something, or click on it."""
        if not self.touch:
            x, y = until(lambda: self._seen(name))
            self.page.mouse.click(x, y)
            return
        for _ in range(10):
            found = until(lambda: self._settled(name))
            before = self.zoom()
            self.page.touchscreen.tap(*found)
            if self.zoom() <= before * 1.001:
                return
            # It was too small: now it is large enough, for three seconds.

    def _seen(self, name: str) -> tuple[float, float] | None:
        """Return the middle of something, if no enlargement hides it."""
        found, size = self.place(name), self.page.viewport_size
        if found is None or size is None:
            return None
        inside = 0 <= found[0] < size["width"] and 0 <= found[1] < size["height"]
        return found if inside else None

    def _settled(self, name: str) -> tuple[float, float] | None:
        """Return the middle of something that has come to rest there.

        Whoever taps sees the picture.  The document, in which things are found by
        name here, follows it: its places by 60 ms, an enlargement by a frame.
        """
        before = self._seen(name)
        follow(self.page)
        self.zoom()  # a frame later
        found = self._seen(name)
        return found if found == before else None

    def zoom(self) -> float:
        """Return how many pixels of the page one of the scene takes."""
        script = (
            "() => new Promise(done => requestAnimationFrame(() => setTimeout(() =>"
            "done(new DOMMatrix(getComputedStyle("
            "document.getElementById('document')).transform).a))))"
        )
        return float(self.page.evaluate(script))

    def on_turn(self) -> bool:
        """Tell whether the title says that it is this player's turn."""
        return str(self.page.title()).startswith("Your turn")

    def reads(self) -> str:
        """Return all that can be read."""
        return str(self.page.inner_text("#document", timeout=1000 * PATIENCE))


STARTED: Final[list[Any]] = []
"""What a module's tests have in common: Playwright, and behind it one Chromium."""


@contextmanager
def browser(*more: str) -> Iterator[Any]:
    """Give Chromium, without what another test has opened; see `conftest.py`.

    To start it takes a second of the processor, and a test's own tabs know nothing of
    others: only with options beside the usual ones a test gets one of its own.
    """
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (where it is there)

    if not STARTED:
        STARTED.append(sync_playwright().start())
    if more or len(STARTED) == 1:
        found = STARTED[0].chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", *more],
            timeout=1000 * PATIENCE,
        )
        STARTED.extend([] if more else [found])
    else:
        found = STARTED[1]
    try:
        yield found
    finally:
        for context in found.contexts:
            context.close()
        if more:
            found.close()


def ended() -> None:
    """End what the tests of a module have started."""
    if STARTED:
        playwright, *browsers = STARTED
        STARTED.clear()
        for each in browsers:
            each.close()
        playwright.stop()


def opened(
    chromium: Any, link: str, size: tuple[int, int] = (1280, 800), **more: Any
) -> Tab:
    """Open a link in a browser of its own."""
    shape = {"width": size[0], "height": size[1]}
    context = chromium.new_context(viewport=shape, **more)
    context.set_default_timeout(1000 * PATIENCE)
    tab = Tab(context.new_page(), touch=bool(more.get("has_touch")))
    tab.page.goto(link)
    return tab


class Eye:
    """What a seat sees, told by the node itself to a window that nobody sees."""

    def __init__(self, home: Path, seat: int = 0) -> None:
        """Look at the only table of a home."""
        self.home, self.seat = Home(home), seat
        self.moved = -1
        """Which of all moves was the seat's last, as far as the last look knew."""

    def status(self) -> door.TableStatus | None:
        """Return how the table stands."""
        try:
            with Visit(self.home) as visit:
                return visit.status().table
        except LocalError:
            return None

    def view(self) -> Any:
        """Return what the seat sees now."""
        return self._view(wait=False)[0]

    def turn(self) -> tuple[Any, bool]:
        """Return the view once it is the seat's turn, or the match is over."""
        return self._view(wait=True)

    def _view(self, *, wait: bool) -> tuple[Any, bool]:
        with Visit(self.home, pushes=True) as visit:
            visit.put(door.Watch(self.seat))
            game, over, view, made = "", False, None, False
            for heard in visit.heard(PATIENCE):
                if isinstance(heard, door.Status) and heard.table is not None:
                    game, over = heard.table.game, heard.table.phase == "over"
                elif isinstance(heard, door.View) and game:
                    view = wire.unpack(heard.state, GAMES[game].ABOUT.state)
                    own = [h.number for h in heard.happened if h.actor == self.seat]
                    self.moved = max([self.moved, *own])
                    made = bool(heard.made)  # what was played is not in `state` yet
                if view is None:
                    continue
                turn = not made and self.seat in GAMES[game].actors(view)
                if over or not wait or turn:
                    return view, over
        raise AssertionError("the node has gone")

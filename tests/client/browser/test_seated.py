"""A seat in a browser from where a person begins: the window, a picture, a phone.

The window opens the table and shows the picture; a phone opens what it says, and all
that is done at that seat is done by a thumb.  A third player sits at a node of its own.
"""

import os
import random
import re
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any

import pygame
import pytest

from netplay import wire
from netplay.daemon.visit import Visit
from netplay.errors import LocalError
from netplay.home import Home
from netplay.messages import door
from netplay.messages.door import GetStatus, Play
from netplay.players import player
from netplay.record.verify import verify
from rules import GAMES, LISTED, hexcolumns, lhexicon, networdz
from tests.client import playing
from tests.client.browser.chromium import (
    PHONE,
    Eye,
    Tab,
    browser,
    needs_chromium,
    opened,
    quiet,
)
from tests.client.browser.touching import THUMBS, modules, read, still, typed
from tests.client.test_window import TOOLS
from tests.patience import PATIENCE, until

MISSING = [tool for tool in (*TOOLS, "scrot") if shutil.which(tool) is None]
SKILL = 40
GUEST = 1
"""The seat of whoever plays in a browser."""

pytestmark = [
    pytest.mark.window,
    pytest.mark.processes,
    needs_chromium,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


def picture(at: playing.Table, name: str, folder: Path) -> pygame.Surface:
    """Return what the screen shows of a part of the window."""
    at.shoot(folder, "screen")
    whole = pygame.image.load(BytesIO((folder / "screen.png").read_bytes()))
    told = at.tool("getwindowgeometry", "--shell", at.id)
    left, above = (
        int(line.partition("=")[2])
        for line in told.splitlines()
        if line.startswith(("X=", "Y="))
    )
    x, y, w, h = at.node_named(name)["rect"]
    return whole.subsurface((left + x, above + y, w, h))


def clicked(at: playing.Table, name: str, came: Callable[[], Any]) -> None:
    """Click, again where the page was laid out anew under the pointer."""
    for _ in range(5):
        for asked in [each for each in at.ask("names") if each.endswith(".no")]:
            at.click(asked)  # a question that lies over the page: not now
        if at.shown(name):
            at.click(name)
        try:
            until(came, 20)
        except AssertionError:
            continue
        return
    raise AssertionError(name)


def chosen(at: playing.Table, game: str, seats: tuple[int, ...]) -> None:
    """Open a table by clicks, with that game and who is to sit there."""
    at.front()
    clicked(at, f"game:{list(LISTED).index(game)}", lambda: True)
    clicked(at, "open", lambda: at.ask("window")["page"] == "table")
    for number, kind in enumerate(seats, start=1):  # as they are in the list
        item = f"kind{number}:{kind}"
        clicked(at, f"kind{number}", partial(at.shown, item))
        clicked(at, item, partial(_is_closed, at, item))
    at.until(lambda: at.shown("who1"))


def _is_closed(at: playing.Table, item: str) -> bool:
    return not at.shown(item)


def _has(tab: Tab, names: set[str]) -> bool:
    return names <= set(tab.names())


def _is_audited(eye: Eye) -> bool:
    now = eye.status()
    return now is not None and now.audit == "ok"


def link(at: playing.Table, folder: Path) -> str:
    """Return what the code for the guest's seat says, as a camera reads it."""
    clicked(at, "who1", lambda: at.shown("lend.show"))
    clicked(at, "lend.show", lambda: at.shown("lend.copy"))
    at.until(lambda: picture(at, "lend.code", folder).get_at((0, 0))[0] > 240)
    found = read(modules(picture(at, "lend.code", folder)))
    at.click("close")
    return found


def seated(chromium: Any, link: str, name: str = "Dora") -> Tab:
    """Open a link on a phone, give a name and sit down."""
    tab = opened(chromium, link, PHONE, has_touch=True, is_mobile=True)
    typed(tab, "field.guest", name)
    tab.press("sit")
    until(lambda: "You sit at the table" in tab.reads())
    return tab


@contextmanager
def playing_along(
    home: Path, game: str, seat: int, *, drops: bool = False
) -> Iterator[None]:
    """Have a seat played from its node, so that the match goes on.

    Where pieces fall it may only let them drop, so that the match ends soon.
    """
    rules, rng, over = GAMES[game], random.Random(game), threading.Event()

    def play() -> None:
        try:
            for heard in visit.heard(None):
                if over.is_set():
                    return
                if isinstance(heard, door.Failed):
                    visit.put(door.Watch(seat))
                if isinstance(heard, door.View):
                    view = wire.unpack(heard.state, rules.ABOUT.state)
                    if seat in rules.actors(view):
                        falls = drops and game == "hexcolumns"
                        move = (
                            hexcolumns.Drop()
                            if falls
                            else player(game).choose(view, seat, SKILL, rng)
                        )
                        visit.put(Play(seat, wire.pack(move), heard.number))
        except (OSError, LocalError):
            pass

    with Visit(Home(home), pushes=True) as visit:
        visit.put(door.Watch(seat))
        hand = threading.Thread(target=play, daemon=True)
        hand.start()
        yield
        over.set()
        visit.put(GetStatus())  # whose answer is the last that is heard
        hand.join()


def played(
    tab: Tab, home: Path, game: str, most: int = 10_000, seat: int = GUEST
) -> int:
    """Play the guest's turns by touch; return how many, at the end or after so many."""
    rules, rng, eye, made = GAMES[game], random.Random(7), Eye(home, seat), 0
    live, last, moved, end = bool(rules.ABOUT.hz), None, -1, monotonic() + PATIENCE
    while made < most:
        view, over = eye.turn()
        if over:
            break
        # Other entries come, too, and change what is seen: that is no next turn.
        if made and (view == last if live else eye.moved == moved):
            assert monotonic() < end, f"turn {made} has not come: {tab.reads()}"
            tab.page.wait_for_timeout(20)
            continue
        last, moved, end = view, eye.moved, monotonic() + PATIENCE
        if not live:
            until(tab.on_turn)
        if rules.ABOUT.tiled is not None:
            rack = {f"tile:{tile}" for tile in view.tiles.racks[seat]}
            until(partial(_has, tab, rack))
        if not live:
            until(lambda: still(tab))
        THUMBS[game](tab, view, player(game).choose(view, seat, SKILL, rng))
        made += 1
    if made == most:
        until(lambda: eye.view() != last and (live or eye.moved > moved) and still(tab))
    return made


def logs(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob("*/matches/*.netplay"))]


# It has two nodes and windows.  The next test goes from picture to seat, words are laid
# by touch in `test_played.py`, and a match with a lent seat ends in `test_lent.py`.
@pytest.mark.slow
def test_a_phone_opens_the_picture_and_plays_networdz_until_the_others_resign(
    tmp_path: Path,
) -> None:
    for name in playing.NAMED:
        (tmp_path / name).mkdir()
        quiet(tmp_path / name)
    with playing.tables(tmp_path, 2) as (anna, carla), browser() as chromium:
        chosen(anna, "networdz", (4, 3))
        tab = seated(chromium, link(anna, tmp_path))
        port = anna.command("status").split("port ")[1].split()[0]
        carla.command("join", f"127.0.0.1:{port}")
        carla.until(lambda: carla.ask("window")["page"] == "table")
        anna.front()
        anna.until(lambda: anna.node_named("start").get("enabled", True))
        anna.click("start")
        with (
            playing_along(anna.home, "networdz", 0),
            playing_along(carla.home, "networdz", 2),
        ):
            assert played(tab, anna.home, "networdz", 3) == 3
        for at in (anna, carla):
            at.command("play", "resign")
        eyes = [Eye(each.home) for each in (anna, carla)]
        for eye in eyes:
            until(partial(_is_audited, eye))
        until(lambda: "result.close" in tab.names())
        assert not {"result.rematch", "result.home"} & set(tab.names())
        assert tab.errors == []
    mine, other = logs(tmp_path)
    assert mine == other
    found = verify(mine)
    assert (found.verdict, found.audit) == ("good", "ok")


def begun(at: playing.Table, chromium: Any, folder: Path, game: str) -> Tab:
    """Begin a match of two with a guest, and return the guest's page."""
    chosen(at, game, (4,))
    tab = seated(chromium, link(at, folder))
    at.front()
    at.until(lambda: at.node_named("start").get("enabled", True))
    at.click("start")
    eye = Eye(at.home)
    until(lambda: (now := eye.status()) and now.phase == "playing")
    return tab


@pytest.mark.parametrize(
    "game",
    [
        "hexagrams",
        # The same way from picture to seat, with other thumbs: a word of many touches,
        # and a well that fills while a computer is busy.
        pytest.param("lhexicon", marks=pytest.mark.slow),
        pytest.param("hexcolumns", marks=pytest.mark.slow),
    ],
)
def test_the_first_turns_of_every_game_are_taken_by_touch(
    tmp_path: Path, game: str
) -> None:
    (tmp_path / playing.NAMED[0]).mkdir()
    quiet(tmp_path / playing.NAMED[0])
    with playing.tables(tmp_path, 1) as (anna,), browser() as chromium:
        tab = begun(anna, chromium, tmp_path, game)
        with playing_along(anna.home, game, 0):
            assert played(tab, anna.home, game, 3) == 3
        assert tab.errors == []


@pytest.mark.slow  # each of these ends by itself in `test_lent.py` and `test_pages.py`
def test_a_guest_comes_back_after_tab_pages_and_node_ended_and_for_a_rematch(
    tmp_path: Path,
) -> None:
    (tmp_path / playing.NAMED[0]).mkdir()
    quiet(tmp_path / playing.NAMED[0])
    with playing.tables(tmp_path, 1) as (anna,), browser() as chromium:
        tab = begun(anna, chromium, tmp_path, "numlo")
        eye = Eye(anna.home, GUEST)
        with playing_along(anna.home, "numlo", 0):
            assert played(tab, anna.home, "numlo", 2) == 2
        url = tab.page.url
        assert "#" not in url
        context = tab.page.context
        tab.page.close()
        tab = Tab(context.new_page(), touch=True)
        tab.page.goto(url)
        with playing_along(anna.home, "numlo", 0):
            assert played(tab, anna.home, "numlo", 2) == 2
        pages = re.findall(r"web.up pid=(\d+)", Home(anna.home).journal.read_text())
        os.kill(int(pages[-1]), signal.SIGKILL)
        until(lambda: "lost" in tab.page.inner_text("#message"))
        until(lambda: not tab.page.inner_text("#message"))
        with playing_along(anna.home, "numlo", 0):
            assert played(tab, anna.home, "numlo", 2) == 2
        anna.node.kill()
        anna.node.wait()
        until(lambda: "lost" in tab.page.inner_text("#message"))
        anna.start()
        until(lambda: eye.status() is not None)
        until(lambda: not tab.page.inner_text("#message"))
        with playing_along(anna.home, "numlo", 0):
            assert played(tab, anna.home, "numlo", 2) == 2
        anna.command("play", "resign")  # another plays to an end
        until(partial(_is_audited, eye))
        first = now.match if (now := eye.status()) else b""
        anna.front()
        anna.click("result.rematch")
        until(lambda: (now := eye.status()) and now.match != first)
        if (table := eye.status()) is not None and not table.match:
            anna.until(lambda: anna.node_named("start").get("enabled", True))
            anna.click("start")
        until(lambda: (now := eye.status()) and now.phase == "playing")
        table = eye.status()
        assert table is not None
        assert table.match != first
        seat = [each.name for each in table.seats].index("Dora")
        assert seat != GUEST  # another begins
        with playing_along(anna.home, "numlo", 1 - seat):
            assert played(tab, anna.home, "numlo", 2, seat) == 2


def given(view: Any, game: str) -> Any:
    """Return a turn in which two tiles are exchanged; None where there are none."""
    if game == "networdz":
        return networdz.Pass(tuple(sorted(view.tiles.racks[GUEST])[:2]))
    if game == "lhexicon":
        return lhexicon.Discard(tuple(sorted(view.tiles.racks[GUEST])[:2]))
    return None


def dropped(tab: Tab, home: Path) -> None:
    """Let each piece of a guest's fall, until its well is full."""
    eye = Eye(home, GUEST)
    while (now := eye.status()) is not None and now.phase != "over":
        if not eye.view().wells[GUEST].over:
            with suppress(AssertionError):  # that was the last
                tab.press("press:drop")
        tab.page.wait_for_timeout(50)


@pytest.mark.slow
@pytest.mark.parametrize("game", LISTED)
def test_a_guest_plays_every_game_to_its_end_through_all_that_happens(
    tmp_path: Path, game: str
) -> None:
    (tmp_path / playing.NAMED[0]).mkdir()
    quiet(tmp_path / playing.NAMED[0])
    with playing.tables(tmp_path, 1) as (anna,), browser() as chromium:
        tab = begun(anna, chromium, tmp_path, game)
        eye = Eye(anna.home, GUEST)
        with playing_along(anna.home, game, 0, drops=True):
            if move := given(eye.turn()[0], game):
                until(tab.on_turn)
                before, moved = eye.turn()[0], eye.moved
                THUMBS[game](tab, before, move)
                # Until it has come the turn before still looks like the next one.
                until(lambda: eye.view() != before and eye.moved > moved)
            played(tab, anna.home, game, 2)
            tab.page.reload()
            played(tab, anna.home, game, 1)
            pages = re.findall(r"web.up pid=(\d+)", Home(anna.home).journal.read_text())
            os.kill(int(pages[-1]), signal.SIGKILL)
            until(lambda: "lost" in tab.page.inner_text("#message"))
            until(lambda: not tab.page.inner_text("#message"))
            url, context = tab.page.url, tab.page.context
            tab.page.close()
            tab = Tab(context.new_page(), touch=True)
            tab.page.goto(url)
            if game == "hexcolumns":
                dropped(tab, anna.home)
            else:
                played(tab, anna.home, game)
        until(partial(_is_audited, eye))
        until(lambda: "result.close" in tab.names())
        assert tab.errors == []
    (mine,) = logs(tmp_path)
    found = verify(mine)
    assert (found.verdict, found.audit) == ("good", "ok")

"""A friend opens a link on a phone, sits at the lent seat, and plays to the end."""

import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pygame
import pytest
import segno

from netplay import wire
from netplay.daemon.visit import Visit
from netplay.home import Home
from netplay.messages import door
from netplay.messages.door import HostTable, Play, Say, StartMatch
from netplay.sentences import Says
from rules import networdz, numlo
from rules.game import Resign
from tests.client.browser.chromium import (
    PHONE,
    ROOT,
    Eye,
    Tab,
    browser,
    needs_chromium,
    opened,
    owned,
    quiet,
    served,
)
from tests.client.browser.touching import modules, networdz_, read, typed
from tests.patience import PATIENCE, until
from tests.said import says

pytestmark = [pytest.mark.processes, needs_chromium]


def command(home: Path, *words: str) -> str:
    env = {**os.environ, "NETPLAY_HOME": str(home), "LANGUAGE": "en"}
    done = subprocess.run(
        [sys.executable, "-m", "netplay", *words], cwd=ROOT, env=env, timeout=PATIENCE,
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


def begun(home: Path, *seats: str) -> None:
    """Let the owner begin a match."""
    with Visit(Home(home)) as visit:
        visit.ask(HostTable("numlo", seats, (("size", "8"),), "", ""))
        visit.ask(StartMatch())
    until(
        lambda: (found := Eye(home).status()) is not None and found.phase == "playing"
    )


def match_of_two(home: Path) -> None:
    """Begin a match of Anna's with a seat to lend."""
    owned(home)
    begun(home, "person:Anna", "person:Bert")


def lent(home: Path) -> str:
    found = re.search(r"http://\S+", command(home, "lend", "2"))
    assert found is not None
    return found[0]


def owner_plays(home: Path, eye: Eye) -> tuple[Any, bool]:
    """Play the owner's turns until it is the guest's, or all is over."""
    with Visit(Home(home), pushes=True) as visit:
        visit.put(door.Watch(0))
        over = False
        for heard in visit.heard(PATIENCE):
            if isinstance(heard, door.Status) and heard.table is not None:
                over = heard.table.phase == "over"
            if isinstance(heard, door.View):
                view = wire.unpack(heard.state, numlo.State)
                actors = numlo.actors(view)
                if 0 in actors:
                    move = next(iter(numlo.moves(view, 0)))
                    visit.put(Play(0, wire.pack(move), heard.number))
                elif 1 in actors or not actors:
                    return view, over or not actors
    raise AssertionError("the node has gone")


def tapped(tab: Tab, eye: Eye, name: str, number: int) -> None:
    """Tap somewhere, again where the page still showed the move before."""

    def made() -> bool:
        now = eye.status()
        return now is not None and now.entries > number

    for _ in range(20):
        tab.press(name)
        try:
            until(made, 3)
        except AssertionError:
            continue
        return
    raise AssertionError(name, tab.names())


def resigns(home: Path) -> None:
    """Let the owner end the match."""
    with Visit(Home(home), pushes=True) as visit:
        visit.put(door.Watch(0))
        for heard in visit.heard(PATIENCE):
            if isinstance(heard, door.View):
                visit.put(Play(0, wire.pack(Resign()), heard.number))
                return


def test_a_friend_plays_by_touch_at_a_lent_seat_and_comes_back(tmp_path: Path) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        web.link()
        match_of_two(tmp_path)
        link = lent(tmp_path)
        tab = opened(chromium, link, PHONE, has_touch=True, is_mobile=True)
        eye = Eye(tmp_path)
        until(lambda: "cell:0" in tab.names())
        assert not {"save", "leave", "dictionary", "preferences"} & set(tab.names())
        with Visit(Home(tmp_path)) as visit:
            visit.ask(Say("luck"))
        until(lambda: "luck" in tab.reads() or tab.place("side:2"))
        for turn in range(4):
            view, over = owner_plays(tmp_path, eye)
            assert not over
            move = next(iter(numlo.moves(view, 1)))
            found = eye.status()
            assert found is not None
            number = found.entries
            until(tab.on_turn)
            tapped(tab, eye, f"cell:{move.square}", number)
            if turn == 2:  # the tab is closed, and opened again
                tab.page.reload()
                until(lambda: "cell:0" in tab.names())
                assert "#" not in tab.page.url
        resigns(tmp_path)
        until(lambda: (now := eye.status()) is not None and now.audit == "ok")
        thief = opened(chromium, link)
        until(lambda: says(thief.page.inner_text("#message"), Says.SEAT_LENT_NO_MORE))
        assert not thief.names()
        assert tab.errors == []
        command(tmp_path, "lend", "2", "--back")
        until(lambda: says(tab.page.inner_text("#message"), Says.SEAT_LENT_NO_MORE))


def test_a_guest_comes_back_at_another_address_by_a_new_link(lending: Path) -> None:
    """Which is another origin to a browser: it knows nothing of the seat there."""
    with browser() as chromium:
        tab = opened(chromium, lent(lending), PHONE, has_touch=True, is_mobile=True)
        eye = Eye(lending)
        until(lambda: "cell:0" in tab.names())
        elsewhere = tab.page.url.replace("127.0.0.1", "localhost")
        assert elsewhere != tab.page.url
        moved = Tab(tab.page.context.new_page(), touch=True)
        moved.page.goto(elsewhere)
        until(lambda: moved.page.inner_text("#message"))
        assert not moved.names()
        link = lent(lending).replace("127.0.0.1", "localhost")
        until(lambda: says(tab.page.inner_text("#message"), Says.SEAT_LENT_NO_MORE))
        # In the same tab: only what stands behind # is another, and it loads anew.
        with moved.page.expect_event("load"):
            moved.page.goto(link)
        until(lambda: "cell:0" in moved.names())
        view, _over = owner_plays(lending, eye)
        found = eye.status()
        assert found is not None
        assert found.seats[1].name == "Bert"
        until(moved.on_turn)
        move = next(iter(numlo.moves(view, 1)))
        tapped(moved, eye, f"cell:{move.square}", found.entries)
        assert tab.errors == moved.errors == []


def test_a_guest_who_opens_its_link_again_sits_where_it_sat(lending: Path) -> None:
    """As people do who have closed the tab: the link is still in their messages."""
    with browser() as chromium:
        link = lent(lending)
        tab = opened(chromium, link, PHONE, has_touch=True, is_mobile=True)
        until(lambda: "cell:0" in tab.names())
        context = tab.page.context
        tab.page.close()
        for wrong in ("", "g." + "00" * 16):
            tab = Tab(context.new_page(), touch=True)
            tab.page.goto(link.partition("#")[0] + f"#{wrong}" if wrong else link)
            if wrong:  # what others send it costs it nothing
                until(lambda tab=tab: tab.page.inner_text("#message"))
                tab = Tab(context.new_page(), touch=True)
                tab.page.goto(link.partition("#")[0])
            until(lambda tab=tab: "cell:0" in tab.names())
            assert "#" not in tab.page.url
            tab.page.close()


def test_a_guest_that_shows_what_was_never_lent_sees_words_alone(lending: Path) -> None:
    with browser() as chromium:
        base = lent(lending).partition("#")[0]
        context = None
        for wrong in ("g.00", "g." + "00" * 16, "g.xyz", "g."):
            if context is None:
                tab = opened(chromium, f"{base}#{wrong}")
                context = tab.page.context
            else:
                tab = Tab(context.new_page())
                tab.page.goto(f"{base}#{wrong}")
            until(lambda one=tab: one.page.inner_text("#message"))
            assert not tab.names()
            tab.page.close()


def code(tab: Tab) -> list[list[bool]]:
    """Return the modules of the QR code that the page shows, read from its picture."""
    x, y, side = tab.page.evaluate(
        "() => { const e = [...document.querySelectorAll('#document *')]"
        ".find(e => e.told && e.told.n === 'lend.code');"
        "const r = e.getBoundingClientRect(); return [r.x, r.y, r.width] }"
    )
    clip = {"x": x, "y": y, "width": side, "height": side}
    return modules(pygame.image.load(BytesIO(tab.page.screenshot(clip=clip))))


def is_on(tab: Tab, name: str) -> bool:
    """Tell whether a button can be used."""
    script = (
        "name => [...document.querySelectorAll('#document *')]"
        ".some(e => e.told?.n === name && e.ariaDisabled !== 'true')"
    )
    return bool(tab.page.evaluate(script, name))


def test_a_guest_opens_what_the_table_page_shows_sits_down_and_plays(
    tmp_path: Path,
) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        owner = opened(chromium, web.link())
        until(
            lambda: owner.place("field.name")
        )  # which is asked no more once it is said
        with Visit(Home(tmp_path)) as visit:
            visit.ask(door.SetName("Anna"))
            visit.ask(
                HostTable("numlo", ("person:Anna", "browser"), (("size", "8"),), "", "")
            )
        owner.press("who1")
        owner.press("lend.show")
        until(lambda: owner.place("lend.copy"))
        found = re.search(r"http://\S+", owner.reads())
        assert found is not None
        link = found[0]
        whole = segno.make(link, micro=False).matrix
        assert code(owner) == [[bool(cell) for cell in row] for row in whole]
        owner.press("close")
        tab = opened(chromium, link, PHONE, has_touch=True, is_mobile=True)
        typed(tab, "field.guest", "Bert")
        until(lambda: is_on(tab, "sit"))
        tab.press("sit")
        until(lambda: "You sit at the table" in tab.reads())
        tab.page.reload()  # it comes back to where it sat
        until(lambda: "Bert (you)" in tab.reads())
        owner.press("start")
        until(lambda: "cell:0" in tab.names())
        eye = Eye(tmp_path)
        view, _over = owner_plays(tmp_path, eye)
        now = eye.status()
        assert now is not None
        assert (now.seats[1].name, now.seats[1].browser) == ("Bert", "Anna")
        until(tab.on_turn)
        move = next(iter(numlo.moves(view, 1)))
        tapped(tab, eye, f"cell:{move.square}", now.entries)
        owner.press("who1")
        owner.press("lend.end")
        until(lambda: says(tab.page.inner_text("#message"), Says.SEAT_LENT_NO_MORE))
        assert owner.errors == tab.errors == []


def laid(home: Path) -> bool:
    """Let the owner lay the first word that there is, once it is the owner's turn.

    Where its tiles make none, as of one in a hundred racks, they are exchanged; tell
    whether a word was laid.
    """
    with Visit(Home(home), pushes=True) as visit:
        visit.put(door.Watch(0))
        for heard in visit.heard(PATIENCE):
            if isinstance(heard, door.View):
                view = wire.unpack(heard.state, networdz.State)
                if 0 in networdz.actors(view):
                    moves = networdz.moves(view, 0)
                    words = (m for m in moves if isinstance(m, networdz.Lay))
                    anew = networdz.Pass(tuple(sorted(view.tiles.racks[0])))
                    move = next(words, anew)
                    visit.put(Play(0, wire.pack(move), heard.number))
                    return move is not anew
    raise AssertionError


def test_a_guest_challenges_a_word_and_exchanges_tiles_by_touch(tmp_path: Path) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        web.link()
        owned(tmp_path)
        seats, rules = ("person:Anna", "person:Bert"), (("challenge", "single"),)
        with Visit(Home(tmp_path)) as visit:
            visit.ask(HostTable("networdz", seats, rules, "standard", ""))
            visit.ask(StartMatch())
        eye = Eye(tmp_path, 1)
        until(lambda: (now := eye.status()) is not None and now.phase == "playing")
        tab = opened(chromium, lent(tmp_path), PHONE, has_touch=True, is_mobile=True)
        until(lambda: "cell:112" in tab.names())
        if 1 in networdz.actors(eye.view()):  # the guest begins
            exchanged(tab, eye.turn()[0])
        while not laid(tmp_path):
            exchanged(tab, eye.turn()[0])
        until(tab.on_turn)
        until(lambda: "challenge" in tab.names())
        entries = now.entries if (now := eye.status()) else 0
        tapped(tab, eye, "challenge", entries)  # the word is right, and stays
        until(lambda: "challenge" not in tab.names())
        assert tab.on_turn()
        exchanged(tab, eye.turn()[0])
        until(lambda: not tab.on_turn())
        assert tab.errors == []


def exchanged(tab: Tab, view: Any) -> None:
    """Give two tiles away, by touch."""
    rack = sorted(view.tiles.racks[1])
    until(lambda: tab.names().get("pass") == "PASS")
    until(tab.on_turn)
    networdz_(tab, view, networdz.Pass(tuple(rack[:2])))


def test_who_opens_the_link_to_look_on_sees_the_board_until_it_is_ended(
    tmp_path: Path,
) -> None:
    quiet(tmp_path)
    with served(tmp_path) as web, browser() as chromium:
        owner = opened(chromium, web.link())
        until(lambda: owner.place("field.name"))
        with Visit(Home(tmp_path)) as visit:
            visit.ask(door.SetName("Anna"))
            visit.ask(
                HostTable(
                    "networdz", ("person:Anna", "person:Bert"), (), "standard", ""
                )
            )
        until(lambda: owner.place("look.on"))
        owner.press("look.on")
        owner.press("lend.show")
        until(lambda: owner.place("lend.copy"))
        link = read(code(owner))
        owner.press("close")
        tab = opened(chromium, link, PHONE, has_touch=True, is_mobile=True)
        until(lambda: "Waiting for the game" in tab.reads())
        assert "Bert" not in tab.reads()  # before the match there is nothing to see
        owner.press("start")
        until(lambda: "cell:112" in tab.names())
        with Visit(Home(tmp_path)) as visit:
            visit.ask(Say("ours"))
        tab.page.reload()
        until(lambda: "cell:112" in tab.names())
        until(lambda: "ours" in owner.reads())
        names = set(tab.names())
        never = {"field.chat", "done", "pass", "agree", "hint", "leave", "watchers"}
        assert not names & never
        assert not [name for name in names if name.startswith("tile:")]
        assert "ours" not in tab.reads()
        tab.press("cell:112")
        owner.press("watchers")
        owner.press("refuse:Anna (1)")
        until(lambda: says(tab.page.inner_text("#message"), Says.SEAT_LENT_NO_MORE))
        assert owner.errors == tab.errors == []
        # Who likes a terminal gets the same by it.
        found = re.search(r"http://\S+", command(tmp_path, "lend", "--watch"))
        assert found is not None
        tab = opened(chromium, found[0], PHONE, has_touch=True, is_mobile=True)
        until(lambda: "cell:112" in tab.names())
        status = Eye(tmp_path).status()
        assert status is not None
        assert len(status.watchers) == 1
        command(tmp_path, "lend", "--watch", "--back")
        until(lambda: says(tab.page.inner_text("#message"), Says.SEAT_LENT_NO_MORE))
        assert not tab.page.is_visible("canvas"), "no board, nor a game to wait for"
        assert tab.names() == {}
        assert tab.errors == []

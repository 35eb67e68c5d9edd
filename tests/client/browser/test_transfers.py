"""Files in a browser: *Save* downloads, *Load* uploads, and a guest can do neither."""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import msgspec
import pytest
from msgspec.structs import replace

from client.app.browsing import Chooser, Looking, Purpose, Reported
from client.app.model import Model, Over
from client.browser import talk
from client.browser.guests import GuestSession
from client.browser.session import PageSession
from client.pages import chooser
from client.ui.intents import Click, Key
from netplay import wire
from netplay.daemon.visit import Visit
from netplay.home import Home
from netplay.messages import door
from netplay.messages.door import Play
from netplay.web_place import served as place_of
from rules import numlo
from tests.client.browser.chromium import (
    PHONE,
    Eye,
    Tab,
    browser,
    needs_chromium,
    opened,
    quiet,
    served,
)
from tests.client.browser.test_devices import command as web_command
from tests.client.browser.test_lent import begun
from tests.client.browser.touching import shown, still
from tests.patience import PATIENCE, until

LARGE: Final = 16 * 1024 * 1024
"""What may be brought at most."""


def turns(home: Path, most: int) -> None:
    """Let both persons at a table of Numlo make so many moves."""
    with Visit(Home(home), pushes=True) as visit:
        visit.put(door.Watch(0))
        made = 0
        for heard in visit.heard(PATIENCE):
            if isinstance(heard, door.View):
                view = wire.unpack(heard.state, numlo.State)
                actors = numlo.actors(view)
                if not actors or made == most:
                    return
                seat = min(actors)
                move = next(iter(numlo.moves(view, seat)))
                visit.put(Play(seat, wire.pack(move), heard.number))
                made += 1


def menu(tab: Tab, words: str) -> None:
    """Press what stands in the menu of a phone."""

    def row() -> str | None:
        names = tab.names().items()
        return next((n for n, w in names if w == words and n[:5] == "menu:"), None)

    until(lambda: tab.place("menu"))
    tab.press("menu")
    tab.press(until(row))


def chosen(tab: Tab, file: Path | dict[str, Any]) -> None:
    """Choose a file as the browser has it done."""
    until(lambda: tab.place("file.pick"))
    with tab.page.expect_file_chooser() as asked:
        tab.press("file.pick")
    asked.value.set_files(file)


def said(tab: Tab) -> str:
    return tab.names().get("file.said", "")


@pytest.mark.processes
@needs_chromium
def test_a_paired_phone_saves_a_game_and_goes_on_with_it_from_its_file(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    quiet(home)
    with served(home, "--own") as web, browser() as chromium:
        web.link()
        pages = until(lambda: (home / "door").exists() and place_of(home))
        with Visit(Home(home)) as visit:
            visit.ask(door.SetName("Anna"))
        begun(home, "person:Anna", "person:Bert")
        turns(home, 6)
        eye = Eye(home)
        before = eye.status()
        assert before is not None
        code = re.search(r"https://\S+/#(\w+)", web_command(home, "--pair"))
        assert code is not None
        tab = opened(
            chromium, f"https://127.0.0.1:{pages.own_port}/#{code[1]}", PHONE,
            has_touch=True, is_mobile=True, ignore_https_errors=True,
        )  # fmt: skip
        tab.page.on("filechooser", lambda _asked: None)
        until(lambda: tab.page.title() != "Netplay")
        menu(tab, "Save")
        until(lambda: tab.place("file.ok"))
        with tab.page.expect_download() as loaded:
            tab.press("file.ok")
        name = loaded.value.suggested_filename
        assert name == "numlo-Anna-Bert.netplay"
        kept = tmp_path / name
        loaded.value.save_as(kept)
        until(lambda: not tab.place("file.ok"))
        with Visit(Home(home)) as visit:
            visit.ask(door.LeaveTable())
        until(lambda: eye.status() is None)
        for each in Home(home).matches.glob("*.netplay"):
            each.unlink()
        menu(tab, "Load")
        chosen(tab, {"name": "x.netplay", "mimeType": "", "buffer": b"\0\xff" * 40_000})
        until(lambda: "damaged" in said(tab))
        assert "/" not in said(tab)  # where it lay for a moment is nobody's matter
        (tmp_path / "large.netplay").write_bytes(bytes(LARGE + 1))
        chosen(tab, tmp_path / "large.netplay")
        until(lambda: "large" in said(tab))
        assert eye.status() is None
        chosen(tab, kept)
        after = until(eye.status)
        assert after.entries >= before.entries
        assert after.match == before.match
        turns(home, 100)
        until(lambda: (now := eye.status()) is not None and now.audit == "ok")
        assert tab.errors == []


def there(home: Path, purpose: Purpose) -> PageSession:
    """Return a session in which a file is to be chosen."""
    found = PageSession(Model(over=Over.FILE, chooser=Chooser(purpose)), home)
    found.attach(lambda _data: None, *PHONE)
    return found


def lying(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Callable[[], list[Path]]:
    """Return what tells which files lie about for a moment."""
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return lambda: [path for path in folder.rglob("*") if path.is_file()]


async def test_pieces_make_the_file_and_it_goes_once_the_node_has_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = lying(monkeypatch, tmp_path / "tmp")
    found = there(tmp_path, Purpose.LOAD)
    found.said(talk.Brought("../../a b.netplay", 6, 0, b"abc"))
    assert found.model.chooser is not None
    assert found.model.chooser.awaits == Looking(("a-b.netplay",))
    asked = list[door.Request]()
    found.link = cast("Any", SimpleNamespace(ask=asked.append))
    found.said(talk.Brought("a b.netplay", 6, 3, b"def"))
    (file,) = files()
    assert file.read_bytes() == b"abcdef"
    assert file.name == "a-b.netplay"
    assert file.parent.parent.stat().st_mode & 0o77 == 0
    (request,) = asked
    assert request.ask == door.Load(str(file))
    assert found.model.settings.places == ()  # no folder that a window would offer
    found.hear(door.Failed(request.id, 1, f"{file}!"))
    assert files() == []
    assert found.model.chooser.said.endswith(": a-b.netplay!")


@pytest.mark.parametrize(
    ("piece", "why"),
    [
        (talk.Brought("x", LARGE + 1, 0, b"a"), "large"),
        (talk.Brought("x", -1), "read"),
        (talk.Brought("x", 3, 0, b"abcd"), ""),  # more than was said
        (talk.Brought("x", 3, 0, b""), ""),  # without end
        (talk.Brought("x", 3, 2, b"a"), ""),  # from the middle
    ],
)
async def test_a_file_that_is_not_as_it_was_said_is_not_kept(
    piece: talk.Brought, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = lying(monkeypatch, tmp_path / "tmp")
    found = there(tmp_path, Purpose.LOAD)
    found.said(piece)
    assert files() == []
    assert not found.transfers.wants_more
    assert found.model.chooser is not None
    assert why in found.model.chooser.said


@pytest.mark.parametrize("at", [0, 3, 4])
async def test_a_piece_that_comes_twice_or_not_behind_the_last_is_in_no_file(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = lying(monkeypatch, tmp_path / "tmp")
    found = there(tmp_path, Purpose.LOAD)
    for place in (0, 3, at):
        found.said(talk.Brought("x", 9, place, b"abc"))
    assert [file.read_bytes() for file in files()] == ([] if at else [b"abc"])
    assert found.transfers.wants_more is not bool(at)


async def test_a_disk_that_takes_nothing_is_said_where_a_file_is_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "is not there"))
    found = there(tmp_path, Purpose.SAVE)
    found.on_event(Click("file.ok", means=chooser.Take()))
    assert found.model.chooser is not None
    assert "kept" in found.model.chooser.said
    assert found.model.chooser.awaits is None


async def test_a_page_that_goes_in_the_middle_loses_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = lying(monkeypatch, tmp_path / "tmp")
    found, frames = there(tmp_path, Purpose.IMPORT), list[bytes]()
    found.said(talk.Brought("w.txt", 9, 0, b"abc"))
    assert files()
    found.attach(frames.append, *PHONE)
    assert files() == []
    assert found.model.over is Over.FILE
    assert found.model.chooser is not None
    assert "broke" in found.model.chooser.said
    found.said(talk.Brought("w.txt", 9, 3, b"def"))  # of the old page
    assert files() == []
    found.on_event(Key("escape"))
    assert found.model.chooser is None


async def test_what_is_given_up_while_it_comes_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = lying(monkeypatch, tmp_path / "tmp")
    found, asked = there(tmp_path, Purpose.LOAD), list[door.Request]()
    found.link = cast("Any", SimpleNamespace(ask=asked.append))
    found.said(talk.Brought("x.netplay", 6, 0, b"abc"))
    given_up = found.model.chooser
    assert given_up is not None
    found.model = replace(found.model, chooser=replace(given_up, awaits=None))
    found.said(talk.Brought("x.netplay", 6, 3, b"def"))
    assert (files(), asked) == ([], [])


async def test_nothing_is_taken_unless_a_file_is_asked_for_and_from_a_guest_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = lying(monkeypatch, tmp_path / "tmp")
    piece = talk.Brought("x.netplay", 6, 0, b"abc")
    there(tmp_path, Purpose.SAVE).said(piece)
    unasked = PageSession(Model(), tmp_path)
    unasked.said(piece)
    model = Model(over=Over.FILE, chooser=Chooser(Purpose.LOAD))
    guest = GuestSession(model, tmp_path, b"shown", lambda _words: None)
    guest.attach(lambda _data: None, *PHONE)
    guest.said(piece)
    assert files() == []
    assert not guest.transfers.wants_more
    there(tmp_path, Purpose.LOAD).said(piece)
    assert len(files()) == 1


async def test_a_page_that_was_away_is_told_a_file_from_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = lying(monkeypatch, tmp_path / "tmp")
    found = there(tmp_path, Purpose.REPORT)
    data = bytes(range(256)) * 3000
    place = found.transfers.place("netplay-report.txt")
    place.write_bytes(data)
    found.on_event(Reported(str(place)))
    assert str(place) not in found.model.report
    for _ in range(2):
        frames = list[bytes]()
        found.attach(frames.append, *PHONE)
        found.show()
        assert msgspec.json.decode(frames[0])["news"][-1]["at"] == 0
    for number in range(2, 9):
        found.said(talk.Drawn(number - 1))
        found.show()
    told = [msgspec.json.decode(frame).get("news", []) for frame in frames]
    pieces = [each for news in told for each in news if each["do"] == "save"]
    assert b"".join(base64.b64decode(each["data"]) for each in pieces) == data
    assert [each["end"] for each in pieces] == [False, False, True]
    assert files() == []


def downloaded(tab: Tab, folder: Path) -> Path:
    """Have what is offered saved, by the keyboard alone."""
    until(lambda: tab.place("file.ok") and focused(tab) == "file.ok")
    assert tab.names()["file.ok"] in ("Save", "Export")
    with tab.page.expect_download() as loaded:
        tab.page.keyboard.press("Enter")
    kept = folder / str(loaded.value.suggested_filename)
    loaded.value.save_as(kept)
    until(lambda: not tab.place("file.ok"))
    return kept


def focused(tab: Tab) -> str:
    return str(tab.page.evaluate("document.activeElement?.told?.n || ''"))


def by_key(tab: Tab, key: str) -> Any:
    """Have a file asked for by a key; return the browser's own chooser."""
    until(lambda: tab.place("file.pick") and focused(tab) == "file.pick")
    with tab.page.expect_file_chooser() as asked:
        tab.page.keyboard.press(key)
    return asked.value


@pytest.mark.processes
@needs_chromium
def test_words_editions_and_reports_go_and_come_by_the_browser(tmp_path: Path) -> None:
    home = tmp_path / "home"
    quiet(home)
    with served(home) as web, browser() as chromium:
        link = web.link()
        until(lambda: (home / "door").exists() and place_of(home))
        with Visit(Home(home)) as visit:
            visit.ask(door.SetName("Anna"))
        tab = opened(chromium, link)
        # From here on, or a key may come before Playwright has Chromium ask it.
        tab.page.on("filechooser", lambda _asked: None)
        until(lambda: tab.place("dictionary") and still(tab))
        tab.page.keyboard.press("F2")
        until(lambda: tab.place("book.export"))
        tab.press("book.export")
        words = downloaded(tab, tmp_path)
        assert words.read_text("utf-8").split()[:2] == ["AA", "AAH"]
        until(lambda: "english.txt: 248551" in tab.names()["book.said"])

        tab.press("book.import")
        by_key(tab, "Enter")  # and nothing is chosen
        tab.page.keyboard.press("Escape")
        until(lambda: not tab.place("file.pick"))
        assert tab.names()["book.words"] == "English"
        tab.press("book.import")
        text = {"name": "w.txt", "mimeType": "", "buffer": b"cat\ndog\nzebra\n"}
        by_key(tab, "Space").set_files(text)
        until(lambda: tab.names().get("book.words") == "my-english")
        tab.press("book.import")
        chosen(tab, {**text, "buffer": bytes(range(256)) * 100})
        until(lambda: tab.place("file.over"))
        tab.press("file.over")
        until(lambda: "UTF-8" in tab.names().get("book.said", ""))
        assert tab.names()["book.said"].startswith("w.txt:")

        tab.press("editor")
        until(lambda: tab.place("ed.export"))
        tab.press("ed.export")
        edition = downloaded(tab, tmp_path)
        changed = edition.read_text("utf-8").replace("English, N", "Mine, n")
        tab.press("ed.open")
        mine = {"name": "mine.toml", "mimeType": "", "buffer": changed.encode()}
        chosen(tab, mine)
        until(lambda: "Mine" in shown(tab, "field.ed.title"))
        tab.press("close")
        tab.page.keyboard.press("Escape")
        until(lambda: not tab.place("ed.export") and not tab.place("book.export"))
        tab.page.keyboard.press("F1")
        until(lambda: tab.place("report"))
        tab.press("report")
        report = downloaded(tab, tmp_path)
        assert report.read_text("utf-8").startswith("== ")
        assert tab.errors == []

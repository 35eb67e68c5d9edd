"""The owner's own devices: paired by a code, over TLS, listed and forgotten."""

import json
import os
import random
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest
import trio

from client.browser.__main__ import ADDRESS_SECONDS, addresses, tell_where
from client.browser.access import Access
from client.browser.pages import UNKNOWN, Pages
from client.browser.server import Server, files
from netplay import web_devices, wire
from netplay.__main__ import WRONG_WORD, main
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.home_folder import VARIABLE
from netplay.limits import WEB_DEVICES, WEB_ENTRY_SECONDS, WEB_WRONG, WEB_WRONG_OF_ONE
from netplay.messages import door
from netplay.messages.table_questions import GameStatus
from netplay.moving import homes
from netplay.players import player
from netplay.web_devices import CODE, DEVICES, LETTERS, PAIRING, Devices
from netplay.web_place import FILE as PLACE
from netplay.web_place import Place
from netplay.web_place import Served as Where
from netplay.web_place import served as place_of
from netplay.wire import pack
from rules import GAMES, LISTED
from tests.client.browser.chromium import (
    PHONE,
    ROOT,
    Tab,
    browser,
    needs_chromium,
    opened,
    quiet,
    served,
)
from tests.client.browser.test_server import HOST, Browser, Site, site
from tests.client.browser.touching import THUMBS, still
from tests.netplay.system.test_addresses import insert
from tests.patience import PATIENCE, until

FAR = "192.168.1.7"


def wrong(code: str) -> str:
    """Return another code."""
    return code[:-1] + next(letter for letter in LETTERS if letter != code[-1])


def test_a_code_lets_one_browser_in_once_and_for_five_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices, access = Devices(tmp_path), Access(Devices(tmp_path))
    code = devices.offer()
    assert len(code) == CODE == 8
    assert not access.enter(wrong(code), FAR, 0)
    assert not access.enter("", FAR, 0)
    token = access.enter(code.lower(), FAR, 0)
    assert access.knows(token)
    assert not access.enter(code, FAR, 0)
    assert [one.name for one in devices.all()] == [f"Browser at {FAR}"]
    assert Access(Devices(tmp_path)).knows(token)  # after a restart, too
    late, begun = devices.offer(), web_devices.now()
    monkeypatch.setattr(web_devices, "now", lambda: begun + WEB_ENTRY_SECONDS + 1)
    assert not access.enter(late, FAR, 0)


def test_of_three_browsers_alike_each_is_forgotten_by_its_name(tmp_path: Path) -> None:
    devices, access = Devices(tmp_path), Access(Devices(tmp_path))
    tokens = [access.enter(devices.offer(), FAR, 0) for _ in range(3)]
    for gone, one in enumerate(devices.all(), 1):
        assert devices.forget(one.name)
        assert [each for each in tokens if access.knows(each)] == tokens[gone:]


def test_neither_token_nor_code_stands_in_a_file(tmp_path: Path) -> None:
    devices, access = Devices(tmp_path), Access(Devices(tmp_path))
    code = devices.offer()
    assert code not in (tmp_path / PAIRING).read_text()
    assert (tmp_path / PAIRING).stat().st_mode & 0o77 == 0
    token = access.enter(code, FAR, 0)
    assert token not in (tmp_path / DEVICES).read_text()
    assert (tmp_path / DEVICES).stat().st_mode & 0o77 == 0


def test_five_wrong_codes_from_one_address_are_heard_and_fifty_in_all(
    tmp_path: Path,
) -> None:
    told: list[str] = []
    devices = Devices(tmp_path)
    access = Access(devices, lambda: told.append("owner"))
    code = devices.offer()
    for _ in range(WEB_WRONG_OF_ONE):
        assert not access.enter(wrong(code), FAR, 0)
    assert not access.enter(code, FAR, 0)  # heard no more
    for number in range(WEB_WRONG):
        access.enter(wrong(code), f"10.0.0.{number}", 0)
    assert told == ["owner"]
    assert not access.enter(code, "10.0.1.1", 0)
    assert access.enter(devices.offer(), FAR, 0)  # a new code, a new beginning


@pytest.mark.parametrize("made", ["link", "code"])
def test_what_is_made_after_a_flood_bears_as_many_wrong_codes_as_the_first(
    made: str, tmp_path: Path
) -> None:
    devices = Devices(tmp_path)
    access = Access(devices)
    for flood in range(3):
        good = access.invite(0) if made == "link" else devices.offer()
        for number in range(WEB_WRONG - 1):
            assert not access.enter(wrong("ABCDEFGH"), f"10.{flood}.0.{number}", 0)
        assert access.enter(good, f"10.{flood}.1.1", 0)
        gone = access.invite(0) if made == "link" else devices.offer()
        for number in range(WEB_WRONG):
            assert not access.enter(wrong("ABCDEFGH"), f"10.{flood}.2.{number}", 0)
        assert not access.enter(gone, f"10.{flood}.1.2", 0)


def test_who_has_an_ipv6_network_has_no_more_guesses_than_one_address(
    tmp_path: Path,
) -> None:
    devices, access = Devices(tmp_path), Access(Devices(tmp_path))
    code = devices.offer()
    for number in range(WEB_WRONG_OF_ONE):
        assert not access.enter(wrong(code), f"2001:db8::{number:x}", 0)
    assert not access.enter(code, "2001:db8::ffff", 0)
    assert not access.may("2001:db8::1:2:3:4")
    assert access.enter(code, "2001:db8:0:1::1", 0)


def test_wrong_codes_from_its_address_keep_no_paired_browser_out(
    tmp_path: Path,
) -> None:
    devices, access = Devices(tmp_path), Access(Devices(tmp_path))
    token = access.enter(devices.offer(), FAR, 0)
    code = devices.offer()
    for _ in range(WEB_WRONG_OF_ONE):
        assert not access.enter(wrong(code), FAR, 0)
    assert not access.enter(code, FAR, 0)
    assert access.knows(token)


def test_the_oldest_goes_when_there_are_too_many(tmp_path: Path) -> None:
    devices, access = Devices(tmp_path), Access(Devices(tmp_path))
    tokens = [access.enter(devices.offer(), FAR, 0) for _ in range(WEB_DEVICES + 1)]
    assert [access.knows(token) for token in tokens] == [False] + [True] * WEB_DEVICES
    assert len({one.name for one in devices.all()}) == WEB_DEVICES


def test_a_damaged_file_lets_nobody_in(tmp_path: Path) -> None:
    for name in (DEVICES, PAIRING):
        (tmp_path / name).write_bytes(b"[" * 100_000)
    access = Access(Devices(tmp_path))
    assert not access.knows("x")
    assert not access.enter("ABCDEFGH", FAR, 0)


async def come(found: Site, tls: bool, entry: str) -> tuple[Browser, dict[str, object]]:
    """Come from another computer."""
    found.server = Server({}, found.pages.welcome, found.mistakes.append, tls=tls)
    found.server.names = frozenset({HOST})
    page = Browser(found.stream(FAR))
    await page.open(origin=f"http{'s' if tls else ''}://{HOST}")
    return page, await page.hello(entry=entry)


async def test_a_code_is_good_for_nothing_where_others_could_read_it(
    tmp_path: Path,
) -> None:
    async with site(tmp_path) as found:
        found.access = Access(Devices(tmp_path))
        found.pages = Pages(tmp_path, found.access, found.nursery, found.node.open)
        code = Devices(tmp_path).offer()
        page, told = await come(found, False, code)
        assert "token" not in told
        await page.told()
        assert page.closed == UNKNOWN
        _page, told = await come(found, True, code)
        assert "token" in told


async def test_who_had_a_seat_at_another_address_is_told_the_way_back(
    tmp_path: Path,
) -> None:
    async with site(tmp_path) as found:
        found.pages = Pages(tmp_path, found.access, found.nursery, found.node.open)
        page, told = await come(found, False, "")
        assert "new link" in str(told["refused"])
        await page.told()
        assert page.closed == UNKNOWN


async def test_a_browser_that_is_forgotten_is_shown_nothing_more(
    tmp_path: Path,
) -> None:
    async with site(tmp_path) as found:
        found.access = Access(Devices(tmp_path))
        found.pages = Pages(tmp_path, found.access, found.nursery, found.node.open)
        found.nursery.start_soon(found.pages.watch)
        page, told = await come(found, True, Devices(tmp_path).offer())
        assert Devices(tmp_path).forget(f"Browser at {FAR}")
        with trio.fail_after(PATIENCE):
            while page.closed is None:
                await page.told()
        assert page.closed == UNKNOWN
        again = Browser(found.stream(FAR))
        await again.open(origin=f"https://{HOST}")
        refused = await again.hello(token=told["token"])
        assert "refused" in refused


def command(home: Path, *words: str) -> str:
    env = {**os.environ, "NETPLAY_HOME": str(home), "LANGUAGE": "en"}
    done = subprocess.run(
        [sys.executable, "-m", "netplay", "web", *words], cwd=ROOT, env=env,
        timeout=PATIENCE, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


@pytest.mark.processes
@needs_chromium
def test_a_phone_is_paired_sees_the_start_page_and_is_forgotten(tmp_path: Path) -> None:
    quiet(tmp_path)
    with served(tmp_path, "--own") as web, browser() as chromium:
        web.link()
        pages = until(lambda: place_of(tmp_path))
        told = command(tmp_path, "--pair")
        link = re.search(r"https://\S+/#(\w+)", told)
        assert link is not None
        lines = ssl.get_server_certificate(("127.0.0.1", pages.own_port))
        der = ssl.PEM_cert_to_DER_cert(lines)
        seen = web_devices.hashlib.sha256(der).hexdigest().upper()
        assert ":".join(seen[i : i + 2] for i in range(0, 64, 2)) in told.split()
        url = f"https://127.0.0.1:{pages.own_port}/#{link[1]}"
        more = {"has_touch": True, "is_mobile": True, "ignore_https_errors": True}
        tab: Tab = opened(chromium, url, PHONE, **more)
        until(lambda: tab.place("field.name"))
        tab.page.reload()
        until(lambda: tab.place("field.name"))
        thief = opened(chromium, url, ignore_https_errors=True)
        until(lambda: thief.page.inner_text("#message"))
        assert not thief.names()
        listed = command(tmp_path, "--devices")
        assert re.match(r"Browser at 127\.0\.0\.1, since \d{4}-\d\d-\d\d\n", listed)
        command(tmp_path, "--forget", "Browser at 127.0.0.1")
        until(lambda: "can no longer get in" in tab.page.inner_text("#message"))
        assert command(tmp_path, "--devices") == ""


def test_a_link_has_the_address_to_which_a_phone_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And not that of a bridge within this computer, which comes first by its name."""
    cards = {
        "br-1": "172.18.0.1", "docker0": "172.17.0.1", "lo": "127.0.0.1",
        "tun0": "10.8.0.6", "wlan0": "192.168.1.20",
    }  # fmt: skip
    insert(monkeypatch, cards)
    told = addresses()
    assert told[0] == "192.168.1.20"
    assert set(told[1:4]) == {"172.18.0.1", "172.17.0.1", "10.8.0.6"}


def go_on_telling(
    found: Site, place: Place, find: Callable[[], Where], apart: Server
) -> None:
    """Tell from now on where pages are, those over TLS by another server."""
    found.nursery.start_soon(
        tell_where, place, find, found.server, apart,
        partial(trio.sleep, ADDRESS_SECONDS),
    )  # fmt: skip


async def test_pages_are_found_where_this_computer_moves_to(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        now = Where(7947, ("192.0.2.5",), 7948, ("192.0.2.5",), "AA")
        with Place(tmp_path, now) as place:
            apart = Server(files(), found.pages.welcome, found.mistakes.append)
            go_on_telling(found, place, lambda: now, apart)
            await trio.sleep(60)
            assert b" 200 " in (await found.get("/", "192.0.2.5:7947"))[:20]
            assert b" 421 " in (await found.get("/", "198.51.100.7:7947"))[:20]
            now = Where(7947, ("198.51.100.7",), 7948, ("198.51.100.7",), "AA")
            await trio.sleep(60)
            assert b" 200 " in (await found.get("/", "198.51.100.7:7947"))[:20]
            assert b" 421 " in (await found.get("/", "192.0.2.5:7947"))[:20]
            assert "198.51.100.7:7948" in apart.names
            told = json.loads((tmp_path / PLACE).read_text())
            assert told["hosts"] == ["198.51.100.7"]
            (tmp_path / PLACE).unlink()  # as another server of this home's that ends
            await trio.sleep(60)
            assert json.loads((tmp_path / PLACE).read_text()) == told


async def test_a_browser_names_no_port_where_it_is_the_usual_one(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        apart = Server(files(), found.pages.welcome, found.mistakes.append, tls=True)
        now = Where(80, ("192.0.2.5",), 443, ("games.example.org", "*.b.org"), "AA")
        with Place(tmp_path, now) as place:
            go_on_telling(found, place, lambda: now, apart)
            await trio.sleep(60)
            assert b" 200 " in (await found.get("/", "192.0.2.5"))[:20]
            assert b" 421 " in (await found.get("/", "games.example.org"))[:20]
            found.server = apart
            for host in ("games.example.org", "a.b.org"):
                assert b" 200 " in (await found.get("/", host))[:20]
            for host in ("b.org", "a.a.b.org", "evil.org", "games.example.org:80"):
                assert b" 421 " in (await found.get("/", host))[:20]


def signed(path: Path, *names: str) -> Path:
    """Write a certificate for names, with its key, and return where."""
    subprocess.run(
        ["openssl", "req", "-x509", "-nodes", "-days", "9", "-subj", "/CN=Anna",
         "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names),
         "-keyout", path.with_name("new.key"), "-out", path.with_name("new.pem")],
        check=True, capture_output=True,
    )  # fmt: skip
    path.with_name("new.key").replace(path.with_name("own.key"))
    path.with_name("new.pem").replace(path)
    return path


@pytest.mark.processes
@pytest.mark.parametrize("written", [None, b"", b"no certificate\n", b"\xff\x00"])
def test_a_file_that_is_no_certificate_is_named(
    tmp_path: Path, written: bytes | None
) -> None:
    given = tmp_path / "given.pem"
    if written is not None:
        given.write_bytes(written)
    words = "--home", str(tmp_path), "--own", "--certificate", str(given)
    done = subprocess.run(
        [sys.executable, "-m", "client.browser", *words],
        capture_output=True,
        check=False,
        text=True,
        timeout=PATIENCE,
        env=os.environ | {"LANGUAGE": "en"},
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert str(given) in done.stderr
    assert Code.FILE.text in done.stderr


@pytest.mark.processes
def test_a_key_with_a_passphrase_is_refused_and_nobody_is_asked_for_it(
    tmp_path: Path,
) -> None:
    """Whoever renews it may do so at night: all pages would wait for the answer."""
    given, key = tmp_path / "given.pem", tmp_path / "given.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-passout", "pass:secret", "-days", "9",
         "-subj", "/CN=Anna", "-newkey", "rsa:2048", "-keyout", key, "-out", given],
        check=True, capture_output=True,
    )  # fmt: skip
    words = "--home", str(tmp_path), "--own", "--certificate", str(given)
    done = subprocess.run(
        [sys.executable, "-m", "client.browser", *words, "--key", str(key)],
        capture_output=True, check=False, text=True, timeout=PATIENCE, input="wrong\n",
        env=os.environ | {"LANGUAGE": "en"}, start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert str(key) in done.stderr


def test_a_key_alone_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert main(["web", "--key", str(tmp_path / "own.key")]) == WRONG_WORD


def answers(port: int, name: str, trusted: Path) -> int:
    """Return what a browser gets that asks by a name, and trusts that certificate."""
    context = ssl.create_default_context(cafile=str(trusted))
    with (
        socket.create_connection(("127.0.0.1", port)) as plain,
        context.wrap_socket(plain, server_hostname=name) as way,
    ):
        way.sendall(f"HEAD / HTTP/1.1\r\nHost: {name}:{port}\r\n\r\n".encode())
        return int(way.recv(1000).split()[1])


@pytest.mark.processes
@needs_chromium
def test_a_certificate_of_ones_own_is_for_its_names_and_may_be_renewed(
    tmp_path: Path,
) -> None:
    home, trusted = tmp_path / "anna", tmp_path / "own.pem"
    quiet(home)
    signed(trusted, "games.example.org", "*.anna.example")
    own = "--certificate", str(trusted), "--key", str(tmp_path / "own.key")
    with served(home, *own) as web, browser() as chromium:
        web.link()
        pages = until(lambda: place_of(home))
        port = pages.own_port
        assert pages.own_link("x").startswith(f"https://games.example.org:{port}/")
        assert answers(port, "games.example.org", trusted) == 200
        assert answers(port, "phone.anna.example", trusted) == 200
        with pytest.raises(ssl.SSLCertVerificationError):
            answers(port, "evil.example", trusted)
        tab = paired(chromium, home, port)
        until(lambda: tab.place("field.name"))
        # Half of a renewal: the key is not there yet.
        before, key = tmp_path / "before.pem", tmp_path / "own.key"
        before.write_bytes(trusted.read_bytes())
        old_key = key.read_bytes()
        signed(trusted, "half.example")
        key.write_bytes(old_key)
        sleep(ADDRESS_SECONDS + 1)  # it has looked once more, and told nobody
        assert answers(port, "games.example.org", before) == 200
        signed(trusted, "other.example")
        until(lambda: place_of(home).own_hosts[0] == "other.example")
        assert answers(port, "other.example", trusted) == 200
        assert place_of(home).fingerprint != pages.fingerprint
        tab.page.reload()
        until(lambda: tab.place("field.name"))
        # Where it asked over a connection that ended with the old certificate, it has
        # asked again by now; only Chromium's own note of that is none of ours.
        cut = "net::ERR_SOCKET_NOT_CONNECTED"
        assert [error for error in tab.errors if cut not in error] == []


def test_who_is_let_in_moves_with_a_home_and_where_pages_are_does_not(
    tmp_path: Path,
) -> None:
    Devices(tmp_path).offer()
    for name in ("devices.json", "lent.json", "web.json", "web_ports.json"):
        (tmp_path / name).write_text("[]")
    assert (tmp_path / PAIRING).exists()
    assert set(homes.names(Home(tmp_path))) == {"devices.json", "lent.json"}


def seen(home: Path, table: int, seat: int = 0) -> tuple[Any, int]:
    """Return a match of a home's once it is the seat's turn, and its length."""
    with Visit(Home(home), pushes=True, table=table) as visit:
        visit.ask(door.LookAt(table))
        status = wire.unpack(visit.ask(door.GetStatus()).data, door.Status)
        assert status.table is not None
        rules = GAMES[status.table.game]
        visit.put(door.Watch(seat))
        for heard in visit.heard(PATIENCE):
            if isinstance(heard, door.View) and not heard.made:
                view = wire.unpack(heard.state, rules.ABOUT.state)
                if seat in rules.actors(view):
                    return view, heard.number
    raise AssertionError("the node has gone")


def game_at(home: Path, table: int) -> GameStatus:
    """Return what a home's list says of a table."""
    with Visit(Home(home)) as visit:
        return next(one for one in visit.status().games if one.table == table)


def agrees(visit: Visit) -> bool:
    """Say yes to the terms as they are; tell whether they were still the same."""
    table = visit.status().table
    if table is None:
        return False
    try:
        visit.ask(door.Consent(True, table.revision))
    except LocalError as error:
        assert error.code in {Code.STALE, Code.NO_TABLE}, error
        return False
    return True


def opens(home: Path, ask: door.HostTable, guest: Path | None = None) -> int:
    """Open a table of a home's, let a guest come, and begin; return its number."""
    with Visit(Home(home)) as visit:
        before = {one.table for one in visit.status().games}
        visit.ask(ask)
        status = visit.status()
        (table,) = {one.table for one in status.games} - before
    if guest is not None:
        with Visit(Home(guest)) as visit:
            visit.ask(door.Join(f"127.0.0.1:{status.port}"))
            until(lambda: agrees(visit))
    until(lambda: not game_at(home, table).waiting)
    with Visit(Home(home), table=table) as visit:
        visit.ask(door.StartMatch())
    until(lambda: game_at(home, table).turn)
    return table


@pytest.mark.slow  # six turns; the next test takes one, which says that it can be taken
@pytest.mark.processes
@needs_chromium
def test_a_paired_phone_plays_at_three_tables_of_its_owner(tmp_path: Path) -> None:
    quiet(tmp_path)
    games = ("numlo", "hexagrams", "networdz")
    with served(tmp_path, "--own") as web, browser() as chromium:
        web.link()
        pages = until(lambda: (tmp_path / "door").exists() and place_of(tmp_path))
        with Visit(Home(tmp_path)) as visit:
            visit.ask(door.SetName("Anna"))
        seats = ("person:Anna", "computer:20")
        asks = [door.HostTable(game, seats, (), "", "") for game in games]
        tables = [opens(tmp_path, ask) for ask in asks]
        tab = paired(chromium, tmp_path, pages.own_port)
        for _turn in range(2):  # each comes again after the others
            for game, table in zip(games, tables, strict=True):
                moves_by_thumb(tab, tmp_path, game, table)
                seen(tmp_path, table)  # or an answer sorts the list under the thumb
                to_games(tab)
        assert tab.errors == []


@pytest.mark.processes
@needs_chromium
def test_a_paired_phone_moves_in_a_game_of_days_while_nobody_else_is_awake(
    tmp_path: Path,
) -> None:
    anna, bert = tmp_path / "anna", tmp_path / "bert"
    for home in (anna, bert):
        quiet(home)
    with served(anna, "--own") as web, browser() as chromium:
        with served(bert) as other:
            for each, name in ((web, "Anna"), (other, "Bert")):
                each.link()
                until((each.home / "door").exists)
                with Visit(Home(each.home)) as visit:
                    visit.ask(door.SetName(name))
            seats = "person:Anna", "remote"
            ask = door.HostTable("numlo", seats, (), "", "", days=3)
            table = opens(anna, ask, bert)
            if game_at(anna, table).turn == (1,):
                view, number = seen(bert, 1, 1)
                move = pack(player("numlo").choose(view, 1, 40, random.Random(7)))
                with Visit(Home(bert), table=1) as visit:
                    visit.ask(door.Play(1, move, number))
            seen(anna, table)
        pages = place_of(anna)
        assert pages is not None
        tab = paired(chromium, anna, pages.own_port)
        until(lambda: tab.place("menu"))
        to_games(tab)  # the only game is opened at once
        moves_by_thumb(tab, anna, "numlo", table)
        until(lambda: "Not delivered yet" in tab.reads())
        number = game_at(anna, table).entries
        with served(bert) as other:
            other.link()
            until(lambda: (bert / "door").exists() and game_at(bert, 1).turn == (1,))
            assert game_at(bert, 1).entries > number
            until(lambda: "Not delivered yet" not in tab.reads())
        assert tab.errors == []


def paired(chromium: Any, home: Path, port: int) -> Tab:
    """Open a home's own pages on a phone that is paired with it."""
    url = f"https://127.0.0.1:{port}/#{Devices(home).offer()}"
    more = {"has_touch": True, "is_mobile": True, "ignore_https_errors": True}
    return opened(chromium, url, PHONE, **more)


def to_games(tab: Tab) -> None:
    """Go back to the list of games by the menu."""
    tab.press("menu")
    said = until(lambda: {text: name for name, text in tab.names().items()
                          if name.startswith("menu:")})  # fmt: skip
    tab.press(said["Games"])


def moves_by_thumb(tab: Tab, home: Path, game: str, table: int) -> None:
    """Open a table from the list on a phone, and move there."""
    row = f"in-hand:{table}"
    until(lambda: row in tab.names())
    view, number = seen(home, table)
    until(partial(still, tab))
    tab.press(row)
    until(partial(_has_turn, tab, game))
    if game == "networdz":
        until(partial(_has_rack, tab, view))
    until(partial(still, tab))
    move = player(game).choose(view, 0, 40, random.Random(7))
    THUMBS[game](tab, view, move)
    until(partial(_has_moved, home, table, number))


def _has_moved(home: Path, table: int, number: int) -> bool:
    found = game_at(home, table)
    return found.undelivered or found.entries > number


def _has_turn(tab: Tab, game: str) -> bool:
    return f"Your turn – {LISTED[game].title}" in tab.page.title()


def _has_rack(tab: Tab, view: Any) -> bool:
    return {f"tile:{tile}" for tile in view.tiles.racks[0]} <= tab.names().keys()

"""The owner's own devices: paired by a code, over TLS, listed and forgotten."""

import os
import re
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from client.browser.access import Access
from client.browser.pages import UNKNOWN, Pages
from client.browser.server import Server
from netplay import web_devices
from netplay.home import Home
from netplay.limits import WEB_DEVICES, WEB_ENTRY_SECONDS, WEB_WRONG, WEB_WRONG_OF_ONE
from netplay.moving import homes
from netplay.web_devices import CODE, DEVICES, LETTERS, PAIRING, Devices
from netplay.web_place import served as place_of
from tests.client.browser.chromium import (
    PATIENCE,
    PHONE,
    ROOT,
    Tab,
    browser,
    needs_chromium,
    opened,
    quiet,
    served,
    until,
)
from tests.client.browser.test_server import HOST, Browser, Site, site

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
    assert access.knows(token, FAR)
    assert not access.enter(code, FAR, 0)
    assert [one.name for one in devices.all()] == [f"Browser at {FAR}"]
    assert Access(Devices(tmp_path)).knows(token, FAR)  # after a restart, too
    late, begun = devices.offer(), web_devices.now()
    monkeypatch.setattr(web_devices, "now", lambda: begun + WEB_ENTRY_SECONDS + 1)
    assert not access.enter(late, FAR, 0)


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


def test_the_oldest_goes_when_there_are_too_many(tmp_path: Path) -> None:
    devices, access = Devices(tmp_path), Access(Devices(tmp_path))
    tokens = [access.enter(devices.offer(), FAR, 0) for _ in range(WEB_DEVICES + 1)]
    assert [access.stands(token) for token in tokens] == [False] + [True] * WEB_DEVICES
    assert len({one.name for one in devices.all()}) == WEB_DEVICES


def test_a_damaged_file_lets_nobody_in(tmp_path: Path) -> None:
    for name in (DEVICES, PAIRING):
        (tmp_path / name).write_bytes(b"[" * 100_000)
    access = Access(Devices(tmp_path))
    assert not access.knows("x", FAR)
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


def test_who_is_let_in_moves_with_a_home_and_where_pages_are_does_not(
    tmp_path: Path,
) -> None:
    Devices(tmp_path).offer()
    for name in ("devices.json", "lent.json", "web.json", "web_ports.json"):
        (tmp_path / name).write_text("[]")
    assert (tmp_path / PAIRING).exists()
    assert set(homes.names(Home(tmp_path))) == {"devices.json", "lent.json"}

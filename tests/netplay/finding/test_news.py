"""Notices of security releases: signed, new, small, and quick, or not taken."""

import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from time import monotonic, sleep

import pytest
import trio
import trio.lowlevel
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import LocalError
from netplay.finding import news
from netplay.home import Home
from netplay.journal import silent
from netplay.record.log import SecretKey
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.said import like
from tools.release import check, signing
from tools.release.about import ROOT

KEY = SecretKey(bytes(range(32)))
PUBLIC = KEY.key.hex()
look = news.note_at
WORDS = "Update, please."
NOTE = "3\n2026-12-24\n99.0.0\nWhoever joins strangers should have it.\n"


def note(number: int = 3, safe: str = "99.0.0") -> bytes:
    return signing.signed(KEY, f"{number}\n2026-12-24\n{safe}\n{WORDS}")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    found = Home(tmp_path / "home")
    found.prepare()
    return found


def refused(home: Home, place: Path | str, what: str) -> None:
    with pytest.raises(LocalError, match=what):
        news.note_at(home, str(place), PUBLIC)


def test_a_signed_note_is_read_and_concerns_older_versions(
    home: Home, tmp_path: Path
) -> None:
    place = tmp_path / "news"
    place.write_bytes(note())
    found = news.note_at(home, str(place), PUBLIC)
    assert (found.number, found.words) == (3, WORDS)
    assert found.concerns("98.9.9")
    assert found.concerns("9.0.0")
    assert not found.concerns("99.0.0")
    assert not found.concerns("100.0.0")


def test_forged_changed_and_endless_notes_are_not_taken(
    home: Home, tmp_path: Path
) -> None:
    place = tmp_path / "news"
    thief = SecretKey(bytes(32))
    for data in (
        signing.signed(thief, NOTE),
        note().replace(b"99.0.0", b"99.0.1"),
        note()[:-3],
        b"",
        b"\n",
        b"\xff" * 100,
        b"netplay-news 1\n",
    ):
        place.write_bytes(data)
        refused(home, place, "signed")
    place.write_bytes(note() + b"\n" * 10_000_000)
    refused(home, place, "too long")
    refused(home, tmp_path / "none", "no notice")
    refused(home, tmp_path, "no notice")


@given(data=st.binary(max_size=300), at=st.integers(0, 200), bit=st.integers(0, 7))
def test_any_bytes_and_any_flipped_bit_are_refused(
    data: bytes, at: int, bit: int
) -> None:
    changed = bytearray(note())
    changed[at % (len(changed) - 1)] ^= 1 << bit
    for one in (data, bytes(changed)):
        with pytest.raises(LocalError):
            news.read(one, PUBLIC)


def test_an_older_note_is_not_taken_for_a_new_one(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "news"
    place.write_bytes(note(4))
    news.note_at(home, str(place), PUBLIC)
    place.write_bytes(note(3))
    refused(home, place, "old one")
    place.write_bytes(note(4))
    assert news.note_at(home, str(place), PUBLIC).number == 4


def test_a_place_can_be_named_before_the_program_has_ever_run(tmp_path: Path) -> None:
    fresh, place = Home(tmp_path / "fresh"), tmp_path / "news"
    place.write_bytes(note())
    assert news.first_note(fresh, str(place), PUBLIC).number == 3
    assert news.note_at(fresh, key=PUBLIC).number == 3


def test_without_a_release_key_nothing_is_good(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "news"
    place.write_bytes(note())
    for nobody_asked in (str(place), str(tmp_path / "none"), "https://localhost:1/"):
        with pytest.raises(LocalError, match=like(Says.NEWS_NO_KEY)):
            news.note_at(home, nobody_asked, "")
    if not news.RELEASE_KEY:
        assert any("RELEASE_KEY" in each for each in check.signing(ROOT))


class Server(BaseHTTPRequestHandler):
    """Drips, floods, or answers."""

    def do_GET(self) -> None:
        if self.path == "/garbage":
            self.wfile.write(b"\xff no answer at all\r\n\r\n")
            return
        self.send_response(200)
        self.end_headers()
        pieces = {"/drip": 3000, "/flood": 2_000}.get(self.path, 0)
        try:
            for _ in range(pieces):
                self.wfile.write(b"x" * (1 if self.path == "/drip" else 65_536))
                self.wfile.flush()
                sleep(0.1 if self.path == "/drip" else 0)
            if not pieces:
                self.wfile.write(note())
        except OSError:
            pass

    def log_message(self, *_given: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    pem = tmp_path / "server.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", pem,
         "-out", tmp_path / "cert.pem", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    made = HTTPServer(("127.0.0.1", 0), Server)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", pem)
    made.socket = context.wrap_socket(made.socket, server_side=True)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"https://localhost:{made.server_port}"
    made.shutdown()
    made.server_close()


def test_a_server_that_drips_or_floods_is_left(home: Home, server: str) -> None:
    assert news.note_at(home, f"{server}/news", PUBLIC).number == 3
    began = monotonic()
    refused(home, f"{server}/flood", "too long")
    refused(home, f"{server}/garbage", "no notice")
    with pytest.raises(LocalError, match=like(Says.NEWS_NOT_THERE)):
        news.fetch(f"{server}/drip", 0.5)
    assert monotonic() - began < 60
    refused(home, server.replace("https", "http") + "/news", "no notice")


async def test_a_node_looks_again_and_again_and_only_if_it_is_told_to(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, told = tmp_path / "news", trio.Event()
    place.write_bytes(note(safe="0.0.1"))
    monkeypatch.setattr(news, "note_at", lambda of: look(of, key=PUBLIC))
    monkeypatch.setattr(news, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(news, "DAILY", 0.01)
    with trio.move_on_after(0.2):
        await news.watch(home, silent, told.set)
    assert home.setting(news.LAST) == ""

    home.set(news.PLACE, str(place))
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(news.watch, home, silent, told.set)
            while not home.setting(news.LAST):
                await trio.lowlevel.checkpoint()
            assert list(home.faults) == []
            fresh = tmp_path / "fresh"
            fresh.write_bytes(note(4))
            fresh.replace(place)  # whoever looks meanwhile sees no half of it
            await told.wait()
            nursery.cancel_scope.cancel()
    (said,) = map(str, home.faults)
    assert "99.0.0" in said


def test_the_key_is_made_for_its_owner_alone_and_another_signs_nothing(
    tmp_path: Path,
) -> None:
    key, text = tmp_path / "key", tmp_path / "note"
    words = [sys.executable, "-m", "tools.release", "key", "--key", str(key)]
    said = subprocess.run(words, check=True, capture_output=True, text=True)
    assert len(bytes.fromhex(said.stdout)) == 32
    assert key.stat().st_mode & 0o077 == 0
    assert subprocess.run(words, check=False, capture_output=True).returncode != 0
    text.write_text(NOTE, "utf-8")
    with pytest.raises(SystemExit, match=r"finding/news\.py"):
        signing.run("news", key, text)

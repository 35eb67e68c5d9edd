"""Notices of security releases, signed by who releases, for those who want them.

Off until the player names a place: a file, or an address of the web, which then sees
that somebody asks, and nothing else.  What it says counts only with the signature of
the release key below, of which this program has the public half.  A note has a number;
one below the last that was taken is not taken again, so that nobody can put an old one
in the place of a new one.

    netplay-news 1
    3
    2026-12-24
    0.2.1
    Whoever joins a stranger's table should have this version.
    SIGNATURE

Number, day, the first version that is safe, words; 4 KiB at most, UTF-8.  The last line
is an Ed25519 signature over `netplay-news`, a zero byte and all lines before it, in
hexadecimal digits with capitals.
"""

from base64 import b16decode
from binascii import Error as NotHexError
from collections.abc import Callable
from time import perf_counter  # noqa: TID251 (of a thread, not of a match)
from typing import Final

import trio
from msgspec import Struct

from netplay import VERSION
from netplay.errors import Code, LocalError, PeerError
from netplay.home import Home
from netplay.journal import Journal
from netplay.named_files import place_of, read_named
from netplay.record.log import check_signature
from netplay.said import Said
from netplay.sanitize import clean
from netplay.sentences import Says

RELEASE_KEY: Final = ""
"""The public half of the key that signs, in hexadecimal digits; empty: nobody has
released yet, and no note is good."""

HEAD: Final = "netplay-news 1"
TAG: Final = b"netplay-news\0"
BYTES: Final = 4096
WORDS: Final = 600
"""Characters of a note that are shown."""

SECONDS: Final = 20.0
"""For all of it, however slowly the server drips."""

FIRST_SECONDS: Final = 15.0
"""From a node's start to the first look."""

DAILY: Final = 86_400.0
PLACE: Final = "news"
LAST: Final = "news-number"
"""Settings: where notes are, and the number of the last."""


class Note(Struct, frozen=True):
    """What who releases says."""

    number: int
    day: str
    safe: str
    """The first version that need not be updated."""
    words: str

    def concerns(self, version: str = VERSION) -> bool:
        """Tell whether a version is older than the first safe one."""
        return _ordered(version) < _ordered(self.safe)


def _ordered(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def read(data: bytes, key: str = RELEASE_KEY) -> Note:
    """Return a note whose signature holds.

    Raises:
        LocalError: FILE, it is none, or nobody who releases has signed it.
    """
    try:
        signed, _line, signature = data[:BYTES].rstrip(b"\n").rpartition(b"\n")
        check_signature(bytes.fromhex(key), b16decode(signature), TAG + signed)
        head, number, day, safe, *words = signed.decode("utf-8").split("\n")
        note = Note(int(number), clean(day, 10), safe, clean(" ".join(words), WORDS))
        whole = head == HEAD and note.number >= 0 and bool(_ordered(safe))
    except (ValueError, NotHexError, PeerError):
        whole, note = False, None
    if note is None or not whole:
        raise LocalError(Code.FILE, Says.NEWS_FORGED())
    return note


def fetch(place: str, seconds: float = SECONDS) -> bytes:
    """Return what lies at a place: a file, or an address that begins with https.

    Raises:
        LocalError: FILE, nothing can be had there, or too much, or too slowly.
    """
    # Few nodes look, and it takes a while
    import urllib.request  # noqa: PLC0415
    from http.client import HTTPException  # noqa: PLC0415

    try:
        if not place.lower().startswith("https:"):
            return read_named(place_of(place), BYTES)
        ends, found = perf_counter() + seconds, b""
        with urllib.request.urlopen(place, timeout=seconds) as answer:  # noqa: S310 (https, as was seen)
            while len(found) <= BYTES and perf_counter() < ends:
                piece = answer.read1(BYTES + 1 - len(found))
                if not piece:
                    return found
                found += piece
    except (OSError, ValueError, HTTPException, LocalError):
        pass
    raise LocalError(Code.FILE, Says.NEWS_NOT_THERE(place=place))


def note_at(home: Home, place: str = "", key: str = RELEASE_KEY) -> Note:
    """Return the note at a place, and remember its number.

    Args:
        home: Which knows the last one.
        place: Where; empty for the one that the player has named.
        key: Whose signature counts.

    Raises:
        LocalError: USAGE, no place is named, or this program knows no key; FILE, as in
            `fetch` and `read`, or it is older than the last; DISK, its number cannot
            be kept.
    """
    place = place or home.setting(PLACE)
    if not place:
        raise LocalError(Code.USAGE, Says.NEWS_OFF())
    if not key:  # said before anybody is asked: no answer could be good
        raise LocalError(Code.USAGE, Says.NEWS_NO_KEY())
    note = read(fetch(place), key)
    last = home.setting(LAST)
    before = int(last) if last.isdecimal() else 0
    if note.number < before:
        told = Says.NEWS_OLDER(number=note.number, last=before)
        raise LocalError(Code.FILE, told)
    if note.number > before:
        home.set(LAST, str(note.number))
    return note


def first_note(home: Home, place: str, key: str = RELEASE_KEY) -> Note:
    """Return the note at a place, where this node looks from now on.

    Raises:
        LocalError: As `note_at`; then it looks where it did before.
    """
    # Not to be parsed: what is typed may be no address at all
    if not place.lower().startswith("https:"):
        place = str(place_of(place).absolute())
    home.prepare()  # it may be the first that is ever asked of this home
    note = note_at(home, place, key)
    home.set(PLACE, place)
    return note


def in_words(note: Note) -> Said:
    """Return what a note says to the player."""
    if not note.concerns():
        return Says.NEWS_NOTHING(day=note.day)
    return Says.NEWS(version=note.safe, day=note.day, words=note.words)


async def watch(home: Home, journal: Journal, changed: Callable[[], None]) -> None:
    """Look once a day as long as the node lives, if the player wants that.

    A release that this version should be replaced by is a fault of the home, which
    windows show; that nothing can be had there is written into the journal.
    """
    while True:
        await trio.sleep(FIRST_SECONDS)
        if home.setting(PLACE):
            try:
                note = await trio.to_thread.run_sync(
                    note_at, home, abandon_on_cancel=True
                )
            except LocalError as error:
                journal("news.failed", why=error)
            else:
                if note.concerns():
                    home.faults.fault(in_words(note))
                    changed()
        await trio.sleep(DAILY)

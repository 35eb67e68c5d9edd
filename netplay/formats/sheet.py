"""A score sheet: the record of a word game, which nobody has signed.

A match file proves what happened; the record of a game that was played elsewhere cannot
(its tiles were drawn from no committed bag, its players have no keys here).  So it is
kept as what it is: a file that begins with eight bytes of magic of its own, then one
record as in match files (length, checksum, the sheet).
"""

import re
from enum import StrEnum
from typing import Final

from msgspec import Struct

from netplay.errors import Code, LocalError, PeerError
from netplay.messages.types import SEATS
from netplay.record.store import HEADER_BYTES, frame
from netplay.said import Said, spoken
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.wire import pack, unpack
from rules import editions

MAGIC: Final = b"NPSHEET\x01"
"""The last byte is the version of the format."""

UTF_8: Final = "UTF-8"
LATIN_1: Final = "ISO-8859-1"
"""How a record may be encoded."""

_NICK: Final = re.compile(r"[^\s:]+")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")

SHEET_BYTES: Final = 1 << 20
"""A long game takes four kilobytes; the rest is for notes."""


FULL_NAME_CHARACTERS: Final = 60
"""Shown of the name of a player of another program's."""


class Kind(StrEnum):
    """What a line of a record tells."""

    PLAY = "play"
    PASS = "pass"  # noqa: S105 (a turn, not a password)
    EXCHANGE = "exchange"
    WITHDRAWN = "withdrawn"
    """The last play was challenged, was no good, and comes off the board."""
    CHALLENGE = "challenge"
    """The last play was challenged, was good, and its player gets points for that."""
    TIME = "time"
    """Points lost for taking too long."""
    REST = "rest"
    """Points for the tiles left on racks: one's own lost, or others' gained."""


class Event(Struct, frozen=True, array_like=True):
    """A line of a record."""

    seat: int
    kind: Kind
    rack: str
    """Letters, `?` for a blank, `[CH]` for a tile of several; empty if not known."""
    where: str
    """Of a play: `8H` for across, `H8` for down."""
    tiles: str
    """Of a play the word: lower case for a blank, a full stop for what lay there; of an
    exchange the letters or their number; of a rest the letters."""
    points: int
    total: int
    remark: str = ""
    """What the line says after the total."""
    note: tuple[str, ...] = ()
    """Lines of the notes that follow it."""


class Sheet(Struct, frozen=True, array_like=True):
    """The record of a game."""

    players: tuple[tuple[str, str], ...]
    """Nickname, without blanks, and full name."""
    edition: str
    """Digest."""
    lexicon: str
    """Digest; a word that it lacks is no reason to refuse a record."""
    events: tuple[Event, ...]
    left: tuple[str, ...]
    """Racks at the end of an unfinished record, by seat; empty if not known."""
    pragmas: tuple[tuple[str, str], ...] = ()
    """Keyword and text, as they came: title, description, lexicon ..."""
    encoding: str = "UTF-8"
    """UTF-8 or ISO-8859-1; empty for the latter without saying so."""
    own: bytes = b""
    """The edition as it travels, if it is not one that comes with the program: whoever
    has the sheet can look at it."""


def shown_names(sheet: Sheet) -> tuple[str, ...]:
    """Return the players' names as they are shown."""
    return tuple(shown_name(name, FULL_NAME_CHARACTERS) for _, name in sheet.players)


def is_sheet(data: bytes) -> bool:
    """Tell whether bytes begin as the file of a score sheet."""
    return data.startswith(MAGIC)


def to_bytes(sheet: Sheet) -> bytes:
    """Return the file of a score sheet."""
    return MAGIC + frame(pack(sheet))


def from_bytes(data: bytes) -> Sheet:
    """Return the score sheet in a file.

    Raises:
        LocalError: FILE, it is none, or it is damaged.
    """
    body = data[len(MAGIC) + HEADER_BYTES :]
    if not is_sheet(data) or len(data) > SHEET_BYTES:
        raise LocalError(Code.FILE, Says.NOT_A_SHEET())
    if MAGIC + frame(body) != data:
        raise LocalError(Code.FILE, _damage(data))
    try:
        sheet: Sheet = unpack(body, Sheet)
    except PeerError as error:
        raise LocalError(Code.FILE, error.said) from None
    nicks = [nick for nick, _ in sheet.players]
    seats = range(len(nicks))
    if not (
        0 < len(nicks) <= SEATS
        and len(set(nicks)) == len(nicks)
        and all(map(_NICK.fullmatch, nicks))
        and all(map(_DIGEST.fullmatch, (sheet.edition, sheet.lexicon)))
        and all(event.seat in seats for event in sheet.events)
        and len(sheet.left) == len(nicks)
        and sheet.encoding in {"", UTF_8, LATIN_1}
    ):
        raise LocalError(Code.FILE, Says.SHEET_CONTRADICTS())
    if sheet.own:
        try:
            edition = editions.decode(sheet.own)
        except ValueError as error:
            raise LocalError(Code.BAD_EDITION, spoken(error)) from None
        if edition.digest != sheet.edition:
            raise LocalError(Code.BAD_EDITION, Says.NOT_THE_SHEETS())
        editions.register(edition)
    return sheet


def _damage(data: bytes) -> Said:
    """Return what is wrong with the file of a score sheet, and where."""
    length = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4], "big")
    due = len(MAGIC) + HEADER_BYTES + length
    if len(data) < due:
        return Says.SHEET_TORN(count=len(data), due=due)
    if len(data) > due:
        return Says.SHEET_GOES_ON(offset=due)
    start = len(MAGIC) + HEADER_BYTES
    return Says.SHEET_DAMAGED(offset=start)


def own_edition(digest: str) -> bytes:
    """Return an edition as it travels; nothing of one that comes with the program."""
    if digest in editions.shipped().values():
        return b""
    return editions.encode(editions.find(digest))

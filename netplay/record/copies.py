"""A match file that somebody kept or handed on, as far as it is whole.

A node that goes on with its own file cuts a torn tail off without a word: nothing of it
was ever acknowledged.  Of a copy nobody knows what is missing, so that is said.
"""

import os
from pathlib import Path

from msgspec import Struct

from netplay.errors import Code, LocalError
from netplay.limits import MATCH_BYTES
from netplay.named_files import read_named
from netplay.record.store import DamageError, attached, records
from netplay.said import Said
from netplay.sentences import Says


class Copy(Struct, frozen=True):
    """What is whole of a match file."""

    entries: tuple[bytes, ...]
    more: tuple[bytes, ...] = ()
    """What goes along for its reader."""
    damage: Said | str = ""
    """What is wrong and where; empty if nothing is."""
    torn: bool = False
    """Whether nothing but its end is missing."""


def copy_of(data: bytes) -> Copy:
    """Return what is whole of a match file.

    Raises:
        DamageError: Nothing is.
    """
    entries, more = list[bytes](), list[bytes]()
    what = Says.THE_MATCH()
    try:
        entries.extend(record.entry for record in records(data))
        what = Says.THE_ENCLOSURES()
        more.extend(record.entry for record in attached(data))
    except DamageError as damage:
        if not entries:
            raise
        where = Says.DAMAGED_BEHIND(
            what=what, number=len(entries) - 1, why=damage.detail
        )
        return Copy(tuple(entries), tuple(more), where, damage.tail)
    return Copy(tuple(entries), tuple(more))


def place_of(text: str) -> Path:
    """Return where a file lies that somebody named; `~` is the user's folder."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 (pathlib's raises where there is no such user)


def read_copy(path: Path) -> Copy:
    """Return what is whole of a file that somebody kept or sent.

    Raises:
        DamageError: Nothing is, or it is too large.
        LocalError: FILE, it cannot be read.
    """
    try:
        if path.stat().st_size > MATCH_BYTES:
            raise DamageError(0, Says.TOO_MANY_BYTES(count=MATCH_BYTES), tail=False)
        return copy_of(read_named(path, MATCH_BYTES))
    except OSError as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error.strerror)) from error
    except ValueError as error:  # a name with a zero byte
        raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from error

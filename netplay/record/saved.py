"""The matches in a home that can go on, described for people to choose from."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from netplay.errors import NetplayError
from netplay.messages.table import Terms
from netplay.named_files import read_head, read_named
from netplay.record.archive import NAME_BYTES, Archive
from netplay.record.hidden import Hidden, Standing
from netplay.record.ledger import empty_log, terms_in
from netplay.record.store import FILE_BYTES, SECRETS, DamageError, MemoryDisk
from netplay.said import Words
from netplay.sanitize import shown_name
from netplay.sentences import Says
from rules import GAMES, title_of

SHOWN: Final = 20
"""Of all the matches in a home, the last few."""

LOOKED_AT: Final = 200
"""Of the files in a home, for those that can go on: a few milliseconds."""

HEAD_BYTES: Final = 128 * 1024
"""Enough of a file to hold the first entry."""

DAY: Final = 24 * 60 * 60


class Saved:
    """The list of matches; each file's beginning is read once."""

    def __init__(self, archive: Archive) -> None:
        """Prepare to look into an archive."""
        self._archive = archive
        self._described: dict[str, Words] = {}
        self._known: dict[str, tuple[float, _Ended]] = {}
        """Path -> when its secrets were written, and what they say."""

    def __call__(self) -> tuple[tuple[str, Words, int], ...]:
        """Return (path, description, days since it was written), newest first.

        What is over, resigned from or was only watched cannot go on; of what is over
        what was never audited is listed for ever.
        """
        found: list[tuple[str, Words, int]] = []
        for path in self._archive.newest()[:LOOKED_AT]:
            if path not in self._described:
                self._described[path] = _describe(Path(path))
            words, end = self._described[path], self._ended(Path(path))
            if not words or (end.standing and not end.held_up):
                continue
            if end.held_up:
                words = Says.NOT_AUDITED(match=words, why=end.held_up)
            found.append((path, words, _days(Path(path))))
        return tuple(found[:SHOWN])

    def _ended(self, path: Path) -> "_Ended":
        """Return how a match ended, as its node last knew."""
        secrets = path.with_suffix(SECRETS)
        at = written(secrets)
        known = self._known.get(path.name)
        if known is None or known[0] != at:
            known = self._known[path.name] = at, ended(secrets)
        return known[1]


def unfinished(archive: Archive) -> Iterator[bytes]:
    """Yield the matches kept here that somebody can go on with, the newest first."""
    for name in archive.newest():
        path = Path(name)
        terms = None if ended(path.with_suffix(SECRETS)).standing else _terms(path)
        if terms is not None and any(seat.kind == "person" for seat in terms.seats):
            yield empty_log(terms).match


def _terms(path: Path) -> Terms | None:
    """Return the terms of a match, None where its file does not tell."""
    try:
        return _first_terms(path)
    except (OSError, NetplayError):
        return None


def _first_terms(path: Path) -> Terms | None:
    """Return the terms of a match, None for an empty file.

    Raises:
        OSError: It cannot be read.
        NetplayError: It is damaged.
    """
    return terms_in(read_head(path, HEAD_BYTES))


class _Ended(NamedTuple):
    """How a match ended, as the secrets beside it tell."""

    standing: Standing = ""
    held_up: Words = ""
    """Why it is not audited."""


def ended(secrets: Path) -> _Ended:
    """Return what the secrets of a match say of its end."""
    try:
        hidden = Hidden(MemoryDisk(read_named(secrets, FILE_BYTES)), bytes)
    except (OSError, NetplayError):
        return _Ended()
    return _Ended(hidden.standing, hidden.held_up)


def _describe(path: Path) -> Words:
    """Return what was played and by whom; empty for what has no match in it."""
    try:
        terms = _first_terms(path)
    except DamageError as damage:
        ours = len(path.stem) == 2 * NAME_BYTES and not damage.tail
        return Says.DAMAGED(name=path.name) if ours else ""
    except (OSError, NetplayError):
        return ""
    if terms is None or all(seat.kind != "person" for seat in terms.seats):
        return ""  # a demonstration: nobody plays on
    return _needing(terms, describe(terms))


def _needing(terms: Terms, words: str) -> Words:
    """Return what was played; with the rules it needs, if this program has others."""
    game = GAMES.get(terms.game)
    if game is not None and game.ABOUT.version == terms.version:
        return words
    return Says.NEEDS_RULES(match=words, rules=terms.version)


def describe(terms: Terms) -> str:
    """Return what is played and by whom."""
    title = title_of(shown_name(terms.game))
    return f"{title}: {', '.join(shown_name(seat.name) for seat in terms.seats)}"


def _days(path: Path) -> int:
    """Return the days since a file was written."""
    at = written(path)
    return max(0, int(datetime.now(UTC).timestamp() - at) // DAY) if at else 0


def written(path: Path) -> float:
    """Return when a file was written, 0 if there is none."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0

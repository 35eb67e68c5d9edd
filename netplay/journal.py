"""What the node writes for whoever runs it: one structured line an event."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, TextIO, cast

from netplay.errors import LocalError, NetplayError
from netplay.named_files import open_to_append, read_named
from netplay.rate import Bucket
from netplay.sanitize import clean

VALUE_CHARACTERS = 300
"""Of one value in a line."""

FILE_BYTES: Final = 256 * 1024
"""Of the file before it makes room: some days of a node that is busy."""

FRAMES: Final = 12
"""Places in our own code that are named when a node fails."""


class Journal(Protocol):
    """Takes note of events."""

    def __call__(self, event: str, **fields: object) -> None:
        """Note an event and what belongs to it."""


def to_stream(stream: TextIO | None = None) -> Journal:
    """Return a journal that writes `time event key=value ...` lines.

    Args:
        stream: Where to; standard error if None.
    """
    out = stream or sys.stderr

    def note(event: str, **fields: object) -> None:
        with suppress(OSError):  # it may be led into a file on a disk that is full
            print(_line(event, fields), file=out, flush=True)

    return note


def to_file(path: Path) -> Journal:
    """Return a journal that keeps the last lines in a file and in the one before it.

    A disk that refuses loses lines, and stops nothing.

    Args:
        path: The file; when it is full it becomes `earlier(path)`.
    """

    def note(event: str, **fields: object) -> None:
        with suppress(OSError):
            make_room(path)
            with os.fdopen(open_to_append(path), "a", encoding="utf-8") as file:
                file.write(_line(event, fields) + "\n")

    return note


def earlier(path: Path) -> Path:
    """Return where the lines before those of a journal's file lie."""
    return path.with_name(f"{path.name}.1")


def to_all(*journals: Journal) -> Journal:
    """Return a journal that notes everything in several."""

    def note(event: str, **fields: object) -> None:
        """Note an event in each."""
        for journal in journals:
            journal(event, **fields)

    return note


def failure(error: BaseException) -> dict[str, str]:
    """Return what a line says of an error that ends the program.

    That is its kind and where in our own code it came up, never its words: they may
    quote anything.
    """
    inner = error
    while isinstance(inner, BaseExceptionGroup):
        inner = cast("BaseExceptionGroup[BaseException]", inner).exceptions[0]
    places = [
        f"{Path(frame.filename).stem}.{frame.name}:{frame.lineno}"
        for frame in traceback.extract_tb(inner.__traceback__)
        if {"netplay", "rules", "client"} & set(Path(frame.filename).parts)
    ]
    told = {"error": type(inner).__name__, "at": ">".join(places[-FRAMES:])}
    if isinstance(inner, NetplayError):
        told["code"] = inner.code.name
    return told


class Sparing:
    """Notes what others may cause, so often at the most, and how much it left out.

    Or whoever comes and goes all the time drives everything else out of the journal.
    """

    def __init__(self, journal: Journal, rate: float, burst: float) -> None:
        """Note nothing yet.

        Args:
            journal: Where to.
            rate: Lines a second, in the long run.
            burst: Lines at once.
        """
        self._journal: Final = journal
        self._lines: Final = Bucket(rate, burst, 0.0)
        self._unsaid = 0

    def note(self, now: float, event: str, **fields: object) -> None:
        """Note an event, if there are not too many.

        Args:
            now: Seconds on any clock that goes forward.
            event: What has happened.
            fields: What belongs to it.
        """
        if not self._lines.take(now):
            self._unsaid += 1
            return
        if self._unsaid:
            fields["left_out"] = self._unsaid
            self._unsaid = 0
        self._journal(event, **fields)

    def note_left_out(self, event: str) -> None:
        """Note how many were left out since the last one, if any were."""
        if self._unsaid:
            self._journal(event, count=self._unsaid)
            self._unsaid = 0


def make_room(path: Path) -> None:
    """Put what is too long aside, in the place of what was before it.

    Raises:
        OSError: The disk refuses.
    """
    if path.exists() and path.stat().st_size >= FILE_BYTES:
        path.replace(earlier(path))


def _line(event: str, fields: dict[str, object]) -> str:
    """Return the line of an event."""
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]
    pairs = "".join(f" {name}={_value(value)}" for name, value in fields.items())
    return f"{at}Z {event}{pairs}"


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a journal in a file, the oldest first."""
    for each in (earlier(path), path):
        with suppress(OSError, LocalError):
            text = read_named(each, 2 * FILE_BYTES).decode("utf-8", "replace")
            yield from text.splitlines()


def silent(event: str, **fields: object) -> None:
    """Note nothing."""


def _value(value: object) -> str:
    """Return a value that neither breaks the line nor the terminal."""
    text = clean(str(value), VALUE_CHARACTERS)
    if text and not any(c in ' "=' for c in text):
        return text
    return '"' + text.replace('"', "'") + '"'

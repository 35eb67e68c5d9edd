"""What the node writes for whoever runs it: one structured line an event."""

import sys
from datetime import UTC, datetime
from typing import Protocol, TextIO

from netplay.sanitize import clean

VALUE_CHARACTERS = 300
"""Of one value in a line."""


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
        """Write one line."""
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]
        pairs = "".join(f" {name}={_value(value)}" for name, value in fields.items())
        print(f"{at}Z {event}{pairs}", file=out, flush=True)

    return note


def silent(event: str, **fields: object) -> None:
    """Note nothing."""


def _value(value: object) -> str:
    """Return a value that neither breaks the line nor the terminal."""
    text = clean(str(value), VALUE_CHARACTERS)
    if text and not any(c in ' "=' for c in text):
        return text
    return '"' + text.replace('"', "'") + '"'

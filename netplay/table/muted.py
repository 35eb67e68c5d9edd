"""What the player does not want to be told of: tables, players' chat, hours."""

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.faults import Faults
from netplay.home import read_kept, write_whole
from netplay.messages.types import KEY_BYTES
from netplay.sentences import Says

MOST: Final = 1000
"""Tables and players that are remembered as muted, each: the latest."""

DAY: Final = 24 * 60
"""Minutes."""

_TYPED: Final = re.compile(
    r"(\d{1,2})(?::(\d\d))?\s*[-–]\s*(\d{1,2})(?::(\d\d))?", re.ASCII
)


class Hours(NamedTuple):
    """From one minute of the day to another, over midnight if that comes earlier."""

    start: int
    end: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Return what somebody has typed: `22:00-07:00`, or `22-7`.

        Raises:
            LocalError: USAGE, it is none.
        """
        found = _TYPED.fullmatch(text.strip())
        numbers = [int(part or 0) for part in found.groups()] if found else [99] * 4
        start, end = numbers[0] * 60 + numbers[1], numbers[2] * 60 + numbers[3]
        minutes = max(numbers[1], numbers[3])
        if start == end or max(start, end) >= DAY or minutes >= 60:
            raise LocalError(Code.USAGE, Says.NO_HOURS(text=text))
        return cls(start, end)

    @override
    def __str__(self) -> str:
        """Return how they are written."""
        return "-".join(f"{one // 60:02}:{one % 60:02}" for one in self)

    def left(self, minute: int) -> int:
        """Return how many minutes are left of them at one of the day; 0 outside."""
        length = (self.end - self.start) % DAY
        return max(0, length - (minute - self.start) % DAY)


class Muted:
    """The file of what is muted."""

    def __init__(self, path: Path | None = None, faults: Faults | None = None) -> None:
        """Read the file; one that is damaged is set aside, and nothing is muted.

        Args:
            path: Where it lies; None to keep nothing.
            faults: Told of a damaged one.

        Raises:
            LocalError: DISK, it cannot be set aside.
        """
        self._path: Final = path
        self.tables: tuple[bytes, ...] = ()
        """The nonces of the terms of tables that are muted, the latest last."""
        self.players: tuple[bytes, ...] = ()
        """The `voice`s of those whose chat is muted, the latest last."""
        self.hours: Hours | None = None
        if path is not None:
            found = read_kept(path, _taken, faults, Says.SETTINGS_DAMAGED)
            if found is not None:
                self.tables, self.players, self.hours = found

    def mute_table(self, nonce: bytes, *, on: bool) -> None:
        """Mute a table, or no longer.

        Raises:
            LocalError: DISK.
        """
        self._write(_with(self.tables, nonce, on=on), self.players, self.hours)

    def mute_player(self, key: bytes, *, on: bool) -> None:
        """Mute a player's chat, or no longer; or that of a guest there, by `voice`.

        Raises:
            LocalError: DISK.
        """
        self._write(self.tables, _with(self.players, key, on=on), self.hours)

    def set_hours(self, text: str) -> None:
        """Set the quiet hours; none with an empty text.

        Raises:
            LocalError: USAGE, that is none; DISK.
        """
        hours = Hours.read(text) if text.strip() else None
        self._write(self.tables, self.players, hours)

    def quiet(self, unix: int, zone: tzinfo | None = None) -> float:
        """Return for how many seconds the player is to be told nothing.

        Args:
            unix: The time of day, in seconds.
            zone: Of the clock on the wall; None for this computer's.
        """
        if self.hours is None:
            return 0.0
        now = (datetime.fromtimestamp(0, UTC) + timedelta(seconds=unix)).astimezone(
            zone
        )
        left = self.hours.left(now.hour * 60 + now.minute)
        return max(0.0, left * 60.0 - now.second)

    def _write(
        self, tables: tuple[bytes, ...], players: tuple[bytes, ...], hours: Hours | None
    ) -> None:
        """Replace the file, and only then what is known here."""
        if self._path is not None:
            whole = {
                "tables": [one.hex() for one in tables],
                "players": [one.hex() for one in players],
                "quiet": "" if hours is None else str(hours),
            }
            write_whole(self._path, json.dumps(whole, indent=1).encode())
        self.tables, self.players, self.hours = tables, players, hours


def voice(key: bytes, guest: str = "") -> bytes:
    """Return who speaks: a player, or a guest in a browser at that computer."""
    return key + guest.encode()


def spoken(one: bytes) -> tuple[bytes, str]:
    """Return the key and the guest of a `voice`."""
    return one[:KEY_BYTES], one[KEY_BYTES:].decode("utf-8", "replace")


def _with(names: Iterable[bytes], name: bytes, *, on: bool) -> tuple[bytes, ...]:
    """Return names with one more at their end, or without it."""
    others = [one for one in names if one != name]
    return tuple([*others, name][-MOST:] if on else others)


def _taken(
    found: Any,  # noqa: ANN401 (whatever a file says)
) -> tuple[tuple[bytes, ...], tuple[bytes, ...], Hours | None]:
    """Return what a file says.

    Raises:
        TypeError, ValueError: It says something else.
        LocalError: Its hours are none.
    """
    if not isinstance(found, dict):
        raise TypeError(found)
    tables = tuple(map(bytes.fromhex, found.get("tables", [])[-MOST:]))
    players = tuple(map(bytes.fromhex, found.get("players", [])[-MOST:]))
    quiet = str(found.get("quiet", ""))
    return tables, players, Hours.read(quiet) if quiet else None

"""Folders read from the disk, for the file chooser."""

import math
import os
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any, Final, TypeAlias

import trio

from client import browsing
from client.browsing import Found, Item, Listing, Looked, Place
from client.edit import clean

Job: TypeAlias = Callable[[], Listing | Looked]
Disk: TypeAlias = Callable[[Job], Awaitable[Listing | Looked]]
"""Does what reads the disk."""

DATED: Final = 1000
"""Files of a folder up to which it is looked up when each was changed."""

_THREADS: Final = trio.CapacityLimiter(math.inf)
"""A drive that hangs keeps its thread; one that answers must not wait for it."""


async def apart(job: Job) -> Listing | Looked:
    """Read the disk in a thread, which is left alone when nobody waits any more.

    A network drive that has gone keeps whoever asks it waiting for minutes.
    """
    return await trio.to_thread.run_sync(job, abandon_on_cancel=True, limiter=_THREADS)


def read(wish: str) -> Listing:
    """Return what is in a folder, or in the nearest above it that can be read.

    Args:
        wish: Its whole path; empty for where documents usually go.
    """
    places = known()
    folder = wish or next((p.path for p in places if p.kind == "documents"), "")
    folder = folder or places[0].path
    for place in (*_upwards(folder), places[0].path):
        try:
            items = _items(place)
        except OSError:
            continue
        lost = wish if wish and place != wish else ""
        return Listing(place, items, places, lost)
    return Listing(folder, (), places, folder)


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while (above := os.path.dirname(folder)) not in ("", folder):  # noqa: PTH120 (any text will do)
        yield (folder := above)


def _items(folder: str) -> tuple[Item, ...]:
    """Return what is in a folder, folders first; names that nobody can write are not.

    Raises:
        OSError: It cannot be read.
    """
    with os.scandir(folder) as found:
        entries = [entry for entry in found if _is_text(entry.name)]
    dated = len(entries) <= DATED
    items = [_item(entry, dated=dated) for entry in entries]
    return tuple(sorted(items, key=_order))


def _order(item: Item) -> tuple[bool, str, str]:
    """Return what puts folders first, and names in the order of a telephone book."""
    return not item.folder, item.name.casefold(), item.name


def _is_text(name: str) -> bool:
    """Tell whether a name is one that can be shown and sent to the node."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return bool(clean(name).strip())


def _item(entry: "os.DirEntry[str]", *, dated: bool) -> Item:
    try:
        if entry.is_dir():
            return Item(entry.name, folder=True)
        if not dated:
            return Item(entry.name)
        at = datetime.fromtimestamp(entry.stat().st_mtime, UTC).astimezone()
    except (OSError, ValueError, OverflowError):  # it has gone, or leads nowhere
        return Item(entry.name)
    return Item(entry.name, changed=f"{at:%Y-%m-%d %H:%M}")


def known() -> tuple[Place, ...]:
    """Return the folders that everybody knows, as far as they are there."""
    import platformdirs  # noqa: PLC0415 (seldom wanted)

    found = (
        browsing.home(),
        Place("documents", platformdirs.user_documents_dir()),
        Place("desktop", platformdirs.user_desktop_dir()),
        Place("downloads", platformdirs.user_downloads_dir()),
    )
    drives: Any = getattr(os, "listdrives", tuple)()
    more = tuple(Place("drive", drive) for drive in drives)
    there = tuple(place for place in found[1:] if os.path.isdir(place.path))  # noqa: PTH112 (as above)
    return (found[0], *there, *more)


def look(paths: tuple[str, ...]) -> Looked:
    """Return what lies at some paths."""
    return Looked(tuple(Found(path, _kind(path)) for path in paths))


def _kind(path: str) -> str:
    if os.path.isdir(path):  # noqa: PTH112 (any text will do)
        return "folder"
    if os.path.lexists(path):
        return "file"
    above = os.path.dirname(path)  # noqa: PTH120 (as above)
    return "nothing" if os.path.isdir(above) else "nowhere"  # noqa: PTH112 (as above)


def today() -> int:
    """Return the user's own day, counted as `date.toordinal` does."""
    return date.today().toordinal()  # noqa: DTZ011 (their own, wherever that is)

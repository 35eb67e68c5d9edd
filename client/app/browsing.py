"""What the file chooser knows: a folder's content, what is typed, what is chosen.

Reading folders is the loop's work; everything else is decided from what it has told.
"""

import math
import os
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, Final, TypeAlias

from msgspec import Struct

from client.ui.hand import Edit, clean

MOST: Final = 1000
"""Rows of a list: of more the beginning of a name has to be typed."""

SAID: Final = 48
"""Characters of a path in a sentence."""


class Purpose(Enum):
    """What a file is chosen for."""

    SAVE = "save"
    LOAD = "load"
    IMPORT = "import"
    """Words, one a line."""
    EXPORT = "export"
    OPEN = "open"
    """An edition."""
    WRITE = "write"
    REPORT = "report"
    """What to send with a complaint."""
    BRING = "bring"
    """Everything from another computer."""

    @property
    def writes(self) -> bool:
        """Tell whether the file is written, not read."""
        return self in (
            Purpose.SAVE, Purpose.EXPORT, Purpose.WRITE, Purpose.REPORT,
        )  # fmt: skip

    @property
    def suffix(self) -> str:
        """Return how the names of such files end."""
        return _SUFFIXES[self]


_SUFFIXES: Final = {
    Purpose.SAVE: ".netplay", Purpose.LOAD: ".netplay",
    Purpose.IMPORT: ".txt", Purpose.EXPORT: ".txt",
    Purpose.OPEN: ".toml", Purpose.WRITE: ".toml", Purpose.REPORT: ".txt",
    Purpose.BRING: ".copy",
}  # fmt: skip


class Item(Struct, frozen=True):
    """A file or folder in a folder."""

    name: str
    """As the disk has it."""
    folder: bool = False
    changed: str = ""
    """When, as far as it was looked up."""

    @property
    def shown(self) -> str:
        """Return the name as it is shown and typed."""
        return clean(self.name)


class Place(Struct, frozen=True):
    """A folder that everybody knows."""

    kind: str
    """What it is: "home", "documents", "desktop", "downloads" or "drive"."""
    path: str


class Listing(Struct, frozen=True):
    """What is in a folder."""

    folder: str
    """Whole path."""
    items: tuple[Item, ...] = ()
    """Folders first, by name."""
    places: tuple[Place, ...] = ()
    lost: str = ""
    """The folder that was wished for and cannot be read; another is told of then."""


class Reading(Struct, frozen=True):
    """A folder is being read."""

    folder: str
    before: Edit
    """What the field held when that began: what is typed since then stays."""
    then: Edit
    """What it is to hold once the folder is read."""
    enter: bool = False
    """Enter was pressed already; it is for what the folder will show."""


class Looking(Struct, frozen=True):
    """It is being looked what lies at some paths."""

    paths: tuple[str, ...]


class Found(Struct, frozen=True):
    """What lies at a path."""

    path: str
    kind: str
    """"file", "folder", "nothing", or "nowhere" if there is no such folder even."""


class Looked(Struct, frozen=True):
    """What lies at the paths that were asked about, in their order."""

    found: tuple[Found, ...]


class Arriving(Struct, frozen=True):
    """A file comes from where the window is seen."""

    name: str
    done: int = 0
    """Hundredths of it that are here."""
    why: str = ""
    """Why it does not come."""


class Reported(Struct, frozen=True):
    """The report that was asked for is written."""

    path: str
    why: str = ""
    """Why it is not."""


class Chooser(Struct, frozen=True):
    """The file chooser."""

    purpose: Purpose
    back: str = ""
    """What it lies over, and comes back to."""
    wish: str = ""
    """The name proposed for a file that is written."""
    listing: Listing = Listing("")
    chosen: str = ""
    """The file or folder that is marked in the list."""
    every: bool = False
    """Files of other kinds are listed, too."""
    goes: str = ""
    """The word list that an import replaces."""
    kept: str = ""
    """The match of the home that is copied; empty for the one at the table."""
    taken: str = ""
    """The file that is there already: may it go?  Of an import: the one to read."""
    said: str = ""
    """Why what was wished for cannot be."""
    awaits: Reading | Looking | None = None
    """What the disk has been asked."""
    since: float = 0.0
    """When that was."""
    slow: bool = False
    """It takes so long that it must be said."""
    done: int = 0
    """Hundredths of a file that are here, of one that comes from elsewhere."""


def head(edit: Edit) -> str:
    """Return what has been typed of a name, without what was only proposed."""
    first, last = edit.span
    proposed = first < last == len(edit.text)
    return edit.text[:first] if proposed else edit.text


def narrowed(chooser: Chooser, typed: str) -> tuple[Item, ...]:
    """Return the folders and fitting files whose names begin with what was typed.

    Where a new file gets a name that no other begins with, all of them.
    """
    hidden, suffix = typed.startswith("."), chooser.purpose.suffix
    fits = tuple(
        item
        for item in chooser.listing.items
        if hidden or not item.name.startswith(".")
        if item.folder or chooser.every or item.name.casefold().endswith(suffix)
    )
    begun = typed.casefold()
    found = tuple(item for item in fits if item.shown.casefold().startswith(begun))
    return found if found or not chooser.purpose.writes else fits


def named(chooser: Chooser, text: str) -> Item | None:
    """Return the file or folder of a name, as it is shown or as the disk has it."""
    for item in chooser.listing.items:
        if text in (item.shown, item.name):
            return item
    return None


def completed(chooser: Chooser, edit: Edit) -> tuple[Edit, str]:
    """Return the edit with the rest of a name proposed, and that name.

    Only where a file is read: a new file's name is the user's own.
    """
    text = edit.text
    at_end = edit.caret == edit.anchor == len(text)
    if chooser.purpose.writes or not text or not at_end:
        return edit, ""
    for item in narrowed(chooser, text):
        return picked(item, text), item.name
    return edit, ""


def picked(item: Item, typed: str) -> Edit:
    """Return the field's edit when an item has been picked from the list."""
    begun = item.shown.casefold().startswith(typed.casefold())
    return Edit(item.shown, len(item.shown), len(typed) if begun else 0)


def split(folder: str, text: str) -> tuple[str, str] | None:
    """Return the folder and the rest of what was typed, if it names a folder."""
    head, rest = os.path.split(text)
    return (resolved(folder, head), rest) if head else None


def resolved(folder: str, text: str) -> str:
    """Return the whole path of what was typed in a folder; `~` is the user's own."""
    whole = os.path.join(folder, os.path.expanduser(text))  # noqa: PTH111, PTH118 (text of any kind; pathlib raises)
    return os.path.normpath(whole)


def above(folder: str) -> str:
    """Return the folder that a folder is in; itself at the root."""
    return os.path.dirname(folder) or folder  # noqa: PTH120 (as above)


def candidates(chooser: Chooser, text: str) -> tuple[str, ...]:
    """Return the paths that a name may mean, without and with its own ending."""
    path = resolved(chooser.listing.folder, text)
    suffix = chooser.purpose.suffix
    return (path,) if path.casefold().endswith(suffix) else (path, path + suffix)


NAME_BYTES: Final = 200
"""Of a name proposed: disks take 255, with its ending and what is put behind it."""


def plain(name: str, most: int = NAME_BYTES) -> str:
    """Return a name for a file, without what a disk may not take, and not too long."""
    kept = "".join("-" if c in '/\\:*?"<>| ' else c for c in clean(name))
    short = kept[:80].encode(errors="ignore")[:most].decode(errors="ignore")
    return short.strip("-.") or "netplay"


def home() -> Place:
    """Return the user's own folder; nothing is read for that."""
    return Place("home", os.path.expanduser("~"))  # noqa: PTH111 (pathlib's raises where there is none)


def end(path: str) -> str:
    """Return the end of a path, for a sentence."""
    path = clean(path)
    return path if len(path) <= SAID else f"…{path[-SAID:]}"


def recent(used: tuple[str, ...], latest: str, most: int = 6) -> tuple[str, ...]:
    """Return the folders or addresses used lately, with one more in front."""
    return (latest, *(each for each in used if each != latest))[:most]


# Folders read from the disk, for the file chooser.


Job: TypeAlias = Callable[[], Listing | Looked]
Disk: TypeAlias = Callable[[Job], Awaitable[Listing | Looked]]
"""Does what reads the disk."""

DATED: Final = 1000
"""Files of a folder up to which it is looked up when each was changed."""


async def apart(job: Job) -> Listing | Looked:
    """Read the disk in a thread, which is left alone when nobody waits any more.

    A network drive that has gone keeps whoever asks it waiting for minutes.  It keeps
    its thread, too; another that answers must not wait for it.
    """
    import trio  # noqa: PLC0415 (the first frame does not wait for it)

    limiter = trio.CapacityLimiter(math.inf)
    return await trio.to_thread.run_sync(job, abandon_on_cancel=True, limiter=limiter)


def read_folder(wish: str) -> Listing:
    """Return what is in a folder, or in the nearest above it that can be read.

    Args:
        wish: Its whole path; empty for where documents usually go.
    """
    places = known()
    folder = wish or next((p.path for p in places if p.kind == "documents"), "")
    folder = folder or places[0].path
    tries = [folder]
    while (above := os.path.dirname(tries[-1])) not in ("", tries[-1]):  # noqa: PTH120 (any text will do)
        tries.append(above)
    for place in (*tries, places[0].path):
        try:
            items = _items(place)
        except OSError:
            continue
        lost = wish if wish and place != wish else ""
        return Listing(place, items, places, lost)
    return Listing(folder, (), places, folder)


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
        home(),
        Place("documents", platformdirs.user_documents_dir()),
        Place("desktop", platformdirs.user_desktop_dir()),
        Place("downloads", platformdirs.user_downloads_dir()),
    )
    drives: Any = getattr(os, "listdrives", tuple)()
    more = tuple(Place("drive", drive) for drive in drives)
    there = tuple(place for place in found[1:] if os.path.isdir(place.path))  # noqa: PTH112 (as above)
    return (found[0], *there, *more)


def lying_at(paths: tuple[str, ...]) -> Looked:
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

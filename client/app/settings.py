"""What the user has set in this window, kept in the home across starts."""

from collections.abc import Callable, Hashable, Mapping
from datetime import date
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from client.ui.theme import LIGHT, SCALES, THEMES, Look
from client.ui.tiles import LETTERS
from netplay.catalogues import SETTINGS, wanted
from netplay.drill import KEPT, Missed
from netplay.errors import LocalError
from netplay.home import in_turn, write_whole
from netplay.messages.table import Days, Fairness
from netplay.named_files import OWN_BYTES, read_named

FILE: Final = SETTINGS
"""Within the home; nothing secret, so readable as it is."""

SPEEDS: Final = {"off": 0.0, "slow": 1.4, "normal": 0.7, "fast": 0.3}
"""How long the animation of others' moves takes, in seconds (source document,
Preferences)."""


WAITS: Final = {"none": 0.0, "short": 0.3, "normal": 0.6}
"""How long a move is seen, at least, before that of a computer follows, in seconds."""

Parts: TypeAlias = tuple[Any, ...]
Named: TypeAlias = Callable[[Any], Hashable]

Day: TypeAlias = Annotated[int, Meta(ge=0, le=date.max.toordinal())]
"""As `date.toordinal` counts, 0 for none: a page names it, whatever a file says."""


class Mistake(Struct, frozen=True):
    """A move of the player's own that was a mistake: a puzzle for later days."""

    game: str
    match: str
    """In hexadecimal."""
    number: int
    """The move's place in the history of the match."""
    position: str
    """What the player knew before the move, packed."""
    judged: str
    """What the node found out about the move, packed."""
    due: Day
    """From which on it is offered."""
    found: int = 0
    """How often the better move has been found, each on another day."""


class Reviewed(Struct, frozen=True):
    """How well the player has played in a match whose turns were judged."""

    match: str
    """In hexadecimal."""
    game: str
    day: Day
    accuracy: int
    """In tenths of a percent."""
    turns: int
    points: int
    bingos: int
    """Whole racks that could have been laid, and were not."""


class Solitaire(Struct, frozen=True):
    """The solitaire of the day as far as it was played."""

    day: Day = 0
    moves: tuple[str, ...] = ()
    """As a log has them, in hexadecimal."""


class Rules(Struct, frozen=True):
    """By what was played with a friend the last time."""

    game: str = ""
    options: tuple[tuple[str, str], ...] = ()
    edition: str = ""
    words: str = ""
    fairness: Fairness | Literal[""] = ""
    days: Days = 0


class Settings(Struct, frozen=True):
    """Everything on the preferences page; every field has a sensible start."""

    theme: str = LIGHT.name
    scale: int = 100
    easy: bool = False
    """Easy to read: enlarged letters and points."""
    sound: bool = True
    volume: int = 60
    notify: bool = True
    """By the desktop, while another window is in front."""
    animation: str = "normal"
    pause: str = "normal"
    """Before a computer's move is shown."""
    draw: bool = False
    """Draw tiles by hand."""
    language: str = "en"
    cells: str = LETTERS
    """What cells are called where there are two ways; see `client.ui.tiles`."""
    size: tuple[int, int] = (1280, 800)
    delay: int = 180
    """Milliseconds before a held key repeats, in real-time games."""
    repeat: int = 50
    """Milliseconds between repeats."""
    keys: tuple[tuple[str, str], ...] = ()
    """Buttons of games and the keys chosen for them, where not the usual ones."""
    recent: tuple[str, ...] = ()
    """Addresses used, newest first, each with its comment."""
    rules: tuple[tuple[str, Rules], ...] = ()
    """Of friends, by fingerprint, the rules of the last game, the latest first."""
    clipboard: bool = False
    """The window may look whether an invitation is on the clipboard."""
    clipped: str = ""
    """The invitation that was offered from there last."""
    places: tuple[str, ...] = ()
    """Folders that files were read from or written to, newest first."""
    tips: tuple[str, ...] = ()
    """One-time tips already seen."""
    lessons: tuple[tuple[str, int], ...] = ()
    """Of each game the lesson last looked at, from 0."""
    solved: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Of each game the puzzles that were solved, from 0."""
    solitaire: Solitaire = Solitaire()
    solitaires: tuple[tuple[Day, int], ...] = ()
    """Points of the solitaires played to their end, by day."""
    mistakes: tuple[Mistake, ...] = ()
    """Of one's own, in the order in which they were found out."""
    missed: tuple[Missed, ...] = ()
    """Words, in the order in which they were found out."""
    reviewed: tuple[Reviewed, ...] = ()
    """Matches of one's own, by the day."""
    best: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """One's own best points, the highest first, by game and terms."""

    @property
    def pace(self) -> float:
        """Return the seconds that the animation of a move takes."""
        return SPEEDS.get(self.animation, 0.0)

    @property
    def wait(self) -> float:
        """Return the seconds that a move is seen before a computer's follows."""
        return WAITS.get(self.pause, 0.0)

    @property
    def look(self) -> Look:
        """Return the look these settings ask for."""
        return Look(
            THEMES.get(self.theme, LIGHT),
            min(SCALES, key=lambda scale: abs(scale - self.scale)),
            self.easy,
        )


def load(home: Path) -> tuple[Settings, str]:
    """Return the settings of a home, the usual ones where none can be read.

    The language is then the one that the commands speak.

    Returns:
        The settings, and the name under which a damaged file is kept; empty for none.
    """
    place = home / FILE
    try:
        return msgspec.json.decode(read_named(place, OWN_BYTES), type=Settings), ""
    except (OSError, LocalError):
        return Settings(language=wanted(home)), ""
    except (ValueError, RecursionError):
        names = (f"{FILE}.damaged", *(f"{FILE}.damaged-{n}" for n in range(2, 100)))
        name = next(
            (one for one in names if not place.with_name(one).exists()), names[-1]
        )
        try:
            place.replace(place.with_name(name))
        except OSError:
            return Settings(), ""
        return Settings(), name


def read(home: Path) -> Settings | None:
    """Return the settings that stand in a home now; None if none can be read."""
    try:
        return msgspec.json.decode(read_named(home / FILE, OWN_BYTES), type=Settings)
    except (OSError, LocalError, ValueError, RecursionError):
        return None


def store(home: Path, settings: Settings, before: Settings | None = None) -> Settings:
    """Write the settings to their home, and return what stands there now.

    Args:
        home: The folder.
        settings: What is written.
        before: As they were when they were read; what another window or a terminal
            has made of them since stays. None: nothing of that.

    Raises:
        LocalError: DISK, they could not be written.
    """
    place = home / FILE
    with in_turn(place):
        there = None if before is None else read(home)
        if before is not None and there is not None:
            settings = merged(there, before, settings)
        write_whole(place, msgspec.json.format(msgspec.json.encode(settings)))
        return settings


def merged(there: Settings, before: Settings, now: Settings) -> Settings:
    """Return what others have set meanwhile, with what was changed here.

    Args:
        there: As they are kept.
        before: As they were kept when they were read.
        now: What has become of those here.
    """
    made: dict[str, Any] = {}
    for name in now.__struct_fields__:
        was, other, own = (getattr(each, name) for each in (before, there, now))
        if own == was:
            own = other
        elif other != was and name in LISTS:
            # What others have kept, with what was changed here
            named = LISTS[name]
            old, mine, kept = (
                {named(e): e for e in each} for each in (was, own, other)
            )
            for lost in old.keys() - mine.keys():
                kept.pop(lost, None)
            kept.update((n, each) for n, each in mine.items() if old.get(n) != each)
            own = tuple(kept.values())
        made[name] = own
    made["missed"] = made["missed"][-KEPT:]
    return replace(now, **made)


LISTS: Final[Mapping[str, Named]] = {
    "keys": itemgetter(0),
    "recent": str,
    "rules": itemgetter(0),
    "places": str,
    "tips": str,
    "lessons": itemgetter(0),
    "solved": itemgetter(0),
    "solitaires": itemgetter(0),
    "mistakes": attrgetter("match", "number"),
    "missed": attrgetter("words", "word"),
    "reviewed": attrgetter("match"),
    "best": itemgetter(0),
}
"""Settings to which two windows may have added something each, and what tells their
parts from one another."""

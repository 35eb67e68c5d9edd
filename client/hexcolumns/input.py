"""What keys and buttons do to one's own well."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.app.board import Seen
from client.app.motion import NEVER
from client.hexcolumns import bindings, wells
from client.hexcolumns.wells import Burst, Landing, Rows, Trail, overflowed, trail
from client.ui.intents import Blur, Click, Intent, Key
from client.ui.scene import Means
from rules import hexcolumns
from rules.game import Resign

Now: TypeAlias = Seen[hexcolumns.State, hexcolumns.Move]

FLASH_SECONDS: Final = 0.6
"""How long what a piece brought stays in sight."""

INPUTS: Final[Mapping[str, hexcolumns.Input]] = {
    "left": hexcolumns.Shift(-1),
    "right": hexcolumns.Shift(1),
    "slant-left": hexcolumns.Slant(-1),
    "slant-right": hexcolumns.Slant(1),
    "rotate": hexcolumns.Rotate(),
    "lower": hexcolumns.Lower(),
    "drop": hexcolumns.Drop(),
    "faster": hexcolumns.Faster(),
}
"""Names of buttons, and what they do."""

ONCE: Final = frozenset({"rotate", "drop", "faster", "radar", "pause", "resume"})
"""Inputs that a held key does not repeat, so that no second piece is dropped."""


class Record(Struct, frozen=True):
    """What a well has done best."""

    chain: int = 0
    """The rounds of the longest chain."""
    gained: int = 0
    """What the best piece brought."""


class Press(Means, frozen=True):
    """Press a button of the well, by the name that its key has, too."""

    button: str


class Local(Struct, frozen=True):
    """What this window knows beyond the match."""

    held: tuple[str, ...] = ()
    """Keys that are down."""
    gained: int = 0
    """What the last landed piece brought, while it is shown."""
    until: float = 0.0
    """When it is shown no longer."""
    pieces: int = 0
    """Pieces that had appeared in one's own well when last looked."""
    column: int = 0
    """Where the last of them was then."""
    piece: bytes = b""
    """What it was."""
    landings: tuple[Landing, ...] = ()
    """Of each well, what has to be known to tell what its next piece does."""
    bursts: tuple[Burst | None, ...] = ()
    """What is being destroyed in each well, while it is shown."""
    records: tuple[Record, ...] = ()
    """What each well has done best, as far as this window has seen it."""
    refused: float = NEVER
    """When a key or button could not do what it is for; below 0 for never."""
    trail: Trail | None = None
    """Of the piece dropped last, while it is shown."""
    full: tuple[bool, ...] = ()
    """Which wells have overflowed."""
    shaken: tuple[float, ...] = ()
    """When each did, as far as this window has seen it; below 0 for never."""
    sent: tuple[int, ...] = ()
    """How many rows each well had sent when last looked."""
    rows: Rows | None = None
    """Those sent last, while they are told of."""


def begin(seen: Now) -> Local:
    """Return the state for a match seen for the first time."""
    well, landings = own(seen), tuple(map(wells.landing, seen.view.wells))
    nothing, full = (None,) * len(landings), tuple(map(overflowed, seen.view.wells))
    still = Local(
        landings=landings, bursts=nothing, full=full, shaken=(NEVER,) * len(full),
        sent=wells.sent(seen),
    )  # fmt: skip
    if well is None:
        return still
    return replace(still, pieces=well.pieces, column=well.column, piece=well.piece)


def renew(seen: Now, local: Local) -> Local:
    """Notice what one's own hand has done, and what a piece brought that has landed.

    That a piece falls is no work of the hand: the state stays the very same then.
    """
    well, local = own(seen), _shaken(seen, _burst(seen, local))
    if seen.view.attacks and wells.sent(seen) != local.sent:
        rows = wells.news(seen, local.sent) or local.rows
        local = replace(local, sent=wells.sent(seen), rows=rows)
    if well is None:
        return local
    if well.pieces != local.pieces:
        until = seen.now + FLASH_SECONDS
        local = replace(local, pieces=well.pieces, gained=well.gained, until=until)
    if (well.column, well.piece) != (local.column, local.piece):
        local = replace(local, column=well.column, piece=well.piece)
    return local


def _burst(seen: Now, local: Local) -> Local:
    """Notice what a piece destroyed that has landed in any of the wells."""
    landings = tuple(map(wells.landing, seen.view.wells))
    if landings == local.landings:
        return local
    shown = list(local.bursts)
    for seat, (before, after) in enumerate(zip(local.landings, landings, strict=False)):
        landed, risen = after.landed > before.landed, after.taken > before.taken
        if seen.pace and (landed or risen):
            shown[seat] = wells.burst(seen.view.size, before, after, seen.now)
    records = tuple(
        map(_record, seen.view.wells, local.records or (Record(),) * len(landings))
    )
    return replace(local, landings=landings, bursts=tuple(shown), records=records)


def _shaken(seen: Now, local: Local) -> Local:
    """Notice which wells have overflowed."""
    full = tuple(map(overflowed, seen.view.wells))
    if full == local.full:
        return local
    old = local.full or (False,) * len(full)
    before = local.shaken or (NEVER,) * len(full)
    shaken = tuple(
        seen.now if now and not was and seen.pace else since
        for now, was, since in zip(full, old, before, strict=True)
    )
    return replace(local, full=full, shaken=shaken)


def _record(well: hexcolumns.Well, best: Record) -> Record:
    """Return what a well has done best, the last piece included."""
    chain = max((gone.round for gone in well.gone), default=0)
    return Record(max(best.chain, chain), max(best.gained, well.gained))


def own(seen: Now) -> hexcolumns.Well | None:
    """Return the well of the seat that is looked at from here."""
    return None if seen.seat is None else seen.view.wells[seen.seat]


def busy(seen: Now, local: Local) -> bool:
    """Tell whether frames are needed: as long as a well is live."""
    return any(not well.over for well in seen.view.wells) or any(local.bursts)


def tick(seen: Now, local: Local) -> tuple[Local, hexcolumns.Move | None]:
    """Remove what has been shown long enough."""
    if local.gained and seen.now >= local.until:
        local = replace(local, gained=0)
    if local.trail is not None and not local.trail.part(seen.now):
        local = replace(local, trail=None)
    if local.rows is not None and local.rows.passed(seen.now):
        local = replace(local, rows=None)
    bursts = tuple(b if b and b.until > seen.now else None for b in local.bursts)
    if bursts != local.bursts:
        local = replace(local, bursts=bursts)
    return local, None


def handle(  # noqa: PLR0911 (one a kind of intent)
    seen: Now, local: Local, intent: Intent
) -> tuple[Local, hexcolumns.Move | None]:
    """Return the local state after an intent, and the move to send if any."""
    well = own(seen)
    if well is None or well.over:
        return local, None
    match intent:
        case Key(key="escape", ctrl=True, down=True):
            return local, Resign()
        case Key(key=key, down=False):
            held = tuple(name for name in local.held if name != key)
            return replace(local, held=held), None
        case Key(key=key) if key in bindings.table(seen.keys):
            name = bindings.table(seen.keys)[key]
            if key not in local.held:
                pressed = replace(local, held=(*local.held, key))
                return _trailed(seen, well, *_input(seen, pressed, well, name))
            # A wall is told of once, not as often as the key repeats
            again = None if name in ONCE else _input(seen, local, well, name)[1]
            return _trailed(seen, well, local, again)
        case Blur():  # nobody looks: the piece waits
            return replace(local, held=()), None if well.paused else hexcolumns.Pause()
        case Click(means=Press(button=button)):
            return _trailed(seen, well, *_input(seen, local, well, button))
        case _:
            return local, None


def _trailed(
    seen: Now, well: hexcolumns.Well, local: Local, move: hexcolumns.Move | None
) -> tuple[Local, hexcolumns.Move | None]:
    """Let the way of a piece that is dropped be seen."""
    if not isinstance(move, hexcolumns.Drop) or not (seen.pace and seen.live):
        return local, move
    return replace(local, trail=trail(seen.view.size, well, seen.now)), move


def _input(
    seen: Now, local: Local, well: hexcolumns.Well, name: str
) -> tuple[Local, hexcolumns.Move | None]:
    """Return the input if the well takes it; else it is seen and heard that not.

    Before a piece has come there is none to move.
    """
    found = _wanted(well, name)
    if found is None:
        return local, None
    absent = name in INPUTS and name != "faster" and not well.piece
    if absent or hexcolumns.refusal(seen.view.size, well, found):
        return replace(local, refused=seen.now), None
    return local, found


def _wanted(well: hexcolumns.Well, name: str) -> hexcolumns.Input | None:
    match name:
        case "radar":
            return hexcolumns.Radar(on=not well.radar)
        case "pause":
            return hexcolumns.Resume() if well.paused else hexcolumns.Pause()
        case "resume":
            return hexcolumns.Resume() if well.paused else None
        case _:
            return INPUTS.get(name)

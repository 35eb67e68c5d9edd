"""Numbered tiles: who holds which number, and which letters a state knows.

A tile has a number that everybody sees and a *kind* (an index into the edition's
tile kinds) that only some seats know.  Drawing moves the next number from the bag
to a rack and is public; `Reveal` then tells the owner its kind, `Show` tells all.
The same functions fold the full state and the view of a seat, in which unknown
kinds stand as `UNKNOWN`: a peer without secrets can check and apply every move
(design, sections 3 and 4).

Whoever puts tiles back knows them, so an exchange starts a new *deal*: every tile
in the bag gets a fresh number, and no number is used twice in a match.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from rules.actors import IllegalMoveError, Seat, put_at

UNKNOWN: Final = -1
"""The kind of a tile that its owner knows and this state does not."""

UNREVEALED: Final = -2
"""The kind of a tile just drawn, which nobody has looked at yet."""

BYSTANDER: Final = -1
"""The `eye` of the view of somebody without a seat."""

EVERYTHING: Final = -2
"""The `eye` of the full state, which is nobody's view."""


class Reveal(Struct, frozen=True, array_like=True, tag="reveal"):
    """CHANCE tells the owner of a drawn tile what it is; others get `UNKNOWN`."""

    tile: int
    kind: int


class Show(Struct, frozen=True, array_like=True, tag="show"):
    """CHANCE shows a tile on a rack to everybody."""

    tile: int
    kind: int


class Shown(Struct, frozen=True, array_like=True):
    """A tile's number and kind, made public by the move that carries it."""

    tile: int
    kind: int


class Tiles(Struct, frozen=True, array_like=True):
    """The bag, the racks, and what this state knows of them."""

    eye: int
    """Whose view this is: a seat, `BYSTANDER`, or `EVERYTHING` for the full state."""

    deal: int
    """How often the bag has been dealt anew; 0 for the first deal."""

    first: int
    """The number of the tile drawn next; the bag is `range(first, end)`."""

    end: int
    """One more than the last number in the bag."""

    counts: tuple[int, ...]
    """Of each kind, how many tiles are in the bag, on racks or on their way back."""

    racks: tuple[tuple[int, ...], ...]
    """Each seat's tile numbers, ascending."""

    kinds: tuple[tuple[int, ...], ...]
    """The kinds of `racks`, in the same shape: a kind, `UNKNOWN` or `UNREVEALED`."""

    open: tuple[int, ...] = ()
    """Numbers on racks (or on their way back) whose kinds are public, ascending."""

    returned: tuple[Shown, ...] = ()
    """Discards that go back into the bag once the tiles for them are revealed."""


def begin(counts: Sequence[int], seats: int) -> Tiles:
    """Return a full bag and empty racks.

    Args:
        counts: How many tiles there are of each kind.
        seats: How many racks.
    """
    empty: tuple[tuple[int, ...], ...] = ((),) * seats
    return Tiles(EVERYTHING, 0, 0, sum(counts), tuple(counts), empty, empty)


def bag_size(tiles: Tiles) -> int:
    """Return how many tiles are undrawn."""
    return tiles.end - tiles.first


def bag(tiles: Tiles) -> tuple[int, ...]:
    """Return the kinds in the bag, ascending: what a new deal shuffles.

    Exact for a full state with nothing left to reveal; otherwise it also holds the
    tiles whose kinds this state does not know.
    """
    return tuple(kind for kind, count in enumerate(unseen(tiles)) for _ in range(count))


def unseen(tiles: Tiles) -> tuple[int, ...]:
    """Return, of each kind, how many tiles are where this state cannot see them."""
    left = list(tiles.counts)
    for kinds in tiles.kinds:
        for kind in kinds:
            if kind >= 0:
                left[kind] -= 1
    for shown in tiles.returned:
        if shown.kind >= 0:
            left[shown.kind] -= 1
    return tuple(left)


def owner(tiles: Tiles, number: int) -> Seat | None:
    """Return the seat on whose rack a tile is, or None if it is on none."""
    for seat, rack in enumerate(tiles.racks):
        if number in rack:
            return seat
    return None


def on_rack(tiles: Tiles, seat: Seat) -> dict[int, int]:
    """Return the tiles on a rack: number -> kind, ascending."""
    return dict(zip(tiles.racks[seat], tiles.kinds[seat], strict=True))


def kind_of(tiles: Tiles, number: int) -> int:
    """Return the kind of a tile on a rack, `UNKNOWN` if this state does not know."""
    for rack, kinds in zip(tiles.racks, tiles.kinds, strict=True):
        if number in rack:
            return max(kinds[rack.index(number)], UNKNOWN)
    return UNKNOWN


def draw(tiles: Tiles, seat: Seat, size: int) -> Tiles:
    """Fill a rack up to `size` tiles, or until the bag is empty."""
    wanted = max(0, size - len(tiles.racks[seat]))
    end = min(tiles.end, tiles.first + wanted)
    fresh = range(tiles.first, end)
    rack = {**on_rack(tiles, seat), **dict.fromkeys(fresh, UNREVEALED)}
    return replace(_with_rack(tiles, seat, rack), first=end)


def pending(tiles: Tiles) -> int | None:
    """Return the lowest number on a rack that nobody has looked at, if any."""
    return min(
        (
            tile
            for rack, kinds in zip(tiles.racks, tiles.kinds, strict=True)
            for tile, kind in zip(rack, kinds, strict=True)
            if kind == UNREVEALED
        ),
        default=None,
    )


def reveals(tiles: Tiles) -> Iterator[Reveal]:
    """Yield what the next tile to be revealed may be, as often as it is likely."""
    tile = pending(tiles)
    if tile is None:
        return
    if not _sees(tiles, tile):
        yield Reveal(tile, UNKNOWN)
        return
    for kind in bag(tiles):
        yield Reveal(tile, kind)


def reveal(tiles: Tiles, move: Reveal) -> Tiles:
    """Tell the owner of the next tile what it is.

    After the last tile of an exchange the discards go back and a new deal starts.

    Raises:
        IllegalMoveError: Another tile is next, or there is none of that kind left.
    """
    if move.tile != pending(tiles):
        raise IllegalMoveError("Another tile is to be revealed first")
    if not _sees(tiles, move.tile):
        if move.kind != UNKNOWN:
            raise IllegalMoveError("That letter is not for everybody to see")
    elif not _left(unseen(tiles), move.kind):
        raise IllegalMoveError("There is no such tile left")
    seat = owner(tiles, move.tile)
    assert seat is not None  # a pending tile is on a rack
    rack = {**on_rack(tiles, seat), move.tile: move.kind}
    told = _with_rack(tiles, seat, rack)
    if told.returned and pending(told) is None:
        gone = {each.tile for each in told.returned}
        return replace(
            told,
            deal=told.deal + 1,
            first=told.end,
            end=told.end + bag_size(told) + len(gone),
            open=tuple(tile for tile in told.open if tile not in gone),
            returned=(),
        )
    return told


def closed(tiles: Tiles, seats: Collection[Seat]) -> int | None:
    """Return the lowest number on these seats' racks that is not public, if any."""
    return min(
        (
            tile
            for seat in seats
            for tile in tiles.racks[seat]
            if tile not in tiles.open
        ),
        default=None,
    )


def shows(tiles: Tiles, tile: int) -> Iterator[Show]:
    """Yield what a tile on a rack may turn out to be, as often as it is likely."""
    kind = kind_of(tiles, tile)
    for likely in (kind,) if kind >= 0 else bag(tiles):
        yield Show(tile, likely)


def show(tiles: Tiles, move: Show) -> Tiles:
    """Make the kind of a tile on a rack public.

    Raises:
        IllegalMoveError: The tile is on no rack, or is of another kind.
    """
    seat = owner(tiles, move.tile)
    if seat is None:
        raise IllegalMoveError("That tile is on no rack")
    return believe(tiles, seat, (Shown(move.tile, move.kind),))


def believe(tiles: Tiles, seat: Seat, shown: Sequence[Shown]) -> Tiles:
    """Take what a seat shows of its rack for true, and for public.

    A letter this state knows must agree.  One it does not know is believed as long
    as enough tiles of that kind are left (the log proves it elsewhere).

    Raises:
        IllegalMoveError: A tile is not on the rack, shown twice, or of another kind.
    """
    rack = on_rack(tiles, seat)
    spare = list(unseen(tiles))
    for tile, kind in ((each.tile, each.kind) for each in shown):
        known = rack.get(tile, UNREVEALED)
        if known == UNREVEALED:
            raise IllegalMoveError("That tile is not on the rack")
        if known not in (UNKNOWN, kind):
            raise IllegalMoveError("That tile has another letter")
        if known == UNKNOWN:
            if not _left(spare, kind):
                raise IllegalMoveError("There is no such tile left")
            spare[kind] -= 1
            rack[tile] = kind
    numbers = {each.tile for each in shown}
    if len(numbers) != len(shown):
        raise IllegalMoveError("A tile is shown twice")
    public = tuple(sorted(numbers.union(tiles.open)))
    return replace(_with_rack(tiles, seat, rack), open=public)


def put(tiles: Tiles, seat: Seat, shown: Sequence[Shown]) -> Tiles:
    """Move tiles from a rack to the board; their kinds become public.

    Raises:
        IllegalMoveError: As `believe`.
    """
    told = believe(tiles, seat, shown)
    gone = {each.tile for each in shown}
    rack = {t: kind for t, kind in on_rack(told, seat).items() if t not in gone}
    return replace(
        _with_rack(told, seat, rack),
        counts=_counted(told.counts, (each.kind for each in shown), -1),
        open=tuple(tile for tile in told.open if tile not in gone),
    )


def take(tiles: Tiles, seat: Seat, shown: Sequence[Shown]) -> Tiles:
    """Move tiles from the board to a rack; everybody has seen them."""
    rack = {**on_rack(tiles, seat), **{each.tile: each.kind for each in shown}}
    return replace(
        _with_rack(tiles, seat, rack),
        counts=_counted(tiles.counts, (each.kind for each in shown), 1),
        open=tuple(sorted({each.tile for each in shown}.union(tiles.open))),
    )


def exchange(tiles: Tiles, seat: Seat, numbers: Sequence[int]) -> Tiles:
    """Discard tiles and draw as many; the discards go back after the drawing.

    The new deal starts when the tiles drawn here have all been revealed, so that
    a discard cannot come back at once.

    Raises:
        IllegalMoveError: A tile is not on the rack or named twice, or the bag holds
            too few.
    """
    rack = on_rack(tiles, seat)
    if len(numbers) > bag_size(tiles):
        raise IllegalMoveError("There are not enough tiles left in the pool")
    if len(set(numbers)) != len(numbers) or not rack.keys() >= set(numbers):
        raise IllegalMoveError("That tile is not on the rack")
    size = len(rack)
    back = tuple(Shown(number, rack.pop(number)) for number in numbers)
    left = replace(_with_rack(tiles, seat, rack), returned=back)
    return draw(left, seat, size)


def view(tiles: Tiles, seat: Seat | None) -> Tiles:
    """Return the tiles as a seat knows them; None is a bystander."""
    kinds = tuple(
        own if holder == seat else _hidden(tiles, rack, own)
        for holder, (rack, own) in enumerate(zip(tiles.racks, tiles.kinds, strict=True))
    )
    returned = tiles.returned
    if returned and seat != _exchanger(tiles):
        numbers = tuple(each.tile for each in returned)
        hidden = _hidden(tiles, numbers, tuple(each.kind for each in returned))
        returned = tuple(map(Shown, numbers, hidden))
    eye = BYSTANDER if seat is None else seat
    return replace(tiles, eye=eye, kinds=kinds, returned=returned)


def known(tiles: Tiles, seat: Seat, kinds: Mapping[int, int]) -> Tiles:
    """Return what a bystander sees of the tiles, with what a seat knows put in.

    Where all its tiles are known it is `view` of the full state; a tile whose kind is
    not among them stays `UNKNOWN`.

    Args:
        tiles: As a bystander sees them.
        seat: Who looks.
        kinds: Number -> kind, of tiles that the seat has drawn, now or earlier.
    """
    own = zip(tiles.racks[seat], tiles.kinds[seat], strict=True)
    rack = tuple(kinds.get(t, kind) if kind == UNKNOWN else kind for t, kind in own)
    returned = tiles.returned
    if returned and seat == _exchanger(tiles):
        returned = tuple(
            Shown(t, kinds.get(t, kind) if kind == UNKNOWN else kind)
            for t, kind in ((each.tile, each.kind) for each in returned)
        )
    held = put_at(tiles.kinds, seat, rack)
    return replace(tiles, eye=seat, kinds=held, returned=returned)


def public(tiles: Tiles) -> tuple[Any, ...]:
    """Return a bystander's view of the tiles as plain values (see `Game.public`)."""
    return tiles.deal, tiles.first, tiles.end, tiles.racks, tiles.kinds


def mask(tiles: Tiles, move: Reveal, seat: Seat | None) -> Reveal:
    """Return a `Reveal`, made with these tiles, as a seat sees it."""
    if seat is not None and owner(tiles, move.tile) == seat:
        return move
    return Reveal(move.tile, UNKNOWN)


def _with_rack(tiles: Tiles, seat: Seat, rack: dict[int, int]) -> Tiles:
    """Return the tiles with a seat's rack replaced, ordered by number."""
    held = sorted(rack.items())
    return replace(
        tiles,
        racks=put_at(tiles.racks, seat, tuple(tile for tile, _ in held)),
        kinds=put_at(tiles.kinds, seat, tuple(kind for _, kind in held)),
    )


def _sees(tiles: Tiles, tile: int) -> bool:
    """Say whether whoever this state belongs to is told a tile's letter."""
    return tiles.eye == EVERYTHING or owner(tiles, tile) == tiles.eye


def _left(counts: Sequence[int], kind: int) -> bool:
    """Say whether there is a tile of that kind; any number may be asked for."""
    return 0 <= kind < len(counts) and counts[kind] > 0


def _counted(
    counts: tuple[int, ...], kinds: Iterator[int], step: int
) -> tuple[int, ...]:
    """Return the counts with `step` added for every kind named."""
    changed = list(counts)
    for kind in kinds:
        changed[kind] += step
    return tuple(changed)


def _hidden(
    tiles: Tiles, numbers: tuple[int, ...], kinds: tuple[int, ...]
) -> tuple[int, ...]:
    return tuple(
        kind if kind == UNREVEALED or number in tiles.open else UNKNOWN
        for number, kind in zip(numbers, kinds, strict=True)
    )


def _exchanger(tiles: Tiles) -> Seat | None:
    """Return who discarded: whoever drew last of those with tiles to be revealed."""
    fresh = (
        tile
        for rack, kinds in zip(tiles.racks, tiles.kinds, strict=True)
        for tile, kind in zip(rack, kinds, strict=True)
        if kind == UNREVEALED
    )
    tile = max(fresh, default=None)
    return None if tile is None else owner(tiles, tile)

"""What an encrypted bag has to do with the rules: which tiles, whose they are."""

from collections.abc import Container, Sequence

from netplay.bag.group import available
from netplay.errors import Code, PeerError
from netplay.messages.table import Terms
from netplay.record.decks import MOST_TILES
from netplay.record.log import match_of
from netplay.record.masked import MaskedBag
from netplay.record.playable import Playable, tiles_of
from rules.tiles import Tiles, bag


def may_encrypt(playable: Playable) -> bool:
    """Tell whether a game has a bag, and one that can be encrypted here."""
    tiles = tiles_of(playable.game, playable.start())
    return available() and tiles is not None and 0 < len(bag(tiles)) <= MOST_TILES


def masked_bag(terms: Terms, playable: Playable) -> MaskedBag | None:
    """Return the encrypted bag that terms ask for, None if they ask for none.

    Raises:
        PeerError: UNEXPECTED, the game has no tiles, or too many, or a single member
            has all the seats; RULES, the library here cannot do it.
    """
    if terms.fairness == "committed":
        return None
    tiles = tiles_of(playable.game, playable.start())
    if tiles is None or len({seat.member for seat in terms.seats}) < 2:
        raise PeerError(Code.UNEXPECTED, "an encrypted bag for this table")
    if not available():
        raise PeerError(Code.RULES, "an encrypted bag: libsodium here has no group")
    return MaskedBag(match_of(terms), bag(tiles), len(tiles.counts))


def owners(
    tiles: Tiles | None, holders: Sequence[bytes], known: Container[int]
) -> dict[int, bytes]:
    """Return whose the tiles on racks are, of those that not everybody knows.

    Args:
        tiles: Of the public state.
        holders: Of the seats.
        known: Numbers of tiles that were proved to all.
    """
    if tiles is None:
        return {}
    return {
        tile: holders[seat]
        for seat, rack in enumerate(tiles.racks)
        for tile in rack
        if tile not in known and tile not in tiles.open
    }


def sources(tiles: Tiles) -> tuple[int, ...]:
    """Return the tiles that the next deal is made of, as its last Reveal is played.

    What is left in the bag, then what goes back, both by number.
    """
    back = sorted(each.tile for each in tiles.returned)
    return (*range(tiles.first, tiles.end), *back)

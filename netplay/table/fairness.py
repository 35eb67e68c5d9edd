"""How tiles are drawn at a new table: as its host wishes, as is usual, or as can be."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from netplay.errors import Code, LocalError
from netplay.messages.table import USUALLY, Fairness
from netplay.record.decks import MOST_TILES
from netplay.record.masking import may_encrypt
from netplay.record.playable import Playable
from netplay.said import Words
from netplay.sentences import Says
from netplay.table.chairs import Chair


class Drawing(Struct, frozen=True):
    """How tiles are drawn, and what was asked for."""

    fairness: Fairness = "committed"
    wished: Fairness | Literal[""] = ""
    """Empty for the usual way."""
    why: Words = ""
    """Why it is not the usual way, though nobody has wished for another."""


def drawing(
    wished: Fairness | Literal[""], playable: Playable, chairs: Sequence[Chair]
) -> Drawing:
    """Return how tiles are drawn; usually as `USUALLY` says, if that can be.

    Raises:
        LocalError: USAGE, an encrypted bag is wished for where there is none, or
            nobody to hide it from, or one that cannot be encrypted.
    """
    why = _hindrance(playable, chairs)
    if wished == "encrypted" and why:
        raise LocalError(Code.USAGE, why)
    how = wished or USUALLY
    if how == "committed":
        return Drawing(how, wished)
    if not why:
        return Drawing("encrypted", wished)
    told = playable.game.ABOUT.tiled is not None and is_apart(chairs)
    return Drawing("committed", wished, why if told else "")


def _hindrance(playable: Playable, chairs: Sequence[Chair]) -> Words:
    """Return why a bag cannot be encrypted, empty if it can."""
    if playable.game.ABOUT.tiled is None or _computers(chairs) <= 1:
        return Says.NOTHING_TO_ENCRYPT()
    return "" if may_encrypt(playable) else Says.CANNOT_ENCRYPT(most=MOST_TILES)


def is_apart(chairs: Sequence[Chair]) -> bool:
    """Tell whether anybody plays from another computer."""
    return any(chair.kind == "remote" for chair in chairs)


def again(fairness: Fairness, chairs: Sequence[Chair]) -> Drawing:
    """Return how tiles are drawn in a rematch: as before, if somebody is elsewhere."""
    return Drawing(fairness, fairness) if _computers(chairs) > 1 else Drawing()


def _computers(chairs: Sequence[Chair]) -> int:
    """Return at how many computers there are seats; free ones are each elsewhere."""
    remote = [chair for chair in chairs if chair.kind == "remote"]
    known = {chair.key for chair in remote if chair.key is not None}
    free = sum(chair.key is None for chair in remote)
    return len(known) + free + (len(remote) < len(chairs))

"""What a record says of racks, beside the tiles that can be counted.

Nothing is drawn between two turns of one player: what stayed on a rack must be on the
one stated next.  And no tile is twice: on the board, or on two racks.  People who wrote
a game down by hand err in this, so it is said, and the game goes on.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from netplay.formats import lettering
from netplay.formats.lettering import LetterError
from netplay.formats.placing import Faults
from rules.networdz import Ground
from rules.sentence import sentence


class Racks:
    """What is known to be on each rack."""

    def __init__(self, ground: Ground, seats: int) -> None:
        self.ground: Final = ground
        self._kept: Final = [Counter[int]() for _ in range(seats)]

    def read(self, text: str) -> tuple[int, ...]:
        """Return the kinds of the tiles that a text names.

        Raises:
            Faults: The edition has no such tile.
        """
        try:
            return lettering.kinds(text, self.ground)
        except LetterError as error:
            raise Faults(error.words) from None

    def doubt(self, seat: int, rack: Sequence[int], board: bytes) -> str:
        """Return why a rack cannot be the one stated, empty if it can.

        Args:
            seat: Whose.
            rack: The kinds stated, perhaps not all.
            board: For each square 0, or one more than the kind of the tile there.
        """
        size = self.ground.edition.rack
        if len(rack) > size:
            return sentence(
                "a rack has at most {most} tiles, not {count}",
                most=size,
                count=len(rack),
            )
        others = [kept for other, kept in enumerate(self._kept) if other != seat]
        elsewhere = sum(others, Counter[int]())
        if wrong := self.overdrawn([*rack, *elsewhere.elements()], board):
            return wrong
        kept = self._kept[seat]
        if (kept | Counter(rack)).total() > size:
            missing = lettering.spell(
                sorted((kept - Counter(rack)).elements()), self.ground
            )
            return sentence(
                "the tiles {missing} were kept, and are not on the rack stated",
                missing=missing,
            )
        return ""

    def overdrawn(self, kinds: Iterable[int], board: bytes) -> str:
        """Return of which kind there are too many, empty if of none."""
        used = Counter(kind - 1 for kind in board if kind)
        used.update(kinds)
        for kind, count in sorted(used.items()):
            tile = self.ground.edition.kinds[kind]
            if count > tile.count:
                return sentence(
                    "that makes {count} tiles {letters}, but there are {most}",
                    count=count,
                    letters=tile.letters,
                    most=tile.count,
                )
        return ""

    def unseen(self, board: bytes) -> Counter[int]:
        """Return the tiles that are not on the board."""
        counts = Counter(dict(enumerate(self.ground.edition.counts)))
        counts.subtract(kind - 1 for kind in board if kind)
        return +counts

    def keep(self, seat: int, rack: Iterable[int], gone: Iterable[int] = ()) -> None:
        """Note what stays on a rack.

        Args:
            seat: Whose.
            rack: What was on it; if nothing was said of it, what was known before.
            gone: What leaves it.
        """
        known = Counter(rack) or self._kept[seat]
        self._kept[seat] = known - Counter(gone)

    def forget(self, seat: int) -> None:
        """Forget what was known of a rack."""
        self._kept[seat] = Counter()

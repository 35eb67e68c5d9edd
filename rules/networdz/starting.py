"""Who starts: each draws a tile, the lowest starts (source document, Starting)."""

from collections.abc import Sequence

from rules.game import Seat
from rules.networdz.ground import Ground
from rules.networdz.values import Draw


def drawing(seats: int, blank: int, draws: Sequence[Draw]) -> tuple[list[Seat], int]:
    """Return who draws in the present round, and how many of them already have.

    One seat alone is the starter.  Blanks are lowest; those who tie for the lowest
    tile draw again, after all tiles have gone back.

    Args:
        seats: How many seats draw in the first round.
        blank: The kind that is the blank.
        draws: The tiles drawn so far, in order.
    """
    rivals = list(range(seats))
    done = 0
    while len(rivals) > 1 and len(draws) - done >= len(rivals):
        ranks = {
            draw.seat: -1 if draw.kind == blank else draw.kind
            for draw in draws[done : done + len(rivals)]
        }
        done += len(rivals)
        rivals = [seat for seat in rivals if ranks[seat] == min(ranks.values())]
    return rivals, len(draws) - done


def outcomes(field: Ground, seats: int, draws: Sequence[Draw]) -> list[Draw]:
    """Return what the next seat may draw, as often as it is likely."""
    rivals, drawn = drawing(seats, field.blank, draws)
    left = list(field.edition.counts)
    for draw in draws[len(draws) - drawn :]:
        left[draw.kind] -= 1
    seat = rivals[drawn]
    return [Draw(seat, kind) for kind, count in enumerate(left) for _ in range(count)]

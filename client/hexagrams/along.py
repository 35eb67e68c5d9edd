"""What cells are called, along the board, where stones hide their names."""

from functools import lru_cache
from typing import NamedTuple

from client.hexagrams.geometry import Field, spots
from client.layout import box
from client.scene import Align, Node, Rect
from client.theme import Look
from client.widgets import Tone, label
from rules.hexagrams.notation import HEXAGON, column_name, line_number, row_and_x


class Line(NamedTuple):
    """Cells beside or above each other, which share a part of their names."""

    text: str
    cells: list[Rect]


@lru_cache(maxsize=8)
def coordinates(field: Field, look: Look, *, page: bool) -> tuple[Node, ...]:
    """Return numbers at the left and letters below: C5 is where row 5 meets C.

    Where cells are called as on the game's page, rows of hexagons stand at the right:
    T(4,1) is where T4 meets 1.
    """
    rows, columns = _lines(field, page=page)
    size = max(8, min(look.small, round(field.side * 0.2)))
    wide, high = look.width("H8", size) + 2, round(size * 1.3)
    made: list[tuple[Rect, str]] = []
    for text, cells in rows:
        y = cells[0].centre[1] - high // 2
        left = min(cell.x for cell in cells) + field.side * 0.12
        right = max(cell.right for cell in cells) + field.side * 0.1
        x = round(right if text[0] == "H" else left - wide)
        made.append((Rect(x, y, wide, high), text))
    for text, cells in columns:
        low = max(cells, key=lambda cell: cell.bottom)
        spot = Rect(low.centre[0] - wide // 2, low.bottom, wide, high)
        made.append((spot, text))
    return tuple(
        label(spot, text, look, name=f"along:{text}", size=size, align=Align.CENTRE,
              tone=Tone.DIM)
        for spot, text in made
    )  # fmt: skip


def _lines(field: Field, *, page: bool) -> tuple[list[Line], list[Line]]:
    """Return the rows of cells and the columns, with what they are called."""
    rows: dict[str, list[Rect]] = {}
    columns: dict[str, list[Rect]] = {}
    for sort, number in spots():
        row, x = row_and_x(sort, number)
        spot = box(field.outline((sort, number)))
        text = f"{sort.upper()}{row}" if page else str(line_number(sort, row))
        rows.setdefault(text, []).append(spot)
        if sort != HEXAGON:
            text = str(x) if page else column_name(x)
            columns.setdefault(text, []).append(spot)
    return [Line(*each) for each in rows.items()], [
        Line(*each) for each in columns.items()
    ]

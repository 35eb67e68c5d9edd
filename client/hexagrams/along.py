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
    slanting: bool
    """Its ends are those of triangles."""
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
    for text, slanting, cells in rows:
        y = cells[0].centre[1] - high // 2
        apart = round(field.side * (-0.12 if slanting else 0.1))
        x = min(cell.x for cell in cells) - apart - wide
        if text[0] == "H":
            x = max(cell.right for cell in cells) + apart
        made.append((Rect(x, y, wide, high), text))
    for text, _slanting, cells in columns:
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
    rows: dict[str, Line] = {}
    columns: dict[str, Line] = {}
    for sort, number in spots():
        row, x = row_and_x(sort, number)
        spot = box(field.outline((sort, number)))
        slanting = sort != HEXAGON
        text = f"{sort.upper()}{row}" if page else str(line_number(sort, row))
        rows.setdefault(text, Line(text, slanting, [])).cells.append(spot)
        if slanting:
            text = str(x) if page else column_name(x)
            columns.setdefault(text, Line(text, slanting, [])).cells.append(spot)
    return [*rows.values()], [*columns.values()]

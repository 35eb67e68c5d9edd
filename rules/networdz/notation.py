"""How squares of Networdz are called, as word-game programs do."""

from string import ascii_uppercase

from rules.networdz.ground import Ground


def column_name(column: int) -> str:
    """Return the letters of a column, from 0: A to Z, then AA and so on."""
    high, low = divmod(column, len(ascii_uppercase))
    return f"{ascii_uppercase[high - 1] if high else ''}{ascii_uppercase[low]}"


def square_name(ground: Ground, cell: int, *, down: bool) -> str:
    """Return what a square is called: `8H` for a word across, `H8` for one down."""
    row, column = divmod(cell, ground.width)
    name = column_name(column)
    return f"{name}{row + 1}" if down else f"{row + 1}{name}"

"""How squares of Numlo are called: column and row, A1 at the top left."""

from string import ascii_uppercase


def column_name(column: int) -> str:
    """Return the letter of a column, from 0."""
    return ascii_uppercase[column]


def square_name(size: int, square: int) -> str:
    """Return what a square is called on a board so many squares wide."""
    row, column = divmod(square, size)
    return f"{column_name(column)}{row + 1}"

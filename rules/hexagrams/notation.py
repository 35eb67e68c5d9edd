"""How cells and plies of Hexagrams are written: T(4,1)-T(5,1), with x for a capture."""

from rules.hexagrams.board import HEXAGONS, TRIANGLES


def hexagon_name(number: int) -> str:
    """Return what a hexagon is called, by row and place."""
    row, x = HEXAGONS[number]
    return f"H({row},{x})"


def triangle_name(number: int) -> str:
    """Return what a triangle is called, by row and place."""
    row, x = TRIANGLES[number]
    return f"T({row},{x})"


def ply_name(origin: str, target: str, *, captures: bool) -> str:
    """Return a ply from one cell to another, by their names."""
    return f"{origin}{'x' if captures else '-'}{target}"

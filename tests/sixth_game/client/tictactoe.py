"""Tic-tac-toe in the window: nine squares to click, or to choose by the digits.

The names of `client.app.board.Board`.
"""

from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from rules.tictactoe import NOBODY, OVER, Mark, Move, State

from client.app.board import Chosen, Seen, Sheet, Step, Traits
from client.ui import widgets
from client.ui.intents import Click, Intent, Text
from client.ui.layout import Squares
from client.ui.scene import Mark as Sign
from client.ui.scene import Means, Node, Rect, Role, Shape
from client.ui.texts import _
from client.ui.theme import Look
from rules import tictactoe
from rules.game import IllegalMoveError, Resign

Now: TypeAlias = Seen[State, Move]

TRAITS: Final = Traits()

SIGNS: Final = (Sign.CROSS, Sign.RING, Sign.NONE)


class MarkAt(Means, frozen=True):
    """Mark a square."""

    at: int


class Local(Struct, frozen=True):
    """What this window knows beyond the match."""

    notice: str = ""
    """Why the last try was refused."""


def begin(seen: Now) -> Local:
    """Return the state for a match seen for the first time."""
    return Local()


def renew(seen: Now, local: Local) -> Local:
    """Forget what was said about the position before."""
    return Local()


def busy(seen: Now, local: Local) -> bool:
    """Tell whether something moves by itself: nothing does."""
    return False


def tick(seen: Now, local: Local) -> tuple[Local, Move | None]:
    """Return no change."""
    return local, None


def handle(seen: Now, local: Local, intent: Intent) -> tuple[Local, Move | None]:
    """Take a click on a square, or its digit: 7 is the upper left one."""
    match intent:
        case Click(means=MarkAt(at=at)):
            return _mark(seen, local, at)
        case Text(text=text) if text in set("123456789"):
            row, column = divmod(int(text) - 1, 3)
            return _mark(seen, local, 3 * (2 - row) + column)
        case _:
            return local, None


def _mark(seen: Now, local: Local, at: int) -> tuple[Local, Move | None]:
    """Return the move that marks a square, or why it cannot be."""
    if seen.seat is None or not seen.live:
        return local, None
    try:
        tictactoe.play(seen.view, seen.seat, Mark(at))
    except IllegalMoveError as error:
        return replace(local, notice=_(str(error))), None
    return Local(), Mark(at)


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the nine squares."""
    squares = Squares.fitted(area.inset(look.px(6)), 3, 3)
    gap = max(1, squares.side // 24)
    cells = [
        _cell(seen, at, squares.cell(at % 3, at // 3, gap), look) for at in range(9)
    ]
    face = widgets.panel(squares.rect, look, cells, name="board")
    return widgets.group(area, [face], name="game")


def _cell(seen: Now, at: int, rect: Rect, look: Look) -> Node:
    """Return a square with what is on it."""
    own, theme = seen.view.squares[at], look.theme
    return Node(
        Role.CELL, f"cell:{at}", rect, shape=Shape.ROUND, radius=look.px(6),
        bg=theme.cell, fg=widgets.ink(theme.cell, look), mark=SIGNS[own], live=True,
        value="" if own == NOBODY else "XO"[own], means=MarkAt(at),
    )  # fmt: skip


def status(seen: Now, local: Local) -> str:
    """Return whose turn it is, or how it ended."""
    view = seen.view
    if local.notice:
        return local.notice
    if view.turn != OVER:
        return _("{name} is to mark a square.").format(name=seen.names[view.turn])
    if view.winner == NOBODY:
        return _("The game is a draw.")
    return _("{name} has won.").format(name=seen.names[view.winner])


def sheets(seen: Now) -> tuple[Sheet, ...]:
    """Return each seat's sign."""
    return tuple(Sheet("", sign) for sign in "XO")


def tell(step: Step[State, Move], names: tuple[str, ...]) -> str:
    """Return one line on a move for the list."""
    if isinstance(step.move, Resign):
        return _("{name} resigns.").format(name=names[step.actor])
    return (
        f"{names[step.actor]}  {'abc'[step.move.square % 3]}{3 - step.move.square // 3}"
    )


def option_words() -> dict[str, str]:
    """Return the words for the option."""
    return {"misere": _("Three in a row lose")}


def keys(chosen: Chosen) -> tuple[tuple[str, str], ...]:
    """Return the keys of the board."""
    return (("1-9", _("mark a square, as they lie on the keypad")),)

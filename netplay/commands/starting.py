"""The beginning of a match that is played by nobody at a table."""

from collections.abc import Iterable
from typing import Any

from netplay import home
from netplay.errors import Code, LocalError
from netplay.said import spoken
from netplay.table.chosen_options import chosen_options
from netplay.table.own_files import OwnFiles
from rules.game import Game, IllegalMoveError


def begin(
    game: Game[Any, Any], seats: int, pairs: Iterable[tuple[str, str]]
) -> tuple[Any, Any]:
    """Return the options that a user wishes for, and the state before the first move.

    Args:
        game: What is played.
        seats: How many play.
        pairs: (key, value) as typed; editions and word lists by their names.

    Raises:
        LocalError: It cannot be played so; see `chosen_options`.
    """
    OwnFiles(home.find(None)).look()
    options = chosen_options(game, pairs)
    try:
        return options, game.start(seats, options)
    except IllegalMoveError as error:
        raise LocalError(Code.USAGE, spoken(error)) from error

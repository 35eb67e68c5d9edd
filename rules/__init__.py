"""Five games as pure functions over frozen values; `GAMES` finds them by name."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final, cast

from typing_extensions import override

from rules.game import Game

TITLES: Final[Mapping[str, str]] = {
    "networdz": "Networdz",
    "lhexicon": "Lhexicon",
    "numlo": "Numlo",
    "hexagrams": "Hexagrams",
    "hexcolumns": "Hexcolumns",
}
"""Name -> what players call the game: known before its module is loaded."""


class _Games(Mapping[str, "Game[Any, Any]"]):
    """The games by name, each imported when it is first asked for.

    A program that plays one game need not load the other four.
    """

    @override
    def __getitem__(self, name: str) -> "Game[Any, Any]":
        """Return the module of a game, or raise KeyError for an unknown name."""
        if name not in TITLES:
            raise KeyError(name)
        # A module is a game by its names; the contract suite checks them.
        return cast("Game[Any, Any]", import_module(f"rules.{name}"))

    @override
    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in the order players see them."""
        return iter(TITLES)

    @override
    def __len__(self) -> int:
        """Return how many games there are."""
        return len(TITLES)


GAMES: Final[Mapping[str, Game[Any, Any]]] = _Games()
"""Name -> the module that is the game."""

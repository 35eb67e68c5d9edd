"""The games as pure functions over frozen values; `GAMES` finds them by name."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple, cast

from typing_extensions import override

from rules.game import Game


class Listed(NamedTuple):
    """What a list of games shows, known before a game's module is loaded."""

    title: str
    """What players call it."""

    motto: str
    """A few words on it, in English."""


LISTED: Final[Mapping[str, Listed]] = {
    "networdz": Listed("Networdz", "words on a board of squares"),
    "lhexicon": Listed("Lhexicon", "words on a board of hexagons"),
    "numlo": Listed("Numlo", "flip runs of numbered squares"),
    "hexagrams": Listed("Hexagrams", "march across hexagons and triangles"),
    "hexcolumns": Listed("Hexcolumns", "line up colours against the clock"),
}
"""The games there are, by name, in the order in which players see them.

The one place to enter a game.  What belongs to it is found by its name: the rules in
`rules.<name>`, its computer player in `netplay.players.<name>`, its boards and moves in
words in `netplay.text.<name>`, and what the window shows in `client.<name>`.
"""


def title_of(name: str) -> str:
    """Return what players call a game; one that is not listed is called by its name."""
    return LISTED[name].title if name in LISTED else name


class _Games(Mapping[str, "Game[Any, Any]"]):
    """The games by name, each imported when it is first asked for.

    A program that plays one game need not load the others.
    """

    @override
    def __getitem__(self, name: str) -> "Game[Any, Any]":
        """Return the module of a game, or raise KeyError for an unknown name."""
        if name not in LISTED:
            raise KeyError(name)
        # A module is a game by its names; the contract suite checks them.
        return cast("Game[Any, Any]", import_module(f"rules.{name}"))

    @override
    def __iter__(self) -> Iterator[str]:
        """Iterate over the names in the order players see them."""
        return iter(LISTED)

    @override
    def __len__(self) -> int:
        return len(LISTED)


GAMES: Final[Mapping[str, Game[Any, Any]]] = _Games()
"""Name -> the module that is the game."""

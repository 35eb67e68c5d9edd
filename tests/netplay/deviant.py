"""Members whose programs have other rules than ours."""

from collections.abc import Iterator, Mapping
from typing import Any

from netplay.record import playable
from rules import GAMES, numlo
from rules.game import CHANCE
from tests.netplay.party import Party


def never_early(thinking: Any) -> None:
    """Have members - one, or their class - find that no claim comes too early."""
    thinking._is_early = lambda *_: False


class Deviant:
    """A game like one of ours, but for some functions."""

    def __init__(self, game: Any, **others: Any) -> None:
        self._game = game
        self._others = others

    def __getattr__(self, name: str) -> Any:
        return self._others.get(name, getattr(self._game, name))


def values_backwards(state: Any, actor: int) -> Iterator[Any]:
    """List the outcomes of chance from the last on."""
    found = list(numlo.moves(state, actor))
    return iter(found[::-1] if actor == CHANCE else found)


BACKWARDS = Deviant(numlo, moves=values_backwards)


def restart_with(party: Party, n: int, game: Any) -> None:
    """Let a member begin again with a program of other rules."""
    games: Mapping[str, Any] = {**GAMES, party.terms.game: game}
    names = vars(playable)
    names["GAMES"], real = games, names["GAMES"]
    try:
        party.start(n)
    finally:
        names["GAMES"] = real


def differing(members: int, deviant: int, game: Any = BACKWARDS, **more: Any) -> Party:
    """Return a match that has begun, with one member whose program differs."""
    options = more.pop("options", GAMES["numlo"].ABOUT.options(size=8))
    party = Party(more.pop("name", "numlo"), members, options)
    restart_with(party, deviant, game)
    party.link_all()
    party.settle()
    return party

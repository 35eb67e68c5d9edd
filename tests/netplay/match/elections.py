"""Parties whose host goes, for the tests of elections."""

from random import Random

from netplay.messages.log import Turn
from rules import GAMES
from rules.game import Resign
from tests.netplay.match.matches import turn_of
from tests.netplay.party import Party

NUMLO = GAMES["numlo"].ABOUT.options(size=8, values=False)


def party_of(members: int, game: str = "numlo") -> Party:
    options = NUMLO if game == "numlo" else None
    party = Party(game, members, options)
    party.link_all()
    party.settle()
    return party


def isolate(party: Party, n: int) -> None:
    for m in range(len(party.keys)):
        party.cut(n, m)


def hosts(party: Party) -> list[int]:
    numbers = {key.key: n for n, key in enumerate(party.keys)}
    return [numbers[match.host] for match in party.running]


def play_some(party: Party, moves: int, rng: Random) -> None:
    for _ in range(moves):
        party.play_one(rng)
        party.settle()


def resign_of(party: Party, seat: int) -> Turn:
    return turn_of(party.member(0), seat, Resign())

"""The game that terms name: can this node play it so; and what has happened in it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from netplay.errors import Code, PeerError
from netplay.messages.table import Terms
from netplay.record.chance import pick
from netplay.said import spoken
from netplay.sentences import Says
from netplay.wire import unpack
from rules import GAMES
from rules.game import CHANCE, Game, IllegalMoveError
from rules.tiles import Tiles


class Past(Struct, frozen=True):
    """A move of the match, as a bystander saw it."""

    number: int
    """The entry that it came with."""
    actor: int
    move: Any
    at: int
    """Milliseconds of the match."""


class Back(NamedTuple):
    """A turn was taken back, and what followed it: the history ends before it."""

    number: int
    """The entry by which it was."""
    place: int
    """What had happened before it, counted with chance."""


def kept(backs: Sequence[Back], known: int, at: int) -> int:
    """Return how much still stands of a part of the history that was looked at.

    Args:
        backs: What was taken back.
        known: So many of these were heeded.
        at: How much of the history was looked at.
    """
    return min([at, *(back.place for back in backs[known:])])


class Again(NamedTuple):
    """A round of chance that began again, so that its outcome is another."""

    number: int
    """The entry by which it did."""
    round: int
    host: str
    """Name of who was host from then on."""
    another: bool
    """Whether that was somebody else than before; if not, a seat had passed on."""


class Foreseen(Struct, frozen=True):
    """A move that was tried, and what came of it."""

    state: Any
    """In which it was tried."""
    actor: int
    move: Any
    after: Any
    raw: bytes
    """The move, encoded."""


class Playable(NamedTuple):
    """A game with its options."""

    game: Game[Any, Any]
    options: Any
    seats: int

    def start(self) -> Any:  # noqa: ANN401 (each game its own)
        """Return the state before the first move.

        Raises:
            PeerError: ILLEGAL_MOVE, the options do not go together.
        """
        try:
            return self.game.start(self.seats, self.options)
        except (IllegalMoveError, ValueError, LookupError) as error:
            raise PeerError(Code.ILLEGAL_MOVE, spoken(error)) from None


def playable(terms: Terms) -> Playable:
    """Return the game of terms.

    Editions and word lists are not looked for: `start` fails without them.

    Raises:
        PeerError: RULES, the game is not known here or in another version;
            ILLEGAL_MOVE, it is not played so; BAD_FRAME and NOT_CANONICAL, these are
            no options; UNEXPECTED, the terms contradict themselves.
    """
    game = GAMES.get(terms.game)
    if game is None:
        raise PeerError(Code.RULES, Says.NO_VERB(name=terms.game))
    about = game.ABOUT
    if about.version != terms.version:
        detail = Says.RULES_VERSION(
            rules=terms.version, game=about.title, version=about.version,
            older=min(terms.version, about.version),
        )  # fmt: skip
        raise PeerError(Code.RULES, detail)
    if len(terms.seats) not in about.seats:
        raise PeerError(Code.ILLEGAL_MOVE, f"{about.title} for {len(terms.seats)}")
    options = unpack(terms.options, about.options)
    # Refuse a member who is twice there or has no seat, and a seat of nobody's.
    # The host alone may have none: another would look on, and nobody would see
    # it.
    keys = {member.key for member in terms.members}
    members = set(range(len(terms.members)))
    seated = {seat.member for seat in terms.seats}
    if len(keys) != len(members) or seated | {0} != members:
        raise PeerError(Code.UNEXPECTED, "the members of the terms")
    # Refuse terms that name one edition or word list and options that name
    # another
    digests = about.digests(options)
    for name, named in (("edition", terms.edition), ("lexicon", terms.lexicon)):
        if digests.get(name, "") != named.hex():
            raise PeerError(Code.UNEXPECTED, f"the {name} of the terms")
    if terms.days and about.hz:
        raise PeerError(Code.UNEXPECTED, "days to think in a game without turns")
    return Playable(game, options, len(terms.seats))


def tiles_of(game: Game[Any, Any], state: Any) -> Tiles | None:  # noqa: ANN401 (any game's)
    """Return the numbered tiles of a state, None for a game without."""
    tiled = game.ABOUT.tiled
    return None if tiled is None else tiled.tiles(state)


def chosen(game: Game[Any, Any], state: Any, key: bytes, number: int) -> Any:  # noqa: ANN401 (any game's)
    """Return the outcome of the n-th public move of chance."""
    indexed = game.ABOUT.indexed_chance
    if indexed is not None:
        count = indexed.chance_count(state)
        return indexed.chance_move(state, pick(key, number, count))
    outcomes = list(game.moves(state, CHANCE))
    return outcomes[pick(key, number, len(outcomes))]

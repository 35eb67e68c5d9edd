"""Two computer players against each other, many times, to see who is stronger.

Games come in groups of one draw: whatever chance decides is the same in each game of
a group, and the players sit in each arrangement of the seats once.  A result is the
number of *pairs* of seats, one of A and one of B, in which A's place was the better.

The games of a group depend on each other, groups do not: errors are those of a mean of
groups, which is why equal draws make them smaller.
"""

import random  # noqa: TID251 (matches that can be played again; nobody's secret)
from collections.abc import Callable
from functools import partial
from itertools import product
from math import log, sqrt
from statistics import mean, stdev
from time import process_time  # noqa: TID251 (how long a player thinks is measured)
from typing import Any, Final, TypeAlias

from msgspec import Struct

from netplay import levels
from netplay.errors import Code, LocalError
from netplay.players import BEST, player, talent
from netplay.players.deepening import gc_paused
from netplay.players.evaluating import advised
from netplay.record.views import scores
from netplay.sentences import Says
from rules import GAMES
from rules.game import CHANCE, CLOCK, Game, Seat
from rules.tiles import Reveal, Show

RANDOM: Final = "random"
Chooser: TypeAlias = "Callable[[Any, Seat, random.Random], Any]"
"""(view, seat, rng) -> move."""

PROGRAM: Final = "program:"
"""Before the path of a program of the user's own."""

_MOVES_LISTED: Final = 500
"""A random player picks among so many moves; word games have millions of discards."""

_TICKS_MOST: Final = 30 * 60 * 30
"""A well that lives half an hour has shown what it can."""


DOUBT: Final = 0.05
"""How often a match between equals is called decided, however often one looks."""

FEW: Final = 12
"""Groups before which nothing is decided: their spread is not known yet."""

_HORIZON: Final = 100
"""Groups after which a decision is looked for most closely."""


class Tally(Struct):
    """What came of many games; it grows."""

    games: int = 0
    a_wins: int = 0
    b_wins: int = 0
    ties: int = 0
    a_points: int = 0
    b_points: int = 0
    pieces: list[int] = []
    """Of each well of A, in games of pieces: how many it took."""
    slowest: float = 0.0
    """Seconds of the processor for the longest thought."""
    shares: list[float] = []
    """Of each group: of the pairs of seats, how many A won, 0 to 1."""
    margins: list[float] = []
    """Of each group: by how many points a seat of A was ahead of one of B."""

    def add(self, group: "Tally") -> None:
        """Count a group of games."""
        self.games += group.games
        self.a_wins += group.a_wins
        self.b_wins += group.b_wins
        self.ties += group.ties
        self.a_points += group.a_points
        self.b_points += group.b_points
        self.pieces += group.pieces
        self.slowest = max(self.slowest, group.slowest)
        self.shares += group.shares
        self.margins += group.margins

    def decided(self, share: float) -> bool:
        """Tell whether A wins more or fewer than a share of the pairs, for sure.

        This may be asked after every group: the bounds (of a normal mixture) hold at
        all times at once, and so are wider than those for one look.
        """
        count = len(self.shares)
        if count < FEW:
            return False
        # Waudby-Smith and others, "Time-uniform central limit theory", theorem 2.2.
        odds = -2 * log(DOUBT)
        rho = (odds + log(odds + 1)) / _HORIZON
        grown = count * rho + 1
        width = sqrt(2 * grown / (count * count * rho) * log(sqrt(grown) / DOUBT))
        # A group not seen yet counts half: twelve wins of twelve do not prove a
        # spread of nothing.
        spread = stdev([*self.shares, 0.5])
        return abs(mean(self.shares) - share) > spread * width


def error(values: list[float]) -> float | None:
    """Return the standard error of the mean of groups; None of a single one."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else None


def chooser(
    game: str,
    name: str,
    budget: float | None = None,
    program: Callable[[str, str], Chooser] | None = None,
    work: int = 0,
) -> Chooser:
    """Return a player by its name on the command line.

    Args:
        game: Name of the game.
        name: A skill from 0 to 100, `random`, a level (see `netplay.levels`), one of
            the game's own names, or `program:PATH`.
        budget: Seconds for a move, where the player thinks by a clock; None for
            its own.
        program: Returns the player of a game that is a program, by its path.
        work: What the best player of a game with turns may think for a move, counted
            (`evaluating`): the same games on every computer; 0 for its time instead.

    Raises:
        LocalError: USAGE, there is no such player.
    """
    if name == RANDOM:
        return _random(GAMES[game])
    if name.startswith(PROGRAM) and program is not None:
        return program(game, name.removeprefix(PROGRAM))
    computer, can = player(game), player(game).ABILITIES
    number = str(levels.SKILLS.get(name, name))
    if number.isdecimal() and int(number) <= 100:
        skill = talent(game, int(number))
        if work and skill == BEST and can.evaluate is not None:
            return lambda view, seat, rng: advised(game, view, seat, rng, work)
        think = _timed(computer.choose, budget) if can.timed else computer.choose
        return lambda view, seat, rng: think(view, seat, skill, rng)
    if name in can.named:
        named = can.named[name]
        return _timed(named, budget) if can.named_timed else named
    names = ", ".join(
        ["0 to 100", *levels.SKILLS, RANDOM, f"{PROGRAM}PATH", *can.named]
    )
    raise LocalError(Code.USAGE, Says.NO_PLAYER(name=name, names=names))


def _timed(think: Callable[..., Any], budget: float | None) -> Callable[..., Any]:
    """Return a player that thinks by the processor's time, not the clock on the wall.

    Else other programs on the machine would decide who is the stronger.
    """
    extra = {} if budget is None else {"budget": budget}
    return partial(think, clock=process_time, **extra)


def _random(game: Game[Any, Any]) -> Chooser:
    def choose(view: Any, seat: Seat, rng: random.Random) -> Any:  # noqa: ANN401 (any game's)
        kept = None
        for count, move in enumerate(game.moves(view, seat), 1):
            if rng.randrange(count) == 0:
                kept = move
            if count == _MOVES_LISTED:
                break
        return kept

    return choose


class Chance:
    """Chance from a seed, as alike as the games of one group allow.

    The tiles of a deal come in an order of their own, whoever draws them.
    """

    def __init__(self, game: Game[Any, Any], seed: float) -> None:
        self._game: Final = game
        self._seed: Final = seed
        self._public = random.Random(f"{seed} public")  # noqa: S311 (no secret)
        self._deal = -1
        self._order: list[int] = []

    def choose(self, state: Any) -> Any:  # noqa: ANN401 (any game's)
        """Return what CHANCE does next."""
        about = self._game.ABOUT
        if about.indexed_chance is not None:
            index = self._public.randrange(about.indexed_chance.chance_count(state))
            return about.indexed_chance.chance_move(state, index)
        moves = list(self._game.moves(state, CHANCE))
        if about.tiled is None or not isinstance(moves[0], Reveal | Show):
            return moves[self._public.randrange(len(moves))]
        kind = self._next(about.tiled.tiles(state).deal, moves)
        return next(move for move in moves if move.kind == kind)

    def _next(self, deal: int, moves: list[Any]) -> int:
        """Return the kind of the tile that comes next in the order of its deal."""
        if isinstance(moves[0], Show):
            kind: int = moves[0].kind
            return kind
        if deal != self._deal:
            self._deal = deal
            self._order = [move.kind for move in moves]
            random.Random(f"{self._seed} {self._deal}").shuffle(self._order)  # noqa: S311 (no secret)
        return self._order.pop()


def arrangements(seats: int) -> list[tuple[int, ...]]:
    """Return who sits where, 0 for A and 1 for B: each way in which both play."""
    return [who for who in product((0, 1), repeat=seats) if len(set(who)) == 2]


def play_group(
    game: str,
    players: tuple[Chooser, Chooser],
    seed: int,
    seats: int,
    options: Any,  # noqa: ANN401 (each game's own)
) -> Tally:
    """Play the games of one draw.

    Args:
        game: Name of the game.
        players: A and B.
        seed: Of all chance and of the players' whims.
        seats: How many seats each game has.
        options: Of the game.
    """
    tally = Tally(margins=[0.0])
    for who in arrangements(seats):
        final = _Match(GAMES[game], seats, options, seed).play(
            [players[one] for one in who], tally
        )
        _count(GAMES[game], final, who, tally)
    pairs = tally.a_wins + tally.b_wins + tally.ties
    tally.shares = [(tally.a_wins + tally.ties / 2) / pairs]
    tally.margins = [tally.margins[0] / pairs]
    return tally


class _Match:
    """One game."""

    def __init__(
        self,
        game: Game[Any, Any],
        seats: int,
        options: Any,  # noqa: ANN401 (each game's own)
        seed: int,
    ) -> None:
        self._game = game
        self._state = game.start(seats, options)
        self._chance = Chance(game, seed)
        self._rng = random.Random(f"{seed} players")  # noqa: S311 (no secret)

    def play(self, players: list[Chooser], tally: Tally) -> Any:  # noqa: ANN401 (any game's)
        if self._game.ABOUT.hz:
            return self._hurry(players, tally)
        game = self._game
        while actors := self._settled():
            seat = min(actor for actor in actors if actor >= 0)
            move = self._think(players[seat], seat, tally)
            self._state = game.play(self._state, seat, move)
        return self._state

    def _settled(self) -> frozenset[int]:
        """Let CHANCE do what it may, and return whom the game waits for then."""
        game = self._game
        while CHANCE in (actors := game.actors(self._state)):
            move = self._chance.choose(self._state)
            self._state = game.play(self._state, CHANCE, move)
        return actors

    def _think(self, choose: Chooser, seat: Seat, tally: Tally) -> Any:  # noqa: ANN401 (any game's)
        """Return a player's move, and note how long it took."""
        began = process_time()
        with gc_paused():
            move = choose(self._game.view(self._state, seat), seat, self._rng)
        tally.slowest = max(tally.slowest, process_time() - began)
        return move

    def _hurry(self, players: list[Chooser], tally: Tally) -> Any:  # noqa: ANN401 (any game's)
        """Return the state at the end of a game in real time, with a clock of ours.

        Every player may make an input every five ticks, as in a match.
        """
        game = self._game
        for tick in range(_TICKS_MOST):
            actors = self._settled()
            if CLOCK not in actors:
                break
            for seat in sorted(actor for actor in actors if actor >= 0):
                self._take(seat)
                if tick % 5 == 0 and seat in self._settled():
                    move = self._think(players[seat], seat, tally)
                    self._state = game.play(self._state, seat, move)
            for move in list(game.moves(self._state, CLOCK)):
                if CLOCK in self._settled():
                    self._state = game.play(self._state, CLOCK, move)
        return self._state

    def _take(self, seat: Seat) -> None:
        """Let a seat take at once what others have sent it: no player does."""
        real_time = self._game.ABOUT.real_time
        assert real_time is not None  # only such games hurry
        while seat in self._settled():
            sent = real_time.sent(self._state, seat)
            owed = sent - real_time.taken(self._state, seat)
            if not owed:
                return
            self._state = self._game.play(self._state, seat, real_time.taking(owed))


def _count(
    game: Game[Any, Any],
    state: Any,  # noqa: ANN401 (any game's)
    who: tuple[int, ...],
    tally: Tally,
) -> None:
    tally.games += 1
    places, real_time = game.places(state), game.ABOUT.real_time
    points = scores(game, state)
    pieces = () if real_time is None else real_time.pieces(state)
    for seat, side in enumerate(who):
        if side:
            tally.b_points += points[seat]
        else:
            tally.a_points += points[seat]
            tally.pieces += pieces[seat : seat + 1]
    for a, b in product(range(len(who)), repeat=2):
        if (who[a], who[b]) == (0, 1):
            tally.a_wins += places[a] < places[b]
            tally.b_wins += places[a] > places[b]
            tally.ties += places[a] == places[b]
            tally.margins[0] += points[a] - points[b]

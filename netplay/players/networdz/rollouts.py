"""Looking ahead: plays are compared by what comes after them, with tiles at random.

A *draw* is an order of the tiles that nobody has seen: the other's rack first, then the
bag.  Every candidate is tried with the same draws, so that luck cancels out of their
differences.  A rollout is two plies - the other's best answer, then the player's own
best play - each by points and the tiles it leaves; with so few tiles in the bag that
the end is near, it goes on until then.

What is seen at once stays a part of the answer: a difference found by some rollouts is
weighed against the static one by how far each may err.  Without this, a few rollouts
are worse than none.  Half of the candidates are dropped in each round, so that most
rollouts go to the plays that may be the best.
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import Final, Protocol

from msgspec.structs import replace

from netplay.players import Rng
from netplay.players.networdz.ending import LateError, Reader, lay, size_of, worth_of
from netplay.players.networdz.seen import Seen
from netplay.players.words.kernel import Start, kernel
from netplay.players.words.leaves import Keep, best_in, best_of
from netplay.players.words.plays import Finder, Play
from netplay.players.words.position import Board, Lane, Rack, lanes
from netplay.players.words.squares import finder_in_time, rack
from netplay.players.words.windows import Window, windows
from rules import tiles

NEAR: Final = 7
"""Tiles in the bag with which a rollout goes on to the end."""

LONGEST: Final = 30
"""Plies after which no rollout goes on."""

TRUST: Final = 3.0
"""Points by which the static difference of two plays may err, one time in three.

This and the next two were told from rollouts of positions of the strongest player's own
matches."""

TRUST_NEAR: Final = 12.0
"""Likewise with the end near."""

COST: Final = 50
"""What a rollout counts as, in looks at the board, however it is made."""

NOISE: Final = 25.0
"""Points by which one rollout may err, until several have told."""

KNOWN_AS: Final = 8
"""Rollouts that the guess above counts as."""


class Budget(Protocol):
    """What the thought may cost."""

    def spent(self, share: float = 1.0, steps: int = 1) -> bool:
        """Count steps, and tell whether a share is used up."""
        ...

    def late(self, share: float = 1.0) -> bool:
        """Tell whether even what was begun must stop: a share of the time is over."""
        ...


class Option:
    """A candidate, and what was found out about it."""

    def __init__(
        self,
        after: tuple[Board, Rack],
        score: int,
        static: float,
        gone: Sequence[int] = (),
    ) -> None:
        """Take a play, or an exchange, as it stands before tiles are drawn.

        Args:
            after: The board with it, and what it leaves on the rack.
            score: What it gains.
            static: What it seems to be worth at once.
            gone: Kinds of the tiles that it puts back.
        """
        self.board, self.kept = after
        self.score: Final = score
        self.static: Final = static
        self.gone: Final = gone
        self.values: Final[list[float]] = []
        """What came of each rollout, in the order of the draws."""


class _Reply:
    """One rack's best play on several boards that are much alike.

    What the rack can spell is found once; so is what it makes of a lane that the
    candidates have not touched.
    """

    def __init__(self, finder: Finder, keep: Keep) -> None:
        self._finder: Final = finder
        self._keep: Final = keep
        self._windows: Final[dict[int, list[tuple[float, Window]]]] = {}
        self._best: Final[dict[int, tuple[Play | None, float]]] = {}

    def on(
        self, lanes: Sequence[Lane], late: Callable[[], bool]
    ) -> tuple[Play | None, float]:
        """Return the best play on a board, and what it is worth; None to pass."""
        listed: list[tuple[float, Window]] = []
        for lane in lanes:
            known = self._windows.get(id(lane))
            if known is None:
                finder, most = self._finder, self._keep.most
                bonus, size = finder.rack.bonus, finder.rack.size
                known = self._windows[id(lane)] = [
                    (each.bound + bonus * (each.tiles == size) + most[each.tiles], each)
                    for each in windows(lane, finder.words, finder.reach)
                ]
            listed += known
        listed.sort(key=lambda pair: -pair[0])
        best: Play | None = None
        worth = -inf
        for bound, window in listed:
            if bound <= worth:
                break
            found = self._best.get(id(window))
            if found is None:
                if late():
                    break
                found = best_in(self._finder, self._keep, window)
                self._best[id(window)] = found
            if found[1] > worth:
                best, worth = found
        return best, worth


class Rollouts:
    """Tries candidates of one position with the same draws."""

    def __init__(self, seen: Seen, options: Sequence[Option], rng: Rng) -> None:
        """Prepare.

        Args:
            seen: The position of two players, with tiles in the bag.
            options: What may be done.
            rng: Where the draws come from.
        """
        self._seen: Final = seen
        self._options: Final = options
        self._rng: Final = rng
        self._other: Final = len(seen.view.tiles.racks[1 - seen.seat])
        unseen = tiles.unseen(seen.view.tiles)
        self._unseen: Final = [
            kind for kind, count in enumerate(unseen) for _ in range(count)
        ]
        self._near: Final = seen.pool <= NEAR
        ground = seen.ground
        kinds = [kind for kind in range(len(ground.points)) if kind != ground.blank]
        points = {(ground.counted(kind), ground.points[kind]) for kind in kinds}
        self._points: Final = bytes(dict(points).get(at, 0) for at in range(256))
        self._kernel: Final = kernel(seen.words, seen.board, points)
        self._starts: Final = [
            Start(
                option.board,
                option.kept,
                option.score,
                [self._letter(kind) for kind in option.gone],
            )
            for option in options
        ]
        none: list[list[Lane]] = []
        self._lanes: Final = none if self._kernel else self._shared_lanes()

    def _shared_lanes(self) -> list[list[Lane]]:
        """Return the lanes after each candidate; those it leaves alone are shared."""
        seen = self._seen
        ground = {(x.down, x.squares): x for x in lanes(seen.board, seen.words)}
        return [
            [
                ground[x.down, x.squares] if x == ground[x.down, x.squares] else x
                for x in lanes(option.board, seen.words)
            ]
            for option in self._options
        ]

    def halve(self, budget: Budget) -> list[int]:
        """Try the candidates, and return those left to the end, the best first.

        Args:
            budget: Work; each round takes an equal part of it.
        """
        left = list(range(len(self._options)))
        rounds = max(1, (len(left) - 1).bit_length())
        for number in range(1, rounds + 1):
            steps = COST * len(left)
            while not budget.spent(number / rounds, steps):
                self._draw(left, budget.late)
            rated = dict(zip(left, self.rated(left), strict=True))
            left.sort(key=lambda at: -rated[at][0])
            if number < rounds:
                del left[(len(left) + 1) // 2 :]
        return left

    def rated(self, some: Sequence[int]) -> list[tuple[float, float]]:
        """Return what candidates are worth, and how far each may err beside the first.

        Args:
            some: Their places; the worth of the first is what it seems at once.
        """
        first = self._options[some[0]]
        trust = TRUST_NEAR if self._near else TRUST
        found: list[tuple[float, float]] = [(first.static, 0.0)]
        for at in some[1:]:
            option = self._options[at]
            apart = [
                one - other
                for one, other in zip(option.values, first.values, strict=False)
            ]
            count, prior = len(apart), option.static - first.static
            if not count:
                found.append((option.static, trust))
                continue
            mean = sum(apart) / count
            spread = KNOWN_AS * NOISE**2 + sum((each - mean) ** 2 for each in apart)
            said, told = 1 / trust**2, count * (KNOWN_AS + count) / spread
            diff = (prior * said + mean * told) / (said + told)
            found.append((first.static + diff, (said + told) ** -0.5))
        return found

    def _draw(self, left: Sequence[int], late: Callable[[], bool]) -> None:
        """Try what is left with one more draw, unless time is up before the last."""
        order = list(self._unseen)
        self._rng.shuffle(order)
        if self._kernel is not None:
            counted = [self._letter(kind) for kind in order]
            values = self._kernel.rollouts(
                [self._starts[at] for at in left],
                counted, self._other, self._points, self._seen.table,
                LONGEST if self._near else 0,
            )  # fmt: skip
        else:
            other = rack(self._seen.ground, tuple(order[: self._other]))
            tried = self._to_the_end if self._near else self._two_plies
            try:
                values = tried(left, other, order[self._other :], late)
            except LateError:
                return
        if not late():
            for at, value in zip(left, values, strict=True):
                self._options[at].values.append(value)

    def _letter(self, kind: int) -> int:
        ground = self._seen.ground
        blank = self._seen.words.letters
        return blank if kind == ground.blank else ground.counted(kind)

    def _two_plies(
        self,
        left: Sequence[int],
        other: Rack,
        bag: Sequence[int],
        late: Callable[[], bool],
    ) -> list[float]:
        """Return how far the player is ahead after an answer and a play of its own."""
        seen, words, worth = self._seen, self._seen.words, self._seen.table.worth
        keep = Keep(other, worth, words)
        reply = _Reply(finder_in_time(seen.board, other, words), keep)
        values: list[float] = []
        for at in left:
            option = self._options[at]
            answer, theirs = reply.on(self._lanes[at], late)
            board = lay(option.board, other, answer)[0] if answer else option.board
            own = _filled_up(option.kept, seen, bag)
            mine = Keep(own, worth, words)
            _, ours = best_of(finder_in_time(board, own, words), mine, late)
            theirs, ours = max(theirs, *keep.most[1:]), max(ours, *mine.most[1:])
            values.append(option.score - theirs + ours)
        return values

    def _to_the_end(
        self,
        left: Sequence[int],
        other: Rack,
        bag: Sequence[int],
        late: Callable[[], bool],
    ) -> list[float]:
        """Return by how much the player comes out ahead if both are greedy."""
        return [self._played_out(self._options[at], other, bag, late) for at in left]

    def _played_out(
        self, option: Option, other: Rack, bag: Sequence[int], late: Callable[[], bool]
    ) -> float:
        seen, words = self._seen, self._seen.words
        board, total, sign, passed = option.board, float(option.score), -1, 0
        racks = [other, _filled_up(option.kept, seen, bag)]
        rest = list(bag[size_of(racks[1]) - size_of(option.kept) :])
        rest += option.gone
        for _ in range(LONGEST):
            if not rest:
                end = Reader(words, late).follow(board, racks[0], racks[1])
                return total + sign * end
            keep = Keep(racks[0], seen.table.worth, words)
            finder = finder_in_time(board, racks[0], words)
            play, _worth = best_of(finder, keep, late)
            if play is None:
                passed += 1
                if passed > 1:
                    break
            else:
                passed = 0
                total += sign * play.score
                board, kept = lay(board, racks[0], play)
                racks[0] = _filled_up(kept, seen, rest)
                del rest[: size_of(racks[0]) - size_of(kept)]
            racks.reverse()
            sign = -sign
        return total + sign * (worth_of(racks[1]) - worth_of(racks[0]))


def _filled_up(kept: Rack, seen: Seen, bag: Sequence[int]) -> Rack:
    """Return a rack with the first tiles of the bag, as many as it takes."""
    more = rack(seen.ground, tuple(bag[: max(0, kept.size - size_of(kept))]))
    return replace(
        kept, tiles=(*kept.tiles, *more.tiles), blanks=kept.blanks + more.blanks
    )

"""Days under everything at once: wrong clocks, cuts, restarts, and one who lies.

`python -m tests.hostile.test_days_random FIRST LAST` tries more seeds.
"""

import contextlib
import sys
from random import Random

import pytest

from netplay.errors import NetplayError
from netplay.match.match import Match
from netplay.match.thinking import DAY_SECONDS, SLACK_SECONDS
from netplay.messages.table_questions import ClaimTime
from netplay.record.fold import Fold
from rules.game import CHANCE
from tests.hostile.days import HOUR, Friends

STEPS = 40

REFUSED = NetplayError, AssertionError, StopIteration, ValueError
"""What a step may come to that cannot be made now: it is left out."""


class Days:
    """What happens to some friends, and what may never happen to the honest ones."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(f"days {seed}")
        self.names = ("ann", "bob", "cyd")[: rng.choice((2, 2, 3))]
        self.friends = Friends(*self.names)
        self.liar = rng.choice(self.names)
        self.hours = 0.0
        self.began: dict[int, float] = {0: 0.0}
        """Turn -> true hours when it began."""
        self.moved: dict[str, int] = {}
        """Who has made its move of which turn, entered or not."""
        self.judged = 0
        self.over = False

    def turn(self) -> int:
        return max((found.fold.moves for _, found in self.matches()), default=0)

    def matches(self) -> list[tuple[str, Match]]:
        """Return the matches in hand; one that is over is not opened again."""
        nodes = ((name, self.friends.net[name].match) for name in self.names)
        return [(name, found) for name, found in nodes if found is not None]

    def step(self) -> None:
        friends, rng = self.friends, self.rng
        what = rng.choice("hhhhwrofmmmmmccclllsx")
        name = rng.choice(self.names)
        with contextlib.suppress(
            NetplayError, AssertionError, StopIteration, ValueError
        ):
            match what:
                case "h":
                    hours = rng.choice((0.3, 2, 7, 13, 25))
                    self.hours += hours
                    friends.hours(hours)
                case "w":
                    friends.set_wall(self.liar, rng.choice((-30, -5, 5, 25, 50)))
                case "r":
                    friends.restart(name)
                    friends.meet()
                case "o":
                    friends.restart(self.liar, off=rng.choice((1, 25, 60)))
                    friends.meet()
                case "f":
                    friends.net.part(*rng.sample(self.names, 2))
                case "x":
                    friends.meet()
                case "m":
                    self.move(name)
                case "c":
                    friends.net.done(name, ClaimTime())
                    friends.net.settle()
                case "l":
                    against = rng.choice([n for n in self.names if n != self.liar])
                    friends.claim_anyway(self.liar, against)
                case "s":
                    if friends.match(self.liar).hosting:
                        friends.hold_turns_back(self.liar)
        self.look()

    def move(self, name: str) -> None:
        found = self.friends.match(name)
        if any(found.seats.is_own(seat) for seat in found.on_turn()):
            turn = found.fold.moves
            self.friends.move(name)
            in_time = (self.hours - self.began.get(turn, 0.0)) * HOUR <= DAY_SECONDS
            if in_time or len(self.names) == 2:
                self.moved[name] = turn  # of two the one who is late may still move

    def look(self) -> None:
        """Check that nobody honest has lost a turn that was made, or had time left."""
        moves = self.turn()
        self.began.setdefault(moves, self.hours)
        for _name, found in self.matches():
            fold = found.fold
            self.over = self.over or fold.over
            alone = Fold(fold.terms)
            for line in found.ledger.log.lines:
                alone.apply(line)
            assert alone.claims == fold.claims
            assert alone.digest() == fold.digest()
            for done in fold.claims.done:
                late = self.names[done.seat]
                if done.contested:
                    out = sum(one.number < done.number for one in fold.claims.done)
                    assert len(self.names) - out == 2, "others could have told"
                    assert fold.claims.contested
                    assert not fold.places
                if done.contested or late == self.liar:
                    continue
                place = next(p for p in fold.history if p.number == done.number)
                before = fold.history[: fold.history.index(place)]
                turn = sum(past.actor != CHANCE for past in before)
                assert self.moved.get(late) != turn, "a turn that was made is lost"
                passed = (self.hours - self.began.get(turn, 0.0)) * HOUR
                assert passed >= DAY_SECONDS - 2 * SLACK_SECONDS, "time was left"
                self.judged += 1


def tried(seed: int) -> Days:
    days = Days(seed)
    for _ in range(STEPS):
        days.step()
    days.friends.net.close()
    return days


@pytest.mark.parametrize("seed", range(12))
def test_no_honest_player_loses_time_that_it_had(seed: int) -> None:
    assert tried(seed).hours >= 0


def main(first: int, last: int) -> None:
    judged = over = 0
    for seed in range(first, last + 1):
        try:
            days = tried(seed)
        except AssertionError as error:
            sys.stdout.write(f"seed {seed}: {error!r}\n")
            continue
        judged += bool(days.judged)
        over += days.over
    sys.stdout.write(f"{last - first + 1} seeds, {over} over, {judged} on time\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

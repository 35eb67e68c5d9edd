"""Worlds of several tables: many matches at once, and nodes that are seldom awake.

Up to four nodes have several matches among them.  Each is awake about a third of the
time, often alone: it is closed and started again, its computer sleeps, or it is killed.
Towards the end all stay awake, and every match has to end.
"""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from netplay.messages.door import Failed, HostTable, LeaveTable, StartMatch
from netplay.messages.table import Fairness
from netplay.messages.table_questions import TakeBack
from tests.simulation.bags import proofs
from tests.simulation.ending import Ending
from tests.simulation.faults import Faults
from tests.simulation.node import SimNode
from tests.simulation.run import MEMORY, Result, remembering, result_of
from tests.simulation.themes import OPTIONS, Plan, edition
from tests.simulation.world import NAMES, World

PLAYED: Final = (
    ("numlo", 5), ("hexagrams", 3), ("networdz", 2), ("lhexicon", 1), ("hexcolumns", 1),
)  # fmt: skip
"""Games, and how often each is played."""

ONCE: Final = "hexcolumns"
"""Of this no two at the same time: it takes as many entries as all others."""

AWAKE_SECONDS: Final = 15.0
ASLEEP_SECONDS: Final = 30.0
"""On the average."""

NIGHT_SECONDS: Final = (60.0, 400.0)
"""After which all stay awake: the least and the most."""

AFTER_SECONDS: Final = 900.0
"""For all matches to end, once everybody stays awake."""

PATIENCE: Final = 1.5
"""Seconds before somebody tries again what did not work."""

IN_VAIN: Final = 90.0
"""Seconds before who waits at a table of its own puts it away and opens another."""


Usual: TypeAlias = Literal[""]


class Wish:
    """A match that somebody would like to have."""

    def __init__(
        self, rng: Random, nodes: int, games: list[str], fairness: Fairness | Usual
    ) -> None:
        names, weights = zip(*((g, w) for g, w in PLAYED if g in games), strict=True)
        self.game: Final[str] = rng.choices(names, weights)[0]
        most = 2 if self.game == "hexagrams" else nodes
        count = min(most, rng.choice((1, 2, 2, 2, 2, 3, 3, 4)))
        self.players: Final = tuple(rng.sample(NAMES[:nodes], count))
        """The host first."""
        self.words: Final = self.game == "networdz" and rng.random() < 0.5
        """It is played with words that only the host has."""
        self.fairness: Final[Fairness | Usual] = fairness
        """How tiles are drawn; empty for the usual way."""
        self.place: tuple[int, int] = 0, 0
        """In which run of the host it forms a table, and the table's number."""
        self.since = 0.0
        self.match = b""

    def table(self) -> HostTable:
        """Return what the host asks of its node."""
        others = [f"remote:{name}" for name in self.players[1:]]
        seats = ("computer:40", *(others or ("computer:40",)))
        names = edition() if self.words else ("", "")
        how = self.fairness
        return HostTable(self.game, seats, OPTIONS[self.game], *names, fairness=how)


class Wishes:
    """Everybody who would like to play has their match begun."""

    def __init__(self, world: World, wishes: list[Wish]) -> None:
        self._world = world
        self.wishes: Final = wishes

    def begin(self, rng: Random) -> None:
        for wish in self.wishes:
            self._world.later(rng.random() * 40, partial(self._pursue, wish))

    def all_begun(self) -> bool:
        return all(wish.match for wish in self.wishes)

    def _pursue(self, wish: Wish) -> None:
        """Do what is next, until the match is on the disks of all who play it."""
        world = self._world
        players = [world.nodes[name] for name in wish.players]
        if wish.match and not any(node.pages(wish.match) for node in world.members):
            world.checks.matches.remove(wish.match)  # lost before it was kept anywhere
            wish.match = b""
        if wish.match and all(n.pages(wish.match, safe=True) for n in players):
            return
        world.later(PATIENCE, lambda: self._pursue(wish))
        host = players[0]
        if not wish.match and host.up and host.asleep <= world.now:
            self._sit_down(host, wish)

    def _sit_down(self, host: SimNode, wish: Wish) -> None:
        """Offer the table, again if need be, and start when all agree."""
        runs, number = wish.place
        status = host.tables.get(number) if runs == host.runs else None
        if status is None:
            self._world.run(host, "host", partial(self._offer, host, wish))
        elif status.match:
            wish.match = status.match
        elif all(seat.accepted for seat in status.seats):
            self._world.run(host, "start", host.does(StartMatch(), on=number))
        elif self._world.now - wish.since > IN_VAIN:
            self._world.run(host, "leave", host.does(LeaveTable(), on=number))

    def _offer(self, host: SimNode, wish: Wish) -> None:
        before = {place.number for place in host.node_tables.places}
        host.ask(wish.table())
        for place in host.node_tables.places:
            if place.number not in before:
                wish.place, wish.since = (host.runs, place.number), self._world.now


class Nights(Faults):
    """Everybody sleeps and wakes; besides, what goes wrong elsewhere goes wrong."""

    def __init__(self, world: World, rng: Random, done: Callable[[], bool]) -> None:
        super().__init__(world, Plan(0, "numlo", ()), rng)
        self._done = done
        self._dead = False
        least, most = NIGHT_SECONDS
        self._until = world.now + least + rng.random() * (most - least)

    def begin(self) -> None:
        self._world.calm = False
        for node in self._world.members:
            self._world.later(self._for(AWAKE_SECONDS), partial(self._sleeps, node))
        self._next()

    def _for(self, average: float) -> float:
        return 0.5 + self._rng.expovariate(1 / average)

    def _sleeps(self, node: SimNode) -> None:
        """Let somebody be away for a while, in one way or another."""
        world, rng = self._world, self._rng
        if world.calm:
            return
        seconds = self._for(ASLEEP_SECONDS)
        if node.up and node.asleep <= world.now:
            way = rng.choices(("close", "sleep", "kill"), (4, 3, 3))[0]
            if way == "sleep":
                world.sleep(node, seconds, stands=rng.random() < 0.5)
            elif way == "kill":
                world.crash(node, away=seconds)
            else:
                world.close_down(node, seconds)
            seconds += self._for(AWAKE_SECONDS)
        world.later(seconds, partial(self._sleeps, node))

    def _strike(self) -> None:
        if self._world.now > self._until or self._done():
            self._last()
            return
        self._left = 99
        self._take_back()
        super()._strike()

    def _take_back(self) -> None:
        """Let players take back what has left by no way yet, now and then."""
        world = self._world
        for node in world.members:
            for number, table in node.tables.items() if node.up else ():
                for seat in table.made.back if self._rng.random() < 0.5 else ():
                    act = partial(self._takes_back, node, number, table.match, seat)
                    world.run(node, "take back", act)

    def _takes_back(self, node: SimNode, number: int, match: bytes, seat: int) -> None:
        if not isinstance(node.ask(TakeBack(seat), on=number), Failed):
            self._world.checks.moves.taken_back(node, match, seat)


class _Ends:
    """How all the matches have to end."""

    def __init__(self, world: World, wishes: Wishes) -> None:
        self._world = world
        self._wishes = wishes

    def _all(self) -> list[Ending]:
        return [Ending(self._world, wish.match) for wish in self._wishes.wishes]

    def over(self) -> bool:
        """Tell whether every match is over in somebody's file."""
        world = self._world
        for wish in self._wishes.wishes:
            pages = max((n.pages(wish.match) for n in world.members), key=len)
            if not wish.match or not pages or not world.book.fold(pages[-1]).over:
                return False
        return True

    def settled(self) -> bool:
        """Tell whether all matches have ended for all, and all has been heard."""
        done = self._wishes.all_begun()
        done = done and all(one.done() and one.talked() for one in self._all())
        return self._world.finished(done, 3.0)

    def judge(self) -> int:
        """Judge all; return how many entries there are."""
        checks = self._world.checks
        if not checks.failures and not self._wishes.all_begun():
            checks.fail("a match does not begin")
        return sum(one.judge() for one in self._all())


class Evening(Struct, frozen=True):
    """What one seed has in mind."""

    nodes: int
    wishes: list[Wish]


def plan(seed: int) -> Evening:
    """Return who would like to play what."""
    rng, wishes = Random(f"several {seed}"), list[Wish]()
    bags = Random(f"bags {seed}")
    nodes = rng.choice((2, 3, 3, 4, 4, 4))
    for _ in range(rng.randrange(2, 7)):
        once = any(wish.game == ONCE for wish in wishes)
        games = [game for game, _ in PLAYED if game != ONCE or not once]
        wishes.append(Wish(rng, nodes, games, bags.choice(("", "committed"))))
    return Evening(nodes, wishes)


def simulate_several(seed: int) -> Result:
    """Play several matches among some nodes; the seed decides everything."""
    place = str(MEMORY) if MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="netplay-", dir=place))
    evening = plan(seed)
    world = World(seed, "numlo", evening.nodes, folder)
    with remembering(), proofs(seed), world.drives.in_place():
        return _played(world, evening)


def _played(world: World, evening: Evening) -> Result:
    """Play them all."""
    rng = Random(f"evening {world.seed}")
    world.several = True
    wishes = Wishes(world, evening.wishes)
    ends = _Ends(world, wishes)
    world.begin()
    wishes.begin(rng)
    nights = Nights(world, rng, ends.over)
    nights.begin()
    longest = world.now + NIGHT_SECONDS[1] + AFTER_SECONDS
    while world.heap and world.now < longest and not world.checks.failures:
        world.step()
        if world.calm and world.events % 32 == 0 and ends.settled():
            break
    entries = ends.judge()
    return result_of(world, f"{len(evening.wishes)} tables", (), entries)

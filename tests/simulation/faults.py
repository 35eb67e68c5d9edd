"""What goes wrong, when, and until when."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from netplay.messages.door import Failed, Play, Say, TableStatus, Watch
from netplay.wire import pack
from rules import GAMES
from tests.simulation.themes import Plan

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

WRITING = ("before write", "after write", "before sync", "after sync")
"""Where a crash loses or tears what a node was about to promise."""

POINTS = (
    "before event", "before outgoing", *WRITING, "before delivery",
    "between deliveries", "before cut", "after cut", "before open", "before rename",
)  # fmt: skip


class Faults:
    """Cuts, crashes, holes, and what the plan has in mind besides."""

    def __init__(self, world: "World", plan: Plan, rng: Random) -> None:
        self._world = world
        self._plan = plan
        self._rng = rng
        self._left = rng.randrange(8, 24)
        self._said = 0
        alone = {"two homes", "old home", "disk lies", "hand", "rematch"}
        lone = alone.isdisjoint(plan.themes)
        self._dead = len(world.members) > 2 and rng.random() < 0.15 and lone

    def begin(self) -> None:
        world, rng = self._world, self._rng
        world.calm = False
        world.played_back = "played back" in self._plan.themes
        if len(world.members) > 2 and (world.played_back or rng.random() < 0.4):
            world.part(*self._pair())
        doing: dict[str, Callable[[], None]] = {
            "clocks": self._clocks,
            "sleep": self._sleep,
            "disk lies": self._lie,
            "old home": self._picture,
            "two homes": self._double,
        }
        lost = not {"disk lies", "old home"}.isdisjoint(self._plan.themes)
        if lost and world.name != "numlo":
            world.stuck = "a seed may be lost"
        for theme in self._plan.themes:
            if theme in doing:
                world.later(0.5 + rng.random() * 10, doing[theme])
        self._next()

    def _next(self) -> None:
        self._world.later(self._rng.expovariate(1.0), self._strike)

    def _strike(self) -> None:
        """Let one thing go wrong."""
        self._talk()
        if self._left == 0:
            self._last()
            return
        self._left -= 1
        kinds = (
            (self._blow, 5),
            (self._crash, 1),
            (self._reset, 2),
            (self._one_way, 2),
            (self._black_hole, 2),
            (self._slow, 1),
            (self._isolate, 1),
            (self._stale, 6),
            (self._vote, 1),
            (self._coup, 2),
            (self._strand, 2),
            (self._spoil, 1),
        )
        acts, weights = zip(*kinds, strict=True)
        self._rng.choices(acts, weights)[0]()
        self._next()

    def _last(self) -> None:
        """End the faults: everything heals, or one node is gone for good."""
        world = self._world
        world.holes.clear()
        for node in world.nodes.values():
            node.fuse, node.lag, node.stranded = None, 1.0, False
            node.drive.failing = None
        world.calm = True
        if self._dead:
            victim = self._any()
            if len(world.members) == 3:
                world.apart.clear()
            victim.dead = True
            world.tally("gone for good")
            if victim.up:
                world.crash(victim)
            world.bags.handed(victim)
            for seconds in (70.0, 200.0, 400.0):
                world.later(seconds, self._go_on_without)

    def _go_on_without(self) -> None:
        """Let a host vote that has lost its file and waits for who is gone."""
        for node in self._world.members:
            places = node.node_tables.places if node.up else ()
            matches = [place.table.match for place in places]
            if any(m and m.members.lost and m.members.hosting for m in matches):
                self._world.vote(node)

    def _any(self) -> "SimNode":
        return self._rng.choice(self._world.members)

    def _hosts(self) -> "list[SimNode]":
        members = self._world.members
        return [
            n for n in members if n.up and n.status is not None and n.status.hosting
        ]

    def _pair(self) -> tuple[str, str]:
        a, b = self._rng.sample([node.name for node in self._world.members], 2)
        return a, b

    def _blow(self) -> None:
        """Crash a node where it hurts: near the disk or the network."""
        node, rng = self._any(), self._rng
        node.fuse = (rng.choice(rng.choice((WRITING, POINTS))), rng.randrange(4))

    def _strand(self) -> None:
        """Cut the host off the moment it has entered something."""
        hosts = self._hosts()
        if len(self._world.members) > 2 and hosts:
            self._rng.choice(hosts).stranded = True

    def _spoil(self) -> None:
        """Let a disk fail at one of its next calls, once or for good."""
        call = self._rng.choice(("write", "sync", "sync", "cut", "open"))
        drive = self._any().drive
        drive.once = self._rng.random() < 0.5
        drive.failing = (call, self._rng.randrange(4))

    def _crash(self) -> None:
        node = self._any()
        if node.up:
            self._world.tally("crash at rest")
            self._world.crash(node)

    def _reset(self) -> None:
        self._world.tally("reset")
        self._world.cut(*self._pair())

    def _seconds(self) -> float:
        return self._rng.choice((0.3, 2.0, 8.0, 15.0, 30.0)) * self._rng.random()

    def _one_way(self) -> None:
        self._world.tally("one-way cut")
        self._world.hole(*self._pair(), self._seconds())

    def _black_hole(self) -> None:
        self._world.tally("black hole")
        a, b = self._pair()
        seconds = self._seconds()
        self._world.hole(a, b, seconds)
        self._world.hole(b, a, seconds)

    def _isolate(self) -> None:
        self._world.tally("isolation")
        node, seconds = self._any(), self._rng.choice((3.0, 20.0, 80.0))
        for other in self._world.nodes:
            if other != node.name:
                self._world.hole(node.name, other, seconds)
                self._world.hole(other, node.name, seconds)

    def _slow(self) -> None:
        self._world.tally("slow peer")
        self._any().lag = self._rng.choice((1.0, 5.0, 20.0))

    def _vote(self) -> None:
        """Let everybody vote for another host."""
        self._world.tally("vote")
        for node in self._world.members:
            self._world.vote(node)

    def _coup(self) -> None:
        """Cut the host off and let the others vote; one of them may crash over it."""
        world, rng = self._world, self._rng
        hosts = self._hosts()
        if len(world.members) < 3 or not hosts:
            return
        world.tally("coup")
        host, seconds = rng.choice(hosts), rng.choice((3.0, 10.0, 25.0))
        others = [node for node in world.members if node is not host]
        for node in others:
            world.hole(host.name, node.name, seconds)
            if rng.random() < 0.8:
                world.hole(node.name, host.name, seconds)
        if rng.random() < 0.5:
            points = ("after sync", "before delivery", "between deliveries")
            rng.choice(others).fuse = (rng.choice(points), rng.randrange(3))
        world.later(rng.random() * 2, self._vote)

    def _table(self, node: "SimNode") -> tuple[int, TableStatus] | None:
        """Return a table of a node at which a match is in hand, and its number."""
        found = [(n, one) for n, one in node.tables.items() if one.match]
        if len(found) > 1:
            return self._rng.choice(found)
        return found[0] if found and node.up else None

    def _talk(self) -> None:
        """Let somebody say something; no two lines are the same."""
        node, world = self._any(), self._world
        table = self._table(node)
        if not node.up or table is None:
            return
        self._said += 1
        text, (number, status) = f"line {self._said} of {node.name}", table

        def say() -> None:
            world.checks.lines[node.name].append(text)
            world.checks.windows.said_at[text] = status.match
            if isinstance(node.ask(Say(text), on=number), Failed):
                world.checks.lines[node.name].remove(text)

        world.run(node, "say", say)

    def _stale(self) -> None:
        """Let somebody click on a board that is out of date."""
        self._look(self._any(), 20)

    def _look(self, node: "SimNode", tries: int) -> None:
        """Have a window look on at a seat here until it is on turn, and click later."""
        world, table = self._world, self._table(node)
        again = partial(self._look, node, tries - 1)
        if not tries:
            return
        if not node.up or table is None or table[1].phase != "playing":
            world.later(0.3, again)
            return
        number, status = table
        own = [s for s in status.turn if status.seats[s].kind != "remote"]
        shown = node.shown.get((status.match, own[0])) if own else None
        if own and shown is None:
            world.run(node, "look", node.does(Watch(own[0]), on=number))
        game = GAMES[status.game]
        if shown is None or own[0] not in game.actors(shown):
            world.later(0.3, again)
            return
        move = pack(world.choose(shown, own[0], game))
        ask = Play(own[0], move, status.entries)
        self._click(node, status.match, ask, self._moves(node, status.match), 20)

    def _moves(self, node: "SimNode", match: bytes) -> int:
        """Return how many moves a node's file of a match has."""
        return int(self._world.book.fold(node.pages(match)[-1]).moves)

    def _click(
        self, node: "SimNode", match: bytes, ask: Play, moves: int, tries: int
    ) -> None:
        """Click when the position has passed, and it is that seat's turn again."""
        world, number = self._world, node.at(match)
        status = node.tables.get(number)
        if status is None or status.phase != "playing" or not node.pages(match):
            return
        if ask.seat in status.turn and self._moves(node, match) > moves:
            world.tally("stale click")
            world.run(node, "click", node.does(ask, on=number))
        elif tries:
            later = partial(self._click, node, match, ask, moves, tries - 1)
            world.later(0.1 + self._rng.random() / 5, later)

    # What the plan has in mind.

    def _clocks(self) -> None:
        """Let the clocks of the computers go differently, and jump now and then."""
        world, rng = self._world, self._rng
        world.tally("skewed clocks")
        for node in world.members:
            jump = rng.choice((0.0, 0.0, 5.0, 100.0))
            node.set_clock(rng.choice((0.5, 0.9, 1.0, 1.1, 2.0)), jump)

    def _sleep(self) -> None:
        """Let a computer sleep."""
        seconds = self._rng.choice((2.0, 8.0, 20.0, 70.0))
        self._world.sleep(self._any(), seconds, stands=self._rng.random() < 0.5)

    def _lie(self) -> None:
        """Let a disk say that it has synced, and lose its power a while later."""
        node, world = self._any(), self._world
        world.tally("disk that lies")
        node.drive.lies = True
        world.checks.lied_about.add(node.name)
        world.later(0.5 + self._rng.random() * 6, lambda: self._ends(node))

    def _ends(self, node: "SimNode") -> None:
        if node.up:
            self._world.crash(node, power=True)

    def _picture(self) -> None:
        """Put an older copy of somebody's home back, some time later."""
        node, world = self._any(), self._world
        if not node.up:
            world.later(2.0, self._picture)
            return
        picture = node.drive.picture()

        def put_back() -> None:
            world.tally("old home")
            world.checks.lied_about.add(node.name)
            if node.up:
                world.crash(node)
            node.drive.put(picture)
            world.checks.moves.put_back(node)

        world.later(1.0 + self._rng.random() * 8, put_back)

    def _double(self) -> None:
        """Let somebody's home be used on a second computer, too, for a while."""
        from tests.simulation.node import SimNode  # noqa: PLC0415 (it imports the world)

        world, first = self._world, self._any()
        if not first.up:
            world.later(2.0, self._double)
            return
        world.tally("home in use twice")
        second = SimNode(world, f"{first.name}-too", first.name)
        second.drive.put(first.drive.picture())
        world.nodes[second.name] = second
        world.checks.lied_about |= {first.name, second.name}
        world.stuck = "a seed may be in another home"
        world.comes(second)

        def gone() -> None:
            second.dead = True
            if second.up:
                world.crash(second)

        world.later(3.0 + self._rng.random() * 20, gone)

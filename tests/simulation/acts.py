"""What people do besides playing: come and go, resign, hand over, look on."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from netplay.messages.door import (
    Failed,
    HostTable,
    LeaveTable,
    Load,
    Play,
    Question,
    Save,
    StartMatch,
)
from netplay.messages.table_questions import AnswerWatcher, HandSeat, PlayAgain, WatchAt
from netplay.wire import pack
from rules.game import Resign
from tests.simulation import prepared
from tests.simulation.book import Page
from tests.simulation.liars import Liars
from tests.simulation.offers import Offers
from tests.simulation.themes import OFFERS, PREPARED, Plan, edition

if TYPE_CHECKING:
    from tests.simulation.ending import Ending
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

FORMING: Final = (
    "before event", "before outgoing", "before write", "after write", "before sync",
    "after sync", "before delivery", "between deliveries", "before cut", "after cut",
    "before open", "before rename",
)  # fmt: skip
PATIENCE: Final = 2.0
"""Seconds before somebody tries again what did not work."""


def form(world: "World", plan: Plan, rng: Random) -> None:
    """Let everybody sit down; now and then somebody crashes meanwhile."""
    if rng.random() < 0.4:
        node = rng.choice(world.members)
        node.fuse = (rng.choice(FORMING), rng.randrange(12))
        world.tally("crash of a forming table")
    names = ("", "")
    if "resources" in plan.themes:
        names = edition()
        for _ in range(rng.randrange(4)):
            a, b = rng.sample([node.name for node in world.members], 2)
            world.later(rng.random() * 2, partial(world.cut, a, b))
    while any(node.in_hand() is None for node in world.members):
        if world.now > 300:
            world.checks.fail("the table is not agreed on")
            return
        _sit_down(world, plan, names)
        world.step()
    for node in world.members:
        node.fuse = None


def _sit_down(world: "World", plan: Plan, names: tuple[str, str]) -> None:
    """Let the host offer the table, again if need be, and start when all agree."""
    ann, *guests = world.members
    if not ann.up or ann.in_hand() is not None:
        return
    if not len(ann.node_tables.places):
        own = "person" if PREPARED in plan.themes else "computer:40"
        seats = (own, *(f"remote:{guest.name}" for guest in guests))
        how = world.fairness
        table = HostTable(world.name, seats, plan.options, *names, fairness=how)
        world.run(ann, "host", ann.does(table))
    elif ann.status is not None and all(seat.accepted for seat in ann.status.seats):
        world.run(ann, "start", ann.does(StartMatch()))


class Acts:
    """Who does what, and when."""

    def __init__(
        self, world: "World", plan: Plan, rng: Random, ending: "Ending"
    ) -> None:
        self._world = world
        self._plan = plan
        self._rng = rng
        self._ending = ending
        self._again = "rematch" in plan.themes
        self._asked_at = 0.0

    def begin(self) -> None:
        """Let everything be done that the seed has in mind, some time soon."""
        doing: dict[str, Callable[[], None]] = {
            "resign": self._resign,
            "hand": self._hand,
            "leave": self._leave,
            "watch": self._watch,
        }
        if OFFERS in self._plan.themes:
            Offers(self._world, Random(f"offers of {self._plan.seed}")).begin()
        if PREPARED in self._plan.themes:
            prepared.begin(self._world, self._plan.seed)
        for theme in self._plan.themes:
            if theme in doing:
                late = 12.0 if theme == "resign" and self._plan.members == 2 else 0.0
                self._soon(doing[theme], late)
            if theme in {"lying guest", "lying host", "stranger"}:
                Liars(self._world, self._rng, theme).begin()

    def _soon(self, act: Callable[[], None], late: float = 0.0) -> None:
        self._world.later(late + 0.5 + self._rng.random() * 12, act)

    def _again_soon(self, act: Callable[[], None]) -> None:
        self._world.later(PATIENCE, act)

    def _ask(
        self, node: "SimNode", question: Question, again: Callable[[], None]
    ) -> None:
        """Let somebody ask for something, and ask again later if it is refused."""

        def act() -> None:
            if isinstance(node.ask(question), Failed):
                self._again_soon(again)

        awake = node.up and node.asleep <= self._world.now
        if awake:
            self._world.run(node, type(question).__name__, act)
        if not ((awake and node.up) or node.dead):  # it may have crashed meanwhile
            self._again_soon(again)

    # Seats.

    def _resign(self) -> None:
        """Let somebody give up."""
        self._resigns(self._rng.choice(self._world.members))

    def _resigns(self, node: "SimNode") -> None:
        status = node.status
        if node.dead or (status is not None and status.phase == "over"):
            return
        if not node.up or status is None or not status.match:
            self._again_soon(lambda: self._resigns(node))
            return
        own = [n for n, s in enumerate(status.seats) if s.kind != "remote"]
        own = [n for n in own if status.seats[n].state != "resigned"]
        if own:
            self._world.tally("resignation")
            move = Play(own[0], pack(Resign()), status.entries)
            self._ask(node, move, lambda: self._resigns(node))

    def _hand(self) -> None:
        """Let the others hand somebody's seat over, to one of them or to the spare."""
        world, rng = self._world, self._rng
        old = rng.choice(world.members)
        heirs = [node for node in world.members if node is not old]
        heir = world.spare if rng.random() < 0.6 else rng.choice(heirs)
        if world.fairness == "encrypted":
            heir = rng.choice(heirs)  # a newcomer could read no tile
        if heir is world.spare and not heir.runs:
            world.comes(heir)
        world.tally("hand-over")
        self._hands(old, heir, 12)

    def _hands(self, old: "SimNode", heir: "SimNode", tries: int) -> None:
        """Let all who are asked agree, until the seat has passed."""
        world = self._world
        status = next((n.status for n in world.members if n.in_hand()), None)
        page = self._page()
        if not tries or status is None or page is None or status.phase == "over":
            return
        held = [n for n, holder in enumerate(page.holders) if holder == old.key]
        seats = [seat for seat in held if seat not in page.resigned]
        if not seats or world.with_key(old.key)[0].dead:
            return
        for node in world.members:
            if heir is world.spare and heir.up and node.name not in heir.links:
                world.meet(heir, node, (heir.runs, node.runs))
            if node is not old and node.up:
                wish = HandSeat(seats[0], heir.name)
                world.run(node, "hand", node.does(wish))
        world.later(PATIENCE, lambda: self._hands(old, heir, tries - 1))

    def _page(self) -> Page | None:
        match = self._ending.match
        found = [
            n.pages(match)[-1] for n in self._world.members if match and n.pages(match)
        ]
        return max(found, key=lambda page: page.number, default=None)

    # Leaving, and coming back.

    def _leave(self) -> None:
        """Let somebody leave, and take the match up again from its file."""
        node = self._rng.choice(self._world.members)
        match = node.in_hand()
        if match is None or not node.up or node.asleep > self._world.now:
            if not node.dead:
                self._again_soon(self._leave)
            return
        path = node.path(match)
        if self._rng.random() < 0.5 and node.links:
            path = str(node.drive.root / "saved.netplay")
            node.mailed = True
            self._world.run(node, "save", node.does(Save(path)))
        self._world.tally("leave and load")
        self._world.run(node, "leave", node.does(LeaveTable()))
        back = 1.0 + self._rng.random() * 10
        self._world.later(back, lambda: self._load(node, match, path))

    def _load(self, node: "SimNode", match: bytes, path: str) -> None:
        if node.in_hand() != match:
            self._ask(
                node, Load(path), lambda: self._load(node, match, node.path(match))
            )
        # Also where a crash has undone the leaving: the others heard of it.
        self._world.later(PATIENCE, lambda: self._resume(match))

    def _resume(self, match: bytes) -> None:
        """Let those whom somebody has left take the match up again, too.

        Who left may know no address of theirs; whoever waits has to call.  A disk may
        have closed a table that was stopped, and an old home knows of none.
        """
        page, again = self._page(), False
        if page is None or self._world.book.fold(page).over:
            return
        for node in self._world.members:
            table = node.status if node.up else None
            here = table is not None and table.match == match
            stopped = here and table is not None and table.phase == "stopped"
            if stopped or (node.up and not here and node.pages(match)):
                self._ask(node, Load(node.path(match)), lambda: None)
            again = again or not (node.dead or (here and not stopped))
        if again:
            self._again_soon(lambda: self._resume(match))

    # Looking on.

    def _watch(self) -> None:
        """Let the spare look on, until somebody has had enough of it."""
        world, rng = self._world, self._rng
        usher, eve = rng.choice(world.members), world.spare
        if not eve.runs:
            world.comes(eve)
        world.tally("bystander")
        self._ask(eve, WatchAt(usher.name), self._watch)
        if rng.random() < 0.5:
            member = rng.choice(world.members)
            world.later(3 + rng.random() * 10, lambda: self._refuse(member))

    def _refuse(self, member: "SimNode") -> None:
        world, eve = self._world, self._world.spare
        match = member.in_hand()

        def act() -> None:
            answer = member.ask(AnswerWatcher(allow=False, whom=eve.name))
            if match is not None and not isinstance(answer, Failed):
                world.tally("bystander refused")
                mark = match, eve.key, member.key, member.key
                world.checks.refusals[mark] = False

        world.run(member, "refuse", act)

    # Once more.

    def once_more(self) -> bool:
        """Let all play again once they have ended; return whether they are about to."""
        world = self._world
        if not self._again or not self._ending.done():
            return False
        match = self._ending.match
        if not self._asked_at:
            if any(node.in_hand() != match for node in self._ending.players()):
                return False  # somebody has put it away: nobody is there to ask
            if world.apart:
                return False  # nobody can host who cannot reach all
            self._asked_at = world.now
            world.tally("rematch")
        if len(world.checks.matches) > 1 or world.now - self._asked_at > 90:
            self._again = False
            if len(world.checks.matches) < 2:
                world.checks.fail("the rematch does not begin")
            return len(world.checks.matches) > 1
        for node in self._ending.players():
            if node.status is not None and node.status.phase == "over":
                world.run(node, "rematch", node.does(PlayAgain(), "rematch"))
        world.since = None
        return True

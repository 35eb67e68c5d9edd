"""Encrypted bags in the simulation: work beside the loop, trouble in each state, views.

Mixings are proved for real in every tenth seed; in the others proofs are stubs, since
they take most of the time and nobody lies about a deck there.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from netplay.bag import lift
from netplay.bag.group import packed
from netplay.bag.shuffle import BESIDES, PER_TILE
from netplay.match import masks
from netplay.match.masks import Job
from netplay.match.match import Match
from netplay.messages.door import Play, Watch
from netplay.messages.log import Lift, Open
from netplay.messages.table_questions import HandSeat
from netplay.record import proving
from netplay.record.chance import tag
from netplay.record.ledger import Ledger
from netplay.record.masked import MaskedBag, Mixed, Phase
from netplay.record.store import MemoryDisk
from netplay.wire import pack
from rules import networdz
from rules.game import Game, IllegalMoveError, Resign
from rules.networdz import Pass
from rules.tiles import Reveal
from tests.netplay.party import Dice
from tests.simulation.book import Page

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

REAL: Final = 10
"""In one of so many seeds mixings are proved."""

GLANCE: Final = 0.03
"""Seconds between two looks at how a bag stands."""

WATCHED: Final = 60.0
"""Seconds for which that is looked at."""

LONG_MIXING: Final = 6.0


@contextmanager
def proofs(seed: int) -> Generator[None]:
    """Check each lift and key once, not at every node, and stub mixings' proofs."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("check_key", "check_lift"):
            patch.setattr(proving, name, once(getattr(lift, name)))
        if seed % REAL:
            patch.setattr(masks, "prove", _no_proof)
            patch.setattr(Mixed, "check", lambda _mixed: None)
        yield


def once(check: Callable[..., None]) -> Callable[..., None]:
    """Return a check that is not made again of what has passed it."""
    good: set[tuple[Any, ...]] = set()

    def remembering(*given: Any) -> None:
        mark = tuple(tuple(g) if isinstance(g, list) else g for g in given)
        if mark not in good:
            check(*given)
            good.add(mark)

    return remembering


def _no_proof(_step: Any, _mask: int, old: Any, *_rest: Any) -> bytes:
    return bytes(PER_TILE * len(old) + BESIDES)


class Bags:
    """What is done for encrypted bags, and what befalls them."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._rng = Random(f"bag {world.seed}")
        self._under_way: set[tuple[str, int, Job]] = set()
        self._seen: set[Page] = set()
        self._secrets: dict[tuple[str, bytes], tuple[bytes, bytes]] = {}

    def exchanges(self, view: Any, seat: int, game: Game[Any, Any]) -> list[Any]:
        """Return a pass that puts some tiles back, if so many can be drawn."""
        tiles = getattr(view, "tiles", None)
        if tiles is None or game is not networdz:
            return []
        rack, left = tiles.racks[seat], tiles.end - tiles.first
        count = min(len(rack), left, self._world.rng.randrange(1, 4))
        some = Pass(tuple(sorted(rack)[:count]))
        try:
            game.play(view, seat, some)
        except IllegalMoveError:
            return []
        return [some] if count else []

    # What nodes want done.

    def work(self, node: "SimNode") -> None:
        """Do what a node wants done beside its loop; its crash loses that."""
        world = self._world
        for job in node.node_tables.wants().jobs:
            mark = node.name, node.runs, job
            if mark in self._under_way:
                continue
            self._under_way.add(mark)
            long = LONG_MIXING if self._rng.random() < 0.1 else 0.2
            node_tables = node.node_tables
            act = self._bring(node, node_tables, job)
            world.later(0.01 + self._rng.random() * long, act)

    def _bring(self, node: "SimNode", node_tables: Any, job: Job) -> Callable[[], None]:
        def bring() -> None:
            self._under_way.discard((node.name, node.runs, job))
            if not node.up or node.node_tables is not node_tables:
                return
            result = job.work()
            self._world.tally(f"bag: {type(job).__name__}")
            self._world.run(node, "mixed", lambda: node_tables.done(result, node.now))

        return bring

    # What befalls them.

    def begin(self) -> None:
        """Let something happen the moment the bag comes to stand in some way."""
        if self._world.fairness != "encrypted":
            return
        few = len(self._world.members) < 3
        phase = self._rng.choice(
            [p for p in Phase if p is not Phase.SPARING or not few]
        )
        again = phase is not Phase.KEYING and self._rng.random() < 0.3
        whom = self._rng.choice(self._world.members)
        blow = self._rng.choice((self._crash, self._crash, self._cut, self._leave))
        until = self._world.now + WATCHED

        def look() -> None:
            bag = self.of(whom)
            late = bag is not None and (bag.begun if again else True)
            if bag is not None and bag.phase is phase and late:
                self._world.tally(f"bag: {blow.__name__.strip('_')} while {phase.name}")
                blow(whom)
            elif self._world.now < until:
                self._world.later(GLANCE, look)

        look()
        for _ in range(4):
            self._world.later(3 + self._rng.random() * 40, self._compare)

    def of(self, node: "SimNode") -> MaskedBag | None:
        """Return the bag of the match that a node plays."""
        match = node.in_hand()
        pages = [] if match is None else node.pages(match)
        return self._world.book.fold(pages[-1]).bag if pages else None

    def _crash(self, node: "SimNode") -> None:
        if node.up:
            self._world.crash(node)

    def _cut(self, node: "SimNode") -> None:
        for other in list(node.links):
            self._world.cut(node.name, other)

    def _leave(self, node: "SimNode") -> None:
        """Let somebody resign, where that does not end the match at once."""
        world, status = self._world, node.status
        alone = len(world.members) < 3 or "resign" in world.themes
        if alone or not node.up or status is None or not status.match:
            self._crash(node)
            return
        own = [n for n, s in enumerate(status.seats) if s.kind != "remote"][:1]
        for seat in own:
            move = Play(seat, pack(Resign()), status.entries)
            world.run(node, "resign", node.does(move))

    def handed(self, gone: "SimNode") -> None:
        """Let those who are left hand on the seat of somebody who never comes back."""
        world = self._world
        left = [node for node in world.members if node is not gone]
        if world.fairness != "encrypted" or len(left) < 2 or self._rng.random() < 0.3:
            return
        heir = self._rng.choice(left)
        world.tally("bag: seat of somebody gone")
        self._hands(gone, heir, 30)

    def _hands(self, gone: "SimNode", heir: "SimNode", tries: int) -> None:
        status = next((n.status for n in self._world.members if n.in_hand()), None)
        match = heir.in_hand()
        if not tries or status is None or status.phase == "over" or match is None:
            return
        page = heir.pages(match)[-1]
        held = [n for n, key in enumerate(page.holders) if key == gone.key]
        held = [seat for seat in held if seat not in page.resigned]
        for seat in held[:1]:
            for node in self._world.members:
                if node is not gone and node.up:
                    wish = node.does(HandSeat(seat, heir.name))
                    self._world.run(node, "hand", wish)
        if held:
            self._world.later(2.0, lambda: self._hands(gone, heir, tries - 1))

    # What must hold.

    def _compare(self) -> None:
        self.compare(self._rng.choice(self._world.members))

    def compare(self, node: "SimNode") -> None:
        """Check that log and key alone show each seat what its node has shown it."""
        status, world = node.status, self._world
        if not node.up or status is None or not status.match or node.drive.broken:
            return
        own = [n for n, s in enumerate(status.seats) if s.kind != "remote"]
        for seat in own:
            at = status.match, seat
            node.shown.pop(at, None)
            world.run(node, "look", node.does(Watch(seat)))
            pages = node.pages(status.match)
            if at not in node.shown or not pages:
                return  # it has crashed over it
            match = self._again(node, pages)
            if node.key not in match.fold.holders:
                return
            if match.fold.bag is None and not match.fold.over:
                return  # of an unfinished one the key alone opens no committed tiles
            world.tally("bag: view from log and key")
            if match.shown_state(seat) != node.shown[at]:
                world.checks.fail(f"log and key show seat {seat} something else")

    def _again(self, node: "SimNode", pages: list[Page]) -> Match:
        """Return a match that a new computer has, which has the log and the key."""
        raws = [page.raw for page in pages]
        dice = Dice(f"again {self._world.seed}")
        ledger = Ledger(MemoryDisk(), raws)
        return Match(node.signer, ledger, MemoryDisk(), dice, lambda *_: None)

    def read(self, page: Page) -> None:
        """Look at an entry as it is seen first: no tile is lifted that may be lost."""
        if page.terms.fairness != "encrypted" or not isinstance(page.body, Lift):
            return
        world = self._world
        if world.checks.lied_about or any(n.mailed for n in world.nodes.values()):
            return
        drawn = {
            past.move.tile: past.number
            for past in world.book.fold(page).history
            if isinstance(past.move, Reveal)
        }
        last = max(drawn[tile] for tile in page.body.tiles)
        if not page.final(world.checks.disks(page.match), last + 1):
            who = world.name_of(page.entry.author)
            world.checks.fail(f"{who} lifts a tile whose draw may be lost")

    def tells(self, key: bytes, page: Page, data: bytes) -> None:
        """Look at what somebody was sent: it has no mask that is not shown to all."""
        if page.terms.fairness != "encrypted":
            return
        for node in self._world.members:
            opened = any(
                isinstance(each.body, Open) and each.entry.author == node.key
                for each in page.back()
            )
            secrets = self._secrets_of(node, page.match)
            if not opened and any(secret in data for secret in secrets):
                whom = self._world.name_of(key)
                self._world.checks.fail(f"{whom} was sent the mask of {node.name}")

    def _secrets_of(self, node: "SimNode", match: bytes) -> tuple[bytes, bytes]:
        mark = node.name, match
        if mark not in self._secrets:
            seed = node.signer.sign(tag("masks") + match)
            made = lift.mask_of(seed, match), lift.spare_of(seed, match)
            self._secrets[mark] = packed(made[0]), packed(made[1])
        return self._secrets[mark]

    def excused(self, page: Page, dead: set[bytes]) -> str:
        """Return why tiles that cannot be read need not be."""
        fold = self._world.book.fold(page)
        bag = fold.bag
        if bag is None or not dead & {*bag.holders, *bag.awaited}:
            return ""
        if bag.phase is not Phase.READY or bag.unread(fold.owners()):
            return "tiles wait for somebody who is gone"
        return ""

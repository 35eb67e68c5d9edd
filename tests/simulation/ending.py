"""How a simulated match has to end, and what is judged of the whole run then."""

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from netplay.record.verify import verify
from netplay.record.views import Whole
from netplay.sentences import Says
from rules.tiles import Tiles
from tests.simulation.book import Page, quorum

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

STILL: Final = 75.0
"""Seconds without any news after which a match counts as waiting for the dead: the
others go on without a host after a minute."""

GONE: Final = "are gone"
"""In what a player is told whose final entries were dropped."""

TOO_SOON: Final = Says.CLOCK_TOO_SOON.value.rpartition("}")[2]
"""In what a player is told whose clock contradicts the host's."""


class Ending:
    """The end of one run."""

    def __init__(self, world: "World", match: bytes | None = None) -> None:
        """Wait for an end.

        Args:
            world: Where it is to come.
            match: Of which match; None for whichever was begun last, and all before.
        """
        self._world = world
        self._of = match
        self._last: tuple[Any, ...] = ()
        self._since = 0.0

    @property
    def match(self) -> bytes | None:
        """The match that was begun last, or the one that was named."""
        matches = self._world.checks.matches
        return self._of or (matches[-1] if matches else None)

    def players(self) -> list["SimNode"]:
        """Return the nodes that play the match, and are there to play it."""
        match, world = self.match, self._world
        if match is None:
            return []
        pages = {node: node.pages(match) for node in world.nodes.values()}
        longest = max(pages.values(), key=len)
        members = longest[-1].members if longest else ()
        found = [n for n in world.nodes.values() if n.key in members]
        # With all seats at one node the match has a key of its own, which no node has.
        found = found or [n for n in world.nodes.values() if pages[n]]
        return [n for n in found if not n.dead]

    def settled(self) -> bool:
        """Tell whether nothing more is to be expected."""
        world = self._world
        done = self.done()
        if done and self.talked():
            return world.finished(True, 3.0)
        world.finished(False, 3.0)
        return not done and self._still() and bool(self.excused())

    def done(self) -> bool:
        """Tell whether all who play have ended the match, with equal logs."""
        match, players = self.match, self.players()
        if match is None or not all(self._ended(node, match) for node in players):
            return False
        if not any(node.at(match) for node in players):
            return True  # put away by all: who lacks a last word gets it when they meet
        return len({len(node.pages(match)) for node in players}) == 1

    def _ended(self, node: "SimNode", match: bytes) -> bool:
        """Tell whether a node has ended the match; it may have been put away since."""
        status = node.tables.get(node.at(match))
        if status is not None:
            return status.phase == "over" and bool(status.audit)
        pages = node.pages(match)
        return node.up and bool(pages) and self._world.book.fold(pages[-1]).over

    def _still(self) -> bool:
        """Tell whether there has been no news for long."""
        match, world = self.match, self._world
        heads = match and [
            (node.name, node.pages(match)[-1:][0].head if node.pages(match) else b"")
            for node in self.players()
        ]
        if (match, heads) != self._last:
            self._last, self._since = (match, heads), world.now
        return world.now - self._since >= STILL

    def excused(self) -> str:
        """Return why the match need not go on; empty if it must."""
        world, match = self._world, self.match
        if any(name in world.checks.stopped for name in world.nodes):
            return "there is the proof of a fork"
        if world.stuck:
            return world.stuck
        if self._unconfirmed():
            return "tiles wait for a move by the clock that nobody confirms"
        if world.checks.lied_about and self._taken_for_lost():
            return "a liar has taken the other of two for lost (H5)"
        dead = {node.key for node in world.nodes.values() if node.dead}
        pages = [n.pages(match)[-1] for n in self.players() if match and n.pages(match)]
        if not dead or not pages or len({page.head for page in pages}) > 1:
            return ""
        page = pages[0]
        alive = page.electors - dead
        if len(alive) < quorum(len(page.electors)):
            return "too few are left"
        fold = world.book.fold(page)
        turn = {page.holders[seat] for seat in fold.actors if seat >= 0}
        if turn & dead:
            return "it is the turn of somebody who is gone"
        unread = world.bags.excused(page, dead)
        if unread:
            return unread
        if self._unopened(page, fold, dead):
            return "who dealt is gone, and has not told somebody's tiles"
        gone = dead & (page.electors | {page.host})
        if gone and (fold.stuck or fold.over):
            return "chance waits for somebody who is gone"
        return ""

    def _taken_for_lost(self) -> bool:
        """Tell whether one of two has made itself host, and hands on no seat."""
        match, book = self.match, self._world.book
        logs = [node.pages(match) for node in self.players()] if match else []
        return any(pages and book.fold(pages[-1]).gone for pages in logs)

    def _unopened(self, page: Page, fold: Any, dead: set[bytes]) -> bool:
        """Tell whether somebody on turn waits for tiles that only the dead can open."""
        world, tiles = self._world, getattr(fold.state, "tiles", None)
        if not isinstance(tiles, Tiles) or fold.bag is not None:
            return False
        deals = [r.deal for r in fold.rounds if r.root is not None and r.dealer in dead]
        for seat in fold.actors & {*range(len(page.holders))}:
            rack = tiles.racks[seat]
            hidden = any(deal.holds(tile) for deal in deals for tile in rack)
            for node in world.with_key(page.holders[seat]) if hidden else ():
                status = node.tables.get(node.at(self.match))
                waits = "" if status is None else str(status.waiting)
                if any(world.name_of(key) in waits for key in dead):
                    return True
        return False

    def _unconfirmed(self) -> bool:
        """Tell whether somebody lifts nothing drawn since a clock ran wildly (K12)."""
        world, match = self._world, self.match
        pages = [n.pages(match)[-1] for n in self.players() if match and n.pages(match)]
        folds = [world.book.fold(page) for page in pages]
        unread = any(f.bag is not None and f.bag.unread(f.owners()) for f in folds)
        notices = world.checks.notices
        told = any(
            TOO_SOON in text for node in self.players() for text in notices[node.name]
        )
        return unread and told

    # Judged at the end.

    def judge(self) -> int:
        """Judge the whole run; return how many entries the match has."""
        world, match = self._world, self.match
        checks = world.checks
        if checks.failures:
            return 0  # what was cut short says nothing more
        if match is None:
            checks.fail("nobody has a match")
            return 0
        if not self.done() and not self.excused():
            checks.fail(f"the match does not go on: {self._situation()}")
        for each in (self._of,) if self._of else checks.matches:
            self._judge(each)
        for node in self.players():
            world.bags.compare(node)
        self._said()
        return max(len(node.pages(match)) for node in self.players())

    def _sent_away(self, node: "SimNode", match: bytes) -> bool:
        """Tell whether somebody looked on and was sent away, or is nobody any more.

        What such a node had last may have been replaced: nobody tells it so.  Whoever
        handed it a seat may have forgotten that with the entries of a disk that lied or
        of an older home: then it is a stranger to all who play, who hear nothing of it.
        """
        world, status = self._world, node.status
        if node is not world.spare:
            return False
        stopped = status is not None and status.phase == "stopped"
        logs = [*filter(None, (one.pages(match) for one in world.members))]
        known = any(node.key in pages[-1].members for pages in logs)
        return (
            stopped
            or (bool(world.checks.lied_about) and not known)
            or not (known or any(self._let_in(node, pages[-1]) for pages in logs))
        )

    def _let_in(self, node: "SimNode", page: Page) -> bool:
        """Tell whether all who have a say by a history let somebody watch at one place.

        Who has handed a seat over has none, and has it again where a newer history
        does not know of that.
        """
        said = self._world.checks.refusals
        return any(
            all(
                said.get((page.match, node.key, at, one))
                for one in page.electors - {at}
            )
            for at in page.electors
        )

    def _judge(self, match: bytes) -> None:
        """Judge one match, as those have it who are there."""
        checks, world = self._world.checks, self._world
        logs = {
            node.name: node.pages(match)
            for node in world.nodes.values()
            if node.pages(match) and node.up and not self._sent_away(node, match)
        }
        copied = len({node.key for node in world.nodes.values()}) < len(world.nodes)
        forked = bool(checks.stopped) or copied  # of which no proof may have come yet
        for (a, one), (b, two) in pairwise(logs.items()):
            least = min(len(one), len(two))
            if not forked and one[least - 1].head != two[least - 1].head:
                checks.fail(f"the logs of {a} and {b} part")
        longest = max(logs.values(), key=len)
        opened = {name: len(logs[name]) for name in logs if world.nodes[name].up}
        if opened:  # whoever has not come back yet may still have a torn end
            self._verify(world.nodes[max(opened, key=opened.__getitem__)], match)
        if not forked:
            self._finals(match, longest)
            checks.moves.judge(match, longest)
        self._secrets(longest)

    def _verify(self, node: "SimNode", match: bytes) -> None:
        """Have a file checked as the command `verify` does."""
        verdict = verify(Path(node.path(match)).read_bytes())
        checks = self._world.checks
        if not verdict.ok:
            checks.fail(f"the file of {node.name} is not good: {verdict.reason}")
        if verdict.audit not in {"", "ok"}:
            checks.fail(f"the audit: {verdict.audit}")

    def _finals(self, match: bytes, longest: list[Page]) -> None:
        """Check that what was called final is there, or its loss was said."""
        checks = self._world.checks
        for number, head in checks.finals[match].items():
            if number <= len(longest) and longest[number - 1].head == head:
                continue
            if not checks.lied_about:
                checks.fail(f"final entry {number - 1} is not in the log")
            for name in checks.called[match][number] - checks.lied_about:
                own = self._world.nodes[name].pages(match)
                if number <= len(own) and own[number - 1].head == head:
                    continue  # it has not come back, and lost nothing so far
                if not any(GONE in text for text in checks.notices[name]):
                    checks.fail(f"{name} lost final entry {number - 1} without a word")

    def _secrets(self, log: list[Page]) -> None:
        """Check, once all is open, that nobody was told what it might not know."""
        world, last = self._world, log[-1]
        fold = world.book.fold(last)
        whole = Whole(fold, lambda round_: round_.secret)
        shares = [r for r in fold.rounds if r.root is not None and r.secret is not None]
        on_log = {page.head for page in log}
        for key, page, data in self._world.checks.told:
            if page.match != last.match or page.head not in on_log:
                continue
            name = world.name_of(key)
            for round_ in shares:
                lone = len(round_.receivers) < 2
                if key == round_.dealer or lone or world.book.fold(last).over is False:
                    continue
                if round_.secret in data and not _is_open(page, round_.secret):
                    world.checks.fail(f"{name} was sent the dealer's seed")
                self._salts(fold, whole.bag(round_.first), key, page, data)

    def _salts(self, fold: Any, bag: Any, key: bytes, page: Page, data: bytes) -> None:
        if bag is None:
            return
        for tile in range(bag.deal.first, bag.deal.first + bag.deal.size):
            seat = fold.drawn_by.get(tile)
            own = seat is not None and page.holders[seat] == key
            if not own and tile not in page.faces and bag.proof(tile).salt in data:
                name = self._world.name_of(key)
                self._world.checks.fail(f"{name} was sent the salt of tile {tile}")

    def _said(self) -> None:
        if not self.done() or not self._world.calm:
            return
        if not self.talked():
            self._world.checks.fail("chat has not come everywhere")

    def talked(self) -> bool:
        """Tell whether all who play have the same lines of each other's.

        Whom only somebody joins who has put the match away may lack what was said last.
        """
        groups = self._joined([n for n in self.players() if n.at(self.match)])
        return all(map(self._same_lines, groups))

    def _same_lines(self, players: list["SimNode"]) -> bool:
        names = {node.name for node in players} - self._world.checks.lied_about
        heard = [
            sorted(line for line in node.heard(node.at(self.match)) if line[0] in names)
            for node in players
        ]
        return all(one == heard[0] for one in heard[1:])

    def _joined(self, players: list["SimNode"]) -> list[list["SimNode"]]:
        """Return players in groups that have a way to each other, over each other."""
        groups: list[list[SimNode]] = []
        for node in players:
            near = [
                group
                for group in groups
                if any(
                    frozenset((node.name, other.name)) not in self._world.apart
                    for other in group
                )
            ]
            rest = [group for group in groups if group not in near]
            groups = [*rest, [node, *(one for group in near for one in group)]]
        return groups

    def _situation(self) -> str:
        """Describe how everybody stands."""
        words: list[str] = []
        match = self.match
        for node in self._world.nodes.values():
            status, pages = node.tables.get(node.at(match)), node.pages(match or b"")
            if status is None or not node.up or not pages:
                words.append(f"{node.name} up={node.up} dead={node.dead} {len(pages)}")
                continue
            words.append(
                f"{node.name} {len(pages)} entries {status.phase}"
                f" term {pages[-1].entry.term} hosting={status.hosting}"
                f" turn={status.turn} waits for {status.waiting!r}"
                f" audit={status.audit!r} links={sorted(node.links)}"
                f" asleep={node.asleep > self._world.now}"
            )
        return "; ".join(words)


def _is_open(page: Page, seed: bytes) -> bool:
    """Tell whether a seed stands in the log for all to read."""
    return any(seed in each.entry.body for each in page.back())

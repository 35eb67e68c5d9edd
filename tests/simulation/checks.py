"""What must hold at every moment of a simulated match.

Everything is looked at from outside: the messages on the wire, the files, and what
windows are told.  How a node comes to say what it says is its own business.
"""

import errno
import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from netplay.errors import Code, PeerError
from netplay.messages.door import TableStatus
from netplay.messages.log import (
    Ack,
    Carried,
    Claim,
    Entries,
    Fork,
    Grant,
    Have,
    LogMessage,
    MatchTime,
    Opening,
    Refused,
    Share,
    Submit,
)
from netplay.messages.table import Accept, Admit, Chat, Proposal, Terms
from netplay.record.archive import IN_HAND
from netplay.record.masked import MaskedBody
from netplay.sentences import Says
from rules import editions, lexicon
from tests.simulation.book import Page, digest, promises, quorum
from tests.simulation.links import SILENCE
from tests.simulation.moves import Moves
from tests.simulation.windows import Windows

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

MOST: Final = 12
"""Failures noted of a run; more say nothing new."""

GREETINGS: Final = 2000
"""Messages in a run that tell what somebody has: ten times what a long one needs."""

SLACK: Final = 80
"""Milliseconds that time may seem to have run too long: it is told in steps."""


class Ran(NamedTuple):
    """For how many seconds, since an entry, whoever is waited for was within reach."""

    now: float
    head: bytes
    here: float = 0.0
    """All who are on turn."""
    others: float = 0.0
    """All who are on turn, or any of the others."""
    all_here: bool = True
    some_here: bool = True

    def until(self, now: float) -> "Ran":
        """Add the seconds since it was noted."""
        more = now - self.now
        here = self.here + more * self.all_here
        return self._replace(
            now=now, here=here, others=self.others + more * self.some_here
        )


class Checks:
    """The promises of protocol.md."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.windows = Windows(world)
        self.moves = Moves(world)
        self.failures: list[str] = []
        self.matches: list[bytes] = []
        """Those that were begun, in order."""
        self.finals: dict[bytes, dict[int, bytes]] = defaultdict(dict)
        """Match -> number of entries that somebody has called final -> their head."""
        self.lines: dict[str, list[str]] = defaultdict(list)
        """What everybody has said, by name."""
        self.told: list[tuple[bytes, Page, bytes]] = []
        """Whom what was told that might hold a secret, and where the teller stood."""
        self.refusals: dict[tuple[bytes, bytes, bytes, bytes], bool] = {}
        """(match, bystander, usher, member) -> what it has said of the bystander."""
        self.called: dict[bytes, dict[int, set[str]]] = defaultdict(
            lambda: defaultdict(set)
        )
        """Match -> number of entries -> who has called them final."""
        self.notices: dict[str, list[str]] = defaultdict(list)
        """What players were told, by node."""
        self.errors: set[tuple[str, int]] = set()
        """Nodes that have shown their player an error, and in which run."""
        self.answered: set[tuple[str, int]] = set()
        """Who was told of a failing disk in answer to what was asked for."""
        self.stopped: dict[str, str] = {}
        """Nodes that hold the proof of a fork."""
        self.lied_about: set[str] = set()
        """Members about whom what is known at others may be wrong, and their own
        word: they lie, or their disks or homes are not to be trusted."""
        self._promised: dict[tuple[str, bytes], dict[int, bytes]] = defaultdict(dict)
        self._called: dict[tuple[str, bytes], tuple[int, bytes]] = {}
        self._stood: dict[tuple[str, bytes], tuple[int, bytes, int]] = {}
        self._grants: dict[tuple[str, bytes], dict[int, tuple[bytes, Grant]]] = (
            defaultdict(dict)
        )
        self._tables: dict[bytes, set[bytes]] = defaultdict(set)
        self._proposed: dict[str, Terms] = {}
        self._chat: dict[tuple[bytes, bytes, int], str] = {}
        self._carried: dict[tuple[str, bytes], float] = {}
        """When somebody had a link to another last, who may carry for a third."""
        self._judged: set[bytes] = set()
        self._greetings = 0
        self._ran: dict[tuple[str, int, bytes], Ran] = {}

    def fail(self, why: str) -> None:
        if len(self.failures) < MOST and why not in self.failures:
            self.failures.append(why)

    def trusted(self, node: "SimNode") -> bool:
        return node.name not in self.lied_about

    # What is said.

    def sent(self, node: "SimNode", key: bytes, message: Any, data: bytes) -> None:
        """Look at a message as it leaves a node."""
        match message:
            case Ack() | Have() | Claim() if message.number:
                self._stands(node, message.match, message.number, message.head)
            case Entries(entries=entries) if entries:
                node.pages(message.match)
                last = self._world.book.page(digest(entries[-1]))
                if last is None:
                    self.fail(f"{node.name} sends entries that are not in its file")
                else:
                    self._stands(node, message.match, last.number, last.head)
            case Grant():
                self._granted(node, key, message)
            case Chat():
                self._talks(node, key, message)
            case Proposal(terms=terms):
                self._tables[terms.nonce] |= {m.key for m in terms.members} | {node.key}
            case Accept():
                self._accepts(node)
            case Fork():
                self._forked(node)
            case Submit():
                self.moves.sent(node, message)
            case Refused(code=Code.ILLEGAL_MOVE.number):
                if (
                    self.trusted(node)
                    and self._world.name_of(key) not in self.lied_about
                    and not self._was_agreed(node, message.match)
                ):
                    self.fail(f"{self._world.name_of(key)} says what the rules forbid")
            case _:
                pass
        if isinstance(message, Have):
            self._greetings += 1
            if self._greetings > GREETINGS:
                self.fail("the nodes never stop telling each other what they have")
        if isinstance(message, Ack):
            self._keeps_word(node, message)
            pages = node.pages(message.match)
            if pages and node.key not in pages[-1].members and message.number:
                self.fail(f"{node.name} acknowledges, and is no member")
        if isinstance(message, LogMessage):
            self._may_hear(node, key, message, data)

    def _was_agreed(self, node: "SimNode", match: bytes) -> bool:
        """Tell whether players have ended a match: a turn may have been under way."""
        pages = node.pages(match)
        return bool(pages) and self._world.book.fold(pages[-1]).ended is not None

    def _stands(self, node: "SimNode", match: bytes, number: int, head: bytes) -> None:
        """Check that what a node says it has is on its disk."""
        if not self.trusted(node):
            return
        self._promised[node.name, match][number] = head
        if not node.has_safe(match, number, head):
            self.fail(f"{node.name} says it has {number} entries that may be lost")

    def _granted(self, node: "SimNode", claimant: bytes, grant: Grant) -> None:
        """Check a promise to follow no older term: one a term, newer each time."""
        if not self.trusted(node):
            return
        self._stands(node, grant.match, grant.number, grant.head)
        given = self._grants[node.name, grant.match]
        if given and grant.term < max(given):
            self.fail(f"{node.name} agrees to an older term than before")
        if grant.term in given and given[grant.term][0] != claimant:
            self.fail(f"{node.name} agrees to two hosts of one term")
        pages = node.pages(grant.match)
        if len(pages) != grant.number:
            self.fail(f"{node.name} agrees to a log that is not its own")
        given[grant.term] = claimant, grant

    def _keeps_word(self, node: "SimNode", ack: Ack) -> None:
        """Check that nothing of a term older than it promised counts as acknowledged.

        Except for what it had when it promised.
        """
        given = self._grants.get((node.name, ack.match))
        page = self._world.book.page(ack.head)
        if not given or page is None or not self.trusted(node):
            return
        newest = given[max(given)][1]
        if page.entry.term >= newest.term or not ack.number:
            return
        then = self._world.book.page(newest.head)
        had = None if then is None else then.at(ack.number)
        if had is None or had.head != ack.head:
            self.fail(f"{node.name} acknowledges entries of a term it has given up")

    def _forked(self, node: "SimNode") -> None:
        """Note who has the proof that a host wrote two histories."""
        self.stopped[node.name] = "fork"
        if not self.lied_about:
            self.fail(f"{node.name} holds the proof of a fork")

    def _talks(self, node: "SimNode", key: bytes, line: Chat) -> None:
        """Check that chat goes to those at the table, and that no line is two."""
        allowed = self._tables[line.table]
        for page in self._last_pages(node, line.table):
            allowed |= set(page.members)
        if key not in allowed:
            self.fail(f"{node.name} sends chat to {self._world.name_of(key)}")
        mark = line.table, line.author, line.number
        liar = self._world.name_of(line.author) in self.lied_about
        if self._chat.setdefault(mark, line.text) != line.text and not liar:
            self.fail(f"chat line {line.number} of one author is two lines")

    def _last_pages(self, node: "SimNode", nonce: bytes) -> list[Page]:
        found = (node.pages(match)[-1:] for match in self.matches)
        return [p for pages in found for p in pages if p.terms.nonce == nonce]

    def _accepts(self, node: "SimNode") -> None:
        """Check that who accepts has what is needed to play."""
        terms = self._proposed.get(node.name)
        shipped = {**editions.shipped(), **lexicon.shipped()}.values()
        for needed in () if terms is None else (terms.edition, terms.lexicon):
            here = list(node.words.glob(f"{needed.hex()}.*"))
            if needed and needed.hex() not in shipped and not here:
                self.fail(f"{node.name} accepts terms without having all they need")

    def _may_hear(
        self, node: "SimNode", key: bytes, message: LogMessage, data: bytes
    ) -> None:
        """Check that nobody is told what it may not know."""
        pages = node.pages(message.match)
        if not pages:
            return
        page = pages[-1]
        if key not in page.members:
            self._bystands(node, key, message, page)
        if not isinstance(message, Carried | Entries | Opening | Share):
            return
        self.told.append((key, page, data))
        self._world.bags.tells(key, page, data)
        if isinstance(message, Opening):
            fold = self._world.book.fold(page)
            for proof in message.proofs:
                seat = fold.drawn_by.get(proof.tile)
                if seat is None or page.holders[seat] != key:
                    self.fail(f"{self._world.name_of(key)} was told tile {proof.tile}")

    def _bystands(
        self, node: "SimNode", key: bytes, message: LogMessage, page: Page
    ) -> None:
        """Check what is sent to somebody who is no member."""
        name = self._world.name_of(key)
        if isinstance(message, Have) and not message.number:
            return
        if not isinstance(message, Entries | Fork | MatchTime):
            self.fail(f"{node.name} says {type(message).__name__} to {name}")
        for member in page.electors - {node.key}:
            if not self.refusals.get((page.match, key, node.key, member)):
                who = self._world.name_of(member)
                self.fail(f"{name} watches at {node.name}, and {who} has not agreed")
        if self.refusals.get((page.match, key, node.key, node.key)) is False:
            self.fail(f"{name} watches at {node.name}, who has refused")

    def got(self, a: "SimNode", b: "SimNode", message: Any) -> None:
        """Look at a message as it comes to a node."""
        if isinstance(message, Proposal):
            self._proposed[b.name] = message.terms
        if isinstance(message, Refused):
            self.moves.refused(b, message)
        if isinstance(message, Admit):
            mark = message.match, message.key, b.key, a.key
            self.refusals[mark] = message.allow

    def broke(
        self, a: "SimNode", b: "SimNode", message: Any, error: PeerError, lie: str
    ) -> None:
        """Note that a node took another for a cheat."""
        kind = type(message).__name__
        if lie:
            self._world.tally("lies found out")
        elif self.trusted(a) and self.trusted(b) and a is not self._world.spare:
            self.fail(f"{b.name} refused {kind} of {a.name}: {error!r}")

    def took(self, a: "SimNode", b: "SimNode", lie: str) -> None:
        """Look at what became of a lie that was not refused.

        Who has put the match away meanwhile drops what is said of it.
        """
        if lie.startswith("refuse: ") and b.in_hand():
            self.fail(f"{b.name} takes from {a.name} {lie.removeprefix('refuse: ')}")

    # What stands in files.

    def synced(self, node: "SimNode", path: str) -> None:
        """Check that a promise is on the disk only behind the log it was made for."""
        if not path.endswith(".secrets") or not self.trusted(node):
            return
        kept = node.drive.files[path]
        self.moves.synced(node, path, kept)
        count = len(promises(kept.durable))
        if count == node.promises.get(path, 0):
            return
        node.promises[path] = count
        log = path.removesuffix(".secrets") + ".netplay"
        there = node.drive.files.get(log)
        if there is not None and len(node.volume(log).read(there)) > len(
            node.volume(log).safe(there)
        ):
            self.fail(f"{node.name} promises before its log is on the disk")

    def after(self, node: "SimNode") -> None:
        """Look at a node after each event."""
        for name in node.links:
            self._carried[node.name, self._world.nodes[name].key] = self._world.now
        for status in node.tables.values():
            if status.match:
                self._table(node, status.match, status)

    def _table(self, node: "SimNode", match: bytes, status: TableStatus) -> None:
        """Look at a match that is in hand."""
        if match not in self.matches:
            self._begins(node, match)
        pages = node.pages(match)
        if not pages:
            return
        self._read(node, match, pages)
        self._time(node, match, pages, status)
        if node.key in pages[-1].members:
            self._finality(node, match, pages, status)

    def _begins(self, node: "SimNode", match: bytes) -> None:
        """Check that a rematch has everybody one seat on."""
        pages = node.pages(match)
        before = [page for old in self.matches[-1:] for page in node.pages(old)[-1:]]
        self.matches.append(match)
        if not pages or not before or len(pages) > 1 or self._world.several:
            return
        old, new = before[0], pages[0]
        if set(new.holders) == set(old.holders):
            rotated = (*old.holders[1:], old.holders[0])
            if new.holders != rotated and len(new.holders) == len(rotated):
                self.fail("the seats of a rematch are not one place on")

    def _read(self, node: "SimNode", match: bytes, pages: list[Page]) -> None:
        """Look at what has come into a file."""
        number, head, run = self._stood.get((node.name, match), (0, b"", 0))
        grown = len(pages) > number
        if number and (len(pages) < number or pages[number - 1].head != head):
            self._world.tally("replaced entries")
            self.moves.lines.unsure(node, match)
            self._drop(node, match, pages)
        elif grown and run == node.runs:
            self._alone(node, pages[number:])
        self._stood[node.name, match] = len(pages), pages[-1].head, node.runs
        for page in reversed(pages):
            if page.head in self._judged:
                break
            self._judged.add(page.head)
            self._world.bags.read(page)
            if page.wrong:
                self.fail(f"{node.name} keeps entry {page.entry.number}: {page.wrong}")

    def _alone(self, node: "SimNode", news: list[Page]) -> None:
        """Check that no host enters anything while too few of the match hear."""
        entered = [page for page in news if page.host == node.key]
        # Of two one alone hands the other's seat on: nobody else is asked.
        while entered and (entered[0].gone or _gone_before(entered[0])):
            del entered[0]
        before = entered[0].before if entered else None
        if before is None or node.mailed or self._world.now <= node.asleep:
            return  # it may go on by mail, or has just woken
        near = [key for key in before.electors if self._reaches(node, key)]
        if len(near) < quorum(len(before.electors)):
            self.fail(f"{node.name} enters {before.number} while too few hear")

    def _drop(self, node: "SimNode", match: bytes, pages: list[Page]) -> None:
        """Forget promises about entries that a newer term has replaced."""
        promised = self._promised[node.name, match]
        self._promised[node.name, match] = {
            number: head
            for number, head in promised.items()
            if number <= len(pages) and pages[number - 1].head == head
        }

    def _finality(
        self, node: "SimNode", match: bytes, pages: list[Page], status: TableStatus
    ) -> None:
        """Check that what a node calls final is on enough disks, and stays."""
        number = min(status.final, len(pages))
        if not number:
            return
        page = pages[number - 1]
        called = self._called.get((node.name, match), (0, b""))
        if called == (number, page.head):
            return
        self._called[node.name, match] = number, page.head
        if number < called[0] and pages[called[0] - 1 :][:1]:
            return
        same = self.finals[match].setdefault(number, page.head) == page.head
        if same:
            self.called[match][number].add(node.name)
        if not same and not self.lied_about:
            self.fail(f"{number} entries are final in two ways")
        if not self.lied_about and not page.final(self.disks(match), number):
            self.fail(f"{node.name} calls {number} entries final that are not safe")

    def disks(self, match: bytes) -> Any:
        """Return what tells on whose disks so many entries are."""
        nodes = self._world.nodes.values()

        def disks(number: int, head: bytes) -> set[bytes]:
            return {n.key for n in nodes if n.has_safe(match, number, head)}

        return disks

    def _time(
        self, node: "SimNode", match: bytes, pages: list[Page], status: TableStatus
    ) -> None:
        """Check that no time runs while somebody on turn is away."""
        mark, last = (node.name, node.runs, match), pages[-1]
        ran = self._ran.get(mark, Ran(node.now, last.head))
        ran = ran.until(node.now)
        if last.head != ran.head:
            old = self._world.book.page(ran.head)
            ours = (
                status.hosting
                and not self.lied_about  # who is where cannot be told from outside
                and old is not None
                and last.entry.term == old.entry.term
            )
            if ours and mark in self._ran and old is not None:
                passed = last.entry.at - old.entry.at
                # Whoever is on turn cannot move while its tiles lie face down: until
                # they are lifted it is others who are waited for.
                here = ran.others if isinstance(last.body, MaskedBody) else ran.here
                if passed > here * 1000 + SLACK:
                    why = f"{passed} ms pass in {here:.2f} s"
                    self.fail(f"time runs at {node.name} while somebody is away: {why}")
            ran = Ran(node.now, last.head)
        waited = {
            last.holders[seat] for seat in status.turn if seat < len(last.holders)
        }
        others = last.electors - waited - {node.key}
        here = all(self._reaches(node, key) for key in waited)
        some = here or any(self._reaches(node, key) for key in others)
        self._ran[mark] = ran._replace(all_here=here, some_here=some)

    def _reaches(self, node: "SimNode", key: bytes) -> bool:
        """Tell whether a node may have somebody within reach."""
        if key == node.key or node.link_to(key) is not None:
            return True
        if self._world.name_of(key) in self.lied_about:
            return True  # another computer may have its key
        if not self._world.with_key(key):
            return True  # all seats are at one node, which made a key for the match
        world = self._world
        others = [one for one in world.nodes.values() if one.name != node.name]
        for one in others:
            if one.link_to(node.key) and one.link_to(key):
                self._carried[one.name, key] = world.now
                return True  # what it says is carried, also while it says nothing
        # A link that is lost is heard of a while later.
        seen = max(self._carried.get((one.name, key), 0.0) for one in others)
        return world.now - seen < SILENCE

    def disk_failed(self, node: "SimNode") -> None:
        """Check that the match is out of hand, and that the player is told."""
        if (node.name, node.runs) in self.answered:
            return  # it was not the match in hand whose file failed
        # The list of the matches in hand is no part of a match, which loses nothing.
        broken = Path(node.drive.broken_at)
        listed = broken.name.startswith(IN_HAND)
        held = node.up and node.matches_in_hand()
        if held and self._world.several:  # at the others it goes on
            paths = {Path(node.path(match)).stem: match for match in held}
            held = {paths[broken.stem]} if broken.stem in paths else set()
        if held and not listed:
            self.fail(f"{node.name} plays on with a disk that has failed")
        told = (node.name, node.runs) in self.errors
        if not told and not any(map(_is_of_a_disk, node.tables.values())):
            self.fail(f"{node.name} does not say that its disk has failed")

    def came_back(self, node: "SimNode") -> set[bytes]:
        """Check that nothing acknowledged was lost; return what its player is to load.

        A match that was being opened as the node ended, twice, is left to the player.
        """
        if node.drive.broken or not self.trusted(node):
            return set()
        for (name, of), promised in self._promised.items():
            if name != node.name:
                continue
            pages = node.pages(of)
            for number, head in promised.items():
                if number > len(pages) or pages[number - 1].head != head:
                    self.fail(f"{name} lost entry {number - 1}, which it had promised")
        faults = node.node_tables.shared.means.faults
        if any(Says.IN_HAND_DAMAGED.name in repr(said) for said in faults):
            self.fail(f"{node.name} says that the list of its matches is damaged")
        self.moves.lines.came_back(node)
        missing = node.held - node.matches_in_hand()
        alone = set(
            filter(node.node_tables.shared.means.archive.is_laid_aside, missing)
        )
        for match in missing - alone:
            pages = node.pages(match)
            kept = self._promised[node.name, match] and pages
            if kept and not self._world.book.fold(pages[-1]).over:
                self.fail(f"{node.name} came back without its match")
        node.held = set()
        return alone


def _is_of_a_disk(table: TableStatus) -> bool:
    """Tell whether a table waits because a disk has failed, and says so."""
    return any(os.strerror(n) in str(table.waiting) for n in (errno.ENOSPC, errno.EIO))


def _gone_before(page: Page) -> bool:
    return page.before is not None and bool(page.before.gone)

"""What must hold at every moment of a simulated match, and at its end."""

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from netplay.desk import Push
from netplay.errors import PeerError
from netplay.match.match import Match
from netplay.messages.door import Line, View
from netplay.messages.log import (
    Ack,
    Carried,
    Claim,
    Clock,
    Entries,
    Have,
    Opening,
    Share,
    Turn,
)
from netplay.messages.table import Chat
from netplay.record.chance import Bag
from netplay.record.ledger import Ledger
from netplay.record.log import digest
from netplay.record.playable import tiles_of
from netplay.record.store import DamageError, MemoryDisk, records
from netplay.record.votes import quorum
from netplay.wire import unpack
from rules.tiles import Reveal, Show
from tests.simulation.disk import SimDisk

if TYPE_CHECKING:
    from tests.simulation.world import SimNode, World

MOST = 12
"""Failures noted of a run; more say nothing new."""


def _entries(data: bytes) -> list[bytes]:
    """Return the entries in a file, up to where it is torn."""
    found: list[bytes] = []
    try:
        found.extend(record.entry for record in records(data))
    except DamageError:
        pass
    return found


class Checks:
    """The promises of protocol.md, watched from outside the nodes."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.failures: list[str] = []
        self._promised: dict[str, dict[int, bytes]] = {}
        """Node -> number of entries said to be on its disk -> their head."""
        self._final: dict[int, bytes] = {}
        self._finals: dict[str, tuple[int, int]] = {}
        self._length: dict[str, int] = {}
        self._chat: dict[tuple[bytes, int], str] = {}
        self._errors: set[tuple[str, int]] = set()
        """Nodes that have shown their player an error, and in which run."""
        self._name: bytes | None = None
        self._read: dict[str, tuple[tuple[int, int], list[bytes]]] = {}
        """Node -> how its file stood when it was last read, and its entries."""
        self.entries = 0

    def fail(self, why: str) -> None:
        if len(self.failures) < MOST and why not in self.failures:
            self.failures.append(why)

    # While it runs.

    def sent(self, node: "SimNode", message: Any) -> None:
        """Remember what a node has said is on its disk."""
        match = node.match
        if isinstance(message, Chat):
            self._line(message)
        if match is None or not isinstance(message, Ack | Have | Claim | Entries):
            return
        if isinstance(message, Entries):
            head = digest(message.entries[-1])
            number = (
                match.ledger.log.heads.index(head)
                if head in match.ledger.log.heads
                else 0
            )
        else:
            number, head = message.number, message.head
        log = match.ledger.log
        if number and number <= len(log) and log.heads[number] == head:
            self._promised.setdefault(node.name, {})[number] = head

    def _line(self, line: Chat) -> None:
        """Check that a number of an author's stands for one text."""
        mark = (line.author, line.number)
        if self._chat.setdefault(mark, line.text) != line.text:
            self.fail(f"chat line {line.number} of one author is two lines")

    def after(self, node: "SimNode") -> None:
        """Look at a node after each event."""
        match = node.match
        if match is None:
            return
        if match.stopped:
            self.fail(f"{node.name} holds the proof of a fork")
        for key, way in match.relaying.ways.items():
            if way.shut:
                name = self._world.by_key[key].name
                self.fail(f"{node.name} refused what was carried for {name}")
        self._name, log = match.match, match.ledger.log
        self._say(node, match)
        self._alone(node, match)
        if len(log) < self._length.get(node.name, 0):  # another term took their place
            self._drop(node.name, log.heads)
            self._world.count("replaced entries")
        self._length[node.name] = len(log)
        self._finality(node, match)

    def _say(self, node: "SimNode", match: Match) -> None:
        """Check that who has a say, and who is waited for, follow from the state."""
        fold = match.fold
        held = {h for s, h in enumerate(fold.holders) if s not in fold.resigned}
        if (fold.electors, fold.required) != (held, held | {fold.host}):
            self.fail(f"{node.name} counts on others than have a say")
        if fold.actors != fold.game.actors(fold.state):
            self.fail(f"{node.name} waits for others than are to move")

    def _alone(self, node: "SimNode", match: Match) -> None:
        """Check that no host enters anything while nobody hears."""
        grown = len(match.ledger.log) > self._length.get(node.name, 1)
        alone = match.hosting and not node.links
        if grown and alone and quorum(len(match.fold.electors)) > 1:
            self.fail(f"{node.name} enters bodies while nobody hears")

    def _drop(self, name: str, heads: list[bytes]) -> None:
        """Forget promises about entries that a newer term has replaced."""
        kept = self._promised.get(name, {}).items()
        self._promised[name] = {
            n: head for n, head in kept if n < len(heads) and heads[n] == head
        }

    def _finality(self, node: "SimNode", match: Match) -> None:
        """Check that what a node calls final is on enough disks, and stays."""
        log, final = match.ledger.log, match.final
        old, term = self._finals.get(node.name, (0, 0))
        if final <= old and term == log.term:
            return
        self._finals[node.name] = (final, log.term)
        head = log.heads[final] if final < len(log.heads) else b""
        if self._final.setdefault(final, head) != head:
            self.fail(f"{final} entries are final in two ways")
        durable = self._durable(match.match, final, head)
        if final > 0 and durable < quorum(len(match.fold.electors)):
            self.fail(f"{final} entries are final on {durable} disks")

    def _durable(self, match: bytes, number: int, head: bytes) -> int:
        """Return how many disks hold so many entries with this head."""
        return sum(
            len(kept) >= number and digest(kept[number - 1]) == head
            for kept in (self.disk(n, match, synced=True) for n in self._nodes)
        )

    @property
    def _nodes(self) -> list["SimNode"]:
        return list(self._world.nodes.values())

    def disk(self, node: "SimNode", match: bytes, *, synced: bool) -> list[bytes]:
        """Return the entries in a node's file."""
        disk = node.archive.disks.get(match.hex() + ".netplay")
        if not isinstance(disk, SimDisk):
            return []
        size = disk.synced if synced else len(disk.data)
        place = (disk.changes, size)
        kept = self._read.get(node.name)
        if kept is None or kept[0] != place:
            kept = self._read[node.name] = place, _entries(bytes(disk.data[:size]))
        return kept[1]

    def disk_failed(self, node: "SimNode") -> None:
        """Check that the match is out of hand, and that the player is told."""
        if node.match is not None:
            self.fail(f"{node.name} plays on with a disk that has failed")
        self.pushed(node, node.desk.take_pushes())
        if (node.name, node.runs) not in self._errors:
            self.fail(f"{node.name} does not say that its disk has failed")

    def came_back(self, node: "SimNode") -> None:
        """Check that nothing acknowledged was lost."""
        promised = self._promised.get(node.name, {})
        match = node.match
        if match is None and node.archive.failed:
            return  # nothing is lost by a disk that fails; `disk_failed` looks at it
        heads = [] if match is None else match.ledger.log.heads
        if match is None and promised:
            texts = [push.message for push in node.desk.take_pushes()]
            name = self.name_of_match()
            if name is None or not node.archive.has(name) or node.archive.in_hand():
                self.fail(f"{node.name} came back without its match: {texts}")
            return
        for number, head in promised.items():
            if number >= len(heads) or heads[number] != head:
                self.fail(f"{node.name} lost entry {number - 1}, which it had promised")
        self._length[node.name] = max(0, len(heads) - 1)

    def name_of_match(self) -> bytes | None:
        """Return the match that is played, once it is."""
        for node in self._nodes:
            if node.match is not None:
                self._name = node.match.match
        return self._name

    def broke(self, a: "SimNode", b: "SimNode", message: Any, error: PeerError) -> None:
        """Note that a node took another for a cheat."""
        kind = type(message).__name__
        self.fail(f"{b.name} refused {kind} of {a.name}: {error!r}")

    # Secrets.

    def tells(self, a: "SimNode", b: "SimNode", message: Any, data: bytes) -> None:
        """Check that a node is not told what it may not know."""
        match = a.match
        if match is None or match.fold.over or tiles_of(match.fold.state) is None:
            return
        fold = match.fold
        if isinstance(message, Opening):
            for proof in message.proofs:
                seat = fold.drawn_by.get(proof.tile)
                if seat is None or fold.holders[seat] != b.key:
                    self.fail(f"{b.name} was told tile {proof.tile} of seat {seat}")
        if isinstance(message, Share | Opening | Entries | Carried):
            self._salts(match, b, data)

    def _salts(self, match: Match, b: "SimNode", data: bytes) -> None:
        """Check that no salt of a hidden tile and no dealer's seed is in the bytes."""
        fold = match.fold
        for round_ in fold.rounds:
            dealer, seed = round_.dealer, match.knows.secret(round_)
            if dealer != match.me or b.key == dealer or seed is None:
                continue
            if seed in data and len(round_.receivers) > 1:
                self.fail(f"{b.name} was sent the dealer's seed")
            bag = match.knows.whole.bag(round_.first)
            if bag is not None:
                self._bag(match, bag, b, data)

    def _bag(self, match: Match, bag: Bag, b: "SimNode", data: bytes) -> None:
        fold = match.fold
        for tile in range(bag.deal.first, bag.deal.first + bag.deal.size):
            seat = fold.drawn_by.get(tile)
            own = seat is not None and fold.holders[seat] == b.key
            if not own and tile not in fold.faces and bag.proof(tile).salt in data:
                self.fail(f"{b.name} was sent the salt of tile {tile}")

    def pushed(self, node: "SimNode", pushes: list[Push]) -> None:
        """Check that a window is shown no more than its seat sees."""
        for push in pushes:
            if isinstance(push.message, Line) and push.message.kind == "error":
                self._errors.add((node.name, node.runs))
        match = node.match
        if match is None:
            return
        for push in pushes:
            view = push.message
            if isinstance(view, View) and view.match == match.match:
                self._view(node, match, view)

    def _view(self, node: "SimNode", match: Match, view: View) -> None:
        fold = match.fold
        for past in view.happened:
            move = unpack(past.move, fold.game.ABOUT.move | Reveal | Show)
            if isinstance(move, Reveal) and move.kind >= 0:
                seat = fold.drawn_by.get(move.tile)
                if seat != view.seat and move.tile not in fold.faces:
                    self.fail(f"a window of seat {view.seat} saw tile {move.tile}")
        tiles = tiles_of(fold.state)
        if tiles is None:
            return
        seen = tiles_of(unpack(view.state, fold.game.ABOUT.state))
        assert seen is not None
        for seat, (rack, kinds) in enumerate(zip(seen.racks, seen.kinds, strict=True)):
            for tile, kind in zip(rack, kinds, strict=True):
                if kind >= 0 and seat != view.seat and tile not in fold.faces:
                    self.fail(f"{node.name}: seat {view.seat} sees tile {tile}")

    # At the end.

    def done(self) -> bool:
        """Tell whether all who live have ended the match."""
        return all(self._ended(node) for node in self._living) and self._equal()

    def _ended(self, node: "SimNode") -> bool:
        """Tell whether a node has ended the match; it may have restarted since."""
        if node.match is not None:
            return bool(node.match.audit())
        return self._is_put_away(node)

    def _is_put_away(self, node: "SimNode") -> bool:
        """Tell whether a node is up, and has a match on its disk that is over."""
        name = self.name_of_match()
        if name is None or not node.up or node.archive.in_hand():
            return False
        kept = self.disk(node, name, synced=True)
        return bool(kept) and Ledger(MemoryDisk(), kept).fold.over

    def _equal(self) -> bool:
        name = self.name_of_match()
        if name is None:
            return False
        lengths = {
            len(node.match.ledger.log)
            if node.match
            else len(self.disk(node, name, synced=True))
            for node in self._nodes
            if node.match or self._is_put_away(node)
        }
        return len(lengths) == 1

    def waits_for_the_dead(self) -> bool:
        """Tell whether only somebody who never comes back could go on."""
        dead = {node.key for node in self._nodes if node.dead}
        matches = [node.match for node in self._nodes if not node.dead]
        if not dead or not self._equal():
            return False
        for match in matches:
            if match is None or not match.quorate:
                return False
            fold = match.fold
            wanted = {fold.holders[seat] for seat in match.on_turn()}
            chance = any(
                set(round_.lacks_commit(fold.required)) & dead
                or set(round_.lacks_seed(fold.host)) & dead
                for round_ in fold.rounds
            )
            lost = any(round_.dealer in dead for round_ in fold.rounds)
            if not (wanted & dead or chance or lost or fold.over):
                return False
        return True

    def end(self) -> None:
        """Judge the whole run."""
        world = self._world
        name = self.name_of_match()
        if self.failures:
            return  # what was cut short says nothing more
        if name is None:
            self.fail("nobody has the match")
            return
        if not self.done() and not self.waits_for_the_dead():
            self.fail(f"the match does not go on: {self.situation()}")
        logs = {n.name: self.disk(n, name, synced=False) for n in self._nodes}
        for (a, one), (b, two) in pairwise(logs.items()):
            least = min(len(one), len(two))
            both = not (world.nodes[a].dead or world.nodes[b].dead)
            if both and one[:least] != two[:least]:
                self.fail(f"the logs of {a} and {b} part")
        longest = max((logs[node.name] for node in self._living), key=len)
        self.entries = len(longest)
        self._reread(longest)
        for node in self._nodes:
            if node.match is not None and node.match.audit() not in {"", "ok"}:
                self.fail(f"the audit of {node.name}: {node.match.audit()}")
        self._said()

    def _reread(self, log: list[bytes]) -> None:
        """Check the log by itself: finality, authors, positions."""
        for number, head in self._final.items():
            if number and (number > len(log) or digest(log[number - 1]) != head):
                self.fail(f"final entry {number - 1} is not in the log")
        try:
            ledger = Ledger(MemoryDisk(), log)
        except Exception as error:  # noqa: BLE001 (whatever is wrong with the log)
            self.fail(f"the log does not bear reading: {error!r}")
            return
        owns: Counter[bytes] = Counter()
        since: set[bytes] = set()
        for line in ledger.log.lines:
            if line.entry.own != owns[line.entry.author]:
                self.fail(f"entry {line.entry.number} is not the author's next")
            owns[line.entry.author] += 1
            turn = line.body if isinstance(line.body, Turn) else None
            if turn and turn.after not in since and b"resign" not in turn.move:
                self.fail(f"entry {line.entry.number} was for another position")
            if isinstance(line.body, Turn | Clock):
                since = set()
            since.add(digest(line.raw))

    def _said(self) -> None:
        """Check that chat has come everywhere, the same."""
        for node in self._living:
            talk = node.desk.sitting.talk if node.up else None
            lines = [] if talk is None else list(talk.said())
            for line in lines:
                self._line(line)
            if len({(line.author, line.number) for line in lines}) < len(lines):
                self.fail(f"{node.name} has a line of chat twice")
        if not self.talked():
            self.fail("chat has not come everywhere")

    @property
    def _living(self) -> list["SimNode"]:
        return [node for node in self._nodes if not node.dead]

    def talked(self) -> bool:
        """Tell whether all who live have the same lines of each other's."""
        keys = {node.key for node in self._living}
        seen: set[tuple[tuple[bytes, int], ...]] = set()
        for node in self._living:
            talk = node.desk.sitting.talk if node.up else None
            if talk is not None:
                seen.add(talk.heard(keys).authors)
        return len(seen) <= 1

    def situation(self) -> str:
        """Describe how everybody stands."""
        words = []
        for node in self._nodes:
            match = node.match
            if match is None:
                words.append(f"{node.name} up={node.up} dead={node.dead}")
                continue
            words.append(
                f"{node.name} {len(match.ledger.log)} entries"
                f" term {match.ledger.log.term} hosting={match.hosting}"
                f" quorate={match.quorate} turn={match.on_turn()}"
                f" pending={len(match.pending)} over={match.fold.over}"
                f" audit={match.audit()!r} granted={match.hidden.granted}"
                f" links={sorted(node.links)}"
                f" actors={sorted(match.fold.actors)} {node.desk.sitting.stopped}"
            )
        return "; ".join(words)

"""A node of the simulation: its tables and what a daemon gives them, in a real home."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from netplay.errors import Code, PeerError
from netplay.messages.door import (
    Answer,
    Done,
    Failed,
    LeaveTable,
    LookAt,
    Play,
    Question,
    Request,
    TableStatus,
    Watch,
)
from netplay.messages.table import Piece, Want
from netplay.messages.table_questions import StandIn
from netplay.record.archive import FileArchive
from netplay.table.resources import Kind, Shelf
from netplay.table.shared import Means
from netplay.table.tables import Tables
from rules import editions, lexicon
from tests.netplay.party import Dice, Key
from tests.simulation.book import SUFFIX, Page, Volume
from tests.simulation.drive import CrashError, Drive
from tests.simulation.prepared import ANY

if TYPE_CHECKING:
    from tests.simulation.links import Link
    from tests.simulation.world import World

LOOKER: Final = 99
"""The window that looks at the chat."""

WINDOWS: Final = 1000
"""Those behind that one look at one table each."""


class SimShelf(Shelf):
    """What one node has, though all are in one process."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._words = folder
        self._own: set[bytes] = set()

    def adopt(self, kind: Kind, digest: bytes) -> None:
        self._own.add(digest)
        super().adopt(kind, digest)

    def has(self, kind: Kind, digest: bytes) -> bool:
        shipped = {**editions.shipped(), **lexicon.shipped()}.values()
        name = f"{digest.hex()}.{kind.value}"
        here = digest.hex() in shipped or digest in self._own
        return here or (self._words / name).exists()

    def piece(self, want: Want) -> Piece:
        if not any(self.has(kind, want.digest) for kind in Kind):
            raise PeerError(Code.BAD_DIGEST)
        return super().piece(want)


class SimNode:
    """One computer and who sits at it."""

    def __init__(self, world: "World", name: str, who: str = "") -> None:
        self.world = world
        self.name = name
        self.signer = Key(who or name)
        self.key = self.signer.key
        self.drive = Drive(
            world.folder / name, self.touch, Random(f"{world.seed} {name}")
        )
        self.matches = self.drive.root / "matches"
        self.words = self.drive.root / "words"
        self.fuse: tuple[str, int] | None = None
        """Crash at this point, after passing it so many times."""
        self.runs = 0
        self.up = False
        self.dead = False
        """It will never come back."""
        self.away = False
        """Its user has left the table and not come back to it yet."""
        self.lag = 1.0
        self.told_of_disk = 0
        """In which of its runs its disk has failed."""
        self.stranded = False
        """It is to be cut off when it has entered something that nobody has."""
        self.asleep = 0.0
        """Until when nothing happens here."""
        self._clock, self.rate = (100.0, 100.0), 1.0
        """When it was set, and how fast it goes."""
        self.node_tables: Tables
        self.links: dict[str, Link] = {}
        self.thinking: set[tuple[bytes, int, int]] = set()
        self.waking = float("inf")
        self.asked = 0
        self.status: TableStatus | None = None
        self.tables: dict[int, TableStatus] = {}
        """All that are in hand, by their numbers; `status` is of the one in front."""
        self.looks: dict[int, int] = {}
        """Which seat a window of its own watches at each table."""
        self.held = set[bytes]()
        """Matches that were in hand when it went down."""
        self.leaving = b""
        """The match that its user is just leaving; it may be in hand again, or not."""
        self.volumes: dict[str, Volume] = {}
        self.promises: dict[str, int] = {}
        """Path of secrets -> promises that are on the disk."""
        self.shown: dict[tuple[bytes, int], Any] = {}
        """Match and seat -> the state that a window was shown last."""
        self.sits = False
        """Its user is at the window; else a computer stands in."""
        self.mailed = False
        """It has written its match to a file, and may go on by mail."""
        self.drive.on_sync = self._synced
        world.drives.add(self.drive)
        for folder in (self.matches, self.words):
            folder.mkdir()

    def _synced(self, path: str) -> None:
        self.world.checks.synced(self, path)

    # Time.

    @property
    def now(self) -> float:
        """What its clock says."""
        here, there = self._clock
        return here + (self.world.now - there) * self.rate

    def set_clock(self, rate: float, jump: float = 0.0) -> None:
        """Let the clock go at another rate from now on, or jump."""
        self._clock, self.rate = (self.now + jump, self.world.now), rate

    def unix(self) -> int:
        return int(self.now)

    # Life.

    def touch(self, point: str) -> None:
        """Pass a point where a crash may strike."""
        if self.fuse is None or self.fuse[0] != point:
            return
        left = self.fuse[1]
        self.fuse = (point, left - 1)
        if left <= 0:
            self.fuse = None
            self.world.tally(f"crash {point}")
            raise CrashError

    def start(self) -> None:
        """Begin, or come back with what the disk has."""
        self.runs += 1
        self.up, self.status, self.tables, self.looks = True, None, {}, {}
        dice = Dice(f"{self.world.seed} {self.name} {self.runs}")
        archive, shelf = FileArchive(self.matches), SimShelf(self.words)
        means = Means(self.signer, archive, shelf, dice, self.unix, self.signer.unseal)
        self.node_tables = Tables(means, self.name)
        self.links, self.thinking, self.waking = {}, set(), float("inf")
        self.ask(Answer(on=True))
        if not self.sits:
            self.ask(StandIn(40))
        self.node_tables.window_up(1)
        self.node_tables.window_up(2)
        self.ask(Watch(-1), window=2)
        self.node_tables.reopen(self.now)

    def ask(
        self, question: Question, window: int = 1, on: int = 0, moves: int = ANY
    ) -> Done | Failed:
        """Ask for something, of a table with a number where that is not plain.

        Args:
            question: What.
            window: Of which window.
            on: At which table.
            moves: After how many moves, if the question is to make one.
        """
        self.asked += 1
        table = self.tables.get(on) if on else self.status
        if isinstance(question, Play) and table is not None:
            known = self.world.checks.moves
            known.made(table.match, question.seat, question.move, moves)
        if isinstance(question, LeaveTable) and table is not None:
            self.leaving = table.match
        answer = self.node_tables.ask(
            window, Request(self.asked, question, on), self.now
        )
        if isinstance(answer, Failed) and answer.code == Code.DISK.number:
            self.world.checks.answered.add((self.name, self.runs))  # who asked is told
        return answer

    def look(self) -> None:
        """Look at what its windows are shown of the tables."""
        self.leaving = b""
        self.status = self.node_tables.table_status(self.now)
        front = self.status and self.status.number
        found = (
            (p.number, self.status if p.number == front else p.table.status(self.now))
            for p in self.node_tables.places
        )
        self.tables = {number: status for number, status in found if status}

    def look_everywhere(self) -> bool:
        """Have a window look at each table, from the seat that is played here.

        Tell whether one has begun to.
        """
        before = dict(self.looks)
        for number, table in self.tables.items():
            own = [n for n, seat in enumerate(table.seats) if seat.kind != "remote"]
            seat = own[0] if table.match and own else -1
            if number not in self.looks:
                self.node_tables.window_up(WINDOWS + number)
                self.ask(LookAt(number), WINDOWS + number)
            if self.looks.get(number) != seat:
                self.looks[number] = seat
                self.ask(Watch(seat), WINDOWS + number)
        return before != self.looks

    def close(self) -> None:
        """End as a program does that is closed."""
        self._keep()
        self.node_tables.close()

    def _keep(self) -> None:
        """Remember what was in hand: it has to be so when the node is there again.

        Not so what another has left: that goes on when somebody here says so.
        """
        for one in self.tables.values() if self.up else ():
            if one.phase != "stopped":
                self.held |= {one.match} - {b""}

    def goes_down(self) -> None:
        """Be there no more, and remember what was in hand."""
        self._keep()
        self.held.discard(self.leaving)
        self.world.checks.moves.lines.went_down(self)
        self.up, self.fuse, self.asleep = False, None, 0.0

    def does(
        self, question: Question, what: str = "", on: int = 0
    ) -> Callable[[], Any]:
        """Return what lets its user ask for something."""

        def act() -> None:
            answer = self.ask(question, on=on)
            if isinstance(answer, Failed) and what:
                self.world.note("failed", self.name, what, answer.reason)

        return act

    def link_to(self, key: bytes) -> "Link | None":
        """Return the link to whoever has a key."""
        for name, link in self.links.items():
            if self.world.nodes[name].key == key:
                return link
        return None

    # What there is of it from outside.

    def path(self, match: bytes) -> str:
        """Return where the file of a match lies."""
        return f"{self.matches}/{match[:16].hex()}{SUFFIX}"

    def volume(self, path: str) -> Volume:
        if path not in self.volumes:
            self.volumes[path] = Volume(self.world.book, path)
        return self.volumes[path]

    def pages(self, match: bytes, *, safe: bool = False) -> list[Page]:
        """Return what the file of a match has, or what a power cut would leave."""
        path = self.path(match)
        kept = self.drive.files.get(path)
        if kept is None:
            return []
        volume = self.volume(path)
        return volume.safe(kept) if safe else volume.read(kept)

    def has_safe(self, match: bytes, number: int, head: bytes) -> bool:
        """Tell whether a power cut would leave so many entries."""
        path = self.path(match)
        kept = self.drive.files.get(path)
        if kept is None or not number:
            return not number
        volume = self.volume(path)
        pages = volume.read(kept)
        if kept.cut_at is not None:
            pages = volume.safe(kept)
        elif volume.count(kept) < number:
            return False
        return number <= len(pages) and pages[number - 1].head == head

    def in_hand(self) -> bytes | None:
        """Return the match it plays, by what windows are told."""
        status = self.status
        return status.match if self.up and status is not None and status.match else None

    def matches_in_hand(self) -> set[bytes]:
        """Return the matches at all tables, by what windows are told."""
        return {one.match for one in self.tables.values()} - {b""} if self.up else set()

    def at(self, match: bytes | None) -> int:
        """Return the number of the table at which a match is in hand, 0 for none."""
        found = (
            n for n, one in self.tables.items() if one.match and one.match == match
        )
        return next(found, 0) if self.up else 0

    def heard(self, number: int) -> list[tuple[str, str]]:
        """Return what was said at a table, as a new window is told."""
        self.node_tables.take_pushes()
        self.node_tables.window_up(LOOKER)
        self.ask(LookAt(number), LOOKER)
        pushes = self.node_tables.take_pushes()
        self.node_tables.window_down(LOOKER)
        lines: list[Any] = [push.message for push in pushes if push.window == LOOKER]
        return [(line.author, line.text) for line in lines if hasattr(line, "author")]

"""What the tables of a node share: its key, its links, its files, and what it says.

A table knows nothing of sockets, windows and files but what is here, and nothing of
other tables.  What is to be sent is put in `out`, what windows are to be told in
`pushes`, each with the table it is of; whoever holds the tables takes both from there.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from netplay import limits
from netplay.errors import Code, LocalError, by_number
from netplay.faults import Faults, is_mistake
from netplay.fingerprint import fingerprint, folded
from netplay.match.relaying import Unseal, sealed
from netplay.messages.door import HostTable, Line, Notice, Tone
from netplay.messages.table import Decline
from netplay.messages.types import REASON_CHARACTERS
from netplay.peering import invitation
from netplay.peering.peers import KnownPeers
from netplay.programs.arena import ProgramPaths
from netplay.rate import Bucket, Buckets
from netplay.record.archive import NAME_BYTES, Archive
from netplay.record.hidden import Entropy
from netplay.record.log import Signer
from netplay.record.mending import Mender
from netplay.said import Said, Saying, Words, known
from netplay.sanitize import clean
from netplay.sentences import Says
from netplay.steady import Steady
from netplay.table.asked import (
    KEPT_A_SECOND,
    KEPT_AT_ONCE,
    Asked,
    AskedSeat,
    AskedTable,
)
from netplay.table.muted import Muted
from netplay.table.resources import Shelf
from netplay.wanted import EVERY_WINDOW, Outgoing, PeerMessage, Push

# Saying no to another node, and being told: always with a reason to be read.


def declining(table: bytes, code: Code, why: Words = "", revision: int = 0) -> Decline:
    """Return a Decline.

    Args:
        table: Which table; empty where none was named.
        code: What it means.
        why: What exactly; what the code means if that is not known.
        revision: Of the proposal that is declined.
    """
    reason = str(why)[:REASON_CHARACTERS] or code.text
    return Decline(table, revision, code.number, reason)


def heard(decline: Decline) -> Words:
    """Return why somebody says no, fit to be shown."""
    code = by_number(decline.code) or Code.UNEXPECTED
    return known(clean(decline.reason, REASON_CHARACTERS)) or Said(code.name)


class Means(Struct, frozen=True):
    """What a node gives its tables; the tests give others."""

    signer: Signer
    archive: Archive
    shelf: Shelf
    entropy: Entropy
    unix: Callable[[], int]
    """The time of day in seconds, for lines of chat."""
    unseal: Unseal = sealed
    """Opens letters to this node."""
    known: KnownPeers = field(default_factory=lambda: KnownPeers(None))
    """Who was met, and who is blocked."""
    faults: Faults = field(default_factory=Faults)
    """What is damaged in the home."""
    programs: ProgramPaths = field(default_factory=ProgramPaths)
    """Where the programs lie that play seats here."""
    muted: Muted = field(default_factory=Muted)
    """What the player does not want to be told of."""
    asked: Asked = field(default_factory=Asked)
    """Tables that wait for the answer of somebody who is away."""
    written: Path | None = None
    """The folder of what was written to friends without a table."""
    steady: Steady | None = None
    """The time of day that nobody can put forward, by which turns are counted."""

    def counted(self) -> int:
        """Return the time by which weeks are counted: a clock set forward ends none."""
        return self.unix() if self.steady is None else self.steady.now()


class Peer(Struct, frozen=True):
    """A node there is a link to, or was."""

    name: str
    address: str
    since: float
    """When the link came up or went down."""
    up: bool
    friend: bool = True
    """The player has called it, or said yes to a table with it."""
    quiet: float = -inf
    """When nothing was heard on the link last, though an answer was due."""


class _Quota:
    """So many lines in the time; it counts those that were left out."""

    def __init__(self, rate: float, burst: float, what: Saying) -> None:
        self._bucket: Final = Bucket(rate, burst, 0.0)
        self._what: Final = what
        self._left_out = 0

    def may_show(self, now: float) -> bool:
        """Tell whether one more may be shown."""
        may = self._bucket.take(now)
        self._left_out += not may
        return may

    def left_out(self) -> Said | None:
        """Return, once, that lines are missing before the next; mostly nothing."""
        number, self._left_out = self._left_out, 0
        return self._what(count=number) if number else None


class Lends:
    """Lends seats to browsers, and the sight of a match; this one lends nothing."""

    def moved(self, before: bytes, now: bytes, seats: Mapping[int, int]) -> None:
        """Let what is lent be of another table, or of its match.

        Args:
            before: Nonce or match.
            now: The same; empty for none.
            seats: Numbers before -> now of those that stay lent.
        """

    def lookers(self, _match: bytes) -> frozenset[bytes]:
        """Return who is there to look on at a match, by keys that are made up."""
        return frozenset()

    def look_away(self, match: bytes, key: bytes) -> None:
        """Let somebody look on no more."""

    def seats(self, _match: bytes) -> frozenset[int]:
        """Return the seats of a match that are lent."""
        return frozenset()

    def missing(self, _match: bytes) -> frozenset[int]:
        """Return the seats of a match whose guests in browsers are away."""
        return frozenset()


LOOKED_A_SECOND: Final = 16.0 * 1024
"""Bytes of kept matches that are read because one peer speaks of them (sustained)."""

LOOKED_AT_ONCE: Final = 1024.0 * 1024
"""At once: some fifty games, or a very long one."""

LOOKERS: Final = 1024
"""Peers of whom that is counted."""

UNWATCHED_SECONDS: Final = 5.0
"""After a match was watched last, while moves for a bystander may be on their way."""


class _Rates:
    """How often others may have something said, read or kept here."""

    def __init__(self) -> None:
        self.lines: Final = _Quota(
            limits.LINES_A_SECOND, limits.LINES_AT_ONCE, Says.LINES_LEFT_OUT
        )
        self.strangers: Final = _Quota(
            limits.SHOWN_A_SECOND, limits.SHOWN_AT_ONCE, Says.STRANGERS_LEFT_OUT
        )
        self.asking: Final = Buckets[bytes](KEPT_A_SECOND, KEPT_AT_ONCE)
        """Friend -> how often what it asks is kept."""
        self.leaving: Final = Buckets[bytes](KEPT_A_SECOND, KEPT_AT_ONCE)
        """Member -> how often it is kept that it leaves."""
        self.calls: Final = Bucket(limits.CALLS_A_SECOND, limits.CALLS_AT_ONCE, 0.0)
        self.talk: Final = Bucket(limits.CHAT_RATE, 2 * limits.CHAT_LINES, 0.0)
        self.looks: Final = Buckets[bytes](LOOKED_A_SECOND, LOOKED_AT_ONCE, LOOKERS)


class Shared:
    """What all tables of a node have in common."""

    passes_on = True
    """Matches that are watched here are passed on to others who watch."""

    def __init__(self, means: Means, name: str) -> None:
        """Begin without links.

        Args:
            means: Key, disk, word lists, randomness, time of day.
            name: This node's player.
        """
        self.means: Final = means
        self.me: Final = means.signer.key
        self.name = name
        self.peers: dict[bytes, Peer] = {}
        self.places: dict[bytes, str] = {}
        """Where members were said to be."""
        self.now = 0.0
        """Seconds, when something came last."""
        self.unwatched = b"", -inf
        """The match that was left off watching last, and when."""
        self.answering = False
        self.first = False
        """Whoever calls first is sat down with, unasked."""
        self.asks = False
        """The player is asked before a match begins in which time runs."""
        self.invited: tuple[HostTable | None, int] = None, 0
        """The table for whoever comes by an invitation and finds no free seat, and when
        the player last gave one away, in Unix seconds."""
        self.autoplay: int | None = None
        """Skill of a computer player that stands in for this node's persons."""
        self.fellows: dict[bytes, frozenset[bytes]] = {}
        """Match -> its other members, for matches that are played here."""
        self._spoiled: Final[set[bytes]] = set()
        """Matches that the disk has refused to keep, by what names their files."""
        self.mender: Final = Mender(means.archive, means.entropy, self.fault)
        self.at_table = 0
        """The table that has the word, 0 for none."""
        self._out: list[tuple[int, list[Outgoing]]] = []
        """What each table has put out, in order."""
        self.pushes: list[Push] = []
        self.wrote: list[tuple[int, str]] = []
        """Tables at which somebody has written, and who."""
        self.changed = True
        """Whether the status has to be shown anew."""
        self.moved = True
        """Whether links may be wanted or not, or tables offered, as they were not."""
        self._rates: Final = _Rates()
        self.keepers: tuple[bytes, ...] = ()
        """Who keeps letters of any match for this node, as its player has chosen."""
        self.lending = Lends()
        # Who are friends now, and whose links a table does not need any more.
        self._befriended, self.parted = set[bytes](), set[bytes]()
        """Of whom the shell was not told."""
        means.asked.on_fault = lambda fault: self.tell(fault.said, "error")

    # What windows are told.

    def tell(self, said: Said, tone: Tone = "system") -> None:
        """Show every window a line; of what others may bring about not too many."""
        if tone != "error" and not self._rates.lines.may_show(self.now):
            return
        if left_out := self._rates.lines.left_out():
            self._show(left_out, "system")
        self._show(said, tone)

    def tell_of(self, key: bytes, said: Said) -> None:
        """Show every window a line about a peer, of strangers not too many."""
        if not self.knows(key):
            if not self._rates.strangers.may_show(self.now):
                return
            if left_out := self._rates.strangers.left_out():
                self.tell(left_out)
        self.tell(said, self.tone(key))

    def _show(self, said: Said, tone: Tone) -> None:
        """Show every window a line."""
        self.push(Notice(tone, said, self.means.unix()))
        self.changed = True

    def push(self, line: Notice | Line, window: int = EVERY_WINDOW) -> None:
        """Show the windows at the table that has the word a line, or one window."""
        self.pushes.append(Push(window, line, self.at_table))

    def keep_asked(self, record: AskedTable | AskedSeat) -> None:
        """Keep a table that waits for somebody's answer.

        What a host changes and changes is kept now and then: it says it again.
        """
        asked = self.means.asked
        if isinstance(record, AskedSeat):
            old = asked.seats.get(record.nonce)
            said = record.agreed and not (old is not None and old.agreed)
            if not said and not self._rates.asking.take(record.host, self.now):
                asked.hold(record)
                return
        asked.put(record)

    def leave(self, nonce: bytes, match: bytes, keys: Iterable[bytes]) -> None:
        """Tell all at a table that it was left here; see `table.asked`."""
        unaware, asked = tuple(keys), self.means.asked
        asked.leave(nonce, match, unaware)
        for key in unaware:
            self.decline(key, nonce, Code.STOPPED, Says.LEFT_TABLE())

    def has_left(self, key: bytes, name: bytes) -> bool:
        """Tell whether what somebody says is of what was left here, unknown to it.

        It is told so once more, for as long as it speaks of it.

        Args:
            key: Of whom.
            name: The nonce of the table, or its match.
        """
        nonce = self.means.asked.left(key, name)
        if nonce:
            self.decline(key, nonce, Code.STOPPED, Says.LEFT_TABLE())
        return bool(nonce)

    def fault(self, said: Said) -> None:
        """Tell of something that is damaged, now and to every window that comes."""
        if self.means.faults.fault(said):
            self.tell(said, "error")

    @contextmanager
    def opening(self, match: bytes) -> Generator[None]:
        """Note a match that cannot be opened by the disk, or by a mistake of ours.

        It is noted as well while this lasts: nobody else can tell of what ends it all.

        The error is passed on.

        Args:
            match: Which; of one that is named by its file alone the first bytes.
        """
        archive = self.means.archive
        archive.begin_opening(match)
        try:
            yield
        except LocalError as error:
            # Of what has just begun nothing is left that could be read.
            if error.code is Code.DISK and archive.has(match):
                self.spoil(match)
            raise
        except Exception as error:
            if is_mistake(error):
                with suppress(LocalError):  # the next node tries once more
                    self.lay_aside(match)
            raise
        finally:
            archive.end_opening(match)

    def stick(self, match: bytes, said: Said) -> None:
        """Tell that a match cannot go on, until the player goes on with it."""
        self.means.faults.stuck[match[:NAME_BYTES]] = said
        self.fault(said)

    def spoil(self, match: bytes) -> None:
        """Note that what is read of a match may not be on the disk."""
        self._spoiled.add(match[:NAME_BYTES])

    def lay_aside(self, match: bytes) -> None:
        """Open a match no more, nor does the next node, before the player wants to.

        Raises:
            LocalError: DISK, it cannot be noted for the next node.
        """
        self.spoil(match)
        if self.means.archive.has(match):  # of what others only speak nothing is kept
            self.means.archive.lay_aside(match)

    def is_spoiled(self, match: bytes) -> bool:
        """Tell whether a match is not to be opened because others speak of it.

        What is read of it may not be on the disk, or the program makes a mistake in it.
        """
        spoiled = match[:NAME_BYTES] in self._spoiled
        return spoiled or self.means.archive.is_laid_aside(match)

    def make_sure_of(self, match: bytes) -> None:
        """Have a match on the disk that was spoiled, if it was: it is wanted again.

        Raises:
            LocalError: DISK, it still refuses.
        """
        name, faults = match[:NAME_BYTES], self.means.faults
        if self.is_spoiled(match):
            self.means.archive.write_again(match)
            self.means.archive.take_again(match)
            self._spoiled.discard(name)
        if name in faults.stuck:
            faults.mended(faults.stuck.pop(name))

    # What peers are told.

    def say(self, keys: Iterable[bytes], *messages: PeerMessage) -> None:
        """Send messages to those of the peers who are up."""
        up = tuple(key for key in keys if self.is_up(key))
        if up:
            self.put(Outgoing(up, message) for message in messages)

    def put(self, outgoing: Iterable[Outgoing]) -> None:
        """Let messages of the table that has the word go out."""
        self._out.append((self.at_table, list(outgoing)))

    def take_out(self) -> list[Outgoing]:
        """Return what is to be sent."""
        if not self._out:
            return []
        [(_, first), *rest], self._out = self._out, []
        return [*first, *(one for _, some in rest for one in some)] if rest else first

    def hold_back(self) -> None:
        """Send nothing of what the table that has the word has not sent yet."""
        self._out = [one for one in self._out if one[0] != self.at_table]

    def decline(
        self, key: bytes, table: bytes, code: Code, why: Words = "", revision: int = 0
    ) -> None:
        """Say no to a peer; see `declining`."""
        self.say((key,), declining(table, code, why, revision))

    # Who is there.

    @property
    def spoken_for(self) -> float:
        """When the player of a node that is called has said to be there.

        Who waits by a command or a program says so each time; a window's player is
        asked.
        """
        return inf if self.answering and not self.asks else -inf

    def is_up(self, key: bytes) -> bool:
        """Tell whether there is a link to a peer."""
        peer = self.peers.get(key)
        return peer is not None and peer.up

    def is_quiet(self, key: bytes) -> bool:
        """Tell whether a peer may be gone whose link is still there."""
        peer = self.peers.get(key)
        since = -inf if peer is None else peer.quiet
        return self.now < since + limits.SILENCE_SECONDS - limits.QUIET_SECONDS

    def at(self, address: str) -> list[bytes]:
        """Return who is there on links that were made to an address, or is invited by.

        Whoever is here already need not be called: a router may let nobody in.
        """
        invited = ""
        if invitation.is_invitation(address):
            with suppress(LocalError):
                invited = invitation.read(address).fingerprint
        return [
            key
            for key, peer in self.peers.items()
            if peer.up
            and (peer.address == address or folded(fingerprint(key)) == invited)
        ]

    def name_of(self, key: bytes) -> str:
        """Return what the player here calls a peer."""
        return self.means.known.own_name(key, self.their_name(key))

    def their_name(self, key: bytes) -> str:
        """Return what a peer calls itself: what others may be told."""
        peer = self.peers.get(key)
        name = self.means.known.name(key) if peer is None else peer.name
        return name or "somebody"

    def names(self) -> Mapping[bytes, str]:
        """Return who is on a link, and what they are called."""
        return {key: peer.name for key, peer in self.peers.items() if peer.up}

    def doubt(self, key: bytes, name: str) -> Words:
        """Return what is to be said wherever a name is shown, mostly nothing."""
        return "" if key == self.me else self.means.known.doubt(key, name, self.name)

    def tone(self, key: bytes) -> Tone:
        """Return how loud a line about a player is."""
        return "warning" if self.doubt(key, self.their_name(key)) else "system"

    def known_as(self, key: bytes, name: str = "") -> Words:
        """Return what to call a player, with what is doubtful about it."""
        name = name or self.their_name(key)
        doubt = self.doubt(key, name)
        own = self.means.known.own_name(key, name)
        return Says.DOUBTFUL(name=own, doubt=doubt) if doubt else own

    # Friends: those whom the player has called, or has agreed to play with.  Of anybody
    # else nothing is fetched, signed, dialled, opened or kept before the player has
    # said yes, and little is shown, however many they are.

    def knows(self, key: bytes) -> bool:
        """Tell whether the player has ever said yes to somebody."""
        peer = self.peers.get(key)
        friend = peer is not None and peer.friend
        return friend or any(key in some for some in self.fellows.values())

    def befriend(self, keys: Iterable[bytes]) -> None:
        """Note that the player says yes to somebody."""
        self.moved = True
        for key in keys:
            self._befriended.add(key)
            peer = self.peers.get(key)
            if peer is not None:
                self.peers[key] = replace(peer, friend=True)

    def take_friends(self) -> tuple[bytes, ...]:
        """Return those who have become friends since the last call."""
        found = tuple(self._befriended)
        self._befriended.clear()
        return found

    def may_talk(self, key: bytes) -> bool:
        """Tell whether a line of chat is to be taken now.

        Who has but come may not send all that a friend may have to send again.
        """
        return self.knows(key) or self._rates.talk.take(self.now)

    def heeds_leaving(self, key: bytes) -> bool:
        """Tell whether it is heeded that a member leaves: each time that is kept."""
        return self._rates.leaving.take(key, self.now)

    def may_look(self, key: bytes, size: int) -> bool:
        """Tell whether a kept match may be read because a peer speaks of it.

        Args:
            key: The peer's.
            size: Of the match, in bytes; the largest is read by whoever asks seldom.
        """
        return self._rates.looks.take(key, self.now, min(size, LOOKED_AT_ONCE))

    def may_call(self) -> bool:
        """Tell whether one more stranger may call to a table."""
        return self._rates.calls.take(self.now)

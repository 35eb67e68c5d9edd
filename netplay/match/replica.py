"""Who has how much of a log, and what to send to whom.

Both sides of a new link say `Have`; whoever has more sends the rest.  The host goes on
sending what it enters; everybody says `Ack` for what is on the disk.  Nothing but
what promises nothing leaves before `outgoing`, which syncs the file first.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeAlias

from netplay.desk import Outgoing
from netplay.limits import ENTRIES_BYTES
from netplay.messages.log import ENTRIES_A_FRAME, Ack, Entries, Have, LogMessage
from netplay.record.ledger import Ledger
from netplay.record.log import Log, Signer, ack_data
from netplay.record.votes import quorum

Place: TypeAlias = tuple[int, int, bytes]
"""How much of a log: the last term, the number of entries, the head."""


def place_at(log: Log, number: int) -> Place:
    """Return the place behind the first entries of a log."""
    term = log.lines[number - 1].entry.term if number else 0
    return term, number, log.heads[number]


def acknowledge(signer: Signer, ledger: Ledger, place: Place) -> Ack:
    """Return the signed word that entries are on the disk."""
    log, whole = ledger.log, place[1] == len(ledger.log)
    state = ledger.fold.digest() if whole else b""
    data = ack_data(log.match, *place, state)
    return Ack(log.match, *place, state, signer.sign(data))


class Replica:
    """The copies of one log, as one member knows of them."""

    def __init__(
        self, signer: Signer, ledger: Ledger, vouched: Callable[[], int]
    ) -> None:
        """Know of no copy but our own.

        Args:
            signer: This node's key.
            ledger: The log.
            vouched: Returns how many of its entries this node stands for.
        """
        self._signer: Final = signer
        self._me: Final = signer.key
        self._ledger: Final = ledger
        self._vouched: Final = vouched
        self.linked: set[bytes] = set()
        """Members that can be reached."""
        self.greeted: frozenset[bytes] = frozenset()
        """Those of them that have the match in hand."""
        self._counted: tuple[object, bool] = None, False
        """Who was there when it was last counted whether they are enough, and that."""
        self.sent: dict[bytes, int] = {}
        """As host: how many entries each has been sent on this link."""
        self._durable: dict[bytes, int] = {}
        self._early: dict[bytes, Ack] = {}
        """What members have said they have before it came here."""
        self._ack: Ack | None = None
        """The last acknowledgement, signed once."""
        self._acked = self._place()
        self._saved = 0 if ledger.file.dirty else len(ledger.log)
        """How many entries are on this node's disk, for sure."""
        self.waiting: list[Outgoing] = []
        """What is to be sent."""

    @property
    def hosting(self) -> bool:
        """Whether this node puts entries in order."""
        return self._ledger.fold.host == self._me

    @property
    def member(self) -> bool:
        """Whether this node is a member: a bystander acknowledges nothing."""
        return self._me in self._ledger.fold.keys

    @property
    def quorate(self) -> bool:
        """Whether what is entered now can become final.

        Members count once they have said what they have: a host that lost its file
        must not number entries again.
        """
        fold = self._ledger.fold
        there = fold.host, fold.electors, self.greeted
        if self._counted[0] != there:
            self._counted = there, self._count(fold.host, fold.electors)
        return self._counted[1]

    def _count(self, host: bytes, electors: frozenset[bytes]) -> bool:
        """Return whether enough electors are here, and the host."""
        if host != self._me and host not in self.greeted:
            return False
        here = len(electors & self.greeted) + (self._me in electors)
        return here >= quorum(len(electors))

    @property
    def final(self) -> int:
        """How many entries the host and a quorum are known to have on disk.

        An entry that changes who the electors are must be final by the quorum before
        it, before the one after it counts for anything: two hosts chosen by different
        electors could else keep different entries.
        """
        fold, mine = self._ledger.fold, len(self._ledger.log)
        own = self._vouched() if self.hosting else min(self._vouched(), self._saved)
        have = {**self._durable, fold.host: mine, self._me: own}
        number = 0
        for start, electors in fold.constitutions:
            if number < start:
                break
            numbers = sorted((have.get(key, 0) for key in electors), reverse=True)
            held = numbers[quorum(len(numbers)) - 1] if numbers else mine
            number = max(start, held)
        return number

    def has_all(self, key: bytes) -> bool:
        """Tell whether a member is known to have the whole log."""
        all_ = len(self._ledger.log)
        return key == self._ledger.fold.host or self._durable.get(key, 0) >= all_

    # Links.

    def link_up(self, key: bytes) -> None:
        """Greet a member that can be reached."""
        self.link_down(key)
        self.linked.add(key)
        self.say(key, self.have())

    def link_down(self, key: bytes) -> None:
        """Assume nothing of what a member has."""
        self.linked.discard(key)
        self.forget(key)
        self._early.pop(key, None)
        self.sent.pop(key, None)

    def say(self, key: bytes, message: LogMessage) -> None:
        """Send a message to one member, after the next sync."""
        self.waiting.append(Outgoing((key,), message))

    def say_all(self, message: LogMessage) -> None:
        """Send a message to every member that can be reached."""
        if self.linked:
            self.waiting.append(Outgoing(tuple(sorted(self.linked)), message))

    def have(self) -> Have:
        """Return how much is on this node's disk."""
        log = self._ledger.log
        return Have(log.match, log.term, len(log), log.head)

    def _place(self) -> Place:
        """Return how much of it this node stands for."""
        return place_at(self._ledger.log, self._vouched())

    def ack(self) -> Ack:
        """Return that, signed."""
        place, last = self._place(), self._ack
        if last is None or (last.term, last.number, last.head) != place:
            last = self._ack = acknowledge(self._signer, self._ledger, place)
        return last

    def doubt(self, key: bytes) -> None:
        """Assume nothing of what a member has: its signature fails."""
        self._durable.pop(key, None)

    # Messages.

    def greet(self, key: bytes) -> bool:
        """Note that a member has the match in hand; return whether that is news."""
        news = key not in self.greeted
        if news:
            self.greeted |= {key}
        return news

    def forget(self, key: bytes) -> None:
        """Note that a member does not have the match in hand."""
        self.greeted -= {key}

    def on_have(self, key: bytes, have: Have) -> None:
        """Send what a member lacks, and tell it what is here."""
        log = self._ledger.log
        if self.member:
            self.say(key, self.ack())
        if have.number <= len(log) and have.head == log.heads[have.number]:
            self._send_tail(key, have.number)
        elif have.term < log.term:
            self._send_tail(key, self._first_after(have.term))
        elif have.number > len(log) or have.term > log.term:
            self.say(key, self.have())  # it may have opened the match just now
            if self.hosting:
                self.sent[key] = have.number
        else:
            self.say_entries((key,), have.number - 1)  # maybe the proof of a fork

    def on_ack(self, key: bytes, ack: Ack) -> None:
        """Note what a member has on its disk, and ask for what we lack."""
        log, host = self._ledger.log, self._ledger.fold.host
        if ack.number > len(log):
            self._early[key] = ack
            if not self.hosting and host not in self.linked:
                self.say(key, self.have())  # who has no link to the host asks others
        elif ack.head == log.heads[ack.number]:
            self._durable[key] = ack.number
            if self.hosting:
                # A member that had the match in hand all the time answers the Have of
                # a host that has just taken it up again with no Have of its own.
                self.sent.setdefault(key, ack.number)
        elif ack.number:
            self.say_entries((key,), ack.number - 1)

    def look_again(self) -> None:
        """Note what members have on their disks of entries that came here later."""
        log = self._ledger.log
        for key, ack in list(self._early.items()):
            if ack.number <= len(log):
                del self._early[key]
                if ack.head == log.heads[ack.number]:
                    self._durable[key] = max(ack.number, self._durable.get(key, 0))

    def _first_after(self, term: int) -> int:
        """Return the number of the first entry of a later term."""
        lines = self._ledger.log.lines
        return next(line.entry.number for line in lines if line.entry.term > term)

    def _send_tail(self, key: bytes, start: int) -> None:
        """Bring a member up to date; the host goes on doing so."""
        if self.hosting:
            self.sent[key] = start
        else:
            self.say_entries((key,), start)

    def say_entries(self, keys: tuple[bytes, ...], start: int) -> None:
        """Send entries from a number on, in frames that are not too large."""
        for batch in batches(self._ledger.raws(start)):
            message = Entries(self._ledger.log.match, batch)
            self.waiting.append(Outgoing(keys, message))

    def truncated(self, number: int) -> None:
        """Forget who has entries that are in the log no more."""
        known = self._durable.items()
        self._durable = {key: min(number, durable) for key, durable in known}
        self._saved = min(number, self._saved)

    def new_host(self) -> None:
        """Begin again under another host."""
        self.sent.clear()
        self.say_all(self.have())

    # What is sent.

    def outgoing(self, open_to: Callable[[bytes], None] | None) -> list[Outgoing]:
        """Return what is to be sent, after everything it promises is on the disk.

        Args:
            open_to: Says to a member, after its entries, what it alone may know; None
                where nothing is hidden.

        Raises:
            LocalError: DISK; nothing is sent then.
        """
        if self._ledger.file.dirty:
            self._ledger.file.sync()
        number, place = len(self._ledger.log), self._place()
        self._saved = number
        if self.hosting:
            self._spread(number)
        elif self.member and place != self._acked:
            self.say_all(self.ack())
        if open_to is not None:
            for key in sorted(self._in_step(number)):
                open_to(key)
        self._acked = place
        return self.take()

    def take(self) -> list[Outgoing]:
        """Return what is to be sent, and forget it."""
        out, self.waiting = self.waiting, []
        return out

    def _in_step(self, number: int) -> Collection[bytes]:
        """Return who may be told what its tiles are, as far as the log goes here.

        Who deals may be host no more.  It tells nobody of tiles drawn in entries that
        another history may drop: they may be somebody else's there.
        """
        if self.hosting:
            return self.sent
        return self.greeted if self.member and self.final >= number else ()

    def _spread(self, number: int) -> None:
        """Send every member the entries it lacks, the same bytes to all who can."""
        behind: dict[int, list[bytes]] = {}
        for key, sent in sorted(self.sent.items()):
            if sent < number:
                behind.setdefault(sent, []).append(key)
        for sent, keys in behind.items():
            self.say_entries(tuple(keys), sent)
            self.sent.update(dict.fromkeys(keys, number))


def batches(raws: Sequence[bytes]) -> list[tuple[bytes, ...]]:
    """Return entries in parts that fit a frame each."""
    parts: list[tuple[bytes, ...]] = []
    batch: list[bytes] = []
    size = 0
    for raw in raws:
        full = size + len(raw) > ENTRIES_BYTES or len(batch) == ENTRIES_A_FRAME
        if batch and full:
            parts.append(tuple(batch))
            batch, size = [], 0
        batch.append(raw)
        size += len(raw)
    return [*parts, tuple(batch)] if batch else parts

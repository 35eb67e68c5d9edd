"""Who has how much of a log, and what to send to whom.

Both sides of a new link say `Have`; whoever has more sends the rest.  The host goes on
sending what it enters; everybody says `Ack` for what is on the disk.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from netplay.limits import ENTRIES_BYTES
from netplay.match.effects import to
from netplay.match.members import Members
from netplay.messages.log import ENTRIES_A_FRAME, Ack, Entries, Have, Receipt
from netplay.record.clocks import quorum
from netplay.record.ledger import Ledger
from netplay.record.log import Log, Signer, ack_data
from netplay.wanted import Outgoing

Place: TypeAlias = tuple[int, int, bytes]
"""How much of a log: the last term, the number of entries, the head."""


def place_at(log: Log, number: int) -> Place:
    """Return the place behind the first entries of a log."""
    term = log.lines[number - 1].entry.term if number else 0
    return term, number, log.heads[number]


def have(log: Log) -> Have:
    """Return the word on how much of a log is here."""
    return Have(log.match, log.term, len(log), log.head)


def acknowledge(signer: Signer, ledger: Ledger, place: Place) -> Ack:
    """Return the signed word that entries are on the disk."""
    log, whole = ledger.log, place[1] == len(ledger.log)
    state = ledger.fold.digest() if whole else b""
    data = ack_data(log.match, *place, state)
    return Ack(log.match, *place, state, signer.sign(data))


class Replica:
    """The copies of one log, as one member knows of them."""

    def __init__(self, signer: Signer, ledger: Ledger, members: Members) -> None:
        """Know of no copy but our own.

        Args:
            signer: This node's key.
            ledger: The log.
            members: Who takes part.
        """
        self._signer: Final = signer
        self._me: Final = signer.key
        self._ledger: Final = ledger
        self._members: Final = members
        self.sent: dict[bytes, int] = {}
        """As host: how many entries each has been sent on this link."""
        self._durable: dict[bytes, int] = {}
        self.early: dict[bytes, Ack] = {}
        """What members have said they have before it came here."""
        self._said: dict[bytes, int] = {}
        """How many entries members have said they have, on this link."""
        self._ack: Ack | None = None
        """The last acknowledgement, signed once."""
        self._acked = self._place()
        self.saved = 0 if ledger.dirty else len(ledger.log)
        """How many entries are on this node's disk, for sure."""

    @property
    def final(self) -> int:
        """How many entries the host and a quorum are known to have on disk.

        An entry that changes who the electors are must be final by the quorum before
        it, before the one after it counts for anything: two hosts chosen by different
        electors could else keep different entries.
        """
        mine, vouched = len(self._ledger.log), self._members.vouched()
        own = vouched if self._members.hosting else min(vouched, self.saved)
        have_ = {**self._durable, self._members.host: mine, self._me: own}
        number = 0
        for start, electors in self._ledger.fold.constitutions:
            if number < start:
                break
            numbers = sorted((have_.get(key, 0) for key in electors), reverse=True)
            held = numbers[quorum(len(numbers)) - 1] if numbers else mine
            number = max(start, held)
        return number

    @property
    def behind(self) -> bool:
        """Whether a member that is here says that it has more than we do."""
        return any(count > len(self._ledger.log) for count in self._said.values())

    @property
    def there(self) -> Mapping[bytes, int]:
        """How many entries each other elector that is here is known to have."""
        members, durable = self._members, self._durable
        others = members.here - {members.me, members.host}
        return {key: durable.get(key, 0) for key in others}

    def has_all(self, key: bytes) -> bool:
        """Tell whether a member is known to have the whole log."""
        all_ = len(self._ledger.log)
        return key == self._members.host or self._durable.get(key, 0) >= all_

    def have(self) -> Have:
        """Return how much is on this node's disk, once that is released."""
        return have(self._ledger.log)

    def _place(self) -> Place:
        """Return how much of it this node stands for."""
        return place_at(self._ledger.log, self._members.vouched())

    def ack(self) -> Ack:
        """Return that, signed."""
        place, last = self._place(), self._ack
        if last is None or (last.term, last.number, last.head) != place:
            last = self._ack = acknowledge(self._signer, self._ledger, place)
        return last

    # Links.

    def down(self, key: bytes) -> None:
        """Assume nothing of what a member has."""
        self.early.pop(key, None)
        self.sent.pop(key, None)
        self._said.pop(key, None)

    def doubt(self, key: bytes) -> None:
        """Assume nothing of what a member has: its signature fails."""
        self._durable.pop(key, None)

    # Messages.

    def on_have(self, key: bytes, theirs: Have) -> list[Outgoing]:
        """Send what a member lacks, and tell it what is here."""
        log, hosting = self._ledger.log, self._members.hosting
        self._said[key] = theirs.number
        out = [] if self._members.watching else [to(key, self.ack())]
        if theirs.number <= len(log) and theirs.head == log.heads[theirs.number]:
            out += self._send_tail(key, theirs.number)
        elif theirs.term < log.term:
            # The number of the first entry of a later term
            term = theirs.term
            lines = self._ledger.log.lines
            out += self._send_tail(
                key, next(line.entry.number for line in lines if line.entry.term > term)
            )
        elif theirs.number > len(log) or theirs.term > log.term:
            out.append(to(key, self.have()))  # it may have opened the match just now
            if hosting:
                self.sent[key] = theirs.number
        else:
            out += self.entries((key,), theirs.number - 1)  # maybe the proof of a fork
        return out

    def on_ack(self, key: bytes, ack: Ack) -> Sequence[Outgoing]:
        """Note what a member has on its disk, and ask for what we lack."""
        log, members = self._ledger.log, self._members
        self._said[key] = ack.number
        if ack.number > len(log):
            self.early[key] = ack
            # We ask the host alone, unless it is away.  A host is ahead of all, unless
            # it has lost what it entered, or a copy of its home has entered more.
            if members.hosting or members.host not in members.linked:
                return (to(key, self.have()),)
        elif ack.head == log.heads[ack.number]:
            self._durable[key] = ack.number
            if members.hosting:
                # A member that had the match in hand all the time answers the Have of
                # a host that has just taken it up again with no Have of its own.
                self.sent.setdefault(key, ack.number)
        elif ack.number:
            return self.entries((key,), ack.number - 1)
        return ()

    def look_again(self) -> None:
        """Note what members have on their disks of entries that came here later."""
        log = self._ledger.log
        for key, ack in list(self.early.items()):
            if ack.number <= len(log):
                del self.early[key]
                if ack.head == log.heads[ack.number]:
                    self._durable[key] = max(ack.number, self._durable.get(key, 0))

    def _send_tail(self, key: bytes, start: int) -> list[Outgoing]:
        """Bring a member up to date; the host goes on doing so."""
        if self._members.hosting:
            self.sent[key] = start
            return []
        return self.entries((key,), start)

    def entries(self, keys: tuple[bytes, ...], start: int) -> list[Outgoing]:
        """Return entries from a number on, in frames that are not too large."""
        match, raws = self._ledger.log.match, self._ledger.raws(start)
        if len(raws) == 1:  # the usual case needs no parts
            return [Outgoing(keys, Entries(match, raws))]
        return [Outgoing(keys, Entries(match, batch)) for batch in batches(raws)]

    def lacking(self, key: bytes, shown: Receipt | None) -> list[Entries]:
        """Return the entries that a member is not known to have on its disk.

        Args:
            key: The member.
            shown: What it has signed for, and this node has kept.
        """
        match = self._ledger.log.match
        raws = self._ledger.raws(self.known(key, shown))
        return [Entries(match, batch) for batch in batches(raws)]

    def known(self, key: bytes, shown: Receipt | None) -> int:
        """Return how many entries a member is known to have on its disk."""
        log, durable = self._ledger.log, self._durable.get(key, 0)
        if shown is None or not durable < shown.number <= len(log):
            return durable
        return shown.number if log.heads[shown.number] == shown.head else durable

    def truncated(self, number: int) -> None:
        """Forget who has entries that are in the log no more."""
        known = self._durable.items()
        self._durable = {key: min(number, durable) for key, durable in known}
        self.saved = min(number, self.saved)

    def new_host(self) -> None:
        """Begin again under another host."""
        self.sent.clear()

    # What is sent.

    def synced(self) -> list[Outgoing]:
        """Return what to say now that all of the log is on the disk."""
        number = self.saved = self._ledger.log.number
        out: list[Outgoing] = []
        if self._members.hosting:
            # Every member the entries it lacks, the same bytes to all who can
            behind: dict[int, tuple[bytes, ...]] = {}
            for key in self.sent:  # by hand: it is done at every move
                start = self.sent[key]
                if start < number:
                    same = (*behind[start], key) if start in behind else (key,)
                    behind[start], self.sent[key] = same, number
            for start, keys in behind.items():
                out += self.entries(keys, start)
            return out
        place = self._place()
        if not self._members.watching and place != self._acked:
            keys = tuple(sorted(self._members.linked))
            out = [Outgoing(keys, self.ack())] if keys else []
        self._acked = place
        return out

    def in_step(self) -> Sequence[bytes]:
        """Return who may be told what its tiles are, as far as the log goes here.

        Who deals may be host no more.  It tells nobody of tiles drawn in entries that
        another history may drop: they may be somebody else's there.
        """
        members = self._members
        if members.hosting:
            return sorted(self.sent)
        final = not members.watching and self.final >= len(self._ledger.log)
        return sorted(members.greeted) if final else ()


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

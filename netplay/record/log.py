"""The log of a match: who signed what, in which order, and the proof of it.

Theory of operation.  A body is signed by its author over (match, own number, body);
the host adds term, number, time and the digest of the entry before, and signs all of
it.  So the host can delay but not forge, and whoever holds the bytes can prove to
anybody what was said.  `own` counts an author's bodies without gaps: a body that is
sent twice is entered once.

Signatures are Ed25519 (RFC 8032), by libsodium, which refuses what some others take: a
key or a first half of small order, under which a signature holds for anything, and
numbers that are not reduced.  So all nodes agree on every signature there can be.

A `Log` holds the bytes and answers whether the next ones continue them; it knows
nothing of what bodies mean, except who is host: whom a Term names the fold tells it.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import astuple
from nacl.bindings import crypto_sign, crypto_sign_open, crypto_sign_seed_keypair
from nacl.exceptions import CryptoError

from netplay.errors import Code, PeerError
from netplay.limits import ENTRY_BYTES
from netplay.messages.log import Entry, Fork, Genesis, LogBody, Term
from netplay.messages.table import Terms
from netplay.messages.types import KEY_BYTES, SIGNATURE_BYTES
from netplay.record.chance import ZERO, number_bytes, tag
from netplay.wire import pack, unpack


class Signer(Protocol):
    """Whoever holds this node's secret key."""

    @property
    def key(self) -> bytes:
        """The public key, 32 bytes."""
        ...

    def sign(self, data: bytes) -> bytes:
        """Return the Ed25519 signature, 64 bytes."""
        ...


class SecretKey:
    """A key that this node signs with."""

    def __init__(self, seed: bytes) -> None:
        """Make the key of 32 secret bytes."""
        key, pair = crypto_sign_seed_keypair(seed)
        self.key: Final = key
        self._pair: Final = pair

    def sign(self, data: bytes) -> bytes:
        """Return the Ed25519 signature, 64 bytes."""
        return crypto_sign(data, self._pair)[:SIGNATURE_BYTES]


def check_signature(key: bytes, signature: bytes, data: bytes) -> None:
    """Check a signature.

    Raises:
        PeerError: BAD_SIGNATURE; also for a key that is no point of the curve.
    """
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        raise PeerError(Code.BAD_SIGNATURE)
    try:
        crypto_sign_open(signature + data, key)
    except CryptoError:
        raise PeerError(Code.BAD_SIGNATURE) from None


_AUTHOR: Final = tag("author")
_ENTRY: Final = tag("entry")
_ACK: Final = tag("ack")


def digest(data: bytes) -> bytes:
    """Return the SHA-256 of bytes."""
    return hashlib.sha256(data).digest()


def match_of(terms: Terms) -> bytes:
    """Return the name of the match that is played on these terms."""
    return digest(pack(terms))


def terms_data(terms: Terms) -> bytes:
    """Return what a member signs to accept terms."""
    return tag("terms") + match_of(terms)


def author_data(match: bytes, own: int, body: bytes) -> bytes:
    """Return what an author signs."""
    return _AUTHOR + match + own.to_bytes(8, "big") + body


def entry_data(match: bytes, fields: Sequence[Any]) -> bytes:
    """Return what a host signs: all fields of the entry before its signature."""
    return _ENTRY + match + pack(tuple(fields))


def term_data(match: bytes, term: int, key: bytes, number: int, head: bytes) -> bytes:
    """Return what a member signs to follow `key` as the host of a term."""
    place = key + number_bytes(number) + head
    return tag("term") + match + number_bytes(term) + place


def ack_data(match: bytes, term: int, number: int, head: bytes, state: bytes) -> bytes:
    """Return what a member signs for the entries that are on its disk."""
    place = number_bytes(term) + number_bytes(number)
    return _ACK + match + place + head + state


def hand_data(match: bytes, seat: int, key: bytes, name: str, after: int) -> bytes:
    """Return what members sign to let a seat pass to `key`.

    Args:
        match: The match.
        seat: The seat handed over.
        key: Who plays it from then on.
        name: What that player is called.
        after: How many seats had been handed over before: a consent is for once.
    """
    numbers = number_bytes(seat) + number_bytes(after)
    return tag("hand") + match + numbers + key + name.encode()


VOUCHED: Final = 64
"""Signatures of this node's own remembered: to check one takes as long as to make
three."""


class Signed(Struct, frozen=True):
    """A body as its author signed it."""

    author: bytes
    own: int
    body: bytes
    signature: bytes


class Line(Protocol):
    """An entry that has been checked, with the bytes it came in."""

    @property
    def raw(self) -> bytes:
        """The bytes."""
        ...

    @property
    def entry(self) -> Entry:
        """What they encode."""
        ...

    @property
    def body(self) -> LogBody:
        """What the entry says."""
        ...


class NewLine(Struct, frozen=True):
    """A line that has just been read or made."""

    raw: bytes
    entry: Entry
    body: LogBody


class OldLine:
    """A line of which the bytes are kept alone: it is read again by whoever asks.

    What is read of a line takes four times the room of its bytes, and nobody looks at
    most of those in a match that was opened to go on.
    """

    __slots__ = ("raw",)

    def __init__(self, raw: bytes) -> None:
        """Keep the bytes of a line that was checked."""
        self.raw: Final = raw

    @property
    def entry(self) -> Entry:
        """What they encode."""
        return read_entry(self.raw)

    @property
    def body(self) -> LogBody:
        """What the entry says."""
        return read_body(self.entry.body)


class Log:
    """Entries in order, each of which follows from the one before."""

    def __init__(self, match: bytes, keys: Iterable[bytes], host: bytes) -> None:
        """Start an empty log.

        Args:
            match: Its name.
            keys: Of the members.
            host: The member that orders the first term.
        """
        self.match = match
        self.term = 0
        self.hosts: dict[int, bytes] = {0: host}
        self.lines: list[Line] = []
        self.number = 0
        """How many entries there are: the number of the next."""
        self.at = 0
        """When the last one was made, in milliseconds of the match."""
        self.head = ZERO
        """The digest of the last one."""
        self.heads: list[bytes] = [ZERO]
        self._own = dict.fromkeys(keys, 0)
        self._vouched: dict[Signed, LogBody] = {}

    def branch(self) -> "Log":
        """Return a log that goes on from here by itself."""
        other = copy(self)
        vars(other).update((name, copy(value)) for name, value in vars(self).items())
        return other

    def __len__(self) -> int:
        """Return how many entries there are."""
        return self.number

    @property
    def host(self) -> bytes:
        """Who puts entries in order at present."""
        return self.hosts[self.term]

    def own(self, author: bytes) -> int:
        """Return the number that the author's next body must have."""
        return self._own.get(author, 0)

    def admit(self, key: bytes) -> None:
        """Let another key write from now on."""
        self._own.setdefault(key, 0)

    def vouch(self, signed: Signed, body: LogBody) -> None:
        """Know a body that this node has signed itself when it comes back, once."""
        if len(self._vouched) >= VOUCHED:
            self._vouched.clear()
        self._vouched[signed] = body

    def check_author(self, signed: Signed) -> None:
        """Check that a member wrote a body.

        Raises:
            PeerError: NOT_A_MEMBER or BAD_SIGNATURE.
        """
        if signed.author not in self._own:
            raise PeerError(Code.NOT_A_MEMBER)
        if signed in self._vouched:
            del self._vouched[signed]
            return
        data = author_data(self.match, signed.own, signed.body)
        check_signature(signed.author, signed.signature, data)

    def is_by_its_author(self, signed: Signed) -> bool:
        """Tell whether the member who is named wrote a body: see `check_author`."""
        try:
            self.check_author(signed)
        except PeerError:
            return False
        return True

    def compose(
        self, signer: Signer, signed: Signed, at: int, term: int | None = None
    ) -> Line:
        """Return the next entry, signed by the host; it is not appended yet.

        Args:
            signer: The host's key.
            signed: A body, the author's signature checked before.
            at: Milliseconds of the match.
            term: The new term, for a body that begins one.
        """
        number, head = self.number, self.head
        at, term = max(at, self.at), self.term if term is None else term
        author, own = signed.author, signed.own
        fields = (number, term, head, at, author, own, signed.body, signed.signature)
        entry = Entry(*fields, signer.sign(entry_data(self.match, fields)))
        body = self._vouched.pop(signed, None) or read_body(signed.body)
        return NewLine(pack(entry), entry, body)

    def draft(self, signed: Signed) -> Line:
        """Return the next entry as it would be, but for a host's signature."""
        place = self.number, self.term, self.head, self.at
        said = signed.author, signed.own, signed.body, signed.signature
        entry = Entry(*place, *said, bytes(SIGNATURE_BYTES))
        return NewLine(pack(entry), entry, read_body(signed.body))

    def checked(self, raw: bytes, host_after: Callable[[Term], bytes]) -> Line:
        """Check that bytes are the entry that follows the last.

        Args:
            raw: The entry as it came.
            host_after: Returns the host whom a Term names.

        Raises:
            PeerError: BAD_LOG, BAD_SIGNATURE, NOT_A_MEMBER, TERM, or the codes of
                bytes that are no entry.
        """
        entry = read_entry(raw)
        signature = entry.author_signature
        signed = Signed(entry.author, entry.own, entry.body, signature)
        body = self._vouched.get(signed) or read_body(entry.body)
        wrong = ""
        if entry.number != self.number:
            wrong = "number"
        elif entry.prev != self.head:
            wrong = "chain"
        elif entry.own != self._own.get(entry.author, 0):
            wrong = "author's count"
        if wrong:
            raise PeerError(Code.BAD_LOG, f"entry {self.number}: wrong {wrong}")
        newer = entry.term > self.term
        if newer != isinstance(body, Term) or entry.term < self.term:
            raise PeerError(Code.TERM, f"entry {entry.number}")
        if entry.at < self.at:
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}: time runs back")
        if isinstance(body, Genesis) != (entry.number == 0):
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}: genesis misplaced")
        self.check_author(signed)
        host = host_after(body) if isinstance(body, Term) else self.hosts[self.term]
        self._check_host(entry, host)
        return NewLine(raw, entry, body)

    def _check_host(self, entry: Entry, host: bytes) -> None:
        """Check the host's signature under an entry."""
        data = entry_data(self.match, sealed(entry))
        check_signature(host, entry.host_signature, data)

    def append(self, line: Line, host: bytes) -> None:
        """Add an entry that `checked` or `compose` returned.

        Args:
            line: The entry.
            host: Who is host after it.
        """
        entry, self.head = line.entry, hashlib.sha256(line.raw).digest()
        self.lines.append(line)
        self.heads.append(self.head)
        self.number, self.at, self.term = entry.number + 1, entry.at, entry.term
        self.hosts[entry.term] = host
        self._own[entry.author] = entry.own + 1

    def rest(self) -> None:
        """Keep of all lines but their bytes, until somebody reads one."""
        self.lines = [OldLine(line.raw) for line in self.lines]

    def fork(self, raw: bytes) -> Fork | None:
        """Return the proof if bytes are another entry in the place of one of ours.

        Returns:
            None if they are ours, or no proof.
        """
        entry = read_entry(raw)
        if entry.number >= len(self) or self.lines[entry.number].raw == raw:
            return None
        ours = self.lines[entry.number]
        proof = Fork(self.match, ours.raw, raw)
        return proof if self.proves(proof) else None

    def names_host_of(self, proof: Fork) -> bool:
        """Tell whether it stands here who was host in the term that is to be judged."""
        return term_of(proof) in self.hosts

    def proves(self, proof: Fork) -> bool:
        """Tell whether two entries show that a host forked this log.

        They do if one host signed both of one number and one term; or of two terms,
        with the very same entry before them: a host that begins another term itself
        goes on behind all that it has entered.
        """
        first, second = read_entry(proof.first), read_entry(proof.second)
        host = self.hosts.get(term_of(proof))
        same = first.term == second.term or first.prev == second.prev
        if first.number != second.number or proof.first == proof.second:
            return False
        if not same or host is None:
            return False
        try:
            self._check_host(first, host)
            self._check_host(second, host)
        except PeerError:
            return False
        return True


def term_of(proof: Fork) -> int:
    """Return the term of whose host two entries are said to be."""
    return min(read_entry(proof.first).term, read_entry(proof.second).term)


def sealed(entry: Entry) -> tuple[Any, ...]:
    """Return the fields of an entry that the host signs: all but its signature."""
    return astuple(entry)[:-1]


@lru_cache(maxsize=1)  # who looks where an entry belongs asks, and then who takes it
def read_entry(raw: bytes) -> Entry:
    """Return the entry that bytes encode.

    Raises:
        PeerError: TOO_LARGE, BAD_FRAME or NOT_CANONICAL.
    """
    if len(raw) > ENTRY_BYTES:
        raise PeerError(Code.TOO_LARGE, "an entry")
    entry: Entry = unpack(raw, Entry)
    return entry


def read_body(body: bytes) -> LogBody:
    """Return what a body says.

    Raises:
        PeerError: BAD_FRAME or NOT_CANONICAL.
    """
    parsed: LogBody = unpack(body, LogBody)
    return parsed

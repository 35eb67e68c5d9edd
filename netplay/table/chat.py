"""Chat: each author's lines, numbered and signed, so that none is lost or changed.

Theory of operation.  A line goes to every peer at the table.  Peers take an author's
lines in order and only once; after a link was lost, both sides say with Heard how far
they have come with each author, and send each other what is missing, whoever wrote it.
Lines of different authors have no order but that in which they came.

What members say is bounded, since it is kept: each author has a token bucket as large
as all that it may have to send again, and a share of the bytes of a table's chat.
Lines over these bounds are dropped like lines that come too early.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeAlias

from netplay import limits
from netplay.errors import Code, LocalError, PeerError
from netplay.messages.door import Line
from netplay.messages.table import Chat, Heard, Terms
from netplay.messages.types import CHAT_CHARACTERS, LARGEST, SEATS
from netplay.rate import Bucket, Buckets
from netplay.record.chance import number_bytes, tag
from netplay.record.hidden import KeptChat, KeptHeard, KeptRead
from netplay.record.log import Signer, check_signature
from netplay.sanitize import clean, shown_name
from netplay.sentences import Says
from netplay.table.muted import voice
from netplay.table.shared import Shared
from netplay.wanted import EVERY_WINDOW

LINE_BYTES: Final = 200
"""Of a line on the disk, its text apart."""

AUTHORS: Final = 16
"""In one Heard."""

GIVEN_A_SECOND: Final = 100.0
"""Lines that one member is sent because it asks for what it lacks (sustained)."""

GIVEN_AT_ONCE: Final = 8_000.0
"""At once: all that is kept of four authors."""

ASKED_AGAIN_SECONDS: Final = 2.0
"""After which a member may be asked once more, on the same link, for what is not here:
two who both lack what the other may not send yet would else ask without end."""


def chat_data(table: bytes, number: int, text: str) -> bytes:
    """Return what the author of a line signs."""
    return tag("chat") + table + number_bytes(number) + text.encode()


class _Author:
    """What one author has said, as far as it has come here."""

    def __init__(self, now: float, kept: int, *, lasting: bool) -> None:
        self.lines: list[Chat] = []
        self.first = 0
        """Number of the oldest line kept."""
        self.bucket = Bucket(limits.CHAT_RATE, 2 * kept, now)
        self.size = 0
        """Bytes of all lines ever taken, those that were forgotten too; of a talk that
        lasts for years only of those that are kept."""
        self._kept: Final = kept
        self._lasting: Final = lasting

    @property
    def next(self) -> int:
        """Number of the line that comes next."""
        return self.first + len(self.lines)

    def add(self, line: Chat) -> None:
        """Keep a line, and forget the oldest when there are too many.

        They are forgotten in blocks, so that `first` is a multiple of their number.
        """
        if line.number != self.next:  # the first that was taken, or others are lost
            self.lines.clear()
        if not self.lines:
            self.first = line.number
        self.lines.append(line)
        self.size += size_of(line)
        if len(self.lines) >= 2 * self._kept:
            del self.lines[: self._kept]
            self.first += self._kept
            if self._lasting:
                self.size = sum(map(size_of, self.lines))


class Talk:
    """The chat of one table."""

    def __init__(
        self,
        table: bytes,
        signer: Signer,
        now: float,
        *,
        kept: Iterable[Chat] = (),
        keep: Callable[[Chat], None] = lambda _: None,
        lasting: bool = False,
    ) -> None:
        """Begin, or go on with what was said before.

        Args:
            table: The match, or the nonce of a table that has not started.
            signer: This node's key.
            now: Seconds.
            kept: Lines of an earlier run, in the order in which they came.
            keep: Told of every new line, to write it down before it is sent or shown.
            lasting: It is of no table, and has no end: fewer lines are kept, and what
                was forgotten takes no room (see `table.writing`).
        """
        self._table: Final = table
        self._signer: Final = signer
        self._keep: Final = keep
        self._began: Final = now
        self._lasting: Final = lasting
        self._block: Final = limits.WRITTEN_KEPT if lasting else limits.CHAT_KEPT
        """Lines that are forgotten together."""
        self._buckets: Final = Buckets[str](
            limits.CHAT_LINES / limits.CHAT_SECONDS, limits.CHAT_LINES
        )
        """Of the player here, and of each guest in a browser: one who says too much
        is not to silence the others."""
        self._authors: dict[bytes, _Author] = {}
        self._came: deque[Chat] = deque(maxlen=limits.CHAT_KEPT)
        for line in kept:
            self._add(line)

    def _author(self, key: bytes) -> _Author:
        """Return what an author has said."""
        if key not in self._authors:
            kept = self._block
            self._authors[key] = _Author(self._began, kept, lasting=self._lasting)
        return self._authors[key]

    def _is_full(self, author: _Author, line: Chat) -> bool:
        """Tell whether a line is more than its author, or the table, may have kept."""
        size = size_of(line)
        whole = sum(one.size for one in self._authors.values())
        own = author.size + size > limits.CHAT_BYTES // SEATS
        return own or whole + size > limits.CHAT_BYTES

    def _add(self, line: Chat) -> None:
        """Remember a line, as its author's next and as the last that came."""
        self._author(line.author).add(line)
        self._came.append(line)

    def came(self) -> Sequence[Chat]:
        """Return the newest lines in the order in which they came."""
        return tuple(self._came)

    def say(self, text: str, now: float, guest: str = "") -> Chat:
        """Return a new line of this node's player, to be sent to everybody.

        Args:
            text: What is said.
            now: Seconds.
            guest: Who says it in a browser here, with the voice of the node; it is
                named in the line.

        Raises:
            LocalError: USAGE, nothing is said; TOO_MANY, too much in too short a time.
        """
        shown = clean(text, CHAT_CHARACTERS)
        if not shown:
            raise LocalError(Code.USAGE, Says.CHAT_EMPTY())
        if guest:
            shown = clean(f"{guest}: {shown}", CHAT_CHARACTERS)
        if not self._buckets.take(guest, now):
            detail = Says.CHAT_TOO_FAST(
                count=limits.CHAT_LINES, seconds=round(limits.CHAT_SECONDS)
            )
            raise LocalError(Code.TOO_MANY, detail)
        mine = self._author(self._signer.key)
        signature = self._signer.sign(chat_data(self._table, mine.next, shown))
        line = Chat(self._table, self._signer.key, mine.next, shown, signature)
        if self._is_full(mine, line):
            raise LocalError(Code.TOO_MANY, Says.CHAT_FULL())
        self._keep(line)
        self._add(line)
        return line

    def on_chat(
        self, line: Chat, allowed: Collection[bytes], now: float
    ) -> Chat | None:
        """Take a line from a peer; return it if it is new and next, fit to be shown.

        A line that comes too early or too often is dropped: `Heard` will bring it
        again.

        Args:
            line: From whoever has it.
            allowed: Keys of those who may speak at this table.
            now: Seconds.

        Raises:
            PeerError: NOT_A_MEMBER or BAD_SIGNATURE.
        """
        if line.author not in allowed:
            raise PeerError(Code.NOT_A_MEMBER, "a line of chat by a stranger")
        author = self._author(line.author)
        # The old lines of an author may have been forgotten by all, block by block.
        # Where there is no end, also by one who has them and was away meanwhile.
        begins = line.number % self._block == 0 and (
            line.number > author.next if self._lasting else not author.lines
        )
        if line.number != author.next and not begins:
            return None
        # Who is told how far this has come has to understand the number of the next.
        if line.number == LARGEST:
            return None
        data = chat_data(self._table, line.number, line.text)
        check_signature(line.author, line.signature, data)
        if self._is_full(author, line) or not author.bucket.take(now):
            return None
        self._keep(line)
        self._add(line)
        return line

    def heard(self, allowed: Collection[bytes]) -> Heard:
        """Return how far this node has come with each of those who may speak."""
        authors = ((key, self._authors[key].next) for key in self._speakers(allowed))
        return Heard(self._table, tuple(authors), asks=True)

    def thanks(self, author: bytes) -> Heard:
        """Return the word to an author that all up to its last line is here."""
        return Heard(self._table, ((author, self._author(author).next),), asks=False)

    def since(self, numbers: Mapping[bytes, int]) -> Iterator[Chat]:
        """Yield what others have said, each from one of its numbers on, or from all."""
        for key, author in self._authors.items():
            if key != self._signer.key:
                yield from author.lines[max(0, numbers.get(key, 0) - author.first) :]

    def own(self, number: int, most: int) -> list[Chat]:
        """Return lines of this node's player, the earliest first.

        Args:
            number: From which on.
            most: So many bytes of them, no more.
        """
        mine, found = self._author(self._signer.key), list[Chat]()
        for line in mine.lines[max(0, number - mine.first) :]:
            most -= size_of(line)
            if most < 0:
                break
            found.append(line)
        return found

    def has_heard(self, author: bytes) -> bool:
        """Tell whether there are lines of an author."""
        return self.said_by(author) > 0

    def said_by(self, author: bytes) -> int:
        """Return how many lines of an author there have been, as far as is known."""
        return self._authors[author].next if author in self._authors else 0

    def said_here(self) -> int:
        """Return how many lines this node's player has said."""
        return self._author(self._signer.key).next

    def _speakers(self, allowed: Collection[bytes]) -> list[bytes]:
        """Return who has spoken and still may: guests that left are not passed on."""
        return sorted(self._authors.keys() & set(allowed))[:AUTHORS]

    def said(self) -> Iterator[Chat]:
        """Yield every line that is kept, each author's in order."""
        for _, author in sorted(self._authors.items()):
            yield from author.lines

    def missing(self, heard: Heard, allowed: Collection[bytes]) -> Iterator[Chat]:
        """Yield the lines that a peer does not have, each author's in order."""
        theirs = dict(heard.authors)
        for key in self._speakers(allowed):
            author = self._authors[key]
            yield from author.lines[max(0, theirs.get(key, 0) - author.first) :]

    def is_behind(self, heard: Heard, allowed: Collection[bytes]) -> bool:
        """Tell whether a peer has lines of those who may speak that are not here."""
        ours = dict(self.heard(allowed).authors)
        return any(
            key in allowed and number > ours.get(key, 0)
            for key, number in heard.authors
        )


def size_of(line: Chat) -> int:
    """Return what a line takes on the disk, in bytes."""
    return len(line.text.encode()) + LINE_BYTES


def shown(line: Chat) -> str:
    """Return a line's text as it may be shown, whatever its author sent."""
    return clean(line.text, CHAT_CHARACTERS)


# The chat of a table: who may speak, what members are sent, what windows are shown.
#
# The nonce of the terms names it, from the first chair to the last move. A member who
# is away gets by letter what it has not said that it has (see `table.letters`).


Noted: TypeAlias = KeptChat | KeptHeard | KeptRead
"""What is written down of it."""


class Company(Protocol):
    """Who sits at the table."""

    @property
    def others(self) -> Sequence[bytes]:
        """The keys of the others."""
        ...

    @property
    def terms(self) -> Terms | None:
        """The terms, which say what they are called."""
        ...


class ChatRoom:
    """What is said at one table."""

    def __init__(
        self, shared: Shared, company: Company, nonce: bytes, kept: Iterable[Chat] = ()
    ) -> None:
        """Begin, or go on with what was said before.

        Args:
            shared: Key and links.
            company: Who sits at the table.
            nonce: Names it.
            kept: Lines of an earlier run, in the order in which they came.
        """
        self._shared: Final = shared
        self._company = company
        self.nonce: Final = nonce
        self._write: Callable[[Noted], None] = lambda _: None
        self._read: dict[bytes, int] = {}
        """Author -> how many lines of it a window here has shown."""
        self._at: dict[bytes, int] = {}
        """Member -> how many lines of the player here are known to be there."""
        self.delivered = 0
        """Lines of the player here that are at another node."""
        signer = shared.means.signer
        self.talk: Final = Talk(nonce, signer, 0.0, kept=kept, keep=self._keep)
        self._given: Final = Buckets[bytes](GIVEN_A_SECOND, GIVEN_AT_ONCE)
        self._asked: Final[dict[bytes, float]] = {}
        """When somebody may be asked once more on this link for what is not here."""

    def move_to(
        self,
        company: Company,
        write: Callable[[Noted], None],
        delivered: Mapping[bytes, int],
        read: Mapping[bytes, int],
    ) -> None:
        """Go on at what has become of the table, and write down there what is new.

        Args:
            company: Who sits there.
            write: Takes each new line, how many of the player here are at a member,
                and how many of a member's were seen.
            delivered: Of these the former, by what is written down already.
            read: The latter.
        """
        self._company, self._write = company, write
        before, self._at = self._at, dict(delivered)
        for key, lines in before.items():
            self._deliver(key, lines)
        shown, self._read = self._read, dict(read)
        for key, lines in shown.items():
            self._see(key, lines)
        self.delivered = max(self._at.values(), default=0)

    def go_beside(self, company: Company) -> None:
        """Go on beside another talk of the same players; nothing is written there."""
        self.move_to(company, lambda _: None, {}, {})

    def _keep(self, line: Chat) -> None:
        """Write a new line down before it is sent or shown."""
        self._write(KeptChat(line))

    @property
    def _speakers(self) -> set[bytes]:
        """Who may speak at the table."""
        return {*self._company.others, self._shared.me}

    # Members.

    def greet(self, keys: Iterable[bytes]) -> None:
        """Tell members how much chat is here, so that they send the rest."""
        others = [key for key in keys if key in self._company.others]
        for key in others:
            self._asked.pop(key, None)
        self._shared.say(others, self.talk.heard(self._speakers))

    def heard(self, key: bytes, heard: Heard) -> None:
        """Send a member the chat that it lacks, and ask for what is not here."""
        if heard.table != self.nonce or key not in self._company.others:
            return
        self.on_heard(key, heard)
        if not heard.asks:
            return
        lacks = [*self.talk.missing(heard, self._speakers)]
        asked = min(len(lacks), GIVEN_AT_ONCE)
        if self._given.take(key, self._shared.now, asked):
            self._shared.say((key,), *lacks)
        # Our first word came before it had the table, or while it had left it.
        behind, now = self.talk.is_behind(heard, self._speakers), self._shared.now
        if behind and now >= self._asked.get(key, 0.0):
            self._asked[key] = now + ASKED_AGAIN_SECONDS
            self._shared.say((key,), self.talk.heard(self._speakers))

    def on_chat(self, line: Chat, now: float) -> bool:
        """Take a line from a peer; return whether it was new.

        Raises:
            PeerError: NOT_A_MEMBER or BAD_SIGNATURE.
        """
        if line.table != self.nonce or not self._shared.may_talk(line.author):
            return False
        new = self.talk.on_chat(line, self._speakers, now)
        if new is not None:
            self._show(new)
            self._shared.say((new.author,), self.talk.thanks(new.author))
            means = self._shared.means
            muted = self._is_muted(new)
            if not muted and new.author not in means.known.blocked:
                name = self._names().get(new.author, "")
                name = means.known.own_name(new.author, name)
                self._shared.wrote.append((self._shared.at_table, name))
        return new is not None

    def on_heard(self, key: bytes, heard: Heard) -> None:
        """Note what a member has of what the player here has said."""
        self._deliver(key, dict(heard.authors).get(self._shared.me, 0))

    def _deliver(self, key: bytes, lines: int) -> None:
        """Note that so many lines of the player here are at a member's node."""
        lines = min(lines, self.talk.said_here())
        if lines > self._at.get(key, 0):
            self._at[key] = lines
            self.delivered = max(self.delivered, lines)
            self._write(KeptHeard(key, lines))
            self._shared.changed = True

    # Members who are away.

    def unheard(self, key: bytes) -> list[Chat]:
        """Return the next lines of the player here that a member does not have."""
        heard = self._at.get(key, 0)
        if heard >= self.talk.said_here():
            return []
        return self.talk.own(heard, limits.LETTER_CHAT_BYTES)

    def letter(self, key: bytes) -> list[Heard | Chat]:
        """Return what a letter to a member says: what is here, and what it lacks."""
        heard = [self.talk.thanks(key)] if self.talk.has_heard(key) else []
        return [*heard, *self.unheard(key)]

    # Windows.

    @property
    def unread(self) -> int:
        """How many lines of others that are told of no window has shown."""
        blocked = self._shared.means.known.blocked
        return sum(
            line.author not in blocked and not self._is_muted(line)
            for line in self.talk.since(self._read)
        )

    def seen(self) -> None:
        """Take that the player sees all that was said; it is never unread again."""
        for line in tuple(self.talk.since(self._read)):
            self._see(line.author, self.talk.said_by(line.author))

    def _see(self, author: bytes, lines: int) -> None:
        if lines > self._read.get(author, 0):
            self._read[author] = lines
            self._write(KeptRead(author, lines))
            self._shared.changed = True

    def say(self, text: str, now: float, guest: str = "") -> bool:
        """Say a line to the table; tell whether somebody is there to hear it.

        Args:
            text: What is said.
            now: Seconds.
            guest: As for `Talk.say`.

        Raises:
            LocalError: USAGE or TOO_MANY.
        """
        line, others = self.talk.say(text, now, guest), self._company.others
        self._shared.say(others, line)
        self._show(line)
        return not others or any(map(self._shared.is_up, others))

    def recall(self, window: int) -> None:
        """Show a window that has just come what was said before."""
        for line in self.talk.came():
            self._show(line, window)

    def _show(self, line: Chat, window: int = EVERY_WINDOW) -> None:
        """Show a window, or all of them, a line of chat, but for a blocked player's."""
        shared, means = self._shared, self._shared.means
        if line.author in means.known.blocked:
            return
        author = shared.known_as(line.author, self._names().get(line.author, ""))
        muted = self._is_muted(line)
        number = line.number if line.author == shared.me else -1
        at = means.unix()
        shown_line = Line(author, shown(line), at, number, muted, shared.at_table)
        shared.push(shown_line, window)

    def _is_muted(self, line: Chat) -> bool:
        """Tell whether nothing is told of a line: its author's, or a guest's there.

        A guest in a browser speaks with the voice of the node, which names it.
        """
        muted, terms = self._shared.means.muted.players, self._company.terms
        if not muted or line.author in muted:
            return bool(muted)
        return terms is not None and any(
            seat.kind == "browser"
            and terms.members[seat.member].key == line.author
            and line.text.startswith(f"{seat.name}: ")
            and voice(line.author, seat.name) in muted
            for seat in terms.seats
        )

    def _names(self) -> dict[bytes, str]:
        """Return what everybody at the table is called."""
        terms = self._company.terms
        members = () if terms is None else terms.members
        names = {member.key: shown_name(member.name) for member in members}
        names.setdefault(self._shared.me, self._shared.name)
        return names

"""Writing to friends without a table: what was said, kept on the disk, and delivered.

Theory of operation.  Two friends have one conversation, which their keys name.  It is
the chat of a table at which nobody sits (see `chat`): lines are numbered and signed,
both sides tell with Heard how far they have come when a link opens, and what a friend
who is away lacks goes by letter (see `letters`).  A friend for whom something waits is
dialled.  Of anybody else, and of whoever is blocked, nothing is taken or answered.

It has no end, so it is bounded: of each of the two the newest lines are kept, and a
player whose friend stays away can say no more than fits.  On the disk it is a file of
records that grows, and is written anew when most of it is old.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.home import PRIVATE_DIRECTORY, set_aside
from netplay.limits import LETTER_CHAT_BYTES, WRITTEN_KEPT
from netplay.messages.door import Summons
from netplay.messages.node_questions import Correspondent, Talked, TalkedLine
from netplay.messages.table import Chat, Heard
from netplay.messages.types import Message, Natural
from netplay.rate import Bucket
from netplay.record import letter
from netplay.record.chance import tag
from netplay.record.letter import SHOWN_KEY_BYTES, Posted
from netplay.record.store import FileDisk, MatchFile, frame, write_copy
from netplay.said import Words
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.chat import Talk, shown
from netplay.table.shared import Shared
from netplay.wanted import Dial
from netplay.wire import pack, unpack

SUFFIX: Final = ".written"

SPARE: Final = 4 * WRITTEN_KEPT
"""Records beyond what is still needed, before a file is written anew."""

ASKS_A_SECOND: Final = 0.2
ASKS_AT_ONCE: Final = 4.0
"""How often one friend may ask for what it lacks: that may be all there is."""


class KeptWritten(Message, frozen=True, tag=1):
    """A line, and when it came here or was said."""

    line: Chat
    at: Natural
    """Unix time in seconds."""


class Marks(Message, frozen=True, tag=2):
    """How far the two have come."""

    there: Natural = 0
    """Of the lines said here so many are at the friend's."""
    read: Natural = 0
    """Of the friend's lines the player here has seen so many."""
    told: Natural = 0
    """Of so many the friend has been told that they came."""


def named(one: bytes, other: bytes) -> bytes:
    """Return the name of the conversation of two."""
    return hashlib.sha256(tag("friends") + b"".join(sorted((one, other)))).digest()


class Left(Struct, frozen=True):
    """A letter for a friend who is away, that somebody keeps."""

    mark: bytes
    """Of what it says."""
    by: str


class Conversation:
    """What this node's player and one friend have written to each other."""

    def __init__(self, shared: Shared, key: bytes, path: Path | None) -> None:
        """Go on with what is on the disk.

        Args:
            shared: Key and links.
            key: The friend.
            path: The file; None to forget all with the node.

        Raises:
            LocalError: DISK, it cannot be read.
        """
        self._shared: Final = shared
        self.key: Final = key
        self.name: Final = named(shared.me, key)
        self._path: Final = path
        self.marks = Marks()
        self.lines: list[KeptWritten] = []
        """In the order in which they came."""
        self._records = 0
        self._whole = path is None or not path.exists()
        """Whether the file is to be written anew: it is not there, or may be torn."""
        for record in () if self._whole else self._read():
            if isinstance(record, Marks):
                self.marks = record
            else:
                self.lines.append(record)
        said = (one.line for one in self.lines)
        self.talk: Final = Talk(
            self.name, shared.means.signer, 0.0,
            kept=said, keep=self._keep, lasting=True,
        )  # fmt: skip
        self._drop_old()
        self._asks: Final = Bucket(ASKS_A_SECOND, ASKS_AT_ONCE, 0.0)
        self.greeted = False
        """On this link the friend has said how far it has come: what is said now is
        next there."""
        self._asked_again = False
        self.left: Left | None = None

    # The disk.

    def _read(self) -> list[KeptWritten | Marks]:
        """Return what is on the disk; a damaged file is set aside.

        Raises:
            LocalError: DISK.
        """
        assert self._path is not None
        try:
            disk = FileDisk(self._path)
            try:
                entries = MatchFile(disk).entries
            finally:
                disk.close()
            found = [unpack(entry, KeptWritten | Marks) for entry in entries]
        except PeerError:
            name = set_aside(self._path).name
            self._shared.fault(Says.WRITTEN_DAMAGED(name=name))
            self._whole = True
            return []
        self._records = len(found)
        return found

    def _keep(self, line: Chat) -> None:
        """Have a new line on the disk before it is sent or shown."""
        kept = KeptWritten(line, self._shared.means.unix())
        self._write(kept)
        self.lines.append(kept)

    def mark(self, marks: Marks) -> None:
        """Have on the disk how far the two have come, where that is news.

        Raises:
            LocalError: DISK.
        """
        if marks != self.marks:
            self.marks = marks
            self._shared.changed = True
            self._write(marks)

    def _write(self, record: KeptWritten | Marks) -> None:
        """Write one more record, or all of them anew.

        Raises:
            LocalError: DISK; the next time all is written anew.
        """
        if self._path is None:
            return
        anew = self._whole or self._records > len(self.lines) + SPARE
        self._whole = True  # until it is known to be on the disk
        if anew:
            try:
                self._path.parent.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True)
            except OSError as error:
                place = Says.AT(place=self._path.parent, why=error.strerror)
                raise LocalError(Code.DISK, place) from None
            records = [*self.lines, self.marks, record]
            write_copy(self._path, map(pack, records))
            self._records = len(records)
        else:
            disk = FileDisk(self._path)
            try:
                disk.append(frame(pack(record)))
                disk.sync()
            finally:
                disk.close()
            self._records += 1
        self._whole = False

    def _drop_old(self) -> None:
        """Let go of lines that the talk has forgotten."""
        kept = {(one.author, one.number) for one in self.talk.said()}
        if len(kept) < len(self.lines):
            lines = self.lines
            self.lines = [o for o in lines if (o.line.author, o.line.number) in kept]

    def erase(self) -> None:
        """Leave nothing of it on the disk."""
        if self._path is not None:
            try:
                self._path.unlink(missing_ok=True)
            except OSError as error:
                place = Says.AT(place=self._path, why=error.strerror)
                raise LocalError(Code.DISK, place) from None

    # How far it is.

    @property
    def unread(self) -> int:
        """How many lines of the friend's the player has not seen."""
        come = self.talk.said_by(self.key)
        first = next(
            (o.line.number for o in self.lines if o.line.author == self.key), come
        )
        return come - max(first, self.marks.read)

    @property
    def waiting(self) -> int:
        """How many lines of the player's are not at the friend's yet."""
        return max(0, self.talk.said_here() - self.marks.there)

    # Links.

    def greet(self) -> None:
        """Tell the friend how much is here, so that it sends the rest."""
        both = self._shared.me, self.key
        self._shared.say((self.key,), self.talk.heard(both))

    def parted(self) -> None:
        """Note that there is another link now, or none."""
        self.greeted = self._asked_again = False

    def heard(self, heard: Heard, now: float) -> None:
        """Take how far the friend has come; send what it lacks.

        Raises:
            LocalError: DISK.
        """
        both = self._shared.me, self.key
        self.on_heard(heard)
        if not heard.asks or not self._asks.take(now):
            return
        self.greeted = True
        self._shared.say((self.key,), *self.talk.missing(heard, both))
        if not self._asked_again and self.talk.is_behind(heard, both):
            self._asked_again = True
            self.greet()

    def on_heard(self, heard: Heard) -> None:
        """Note what the friend has of what the player here has said.

        Raises:
            LocalError: DISK.
        """
        there = dict(heard.authors).get(self._shared.me, 0)
        there = min(there, self.talk.said_here())
        if there > self.marks.there:
            self.mark(replace(self.marks, there=there))
            self._shared.moved = True  # it may need to be dialled no more

    def on_chat(self, line: Chat, now: float) -> bool:
        """Take a line of the friend's, or one of our own that was lost here.

        Raises:
            PeerError: NOT_A_MEMBER or BAD_SIGNATURE.
            LocalError: DISK.
        """
        if self.talk.on_chat(line, (self._shared.me, self.key), now) is None:
            return False
        self._drop_old()
        self._shared.changed = True
        self._shared.moved = self._shared.moved or len(self.lines) == 1
        return line.author == self.key

    def say(self, text: str, now: float) -> None:
        """Say a line, and send it to who is there.

        Raises:
            LocalError: USAGE, TOO_MANY or DISK.
        """
        if self.waiting >= WRITTEN_KEPT:
            raise LocalError(Code.TOO_MANY, Says.WRITTEN_FULL(count=WRITTEN_KEPT))
        line = self.talk.say(text, now)
        self._drop_old()
        if self.greeted:
            self._shared.say((self.key,), line)
        else:
            self.greet()

    # A friend who is away.

    def unheard(self) -> list[Chat]:
        """Return the next lines of the player here that the friend does not have."""
        if not self.waiting:
            return []
        return self.talk.own(self.marks.there, LETTER_CHAT_BYTES)

    def to_say(self) -> tuple[bytes, int] | None:
        """Return what a letter would say, a mark of it and up to which line, if any."""
        said, come = self.unheard(), self.talk.said_by(self.key)
        if not said and come <= self.marks.told:
            return None
        lines = said[-1].number + 1 if said else 0
        text = f"{lines} {come}".encode()
        return hashlib.sha256(self.name + self.key + text).digest(), lines

    def owed(self) -> tuple[bytes, int] | None:
        """Return the same, unless somebody keeps that letter already."""
        found, left = self.to_say(), self.left
        return None if found and left and left.mark == found[0] else found

    def letter(self) -> list[bytes]:
        """Return the frames of the letter, in its parts."""
        heard = [self.talk.thanks(self.key)] if self.talk.has_heard(self.key) else []
        return letter.parted([*heard, *self.unheard()])


class Writing:
    """All conversations of a node."""

    def __init__(self, shared: Shared, folder: Path | None) -> None:
        """Look which there are.

        Args:
            shared: Key and links.
            folder: Where they lie; None to keep nothing.
        """
        self._shared: Final = shared
        self._folder: Final = folder
        self._found: Final[dict[bytes, Conversation]] = {}
        self._number = 0
        """Of the last letter."""
        self.rung: list[Summons] = []
        """That somebody has written, until it is taken."""

    def open_all(self) -> None:
        """Go on with those on the disk; one that cannot be read is told of."""
        for key in self._shared.means.known.friends() if self._folder else ():
            path = self._path(key)
            if path is not None and path.exists():
                try:
                    self._of(key)
                except LocalError as error:
                    self._shared.fault(error.said)

    def _path(self, key: bytes) -> Path | None:
        return None if self._folder is None else self._folder / f"{key.hex()}{SUFFIX}"

    def _of(self, key: bytes) -> Conversation:
        """Return the conversation with a friend, a new one if there is none.

        Raises:
            LocalError: DISK.
        """
        if key not in self._found:
            self._found[key] = Conversation(self._shared, key, self._path(key))
        return self._found[key]

    def _may(self, key: bytes) -> bool:
        """Tell whether somebody may write, and be written to."""
        known = self._shared.means.known
        return known.is_friend(key) and key not in known.blocked

    def _friends(self) -> Iterator[Conversation]:
        """Yield those with friends."""
        yield from (one for key, one in self._found.items() if self._may(key))

    # Links.

    def peer_up(self, key: bytes) -> None:
        """Go on with a friend who has come."""
        if (one := self._found.get(key)) is not None and self._may(key):
            one.parted()
            one.greet()

    def befriended(self, keys: Iterable[bytes]) -> None:
        """Ask new friends who are here for what they had written before."""
        for key in keys:
            if key not in self._found and self._may(key) and self._shared.is_up(key):
                with suppress(LocalError):  # it is told when somebody writes
                    self._of(key).greet()

    def expects(self, key: bytes) -> bool:
        """Tell whether a link to somebody is for a conversation."""
        one = self._found.get(key)
        return one is not None and bool(one.lines) and self._may(key)

    def dials(self) -> Iterator[Dial]:
        """Yield the friends for whom something waits."""
        for one in self._friends():
            if one.waiting and not self._shared.is_up(one.key):
                yield Dial("", one.key)

    def receive(self, key: bytes, message: Chat | Heard, now: float) -> bool:
        """Take a message that is of a conversation; return whether it is.

        Raises:
            PeerError: It broke the protocol.
            LocalError: DISK.
        """
        if message.table != named(self._shared.me, key):
            return False
        if not self._may(key):
            return True
        one = self._of(key)
        if isinstance(message, Heard):
            one.heard(message, now)
        elif one.on_chat(message, now):
            self._shared.say((key,), one.talk.thanks(key))
            told = one.talk.said_by(key)
            one.marks = replace(one.marks, told=told)  # on the disk with the next
            self._ring(one)
        return True

    def _ring(self, one: Conversation) -> None:
        """Tell that somebody has written, unless the player has muted them."""
        muted = self._shared.means.muted.players
        if one.key not in muted and not any(s.table == 0 for s in self.rung):
            name = self._shared.means.known.called(one.key)
            self.rung.append(Summons(0, "chat", "", (shown_name(name),)))

    def take_rung(self) -> list[Summons]:
        """Return what has rung since the last call."""
        rung, self.rung = self.rung, []
        return rung

    # Letters.

    def authors(self) -> Iterator[bytes]:
        """Yield of whom letters are waited for: who has written, or was written to."""
        yield from (one.key for one in self._friends() if one.lines)

    def owed(self) -> Iterator[tuple[Conversation, bytes, int]]:
        """Yield for whom a letter is to be left: its mark, and up to which line."""
        for one in self._friends():
            found = None if self._shared.is_up(one.key) else one.owed()
            if found is not None:
                yield one, *found

    def of_name(self, name: bytes) -> Conversation | None:
        """Return the conversation of a name."""
        return next((one for one in self._friends() if one.name == name), None)

    def sealed(self, one: Conversation) -> tuple[int, tuple[bytes, ...]]:
        """Return a letter in its parts, and the number of the last."""
        means, parts = self._shared.means, list[bytes]()
        for frames in one.letter():
            self._number = max(means.unix() * 1000, self._number + 1)
            once = means.entropy(SHOWN_KEY_BYTES)
            place = means.signer, one.name, one.key, self._number
            parts.append(letter.written(*place, frames, once))
        return self._number, tuple(parts)

    def kept(self, name: bytes, mark: bytes, by: str) -> None:
        """Note that somebody keeps a letter.

        Raises:
            LocalError: DISK.
        """
        one = self.of_name(name)
        said = None if one is None else one.to_say()
        if one is not None and said is not None and said[0] == mark:
            one.left = Left(mark, by)
            self._shared.changed = True
            one.mark(replace(one.marks, told=one.talk.said_by(one.key)))

    def on_letter(self, posted: Posted, now: float) -> PeerError | None:
        """Take a letter of a conversation; return what is wrong with it.

        What is not good is left out: what came before stands without it.

        Raises:
            LocalError: DISK.
        """
        if not self._may(posted.author):
            return None
        one = self._of(posted.author)
        try:
            for message in posted.messages(one.name):
                match message:
                    case Chat():
                        if one.on_chat(message, now):
                            self._ring(one)
                        told = min(one.marks.told, one.talk.said_by(one.key) - 1)
                        one.marks = replace(one.marks, told=max(0, told))
                    case Heard():
                        one.on_heard(message)
                    case _:
                        return PeerError(Code.UNEXPECTED, "something else than chat")
        except PeerError as error:
            return error
        return None

    # Windows.

    def listed(self) -> tuple[Correspondent, ...]:
        """Return how it stands with each friend, those with news first."""
        muted = self._shared.means.muted.players
        found = [
            Correspondent(
                fingerprint(one.key), 0 if one.key in muted else one.unread,
                len(one.lines), one.waiting,
            )
            for one in self._friends()
            if one.lines
        ]  # fmt: skip
        return tuple(sorted(found, key=lambda one: not one.unread))

    def friend(self, whom: str) -> Conversation:
        """Return the conversation with the friend who is meant.

        Raises:
            LocalError: USAGE, nobody or several are called so; DISK.
        """
        known = self._shared.means.known
        names = {key: known.name(key) for key in known.friends() if self._may(key)}
        return self._of(known.one_named(names, whom))

    def say(self, whom: str, text: str, now: float) -> Words:
        """Say a line to a friend; return what is to be known of that.

        Raises:
            LocalError: USAGE, TOO_MANY or DISK.
        """
        one = self.friend(whom)
        one.say(text, now)
        self._shared.changed = self._shared.moved = True
        if self._shared.is_up(one.key):
            return ""
        return Says.WRITTEN_KEPT(name=self._shared.means.known.called(one.key))

    def written_with(self, whom: str, *, read: bool) -> Talked:
        """Return what two have written; the player has seen it.

        Raises:
            LocalError: USAGE or DISK.
        """
        one = self.friend(whom)
        if read:
            come = one.talk.said_by(one.key)
            one.mark(replace(one.marks, read=max(one.marks.read, come)))
        lines = tuple(
            TalkedLine(
                shown(each.line),
                each.at,
                mine=each.line.author == self._shared.me,
                there=each.line.number < one.marks.there,
            )
            for each in one.lines
        )
        by = one.left.by if one.left and one.waiting and one.owed() is None else ""
        return Talked(fingerprint(one.key), lines, by)

    def forget_written(self, key: bytes) -> None:
        """Forget what was written with somebody.

        Raises:
            LocalError: DISK, it stays there.
        """
        if (one := self._found.pop(key, None)) is not None:
            one.erase()

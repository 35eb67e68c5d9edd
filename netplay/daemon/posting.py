"""Letters: left with friends' nodes, fetched from them, and kept here for others.

Theory of operation.  Who carries for this node, or is a member of one of its matches,
may keep letters (`Carries`).  This node tells those of whom it takes any, and leaves
with them what members who are away lack.  Letters go one at a time: the next is left
when the one before was answered, and handed over when that was taken; so nobody fills a
queue.  A letter that comes is on this node's disk before it is said to be taken.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Final, Protocol, TypeAlias

import trio
from msgspec import Struct
from msgspec.structs import replace

from netplay import limits
from netplay.daemon.on_turn import OnLetter
from netplay.daemon.parts import Parts
from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages import letters
from netplay.peering.letter_boxes import LetterBoxes
from netplay.rate import Bucket, Buckets
from netplay.record import letter
from netplay.table.asked import is_over
from netplay.table.letters import Owed, Written

LOOK_SECONDS: Final = 1.0
"""Between two looks at what is owed, while somebody would keep it."""

AGAIN_SECONDS: Final = 600.0
"""Before a letter that nobody has kept is left once more."""

ASKED_AT_ONCE: Final = 32
"""Letters for which a keeper is asked when it comes: a quarter of what it answers."""

ASK_AGAIN_SECONDS: Final = 60.0
"""Before a keeper is asked again about letters that somebody may have left."""

LIARS: Final = "liars"
"""What is kept as this setting: keys of keepers that have lied."""

LIARS_KEPT: Final = 32


Settle: TypeAlias = Callable[[Callable[[], None]], None]
"""Does something, and all that comes of it at the tables."""


class Around(Protocol):
    """Who is there."""

    def keepers(self) -> Mapping[bytes, bool]:
        """Return who keeps letters, and whether of any match."""
        ...

    def is_chosen(self, key: bytes) -> bool:
        """Tell whether the player here has chosen to be reached through a node."""
        ...

    def is_friend(self, key: bytes) -> bool:
        """Tell whether the player here knows somebody."""
        ...

    def may_leave(self, author: bytes, reader: bytes) -> bool:
        """Tell whether this node keeps letters of one for the other."""
        ...

    def name(self, key: bytes) -> str:
        """Return what to call a node."""
        ...

    def send(self, key: bytes, message: letters.LetterMessage) -> None:
        """Send on a link."""

    def moved(self) -> None:
        """Show how it stands."""

    def refused(self, why: NetplayError) -> None:
        """Write down that a letter was refused, if that is not too often."""


class Leaving(Struct):
    """Letters on their way to one who keeps them, until each was answered."""

    written: Written
    digests: list[bytes]
    """Of those that are still to be left, or were not answered."""


class Tried(Struct, frozen=True):
    """What was left, whether somebody keeps it or not."""

    mark: bytes
    lines: int
    at: float


class Posting:
    """The letters of one node, and those that it keeps."""

    def __init__(self, parts: Parts, around: Around) -> None:
        """Prepare; `run` leaves what is owed.

        Args:
            parts: The node's parts.
            around: Who is there.
        """
        self._tables: Final = parts.tables
        self._journal: Final = parts.journal
        self._around: Final = around
        counted = parts.tables.letters.counted
        self._boxes: Final = LetterBoxes(parts.home.letters, counted, parts.faults)
        self._rates: Final = Buckets[bytes](
            limits.LETTERS_A_SECOND, limits.LETTERS_AT_ONCE
        )
        """How much each node may still ask of this one."""
        self._wished: Final[dict[bytes, tuple[bytes, ...]]] = {}
        """Who was told of whom letters are taken here."""
        self._readers: Final[dict[bytes, bytes | None]] = {}
        """Who takes letters from here on its link, and which it was handed."""
        self._leaving: Final[dict[bytes, deque[Leaving]]] = {}
        """With whom letters are being left."""
        self._since: dict[tuple[bytes, bytes], tuple[bytes, float]] = {}
        """Match and member -> what is owed, and since when."""
        self._tried: Final[dict[tuple[bytes, bytes], Tried]] = {}
        """The same -> what was left, and when."""
        self.on_letter: Final = OnLetter(parts.on_letter, parts.journal, parts.faults)
        """Tells friends who are away that something is kept for them."""
        self._home: Final = parts.home
        self._liars: Final[dict[bytes, None]] = {}
        """Who has signed that it keeps a letter, and that it was left none."""
        for word in parts.home.setting(LIARS).split():
            with suppress(ValueError):
                self._liars[bytes.fromhex(word)] = None
        self._asked: Final[
            dict[bytes, deque[letters.LetterReceipt | letters.AskLeft]]
        ] = {}
        """Keeper -> what it is asked about on its link: its receipts of letters that
        were left, and letters that it may have for this node."""
        self._next: Final[dict[bytes, float]] = {}
        """Keeper -> when it is asked next about letters for this node."""
        self._pace: Final = Bucket(
            limits.LETTERS_A_SECOND / 2, limits.LETTERS_AT_ONCE / 2, 0.0
        )
        self._news = trio.Event()
        self._answered = trio.Event()
        self.settle: Settle = lambda do: do()

    def __len__(self) -> int:
        """Return how many letters are kept for others."""
        return len(self._boxes)

    # Links.

    def look(self) -> None:
        """Look again who is there and keeps letters."""
        self._tried.clear()
        self._news.set()
        self.wish()

    def peer_down(self, key: bytes) -> None:
        """Forget what was under way on a link."""
        self._wished.pop(key, None)
        self._readers.pop(key, None)
        self._leaving.pop(key, None)
        self._asked.pop(key, None)
        self._next.pop(key, None)
        self._answer()
        self._rates.forget(trio.current_time())

    def wish(self) -> None:
        """Tell those who keep letters of whom they are taken, where that is news."""
        chosen = {key: self._around.is_chosen(key) for key in self._around.keepers()}
        mine = (key for key, is_mine in chosen.items() if is_mine)
        self._tables.letters.keep_with(key for key in mine if key not in self._liars)
        authors = {
            friends: self._tables.letters.authors(friends=friends)
            for friends in set(chosen.values())
        }
        for key, friends in chosen.items():
            if self._wished.get(key, ()) != authors[friends]:
                self._wished[key] = authors[friends]
                self._around.send(key, letters.LettersFrom(authors[friends]))
            if key not in self._asked:
                # Ask a keeper for the letters that it has signed to keep
                receipts = tuple(
                    islice(self._tables.letters.receipts(key), ASKED_AT_ONCE)
                )
                self._asked[key] = deque(receipts)
                for one in receipts:
                    asked = letters.AskLeft(one.author, one.to, one.box, one.at)
                    self._around.send(key, asked)
            # Ask a keeper whether somebody who seems late has left a letter with it
            now = trio.current_time()
            if now < self._next.get(key, now):
                continue
            questions = self._tables.letters.questions(key)
            for question in islice(questions, ASKED_AT_ONCE):
                self._asked[key].append(question)
                self._around.send(key, question)
                self._next[key] = now + ASK_AGAIN_SECONDS

    # Whether it is still there.

    def _was_said(self, key: bytes, message: letters.SaidLeft) -> None:
        """Take what a keeper says of a box.

        Raises:
            PeerError: UNEXPECTED, it was not asked; BAD_SIGNATURE.
        """
        waits = self._asked.get(key)
        if not waits or waits[0].box != message.box:
            raise PeerError(Code.UNEXPECTED, "an answer that nobody waits for")
        asked = waits.popleft()
        nothing = next(iter(message.nothing), None)
        if nothing is None:
            return
        if isinstance(asked, letters.AskLeft):
            whose = nothing.keeper, nothing.author, nothing.to, nothing.box
            if whose != (key, asked.author, asked.to, asked.box):
                raise PeerError(Code.UNEXPECTED, "a word about something else")
            letter.check_word(nothing)
            self.settle(lambda: self._tables.letters.keep_nothing(nothing))
            return
        letter.check_word(nothing)
        if letter.contradicts(asked, nothing):
            self._lied(key, asked)
        self.settle(lambda: self._tables.letters.lost(asked))
        self._tried.clear()

    def _lied(self, key: bytes, receipt: letters.LetterReceipt) -> None:
        """Rely no more on a keeper that has signed two things that cannot both hold.

        Both are signed: the receipt stays in the file of the match's secrets.
        """
        name, fingers = self._around.name(key), fingerprint(key)
        self._journal("keeper.lied", key=fingers, letter=receipt.letter.hex())
        if key in self._liars:
            return
        self._liars[key] = None
        kept = list(self._liars)[-LIARS_KEPT:]
        try:
            self._home.set(LIARS, " ".join(one.hex() for one in kept))
        except LocalError as error:
            self._journal("disk.failed", why=error)
        self._tables.letters.tell_of_liar(name, receipt.to)

    # What is left with others.

    async def run(self) -> None:
        """Leave what is owed, for as long as somebody keeps it."""
        while True:
            if not self._around.keepers():
                self._news = trio.Event()
                await self._news.wait()
            self.wish()
            self.leave()
            await trio.sleep(LOOK_SECONDS)

    async def flush(self) -> None:
        """Leave at once what is owed; wait a moment until it is kept."""
        if self._around.keepers():
            self.leave(hurry=True)
            with trio.move_on_after(limits.BYE_SECONDS):
                while self._leaving:
                    await self._answered.wait()

    def leave(self, *, hurry: bool = False) -> None:
        """Leave what has been owed for long enough, or all of it."""
        now = trio.current_time()
        before, self._since = self._since, {}
        for owed in tuple(self._tables.letters.owed()):
            name = owed.match, owed.to
            mark, since = before.get(name, (b"", now))
            self._since[name] = owed.mark, since if mark == owed.mark else now
            ripe = hurry or now - self._since[name][1] >= owed.patience
            if not ripe or self._was_tried(owed, now, hurry=hurry):
                continue
            if not self._write(owed, now):
                return

    def _was_tried(self, owed: Owed, now: float, *, hurry: bool) -> bool:
        """Tell whether the same, or all but some chat, was left a short time ago."""
        tried = self._tried.get((owed.match, owed.to))
        if tried is None or tried.mark != owed.mark:
            return False
        if tried.lines == owed.lines:
            return now < tried.at + AGAIN_SECONDS
        return not hurry and now < tried.at + limits.LETTER_CHAT_SECONDS

    def _write(self, owed: Owed, now: float) -> bool:
        """Leave a letter with those who may keep it; return whether to go on."""
        keepers = [
            key
            for key, any_match in self._around.keepers().items()
            if key != owed.to
            and (any_match or self._tables.letters.sit_together(key, owed.to))
        ]
        keepers = sorted(keepers, key=self._liars.__contains__)[: limits.CARRIERS]
        if not keepers:
            return True
        found: list[Written | None] = []
        self.settle(lambda: found.append(self._tables.letters.write(owed, now)))
        written = found[0] if found else None
        mark = owed.mark if written is None else written.mark
        self._tried[owed.match, owed.to] = Tried(mark, owed.lines, now)
        if written is None:
            return True
        for key in keepers:
            digests = [hashlib.sha256(part).digest() for part in written.parts]
            waits = self._leaving.setdefault(key, deque())
            waits.append(Leaving(written, digests))
            if len(waits) == 1:
                self._leave_next(key)
        return self._pace.take(now, len(written.parts) * len(keepers))

    def _leave_next(self, key: bytes) -> None:
        """Leave the next letter with somebody, if there is one."""
        waits = self._leaving[key]
        while waits and not waits[0].digests:
            waits.popleft()
        if not waits:
            del self._leaving[key]
            self._answer()
            return
        written, left = waits[0].written, len(waits[0].digests)
        part = len(written.parts) - left
        text, days, about = written.parts[part], written.days, written.about
        place = written.to, written.box, part
        self._around.send(key, letters.LeaveLetter(*place, text, days, about))

    def _answer(self) -> None:
        self._answered.set()
        self._answered = trio.Event()

    def _was_kept(self, key: bytes, message: letters.LetterKept) -> None:
        """Take what has become of a letter that was left.

        Raises:
            PeerError: UNEXPECTED, it is another than was left, or the receipt is for
                something else; BAD_SIGNATURE.
        """
        waits = self._leaving.get(key)
        if not waits or waits[0].digests[0] != message.letter:
            raise PeerError(Code.UNEXPECTED, "a letter that was not left")
        leaving = waits[0]
        if message.code:
            leaving.digests.clear()
        else:
            written = leaving.written
            receipt = next(iter(message.receipts), None)
            me = self._tables.letters.signer.key
            place = key, me, written.to, written.box, written.about, message.letter
            if receipt is None or place != (
                receipt.keeper, receipt.author, receipt.to, receipt.box, receipt.about,
                receipt.letter,
            ):  # fmt: skip
                raise PeerError(Code.UNEXPECTED, "a receipt for something else")
            letter.check_word(receipt)
            del leaving.digests[0]
            if not leaving.digests and key not in self._liars:
                name = self._around.name(key)
                done = self._tables.letters.kept
                self.settle(lambda: done(written, name, receipt))
                if is_over(written.number // 1000, receipt.at):
                    # Ours is a late clock: the same has to be written again at once.
                    self._tried.pop((written.match, written.to), None)
        self._leave_next(key)

    # Messages.

    def receive(self, key: bytes, message: letters.LetterMessage, now: float) -> None:
        """Take a message about letters.

        Raises:
            PeerError: It breaks the protocol.
        """
        match message:
            case letters.LettersFrom() | letters.LeaveLetter() | letters.AskLeft():
                self._serve(key, message, now)
            case letters.LetterKept():
                self._was_kept(key, message)
            case letters.HandLetter():
                self._take(key, message, now)
            case letters.SaidLeft():
                self._was_said(key, message)
            case letters.LetterTaken(digest):
                if self._readers.get(key) != digest:
                    why = "a letter that was not handed over"
                    raise PeerError(Code.UNEXPECTED, why)
                self._boxes.taken(key, digest)
                self._readers[key] = None
                self._hand(key)
                self._around.moved()

    def _take(self, key: bytes, message: letters.HandLetter, now: float) -> None:
        """Take a letter that was kept for this node.

        Raises:
            PeerError: UNEXPECTED, none was asked for.
        """
        if key not in self._wished:
            raise PeerError(Code.UNEXPECTED, "a letter that nobody waits for")
        try:
            self._tables.letters.on_letter(message.letter, now)
        except LocalError as error:
            self._journal("disk.failed", why=error)
            return  # it is handed over again the next time
        digest = hashlib.sha256(message.letter).digest()
        self._around.send(key, letters.LetterTaken(digest))

    # What is kept for others.

    def _serve(
        self,
        key: bytes,
        message: letters.LettersFrom | letters.LeaveLetter | letters.AskLeft,
        now: float,
    ) -> None:
        """Do what somebody asks of who keeps letters.

        Raises:
            PeerError: TOO_MANY.
        """
        if not self._rates.take(key, now):
            raise PeerError(Code.TOO_MANY, "letters")
        match message:
            case letters.LettersFrom(authors):
                named = [each for each in authors if self._around.may_leave(each, key)]
                try:
                    self._boxes.wishes(key, named)
                except LocalError as error:
                    self._journal("disk.failed", why=error)
                self._readers.setdefault(key, None)
                self._hand(key)
            case letters.LeaveLetter():
                self._leave(key, message)
            case letters.AskLeft():
                self._say_left(key, message)
                return
        self._around.moved()

    def _leave(self, author: bytes, message: letters.LeaveLetter) -> None:
        """Keep a letter, or say why not; hand it over at once to who is there."""
        digest, code, why = hashlib.sha256(message.letter).digest(), 0, ""
        receipts: tuple[letters.LetterReceipt, ...] = ()
        try:
            receipts = (self._put(author, message),)
            if message.to not in self._readers:
                name, to = self._around.name(author), message.to
                game = self._tables.game_of(message.box, author, to)
                self.on_letter.came(to, name, game)
        except (PeerError, LocalError) as error:
            code, why = error.code.number, error.code.text
            self._around.refused(error)
        self._around.send(author, letters.LetterKept(digest, code, why, receipts))
        self._hand(message.to)

    def _put(
        self, author: bytes, message: letters.LeaveLetter
    ) -> letters.LetterReceipt:
        """Keep a letter; return the receipt.

        Raises:
            PeerError: DECLINED or BUSY.
            LocalError: DISK.
        """
        if not self._around.may_leave(author, message.to):
            raise PeerError(Code.DECLINED)
        taken = self._boxes.leave(author, message)
        return letter.signed_receipt(self._tables.letters.signer, taken)

    def _say_left(self, key: bytes, asked: letters.AskLeft) -> None:
        """Say what was left in a box, signed, to who has left it or is its reader.

        To somebody unknown only where the other end takes its letters: else it would
        learn from this who is a friend.
        """
        author, to = asked.author, asked.to
        other = to if key == author else author
        known = self._around.is_friend(key) or self._boxes.takes(other, key)
        found: letters.LetterReceipt | letters.NothingLeft | None = None
        if key in {author, to} and known and self._around.may_leave(author, to):
            found = self._boxes.said(author, to, asked.box, asked.since)
        signer = self._tables.letters.signer
        said = letters.SaidLeft(asked.box, (), ())
        if isinstance(found, letters.LetterReceipt):
            said = replace(said, receipts=(letter.signed_receipt(signer, found),))
        elif found is not None:
            said = replace(said, nothing=(letter.signed_nothing(signer, found),))
        self._around.send(key, said)

    def _hand(self, reader: bytes) -> None:
        """Hand somebody the next letter, unless one is under way, or none is there."""
        if self._readers.get(reader, b"") is not None:
            return
        letter = self._boxes.first(reader)
        if letter is not None:
            self._readers[reader] = hashlib.sha256(letter).digest()
            self._around.send(reader, letters.HandLetter(letter))

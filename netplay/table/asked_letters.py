"""Letters of tables to which somebody who is away was asked, and of the answers.

Theory of operation.  What is kept of such a table (see `asked`) goes by letter, too:
the terms to a friend, who is given the seat that is kept; the yes to the host, whose
match then begins by itself and goes on by letters; a no of either.  Each letter says
one thing and takes the place of the one before.  What comes late or twice is told by
its number, by the revision of the terms, and by what was refused; nothing older than a
week counts.

A letter is left again when the node starts anew: nothing is kept of what was left.
"""

import hashlib
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from msgspec import Struct

from netplay.errors import Code, PeerError
from netplay.messages.log import Entries
from netplay.messages.table import Accept, Decline, Proposal
from netplay.record import letter
from netplay.record.chance import number_bytes
from netplay.record.letter import Posted
from netplay.record.sealing import KEY_BYTES
from netplay.sentences import Says
from netplay.table.asked import is_over
from netplay.table.beginning import Beginning
from netplay.table.declining import declining
from netplay.table.guest import Guest
from netplay.table.hosting import Hosting
from netplay.table.place import Place
from netplay.table.places import Places
from netplay.table.shared import Shared
from netplay.wire import encode

REMEMBERED: Final = 256
"""Tables of which is remembered which letter was taken last."""


class Word(Struct, frozen=True):
    """Something that is to be said of a table to somebody who is away."""

    nonce: bytes
    to: bytes
    mark: bytes


class AskedLetters:
    """What a node has to do with letters of tables that have not begun."""

    def __init__(self, shared: Shared, places: Places, beginning: Beginning) -> None:
        """Look after the tables of a node.

        Args:
            shared: What all tables of the node have in common.
            places: The tables.
            beginning: Begins those to which this node is asked.
        """
        self._shared: Final = shared
        self._places: Final = places
        self._beginning: Final = beginning
        self._numbers: Final[dict[tuple[bytes, bytes], int]] = {}
        """Table and reader -> the number of the last letter."""
        self._kept: Final[dict[tuple[bytes, bytes], bytes]] = {}
        """The same -> the mark of what somebody keeps."""
        self._taken: Final[dict[tuple[bytes, bytes], int]] = {}
        """Table and author -> the number of the last letter that was taken."""

    def authors(self) -> Iterator[bytes]:
        """Yield of whom letters are waited for."""
        for place in self._places:
            table = place.table
            if isinstance(table, Hosting):
                yield from table.away()
            elif isinstance(table, Guest) and not table.called:
                yield table.host

    # Writing.

    def owed(self) -> Iterator[Word]:
        """Yield what is to be said, and was not left with anybody yet."""
        for word in self._words().values():
            if self._kept.get((word.nonce, word.to)) != word.mark:
                yield word

    def _words(self) -> dict[tuple[bytes, bytes], Word]:
        """Return what is to be said, by table and reader."""
        blocked, found = self._shared.means.known.blocked, dict[Any, Word]()
        for word in chain(self._nos(), self._of_tables()):  # who is asked again, is
            if word.to not in blocked:
                found[word.nonce, word.to] = word
        return found

    def _of_tables(self) -> Iterator[Word]:
        for place in self._places:
            table = place.table
            if isinstance(table, Hosting):
                for key in dict.fromkeys(table.away()):
                    terms = encode(table.forming.proposal())
                    seated = bytes([key in table.forming.guests])
                    yield _word(table.forming.nonce, key, terms + seated)
            elif isinstance(table, Guest) and table.undelivered:
                revision = table.seen.proposal.revision if table.seen.proposal else 0
                yield _word(table.nonce, table.host, b"yes" + number_bytes(revision))

    def _nos(self) -> Iterator[Word]:
        for one in tuple(self._shared.means.asked.unsaid.values()):
            if not self._shared.is_up(one.to):
                yield _word(one.nonce, one.to, b"no" + number_bytes(one.revision))

    def write(self, nonce: bytes, to: bytes) -> tuple[Word, int, bytes] | None:
        """Return a letter: what it says, its number, and the letter."""
        message = self._message(nonce, to)
        frames = b"" if message is None else encode(message)
        if not 0 < len(frames) <= letter.TEXT_BYTES:
            return None
        means, name = self._shared.means, (nonce, to)
        number = max(means.unix() * 1000, self._numbers.get(name, 0) + 1)
        self._numbers[name] = number
        once = means.entropy(KEY_BYTES)
        sealed = letter.written(means.signer, nonce, to, number, frames, once)
        word = self._words().get(name)
        return None if word is None else (word, number, sealed)

    def _message(self, nonce: bytes, to: bytes) -> Proposal | Accept | Decline | None:
        """Return what a letter says."""
        place = self._places.named(nonce)
        table = None if place is None else place.table
        if place is not None and isinstance(table, Hosting) and to in table.away():
            with place:
                return table.ask_by_letter(to)
        if isinstance(table, Guest) and table.host == to:
            return table.answer_by_letter()
        unsaid = self._shared.means.asked.unsaid.get((nonce, to))
        if unsaid is None:
            return None
        code, why = Code.DECLINED, Says.NOT_NOW()
        if unsaid.stopped:
            code, why = Code.STOPPED, Says.LEFT_TABLE()
        return declining(nonce, code, why, unsaid.revision)

    def kept(self, nonce: bytes, to: bytes, number: int, mark: bytes) -> None:
        """Note that somebody keeps a letter."""
        if self._numbers.get((nonce, to)) == number:
            self._kept[nonce, to] = mark
            self._shared.means.asked.heard(to, nonce)
            self._show(nonce, to, mark)

    def _show(self, nonce: bytes, to: bytes, mark: bytes) -> None:
        """Show that somebody keeps the terms as they are for one who is asked."""
        place, word = self._places.named(nonce), self._words().get((nonce, to))
        current = word is not None and word.mark == mark
        if place is not None and isinstance(place.table, Hosting) and current:
            with place:
                place.table.forming.left[to] = place.table.forming.revision
            self._shared.changed = True

    # Reading.

    def take(self, posted: Posted, now: float) -> Place | None:
        """Take a letter of no match in hand; return where one has begun with it.

        Raises:
            LocalError: DISK.
        """
        shared, name = self._shared, (posted.match, posted.author)
        old = is_over(posted.number // 1000, shared.means.unix())
        if old or posted.number <= self._taken.get(name, 0):
            return None
        if not shared.means.known.is_friend(posted.author):
            return None
        shared.now, shared.changed, shared.moved = now, True, True
        try:
            place = self._take(posted, now)
        except PeerError as error:
            shared.tell(Says.LETTER_OF_NO_USE(why=error))
            return None
        if place is None:
            self._taken.pop(name, None)
            self._taken[name] = posted.number
            for known in list(self._taken)[:-REMEMBERED]:
                del self._taken[known]
        return place

    def _take(self, posted: Posted, now: float) -> Place | None:
        """Take what a letter says first.

        Raises:
            PeerError: It is no good.
            LocalError: DISK.
        """
        author, message = posted.author, posted.first()
        match message:
            case Entries():
                return self._beginning.begun_by_letter(author, message, now)
            case Proposal(terms=terms) if terms.nonce == posted.match:
                self._asked(author, message, now)
            case Accept(table) | Decline(table) if table == posted.match:
                self._answered(author, message, now)
            case Proposal() | Accept() | Decline():
                raise PeerError(Code.UNEXPECTED, "another table")
            case _:
                pass  # of a match that is in hand no more
        return None

    def _asked(self, author: bytes, proposal: Proposal, now: float) -> None:
        """Take the terms of a table to which the player here is asked.

        Raises:
            PeerError: UNEXPECTED, it is not its host's, or not for this node.
        """
        members = [member.key for member in proposal.terms.members]
        if members[0] != author or self._shared.me not in members[1:]:
            raise PeerError(Code.UNEXPECTED, "somebody else's table")
        place = self._places.named(proposal.terms.nonce)
        if place is None:
            self._beginning.called_by_letter(author, proposal, now)
        elif isinstance(place.table, Guest) and place.table.host == author:
            with place:
                place.change(place.table.receive(author, proposal, now), now)

    def _answered(self, author: bytes, said: Accept | Decline, now: float) -> None:
        """Take a yes or a no.

        Raises:
            PeerError: It is no good.
            LocalError: DISK, the match cannot begin.
        """
        place = self._places.named(said.table)
        table = None if place is None else place.table
        if isinstance(table, Hosting):
            meant = author in table.forming.guests
        else:
            called = isinstance(table, Guest) and table.host == author
            meant = called and isinstance(said, Decline)
        if place is None or table is None or not meant:
            return
        with place:
            place.change(table.receive(author, said, now), now)
        if isinstance(said, Decline) and said.code == Code.STOPPED.number:
            means = self._shared.means  # else an older letter would ask again
            means.asked.refuse(said.table, means.unix())


def _word(nonce: bytes, to: bytes, said: bytes) -> Word:
    mark = hashlib.sha256(nonce + to + said).digest()
    return Word(nonce, to, mark)

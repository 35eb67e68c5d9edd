"""Letters of the matches in hand: who is owed one, what it says, and taking one.

Theory of operation.  What a member who is away lacks of a match can be left with a
friend's node, sealed.  A letter says all that its reader is not known to have, so the
last one is enough, and may come late, twice or never.  It leaves as a file does (see
`match.journal`): what it says can no longer be taken back, and whoever is reached by
letters alone is not waited for.  Who has taken news answers, so that they become final.

What the player here has said goes along, each author's chat with its own letters.  Chat
alone makes a letter, too, but waits a while for more; and it is no reason to play on
without a link.
"""

import hashlib
from collections.abc import Collection, Container, Iterable, Iterator
from itertools import chain
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from netplay import limits
from netplay.errors import Code, LocalError, PeerError
from netplay.match.match import Match
from netplay.messages.letters import AskLeft, LetterReceipt, NothingLeft
from netplay.messages.log import Entries
from netplay.messages.table import Accept, Chat, Decline, Heard, Proposal
from netplay.messages.types import KEEPERS, LETTER_AUTHORS, LETTER_DAYS, LETTER_PARTS
from netplay.rate import Bucket
from netplay.record import letter
from netplay.record.chance import number_bytes
from netplay.record.letter import SHOWN_KEY_BYTES as KEY_BYTES
from netplay.record.log import Signer
from netplay.sanitize import NAME_CHARACTERS, clean, shown_name
from netplay.sentences import Says
from netplay.table import lacking
from netplay.table.asked import is_over
from netplay.table.beginning import Beginning
from netplay.table.guest import Guest
from netplay.table.hosting import Hosting
from netplay.table.place import Place
from netplay.table.places import Places
from netplay.table.shared import Shared, declining
from netplay.table.state import State
from netplay.table.writing import Writing, named
from netplay.wire import encode

# Letters of tables to which somebody who is away was asked, and of the answers.
#
# Theory of operation. What is kept of such a table (see `asked`) goes by letter, too:
# the terms to a friend, who is given the seat that is kept; the yes to the host, whose
# match then begins by itself and goes on by letters; a no of either. Each letter says
# one thing and takes the place of the one before. What comes late or twice is told by
# its number, by the revision of the terms, and by what was refused; nothing older than
# a week counts.
#
# A letter is left again when the node starts anew: nothing is kept of what was left.


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
        nos = (
            _word(one.nonce, one.to, b"no" + number_bytes(one.revision))
            for one in tuple(self._shared.means.asked.unsaid.values())
            if not self._shared.is_up(one.to)
        )
        for word in chain(nos, self._of_tables()):  # who is asked again, is
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

    def write(self, nonce: bytes, to: bytes) -> tuple[Word, int, bytes] | None:
        """Return a letter: what it says, its number, and the letter."""
        message = self._message(nonce, to)
        frames = b"" if message is None else encode(message)
        if not 0 < len(frames) <= letter.TEXT_BYTES:
            return None
        means, name = self._shared.means, (nonce, to)
        # An answer is no older than what it answers, whatever the clock here says.
        last = max(self._numbers.get(name, 0), self._taken.get(name, 0))
        # Nor is it too old because the clock was put back.
        number = max(means.unix() * 1000, means.counted() * 1000, last + 1)
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

    def kept(self, nonce: bytes, to: bytes, number: int, mark: bytes, at: int) -> None:
        """Note that somebody keeps a letter, since a time by its clock.

        If ours is so late that the reader would take the letter for one of long ago,
        it is still to be written: by the keeper's clock.
        """
        if self._numbers.get((nonce, to)) != number:
            return
        if is_over(number // 1000, at):
            self._numbers[nonce, to] = 1000 * at
        else:
            self._kept[nonce, to] = mark
            self._shared.means.asked.heard(to, nonce)
            # Show that somebody keeps the terms as they are for one who is asked
            place, word = self._places.named(nonce), self._words().get((nonce, to))
            current = word is not None and word.mark == mark
            if place is not None and isinstance(place.table, Hosting) and current:
                with place:
                    place.table.forming.left[to] = place.table.forming.revision
                self._shared.changed = True

    # Reading.

    def on_letter(self, posted: letter.Posted, now: float) -> Place | None:
        """Take a letter of no match in hand; return where one has begun with it.

        Raises:
            LocalError: DISK.
        """
        shared, name = self._shared, (posted.match, posted.author)
        # A clock that was put forward makes nothing too old, whichever of them it is.
        unix = min(shared.means.unix(), shared.means.counted())
        old = is_over(posted.number // 1000, unix)
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

    def _take(self, posted: letter.Posted, now: float) -> Place | None:
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
            means.asked.refuse(said.table, means.counted(), said.revision)


def _word(nonce: bytes, to: bytes, said: bytes) -> Word:
    mark = hashlib.sha256(nonce + to + said).digest()
    return Word(nonce, to, mark)


WEEK_DAYS: Final = 7
"""How long a letter is kept, beside what its reader may take to think."""

DAY_SECONDS: Final = 24 * 3600


class Owed(Struct, frozen=True):
    """Somebody who is away, and for whom there is something to say."""

    match: bytes
    to: bytes
    mark: bytes
    """Of what there is to say about the match."""
    news: bool
    """Something of that is owed, and not chat alone."""
    lines: int
    """Up to which line of chat there is something to say; 0: nothing."""
    begun: bool = True
    """It is of a match; else of a table, named by its nonce."""

    @property
    def patience(self) -> float:
        """Return for how many seconds it is to be owed before a letter leaves."""
        return limits.LETTER_SECONDS if self.news else limits.LETTER_CHAT_SECONDS


class Written(Struct, frozen=True):
    """A letter, or several that belong together."""

    match: bytes
    to: bytes
    number: int
    """Of the last of them."""
    mark: bytes
    box: bytes
    lines: int
    """Of chat, up to which it says them; 0: none."""
    parts: tuple[bytes, ...]
    begun: bool = True
    days: int = WEEK_DAYS
    """For how long it is to be kept."""
    about: bytes = b""
    """What a receipt is to be for; see `LeaveLetter.about`."""


class Letters:
    """What a node has to do with letters."""

    def __init__(
        self, shared: Shared, places: Places, beginning: Beginning, writing: Writing
    ) -> None:
        """Look after the tables of a node.

        Args:
            shared: What all tables of the node have in common.
            places: The tables.
            beginning: Begins those to which a letter calls.
            writing: What friends write without a table.
        """
        self._writing: Final = writing
        self._shared: Final = shared
        self._places: Final = places
        self._asked: Final = AskedLetters(shared, places, beginning)
        self._shown: Final = Bucket(limits.SHOWN_A_SECOND, limits.SHOWN_AT_ONCE, 0.0)
        self._dropped = 0
        """Letters of no use of which nobody was told."""

    # Who.

    def authors(self, *, friends: bool) -> tuple[bytes, ...]:
        """Return of whom letters are taken: the members of the matches in hand.

        Args:
            friends: Friends may call to a table by letter, too.
        """
        found = {key for some in self._fellows() for key in some}
        known = self._shared.means.known
        asked = {*self._asked.authors(), *self._writing.authors()}
        wanted = [*sorted(found), *sorted(asked)]
        wanted += sorted(known.friends()) if friends else ()
        return tuple(key for key in dict.fromkeys(wanted) if key not in self._blocked)[
            :LETTER_AUTHORS
        ]

    @property
    def _blocked(self) -> Container[bytes]:
        """Whom the player has blocked: there is no way to these, nor from them."""
        return self._shared.means.known.blocked

    def sit_together(self, *keys: bytes) -> bool:
        """Tell whether players and this node are members of one match."""
        return any(some.issuperset(keys) for some in self._fellows())

    def has_third(self, key: bytes) -> bool:
        """Tell whether a player and this node have a match with others besides."""
        return any(key in some and len(some) > 1 for some in self._fellows())

    def _fellows(self) -> Collection[frozenset[bytes]]:
        return self._shared.fellows.values()

    # Writing.

    def owed(self) -> Iterator[Owed]:
        """Yield who is owed a letter."""
        unix = self._shared.means.counted()
        for place in self._places:
            match, chat = place.table.match, place.table.chat
            if match is None or match.stopped or place.table.stopped:
                continue
            if match.realtime is not None or match.watching or match.members.lost:
                continue  # it cannot go on where nobody else is there
            for key in sorted(match.others - match.linked):
                if key in self._blocked:
                    continue
                mark = lacking.mark(match, key)
                news = lacking.is_owed(match, key, mark, unix)
                lines = 0 if chat is None else _said_up_to(chat.unheard(key))
                if news or lacking.is_chat_owed(match, key, lines, unix):
                    yield Owed(match.match, key, mark, news, lines)
        for word in self._asked.owed():
            yield Owed(word.nonce, word.to, word.mark, news=True, lines=0, begun=False)
        for one, mark, lines in self._writing.owed():
            yield Owed(one.name, one.key, mark, not lines, lines, begun=False)

    def write(self, owed: Owed, now: float) -> Written | None:
        """Return a letter; what it says cannot be taken back any more.

        Raises:
            LocalError: DISK; the table is given up.
        """
        self._shared.now, self._shared.changed = now, True
        if not owed.begun:
            return self._written_of_table(owed)
        place = self._places.of_match(owed.match)
        match = None if place is None else place.table.match
        if place is None or match is None:
            return None
        with place:
            return self._written(place.table, match, owed, now)

    def _written_of_table(self, owed: Owed) -> Written | None:
        """Return what there is to say of a table that has not begun."""
        name = owed.match, owed.to
        box = letter.box(owed.match, self._shared.me, owed.to)
        if (one := self._writing.of_name(owed.match)) is not None:
            number, parts = self._writing.sealed(one)
            return Written(
                *name, number, owed.mark, box, owed.lines, parts,
                begun=False, days=LETTER_DAYS,
            )  # fmt: skip
        found = self._asked.write(owed.match, owed.to)
        if found is None:
            return None
        word, number, sealed = found
        return Written(*name, number, word.mark, box, 0, (sealed,), begun=False)

    def _written(
        self, table: State, match: Match, owed: Owed, now: float
    ) -> Written | None:
        """Return what there is to say to a member, if it is not too much."""
        to, chat = owed.to, table.chat
        if owed.news and not match.linked:
            match.go_by_mail(now)
        said = [] if chat is None else chat.letter(to)
        mail = match.mail(to, now)
        parts, lines = letter.parted([*mail, *said]), _said_up_to(said)
        if len(parts) > LETTER_PARTS:
            # Where there is much to say of the match, chat waits until that has come.
            parts, lines = letter.parted(mail), 0
        if len(parts) > LETTER_PARTS:
            return None
        unix = self._shared.means.counted()
        first = match.hidden.post.next_number(to, unix * 1000)
        last, mark = first + len(parts) - 1, lacking.mark(match, to)
        # Its reader may take all its days to think, and days off, before it comes.
        off = max((left for _seat, left in match.thinking.off()), default=0)
        days = match.ledger.terms.days + -(-off // DAY_SECONDS) + WEEK_DAYS
        days = min(days, LETTER_DAYS)
        match.keep(letter.KeptLetter(to, last, mark, unix, "", lines, days))
        match.journal.sync()
        sealed = list[bytes]()
        for number, frames in enumerate(parts, first):
            once = match.hidden.random(KEY_BYTES)
            name = match.signer, match.match
            sealed.append(letter.written(*name, to, number, frames, once))
        box = letter.box(match.match, match.me, to)
        about = lacking.subject(match, to)
        place = match.match, to, last, mark, box, lines
        return Written(*place, tuple(sealed), days=days, about=about)

    @property
    def signer(self) -> Signer:
        """Return who signs for this node as a keeper."""
        return self._shared.means.signer

    def counted(self) -> int:
        """Return the time that this node signs as a keeper, and by which it keeps."""
        return self._shared.means.counted()

    def kept(self, written: Written, by: str, receipt: LetterReceipt) -> None:
        """Note that somebody keeps a letter.

        Raises:
            LocalError: DISK; the table is given up.
        """
        if not written.begun:
            said = written.number, written.mark
            name = clean(by, NAME_CHARACTERS) or "?"
            self._writing.kept(written.match, written.mark, name)
            self._asked.kept(written.match, written.to, *said, receipt.at)
            return
        place = self._places.of_match(written.match)
        match = None if place is None else place.table.match
        if place is None or match is None:
            return
        last = match.hidden.post.letters.get(written.to)
        if last is None or last.number != written.number:
            return
        self._shared.changed = True
        name = clean(by, NAME_CHARACTERS) or "?"
        with place:
            match.keep(letter.KeptWord(receipt))
            if not last.by:
                match.keep(replace(last, by=name))

    def keep_with(self, keepers: Iterable[bytes]) -> None:
        """Note who keeps letters of any match here: new tables name them."""
        self._shared.keepers = tuple(keepers)[:KEEPERS]

    def receipts(self, keeper: bytes) -> Iterator[LetterReceipt]:
        """Yield a keeper's receipts of letters that it should have still."""
        unix = self._shared.means.counted()
        for place in self._places:
            match = place.table.match
            if match is None:
                continue
            for (to, by), receipt in match.hidden.post.receipts.items():
                last = match.hidden.post.letters.get(to)
                waits = last is not None and last.by and lacking.is_behind(match, to)
                if by == keeper and waits and receipt.until > unix:
                    yield receipt

    def questions(self, keeper: bytes) -> Iterator[AskLeft]:
        """Yield of which boxes for this node a keeper's word is wanted for a claim."""
        me = self._shared.me
        for place in self._places:
            match = place.table.match
            if match is not None and match.thinking.limit and not match.watching:
                for author, since in match.thinking.asks(keeper):
                    where = letter.box(match.match, author, me)
                    yield AskLeft(author, me, where, since)

    def keep_nothing(self, word: NothingLeft) -> None:
        """Keep a keeper's word that nothing was left: a claim brings it.

        Raises:
            LocalError: DISK; the table is given up.
        """
        for place in tuple(self._places):
            match = place.table.match
            if match is None or word.box != letter.box(
                match.match, word.author, word.to
            ):
                continue
            self._shared.changed = True
            with place:
                match.keep(letter.KeptNothing(word))

    def lost(self, receipt: LetterReceipt) -> None:
        """Note that a keeper has a letter no more: it is owed again.

        Raises:
            LocalError: DISK; the table is given up.
        """
        me = self._shared.me
        for place in tuple(self._places):
            match = place.table.match
            if match is None or receipt.box != letter.box(match.match, me, receipt.to):
                continue
            last = match.hidden.post.letters.get(receipt.to)
            if last is not None and last.by:
                self._shared.changed = True
                with place:
                    match.keep(replace(last, by=""))

    def tell_of_liar(self, keeper: str, reader: bytes) -> None:
        """Tell that a keeper has lied about a letter."""
        name, who = shown_name(keeper), self._shared.name_of(reader)
        self._shared.tell(Says.KEEPER_LIED(keeper=name, name=who), "warning")

    # Reading.

    def _no_use(self, why: PeerError, now: float) -> None:
        """Tell of a letter that is dropped: anybody can make up any number of them."""
        if not self._shown.take(now):
            self._dropped += 1
            return
        said = Says.LETTER_OF_NO_USE(why=why)
        if self._dropped:
            said = Says.LETTERS_OF_NO_USE(why=why, count=self._dropped)
            self._dropped = 0
        self._shared.tell(said)

    def on_letter(self, sealed: bytes, now: float) -> None:
        """Take a letter; it is on the disk then, as far as it is of any use.

        Raises:
            LocalError: DISK; the table is given up.
        """
        shared = self._shared
        try:
            posted = letter.open_letter(sealed, shared.me, shared.means.unseal)
        except PeerError as error:
            self._no_use(error, now)
            return
        if posted.author in self._blocked:
            return
        if posted.match == named(shared.me, posted.author):
            shared.now, shared.changed = now, True
            if (fault := self._writing.on_letter(posted, now)) is not None:
                self._no_use(fault, now)
            return
        if shared.is_spoiled(posted.match):
            raise LocalError(Code.DISK)  # it is good once there is room again
        place = self._places.of_match(posted.match) or self._asked.on_letter(
            posted, now
        )
        match = None if place is None else place.table.match
        if place is None or match is None or posted.author not in match.others:
            return  # it is in hand no more, or has other members now
        if match.hidden.post.is_old(posted.author, posted.number):
            return
        shared.now, shared.changed, shared.moved = now, True, True
        with place:
            fault = _take(place.table, match, posted, now)
            if fault is not None:
                self._no_use(fault, now)


def _said_up_to(said: Iterable[Heard | Chat]) -> int:
    """Return the number behind the last line of chat; 0 if there is none."""
    return max((one.number + 1 for one in said if isinstance(one, Chat)), default=0)


def _take(
    table: State, match: Match, posted: letter.Posted, now: float
) -> PeerError | None:
    """Take what a member wrote; return what is wrong with it, if anything.

    What is not good is left out: what came before stands without it.

    Raises:
        LocalError: DISK.
    """
    fault: PeerError | None = None
    author, before, spoke = posted.author, len(match.ledger.log), False
    if not match.linked:
        match.members.go_by_mail()
    try:
        for message in posted.messages(match.ledger.terms.nonce):
            if isinstance(message, Chat):
                spoke = True
                table.on_chat(message, now)
            elif not isinstance(message, Heard):
                match.take_mail(author, message, now)
            elif table.chat is not None:
                table.chat.on_heard(author, message)
    except PeerError as error:
        fault = error
    match.step(now)
    news = len(match.ledger.log) > before
    match.keep(letter.KeptTaken(author, posted.number, news or spoke))
    match.journal.sync()
    return fault

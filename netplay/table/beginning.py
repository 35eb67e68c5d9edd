"""What begins another table: a call, a match that somebody speaks of, a wish.

Everything that is about no table in hand comes here.
"""

from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import INVITED_TABLES, TABLES, TABLES_OF_A_HOST
from netplay.messages.door import HostTable
from netplay.messages.log import Entries, LogMessage
from netplay.messages.table import Accept, Ask, Attend, Bystanders, Decline, Proposal
from netplay.record.archive import unfinished
from netplay.record.ledger import Ledger, read_terms
from netplay.record.log import match_of
from netplay.record.store import Copy, MemoryDisk
from netplay.said import Said
from netplay.sentences import Says
from netplay.table import match_files
from netplay.table.forming import Forming, time_runs
from netplay.table.guest import Guest
from netplay.table.hosting import Hosting, keep_words
from netplay.table.place import NOTHING_LEFT, Place
from netplay.table.places import Places, Windows
from netplay.table.playing import NONCE_BYTES
from netplay.table.shared import Shared
from netplay.table.state import Change, Form, Gone, Sit, TakeUp
from netplay.table.unopened import FEW, WAITS, called, found_for, lacking
from netplay.table.watching import Asking
from netplay.wanted import PeerMessage

INVITED_SECONDS: Final = 7 * 86_400
"""For which an invitation that was given away opens a table for strangers."""

WISHED_SECONDS: Final = 60.0
"""After the player was told who would go on with a match, before it is said again."""


class Wish(NamedTuple):
    """Somebody would go on with a match that the player has left."""

    at: float
    """When the player was told."""
    key: bytes
    message: LogMessage
    """By which it was said."""


class Beginning:
    """Begins tables."""

    def __init__(self, shared: Shared, places: Places, windows: Windows) -> None:
        """Wait for what comes.

        Args:
            shared: What all tables of the node have in common.
            places: The tables.
            windows: Who looks at them.
        """
        self._shared: Final = shared
        self._places: Final = places
        self._windows: Final = windows
        self._twice: Final[set[bytes]] = set()
        """Matches that were begun at tables which had one: the player was told."""
        self._wished: Final[dict[bytes, Wish]] = {}
        """By match: with which the player has left others would go on."""

    def begin(self, change: Change, now: float, place: Place | None = None) -> int:
        """Make a change that begins a table; return its number.

        Args:
            change: What begins.
            now: Seconds.
            place: Where, if there is one for it already.

        Raises:
            LocalError: NO_ROOM; the match of a change is let go.
        """
        new = False
        if place is None:
            try:
                self._places.make_room(self._windows.looked_at(), now)
            except LocalError:
                if isinstance(change, TakeUp):
                    change.ledger.file.close()
                raise
            place, new = self._places.new(), True
        begun = change.ledger.terms if isinstance(change, TakeUp) else None
        guest = place.table
        with place:
            if begun and isinstance(guest, Guest) and guest.terms not in (None, begun):
                # A host may begin on any terms that all have signed, of before, too.
                name = self._shared.known_as(guest.host)
                self._shared.tell(Says.CHANGED_RULES(name=name), "warning")
            place.change(change, now)
        if new:
            self._windows.came(place.number)
        return place.number

    # What was in hand when the node ended.

    def find_kept(self) -> None:
        """Look which matches those are; go on with them if they are few."""
        shared, archive = self._shared, self._shared.means.archive
        try:
            kept = archive.in_hand()
        except LocalError as error:
            shared.fault(error.said)
            found = islice(unfinished(archive), TABLES)
            kept = dict.fromkeys(found, 0)  # at tables with other numbers
        self._places.unopened.note(kept, self._reopen)
        if len(kept) <= FEW:
            self._places.unopened.open_all()

    def _reopen(self, match: bytes, number: int) -> None:
        """Go on with a match that was in hand, or say why that cannot be."""
        shared, archive = self._shared, self._shared.means.archive
        if not archive.has(match):
            shared.fault(NOTHING_LEFT)
            archive.let_go(match)
            return
        if archive.is_laid_aside(match):
            shared.fault(Says.DEADLY_MATCH(match=called(shared, match)))
            with suppress(LocalError):  # the next node says so, too
                archive.lay_aside(match)
            return
        with suppress(LocalError), self._places.new(number) as place:  # it was told
            place.go_on(match, shared.now)

    # What peers say.

    def is_in_hand(
        self, key: bytes, answer: PeerMessage, place: Place | None, now: float
    ) -> bool:
        """Take an answer by which a table that was called is one in hand already.

        The one that has called is gone then, and who looks at it is shown the other.

        Args:
            key: Who answers.
            answer: Whether it is one is looked at here.
            place: The table that is meant.
            now: Seconds.

        Returns:
            Whether nobody need be told of it any more.
        """
        if not isinstance(answer, Proposal | Bystanders | Decline):
            return False
        called, no = self._places.asked(key), isinstance(answer, Decline)
        if called is None or (no and place is not called):
            return False
        if isinstance(called.table, Guest | Asking) and called.table.offers:
            return False  # that is no answer: the player has to choose first
        found = place
        if no:
            # The game that goes on here with them, if it is but one
            busy = [one for one in self._places if one.table.busy and one.table.match]
            known = [one for one in busy if key in one.table.others]
            found = known[0] if len(known) == 1 else None
        if found is None or found is called:
            return False
        self._windows.follow(called.number, found.number)
        with called:
            called.change(Gone(), now)
        with found:
            name = self._shared.known_as(key)
            self._shared.tell(Says.TABLE_IN_HAND(name=name))
        return no

    def message(self, key: bytes, message: PeerMessage, now: float) -> None:
        """Take a message of a table that is not in hand: it may be a call to one."""
        shared = self._shared
        match message:
            case Ask(table) | Accept(table):
                shared.decline(key, table, Code.NO_TABLE)
            case Attend(match):
                shared.decline(key, match, Code.NO_TABLE, Says.NO_MATCH_HERE())
            case Proposal():
                self._called(key, message, now)
            case Decline(table):
                shared.means.asked.knows_of_leaving(key, table)
            case _:
                pass  # of a table that is here no more

    def _called(self, key: bytes, proposal: Proposal, now: float) -> None:
        """Let a host call this node to its table, if nothing is in the way."""
        shared, nonce = self._shared, proposal.terms.nonce
        friend, answering = shared.knows(key), shared.answering
        asked, revision = shared.means.asked, proposal.revision
        if asked.is_refused(nonce, revision):
            shared.decline(key, nonce, Code.DECLINED, Says.NOT_NOW(), revision)
            asked.refuse(nonce, shared.means.counted(), revision, told=True)
            return
        if not (answering or friend) or not self._rings(key):
            why = Says.BUSY_HERE() if answering else Says.NOT_WAITING()
            why = Says.ENOUGH_WAITS() if friend else why
            shared.decline(key, nonce, Code.BUSY, why, proposal.revision)
            return
        # A friend asks somebody who does not wait for calls: the player says yes or no.
        change = Sit(
            key, wanted=friend and answering, proposal=proposal, kept=friend,
            said=shared.spoken_for,
        )  # fmt: skip
        try:
            number = self.begin(change, now)
        except LocalError as error:
            if error.code is not Code.NO_ROOM:
                raise
            why = Says.NO_ROOM_HERE()
            shared.decline(key, nonce, Code.NO_ROOM, why, proposal.revision)
            return
        self._windows.show_at_once(number, called=True)

    def called_by_letter(self, key: bytes, proposal: Proposal, now: float) -> None:
        """Let a friend who is away call this node to a table.

        Raises:
            LocalError: DISK.
        """
        shared, nonce = self._shared, proposal.terms.nonce
        place = self._places.rematch(proposal.again)
        if place is not None and isinstance(place.table, Hosting):
            way = place.table.give_way(key, proposal)
            if way is not None:
                self.begin(way, now, place)
            return
        refused = shared.means.asked.is_refused(nonce, proposal.revision)
        if refused or not self._rings(key):
            return
        change = Sit(
            key, wanted=shared.answering, proposal=proposal, kept=True,
            said=shared.spoken_for,
        )  # fmt: skip
        try:
            number = self.begin(change, now)
        except LocalError as error:
            if error.code is not Code.NO_ROOM:
                raise
            return
        self._windows.show_at_once(number, called=True)

    def begun_by_letter(self, key: bytes, entries: Entries, now: float) -> Place | None:
        """Begin a match to whose terms the player here has said yes.

        Raises:
            PeerError: BAD_LOG, NOT_A_MEMBER, or what is wrong with the genesis.
            LocalError: DISK.
        """
        terms = read_terms(entries.entries[0]) if entries.entries else None
        place = None if terms is None else self._places.named(terms.nonce)
        table = None if place is None else place.table
        if not isinstance(table, Guest) or not table.seen.accepted:
            return None
        found = found_for(self._shared, key, entries, self._sits_at)
        if not isinstance(found, Ledger):
            return None
        self.begin(TakeUp(found), now, place)
        return place

    def _rings(self, key: bytes) -> bool:
        """Let somebody call to a table; return whether nothing is in the way.

        A friend sits this node down.  Somebody unknown waits for the player to say yes;
        one at a time, and not too often.
        """
        shared = self._shared
        guests = [p.table for p in self._places if isinstance(p.table, Guest)]
        if sum(guest.host == key for guest in guests) >= TABLES_OF_A_HOST:
            return False
        waits = any(guest.called for guest in guests)
        friend = shared.knows(key) or shared.means.known.is_friend(key)
        if not friend and (waits or not shared.may_call()):
            return False
        shared.tell(Says.CALLS(name=shared.known_as(key)), shared.tone(key))
        return True

    def open_match(
        self, key: bytes, message: LogMessage, place: Place | None, now: float
    ) -> None:
        """Open the match that a message is about, if this node may.

        Args:
            key: Of the sender.
            message: What it says.
            place: Where a seat of it was offered.
            now: Seconds.

        Raises:
            PeerError: BAD_LOG, NOT_A_MEMBER, or what is wrong with the genesis.
            LocalError: DISK.
        """
        shared, match = self._shared, message.match
        wish = self._wished.get(match)
        # The player, who has left it, was told just now.
        told = wish is not None and now < wish.at + WISHED_SECONDS
        if (isinstance(message, Entries) and self._holds_off(message, now)) or told:
            return
        kept = shared.means.archive.has(match)
        found = found_for(shared, key, message, self._sits_at)
        if isinstance(found, Ledger):
            if self._begun_at(found.terms.nonce) is not None:
                found.file.close()
                return
            place = place or self._places.named(found.terms.nonce)
            # Nobody is taken back to what they have left.  Where time runs it does not
            # run for them either: it is as if this node were away.
            left = kept and place is None
            if left and self._asks_first(key, found, now):
                self._wished[match] = Wish(now, key, message)
                found.file.close()
                return
            if left:
                self._windows.keep_away()
            try:
                number = self.begin(TakeUp(found, key=key, message=message), now, place)
                # Without a table before, the seat was asked for here, of a friend.
                self._windows.show_at_once(number, called=left or place is not None)
            except LocalError as error:
                if error.code is not Code.NO_ROOM:
                    raise  # else it is as if the match were not spoken of
        elif found is not None and place is None and self._rings(key):
            offer = found.proposal
            change = Sit(key, wanted=False, proposal=offer, handed=found.match)
            self._windows.show_at_once(self.begin(change, now), called=True)

    def _asks_first(self, key: bytes, left: Ledger, now: float) -> bool:
        """Tell the player who would go on with a match in which time runs, if one is.

        Who waits for calls by a command or a program is spoken for.
        """
        shared, match = self._shared, left.log.match
        if shared.spoken_for > now or left.fold.over or not time_runs(left.terms):
            return False
        name, game = shared.known_as(key), called(shared, match)
        shared.tell(Says.WOULD_GO_ON(name=name, match=game), shared.tone(key))
        return True

    def answer_wishes(self, now: float) -> None:
        """Go on with what others would: the player is spoken for from now on.

        Raises:
            LocalError: DISK.
        """
        wishes = dict(self._wished) if self._shared.spoken_for > now else {}
        for match, wish in wishes.items():
            del self._wished[match]
            if self._shared.is_up(wish.key) and self._places.of_match(match) is None:
                with suppress(PeerError):  # they say it again when they hear of us
                    self.open_match(wish.key, wish.message, None, now)

    def _holds_off(self, message: Entries, now: float) -> bool:
        """Tell whether a match that begins here waits until its player is there."""
        for raw in message.entries[:1]:
            with suppress(PeerError):  # no beginning: it is looked at below
                terms = read_terms(raw)
                place = self._places.named(terms.nonce)
                table = None if place is None else place.table
                if isinstance(table, Guest):
                    return table.holds_off(message.match, terms, now)
                begun = self._begun_at(terms.nonce)
                if begun is not None and match_of(terms) == message.match:
                    Ledger(MemoryDisk(), (raw,))  # else it is nobody's but the sender's
                    mine = any(one.key == self._shared.me for one in terms.members)
                    # Of what this node has signed alone, as others can make no more.
                    if mine and message.match not in self._twice:
                        self._twice.add(message.match)
                        name = self._shared.known_as(terms.members[0].key)
                        with begun:
                            self._shared.tell(Says.BEGUN_TWICE(name=name), "warning")
                    return True
        return False

    def _begun_at(self, nonce: bytes) -> Place | None:
        """Return the table with a nonce, if its match has begun.

        No other may take its place: who has signed several terms of one table could
        else be taken away from a match by its host, who loses it.
        """
        place = self._places.named(nonce)
        table = None if place is None else place.table
        begun = table is not None and table.match is not None and table.nonce == nonce
        return place if begun else None

    def _sits_at(self, nonce: bytes) -> bool:
        """Tell whether this node has a seat at a table that another forms."""
        place = self._places.named(nonce)
        return place is not None and place.table.busy

    # What the player wishes.

    def host(self, ask: HostTable, now: float, *, invited: bool = False) -> int:
        """Open a table; return its number."""
        shared, means = self._shared, self._shared.means
        nonce = means.entropy(NONCE_BYTES)
        table = Forming(means.signer, shared.name, ask, nonce, means.known)
        table.keepers, table.invited = shared.keepers, invited
        keep_words(shared, table)
        return self.begin(Form(table), now)

    def come(self, key: bytes, now: float) -> None:
        """Open a table for somebody who came by an invitation, if no seat is free.

        What cannot be opened now is as if nobody had been invited.  Who is no friend
        yet was sent an invitation some days ago at most: a call does not tell whether
        it comes by one, and a stranger's is no reason for a table.
        """
        shared, (wish, handed_out) = self._shared, self._shared.invited
        tables = [place.table for place in self._places]
        forming = [table.forming for table in tables if isinstance(table, Hosting)]
        if wish is None or len(forming) >= INVITED_TABLES:
            return
        on = [t for t in tables if t.match is None or not t.match.fold.over]
        free = [t for t in tables if isinstance(t, Hosting) and t.open_to(key)]
        if free or any(key in table.others for table in on):
            return
        if any(key in table.removed for table in forming):
            return
        late = shared.means.counted() > handed_out + INVITED_SECONDS
        if not shared.means.known.is_friend(key) and (late or not shared.may_call()):
            return
        with suppress(LocalError):
            number = self.host(wish, now, invited=True)
            self._windows.show_at_once(number, called=True)

    def ask_again(self, now: float) -> None:
        """Go on with the tables that wait for somebody's answer."""
        shared, asked = self._shared, self._shared.means.asked
        asked.lapse(shared.means.counted())
        for table in list(asked.tables.values()):
            wish, means = (table.wish, table.nonce), shared.means
            try:
                formed = Forming(means.signer, shared.name, *wish, means.known)
                formed.go_on(table)
                self._begin_again(table.number, Form(formed), now)
            except LocalError as error:  # its words are gone, or a game
                asked.drop(table.nonce)
                shared.fault(error.said)
        for seat in list(asked.seats.values()):
            if self._places.named(seat.nonce) is not None:
                asked.drop(seat.nonce)  # the match has begun
                continue
            terms, yes = seat.proposal, seat.agreed
            change = Sit(
                seat.host, wanted=yes, proposal=terms, agreed=terms if yes else None,
                kept=True,
            )  # fmt: skip
            with suppress(LocalError):  # it was told, and its table closed
                self._begin_again(seat.number, change, now)

    def _begin_again(self, number: int, change: Change, now: float) -> None:
        """Begin a table under the number that it had, if that is free."""
        free = number and number not in self._places.by_number
        self.begin(change, now, self._places.new(number) if free else None)

    def load(
        self, window: int, path: str, now: float, found: Copy | None = None
    ) -> Said:
        """Take a match from a file up, or into one in hand; return what to tell.

        Args:
            window: Who asks.
            path: Of the file; empty for the match kept last.
            now: Seconds.
            found: What a file of the user's has, if it has been read already.

        Raises:
            LocalError: It is no match for this node, or it cannot be read.
        """
        shared = self._shared
        self._places.unopened.open_all()  # it may be one of these
        names = [place.table.match.match for place in self._places if place.table.match]
        try:
            file = match_files.read_match(shared, path, names, found)
            place = self._places.of_match(file.match)
            here = bool(path) and shared.means.archive.named(path) is None
            here = here and (place is not None or file.is_kept(shared))
            if place is None or place.table.match is None or place.table.stopped:
                if file.is_for(shared.me):
                    file.take_along(shared.means.shelf)
                    lacks = file.is_kept(shared) and lacking(shared, file.match)
                    if lacks:
                        self._windows.look_at(window, self.begin(lacks, now, place))
                        return WAITS
                    file.require(shared.means.shelf)
                with shared.opening(file.match):
                    ledger = match_files.ledger_of(shared, file)
                number = self.begin(TakeUp(ledger), now, place)
                place = self._places.by_number.get(number)
                assert place is not None  # it has just been taken up
            held = place.table.match
            assert held is not None  # just put in hand
            self._wished.pop(held.match, None)
            with place:
                new = held.take_file(file.raws, file.items, shared.means.unseal, now)
        except PeerError as error:
            raise LocalError(error.code, error.detail) from error
        shared.changed = True
        self._windows.look_at(window, place.number)
        own_name = shared.means.known.own_name
        told = match_files.told(held, new, own_name, here=here)
        return told if file.lost is None else Says.THEN(first=told, then=file.lost)

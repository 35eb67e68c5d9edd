"""This node as a bystander: it asks to watch, and then has a copy of the log.

It checks and keeps every entry as a member does, in a `Match` of which it is no member:
so it acknowledges nothing, has no say in anything, and is shown a bystander's view.  It
comes back by itself after a cut or a restart.

Where many watch, the member that was asked may send it on to another bystander: it
then gets the same entries there, and passes them on to others itself (see `passing`).
To the `Match` it is as if all came from that member.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Final

from msgspec.structs import replace
from typing_extensions import override

from netplay import limits
from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.match.match import Match
from netplay.messages import table
from netplay.messages.door import Choose
from netplay.messages.log import Entries, Fork, Have, LogMessage
from netplay.record.chance import ZERO
from netplay.record.ledger import Ledger, read_terms
from netplay.record.log import check_signature, match_of
from netplay.record.store import MemoryDisk
from netplay.said import Said, Words
from netplay.sentences import Says
from netplay.table.forming import told_as
from netplay.table.in_match import InMatch
from netplay.table.passing import Alarm, Passing, heard_beat, ticket_data
from netplay.table.resources import Fetches, missing
from netplay.table.shared import Shared, heard
from netplay.table.state import (
    AskToWatch,
    CallHost,
    Change,
    Gone,
    PlayOn,
    Reply,
    State,
    Wants,
    WatchOn,
)
from netplay.table.unopened import begin_file
from netplay.wanted import Dial, Outgoing, PeerMessage

SPARED_SECONDS: Final = 20.0
"""After which a bystander that watches at a member itself asks it what can wait, as
where its calls come from: by then it would have been sent on."""

ASK_AGAIN_SECONDS: Final = 5.0
"""Before one that was sent on once asks again that gets no answer, or finds no room."""


class WatchedAt:
    """Whom this node asks to watch, and what came of it."""

    def __init__(self, shared: Shared, address: str, match: bytes = b"") -> None:
        """Begin by looking for a member.

        Args:
            shared: What all tables of the node have in common.
            address: Where to call; empty for any member whose address is known.
            match: Which match, once it is known.
        """
        self._shared = shared
        self._address = address
        self.match = match
        self.key: bytes | None = None
        """The member where this node watches."""
        self.watches = False
        self._waits = False
        """The player here knows that all who play have yet to agree."""
        self.given_up = False
        """Nobody is to be asked any more; what is here can be looked at."""
        self.alarm: Final = Alarm()
        """When somebody is to be asked anew."""
        self.ticket: table.Ticket | None = None
        """Where this node was sent on to, if it was."""
        self.beat: table.Beat | None = None
        """The last of the usher's."""
        self.told: table.Bystanders | None = None
        """What a member has said last of how things stand."""
        self._stood: tuple[int, int, float] | None = None
        """At a beat of whoever passes on: entries told of, entries here, and when."""
        self.left = b""
        """Who passed the match on before: what it has sent may still be on its way."""
        self._told_of_passing = False
        self._came = -inf
        """When the link to whom this node asks, or where it watches, was there."""
        self._in_vain = 0
        """Places it was sent to, one after another, where it was not let in."""

    @property
    def usher(self) -> bytes | None:
        """The member that was asked, wherever this node watches."""
        return self.key if self.ticket is None else self.ticket.usher

    def spares(self, key: bytes, now: float) -> bool:
        """Tell whether somebody is not to be asked what can wait.

        Whoever has just been asked to let this node watch, as others ask it; who has
        sent it on; and where it was sent.
        """
        young = self.ticket is not None or now < self._came + SPARED_SECONDS
        return young and not self.given_up and key in {self.key, self.usher}

    def calls(self, address: str) -> bool:
        """Tell whether an address is called and has not answered yet."""
        waits = self.key is None and not self.given_up
        return waits and bool(address) and address == self._address

    def dials(self, members: Iterable[bytes]) -> Iterator[Dial]:
        """Yield the links that are missing.

        Args:
            members: Whoever plays in the match, as far as that is known.
        """
        places, key = self._shared.places, self.key
        if self.given_up:
            return
        if self.ticket is not None:
            yield Dial(self.ticket.address, self.ticket.parent)
        elif key is not None:
            yield Dial(places.get(key, self._address), key, patient=True)
        elif self._address:
            yield Dial(self._address, None, patient=True)
        else:
            for member in members:
                yield Dial(places.get(member, ""), member)

    def up(self, key: bytes, address: str, *, member: bool = False) -> None:
        """Ask whoever has come, if it is the one called, or any member will do."""
        called = bool(self._address) and address == self._address
        mine = key == self.key if self.key else called or member
        if mine and not self.given_up:
            self.key, self.watches = key, False  # on a new line it is asked anew
            self._came = self._shared.now
            self._waits = False
            self._shared.changed = self._shared.moved = True
            if self.ticket is None:
                self._shared.befriend((key,))
                self.ask()
            else:
                self._shared.say((key,), replace(self.ticket, address=""))

    def ask(self) -> None:
        """Ask the member to be let watch."""
        if self.key is None:
            return
        if self._shared.passes_on:
            most = table.PASSED_TO
            self._shared.say((self.key,), table.PassOn(self.match, most))
        self._shared.say((self.key,), table.Attend(self.match))

    # Being sent on.

    def send_on(self, key: bytes, ticket: table.Ticket) -> bool:
        """Watch where the member says from now on; return whether it may say so.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        shared, me = self._shared, self._shared.me
        meant = key == self.key == ticket.usher and self.ticket is None
        others = ticket.key == me and ticket.parent not in {me, key}
        if not (meant and others and shared.passes_on) or self.given_up:
            return False
        if self.match not in {b"", ticket.match} or self.watches:
            return False
        check_signature(key, ticket.signature, ticket_data(ticket))
        self.match, self.ticket, self.key = ticket.match, ticket, ticket.parent
        self._set(limits.PLACING_SECONDS)
        shared.changed = shared.moved = True
        if shared.is_up(ticket.parent):
            self.up(ticket.parent, "")
        return True

    def come_back(self) -> None:
        """Ask the member for another place."""
        if self.ticket is None or self.given_up:
            return
        shared = self._shared
        self._in_vain += not self.watches
        self.left = self.ticket.parent
        shared.decline(self.left, self.match, Code.STOPPED, "left")
        self.key, self.ticket = self.ticket.usher, None
        self.watches = self._waits = False
        shared.changed = shared.moved = True
        if self._in_vain >= limits.PLACED_IN_VAIN:
            self._in_vain = 0
            self._set(limits.PLACED_AGAIN_SECONDS)
        else:
            self._set(ASK_AGAIN_SECONDS)
            self.ask()

    def _set(self, seconds: float) -> None:
        self.alarm.at = self._shared.now + seconds

    def wait_for_beat(self) -> None:
        """Come back if no beat is heard for a while, not all at the same time."""
        lot = int.from_bytes(self._shared.means.entropy(2), "big") / 65535
        self._set(limits.SILENT_SECONDS + lot * limits.SILENT_SPREAD_SECONDS)

    def hear(self, key: bytes, beat: table.Beat, entries: int) -> bool:
        """Take a beat; return whether it is to be passed on.

        It tells as well whether entries are kept back: of those of which the last one
        told, some have come since.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        usher = self.usher
        if key != self.key or usher is None:
            return False
        if not heard_beat(beat, self.match, usher, self.beat):
            return False
        self.beat = beat
        if self.ticket is not None and self.watches:
            self.wait_for_beat()
            now, stood = self._shared.now, self._stood
            if stood is None or now > stood[2] + limits.BEAT_SECONDS / 2:
                self._stood = beat.entries, entries, now
                told, before, _ = stood or (0, 0, now)
                if min(told, beat.entries) > entries == before:
                    self.alarm.at = now
        return True

    def ring(self) -> bool:
        """Ask again if that is due; return whether to come back instead."""
        self.alarm.at = None
        if self.ticket is not None:
            return True
        if not (self.watches or self._waits or self.given_up):
            self._set(ASK_AGAIN_SECONDS)
            if self.key is not None and self._shared.is_up(self.key):
                self.ask()
        return False

    def put_off(self, key: bytes, decline: table.Decline) -> bool:
        """Tell whether a no is to be asked about again: it was not the players'."""
        if self.ticket is not None and key == self.ticket.parent:
            return True
        full = decline.code == Code.TABLE_FULL.number
        if full and self.beat is not None:  # it was sent on before
            self._set(2 * ASK_AGAIN_SECONDS)
            return True
        return False

    def on_answer(self, key: bytes, message: table.Bystanders) -> bool:
        """Take how things stand; return whether this node may watch from now on."""
        shared = self._shared
        mine = [one for one in message.bystanders if one.key == shared.me]
        if key != self.key or not mine or self.match not in {b"", message.match}:
            return False
        self.match = message.match
        watches = mine[0].watches
        if self.ticket is None:
            self.alarm.at, self.told = None, message
        elif watches:
            self._in_vain, self._stood = 0, None
            self.wait_for_beat()
            shared.parted.add(self.ticket.usher)  # which may have a thin line
            shared.moved = True
        if not (watches or self._waits):  # else it is about who is away
            name = shared.name_of(key)
            shared.tell(Says.ASKED_TO_WATCH(name=name))
        self._waits = not watches
        begins, self.watches = watches and not self.watches, watches
        if begins and shared.passes_on and not self._told_of_passing:
            self._told_of_passing = True
            shared.tell(Says.PASSING_ON(count=table.PASSED_TO))
        return begins

    def leave(self) -> None:
        """Watch no longer."""
        if self.key is not None and not self.given_up:
            self._shared.unwatched = self.match, self._shared.now
            self._shared.decline(self.key, self.match, Code.STOPPED, "left")
        self.end()

    def end(self) -> None:
        """Ask nobody any more."""
        self.given_up, self.watches = True, False
        self.alarm.at = None
        self._shared.moved = True


class Asking(State):
    """A match that this node would like to watch."""

    polled = True

    def __init__(self, shared: Shared, ask: AskToWatch) -> None:
        """Call a member.

        Args:
            shared: What all tables of the node have in common.
            ask: Where, and which match.
        """
        super().__init__(shared)
        self.answers.update({Choose: self._choose})
        self.at: Final = WatchedAt(shared, ask.address, ask.match)
        self._address: Final = ask.address
        self.offers: tuple[table.OpenTable, ...] = ()
        """What may be watched there, until the player has chosen."""
        self._nonce = b""
        """Of the terms, once they are known."""
        self._fetches: Final = Fetches(shared.means.shelf)

    @property
    @override
    def mode(self) -> str:
        return "calling"

    @property
    @override
    def address(self) -> str:
        return self._address

    @property
    @override
    def nonce(self) -> bytes:
        return self._nonce

    @property
    @override
    def match_name(self) -> bytes:
        return self.at.match

    @override
    def asked(self, key: bytes) -> bool:
        return key == self.at.key and not self.at.match

    @override
    def repeats(self, call: CallHost | AskToWatch) -> bool:
        return (
            isinstance(call, AskToWatch)
            and self.at.match == call.match
            and (
                call.address == self._address
                or self.at.key in self.shared.at(call.address)
            )
        )

    @override
    def expects(self, key: bytes) -> bool:
        return key == self.at.key

    @override
    def spares(self, key: bytes, now: float) -> bool:
        return self.at.spares(key, now)

    @override
    def dials(self) -> Iterable[Dial]:
        return self.at.dials(())

    @override
    def enter(self, now: float) -> Change | None:
        for key in self.shared.at(self._address):
            self.at.up(key, self._address)
        return None

    # Links.

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        there = key in self.shared.at(self._address)
        self.at.up(key, self._address if there else address)
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        if key == self.at.key:
            self.at.come_back()
            self.at.watches = False
            self._fetches.again()
        return None

    @override
    def unreachable(self, dial: Dial) -> Change | None:
        if self.at.ticket is not None and dial.key == self.at.key:
            self.at.come_back()
            return None
        return Gone() if self.at.calls(dial.address) else None

    @override
    def wake(self, now: float) -> None:
        if self.at.alarm.at is not None and now >= self.at.alarm.at and self.at.ring():
            self.at.come_back()

    @override
    def wants(self) -> Wants:
        return Wants(self.at.alarm.at)

    @override
    def blocked(self, key: bytes) -> Change | None:
        return self.leave()[1] if key == self.at.key else None

    @override
    def leave(self) -> Reply:
        self.at.leave()
        return Says.TABLE_LEFT(), Gone()

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        if key != self.at.key:
            return super().receive(key, message, now)
        match message:
            case table.Bystanders():
                if self.at.on_answer(key, message):
                    self._ask_for_genesis()
            case table.Ticket():
                self.at.send_on(key, message)
            case table.Beat():
                self.at.hear(key, message, message.entries)
            case table.Piece():
                self.shared.say((key,), *self._fetches.on_piece(message))
            case table.Decline() if self.at.put_off(key, message):
                self.at.come_back()
            case table.Decline():
                return self._ended(heard(message))
            case table.OpenTables(tables) if not self.at.match:
                self.offers = tables
                self.show_open(key, tables)
            case _:
                return super().receive(key, message, now)
        return None

    def _choose(self, question: Choose, _now: float) -> Reply:
        """Ask to watch one of the matches that are open at the host.

        Raises:
            LocalError: USAGE, there is no such match.
        """
        number, count = question.number, len(self.offers)
        if not 0 <= number < count or self.at.key is None:
            raise LocalError(Code.USAGE, Says.NO_SUCH_OFFER(count=count))
        self.at.match, self.offers = self.offers[number].table, ()
        self.at.ask()
        known = self.shared.means.known
        return Says.CALLING(address=told_as(self._address, known)), None

    def _ask_for_genesis(self) -> None:
        """Ask for the beginning of the match."""
        if self.at.key is not None:
            self.shared.say((self.at.key,), Have(self.at.match, 0, 0, ZERO))

    @override
    def send(self, now: float) -> Change | None:
        come, fault = self._fetches.take_news()
        if fault is not None:
            return self._fail(fault)
        if come and not self._fetches:
            self._ask_for_genesis()
        return None

    @override
    def on_log(self, key: bytes, message: LogMessage, now: float) -> Change | None:
        known = key == self.at.key and self.at.watches
        if not isinstance(message, Entries) or not known:
            return None
        if not message.entries:
            return None
        terms, shared = read_terms(message.entries[0]), self.shared
        if match_of(terms) != self.at.match:
            raise PeerError(Code.BAD_LOG, "another match")
        if shared.is_spoiled(self.at.match):
            self.at.leave()
            return self._ended(Said(Code.DISK.name))
        self._nonce = terms.nonce
        wants = list(self._fetches.wants())
        lacks = missing(shared.means.shelf, terms)
        wants = wants or self._fetches.fetch(terms.nonce, lacks)
        if self._fetches:
            shared.say((key,), *wants)
            return None
        try:
            Ledger(MemoryDisk(), message.entries[:1])
        except PeerError as error:
            if error.code is not Code.RULES:
                raise
            return self._fail(error)
        ledger = begin_file(shared, self.at.match, message.entries[:1])
        return WatchOn(ledger, key, message)

    def _fail(self, why: NetplayError) -> Change:
        """Say that this node cannot watch."""
        if self.at.key is not None:
            self.shared.decline(self.at.key, self.at.match, why.code, why.reason)
        return self._ended(why.said)

    def _ended(self, why: Words) -> Change:
        """Show why there is nothing to be watched."""
        self.at.end()
        self.shared.tell(Says.WATCHING_ENDED(why=why), "error")
        return Gone()


class Watching(InMatch):
    """A match without a seat here; nobody waits for a bystander."""

    def __init__(self, shared: Shared, match: Match, at: WatchedAt) -> None:
        """Look on.

        Args:
            shared: What all tables of the node have in common.
            match: Its files are open.
            at: Where this node watches.
        """
        super().__init__(shared, match)
        self.at: Final = at
        self.alarm = at.alarm
        self.put = self._put
        self.passing: Final = Passing(shared, match)

    @property
    @override
    def mode(self) -> str:
        return "watching"

    @override
    def expects(self, key: bytes) -> bool:
        here = key == self.at.key or key in self.passing.children
        return here or super().expects(key)

    @override
    def spares(self, key: bytes, now: float) -> bool:
        return self.at.spares(key, now)

    @override
    def serves(self, key: bytes) -> bool:
        return key in self.passing.children or super().serves(key)

    def _put(self, out: Iterable[Outgoing]) -> None:
        """Send what is for the member where it is to go: to whoever passes on."""
        ticket, shared = self.at.ticket, self.shared
        for one in out:
            to = one.keys
            if ticket is not None:
                to = tuple(ticket.parent if k == ticket.usher else k for k in to)
            shared.say(to, one.message)

    @override
    def dials(self) -> Iterable[Dial]:
        return self.at.dials(self.others)

    # Life.

    @override
    def enter(self, now: float) -> Change | None:
        super().enter(now)
        told = self.at.told if self.at.ticket is None else self.at.beat
        if self.at.watches and told is not None:  # before the match was here
            self._note_away(now, told.absent, told.vacant)
        self._begin(now, self.at.watches)
        return None

    def _note_away(
        self, now: float, absent: Iterable[int] | None, vacant: Iterable[int] = ()
    ) -> None:
        """Take who is said to be away: by that time runs here, or stands."""
        self._match.tell_away(absent, vacant)
        self._match.step(now)

    def _begin(self, now: float, may: bool) -> None:
        """Take up with the member where this node may watch."""
        if may and self.at.usher is not None and self.at.key is not None:
            self._match.link_up(self.at.usher, now)
            self._match.step(now)
            self.passing.report_all(self.at.key)

    def _come_back(self, now: float) -> None:
        """Have whoever passed on be gone, and ask the member for another."""
        if self.at.ticket is not None:
            self._match.link_down(self.at.ticket.usher, now)
            self._note_away(now, None)
            self.at.come_back()

    @override
    def ring(self, now: float) -> None:
        if self.at.ring():
            self._come_back(now)

    @override
    def unreachable(self, dial: Dial) -> Change | None:
        if self.at.ticket is not None and dial.key == self.at.key:
            self._come_back(self.shared.now)
        return None

    @override
    def send(self, now: float) -> Change | None:
        super().send(now)
        if self.passing.children:
            if self.shared.passes_on:
                self.passing.send()
            else:
                self.passing.close()
        return None

    @override
    def close(self) -> None:
        self.passing.close()
        super().close()

    @override
    def give_up(self) -> None:
        self.at.leave()
        self.passing.close()
        super().give_up()

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        self.at.up(key, address, member=key in self._match.others)
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        self.passing.gone(key, self.at.key or b"")
        ticket = self.at.ticket
        if ticket is not None:
            if key == ticket.parent:
                self._come_back(now)
            return None
        super().peer_down(key, now)
        if key == self.at.key:
            self.at.watches = False
            self._note_away(now, None)
        return None

    @override
    def peer_quiet(self, key: bytes, now: float) -> None:
        # Its computer may have no power any more: that shows on the link only later.
        if self.at.ticket is not None and key == self.at.ticket.parent:
            self._come_back(now)

    @override
    def blocked(self, key: bytes) -> Change | None:
        self.passing.gone(key, self.at.key or b"")
        if key == self.at.usher:
            return self.leave()[1]
        if key == self.at.key:
            self._come_back(self.shared.now)
        return None

    @override
    def leave(self) -> Reply:
        self.at.leave()
        return Says.TABLE_LEFT(), Gone()

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:  # noqa: PLR0911 (one a message)
        at = self.at
        match message:
            case table.Bystanders():
                self._told(key, message, now)
                return None
            case table.Ticket(parent=parent) if parent != self.shared.me:
                at.send_on(key, message)
                return None
            case table.Ticket():
                beat = at.beat if at.watches and self.shared.passes_on else None
                self.passing.let_in(key, message, beat, at.key or b"")
                return None
            case table.Beat():
                if at.hear(key, message, len(self._match.ledger.log)):
                    if at.ticket is not None:
                        self._note_away(now, message.absent, message.vacant)
                    self.passing.beat(message)
                return None
            case table.Passed():
                self.passing.passed(key, message, at.key or b"")
                return None
            case table.Attend(match):
                why = Says.WATCH_AT_PLAYERS()
                self.shared.decline(key, match, Code.NO_TABLE, why)
                return None
            case _:
                return super().receive(key, message, now)

    def _told(self, key: bytes, message: table.Bystanders, now: float) -> None:
        """Take how things stand: whether this node may watch, and who is away."""
        begins, match = self.at.on_answer(key, message), self._match
        # Of one who only passes on it is not believed who is away.
        asked = key == self.at.key and self.at.ticket is None
        if asked and message.match == match.match:
            self._note_away(now, message.absent, message.vacant)
            if not self.at.watches:
                self.passing.close()
        self._begin(now, begins)

    @override
    def on_decline(self, key: bytes, decline: table.Decline, now: float) -> None:
        """Take the end of watching; the match stays to be looked at."""
        if self.passing.gone(key, self.at.key or b""):
            return
        if key not in (self.at.key, self.at.usher):
            super().on_decline(key, decline, now)
            return
        if self.at.put_off(key, decline):
            self._come_back(now)
            return
        why = heard(decline)
        self.at.end()
        self.passing.close()
        self._match.tell_away(())
        if not self._match.fold.over:
            self.stopped = why
            self.shared.tell(Says.WATCHING_ENDED(why=why), "error")

    @override
    def on_log(self, key: bytes, message: LogMessage, now: float) -> Change | None:
        ticket, feed = self.at.ticket, self.passing.children.get(key)
        if feed is not None and key not in self._match.others:
            if isinstance(message, Have):
                feed.have(self.shared, self._match, key, message)
            elif isinstance(message, Fork):
                self._match.show_fork(key, message, now)
            else:
                raise PeerError(Code.NOT_A_MEMBER, "a bystander")
            return None
        if ticket is not None and key == ticket.parent and self.at.watches:
            key = ticket.usher
        elif key == self.at.left and key not in self._match.others:
            return None
        change = super().on_log(key, message, now)
        handed = change is None and not self._match.watching
        if handed and ticket is not None and not self.shared.is_up(ticket.usher):
            self._match.link_down(ticket.usher, now)
        if handed:
            self.passing.close()
        return PlayOn(self._match) if handed else change

"""A table that another node forms: this one asked for a seat, or is called to it."""

from collections.abc import Iterable, Mapping
from math import inf
from typing import Final

from msgspec.structs import replace
from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint
from netplay.messages import table
from netplay.messages.door import Beginning, Choose, Consent, TableStatus
from netplay.messages.log import Have
from netplay.messages.types import Admission
from netplay.record.chance import ZERO
from netplay.said import Words
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.asked import AskedSeat, Unsaid, is_over
from netplay.table.chat import ChatRoom
from netplay.table.forming import SAID_SECONDS, left, next_second, time_runs
from netplay.table.host_terms import HostTerms
from netplay.table.shared import Shared, heard
from netplay.table.state import (
    AskToWatch,
    CallHost,
    Change,
    Gone,
    Reply,
    Sit,
    State,
    Wants,
)
from netplay.table.table_status import Eyes, show_guest
from netplay.wanted import Dial, PeerMessage

AGAIN_SECONDS: Final = 30.0
"""After which a match that has begun, and is not here, is asked for once more."""

UNASKED_SECONDS: Final = 2 * SAID_SECONDS
"""After the player's word the match must have begun: it holds for a minute, and may
come late."""


class Guest(State):
    """A seat at another's table; or a stranger calls, until the player says yes."""

    polled = True

    def __init__(self, shared: Shared, sit: Sit) -> None:
        """Sit down.

        Args:
            shared: What all tables of the node have in common.
            sit: Whose table it is, and how this node comes to it.
        """
        super().__init__(shared)
        self.answers.update({Consent: self._consent, Choose: self._choose})
        means = shared.means
        self.host: Final = sit.host
        self.seen: Final = HostTerms(
            means.signer, means.shelf, sit.host, wanted=sit.wanted, agreed=sit.agreed
        )
        self._sit = sit
        self._said = sit.said
        """When the player has said to be there; `inf`: at any time."""
        self._asked_ready = False
        self._ready_at = -inf
        """When the host was told so last."""
        self._held_off = b""
        """The match that has begun without that: it is fetched once it is said."""
        self._begun = b""
        """The match that has begun, while the disk here has no room for it."""
        self._asks_at: float | None = None
        """When the others are asked for that again."""
        self._begins: float | None = None
        self._told: frozenset[bytes] = frozenset()
        """Of whom the host has said where they are."""
        self._handed = sit.handed
        self._unasked = False
        """Somebody unknown was sat down with, and the player was not asked."""
        """The match in which a seat is offered, for one that is being played."""
        if sit.handed:
            self.seen.proposal = sit.proposal
        kept = shared.means.asked.seats.get(self.nonce)
        self._since: Final = shared.means.counted() if kept is None else kept.since
        self.offers: tuple[table.OpenTable, ...] = ()
        """What is open at the host, until the player has chosen."""

    # What a friend asks is kept, and so is what the player says to it.

    def _keep(self) -> None:
        """Keep the terms, and whether the player has said yes to them."""
        shared, seen, proposal = self.shared, self.seen, self.seen.proposal
        if not self._sit.kept or proposal is None:
            return
        yes = seen.wanted and not seen.changes
        place = proposal.terms.nonce, shared.at_table, self._since, self.host
        shared.keep_asked(AskedSeat(*place, proposal, yes))

    def _refuse(self) -> None:
        """Say no for good to a friend, who may be away and hears it later."""
        if not self._sit.kept:
            return
        if self.called:
            self._decline(Code.DECLINED, Says.NOT_NOW())
        means, seen = self.shared.means, self.seen.proposal
        revision = 0 if seen is None else seen.revision
        told = self.shared.is_up(self.host)
        means.asked.refuse(self.nonce, means.counted(), revision, told=told)
        if seen is not None and not told:
            place = self.nonce, means.counted(), self.host, seen.revision
            means.asked.part(Unsaid(*place, stopped=False))

    def answer_by_letter(self) -> table.Accept | table.Decline | None:
        """Return the yes, for a host who is away; None while there is none."""
        return next(iter(self.seen.answer()), None) if self.undelivered else None

    @property
    @override
    def undelivered(self) -> bool:
        """Whether the player has said yes and the host is not there to hear it."""
        yes = self._sit.kept and self.seen.accepted
        return yes and not self.shared.is_up(self.host)

    # What there is.

    @property
    def called(self) -> bool:
        """Whether somebody calls and the player has not said yes."""
        return not self.seen.wanted

    @property
    @override
    def mode(self) -> str:
        return "" if self.called else "joined"

    @property
    @override
    def busy(self) -> bool:
        return not self.called

    @property
    @override
    def nonce(self) -> bytes:
        return super().nonce or self._sit.table

    @property
    @override
    def match_name(self) -> bytes:
        return self._handed

    @override
    def asked(self, key: bytes) -> bool:
        return key == self.host and not self.nonce

    @override
    def repeats(self, call: CallHost | AskToWatch) -> bool:
        if self.nonce or not isinstance(call, CallHost) or self._sit.ask != call.seat:
            return False
        return self.host in self.shared.at(call.address)

    @property
    @override
    def terms(self) -> table.Terms | None:
        return None if self.seen.proposal is None else self.seen.proposal.terms

    @property
    @override
    def others(self) -> list[bytes]:
        if self.called:
            return []
        members = () if self.terms is None else self.terms.members
        keys = [*(member.key for member in members), self.host]
        return [key for key in dict.fromkeys(keys) if key != self.shared.me]

    @property
    @override
    def admission(self) -> Admission | None:
        return None if self.seen.proposal is None else self.seen.proposal.bystanders

    @override
    def dials(self) -> Iterable[Dial]:
        places: Mapping[bytes, str] = self.shared.places
        if not self.called and not self._unasked:
            yield Dial(places.get(self.host, ""), self.host)
            for key in self.others:
                if key in places and key != self.host:
                    yield Dial(places[key], key)

    @override
    def status(self, now: float) -> TableStatus | None:
        shown = show_guest(self.seen, Eyes.of(self.shared, now))
        if shown is None or not (self._asked_ready or self._begins):
            return shown
        stands = Beginning(asked=self._asked_ready, seconds=left(self._begins, now))
        return replace(shown, beginning=stands)

    # Life.

    @override
    def enter(self, now: float) -> Change | None:
        sit, shared = self._sit, self.shared
        if sit.ask is not None:
            shared.befriend((self.host,))
            shared.say((self.host,), table.Ask(sit.table, sit.ask))
        if sit.proposal is not None and not sit.handed:
            return self._on_proposal(sit.proposal)
        return None

    @override
    def close(self) -> None:
        if self.called and not self._sit.kept:
            self._decline(Code.DECLINED, Says.NOT_NOW())

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        if key == self.host:
            # A link may take the place of another that nobody has seen the end of;
            # what was asked for on that one will not come.
            self.seen.fetches.again()
            if not self.offers:
                seat = -1 if self.terms or self._sit.ask is None else self._sit.ask
                self.shared.say((key,), table.Ask(self.nonce, seat))
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        if key != self.host:
            return None
        if self.called and not self._sit.kept:
            return Gone()  # it calls no longer
        self.seen.fetches.again()
        return None

    @override
    def blocked(self, key: bytes) -> Change | None:
        if key != self.host and key not in self.others:
            return None
        self.shared.means.asked.drop(self.nonce)  # else it waits for the player here
        self._decline(Code.STOPPED, Says.LEFT_TABLE())
        return Gone()

    def _decline(self, code: Code, why: Words) -> None:
        """Say no to the host."""
        seen = self.seen.proposal
        revision = 0 if seen is None else seen.revision
        self.shared.decline(self.host, self.nonce, code, why, revision)

    @override
    def send(self, now: float) -> Change | None:
        self._answer(self.seen.answer_fetched())
        kept = self._sit.kept and not self.shared.is_up(self.host)
        if kept and is_over(self._since, self.shared.means.counted()):
            self.shared.means.asked.drop(self.nonce)
            self.seen.wanted = True  # nobody waits for an answer
            return Gone()
        return None

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        if key == self.host:
            match message:
                case table.Piece():
                    self.shared.say((key,), *self.seen.fetches.on_piece(message))
                    return None
                case table.Decline():
                    return self._declined(message)
                case table.Ready():
                    self._on_ready(message, now)
                    return None
                case table.Proposal():
                    return self._on_proposal(message)
                case table.OpenTables(tables):
                    if not self.called and not self.nonce:
                        self.offers = tables
                        self.show_open(key, tables)
                    return None
                case _:
                    pass
        return super().receive(key, message, now)

    def _declined(self, decline: table.Decline) -> Change:
        """Take it that the host does not want this node, or calls no longer."""
        name, called = self.shared.name_of(self.host), self.called
        self.shared.means.asked.drop(self.nonce)
        self.seen.wanted = True  # nobody waits for an answer
        if not called:
            # That a host has left its table is no fault.
            why = heard(decline)
            if why == Says.LEFT_TABLE():
                self.shared.tell(Says.HAS_LEFT_TABLE(name=name))
            else:
                self.shared.tell(Says.NO_SEAT(name=name, why=why), "error")
        return Gone()

    def _on_proposal(self, proposal: table.Proposal) -> Change | None:
        """Look at the host's terms."""
        key, shared, seen = self.host, self.shared, self.seen
        before, first = seen.changes, seen.proposal is None
        if proposal.terms.keepers and seen.proposal is None:
            known = shared.means.known
            named = [known.called(k) or fingerprint(k) for k in proposal.terms.keepers]
            names = ", ".join(map(shown_name, named))
            shared.tell(Says.KEEPERS_NAMED(names=names))
            far = [key for key in proposal.terms.keepers if not shared.is_up(key)]
            if far:
                some = ", ".join(
                    shown_name(known.called(k) or fingerprint(k)) for k in far
                )
                shared.tell(Says.KEEPERS_FAR(names=some), "warning")
        self._asked_ready, self._begins = False, None
        self._answer(seen.on_proposal(proposal))
        self._keep()
        if first and self._sit.ask is not None:
            shared.tell(Says.HOST_KNOWS(name=shared.known_as(key)))
        if seen.changes not in ((), before):
            shared.tell(Says.CHANGED_RULES(name=shared.known_as(key)), "warning")
        if not self.called:
            return self._join_in(proposal)
        if shared.first and shared.tone(key) != "warning" and seen.has_all:
            # Nobody has said yes to this host: it does not have others dialled.
            shared.first, self._unasked = False, True
            self._said = shared.spoken_for
            return self._agree()
        return None

    # A match in which time runs begins when all have said that they are there.

    @property
    @override
    def waits_for_ready(self) -> bool:
        return self._asked_ready

    def _answer(self, messages: Iterable[PeerMessage]) -> None:
        """Send the host an answer; with a yes goes that the player is there."""
        for message in messages:
            self.shared.say((self.host,), message)
            if isinstance(message, table.Accept):
                self._say_ready()

    def _say_ready(self) -> bool:
        """Tell the host that the player is there, as far as that was said lately."""
        seen, now = self.seen.proposal, self.shared.now
        if seen is None or not self.seen.accepted or not time_runs(seen.terms):
            return False
        lately = now - self._said < SAID_SECONDS  # also of who is spoken for: -inf
        if lately:
            self._asked_ready, self.shared.changed = False, True
            self.shared.say((self.host,), table.Ready(self.nonce, seen.revision, 0))
            self._ready_at = now
            if self._held_off:
                self.shared.say((self.host,), Have(self._held_off, 0, 0, ZERO))
                self._held_off = b""
        return lately

    def holds_off(self, match: bytes, terms: table.Terms, now: float) -> bool:
        """Tell whether a match has begun in which time runs, and nobody here was asked.

        It is as if this node were away, so that no time runs here: the player is asked.
        """
        # Who takes over a seat has said yes to a match that goes on: no host asks.
        at = self._said if self._handed else self._ready_at
        said = now < at + UNASKED_SECONDS
        if said or not time_runs(terms) or terms.nonce != self.nonce:
            self._begun, self._asks_at = match, now + AGAIN_SECONDS
            return False
        self._asks_at = None
        self._held_off, self.shared.changed = match, True
        self._asked_ready = not self._say_ready()
        return True

    def _on_ready(self, ready: table.Ready, now: float) -> None:
        """Ask the player, or count down with the host."""
        seen = self.seen.proposal
        if seen is None or ready.revision != seen.revision or not self.seen.accepted:
            return
        self.shared.changed = True
        self._begins = now + ready.seconds if ready.seconds else None
        self._asked_ready = not ready.seconds and not self._say_ready()

    @override
    def wants(self) -> Wants:
        if self._begins is None:
            return Wants(self._asks_at)
        due = next_second(self._begins, self.shared.now)
        return Wants(due if self._asks_at is None else min(due, self._asks_at))

    @override
    def wake(self, now: float) -> None:
        """Show another second of the countdown; ask again for what is not here."""
        if self._asks_at is not None and now >= self._asks_at:
            self._asks_at = now + AGAIN_SECONDS
            self.shared.say(self.others, Have(self._begun, 0, 0, ZERO))
        if self._begins is not None:
            self.shared.changed = True
            self._begins = None if now >= self._begins else self._begins

    # What the player says.

    def _choose(self, ask: Choose, _now: float) -> Reply:
        """Ask for a seat at one of the host's tables.

        Raises:
            LocalError: USAGE, there is no such table.
        """
        number = ask.number
        if not 0 <= number < len(self.offers):
            raise LocalError(Code.USAGE, Says.NO_SUCH_OFFER(count=len(self.offers)))
        chosen, self.offers = self.offers[number], ()
        self._sit = replace(self._sit, table=chosen.table)
        self._said = max(self._said, self.shared.now)
        self.shared.say((self.host,), table.Ask(chosen.table, -1))
        return Says.SEAT_ASKED(), None

    def _consent(self, ask: Consent, _now: float) -> Reply:
        """Accept or decline the proposal.

        Raises:
            LocalError: NO_TABLE or STALE.
        """
        proposal = self.seen.proposal
        if proposal is None:
            raise LocalError(Code.NO_TABLE, Says.NOTHING_PROPOSED())
        if ask.revision != proposal.revision:
            raise LocalError(Code.STALE, Says.TERMS_CHANGED())
        if ask.accept:
            self.shared.befriend((self.host,))
            self._unasked, self._said = False, max(self._said, self.shared.now)
            if self.seen.accepted:
                self._say_ready()
                return Says.ACCEPTED(), None
            return Says.ACCEPTED(), self._agree()
        if not self.called:
            self._decline(Code.DECLINED, Says.NOT_THESE_TERMS())
        self._refuse()
        return Says.DECLINED_TERMS(), Gone()

    def _agree(self) -> Change | None:
        """Sit down at the table that somebody calls to: the player says yes."""
        seen, shared = self.seen, self.shared
        assert seen.proposal is not None
        if self._handed:
            seen.wanted = True
            shared.say((self.host,), Have(self._handed, 0, 0, ZERO))
            return None  # the match takes the place of its terms when it comes
        self._answer(seen.agree())
        self._keep()
        return self._join_in(seen.proposal)

    def _join_in(self, proposal: table.Proposal) -> Change | None:
        """Look for the others of the table, and talk."""
        shared, terms = self.shared, proposal.terms
        shut = [m for m in terms.members if m.key in shared.means.known.blocked]
        if shut:
            why = Says.NOT_WITH_THESE()
            self._decline(Code.DECLINED, why)
            own = shared.means.known.own_name
            names = ", ".join(shown_name(own(one.key, one.name)) for one in shut)
            shared.tell(Says.NO_SEAT_BLOCKED(names=names), "error")
            return Gone()
        # Where the others are said to be is forgotten of who is here no more.
        places, keys = self.shared.places, [m.key for m in proposal.terms.members]
        for key in self._told - {*keys}:
            places.pop(key, None)
        told = dict(zip(keys, proposal.addresses, strict=False))
        told = {key: at for key, at in told.items() if at and key != self.shared.me}
        places.update(told)
        self._told = frozenset(told)
        if self.chat is None:
            self.chat = ChatRoom(shared, self, terms.nonce)
        self.chat.greet((self.host,))
        return None

    @override
    def leave(self) -> Reply:
        if not self._handed:  # its match may have begun there just now
            self.shared.leave(self.nonce, b"", self.others)
        self._refuse()
        return Says.TABLE_LEFT(), Gone()


# A host that is called, until it answers: then this node asks for a seat.


class Calling(State):
    """A call to a host."""

    def __init__(self, shared: Shared, call: CallHost) -> None:
        """Begin to call.

        Args:
            shared: What all tables of the node have in common.
            call: Whom, and for what.
        """
        super().__init__(shared)
        self.call: Final = call
        self._since: Final = shared.now
        """When the player has said to want to play."""

    @property
    @override
    def mode(self) -> str:
        return "calling"

    @property
    @override
    def address(self) -> str:
        return self.call.address

    @override
    def repeats(self, call: CallHost | AskToWatch) -> bool:
        return call == self.call

    @override
    def dials(self) -> Iterable[Dial]:
        yield Dial(self.call.address, None)

    @override
    def enter(self, now: float) -> Change | None:
        for key in self.shared.at(self.call.address)[:1]:
            return self._sit(key)
        return None

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        return self._sit(key) if key in self.shared.at(self.call.address) else None

    def _sit(self, key: bytes) -> Change:
        """Ask the host for a seat."""
        self.shared.places[key] = self.call.address
        place = self.call.seat, self.call.table
        return Sit(key, *place, said=self._since)

    @override
    def unreachable(self, dial: Dial) -> Change | None:
        return Gone() if dial.address == self.call.address else None

    @override
    def leave(self) -> Reply:
        return Says.TABLE_LEFT(), Gone()

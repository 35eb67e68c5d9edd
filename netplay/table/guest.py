"""A table that another node forms: this one asked for a seat, or is called to it."""

from collections.abc import Iterable, Mapping
from typing import Final

from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.messages.door import Consent, Question, TableStatus
from netplay.messages.log import Have, LogMessage
from netplay.messages.table import Ask, Decline, Piece, Proposal, Terms
from netplay.messages.types import Admission
from netplay.record.chance import ZERO
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.changes import Change, Gone, Sit
from netplay.table.chat_room import ChatRoom
from netplay.table.declining import heard
from netplay.table.host_terms import HostTerms
from netplay.table.shared import Shared
from netplay.table.state import Reply, State
from netplay.table.table_status import Eyes, show_guest
from netplay.table.unopened import Offered
from netplay.wanted import Dial, PeerMessage


class Guest(State):
    """A seat at another's table; or a stranger calls, until the player says yes."""

    in_hand = True

    def __init__(self, shared: Shared, sit: Sit) -> None:
        """Sit down.

        Args:
            shared: What all tables of the node have in common.
            sit: Whose table it is, and how this node comes to it.
        """
        super().__init__(shared)
        means = shared.means
        self.host: Final = sit.host
        self.seen: Final = HostTerms(
            means.signer, means.shelf, sit.host, wanted=sit.wanted, agreed=sit.agreed
        )
        self._sit = sit
        self._told: frozenset[bytes] = frozenset()
        """Of whom the host has said where they are."""
        self._handed = sit.handed
        """The match in which a seat is offered, for one that is being played."""
        if sit.handed:
            self.seen.proposal = sit.proposal

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
    def terms(self) -> Terms | None:
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
        if not self.called:
            yield Dial(places.get(self.host, ""), self.host)
            for key in self.others:
                if key in places and key != self.host:
                    yield Dial(places[key], key)

    @override
    def status(self, now: float) -> TableStatus | None:
        return show_guest(self.seen, Eyes.of(self.shared, now))

    # Life.

    @override
    def enter(self, now: float) -> Change | None:
        sit, shared = self._sit, self.shared
        if sit.ask is not None:
            shared.befriend((self.host,))
            shared.say((self.host,), Ask(sit.ask))
        if sit.proposal is not None and not sit.handed:
            return self.on_proposal(self.host, sit.proposal)
        return None

    @override
    def close(self) -> None:
        if self.called:
            self.shared.decline(self.host, Code.DECLINED, Says.NOT_NOW())

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        if key == self.host:
            # A link may take the place of another that nobody has seen the end of;
            # what was asked for on that one will not come.
            self.seen.fetches.again()
            self.shared.say((key,), Ask(-1))
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        if key != self.host:
            return None
        if self.called:
            return Gone()  # it calls no longer
        self.seen.fetches.again()
        return None

    @override
    def blocked(self, key: bytes) -> Change | None:
        if key not in self.others:
            return None
        self.shared.decline(self.host, Code.STOPPED, Says.LEFT_TABLE())
        return Gone()

    @override
    def send(self, now: float) -> Change | None:
        self.shared.say((self.host,), *self.seen.answer_fetched())
        return None

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        if key == self.host:
            match message:
                case Piece():
                    self.shared.say((key,), *self.seen.fetches.take(message))
                    return None
                case Decline():
                    return self._declined(message)
                case _:
                    pass
        return super().receive(key, message, now)

    def _declined(self, decline: Decline) -> Change:
        """Take it that the host does not want this node, or calls no longer."""
        name, called = self.shared.name_of(self.host), self.called
        self.seen.wanted = True  # nobody waits for an answer
        if not called:
            why = Says.NO_SEAT(name=name, why=heard(decline))
            self.shared.tell(why, "error")
        return Gone()

    @override
    def on_proposal(self, key: bytes, proposal: Proposal) -> Change | None:
        if key != self.host:
            return super().on_proposal(key, proposal)
        shared, seen = self.shared, self.seen
        before = seen.changes
        shared.say((key,), *seen.take(proposal))
        if seen.changes not in ((), before):
            shared.tell(Says.CHANGED_RULES(name=shared.known_as(key)), "warning")
        if not self.called:
            return self._join_in(proposal)
        if shared.first and shared.tone(key) != "warning" and seen.has_all:
            shared.first = False
            return self._agree()
        return None

    @override
    def on_log(self, key: bytes, message: LogMessage, now: float) -> Change | None:
        if self.busy and key != self.host:
            return None
        return self.open_for(key, message)

    @override
    def is_host(self, key: bytes) -> bool:
        return key == self.host

    @override
    def offered(self, key: bytes, seat: Offered) -> Change | None:
        if key != self.host:
            return super().offered(key, seat)
        self._handed, self.seen.proposal = seat.match, seat.proposal
        return None

    # What the player says.

    @override
    def ask(self, question: Question, now: float) -> Reply:
        if isinstance(question, Consent):
            return self._consent(question)
        return super().ask(question, now)

    def _consent(self, ask: Consent) -> Reply:
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
            return Says.ACCEPTED(), self._agree()
        if not self.called:
            self.shared.decline(
                self.host, Code.DECLINED, Says.NOT_THESE_TERMS(), ask.revision
            )
        return Says.DECLINED_TERMS(), Gone()

    def _agree(self) -> Change | None:
        """Sit down at the table that somebody calls to: the player says yes."""
        seen, shared = self.seen, self.shared
        assert seen.proposal is not None
        if self._handed:
            seen.wanted = True
            shared.say((self.host,), Have(self._handed, 0, 0, ZERO))
            return Gone()
        shared.say((self.host,), *seen.agree())
        return self._join_in(seen.proposal)

    def _join_in(self, proposal: Proposal) -> Change | None:
        """Look for the others of the table, and talk."""
        shared, terms = self.shared, proposal.terms
        shut = [m for m in terms.members if m.key in shared.means.known.blocked]
        if shut:
            why = Says.NOT_WITH_THESE()
            shared.decline(self.host, Code.DECLINED, why, proposal.revision)
            names = ", ".join(shown_name(member.name) for member in shut)
            shared.tell(Says.NO_SEAT_BLOCKED(names=names), "error")
            return Gone()
        self._note_places(proposal)
        if self.chat is None or self.chat.nonce != terms.nonce:
            self.chat = ChatRoom(shared, self, terms.nonce)
        self.chat.greet((self.host,))
        return None

    def _note_places(self, proposal: Proposal) -> None:
        """Note where the others are said to be; forget it of who is here no more."""
        places, keys = self.shared.places, [m.key for m in proposal.terms.members]
        for key in self._told - {*keys}:
            places.pop(key, None)
        told = dict(zip(keys, proposal.addresses, strict=False))
        told = {key: at for key, at in told.items() if at and key != self.shared.me}
        places.update(told)
        self._told = frozenset(told)

    @override
    def leave(self) -> Reply:
        for key in self.others:
            self.shared.decline(key, Code.STOPPED, Says.LEFT_TABLE())
        return Says.TABLE_LEFT(), Gone()

"""Who takes part in a match: its members, its host, and who plays which seat."""

from netplay.errors import Code, PeerError
from netplay.messages.log import Hand, LogBody, Term
from netplay.messages.table import Member, Terms
from netplay.messages.types import SEATS
from netplay.record.log import Line, hand_data, match_of, term_data
from netplay.record.masked import MaskedBag
from netplay.record.votes import check_votes, elects
from netplay.sanitize import shown_name


class Seating:
    """The members and the seats of a match, as its log tells."""

    def __init__(self, terms: Terms, bag: MaskedBag | None) -> None:
        """Begin as the terms say.

        Args:
            terms: What all have agreed to.
            bag: An encrypted one, which has to know who holds a seat.
        """
        self.terms = terms
        self.match = match_of(terms)
        self.bag = bag
        self.members = [Member(m.key, shown_name(m.name)) for m in terms.members]
        """Those who play, by the names that are shown of them."""
        self.keys = frozenset(member.key for member in terms.members)
        """The members'."""
        self.host = terms.members[0].key
        self.holders = [terms.members[seat.member].key for seat in terms.seats]
        self.names = [shown_name(seat.name) for seat in terms.seats]
        """Those of the seats, as they are shown."""
        self.resigned: frozenset[int] = frozenset()
        self.handed = 0
        self.constitutions: list[tuple[int, frozenset[bytes]]] = []
        """Since how many entries who are the electors."""
        self._choose()
        self._constitute(0)

    def _choose(self) -> None:
        """Note who has a say, after something of that has changed.

        Electors are those who play a seat that has not resigned; they and the host
        are required: they take part in chance.
        """
        seats = range(len(self.holders))
        self.electors = frozenset(
            self.holders[seat] for seat in seats if seat not in self.resigned
        )
        self.required = self.electors | {self.host}

    def _constitute(self, number: int) -> None:
        """Note since how many entries who has a say, if that is news."""
        if self.constitutions and self.constitutions[-1][1] == self.electors:
            return
        self.constitutions.append((number, self.electors))
        if self.bag is not None:
            keys = (member.key for member in self.members)
            holders = tuple(key for key in keys if key in self.electors)
            self.bag.seat(holders, max(0, number - 1))

    def seats_of(self, key: bytes) -> list[int]:
        """Return the seats that a member plays."""
        return [seat for seat, holder in enumerate(self.holders) if holder == key]

    def host_after(self, body: LogBody) -> bytes:
        """Return who is host once a body is in the log.

        Raises:
            PeerError: UNEXPECTED, it names nobody.
        """
        match body:
            case Term(host=number) if number < len(self.members):
                return self.members[number].key
            case Term():
                raise PeerError(Code.UNEXPECTED, "a term without a host")
            case _:
                return self.host

    def _check_seat(self, author: bytes, seat: int) -> None:
        """Check that a seat exists and is the author's."""
        if seat >= len(self.holders) or self.holders[seat] != author:
            raise PeerError(Code.NOT_A_MEMBER, f"seat {seat} is another's")

    def _term(self, line: Line, body: Term) -> None:
        """Follow another host, whom a quorum has chosen."""
        entry, host = line.entry, self.host_after(body)
        data = term_data(self.match, entry.term, host, entry.number, entry.prev)
        voters = check_votes(self.members, body.signatures, data)
        if entry.author != host or not elects(self, host, voters):
            raise PeerError(Code.TERM, "no quorum")
        self.host = host
        self._choose()

    def may_pass(self, seat: int, key: bytes) -> bool:
        """Tell whether a player could read the tiles of a seat that passes to it."""
        old = self.holders[seat]
        return self.bag is None or self.bag.may_pass(self.holders, old, key)

    def _hand(self, author: bytes, body: Hand) -> None:
        """Let a seat pass to another player, by consent of the others."""
        known = body.key in self.keys
        if body.seat >= len(self.holders) or body.seat in self.resigned:
            raise PeerError(Code.UNEXPECTED, "a seat that nobody plays")
        if author != self.host or (not known and len(self.members) == SEATS):
            raise PeerError(Code.UNEXPECTED, "a seat handed over")
        if not self.may_pass(body.seat, body.key):
            raise PeerError(Code.UNEXPECTED, "a seat whose tiles nobody could read")
        old = self.holders[body.seat]
        data = hand_data(self.match, body.seat, body.key, body.name, self.handed)
        voters = check_votes(self.members, body.signatures, data)
        if not voters >= (self.electors - {old}) | {self.host}:
            raise PeerError(Code.NOT_A_MEMBER, "not all the others agree")
        if not known:
            self.members.append(Member(body.key, shown_name(body.name)))
            self.keys |= {body.key}
        self.holders[body.seat] = body.key
        self.names[body.seat] = shown_name(body.name)
        self.handed += 1
        self._choose()

"""A table that a host is forming: its chairs, the terms, who has accepted them."""

from collections.abc import Callable, Iterable, Sequence
from ipaddress import ip_address
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import CHARACTERS, fingerprint, folded
from netplay.limits import BROWSER_SEATS
from netplay.messages.door import HostTable
from netplay.messages.table import (
    Accept,
    Days,
    Member,
    Proposal,
    SeatKind,
    SeatTerms,
    Terms,
    fair_rules,
)
from netplay.messages.table_questions import AskedState
from netplay.messages.types import SEATS, Admission
from netplay.peering import invitation
from netplay.peering.address import Address, parse
from netplay.peering.peers import KnownPeers
from netplay.rate import network
from netplay.record.log import Signer, check_signature, match_of, terms_data
from netplay.record.playable import playable
from netplay.said import Words, brief
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.asked import AskedTable, Seated
from netplay.table.chosen_options import (
    Chair,
    Drawing,
    again,
    chosen_options,
    described,
    drawing,
    is_apart,
    named,
    read_chair,
    typed_options,
)
from netplay.wire import pack, unpack
from rules import GAMES

# For whom a host keeps a seat: the address it was given says who may take it.
#
# An invitation or a fingerprint names a key, and so does an address at which a key is
# trusted: that key has the seat, from wherever it comes, and no other. An address at
# which nobody has answered yet names no key: the seat is for who answers there when it
# is called, or who comes from that host - through whatever port its router has chosen.


_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567-")


def is_fingerprint(text: str) -> bool:
    """Tell whether a text is a fingerprint, which may stand where an address may."""
    letters = text.upper()
    return len(letters.replace("-", "")) == CHARACTERS and _LETTERS.issuperset(letters)


def may_take(wanted: str, key: bytes, came_from: str, known: KnownPeers) -> bool:
    """Tell whether a seat is kept for a peer.

    Args:
        wanted: What the host gave as its address.
        key: Of the peer.
        came_from: The address that was dialled, or the host and port it came from.
        known: Which key is trusted where.
    """
    if is_fingerprint(wanted):
        return folded(wanted) == folded(fingerprint(key))
    try:
        if invitation.is_invitation(wanted):
            return invitation.read(wanted).fits(key)
    except LocalError:
        return False
    pinned = known.pinned(wanted)
    if pinned is not None:
        return key == pinned
    return bool(wanted) and (wanted == came_from or _same_host(wanted, came_from))


def known_key(wanted: str, known: KnownPeers) -> bytes | None:
    """Return the key that a seat is kept for, if it is that of a node once met."""
    if is_fingerprint(wanted):
        return known.with_fingerprint(wanted)
    try:
        if invitation.is_invitation(wanted):
            return known.with_fingerprint(invitation.read(wanted).fingerprint)
    except LocalError:
        return None
    return known.pinned(wanted)


def is_for_one(wanted: str, known: KnownPeers) -> bool:
    """Tell whether a seat is kept for one node: it was met, or an invitation names it.

    Who was invited by a key need not have been met: nobody else can take the seat.
    """
    if known_key(wanted, known) is not None:
        return True
    try:
        return invitation.is_invitation(wanted) and bool(invitation.read(wanted))
    except LocalError:
        return False


def told_as(wanted: str, known: KnownPeers) -> Words:
    """Return whom an address means, as a player is told of it.

    An invitation and a fingerprint are lines for programs: a friend is called by name.
    What somebody has typed as the name of a computer stays as it was typed.
    """
    place, _space, comment = wanted.strip().partition(" ")
    key = known_key(place, known)
    name = "" if key is None else known.called(key)
    if name:
        return shown_name(name)
    if invitation.is_invitation(place) or is_fingerprint(place):
        return shown_name(comment) or Says.WHOEVER_INVITED()
    return brief(wanted)


def _same_host(one: str, other: str) -> bool:
    """Tell whether two addresses are of one host, each given by its number."""
    first, second = _read(one), _read(other)
    if first is None or second is None:
        return False
    return network(first.host) == network(second.host)


def _read(text: str) -> Address | None:
    """Return an address whose host is a number, else None."""
    try:
        address = parse(text)
        ip_address(address.host.partition("%")[0])
    except (LocalError, ValueError):
        return None
    return address


class _Plan(Struct, frozen=True):
    """What the terms say besides who plays."""

    game: str
    rules: int
    options: bytes
    edition: bytes
    lexicon: bytes
    drawing: Drawing
    days: Days


def _plan(table: HostTable) -> _Plan:
    """Return what a host wants to play.

    Raises:
        LocalError: USAGE, BAD_EDITION or BAD_WORDS.
    """
    game = GAMES.get(table.game)
    if game is None:
        names = ", ".join(GAMES)
        raise LocalError(Code.USAGE, Says.NO_GAME(game=table.game, names=names))
    options = chosen_options(game, table.options, table.edition, table.words)
    digests = game.ABOUT.digests(options)
    return _Plan(
        table.game,
        game.ABOUT.version,
        pack(options),
        bytes.fromhex(digests.get("edition", "")),
        bytes.fromhex(digests.get("lexicon", "")),
        Drawing(),
        table.days,
    )


class Forming:
    """A table before its match, at the host."""

    def __init__(
        self,
        signer: Signer,
        name: str,
        table: HostTable,
        nonce: bytes,
        known: KnownPeers | None = None,
    ) -> None:
        """Open the table.

        Args:
            signer: The host's key.
            name: The host's player.
            table: What the user wants.
            nonce: Random; names the table.
            known: Who is trusted where; nobody if None.

        Raises:
            LocalError: It cannot be played so.
        """
        self.signer = signer
        self._name: Final = name or "Host"
        self.nonce: Final = nonce
        self.known: Final = known or KnownPeers(None)
        """Who is trusted where, and what everybody is called."""
        self.removed: Final[set[bytes]] = set()
        """Whose seats the host has freed: nobody but the host lets them in again."""
        self.turned_away: Final[set[bytes]] = set()
        """Who has asked while the free seats were kept for others."""
        self.revision = 0
        self.chairs: tuple[Chair, ...] = ()
        self.accepted: dict[bytes, bytes] = {}
        self.addresses: dict[bytes, str] = {}
        self.bystanders: Admission = table.bystanders
        """Who may watch."""
        self.begins = False
        """Start as soon as everybody has accepted: a rematch on the same terms."""
        self.invited = False
        """It was opened by itself, for whoever came by an invitation."""
        self.again = b""
        """The match that is to be played once more, empty for none."""
        self.told: dict[bytes, int] = {}
        """Guest -> the revision of the terms that its node has been sent."""
        self.left: dict[bytes, int] = {}
        """The same of guests who are away, for whom somebody keeps them."""
        self.keepers: tuple[bytes, ...] = ()
        """Who is to be believed about when letters were left, where turns have days."""
        self._options = table.options
        self._plan = self._set(table)

    @property
    def drawing(self) -> Drawing:
        """How tiles are drawn."""
        return self._plan.drawing

    @property
    def wish(self) -> HostTable:
        """The table as it is now, as a host would ask for it."""
        plan = self._plan
        files = plan.edition.hex(), plan.lexicon.hex()
        seats, who = tuple(map(described, self.chairs)), self.bystanders
        place = plan.game, seats, self._options, *files, who
        return HostTable(*place, plan.drawing.wished, plan.days)

    def go_on(self, kept: AskedTable) -> None:
        """Be what the table was when the node ended."""
        for one in kept.seated:
            if one.seat < len(self.chairs) and self.chairs[one.seat].kind == "remote":
                chair = self.chairs[one.seat]
                self._put(one.seat, replace(chair, key=one.key, name=one.name))
                self.told[one.key] = one.told
        for seat in kept.declined:
            if seat < len(self.chairs) and self.chairs[seat].kind == "remote":
                self._put(seat, replace(self.chairs[seat], calls=False))
        self.revision, self.keepers = kept.revision, kept.keepers
        self.begins, self.again = kept.begins, kept.again

    def seated(self) -> tuple[Seated, ...]:
        """Return who sits at the table, for the disk."""
        chairs = enumerate(self.chairs)
        return tuple(
            Seated(seat, chair.key, chair.name, self.told.get(chair.key, -1))
            for seat, chair in chairs
            if chair.key is not None
        )

    def asked(self, number: int) -> AskedState:
        """Return how far somebody was asked for whom a chair is kept."""
        chair = self.chairs[number]
        if chair.kind != "remote" or chair.key in self.accepted:
            return ""
        if chair.key is None and chair.address and not chair.calls:
            return "full" if chair.full else "declined"
        if chair.key is not None and self.told.get(chair.key) == self.revision:
            return "unanswered"
        if chair.key is not None and self.left.get(chair.key) == self.revision:
            return "left"
        return "undelivered" if chair.address else ""

    @classmethod
    def rematch(
        cls,
        signer: Signer,
        name: str,
        terms: Terms,
        chairs: tuple[Chair, ...],
        nonce: bytes,
        known: KnownPeers | None = None,
    ) -> Self:
        """Return a table on the terms of a match that was played, with other chairs."""
        wish = HostTable(terms.game, ("person",) * len(chairs), (), "", "")
        table = cls(signer, name, wish, nonce, known)
        table._options = typed_options(GAMES[terms.game], terms.options)
        table._plan = _Plan(
            terms.game,
            terms.version,
            terms.options,
            terms.edition,
            terms.lexicon,
            again(terms.fairness, chairs),
            terms.days,
        )
        table.chairs, table.begins, table.again = chairs, True, match_of(terms)
        table.keepers = terms.keepers
        playable(table.terms()).start()
        return table

    def _set(self, table: HostTable) -> _Plan:
        """Take a user's wishes; remote chairs keep who sits in them."""
        chairs = named(self._carried(table.seats), self._name)
        guests = sum(chair.kind == "browser" for chair in chairs)
        if guests > BROWSER_SEATS:
            raise LocalError(Code.USAGE, Says.BROWSER_SEATS(count=BROWSER_SEATS))
        if not 1 <= len(chairs) <= SEATS:
            raise LocalError(Code.USAGE, Says.SEATS_RANGE(count=SEATS))
        plan = _plan(table)
        about = GAMES[plan.game].ABOUT
        if (
            about.hinted is not None
            and any(chair.kind == "remote" for chair in chairs)
            and about.hinted.hints(unpack(plan.options, about.options))
        ):  # where somebody plays from elsewhere (source document, Hint)
            raise LocalError(Code.USAGE, Says.HINTS_NOT_ALLOWED())
        # Refuse days to think where nobody is waited for, or there are no turns
        if plan.days and (about.hz or not is_apart(chairs)):
            raise LocalError(Code.USAGE, Says.NO_DAYS_HERE())
        before = [chair for chair in self.chairs if chair.key is not None]
        self._plan, self.chairs = plan, chairs
        try:
            game = playable(self.terms())
            game.start()
        except PeerError as error:
            raise LocalError(Code.USAGE, error.detail or error.said) from error
        how = drawing(table.fairness, game, chairs)
        self._plan = plan = replace(plan, drawing=how)
        for guest in before:
            # Its old chair, the one kept for it, or the first that suits
            assert guest.key is not None
            came_from = self.addresses.get(guest.key, "")
            same = [n for n in self.free() if self.chairs[n].address == guest.address]
            for number in [*same, *self.seats_for(guest.key, came_from)][:1]:
                chair = self.chairs[number]
                self._put(number, replace(chair, name=guest.name, key=guest.key))
        return plan

    def _carried(self, seats: Sequence[str]) -> list[Chair]:
        """Return the chairs a user described; programs and guests stay where they were.

        Raises:
            LocalError: USAGE, a chair is none, or nobody has said where a program lies.
        """
        chairs = [read_chair(text) for text in seats]
        for number, chair in enumerate(chairs):
            if chair.kind == "program" and not chair.program:
                path = self.chairs[number].program if number < len(self.chairs) else ""
                if not path:
                    raise LocalError(Code.USAGE, Says.PROGRAM_NO_PATH())
                chairs[number] = replace(chair, program=path)
            elif chair.kind == "remote" and number < len(self.chairs):
                before = self.chairs[number]
                if before.key is None and before.address == chair.address:
                    chairs[number] = replace(
                        chair, calls=before.calls, full=before.full
                    )
            elif chair.kind == "browser" and number < len(self.chairs):
                before = self.chairs[number]
                name = before.name if before.kind == "browser" else chair.name
                chairs[number] = replace(chair, name=name)
        return chairs

    def change(self, table: HostTable) -> None:
        """Replace the terms; everybody must accept again.

        Raises:
            LocalError: It cannot be played so; nothing has changed.
        """
        old = self._plan, self.chairs
        try:
            self._set(table)
        except LocalError:
            self._plan, self.chairs = old
            raise
        self.bystanders, self.begins = table.bystanders, False
        self._options = table.options
        self._changed()

    def name(self, number: int, name: str) -> None:
        """Let the guest in a browser who has a chair have a name, or free it.

        Args:
            number: Of the chair.
            name: Empty where nobody sits there any more.

        Raises:
            LocalError: USAGE, it is no browser's, somebody is called so, or the guest
                has a name already.
        """
        chair = self.chairs[number] if number < len(self.chairs) else None
        if chair is None or chair.kind != "browser" or (name and chair.name):
            raise LocalError(Code.USAGE, Says.NO_BROWSER_SEAT())
        if name and name in {other.name for other in self.chairs}:
            raise LocalError(Code.USAGE, Says.NAME_IN_USE(name=name))
        if name != chair.name:
            self._put(number, replace(chair, name=name))
            self.begins = False
            self._changed()

    def admit(self, bystanders: Admission) -> None:
        """Choose who may watch; everybody must accept again."""
        self.bystanders = bystanders
        self._changed()

    def _changed(self) -> None:
        """Begin a new revision."""
        self.revision += 1
        self.accepted.clear()

    def _put(self, number: int, chair: Chair) -> None:
        """Replace a chair."""
        self.chairs = (*self.chairs[:number], chair, *self.chairs[number + 1 :])

    def free(self) -> list[int]:
        """Return the remote chairs that nobody has taken."""
        chairs = enumerate(self.chairs)
        return [n for n, chair in chairs if chair.kind == "remote" and not chair.key]

    def kept_for(self, key: bytes, came_from: str) -> list[int]:
        """Return the free chairs that are kept for a peer.

        Args:
            key: Its key.
            came_from: The address at which it was called, or came from.
        """
        return [
            n
            for n in self.free()
            if may_take(self.chairs[n].address, key, came_from, self.known)
        ]

    def called(self, key: bytes, came_from: str) -> list[int]:
        """Return those to which it is called: not where it has said no."""
        return [n for n in self.kept_for(key, came_from) if self.chairs[n].calls]

    def seats_for(self, key: bytes, came_from: str) -> list[int]:
        """Return the free chairs that a peer may take, first what is kept for it."""
        anybodys = [n for n in self.free() if not self.chairs[n].address]
        return [*self.kept_for(key, came_from), *anybodys]

    def call(self, address: str, seat: int) -> None:
        """Note whom to call to a free remote chair.

        Raises:
            LocalError: TABLE_FULL, there is no such chair.
        """
        chairs = enumerate(self.chairs)
        if any(c.key and c.address == address and seat in {-1, n} for n, c in chairs):
            return  # a friend who is awake sits there as soon as the chair is theirs
        wanted = [n for n in self.free() if seat in {-1, n}]
        blank = [n for n in wanted if not self.chairs[n].address]
        if not wanted:
            raise LocalError(Code.TABLE_FULL)
        same = [n for n in wanted if self.chairs[n].address == address]
        number = (same or blank or wanted)[0]
        chair = replace(self.chairs[number], address=address, calls=True)
        self._put(number, chair)
        self.turned_away.clear()

    def seat(self, key: bytes, name: str, number: int) -> None:
        """Give a peer a chair."""
        chair = self.chairs[number]
        name = name or f"Guest {number + 1}"
        self._put(number, replace(chair, key=key, name=name, calls=True))
        self.removed.discard(key)
        self._changed()

    def unseat(self, key: bytes, *, full: bool) -> None:
        """Free the chairs of a peer who does not play.

        What was kept for it stays so, or a stranger would be the first to come; it is
        called no more by itself.

        Args:
            key: Of the peer.
            full: Its node has no room for more, and its player was not asked.
        """
        self._free(
            key, lambda chair: replace(chair, key=None, name="", calls=False, full=full)
        )

    def remove(self, key: bytes) -> None:
        """Free the chairs of a peer whom the host does not want: they are anybody's."""
        self._free(key, lambda chair: Chair("remote", "", comment=chair.comment))
        self.removed.add(key)

    def _free(self, key: bytes, freed: Callable[[Chair], Chair]) -> None:
        """Free the chairs of a peer."""
        self.begins = False
        for number, chair in enumerate(self.chairs):
            if chair.key == key:
                self._put(number, freed(chair))
                self._changed()

    @property
    def guests(self) -> list[bytes]:
        """The peers at the table, in the order of their seats."""
        keys = (chair.key for chair in self.chairs)
        return list(dict.fromkeys(key for key in keys if key is not None))

    @property
    def here(self) -> bool:
        """Whether several persons play here, and nobody elsewhere.

        Such a match may be handed on as a file, from person to person.
        """
        kinds = [chair.kind for chair in self.chairs]
        return kinds.count("person") > 1 and "remote" not in kinds

    @property
    def complete(self) -> bool:
        """Whether every seat is taken."""
        chairs = self.chairs
        named = all(chair.name for chair in chairs if chair.kind == "browser")
        return named and not self.free()

    @property
    def agreed(self) -> bool:
        """Whether everybody has accepted the terms as they stand."""
        return self.complete and set(self.accepted) >= set(self.guests)

    def terms(self) -> Terms:
        """Return the terms as they stand."""
        keys = [self.signer.key, *self.guests]
        names = {chair.key: chair.name for chair in self.chairs}
        members = [Member(key, names.get(key, self._name)) for key in keys]
        plan = self._plan
        return Terms(
            plan.game,
            fair_rules(plan.rules, plan.drawing.fairness),
            plan.options,
            plan.edition,
            plan.lexicon,
            (Member(self.signer.key, self._name), *members[1:]),
            tuple(_seat_terms(chair, keys) for chair in self.chairs),
            self.nonce,
            plan.days,
            tuple(key for key in self.keepers if key not in keys) if plan.days else (),
        )

    def proposal(self) -> Proposal:
        """Return the terms as they are sent."""
        places = ["", *(self.addresses.get(key, "") for key in self.guests)]
        terms, who = self.terms(), self.bystanders
        return Proposal(self.revision, terms, tuple(places), who, self.again)

    def accept(self, key: bytes, accept: Accept) -> bool:
        """Take a peer's agreement; return False if the terms have changed since.

        Raises:
            PeerError: NOT_A_MEMBER, BAD_SIGNATURE, or UNEXPECTED.
        """
        if key not in self.guests:
            raise PeerError(Code.NOT_A_MEMBER)
        if accept.revision != self.revision:
            return False
        if not self.complete:
            raise PeerError(Code.UNEXPECTED, "the terms are not complete")
        check_signature(key, accept.signature, terms_data(self.terms()))
        self.accepted[key] = accept.signature
        return True

    def signatures(self) -> tuple[bytes, ...]:
        """Return everybody's signatures under the terms, in the order of members.

        Raises:
            LocalError: Somebody has not accepted yet.
        """
        if not self.agreed:
            raise LocalError(Code.USAGE, Says.NOT_ALL_ACCEPTED())
        own = self.signer.sign(terms_data(self.terms()))
        return (own, *(self.accepted[key] for key in self.guests))


def _seat_terms(chair: Chair, keys: Sequence[bytes]) -> SeatTerms:
    """Return a chair as the terms have it."""
    member = 0 if chair.key is None else keys.index(chair.key)
    if chair.kind == "computer" or chair.kind == "program":  # noqa: PLR1714 (a type checker sees no set)
        return SeatTerms(chair.kind, chair.name, member, chair.skill)
    kind: SeatKind = "browser" if chair.kind == "browser" else "person"
    return SeatTerms(kind, chair.name, member, 0)


# Whether all persons are there when a match begins in which time runs.
#
# A host asks them once it wants to begin, and counts down when all have said so within
# the last minute.  Nobody loses a game that began while they looked elsewhere.


SAID_SECONDS: Final = 60.0
"""For which it holds that somebody has said to be there."""


def time_runs(terms: Terms) -> bool:
    """Tell whether time runs in a match on such terms: in real time, or by clocks.

    Where a turn has days nobody need be there.
    """
    game = GAMES.get(terms.game)
    if game is None or terms.days:
        return False
    about = game.ABOUT
    if about.hz or about.clocked is None:
        return bool(about.hz)
    options, clocked = unpack(terms.options, about.options), about.clocked
    return bool(clocked.turn_minutes(options) or clocked.match_minutes(options))


class Readiness:
    """Who has said to be there, at the host of a table."""

    def __init__(self) -> None:
        """Begin: nobody has."""
        self._said: Final[dict[bytes, tuple[int, float]]] = {}
        """Guest -> the revision of the terms, and when it was said."""
        self._in_browsers: Final[dict[int, float]] = {}
        """Seat here -> when its guest said so."""
        self._wanted: tuple[int, float] | None = None
        """The revision that the host wants to play, and since when."""
        self._count = 0
        self._begins: float | None = None

    def hear(self, key: bytes, revision: int, now: float) -> None:
        """Note that a guest's player is there."""
        self._said[key] = revision, now

    def gone_away(self, key: bytes) -> None:
        """Note that a guest is away: nothing begins without it."""
        self._said.pop(key, None)
        self._begins = None

    def sit(self, seat: int, now: float) -> None:
        """Note that a guest in a browser here is there."""
        self._in_browsers[seat] = now

    def rise(self, *seats: int) -> None:
        """Note that guests in browsers are away, or have read other rules."""
        for seat in seats:
            self._in_browsers.pop(seat, None)
        self._begins = None

    def not_sitting(self, seats: Iterable[int], now: float) -> list[int]:
        """Return the seats in browsers whose guests have not said so lately."""
        since, said = now - SAID_SECONDS, self._in_browsers
        return [seat for seat in seats if said.get(seat, since) <= since]

    def lacking(
        self, guests: Iterable[bytes], revision: int, now: float
    ) -> list[bytes]:
        """Return the guests who have not said so of these terms in the last minute."""
        since = now - SAID_SECONDS

        def holds(key: bytes) -> bool:
            of, at = self._said.get(key, (-1, since))
            return of == revision and at > since

        return [key for key in guests if not holds(key)]

    def want(self, revision: int, count: int, now: float) -> None:
        """Note that the host's player wants to begin, and is there.

        Args:
            revision: Of the terms.
            count: Seconds to count down once all are there.
            now: When that is.
        """
        # Who says it again while it counts does not put the beginning off.
        if self._wanted is None or self._wanted[0] != revision:
            self._begins = None
        self._wanted, self._count = (revision, now), count

    def wanted(self, revision: int, now: float) -> bool:
        """Tell whether the host has said lately that it wants to begin these terms."""
        return (
            self._wanted is not None
            and self._wanted[0] == revision
            and now - self._wanted[1] < SAID_SECONDS
        )

    def go(self, now: float) -> int:
        """Begin to count down, as all are there; return how many seconds are left."""
        if self._begins is None:
            self._begins = now + self._count
        return self._count

    def due(self) -> float | None:
        """Return when the match begins, None while nothing is counted."""
        return self._begins

    def stop(self, revision: int) -> None:
        """Count no more where the terms are others than those that were wanted."""
        if self._wanted is not None and self._wanted[0] != revision:
            self._wanted = self._begins = None


def left(begins: float | None, now: float) -> int:
    """Return the whole seconds until a match begins, 0 where nothing is counted."""
    return 0 if begins is None else max(1, int(begins - now + 0.999))


def next_second(begins: float, now: float) -> float:
    """Return when another second of a countdown is over."""
    return min(begins, begins - max(0, left(begins, now) - 1))

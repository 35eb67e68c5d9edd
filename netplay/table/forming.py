"""A table that a host is forming: its chairs, the terms, who has accepted them."""

from collections.abc import Sequence
from typing import Final, Literal, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.messages.door import HostTable
from netplay.messages.table import Accept, Member, Proposal, SeatTerms, Terms
from netplay.messages.types import NAME_CHARACTERS, SEATS, Admission
from netplay.record import signing
from netplay.record.log import Signer, terms_data
from netplay.record.playable import playable
from netplay.sanitize import clean
from netplay.table.wishes import wished
from netplay.wire import pack, unpack
from rules import GAMES

ChairKind: TypeAlias = Literal["person", "computer", "remote"]

SKILL: Final = 50
"""Of a computer player whose skill was not said."""


class Chair(Struct, frozen=True):
    """A seat of a table that is being formed."""

    kind: ChairKind
    name: str
    """Empty for a remote seat that nobody has taken."""
    skill: int = 0
    address: str = ""
    """Whom to call to it; empty to wait for somebody to join."""
    comment: str = ""
    key: bytes | None = None
    """The peer who has taken a remote seat."""


def read_chair(text: str) -> Chair:
    """Return the chair that a user described.

    Args:
        text: `person[:NAME]`, `computer[:0-100]` or `remote[:ADDRESS [comment]]`.

    Raises:
        LocalError: USAGE, it is none of these.
    """
    kind, _, rest = text.strip().partition(":")
    rest = rest.strip()
    match kind.strip().lower():
        case "person":
            return Chair("person", clean(rest, NAME_CHARACTERS))
        case "computer":
            return Chair("computer", "", read_skill(rest))
        case "remote":
            address, _, comment = rest.partition(" ")
            return Chair("remote", "", address=address, comment=comment.strip())
        case _:
            detail = f"a seat is person, computer or remote, not {text!r}"
            raise LocalError(Code.USAGE, detail)


def read_skill(text: str) -> int:
    """Return a computer player's skill.

    Raises:
        LocalError: USAGE, it is no number from 0 to 100.
    """
    if not text:
        return SKILL
    if not text.isdecimal() or int(text) > 100:
        raise LocalError(Code.USAGE, f"skill is a number from 0 to 100, not {text!r}")
    return int(text)


def _named(chairs: Sequence[Chair], name: str) -> tuple[Chair, ...]:
    """Return chairs with names for persons and computers that have none."""
    named: list[Chair] = []
    for number, chair in enumerate(chairs, 1):
        default = ""
        if chair.kind == "computer":
            default = f"Computer {number}"
        elif chair.kind == "person":
            taken = any(other.kind == "person" for other in named)
            default = clean(f"{name} {number}", NAME_CHARACTERS) if taken else name
        named.append(replace(chair, name=chair.name or default))
    return tuple(named)


class _Plan(Struct, frozen=True):
    """What the terms say besides who plays."""

    game: str
    rules: int
    options: bytes
    edition: bytes
    lexicon: bytes


def _plan(table: HostTable) -> _Plan:
    """Return what a host wants to play.

    Raises:
        LocalError: USAGE, BAD_EDITION or BAD_WORDS.
    """
    game = GAMES.get(table.game)
    if game is None:
        names = ", ".join(GAMES)
        raise LocalError(Code.USAGE, f"there is no game {table.game!r}; play {names}")
    options = wished(game, table.options, table.edition, table.words)
    return _Plan(
        table.game,
        game.ABOUT.version,
        pack(options),
        bytes.fromhex(getattr(options, "edition", "")),
        bytes.fromhex(getattr(options, "lexicon", "")),
    )


def _check_hints(plan: _Plan, chairs: Sequence[Chair]) -> None:
    """Refuse hints where somebody plays from elsewhere (source document, Hint).

    Raises:
        LocalError: USAGE, with that reason.
    """
    options = unpack(plan.options, GAMES[plan.game].ABOUT.options)
    remote = any(chair.kind == "remote" for chair in chairs)
    if remote and getattr(options, "hints", False):
        detail = "Hints are not allowed with players at other computers"
        raise LocalError(Code.USAGE, detail)


class Forming:
    """A table before its match, at the host."""

    def __init__(
        self, signer: Signer, name: str, table: HostTable, nonce: bytes
    ) -> None:
        """Open the table.

        Args:
            signer: The host's key.
            name: The host's player.
            table: What the user wants.
            nonce: Random; names the table.

        Raises:
            LocalError: It cannot be played so.
        """
        self.signer = signer
        self._name: Final = name or "Host"
        self.nonce: Final = nonce
        self.revision = 0
        self.chairs: tuple[Chair, ...] = ()
        self.accepted: dict[bytes, bytes] = {}
        self.addresses: dict[bytes, str] = {}
        self.bystanders: Admission = table.bystanders
        """Who may watch."""
        self.begins = False
        """Start as soon as everybody has accepted: a rematch on the same terms."""
        self._plan = self._set(table)

    @classmethod
    def again(
        cls,
        signer: Signer,
        name: str,
        terms: Terms,
        chairs: tuple[Chair, ...],
        nonce: bytes,
    ) -> Self:
        """Return a table on the terms of a match that was played, with other chairs."""
        wish = HostTable(terms.game, ("person",) * len(chairs), (), "", "")
        table = cls(signer, name, wish, nonce)
        table._plan = _Plan(
            terms.game, terms.rules, terms.options, terms.edition, terms.lexicon
        )
        table.chairs, table.begins = chairs, True
        playable(table.terms()).start()
        return table

    def _set(self, table: HostTable) -> _Plan:
        """Take a user's wishes; remote chairs keep who sits in them."""
        chairs = _named([read_chair(text) for text in table.seats], self._name)
        if not 1 <= len(chairs) <= SEATS:
            raise LocalError(Code.USAGE, f"a table has 1 to {SEATS} seats")
        plan = _plan(table)
        _check_hints(plan, chairs)
        before = [chair for chair in self.chairs if chair.key is not None]
        self._plan, self.chairs = plan, chairs
        try:
            playable(self.terms()).start()
        except PeerError as error:
            raise LocalError(Code.USAGE, error.detail or str(error)) from error
        for chair in before:
            self._sit(chair)
        return plan

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
        self._changed()

    def admit(self, bystanders: Admission) -> None:
        """Choose who may watch; everybody must accept again."""
        self.bystanders = bystanders
        self._changed()

    def _changed(self) -> None:
        """Begin a new revision."""
        self.revision += 1
        self.accepted.clear()

    def _sit(self, guest: Chair) -> bool:
        """Give a peer the first free remote chair that suits."""
        for number in self.free():
            chair = self.chairs[number]
            if not chair.address or chair.address == guest.address:
                self._put(number, replace(chair, name=guest.name, key=guest.key))
                return True
        return False

    def _put(self, number: int, chair: Chair) -> None:
        """Replace a chair."""
        self.chairs = (*self.chairs[:number], chair, *self.chairs[number + 1 :])

    def free(self) -> list[int]:
        """Return the remote chairs that nobody has taken."""
        chairs = enumerate(self.chairs)
        return [n for n, chair in chairs if chair.kind == "remote" and not chair.key]

    def called(self, address: str) -> list[int]:
        """Return the free chairs to which an address is called."""
        return [n for n in self.free() if address and self.chairs[n].address == address]

    def call(self, address: str, seat: int) -> None:
        """Note whom to call to a free remote chair.

        Raises:
            LocalError: TABLE_FULL, there is no such chair.
        """
        wanted = [n for n in self.free() if seat in {-1, n}]
        blank = [n for n in wanted if not self.chairs[n].address]
        if not wanted:
            raise LocalError(Code.TABLE_FULL)
        number = (blank or wanted)[0]
        self._put(number, replace(self.chairs[number], address=address))

    def seat(self, key: bytes, name: str, number: int) -> None:
        """Give a peer a chair."""
        chair = self.chairs[number]
        self._put(number, replace(chair, key=key, name=name or f"Guest {number + 1}"))
        self._changed()

    def astray(self, key: bytes, address: str) -> bool:
        """Tell whether a peer has taken a chair to which somebody else is called."""
        places = [chair.address for chair in self.chairs if chair.key == key]
        return all(place not in {"", address} for place in places)

    def rise(self, key: bytes) -> None:
        """Free the chair of a peer for whom it is called to."""
        for number, chair in enumerate(self.chairs):
            if chair.key == key:
                self._put(number, replace(chair, key=None, name=""))

    def unseat(self, key: bytes) -> None:
        """Free the chairs of a peer, and call it no more."""
        self.begins = False
        for number, chair in enumerate(self.chairs):
            if chair.key == key:
                self._put(number, Chair("remote", "", comment=chair.comment))
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
        return not self.free()

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
            plan.rules,
            plan.options,
            plan.edition,
            plan.lexicon,
            (Member(self.signer.key, self._name), *members[1:]),
            tuple(_seat_terms(chair, keys) for chair in self.chairs),
            self.nonce,
        )

    def proposal(self) -> Proposal:
        """Return the terms as they are sent."""
        places = ["", *(self.addresses.get(key, "") for key in self.guests)]
        return Proposal(self.revision, self.terms(), tuple(places), self.bystanders)

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
        signing.verify(key, accept.signature, terms_data(self.terms()))
        self.accepted[key] = accept.signature
        return True

    def signatures(self) -> tuple[bytes, ...]:
        """Return everybody's signatures under the terms, in the order of members.

        Raises:
            LocalError: Somebody has not accepted yet.
        """
        if not self.agreed:
            raise LocalError(Code.USAGE, "not everybody has accepted yet")
        own = self.signer.sign(terms_data(self.terms()))
        return (own, *(self.accepted[key] for key in self.guests))


def _seat_terms(chair: Chair, keys: Sequence[bytes]) -> SeatTerms:
    """Return a chair as the terms have it."""
    member = 0 if chair.key is None else keys.index(chair.key)
    if chair.kind == "computer":
        return SeatTerms("computer", chair.name, member, chair.skill)
    return SeatTerms("person", chair.name, member, 0)

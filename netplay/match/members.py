"""Who takes part in a match, who of them is here, and what this node is among them.

All of this is asked for at every step and changes seldom: it is worked out when
something of it changes, and only then.  What changes it is named here: links and
greetings by the methods, the log by `look`, and what this node has promised by `renew`.
"""

from collections.abc import Iterable
from typing import Final

from netplay.record.clocks import quorum
from netplay.record.hidden import Hidden
from netplay.record.ledger import Ledger
from netplay.said import Said

NOBODY: Final = frozenset[bytes]()


class Members:
    """The members of one match, as one node knows of them."""

    def __init__(self, me: bytes, ledger: Ledger, hidden: Hidden) -> None:
        """Begin without links."""
        self.me: Final = me
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self.linked = NOBODY
        """Members that can be reached."""
        self.greeted = NOBODY
        """Those of them that have the match in hand."""
        self.by_mail = False
        """Whether the match goes on by files, without waiting for links."""
        self.claiming = False
        """Whether this node asks for another term (see `election`)."""
        self.patient: Final = bool(ledger.terms.days) and not ledger.fold.hz
        """With days to think nobody waits for the others to have what is entered."""
        self.cheated: Said | None = None
        """Why nobody may go on with it, if a mixing in the log is false."""
        self._waiting = False
        self.lent: frozenset[int] = frozenset()
        """Seats here of guests in browsers, and not of this node's player."""
        self.vacant: frozenset[int] = frozenset()
        """Seats here whose guests in browsers are away."""
        self._told_vacant: Final[dict[bytes, frozenset[int]]] = {}
        """Those at others, as they say themselves; to a bystander, as it is told."""
        self._told_away: frozenset[bytes] | None = None
        """Who of those needed is away, as a bystander is told."""
        self.version = 0
        """Counts how often anything here was worked out anew."""
        self.renew()

    def renew(self) -> None:
        """Work everything out: something of it has changed."""
        fold, hidden, me = self._ledger.fold, self._hidden, self.me
        self.version += 1
        self.term = self._ledger.log.term
        self.host = fold.host
        """Who puts entries in order."""
        self.hosting = fold.host == me
        self.keys = fold.keys
        self.others = fold.keys - {me}
        self.electors = fold.electors
        self.seats = frozenset(fold.seats_of(me))
        """The seats that are played here."""
        self.watching = me not in fold.keys
        """Whether this node is no member: it looks on, and has no say."""
        self.here = fold.electors & (self.greeted | {me})
        """Who has a say and has the match in hand."""
        self.host_here = self.hosting or fold.host in self.greeted
        self.lost = hidden.lost and not self.watching and len(fold.keys) > 1
        """Whether it waits for a term that is newer than its loss (see `losses`)."""
        self.bound = self.lost or hidden.granted > self.term
        """Whether this node takes part only in a newer term than the log's.

        It has promised one, or forgotten what it may have signed in this one.
        """
        self.claims_again = self.claiming and self.hosting
        """It is host and asks for a newer term: it enters nothing, for its claim is for
        the log as it is."""
        self.content = self.host_here and not (self.bound or self.claims_again)
        """There is a host to follow, and this node asks for no other term."""
        self.careful = self._waiting and self.hosting
        """It is host and waits for what somebody says it has entered (see `losses`)."""
        halts = self.bound or self.claims_again or self.careful
        # Members count once they have said what they have: a host that lost its file
        # must not number entries again.
        enough = self.host_here and len(self.here) >= quorum(len(self.electors))
        self.enough = enough
        """Whether a quorum is here, the host included: no other history goes on."""
        self.quorate = (enough or self.by_mail or self.patient) and not halts
        """Whether what is entered now can become final."""
        self.alone = self.quorate and self.hosting and not enough
        """It is host and enters what it is asked to, although too few are here."""
        self.absent = self._absent()
        """Those needed who are away."""
        # Who waits for files does not ask whether somebody has the match in hand.
        there = self._ledger.fold.required & self.linked - self.greeted - {self.me}
        there = NOBODY if self.watching or self.by_mail else there
        self.missed = self.absent | there
        """Those, and who can be reached and does not have this match in hand: who has
        left the table moves no more than who is away, and has time for it."""
        told = (me, self.vacant), *self._told_vacant.items()
        here, seats = fold.holders, [(key, seat) for key, held in told for seat in held]
        # Of another's seats only itself may say that nobody sits there.
        self.held = frozenset(
            seat for key, seat in seats if seat < len(here) and here[seat] == key
        )
        """Seats whose guests are away, though their node may be here."""
        self.complete = self.quorate and not (self.missed or self.held)
        """Whether play waits for nobody's computer."""

    def _absent(self) -> frozenset[bytes]:
        """Return who is needed and away; a bystander is told so."""
        required = self._ledger.fold.required
        # A bystander has no links to members: it can only repeat what one tells it.
        if self.watching:
            # Before anybody has said, its one link stands for them all.
            if self._told_away is not None:
                return self._told_away
            return NOBODY if self.linked else required
        return required - self.linked - {self.me}

    def vacated(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return what bystanders are told: `absent` and `vacant` of Bystanders."""
        fold = self._ledger.fold
        absent = {n for n, key in enumerate(fold.holders) if key in self.missed}
        # Of who has given up nothing is waited for, and their page may be closed.
        vacant = self.held - fold.resigned - absent
        return tuple(sorted(absent)), tuple(sorted(vacant))

    def look(self) -> None:
        """Work out what has changed if an entry has changed who takes part."""
        fold = self._ledger.fold
        # Called for each entry, and seldom anything: identity is enough to tell.
        if (
            fold.electors is not self.electors
            or fold.keys is not self.keys
            or fold.host is not self.host
            or self._ledger.log.term != self.term
        ):
            self.renew()

    # Links.

    def up(self, key: bytes) -> None:
        """Note that a member can be reached, and nothing of what it has in hand."""
        self.by_mail = False
        self.linked |= {key}
        self.greeted -= {key}
        self.renew()

    def down(self, key: bytes) -> None:
        """Note that a member cannot be reached any more."""
        self.linked -= {key}
        self.greeted -= {key}
        if not self.watching:
            self._told_vacant.pop(key, None)
        self.renew()

    def greet(self, key: bytes) -> bool:
        """Note that a member has the match in hand; return whether that is news."""
        if key in self.greeted:
            return False
        self.greeted |= {key}
        self.renew()
        return True

    def without(self, key: bytes) -> None:
        """Note that a member does not have the match in hand."""
        self.greeted -= {key}
        self.renew()

    # What else is told.

    def go_by_mail(self) -> None:
        """Wait for no links from now on, until there is one."""
        self.by_mail = True
        self.renew()

    def claim(self, *, claiming: bool) -> None:
        """Note whether this node asks for another term."""
        if claiming is not self.claiming:
            self.claiming = claiming
            self.renew()

    def wait(self, *, waiting: bool) -> None:
        """Note whether somebody is waited for who says that it has more."""
        if waiting is not self._waiting:
            self._waiting = waiting
            self.renew()

    def vacate(self, seats: frozenset[int]) -> bool:
        """Note at which seats here nobody is; return whether it is news."""
        if seats == self.vacant:
            return False
        self.vacant = seats
        self.renew()
        return True

    def on_vacant(self, key: bytes, seats: frozenset[int]) -> None:
        """Take from a member which of its seats have guests who are away."""
        if seats != self._told_vacant.get(key, frozenset()):
            self._told_vacant[key] = seats
            self.renew()

    def tell_away(
        self, absent: Iterable[int] | None, vacant: Iterable[int] = ()
    ) -> None:
        """Take, as a bystander, whose nodes are away (None: nobody says), whose guests.

        Args:
            absent: Seats, as all in a message: those that there are not are left out.
            vacant: Likewise.
        """
        told, empty = set(absent or ()), frozenset(vacant)
        holders = self._ledger.fold.holders
        away = frozenset(key for n, key in enumerate(holders) if n in told)
        self._told_away = None if absent is None else away
        self._told_vacant.clear()
        self._told_vacant.update(dict.fromkeys(holders, empty))
        self.renew()

    # What follows.

    def vouched(self) -> int:
        """Return how many entries of the log this node stands for.

        All of them, but for what it took of a term older than one it has promised, and
        what follows a move by the clock that cannot have been due.
        """
        size, hidden = len(self._ledger.log), self._hidden
        if hidden.doubt:
            size = min(size, hidden.doubted)
        return min(size, hidden.vouched) if self.bound else size

    def halted(self) -> bool:
        """Tell whether too few are here to play on, or a guest is waited for.

        In real time nobody else is waited for: whoever is here plays on.
        """
        fold = self._ledger.fold
        enough = self.quorate or (self.watching and self._may_go_on)
        # Seats of the gone pass before anything else goes on.
        waits = not enough or fold.gone or self.rests()
        return bool(fold.actors and waits)

    def paused(self) -> bool:
        """Tell whether play waits for somebody who is away."""
        fold = self._ledger.fold
        if self.halted():
            return True
        if not (self.missed and fold.actors):
            return False
        waited = {fold.holders[seat] for seat in fold.actors if seat >= 0}
        # Who is on turn cannot move while its tiles lie face down, though it is here.
        waited = self.owed() or waited
        if waited == {self.me}:
            return False
        return not self.missed.isdisjoint(waited)

    def owed(self) -> set[bytes]:
        """Return which others keep the tiles of who is on turn face down.

        What this node owes it has said, and waits itself until that is heard.
        """
        fold = self._ledger.fold
        return {fold.holders[seat] for seat in fold.late} - {self.me}

    def rests(self) -> bool:
        """Tell whether play waits for guests: in real time as it does for computers.

        Of two persons both are needed there, of more all but one.
        """
        fold = self._ledger.fold
        if not self.held or self.held.isdisjoint(fold.actors):
            return False
        seats = enumerate(fold.terms.seats)
        playing = {n for n, one in seats if one.is_person and n in fold.actors}
        here = {n for n in playing - self.held if fold.holders[n] not in self.missed}
        return not fold.hz or len(here) < quorum(len(playing))

    @property
    def _may_go_on(self) -> bool:
        """Whether host and quorum are there, as a bystander is told."""
        here = self.electors - self.absent
        return self.host not in self.absent and len(here) >= quorum(len(self.electors))

    def name(self, key: bytes) -> str:
        """Return what a member is called, empty if nobody has the key."""
        names = (m.name for m in self._ledger.fold.members if m.key == key)
        return next(names, "")

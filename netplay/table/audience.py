"""The bystanders of a match: who may watch, and what they are sent.

Theory of operation.  A bystander asks any member with `Attend`.  That member tells the
others, with `Bystanders`, who would like to watch at its place; each answers with
`Admit`, at once if nobody needs to be asked there, else when its players have chosen.
When all who play have agreed, the bystander is told so and says `Have`: from then on
it gets the entries as the members do, and nothing else: no openings, no shares, no
chat.  Whoever takes its consent back, at any time, ends the watching.  What was chosen
is kept with the match's secrets, so that a bystander that comes back needs no asking.

Who looks on in a browser, by a link that a player here has made, is a bystander of this
node without a node of its own: it has a key that was made up, to which nothing is sent.
The player here has agreed by making the link; the others are asked as of any other.
"""

from typing import Final

from msgspec import Struct

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.match.match import Match
from netplay.match.replica import batches
from netplay.messages.log import Entries, Fork, Have, LogMessage
from netplay.messages.table import BYSTANDERS, Admit, Attend, Bystander, Bystanders
from netplay.messages.types import Admission
from netplay.record.hidden import KeptAdmission, KeptAgreed, KeptVerdict
from netplay.said import Saying, Words
from netplay.sanitize import NAME_CHARACTERS, clean, shown_name
from netplay.sentences import Says
from netplay.table.shared import Shared
from netplay.table.unopened import tail

REMEMBERED: Final = 64
"""Bystanders whose consents by other members are kept after they have gone."""


class _Guest:
    """A bystander at this node."""

    def __init__(self, name: str, named: bytes, *, here: bool = False) -> None:
        self.name = name
        self.named = named
        """What it called the match, empty if it did not know."""
        self.here = here
        """Whether it looks on in a browser, with a key that nobody has."""
        self.watches = False
        self.sent: Have | None = None
        """What it has been sent; None until it has said what it has."""
        self.time = -1
        """Which news of the match's time it has been told."""


class Asker(Struct, frozen=True):
    """Somebody who watches or would like to, at this node or at another member's."""

    key: bytes
    name: str
    watches: bool


class Audience:
    """Bystanders as one member knows of them."""

    def __init__(self, shared: Shared, match: Match) -> None:
        """Begin without any.

        Args:
            shared: What all tables of the node have in common.
            match: What they watch.
        """
        self._shared: Final = shared
        self._match: Final = match
        self.guests: dict[bytes, _Guest] = {}
        self._elsewhere: dict[bytes, tuple[Bystander, ...]] = {}
        """Member -> the bystanders there."""
        self._told: dict[bytes, Bystanders] = {}
        self._asked: set[bytes] = set()
        """Whom the players here have been told of."""
        self._looking: frozenset[bytes] = frozenset()
        """Who is there in browsers, also those for whom there is no room yet."""
        self._electors = match.fold.electors
        """Whose consent was counted last."""

    # What there is to see.

    def everybody(self) -> list[Asker]:
        """Return who watches or would like to, each once, in the order of keys."""
        found = {
            one.key: Asker(one.key, shown_name(one.name), one.watches)
            for some in self._elsewhere.values()
            for one in some
        }
        for key, guest in self.guests.items():
            found[key] = Asker(key, guest.name, guest.watches)
        return [found[key] for key in sorted(found)]

    def watchers(self) -> tuple[Words, ...]:
        """Return the names of those who watch."""
        known_as = self._shared.known_as
        return tuple(known_as(o.key, o.name) for o in self.everybody() if o.watches)

    def asking(self) -> tuple[tuple[str, Words], ...]:
        """Return whom the players here have to answer: (fingerprint, name)."""
        return tuple(
            (fingerprint(one.key), self._shared.known_as(one.key, one.name))
            for one in self.everybody()
            if not one.watches and self._verdict(one.key) is None
        )

    @property
    def open(self) -> bool:
        """Whether somebody more may ask to watch here."""
        room = len(self.guests) < BYSTANDERS and not self._alone
        return room and self._match.hidden.bystanders != "nobody"

    def _verdict(self, key: bytes) -> bool | None:
        """Return what the players here say of a bystander, None if they are to say."""
        match = self._match
        if key in self._shared.means.known.blocked:
            return False
        said = match.hidden.verdicts.get(key)
        if said is not None:
            return said
        if key in self.guests and self.guests[key].here:
            return match.hidden.bystanders != "nobody"
        if match.hidden.bystanders != "ask":
            return match.hidden.bystanders == "anybody"
        own = match.fold.seats_of(match.me)
        asked = any(map(match.seats.by_person, own))
        return None if asked else True

    def watches(self, key: bytes) -> bool:
        """Tell whether somebody watches here."""
        guest = self.guests.get(key)
        return guest is not None and guest.watches

    # What bystanders say.

    @property
    def _alone(self) -> bool:
        """Whether the match has a key of its own, which no link can vouch for."""
        return bool(self._match.hidden.key)

    def attend(self, key: bytes, attend: Attend) -> None:
        """Let a bystander in, or have it wait until all agree."""
        match, decline = self._match, self._shared.decline
        if attend.match not in {b"", match.match}:
            decline(key, attend.match, Code.NO_TABLE, Says.NO_MATCH_HERE())
        elif key in match.others:  # since a seat was handed to it, unknown to it yet
            decline(key, attend.match, Code.NO_TABLE, Says.SEAT_WAITS())
            match.greet(key)
        elif self._alone:
            decline(key, attend.match, Code.NO_TABLE, Says.NOT_WATCHED())
        elif key not in self.guests and len(self.guests) >= BYSTANDERS:
            decline(key, attend.match, Code.TABLE_FULL, Says.TOO_MANY_WATCH())
        else:
            self.guests[key] = _Guest(
                shown_name(self._shared.their_name(key)), attend.match
            )
            self._told.pop(key, None)
            self.settle()

    def look(self, keys: frozenset[bytes]) -> None:
        """Let those look on who are there in browsers, and none of them but these."""
        self._looking = keys
        for key in [key for key, one in self.guests.items() if one.here]:
            if key not in keys:
                self.leave(key)
        if keys:
            self.settle()

    def _seat_looking(self) -> None:
        """Let those in who wait in browsers; members are told of no more than fit."""
        for key in sorted(self._looking - self.guests.keys()):
            if len(self.guests) >= BYSTANDERS:
                return
            taken = {guest.name for guest in self.guests.values()}
            signs = (f" ({number})" for number in range(1, len(taken) + 2))
            called, most = self._shared.name, NAME_CHARACTERS
            names = (clean(called, most - len(sign)) + sign for sign in signs)
            name = next(name for name in names if name not in taken)
            self.guests[key] = _Guest(name, self._match.match, here=True)
            self._decide(key, self.guests[key])

    def receive(self, key: bytes, message: LogMessage, now: float) -> bool:
        """Take what a bystander says about the match; return whether it is one.

        Raises:
            PeerError: NOT_A_MEMBER, it says what only members may.
        """
        match, guest = self._match, self.guests.get(key)
        if guest is None or key in match.others:
            return False
        match message:
            case Have(number=0) if guest.watches:
                # It may lack the edition or the words; the rest it gets when it asks.
                first = Entries(match.match, match.ledger.raws(0, 1))
                self._shared.say((key,), first)
            case Have() if guest.watches:
                guest.sent = message
            case Fork():
                match.show_fork(key, message, now)
            case _:
                raise PeerError(Code.NOT_A_MEMBER, "a bystander")
        return True

    def leave(self, key: bytes) -> bool:
        """Note that a bystander has gone; return whether it was one."""
        guest = self.guests.pop(key, None)
        self._told.pop(key, None)
        self._asked.discard(key)
        if guest is not None:
            if guest.watches:
                self._tell_who(Says.WATCHES_NO_LONGER, key, guest.name)
            self.settle()
        return guest is not None

    def turn_out(self, key: bytes) -> None:
        """Let somebody who has been blocked watch no longer, here or anywhere."""
        self._spread(key, allow=False)

    # What members say.

    def _concerns_us(self, key: bytes, message: Bystanders | Admit) -> bool:
        """Tell whether a message is about the match in hand.

        Raises:
            PeerError: NOT_A_MEMBER, it is, and the sender has no say there.
        """
        if message.match != self._match.match:
            return False
        if key not in self._match.others:
            raise PeerError(Code.NOT_A_MEMBER)
        return True

    def elsewhere(self, key: bytes, message: Bystanders) -> None:
        """Take who watches, or would like to, at another member's.

        Raises:
            PeerError: NOT_A_MEMBER.
        """
        if not self._concerns_us(key, message):
            return
        self._tell_news(self._elsewhere.get(key, ()), message.bystanders)
        self._elsewhere[key] = message.bystanders
        for one in message.bystanders:
            verdict = self._verdict(one.key)
            if verdict is False or (verdict and not one.watches):
                self._admit(key, one.key, allow=verdict)
        self._ask_players()

    def _tell_who(self, says: Saying, key: bytes, name: str) -> None:
        """Tell the player of a bystander, by the player's own name for it."""
        own = self._shared.means.known.own_name(key, name)
        self._shared.tell_of(key, says(name=own))

    def _tell_news(
        self, before: tuple[Bystander, ...], after: tuple[Bystander, ...]
    ) -> None:
        """Tell the players here who has begun to watch, and who has ceased to."""
        was = {one.key: one for one in before if one.watches}
        now = {one.key: one for one in after if one.watches}
        for key in now.keys() - was.keys():
            self._tell_who(Says.WATCHES, key, shown_name(now[key].name))
        for key in was.keys() - now.keys():
            self._tell_who(Says.WATCHES_NO_LONGER, key, shown_name(was[key].name))

    def _admit(self, member: bytes, key: bytes, *, allow: bool) -> None:
        """Tell a member what is said here of a bystander of its."""
        self._shared.say((member,), Admit(self._match.match, key, allow))

    def admitted(self, key: bytes, message: Admit) -> None:
        """Take what a member says of a bystander here.

        Raises:
            PeerError: NOT_A_MEMBER.
        """
        if not self._concerns_us(key, message):
            return
        if message.key in self.guests:
            agreed = self._match.hidden.agreed
            if len(agreed) >= REMEMBERED and message.key not in agreed:
                gone = [one for one in agreed if one not in self.guests]
                agreed.pop(gone[0])
            if agreed.get(message.key, {}).get(key) is not message.allow:
                # Kept, or a host that comes back while others sleep lets nobody in.
                self._match.keep(KeptAgreed(key, message.key, message.allow))
            self.settle()

    def member_up(self, key: bytes) -> None:
        """Tell a member that can be reached again who is here."""
        self._told.pop(key, None)
        self.settle()

    def member_down(self, key: bytes) -> None:
        """Forget who watches at a member that cannot be reached."""
        self._elsewhere.pop(key, None)
        self.settle()

    # What the players here say.

    def choose(self, text: str, *, allow: bool) -> str:
        """Agree to a bystander, or refuse one; return its name.

        Args:
            text: Name or fingerprint; empty for the only one who asks.
            allow: What the players say.

        Raises:
            LocalError: USAGE, there is nobody so named.
        """
        found = self.everybody()
        if text:
            found = [one for one in found if text in (one.name, fingerprint(one.key))]
        elif any(self._verdict(one.key) is None for one in found):
            found = [one for one in found if self._verdict(one.key) is None]
        if not found:
            raise LocalError(Code.USAGE, Says.NOBODY_WATCHES())
        if len(found) > 1:
            who = ", ".join(f"{one.name} {fingerprint(one.key)}" for one in found)
            raise LocalError(Code.USAGE, Says.SAY_WHOM(who=who))
        (one,) = found
        self._match.keep(KeptVerdict(one.key, allow))
        self._spread(one.key, allow=allow)
        return one.name

    def _spread(self, key: bytes, *, allow: bool) -> None:
        """Tell all who have a bystander what is said of it here."""
        for member, some in self._elsewhere.items():
            if any(one.key == key for one in some):
                self._admit(member, key, allow=allow)
        self.settle()

    def admission(self, wish: Admission) -> None:
        """Choose who may watch without being asked about, for this match."""
        self._match.keep(KeptAdmission(wish))
        for one in self.everybody():
            verdict = self._verdict(one.key)
            if verdict is not None:
                self._spread(one.key, allow=verdict)
        self.settle()

    # What comes of it.

    def settle(self) -> None:
        """Decide about every bystander here, and tell whom it concerns."""
        self._shared.changed = self._shared.moved = True
        self._electors = self._match.fold.electors
        for key, guest in list(self.guests.items()):
            self._decide(key, guest)
        self._seat_looking()  # last: whoever was turned away has left room
        self._ask_players()
        self._announce()

    def _decide(self, key: bytes, guest: _Guest) -> None:
        """Admit a bystander that all agree to; turn away one that somebody refuses."""
        match = self._match
        agreed = match.hidden.agreed.get(key, {})
        said = [self._verdict(key)]
        asked = match.fold.electors - {match.me, key}
        said += [agreed.get(one) for one in asked]
        if False in said:
            was = guest.watches
            del self.guests[key]
            named = match.match if self._told.pop(key, None) else guest.named
            self._asked.discard(key)
            self._shared.decline(key, named, Code.DECLINED, Says.UNWATCHED())
            if guest.here:
                self._looking -= {key}
                self._shared.lending.look_away(match.match, key)
            if was:
                self._tell_who(Says.WATCHES_NO_LONGER, key, guest.name)
        elif None in said:
            # A seat was handed over, or a newer history gives somebody a say again: who
            # has not been asked yet is not to be watched meanwhile.
            guest.watches, guest.sent = False, None
        elif not guest.watches:
            guest.watches = True
            self._tell_who(Says.WATCHES, key, guest.name)

    def _ask_players(self) -> None:
        """Tell the players here of everybody new who would like to watch."""
        self._shared.changed = True
        for one in self.everybody():
            new = one.key not in self._asked and not one.watches
            if new and self._verdict(one.key) is None:
                self._asked.add(one.key)
                who = self._shared.known_as(one.key, one.name)
                detail = Says.WOULD_WATCH(name=who)
                self._shared.tell_of(one.key, detail)

    def _announce(self) -> None:
        """Tell members and bystanders how things stand, where that is news."""
        match = self._match
        if not self.guests and not self._told:
            return
        absent = match.absent
        away = tuple(n for n, key in enumerate(match.fold.holders) if key in absent)
        here = tuple(
            Bystander(key, guest.name, guest.watches)
            for key, guest in sorted(self.guests.items())
        )
        # Who has not said Have has no such match in hand yet, and would drop this.
        for key in match.others - match.members.greeted:
            self._told.pop(key, None)
        for key in sorted(match.members.greeted):
            if here or key in self._told:
                self._tell(key, Bystanders(match.match, here, ()))
        for one in here:
            self._tell(one.key, Bystanders(match.match, (one,), away))

    def _tell(self, key: bytes, message: Bystanders) -> None:
        """Tell somebody, unless they have been told just that."""
        if self._told.get(key) != message:
            self._told[key] = message
            self._shared.say((key,), message)

    def outgoing(self) -> None:
        """Send the bystanders here the entries that are new; they are on the disk."""
        match = self._match
        if match.fold.electors is self._electors:
            self._announce()
        else:  # who has resigned is asked no more
            self.settle()
        if match.ledger.dirty:
            return  # a member's own copy may wait a moment for the disk
        log = match.ledger.log
        for key, guest in self.guests.items():
            if guest.sent is None:
                continue
            start = tail(log, guest.sent)
            if start is not None and start < len(log):
                raws = match.ledger.raws(start)
                for batch in batches(raws):
                    self._shared.say((key,), Entries(match.match, batch))
                guest.sent = Have(log.match, log.term, len(log), log.head)
            timing = match.timing
            if match.fold.clocks.counting and guest.time != timing.news:
                guest.time = timing.news
                self._shared.say((key,), timing.told(self._shared.now))

    def close(self) -> None:
        """Say goodbye to the bystanders: the table is given up."""
        for key in self.guests:
            why = Says.TABLE_WAS_LEFT()
            self._shared.decline(key, self._match.match, Code.STOPPED, why)

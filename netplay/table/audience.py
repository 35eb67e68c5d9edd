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

Who finds no place here is sent on to one who watches already, if both know of that: see
`passing`.  Members are told of those with `Beyond`.
"""

from typing import Final

from msgspec import Struct

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.limits import DIRECT, ONLOOKERS, WAITING
from netplay.match.match import Match
from netplay.messages.log import Fork, Have, LogMessage
from netplay.messages.table import (
    BYSTANDERS,
    Admit,
    Attend,
    Beyond,
    Bystander,
    Bystanders,
    Passed,
    PassOn,
)
from netplay.messages.types import Admission
from netplay.record.hidden import KeptAdmission, KeptAgreed, KeptVerdict
from netplay.said import Saying, Words
from netplay.sanitize import NAME_CHARACTERS, clean, shown_name
from netplay.sentences import Says
from netplay.table.passing import Feed, Tree
from netplay.table.shared import Shared

REMEMBERED: Final = 64 + ONLOOKERS
"""Bystanders whose consents by other members are kept, also after they have gone."""

NAMED: Final = 12
"""Of those who watch, shown by name; the others are counted."""


class _Guest(Feed):
    """A bystander at this node."""

    def __init__(self, name: str, named: bytes, *, here: bool = False) -> None:
        self.name = name
        self.named = named
        """What it called the match, empty if it did not know."""
        self.here = here
        """Whether it looks on in a browser, with a key that nobody has."""
        self.watches = False
        self.told = False
        """The players were told that it watches, and not that it has ceased to."""


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
        self.tree: Final = Tree(shared, match)
        """Those who were sent on from here."""
        self._beyond: dict[bytes, dict[bytes, Bystander]] = {}
        """Member -> those who were sent on from there."""
        self._told_beyond: dict[bytes, set[bytes]] = {}
        """Member -> who it was told has been sent on from here."""
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
        some = [one for each in self._elsewhere.values() for one in each]
        some += [one for each in self._beyond.values() for one in each.values()]
        found = {
            one.key: Asker(one.key, shown_name(one.name), one.watches) for one in some
        }
        for key, below in self.tree.below.items():
            found[key] = Asker(key, below.name, watches=True)
        for key, guest in self.guests.items():
            found[key] = Asker(key, guest.name, guest.watches)
        return [found[key] for key in sorted(found)]

    def watchers(self) -> tuple[Words, ...]:
        """Return the names of those who watch, of a crowd only a few."""
        known_as = self._shared.known_as
        all_ = [one for one in self.everybody() if one.watches]
        named = tuple(known_as(one.key, one.name) for one in all_[:NAMED])
        rest = len(all_) - len(named)
        return (*named, Says.MORE_WATCH(count=rest)) if rest else named

    def counted(self) -> int:
        """Return how many watch."""
        return sum(one.watches for one in self.everybody())

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

    @property
    def _roots(self) -> list[bytes]:
        """Who watches here, and could pass the match on."""
        return [k for k, one in self.guests.items() if one.watches and not one.here]

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
        elif key in self.tree.below:
            self._come_back(key, attend)
        elif key not in self.guests and len(self.guests) >= self._places(key):
            decline(key, attend.match, Code.TABLE_FULL, Says.TOO_MANY_WATCH())
        else:
            self._wait(key, attend)

    def _places(self, key: bytes) -> int:
        """Return how many may be here, or wait, before somebody finds no place.

        One place is left where others pass on: who would be sent on has to be asked
        about first, and no more can be told of than there are places.
        """
        tree, known = self.tree, self.tree.can_be_sent(key)
        waits = any(
            tree.can_be_sent(k) for k, g in self.guests.items() if not g.watches
        )
        if known and (waits or tree.has_room(key, self._roots)):
            return BYSTANDERS + WAITING
        return self._places_here(key)

    def _places_here(self, key: bytes) -> int:
        """Return how many may watch at this node itself before somebody cannot."""
        passed = any(map(self.tree.can_be_sent, self._roots))
        return BYSTANDERS - (passed and not self.tree.can_be_sent(key))

    def _wait(self, key: bytes, attend: Attend, *, told: bool = False) -> None:
        """Let somebody wait here until all agree."""
        guest = _Guest(shown_name(self._shared.their_name(key)), attend.match)
        was = self.guests.get(key)  # whose line is a new one
        guest.told = told or (was is not None and was.told)
        self.guests[key] = guest
        self._told.pop(key, None)
        self.settle()

    def renamed(self, key: bytes) -> None:
        """Show a bystander here by the name that its player has taken."""
        if (guest := self.guests.get(key)) is not None:
            guest.name = shown_name(self._shared.their_name(key))

    def _come_back(self, key: bytes, attend: Attend) -> None:
        """Find another place for one who was sent on, and asks again."""
        roots, tree = self._roots, self.tree
        if not tree.came_back(key, roots):
            return
        name = shown_name(self._shared.their_name(key))
        agreed = all(self._said(key))
        if agreed and len(roots) >= DIRECT and tree.send_on(key, name, roots):
            self._shared.changed = True
            return
        del tree.below[key]
        self._wait(key, attend, told=True)

    def offers(self, key: bytes, message: PassOn) -> None:
        """Note that somebody who asks to watch would pass the match on."""
        if key not in self._match.others and not self._alone:
            self.tree.offer(key, message)

    def passed(self, key: bytes, message: Passed) -> None:
        """Take what one who watches here says of those below it.

        Raises:
            PeerError: NOT_A_MEMBER.
        """
        if not self.watches(key):
            raise PeerError(Code.NOT_A_MEMBER, "nobody who passes on")
        below = self.tree.below.get(message.key)
        if self.tree.passed(key, message, self._roots) and below is not None:
            self._tell_who(Says.WATCHES_NO_LONGER, message.key, below.name)
            self.settle()

    def ring(self) -> None:
        """Say a beat; forget those who were sent on and are lost."""
        gone = self.tree.ring(self._roots)
        for key, name in gone:
            self._tell_who(Says.WATCHES_NO_LONGER, key, name)
        if gone:
            self.settle()

    def let_look_on(self, keys: frozenset[bytes]) -> None:
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
            if len(self.guests) >= self._places_here(key):
                return
            taken = {guest.name for guest in self.guests.values()}
            signs = (f" ({number})" for number in range(1, len(taken) + 2))
            called, most = self._shared.name, NAME_CHARACTERS
            names = (clean(called, most - len(sign)) + sign for sign in signs)
            name = next(name for name in names if name not in taken)
            self.guests[key] = _Guest(name, self._match.match, here=True)
            self._decide(key, self.guests[key])

    def receive(self, key: bytes, message: LogMessage, now: float) -> bool:
        """Take what a bystander may say about the match; return whether it was that.

        Whatever else it says is a stranger's: it may have been handed a seat.
        """
        match, guest = self._match, self.guests.get(key)
        if guest is None or key in match.others:
            return False
        match message:
            case Have() if guest.watches:
                guest.have(self._shared, match, key, message)
            case Fork():
                match.show_fork(key, message, now)
            case _:
                return False
        return True

    def leave(self, key: bytes) -> bool:
        """Note that a bystander has gone; return whether it was one."""
        guest = self.guests.pop(key, None)
        self._told.pop(key, None)
        if guest is not None:  # else it may go on asking at another member's
            self._asked.discard(key)
            if guest.told:
                self._tell_who(Says.WATCHES_NO_LONGER, key, guest.name)
            self.settle()
        return guest is not None

    def turn_out(self, key: bytes) -> None:
        """Let somebody who has been blocked watch no longer, here or anywhere."""
        self._spread(key, allow=False)

    # What members say.

    def _concerns_us(self, key: bytes, message: Bystanders | Admit | Beyond) -> bool:
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
        before = self._watching_at(key)
        left = {one.key for one in self._elsewhere.get(key, ())}
        self._elsewhere[key] = message.bystanders
        # Who asks again is told of again.
        self._asked -= left.difference(one.key for one in message.bystanders)
        self._tell_news(before, self._watching_at(key))
        self._answer(key, message.bystanders)

    def beyond(self, key: bytes, message: Beyond) -> None:
        """Take who watches by others, sent on from a member.

        Raises:
            PeerError: NOT_A_MEMBER; TOO_MANY.
        """
        if not self._concerns_us(key, message):
            return
        before, some = self._watching_at(key), self._beyond.setdefault(key, {})
        come = {one.key: one for one in message.come}
        some.update(come)
        here = self._elsewhere.get(key, ())
        self._elsewhere[key] = tuple(one for one in here if one.key not in come)
        for gone in message.gone:
            some.pop(gone, None)
        if len(some) > ONLOOKERS:
            raise PeerError(Code.TOO_MANY, "bystanders")
        self._tell_news(before, self._watching_at(key))
        self._answer(key, message.come)

    def _watching_at(self, member: bytes) -> dict[bytes, Bystander]:
        """Return who watches at a member's, or was sent on from there."""
        some = (
            *self._elsewhere.get(member, ()),
            *self._beyond.get(member, {}).values(),
        )
        return {one.key: one for one in some if one.watches}

    def _answer(self, key: bytes, some: tuple[Bystander, ...]) -> None:
        """Tell a member what is said here of bystanders of its, and ask of the rest."""
        for one in some:
            verdict = self._verdict(one.key)
            if verdict is False or (verdict and not one.watches):
                self._admit(key, one.key, allow=verdict)
        self._ask_players()

    def _tell_who(self, says: Saying, key: bytes, name: str) -> None:
        """Tell the player of a bystander, by the player's own name for it."""
        own = self._shared.means.known.own_name(key, name)
        self._shared.tell_of(key, says(name=own))

    def _tell_news(
        self, was: dict[bytes, Bystander], now: dict[bytes, Bystander]
    ) -> None:
        """Tell the players here who has begun to watch, and who has ceased to."""
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
        if message.key in self.guests or message.key in self.tree.below:
            agreed = self._match.hidden.agreed
            if len(agreed) >= REMEMBERED and message.key not in agreed:
                here = self.guests.keys() | self.tree.below.keys()
                agreed.pop(next(one for one in agreed if one not in here))
            if agreed.get(message.key, {}).get(key) is not message.allow:
                # Kept, or a host that comes back while others sleep lets nobody in.
                self._match.keep(KeptAgreed(key, message.key, message.allow))
            self.settle()

    def member_up(self, key: bytes) -> None:
        """Tell a member that can be reached again who is here."""
        self._told.pop(key, None)
        self._told_beyond.pop(key, None)
        self.settle()

    def member_down(self, key: bytes) -> None:
        """Forget who watches at a member that cannot be reached."""
        self._elsewhere.pop(key, None)
        self._beyond.pop(key, None)
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
        found, own_name = self.everybody(), self._shared.means.known.own_name
        called = {one.key: own_name(one.key, one.name) for one in found}
        if text:
            found = [
                one
                for one in found
                if text in (called[one.key], one.name, fingerprint(one.key))
            ]
        elif any(self._verdict(one.key) is None for one in found):
            found = [one for one in found if self._verdict(one.key) is None]
        if not found:
            raise LocalError(Code.USAGE, Says.NOBODY_WATCHES())
        if len(found) > 1:
            who = ", ".join(
                f"{called[one.key]} {fingerprint(one.key)}" for one in found
            )
            raise LocalError(Code.USAGE, Says.SAY_WHOM(who=who))
        (one,) = found
        self._match.keep(KeptVerdict(one.key, allow))
        self._spread(one.key, allow=allow)
        return called[one.key]

    def _spread(self, key: bytes, *, allow: bool) -> None:
        """Tell all who have a bystander what is said of it here."""
        for member, some in self._elsewhere.items():
            beyond = self._beyond.get(member, ())
            if key in beyond or any(one.key == key for one in some):
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
        # Whoever has yet to say is asked once they are here again.
        below = self.tree.below
        lost = {k: one.name for k, one in below.items() if not all(self._said(k))}
        self.tree.cut(lost)
        for key, name in lost.items():
            self._tell_who(Says.WATCHES_NO_LONGER, key, name)
        self._seat_looking()  # last: whoever was turned away has left room
        self._ask_players()
        self._announce()

    def _said(self, key: bytes) -> list[bool | None]:
        """Return what all who have a say have said of a bystander here."""
        match = self._match
        agreed = match.hidden.agreed.get(key, {})
        asked = match.fold.electors - {match.me, key}
        return [self._verdict(key), *(agreed.get(one) for one in asked)]

    def _decide(self, key: bytes, guest: _Guest) -> None:
        """Admit a bystander that all agree to; turn away one that somebody refuses."""
        match, said = self._match, self._said(key)
        if False in said:
            del self.guests[key]
            named = match.match if self._told.pop(key, None) else guest.named
            self._asked.discard(key)
            self._shared.decline(key, named, Code.DECLINED, Says.UNWATCHED())
            if guest.here:
                self._looking -= {key}
                self._shared.lending.look_away(match.match, key)
            if guest.told:
                self._tell_who(Says.WATCHES_NO_LONGER, key, guest.name)
        elif None in said:
            # A seat was handed over, or a newer history gives somebody a say again: who
            # has not been asked yet is not to be watched meanwhile.
            guest.watches, guest.sent = False, None
        elif not guest.watches:
            self._let_in(key, guest)

    def _let_in(self, key: bytes, guest: _Guest) -> None:
        """Let somebody watch to whom all have agreed: here, by another, or not now."""
        here = sum(one.watches for one in self.guests.values())
        sent = here >= DIRECT and self.tree.send_on(key, guest.name, self._roots)
        guest.watches = not sent and here < self._places_here(key)
        if not guest.watches:
            del self.guests[key]
            self._told.pop(key, None)
            self._asked.discard(key)
        if not (sent or guest.watches):
            why, match = Says.TOO_MANY_WATCH(), self._match.match
            self._shared.decline(key, match, Code.TABLE_FULL, why)
        watches = sent or guest.watches
        if watches is not guest.told:
            says = Says.WATCHES if watches else Says.WATCHES_NO_LONGER
            self._tell_who(says, key, guest.name)
        guest.told = watches

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
        if not (self.guests or self._told or self.tree.below or self._told_beyond):
            return
        away = match.members.vacated()
        here = tuple(
            Bystander(key, guest.name, guest.watches)
            for key, guest in sorted(self.guests.items())
        )
        ranked = sorted(here, key=lambda one: not one.watches)
        shown = tuple(sorted(ranked[:BYSTANDERS], key=lambda one: one.key))
        # Who has not said Have has no such match in hand yet, and would drop this.
        for key in match.others - match.members.greeted:
            self._told.pop(key, None)
            self._told_beyond.pop(key, None)
        for key in sorted(match.members.greeted):
            if here or key in self._told:
                # Of who has been sent on a member hears by Beyond.
                message = Bystanders(match.match, shown, (), ())
                told = self._told.get(key)
                if told is not None:
                    below = self.tree.below
                    left = tuple(one for one in told.bystanders if one.key not in below)
                    if left == message.bystanders and told.bystanders != left:
                        self._told[key] = message
                self._tell(key, message)
            self._tell_beyond(key)
        for one in here:
            self._tell(one.key, Bystanders(match.match, (one,), *away))

    def _tell_beyond(self, member: bytes) -> None:
        """Tell a member who has been sent on, and who of those is gone."""
        below, told = self.tree.below, self._told_beyond.setdefault(member, set())
        come, gone = sorted(below.keys() - told), sorted(told - below.keys())
        told.update(below)
        told.intersection_update(below)
        while come or gone:
            named = tuple(Bystander(k, below[k].name, True) for k in come[:BYSTANDERS])
            message = Beyond(self._match.match, named, tuple(gone[:BYSTANDERS]))
            self._shared.say((member,), message)
            come, gone = come[BYSTANDERS:], gone[BYSTANDERS:]
        if not told:
            del self._told_beyond[member]

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
        for key, guest in self.guests.items():
            guest.send(self._shared, match, key)

    def close(self) -> None:
        """Say goodbye to the bystanders: the table is given up."""
        for key in self.guests:
            why = Says.TABLE_WAS_LEFT()
            self._shared.decline(key, self._match.match, Code.STOPPED, why)

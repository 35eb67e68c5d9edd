"""A match on the table: what playing in it and watching it have in common."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final

from typing_extensions import override

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.match.match import Match
from netplay.messages import table_questions
from netplay.messages.door import Play, TableStatus
from netplay.messages.log import Ack, Entries, Have, LogMessage, Response, Submit, Wish
from netplay.messages.table import Ask, Chat, Decline, Terms
from netplay.record.chance import ZERO
from netplay.review import grading
from netplay.review.grading import Judged
from netplay.said import Said, Words
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.passing import Alarm
from netplay.table.shared import Shared, heard
from netplay.table.state import Change, Reply, State, Wants
from netplay.table.table_status import Eyes, show_match
from netplay.wanted import Outgoing, PeerMessage, Thought


class InMatch(State):
    """A table with a match."""

    def __init__(self, shared: Shared, match: Match) -> None:
        """Take a match up.

        Args:
            shared: What all tables of the node have in common.
            match: Its files are open.
        """
        super().__init__(shared)
        self.answers.update(
            {
                Play: self._play,
                table_questions.TakeBack: self._take_back,
                table_questions.ClaimTime: self._claim,
                table_questions.Vote: self._vote,
                table_questions.MakeOffer: self._offer,
                table_questions.AnswerOffer: self._answer_offer,
                table_questions.Prepare: self._prepare,
                table_questions.DropPrepared: self._drop_prepared,
                table_questions.HandSeat: self._hand,
            }
        )
        self._match: Final = match
        self.match = match
        self.stopped: Words = ""
        """Why the match was stopped, empty if it was not."""
        self.left: set[bytes] = set()
        """The members who have left it and not come back."""
        self._left_too: set[bytes] = set()
        """The members who may have left it, too, while they did not know that it was
        left here."""
        self._members = match.others
        """Those who have been greeted."""
        self._told_to_come = False
        """Whether the turns of computers were told of before they came."""
        self._turns: dict[int, Judged] = {}
        """Once it is over: worked out when somebody asks."""
        shared.fellows[match.match] = match.others
        self._seats = tuple(zip(match.fold.holders, match.fold.names, strict=True))
        """Whose the seats were when the windows were last told, and their names."""
        self._handed = match.fold.handed
        self.alarm = Alarm()
        """When something is due for those who watch."""
        self.put: Callable[[Iterable[Outgoing]], None] = shared.put
        """Lets what the match says go out."""

    # What there is.

    @property
    @override
    def terms(self) -> Terms:
        return self._match.ledger.terms

    @property
    @override
    def others(self) -> list[bytes]:
        return sorted(self._match.others)

    @override
    def expects(self, key: bytes) -> bool:
        return key in self._match.others

    @override
    def names(self) -> dict[bytes, str]:
        members = self._match.fold.members
        return {**super().names(), **{m.key: shown_name(m.name) for m in members}}

    @override
    def status(self, now: float) -> TableStatus:
        match = self._match
        return show_match(match, self.stopped, Eyes.of(self.shared, now, match.me))

    # Life.

    @override
    def enter(self, now: float) -> Change | None:
        match, shared = self._match, self.shared
        archive = shared.means.archive
        self._left_too = {*shared.means.asked.come_back(self.nonce)}
        if match.fold.over:
            match.ledger.sync()  # no next node reads it unasked
            archive.let_go(match.match)
        else:
            archive.take_in_hand(match.match, shared.at_table)
            self.succeed(now)
        return None

    @override
    def close(self) -> None:
        match, shared = self._match, self.shared
        shared.fellows.pop(match.match, None)
        if self.stopped and not match.watching:
            # Links, and ways over others, stay where the match is opened anew: nobody
            # would unlearn it.
            match.vacate(frozenset(), shared.now)
            shared.put(match.outgoing())
        match.close()
        self._let_go()

    def _let_go(self) -> None:
        """Have the next node of this home not go on with the match unasked."""
        try:
            self.shared.means.archive.let_go(self._match.match)
        except LocalError as error:  # it is taken up again at the next start
            self.shared.tell(error.said, "error")

    @override
    def give_up(self) -> None:
        """Let the match go that cannot be kept, until the node starts anew.

        Nobody can tell what is on the disk; so the others hear that the match is not
        here, and wait for this node no more.
        """
        shared, match = self.shared, self._match
        shared.spoil(match.match)
        shared.fellows.pop(match.match, None)
        with suppress(LocalError):  # that the disk fails is known
            match.close()
        if not match.watching:
            shared.say(sorted(match.others), Have(match.match, 0, 0, ZERO))

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        self._match.link_down(key, now)  # a host may be chosen now
        return None

    @override
    def wake(self, now: float) -> None:
        """Do what is due; clocks alone may change whose turn it is, or end a match.

        A move that is overdue is made by then, for the player, and not delivered.
        """
        match = self._match
        before = match.fold.actors, match.submitting.early
        if self.alarm.at is not None and now >= self.alarm.at:
            self.ring(now)
        match.wake(now)
        if (match.fold.actors, match.submitting.early) != before:
            self.shared.changed = True

    def ring(self, now: float) -> None:
        """Do what is due for those who watch."""

    @override
    def wants(self) -> Wants:
        match, fold = self._match, self._match.ledger.fold
        due, at = match.deadline(), self.alarm.at
        if at is not None and (due is None or at < due):
            due = at
        thinks = not (self.stopped or match.seats.by_persons)
        mixes = fold.bag is not None and not self.stopped
        begun = fold.moves > 0  # before, turns are to come: see `thoughts_to_come`
        return Wants(
            due,
            match.thoughts() if thinks else (),
            match.jobs() if mixes else (),
            (fold.keys, fold.host, fold.over, self.stopped) if begun else object(),
        )

    @override
    def send(self, now: float) -> Change | None:
        match, shared = self._match, self.shared
        saved = match.replica.saved
        out = match.outgoing()
        if match.ledger.fold.handed != self._handed:
            # Seats have passed to others: who had them is told so loudly.
            seats = tuple(zip(match.fold.holders, match.fold.names, strict=True))
            for (old, seat), (new, other) in zip(self._seats, seats, strict=True):
                if old != new:
                    key = fingerprint(new)
                    if old == shared.me:
                        away = Says.HANDED_AWAY(seat=seat, other=other, key=key)
                        shared.tell(away, "error")
                    else:
                        on = Says.PLAYS_ON(seat=seat, other=other, key=key)
                        shared.tell(on, "warning")
            self._seats, self._handed = seats, match.fold.handed
            # Of whom nothing is wanted any more, nobody waits till they are back.
            if self.stopped and self.left:
                self._resume()
                out = [*out, *match.outgoing()]
        if out:
            self.put(out)
        if match.replica.saved != saved:
            shared.changed = True  # more is final, if nothing else is new
        return None

    # Computer players, and those who look back.

    @override
    def thoughts_to_come(self) -> Sequence[Thought]:
        if self._told_to_come or self.stopped:
            return ()
        found = self._match.to_come()
        self._told_to_come = bool(found) or self._match.fold.moves > 0
        return found

    @override
    def hint(self, seat: int) -> Thought:
        return self._match.hint(seat)

    @override
    def turn(self, number: int) -> Judged:
        if not self._match.audit():
            return super().turn(number)
        if not self._turns:
            found = grading.judged(self._match.fold)
            self._turns = {turn.number: turn for turn in found}
        if number not in self._turns:
            raise LocalError(Code.USAGE, Says.NO_TURN(number=number))
        return self._turns[number]

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        match message:
            case Submit() | Entries() | Ack():  # nearly all there are
                return self.on_log(key, message, now)
            case Ask():
                self.on_ask(key, message)
            case Decline():
                self.on_decline(key, message, now)
            case _:
                return super().receive(key, message, now)
        return None

    def on_ask(self, key: bytes, ask: Ask, why: Said | None = None) -> None:
        """Say to somebody who would like a seat that there is none."""
        if key not in self._match.others or not ask.table:
            why = why or Says.MATCH_THERE()
            self.shared.decline(key, ask.table, Code.BUSY, why)

    def on_decline(self, key: bytes, decline: Decline, now: float) -> None:
        """Note that a member has left the table, and say that this is known here."""
        match, known = self._match, decline.code == Code.NO_TABLE.number
        if key not in match.others or known:  # known: that this node had left
            return
        match.link_down(key, now)
        if match.fold.over:
            return
        self.shared.decline(key, self.nonce, Code.NO_TABLE)
        if key in self._left_too:
            # That was before the player here has gone on, who had left it as well: as
            # if each had heard of the other at once, both are at it again.
            self._left_too.discard(key)
            if self.shared.is_up(key):
                match.link_up(key, now)
                match.step(now)
                return
        if key in self.left:
            return
        if not self.shared.heeds_leaving(key):
            raise PeerError(Code.TOO_MANY, "one who leaves again and again")
        self.left.add(key)
        name, why = self.shared.name_of(key), heard(decline)
        left = Says.HAS_LEFT(name=name, why=why)
        if why == Says.LEFT_TABLE():
            left = Says.HAS_LEFT_TABLE(name=name)
        # Days run on while somebody is gone: were nobody to move then, who leaves until
        # another's days are over would win by it.
        needed = key in match.fold.electors  # who has resigned is not
        if needed and not self.terms.days:
            self.stopped = left
            self._let_go()
            self.await_guests()  # others may go on, and no time runs here then
            # As the next node of this home is not at it, the rest leave it, too.
            rest = match.others - self.left
            self.shared.means.asked.leave(self.nonce, match.match, rest)
        self.shared.tell(left)

    @override
    def on_log(self, key: bytes, message: LogMessage, now: float) -> Change | None:
        match = self._match
        if key not in match.members.others:
            self.on_stranger(key, message, now)
            return None
        if key in self.left:
            if isinstance(message, Have) and not message.number:
                return None  # it has no more to do with it
            # Whoever had left has it in hand again: it goes on.
            self.left.discard(key)
            self._resume()
        if key not in match.relaying.direct:
            match.link_up(key, now)
        match.receive(key, message, now)
        if match.members.others is not self._members:
            self._greet_members(now)
        return None

    def _resume(self) -> None:
        """Go on, unless somebody has left who is needed."""
        match, means = self._match, self.shared.means
        if self.left & match.fold.electors:
            return
        self.stopped, self.shared.changed = "", True
        self.await_guests()
        means.asked.come_back(self.nonce)
        if not match.fold.over:
            means.archive.take_in_hand(match.match, self.shared.at_table)

    def on_stranger(self, key: bytes, message: LogMessage, now: float) -> None:
        """Drop what somebody without a seat says about the match, or refuse it.

        Raises:
            PeerError: NOT_A_MEMBER, and it can have got no seat.
        """
        del message, now
        if not self._may_sit(key):
            raise PeerError(Code.NOT_A_MEMBER)

    def _may_sit(self, key: bytes) -> bool:
        """Tell whether who has no seat here may have got one by an entry that is not.

        Once that is here, we greet it.  A member has agreed to that, as we know; or it
        calls, and the others may have gone on without us: too few are here, or say so.
        """
        match, peer = self._match, self.shared.peers.get(key)
        if key in match.members.keys:
            return False
        if match.handover.names(key):
            return True
        alone = match.replica.behind or not match.members.enough
        return alone and peer is not None and peer.up and not match.fold.over

    @override
    def on_chat(self, line: Chat, now: float) -> bool:
        # Dropped as what comes too early: Heard will bring it again.
        return not self._may_sit(line.author) and super().on_chat(line, now)

    def _greet_members(self, now: float) -> None:
        """Take up with members who came into the match just now."""
        match = self._match
        for key in sorted(match.others - self._members):
            if self.shared.is_up(key):
                match.link_up(key, now)
                match.step(now)
        self._members = match.others
        self.shared.fellows[match.match] = match.others

    # Windows.

    def _play(self, ask: Play, now: float) -> Reply:
        if self.stopped:
            raise LocalError(Code.STOPPED, self.stopped)
        match = self._match
        match.play(ask.seat, ask.move, match.seats.moves_at(ask.number), now)
        return "", None

    def _take_back(self, ask: table_questions.TakeBack, now: float) -> Reply:
        self._match.take_back(ask.seat, now)
        self.shared.changed = True
        return Says.TAKEN_BACK(), None

    def _claim(self, _ask: table_questions.ClaimTime, now: float) -> Reply:
        self._match.claim(now)
        return Says.TIME_CLAIMED(), None

    def _vote(self, _ask: table_questions.Vote, now: float) -> Reply:
        self._match.vote(now)
        return Says.VOTED(), None

    def _offer(self, ask: table_questions.MakeOffer, now: float) -> Reply:
        self._say(self._match.offering.offer(ask.seat, ask.what, ask.days), now)
        return Says.OFFER_MADE(), None

    def _answer_offer(self, ask: table_questions.AnswerOffer, now: float) -> Reply:
        answer = self._match.offering.answer(ask.seat, ask.head, agrees=ask.agrees)
        self._say(answer, now)
        return Says.OFFER_ANSWERED(), None

    def _prepare(self, ask: table_questions.Prepare, now: float) -> Reply:
        self.shared.changed = True
        if self.stopped:
            raise LocalError(Code.STOPPED, self.stopped)
        match, number = self._match, ask.number
        seen = -1 if number < 0 else match.seats.moves_at(number)
        match.prepare(ask.seat, ask.moves, seen, now)
        return Says.PREPARED(), None

    def _drop_prepared(self, ask: table_questions.DropPrepared, now: float) -> Reply:
        self.shared.changed = True
        self._match.drop_prepared(ask.seat, ask.moves, now)
        return Says.PREPARED_DROPPED(), None

    def _say(self, body: Wish | Response, now: float) -> None:
        """Say in the log what a player here offers, or answers."""
        if self.stopped:
            raise LocalError(Code.STOPPED, self.stopped)
        self._match.say(body, now)
        self.shared.changed = True

    def _hand(self, ask: table_questions.HandSeat, now: float) -> Reply:
        """Agree that a seat passes to another player, given by name or fingerprint.

        Raises:
            LocalError: USAGE, there is none such, or the match is of this computer
                alone: it has a key of its own, which no link can vouch for.
        """
        if self._match.hidden.key:
            raise LocalError(Code.USAGE, Says.SEATS_HERE_STAY())
        shared, members = self.shared, self._match.fold.members
        names = {**shared.names(), shared.me: shared.name}
        names |= {member.key: member.name for member in members}
        known = shared.means.known
        key = known.one_named(names, ask.whom)
        self._match.agree(ask.seat, key, names[key], now)
        self._match.step(now)
        self._greet_members(now)
        return Says.AGREED_TO_HAND(name=known.own_name(key, names[key])), None

    def succeed(self, now: float) -> list[bool]:
        """Agree that friends who have lost their keys play on under others.

        The player has said so of each of them; the other players say so themselves.

        Returns:
            Of each of their seats whether it can pass.
        """
        match, shared, found = self._match, self.shared, list[bool]()
        fold, known = match.fold, shared.means.known
        said = {(one.seat, one.key) for one in match.handover.told_of()}
        for seat, holder in enumerate(fold.holders):
            heir = b"" if fold.over or match.watching else known.heir(holder)
            if not heir or seat in fold.resigned or shared.me not in fold.electors:
                continue
            found.append(True)
            try:
                if (seat, heir) not in said or match.fold.gone:
                    match.agree(seat, heir, known.name(heir), now)
            except LocalError as error:
                if error.code is Code.DISK:
                    raise
                found[-1] = False
                name = known.own_name(holder, fold.names[seat])
                shared.tell(Says.HEIR_CANNOT(name=name, why=error.said), "error")
        if found:
            match.step(now)
            self._greet_members(now)
        return found

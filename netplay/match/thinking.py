"""Time to think: how long the turn that is on has lasted, by this node's own record.

Theory of operation.  Days run on whoever is away, so no entry counts them: each node
writes down when it first had the present turn, and when it last knew that the turn
before was still on.  Whoever is kept waiting may claim, once the time is over by its
own record, with a `Late` in the log, which changes nothing; nobody does so by itself.
Every other node judges the claim by its own record.  It says nothing against its own
seat as long as it has a turn for it, or what else it owed.  Who was shown that by
another, in time by that record, speaks against the claim, and hands it to the host: so
nobody is spoken for by what it keeps from the host, nor by what no host could enter.

The time of day here is `unix`, which runs on while this computer sleeps and which
nobody can put forward while it is on.  What passed while it was off is known by the
clock on the wall alone: the hours that members tell when they come bound it.

Minutes run, too, against who is here and owes what only it can say: tiles that are to
be lifted, a bag to be mixed, a seed.  They are counted while it is here.
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from netplay.limits import WITNESSED_A_SECOND, WITNESSED_AT_ONCE
from netplay.match.effects import NOTHING, Effects, Keep, Notice
from netplay.match.members import Members
from netplay.match.submitting import Submitting
from netplay.messages.letters import NothingLeft
from netplay.messages.log import Hour, Judgement, Submit, Turn
from netplay.rate import Buckets
from netplay.record.clocks import CONTESTING, Claimed, shows
from netplay.record.hidden import (
    Hidden,
    KeptAhead,
    KeptHour,
    KeptOff,
    KeptSeen,
    KeptThinking,
)
from netplay.record.ledger import Ledger
from netplay.record.log import Signed
from netplay.sentences import Says
from netplay.wire import pack

DAY_SECONDS: Final = 86_400

SLACK_SECONDS: Final = 600
"""By which two records of one turn may differ, and clocks on two walls."""

PRESSING_SHARE: Final = 0.4
"""Of the time of a turn: with so much left a turn that nobody has is pressing."""

FRESH_SECONDS: Final = 60
"""After a link came up: what comes later has not been missed."""

SILENT_SECONDS: Final = 86_400
"""For so long others wait to agree to a claim that lacks a keeper's word."""

TRIAL_BYTES: Final = 8 * 1024
"""Of the room that a member has: what it says is tried behind the log, proofs and all,
in some milliseconds."""

LOOK_SECONDS: Final = 3_600
"""Between looks at the time of day, at most: it runs on while this computer sleeps."""

JUST_SECONDS: Final = 3
"""For so long what has fallen due is looked at again each second."""

WITHHELD_SECONDS: Final = 120
"""Without any limit: for so long somebody who is here owes tiles before it is said."""

LATE_SECONDS: Final = 12
"""By which minutes of two nodes may differ: a link may be silent for so long."""


class Thinking:
    """The time of one match's turns at one node."""

    def __init__(
        self,
        ledger: Ledger,
        hidden: Hidden,
        members: Members,
        submitting: Submitting,
        unix: Callable[[], int | None],
        off: Callable[[], int],
    ) -> None:
        """Go on with what is kept.

        Args:
            ledger: The log.
            hidden: What is kept.
            members: Who takes part.
            submitting: What waits for the log here.
            unix: Returns the time of day, if it is known here: it never leaps.
            off: Returns for how many seconds of that this computer was off.
        """
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._submitting: Final = submitting
        self._unix: Final = unix
        self._off: Final = off
        self._met: Final[dict[bytes, float]] = {}
        """Member -> when its link came up."""
        self._parted: Final[dict[bytes, int]] = {}
        """Member -> when it was last here before, in Unix time."""
        self._rooms: Final = Buckets[bytes](WITNESSED_A_SECOND, WITNESSED_AT_ONCE)
        """Member -> for how many bytes of it there is room."""
        self._now = 0.0
        self.owes: dict[int, float] = {}
        """Seat -> since when, in seconds awake, it owes something and is here."""
        self._tried: dict[int, tuple[object, int]] = {}
        """Seat -> what was tried behind which log, and how much of it answers."""
        self.given: object = None
        """What was handed to the host last, and where."""
        self._shown: object = None
        """What of this node's was shown to whom, as the host takes it not."""
        terms = ledger.terms
        self.limit: Final = terms.days * DAY_SECONDS
        """Seconds for a turn; 0 for as long as one likes."""
        minutes = ledger.fold.clocks.minutes
        self.patience: Final = minutes * 60 if minutes else WITHHELD_SECONDS
        """Seconds for what somebody owes who is here, without days."""
        self.counts: Final = not ledger.fold.hz
        """Whether anything of that is counted."""
        self.renew()

    def renew(self) -> None:
        """Check claims that are to be entered in the log as it is now."""
        if self.counts:
            self._ledger.fold.is_early = self._is_early

    @property
    def _turn(self) -> tuple[int, int]:
        """What another turn changes: who takes a seat over begins anew.

        So does who has got the tiles that another owed it, and who owes some next; but
        not who is waited for all the while.
        """
        fold = self._ledger.fold
        return fold.moves + fold.handed, fold.passed

    # The hours of others.

    def hour(self) -> Hour | None:
        """Return what time it is here, for a member that has come."""
        unix = self._unix()
        # A bystander's word on the time counts for nothing: members hang up on it.
        if unix is None or not self.limit or self._members.watching:
            return None
        return Hour(self._ledger.log.match, unix)

    def on_hour(self, key: bytes, told: Hour, now: float) -> Effects:
        """Bound by a member's hours what passed while this computer was off."""
        unix, kept = self._unix(), self._hidden.thinking
        if unix is None or not self.limit:
            return NOTHING
        hour = KeptHour(key, told.at, unix, self._off())
        if not self._has_room(key, len(pack(hour)), now):
            return NOTHING
        last = self._hidden.hours.get(key)
        if last is None:
            return (Keep(hour),)
        ahead = (unix - last.ours) - max(0, told.at - last.theirs)
        extra = min(ahead, hour.off - last.off)
        if extra <= SLACK_SECONDS or kept is None:
            return (Keep(hour),)
        began, earliest = (
            min(unix, kept.began + extra),
            min(unix, kept.earliest + extra),
        )
        ran = tuple((seat, min(unix, since + extra)) for seat, since in kept.ran)
        less = replace(kept, began=began, earliest=earliest, ran=ran)
        name, hours = self._members.name(key), max(1, round(extra / 3600))
        # Others will say the same of these seconds, which are taken off once.
        others = (one for by, one in self._hidden.hours.items() if by != key)
        shifted = [Keep(replace(one, off=one.off + extra)) for one in others]
        if self._hidden.off:
            shifted.append(Keep(KeptAhead(extra)))
        notice = Notice(Says.CLOCK_AHEAD(name=name, hours=hours))
        return Keep(hour), Keep(less), *shifted, notice

    # The turn that is on.

    def met(self, key: bytes, now: float) -> None:
        """Note that a member can be reached from now on."""
        self._met[key] = now

    def look(self, now: float) -> Effects:
        """Write down that another turn has begun, if one has."""
        self._now = now
        fold = self._ledger.fold
        if not self.limit:  # most matches: no need to ask how late it is
            if self.owes or fold.bag is not None or fold.stuck:
                # Since when those have owed something who are here
                members = self._members
                here = (
                    {members.me, *members.greeted} if members.quorate else set[bytes]()
                )
                owing = set[int]() if fold.over else fold.withholding
                self.owes = {
                    seat: self.owes.get(seat, now)
                    for seat in owing
                    if fold.holders[seat] in here
                }
            me, holders = self._members.me, fold.holders
            owes = self.owes and any(holders[seat] == me for seat in self.owes)
            late = owes and fold.timed
            waits = late and bool(self._submitting.waiting)
            return self._show() if waits and self._presses() else NOTHING
        kept, unix = self._hidden.thinking, self._unix()
        if unix is None or fold.over or not fold.number:
            return NOTHING
        granted = self._granted(unix) if fold.offers.agreed else ()
        if kept is not None and kept.turn == self._turn:
            mine = (fold.holders[seat] == self._members.me for seat in fold.claimable())
            if self._submitting.waiting and any(mine) and self._presses():
                return *granted, *self._show()
            return granted
        fresh = kept is None or self._is_fresh(now)
        earliest = unix if fresh or kept is None else kept.contact
        moves, passed = self._turn
        before, ran = unix if kept is None else kept.began, list[tuple[int, int]]()
        if kept is not None and kept.moves == moves:
            before = kept.before  # of the move that nobody may know of yet
            # Who owes something gains no time by it that another does, too, since: a
            # new host begins chance again.
            waited = fold.awaited.items()
            ran = [(n, _began(kept, n)) for n, first in waited if first <= kept.passed]
        begun = KeptThinking(moves, unix, earliest, unix, before, passed, tuple(ran))
        return *granted, Keep(begun)

    def _show(self) -> Effects:
        """Show to the others what waits for the host, once."""
        waiting, members = self._submitting.waiting, self._members
        shown = [one.signed.signature for one in waiting], members.version
        if shown == self._shown:
            return NOTHING
        self._shown = shown
        keys = sorted(members.greeted)
        return *self._submitting.leave(), *self._submitting.show(keys, everything=True)

    def _granted(self, unix: int) -> tuple[Keep, ...]:
        """Write down days off that were granted and are not written down yet.

        Who has days off already has the new ones behind those.
        """
        agreed, kept = self._ledger.fold.offers.agreed, self._hidden.off
        granted = [one for one in agreed if one.what == "days"]
        if len(granted) <= len(kept):
            return ()
        one = granted[len(kept)]  # the next at the next look
        ends = (off.until for off in kept if off.seat == one.seat)
        since = max(unix, *ends, 0)
        return (Keep(KeptOff(one.seat, since, since + one.days * DAY_SECONDS)),)

    def off(self) -> list[tuple[int, int]]:
        """Return who has days off, and for how many more seconds."""
        unix, offs = self._unix(), self._hidden.off
        if unix is None or self._ledger.fold.over:
            return []
        ends = {one.seat: one.until for one in offs if one.since <= unix}
        return [(seat, end - unix) for seat, end in sorted(ends.items()) if end > unix]

    def _stood(self, seat: int, since: int, unix: int) -> int:
        """Return for how many seconds the days of a seat have stood still."""
        return sum(
            max(0, min(unix, one.until) - max(since, one.since))
            for one in self._hidden.off
            if one.seat == seat
        )

    def _is_fresh(self, now: float) -> bool:
        """Tell whether what comes now was said just now."""
        members = self._members
        if members.hosting:
            return True
        met = self._met.get(members.host, 0.0)
        return members.host in members.linked and now >= met + FRESH_SECONDS

    def part(self, key: bytes, now: float) -> Effects:
        """Note that a member goes: if the host, until now there was nothing newer."""
        kept, unix = self._hidden.thinking, self._unix()
        if unix is not None:
            self._parted[key] = unix
        gone = key == self._members.host
        if kept is None or unix is None or not (gone and self._is_fresh(now)):
            return NOTHING
        return (Keep(replace(kept, contact=max(unix, kept.contact))),)

    @property
    def left(self) -> int | None:
        """The seconds that the turn has left by this record, None without a limit."""
        return min(self._lefts(), default=None)

    def _lefts(self) -> list[int]:
        """Return what each has left who is waited for."""
        if not (self.limit or self.owes):
            return []
        fold = self._ledger.fold
        seats = fold.overdue() if self.limit else fold.claimable()
        found = map(self.left_of, () if fold.over else seats)
        return [left for left in found if left is not None]

    def left_of(self, seat: int) -> int | None:
        """Return how many seconds a seat has left that is waited for, if they count."""
        if not self.limit:
            since = self.owes.get(seat)
            return None if since is None else round(self.patience - self._now + since)
        kept, unix = self._hidden.thinking, self._unix()
        if kept is None or unix is None:
            return None
        began = _began(kept, seat)
        return began + self.limit - unix + self._stood(seat, began, unix)

    @property
    def left_before(self) -> int | None:
        """The seconds that the turn before has left where nobody knows of its move."""
        kept, unix = self._hidden.thinking, self._unix()
        if not self.limit or kept is None or unix is None:
            return None
        return kept.before + self.limit - unix

    @property
    def short(self) -> bool:
        """Whether a quarter of the time is left, or less."""
        left = self.left if self.limit else None
        return left is not None and left <= self.limit // 4

    @property
    def _pressing(self) -> float:
        """The seconds that are left when what nobody has is pressing."""
        return PRESSING_SHARE * (self.limit or self.patience)

    def _presses(self) -> bool:
        """Tell whether a turn made here is to be shown though its host takes it not.

        A host that claims need only be deaf for one member: then the others are all
        who can say that the turn was made.
        """
        members, fold = self._members, self._ledger.fold
        if members.hosting or not members.greeted - {members.host}:
            return False
        claims = fold.claims.standing
        claimed = any(fold.holders[one.seat] == members.me for one in claims)
        left = self.left
        return claimed or (left is not None and left <= self._pressing)

    def _is_early(self, seat: int) -> bool:
        """Tell whether there is time left for a seat, for certain."""
        if not self.limit:
            since = self.owes.get(seat)
            passed = 0.0 if since is None else self._now - since
            return passed * 1.01 < self.patience - LATE_SECONDS
        kept, unix = self._hidden.thinking, self._unix()
        if unix is None:
            return False
        if kept is None or kept.turn != self._turn:
            return True
        # Away when the move came, its player has that time from then on: nobody can
        # tell when a move was made that only a claimant who may lie has seen.
        since = _began(kept, seat)
        stood = self._stood(seat, since, unix)
        return unix - since - stood < self.limit - SLACK_SECONDS

    def over_at(self, seat: int) -> int:
        """Return when a seat's time is over, in Unix time; 0 if nobody knows."""
        unix, left = self._unix(), self.left_of(seat)
        return 0 if unix is None or left is None else max(0, unix + left)

    # Claims.

    def asks(self, keeper: bytes) -> Iterator[tuple[bytes, int]]:
        """Yield of whose letters a keeper's word is wanted, and since when.

        A claim brings it, so it is asked for as soon as there may be one.
        """
        left, kept, fold = self.left, self._hidden.thinking, self._ledger.fold
        named = keeper in self._ledger.terms.keepers
        if not named or left is None or left > 0 or kept is None:
            return
        for seat in sorted(fold.claimable()):
            author, left = fold.holders[seat], self.left_of(seat)
            if author == self._members.me or left is None or left > 0:
                continue
            word = self._hidden.post.nothing.get((author, keeper))
            said = word is not None and word.at >= self.over_at(seat) - SLACK_SECONDS
            if not said and not self.holds_turn(seat):
                yield author, _began(kept, seat)

    def words(self, seat: int) -> tuple[NothingLeft, ...]:
        """Return what the keepers of the terms have signed for a claim of this turn."""
        nothing, author = self._hidden.post.nothing, self._ledger.fold.holders[seat]
        keepers, over = self._ledger.terms.keepers, self.over_at(seat) - SLACK_SECONDS
        found = [nothing.get((author, keeper)) for keeper in keepers]
        return tuple(one for one in found if one is not None and one.at >= over)

    def seen(self, key: bytes, submit: Submit, now: float) -> Effects:
        """Keep what a member has said and its host has not entered yet, with the time.

        It has been checked that the member has signed it.  What comes as soon as its
        author can be reached may have been made at any time since it was here last.
        """
        unix = self._unix()
        if unix is None or not self._ledger.fold.timed:
            return NOTHING
        held = self._hidden.seen.get(key, ())
        if any(one.submit == submit for one in held):
            return NOTHING
        # An older word of that number, as a file may bring it, is no better than what
        # speaks for its author.
        if any(one.submit.own == submit.own for one in held) and self._speaks(key):
            return NOTHING
        here = key in self._members.linked
        fresh = not here or now < self._met.get(key, now) + FRESH_SECONDS
        earliest = self._parted.get(key, 0) if fresh else unix
        seen = KeptSeen(key, submit, unix, earliest)
        return (Keep(seen),) if self._has_room(key, len(pack(seen)), now) else NOTHING

    def _has_room(self, key: bytes, size: int, now: float) -> bool:
        """Tell whether more may be kept of a member, which can sign without end.

        What is not kept would have spoken for that member alone.
        """
        return self._rooms.take(key, now, size)

    def holds_turn(self, seat: int) -> bool:
        """Tell whether what a seat owes is here, and the log does not have it."""
        fold, log, waiting = self._ledger.fold, self._ledger.log, self._submitting
        if fold.holders[seat] != self._members.me:
            return bool(self.shown(seat))
        # Of one's own turn that is enough: who has made it does not say it has not.
        bodies = [*waiting.bodies, *([] if waiting.held is None else [waiting.held])]
        if any(
            isinstance(body, Turn)
            and body.seat == seat
            and fold.is_after(body.after, log.head)
            for body in bodies
        ):
            return True
        said = [one.signed for one in waiting]
        return bool(said) and self._answers(seat, said) > 0

    def shown(self, seat: int) -> tuple[Submit, ...]:
        """Return what its player has shown here that ends what a seat owes, in time.

        Nothing of the host's: who enters what it makes has no need to show it.
        """
        fold, key = self._ledger.fold, self._ledger.fold.holders[seat]
        row, said = self._row(key)
        if not row or key in {self._members.host, self._members.me}:
            return ()
        # What has just come the host enters by itself, as a rule, and needs no trial.
        if self._youth(key) > 0 and fold.claims.against(seat) is None:
            return tuple(one.submit for one in row)
        row = row[: self._answers(seat, said)]
        if not self.limit:  # minutes run only while it can still be said
            return tuple(one.submit for one in row)
        # Nobody else was here to see it: the first time that is believed.
        spent, until = fold.claims.is_spent(seat), self._until(seat)
        if any((one.at if spent else one.earliest) > until for one in row):
            return ()
        return tuple(one.submit for one in row)

    def _row(self, key: bytes) -> tuple[list[KeptSeen], list[Signed]]:
        """Return what somebody has shown, from the next number on, without a gap."""
        own = self._ledger.log.own(key)
        held = [one for one in self._hidden.seen.get(key, ()) if one.submit.own >= own]
        row = [one for n, one in enumerate(held) if one.submit.own == own + n]
        shown = (one.submit for one in row)
        return row, [Signed(key, o.own, o.body, o.signature) for o in shown]

    def _speaks(self, key: bytes) -> bool:
        """Tell whether what somebody has shown ends what one of its seats owes."""
        fold, said = self._ledger.fold, self._row(key)[1]
        owed = (seat for seat in fold.claimable() if fold.holders[seat] == key)
        return bool(said) and any(self._answers(seat, said) for seat in owed)

    def _answers(self, seat: int, said: list[Signed]) -> int:
        """Return how much of what somebody has said ends what a seat owes; 0: none."""
        what = self._ledger.log.head, [one.signature for one in said]
        known, count = self._tried.get(seat, (None, 0))
        if what == known:
            return count
        author = said[0].author
        if author != self._members.me and not self._has_room(
            author, TRIAL_BYTES, self._now
        ):
            return 0
        count = self._ledger.answers(seat, said)
        self._tried[seat] = what, count
        return count

    def hand_on(self) -> list[tuple[bytes, Submit]]:
        """Return what others have shown here and its host has not entered: once.

        Returns:
            Each with its author, in the order in which it is to be entered.
        """
        fold, members = self._ledger.fold, self._members
        reached = members.hosting or members.host in members.greeted
        if not self._hidden.seen or fold.over or not reached or not members.quorate:
            return []
        found = self.held()
        place = self._ledger.log.head, members.version, found
        if not found or place == self.given:
            return []
        self.given = place
        return found

    def held(self) -> list[tuple[bytes, Submit]]:
        """Return what was shown here, has waited, and ends what its author owes."""
        fold, found = self._ledger.fold, list[tuple[bytes, Submit]]()
        for seat in sorted(fold.claimable()) if self._hidden.seen else ():
            key, claimed = fold.holders[seat], fold.claims.against(seat) is not None
            if claimed or self._youth(key) <= 0:
                found += ((key, one) for one in self.shown(seat))
        return found

    def _youth(self, key: bytes) -> int:
        """Return for how many seconds the host may still enter by itself what came."""
        unix, held = self._unix(), self._hidden.seen.get(key)
        return held[-1].at + FRESH_SECONDS - unix if held and unix is not None else 0

    def _is_told(self) -> bool:
        """Tell whether a turn that was made would have come here by now.

        What was judged while this node was away would come to the host before those
        who are to speak against it.
        """
        return self._members.by_mail or self._is_fresh(self._now)

    def _may_agree(self, claim: Claimed) -> bool:
        """Tell whether a turn that was made would have come here, by letter, too.

        Whoever claims may leave out what a keeper says: where one is silent, a day
        more brings the letters themselves.
        """
        kept, unix = self._hidden.thinking, self._unix()
        if kept is None or unix is None:
            return self._is_told()
        until = self._until(claim.seat)
        said = {
            word.keeper
            for word in claim.words
            if word.since <= _began(kept, claim.seat) + SLACK_SECONDS
            and word.at >= until - 2 * SLACK_SECONDS
        }
        silent = not said.issuperset(self._ledger.terms.keepers)
        return self._is_told() and (not silent or unix >= until + SILENT_SECONDS)

    def _until(self, seat: int) -> int:
        """Return until when a turn of a seat is in time, by this record."""
        kept = self._hidden.thinking
        if kept is None:
            return 0
        began = _began(kept, seat)
        stood = self._stood(seat, began, began + self.limit)
        return began + self.limit + stood + SLACK_SECONDS

    def owed(self) -> Iterator[Judgement]:
        """Yield what this node's record says of the claims that stand."""
        fold, me = self._ledger.fold, self._members.me
        stands = fold.claims.standing or fold.claims.stopped
        if not stands or not fold.timed or me not in fold.electors:
            return
        for claim in fold.claims.standing:
            if me in {claim.author, *claim.agreed}:
                continue
            own = fold.holders[claim.seat] == me
            said = claim.objected and len(fold.electors) > CONTESTING
            spent = fold.claims.is_spent(claim.seat) and not said
            early = self._is_early(claim.seat)
            if self.holds_turn(claim.seat) or (claim.objected and early and not own):
                if not own or spent:
                    yield Judgement(claim.head, agrees=False, receipts=())
            elif not early and (own or self._may_agree(claim)):
                yield Judgement(claim.head, agrees=True, receipts=())
        yield from self._cleared()

    def _cleared(self) -> Iterator[Judgement]:
        """Yield what keepers have signed against claims that turns here came behind."""
        fold, keepers = self._ledger.fold, self._ledger.terms.keepers
        for late in fold.claims.stopped:
            if fold.holders[late.seat] == self._members.me:
                held = self._hidden.post.receipts.values()
                lied = {one.keeper for one in fold.claims.lied if one.head == late.head}
                good = [
                    one
                    for one in held
                    if one.keeper in keepers and shows(one, late)
                    if one.keeper not in lied
                ]
                if good:
                    yield Judgement(late.head, agrees=False, receipts=(good[0],))

    def on_line(self, line: Claimed) -> Effects:
        """Tell the player here of a claim that this node's record contradicts."""
        own = self._ledger.fold.holders[line.seat] == self._members.me
        if not own or not (self._is_early(line.seat) or self.holds_turn(line.seat)):
            return NOTHING
        name = self._members.name(line.author)
        return (Notice(Says.CLAIM_TOO_SOON(name=name)),)

    def deadline(self, now: float) -> float | None:
        """Return when the time is short, or over."""
        if not (self.limit or self.owes):
            return None
        lefts = self._lefts()
        left = min(lefts, default=None)
        if not self.limit:
            if left is None or left <= 0:
                return None
            pressing = left - self._pressing
            return now + (pressing if pressing > 0 else left) + 1
        if left is None:
            return None
        standing = self._ledger.fold.claims.standing
        ends = (left - self.limit // 4, *lefts)
        # Also what was due a moment ago: this may be asked between that and the waking.
        times = [max(one, 1) for one in ends if one > -JUST_SECONDS]
        if standing and not self._is_told():
            times.append(FRESH_SECONDS + 1)
        young = (self._youth(key) for key in self._hidden.seen)
        times += (max(one, 0) + 1 for one in young if one > -JUST_SECONDS)
        again = standing or times
        return now + min(*times, LOOK_SECONDS, LOOK_SECONDS) if again else None


def _began(kept: KeptThinking, seat: int) -> int:
    """Return since when a record has waited for a seat."""
    return dict(kept.ran).get(seat, kept.began)

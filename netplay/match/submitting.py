"""Bodies on their way into the log: written here, sent to the host, entered by it.

Theory of operation.  What a member writes waits here, numbered without a gap behind
what the log has of it, until it is in the log or refused.  The host enters bodies while
a quorum is there; everybody else submits theirs to it, and again whenever it may have
dropped them.  The author's own numbers make that harmless.

A turn can be made while nobody is there to take it.  It waits like everything else, and
may be taken back as long as its signed bytes have left by no way: whoever holds them
could enter them later.  So that they leave is on the disk before they do.  A host that
enters alone (`Members.alone`) holds its player's turn back likewise, or a claim, until
it is to leave, or somebody is there.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import SUBMITS_WAITING
from netplay.match.effects import (
    NOTHING,
    Effect,
    Effects,
    Follow,
    Keep,
    Notice,
    Stop,
    to,
)
from netplay.match.members import Members
from netplay.match.replica import Replica, place_at
from netplay.messages import log as messages
from netplay.messages.types import REASON_CHARACTERS
from netplay.record.clocks import CONTESTING
from netplay.record.fold import Fold
from netplay.record.hidden import Hidden, KeptBody, KeptGrant, KeptLeft, KeptTurn
from netplay.record.ledger import Ledger
from netplay.record.log import Log, Signed, Signer, author_data, digest, read_body
from netplay.said import spoken
from netplay.sentences import Says
from netplay.wanted import Outgoing
from netplay.wire import pack
from rules.game import IllegalMoveError, Resign

RESIGNS: Final = pack(Resign())

REMADE: Final = (
    messages.Commit,
    messages.Seed,
    messages.Mask,
    messages.Mix,
    messages.Spare,
    messages.Lift,
    messages.Blame,
    messages.Judgement,
)
"""What is never said again in another history: whoever owes it makes it anew."""


def fit(body: messages.LogBody, log: Log, fold: Fold) -> messages.LogBody | None:
    """Return a body as it fits a log that has changed since it was written.

    A move names the history it was made in.  In another one it may be said again where
    its player sees the very same; None where that is for the player to say.
    """
    if isinstance(body, messages.Response):
        return body if fold.offers.find(body.offer) is not None else None
    if not isinstance(body, messages.Turn | messages.Late | messages.Wish):
        return body
    if isinstance(body, messages.Turn) and body.move == RESIGNS:
        return body
    if fold.is_after(body.after, log.head):
        return body
    return replace(body, after=log.head) if body.state == fold.digest() else None


class Waiting(Struct, frozen=True):
    """A body that waits for the host."""

    signed: Signed
    body: messages.LogBody
    left: bool
    """Its signed bytes may be elsewhere."""

    def is_turn_of(self, seat: int) -> bool:
        """Tell whether it is a turn of a seat."""
        return isinstance(self.body, messages.Turn) and self.body.seat == seat


class Submitting:
    """What one node has written and the log does not have yet."""

    def __init__(
        self, signer: Signer, ledger: Ledger, hidden: Hidden, members: Members
    ) -> None:
        """Take back what was written and not entered before the node ended."""
        self._signer: Final = signer
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self.waiting: list[Waiting] = []
        """In order of own numbers."""
        self.held: messages.Turn | None = None
        """A turn made here that cannot be said before a lift which is still owed."""
        self.news = 0
        """Counts how often what waits has changed."""
        self.early = False
        """A turn waits that was made while nobody was there to take it."""
        self._tried = b"", b""
        """Behind which head it was last looked whether what waits has a place there."""
        self._backs = False
        """A turn or a claim waits, which a host that is alone holds back."""
        self._released = False
        """It is to leave now, by whatever way."""
        own = ledger.log.own(signer.key)
        while raw := hidden.bodies.get(own, b""):
            try:
                body = read_body(raw)
            except PeerError:  # written by a program of another version
                break
            self.waiting.append(self._sign(own, raw, body, left=own in hidden.left))
            own += 1
        self.held = self._kept_turn()
        self.look()

    def __iter__(self) -> Iterator[Waiting]:
        """Iterate in order of own numbers."""
        return iter(self.waiting)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.waiting)

    @property
    def bodies(self) -> list[messages.LogBody]:
        """What waits, in order."""
        return [one.body for one in self.waiting]

    def _kept_turn(self) -> messages.Turn | None:
        """Return the turn that waited for what was to be said before, if it still does.

        A crash may have come between that it was said and that this was written.
        """
        turn = read_body(self._hidden.turn) if self._hidden.turn else None
        if not isinstance(turn, messages.Turn) or turn in self.bodies:
            return None
        fold, head = self._ledger.fold, self._ledger.log.head
        return turn if fold.is_after(turn.after, head) else None

    def look(self) -> None:
        """Note whether a turn waits for somebody who takes it.

        One that is on its way to the host counts only once this is asked again: when
        too few are here to enter it, or it takes long.
        """
        held = self.held is not None
        self.early = held or any(
            isinstance(one.body, messages.Turn) for one in self.waiting
        )
        claims = any(isinstance(one.body, messages.Late) for one in self.waiting)
        self._backs = self.early or claims
        self._released = self._released and self._backs

    def hold(self, turn: messages.Turn | None) -> Effects:
        """Have a turn wait for what is to be said before, or none any more."""
        self.held = turn
        self.news += 1
        self.look()
        return (Keep(KeptTurn(b"" if turn is None else pack(turn))),)

    @property
    def holding(self) -> bool:
        """Whether a host that is alone holds its own back, a turn of its player's."""
        if not self._backs or self._released:
            return False
        return bool(self.waiting) and self._members.alone

    @property
    def enters(self) -> bool:
        """Whether this node, which is host, is to enter what waits."""
        return bool(self.waiting) and self._members.hosting and not self.holding

    # What is written here.

    def submit(self, body: messages.LogBody, at: int, *, hold: bool = False) -> Effects:
        """Write a body of our own, and enter it or send it to the host.

        Args:
            body: What to say.
            at: Milliseconds of the match.
            hold: As host that is alone, do not enter it before it is to leave.

        Raises:
            LocalError: TOO_MANY wait already.
            PeerError: As host: it has no place in the log.
            IllegalMoveError: As host: the rules forbid it.
        """
        if len(self.waiting) >= SUBMITS_WAITING:
            raise LocalError(Code.TOO_MANY, Says.HOST_SILENT())
        members = self._members
        leaves = members.host in members.greeted
        before = self.news
        waiting = self.add(body, left=leaves)
        waits = hold or isinstance(body, messages.Late)
        holds = members.hosting and (self.holding or (waits and members.alone))
        if members.hosting and members.quorate and not holds:
            try:
                return self._end_waiting(waiting, at)  # the log is where it is kept
            except (PeerError, IllegalMoveError):
                self.waiting.pop()
                self.news = before  # else a duty that is refused would be news for ever
                raise
        kept = Keep(KeptBody(waiting.signed.own, waiting.signed.body, leaves))
        if not (leaves and members.quorate):
            self.look()
        return (kept, self._message(waiting)) if leaves else (kept,)

    def add(self, body: messages.LogBody, *, left: bool = True) -> Waiting:
        """Sign a body with the next number and remember it."""
        log = self._ledger.log
        own = log.own(self._signer.key) + len(self.waiting)
        waiting = self._sign(own, pack(body), body, left=left)
        self.waiting.append(waiting)
        self.news += 1
        log.vouch(waiting.signed, body)
        return waiting

    def _sign(
        self, own: int, raw: bytes, body: messages.LogBody, *, left: bool
    ) -> Waiting:
        """Return a body with its signature."""
        data = author_data(self._ledger.log.match, own, raw)
        signed = Signed(self._signer.key, own, raw, self._signer.sign(data))
        return Waiting(signed, body, left)

    def _message(self, waiting: Waiting) -> Outgoing:
        """Return a body as the host is asked to enter it."""
        return Outgoing((self._members.host,), self.as_asked(waiting))

    def as_asked(self, waiting: Waiting) -> messages.Submit:
        """Return a body as whoever is host is asked to enter it."""
        one = waiting.signed
        return messages.Submit(self._ledger.log.match, one.own, one.body, one.signature)

    def submit_all(self) -> Effects:
        """Send the host again all that it has not entered."""
        members = self._members
        if members.hosting or members.host not in members.linked:
            return NOTHING
        return *self.leave(), *map(self._message, self.waiting)

    def show(self, keys: Sequence[bytes], *, everything: bool = False) -> Effects:
        """Show what waits for the host to others, who can say when it came.

        Args:
            keys: Theirs.
            everything: What no turn waits behind, too.
        """
        members = self._members
        keys = tuple(key for key in keys if key not in {members.host, members.me})
        if members.hosting or not keys:
            return NOTHING
        shown = self._shown() if everything else self.left_turns()
        return [Outgoing(keys, one) for one in shown]

    def _shown(self) -> list[messages.Submit]:
        """Return what others may be shown: no seeds, nor what waits behind them.

        Under another host a seed is another one, and no word of the first is to count.
        """
        chance = messages.Commit, messages.Seed
        fit = takewhile(lambda one: not isinstance(one.body, chance), self.waiting)
        return [self.as_asked(one) for one in fit]

    def left_turns(self) -> list[messages.Submit]:
        """Return the turns that wait and have left, each with what waits before it.

        Without that nobody could enter it.
        """
        turns = [isinstance(w.body, messages.Turn) and w.left for w in self.waiting]
        last = max((n for n, turn in enumerate(turns, 1) if turn), default=0)
        return self._shown()[:last]

    # What leaves.

    def leave(self) -> Effects:
        """Take nothing back any more of what waits: its signed bytes leave now.

        With days to think the others see a turn, too: they can say when it came.
        """
        fresh = [one.signed.own for one in self.waiting if not one.left]
        if not fresh:
            return NOTHING
        self.waiting = [replace(one, left=True) for one in self.waiting]
        left = [Keep(KeptLeft(own)) for own in fresh]
        days = self._ledger.terms.days
        return (*left, *self.show(sorted(self._members.greeted))) if days else left

    def let_go(self) -> None:
        """As host that is alone, hold nothing back of what waits now."""
        self._released = self._backs

    def asked(self) -> list[messages.Submit]:
        """Return all that waits, as whoever carries it to the host is given it.

        The caller has said before that it leaves: see `leave`.
        """
        return [self.as_asked(one) for one in self.waiting]

    def may_take_back(self, seat: int) -> bool:
        """Tell whether the last turn of a seat has left by no way."""
        if self.held is not None and self.held.seat == seat:
            return not self.blocked(self.held)  # what a host refused, others may have
        own = [one for one in self.waiting if one.is_turn_of(seat)]
        return bool(own) and not own[-1].left

    def take_back(self, seat: int) -> Effects:
        """Take back the last turn of a seat that waits here.

        Raises:
            LocalError: USAGE, there is none, or its signed bytes have left.
        """
        if self.held is not None and self.held.seat == seat:
            if self.blocked(self.held):
                raise LocalError(Code.USAGE, Says.HAS_LEFT_HERE())
            return self.hold(None)
        own = [one for one in self.waiting if one.is_turn_of(seat)]
        if not own:
            raise LocalError(Code.USAGE, Says.NOTHING_TO_TAKE_BACK())
        if own[-1].left:
            raise LocalError(Code.USAGE, Says.HAS_LEFT_HERE())
        return self._drop(own[-1])

    def unsay(self, seat: int) -> Effects:
        """Take back that the time of a seat was over, which has a turn after all."""
        claim = self._ledger.fold.claims.against(seat)
        return [
            effect
            for one in [*self.waiting]
            if isinstance(one.body, messages.Judgement)
            and one.body.agrees
            and not one.left
            if claim is not None and one.body.claim == claim.head
            for effect in self._drop(one)
        ]

    # What becomes of it.

    def entered(self, body: messages.LogBody) -> Effects:
        """Forget a body that has come into the log as this node's last.

        It may be another than the next in order: one sent before its number was given
        to another, and entered by a host that had not heard of that.  Then the others
        have new numbers.
        """
        # Its first bytes were still on their way, and have found a place after all.
        held = self.hold(None) if body == self.held else NOTHING
        if not self.waiting:
            return held
        first = self.waiting[0]
        own = self._ledger.log.own(self._signer.key) - 1
        if first.signed.own == own and first.body == body:
            del self.waiting[0]
            self.news += 1
            if self._backs:
                self.look()
            return held
        effects, gone = self.rebase([], [body])
        told = (Notice(Says.ANOTHER_MOVE_CAME()),) if gone else ()
        return *held, *told, *effects, *self.submit_all()

    def refuse(self, own: int, signature: bytes) -> tuple[Waiting | None, Effects]:
        """Take out a body that the host will not have; those behind it move up.

        What was submitted twice may be refused twice: by then its number is that of
        the next body, which the host may well enter.
        """
        for one in self.waiting:
            if (one.signed.own, one.signed.signature) == (own, signature):
                return one, self._drop(one)
        return None, NOTHING

    def _drop(self, waiting: Waiting) -> Effects:
        """Take out a body that waits; those behind it move up."""
        self.waiting.remove(waiting)
        self.news += 1
        effects = self._renumber(waiting.signed.own)
        self.look()
        return effects

    def _renumber(self, gap: int) -> Effects:
        """Sign those behind a gap again; the last number becomes free."""
        effects: list[Keep] = []
        behind = 0
        for at, waiting in enumerate(self.waiting):
            own = waiting.signed.own
            if own > gap:
                raw, left = waiting.signed.body, waiting.left
                effects.append(Keep(KeptBody(own - 1, raw, left)))
                self.waiting[at] = self._sign(own - 1, raw, waiting.body, left=left)
                behind += 1
        return *effects, Keep(KeptBody(gap + behind, b""))

    def take_all(self) -> list[messages.LogBody]:
        """Hand over all bodies; they stay on the disk until `rebase`."""
        bodies, self.waiting = self.bodies, []
        return bodies

    def rebase(
        self,
        lost: Collection[messages.LogBody],
        entered: Collection[messages.LogBody] = (),
    ) -> tuple[Effects, bool]:
        """Start again with other numbers, after the log has changed.

        What was to be said of chance is not: what a node still owes it says anew, with
        a seed that nobody can have seen in a history that was dropped.

        Args:
            lost: Own bodies whose entries were dropped: they come first.
            entered: Bodies that need not be submitted any more.

        Returns:
            What is to be done, and whether a move is left out: its player has to make
            it again.
        """
        log, fold = self._ledger.log, self._ledger.fold
        bodies = [(body, True) for body in lost]  # whoever had them may still
        bodies += [(one.body, one.left) for one in self.waiting]
        self.waiting, held = [], self.held
        effects: list[Effect] = []
        gone = False
        if held is not None:
            fitted = fit(held, log, fold)
            gone = fitted is None
            effects += self.hold(fitted if isinstance(fitted, messages.Turn) else None)
        for body, left in bodies:
            fitted = fit(body, log, fold)
            if body in entered or isinstance(body, REMADE):
                continue
            gone = gone or (
                fitted is None and isinstance(body, messages.Turn | messages.Late)
            )
            if fitted is not None:
                signed = self.add(fitted, left=left).signed
                effects.append(Keep(KeptBody(signed.own, signed.body, left)))
        self.look()
        end = log.own(self._signer.key) + len(self.waiting)
        # Nothing is recalled that had a number from here on.
        late = [n for n, body in self._hidden.bodies.items() if n >= end and body]
        return [*effects, *(Keep(KeptBody(number, b"")) for number in late)], gone

    # As host.

    def author(self, key: bytes, submit: messages.Submit) -> bytes:
        """Return which member wrote a body that has come from one of them.

        Raises:
            PeerError: BAD_SIGNATURE, none did.
        """
        log, members = self._ledger.log, self._members
        for author in (key, *sorted(members.others - {key})):
            signed = Signed(author, submit.own, submit.body, submit.signature)
            if log.is_by_its_author(signed):
                return author
        raise PeerError(Code.BAD_SIGNATURE, "a body that no member wrote")

    def on_submit(self, key: bytes, submit: messages.Submit, at: int) -> Effects:
        """Enter what a member wrote, or say why not.

        Raises:
            PeerError: BAD_SIGNATURE or NOT_A_MEMBER.
        """
        members, log = self._members, self._ledger.log
        if not (members.hosting and members.quorate) or submit.own != log.own(key):
            return NOTHING  # entered, or behind one refused; or it will come again
        signed = Signed(key, submit.own, submit.body, submit.signature)
        log.check_author(signed)
        try:
            self._enter(signed, at)
        except (IllegalMoveError, PeerError) as error:
            return (to(key, self._refusal(signed, error)),)
        return NOTHING

    def _refusal(
        self, of: Signed, error: PeerError | IllegalMoveError
    ) -> messages.Refused:
        """Return what tells an author that its body is not entered."""
        code, why = Code.ILLEGAL_MOVE, str(error)
        if isinstance(error, PeerError):
            code, why = error.code, error.reason
        place = self._ledger.log.match, of.own, of.signature
        return messages.Refused(*place, code.number, why[:REASON_CHARACTERS])

    def refused(self) -> messages.Refused | None:
        """Return how a host that is away refuses what waits first, if the log tells.

        It cannot say so: its letters and files bring the log, behind which a body that
        came too late would wait for ever, and all behind it.
        """
        head, first = self._ledger.log.head, self.waiting[0].signed
        if self._tried == (head, first.signature):
            return None
        # Of more than two others judge: once they have, these very bytes have a place.
        judged = len(self._ledger.fold.electors) > CONTESTING
        if judged and self.blocked(self.waiting[0].body):
            return None
        self._tried = head, first.signature
        error = self._ledger.refuses(first)
        return None if error is None else self._refusal(first, error)

    def _enter(self, signed: Signed, at: int, term: int | None = None) -> None:
        """Put a body into the log.

        Raises:
            PeerError: It has no place there.
            IllegalMoveError: The rules forbid the move.
        """
        line = self._ledger.log.compose(self._signer, signed, at, term)
        self._ledger.append(line, strict=True)

    def _end_waiting(
        self, waiting: Waiting, at: int, term: int | None = None
    ) -> Effects:
        """Put a body of our own into the log.

        Raises:
            PeerError: It has no place there.
            IllegalMoveError: The rules forbid the move.
        """
        self._enter(waiting.signed, at, term)
        return self.entered(waiting.body)

    def enter_waiting(self, at: int) -> Effects:
        """As a new host, enter what the old one had not, one body."""
        waiting = self.waiting[0]
        try:
            return self._end_waiting(waiting, at)
        except (PeerError, IllegalMoveError) as error:
            why = (
                PeerError(Code.ILLEGAL_MOVE, spoken(error))
                if isinstance(error, IllegalMoveError)
                else error
            )
            off = self.put_off(waiting.body, why.code)
            lost = isinstance(waiting.body, messages.Turn) and not off
            told = (Notice(why.said),) if lost else ()
            return *told, *off, *self._drop(waiting)

    def put_off(self, body: messages.LogBody, code: Code) -> Effects:
        """Have a turn wait that has no place before this node has said something else.

        Nothing was owed when it was made: a bag has been mixed since, often by a mixing
        of this node's that was said just in front of it, or somebody has claimed.
        """
        if not isinstance(body, messages.Turn) or code is not Code.UNEXPECTED:
            return NOTHING
        fold, owed = self._ledger.fold, self.blocked(body)
        if fold.bag is not None:
            owed = owed or bool(fold.bag.owed(self._signer.key, fold.owners()))
        return self.hold(body) if owed and self.held is None else NOTHING

    def blocked(self, turn: messages.LogBody) -> bool:
        """Tell whether it is a turn that an objection is to go in front of."""
        fold = self._ledger.fold
        claimed = isinstance(turn, messages.Turn) and fold.claims.blocks(turn.seat)
        return claimed and fold.timed

    def enter_first(
        self, body: messages.Term | messages.Hand, at: int, term: int | None
    ) -> Effects:
        """Enter a body in front of all that waits.

        Args:
            body: What to enter; by a Term this node is host from here on.
            at: Milliseconds of the match.
            term: That begins with it; None for the present one.

        Raises:
            PeerError: TERM, the log has moved on since they did.
        """
        before = self.waiting, self.held
        effects, _gone = self.rebase([body])
        try:
            return *effects, *self._end_waiting(self.waiting[0], at, term)
        except (PeerError, IllegalMoveError):
            # As the disk still has it, where nothing of these effects has come; and the
            # refused body would wait for ever in front of the others.
            self.waiting, self.held = before
            self.look()
            raise


# What to make of entries that are not those we have.
#
# Theory of operation. Two entries of one number and one term, both signed by the term's
# host, are the proof that it forked the log, and the end of the match. Anything else
# that leads away from our log is a *branch*. It is held beside the log until it comes
# to a term newer than our last one: that term's signatures say that a quorum had
# exactly what the branch has below it, so whatever was final is in it. Then, checked
# from its first entry to its last, it takes the place of what we have from there on.
# Where a branch leaves our log may lie before what its sender first sends us; then we
# ask for all behind our final entries, which every newer term has.


BRANCH_BYTES: Final = 4 * 1024 * 1024
"""Of entries held beside the log.  In front of a newer term stand only entries that a
host could not make final: a few seconds' worth."""


class Branch:
    """Entries that lead away from our log."""

    def __init__(self, start: int, head: bytes) -> None:
        """Begin where the log is still ours.

        Args:
            start: Number of the first entry that is not.
            head: Digest of the one before it.
        """
        self.start: Final = start
        self.raws: list[bytes] = []
        self._head = head
        self._size = 0

    def goes_on_with(self, entry: messages.Entry) -> bool:
        """Tell whether an entry is the next."""
        at = self.start + len(self.raws)
        return entry.number == at and entry.prev == self._head

    def add(self, raw: bytes) -> None:
        """Take the next entry.

        Raises:
            PeerError: TOO_LARGE.
        """
        self._size += len(raw)
        if self._size > BRANCH_BYTES:
            raise PeerError(Code.TOO_LARGE, "another history")
        self.raws.append(raw)
        self._head = digest(raw)


class Judged(NamedTuple):
    """What is to be done about an entry that does not continue the log."""

    effects: Effects
    go_on: bool
    """Whether the entries that came behind it are worth looking at."""


class Branches:
    """The history of a match that we have, beside those that others tell."""

    def __init__(
        self, ledger: Ledger, hidden: Hidden, members: Members, replica: Replica
    ) -> None:
        """Begin in good faith.

        Args:
            ledger: The log.
            hidden: What was promised.
            members: Who takes part.
            replica: Knows what is final.
        """
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._replica: Final = replica
        self._branch: Branch | None = None
        self._asked: dict[bytes, bytes] = {}
        """Member -> our head when it was asked for all behind our final entries."""
        self.unjudged: dict[bytes, messages.Fork] = {}
        """Member -> what it has shown of a term that the log does not have yet."""

    def forget(self, key: bytes) -> None:
        """Assume nothing of what a member was asked."""
        self._asked.pop(key, None)
        self.unjudged.pop(key, None)

    def weigh(self, key: bytes, entry: messages.Entry, raw: bytes) -> Judged:
        """Look hard at an entry that does not continue the log.

        Raises:
            PeerError: BAD_LOG, or what is wrong with a newer term.
        """
        log, branch = self._ledger.log, self._branch
        if entry.number < len(log) and log.lines[entry.number].raw == raw:
            return Judged(NOTHING, go_on=True)
        if entry.number <= len(log) and entry.prev == log.heads[entry.number]:
            proof = log.fork(raw)
            if proof is not None:
                return Judged((Stop(proof),), go_on=False)
            if entry.term == log.lines[entry.number].entry.term:  # not of its host
                raise PeerError(Code.BAD_LOG, f"entry {entry.number}")
            branch = self._branch = Branch(entry.number, entry.prev)
        elif branch is None or not branch.goes_on_with(entry):
            return Judged(self._ask(key, entry, raw), go_on=False)
        branch.add(raw)
        if entry.term <= log.term:
            return Judged(NOTHING, go_on=True)
        self._branch = None
        # The branch came to a newer term: it goes in the place of our entries.
        self._ledger.check_branch(branch.start, branch.raws)
        hidden, effects = self._hidden, list[Effect]()
        if self._members.bound and hidden.vouched > branch.start:
            effects.append(Keep(KeptGrant(hidden.granted, branch.start)))
        effects.append(Follow(branch.start, tuple(branch.raws)))
        return Judged(effects, go_on=True)

    def _ask(self, key: bytes, entry: messages.Entry, raw: bytes) -> Effects:
        """Ask for what is missing before an entry, once.

        Raises:
            PeerError: BAD_LOG, it is of our term and yet not of our log.
        """
        log = self._ledger.log
        proof = log.fork(raw)
        if proof is not None:
            return (Stop(proof),)
        if entry.term > log.term:
            if self._asked.get(key) == log.head:
                return NOTHING
            self._asked[key] = log.head
            # What is in every newer history: the genesis always is. To have nothing
            # would say that the match is not in hand here.
            final = messages.Have(
                log.match, *place_at(log, max(1, self._replica.final))
            )
            return (to(key, final),)
        if entry.number > len(log):
            return (to(key, self._replica.have()),)
        if entry.term == log.term:
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}: wrong chain")
        return NOTHING  # of an older term: the sender has not heard of the new host yet

    def on_fork(self, key: bytes, proof: messages.Fork, _now: float) -> Effects:
        """Look at what is said to prove a fork; it waits where nobody can tell yet.

        Raises:
            PeerError: UNEXPECTED, it does not.
        """
        log = self._ledger.log
        if log.proves(proof):
            return (Stop(proof),)
        if log.names_host_of(proof):
            raise PeerError(Code.UNEXPECTED, "no proof of a fork")
        self.unjudged[key] = proof
        return NOTHING

    def judge(self) -> Effects:
        """Look again at what waited for the log to name the host of its term."""
        log = self._ledger.log
        for key, proof in list(self.unjudged.items()):
            if log.names_host_of(proof):
                del self.unjudged[key]
                if log.proves(proof):
                    return (Stop(proof),)
        return NOTHING

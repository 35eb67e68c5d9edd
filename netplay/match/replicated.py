"""How messages find the part of a match that they concern, and what comes of it.

Theory of operation.  Every body is submitted by its author and entered by the host, in
the order in which it came; the host's own go the same way without a link.  Links may
come and go: both sides say `Have` first, whoever has more sends the rest, the author
submits again what is not in the log, and the dealer opens again what the owner may not
have heard.  All of that is idempotent, so a cut, a crash and a restart need no cases of
their own.

This is the one place that knows all parts.  What they want done is done in its order
(see `effects`).  After each change `step` lets the node do its duties (seeds, roots,
openings), until it owes nothing more; `outgoing` then syncs what was written and
releases what waited for it.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, Final

from netplay.errors import Code, LocalError, PeerError, by_number
from netplay.match.dealing import owed
from netplay.match.effects import (
    NOTHING,
    BeHost,
    Effect,
    Effects,
    Follow,
    HandOn,
    Heard,
    Keep,
    Meet,
    Notice,
    Part,
    Seldom,
    Stop,
    Write,
    to,
)
from netplay.match.parts import Parts
from netplay.match.submitting import REMADE
from netplay.messages import log as messages
from netplay.messages.types import REASON_CHARACTERS
from netplay.rate import Buckets
from netplay.record.hidden import Kept, KeptFork, KeptGrant, KeptLapse
from netplay.record.log import read_body, read_entry
from netplay.said import Said, spoken
from netplay.sanitize import clean
from netplay.sentences import Says
from netplay.wanted import Outgoing
from rules.game import IllegalMoveError

BINDING: Final = (KeptGrant, KeptLapse)
"""What decides whether this node takes part in the present term."""

REFUSED_SECONDS: Final = 1.0
"""After a host has refused what is owed, until it is said again behind the same log:
twice as long each time, or it would be made as often as lines let it refuse it."""

REFUSED_AT_MOST: Final = 600.0

VACATED_A_SECOND: Final = 20.0
"""How often one member may say that guests have gone or come (sustained): it has four
at most, none of whom comes and goes every fifth of a second."""

VACATED_AT_ONCE: Final = 200.0
"""At once: what a line that stood has kept back comes together."""


class Replicated:
    """The log of a match, replicated among its members, this node one of them."""

    _refused: tuple[bytes, float, float] = b"", 0.0, 0.0
    """The head behind which what is owed was refused, until when it waits, how long."""

    def __init__(self, parts: Parts) -> None:
        """Take up a match where its file ends.

        Args:
            parts: Its parts, whose effects are done here.
        """
        self.parts: Final = parts
        self.me: Final = parts.me
        self.notice: Final = parts.notice
        self.hidden: Final = parts.hidden
        self.ledger: Final = parts.ledger
        self.journal: Final = parts.journal
        self.members: Final = parts.members
        self.replica: Final = parts.replica
        self.masks: Final = parts.masks
        self.election: Final = parts.election
        self.losses: Final = parts.losses
        self.submitting: Final = parts.submitting
        self.branches: Final = parts.branches
        self.relaying: Final = parts.relaying
        self.stalled: Final = parts.stalled
        self.dealing: Final = parts.dealing
        self.handover: Final = parts.handover
        self.receipts: Final = parts.receipts
        self.witness: Final = parts.witness
        self.timing: Final = parts.timing
        self.thinking: Final = parts.thinking
        self.offering: Final = parts.offering
        self.plays_prepared: Callable[[float], bool] = lambda _now: False
        """Makes a move that was prepared and is due; tells whether there was one."""
        self._handlers: Final[
            dict[type[Any], Callable[[bytes, Any, float], Effects]]
        ] = {
            messages.Have: self._on_have,
            messages.Ack: self._on_ack,
            messages.Submit: self._on_submit,
            messages.Refused: self._on_refused,
            messages.Entries: self._on_entries,
            messages.Opening: self.dealing.on_opening,
            messages.Share: self.dealing.on_share,
            messages.Claim: self.election.on_claim,
            messages.Grant: self.election.on_grant,
            messages.Fork: self.branches.on_fork,
            messages.Consent: self.handover.on_consent,
            messages.Linked: self.relaying.on_linked,
            messages.Carried: self.relaying.on_carried,
            messages.Receipts: self.receipts.on_receipts,
            messages.MatchTime: self.timing.on_time,
            messages.Hour: self.thinking.on_hour,
            messages.Vacant: self._on_vacant,
        }
        self._was_quorate = False
        self._keys = self.members.keys
        self._vacated: Final = Buckets[bytes](VACATED_A_SECOND, VACATED_AT_ONCE)
        self._stepped = 0.0
        """When this node last looked what it owes."""
        self._settled: object = None
        """What was so when this node owed nothing more."""

    # Links.

    def link_up(self, key: bytes, now: float) -> None:
        """Note a link to a member."""
        self.do(self.relaying.link_up(key), now)

    def link_down(self, key: bytes, now: float) -> None:
        """Note that a link is gone."""
        self.do(self.relaying.link_down(key), now)

    def vacate(self, seats: frozenset[int], now: float) -> None:
        """Let nobody wait for a move of seats here that their guests have left."""
        if self.members.vacate(seats):
            keys = tuple(sorted(self.members.greeted))
            self.do([Outgoing(keys, self._vacant())] if keys else [], now)
            self.step(now)

    def _vacant(self) -> messages.Vacant:
        return messages.Vacant(
            self.ledger.log.match, tuple(sorted(self.members.vacant))
        )

    def _on_vacant(self, key: bytes, told: messages.Vacant, now: float) -> Effects:
        # Each makes time run or stand, of which all others are told.
        if not self._vacated.take(key, now):
            raise PeerError(Code.TOO_MANY, "guests who come and go")
        self.members.on_vacant(key, frozenset(told.seats))
        if not told.seats:  # it may have gone on with a game that was stopped
            self.relaying.tell_again(key)
        return NOTHING

    # Messages.

    def receive(self, key: bytes, message: messages.LogMessage, now: float) -> None:
        """Take a message about this match from a member.

        Raises:
            PeerError: The member broke the protocol.
        """
        # The table asks too; but no part below looks who speaks, so nobody slips by.
        if key not in self.members.others:
            raise PeerError(Code.NOT_A_MEMBER)
        # With two histories signed by one host no entry can be trusted any more.
        if self.hidden.fork is None:
            effects = self._handlers[type(message)](key, message, now)
            # Most messages want nothing done, and this is the way of each.
            if effects:
                self.do(effects, now)
            self.step(now)
        elif isinstance(message, messages.Have):
            # Who lacks the term of the two entries cannot tell that they are a proof.
            found = self.replica.on_have(key, message)
            self.do([o for o in found if isinstance(o.message, messages.Entries)], now)

    def on_message(self, key: bytes, message: messages.LogMessage, now: float) -> None:
        """Take a message from a member, however it came."""
        self.do(self._handlers[type(message)](key, message, now), now)

    def _greet(self, key: bytes, now: float) -> None:
        """Note that a member has this match in hand."""
        if not self.members.greet(key):
            return
        if key == self.members.host:
            self.do(self.dealing.give_shares(), now)
            self.do(self.submitting.submit_all(), now)
        elif self.thinking.limit:
            self.do(self.submitting.show([key]), now)

    def greet(self, key: bytes) -> None:
        """Tell somebody how late it is, and how much of the log is here."""
        for hour in self._hour(key):
            self.journal.say(hour)
        self.journal.say(to(key, self.replica.have()))

    def _hour(self, key: bytes) -> list[Outgoing]:
        """Return what tells a member how late it is, where that counts."""
        hour = self.thinking.hour()
        return [] if hour is None or key not in self.members.others else [to(key, hour)]

    def _on_have(self, key: bytes, have: messages.Have, now: float) -> Effects:
        """Send what a member lacks; submit again what the host may have dropped."""
        members = self.members
        if key in members.greeted and key == members.host:
            # Enough are here again to enter what waits.
            self.do(self.submitting.submit_all(), now)
            self.thinking.given = None
        self.check_receipts([key], now)
        self.do(self.receipts.greeted(key, have), now)
        self.do(self.timing.greet(key, now), now)
        if members.vacant:
            self.do([to(key, self._vacant())], now)
        if self.losses.ahead(have):
            # There is a newer host, or this one may have lost something: see.
            self.do(self.losses.claimed(key, have, now), now)
        elif have.number:
            self._greet(key, now)
        else:
            members.without(key)
            self.do(self.election.wake(now), now)
            # What it was told before it had the genesis it could not keep.
            return [*self.replica.on_have(key, have), *self._hour(key)]
        return self.replica.on_have(key, have)

    def _on_ack(self, key: bytes, ack: messages.Ack, now: float) -> Effects:
        """Note what a member has on its disk."""
        self.do(self.receipts.on_ack(key, ack, now), now)
        members = self.members
        if not members.hosting or ack.number <= len(self.ledger.log):
            self._greet(key, now)  # a host that lacks something must not sign it twice
        if key == members.host:
            self.witness.met(now, self.parts.unix_now(), ack.number)
        return self.replica.on_ack(key, ack)

    def _on_submit(self, key: bytes, submit: messages.Submit, now: float) -> Effects:
        """Enter what a member wrote or say why not; a guest keeps what comes early."""
        if not self.members.hosting:
            if self.parts.realtime is None and self.ledger.fold.timed:
                return self._witness(key, submit, now)
            self.stalled.on_submit(key, submit, now)
            return NOTHING
        if self.thinking.counts:
            begun = self.thinking.look(now)
            if begun:  # seldom, and this is done at every step
                self.do(begun, now)
        author: bytes | None = key
        if self.parts.realtime is not None:
            author = self.stalled.author(key, submit)
        elif len(self.members.others) > 1 and self.ledger.fold.timed:
            author = self.submitting.author(key, submit)  # of two it can be no other
        if author is None:
            return NOTHING
        effects = self.submitting.on_submit(author, submit, self.timing.at(now))
        self.members.look()
        return effects

    def _witness(self, key: bytes, submit: messages.Submit, now: float) -> Effects:
        """Keep a member's turn, so that its host cannot say that there was none."""
        # What is kept is read each time that somebody looks how late it is.
        body = read_body(submit.body)
        # What another brings is for a host, and would take the place of its author's.
        if self.submitting.author(key, submit) != key:
            return NOTHING
        # Under another host a round may have begun again, with another seed.
        if isinstance(body, messages.Commit | messages.Seed):
            return NOTHING
        return self.thinking.seen(key, submit, now)

    def _hand_on_shown(self, now: float) -> bool:
        """Have entered what was shown here; return whether this node did, as host."""
        entered = False
        for author, submit in self.thinking.hand_on():
            # Its author's signature says whose it is, whoever brings it.
            if not self.members.hosting:
                self.journal.say(to(self.members.host, submit))
                continue
            at = self.timing.at(now)
            self.do(self.submitting.on_submit(author, submit, at), now)
            self.members.look()
            entered = True
        return entered

    def _on_refused(self, key: bytes, refused: messages.Refused, now: float) -> Effects:
        """Take back a body that the host does not enter."""
        if key != self.members.host:
            return NOTHING
        waiting, effects = self.submitting.refuse(refused.own, refused.signature)
        self.do(effects, now)
        if waiting is None:
            return NOTHING
        code, apart = by_number(refused.code) or Code.UNEXPECTED, False
        if self.parts.realtime is not None:
            apart = self.parts.realtime.refuse(code)
        # Both are made anew at once, and a host may refuse them for ever.
        by = self.parts.seats.by_computer
        if isinstance(waiting.body, REMADE) or (
            isinstance(waiting.body, messages.Turn)
            and by(waiting.body.seat) is not None
        ):
            head, (last, _, wait) = self.ledger.log.head, self._refused
            wait = min(2 * wait, REFUSED_AT_MOST) if last == head else REFUSED_SECONDS
            self._refused = head, now + wait, wait
        if off := self.submitting.put_off(waiting.body, code):
            self.do(off, now)
        elif apart or isinstance(waiting.body, messages.Turn | messages.Late):
            why = clean(refused.reason, REASON_CHARACTERS)
            self.notice(PeerError(code, why).said)
        elif self.offering.is_persons(waiting.body):
            self.notice(Says.OFFER_LATE())
        return self.submitting.submit_all()

    def _on_entries(self, key: bytes, entries: messages.Entries, now: float) -> Effects:
        """Take what continues the log, or replaces its end."""
        self.on_entries(key, entries.entries, now)
        if key not in self.members.greeted:
            self._greet(key, now)
        if self.receipts.ahead:
            self.do(self.receipts.look_ahead(), now)
        if self.branches.unjudged:
            self.do(self.branches.judge(), now)
        if self.replica.early:
            self.replica.look_again()
        return self.dealing.look_again() if self.dealing.early else NOTHING

    def on_entries(self, key: bytes, raws: Iterable[bytes], now: float) -> None:
        """Take entries that continue the log; look hard at those that do not.

        Raises:
            PeerError: They are no part of any history of this match.
        """
        for raw in raws:
            log, entry = self.ledger.log, read_entry(raw)
            if entry.number == log.number and entry.prev == log.head:
                self.accept(raw, now)
                continue
            judged = self.branches.weigh(key, entry, raw)
            self.do(judged.effects, now)
            if self.thinking.limit and entry.author == key:
                body, log = read_body(entry.body), self.ledger.log
                is_after = self.ledger.fold.is_after
                # Of a host of before, which has entered it alone, and in time
                if isinstance(body, messages.Turn) and is_after(body.after, log.head):
                    what = log.match, entry.own, entry.body, entry.author_signature
                    self.do(self._witness(key, messages.Submit(*what), now), now)
            if not judged.go_on:
                return

    def accept(self, raw: bytes, now: float) -> None:
        """Append an entry of the host's.

        Raises:
            PeerError: It does not follow from the log.
        """
        ledger = self.ledger
        before = ledger.fold.clocks.on, ledger.log.at
        # Before the entry, which may end the turn whose days are counted.
        if self.thinking.counts:
            begun = self.thinking.look(now)
            if begun:  # seldom, and this is done at every step
                self.do(begun, now)
        line = ledger.accept(raw)
        entry, body, term = line.entry, line.body, isinstance(line.body, messages.Term)
        self.members.look()
        # Without clocks there is no time that a host could have made up.
        if ledger.fold.clocks.counting:
            self.do(self.witness.saw(line, before, now, self.parts.unix_now()), now)
        # The claim is new to whoever it concerns: it may have to object before its end.
        if isinstance(body, messages.Late) and ledger.fold.claims.standing:
            self.do(self.thinking.on_line(ledger.fold.claims.standing[-1]), now)
        self.timing.set(entry.at, now)
        # Only here an entry can show that something was forgotten: a host gets back its
        # own entry from another, and a newer term ends a loss.
        if term or self.members.hosting:
            self.do(self.losses.accepted(line), now)
        # It waits no more; another entered out of order gives the rest new numbers.
        # The usual entry leaves nothing to be sent again.
        if entry.author == self.me and (again := self.submitting.entered(body)):
            self.do(again, now)
        # Last: all of the old term is in place, so what is said anew is of the new one.
        if term:
            self._new_host(now)

    def _new_host(self, now: float) -> None:
        """Take up with another host."""
        effects, gone = self.submitting.rebase(())
        self.do(effects, now)
        # A player saw this move made, and it is not: unsaid, it would be looked for.
        if gone:
            self.notice(Says.GONE_BACK())
        self.dealing.forget_all()
        self.do(self.witness.new_host(), now)
        self.replica.new_host()
        self._say_all(self.replica.have())
        self.election.reset()
        self.do(self.dealing.give_shares(), now)
        self.do(self.submitting.submit_all(), now)

    # What the parts want done.

    def do(self, effects: Iterable[Effect], now: float) -> None:
        """Do what a part wants done, in its order."""
        for effect in effects:
            match effect:
                case Outgoing():
                    self.journal.say(effect)
                case Keep(kept):
                    self.keep(kept)
                case Notice(said):
                    self.notice(said)
                case Write(body):
                    self._write(body, now)
                case _:
                    self._do_seldom(effect, now)

    def _do_seldom(self, effect: Seldom, now: float) -> None:
        """Do what changes who takes part, or the log behind its end."""
        match effect:
            case BeHost(body, term):
                self._be_host(body, term, now)
            case HandOn():
                self._hand_on(effect, now)
            case Follow(start, raws):
                self._follow(start, raws, now)
            case Stop(proof):
                # For good, and everybody is shown why.
                if self.hidden.fork is None:
                    self.keep(KeptFork(proof))
                self._say_all(proof)
                self.notice(Said(Code.FORK.name))
            case Meet(key):
                self._meet(key, now)
            case Part(key):
                self._part(key, now)
            case Heard(author, message):
                # Its faults are its author's, who did not bring it.
                try:
                    self.on_message(author, message, now)
                except PeerError as error:
                    self.do(self.relaying.shut(author, error), now)

    def keep(self, kept: Kept) -> None:
        """Write what this node alone is to know; it may be bound by it from now on."""
        self.journal.keep(kept)
        if isinstance(kept, BINDING):
            self.members.renew()

    def _say_all(self, message: messages.LogMessage) -> None:
        """Have a message sent to every member that can be reached."""
        # An empty list of readers would still be encoded.
        if self.members.linked:
            self.journal.say(Outgoing(tuple(sorted(self.members.linked)), message))

    def _write(self, body: messages.LogBody, now: float) -> None:
        """Say something in the log."""
        try:
            self.submit(body, now)
        except (PeerError, IllegalMoveError, LocalError) as error:
            # Ticks are made again from the log, and a player could do nothing about it.
            if isinstance(body, messages.Ticks) and self.parts.realtime is not None:
                self.parts.realtime.restart()
            else:
                said = spoken(error)
                self.notice(said if isinstance(said, Said) else Says.WORDS(words=said))

    def _be_host(self, body: messages.Term, term: int, now: float) -> None:
        """Begin a term of this node's, as a quorum has agreed."""
        if self.members.host != self.me:
            at = self.witness.take_over(self.timing.at(now), now, self.parts.unix_now())
            self.timing.set(at, now)
        at = self.timing.at(now)
        self.do(self.submitting.enter_first(body, at, term), now)
        self.members.look()
        self.do(self.losses.over(), now)
        self._new_host(now)

    def _hand_on(self, effect: HandOn, now: float) -> None:
        """Hand a seat over alone, in front of all that waits."""
        if effect.begins is not None:
            self._be_host(effect.begins.body, effect.begins.term, now)
        at = self.timing.at(now)
        self.do(self.submitting.enter_first(effect.hand, at, None), now)
        self.members.look()

    def _follow(self, start: int, raws: tuple[bytes, ...], now: float) -> None:
        """Put a branch that came to a newer term in the place of our entries.

        Own bodies that are not in it are to be entered again.
        """
        self.check_receipts(self.receipts.unchecked, now)
        shown = self.receipts.witnesses(start)
        waiting = self.submitting.take_all()
        self.journal.unsay_places()
        lost = self.ledger.truncate(start)
        self.replica.truncated(start)
        self.parts.renew()
        for raw in raws:
            self.accept(raw, now)
        own = [line.body for line in lost if line.entry.author == self.me]
        entered = [read_body(read_entry(raw).body) for raw in raws]
        effects, gone = self.submitting.rebase([*own, *waiting], entered)
        self.do(effects, now)
        if gone:
            self.notice(Says.GONE_BACK())
        if shown:
            self.do(self.receipts.lost(start, shown), now)
        self.do(self.submitting.submit_all(), now)

    def _meet(self, key: bytes, now: float) -> None:
        """Greet a member that can be reached."""
        self.dealing.missed(key)
        self.branches.forget(key)
        self.replica.down(key)
        self.members.up(key)
        self.greet(key)
        if key == self.members.host:
            self.witness.apart()
        if self.thinking.limit:
            self.thinking.met(key, now)
        if self.hidden.fork is not None:
            self.journal.say(to(key, self.hidden.fork))
        self.do(self.handover.greet(key), now)
        self.do(self.timing.tell(now), now)

    def _part(self, key: bytes, now: float) -> None:
        """Note that a member is away."""
        if self.thinking.limit:
            self.do(self.thinking.part(key, now), now)
        self.replica.down(key)
        self.members.down(key)
        if not self.members.quorate:
            self.submitting.look()
        self.do(self.timing.tell(now), now)
        self.do(self.election.wake(now), now)

    def check_receipts(self, keys: Sequence[bytes], now: float) -> None:
        """Check what some members have signed, before it is used."""
        effects, failed = self.receipts.check_now(keys, now)
        for key in failed:
            self.replica.doubt(key)
        self.do(effects, now)

    def submit(self, body: messages.LogBody, now: float, *, hold: bool = False) -> None:
        """Say something in the log; see `Submitting.submit`.

        Raises:
            LocalError: TOO_MANY wait already.
            PeerError: As host: it has no place in the log.
            IllegalMoveError: As host: the rules forbid it.
        """
        self.do(self.submitting.submit(body, self.timing.at(now), hold=hold), now)
        if isinstance(body, messages.Turn) and self.thinking.limit:
            self.do(self.submitting.show(sorted(self.members.greeted)), now)
        self.members.look()

    # What follows.

    def step(self, now: float) -> None:
        """Do what this node owes the match, until it owes nothing."""
        members, fold = self.members, self.ledger.fold
        self._stepped = now
        # Who came into the match needs a way before anything is sent to it.
        if members.keys is not self._keys:
            self._keys = members.keys
            self.do(self.relaying.look(), now)
        # The dealer may be gone: what others hold of its seed opens the bag for the
        # audit.
        if fold.over:
            self.do(self.dealing.pool(), now)
        again = True
        # A turn that was held enters, and may make something owed in its turn.
        while again:
            news = self._news()
            # What is owed follows from this alone; working it out costs more than
            # comparing.
            if news != self._settled:
                done = self._settle(now)
                # After what is owed: a move that was prepared waits for the draw before
                # it.
                while self.hidden.prepared and self.plays_prepared(now):
                    self._settle(now)
                    done = True
                self._settled = self._news() if done else news
            again = self.submitting.held is not None and self._release(now)
            # Behind the judgements, or a claim would fall by what comes behind it.
            if self.hidden.seen and self.hidden.fork is None:
                again = self._hand_on_shown(now) or again
        # With all here and time running there is nothing new to tell.
        if fold.over or not (members.complete and self.timing.running):
            self.do(self.timing.tell(now), now)
        waits = self.thinking.limit or self.thinking.owes or fold.stuck
        # Days begin when this node sees a turn begin; without, who owes is counted.
        if self.thinking.counts and (waits or fold.bag is not None):
            begun = self.thinking.look(now)
            if begun:  # seldom, and this is done at every step
                self.do(begun, now)
        self.journal.write(now, wait=not members.hosting)

    def _release(self, now: float) -> bool:
        """Make the turn that waited for something else, if it need wait no more."""
        waiting, turn = self.submitting, self.submitting.held
        # Shown before its lift is on the disk, a crash would take it back.
        if turn is None or waiting.blocked(turn) or self.masks.hold(waiting.bodies):
            return False
        self._write(turn, now)  # the turn is on the disk before it waits no more
        self.do(self.submitting.hold(None), now)
        return True

    def _news(self) -> object:
        """Return all that decides what this node owes, to be compared."""
        fold = self.ledger.fold
        here, kept = self.members.version, self.journal.kept
        claims = fold.claims
        judged = (
            tuple(self.thinking.owed()) if claims.standing or claims.stopped else ()
        )
        waits = self._stepped < self._refused[1]
        said = self.submitting.news, self.receipts.doubts, judged, waits
        masked = () if fold.bag is None else (self.masks.news, self.replica.final)
        return fold, fold.number, here, kept, said, masked

    def _settle(self, now: float) -> bool:
        """Do what is owed, and tell what has come to light.

        Returns:
            Whether there was anything.
        """
        members, done = self.members, False
        if members.hosting and members.quorate and not self._was_quorate:
            # Enough are here again to enter what the others have written meanwhile.
            self._say_all(self.replica.have())
        self._was_quorate = members.quorate
        # One thing at a time: each entry may make the next one needless, or another's.
        while self._do_next(now):
            done = True
        told = self.parts.auditing.look()
        # Behind the duties: they may have opened what the audit waited for.
        if told:
            self.do(told, now)
        # The fold makes another value when offers change: no need to compare them.
        if self.offering.told is not self.ledger.fold.offers:
            self.do(self.offering.look(), now)
        return done or bool(told)

    def _do_next(self, now: float) -> bool:
        """Enter one body, or do one thing that is owed; return whether there was any.

        Nothing once the match is stopped for good, or what is written is not kept.
        """
        members, fold = self.members, self.ledger.fold
        stopped = self.hidden.fork is not None or self.journal.failed is not None
        # A host alone enters what no quorum may ever have: it could be lost with it.
        if stopped or (members.hosting and not members.quorate):
            return False
        # Others' bodies first, in their order; a duty may be among them already.
        if self.submitting.waiting and self.submitting.enters:
            self.do(self.submitting.enter_waiting(self.timing.at(now)), now)
            members.look()  # as a new host, it has entered what the old one had not
            return True
        # A host that is away cannot say so, and all behind it would wait for ever.
        if (
            self.submitting.waiting
            and not members.host_here
            and (refused := self.submitting.refused()) is not None
        ):
            self.on_message(members.host, refused, now)
            return True
        open_ = fold.over or fold.stuck or not fold.rounds.fixed or fold.bag
        doubted = fold.agreement.standing or self.receipts.doubts
        asked = doubted or fold.offers.standing or self.handover.wishes
        claimed = bool(fold.claims.standing or fold.claims.stopped)
        return (
            not members.watching
            and bool(open_ or asked or claimed)
            and not self.waits(now)
            and self._do_duty(now)
        )

    def waits(self, now: float | None = None) -> bool:
        """Tell whether what nobody here decides was refused just now; None: at last."""
        head, until, _ = self._refused
        now = self._stepped if now is None else now
        return head == self.ledger.log.head and now < until

    def _do_duty(self, now: float) -> bool:
        """Do one thing that is owed and not under way; return whether there was any."""
        waiting, doubted = self.submitting.bodies, self.receipts.doubted
        log, fold, masks = self.ledger.log, self.ledger.fold, self.masks
        own = owed(self.me, log, fold, self.hidden, self.parts.knows, doubted=doubted)
        # Who must stop for another's lie, looked for again at a start, is not late.
        stops = fold.claims.standing and (masks.stopped or masks.unchecked)
        more = (
            masks.owed(waiting), self.offering.owed(), self.handover.owed(),
            () if stops else self.thinking.owed(),
        )  # fmt: skip
        for seed, body in chain(own, ((None, one) for one in chain(*more))):
            # It is on its way to the host, and twice in the log it would be refused.
            if body in waiting:
                continue
            # Said before it is kept, a crash would leave a commitment nobody can open.
            if seed is not None:
                self.keep(seed)
            try:
                self.submit(body, now)
            except (PeerError, IllegalMoveError):
                continue  # it is somebody else's by now
            return True
        return False

    def wake(self, now: float) -> None:
        """Do what is due."""
        self.do(self.losses.ring(now), now)
        self.do(self.election.wake(now), now)
        if self.parts.realtime is not None and self.hidden.fork is None:
            self.do(self.parts.realtime.wake(now), now)
            slow = self.parts.realtime.slow(now)
            self.do(self.stalled.wake(now, slow=slow), now)
        self.do(self.timing.ring(now), now)
        if self.thinking.counts:
            begun = self.thinking.look(now)
            if begun:  # seldom, and this is done at every step
                self.do(begun, now)
        steady = self.parts.steady
        # Say that the clock of this computer was put forward, or back
        if self.thinking.limit and steady is not None and (ahead := steady.leapt()):
            says = Says.CLOCK_FORWARD if ahead > 0 else Says.CLOCK_BACK
            self.notice(says(hours=max(1, round(abs(ahead) / 3600))))
        self.step(now)
        self.journal.ring(now)
        self.check_receipts(self.receipts.ripe(now), now)

    def deadline(self) -> float | None:
        """Return when `wake` is wanted next."""
        members, run, fold = self.members, self.parts.realtime, self.ledger.fold
        due = self.journal.due
        times = [self.losses.due, self.receipts.due]
        # What was refused is owed still, and nothing else might wake the node for it.
        if self._stepped < self._refused[1]:
            times.append(self._refused[1])
        # Days of a match without a limit are nobody's to wait for.
        if self.thinking.counts and (self.thinking.limit or self.thinking.owes):
            times.append(self.thinking.deadline(self._stepped))
        # A match that was stopped has no ticks, and would wake the node for each.
        if run is not None and self.hidden.fork is None:
            times += run.deadline(), self.stalled.deadline()
        # A flag falls where entries are put in order; others hear of it.
        if members.hosting and fold.clocks.counting:
            times += self.timing.ring_at(), self.timing.look_at(self._stepped)
        # While all is well nobody claims, and this is asked after each message.
        if not members.content or fold.agreement.standing or self.election.against:
            times.append(self.election.deadline())
        for time in times:
            # By hand: `min` over a generator costs more calls, at every message.
            if time is not None and (due is None or time < due):
                due = time
        return due

    def outgoing(self) -> list[Outgoing]:
        """Return what is to be sent, after everything it promises is on the disk.

        Raises:
            LocalError: DISK, now or before; nothing is sent from then on.
        """
        journal = self.journal
        # What leaves may be an entry or an Ack, and both say that it is on the disk.
        if self.members.hosting or not journal.may_wait():
            self._sync()
            while self.ledger.fold.bag is not None and self._news() != self._settled:
                self.step(self._stepped)  # more may be final now, and so be lifted
                self._sync()
            # Behind the sync: a tile told of is known for good, and its draw must be as
            # well.
            if self.ledger.fold.game.ABOUT.tiled is not None:
                for key in self.replica.in_step():
                    journal.say_all(self.dealing.tell(key))
        out, ways = journal.release(), self.relaying
        if not ways.ways and ways.told_at == self.members.version:
            return out  # everybody has a link, and knows that
        return ways.route(out)

    def _sync(self) -> None:
        """Have all that was written on the disk, and say so.

        Raises:
            LocalError: DISK.
        """
        self.journal.sync()
        self.journal.say_all(self.replica.synced())

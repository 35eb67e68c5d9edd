"""One match as this node takes part in it: the log replicated, as host or as peer.

Theory of operation.  Every body is submitted by its author and entered by the host, in
the order in which it came; the host's own go the same way without a link.  An entry
leaves the host, and its acknowledgement a peer, only after `outgoing` has synced the
file, once for all that came in together.  Links may come and go: both sides say `Have`
first, whoever has more sends the rest, the author submits again what is not in the
log, and the dealer opens again what the owner may not have heard.  All of that is
idempotent, so a cut, a crash and a restart need no cases of their own.

After each change `step` lets the node do its duties (seeds, roots, openings), until it
owes nothing more.
"""

from collections.abc import Callable
from typing import Any, Final, assert_never

from netplay.duties import duties
from netplay.election import Election
from netplay.errors import Code, LocalError, PeerError, by_number
from netplay.fold import Fold, quorum
from netplay.hidden import Entropy, Hidden
from netplay.knowledge import Knowledge
from netplay.ledger import Ledger
from netplay.limits import ENTRIES_BYTES, SUBMITS_WAITING
from netplay.log import Signed, Signer, read_entry
from netplay.messages.log import (
    ENTRIES_A_FRAME,
    Ack,
    Claim,
    Clock,
    Entries,
    Fork,
    Grant,
    Have,
    LogBody,
    LogMessage,
    Opening,
    Refused,
    Share,
    Submit,
    Term,
    Turn,
)
from netplay.messages.types import REASON_CHARACTERS
from netplay.pending import Pending
from netplay.store import Disk
from netplay.table import Outgoing, Thought
from netplay.views import SeatView
from netplay.whole import audit
from netplay.wire import unpack
from rules.game import IllegalMoveError, Resign

OPENINGS_A_FRAME: Final = 100
"""A proof in a bag of a hundred tiles takes 330 bytes."""

Notice = Callable[[str], None]
"""Told in words what the players should know."""


class Match:
    """A match in hand."""

    def __init__(
        self,
        signer: Signer,
        ledger: Ledger,
        secrets: Disk,
        entropy: Entropy,
        notice: Notice,
    ) -> None:
        """Take up a match where its file ends.

        Args:
            signer: This node's key.
            ledger: The log, with its genesis at least.
            secrets: The file of this node's secrets.
            entropy: Random bytes.
            notice: Told what the players should know.
        """
        self.signer: Final = signer
        self.me: Final = signer.key
        self.ledger: Final = ledger
        self.hidden: Final = Hidden(secrets, entropy)
        self.pending: Final = Pending(signer, ledger.log.match, self.hidden)
        self.pending.recall(ledger.log)
        self.election = Election(self)
        self.notice: Final = notice
        self.linked: set[bytes] = set()
        self.forked: Fork | None = None
        self._base = ledger.log.at
        self._since: float | None = None
        self._greeted: set[bytes] = set()
        self._was_quorate = False
        self._audit = ""
        self._sent: dict[bytes, int] = {}
        self._durable: dict[bytes, int] = {}
        self._opened: dict[bytes, set[int]] = {}
        self._acked = len(ledger.log)
        self._out: list[Outgoing] = []
        self._renew()

    def _renew(self) -> None:
        """Know again what follows from the log, after it was made anew."""
        fold = self.ledger.fold
        self.knows = Knowledge(self.me, fold, self.hidden)
        self._views: dict[int | None, SeatView] = {}

    # What others ask.

    @property
    def match(self) -> bytes:
        """The name of the match."""
        return self.ledger.log.match

    @property
    def fold(self) -> Fold:
        """The public state."""
        return self.ledger.fold

    @property
    def host(self) -> bytes:
        """Who puts entries in order."""
        return self.ledger.fold.host

    @property
    def hosting(self) -> bool:
        """Whether that is this node."""
        return self.host == self.me

    @property
    def others(self) -> frozenset[bytes]:
        """The other members."""
        members = {member.key for member in self.ledger.fold.members}
        return frozenset(members - {self.me})

    @property
    def absent(self) -> frozenset[bytes]:
        """Those needed who are away."""
        return self.ledger.fold.required - self.linked - {self.me}

    @property
    def quorate(self) -> bool:
        """Whether what is entered now can become final.

        Members count once they have said what they have: a host that lost its file
        must not number entries again.
        """
        electors = self.ledger.fold.electors
        here = electors & (self._greeted | {self.me})
        reachable = self.hosting or self.host in self._greeted
        return reachable and len(here) >= quorum(len(electors))

    @property
    def final(self) -> int:
        """How many entries the host and a quorum are known to have on disk."""
        fold, mine = self.ledger.fold, len(self.ledger.log)
        have = {**self._durable, self.me: mine, self.host: mine}
        numbers = sorted((have.get(key, 0) for key in fold.electors), reverse=True)
        need = quorum(len(numbers))
        return numbers[need - 1] if numbers else mine

    @property
    def stopped(self) -> str:
        """Why the match cannot go on at all, empty if it can."""
        return Code.FORK.text if self.forked is not None else ""

    def view(self, seat: int | None) -> SeatView:
        """Return a seat's view, brought up to date."""
        view = self._views.get(seat)
        if view is None:
            view = SeatView(self.ledger.fold, seat, self.knows.proof)
            self._views[seat] = view
        view.advance()
        return view

    def at(self, now: float) -> int:
        """Return the time in milliseconds; it stands while somebody is missed."""
        running = 0.0 if self._since is None else now - self._since
        return self._base + round(running * 1000)

    @property
    def paused(self) -> bool:
        """Whether play waits for somebody who is away."""
        fold = self.ledger.fold
        waited = {fold.holders[seat] for seat in self.on_turn()}
        return not fold.over and (not self.quorate or bool(waited & self.absent))

    def thoughts(self) -> list[Thought]:
        """Return the turns of computer players at this node's seats."""
        fold, terms = self.ledger.fold, self.ledger.terms
        if self.stopped or self.paused:
            return []
        return [
            Thought(
                self.match,
                seat,
                fold.moves,
                terms.game,
                self.view(seat).state,
                terms.seats[seat].skill,
            )
            for seat in self.on_turn()
            if self.plays_by_computer(seat)
            and self.view(seat).up_to_date
            and not self._moving(seat)
        ]

    def plays_by_computer(self, seat: int) -> bool:
        """Tell whether a computer player of this node has a seat."""
        terms = self.ledger.terms
        planned = terms.members[terms.seats[seat].member].key
        mine = planned == self.me == self.ledger.fold.holders[seat]
        return mine and terms.seats[seat].kind == "computer"

    def moves_at(self, number: int) -> int:
        """Return how many moves had been made when there were so many entries.

        The log goes on without moves while seeds are shown; a player who has seen the
        last move has seen the position.
        """
        later = self.ledger.log.lines[number:]
        made = sum(isinstance(line.body, Turn | Clock) for line in later)
        return self.ledger.fold.moves - made

    def shown_state(self, seat: int) -> Any:  # noqa: ANN401 (a game's own)
        """Return the state that a window watching a seat is shown; -1: a bystander."""
        return self.view(None if seat < 0 else seat).state

    def audit(self) -> str:
        """Return what the audit says: empty until the end, then "ok" or why not."""
        if not self._audit:
            self._audit = audit(self.ledger.fold)
        return self._audit

    def clock(self, seat: int, now: float) -> tuple[int, bool]:
        """Return a seat's milliseconds left, -1 without a clock, and if it runs."""
        del seat, now
        return -1, False

    def on_turn(self) -> list[int]:
        """Return the seats that the match waits for."""
        return sorted(seat for seat in self.ledger.fold.actors if seat >= 0)

    # Links.

    def link_up(self, key: bytes, now: float) -> None:
        """Greet a member that can be reached."""
        self.linked.add(key)
        self._forget(key)
        self.say(key, self._have())
        self._tell_time(now)

    def link_down(self, key: bytes, now: float) -> None:
        """Note that a member is away."""
        self.linked.discard(key)
        self._forget(key)
        self._tell_time(now)

    def _forget(self, key: bytes) -> None:
        """Assume nothing of what a member has."""
        self._greeted.discard(key)
        self._sent.pop(key, None)
        self._opened.pop(key, None)

    def _have(self) -> Have:
        """Return how much is on this node's disk."""
        log = self.ledger.log
        return Have(log.match, log.term, len(log), log.head)

    def _tell_time(self, now: float) -> None:
        """Let the match's time run while everybody on turn is here."""
        running = not self.paused and not self.ledger.fold.over
        if running and self._since is None:
            self._since = now
        if not running and self._since is not None:
            self._base, self._since = self.at(now), None

    def say(self, key: bytes, message: LogMessage) -> None:
        """Send a message to one member, after the next sync."""
        self._out.append(Outgoing((key,), message))

    def say_have(self, key: bytes) -> None:
        """Tell a member how much is here."""
        self.say(key, self._have())

    def say_all(self, message: LogMessage) -> None:
        """Send a message to every member that can be reached."""
        if self.linked:
            self._out.append(Outgoing(tuple(sorted(self.linked)), message))

    # Messages.

    def receive(self, key: bytes, message: LogMessage, now: float) -> None:
        """Take a message about this match from a member.

        Raises:
            PeerError: The member broke the protocol.
            LocalError: DISK.
        """
        if key not in self.others:
            raise PeerError(Code.NOT_A_MEMBER)
        if self.forked is not None:
            return
        match message:
            case Have():
                self._on_have(key, message)
            case Submit():
                self._on_submit(key, message, now)
            case Refused():
                self._on_refused(key, message)
            case Entries():
                self._on_entries(key, message)
            case Ack():
                self._on_ack(key, message)
            case Opening():
                self._on_opening(message)
            case Share():
                self._on_share(key, message)
            case Claim():
                self.election.on_claim(key, message, now)
            case Grant():
                self.election.on_grant(key, message, now)
            case Fork():
                self._on_fork(message)
            case _:
                assert_never(message)
        self.step(now)

    def _on_have(self, key: bytes, have: Have) -> None:
        """Send what a member lacks; whoever has more does."""
        log = self.ledger.log
        if key in self._greeted and key == self.host:
            self._submit_all()  # enough are here again to enter what waits
        self._greet(key)
        self.say(key, self._ack())
        known = have.number <= len(log)
        if known and have.head == log.heads[have.number]:
            self._durable[key] = have.number
            self._send_tail(key, have.number)
        elif known and have.term < log.term:
            self._send_tail(key, self._first_after(have.term))
        elif known and have.term == log.term:
            self._say_entries((key,), have.number - 1)  # maybe the proof of a fork
        elif not known:
            self.say(key, self._have())  # it may have opened the match just now

    def _greet(self, key: bytes) -> None:
        """Note that a member has this match in hand."""
        if key not in self._greeted:
            self._greeted.add(key)
            if key == self.host:
                self._submit_all()

    def _ack(self) -> Ack:
        """Return what says how much is on this node's disk."""
        log = self.ledger.log
        return Ack(log.match, len(log), log.head)

    def _on_ack(self, key: bytes, ack: Ack) -> None:
        """Note what a member has on its disk, and ask for what we lack."""
        log = self.ledger.log
        self._greet(key)
        if ack.number > len(log):
            if not self.hosting and self.host not in self.linked:
                self.say(key, self._have())  # who has no link to the host asks others
        elif ack.head == log.heads[ack.number]:
            self._durable[key] = ack.number
        elif ack.number:
            self._say_entries((key,), ack.number - 1)

    def _first_after(self, term: int) -> int:
        """Return the number of the first entry of a later term."""
        lines = self.ledger.log.lines
        return next(line.entry.number for line in lines if line.entry.term > term)

    def _send_tail(self, key: bytes, start: int) -> None:
        """Bring a member up to date; the host goes on doing so."""
        if self.hosting:
            self._sent[key] = start
        else:
            self._say_entries((key,), start)

    def _say_entries(self, keys: tuple[bytes, ...], start: int) -> None:
        """Send entries from a number on, in frames that are not too large."""
        match, batch, size = self.match, list[bytes](), 0
        for raw in self.ledger.raws(start):
            full = size + len(raw) > ENTRIES_BYTES or len(batch) == ENTRIES_A_FRAME
            if batch and full:
                self._out.append(Outgoing(keys, Entries(match, tuple(batch))))
                batch, size = [], 0
            batch.append(raw)
            size += len(raw)
        if batch:
            self._out.append(Outgoing(keys, Entries(match, tuple(batch))))

    def _on_submit(self, key: bytes, submit: Submit, now: float) -> None:
        """Enter what a member wrote, or say why not."""
        if not self.hosting:
            return  # it has not heard of the new host yet, and will submit again
        signed = Signed(key, submit.own, submit.body, submit.signature)
        log = self.ledger.log
        if submit.own != log.own(key) or not self.quorate:
            return  # entered already, or behind one refused; or asked for again later
        log.check_author(signed)
        try:
            self._enter(signed, now)
        except IllegalMoveError as error:
            self._refuse(key, submit.own, Code.ILLEGAL_MOVE, str(error))
        except PeerError as error:
            self._refuse(key, submit.own, error.code, error.detail)

    def _refuse(self, key: bytes, own: int, code: Code, why: str) -> None:
        """Tell an author that its body is not entered."""
        reason = why[:REASON_CHARACTERS]
        self.say(key, Refused(self.match, own, code.number, reason))

    def _enter(self, signed: Signed, now: float, term: int | None = None) -> None:
        """As host, put a body into the log.

        Raises:
            PeerError: It has no place there.
            IllegalMoveError: The rules forbid the move.
        """
        log = self.ledger.log
        line = log.compose(self.signer, signed, self.at(now), term)
        self.ledger.append(line)
        self._tell_time(now)

    def _on_refused(self, key: bytes, refused: Refused) -> None:
        """Take back a body that the host does not enter."""
        if key != self.host:
            return
        waiting = self.pending.refuse(refused.own)
        if waiting is None:
            return
        if isinstance(waiting.body, Turn):
            code = by_number(refused.code) or Code.UNEXPECTED
            self.notice(
                f"{code.text}: {refused.reason}" if refused.reason else code.text
            )
        self._submit_all()

    def _on_entries(self, key: bytes, entries: Entries) -> None:
        """Take entries that continue the log; look hard at those that do not."""
        self._greet(key)
        log = self.ledger.log
        for raw in entries.entries:
            entry = read_entry(raw)
            if entry.number > len(log):
                self.say(key, self._have())
                return
            if entry.number < len(log):
                if log.lines[entry.number].raw == raw:
                    continue
                if not self._other_history(raw, entry.term):
                    return
                log = self.ledger.log
            if entry.term < self.hidden.granted:
                return  # by a host that was given up
            line = self.ledger.accept(raw)
            if line.entry.author == self.me:
                self.pending.entered(line.entry.own)
            if isinstance(line.body, Term):
                self._new_host()

    def _other_history(self, raw: bytes, term: int) -> bool:
        """Judge an entry that is not the one we have; return whether to follow it.

        Raises:
            PeerError: BAD_LOG, it is no part of any history of this match.
        """
        log = self.ledger.log
        proof = log.fork(raw)
        if proof is not None:
            self._on_fork(proof)
            return False
        entry = read_entry(raw)
        ours = log.lines[entry.number].entry
        if term < ours.term:
            return False  # the sender has not heard of the new host yet
        if term == ours.term:
            raise PeerError(Code.BAD_LOG, f"entry {entry.number}")
        self._drop_from(entry.number, raw)
        return True

    def _drop_from(self, number: int, raw: bytes) -> None:
        """Drop entries that a newer term has no room for, once it is proved.

        Raises:
            PeerError: The newer term is not signed as it must be.
        """
        self.ledger.check_branch(number, raw)
        lost = self.ledger.truncate(number)
        own = [line.body for line in lost if line.entry.author == self.me]
        self._renew()
        self.pending.rebase(self.ledger.log, own)

    def _new_host(self) -> None:
        """Take up with another host."""
        self._sent.clear()
        self._opened.clear()
        self.say_all(self._have())
        self.election.reset()
        self._give_shares()
        self._submit_all()

    def take_term(self, body: Term, term: int, now: float) -> None:
        """Be host from here on, as a quorum has agreed.

        Raises:
            PeerError: TERM, the log has moved on since they did.
        """
        self.pending.rebase(self.ledger.log, [body])
        first = next(iter(self.pending))
        try:
            self._enter(first.signed, now, term)
        except PeerError:
            self.pending.refuse(first.signed.own)
            raise
        self.pending.entered(first.signed.own)
        self._new_host()

    def _on_opening(self, opening: Opening) -> None:
        """Keep what this node's tiles are."""
        for proof in opening.proofs:
            self.knows.take_opening(proof)

    def _on_share(self, key: bytes, share: Share) -> None:
        """Keep a share: ours from the dealer, or a member's of a lost dealer's seed."""
        round_ = self.ledger.fold.rounds.get(share.round)
        dealer = None if round_ is None else round_.dealer
        member = self.me if key == dealer else key
        self.knows.take_share(share.round, member, share.share)

    def _give_shares(self) -> None:
        """Give a new host this node's shares of other dealers' seeds."""
        if self.hosting or self.host not in self.linked:
            return
        for (round_, member), share in self.hidden.shares.items():
            if member == self.me:
                self.say(self.host, Share(self.match, round_, share))

    def _on_fork(self, proof: Fork) -> None:
        """Stop for good when the host is shown to have forked the log.

        Raises:
            PeerError: UNEXPECTED, it is no proof.
        """
        if not self.ledger.log.proves(proof):
            raise PeerError(Code.UNEXPECTED, "no proof of a fork")
        self.forked = proof
        self.say_all(proof)
        self.notice(Code.FORK.text)

    # Own moves.

    def play(self, seat: int, move: bytes, seen: int, now: float) -> None:
        """Make a move at a seat that is played here.

        Args:
            seat: Whose move.
            move: The game's move, encoded.
            seen: Moves by seats and the clock that the player had seen; -1 for all.
            now: Seconds.

        Raises:
            LocalError: It cannot be made now.
            IllegalMoveError: The rules forbid it.
        """
        fold = self.ledger.fold
        if seat >= len(fold.holders) or fold.holders[seat] != self.me:
            raise LocalError(Code.NOT_A_MEMBER, "that seat is played elsewhere")
        if self.stopped or not self.quorate:
            raise LocalError(Code.SILENT, "the match waits for its players")
        try:
            parsed = unpack(move, fold.game.ABOUT.move)
        except PeerError as error:
            raise LocalError(Code.ILLEGAL_MOVE, str(error)) from None
        resigning = isinstance(parsed, Resign)
        if not resigning and seat not in fold.actors:
            raise LocalError(Code.NOT_YOUR_TURN)
        if not resigning and (seen not in {-1, fold.moves} or self._moving(seat)):
            raise LocalError(Code.STALE)
        fold.game.play(self.view(seat).state, seat, parsed)
        proofs = () if resigning else self._proofs(parsed)
        self.submit(Turn(seat, fold.moves, move, proofs), now)
        self.step(now)

    def _moving(self, seat: int) -> bool:
        """Tell whether a move of a seat is on its way."""
        return any(
            isinstance(one.body, Turn) and one.body.seat == seat for one in self.pending
        )

    def _proofs(self, move: Any) -> tuple[Any, ...]:  # noqa: ANN401 (a game's own)
        """Return a proof for each tile that a move shows and nobody knows."""
        tiles = self.ledger.fold.hidden(getattr(move, "shown", ()))
        proofs = [self.knows.proof(tile) for tile in tiles]
        if None in proofs:
            raise LocalError(Code.BAD_PROOF, "the host has not opened that tile yet")
        return tuple(proofs)

    def submit(self, body: LogBody, now: float) -> None:
        """Write a body of our own, and enter it or send it to the host.

        Raises:
            LocalError: TOO_MANY wait already.
            PeerError, IllegalMoveError: As host: it has no place in the log.
        """
        if len(self.pending) >= SUBMITS_WAITING:
            raise LocalError(Code.TOO_MANY, "the host has not answered for long")
        waiting = self.pending.add(self.ledger.log, body)
        if self.hosting and self.quorate:
            try:
                self._enter(waiting.signed, now)
            except (PeerError, IllegalMoveError):
                self.pending.refuse(waiting.signed.own)
                raise
            self.pending.entered(waiting.signed.own)
        elif self.host in self._greeted:
            self.say(self.host, self._submission(waiting.signed))

    def _submission(self, signed: Signed) -> Submit:
        """Return what asks the host to enter a body."""
        return Submit(self.match, signed.own, signed.body, signed.signature)

    def _submit_all(self) -> None:
        """Send the host again all that it has not entered."""
        if self.hosting or self.host not in self.linked:
            return
        for waiting in self.pending:
            self.say(self.host, self._submission(waiting.signed))

    # What follows.

    def step(self, now: float) -> None:
        """Do what this node owes the match, until it owes nothing.

        Raises:
            LocalError: DISK.
        """
        self._tell_time(now)
        self._gather()
        if self.hosting and not self.quorate:
            return
        while self.forked is None and (self._enter_pending(now) or self._do_duty(now)):
            self._tell_time(now)

    def _gather(self) -> None:
        """Ask for everybody's bodies when enough are here again to enter them."""
        quorate = self.quorate
        if quorate and not self._was_quorate and self.hosting:
            self.say_all(self._have())
        self._was_quorate = quorate

    def _enter_pending(self, now: float) -> bool:
        """As a new host, enter what the old one had not; return whether any was."""
        waiting = next(iter(self.pending), None) if self.hosting else None
        if waiting is None:
            return False
        try:
            self._enter(waiting.signed, now)
            self.pending.entered(waiting.signed.own)
        except (PeerError, IllegalMoveError):
            self.pending.refuse(waiting.signed.own)
        return True

    def _do_duty(self, now: float) -> bool:
        """Do one thing that is owed and not under way; return whether there was any."""
        if self.me not in self.ledger.fold.required:
            return False
        waiting = [one.body for one in self.pending]
        log, fold = self.ledger.log, self.ledger.fold
        for body in duties(self.me, log.term, fold, self.hidden, self.knows):
            if body not in waiting:
                self.submit(body, now)
                return True
        return False

    def wake(self, now: float) -> None:
        """Do what is due."""
        self.election.wake(now)
        self.step(now)

    def deadline(self) -> float | None:
        """Return when `wake` is wanted next."""
        return self.election.deadline()

    def outgoing(self) -> list[Outgoing]:
        """Return what is to be sent, after everything it promises is on the disk.

        Raises:
            LocalError: DISK; nothing is sent then.
        """
        if self.ledger.file.dirty:
            self.ledger.file.sync()
        number = len(self.ledger.log)
        if self.hosting:
            self._spread(number)
        elif number != self._acked:
            self.say_all(self._ack())
        self._acked = number
        out, self._out = self._out, []
        return out

    def _spread(self, number: int) -> None:
        """Send every member the entries, openings and shares it lacks."""
        behind: dict[int, list[bytes]] = {}
        for key, sent in sorted(self._sent.items()):
            behind.setdefault(sent, []).append(key)
        for sent, keys in behind.items():
            self._say_entries(tuple(keys), sent)
            self._sent.update(dict.fromkeys(keys, number))
        for key in self._sent:
            self._open_to(key)

    def _open_to(self, key: bytes) -> None:
        """Tell a member what its tiles are, and give it its shares."""
        given = self._opened.setdefault(key, set())
        proofs = self.knows.openings_for(key, given)
        for start in range(0, len(proofs), OPENINGS_A_FRAME):
            some = proofs[start : start + OPENINGS_A_FRAME]
            self.say(key, Opening(self.match, some))
        for round_ in self.ledger.fold.rounds:
            token = -1 - round_.number  # no tile has a negative number
            if round_.dealer == self.me and token not in given:
                given.add(token)
                share = self.knows.shares(round_).get(key)
                if share is not None:
                    self.say(key, Share(self.match, round_.number, share))

    def close(self) -> None:
        """Sync and let the files go."""
        self.ledger.file.close()
        self.hidden.close()

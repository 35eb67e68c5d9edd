"""One match as this node takes part in it: the log replicated, as host or as peer.

Theory of operation.  Every body is submitted by its author and entered by the host, in
the order in which it came; the host's own go the same way without a link.  An entry
leaves the host, and its acknowledgement a peer, only after `outgoing` has synced the
file, once for all that came in together; a peer's disk may wait a moment (`Syncing`).
Links may come and go: both sides say `Have` first, whoever has more sends the rest, the
author submits again what is not in the log, and the dealer opens again what the owner
may not have heard.  All of that is idempotent, so a cut, a crash and a restart need no
cases of their own.

After each change `step` lets the node do its duties (seeds, roots, openings), until it
owes nothing more.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from netplay.desk import Outgoing, Thought
from netplay.errors import Code, LocalError, PeerError
from netplay.match.auditing import Auditing
from netplay.match.dealing import Dealing
from netplay.match.differing import Differing
from netplay.match.duties import duties
from netplay.match.election import Election
from netplay.match.entering import Entering
from netplay.match.handing import Handing
from netplay.match.histories import Histories
from netplay.match.hurry import Hurry
from netplay.match.knowledge import Knowledge
from netplay.match.losses import Losses
from netplay.match.mailing import Mailing, Unseal
from netplay.match.pending import Pending
from netplay.match.receipts import ReceiptBook
from netplay.match.relaying import Relaying
from netplay.match.replica import Replica
from netplay.match.seats import Seats
from netplay.match.syncing import Syncing
from netplay.match.timing import Timing
from netplay.match.witness import Witness
from netplay.messages.log import (
    Ack,
    Carried,
    Claim,
    Consent,
    Entries,
    Fork,
    Grant,
    Have,
    Linked,
    LogMessage,
    MatchTime,
    Opening,
    Receipts,
    Refused,
    Share,
    Submit,
    Term,
)
from netplay.record.fold import Fold
from netplay.record.hidden import Entropy, Hidden, Kept
from netplay.record.ledger import Ledger
from netplay.record.log import Signer
from netplay.record.parcel import Item
from netplay.record.playable import tiles_of
from netplay.record.store import Disk
from netplay.record.votes import quorum
from netplay.wire import pack
from rules.game import IllegalMoveError, Resign

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
        self.losses: Final = Losses(self)
        self.replica: Final = Replica(signer, ledger, self.vouched)
        self.election: Final = Election(self)
        self.handing: Final = Handing(self)
        self.notice: Final = notice
        self.autoplay: int | None = None
        """Skill of a computer player that stands in for this node's persons."""
        self.unix: Callable[[], int] | None = None
        """The time of day, which runs on while this computer sleeps."""
        self.away: frozenset[bytes] = frozenset()
        """Those who are away, as a bystander is told."""
        self.histories: Final = Histories(self)
        self.mailing: Final = Mailing(self)
        self.relaying: Final = Relaying(self)
        self.entering: Final = Entering(self)
        self.auditing: Final = Auditing(self)
        self._was_quorate = False
        self._others = frozenset[bytes](), frozenset[bytes]()
        self.dealing: Final = Dealing(self)
        self.timing: Final = Timing(self)
        self.syncing: Final = Syncing(self)
        self.receipts: Final = ReceiptBook(self)
        self.differing: Final = Differing(self)
        self._handlers: Final[dict[type[Any], Callable[[bytes, Any, float], None]]] = {
            Have: self._on_have,
            Ack: self._on_ack,
            Submit: self.entering.on_submit,
            Refused: self.entering.on_refused,
            Entries: self._on_entries,
            Opening: self.dealing.on_opening,
            Share: self.dealing.on_share,
            Claim: self.election.on_claim,
            Grant: self.election.on_grant,
            Fork: self.histories.on_fork,
            Consent: self.handing.on_consent,
            Linked: self.relaying.on_linked,
            Carried: self.relaying.on_carried,
            Receipts: self.receipts.on_receipts,
            MatchTime: self.timing.on_time,
        }
        self.renew()

    def renew(self) -> None:
        """Know again what follows from the log, after it was made anew."""
        self.knows = Knowledge(self.me, self.ledger.fold, self.hidden)
        self.seats = Seats(self)
        self.hurry = Hurry(self) if self.ledger.fold.hz else None
        self.witness = Witness(self)

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
    def linked(self) -> set[bytes]:
        """The members that can be reached."""
        return self.replica.linked

    @property
    def others(self) -> frozenset[bytes]:
        """The other members."""
        keys = self.ledger.fold.keys
        if self._others[0] is not keys:
            self._others = keys, keys - {self.me}
        return self._others[1]

    @property
    def watching(self) -> bool:
        """Whether this node is no member: it looks on, and has no say."""
        return not self.replica.member

    @property
    def absent(self) -> frozenset[bytes]:
        """Those needed who are away."""
        if self.watching:
            return self.away if self.linked else self.ledger.fold.required
        return self.ledger.fold.required - self.linked - {self.me}

    @property
    def elsewhere(self) -> frozenset[bytes]:
        """Those needed who can be reached and do not have this match in hand."""
        if self.watching or self.mailing.on:
            return frozenset()
        there = self.ledger.fold.required & self.linked
        return there - self.replica.greeted - {self.me}

    @property
    def quorate(self) -> bool:
        """Whether what is entered now can become final."""
        enough = self.replica.quorate or self.mailing.on
        halts = self.bound or self.election.renewing or self.losses.careful
        return enough and not halts

    @property
    def bound(self) -> bool:
        """Whether this node takes part only in a newer term than the log's.

        It has promised one, or forgotten what it may have signed in this one.
        """
        return self.losses.lost or self.hidden.granted > self.ledger.log.term

    def vouched(self) -> int:
        """Return how many entries of the log this node stands for.

        All of them, but for what it took of a term older than one it has promised, and
        what follows a move by the clock that cannot have been due.
        """
        size, hidden = len(self.ledger.log), self.hidden
        if hidden.doubt:
            size = min(size, hidden.doubted)
        return min(size, hidden.vouched) if self.bound else size

    @property
    def final(self) -> int:
        """How many entries the host and a quorum are known to have on disk."""
        return self.replica.final

    @property
    def stopped(self) -> str:
        """Why the match cannot go on at all, empty if it can."""
        return Code.FORK.text if self.histories.fork is not None else ""

    @property
    def paused(self) -> bool:
        """Whether play waits for somebody who is away."""
        fold = self.ledger.fold
        if not fold.actors:
            return False
        enough = self.quorate or (self.watching and self._may_go_on)
        if not enough:
            return True
        waited = [fold.holders[seat] for seat in fold.actors if seat >= 0]
        if waited == [self.me]:
            return False
        return not self.absent.isdisjoint(waited)

    @property
    def _may_go_on(self) -> bool:
        """Whether host and quorum are there, as a bystander is told."""
        fold = self.ledger.fold
        here = fold.electors - self.absent
        return fold.host not in self.absent and len(here) >= quorum(len(fold.electors))

    def on_turn(self) -> list[int]:
        """Return the seats that the match waits for."""
        return sorted(seat for seat in self.ledger.fold.actors if seat >= 0)

    def audit(self) -> str:
        """Return what the audit says: empty until the end, then "ok" or why not."""
        return self.auditing.result()

    def shown_state(self, seat: int) -> Any:  # noqa: ANN401 (a game's own)
        """Return the state that a window watching a seat is shown; -1: a bystander."""
        if self.hurry is not None:
            whose = None if seat < 0 else seat
            return self.ledger.fold.game.view(self.hurry.state, whose)
        return self.seats.view(None if seat < 0 else seat).state

    # Links.

    def link_up(self, key: bytes, now: float) -> None:
        """Note a link to a member."""
        self.relaying.link_up(key, now)

    def link_down(self, key: bytes, now: float) -> None:
        """Note that a link is gone."""
        self.relaying.link_down(key, now)

    def meet(self, key: bytes, now: float) -> None:
        """Greet a member that can be reached."""
        self.mailing.on = False
        self.dealing.forget(key)
        self.histories.forget(key)
        self.replica.link_up(key)
        if key == self.host:
            self.witness.apart()
        if self.histories.fork is not None:
            self.replica.say(key, self.histories.fork)
        self.timing.tell(now)

    def part(self, key: bytes, now: float) -> None:
        """Note that a member is away."""
        self.replica.link_down(key)
        self.timing.tell(now)
        self.election.wake(now)

    # Messages.

    def receive(self, key: bytes, message: LogMessage, now: float) -> None:
        """Take a message about this match from a member.

        Raises:
            PeerError: The member broke the protocol.
            LocalError: DISK.
        """
        if key not in self.others:
            raise PeerError(Code.NOT_A_MEMBER)
        if self.histories.fork is None:
            self.handle(key, message, now)
            self.step(now)

    def handle(self, key: bytes, message: LogMessage, now: float) -> None:
        """Take a message from a member, however it came."""
        self._handlers[type(message)](key, message, now)

    def _greet(self, key: bytes) -> None:
        """Note that a member has this match in hand."""
        if self.replica.greet(key) and key == self.host:
            self.dealing.give_shares()
            self.entering.submit_all()

    def _on_have(self, key: bytes, have: Have, now: float) -> None:
        """Send what a member lacks; submit again what the host may have dropped."""
        if key in self.replica.greeted and key == self.host:
            self.entering.submit_all()  # enough are here again to enter what waits
        self.receipts.greeted(key, have, now)
        self.timing.greet(key, now)
        if self.losses.ahead(key, have, now):
            pass  # there is a newer host, or this one may have lost something: see
        elif have.number:
            self._greet(key)
        else:
            self.replica.forget(key)
            self.election.wake(now)
        self.replica.on_have(key, have)

    def _on_ack(self, key: bytes, ack: Ack, now: float) -> None:
        """Note what a member has on its disk."""
        self.receipts.take(key, ack, now)
        if not self.hosting or ack.number <= len(self.ledger.log):
            self._greet(key)  # a host that lacks something must not sign it twice
        if key == self.host:
            self.witness.met(now, ack.number)
        self.replica.on_ack(key, ack)

    def _on_entries(self, key: bytes, entries: Entries, now: float) -> None:
        """Take what continues the log, or replaces its end."""
        self.histories.take(key, entries.entries, now)
        self._greet(key)
        self.dealing.look_again()
        self.replica.look_again()

    def accept(self, raw: bytes, now: float) -> None:
        """Append an entry of the host's.

        Raises:
            PeerError: It does not follow from the log.
            LocalError: DISK.
        """
        waited_for, since = self.fold.clocks.on, self.ledger.log.at
        line = self.ledger.accept(raw)
        if self.fold.clocks.counting:
            self.witness.saw(line, waited_for, since, now)
        self.timing.set(line.entry.at, now)
        self.losses.accepted(line)
        log, mine = self.ledger.log, line.entry.author == self.me
        if mine and self.pending.entered(log, self.ledger.fold, line.body):
            self.entering.submit_all()
        if isinstance(line.body, Term):
            self.new_host()

    def new_host(self) -> None:
        """Take up with another host."""
        self.pending.rebase(self.ledger.log, self.ledger.fold, ())
        self.dealing.forget_all()
        self.witness.new_host()
        self.replica.new_host()
        self.election.reset()
        self.dealing.give_shares()
        self.entering.submit_all()

    # Own bodies.

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
        if self.stopped or not self.quorate:
            raise LocalError(Code.SILENT, "the match waits for its players")
        parsed = self.seats.parse(seat, move)
        if self.hurry is not None and not isinstance(parsed, Resign):
            self.hurry.input(seat, parsed, now)
            return
        body = self.seats.turn(seat, parsed, seen)
        try:
            self.entering.submit(body, now)
        except PeerError as error:
            raise LocalError(error.code, error.detail) from error
        self.step(now)

    def thought(self, thought: Thought, move: Any, now: float) -> None:  # noqa: ANN401 (a game's own)
        """Take a computer player's move, unless its position has passed.

        Raises:
            LocalError: It cannot be made now.
            IllegalMoveError: The rules forbid it.
        """
        if self.hurry is not None:
            self.hurry.thought(thought, move, now)
        else:
            self.play(thought.seat, pack(move), thought.number, now)

    # What players wish.

    def vote(self, now: float) -> None:
        """Agree to go on with another host at once.

        Raises:
            LocalError: USAGE, the others are too few to have another host.
        """
        self.election.vote(now)

    def agree(self, seat: int, key: bytes, name: str, now: float) -> None:
        """Agree that a seat passes to another player.

        Raises:
            LocalError: USAGE, there is no such seat to hand over.
        """
        self.handing.agree(seat, key, name, now)

    def keep(self, kept: Kept) -> None:
        """Write down what is known of the match at this node alone."""
        self.hidden.keep(kept)

    def greet(self, key: bytes) -> None:
        """Tell somebody how much of the log is here."""
        self.replica.say(key, self.replica.have())

    def show_fork(self, key: bytes, proof: Fork, now: float) -> None:
        """Look at what is said, be it by a bystander, to prove a fork.

        Raises:
            PeerError: UNEXPECTED, it does not.
        """
        self.histories.on_fork(key, proof, now)

    # Files.

    @property
    def by_mail(self) -> bool:
        """Whether the match goes on by files, without waiting for links."""
        return self.mailing.on

    def go_by_mail(self, now: float) -> None:
        """Wait for no links from now on."""
        self.mailing.on = True
        self.step(now)

    def enclosures(self) -> list[Item]:
        """Return what goes along with the log for whoever reads a file of it.

        Raises:
            PeerError: A member's key is none that can be sealed to.
        """
        return list(self.mailing.items())

    def take_file(
        self, raws: tuple[bytes, ...], items: Sequence[Item], unseal: Unseal, now: float
    ) -> int:
        """Take what a file brings; return how many entries were new.

        Raises:
            LocalError: FORK, the file and the match here have gone different ways.
            PeerError: The file is no good from some entry on; what came before stands.
        """
        return self.mailing.take(raws, items, unseal, now)

    # What follows.

    def step(self, now: float) -> None:
        """Do what this node owes the match, until it owes nothing.

        Raises:
            LocalError: DISK.
        """
        self.relaying.look(now)
        self.auditing.look()
        if self._gather() or not self.hosting:
            owes = True
            while owes and self.histories.fork is None:
                owes = self.entering.enter_waiting(now) or self._do_duty(now)
        self.differing.tell()
        self.timing.tell(now)  # of one moment it does not matter when
        self.syncing.look(now)

    def _gather(self) -> bool:
        """Ask for everybody's bodies when enough are here again to enter them.

        Returns:
            Whether enough are.
        """
        quorate = self.quorate
        if quorate and not self._was_quorate and self.hosting:
            self.replica.say_all(self.replica.have())
        self._was_quorate = quorate
        return quorate

    def _do_duty(self, now: float) -> bool:
        """Do one thing that is owed and not under way; return whether there was any."""
        if self.watching:
            return False
        waiting = [one.body for one in self.pending]
        log, fold = self.ledger.log, self.ledger.fold
        doubted = self.receipts.doubted
        for body in duties(
            self.me, log, fold, self.hidden, self.knows, doubted=doubted
        ):
            if body not in waiting:
                try:
                    self.entering.submit(body, now)
                except (PeerError, IllegalMoveError):
                    continue  # it is somebody else's by now
                return True
        return False

    def wake(self, now: float) -> None:
        """Do what is due."""
        self.losses.ring(now)
        self.election.wake(now)
        if self.hurry is not None:
            self.hurry.wake(now)
        self.timing.ring(now)
        self.step(now)
        self.syncing.ring(now)
        self.receipts.ring(now)

    def deadline(self) -> float | None:
        """Return when `wake` is wanted next."""
        hurry = None if self.hurry is None else self.hurry.deadline()
        sync, ring = self.syncing.deadline(), self.timing.ring_at()
        slow = (
            self.election.deadline(),
            self.receipts.deadline(),
            self.losses.deadline(),
        )
        times = (*slow, hurry, ring, sync)
        return min([time for time in times if time is not None], default=None)

    def outgoing(self) -> list[Outgoing]:
        """Return what is to be sent, after everything it promises is on the disk.

        Raises:
            LocalError: DISK; nothing is sent then.
        """
        if self.syncing.may_wait():
            return self.relaying.route(self.replica.take())
        self.hidden.sync()  # a number of chat must never be used twice
        hides = tiles_of(self.ledger.fold.game, self.ledger.fold.state) is not None
        tell = self.dealing.tell if hides else None
        out = self.replica.outgoing(tell)
        self.syncing.done()
        return self.relaying.route(out)

    def close(self) -> None:
        """Sync and let the files go."""
        try:
            self.ledger.file.close()
        finally:
            self.hidden.close()

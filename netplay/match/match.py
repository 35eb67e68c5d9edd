"""One match as this node takes part in it, for the table at which it is played.

What a table asks of a match, and what its players want; how they make their moves is
told in `own_turns`, how the log gets from node to node in `replicated`.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.match import journal
from netplay.match.masks import Job, Result
from netplay.match.own_turns import OwnTurns
from netplay.match.parts import Parts, Tell
from netplay.match.realtime import RealTime
from netplay.match.relaying import Unseal
from netplay.match.replicated import Replicated
from netplay.messages import log as messages
from netplay.record.clocks import MOST
from netplay.record.enclosures import Acked, Item, Letter, Word, secrets
from netplay.record.fold import Fold
from netplay.record.hidden import Entropy, Kept
from netplay.record.ledger import Ledger
from netplay.record.log import Signer
from netplay.record.store import Disk
from netplay.said import Words
from netplay.sentences import Says
from netplay.wanted import Thought
from netplay.wire import pack


class Match:
    """A match in hand: its parts, their replication, and the moves made here."""

    def __init__(
        self,
        signer: Signer,
        ledger: Ledger,
        secrets: Disk,
        entropy: Entropy,
        notice: Tell,
    ) -> None:
        """Take up a match where its file ends; see `Parts`."""
        parts = Parts(signer, ledger, secrets, entropy, notice)
        self.parts: Final = parts
        self.replication: Final = Replicated(parts)
        self.turns: Final = OwnTurns(parts, self.replication)
        self.signer: Final = parts.signer
        self.me: Final = parts.me
        self.match: Final = parts.match
        self.ledger: Final = parts.ledger
        self.hidden: Final = parts.hidden
        self.journal: Final = parts.journal
        self.members: Final = parts.members
        self.replica: Final = parts.replica
        self.masks: Final = parts.masks
        self.knows: Final = parts.knows
        self.auditing: Final = parts.auditing
        self.election: Final = parts.election
        self.submitting: Final = parts.submitting
        self.relaying: Final = parts.relaying
        self.stalled: Final = parts.stalled
        self.dealing: Final = parts.dealing
        self.handover: Final = parts.handover
        self.receipts: Final = parts.receipts
        self.witness: Final = parts.witness
        self.timing: Final = parts.timing
        self.thinking: Final = parts.thinking
        self.seats: Final = parts.seats
        self.offering: Final = parts.offering
        self.preparing: Final = parts.preparing
        # What each message and each move passes, without a call more on its way.
        self.receive: Final = self.replication.receive
        self.step: Final = self.replication.step
        self.outgoing: Final = self.replication.outgoing
        self.play: Final = self.turns.play
        # What else a table asks of them.
        self.link_up: Final = self.replication.link_up
        self.link_down: Final = self.replication.link_down
        self.tell_away: Final = self.members.tell_away
        self.vacate: Final = self.replication.vacate
        self.greet: Final = self.replication.greet
        self.take_back: Final = self.turns.take_back
        self.let_leave: Final = self.turns.let_leave
        self.may_move: Final = self.turns.may_move
        self.prepare: Final = self.turns.prepare
        self.drop_prepared: Final = self.turns.drop_prepared

    def wake(self, now: float) -> None:
        """Do what is due."""
        self.turns.wake(now)
        self.replication.wake(now)

    def deadline(self) -> float | None:
        """Return when `wake` is wanted next."""
        due, overdue = self.replication.deadline(), self.turns.overdue_at
        if overdue is None or not self.submitting.waiting:
            return due
        return overdue if due is None else min(due, overdue)

    def close(self) -> None:
        """Remember what was checked, sync, and let the files go."""
        if self.journal.failed is None:
            # Else what others have would be left for them again by letter.
            self.replication.check_receipts(self.receipts.unchecked, 0.0)
            self.replication.do(self.masks.remember(), 0.0)
        self.journal.close()

    # What others ask.

    @property
    def fold(self) -> Fold:
        """The public state."""
        return self.ledger.fold

    @property
    def realtime(self) -> RealTime | None:
        """The clocks of the own seats, in a game of ticks."""
        return self.parts.realtime

    @property
    def stopped(self) -> Words:
        """Why the match cannot go on at all, empty if it can."""
        return self.turns.stopped

    @property
    def host(self) -> bytes:
        """Who puts entries in order."""
        return self.members.host

    @property
    def hosting(self) -> bool:
        """Whether that is this node."""
        return self.members.hosting

    @property
    def linked(self) -> frozenset[bytes]:
        """The members that can be reached."""
        return self.members.linked

    @property
    def others(self) -> frozenset[bytes]:
        """The other members."""
        return self.members.others

    @property
    def watching(self) -> bool:
        """Whether this node is no member: it looks on, and has no say."""
        return self.members.watching

    @property
    def absent(self) -> frozenset[bytes]:
        """Those needed who are away."""
        return self.members.absent

    @property
    def missed(self) -> frozenset[bytes]:
        """Those needed who are away, or do not have this match in hand."""
        return self.members.missed

    @property
    def quorate(self) -> bool:
        """Whether what is entered now can become final."""
        return self.members.quorate

    @property
    def by_mail(self) -> bool:
        """Whether the match goes on by files, without waiting for links."""
        return self.members.by_mail

    @property
    def paused(self) -> bool:
        """Whether play waits for somebody who is away."""
        members = self.members
        return members.halted() if self.fold.hz else members.paused()

    @property
    def final(self) -> int:
        """How many entries the host and a quorum are known to have on disk."""
        return self.replica.final

    def is_new_to(self, key: bytes, number: int) -> bool:
        """Tell whether a member is not known to have an entry of the log."""
        return self.replica.known(key, self.hidden.receipts.get(key)) <= number

    @property
    def autoplay(self) -> int | None:
        """Skill of a computer player that stands in for this node's persons."""
        return self.seats.autoplay

    @autoplay.setter
    def autoplay(self, skill: int | None) -> None:
        """Let one stand in, or none."""
        self.seats.stand_in(skill)

    def on_turn(self) -> list[int]:
        """Return the seats that the match waits for."""
        return self.seats.on_turn()

    def audit(self) -> str:
        """Return what the audit says: empty until the end, then "ok" or why not."""
        return self.auditing.result()

    def shown_state(self, seat: int) -> Any:  # noqa: ANN401 (a game's own)
        """Return the state that a window watching a seat is shown; -1: a bystander."""
        whose = None if seat < 0 else seat
        if self.parts.realtime is not None:
            return self.fold.game.view(self.parts.realtime.state, whose)
        return self.seats.view(whose).state

    # Computer players.

    def thoughts(self) -> list[Thought]:
        """Return the turns of computer players at this node's seats."""
        if self.seats.by_persons or self.hidden.fork is not None:
            return []
        if self.parts.realtime is not None:
            return self.parts.realtime.thoughts()
        if self.paused or self.replication.waits() or self.masks.stopped:
            return []
        return list(map(self._timed, self.seats.thoughts()))

    def _timed(self, thought: Thought) -> Thought:
        """Return a turn with what its clock has left."""
        at = self.ledger.log.at  # of the entry with which the turn began
        left, _runs = self.fold.clocks.shown(thought.seat, at)
        return replace(thought, left=None if left < 0 else left / 1000)

    def to_come(self) -> list[Thought]:
        """Return a turn that a computer player here will have, as far as it is known.

        One stands for all: what they need for the match is the same.
        """
        return [] if self.parts.realtime is not None else self.seats.to_come()

    def hint(self, seat: int) -> Thought:
        """Return the thought that finds the best move for a seat.

        Raises:
            LocalError: The rules of the table allow none, or it is not its turn.
        """
        return self.seats.hint(seat)

    def thought(self, thought: Thought, move: Any, now: float) -> None:  # noqa: ANN401 (a game's own)
        """Take a computer player's move, unless its position has passed.

        Raises:
            LocalError: It cannot be made now.
            IllegalMoveError: The rules forbid it.
        """
        if self.parts.realtime is None:
            self.play(thought.seat, pack(move), thought.number, now)
        else:
            self.replication.do(self.parts.realtime.wake(now), now)
            self.parts.realtime.thought(thought, move, now)

    # What takes long.

    def jobs(self) -> Sequence[Job]:
        """Return what is to be done beside the loop, until its result is taken."""
        return () if self.turns.stopped else self.masks.jobs()

    def done(self, result: Result, now: float) -> None:
        """Take what has been done beside the loop.

        Raises:
            LocalError: DISK.
        """
        self.replication.do(self.masks.on_result(result), now)
        self.step(now)
        self.journal.check()

    # Days to think.

    def claim(self, now: float) -> None:
        """Say that whoever keeps this node's player waiting has had all its days.

        Raises:
            LocalError: USAGE, nobody does, or it is said already; TOO_EARLY; DISK.
        """
        fold, left, late = self.fold, self.claim_in(), self._late()
        if not self.may_claim():
            raise LocalError(Code.USAGE, Says.NOTHING_TO_CLAIM())
        if self.claimed:
            raise LocalError(Code.USAGE, Says.CLAIMED())
        if left is None or left > 0:
            raise LocalError(Code.TOO_EARLY)
        over, words = self.thinking.over_at(late[0]), self.thinking.words(late[0])
        head, state = self.ledger.log.head, fold.digest()
        self.say(messages.Late(late[0], head, state, over, words), now)

    def say(
        self, body: messages.Late | messages.Wish | messages.Response, now: float
    ) -> None:
        """Say something in the log that a player here has asked for.

        Raises:
            LocalError: It has no place there; DISK.
        """
        if self.hidden.fork is not None or self.members.lost or self.fold.gone:
            raise LocalError(Code.SILENT, Says.WAITS_FOR_PLAYERS())
        try:
            self.replication.submit(body, now)
        except PeerError as error:
            raise LocalError(error.code, error.detail) from error
        self.step(now)
        self.journal.sync()

    def _late(self) -> list[int]:
        """Return the seats played elsewhere for which the match waits.

        Who has the least time left comes first: that one is claimed.
        """
        late = (n for n in self.fold.claimable() if not self.seats.is_own(n))
        left = {
            n: self.thinking.left_of(n) for n in late if not self.thinking.holds_turn(n)
        }
        return sorted(left, key=lambda n: (left[n] is None, left[n] or 0, n))

    def may_claim(self) -> bool:
        """Tell whether somebody else has only so long, and keeps this node waiting."""
        here = self.me in self.fold.electors and not self.turns.stopped
        return bool(self.thinking.counts and here and self._late())

    def claim_in(self) -> int | None:
        """Return how many seconds whoever a claim is against has left, if known."""
        late = self._late()
        return self.thinking.left_of(late[0]) if late else None

    def claim_ends(self) -> bool:
        """Tell whether a claim would resign the seat, not pass its turn.

        Without any limit it does neither: it is this player's word.
        """
        fold, late = self.fold, self._late()
        if not fold.timed or not late:
            return False
        seat = late[0]
        lapses = fold.game.ABOUT.lapsing is not None and seat in fold.actors
        return not lapses or fold.lapses[seat] + 1 >= MOST

    @property
    def claimed(self) -> bool:
        """Whether a claim of this node's is on its way, and nobody has answered."""
        waits = any(isinstance(body, messages.Late) for body in self.submitting.bodies)
        return waits or any(one.author == self.me for one in self.fold.claims.standing)

    # What players wish.

    def vote(self, now: float) -> None:
        """Agree to go on with another host at once.

        Raises:
            LocalError: USAGE, the others are too few to have another host.
        """
        self.replication.do(self.election.vote(now), now)

    def agree(self, seat: int, key: bytes, name: str, now: float) -> None:
        """Agree that a seat passes to another player.

        Raises:
            LocalError: USAGE, there is no such seat to hand over; DISK.
        """
        self.replication.do(self.handover.agree(seat, key, name), now)
        self.journal.sync()

    def keep(self, kept: Kept) -> None:
        """Write down what is known of the match at this node alone.

        Raises:
            LocalError: DISK.
        """
        self.replication.keep(kept)
        self.journal.check()

    def show_fork(self, key: bytes, proof: messages.Fork, now: float) -> None:
        """Look at what is said, be it by a bystander, to prove a fork.

        Raises:
            PeerError: UNEXPECTED, it does not.
        """
        self.replication.do(self.parts.branches.on_fork(key, proof, now), now)

    # Files.

    def go_by_mail(self, now: float) -> None:
        """Wait for no links from now on; what was made here leaves with a file.

        Raises:
            LocalError: DISK.
        """
        self.members.go_by_mail()
        self.let_leave(now)

    def enclosures(self) -> list[Item]:
        """Return what goes along with the log for whoever reads a file of it.

        What this node has said and the log does not have goes along: see `let_leave`.

        Raises:
            PeerError: A member's key is none that can be sealed to.
        """
        items: list[Item] = list(journal.secrets(self.hidden))
        if self.members.others:
            items.append(Acked(self.me, self.replica.ack()))
        if not self.members.hosting:
            shown = (Word(author, said) for author, said in self.thinking.held())
            return [*items, *journal.wishes(self.me, self.submitting), *shown]
        fold, others = self.fold, self.members.others
        return [*items, *journal.letters(fold, self.hidden, self.knows, others)]

    def take_file(
        self, raws: tuple[bytes, ...], items: Sequence[Item], unseal: Unseal, now: float
    ) -> int:
        """Take what a file brings.

        Args:
            raws: Its entries.
            items: What goes along.
            unseal: Opens letters to this node.
            now: Seconds.

        Returns:
            How many entries were new.

        Raises:
            LocalError: STALE, the file and the match here have gone different ways;
                DISK.
            PeerError: The file is no good from some entry on; what came before stands.
        """
        log, hidden, members = self.ledger.log, self.hidden, self.members
        before = len(log)
        journal.check_way(log, raws, shared=bool(hidden.key))
        for kept in hidden.lacking(secrets(items, self.ledger.terms)):
            self.replication.keep(kept)
        self.replication.on_entries(members.host, raws, now)
        useful = [i for i in items if journal.is_for_us(i, self.match, members)]
        new = len(self.ledger.log) - before
        if (useful or new > 0) and not members.linked:
            members.go_by_mail()
        for item in useful:
            self._take_item(item, unseal, now)
        self.step(now)
        self.journal.check()
        return len(self.ledger.log) - before

    def mail(self, key: bytes, now: float) -> list[messages.LogMessage]:
        """Return all that a member who is away lacks of this node's.

        It is for whoever keeps it until the member comes: a file, a friend's node.  All
        of it may be taken twice, or late.  From now on it counts as having left.

        Args:
            key: The member.
            now: Seconds.

        Raises:
            LocalError: DISK.
        """
        self.let_leave(now)
        found: list[messages.LogMessage] = [
            *self.replica.lacking(key, self.hidden.receipts.get(key))
        ]
        if self.members.hosting:
            found += journal.confidences(self.fold, self.knows, key)
        elif key == self.members.host:
            found += self.submitting.asked()
            found += (one for _, one in self.thinking.held())
        elif self.thinking.limit:  # for its witness, should the host hold it back
            found += self.submitting.left_turns()
        found += self.handover.told_of()
        return [*found, self.replica.ack()]

    def take_mail(
        self, author: bytes, message: messages.LogMessage, now: float
    ) -> None:
        """Take what a member wrote, and is not here to say.

        Raises:
            PeerError: It is no good, or nothing that is sent by mail.
        """
        if author not in self.members.others:
            raise PeerError(Code.NOT_A_MEMBER)
        if self.hidden.fork is not None:
            return
        match message:
            case messages.Entries(entries=entries):
                self.replication.on_entries(author, entries, now)
            case messages.Ack():
                self.replication.do(self.receipts.on_ack(author, message, now), now)
                # It was written a while ago: the member may have said more since.
                if message.number >= self.replica.known(author, None):
                    self.replication.do(self.replica.on_ack(author, message), now)
            case (
                messages.Submit()
                | messages.Opening()
                | messages.Share()
                | messages.Consent()
            ):
                self.replication.on_message(author, message, now)
            case _:
                raise PeerError(Code.UNEXPECTED, "nothing that is sent by mail")

    def _take_item(self, item: Item, unseal: Unseal, now: float) -> None:
        """Take what one of the others wrote to this node.

        What is not good is left out: the entries stand without it.
        """
        try:
            if isinstance(item, Word):
                self.take_mail(item.author, item.submit, now)
            elif isinstance(item, Acked):
                self.take_mail(item.author, item.ack, now)
            elif isinstance(item, Letter):
                message = journal.open_letter(item, unseal)
                if message is not None:
                    self.take_mail(self.members.host, message, now)
        except PeerError as error:
            self.parts.notice(Says.PART_OF_NO_USE(why=error))

"""The one table a node has in hand, from the first chair to the last move.

At any time the node forms a table, is a guest at one, plays a match, or none of these.
Chat belongs to the table throughout: the nonce of the terms names it.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from typing import Final, Literal

from msgspec import Struct, field

from netplay.desk import EVERY_WINDOW, Dial, Outgoing, PeerMessage, Push
from netplay.errors import Code, LocalError, NetplayError
from netplay.faults import Faults
from netplay.limits import LINES_A_SECOND, LINES_AT_ONCE
from netplay.match.mailing import Unseal, sealed
from netplay.match.match import Match
from netplay.messages.door import Line
from netplay.messages.log import Have, LogMessage
from netplay.messages.table import Ask, Chat, Heard, Proposal, Terms
from netplay.messages.types import Admission
from netplay.peering.peers import KnownPeers
from netplay.rate import Bucket
from netplay.record.archive import Archive
from netplay.record.chance import ZERO
from netplay.record.hidden import Entropy, KeptAdmission, KeptChat
from netplay.record.ledger import Ledger, make_genesis
from netplay.record.log import Signer, match_of
from netplay.record.mending import Mender
from netplay.record.signing import SecretKey
from netplay.record.whole import audit
from netplay.sanitize import shown_name
from netplay.table.attending import Attending
from netplay.table.chat import Talk, shown
from netplay.table.declining import declining
from netplay.table.forming import Forming
from netplay.table.gallery import Gallery
from netplay.table.guest import Guest
from netplay.table.lacking import NOTHING_LEFT, Lacking
from netplay.table.rematch import Rematch
from netplay.table.resources import Shelf
from netplay.table.saving import Saving
from netplay.table.showing import Peer
from netplay.table.strangers import Strangers

NONCE_BYTES: Final = 32


class Means(Struct, frozen=True):
    """What a desk is given; the tests give others."""

    signer: Signer
    archive: Archive
    shelf: Shelf
    entropy: Entropy
    unix: Callable[[], int]
    """The time of day in seconds, for lines of chat."""
    unseal: Unseal = sealed
    """Opens letters to this node."""
    known: KnownPeers = field(default_factory=lambda: KnownPeers(None))
    """Who was met, and who is blocked."""
    faults: Faults = field(default_factory=Faults)
    """What is damaged in the home."""


class Guard:
    """Gives the match up when the disk refuses to keep it; the error is passed on.

    One serves all: every message and every move goes through it several times.
    """

    def __init__(self, give_up: Callable[[LocalError], None]) -> None:
        """Watch."""
        self._give_up: Final = give_up

    def __enter__(self) -> None:
        """Begin with what may meet the disk."""

    def __exit__(
        self, _kind: object, error: BaseException | None, _trace: object
    ) -> None:
        """Look at how it ended."""
        if isinstance(error, LocalError) and error.code in {Code.DISK, Code.BAD_LOG}:
            self._give_up(error)


class Sitting:
    """What is on the desk, and what is to be sent and shown because of it."""

    def __init__(self, means: Means, name: str) -> None:
        """Begin without a table.

        Args:
            means: Key, disk, word lists, randomness, time of day.
            name: This node's player.
        """
        self.means: Final = means
        self.me: Final = means.signer.key
        self.name = name
        self.peers: dict[bytes, Peer] = {}
        self.places: dict[bytes, str] = {}
        """Where members were said to be."""
        self.now = 0.0
        """Seconds, when something came last."""
        self.answering = False
        self.first = False
        """Whoever calls first is sat down with, unasked."""
        self.autoplay: int | None = None
        """Skill of a computer player that stands in for this node's persons."""
        self.joining: tuple[Dial, int] | None = None
        self.forming: Forming | None = None
        self.guest: Guest | None = None
        self.match: Match | None = None
        self.attending: Attending | None = None
        """The match that this node watches, or asks to."""
        self.gallery: Final = Gallery(self)
        self.rematch: Final = Rematch(self)
        self.mender: Final = Mender(means.archive, means.entropy, self.fault)
        self.saving: Final = Saving(self)
        self.strangers: Final = Strangers(self)
        self.lacking: Final = Lacking(self)
        self.members: frozenset[bytes] = frozenset()
        """Those of the match who have been greeted."""
        self.spoiled: set[bytes] = set()
        """Matches that the disk has refused to keep since the node started."""
        self.stopped = ""
        """Why the match was stopped, empty if it was not."""
        self.left: set[bytes] = set()
        """The members who have left it and not come back."""
        self.talk: Talk | None = None
        self.nonce = b""
        """What names the table's chat."""
        self._heard_again: set[bytes] = set()
        """Who was told twice on this link how much chat is here."""
        self.guarded: Final = Guard(self._give_up)
        self.out: list[Outgoing] = []
        self.pushes: list[Push] = []
        self.changed = True
        self._lines: Final = Bucket(LINES_A_SECOND, LINES_AT_ONCE, 0.0)
        self._unshown = 0
        """Lines that were left out since the last one."""

    def tell(
        self, text: str, kind: Literal["system", "warning", "error"] = "system"
    ) -> None:
        """Show every window a line; of what others may bring about not too many."""
        if kind != "error" and not self._lines.take(self.now):
            self._unshown += 1
            return
        if self._unshown:
            detail = f"{self._unshown} lines were left out"
            self._unshown = 0
            self._show(detail, "system")
        self._show(text, kind)

    def _show(self, text: str, kind: Literal["system", "warning", "error"]) -> None:
        """Show every window a line."""
        line = Line(kind, "", text, self.means.unix())
        self.pushes.append(Push(EVERY_WINDOW, line))
        self.changed = True

    def fault(self, text: str) -> None:
        """Tell of something that is damaged, now and to every window that comes."""
        if self.means.faults.fault(text):
            self.tell(text, "error")

    def say(self, keys: Iterable[bytes], *messages: PeerMessage) -> None:
        """Send messages to those of the peers who are up."""
        up = tuple(key for key in keys if self.is_up(key))
        if up:
            self.out.extend(Outgoing(up, message) for message in messages)

    def is_up(self, key: bytes) -> bool:
        """Tell whether there is a link to a peer."""
        peer = self.peers.get(key)
        return peer is not None and peer.up

    def name_of(self, key: bytes) -> str:
        """Return what to call a peer."""
        peer = self.peers.get(key)
        return "somebody" if peer is None else peer.name or "somebody"

    def doubt(self, key: bytes, name: str) -> str:
        """Return what is to be said wherever a name is shown, mostly nothing."""
        return "" if key == self.me else self.means.known.doubt(key, name, self.name)

    def tone(self, key: bytes) -> Literal["system", "warning"]:
        """Return how loud a line about a player is."""
        return "warning" if self.doubt(key, self.name_of(key)) else "system"

    def known_as(self, key: bytes, name: str = "") -> str:
        """Return what to call a player, with what is doubtful about it."""
        name = name or self.name_of(key)
        doubt = self.doubt(key, name)
        return f"{name} ({doubt})" if doubt else name

    @property
    def terms(self) -> Terms | None:
        """The terms of the table in hand."""
        if self.match is not None:
            return self.match.fold.terms
        if self.forming is not None:
            return self.forming.terms()
        proposal = None if self.guest is None else self.guest.proposal
        return None if proposal is None else proposal.terms

    @property
    def others(self) -> list[bytes]:
        """The keys of the others at the table; of who only calls to one, none."""
        if self.match is not None:
            return sorted(self.match.others)
        if self.called:
            return []
        terms = self.terms
        keys = [] if terms is None else [member.key for member in terms.members]
        if self.guest is not None:
            keys.append(self.guest.host)
        return [key for key in dict.fromkeys(keys) if key != self.me]

    @property
    def called(self) -> bool:
        """Whether somebody calls to a table and the player has not said yes."""
        return self.guest is not None and not self.guest.wanted

    @property
    def busy(self) -> bool:
        """Whether a table is in hand that another must not replace."""
        match = self.match
        playing = match is not None and not match.fold.over and not self.stopped
        if match is not None and match.watching:
            playing = False  # nobody waits for a bystander
        seated = self.guest is not None and self.guest.wanted
        return playing or self.forming is not None or seated

    # The table.

    def propose(self) -> None:
        """Send everybody at the table that is being formed its terms."""
        table = self.forming
        if table is not None:
            self.changed = True
            self.say(table.guests, table.proposal())
            self.begin_chat(table.nonce, ())
            self.greet_chat(table.guests)

    def look_at(self, key: bytes, proposal: Proposal) -> None:
        """Look at the terms of the host at whose table this node is a guest."""
        guest = self.guest
        assert guest is not None
        before = guest.changes
        self.say((key,), *guest.take(proposal))
        if guest.changes not in ((), before):
            self.tell(f"{self.known_as(key)} has changed the rules", "warning")
        if guest.wanted:
            self._join_in(key, proposal)

    def agree(self, *, befriend: bool = True) -> None:
        """Sit down at the table that somebody calls to: the player says yes.

        Args:
            befriend: To this one, and not to whoever called first.
        """
        guest = self.guest
        assert guest is not None
        assert guest.proposal is not None
        if befriend:
            self.strangers.befriend((guest.host,))
        self.say((guest.host,), *guest.agree())
        if guest.handed:
            match = guest.handed
            self.drop()
            self.say((guest.host,), Have(match, 0, 0, ZERO))
            return
        self._join_in(guest.host, guest.proposal)

    def _join_in(self, key: bytes, proposal: Proposal) -> None:
        """Look for the others of the table where this node is a guest, and talk."""
        members = proposal.terms.members
        blocked = [m for m in members if m.key in self.means.known.blocked]
        if blocked:
            why = "not with these players"
            no = declining(Code.DECLINED, why, proposal.revision)
            self.say((key,), no)
            self.drop()
            names = ", ".join(shown_name(member.name) for member in blocked)
            self.tell(f"no seat at that table: {names} is blocked here", "error")
            return
        for member, address in zip(members, proposal.addresses, strict=False):
            if address and member.key != self.me:
                self.places[member.key] = address
        self.begin_chat(proposal.terms.nonce, ())
        self.greet_chat((key,))

    def ask_for_seat(self, key: bytes) -> None:
        """Ask the host that was called for a seat."""
        assert self.joining is not None
        dial, seat = self.joining
        self.joining = None
        self.drop()
        self.guest = Guest(self.means.signer, self.means.shelf, key)
        self.places[key] = dial.address
        self.strangers.befriend((key,))
        self.say((key,), Ask(seat))

    def open(
        self, ledger: Ledger, now: float, attending: Attending | None = None
    ) -> None:
        """Take up a match; the table that it was agreed on becomes it.

        Args:
            ledger: The match.
            now: Seconds.
            attending: How this node watches it; None for a member.

        Raises:
            LocalError: DISK, or BAD_LOG for damaged secrets.
        """
        means, name = self.means, ledger.log.match
        talk = self.talk if self.nonce == ledger.terms.nonce else None
        bystanders = self._admission
        self.drop()
        secrets = means.archive.open_secrets(name)
        signer = self.saving.signer(ledger)
        match = Match(signer, ledger, secrets, means.entropy, self.tell)
        match.autoplay = self.autoplay
        match.relaying.unseal = means.unseal
        match.unix = means.unix
        self.match, self.talk = match, talk
        if bystanders is not None and bystanders != match.hidden.bystanders:
            match.keep(KeptAdmission(bystanders))
        means.archive.take_in_hand(None if match.fold.over else name)
        self.members = match.others
        if attending is not None:
            self._watch(match, attending, now)
            return
        if talk is None:
            self.begin_chat(ledger.terms.nonce, match.hidden.chat)
        else:
            self.nonce = ledger.terms.nonce
            for line in talk.said():
                match.keep(KeptChat(line))
        up = [key for key in sorted(match.others) if self.is_up(key)]
        for key in up:
            match.link_up(key, now)
        match.step(now)
        self.greet_chat(up)

    @property
    def _admission(self) -> Admission | None:
        """Who may watch the match that is agreed on now, None if there is none."""
        if self.forming is not None:
            return self.forming.bystanders
        proposal = None if self.guest is None else self.guest.proposal
        return None if proposal is None else proposal.bystanders

    def _watch(self, match: Match, attending: Attending, now: float) -> None:
        """Watch a match; chat is for the players alone."""
        self.attending = attending
        if attending.watches and attending.key is not None:
            match.link_up(attending.key, now)
            match.step(now)

    def play_on(self, now: float) -> None:
        """Be a member from now on: a seat of the match watched was handed over.

        Members may have greeted this node before it knew that it is one of them.
        """
        match = self.match
        if match is None or match.watching:
            return
        self.attending = None
        self.begin_chat(match.fold.terms.nonce, match.hidden.chat)
        up = [key for key in sorted(match.others) if self.is_up(key)]
        for key in up:
            if key not in match.relaying.direct:
                match.link_up(key, now)
        match.step(now)
        self.greet_chat(up)

    def resume(self, key: bytes, message: LogMessage) -> None:
        """Go on with a match that somebody had left, if it is in hand there again."""
        if isinstance(message, Have) and not message.number:
            return
        self.left.discard(key)
        if not self.left:
            self.stopped = ""

    def greet_members(self, now: float) -> None:
        """Take up with members who came into the match just now."""
        match = self.match
        if match is None:
            return
        for key in sorted(match.others - self.members):
            if self.is_up(key):
                match.link_up(key, now)
                match.step(now)
        self.members = match.others

    def reopen(self, ledger: Ledger, now: float) -> None:
        """Take up a match that is on the disk: as a member, or to watch it on.

        Raises:
            LocalError: DISK, or BAD_LOG for damaged secrets.
        """
        me = self.saving.signer(ledger).key
        if me in ledger.fold.keys:
            self.open(ledger, now)
        else:
            self.open(ledger, now, Attending(self, "", ledger.log.match))

    def go_on(self, match: bytes, now: float) -> None:
        """Go on with a match that is kept here, or say why that cannot be.

        One that is over and audited is not: nobody has anything to do in it.
        """
        archive = self.means.archive
        try:
            with self.guarded, self.opening(match):
                if self.lacking.look(match):
                    return
                ledger = self.mender.ledger(match)
                if ledger is None:
                    self.fault(NOTHING_LEFT)
                    return
                if audit(ledger.fold):
                    ledger.file.close()
                    archive.take_in_hand(None)
                    self.lacking.clear()
                else:
                    self.reopen(ledger, now)
        except NetplayError as error:
            self.lacking.clear()
            self.fault(f"the last match cannot go on: {error}")

    def start(self, now: float) -> None:
        """Start the match that all have agreed on.

        Raises:
            LocalError: Not all have, or DISK.
        """
        table = self.forming
        if table is None:
            raise LocalError(Code.NO_TABLE, "no table is being formed here")
        signer: Signer = self.means.signer
        seed = b""
        if table.here:
            seed = self.saving.new_key()
            signer = table.signer = SecretKey(seed)
        terms = table.terms()
        raw = make_genesis(signer, terms, table.signatures())
        ledger = self._begun(match_of(terms), raw, seed)
        self.places.update(table.addresses)
        with self.guarded:
            self.open(ledger, now)

    def _begun(self, name: bytes, raw: bytes, seed: bytes) -> Ledger:
        """Return a match that has just begun, on the disk.

        Raises:
            LocalError: DISK; nothing is left of the match, and the table stays.
        """
        archive = self.means.archive
        try:
            if seed:
                self.saving.keep_key(name, seed)
            ledger = Ledger(archive.open(name), (raw,))
            ledger.file.sync()
            self.saving.signer(ledger)  # there is room for the secrets, too
        except LocalError:
            archive.discard(name)
            raise
        return ledger

    def calls(self, dial: Dial) -> bool:
        """Tell whether an address is called to watch a match there."""
        attending = self.attending
        called = attending is not None and attending.calls == dial.address
        return called and bool(dial.address) and self.match is None

    def drop(self) -> None:
        """Have no table in hand any more; a match stays on the disk."""
        self.gallery.close()
        self.rematch.clear()
        guest, self.guest = self.guest, None
        if guest is not None and not guest.wanted:
            self.say((guest.host,), declining(Code.DECLINED, "not now"))
        if self.match is not None:
            with self.guarded:
                self.match.close()
                self.means.archive.take_in_hand(None)
        self.forming = self.guest = self.match = self.talk = self.attending = None
        self.stopped, self.nonce, self.changed = "", b"", True
        self.left.clear()
        self.lacking.clear()
        self.strangers.forget()

    def forget_absent(self) -> None:
        """Forget those who are away and whom no table needs."""
        others = {*self.others, *([self.attending.key] if self.attending else [])}
        gone = [k for k, peer in self.peers.items() if not peer.up and k not in others]
        for key in gone:
            del self.peers[key]
            self.places.pop(key, None)
            self._heard_again.discard(key)

    @contextmanager
    def opening(self, match: bytes) -> Generator[None]:
        """Note a match that the disk refuses to open; the error is passed on."""
        try:
            yield
        except LocalError as error:
            if error.code is Code.DISK:
                self.spoiled.add(match)
            raise

    def _give_up(self, why: LocalError) -> None:
        """Let the match go that cannot be kept, until the node starts anew.

        Nobody can tell what is on the disk; so nothing that was waiting to be sent is,
        and the others hear that the match is not here, and wait for this node no more.
        """
        self.tell(str(why), "error")
        match, attending = self.match, self.attending
        self.forming = self.guest = self.match = self.talk = self.attending = None
        self.out.clear()
        if match is None:
            return
        self.spoiled.add(match.match)
        with suppress(LocalError):
            match.close()
        if attending is None:
            self.say(sorted(match.others), Have(match.match, 0, 0, ZERO))
        else:
            attending.leave()

    # Chat.

    def begin_chat(self, nonce: bytes, kept: Iterable[Chat]) -> None:
        """Begin the chat of a table, unless it is the one there is."""
        if self.talk is None or self.nonce != nonce:
            self.nonce = nonce
            self.talk = Talk(nonce, self.means.signer, 0.0, kept=kept, keep=self._keep)

    def _keep(self, line: Chat) -> None:
        """Write down a line of the match in hand."""
        if self.match is not None:
            self.match.keep(KeptChat(line))

    def greet_chat(self, keys: Iterable[bytes]) -> None:
        """Tell members how much chat is here, so that they send the rest."""
        if self.talk is not None:
            others = [key for key in keys if key in self.others]
            self._heard_again.difference_update(others)
            self.say(others, self.talk.heard(self.speakers))

    def recall_chat(self, window: int) -> None:
        """Show a window that has just come what was said before."""
        if self.talk is not None:
            for line in self.talk.came():
                self.show_chat(line, window)

    def show_chat(self, line: Chat, window: int = EVERY_WINDOW) -> None:
        """Show a window, or all of them, a line of chat, but for a blocked player's."""
        if line.author in self.means.known.blocked:
            return
        terms = self.terms
        members = () if terms is None else terms.members
        names = {member.key: shown_name(member.name) for member in members}
        names.setdefault(self.me, self.name)
        author = self.known_as(line.author, names.get(line.author, ""))
        shown_line = Line("chat", author, shown(line), self.means.unix())
        self.pushes.append(Push(window, shown_line))

    def on_heard(self, key: bytes, heard: Heard) -> None:
        """Send a member the chat that it lacks, and ask for what is not here, once."""
        if self.talk is None or heard.table != self.nonce or key not in self.others:
            return
        self.say((key,), *self.talk.missing(heard, self.speakers))
        if key in self._heard_again or not self.talk.is_behind(heard, self.speakers):
            return
        self._heard_again.add(key)  # our first word came before it had the table
        self.say((key,), self.talk.heard(self.speakers))

    @property
    def speakers(self) -> set[bytes]:
        """Who may speak at the table."""
        return {*self.others, self.me}

    def on_chat(self, line: Chat, now: float) -> None:
        """Take a line of chat from a peer.

        Raises:
            PeerError: NOT_A_MEMBER or BAD_SIGNATURE.
        """
        if self.talk is None or line.table != self.nonce:
            return
        if not self.strangers.may_talk(line.author):
            return
        new = self.talk.take(line, self.speakers, now)
        if new is None:
            return
        self.show_chat(new)
        if self.match is not None:  # members without a link to the author
            self.say(self.match.relaying.lacking(line.author), line)

    def link_news(self) -> None:
        """Tell members with whom links have changed how much chat is here.

        They hear it behind what links there are now: from then on each of the two
        passes lines on that the other cannot have from their author.
        """
        news = self.match.relaying.take_news() if self.match is not None else ()
        if news:
            self.greet_chat(sorted(news))

"""A match in which this node plays: chat, bystanders, and a rematch when it is over."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace
from typing_extensions import override

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.match.match import Match
from netplay.messages.door import TableStatus
from netplay.messages.log import Ack, Entries, LogMessage, Submit
from netplay.messages.table import (
    Admit,
    Ask,
    Attend,
    Beat,
    Beyond,
    Bystanders,
    Chat,
    Decline,
    OpenTable,
    Passed,
    PassOn,
    Proposal,
    SeatKind,
    SeatTerms,
    Ticket,
)
from netplay.messages.table_questions import AnswerWatcher, LetWatch, PlayAgain
from netplay.messages.types import Admission
from netplay.record.hidden import KeptAdmission, KeptChat
from netplay.said import Said, Words
from netplay.sentences import Says
from netplay.table.audience import Audience
from netplay.table.chat import ChatRoom
from netplay.table.chosen_options import Chair
from netplay.table.forming import Forming
from netplay.table.in_match import InMatch
from netplay.table.shared import Shared
from netplay.table.state import Change, Form, Gone, Reply, Sit
from netplay.wanted import Dial, PeerMessage

# The same table once more: the host proposes, the seats rotated; guests may ask.
#
# A guest asks with `Ask`, as for a seat: at a match that is over it means that its
# player would like another. The host's new terms come as a `Proposal`, which waits
# beside the match that is over until the guest's player agrees, or has asked for it
# already.


NONCE_BYTES: Final = 32


class Rematch:
    """Who would like to play again, and the terms that were proposed for it."""

    def __init__(self, shared: Shared, match: Match) -> None:
        """Begin without a wish.

        Args:
            shared: What all tables of the node have in common.
            match: What was played.
        """
        self._shared: Final = shared
        self._match: Final = match
        self._wishes: dict[bytes, None] = {}
        self._offer: tuple[bytes, Proposal] | None = None

    def names(self) -> tuple[str, ...]:
        """Return who would like to play again, this node's player among them."""
        keys = [*self._wishes]
        if self._offer is not None:
            keys.append(self._offer[0])
        me, shared = self._shared.me, self._shared
        named = (shared.name if key == me else shared.name_of(key) for key in keys)
        return tuple(named)

    @property
    def wished(self) -> bool:
        """Tell whether this node's player would like to play again."""
        return self._shared.me in self._wishes

    def _concerns(self, key: bytes) -> bool:
        """Tell whether the match is over, and somebody has played in it."""
        return self._match.fold.over and key in self._match.others

    # What peers say.

    def wish(self, key: bytes) -> bool:
        """Take a guest's wish; return whether it is one of a match that is over."""
        if not self._concerns(key):
            return False
        if key not in self._wishes:
            self._wishes[key] = None
            self._shared.tell(Says.WOULD_REMATCH(name=self._shared.name_of(key)))
        return True

    def offered(self, key: bytes, proposal: Proposal) -> bool:
        """Let terms of somebody at the table wait for this node's player.

        Returns:
            Whether they do; else they are as any others, or the wish is there already.
        """
        shared, match = self._shared, self._match
        # Who was away when it ended hears of the rematch before it hears of the end.
        ended = match.fold.over or proposal.again == match.match
        if not ended or key not in match.others or shared.me in self._wishes:
            return False
        if self._offer is None:
            shared.tell(Says.WOULD_REMATCH(name=shared.name_of(key)))
        self._offer = (key, proposal)
        shared.changed = True
        return True

    def agreed(self, key: bytes) -> bool:
        """Tell whether new terms of somebody are what this node's player waits for."""
        return self._concerns(key) and self._shared.me in self._wishes

    def withdrawn(self, key: bytes) -> bool:
        """Note that whoever proposed a rematch does so no longer."""
        if self._offer is None or self._offer[0] != key:
            return False
        self._offer = None
        self._shared.tell(Says.NO_REMATCH_NOW(name=self._shared.name_of(key)))
        return True

    @property
    def nonce(self) -> bytes:
        """What names the table that is proposed, empty for none."""
        return b"" if self._offer is None else self._offer[1].terms.nonce

    # What the players here want.

    def decline(self) -> None:
        """Say no to the terms that wait, if any do: the table is left."""
        if self._offer is not None:
            key, proposal = self._offer
            nonce, revision = proposal.terms.nonce, proposal.revision
            self._shared.decline(key, nonce, Code.DECLINED, Says.NO_REMATCH(), revision)
            self._offer = None

    def want(self) -> tuple[Words, Change | None]:
        """Propose a rematch, agree to the one proposed, or ask the host for one.

        Who is away is asked all the same: the table waits, as for any friend.

        Returns:
            What came of it, in words, and what becomes of the table.

        Raises:
            LocalError: The match is not over; a host is away whose computers play, or
                somebody whom this node would not find again.
        """
        shared, match = self._shared, self._match
        if not match.fold.over:
            raise LocalError(Code.USAGE, Says.REMATCH_LATER())
        if self._offer is not None:
            host, proposal = self._offer
            return Says.REMATCH_IT_IS(), self.sit(host, proposal)
        if not match.hosting and shared.is_up(match.host):
            self._wishes[shared.me] = None
            shared.say((match.host,), Ask(match.fold.terms.nonce, -1))
            return Says.REMATCH_ASKED(), None
        if not match.hosting and not self._all_persons():
            raise LocalError(Code.SILENT, Says.HOST_AWAY())
        needed = match.fold.electors - {match.me}
        known = shared.means.known  # who can be found again
        lost = (key for key in needed if not (shared.is_up(key) or known.knows(key)))
        missing = sorted(lost)
        if missing:
            names = ", ".join(shared.name_of(key) for key in missing)
            raise LocalError(Code.SILENT, Says.AWAY(names=names))
        return Says.REMATCH_PROPOSED(), Form(self._again())

    def _all_persons(self) -> bool:
        """Tell whether nobody's computer plays: another host can then offer the same.

        A seat that somebody took over is no one's who might be asked for it.
        """
        fold = self._match.fold
        return all(
            plan.kind == "person" and fold.terms.members[plan.member].key == holder
            for plan, holder in zip(fold.terms.seats, fold.holders, strict=True)
        )

    def sit(self, host: bytes, proposal: Proposal) -> Sit:
        """Sit down for a rematch: that is all to which the player has said yes."""
        fold = self._match.fold
        seats = [self._seat(n, host) for n in range(len(fold.holders))]
        members, rotated = tuple(fold.members), (*seats[1:], seats[0])
        terms = replace(fold.terms, members=members, seats=rotated)
        admission = self._match.hidden.bystanders
        meant = Proposal(proposal.revision, terms, (), admission, fold.match)
        return Sit(host, proposal=proposal, agreed=meant, said=self._shared.now)

    def _seat(self, number: int, host: bytes) -> SeatTerms:
        """Return a seat of the match as a host has it in the next; see `_chair`."""
        fold = self._match.fold
        plan, holder = fold.terms.seats[number], fold.holders[number]
        keys, name = [member.key for member in fold.members], fold.names[number]
        own = fold.terms.members[plan.member].key == holder == host
        if own and not plan.is_person:
            return SeatTerms("computer", name, keys.index(holder), plan.skill)
        kind: SeatKind = "browser" if own and plan.kind == "browser" else "person"
        return SeatTerms(kind, name, keys.index(holder), 0)

    def _again(self) -> Forming:
        """Return a table with the terms of the match, everybody one seat on."""
        shared, fold = self._shared, self._match.fold
        means, terms = shared.means, fold.terms
        chairs = [self._chair(n) for n in range(len(fold.holders))]
        for chair in chairs:
            # Who has resigned need not be here, or have been since the node started.
            peer = None if chair.key is None else shared.peers.get(chair.key)
            if chair.key is not None and peer is not None:
                shared.places.setdefault(chair.key, peer.address)
        rotated = (*chairs[1:], chairs[0])
        nonce = means.entropy(NONCE_BYTES)
        count = len(chairs)
        guests = {n for n in range(count) if chairs[n].kind == "browser"}
        shared.lending.moved(fold.match, nonce, {n: (n - 1) % count for n in guests})
        who = means.signer, shared.name
        table = Forming.rematch(*who, terms, rotated, nonce, means.known)
        table.bystanders = self._match.hidden.bystanders
        for key in table.guests:
            table.addresses[key] = shared.places.get(key, "")
        return table

    def _chair(self, number: int) -> Chair:
        """Return a seat of the match as a chair of the next."""
        fold, me = self._match.fold, self._match.me
        plan: SeatTerms = fold.terms.seats[number]
        name, holder = fold.names[number], fold.holders[number]
        if holder != me:
            # By a key, as friends are asked: so the table is kept for each.
            key = fingerprint(holder) if self._shared.means.known.knows(holder) else ""
            return Chair("remote", name, address=key, comment=name, key=holder)
        own = fold.terms.members[plan.member].key == me
        if plan.is_person and own:
            return Chair("browser" if plan.kind == "browser" else "person", name)
        if own:
            # Where a program lies was said for that match alone.
            return Chair("computer", name, plan.skill)
        return Chair("person", name)


class Playing(InMatch):
    """A match with a seat here."""

    def __init__(
        self,
        shared: Shared,
        match: Match,
        chat: ChatRoom | None = None,
        admission: Admission | None = None,
    ) -> None:
        """Sit down to play.

        Args:
            shared: What all tables of the node have in common.
            match: Its files are open.
            chat: What was said while the match was agreed on.
            admission: Who may watch, as was agreed; None for what is kept.
        """
        super().__init__(shared, match)
        nonce = match.fold.terms.nonce
        goes_on = chat is not None and chat.nonce == nonce
        self._said_before: Final = chat if goes_on else None
        self._admission: Final = admission
        self._audience: Final = Audience(shared, match)
        self.alarm = self._audience.tree.alarm
        self._rematch: Final = Rematch(shared, match)
        self.answers.update(
            {
                AnswerWatcher: self._answer_watcher,
                LetWatch: self._let_watch,
                PlayAgain: lambda _ask, _now: self._rematch.want(),
            }
        )

    # What there is.

    @property
    @override
    def mode(self) -> str:
        return "hosting" if self._match.members.hosting else "joined"

    @property
    @override
    def busy(self) -> bool:
        match = self._match
        return not (match.fold.over or self.stopped or match.watching)

    @override
    def names(self) -> dict[bytes, str]:
        bystanders = {one.key: one.name for one in self._audience.everybody()}
        return {**bystanders, **super().names()}

    @override
    def dials(self) -> Iterable[Dial]:
        if not self.stopped:
            calm, places = self._match.fold.over, self.shared.places
            for key in self.others:
                if key not in self.left:
                    yield Dial(places.get(key, ""), key, calm)

    @property
    def _open(self) -> bool:
        """Whether somebody more may ask to watch here."""
        shut = self.stopped or self._match.watching
        return not shut and self._audience.open

    @override
    def offer(self) -> tuple[str, int] | None:
        match = self._match
        if not match.hosting or match.fold.over or not self._open:
            return None
        if not match.others and match.hidden.bystanders != "anybody":
            return None  # against computers: nobody is waited for
        return match.fold.terms.game, 0

    @override
    def is_called(self, name: bytes) -> bool:
        return super().is_called(name) or name == self._rematch.nonce

    @override
    def open_to(self, key: bytes) -> OpenTable | None:
        """Return this match for a peer that may ask to watch it."""
        match = self._match
        if match.fold.over or not self._open or key in match.others:
            return None
        names = tuple(match.fold.names)
        return OpenTable(match.match, match.fold.terms.game, 0, names)

    @override
    def let_look_on(self, keys: frozenset[bytes]) -> None:
        if not self._match.watching:
            self._audience.let_look_on(keys)

    @override
    def await_guests(self) -> None:
        match, lending = self._match, self.shared.lending
        match.members.lent = lending.seats(match.match)
        missing = lending.missing(match.match)
        missing = match.members.seats if self.stopped else missing
        match.vacate(missing, self.shared.now)

    @override
    def guest_seen(self, seat: int, *, here: bool) -> None:
        super().guest_seen(seat, here=here)
        self.await_guests()

    @override
    def looks(self, key: bytes) -> bool:
        return self._audience.watches(key)

    @override
    def serves(self, key: bytes) -> bool:
        return super().serves(key) or self._audience.watches(key)

    @override
    def expects(self, key: bytes) -> bool:
        """Tell whether a link matters: a crowd is not to cut off who watches."""
        return super().expects(key) or self._audience.watches(key)

    @override
    def ring(self, now: float) -> None:
        self._audience.ring()

    @override
    def status(self, now: float) -> TableStatus:
        return replace(
            super().status(now),
            watchers=self._audience.watchers(),
            watched=self._audience.counted(),
            asking=self._audience.asking(),
            bystanders=self._match.hidden.bystanders,
            rematch=self._rematch.names(),
            wished=self._rematch.wished,
        )

    # Life.

    @override
    def enter(self, now: float) -> Change | None:
        """Go on with the chat, and take up with everybody who is there.

        Members may have greeted this node before it knew that it is one of them.
        """
        match, shared = self._match, self.shared
        agreed = self._admission
        if agreed is not None and agreed != match.hidden.bystanders:
            match.keep(KeptAdmission(agreed))
        super().enter(now)
        shared.means.asked.drop(match.fold.terms.nonce)
        self.chat = self._said_before
        if self.chat is None:
            kept = match.hidden.chat
            self.chat = ChatRoom(shared, self, match.fold.terms.nonce, kept)
        else:
            for line in self.chat.talk.said():
                match.keep(KeptChat(line))
        self.chat.move_to(self, match.keep, match.hidden.heard, match.hidden.read)
        up = [key for key in self.others if shared.is_up(key)]
        for key in up:
            if key not in match.relaying.direct:
                match.link_up(key, now)
        self.await_guests()
        match.step(now)
        self.chat.greet(up)
        self._meet(up)
        self.let_look_on(shared.lending.lookers(match.match))
        return None

    def _meet(self, keys: Iterable[bytes]) -> None:
        """Note that the player here plays with members: they are no strangers now."""
        known = self.shared.means.known
        new = [key for key in keys if not known.is_friend(key)]
        if new and not self._match.watching:
            self.shared.befriend(new)

    @override
    def close(self) -> None:
        self._audience.close()
        super().close()

    @override
    def give_up(self) -> None:
        self._audience.close()
        super().give_up()

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        # To who has left it nothing is said of it: that would take it in hand there.
        if key in self._match.others and key not in self.left:
            self._match.link_up(key, now)
            self._match.step(now)
            self._audience.member_up(key)
            self._meet((key,))
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        super().peer_down(key, now)
        self._audience.leave(key)
        self._audience.member_down(key)
        return None

    @override
    def peer_named(self, key: bytes) -> None:
        self._audience.renamed(key)

    @override
    def blocked(self, key: bytes) -> Change | None:
        """A match goes on as if there were no way to the player's node."""
        self._audience.turn_out(key)
        self._rematch.withdrawn(key)
        return None

    @override
    def send(self, now: float) -> Change | None:
        super().send(now)
        if self._match.relaying.news:
            self.link_news()
        if self._audience.guests:
            self._audience.outgoing()
        return None

    def link_news(self) -> None:
        """Tell members with whom links have changed how much chat is here.

        They hear it behind what links there are now: from then on each of the two
        passes lines on that the other cannot have from their author.
        """
        news = self._match.relaying.take_news()
        if news and self.chat is not None:
            self.chat.greet(sorted(news))

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        match message:
            case Submit() | Entries() | Ack():  # nearly all there are
                return self.on_log(key, message, now)
            case Proposal():
                return self._on_proposal(key, message, now)
            case Attend():
                self._audience.attend(key, message)
            case Bystanders():
                self._audience.elsewhere(key, message)
            case Admit():
                self._audience.admitted(key, message)
            case PassOn():
                self._audience.offers(key, message)
            case Passed():
                self._audience.passed(key, message)
            case Beyond():
                self._audience.beyond(key, message)
            case Ticket() | Beat():
                raise PeerError(Code.NOT_A_MEMBER, "of those who pass a match on")
            case _:
                return super().receive(key, message, now)
        return None

    @override
    def on_ask(self, key: bytes, ask: Ask, why: Said | None = None) -> None:
        if not ask.table or not self._rematch.wish(key):
            super().on_ask(key, ask, Says.MATCH_THERE_WATCH() if self._open else None)

    def _on_proposal(self, key: bytes, proposal: Proposal, now: float) -> Change | None:
        """Take the terms of a rematch."""
        if self._rematch.agreed(key):
            return self._rematch.sit(key, proposal)
        if self._rematch.offered(key, proposal):
            if self.talk(proposal.terms.nonce) is None:
                self.beside = ChatRoom(self.shared, self, proposal.terms.nonce)
                self.beside.greet((key,))
            return None
        return super().receive(key, proposal, now)

    @override
    def on_decline(self, key: bytes, decline: Decline, now: float) -> None:
        if decline.table == self._rematch.nonce and self._rematch.withdrawn(key):
            return
        if not self._audience.leave(key):
            super().on_decline(key, decline, now)
            self._audience.member_down(key)

    @override
    def on_chat(self, line: Chat, now: float) -> bool:
        new = super().on_chat(line, now)
        if new:  # for members without a link to the author
            self.shared.say(self._match.relaying.lacking(line.author), line)
        return new

    @override
    def on_stranger(self, key: bytes, message: LogMessage, now: float) -> None:
        if not self._audience.receive(key, message, now):
            super().on_stranger(key, message, now)

    # Windows.

    def _answer_watcher(self, ask: AnswerWatcher, _now: float) -> Reply:
        may = Says.MAY_WATCH if ask.allow else Says.MAY_NOT_WATCH
        return may(name=self._audience.choose(ask.whom, allow=ask.allow)), None

    def _let_watch(self, ask: LetWatch, now: float) -> Reply:
        if self._match.watching:
            return self.refused(ask, now)
        self._audience.admission(ask.who)
        return Says.BYSTANDERS(wish=ask.who), None

    @override
    def leave(self) -> Reply:
        self._rematch.decline()
        if not self._match.fold.over:
            self.shared.put(self._match.outgoing())
            unaware = self._match.others - self.left
            self.shared.leave(self.nonce, self._match.match, unaware)
            self.stopped = ""  # a word of the match behind that would be of going on
        return Says.TABLE_LEFT(), Gone()

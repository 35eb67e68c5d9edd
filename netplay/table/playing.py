"""A match in which this node plays: chat, bystanders, and a rematch when it is over."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace
from typing_extensions import override

from netplay.errors import Code
from netplay.match.match import Match
from netplay.messages.door import Question, TableStatus
from netplay.messages.log import Ack, Entries, LogMessage, Submit
from netplay.messages.table import (
    Admit,
    Ask,
    Attend,
    Bystanders,
    Chat,
    Decline,
    OpenTable,
    Proposal,
)
from netplay.messages.table_questions import AnswerWatcher, LetWatch, PlayAgain
from netplay.messages.types import Admission
from netplay.record.hidden import KeptAdmission, KeptChat, KeptHeard
from netplay.said import Said
from netplay.sentences import Says
from netplay.table.audience import Audience
from netplay.table.changes import Change, Gone
from netplay.table.chat_room import ChatRoom
from netplay.table.in_match import InMatch
from netplay.table.rematch import Rematch
from netplay.table.shared import Shared
from netplay.table.state import Reply
from netplay.wanted import Dial, PeerMessage


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
        self._rematch: Final = Rematch(shared, match)

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
    def serves(self, key: bytes) -> bool:
        return super().serves(key) or self._audience.watches(key)

    @override
    def status(self, now: float) -> TableStatus:
        return replace(
            super().status(now),
            watchers=self._audience.watchers(),
            asking=self._audience.asking(),
            bystanders=self._match.hidden.bystanders,
            rematch=self._rematch.names(),
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
        self.chat.move_to(
            self,
            lambda line: match.keep(KeptChat(line)),
            lambda key, lines: match.keep(KeptHeard(key, lines)),
            match.hidden.heard,
        )
        up = [key for key in self.others if shared.is_up(key)]
        for key in up:
            if key not in match.relaying.direct:
                match.link_up(key, now)
        match.step(now)
        self.chat.greet(up)
        self._meet(up)
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
        if key in self._match.others:
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

    @override
    def ask(self, question: Question, now: float) -> Reply:
        match question:
            case AnswerWatcher(allow, whom):
                may = Says.MAY_WATCH if allow else Says.MAY_NOT_WATCH
                name = self._audience.choose(whom, allow=allow)
                return may(name=name), None
            case LetWatch(who) if not self._match.watching:
                self._audience.admission(who)
                return Says.BYSTANDERS(wish=who), None
            case PlayAgain():
                return self._rematch.want()
            case _:
                return super().ask(question, now)

    @override
    def leave(self) -> Reply:
        self._rematch.decline()
        if not self._match.fold.over:
            self.shared.put(self._match.outgoing())
            for key in self.others:
                why = Says.LEFT_TABLE()
                self.shared.decline(key, self.nonce, Code.STOPPED, why)
        return Says.TABLE_LEFT(), Gone()

"""The desk of a node: it implements the Protocol in netplay.desk.

Here is what comes from links; netplay.table.seating takes what is about seats and
terms, netplay.table.opening what is about a match, netplay.table.clerk answers the
windows' questions, and netplay.table.watching shows them the match.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from netplay.desk import Dial, Outgoing, PeerMessage, Push, Thought
from netplay.errors import Code, LocalError, NetplayError
from netplay.messages.door import Done, Failed, Request, TableStatus
from netplay.messages.table import (
    Accept,
    Admit,
    Ask,
    Attend,
    Bystanders,
    Chat,
    Decline,
    Heard,
    Piece,
    Proposal,
    Want,
)
from netplay.review.turns import Turn
from netplay.sanitize import shown_name
from netplay.table.clerk import Clerk
from netplay.table.forming import Forming
from netplay.table.keeping import is_fingerprint
from netplay.table.lacking import NOTHING_LEFT
from netplay.table.lookback import LookBack
from netplay.table.opening import Opener
from netplay.table.seating import Seating
from netplay.table.showing import Eyes, Peer, show_forming, show_guest, show_match
from netplay.table.sitting import Means, Sitting
from netplay.table.watching import Watching
from rules.game import IllegalMoveError

Taker: TypeAlias = Callable[[bytes, Any, float], None]
"""Takes a message: its sender's key, itself, and the time."""


class LocalDesk:
    """The desk."""

    def __init__(self, means: Means, name: str) -> None:
        """Begin without a table; `reopen` goes on with the match left in hand.

        Args:
            means: Key, disk, word lists, randomness, time of day.
            name: This node's player.
        """
        self.sitting = Sitting(means, name)
        self._watching = Watching(self.sitting)
        self._seating = Seating(self.sitting)
        self._clerk = Clerk(self.sitting, self._watching, self._seating)
        self._look_back = LookBack(self.sitting)
        self._opener = Opener(self.sitting)
        self._awaited = b""
        """The match whose computers' turns have been told of."""
        seated, watched = self._seating.receive, self._on_watching
        self._takers: Final[dict[type[Any], Taker]] = {
            **dict.fromkeys((Ask, Proposal, Accept, Decline), seated),
            **dict.fromkeys((Attend, Bystanders, Admit), watched),
            Want: self._on_want,
            Piece: self._on_piece,
            Chat: self._on_chat,
            Heard: self._on_heard,
        }
        """Who takes what is not about a match."""

    def reopen(self, now: float) -> None:
        """Go on with the match that was in hand when the node ended."""
        archive = self.sitting.means.archive
        try:
            match = archive.in_hand()
        except LocalError as error:
            self.sitting.fault(f"the last match cannot go on: {error}")
            return
        if match is None:
            return
        if not archive.has(match):
            self.sitting.fault(NOTHING_LEFT)
            return
        self.sitting.go_on(match, now)

    # Links.

    def peer_up(
        self, key: bytes, name: str, address: str, now: float, *, friend: bool = True
    ) -> None:
        """Note a link, and go on with whatever it was wanted for."""
        sitting = self.sitting
        sitting.now = now
        sitting.peers[key] = Peer(name, address, now, up=True, friend=friend)
        sitting.changed = True
        if sitting.forming is not None:
            self._seating.came(sitting.forming, key)
        joining = sitting.joining
        if joining is not None and joining[0].address == address:
            sitting.ask_for_seat(key)
        elif sitting.guest is not None and sitting.guest.host == key:
            # A link may take the place of another that nobody has seen the end of;
            # what was asked for on that one will not come.
            sitting.guest.again()
            sitting.say((key,), Ask(-1))
        if sitting.attending is not None:
            sitting.attending.up(key, address)
        elif sitting.match is not None and key in sitting.match.others:
            with sitting.guarded:
                sitting.match.link_up(key, now)
                sitting.match.step(now)
            sitting.gallery.member_up(key)
        sitting.lacking.up()
        sitting.greet_chat((key,))

    def peer_down(self, key: bytes, now: float) -> None:
        """Note that a peer is away."""
        sitting = self.sitting
        peer = sitting.peers.get(key)
        if peer is None:
            return
        sitting.now = now
        sitting.peers[key] = replace(peer, up=False, since=now)
        sitting.changed = True
        if sitting.guest is not None and sitting.guest.host == key:
            if sitting.called:
                sitting.drop()  # it calls no longer
            else:
                sitting.guest.again()
        if sitting.match is not None:
            with sitting.guarded:  # a host may be chosen now that this one has gone
                sitting.match.link_down(key, now)
            sitting.gallery.leave(key)
            sitting.gallery.member_down(key)
        if sitting.attending is not None:
            sitting.attending.down(key)
        sitting.lacking.down(key)
        sitting.forget_absent()

    # Messages.

    def receive(self, key: bytes, message: PeerMessage, now: float) -> None:
        """Take a message from a peer.

        Raises:
            PeerError: It broke the protocol.
            LocalError: DISK.
        """
        self.sitting.changed, self.sitting.now = True, now
        take: Taker = self._takers.get(type(message), self._opener.receive)
        take(key, message, now)

    def _on_want(self, key: bytes, want: Want, _now: float) -> None:
        """Send a piece of an edition or word list that is needed there."""
        piece = self.sitting.strangers.want(key, want)
        if piece is not None:
            self.sitting.say((key,), piece)

    def _on_chat(self, _key: bytes, line: Chat, now: float) -> None:
        """Take a line of chat."""
        with self.sitting.guarded:
            self.sitting.on_chat(line, now)

    def _on_heard(self, key: bytes, heard: Heard, _now: float) -> None:
        """Take how much chat somebody has heard."""
        self.sitting.on_heard(key, heard)

    def _on_piece(self, key: bytes, piece: Piece, _now: float) -> None:
        """Take a piece of an edition or word list that is needed here."""
        sitting = self.sitting
        if sitting.lacking.match:
            sitting.lacking.take_piece(key, piece)
        elif sitting.attending is not None:
            sitting.attending.take_piece(key, piece)
        elif sitting.guest is not None and sitting.guest.host == key:
            sitting.say((key,), *sitting.guest.take_piece(piece))

    def _on_watching(
        self, key: bytes, message: Attend | Bystanders | Admit, now: float
    ) -> None:
        """Take what is about bystanders."""
        attending, gallery = self.sitting.attending, self.sitting.gallery
        match message:
            case Attend():
                gallery.attend(key, message)
            case Bystanders():
                if attending is None:
                    gallery.elsewhere(key, message)
                elif key == attending.key:
                    with self.sitting.guarded:
                        attending.told(message, now)
            case Admit():
                gallery.admitted(key, message)

    # Windows.

    def window_up(self, window: int) -> None:
        """Note a new window, and tell it what was said before it came."""
        self._watching.up(window)
        self.sitting.recall_chat(window)

    def window_down(self, window: int) -> None:
        """Forget a window."""
        self._watching.down(window)

    def ask(self, window: int, request: Request, now: float) -> Done | Failed:
        """Answer a request from the door."""
        try:
            self.sitting.changed, self.sitting.now = True, now
            text, data = self._clerk.answer(window, request.ask, now)
        except IllegalMoveError as error:
            return Failed(request.id, Code.ILLEGAL_MOVE.number, str(error))
        except NetplayError as error:
            return Failed(request.id, error.code.number, str(error))
        return Done(request.id, text, data)

    # Computer players.

    def hint(self, seat: int) -> Thought:
        """Return the thought that finds a hint for a seat played here."""
        match = self.sitting.match
        if match is None:
            raise LocalError(Code.USAGE, "there is no match to give hints in")
        return match.seats.hint(seat)

    def turn(self, number: int) -> Turn:
        """Return a turn of the match in hand, once it is over."""
        return self._look_back.turn(number)

    def seats_to_think(self) -> Sequence[Thought]:
        """Return the turns of local computer seats."""
        match = self.sitting.match
        if match is None or self.sitting.stopped:
            return ()
        return match.seats.thoughts()

    def seats_to_come(self) -> Sequence[Thought]:
        """Return turns that computer seats here will have, once for each match."""
        match = self.sitting.match
        if match is None or match.match == self._awaited or self.sitting.stopped:
            return ()
        found = match.seats.to_come()
        if found:
            self._awaited = match.match
        return found

    def thought(self, thought: Thought, move: Any, now: float) -> None:  # noqa: ANN401 (a game's own)
        """Take a computer player's move; dropped if its position has passed."""
        match = self.sitting.match
        if match is None or match.match != thought.match:
            return
        self.sitting.changed = True
        try:
            with self.sitting.guarded:
                match.thought(thought, move, now)
        except IllegalMoveError as error:
            self.sitting.tell(f"a computer player erred: {error}", "error")
        except NetplayError as error:
            if error.code is Code.DISK:
                raise

    # Time.

    def wake(self, now: float) -> None:
        """Do what is due; clocks alone may change whose turn it is, or end a match."""
        match = self.sitting.match
        if match is not None:
            before = match.fold.actors
            with self.sitting.guarded:
                match.wake(now)
            if match.fold.actors != before:
                self.sitting.changed = True

    def deadline(self) -> float | None:
        """Return when `wake` is next wanted."""
        match = self.sitting.match
        return None if match is None else match.deadline()

    # What comes of it.

    def take_outgoing(self) -> list[Outgoing]:
        """Return messages in order, after everything they promise is on disk."""
        sitting = self.sitting
        match = sitting.match
        if sitting.guest is not None:
            sitting.say((sitting.guest.host,), *sitting.guest.take_unsaid())
        if match is not None:
            with sitting.guarded:
                dirty = match.ledger.file.dirty
                sitting.out += match.outgoing()
                if dirty and not match.ledger.file.dirty:
                    sitting.changed = True  # more is final, if nothing else is new
                sitting.link_news()
                sitting.gallery.outgoing()
        out, sitting.out = sitting.out, []
        return out

    def take_pushes(self) -> list[Push]:
        """Return pushes for windows, in order."""
        views = self._watching.views()
        pushes, self.sitting.pushes = [*self.sitting.pushes, *views], []
        return pushes

    def take_changed(self) -> bool:
        """Tell whether the status changed since the last call."""
        changed, self.sitting.changed = self.sitting.changed, False
        return changed

    def wants_dial(self) -> Sequence[Dial]:
        """Return the links missing at present."""
        sitting = self.sitting
        dials: list[Dial] = []
        if sitting.joining is not None:
            dials.append(sitting.joining[0])
        if sitting.forming is not None:
            dials += self._calls(sitting.forming)
        if sitting.guest is not None and not sitting.called:
            host = sitting.guest.host
            dials.append(Dial(sitting.places.get(host, ""), host))
            known = [key for key in sitting.others if key in sitting.places]
            dials += [Dial(sitting.places[key], key) for key in known if key != host]
        if sitting.attending is not None:
            dials += sitting.attending.wants_dial()
        elif sitting.match is not None and not sitting.stopped:
            away = [key for key in sitting.match.others if not sitting.is_up(key)]
            calm, places = sitting.match.fold.over, sitting.places
            dials += [Dial(places.get(key, ""), key, calm) for key in sorted(away)]
        dials += sitting.lacking.wants_dial()
        blocked = sitting.means.known.blocked
        return [
            d
            for d in dials
            if d.key is None or not (sitting.is_up(d.key) or d.key in blocked)
        ]

    def _calls(self, table: Forming) -> Iterator[Dial]:
        """Yield whom to call to a table that is being formed."""
        for chair in table.chairs:
            if not chair.address or not (chair.key or chair.calls):
                continue
            if not is_fingerprint(chair.address):
                yield Dial(chair.address, chair.key)
            elif key := self.sitting.means.known.with_fingerprint(chair.address):
                yield Dial("", key)

    # Who is not wanted.

    def players(self) -> Mapping[bytes, str]:
        """Return everybody a window may be shown at the table, and their names."""
        sitting = self.sitting
        found = {key: peer.name for key, peer in sitting.peers.items() if peer.up}
        found |= {one.key: one.name for one in sitting.gallery.everybody()}
        members = () if sitting.terms is None else sitting.terms.members
        found |= {member.key: shown_name(member.name) for member in members}
        if sitting.match is not None:
            found |= {m.key: shown_name(m.name) for m in sitting.match.fold.members}
        found.pop(sitting.me, None)
        return found

    def block(self, key: bytes) -> None:
        """Have nothing to do with a peer any more that has just been blocked."""
        self._seating.blocked(key)

    def unreachable(self, dial: Dial, reason: str, now: float) -> None:
        """Note that an address did not answer."""
        del now  # the Protocol's
        joining = self.sitting.joining
        if joining is not None and joining[0] == dial:
            self.sitting.joining = None
            self.sitting.tell(reason, "error")
        elif self.sitting.calls(dial):
            self.sitting.drop()
            self.sitting.tell(reason, "error")
        elif dial.key is None:
            self.sitting.tell(reason, "error")

    def mode(self) -> str:
        """Return what the node is doing, in a word."""
        sitting = self.sitting
        match = sitting.match
        if sitting.attending is not None:
            return "calling" if match is None else "watching"
        if sitting.forming is not None or (match is not None and match.hosting):
            return "hosting"
        if match is not None or (sitting.guest is not None and not sitting.called):
            return "joined"
        if sitting.joining is not None:
            return "calling"
        return "answering" if sitting.answering else "idle"

    def offer(self) -> tuple[str, int] | None:
        """Return game and free seats of the table that others may come to."""
        table = self.sitting.forming
        if table is not None:
            free = len(table.free())
            return (table.terms().game, free) if free else None
        match = self.sitting.match
        if match is not None and match.hosting and self.sitting.gallery.open:
            return None if match.fold.over else (match.fold.terms.game, 0)
        return ("", 0) if self.mode() == "answering" else None

    def table_status(self, now: float) -> TableStatus | None:
        """Return the table as windows show it."""
        sitting = self.sitting
        me = sitting.me if sitting.match is None else sitting.match.me
        eyes = Eyes(me, sitting.peers, now, sitting.doubt)
        if sitting.match is not None:
            shown = show_match(sitting.match, sitting.stopped, eyes)
            return replace(
                shown,
                watchers=sitting.gallery.watchers(),
                asking=sitting.gallery.asking(),
                bystanders=sitting.match.hidden.bystanders,
                rematch=sitting.rematch.names(),
            )
        if sitting.forming is not None:
            return show_forming(sitting.forming, eyes)
        return None if sitting.guest is None else show_guest(sitting.guest, eyes)

    def expects(self, key: bytes) -> bool:
        """Tell whether a link from this peer matters to the table in hand."""
        attending = self.sitting.attending
        asked = attending is not None and attending.key == key
        return (
            asked or key in self.sitting.others or key in self.sitting.lacking.members
        )

    def take_friends(self) -> Sequence[bytes]:
        """Return those whom the player has said yes to since the last call."""
        return self.sitting.strangers.take_friends()

    def trusts(self, key: bytes) -> bool:
        """Tell whether a peer may send as much as a match needs."""
        return self.expects(key) and self.sitting.strangers.knows(key)

    def close(self, now: float) -> None:
        """Sync and close every file."""
        del now  # the Protocol's
        match, self.sitting.match = self.sitting.match, None
        if match is not None:
            match.close()

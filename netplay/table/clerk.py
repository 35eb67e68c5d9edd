"""What windows and commands ask of the table, and the answers."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from netplay.desk import Dial
from netplay.errors import Code, LocalError
from netplay.messages.door import (
    Answer,
    Call,
    ChangeTable,
    Consent,
    HostTable,
    Join,
    LeaveTable,
    Load,
    LookBack,
    Play,
    Question,
    Save,
    Say,
    SetName,
    StartMatch,
    Tool,
    Watch,
)
from netplay.messages.types import NAME_CHARACTERS
from netplay.peering.fingerprint import fingerprint
from netplay.peering.invitation import plain
from netplay.sanitize import clean
from netplay.table.declining import declining
from netplay.table.forming import Forming, read_skill
from netplay.table.resources import Kind
from netplay.table.seating import Seating
from netplay.table.sitting import NONCE_BYTES, Sitting
from netplay.table.usher import Usher
from netplay.table.watching import Watching

Reply: TypeAlias = tuple[str, bytes]
"""Words for the user, and data if the question asks for any."""


class Clerk:
    """Answers questions about the table in hand."""

    def __init__(self, sitting: Sitting, watching: Watching, seating: Seating) -> None:
        """Take a seat at the desk."""
        self._sitting: Final = sitting
        self._seating: Final = seating
        self._watching: Final = watching
        self._usher: Final = Usher(sitting)
        self._desks: Final[dict[type[Any], Callable[[Any, int, float], str]]] = {
            SetName: self._set_name,
            HostTable: self._host,
            ChangeTable: self._change,
            Answer: self._answer,
            Call: self._call,
            Join: self._join,
            Consent: self._consent,
            StartMatch: self._start,
            LeaveTable: self._leave,
            Play: self._play,
            Watch: self._watch,
            LookBack: self._look_back,
            Say: self._say,
            Save: self._save,
            Load: self._load,
            Tool: self._tool,
        }

    def answer(self, window: int, question: Question, now: float) -> Reply:
        """Return the answer to a question.

        Raises:
            LocalError: The user asked for what cannot be.
            IllegalMoveError: The rules forbid the move.
        """
        desk = self._desks.get(type(question))
        if desk is None:
            raise LocalError(Code.USAGE)
        return desk(question, window, now), b""

    def _set_name(self, ask: SetName, _window: int, _now: float) -> str:
        """Take another player's name."""
        name = clean(ask.name, NAME_CHARACTERS)
        if not name:
            raise LocalError(Code.USAGE, "a name needs at least one character")
        self._sitting.name = name
        return name

    def _host(self, ask: HostTable, _window: int, _now: float) -> str:
        """Open a table."""
        sitting = self._sitting
        if sitting.busy:
            raise LocalError(Code.USAGE, "leave the table you are at first")
        nonce = sitting.means.entropy(NONCE_BYTES)
        known = sitting.means.known
        table = Forming(sitting.means.signer, sitting.name, ask, nonce, known)
        self._keep_words(table)
        sitting.drop()
        sitting.forming, sitting.joining = table, None
        self._seat_called(table)
        sitting.propose()
        return "the table is open"

    def _keep_words(self, table: Forming) -> None:
        """Keep an edition and a word list that came from the user's own files."""
        terms, shelf = table.terms(), self._sitting.means.shelf
        shelf.adopt(Kind.EDITION, terms.edition)
        shelf.adopt(Kind.LEXICON, terms.lexicon)

    def _seat_called(self, table: Forming) -> None:
        """Seat peers that are called and already up."""
        for key, peer in self._sitting.peers.items():
            called = table.kept_for(key, peer.address) if peer.up else []
            if called and key not in table.guests:
                table.addresses[key] = plain(peer.address)
                table.seat(key, peer.name, called[0])

    def _table(self) -> Forming:
        """Return the table being formed here.

        Raises:
            LocalError: There is none.
        """
        if self._sitting.forming is None:
            raise LocalError(Code.NO_TABLE, "no table is being formed here")
        return self._sitting.forming

    def _change(self, ask: ChangeTable, _window: int, _now: float) -> str:
        """Replace the terms."""
        table = self._table()
        table.change(ask.table)
        self._keep_words(table)
        self._seat_called(table)
        self._sitting.propose()
        return "everybody is asked again"

    def _answer(self, ask: Answer, _window: int, _now: float) -> str:
        """Wait for a host's call, or stop waiting."""
        self._sitting.answering, self._sitting.first = ask.on, ask.on and ask.first
        return "waiting for a call" if ask.on else "not waiting for a call any more"

    def _call(self, ask: Call, _window: int, _now: float) -> str:
        """Call a peer to a free seat."""
        table = self._table()
        table.call(ask.address.strip(), ask.seat)
        self._seat_called(table)
        self._sitting.propose()
        return f"calling {ask.address}"

    def _join(self, ask: Join, _window: int, _now: float) -> str:
        """Call a host and ask for a seat."""
        sitting = self._sitting
        if sitting.busy:
            raise LocalError(Code.USAGE, "leave the table you are at first")
        if sitting.attending is not None and sitting.match is None:
            sitting.drop()
        address = ask.address.strip()
        sitting.joining = (Dial(address, None), ask.seat)
        there = [k for k, p in sitting.peers.items() if p.up and p.address == address]
        for key in there[:1]:
            sitting.ask_for_seat(key)
        return f"calling {ask.address}"

    def _consent(self, ask: Consent, _window: int, _now: float) -> str:
        """Accept or decline the proposal."""
        sitting, guest = self._sitting, self._sitting.guest
        if guest is None or guest.proposal is None:
            raise LocalError(Code.NO_TABLE, "nobody has proposed a match")
        if ask.revision != guest.proposal.revision:
            raise LocalError(Code.STALE, "the terms have changed since")
        if ask.accept:
            sitting.agree()
            return "accepted"
        if guest.wanted:
            no = declining(Code.DECLINED, "not these terms", ask.revision)
            sitting.say((guest.host,), no)
        sitting.drop()
        return "declined"

    def _start(self, _ask: StartMatch, _window: int, now: float) -> str:
        """Start the match that all have agreed on."""
        sitting = self._sitting
        guests = [] if sitting.forming is None else sitting.forming.guests
        sitting.start(now)
        sitting.strangers.befriend(guests)
        return "the match begins"

    def _leave(self, _ask: LeaveTable, _window: int, _now: float) -> str:
        """Leave the table; a match can be loaded again."""
        sitting = self._sitting
        sitting.joining = None
        seated = sitting.match, sitting.forming, sitting.guest, sitting.attending
        if seated == (None, None, None, None):
            return "there was no table"
        sitting.rematch.decline()
        over = sitting.match is not None and sitting.match.fold.over
        if sitting.attending is not None:
            sitting.attending.leave()
        elif not over:
            revision = 0 if sitting.forming is None else sitting.forming.revision
            decline = declining(Code.STOPPED, "left the table", revision)
            others = sitting.others
            if sitting.match is not None:
                with sitting.guarded:
                    sitting.out += sitting.match.outgoing()
            sitting.say(others, decline)
        sitting.drop()
        return "the table is left"

    def _play(self, ask: Play, _window: int, now: float) -> str:
        """Make a move."""
        match = self._sitting.match
        if match is None:
            raise LocalError(Code.NO_TABLE, "no match is being played here")
        if self._sitting.stopped:
            raise LocalError(Code.STOPPED, self._sitting.stopped)
        with self._sitting.guarded:
            match.play(ask.seat, ask.move, match.seats.moves_at(ask.number), now)
        return ""

    def _watch(self, ask: Watch, window: int, _now: float) -> str:
        """Show a window a seat's views."""
        self._watching.watch(window, ask.seat)
        return ""

    def _look_back(self, ask: LookBack, window: int, _now: float) -> str:
        """Show a window an earlier view."""
        self._watching.back(window, ask.number)
        return ""

    def _say(self, ask: Say, _window: int, now: float) -> str:
        """Say a line to the table."""
        sitting = self._sitting
        if sitting.talk is None:
            raise LocalError(Code.NO_TABLE, "there is nobody to talk to")
        with sitting.guarded:
            line = sitting.talk.say(ask.text, now)
        sitting.say(sitting.others, line)
        sitting.show_chat(line)
        return ""

    def _save(self, ask: Save, _window: int, now: float) -> str:
        """Write the match to a file of the user's."""
        return self._sitting.saving.save(ask, now)

    def _load(self, ask: Load, _window: int, now: float) -> str:
        """Take up a match from a file, or what is new of the one in hand."""
        return self._sitting.saving.load(ask.path, now)

    def _tool(self, ask: Tool, _window: int, now: float) -> str:
        """Do what later parts ask for."""
        match = self._sitting.match
        if ask.verb == "vote" and match is not None:
            with self._sitting.guarded:
                match.vote(now)
            return "voted to go on with another host"
        if ask.verb == "hand":
            return self._hand(ask.arguments, now)
        if ask.verb == "kick" and len(ask.arguments) == 1:
            return f"{self._seating.kick(ask.arguments[0])} is removed from the table"
        if ask.verb in {"watch", "watchers", "bystanders", "rematch"}:
            return self._usher.answer(ask, now)
        if ask.verb == "autoplay":
            return self._autoplay(ask.arguments)
        raise LocalError(Code.USAGE, f"there is no {ask.verb!r} here")

    def _autoplay(self, arguments: tuple[str, ...]) -> str:
        """Let a computer player stand in for this node's persons, or no longer.

        Args:
            arguments: Its skill, 0 to 100; nothing to take the seats back.
        """
        sitting = self._sitting
        sitting.autoplay = read_skill(arguments[0]) if arguments else None
        if sitting.match is not None:
            sitting.match.autoplay = sitting.autoplay
        return "a computer player stands in" if arguments else "you play yourself"

    def _hand(self, arguments: tuple[str, ...], now: float) -> str:
        """Agree that a seat passes to another player.

        Args:
            arguments: The seat, from 1, and the name or fingerprint of the player.
            now: Seconds.
        """
        sitting, match = self._sitting, self._sitting.match
        if match is None:
            raise LocalError(Code.NO_TABLE, "no match is being played here")
        if len(arguments) != 2 or not arguments[0].isdecimal():
            raise LocalError(Code.USAGE, "say the seat, from 1, and who is to have it")
        key, name = self._player(arguments[1])
        with sitting.guarded:
            match.agree(int(arguments[0]) - 1, key, name, now)
            match.step(now)
            sitting.greet_members(now)
        return f"agreed that {name} plays on"

    def _player(self, text: str) -> tuple[bytes, str]:
        """Return key and name of a player given by name or fingerprint.

        Raises:
            LocalError: USAGE, there is none such here.
        """
        sitting, match = self._sitting, self._sitting.match
        known = {key: peer.name for key, peer in sitting.peers.items() if peer.up}
        known[sitting.me] = sitting.name
        if match is not None:
            known |= {member.key: member.name for member in match.fold.members}
        for key, name in known.items():
            if text in (name, fingerprint(key)):
                return key, name
        names = ", ".join(sorted(set(known.values())))
        raise LocalError(Code.USAGE, f"there is no {text!r} here; there are {names}")

"""A table that this node forms: it gives seats to those who come, and starts."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from msgspec.structs import replace
from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint
from netplay.messages import door
from netplay.messages.table import (
    COUNTED,
    Accept,
    Ask,
    Decline,
    OpenTable,
    Proposal,
    Ready,
    Terms,
)
from netplay.messages.table_questions import Kick, LetWatch, NameSeat
from netplay.messages.types import Admission
from netplay.peering.invitation import plain
from netplay.record.hidden import SEED_BYTES, KeptKey
from netplay.record.ledger import make_genesis
from netplay.record.log import SecretKey, match_of
from netplay.said import Words
from netplay.sanitize import NAME_CHARACTERS, clean, shown_name
from netplay.sentences import Says
from netplay.table.asked import WEEK_SECONDS, AskedTable, Unsaid
from netplay.table.chat import ChatRoom
from netplay.table.chosen_options import Chair
from netplay.table.forming import (
    SAID_SECONDS,
    Forming,
    Readiness,
    is_fingerprint,
    is_for_one,
    known_key,
    left,
    next_second,
    time_runs,
    told_as,
)
from netplay.table.resources import Kind
from netplay.table.shared import Shared, heard
from netplay.table.state import Change, Gone, Reply, Sit, State, TakeUp, Wants
from netplay.table.table_status import Eyes, show_forming
from netplay.table.unopened import begin_file, keep_secrets
from netplay.wanted import Dial, PeerMessage

TURNED_AWAY: Final = 8
"""Of whom a host is told that they ask for a seat that is kept for others."""

AT_ONCE_SECONDS: Final = 60
"""Who comes so soon finds the host at the table, who starts the match."""

RESERVED: Final = 1000
"""Revisions at a time, where only such have come and gone of whom nothing is kept."""

REST_SECONDS: Final = 30.0
"""Between two such writes, and between two attempts to begin on a full disk."""

KEPT: Final = Says.SEATS_KEPT()
REMOVED: Final = Says.SEAT_FREED()
"""Reasons that a guest reads."""


class Hosting(State):
    """A table that is being formed here."""

    survives = True

    def __init__(self, shared: Shared, forming: Forming) -> None:
        """Open it.

        Args:
            shared: What all tables of the node have in common.
            forming: Its chairs and terms.
        """
        super().__init__(shared)
        self.answers.update(
            {
                door.ChangeTable: self._change_table,
                door.Call: self._call,
                door.StartMatch: self._start_match,
                door.Consent: self._guest_is_here,
                Kick: self._kick,
                NameSeat: self._name_seat,
                LetWatch: self._let_watch,
            }
        )
        self.forming: Final = forming
        self.chat = ChatRoom(shared, self, forming.nonce)
        kept = shared.means.asked.tables.get(forming.nonce)
        self._since: Final = shared.means.counted() if kept is None else kept.since
        self._away = kept is not None
        """Somebody was away for long when asked: the match begins once all agree."""
        self._lapses: float | None = None
        """When nobody waits for an answer any more."""
        self._lapsed = False
        self._kept: AskedTable | None = None
        """What is on the disk, revisions apart."""
        self._reserved = 0
        """Up to which revision the disk has it."""
        self._writes: float | None = None
        """When the present revision itself is to be there."""
        self._tries: float | None = None
        """When a match that begins by itself, and that the disk refused, is tried."""
        self._readiness: Final = Readiness()
        self._entered: Final = shared.now

    # What there is.

    @property
    @override
    def mode(self) -> str:
        return "hosting"

    @property
    @override
    def busy(self) -> bool:
        return True

    @property
    @override
    def terms(self) -> Terms:
        return self.forming.terms()

    @property
    @override
    def others(self) -> list[bytes]:
        return self.forming.guests

    @property
    @override
    def admission(self) -> Admission:
        return self.forming.bystanders

    @override
    def dials(self) -> Iterator[Dial]:
        for chair in self.forming.chairs:
            if not chair.address or not (chair.key or chair.calls):
                continue
            if not is_fingerprint(chair.address):
                yield Dial(chair.address, chair.key)
            elif key := self.shared.means.known.with_fingerprint(chair.address):
                yield Dial("", key)

    @override
    def offer(self) -> tuple[str, int] | None:
        free = len(self.forming.free())
        return (self.terms.game, free) if free else None

    @override
    def open_to(self, key: bytes) -> OpenTable | None:
        """Return this table for a peer that may sit down, and does not sit yet."""
        table, peer = self.forming, self.shared.peers.get(key)
        if peer is None or key in table.guests:
            return None
        free = table.seats_for(key, peer.address)
        if key in table.removed:
            free = table.kept_for(key, peer.address)
        if not free:
            return None
        names = tuple(seat.name for seat in self.terms.seats if seat.name)
        return OpenTable(table.nonce, self.terms.game, len(free), names)

    @property
    @override
    def ready(self) -> bool:
        return bool(self.forming.guests) and self.forming.agreed

    @override
    def status(self, now: float) -> door.TableStatus:
        shown = show_forming(self.forming, Eyes.of(self.shared, now))
        seats, stands = tuple(map(self._named, count(), shown.seats)), self._stands(now)
        return replace(shown, seats=seats, beginning=stands)

    def _named(self, number: int, seat: door.SeatStatus) -> door.SeatStatus:
        """Return a seat with the name of the friend for whom it is kept."""
        chair, known = self.forming.chairs[number], self.shared.means.known
        key = None if chair.key is not None else known_key(chair.address, known)
        name = seat.name if key is None else shown_name(known.called(key))
        asked = self.forming.asked(number) if is_for_one(chair.address, known) else ""
        return replace(seat, name=name, asked=asked)

    # Those who are away.

    def _may_be_away(self, chair: Chair) -> bool:
        """Tell whether a chair is kept for one node, which may be away."""
        # Somebody sits there, or is called.
        waits = chair.kind == "remote" and (chair.calls or chair.key is not None)
        known = self.shared.means.known
        return waits and bool(chair.address) and is_for_one(chair.address, known)

    def _keep(self) -> None:
        """Keep the table, if it waits for one whose key it names; see `Asked`."""
        table, means = self.forming, self.shared.means
        guests = any(chair.kind == "browser" for chair in table.chairs)
        if not guests and not any(map(self._may_be_away, table.chairs)):
            means.asked.drop(table.nonce)
            self._kept = self._writes = None
            return
        self._set_lapse(self.shared.now)
        record = self._record(table.revision)
        if _lasting(record, table.revision) != self._kept:
            self._write(record)
        elif self._reserved < table.revision:
            # Anybody may come and go: no number is given twice, and the disk rests.
            self._write(self._record(table.revision + RESERVED))
            self._writes = self.shared.now + REST_SECONDS

    def _record(self, revision: int) -> AskedTable:
        """Return what is kept: nothing of those whom nobody here has asked or knows."""
        table, known = self.forming, self.shared.means.known
        seated = tuple(
            one
            for one in table.seated()
            if table.chairs[one.seat].address or known.is_friend(one.key)
        )
        place = table.nonce, self.shared.at_table, self._since, revision
        seats = range(len(table.chairs))
        declined = tuple(seat for seat in seats if table.asked(seat) == "declined")
        rematch = table.begins, table.again
        return AskedTable(*place, table.wish, seated, table.keepers, declined, *rematch)

    def _write(self, record: AskedTable) -> None:
        """Have a record on the disk."""
        self._kept = _lasting(record, self.forming.revision)
        self._reserved, self._writes = record.revision, None
        self.shared.keep_asked(record)

    def away(self) -> Iterator[bytes]:
        """Yield the friends who are asked, are away, and have not said yes."""
        table, shared = self.forming, self.shared
        if table.nonce not in shared.means.asked.tables:
            return
        known = shared.means.known
        for chair in filter(self._may_be_away, table.chairs):
            key = chair.key or known_key(chair.address, known)
            if key is None or shared.is_up(key) or key in table.accepted:
                continue
            if known.is_friend(key) and key not in known.blocked:
                yield key

    def ask_by_letter(self, key: bytes) -> Proposal | None:
        """Give a friend who is away the seat that is kept; return the terms for it."""
        table = self.forming
        if key not in table.guests:
            kept = table.kept_for(key, "")
            if not kept:
                return None
            self._away = True
            table.seat(key, self.shared.means.known.name(key), kept[0])
            self._propose()
        return table.proposal()

    @override
    def wants(self) -> Wants:
        begins = self._readiness.due()
        if begins is not None:
            return Wants(next_second(begins, self.shared.now))
        due = (self._lapses, self._writes, self._tries)
        return Wants(min((at for at in due if at is not None), default=None))

    @override
    def wake(self, now: float) -> None:
        """Ask nobody any more after a week, whatever this computer's sleep was."""
        if self._readiness.due() is not None:
            self.shared.changed = True  # another second is over
        if self._lapses is not None and now >= self._lapses:
            self._set_lapse(now)
        if self._writes is not None and now >= self._writes:
            self._write(self._record(self.forming.revision))

    def _set_lapse(self, now: float) -> None:
        """Look how long those who are away are still asked."""
        left = self._since + WEEK_SECONDS - self.shared.means.counted()
        waits = self.forming.nonce in self.shared.means.asked.tables
        self._lapsed = waits and left <= 0
        self._lapses = now + left if waits and left > 0 else None

    @override
    def send(self, now: float) -> Change | None:
        begins = self._readiness.due()
        if begins is not None and now >= begins:
            return self._start_all()
        if self._tries is not None and now >= self._tries:
            if self.forming.agreed and self._begins:
                return self._start_by_itself()
            self._tries = None
        if not self._lapsed:
            return None
        self.shared.tell(Says.ASKED_A_WEEK(), "warning")
        return self.leave()[1]

    # Life.

    @override
    def enter(self, now: float) -> Change | None:
        """Seat whoever is there already, and begin at once if all have agreed."""
        self._seat_called()
        self._propose()
        at_once = self.forming.begins and self.forming.agreed
        return self._begin() if at_once else None

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        """Seat a peer that was called, or show one that is seated the terms again."""
        called = self.forming.called(key, address)
        waited = self.shared.means.counted() - self._since
        self._away = self._away or (bool(called) and waited > AT_ONCE_SECONDS)
        if key in self.forming.guests:
            self._propose((key,))
        elif called:
            self._seat(key, called[0])
            self._propose()
        return None

    @override
    def peer_down(self, key: bytes, now: float) -> Change | None:
        if key in self.forming.guests:
            self._readiness.gone_away(key)
            self.shared.changed = True
        return None

    @override
    def blocked(self, key: bytes) -> Change | None:
        if key in self.forming.guests:
            self._remove(key)
        return None

    def _seat(self, key: bytes, number: int) -> None:
        """Give a peer a seat."""
        peer = self.shared.peers[key]
        self.forming.addresses[key] = plain(peer.address)
        self.forming.seat(key, peer.name, number)

    def _seat_called(self) -> None:
        """Seat peers that are called and already up."""
        for key, peer in self.shared.peers.items():
            called = self.forming.called(key, peer.address) if peer.up else []
            if called and key not in self.forming.guests:
                self._seat(key, called[0])

    def _propose(self, keys: Sequence[bytes] = ()) -> None:
        """Send everybody at the table its terms, or some of them."""
        table, shared = self.forming, self.shared
        shared.changed = True
        self._readiness.stop(table.revision)
        to = keys or table.guests
        table.told.update((key, table.revision) for key in to if shared.is_up(key))
        self._keep()
        shared.say(to, table.proposal())
        assert self.chat is not None
        self.chat.greet(to)

    def _remove(self, key: bytes) -> None:
        """Free a player's seat, and say so to all whom it concerns."""
        self._part(key, Code.DECLINED, REMOVED)
        self.forming.remove(key)
        self._propose()

    # Messages.

    @override
    def receive(self, key: bytes, message: PeerMessage, now: float) -> Change | None:
        match message:
            case Ask():
                self._on_ask(key, message)
            case Accept():
                return self._on_accept(key, message)
            case Ready() if key in self.forming.guests:
                # An answer to earlier terms does not count.
                table = self.forming
                if message.revision != table.revision:
                    return None
                self._readiness.hear(key, message.revision, now)
                return self._go_on(now)
            case Decline() if key in self.forming.guests:
                full = message.code in {Code.BUSY.number, Code.NO_ROOM.number}
                self.forming.unseat(key, full=full)
                name = self.shared.name_of(key)
                self.shared.tell_of(
                    key, Says.DOES_NOT_PLAY(name=name, why=heard(message))
                )
                self._propose()
            case Proposal() if self.is_rematch(message.again):
                return self.give_way(key, message)
            case _:
                return super().receive(key, message, now)
        return None

    def is_rematch(self, match: bytes) -> bool:
        """Tell whether a match is to be played once more at this table."""
        return bool(match) and self.forming.again == match

    def give_way(self, key: bytes, proposal: Proposal) -> Sit | None:
        """Take somebody's table for the rematch for which this one is kept, too.

        Both have proposed it while they were apart.  Both know whose key is smaller,
        so both keep the same table, to which the other's player has said yes.
        """
        forming, shared = self.forming, self.shared
        asked = any(chair.key == key for chair in forming.chairs)
        if not asked or shared.me < key:
            return None
        wished = forming.proposal()
        self.leave()
        return Sit(
            key, proposal=proposal, agreed=wished, said=self._entered,
            kept=shared.knows(key),
        )  # fmt: skip

    def _on_accept(self, key: bytes, accept: Accept) -> Change | None:
        """Take a yes; begin when all have said it, or let the host do so."""
        before = self.ready
        self.forming.accept(key, accept)
        if not self.forming.agreed:
            return None
        if self._begins:
            return self._begin()
        if not before:
            shared = self.shared
            told = Says.CAME_INVITED if self.forming.invited else Says.CAN_BEGIN
            shared.tell_of(key, told(name=shared.known_as(key)))
        return None

    @property
    def _begins(self) -> bool:
        """Whether the match begins when all have agreed: its host may be asleep then.

        One in which time runs waits until its player has said so, by a rematch just now
        or by starting it.
        """
        if time_runs(self.terms):
            just_now = self.shared.now - self._entered < SAID_SECONDS
            return self.forming.begins and just_now
        return self.forming.begins or self._away

    # A match in which time runs begins when all have said that they are there.

    @property
    def _gathers(self) -> bool:
        """Whether persons elsewhere have to be there when the match begins.

        Who plays in a browser here is elsewhere, too.
        """
        return bool(self.forming.guests or self._lent()) and time_runs(self.terms)

    def _lacking(self, now: float) -> list[bytes]:
        table = self.forming
        return self._readiness.lacking(table.guests, table.revision, now)

    def _names_lacking(self, now: float) -> tuple[str, ...]:
        """Return what those are called who have not said so lately."""
        far = map(self.shared.name_of, self._lacking(now))
        near = self._readiness.not_sitting(self._lent(), now)
        return (*far, *(self.forming.chairs[seat].name for seat in near))

    def _begin(self) -> Change | None:
        """Begin as soon as all are there who have to be."""
        if not self._gathers:
            return self._start_by_itself()
        self._readiness.want(self.forming.revision, COUNTED, self.shared.now)
        return self._gather(self.shared.now)

    def _stands(self, now: float) -> door.Beginning:
        """Return what windows show of it."""
        table = self.forming
        seconds = left(self._readiness.due(), now)
        wanted = self._gathers and self._readiness.wanted(table.revision, now)
        if seconds or not wanted:
            return door.Beginning(seconds=seconds)
        return door.Beginning(lacking=self._names_lacking(now))

    def _gather(self, now: float) -> Change | None:
        """Ask those who have not said that they are there; count once all have."""
        table, shared = self.forming, self.shared
        shared.changed = True
        missing = self._lacking(now)
        shared.say(missing, Ready(table.nonce, table.revision, 0))
        if self._names_lacking(now):
            return None
        seconds = self._readiness.go(now)
        if not seconds:
            return self._start_all()
        shared.say(table.guests, Ready(table.nonce, table.revision, seconds))
        return None

    def _go_on(self, now: float) -> Change | None:
        """Begin if this was waited for, and nothing else is."""
        table = self.forming
        self.shared.changed = True
        counting = self._readiness.due() is not None
        wanted = self._readiness.wanted(table.revision, now)
        if counting or not wanted or self._names_lacking(now) or not table.agreed:
            return None
        return self._gather(now)

    def _guest_is_here(self, ask: door.Consent, now: float) -> Reply:
        """Note that a guest in a browser is there; go on if that was waited for.

        Raises:
            LocalError: USAGE, nobody has that seat; STALE.
        """
        if ask.seat not in self._lent() or not ask.accept:
            return self.refused(ask, now)
        if ask.revision != self.forming.revision:
            raise LocalError(Code.STALE, Says.TERMS_CHANGED())
        self._readiness.sit(ask.seat, now)
        return Says.ACCEPTED(), self._go_on(now)

    @override
    def guest_seen(self, seat: int, *, here: bool) -> None:
        if not here:
            self._readiness.rise(seat)
        super().guest_seen(seat, here=here)

    def _start_all(self) -> Change:
        """Start the match that the host's player has wished for, with friends."""
        guests = self.forming.guests
        change = self._start_by_itself()
        self.shared.befriend(guests)
        return change

    def _on_ask(self, key: bytes, ask: Ask) -> None:
        """Give a peer a seat, or say why not."""
        table, shared = self.forming, self.shared
        came_from = shared.peers[key].address
        wanted = [n for n in table.seats_for(key, came_from) if ask.seat in {-1, n}]
        if key in table.guests:
            shared.say((key,), table.proposal())
        elif key in table.removed and not table.kept_for(key, came_from):
            shared.decline(key, ask.table, Code.DECLINED, REMOVED, table.revision)
        elif not wanted:
            self._turn_away(key, ask)
        else:
            self._seat(key, wanted[0])
            shared.tell_of(key, Says.HAS_COME(name=shared.known_as(key)))
            self._propose()

    def _part(self, key: bytes, code: Code, why: Words) -> None:
        """Say no to a guest, who hears it by letter where there is no link."""
        table, means = self.forming, self.shared.means
        self.shared.decline(key, table.nonce, code, why, table.revision)
        if not self.shared.is_up(key) and means.known.is_friend(key):
            place = table.nonce, means.counted(), key, table.revision
            means.asked.part(Unsaid(*place, stopped=code is Code.STOPPED))

    def _turn_away(self, key: bytes, ask: Ask) -> None:
        """Say that no seat is free for a peer, and tell the host why, once."""
        why, shared = KEPT if self.forming.free() else "", self.shared
        revision = self.forming.revision
        shared.decline(key, ask.table, Code.TABLE_FULL, why, revision)
        told = self.forming.turned_away
        if why and key not in told and len(told) < TURNED_AWAY:
            told.add(key)
            who = f"{shared.known_as(key)}, {fingerprint(key)}"
            shared.tell_of(key, Says.ASKS_FOR_SEAT(who=who))

    # Windows.

    def _change_table(self, ask: door.ChangeTable, _now: float) -> Reply:
        self._readiness.rise(*self._lent())
        self.forming.change(ask.table)
        keep_words(self.shared, self.forming)
        nonce = self.forming.nonce
        self.shared.lending.moved(nonce, nonce, self._lent())
        self._seat_called()
        self._propose()
        return Says.ASKED_AGAIN(), None

    def _call(self, ask: door.Call, _now: float) -> Reply:
        self.forming.call(ask.address.strip(), ask.seat)
        self._seat_called()
        self._propose()
        whom = told_as(ask.address, self.shared.means.known)
        return Says.CALLING(address=whom), None

    def _start_match(self, ask: door.StartMatch, now: float) -> Reply:
        """Begin at once; where time runs in a moment, or once all are there."""
        if not (self._gathers and self.forming.agreed):
            guests, change = self.forming.guests, self._start()
            self.shared.befriend(guests)
            return Says.MATCH_BEGINS(), change
        self._readiness.want(self.forming.revision, ask.count, now)
        begun = self._gather(now)
        if begun is not None:
            return Says.MATCH_BEGINS(), begun
        if (begins := self._readiness.due()) is not None:
            return Says.BEGINS_IN(count=left(begins, now)), None
        return Says.READY_ASKED(names=", ".join(self._names_lacking(now))), None

    def _let_watch(self, ask: LetWatch, _now: float) -> Reply:
        self.forming.admit(ask.who)
        self._propose()
        return Says.BYSTANDERS(wish=ask.who), None

    def _name_seat(self, ask: NameSeat, now: float) -> Reply:
        name = clean(ask.name, NAME_CHARACTERS)
        self.forming.name(ask.seat, name)
        self._readiness.rise(ask.seat)
        if name:
            self._readiness.sit(ask.seat, now)
        self._propose()
        return Says.SAT_DOWN(name=name), None

    def _lent(self) -> dict[int, int]:
        """Return the seats for guests in browsers, each as it stays where it is."""
        chairs = enumerate(self.forming.chairs)
        return {n: n for n, chair in chairs if chair.kind == "browser"}

    def _kick(self, ask: Kick, _now: float) -> Reply:
        """Free the seat of a player.

        Raises:
            LocalError: USAGE, there is nobody so named.
        """
        table = self.forming
        names = {key: self.shared.name_of(key) for key in table.guests}
        theirs = {c.key: c.name for c in table.chairs if c.key is not None}
        by_own = ask.whom in names.values()
        known = self.shared.means.known
        key = known.one_named(
            {**theirs, **names} if by_own else {**names, **theirs}, ask.whom
        )
        names = {**theirs, **names}
        self._remove(key)
        return Says.REMOVED(name=names[key]), None

    @override
    def leave(self) -> Reply:
        for key in self.others:
            self._part(key, Code.STOPPED, Says.LEFT_TABLE())
        self.shared.means.asked.drop(self.forming.nonce)
        self.shared.lending.moved(self.forming.nonce, b"", {})
        return Says.TABLE_LEFT(), Gone()

    # The match.

    def _start_by_itself(self) -> Change:
        """Start the match though no window has asked, which would be told why not.

        Raises:
            LocalError: DISK, as `_start`.
        """
        try:
            return self._start()
        except LocalError as error:
            if self._tries is None:
                self.shared.tell(error.said, "error")
            self._readiness.rise()  # what was counted down to is past
            tries = self.shared.now + REST_SECONDS
            self._tries = None if self._gathers else tries
            raise

    def _start(self) -> Change:
        """Start the match that all have agreed on.

        Raises:
            LocalError: Not all have, or DISK: nothing is left of the match then.
        """
        table, shared = self.forming, self.shared
        seed = shared.means.entropy(SEED_BYTES) if table.here else b""
        table.signer = SecretKey(seed) if seed else shared.means.signer
        terms, archive = table.terms(), shared.means.archive
        name = match_of(terms)
        raw = make_genesis(table.signer, terms, table.signatures())
        try:
            if seed:
                keep_secrets(shared, name, KeptKey(seed))
            ledger = begin_file(shared, name, (raw,))
        except LocalError:
            archive.discard(name, secrets=True)
            raise
        for number, chair in enumerate(table.chairs):
            if chair.program:
                shared.means.programs.put(name, number, chair.program)
        shared.lending.moved(table.nonce, name, self._lent())
        shared.places.update(table.addresses)
        shared.means.asked.drop(table.nonce)
        return TakeUp(ledger)


def _lasting(record: AskedTable, revision: int) -> AskedTable:
    """Return a record without numbers of revisions: only whether each is the last."""
    told = tuple(replace(one, told=int(one.told == revision)) for one in record.seated)
    return replace(record, revision=0, seated=told)


def keep_words(shared: Shared, table: Forming) -> None:
    """Keep an edition and a word list that came from the user's own files.

    Raises:
        LocalError: DISK.
    """
    terms, shelf = table.terms(), shared.means.shelf
    shelf.adopt(Kind.EDITION, terms.edition)
    shelf.adopt(Kind.LEXICON, terms.lexicon)

"""The table as windows show it: a `TableStatus` made of whatever there is."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Final, Literal, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from netplay.fingerprint import fingerprint
from netplay.match.match import Match
from netplay.match.receipts import standing
from netplay.messages import table_questions
from netplay.messages.door import Made, SeatState, SeatStatus, TableStatus, Thinking
from netplay.messages.log import What
from netplay.messages.table import SeatTerms, Terms
from netplay.messages.types import Admission
from netplay.record.archive import on_time, result_of
from netplay.record.clocks import LATEST, timed_out, told, waited_for
from netplay.record.fold import Fold
from netplay.record.log import match_of
from netplay.said import BRIEF, Said, Words, brief, characters, listed, shortened
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.forming import Forming, told_as
from netplay.table.host_terms import HostTerms
from netplay.table.lacking import is_behind, unconfirmed
from netplay.table.shared import Peer, Shared
from netplay.table.state import State
from rules import GAMES, editions, lexicon, title_of
from rules.game import CHANCE

NO_CLOCK: Final = -1


NEVER: Final = -1
"""In place of seconds: nobody knows how long it has been."""


Named: TypeAlias = Callable[[bytes, str], str]
"""Returns what the player here calls whoever has a name under a key."""


class Eyes(Struct, frozen=True):
    """What a status is told besides the table: who is there, and the time."""

    me: bytes
    peers: Mapping[bytes, Peer]
    now: float
    doubt: Callable[[bytes, str], Words]
    """Returns what is to be said of a name under a key."""
    own_name: Named
    blocked: Container[bytes] = ()

    @classmethod
    def of(cls, shared: Shared, now: float, me: bytes = b"") -> Self:
        """Return what a node sees; a match may have a key of its own."""
        known, key = shared.means.known, me or shared.me
        seen = shared.peers, now, shared.doubt, known.own_name
        return cls(key, *seen, known.blocked)

    def state(self, key: bytes) -> tuple[SeatState, int]:
        """Return how a member's node is connected, and for how many seconds.

        `NEVER` seconds where it has not been here since this node began.
        """
        if key == self.me:
            return "here", 0
        if key in self.blocked:
            return "blocked", NEVER
        peer = self.peers.get(key)
        if peer is None:
            return "away", NEVER
        return "connected" if peer.up else "away", int(self.now - peer.since)

    def address(self, key: bytes) -> str:
        """Return where a member's node was reached."""
        peer = self.peers.get(key)
        return "" if peer is None else shortened(peer.address)


def _edition_name(digest: bytes) -> str:
    """Return the name of an edition, empty for none."""
    try:
        return editions.find(digest.hex()).name if digest else ""
    except LookupError:
        return digest.hex()[:8]


def _words_name(digest: bytes) -> str:
    """Return the name of a word list, or the start of its digest."""
    named = {**lexicon.shipped(), **lexicon.own()}
    names = {other: name for name, other in named.items()}
    return names.get(digest.hex(), digest.hex()[:8]) if digest else ""


def _seat(
    terms: Terms, number: int, eyes: Eyes, accepted: Callable[[bytes], bool]
) -> SeatStatus:
    """Return a seat before the match."""
    seat = terms.seats[number]
    if not seat.name or seat.member >= len(terms.members):  # a host may say anything
        awaited = SeatStatus(
            "remote", "", "", "awaited", 0, False, "", 0, NO_CLOCK, False
        )
        own = terms.members[0].key == eyes.me
        return replace(
            awaited,
            kind="person" if own and seat.kind == "browser" else "remote",
            key=fingerprint(eyes.me) if own and seat.kind == "browser" else "",
            browser=_browser(seat, terms),
        )
    key = terms.members[seat.member].key
    shown = _taken(seat, key, eyes, shown_name(seat.name), accepted=accepted(key))
    return replace(shown, browser=_browser(seat, terms))


def _taken(
    seat: SeatTerms, key: bytes, eyes: Eyes, name: str, *, accepted: bool
) -> SeatStatus:
    """Return a seat that somebody plays."""
    state, since = eyes.state(key)
    return SeatStatus(
        kind=("person" if seat.is_person else "computer")
        if key == eyes.me
        else "remote",
        name=name if key == eyes.me else eyes.own_name(key, name),
        key=fingerprint(key),
        state=state,
        since=since,
        accepted=accepted,
        address=eyes.address(key),
        skill=seat.skill,
        clock=NO_CLOCK,
        ticking=False,
        doubt="" if key == eyes.me else eyes.doubt(key, name),
        program=seat.kind == "program",
    )


def _browser(seat: SeatTerms, terms: Terms) -> str:
    """Return at whose computer a seat is played in a browser, empty if in none."""
    member = seat.member if seat.member < len(terms.members) else 0
    return shown_name(terms.members[member].name) if seat.kind == "browser" else ""


def _before(
    terms: Terms,
    revision: int,
    seats: tuple[SeatStatus, ...],
    waiting: Words,
    bystanders: Admission,
    *,
    hosting: bool,
) -> TableStatus:
    """Return a table that has not started."""
    return TableStatus(
        match=b"",
        phase="forming",
        game=shown_name(terms.game),
        options=terms.options,
        edition=_edition_name(terms.edition),
        lexicon=_words_name(terms.lexicon),
        host=shown_name(terms.members[0].name),
        hosting=hosting,
        revision=revision,
        seats=seats,
        turn=(),
        entries=0,
        final=0,
        places=(),
        audit="",
        waiting=waiting,
        watchers=(),
        bystanders=bystanders,
        fairness=terms.fairness,
        tiled=terms.game in GAMES and GAMES[terms.game].ABOUT.tiled is not None,
        thinking=Thinking(terms.days),
    )


def show_forming(table: Forming, eyes: Eyes) -> TableStatus:
    """Return the table that this node is forming."""
    terms = table.terms()

    def accepted(key: bytes) -> bool:
        return key == eyes.me or key in table.accepted

    seats: list[SeatStatus] = []
    for number, chair in enumerate(table.chairs):
        seat = _seat(terms, number, eyes, accepted)
        if chair.kind == "remote":
            address = f"{chair.address} {chair.comment}".strip()
            seat = replace(seat, address=shortened(address or seat.address))
        seats.append(seat)
    missing = [seat for seat in seats if not seat.accepted]
    names = [
        seat.name or told_as(seat.address, table.known) or Says.SOMEBODY_TO_JOIN()
        for seat in missing
    ]
    waiting = listed(list(dict.fromkeys(names)))  # free seats, once
    revision, bystanders = table.revision, table.bystanders
    shown = _before(terms, revision, tuple(seats), waiting, bystanders, hosting=True)
    return replace(shown, why_fairness=table.drawing.why)


def show_guest(guest: HostTerms, eyes: Eyes) -> TableStatus | None:
    """Return the table at which this node is a guest, None before it has seen it."""
    proposal = guest.proposal
    if proposal is None:
        return None
    terms = proposal.terms

    def accepted(key: bytes) -> bool:
        return key == guest.host or (key == eyes.me and guest.agreed)

    seats = tuple(_seat(terms, n, eyes, accepted) for n in range(len(terms.seats)))
    waiting = guest.refusal or (
        Says.THE_DICTIONARY() if guest.fetches else Says.THE_HOST()
    )
    if guest.changes or not guest.wanted:
        waiting = guest.refusal
    revision, bystanders = proposal.revision, proposal.bystanders
    shown = _before(terms, revision, seats, waiting, bystanders, hosting=False)
    host = eyes.own_name(terms.members[0].key, shown.host)
    called = not guest.wanted
    return replace(shown, called=called, changes=guest.changes, host=host)


def show_match(match: Match, stopped: Words, eyes: Eyes) -> TableStatus:
    """Return the table at which a match is played.

    Args:
        match: The match.
        stopped: Why it was stopped, empty if it was not.
        eyes: Who is there.
    """
    fold, terms = match.fold, match.fold.terms
    stopped = stopped or match.stopped
    waited, moved = set(match.on_turn()), match.seats.moved()
    if moved:  # moves that wait count as made
        waited.difference_update(moved)
        actors = fold.game.actors(match.seats.ahead(moved[0]))
        waited.update(seat for seat in actors if seat >= 0 and seat not in moved)
    turn = tuple(sorted(waited))
    numbers, halted = range(len(fold.holders)), bool(stopped)
    seats = tuple(_playing(match, n, eyes, halted=halted) for n in numbers)
    return TableStatus(
        match=match_of(terms),
        phase=_phase(match, stopped),
        game=terms.game,
        options=terms.options,
        edition=_edition_name(terms.edition),
        lexicon=_words_name(terms.lexicon),
        host=next(
            eyes.own_name(m.key, m.name) for m in fold.members if m.key == fold.host
        ),
        hosting=match.hosting,
        revision=0,
        seats=seats,
        turn=turn,
        entries=fold.number,
        final=match.final,
        places=fold.places,
        audit=match.audit(),
        waiting=stopped or _waiting(match, eyes),
        watchers=(),
        watching=match.watching,
        apart=_told(standing(fold)),
        lost=_told(match.receipts.words()),
        disputed=fold.disputed,
        held_up=match.auditing.held_up(),
        again=len(fold.again),
        doubt=match.hidden.doubt,
        fairness=terms.fairness,
        tiled=fold.game.ABOUT.tiled is not None,
        made=made(match, eyes.own_name),
        thinking=_thinking(match),
        face_down=_face_down(match, turn),
        offers=_offers(match),
        claims=tuple(called(fold, eyes.own_name, one) for one in _claims(match)),
        contested=fold.claims.contested,
    )


def _offers(match: Match) -> table_questions.Agreeing:
    """Return what the players of a match offer one another."""
    fold, ended = match.fold, match.fold.ended
    standing = tuple(
        table_questions.OfferStatus(
            one.seat, one.what, one.days, one.head, tuple(sorted(left))
        )
        for one in fold.offers.standing
        if (left := match.offering.unanswered(one))
    )
    may: list[tuple[int, What]] = []
    if not match.stopped and not match.members.watching:
        own = filter(match.seats.by_person, fold.seats_of(match.me))
        may = [(seat, what) for seat in own for what in match.offering.may(seat)]
    how: Literal["", "draw", "stop"] = ""
    if ended in ("draw", "stop"):
        how = ended
    off = tuple(match.thinking.off()) if match.hidden.off else ()
    return table_questions.Agreeing(standing, tuple(may), how, off)


TOLD: Final = 4
"""The latest of what was claimed, lost or is apart: a line each, with the match."""


def _claims(match: Match) -> tuple[Said, ...]:
    """Return the latest of what was claimed; while a claim stands what it is about.

    That is who owes what, and what each has sent: a line a member at the most.  Of a
    turn that is late there is nothing to compare: everybody sees whose it is.
    """
    fold, log = match.fold, match.ledger.log
    compared = fold.claims.standing and fold.withholding
    owed = waited_for(fold, log, LATEST) if compared else ()
    return *_told(told(fold)), *(line for one in owed for line in _told((one,)))


def _told(found: Sequence[Said]) -> tuple[Said, ...]:
    """Return the latest lines of some kind, in few words."""
    return tuple(
        one if characters(one) <= BRIEF else Says.WORDS(words=brief(one))
        for one in found[-TOLD:]
    )


def _thinking(match: Match) -> Thinking:
    """Return how long the turn may yet take, and whether it may be claimed.

    Without days there is only what somebody withholds, of which no time is shown.
    """
    days = match.fold.terms.days
    left, ends = match.thinking.left, match.claim_ends()
    shown = left if days and not _is_unheard(match) else None
    if match.claimed:
        return Thinking(days, shown, "made", ends)
    over = None if left is None or left > 0 else match.claim_in()
    may = over is not None and over <= 0 and match.may_claim()
    return Thinking(days, shown, "may" if may else "", ends)


def _face_down(match: Match, turn: Iterable[int] | None = None) -> tuple[int, ...]:
    """Return the seats here that are on turn, and whose tiles are not to be seen."""
    seats = match.seats
    found = match.on_turn() if turn is None else turn
    return tuple(n for n in found if seats.is_own(n) and seats.lacks_tiles(n))


def _is_unheard(match: Match) -> bool:
    """Tell whether all that is owed waits here until the host, who is away, hears it.

    Nobody's time runs then that anybody could say is over.
    """
    if match.host not in match.absent or not _face_down(match):
        return False
    late = match.fold.overdue()
    return all(match.seats.is_own(n) and match.thinking.holds_turn(n) for n in late)


def called(fold: Fold, own_name: Named, said: Said) -> Said:
    """Return a sentence about a match with the player's own names for friends in it.

    A name that two have there stays as it is: nobody is taken for a friend by it.
    """
    every = {*zip(fold.holders, fold.names, strict=True)}
    every |= {(m.key, shown_name(m.name)) for m in fold.members}
    counts = Counter(name for _key, name in every)
    own = {name: own_name(key, name) for key, name in every if counts[name] == 1}
    values = tuple(
        (field, own.get(value, value) if isinstance(value, str) else value)
        for field, value in said.values
    )
    return replace(said, values=values)


def made(match: Match, own_name: Named) -> Made:
    """Return what was done here and is not delivered yet."""
    moved, consents = match.seats.moved(), match.handover.waiting()
    letters, own = match.hidden.post.letters.items(), sorted(match.members.seats)
    # Who is away, and who keeps letters for them: those of the match, and of chat
    kept = (
        (own_name(key, shown_name(match.members.name(key))), shown_name(last.by))
        for key, last in letters
        if last.by and key not in match.linked and is_behind(match, key)
    )
    lines_kept = (
        (shown_name(last.by), last.lines)
        for key, last in letters
        if last.by and last.lines > match.hidden.heard.get(key, 0)
    )
    prepared = (
        table_questions.PreparedLine(seat, tuple((s.seat, s.move) for s in steps))
        for seat in filter(match.seats.by_player, sorted(match.hidden.prepared))
        for steps in match.preparing.lines_left(seat)
    )
    plain = Made(
        lines_kept=tuple(lines_kept),
        kept=tuple(kept),
        prepared=tuple(prepared),
        prepares=tuple(seat for seat in own if match.preparing.may(seat)),
        unconfirmed=unconfirmed(match) if match.thinking.limit else None,
    )
    if not (moved or consents):
        return plain
    game, seats = match.fold.game, match.seats
    return replace(
        plain,
        moves=tuple(moved),
        back=tuple(filter(match.submitting.may_take_back, moved)),
        draws=any(CHANCE in game.actors(seats.ahead(seat)) for seat in moved),
        consents=tuple(
            (one.seat, own_name(one.key, shown_name(one.name))) for one in consents
        ),
    )


def _playing(match: Match, number: int, eyes: Eyes, *, halted: bool) -> SeatStatus:
    """Return a seat of a match; where play is halted, nobody is away for that."""
    fold = match.fold
    seat, key = fold.terms.seats[number], fold.holders[number]
    shown = _taken(seat, key, eyes, fold.names[number], accepted=True)
    if seat.kind == "browser" and fold.terms.members[seat.member].key == key:
        shown = replace(shown, browser=_browser(seat, fold.terms))
    missed = match.missed
    gone, late = number in fold.resigned, timed_out(fold.claims, fold.history)
    state: SeatState = shown.state
    if gone:
        state = "late" if number in late else "resigned"
    elif number in match.members.held and not (shown.browser or shown.lent) and missed:
        # Its player has not gone on since another has left: no guest is waited for.
        there = "connected" if key in match.members.greeted else state
        state = there if halted else "elsewhere"
    elif number in match.members.held and not (halted and not shown.browser):
        # Since when, only its node knows.
        state, shown = "away", replace(shown, since=NEVER, vacant=True)
    elif match.watching:
        state = "away" if key in match.absent else "connected"
    elif state == "away" and key in match.members.greeted:
        state = "connected"  # through another member
    elif state == "connected" and key in missed:
        state = "elsewhere"
    clock, ticking = match.fold.clocks.shown(number, match.timing.at(eyes.now))
    # Who looks on no longer hears nothing of the time.
    running = ticking and match.timing.running and not (halted and match.watching)
    return replace(shown, state=state, clock=clock, ticking=running)


def _phase(match: Match, stopped: Words) -> table_questions.Phase:
    """Return what a match is at."""
    fold = match.fold
    if fold.over and fold.disputed:
        return "stopped"  # it has no winner
    if fold.over:
        return "over"
    if stopped:
        return "stopped"
    if match.paused or (match.host in match.absent and _face_down(match)):
        return "playing" if match.may_move() else "paused"
    return "starting" if fold.stuck and not fold.moves else "playing"


def _waiting(match: Match, eyes: Eyes) -> Words:
    """Return whom or what a match waits for, besides a move."""
    fold = match.fold
    if fold.over:
        return ""
    missed = match.missed
    if fold.gone:  # whoever went on alone says who has its seats; it waits for nobody
        missed |= {fold.gone if match.hosting else fold.host}
    names = [eyes.own_name(m.key, m.name) for m in fold.members if m.key in missed]
    held = match.members.held - fold.resigned
    names += [eyes.own_name(fold.holders[n], fold.names[n]) for n in sorted(held)]
    if names:
        owed = match.members.owed() & match.absent
        late = [n for n, key in enumerate(fold.holders) if key in owed]
        called = [eyes.own_name(fold.holders[n], fold.names[n]) for n in late]
        return Says.TILES_FROM(names=", ".join(called)) if late else ", ".join(names)
    if fold.late and not match.stopped:
        return _shuffling(match, eyes)
    return "chance" if fold.stuck else ""


def _shuffling(match: Match, eyes: Eyes) -> Words:
    """Return how far the tiles are that the seat on turn waits for.

    What this node owes is on its way: nobody is told to wait for themselves.
    """
    fold, bag = match.fold, match.fold.bag
    assert bag is not None  # else nobody is late
    if bag.begun:
        late = [seat for seat in sorted(fold.late) if fold.holders[seat] != match.me]
        names = [eyes.own_name(fold.holders[seat], fold.names[seat]) for seat in late]
        return Says.TILES_FROM(names=", ".join(names)) if names else ""
    done = sum(len(deal.mixed) for deal in bag.deals[:1])
    return Says.SHUFFLING(done=done, count=len(bag.holders))


# A table in hand as a line of the list of games: who, whose turn, since when.


ASKED: Final[tuple[table_questions.AskedState, ...]] = (
    "declined",
    "full",
    "undelivered",
    "left",
    "unanswered",
)
"""What is told of several who were asked: the first of these that is so of one."""


PAIR: Final = 2
"""Where one of so few is late, the other has won."""


def described(number: int, table: State) -> str:
    """Return what a table is called where somebody has to say which is meant."""
    names = ", ".join(_players(table)) or table.mode
    game = _game(table)
    title = title_of(game)
    what = f"{title}: {names}" if title else names
    return f"{number} ({what})"


def titled(table: State) -> str:
    """Return what a table is called where another is looked at: the game, with whom."""
    terms, me = table.terms, table.shared.me
    if terms is None:
        return str(_called(table))
    others = {n for n, member in enumerate(terms.members) if member.key != me}
    own_name, who_is = table.shared.means.known.own_name, terms.members
    names = (
        own_name(who_is[seat.member].key, shown_name(seat.name))
        for seat in terms.seats
        if seat.kind == "browser" or (seat.is_person and seat.member in others)
    )
    title, who = title_of(_game(table)), ", ".join(dict.fromkeys(filter(None, names)))
    return f"{title} ({who})" if who else title


def _game(table: State) -> str:
    """Return the game that is played, empty while it is not known."""
    terms = table.terms
    return "" if terms is None else shown_name(terms.game)


def _called(table: State) -> Words:
    """Return whom this node calls, by name where one is known."""
    return told_as(table.address, table.shared.means.known) if table.address else ""


def _players(table: State) -> tuple[str, ...]:
    """Return who plays, in turn order; whom this node calls."""
    if table.match is not None:
        fold, own_name = table.match.fold, table.shared.means.known.own_name
        by = zip(fold.holders, fold.names, strict=True)
        return tuple(own_name(key, shown_name(name)) for key, name in by)
    if table.terms is None:
        whom = _called(table)
        return (whom,) if isinstance(whom, str) and whom else ()
    own_name, who_is = table.shared.means.known.own_name, table.terms.members
    return tuple(
        own_name(who_is[seat.member].key, shown_name(seat.name))
        if seat.member < len(who_is)  # a host may say anything
        else shown_name(seat.name)
        for seat in table.terms.seats
    )


def game_status(number: int, table: State, now: float) -> table_questions.GameStatus:
    """Return a table as the list of games shows it.

    Since when it waits, and what is unread, its place knows.
    """
    match, status, whom = table.match, table.status(now), _called(table)
    shown = table_questions.GameStatus(
        table=number,
        match=b"",
        mode=table.mode or "called",
        phase="forming",
        game=_game(table),
        players=_players(table),
        turn=(),
        mine=False,
        since=0,
        clock=NO_CLOCK,
        unread=0,
        undelivered=table.undelivered if match is None else _undelivered(match),
        away=(),
        waiting="" if isinstance(whom, str) else whom,
    )
    if status is None:  # it is called for
        return shown
    seats = status.seats
    asked, own = {seat.asked for seat in seats}, [table.shared.name] * status.wished
    clocks = [seats[n].clock for n in status.turn if seats[n].clock >= 0]
    wish = Counter(status.rematch) - Counter(own)
    remote = [(n, seat) for n, seat in enumerate(seats) if seat.kind == "remote"]
    left = status.thinking.left
    if left is None and clocks:
        left = min(clocks) // 1000
    shown = replace(
        shown,
        phase=status.phase,
        turn=status.turn,
        mine=_waits(table, status),
        clock=min(clocks, default=NO_CLOCK),
        away=tuple(dict.fromkeys([s.name for s in seats if s.state == "away"])),
        blocked=tuple(dict.fromkeys([s.name for s in seats if s.state == "blocked"])),
        waiting=brief(status.waiting),
        asked=next((state for state in ASKED if state in asked), ""),
        # How long ago it was over is nothing that is left.
        left=None if left is None else max(0, left),
        off=tuple((seats[seat].name, away) for seat, away in status.offers.off),
        audit=brief(status.audit),
        rematch=tuple([n for n, seat in remote if seat.name in wish]),
        keys=tuple([seat.key for _n, seat in remote if seat.key]),
    )
    if match is not None:
        return _of_match(shown, match, status)
    here = [n for n, s in enumerate(seats) if (s.kind, s.state) == ("person", "here")]
    begins = status.beginning
    return replace(
        shown,
        players=tuple(seat.name or table_questions.FREE for seat in seats),
        own=tuple(here),
        live=begins.asked or begins.seconds > 0,
    )


def _of_match(
    shown: table_questions.GameStatus, match: Match, status: TableStatus
) -> table_questions.GameStatus:
    """Return a table as the list of games shows it, with what its match tells."""
    fold, lent = match.fold, match.members.lent | match.hidden.guests
    # The seats of the player here, also where a computer stands in there.  Links end
    # with the match at last, and a guest's result is the player's no more.
    kinds = {"person"} if fold.over else {"person", "browser"}
    own = tuple(
        n
        for n, seat in enumerate(fold.terms.seats)
        if seat.kind in kinds and fold.holders[n] == match.me and n not in lent
    )
    host = fingerprint(fold.host)
    return replace(
        shown,
        match=match.match,
        entries=fold.number,
        own=own,
        result=_result(match, status, own),
        live=bool(own) and is_live(match, status),
        host=shown.keys.index(host) if host in shown.keys else -1,
    )


def is_live(match: Match, status: TableStatus | None) -> bool:
    """Tell whether a match goes on now: in real time, or by clocks with all there.

    One in which somebody is away rests, whatever its clocks say: they stand still.
    """
    if status is None or match.watching or match.fold.terms.days:
        return False
    if status.phase not in {"starting", "playing"}:
        return False
    timed = any(seat.clock >= 0 for seat in status.seats)
    away = any(seat.state in {"away", "blocked", "elsewhere"} for seat in status.seats)
    return bool(match.fold.hz) or (timed and not away)


def _waits(table: State, status: TableStatus) -> bool:
    """Tell whether a table waits for the player here: a move, a yes, the start."""
    match = table.match
    if status.phase in {"over", "stopped", "paused"}:
        return False
    if match is None:
        return (
            status.called
            or bool(status.changes)
            or table.ready
            or table.waits_for_ready
        )
    if match.fold.offers.standing and match.offering.waits():
        return True
    seats, turn = match.seats, status.turn
    mine = (n for n in turn if seats.by_player(n) and not seats.is_moving(n))
    return any(not seats.lacks_tiles(n) for n in mine)


def _result(
    match: Match, status: TableStatus, own: tuple[int, ...]
) -> table_questions.Result:
    """Return how a match has ended for the player here, or ends if nobody answers."""
    if status.contested:
        return "contested"
    now = status.thinking
    if now.claim == "made" and now.ends and len(status.seats) == PAIR:
        return "unanswered"
    fold = match.fold
    if own and not fold.over and timed_out(fold.claims, fold.history).issuperset(own):
        return "lost on time"  # the others play on
    if status.offers.ended == "stop":
        return ""
    return on_time(result_of(status.places, own), match.fold)


def _undelivered(match: Match) -> bool:
    """Tell whether what a player here did last is at no other node yet.

    Only a move can be that: what a node adds by itself, for draws say, is nobody's
    news.  And nothing is said while somebody is there who takes it in a moment.
    """
    if not match.others or match.watching:
        return False
    if match.submitting.early:
        return True
    if not match.hosting or match.members.greeted:
        return False
    own, others = match.members.seats, match.others
    for past in reversed(match.fold.history):
        if past.actor in own:
            return all(match.is_new_to(key, past.number) for key in others)
        if past.actor >= 0:
            return False  # whoever moved after it has seen it
    return False

"""What must hold of every match in memory, whatever has happened in it.

Whoever opens a match anew, from what is kept of it, finds it as it is in hand: what was
remembered, worked out once or taken back must not show.  And what a match says of its
past is compared with the log, entry by entry.
"""

import hashlib
from collections import Counter, defaultdict
from typing import Any, Final, NamedTuple

from netplay.match.match import Match
from netplay.messages.log import (
    Clock,
    Hand,
    Judgement,
    Late,
    Open,
    Response,
    Root,
    Turn,
    Wish,
)
from netplay.record import offers
from netplay.record.fold import Fold
from netplay.record.ledger import Ledger
from netplay.record.log import Line
from netplay.record.store import SECRETS, MemoryDisk, whole
from netplay.record.verify import Replay, verify
from netplay.said import Said
from netplay.sanitize import shown_name
from netplay.wire import unpack
from rules.game import followed, with_own
from rules.tiles import Reveal, Show
from tests.netplay.memory_archive import MemoryArchive

ENTRIES: Final = 150
"""Of a match that is looked at; a longer one takes too long, and shows nothing else."""

MOVES: Final = Reveal | Show

PLACES: Final = 5
"""Of the past, at which what a window is told is built again."""


def check(match: Match, archive: MemoryArchive) -> None:
    """Check a match in hand."""
    size = len(match.ledger.log)
    if not 0 < size <= ENTRIES or match.journal.failed or match.hidden.fork:
        return
    here, anew = told(match), told(opened(match, archive))
    for name, found in here.items():
        assert found == anew[name], f"{name}: another in a match that is opened anew"
    if not match.fold.hz:
        offered(match)
        looked_back(match)
        for seat in sorted(match.members.seats):
            pieces(match, seat)


def opened(match: Match, archive: MemoryArchive) -> Match:
    """Return the same match, opened from what is kept, among the same people."""
    names = (match.match, match.fold.terms.nonce)
    disks = [archive.disks.get(name.hex() + SECRETS) for name in names]
    kept = next((bytes(disk.data) for disk in disks if disk is not None), b"")
    ledger = Ledger(MemoryDisk(), match.ledger.raws(0))
    twin = Match(match.signer, ledger, MemoryDisk(kept), bytes, lambda _said: None)
    twin.parts.unix, twin.parts.steady = match.parts.unix, match.parts.steady
    for key in match.members.linked:
        twin.members.up(key)
    for key in match.members.greeted:
        twin.members.greet(key)
    if match.members.by_mail:
        twin.members.go_by_mail()
    twin.members.lent = match.members.lent
    twin.seats.stand_in(match.autoplay)
    return twin


def told(match: Match) -> dict[str, Any]:
    """Return what a match tells its table, whatever it was asked before."""
    fold, submitting = match.fold, match.submitting
    found: dict[str, Any] = {
        "the position": (fold.state, fold.history, fold.backs, fold.moves),
        "who plays": (fold.holders, fold.names, fold.resigned, fold.electors),
        "the result": (fold.over, fold.places, fold.ended, fold.disputed),
        "offers": fold.offers,
        "claims": (fold.claims, fold.lapses, fold.claimable(), fold.withholding),
        "time": [fold.clocks.shown(n, fold.at) for n in range(len(fold.holders))],
        "what waits": [(one.signed.own, one.body, one.left) for one in submitting],
        "what is held": submitting.held,
        "what is agreed to": match.handover.told_of(),
        "what is lost": match.receipts.words(),
        "days off": match.thinking.off(),
        "why the draw is not proved": match.auditing.held_up(),
    }
    if fold.hz:
        return found
    found["what may be claimed"] = match.may_claim(), match.claim_ends()
    found["thoughts"] = match.seats.thoughts()
    bystanders = match.seats.view(None)
    found["what bystanders see"] = bystanders.state, bystanders.happened()
    for seat in sorted(match.members.seats):
        view = match.seats.view(seat)
        found[f"what seat {seat} knows"] = view.state, view.known, view.up_to_date
        found[f"the past of seat {seat}"] = view.happened()
        found[f"what seat {seat} may offer"] = match.offering.may(seat)
        found[f"what seat {seat} may take back"] = submitting.may_take_back(seat)
        found[f"what seat {seat} has made"] = match.seats.is_moving(seat)
        found[f"lines of seat {seat}"] = list(match.preparing.lines_left(seat))
    return found


def offered(match: Match) -> None:
    """Check that all that a player may offer here has a place in the log."""
    fold = match.fold
    for seat in sorted(match.members.seats):
        for what in match.offering.may(seat):
            days = 1 if what == "days" else 0
            wish = Wish(seat, what, days, match.ledger.log.head, fold.digest())
            offers.check_seat(fold, seat)
            offers.check_offer(fold, wish, fold.terms.days)
            if what == "back":
                offers.back(fold, seat)


def looked_back(match: Match) -> None:
    """Check each step of the log, and which moves a player has seen at each."""
    done, now, past = Replay(), match.fold, Past(match)
    for line in match.ledger.log.lines:
        before = past.before(done.fold)
        done.on_entry(line.raw)
        fold = done.fold
        assert fold is not None
        past.step(line, before, fold)
        seen = match.seats.moves_at(fold.number)
        if not now.backs:
            back = match.seats.view(None).back(fold.number)
            assert back == (fold.state, len(fold.history)), f"after {fold.number}"
        same = fold.moves == now.moves
        assert (seen == now.moves) is same, f"moves seen behind {fold.number} entries"
    proved(match, past)


class Before(NamedTuple):
    """How a match stood before an entry."""

    electors: frozenset[bytes]
    standing: tuple[offers.Offered, ...]
    agreed: int
    done: int
    moves: int


class Past:
    """What a log says, followed by other means than the fold's."""

    def __init__(self, match: Match) -> None:
        self.names = [shown_name(seat.name) for seat in match.fold.terms.seats]
        self.passed: list[tuple[int, str, str]] = []
        self.sent: dict[tuple[bytes, str], list[tuple[int, int]]] = defaultdict(list)
        self.last: dict[bytes, int] = {}
        """Author -> number of the last entry."""
        self.shut: dict[int, bytes] = {}
        """Round -> who has fixed a bag that is not open."""
        self.yes: dict[bytes, set[tuple[int, bytes]]] = defaultdict(set)
        """Offer -> seats and keys that have agreed."""
        self.confirmed: dict[bytes, set[bytes]] = defaultdict(set)
        """Claim -> who has made or confirmed it."""
        self.late: dict[bytes, int] = {}
        self.claimed: Counter[tuple[int, bytes]] = Counter()
        """Seat and author -> claims since the last move."""
        count = len(self.names)
        self.lapses = [0] * count
        self.used, self.fines = [0] * count, [0] * count
        self.on, self.at, self.began = set[int](), 0, 0
        self.answering = self.owing = False

    @staticmethod
    def before(fold: Fold | None) -> Before:
        if fold is None:
            return Before(frozenset(), (), 0, 0, 0)
        made = fold.offers
        counts = len(made.agreed), len(fold.claims.done), fold.moves
        return Before(fold.electors, made.standing, *counts)

    def step(self, line: Line, before: Before, fold: Fold) -> None:
        """Look at an entry, and at how the match stands behind it."""
        entry, body = line.entry, line.body
        author, head = entry.author, hashlib.sha256(line.raw).digest()
        self.last[author] = entry.number
        kind = type(body).__name__.lower()
        self.sent[author, kind].append((entry.number, entry.at))
        match body:
            case Hand(seat=seat, name=name):
                old, self.names[seat] = self.names[seat], shown_name(name)
                self.passed.append((entry.number, old, self.names[seat]))
            case Root(round=number):
                self.shut[number] = author
            case Open(round=number) if fold.bag is None:
                self.shut.pop(number, None)
            case Wish(seat=seat, what=what):
                for one in before.standing:
                    if one.what == what and what in {"draw", "stop"}:
                        self.yes[one.head].add((seat, author))
            case Response(seat=seat, offer=offer, agrees=True):
                self.yes[offer].add((seat, author))
            case Late(seat=seat):
                self.late[head] = seat
                self.confirmed[head].add(author)
            case Judgement(claim=claim, agrees=True):
                self.confirmed[claim].add(author)
            case _:
                pass
        self.agreed(before, fold)
        self.judged(body, before, fold)
        self.stands(line, before, fold)
        if fold.clocks.counting:
            self.clocks(body, fold)

    def stands(self, line: Line, before: Before, fold: Fold) -> None:
        """Check what stands behind an entry: offers, claims and turns that lapsed."""
        at, body = f"behind {fold.number} entries", line.body
        standing = fold.offers.standing
        seats = [one.seat for one in standing]
        assert len(set(seats)) == len(seats), f"two offers of one seat {at}"
        assert fold.resigned.isdisjoint(seats), f"an offer of who plays no more {at}"
        for one in standing:
            said = {(seat, fold.holders[seat]) for seat in one.agreed}
            assert said <= self.yes[one.head], f"a word that nobody has said {at}"
        for claim in fold.claims.standing:
            found = claim.agreed | {claim.author}
            assert found == self.confirmed[claim.head], f"who confirms a claim {at}"
        if fold.moves > before.moves:
            self.claimed.clear()
        elif isinstance(body, Late) and fold.claims.standing:
            self.claimed[body.seat, line.entry.author] += (
                fold.claims.standing[-1].number == line.entry.number
            )
        assert Counter(fold.claims.made) == +self.claimed, f"claims of this turn {at}"
        for done in fold.claims.done[before.done :]:
            self.lapses[done.seat] += 1
        played = isinstance(body, Turn) and fold.moves > before.moves
        if isinstance(body, Turn) and played and body.seat not in fold.resigned:
            self.lapses[body.seat] = 0
        assert list(fold.lapses) == self.lapses, f"turns that lapsed in a row {at}"

    def agreed(self, before: Before, fold: Fold) -> None:
        """Check that what takes effect is agreed to by all who play by then."""
        for one in fold.offers.agreed[before.agreed :]:
            asked = set(range(len(fold.holders))) - fold.resigned - {one.seat}
            wanted = {(seat, fold.holders[seat]) for seat in asked}
            of = [
                o.head
                for o in before.standing
                if (o.seat, o.what) == (one.seat, one.what)
            ]
            said = [self.yes[head] for head in of] or [set[tuple[int, bytes]]()]
            assert any(wanted <= each for each in said), f"{one} without a word of all"

    def judged(self, body: object, before: Before, fold: Fold) -> None:
        """Check that a claim takes effect by enough of those who have a say."""
        if not isinstance(body, Judgement) or body.claim not in self.late:
            return
        done = fold.claims.done[before.done :]
        seat, votes = self.late[body.claim], self.confirmed[body.claim]
        several = len(before.electors)
        enough = several if several <= 2 else several - 1
        own = fold.holders[seat] in votes
        counts = own or len(votes & before.electors) >= enough
        for one in done:
            assert counts or one.contested, f"{one} confirmed by too few"
        if body.agrees and counts:
            assert done, f"a claim that enough have confirmed behind {fold.number}"

    def clocks(self, body: object, fold: Fold) -> None:
        """Check what each has used of its time (protocol.md, section 13)."""
        clocked, passed = fold.game.ABOUT.clocked, fold.at - self.at
        assert clocked is not None
        for seat in self.on:
            self.used[seat] += passed
        late = fold.late
        on = late or {seat for seat in fold.actors if seat >= 0}
        answering = clocked.answering(fold.state)
        alone = len(self.used) == 1 and isinstance(body, Turn | Clock)
        ended = (self.answering and not answering) or (self.owing and not late)
        self.at = fold.at
        if on != self.on or ended or alone:
            self.began = fold.at
        self.on, self.answering, self.owing = on, answering, bool(late)
        if isinstance(body, Clock):
            fined = clocked.fined(unpack(body.move, fold.game.ABOUT.move))
            if fined is not None:
                self.fines[fined] += 1
        minutes = clocked.turn_minutes(fold.playable.options)
        all_ = clocked.match_minutes(fold.playable.options)
        for seat, used in enumerate(self.used):
            left = max(0, 60_000 * all_ - used) if all_ else 60_000 * minutes
            if not all_ and seat in on:
                left = max(0, left - (fold.at - self.began))
            assert fold.clocks.shown(seat, fold.at)[0] == left, f"time of seat {seat}"
        for due in fold.due():
            seat_ = clocked.fined(due.move)
            if seat_ is None:
                assert due.at == self.began + 60_000 * minutes, "the end of a turn"
            else:
                most = 60_000 * (all_ + self.fines[seat_])
                assert due.at - fold.at == most - self.used[seat_], "the next fine"


def proved(match: Match, past: Past) -> None:
    """Check what is said of the file of a match against its entries."""
    fold, found = match.fold, verify(whole(match.ledger.raws(0)))
    values = [dict(said.values) for said in found.passed]
    passed = [(one["number"], one["seat"], one["other"]) for one in values]
    assert passed == past.passed, "seats that have passed"
    keys = {member.name: member.key for member in fold.members}
    for one in found.sent:
        assert list(one.entries) == past.sent[one.author, one.kind], f"{one.kind} sent"
    for said in found.owed:
        told_ = dict(said.values)
        if said.code == "OWES" and len(keys) == len(fold.members):
            holders = {fold.holders[n] for n, name in enumerate(fold.names)
                       if name == told_["name"]}  # fmt: skip
            assert told_["number"] in {past.last.get(key) for key in holders}, said
    if found.verdict == "unaudited":
        names = {member.key: member.name for member in fold.members}
        wanted = {(names[key], str(number - 1)) for number, key in past.shut.items()}
        seeds = {
            (str(one["name"]), deal)
            for one in map(dict, (said.values for said in _of(found.said, "SEED_OF")))
            for deal in str(one["deals"]).split(", ")
        }
        assert seeds == wanted, "the seeds that are missing"
    if found.places and fold.ended is not None:
        out = [seat in fold.resigned for seat in range(len(fold.holders))]
        ranks = tuple(1 + sum(other < own for other in out) for own in out)
        assert found.places == ranks, "places of a match that was ended"


def _of(said: object, code: str) -> list[Said]:
    """Return the sentences of a code in a sentence."""
    if not isinstance(said, Said):
        return []
    inner = [one for _, value in said.values for one in _of(value, code)]
    return [said, *inner] if said.code == code else inner


def pieces(match: Match, seat: int) -> None:
    """Check that each position of the past can be built of what a window is told."""
    view, game, history = match.seats.view(seat), match.fold.game, match.fold.history
    state, states = game.view(match.fold.playable.start(), None), list[Any]()
    for past in history:
        states.append(state)
        state = game.play(state, past.actor, past.move)
    for until in {len(history) * n // PLACES for n in range(1, PLACES + 1)}:
        piece = view.piece(until)
        moves = [unpack(one.move, MOVES | game.ABOUT.move) for one in piece.happened]
        kinds = dict(piece.known)
        kinds |= {
            m.tile: m.kind for m in moves if isinstance(m, Reveal) and m.kind >= 0
        }
        actors = [one.actor for one in piece.happened]
        steps = zip(actors, moves, strict=True)
        first = unpack(piece.before, game.ABOUT.state)
        built = [before for before, *_ in followed(game, first, steps, seat, kinds)]
        start = until - len(built)
        wanted = [with_own(game, one, seat, view.known) for one in states[start:until]]
        assert built == wanted, f"the past of seat {seat} before {until}"

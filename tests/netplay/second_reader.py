"""What players are told of a match, held against a second reading of its log.

The log is read by protocol.md (`tests.simulation.book`), never by the program.  So each
test of tables that lets its nodes come to rest looks, at every node and whatever it is
about, at all that a status says: whose seat it is, who has resigned, what is offered,
what may be offered still, how many look on, whose time is how much.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from netplay.fingerprint import fingerprint
from netplay.messages.door import TableStatus
from netplay.messages.log import Hand, Late, Response, Turn, Wish
from netplay.messages.table_questions import GameStatus
from netplay.sanitize import shown_name
from rules import GAMES
from tests.simulation.book import Book, Page, resigns

if TYPE_CHECKING:
    from tests.netplay.joined_nodes import Node

WISHES_A_TURN: Final = 4
TIMES_OFF: Final = 3
DAY_SECONDS: Final = 86_400
GONE: Final = {"resigned", "late"}


class Shown(NamedTuple):
    """A match as one node tells it, beside the log that the node has."""

    name: str
    node: "Node"
    match: Any
    page: Page
    status: TableStatus
    game: GameStatus


class Reader:
    """Reads the logs of all nodes of a net, each entry once."""

    def __init__(self) -> None:
        self._book: Final = Book()
        self._clocks: Final[dict[tuple[str, bytes], Any]] = {}

    def look(self, nodes: Mapping[str, "Node"], links: Any, now: float) -> None:
        """Look at all that is told at every node, at rest.

        Raises:
            AssertionError: Somebody is told what is not so.
        """
        found = [one for name in nodes for one in self._of(name, nodes[name], now)]
        for one in found:
            at = f"{one.name}, behind entry {one.page.entry.number}"
            _look_at_seats(one, at)
            _look_at_offers(one, at)
            _look_at_line(one, at)
            _look_at_time(one, at)
            _look_at_presence(one, at, nodes, links)
            self._look_at_clocks(one, at)
        for a, b in combinations(found, 2):
            linked = frozenset((a.name, b.name)) in links
            if a.page.head == b.page.head and linked:
                _compare(a, b)

    def _of(self, name: str, node: "Node", now: float) -> Iterator[Shown]:
        lines = {one.table: one for one in node.tables.games(now)}
        for place in node.tables.places:
            match, status = place.table.match, place.table.status(now)
            if match is None or status is None or not status.match:
                continue
            page: Page | None = None
            for raw in match.ledger.raws(0):
                page = self._book.add(page, raw)
            game = lines.get(place.number)
            if page is not None and game is not None:
                yield Shown(name, node, match, page, status, game)

    def _look_at_clocks(self, one: Shown, at: str) -> None:
        """Look whether time only runs out, as long as nobody moves."""
        key, status = (one.name, one.page.match), one.status
        clocks = [seat.clock for seat in status.seats]
        turn = one.page.moves, one.page.host, status.turn, one.page.handed
        before = self._clocks.get(key)
        self._clocks[key] = turn, one.page.head, clocks, one.match
        if before is None or before[0] != turn or before[3] is not one.match:
            return
        if one.match.watching:
            return
        for seat, (was, is_) in enumerate(zip(before[2], clocks, strict=True)):
            assert is_ <= max(was, 0) + SLACK_MS, f"{at}: seat {seat} gains time"


SLACK_MS: Final = 15_000
"""A host may know better by as much as a link may be silent."""


def _claimed(page: Page) -> bool:
    """Tell whether a seat may have been lost by a claim, which the book leaves out."""
    return any(isinstance(each.body, Late) for each in page.back())


def _look_at_seats(one: Shown, at: str) -> None:
    page, status, me = one.page, one.status, one.match.me
    own_name = one.node.known.own_name
    assert status.entries == page.number, at
    assert status.hosting == (page.host == me), at
    names = _names(page)
    assert status.host == own_name(page.host, names[page.host]), at
    for number, seat in enumerate(status.seats):
        key, name = page.holders[number], shown_name(page.names[number])
        where = f"{at}, seat {number}"
        assert seat.key == fingerprint(key), where
        assert (seat.kind == "remote") == (key != me), where
        assert seat.name == (name if key == me else own_name(key, name)), where
        plan = page.terms.seats[number]
        stayed = page.terms.members[plan.member].key == key
        browser = plan.kind == "browser" and stayed
        lender = shown_name(page.terms.members[plan.member].name)
        assert seat.browser == (lender if browser else ""), where
        if not _claimed(page):
            assert (seat.state in GONE) == (number in page.resigned), where
    if page.ended:
        assert status.offers.ended == page.ended, at
        if not status.disputed and not _claimed(page):
            last = len(page.holders) - len(page.resigned) + 1
            places = [
                last if n in page.resigned else 1 for n in range(len(page.holders))
            ]
            assert list(status.places) == places, at
    assert not (status.places and status.phase not in {"over", "stopped"}), at


def _names(page: Page) -> dict[bytes, str]:
    """Return what members are called: who came with a seat, as that seat was."""
    names = {member.key: shown_name(member.name) for member in page.terms.members}
    for each in reversed([*page.back()]):
        body = each.body
        if isinstance(body, Hand):
            names.setdefault(body.key, shown_name(body.name))
    return names


def _look_at_offers(one: Shown, at: str) -> None:
    page, status, match = one.page, one.status, one.match
    waits = match.submitting.bodies
    # The book counts a turn that names another position, which is no move (D2).
    if _claimed(page) or status.apart or match.fold.agreement.found:
        return
    plays = {n for n in range(len(page.holders)) if n not in page.resigned}
    if match.seats.all_of_one():
        return
    days = {p.head: p.body.days for p in page.back() if isinstance(p.body, Wish)}
    standing = []
    for each in page.offered:
        # Who has answered while the host is away is asked no more, nor is anybody
        # where that was a no.
        said = [b for b in waits if isinstance(b, Response) and b.offer == each.head]
        asked = plays - each.agreed - {each.seat, *(body.seat for body in said)}
        if asked and all(body.agrees for body in said):
            left = tuple(sorted(asked))
            standing.append((each.seat, each.what, days[each.head], each.head, left))
    over = status.phase == "over" or bool(page.ended)
    told = [(o.seat, o.what, o.days, o.head, o.asked) for o in status.offers.standing]
    assert sorted(told) == ([] if over else sorted(standing)), (at, told, standing)
    if over or match.watching or status.phase == "stopped" or page.gone:
        assert not over or not status.offers.may, at
        return
    about = GAMES[page.terms.game].ABOUT
    if about.hz or match.fold.stuck:
        return
    made, off = _wishes(page)
    for seat in range(len(page.holders)):
        may = {what for n, what in status.offers.may if n == seat}
        if not match.seats.by_person(seat) or seat in page.resigned:
            assert not may, f"{at}, seat {seat}"
            continue
        wanted = {"stop"} | ({"draw"} if about.drawn is not None else set())
        if page.terms.days and off[seat] < TIMES_OFF:
            wanted.add("days")
        if about.tiled is None and _has_turn(page, seat):
            wanted.add("back")
        wishes = any(isinstance(one, Wish) and one.seat == seat for one in waits)
        if made[seat] >= WISHES_A_TURN or wishes:
            wanted = set()
        tiled = {"back"} if about.tiled is not None else set()
        assert may - tiled == wanted, f"{at}, seat {seat}"


def _wishes(page: Page) -> tuple[Counter[int], Counter[int]]:
    """Return who has wished how often since the last move, and had days off."""
    made, off = Counter[int](), Counter[int]()
    fresh = True
    for each in page.back():
        before = each.before
        if before is None:
            break
        moved = each.moves != before.moves
        fresh = fresh and not moved
        if fresh and isinstance(each.body, Wish):
            made[each.body.seat] += 1
        left = {one.head for one in each.offered}
        for one in before.offered:
            if one.what != "days" or one.head in left:
                continue
            said = isinstance(each.body, Response) and each.body.agrees
            gone = isinstance(each.body, Turn) and each.body.seat != one.seat
            off[one.seat] += said or gone
    return made, off


def _has_turn(page: Page, seat: int) -> bool:
    """Tell whether a seat has a turn in the history that can be taken back (K29)."""
    turns: list[tuple[int, bool] | None] = []
    for each in reversed([*page.back()]):
        before, body = each.before, each.body
        if before is None or each.moves == before.moves:
            continue
        if isinstance(body, Turn):
            turns.append((body.seat, resigns(page.terms, body.move)))
        elif isinstance(body, Wish | Response):
            who = next(
                one.seat for one in before.offered
                if isinstance(body, Response) and one.head == body.offer
            )  # fmt: skip
            last = max(n for n, one in enumerate(turns) if one and one[0] == who)
            del turns[last:]
        else:
            turns.append(None)
    for turn in reversed(turns):
        if turn is None or turn[1]:
            return False
        if turn[0] == seat:
            return True
    return False


def _look_at_line(one: Shown, at: str) -> None:
    """Look at the line of the list of games, which says the same in short."""
    game, status, page, me = one.game, one.status, one.page, one.match.me
    assert (game.phase, game.turn) == (status.phase, status.turn), at
    assert game.match == page.match, at
    assert game.entries == page.number, at
    clocks = [status.seats[n].clock for n in status.turn]
    assert game.clock == min((c for c in clocks if c >= 0), default=-1), at
    away = [seat.name for seat in status.seats if seat.state == "away"]
    assert game.away == tuple(dict.fromkeys(away)), at
    keys = [s.key for s in status.seats if s.kind == "remote"]
    assert game.keys == tuple(keys), at
    host = fingerprint(page.host)
    assert game.host == (keys.index(host) if host in keys else -1), at
    assert all(page.holders[seat] == me for seat in game.own), at
    off = tuple((status.seats[seat].name, left) for seat, left in status.offers.off)
    assert game.off == off, at
    if game.result == "unanswered":
        assert len(status.seats) == 2, at  # of three the others play on
    if status.offers.ended == "stop" or not game.own:
        assert game.result in {"", "contested", "unanswered"}, at
    elif status.places and game.result in {"won", "lost", "tied"}:
        mine = min(status.places[seat] for seat in game.own)
        alone = sum(place == mine for place in status.places) == len(game.own)
        assert (game.result == "lost") == (mine > 1), at
        assert alone or game.result != "won" or len(game.own) > 1, at


def _look_at_time(one: Shown, at: str) -> None:
    """Look at the days of a turn, and of who is off."""
    thinking, page, status = one.status.thinking, one.page, one.status
    assert thinking.days == page.terms.days, at
    on = [n for n in status.turn if page.holders[n] != one.match.me]
    if not page.terms.days:
        assert thinking.left is None, at
        assert not status.offers.off, at
    if thinking.claim == "may":
        assert on or status.apart or one.match.fold.withholding, at
        assert thinking.left is None or thinking.left <= 0, at
    days = {p.body.seat: 0 for p in page.back() if isinstance(p.body, Wish)}
    for each in page.back():
        if isinstance(each.body, Wish) and each.body.what == "days":
            days[each.body.seat] = max(days[each.body.seat], each.body.days)
    for seat, left in status.offers.off:
        assert 0 < left <= days[seat] * DAY_SECONDS, at


def _look_at_presence(
    one: Shown, at: str, nodes: Mapping[str, "Node"], links: Any
) -> None:
    """Look at who is told to be there, against the links that there are."""
    page, status, me = one.page, one.status, one.match.me
    names = {node.key: name for name, node in nodes.items()}
    near = {name for pair in links if one.name in pair for name in pair} - {one.name}
    far, seen = near, {one.name}
    while far - seen:
        seen |= far
        far = {n for pair in links if pair & far for n in pair}
    moved, turn = {*status.made.moves}, {*status.turn}
    assert all(page.holders[seat] == me for seat in moved), at
    assert not (moved | turn) & page.resigned, at
    assert 0 <= status.final <= status.entries, at
    assert not (page.ended and turn), at
    if one.match.watching or one.match.by_mail:
        return
    for number, seat in enumerate(status.seats):
        name = names.get(page.holders[number])
        if seat.state in GONE or seat.browser or name is None:
            continue
        where = f"{at}, seat {number} of {name}"
        if name == one.name:
            assert seat.state in {"here", "elsewhere", "away"}, where
        elif name in near and _is_up(one.node, page.holders[number]):
            assert seat.state in {"connected", "elsewhere", "blocked", "away"}, where
            assert seat.state != "away" or seat.vacant, where
        elif name not in seen:
            assert seat.state in {"away", "blocked"}, where


def _is_up(node: "Node", key: bytes) -> bool:
    """Tell whether a node that was not started anew since has a link to a peer."""
    peer = node.tables.shared.peers.get(key)
    return peer is not None and peer.up


def _compare(a: Shown, b: Shown) -> None:
    """Look whether two who are joined, and have the same log, are told the same."""
    at = f"{a.name} and {b.name}, behind entry {a.page.entry.number}"
    one, two = a.status, b.status
    assert one.again == two.again, at
    assert one.contested == two.contested, at
    assert one.places == two.places, at
    assert one.fairness == two.fairness, at
    for mine, theirs in zip(one.seats, two.seats, strict=True):
        assert (mine.state in GONE) == (theirs.state in GONE), at
        assert mine.state == theirs.state or not GONE & {mine.state, theirs.state}, at
        assert mine.key == theirs.key, at
        assert (mine.clock < 0) == (theirs.clock < 0), at
    waits = [each.match.submitting for each in (a, b)]
    if not any(each.bodies or each.held for each in waits):
        assert one.turn == two.turn, at

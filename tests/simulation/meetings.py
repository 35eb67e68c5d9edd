"""Matches in which as many features meet as can: one does this, another that, at once.

Whole tables of two to four nodes in memory, with days to think, a keeper of letters and
somebody without a seat.  A seed says who does what in which order: things that few
players do in a year follow each other within a few moves.  Whatever comes of it, every
node is to read every log as somebody does who knows `protocol.md` alone.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from itertools import islice, product
from random import Random
from typing import Any, Final

from netplay.errors import NetplayError
from netplay.match.match import Match
from netplay.messages.door import (
    Answer,
    Done,
    HostTable,
    LeaveTable,
    Load,
    Play,
    Question,
    Save,
    StartMatch,
    TableStatus,
)
from netplay.messages.log import Carried, Late, Turn, What
from netplay.messages.table import Fairness
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    ClaimTime,
    HandSeat,
    MakeOffer,
    PlayAgain,
    Prepare,
    Vote,
    WatchAt,
)
from netplay.record.verify import replay, verify
from netplay.wire import Frame, decode, pack
from rules import lhexicon, networdz
from rules.game import Resign
from tests.netplay.joined_nodes import Net
from tests.simulation import verdicts
from tests.simulation.bags import proofs
from tests.simulation.book import Book, Page, frames
from tests.simulation.cells import Cells
from tests.simulation.days import Keeper
from tests.simulation.run import Result, remembering
from tests.test_second_rules import jumbled

ROUND: Final = 24
"""Seeds of one game in which all pairs of acts come up."""

HOUR: Final = 3_600

SETTINGS: Final[tuple[tuple[str, Fairness], ...]] = (
    ("numlo", "committed"), ("networdz", "committed"), ("lhexicon", "committed"),
    ("numlo", "committed"), ("networdz", "encrypted"), ("lhexicon", "encrypted"),
    ("hexagrams", "committed"), ("networdz", "encrypted"),
)  # fmt: skip

OPTIONS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "numlo": (("size", "8"), ("values", "off")),
    "lhexicon": (("challenge", "on"),),
}

WAYS: Final = ("double", "single", "five")
"""What a challenge in vain costs."""

REFUSED: Final = NetplayError, AssertionError, StopIteration, ValueError, IndexError
"""What an act may come to that cannot be done now: it is left out."""

REMEMBERED: Final = 4
"""Messages of the match before that come late."""


MOST: Final = 4_000
"""Messages after one act: far more than any takes."""


class RestlessError(Exception):
    """Nodes go on talking for ever."""


class Wires(Net):
    """A net that remembers what went over it last."""

    def __init__(self, *names: str) -> None:
        super().__init__(*names)
        self.last: deque[tuple[str, str, bytes]] = deque(maxlen=REMEMBERED)
        self.carried = 0
        self.waits: set[frozenset[str]] = set()
        """Pairs that dial each other again a while later."""
        self.idle = False
        """What is to be done beside the loop waits."""

    def link(self, a: str, b: str) -> None:
        """Make a link, but where the last one has just ended with an error."""
        if frozenset((a, b)) not in self.waits:
            super().link(a, b)

    def settle(self, most: int = MOST) -> None:
        try:
            super().settle(most)
        except AssertionError as error:
            raise RestlessError(str(error)) from None

    def work(self) -> bool:
        return not self.idle and super().work()

    def jobs(self, most: int) -> None:
        """Do a few things beside the loop, and leave the rest."""
        for _ in range(most):
            self.idle = False
            self.work()
            self.idle = True
            self.settle()

    def deliver(self) -> bool:
        if self.wire:
            self.last.append(self.wire[0])
        wrong = sum(len(node.errors) for node in self.nodes.values())
        came = super().deliver()
        if wrong < sum(len(node.errors) for node in self.nodes.values()):
            self.waits.add(frozenset(self.last[-1][:2]))
        if came and self.last:
            node = self[self.last[-1][1]]
            self.carried += bool(node.got) and isinstance(node.got[-1], Carried)
        return came


class Meeting:
    """One match and its rematches."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = rng = Random(f"meeting {seed}")
        self.game: Final = SETTINGS[seed % len(SETTINGS)][0]
        self.fairness: Final[Fairness] = SETTINGS[seed % len(SETTINGS)][1]
        some = (3, 4, 4) if self.fairness == "encrypted" else (2, 3, 3, 4)
        most = 2 if self.game == "hexagrams" else rng.choice(some)
        self.names = ("ann", "bob", "cyd", "dan")[:most]
        self.net = Wires(*self.names, "eve")
        self.keeper = Keeper("keeper", rng)
        self.keeper.lie, self.keeper.skew = "", 0
        self.cells, self.counts = Cells(), Counter[str]()
        self.book = Book()
        self.trace = hashlib.sha256()
        self.failures: list[str] = []
        self._read: dict[bytes, int] = {}
        self._carried = self._apart = 0
        self._disputed: dict[bytes, int] = {}
        self.tiled = self.game in {"networdz", "lhexicon"}
        self._deep = 0

    def acts(self) -> list[Callable[[], None]]:
        """Return what can be done in this game."""
        found: list[Callable[[], None]] = [
            self._back, self._resign, self._leave, self._hand, self._days_off,
            self._claim, self._offer, self._differ, self._again, self._restart,
            self._save, self._import, self._block, self._watch, self._post, self._part,
            self._vote,
        ]  # fmt: skip
        found += [self._exchange] if self.tiled else [self._prepare]
        if self.game == "lhexicon" or self.options():
            found.append(self._challenge)
        if self.fairness == "encrypted":
            found.append(self._leave_early)
        return found

    def options(self) -> tuple[tuple[str, str], ...]:
        """Return what is agreed on: words of Networdz are challenged in all ways."""
        way = WAYS[self.seed // len(SETTINGS) % len(WAYS)]
        return (("challenge", way),) if self.game == "networdz" else ()

    def pairs(self, place: int) -> list[tuple[Callable[[], None], Callable[[], None]]]:
        """Return what is to be done in pairs: all pairs come up in `ROUND` seeds."""
        found = list(product(self.acts(), self.acts()))
        Random(self.game).shuffle(found)
        size = -(-len(found) // ROUND)
        at = place % ROUND * size
        return found[at : at + size]

    # Who is where.

    def match(self, name: str) -> Match | None:
        return self.net[name].table.match

    def playing(self) -> list[tuple[str, Match]]:
        found = [(name, self.match(name)) for name in self.net.nodes]
        return [(name, match) for name, match in found if match is not None]

    def own(self, name: str) -> list[int]:
        """Return the seats that somebody plays at its own computer."""
        status = self.status(name)
        seats = enumerate(status.seats)
        return [
            n for n, seat in seats if seat.kind != "remote" and seat.state != "resigned"
        ]

    def status(self, name: str) -> TableStatus:
        found = self.net[name].tables.table_status(self.net.now)
        assert found is not None
        return found

    def entries(self) -> int:
        return max((len(m.ledger.log) for _, m in self.playing()), default=0)

    def any(self) -> str:
        return self.rng.choice(self.names)

    def note(self, feature: str) -> None:
        self.look()
        self.cells.note(feature, self.entries())

    def does(self, name: str, question: Question) -> bool:
        done = isinstance(self.net.ask(name, question), Done)
        self.net.settle()
        return done

    # From beginning to end.

    def run(self) -> None:
        self._form()
        self.look()
        for first, then in self.pairs(self.seed // len(SETTINGS)):
            for act in (first, then):
                self._tries(act)
                for _ in range(self.rng.randrange(3)):
                    self._tries(self._move)
            if self.over():
                self._tries(self._again)
        self._meet()
        self.judge()

    def over(self) -> bool:
        return all(match.fold.over for _, match in self.playing())

    def _tries(self, act: Callable[[], None]) -> None:
        name = act.__name__.strip("_").replace("_", " ")
        if self._deep > 1:
            return
        self._deep += 1
        try:
            act()
            self.counts[name] += 1
        except REFUSED:
            self.counts[f"{name} in vain"] += 1
        finally:
            self._deep -= 1
        self.net.settle()
        self.look()

    def _form(self) -> None:
        net, (ann, *guests) = self.net, self.names
        for name in (*guests, "eve"):
            net.done(name, Answer(on=True))
        for node in net.nodes.values():
            node.unix = 1_800_000_000
        net[ann].tables.letters.keep_with((self.keeper.key.key,))
        seats = ("person", *(f"remote:{guest}" for guest in guests))
        options = OPTIONS.get(self.game, self.options())
        wish = HostTable(
            self.game, seats, options, "", "", fairness=self.fairness, days=1
        )
        net.done(ann, wish)
        net.settle()
        net.done(ann, StartMatch())
        if self.tiled and self.rng.random() < 0.5:
            self._tries(self._never_ready)
        net.settle()

    # What is looked at.

    def look(self) -> None:
        """Read what has come into the logs."""
        found = [(len(m.ledger.log), n, m) for n, m in self.playing()]
        if not found:
            return
        _, name, match = max(found, key=lambda one: one[:2])
        for page in self.pages(name, match.match)[self._read.get(match.match, 0) :]:
            moved = page.before is not None and page.moves > page.before.moves
            self.cells.read(match.match, page.entry.number, page.body, back=moved)
            self.trace.update(page.head)
            self._read[match.match] = page.number
        if self.net.carried > self._carried:
            self._carried = self.net.carried
            self.cells.note("carried", self.entries())
        differs = len(match.fold.agreement.found)
        if differs > self._disputed.get(match.match, 0):
            self._disputed[match.match] = differs
            self.cells.note("dispute", self.entries())

    def file(self, name: str, match: bytes) -> bytes:
        return self.net[name].archive.open(match).read()

    def pages(self, name: str, match: bytes) -> list[Page]:
        found: list[Page] = []
        for raw, _ in frames(self.file(name, match), 8):
            found.append(self.book.add(found[-1] if found else None, raw))
        return found

    def judge(self) -> None:
        """Have every file of every match read by the page alone, and by `verify`.

        A reader that shares nothing with the program says who is gone, who holds
        which seat, who is host and whether the players ended it; and so what places
        there are.  It leaves out matches with claims or with a turn that another
        position was named for: those it does not follow, but for their verdicts.
        """
        for name in self.net.nodes:
            for match in list(self._read):
                if self.net[name].archive.has(match):
                    self._judge_file(name, match)

    def _judge_file(self, name: str, match: bytes) -> None:
        pages, found = self.pages(name, match), verify(self.file(name, match))
        if not pages:
            return
        last, who = pages[-1], f"{name}'s file of {match[:4].hex()}"
        assert found.verdict in {"good", "unaudited", "unfinished"}, (who, found)
        assert found.entries == last.number, who
        self.counts["verdicts"] += verdicts.check(pages, who)
        if match in self._disputed or any(isinstance(p.body, Late) for p in pages):
            return
        wrong = [page.wrong for page in pages if page.wrong]
        assert not wrong, (who, wrong)
        assert not found.disputed, who
        fold = replay([page.raw for page in pages])
        assert fold.resigned == last.resigned, f"{who}: who is gone"
        assert tuple(fold.holders) == last.holders, f"{who}: who sits where"
        assert fold.host == last.host, f"{who}: who is host"
        assert (fold.ended or "") == last.ended, f"{who}: what was agreed"
        self.counts["files judged"] += 1
        if last.ended:
            count, gone = len(last.holders), last.resigned
            place = count - len(gone) + 1
            wanted = tuple(place if n in gone else 1 for n in range(count))
            assert found.places == wanted, f"{who}: places"
            self.counts["ends judged"] += 1

    # What people do.

    def _mover(self) -> tuple[str, Match, int]:
        """Return somebody who is on turn, and its seat."""
        on = [
            (name, match, seat)
            for name, match in self.playing()
            for seat in match.on_turn()
            if match.seats.is_own(seat)
        ]
        return self.rng.choice(on)

    def _plays(self, name: str, match: Match, seat: int, move: Any) -> None:
        self.net.done(name, Play(seat, pack(move), match.fold.number))
        self.net.settle()

    def _never_ready(self) -> None:
        """Let somebody resign before there is a bag to draw from."""
        net, last = self.net, self.names[-1]
        for _ in range(self.rng.randrange(3, 40)):
            net.deliver()
        if self.fairness == "committed":
            for other in self.names[:-1]:
                net.part(last, other)
        net.idle = True
        try:
            net.settle()
            net.jobs(self.rng.randrange(4))
            self._meanwhile()
            self._resign()
            net.settle()
        finally:
            net.idle = False
        self._meet()

    def _leave_early(self) -> None:
        """Let somebody resign while a bag is being filled or mixed."""
        self.net.idle = True
        try:
            for _ in range(4):
                self._tries(self._exchange)
            self.net.jobs(self.rng.randrange(1, 6))
            self._meanwhile()
            self._resign()
            self.net.settle()
        finally:
            self.net.idle = False

    def _meanwhile(self) -> None:
        """Let things happen while there is no bag to draw from."""
        acts = [act for act in self.acts() if act != self._again]
        for act in self.rng.sample(acts, 3):
            self._tries(act)

    def _move(self) -> None:
        name, match, seat = self._mover()
        state = match.seats.view(seat).state
        moves = list(islice(match.fold.game.moves(state, seat), 12))
        self._plays(name, match, seat, self.rng.choice(moves))

    def _exchange(self) -> None:
        name, match, seat = self._mover()
        rack = sorted(match.seats.view(seat).state.tiles.racks[seat])
        some = tuple(rack[: self.rng.randrange(1, 4)])
        kind = networdz.Pass if self.game == "networdz" else lhexicon.Discard
        self._plays(name, match, seat, kind(some))

    def _challenge(self) -> None:
        """Lay a word that may be none, and doubt it; or doubt what was laid."""
        for _ in range(6):
            name, match, seat = self._mover()
            state = match.seats.view(seat).state
            moves = list(islice(match.fold.game.moves(state, seat), 40))
            doubts = [m for m in moves if type(m).__name__ == "Challenge"]
            laid = [m for m in moves if type(m).__name__ == "Lay"]
            chosen = [*doubts, *laid, moves[0]][0]
            if isinstance(chosen, networdz.Lay) and self.rng.random() < 0.5:
                chosen = jumbled(chosen, self.rng)
            self._plays(name, match, seat, chosen)
            if doubts:
                return

    def _offers(self, what: What, days: int = 0, yes: float = 1.0) -> None:
        names = self.rng.sample(self.names, len(self.names))
        made = False
        for name in names:
            match = self.match(name)
            assert match is not None
            for seat in self.own(name) if not made else ():
                made = made or self.does(name, MakeOffer(seat, what, days))
        assert made
        for name in names:
            for one in self.status(name).offers.standing:
                for seat in self.own(name):
                    if seat in one.asked:
                        agrees = self.rng.random() < yes
                        self.does(name, AnswerOffer(seat, agrees, one.head))

    def _back(self) -> None:
        """Take a turn back; where tiles were drawn it takes one that drew none."""
        if self.game in OPTIONS and self.game != "lhexicon":
            self._move()
        else:
            name, match, seat = self._mover()
            kind = networdz.Pass if self.game == "networdz" else lhexicon.Pass
            with suppress(*REFUSED):
                self._plays(name, match, seat, kind())
        self._offers("back")

    def _offer(self) -> None:
        what: What = self.rng.choice(("draw", "stop", "stop"))
        self._offers(what, yes=0.3)

    def _days_off(self) -> None:
        self._offers("days", 1, yes=0.7)

    def _resign(self) -> None:
        names = [name for name in self.names if self.match(name) and self.own(name)]
        name = self.rng.choice(names)
        self.net.done(name, Play(self.own(name)[0], pack(Resign()), self.entries()))

    def _claim(self) -> None:
        """Let more than a day pass, and somebody claim that another is late."""
        for node in self.net.nodes.values():
            node.unix += 26 * HOUR
        self.net.wake(61)
        for name in self.rng.sample(self.names, len(self.names)):
            self.does(name, ClaimTime())
        self.net.wake(61)

    def _hand(self) -> None:
        """Let the others agree that a seat passes to another player."""
        old = self.any()
        heir = self.rng.choice([n for n in (*self.names, "eve") if n != old])
        match = self.match(old) or self.playing()[0][1]
        held = [
            n for n, key in enumerate(match.fold.holders) if key == self.net[old].key
        ]
        seats = [seat for seat in held if seat not in match.fold.resigned]
        self.net.link(heir, self.names[0])
        for name in self.names:
            if name != old:
                self.does(name, HandSeat(seats[0], heir))

    def _prepare(self) -> None:
        """Prepare an answer to a move, and let that be made."""
        name, match, seat = self._mover()
        state = match.seats.view(seat).state
        first = next(iter(match.fold.game.moves(state, seat)))
        after = match.fold.game.play(state, seat, first)
        then = next(iter(match.fold.game.actors(after)))
        answer = next(iter(match.fold.game.moves(after, then)))
        key = match.fold.holders[then]
        other = next(n for n in self.net.nodes if self.net[n].key == key)
        own = pack(first), pack(answer)
        self.net.done(other, Prepare(then, own))
        self._plays(name, match, seat, first)
        self.note("prepared")

    def _differ(self) -> None:
        """Let a program name another position than there is, when it moves."""
        name, match, seat = self._mover()
        moves = match.fold.game.moves(match.seats.view(seat).state, seat)
        kind = {"networdz": networdz.Pass, "lhexicon": lhexicon.Pass}.get(self.game)
        move = pack(next(iter(moves)) if kind is None else kind())
        other = hashlib.sha256(match.fold.digest()).digest()
        place = self.net[name].tables.places.of_match(match.match)
        assert place is not None
        with place:
            turn = Turn(seat, match.ledger.log.head, other, move, ())
            match.replication.submit(turn, self.net.now)

    def _begins_anew(self, name: str) -> None:
        self.net.isolate(name)
        self.net[name].restart(self.net.now)
        self.net.done(name, Answer(on=True))
        self.net.settle()

    def _again(self) -> None:
        """Play again, once all is over; what was under way comes late."""
        if not self.over():
            self._offers("stop")
        old = list(self.net.last)
        self._meet()
        self.net.idle = self.fairness == "encrypted" and self.rng.random() < 0.6
        for name in self.names:
            self.does(name, PlayAgain())
        self.net.settle()
        if self.net.idle:
            self.net.jobs(self.rng.randrange(4))
            self._tries(self._resign)
            self.net.idle = False
        self.net.settle()
        for a, b, data in old:
            if frozenset((a, b)) in self.net.links:
                message: Any = decode(Frame(data[4], data[5:]))
                with suppress(NetplayError):
                    self.net[b].tables.receive(self.net[a].key, message, self.net.now)
        self.net.settle()
        for _ in range(self.tiled * self.rng.randrange(4)):  # bags of bags at once
            self._tries(self._exchange)

    def _restart(self) -> None:
        self._begins_anew(self.any())
        self.note("restart")

    # Files.

    def _leave(self) -> None:
        name = self.any()
        match = self.match(name)
        assert match is not None
        self.net.done(name, LeaveTable())
        self.note("leave")
        self.net.settle()
        with suppress(*REFUSED):
            self._move()
        self._loads(name, f"{match.match.hex()}.netplay")

    def _loads(self, name: str, path: str) -> None:
        self.net.done(name, Load(path))
        self.net.settle()
        for other in self.names:
            if other != name and self.match(other) is None:
                self.does(other, Load(""))

    def _save(self) -> None:
        """Leave, and go on from a file that was written before the last move."""
        name = self.any()
        self.net.done(name, Save("copy", over=True))
        self.net.done(name, LeaveTable())
        self.net.settle()
        self._loads(name, "copy")
        self.note("save and load")

    def _import(self) -> None:
        """Go on from a file of another player's, where one's own is lost."""
        giver, name = self.rng.sample(self.names, 2)
        self.net.done(giver, Save("copy", over=True))
        match = self.match(name)
        assert match is not None
        self.net.done(name, LeaveTable())
        self.net[name].archive.disks["copy"] = self.net[giver].archive.disks["copy"]
        self._loads(name, "copy")
        self.note("export and import")

    # Ways.

    def _meet(self) -> None:
        self.net.apart.clear()
        for node in self.net.nodes.values():
            for key in list(node.known.blocked.all()):
                node.known.blocked.remove(key)
        for _ in range(3):
            self.net.waits.clear()
            self.net.settle()
            self.net.wake(2)

    def _block(self) -> None:
        """Let somebody block another, and later no more."""
        a, b = self.rng.sample(self.names, 2)
        node, key = self.net[a], self.net[b].key
        node.known.blocked.add(key, b)
        self.net.part(a, b)
        node.tables.block(key)
        self.note("blocked")
        self._tries(self._move)
        self._tries(self.rng.choice(self.acts()))
        self._meet()

    def _part(self) -> None:
        """Let two have no link for a while: others carry what they say."""
        self.net.part(*self.rng.sample(self.names, 2))
        self._tries(self._move)
        self._tries(self.rng.choice(self.acts()))
        self._meet()

    def _watch(self) -> None:
        usher = self.any()
        self.net.done("eve", WatchAt(usher))
        self.net.settle()
        for name in self.names:
            self.does(name, AnswerWatcher(allow=True, whom="eve"))
        assert self.match("eve") is not None
        self.note("onlooker")

    def _vote(self) -> None:
        """Let the host be gone for a while: the others go on without it."""
        host = next(n for n, m in self.playing() if m.hosting)
        for other in self.names:
            if other != host:
                self.net.part(host, other)
        for name in self.names:
            if name != host:
                self.does(name, Vote())
        self.net.wake(61)
        self._tries(self._move)
        self._tries(self.rng.choice(self.acts()))
        self._meet()

    def _post(self) -> None:
        """Let two who never meet go on by letters."""
        a, b = self.rng.sample(self.names, 2)
        for other in self.net.nodes:
            if other != a:
                self.net.part(a, other)
        self._tries(self._move)
        posted = [self._letters(name) for name in (a, b, a, b)]
        if any(posted):
            self.note("letters")
        self._tries(self.rng.choice(self.acts()))
        self._letters(a)
        self._meet()

    def _letters(self, name: str) -> bool:
        """Leave letters with the keeper, and take what was left; tell if any was."""
        node, now, took = self.net[name], self.net.now, False
        letters = node.tables.letters
        for owed in tuple(letters.owed()):
            written = letters.write(owed, now)
            if written is not None:
                receipt = self.keeper.leave(node.key, written, node.unix)
                letters.kept(written, self.keeper.name, receipt)
                took = True
        for sealed in self.keeper.hand(node.key):
            letters.on_letter(sealed, now)
        self.net.settle()
        return took


def simulate_meeting(seed: int) -> Result:
    """Let things meet in one seed's match."""
    with remembering(), proofs(1):
        found = Meeting(seed)
        try:
            found.run()
        except (AssertionError, RestlessError) as error:
            found.failures.append(str(error) or repr(error))
        entries = found.entries()
        found.net.close()
    return Result(
        seed, found.game, len(found.names), found.fairness, (), tuple(found.failures),
        dict(sorted(found.counts.items())), entries, len(found.counts), found.net.now,
        found.trace.hexdigest(), dict(found.cells.met),
    )  # fmt: skip

"""Moves on condition: players sit down, prepare some, take back and drop, and get up.

While somebody sits at a window no computer stands in: moves are clicked, or made by the
node as they were prepared.  What was prepared is written down here when the node says
that it has it; every move that nobody has clicked has to be among that.
"""

from collections.abc import Iterable
from functools import partial
from itertools import islice, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from netplay.errors import Code
from netplay.match.match import Match
from netplay.messages.door import Done, Failed, Play, Question
from netplay.messages.log import Turn
from netplay.messages.table_questions import (
    AnswerOffer,
    DropPrepared,
    MakeOffer,
    Prepare,
    StandIn,
    TakeBack,
)
from netplay.record.standing import state_digest
from netplay.wire import pack, unpack
from tests.simulation.book import Page
from tests.simulation.themes import OFFERS

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

SECONDS: Final = (0.1, 0.2, 0.4, 0.8)
"""Between two things that somebody does at a window."""

KNOWN: Final = 3
"""Of the moves there are, the first so many are clicked and prepared for."""

STAYS: Final = 30
"""Things that somebody does before getting up for good."""


ANY: Final = -1
"""Any seat; the number of moves before one that somebody clicks; no seat's move."""

Turns: TypeAlias = tuple[tuple[int, bytes], ...]
"""(seat, move) of some turns, in their order."""


class Step(Struct, frozen=True):
    """A turn of a line, as its player has named it."""

    seat: int
    move: bytes
    state: bytes
    """Digest of the position that it is for."""


class Line(Struct):
    """A line that a node has said it would play."""

    name: str
    """Of the node."""
    match: bytes
    seat: int
    base: int
    """Moves made before its first step."""
    steps: tuple[Step, ...]
    first: int
    """The first step that is prepared: those before it were made, and waited."""
    end: int | None = None
    """It counts only for moves before that number, since it is gone."""
    sure: bool = True
    """The node's log has not lost its end since, with what had been prepared behind."""

    def at(self, number: int) -> Step | None:
        """Return the step that is prepared for when so many moves have been made."""
        place = number - self.base
        if not self.first <= place < len(self.steps):
            return None
        if self.end is not None and number >= self.end:
            return None
        step = self.steps[place]
        return step if step.seat == self.seat else None

    def begins_with(self, made: Turns) -> bool:
        """Tell whether its first steps are just those moves."""
        steps = self.steps[: len(made)]
        return made == tuple((step.seat, step.move) for step in steps)


class Lines:
    """All lines that were prepared in a world."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.clicked: dict[tuple[bytes, bytes], bytes] = {}
        """Match and position -> what was clicked in it last."""
        self._all: list[Line] = []
        self._seen: dict[tuple[str, bytes], int] = {}
        """Node and match -> the moves it knew when it went down, till it is back."""

    def of(self, node: "SimNode", match: bytes, seat: int = ANY) -> list[Line]:
        """Return the lines of a node that are not gone; those of a seat, or all."""
        return [
            one
            for one in self._all
            if (one.name, one.match) == (node.name, match)
            and seat in (ANY, one.seat)
            and one.end is None
        ]

    def add(self, line: Line) -> None:
        self._all.append(line)

    def remove(self, line: Line) -> None:
        self._all.remove(line)

    def hoped(self, match: bytes, number: int, seat: int) -> list[bytes]:
        """Return what others have prepared an answer to, if a seat moves now."""
        lines = (one for one in self._all if one.match == match and one.end is None)
        found = (
            one.steps[number - one.base :][:1] for one in lines if one.base <= number
        )
        return [step.move for some in found for step in some if step.seat == seat]

    def unsure(self, node: "SimNode", match: bytes) -> None:
        """Note that a node's log has lost its end: lines may be gone by that."""
        for line in self.of(node, match):
            line.sure = False

    def went_down(self, node: "SimNode") -> None:
        """Note what a node knows: lines that do not fit it may be dropped for good."""
        found = [place.table.match for place in node.node_tables.places]
        knows = {one.match: one.fold.moves for one in found if one is not None}
        for line in self._all:
            if line.name == node.name:
                line.sure &= line.match in knows  # it was given up: a disk has failed
        for match, moves in knows.items():  # it may go down again on its way up
            at = node.name, match
            self._seen[at] = max(moves, self._seen.get(at, 0))

    # What is checked.

    def named(self, log: list[Page], page: Page, numbers: Iterable[int]) -> bool:
        """Tell whether a turn was prepared for just that, and behind just those.

        Args:
            log: All pages.
            page: That of the turn.
            numbers: After how many moves it may have been made.
        """
        body = page.body
        assert isinstance(body, Turn)
        turn, author = Step(body.seat, body.move, body.state), page.entry.author
        for line in self._all:
            ours = self._world.nodes[line.name].key == author
            for number in numbers if ours and line.match == page.match else ():
                fits = line.at(number) == turn
                if fits and line.begins_with(_moves(log, line.base, number)):
                    self._world.tally("prepared move")
                    return True
        return False

    def came_back(self, node: "SimNode") -> None:
        """Check that what is prepared outlives whatever a node went through."""
        for status in node.tables.values() if node.sits else ():
            pages = node.pages(status.match) if status.match else []
            going = bool(pages) and status.phase not in ("over", "stopped")
            if going and pages[-1].moves < self._seen.pop((node.name, status.match), 0):
                self.unsure(node, status.match)
            for line in self.of(node, status.match) if going else ():
                made = line.seat in status.made.moves  # the log has lost more
                left = () if made else _left(node, line, pages)
                shown = (one.moves for one in status.made.prepared)
                if left and left not in (moves[: len(left)] for moves in shown):
                    self._world.checks.fail(f"{node.name} forgets what was prepared")


def _left(node: "SimNode", line: Line, pages: list[Page]) -> Turns:
    """Return what must be left of a line; empty for what may be gone, or is made."""
    page, place = pages[-1], pages[-1].moves - line.base
    gone = page.ended or line.seat in page.resigned or not line.sure
    if gone or page.holders[line.seat] != node.key:
        return ()
    if not line.first <= place < len(line.steps) or line.steps[place].seat == line.seat:
        return ()
    fits = line.begins_with(_moves(pages, line.base, page.moves))
    return tuple((one.seat, one.move) for one in line.steps[place:]) if fits else ()


def _moves(log: list[Page], start: int, end: int) -> Turns:
    """Return (seat, move) of the moves with these numbers; (-1, b"") for no turn."""
    found: list[tuple[int, bytes]] = []
    for before, page in pairwise(log):
        if start <= before.moves < end and page.moves > before.moves:
            body = page.body
            turn = (body.seat, body.move) if isinstance(body, Turn) else (ANY, b"")
            found.append(turn)
    return tuple(found)


def _contradicts(old: Line, new: Line) -> bool:
    """Tell whether two lines of a seat part where it is to move itself."""
    skipped = new.base - old.base
    rest = old.steps[skipped:] if skipped >= 0 else ()
    parted = (
        mine.seat
        for mine, theirs in zip(rest, new.steps, strict=False)
        if mine.move != theirs.move
    )
    return next(parted, ANY) == old.seat


class Sitting:
    """Somebody at a window, who comes and goes."""

    def __init__(self, world: "World", node: "SimNode", rng: Random) -> None:
        self._world = world
        self._node = node
        self._rng = rng
        self._stays = STAYS

    def begin(self) -> None:
        self._world.later(self._rng.random(), self._does)

    def _does(self) -> None:
        """Do something, or get up for good."""
        world, node = self._world, self._node
        if self._stays < 0 or node.dead:
            world.run(node, "gets up", partial(self._sits, sits=False))
            node.sits = False  # also where it is not there
            return
        world.later(self._rng.choice(SECONDS), self._does)
        if node.up and node.asleep <= world.now:
            world.run(node, "sitting", self._act)

    def _sits(self, *, sits: bool) -> None:
        """Sit down at the window, or let a computer stand in."""
        self._node.sits = sits
        self._node.ask(StandIn(None if sits else 40))

    def _act(self) -> None:
        node, rng = self._node, self._rng
        match = self._match()
        if rng.random() < (0.04 if node.sits else 0.7):
            self._sits(sits=not node.sits)
        if match is None or match.fold.stuck or not node.sits:
            return
        self._stays -= 1
        for seat in sorted(match.members.seats - match.fold.resigned):
            acts = (
                self._click,
                self._prepare,
                self._take_back,
                self._drop,
                self._go_back,
            )
            rng.choices(acts, (5, 6, 3, 1, 3))[0](match, seat)

    def _match(self) -> Match | None:
        """Return the match that the window shows, while it goes on."""
        found = [place.table.match for place in self._node.node_tables.places]
        going = (match for match in found if match is not None and not match.fold.over)
        return next(going, None)

    def _choose(self, match: Match, state: Any) -> bytes:
        """Return one of the first moves of whoever is on turn."""
        game = match.fold.game
        moves = islice(game.moves(state, min(game.actors(state))), KNOWN)
        return pack(self._rng.choice(list(moves)))

    def _click(self, match: Match, seat: int) -> None:
        """Make a move, mostly one that somebody has an answer to, or had."""
        fold, lines = match.fold, self._world.checks.moves.lines
        if seat in fold.actors and not match.seats.is_moving(seat):
            place = fold.match, fold.digest()
            hoped = lines.hoped(fold.match, fold.moves, seat)
            move = self._choose(match, fold.state)
            if place in lines.clicked:
                move = lines.clicked[place]  # what was taken back is made again
            elif hoped and self._rng.random() < 0.7:
                move = self._rng.choice(hoped)
            lines.clicked[place] = move
            self._node.ask(Play(seat, move, fold.number), moves=fold.moves)

    def _go_back(self, match: Match, seat: int) -> None:
        """Agree to take a turn back, or ask for that."""
        if OFFERS not in self._world.themes:
            return
        asked = [
            one
            for one in match.fold.offers.standing
            if one.what == "back" and seat not in (one.seat, *one.agreed)
        ]
        if asked:
            self._node.ask(AnswerOffer(seat, agrees=True, head=asked[0].head))
        else:
            self._node.ask(MakeOffer(seat, "back"))

    # Lines.

    def _prepare(self, match: Match, seat: int) -> None:
        """Prepare a line; the node may crash over it, and have it or not."""
        line = self._line(match, seat)
        if line is None:
            return
        lines = self._world.checks.moves.lines
        others = lines.of(self._node, match.match, seat)
        replaced = [one for one in others if _contradicts(one, line)]
        lines.add(line)
        moves = tuple(step.move for step in line.steps[line.first :])
        ask = Prepare(seat, moves, match.fold.number)
        answer = self._asks(ask, replaced, line.base + line.first)
        if isinstance(answer, Done):
            self._world.tally("line prepared")
            line.sure = True
            if self._rng.random() < 0.1:
                self._node.fuse = "before outgoing", 0
        elif answer.code != Code.DISK.number:
            lines.remove(line)

    def _asks(self, question: Question, lines: list[Line], end: int) -> Done | Failed:
        """Ask for what makes lines go; nobody knows if they have after a crash."""
        before = [line.sure for line in lines]
        for line in lines:
            line.sure = False
        answer = self._node.ask(question)
        refused = isinstance(answer, Failed) and answer.code != Code.DISK.number
        for line, sure in zip(lines, before, strict=True):
            line.sure = sure and refused
            line.end = end if isinstance(answer, Done) else None
        return answer

    def _line(self, match: Match, seat: int) -> Line | None:
        """Return a line of two moves or more, behind what was made and waits."""
        fold, game = match.fold, match.fold.game
        state, steps = fold.state, list[Step]()
        made = [one for one in match.submitting.bodies if isinstance(one, Turn)]
        if fold.stuck or (made and made[0].state != fold.digest()):
            return None
        count = self._rng.choice((1, 2, 2)) * len(fold.holders)
        for number in range(len(made) + count):
            actor = min(game.actors(state), default=ANY)
            if actor < 0:
                break
            known = number < len(made)
            move = made[number].move if known else self._choose(match, state)
            steps.append(Step(actor, move, state_digest(fold.match, game, state)))
            state = game.play(state, actor, unpack(move, game.ABOUT.move))
        while len(steps) > len(made) and steps[-1].seat != seat:
            steps.pop()
        place = self._node.name, fold.match, seat, fold.moves
        return Line(*place, tuple(steps), len(made), sure=False)

    def _take_back(self, match: Match, seat: int) -> None:
        """Take a move back that has left by no way, and what was to follow it."""
        lines = self._world.checks.moves.lines.of(self._node, match.match, seat)
        answer = self._asks(TakeBack(seat), lines, match.fold.moves)
        if isinstance(answer, Done):
            self._world.checks.moves.taken_back(self._node, match.match, seat)

    def _drop(self, match: Match, seat: int) -> None:
        """Drop all that is prepared; a move may be on its way already."""
        lines = self._world.checks.moves.lines.of(self._node, match.match, seat)
        number = match.fold.moves + match.seats.is_moving(seat)
        if isinstance(self._asks(DropPrepared(seat), lines, number), Done):
            self._world.tally("lines dropped")


def begin(world: "World", seed: int) -> None:
    """Let everybody sit down now and then."""
    for node in world.members:
        Sitting(world, node, Random(f"sitting {seed} {node.name}")).begin()

"""A node's own seats in a game of ticks: their clocks run here, at once.

Theory of operation.  Each own seat ticks by this node's clock and takes inputs the
moment they come, in a state of this node's own: what the log has confirmed, with the
own stretches that are on their way on top, and those of others that came before the log
has them.  Every tenth of a second, and sooner after
an input, what has passed is written down as `Ticks`.  Other seats' wells come to the
log, and here, whenever their nodes' stretches do; nobody waits for anybody.  What they
send is taken here, not by the players: with the next piece, and soon at the latest.
Where lines are slow there are fewer and longer stretches (see `pace`): most of what a
line carries of one is signatures.

While the host cannot be reached the own clocks stand: what cannot be entered would be
lost.  A node that was asleep goes on where it was.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from netplay.errors import Code, LocalError, PeerError
from netplay.match.effects import NOTHING, Effects, Write
from netplay.match.members import Members
from netplay.match.replica import Replica
from netplay.match.seats import Seats
from netplay.match.submitting import Submitting
from netplay.messages.log import Submit, Ticks
from netplay.record import ticking
from netplay.record.agreement import is_to_be_named
from netplay.record.chance import PUBLIC
from netplay.record.ledger import Ledger
from netplay.sentences import Says
from netplay.wanted import Thought
from netplay.wire import pack
from rules.game import IllegalMoveError, Resign

# Stretches of other members' seats that are here before the log has them.
#
# Theory of operation. In a game of ticks a stretch goes to the host and comes back from
# it as an entry: twice the way where lines are long, and a packet that is lost on
# either half holds it up. So where lines are slow a member sends its stretches to the
# others as well, each on its own line. They are shown on top of the log, in order and
# without a gap, until the log has them or has gone another way; and what the log lacks
# after a moment is handed to the host (see `relaying`).
#
# What is shown so is the word of the seat's holder alone, as it came over its own link,
# and a picture: what counts is the log, which is checked as ever.


STRETCHES_AHEAD: Final = 32
"""Of one member, behind what the log has of it: ten seconds' worth of a slow line."""


class EarlyStretch(NamedTuple):
    """One that the log does not have."""

    author: bytes
    submit: Submit
    body: Ticks
    since: float
    """When it came, in seconds."""


class EarlyStretches:
    """What other members have said of their seats, and the log has not."""

    def __init__(self, ledger: Ledger) -> None:
        """Begin with nothing.

        Args:
            ledger: The log.
        """
        self._ledger: Final = ledger
        self._found: Final[dict[bytes, dict[int, EarlyStretch]]] = {}
        self.news = 0
        """Counts how often there was another."""

    def on_stretch(self, key: bytes, submit: Submit, body: Ticks, now: float) -> None:
        """Keep a stretch that the holder of its seat has sent itself.

        One that comes in the place of another makes those behind that void: its author
        has begun again.
        """
        own = self._ledger.log.own(key)
        found = self._found.setdefault(key, {})
        if not own <= submit.own < own + STRETCHES_AHEAD:
            return
        before = found.get(submit.own)
        if before is not None:
            if before.submit == submit:
                return
            for number in [number for number in found if number > submit.own]:
                del found[number]
        found[submit.own] = EarlyStretch(key, submit, body, now)
        self.news += 1

    def __iter__(self) -> Iterator[EarlyStretch]:
        """Iterate over what follows the log without a gap, each member's in order.

        No more of anybody's than one stretch may be long: they are played again
        whenever the log has become longer.
        """
        ticks = self._ledger.fold.ticks
        for key, found in self._found.items():
            own, inputs = self._ledger.log.own(key), 0
            for number in [number for number in found if number < own]:
                del found[number]
            while own in found:
                body = found[own].body
                inputs += len(body.inputs)
                most = ticks[body.seat] + ticking.STRETCH_TICKS
                if body.until > most or inputs > ticking.INPUTS_A_STRETCH:
                    break
                yield found[own]
                own += 1

    def restart(self) -> None:
        """Begin again."""
        if self._found:
            self._found.clear()
            self.news += 1


# How often stretches of own seats are written: so that the slowest line keeps up.
#
# Theory of operation. A stretch has arrived when the log has it and everybody who is
# here has acknowledged it. No more than a few of a seat are to be on their way at a
# time: where that takes long, because a line is far away or full, there is a longer gap
# before the next, and less to carry. Nothing is lost by that: time and inputs that have
# passed meanwhile are in the next stretch. Whoever acknowledges nothing at all for a
# while has stalled, and is waited for no more: it holds up no well but its own.


UNDER_WAY: Final = 3
"""Stretches of a seat that may be on their way: four wells over 128 kbit/s and 200 ms,
one packet in twenty lost, take 98 kbit/s so and are a second and a half behind.  With
four the line is full, with two the wells are seen to move in leaps."""

GAP_MOST_SECONDS: Final = 1.0
"""Between two stretches at the worst line: it gets what it can, and the others are not
kept from seeing wells move."""

STALLED_SECONDS: Final = 2.5
"""A dozen acknowledgements in a row are missing: a slow line has them late, not never.

With less a line of 128 kbit/s is taken for a stalled node, and falls behind."""


class _Stretch(NamedTuple):
    """One that is on its way."""

    seat: int
    until: int
    """Ticks of its seat's clock."""
    at: float
    """When it was written."""


class Pace:
    """The gap between two stretches of a seat, as its lines are at present."""

    def __init__(self, there: Callable[[], Mapping[bytes, int]]) -> None:
        """Begin with the fastest.

        Args:
            there: Returns how many entries each of the others has who is here.
        """
        self._there: Final = there
        self._heard: dict[bytes, tuple[int, float]] = {}
        """What each had when it last had more, and when that was."""
        self._on_way: Final = deque[_Stretch]()
        self._entered: Final = deque[tuple[int, float]]()
        """Entries of stretches that the log has, and when those were written."""
        self._took = 0.0
        """Seconds that the last took to arrive."""

    def written(self, seat: int, until: int, now: float) -> None:
        """Note that a stretch is on its way."""
        self._on_way.append(_Stretch(seat, until, now))

    def on_arrival(self, ticks: Sequence[int], number: int, now: float) -> None:
        """Note what has arrived.

        Args:
            ticks: Of each seat's clock, by the log.
            number: Entries in it.
            now: Seconds.
        """
        while self._on_way and ticks[self._on_way[0].seat] >= self._on_way[0].until:
            self._entered.append((number, self._on_way.popleft().at))
        if self._entered:
            # How many entries all have who have not stalled
            there, before = self._there(), self._heard
            self._heard = {
                key: before[key]
                if key in before and before[key][0] == has
                else (has, now)
                for key, has in there.items()
            }
            late = now - STALLED_SECONDS
            heard = (has for has, at in self._heard.values() if at > late)
            everywhere = min(heard, default=number)
            while self._entered and self._entered[0][0] <= everywhere:
                self._took = now - self._entered.popleft()[1]

    def restart(self) -> None:
        """Begin again: what was written is not entered, or the log is another."""
        self._on_way.clear()
        self._entered.clear()

    def gap(self, now: float) -> float:
        """Return the seconds that are to pass between two stretches of a seat."""
        first = self._entered[0][1] if self._entered else now
        if self._on_way:
            first = min(first, self._on_way[0].at)
        return min(max(self._took, now - first) / UNDER_WAY, GAP_MOST_SECONDS)


WRITE_SECONDS: Final = 0.1
"""Between two stretches of a seat without inputs: ten entries a second, where no line
is slow."""

INPUT_SECONDS: Final = 1 / 30
"""Between two stretches with inputs."""

ASLEEP_SECONDS: Final = 1.0
"""A node that missed so much was asleep: it goes on from where it was."""

THINK_TICKS: Final = 5
"""Between two moves of a computer player: six a second, as fast as a good person."""

TAKE_TICKS: Final = 300
"""What others send is taken with the next piece, and after 10 s at the latest: so long
a player sees it coming.  It may take three times as long (`OVERDUE_TICKS`)."""


class _Runner:
    """The clock of one own seat."""

    def __init__(self, ticks: int, now: float) -> None:
        """Go on from so many ticks."""
        self.ticks = ticks
        self.written = ticks
        self.since = now
        self.base = ticks
        self.inputs: list[tuple[int, bytes]] = []
        self.written_at = self.write_at = now
        self.thoughts = 0
        self.think_at = ticks
        self.pieces = -1
        """How many the seat had when it came to owe what it owes; -1 for nothing."""

    def restart(self, now: float) -> None:
        """Go on from here after standing still."""
        self.base, self.since = self.ticks, now


class RealTime:
    """The own seats of a match in which time runs for all."""

    def __init__(
        self,
        ledger: Ledger,
        members: Members,
        seats: Seats,
        pending: Submitting,
        replica: Replica,
        early: EarlyStretches,
    ) -> None:
        """Begin with what the log says.

        Args:
            ledger: The log.
            members: Who takes part.
            seats: The own seats.
            pending: Their stretches that are on their way.
            replica: Who has how much of the log.
            early: Stretches of the others that the log does not have.
        """
        self._early: Final = early
        self._pace: Final = Pace(lambda: replica.there)
        self._fold: Final = ledger.fold
        self._members: Final = members
        self._seats: Final = seats
        self._pending: Final = pending
        self._hz: Final = ledger.fold.hz
        real_time = ledger.fold.game.ABOUT.real_time
        assert real_time is not None  # only such games tick
        self._real_time: Final = real_time
        plans = enumerate(ledger.terms.seats)
        self._persons: Final = {n for n, plan in plans if plan.is_person}
        self._runners: dict[int, _Runner] = {}
        self._wells = ticking.Wells(self._fold.state, self._fold.drawn)
        self._made_at = -1, -1
        self._standing = True
        self._apart = False
        """The host sees another position: what is written here is not entered."""

    @property
    def _key(self) -> bytes | None:
        """The key of public chance, once it is fixed."""
        round_ = self._fold.rounds.get(PUBLIC)
        return None if round_ is None else round_.key

    @property
    def state(self) -> Any:  # noqa: ANN401 (a game's own)
        """The state with this node's own seats as they are this moment.

        Others' are as their own nodes have told, which may be ahead of the log.
        """
        self._renew()
        return self._wells.state

    def refuse(self, code: Code) -> bool:
        """Begin again from the log; return whether that is found to be of no use.

        Who is out of step lets its clocks stand: nothing of it is entered.
        """
        self.restart()
        news = code is Code.OUT_OF_STEP and not self._apart
        self._apart = self._apart or news
        return news

    def restart(self) -> None:
        """Begin again from the log: it did not take what was written."""
        self._made_at = -1, -1
        self._runners.clear()
        self._pace.restart()

    def _renew(self) -> None:
        """Put what is on its way, and what is not written yet, on top of the log."""
        key = self._key
        made_at = self._fold.number, self._early.news
        if self._made_at == made_at or key is None:
            return
        self._made_at = made_at
        game, wells = (
            self._fold.game,
            ticking.Wells(self._fold.state, self._fold.drawn, hands=self._fold.hands),
        )
        ticks = list(self._fold.ticks)
        bodies = self._pending.bodies
        runners = self._runners.items()
        bodies += [early.body for early in self._early]
        bodies += [Ticks(s, one.ticks, tuple(one.inputs), b"") for s, one in runners]
        void = set[int]()
        for body in bodies:
            if not isinstance(body, Ticks) or body.seat in void:
                continue
            if body.seat in game.actors(wells.state):
                try:
                    wells = ticking.stretch(game, key, wells, ticks[body.seat], body)
                except (PeerError, IllegalMoveError):
                    void.add(body.seat)  # the log has gone another way
                ticks[body.seat] = body.until
        self._wells = wells

    def _alive(self) -> list[int]:
        """Return the own seats whose time runs: that of a guest who is away stands."""
        actors = self._fold.game.actors(self._wells.state)
        here = sorted(actors - self._members.vacant)
        return [seat for seat in here if self._seats.is_own(seat)]

    def _stands(self) -> bool:
        """Tell whether no own clock runs."""
        members = self._members
        return self._apart or not members.quorate or members.rests()

    def wake(self, now: float) -> Effects:
        """Let the own clocks run on, and write down what is due."""
        self._renew()
        key = self._key
        if key is None:
            return NOTHING
        if self._stands():
            self._standing = True
            return NOTHING
        for seat in self._alive():
            runner = self._runner(seat, now)
            ahead = (runner.ticks - runner.base) / self._hz + ASLEEP_SECONDS
            if self._standing or now - runner.since > ahead:
                runner.restart(now)
            # Its time passes up to now.
            passed = runner.base + int((now - runner.since) * self._hz) - runner.ticks
            if passed > 0:
                self._wells = ticking.tick_on(
                    self._fold.game, key, self._wells, seat, passed
                )
                runner.ticks += passed
            self._take(key, seat, runner, now)
        self._standing = False
        self._pace.on_arrival(self._fold.ticks, self._fold.number, now)
        effects: list[Write] = []
        for seat, runner in self._runners.items():
            # Whether it is time to write down what has passed for a seat
            nothing = runner.ticks == runner.written and not runner.inputs
            if not nothing and now >= runner.write_at and seat in self._fold.actors:
                effects.append(Write(self._written(seat, runner, now)))
        resigning = (self._seats.turn(s, Resign(), -1) for s in self._needless())
        return [*effects, *map(Write, resigning)]

    def _needless(self) -> list[int]:
        """Return the computers here that need not play on.

        A person who is out looks on: the last one standing plays for the score.  Only
        where all persons have given up does nobody want to know how it ends, and a
        good computer would play for an hour.
        """
        fold, own = self._fold, self._seats
        if not self._persons or own.autoplay is not None:
            return []
        if not self._persons <= fold.resigned:
            return []
        return [
            seat
            for seat in sorted(fold.actors)
            if own.by_computer(seat) is not None and not own.is_moving(seat)
        ]

    def _runner(self, seat: int, now: float) -> _Runner:
        """Return the clock of a seat, begun where the log and what waits leave off."""
        runner = self._runners.get(seat)
        if runner is None:
            waiting = [
                body.until
                for body in self._pending.bodies
                if isinstance(body, Ticks) and body.seat == seat
            ]
            start = waiting[-1] if waiting else self._fold.ticks[seat]
            runner = self._runners[seat] = _Runner(start, now)
        return runner

    def _written(self, seat: int, runner: _Runner, now: float) -> Ticks:
        """Return what has passed for a seat."""
        named = is_to_be_named(self._hz, runner.written, runner.ticks)
        well = self._fold.well(self._wells.state, seat) if named else b""
        body = Ticks(seat, runner.ticks, tuple(runner.inputs), well)
        runner.written, runner.inputs = runner.ticks, []
        self._pace.written(seat, runner.ticks, now)
        runner.written_at = now
        runner.write_at = now + max(WRITE_SECONDS, self._pace.gap(now))
        return body

    def input(self, seat: int, move: Any, now: float) -> None:  # noqa: ANN401 (a game's own)
        """Take an input of an own seat, whose clock has just been woken.

        Raises:
            LocalError: Nothing can be entered now.
            IllegalMoveError: The rules forbid it.
        """
        self._renew()
        key, runner = self._key, self._runners.get(seat)
        if key is None or runner is None or self._standing:
            raise LocalError(Code.SILENT, Says.NOT_RUNNING())
        if len(runner.inputs) >= ticking.INPUTS_A_STRETCH:
            raise LocalError(Code.TOO_MANY)
        try:
            ticking.handled(self._fold.game, self._wells, seat, runner.ticks, move)
        except PeerError as error:
            raise LocalError(Code.TOO_MANY) from error
        if self._real_time.is_taking(move):
            raise IllegalMoveError("Rows rise by themselves.")
        self._add(key, seat, runner, move, now)
        self._take(key, seat, runner, now)

    def _add(
        self,
        key: bytes,
        seat: int,
        runner: _Runner,
        move: Any,  # noqa: ANN401 (a game's own)
        now: float,
    ) -> None:
        """Play an input of an own seat, and have it written down soon."""
        self._wells = ticking.input_on(
            self._fold.game, key, self._wells, seat, runner.ticks, move
        )
        runner.inputs.append((runner.ticks, pack(move)))
        soon = max(now + INPUT_SECONDS, runner.written_at + self._pace.gap(now))
        runner.write_at = min(runner.write_at, soon)

    def _take(self, key: bytes, seat: int, runner: _Runner, now: float) -> None:
        """Let a seat take what is due of what others have sent it."""
        while due := self._due(seat, runner):
            self._add(key, seat, runner, self._real_time.taking(due), now)

    def _due(self, seat: int, runner: _Runner) -> int:
        """Return how much a seat is to take now: by what the log has, and no more.

        What another own seat sends may come to the log later than this seat's stretch.
        """
        owing, game, state = self._fold.owing[seat], self._fold.game, self._wells.state
        owed = owing[-1].amount - self._real_time.taken(state, seat) if owing else 0
        if owed <= 0 or seat not in game.actors(state):
            runner.pieces = -1
            return 0
        before, runner.pieces = runner.pieces, self._real_time.pieces(state)[seat]
        if 0 <= before < runner.pieces:
            return owed  # what is too much at once waits for the piece after this
        return ticking.overdue(game, state, seat, owing, runner.ticks - TAKE_TICKS)

    def slow(self, now: float) -> bool:
        """Tell whether lines are such that stretches are longer than they could be."""
        return self._pace.gap(now) > WRITE_SECONDS

    def deadline(self) -> float | None:
        """Return when the next tick of an own seat passes."""
        if self._key is None or self._stands():
            return None
        self._renew()
        times = [
            runner.since + (runner.ticks + 1 - runner.base) / self._hz
            for seat, runner in self._runners.items()
            if seat in self._fold.actors - self._members.vacant
        ]
        starting = [s for s in self._alive() if s not in self._runners]
        return min(times, default=0.0 if starting else None)

    # Computer players.

    def thoughts(self) -> list[Thought]:
        """Return the computer players that may think of an input."""
        fold = self._fold
        if self._standing:
            return []
        self._renew()
        found: list[Thought] = []
        for seat in self._alive():
            skill, runner = self._seats.by_computer(seat), self._runners.get(seat)
            if skill is None or runner is None or runner.ticks < runner.think_at:
                continue
            place, state = (fold.match, seat, runner.thoughts), self._wells.state
            program = self._seats.by_program(seat)
            found.append(
                Thought(*place, fold.terms.game, state, skill, program=program)
            )
        return found

    def thought(self, thought: Thought, move: Any, now: float) -> None:  # noqa: ANN401 (a game's own)
        """Take a computer player's input, if its well still takes it."""
        runner = self._runners.get(thought.seat)
        if runner is None or runner.thoughts != thought.number:
            return
        runner.thoughts += 1
        runner.think_at = runner.ticks + THINK_TICKS
        try:
            self.input(thought.seat, move, now)
        except IllegalMoveError:
            return  # its well is another by now

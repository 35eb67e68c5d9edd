"""Friends with days to think, each at a computer with clocks of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from netplay.match.match import Match
from netplay.match.thinking import DAY_SECONDS, LOOK_SECONDS
from netplay.messages.door import Answer, Play, StartMatch
from netplay.messages.log import Carried, Late, LogBody, LogMessage, Submit, Turn
from netplay.record.log import author_data, read_body
from netplay.steady import Steady
from netplay.wanted import Outgoing
from netplay.wire import pack
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.netplay.party import Party

HOUR = 3_600

START = 1_800_000_000
"""When it all begins, in Unix time."""


class Computer:
    """The two clocks of a computer: the wall is anybody's to set."""

    def __init__(self) -> None:
        self.wall = float(START)
        self.counted = 1_000.0
        self.boot = 1
        self.noted = self.wall
        """Until when the node's own clock had counted when it was switched off."""


class Friends:
    """A match of some friends, by default two at Numlo with a day to think."""

    def __init__(
        self,
        *names: str,
        game: str = "numlo",
        days: int = 1,
        keepers: tuple[bytes, ...] = (),
    ) -> None:
        self.net = net = Net(*names)
        self.computers = {name: Computer() for name in names}
        for name in names:
            self.boot(name)
            net[name].tables = type(net[name].tables)(net[name].means(), name)
        net.dial()
        net.settle()
        for guest in names[1:]:
            net.done(guest, Answer(on=True))
        seats = ("person", *(f"remote:{guest}" for guest in names[1:]))
        options = SMALL[:2] if game == "numlo" else ()
        wish = table(game, *seats, options=options)
        wish = replace(wish, days=days, fairness="committed")
        net[names[0]].tables.letters.keep_with(keepers)
        net.done(names[0], wish)
        net.settle()
        net.done(names[0], StartMatch())
        net.settle()
        self.hours(0)

    def boot(self, name: str) -> None:
        """Give a node the clocks of its computer."""
        node, computer = self.net[name], self.computers[name]
        off = (
            0.0
            if node.steady is None
            else node.steady.off + computer.wall - computer.noted
        )
        node.unix = int(computer.wall)
        node.steady = Steady(
            None, lambda: computer.wall, lambda: computer.counted,
            lambda: str(computer.boot),
        )  # fmt: skip
        node.steady.off = round(off)

    def match(self, name: str) -> Match:
        return self.net[name].match

    def hours(self, hours: float) -> None:
        """Let time pass everywhere."""
        for name, computer in self.computers.items():
            computer.wall += hours * HOUR
            computer.counted += hours * HOUR
            self.net[name].unix = int(computer.wall)
        self.wake()

    def wake(self) -> None:
        self.net.now += LOOK_SECONDS + 1
        for name in self.net.nodes:
            if self.net[name].table.match is not None:
                self.net[name].tables.wake(self.net.now)
        self.net.settle()

    def set_wall(self, name: str, hours: float) -> None:
        """Put the clock on a wall forward, or back."""
        self.computers[name].wall += hours * HOUR
        self.net[name].unix = int(self.computers[name].wall)
        self.wake()

    def restart(self, name: str, *, off: float | None = None) -> None:
        """Begin a node again; its computer too, if the wall counts hours for that."""
        node, computer = self.net[name], self.computers[name]
        for other in self.computers:
            if other != name:
                self.net.part(name, other)
        if off is not None:
            assert node.steady is not None
            computer.noted = node.steady.now()
            computer.wall += off * HOUR
            computer.counted, computer.boot = 0.0, computer.boot + 1
            self.boot(name)
        node.restart(self.net.now)
        self.net.settle()

    def true_clock(self, name: str, unix: int) -> None:
        """Set the clock on a wall as it should be."""
        self.set_wall(name, (unix - self.computers[name].wall) / HOUR)

    def night(self, hours: float) -> None:
        """Let all sleep: every other computer is off, the rest are suspended."""
        for number, (name, computer) in enumerate(self.computers.items()):
            if number % 2:
                self.restart(name, off=hours)
            else:
                computer.wall += hours * HOUR
                computer.counted += hours * HOUR
                self.net[name].unix = int(computer.wall)
        self.meet()
        self.wake()

    def meet(self) -> None:
        self.net.apart.clear()
        self.net.dial()
        self.net.settle()

    def on_turn(self) -> str:
        fold = self.match(next(iter(self.computers))).fold
        (seat,) = (n for n in fold.actors if n >= 0)
        return fold.names[seat]

    def chosen(self, name: str) -> Play:
        found = self.match(name)
        seat = next(n for n in found.on_turn() if found.seats.is_own(n))
        chosen = next(iter(found.fold.game.moves(found.seats.view(seat).state, seat)))
        return Play(seat, pack(chosen), found.fold.number)

    def move(self, name: str) -> None:
        self.net.done(name, self.chosen(name))
        self.net.settle()

    def turn_of(self, name: str) -> None:
        """Move until somebody is on turn."""
        while self.on_turn() != name:
            self.move(self.on_turn())

    def claim_anyway(self, liar: str, against: str) -> None:
        """Claim as a changed program does, whatever its clock says."""
        found = self.match(liar)
        found.fold.is_early = lambda _seat: False
        seat = found.fold.names.index(against)
        over = self.net[liar].unix
        head, state = found.ledger.log.head, found.fold.digest()
        with self.net[liar].tables.places.by_number[1]:
            found.replication.submit(Late(seat, head, state, over, ()), self.net.now)
        self.net.settle()

    def show_alone(
        self, liar: str, to: str, *bodies: LogBody, skipped: int = 0, by: str = ""
    ) -> None:
        """Show what somebody has signed to one of the others, and never to the host.

        Args:
            liar: Who signs it.
            to: Whom it is shown to.
            bodies: In order; none for the turn that it has to make.
            skipped: So many of its numbers are left out before them.
            by: Who brings it, if that is another; a "file" may.
        """
        log, fold = self.match(liar).ledger.log, self.match(liar).fold
        if not bodies:
            play = self.chosen(liar)
            turn = Turn(play.seat, log.head, fold.digest(), play.move, ())
            bodies = (turn,)
        for number, body in enumerate(bodies, log.own(self.net[liar].key) + skipped):
            raw = pack(body)
            signed = self.net[liar].signer.sign(author_data(log.match, number, raw))
            shown = Submit(log.match, number, raw, signed)
            if by == "file":
                with self.net[to].tables.places.by_number[1]:
                    found = self.match(to)
                    found.take_mail(self.net[liar].key, shown, self.net.now)
                continue
            self.net[to].tables.receive(self.net[by or liar].key, shown, self.net.now)
        self.net.settle()

    def hold_turns_back(self, host: str, *besides: type[LogBody]) -> None:
        """Have a host enter no turn of anybody else, nor of what is named besides."""
        submitting = self.match(host).submitting
        enter = submitting.on_submit

        def held(key: bytes, submit, at: int):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            if isinstance(read_body(submit.body), (Turn, *besides)):
                return ()
            return enter(key, submit, at)

        submitting.on_submit = held  # type: ignore[method-assign]  # a changed program

    def ignore(self, host: str, name: str) -> None:
        """Have a host say nothing to a member, and hear nothing of it, by any way."""
        self.net.part(host, name)
        found, deaf_for = self.match(host), self.net[name].key
        receive, outgoing = found.receive, found.outgoing

        def heard(key: bytes, message: LogMessage, now: float) -> None:
            if not (isinstance(message, Carried) and message.author == deaf_for):
                receive(key, message, now)

        def said() -> list[Outgoing]:
            return [
                one
                for one in outgoing()
                if not (isinstance(one.message, Carried) and one.message.to == deaf_for)
            ]

        vars(found)["receive"] = heard  # a changed program
        vars(found)["outgoing"] = said

    def over(self) -> dict[str, bool]:
        return {name: self.match(name).fold.over for name in self.computers}

    def days(self, days: float) -> None:
        self.hours(24 * days)


assert DAY_SECONDS == 24 * HOUR


def later(party: Party, clock: list[int], hours: float) -> None:
    """Let time pass for matches that take the time of day from a clock."""
    clock[0] += int(hours * HOUR)
    party.wake(LOOK_SECONDS + 100.0)
    party.wake(LOOK_SECONDS + 100.0)


@contextmanager
def at_bobs_turn(*names: str) -> Iterator[Friends]:
    """Play a match, Bob on turn, for as long as the context lasts."""
    found = Friends(*names)
    found.turn_of("bob")
    yield found
    found.net.close()

"""Nodes at tables, and what each hears, tells its player, and shows, as text."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import by_number
from netplay.messages.door import (
    Answer,
    Consent,
    Done,
    HostTable,
    Line,
    Notice,
    Play,
    Question,
    StartMatch,
    TableStatus,
    View,
)
from netplay.messages.node_questions import Personal
from netplay.messages.table_questions import GameStatus, OpenStatus
from netplay.said import Said, Words
from netplay.wanted import Dial
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.spelled import changes, short

QUIET: Final = frozenset({"options", "revision", "entries", "final", "number"})
"""Fields of a table's status of which nothing is told, or too much."""


HOUSEKEEPING: Final = frozenset({"Ack", "Carried", "Have", "Heard", "Linked"})
"""Messages that go to and fro in any order, and of which no player knows."""


def words(said: Words) -> str:
    """Return a sentence by its code, so that it may be worded otherwise."""
    if not isinstance(said, Said):
        return repr(said)
    values = (f"{name}={words(v)}" for name, v in said.values if not isinstance(v, int))
    numbers = (f"{name}={v}" for name, v in said.values if isinstance(v, int))
    return f"{said.code}({', '.join((*values, *numbers))})"


class Around(Struct, frozen=True):
    """What a node does beside its table."""

    mode: str = ""
    offers: tuple[tuple[str, int], ...] = ()
    """What others nearby are told that they may come to."""
    open: tuple[OpenStatus, ...] = ()
    """What is to be chosen from."""
    calls: tuple[str, ...] = ()
    """Whom it would reach, and does not."""


class Evening:
    """Nodes, and what was seen of them."""

    def __init__(self, *names: str, own: Mapping[str, str] | None = None) -> None:
        """Begin.

        Args:
            names: Of the players.
            own: What they call one another, being friends; None for strangers.
        """
        self.net = Net(*names)
        for each in names if own is not None else ():
            node = self.net[each]
            node.tables.window_up(1)
            for other in names:
                if other != each:
                    node.known.befriend(self.net[other].key, other)
                    called = Personal((own or {}).get(other, ""))
                    node.known.describe(self.net[other].key, called)
        self.lines: list[str] = []
        self._shown: dict[str, TableStatus | None] = dict.fromkeys(names)
        self._games: dict[str, dict[int, GameStatus]] = {name: {} for name in names}
        self._heard = dict.fromkeys(names, 0)
        self._around = {name: Around() for name in names}

    def ask(self, who: str, question: Question, on: int = 0) -> None:
        """Let a player do something, and tell what comes of it."""
        answer = self.net.ask(who, question, on=on)
        if isinstance(answer, Done):
            result = words(answer.text)
        else:
            code = by_number(answer.code)
            result = f"no, {code.name if code else '?'} {words(answer.detail)}"
        self.lines.append(f"{who}: {short(question)} -> {result}")
        self._look()

    def begin(self, *guests: str, game: str = "numlo", days: int = 0) -> None:
        """Let guests wait to be called, and ann begin a match with them."""
        for guest in guests:
            self.ask(guest, Answer(on=True))
        seats = (f"remote:{guest}" for guest in guests)
        self.ask("ann", open_table("person", *seats, game=game, days=days))
        self.ask("ann", StartMatch())

    def do(self, what: str, act: Callable[[], Any]) -> None:
        """Let something else happen."""
        act()
        self.lines.append(f"({what})")
        self._look()

    def move(self, who: str, at: int = 0) -> None:
        """Let a player make one of the legal moves, the first or a later one."""
        match = self.net[who].match
        seat = next(n for n in match.on_turn() if match.seats.is_own(n))
        state = match.seats.view(seat).state
        self.play(who, list(match.fold.game.moves(state, seat))[at])

    def play(self, who: str, move: Any) -> None:
        """Let a player make a move."""
        match = self.net[who].match
        seat = next(n for n in match.on_turn() if match.seats.is_own(n))
        self.ask(who, Play(seat, pack(move), match.fold.number))

    def resign(self, who: str, seat: int) -> None:
        table = next(p.table for p in self.net[who].tables.places if p.table.match)
        match = table.match
        assert match is not None
        self.ask(who, Play(seat, pack(Resign()), match.fold.number))

    def consent(self, who: str, *, accept: bool = True) -> None:
        shown = self.net[who].tables.table_status(self.net.now)
        assert shown is not None
        self.ask(who, Consent(accept, shown.revision))

    def part(self, who: str, *others: str) -> None:
        def cut() -> None:
            for other in others:
                self.net.part(who, other)

        self.do(f"{who} is cut off from {', '.join(others)}", cut)

    def meet(self, who: str, *others: str) -> None:
        """Let a node be dialled by others, for no table."""

        def link() -> None:
            for other in others:
                self.net.link(other, who)

        self.do(f"{who} is met by {', '.join(others)}", link)

    def join(self) -> None:
        self.do("everybody can be reached again", self.net.apart.clear)

    def wake(self, seconds: float) -> None:
        self.do(f"{seconds:g} seconds go by", lambda: self.net.wake(seconds))

    def later(self, what: str, seconds: int) -> None:
        """Let days go by, on the clocks of walls, too."""

        def pass_() -> None:
            for node in self.net.nodes.values():
                node.unix += seconds
            self.net.wake(seconds)

        self.do(f"{what} go by", pass_)

    def restart(self, who: str) -> None:
        def again() -> None:
            self.net.isolate(who)
            self.net[who].restart(self.net.now)
            self.net[who].tables.window_up(1)

        self.do(f"{who} starts again", again)

    def block(self, who: str, whom: str) -> None:
        def shut() -> None:
            key = self.net[whom].key
            self.net[who].known.blocked.add(key, whom)
            self.net[who].tables.block(key)
            self.net.cut(who, whom)

        self.do(f"{who} blocks {whom}", shut)

    def _look(self) -> None:
        """Tell what has changed at every node."""
        self.net.settle()
        for name in self.net.nodes:
            told = [*self._news(name), *self._status(name), *self._list(name)]
            if told:
                self.lines.append(f"  {name}")
                self.lines += [f"    {line}" for line in told]

    def _news(self, name: str) -> list[str]:
        node = self.net[name]
        found: list[str] = []
        heard = sorted({type(each).__name__ for each in node.got[self._heard[name] :]})
        heard = [each for each in heard if each not in HOUSEKEEPING]
        self._heard[name] = len(node.got)
        if heard:
            found.append(f"hears {' '.join(heard)}")
        for push in node.pushes:
            match push.message:
                case Notice(tone=tone, said=said):
                    found.append(f"told, {tone}: {words(said)}")
                case Line(author=author, text=text, muted=muted):
                    by = words(author)
                    found.append(f"line of {by}: {text}{' muted' if muted else ''}")
                case View(seat=seat, happened=happened, made=made):
                    count = f"{len(happened)} moves, {len(made)} made"
                    found.append(f"view of seat {seat}: {count}")
                case _:
                    pass
        node.pushes.clear()
        found += [
            f"rung: {one.reason} at {one.table} by {', '.join(one.who)}"
            for one in node.tables.take_news().summons
        ]
        return found

    def _status(self, name: str) -> list[str]:
        """Tell what a window shows of the table, and in which mode the node is."""
        tables, found = self.net[name].tables, []
        around = Around(
            tables.mode(),
            tables.offers(),
            tables.open_tables(1),
            tuple(f"{self._whom(d)}{' calmly' * d.calm}" for d in tables.wants_dial()),
        )
        found += changes(self._around[name], around)
        self._around[name] = around
        now, before = tables.table_status(self.net.now), self._shown[name]
        self._shown[name] = now
        if now is None:
            return [*found, *(["no table"] if before is not None else [])]
        as_was = before is not None and before.match == now.match
        if not as_was or before is None or len(before.seats) != len(now.seats):
            seats = (f"{s.kind} {s.name} {s.state}" for s in now.seats)
            found.append(f"shows {now.phase} of {now.game}: {', '.join(seats)}")
        if before is not None:
            found += [f"shows {each}" for each in changes(before, now, QUIET)]
        return found

    def _whom(self, dial: Dial) -> str:
        """Return who is called, or where."""
        return dial.address if dial.key is None else self.net.name_of(dial.key)

    def _list(self, name: str) -> list[str]:
        """Tell what has changed in the list of games."""
        now = {one.table: one for one in self.net[name].tables.games(self.net.now)}
        before, self._games[name] = self._games[name], now
        found = [f"list: {number} is gone" for number in before.keys() - now.keys()]
        for number, one in now.items():
            if number not in before:
                found.append(f"list: {number} {one.mode} {one.phase} {one.players}")
            else:
                quiet = QUIET | {"match", "since"}
                told = changes(before[number], one, quiet)
                found += [f"list: {number} {each}" for each in told]
        return found


def open_table(*seats: str, game: str = "numlo", days: int = 0) -> HostTable:
    """Return a table of persons; Hexagrams where a draw and taking back are to be."""
    options = () if game != "numlo" else SMALL if len(seats) == 2 else SMALL[:2]
    return replace(table(game, *seats, options=options), days=days)

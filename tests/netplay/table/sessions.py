"""Evenings at tables as texts that somebody has read: who does what, what all see.

    python -m tests.netplay.table.sessions

writes them anew into tests/netplay/table/sessions, one file an evening.  Read what git
shows as changed.  A line without indent is what somebody does and is answered; below it
stands, by node, what it hears, what its player is told, and what its windows show now.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import by_number
from netplay.fingerprint import fingerprint
from netplay.messages.door import (
    Answer,
    Call,
    ChangeTable,
    Choose,
    Consent,
    Done,
    HostTable,
    Join,
    LeaveTable,
    Line,
    Load,
    LookAt,
    LookBack,
    Notice,
    Play,
    Question,
    Retry,
    Say,
    StartMatch,
    TableStatus,
    View,
    Watch,
)
from netplay.messages.node_questions import Personal
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    ClaimTime,
    GameStatus,
    HandSeat,
    Kick,
    LetWatch,
    MakeOffer,
    Mute,
    NameSeat,
    OpenStatus,
    PlayAgain,
    Prepare,
    TakeBack,
    Vote,
    WatchAt,
)
from netplay.said import Said, Words
from netplay.table.asked import WEEK_SECONDS
from netplay.wanted import Dial
from netplay.wire import pack
from rules import networdz
from rules.game import Resign
from tests.netplay.joined_nodes import Bare, Net, table
from tests.netplay.tables import SMALL
from tests.spelled import changes, short

PLACE: Final = Path(__file__).with_name("sessions")

DAY: Final = 86_400

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

    def __init__(self, *names: str) -> None:
        self.net = Net(*names)
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

    def do(self, what: str, act: Callable[[], Any]) -> None:
        """Let something else happen."""
        act()
        self.lines.append(f"({what})")
        self._look()

    def move(self, who: str, at: int = 0) -> None:
        """Let a player make one of the legal moves, the first or a later one."""
        match = self.net[who].match
        assert match is not None
        seat = next(n for n in match.on_turn() if match.seats.is_own(n))
        state = match.seats.view(seat).state
        self.play(who, list(match.fold.game.moves(state, seat))[at])

    def play(self, who: str, move: Any) -> None:
        """Let a player make a move."""
        match = self.net[who].match
        assert match is not None
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


def forming() -> Evening:
    """Guests come, are called, turned away, removed, and say no."""
    here = Evening("ann", "bob", "cyd", "dan")
    here.ask("bob", Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", "remote"))
    here.ask("cyd", Join("ann", -1))
    here.ask("dan", Join("ann", -1))
    here.ask("ann", Say("hello"))
    here.ask("ann", Kick("cyd"))
    here.ask("ann", Kick("cyd"))
    here.ask("cyd", Join("ann", -1))
    here.ask("dan", Join("ann", 1))
    here.ask("dan", Join("ann", -1))
    here.ask("ann", NameSeat(0, "Anna"))
    here.ask("ann", LetWatch("nobody"))
    here.ask("bob", Consent(accept=True, revision=1))
    here.consent("dan", accept=False)
    here.ask("ann", StartMatch())
    here.ask("ann", Call("dan"))
    here.part("ann", "bob")
    here.ask("ann", ChangeTable(open_table("person", "remote:bob")))
    here.join()
    here.block("bob", "ann")
    here.ask("ann", LeaveTable())
    return here


def ready() -> Evening:
    """A game in real time is counted down, with one who goes and terms that change."""
    here = Evening("ann", "bob", "cyd")
    for guest in ("bob", "cyd"):
        here.ask(guest, Answer(on=True, asks=True))
    here.ask("ann", open_table("person", "remote:bob", "remote:cyd", game="hexcolumns"))
    here.consent("bob")
    here.consent("cyd")
    here.wake(120)
    here.ask("ann", StartMatch(5))
    here.consent("bob")
    here.part("ann", "bob")
    here.consent("cyd")
    here.join()
    here.consent("bob")
    here.wake(2)
    seats = ("person", "remote:cyd", "remote:bob")
    here.ask("ann", ChangeTable(open_table(*seats, game="hexcolumns")))
    here.wake(10)
    here.consent("bob")
    here.ask("ann", StartMatch(3))
    here.consent("cyd")
    here.ask("ann", StartMatch(3))
    here.wake(1)
    here.wake(3)
    return here


def playing() -> Evening:
    """Three play: moves, chat, somebody away, a seat handed on, one who resigns."""
    here = Evening("ann", "bob", "cyd", "dan")
    for guest in ("bob", "cyd"):
        here.ask(guest, Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", "remote:cyd"))
    here.ask("cyd", Say("before"))
    here.ask("ann", StartMatch())
    here.ask("bob", Watch(1))
    here.move("ann")
    here.ask("bob", Say("one"))
    here.part("cyd", "ann", "bob")
    here.move("bob")
    here.ask("bob", Say("two"))
    here.ask("ann", Mute(on=True, whom="bob"))
    here.join()
    here.move("cyd", 1)
    here.ask("bob", Say("three"))
    here.part("ann", "bob", "cyd")
    here.ask("bob", Vote())
    here.ask("cyd", Vote())
    here.join()
    here.ask("bob", Retry())
    here.ask("dan", Answer(on=True))
    here.meet("dan", "ann", "bob", "cyd")
    here.ask("bob", HandSeat(1, "dan"))
    here.ask("ann", HandSeat(1, "dan"))
    here.ask("cyd", HandSeat(1, "dan"))
    here.restart("cyd")
    here.resign("cyd", 2)
    here.ask("cyd", LeaveTable())
    here.resign("ann", 0)
    return here


def offers() -> Evening:
    """Two offer each other what they may, twice, at Hexagrams."""
    here = Evening("ann", "bob")
    here.ask("bob", Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", game="hexagrams", days=3))
    here.ask("ann", StartMatch())
    here.move("ann")
    here.ask("ann", MakeOffer(0, "back"))
    here.ask("bob", AnswerOffer(1, agrees=False))
    here.ask("ann", MakeOffer(0, "back"))
    here.ask("bob", AnswerOffer(1, agrees=True))
    here.move("ann", 1)
    here.ask("bob", MakeOffer(1, "draw"))
    here.ask("bob", AnswerOffer(1, agrees=False))
    here.move("bob")
    here.ask("ann", MakeOffer(0, "days", 2))
    here.ask("bob", MakeOffer(1, "stop"))
    here.move("ann")
    here.ask("bob", AnswerOffer(1, agrees=True))
    here.part("ann", "bob")
    here.move("bob")
    here.ask("bob", TakeBack(1))
    here.move("bob", 1)
    here.join()
    here.ask("ann", MakeOffer(0, "draw"))
    here.restart("bob")
    here.ask("bob", AnswerOffer(1, agrees=True))
    return here


def rematches() -> Evening:
    """After the end: asked for, proposed, taken back, left, and played."""
    here = Evening("ann", "bob", "cyd")
    for guest in ("bob", "cyd"):
        here.ask(guest, Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", "remote:cyd"))
    here.ask("ann", StartMatch())
    here.ask("ann", PlayAgain())
    here.resign("bob", 1)
    here.resign("ann", 0)
    here.ask("bob", PlayAgain())
    here.ask("bob", PlayAgain())
    here.part("ann", "cyd")
    here.ask("ann", PlayAgain())
    here.join()
    here.ask("ann", PlayAgain())
    here.ask("cyd", LeaveTable())
    here.ask("ann", LeaveTable())
    here.ask("bob", PlayAgain())
    return here


def late() -> Evening:
    """Who was away at the end comes back when the rematch is proposed already."""
    here = Evening("ann", "bob", "cyd")
    for guest in ("bob", "cyd"):
        here.ask(guest, Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", "remote:cyd"))
    here.ask("ann", StartMatch())
    here.resign("cyd", 2)
    here.part("cyd", "ann", "bob")
    here.restart("ann")
    here.resign("bob", 1)
    here.ask("ann", PlayAgain())
    here.join()
    here.ask("bob", PlayAgain())
    here.ask("cyd", PlayAgain())
    return here


def again() -> Evening:
    """Two play a match, a rematch, and one more, with a late word of the first."""
    here = Evening("ann", "bob")
    here.ask("bob", Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob"))
    here.ask("ann", StartMatch())
    here.ask("ann", LetWatch("anybody"))
    here.move("ann")
    here.resign("bob", 1)
    here.ask("ann", PlayAgain())
    here.ask("bob", Say("well"))
    here.ask("bob", PlayAgain())
    here.consent("bob")
    here.move("bob")
    here.restart("ann")
    here.resign("ann", 1)
    here.ask("bob", PlayAgain())
    here.ask("ann", PlayAgain())
    here.ask("bob", Say("third"))
    here.move("ann")
    here.ask("bob", LeaveTable())
    return here


def watching() -> Evening:
    """Two bystanders ask, are let in, shut out, cut off, and see a seat go on."""
    here = Evening("ann", "bob", "cyd", "dan")
    here.ask("bob", Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", game="hexagrams"))
    here.ask("ann", StartMatch())
    here.ask("cyd", WatchAt("ann"))
    here.ask("ann", AnswerWatcher(allow=True))
    here.ask("dan", WatchAt("bob"))
    here.ask("bob", AnswerWatcher(allow=True, whom="cyd"))
    here.ask("bob", AnswerWatcher(allow=True))
    here.ask("ann", AnswerWatcher(allow=False, whom="dan"))
    here.move("ann")
    here.part("cyd", "ann")
    here.move("bob")
    here.join()
    here.part("bob", "ann")
    here.join()
    here.ask("ann", AnswerWatcher(allow=True, whom="dan"))
    here.ask("dan", WatchAt("bob"))
    here.ask("ann", LetWatch("nobody"))
    here.ask("ann", LetWatch("anybody"))
    here.ask("cyd", Answer(on=True))
    here.ask("bob", HandSeat(1, "cyd"))
    here.ask("ann", HandSeat(1, "cyd"))
    here.move("ann")
    here.block("ann", "dan")
    here.resign("ann", 0)
    here.ask("cyd", LeaveTable())
    return here


def several() -> Evening:
    """Three tables at once: which is meant, which is looked at, which is left."""
    here = Evening("ann", "bob", "cyd")
    here.ask("ann", open_table("person", "remote"))
    here.ask("ann", open_table("person", "remote", game="hexagrams"))
    here.ask("bob", Join("ann", -1))
    here.ask("bob", Choose(2))
    here.ask("bob", Choose(1))
    here.ask("cyd", Join("ann", -1))
    here.ask("ann", StartMatch(), on=2)
    here.ask("ann", StartMatch(), on=1)
    here.ask("cyd", Join("bob", -1))
    here.ask("ann", LookAt(1))
    here.move("cyd" if here.net["cyd"].match.on_turn()[0] else "ann")  # type: ignore[union-attr]
    here.ask("ann", LeaveTable(), on=2)
    here.ask("bob", LeaveTable())
    here.restart("ann")
    here.ask("ann", Load(""))
    here.ask("ann", LeaveTable(), on=1)
    return here


def drawn() -> Evening:
    """Three play with tiles: draws, an exchange, one who resigns and leaves."""
    here = Evening("ann", "bob", "cyd")
    for guest in ("bob", "cyd"):
        here.ask(guest, Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", "remote:cyd", game="networdz"))
    here.ask("ann", StartMatch())
    for seat, who in enumerate(here.net.nodes):
        here.ask(who, Watch(seat))
    for turn in range(4):
        match = here.net["ann"].match
        assert match is not None
        seat = match.fold.state.turn
        who = list(here.net.nodes)[seat]
        rack = match.fold.state.tiles.racks[seat]
        here.play(who, networdz.Pass((rack[turn % 2],)))
        if turn == 1:
            here.restart("bob")
    here.resign("bob", 1)
    here.ask("bob", LeaveTable())
    here.part("bob", "ann", "cyd")
    here.ask("ann", LookBack(4))
    here.part("ann", "cyd")
    here.ask("cyd", Vote())
    here.join()
    here.resign("cyd", 2)
    return here


def turned_out() -> Evening:
    """Who was removed from one of two tables finds the other; who has gone is told."""
    here = Evening("ann", "bob", "cyd")
    here.ask("ann", open_table("person", "remote", "remote"))
    here.ask("ann", open_table("person", "remote", game="hexagrams"))
    here.ask("bob", Join("ann", -1))
    here.ask("bob", Choose(0))
    here.ask("ann", Kick("bob"), on=1)
    here.ask("bob", Join("ann", -1))
    here.ask("cyd", Join("ann", -1))
    here.ask("cyd", LeaveTable())
    here.part("cyd", "ann")
    here.ask("cyd", Join("ann", -1))
    here.ask("cyd", Join("nowhere", -1))
    here.join()
    here.ask("cyd", LeaveTable())
    here.ask("cyd", WatchAt("ann"))
    here.ask("ann", StartMatch(), on=2)
    here.ask("cyd", WatchAt("ann"))
    here.ask("ann", AnswerWatcher(allow=True), on=2)
    here.ask("bob", AnswerWatcher(allow=True))
    here.part("cyd", "ann", "bob")
    here.join()
    here.part("bob", "ann")
    here.resign("ann", 0)
    here.join()
    return here


def counted() -> Evening:
    """The host is lost while a game in real time is counted down; one is shut out."""
    here = Evening("ann", "bob", "cyd", "dan")
    here.block("bob", "dan")
    for guest in ("bob", "cyd", "dan"):
        here.ask(guest, Answer(on=True, asks=True))
    seats = ("person", "remote:cyd", "remote:dan", "remote:bob")
    here.ask("ann", open_table(*seats, game="hexcolumns"))
    here.ask("ann", LeaveTable())
    here.ask("ann", open_table("person", "remote:bob", game="hexcolumns"))
    here.consent("bob")
    here.ask("ann", StartMatch(5))
    here.wake(1)
    here.part("ann", "bob")
    here.wake(9)
    here.join()
    here.wake(1)
    here.consent("bob")
    here.ask("ann", StartMatch(0))
    here.resign("bob", 1)
    return here


def claims() -> Evening:
    """Turns of a day are let pass and claimed, among three and between two."""
    here = Evening("ann", "bob", "cyd")
    for guest in ("bob", "cyd"):
        here.ask(guest, Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", "remote:cyd", days=1))
    here.ask("ann", StartMatch())
    here.ask("bob", ClaimTime())
    here.later("twenty hours", 20 * 3_600)
    here.later("five hours", 5 * 3_600)
    here.ask("cyd", ClaimTime())
    here.ask("ann", ClaimTime())
    here.later("two days", 2 * DAY)
    here.ask("bob", MakeOffer(1, "days", 2))
    here.move("cyd")
    here.later("twenty-six hours", 26 * 3_600)
    here.ask("bob", ClaimTime())
    here.part("ann", "bob", "cyd")
    here.later("six hours", 6 * 3_600)
    here.join()
    here.resign("cyd", 2)
    return here


def last_turn() -> Evening:
    """Between two a claim ends the match; the one who is late may object."""
    here = Evening("ann", "bob")
    here.ask("bob", Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", game="hexagrams", days=1))
    here.ask("ann", StartMatch())
    here.move("ann")
    here.part("ann", "bob")
    here.later("two days", 2 * DAY)
    here.ask("ann", ClaimTime())
    here.move("bob")
    here.later("a day", DAY)
    here.join()
    here.later("two days", 2 * DAY)
    here.ask("bob", ClaimTime())
    here.later("two days", 2 * DAY)
    here.restart("ann")
    return here


def looking_on() -> Evening:
    """Two look on while a seat goes to another, who goes away."""
    here = Evening("ann", "bob", "cyd", "dan", "eve")
    here.ask("bob", Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", game="hexagrams"))
    here.ask("ann", StartMatch())
    here.ask("ann", LetWatch("anybody"))
    here.ask("bob", LetWatch("anybody"))
    here.ask("dan", WatchAt("ann"))
    here.ask("eve", WatchAt("bob"))
    here.ask("cyd", Answer(on=True))
    here.meet("cyd", "ann", "bob")
    here.ask("bob", HandSeat(1, "cyd"))
    here.ask("ann", HandSeat(1, "cyd"))
    here.move("ann")
    here.wake(1)
    here.part("cyd", "ann", "bob")
    here.join()
    here.ask("cyd", LetWatch("anybody"))
    here.part("cyd", "ann", "bob")
    here.join()
    here.part("dan", "ann")
    here.join()
    here.block("eve", "bob")
    here.resign("ann", 0)
    here.wake(1)
    here.ask("ann", LeaveTable())
    here.ask("dan", LeaveTable())
    return here


def alone() -> Evening:
    """One plays against computers: nobody is waited for, but may be let watch."""
    here = Evening("ann", "bob")
    here.ask("ann", open_table("person", "computer:40"))
    here.ask("ann", StartMatch())
    here.ask("ann", LetWatch("anybody"))
    here.ask("bob", WatchAt("ann"))
    here.move("ann")
    here.wake(1)
    here.resign("ann", 0)
    here.ask("ann", PlayAgain())
    return here


def prepared() -> Evening:
    """Moves that are prepared, dropped and taken back, while others are away."""
    here = Evening("ann", "bob")
    here.ask("bob", Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", game="hexagrams"))
    here.ask("ann", StartMatch())
    match = here.net["bob"].match
    assert match is not None
    game, state = match.fold.game, match.fold.state
    first = next(iter(game.moves(state, 0)))
    after = game.play(state, 0, first)
    replies = list(game.moves(after, 1))
    line = (pack(first), pack(replies[0]))
    here.ask("bob", Prepare(1, line))
    here.ask("bob", Prepare(1, (pack(first), pack(replies[1]))))
    here.move("ann")
    here.part("ann", "bob")
    here.move("ann")
    here.ask("ann", TakeBack(0))
    here.ask("ann", TakeBack(0))
    here.move("ann", 2)
    here.restart("ann")
    here.join()
    return here


def friends(here: Evening) -> None:
    """Let all know each other; Ann has a name of her own for Bob."""
    for node in here.net.nodes.values():
        for other in here.net.nodes.values():
            if other is not node:
                node.known.befriend(other.key, other.name)
    ann, bob = here.net["ann"], here.net["bob"]
    ann.known.describe(bob.key, Personal("Bobby"))


def away() -> Evening:
    """Friends who sleep are asked by their keys: one comes, one does not in a week."""
    here = Evening("ann", "bob", "cyd")
    friends(here)
    here.part("ann", "bob", "cyd")
    keys = [fingerprint(here.net[name].key) for name in ("bob", "cyd")]
    here.ask("ann", open_table("person", *(f"remote:{key}" for key in keys)))
    here.wake(100)
    here.do("ann and bob can be reached", lambda: here.net.apart.discard(
        frozenset(("ann", "bob"))
    ))  # fmt: skip
    here.consent("bob")
    here.part("ann", "bob")
    here.restart("ann")
    here.later("six days", WEEK_SECONDS - DAY)
    here.later("another day and a second", DAY + 1)
    here.join()
    return here


def asked() -> Evening:
    """A friend who was away says yes later, and the match begins by itself."""
    here = Evening("ann", "bob")
    friends(here)
    here.part("ann", "bob")
    key = fingerprint(here.net["bob"].key)
    here.ask("ann", open_table("person", f"remote:{key}", days=3))
    here.net["ann"].unix += 3_600
    here.wake(3_600)
    here.join()
    here.consent("bob")
    here.move("ann")
    return here


def blocked() -> Evening:
    """Guests and players are blocked: at a table, while watching, in a match."""
    here = Evening("ann", "bob", "cyd", "dan")
    here.ask("ann", open_table("person", "remote", "remote"))
    here.ask("bob", Join("ann", -1))
    here.ask("cyd", Join("ann", -1))
    here.block("ann", "cyd")
    here.ask("cyd", Join("ann", -1))
    here.ask("ann", ChangeTable(open_table("person", "remote")))
    here.consent("bob")
    here.ask("ann", StartMatch())
    here.ask("dan", WatchAt("ann"))
    here.block("bob", "dan")
    here.move("ann")
    here.block("bob", "ann")
    here.ask("bob", LeaveTable())
    return here


def words_sent() -> Evening:
    """A guest without the words fetches them, is cut off, and goes on."""
    here = Evening("ann", "bob", "cyd")
    for name in ("bob", "cyd"):
        here.net[name].shelf = Bare()
        here.net[name].restart(here.net.now)
    here.ask("bob", Answer(on=True))
    net = here.net
    wish = table("lhexicon", "person", "remote:bob", options=(("side", "6"),))
    net.ask("ann", wish)
    for _ in range(24):
        net.dial()
        net.deliver()
    here.part("ann", "bob")
    here.join()
    here.ask("ann", StartMatch())
    here.ask("ann", LetWatch("anybody"))
    here.ask("bob", LetWatch("anybody"))
    here.ask("cyd", WatchAt("ann"))
    here.part("bob", "ann", "cyd")
    here.join()
    here.resign("bob", 1)
    return here


EVENINGS: Final[dict[str, Callable[[], Evening]]] = {
    each.__name__: each
    for each in (
        forming, ready, playing, offers, rematches, late, again, watching, several,
        prepared, drawn, away, asked, blocked, words_sent,
        turned_out, counted,
        claims, last_turn, looking_on, alone,
    )
}  # fmt: skip


def told(name: str) -> str:
    """Return an evening as it stands in its file."""
    evening = EVENINGS[name]()
    try:
        return "\n".join((*evening.lines, ""))
    finally:
        evening.net.close()


def main() -> None:
    """Write all evenings anew."""
    PLACE.mkdir(exist_ok=True)
    for name in EVENINGS:
        (PLACE / f"{name}.txt").write_text(told(name), "utf-8")


if __name__ == "__main__":
    main()

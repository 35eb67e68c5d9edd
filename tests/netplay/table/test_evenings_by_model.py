"""Evenings of four friends at any table, in any order, held against what was done.

The model knows who did what, and nothing of the program: who sits where, what was said,
which window looks at what, who is away, who watches.  Whenever all is at rest each
player's windows, list of games and calls must say just that.
"""

import inspect
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec import Struct, field

from netplay.fingerprint import fingerprint
from netplay.messages.door import (
    Answer,
    Consent,
    Done,
    LeaveTable,
    Line,
    Load,
    LookAt,
    Notice,
    Play,
    Say,
    StartMatch,
    TableStatus,
)
from netplay.messages.node_questions import Personal
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    GameStatus,
    Kick,
    LetWatch,
    MakeOffer,
    Mute,
    PlayAgain,
    WatchAt,
)
from netplay.messages.types import Admission
from netplay.sentences import Says
from netplay.wanted import EVERY_WINDOW
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, Net, table

NAMES = "ann", "bob", "cyd", "dan"
GAMES = "numlo", "hexagrams", "networdz"
EVENINGS, STEPS = 60, 80
OFTEN = {
    "open": 4, "answer": 3, "start": 3, "say": 6, "move": 4, "resign": 1, "leave": 1,
    "go_on": 2, "go_away": 2, "restart": 1, "look": 3, "second": 1, "mute_table": 1,
    "mute": 1, "watch": 3, "let_watch": 4, "admit": 1, "watch_no_more": 1,
    "play_again": 3, "stop_together": 2, "kick": 1,
}  # fmt: skip
"""What is done, and how often."""

TOLD = {Says.WATCHES.name, Says.WATCHES_NO_LONGER.name, Says.WOULD_WATCH.name}

Said = tuple[str, str]
"""Who has said a line, and what."""


class Table(Struct, eq=False):
    """A table as those know it who sit there."""

    game: str
    host: str
    seats: list[str]
    """Who is to play, in turn order."""
    sits: list[str]
    """Who has said yes."""
    called: list[str]
    """Who is asked, and has yet to say so."""
    free: bool = False
    """Somebody has said no, or has gone again."""
    removed: set[str] = field(default_factory=set)
    """Whom the host has sent away: nobody is named for their seats."""
    begun: bool = False
    over: bool = False
    offered: str = ""
    """Who is to say yes or no to an offer."""
    resigned: str = ""
    """Who has, and has no say any more in who watches."""
    left: str = ""
    """Who has left the match for now: it is stopped."""
    asking: str = ""
    """Who would like to watch, or does."""
    watching: bool = False
    """All have said yes to that."""
    allowed: dict[tuple[str, str], bool] = field(default_factory=dict)
    """What each player has said of each who asked."""
    admits: dict[str, Admission] = field(default_factory=dict)
    """Whom each player lets watch without being asked."""

    @property
    def say_so(self) -> list[str]:
        return [name for name in self.sits if name != self.resigned]

    @property
    def ready(self) -> bool:
        return not (self.called or self.free or self.begun)


class Player(Struct, eq=False):
    """What one player has before them."""

    tables: list[Table] = field(default_factory=list)
    choice: dict[int, Table | str | None] = field(default_factory=dict)
    """By window: the table chosen, None for none of them, "" before any choice."""
    heard: dict[int, list[Said]] = field(default_factory=dict)
    """By window: the lines that it was shown since the last look."""
    has: dict[Table, list[Said]] = field(default_factory=dict)
    """The lines of a table that have come here."""
    unread: dict[Table, list[Said]] = field(default_factory=dict)
    mute_tables: set[Table] = field(default_factory=set)
    muted: set[str] = field(default_factory=set)
    calls: list[tuple[str, str]] = field(default_factory=list)
    """Why it was rung for, and at which game."""
    told: dict[int, list[str]] = field(default_factory=dict)
    """By window: what it was told of those who watch."""

    def sees(self, window: int) -> Table | None:
        choice = self.choice.get(window)
        if isinstance(choice, str):
            return self.tables[0] if len(self.tables) == 1 else None
        return choice


def called(name: str, other: str) -> str:
    """Return what a player calls another: each has names of their own for friends."""
    shown = ("Red", "Blue", "Green", "Gold")[NAMES.index(other)]
    return other if name == other else f"{shown} {NAMES.index(name)}"


def words(told: Any, at: str = "") -> Iterable[tuple[str, str]]:
    """Yield all texts of what is told, and where, but not where a computer is."""
    if isinstance(told, Struct):
        for name in told.__struct_fields__:
            yield from words(getattr(told, name), f"{at}.{name}")
    elif isinstance(told, list | tuple):
        for one in told:
            yield from words(one, at)
    elif isinstance(told, str) and ":" not in told and ".address" not in at:
        yield at, told


class Evening:
    """What may be done, and what each of the four has to see of it."""

    def __init__(self) -> None:
        self.net = Net(*NAMES)
        self.players = {name: Player() for name in NAMES}
        self.away = ""
        self.lines = 0
        self._read: dict[str, int] = defaultdict(int)
        for name in NAMES:
            for other in NAMES:
                if other != name:
                    key, known = self.net[other].key, self.net[name].known
                    known.befriend(key, other)
                    known.describe(key, Personal(called(name, other)))
            self._wake(name)
        self._meet()

    def _wake(self, name: str) -> None:
        """Open the first window of a node that has just begun."""
        self.net.done(name, Answer(on=name != "dan"))
        self.net[name].tables.window_up(1)
        self.players[name].choice = {1: ""}
        self.players[name].heard, self.players[name].told = {1: []}, {1: []}
        self._recall(name, {})

    def _meet(self) -> None:
        for a, b in combinations(NAMES, 2):
            self.net.link(a, b)
        self.net.settle()

    # What is on the tables.

    @property
    def tables(self) -> list[Table]:
        every = (one for name in NAMES for one in self.players[name].tables)
        return list(dict.fromkeys(every))

    def number(self, name: str, one: Table) -> int:
        return self.net.games(name)[self._called(name, one)].table

    def _called(self, name: str, one: Table) -> str:
        """Return the game that a list shows; whoever only asks does not know it."""
        return one.game if one.watching or name != one.asking else ""

    def match(self, name: str, one: Table) -> Any:
        places = self.net[name].tables.places
        return places.by_number[self.number(name, one)].table.match

    def ask(self, name: str, question: Any, one: Table) -> Done:
        answer = self.net.ask(name, question, on=self.number(name, one))
        assert isinstance(answer, Done), answer
        self.net.settle()
        return answer

    def _come(self, name: str, one: Table, *, looks: bool) -> None:
        """Let a table come to a player; windows without a choice see the only one."""
        player = self.players[name]
        others = [*player.tables]
        before = {w: player.sees(w) for w in player.choice}
        player.tables.append(one)
        for window, choice in player.choice.items():
            if choice == "" and len(others) == 1:
                player.choice[window] = others[0]
        if looks:
            player.choice[1] = one
        self._recall(name, before)

    def _gone(self, name: str, one: Table) -> None:
        player = self.players[name]
        before = {w: player.sees(w) for w in player.choice}
        player.tables.remove(one)
        for noted in (player.unread, player.has):
            noted.pop(one, None)
        if not one.begun:
            player.mute_tables.discard(one)
        for window, choice in player.choice.items():
            if choice is one:
                player.choice[window] = None if player.tables else ""
        self._recall(name, before)

    def _recall(self, name: str, before: dict[int, Table | None]) -> None:
        """Show windows that look at another table now what was said there."""
        player = self.players[name]
        for window in player.choice:
            one = player.sees(window)
            if one is not None and one is not before.get(window):
                player.heard[window] += player.has.get(one, [])
                player.unread[one] = []

    def _hear(self, name: str, one: Table, line: Said) -> None:
        player = self.players[name]
        player.has.setdefault(one, []).append(line)
        looking = [w for w in player.choice if player.sees(w) is one]
        for window in looking:
            player.heard[window].append(line)
        if line[0] == name:
            return
        if not looking:
            player.unread.setdefault(one, []).append(line)
        if one.begun and line[0] not in player.muted:
            self._ring(name, one, "chat")

    def _spread(self, one: Table) -> None:
        """Let those at a table who are there hear what the others said."""
        here = [n for n in one.sits if n != self.away and one in self.players[n].tables]
        said = [line for name in here for line in self.players[name].has.get(one, ())]
        for line in dict.fromkeys(said):
            for name in here:
                known = self.players[name].has.get(one, ())
                if line not in known and line[0] in one.sits:
                    self._hear(name, one, line)

    def _tell(self, one: Table, said: str, names: Iterable[str] = ()) -> None:
        """Tell those who play, in windows that look there, or in all if none does."""
        for name in names or one.sits:
            player = self.players[name]
            looking = [w for w in player.choice if player.sees(w) is one]
            for window in looking or player.choice:
                player.told[window].append(said)

    def _verdict(self, name: str, one: Table) -> bool | None:
        """Return what a player says of who asks to watch, None if yet to be asked."""
        admits = {"anybody": True, "nobody": False}
        found = admits.get(one.admits.get(name, "ask"))
        return one.allowed.get((name, one.asking), found)

    def _decide(self, one: Table) -> None:
        """Let who asks watch once all have said yes, and no longer after a no."""
        said = [self._verdict(name, one) for name in one.say_so]
        if False in said:
            if one.watching:
                self._tell(one, Says.WATCHES_NO_LONGER.name)
            self._gone(one.asking, one)
            one.asking, one.watching = "", False
        elif None not in said and not one.watching:
            one.watching = True
            self._tell(one, Says.WATCHES.name)

    def _ask_of(self, one: Table) -> None:
        unsaid = [name for name in one.say_so if self._verdict(name, one) is None]
        if unsaid and False not in [self._verdict(name, one) for name in one.say_so]:
            self._tell(one, Says.WOULD_WATCH.name, unsaid)

    def _ring(self, name: str, one: Table, why: str) -> None:
        if one not in self.players[name].mute_tables:
            self.players[name].calls.append((why, one.game))

    def _turns(self, one: Table, mover: str = "") -> None:
        """Ring for whom a match waits now; whose move has led there knows it."""
        for name in self._on_turn(one):
            if name != mover:
                self._ring(name, one, "turn")

    def _on_turn(self, one: Table) -> list[str]:
        """Return whose turn it is by the rules, which are not what is looked at."""
        if one.over or one.left:
            return []
        return [one.seats[seat] for seat in self.match(one.host, one).fold.actors]

    def _pick(self, who: str, at: int, *, begun: bool | None = None) -> Table | None:
        """Return a table at which somebody sits, and which is not stopped."""
        found = [
            one
            for one in self.players[who].tables
            if who in one.sits and begun in (None, one.begun) and not one.left
        ]
        return found[at % len(found)] if found else None

    def named(self, who: str, whom: str, at: int) -> str:
        """Return one of the ways in which a player may say who is meant."""
        return (called(who, whom), whom, fingerprint(self.net[whom].key))[at % 3]

    # What they do.

    def open(self, host: str, many: int, at: int) -> None:
        """Ask friends to a game that is on no table."""
        host = "ann" if host in "anncyd" else "bob"
        games = [game for game in GAMES if game not in {t.game for t in self.tables}]
        if len(games) == 1 or self.away:
            return
        others = [name for name in NAMES if name != host]
        guests = [others[(at + n) % 3] for n in range(1 + many % 2)]
        game = games[at % len(games)]
        if game != "networdz":
            guests = guests[:1]  # for two
        called = [name for name in guests if name == "dan"]
        sits = [name for name in (host, *guests) if name not in called]
        one = Table(game, host, [host, *guests], sits, called)
        options = SMALL if game == "numlo" else ()
        keys = (fingerprint(self.net[name].key) for name in guests)
        seats = "person", *(f"remote:{key}" for key in keys)
        self.net.done(host, table(game, *seats, options=options))
        self.net.settle()
        self._come(host, one, looks=True)
        for name in guests:
            self._come(name, one, looks=False)
        if one.ready:
            self._ring(host, one, "agreed")

    def answer(self, yes: bool) -> None:
        """Say yes or no to a table that one is called to."""
        one = next((one for one in self.tables if one.called), None)
        if self.away or one is None:
            return
        [revision] = {self.status(n, one).revision for n in (one.host, "dan")}
        self.ask("dan", Consent(yes, revision), one)
        one.called = []
        if yes:
            one.sits.append("dan")
            self._spread(one)
            if one.ready:
                self._ring(one.host, one, "agreed")
        else:
            one.free = True
            self._gone("dan", one)

    def start(self, at: int) -> None:
        ready = [one for one in self.tables if one.ready]
        if not ready or self.away:
            return
        one = ready[at % len(ready)]
        self.ask(one.host, StartMatch(), one)
        one.begun = True
        self._turns(one)

    def say(self, who: str, at: int) -> None:
        one = self._pick(who, at)
        if one is None:
            return
        self.lines += 1
        self.net.now += 5.0
        line = who, f"line {self.lines}"
        answer = self.ask(who, Say(line[1]), one)
        asked = {*one.sits, *one.called} - {who}
        kept = bool(asked) and (who == self.away or not asked - {self.away})
        assert answer.text == (Says.LINE_KEPT() if kept else "")
        self._hear(who, one, line)
        self._spread(one)

    def move(self, who: str, at: int) -> None:
        one = self._pick(who, at, begun=True)
        if one is None or one.over or self.away:
            return
        match = self.match(who, one)
        mine = [seat for seat in match.on_turn() if match.seats.is_own(seat)]
        if mine:
            state = match.seats.view(mine[0]).state
            chosen = next(iter(match.fold.game.moves(state, mine[0])))
            self.ask(who, Play(mine[0], pack(chosen), match.fold.number), one)
            self._turns(one, who)

    def resign(self, who: str, at: int) -> None:
        one = self._pick(who, at, begun=True)
        if one is None or one.over or self.away or len(one.sits) > 2 or one.asking:
            return
        match = self.match(who, one)
        seat = one.seats.index(who)
        self.ask(who, Play(seat, pack(Resign()), match.fold.number), one)
        one.over, one.resigned = True, who
        for name in one.sits:
            self._ring(name, one, "over")

    def stop_together(self, who: str, at: int, yes: bool) -> None:
        """Offer the other to stop, who says yes or no."""
        one = self._pick(who, at, begun=True)
        if one is None or one.over or self.away or len(one.sits) > 2 or one.asking:
            return
        self.ask(who, MakeOffer(one.seats.index(who), "stop", 0), one)
        other = next(name for name in one.sits if name != who)
        if other not in self._on_turn(one):
            self._ring(other, one, "offer")
        one.offered = other
        self.all_is_told()
        one.offered = ""
        [offer] = self.status(other, one).offers.standing
        assert (offer.what, offer.seat) == ("stop", one.seats.index(who))
        answers = AnswerOffer(one.seats.index(other), yes, offer.head)
        self.ask(other, answers, one)
        one.over = yes
        for name in one.sits if yes else ():
            self._ring(name, one, "over")

    def kick(self, at: int) -> None:
        """Send somebody away from a table: the seat is anybody's."""
        found = [one for one in self.tables if not one.begun and len(one.sits) > 1]
        if not found or self.away:
            return
        one = found[at % len(found)]
        whom = next(name for name in one.sits if name != one.host)
        self.ask(one.host, Kick(self.named(one.host, whom, at)), one)
        one.sits.remove(whom)
        one.free = True
        one.removed.add(whom)
        self._gone(whom, one)

    def leave(self, who: str, at: int) -> None:
        """Leave a table: it is free, or nobody's, or stopped till they are back."""
        one = self._pick(who, at)
        if one is None or self.away or one.over or one.asking:
            return
        self.ask(who, LeaveTable(), one)
        self._gone(who, one)
        if one.begun:
            one.left = who
            return
        one.sits.remove(who)
        one.free = True
        if who == one.host:
            for name in (*one.sits, *one.called):
                self._gone(name, one)

    def go_on(self) -> None:
        """Come back to a game that was left."""
        one = next((one for one in self.tables if one.left), None)
        if self.away or one is None:
            return
        who, one.left = one.left, ""
        other = next(name for name in one.sits if name != who)
        name, archive = self.match(other, one).match, self.net[who].archive
        path = next(p for p in archive.newest() if name.startswith(archive.named(p)))
        self.net.done(who, Load(path))
        self.net.settle()
        self.players[who].has[one] = [*self.players[other].has.get(one, ())]
        self._come(who, one, looks=True)

    def watch(self, who: str, at: int) -> None:
        """Ask to watch the only game that somebody plays."""
        found = [one for one in self.tables if self._may_watch(who, one)]
        if not found or self.away:
            return
        one = found[at % len(found)]
        one.asking = who
        if False in [self._verdict(n, one) for n in one.sits if n != one.host]:
            one.asking = ""  # some are asked before that no is heard
            return
        at_host = self.net[who].tables.shared.peers[self.net[one.host].key].address
        self.net.done(who, WatchAt(at_host))
        self.net.settle()
        self._come(who, one, looks=True)
        self._ask_of(one)
        self._decide(one)

    def _may_watch(self, who: str, one: Table) -> bool:
        every = [each for each in self.players[one.host].tables if each.begun]
        free = not (one.over or one.left or one.asking or who in one.sits)
        idle = not any(each.asking == who for each in self.tables)
        others = [each for each in every if not each.over and who not in each.sits]
        return one.begun and free and idle and others == [one]

    def let_watch(self, who: str, at: int, yes: bool) -> None:
        """Say of who asks to watch, or watches, whether they may."""
        one = self._pick(who, at, begun=True)
        free = one is not None and one.asking and who != one.resigned
        if one is not None and free and not self.away:
            allow = AnswerWatcher(yes, self.named(who, one.asking, at))
            self.ask(who, allow, one)
            one.allowed[who, one.asking] = yes
            self._decide(one)

    def admit(self, who: str, at: int, yes: bool) -> None:
        """Choose for a game who may watch without being asked about."""
        one = self._pick(who, at, begun=True)
        if one is not None and not self.away and not one.over:
            one.admits[who] = "anybody" if yes else "nobody"
            self.ask(who, LetWatch(one.admits[who]), one)
            if one.asking:
                self._decide(one)

    def watch_no_more(self, at: int) -> None:
        found = [one for one in self.tables if one.asking]
        if not found or self.away:
            return
        one = found[at % len(found)]
        self.ask(one.asking, LeaveTable(), one)
        if one.watching:
            self._tell(one, Says.WATCHES_NO_LONGER.name)
        self._gone(one.asking, one)
        one.asking, one.watching = "", False

    def play_again(self, who: str, at: int) -> None:
        """Both who have played a game play it once more, each a seat on."""
        one = self._pick(who, at, begun=True)
        if one is None or not one.over or self.away or one.asking or one.admits:
            return
        if any(self.players[name].unread.get(one) for name in one.sits):
            return
        for name in sorted(one.sits, key=lambda name: name != who):
            self.ask(name, PlayAgain(), one)
            self.players[name].has[one] = []
            self.players[name].mute_tables.discard(one)  # it is another table
        one.seats = [*one.seats[1:], one.seats[0]]
        one.over, one.resigned = False, ""
        one.allowed = {}
        self._turns(one)

    def go_away(self, who: str) -> None:
        """Lose all links, or have them again."""
        if not self.away and any(o.asking and who in o.sits for o in self.tables):
            return
        if not self.away:
            for one in self.tables:
                if one.asking == who and one.watching:
                    self._tell(one, Says.WATCHES_NO_LONGER.name)
            self.away = who
            for other in NAMES:
                if other != who:
                    self.net.part(who, other)
            self.net.settle()
            return
        who, self.away = self.away, ""
        self.net.apart.clear()
        self._meet()
        for one in self.tables:
            self._spread(one)
            if one.asking and one.asking == who:
                self._ask_of(one)
                if one.watching:
                    self._tell(one, Says.WATCHES.name)

    def restart(self, who: str) -> None:
        player = self.players[who]
        if self.away or any(not one.begun or one.over for one in player.tables):
            return
        if any(one.asking or one.left for one in player.tables):
            return
        self.net.isolate(who)
        self.net[who].restart(self.net.now)
        player.mute_tables, player.muted = set(), set()
        self._wake(who)
        self._meet()

    def look(self, who: str, at: int) -> None:
        """Let a window look at a table, or at none."""
        player = self.players[who]
        window = 1 + at % 2
        if window not in player.choice:
            return
        chosen = [*player.tables, None][at % (len(player.tables) + 1)]
        before = {w: player.sees(w) for w in player.choice}
        self.look_at(who, 0 if chosen is None else self.number(who, chosen), window)
        player.choice[window] = chosen
        self._recall(who, before)

    def look_at(self, who: str, number: int, window: int) -> None:
        self.net.done(who, LookAt(number), window)
        self.net.settle()

    def second(self, who: str) -> None:
        """Open a second window, or close it."""
        player, tables = self.players[who], self.net[who].tables
        if 2 in player.choice:
            tables.window_down(2)
            del player.choice[2], player.heard[2], player.told[2]
            return
        tables.window_up(2)
        self.net.settle()
        player.choice[2], player.heard[2], player.told[2] = "", [], []
        self._recall(who, {1: player.sees(1)})

    def mute_table(self, who: str, at: int) -> None:
        one = self._pick(who, at)
        if one is not None:
            muted = self.players[who].mute_tables
            self.ask(who, Mute(one not in muted), one)
            muted ^= {one}

    def mute(self, who: str, whom: str, at: int) -> None:
        if who != whom:
            muted = self.players[who].muted
            named = self.named(who, whom, at)
            self.net.done(who, Mute(whom not in muted, named))
            muted ^= {whom}

    # What they see.

    def all_is_told(self) -> None:
        for name, player in self.players.items():
            self._hears(name, player)
            games = self.net[name].tables.games(self.net.now)
            lines = {game.game: game for game in games}
            mine = {one: lines[self._called(name, one)].mine for one in player.tables}
            order = sorted(player.tables, key=lambda one: not mine[one])
            shown = [self._called(name, one) for one in order]
            assert [*lines] == shown, name
            for one in player.tables:
                told, where = lines[self._called(name, one)], f"{name} at {one.game}"
                unread = player.unread.get(one, ())
                unread = [line for line in unread if line[0] not in player.muted]
                assert told.unread == len(unread), where
                if not self._halts(one):
                    assert told.mine == self._is_mine(name, one), where
                assert told.muted == (one in player.mute_tables), where
                if name in one.sits:
                    self._at(name, one, told, where)
            # Whoever calls a place sees what was typed.
            self._by_own_names(name, *(g for g in games if g.mode != "calling"))
            for window in player.choice:
                status = self.net[name].tables.table_status(self.net.now, window)
                at = player.sees(window)
                seen = None if status is None else status.game
                self._by_own_names(name, status)
                game = "" if at is None else self._called(name, at)
                assert seen == (game or None), (name, window)

    def _by_own_names(self, name: str, *told: Any) -> None:
        """Look for what friends call themselves: the player calls them otherwise."""
        for at, text in words(told):
            theirs = ({*NAMES} - {name}) & {*re.findall(r"\w+", text)}
            assert not theirs, (name, at, text)

    def _at(self, name: str, one: Table, told: GameStatus, where: str) -> None:
        """Look at a table as one sees it who sits there."""
        status = self.status(name, one)
        phases = {"forming": not one.begun, "over": one.over, "stopped": one.left != ""}
        found = [phase for phase, is_so in phases.items() if is_so]
        if not self._halts(one):
            assert status.phase == (found[0] if found else "playing"), where
        assert told.phase == status.phase, where
        assert status.hosting == (one.host == name), where
        own = {line for line in self.players[name].has.get(one, ()) if line[0] == name}
        others = (n for n in one.sits if n != name and one in self.players[n].tables)
        there = {line for n in others for line in self.players[n].has.get(one, ())}
        if not one.begun:
            self._forms(name, one, status, where)
        elif not self.away:
            who = [one.asking] if one.asking else []
            unsaid = self._verdict(name, one) is None
            shown = [called(name, one.asking)] if who else []
            assert [n for _key, n in status.asking] == (shown if unsaid else []), where
            assert [*status.watchers] == (shown if one.watching else []), where
        if not (one.left or one.free):
            assert status.made.lines == len(own & there), where
        for sits in one.sits if one.begun and not one.left else ():
            seat = status.seats[one.seats.index(sits)]
            gone = sits != name and self.away in (sits, name) and not one.over
            assert seat.name == called(name, sits), where
            if not one.over:
                wanted = "here" if sits == name else "away" if gone else "connected"
                assert seat.state == wanted, f"{where}: {sits}"

    def _forms(self, name: str, one: Table, status: TableStatus, where: str) -> None:
        """Look at the seats of a table before its match."""
        for seat, sits in zip(status.seats, one.seats, strict=True):
            at, taken = f"{where}: {sits}", sits in (*one.sits, *one.called)
            if taken:
                there = "away" if self.away in (sits, name) else "connected"
                assert seat.name == called(name, sits), at
                assert seat.state == ("here" if sits == name else there), at
            elif name == one.host:
                kept = "" if sits in one.removed else called(name, sits)
                asked = "declined" if kept else ""
                found = seat.name, seat.state, seat.asked
                assert found == (kept, "awaited", asked), at
            if taken and name in (one.host, sits):
                yes = sits in one.sits and (sits == name or not one.free)
                assert seat.accepted == yes, at
                waits = name == one.host and not yes
                assert self.away or seat.asked == ("unanswered" if waits else ""), at

    def status(self, name: str, one: Table) -> TableStatus:
        tables, number = self.net[name].tables, self.number(name, one)
        status = tables.table_status(self.net.now, number=number)
        assert status is not None
        return status

    def _halts(self, one: Table) -> bool:
        """Tell whether a match may stand still as somebody is away."""
        return one.begun and not one.over and self.away in one.sits

    def _is_mine(self, name: str, one: Table) -> bool:
        """Tell whether a table waits for a player: to move, to begin, to say yes."""
        if one.begun:
            return name in (*self._on_turn(one), one.offered)
        return name in one.called or (one.host == name and one.ready)

    def _hears(self, name: str, player: Player) -> None:
        node = self.net[name]
        node.pushes += node.tables.take_pushes()
        by_name = {called(name, other): other for other in NAMES}
        heard: dict[int, list[Said]] = {window: [] for window in player.heard}
        told: dict[int, list[str]] = {window: [] for window in player.told}
        for push in node.pushes[self._read[name] :]:
            self._by_own_names(name, push.message)
            to = player.choice if push.window == EVERY_WINDOW else (push.window,)
            for window in to:
                if isinstance(push.message, Line):
                    line = by_name[str(push.message.author)], push.message.text
                    heard[window].append(line)
                elif isinstance(push.message, Notice):
                    said: Any = push.message.said
                    said = dict(said.values).get("why", said)
                    if said.code in TOLD:
                        told[window].append(said.code)
        assert {w: sorted(told[w]) for w in player.choice} == {
            w: sorted(player.told[w]) for w in player.choice
        }, name
        player.told = {window: [] for window in player.choice}
        self._read[name] = len(node.pushes)
        expected, player.heard = player.heard, {w: [] for w in player.choice}
        for window, lines in expected.items():
            by = [[line for line in some if line[0] == who]
                  for who in NAMES for some in (heard[window], lines)]  # fmt: skip
            assert by[::2] == by[1::2], (name, window)
        summons = node.tables.take_news().summons
        rung = [(one.reason, one.game) for one in summons]
        self._by_own_names(name, *summons)
        assert Counter(rung) == Counter(player.calls), name
        player.calls = []


def play(evening: Evening, seed: int, steps: int = STEPS) -> None:
    """Do what comes, and look after each step whether all is told."""
    rng, done = Random(seed), list[str]()
    names = [name for name, often in OFTEN.items() for _ in range(often)]
    try:
        for _ in range(steps):
            act = getattr(evening, rng.choice(names))
            kinds = inspect.get_annotations(act)
            given = {
                name: rng.random() < 0.7
                if kind is bool
                else rng.choice(NAMES)
                if kind is str
                else rng.randrange(12)
                for name, kind in kinds.items()
                if name != "return"
            }
            done.append(
                f"{act.__name__}({', '.join(f'{k}={v!r}' for k, v in given.items())})"
            )
            act(**given)
            evening.all_is_told()
    except Exception as error:
        error.add_note("\n".join(done))
        raise
    finally:
        evening.net.close()


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_an_evening_is_as_it_was_played(seed: int) -> None:
    play(Evening(), seed)

"""What is on the tables of an evening, and what each player has to see of it.

The model knows who did what, and nothing of the program: who sits where, what was said,
which window looks at what, who is away, who watches.  Whenever all is at rest each
player's windows, list of games and calls must say just that.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from msgspec import Struct, field

from netplay.fingerprint import fingerprint
from netplay.messages.door import Answer, Done, Line, Notice, TableStatus
from netplay.messages.node_questions import Personal
from netplay.messages.table_questions import GameStatus
from netplay.messages.types import Admission
from netplay.sentences import Says
from netplay.wanted import EVERY_WINDOW
from tests.netplay.joined_nodes import Net

NAMES = "ann", "bob", "cyd", "dan"
GAMES = "numlo", "hexagrams", "networdz"
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
    rules: int = 0
    """Which of two the host has chosen."""
    agreed: dict[str, int] = field(default_factory=dict)
    """Guest -> to which they have said yes, if not to the first."""
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
    def doubts(self) -> list[str]:
        """Return who has said yes to other rules than those now."""
        guests = [name for name in self.sits if name != self.host and not self.begun]
        return [name for name in guests if self.agreed.get(name, 0) != self.rules]

    @property
    def ready(self) -> bool:
        return not (self.called or self.free or self.begun or self.doubts)


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
    elif isinstance(told, str):
        typed = ".address" in at or re.fullmatch(r"\w+:\d", told)
        if not typed:
            yield at, told


class Tables:
    """What is on the tables of four friends, and what each of them has to see of it."""

    def __init__(self) -> None:
        self.net = Net(*NAMES)
        self.players = {name: Player() for name in NAMES}
        self.away = ""
        self.lines = 0
        self._read: dict[str, int] = defaultdict(int)
        self._shown: dict[str, list[str]] = {}
        """What the windows of a player were shown when something was last told."""
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
        self._by_own_names(name, answer.text)
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
                yes = yes and sits not in one.doubts
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
        asked = (*one.called, *one.doubts)
        return name in asked or (one.host == name and one.ready)

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
            assert by[::2] == by[1::2], (name, window, by)
        news = node.tables.take_news()
        summons = news.summons
        rung = [(one.reason, one.game) for one in summons]
        self._by_own_names(name, *summons)
        assert Counter(rung) == Counter(player.calls), (name, rung, player.calls)
        player.calls = []
        shown: list[Any] = [node.tables.games(self.net.now)]
        shown += [self.status(name, one) for one in player.tables if name in one.sits]
        texts = [re.sub(r"(since|left)=[^,]*", "", repr(each)) for each in shown]
        assert news.changed or texts == self._shown.get(name), (name, "is not told")
        self._shown[name] = texts

"""Evenings of four friends at any table, in any order, held against what was done.

What is done here is told to a model that knows nothing of the program: see
`tests.netplay.table.tables_by_model`.
"""

import inspect
from random import Random

import pytest

from netplay.fingerprint import fingerprint
from netplay.messages.door import (
    ChangeTable,
    Consent,
    Done,
    Failed,
    LeaveTable,
    Load,
    LookAt,
    Play,
    Say,
    StartMatch,
)
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    Kick,
    LetWatch,
    MakeOffer,
    Mute,
    PlayAgain,
    WatchAt,
)
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, table
from tests.netplay.table.tables_by_model import GAMES, NAMES, Table, Tables

EVENINGS, STEPS = 60, 80
OFTEN = {
    "open": 4, "answer": 3, "start": 3, "say": 6, "move": 4, "resign": 1, "leave": 2,
    "change": 6, "agree": 6, "go_on": 1, "go_away": 2, "restart": 2, "look": 3,
    "second": 1, "mute_table": 1, "mute": 1, "watch": 3, "let_watch": 4, "admit": 1,
    "watch_no_more": 1, "play_again": 3, "stop_together": 2, "kick": 1,
}  # fmt: skip
"""What is done, and how often."""


class Evening(Tables):
    """What may be done."""

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
        if len(self.players[host].tables) > 1:  # which is meant, has to be said
            answer = self.net.ask(host, AnswerWatcher(True, "?"), window=9)
            assert isinstance(answer, Failed), answer
            self._by_own_names(host, answer.detail)

    def answer(self, yes: bool) -> None:
        """Say yes or no to a table that one is called to."""
        one = next((one for one in self.tables if one.called), None)
        if self.away or one is None:
            return
        [revision] = {self.status(n, one).revision for n in (one.host, "dan")}
        self.ask("dan", Consent(yes, revision), one)
        one.called, one.agreed["dan"] = [], one.rules
        if yes:
            one.sits.append("dan")
            self._spread(one)
            if one.ready:
                self._ring(one.host, one, "agreed")
        else:
            one.free = True
            self._gone("dan", one)

    def change(self, at: int) -> None:
        """Choose other rules, or those of before: who has said yes is asked again."""
        found = [
            t for t in self.tables if not (t.begun or t.free) and t.game == "numlo"
        ]
        if not found or self.away:
            return
        one = found[at % len(found)]
        unready = not one.ready
        one.rules = 1 - one.rules
        size = ("size", ("8", "10")[one.rules])
        keys = [fingerprint(self.net[name].key) for name in one.seats]
        seats = "person", *(f"remote:{key}" for key in keys[1:])
        wish = table("numlo", *seats, options=(size, *SMALL[1:]))
        self.ask(one.host, ChangeTable(wish), one)
        if one.ready and unready:
            self._ring(one.host, one, "agreed")

    def agree(self, at: int, yes: bool) -> None:
        """Say yes or no to other rules."""
        found = [(name, one) for one in self.tables for name in one.doubts]
        if not found or self.away:
            return
        name, one = found[at % len(found)]
        self.ask(name, Consent(yes, self.status(name, one).revision), one)
        one.agreed[name] = one.rules
        if not yes:
            one.sits.remove(name)
            one.free = True
            self._gone(name, one)
        elif one.ready:
            self._ring(one.host, one, "agreed")

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
        answer = self.net.ask(who, Load(path))
        assert isinstance(answer, Done), answer
        self._by_own_names(who, answer.text)
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
        if self.away or any(t.over or t.asking or t.left for t in player.tables):
            return
        # A host begins what is ready by itself then; a guest no longer knows its lines.
        before = [one for one in player.tables if not one.begun]
        if any(one.host == who or self._said_at(one) for one in before):
            return
        self.net.isolate(who)
        self.net[who].restart(self.net.now)
        player.mute_tables, player.muted = set(), set()
        self._wake(who)
        self._meet()

    def _said_at(self, one: Table) -> bool:
        return any(self.players[name].has.get(one) for name in one.sits)

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

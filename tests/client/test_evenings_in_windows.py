"""Evenings of four friends, done by hand wherever a window shows the button for it.

Each player's first window has what the node tells it and nothing else.  What it shows
then, and what can be clicked there, must be what the model says: see
`tests.netplay.table.test_evenings_by_model`, which knows only what was done.
"""

import re
from typing import Any

import pytest
from typing_extensions import override

from client.app.model import Ask, Model, Page
from client.pages import games, screen
from client.ui.intents import Click, Focus, Key, Text
from client.ui.scene import Node, top, walk
from client.update import Cut, Linked, Tick
from netplay.fingerprint import fingerprint
from netplay.messages.door import (
    Consent,
    Done,
    Failed,
    LeaveTable,
    Line,
    Play,
    Say,
    StartMatch,
)
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    MakeOffer,
    PlayAgain,
)
from netplay.wanted import EVERY_WINDOW
from netplay.wire import pack
from rules.game import Resign
from tests.client.clicking import update
from tests.client.worlds import base, status
from tests.netplay.table.tables_by_model import NAMES, Said, Table, called
from tests.netplay.table.test_evenings_by_model import Evening, play

RESIGNS = pack(Resign())
EVENINGS, STEPS = 14, 80


class Window:
    """The first window of one of the nodes."""

    def __init__(self, net: Any, name: str) -> None:
        self.net, self.name, self.heard = net, name, 0
        self.model: Model = base()
        self.answers: dict[type, Done | Failed] = {}
        """What came of the last question of each kind."""

    def take(self, event: Any) -> None:
        self.model, effects = update(self.model, event)
        for effect in effects:
            if isinstance(effect, Ask):
                tables = self.net[self.name].tables
                answer = tables.ask(1, effect.request, self.net.now)
                self.answers[type(effect.request.ask)] = answer
                self.take(answer)

    def look(self) -> None:
        """Hear what the node tells."""
        node, now = self.net[self.name], self.net.now
        self.take(Tick(now))
        node.pushes += node.tables.take_pushes()
        pushes, self.heard = node.pushes[self.heard :], len(node.pushes)
        for push in pushes:
            if push.window in (1, EVERY_WINDOW):
                self.take(push.message)
        seen, every = node.tables.table_status(now, 1), node.tables.games(now)
        mode = node.tables.mode(1)
        self.take(status(name=self.name, mode=mode, table=seen, games=every))

    def scene(self) -> Node:
        return screen.scene(self.model)

    def click(self, *names: str) -> None:
        for name in names:
            found = [n for n in walk(top(self.scene())) if n.name == name and n.live]
            if self.model.over is self.model.over.NONE:
                assert [n.enabled for n in found] == [True], name
            self.take(Click(name))

    def say(self, text: str) -> None:
        self.click("field.chat")
        for event in (Focus("field.chat"), Text(text), Key("enter")):
            self.take(event)


class ByHand(Evening):
    """An evening at windows."""

    @override
    def __init__(self) -> None:
        self.windows: dict[str, Window] = {}
        self._talked: dict[str, tuple[Table, list[Said]]] = {}
        """What was said before the rematch that the window has been at since."""
        super().__init__()
        self.windows = {name: Window(self.net, name) for name in NAMES}

    @override
    def _wake(self, name: str) -> None:
        super()._wake(name)
        if name in self.windows:
            self.windows[name].take(Cut("gone"))
            self.windows[name].take(Linked())

    @override
    def ask(self, name: str, question: Any, one: Table) -> Done:
        """Do by hand what the window that looks there has a button for."""
        window = self.windows[name]
        window.look()
        if self.players[name].sees(1) is not one or not self._by_hand(
            window, question, one
        ):
            return super().ask(name, question, one)
        self.net.settle()
        answer = window.answers[type(question)]
        assert isinstance(answer, Done), (question, answer)
        return answer

    def _by_hand(self, window: Window, question: Any, one: Table) -> bool:
        match question:
            case StartMatch():
                window.click("start")
            case Consent(yes=yes):
                window.click("accept" if yes else "decline")
            case LeaveTable() if window.model.page is not Page.START:
                window.click("leave", "leave.stop")
            case PlayAgain():
                window.click("rematch")
            case AnswerWatcher(allow=allow) if not one.watching:
                key = fingerprint(self.net[one.asking].key)
                if self._verdict(window.name, one) is not None:
                    return False
                window.click(f"{'allow' if allow else 'refuse'}:{key}")
            case MakeOffer(what=what):
                window.click("agree", f"agree.offer:{what}")
            case AnswerOffer(yes=yes):
                window.click("agree.yes" if yes else "agree.no")
            case Play(move=move) if move == RESIGNS:
                window.click("leave", "leave.resign", "resign.yes")
            case Say(text=text):
                window.say(text)
            case _:
                return False
        return True

    @override
    def play_again(self, who: str, at: int) -> None:
        before = {name: [*self._said(name)] for name in NAMES}
        games = [one for one in self.tables if one.over]
        super().play_again(who, at)
        for one in games:
            for name in one.sits if not one.over else ():
                if self.players[name].sees(1) is one:
                    self._talked[name] = one, before[name]

    def _said(self, name: str) -> list[Said]:
        """Return what was said at the table that a window is at."""
        one = self.players[name].sees(1)
        if one is None:
            return []
        at, before = self._talked.get(name, (None, []))
        return [*(before if at is one else ()), *self.players[name].has.get(one, [])]

    @override
    def look_at(self, who: str, number: int, window: int) -> None:
        model = self.windows[who].model
        if window == 1 and number and model.page is Page.START:
            self.windows[who].click(f"in-hand:{number}")
            self.net.settle()
        else:
            super().look_at(who, number, window)

    @override
    def all_is_told(self) -> None:
        super().all_is_told()
        for name, window in self.windows.items():
            window.look()
            self.shown(name, window)

    def shown(self, name: str, window: Window) -> None:
        """Hold a window against what was done."""
        one, model, root = self.players[name].sees(1), window.model, window.scene()
        asks = one is not None and name == one.asking and not one.watching
        page = Page.START
        if one is not None and not asks:
            page = Page.MATCH if one.begun else Page.TABLE
        assert model.page is page, (name, model.page)
        self._speaks(name, one, model)
        live = {node.name: node.enabled for node in walk(root) if node.live}
        self._lists(name, model, root)
        if one is not None and page is not Page.START:
            self._offers(name, one, live)
        waits = [each for each in self.players[name].tables if each is not one]
        if not any(map(self._halts, self.players[name].tables)):
            is_one = any(self._is_mine(name, each) for each in waits)
            assert ("games.next" in live) == is_one, name

    def _speaks(self, name: str, one: Table | None, model: Model) -> None:
        """Look at the chat: what was said at this table, each in their order."""
        said = self._said(name)
        if one is not self._talked.get(name, (None,))[0]:
            self._talked.pop(name, None)
        lines = [line for line in model.chat.lines if isinstance(line, Line)]
        found = [(str(line.author), line.text) for line in lines]
        wanted = [(called(name, who), text) for who, text in said]
        for who in NAMES:
            by = [[each for each in some if each[0] == called(name, who)]
                  for some in (found, wanted)]  # fmt: skip
            assert by[0] == by[1], name
        assert model.chat.unread == 0, name

    def _lists(self, name: str, model: Model, root: Node) -> None:
        """Look at the list of games: what waits for the player stands first."""
        tables = self.players[name].tables
        if any(map(self._halts, tables)):
            return

        def place(one: Table) -> tuple[int, int]:
            ended = 2 if one.over or one.left else 1
            return 0 if self._is_mine(name, one) else ended, self.number(name, one)

        shown = [self.number(name, one) for one in sorted(tables, key=place)]
        assert [one.table for one in games.listed(model)] == shown, name
        if model.page is Page.START:
            rows = [n.name for n in walk(root) if re.fullmatch(r"in-hand:\d+", n.name)]
            assert rows == [f"in-hand:{number}" for number in shown], name

    def _offers(self, name: str, one: Table, live: dict[str, bool]) -> None:
        """Look at the buttons of a table."""
        plays = name in one.sits
        if not one.begun:
            assert ("start" in live) == (name == one.host), name
            assert ("accept" in live) == (name != one.host), name
            assert ("decline" in live) == (name in one.called), name
            if name == one.host and not self.away:
                assert live["start"] == one.ready, name
            return
        if self._halts(one) or (self.away and one.asking):
            return
        key = fingerprint(self.net[one.asking].key) if one.asking else ""
        asked = bool(one.asking) and name in one.say_so
        unsaid = asked and self._verdict(name, one) is None
        wanted = {
            "field.chat": plays,
            "rematch": plays and one.over,
            f"allow:{key}": unsaid,
            f"refuse:{key}": unsaid,
            "agree.yes": one.offered == name,
            "agree.no": plays and one.offered != "",
            "watchers": plays and (unsaid or one.watching),
        }
        found = {button: button in live for button in wanted}
        assert found == wanted, name


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_windows_show_an_evening_as_it_was_played(seed: int) -> None:
    play(ByHand(), seed, STEPS)

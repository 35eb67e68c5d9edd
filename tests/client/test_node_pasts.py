"""The past of a match as windows of whole nodes can look back at it.

Matches go by mail, into files and out of them, to other computers and to other players,
and somebody looks on: at each moment every window rebuilds every position before.
"""

import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from client.app import follow
from client.app.model import Match as Shown
from client.app.model import Model
from netplay.home import Home
from netplay.match.match import Match
from netplay.messages import door
from netplay.messages.door import (
    Answer,
    Done,
    LeaveTable,
    Load,
    Play,
    Save,
    StartMatch,
    Watch,
)
from netplay.messages.table import Fairness
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    HandSeat,
    MakeOffer,
    WatchAt,
)
from netplay.moving import homes
from netplay.record import views as record_views
from netplay.record.archive import FileArchive
from netplay.table import places as table_views
from netplay.table.tables import Tables
from netplay.wire import pack
from rules import GAMES, networdz
from rules.game import Resign
from rules.tiles import UNKNOWN, UNREVEALED, Tiles
from tests.client import worlds
from tests.client.pasts import BYSTANDER, phony, truths
from tests.client.test_pasts import less_known
from tests.netplay.joined_nodes import Net, Node, table
from tests.netplay.match.encrypted import unproved

__all__ = ["unproved"]

MEMORY = Path("/dev/shm")
"""Where files cost least, if there is such a place."""

OPTIONS = {
    "networdz": (("four_of_a_kind", "on"),),
    "lhexicon": (("side", "6"), ("challenge", "on")),
    "numlo": (("size", "8"),),
    "hexagrams": (),
}


class Window:
    """A window that watches a seat at a node, until the node ends."""

    def __init__(self, net: Net, name: str, seat: int, number: int) -> None:
        self.net, self.node, self.seat, self.number = net, net[name], seat, number
        self.tables, self.at = self.node.tables, len(self.node.pushes)
        self.tables.window_up(number)
        net.done(name, Watch(seat), number)
        shown = worlds.status(table=net.status(name))
        self.model: Model = replace(worlds.base(), status=shown)

    def look(self) -> None:
        """Take what the node has told since, and ask for what was before that."""
        self.node.pushes += self.tables.take_pushes()
        news, self.at = self.node.pushes[self.at :], len(self.node.pushes)
        for push in news:
            if push.window == self.number and isinstance(push.message, door.View):
                self.model = follow.fold_in(self.model, push.message)
                self._ask_on(*follow.earlier(self.model))

    def _ask_on(self, model: Model, effects: Any) -> None:
        self.model = replace(model, asked={})
        for effect in effects:
            answer = self.tables.ask(self.number, effect.request, self.net.now)
            assert isinstance(answer, Done), answer
            self._ask_on(*follow.longer(self.model, answer))

    @property
    def match(self) -> Match:
        return self.node.match

    @property
    def shown(self) -> Shown:
        assert self.model.match is not None
        return self.model.match

    def positions(self) -> list[Any]:
        """Return every position that can be looked at, oldest first."""
        assert not self.shown.missed
        shown = follow.delivered(self.shown)
        return [*(step.before for step in shown.past), shown.state]


def public(match: Match) -> list[Any]:
    """Return every position as everybody sees it, made of the log by the rules."""
    game = match.fold.game
    found = [game.view(match.fold.playable.start(), None)]
    for past in match.fold.history:
        found.append(game.play(found[-1], past.actor, past.move))
    return found


def kinds_of(state: Any, seat: int) -> tuple[int, ...]:
    """Return what a position says of a seat's tiles, as they lie on its rack."""
    tiles = getattr(state, "tiles", None)
    return tiles.kinds[seat] if isinstance(tiles, Tiles) and seat >= 0 else ()


def own_kinds(state: Any, seat: int) -> dict[int, int]:
    """Return what a position knows of a seat's tiles: number -> kind."""
    kinds = kinds_of(state, seat)
    rack = state.tiles.racks[seat] if kinds else ()
    return {tile: kind for tile, kind in zip(rack, kinds, strict=True) if kind >= 0}


class Nodes:
    """A match between nodes, all of whose windows are looked at."""

    def __init__(self, game: str, fairness: Fairness, folder: Path, seed: int) -> None:
        self.rng, self.folder, self.game = Random(seed), folder, GAMES[game]
        self.net, self.encrypted = Net(), fairness == "encrypted"
        self.homes: dict[str, Home] = {}
        self.handed: set[int] = set()
        self.windows: dict[tuple[str, int], Window] = {}
        self.known: dict[tuple[str, int], dict[int, int]] = {}
        """Node and seat -> number -> kind of the tiles that it was ever shown."""
        self.made: set[str] = set()
        """The kinds of moves that were made."""
        self.players: list[str] = []
        for name in ("ann", "bob", "cyd", "dan", "eve"):
            self.net.nodes[name] = self._node(name, name)

    def _node(self, name: str, home: str) -> Node:
        place = Home(self.folder / home)
        place.prepare()
        for part in homes.FOLDERS:
            (place.path / part).mkdir(exist_ok=True)
        self.homes[name] = place
        return Node(name, FileArchive(place.path / "matches"))  # type: ignore[arg-type]

    def begin_here(self, game: str) -> None:
        """Let persons at one computer begin: their file opens every rack."""
        self.players = ["ann"]
        seats = "person:Able", "person:Baker"
        self.net.done("ann", table(game, *seats, options=OPTIONS[game]))
        self.net.done("ann", StartMatch())

    def go_elsewhere(self, name: str) -> None:
        """Let another computer load what has been saved, and play there."""
        (here,) = self.players
        self._post(here, name)
        for seat in range(2):  # whoever has the file knows what they knew
            self.known[name, seat] = dict(self.known[here, seat])
        self.players = [name]

    def begin(self, game: str, fairness: Fairness) -> None:
        """Let a match between nodes begin, and somebody look on."""
        net, self.players = self.net, ["ann", "bob", "cyd"]
        if game == "hexagrams":
            self.players.remove("cyd")
        for name in self.players[1:]:
            net.done(name, Answer(on=True))
        seats = ("person", *(f"remote:{name}" for name in self.players[1:]))
        net.done("ann", table(game, *seats, options=OPTIONS[game], fairness=fairness))
        net.settle()
        net.done("ann", StartMatch())
        net.settle()
        net.done("eve", WatchAt("ann"))
        net.settle()
        self.admit()

    def admit(self) -> None:
        """Let everybody who is asked let the onlooker in."""
        for name in self.players:
            if self.net.status(name).asking:
                self.net.done(name, AnswerWatcher(allow=True, whom=""))
                self.net.settle()
        assert self.net["eve"].tables.mode() == "watching"

    # Looking.

    def look(self) -> None:
        """Look at all windows, those that are new among them."""
        for name, node in self.net.nodes.items():
            match = node.table.match
            if match is None:
                continue
            for seat in (BYSTANDER, *sorted(match.members.seats)):
                at, number = (name, seat), 10 + seat
                if at not in self.windows or self.windows[at].tables is not node.tables:
                    self.windows[at] = Window(self.net, name, seat, number)
        for at, window in list(self.windows.items()):
            live = self.net.nodes.get(at[0])
            seats = () if live is None or live.match is None else (
                BYSTANDER, *live.match.members.seats
            )  # fmt: skip
            if live is not window.node or at[1] not in seats:
                del self.windows[at]
                continue
            window.look()
            self.check(at, window)

    def check(self, at: tuple[str, int], window: Window) -> None:
        """Compare every position with the log's, and forget no tile that was shown."""
        game, seat = self.game, window.seat
        found, right = window.positions(), public(window.match)
        assert [game.view(each, None) for each in found] == right, at
        known = self.known.setdefault(at, {})
        known |= own_kinds(found[-1], seat)
        for position in found:
            kinds = kinds_of(position, seat)
            rack = position.tiles.racks[seat] if kinds else ()
            for tile, kind in zip(rack, kinds, strict=True):
                assert kind in {UNREVEALED, known.get(tile, kind)}, (at, tile)

    def whole(self) -> None:
        """Check that each seat on turn knows all of its tiles: all are there."""
        for name in self.players:
            match = self.net[name].match
            for seat in match.on_turn():
                if seat in match.members.seats and (name, seat) in self.windows:
                    state = self.windows[name, seat].positions()[-1]
                    assert UNKNOWN not in kinds_of(state, seat), (name, seat)

    # What happens.

    @property
    def watched(self) -> bool:
        return self.net["eve"].table.match is not None

    @property
    def over(self) -> bool:
        match = self.net[self.players[0]].table.match
        return match is not None and match.fold.over

    def step(self, what: str) -> None:
        """Let something happen, and everything come everywhere."""
        if self.over and what in {"restart", "import", "hand"}:
            return  # nobody takes up again what is over
        getattr(self, f"_{what}")()
        self.net.settle()
        self.net.wake(1.0)  # what waits for a moment is done
        self.look()
        self.whole()

    def mover(self) -> tuple[str, Match, int] | None:
        for name in self.players:
            match = self.net[name].table.match
            if match is None:
                continue
            for seat in match.on_turn():
                if seat in match.members.seats and match.seats.view(seat).up_to_date:
                    return name, match, seat
        return None

    def _move(self) -> None:
        """Let whoever is on turn do one of the things that can be done."""
        found = self.mover()
        if found is None:
            return
        name, match, seat = found
        rng, state = self.rng, match.seats.view(seat).state
        if seat not in self.game.actors(state):
            return
        words = self.game is GAMES["networdz"]
        move: Any = None
        if words and rng.random() < 0.35 and state.tiles.racks[seat]:
            rack = state.tiles.racks[seat]
            some = rng.sample(rack, rng.randrange(1, len(rack) + 1))
            move = networdz.Pass(tuple(sorted(some)))
        elif words and rng.random() < 0.3:
            move = phony(state, seat, rng)
        if move is None:
            moves = list(islice(self.game.moves(state, seat), 60))
            kind = rng.choice(sorted({type(each).__name__ for each in moves}))
            move = rng.choice([m for m in moves if type(m).__name__ == kind])
        answer = self.net.ask(name, Play(seat, pack(move), match.fold.number))
        if isinstance(answer, Done):
            self.made.add(type(move).__name__)

    def _back(self) -> None:
        """Let a turn be taken back, if all agree and it can be."""
        for name in self.players:
            for seat, what in self.net.status(name).offers.may:
                offer = MakeOffer(seat, what)
                if what == "back" and isinstance(self.net.ask(name, offer), Done):
                    self.net.settle()
                    self._agree()
                    return

    def _agree(self) -> None:
        for name in self.players:
            for one in self.net.status(name).offers.standing:
                match = self.net[name].match
                for seat in sorted(match.members.seats & {*one.asked}):
                    self.net.ask(name, AnswerOffer(seat, agrees=True, head=one.head))
                    self.net.settle()
        self.made.add("back")

    def _restart(self) -> None:
        """Let a node end and begin again."""
        name = self.rng.choice([*self.players, *(["eve"] if self.watched else [])])
        node, net = self.net[name], self.net
        net.isolate(name)
        node.tables.close()
        place = self.homes[name].path / "matches"
        node.archive = FileArchive(place)  # type: ignore[assignment]
        node.tables = Tables(node.means(), name)
        self._back_again(name)

    def _back_again(self, name: str) -> None:
        net = self.net
        net[name].tables.reopen(net.now)
        for other in net.nodes:
            if other != name:
                net[other].tables.shared.places[net[name].key] = name
                net[name].tables.shared.places[net[other].key] = other

    def _import(self) -> None:
        """Let somebody go on at another computer, with all of the home."""
        name, net = self.rng.choice([*self.players, "eve"]), self.net
        net.isolate(name)
        net[name].tables.close()
        data = homes.to_bytes(homes.pack(self.homes[name]))
        net.nodes[name] = self._node(name, f"{name} elsewhere")
        homes.install(self.homes[name], homes.from_bytes(data, "home"))
        self._back_again(name)

    def _load(self) -> None:
        """Let somebody save the match, leave it, and load the file."""
        name, net = self.rng.choice(self.players[1:]), self.net
        path = str(self.folder / f"saved by {name}")
        net.done(name, Save(path, over=True))
        net.done(name, LeaveTable())
        net.settle()
        net.done(name, Load(path))

    def _mail(self) -> None:
        """Let the match go by files for a while, nobody linked."""
        net, (host, *others) = self.net, self._by_host()
        for name in (host, *others):
            net.part(name, "eve")
            for other in (host, *others):
                net.part(name, other)
        for _ in range(4):
            for name in others:
                self._post(host, name)
                self.look()
            if self.mover() is not None:
                self._move()
                self.look()
            for name in others:
                self._post(name, host)
                self.look()
        net.apart.clear()
        net.settle()

    def _by_host(self) -> list[str]:
        """Return the players, the host first."""
        hosts = [n for n in self.players if self.net.status(n).hosting]
        return [*hosts, *(n for n in self.players if n not in hosts)]

    def _post(self, a: str, b: str) -> None:
        path = str(self.folder / "letter")
        self.net.done(a, Save(path, over=True))
        self.net.done(b, Load(path))

    def _hand(self) -> None:
        """Let the last seat pass to somebody new, whose holder is gone."""
        net = self.net
        if len(self.players) < 3:
            return
        # In an encrypted match only who has a part in the bag can read the tiles.
        heir = "bob" if self.encrypted else "dan"
        net.isolate("cyd")
        net.nodes.pop("cyd").tables.close()
        self.players.remove("cyd")
        if heir not in self.players:
            net.done(heir, Answer(on=True))
            for name in self.players:
                net.link(name, heir)
        for name in self.players:
            net.done(name, HandSeat(2, heir))
            net.settle()
        self.handed.add(2)
        if heir not in self.players:
            self.players.append(heir)
            net.settle()
            self.look()
            self.admit()

    def end(self) -> None:
        """Let all resign until it is over, and all be opened."""
        for _ in range(12):
            for name in self.players:
                match = self.net[name].match
                left = sorted(match.members.seats - match.fold.resigned)
                if left and not match.fold.over:
                    play = Play(left[0], pack(Resign()), match.fold.number)
                    self.net.ask(name, play)
                self.net.settle()
            self.net.wake(1.0)
        self.look()


@pytest.fixture
def folder() -> Iterator[Path]:
    place = str(MEMORY) if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="netplay-", dir=place) as path:
        yield Path(path)


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what has happened come in many pieces, as in matches of hundreds of moves."""
    for module in (record_views, table_views):
        monkeypatch.setattr(module, "PIECE_MOVES", 7)


BY_DAY = [0, *(pytest.param(each, marks=pytest.mark.slow) for each in (1, 2))]
"""Seeds of evenings: of each game one is played by day."""


@pytest.mark.usefixtures("unproved", "in_pieces")
@pytest.mark.parametrize("seed", BY_DAY)
@pytest.mark.parametrize(("game", "fairness"), [
    ("networdz", "committed"), ("networdz", "encrypted"), ("lhexicon", "committed"),
    ("lhexicon", "encrypted"), ("numlo", "committed"), ("hexagrams", "committed"),
])  # fmt: skip
def test_every_window_of_every_node_rebuilds_each_position_whatever_came_between(
    game: str, fairness: Fairness, seed: int, folder: Path
) -> None:
    nodes = Nodes(game, fairness, folder, seed)
    nodes.begin(game, fairness)
    nodes.look()
    some = ["restart", "import", "load", "mail", "hand", "back", "back"]
    nodes.rng.shuffle(some)
    for what in some:
        for _ in range(nodes.rng.randrange(1, 4)):
            nodes.step("move")
        nodes.step(what)
    nodes.end()
    assert {name for name, _seat in nodes.windows} == {*nodes.players, "eve"}
    judge(nodes)


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("seed", BY_DAY[:2])
@pytest.mark.parametrize("game", OPTIONS)
def test_whoever_loads_a_file_elsewhere_rebuilds_each_position(
    game: str, seed: int, folder: Path
) -> None:
    nodes = Nodes(game, "committed", folder, seed)
    nodes.begin_here(game)
    nodes.look()
    for name in ("bob", "cyd", "ann"):
        for what in ("move", "move", "move", "move", "back", "restart"):
            nodes.step(what)
        nodes.go_elsewhere(name)
        nodes.look()
    nodes.end()
    for name in ("bob", "cyd"):  # who had it before gets the end by the same file
        nodes.go_elsewhere(name)
    nodes.look()
    assert {name for name, _seat in nodes.windows} == {"ann", "bob", "cyd"}
    judge(nodes)


def judge(nodes: Nodes) -> None:
    """Compare what windows can look back at in the end with what the rules say."""
    for (name, seat), window in nodes.windows.items():
        right = truths(window.match, seat)
        found = window.positions()
        assert window.match.audit() == "ok", name
        assert all(map(less_known, found, right, [seat] * len(right)))
        assert found == right or seat in nodes.handed, (name, seat)
    nodes.net.close()

"""Each game's things lie in its own modules; nobody else asks which game it is.

What a game can do it declares (`rules.game.About`, `netplay.players.Abilities`,
`client.app.board.Traits`); nothing is found out by looking at its values.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp
import pytest

from client.app import board
from netplay.players import Player, player
from netplay.text import Writer, writer
from rules import GAMES, LISTED
from rules.game import Clocked, Game, Hinted, IndexedChance, RealTime, Scored, Tiled

ROOT = Path(__file__).parents[1]
PACKAGES = ("rules", "netplay", "client", "tools")

PROBES = {
    "client/__main__.py": {"given"},
    "client/session.py": {"own", "self._kept"},
    "client/app/browsing.py": {"os"},
    "client/app/edition_changes.py": {"edition", "edition.kinds[tile]"},
    "client/app/link.py": {"error"},
    "client/app/settings.py": {"each", "attrgetter"},
    "client/window/first_frame.py": {"pygame"},
    "client/pages/overlays.py": {"settings"},
    "tools/bench/measuring.py": {"os"},
    "netplay/commands/node.py": {"arguments"},
    "netplay/commands/peers.py": {"arguments"},
    "netplay/daemon/starting.py": {"sys"},
    "netplay/ending.py": {"names"},
    "netplay/finding/mainline.py": {"ip_address(entry.host.partition('%')[0])"},
    "netplay/__main__.py": {"errno"},
    "netplay/home.py": {"os"},
    "netplay/system/sockets.py": {"socket"},
    "netplay/peering/tcp.py": {"socket"},
    "netplay/record/ledger.py": {"attrgetter"},
    "netplay/said.py": {"error"},
    "netplay/record/store.py": {"os"},
    "netplay/wire.py": {"kind"},
    "rules/editions/__init__.py": {"edition"},
    "rules/lexicon/graph.py": {"os"},
    "tools/release/entry.py": {"sys.modules.get('pyimod02_importers')"},
    "tools/rooms.py": {"node"},
    "netplay/named_files.py": {"os"},
    "tools/protocol/annotations.py": {"each"},
    "tools/protocol/dissecting.py": {"value"},
    "tools/protocol/logs.py": {"entry"},
    "tools/protocol/retelling.py": {"EDITION"},
    "tools/protocol/tables.py": {"found"},
    "tools/protocol/transcript.py": {"answer"},
}
"""What may be looked into by name: none of it is a game, or a value of one."""

NAMED = {
    "netplay/formats/__init__.py": "whose rules records of crossword games are read by",
    "netplay/formats/meant.py": "what records call the game",
    "netplay/commands/words.py": "an edition, which happens to have the same name",
    "client/app/model.py": "an edition",
    "client/pages/editor_input.py": "an edition",
    "client/pages/host_terms.py": "an edition",
    "rules/__init__.py": "the list of games",
}
"""Files beside the games' own that hold a game's name, and why."""

RECORDS = (
    "netplay/commands/plays.py",
    "netplay/formats/",
    "netplay/players/words/",
    "netplay/review/",
)
"""What reads records of crossword games, and finds plays in them, by one's rules."""


def sources(*packages: str, holding: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    """Yield path and syntax tree of every module that holds one of the words."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text("utf-8")
            if any(word in text for word in holding):
                yield path.relative_to(ROOT).as_posix(), ast.parse(text)


def is_own(path: str) -> bool:
    """Tell whether a module is a game's own: it lies in a folder, or has the name."""
    return bool(LISTED.keys() & set(path.removesuffix(".py").split("/")))


def probed(tree: ast.Module) -> Iterator[str]:
    """Yield what is looked into by `getattr` or `hasattr`."""
    called: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[what, *_]):
                called.add(node.func)
                yield ast.unparse(what)
            case ast.Name(id="getattr" | "hasattr" | "attrgetter"):
                if node not in called:  # handed on, to look into anything
                    yield node.id
            case _:
                pass


def test_no_game_is_looked_into_by_name() -> None:
    looks = ("getattr", "hasattr", "attrgetter")
    found = {
        path: set(probed(tree)) for path, tree in sources(*PACKAGES, holding=looks)
    }
    assert {path: names for path, names in found.items() if names} == PROBES


def test_what_a_game_lacks_is_not_found_out_by_failing() -> None:
    for path, tree in sources("rules", "client", "tools", holding=["AttributeError"]):
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler) and node.type is not None:
                assert "AttributeError" not in ast.unparse(node.type), path


def test_nobody_but_a_game_asks_which_game_it_is() -> None:
    named: set[str] = set()
    for path, tree in sources("rules", "netplay", "client", holding=LISTED):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in LISTED:
                named.add(path)
    assert {path for path in named if not is_own(path)} == NAMED.keys()


def test_nobody_but_a_game_knows_its_rules() -> None:
    for path, tree in sources("netplay", "client", holding=LISTED):
        if is_own(path) or path.startswith(RECORDS):
            continue
        for node in ast.walk(tree):
            match node:
                case ast.ImportFrom(module=str(module), names=names):
                    parts = {*module.split("."), *(each.name for each in names)}
                case ast.Import(names=names):
                    parts = {part for each in names for part in each.name.split(".")}
                case _:
                    continue
            assert not parts & LISTED.keys(), path


def test_no_game_knows_another() -> None:
    for package in ("rules", "client"):
        graph = grimp.build_graph(package)
        for one in LISTED:
            for other in LISTED.keys() - {one}:
                chain = graph.find_shortest_chain(
                    f"{package}.{one}", f"{package}.{other}", as_packages=True
                )
                assert chain is None, chain


def lacking(module: object, protocol: type) -> Iterator[str]:
    """Yield the names of a Protocol that a module has not, or with other arguments."""
    for name, wanted in vars(protocol).items():
        if name.startswith("_"):
            continue
        found = getattr(module, name, None)  # of a module or what stands for one
        if not inspect.isfunction(wanted):
            if not hasattr(module, name):
                yield name
            continue
        arguments = list(inspect.signature(wanted).parameters)[1:]
        if not callable(found):
            yield name
        elif list(inspect.signature(found).parameters)[: len(arguments)] != arguments:
            yield f"{name}({', '.join(arguments)})"


@pytest.mark.parametrize("name", tuple(GAMES))
def test_a_game_has_all_that_its_modules_must(name: str) -> None:
    modules = (GAMES[name], Game), (player(name), Player), (writer(name), Writer)
    for module, protocol in (*modules, (board.find(name), board.Board)):
        assert not list(lacking(module, protocol)), module
    about, traits = GAMES[name].ABOUT, board.find(name).TRAITS
    declared = (
        (about.scored, Scored), (about.tiled, Tiled), (about.clocked, Clocked),
        (about.real_time, RealTime), (about.indexed_chance, IndexedChance),
        (about.hinted, Hinted), (traits.bindings, board.Bindings),
        (traits.analysed, board.Analysed),
    )  # fmt: skip
    for module, protocol in declared:
        assert module is None or not list(lacking(module, protocol)), module


@pytest.mark.parametrize("name", tuple(GAMES))
def test_what_a_game_declares_goes_together(name: str) -> None:
    about = GAMES[name].ABOUT
    assert (about.real_time is not None) == (about.hz > 0)
    assert about.usual in about.seats
    options = about.options()
    assert about.digests(options).keys() == set(about.resources)
    assert not about.settings(options).keys() & {"edition", "lexicon"}
    state = GAMES[name].start(about.usual, options)
    if about.scored is not None:
        assert len(about.scored.scores(state)) == about.usual

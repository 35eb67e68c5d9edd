"""Match pages of every game, in positions from the middle of a match."""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from client.app.board import Seen, find
from client.app.model import Model
from client.ui.intents import Button, Click, Drop, Hover, Key, Text
from netplay import wire
from netplay.messages import door
from rules import GAMES, hexcolumns, hexes, lhexicon, numlo
from rules.game import CHANCE
from rules.tiles import Reveal
from tests.client import worlds
from tests.client.clicking import handle
from tests.rules.lhexicon import matches, worked

Past = tuple[tuple[Any, int, Any], ...]


def page(
    model: Model, game: str, state: Any, past: Past, seat: int = 0, seats: int = 2
) -> Model:
    """Return the model of a window that shows a match."""
    turn = tuple(a for a in sorted(GAMES[game].actors(state)) if a >= 0)
    kinds = ["person" if i == 0 else "computer" for i in range(seats)]
    table = worlds.table(
        game, options=wire.pack(getattr(state, "options", GAMES[game].ABOUT.options())),
        match=b"m", phase="playing", waiting="", turn=turn, edition="",
        seats=tuple(map(worlds.seat, worlds.NAMES[:seats], kinds)),
    )  # fmt: skip
    return worlds.fed(
        model, worlds.status(table=table), pushed(game, state, past, seat)
    )


def pushed(game: str, state: Any, past: Past, seat: int) -> door.View:
    """Return the node's push for a seat."""
    rules = GAMES[game]
    happened = tuple(
        door.Happened(i, actor, wire.pack(rules.mask(before, actor, move, seat)), 0)
        for i, (before, actor, move) in enumerate(past)
    )
    packed = wire.pack(rules.view(state, seat))
    return door.View(b"m", seat, len(past), packed, happened, True)


def done(model: Model, *intents: Any) -> Model:
    """Return the model after the game's own intents."""
    match = model.match
    assert match is not None
    local = match.local
    module = find(match.game)
    for intent in intents:
        seen: Seen[Any, Any] = Seen(match.state, match.seat, model.names)
        local, _move = handle(module, seen, local, intent)
    return replace(model, match=replace(match, local=local))


def played(game: str, state: Any, moves: Sequence[Any]) -> tuple[Any, Past]:
    """Return a state after moves of whoever is on turn, and what happened."""
    rules, past = GAMES[game], []
    for move in moves:
        actor = min(rules.actors(state))
        past.append((state, actor, move))
        state = rules.play(state, actor, move)
    return state, tuple(past)


WORDS = (worked.CODED, worked.CRUEL, worked.LEVELED)
"""The source document's match as far as diagram 5."""


@lru_cache
def leveled(**options: Any) -> tuple[Any, Past]:
    """Return the document's match after LEVELED; seat 1 is to lay CODDLE."""
    state = lhexicon.start(2, lhexicon.Options(**options))
    return told(state, [*WORDS], ["CODEDXZRUEL?AT", "EVELE", "CDPI", "STNGE"])


def told(state: Any, words: list[str], letters: list[str]) -> tuple[Any, Past]:
    """Return a match of these words, and what is drawn before and after each."""
    past: list[tuple[Any, int, Any]] = []

    def happen(actor: int, move: Any) -> None:
        nonlocal state
        past.append((state, actor, move))
        state = lhexicon.play(state, actor, move)

    for word, drawn in zip(["", *words], letters, strict=True):
        if word:
            laid, path = matches.placed(state, state.turn, word)
            happen(state.turn, lhexicon.lay(state, laid, path))
        while state.announced is not None:
            happen(state.announced.answers[0], lhexicon.Accept())
        for kind in matches.kinds(drawn):
            outcomes = lhexicon.moves(state, CHANCE)
            reveals = (r for r in outcomes if isinstance(r, Reveal))
            happen(CHANCE, next(r for r in reveals if r.kind == kind))
    return state, tuple(past)


@lru_cache
def doubted() -> tuple[Any, Past]:
    """Return a match with a blank for E on the board and a false word challenged."""
    state = lhexicon.start(2, lhexicon.Options(challenge=True))
    word = worked.CODED.replace("E(1,0)", "e(1,0)")
    state, past = told(state, [word], ["CODDEX?RUELIAT", "IIIAO"])
    passed = lhexicon.play(state, 1, lhexicon.Pass())
    laid, path = matches.placed(passed, 0, "X(-4,0)* I(-3,0)* C(-2,0)")
    lay = lhexicon.lay(passed, laid, path)
    heard = lhexicon.play(passed, 0, lay)
    asked = lhexicon.play(heard, 1, lhexicon.Challenge())
    more = (
        (state, 1, lhexicon.Pass()),
        (passed, 0, lay),
        (heard, 1, lhexicon.Challenge()),
    )
    return asked, (*past, *more)


def lost() -> tuple[Any, Past]:
    """Return the same match when the false word went back and it is 0's turn again."""
    asked, past = doubted()
    wrong = lhexicon.play(asked, 0, lhexicon.Insist())
    more = (asked, 0, lhexicon.Insist()), (wrong, 1, lhexicon.Pass())
    return lhexicon.play(wrong, 1, lhexicon.Pass()), (*past, *more)


def cell(q: int, r: int, side: int = 9) -> int:
    """Return the number of a cell of the board."""
    return hexes.numbers(side)[q, r]


def drops(state: Any, seat: int, word: str) -> list[Drop]:
    """Return the drags that lay a word of the document."""
    laid, _path = matches.placed(state, seat, word)
    return [Drop(f"tile:{each.tile}", f"cell:{each.cell}") for each in laid]


def marks(word: str) -> list[Click]:
    """Return the clicks that mark a word of the document, on whatever lies there."""
    return [Click(f"cell:{at}") for at in worked.path(word)]


@lru_cache
def wandered(game: str, seats: int, moves: int, seed: int = 5) -> tuple[Any, Past]:
    """Return a match after moves by chance, at a turn of seat 0."""
    rules, rng = GAMES[game], random.Random(seed)
    state, past = rules.start(seats, rules.ABOUT.options()), []
    while rules.actors(state) and (moves > 0 or min(rules.actors(state)) != 0):
        actor = min(rules.actors(state))
        move = rng.choice(list(rules.moves(state, actor)))
        past.append((state, actor, move))
        state = rules.play(state, actor, move)
        moves -= actor >= 0
    return state, tuple(past)


RIGHT = Click("", Button.RIGHT)


def attacked(model: Model, rows: tuple[int, ...] = (2, 0, 1, 5)) -> Model:
    """Return a match of Hexcolumns whose wells have just sent so many rows."""
    seats, options = len(rows), hexcolumns.Options(size=7, level=3, attacks=True)
    state = hexcolumns.start(seats, options)
    for cell in (1, 3, 5):
        state = hexcolumns.play(state, CHANCE, hexcolumns.Gem(cell))
    wells: list[hexcolumns.Well] = []
    for seat, well in enumerate(state.wells):
        lying, _lost = hexcolumns.raised(7, well.cells, seat, 2 + seat)
        wells.append(replace(well, cells=lying, score=1250 * seat))
    before = replace(state, wells=tuple(wells))
    quiet = page(model, "hexcolumns", before, (), seats=seats)
    sent = (replace(well, sent=n) for well, n in zip(wells, rows, strict=True))
    after = replace(state, wells=tuple(sent))
    return worlds.fed(quiet, pushed("hexcolumns", after, (), 0))


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield match pages of the games beside Networdz, by name."""
    state, past = leveled()
    turn = page(model, "lhexicon", state, past, seat=1)
    laid = done(turn, *drops(state, 1, worked.CODDLE))
    yield "lhexicon in progress", done(laid, Key("up"))
    yield "lhexicon marking", done(laid, RIGHT, *marks(worked.CODDLE))
    yield "lhexicon discarding", done(turn, Click("discard"), Click("all"))
    yield "lhexicon blank", done(turn, Click(f"cell:{cell(3, 3)}"), Text("?"))
    yield "lhexicon challenged", page(model, "lhexicon", *doubted())
    yield "lhexicon lost turn, blank to pick up", page(model, "lhexicon", *lost())
    board, before = wandered("numlo", 4, 24)
    lies = next(m.square for m in numlo.moves(board, 0) if isinstance(m, numlo.Place))
    many = page(model, "numlo", board, before, seats=4)
    yield "numlo", done(many, Click("show"), Click("hint"), Hover(f"cell:{lies}"))
    wells = worlds.in_match(model, "hexcolumns", 4, 0)
    yield "hexcolumns", wells
    yield "hexcolumns with rows coming", attacked(model)
    start = worlds.fed(model, worlds.status(), Click("game:2"), Click("rivals:2"))
    yield "levels", start
    seats = tuple(map(worlds.seat, worlds.NAMES, ["person", *["computer"] * 2]))
    terms = worlds.table("numlo", seats=seats, waiting="")
    yield "levels at the table", worlds.fed(model, worlds.status(table=terms))
    stones, steps = wandered("hexagrams", 2, 24)
    yield (
        "hexagrams",
        done(page(model, "hexagrams", stones, steps), Key("up"), Key("enter")),
    )

"""Tiles that a seat has drawn and does not know yet are no blanks."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.app.board import Seen, find
from client.lhexicon.local import Doing as Doings
from client.networdz.local import Doing
from client.speech import described
from client.ui.intents import Click, Drop, Text
from client.ui.scene import Node, Rect, walk
from client.ui.theme import Look
from rules import GAMES, lhexicon, networdz
from rules.tiles import UNKNOWN
from tests.client import worlds
from tests.client.clicking import handle

AREA = Rect(0, 0, 1000, 800)
WORD_GAMES = ("networdz", "lhexicon")


def blank(game: str, view: Any) -> int:
    """Return the kind of a blank."""
    if game == "lhexicon":
        return lhexicon.BLANK
    return networdz.ground(view.options).blank


def held(game: str, *kinds: str, **options: Any) -> Seen[Any, Any]:
    """Return a match whose first tiles of the own rack are on their way, or blanks."""
    rules = GAMES[game]
    state, _past = worlds.some_match(game, 2, 0)
    options_ = replace(state.options, **options)
    view = rules.view(replace(state, options=options_), 0)
    known = {"coming": UNKNOWN, "blank": blank(game, view), "A": 0}
    own = [known[each] for each in kinds]
    own += list(view.tiles.kinds[0][len(own) :])
    tiles = replace(view.tiles, kinds=(tuple(own), *view.tiles.kinds[1:]))
    fresh = replace(view, tiles=tiles, turn=0)
    return Seen(fresh, 0, ("Anna", "Bert"))


def drawn(game: str, seen: Seen[Any, Any], local: Any, tile: int) -> list[Node]:
    """Return the parts of a tile as it is drawn."""
    root = find(game).scene(seen, local, AREA, Look())
    (node,) = (each for each in walk(root) if each.name == f"tile:{tile}")
    return [*walk(node)]


def form(parts: list[Node]) -> list[tuple[Any, ...]]:
    """Return how parts look to somebody who sees no colours."""
    return [(n.shape, n.text, n.corner, n.mark, n.pattern) for n in parts]


@pytest.mark.parametrize("game", WORD_GAMES)
def test_a_tile_on_its_way_looks_otherwise_and_is_named_so(game: str) -> None:
    seen = held(game, "coming", "blank", "A")
    local = find(game).begin(seen)
    coming, void, letter = (
        drawn(game, seen, local, tile) for tile in seen.view.tiles.racks[0][:3]
    )
    assert form(coming) != form(void) != form(letter) != form(coming)
    assert coming[0].bg != void[0].bg == letter[0].bg
    assert described(coming[0]).endswith(", tile")
    assert described(coming[0]) != described(void[0])


@pytest.mark.parametrize("how", ["drag", "click"])
@pytest.mark.parametrize("game", WORD_GAMES)
def test_a_tile_on_its_way_is_not_laid_and_that_is_said(game: str, how: str) -> None:
    seen = held(game, "coming", "coming", "blank", "A")
    tile, module = seen.view.tiles.racks[0][0], find(game)
    local = module.begin(seen)
    if how == "drag":
        local, move = handle(module, seen, local, Drop(f"tile:{tile}", "cell:100"))
    else:
        local, _none = handle(module, seen, local, Click(f"tile:{tile}"))
        local, move = handle(module, seen, local, Click("cell:100"))
    assert (local.laid, move) == ((), None)
    assert local.doing in {Doing.PLAYING, Doings.PLAYING}
    assert module.status(seen, local) == local.notice != ""


@pytest.mark.parametrize("game", WORD_GAMES)
def test_the_key_for_a_blank_discards_the_blank_and_no_tile_on_its_way(
    game: str,
) -> None:
    seen = held(game, "coming", "blank", "A")
    module = find(game)
    local = module.begin(seen)
    button = "pass" if game == "networdz" else "discard"
    local, _none = handle(module, seen, local, Click(button))
    local, _none = handle(module, seen, local, Text("?"))
    assert local.discards == (seen.view.tiles.racks[0][1],)

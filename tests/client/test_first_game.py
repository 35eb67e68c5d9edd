"""The first game against computers points at what is new, once for each game."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from client.app.board import find as module
from client.app.model import Model, Over, Store
from client.app.settings import load, store
from client.pages import play, screen
from client.ui import texts, typefaces
from client.ui.intents import Click, Hover
from client.ui.scene import find
from rules import GAMES
from tests.client.clicking import update
from tests.client.crowded_matches import changed
from tests.client.worlds import base, fed, in_match

MOVES = {"hexcolumns": 0, "networdz": 8}


def at(game: str, size: tuple[int, int] = (1280, 800), **settings: Any) -> Model:
    """Return a window whose player has never played a game, against a computer."""
    model = base(size)
    own = replace(model.settings, tips=(), **settings)
    count = max(2, GAMES[game].ABOUT.seats[0])
    return in_match(replace(model, settings=own), game, count, MOVES.get(game, 4))


def tip(game: str) -> str:
    told = module(game).TRAITS.tip
    assert told is not None
    return told()


@pytest.mark.parametrize("game", GAMES)
def test_it_is_said_until_somebody_has_read_it_and_never_again(game: str) -> None:
    model = at(game)
    assert tip(game) in play.instruction(model)
    model, effects = update(model, Click(play.CLOSE))
    assert any(isinstance(each, Store) for each in effects)
    assert tip(game) not in play.instruction(model)
    assert find(screen.scene(model), play.CLOSE) is None
    again = in_match(replace(base(), settings=model.settings), game, 2, 0)
    assert tip(game) not in play.instruction(again)


@pytest.mark.parametrize("game", GAMES)
def test_its_button_opens_the_lessons_of_the_game(game: str) -> None:
    model = fed(at(game), Click(play.LEARN))
    assert model.over is Over.LEARN
    assert model.learning is not None
    assert model.learning.game == game


def test_whoever_plays_needs_it_no_more() -> None:
    """So it never stands before what a word scores, or why a move is refused."""
    model = fed(at("networdz"), Hover("cell:17"))
    assert tip("networdz") in play.instruction(model)
    model = fed(model, Click("cell:17"))
    assert tip("networdz") not in play.instruction(model)
    model = at("numlo")
    assert model.match is not None
    cells = [
        f"cell:{move.square}" for move in GAMES["numlo"].moves(model.match.state, 0)
    ]
    stored: list[Any] = []
    for cell in cells[:1]:
        model, effects = update(model, Click(cell))
        stored += effects
    assert any(isinstance(each, Store) for each in stored)
    assert model.settings.tips == ("numlo",)


def test_who_asks_numlo_for_help_has_still_to_learn() -> None:
    for name in ("show", "hint"):
        model = fed(at("numlo"), Click(name))
        assert tip("numlo") in play.instruction(model)
        assert find(screen.scene(model), play.LEARN) is not None


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("game", ["networdz", "numlo"])
def test_it_and_what_is_to_do_are_read_without_scrolling(
    game: str, language: str
) -> None:
    texts.speak(language)
    for size in ((800, 500), (1280, 800)):
        shown = find(screen.scene(at(game, size)), "instructions")
        assert shown is not None
        assert shown.text.count("\n") >= 1
        high = typefaces.height(shown.text, shown.size, shown.rect.w)
        assert high <= shown.rect.h


def test_it_outlives_the_window(tmp_path: Any) -> None:
    own = fed(at("hexagrams"), Click(play.CLOSE)).settings
    store(tmp_path, own)
    assert load(tmp_path)[0].tips == own.tips == ("hexagrams",)


def test_nothing_is_pointed_at_among_friends_or_when_it_is_over() -> None:
    model = at("numlo")
    assert model.table is not None
    seats = tuple(replace(s, kind="remote") for s in model.table.seats[1:])
    friends = changed(model, seats=(model.table.seats[0], *seats))
    assert tip("numlo") not in play.instruction(friends)
    over = changed(model, phase="over", places=(1, 2), turn=())
    assert tip("numlo") not in play.instruction(over)
    watching = replace(model, match=replace(model.match, seat=-1))  # type: ignore[type-var]
    assert not play.due(watching)


KINDS = tuple(product(("person", "computer", "remote"), repeat=3))


@pytest.mark.parametrize("kinds", KINDS)
def test_it_is_for_who_plays_computers_alone_at_any_seat(
    kinds: tuple[str, ...],
) -> None:
    model = in_match(at("numlo"), "numlo", 3, 4)
    assert model.table is not None
    assert model.match is not None
    pairs = zip(model.table.seats, kinds, strict=True)
    model = changed(model, seats=tuple(replace(s, kind=kind) for s, kind in pairs))
    for seat in (i for i, kind in enumerate(kinds) if kind == "person"):
        sits = replace(model, match=replace(model.match, seat=seat))  # type: ignore[type-var]
        others = {kind for i, kind in enumerate(kinds) if i != seat}
        assert play.due(sits) == (others == {"computer"})


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_it_can_be_read_in_the_smallest_window(language: str) -> None:
    texts.speak(language)
    for game in GAMES:
        model = at(game, (800, 500))
        root = screen.scene(model)
        shown = find(root, "instructions")
        assert shown is not None
        assert shown.rect.h >= 2 * model.look.small
        for name in (play.LEARN, play.CLOSE):
            node = find(root, name)
            box = find(root, "instructions.box")
            assert node is not None
            assert box is not None
            assert box.rect.holds(node.rect)

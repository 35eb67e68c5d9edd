"""Details of the window that the source document of Networdz names one by one."""

from typing import Any

import pytest
from msgspec.structs import replace

from client import networdz as shown
from client.app.model import Ask, Model
from client.app.settings import SPEEDS, Settings
from client.networdz.local import Doing
from client.pages import play, screen
from client.ui.intents import Click, Text
from client.ui.scene import Node, Role, find, walk
from netplay.messages import door
from rules import editions, networdz
from tests.client.clicking import update
from tests.client.networdz_hands import AREA, LOOK, after, seen_of, with_rack
from tests.client.worlds import (
    at_match,
    base,
    fed,
    in_match,
    playing,
    seat,
    status,
    texts,
)
from tests.client.worlds import networdz as played


def node(model: Model, name: str) -> Node:
    found = find(screen.scene(model), name)
    assert found is not None, name
    return found


def inks(root: Node) -> set[Any]:
    return {each.fg for each in walk(root) if each.text}


@pytest.mark.parametrize(("state", "linked"), [("connected", True), ("away", False)])
def test_a_name_is_red_once_connected_and_blue_before(state: str, linked: bool) -> None:
    board, _past = played(2, 8)
    seats = (seat("Anna"), seat("Bert", "remote", state=state, since=-1))
    model = fed(at_match(base()), status(table=playing(board, 2, seats=seats)))
    theme = model.look.theme
    wanted = theme.linked if linked else theme.unlinked
    assert node(model, "player1").fg == wanted
    word = ("connected" if linked else "not connected",)
    assert set(word) <= set(texts(node(model, "words.of:1")).splitlines())


def test_no_name_is_tinted_where_nobody_is_to_be_connected_with() -> None:
    model = at_match(base())
    inks = {node(model, f"player{i}").fg for i in (0, 1)}
    assert inks == {model.look.theme.text}


@pytest.mark.parametrize("game", ["lhexicon", "numlo", "hexagrams", "hexcolumns"])
def test_names_of_other_games_and_all_word_lists_have_the_colour_of_text(
    game: str,
) -> None:
    model = in_match(base(), game, 2, 2)
    assert node(model, "player1").fg == model.look.theme.text
    words = node(fed(at_match(base()), Click("side:3")), "words")
    lines = [each for each in words.kids if each.role is Role.ITEM]
    assert lines
    assert {ink for each in lines for ink in inks(each)} == {model.look.theme.text}


def test_a_double_click_discards_a_tile() -> None:
    seen = with_rack(seen_of(), "ABCDEFG")
    tile = seen.view.tiles.racks[seen.seat][2]  # type: ignore[index]
    name = f"tile:{tile}"
    local, _move = after(
        seen, shown.begin(seen), Click("pass"), Click(name), Click(name, count=2)
    )
    assert local.discards == (tile,)


def test_two_blanks_are_named_in_the_order_in_which_they_were_laid() -> None:
    seen = with_rack(seen_of(0), "??CDEFG")
    assert seen.seat is not None
    one, two = seen.view.tiles.racks[seen.seat][:2]
    local = shown.begin(seen)
    for tile, cell, letter in ((one, 112, "a"), (two, 113, "x")):
        local, _move = after(seen, local, Click(f"tile:{tile}"), Click(f"cell:{cell}"))
        assert local.doing is Doing.NAMING
        local, _move = after(seen, local, Text(letter))
    alphabet = networdz.ground(seen.view.options).alphabet
    assert [alphabet[each.letter] for each in local.laid] == ["A", "X"]


def test_squares_say_what_they_multiply_and_blocked_ones_are_black() -> None:
    own = editions.load("networdz")
    board = [list(row) for row in own.board]
    board[2][3], board[2][4], board[2][5] = "W4", "L4", "##"
    edition = replace(own, name="own", board=tuple(tuple(row) for row in board))
    editions.register(edition)
    options = networdz.Options(edition=edition.digest)
    seen = seen_of(0)
    view = networdz.view(networdz.start(2, options), 0)
    seen = replace(seen, view=view, seat=0)
    scene = shown.scene(seen, shown.begin(seen), AREA, LOOK)
    told = {}
    for name in ("cell:0", "cell:4", "cell:33", "cell:34", "cell:35"):
        cell = find(scene, name)
        assert cell is not None
        told[name] = " ".join(each.text for each in walk(cell) if each.text)
        if name == "cell:35":
            assert cell.bg == LOOK.theme.blocked
            assert not cell.drop
    assert told["cell:0"] == "3X WORD SCORE"
    assert told["cell:4"] == "2X LETTER SCORE"
    assert told["cell:33"] == "4X WORD SCORE"
    assert told["cell:34"] == "4X LETTER SCORE"
    assert told["cell:35"] == ""


def test_whoever_waits_to_be_called_reads_so_and_sees_name_and_address() -> None:
    model = fed(replace(base(), computer="annas-pc"), status(mode="answering"))
    assert node(model, "reach").text.startswith("Waiting for friends")
    own = node(fed(model, Click("connection")), "own").text
    assert "annas-pc:7777" in own
    assert "192.168.1.23:7777" in own


def test_letters_and_points_are_enlarged_when_they_are_to_be_easy_to_read() -> None:
    usual = at_match(base())
    easy = replace(usual, settings=Settings(easy=True))

    def largest(model: Model) -> int:
        tiles = (n for n in walk(screen.scene(model)) if n.role is Role.TILE)
        return max(each.size for each in tiles)

    assert largest(easy) > largest(usual)


def test_animation_is_off_slow_normal_or_fast() -> None:
    paces = [Settings(animation=speed).pace for speed in SPEEDS]
    assert paces[0] == 0
    assert paces[1] > paces[2] > paces[3] > 0


def test_the_count_of_tiles_stands_below_each_name_and_that_of_the_pool_low_right() -> (
    None
):
    model = at_match(base())
    root = screen.scene(model)
    for i in range(2):
        name, count = find(root, f"player{i}"), find(root, f"note{i}")
        assert name is not None
        assert count is not None
        assert count.rect.y > name.rect.y
        assert "tile" in count.text
    pool, board = find(root, "pool"), find(root, "board")
    assert pool is not None
    assert board is not None
    assert pool.rect.x >= board.rect.right - pool.rect.w
    assert pool.rect.bottom >= board.rect.bottom - pool.rect.h
    assert "in the pool" in pool.text


def test_messages_of_others_stand_in_the_chat_and_in_the_instructions() -> None:
    model = at_match(base())
    assert "Bert: Good luck!" in texts(node(model, "chat"))
    told = play.instruction(fed(model))
    assert "Bert" in told


def test_a_demonstration_has_computers_at_all_seats() -> None:
    model = fed(base(), status())
    assert node(model, "demo").text == "Demo"
    _model, effects = update(model, Click("demo"))
    (asked,) = [each.request.ask for each in effects if isinstance(each, Ask)]
    assert isinstance(asked, door.HostTable)
    assert all(kind.startswith("computer") for kind in asked.seats)

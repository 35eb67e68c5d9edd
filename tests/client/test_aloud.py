"""What is said of boards and hands, against what lies there by the game's own page."""

from typing import Any

import pytest
from msgspec.structs import replace

from client import hexagrams, hexcolumns, lhexicon, networdz, numlo, speech
from client.app import board
from client.app.board import Seen
from client.networdz.local import Local as NetwordzLocal
from client.pages import screen, unseen
from client.ui import texts
from client.ui.intents import Text
from client.ui.scene import Node, Rect, Role
from rules import GAMES
from rules import hexagrams as hexagrams_rules
from rules import networdz as networdz_rules
from rules.hexagrams.board import TRIANGLE, cell
from rules.lhexicon.cells import cell_name
from rules.networdz import Laid
from tests.client import worlds
from tests.client.worlds import at_match, base
from tests.netplay.text.test_position import STATES

NAMES = ("Anna", "Bert")


def seen(game: str, seat: int = 0) -> Any:
    return Seen(GAMES[game].view(STATES[game](), seat), seat, NAMES)


def said(game: str, local: Any, seat: int = 0) -> tuple[str, ...]:
    aloud = board.find(game).TRAITS.aloud
    assert aloud is not None
    return aloud(seen(game, seat), local)


def test_numlo_says_a_square_its_worth_and_the_rows_of_tiles_from_it() -> None:
    begun = replace(numlo.begin(seen("numlo")), typed=True)
    assert said("numlo", replace(begun, at=1)) == (
        "B1: Blue, worth 1; above: the edge; left: Blue",
    )
    assert said("numlo", replace(begun, at=0)) == (
        "A1: Blue, worth 6; above: the edge; right: Blue; left: the edge",
    )
    # B2: Blue lies above and above left, Red at C3 below right.
    assert said("numlo", replace(begun, at=9)) == (
        "B2: empty, worth 1; above: Blue; below right: Red; above left: Blue",
    )
    assert said("numlo", replace(begun, at=9, typed=False)) == ()


def test_networdz_says_the_square_the_words_in_line_and_the_tiles() -> None:
    now = seen("networdz", 1)
    begun: NetwordzLocal = networdz.begin(now)
    tiles, pool = "Your tiles: E, A, T, T, T, T, X", "6 tiles in the pool"
    # CaTS lies on 8G to 8J.
    assert said("networdz", replace(begun, cursor=7 * 15 + 10), 1) == (
        "8K across: empty; left: CATS", pool, tiles,
    )  # fmt: skip
    down = replace(begun, cursor=4 * 15 + 9, down=True)
    assert said("networdz", down, 1) == (
        "5J down: empty; below: S after 2 squares",
        pool,
        tiles,
    )
    corner = replace(begun, cursor=0)
    assert said("networdz", corner, 1) == (
        "1A across: empty, word times 3; above: the edge; left: the edge", pool, tiles,
    )  # fmt: skip


def test_networdz_says_which_letter_on_the_board_is_a_blank() -> None:
    now = seen("networdz", 1)
    tile = now.view.tiles.racks[1][0]
    kinds = list(map(list, now.view.tiles.kinds))
    blank = networdz_rules.ground(now.view.options).blank
    kinds[1][0] = blank
    tiles = replace(now.view.tiles, kinds=tuple(map(tuple, kinds)))
    held = replace(now, view=replace(now.view, tiles=tiles))
    begun: NetwordzLocal = networdz.begin(held)
    laid = replace(begun, laid=(Laid(7 * 15 + 10, tile, 4),))
    aloud = networdz.TRAITS.aloud
    assert aloud is not None
    assert "blank as E on 8K" in aloud(held, laid)
    assert "E on 8K" in said("networdz", laid, 1)


def test_lhexicon_says_the_cell_the_letters_around_and_the_tiles() -> None:
    now = seen("lhexicon", 1)
    begun = lhexicon.begin(now)
    names = {name: n for n, name in enumerate(_cells())}
    # I9 has O at H9 above left, E at J8 below right.
    lines = said("lhexicon", replace(begun, cursor=names["I9"]), 1)
    assert lines[0] == "I9: D, the centre; below right: E; above left: O"
    assert lines[-1].startswith("Your tiles: ")
    assert "blank" in lines[-1]
    edge = said("lhexicon", replace(begun, cursor=names["A5"]), 1)
    assert edge[0].count("the edge") == 3


def _cells() -> list[str]:
    return [cell_name(9, n) for n in range(217)]


def test_hexagrams_says_the_cell_its_stone_its_ways_and_its_neighbours() -> None:
    begun = hexagrams.begin(seen("hexagrams"))
    place = cell("C5")
    assert place is not None
    (line,) = said("hexagrams", replace(begun, at=place))
    assert line.startswith("C5: triangle, White, may go to C7; above: C7 Black")
    picked = replace(begun, picked=place)
    assert said("hexagrams", picked) == ("C5 is picked up; it may go to C7",)
    empty = hexagrams_rules.State(0, (1, 1 << 9), (0, 0))
    now: Any = Seen(empty, 0, NAMES)
    aloud = hexagrams.TRAITS.aloud
    assert aloud is not None
    assert place[0] == TRIANGLE
    (line,) = aloud(now, replace(begun, at=place))
    assert line.startswith("C5: triangle, empty;")


def test_hexcolumns_says_the_piece_and_what_lies_below_and_beside_it() -> None:
    lines = said("hexcolumns", hexcolumns.begin(seen("hexcolumns")))
    assert lines == (
        "Piece 2: violet minus, green plus, orange from the top",
        "column -1: empty; column -2: empty; column 0: 2 high, on top blue star, red",
    )


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("tongue", ["de", "es", "fr", "ru"])
def test_it_is_said_in_the_players_language(game: str, tongue: str) -> None:
    local = board.find(game).begin(seen(game))
    places: dict[str, dict[str, Any]] = {
        "numlo": {"at": 9, "typed": True},
        "networdz": {"cursor": 0},
        "lhexicon": {"cursor": 0},
        "hexagrams": {"at": cell("C5")},
    }
    local = replace(local, **places.get(game, {}))
    english = said(game, local)
    assert english
    texts.speak(tongue)
    try:
        assert not set(said(game, local)) & set(english)
    finally:
        texts.speak("en")


def test_nothing_of_a_hand_is_said_behind_the_curtain_and_all_again_on_demand() -> None:
    model = at_match(base(), 2, persons=(0, 1))
    assert model.match is not None
    covered = replace(model, match=replace(model.match, covered=True))
    open_ = replace(model, match=replace(model.match, covered=False))

    def told(shown: Any, before: speech.Told) -> tuple[list[str], speech.Told]:
        return speech.news(before, shown, screen.scene(shown), "")

    assert not [
        x for x in told(covered, speech.Told())[0] if x.startswith("Your tiles")
    ]
    lines, known = told(open_, speech.Told())
    assert [x for x in lines if x.startswith("Your tiles")]
    assert told(open_, known)[0] == []
    assert told(open_, speech.Told())[0] == lines
    assert worlds.texts(screen.scene(open_))


def test_the_tiles_that_cannot_be_seen_are_said_when_they_are_shown() -> None:
    model = at_match(base(), 2)
    _lines, known = speech.news(speech.Told(), model, screen.scene(model), "")
    shown = worlds.fed(model, Text("."))
    lines, _known = speech.news(known, shown, screen.scene(shown), "")
    (line,) = lines
    assert line.startswith(f"{sum(dict(unseen.counted(model)).values())} tiles you ")
    assert "; A " in line
    assert "; blank " in line


def test_a_blank_in_the_rack_is_called_so() -> None:
    face = Node(Role.TILE, "tile:1", Rect(0, 0, 9, 9), value="?")
    assert speech.described(face) == "blank, tile"

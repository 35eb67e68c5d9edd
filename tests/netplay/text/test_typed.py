"""Moves as a player types them: `netplay play`."""

import random
import re
from typing import Any

import pytest

from netplay.text import writer
from netplay.text.lhexicon import STEPS
from rules import GAMES, hexes, lhexicon, networdz
from rules.game import CHANCE, IllegalMoveError
from rules.hexagrams import Triad
from rules.hexagrams.board import cell_name, page_name, ply_name
from rules.networdz.judging import square_name as networdz_square
from rules.numlo.grid import square_name as numlo_square
from tests.rules.lhexicon import matches, worked
from tests.rules.networdz import positions

TYPED = [game for game in GAMES if not GAMES[game].ABOUT.hz]


def read(game: str, state: Any, seat: int, words: str) -> Any:
    typed = writer(game)

    return typed.read(GAMES[game].view(state, seat), seat, words)


def wandered(game: str, moves: int, seed: int) -> Any:
    """Return a state after some moves by chance, at a seat's turn."""
    rules, rng = GAMES[game], random.Random(seed)
    state = rules.start(2, rules.ABOUT.options())
    while rules.actors(state):
        actor = min(rules.actors(state))
        if actor >= 0 and moves <= 0:
            return state
        moves -= actor >= 0
        legal = [m for _n, m in zip(range(60), rules.moves(state, actor), strict=False)]
        state = rules.play(state, actor, rng.choice(legal))
    return state


def spelled(game: str, state: Any, move: Any) -> str:
    """Return a move as somebody would type it, by other means than the reader's."""
    match game:
        case "numlo":
            return numlo_square(state.options.size, move.square)
        case "hexagrams":
            name = page_name if move.origin % 2 else cell_name
            sort = "t" if isinstance(move, Triad) else "h"
            ends = name(sort, move.origin), name(sort, move.target)
            return ply_name(*ends, captures=True)
        case "networdz":
            return _networdz(state, move)
        case _:
            return _lhexicon(state, move)


def _networdz(state: Any, move: Any) -> str:
    field = networdz.ground(state.options)
    if isinstance(move, networdz.Pass):
        kinds = dict(
            zip(
                state.tiles.racks[state.turn], state.tiles.kinds[state.turn],
                strict=True,
            )
        )  # fmt: skip
        faces = [_face(field, kinds[tile]) for tile in move.discards]
        return f"exchange {''.join(faces)}" if faces else "pass"
    laid = {each.cell: each for each in move.laid}
    kinds = {each.tile: each.kind for each in move.shown}
    cells = sorted(laid)
    down = len(cells) > 1 and (cells[1] - cells[0]) % field.width == 0
    if len(cells) == 1:  # a single tile goes with whatever word it makes
        down = any(
            0 <= cells[0] + step < field.size and state.letters[cells[0] + step]
            for step in (-field.width, field.width)
        )
    step = field.width if down else 1
    at, word = cells[0], ""
    row = at // field.width
    while at - step >= 0 and state.letters[at - step]:
        if not down and (at - step) // field.width != row:
            break
        at -= step
    start = at
    while at < field.size and (at in laid or state.letters[at]):
        if not down and at // field.width != row:
            break
        if at in laid:
            letter = field.alphabet[laid[at].letter]
            blank = kinds[laid[at].tile] == field.blank
            word += letter.lower() if blank else letter
        else:
            word += field.alphabet[state.letters[at] - 1]
        at += step
    return f"{networdz_square(field, start, down=down)} {word}"


def _face(field: Any, kind: int) -> str:
    return "?" if kind == field.blank else field.alphabet[kind]


def _lhexicon(state: Any, move: Any) -> str:
    laid = {each.cell: each for each in move.laid}
    kinds = {each.tile: each.kind for each in move.shown}
    cells = hexes.hexagon(state.options.side)
    word, way = "", ""
    for i, cell in enumerate(move.path):
        letter = laid[cell].letter if cell in laid else state.letters[cell]
        face = lhexicon.text(letter)
        blank = cell in laid and kinds[laid[cell].tile] == lhexicon.BLANK
        quick = "(qu)" if letter == lhexicon.QU else face.lower()
        word += quick if blank or letter == lhexicon.QU else face
        if i:
            (q, r), (to_q, to_r) = cells[move.path[i - 1]], cells[cell]
            way += STEPS[hexes.STEPS.index((to_q - q, to_r - r))]
    q, r = cells[move.path[0]]
    return f"{word} {q},{r} {way}"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("moves", [0, 1, 5, 14])
@pytest.mark.parametrize("game", TYPED)
def test_every_move_can_be_typed(game: str, moves: int, seed: int) -> None:
    state = wandered(game, moves, seed)
    rules = GAMES[game]
    for _n, move in zip(range(200), rules.moves(state, state.turn), strict=False):
        words = spelled(game, state, move)
        meant = read(game, state, state.turn, words)
        # Of two tiles of one kind it does not matter which is laid.
        one = rules.play(state, state.turn, meant)
        other = rules.play(state, state.turn, move)
        assert told(game, state, meant) == told(game, state, move), words
        if game in ("numlo", "hexagrams"):
            assert one == other, words


def told(game: str, state: Any, move: Any) -> str:
    return writer(game).line(state, state.turn, move, ("Anna", "Bert"))


@pytest.mark.parametrize("moves", [1, 14])
@pytest.mark.parametrize("game", TYPED)
def test_what_a_hint_says_can_be_typed(game: str, moves: int) -> None:
    state, rules = wandered(game, moves, 1), GAMES[game]
    view = rules.view(state, state.turn)
    for _n, move in zip(range(60), rules.moves(state, state.turn), strict=False):
        said = str(writer(game).hint(view, state.turn, move))
        # What it brings stands behind.
        words = re.sub(r"( = -?\d+.*| [+-]\d+)$", "", said)
        if game == "networdz" and said[0].isdigit() | said[1:2].isdigit():
            words = " ".join(said.split()[:2])  # and what makes it up
        meant = read(game, state, state.turn, words)
        assert told(game, state, meant) == told(game, state, move), said


def test_a_hint_for_lhexicon_tells_blanks_and_discards_as_they_are_typed() -> None:
    options = lhexicon.Options(lexicon=matches.small("QUIT"))
    state = matches.begin("?ITAAAA", options=options)
    laid, path = matches.placed(state, 0, "q(0,0)* I(1,0)* T(2,0)*")
    quit_ = [lhexicon.Placed(laid[0].tile, path[0], lhexicon.QU), *laid[1:]]
    move = lhexicon.lay(state, quit_, path)
    said = str(writer("lhexicon").hint(state, 0, move))
    assert said.partition(" = ")[0] == "(qu)IT I9 dd"
    assert read("lhexicon", state, 0, said.partition(" = ")[0]) == move
    held = state.tiles.racks[0]
    discard = lhexicon.Discard(tuple(sorted((held[0], held[1]))))
    said = str(writer("lhexicon").hint(state, 0, discard))
    assert read("lhexicon", state, 0, said) == discard


@pytest.mark.parametrize("game", TYPED)
@pytest.mark.parametrize(
    "words",
    ["", " ", "x", "8", "8D", "Z99 WORD", "9,9", "T(1,1)", "\x00", "8D \u0130", "é",
     "discard", "exchange", "pickup E", "CODED 0,0 d", "8D [", "(((", "trade a b c",
     "8H " + "W" * 400, "-" * 50, "T(4,1)-H(1,1)", "renew ?", "pass now",
     "c5-d6", "A1-A1", "j5-j7", pytest.param(f"C{'5' * 5000}-C7", id="far up"),
     pytest.param(f"T({'4' * 5000},1)-T(5,1)", id="far down")],
)  # fmt: skip
def test_what_is_no_move_is_refused_in_words(game: str, words: str) -> None:
    state = wandered(game, 2, 1)
    rules = GAMES[game]
    try:
        move = read(game, state, state.turn, words or "?")
        rules.play(state, state.turn, move)
    except IllegalMoveError as error:
        assert str(error)


def test_a_blank_is_a_small_letter_and_tiles_on_the_board_are_named_too() -> None:
    state = positions.position("?AEIOUN", "B", board=[("across", 7, 7, "CAT")])
    move = read("networdz", state, 0, "8H CATs")
    assert [each.letter for each in move.laid] == [18]
    with pytest.raises(IllegalMoveError, match="At 8J there is T already"):
        read("networdz", state, 0, "8H CAN")
    with pytest.raises(IllegalMoveError, match="You have no S left"):
        read("networdz", state, 0, "8H CATS")
    with pytest.raises(IllegalMoveError, match="does not fit"):
        read("networdz", state, 0, "8M AEIOUN")


def test_lhexicons_word_goes_round_corners_and_takes_up_what_lies_there() -> None:
    state = matches.begin("CODEDXZ", "RUEL?AT")
    move = read("lhexicon", state, 0, "CODED -2,0 ddde")
    laid, path = matches.placed(state, 0, worked.CODED)
    assert (move.path, len(move.laid)) == (path, len(laid))
    assert read("lhexicon", state, 0, "CODED g10 ddde") == move
    with pytest.raises(IllegalMoveError, match="G99 is not on the board"):
        read("lhexicon", state, 0, "CODED G99 ddde")
    blank = matches.begin("CODE?XZ", "RUEL?AT")
    blank = matches.lay(blank, worked.CODED.replace("D(2,-1)*", "d(2,-1)*"))
    for words in ("pickup D 2,-1", "pickup D2,-1", "pickup d K9"):
        with pytest.raises(IllegalMoveError, match="You have no D left"):
            read("lhexicon", blank, 1, words)
    with pytest.raises(IllegalMoveError, match="K99 is not on the board"):
        read("lhexicon", blank, 1, "pickup D K99")
    with pytest.raises(IllegalMoveError, match="has 4 steps"):
        read("lhexicon", state, 0, "CODED -2,0 ddd")
    with pytest.raises(IllegalMoveError, match="CODED does not fit"):
        read("lhexicon", state, 0, "CODED -8,0 aaaa")


@pytest.mark.parametrize("game", TYPED)
def test_what_is_offered_can_be_typed(game: str) -> None:
    state = wandered(game, 3, 2)
    typed = writer(game)

    for words in typed.offers(state, state.turn):
        if not words.endswith(" "):
            read(game, state, state.turn, words)
    assert all(meaning for _words, meaning in typed.ways())
    assert CHANCE not in GAMES[game].actors(state)

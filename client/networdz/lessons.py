"""How Networdz is played, in six lessons (source document of Networdz)."""

from functools import cache, partial
from typing import Final

from client.app.board import AnyMove, AnyStep
from client.app.lessons import Lesson, Position, Task, drawn, is_a, played
from client.networdz.whole_games import WHOLE
from client.ui.texts import _, spoken
from netplay.text.networdz import read
from rules import editions, lexicon, networdz
from rules.game import Seat
from rules.networdz import Laid, Lay, Options, Pass, State

_STARTS: Final = "AB"
"""The tiles drawn to see who starts: the lowest does."""

_RACKS: Final = ("TRAINED", "SOLUEGA")
_WITH_BLANK: Final = "TRAINE?"
_DRAWN: Final = "QUIOB"
"""What comes for the letters of TRAIN."""


def lessons() -> tuple[Lesson, ...]:
    """Return the lessons, in the language of the window."""
    return (*_first(), *_further())


def _first() -> tuple[Lesson, ...]:
    """Return the lessons that a first game takes."""
    return (
        Lesson(
            _("The first word"),
            _(
                "Drag tiles from your rack onto the board, or click a square and type. "
                "All tiles of a turn lie in one row or column, without a gap. The "
                "first word covers the square in the middle. You read at once what it "
                "would score; press DONE to play it. Each draws a tile first: the "
                "lowest letter begins."
            ),
            partial(_seen, 0, 0),
            Task(
                _("Lay TRAIN, or another word of your tiles, over the middle."),
                is_a(Lay),
                _("That counts. Your rack is filled again from the pool."),
                _("That is a turn, too, but lay a word this time."),
            ),
        ),
        Lesson(
            _("Words that cross"),
            _(
                "Every later word touches a tile on the board. All the words that "
                "come about must be in the dictionary, across and down, and all of "
                "them count. So one tile can score in two words. When you type, type "
                "the whole word: letters that lie there already are not laid again."
            ),
            partial(_seen, 1, 1),
            Task(
                _("Make two words at once: lay a word downwards whose S ends TRAIN."),
                _is_two,
                _("TRAINS and your own word: both count."),
                _("Good, but that is one word only. The S behind TRAIN makes two."),
            ),
        ),
        Lesson(
            _("Coloured squares"),
            _(
                "Some squares double, treble or quadruple the letter laid on them, "
                "others the whole word; letters are counted first. They count only in "
                "the turn in which they are covered, but in every word made in that "
                "turn. Here TRAIN covers the double word in the middle: its 5 points "
                "count twice."
            ),
            partial(_seen, 1, 1),
            moving=1,
        ),
    )


def _further() -> tuple[Lesson, ...]:
    """Return those on what comes up later in a game, and on its end."""
    return (
        Lesson(
            _("Blanks, and the whole rack"),
            _(
                "A blank tile stands for any letter you choose when you lay it, and "
                "scores nothing. Laying a full rack at once earns 50 points more: a "
                "bingo."
            ),
            _blank,
            Task(
                _("Lay all seven tiles at once: TRAINED will do, with the blank as D."),
                _is_bingo,
                _("50 points more for the whole rack."),
                _("A good word, but it does not take all seven tiles."),
            ),
        ),
        Lesson(
            _("Exchanging tiles"),
            _(
                "If you cannot play a word, press PASS. Drag the tiles that you do "
                "not want to the discard pile, or none, and press DONE. You draw as "
                "many from the pool, and then the discarded ones go back into it. "
                "The pool must hold that many."
            ),
            partial(_seen, 2, 0),
            Task(
                _("Press PASS, discard the Q or other tiles, and press DONE."),
                _is_exchange,
                _("New tiles for old ones. Your turn is over."),
                _("You passed and kept all tiles. Discard at least one."),
            ),
        ),
        Lesson(
            _("The end"),
            _(
                "When the pool is empty, the game is over as soon as somebody has "
                "laid their last tile, or all pass. Then everybody loses the points "
                "of the tiles left on the rack, and whoever went out gains all that "
                "the others lose. The most points win. A tie goes to whoever had "
                "more before that."
            ),
            _ended,
            moving=3,
        ),
    )


def _is_two(before: State, move: AnyMove, after: State) -> bool:
    seat = before.turn
    made = len(after.lists[seat]) - len(before.lists[seat])
    return isinstance(move, Lay) and made > 1


def _is_bingo(_before: State, move: AnyMove, _after: State) -> bool:
    return isinstance(move, Lay) and len(move.laid) == len(_RACKS[0])


def _is_exchange(_before: State, move: AnyMove, _after: State) -> bool:
    return isinstance(move, Pass) and bool(move.discards)


def _given(state: State, letters: str) -> State:
    """Return the state after these tiles were drawn.

    Args:
        state: Before.
        letters: One for each tile: ? is a blank, a small one the tile of several.
    """
    field = networdz.ground(state.options)
    names = {
        face if len(face) == 1 else face[0].lower(): face for face in field.alphabet
    }
    kinds = (
        field.blank if each == "?" else field.alphabet.index(names[each])
        for each in letters
    )
    given: State = drawn(networdz, state, kinds)
    return given


def _word(state: State, cells: range, word: str) -> tuple[Seat, Lay]:
    field, seat = networdz.ground(state.options), state.turn
    rack = dict(zip(state.tiles.racks[seat], state.tiles.kinds[seat], strict=True))
    laid: list[Laid] = []
    for cell, letter in zip(cells, word, strict=True):
        if not state.letters[cell]:
            kind = field.alphabet.index(letter)
            tile = next(each for each, held in rack.items() if held == kind)
            del rack[tile]
            laid.append(Laid(cell, tile, kind))
    return seat, networdz.lay(state, seat, tuple(laid))


@cache
def _match(words: int) -> tuple[State, tuple[AnyStep, ...]]:
    """Return a match after no word, after TRAIN, or after TRAIN and SOLE."""
    state = _given(networdz.start(2, Options()), _STARTS + "".join(_RACKS))
    wide = networdz.ground(state.options).width
    across = range(wide * 7 + 4, wide * 7 + 9)
    down = range(wide * 7 + 9, wide * 11 + 9, wide)
    past: list[AnyStep] = []
    for cells, word, letters in ((across, "TRAIN", _DRAWN), (down, "SOLE", "TRNI")):
        if len(past) == words:
            break
        state, (step,) = played(networdz, state, [_word(state, cells, word)])
        past.append(step)
        state = _given(state, letters)
    return state, tuple(past)


def _ended() -> Position:
    """Return the end of a game, seen by who lays the last tile."""
    return _ended_in(spoken())


@cache
def _ended_in(language: str) -> Position:
    edition, tiles, turns = WHOLE[language]
    found = editions.find(editions.shipped()[edition])
    words = lexicon.shipped()[found.words]
    begun = networdz.start(2, Options(edition=found.digest, lexicon=words))
    state, past = _given(begun, tiles), list[AnyStep]()
    for typed, letters in turns:
        move = (state.turn, read(state, state.turn, typed))
        state, (step,) = played(networdz, state, [move])
        past.append(step)
        state = _given(state, letters)
    return Position(state, past[-1].actor, tuple(past))


@cache
def _blank() -> Position:
    """Return the first turn, with a blank on the rack."""
    letters = f"{_STARTS}{_WITH_BLANK}{_RACKS[1]}"
    return Position(_given(networdz.start(2, Options()), letters), 0)


def _seen(words: int, seat: Seat) -> Position:
    """Return the match after some words, as a seat sees it."""
    state, past = _match(words)
    return Position(state, seat, past)

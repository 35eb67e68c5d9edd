"""How Networdz is played, in six lessons (source document of Networdz)."""

from functools import cache, partial
from typing import Final, NamedTuple

from client.app.board import AnyMove, AnyStep
from client.app.lessons import Lesson, Position, Task, drawn, is_a, played
from client.networdz.whole_games import WHOLE
from client.ui.texts import _, spoken
from netplay.text.networdz import read
from rules import editions, lexicon, networdz
from rules.game import Seat
from rules.networdz import Laid, Lay, Options, Pass, State


class Taught(NamedTuple):
    """The words and tiles of the lessons in a language, of its own edition."""

    word: str
    """Covers the middle."""

    ending: str
    """The letter that may stand behind it, and begins `down`."""

    down: str
    whole: str
    """Goes on from `word` with a full rack; its last tile may be the blank."""

    other: str
    """What the second player holds besides `down`."""

    starts: str
    """The tiles drawn to see who starts: the lowest does."""

    drawn: str
    """What comes for the letters of `word`; the first is the one to be rid of."""

    refilled: str
    """What comes for those of `down`."""


_TAUGHT: Final = {
    "en": Taught("TRAIN", "S", "SOLE", "TRAINED", "UGA", "AB", "QUIOB", "TRNI"),
    "de": Taught("REISE", "N", "NASE", "REISEND", "ULG", "AB", "QUIOB", "TRNI"),
    "fr": Taught("TRAIN", "S", "SOLE", "TRAINER", "UGA", "AB", "QUIOB", "TRNI"),
    "es": Taught("CANTA", "S", "SOLO", "CANTABA", "UGA", "AB", "QUIOB", "TRNI"),
    "ru": Taught("КАРТА", "М", "МОРЕ", "КАРТАМИ", "УГА", "АБ", "ЩУИОБ", "ТРНИ"),
}


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
                _("Lay {word}, or another word of your tiles, over the middle.").format(
                    word=_taught().word
                ),
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
                _(
                    "Make two words at once: lay a word downwards whose {letter} ends "
                    "{word}."
                ).format(letter=_taught().ending, word=_taught().word),
                _is_two,
                _("{word} and your own word: both count.").format(
                    word=_taught().word + _taught().ending
                ),
                _(
                    "Good, but that is one word only. The {letter} behind {word} makes "
                    "two."
                ).format(letter=_taught().ending, word=_taught().word),
            ),
        ),
        Lesson(
            _("Coloured squares"),
            _(
                "Some squares double, treble or quadruple the letter laid on them, "
                "others the whole word; letters are counted first. They count only in "
                "the turn in which they are covered, but in every word made in that "
                "turn. Here {word} covers the double word in the middle: its {points} "
                "points count twice."
            ).format(word=_taught().word, points=_face_value(_taught().word)),
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
            partial(_blank, spoken()),
            Task(
                _(
                    "Lay all seven tiles at once: {word} will do, with the blank as "
                    "{letter}."
                ).format(word=_taught().whole, letter=_taught().whole[-1]),
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
                _(
                    "Press PASS, discard the {letter} or other tiles, and press DONE."
                ).format(letter=_taught().drawn[0]),
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
    return isinstance(move, Lay) and len(move.laid) == len(_taught().whole)


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


def _taught() -> Taught:
    return _TAUGHT[spoken()]


def _begun(language: str) -> State:
    """Return a match for two, with the tiles and words of a language."""
    found = editions.find(editions.shipped()[WHOLE[language].edition])
    words = lexicon.shipped()[found.words]
    begun: State = networdz.start(2, Options(edition=found.digest, lexicon=words))
    return begun


def _face_value(word: str) -> int:
    """Return what a word's letters count on plain squares."""
    kinds = networdz.ground(_begun(spoken()).options).edition.kinds
    points = {kind.letters: kind.points for kind in kinds}
    return sum(points[letter] for letter in word)


@cache
def _match(words: int, language: str) -> tuple[State, tuple[AnyStep, ...]]:
    """Return a match after no word, after the first, or after the one down, too."""
    taught = _TAUGHT[language]
    racks = taught.whole + taught.down + taught.other
    state = _given(_begun(language), taught.starts + racks)
    wide = networdz.ground(state.options).width
    across = range(wide * 7 + 4, wide * 7 + 9)
    down = range(wide * 7 + 9, wide * 11 + 9, wide)
    past: list[AnyStep] = []
    for cells, word, letters in (
        (across, taught.word, taught.drawn),
        (down, taught.down, taught.refilled),
    ):
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
    _edition, tiles, turns = WHOLE[language]
    state, past = _given(_begun(language), tiles), list[AnyStep]()
    for typed, letters in turns:
        move = (state.turn, read(state, state.turn, typed))
        state, (step,) = played(networdz, state, [move])
        past.append(step)
        state = _given(state, letters)
    return Position(state, past[-1].actor, tuple(past))


@cache
def _blank(language: str) -> Position:
    """Return the first turn, with a blank on the rack."""
    taught = _TAUGHT[language]
    letters = f"{taught.starts}{taught.whole[:-1]}?{taught.down}{taught.other}"
    return Position(_given(_begun(language), letters), 0)


def _seen(words: int, seat: Seat) -> Position:
    """Return the match after some words, as a seat sees it."""
    state, past = _match(words, spoken())
    return Position(state, seat, past)

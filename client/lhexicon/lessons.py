"""How Lhexicon is played, in six lessons (source document of Lhexicon)."""

import re
from functools import cache, partial
from typing import Final

from client.app.board import AnyMove, AnyStep
from client.app.lessons import Lesson, Position, Task, drawn, is_a, played
from client.ui.texts import _
from netplay.text.lhexicon import read
from rules import hexes, lhexicon
from rules.game import Seat
from rules.lhexicon import BLANK, LETTERS, Discard, Lay, Options, Placed, State, Verdict

_SIDE: Final = 6
"""The smallest board, so that each hexagon is large."""

_WORDS: Final = (
    "C(-2,0)* O(-1,0)* D(0,0)* E(1,0)* D(2,-1)*",
    "C(-2,0) R(-3,0)* U(-4,1)* E(-4,0)* L(-3,-1)*",
    "L(-3,-1) E(-2,-2)* V(-1,-2)* E(0,-2)* L(1,-2)* E(2,-2)* D(2,-1)",
)
"""CODED, CRUEL and LEVELED of the source document; new letters have a *."""

_DRAWN: Final = ("CODEDXZRUEL?AT", "EVELE", "CDPI", "STNGE")
"""The letters drawn before each of them, and after the last."""


_GAME: Final = (
    ("SKiVY H8 dddd", "EFNJA"),
    ("GIVEAWAY K7 adasdew", "RRECI"),
    ("WAFTAGES K4 qaqqwwe", "ISNUO"),
    ("GROCERIES K7 wwqaaase", "ESOECT"),
    ("CONJOINS J10 deewqaa", "YLROQE"),
    ("TRICEPSES G9 daqweeed", "DETREP"),
    ("COQUETRIES F9 qqedddase", "FUI"),
    ("COOPERAGES F9 qsssddwwe", "BION"),
    ("COPURIFY F9 asqqaas", "NIOLM"),
    ("REIDENTIFY F6 qaaawwwas", "ZITAS"),
    ("QUILLMEN D10 ewwqass", "ELUBMT"),
    ("ARABIZED G5 qsaaqqe", "HRAE"),
    ("LOBULE E12 ededs", "ALDI"),
    ("FIRESTONE A7 eqwwwddw", "MOTID"),
    ("NORMALITY L10 aseddsaa", "AWHER"),
    ("BAPS G12 sse", "E"),
    ("JEWEL M10 ddsa", "?GA"),
    ("LITHEMIA N8 sdssaqq", "XDHLN"),
    ("COOPERAGES F9 qsssdwdwe", "N"),
    ("PARABOLIZED E7 dssadaqqqe", "DV"),
    ("PARABOLIZED E7 dssadaqqqa", ""),
    ("QUILLMEN D10 ewwqase", ""),
    ("UNHAiRING H13 wedddsaw", ""),
)
"""A whole game as it was played: each word as it is typed, and what came for it."""

_GAME_DRAWN: Final = "SGYKV?TPAOGWAE"
"""Both banks at its start."""

_GAME_SIDE: Final = 8
"""The board on which all letters have room."""


def lessons() -> tuple[Lesson, ...]:
    """Return the lessons, in the language of the window."""
    return (*_first(), *_further())


def _first() -> tuple[Lesson, ...]:
    """Return the lessons that a first game takes."""
    return (
        Lesson(
            _("The first word"),
            _(
                "Drag letters from your rack onto the hexagons, one beside the other; "
                "a word may turn at every letter, but goes over no hexagon twice. "
                "Press NEXT; if they can make more than one word, click the letters "
                "of yours in spelling order. Then press DONE. The first word covers "
                "the hexagon in the middle. Each letter counts its points."
            ),
            partial(_seen, 0, 0),
            Task(
                _(
                    "Lay CODED, or another English word of your letters, over the "
                    "middle; press NEXT, then DONE."
                ),
                is_a(Lay),
                _("That is a word. New letters come from the pool."),
                _("That is a turn, too, but lay a word this time."),
            ),
        ),
        Lesson(
            _("Going on from a word"),
            _(
                "Every later word uses at least one letter that lies there already. "
                "If a new letter touches an older one, that older letter must be in "
                "the word, too. Only the one word counts that you have marked. Here "
                "CRUEL goes on from the C of CODED."
            ),
            partial(_seen, 2, 1),
            moving=1,
        ),
        Lesson(
            _("Closing a trap"),
            _(
                "A trap is a group of empty hexagons that letters wall in, so that "
                "none of them lies on the edge of the board. Closing one earns 3 "
                "points for each empty hexagon in it. LEVELED walls in four "
                "hexagons: 9 points for the word, 12 for the trap."
            ),
            partial(_seen, 3, 0),
            moving=1,
        ),
    )


def _further() -> tuple[Lesson, ...]:
    """Return those on what comes up later in a game, and on its end."""
    return (
        Lesson(
            _("Splitting a trap"),
            _(
                "A word that cuts a trap into two or more parts earns 3 points for "
                "each empty hexagon left in the parts. Just filling a trap, or "
                "making it smaller, earns nothing."
            ),
            partial(_seen, 3, 1),
            Task(
                _(
                    "Split the trap: lay C below the O and D above the middle D, then "
                    "mark CODDLE from C to E."
                ),
                _splits,
                _("9 points for the word and 9 for the three hexagons left."),
                _("That is a good word, but the trap is still in one piece."),
            ),
        ),
        Lesson(
            _("Other turns"),
            _(
                "Instead of a word you may pass, DISCARD letters for new ones, or pick "
                "up a blank that lies on the board by putting there the letter it "
                "stands for. Each takes your turn. A blank stands for any letter, "
                "counts nothing, and may even be QU."
            ),
            partial(_seen, 3, 1),
            Task(
                _("Press DISCARD, choose letters, and exchange them."),
                is_a(Discard),
                _("You get as many new letters. Your turn is over."),
                _("That is a turn, too, but discard letters this time."),
            ),
        ),
        Lesson(
            _("The end"),
            _(
                "The game is over when the pool is empty and somebody has laid their "
                "last letter, or when all players pass twice in a row. The most "
                "points win. At some tables words are not checked by the program: "
                "then your opponents may challenge one, and whoever is wrong loses a "
                "turn. If you play alone, you go on until the pool is used up."
            ),
            _ended,
            moving=3,
        ),
    )


def _splits(before: State, move: AnyMove, _after: State) -> bool:
    if not isinstance(move, Lay):
        return False
    found = lhexicon.judge_lay(before, before.turn, move)
    return isinstance(found, Verdict) and bool(found.bonus.split)


def _laid(state: State, word: str) -> Lay:
    """Return the move that lays a word of the source by whoever is on turn."""
    number, seat = hexes.numbers(state.options.side), state.turn
    tiles = state.tiles
    rack = dict(zip(tiles.racks[seat], tiles.kinds[seat], strict=True))
    laid: list[Placed] = []
    path: list[int] = []
    for face, q, r, new in re.findall(r"(\w)\((-?\d+),(-?\d+)\)(\*?)", word):
        cell, letter = number[int(q), int(r)], LETTERS.index(face)
        path.append(cell)
        if new:
            tile = next(each for each, kind in rack.items() if kind == letter)
            del rack[tile]
            laid.append(Placed(tile, cell, letter))
    return lhexicon.lay(state, laid, path)


def _given(state: State, letters: str) -> State:
    """Return the state after these letters were drawn; ? is a blank."""
    kinds = (BLANK if each == "?" else LETTERS.index(each) for each in letters)
    given: State = drawn(lhexicon, state, kinds)
    return given


@cache
def _after(words: int) -> tuple[State, tuple[AnyStep, ...]]:
    """Return the source document's match after some words, and how they were laid."""
    state, told = lhexicon.start(2, Options(side=_SIDE)), list[AnyStep]()
    for word, letters in zip(("", *_WORDS[:words]), _DRAWN, strict=False):
        if word:
            move = (state.turn, _laid(state, word))
            state, (step,) = played(lhexicon, state, [move])
            told.append(step)
        state = _given(state, letters)
    return state, tuple(told)


def _seen(words: int, seat: Seat) -> Position:
    """Return the match after some words, as a seat sees it."""
    state, told = _after(words)
    return Position(state, seat, told)


@cache
def _ended() -> Position:
    """Return the end of a game, seen by who lays the last letter."""
    start = lhexicon.start(2, Options(side=_GAME_SIDE))
    state, past = _given(start, _GAME_DRAWN), list[AnyStep]()
    for words, letters in _GAME:
        move = (state.turn, read(state, state.turn, words))
        state, (step,) = played(lhexicon, state, [move])
        past.append(step)
        state = _given(state, letters)
    return Position(state, past[-1].actor, tuple(past))

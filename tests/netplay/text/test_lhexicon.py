"""Lhexicon drawn in a terminal."""

import pytest

from netplay.text.lhexicon import board, line
from rules import hexes, lhexicon, tiles
from rules.game import CHANCE, CLOCK, Resign
from rules.lhexicon import (
    Accept,
    Challenge,
    Discard,
    Expire,
    Insist,
    Move,
    Options,
    Pass,
    Withdraw,
)
from rules.lhexicon import cells as notation
from tests.rules.lhexicon import matches, worked

NAMES = ("Ann", "Bob")


def _leveled() -> lhexicon.State:
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    state = matches.give(matches.lay(state, worked.CRUEL), "DAAA")
    return matches.give(matches.lay(state, worked.LEVELED), "?AABB")


def test_the_board_shows_words_and_trap_as_the_document_does() -> None:
    rows = [row.rstrip() for row in board(_leveled()).splitlines()]
    assert rows[10:18] == [
        "12  ·   ·   ·   E   ·   ·   ·   ·   ·",
        "11    ·   ·   L   V   ·   ·   ·   ·",
        "11  ·   ·   E   *   E   ·   ·   ·   ·",
        "10    ·   ·   R   *   L   ·   ·   ·",
        "10  ·   ·   U   C   *   E   ·   ·   ·",
        " 9    ·   ·   ·   O   *   ·   ·   ·",
        " 9  ·   ·   ·   ·   D   D   ·   ·   ·",
        " 8    ·   ·   ·   ·   E   ·   ·   ·",
    ]
    assert rows[33] == "    A B C D E F G H I J K L M N O P Q"


def test_a_reader_names_each_cell_by_the_letter_below_and_the_number_beside() -> None:
    for side in (6, 9, 10):
        state = lhexicon.start(2, Options(side=side))
        rows = board(state).splitlines()
        lines = 4 * (side - 1) + 1
        letters = rows[lines]
        cells: dict[str, tuple[int, int]] = {}
        for down, row in enumerate(rows[:lines]):
            for across in range(4, len(row)):
                if row[across] != " ":
                    cells[f"{letters[across]}{int(row[:2])}"] = across, down
        assert set(cells) == set(notation.cells(side))
        # As in the window: half a cell down is a line, one column right two places.
        across, down = cells[notation.cell_name(side, len(cells) // 2)]
        for name, spot in cells.items():
            q, r = hexes.hexagon(side)[notation.cells(side)[name]]
            assert spot == (across + 2 * q, down + 2 * r + q)


def test_racks_scores_and_bank_are_what_the_view_knows() -> None:
    lines = board(lhexicon.view(_leveled(), 1)).splitlines()
    assert lines[-3:] == [
        "  Player 1:   29   ▯ ▯ ▯ ▯ ▯ ▯ ▯",
        "> Player 2:    9   C P A D A A A",
        "Letters left in the pool: 72",
    ]
    gone = board(lhexicon.play(_leveled(), 0, Resign())).splitlines()
    assert gone[-3] == "  Player 1:   29   I J ? A A B B  (resigned)"


def test_the_centre_is_marked_until_it_is_covered_and_blanks_are_small() -> None:
    state = matches.begin("?ITAAAA", options=Options(lexicon=matches.small("QUIT")))
    assert "+" in board(state).splitlines()[16]
    laid, path = matches.placed(state, 0, "q(0,0)* I(1,0)* T(2,0)*")
    quit_ = [lhexicon.Placed(laid[0].tile, path[0], lhexicon.QU), *laid[1:]]
    state = lhexicon.play(state, 0, lhexicon.lay(state, quit_, path))
    rows = board(state).splitlines()
    assert rows[16] == " 9  " + "   ".join("····") + "   qu  ·   ·   ·   ·"
    assert rows[17] == " 8    " + "   ".join("····I···")
    assert rows[18] == " 8  " + "   ".join("·····T···")


def _told(state: lhexicon.State, actor: int, move: Move) -> str:
    lhexicon.play(state, actor, move)
    return line(lhexicon.view(state, None), actor, move, NAMES)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        (worked.CODDLE, "Bob lays CODDLE from H8 = 18 (splits off 2 traps of 3)"),
        (worked.PLEADED, "Bob lays PLEADED from K11 = 10"),
    ],
)
def test_a_word_is_told_with_its_points_and_traps(word: str, told: str) -> None:
    state = _leveled()
    laid, path = matches.placed(state, 1, word)
    assert _told(state, 1, lhexicon.lay(state, laid, path)) == told


def test_a_trap_closed_is_told() -> None:
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    state = matches.give(matches.lay(state, worked.CRUEL), "DAAA")
    laid, path = matches.placed(state, 0, worked.LEVELED)
    move = lhexicon.lay(state, laid, path)
    told = "Ann lays LEVELED from F11 = 21 (closes 1 trap of 4)"
    assert _told(state, 0, move) == told
    assert line(state, 1, move, NAMES).startswith("Bob tries a word: ")


def test_the_other_moves_are_told() -> None:
    state = matches.begin("?ODEDIJ", "CODEDAA", options=Options(timed=3))
    rack = state.tiles.racks[0]
    assert _told(state, 0, Discard(rack[:1])) == "Ann discards 1 letter"
    assert _told(state, 0, Discard(rack)) == "Ann discards 7 letters"
    assert _told(state, 0, Pass()) == "Ann passes"
    assert _told(state, 1, Resign()) == "Bob resigns"
    assert _told(state, CLOCK, Expire()) == "Ann loses the turn: the time is over"
    state = matches.lay(state, "c(-2,0)* O(-1,0)* D(0,0)* E(1,0)* D(2,-1)*")
    state = matches.give(state)
    cell = hexes.numbers(9)[-2, 0]
    move = matches.swap(state, 1, "C", cell)
    assert _told(state, 1, move) == "Bob picks up 1 blank"


def test_answers_to_a_word_are_told() -> None:
    options = Options(challenge=True, timed=3)
    state = matches.begin("CODEDIJ", "CODEDAA", options=options)
    state = matches.lay(state, worked.CODED)
    assert _told(state, 1, Accept()) == "Bob accepts the word"
    assert _told(state, 1, Challenge()) == "Bob challenges the word"
    assert _told(state, CLOCK, Expire()) == "Nobody challenges the word in time"
    assert board(state, NAMES).splitlines()[-1] == (
        "CODED is announced for 8: Bob may accept or challenge it"
    )


@pytest.mark.parametrize(
    ("word", "end"),
    [
        (worked.CODED, ": it is right, Bob loses a turn"),
        ("J(0,0)* I(1,0)* D(2,0)*", ": it is wrong, Ann takes it back"),
    ],
)
def test_what_is_said_to_a_challenge_is_told_with_the_dictionary_s_answer(
    word: str, end: str
) -> None:
    options = Options(challenge=True, timed=3)
    state = matches.begin("CODEDIJ", "CODEDAA", options=options)
    state = lhexicon.play(matches.lay(state, word), 1, Challenge())
    assert board(state, NAMES).endswith(
        ", and challenged by Bob: Ann may withdraw it or stand by it"
    )
    assert _told(state, 0, Withdraw()) == "Ann withdraws the word"
    assert _told(state, 0, Insist()) == f"Ann stands by the word{end}"
    late = _told(state, CLOCK, Expire())
    assert late == f"Ann does not withdraw the word in time{end}"


def test_a_letter_drawn_is_told_to_its_owner_alone() -> None:
    state = lhexicon.start(2, Options())
    move = tiles.Reveal(0, lhexicon.BLANK)
    assert line(lhexicon.view(state, 0), CHANCE, move, NAMES) == "Ann draws ?"
    hidden = lhexicon.mask(state, CHANCE, move, 1)
    assert line(lhexicon.view(state, 1), CHANCE, hidden, NAMES) == "Ann draws ▯"


def test_names_that_are_known_stand_before_the_scores() -> None:
    rows = board(_leveled(), ("Al", "Beatrix")).splitlines()
    assert {row[2:10] for row in rows[-3:-1]} == {"Al:     ", "Beatrix:"}

"""Editions: the shipped ones, the file format and its errors, the bytes that travel."""

import hashlib
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import editions
from rules.editions import Edition, EditionError, Kind

GOOD = '''name = "mini"
title = "Mini"
language = "en"
words = "english"
longest = 5
rack = 3
bingo = 20
blanks = 1

[tiles]
"A" = [3, 1]
CH = [2, 5]

[board]
start = [2, 2]
rows = """
.  .  .  .  .
.  L4 .  W4 .
.  .  .  .  .
.  ## .  .  .
.  .  .  .  .
"""

[colours]
tile = "#f0e0c0"
'''
NAMES = ("french", "german", "networdz", "russian", "spanish", "standard")


def _refused(old: str, new: str) -> str:
    assert GOOD.count(old) >= 1
    with pytest.raises(EditionError) as caught:
        editions.read(GOOD.replace(old, new, 1))
    return str(caught.value)


def test_six_editions_are_shipped() -> None:
    assert tuple(editions.shipped()) == NAMES


@pytest.mark.parametrize(
    ("name", "total", "points"),
    [
        ("networdz", 100, 191),
        ("standard", 100, 187),
        ("french", 102, 197),
        ("german", 102, 202),
        ("spanish", 100, None),
        ("russian", 104, None),
    ],
)
def test_a_shipped_edition_has_its_tiles(
    name: str, total: int, points: int | None
) -> None:
    edition = editions.load(name)
    assert edition.name == name
    assert sum(edition.counts) == total
    assert edition.kinds[edition.blank] == Kind("?", 2, 0)
    assert (edition.rack, edition.bingo) == (7, 50)
    if points is not None:
        assert sum(kind.count * kind.points for kind in edition.kinds) == points


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_board_is_symmetric_and_starts_in_the_middle(name: str) -> None:
    edition = editions.load(name)
    board = edition.board
    assert (edition.height, edition.width) == (15, 15)
    assert board == board[::-1] == tuple(row[::-1] for row in board)
    assert edition.start == (7, 7)
    assert board[7][7] == "W2"


def test_the_networdz_board_has_the_pictured_corner_and_letters() -> None:
    edition = editions.load("networdz")
    assert edition.board[0][:7] == ("W3", ".", ".", ".", "L2", ".", ".")
    assert edition.board[1][:7] == (".", "W2", ".", ".", ".", ".", "L3")
    assert edition.board[6][:7] == (".", "L3", ".", ".", ".", ".", "L3")
    points = {kind.letters: kind.points for kind in edition.kinds}
    assert (points["A"], points["B"], edition.longest) == (1, 4, 12)
    assert editions.load("standard").longest == 15


def test_spanish_has_digraphs_and_german_has_umlauts_as_tiles() -> None:
    assert {"CH", "LL", "RR", "Ñ"} <= set(editions.load("spanish").alphabet)
    assert {"Ä", "Ö", "Ü"} <= set(editions.load("german").alphabet)
    assert len(editions.load("russian").alphabet) == 33


def test_a_premium_square_multiplies_a_letter_or_a_word() -> None:
    squares = (".", "L2", "L3", "L4", "W2", "W3", "W4")
    assert [editions.letter_factor(square) for square in squares] == [
        *(1, 2, 3, 4, 1, 1, 1)
    ]
    assert [editions.word_factor(square) for square in squares] == [
        *(1, 1, 1, 1, 2, 3, 4)
    ]


def test_a_file_says_all_of_an_edition() -> None:
    assert editions.read(GOOD) == Edition(
        name="mini",
        title="Mini",
        language="en",
        words="english",
        longest=5,
        rack=3,
        bingo=20,
        kinds=(Kind("A", 3, 1), Kind("CH", 2, 5), Kind("?", 1, 0)),
        board=(
            (".",) * 5,
            (".", "L4", ".", "W4", "."),
            (".",) * 5,
            (".", "##", ".", ".", "."),
            (".",) * 5,
        ),
        start=(2, 2),
        colours=(("tile", "#f0e0c0"),),
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rack = 3", "rack = 0", "line 6: rack: must be from 1 to 12"),
        ("rack = 3", "rack = 13", "line 6: rack: must be from 1 to 12"),
        ("longest = 5", "longest = 1", "line 5: longest: must be from 2 to 32"),
        ("bingo = 20", "bingo = -1", "line 7: bingo: must be from 0 to 1000"),
        ("blanks = 1", "blanks = -1", "line 8: blanks: must be from 0 to 400"),
        ("rack = 3", 'rack = "3"', "line 6: rack: write a whole number"),
        ("rack = 3", "rack = [", "line 7: Invalid value"),
        ("rack = 3\n", "", "line 1: rack is missing"),
        ("rack = 3", "reck = 3", "line 6: reck: there is no such key"),
        ("start = [2, 2]", "stort = 1", "line 15: board.stort: there is no such key"),
        ('"mini"', '"Mini"', "line 1: name: write up to 32 of a-z, 0-9, - and _"),
        ('"mini"', '"../x"', "line 1: name: write up to 32 of"),
        ('"english"', '""', "line 4: words: write up to 32 of"),
        ('"Mini"', '""', "line 2: title: write 1 to 60 printable characters"),
        ('"Mini"', '"M\\u200bini"', "line 2: title: write 1 to 60 printable"),
        ('"Mini"', '"e\\u0301"', "line 2: title: write 1 to 60 printable"),
        ('"en"', '"English"', "line 3: language: write a language as two or three"),
        ("CH = [2, 5]", "CH = [2]", "line 12: tiles.CH: write [how many, points]"),
        ("CH = [2, 5]", "CH = 2", "line 12: tiles.CH: write [how many, points]"),
        ("CH = [2, 5]", "CH = [true, 1]", "line 12: tiles.CH: write [how many"),
        ("CH = [2, 5]", "CH = [2, 101]", "line 12: tiles.CH: write [0-400 tiles"),
        ("CH = [2, 5]", "CH = [-1, 1]", "line 12: tiles.CH: write [0-400 tiles"),
        ("CH = [2, 5]", "ch = [2, 5]", "line 12: tiles.ch: letters are capitals"),
        ("CH =", '"" =', "line 10: tiles.: a tile has 1 to 4 letters"),
        ("CH =", "'?' =", "line 12: tiles.?: a tile has 1 to 4 letters"),
        ("CH =", "CHCHC =", "line 12: tiles.CHCHC: a tile has 1 to 4 letters"),
        ("CH = [2, 5]", "CH = [399, 5]", "line 10: tiles: there are more than 400"),
        ("start = [2, 2]", "start = [5, 2]", "line 15: board.start: must be a [row"),
        ("start = [2, 2]", "start = [2, -1]", "line 15: board.start: must be a [row"),
        ("start = [2, 2]", "start = [3, 1]", "line 15: board.start: must not be a"),
        (
            ".  L4 .  W4 .",
            ".  L5 .  W4 .",
            "line 18: board.rows.1: 'L5' is none of . ## L2 L3 L4 W2 W3 W4",
        ),
        (
            ".  ## .  .  .",
            ".  ## .  .",
            "line 20: board.rows.3: a row has 5 to 40 squares",
        ),
        (
            ".  ## .  .  .",
            ".  ## .  .  . .",
            "line 20: board.rows.3: has 6 squares, the first row 5",
        ),
        (".  ## .  .  .\n", "", "line 16: board.rows: there must be 5 to 40 rows"),
        ('"#f0e0c0"', '"red"', "line 25: colours.tile: write a colour as #rrggbb"),
        ("tile =", "tiles =", "line 25: colours.tiles: colours are square, L2"),
        ("tile =", "tile = 1 #", "line 24: colours: write a text in quotes"),
        ("CH = [2, 5]", '"A" = [2, 5]', "line 12: the key has been there before"),
        ("rack = 3", "rack = 3.5", "line 6: rack: write a whole number"),
        ("rack = 3", "rack = true", "line 6: rack: write a whole number"),
        ("rack = 3", "rack = 2024-01-01", "line 6: rack: write a whole number"),
        ('"mini"', "3", "line 1: name: write a text in quotes"),
        ("start = [2, 2]", "start = [2]", "line 15: board.start: write [row, column]"),
        ("start = [2, 2]", 'start = "mid"', "line 15: board.start: write [row, colu"),
        ("start = [2, 2]\n", "", "line 14: board: start is missing"),
        ("[board]", "[bord]", "line 14: bord: there is no such key"),
        ('"A" = [3, 1]\nCH = [2, 5]', "", "line 10: tiles: there must be 1 to 128"),
    ],
)
def test_a_faulty_file_names_the_line_and_the_reason(
    old: str, new: str, message: str
) -> None:
    assert _refused(old, new).startswith(message)


def test_a_file_of_one_kind_of_tile_only_is_refused() -> None:
    text = GOOD.replace("blanks = 1", "blanks = 0").replace("[2, 5]", "[0, 5]")
    with pytest.raises(EditionError, match="line 10: tiles: there must be two tiles"):
        editions.read(text)


def test_a_file_that_breaks_off_names_its_last_line() -> None:
    with pytest.raises(EditionError, match="line 22: "):
        editions.read(GOOD[: GOOD.rindex('"""')])
    with pytest.raises(EditionError, match=re.escape("line 1: ")):
        editions.read("name")


def test_text_that_is_no_table_of_tiles_names_a_line() -> None:
    with pytest.raises(EditionError, match="line 10: tiles: write a table"):
        editions.read(GOOD[: GOOD.index("[tiles]")] + "tiles = 3\nboard = 3\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "[[[[",
        "a" * 10_000,
        f"x = {'[' * 5000}",
        'name = "\\ud800"',
        "x = 1e999",
    ],
    ids=lambda text: text[:9],
)
def test_nothing_but_a_sentence_comes_of_rubbish(text: str) -> None:
    with pytest.raises(EditionError, match=r"^line 1: \w"):
        editions.read(text)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_reads_the_same(name: str) -> None:
    edition = editions.load(name)
    assert editions.read(editions.write(edition)) == edition


def test_colours_are_written_too() -> None:
    edition = editions.read(GOOD)
    assert editions.read(editions.write(edition)) == edition


@pytest.mark.parametrize("name", NAMES)
def test_an_edition_survives_the_wire_and_is_named_by_its_bytes(name: str) -> None:
    edition = editions.load(name)
    data = editions.encode(edition)
    assert editions.decode(data) == edition
    assert edition.digest == hashlib.sha256(data).hexdigest()
    assert editions.find(edition.digest) == edition


def test_a_registered_edition_is_found_by_its_digest() -> None:
    edition = replace(editions.read(GOOD), title="Registered")
    with pytest.raises(LookupError):
        editions.find(edition.digest)
    editions.register(edition)
    assert editions.find(edition.digest) == edition


def test_an_edition_that_is_not_shipped_is_not_loaded() -> None:
    with pytest.raises(LookupError):
        editions.load("../networdz")


@given(st.binary(max_size=200))
def test_hostile_bytes_are_refused_with_the_one_error(data: bytes) -> None:
    with pytest.raises(EditionError):
        editions.decode(data)


@given(st.data())
def test_one_changed_byte_never_yields_the_same_edition(data: st.DataObject) -> None:
    encoded = bytearray(editions.encode(editions.read(GOOD)))
    place = data.draw(st.integers(0, len(encoded) - 1))
    encoded[place] ^= data.draw(st.integers(1, 255))
    try:
        edition = editions.decode(bytes(encoded))
    except EditionError:
        return
    assert edition != editions.read(GOOD)
    assert editions.encode(edition) == bytes(encoded)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (bytes(40_000), "too long"),
        (b"\x93\x01\x02\x03", "not an edition"),
        (b"\xa4", "not an edition"),
    ],
)
def test_bytes_that_are_no_edition_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(EditionError, match=message):
        editions.decode(data)


def test_a_peers_edition_is_held_to_the_same_rules() -> None:
    small = editions.read(GOOD)
    for faulty, message in (
        (replace(small, rack=99), "rack: must be from 1 to 12"),
        (replace(small, board=()), "board.rows: there must be"),
        (replace(small, board=((),) * 5), "a row has 5 to 40"),
        (replace(small, kinds=(Kind("?", 1, 0),)), "1 to 128 letters"),
        (replace(small, kinds=(*small.kinds[:-1], Kind("!", 1, 0))), "blanks"),
        (replace(small, kinds=(small.kinds[0], *small.kinds)), "each tile another"),
        (replace(small, colours=small.colours * 2), "colours are"),
    ):
        with pytest.raises(EditionError, match=message):
            editions.decode(editions.encode(faulty))


def test_an_editor_is_told_all_that_is_wrong() -> None:
    small = editions.read(GOOD)
    faulty = replace(small, rack=99, kinds=(), board=(), bingo=-1)
    assert [problem.key for problem in editions.problems(faulty)] == [
        *("rack", "bingo", "tiles", "board.rows")
    ]
    assert not list(editions.problems(small))


def test_an_edition_has_one_encoding_only() -> None:
    small = editions.read(GOOD)
    fields = msgspec.msgpack.decode(editions.encode(small))
    assert fields[-1]
    short = msgspec.msgpack.encode(fields[:-1])
    with pytest.raises(EditionError, match="one allowed form"):
        editions.decode(short)


def test_every_shipped_edition_is_a_file_beside_the_module() -> None:
    folder = Path(editions.__file__).parent
    assert {path.stem for path in folder.glob("*.toml")} == set(NAMES)

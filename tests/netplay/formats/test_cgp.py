"""Positions as other programs write them."""

import pytest

from netplay.formats import cgp
from netplay.formats.meant import Names
from rules import editions, lexicon, networdz

EMPTY = "/".join(["15"] * 15)


def ground(name: str = "standard") -> networdz.Ground:
    edition = editions.find(editions.shipped()[name])
    words = lexicon.shipped()[edition.words]
    return networdz.ground(networdz.Options(edition=edition.digest, lexicon=words))


@pytest.mark.parametrize(
    "line",
    [f"{EMPTY} AEINRST/ 0/0 0", f"{'15/' * 7}4HeLLO6/{'15/' * 6}15 AB?/QZ 12/-5 3"],
)
def test_a_position_reads_and_writes_back_the_same(line: str) -> None:
    position = cgp.read(line, ground())

    assert cgp.write(position, ground()) == line


def test_letters_of_two_characters_stand_in_brackets() -> None:
    spanish = ground("spanish")
    line = f"{'15/' * 7}5[CH]A[ll]O6/{'15/' * 6}15 [RR]N/ 0/0 0"

    position = cgp.read(line, spanish)

    assert cgp.write(position, spanish) == line
    assert position.letters.count(0) == 225 - 4


def test_what_follows_the_four_fields_is_kept() -> None:
    assert cgp.read(f"{EMPTY} A/B 0/0 0 lex X; ld y;", ground()).rest == "lex X; ld y;"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("15/15", "has a board, racks"),
        ("15/15 A/ 0/0 0", "15 rows, the line 2"),
        (f"14/{'15/' * 13}15 A/ 0/0 0", "row 1 has 14 squares, not 15"),
        (f"99/{'15/' * 13}15 A/ 0/0 0", "row 1 is too long"),
        (f"14Ж/{'15/' * 13}15 A/ 0/0 0", "row 1 has 'Ж'"),
        (f"{EMPTY} A5/ 0/0 0", "the rack has '5'"),
        (f"{EMPTY} ABCDEFGH/ 0/0 0", "at most 7 tiles"),
        (f"{EMPTY} A/ x/0 0", "'x' is no number"),
    ],
)
def test_a_faulty_line_says_which_part_and_why(line: str, reason: str) -> None:
    with pytest.raises(cgp.CgpError, match=reason):
        cgp.read(line, ground())


def test_more_tiles_than_the_edition_has_are_said_and_no_reason_to_refuse() -> None:
    position = cgp.read(f"{'15/' * 7}5QQ8/{'15/' * 6}15 Z/Z 0/0 0", ground())

    said = [each.values for each in cgp.surplus(position, ground())]
    assert said == [{"used": "2", "letters": each, "count": "1"} for each in "QZ"]


def test_operations_name_tiles_board_words_and_rules() -> None:
    rest = "bdn CrosswordGame; lex CSW21;ld english ; var classic; cr 5pt;"
    line = f"{EMPTY} A/B 0/0 0 {rest}"

    assert cgp.names(line) == Names("english", "CrosswordGame", "CSW21", "classic")
    assert cgp.names(f"{EMPTY} A/") == Names()

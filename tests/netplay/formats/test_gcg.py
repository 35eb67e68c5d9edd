"""Game records of other programs: each kind of line, in and out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.formats import gcg
from netplay.formats.gcg import GcgError
from netplay.formats.scoring import replayed, state
from netplay.formats.sheet import Kind, Sheet, from_bytes, to_bytes

PLAYERS = "#player1 ann Ann Example\n#player2 ben Ben Example\n"

WHOLE = """\
#character-encoding UTF-8
#player1 ann Ann Été
#player2 ben Ben
#title A game by hand
#description Two people,
one board.
#lexicon CSW21
#id netplay example/1
>ann: CEHORSS 8D CHORE +26 26
#note a good start
with a second line
>ben: AINRST? H8 .NTRAIzS +74 74
>ben: AINRST? -- -74 0
#note no such word
>ann: ABILSSU 8D .....S +11 37
>ann: ENSTUUW (challenge) +5 42
>ben: AINRST? -AIN +0 0
>ann: ENSTUUW - +0 42
>ben: DINPTT? -2 +0 0
>ann: ENSTUUW D8 .UTES +14 56 CUTES
>ben: DINPTT? (time) -10 -10
>ben: DINPTT? (DINPTT?) -9 -19
>ann: (DINPTT?) +9 65
"""


def read(text: str) -> Sheet:
    return gcg.read(text.encode())


def test_a_record_with_each_kind_of_line_reads_and_writes_back_the_same() -> None:
    sheet = read(WHOLE)

    assert {event.kind for event in sheet.events} == set(Kind)
    assert gcg.write(sheet).decode() == WHOLE
    assert from_bytes(to_bytes(sheet)) == sheet


def test_latin_1_is_what_a_record_is_in_unless_it_says_otherwise() -> None:
    text = "#player1 é Zoé\n#player2 b B\n>é: CAT 8H CAT +10 10\n"

    plain = gcg.read(text.encode("latin-1"))
    said = gcg.read(("#character-encoding ISO-8859-1\n" + text).encode("latin-1"))

    assert plain.players == said.players == (("é", "Zoé"), ("b", "B"))
    assert gcg.write(plain) == text.encode("latin-1")
    assert gcg.write(said).startswith(b"#character-encoding ISO-8859-1\n#player1 \xe9 ")


def test_utf_8_is_known_without_being_named_and_named_when_written() -> None:
    sheet = read("#player1 ж Женя\n#player2 b B\n")

    assert sheet.players[0] == ("ж", "Женя")
    assert gcg.write(sheet).split()[:2] == [b"#character-encoding", b"UTF-8"]


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("named", ["UTF-8", "ISO-8859-1", ""])
def test_any_line_ending_and_a_byte_order_mark_will_do(ending: str, named: str) -> None:
    """Behind such a mark comes UTF-8, whatever is said there."""
    first, rest = WHOLE.split("\n", 1)
    text = first.replace("UTF-8", named) + "\n" + rest if named else rest
    data = b"\xef\xbb\xbf" + text.replace("\n", ending).encode()

    found = gcg.read(data)

    assert (found.players, found.events) == (read(WHOLE).players, read(WHOLE).events)


@pytest.mark.parametrize(
    ("word", "written"),
    [(".UTES", ".UTES"), ("(C)UTES", ".UTES"), ("CUTES", ".UTES"), ("cUTES", ".UTES")],
)
def test_letters_that_lie_there_are_written_in_three_ways(
    word: str, written: str
) -> None:
    game = f"{PLAYERS}>ann: CHORE 8D CHORE +26 26\n>ben: ESTU d8 {word} +14 14\n"

    sheet = read(game)

    assert (sheet.events[1].where, sheet.events[1].tiles) == ("D8", written)


def test_tiles_of_several_letters_stand_in_brackets() -> None:
    game = f"{PLAYERS}#tile-set spanish\n>ann: [LL]AMA?EO 8G [LL]A[ch]A +20 20\n"

    taken = gcg.take(game.replace("A?EO", "A?AO").encode())

    assert [text for _, text in taken.remarks] == []
    assert "8G [LL]A[ch]A" in gcg.write(taken.sheet).decode()


def test_racks_at_the_end_of_an_unfinished_record_are_kept() -> None:
    game = f"{PLAYERS}#incomplete\n>ann: CHORE 8D CHORE +26 26\n#rack1 AB\n#rack2 Q?\n"

    sheet = read(game)

    assert sheet.left == ("AB", "Q?")
    assert gcg.write(sheet).decode() == game


def test_racks_in_front_of_a_move_count_for_nothing_and_are_remarked_on() -> None:
    lines, plain = WHOLE.splitlines(keepends=True), gcg.take(WHOLE.encode())
    for at, line in enumerate(lines):
        if line.startswith(">"):
            odd = "".join((*lines[:at], "#rack1 A\n", "#rack2 ?\n", *lines[at:]))
            taken = gcg.take(odd.encode())
            assert taken.sheet == plain.sheet
            assert len(taken.remarks) > len(plain.remarks)


FIRST = f"{PLAYERS}>ann: CHORESS 8D CHORE +26 26\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "#player1 and #player2 come before"),
        ("#character-encoding KOI8\n", 1, "UTF-8 or ISO-8859-1, not 'KOI8'"),
        (f"{PLAYERS}#character-encoding UTF-8\n", 3, "belongs on the first line"),
        ("#player1 a A\n#player1 b B\n", 2, "named once"),
        ("#player1 a A\n#player2 a B\n", 2, "no two the same"),
        ("#player2 a A\n>a: AB - +0 0\n", 2, "come before the moves"),
        (f"{PLAYERS}hello\n", 3, "begins with > or #"),
        (f"{PLAYERS}# x\n", 3, "a keyword is missing"),
        (f"{PLAYERS}>ann AB\n", 3, "a nickname and a colon"),
        (f"{PLAYERS}>eve: AB - +0 0\n", 3, "nobody is called 'eve'"),
        (f"{PLAYERS}>ann: CAT\n", 3, "what the player did is missing"),
        (f"{PLAYERS}>ann: CAT 8H CAT\n", 3, "the points and the total are missing"),
        (f"{PLAYERS}>ann: CAT CAT 8H +1 1\n", 3, "'CAT' is neither a square"),
        (f"{PLAYERS}>ann: CAT 7G CAT +5 5\n", 3, "must cover center square"),
        (f"{PLAYERS}>ann: C1T 8H CAT +10 10\n", 3, "'1' is no tile"),
        (f"{PLAYERS}>ann: A 8H A +2 2\n", 3, "at least two letters"),
        (f"{PLAYERS}>ann: CAT 8Z CAT +9 9\n", 3, "there is no square 8Z"),
        (f"{PLAYERS}>ann: CAT 8N CAT +9 9\n", 3, "over the edge"),
        (f"{PLAYERS}>ann: CAT 8H (CAT +9 9\n", 3, "parentheses"),
        (f"{PLAYERS}>ann: CAT 8H .AT +9 9\n", 3, "no letter at 8H yet"),
        (f"{PLAYERS}>ann: CAT 8H C8T +9 9\n", 3, "'8' is no letter"),
        (
            f"{PLAYERS}#tile-set klingon\n",
            3,
            "no edition with the tiles 'klingon' here",
        ),
        (f"{FIRST}>ann: CAT - +0 26\n", 4, "the other player's turn"),
        (f"{FIRST}>ben: CAT A1 CAT +5 5\n", 4, "Tiles are not connected"),
        (f"{FIRST}>ben: CAT E8 CAT +5 5\n", 4, "at 8E lies H, not C"),
        (f"{FIRST}>ben: CAT 8D CHORE +5 5\n", 4, "no tile is laid"),
        (f"{FIRST}>ben: CAT -- -26 -26\n", 4, "no play of that player's"),
        (f"{FIRST}>ann: CAT (time) +5 31\n", 4, "time costs points"),
        (f"{FIRST}>ann: (AB) +4 30\n>ben: A - +0 0\n", 5, "the game was over"),
        (f"{FIRST}#player3 c C\n", 4, "before the first move"),
        (f"{FIRST}#tile-set french\n", 4, "before the first move"),
        (f"{FIRST}#rack3 A\n", 4, "there is no player 3"),
        ("#player1 a A\n#rack1 A\n#player2 b B\n", 3, "before the first move"),
    ],
)
def test_a_faulty_record_is_refused_with_its_line_and_the_reason(
    text: str, line: int, reason: str
) -> None:
    with pytest.raises(GcgError, match=reason) as caught:
        read(text)

    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


TWO = f"{FIRST}>ben: ABDEGRT - +0 0\n"


@pytest.mark.parametrize(
    ("text", "line", "remark"),
    [
        (f"{PLAYERS}>ann: CAT 8H CAT +9 9\n", 3, "scores 10 (CAT 10), not 9"),
        (f"{PLAYERS}>ann: CAT 8H CAT +10 11\n", 3, "total is 11, but +10 makes 10"),
        (f"{PLAYERS}>ann: CAT 8H CAB +14 14\n", 3, "played are not on the rack"),
        (f"{PLAYERS}>ann: ABCDEFGH - +0 0\n", 3, "at most 7 tiles, not 8"),
        (f"{PLAYERS}>ann: QQ - +0 0\n", 3, "2 tiles Q, but there are 1"),
        (f"{PLAYERS}>ann: 8H JOJO +48 48\n", 3, "2 tiles J, but there are 1"),
        (f"{PLAYERS}>ann: AB - +3 3\n", 3, "scores nothing"),
        (f"{PLAYERS}>ann: AB -C +0 0\n", 3, "exchanged are not on the rack"),
        (f"{PLAYERS}>ann: AB -5 +0 0\n", 3, "5 tiles cannot be exchanged from 2"),
        (f"{FIRST}>ann: CHORESS -- -20 6\n", 4, "scored 26, not 20"),
        (f"{FIRST}>ann: CHORETZ -- -26 0\n", 4, "S were kept"),
        (f"{TWO}>ann: AEIOTUN - +0 26\n", 5, "the tiles SS were kept"),
        (f"{FIRST}>ben: QZ - +0 0\n>ann: SSQ - +0 26\n", 5, "2 tiles Q"),
        (f"{FIRST}>ann: (AB) +5 31\n", 4, "are worth 4, not 5"),
        (f"{FIRST}>ann: (AB) +4 30\n", 4, "95 tiles are not on the board, not 2"),
        (f"{FIRST}#rack1 QQ\n", 4, "2 tiles Q"),
        (f"{FIRST}#rack1 AEIOTUN\n", 4, "the tiles SS were kept"),
    ],
)
def test_what_people_count_wrongly_is_taken_as_it_stands_and_remarked_on(
    text: str, line: int, remark: str
) -> None:
    taken = gcg.take(text.encode())

    assert any(at == line and remark in said for at, said in taken.remarks)
    assert gcg.write(taken.sheet).decode() == text
    assert from_bytes(to_bytes(taken.sheet)) == taken.sheet
    found = replayed(taken.sheet)
    assert any(remark in said for _, said in found.remarks)
    for number, position in enumerate(found.positions):
        state(found.sheet, position, number)


def test_the_tiles_of_a_withdrawn_play_count_until_it_is_withdrawn() -> None:
    text = (
        f"{PLAYERS}>ann: JQXZKAA 8D JAQKZAX +152 152\n>ann: JQXZKAA -- -152 0\n"
        ">ben: EEEEEEE - +0 0\n>ann: JQXZKAA 8G ZA +22 22\n"
    )

    assert not gcg.take(text.encode()).remarks


def test_the_rack_before_a_play_may_be_said_by_its_challenge_alone() -> None:
    text = (
        f"{PLAYERS}>ann: 8H CAT +10 10\n>ann: CATSSEE (challenge) +5 15\n"
        ">ben: - +0 0\n>ann: SSEEAIN - +0 15\n"
    )

    assert not gcg.take(text.encode()).remarks


@given(
    st.lists(
        st.sampled_from(("- +0", "-2 +0", *["no good"] * 3, "play")),
        min_size=6,
        max_size=22,
    )
)
def test_the_seventh_turn_in_a_row_without_points_is_remarked_on_and_no_other(
    turns: list[str],
) -> None:
    lines, totals, wanted = [PLAYERS], [0, 0], list[int]()
    row, played = 0, False
    for number, turn in enumerate(turns):
        seat = number % 2
        name, word, points = (("ann", "ZA", 22), ("ben", "BE", 8))[seat]
        if row == 6:
            wanted.append("".join(lines).count("\n") + 1)
        if played or turn.startswith("-"):
            what = turn if turn.startswith("-") else "- +0"
            lines.append(f">{name}: {what} {totals[seat]}\n")
            row += 1
            continue
        lines.append(f">{name}: {word} 8G {word} +{points} {totals[seat] + points}\n")
        played, row = turn == "play", row + 1
        if turn == "play":
            totals[seat], row = totals[seat] + points, 0
        else:
            lines.append(f">{name}: {word} -- -{points} {totals[seat]}\n")

    found = gcg.take("".join(lines).encode()).remarks

    assert [line for line, _ in found] == wanted


@given(st.lists(st.sampled_from(("french", "german", "spanish")), min_size=1))
def test_of_several_tile_sets_the_first_counts(names: list[str]) -> None:
    told = "".join(f"#tile-set {name}\n" for name in names)
    first = read(f"{PLAYERS}#tile-set {names[0]}\n>ann: - +0 0\n")

    assert read(f"{PLAYERS}{told}>ann: - +0 0\n").edition == first.edition


def test_bytes_that_are_no_text_are_refused_with_their_line() -> None:
    data = b"#character-encoding UTF-8\n#player1 a A\n#title \xff\n"

    with pytest.raises(GcgError, match=r"line 3: .*UTF-8"):
        gcg.read(data)


def test_a_word_that_is_in_no_dictionary_is_no_fault_of_a_record() -> None:
    sheet = read(f"{PLAYERS}>ann: XQZVV 8H XQZ +56 56\n")

    assert sheet.events[0].tiles == "XQZ"

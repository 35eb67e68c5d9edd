"""Files of score sheets that somebody else wrote."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.__main__ import main
from netplay.commands import show
from netplay.errors import LocalError
from netplay.formats import gcg, scoring
from netplay.formats.sheet import Kind, Sheet, from_bytes, shown_names, to_bytes
from netplay.review import grading
from netplay.sentences import Says
from tests.said import like

SHEET = gcg.read(
    b"""\
#player1 ann Ann A
#player2 ben Ben B
>ann: CEHORSS 8D CHORE +26 26
>ben: DINPTT? - +0 0
>ann: ENSSTUW D8 .UTES +14 40
>ben: DINPTT? -DIN +0 0
>ann: SW  (challenge) +5 45
#rack1 SW
"""
)

TEXTS = (
    "",
    "8H",
    "H8",
    "A0",
    "Z99",
    "[CH]",
    "?",
    "((",
    "é",
    "\x1b[2J",
    "....",
    "A" * 40,
)
NUMBERS = (-(10**12), -1, 0, 1, 2, 7, 26, 45, 10**12)

FIELDS: dict[str, Any] = {
    "seat": NUMBERS,
    "kind": tuple(Kind),
    "rack": TEXTS,
    "where": TEXTS,
    "tiles": TEXTS,
    "points": NUMBERS,
    "total": NUMBERS,
    "remark": TEXTS,
    "note": ((), ("x",), ("\x1b",)),
}


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Draw a sheet of which a few fields are anything."""
    events = list(SHEET.events)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(events) - 1))
        field = draw(st.sampled_from(sorted(FIELDS)))
        value = draw(st.sampled_from(FIELDS[field]))
        events[at] = replace(events[at], **{field: value})
    if draw(st.booleans()):
        events.insert(0, draw(st.sampled_from(events)))
    left = draw(st.sampled_from([("SW", ""), (), ("?", "?", "?"), ("zz", "1")]))
    return replace(SHEET, events=tuple(events), left=left)


def use(sheet: Sheet) -> None:
    """Do all that is done with the file of a sheet."""
    sheet = from_bytes(to_bytes(sheet))
    found = scoring.replayed(sheet)
    for number, position in enumerate(found.positions):
        scoring.state(found.sheet, position, number)
    list(grading.of_sheet(sheet))
    assert all(line.isprintable() for line in show.of_sheet(sheet).splitlines())
    gcg.write(sheet)


def test_a_sheet_as_it_should_be_is_shown_and_written() -> None:
    use(SHEET)
    assert shown_names(SHEET) == ("Ann A", "Ben B")


@given(sheets())
def test_whatever_stands_in_a_sheet_it_is_used_or_refused_in_words(
    sheet: Sheet,
) -> None:
    try:
        use(sheet)
    except LocalError as error:
        assert str(error)


@pytest.mark.parametrize(
    "more",
    [
        {"players": ()},
        {"players": (("ann", "Ann"),)},
        {"players": (("ann", "Ann"), ("ann", "Ben"))},
        {"players": (("a b", "Ann"), ("ben", "Ben"))},
        {"players": tuple((f"p{n}", "P") for n in range(5)), "left": ("",) * 5},
        {"edition": "standard"},
        {"lexicon": "../../etc/passwd"},
        {"left": ("",)},
        {"encoding": "UTF-7"},
        {"events": (replace(SHEET.events[0], seat=2),)},
        {"events": (replace(SHEET.events[0], seat=-1),)},
    ],
    ids=str,
)
def test_a_sheet_that_speaks_of_what_is_not_there_is_refused(
    more: dict[str, Any],
) -> None:
    with pytest.raises(LocalError, match=like(Says.SHEET_CONTRADICTS)):
        from_bytes(to_bytes(replace(SHEET, **more)))


@pytest.mark.parametrize(
    "words",
    [["show"], ["show", "--moves"], ["analyse"], ["gcg", "export"], ["verify"]],
    ids=" ".join,
)
def test_a_sheet_that_cannot_be_is_refused_by_every_command(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    false = replace(SHEET, events=(replace(SHEET.events[0], where="8N"),))
    file = tmp_path / "a.netplay"
    file.write_bytes(to_bytes(false))
    out = [str(tmp_path / "out")] if "export" in words else []
    assert main(["--home", str(tmp_path), *words, str(file), *out]) == 1
    told = capsys.readouterr()
    assert " 8N " in told.out + told.err


@pytest.mark.parametrize(
    "words", [["show", "--moves"], ["verify", "--json"]], ids=" ".join
)
def test_what_was_counted_wrongly_is_said_by_every_command_that_tells_of_it(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = replace(SHEET, events=(replace(SHEET.events[0], total=27),))
    file = tmp_path / "a.netplay"
    file.write_bytes(to_bytes(wrong))
    main(["--home", str(tmp_path), *words, str(file)])
    told = capsys.readouterr()
    assert " 27, " in told.out + told.err


@pytest.mark.parametrize("words", [["show"], ["analyse"], ["gcg", "export"]])
def test_what_was_counted_wrongly_keeps_nobody_from_the_rest(
    words: list[str], tmp_path: Path
) -> None:
    wrong = replace(SHEET, events=(replace(SHEET.events[0], rack="QQQQ", total=27),))
    file = tmp_path / "a.netplay"
    file.write_bytes(to_bytes(wrong))
    out = [str(tmp_path / "out")] if "export" in words else []
    assert main(["--home", str(tmp_path), *words, str(file), *out]) == 0


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data[:-9], "is torn: .* bytes are there"),
        (lambda data: data + b"x", "something follows its end at byte"),
        (lambda data: data[:-1] + b"\xff", "its checksum is wrong, from byte 16 on"),
    ],
)
def test_a_damaged_sheet_is_refused_with_the_place(
    spoil: Callable[[bytes], bytes], reason: str
) -> None:
    with pytest.raises(LocalError, match=reason):
        from_bytes(spoil(to_bytes(SHEET)))


def test_the_first_events_of_a_sheet_are_told_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.netplay"
    file.write_bytes(to_bytes(SHEET))
    use = ["--home", str(tmp_path), "show", "--moves", str(file), "--entry"]
    assert main([*use, "3"]) == 0
    told = capsys.readouterr().out
    assert ".UTES" in told
    assert "-DIN" not in told
    assert "Ann A: 40" in told
    assert main([*use, "6"]) == 2
    assert "0 to 5" in capsys.readouterr().err

"""Files that are torn or damaged: what is there is shown, and what is wrong is said."""

from pathlib import Path
from random import Random

import pytest

from netplay.__main__ import main
from netplay.errors import Code
from netplay.record.store import HEADER_BYTES, Record, records, whole
from rules import GAMES
from tests.netplay.party import Party
from tests.said import says

COMMANDS = [["show"], ["show", "--moves"], ["picture"], ["gcg", "export"]]
MOVES = 6


def match(game: str = "networdz", moves: int = MOVES) -> bytes:
    """Return the file of a match some moves old."""
    party = Party(game, 2, GAMES[game].ABOUT.options())
    party.link_all()
    party.settle()
    for number in range(moves):
        party.play_one(Random(number))
        party.settle()
    return party.archives[0].open(party.terms.nonce).read()


DATA = match()
RECORDS = list(records(DATA))


def run(words: list[str], data: bytes, folder: Path) -> int:
    """Run a command on a file with these bytes."""
    file = folder / "a.netplay"
    file.write_bytes(data)
    out = [str(folder / "out.png")] if words[0] in {"picture", "gcg"} else []
    return main(["--home", str(folder / "home"), *words, str(file), *out])


def torn(at: Record) -> bytes:
    return DATA[: at.offset + HEADER_BYTES + 3]


def flipped(at: Record) -> bytes:
    data = bytearray(DATA)
    data[at.offset + HEADER_BYTES + 5] ^= 1
    return bytes(data)


def forged(at: Record) -> bytes:
    """Return the file with an entry whose checksum is right and signature wrong."""
    changed = [record.entry for record in RECORDS]
    number = RECORDS.index(at)
    entry = changed[number]
    changed[number] = entry[:-1] + bytes([entry[-1] ^ 1])
    return whole(changed)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("spoil", [torn, flipped, forged])
def test_what_is_there_is_shown_and_what_is_wrong_said_with_its_place(
    words: list[str], spoil: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(spoil)
    number = len(RECORDS) - 2

    assert run(words, spoil(RECORDS[number]), tmp_path) == 1

    told = capsys.readouterr()
    place = f" {number}: " if spoil is forged else f" {number - 1}, "
    assert place in told.err
    if spoil is not forged:
        assert f" {RECORDS[number].offset}: " in told.err
    shown = (
        (tmp_path / "out.png").exists()
        if len(words) > 1 or words == ["picture"]
        else ""
    )
    assert told.out.strip() or shown


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_whole_file_has_nothing_said_of_it(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words, DATA, tmp_path) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_file_without_one_whole_entry_is_refused(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words, torn(RECORDS[0]), tmp_path) == 1
    told = capsys.readouterr()
    assert says(told.err, Code.BAD_LOG)
    assert not told.out


def test_a_torn_file_is_shown_up_to_an_entry_before_the_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", "--entry", "5"], DATA, tmp_path) == 0
    before = capsys.readouterr().out
    assert run(["show", "--entry", "5"], torn(RECORDS[-1]), tmp_path) == 1
    assert capsys.readouterr().out == before


def test_moves_are_told_up_to_an_entry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", "--moves"], DATA, tmp_path) == 0
    every = capsys.readouterr().out.splitlines()
    number = str(len(RECORDS) - 2)
    assert run(["show", "--moves", "--entry", number], DATA, tmp_path) == 0
    some = capsys.readouterr().out.splitlines()
    told = some.index("", 2)
    assert 2 < told < every.index("", 2)
    assert some[:told] == every[:told]
    assert run(["show", "--moves", "--entry", "9999"], DATA, tmp_path) == 2
    assert f"1 to {len(RECORDS)}" in capsys.readouterr().err


def test_moves_are_told_the_same_for_every_seat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(["show", "--moves", "--seat", "1"], DATA, tmp_path)
    assert "--moves" in capsys.readouterr().err

import os
import re
from pathlib import Path
from typing import Any

import pytest

from netplay.messages.door import HostTable, StartMatch
from netplay.record.archive import SHOWN, FileArchive, Saved
from netplay.record.hidden import Hidden, KeptHeldUp, KeptStanding
from netplay.record.store import SECRETS, SUFFIX, FileDisk
from netplay.sentences import Says
from tests.netplay.joined_nodes import Net
from tests.netplay.memory_archive import MemoryArchive
from tests.said import says


@pytest.fixture
def match_file(tmp_path: Path) -> Path:
    """A match of one computer player, as a file in a folder."""
    net = Net("ada")
    node = net.nodes["ada"]
    net.ask("ada", HostTable("hexagrams", ("computer", "person:Ben"), (), "", ""))
    net.ask("ada", StartMatch())
    (name,) = [n for n in node.archive.disks if n.endswith(SUFFIX)]
    path = tmp_path / ("00" * 16 + SUFFIX)
    path.write_bytes(bytes(node.archive.disks[name].data))
    return path


def test_a_match_is_described_by_game_and_players(match_file: Path) -> None:
    (found,) = Saved(FileArchive(match_file.parent))()
    path, description, days = found
    assert path == str(match_file)
    assert str(description).startswith("Hexagrams: ")
    assert "Ben" in description
    assert days == 0


def test_what_is_no_match_is_left_out(match_file: Path) -> None:
    folder = match_file.parent
    (folder / f"empty{SUFFIX}").write_bytes(b"")
    (folder / f"noise{SUFFIX}").write_bytes(b"x" * 100)
    (folder / f"folder{SUFFIX}").mkdir()
    assert [path for path, _, _ in Saved(FileArchive(folder))()] == [str(match_file)]


def test_the_newest_come_first_and_only_a_few(match_file: Path) -> None:
    folder = match_file.parent
    for number in range(SHOWN + 3):
        (folder / f"{number:032x}{SUFFIX}").write_bytes(match_file.read_bytes())
    assert len(Saved(FileArchive(folder))()) == SHOWN


def test_a_file_is_read_once(match_file: Path) -> None:
    saved = Saved(FileArchive(match_file.parent))
    before = saved()
    match_file.write_bytes(b"changed")
    assert saved() == before


def test_a_file_that_has_just_gone_is_no_error(match_file: Path) -> None:
    archive = MemoryArchive()
    archive.disks[str(match_file)] = archive.open(b"x")  # type: ignore[assignment]
    saved = Saved(archive)
    assert [path for path, _, _ in saved()] == [str(match_file)]
    match_file.unlink()
    assert saved()[0][2] == 0


def test_a_match_that_was_never_audited_is_listed_so_until_it_is(
    match_file: Path,
) -> None:
    secrets = FileDisk(match_file.with_suffix(SECRETS))
    hidden = Hidden(secrets, bytes)
    hidden.keep(KeptHeldUp("Anna did not open the pool"))
    hidden.close()
    saved = Saved(FileArchive(match_file.parent))
    ((_, description, _),) = saved()
    assert str(description).startswith("Hexagrams: ")
    assert str(description).endswith(
        f", NOT AUDITED: {Says.BAG_NOT_OPENED(names='Anna')}"
    )
    hidden = Hidden(FileDisk(match_file.with_suffix(SECRETS)), bytes)
    hidden.keep(KeptHeldUp(""))
    hidden.close()
    os.utime(match_file.with_suffix(SECRETS), (1, 1))  # a clock too coarse to differ
    ((_, description, _),) = saved()
    assert "AUDITED" not in description


def test_damaged_secrets_spoil_no_list(match_file: Path) -> None:
    match_file.with_suffix(SECRETS).write_bytes(b"x" * 40)
    ((_, description, _),) = Saved(FileArchive(match_file.parent))()
    assert str(description).startswith("Hexagrams: ")


def test_rows_that_would_read_alike_tell_turn_and_time(match_file: Path) -> None:
    other = match_file.with_name("01" * 16 + SUFFIX)
    other.write_bytes(match_file.read_bytes())
    at = match_file.stat().st_mtime
    os.utime(other, (at - 3600, at - 3600))
    saved = Saved(FileArchive(match_file.parent))
    first, second = (str(description) for _, description, _ in saved())
    assert first != second
    assert all(each.startswith("Hexagrams: ") for each in (first, second))
    assert all(says(each, Says.KEPT_AT_TURN) for each in (first, second))
    assert all(re.search(r" 20\d\d-\d\d-\d\d", each) for each in (first, second))
    other.unlink()
    ((_, description, _),) = saved()
    assert not says(description, Says.KEPT_AT_TURN), "one alone needs no more"
    assert not says(description, Says.KEPT_SINCE)


def test_scores_tell_games_of_points_apart(tmp_path: Path) -> None:
    net = Net("ada")
    net.ask("ada", HostTable("numlo", ("computer", "person:Ben"), (), "", ""))
    net.ask("ada", StartMatch())
    archive = net.nodes["ada"].archive
    (name,) = [n for n in archive.disks if n.endswith(SUFFIX)]
    for number in range(2):
        path = tmp_path / (f"{number:032x}{SUFFIX}")
        path.write_bytes(bytes(archive.disks[name].data))
    for _, description, _ in Saved(FileArchive(tmp_path))():
        assert says(description, Says.KEPT_AT_POINTS)
        assert " : " in str(description)


HOUR = 3600


def rows(match_file: Path, *ages: int) -> list[Path]:
    """Return copies of a match, written so many seconds before it."""
    at, found = match_file.stat().st_mtime, list[Path]()
    for number, age in enumerate(ages, 1):
        path = match_file.with_name(f"{number:032x}{SUFFIX}")
        path.write_bytes(match_file.read_bytes())
        os.utime(path, (at - age, at - age))
        found.append(path)
    return found


def test_of_more_matches_than_are_shown_the_latest_are(match_file: Path) -> None:
    ages = [(n * 7 % (SHOWN + 3)) * 48 * HOUR for n in range(SHOWN + 3)]
    paths = dict(zip(rows(match_file, *ages), ages, strict=True))
    match_file.unlink()
    wanted = [str(path) for path in sorted(paths, key=paths.__getitem__)[:SHOWN]]
    found = Saved(FileArchive(match_file.parent))()
    assert [path for path, _, _ in found] == wanted
    assert [days for _, _, days in found] == [2 * n for n in range(SHOWN)]


@pytest.mark.parametrize("days", [0, 3])
def test_two_matches_of_the_same_players_and_day_can_be_told_apart(
    match_file: Path, days: int
) -> None:
    rows(match_file, days * 24 * HOUR + 60, days * 24 * HOUR + 3600, 240 * HOUR)
    match_file.unlink()
    found = [
        (str(said), ago) for _, said, ago in Saved(FileArchive(match_file.parent))()
    ]
    assert [ago for _, ago in found] == [days, days, 10]
    assert len({said for said, _ in found}) == 3
    assert len(found[2][0]) < len(found[0][0]), "one alone needs no more"


def test_a_row_tells_how_its_match_stands_now_and_not_when_it_was_listed_first(
    match_file: Path,
) -> None:
    [other] = rows(match_file, HOUR)
    saved = Saved(FileArchive(match_file.parent))
    before = {path: said for path, said, _ in saved()}
    at = match_file.stat().st_mtime
    os.utime(other, (at - 60, at - 60))
    after = {path: said for path, said, _ in saved()}
    assert after[str(match_file)] == before[str(match_file)]
    assert after[str(other)] != before[str(other)]
    assert after == {path: s for path, s, _ in Saved(FileArchive(other.parent))()}


@pytest.mark.parametrize("standing", ["over", "out", "watched", ""])
@pytest.mark.parametrize("held_up", ["Anna did not open the pool", ""])
def test_what_is_over_is_listed_until_it_is_audited(
    match_file: Path, standing: Any, held_up: str
) -> None:
    """A node looks at its list all the time: what it says is of now."""
    saved = Saved(FileArchive(match_file.parent))
    assert len(saved()) == 1
    secrets = match_file.with_suffix(SECRETS)
    hidden = Hidden(FileDisk(secrets), bytes)
    hidden.keep(KeptStanding(standing))
    hidden.keep(KeptHeldUp(held_up))
    hidden.close()
    listed = [str(said) for _, said, _ in saved()]
    assert len(listed) == int(bool(held_up) or not standing)
    assert all(
        (held_up in said) and bool(held_up) is ("NOT" in said) for said in listed
    )

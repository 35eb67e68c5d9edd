"""Where matches are kept, and what a node alone may know of them."""

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.messages.log import Proof
from netplay.messages.table import Terms
from netplay.record.archive import DEATHS, FileArchive, finished_in, result_of
from netplay.record.hidden import (
    Hidden,
    KeptBody,
    KeptGrant,
    KeptProof,
    KeptSeed,
    KeptShare,
    KeptStanding,
)
from netplay.record.store import SECRETS, MatchFile, MemoryDisk, whole
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from tests.netplay import party
from tests.netplay.memory_archive import MemoryArchive
from tests.netplay.party import Dice, Party, make_terms
from tests.said import like

ONE, TWO = b"1" * 32, b"2" * 32


@pytest.fixture(params=["files", "memory"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return FileArchive(tmp_path) if request.param == "files" else MemoryArchive()


def test_a_match_is_kept_under_its_name(archive: Any) -> None:
    assert not archive.has(ONE)
    file = MatchFile(archive.open(ONE))
    file.append([b"entry"])
    file.close()
    assert archive.has(ONE)
    assert not archive.has(TWO)
    again = MatchFile(archive.open(ONE))
    assert again.entries == (b"entry",)
    again.close()
    [path] = archive.newest()
    assert archive.read(path).entries == (b"entry",)


def test_secrets_lie_apart(archive: Any) -> None:
    file = MatchFile(archive.open_secrets(ONE))
    file.close()
    assert not archive.has(ONE)
    assert list(archive.newest()) == []


def test_files_are_their_owners_alone(tmp_path: Path) -> None:
    archive = FileArchive(tmp_path)
    for disk in (archive.open(ONE), archive.open_secrets(ONE)):
        disk.close()
    if os.name == "posix":
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_the_newest_match_comes_first(tmp_path: Path) -> None:
    archive = FileArchive(tmp_path)
    for match, time in ((ONE, 2000), (TWO, 1000)):
        archive.open(match).close()
        (path,) = tmp_path.glob(f"*{match[:16].hex()}*.netplay")
        os.utime(path, (time, time))
    assert ONE[:16].hex() in archive.newest()[0]


def test_the_matches_in_hand_are_remembered_until_they_are_left(archive: Any) -> None:
    assert archive.in_hand() == {}
    MatchFile(archive.open(ONE)).close()
    archive.take_in_hand(ONE, 3)
    archive.take_in_hand(TWO, 5)
    assert archive.in_hand() == {ONE: 3, TWO: 5}
    archive.let_go(ONE)
    archive.let_go(ONE)
    assert archive.in_hand() == {TWO: 5}
    archive.let_go(TWO)
    assert archive.in_hand() == {}


def test_a_match_that_goes_to_another_table_is_remembered_there(tmp_path: Path) -> None:
    archive = FileArchive(tmp_path)
    archive.take_in_hand(ONE, 3)
    archive.take_in_hand(TWO, 4)
    archive.take_in_hand(ONE, 7)
    assert FileArchive(tmp_path).in_hand() == {ONE: 7, TWO: 4}


def test_a_match_that_kills_nodes_is_laid_aside_until_the_player_takes_it_again(
    tmp_path: Path,
) -> None:
    for match in (ONE, TWO):
        FileArchive(tmp_path).open(match).close()
    for deaths in range(DEATHS):
        node = FileArchive(tmp_path)  # the next run of the program
        assert not node.is_laid_aside(ONE), f"after {deaths}"
        node.begin_opening(ONE)
        node.begin_opening(TWO)
        node.end_opening(TWO)
    node = FileArchive(tmp_path)
    assert [node.is_laid_aside(match) for match in (ONE, TWO)] == [True, False]
    node.take_again(ONE)
    assert not FileArchive(tmp_path).is_laid_aside(ONE)
    node.take_in_hand(TWO, 2)
    node.lay_aside(TWO)
    again = FileArchive(tmp_path)
    assert [again.is_laid_aside(match) for match in (ONE, TWO)] == [False, True]
    assert again.in_hand() == {}
    again.take_again(TWO)
    assert not FileArchive(tmp_path).is_laid_aside(TWO)


@pytest.mark.parametrize(
    ("places", "own", "wanted"),
    [
        ((1, 2), (0,), "won"),
        ((1, 2), (1,), "lost"),
        ((1, 1), (0,), "tied"),
        ((3, 1, 2), (0, 1), "won"),  # two at one computer, of whom the second won
        ((1, 3, 2), (0, 1), "won"),
        ((2, 3, 1), (0, 1), "lost"),
        ((3, 1, 1), (0, 1), "tied"),
        ((2, 2, 1, 4), (0, 3), "lost"),
        ((1, 2), (0, 1), ""),
        ((1, 2), (), ""),
        ((), (0,), ""),
    ],
)
def test_of_several_players_at_one_computer_the_best_one_counts(
    places: tuple[int, ...], own: tuple[int, ...], wanted: str
) -> None:
    assert result_of(places, own) == wanted


@pytest.mark.parametrize("members", [1, 2, 3, 4])
def test_each_seat_of_a_finished_match_is_told_once_and_whose_it_was(
    members: int, tmp_path: Path
) -> None:
    small = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
    party = Party("numlo", members, small, 4)
    party.link_all()
    party.settle()
    for seat in (1, 3, 2):
        party.member(seat % members).play(seat, pack(Resign()), -1, party.now)
        party.settle()
    path = tmp_path / "match.netplay"
    path.write_bytes(whole(party.logs()[0]))
    for n, key in enumerate(party.keys):
        found = finished_in(path, key.key, bytes.hex)
        assert found is not None
        told = {bytes.fromhex(one.key): one.seats for one in found.friends}
        seats = {
            other.key: tuple(range(m, 4, members))
            for m, other in enumerate(party.keys)
            if m != n
        }
        assert told == seats
        assert found.own == tuple(range(n, 4, members))
        first = 0 in found.own
        assert found.result == ("" if members == 1 else "won" if first else "lost")


def test_a_guests_seat_is_nobodys_own_though_the_link_has_gone_or_came_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seat 2 is for a browser by the terms; seat 3 was lent as the match was over."""

    def made(*given: Any) -> Terms:
        terms = make_terms(*given)
        seats = list(terms.seats)
        seats[2] = replace(seats[2], kind="browser")
        return replace(terms, seats=tuple(seats))

    monkeypatch.setattr(party, "make_terms", made)
    small = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
    match = Party("numlo", 2, small, 4)
    match.link_all()
    match.settle()
    for seat in (1, 0, 3):
        match.member(seat % 2).play(seat, pack(Resign()), -1, match.now)
        match.settle()
    path, disk = tmp_path / "match.netplay", MemoryDisk()
    path.write_bytes(whole(match.logs()[0]))
    Hidden(disk, bytes).keep(KeptStanding("", (3,)))
    path.with_suffix(SECRETS).write_bytes(disk.data)
    for n, key in enumerate(match.keys):
        found = finished_in(path, key.key, bytes.hex)
        assert found is not None
        assert (found.own, found.result) == ((n,), "lost")


def test_a_match_in_hand_whose_file_is_gone_is_named_all_the_same(
    tmp_path: Path,
) -> None:
    archive = FileArchive(tmp_path)
    archive.take_in_hand(ONE, 1)
    assert archive.in_hand() == {ONE: 1}
    assert not archive.has(ONE)
    (tmp_path / "in-hand").write_text("nonsense")
    with pytest.raises(LocalError) as caught:
        archive.in_hand()
    assert caught.value.code is Code.FILE


@pytest.mark.parametrize("damage", ["cut", "empty", "gone", "flipped", "a line less"])
def test_a_list_of_matches_in_hand_that_lacks_some_is_damaged(
    tmp_path: Path, damage: str
) -> None:
    archive = FileArchive(tmp_path)
    for match in (ONE, TWO):
        archive.open(match).close()
        archive.take_in_hand(match, 1 + (match == TWO))
    path = tmp_path / "in-hand"
    data = path.read_bytes()
    first, second, last = data.splitlines(keepends=True)
    match damage:
        case "cut":
            path.write_bytes(first + second)
        case "empty":
            path.write_bytes(b"")
        case "gone":
            path.unlink()
        case "flipped":
            path.write_bytes(data.replace(b"1 ", b"3 ", 1))
        case _:
            path.write_bytes(second + last)
    with pytest.raises(LocalError, match=like(Says.IN_HAND_DAMAGED)):
        FileArchive(tmp_path).in_hand()


def test_what_cannot_be_written_down_is_an_error_of_the_disk(tmp_path: Path) -> None:
    archive = FileArchive(tmp_path)
    (tmp_path / "in-hand").mkdir()
    with pytest.raises(LocalError) as caught:
        archive.take_in_hand(ONE, 1)
    assert caught.value.code is Code.DISK


def test_a_copy_is_read_back(archive: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "copy.netplay")
    archive.write(path, [b"one", b"two"])
    assert archive.read(path).entries == (b"one", b"two")
    with pytest.raises(LocalError):
        archive.read(str(tmp_path / "missing"))


# Secrets.


def test_secrets_survive_a_restart() -> None:
    disk = MemoryDisk()
    hidden = Hidden(disk, Dice("a"))
    seed, later = bytes([7]) * 32, bytes([8]) * 32
    proof = Proof(3, 4, bytes(32), ())
    for kept in (
        KeptSeed(1, 0, 0, seed),
        KeptSeed(1, 1, 0, later),
        KeptProof(proof),
        KeptShare(1, ONE, TWO),
        KeptBody(5, b"body"),
        KeptGrant(7, 3),
    ):
        hidden.keep(kept)
    hidden.close()
    again = Hidden(disk, Dice("b"))
    assert again.known_seed(1, 0) == seed
    assert again.known_seed(1, 1) == later
    assert again.known_seed(1, 0, again=1) is None
    assert list(again.seeds(1)) == [seed, later]
    assert again.proofs == {3: proof}
    assert again.shares == {(1, ONE): TWO}
    assert again.bodies == {5: b"body"}
    assert (again.granted, again.vouched) == (7, 3)


def test_a_torn_record_of_secrets_is_dropped() -> None:
    disk = MemoryDisk()
    hidden = Hidden(disk, Dice("a"))
    hidden.keep(KeptGrant(1, 0))
    size = len(disk.data)
    hidden.keep(KeptGrant(2, 1))
    hidden.sync()
    rng = Random(1)
    for cut in range(size, len(disk.data)):
        torn = MemoryDisk(bytes(disk.data[:cut]) + rng.randbytes(0))
        assert Hidden(torn, Dice("a")).granted == 1


def test_damaged_secrets_are_an_error_for_the_user() -> None:
    disk = MemoryDisk()
    MatchFile(disk).append(
        [pack(KeptSeed(1, 0, 0, ONE)), b"\xc1", pack(KeptGrant(1, 0))]
    )
    with pytest.raises(LocalError) as caught:
        Hidden(disk, Dice("a"))
    assert caught.value.code is Code.BAD_LOG


def test_a_crash_in_the_very_first_match_is_no_damage(tmp_path: Path) -> None:
    """Its file is made before the list of those in hand has its name."""
    assert FileArchive(tmp_path).in_hand() == {}
    FileArchive(tmp_path).open(ONE).close()
    assert FileArchive(tmp_path).in_hand() == {}

"""The finished matches of a home, looked up and searched, and results of friends."""

import json
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.__main__ import main
from netplay.commands.games import as_game
from netplay.daemon import finished_matches
from netplay.daemon.finished_matches import PAGE, FinishedFiles
from netplay.fingerprint import fingerprint
from netplay.home import Home, write_whole
from netplay.messages.door import Answer, LeaveTable, Play, StartMatch
from netplay.messages.table_questions import (
    Finished,
    Friend,
    Record,
    has_words,
    records,
    told_apart,
)
from netplay.peering.identity import open_identity
from netplay.wire import pack
from rules import lexicon
from rules.game import Resign
from rules.networdz import Pass
from tests.netplay.homes import Homes
from tests.netplay.joined_nodes import table


def played(folder: Path) -> Homes:
    """Return two homes: of two games one was won by ann and one by bob; one goes on."""
    net = Homes(folder, "ann", "bob")
    for game, loser in (("numlo", "bob"), ("hexagrams", "ann"), ("networdz", "")):
        net.begin_several("ann", "bob", game, computers=False)
        if loser:
            one = net.games(loser)[game]
            seat = 0 if loser == "ann" else 1
            net.done(loser, Play(seat, pack(Resign()), one.entries), on=one.table)
            net.settle()
    return net


def test_a_match_that_is_over_tells_in_the_list_of_tables_how_it_ended(
    tmp_path: Path,
) -> None:
    net = played(tmp_path)
    listed = {name: net.games(name) for name in ("ann", "bob")}
    for name, expected in (("ann", ("won", "lost")), ("bob", ("lost", "won"))):
        told = listed[name]
        assert (told["numlo"].result, told["hexagrams"].result) == expected
        assert told["numlo"].audit == told["hexagrams"].audit == "ok"
        assert (told["networdz"].result, told["networdz"].audit) == ("", "")
    for one in found(tmp_path, net):
        row = as_game(one, one.at + 90)
        held = listed["ann"][one.game]
        for key in ("match", "game", "phase", "players", "turn", "own", "result"):
            assert getattr(row, key) == getattr(held, key)
        assert (row.table, row.since, row.mine) == (0, 90, False)
    net.close()


def home_of(folder: Path, name: str) -> Home:
    """Return a home with the matches of a node."""
    home = Home(folder / f"home-{name}")
    home.prepare()
    home.matches = folder / name
    return home


def found(folder: Path, net: Homes, name: str = "ann") -> list[Finished]:
    """Return the finished matches of a node."""
    return list(FinishedFiles(home_of(folder, name), net[name].key).all())


def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the files that are read from now on."""
    seen: list[str] = []
    whole = finished_matches.read_some

    def read_some(files: Sequence[Path], *given: Any, **named: Any) -> Any:
        read = whole(files, *given, **named)
        seen.extend(name for name, _ in read)
        return read

    monkeypatch.setattr(finished_matches, "read_some", read_some)
    return seen


def test_each_finished_match_tells_with_whom_and_how_it_ended(tmp_path: Path) -> None:
    net = played(tmp_path)
    for name, other, won, lost in (
        ("ann", "bob", "numlo", "hexagrams"), ("bob", "ann", "hexagrams", "numlo"),
    ):  # fmt: skip
        every = found(tmp_path, net, name)
        seat = ("ann", "bob").index(other)
        friend = Friend(fingerprint(net[other].key), other, (seat,))
        assert {one.game: one.result for one in every} == {won: "won", lost: "lost"}
        assert all(one.friends == (friend,) for one in every)
        assert all(one.players == ("ann", "bob") for one in every)
        assert all(Path(one.path).exists() and one.at for one in every)
        scores = {one.game: len(one.scores) for one in every}
        assert scores == {"numlo": 2, "hexagrams": 0}
        assert records(every) == [Record(friend.key, other, won=1, lost=1)]
    net.close()


@pytest.fixture
def home_in_memory() -> Iterator[Path]:
    """Give a folder whose files may have any time."""
    with TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.mark.parametrize(
    ("at", "year"), [(300_000_000_000, "9999"), (-(9**11), "1970")]
)
def test_a_file_of_any_time_is_listed_with_a_day(
    home_in_memory: Path, at: int, year: str
) -> None:
    net = played(home_in_memory)
    net.close()
    for path in home_in_memory.rglob("*.*"):
        os.utime(path, (at, at))
    every = found(home_in_memory, net)
    assert every
    assert {datetime.fromtimestamp(one.at, UTC).strftime("%Y") for one in every} == {
        year
    }


def test_each_file_is_read_once_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = played(tmp_path)
    net.close()
    read = watched(monkeypatch)
    first = found(tmp_path, net)
    assert len(read) == 3
    assert found(tmp_path, net) == first
    assert len(read) == 3
    path = Path(first[0].path)
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + 1))
    assert found(tmp_path, net) == first
    assert read[3:] == [path.name]


def test_matches_are_told_of_where_they_lie_now_and_gone_ones_are_forgotten(
    tmp_path: Path,
) -> None:
    net = played(tmp_path)
    net.close()
    home = home_of(tmp_path, "ann")
    first = found(tmp_path, net)
    home.matches = (tmp_path / "ann").rename(tmp_path / "elsewhere")
    moved = list(FinishedFiles(home, net["ann"].key).all())
    assert [replace(one, path="") for one in moved] == [
        replace(one, path="") for one in first
    ]
    assert {Path(one.path).parent for one in moved} == {home.matches}
    gone, stays = (Path(one.path) for one in moved)
    gone.unlink()
    os.utime(stays, ns=(1, stays.stat().st_mtime_ns + 1))
    [left] = FinishedFiles(home, net["ann"].key).all()
    assert left.path == str(stays)
    kept = home.results.read_bytes()
    assert stays.name.encode() in kept
    assert gone.name.encode() not in kept


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x92\x01\xc0", b"\x81" * 9000])
def test_what_was_read_may_be_lost_or_damaged(tmp_path: Path, data: bytes) -> None:
    net = played(tmp_path)
    net.close()
    first = found(tmp_path, net)
    home_of(tmp_path, "ann").results.write_bytes(data)
    assert found(tmp_path, net) == first


def test_of_many_matches_so_many_are_told_of_at_once(tmp_path: Path) -> None:
    net = played(tmp_path)
    net.close()
    one = Path(found(tmp_path, net)[0].path)
    for number in range(PAGE + 30):
        for suffix in (".netplay", ".secrets"):
            copy = one.with_name(f"{number:032x}{suffix}")
            copy.write_bytes(one.with_suffix(suffix).read_bytes())
    files = FinishedFiles(home_of(tmp_path, "ann"), net["ann"].key)
    pages = [files.page(0)[0]]
    while pages[-1].more:
        page, unread = files.page(pages[-1].next)
        if not page.found:
            files.note(files.reading(unread[:20]))
        pages.append(page)
    assert all(len(page.found) <= PAGE for page in pages)
    paths = [one.path for page in pages for one in page.found]
    assert len(paths) == len(set(paths)) == PAGE + 32
    again = [files.page(0)[0], files.page(files.page(0)[0].next)[0]]
    assert [len(page.found) for page in again] == [PAGE, 32]


def test_a_match_whose_words_are_missing_is_listed_without_its_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = played(tmp_path)
    one = net.games("bob")["networdz"]
    net.done("bob", Play(1, pack(Resign()), one.entries), on=one.table)
    net.settle()
    net.close()

    def missing(_digest: str) -> object:
        raise LookupError

    with monkeypatch.context() as patched:
        patched.setattr(lexicon, "find", missing)
        lost = next(one for one in found(tmp_path, net) if one.game == "networdz")
    assert (lost.players, lost.result, lost.places) == (("ann", "bob"), "", ())
    assert [friend.name for friend in lost.friends] == ["bob"]
    back = next(one for one in found(tmp_path, net) if one.game == "networdz")
    assert back.result == "won"


def test_what_is_damaged_or_no_match_is_left_out(tmp_path: Path) -> None:
    net = played(tmp_path)
    net.done("ann", LeaveTable(), on=net.games("ann")["networdz"].table)
    net.close()
    (won, lost) = found(tmp_path, net)
    Path(won.path).write_bytes(b"nonsense")
    Path(lost.path).with_suffix(".secrets").unlink()
    assert found(tmp_path, net) == []


def test_words_are_looked_for_in_any_case_and_order() -> None:
    assert has_words("Numlo ann bob won", "WON bob")
    assert has_words("Hexagrams ann bob lost", "hexag")
    assert not has_words("Numlo ann bob won", "numlo lost")
    assert has_words("", " ")


def test_two_friends_of_one_name_are_two() -> None:
    def against(key: str, name: str, result: Any) -> Finished:
        friends = (Friend(key, name),)
        return Finished(
            b"", "p", "numlo", ("a", name), (1, 2), (), (0,), friends, result, 1
        )

    first = against("AAAA-BBBB", "Bert", "won")
    other = against("CCCC-DDDD", "Bert", "lost")
    renamed = against("CCCC-DDDD", "Old", "tied")
    alone = replace(first, friends=(), result="")
    every = records([first, other, renamed, alone])
    assert every == [
        Record("CCCC-DDDD", "Bert", lost=1, tied=1), Record("AAAA-BBBB", "Bert", won=1),
    ]  # fmt: skip
    assert [told_apart(one, every) for one in every] == [
        "Bert (CCCC-DDDD)", "Bert (AAAA-BBBB)",
    ]  # fmt: skip
    assert told_apart(every[0], every[:1]) == "Bert"


def test_who_comes_second_of_three_has_won_against_the_third(tmp_path: Path) -> None:
    net = Homes(tmp_path, "ann", "bob", "carla")
    for guest in ("bob", "carla"):
        net.done(guest, Answer(on=True))
    net.done("ann", table("numlo", "person", "remote:bob", "remote:carla"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    for loser in ("carla", "bob"):  # who resigns first is the last
        one = net.games(loser)["numlo"]
        seat = ("ann", "bob", "carla").index(loser)
        net.done(loser, Play(seat, pack(Resign()), one.entries), on=one.table)
        net.settle()
    for name, told in (
        ("ann", {"bob": "won", "carla": "won"}),
        ("bob", {"ann": "lost", "carla": "won"}),
        ("carla", {"ann": "lost", "bob": "lost"}),
    ):
        (one,) = found(tmp_path, net, name)
        assert one.result == ("won" if name == "ann" else "lost")
        made = {each.name: each for each in records([one])}
        assert {
            who: result
            for who, each in made.items()
            for result in ("won", "lost", "tied")
            if getattr(each, result)
        } == told
    net.close()


def test_the_command_lists_them_without_a_node(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    home.prepare()
    open_identity(home)
    assert main(["games", "--finished", "x", "--json", "--home", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_words_missed_in_a_game_of_one_s_own_are_asked_for_in_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    net = Homes(tmp_path, "ann")
    net.done("ann", table("networdz", "computer:40", "person", "person"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    for seat, move in ((1, Pass()), (2, Pass()), (1, Resign()), (2, Resign())):
        net.moves(Random(1), 1)
        entries = net.games("ann")["networdz"].entries
        net.done("ann", Play(seat, pack(move), entries))
        net.settle()
    home = Home(tmp_path / "home")
    home.prepare()
    open_identity(home)
    file = home.matches / net["ann"].file().name
    elsewhere = tmp_path / file.name
    for place in (file, elsewhere):
        place.write_bytes(net["ann"].file().read_bytes())
    net.close()

    def run(*words: str) -> Any:
        assert main([*words, "--json", "--home", str(home.path)]) == 0
        return json.loads(capsys.readouterr().out)

    run("analyse", str(elsewhere))  # somebody's
    assert run("words", "drill") == []
    writes: list[Path] = []

    def counted(path: Path, data: bytes) -> None:
        writes.append(path)
        write_whole(path, data)

    monkeypatch.setattr("netplay.drill.write_whole", counted)
    turns = [each for each in run("analyse", str(file)) if each["seat"] > 1]
    assert len(writes) == 1  # whatever was missed
    asked = run("words", "drill")
    assert len(asked) == len(turns) == 2
    for turn, each in zip(turns, asked, strict=True):
        assert turn["best"][0]["sums"][0].startswith(each["word"])
    run("analyse", str(file))
    assert run("words", "drill") == asked  # once, however often it is looked at

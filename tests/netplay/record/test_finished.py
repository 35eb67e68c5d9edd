"""The finished matches of a home, looked up and searched, and results of friends."""

import json
from pathlib import Path

import pytest

from netplay.__main__ import main
from netplay.home import Home
from netplay.messages.door import LeaveTable, Play
from netplay.peering.identity import open_identity
from netplay.record.finished import Finished, Record, finished, matching, records
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.homes import Homes
from tests.netplay.many_tables import begin, games


def played(folder: Path) -> Homes:
    """Return two homes: of two games one was won by ann and one by bob; one goes on."""
    net = Homes(folder, "ann", "bob")
    for game, loser in (("numlo", "bob"), ("hexagrams", "ann"), ("networdz", "")):
        begin(net, "ann", "bob", game, computers=False)
        if loser:
            one = games(net, loser)[game]
            seat = 0 if loser == "ann" else 1
            net.done(loser, Play(seat, pack(Resign()), one.entries), on=one.number)
            net.settle()
    return net


def test_each_finished_match_tells_with_whom_and_how_it_ended(tmp_path: Path) -> None:
    net = played(tmp_path)
    for name, other, won, lost in (
        ("ann", "bob", "numlo", "hexagrams"), ("bob", "ann", "hexagrams", "numlo"),
    ):  # fmt: skip
        found = list(finished(tmp_path / name, net[name].key))
        assert {one.game: one.result for one in found} == {won: "won", lost: "lost"}
        assert all(one.friends == (other,) for one in found)
        assert all(one.players == ("ann", "bob") for one in found)
        assert all(Path(one.path).exists() and one.at for one in found)
        assert records(found) == [Record(other, won=1, lost=1)]
    net.close()


def test_words_are_looked_for_in_game_names_and_result(tmp_path: Path) -> None:
    net = played(tmp_path)
    found = list(finished(tmp_path / "ann", net["ann"].key))
    net.close()
    assert [one.game for one in matching(found, "WON bob")] == ["numlo"]
    assert [one.game for one in matching(found, "hexag")] == ["hexagrams"]
    assert matching(found, "numlo lost") == []
    assert len(matching(found, "")) == 2


def test_what_is_damaged_or_no_match_is_left_out(tmp_path: Path) -> None:
    net = played(tmp_path)
    net.done("ann", LeaveTable(), on=games(net, "ann")["networdz"].number)
    net.close()
    (won, lost) = finished(tmp_path / "ann", net["ann"].key)
    Path(won.path).write_bytes(b"nonsense")
    Path(lost.path).with_suffix(".secrets").unlink()
    assert list(finished(tmp_path / "ann", net["ann"].key)) == []


def test_a_tie_and_a_game_alone_are_no_victories() -> None:
    one = Finished("p", "numlo", ("a", "b"), (1, 1), (0,), ("b",), "tied", 1)
    alone = Finished("p", "numlo", ("a",), (1,), (0,), (), "", 1)
    assert records([one, one, alone]) == [Record("b", tied=2)]


def test_the_command_lists_them_without_a_node(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    home.prepare()
    open_identity(home)
    assert main(["games", "--finished", "--home", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no finished match\n"
    assert main(["games", "--finished", "x", "--json", "--home", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == []

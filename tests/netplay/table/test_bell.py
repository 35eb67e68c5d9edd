"""What a node tells its player of: turns, ends and chat of tables, unless muted."""

from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.faults import Faults
from netplay.fingerprint import fingerprint
from netplay.messages.door import (
    Answer,
    Consent,
    Join,
    LeaveTable,
    Line,
    Load,
    LookAt,
    Play,
    Request,
    Say,
    StartMatch,
    Summons,
)
from netplay.messages.table_questions import Mute, NameSeat, SetQuiet
from netplay.sentences import Says
from netplay.table.muted import DAY, Hours, Muted
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, Net, table

AGREED = Summons(1, "agreed", "numlo", ("bob",))


def begin(net: Net, on: str = "bob") -> None:
    """Let two persons begin to play; only the host is told that all have agreed."""
    net.done(on, Answer(on=True))
    net.done("ann", table("numlo", "person", f"remote:{on}", options=SMALL))
    assert rung(net, "ann") == rung(net, "bob") == []
    net.settle()
    assert rung(net, "ann") == [AGREED]
    assert rung(net, "bob") == []
    net.done("ann", StartMatch())
    net.settle()


def rung(net: Net, name: str) -> list[Summons]:
    return net[name].tables.take_news().summons


def move(net: Net, name: str) -> None:
    match = net[name].match
    (seat,) = match.on_turn()
    chosen = next(iter(match.fold.game.moves(match.fold.state, seat)))
    net.done(name, Play(seat, pack(chosen), match.fold.number))
    net.settle()


def test_each_turn_rings_once_and_the_end_too(net: Net) -> None:
    begin(net)
    assert rung(net, "ann") == [Summons(1, "turn", "numlo", ("bob",))]
    assert rung(net, "bob") == []
    move(net, "ann")
    assert rung(net, "ann") == []
    assert [one.reason for one in rung(net, "bob")] == ["turn"]
    net.settle()
    assert rung(net, "bob") == []
    move(net, "bob")
    assert [one.reason for one in rung(net, "ann")] == ["turn"]
    match = net["ann"].match
    net.done("ann", Play(0, pack(Resign()), match.fold.number))
    net.settle()
    assert [one.reason for one in rung(net, "bob")] == ["over"]


def test_a_yes_is_told_to_a_host_who_looks_at_another_game(net: Net) -> None:
    net.done("ann", table("numlo", "person", "remote:bob", options=SMALL))
    net.done("ann", table("hexagrams", "person", "computer"))
    net.settle()
    net["ann"].tables.window_up(1)
    net.done("ann", LookAt(2))
    tables = net["ann"].tables
    assert [one.game for one in tables.games(net.now)] == ["numlo", "hexagrams"]
    assert not any(one.mine for one in tables.games(net.now))
    assert not tables.waits(1)
    net["ann"].pushes.clear()

    status = net["bob"].tables.table_status(net.now)
    assert status is not None
    net.done("bob", Consent(accept=True, revision=status.revision))
    net.settle()

    assert rung(net, "ann") == [AGREED]
    assert tables.waits(1)
    assert [one.mine for one in tables.games(net.now)] == [True, False]
    told = net["ann"].lines("system")
    assert f"Numlo (bob): {Says.CAN_BEGIN(name='bob')}" in told
    net.cut("ann", "bob")
    net.settle()
    assert rung(net, "ann") == []  # the same yes, said again
    net.done("ann", StartMatch(), on=1)
    net.settle()
    assert [one.reason for one in rung(net, "ann")] == ["turn"]


def test_a_game_in_which_time_runs_rings_at_both_when_it_begins(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("hexcolumns", "person", "remote:bob"))
    net.settle()
    rung(net, "ann")
    net.done("ann", StartMatch())
    net.settle()
    for name, other in (("ann", "bob"), ("bob", "ann")):
        assert rung(net, name) == [Summons(1, "live", "hexcolumns", (other,))]
        (listed,) = net[name].tables.games(net.now)
        assert listed.live


def test_a_game_without_clocks_rests(net: Net) -> None:
    begin(net)
    for name in ("ann", "bob"):
        assert "live" not in [one.reason for one in rung(net, name)]
        (listed,) = net[name].tables.games(net.now)
        assert not listed.live


def test_a_game_with_clocks_of_minutes_is_live_while_all_are_there(net: Net) -> None:
    net.done("bob", Answer(on=True))
    clocked = (("timed", "3"),)
    net.done("ann", table("networdz", "person", "remote:bob", options=clocked))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    (listed,) = net["ann"].tables.games(net.now)
    assert listed.live
    assert listed.keys == (fingerprint(net["bob"].key),)
    net.isolate("bob")
    (listed,) = net["ann"].tables.games(net.now)
    assert not listed.live


@pytest.mark.parametrize("game", ["hexcolumns", "networdz", "numlo"])
def test_a_game_in_which_time_runs_rings_when_it_goes_on_after_somebody_left(
    net: Net, game: str
) -> None:
    clocked = (("timed", "3"),) if game == "networdz" else ()
    net.done("bob", Answer(on=True))
    net.done("ann", table(game, "person", "remote:bob", options=clocked))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    net.done("ann", LeaveTable())
    net.settle()
    net.wake(60)
    rung(net, "bob")
    net.done("ann", Load(""))
    net.settle()
    net.wake(1)
    lively = [one for one in rung(net, "bob") if one.reason in {"live", "resumed"}]
    again = [Summons(1, "resumed", game, ("ann",))]
    assert lively == ([] if game == "numlo" else again)
    net.wake(1)
    assert not any(one.reason == "resumed" for one in rung(net, "bob"))


@pytest.mark.parametrize("restarts", ["nobody", "bob", "ann"])
@pytest.mark.parametrize("game", ["hexcolumns", "networdz", "numlo"])
def test_a_game_in_which_time_runs_rings_when_who_was_away_comes_back(
    net: Net, game: str, restarts: str
) -> None:
    clocked = (("timed", "3"),) if game == "networdz" else ()
    net.done("bob", Answer(on=True))
    net.done("ann", table(game, "person", "remote:bob", options=clocked))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    net.part("ann", "bob")
    net.settle()
    net.wake(60)
    (listed,) = net["bob"].tables.games(net.now)
    assert not listed.live
    assert game != "hexcolumns" or not listed.mine  # no piece of his falls
    for name in ("ann", "bob"):
        if restarts == name:
            net[name].restart(net.now)
        rung(net, name)
    net.apart.clear()
    net.wake(1)
    for name, other in (("ann", "bob"), ("bob", "ann")):
        again = [Summons(1, "resumed", game, (other,))]
        found = [one for one in rung(net, name) if one.reason in {"live", "resumed"}]
        assert found == ([] if game == "numlo" else again)
    net.wake(1)
    assert not any(one.reason == "resumed" for one in rung(net, "bob"))


@pytest.mark.parametrize("seconds", [0.3, 3.0, 60.0])
def test_a_line_that_is_soon_there_again_calls_nobody_back(
    net: Net, seconds: float
) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("hexcolumns", "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    net.wake(5)
    for name in ("ann", "bob"):
        rung(net, name)
    net.part("ann", "bob")
    net.settle()
    net.wake(seconds)
    net.apart.clear()
    net.wake(1)
    for name in ("ann", "bob"):
        found = [one.reason for one in rung(net, name)]
        assert found == (["resumed"] if seconds > 30 else [])


def test_what_was_there_before_the_node_began_does_not_ring(net: Net) -> None:
    begin(net)
    rung(net, "ann")
    net.isolate("ann")
    net["ann"].restart(net.now)
    net.dial()
    net.settle()
    assert rung(net, "ann") == []
    move(net, "ann")
    move(net, "bob")
    assert [one.reason for one in rung(net, "ann")] == ["turn"]


def test_chat_rings_with_the_name_and_without_the_words(net: Net) -> None:
    begin(net)
    rung(net, "ann")
    net.done("bob", Say("psst"))
    net.settle()
    assert rung(net, "ann") == [Summons(1, "chat", "numlo", ("bob",))]
    assert rung(net, "bob") == []


def test_a_muted_table_does_not_ring_until_it_is_wanted_again(net: Net) -> None:
    begin(net)
    rung(net, "ann")
    net.done("ann", Mute(on=True))
    net.done("bob", Say("psst"))
    move(net, "ann")
    move(net, "bob")
    assert rung(net, "ann") == []
    assert not net["ann"].tables.waits(1)
    assert net["ann"].tables.games(net.now)[0].muted
    net.done("ann", Mute(on=False))
    assert net["ann"].tables.waits(1)
    move(net, "ann")
    move(net, "bob")
    assert [one.reason for one in rung(net, "ann")] == ["turn"]


def test_a_muted_players_lines_are_kept_and_nothing_tells_of_them(net: Net) -> None:
    begin(net)
    rung(net, "ann")
    net.done("ann", Mute(on=True, whom="bob"))
    net["ann"].tables.window_up(1)
    net["ann"].tables.ask(1, _look(0), net.now)
    net.done("bob", Say("psst"))
    net.settle()
    assert rung(net, "ann") == []
    net["ann"].tables.take_pushes()
    assert net["ann"].tables.games(net.now)[0].unread == 0
    net["ann"].tables.ask(1, _look(1), net.now)
    pushed = [push.message for push in net["ann"].tables.take_pushes()]
    lines = [one for one in pushed if isinstance(one, Line)]
    assert [(line.text, line.muted) for line in lines] == [("psst", True)]
    assert net.failed("ann", Mute(on=True, whom="zoë")) is Code.USAGE


def test_a_guest_in_a_browser_is_muted_alone(net: Net) -> None:
    net.done("ann", table("networdz", "person", "browser", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("ann", NameSeat(1, "Zoë"))
    net.settle()
    net.done("bob", Mute(True, "ann", "Zoë"))
    muted, *others = lines = ("Zoë: psst", "hello", "Zo: hm", "Zoëlla: hey")
    for line in lines:
        net.done("ann", Say(line))
    net.settle()
    tables = net["bob"].tables
    tables.window_up(1)

    def said() -> dict[str, bool]:
        tables.ask(1, _look(0), net.now)
        tables.take_pushes()
        tables.ask(1, _look(1), net.now)
        pushed = [push.message for push in tables.take_pushes()]
        return {one.text: one.muted for one in pushed if isinstance(one, Line)}

    heard = dict.fromkeys(others, False)
    assert said() == {muted: True, **heard}
    net.done("bob", Mute(False, "ann", "Zoë"))
    assert said() == {muted: False, **heard}


def _look(number: int) -> Request:
    return Request(1, LookAt(number))


def test_quiet_hours_are_kept_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "muted.json"
    muted = Muted(place)
    muted.set_hours("22-7")
    muted.mute_table(b"t" * 32, on=True)
    muted.mute_player(b"p" * 32, on=True)
    again = Muted(place)
    assert str(again.hours) == "22:00-07:00"
    assert again.tables == (b"t" * 32,)
    assert again.players == (b"p" * 32,)
    for wrong in ("25-7", "7", "7-7", "22:60-7", "-1-5", "a-b", "٣-٤"):
        with pytest.raises(LocalError, match="22:00-07:00"):
            again.set_hours(wrong)
    again.set_hours("")
    assert Muted(place).hours is None


def test_a_damaged_file_of_what_is_muted_is_set_aside_and_told_of(
    tmp_path: Path,
) -> None:
    for text in ('{"tables": [1]}', "[]", "{", '{"quiet": "noon"}', '{"tables": 5}'):
        place, faults = tmp_path / "muted.json", Faults()
        place.write_text(text)
        assert Muted(place, faults).hours is None
        assert not place.exists(), text
        assert len(list(faults)) == 1


def test_who_is_heard_again_leaves_the_others_muted(tmp_path: Path) -> None:
    file = tmp_path / "muted.json"
    muted, (one, two, three) = Muted(file), (bytes([n]) * 32 for n in range(3))
    for mute in (muted.mute_player, muted.mute_table):
        for name in (one, two, three):
            mute(name, on=True)
        mute(two, on=False)
    for kept in (muted, Muted(file)):
        assert set(kept.players) == set(kept.tables) == {one, three}


def test_the_clock_on_the_wall_says_when_it_is_quiet() -> None:
    muted = Muted()
    assert muted.quiet(0, UTC) == 0
    muted.set_hours("22:00-07:00")
    assert muted.quiet(0, UTC) == 7 * 3600
    assert muted.quiet(90, UTC) == 7 * 3600 - 90
    assert muted.quiet(7 * 3600, UTC) == 0
    assert muted.quiet(0, timezone(timedelta(hours=8))) == 0


@given(st.integers(0, DAY - 1), st.integers(0, DAY - 1), st.integers(0, DAY - 1))
def test_hours_are_left_until_their_end_wherever_midnight_is(
    start: int, end: int, minute: int
) -> None:
    hours = Hours(start, end)
    left = hours.left(minute)
    if start == end:
        return
    inside = start <= minute < end if start < end else not end <= minute < start
    assert (left > 0) is inside
    if inside:
        assert (minute + left) % DAY == end
    assert Hours.read(str(hours)) == hours


def test_hours_are_set_by_a_question(net: Net) -> None:
    net.done("ann", SetQuiet("23:00-6"))
    muted = net["ann"].tables.shared.means.muted
    assert str(muted.hours) == "23:00-06:00"
    assert net.failed("ann", SetQuiet("noon")) is Code.USAGE


def test_after_a_thousand_one_more_is_muted_and_the_first_no_longer() -> None:
    muted = Muted()
    for number in range(1001):
        muted.mute_table(number.to_bytes(32), on=True)
        muted.mute_player(number.to_bytes(32), on=True)
    for names in (muted.tables, muted.players):
        assert (1000).to_bytes(32) in names
        assert (0).to_bytes(32) not in names

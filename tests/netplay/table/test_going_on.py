"""Matches that are cut short, and gone on with."""

from random import Random

import pytest

from netplay.errors import Code, LocalError
from netplay.messages.door import (
    Answer,
    Consent,
    Done,
    Failed,
    Join,
    LeaveTable,
    Load,
    Play,
    Save,
    StartMatch,
)
from netplay.messages.table_questions import HandSeat, StandIn, Vote
from netplay.record.store import MemoryDisk
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from tests.netplay.homes import FULL
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.netplay.party import Key
from tests.said import says


def come(net: Net, name: str) -> None:
    """Let a player who is asked whether a match goes on in which time runs say yes."""
    assert net[name].tables.games(net.now) == ()
    asked = [line for line in net[name].lines("system") if says(line, Says.WOULD_GO_ON)]
    assert len(asked) == 1
    net.done(name, Load(""))
    net.settle()


def test_a_lost_link_pauses_and_its_return_resumes(net: Net) -> None:
    net.start("bob")
    net.think(Random(1))
    net.settle()
    net.cut("ann", "bob")
    for name in ("ann", "bob"):
        assert net.status(name).phase == "paused"
    assert net.status("ann").waiting == "bob"
    net.play_out(Random(2))
    assert net.status("bob").audit == "ok"


def test_who_leaves_stops_the_match_and_may_load_it_again(net: Net) -> None:
    net.start("bob")
    net.think(Random(1))
    net.settle()
    net.done("bob", LeaveTable())
    net.settle()
    assert net["bob"].tables.table_status(net.now) is None
    assert net.status("ann").phase == "stopped"
    assert says(str(net.status("ann").waiting), Says.HAS_LEFT_TABLE, name="bob")
    assert [one.state for one in net.status("ann").seats] == ["here", "elsewhere"]
    assert not net["ann"].tables.wants().thoughts
    assert net.failed("ann", Play(0, b"", 0)) is Code.STOPPED
    net.done("bob", Load(""))
    net.settle()
    assert net.status("ann").phase == "playing"
    net.play_out(Random(1))
    assert net.status("ann").audit == "ok"


def test_who_loads_a_game_in_hand_is_not_told_to_wait_for_who_is_there(
    net: Net,
) -> None:
    net.start("bob")
    answer = net.ask("ann", Load(""))
    assert isinstance(answer, Done)
    assert not says(str(answer.text), Says.GOES_ON_LATER)
    net.cut("ann", "bob")
    answer = net.ask("ann", Load(""))
    assert isinstance(answer, Done)
    assert says(str(answer.text), Says.GOES_ON_LATER)


def test_who_is_on_turn_alone_in_a_loaded_game_is_not_told_to_wait(net: Net) -> None:
    net.done("ann", table("numlo", "person", "remote:bob", options=SMALL))
    net.settle()
    net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    [on_turn] = net.status("ann").turn
    net.cut("ann", "bob")
    for seat, name in enumerate(("ann", "bob")):
        answer = net.ask(name, Load(""))
        assert isinstance(answer, Done)
        waits = says(str(answer.text), Says.GOES_ON_LATER)
        assert waits is (seat != on_turn), name


def test_after_both_have_left_either_may_load_and_the_other_follows(net: Net) -> None:
    net.start("bob")
    net.think(Random(1))
    net.settle()
    for name in ("bob", "ann"):
        net.done(name, LeaveTable())
        net.settle()
    net.done("bob", Load(""))
    net.settle()
    assert net.status("ann").phase == "playing"
    assert net.status("bob").phase == "playing"


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("numlo", SMALL),
        ("networdz", ()),
        ("networdz", (("timed", "3"),)),
        ("lhexicon", (("timed", "3"),)),
    ],
)
@pytest.mark.parametrize("leaves", ["ann", "bob"])
def test_who_leaves_is_not_brought_back_by_a_move_that_is_under_way(
    net: Net, leaves: str, game: str, options: tuple[tuple[str, str], ...]
) -> None:
    net.done("bob", Answer(on=True))
    net.done("bob", StandIn(40))
    net.done("ann", table(game, "computer:40", "remote:bob", options=options))
    net.settle()
    net.done("ann", StartMatch(0))
    net.settle()
    other = "bob" if leaves == "ann" else "ann"
    while not (thoughts := net[other].tables.wants().thoughts):
        assert net.think(Random(1))
        net.settle()
    move = next(iter(GAMES[game].moves(thoughts[0].view, thoughts[0].seat)))
    net[other].tables.thought(thoughts[0], move, net.now)
    net.done(leaves, LeaveTable())  # it has heard of no move yet
    net.settle()
    for _ in range(10):
        net.wake(1)
        assert net[leaves].tables.games(net.now) == ()
        assert [g.phase for g in net[other].tables.games(net.now)] == ["stopped"]

    net.done(other, LeaveTable())
    net.done(other, Load(""))  # it is to go on: that is asked on purpose
    net.settle()
    if leaves == "ann" and ("timed", "3") in options:
        come(net, "ann")
    for name in ("ann", "bob"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]
    match = net[leaves].match
    assert match.fold.moves > 0


@pytest.mark.parametrize("game", ["hexcolumns", "numlo"])
@pytest.mark.parametrize("come", range(14))
def test_who_leaves_is_not_brought_back_by_the_beginning_that_is_under_way(
    net: Net, come: int, game: str
) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table(game, "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch(0))
    for _ in range(come):  # so many messages come before
        net.deliver()
    net.done("bob", LeaveTable())
    net.settle()
    for _ in range(10):
        net.wake(1)
        assert net["bob"].tables.games(net.now) == ()
        assert [g.phase for g in net["ann"].tables.games(net.now)] == ["stopped"]

    net.done("ann", LeaveTable())
    net.done("ann", Load(""))  # it is to go on: that is asked on purpose
    net.settle()
    for _ in range(10):
        net.wake(1)
    for name in ("ann", "bob"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]


def test_who_sits_down_again_at_once_plays(net: Net) -> None:
    net.done("ann", table("numlo", "person", "remote"))
    for _ in range(2):
        net.done("bob", Join("ann"))
        net.settle()
        net.done("bob", LeaveTable())
        net.settle()
    net.done("bob", Join("ann"))
    net.settle()
    net.done("ann", StartMatch(0))
    net.settle()
    for name in ("ann", "bob"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]


@pytest.mark.parametrize("first", ["ann", "bob"])
@pytest.mark.parametrize("loads", ["ann", "bob"])
def test_whoever_has_left_first_either_may_load_and_the_other_follows(
    net: Net, first: str, loads: str
) -> None:
    net.start("bob")
    for name in (first, *({"ann", "bob"} - {first})):
        net.done(name, LeaveTable())
        net.settle()
    net.done(loads, Load(""))
    net.settle()
    for name in ("ann", "bob"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]


@pytest.mark.parametrize("how", ["cut", "restart"])
@pytest.mark.parametrize("leaves", ["ann", "bob"])
@pytest.mark.parametrize("game", ["hexcolumns", "numlo"])
def test_a_new_link_does_not_bring_back_who_has_left(
    net: Net, game: str, leaves: str, how: str
) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table(game, "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch(0))
    net.settle()
    net.wake(1)
    other = "bob" if leaves == "ann" else "ann"
    net.done(leaves, LeaveTable())
    net.settle()
    net.wake(60)
    net.cut("ann", "bob")
    if how == "restart":
        net[other].restart(net.now)
    net.link("ann", "bob")
    for _ in range(10):
        net.wake(1)
        assert net[leaves].tables.games(net.now) == ()
        found = [one.phase for one in net[other].tables.games(net.now)]
        assert found == (["stopped"] if how == "cut" else [])

    net.done(leaves, Load(""))
    net.settle()
    if game == "hexcolumns" and how == "restart":
        come(net, other)
    net.wake(1)
    for name in ("ann", "bob"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]
    net[other].restart(net.now)  # it is in hand again
    assert len(net[other].tables.games(net.now)) == 1


@pytest.mark.parametrize("restarts", ["nobody", "gone", "other", "both"])
@pytest.mark.parametrize("leaves", ["ann", "bob"])
@pytest.mark.parametrize(
    "game", ["hexcolumns", "networdz", "lhexicon", "numlo", "hexagrams"]
)
def test_who_leaves_while_the_other_is_away_is_not_brought_back(
    net: Net, game: str, leaves: str, restarts: str
) -> None:
    _begin(net, game)
    other = "bob" if leaves == "ann" else "ann"
    net.part("ann", "bob")
    net.wake(1)
    net.done(leaves, LeaveTable())
    net.wake(3600)
    if restarts in {"gone", "both"}:
        net[leaves].restart(net.now)
    if restarts in {"other", "both"}:
        net[other].restart(net.now)
    net.apart.clear()
    net.settle()
    for _ in range(10):
        net.wake(1)
        assert net[leaves].tables.games(net.now) == ()
        assert [g.phase for g in net[other].tables.games(net.now)] == ["stopped"]
    assert says(str(net.status(other).waiting), Says.HAS_LEFT_TABLE)

    net.cut("ann", "bob")
    net[leaves].restart(net.now)  # and it stays so
    net.link("ann", "bob")
    net.wake(1)
    assert net[leaves].tables.games(net.now) == ()

    net.done(leaves, Load(""))
    net.settle()
    net.wake(1)
    for name in ("ann", "bob"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]
    net.cut("ann", "bob")  # both are at it again: a link has it go on
    net.wake(1)
    for name in ("ann", "bob"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]


@pytest.mark.parametrize("loads", ["ann", "bob"])
@pytest.mark.parametrize("game", ["hexcolumns", "numlo"])
def test_after_both_have_left_while_apart_either_may_go_on(
    net: Net, game: str, loads: str
) -> None:
    _begin(net, game)
    net.part("ann", "bob")
    for name in ("ann", "bob"):
        net.done(name, LeaveTable())
    net.wake(60)
    net.apart.clear()
    net.link("ann", "bob")
    net.wake(1)
    other = "bob" if loads == "ann" else "ann"
    assert net[other].tables.games(net.now) == ()
    net.done(loads, Load(""))
    net.settle()
    if game == "hexcolumns" and loads == "bob":
        come(net, "ann")
    net.wake(1)
    for name in ("ann", "bob"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]
    net.done(other, LeaveTable())  # this time it is known here that it goes on
    net.settle()
    net.wake(1)
    assert net[other].tables.games(net.now) == ()
    assert says(str(net.status(loads).waiting), Says.HAS_LEFT_TABLE)


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
@pytest.mark.parametrize(
    ("on_turn", "on_again"),
    [
        ("ann", ("bob",)),
        ("bob", ("ann",)),
        ("cyd", ("ann",)),
        ("cyd", ("bob",)),
        ("cyd", ("ann", "bob")),
    ],
)
def test_of_three_nobody_loses_time_at_a_table_that_was_stopped(
    net: Net, game: str, on_turn: str, on_again: tuple[str, ...]
) -> None:
    """Neither who has left, nor who has not gone on with the others."""
    _seat(net, game, (("timed", "3"),), "bob", "cyd")
    while ("ann", "bob", "cyd")[net.status("ann").turn[0]] != on_turn:
        net.wake(30)
    done = net["ann"].match.fold.moves
    net.done("cyd", Answer(on=False))  # nobody speaks for who has left
    net.done("cyd", LeaveTable())
    net.settle()
    for name in on_again:
        net.done(name, Load(""))
        net.settle()
    for _ in range(40):
        net.wake(30)
    assert net["cyd"].tables.games(net.now) == ()
    assert net[on_again[0]].match.fold.moves == done
    shown = zip(("ann", "bob", "cyd"), net.status(on_again[0]).seats, strict=True)
    gone = {name for name, seat in shown if seat.state == "elsewhere"}
    assert gone == {"ann", "bob", "cyd"} - {*on_again}
    for name in {"ann", "bob", "cyd"} - {*on_again}:  # and then it runs again
        net.done(name, Load(""))
        net.settle()
    for _ in range(8):
        net.wake(30)
    assert net["ann"].match.fold.moves > done


@pytest.mark.parametrize("options", [(), (("timed", "3"),)])
@pytest.mark.parametrize("leaves", ["ann", "bob"])
def test_of_three_who_leaves_a_table_that_was_stopped_is_not_brought_back(
    net: Net, leaves: str, options: tuple[tuple[str, str], ...]
) -> None:
    _seat(net, "networdz", options, "bob", "cyd")
    other = "bob" if leaves == "ann" else "ann"
    for name in ("cyd", leaves):
        net.done(name, LeaveTable())
        net.settle()
    for _ in range(5):
        net.wake(1)
    for name in ("ann", "bob", "cyd"):
        phases = [game.phase for game in net[name].tables.games(net.now)]
        assert phases == (["stopped"] if name == other else [])
    assert not any(says(one, Says.WOULD_GO_ON) for one in net[leaves].lines("system"))


@pytest.mark.parametrize("first", ["bob", "dan"])
def test_of_four_two_without_a_link_know_that_the_other_has_gone_on(
    net: Net, first: str
) -> None:
    """Through a third, who was at it before them."""
    _seat(net, "networdz", (("timed", "3"),), "bob", "cyd", "dan")
    net.part("bob", "dan")
    net.wake(1)
    net.done("cyd", LeaveTable())
    net.settle()
    for name in ("bob", "dan"):
        states = [seat.state for seat in net.status(name).seats]
        assert "away" not in states, "though there is no link of their own"
    for name in ("ann", first, *({"bob", "dan"} - {first})):
        net.done(name, Load(""))
        net.settle()
    net.wake(1)
    for name, seat in (("ann", 0), ("bob", 1), ("dan", 3)):
        wanted = ["connected", "connected", "elsewhere", "connected"]
        wanted[seat] = "here"
        assert [seat.state for seat in net.status(name).seats] == wanted


@pytest.mark.parametrize("away", ["bob", "cyd"])
def test_of_three_nobody_is_brought_back_by_who_was_away(net: Net, away: str) -> None:
    """Not even by way of a third whose node has started anew since."""
    net.start("bob", "cyd")
    here = "cyd" if away == "bob" else "bob"
    net.apart |= {frozenset((away, name)) for name in ("ann", here)}
    net.isolate(away)
    net.link("ann", here)
    net.settle()
    net.done("ann", LeaveTable())
    net.settle()
    assert net.status(here).phase == "stopped"
    net[here].restart(net.now)
    net.wake(60)
    net.apart.clear()
    for _ in range(10):
        net.wake(1)
        assert net["ann"].tables.games(net.now) == ()
        assert [g.phase for g in net[away].tables.games(net.now)] == ["stopped"]
    net.done("ann", Load(""))
    for _ in range(5):
        net.wake(1)
    for name in ("ann", "bob", "cyd"):
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]


def test_who_leaves_a_table_whose_host_is_away_is_not_brought_to_its_match(
    net: Net,
) -> None:
    """The host may have begun it with the yes that was on its way."""
    net.done("bob", Answer(on=True))
    net.done("ann", table("numlo", "person", "remote:bob", options=SMALL))
    net.settle()
    net.done("ann", StartMatch(0))  # this is lost with the link
    net.part("ann", "bob")
    net.done("bob", LeaveTable())
    net.wake(60)
    net["bob"].restart(net.now)
    net.apart.clear()
    for _ in range(5):
        net.wake(1)
        assert net["bob"].tables.games(net.now) == ()
        assert [g.phase for g in net["ann"].tables.games(net.now)] == ["stopped"]


def _seat(
    net: Net, game: str, options: tuple[tuple[str, str], ...], *guests: str
) -> None:
    """Let Ann and guests begin a game; nobody speaks for these from then on."""
    for name in guests:
        net.done(name, Answer(on=True))
    seats = ("person", *(f"remote:{name}" for name in guests))
    net.done("ann", table(game, *seats, options=options))
    net.settle()
    net.done("ann", StartMatch(0))
    for _ in range(12):
        net.wake(1)
    for name in guests:
        net.done(name, Answer(on=False))


def _begin(net: Net, game: str) -> None:
    """Let Ann and Bob, persons both, begin a game."""
    net.done("bob", Answer(on=True))
    net.done("ann", table(game, "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch(0))
    net.settle()
    net.wake(1)


@pytest.mark.parametrize("leaves", ["ann", "bob"])
def test_who_has_resigned_may_leave_and_the_others_play_on(
    net: Net, leaves: str
) -> None:
    net.start("bob", "cyd")
    match = net[leaves].match
    (seat,) = [n for n, key in enumerate(match.fold.holders) if key == match.me]
    net.done(leaves, Play(seat, pack(Resign()), match.fold.moves))
    net.settle()
    net.done(leaves, LeaveTable())
    net.settle()
    others = [name for name in ("ann", "bob", "cyd") if name != leaves]
    net.cut(leaves, others[0])
    net.link(leaves, others[0])
    for _ in range(70):  # without the host another is chosen
        net.wake(1)
        assert net[leaves].tables.games(net.now) == ()
    for name in others:
        assert [g.phase for g in net[name].tables.games(net.now)] == ["playing"]
    net.play_out(Random(1))
    for name in others:
        assert net.status(name).phase == "over"


def test_a_node_that_was_killed_goes_on_with_the_match_in_hand(net: Net) -> None:
    net.start("bob", "cyd")
    rng = Random(7)
    for victim in ("bob", "ann", "cyd", "ann", "bob"):
        for _ in range(3):
            net.think(rng)
            net.settle()
        net.isolate(victim)
        net[victim].restart(net.now)
        if victim != "ann":
            net.done(victim, StandIn(40))
        net.settle()
    net.play_out(rng)
    assert {net.status(name).audit for name in ("ann", "bob", "cyd")} == {"ok"}


def test_a_saved_match_is_loaded_by_its_player_and_by_nobody_else(net: Net) -> None:
    assert net.failed("ann", Save("x")) is Code.NO_TABLE
    net.start("bob")
    net.think(Random(1))
    net.settle()
    net.done("bob", Save("copy"))
    kept = net["bob"].archive.disks["copy"]
    for name in ("ann", "bob"):
        net.done(name, LeaveTable())
        net.settle()
    net["cyd"].archive.disks["copy"] = kept
    assert net.failed("cyd", Load("copy")) is Code.NOT_A_MEMBER
    answer = net.ask("cyd", Load("copy"))
    assert isinstance(answer, Failed)
    assert answer.error.said == Says.NOBODY_PLAYS(), "once, and of no node"
    assert net.failed("cyd", Load("other")) is Code.FILE
    assert net.failed("dan", Load("")) is Code.USAGE
    kept.data[40] ^= 1
    assert net.failed("cyd", Load("copy")) is Code.BAD_LOG
    kept.data[40] ^= 1
    net.done("bob", Load("copy"))


def test_a_peer_without_its_file_gets_the_match_from_the_others(net: Net) -> None:
    net.start("bob", computers=True)
    for _ in range(4):
        net.think(Random(1))
        net.settle()
    net.isolate("bob")
    secrets = {k: v for k, v in net["bob"].archive.disks.items() if "secrets" in k}
    net["bob"].archive.disks.clear()
    net["bob"].archive.disks.update(secrets)
    for match in net["bob"].archive.in_hand():
        net["bob"].archive.let_go(match)
    net["bob"].restart(net.now)
    net.settle()
    net.wake(1)
    net.done("bob", StandIn(40))
    net.play_out(Random(1))
    assert net.status("bob").audit == "ok"


class FullDisk(MemoryDisk):
    """A disk that refuses from some moment on."""

    full = False

    def append(self, data: bytes) -> None:
        if self.full:
            raise LocalError(Code.DISK, FULL)
        super().append(data)

    def sync(self) -> None:
        if self.full:
            raise LocalError(Code.DISK, FULL)
        super().sync()


def test_a_full_disk_ends_the_match_here_and_says_so(net: Net) -> None:
    net.start("bob")
    for disk in net["ann"].archive.disks.values():
        disk.__class__ = FullDisk
        disk.full = True  # type: ignore[attr-defined]
    with pytest.raises(LocalError) as caught:
        for _ in range(4):
            net.think(Random(1))
            for _ in range(4):
                net.deliver()
    assert caught.value.code is Code.DISK
    net.deliver()
    assert FULL in net["ann"].lines("error")[-1]
    assert net["ann"].tables.table_status(net.now) is None
    net["ann"].archive.disks.clear()


def test_a_vote_gives_the_table_another_host(net: Net) -> None:
    net.start("bob", "cyd")
    net.isolate("ann")
    net.nodes.pop("ann")
    for name in ("bob", "cyd"):
        net.done(name, Vote())
        net.settle()
    net.wake(2)
    assert [net.status(name).hosting for name in ("bob", "cyd")] == [True, False]
    assert net.status("cyd").host == "bob"


def left_by(
    net: Net, leaves: str, game: str, options: tuple[tuple[str, str], ...]
) -> None:
    """Begin a match of Ann and Bob, who takes calls no more, and let one of them go."""
    net.done("bob", Answer(on=True))
    net.done("ann", table(game, "person", "remote:bob", options=options))
    net.settle()
    net.done("ann", StartMatch(0))
    net.settle()
    net.done("bob", Answer(on=False))
    net.done(leaves, LeaveTable())
    net.settle()


@pytest.mark.parametrize(
    ("game", "options", "runs"),
    [
        ("hexcolumns", (), True),
        ("networdz", (("timed", "3"),), True),
        ("numlo", SMALL, False),
    ],
)
@pytest.mark.parametrize("leaves", ["ann", "bob"])
def test_who_has_left_for_now_is_not_taken_back_when_the_other_goes_on(
    net: Net, game: str, leaves: str, options: tuple[tuple[str, str], ...], runs: bool
) -> None:
    other = "bob" if leaves == "ann" else "ann"
    tables = {name: net[name].tables for name in ("ann", "bob")}
    for one in tables.values():
        one.window_up(1)
    left_by(net, leaves, game, options)
    told = net[leaves].lines("system")
    net.done(other, Load(""))
    net.settle()
    for _ in range(3):
        net.wake(1)
        assert tables[leaves].table_status(net.now, 1) is None
    going = [one.phase for one in tables[leaves].games(net.now)]
    assert going == ([] if runs else ["playing"])
    seats = {seat.state for seat in net.status(other).seats}
    assert ("elsewhere" in seats) == runs
    new = net[leaves].lines("system")[len(told) :]
    assert len([line for line in new if says(line, Says.WOULD_GO_ON)]) == runs

    net.done(leaves, Load(""))
    net.settle()
    for name in ("ann", "bob"):
        assert net.status(name).phase == "playing"
    seen = tables[leaves].table_status(net.now, 1)
    assert seen is not None
    assert seen.phase == "playing"


@pytest.mark.parametrize("after", [0, 61])
@pytest.mark.parametrize("leaves", ["ann", "bob"])
def test_who_takes_calls_after_being_asked_to_go_on_is_taken_along(
    net: Net, leaves: str, after: int
) -> None:
    other = "bob" if leaves == "ann" else "ann"
    left_by(net, leaves, "networdz", (("timed", "3"),))
    net.done(other, Load(""))
    net.settle()
    assert net[leaves].tables.games(net.now) == ()
    if after:
        net.wake(after)
    net.done(leaves, Answer(on=True))
    net.settle()
    for name in ("ann", "bob"):
        assert net.status(name).phase == "playing"


FOUR = ("ann", "bob", "cyd", "dan")


def at_it(net: Net, name: str) -> bool:
    return net[name].tables.games(net.now) != ()


def leave(net: Net, name: str, rng: Random) -> None:
    del rng
    if at_it(net, name):
        net.done(name, LeaveTable())


def go_on(net: Net, name: str, rng: Random) -> None:
    del rng
    if not at_it(net, name):
        net.done(name, Load(""))


def give_up(net: Net, name: str, rng: Random) -> None:
    """Give a seat up that others may do without."""
    del rng
    match = net[name].table.match
    if (
        match is not None
        and len(match.fold.electors) > 2
        and not net[name].table.stopped
    ):
        for seat in match.fold.seats_of(match.me):
            if seat not in match.fold.resigned:
                net.done(name, Play(seat, pack(Resign()), match.fold.number))


def hand_over(net: Net, name: str, rng: Random) -> None:
    """Let a seat pass to another who plays, by the word of all the others."""
    match = net[name].table.match
    seat, heir = rng.randrange(4), rng.choice(FOUR)
    if match is None or match.fold.over or seat in match.fold.resigned:
        return
    for other in FOUR:
        mine = net[other].table.match
        if mine is not None and mine.me != match.fold.holders[seat]:
            net.ask(other, HandSeat(seat, heir))
            net.settle()


def lose_key(net: Net, name: str) -> None:
    """Hear that friends who have given up play on elsewhere under other keys."""
    fold = net[name].match.fold
    for seat in sorted(fold.resigned):
        old = fold.holders[seat]
        if old != net[name].key and fold.resigned.issuperset(fold.seats_of(old)):
            net[name].known.befriend(old, "old")
            net[name].known.succeed(old, Key("new").key, "new")
            net[name].tables.succeed(old, Key("new").key, net.now)
            net.settle()


def start_anew(net: Net, name: str, rng: Random) -> None:
    del rng
    if at_it(net, name):
        net.isolate(name)
        net[name].restart(net.now)
        net.done(name, StandIn(40))


def turn(net: Net, name: str, rng: Random) -> None:
    del name
    net.think(rng)


@pytest.mark.parametrize("seed", range(8))
def test_a_match_goes_on_wherever_all_who_are_needed_are_at_it(
    net: Net, seed: int
) -> None:
    """Whoever has left or given up, and however often: and nothing is told twice."""
    rng = Random(seed)
    net.start("bob", "cyd", "dan")
    acts = (turn, turn, leave, go_on, go_on, give_up, hand_over, start_anew)
    for _ in range(60):
        rng.choice(acts)(net, rng.choice(FOUR), rng)
        net.settle()
        there = [name for name in FOUR if at_it(net, name)]
        match = next((m for n in there if (m := net[n].table.match)), None)
        if match is None or match.fold.over:
            continue
        needed = {name for name in FOUR if net[name].key in match.fold.required}
        if needed <= {*there}:
            phases = {net.status(name).phase for name in needed}
            assert phases == {"playing"}, (seed, there)
    for name in FOUR:
        if net[name].table.match is not None and not net[name].match.fold.over:
            lose_key(net, name)
        told = net[name].lines("error")
        assert not any(says(line, Says.HEIR_CANNOT) for line in told), (seed, name)

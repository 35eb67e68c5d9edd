"""Which of several tables a window or a command means, and is shown."""

from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.messages.door import (
    Answer,
    Consent,
    Failed,
    HostTable,
    Join,
    LeaveTable,
    Line,
    LookAt,
    Question,
    Save,
    Say,
    StartMatch,
    View,
    Watch,
)
from netplay.messages.table import Decline
from netplay.messages.table_questions import ClaimTime, Mute, TakeBack
from netplay.sentences import Says
from netplay.wire import unpack
from rules import GAMES
from tests.netplay.joined_nodes import GAMES_AT_ONCE, SMALL, Net, table
from tests.said import says


def test_a_window_that_looks_elsewhere_is_shown_its_players_seat_unasked(
    net: Net,
) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams", computers=False)
    tables = net["ann"].tables
    found = net.games("ann")
    tables.window_up(1)
    for game in ("numlo", "hexagrams"):
        net["ann"].pushes.clear()
        net.done("ann", LookAt(found[game].table), 1)
        net.settle()
        [view] = net["ann"].views()
        assert (view.match, view.seat) == (found[game].match, 0)
        net["ann"].pushes.clear()
        net.done("ann", Watch(0), 1)
        net.settle()
        assert net["ann"].views() == [view], "a command waits for the answer to its own"


def test_each_window_sees_the_table_that_it_looks_at_and_its_chat(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    tables = net["ann"].tables
    numbers = {game: one.table for game, one in net.games("ann").items()}
    for window, game in ((1, "numlo"), (2, "hexagrams"), (3, "hexagrams")):
        tables.window_up(window)
        net.done("ann", LookAt(numbers[game]), window)
        net.done("ann", Watch(-1), window)
    net.done("ann", LookAt(0), 3)
    net["ann"].pushes.clear()
    net.settle()
    net.moves(Random(3), 6)
    seen = {
        (push.window, push.message.match)
        for push in net["ann"].pushes
        if isinstance(push.message, View)
    }
    matches = {game: one.match for game, one in net.games("ann").items()}
    assert seen == {(1, matches["numlo"]), (2, matches["hexagrams"])}
    net.done("bob", Say("hello"), on=net.games("bob")["numlo"].table)
    net.settle()
    lines = [p for p in net["ann"].pushes if isinstance(p.message, Line)]
    assert [push.window for push in lines] == [1]
    assert net.games("ann")["numlo"].unread == 0
    net.done("ann", LookAt(numbers["hexagrams"]), 1)
    for number in range(3):
        net.done("bob", Say(f"{number}"), on=net.games("bob")["numlo"].table)
    net.settle()
    assert net.games("ann")["numlo"].unread == 3
    net["ann"].pushes.clear()
    net.done("ann", LookAt(numbers["numlo"]), 3)
    net.settle()
    told = [p for p in net["ann"].pushes if isinstance(p.message, Line)]
    assert [(push.window, push.message.text) for push in told] == [  # type: ignore[union-attr]
        (3, "hello"),
        (3, "0"),
        (3, "1"),
        (3, "2"),
    ]
    assert net.games("ann")["numlo"].unread == 0
    assert net.failed("ann", LookAt(99)) is Code.NO_TABLE


def test_lines_that_come_while_no_window_is_open_wait_to_be_read(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    there = net.games("bob")["numlo"].table
    for text in ("are you there?", "good night"):
        net.done("bob", Say(text), on=there)
    net.settle()
    net.done("ann", Say("I am"), on=net.games("ann")["numlo"].table)
    assert net.games("ann")["numlo"].unread == 2
    assert net.games("ann")["hexagrams"].unread == 0
    net["ann"].tables.window_up(1)
    assert net.games("ann")["numlo"].unread == 2, "it is shown the list"
    net.done("ann", LookAt(net.games("ann")["numlo"].table), 1)
    assert net.games("ann")["numlo"].unread == 0


def unread(net: Net, name: str = "ann") -> int:
    return net.games(name)["numlo"].unread


def crash(net: Net, name: str) -> None:
    """Let a node come back with what was synced, and no window."""
    for other in net.nodes:
        net.cut(name, other)
    net[name].restart(net.now)
    net.settle()


def test_what_was_read_before_a_match_is_read_in_it_and_after_a_crash(net: Net) -> None:
    net.done("ann", table("numlo", "person", "remote", options=SMALL))
    net.done("bob", Join("ann", -1))
    net.settle()
    net["ann"].tables.window_up(1)
    net.done("ann", LookAt(net.games("ann")["numlo"].table), 1)
    for name in ("ann", "bob"):
        net.done(name, Say("hello"))
    net.settle()
    assert (unread(net), unread(net, "bob")) == (0, 1)
    net.done("bob", Answer(on=True))
    net.done("ann", StartMatch())
    net.settle()
    assert (unread(net), unread(net, "bob")) == (0, 1)
    for name in ("ann", "bob"):
        crash(net, name)
    assert (unread(net), unread(net, "bob")) == (0, 1)


def test_what_was_not_read_is_unread_after_a_crash_and_what_was_is_not(
    net: Net,
) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    for name, text in (("bob", "one"), ("ann", "mine"), ("bob", "two")):
        net.done(name, Say(text), on=net.games(name)["numlo"].table)
    net.settle()
    assert (unread(net), unread(net, "bob")) == (2, 1)
    crash(net, "ann")
    assert unread(net) == 2
    crash(net, "bob")
    assert (unread(net), unread(net, "bob")) == (2, 1)
    net["ann"].tables.window_up(1)
    net.done("ann", LookAt(net.games("ann")["numlo"].table), 1)
    assert unread(net) == 0
    net.done("bob", Say("three"), on=net.games("bob")["numlo"].table)
    net.settle()
    assert unread(net) == 0, "it was shown at once"
    crash(net, "ann")
    assert unread(net) == 0
    net.done("bob", Say("four"), on=net.games("bob")["numlo"].table)
    net.settle()
    crash(net, "ann")
    assert unread(net) == 1
    net.done("ann", Mute(on=True, whom="bob"), on=net.games("ann")["numlo"].table)
    assert unread(net) == 0, "nobody is told of it"


def test_what_was_said_before_the_match_and_read_stays_so_in_it(net: Net) -> None:
    net.done("ann", table("numlo", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("bob", Say("unseen"))
    net.settle()
    (forming,) = net["ann"].tables.games(net.now)
    assert forming.unread == 1
    net["ann"].tables.window_up(1)
    net.done("ann", LookAt(forming.table))
    net.done("ann", StartMatch())
    net.settle()
    assert unread(net) == 0
    crash(net, "ann")
    assert unread(net) == 0


def test_a_command_that_shows_no_chat_reads_none(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    net.done("bob", Say("psst"), on=net.games("bob")["numlo"].table)
    net.settle()
    net["ann"].tables.window_up(1, reads=False)
    net.done("ann", LookAt(net.games("ann")["numlo"].table), 1)
    net.done("bob", Say("hello?"), on=net.games("bob")["numlo"].table)
    net.settle()
    assert unread(net) == 2


def test_what_a_guest_in_a_browser_sees_the_player_has_not_seen(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    net["ann"].tables.window_up(7, net.games("ann")["numlo"].match)
    net.done("bob", Say("psst"), on=net.games("bob")["numlo"].table)
    net.settle()
    assert unread(net) == 1
    net["ann"].tables.window_down(7)
    net["ann"].tables.window_up(7, net.games("ann")["numlo"].match)
    assert unread(net) == 1


def test_a_window_that_looks_elsewhere_leaves_nothing(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo")
    net["ann"].tables.window_up(1)
    net.done("ann", LookAt(0))
    net.settle()
    assert net["ann"].tables.table_status(net.now, 1) is None
    assert net.status("bob").phase == "playing"
    assert not any(isinstance(message, Decline) for message in net["bob"].got)


def test_a_table_that_is_left_leaves_the_others_and_its_window_sees_none(
    net: Net,
) -> None:
    net.begin_several("ann", "bob", *GAMES_AT_ONCE)
    net["bob"].tables.window_up(1)
    net.done("bob", LookAt(net.games("bob")["numlo"].table))
    net.done("bob", LeaveTable())
    net.settle()
    assert net["bob"].tables.table_status(net.now, 1) is None
    assert sorted(net.games("bob")) == ["hexagrams", "networdz"]
    assert net.status_of("ann", "numlo").phase == "stopped"
    assert net.status_of("ann", "networdz").phase == "playing"
    net.moves(Random(4), 8)
    assert net.raws("ann", "networdz") == net.raws("bob", "networdz")


def test_the_list_of_games_says_who_is_on_turn_and_begins_with_what_waits(
    net: Net,
) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams", computers=False)
    for game in ("numlo", "hexagrams"):
        one = net.games("ann")[game]
        assert (one.players, one.mode, one.phase) == (
            ("ann", "bob"),
            "hosting",
            "playing",
        )
    turns = {game: net.games("ann")[game].turn for game in ("numlo", "hexagrams")}
    assert all(len(turn) == 1 for turn in turns.values())
    for name, seat in (("ann", 0), ("bob", 1)):
        listed = net[name].tables.games(net.now)
        assert [one.mine for one in listed] == sorted(
            (one.turn == (seat,) for one in listed), reverse=True
        )
    net.now += 90
    assert net.games("ann")["numlo"].since >= 0
    net.part("ann", "bob")
    assert net.games("ann")["numlo"].away == ("bob",)


def test_a_notice_names_its_table_to_a_window_that_looks_at_another(net: Net) -> None:
    net.done("ann", table("numlo", "person", "remote:cyd", options=SMALL))
    net.done("ann", table("hexagrams", "person", "remote"))
    net.settle()
    tables = net["ann"].tables
    tables.window_up(1)
    net.done("ann", LookAt(net.games("ann")["numlo"].table), 1)
    net["ann"].pushes.clear()
    net.done("bob", Join("ann", -1))
    net.settle()
    assert net["ann"].lines("system") == [
        f"Hexagrams (bob): {Says.HAS_COME(name='bob')}",
        f"Hexagrams (bob): {Says.CAN_BEGIN(name='bob')}",
    ]

    net["ann"].pushes.clear()
    tables.window_up(2)
    net.done("ann", LookAt(net.games("ann")["hexagrams"].table), 2)
    net.done("bob", LeaveTable())
    net.settle()
    [plain] = net["ann"].lines("system")  # who looks there is told no more than before
    assert says(plain, Says.DOES_NOT_PLAY, name="bob")


def test_a_notice_names_its_table_also_if_that_is_gone(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("numlo", "person", "remote:bob", options=SMALL))
    net.settle()
    net.done("bob", table("hexagrams", "person", "remote"))
    net["bob"].tables.window_up(1)
    net.done("bob", LookAt(net.games("bob")["hexagrams"].table), 1)
    net.done("ann", LeaveTable())
    net.settle()
    assert f"Numlo (ann): {Says.HAS_LEFT_TABLE(name='ann')}" in net["bob"].lines(
        "system"
    )
    assert net["bob"].lines("error") == []


def test_a_call_is_for_its_table_and_consent_means_it(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo")
    net.link("cyd", "bob")
    peers = net["bob"].tables.shared.peers
    peers[net["cyd"].key] = replace(peers[net["cyd"].key], friend=False)
    net.done("cyd", HostTable("hexagrams", ("person", "remote:bob"), (), "", ""))
    net.settle()
    called = net.games("bob")["hexagrams"]
    assert (called.mode, called.mine) == ("called", True)
    assert net.status("bob").game == "numlo"  # that is what goes on
    revision = net.status_of("bob", "hexagrams").revision
    net.done("bob", Consent(accept=True, revision=revision))
    net.settle()
    assert net.status_of("cyd", "hexagrams").seats[1].accepted


def test_a_match_is_saved_of_the_table_that_is_named(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    assert net.failed("ann", Save("any")) is Code.USAGE
    net.done("ann", Save("one"), on=net.games("ann")["hexagrams"].table)
    kept = net["ann"].archive.read("one")
    assert kept.entries == net.raws("ann", "hexagrams")


def test_a_command_means_the_only_table_that_it_can_be_about(net: Net) -> None:
    net.begin_several("ann", "bob", "networdz", "hexagrams")
    net.done("ann", LeaveTable(), on=net.games("ann")["hexagrams"].table)
    net.done("ann", table("numlo", "person", "remote:bob", options=SMALL))
    net.settle()
    net.done("ann", StartMatch())  # of two that go on one alone is being formed
    net.settle()
    assert net.status_of("ann", "numlo").phase == "playing"
    assert net.failed("ann", StartMatch()) is Code.USAGE  # none is any more


def test_what_is_asked_of_a_match_means_it_beside_a_table_that_is_formed(
    net: Net,
) -> None:
    net.begin_several("ann", "bob", "hexagrams")
    net.done("ann", table("numlo", "person", "remote", options=SMALL))
    net.settle()
    for question in (TakeBack(0), ClaimTime()):
        answer = net.ask("ann", question)
        assert isinstance(answer, Failed)
        assert answer.detail in (Says.NOTHING_TO_TAKE_BACK(), Says.NOTHING_TO_CLAIM())


@pytest.mark.parametrize("question", [TakeBack(0), ClaimTime()])
def test_what_is_asked_of_no_match_is_refused_in_words(
    net: Net, question: Question
) -> None:
    net.done("ann", table("numlo", "person", "remote", options=SMALL))
    answer = net.ask("ann", question)
    assert isinstance(answer, Failed)
    assert answer.code == Code.NO_TABLE.number
    assert answer.detail == Says.NO_MATCH_HERE()


def test_a_glance_shows_a_board_and_nothing_that_a_bystander_may_not_see(
    net: Net,
) -> None:
    net.begin_several("ann", "bob", "networdz")
    net.moves(Random(3), 6)
    one = net.games("ann")["networdz"]
    view = net["ann"].tables.glance(one.table)
    assert (view.match, view.seat, view.number) == (one.match, -1, one.entries)
    game = GAMES["networdz"]
    state = unpack(view.state, game.ABOUT.state)
    assert state == game.view(state, None)
    for wrong in (0, 99):
        with pytest.raises(LocalError) as refused:
            net["ann"].tables.glance(wrong)
        assert refused.value.code is Code.NO_TABLE

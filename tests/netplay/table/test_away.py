"""Tables whose players are away: moves, chat and consents that wait for them."""

from collections.abc import Callable
from itertools import islice

import pytest
from msgspec.structs import replace

from netplay.errors import Code
from netplay.messages.door import Answer, Done, Line, Play, Say, StartMatch, View, Watch
from netplay.messages.log import Lift
from netplay.messages.table import Days, Heard
from netplay.messages.table_questions import HandSeat, TakeBack
from netplay.sentences import Says
from netplay.wire import pack
from rules import networdz
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.netplay.match.encrypted import silence


def begun(net: Net, *guests: str, game: str = "numlo", days: Days = 0) -> None:
    """Let ann host a match of persons."""
    seats = ("person", *(f"remote:{guest}" for guest in guests))
    for guest in guests:
        net.done(guest, Answer(on=True))
    options = () if game != "numlo" else SMALL if len(guests) == 1 else SMALL[:2]
    net.done("ann", replace(table(game, *seats, options=options), days=days))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()


def asleep(net: Net, *names: str) -> None:
    """Let nobody reach some nodes."""
    for name in names:
        for other in net.nodes:
            if other != name:
                net.part(name, other)
    net.settle()


def awake(net: Net) -> None:
    net.apart.clear()
    net.settle()


def move(net: Net, name: str) -> bytes:
    """Return a move that the player of a node may make."""
    match = net[name].match
    [seat] = match.fold.seats_of(match.me)
    state = match.seats.view(seat).state
    return pack(next(iter(islice(match.fold.game.moves(state, seat), 1))))


def on_turn(net: Net) -> tuple[str, int]:
    """Return whose turn it is, and the seat."""
    [seat] = net.status("ann").turn
    return ("ann", "bob", "cyd")[seat], seat


def test_of_a_move_without_an_answer_the_windows_are_told_after_a_second(
    net: Net,
) -> None:
    """The host has stopped, and its link counts for another eleven seconds."""
    begun(net, "bob")
    if on_turn(net)[0] == "ann":
        net.done("ann", Play(0, move(net, "ann"), 10_000))
        net.settle()
    tables, made = net["bob"].tables, move(net, "bob")
    net.done("bob", Watch(1))
    net.done("bob", Play(1, made, 10_000))
    tables.take_outgoing()  # nobody reads it
    tables.take_pushes()
    tables.take_news()
    assert net.status("bob").turn == (1,)

    tables.wake(net.now + 1)

    assert tables.take_news().changed
    shown = net.status("bob")
    assert (shown.turn, shown.made.moves, shown.made.back) == ((0,), (1,), ())
    [view] = [push.message for push in tables.take_pushes()]
    assert isinstance(view, View)
    assert view.made == (made,)


def test_a_move_stands_on_the_board_before_it_is_delivered(net: Net) -> None:
    begun(net, "bob", game="networdz")
    name, seat = on_turn(net)
    other = {"ann": "bob", "bob": "ann"}[name]
    asleep(net, other)
    assert (net.status(name).phase, net.status(name).turn) == ("playing", (seat,))
    net.done(name, Watch(seat))
    made = move(net, name)

    net.done(name, Play(seat, made, 10_000))
    net.settle()

    shown = net.status(name)
    assert (shown.made.moves, shown.made.back) == ((seat,), (seat,))
    assert shown.made.draws
    assert (shown.phase, shown.turn) == ("paused", ())
    assert net[name].views()[-1].made == (made,)
    assert net[name].tables.games(net.now)[0].undelivered
    assert net.failed(name, Play(seat, made, 10_000)) is Code.STALE
    before = len(net[name].views())
    awake(net)
    assert not net.status(name).made.moves
    views = net[name].views()[before:]
    assert views[-1].made == ()
    assert [each.move for view in views for each in view.happened].count(made) == 1


def test_it_is_taken_back_and_the_board_is_as_before(net: Net) -> None:
    begun(net, "bob")
    name, seat = on_turn(net)
    asleep(net, {"ann": "bob", "bob": "ann"}[name])
    net.done(name, Watch(seat))
    net.done(name, Play(seat, move(net, name), 10_000))
    net.settle()

    assert net.failed(name, TakeBack(1 - seat)) is Code.NOT_A_MEMBER
    net.done(name, TakeBack(seat))
    net.settle()

    assert net[name].views()[-1].made == ()
    assert net.status(name).turn == (seat,)
    assert net.failed(name, TakeBack(seat)) is Code.USAGE
    net.done(name, Play(seat, pack(Resign()), 10_000))
    awake(net)
    assert net.status("ann").phase == "over"


def undelivered(net: Net, name: str) -> bool:
    """Tell whether a node's list of games says so of its only table."""
    [row] = net[name].tables.games(net.now)
    return row.undelivered


def moved_by_host(net: Net) -> None:
    """Let the match go on until the host has made the last move, bob on turn."""
    name, seat = on_turn(net)
    if name == "bob":
        net.done("bob", Play(seat, move(net, "bob"), 10_000))
        net.settle()
    net.done("ann", Play(0, move(net, "ann"), 10_000))
    net.settle()
    assert on_turn(net)[0] == "bob"


@pytest.mark.parametrize("name", ["ann", "bob"])
def test_after_a_restart_nothing_is_said_of_moves_delivered_long_ago(
    net: Net, name: str
) -> None:
    begun(net, "bob")
    moved_by_host(net)
    net.wake(5)
    asleep(net, "bob")

    net[name].restart(net.now)

    assert not undelivered(net, name)


def test_before_a_host_has_moved_nothing_is_said_to_be_undelivered(net: Net) -> None:
    """What it has entered by itself, for the tiles, is no move of its player."""
    begun(net, "bob", game="networdz", days=3)
    asleep(net, "bob")
    net["ann"].restart(net.now)
    assert not undelivered(net, "ann")


def test_a_host_s_move_that_nobody_has_is_undelivered_after_a_restart(net: Net) -> None:
    begun(net, "bob", days=3)
    if on_turn(net)[0] == "bob":
        net.done("bob", Play(1, move(net, "bob"), 10_000))
        net.settle()
    asleep(net, "bob")
    net.done("ann", Play(0, move(net, "ann"), 10_000))
    net.settle()
    assert undelivered(net, "ann")
    net["ann"].restart(net.now)
    assert undelivered(net, "ann")
    awake(net)
    net.wake(5)
    assert not undelivered(net, "ann")


@pytest.mark.parametrize("name", ["ann", "bob"])
def test_a_move_on_its_way_to_somebody_who_is_there_is_not_undelivered(
    net: Net, name: str
) -> None:
    begun(net, "bob")
    moved_by_host(net)
    if name == "ann":
        net.done("bob", Play(1, move(net, "bob"), 10_000))
        net.settle()
    seat = ("ann", "bob").index(name)
    net.done(name, Play(seat, move(net, name), 10_000))
    assert not undelivered(net, name)
    net.settle()
    assert not undelivered(net, name)


def test_a_line_of_chat_says_whether_it_was_delivered_and_after_a_restart(
    net: Net,
) -> None:
    begun(net, "bob")
    net.done("ann", Say("here"))
    net.settle()
    assert net.status("ann").made.lines == 1
    asleep(net, "bob")

    answer = net.ask("ann", Say("there?"))
    net.settle()

    assert isinstance(answer, Done)
    assert answer.text == Says.LINE_KEPT()
    assert net.status("ann").made.lines == 1
    lines = [p.message for p in net["ann"].pushes if isinstance(p.message, Line)]
    assert [line.number for line in lines] == [0, 1]
    net.isolate("ann")
    net["ann"].restart(net.now)
    assert net.status("ann").made.lines == 1
    awake(net)
    assert net.status("ann").made.lines == 2
    assert [line.text for line in net["bob"].chat.talk.came()] == ["here", "there?"]


def test_a_consent_is_kept_and_told_to_whoever_comes(net: Net) -> None:
    begun(net, "bob", "cyd")
    asleep(net, "ann", "bob", "cyd")

    net.done("bob", HandSeat(2, "ann"))
    assert net.status("bob").made.consents == ((2, "ann"),)
    net["bob"].restart(net.now)
    assert net.status("bob").made.consents == ((2, "ann"),)
    net.done("ann", HandSeat(2, "ann"))
    assert net.status("ann").made.consents == ((2, "ann"),)

    net.apart = {pair for pair in net.apart if "cyd" in pair}
    net.settle()

    assert net.status("ann").made.consents == ()
    assert [seat.name for seat in net.status("ann").seats] == ["ann", "bob", "ann"]
    assert net.status("bob").made.consents == ()


def test_nobody_is_believed_to_have_lines_that_were_never_said(net: Net) -> None:
    begun(net, "bob")
    net.done("ann", Say("one"))
    net.settle()
    chat, ann = net["ann"].chat, net["ann"]

    liar = Heard(chat.nonce, ((ann.key, 2**40),), asks=False)
    ann.tables.receive(net["bob"].key, liar, net.now)

    assert net.status("ann").made.lines == 1


@pytest.mark.parametrize("game", ["numlo", "hexcolumns"])
def test_who_is_blocked_is_not_said_to_be_away(net: Net, game: str) -> None:
    begun(net, "bob", game=game)
    key = net["bob"].key
    net["ann"].known.blocked.add(key, "bob")
    net["ann"].tables.block(key)
    net.part("ann", "bob")
    net.wake(1)
    for name, one in (("ann", "blocked"), ("bob", "away")):
        assert {seat.state for seat in net.status(name).seats} == {"here", one}
    (listed,) = net["ann"].tables.games(net.now)
    assert (listed.away, listed.blocked) == ((), ("bob",))
    assert not listed.live
    (listed,) = net["bob"].tables.games(net.now)
    assert (listed.away, listed.blocked) == (("ann",), ())


def by_days(net: Net, *guests: str) -> Callable[[str, networdz.Move], None]:
    """Begin Networdz with days and an encrypted bag; return how somebody moves."""
    for guest in guests:
        net.done(guest, Answer(on=True))
    seats = ("person", *(f"remote:{guest}" for guest in guests))
    wish = table("networdz", *seats, options=(("challenge", "single"),))
    net.done("ann", replace(wish, days=3, fairness="encrypted"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()

    def play(name: str, chosen: networdz.Move) -> None:
        seat = on_turn(net)[1]
        net.done(name, Play(seat, pack(chosen), net[name].match.fold.number))
        net.settle()

    while on_turn(net)[0] != "ann":
        play(on_turn(net)[0], networdz.Pass())
    return play


def face_down(net: Net, *guests: str, lays: bool = False) -> None:
    """Have ann on turn with tiles that bob owes her: her word could be challenged.

    Where he lays a word himself, it waits for what she says to it.
    """
    play = by_days(net, *guests)
    ann, bob = net["ann"].match, net["bob"].match
    play("ann", next(networdz.lays(ann.seats.view(0).state, 0)))
    silence(bob, Lift)
    net["ann"].tables.take_news()
    word = next(networdz.lays(bob.seats.view(1).state, 1)) if lays else None
    play("bob", word or networdz.Pass())
    while on_turn(net)[0] != "ann":
        play(on_turn(net)[0], networdz.Pass())
    assert ann.fold.late == {1}


@pytest.mark.parametrize("guests", [("bob",), ("bob", "cyd")])
def test_nobody_is_called_to_a_turn_whose_tiles_another_owes_who_is_away(
    guests: tuple[str, ...],
) -> None:
    net = Net("ann", *guests)
    face_down(net, *guests)
    assert (net.status("ann").phase, net.status("ann").face_down) == ("playing", (0,))
    asleep(net, "bob")
    [listed] = net["ann"].tables.games(net.now)
    assert not listed.mine
    assert listed.phase == "paused"
    assert listed.waiting == Says.TILES_FROM(names="bob")
    rung = net["ann"].tables.take_news().summons
    assert "turn" not in {one.reason for one in rung}
    bob = net["bob"].match
    del bob.masks.owed  # type: ignore[method-assign]
    bob.masks.news += 1
    awake(net)
    net.dial()
    net.settle()
    [listed] = net["ann"].tables.games(net.now)
    assert (listed.mine, listed.phase, listed.waiting) == (True, "playing", "")
    assert net.status("ann").face_down == ()
    rung = net["ann"].tables.take_news().summons
    assert "turn" in {one.reason for one in rung}
    net.close()


def test_a_word_is_challenged_with_a_rack_face_down() -> None:
    net = Net("ann", "bob")
    face_down(net, "bob", lays=True)
    asleep(net, "bob")
    [listed] = net["ann"].tables.games(net.now)
    assert (listed.mine, listed.phase) == (True, "playing")
    assert listed.waiting == Says.TILES_FROM(names="bob")
    match = net["ann"].match
    net.done("ann", Play(0, pack(networdz.Challenge()), match.fold.number))
    net.settle()
    [listed] = net["ann"].tables.games(net.now)
    assert not listed.mine
    net.close()


def test_no_days_are_shown_to_a_guest_whose_host_has_yet_to_hear_what_it_owed() -> None:
    """Its mixing waits for the host, who is away, and its tiles for that."""
    net = Net("ann", "bob")
    net.reader = None  # what bob mixes its table is not told of
    play = by_days(net, "bob")
    bob = net["bob"].match
    vars(bob)["jobs"] = lambda: ()
    rack = net["ann"].match.seats.view(0).state.tiles.racks[0]
    play("ann", networdz.Pass(rack[:2]))
    play("bob", next(networdz.lays(bob.seats.view(1).state, 1)))
    play("ann", networdz.Pass())
    status = net.status("bob")
    assert (status.turn, status.face_down, status.phase) == ((1,), (1,), "playing")
    assert status.thinking.left is not None
    asleep(net, "ann")
    bob.go_by_mail(net.now)  # a letter is on its way
    del vars(bob)["jobs"]
    while jobs := bob.jobs():
        bob.done(jobs[0].work(), net.now)
    status, [listed] = net.status("bob"), net["bob"].tables.games(net.now)
    assert (status.phase, status.face_down, status.waiting) == ("paused", (1,), "ann")
    assert status.thinking.left is listed.left is None
    assert not listed.mine
    net.close()

"""Tables formed, played and left by desks that are joined in memory."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.desk import Dial
from netplay.errors import Code, LocalError, PeerError
from netplay.messages.door import (
    Answer,
    Call,
    ChangeTable,
    Consent,
    Done,
    Failed,
    GetStatus,
    HostTable,
    Join,
    LeaveTable,
    Load,
    LookBack,
    Play,
    Question,
    Save,
    Say,
    SetName,
    StartMatch,
    TableStatus,
    Tool,
    Watch,
)
from netplay.messages.log import Consent as Consent_
from netplay.messages.log import Entries, Have, Opening
from netplay.messages.table import Accept, Ask, Chat, Decline, Proposal, Want
from netplay.record.ledger import make_genesis
from netplay.record.log import match_of
from netplay.record.store import MatchFile, MemoryDisk
from netplay.table.desk import LocalDesk
from netplay.wire import pack, unpack
from rules import GAMES
from rules.game import Resign
from tests.netplay.desks import Net, table
from tests.netplay.party import make_terms

SMALL = (("size", "8"), ("values", "off"), ("start", "othello"))


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("ann", "bob", "cyd", "dan")
    yield one
    one.close()


def status(net: Net, name: str) -> TableStatus:
    found = net[name].desk.table_status(net.now)
    assert found is not None
    return found


def failed(net: Net, name: str, question: Question) -> Code:
    answer = net.ask(name, question)
    assert isinstance(answer, Failed), answer
    assert answer.reason
    return next(code for code in Code if code.number == answer.code)


def start(net: Net, *guests: str, game: str = "numlo", computers: bool = True) -> None:
    """Let ann host a match with guests, everybody played by a computer if wished."""
    for guest in guests:
        net.done(guest, Answer(on=True))
        if computers:
            net.done(guest, Tool("autoplay", ("40",)))
    seats = ("computer:40", *(f"remote:{guest}" for guest in guests))
    options = SMALL if game == "numlo" else ()
    if game == "numlo" and len(guests) > 1:
        options = SMALL[:2]
    net.done("ann", table(game, *seats, options=options))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()


# Forming a table.


def test_a_host_calls_waiting_peers_and_they_accept_by_themselves(net: Net) -> None:
    net.done("bob", Answer(on=True))
    assert net["bob"].desk.mode() == "answering"
    net.done("ann", table("networdz", "person", "remote:bob the neighbour"))
    assert status(net, "ann").seats[1].state == "awaited"
    assert status(net, "ann").waiting == "bob the neighbour"
    net.settle()
    for name in ("ann", "bob"):
        shown = status(net, name)
        assert shown.phase == "forming"
        assert [seat.name for seat in shown.seats] == ["ann", "bob"]
        assert all(seat.accepted for seat in shown.seats)
    assert status(net, "ann").seats[1].address == "bob the neighbour"
    assert net["ann"].desk.mode() == "hosting"
    assert net["bob"].desk.mode() == "joined"


def test_a_peer_joins_a_waiting_host_and_takes_the_seat_it_wants(net: Net) -> None:
    net.done("ann", table("networdz", "remote", "person", "remote"))
    net.done("bob", Join("ann", 2))
    assert net["bob"].desk.mode() == "calling"
    net.settle()
    assert [seat.name for seat in status(net, "bob").seats] == ["", "ann", "bob"]
    assert [seat.state for seat in status(net, "bob").seats] == [
        "awaited",
        "connected",
        "here",
    ]
    assert not status(net, "bob").seats[2].accepted
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert [seat.name for seat in status(net, "cyd").seats] == ["cyd", "ann", "bob"]
    assert all(seat.accepted for seat in status(net, "ann").seats)


def test_who_finds_no_seat_or_no_table_is_told(net: Net) -> None:
    net.done("bob", Join("ann", -1))
    net.settle()
    assert "no table is open there" in net["bob"].lines("error")[-1]
    assert net["bob"].desk.mode() == "idle"
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert "every seat of the table is taken" in net["cyd"].lines("error")[-1]


def test_an_address_without_an_answer_is_reported(net: Net) -> None:
    net.done("bob", Join("nowhere", -1))
    net.settle()
    assert net["bob"].lines("error") == ["nobody at nowhere"]
    assert net["bob"].desk.mode() == "idle"


def test_a_host_goes_on_calling_an_address_that_does_not_answer(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote:nowhere"))
    desk = net["ann"].desk
    assert desk.wants_dial() == [Dial("nowhere", None)]
    desk.unreachable(Dial("nowhere", None), "no answer", net.now)
    assert desk.wants_dial() == [Dial("nowhere", None)]
    net.done("ann", LeaveTable())
    assert desk.wants_dial() == []


def test_a_peer_that_is_not_waiting_is_not_disturbed(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle(200)
    assert net["bob"].desk.table_status(net.now) is None
    assert "does not play" in net["ann"].lines("system")[-1]
    assert status(net, "ann").seats[1].state == "awaited"


def test_changed_terms_are_accepted_anew(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()
    before = status(net, "bob").revision
    changed = table(
        "networdz", "person", "remote:bob", "computer", options=(("timed", "5"),)
    )
    net.done("ann", ChangeTable(changed))
    assert not status(net, "ann").seats[1].accepted
    net.settle()
    after = status(net, "bob")
    assert after.revision > before
    assert len(after.seats) == 3
    assert after.seats[1].accepted
    options = GAMES["networdz"].ABOUT.options
    assert unpack(after.options, options).timed == 5


def test_terms_that_cannot_be_are_refused_and_the_old_ones_stay(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    bad = [
        table("chess", "person"),
        table("networdz", "dog"),
        table("networdz", "computer:101"),
        table("networdz", *["person"] * 5),
        table("networdz"),
        table("networdz", "person", options=(("speed", "9"),)),
        table("networdz", "person", options=(("timed", "soon"),)),
        table("networdz", "person", options=(("american", "on"),)),
        table("numlo", "person"),
        HostTable("networdz", ("person",), (), "nothere", ""),
        HostTable("networdz", ("person",), (), "", "nothere"),
    ]
    for wish in bad:
        assert failed(net, "ann", ChangeTable(wish)) in {
            Code.USAGE,
            Code.BAD_EDITION,
            Code.BAD_WORDS,
        }
        assert status(net, "ann").game == "networdz"
        assert len(status(net, "ann").seats) == 2


def test_persons_and_computers_without_names_get_some(net: Net) -> None:
    net.done("ann", table("networdz", "person", "person", "person:Zoe", "computer"))
    names = [seat.name for seat in status(net, "ann").seats]
    assert names == ["ann", "ann 2", "Zoe", "Computer 4"]
    assert status(net, "ann").seats[3].skill == 50


def test_an_edition_named_among_the_options_is_the_one_played(net: Net) -> None:
    wish = table("networdz", "person", options=(("edition", "standard"),))
    net.done("ann", wish)
    assert status(net, "ann").edition == "standard"
    assert status(net, "ann").lexicon == "english"
    wish = HostTable("networdz", ("person",), (), "french", "french")
    net.done("ann", ChangeTable(wish))
    assert (status(net, "ann").edition, status(net, "ann").lexicon) == (
        "french",
        "french",
    )


def test_a_guest_declines_and_its_seat_is_free_again(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    revision = status(net, "bob").revision
    assert failed(net, "bob", Consent(accept=True, revision=99)) is Code.STALE
    net.done("bob", Consent(accept=True, revision=revision))
    net.done("bob", Consent(accept=False, revision=revision))
    net.settle()
    assert net["bob"].desk.table_status(net.now) is None
    assert status(net, "ann").seats[1].state == "awaited"
    assert failed(net, "bob", Consent(accept=True, revision=0)) is Code.NO_TABLE


def test_a_host_that_leaves_tells_its_guests(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("ann", LeaveTable())
    net.settle()
    assert net["bob"].desk.mode() == "idle"
    assert net["bob"].lines("error")
    net.done("ann", LeaveTable())


def test_a_match_does_not_start_before_all_have_agreed(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    assert failed(net, "ann", StartMatch()) is Code.USAGE
    assert failed(net, "bob", StartMatch()) is Code.NO_TABLE


def test_calling_fills_a_free_seat(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote", "remote"))
    net.done("ann", Call("bob", 2))
    net.settle()
    assert [seat.name for seat in status(net, "ann").seats] == ["ann", "", "bob"]
    net.done("cyd", Answer(on=True))
    net.done("ann", Call("cyd"))
    net.settle()
    assert [seat.name for seat in status(net, "ann").seats] == ["ann", "cyd", "bob"]
    assert failed(net, "ann", Call("dan")) is Code.TABLE_FULL
    assert failed(net, "bob", Call("dan")) is Code.NO_TABLE


def test_a_peer_that_is_up_already_is_seated_at_once(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.link("ann", "bob")
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()
    assert status(net, "ann").seats[1].name == "bob"


def test_one_table_at_a_time(net: Net) -> None:
    net.done("ann", table("networdz", "person"))
    assert failed(net, "ann", table("networdz", "person")) is Code.USAGE
    assert failed(net, "ann", Join("bob")) is Code.USAGE
    assert failed(net, "ann", Load("")) is Code.USAGE


def test_a_link_lost_while_forming_is_restored_and_the_seat_kept(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.cut("ann", "bob")
    assert status(net, "ann").seats[1].state == "away"
    assert net["bob"].desk.wants_dial()
    net.settle()
    assert status(net, "ann").seats[1].state == "connected"
    net.done("ann", StartMatch())
    net.settle()
    assert status(net, "bob").phase in {"playing", "starting"}


def test_a_name_is_cleaned_and_may_not_be_empty(net: Net) -> None:
    net.done("ann", SetName("  An\x07n \u202e "))
    net.done("ann", table("networdz", "person"))
    assert status(net, "ann").seats[0].name == "Ann"
    assert failed(net, "ann", SetName("\u200b")) is Code.USAGE


# Playing.


@pytest.mark.parametrize("guests", [("bob",), ("bob", "cyd"), ("bob", "cyd", "dan")])
def test_a_match_among_nodes_is_played_to_its_end(
    net: Net, guests: tuple[str, ...]
) -> None:
    start(net, *guests)
    net.play_out(Random(1))
    everybody = ("ann", *guests)
    shown = [status(net, name) for name in everybody]
    assert {one.phase for one in shown} == {"over"}
    assert {one.audit for one in shown} == {"ok"}
    assert len({one.places for one in shown}) == 1
    assert len({(one.entries, one.final) for one in shown}) == 1
    assert not any(net[name].errors for name in everybody)


def test_peers_of_a_host_find_each_other(net: Net) -> None:
    start(net, "bob", "cyd")
    assert frozenset(("bob", "cyd")) in net.links


def test_views_tell_all_that_happened_once_and_only_to_who_watches(net: Net) -> None:
    start(net, "bob", game="networdz")
    for window, seat in ((1, 0), (2, -1)):
        net.done("ann", Watch(seat), window)
    for _ in range(6):
        net.think(Random(1))
        net.settle()
    views = {1: list[Any](), 2: list[Any]()}
    for push in net["ann"].pushes:
        if push.window in views and type(push.message).__name__ == "View":
            views[push.window].append(push.message)
    for own in views.values():
        numbers = [one.number for view in own for one in view.happened]
        assert numbers == list(range(len(numbers)))
    kinds = GAMES["networdz"].ABOUT
    seat, bystander = (unpack(views[w][-1].state, kinds.state) for w in (1, 2))
    assert seat.tiles.kinds[0][0] >= 0
    assert all(kind == -1 for rack in bystander.tiles.kinds for kind in rack)
    assert failed(net, "ann", Watch(1)) is Code.NOT_A_MEMBER
    net["ann"].desk.window_up(1)
    net["ann"].desk.window_down(1)
    net["ann"].desk.window_down(9)


def test_looking_back_shows_an_earlier_view(net: Net) -> None:
    assert failed(net, "ann", LookBack(0)) is Code.USAGE
    start(net, "bob")
    net.done("ann", Watch(0))
    for _ in range(4):
        net.think(Random(1))
        net.settle()
    net.done("ann", LookBack(0))
    net.settle()
    back = [view for view in net["ann"].views() if not view.live]
    assert len(back) == 1
    assert back[0].happened == ()


def test_a_person_plays_from_a_window(net: Net) -> None:
    net.done("ann", table("numlo", "person", "computer", options=SMALL))
    assert failed(net, "ann", Play(0, b"", 0)) is Code.NO_TABLE
    net.done("ann", StartMatch())
    net.done("ann", Watch(0))
    net.settle()
    view = net["ann"].views()[-1]
    state = unpack(view.state, GAMES["numlo"].ABOUT.state)
    move = next(GAMES["numlo"].moves(state, 0))
    assert failed(net, "ann", Play(1, pack(move), view.number)) in {
        Code.NOT_YOUR_TURN,
        Code.ILLEGAL_MOVE,
    }
    net.done("ann", Play(0, pack(move), view.number))
    assert failed(net, "ann", Play(0, pack(move), view.number)) in {
        Code.NOT_YOUR_TURN,
        Code.STALE,
    }
    net.settle()
    assert net["ann"].views()[-1].happened[-1].move == pack(move)


def test_a_thought_whose_position_has_passed_is_dropped(net: Net) -> None:
    start(net, "bob")
    old = next(iter(net["ann"].desk.seats_to_think()), None) or next(
        iter(net["bob"].desk.seats_to_think())
    )
    name = "ann" if net["ann"].desk.seats_to_think() else "bob"
    net.think(Random(1))
    net.settle()
    entries = status(net, name).entries
    move = next(GAMES["numlo"].moves(old.view, old.seat))
    net[name].desk.thought(old, move, net.now)
    net.settle()
    assert status(net, name).entries == entries
    net["dan"].desk.thought(old, move, net.now)


def test_a_computer_player_that_errs_is_reported(net: Net) -> None:
    start(net, "bob")
    name = "ann" if net["ann"].desk.seats_to_think() else "bob"
    [thought] = net[name].desk.seats_to_think()
    illegal = GAMES["numlo"].ABOUT.move.__args__[0](0)
    net[name].desk.thought(thought, illegal, net.now)
    net.settle()
    assert "erred" in net[name].lines("error")[-1]


def test_a_player_resigns(net: Net) -> None:
    start(net, "bob")
    net.done("bob", Play(1, pack(Resign()), 0))
    net.settle()
    assert status(net, "ann").phase == "over"
    assert status(net, "ann").seats[1].state == "resigned"


# Chat.


def test_chat_crosses_before_and_during_a_match(net: Net) -> None:
    assert failed(net, "ann", Say("hello?")) is Code.NO_TABLE
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("bob", Say("before"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    net.done("ann", Say("during"))
    net.settle()
    for name in ("ann", "bob"):
        assert net[name].lines("chat") == ["before", "during"]


def test_chat_said_while_a_link_is_down_arrives_later_in_order(net: Net) -> None:
    start(net, "bob")
    net.cut("ann", "bob")
    net.done("ann", Say("one"))
    net.done("ann", Say("two"))
    net.done("bob", Say("three"))
    net.settle()
    assert net["bob"].lines("chat") == ["three", "one", "two"]
    assert net["ann"].lines("chat") == ["one", "two", "three"]


def test_chat_survives_a_crash(net: Net) -> None:
    start(net, "bob")
    net.done("bob", Say("remember"))
    net.settle()
    for disk in net["bob"].archive.disks.values():
        disk.sync()
    net.isolate("bob")
    net["bob"].restart(net.now)
    net.done("bob", Say("again"))
    net.settle()
    assert net["ann"].lines("chat") == ["remember", "again"]
    assert not net["ann"].errors


def test_a_line_by_a_stranger_at_the_table_is_a_breach(net: Net) -> None:
    start(net, "bob")
    nonce = net["ann"].desk.sitting.nonce
    line = Chat(nonce, net["dan"].key, 0, "hi", bytes(64))
    with pytest.raises(Exception, match="stranger"):
        net["ann"].desk.receive(net["bob"].key, line, net.now)
    other = Chat(bytes(32), net["bob"].key, 0, "hi", bytes(64))
    net["ann"].desk.receive(net["bob"].key, other, net.now)


# Leaving, saving, loading, crashing.


def test_a_lost_link_pauses_and_its_return_resumes(net: Net) -> None:
    start(net, "bob")
    net.think(Random(1))
    net.settle()
    net.cut("ann", "bob")
    for name in ("ann", "bob"):
        assert status(net, name).phase == "paused"
    assert status(net, "ann").waiting == "bob"
    net.play_out(Random(2))
    assert status(net, "bob").audit == "ok"


def test_who_leaves_stops_the_match_and_may_load_it_again(net: Net) -> None:
    start(net, "bob")
    net.think(Random(1))
    net.settle()
    net.done("bob", LeaveTable())
    net.settle()
    assert net["bob"].desk.table_status(net.now) is None
    assert status(net, "ann").phase == "stopped"
    assert "bob has left" in status(net, "ann").waiting
    assert not net["ann"].desk.seats_to_think()
    assert failed(net, "ann", Play(0, b"", 0)) is Code.STOPPED
    net.done("bob", Load(""))
    net.settle()
    assert status(net, "ann").phase == "playing"
    net.play_out(Random(1))
    assert status(net, "ann").audit == "ok"


def test_after_both_have_left_either_may_load_and_the_other_follows(net: Net) -> None:
    start(net, "bob")
    net.think(Random(1))
    net.settle()
    for name in ("bob", "ann"):
        net.done(name, LeaveTable())
        net.settle()
    net.done("bob", Load(""))
    net.settle()
    assert status(net, "ann").phase == "playing"
    assert status(net, "bob").phase == "playing"


def test_a_node_that_was_killed_goes_on_with_the_match_in_hand(net: Net) -> None:
    start(net, "bob", "cyd")
    rng = Random(7)
    for victim in ("bob", "ann", "cyd", "ann", "bob"):
        for _ in range(3):
            net.think(rng)
            net.settle()
        net.isolate(victim)
        net[victim].restart(net.now)
        if victim != "ann":
            net.done(victim, Tool("autoplay", ("40",)))
        net.settle()
    net.play_out(rng)
    assert {status(net, name).audit for name in ("ann", "bob", "cyd")} == {"ok"}


def test_a_saved_match_is_loaded_by_its_player_and_by_nobody_else(net: Net) -> None:
    assert failed(net, "ann", Save("x")) is Code.NO_TABLE
    start(net, "bob")
    net.think(Random(1))
    net.settle()
    net.done("bob", Save("copy"))
    kept = net["bob"].archive.disks["copy"]
    for name in ("ann", "bob"):
        net.done(name, LeaveTable())
        net.settle()
    net["cyd"].archive.disks["copy"] = kept
    assert failed(net, "cyd", Load("copy")) is Code.NOT_A_MEMBER
    assert failed(net, "cyd", Load("other")) is Code.FILE
    assert failed(net, "dan", Load("")) is Code.USAGE
    kept.data[40] ^= 1
    assert failed(net, "cyd", Load("copy")) is Code.BAD_LOG
    kept.data[40] ^= 1
    net.done("bob", Load("copy"))


def test_a_peer_without_its_file_gets_the_match_from_the_others(net: Net) -> None:
    start(net, "bob", computers=True)
    for _ in range(4):
        net.think(Random(1))
        net.settle()
    net.isolate("bob")
    secrets = {k: v for k, v in net["bob"].archive.disks.items() if "secrets" in k}
    net["bob"].archive.disks.clear()
    net["bob"].archive.disks.update(secrets)
    net["bob"].archive.take_in_hand(None)
    net["bob"].restart(net.now)
    net.settle()
    net.done("bob", Tool("autoplay", ("40",)))
    net.play_out(Random(1))
    assert status(net, "bob").audit == "ok"


class FullDisk(MemoryDisk):
    """A disk that refuses from some moment on."""

    full = False

    def append(self, data: bytes) -> None:
        if self.full:
            raise LocalError(Code.DISK, "no space left")
        super().append(data)

    def sync(self) -> None:
        if self.full:
            raise LocalError(Code.DISK, "no space left")
        super().sync()


def test_a_full_disk_ends_the_match_here_and_says_so(net: Net) -> None:
    start(net, "bob")
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
    assert "no space left" in net["ann"].lines("error")[-1]
    assert net["ann"].desk.table_status(net.now) is None
    net["ann"].archive.disks.clear()


def test_what_is_not_the_desks_to_answer_fails(net: Net) -> None:
    assert failed(net, "ann", GetStatus()) is Code.USAGE
    assert failed(net, "ann", Tool("dance", ())) is Code.USAGE
    assert failed(net, "ann", Tool("autoplay", ("many",))) is Code.USAGE
    net.done("ann", Tool("autoplay", ()))
    net.done("ann", Answer(on=False))


def test_a_vote_gives_the_table_another_host(net: Net) -> None:
    start(net, "bob", "cyd")
    net.isolate("ann")
    net.nodes.pop("ann")
    for name in ("bob", "cyd"):
        net.done(name, Tool("vote", ()))
        net.settle()
    net.wake(2)
    assert [status(net, name).hosting for name in ("bob", "cyd")] == [True, False]
    assert status(net, "cyd").host == "bob"


# Handing over a seat.


def hand(net: Net, names: tuple[str, ...], seat: str, who: str) -> None:
    for name in names:
        net.done(name, Tool("hand", (seat, who)))
        net.settle()


def test_a_seat_passes_to_another_member_when_all_others_agree(net: Net) -> None:
    start(net, "bob", "cyd")
    for _ in range(4):
        net.think(Random(1))
        net.settle()
    net.isolate("cyd")
    gone = net.nodes.pop("cyd")
    hand(net, ("bob",), "3", "bob")
    assert status(net, "ann").seats[2].state == "away"
    assert "bob agrees that bob plays on for cyd" in net["ann"].lines("system")
    hand(net, ("ann",), "3", "bob")
    assert status(net, "ann").seats[2].name == "bob"
    assert status(net, "bob").seats[2].kind == "person"
    net.play_out(Random(1))
    assert {status(net, name).audit for name in ("ann", "bob")} == {"ok"}
    gone.desk.close(net.now)


def test_a_seat_passes_to_a_new_player_who_waits_to_be_called(net: Net) -> None:
    start(net, "bob", "cyd", game="networdz")
    for _ in range(5):
        net.think(Random(2))
        net.settle()
    net.isolate("cyd")
    gone = net.nodes.pop("cyd")
    net.done("dan", Answer(on=True))
    net.done("dan", Tool("autoplay", ("30",)))
    net.link("ann", "dan")
    net.link("bob", "dan")
    hand(net, ("ann", "bob"), "3", "dan")
    assert [seat.name for seat in status(net, "dan").seats][2] == "dan"
    net.play_out(Random(2))
    assert {status(net, name).audit for name in ("ann", "bob", "dan")} == {"ok"}
    gone.desk.close(net.now)


def test_handing_over_what_cannot_be_is_refused(net: Net) -> None:
    assert failed(net, "ann", Tool("hand", ("1", "bob"))) is Code.NO_TABLE
    start(net, "bob")
    for wrong in (("9", "bob"), ("2", "bob"), ("2",), ("two", "bob"), ("2", "zoe")):
        assert failed(net, "ann", Tool("hand", wrong)) is Code.USAGE


def test_a_consent_with_a_bad_signature_or_seat_is_a_breach(net: Net) -> None:
    start(net, "bob", "cyd")
    match = net["ann"].desk.sitting.match
    assert match is not None
    for seat, why in ((2, "signature"), (3, "no such seat")):
        consent = Consent_(match.match, seat, net["bob"].key, "bob", bytes(64))
        with pytest.raises(Exception, match=why):
            net["ann"].desk.receive(net["bob"].key, consent, net.now)


# Messages out of place.


def test_messages_for_no_table_are_answered_or_ignored(net: Net) -> None:
    net.link("ann", "bob")
    net.settle()
    key, desk = net["bob"].key, net["ann"].desk
    for message in (
        Accept(0, bytes(64)),
        Decline(0, 1, "no"),
        Have(bytes(32), 0, 5, bytes(32)),
        Opening(bytes(32), ()),
        Entries(bytes(32), ()),
        Ask(-1),
    ):
        desk.receive(key, message, net.now)
    [have, decline] = [out.message for out in desk.take_outgoing()]
    assert isinstance(have, Have)
    assert isinstance(decline, Decline)
    with pytest.raises(Exception, match="not here"):
        desk.receive(key, Want(bytes(32), 0), net.now)


def test_a_genesis_of_others_or_of_another_name_is_a_breach(net: Net) -> None:
    start(net, "bob")
    match = net["ann"].desk.sitting.match
    assert match is not None
    raw = match.ledger.raws(0)[0]
    net.link("ann", "cyd")
    for name, why in ((match.match, "no seat"), (bytes(32), "another match")):
        with pytest.raises(Exception, match=why):
            net["cyd"].desk.receive(net["ann"].key, Entries(name, (raw,)), net.now)
    with pytest.raises(Exception, match="no seat"):
        net["ann"].desk.receive(
            net["cyd"].key, Have(match.match, 0, 0, bytes(32)), net.now
        )


def test_a_proposal_by_somebody_who_is_not_its_host_is_a_breach(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote"))
    forming = net["ann"].desk.sitting.forming
    assert forming is not None
    net.link("cyd", "bob")
    with pytest.raises(Exception, match="somebody else's table"):
        net["bob"].desk.receive(net["cyd"].key, forming.proposal(), net.now)


def test_a_guest_with_other_rules_declines_in_words(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote"))
    forming = net["ann"].desk.sitting.forming
    assert forming is not None
    net.link("ann", "bob")
    good = forming.proposal()
    terms = replace(good.terms, rules=99)
    net["bob"].desk.receive(net["ann"].key, Proposal(1, terms, (), "ask"), net.now)
    outs = [out.message for out in net["bob"].desk.take_outgoing()]
    [decline] = [out for out in outs if isinstance(out, Decline)]
    assert decline.code == Code.RULES.number
    assert "theirs 99" in decline.reason
    assert "theirs 99" in status(net, "bob").waiting


def test_done_and_failed_carry_the_requests_id(net: Net) -> None:
    assert isinstance(net.ask("ann", Answer(on=True)), Done)
    assert isinstance(net.ask("ann", StartMatch()), Failed)


def test_peers_that_matter_are_known(net: Net) -> None:
    start(net, "bob")
    assert net["ann"].desk.expects(net["bob"].key)
    assert not net["ann"].desk.expects(net["cyd"].key)
    net["ann"].desk.peer_down(net["cyd"].key, net.now)
    assert net["ann"].desk.take_changed()
    assert not net["ann"].desk.take_changed()


def test_a_genesis_that_is_not_signed_leaves_no_file(net: Net) -> None:
    eve, bob = net["ann"].signer, net["bob"].signer
    terms = make_terms("numlo", [eve, bob], GAMES["numlo"].ABOUT.options())
    forged = make_genesis(eve, terms, (bytes(64), bytes(64)))
    net.link("ann", "bob")
    desk, name = net["bob"].desk, match_of(terms)
    with pytest.raises(PeerError):
        desk.receive(eve.key, Entries(name, (forged,)), net.now)
    assert not net["bob"].archive.disks
    desk.receive(eve.key, Have(name, 0, 0, bytes(32)), net.now)
    assert desk.sitting.match is None


def test_a_file_without_its_genesis_is_no_match_and_is_filled_again(net: Net) -> None:
    start(net, "bob")
    net.isolate("bob")
    match = net["ann"].desk.sitting.match
    assert match is not None
    archive = net["bob"].archive
    archive.disks.clear()
    MatchFile(archive.open(match.match))
    net["bob"].restart(net.now)
    assert net["bob"].desk.sitting.match is None
    net.settle()
    net.done("bob", Tool("autoplay", ("40",)))
    taken = net["bob"].desk.sitting.match
    assert taken is not None
    assert taken.ledger.raws(0) == match.ledger.raws(0)


def test_a_stranger_does_not_put_a_kept_match_in_hand(net: Net) -> None:
    start(net, "bob")
    match = net["bob"].desk.sitting.match
    assert match is not None
    name, raw = match.match, match.ledger.raws(0)[0]
    net.done("bob", LeaveTable())
    net.settle()
    net.isolate("bob")
    net.link("cyd", "bob")
    for message in (Have(name, 0, 0, bytes(32)), Entries(name, (raw,))):
        with pytest.raises(PeerError, match="no seat"):
            net["bob"].desk.receive(net["cyd"].key, message, net.now)
        assert net["bob"].desk.sitting.match is None
        assert net["bob"].archive.in_hand() is None


def test_a_stranger_does_not_make_others_matches_begin_here(net: Net) -> None:
    start(net, "bob")
    match = net["bob"].desk.sitting.match
    assert match is not None
    raw = match.ledger.raws(0)[0]
    net["bob"].desk = LocalDesk(net["bob"].means(), "bob")
    net["bob"].archive.disks.clear()
    net.link("cyd", "bob")
    with pytest.raises(PeerError, match="no seat"):
        net["bob"].desk.receive(net["cyd"].key, Entries(match.match, (raw,)), net.now)
    assert not net["bob"].archive.disks

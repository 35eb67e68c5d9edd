"""Matches handed on as files: play by e-mail, as the source document has it."""

from itertools import islice
from random import Random

from netplay.errors import Code
from netplay.messages.door import (
    Done,
    Failed,
    LeaveTable,
    Load,
    Play,
    Save,
    Say,
    StartMatch,
)
from netplay.messages.table_questions import PlayAgain
from netplay.record.store import MemoryDisk, records, whole
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from tests.netplay.joined_nodes import Net, table
from tests.said import says

PERSONS = ("person:Able", "person:Baker", "person:Charlie")
FILE = "OURGAME"


def begin(net: Net, *seats: str) -> None:
    net.done("ann", table("networdz", *(seats or PERSONS)))
    net.done("ann", StartMatch())
    assert net.status("ann").phase == "playing"


def said(net: Net, name: str, question: Save | Load) -> str:
    answer = net.ask(name, question)
    assert isinstance(answer, Done), answer
    return str(answer.text)


def post(net: Net, a: str, b: str) -> str:
    """Let a node save, mail the file, and another load it; return what it is told."""
    said(net, a, Save(FILE, over=True))
    data = bytes(net[a].archive.disks[FILE].data)
    net[b].archive.disks["mail"] = MemoryDisk(data)
    return said(net, b, Load("mail"))


def move(net: Net, name: str, rng: Random) -> None:
    """Let whoever is on turn at a node make a move."""
    match = net[name].match
    seat = match.on_turn()[0]
    game = match.fold.game
    moves = list(islice(game.moves(match.shown_state(seat), seat), 30))
    net.done(name, Play(seat, pack(rng.choice(moves)), match.fold.number))


def test_a_game_of_persons_goes_from_computer_to_computer(net: Net) -> None:
    begin(net)
    rng, names = Random(1), ("ann", "bob", "cyd")

    for turn in range(9):
        here, there = names[turn % 3], names[(turn + 1) % 3]
        move(net, here, rng)
        told = post(net, here, there)
        on = net.status(there)
        whose = on.seats[on.turn[0]].name
        assert f"{whose}'s turn" in told
        assert on.phase == "playing"
        assert {seat.state for seat in on.seats} == {"here"}

    match = net["cyd"].match
    assert match.fold.moves >= 7


def test_saving_says_that_the_file_opens_every_rack(net: Net) -> None:
    begin(net)

    told = said(net, "ann", Save(FILE, over=True))

    assert says(told, Says.SAVED_AS, path=FILE)
    assert "'s turn" in told
    assert says(told, Says.OPEN_TO_ALL)


def test_whoever_has_the_file_plays_it_to_its_end_with_a_good_audit(net: Net) -> None:
    begin(net, "person:Able", "person:Baker")
    post(net, "ann", "bob")
    rng = Random(2)

    while net.status("bob").phase == "playing":
        move(net, "bob", rng)
    assert net.status("bob").audit == "ok"

    post(net, "bob", "ann")
    assert net.status("ann").phase == "over"
    assert net.status("ann").audit == "ok"


def test_the_node_s_own_key_never_goes_along(net: Net) -> None:
    begin(net)
    said(net, "ann", Save(FILE, over=True))
    data = bytes(net["ann"].archive.disks[FILE].data)
    match = net["ann"].match

    assert match.me != net["ann"].key
    assert net["ann"].key not in data
    assert list(records(data))


def test_a_match_in_a_file_goes_on_after_a_restart(net: Net) -> None:
    begin(net)
    post(net, "ann", "bob")
    move(net, "bob", Random(1))
    net["bob"].tables.take_outgoing()

    net["bob"].restart(net.now)

    assert net.status("bob").phase == "playing"
    move(net, "bob", Random(1))


def test_two_who_play_on_from_one_file_are_told_and_nothing_is_lost(net: Net) -> None:
    begin(net)
    post(net, "ann", "bob")
    move(net, "ann", Random(1))
    move(net, "bob", Random(2))
    said(net, "bob", Save(FILE, over=True))
    net["ann"].archive.disks["mail"] = net["bob"].archive.disks[FILE]

    answer = net.ask("ann", Load("mail"))

    assert isinstance(answer, Failed)
    assert says(answer.reason, Says.PLAYED_ON_TWICE)
    assert net.status("ann").phase == "playing"
    move(net, "ann", Random(1))


def test_an_older_file_brings_nothing_new(net: Net) -> None:
    begin(net)
    said(net, "ann", Save("old"))
    move(net, "ann", Random(1))
    before = net.status("ann").entries

    for left in (False, True):  # in hand, and kept
        if left:
            net.done("ann", LeaveTable())
        assert says(said(net, "ann", Load("old")), Says.NO_NEW_ENTRIES)
        assert net.status("ann").entries == before
    assert not says(said(net, "ann", Load("")), Says.NO_NEW_ENTRIES)


def test_only_a_file_that_brings_something_is_not_said_to_bring_nothing(
    net: Net,
) -> None:
    begin(net)
    for here, there in (("ann", "bob"), ("bob", "ann")):  # all of it new; then a move
        move(net, here, Random(1))
        assert not says(post(net, here, there), Says.NO_NEW_ENTRIES)
    assert says(said(net, "ann", Load("mail")), Says.NO_NEW_ENTRIES)


def test_chat_at_one_computer_is_by_the_node_s_player(net: Net) -> None:
    begin(net)
    net.done("ann", Say("hello"))
    net["ann"].pushes += net["ann"].tables.take_pushes()

    authors = [
        p.message.author for p in net["ann"].pushes if hasattr(p.message, "author")
    ]
    assert "ann" in authors


def test_a_file_without_its_key_is_of_no_use_to_others(net: Net) -> None:
    begin(net)
    said(net, "ann", Save(FILE, over=True))
    data = bytes(net["ann"].archive.disks[FILE].data)
    last = list(records(data))[-1]
    net["bob"].archive.disks["mail"] = MemoryDisk(
        data[: last.offset + 8 + len(last.entry)]
    )

    assert net.failed("bob", Load("mail")) is Code.NOT_A_MEMBER


def test_nodes_that_were_cut_go_on_by_mail(net: Net) -> None:
    net.start("bob", game="networdz", computers=False)
    net.cut("ann", "bob")
    rng = Random(3)
    assert net.status("ann").phase == "paused"

    said(net, "ann", Save(FILE, over=True))  # nobody is there: by mail from here on
    for _ in range(6):
        while net["ann"].tables.wants().thoughts:
            net.think(rng)
        told = post(net, "ann", "bob")
        match = net["bob"].match
        if match.on_turn():  # else tiles are drawn anew, which takes some letters
            assert "bob's turn" in told
            assert not says(told, Says.NEXT_SEND_TO_HOST)
            assert net.status("bob").phase == "playing"
            move(net, "bob", rng)
        else:
            assert str(Says.NEXT_DRAW(names="ann")) in told
        assert str(Says.NEXT_SEND(names="ann")) in said(
            net, "bob", Save("x", over=True)
        )
        assert "'s turn" in (told := post(net, "bob", "ann")) or (
            str(Says.NEXT_DRAW(names="bob")) in told
        )

    logs = [net[name].match.ledger.raws(0) for name in ("ann", "bob")]
    assert logs[0][: len(logs[1])] == logs[1]
    net.settle()  # they meet again
    logs = [net[name].match.ledger.raws(0) for name in ("ann", "bob")]
    assert logs[0] == logs[1]


def test_a_saved_match_with_remote_seats_waits_for_its_players(net: Net) -> None:
    net.start("bob", game="networdz", computers=False)
    said(net, "ann", Save(FILE, over=True))
    net.done("ann", LeaveTable())
    net.settle()
    net.cut("ann", "bob")

    said(net, "ann", Load(FILE))

    assert net.status("ann").phase == "paused"


def test_persons_at_one_computer_play_again(net: Net) -> None:
    begin(net, "person:Able", "person:Baker")
    match = net["ann"].match
    net.done("ann", Play(match.on_turn()[0], pack(Resign()), match.fold.number))

    net.done("ann", PlayAgain())
    net.settle()

    seats = net.status("ann").seats
    assert [seat.name for seat in seats] == ["Baker", "Able"]


def test_a_computer_and_one_person_keep_the_node_s_key(net: Net) -> None:
    begin(net, "person:Able", "computer:40")
    match = net["ann"].match

    assert match is not None
    assert match.me == net["ann"].key
    assert not says(said(net, "ann", Save(FILE, over=True)), Says.OPEN_TO_ALL)
    assert GAMES["networdz"] is match.fold.game


def test_a_torn_file_is_loaded_as_far_as_it_goes_and_says_where_it_is_torn(
    net: Net,
) -> None:
    begin(net)
    rng = Random(4)
    for _ in range(4):
        move(net, "ann", rng)
    match = net["ann"].match
    full = whole(match.ledger.raws(0))
    net["ann"].archive.disks["torn"] = MemoryDisk(full[:-3])

    told = said(net, "ann", Load("torn"))

    assert says(told, Says.DAMAGED_BEHIND, what=Says.THE_MATCH())
    assert says(told, Says.RECORD_CUT)
    assert says(told, Says.NO_NEW_ENTRIES)
    spoilt = bytearray(full)
    spoilt[30] ^= 1
    net["ann"].archive.disks["torn"] = MemoryDisk(bytes(spoilt))
    assert net.failed("ann", Load("torn")) is Code.BAD_LOG


def test_nobody_of_a_match_that_is_handed_on_has_a_doubtful_key() -> None:
    net = Net("ann", "bob")
    net.done("ann", table("numlo", "person:ann", "person:bob"))
    net.done("ann", StartMatch())
    net.settle()
    assert [seat.doubt for seat in net.status("ann").seats] == ["", ""]
    net.close()

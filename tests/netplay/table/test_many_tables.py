"""Several tables in one node: each has its own match, chat, bystanders and rematch."""

import os
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import TABLES, TABLES_OF_A_HOST
from netplay.messages.door import (
    Answer,
    Choose,
    Join,
    LeaveTable,
    LookAt,
    Play,
    StartMatch,
)
from netplay.messages.log import Have, Submit
from netplay.messages.table import Accept, Ask, Chat, Decline, Want
from netplay.messages.table_questions import LetWatch, PlayAgain, StandIn, WatchAt
from netplay.record.archive import IN_HAND
from netplay.record.chance import ZERO
from netplay.sentences import Says
from netplay.table.tables import Tables
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.homes import Homes
from tests.netplay.joined_nodes import GAMES_AT_ONCE, SMALL, Bare, Net, table
from tests.said import says


def test_three_games_go_on_between_two_after_one_was_killed(tmp_path: Path) -> None:
    net, rng = Homes(tmp_path, "ann", "bob"), Random(7)
    net.begin_several("ann", "bob", *GAMES_AT_ONCE)
    for _ in range(3):
        net.moves(rng, 12)
        before = {one.game: one.table for one in net["bob"].tables.games(net.now)}
        net.isolate("bob")
        net["bob"].restart(net.now)
        net.done("bob", StandIn(40))
        net.settle()
        for _ in range(3):
            net.wake(1)
        after = {one.game: one.table for one in net["bob"].tables.games(net.now)}
        assert after == before
    for game in GAMES_AT_ONCE:
        assert net.raws("ann", game) == net.raws("bob", game)
        assert net.games("ann")[game].phase == "playing"
        assert net.status_of("ann", game).entries >= 5
    net.play_out(rng)
    for game in GAMES_AT_ONCE:
        assert (
            net.status_of("ann", game).audit == net.status_of("bob", game).audit == "ok"
        )
    net.close()


@pytest.mark.parametrize("at", ["list", "the only game"])
def test_a_call_takes_nobody_away_unless_time_runs(net: Net, at: str) -> None:
    """Not from a game, nor from the start page: also while one waits for calls."""
    tables, window = net["bob"].tables, 5
    tables.window_up(window)
    net.begin_several("ann", "bob", "numlo")
    here = net.games("bob")["numlo"].table
    if at == "list":
        net.done("bob", LookAt(0), window)
    before = tables.table_status(net.now, window)
    assert (before is None) is (at == "list")

    net.done("cyd", table("hexagrams", "person", "remote:bob"))
    net.settle()
    net.done("cyd", StartMatch())
    net.settle()
    assert net.games("bob")["hexagrams"].phase == "playing"
    after = tables.table_status(net.now, window)
    assert (0 if after is None else after.number) == (0 if before is None else here)

    net.done("cyd", table("hexcolumns", "person", "remote:bob"))
    net.settle()
    live = net.games("bob")["hexcolumns"].table
    shown = tables.table_status(net.now, window)
    assert shown is not None
    assert shown.number == (live if at == "list" else here)


def test_who_calls_a_host_with_several_tables_is_shown_them_and_chooses(
    net: Net,
) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("ann", table("hexagrams", "person:Zoë", "remote"))
    net.done("ann", table("numlo", "person", "computer"))  # no seat for anybody else
    assert net["ann"].tables.offers() == (("networdz", 1), ("hexagrams", 1))
    net["bob"].tables.window_up(1)
    net.done("bob", Join("ann", -1))
    net.settle()
    shown = net["bob"].tables.open_tables(1)
    assert [(one.game, one.free, one.players) for one in shown] == [
        ("networdz", 1, ("ann",)),
        ("hexagrams", 1, ("Zoë",)),
    ]
    assert net.failed("bob", Choose(2)) is Code.USAGE
    net.done("bob", Choose(1))
    net.settle()
    assert net.status("bob").game == "hexagrams"
    assert net.status("bob").seats[1].accepted
    assert net["bob"].tables.open_tables(1) == ()
    assert not net.status_of("ann", "networdz").seats[1].name
    net.cut("ann", "bob")
    net.settle()
    assert net.status("bob").game == "hexagrams"
    assert net.status_of("ann", "hexagrams").seats[1].state == "connected"
    net.done("bob", Join("ann", -1))  # but one is open to it now
    net.settle()
    assert sorted(net.games("bob")) == ["hexagrams", "networdz"]


def test_one_who_would_watch_is_shown_the_matches_and_chooses(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    for name in ("ann", "bob"):
        for one in net[name].tables.games(net.now):
            net.done(name, LetWatch("anybody"), on=one.table)
    net["cyd"].tables.window_up(1)
    net.done("cyd", WatchAt("ann"))
    net.settle()
    shown = net["cyd"].tables.open_tables(1)
    assert [(one.game, one.free) for one in shown] == [("numlo", 0), ("hexagrams", 0)]
    net.done("cyd", Choose(1))
    net.settle()
    assert net["cyd"].tables.mode() == "watching"
    assert net.status("cyd").game == "hexagrams"
    assert net.status_of("ann", "numlo").watchers == ()
    assert net.status_of("ann", "hexagrams").watchers == ("cyd",)


def test_two_tables_fetch_the_same_words_from_one_host(net: Net) -> None:
    net["bob"].shelf = Bare()
    net["bob"].restart(net.now)
    for size in ("person", "person:B"):
        net.done("ann", table("networdz", size, "remote"))
    for place in net["ann"].tables.places:
        nonce = place.table.nonce
        net.link("ann", "bob")
        net["bob"].tables.shared.befriend((net["ann"].key,))
        net.done("bob", Answer(on=True))
        tables, key = net["ann"].tables, net["bob"].key
        tables.receive(key, Ask(nonce, -1), net.now)
    net.settle()
    assert [one.mode for one in net["bob"].tables.games(net.now)] == ["joined"] * 2
    for place in net["ann"].tables.places:
        found = place.table.status(net.now)
        assert found is not None
        assert found.seats[1].accepted


def test_what_is_said_of_a_table_where_one_is_not_is_refused_and_nothing_is_lost(
    net: Net,
) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    net.done("ann", table("networdz", "person", "remote"))
    net.link("cyd", "ann")
    net.settle()
    ann, cyd = net["ann"].tables, net["cyd"].key
    before = {game: net.raws("ann", game) for game in ("numlo", "hexagrams")}
    match = net.games("ann")["numlo"].match
    for message in (
        Submit(match, 0, b"", bytes(64)),
        Have(match, 0, 1, ZERO),
        Accept(games_nonce(net, "networdz"), 0, bytes(64)),
        Chat(games_nonce(net, "numlo"), cyd, 0, "hi", bytes(64)),
    ):
        with pytest.raises(PeerError) as caught:
            ann.receive(cyd, message, net.now)
        assert caught.value.code is Code.NOT_A_MEMBER, message
    nowhere = bytes(range(32))
    for message in (Ask(nowhere, -1), Accept(nowhere, 0, bytes(64))):
        ann.receive(cyd, message, net.now)
        [said] = [out.message for out in ann.take_outgoing()]
        assert isinstance(said, Decline)
        assert (said.table, said.code) == (nowhere, Code.NO_TABLE.number)
    for dropped in (
        Decline(nowhere, 0, 15, "no"),
        Want(nowhere, nowhere, 0),
        Chat(nowhere, cyd, 0, "hi", bytes(64)),
        Decline(games_nonce(net, "numlo"), 0, 34, "I have left"),
    ):
        ann.receive(cyd, dropped, net.now)
        assert not ann.take_outgoing()
    # One who plays at another table is nobody at this one.
    bob = net["bob"].key
    ann.receive(bob, Decline(games_nonce(net, "networdz"), 0, 34, "left"), net.now)
    net.settle()
    assert {game: net.raws("ann", game) for game in before} == before
    assert {one.phase for one in ann.games(net.now)} == {"playing", "forming"}


def test_what_was_signed_for_one_table_is_refused_at_another(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams")
    net.moves(Random(2), 12)
    ann, bob = net["ann"].tables, net["bob"].key
    before = {game: net.raws("ann", game) for game in ("numlo", "hexagrams")}
    said = [m for m in net["ann"].got if isinstance(m, Submit)]
    names = {game: net.games("ann")[game].match for game in before}
    for match, other in permutations(names.values()):
        place = ann.places.of_match(other)
        assert place is not None
        assert place.table.match is not None
        own = place.table.match.ledger.log.own(bob)
        theirs = [submit for submit in said if submit.match == match]
        assert theirs
        for submit in theirs:
            moved = replace(submit, match=other, own=own)
            with pytest.raises(PeerError) as caught:
                ann.receive(bob, moved, net.now)
            assert caught.value.code is Code.BAD_SIGNATURE
    net.settle()
    assert {game: net.raws("ann", game) for game in before} == before


def games_nonce(net: Net, game: str) -> bytes:
    """Return the nonce of a table of ann's."""
    place = net["ann"].tables.places.by_number.get(net.games("ann")[game].table)
    assert place is not None
    return place.table.nonce


def test_a_peer_that_opens_ten_thousand_tables_gets_no_further_than_a_few(
    net: Net,
) -> None:
    net.done("bob", Answer(on=True))
    net.link("ann", "bob")
    net["bob"].tables.shared.befriend((net["ann"].key,))
    net.done("ann", table("numlo", "person", "remote:bob"))
    net.settle()
    proposal, tables = net["ann"].forming.proposal(), net["bob"].tables
    for number in range(10_000):
        terms = replace(proposal.terms, nonce=number.to_bytes(32, "big"))
        tables.receive(net["ann"].key, replace(proposal, terms=terms), net.now)
        answers = [out.message for out in tables.take_outgoing()]
        assert answers
        assert len(tables.places) <= TABLES_OF_A_HOST
    assert isinstance(answers[-1], Decline)
    assert answers[-1].code == Code.BUSY.number
    assert net.status("ann").seats[1].accepted


def test_a_hundred_tables_and_no_more_unless_one_is_over(net: Net) -> None:
    for _ in range(TABLES):
        net.done("ann", table("numlo", "person:A", "person:B", options=SMALL))
    two = table("numlo", "person:A", "person:B")
    assert net.failed("ann", two) is Code.NO_ROOM
    assert net.failed("ann", Join("bob")) is Code.NO_ROOM
    net.done("ann", StartMatch(), on=7)
    net.settle()
    net.done("ann", Play(0, pack(Resign()), 1), on=7)
    net.settle()
    net.done("ann", table("hexagrams", "person:A", "person:B"))
    assert len(net["ann"].tables.places) == TABLES
    assert net["ann"].tables.places.by_number.get(7) is None
    assert net["ann"].tables.places.by_number.get(TABLES + 1) is not None
    for over in (3, 5):  # of those that are over the one that is looked at stays
        net.done("ann", StartMatch(), on=over)
        net.settle()
        net.done("ann", Play(0, pack(Resign()), 1), on=over)
        net.settle()
    net["ann"].tables.window_up(2)
    net.done("ann", LookAt(3), window=2)
    net.done("ann", table("hexagrams", "person:A", "person:B"))
    assert {3, 5} & set(net["ann"].tables.places.by_number) == {3}
    assert net.failed("ann", two) is Code.NO_ROOM


def test_a_rematch_is_of_its_table_while_others_go_on(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", computers=False)
    net.begin_several("ann", "bob", "hexagrams", computers=False)
    for _ in range(2):
        before = net.games("ann")["numlo"]
        net.done("ann", Play(0, pack(Resign()), 99), on=before.table)
        net.settle()
        assert net.status_of("bob", "numlo").phase == "over"
        net.done("bob", PlayAgain(), on=net.games("bob")["numlo"].table)
        net.settle()
        wishing = net.games("ann")["numlo"]
        assert [wishing.players[n] for n in wishing.rematch] == ["bob"]
        assert net.status_of("ann", "hexagrams").rematch == ()
        net.done("ann", PlayAgain(), on=before.table)
        net.settle()
        after = net.games("ann")["numlo"]
        assert (after.table, after.phase) == (before.table, "playing")
        assert after.match != before.match
        assert net.status_of("ann", "hexagrams").phase == "playing"
        net.done("ann", LeaveTable(), on=after.table)
        net.done("bob", LeaveTable(), on=net.games("bob")["numlo"].table)
        net.settle()
        net.begin_several("ann", "bob", "numlo", computers=False)


@pytest.mark.parametrize("keep", [0, 70, -1])
def test_all_games_are_taken_up_again_if_what_names_them_is_damaged(
    tmp_path: Path, keep: int
) -> None:
    net = Homes(tmp_path, "ann", "bob")
    net.begin_several("ann", "bob", *GAMES_AT_ONCE)
    before = net.games("ann")
    net.isolate("ann")
    net["ann"].tables.close()
    named = net["ann"].folder / IN_HAND
    named.write_bytes(named.read_bytes()[:keep])
    net["ann"].begin(net.now)
    after = net.games("ann")
    assert {g: after[g].match for g in after} == {g: before[g].match for g in before}
    said = list(net["ann"].tables.shared.means.faults)
    assert any(says(str(t), Says.IN_HAND_DAMAGED) for t in said)
    net["ann"].tables.close()
    net["ann"].begin(net.now)  # it is written down again
    assert set(net.games("ann")) == set(before)
    assert not list(net["ann"].tables.shared.means.faults)
    net.close()


def test_a_disk_that_refuses_one_match_gives_up_that_one_alone(tmp_path: Path) -> None:
    net = Homes(tmp_path, "ann", "bob")
    net.begin_several("ann", "bob", *GAMES_AT_ONCE)
    ann = net["ann"]
    place = ann.tables.places.of_match(net.games("ann")["hexagrams"].match)
    assert place is not None
    assert place.table.match is not None
    place.table.match.journal.close()  # what it writes fails from now on
    with pytest.raises(LocalError):
        for _ in range(20):
            net.moves(Random(8), 5)
    net.settle()
    net.moves(Random(6), 15)
    assert sorted(net.games("ann")) == ["networdz", "numlo"]
    assert sorted(net.games("bob")) == sorted(GAMES_AT_ONCE)
    for game in ("networdz", "numlo"):
        assert net.raws("ann", game) == net.raws("bob", game)
        assert net.status_of("bob", game).phase == "playing"
    net.close()


def test_a_match_has_waited_since_its_last_move_also_when_its_node_was_away(
    tmp_path: Path,
) -> None:
    net = Homes(tmp_path, "ann", "bob")
    net.begin_several("ann", "bob", "numlo")
    net.moves(Random(3), 6)
    net["bob"].tables.close()
    os.utime(net["bob"].file(), (5, 5))
    net["bob"].tables = Tables(replace(net["bob"].means(), unix=lambda: 7205), "bob")
    net["bob"].tables.reopen(net.now)
    assert net.games("bob")["numlo"].since == 7200
    assert net.games("ann")["numlo"].since == 0
    net.wake(60)
    assert net.games("bob")["numlo"].since == 7260
    net.close()


def test_seats_in_play_are_those_of_all_tables_and_no_others(net: Net) -> None:
    net.begin_several("ann", "bob", "networdz", "hexagrams", computers=False)
    tables, of_all = net["ann"].tables, net.games("ann")
    first, second = (of_all[game].match for game in ("networdz", "hexagrams"))
    assert tables.seats_in_play() == {(first, 0), (second, 0)}
    assert net["bob"].tables.seats_in_play() == {(first, 1), (second, 1)}
    resigned = Play(0, pack(Resign()), net.status_of("ann", "hexagrams").entries)
    net.done("ann", resigned, on=of_all["hexagrams"].table)
    net.settle()
    assert tables.seats_in_play() == {(first, 0)}
    net.done("ann", LeaveTable(), on=of_all["networdz"].table)
    assert tables.seats_in_play() == frozenset()


def test_games_of_days_are_looked_at_once_a_second_for_the_list(net: Net) -> None:
    net.done("bob", Answer(on=True))
    for game in ("numlo", "hexagrams"):
        asked = replace(table(game, "person", "remote:bob"), days=3)
        net.done("ann", asked)
        net.settle()
        net.done("ann", StartMatch(), on=net.games("ann")[game].table)
        net.settle()
    ann, now = net["ann"].tables, net.now + 10

    def lines(now: float) -> list[int]:
        assert [one.phase for one in ann.games(now)] == ["playing", "playing"]
        return [id(place.line) for place in ann.places]

    before, kept = lines(now), [place.line for place in ann.places]
    assert None not in kept  # and they stay, or their numbers might come again
    assert lines(now + 0.5) == before
    assert not set(lines(now + 1)) & set(before)
    one = net.games("ann")["numlo"]
    net.done("ann", Play(0, pack(Resign()), one.entries), on=one.table)
    assert {each.game: each.phase for each in ann.games(now + 1.1)}["numlo"] == "over"

"""The same table once more: proposed by the host or asked for by a guest."""

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code
from netplay.messages.door import (
    Answer,
    ChangeTable,
    Consent,
    LeaveTable,
    LookAt,
    Play,
    Say,
    StartMatch,
)
from netplay.messages.table import Ask, Decline
from netplay.messages.table_questions import HandSeat, PlayAgain, StandIn
from netplay.sentences import Says
from netplay.table.shared import declining
from netplay.wire import encode, pack
from rules import GAMES
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.netplay.table.test_asked import renew
from tests.netplay.table.test_kept_seats import block

AGAIN = PlayAgain()


def played(net: Net, *guests: str) -> None:
    """Play a match of ann's with guests to its end."""
    net.start(*guests)
    net.play_out(Random(1))
    for name in ("ann", *guests):
        assert net.status(name).phase == "over"


def resigned(net: Net, *seats: str) -> None:
    """Begin a match of ann's with bob that both of them give up."""
    net.done("bob", Answer(on=True))
    net.done("ann", table("numlo", *seats, options=SMALL[:2]))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    for seat, name in ((0, "ann"), (1, "bob")):
        if net.status(name).phase != "over":
            net.done(name, Play(seat, pack(Resign()), 0))
            net.settle()


def names(net: Net, who: str) -> list[str]:
    return [seat.name for seat in net.status(who).seats]


@pytest.mark.parametrize("guests", [("bob",), ("bob", "cyd"), ("bob", "cyd", "dan")])
def test_a_rematch_begins_when_all_agree_with_the_seats_rotated(
    net: Net, guests: tuple[str, ...]
) -> None:
    played(net, *guests)
    first, before = net.status("ann"), names(net, "ann")
    net.done("ann", AGAIN)
    net.settle()
    assert net.status("ann").phase == "forming"
    for guest in guests:
        assert net.status(guest).phase == "over"
        assert net.status(guest).rematch == ("ann",)
        assert net[guest].lines("system")[-1] == str(Says.WOULD_REMATCH(name="ann"))
        net.done(guest, AGAIN)
        net.settle()
    for name in ("ann", *guests):
        again = net.status(name)
        assert again.match not in {b"", first.match}
        assert (again.game, again.options) == (first.game, first.options)
        assert names(net, name) == [*before[1:], before[0]]
        assert again.rematch == ()
    net.play_out(Random(2))
    assert {net.status(name).audit for name in ("ann", *guests)} == {"ok"}


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_a_wish_of_somebody_of_the_same_name_is_not_taken_for_ones_own(
    net: Net, who: str
) -> None:
    net["bob"].tables.shared.name = "ann"
    resigned(net, "person", "remote:bob")
    net.done(who, AGAIN)
    net.settle()
    shown, [row] = net.status("bob"), net["bob"].tables.games(net.now)
    assert (shown.rematch, shown.wished) == (("ann",), who == "bob")
    theirs = [seat.kind for seat in shown.seats].index("remote")
    assert row.rematch == ((theirs,) if who == "ann" else ())


def test_a_guest_asks_and_the_host_agrees(net: Net) -> None:
    played(net, "bob")
    net.done("bob", AGAIN)
    net.settle()
    assert net["ann"].lines("system")[-1] == str(Says.WOULD_REMATCH(name="bob"))
    assert net.status("ann").rematch == ("bob",)
    assert net.status("bob").phase == "over"
    net.done("bob", AGAIN)  # asking twice is no trouble
    net.settle()
    net.done("ann", AGAIN)
    net.settle()
    assert names(net, "bob") == ["bob", "Computer"]
    assert net.status("bob").phase != "forming"  # it has begun without another word


@pytest.mark.parametrize("cut", [False, True])
def test_what_is_said_while_not_all_have_gone_on_is_read_by_all(
    net: Net, *, cut: bool
) -> None:
    played(net, "bob", "cyd")
    net.done("ann", AGAIN)
    net.settle()
    net.done("cyd", AGAIN)  # who is at the rematch, and bob at the match before
    net.settle()
    if cut:
        net.cut("ann", "bob")
    for name in ("ann", "bob", "cyd"):
        net.done(name, Say(f"{name} is here"))
    if cut:
        net.link("ann", "bob")
    net.settle()
    wanted = {f"{name} is here" for name in ("ann", "bob", "cyd")}
    for name in ("ann", "bob", "cyd"):
        assert sorted(net[name].lines("chat")) == sorted(wanted)
    net.done("bob", AGAIN)
    net.settle()
    assert net.status("bob").match
    net.done("bob", Say("well"))
    net.settle()
    for name in ("ann", "bob", "cyd"):
        assert net[name].lines("chat")[-1] == "well"
        assert sorted(net[name].lines("chat")) == sorted([*wanted, "well"]), "once each"


def test_a_guest_that_leaves_declines_the_rematch(net: Net) -> None:
    played(net, "bob", "cyd")
    net.done("ann", AGAIN)
    net.settle()
    net.done("bob", LeaveTable())
    net.settle()
    assert str(Says.DOES_NOT_PLAY(name="bob", why="no rematch")) in net["ann"].lines(
        "system"
    )
    assert net.status("ann").phase == "forming"
    assert names(net, "ann").count("") == 1
    net.done("cyd", AGAIN)
    net.settle()
    assert net.status("ann").phase == "forming"


def test_who_blocks_a_third_player_still_has_the_others_rematch(net: Net) -> None:
    played(net, "bob", "cyd")
    net.done("ann", AGAIN)
    net.settle()
    block(net, "bob", "cyd")
    net.settle()
    assert net.status("bob").rematch == ("ann",)
    block(net, "bob", "ann")
    net.settle()
    assert net.status("bob").rematch == ()


def test_a_host_may_take_the_rematch_back(net: Net) -> None:
    played(net, "bob")
    net.done("ann", AGAIN)
    net.settle()
    net.done("ann", LeaveTable())
    net.settle()
    assert net.status("bob").rematch == ()
    assert net.status("bob").phase == "over"


def test_a_host_that_changes_the_terms_starts_by_hand(net: Net) -> None:
    played(net, "bob")
    net.done("bob", AGAIN)
    net.settle()
    net["bob"].tables.shared.autoplay = None
    net.done("ann", AGAIN)
    net.done("ann", ChangeTable(table("numlo", "remote", "computer:40", options=SMALL)))
    net.settle()
    assert net.status("ann").phase == "forming"
    assert all(seat.accepted for seat in net.status("ann").seats)
    net.done("ann", StartMatch())


def test_a_match_with_nobody_else_is_played_again_at_once(net: Net) -> None:
    net.done("ann", table("numlo", "computer:10", "computer:90", options=SMALL))
    net.done("ann", StartMatch())
    net.play_out(Random(3))
    net.done("ann", AGAIN)
    net.settle()
    assert [seat.skill for seat in net.status("ann").seats] == [90, 10]
    assert net.status("ann").phase == "playing"
    net.play_out(Random(4))


def test_there_is_no_rematch_before_the_end(net: Net) -> None:
    assert net.failed("ann", AGAIN) is Code.USAGE
    net.start("bob")
    assert net.failed("ann", AGAIN) is Code.USAGE


def befriended(net: Net, folder: Path) -> None:
    """Let two be friends who keep on the disk what is asked."""
    for name, other in (("ann", "bob"), ("bob", "ann")):
        renew(net[name], folder / name, net.now)
        net[name].known.befriend(net[other].key, other)


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_a_rematch_waits_for_who_is_away_whoever_asks_for_it(
    who: str, net: Net, tmp_path: Path
) -> None:
    befriended(net, tmp_path)
    resigned(net, "person", "remote:bob")
    first, before = net.status("ann"), names(net, "ann")
    assert first.phase == "over"
    other = "bob" if who == "ann" else "ann"
    net.part("ann", "bob")
    net.settle()

    net.done(who, AGAIN)
    net.settle()
    assert net.status(who).phase == "forming"
    assert net.status(other).phase == "over"
    renew(net[who], tmp_path / who, net.now)
    net.apart.clear()
    net.settle()

    assert net.status(other).rematch == (who,)
    net.done(other, AGAIN)
    net.settle()
    again = net.status(who)
    assert again.match == net.status(other).match
    assert again.match not in {b"", first.match}
    assert names(net, who) == [*before[1:], before[0]]


@pytest.mark.parametrize("anew", ["", "ann", "bob"])
def test_a_rematch_that_both_propose_while_apart_is_one(
    anew: str, net: Net, tmp_path: Path
) -> None:
    befriended(net, tmp_path)
    resigned(net, "person", "remote:bob")
    first, before = net.status("ann"), names(net, "ann")
    net.part("ann", "bob")
    net.settle()
    for name in ("ann", "bob"):
        net.done(name, AGAIN)
        net.settle()
        assert net.status(name).phase == "forming"
    if anew:
        renew(net[anew], tmp_path / anew, net.now)
    net.apart.clear()
    net.settle()

    again = net.status("ann")
    assert again.phase == "playing"
    assert again.match == net.status("bob").match
    assert again.match not in {b"", first.match}
    assert names(net, "ann") == [*before[1:], before[0]]
    for name in ("ann", "bob"):
        listed = net[name].tables.games(net.now)
        assert [g.match for g in listed if g.phase != "over"] == [again.match]
        assert not net[name].kept_asked.tables


def test_who_is_no_host_cannot_offer_a_rematch_against_the_hosts_computer(
    net: Net,
) -> None:
    resigned(net, "person", "remote:bob", "computer:40")
    net.play_out(Random(5))
    net.part("ann", "bob")
    net.settle()
    assert net.failed("bob", AGAIN) is Code.SILENT


def test_a_stranger_cannot_ask_for_a_rematch(net: Net) -> None:
    played(net, "bob")
    net.done("dan", Answer(on=True))
    net.link("ann", "dan")
    net["ann"].tables.receive(net["dan"].key, Ask(b"", -1), net.now)
    net.settle()
    assert net.status("ann").rematch == ()
    assert any(isinstance(message, Decline) for message in net["dan"].got)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_again_with_as_many_seats(net: Net, game: str) -> None:
    for count in GAMES[game].ABOUT.seats:
        net.done("ann", table(game, *["person"] * count))
        net.done("ann", StartMatch())
        net.settle()
        for seat in range(count):
            match = net["ann"].match
            if not match.fold.over:
                net.done("ann", Play(seat, pack(Resign()), 0))
            net.settle()
        before = names(net, "ann")
        net.done("ann", AGAIN)
        net.settle()
        assert names(net, "ann") == [*before[1:], before[0]]
        net.done("ann", LeaveTable())


@pytest.mark.parametrize("asked", [True, False])
def test_a_rematch_by_other_rules_is_not_what_the_player_has_said_yes_to(
    net: Net, *, asked: bool
) -> None:
    played(net, "bob")
    if asked:  # else the terms wait, and only then does bob say yes
        net.done("bob", AGAIN)
        net.settle()
    net.done("ann", AGAIN)
    net["ann"].tables.take_outgoing()  # bob never sees that it was as before
    other = (*SMALL[1:], ("size", "10"))
    net.done("ann", ChangeTable(table("numlo", "computer:40", "remote", options=other)))
    net.settle()
    if not asked:
        net.done("bob", AGAIN)
        net.settle()
    shown = net.status("bob")
    assert ("size", "8", "10") in shown.changes
    assert not net.status("ann").seats[1].accepted
    net.done("bob", Consent(accept=True, revision=shown.revision))
    net.settle()
    assert net.status("ann").seats[1].accepted


def test_a_rematch_with_a_seat_of_who_has_resigned_and_not_come_back(net: Net) -> None:
    """The host was started again since, and has not met the one who is gone."""
    guests = "bob", "cyd"
    for name in guests:
        net.done(name, Answer(on=True))
    seats = "person", *(f"remote:{name}" for name in guests)
    net.done("ann", table("numlo", *seats, options=(("size", "8"),)))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()

    def resigned(name: str) -> None:
        seat = names(net, name).index(name)
        net.done(name, Play(seat, pack(Resign()), -1))
        net.settle()

    resigned("cyd")
    for name in ("ann", "bob"):
        net.part("cyd", name)
    net.isolate("ann")
    net["ann"].restart(net.now)
    net.settle()
    resigned("bob")
    assert net.status("ann").phase == "over"
    net.done("ann", AGAIN)
    net.settle()
    assert net.status("ann").phase == "forming"
    assert names(net, "ann") == ["bob", "cyd", "ann"]
    net.apart.clear()
    for name in guests:
        net.settle()
        net.done(name, AGAIN)
    net.settle()
    assert {net.status(name).phase for name in ("ann", *guests)} == {"playing"}


@pytest.mark.parametrize("heir", ["bob", "dan"])
def test_a_rematch_is_for_who_took_a_seat_over(net: Net, heir: str) -> None:
    net.start("bob", "cyd")
    net.think(Random(1))
    net.isolate("cyd")
    gone = net.nodes.pop("cyd")
    net.done("dan", Answer(on=True))
    net.done("dan", StandIn(30))
    for name in ("ann", "bob"):
        net.link(name, "dan")
    for name in ("ann", "bob"):
        net.done(name, HandSeat(2, heir))
        net.settle()
    net.play_out(Random(1))
    assert net.status("ann").phase == "over"
    before, guests = names(net, "ann"), {"bob", heir}
    net.done("ann", AGAIN)
    net.settle()
    for name in guests:
        net.done(name, AGAIN)
        net.settle()
    for name in ("ann", *guests):
        assert net.status(name).phase == "playing"
        assert names(net, name) == [*before[1:], before[0]]
    assert net[heir].match.fold.holders.count(net[heir].key) == 1 + (heir == "bob")
    gone.tables.close()


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_a_rematch_that_waits_is_there_again_when_a_node_starts_anew(
    who: str, net: Net, tmp_path: Path
) -> None:
    befriended(net, tmp_path)
    played(net, "bob")
    first, before = net.status("ann"), names(net, "ann")
    net.done("ann", AGAIN)
    net.settle()

    net.isolate(who)
    renew(net[who], tmp_path / who, net.now)
    net.apart.clear()
    net.settle()

    assert net.status("ann").phase == "forming"
    assert names(net, "ann") == [*before[1:], before[0]]
    if who == "ann":
        assert net.status("bob").rematch == ("ann",)
        net.done("bob", AGAIN)
    else:  # the match that is over is not in hand any more
        [called] = [g.table for g in net["bob"].tables.games(net.now) if not g.match]
        net.done("bob", LookAt(called))
        net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    net.settle()
    again = net.status("ann")
    assert again.match == net.status("bob").match
    assert again.match not in {b"", first.match}
    assert (again.game, again.options) == (first.game, first.options)
    assert not net["ann"].kept_asked.tables


def test_seats_of_guests_and_who_may_watch_go_along_into_a_rematch(net: Net) -> None:
    seats = ("person:Ann", "browser:Bea", "browser:Cid")
    wish = table("numlo", *seats, options=SMALL[:2])
    net.done("ann", replace(wish, bystanders="nobody"))
    net.done("ann", StartMatch())
    net.settle()
    before, moved = names(net, "ann"), list[Mapping[int, int]]()
    lending = net["ann"].tables.shared.lending
    lending.moved = lambda _match, _now, seats: moved.append(seats)  # type: ignore[method-assign]
    for seat in (0, 1):
        net.done("ann", Play(seat, pack(Resign()), 0))
    moved.clear()
    net.done("ann", AGAIN)
    after, kept = names(net, "ann"), {"Bea": "Bea", "Cid": "Cid"}
    assert {before[old]: after[new] for old, new in moved[0].items()} == kept
    assert net.status("ann").bystanders == "nobody"


def test_messages_of_the_match_before_disturb_no_rematch(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has them says them again, in any order, when it likes."""
    sent: list[tuple[str, str, bytes]] = []

    class Noted(deque[Any]):
        def append(self, what: tuple[str, str, bytes]) -> None:
            sent.append(what)
            super().append(what)

    monkeypatch.setattr(net, "wire", Noted())
    net.start("bob", game="networdz")
    net.play_out(Random(1))
    old, first = list(sent), net.status("ann").match
    late = encode(declining(net["ann"].match.fold.terms.nonce, Code.STOPPED))
    net.done("ann", AGAIN)
    net.settle()
    net.wire.append(("ann", "bob", late))
    net.settle()
    assert net.status("bob").rematch == ("ann",)
    net.done("bob", AGAIN)
    net.settle()
    net.moves(Random(2), 3)
    Random(3).shuffle(old)
    net.wire.extend(old)
    net.settle()
    assert not net["ann"].errors
    assert not net["bob"].errors
    net.play_out(Random(4))
    for name in ("ann", "bob"):
        (only,) = net.games(name).values()
        assert only.match != first
        assert net.status(name).audit == "ok"

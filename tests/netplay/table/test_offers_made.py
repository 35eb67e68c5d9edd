"""Offers between players as windows see them: asked for, shown, answered, told."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import Code
from netplay.messages.door import (
    Answer,
    Done,
    LeaveTable,
    Load,
    Play,
    Save,
    StartMatch,
    TableStatus,
    View,
    Watch,
)
from netplay.messages.table_questions import AnswerOffer, MakeOffer
from netplay.record.archive import finished_in
from netplay.sentences import Says
from netplay.wire import pack, unpack
from rules import GAMES
from rules.game import Resign
from rules.hexagrams import State
from rules.hexagrams.board import lead
from tests.netplay.homes import Homes
from tests.netplay.joined_nodes import SMALL, Net, table


def begin(net: Net, *seats: str, game: str = "hexagrams") -> None:
    net.done("bob", Answer(on=True))
    options = SMALL[:2] if game == "numlo" else ()
    net.done("ann", table(game, *(seats or ("person", "remote:bob")), options=options))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    for name in ("ann", "bob"):
        net[name].tables.take_news()


def move(net: Net, name: str) -> None:
    """Let a person at a node make the first legal move."""
    match = net[name].match
    seat = next(n for n in match.on_turn() if match.seats.is_own(n))
    chosen = next(iter(match.fold.game.moves(match.fold.state, seat)))
    net.done(name, Play(seat, pack(chosen), match.fold.number))
    net.settle()


def offer(net: Net, name: str, seat: int, what: str) -> None:
    net.done(name, MakeOffer(seat, what))  # type: ignore[arg-type]  # a literal
    net.settle()


def standing(shown: TableStatus) -> list[tuple[int, str, tuple[int, ...]]]:
    return [(one.seat, one.what, one.asked) for one in shown.offers.standing]


def test_an_offer_is_shown_to_all_rings_and_waits_for_the_other(net: Net) -> None:
    begin(net)
    assert dict(net.status("ann").offers.may) == {0: "stop"}
    assert [what for _, what in net.status("bob").offers.may] == ["draw", "stop"]
    offer(net, "ann", 0, "draw")
    for name in ("ann", "bob"):
        assert standing(net.status(name)) == [(0, "draw", (1,))]
    assert [one.reason for one in net["bob"].tables.take_news().summons] == ["offer"]
    (listed,) = net["bob"].tables.games(net.now)
    assert listed.mine
    assert str(Says.OFFERS_DRAW(name="ann")) in net["bob"].lines("system")
    assert net.failed("ann", AnswerOffer(0, agrees=True)) is Code.USAGE
    assert net.failed("bob", AnswerOffer(0, agrees=True)) is Code.NOT_A_MEMBER
    assert net.failed("bob", AnswerOffer(1, True, bytes(32))) is Code.USAGE
    net.done("bob", AnswerOffer(1, agrees=True))
    net.settle()
    for name in ("ann", "bob"):
        shown = net.status(name)
        assert (shown.phase, shown.places) == ("over", (1, 1))
        assert (shown.offers.ended, shown.audit) == ("draw", "ok")
        assert shown.offers.may == ()
    assert net.failed("bob", MakeOffer(1, "stop")) is Code.USAGE


@pytest.mark.parametrize(
    ("by", "agrees"), [("ann", True), ("ann", False), ("bob", False)]
)
def test_nobody_is_asked_again_what_was_answered_while_the_other_is_away(
    net: Net, by: str, agrees: bool
) -> None:
    begin(net)
    offer(net, by, ("ann", "bob").index(by), "draw")
    net.part("ann", "bob")
    net.settle()
    assert len(standing(net.status("bob"))) == 1
    net.done("bob", AnswerOffer(1, agrees=agrees))
    net.settle()
    assert standing(net.status("bob")) == []
    assert net.status("bob").phase != "over"
    assert not any(one.mine for one in net["bob"].tables.games(net.now))
    assert len(standing(net.status("ann"))) == 1
    net.apart.clear()
    net.link("ann", "bob")
    net.settle()
    assert standing(net.status("ann")) == []
    assert (net.status("ann").phase == "over") is agrees


def test_windows_are_sent_the_whole_match_anew_when_a_turn_is_taken_back(
    net: Net,
) -> None:
    begin(net)
    net.done("bob", Watch(1), window=7)
    move(net, "ann")
    net.done("bob", Watch(1), window=7)
    net.settle()
    assert len(net["bob"].views()[-1].happened) == 1
    offer(net, "ann", 0, "back")
    net.done("bob", AnswerOffer(1, agrees=True))
    net.settle()
    view: View = net["bob"].views()[-1]
    assert (view.whole, view.happened) == (True, ())
    start = GAMES["hexagrams"].start(2, GAMES["hexagrams"].ABOUT.options())
    assert unpack(view.state, State) == start
    move(net, "ann")
    view = net["bob"].views()[-1]
    assert (view.whole, len(view.happened)) == (False, 1)


def test_a_move_that_was_made_looking_at_what_was_taken_back_is_stale(net: Net) -> None:
    begin(net)
    move(net, "ann")
    match = net["bob"].match
    seen = match.fold.number
    move(net, "bob")
    offer(net, "bob", 1, "back")
    net.done("ann", AnswerOffer(0, agrees=True))
    net.settle()
    chosen = next(iter(match.fold.game.moves(match.fold.state, 1)))
    assert net.failed("bob", Play(1, pack(chosen), seen)) is Code.STALE
    net.done("bob", Play(1, pack(chosen), match.fold.number))


@pytest.mark.parametrize("what", ["stop", "back"])
def test_computers_agree_at_once_with_a_person_of_their_node(
    net: Net, what: str
) -> None:
    net.done("ann", table("hexagrams", "person", "computer:40"))
    net.done("ann", StartMatch())
    net.settle()
    begun = net.status("ann").entries
    move(net, "ann")
    net.think(Random(1))
    net.settle()
    match = net["ann"].match
    assert len(match.fold.history) == 2
    offer(net, "ann", 0, what)
    assert match.fold.offers.standing == ()
    if what == "back":
        assert (match.fold.history, match.on_turn()) == ([], [0])
        assert begun < match.fold.number
    else:
        assert match.fold.ended == "stop"


def test_a_computer_agrees_to_a_draw_while_it_is_not_ahead(net: Net) -> None:
    net.done("ann", table("hexagrams", "person", "computer:40"))
    net.done("ann", StartMatch())
    net.settle()
    match = net["ann"].match
    fold = match.fold
    white, black = fold.state.triads
    fold.state = replace(fold.state, triads=(white & (white - 1), black))
    assert lead(fold.state, 1) == 1
    offer(net, "ann", 0, "draw")
    assert (fold.ended, fold.offers.standing) == (None, ())
    fold.state = replace(fold.state, triads=(white, black & (black - 1)))
    offer(net, "ann", 0, "draw")
    assert fold.ended == "draw"


def test_computers_at_other_nodes_answer_too_and_persons_are_waited_for(
    net: Net,
) -> None:
    begin(net, "person", "computer:30", "remote:bob", game="numlo")
    seat = net.status("bob").seats
    assert [one.kind for one in seat] == ["remote", "remote", "person"]
    net.done("bob", MakeOffer(2, "stop"))
    net.settle()
    assert standing(net.status("bob")) == [(2, "stop", (0,))]
    net.done("ann", AnswerOffer(0, agrees=True))
    net.settle()
    assert net.status("bob").offers.ended == "stop"


def test_what_was_agreed_stands_in_saved_files_and_finished_matches(
    tmp_path: Path,
) -> None:
    net = Homes(tmp_path, "ann", "bob")
    begin(net)
    move(net, "ann")
    move(net, "bob")
    offer(net, "ann", 0, "back")
    net.done("bob", AnswerOffer(1, agrees=True))
    net.settle()
    offer(net, "bob", 1, "draw")
    path = tmp_path / "kept.netplay"
    net.done("ann", Save(str(path)))
    match = net["ann"].match
    state = match.fold.state
    net.done("ann", LeaveTable())
    net.settle()
    net.done("ann", Load(str(path)))
    net.settle()
    match = net["ann"].match
    assert (match.fold.state, match.fold.history) == (state, [])
    assert standing(net.status("ann")) == [(1, "draw", (0,))]
    net.done("ann", MakeOffer(0, "stop"))
    net.settle()
    net.done("bob", AnswerOffer(1, True, match.fold.offers.standing[-1].head))
    net.settle()
    assert net.status("bob").offers.ended == "stop"
    for name in ("ann", "bob"):
        net[name].tables.close()
        ended = finished_in(net[name].file(), net[name].key, bytes.hex)
        assert ended is not None
        assert (ended.places, ended.result) == ((1, 1), "")


@pytest.mark.parametrize(
    ("game", "seed"), [("numlo", 1), ("hexagrams", 2), ("numlo", 3)]
)
def test_whatever_three_offer_and_answer_all_are_told_what_the_log_says(
    net: Net, game: str, seed: int
) -> None:
    """The second and third of everything, and features that meet: see `Reader`."""
    rng, names = Random(seed), ("ann", "bob", "cyd")
    names = names[: GAMES[game].ABOUT.seats.stop - 1]
    for guest in names[1:]:
        net.done(guest, Answer(on=True))
    seats = ("person", *(f"remote:{guest}" for guest in names[1:]))
    options = SMALL[:2] if game == "numlo" else ()
    net.done("ann", replace(table(game, *seats, options=options), days=3))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    done, often = Counter[str](), 2 * seed  # the more seldom anybody moves
    for step in range(160):
        name = rng.choice(names)
        seat, shown = names.index(name), net.status(name)
        if shown.phase == "over":
            break
        wishes = ("days", "days", "days", "back", *(("draw", "stop") * (step > 60)))
        match rng.choice((*["offer"] * often, "answer", "answer", "move", "line")):
            case "offer":
                what = rng.choice(wishes)
                may = (seat, what) in shown.offers.may
                wish = MakeOffer(seat, what, 1 if what == "days" else 0)
                came = isinstance(net.ask(name, wish), Done)
                if not net[name].match.submitting.bodies:
                    assert came or not may, f"{name} may offer {what}, and may not"
                done[f"{what} {came}"] += 1
            case "answer":
                for each, other in enumerate(names):
                    for one in net.status(other).offers.standing:
                        own = each == one.seat and rng.random() < 0.1
                        agrees = each != one.seat and rng.random() < 0.9
                        if each in one.asked or own:
                            net.ask(other, AnswerOffer(each, agrees, one.head))
            case "move" if net[name].match.may_move():
                found = net[name].match
                if step > 70 and len(names) > 2 and not found.fold.resigned:
                    net.done(name, Play(seat, pack(Resign()), -1))
                elif seat in found.on_turn():
                    moves = list(found.fold.game.moves(found.fold.state, seat))
                    chosen = pack(rng.choice(moves))
                    net.ask(name, Play(seat, chosen, found.fold.number))
                done["move"] += 1
            case "line" if net.apart:
                net.apart.clear()
            case "line" if rng.random() < 0.3:
                net.part(*rng.sample(names, 2))
            case _:
                pass
        net.settle()
    assert done["days False"], "nobody has asked once more than one may"
    assert done["back True"]

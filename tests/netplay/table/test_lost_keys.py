"""Who has lost the key is taken back under another one, if all the others agree."""

from itertools import product
from random import Random

import pytest

from netplay.errors import PeerError
from netplay.fingerprint import fingerprint
from netplay.messages.door import Answer, Join, StartMatch
from netplay.messages.log import Consent
from netplay.messages.table import Fairness
from netplay.messages.table_questions import StandIn
from netplay.record.log import hand_data
from netplay.sentences import Says
from tests.netplay.joined_nodes import Net, table
from tests.said import says


@pytest.fixture
def net() -> Net:
    return Net("ann", "bob", "cyd", "rob", "liar")


def lost(net: Net, name: str) -> None:
    """Let a computer burn, with the key on it."""
    net.isolate(name)
    net.nodes.pop(name).tables.close()


def comes(net: Net, name: str, to: tuple[str, ...]) -> None:
    """Let somebody come whom nobody knows, and wait to be called."""
    net.done(name, Answer(on=True))
    net.done(name, StandIn(40))
    for other in to:
        net.link(name, other)
    net.settle()


def says_yes(net: Net, name: str, old: bytes, new: str) -> str:
    """Let a player say that a friend has another key; return what the node says."""
    node = net[name]
    node.known.befriend(old, "bob")
    node.known.succeed(old, net[new].key, new)
    said = str(node.tables.succeed(old, net[new].key, net.now))
    net.settle()
    return said


def play(net: Net, moves: int) -> None:
    for _ in range(moves):
        net.think(Random(1))
        net.settle()


def holder(net: Net, name: str, seat: int) -> bytes:
    match = net[name].match
    return match.fold.holders[seat]


@pytest.mark.parametrize(
    ("game", "gone"),
    [
        *product(("hexagrams", "numlo"), ("ann", "bob")),
        ("networdz", "bob"),  # the bag was ann's
    ],
)
def test_of_two_the_friend_plays_on_under_the_new_key(
    net: Net, game: str, gone: str
) -> None:
    net.start("bob", game=game)
    play(net, 4)
    (stays,) = {"ann", "bob"} - {gone}
    old, seat = net[gone].key, ("ann", "bob").index(gone)
    lost(net, gone)
    comes(net, "rob", (stays,))

    said = says_yes(net, stays, old, "rob")

    assert fingerprint(net["rob"].key) in said
    assert holder(net, stays, seat) == net["rob"].key
    assert any(says(line, Says.PLAYS_ON) for line in net[stays].lines("warning"))
    net.play_out(Random(1))
    assert {net.status(name).audit for name in (stays, "rob")} == {"ok"}


@pytest.mark.parametrize("at_once", [True, False])
def test_who_asks_for_a_seat_at_the_friends_is_shown_the_match(
    net: Net, monkeypatch: pytest.MonkeyPatch, *, at_once: bool
) -> None:
    net.start("bob", game="hexagrams")
    play(net, 4)
    old, tables = net["bob"].key, net["rob"].tables
    lost(net, "bob")
    tables.window_up(1)
    net.done("rob", Answer(on=True))
    net.link("rob", "ann")
    net.done("rob", Join("ann", -1))

    if at_once:  # the window is told when both answers have come
        monkeypatch.setattr(tables, "take_pushes", list)
    says_yes(net, "ann", old, "rob")
    monkeypatch.undo()
    net.settle()

    shown = tables.table_status(net.now, 1)
    assert shown is not None
    assert shown.phase == "playing"
    assert shown.seats[1].name == "rob"


@pytest.mark.parametrize("gone", ["bob", "ann"])
def test_the_old_key_that_comes_back_is_told_of_and_gets_no_seat(
    net: Net, gone: str
) -> None:
    net.start("bob", game="hexagrams")
    play(net, 4)
    (stays,) = {"ann", "bob"} - {gone}
    old, seat = net[gone].key, ("ann", "bob").index(gone)
    thief = net[gone]
    net.isolate(gone)
    net.apart |= {frozenset((gone, stays)), frozenset((gone, "rob"))}
    net.think(Random(3))  # whoever has the old key plays on alone
    net.settle()
    comes(net, "rob", (stays,))
    says_yes(net, stays, old, "rob")
    play(net, 2)

    net.apart.clear()
    net.link(gone, stays)
    net.settle()

    faults = [str(each) for each in net[stays].tables.shared.means.faults]
    assert [
        one
        for one in faults
        if fingerprint(old) in one and says(one, Says.OLD_KEY_BACK)
    ]
    assert not net[stays].known.is_friend(old)
    assert net[stays].tables.shared.doubt(old, gone)
    assert any("taken" in line for line in thief.lines("error"))
    for name in (stays, "rob", gone):
        assert holder(net, name, seat) == net["rob"].key
    assert not net[stays].errors
    net.play_out(Random(1))
    assert {net.status(name).audit for name in (stays, "rob")} == {"ok"}


def test_of_three_each_other_player_has_to_say_yes(net: Net) -> None:
    net.start("bob", "cyd")
    play(net, 4)
    bob = net["bob"].key
    lost(net, "bob")
    comes(net, "rob", ("ann", "cyd"))

    says_yes(net, "ann", bob, "rob")

    assert holder(net, "ann", 1) == bob
    (told,) = net["cyd"].lines("system")[-1:]
    key = fingerprint(net["rob"].key)
    assert says(told, Says.AGREES_TO_NEW, name="ann", key=key, seat="bob")
    play(net, 2)
    assert holder(net, "cyd", 1) == bob

    says_yes(net, "cyd", bob, "rob")

    assert holder(net, "ann", 1) == holder(net, "cyd", 1) == net["rob"].key
    net.play_out(Random(1))
    for name in ("ann", "cyd", "rob"):
        assert net.status(name).audit == "ok"


def test_who_only_has_the_name_of_a_friend_gets_nothing(net: Net) -> None:
    net.start("bob", "cyd")
    play(net, 4)
    bob = net["bob"].key
    net["ann"].known.befriend(bob, "bob")
    lost(net, "bob")
    net["liar"].name = net["liar"].tables.shared.name = "bob"
    comes(net, "liar", ("ann", "cyd"))
    comes(net, "rob", ("ann", "cyd"))
    liar = net["liar"]
    match = net["ann"].match
    for seat in range(3):
        data = hand_data(match.match, seat, liar.key, "bob", 0)
        said = Consent(match.match, seat, liar.key, "bob", liar.signer.sign(data))
        with pytest.raises(PeerError):
            net["ann"].tables.receive(liar.key, said, net.now)

    says_yes(net, "ann", bob, "liar")  # one is fooled, the other one is not
    says_yes(net, "cyd", bob, "rob")
    play(net, 2)

    assert holder(net, "ann", 1) == holder(net, "cyd", 1) == bob


def test_a_consent_waits_through_a_restart_and_for_matches_taken_up_later(
    net: Net,
) -> None:
    net.start("bob", "cyd")
    play(net, 4)
    bob = net["bob"].key
    lost(net, "bob")
    comes(net, "rob", ("ann", "cyd"))
    net.isolate("cyd")
    net.apart.add(frozenset(("ann", "cyd")))
    net["ann"].known.befriend(bob, "bob")
    net["ann"].known.succeed(bob, net["rob"].key, "rob")
    net.isolate("ann")

    net["ann"].restart(net.now)
    net.done("ann", StandIn(40))
    net.apart.clear()
    net.settle()
    says_yes(net, "cyd", bob, "rob")

    assert holder(net, "cyd", 1) == net["rob"].key


@pytest.mark.parametrize("fairness", ["committed", "encrypted"])
def test_of_two_without_what_the_lost_key_alone_knew_it_is_said_that_it_stays(
    net: Net, fairness: Fairness
) -> None:
    net.done("bob", Answer(on=True))
    net.done("bob", StandIn(40))
    seats = "remote:bob", "computer:40"
    net.done("ann", table("networdz", *reversed(seats), fairness=fairness))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    play(net, 3)
    match = net["bob"].match
    assert match.fold.terms.fairness == fairness
    ann, number = net["ann"].key, len(match.ledger.log)
    lost(net, "ann")
    comes(net, "rob", ("bob",))

    said = says_yes(net, "bob", ann, "rob")

    assert says(said, Says.HEIR_STUCK, count=1)
    (why,) = [one for one in net["bob"].lines("error") if says(one, Says.HEIR_CANNOT)]
    assert says(why, Says.TILES_STAY)
    assert net["bob"].known.is_friend(net["rob"].key)
    assert holder(net, "bob", 0) == ann
    assert len(match.ledger.log) == number

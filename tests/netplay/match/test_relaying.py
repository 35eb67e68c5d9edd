"""Members that have no link to each other play on through a third."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import CARRIED_AT_ONCE
from netplay.match.relaying import NOWHERE, Way, carried_data
from netplay.messages.log import (
    Ack,
    Carried,
    Entries,
    Have,
    Linked,
    LinkTo,
    Opening,
    Share,
    Submit,
)
from netplay.record.letter import seal
from netplay.wire import LENGTH_BYTES, Frame, decode, encode
from rules import GAMES
from tests.netplay.party import Party

NUMLO = GAMES["numlo"].ABOUT.options(size=8, values=False)


def split(game: str, members: int) -> Party:
    """Return members of whom the first, the host, and the last have no link."""
    party = Party(game, members, NUMLO if game == "numlo" else None)
    for a in range(members):
        for b in range(a):
            if (a, b) != (members - 1, 0):
                party.link(a, b)
    party.settle()
    return party


def carried(party: Party, a: int, b: int) -> list[Carried]:
    """Return what one member has another carry, or hand on."""
    return [m for m in party.sent.get((a, b), []) if isinstance(m, Carried)]


def opened(party: Party, message: Carried) -> Any:
    """Return what is in a carried message."""
    (to,) = (key for key in party.keys if key.key == message.to)
    text = to.unseal(message.letter)
    return decode(Frame(text[0], text[1:]))


def inside(party: Party, a: int, b: int) -> list[Any]:
    """Return what is in the messages that one member hands another to carry."""
    author = party.keys[a].key
    return [opened(party, m) for m in carried(party, a, b) if m.author == author]


def on_way(party: Party, a: int, b: int) -> Way:
    """Return a member's way to another."""
    return party.member(a).relaying.ways[party.keys[b].key]


def letter(party: Party, a: int, b: int, message: Any, **other: Any) -> Carried:
    """Return a message as a member would have it carried to another."""
    match, to, way = party.member(a), party.keys[b].key, on_way(party, a, b)
    sealed = seal(to, encode(message)[LENGTH_BYTES:], bytes(range(32)))
    carried = match.relaying.signed(to, way, sealed, way.yours)
    changed = replace(carried, **other)
    return replace(changed, signature=party.keys[a].sign(carried_data(changed)))


@pytest.mark.parametrize(
    ("game", "members"), [("numlo", 3), ("networdz", 3), ("numlo", 4)]
)
def test_a_match_is_played_out_without_a_link_to_the_host(
    game: str, members: int
) -> None:
    party = split(game, members)
    party.play_out(Random(1))
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    assert {match.final for match in party.running} == {len(logs[0])}
    assert {match.audit() for match in party.running} == {"ok"}
    assert (members - 1, 0) not in party.sent
    kinds = {type(m) for m in inside(party, members - 1, 1)}
    assert {Have, Submit, Ack} <= kinds
    back = {type(m) for m in inside(party, 0, 1)}
    assert {Have, Entries} <= back
    assert (Opening in back) == (game == "networdz")


def test_who_has_a_link_again_is_reached_over_that_alone() -> None:
    party = split("numlo", 3)
    party.link(0, 2)
    party.settle()
    before = len(carried(party, 0, 1)), len(carried(party, 2, 1))
    party.play_out(Random(5))
    assert before == (len(carried(party, 0, 1)), len(carried(party, 2, 1)))


@settings(max_examples=8)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["cut", "link", "play", "deliver", "crash"]),
            st.sampled_from([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        ),
        max_size=25,
    ),
    seed=st.integers(0, 1000),
)
def test_whatever_links_come_and_go_a_joined_up_party_plays_to_the_end(
    steps: list[tuple[str, tuple[int, int]]], seed: int
) -> None:
    party, rng = split("numlo", 4), Random(seed)
    for what, (a, b) in steps:
        match what:
            case "cut":
                party.cut(a, b)
            case "link":
                party.link(a, b)
            case "play":
                party.play_one(rng)
            case "crash":
                party.crash(b)
                party.start(b)
                party.link(a, b)
            case _:
                for _ in range(rng.randrange(20)):
                    party.deliver()
    for a, b in ((0, 1), (1, 2), (1, 3)):  # all through one member
        party.link(a, b)
    party.play_out(rng)
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    assert {match.final for match in party.running} == {len(logs[0])}
    assert not any(w.shut for m in party.running for w in m.relaying.ways.values())


def test_who_carries_an_opening_cannot_read_it() -> None:
    party = split("networdz", 3)
    whole = party.member(0).knows.whole
    own = {t for t, s in party.member(2).fold.drawn_by.items() if s == 2}
    salts = [proof.salt for t in own if (proof := whole.proof(t)) is not None]
    secret = [
        m for m in carried(party, 0, 1) if isinstance(opened(party, m), Opening | Share)
    ]
    assert secret
    assert salts
    for message in carried(party, 0, 1):
        assert not any(salt in message.letter for salt in salts)
        with pytest.raises(PeerError):
            party.member(1).relaying.unseal(message.letter)


def test_a_way_that_breaks_is_noticed_and_another_one_taken() -> None:
    party = split("numlo", 4)
    first, last = party.member(0), party.member(3)
    assert last.me in first.linked
    party.cut(1, 3)
    party.settle()
    assert last.me in first.linked
    assert on_way(party, 0, 3).via == party.keys[2].key
    party.cut(2, 3)
    party.settle()
    assert last.me not in first.linked
    party.link(0, 3)
    party.settle()
    assert last.relaying.direct == {first.me}
    party.link_all()
    party.play_out(Random(2))
    assert {match.final for match in party.running} == {len(party.logs()[0])}


def test_a_link_that_was_lost_between_two_others_begins_the_way_anew() -> None:
    party = split("numlo", 3)
    before = on_way(party, 0, 2)
    party.cut(1, 2)
    party.link(1, 2)
    party.settle()
    assert on_way(party, 0, 2).mine != before.mine
    assert on_way(party, 0, 2).yours == on_way(party, 2, 0).mine
    assert party.keys[2].key in party.member(0).members.greeted


def test_links_are_told_only_when_they_have_changed() -> None:
    party = split("numlo", 3)
    party.play_out(Random(3))
    for pair in ((0, 1), (1, 0), (1, 2), (2, 1)):
        told = [m for m in party.sent[pair] if isinstance(m, Linked)]
        assert all(a != b for a, b in pairwise(told))
        assert len(told) <= 2


def test_two_alone_tell_nobody_of_links() -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.play_out(Random(4))
    sent = [m for messages in party.sent.values() for m in messages]
    assert not any(isinstance(m, Linked | Carried) for m in sent)


def test_a_changed_message_is_the_fault_of_who_carried_it() -> None:
    party = split("numlo", 3)
    [*_, good] = (m for m in carried(party, 2, 1) if m.author == party.keys[2].key)
    for bad in (
        replace(good, letter=good.letter + b"x"),
        replace(good, number=good.number + 1),
        replace(good, mine=bytes(16)),
        replace(good, yours=bytes(16)),
        replace(good, author=party.keys[1].key),
    ):
        with pytest.raises(PeerError) as caught:
            party.member(0).receive(party.keys[1].key, bad, party.now)
        assert caught.value.code is Code.BAD_SIGNATURE


def test_a_message_signed_wrongly_is_not_carried() -> None:
    party = split("numlo", 3)
    bad = replace(letter(party, 2, 0, have(party, 2)), signature=bytes(64))
    with pytest.raises(PeerError) as caught:
        party.member(1).receive(party.keys[2].key, bad, party.now)
    assert caught.value.code is Code.BAD_SIGNATURE
    assert bad not in [m for out in party.member(1).outgoing() for m in [out.message]]


def test_a_message_of_somebody_unknown_is_dropped() -> None:
    party = split("numlo", 3)
    [*_, good] = carried(party, 2, 1)
    stranger = replace(good, author=bytes(32))
    before = party.member(0).outgoing()
    party.member(0).receive(party.keys[1].key, stranger, party.now)
    assert party.member(0).outgoing() == before == []


def have(party: Party, n: int) -> Have:
    return party.member(n).replica.have()


def test_what_was_carried_once_is_not_taken_again() -> None:
    party = split("numlo", 3)
    nothing = Have(party.member(2).match, 0, 0, bytes(32))
    message = letter(party, 2, 0, nothing)
    party.member(0).receive(party.keys[1].key, message, party.now)
    assert party.keys[2].key not in party.member(0).members.greeted
    party.member(0).receive(
        party.keys[1].key, letter(party, 2, 0, have(party, 2)), party.now
    )
    assert party.keys[2].key in party.member(0).members.greeted
    party.member(0).receive(party.keys[1].key, message, party.now)
    assert party.keys[2].key in party.member(0).members.greeted


def test_what_was_said_on_a_way_of_before_changes_nothing() -> None:
    party = split("numlo", 3)
    old = [m for m in carried(party, 2, 1) if m.author == party.keys[2].key]
    party.cut(1, 2)
    party.link(1, 2)
    party.settle()
    first = party.member(0)
    way, final = on_way(party, 0, 2), first.final
    yours = way.yours
    for message in old:
        first.receive(party.keys[1].key, message, party.now)
    assert on_way(party, 0, 2) is way
    assert (way.yours, first.final) == (yours, final)
    party.play_out(Random(5))


@pytest.mark.parametrize("alone", [False, True])
def test_an_end_that_is_new_begins_the_way_anew_on_both_sides(*, alone: bool) -> None:
    party = split("numlo", 3)
    if alone:  # no link is another, and the number of what is said begins anew
        last = party.member(2)
        del last.relaying.ways[party.keys[0].key]
        last.replication.do(last.relaying.look(), party.now)
    else:
        party.crash(2)
        party.start(2)
        party.link(1, 2)
    party.settle()
    assert on_way(party, 0, 2).yours == on_way(party, 2, 0).mine != NOWHERE
    party.play_out(Random(6))
    assert {match.final for match in party.running} == {len(party.logs()[0])}


@pytest.mark.parametrize("what", ["links", "garbage", "other match", "nothing"])
def test_a_faulty_message_is_not_the_fault_of_who_carried_it(what: str) -> None:
    party = split("numlo", 3)
    first, last = party.member(0), party.member(2)
    wrong = {
        "links": letter(party, 2, 0, Linked(last.match, ())),
        "garbage": letter(party, 2, 0, last.replica.ack(), letter=bytes(100)),
        "other match": letter(
            party, 2, 0, Ack(bytes(32), 0, 0, bytes(32), b"", bytes(64))
        ),
        "nothing": letter(
            party, 2, 0, last.replica.ack(), letter=seal(first.me, b"", bytes(32))
        ),
    }[what]
    first.receive(party.keys[1].key, wrong, party.now)
    assert last.me not in first.linked
    assert party.notices[0]
    first.receive(
        party.keys[1].key, letter(party, 2, 0, last.replica.have()), party.now
    )
    assert last.me not in first.linked
    party.cut(1, 2)
    party.link(1, 2)
    party.settle()
    assert last.me in first.linked  # another way, another chance


def test_nothing_is_carried_further_than_one_step() -> None:
    party = split("numlo", 4)
    sent = letter(party, 3, 0, party.member(3).replica.ack())
    with pytest.raises(PeerError) as caught:
        party.member(1).receive(party.keys[2].key, sent, party.now)
    assert caught.value.code is Code.UNEXPECTED


def test_nothing_is_carried_to_who_is_not_there() -> None:
    party = split("numlo", 3)
    for to in (bytes(32), party.keys[0].key):
        message = letter(party, 2, 0, party.member(2).replica.ack(), to=to)
        party.cut(0, 1)
        party.settle()
        party.member(1).receive(party.keys[2].key, message, party.now)
        out = [each.message for each in party.member(1).outgoing()]
        assert not any(isinstance(each, Carried) for each in out)
        party.link(0, 1)
        party.settle()


def test_a_flood_is_not_carried() -> None:
    party = split("numlo", 3)
    message = letter(party, 2, 0, party.member(2).replica.ack())
    passed = 0
    with pytest.raises(PeerError) as caught:
        for _ in range(10_000):
            party.member(1).receive(party.keys[2].key, message, party.now)
            passed += 1
    assert caught.value.code is Code.TOO_MANY
    assert passed <= CARRIED_AT_ONCE
    party.member(1).receive(party.keys[2].key, message, party.now + 60.0)


def test_a_key_that_nothing_can_be_sealed_to_is_no_members_end() -> None:
    party = split("numlo", 3)
    one = bytes([1, *bytes(31)])  # the point that all letters to it have in common
    relaying = party.member(0).relaying
    relaying.ways[one] = Way(party.keys[1].key, 1, bytes(16))
    party.member(0).greet(one)
    out = [each.message for each in party.member(0).outgoing()]
    assert not any(isinstance(each, Carried) for each in out)
    assert relaying.ways[one].shut


def test_a_member_that_lacks_an_author_is_known() -> None:
    party = split("numlo", 3)
    keys = [key.key for key in party.keys]
    middle = party.member(1).relaying
    assert middle.lacking(keys[0]) == [keys[2]]
    assert middle.lacking(keys[2]) == [keys[0]]
    assert middle.lacking(keys[1]) == []


def test_links_of_somebody_without_a_link_are_not_believed() -> None:
    party = Party("numlo", 3, NUMLO)
    party.link(0, 1)
    party.settle()
    keys = [key.key for key in party.keys]
    linked = Linked(party.member(0).match, (LinkTo(keys[1], 1),))
    party.member(0).relaying.on_linked(keys[2], linked, party.now)
    assert party.member(0).relaying.ways == {}


def test_who_lacks_the_match_is_named_to_nobody() -> None:
    party = split("numlo", 3)
    assert party.keys[2].key in party.member(0).linked
    nothing = Have(party.member(2).match, 0, 0, bytes(32))
    message = letter(party, 0, 2, have(party, 0))
    party.member(1).receive(party.keys[2].key, nothing, party.now)
    told = [
        each.message
        for each in party.member(1).outgoing()
        if party.keys[0].key in each.keys
    ]
    (linked,) = (each for each in told if isinstance(each, Linked))
    assert [link.to for link in linked.links] == [party.keys[0].key]
    party.member(0).receive(party.keys[1].key, linked, party.now)
    assert party.keys[2].key not in party.member(0).linked
    party.member(1).receive(party.keys[0].key, message, party.now)
    out = [each.message for each in party.member(1).outgoing()]
    assert not any(isinstance(each, Carried) for each in out)

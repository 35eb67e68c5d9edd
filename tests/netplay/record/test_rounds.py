"""Rounds of chance: who may say what, and when."""

from collections.abc import Sequence

import pytest

from netplay.errors import Code, PeerError
from netplay.messages.log import Commit, Open, Root, Seed
from netplay.record.chance import PUBLIC, ChanceBody, Rounds, commitment

MATCH = b"m" * 32
ANN, BOB, CYD = b"a" * 32, b"b" * 32, b"c" * 32
ALL = (ANN, BOB, CYD)


def seed_of(key: bytes) -> bytes:
    return key[::-1]


def commit(number: int, key: bytes) -> Commit:
    return Commit(number, commitment(MATCH, number, key, seed_of(key)))


def rounds_with(
    number: int, committed: Sequence[bytes], shown: Sequence[bytes] = ()
) -> Rounds:
    rounds = Rounds(MATCH)
    rounds.open(number, 10, 20)
    for key in committed:
        rounds.on_body(key, commit(number, key), ALL, ANN)
    for key in shown:
        rounds.on_body(key, Seed(number, seed_of(key)), ALL, ANN)
    return rounds


def refused(rounds: Rounds, key: bytes, body: ChanceBody) -> Code:
    with pytest.raises(PeerError) as caught:
        rounds.on_body(key, body, ALL, ANN)
    return caught.value.code


def test_public_chance_is_fixed_once_all_have_shown() -> None:
    rounds = rounds_with(PUBLIC, ALL, (ANN, BOB))
    rounds.settle(ANN)
    public = rounds.get(PUBLIC)
    assert public is not None
    assert not public.fixed
    rounds.on_body(CYD, Seed(PUBLIC, seed_of(CYD)), ALL, ANN)
    rounds.settle(ANN)
    assert public.key is not None
    assert refused(rounds, BOB, Seed(PUBLIC, seed_of(BOB))) is Code.UNEXPECTED
    rounds.settle(ANN)


def test_settling_without_public_chance_does_nothing() -> None:
    Rounds(MATCH).settle(ANN)
    rounds = rounds_with(PUBLIC, ALL)
    rounds.settle(ANN)
    public = rounds.get(PUBLIC)
    assert public is not None
    assert public.key is None


def test_rounds_are_fixed_while_each_of_them_is() -> None:
    rounds = Rounds(MATCH)
    assert rounds.fixed
    rounds.open(PUBLIC)
    assert not rounds.fixed
    for key in ALL:
        rounds.on_body(key, commit(PUBLIC, key), ALL, ANN)
    for key in ALL:
        rounds.on_body(key, Seed(PUBLIC, seed_of(key)), ALL, ANN)
    rounds.settle(ANN)
    assert rounds.fixed
    rounds.open(1, 10, 20)
    assert not rounds.fixed
    for key in ALL:
        rounds.on_body(key, commit(1, key), ALL, ANN)
    for key in (BOB, CYD):
        rounds.on_body(key, Seed(1, seed_of(key)), ALL, ANN)
    rounds.on_body(ANN, Root(1, bytes(32), 20, (b"1", b"2")), ALL, ANN)
    assert rounds.fixed
    rounds.open(1, 10, 20)
    assert rounds.fixed


def test_nobody_shows_before_all_have_committed() -> None:
    rounds = rounds_with(1, (ANN, BOB))
    assert refused(rounds, BOB, Seed(1, seed_of(BOB))) is Code.UNEXPECTED


def test_nobody_commits_after_a_seed_was_shown_or_twice() -> None:
    rounds = rounds_with(1, ALL, (BOB,))
    stranger = b"d" * 32
    assert refused(rounds, stranger, commit(1, stranger)) is Code.UNEXPECTED
    rounds = rounds_with(1, (ANN,))
    assert refused(rounds, ANN, commit(1, ANN)) is Code.UNEXPECTED


def test_a_seed_must_be_the_one_committed_to() -> None:
    rounds = rounds_with(1, ALL)
    assert refused(rounds, BOB, Seed(1, seed_of(CYD))) is Code.BAD_PROOF
    rounds.on_body(BOB, Seed(1, seed_of(BOB)), ALL, ANN)


def test_the_dealer_shows_no_seed_before_the_end() -> None:
    rounds = rounds_with(1, ALL, (BOB, CYD))
    assert refused(rounds, ANN, Seed(1, seed_of(ANN))) is Code.UNEXPECTED


def test_only_the_dealer_fixes_a_bag_and_only_when_all_have_shown() -> None:
    root = Root(1, bytes(32), 20, (bytes(32), bytes(32)))
    rounds = rounds_with(1, ALL, (BOB,))
    assert refused(rounds, ANN, root) is Code.UNEXPECTED
    rounds = rounds_with(1, ALL, (BOB, CYD))
    assert refused(rounds, BOB, root) is Code.UNEXPECTED
    rounds.on_body(ANN, root, ALL, ANN)
    assert refused(rounds, ANN, root) is Code.UNEXPECTED


def test_a_root_for_another_bag_is_refused() -> None:
    rounds = rounds_with(1, ALL, (BOB, CYD))
    shares = (bytes(32), bytes(32))
    for root in (
        Root(1, bytes(32), 19, shares),
        Root(1, bytes(32), 20, shares[:1]),
        Root(1, bytes(32), 20, ()),
    ):
        assert refused(rounds, ANN, root) is Code.BAD_PROOF


def test_a_body_for_no_round_is_refused() -> None:
    assert refused(Rounds(MATCH), ANN, commit(1, ANN)) is Code.UNEXPECTED


def test_the_dealers_seed_is_opened_once_by_whoever_knows_it() -> None:
    rounds = rounds_with(1, ALL, (BOB, CYD))
    opening = Open(1, seed_of(ANN))
    assert refused(rounds, ANN, opening) is Code.UNEXPECTED
    rounds.on_body(ANN, Root(1, bytes(32), 20, (bytes(32),) * 2), ALL, ANN)
    assert refused(rounds, ANN, Open(1, seed_of(BOB))) is Code.BAD_PROOF
    rounds.on_body(BOB, opening, ALL, ANN)
    assert refused(rounds, ANN, opening) is Code.UNEXPECTED


def test_a_deal_that_is_not_fixed_begins_again_under_another_host() -> None:
    rounds = rounds_with(1, ALL, (BOB,))
    rounds.open(PUBLIC)
    rounds.on_body(ANN, commit(PUBLIC, ANN), ALL, ANN)
    assert rounds.restart() == [1]
    again, public = rounds.get(1), rounds.get(PUBLIC)
    assert again is not None
    assert public is not None
    assert (again.first, again.size, again.commits) == (10, 20, {})
    assert list(public.commits) == [ANN]


def test_who_plays_no_seat_any_more_need_not_commit() -> None:
    rounds = rounds_with(1, (ANN, BOB))
    assert rounds.close((ANN, BOB), ANN) == []
    deal = rounds.get(1)
    assert deal is not None
    assert deal.parties == {ANN, BOB}
    assert deal.lacks_seed(ANN) == {BOB}


@pytest.mark.parametrize("number", [PUBLIC, 1])
def test_a_round_waits_for_the_very_members_that_had_committed(number: int) -> None:
    """Whoever comes later could have looked at the seeds that were shown."""
    rounds = rounds_with(number, (ANN, BOB))
    rounds.close((ANN, BOB), ANN)
    assert refused(rounds, CYD, commit(number, CYD)) is Code.UNEXPECTED
    assert rounds.close(ALL, ANN) == []
    rounds.on_body(BOB, Seed(number, seed_of(BOB)), ALL, ANN)
    round_ = rounds.get(number)
    assert round_ is not None
    assert round_.lacks_seed(ANN) == ({ANN} if number == PUBLIC else set())


@pytest.mark.parametrize("number", [PUBLIC, 1])
def test_a_round_begins_again_without_the_seed_of_one_who_is_gone(number: int) -> None:
    rounds = rounds_with(number, ALL, (BOB,))
    assert rounds.close((ANN, BOB), ANN) == [number]
    again = rounds.get(number)
    assert again is not None
    assert (again.commits, again.seeds, again.parties) == ({}, {}, None)
    assert (again.again, again.first, again.size) == (1, 10, 20)
    assert rounds.close((ANN, BOB), ANN) == []


def test_a_seed_that_was_shown_counts_though_its_author_has_gone() -> None:
    rounds = rounds_with(1, ALL, (BOB, CYD))
    assert rounds.close((ANN, BOB), ANN) == []
    deal = rounds.get(1)
    assert deal is not None
    assert deal.lacks_root(ANN)
    assert sorted(deal.seeds) == [BOB, CYD]


def test_a_single_other_gets_no_share() -> None:
    rounds = rounds_with(1, ())
    deal = rounds.get(1)
    assert deal is not None
    assert deal.sharers((ANN, BOB), ANN) == ()
    assert deal.sharers(ALL, ANN) == (BOB, CYD)


def test_a_tile_belongs_to_the_deal_of_its_number() -> None:
    rounds = rounds_with(1, ())
    rounds.open(2, 30, 5)
    assert [
        rounds.deal_of(n) and rounds.deal_of(n).number for n in (9, 10, 29, 34)
    ] == [  # type: ignore[union-attr]
        None,
        1,
        1,
        2,
    ]
    assert rounds.deal_of(35) is None
    assert [one.number for one in rounds] == [1, 2]


@pytest.mark.parametrize("fixed", [0, 1, 2])
def test_another_host_deals_every_deal_anew_that_is_not_fixed(fixed: int) -> None:
    """Be it the first or the third; public chance is nobody's to deal."""
    rounds = Rounds(MATCH)
    rounds.open(PUBLIC)
    for number in (1, 2, 3):
        rounds.open(number, 10 * number, 10)
        for key in ALL:
            rounds.on_body(key, commit(number, key), ALL, ANN)
        for key in (BOB, CYD):
            rounds.on_body(key, Seed(number, seed_of(key)), ALL, ANN)
        if number <= fixed:
            shares = tuple(bytes(32) for _ in rounds.get(number).sharers(ALL, ANN))  # type: ignore[union-attr]
            rounds.on_body(ANN, Root(number, bytes(32), 10, shares), ALL, ANN)
    assert rounds.restart() == [*range(fixed + 1, 4)]
    found = {one.number: (one.again, one.first, bool(one.commits)) for one in rounds}
    assert found[PUBLIC][0] == 0
    for number in (1, 2, 3):
        kept = number <= fixed
        assert found[number] == (int(not kept), 10 * number, kept)

"""A match played by files alone, its nodes never linked."""

from random import Random

import pytest
from msgspec.structs import replace

from netplay.errors import LocalError
from netplay.record import enclosures
from netplay.record.enclosures import Item, Letter, Secret, Word
from netplay.record.hidden import KeptKey, KeptSeed
from netplay.record.verify import verify
from netplay.sentences import Says
from rules import GAMES
from tests.netplay.party import Party
from tests.said import like, says

SMALL = GAMES["numlo"].ABOUT.options(size=8, values=False, start="othello")


class Post:
    """Carries files between the members of a party; nobody is ever linked."""

    def __init__(self, game: str, members: int = 2) -> None:
        self.party = Party(game, members, SMALL if game == "numlo" else None)
        self.party.member(0).members.go_by_mail()
        self.party.member(0).step(0.0)

    def file(self, n: int) -> tuple[tuple[bytes, ...], list[bytes]]:
        """Return the file that a member saves."""
        match = self.party.member(n)
        match.go_by_mail(self.party.now)
        match.outgoing()
        return match.ledger.raws(0), list(enclosures.packed(match.enclosures()))

    def read(self, n: int, file: tuple[tuple[bytes, ...], list[bytes]]) -> int:
        """Let a member load a file."""
        raws, records = file
        items = list(enclosures.unpacked(records))
        match = self.party.member(n)
        return match.take_file(raws, items, self.party.keys[n].unseal, self.party.now)

    def send(self, a: int, b: int) -> None:
        self.read(b, self.file(a))

    def round_trip(self) -> None:
        """Send the host's file round and home."""
        for n in range(1, len(self.party.keys)):
            self.send(0, n)
            self.send(n, 0)


def play_out(post: Post, rng: Random, most: int = 2000) -> int:
    """Play to the end; return how often the file went round."""
    for trips in range(most):
        if all(match.audit() for match in post.party.running):
            return trips
        post.party.play_one(rng)
        post.round_trip()
    raise AssertionError("the match never ends")


@pytest.mark.parametrize(("game", "members"), [("networdz", 2), ("numlo", 2)])
def test_a_match_is_played_to_its_end_by_files_alone(game: str, members: int) -> None:
    post = Post(game, members)

    play_out(post, Random(4))

    post.round_trip()
    assert len({tuple(log) for log in post.party.logs()}) == 1
    assert [match.audit() for match in post.party.running] == ["ok"] * members
    data = post.party.archives[1].open(post.party.terms.nonce).read()
    assert verify(data).audit == "ok"


def test_nobody_brings_a_key_or_a_seed_into_a_match_between_nodes() -> None:
    post = started()
    seed = KeptSeed(7, 0, 0, bytes(32))
    items = [Secret(KeptKey(bytes(32))), Secret(seed)]

    post.read(1, (post.file(0)[0], list(enclosures.packed(items))))

    assert not post.party.member(1).hidden.key
    assert not list(post.party.member(1).hidden.seeds(7))


def started(game: str = "networdz", members: int = 2) -> Post:
    """Return a match in which somebody is on turn."""
    post = Post(game, members)
    for _ in range(8):
        post.round_trip()
    assert post.party.movers()
    return post


def test_a_member_learns_its_tiles_from_letters_that_no_other_can_read() -> None:
    post = started("networdz", 3)
    letters = [
        item
        for item in enclosures.unpacked(post.file(0)[1])
        if isinstance(item, Letter)
    ]

    assert {letter.to for letter in letters} == {key.key for key in post.party.keys[1:]}
    for number in (1, 2):
        view = post.party.member(number).seats.view(number)
        assert view.up_to_date
        assert min(view.state.tiles.kinds[number]) >= 0
        assert max(view.state.tiles.kinds[0]) < 0


def test_a_file_may_be_read_twice_and_an_old_one_after_a_new_one() -> None:
    post = started()
    old = post.file(0)
    for _ in range(6):
        post.party.play_one(Random(1))
        post.round_trip()
    new = post.file(0)
    post.read(1, new)
    before = post.party.logs()

    assert post.read(1, new) == 0
    assert post.read(1, old) == 0
    assert post.party.logs() == before


def test_a_member_plays_at_once_and_its_move_travels_back_in_the_file() -> None:
    post = started()
    while post.party.movers()[0][0] == 0:
        post.party.play_one(Random(1))
        post.round_trip()
    member, host = post.party.member(1), post.party.member(0)
    before = host.fold.moves

    post.party.play_one(Random(1))
    items = list(enclosures.unpacked(post.file(1)[1]))

    assert [item for item in items if isinstance(item, Word)]
    assert member.fold.moves == before
    post.send(1, 0)
    assert host.fold.moves == before + 1
    post.send(0, 1)
    assert member.fold.moves == before + 1
    assert not len(member.submitting)


def test_words_that_are_forged_are_left_out() -> None:
    post = started()
    while post.party.movers()[0][0] == 0:
        post.party.play_one(Random(1))
        post.round_trip()
    post.party.play_one(Random(1))
    raws, records = post.file(1)
    forged: list[Item] = []
    for item in enclosures.unpacked(records):
        if isinstance(item, Word):
            signature = bytes(64)
            forged.append(Word(item.author, replace(item.submit, signature=signature)))
    assert forged
    before = post.party.member(0).fold.moves

    post.read(0, (raws, list(enclosures.packed(forged))))

    assert post.party.member(0).fold.moves == before
    assert says(post.party.notices[0][-1], Says.PART_OF_NO_USE)


def test_a_letter_that_was_changed_is_left_out() -> None:
    post = started()
    raws, records = post.file(0)
    bad = [
        Letter(item.to, item.sealed[:-1] + b"\0")
        for item in enclosures.unpacked(records)
        if isinstance(item, Letter)
    ]

    post.read(1, (raws, list(enclosures.packed(bad))))

    assert any(says(notice, Says.PART_OF_NO_USE) for notice in post.party.notices[1])


def test_a_link_that_comes_up_ends_the_mail() -> None:
    post = started()
    assert post.party.member(0).quorate
    post.party.link_all()
    post.party.settle()
    assert not post.party.member(0).by_mail
    assert post.party.member(0).quorate
    post.party.cut(0, 1)

    assert not post.party.member(0).quorate


def test_no_secret_of_a_match_between_nodes_goes_along() -> None:
    post = started()

    items = [
        *enclosures.unpacked(post.file(0)[1]),
        *enclosures.unpacked(post.file(1)[1]),
    ]

    assert not [item for item in items if isinstance(item, Secret)]


@pytest.mark.parametrize("reader", [0, 1])
def test_an_older_file_takes_back_nothing_that_a_newer_one_has_said(
    reader: int,
) -> None:
    post = started("numlo")
    old = post.file(1 - reader)
    for seed in range(4):
        post.party.play_one(Random(seed))
        post.round_trip()
    match, other = post.party.member(reader), post.party.keys[1 - reader].key
    known = match.replica.known(other, None)
    assert known > len(old[0])

    post.read(reader, old)

    assert match.replica.known(other, None) == known


def test_what_a_later_version_adds_is_passed_over() -> None:
    known = Secret(KeptKey(bytes(32)))

    found = list(
        enclosures.unpacked([b"\x93\x09\x01\x02", *enclosures.packed([known]), b"x"])
    )

    assert found == [known]


def test_the_host_s_second_history_is_the_proof_of_a_fork() -> None:
    post = started("numlo")
    other = started("numlo")
    for post_ in (post, other):
        while post_.party.movers()[0][0] != 0:
            post_.party.play_one(Random(1))
            post_.round_trip()
    for seed, post_ in ((1, post), (9, other)):
        post_.party.play_one(Random(seed))
    assert post.file(0)[0] != other.file(0)[0]
    post.read(1, post.file(0))
    post.read(1, other.file(0))

    assert post.party.member(1).stopped


def test_both_who_play_on_from_one_file_are_told_so() -> None:
    post = started("numlo")
    other = started("numlo")
    for post_ in (post, other):
        post_.party.member(0).hidden.keep(KeptKey(bytes(32)))
        while post_.party.movers()[0][0] != 0:
            post_.party.play_one(Random(1))
            post_.round_trip()
    post.party.play_one(Random(1))
    other.party.play_one(Random(2))
    post.file(0)

    with pytest.raises(LocalError, match=like(Says.PLAYED_ON_TWICE)):
        post.read(0, other.file(0))
    assert not post.party.member(0).stopped

"""A table proposed by letter to a friend who is asleep, and the answer."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint
from netplay.limits import TABLES_OF_A_HOST
from netplay.messages.door import Call, ChangeTable, Consent, LeaveTable, Play
from netplay.messages.log import Ack, Entries
from netplay.messages.table import Accept, Decline, Proposal
from netplay.messages.table_questions import Kick
from netplay.record import letter
from netplay.record.ledger import make_genesis
from netplay.record.log import match_of, terms_data
from netplay.record.store import Disk
from netplay.sentences import Says
from netplay.steady import Steady
from netplay.table.asked import WEEK_SECONDS
from netplay.wire import encode
from tests.netplay.joined_nodes import SMALL, Net, receipt_of, table
from tests.netplay.party import Key
from tests.netplay.table.test_asked import (
    asked,
    challenge,
    listed,
    nonce_of,
    renew,
    restart,
    sleep,
    wake,
)
from tests.netplay.table.test_away import move
from tests.netplay.table.test_chat_by_letter import owed, post, take, write
from tests.said import says


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Net]:
    """Return two friends who are never awake together."""
    one = Net("ann", "bob")
    for name, node in one.nodes.items():
        renew(node, tmp_path / name)
        for other in one.nodes.values():
            if other is not node:
                node.known.befriend(other.key, other.name)
    sleep(one)
    yield one
    one.close()


def answer(net: Net, *, yes: bool = True) -> None:
    revision = net.status("bob").revision
    net.done("bob", Consent(accept=yes, revision=revision))
    net.settle()


def proposal(net: Net) -> Proposal:
    """Return what Ann's table would say to Bob."""
    net["ann"].table.ask_by_letter(net["bob"].key)  # type: ignore[attr-defined]
    return net["ann"].forming.proposal()


def forged(
    net: Net, name: bytes, number: int, *messages: Any, by: str = "ann"
) -> bytes:
    """Return a letter to the other that says what it likes."""
    to = net["bob" if by == "ann" else "ann"].key
    frames = b"".join(map(encode, messages))
    once = number.to_bytes(32, "big")
    return letter.written(net[by].signer, name, to, number, frames, once)


# What players see.


def test_a_challenge_and_the_yes_go_by_letter_and_the_match_begins(net: Net) -> None:
    challenge(net)
    assert asked(net) == "undelivered"
    written = write(net, "ann", kept=False)
    assert asked(net) == "undelivered"
    net["ann"].tables.letters.kept(written[0], "Carla", receipt_of(written[0]))
    assert asked(net) == "left"
    take(net, "bob", *written)

    assert net.status("bob").called
    assert [seat.name for seat in net.status("bob").seats] == ["ann", "bob"]
    assert listed(net, "bob").mine
    told = net["bob"].lines("system")
    assert any(says(line, Says.CALLS, name="ann") for line in told)
    answer(net)
    assert listed(net, "bob").undelivered
    post(net, "bob", "ann")
    match = net.status("ann").match
    assert match
    post(net, "ann", "bob")

    assert net.status("bob").match == match
    assert not net["ann"].kept_asked.tables
    assert not net["bob"].kept_asked.seats
    name, other = ("ann", "bob") if net.status("ann").turn == (0,) else ("bob", "ann")
    net.done(name, Play(0 if name == "ann" else 1, move(net, name), 10_000))
    net.settle()
    post(net, name, other)
    played = net[other].match
    assert played.fold.moves == 1


def test_a_yes_counts_whose_author_s_clock_stands_in_1970(net: Net) -> None:
    net["ann"].unix = 1_800_000_000
    challenge(net)
    post(net, "ann", "bob")
    answer(net)
    post(net, "bob", "ann")
    assert net.status("ann").match


def test_both_may_be_started_anew_at_any_moment(net: Net) -> None:
    challenge(net)
    restart(net, "ann")
    written = write(net, "ann")
    restart(net, "ann")
    take(net, "bob", *written)
    restart(net, "bob")
    assert net.status("bob").called
    answer(net)
    restart(net, "bob")
    written = write(net, "bob")
    restart(net, "bob")
    assert [one.to for one in owed(net, "bob")] == [net["ann"].key], "left anew"
    take(net, "ann", *written)
    restart(net, "ann")
    written = write(net, "ann")
    take(net, "bob", *written)
    restart(net, "bob")
    assert net.status("bob").match == net.status("ann").match != b""


def test_what_a_bag_needs_is_said_once_though_its_author_is_started_anew(
    net: Net,
) -> None:
    to = f"remote:{fingerprint(net['bob'].key)}"
    net.done("ann", table("networdz", "person", to, fairness="encrypted"))
    net.settle()
    post(net, "ann", "bob")
    answer(net)
    post(net, "bob", "ann")
    for _ in range(4):
        for author, reader in (("ann", "bob"), ("bob", "ann")):
            post(net, author, reader)
            restart(net, reader)
            match = net[reader].match
            said = [type(one.body) for one in match.submitting]
            assert len(said) == len(set(said))
    match = net["bob"].match
    assert match.fold.bag is not None
    assert len(match.fold.bag.masks) == 2
    assert len(match.fold.bag.deals[0].mixed) == 2


def test_what_is_kept_by_a_friend_is_left_once(net: Net) -> None:
    challenge(net)
    assert len(write(net, "ann")) == 1
    assert not owed(net, "ann")
    net.done("ann", table("numlo", "person", "computer:20", options=SMALL))
    net.settle()
    assert not owed(net, "ann")


def test_changed_terms_are_written_anew_and_an_old_yes_begins_nothing(net: Net) -> None:
    challenge(net)
    post(net, "ann", "bob")
    answer(net)
    old = write(net, "bob")
    ann = net["ann"]
    assert asked(net) == "left"
    net.done("ann", ChangeTable(replace(ann.forming.wish, bystanders="nobody")))
    assert asked(net) == "undelivered", "nobody has the new terms yet"
    take(net, "ann", *old)
    assert not net.status("ann").match
    post(net, "ann", "bob")
    assert asked(net) == "left"
    assert net.status("bob").changes
    assert not owed(net, "bob"), "the player has not said yes to that"
    answer(net)
    post(net, "bob", "ann")
    assert net.status("ann").match


def test_a_no_comes_back_and_who_asked_hears_it_once(net: Net) -> None:
    challenge(net)
    written = write(net, "ann")
    take(net, "bob", *written)
    answer(net, yes=False)
    assert not net["bob"].tables.games(net.now)
    restart(net, "bob")

    post(net, "bob", "ann")

    assert asked(net) == "declined"
    assert any(
        says(line, Says.DOES_NOT_PLAY, name="bob")
        for line in net["ann"].lines("system")
    )
    assert not owed(net, "bob")
    restart(net, "bob")
    assert not owed(net, "bob")
    take(net, "bob", *written)
    assert not net["bob"].tables.games(net.now)


def test_a_table_that_is_given_up_is_gone_with_the_next_letter(net: Net) -> None:
    challenge(net)
    written = write(net, "ann")
    take(net, "bob", *written)
    answer(net)
    net.done("ann", LeaveTable())
    restart(net, "ann")
    net["ann"].unix += 1
    post(net, "ann", "bob")
    assert not net["bob"].tables.games(net.now)
    assert not owed(net, "ann")
    restart(net, "bob")
    take(net, "bob", *written)
    assert not net["bob"].tables.games(net.now), "an old letter asks nobody again"


def test_who_meets_over_a_link_owes_no_letter(net: Net) -> None:
    challenge(net)
    post(net, "ann", "bob")
    answer(net, yes=False)
    wake(net)
    sleep(net)
    assert not owed(net, "bob")
    assert not owed(net, "ann")


def test_a_link_may_come_between(net: Net) -> None:
    challenge(net)
    written = write(net, "ann")
    wake(net)
    assert asked(net) == "unanswered"
    sleep(net)
    take(net, "bob", *written)
    answer(net)
    post(net, "bob", "ann")
    wake(net)
    assert net.status("ann").match == net.status("bob").match != b""


def test_after_a_week_no_letter_asks_anybody(net: Net) -> None:
    challenge(net)
    written = write(net, "ann")
    net["bob"].unix += WEEK_SECONDS
    take(net, "bob", *written)
    assert not net["bob"].tables.games(net.now)


@pytest.mark.parametrize(("whose", "jump"), [("bob", 1), ("bob", -1), ("ann", -1)])
def test_a_clock_that_jumps_by_years_makes_no_letter_too_old(
    net: Net, tmp_path: Path, whose: str, jump: int
) -> None:
    for name, node in net.nodes.items():
        node.unix = 1_800_000_000
        at = float(node.unix - (jump < 0 and name == "bob") * 600)
        node.steady = Steady(None, lambda at=at: at, lambda: 0.0, lambda: "x")
        renew(node, tmp_path / name)
    net[whose].unix += jump * 20 * 365 * 86_400
    challenge(net)
    post(net, "ann", "bob")
    assert net["bob"].tables.games(net.now)
    answer(net)
    post(net, "bob", "ann")
    assert [seat.accepted for seat in net.status("ann").seats] == [True, True]


# Who is no friend, and friends who lie.


def test_who_is_no_friend_is_neither_asked_nor_heard(net: Net) -> None:
    challenge(net)
    written = write(net, "ann")
    net["bob"].known = type(net["bob"].known)(None)
    net["bob"].restart(net.now)
    take(net, "bob", *written)
    assert not net["bob"].tables.games(net.now)
    assert net["ann"].key not in net["bob"].tables.letters.authors(friends=True)


def test_of_friends_letters_are_taken_only_where_the_player_has_chosen(
    net: Net,
) -> None:
    letters = net["bob"].tables.letters
    assert letters.authors(friends=True) == (net["ann"].key,)
    assert letters.authors(friends=False) == ()
    net["bob"].known.blocked.add(net["ann"].key, "ann")
    assert letters.authors(friends=True) == ()


def test_who_is_blocked_is_asked_by_no_letter(net: Net) -> None:
    challenge(net)
    written = write(net, "ann")
    net["bob"].known.blocked.add(net["ann"].key, "ann")
    take(net, "bob", *written)
    assert not net["bob"].tables.games(net.now)
    net["ann"].known.blocked.add(net["bob"].key, "bob")
    net["ann"].unix += 3600
    restart(net, "ann")
    assert not owed(net, "ann")


def of_another_host(_net: Net, good: Proposal) -> Proposal:
    members = good.terms.members[::-1]
    return replace(good, terms=replace(good.terms, members=members))


def without_the_reader(_net: Net, good: Proposal) -> Proposal:
    first, second = good.terms.members
    members = first, replace(second, key=Key("eve").key)
    return replace(good, terms=replace(good.terms, members=members))


def of_another_table(_net: Net, good: Proposal) -> Proposal:
    return replace(good, terms=replace(good.terms, nonce=bytes(32)))


def nothing_of_a_table(_net: Net, _good: Proposal) -> Any:
    return Decline(bytes(32), 0, Code.BUSY.number, "no")


@pytest.mark.parametrize(
    "wrong", [of_another_host, without_the_reader, of_another_table, nothing_of_a_table]
)
def test_a_letter_with_other_terms_calls_nobody(
    net: Net, wrong: Callable[[Net, Proposal], Any]
) -> None:
    challenge(net)
    name, good = nonce_of(net, "ann"), proposal(net)
    bob = net["bob"]
    bob.tables.letters.on_letter(forged(net, name, 2000, wrong(net, good)), net.now)
    net.settle()
    assert not bob.tables.games(net.now)
    bob.tables.letters.on_letter(forged(net, name, 2001, good), net.now)
    net.settle()
    assert net.status("bob").called


def test_a_yes_that_is_forged_old_or_anothers_begins_nothing(net: Net) -> None:
    challenge(net)
    name, good = nonce_of(net, "ann"), proposal(net)
    ann, eve = net["ann"], Key("eve")
    data = terms_data(good.terms)
    number = 2000
    for wrong in (
        Accept(name, good.revision, eve.sign(data)),
        Accept(name, good.revision + 1, net["bob"].signer.sign(data)),
        Accept(bytes(32), good.revision, net["bob"].signer.sign(data)),
    ):
        number += 1
        ann.tables.letters.on_letter(
            forged(net, name, number, wrong, by="bob"), net.now
        )
        net.settle()
        assert not net.status("ann").match
    good_one = Accept(name, good.revision, net["bob"].signer.sign(data))
    ann.tables.letters.on_letter(forged(net, name, 3000, good_one, by="bob"), net.now)
    net.settle()
    assert net.status("ann").match


def test_a_match_to_which_nobody_said_yes_does_not_begin_by_letter(net: Net) -> None:
    challenge(net)
    post(net, "ann", "bob")
    bob = net["bob"]
    answer(net)
    post(net, "bob", "ann")
    begun = write(net, "ann")
    seats = bob.kept_asked.seats
    [(name, seat)] = seats.items()
    seats[name] = replace(seat, agreed=False)
    bob.restart(net.now)  # with an older copy of what it has signed
    take(net, "bob", *begun)
    assert net.status("bob").called
    seats.clear()
    bob.restart(net.now)
    take(net, "bob", *begun)
    assert not bob.tables.games(net.now)


@pytest.mark.parametrize("older", [False, True])
def test_a_match_that_begins_by_letter_by_terms_of_before_is_told_as_changed(
    net: Net, *, older: bool
) -> None:
    ann, bob = net["ann"], net["bob"]
    challenge(net)
    terms = proposal(net).terms
    post(net, "ann", "bob")
    answer(net)
    if older:
        seats = ("person", f"remote:{fingerprint(bob.key)}")
        rules = (("size", "10"), *SMALL[1:])
        net.done("ann", ChangeTable(table("numlo", *seats, options=rules)))
        net.settle()
        post(net, "ann", "bob")
        answer(net)
        assert ann.forming.proposal().terms != terms
    data = terms_data(terms)
    signatures = ann.signer.sign(data), bob.signer.sign(data)
    begun = Entries(match_of(terms), (make_genesis(ann.signer, terms, signatures),))
    before = len(bob.lines("warning"))
    bob.tables.letters.on_letter(forged(net, begun.match, 3000, begun), net.now)
    net.settle()
    assert bob.match.match == begun.match
    told = bob.lines("warning")[before:]
    assert [says(line, Says.CHANGED_RULES, name="ann") for line in told] == [
        True
    ] * older


def test_a_friend_who_asks_to_ten_thousand_tables_gets_few_places(net: Net) -> None:
    challenge(net)
    good = proposal(net)
    for count in range(300):
        name = count.to_bytes(32, "big")
        one = replace(good, terms=replace(good.terms, nonce=name))
        sealed = forged(net, name, 2000 + count, one)
        net["bob"].tables.letters.on_letter(sealed, net.now)
    net.settle()
    assert len(net["bob"].tables.games(net.now)) == TABLES_OF_A_HOST
    assert len(net["bob"].kept_asked.seats) == TABLES_OF_A_HOST


def test_nobody_declines_in_the_hosts_place(net: Net, tmp_path: Path) -> None:
    challenge(net)
    post(net, "ann", "bob")
    name, bob, eve = nonce_of(net, "ann"), net["bob"], Key("eve")
    bob.known.befriend(eve.key, "eve")
    for code in (Code.STOPPED, Code.DECLINED):
        no = encode(Decline(name, 1, code.number, "no"))
        once = code.number.to_bytes(32, "big")
        number = 5000 + code.number
        sealed = letter.written(eve, name, bob.key, number, no, once)
        bob.tables.letters.on_letter(sealed, net.now)
    net.settle()
    assert net.status("bob").called
    restart(net, "bob")
    assert net.status("bob").called


def test_who_is_removed_hears_it_and_may_be_asked_again(net: Net) -> None:
    challenge(net)
    post(net, "ann", "bob")
    net.done("ann", Kick("bob"))
    net.settle()
    post(net, "ann", "bob")
    assert not net["bob"].tables.games(net.now)
    assert not owed(net, "ann")
    net.done("ann", Call(fingerprint(net["bob"].key), 1))
    net.settle()
    post(net, "ann", "bob")
    assert net.status("bob").called


def test_who_is_removed_and_asked_again_at_once_is_asked(net: Net) -> None:
    challenge(net)
    assert len(write(net, "ann")) == 1
    net.done("ann", Kick("bob"))
    net.done("ann", Call(fingerprint(net["bob"].key), 1))
    net.settle()
    post(net, "ann", "bob")
    assert net.status("bob").called
    assert not owed(net, "ann")


def test_a_letter_of_a_match_that_is_over_here_says_nothing(net: Net) -> None:
    said = Ack(bytes(32), 0, 1, bytes(32), b"", bytes(64))
    net["bob"].tables.letters.on_letter(forged(net, bytes(32), 9, said), net.now)
    net.settle()
    assert not net["bob"].lines("system")


# A disk that refuses.


def test_a_disk_that_refuses_the_match_keeps_the_letter(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge(net)
    post(net, "ann", "bob")
    answer(net)
    written = write(net, "bob")
    ann = net["ann"]

    def refused(_match: bytes) -> Disk:
        raise LocalError(Code.DISK, "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(ann.archive, "open", refused)
        with pytest.raises(LocalError):
            take(net, "ann", *written)
        net.settle()
    assert not net.status("ann").match
    take(net, "ann", *written)
    assert net.status("ann").match


def test_a_beginning_that_a_full_disk_refuses_counts_when_the_letter_comes_again(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge(net)
    post(net, "ann", "bob")
    answer(net)
    post(net, "bob", "ann")
    written = write(net, "ann")

    def refused(_match: bytes) -> Disk:
        raise LocalError(Code.DISK, "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(net["bob"].archive, "open", refused)
        with pytest.raises(LocalError):
            take(net, "bob", *written)
        net.settle()
    assert not net.status("bob").match
    take(net, "bob", *written)
    assert net.status("bob").match == net.status("ann").match

"""What a guest needs is fetched from its host, checked, and only then agreed to."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.messages.door import ChangeTable, Consent, Done, Failed, Join, StartMatch
from netplay.messages.table import Accept, Decline, Piece, Want
from netplay.record.log import terms_data
from netplay.sentences import Says
from netplay.table.chosen_options import read_chair
from netplay.table.host_terms import HostTerms
from netplay.table.resources import Kept, Kind, Shelf
from netplay.wire import pack
from rules import editions
from rules.networdz import Options
from tests.netplay.homes import FULL
from tests.netplay.joined_nodes import Bare, Net, table
from tests.netplay.party import Key


class Full(Bare):
    """A shelf on a disk without room."""

    def take_in(self, kind: Kind, digest: bytes, data: bytes, kept: Kept) -> None:
        del kind, digest, data
        kept(LocalError(Code.DISK, f"/home/bob/words: {FULL}"))


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("ann", "bob")
    one["bob"].shelf = Bare()
    one["bob"].restart(one.now)
    one.done("ann", table("networdz", "person", "remote"))
    yield one
    one.close()


def bare(net: Net) -> Bare:
    shelf = net["bob"].shelf
    assert isinstance(shelf, Bare)
    return shelf


def test_edition_and_word_list_travel_and_then_the_guest_accepts(net: Net) -> None:
    net.done("bob", Join("ann", -1))
    net.settle()
    assert len(bare(net).kept) == 2
    status = net["ann"].tables.table_status(net.now)
    assert status is not None
    assert status.seats[1].accepted
    pieces = [message for message in net["bob"].got if isinstance(message, Piece)]
    assert sum(len(piece.data) for piece in pieces) > 100_000
    net.done("ann", StartMatch())
    net.settle()


def test_who_is_here_already_is_joined_by_a_line_whose_places_nobody_answers_at() -> (
    None
):
    net = Net("ann", "bob", "cyd")
    for place, other in enumerate(("ann", "cyd")):
        net.done(other, table("numlo", "person", "remote"))
        net.link(other, "bob")
        line = f"netplay:192.168.9.{place}#{fingerprint(net[other].key)}"
        net.done("bob", Join(line, -1))
        net.settle()
        status = net[other].tables.table_status(net.now)
        assert status is not None
        assert status.seats[1].accepted
    # Who has another key is not meant, though somebody is here.
    games = len(net["bob"].tables.games(net.now))
    line = f"netplay:192.168.9.9#{fingerprint(net['bob'].key[::-1])}"
    net.done("bob", Join(line, -1))
    net.settle()
    assert len(net["bob"].tables.games(net.now)) == games


def test_who_calls_by_a_line_joins_when_the_inviter_calls_instead() -> None:
    net = Net("ann", "bob", "cyd")
    net.done("ann", table("numlo", "person", "remote"))
    line = f"netplay:192.168.9.1,dht/{'A' * 20}#{fingerprint(net['ann'].key)}"
    net.done("bob", Join(line, -1))
    net.link("cyd", "bob")  # another key: nobody is joined by that
    assert net["bob"].tables.mode(1) == "calling"
    net.link("ann", "bob")
    net.settle()
    status = net["ann"].tables.table_status(net.now)
    assert status is not None
    assert status.seats[1].accepted


def test_a_seat_of_nobody_s_is_declined_and_shown_as_nobody_s(net: Net) -> None:
    net.done("bob", Join("ann", -1))
    net.settle()
    guest = net["bob"].seen
    assert guest.proposal is not None
    proposal = guest.proposal
    first, second = proposal.terms.seats
    terms = replace(proposal.terms, seats=(first, replace(second, member=3)))
    said = list(guest.on_proposal(replace(proposal, terms=terms)))
    assert [type(answer) for answer in said] == [Decline]
    status = net["bob"].tables.table_status(net.now)
    assert status is not None
    assert status.seats[1].state == "awaited"


def test_while_it_travels_the_table_says_so(net: Net) -> None:
    net.done("bob", Join("ann", -1))
    for _ in range(12):
        net.dial()
        net.deliver()
    status = net["bob"].tables.table_status(net.now)
    assert status is not None
    assert status.waiting == Says.THE_DICTIONARY()


def test_a_fetch_goes_on_after_a_cut(net: Net) -> None:
    net.done("bob", Join("ann", -1))
    for _ in range(14):
        net.dial()
        net.deliver()
    net.cut("ann", "bob")
    net.settle()
    assert len(bare(net).kept) == 2
    total = sum(len(m.data) for m in net["bob"].got if isinstance(m, Piece))
    size = {m.digest: m.size for m in net["bob"].got if isinstance(m, Piece)}
    assert total < sum(size.values()) + 6 * 48 * 1024


def guest_with(net: Net) -> tuple[HostTerms, Any, list[Any]]:
    """Return a guest that has seen the terms, the proposal, and what it answered."""
    forming = net["ann"].forming
    forming.seat(net["bob"].key, "bob", 1)
    guest = HostTerms(net["bob"].signer, bare(net), net["ann"].key)
    proposal = forming.proposal()
    return guest, proposal, list(guest.on_proposal(proposal))


def test_a_dictionary_that_is_not_the_one_announced_is_refused(net: Net) -> None:
    guest, proposal, wants = guest_with(net)
    assert all(isinstance(want, Want) for want in wants)
    digest = proposal.terms.edition
    [other] = [net["ann"].shelf.piece(Want(bytes(32), _other_edition(), 0))]
    forged = replace(other, digest=digest)
    assert not list(guest.fetches.on_piece(forged))
    (decline,) = guest.answer_fetched()
    assert isinstance(decline, Decline)
    assert decline.code == Code.BAD_DIGEST.number
    assert not bare(net).kept


def test_a_host_is_told_of_a_full_disk_and_not_of_our_folders(net: Net) -> None:
    net["bob"].shelf = Full()
    guest, proposal, _ = guest_with(net)
    assert not list(
        guest.fetches.on_piece(Piece(bytes(32), proposal.terms.edition, 5, 0, b"hello"))
    )
    (decline,) = guest.answer_fetched()
    assert isinstance(decline, Decline)
    assert decline.reason == Code.DISK.text
    assert FULL in str(guest.refusal)


def _other_edition() -> bytes:
    return bytes.fromhex(editions.shipped()["french"])


def test_bytes_that_are_no_edition_are_refused(net: Net) -> None:
    guest, proposal, _ = guest_with(net)
    piece = Piece(bytes(32), proposal.terms.edition, 5, 0, b"hello")
    assert not list(guest.fetches.on_piece(piece))
    (decline,) = guest.answer_fetched()
    assert isinstance(decline, Decline)
    assert decline.code == Code.BAD_EDITION.number
    assert guest.refusal


def test_a_piece_that_nobody_asked_for_is_ignored(net: Net) -> None:
    guest, _, _ = guest_with(net)
    assert (
        list(guest.fetches.on_piece(Piece(bytes(32), bytes(32), 5, 0, b"hello"))) == []
    )


def test_a_declared_size_over_the_limit_is_refused(net: Net) -> None:
    guest, proposal, _ = guest_with(net)
    piece = Piece(bytes(32), proposal.terms.edition, 10**9, 0, b"x")
    with pytest.raises(PeerError) as caught:
        list(guest.fetches.on_piece(piece))
    assert caught.value.code is Code.TOO_LARGE


def test_an_older_revision_is_a_breach_and_the_same_one_is_not(net: Net) -> None:
    guest, proposal, _ = guest_with(net)
    list(guest.on_proposal(proposal))
    older = replace(proposal, revision=0)
    with pytest.raises(PeerError):
        list(guest.on_proposal(older))
    assert guest.proposal == proposal


def test_a_guest_without_a_seat_or_a_wish_answers_nothing() -> None:
    net = Net("ann", "bob")
    net.done("ann", table("networdz", "person", "remote"))
    forming = net["ann"].forming
    guest = HostTerms(Key("zoe"), Shelf(None), net["ann"].key)
    assert guest.proposal is None
    assert list(guest.answer()) == []
    assert list(guest.on_proposal(forming.proposal())) == []
    forming.seat(net["bob"].key, "bob", 1)
    assert list(guest.on_proposal(forming.proposal())) == []
    mine = HostTerms(net["bob"].signer, Shelf(None), net["ann"].key)
    mine.wanted = False
    assert list(mine.on_proposal(forming.proposal())) == []
    mine.wanted = True
    [accept] = list(mine.answer())
    assert isinstance(accept, Accept)


def test_options_that_cannot_be_played_are_declined() -> None:
    net = Net("ann", "bob")
    net.done("ann", table("networdz", "person", "remote"))
    forming = net["ann"].forming
    forming.seat(net["bob"].key, "bob", 1)
    good = forming.proposal()
    options = pack(Options(tournament=True, hints=True))
    bad = replace(good, terms=replace(good.terms, options=options))
    guest = HostTerms(net["bob"].signer, Shelf(None), net["ann"].key)
    [decline] = list(guest.on_proposal(bad))
    assert isinstance(decline, Decline)
    assert decline.code == Code.ILLEGAL_MOVE.number
    assert guest.refusal


def test_an_acceptance_is_for_the_terms_as_they_stand() -> None:
    net = Net("ann", "bob")
    net.done("ann", table("networdz", "person", "remote", "remote"))
    net.done("bob", Join("ann", 1))
    net.settle()
    forming = net["ann"].forming
    tables, key = net["ann"].tables, net["bob"].key
    tables.receive(key, Accept(forming.nonce, 0, bytes(64)), net.now)
    assert not forming.accepted
    with pytest.raises(PeerError) as caught:
        tables.receive(key, Accept(forming.nonce, forming.revision, bytes(64)), net.now)
    assert caught.value.code is Code.UNEXPECTED
    with pytest.raises(PeerError) as caught:
        tables.receive(
            b"z" * 32, Accept(forming.nonce, forming.revision, bytes(64)), net.now
        )
    assert caught.value.code is Code.NOT_A_MEMBER


def test_an_acceptance_is_signed_by_who_gives_it_and_under_these_terms() -> None:
    net = Net("ann", "bob")
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    forming, tables = net["ann"].forming, net["ann"].tables
    terms = forming.terms()
    others = replace(terms, nonce=bytes(len(terms.nonce)))
    forming.accepted.clear()
    for signature in (
        bytes(64),
        net["ann"].signer.sign(terms_data(terms)),
        net["bob"].signer.sign(terms_data(others)),
    ):
        with pytest.raises(PeerError) as caught:
            tables.receive(
                net["bob"].key,
                Accept(forming.nonce, forming.revision, signature),
                net.now,
            )
        assert caught.value.code is Code.BAD_SIGNATURE
        assert isinstance(net.ask("ann", StartMatch()), Failed)
    good = net["bob"].signer.sign(terms_data(terms))
    tables.receive(
        net["bob"].key, Accept(forming.nonce, forming.revision, good), net.now
    )
    net.done("ann", StartMatch())
    net.close()


def test_yes_and_no_to_the_terms_are_answered_by_codes() -> None:
    said: list[object] = []
    for accept in (True, False):
        net = Net("ann", "bob")
        net.done("ann", table("networdz", "person", "remote"))
        net.done("bob", Join("ann", -1))
        net.settle()
        net.done("ann", ChangeTable(table("numlo", "person", "remote")))
        net.settle()
        status = net["bob"].tables.table_status(net.now)
        assert status is not None
        answer = net.ask("bob", Consent(accept, status.revision))
        assert isinstance(answer, Done)
        said.append(answer.text)
        net.close()
    assert said == [Says.ACCEPTED(), Says.DECLINED_TERMS()]


def test_saying_no_is_kept_until_the_user_says_yes() -> None:
    net = Net("ann", "bob")
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    status = net["bob"].tables.table_status(net.now)
    assert status is not None
    net.done("bob", Consent(accept=False, revision=status.revision))
    net.settle()
    assert net["bob"].tables.mode() == "idle"


@pytest.mark.parametrize(
    ("text", "kind", "name", "skill", "address"),
    [
        ("person", "person", "", 0, ""),
        (" Person : Zoe ", "person", "Zoe", 0, ""),
        ("computer", "computer", "", 55, ""),
        ("computer:0", "computer", "", 0, ""),
        ("COMPUTER:100", "computer", "", 100, ""),
        ("computer:Beginner", "computer", "", 25, ""),
        ("remote", "remote", "", 0, ""),
        ("remote:host:7777 my cousin", "remote", "", 0, "host:7777"),
    ],
)
def test_a_seat_is_read_as_people_write_it(
    text: str, kind: str, name: str, skill: int, address: str
) -> None:
    chair = read_chair(text)
    assert (chair.kind, chair.name, chair.skill, chair.address) == (
        kind,
        name,
        skill,
        address,
    )

"""The chain of signed entries: what continues it, and what does not."""

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import ENTRY_BYTES
from netplay.messages.log import (
    Clock,
    Commit,
    Entry,
    Face,
    Fork,
    Genesis,
    Hand,
    Open,
    Term,
    Ticks,
    Turn,
)
from netplay.messages.table import Member
from netplay.messages.types import BODY_BYTES
from netplay.record.chance import ZERO
from netplay.record.clocks import quorum
from netplay.record.fold import Fold
from netplay.record.ledger import Ledger, make_genesis, read_terms
from netplay.record.log import (
    VOUCHED,
    Log,
    Signed,
    author_data,
    check_signature,
    entry_data,
    match_of,
    read_body,
    read_entry,
    sealed,
    terms_data,
)
from netplay.record.playable import playable
from netplay.record.store import MatchFile, MemoryDisk
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from tests.netplay.match.matches import entered
from tests.netplay.match.test_hostile_hosts import refused_by_peer
from tests.netplay.party import Key, Party, make_terms

SMALL = GAMES["numlo"].ABOUT.options(size=8, values=False)
KEYS = [Key("ann"), Key("bob")]
TERMS = make_terms("numlo", KEYS, SMALL)


def genesis(terms: Any = TERMS, keys: list[Key] = KEYS) -> bytes:
    return make_genesis(keys[0], terms, [key.sign(terms_data(terms)) for key in keys])


def fresh() -> Ledger:
    return Ledger(MemoryDisk(), (genesis(),))


def entry(ledger: Ledger, body: Any, author: int = 0, **more: Any) -> bytes:
    """Return the next entry; `more` replaces fields after both signatures."""
    log, key = ledger.log, KEYS[author]
    raw = pack(body)
    own = more.pop("own", log.own(key.key))
    sign = key.sign(author_data(log.match, own, raw))
    term = more.pop("new_term", None)
    line = log.compose(KEYS[0], Signed(key.key, own, raw, sign), 0, term)
    return pack(replace(line.entry, **more))


def signed_again(ledger: Ledger, raw: bytes, **more: Any) -> bytes:
    """Return an entry changed and signed by the host again."""
    changed = replace(read_entry(raw), **more)
    sign = KEYS[0].sign(entry_data(ledger.log.match, sealed(changed)))
    return pack(replace(changed, host_signature=sign))


def code_of(ledger: Ledger, raw: bytes) -> Code:
    number = len(ledger.log)
    with pytest.raises(PeerError) as caught:
        ledger.accept(raw)
    assert len(ledger.log) == ledger.fold.number == number
    return caught.value.code


COMMIT = Commit(0, bytes(32))


def test_a_good_entry_continues_the_log() -> None:
    ledger = fresh()
    ledger.accept(entry(ledger, COMMIT))
    assert len(ledger.log) == 2
    assert ledger.log.own(KEYS[0].key) == 2
    assert ledger.log.own(KEYS[1].key) == 0
    assert ledger.log.own(b"x" * 32) == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"number": 7}, Code.BAD_LOG),
        ({"prev": ZERO}, Code.BAD_LOG),
        ({"own": 3}, Code.BAD_LOG),
        ({"term": 1}, Code.TERM),
        ({"author": b"x" * 32}, Code.BAD_LOG),
        ({"author_signature": bytes(64)}, Code.BAD_SIGNATURE),
    ],
)
def test_an_entry_changed_by_its_host_is_refused(
    change: dict[str, Any], code: Code
) -> None:
    ledger = fresh()
    raw = signed_again(ledger, entry(ledger, COMMIT), **change)
    assert code_of(ledger, raw) is code


def test_an_entry_changed_after_the_host_signed_is_refused() -> None:
    ledger = fresh()
    for change in ({"at": 5}, {"host_signature": bytes(64)}):
        raw = entry(ledger, COMMIT, **change)
        assert code_of(ledger, raw) is Code.BAD_SIGNATURE


def test_a_signature_of_ones_own_is_known_when_it_comes_back_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = fresh().log
    shown: list[bytes] = []
    whole = check_signature

    def verify(key: bytes, signature: bytes, data: bytes) -> None:
        shown.append(signature)
        whole(key, signature, data)

    monkeypatch.setattr("netplay.record.log.check_signature", verify)
    signed = signed_body(log, 1)
    other = signed_body(log, 2)
    log.vouch(signed, read_body(signed.body))
    log.vouch(other, read_body(other.body))
    log.check_author(signed)
    log.check_author(other)
    assert not shown
    log.check_author(signed)
    assert shown == [signed.signature]


def test_only_so_many_signatures_of_ones_own_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = fresh().log
    bodies = [signed_body(log, own) for own in range(VOUCHED + 1)]
    for signed in bodies:
        log.vouch(signed, read_body(signed.body))
    monkeypatch.setattr("netplay.record.log.check_signature", refuse)
    log.check_author(bodies[-1])
    with pytest.raises(PeerError):
        log.check_author(bodies[0])


def refuse(*_: bytes) -> None:
    raise PeerError(Code.BAD_SIGNATURE)


def signed_body(log: Log, own: int) -> Signed:
    """Return a commitment of the first member, with a number of its own."""
    body = pack(COMMIT)
    signature = KEYS[0].sign(author_data(log.match, own, body))
    return Signed(KEYS[0].key, own, body, signature)


def test_vouching_for_one_body_lets_no_other_pass() -> None:
    log = fresh().log
    body = pack(COMMIT)
    signature = KEYS[0].sign(author_data(log.match, 1, body))
    signed = Signed(KEYS[0].key, 1, body, signature)

    log.vouch(signed, read_body(signed.body))
    for changed in (
        replace(signed, signature=bytes(64)),
        replace(signed, body=body + b"x"),
        replace(signed, own=2),
    ):
        with pytest.raises(PeerError) as caught:
            log.check_author(changed)
        assert caught.value.code is Code.BAD_SIGNATURE


def test_time_does_not_run_back() -> None:
    ledger = fresh()
    ledger.accept(signed_again(ledger, entry(ledger, COMMIT), at=500))
    again = signed_again(ledger, entry(ledger, COMMIT, author=1), at=499)
    assert code_of(ledger, again) is Code.BAD_LOG


def test_a_stranger_cannot_write() -> None:
    ledger = fresh()
    stranger = Key("mallory")
    raw = pack(COMMIT)
    sign = stranger.sign(author_data(ledger.log.match, 0, raw))
    line = ledger.log.compose(KEYS[0], Signed(stranger.key, 0, raw, sign), 0)
    assert code_of(ledger, line.raw) is Code.NOT_A_MEMBER


def test_a_second_genesis_and_a_term_without_a_new_number_are_refused() -> None:
    ledger = fresh()
    assert code_of(ledger, entry(ledger, Genesis(TERMS, (bytes(64),)))) is Code.BAD_LOG
    assert code_of(ledger, entry(ledger, Term(0, ()))) is Code.TERM
    assert code_of(ledger, entry(ledger, COMMIT, new_term=2)) is Code.TERM


def test_a_log_begins_with_a_genesis() -> None:
    log = Log(match_of(TERMS), [key.key for key in KEYS], KEYS[0].key)
    raw = pack(COMMIT)
    sign = KEYS[0].sign(author_data(log.match, 0, raw))
    line = log.compose(KEYS[0], Signed(KEYS[0].key, 0, raw, sign), 0)
    with pytest.raises(PeerError):
        read_terms(line.raw)
    with pytest.raises(PeerError):
        Ledger(MemoryDisk(), (line.raw,))


def test_a_genesis_needs_everybodys_signature() -> None:
    good = [key.sign(terms_data(TERMS)) for key in KEYS]
    for signatures in (good[:1], [good[0], good[0]], good[::-1]):
        with pytest.raises(PeerError) as caught:
            Ledger(MemoryDisk(), (make_genesis(KEYS[0], TERMS, signatures),))
        assert caught.value.code is Code.BAD_SIGNATURE


def test_a_genesis_by_another_than_the_host_is_refused() -> None:
    signatures = [key.sign(terms_data(TERMS)) for key in KEYS]
    raw = make_genesis(KEYS[1], TERMS, signatures)
    with pytest.raises(PeerError):
        Ledger(MemoryDisk(), (raw,))


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"rules": 99},
        {"options": b"\xc0"},
        {"seats": TERMS.seats * 2 + TERMS.seats[:1]},
        {"members": (TERMS.members[0], Member(KEYS[0].key, "twin"))},
        {"members": TERMS.members[:1]},
        {"lexicon": bytes(32)},
        {"edition": bytes(32)},
    ],
)
def test_terms_that_cannot_be_played_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(PeerError):
        playable(replace(TERMS, **change))


def test_options_that_do_not_go_together_are_refused_at_the_start() -> None:
    crooked = GAMES["numlo"].ABOUT.options(size=8, start="othello")
    three = [*KEYS, Key("cyd")]
    with pytest.raises(PeerError) as caught:
        Fold(make_terms("numlo", three, crooked))
    assert caught.value.code is Code.ILLEGAL_MOVE


def test_an_entry_that_is_too_large_is_not_read() -> None:
    with pytest.raises(PeerError) as caught:
        read_entry(bytes(ENTRY_BYTES + 1))
    assert caught.value.code is Code.TOO_LARGE
    good = read_entry(entry(fresh(), COMMIT))
    long = pack(replace(good, body=bytes(BODY_BYTES + 1)))
    with pytest.raises(PeerError) as caught:
        read_entry(long)
    assert caught.value.code is Code.BAD_FRAME
    for hostile in (b"", b"\xc1", b"\x99" + b"\x91" * 40_000):
        with pytest.raises(PeerError):
            read_entry(hostile)
        with pytest.raises(PeerError):
            read_body(hostile)


def test_a_fork_is_two_good_entries_of_one_number_and_term() -> None:
    ledger = fresh()
    one = entry(ledger, COMMIT)
    two = signed_again(ledger, one, at=9)
    assert ledger.log.fork(one) is None
    ledger.accept(one)
    assert ledger.log.fork(one) is None
    proof = ledger.log.fork(two)
    assert proof is not None
    assert ledger.log.proves(proof)
    unsigned = pack(replace(read_entry(two), at=10))
    assert ledger.log.fork(unsigned) is None
    for pair in ((unsigned, one), (one, unsigned), (unsigned, two), (two, unsigned)):
        assert not ledger.log.proves(Fork(ledger.log.match, *pair))
    assert not ledger.log.proves(Fork(ledger.log.match, one, one))
    other = signed_again(ledger, two, term=5, prev=bytes(32))
    assert not ledger.log.proves(Fork(ledger.log.match, other, other + b""))
    for pair in ((one, other), (other, one)):
        assert not ledger.log.proves(Fork(ledger.log.match, *pair))


def test_a_fork_is_two_good_entries_behind_the_same_one_whatever_their_terms() -> None:
    ledger = fresh()
    one = entry(ledger, COMMIT)
    later = signed_again(ledger, one, term=5)
    for pair in ((one, later), (later, one)):
        assert ledger.log.proves(Fork(ledger.log.match, *pair))


# Bodies that have no place.


def test_bodies_out_of_place_are_refused() -> None:
    ledger = fresh()
    move = pack(Resign())
    for body, code in (
        (Open(1, bytes(32)), Code.UNEXPECTED),
        (Clock(ledger.fold.digest(), move), Code.STALE),
        (Ticks(0, 5, (), b""), Code.UNEXPECTED),
        (Turn(0, bytes(32), bytes(32), move + b"\0", ()), Code.BAD_FRAME),
        (Turn(3, bytes(32), bytes(32), move, ()), Code.NOT_A_MEMBER),
        (Hand(0, KEYS[1].key, "bob", ()), Code.NOT_A_MEMBER),
        (Hand(3, KEYS[1].key, "bob", ()), Code.UNEXPECTED),
        (Hand(0, KEYS[1].key, "bob", ((3, bytes(64)),)), Code.NOT_A_MEMBER),
        (Hand(0, KEYS[1].key, "bob", ((1, bytes(64)),)), Code.BAD_SIGNATURE),
    ):
        assert code_of(ledger, entry(ledger, body)) is code, body
    body = Hand(0, KEYS[1].key, "bob", ())
    assert code_of(ledger, entry(ledger, body, author=1)) is Code.UNEXPECTED


def test_a_term_must_name_a_member() -> None:
    ledger = fresh()
    assert code_of(ledger, entry(ledger, Term(3, ()), new_term=1)) is Code.UNEXPECTED


def test_tiles_are_turned_up_only_when_the_rules_ask() -> None:
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    whole = party.member(0).knows.whole
    [tile, *_] = party.member(0).fold.state.tiles.racks[0]
    proof = whole.proof(tile)
    assert proof is not None
    assert refused_by_peer(party, entered(party, Face((proof,)))) is Code.UNEXPECTED


def test_a_match_that_is_too_long_takes_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.record.ledger.MATCH_ENTRIES", 1)
    ledger = fresh()
    assert code_of(ledger, entry(ledger, COMMIT)) is Code.TOO_MANY


def test_a_ledger_that_is_synced_has_everything_on_the_disk() -> None:
    disk = MemoryDisk()
    ledger = Ledger(disk, (genesis(),))
    ledger.append(ledger.checked(entry(ledger, COMMIT)))
    assert ledger.dirty
    ledger.sync()
    assert not ledger.dirty
    assert disk.synced == len(disk.read())
    assert Ledger(MemoryDisk(disk.read())).raws(0) == ledger.raws(0)


@given(st.lists(st.one_of(st.none(), st.integers(1, 9)), max_size=9))
def test_a_file_has_what_the_log_has_however_often_it_was_cut(
    steps: list[int | None],
) -> None:
    """A number lets the log have so many entries; None writes down what it has."""
    disk, raws = MemoryDisk(), grown()
    ledger = Ledger(disk, raws[:5])
    for size in steps:
        if size is None:
            ledger.write()
            ledger.sync()
            assert MatchFile(MemoryDisk(disk.read())).entries == ledger.raws(0)
            continue
        if size < len(ledger.log):
            ledger.truncate(size)
        for raw in raws[len(ledger.log) : size]:
            ledger.accept(raw)
    ledger.sync()
    assert Ledger(MemoryDisk(disk.read())).raws(0) == ledger.raws(0)


@cache
def grown() -> tuple[bytes, ...]:
    """Return the first entries of a match."""
    party = Party("numlo", 2, SMALL)
    party.link_all()
    party.settle()
    for _ in range(4):
        party.play_one(Random(1))
        party.settle()
    return party.logs()[0][:9]


def test_a_ledger_takes_up_its_file_where_it_ends() -> None:
    disk = MemoryDisk()
    ledger = Ledger(disk, (genesis(),))
    ledger.accept(entry(ledger, COMMIT))
    again = Ledger(disk, ledger.raws(0))
    assert again.raws(0) == ledger.raws(0)
    assert again.log.head == ledger.log.head
    more = [*ledger.raws(0), entry(ledger, COMMIT, author=1)]
    assert len(Ledger(disk, more).log) == 3


def test_a_branch_is_checked_before_anything_is_dropped() -> None:
    ledger = fresh()
    ledger.accept(entry(ledger, COMMIT))
    with pytest.raises(PeerError):
        ledger.check_branch(1, (entry(fresh(), Term(0, ()), new_term=1),))
    assert len(ledger.log) == 2


def test_quorums_overlap() -> None:
    assert [quorum(n) for n in range(1, 5)] == [1, 2, 2, 3]


def test_an_entry_is_the_same_bytes_both_ways() -> None:
    raw = genesis()
    assert pack(read_entry(raw)) == raw
    assert isinstance(read_entry(raw), Entry)

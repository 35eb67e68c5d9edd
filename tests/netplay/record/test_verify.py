"""A match file checked alone: any change is found, and the place named."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from netplay.match import dealing
from netplay.messages.log import Position, Term
from netplay.record.ledger import make_genesis, read_terms
from netplay.record.log import Signed, author_data, terms_data
from netplay.record.store import frame, records, whole
from netplay.record.verify import Verdict, replay, verify
from netplay.sentences import Says
from netplay.wire import pack
from rules import GAMES, lexicon
from rules.game import Resign
from tests.netplay.match.encrypted import exchange
from tests.netplay.party import Key, Party
from tests.said import like, says
from tests.written import load

SMALL = GAMES["numlo"].ABOUT.options(size=8, values=False, start="othello")


def file_of(game: str = "numlo", members: int = 2, moves: int = 4) -> bytes:
    """Return the file of a match some moves old."""
    party = Party(game, members, SMALL if game == "numlo" else None)
    party.link_all()
    party.settle()
    for _ in range(moves):
        party.play_one(Random(1))
        party.settle()
    return party.archives[0].open(party.terms.nonce).read()


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
def test_a_match_played_to_its_end_is_good(game: str) -> None:
    party = Party(game, 2, SMALL if game == "numlo" else None)
    party.link_all()
    party.play_out(Random(2))
    verdict = verify(party.archives[1].open(party.terms.nonce).read())
    assert verdict.ok, verdict.reason
    assert verdict.game == game
    assert verdict.entries == len(party.logs()[0])
    assert verdict.moves == party.member(0).fold.moves
    assert verdict.places == tuple(party.game.places(party.member(0).fold.state))
    assert (verdict.audit, verdict.verdict, verdict.again) == ("ok", "good", ())


def test_a_match_that_goes_on_is_good_so_far() -> None:
    verdict = verify(file_of())
    assert verdict.ok
    assert verdict.verdict == "unfinished"
    assert verdict.places == ()
    assert verdict.audit == ""


def test_any_one_byte_changed_is_found_and_its_entry_named() -> None:
    data = file_of(moves=2)
    starts = [record.offset for record in records(data)]
    for at in range(len(data)):
        bad = bytearray(data)
        bad[at] ^= 0x40
        verdict = verify(bytes(bad))
        assert not verdict.ok, at
        entry = max((n for n, start in enumerate(starts) if start <= at), default=0)
        assert verdict.entries == entry
        assert says(verdict.reason, Says.IN_ENTRY, number=entry)
        offset = starts[entry] if at >= 8 else 0
        assert says(verdict.reason, Says.AT_BYTE, offset=offset)


def test_any_byte_of_an_entry_changed_with_a_fitting_checksum_is_found() -> None:
    data = file_of(moves=2)
    entries = [record.entry for record in records(data)]
    head = data[:8]
    for number, entry in enumerate(entries):
        for at in range(0, len(entry), 3):
            bad = bytearray(entry)
            bad[at] ^= 1
            forged = [*entries[:number], bytes(bad), *entries[number + 1 :]]
            verdict = verify(head + b"".join(map(frame, forged)))
            assert not verdict.ok
            assert verdict.entries == number
            assert says(verdict.reason, Says.IN_ENTRY, number=number)


def test_a_file_cut_short_within_an_entry_is_found() -> None:
    data = file_of()
    ends = {record.offset for record in records(data)} | {len(data)}
    for size in range(0, len(data), 7):
        verdict = verify(data[:size])
        assert verdict.ok == (size in ends and size > 8), size


def test_entries_out_of_order_left_out_or_doubled_are_found() -> None:
    data = file_of()
    entries = [record.entry for record in records(data)]
    for forged in (
        [entries[0], *entries[2:]],
        [*entries[:2], entries[3], entries[2]],
        [*entries, entries[-1]],
        entries[1:],
        [entries[0], *entries],
    ):
        verdict = verify(data[:8] + b"".join(map(frame, forged)))
        assert not verdict.ok
        assert verdict.reason


def test_an_empty_file_and_one_without_entries_are_no_matches() -> None:
    data = file_of()
    for nothing in (b"", data[:8], b"hello, world"):
        verdict = verify(nothing)
        assert not verdict.ok
        assert verdict.game == ""
        assert verdict.reason


def test_a_replay_gives_the_state_that_the_players_had() -> None:
    party = Party("networdz", 2)
    party.link_all()
    party.play_out(Random(4))
    fold = replay(party.logs()[0])
    assert fold.state == party.member(1).fold.state
    with pytest.raises(Exception, match=like(Says.NO_MATCH_THERE)):
        replay(())


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_random_damage_never_raises(data: st.DataObject) -> None:
    good = GOOD
    bad = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(bad) - 1))
        bad[at] = data.draw(st.integers(0, 255))
    verdict = verify(bytes(bad))
    assert verdict.ok == (bytes(bad) == good)


GOOD = file_of(moves=1)


def test_a_match_whose_dealer_keeps_its_seed_is_not_audited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dealing, "_openings", lambda *_: iter(()))
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    exchange(party)
    party.play_out(Random(2))
    verdict = verify(party.archives[1].open(party.terms.nonce).read())
    assert (verdict.verdict, verdict.ok, verdict.audit) == ("unaudited", True, "")
    assert verdict.places
    assert says(
        verdict.reason,
        Says.DRAW_NOT_PROVED,
        seeds=Says.SEED_OF(name="M0", deals="0, 1"),
    )


def test_the_seed_of_a_dealer_who_is_host_no_more_is_missed_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dealing, "_openings", lambda *_: iter(()))
    party = Party("networdz", 3)
    party.link_all()
    party.settle()
    party.crash(0)
    party.wake(1)
    party.wake(61)
    for n in (1, 2):
        party.member(n).agree(0, party.keys[1].key, "M1", party.now)
        party.settle()
    for n, seat in ((2, 2), (1, 0)):
        party.member(n).play(seat, pack(Resign()), -1, party.now)
        party.settle()
    assert party.member(1).fold.over
    verdict = verify(whole(party.member(1).ledger.raws(0)))
    assert verdict.verdict == "unaudited"
    assert says(
        verdict.reason, Says.DRAW_NOT_PROVED, seeds=Says.SEED_OF(name="M0", deals="0")
    )


def test_a_draw_that_began_again_is_named_with_its_entry() -> None:
    party = Party("networdz", 3)
    party.link_all()
    while not party.member(2).fold.rounds.get(1):
        party.deliver()
    party.crash(0)
    party.wake(1)
    party.wake(61)
    data = party.archives[1].open(party.terms.nonce).read()
    number = next(
        line.entry.number
        for line in party.member(1).ledger.log.lines
        if isinstance(line.body, Term)
    )
    found = verify(data)
    (again,) = found.again
    why = Says.BECAME_HOST(name="M1")
    assert says(again, Says.DRAWN_AGAIN, number=number, why=why)
    assert found.ok


def without_words(data: bytes, monkeypatch: pytest.MonkeyPatch) -> Verdict:
    """Check a file where its word list is not to be had."""
    monkeypatch.setattr(lexicon, "find", lambda _: {}[0])
    return verify(data)


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_what_cannot_be_checked_here_is_unknown_and_what_is_missing_is_named(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = file_of(game)
    named = next(iter(records(data))).entry
    digest = read_terms(named).lexicon.hex()
    found = without_words(data, monkeypatch)
    assert (found.verdict, found.ok) == ("unknown", None)
    assert found.reason == str(Says.LIST_MISSING(digest=digest[:8]))
    assert found.game == game
    assert found.entries == len(list(records(data)))


def test_a_changed_byte_is_found_where_the_words_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = file_of("networdz")
    at = [record.offset for record in records(data)][5] + 40
    entry = bytearray(data)
    entry[at] ^= 1
    found = without_words(bytes(entry), monkeypatch)
    assert (found.verdict, found.ok) == ("bad", False)
    assert says(found.reason, Says.IN_ENTRY, number=5)


def test_hands_and_hosts_are_followed_where_the_words_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heir = Key("heir")
    party = Party("networdz", 3)
    party.link_all()
    party.settle()
    party.crash(0)
    party.wake(1)
    party.wake(61)
    for n in (1, 2):
        party.member(n).agree(0, heir.key, "heir", party.now)
        party.settle()
    host = party.member(1)
    assert host.fold.handed == 1
    log = host.ledger.log
    own, raw = log.own(heir.key), pack(Position(log.head, host.fold.digest()))
    said = Signed(heir.key, own, raw, heir.sign(author_data(log.match, own, raw)))
    data = whole((*host.ledger.raws(0), log.compose(host.signer, said, log.at).raw))
    found = without_words(data, monkeypatch)
    assert (found.verdict, found.entries) == ("unknown", len(list(records(data))))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": 99}, "rules 99 of Numlo are missing: here are rules"),
        ({"game": "chess"}, "the game 'chess' is not known here"),
    ],
)
def test_rules_that_are_not_here_make_the_verdict_unknown(
    change: dict[str, Any], said: str
) -> None:
    party = Party("numlo", 2, SMALL)
    terms = structs.replace(party.terms, **change)
    signatures = [key.sign(terms_data(terms)) for key in party.keys]
    found = verify(whole([make_genesis(party.keys[0], terms, signatures)]))
    assert found.verdict == "unknown"
    assert said in found.reason


def test_an_encrypted_match_of_the_vectors_is_what_it_was() -> None:
    """Mixed anew for a second deal: another program has checked every proof of it."""
    vector = load("bag")["match"]
    found = verify(bytes.fromhex(vector["file"]))
    assert (found.verdict, found.reason, found.audit) == ("good", "", "ok")
    assert found.entries == vector["entries"]
    assert list(found.places) == vector["places"]

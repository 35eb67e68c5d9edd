"""The vectors of match files: good, changed, and dealt crookedly."""

from typing import Any

import pytest

from netplay.errors import Code, PeerError
from netplay.record.fold import Fold
from netplay.record.ledger import empty_log, follow, read_terms
from netplay.record.log import Log, match_of, read_entry
from netplay.record.store import records
from netplay.record.verify import verify
from netplay.wire import pack
from rules import editions
from rules.game import IllegalMoveError
from tests import second_match, second_node
from tests.written import load, sha

MATCHES = load("matches")["matches"]
CROOKED = load("matches")["crooked"]
PASSED = load("matches")["passed"]


@pytest.mark.parametrize("case", MATCHES, ids=lambda c: c["name"].split(",")[0])
def test_a_match_file_has_the_verdict_named(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["file"])
    verdict = verify(data)
    for name, value in case["verdict"].items():
        found = getattr(verdict, name)
        assert (list(found) if isinstance(found, tuple) else found) == value
    raws = [record.entry for record in records(data)]
    assert [sha(raw).hex() for raw in raws] == case["heads"]
    assert match_of(read_terms(raws[0])).hex() == case["match"]
    assert [m.key.hex() for m in read_terms(raws[0]).members] == case["members"]


def changes() -> list[Any]:
    return [
        pytest.param(match, change, id=f"{match['verdict']['game']}-{change['name']}")
        for match in MATCHES
        for change in match["changed"]
    ]


@pytest.mark.parametrize(("match", "change"), changes())
def test_a_changed_match_file_is_refused_and_the_place_is_named(
    match: dict[str, Any], change: dict[str, Any]
) -> None:
    data = bytes.fromhex(match["file"])
    start, end = change["from"], change["to"]
    changed = data[:start] + bytes.fromhex(change["with"]) + data[end:]
    verdict = verify(changed)
    assert not verdict.ok
    assert verdict.entries == change["entries"]
    if change["entries"]:
        assert f"entry {change['entries']}" in verdict.reason
    assert "byte " in verdict.reason


@pytest.mark.parametrize("case", MATCHES, ids=lambda c: c["name"].split(",")[0])
def test_a_reader_written_from_the_page_alone_agrees(case: dict[str, Any]) -> None:
    reader = second_node.Reader()
    reader.file(bytes.fromhex(case["file"]))
    assert reader.match.hex() == case["match"]
    assert reader.number == case["verdict"]["entries"]
    assert reader.head.hex() == case["heads"][-1]
    word_game = case["verdict"]["game"] == "networdz"
    assert bool(reader.roots) == word_game
    assert bool(reader.proofs) == word_game
    if 1 in reader.opened:
        edition = editions.find(reader.terms[3].hex())
        kinds = [k for k, count in enumerate(edition.counts) for _ in range(count)]
        assert reader.root(1, reader.order(1, kinds)) == reader.roots[1][1]


@pytest.mark.parametrize("match", MATCHES, ids=lambda c: c["name"].split(",")[0])
def test_a_reader_written_from_the_page_alone_refuses_changes(
    match: dict[str, Any],
) -> None:
    data = bytes.fromhex(match["file"])
    for change in match["changed"]:
        start, end = change["from"], change["to"]
        changed = data[:start] + bytes.fromhex(change["with"]) + data[end:]
        with pytest.raises(second_node.RefusedError):
            second_node.Reader().file(changed)


def replayed(match: dict[str, Any], count: int) -> tuple[Log, Fold]:
    raws = [record.entry for record in records(bytes.fromhex(match["file"]))]
    terms = read_terms(raws[0])
    log, fold = empty_log(terms), Fold(terms)
    for raw in raws[:count]:
        follow(log, fold, log.checked(raw, fold.host_after))
    return log, fold


@pytest.mark.parametrize("match", MATCHES, ids=lambda c: c["name"].split(",")[0])
def test_an_entry_that_does_not_follow_is_refused_with_its_code(
    match: dict[str, Any],
) -> None:
    found: dict[str, str] = {}
    at: dict[int, tuple[Log, Fold]] = {}
    for wrong in match["wrong"]:
        after = wrong["after"]
        if after not in at:
            at[after] = replayed(match, after)
        log, fold = at[after]
        before = pack(fold.state), fold.number, len(log), log.head
        try:
            follow(
                log, fold, log.checked(bytes.fromhex(wrong["entry"]), fold.host_after)
            )
        except PeerError as error:
            found[wrong["name"]] = error.code.name
        except IllegalMoveError:
            found[wrong["name"]] = Code.ILLEGAL_MOVE.name
        assert (pack(fold.state), fold.number, len(log), log.head) == before
    assert found == {wrong["name"]: wrong["error"] for wrong in match["wrong"]}


@pytest.mark.parametrize("case", CROOKED, ids=lambda c: c["name"].split(",")[0])
def test_a_crooked_dealer_is_named_by_the_audit(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["file"])
    verdict = verify(data)
    assert not verdict.ok
    assert verdict.entries == case["entries"]
    assert verdict.reason == case["reason"]
    assert "audit" in verdict.reason
    reader = second_node.Reader()
    reader.file(data)
    counts = editions.find(reader.terms[3].hex()).counts
    kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
    assert reader.root(1, reader.order(1, kinds)) != reader.roots[1][1]


def test_one_of_two_has_handed_the_others_seat_on() -> None:
    data = bytes.fromhex(PASSED["file"])
    verdict = verify(data)
    assert (verdict.ok, verdict.entries) == (True, PASSED["entries"])
    assert len(verdict.passed) == 1
    log, fold = replayed(PASSED, PASSED["entries"])
    assert fold.holders[PASSED["seat"]].hex() == PASSED["heir"]
    assert len(log) == PASSED["entries"]

    early = PASSED["before"]
    log, fold = replayed(PASSED, early["after"])
    with pytest.raises(PeerError) as caught:
        follow(log, fold, log.checked(bytes.fromhex(early["entry"]), fold.host_after))
    assert caught.value.code.name == early["error"]


def test_a_reader_written_from_the_page_alone_lets_one_of_two_hand_a_seat_on() -> None:
    reader = second_match.Match(lambda *_: (None, None))
    reader.file(bytes.fromhex(PASSED["file"]))
    assert reader.number == PASSED["entries"]
    assert reader.holders[PASSED["seat"]].hex() == PASSED["heir"]
    assert reader.host == reader.members[1 - PASSED["seat"]]

    early = PASSED["before"]
    reader = second_match.Match(lambda *_: (None, None))
    for record in list(records(bytes.fromhex(PASSED["file"])))[: early["after"]]:
        reader.entry(record.entry)
    with pytest.raises(second_node.RefusedError, match="waits"):
        reader.entry(bytes.fromhex(early["entry"]))


def test_entries_of_the_vectors_are_canonical() -> None:
    for match in MATCHES:
        for record in records(bytes.fromhex(match["file"])):
            assert pack(read_entry(record.entry)) == record.entry


def test_a_reader_with_rules_of_its_own_lets_a_turn_lapse() -> None:
    (case,) = (case for case in MATCHES if "lapses" in case["name"])
    reader = second_match.Match(lambda *_: (None, None))
    reader.file(bytes.fromhex(case["file"]))
    assert reader.resigned
    assert sum(reader.lapses) == 1
    assert reader.game.waits_for() == set()
    assert tuple(reader.game.places()) == tuple(case["verdict"]["places"])


def test_a_reader_with_rules_of_its_own_takes_a_turn_back() -> None:
    (case,) = (case for case in MATCHES if "taken" in case["name"])
    reader = second_match.Match(lambda *_: (None, None))
    reader.file(bytes.fromhex(case["file"]))
    assert (reader.ended, reader.off) == ("draw", [1])
    assert sum(actor >= 0 for actor, _move in reader.happened) == 3  # of five turns
    assert reader.agreed > 6
    assert case["verdict"]["places"] == [1, 1]

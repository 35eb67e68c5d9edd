"""A match of each game that ends by itself, folded by us and by the second rules."""

import hashlib
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import pytest

from netplay.record.verify import verify
from rules import editions, lexicon
from tests.second_match import Match
from tests.second_node import records
from tests.written import load
from tools.protocol import numbering, tables

CASES = load("games")


def resources(edition: bytes, words: bytes) -> tuple[Any, Any]:
    """Return a shipped edition and word list as plain values."""
    content = editions.encode(editions.find(edition.hex())) if edition else b""
    return given(content, words)


def given(content: bytes, words: bytes) -> tuple[Any, Any]:
    """Return an edition as it travels, and a shipped word list, as plain values."""
    named = Plain(msgpack.unpackb(content)) if content else None
    return named, lexicon.find(words.hex()).has if words else None


class Plain:
    """What appendix C asks of an edition, out of the array of section 10."""

    def __init__(self, fields: list[Any]) -> None:
        self.longest, self.rack, self.bingo = fields[4:7]
        self.kinds, self.board, self.start = fields[7:10]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["game"])
def test_a_vector_holds_the_edition_that_its_match_was_played_with(
    case: dict[str, Any],
) -> None:
    content = bytes.fromhex(case["edition"])

    assert bool(content) == (case["game"] == "networdz")
    if content:
        assert hashlib.sha256(content).hexdigest() in case["file"]


def test_there_is_a_match_of_each_game() -> None:
    assert [case["game"] for case in CASES] == [
        "networdz",
        "networdz",
        "lhexicon",
        "numlo",
        "hexagrams",
        "hexcolumns",
        "hexcolumns",
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["game"])
def test_a_match_that_ends_by_itself_is_verified(case: dict[str, Any]) -> None:
    verdict = verify(bytes.fromhex(case["file"]))
    assert (verdict.ok, verdict.audit) == (True, "ok")
    assert list(verdict.places) == case["places"]
    moves = [move for step in case["steps"] for _, move in step["moves"]]
    assert ["resign"] not in moves
    assert case["steps"][-1]["actors"] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["game"])
def test_rules_written_from_the_page_alone_come_to_equal_states(
    case: dict[str, Any],
) -> None:
    content = bytes.fromhex(case["edition"])

    def own(edition: bytes, words: bytes) -> tuple[Any, Any]:
        assert edition == (hashlib.sha256(content).digest() if content else b"")
        return given(content, words)

    match = Match(own)
    steps = {step["entry"]: step for step in case["steps"]}
    for number, raw in enumerate(records(bytes.fromhex(case["file"]))):
        match.happened = []
        match.entry(raw)
        if number in steps:
            step = steps[number]
            assert match.happened == step["moves"], number
            assert sorted(match.game.waits_for()) == step["actors"], number
            assert match.game.scores == step["scores"], number
        else:
            assert match.happened == [], number
    assert match.agreed
    assert match.game.end() == case["end"]
    assert match.game.places() == case["places"]


@pytest.mark.parametrize("name", list(numbering.TABLES))
def test_every_table_of_numbers_stands_in_the_page(name: str) -> None:
    assert f"numbers {name}" in tables.names(tables.PAGE.read_text("utf-8"))


def test_the_matches_have_what_is_easily_got_wrong() -> None:
    """Each rule that appendix C tells with care is met in at least one match."""
    played = [
        (case["game"], [move for step in case["steps"] for _, move in step["moves"]])
        for case in CASES
    ]
    moves = dict(reversed(played))  # the first match of each game
    networdz = moves["networdz"]
    challenged = {move[0] for move in played[1][1]}
    assert challenged >= {"lay", "challenge", "accept"}
    assert any(move[0] == "pass" and move[1] for move in networdz)
    assert any(move[0] == "show" for move in networdz)
    assert CASES[0]["end"]["tally"]
    tags = {move[0] for move in moves["lhexicon"]}
    assert tags >= {"lay", "accept", "challenge", "withdraw", "insist"}
    assert tags >= {"discard", "pass"}
    assert {move[0] for move in moves["numlo"]} == {"disc", "value", "first", "place"}
    assert {move[0] for move in moves["hexagrams"]} == {"triad", "hexad"}
    inputs = {move[0] for move in moves["hexcolumns"]}
    assert inputs >= {"gem", "slant", "rotate", "drop", "lower", "radar", "faster"}
    *_, plain, attacks = CASES
    scores, wells = plain["steps"][-1]["scores"], plain["end"]["wells"]
    assert max(scores) > 5 * max(pieces for *_, pieces, _, _ in wells)
    assert "rise" in {move[0] for move in played[-1][1]}
    assert all(taken for *_, taken in attacks["end"]["wells"])

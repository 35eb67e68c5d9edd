"""The vectors of public positions, and the formulas of their digests."""

from typing import Any

import pytest

from tests.written import load, sha, tag, u64

POSITIONS = load("positions")


@pytest.mark.parametrize("case", POSITIONS["positions"], ids=lambda c: c["game"])
def test_a_position_has_the_digest_named(case: dict[str, Any]) -> None:
    match, position = bytes.fromhex(case["match"]), bytes.fromhex(case["position"])
    assert sha(tag("state"), match, position).hex() == case["digest"]


@pytest.mark.parametrize("case", POSITIONS["wells"], ids=lambda c: f"seat {c['seat']}")
def test_a_well_has_the_digest_named(case: dict[str, Any]) -> None:
    match, position = bytes.fromhex(case["match"]), bytes.fromhex(case["position"])
    data = tag("well") + match + u64(case["seat"]) + position
    assert sha(data).hex() == case["digest"]


def test_every_game_has_a_position_of_its_own() -> None:
    games = {case["game"] for case in POSITIONS["positions"]}
    assert games == {"networdz", "lhexicon", "numlo", "hexagrams", "hexcolumns"}

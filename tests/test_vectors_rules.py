"""The vectors of single rules: the page names the error where it says the rule."""

import re
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import pytest

from netplay.errors import Code, PeerError
from netplay.messages.table import Terms
from netplay.record.fold import Fold
from netplay.record.ledger import empty_log, follow, read_terms
from netplay.record.log import Log
from netplay.record.playable import playable
from netplay.record.store import records
from netplay.wire import unpack
from tests import second_bag, second_node
from tests.written import load
from tools.protocol import tables

TERMS = load("terms")
LEAVING = load("bag")["leaving"]
PAGE = tables.PAGE.read_text("utf-8")
OPEN, POSITION, WISH, RESPONSE = 7, 11, 18, 19


def bodies(case: dict[str, Any]) -> list[Any]:
    """Return the bodies of a match file, by a second program's reader."""
    raws = second_node.records(bytes.fromhex(case["file"]))
    return [msgpack.unpackb(msgpack.unpackb(raw)[6], raw=False) for raw in raws]


def text_of(rule: str) -> str:
    """Return what the page says of a rule, up to the next one or the next title."""
    start = PAGE.index(f"**[{rule}]**")
    end = re.search(r"\*\*\[[A-Z]+[0-9]+\]\*\*|^#", PAGE[start + 9 :], re.MULTILINE)
    assert end is not None
    return PAGE[start : start + 9 + end.start()]


@pytest.mark.parametrize(
    "case", TERMS, ids=lambda case: f"{case['game']} {case['name']}"
)
def test_options_that_exclude_each_other_are_refused_and_others_are_not(
    case: dict[str, Any],
) -> None:
    terms: Terms = unpack(bytes.fromhex(case["terms"]), Terms)
    if not case["error"]:
        playable(terms).start()
        return
    with pytest.raises(PeerError) as caught:
        playable(terms).start()
    assert caught.value.code is Code[case["error"]]


def test_every_row_of_the_page_has_terms_that_are_refused() -> None:
    table = PAGE.split("<!-- table: exclusions -->")[1].split("<!-- end -->")[0]
    rows = [
        [cell.strip() for cell in line.strip("| ").split(" | ")]
        for line in table.strip().splitlines()[2:]
    ]
    assert len(rows) > 5
    refused = [(each["game"], each["name"]) for each in TERMS if each["error"]]
    for game, setting, _needs in rows:
        found = [
            n for g, n in refused if g == game.strip("`") and n.startswith(setting)
        ]
        assert found, (game, setting)


def before(case: dict[str, Any], count: int) -> tuple[Log, Fold]:
    raws = [record.entry for record in records(bytes.fromhex(case["file"]))]
    terms = read_terms(raws[0])
    log, fold = empty_log(terms), Fold(terms)
    for raw in raws[:count]:
        follow(log, fold, log.checked(raw, fold.host_after))
    return log, fold


def test_who_leaves_a_bag_opens_with_the_epoch_that_its_leaving_has_begun() -> None:
    said = bodies(LEAVING)[LEAVING["entry"]]
    assert said == [OPEN, LEAVING["epoch"], bytes.fromhex(LEAVING["mask"])]
    assert said[1] == 1, "nobody has left before"
    masks = [body for body in bodies(LEAVING) if body[0] == 12]
    secret = int.from_bytes(said[2], "little")
    point = second_bag.encode(second_bag.mul(secret, second_bag.G))
    assert point in [mask[1] for mask in masks]


@pytest.mark.parametrize("wrong", LEAVING["wrong"], ids=lambda wrong: wrong["name"])
def test_an_open_of_another_epoch_or_mask_is_refused(wrong: dict[str, Any]) -> None:
    log, fold = before(LEAVING, LEAVING["entry"])
    with pytest.raises(PeerError) as caught:
        follow(log, fold, log.checked(bytes.fromhex(wrong["entry"]), fold.host_after))
    assert caught.value.code is Code[wrong["error"]]


@pytest.mark.parametrize("how", ["a draw", "stopped by agreement"])
def test_every_elector_says_its_position_after_an_agreed_end(how: str) -> None:
    (case,) = (each for each in load("matches")["matches"] if how in each["name"])
    said = bodies(case)
    assert [body[0] for body in said[-4:]] == [WISH, RESPONSE, POSITION, POSITION]
    assert said[-1][2] == said[-2][2], "the state; each names the head it saw"


def test_the_page_names_an_error_where_it_says_the_rule() -> None:
    expected = {(case["rule"], case["error"]) for case in TERMS if case["error"]}
    expected |= {(LEAVING["rule"], wrong["error"]) for wrong in LEAVING["wrong"]}
    assert len(expected) == 3
    for rule, error in expected:
        assert error in text_of(rule), rule


def test_every_error_that_a_vector_expects_stands_in_a_section_with_rules() -> None:
    files = ("messages", "bodies", "matches", "letters", "bag", "terms", "frames")
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    ruled = "".join(part for part in sections if re.search(r"\*\*\[[A-Z]", part))
    for code in set().union(*(errors(load(name)) for name in files)):
        assert re.search(rf"\b{code}\b", ruled), code


def errors(tree: Any) -> set[str]:
    """Return all that stands under "error" in a tree."""
    if isinstance(tree, list):
        return set[str]().union(*map(errors, tree))
    if not isinstance(tree, dict):
        return set()
    found = tree.get("error")
    own = {found} if isinstance(found, str) and found else set[str]()
    return own.union(*map(errors, tree.values()))

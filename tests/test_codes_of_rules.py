"""Each error code stands in the rule that demands it, and is demanded somewhere.

What is said of it in protocol.md is held against the vectors of entries that must be
refused, and against the tests that appendix B names for each rule.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from netplay.errors import Code, PeerError
from netplay.record.log import read_body, read_entry
from tools.protocol import tables

PAGE: Final = tables.PAGE.read_text("utf-8")
TESTS: Final = tables.ROOT / "tests"
LABEL: Final = r"[A-Z]\d+"
CODES: Final = frozenset(code.name for code in Code)
WORD: Final = re.compile(r"\b[A-Z][A-Z_]{2,}\b")
MATCHES: Final = json.loads((TESTS / "vectors" / "matches.json").read_text("utf-8"))

EXCUSED: Final[Mapping[str, frozenset[str]]] = {
    label: frozenset(codes.split())
    for label, codes in {
        # Tests at links and tables look at the words that players are told.
        "I3": "WRONG_KEY", "I4": "KEY_IN_USE",
        "T9": "DECLINED", "T11": "KEY_IN_USE",
        "L9": "BUSY KEY_IN_USE", "G6": "NO_ANSWER", "G10": "DISK",
        "S10": "TABLE_FULL",
        # Nothing that is due by the clock is against the rules of any game so far.
        "E7": "ILLEGAL_MOVE",
    }.items()
}  # fmt: skip

ROUND: Final = {"Commit", "Seed", "Root", "Open"}
"""Bodies whose codes stand in a table of states, which is tried cell by cell."""


def codes_in(text: str) -> set[str]:
    return set(WORD.findall(text)) & CODES


@cache
def rules() -> dict[str, str]:
    """Return label -> what the page says from it to the next label or heading."""
    parts = re.split(rf"\*\*\[({LABEL})\]\*\*", PAGE.partition("## Appendix B")[0])
    return {
        label: re.split(r"\n#+ |\n<!-- table", text)[0]
        for label, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def first_of(label: str) -> str:
    """Return a rule's own paragraph, or its point of a list."""
    return re.split(r"\n- |\n\n|\n\|", rules()[label])[0]


@cache
def named() -> dict[str, list[str]]:
    """Return label -> the tests that appendix B names for it."""
    rows = re.findall(
        rf"^\| ({LABEL}) \| (.*) \|$", PAGE.partition("## Appendix B")[2], re.MULTILINE
    )
    return {label: re.findall(r"`(test_\w+)`", text) for label, text in rows}


@cache
def rules_of_bodies() -> dict[str, str]:
    """Return kind of body -> all that the page's order of checks names for it."""
    row = re.search(r"^\| a body \| (.*) \|$", PAGE, re.MULTILINE)
    assert row is not None
    found: dict[str, str] = {}
    for kinds, text in re.findall(r"((?:[A-Z]\w+, )*[A-Z][a-z]+): ([^.;]*)", row[1]):
        said = text + "".join(rules()[one] for one in re.findall(LABEL, text))
        found.update((kind, said) for kind in kinds.split(", "))
    return found


def refused() -> dict[str, dict[str, str]]:
    """Return kind of body, or "" for the entry -> code -> an entry that is refused."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for match in MATCHES["matches"]:
        for wrong in match["wrong"]:
            try:
                raw = bytes.fromhex(wrong["entry"])
                kind = type(read_body(read_entry(raw).body)).__name__
            except PeerError:
                kind = ""
            about_body = re.search(rf"\b{kind}[,:] ", wrong["name"]) is not None
            found[kind if kind and about_body else ""][wrong["error"]] = wrong["name"]
    return found


@cache
def by_rule() -> dict[str, set[str]]:
    """Return label -> the codes of all vectors that name it."""
    found: dict[str, set[str]] = defaultdict(set)

    def look(tree: Any, label: str) -> None:
        if isinstance(tree, list):
            for each in tree:
                look(each, label)
        elif isinstance(tree, dict):
            label = tree.get("rule", label)
            found[label] |= codes_in(str(tree.get("error")))
            for each in tree.values():
                look(each, label)

    for path in (TESTS / "vectors").glob("*.json"):
        look(json.loads(path.read_text("utf-8")), "")
    return found


class Source:
    """The tests and helpers of one file, as they stand there."""

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text("utf-8"))
        self.named: dict[str, ast.stmt] = {}
        for node in tree.body:
            for name in _names(node):
                self.named[name] = node

    def codes(self, name: str, seen: set[str]) -> set[str]:
        """Return the codes in a test, and in what it uses of its own file."""
        seen.add(name)
        text = ast.unparse(self.named[name])
        found = codes_in(text)
        for word in set(re.findall(r"\b\w+\b", text)) & self.named.keys() - seen:
            found |= self.codes(word, seen)
        return found


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            return [name]
        case (
            ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name))
        ):
            return [name]
        case _:
            return []


@cache
def demanded() -> dict[str, set[str]]:
    """Return test that appendix B names -> the codes that stand in it."""
    wanted = {test for tests in named().values() for test in tests}
    found: dict[str, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        source = Source(path)
        for name in source.named.keys() & wanted:
            found[name] = source.codes(name, set())
    return found


@pytest.mark.parametrize("kind", sorted(refused()))
def test_an_entry_is_refused_with_a_code_that_stands_in_the_rule_for_it(
    kind: str,
) -> None:
    said = rules_of_bodies()[kind] if kind else rules()["E1"] + rules()["E4"]
    allowed = codes_in(said)
    if kind in ROUND:
        allowed |= {"UNEXPECTED", "BAD_PROOF"}
    assert {c: name for c, name in refused()[kind].items() if c not in allowed} == {}


@pytest.mark.parametrize("label", [one for one in rules() if codes_in(first_of(one))])
def test_each_code_in_a_rule_is_demanded_by_a_vector_or_a_test_of_it(
    label: str,
) -> None:
    found = set(EXCUSED.get(label, frozenset()) | by_rule().get(label, set()))
    for test in named().get(label, []):
        found |= demanded()[test]
    for kind, codes in refused().items():
        mine = rules()[label] in rules_of_bodies().get(kind, "")
        if mine or (not kind and label in {"E1", "E4"}):
            found |= codes.keys()
    assert codes_in(first_of(label)) - found == set()


def test_no_code_is_excused_that_a_test_demands() -> None:
    for label, codes in EXCUSED.items():
        assert set(codes) <= codes_in(first_of(label)), label
        for test in named()[label]:
            assert demanded()[test].isdisjoint(codes), (label, test)

"""protocol.md says what the code does: tables, names, numbers, tests."""

import hashlib
import itertools
import re
from collections import Counter
from functools import cache
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from netplay import limits, wire
from netplay.errors import Code, PeerError
from netplay.messages.log import Commit, Open, Root, Seed
from netplay.peering import identity, link
from netplay.peering.address import PORT
from netplay.record import store
from netplay.record.chance import Rounds, commitment, tag
from rules import GAMES
from rules.lexicon import graph
from tests.netplay.party import Key
from tools.protocol import tables

PAGE = tables.PAGE.read_text("utf-8")
LABEL = r"[A-Z]\d+"


def section(number: str) -> str:
    """Return a numbered section of the page."""
    found = re.search(rf"^## {number} .*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, number
    return found[0]


def appendix(letter: str) -> str:
    return section(f"Appendix {letter}:".removesuffix(":") + ":")


@cache
def known_tests() -> frozenset[str]:
    """Return the names of all tests there are."""
    found: set[str] = set()
    for path in (tables.ROOT / "tests").rglob("*.py"):
        found |= set(re.findall(r"def (test_\w+)\(", path.read_text("utf-8")))
    return frozenset(found)


def test_every_table_is_the_one_that_the_code_gives() -> None:
    assert tables.fill(PAGE) == PAGE


@pytest.mark.parametrize("kind", wire.KINDS.values(), ids=lambda k: k.__name__)
def test_every_message_has_a_table_and_a_heading(kind: type) -> None:
    name = kind.__name__
    assert f"message {name}" in tables.names(PAGE)
    assert re.search(rf"^### .*\b{name}\b", PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", tables.bodies())
def test_every_body_has_a_table_and_a_heading(name: str) -> None:
    assert f"body {name}" in tables.names(PAGE)
    assert f"\n#### {name}\n" in PAGE


PLAIN = {"int", "bin", "str", "bool", "array", "nil", "Any"}
"""Types that the section of encoding explains."""


def test_every_type_that_a_field_names_is_in_a_table() -> None:
    known = {name.split()[1] for name in tables.names(PAGE) if " " in name}
    known |= set(re.findall(r"^\| `(\w+)`", tables.table("types"), re.MULTILINE))
    for name, message in tables.messages().items():
        for field in message.fields:
            words = re.sub(r'"[^"]*"|`[^`]*`', "", field.type)
            named = set(re.findall(r"\b[A-Z]\w+", words)) - PLAIN
            assert named <= known, (name, field.name, named - known)


def test_a_choice_between_numbers_is_one_of_integers_in_the_page() -> None:
    assert "| `Days` | 0 or 1 or 2 or 3 or 5 or 7 or 14 |" in PAGE


@pytest.mark.parametrize(
    ("game", "option", "partner"),
    [
        ("networdz", "`american` true", "`tournament` true"),
        ("networdz", "`hints` true", "`tournament` false"),
        ("networdz", "`timed` above 0", "`tournament` false"),
        ("networdz", "`tournament` true", "`show_racks` false"),
        ("numlo", '`start` "othello"', "`seats` 2"),
        ("numlo", "`seats` 3", '`start` "latin" or "scatter"'),
    ],
)
def test_options_that_exclude_each_other_stand_in_the_page(
    game: str, option: str, partner: str
) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
    assert any(r[:2] == (game, option) and partner in r[2] for r in rows)


def test_no_two_options_are_refused_together_without_a_row_in_the_page() -> None:
    """Every two-valued option of each game, tried by the game itself at two seats."""
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` .+? \| (.+?) \|$", PAGE, re.MULTILINE)
    for name, game in GAMES.items():
        about = game.ABOUT
        fields = msgspec.structs.fields(about.options)
        flags = [f.name for f in fields if f.type is bool]
        for one, other in itertools.combinations(flags, 2):
            try:
                game.start(2, about.options(**{one: True, other: True}))
            except ValueError:
                told = {(g, o) for g, o, _ in rows}
                assert (name, one) in told or (name, other) in told


def test_a_carried_message_is_as_long_in_the_page_as_on_the_wire() -> None:
    table = tables.table("message Carried")
    assert "bin of 0 to 62000 bytes" in table


def test_no_size_of_a_message_has_two_values() -> None:
    found: dict[str, set[int]] = {}
    for path in sorted(tables.MESSAGES.glob("*.py")):
        for line in path.read_text("utf-8").splitlines():
            if named := re.match(r"([A-Z_]+)(?:: Final)? = ([\d_]+)$", line):
                found.setdefault(named[1], set()).add(int(named[2]))
    assert {name for name, values in found.items() if len(values) > 1} == set()


def test_every_struct_that_travels_has_a_table() -> None:
    drawn = {name.split()[1] for name in tables.names(PAGE) if " " in name}
    assert drawn >= tables.messages().keys()


@pytest.mark.parametrize("code", Code, ids=lambda c: c.name)
def test_every_error_is_registered_in_the_page(code: Code) -> None:
    assert f"| {code.number} | `{code.name}` | {code.text} |" in section("20")


@pytest.mark.parametrize("name", [n for n in vars(limits) if n.isupper()])
def test_every_limit_stands_in_the_page_with_a_reason(name: str) -> None:
    row = re.search(rf"^\| `{name}` \| (.*?) \| (.+) \|$", section("19"), re.MULTILINE)
    assert row is not None
    assert row[1] == str(getattr(limits, name))
    assert len(row[2]) > 10


def test_the_limits_of_the_wire_and_those_of_each_node_stand_apart() -> None:
    wire_table, own = (
        set(re.findall(r"^\| `(\w+)`", tables.table(name), re.MULTILINE))
        for name in ("limits wire", "limits own")
    )
    assert wire_table == tables.AGREED
    assert wire_table.isdisjoint(own)
    assert wire_table | own == {name for name in vars(limits) if name.isupper()}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_moves_in_the_page(name: str) -> None:
    assert f"game {name}" in tables.names(PAGE)


def test_every_state_of_a_link_is_explained_or_drawn() -> None:
    text = section("8")
    for each in (*link.State, *link.Trigger):
        assert each.name in text


def test_the_open_authority_in_the_page_is_the_one_in_the_code() -> None:
    assert identity.OPEN_CA_CERTIFICATE.strip() in PAGE
    assert identity.OPEN_CA_KEY.hex() in PAGE
    pem = re.search(r"-----BEGIN PRIVATE KEY-----.*?KEY-----", PAGE, re.DOTALL)
    assert pem is not None
    key = serialization.load_pem_private_key(pem[0].encode(), password=None)
    assert isinstance(key, Ed25519PrivateKey)
    assert key.private_bytes_raw() == identity.OPEN_CA_KEY


def test_names_and_numbers_in_the_prose_are_those_of_the_code() -> None:
    assert f"`{identity.ALPN}`" in section("6")
    assert f"port {PORT} " in section("6")
    assert f"`{tag('author').hex(' ')}`" in section("2")
    assert '"NPMATCH" and 01' in section("18")
    assert store.MAGIC == b"NPMATCH\x01"
    assert '"NPWORDS" and 01' in section("10")
    assert graph.MAGIC == b"NPWORDS\x01"
    assert f"{limits.HANDSHAKE_FRAME_BYTES:,} bytes until the link" in section("7")
    assert f"{limits.FRAME_BYTES:,} after" in section("7")


def test_every_tag_that_the_code_hashes_or_signs_is_in_the_page() -> None:
    used: set[str] = set()
    for path in (tables.ROOT / "netplay").rglob("*.py"):
        used |= set(re.findall(r'\btag\("(\w+)"\)', path.read_text("utf-8")))
    assert used == set(re.findall(r'tag\("(\w+)"\)', PAGE))


def test_every_must_has_a_label_of_its_own() -> None:
    labels = Counter(re.findall(rf"\*\*\[({LABEL})\]\*\*", PAGE))
    assert {label for label, count in labels.items() if count > 1} == set()
    for paragraph in re.split(r"\n(?=- |\n)", PAGE):
        if re.search(r"\bMUST\b", paragraph) and "RFC 2119" not in paragraph:
            assert re.search(rf"\[{LABEL}\]|Each MUST", paragraph), paragraph


def test_every_requirement_is_listed_with_its_tests() -> None:
    labels = dict.fromkeys(re.findall(rf"\*\*\[({LABEL})\]\*\*", PAGE))
    listed = re.findall(rf"^\| ({LABEL}) \|", appendix("B"), re.MULTILINE)
    untested = re.findall(LABEL, appendix("B").partition("Not tested")[2])
    assert sorted([*listed, *untested]) == sorted(labels)
    assert set(listed).isdisjoint(untested)


def test_every_requirement_is_needed_by_a_guest_or_said_to_be_optional() -> None:
    checklist = section("23").partition("### Order of checks")[0]
    for letter, first, last in re.findall(r"\b([A-Z])(\d+) to \1(\d+)\b", checklist):
        between = range(int(first), int(last) + 1)
        checklist += "".join(f" {letter}{number}" for number in between)
    labels = set(re.findall(rf"\*\*\[({LABEL})\]\*\*", PAGE))
    assert labels - set(re.findall(rf"\b{LABEL}\b", checklist)) == set()


def test_every_promise_names_its_tests() -> None:
    rows = re.findall(r"^\| P\d+ \|.*$", section("4"), re.MULTILINE)
    assert len(rows) >= 13
    assert all("`test_" in row for row in rows)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(test_\w+)`", PAGE))))
def test_every_test_that_the_page_names_exists(name: str) -> None:
    assert name in known_tests()


def test_every_file_that_the_page_names_exists() -> None:
    for name in re.findall(r"`([\w-]+\.json)`", section("22")):
        assert (tables.ROOT / "tests" / "vectors" / name).is_file()


def test_links_inside_the_page_lead_somewhere() -> None:
    heads = re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in heads}
    for target in re.findall(r"\]\(#([^)]+)\)", PAGE):
        assert target in anchors


# The table of the states of a round, tried on the rounds themselves.

DEALER, OTHER, STRANGER = (Key(name).key for name in ("dealer", "other", "stranger"))
REQUIRED = frozenset({DEALER, OTHER})
SIZE = 3


def seed_of(author: bytes) -> bytes:
    return hashlib.sha256(author).digest()


def commit_of(author: bytes, number: int) -> Commit:
    return Commit(number, commitment(bytes(32), number, author, seed_of(author)))


def round_in(state: str, number: int) -> Rounds:
    """Return rounds of which one, of public chance (0) or a deal, is in a state."""
    rounds = Rounds(bytes(32))
    rounds.open(number, 0, SIZE if number else 0)

    def say(author: bytes, body: Commit | Seed | Root | Open) -> None:
        rounds.on_body(author, body, REQUIRED, DEALER)
        rounds.settle(DEALER)

    if state == "COMMITTING":
        say(DEALER, commit_of(DEALER, number))
        return rounds
    for author in (DEALER, OTHER):
        say(author, commit_of(author, number))
    if state == "SHOWING":
        return rounds
    say(OTHER, Seed(number, seed_of(OTHER)))
    if number == 0:
        say(DEALER, Seed(number, seed_of(DEALER)))
    if state == "DEALING":
        return rounds
    if number:
        say(DEALER, Root(number, bytes(32), SIZE, ()))
    if state == "OPENED":
        say(OTHER, Open(number, seed_of(DEALER)))
    return rounds


def outcome(state: str, number: int, author: bytes, body: Any) -> str:
    """Return what becomes of a body: taken, or the code."""
    rounds = round_in(state, number)
    try:
        rounds.on_body(author, body, REQUIRED, DEALER)
    except PeerError as error:
        return error.code.name
    return "taken"


def outcomes(state: str, number: int, kind: str) -> set[str]:
    """Return all that may become of bodies of a kind in a state."""
    authors = (DEALER, OTHER, STRANGER)
    bodies: dict[str, list[tuple[bytes, Any]]] = {
        "Commit": [(author, commit_of(author, number)) for author in authors],
        "Seed": [
            (author, Seed(number, seed))
            for author in authors
            for seed in (seed_of(author), bytes(32))
        ],
        "Root": [
            (author, Root(number, bytes(32), size, shares))
            for author in authors
            for size in (SIZE, SIZE + 1)
            for shares in ((), (bytes(32),))
        ],
        "Open": [
            (author, Open(number, seed))
            for author in authors
            for seed in (seed_of(DEALER), bytes(32))
        ],
    }
    return {outcome(state, number, *each) for each in bodies[kind]}


def rows_of_rounds() -> list[tuple[str, str, str]]:
    """Return (state, kind of body, what the page says)."""
    lines = re.findall(
        r"^\| ([A-Z]+): [^|]*(?:\|[^|]*){4}\|$", section("16"), re.MULTILINE
    )
    found: list[tuple[str, str, str]] = []
    for state in lines:
        row = re.search(rf"^\| {state}: .*$", section("16"), re.MULTILINE)
        assert row is not None
        cells = [cell.strip() for cell in row[0].split("|")[2:6]]
        kinds = ("Commit", "Seed", "Root", "Open")
        found += [(state, *pair) for pair in zip(kinds, cells, strict=True)]
    return found


def test_every_state_of_a_round_is_in_the_page() -> None:
    states = {state for state, _, _ in rows_of_rounds()}
    assert states == {"COMMITTING", "SHOWING", "DEALING", "FIXED", "OPENED"}


@pytest.mark.parametrize(("state", "kind", "said"), rows_of_rounds())
@pytest.mark.parametrize("number", [0, 1])
def test_a_body_in_a_state_of_its_round_is_taken_or_refused_as_the_page_says(
    number: int, state: str, kind: str, said: str
) -> None:
    if number == 0 and state in {"DEALING", "OPENED"}:
        return  # states of a deal alone
    found = outcomes(state, number, kind)
    if state == "FIXED" and kind == "Open":
        public = "round 0: UNEXPECTED" in said
        assert public
        said = "UNEXPECTED" if number == 0 else said.replace("UNEXPECTED", "")
    wanted = {"taken", "BAD_PROOF", "UNEXPECTED"}
    assert found == {word for word in wanted if word in said}

"""protocol.md says what the code does: tables, names, numbers, tests."""

import re
from collections import Counter
from functools import cache

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from netplay import identity, limits, link, store, wire
from netplay.address import PORT
from netplay.chance import tag
from netplay.errors import Code
from rules import GAMES
from rules.lexicon import layout
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
    assert layout.MAGIC == b"NPWORDS\x01"
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

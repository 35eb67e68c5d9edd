"""The transcript of appendix D: what it shows holds, by the page's formulas alone."""

import re
from collections import Counter
from typing import Any

import msgpack
import pytest

from rules import lexicon
from tests.second_match import Match
from tests.second_node import pack, read, records, sha, tag, u64, verified
from tests.test_vectors_games import Plain
from tests.written import load
from tools.protocol import tables
from tools.protocol.retelling import retold

SAID = load("transcript")
STEPS: list[dict[str, Any]] = SAID["steps"]
KEYS = {each["name"]: bytes.fromhex(each["public"]) for each in SAID["keys"]}
PAGE = tables.PAGE.read_text("utf-8")

MET = (
    "Hello Welcome Ping Pong Bye Ask Proposal Accept Decline Want Piece Chat Heard "
    "Have Submit Refused Entries Ack Opening"
)
"""Every message that a guest of a host without faults meets, and Refused."""

BODIES = "Genesis Commit Seed Root Turn Open Face Position"


def of(kind: str) -> list[tuple[str, list[Any]]]:
    """Return who said messages of a kind, and what."""
    return [
        (step["from"], read(bytes.fromhex(step["frame"])[5:]))
        for step in STEPS
        if step["message"] == kind
    ]


def terms() -> list[Any]:
    (_, (_, proposed, *_)), *_ = of("Proposal")
    assert isinstance(proposed, list)
    return proposed


MATCH = sha(pack(terms()))


def test_every_message_that_a_least_node_meets_is_there() -> None:
    assert {step["message"] for step in STEPS} == set(MET.split())
    numbers = {each: tables.number(each) for each in MET.split()}
    for step in STEPS:
        data = bytes.fromhex(step["frame"])
        assert len(data) == 4 + int.from_bytes(data[:4], "big")
        assert data[4] == numbers[step["message"]]


def test_what_both_sign_holds_by_the_formulas_of_the_page() -> None:
    for who, (_table, _revision, signature) in of("Accept"):
        verified(KEYS[who], signature, tag("terms") + MATCH, "terms")
    for who, (match, term, number, head, state, signature) in of("Ack"):
        data = tag("ack") + match + u64(term) + u64(number) + head + state
        verified(KEYS[who], signature, data, "ack")
    for who, (match, own, body, signature) in of("Submit"):
        data = tag("author") + match + u64(own) + body
        verified(KEYS[who], signature, data, "submit")
    for who, (table, author, number, text, signature) in of("Chat"):
        assert author == KEYS[who]
        data = tag("chat") + table + u64(number) + text.encode()
        verified(author, signature, data, "chat")


def test_what_is_fetched_is_what_the_terms_name() -> None:
    pieces = [piece for _, piece in of("Piece")]
    assert [piece[0] for piece in pieces] == [terms()[7]] * 2
    assert [piece[1] for piece in pieces] == terms()[3:5]
    edition, words = (piece[4] for piece in pieces)
    assert edition.hex() == SAID["edition"]
    assert words.hex() == SAID["words"]
    assert sha(edition) == terms()[3]
    assert sha(words[40:]) == words[8:40] == terms()[4]


def test_the_entries_are_a_match_that_the_second_reader_audits() -> None:
    raws: dict[int, bytes] = {}
    for _, (match, entries) in of("Entries"):
        assert match == MATCH
        for raw in entries:
            assert raws.setdefault(read(raw)[0], raw) == raw
    log = [raws[number] for number in range(len(raws))]
    assert log == records(bytes.fromhex(SAID["file"]))
    plain = Plain(msgpack.unpackb(bytes.fromhex(SAID["edition"])))
    words = lexicon.read(bytes.fromhex(SAID["words"]))
    played = Match(lambda *_: (plain, words.has))
    for raw in log:
        played.entry(raw)
    assert played.game.waits_for() == set()
    assert played.game.places() == [2, 1]
    assert played.agreed == 3
    bag = [
        kind for kind, (_, count, *_) in enumerate(plain.kinds) for _ in range(count)
    ]
    assert played.root(1, played.order(1, bag)) == played.roots[1][1]
    for _, (match, proofs) in of("Opening"):
        assert match == MATCH
        before = played.proofs
        for proof in proofs:
            played.proof(*proof)
        assert played.proofs == before + len(proofs)


def test_each_ack_names_a_head_and_a_position_of_the_log() -> None:
    heads = [bytes(32), *map(sha, records(bytes.fromhex(SAID["file"])))]
    for _, (_, _, number, head, state, _) in of("Ack"):
        assert head == heads[number]
        assert len(state) == 32


def blocks() -> list[tuple[int, str]]:
    """Return the frames that the page writes out: number and lines."""
    pattern = r"\*\*(\d+)\. \w+: \w+\.\*\* [^\n]*\n\n```\n(.*?)\n```"
    return [(int(n), text) for n, text in re.findall(pattern, PAGE, re.DOTALL)]


@pytest.mark.parametrize(("number", "text"), blocks())
def test_the_bytes_in_the_page_are_those_of_the_frame(number: int, text: str) -> None:
    pattern = ""
    for line in text.splitlines():
        shown = line[:48].strip()
        left_out = re.fullmatch(r"\[(\d+) bytes\]", shown)
        pattern += f"(?:..){{{left_out[1]}}}" if left_out else shown
    assert re.fullmatch(pattern, STEPS[number - 1]["frame"])


def test_the_page_writes_every_kind_of_message_and_body_out_once() -> None:
    assert retold() in PAGE
    told = "\n".join(text for _, text in blocks())
    assert Counter(re.findall(r" type: (\w+)", told)).keys() == set(MET.split())
    assert set(re.findall(r" tag: ([A-Z]\w+)", told)) >= set(BODIES.split())

"""The vectors of protocol.md hold for this code, and for formulas written down twice.

What is derived is derived here once more, with hashes and bytes alone, as the page
says it; so the page, the vectors and the code agree.
"""

from collections.abc import Callable
from typing import Any

import pytest

from netplay.errors import PeerError
from netplay.messages.log import LogBody
from netplay.wire import KINDS, Frame, FrameReader, decode, encode, pack, unpack
from tests.written import joined, load
from tools.protocol import tables, vectors
from tools.protocol.examples import STRUCTS

FRAMES = load("frames")
MESSAGES = load("messages")
STRUCT_VECTORS = load("bodies")
MATCHES = load("matches")["matches"]


@pytest.mark.parametrize(
    "name", ["frames", "messages", "bodies", "signatures", "chance"]
)
def test_the_files_are_what_the_tool_writes(name: str) -> None:
    assert vectors.text(name) == (vectors.FOLDER / f"{name}.json").read_text("utf-8")


def test_there_are_enough_cases_that_must_fail() -> None:
    invalid = sum(len(each["invalid"]) for each in (*MESSAGES, *STRUCT_VECTORS))
    wrong = sum(len(each["wrong"]) + len(each["changed"]) for each in MATCHES)
    assert invalid >= 500
    assert wrong >= 150
    assert all(each["valid"] and each["invalid"] for each in MESSAGES)


def test_every_message_and_every_body_has_vectors() -> None:
    assert {each["message"] for each in MESSAGES} == {
        kind.__name__ for kind in KINDS.values()
    }
    assert {each["struct"] for each in STRUCT_VECTORS} >= set(tables.bodies())


@pytest.mark.parametrize("case", FRAMES, ids=lambda c: c["name"].replace(" ", "_"))
def test_a_stream_of_the_vectors_is_cut_as_it_says(case: dict[str, Any]) -> None:
    reader = FrameReader(case["limit"])
    found: list[Frame] = []
    error = None
    reader.feed(joined(case["stream"]))
    try:
        while (frame := reader.next()) is not None:
            found.append(frame)
    except PeerError as caught:
        error = caught.code.name
    assert error == case["error"]
    wanted = [Frame(f["type"], joined(f["payload"])) for f in case["frames"]]
    assert found == wanted
    if error is None:
        assert len(reader.buffer) == case["waiting"]
    if "refused" in case:
        with pytest.raises(PeerError) as refused:
            decode(found[0])
        assert refused.value.code.name == case["refused"]


def refusals(invalid: list[dict[str, Any]], read: Callable[[bytes], Any]) -> Any:
    """Return name -> code for everything that was refused."""
    found: dict[str, str] = {}
    for case in invalid:
        try:
            read(joined(case["payload"]))
        except PeerError as error:
            found[case["name"]] = error.code.name
    return found


@pytest.mark.parametrize("each", MESSAGES, ids=lambda each: each["message"])
def test_a_valid_frame_has_the_fields_named(each: dict[str, Any]) -> None:
    for case in each["valid"]:
        data = bytes.fromhex(case["frame"])
        message = decode(Frame(data[4], data[5:]))
        assert message is not None
        assert type(message).__name__ == each["message"]
        assert data[4] == each["type"]
        assert vectors.plain(message) == case["fields"]
        assert encode(message) == data


@pytest.mark.parametrize("each", MESSAGES, ids=lambda each: each["message"])
def test_an_invalid_payload_is_refused_with_its_code(each: dict[str, Any]) -> None:
    found = refusals(each["invalid"], lambda data: decode(Frame(each["type"], data)))
    assert found == {case["name"]: case["error"] for case in each["invalid"]}


def struct_kind(name: str) -> Any:
    """Return what bytes of a body or struct are read as."""
    kinds = {kind.__name__: kind for kind in STRUCTS}
    return kinds.get(name, LogBody)


@pytest.mark.parametrize("each", STRUCT_VECTORS, ids=lambda each: each["struct"])
def test_a_valid_body_has_the_fields_named(each: dict[str, Any]) -> None:
    for case in each["valid"]:
        value = unpack(bytes.fromhex(case["bytes"]), struct_kind(each["struct"]))
        assert type(value).__name__ == each["struct"]
        assert vectors.plain(value) == case["fields"]
        assert pack(value).hex() == case["bytes"]


@pytest.mark.parametrize("each", STRUCT_VECTORS, ids=lambda each: each["struct"])
def test_an_invalid_body_is_refused_with_its_code(each: dict[str, Any]) -> None:
    kind = struct_kind(each["struct"])
    found = refusals(each["invalid"], lambda data: unpack(data, kind))
    assert found == {case["name"]: case["error"] for case in each["invalid"]}

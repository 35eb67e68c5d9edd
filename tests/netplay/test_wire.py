from typing import Any, get_args

import msgpack
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from netplay import limits
from netplay.errors import Code, LocalError, PeerError
from netplay.messages.door import (
    Done,
    Failed,
    FromNode,
    GetStatus,
    HostTable,
    Knock,
    Line,
    Request,
    Say,
    ToNode,
)
from netplay.messages.link import Bye, Hello, Ping
from netplay.messages.log import Entries, Entry, Fork, LogBody, Turn
from netplay.messages.table import Piece
from netplay.messages.types import BODY_BYTES
from netplay.wire import (
    FROM_NODE,
    KINDS,
    TO_NODE,
    Frame,
    FrameReader,
    decode,
    decode_from_node,
    decode_to_node,
    encode,
    pack,
    unpack,
)
from tests.netplay.messages import values

PEER_MESSAGES = st.one_of([values(kind) for kind in KINDS.values()])
DOOR_TYPES = [Knock, Request, *get_args(FromNode)]


def frames(data: bytes, limit: int = limits.DOOR_FRAME_BYTES) -> list[Frame]:
    reader = FrameReader(limit)
    reader.feed(data)
    found = []
    while (frame := reader.next()) is not None:
        found.append(frame)
    return found


def only_frame(data: bytes) -> Frame:
    (frame,) = frames(data)
    return frame


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda k: k.__name__)
def test_every_message_survives_the_wire(kind: type[Any]) -> None:
    @given(values(kind))
    def check(message: Any) -> None:
        assert decode(only_frame(encode(message))) == message

    check()


@pytest.mark.parametrize("kind", DOOR_TYPES, ids=lambda k: k.__name__)
def test_every_message_survives_the_door(kind: type[Any]) -> None:
    back: Any = decode_to_node if kind in (Knock, Request) else decode_from_node

    @given(values(kind))
    def check(message: Any) -> None:
        assert back(only_frame(encode(message))) == message

    check()


@given(values(LogBody), values(Entry))
def test_bodies_and_entries_survive_packing(body: Any, entry: Entry) -> None:
    assert unpack(pack(body), LogBody) == body
    assert unpack(pack(entry), Entry) == entry


@given(PEER_MESSAGES)
def test_both_encoders_write_the_same_bytes(message: Any) -> None:
    plain = msgspec.to_builtins(message, builtin_types=(bytes,))
    assert msgpack.packb(plain, use_bin_type=True) == pack(message)


@given(st.lists(PEER_MESSAGES, max_size=4), st.data())
def test_a_stream_may_come_in_any_pieces(messages: list[Any], data: Any) -> None:
    stream = b"".join(map(encode, messages))
    reader = FrameReader(limits.FRAME_BYTES)
    found = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        reader.feed(stream[:size])
        stream = stream[size:]
        while (frame := reader.next()) is not None:
            found.append(decode(frame))
    assert found == messages
    assert len(reader.buffer) == 0


@given(st.binary(max_size=2000))
@example(b"")
@example(b"\0\0\0\0")
@example(b"\xff\xff\xff\xff\x01")
@example(b"\0\0\0\x02\x02\x91")
def test_bytes_from_anywhere_raise_only_registered_errors(data: bytes) -> None:
    reader = FrameReader(limits.FRAME_BYTES)
    reader.feed(data)
    try:
        while (frame := reader.next()) is not None:
            decode(frame)
    except PeerError as error:
        assert error.code in Code


@given(st.sampled_from(sorted(KINDS)), st.binary(max_size=200))
def test_payloads_from_anywhere_raise_only_registered_errors(
    kind: int, payload: bytes
) -> None:
    try:
        message = decode(Frame(kind, payload))
    except PeerError as error:
        assert error.code in {Code.BAD_FRAME, Code.NOT_CANONICAL}
    else:
        assert message is not None
        assert pack(message) == payload


@given(PEER_MESSAGES, st.data())
def test_a_changed_frame_is_refused_or_means_exactly_what_it_says(
    message: Any, data: Any
) -> None:
    frame = only_frame(encode(message))
    payload = bytearray(frame.payload)
    at = data.draw(st.integers(0, len(payload) - 1))
    payload[at] ^= data.draw(st.integers(1, 255))
    try:
        other = decode(Frame(frame.kind, bytes(payload)))
    except PeerError:
        return
    assert pack(other) == bytes(payload)


@given(st.recursive(st.none(), lambda x: st.lists(x, max_size=3), max_leaves=20))
def test_nested_arrays_of_the_wrong_shape_are_bad_frames(tree: Any) -> None:
    with pytest.raises(PeerError) as caught:
        unpack(msgpack.packb(tree), Hello)
    assert caught.value.code is Code.BAD_FRAME


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\x91" * 60_000,
        b"\x81" * 60_000,
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xffabc",
        b"\x91\xc7\x00\x05",
        b"\x91\xd6\xff\0\0\0\0",
        b"\x91\xc9\xff\xff\xff\xff\x05",
        b"\x91\xcb\x3f\xf0\0\0\0\0\0\0",
        b"\x91\xc3",
        b"\x91\xa15",
        b"\x91\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x91\xff",
        b"\x92\x01\x02",
        b"\x91\x01\x01",
        b"\x90",
        b"\x80",
    ],
    ids=lambda p: p[:6].hex(),
)
def test_a_payload_that_is_not_a_ping_is_a_bad_frame(payload: bytes) -> None:
    with pytest.raises(PeerError) as caught:
        decode(Frame(3, payload))
    assert caught.value.code is Code.BAD_FRAME
    assert len(caught.value.detail) <= 120


@pytest.mark.parametrize(
    "payload",
    [b"\x91\xcc\x05", b"\x91\xcd\x00\x05", b"\x91\xd0\x05", b"\xdc\x00\x01\x05"],
    ids=bytes.hex,
)
def test_a_ping_written_in_a_longer_way_is_not_canonical(payload: bytes) -> None:
    with pytest.raises(PeerError) as caught:
        decode(Frame(3, payload))
    assert caught.value.code is Code.NOT_CANONICAL
    assert decode(Frame(3, b"\x91\x05")) == Ping(5)


def test_a_string_that_is_not_unicode_is_a_bad_frame() -> None:
    with pytest.raises(PeerError) as caught:
        decode(Frame(5, b"\x92\x00\xa2\xff\xfe"))
    assert caught.value.code is Code.BAD_FRAME


def test_bytes_written_as_text_are_refused() -> None:
    with pytest.raises(PeerError):
        unpack(b"\x93\x04\x00\xa4AAAA", Turn)


def test_an_empty_frame_is_bad() -> None:
    with pytest.raises(PeerError) as caught:
        frames(b"\0\0\0\0")
    assert caught.value.code is Code.BAD_FRAME


def test_a_frame_over_the_limit_is_refused_before_it_has_come() -> None:
    reader = FrameReader()
    reader.feed((1025).to_bytes(4, "big"))
    with pytest.raises(PeerError) as caught:
        reader.next()
    assert caught.value.code is Code.TOO_LARGE


@given(st.integers(5, 40), st.lists(st.integers(1, 45), min_size=1, max_size=6))
def test_a_frame_is_taken_up_to_the_limit_and_no_byte_beyond(
    limit: int, sizes: list[int]
) -> None:
    reader = FrameReader(limit)
    for size in sizes:
        reader.feed(size.to_bytes(4, "big") + bytes((3,)) + bytes(size - 1))
        if size > limit:
            with pytest.raises(PeerError) as caught:
                reader.next()
            assert caught.value.code is Code.TOO_LARGE
            return
        assert reader.next() == Frame(3, bytes(size - 1))


def test_the_limit_can_be_raised_between_two_frames_of_one_read() -> None:
    reader = FrameReader()
    big = Piece(bytes(32), bytes(32), 2000, 0, bytes(2000))
    reader.feed(encode(Ping(1)) + encode(big))
    assert reader.next() == Frame(3, b"\x91\x01")
    reader.limit = limits.FRAME_BYTES
    frame = reader.next()
    assert frame is not None
    assert decode(frame) == big


def test_a_frame_half_come_is_waited_for() -> None:
    reader = FrameReader()
    whole = encode(Ping(7))
    reader.feed(whole[:-1])
    assert reader.next() is None
    assert len(reader.buffer) == len(whole) - 1


def test_an_unknown_odd_type_is_ignored_and_an_even_one_is_not() -> None:
    assert decode(Frame(99, b"whatever")) is None
    assert decode(Frame(FROM_NODE, b"")) is None
    for kind in (0, 6, 98, TO_NODE, 254):
        with pytest.raises(PeerError) as caught:
            decode(Frame(kind, b"\x90"))
        assert caught.value.code is Code.UNEXPECTED


def test_a_door_takes_only_messages_for_doors() -> None:
    for back, other in (
        (decode_to_node, Done(1)),
        (decode_from_node, Request(1, GetStatus())),
        (decode_to_node, Ping(1)),
    ):
        with pytest.raises(PeerError) as caught:
            back(only_frame(encode(other)))
        assert caught.value.code is Code.UNEXPECTED


def test_a_message_larger_than_a_frame_is_the_senders_fault() -> None:
    with pytest.raises(LocalError) as caught:
        encode(Entries(bytes(32), (bytes(60_000), bytes(60_000))))
    assert caught.value.code is Code.TOO_LARGE


def test_a_door_carries_more_than_a_link() -> None:
    ask = Request(1, Say("x" * 100_000))
    assert decode_to_node(only_frame(encode(ask))) == ask


def test_the_largest_legal_messages_fit_a_frame() -> None:
    piece = Piece(bytes(32), b"\xff" * 32, 2**53, 2**53, bytes(48 * 1024))
    assert len(encode(piece)) <= limits.FRAME_BYTES
    hello = Hello((2**53,) * 16, ("x" * 4,) * 32, "n" * 24, "p" * 32, 65535, bytes(32))
    assert len(encode(hello)) <= limits.HANDSHAKE_FRAME_BYTES


def test_wide_characters_in_a_goodbye_still_fit_before_welcome() -> None:
    assert len(encode(Bye(1, "漢" * 200))) <= limits.HANDSHAKE_FRAME_BYTES


def test_the_two_directions_of_the_door_are_told_apart_by_type() -> None:
    assert encode(Request(0, HostTable("numlo", (), (), "", "")))[4] == TO_NODE
    assert encode(Line("", "", 0))[4] == FROM_NODE
    assert unpack(pack(Knock(b"", "1", pushes=False)), ToNode)
    assert unpack(pack(Failed(1, 2, "")), FromNode)


def test_the_proof_of_a_fork_by_the_largest_entries_fits_a_frame() -> None:
    most = 2**53
    zero, sign = bytes(32), bytes(64)
    entry = Entry(most, most, zero, most, zero, most, bytes(BODY_BYTES), sign, sign)
    raw = pack(entry)

    fork = Fork(zero, raw, raw)
    data = encode(fork)

    assert len(data) - 4 <= limits.FRAME_BYTES
    assert decode(Frame(data[4], data[5:])) == fork

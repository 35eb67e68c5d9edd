import gc
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import ref

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from netplay.home import Home
from netplay.limits import READ_BYTES
from netplay.peering.identity import Identity, open_identity
from netplay.peering.pipe import TlsStream
from tests.patience import PATIENCE

FRAMES = st.lists(st.binary(min_size=1, max_size=40_000), min_size=1, max_size=5)


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    home = Home(tmp_path_factory.mktemp("home"))
    home.prepare()
    return open_identity(home)


@asynccontextmanager
async def pair(identity: Identity) -> AsyncGenerator[tuple[TlsStream, TlsStream]]:
    """Yield both ends of a stream after the handshake."""
    near, far = trio.testing.memory_stream_pair()
    ours = TlsStream(near, identity.client, server_side=False)
    theirs = TlsStream(far, identity.server, server_side=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(theirs.do_handshake)
        await ours.do_handshake()
    yield ours, theirs
    await trio.aclose_forcefully(ours)
    await trio.aclose_forcefully(theirs)


async def exactly(stream: trio.abc.ReceiveStream, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = await stream.receive_some(size - len(found))
        assert part
        found += bytes(part)
    return found


def test_what_is_sent_arrives(identity: Identity) -> None:
    @given(FRAMES, FRAMES)
    def there_and_back(there: list[bytes], back: list[bytes]) -> None:
        async def run() -> None:
            async with pair(identity) as (ours, theirs), trio.open_nursery() as nursery:
                for frames, one, other in ((there, ours, theirs), (back, theirs, ours)):
                    nursery.start_soon(say, one, frames)
                    said = b"".join(frames)
                    assert await exactly(other, len(said)) == said

        async def say(stream: TlsStream, frames: list[bytes]) -> None:
            for frame in frames:
                await stream.send_all(frame)

        trio.run(run)

    there_and_back()


async def test_records_that_came_together_are_read_together(identity: Identity) -> None:
    async with pair(identity) as (ours, theirs):
        text = b"".join(ours.encrypt(bytes([at])) for at in range(50))
        await ours.transport.send_all(text)
        assert await theirs.receive_some() == bytes(range(50))


async def test_a_flood_of_small_records_is_read_in_parts(identity: Identity) -> None:
    async with pair(identity) as (ours, theirs):
        text = b"".join(ours.encrypt(b"x") for _ in range(1000))
        await ours.transport.send_all(text)
        parts = [await theirs.receive_some()]
        while sum(map(len, parts)) < 1000:
            parts.append(await theirs.receive_some())
        assert max(map(len, parts)) < 200


async def test_no_more_is_read_than_was_asked_for(identity: Identity) -> None:
    async with pair(identity) as (ours, theirs):
        await ours.send_all(b"abcdef")
        assert await theirs.receive_some(2) == b"ab"
        assert await theirs.receive_some(3) == b"cde"
        assert await theirs.receive_some(READ_BYTES) == b"f"


async def test_a_reader_of_what_is_there_lets_others_run(identity: Identity) -> None:
    async with pair(identity) as (ours, theirs):
        await ours.send_all(b"ab")
        await theirs.receive_some(1)
        with trio.testing.assert_checkpoints():
            await theirs.receive_some(1)


async def test_whoever_says_goodbye_has_ended_in_order(identity: Identity) -> None:
    async with pair(identity) as (ours, theirs):
        await ours.send_all(b"last words")
        await ours.aclose()
        assert await theirs.receive_some() == b"last words"
        assert await theirs.receive_some() == b""
        with pytest.raises(trio.ClosedResourceError):
            await ours.receive_some()
        with pytest.raises(trio.ClosedResourceError):
            await ours.send_all(b"x")


async def test_after_a_goodbye_nobody_waits_for_the_transport_to_end(
    identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pair(identity) as (ours, theirs):
        monkeypatch.setattr(ours.transport, "aclose", trio.lowlevel.checkpoint)
        await ours.send_all(b"bye")
        await ours.aclose()
        assert await theirs.receive_some() == b"bye"
        with trio.fail_after(PATIENCE):
            assert await theirs.receive_some() == b""


async def test_to_read_nothing_is_a_mistake(identity: Identity) -> None:
    async with pair(identity) as (ours, _theirs):
        with pytest.raises(ValueError, match="0"):
            await ours.receive_some(0)


async def test_an_end_without_a_goodbye_is_a_break(identity: Identity) -> None:
    async with pair(identity) as (ours, theirs):
        await ours.send_all(b"cut")
        await ours.transport.aclose()
        assert await theirs.receive_some() == b"cut"
        with pytest.raises(trio.BrokenResourceError):
            await theirs.receive_some()


def test_a_stream_that_broke_is_let_go_without_the_collector(
    identity: Identity,
) -> None:
    gc.collect()
    gc.disable()
    try:
        near, _ = trio.testing.memory_stream_pair()
        stream = TlsStream(near, identity.server, server_side=True)
        stream.feed(b"this is no record of TLS")
        with pytest.raises(trio.BrokenResourceError):
            stream.decrypted()
        held = ref(stream)
        del stream
        assert held() is None
    finally:
        gc.enable()


async def test_forged_bytes_break_the_stream_after_what_was_good(
    identity: Identity,
) -> None:
    async with pair(identity) as (ours, theirs):
        await ours.send_all(b"good")
        await ours.transport.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))
        assert await theirs.receive_some() == b"good"
        with pytest.raises(trio.BrokenResourceError):
            await theirs.receive_some()
        with pytest.raises(trio.BrokenResourceError):
            theirs.encrypt(b"x")


async def test_a_handshake_with_somebody_else_breaks(identity: Identity) -> None:
    near, far = trio.testing.memory_stream_pair()
    theirs = TlsStream(far, identity.server, server_side=True, said=b"\x16\x03\x01")
    await near.send_all(b"\x00\x04abcd")
    with pytest.raises(trio.BrokenResourceError) as caught:
        await theirs.do_handshake()
    assert isinstance(caught.value.__cause__, ssl.SSLError)


async def test_what_was_read_before_counts(identity: Identity) -> None:
    near, far = trio.testing.memory_stream_pair()
    ours = TlsStream(near, identity.client, server_side=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ours.do_handshake)
        said = await far.receive_some(7)
        theirs = TlsStream(far, identity.server, server_side=True, said=bytes(said))
        await theirs.do_handshake()
        await theirs.wait_send_all_might_not_block()
        await theirs.send_all(b"welcome")
    assert await ours.receive_some() == b"welcome"


async def test_nothing_needs_no_record(identity: Identity) -> None:
    async with pair(identity) as (ours, theirs):
        await ours.send_all(b"")
        await ours.send_all(b"x")
        assert await theirs.receive_some() == b"x"


async def test_a_stream_that_never_began_is_closed_all_the_same(
    identity: Identity,
) -> None:
    near, far = trio.testing.memory_stream_pair()
    stream = TlsStream(near, identity.client, server_side=False)
    await stream.aclose()
    assert await far.receive_some() == b""


async def test_trios_own_stream_understands_it(identity: Identity) -> None:
    near, far = trio.testing.memory_stream_pair()
    ours = TlsStream(near, identity.client, server_side=False)
    theirs = trio.SSLStream(far, identity.server, server_side=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ours.do_handshake)
        await theirs.do_handshake()
    await theirs.send_all(b"there")
    assert await ours.receive_some() == b"there"
    await ours.send_all(b"back")
    assert await theirs.receive_some() == b"back"
    await ours.aclose()
    assert await theirs.receive_some() == b""

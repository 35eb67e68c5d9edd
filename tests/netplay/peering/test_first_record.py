import pytest
import trio
import trio.testing

from netplay.errors import Code, NetplayError
from netplay.limits import FIRST_WORD_BYTES
from netplay.peering.pipe import first_word

WORD = b"\x16\x03\x01\x00\x04" + b"abcd"


async def test_the_first_word_is_waited_for_and_returned() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:

        async def says() -> None:
            for at in range(len(WORD)):
                await theirs.send_all(WORD[at : at + 1])
                await trio.testing.wait_all_tasks_blocked()
            await theirs.send_all(b"more")

        nursery.start_soon(says)
        assert await first_word(ours) == WORD
    assert await ours.receive_some(100) == b"more"


async def test_what_came_with_the_first_word_is_not_lost() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    await theirs.send_all(WORD + b"more")
    assert await first_word(ours) == WORD + b"more"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (b"GET / HTTP/1.1", Code.BAD_CERTIFICATE),
        (b"\x16\x03\x01" + (FIRST_WORD_BYTES + 1).to_bytes(2), Code.BAD_CERTIFICATE),
        (WORD[:-1], Code.NO_ANSWER),
        (b"", Code.NO_ANSWER),
    ],
    ids=["http", "too long", "half a word", "nothing"],
)
async def test_what_is_no_first_word_is_refused(said: bytes, code: Code) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    if said:
        await theirs.send_all(said)
    await theirs.aclose()
    with pytest.raises(NetplayError) as caught:
        await first_word(ours)
    assert caught.value.code is code


async def test_a_stream_that_breaks_has_hung_up() -> None:
    ours, _ = trio.testing.memory_stream_pair()
    await ours.aclose()
    with pytest.raises(NetplayError) as caught:
        await first_word(ours)
    assert caught.value.code is Code.NO_ANSWER

import pytest
import trio
import trio.testing
from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.limits import REDIAL_AGAIN_SECONDS, REDIAL_TOGETHER
from netplay.peering.net import HEAD_START_SECONDS, LostError, Race, Secured


class Track:
    """Places that answer after so many seconds, or fail then."""

    def __init__(self, **places: float | tuple[float, Code]) -> None:
        self.places = places
        self.began: list[tuple[str, float]] = []
        self.streams: list[Stream] = []

    async def attempt(self, place: str) -> Secured:
        self.began.append((place, trio.current_time()))
        what = self.places[place]
        seconds, code = what if isinstance(what, tuple) else (what, None)
        with trio.CancelScope(shield=seconds < 0):
            await trio.sleep(abs(seconds))
        if code is not None:
            raise LocalError(code, place)
        stream = Stream()
        self.streams.append(stream)
        return Secured(stream, place.encode())

    async def run(self) -> tuple[str, Secured]:
        return await Race(list(self.places), self.attempt).winner()


class Stream(trio.abc.Stream):
    def __init__(self) -> None:
        self.closed = False

    @override
    async def aclose(self) -> None:
        self.closed = True
        await trio.lowlevel.checkpoint()

    @override
    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        raise NotImplementedError

    @override
    async def wait_send_all_might_not_block(self) -> None:
        raise NotImplementedError

    @override
    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        raise NotImplementedError


async def test_the_first_address_has_a_head_start(
    autojump_clock: trio.testing.MockClock,
) -> None:
    track = Track(a=HEAD_START_SECONDS - 0.1, b=0.0)
    place, secured = await track.run()
    assert (place, secured.key) == ("a", b"a")
    assert [name for name, _ in track.began] == ["a"]
    assert not track.streams[0].closed


async def test_an_address_that_swallows_packets_costs_the_head_start_and_no_more(
    autojump_clock: trio.testing.MockClock,
) -> None:
    began = trio.current_time()
    place, _ = await Track(a=8.0, b=0.1).run()
    assert place == "b"
    assert trio.current_time() - began == pytest.approx(HEAD_START_SECONDS + 0.1)


async def test_a_failure_lets_the_next_begin_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    began = trio.current_time()
    place, _ = await Track(a=(0.0, Code.NO_ANSWER), b=0.1).run()
    assert place == "b"
    assert trio.current_time() - began == pytest.approx(0.1)


async def test_nobody_answering_tells_every_reason_in_the_order_of_addresses(
    autojump_clock: trio.testing.MockClock,
) -> None:
    track = Track(a=(2.0, Code.NO_ANSWER), b=(0.1, Code.WRONG_KEY))
    with pytest.raises(LostError) as caught:
        await track.run()
    assert [e.code for e in caught.value.errors] == [Code.NO_ANSWER, Code.WRONG_KEY]


async def test_without_any_address_nobody_answers() -> None:
    with pytest.raises(LostError) as caught:
        await Track().run()
    assert [e.code for e in caught.value.errors] == [Code.NO_ADDRESS]


async def test_who_comes_second_at_the_same_moment_is_hung_up_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    track = Track(a=-1.0, b=-0.7)  # neither can be stopped any more
    place, _ = await track.run()
    assert place == "a"
    assert [stream.closed for stream in track.streams] == [False, True]


async def test_a_race_that_is_called_off_leaves_no_stream_open(
    autojump_clock: trio.testing.MockClock,
) -> None:
    track = Track(a=-1.0, b=-5.0)
    with trio.move_on_after(3.0) as scope:
        await track.run()
    assert scope.cancelled_caught
    assert [stream.closed for stream in track.streams] == [True, True]


async def test_an_error_of_our_own_is_no_lost_race() -> None:
    async def attempt(place: str) -> Secured:
        raise ValueError(place)

    with pytest.RaisesGroup(ValueError):
        await Race(["a"], attempt).winner()


async def test_a_place_without_an_answer_is_tried_again_beside_the_first_attempt(
    autojump_clock: trio.testing.MockClock,
) -> None:
    track = Track(a=9.0)
    begun = trio.current_time()
    track.places = {"a": 9.0}

    async def mend() -> None:
        await trio.sleep(3)
        track.places = {"a": 0.1}

    async with trio.open_nursery() as nursery:
        nursery.start_soon(mend)
        place, _ = await track.run()
    assert place == "a"
    assert trio.current_time() - begun == pytest.approx(2 * REDIAL_AGAIN_SECONDS + 0.1)


async def test_so_many_attempts_at_a_place_wait_together_and_no_more(
    autojump_clock: trio.testing.MockClock,
) -> None:
    track = Track(a=(18.0, Code.NO_ANSWER), b=(0.0, Code.NO_ANSWER))
    began = trio.current_time()
    with pytest.raises(LostError):
        await track.run()
    assert trio.current_time() - began == pytest.approx(18.0)
    assert [place for place, _ in track.began] == [
        "a",
        "b",
        *"a" * (REDIAL_TOGETHER - 1),
    ]

import trio
import trio.testing

from netplay.peering.outbox import PATIENCE_SECONDS, Outbox


async def test_what_gathers_is_taken_in_one_piece_and_in_order() -> None:
    box = Outbox(10, 100)
    assert box.put(b"one ")
    assert box.put(b"two")
    assert await box.get() == b"one two"


async def test_whoever_waits_is_woken(autojump_clock: trio.testing.MockClock) -> None:
    box = Outbox(10, 100)
    got = []

    async def take() -> None:
        got.append(await box.get())
        got.append(await box.get())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take)
        await trio.testing.wait_all_tasks_blocked()
        box.put(b"x")
        await trio.testing.wait_all_tasks_blocked()
        box.close()
    assert got == [b"x", b""]


async def test_a_full_box_takes_no_more_until_it_is_emptied() -> None:
    box = Outbox(2, 100)
    assert box.put(b"1")
    assert box.put(b"2")
    assert not box.put(b"3")
    assert await box.get() == b"12"
    assert box.put(b"3")


async def test_a_box_is_full_by_bytes_too() -> None:
    box = Outbox(100, 10)
    assert box.put(bytes(10))
    assert not box.put(b"1")


async def test_a_closed_box_gives_what_it_has_and_takes_nothing() -> None:
    box = Outbox(2, 100)
    box.put(b"1")
    box.close()
    assert not box.put(b"2")
    assert await box.get() == b"1"
    assert await box.get() == b""


async def test_what_may_wait_goes_first_with_what_comes_next() -> None:
    box = Outbox(10, 100)
    assert box.put_patiently(b"ack", b"old ")
    assert box.put_patiently(b"ack", b"new ")
    assert box.put_patiently(b"other", b"other ")
    assert not box.idle
    assert box.put(b"move")
    assert await box.get() == b"new other move"


async def test_what_may_wait_goes_by_itself_after_a_moment(
    autojump_clock: trio.testing.MockClock,
) -> None:
    box = Outbox(10, 100)
    got: list[tuple[float, bytes]] = []

    async def take() -> None:
        while data := await box.get():
            got.append((round(trio.current_time() - start, 6), data))

    async with trio.open_nursery() as nursery:
        start = trio.current_time()
        nursery.start_soon(take)
        await trio.testing.wait_all_tasks_blocked()
        box.put_patiently(b"ack", b"1")
        await trio.sleep(PATIENCE_SECONDS / 2)
        box.put_patiently(b"ack", b"2")  # it waits no longer than the first
        await trio.sleep(1.0)
        box.put_patiently(b"ack", b"3")
        box.close()
    assert got == [(PATIENCE_SECONDS, b"2"), (1.0 + PATIENCE_SECONDS / 2, b"3")]


async def test_what_may_wait_is_sent_after_a_write_that_took_long(
    autojump_clock: trio.testing.MockClock,
) -> None:
    box = Outbox(10, 100)
    box.put(b"long")
    assert await box.get() == b"long"
    box.put_patiently(b"ack", b"1")
    await trio.sleep(5.0)  # the write
    with trio.fail_after(1.0):
        assert await box.get() == b"1"


async def test_nothing_that_waits_overtakes_what_was_put_before_it() -> None:
    box = Outbox(10, 100)
    box.put(b"move ")
    box.put_patiently(b"ack", b"ack")
    assert await box.get() == b"move ack"

import trio
import trio.testing

from netplay.peering.pipe import Outbox


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

import os
import signal
from collections.abc import Iterator

import pytest
import trio
import trio.testing

from netplay import ending
from tests.patience import PATIENCE


@pytest.fixture
def ignored() -> Iterator[None]:
    before = {n: signal.getsignal(n) for n in ending.signals()}
    for number in before:
        signal.signal(number, signal.SIG_IGN)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_break_from_the_keyboard_and_an_order_end_a_program() -> None:
    assert {signal.SIGINT, signal.SIGTERM} <= set(ending.signals())


@pytest.mark.usefixtures("ignored")
def test_what_a_program_was_told_to_ignore_does_not_end_it_but_an_order_does() -> None:
    assert ending.signals() == (signal.SIGTERM,)


async def test_a_leash_holds_while_its_other_end_is_held() -> None:
    ours, theirs = os.pipe()
    slipped = trio.Event()

    async def follow() -> None:
        await ending.slipped(ours)
        slipped.set()

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(follow)
            os.write(theirs, b"words that mean nothing")
            await trio.testing.wait_all_tasks_blocked()
            assert not slipped.is_set()
            os.close(theirs)
            with trio.fail_after(PATIENCE):
                await slipped.wait()
    finally:
        os.close(ours)


async def test_a_leash_that_is_none_does_not_hold() -> None:
    ours, theirs = os.pipe()
    os.close(theirs)
    os.close(ours)
    with trio.fail_after(PATIENCE):
        await ending.slipped(ours)

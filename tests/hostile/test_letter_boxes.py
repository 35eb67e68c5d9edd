"""Friends and strangers who fill letter boxes: another's friend still gets through."""

import hashlib
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.fingerprint import fingerprint
from netplay.messages.letters import (
    HandLetter,
    LeaveLetter,
    LetterKept,
    LettersFrom,
    LetterTaken,
)
from netplay.messages.node_questions import Befriend, SetCarry
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import Line, Peer
from tests.hostile.test_stranger import quiet
from tests.patience import PATIENCE

pytestmark = [pytest.mark.processes, needs_proc]

LETTERS = 100
"""In one go; after a second start of the carrier as many again."""

KEPT, DECLINED = 0, 15


async def leave(line: Line, to: bytes, box: bytes, letter: bytes = b"x") -> int:
    """Leave a letter, and return the code of what has become of it."""
    await line.say(LeaveLetter(to, box, 0, letter, 7, b""))
    return (await line.until(LetterKept)).code


async def fill(eve: Peer, port: int, first: int, *readers: bytes) -> set[int]:
    """Leave letters of one byte under invented names, for some readers in turn."""
    codes = set[int]()
    async with eve.call(port) as line:
        for number in range(first, first + LETTERS):
            to = readers[number % len(readers)]
            codes.add(await leave(line, to, number.to_bytes(16, "big")))
    return codes


async def send(author: Peer, port: int, to: bytes, letter: bytes) -> int:
    async with author.call(port) as line:
        return await leave(line, to, hashlib.md5(letter).digest(), letter)


async def name(reader: Peer, port: int, *authors: bytes) -> None:
    """Say whose letters one takes."""
    async with reader.call(port) as line:
        await line.say(LettersFrom(authors))
        await quiet(line)


async def take(
    reader: Peer, port: int, *authors: bytes, wanted: set[bytes]
) -> set[bytes]:
    """Say whose letters one takes; take all until those that are wanted have come."""
    found = set[bytes]()
    async with reader.call(port) as line:
        await line.say(LettersFrom(authors))
        while not found >= wanted:
            letter = (await line.until(HandLetter)).letter
            found.add(letter)
            await line.say(LetterTaken(hashlib.sha256(letter).digest()))
        with trio.move_on_after(1):  # and perhaps another one
            found.add((await line.until(HandLetter)).letter)
    return found


async def befriend(near: Victim, *peers: Peer) -> None:
    await near.window.ask(SetCarry("friends"))
    for peer in peers:
        async with peer.call(near.port):
            await near.until_peer(lambda one: one.connected and one.name == peer.name)  # noqa: B023
            await near.window.ask(Befriend(fingerprint(peer.key)))


def people(folder: Path, *names: str) -> list[Peer]:
    return [Peer(folder / name, name) for name in names]


@pytest.mark.parametrize("first", [True, False], ids=["named first", "named last"])
async def test_two_hundred_letters_of_one_friend_do_not_shut_the_box_for_another(
    tmp_path: Path, first: bool
) -> None:
    near = Victim(tmp_path)
    anna, bert, cid, eve = people(tmp_path, "anna", "bert", "cid", "eve")
    names = (anna.key, eve.key) if first else (eve.key, anna.key)
    with trio.fail_after(PATIENCE):
        async with living(near):
            await befriend(near, bert, cid)
            for reader in (bert, cid):
                await name(reader, near.port, *names)
            assert KEPT in await fill(eve, near.port, 0, bert.key)
        async with living(near):
            await fill(eve, near.port, LETTERS, bert.key)
            assert await send(anna, near.port, bert.key, b"my move") == KEPT
        async with living(near):
            await fill(eve, near.port, 0, bert.key, cid.key)
            for reader in (bert, cid):
                assert await send(anna, near.port, reader.key, b"more") == KEPT
            await take(bert, near.port, *names, wanted={b"my move", b"more"})
            await take(cid, near.port, *names, wanted={b"more"})


async def test_nor_for_a_friend_who_is_named_behind_the_members_of_many_matches(
    tmp_path: Path,
) -> None:
    near = Victim(tmp_path)
    fred, bert, eve = people(tmp_path, "fred", "bert", "eve")
    members = tuple(bytes([n]) * 32 for n in range(1, 30))
    with trio.fail_after(PATIENCE):
        async with living(near):
            await befriend(near, bert)
            await name(bert, near.port, *members, eve.key, fred.key)
            await fill(eve, near.port, 0, bert.key)
        async with living(near):
            await fill(eve, near.port, LETTERS, bert.key)
            assert await send(fred, near.port, bert.key, b"hello") == KEPT


async def test_strangers_with_invented_readers_push_out_no_reader_and_no_letter(
    tmp_path: Path,
) -> None:
    near = Victim(tmp_path)
    anna, bert = people(tmp_path, "anna", "bert")
    strangers = people(tmp_path, *(f"eve {n}" for n in range(8)))
    keys = [each.key for each in strangers]
    with trio.fail_after(PATIENCE):
        async with living(near):
            await befriend(near, bert)
            await name(bert, near.port, anna.key)
            assert await send(anna, near.port, bert.key, b"my move") == KEPT
            for number, one in enumerate(strangers):
                async with one.call(near.port) as line:
                    await line.say(LettersFrom((*keys, anna.key)))
                    for to in (*keys, bert.key, number.to_bytes(32, "big")):
                        assert await leave(line, to, bytes(16)) == DECLINED
            assert await send(anna, near.port, bert.key, b"more") == KEPT
            wanted = {b"my move", b"more"}
            assert await take(bert, near.port, anna.key, wanted=wanted) == wanted

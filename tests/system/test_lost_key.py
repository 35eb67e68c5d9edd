"""A match of two goes on after one computer has burnt, with the key on it."""

import shutil
from pathlib import Path

import pytest
import trio

from netplay.demo.player import Player
from netplay.demo.show import living
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import Answer, Join
from netplay.messages.node_questions import KeepCopy, KeepNoCopy, Succeed
from netplay.moving import homes
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.said import like
from tests.system.nodes import GAME, Resident, hand, one_log, says_yes, sit_down

pytestmark = pytest.mark.processes

MOVES = 6
PHRASE = "a stick and four words"


@pytest.mark.parametrize("gone", [0, 1])
async def test_who_has_lost_the_key_plays_the_match_to_its_end(
    tmp_path: Path, gone: int
) -> None:
    cast = [Resident(tmp_path, number) for number in range(2)]
    again = Resident(tmp_path / "new", gone, player=Player(GAME))
    stays, lost = cast[1 - gone], cast[gone]
    with trio.fail_after(PATIENCE):
        async with living(*cast, again):
            assert again.player.status is not None
            again.port = again.player.status.port
            await sit_down(cast)
            async with trio.open_nursery() as nursery:
                for one in cast:
                    nursery.start_soon(hand, one, 0.0, MOVES)
                await stays.until_table(lambda t: t.entries > MOVES)
                await lost.stop()
                nursery.cancel_scope.cancel()

            await again.player.ask(Answer(on=True))
            assert again.player.status is not None
            assert stays.player.status is not None
            line = f"netplay:{again.address}#{again.player.status.key}"
            key = again.player.status.key
            with pytest.raises(LocalError, match=like(Says.HEIR_UNMET)):
                await stays.player.ask(Succeed(lost.name, key))
            assert stays.player.status is not None
            with pytest.raises(LocalError, match=str(Says.HEIR_SELF())):
                await stays.player.ask(Succeed(lost.name, stays.player.status.key))
            with pytest.raises(LocalError, match=like(Says.HEIR_BY_KEY)):
                await stays.player.ask(Succeed(lost.name, again.name))
            with pytest.raises(LocalError, match=like(Code.NO_ANSWER)):
                nowhere = f"netplay:127.0.0.1:1#{key}"
                await stays.player.ask(Succeed(lost.name, nowhere))
            if gone:  # by the key alone, of who has come
                await again.player.ask(Join(stays.address))
                await stays.until_peer(
                    lambda peer: peer.connected and bool(peer.doubt)
                )  # a stranger by the friend's name
                await stays.player.ask(Succeed(lost.name, key))
            else:  # who invites is called, and asked: nobody has been met there
                await stays.player.ask(Succeed(lost.name, line))
                await says_yes(again)

            await again.until_table(lambda t: t.entries > MOVES)
            friend = (again.name, again.player.status.key)
            await stays.until(lambda status: status.friends == (friend,))
            async with trio.open_nursery() as nursery:
                for one in (stays, again):
                    nursery.start_soon(hand, one, 0.0)
                await one_log((stays, again))
                nursery.cancel_scope.cancel()


async def test_a_copy_is_offered_after_the_first_friend_and_brings_everything_back(
    tmp_path: Path,
) -> None:
    cast = ann, bob = [Resident(tmp_path, number) for number in range(2)]
    stick = tmp_path / "stick"
    stick.mkdir()
    with trio.fail_after(PATIENCE):
        async with living(*cast):
            for one in cast:
                assert one.player.status is not None
                assert not one.player.status.copy.offers
            await sit_down(cast)

            await bob.until(lambda status: status.copy.offers)
            with pytest.raises(LocalError, match=like(Says.PHRASE_SHORT, count=8)):
                await bob.player.ask(KeepCopy(str(stick), "short"))
            with pytest.raises(LocalError, match=like(Says.COPY_NO_FOLDER)):
                await bob.player.ask(KeepCopy(str(stick / "none"), PHRASE))
            await bob.player.ask(KeepCopy(str(stick), PHRASE))
            await bob.until(lambda s: s.copy.folder == str(stick) and s.copy.made > 0)
            await ann.player.ask(KeepNoCopy())
            await ann.until(lambda status: not status.copy.offers)
            assert bob.player.status is not None
            key, match = bob.player.status.key, bob.table.match
    shutil.rmtree(bob.home.path)
    (made,) = stick.iterdir()
    assert b"Blaise" not in made.read_bytes()

    new = Home(bob.home.path)
    new.prepare()
    packed = homes.from_bytes(homes.unlock(made.read_bytes(), PHRASE, made), made)
    homes.install(new, packed)

    again = Resident(tmp_path, 1)
    with trio.fail_after(PATIENCE):
        async with living(again):
            await again.until(lambda status: status.table is not None)
            assert again.player.status is not None
            assert again.player.status.key == key
            assert again.table.match == match
            await again.until(lambda status: status.copy.offers)  # anew, for this disk

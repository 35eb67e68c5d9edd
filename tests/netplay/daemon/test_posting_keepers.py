"""Players who vouch for what was left with them, and those who lie about it."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
import trio.testing

from netplay import limits
from netplay.daemon.posting import LIARS
from netplay.fingerprint import fingerprint
from netplay.messages.door import Tone
from netplay.messages.letters import NothingLeft
from netplay.messages.log import Late
from netplay.messages.table_questions import ClaimTime
from netplay.peering.letter_boxes import MEMORY
from netplay.record import letter
from netplay.record.clocks import told
from netplay.said import Said
from netplay.sentences import Says
from netplay.text import phrases
from tests.netplay.correspondents import (
    Cast,
    Correspondent,
    awake,
    begun,
    parted,
    until,
)
from tests.netplay.joined_nodes import SMALL
from tests.netplay.memory import World, acquainted
from tests.said import says


async def test_who_moves_and_has_nobodys_word_for_it_is_told_in_time(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with awake(*cast):
        await begun("numlo", ann, bob, options=SMALL, days=1)
    async with awake(ann):
        ann.moves(Random(1))
        await trio.sleep(1.0)
        status = ann.status
        assert status.made.moves == (0,)
        assert status.made.unconfirmed is None, "there is much time"
        ann.unix += 15 * 3600
        await trio.sleep(3700.0)
        status = ann.status
        assert status.made.unconfirmed == 9 * 3600
        assert " 9 h " in " ".join(phrases.moves(status))
        assert [place.warned for place in ann.tables.places] == [True]
    async with awake(ann, bob):
        await until(lambda: bob.on_turn)
        status = ann.status
        assert status.made.unconfirmed is None


async def test_a_host_whose_move_has_come_to_nobody_is_told_in_time(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        await begun("numlo", ann, bob, options=SMALL, days=1)
        await acquainted(carla, ann, bob)  # too late for the terms to name her
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(lambda: ann.match.fold.moves == 1)  # entered alone, in a letter
        await until(ann.kept)
        ann.unix += 15 * 3600
        await trio.sleep(3700.0)
        status = ann.status
        assert not status.made.moves
        assert status.made.unconfirmed == 9 * 3600
        assert " 9 h " in " ".join(phrases.undelivered(status))
        assert [place.warned for place in ann.tables.places] == [True]
    async with awake(ann, bob):
        await until(lambda: bob.on_turn)
        status = ann.status
        assert status.made.unconfirmed is None


async def test_a_guest_is_told_which_keepers_it_cannot_reach(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann)
        told, tell = list[str](), bob.tables.shared.tell

        def noted(said: Said, tone: Tone = "system") -> None:
            told.append(str(said))
            tell(said, tone)

        bob.tables.shared.tell = noted  # type: ignore[method-assign]
        await begun("numlo", ann, bob, options=SMALL, days=1)
        assert bob.match.ledger.terms.keepers == (carla.key,)
        assert any(says(text, Says.KEEPERS_FAR) for text in told)


def emptied(carla: Correspondent) -> None:
    """Have a keeper drop all letters, and say that there were none."""

    def said(author: bytes, to: bytes, box: bytes, since: int) -> NothingLeft:
        return NothingLeft(b"", author, to, box, since, carla.unix, bytes(64))

    carla.boxes.said = said  # type: ignore[method-assign]


def forgotten(carla: Correspondent) -> None:
    """Remove a keeper's letters, and what it remembers of them."""
    for path in (*carla.home.letters.glob("*.letter"), carla.home.letters / MEMORY):
        path.unlink()


async def test_a_keeper_that_signs_that_it_has_what_it_dropped_is_relied_on_no_more(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(ann.kept)
    forgotten(carla)
    for _ in range(2):  # and still after it was started anew
        async with awake(ann, carla):
            emptied(carla)
            await until(lambda: not ann.kept())
            await trio.sleep(30.0)
            assert ann.kept() == (), "it is left there again, and does not count"
        assert carla.key.hex() in ann.home.setting("liars")
    async with awake(bob, carla):
        await until(lambda: bob.on_turn)


async def test_letters_are_left_with_honest_keepers_before_one_that_has_lied(
    autojump_clock: trio.testing.MockClock,
    cast: Cast,
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "CARRIERS", 1)
    ann, bob, carla = cast
    dan = Correspondent(world, 4, tmp_path)
    async with awake(*cast, dan):
        for keeper in (carla, dan):
            await acquainted(keeper, ann, bob)
        await begun("numlo", ann, bob, options=SMALL)
    ann.home.set(LIARS, carla.key.hex())
    async with awake(ann, carla, dan):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(ann.kept)
        assert ann.kept() == (("player 2", "player 4"),)
        assert len(carla.carrying.posting) == 0


async def test_a_keeper_that_lost_its_disk_is_no_liar_and_gets_the_letter_again(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, _bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(ann.kept)
    forgotten(carla)
    carla.unix += 60
    async with awake(ann, carla):
        await trio.sleep(30.0)
        assert ann.kept() == (("player 2", "player 3"),)
        assert len(carla.carrying.posting) == 1
    assert not ann.home.setting("liars")


async def test_terms_with_days_name_the_hosts_keeper_whose_word_confirms_a_move(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann, bob)
        await begun("numlo", ann, bob, options=SMALL, days=1)
    async with awake(ann, bob, carla):
        await until(lambda: ann.on_turn and ann.match.linked)
        for one in (ann, bob):
            assert one.match.ledger.terms.keepers == (carla.key,)
        ann.moves(Random(1))
        await until(lambda: bob.on_turn)
    async with awake(bob, carla):
        await trio.sleep(3.0)
        bob.moves(Random(1))
        await until(bob.kept)
        bob.unix += 15 * 3600
        await trio.sleep(3700.0)
        status = bob.status
        assert status.made.moves == (1,)
        assert status.made.unconfirmed is None


async def a_day_late(cast: Cast) -> None:
    """Let Ann move in a match whose letters Carla keeps, and Bob's time run out."""
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann, bob)
        await begun("numlo", ann, bob, options=SMALL, days=1)
    async with awake(ann, bob, carla):
        await until(lambda: ann.on_turn and ann.match.linked)
        ann.moves(Random(1))
        await until(lambda: bob.on_turn)
        await trio.sleep(1.0)  # both say that they have it
    for one in cast:
        one.unix += 25 * 3600


async def test_a_claim_brings_the_word_of_the_keeper_that_nothing_was_left(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await a_day_late(cast)
    async with awake(ann, carla):
        await until(lambda: bool(ann.match.hidden.post.nothing))
        ann.does(ClaimTime())
        (late,) = (b for b in ann.match.submitting.bodies if isinstance(b, Late))
        (word,) = late.words
        letter.check_word(word)
        assert (word.keeper, word.author, word.to) == (carla.key, bob.key, ann.key)
        assert word.since <= ann.match.hidden.thinking.began <= word.at - 24 * 3600
    async with awake(ann, bob):
        await until(lambda: bob.match.fold.over)
        for one in (ann, bob):
            said = " ".join(map(str, one.status.claims))
            assert says(said, Says.KEEPER_NOTHING, keeper=fingerprint(carla.key))


async def test_a_keeper_that_went_before_it_answered_is_asked_as_it_comes_back(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, _bob, carla = cast
    await a_day_late(cast)
    async with awake(ann):
        async with awake(carla):
            asked = list[bytes]()

            def silent(author: bytes, *_asked: Any) -> None:
                asked.append(author)

            carla.boxes.said = silent  # type: ignore[method-assign]
            await until(lambda: asked)
        async with awake(carla):
            await until(lambda: bool(ann.match.hidden.post.nothing), 30.0)


async def test_a_claim_without_the_word_of_a_keeper_that_is_away_says_so(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann, bob)
        await begun("numlo", ann, bob, options=SMALL, days=1)
    async with awake(ann, bob):
        await until(lambda: ann.on_turn and ann.match.linked)
        ann.moves(Random(1))
        await until(lambda: bob.on_turn)
        for one in (ann, bob):
            one.unix += 25 * 3600
        ann.does(ClaimTime())
        await until(lambda: bob.match.fold.over)
        said = " ".join(map(str, told(bob.match.fold)))
        assert says(said, Says.KEEPER_SILENT, keeper=fingerprint(carla.key))


async def test_without_days_nobody_is_named_in_the_terms(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann, bob)
        await begun("numlo", ann, bob, options=SMALL)
        assert ann.match.ledger.terms.keepers == ()

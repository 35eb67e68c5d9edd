"""Lhexicon as players take their turns: real clicks and keys through the loop."""

from pathlib import Path

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.app.model import Over
from client.lhexicon.local import Doing
from client.ui.scene import find
from netplay.messages.door import LookAt
from netplay.sentences import Says
from rules import lhexicon
from rules.game import CLOCK
from rules.lhexicon import Challenge, Expire, Insist, Pass, PickUp, State, Withdraw
from tests.client.games import cell
from tests.client.listed import game
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.test_turns_by_hand import agreed, local, told
from tests.rules.lhexicon import matches, worked
from tests.said import says

FALSE = "J(-1,0)* X(0,0)* Z(1,0)*"


async def stands(script: Scripted, state: State) -> None:
    """Put the match of a node into a position, in which computers wait."""
    node = script.node
    node.moves, node.state, node.sent = 0, state, len(node.past)
    node.go_on()
    await script.shown()


async def does(script: Scripted, actor: int, move: lhexicon.Move) -> None:
    """Let somebody else, or the clock, make a move."""
    script.node.play(actor, move)
    script.node.go_on()
    await script.shown()


async def announced(script: Scripted, word: str = worked.CODED) -> State:
    """Announce a word by hand that is challenged; return the state before."""
    await agreed(script, "lhexicon", challenge="on", timed="3")
    options = script.node.options
    rack = "CODEJXZ" if word == FALSE else "CODEDJX"
    before = matches.begin(rack, "RUEL?AT", options=options)
    await stands(script, before)
    placed, path = matches.placed(before, 0, word)
    for each in placed:
        await script.drag(f"tile:{each.tile}", f"cell:{each.cell}")
    await script.click("next")
    for spot in path:
        await script.click(next(f"tile:{p.tile}" for p in placed if p.cell == spot))
    await script.click("done")
    assert script.node.state.announced is not None
    await does(script, 1, Challenge())
    return before


async def laid(script: Scripted, *cells: int) -> None:
    """Drag letters that are no blanks to cells of the board."""
    kinds, node = script.node.state.tiles.kinds[0], script.node
    plain = [
        tile
        for tile, kind in zip(node.state.tiles.racks[0], kinds, strict=True)
        if kind != lhexicon.BLANK
    ]
    for tile, spot in zip(plain, cells, strict=False):
        await script.drag(f"tile:{tile}", f"cell:{spot}")


def asked_to_leave(script: Scripted) -> bool:
    """Tell whether the window asks whether to leave the table."""
    return script.loop.model.over is Over.LEAVE


async def listed(script: Scripted) -> None:
    """Begin a match that the node lists among the games in hand, as all are."""
    known = replace(script.node.status, games=(game(0, "lhexicon"),))
    script.node.status = known
    await agreed(script, "lhexicon")


def looks_at_the_list(script: Scripted) -> bool:
    """Tell whether the node was asked for the list of games, and for nothing else."""
    return script.node.asked[-1] == LookAt(0)


@needs_dummy
async def test_escape_goes_back_step_by_step_and_then_to_the_games(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await listed(script)
        await laid(script, 108, 109)
        await script.click("next")
        assert local(script).marking
        await script.key(pygame.K_ESCAPE)
        assert not local(script).marking
        assert len(local(script).laid) == 2
        await script.key(pygame.K_ESCAPE)
        assert local(script).laid == ()
        assert not looks_at_the_list(script)
        await script.key(pygame.K_ESCAPE)
        assert looks_at_the_list(script)
        assert not asked_to_leave(script)


@needs_dummy
async def test_escape_closes_a_dialog_before_it_goes_to_the_games(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await listed(script)
        for button in ("discard", "pass"):
            await script.click(button)
            await script.key(pygame.K_ESCAPE)
            assert local(script).doing is Doing.PLAYING
            assert not looks_at_the_list(script)
        await script.key(pygame.K_ESCAPE)
        assert looks_at_the_list(script)


@needs_dummy
@pytest.mark.parametrize("how", ["keys", "button"])
async def test_a_game_is_aborted_by_a_key_and_by_quit_after_a_question(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, how: str
) -> None:
    async with window(tmp_path) as script:
        await listed(script)
        await laid(script, 108, 109)
        if how == "keys":
            await script.key(pygame.K_ESCAPE, pygame.KMOD_CTRL)
        else:
            await script.click("game.quit")
        assert asked_to_leave(script)
        await script.key(pygame.K_ESCAPE)
        assert not asked_to_leave(script)
        assert len(local(script).laid) == 2


@needs_dummy
async def test_delete_and_recall_take_all_letters_back(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon")
        await laid(script, 108, 109)
        await script.key(pygame.K_DELETE)
        assert local(script).laid == ()
        await laid(script, 108, 109)
        await script.key(pygame.K_BACKSPACE)
        assert len(local(script).laid) == 1
        await script.click("recall")
        assert local(script).laid == ()
        assert script.loop.model.over is Over.NONE


def with_blanks() -> State:
    """Return a match with a blank for E on the board, and an E in the first rack."""
    word = worked.CODED.replace("E(1,0)", "e(1,0)")
    state = matches.begin("CODDEX?", "RUELIAT")
    state = matches.give(matches.lay(state, word), "IIIAO")
    return lhexicon.play(state, 1, Pass())


@needs_dummy
async def test_a_blank_that_can_be_picked_up_is_offered_and_picked_up(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon")
        await stands(script, with_blanks())
        spot = f"cell:{cell(1, 0)}"
        offered = script.node_named(spot).value
        await script.click("pickup")
        assert [each.cell for each in local(script).swaps] == [cell(1, 0)]
        assert not script.sees("pickup")
        await script.click("recall")
        assert local(script).swaps == ()
        await script.click("pickup")
        await script.click("done")
        assert isinstance(script.node.past[-1][2], PickUp)
        assert script.node.state.blanks == ()
        assert lhexicon.BLANK in script.node.state.tiles.kinds[0]
        assert script.node_named(spot).value == "E"
        assert offered.startswith("E blank ")


@needs_dummy
async def test_nothing_is_offered_where_no_blank_can_be_picked_up(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon")
        state = with_blanks()
        await stands(script, lhexicon.play(state, 0, Pass()))
        assert not script.sees("pickup")  # it is the other's turn
        assert script.node_named(f"cell:{cell(1, 0)}").value == "E blank"
        await stands(script, state)
        held = matches.tile(state, 0, "X")
        await script.drag(f"tile:{held}", f"cell:{cell(3, 3)}")
        assert not script.sees("pickup")  # a word has been begun
        await script.key(pygame.K_DELETE)
        assert script.sees("pickup")


@needs_dummy
@pytest.mark.parametrize("keys", [False, True])
async def test_a_challenged_word_can_be_withdrawn(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, keys: bool
) -> None:
    async with window(tmp_path) as script:
        before = await announced(script)
        if keys:
            await script.key(pygame.K_DELETE)
        else:
            await script.click("withdraw")
        state = script.node.state
        assert isinstance(script.node.past[-1][2], Withdraw)
        assert (state.turn, state.scores, state.debts) == (1, (0, 0), (0, 0))
        assert state.tiles.racks == before.tiles.racks
        assert all(script.sees(f"tile:{tile}") for tile in before.tiles.racks[0])


@needs_dummy
@pytest.mark.parametrize("keys", [False, True])
async def test_whoever_stands_by_a_word_lets_the_dictionary_decide(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, keys: bool
) -> None:
    async with window(tmp_path) as script:
        await announced(script)
        if keys:
            await script.key(pygame.K_RETURN)
        else:
            await script.click("insist")
        assert any(isinstance(move, Insist) for _s, _a, move in script.node.past)
        assert script.node.state.scores == (8, 0)
        assert script.node.state.turn == 0


@needs_dummy
@pytest.mark.parametrize("late", [False, True])
async def test_a_word_that_was_wrong_is_said_to_whoever_lost_the_turn_by_it(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, late: bool
) -> None:
    async with window(tmp_path) as script:
        await announced(script, FALSE)
        if late:
            await does(script, CLOCK, Expire())
        else:
            await script.click("insist")
        assert says(script.reads(), Says.NO_WORD, word="JXZ")
        await does(script, 1, Pass())
        assert not says(script.reads(), Says.NO_WORD)  # what the other did is the news


@needs_dummy
async def test_a_turn_that_ran_out_is_said_until_the_other_has_moved(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon", timed="3")
        script.node.moves = 0
        await does(script, CLOCK, Expire())
        _tip, lost, _whose = told(script)
        await does(script, 1, Pass())
        assert lost not in script.reads()


@needs_dummy
async def test_enter_in_the_other_s_turn_says_whose_it_is_and_looks_refused(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon")
        script.node.moves = 0
        await does(script, 0, Pass())
        await script.key(pygame.K_RETURN)
        box = find(script.loop.root, "instructions")
        assert box is not None
        assert box.text.startswith("✗ ")
        assert box.fg == script.loop.model.look.theme.bad


@needs_dummy
async def test_a_challenge_of_a_good_word_says_why_the_turn_is_lost(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await agreed(script, "lhexicon", challenge="on")
        state = matches.begin("RUEL?AT", "CODEDJX", options=script.node.options)
        await stands(script, lhexicon.play(state, 0, Pass()))
        placed, path = matches.placed(script.node.state, 1, worked.CODED)
        move = lhexicon.lay(script.node.state, placed, path)
        await does(script, 1, move)
        await script.click("challenge")
        assert not says(script.reads(), Says.A_WORD, word="CODED")
        await does(script, 1, Insist())
        assert says(script.reads(), Says.A_WORD, word="CODED")
        await does(script, 1, Pass())
        assert not says(script.reads(), Says.A_WORD, word="CODED")

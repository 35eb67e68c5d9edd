"""Puzzles and the solitaire of the day in the window, on the games' own boards."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from client.app import browsing, puzzling
from client.app.lessons import Course, Learning
from client.app.model import Model, Over
from client.app.settings import Settings, load
from client.hexagrams.input import ends
from client.pages import courses, learn, screen
from client.pages.learn import Solve
from client.ui import texts
from client.ui.intents import Click
from client.ui.scene import top
from client.ui.texts import LANGUAGES
from netplay import puzzles as shelf
from netplay import wire
from rules import GAMES
from rules.hexcolumns import Drop, Lower, Rotate, Shift, Slant
from rules.lhexicon import Pass
from tests.client.clicking import update
from tests.client.lettering import fits, inked, of_the_program
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import base, fed

DAY = 739_578
KEYS = {
    Drop(): pygame.K_SPACE, Rotate(): pygame.K_UP, Shift(-1): pygame.K_LEFT,
    Shift(1): pygame.K_RIGHT, Lower(): pygame.K_DOWN,
}  # fmt: skip


def now(script: Scripted) -> Learning:
    found = script.loop.model.learning
    assert found is not None
    return found


async def opened(script: Scripted, game: str, number: int) -> None:
    await script.click(f"game:{list(GAMES).index(game)}")
    await script.click("puzzles")
    await script.click(f"{learn.GRID}:{number}")
    assert (now(script).game, now(script).at) == (game, number)


def line(game: str, number: int) -> list[Any]:
    puzzle, about = shelf.find(game, number), GAMES[game].ABOUT
    own = (move for actor, move in puzzle.line if actor == puzzle.seat)
    return [wire.unpack(move, about.move) for move in own]


@needs_dummy
async def test_a_puzzle_of_numlo_is_solved_by_a_click_and_remembered(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        before = len(script.node.asked)
        await opened(script, "numlo", 3)
        (right,) = line("numlo", 3)
        rules, state = GAMES["numlo"], now(script).state
        moves = rules.moves(state, now(script).seat)
        wrong = next(move for move in moves if move != right)
        await script.click(f"cell:{wrong.square}")
        refused = script.node_named("learn.said").text
        assert now(script).state == state
        assert not now(script).done
        await script.click(f"cell:{right.square}")
        assert now(script).done
        assert script.node_named("learn.said").text not in {refused, ""}
        assert "1 solved" in script.reads()
        assert script.node_named(f"{learn.GRID}:3").text == "✓ 4"
        assert len(script.node.asked) == before  # nothing of it went to the node
        await script.click("learn.next")
        assert now(script).at == 4
    kept, _damaged = load(tmp_path)
    assert puzzling.solved(kept, "numlo") == {3}


@needs_dummy
async def test_a_puzzle_of_hexagrams_is_answered_and_won(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "hexagrams", 0)
        seat = now(script).seat
        for i, move in enumerate(moves := line("hexagrams", 0)):
            (a, b), (c, d) = ends(move)
            await script.click(f"tile:{a}{b}")
            await script.click(f"cell:{c}{d}")
            if i < len(moves) - 1:
                assert now(script).said
                assert now(script).state.turn == seat  # the other has answered
        assert now(script).done, script.reads()


@needs_dummy
async def test_a_puzzle_of_hexcolumns_brings_the_same_pieces_until_it_is_solved(
    autojump_clock: Any, tmp_path: Path
) -> None:
    number = next(
        n
        for n in range(shelf.count("hexcolumns"))
        if not any(isinstance(move, Slant) for move in line("hexcolumns", n))
    )
    async with window(tmp_path) as script:
        await opened(script, "hexcolumns", number)
        first = now(script).state
        for _ in range(3):
            if not now(script).said:
                await script.key(pygame.K_SPACE)
        assert now(script).said
        assert now(script).state == first
        for move in line("hexcolumns", number):
            await script.key(KEYS[move])
        assert now(script).done, script.reads()


@needs_dummy
async def test_whoever_asks_for_the_solution_has_not_solved_the_puzzle(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "networdz", 5)
        await script.click(learn.SOLUTION)
        assert now(script).done
        assert not puzzling.solved(script.loop.model.settings, "networdz")
        await script.click("learn.again")
        assert not now(script).done


@needs_dummy
async def test_the_puzzle_of_the_day_is_shown_first_then_what_is_unsolved(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await script.settle()
        day = script.loop.model.day
        assert day > DAY - 400  # the loop tells it
        await script.click(f"game:{list(GAMES).index('numlo')}")
        await script.click("puzzles")
        today = puzzling.today_of("numlo", day)
        assert now(script).at == today
        assert "today's" in script.reads()
        await script.click("learn.close")
        own = puzzling.with_solved(script.loop.model.settings, "numlo", today)
        script.loop.model = replace(script.loop.model, settings=own)
        await script.click("puzzles")
        assert now(script).at == (1 if today == 0 else 0)
        await script.click(learn.TODAY)
        assert now(script).at == today


async def lay(script: Scripted) -> None:
    """Lay a word, whatever there is."""
    state = now(script).state
    move = next(GAMES["lhexicon"].moves(state, 0))
    for each in move.laid:
        await script.drag(f"tile:{each.tile}", f"cell:{each.cell}")
    await script.click("next")
    for cell in move.path:
        await script.click(f"cell:{cell}")
    await script.click("done")


@needs_dummy
async def test_the_solitaire_of_the_day_goes_on_after_a_restart(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "lhexicon", 0)
        await script.click(learn.SOLITAIRE)
        rack = now(script).state.tiles.kinds[0]
        await lay(script)
        state = now(script).state
        assert state.scores[0] > 0, script.reads()
        assert len(state.tiles.racks[0]) == 7  # new letters have come
        assert state.tiles.kinds[0] != rack
    kept, _damaged = load(tmp_path)
    async with window(tmp_path, settings=replace(kept, sound=False)) as script:
        await script.settle()
        await opened(script, "lhexicon", 0)
        await script.click(learn.SOLITAIRE)
        assert now(script).state == state


@needs_dummy
async def test_a_solitaire_that_is_open_at_midnight_stays_that_of_its_day(
    autojump_clock: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = DAY
    monkeypatch.setattr(browsing, "today", lambda: day)
    async with window(tmp_path) as script:
        await opened(script, "lhexicon", 0)
        await script.click(learn.SOLITAIRE)
        begun = now(script).state
        await lay(script)
        day += 1
        await script.calm()
        await lay(script)
        assert script.loop.model.day == day
        assert "2025-11-23" in script.reads()
        state, kept = now(script).state, script.loop.model.settings.solitaire
        assert (kept.day, len(kept.moves)) == (DAY, 2)
        moves = tuple((0, bytes.fromhex(each)) for each in kept.moves)
        assert shelf.resumed("lhexicon", DAY, moves).state == state
        await script.click(learn.BACK)
        await script.click(learn.SOLITAIRE)
        assert "2025-11-24" in script.reads()
        assert now(script).state not in (begun, state)


def test_the_end_of_a_solitaire_is_kept_and_can_be_copied() -> None:
    model = replace(base((1280, 800)), day=DAY)
    began, _e = courses.begun(
        replace(model, over=Over.LEARN), "lhexicon", 0, Course.SOLITAIRE
    )
    assert began.learning is not None
    state = replace(began.learning.state, scores=(123,))
    ended = replace(began.learning, state=state, done=True)
    own = puzzling.with_move(model.settings, ended, Pass())
    assert own.solitaires == ((DAY, 123),)
    before = tuple((day, 7) for day in range(DAY - puzzling.KEPT, DAY))
    full = replace(model.settings, solitaires=before)
    own = puzzling.with_move(full, ended, Pass())
    assert own.solitaires == (*before[1:], (DAY, 123))
    assert "123" in puzzling.told(ended)
    assert "2025-11-23" in puzzling.told(ended)


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    for game in courses.games(Course.PUZZLES):
        first, _e = learn.puzzle_opened(model, game)
        assert first.learning is not None
        yield game, first
        yield f"{game} solved", update(first, Click("solve", means=Solve()))[0]
    over = replace(model, over=Over.LEARN)
    yield "solitaire", courses.begun(over, "lhexicon", 0, Course.SOLITAIRE)[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("wide", "high"), [(800, 500), (1280, 800)])
def test_no_puzzle_cuts_or_covers_a_text(wide: int, high: int, language: str) -> None:
    texts.speak(language)
    model = replace(base((wide, high)), day=DAY)
    model = replace(model, settings=Settings(language=language))
    wrong = []
    for name, page in pages(fed(model)):
        root = screen.scene(page)
        wrong += [
            (name, one.text, two.text)
            for (one, a), (two, b) in combinations(list(inked(top(root))), 2)
            if a.meets(b)
        ]
        cut = [node for node in of_the_program(root) if not fits(node, page)]
        wrong += [(name, node.name, node.text) for node in cut]
    texts.speak("en")
    assert not wrong

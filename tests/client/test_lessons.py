"""How to play: lessons on the games' own boards, judged by their own rules."""

from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from client.app import board
from client.app.lessons import Course, Lesson, Position
from client.app.model import Model, Over
from client.app.settings import Settings
from client.pages import courses, learn, screen
from client.ui import texts
from client.ui.intents import Click
from client.ui.scene import find, top
from client.ui.texts import LANGUAGES
from netplay.sentences import Says
from rules import GAMES, hexagrams, hexcolumns, hexes, lhexicon, networdz
from rules.game import CHANCE, IllegalMoveError
from rules.hexcolumns import Drop, Rotate, Shift
from rules.sentence import sentence
from rules.tiles import bag_size
from tests.client.clicking import update
from tests.client.lettering import fits, inked, of_the_program
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import base, fed, status
from tests.client.worlds import texts as texts_of
from tests.rules.lhexicon import matches, worked
from tests.said import says

EVERY = [(game, i) for game in GAMES for i in range(len(courses.lessons(game)))]
TASKS = [(game, i) for game, i in EVERY if courses.lessons(game)[i].task is not None]
ENOUGH = 1500
"""Moves of a word game looked at."""

SHOWN = ((800, 500, 100), (1280, 800, 100), (1280, 800, 150), (2560, 1600, 200))

TIGHT = (
    *((SHOWN[0], each) for each in LANGUAGES),
    *zip(SHOWN[1:], ("ru", "de", "fr"), strict=True),
)
"""Every language where there is least room, and each size in one of the longest."""

SLOW = pytest.mark.slow


def lesson(game: str, at: int) -> Lesson:
    return courses.lessons(game)[at]


@pytest.mark.parametrize(("game", "at"), EVERY)
def test_each_picture_comes_about_by_the_rules(game: str, at: int) -> None:
    place: Position = lesson(game, at).position()
    rules = GAMES[game]
    later = [*(each.before for each in place.past[1:]), place.state]
    for each, follows in zip(place.past, later, strict=False):
        after = rules.play(each.before, each.actor, each.move)
        if rules.actors(after) != {CHANCE}:
            assert after == follows


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_that_stands_for_networdz_has_words_of_the_windows_language(
    language: str,
) -> None:
    texts.speak(language)
    place = lesson("networdz", board.find("networdz").TRAITS.pictured).position()
    edition = networdz.ground(place.state.options).edition
    assert edition.language == language
    assert sum(map(bool, place.state.letters)) > 90
    assert networdz.places(place.state)


@pytest.mark.parametrize("game", GAMES)
def test_the_lesson_about_the_end_shows_an_end_that_the_rules_know(game: str) -> None:
    last = courses.lessons(game)[-1]
    place = last.position()
    assert "end" in last.title.lower()
    assert not GAMES[game].actors(place.state)
    assert 0 < last.moving <= len(place.past)
    assert all(GAMES[game].actors(step.before) for step in place.past)
    tiled = GAMES[game].ABOUT.tiled
    if tiled is not None:  # as it is told: the bag is empty, and so is one rack
        tiles = tiled.tiles(place.state)
        assert bag_size(tiles) == 0
        assert sorted(map(bool, tiles.racks)) == [False, True]


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_who_goes_out_last_is_seen_and_gains_what_is_told(game: str) -> None:
    place = courses.lessons(game)[-1].position()
    last = place.past[-1]
    scored = GAMES[game].ABOUT.scored
    assert scored is not None
    before, after = scored.scores(last.before), scored.scores(place.state)
    other = 1 - last.actor
    left = place.state.tiles.kinds[other]
    if game == "lhexicon":  # nothing is taken from anybody
        assert after[other] == before[other]
        return
    points = sum(networdz.ground(place.state.options).points[kind] for kind in left)
    assert points > 0
    assert after[other] == before[other] - points
    laid = networdz.judge_lay(last.before, last.move)
    assert after[last.actor] == before[last.actor] + laid.points + points


TAUGHT = {
    "en": ("TRAIN", "TRAINS", "TRAINED"),
    "de": ("REISE", "REISEN", "REISEND"),
    "fr": ("TRAIN", "TRAINS", "TRAINER"),
    "es": ("CANTA", "CANTAS", "CANTABA"),
    "ru": ("КАРТА", "КАРТАМ", "КАРТАМИ"),
}
"""The first word of the lessons of Networdz, the longer one, and all seven tiles."""


def trained(place: Position) -> networdz.Lay:
    """Return the move that lays all tiles of the first rack, the last maybe a blank."""
    field, rack = networdz.ground(place.state.options), place.state.tiles.racks[0]
    letters = map(field.alphabet.index, TAUGHT[field.edition.language][2])
    cells = range(field.width * 7 + 4, field.width * 7 + 11)
    laid = map(networdz.Laid, cells, rack, letters)
    return networdz.lay(place.state, place.seat, tuple(laid))


@pytest.mark.parametrize("language", LANGUAGES)
def test_networdz_is_taught_with_words_and_tiles_of_the_windows_language(
    language: str,
) -> None:
    texts.speak(language)
    word, longer, whole = TAUGHT[language]
    told = courses.lessons("networdz")
    places = [each.position() for each in told]
    fields = {networdz.ground(place.state.options) for place in places}
    assert {field.edition.language for field in fields} == {language}
    tasks = [each.task for each in told]
    assert tasks[0] and word in tasks[0].wish
    assert tasks[1] and word in tasks[1].wish and longer in tasks[1].done
    assert word in told[2].text
    assert tasks[3] and whole in tasks[3].wish
    for at, task in enumerate(tasks):
        if task is not None:
            assert True in outcomes("networdz", places[at], at)
    laid = trained(places[3])
    line, *_bonus = networdz.judge_lay(places[3].state, laid).lines
    assert line.word == whole


def outcomes(game: str, place: Position, at: int) -> set[bool | None]:
    """Return what the judge says of every move that the rules allow."""
    rules, task = GAMES[game], lesson(game, at).task
    assert task is not None
    found: set[bool | None] = set()
    for state, move in tries(game, place):
        found.add(task.judge(state, move, rules.play(state, place.seat, move)))
    return found


def tries(game: str, place: Position) -> Any:
    """Yield positions that one's own hand reaches, and a move in each."""
    if game == "hexcolumns":
        for by in range(-4, 5):
            for turns in range(3):
                state = place.state
                steps = [Shift(1 if by > 0 else -1)] * abs(by) + [Rotate()] * turns
                for move in steps:
                    state = hexcolumns.play(state, 0, move)
                yield state, Drop()
        return
    for move in islice(GAMES[game].moves(place.state, place.seat), ENOUGH):
        yield place.state, move
    if game == "networdz" and not place.past:
        yield place.state, trained(place)
    if game == "lhexicon":  # what comes late among all moves
        yield place.state, lhexicon.Discard(place.state.tiles.racks[place.seat][:2])
        if place.past:
            laid, path = matches.placed(place.state, place.seat, worked.CODDLE)
            yield place.state, lhexicon.lay(place.state, laid, path)


@pytest.mark.parametrize(("game", "at"), TASKS)
def test_each_task_can_be_done_and_says_what_else_is_no_answer(
    game: str, at: int
) -> None:
    found = outcomes(game, lesson(game, at).position(), at)
    task = lesson(game, at).task

    assert True in found
    assert task is not None
    assert bool(task.missed) == (False in found) or len(found) == 1


def test_black_must_capture_after_each_first_move_of_white() -> None:
    task = lesson("hexagrams", 2)
    state = task.position().state
    rules = GAMES["hexagrams"]
    for move in rules.moves(state, 0):
        after = rules.play(state, 0, move)
        assert all(
            rules.play(after, 1, reply).triads[0] != after.triads[0]
            for reply in rules.moves(after, 1)
        ), move


def test_the_bonus_told_is_the_bonus_of_the_rules() -> None:
    before = lesson("lhexicon", 2).position().past[-1]
    state = lhexicon.play(before.before, before.actor, before.move)
    assert state.scores[0] - before.before.scores[0] == 9 + 12


def test_the_points_told_of_a_double_word_are_those_of_the_rules() -> None:
    scored = GAMES["networdz"].ABOUT.scored
    assert scored is not None
    assert scored.scores(lesson("networdz", 2).position().state)[0] == 2 * 5


def page(game: str, at: int, size: tuple[int, int], scale: int, language: str) -> Model:
    texts.speak(language)
    model = base(size, "light", scale)
    model = fed(replace(model, settings=replace(model.settings, language=language)))
    return courses.begun(replace(model, over=Over.LEARN), game, at)[0]


@pytest.mark.parametrize(
    ("wide", "high", "scale", "language"),
    [
        pytest.param(*size, each, marks=() if (size, each) in TIGHT else SLOW)
        for size in SHOWN
        for each in LANGUAGES
    ],
)
def test_no_lesson_cuts_or_covers_a_text(
    wide: int, high: int, scale: int, language: str
) -> None:
    wrong = []
    for game, at in EVERY:
        model = page(game, at, (wide, high), scale, language)
        root = screen.scene(model)
        wrong += [
            (game, at, one.text, two.text)
            for (one, a), (two, b) in combinations(list(inked(top(root))), 2)
            if a.meets(b)
        ]
        cut = [node for node in of_the_program(root) if not fits(node, model)]
        wrong += [(game, at, node.name, node.text) for node in cut]
    assert not wrong


# By hand, through the loop.


async def opened(script: Scripted, game: str) -> None:
    await script.click("help")
    await script.click("help.learn")
    await script.click(f"{learn.TABS}:{courses.games(Course.LESSONS).index(game)}")


def shown(script: Scripted) -> Any:
    now = script.loop.model.learning
    assert now is not None
    return now


async def at(script: Scripted, number: int) -> None:
    while shown(script).at < number:
        await script.click("learn.next")


@needs_dummy
async def test_the_lessons_open_from_help_and_end_where_they_were_opened(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        before = len(script.node.asked)
        await opened(script, "numlo")
        assert shown(script).at == 0
        for _ in range(5):
            await script.click("learn.next")
        assert script.node_named("learn.next").text == "Finish"
        await script.click("learn.next")
        assert script.loop.model.over is Over.NONE
        assert script.sees("help")
        assert len(script.node.asked) == before  # nothing of it went to the node


@needs_dummy
async def test_the_start_page_leads_to_the_lessons_of_the_game_chosen(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await script.click(f"game:{list(GAMES).index('lhexicon')}")
        await script.click("learn")
        assert shown(script).game == "lhexicon"
        await script.click("learn.close")
        assert script.sees("learn")
        assert script.loop.model.over is Over.NONE


@needs_dummy
async def test_the_lessons_go_on_where_one_left_them_after_a_restart(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "hexagrams")
        await script.click("learn.next")
        await script.click("learn.next")
        await script.key(pygame.K_ESCAPE)
        assert script.loop.model.over is Over.NONE
    kept = Settings(sound=False, lessons=script.loop.model.settings.lessons)
    async with window(tmp_path, settings=kept) as script:
        await opened(script, "hexagrams")
        assert shown(script).at == 2


@needs_dummy
async def test_numlos_tasks_are_done_by_mouse_and_wrong_tries_are_told(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "numlo")
        await at(script, 1)
        await script.click(f"cell:{4 * 8 + 5}")
        assert not shown(script).done
        fewer = script.node_named("learn.said").text
        await script.click("cell:0")
        nothing = script.node_named("learn.said").text
        assert not shown(script).done
        await script.click(f"cell:{2 * 8 + 7}")
        assert shown(script).done
        right = script.node_named("learn.said").text
        assert len({"", fewer, nothing, right}) == 4  # each is told what it was
        await script.click("learn.again")
        assert not shown(script).done


@needs_dummy
async def test_networdz_lays_words_and_exchanges_in_lessons(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "networdz")
        rack = shown(script).state.tiles.racks[0]
        for i, tile in enumerate(rack[:5]):
            await script.drag(f"tile:{tile}", f"cell:{7 * 15 + 4 + i}")
        await script.click("done")
        assert shown(script).done, script.reads()
        await at(script, 3)
        rack = shown(script).state.tiles.racks[0]
        for i, tile in enumerate(rack):
            await script.drag(f"tile:{tile}", f"cell:{7 * 15 + 4 + i}")
        await script.type("d")
        await script.click("done")
        assert shown(script).done, script.reads()
        await at(script, 4)
        await script.click("pass")
        await script.click("done")
        assert not shown(script).done
        assert shown(script).said


@needs_dummy
async def test_lhexicon_takes_a_word_in_its_lesson(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "lhexicon")
        state = shown(script).state
        laid, path = matches.placed(state, 0, worked.CODED)
        for each in laid:
            await script.drag(f"tile:{each.tile}", f"cell:{each.cell}")
        await script.click("next")
        for cell in path:
            await script.click(f"cell:{cell}")
        await script.click("done")
        assert shown(script).done, script.reads()
        assert hexes.numbers(6)[0, 0] in path


@needs_dummy
async def test_hexcolumns_is_tried_with_its_keys(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "hexcolumns")
        await script.key(pygame.K_SPACE)
        assert not shown(script).done
        assert shown(script).said
        await script.key(pygame.K_RIGHT)
        await script.key(pygame.K_SPACE)
        assert shown(script).done
        await at(script, 4)
        await script.key(pygame.K_UP)
        await script.key(pygame.K_SPACE)
        assert shown(script).done


@needs_dummy
async def test_a_moving_picture_shows_one_move_after_the_other(
    autojump_clock: Any, tmp_path: Path
) -> None:
    import trio  # noqa: PLC0415 (only here)

    async with window(tmp_path) as script:
        await opened(script, "hexagrams")
        await at(script, 5)
        seen = set()
        for _ in range(30):
            await trio.sleep(learn.SHOWN / 2)
            await script.settle()
            seen.add(shown(script).frame)
        assert seen == set(range(8))


@needs_dummy
async def test_the_last_lesson_of_a_game_leads_on_to_its_puzzles(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "hexagrams")
        assert not script.sees("learn.puzzles")
        await at(script, 5)
        await script.click("learn.puzzles")
        assert (shown(script).course, shown(script).game) == (
            Course.PUZZLES,
            "hexagrams",
        )


@needs_dummy
async def test_keys_are_one_click_away_from_the_lessons_and_back(
    autojump_clock: Any, tmp_path: Path
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "numlo")
        await script.click("learn.next")
        await script.click("learn.keys")
        assert script.loop.model.over is Over.HELP
        assert fed(script.loop.model, status()).over is Over.HELP
        does = {words for _key, words in board.find("numlo").keys(())}
        assert does <= {*script.reads().splitlines()}
        await script.click("close")
        assert shown(script).at == 1
        assert script.loop.model.over is Over.LEARN
        await script.key(pygame.K_F1)
        assert script.loop.model.over is Over.HELP
        await script.key(pygame.K_ESCAPE)
        assert script.loop.model.over is Over.LEARN
        await script.key(pygame.K_ESCAPE)
        assert script.loop.model.over is Over.NONE
        await script.key(pygame.K_F1)
        assert not does <= {*script.reads().splitlines()}
        await script.key(pygame.K_F1)
        assert script.loop.model.over is Over.NONE


def test_an_illegal_try_is_refused_in_the_rules_words() -> None:
    texts.speak("en")
    rules = GAMES["numlo"]
    state = lesson("numlo", 2).position().state
    with pytest.raises(IllegalMoveError):
        rules.play(state, 0, type(next(rules.moves(state, 0)))(0))


def refuses(*_given: object) -> Any:
    """Stand in for `play` of rules that name a value in what they refuse."""
    raise IllegalMoveError(sentence("{word} is not in the dictionary", word="XOT"))


@pytest.mark.parametrize(("game", "at"), [("numlo", 2), ("hexagrams", 2)])
def test_values_in_a_refusal_are_told_in_the_language_of_the_window(
    game: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        model, _effects = learn.opened(base(), game)
        model, _effects = update(model, Click(f"learn.step:{at}"))
        patched.setattr(GAMES[game], "play", refuses)
        texts.speak("de")
        for name in tried(model, game):
            model, _effects = update(model, Click(name))
    notice = model.learning.local.notice if model.learning else ""
    texts.speak("en")
    assert "XOT" in notice
    assert not says(notice, Says.NO_WORD)  # which is English


def tried(model: Model, game: str) -> tuple[str, ...]:
    """Return the names of what is clicked to make a move."""
    now = model.learning
    assert now is not None
    move = next(GAMES[game].moves(now.state, lesson(game, now.at).position().seat))
    if game == "numlo":
        return (f"cell:{move.square}",)
    sort = "t" if isinstance(move, hexagrams.Triad) else "h"
    return (f"tile:{sort}{move.origin}", f"cell:{sort}{move.target}")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("course", [Course.LESSONS, Course.PUZZLES])
def test_each_button_of_the_games_own_does_something(game: str, course: Course) -> None:
    model = replace(fed(base(), status()), over=Over.LEARN)
    model = courses.begun(model, game, 1, course)[0]
    root = screen.scene(model)
    for name in ("game.sound", "game.quit"):
        if find(root, name) is not None:
            after, _effects = update(model, Click(name))
            assert after.settings.sound != model.settings.sound or not after.learning
            if after.learning:
                assert after.learning.said in texts_of(screen.scene(after))
                assert after.learning.said != (model.learning and model.learning.said)


class Hasty:
    """A board that lays what the hand has laid without asking what it makes."""

    def __getattr__(self, name: str) -> Any:
        return getattr(board.find("networdz"), name)

    @staticmethod
    def handle(seen: Any, local: Any, _intent: Any) -> Any:
        laid = tuple(
            networdz.Laid(7 * 15 + 6 + i, tile, letter)
            for i, (tile, letter) in enumerate(
                zip(seen.view.tiles.racks[0][3:0:-1], (8, 0, 17), strict=True)
            )
        )
        return local, networdz.lay(seen.view, seen.seat, laid)


class Boards:
    """All boards hasty."""

    @staticmethod
    def find(_game: str) -> Hasty:
        return Hasty()


def test_a_lesson_tells_values_in_a_refusal_in_the_language_of_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, _effects = learn.opened(base(), "networdz")
    texts.speak("de")
    with monkeypatch.context() as patched:
        patched.setattr(courses, "board", Boards())
        model, _effects = update(model, Click("done"))
    texts.speak("en")
    assert model.learning is not None
    assert "IAR" in model.learning.said
    assert not says(model.learning.said, Says.NO_WORD)

"""What is played on a game's own board without a table: lessons, puzzles, solitaire."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from msgspec.structs import replace

from client.app import board, mistakes, puzzling
from client.app.board import AnySeen, Seen, Step
from client.app.lessons import Course, Learning, Lesson
from client.app.model import Change, Effect, Model, Over, Play, Store, tell
from client.app.settings import Settings
from client.ui import texts
from client.ui.intents import Intent
from client.ui.sound import Sound
from client.ui.texts import _
from netplay import puzzles
from rules import GAMES, LISTED
from rules.game import IllegalMoveError


def lessons(game: str) -> tuple[Lesson, ...]:
    """Return a game's lessons, in the language of the window."""
    found: tuple[Lesson, ...] = import_module(f"client.{game}.lessons").lessons()
    return found


def every(model: Model, game: str, course: Course) -> tuple[Lesson, ...]:
    """Return all steps of a course, in the language of the window."""
    if course is Course.LESSONS:
        return lessons(game)
    if course is Course.PUZZLES:
        return puzzling.listed(game)
    if course is Course.MISTAKES:
        return mistakes.listed(model.settings, game)
    return puzzling.solitaire_of(game, model.settings, model.day)


def lesson(model: Model, now: Learning) -> Lesson:
    """Return the step of a course that one is at."""
    at_day = replace(model, day=now.day)
    return every(at_day, now.game, now.course)[now.at]


def games(course: Course, own: Settings | None = None) -> list[str]:
    """Return the games that have such a course; of mistakes, by the settings."""
    if course is Course.MISTAKES:
        return [game for game in LISTED if own and mistakes.of(own, game)]
    if course is Course.LESSONS:
        return [game for game in LISTED if board.find(game).TRAITS.taught]
    if course is Course.SOLITAIRE:
        return [game for game in LISTED if board.find(game).TRAITS.solitaire]
    return [game for game in LISTED if puzzles.count(game)]


def begun(model: Model, game: str, at: int, course: Course = Course.LESSONS) -> Change:
    """Begin a step of a course, and remember the lesson reached."""
    place = every(model, game, course)[at].position()
    fresh = Learning(
        game, at, place.state, place.past, None, since=model.now, course=course,
        day=model.day, seat=place.seat, done=not GAMES[game].actors(place.state),
    )  # fmt: skip
    shown = seen(replace(model, learning=fresh), fresh)
    fresh = replace(fresh, local=board.find(game).begin(shown))
    if course is not Course.LESSONS:
        return replace(model, learning=fresh), ()
    reached = {**dict(model.settings.lessons), game: at}
    own = replace(model.settings, lessons=tuple(sorted(reached.items())))
    effects: tuple[Effect, ...] = (Store(),) if own != model.settings else ()
    return replace(model, learning=fresh, settings=own), effects


def seen(model: Model, now: Learning) -> AnySeen:
    """Return what the game module may know."""
    rules, seat = GAMES[now.game], now.seat
    past, state, moving = now.past, now.state, 0
    task = True
    if now.course is Course.LESSONS:
        step = lesson(model, now)
        task, moving = step.task is not None, step.moving
    if moving and now.frame < moving:
        cut = len(past) - moving + now.frame
        past, state = past[:cut], past[cut].before
    steps = tuple(
        Step(
            rules.view(each.before, seat),
            each.actor,
            rules.mask(each.before, each.actor, each.move, seat),
        )
        for each in past
    )
    others = iter(("Ben", "Cleo", "Dora"))
    names = tuple(
        _("You") if each == seat else next(others)
        for each in range(max(rules.ABOUT.seats))
    )
    live = task and not now.done
    return Seen(
        rules.view(state, seat), seat, names, steps, live, model.now,
        keys=model.settings.keys,
    )  # fmt: skip


# What is done on such a board.


def closed(model: Model) -> Change:
    """Close the page; who looked for a better move goes back to the review."""
    again, match = model.review.again, model.match
    if again < 0 or match is None:
        return replace(model, over=Over.NONE, learning=None), ()
    model = replace(model, match=replace(match, back=again + 1))
    back = replace(model.review, again=-1)
    return replace(model, over=Over.REVIEW, learning=None, review=back), ()


def sounded(model: Model) -> Change:
    """React to a game's own SOUND button, in a match or on a board to learn on."""
    on, now = not model.settings.sound, model.learning
    words = _("Sounds are on.") if on else _("Sounds are off.")
    model = replace(model, settings=replace(model.settings, sound=on))
    effects: tuple[Effect, ...] = (Store(), Play(Sound.TILE)) if on else (Store(),)
    if now is None:
        return tell(model, words), effects
    return replace(model, learning=replace(now, said=words)), effects


def escaped(model: Model, now: Learning, shown: AnySeen, intent: Intent) -> Change:
    """Let the game take back what is laid, else close the page."""
    local, move = board.find(now.game).handle(shown, now.local, intent)
    if move is not None or local == now.local:
        return closed(model)
    return replace(model, learning=replace(now, local=local)), ()


def tried(
    model: Model,
    now: Learning,
    shown: AnySeen,
    intent: Intent,
    made: Callable[[Any, Any, Any], Change],
) -> Change:
    """Let the hand do something on the board.

    Args:
        model: As it is.
        now: What is on the board.
        shown: What the game may know of it.
        intent: What the hand does.
        made: Takes the game's local state, the legal move that comes of it, and the
            state after that.
    """
    rules = GAMES[now.game]
    local, move = board.find(now.game).handle(shown, now.local, intent)
    if move is None:
        said = now.said if local == now.local else ""
    else:
        try:
            return made(local, move, rules.play(now.state, now.seat, move))
        except IllegalMoveError as error:
            said = texts.told(error.words)
    return replace(model, learning=replace(now, local=local, said=said)), ()

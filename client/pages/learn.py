"""How to play: the lessons of a game, on its own board (`client.app.lessons`)."""

from typing import Final, TypeAlias

from msgspec.structs import replace

from client.app import board, mistakes, puzzling
from client.app.board import AnyLocal, AnyMove, AnySeen, AnyState, Step
from client.app.clicks import taker
from client.app.lessons import Course, Learning, Lesson, Task
from client.app.model import (
    Change,
    Copy,
    Effect,
    Model,
    Over,
    Page,
    Play,
    Store,
    same,
    tell,
)
from client.pages import courses, tryout
from client.ui import typefaces, widgets
from client.ui import widgets as tabs
from client.ui.intents import Intent, Key
from client.ui.layout import columns, rows
from client.ui.scene import Align, Means, Node, Rect, Role, Shape
from client.ui.sound import Sound
from client.ui.texts import _, ngettext
from client.ui.theme import Look, stands
from client.ui.widgets import Item, Tone, label
from netplay import puzzles
from rules import LISTED

# The parts of the page that only puzzles and the solitaire have, and what they do.


GRID: Final = "puzzle"
"""The numbers of the puzzles, where there is room for them."""

ACROSS: Final = 4

TODAY: Final = "puzzle.today"
SOLUTION: Final = "puzzle.solution"
SOLITAIRE: Final = "puzzle.solitaire"
MISTAKES: Final = "puzzle.mistakes"
BACK: Final = "puzzle.all"
"""From the solitaire, or one's mistakes, to the puzzles."""

TOLD: Final = "puzzle.copy"


class Puzzle(Means, frozen=True):
    """Begin the puzzle of that number."""

    number: int


class ToToday(Means, frozen=True):
    """Begin the puzzle of the day."""


class Solve(Means, frozen=True):
    """Show how the puzzle is solved."""


class ToSolitaire(Means, frozen=True):
    """Go to the solitaire of the day."""


class ToMistakes(Means, frozen=True):
    """Go to one's own mistakes in the game."""


class ToPuzzles(Means, frozen=True):
    """Go to the puzzles of the game."""


class CopyResult(Means, frozen=True):
    """Put the result of the solitaire on the clipboard."""


OfPuzzle: TypeAlias = (
    Puzzle | ToToday | Solve | ToSolitaire | ToMistakes | ToPuzzles | CopyResult
)


class StepBack(Means, frozen=True):
    """Go to the step before."""


class StepOn(Means, frozen=True):
    """Go to the next step; from the last lesson back to the page."""


class TryAgain(Means, frozen=True):
    """Begin the step anew."""


class Shut(Means, frozen=True):
    """Close the page."""


class ShowKeys(Means, frozen=True):
    """Show the keys of the game."""


class OtherGame(Means, frozen=True):
    """Go to the same course of another game."""

    number: int


class ToLesson(Means, frozen=True):
    """Go to a lesson."""

    number: int


Control: TypeAlias = (
    StepBack | StepOn | TryAgain | Shut | ShowKeys | OtherGame | ToLesson
)


def puzzle_opened(model: Model, game: str) -> Change:
    """Open the puzzles of a game: the one of the day, or the first unsolved."""
    known = courses.games(Course.PUZZLES)
    game = game if game in known else known[0]
    at = puzzling.first(model.settings, game, model.day)
    return at_number(replace(model, over=Over.LEARN, open=""), game, at)


def at_number(model: Model, game: str, at: int) -> Change:
    """Begin a puzzle."""
    return courses.begun(model, game, at, Course.PUZZLES)


def mistakes_opened(model: Model, game: str) -> Change:
    """Open the first of one's mistakes in a game that is offered today."""
    own = mistakes.without_learned(model.settings)
    model = replace(model, settings=own, over=Over.LEARN, open="")
    if not mistakes.of(own, game):
        return puzzle_opened(model, game)
    at = next(iter(mistakes.due(own, game, model.day)), 0)
    return courses.begun(model, game, at, Course.MISTAKES)


def again(model: Model, now: Learning) -> Change:
    """Begin a lesson or puzzle anew; the solitaire goes on: the day has only one."""
    if now.course is Course.SOLITAIRE:
        return same(model)
    return courses.begun(model, now.game, now.at, now.course)


# What is drawn.


def puzzle_title(now: Learning) -> str:
    """Return what the page is called."""
    if now.course is Course.MISTAKES:
        return _("My mistakes")
    return _("Solitaire") if now.course is Course.SOLITAIRE else _("Puzzles")


def counted(model: Model, now: Learning) -> str:
    """Return which puzzle it is, and how many are solved."""
    if now.course is Course.SOLITAIRE:
        played = len(model.settings.solitaires)
        text = ngettext("{n} played to its end", "{n} played to their end", played)
        return text.format(n=played)
    count, own = puzzles.count(now.game), model.settings
    if now.course is Course.MISTAKES:
        every = mistakes.of(own, now.game)
        today = len(mistakes.due(own, now.game, model.day))
        parts = [_("{n} of {m}").format(n=now.at + 1, m=len(every))]
        parts.append(ngettext("{n} for today", "{n} for today", today).format(n=today))
        return " · ".join(parts)
    done = puzzling.solved(own, now.game)
    parts = [_("{n} of {m}").format(n=now.at + 1, m=count)]
    if now.at == puzzling.today_of(now.game, model.day):
        parts.append(_("today's"))
    parts.append(ngettext("{n} solved", "{n} solved", len(done)).format(n=len(done)))
    return " · ".join(parts)


def numbers(model: Model, now: Learning, rect: Rect) -> Node:
    """Return the numbers of all puzzles; those solved bear a check mark."""
    look, own = model.look, model.settings
    count, done = puzzles.count(now.game), puzzling.solved(own, now.game)
    if now.course is Course.MISTAKES:
        count = len(mistakes.of(own, now.game))
        done = frozenset(range(count)) - {*mistakes.due(own, now.game, model.day)}
    gap = look.px(6)
    wide = (rect.w - gap * (ACROSS - 1)) // ACROSS
    kids: list[Node] = []
    for i in range(count):
        x = rect.x + i % ACROSS * (wide + gap)
        spot = Rect(x, rect.y + i // ACROSS * (look.row + gap), wide, look.row)
        text = f"✓ {i + 1}" if i in done else str(i + 1)
        chosen = now.course is not Course.SOLITAIRE and i == now.at
        face = widgets.button(
            f"{GRID}:{i}", spot, text, look, selected=chosen, means=Puzzle(i)
        )
        kids.append(face)
    return widgets.group(rect, kids, name=GRID)


def buttons(model: Model, now: Learning) -> list[Item]:
    """Return the buttons below a puzzle."""
    has = board.find(now.game).TRAITS.solitaire
    if now.course is Course.SOLITAIRE:
        return [
            (TOLD, _("Copy the result"), Tone.MAIN, now.done, CopyResult()),
            (BACK, _("Puzzles"), Tone.PLAIN, True, ToPuzzles()),
        ]
    last = now.at == len(courses.every(model, now.game, now.course)) - 1
    main = Tone.MAIN if now.done and not last else Tone.PLAIN
    items: list[Item] = [
        ("learn.back", _("Back"), Tone.PLAIN, now.at > 0, StepBack()),
        ("learn.next", _("Next"), main, not last, StepOn()),
        ("learn.again", _("Try again"), Tone.PLAIN, True, TryAgain()),
        (SOLUTION, _("Solution"), Tone.PLAIN, not now.done, Solve()),
    ]
    if now.course is Course.MISTAKES:
        return [*items, (BACK, _("Puzzles"), Tone.PLAIN, True, ToPuzzles())]
    alone = (SOLITAIRE, _("Solitaire of the day"), Tone.PLAIN, True, ToSolitaire())
    mine = (MISTAKES, _("My mistakes"), Tone.PLAIN, True, ToMistakes())
    return [
        *items,
        *([mine] if courses.games(Course.MISTAKES, model.settings) else []),
        (TODAY, _("Today's puzzle"), Tone.PLAIN, True, ToToday()),
        *([alone] if has else []),
    ]


# What is done.


@taker
def _on_puzzle(  # noqa: PLR0911 (one a button)
    model: Model, message: OfPuzzle
) -> Change:
    now = model.learning
    if now is None:
        return same(model)
    match message:
        case Puzzle(number=number):
            solitaire = now.course is Course.SOLITAIRE
            course = Course.PUZZLES if solitaire else now.course
            return courses.begun(model, now.game, number, course)
        case ToToday():
            return at_number(model, now.game, puzzling.today_of(now.game, model.day))
        case Solve():
            return _solution(model, now)
        case ToSolitaire():
            return courses.begun(model, now.game, 0, Course.SOLITAIRE)
        case ToMistakes():
            # Of a game with some for today, or with any at all: this one, if it has.
            own = mistakes.without_learned(model.settings)
            every = [now.game, *courses.games(Course.MISTAKES, own)]
            today = (each for each in every if mistakes.due(own, each, model.day))
            usual = now.game if mistakes.of(own, now.game) else every[-1]
            return mistakes_opened(model, next(today, usual))
        case ToPuzzles():
            return puzzle_opened(model, now.game)
        case CopyResult():
            words = _("The result is on the clipboard.")
            text = puzzling.told(now)
            return tell(said(model, now, words), words), (Copy(text),)


def said(model: Model, now: Learning, words: str) -> Model:
    """Return the model with something said below the task."""
    return replace(model, learning=replace(now, said=words))


def _solution(model: Model, now: Learning) -> Change:
    """Show how a puzzle is solved; it counts as solved only when somebody does it."""
    if now.course is Course.MISTAKES:
        return _missed_again(model, mistakes.solution(model.settings, now))
    if now.course is not Course.PUZZLES:
        return same(model)
    fresh, own = puzzling.solution(now)
    module = board.find(now.game)
    shown = courses.seen(model, fresh)
    nobody = ("",) * len(shown.names)
    lines = [module.tell(step, nobody).strip(" :") for step in own]
    text = ", ".join(dict.fromkeys(line for line in lines if line))
    local = module.begin(shown)
    fresh = replace(fresh, local=local, said=text or _("This is how it goes."))
    return replace(model, learning=fresh), ()


def _missed_again(model: Model, now: Learning) -> Change:
    """Remember that the better move was not found; it is asked for again tomorrow."""
    own = mistakes.with_result(model.settings, now, model.day, found=False)
    kept: tuple[Effect, ...] = () if own == model.settings else (Store(),)
    model = replace(model, settings=own)
    local = board.find(now.game).begin(courses.seen(model, now))
    return replace(model, learning=replace(now, local=local)), kept


def settled(model: Model, move: object) -> Change:
    """Remember what a right move has done: a puzzle solved, a turn of the solitaire."""
    now = model.learning
    assert now is not None  # only called with one
    own = model.settings
    if now.course is Course.SOLITAIRE:
        own = puzzling.with_move(own, now, move)
    elif now.course is Course.MISTAKES:
        own = mistakes.with_result(own, now, model.day, found=True)
        words = f"{now.said} {mistakes.again(own, now, model.day)}".strip()
        model = replace(model, learning=replace(now, said=words))
    elif now.done:
        own = puzzling.with_solved(own, now.game, now.at)
    sounds = (Play(Sound.WON),) if now.done else ()
    if own == model.settings:
        return model, sounds
    return replace(model, settings=own), (Store(), *sounds)


TABS: Final = "learn.game"
"""The row of games."""

STEPS: Final = "learn.step"
"""The list of lessons, where there is room for it."""

SHOWN: Final = 1.5
"""Seconds that each picture of a moving one is seen."""

_WIDE: Final = 1080
"""Pixels from which on the lessons are listed at the left."""


def title(game: str) -> str:
    """Return what the page about a game is called."""
    return _("How to play {game}").format(game=LISTED[game].title)


def game_here(model: Model) -> str:
    """Return the game that the page in the window is about."""
    if model.page is Page.MATCH and model.match is not None:
        return model.match.game
    return model.table.game if model.table is not None else model.setup.draft.game


def opened(model: Model, game: str) -> Change:
    """Open the lessons of a game, where the player left off."""
    at = dict(model.settings.lessons).get(game, 0)
    at = at if at < len(courses.lessons(game)) - 1 else 0
    return courses.begun(replace(model, over=Over.LEARN, open=""), game, at)


def helped(model: Model) -> Model:
    """Return the model with the list of keys, or without it where it was there.

    Over lessons and puzzles it lists the keys of their game, and leads back to them.
    """
    if model.over is Over.HELP:
        over = Over.NONE if model.learning is None else Over.LEARN
        return replace(model, over=over, open="")
    learning = model.learning if model.over is Over.LEARN else None
    return replace(model, over=Over.HELP, open="", learning=learning)


def _anew(model: Model, now: Learning, at: int) -> Change:
    """Begin a step of the course one is in."""
    return courses.begun(model, now.game, at, now.course)


# What is drawn.


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the page, which fills the window."""
    now = model.learning
    if now is None:
        return ()
    if now.course is Course.ANALYSIS:
        return tryout.scene(model, now, window)
    look = model.look

    rect = window.inset(look.px(6))
    tall = stands(model.size)
    high = 2 * look.row if tall else look.row
    top, middle = rows(rect.inset(look.px(14)), [high, 1], look.gap)
    kids = [*_head(model, now, top, tall=tall), *_middle(model, now, middle)]
    face = widgets.panel(rect, look, kids, name="learn.page")
    name = title(now.game) if now.course is Course.LESSONS else puzzle_title(now)
    return widgets.whole(window, face, name, look)


def _head(model: Model, now: Learning, top: Rect, *, tall: bool) -> list[Node]:
    """Return the row of games, with what the page is at its left, or above it."""
    look = model.look
    top, below = (top, top) if not tall else rows(top, [1, 1])
    closing: list[Item] = [
        ("learn.keys", _("Keys"), Tone.QUIET, True, ShowKeys()),
        ("learn.close", _("Close"), Tone.QUIET, True, Shut()),
    ]
    right = widgets.flow(top, look, closing, align=Align.RIGHT)
    name = _("How to play") if now.course is Course.LESSONS else puzzle_title(now)
    head = Rect(top.x, top.y, look.width(name, look.head, bold=True), top.h)
    x = head.right + look.px(12)
    room = Rect(x, top.y, right[0].rect.x - look.gap - x, top.h)
    room = below if tall else room
    games = courses.games(now.course, model.settings)
    titles = [LISTED[game].title for game in games]
    if now.course is Course.MISTAKES:
        today = [len(mistakes.due(model.settings, game, model.day)) for game in games]
        titles = [f"{t} ({n})" if n else t for t, n in zip(titles, today, strict=True)]
    row = tabs.tab_row(TABS, room, titles, games.index(now.game), look, means=OtherGame)
    return [
        label(head, name, look, size=look.head, bold=True),
        *((*right, row) if tall else (row, *right)),
    ]


def _middle(model: Model, now: Learning, room: Rect) -> list[Node]:
    """Return the board, and the words and buttons beside it."""
    look = model.look
    gap = look.px(16)
    kids: list[Node] = []
    if room.w >= look.px(_WIDE):
        left, room = columns(room, [0.19, 0.81], gap)
        lessons = now.course is Course.LESSONS
        listed = _listed if lessons else numbers
        kids.append(listed(model, now, left))
    if stands(model.size):  # the board over the whole width, the words below
        high = min(room.w * 13 // 10, room.h * 6 // 10)
        field, side = rows(room, [high, 1], gap)
    else:
        field, side = columns(room, [0.63, 0.37], gap)
    seen = courses.seen(model, now)
    kids.append(board.find(now.game).scene(seen, now.local, field, look))
    kids += _words(model, now, seen, side)
    return kids


def _listed(model: Model, now: Learning, rect: Rect) -> Node:
    look = model.look
    made: list[Node] = []
    y = rect.y
    for i, lesson in enumerate(courses.lessons(now.game)):
        text = f"{i + 1}  {lesson.title}"
        spot = Rect(rect.x, y, rect.w, look.row)
        face = widgets.button(
            f"{STEPS}:{i}",
            spot,
            text,
            look,
            tone=Tone.QUIET,
            selected=i == now.at,
            means=ToLesson(i),
        )
        made.append(replace(face, align=Align.LEFT))
        y = spot.bottom + look.px(6)
    return widgets.group(rect, made, name=STEPS)


def _words(model: Model, now: Learning, seen: AnySeen, side: Rect) -> list[Node]:
    """Return title, text, task and buttons, one below the other."""
    look, lesson, gap = model.look, courses.lesson(model, now), model.look.gap
    items = _buttons(model, now, lesson)
    low = widgets.flow_height(items, side.w, look)
    count = (
        counted(model, now)
        if now.course is not Course.LESSONS
        else _("{n} of {m}").format(n=now.at + 1, m=len(courses.lessons(now.game)))
    )
    line = Rect(side.x, side.y, side.w, round(look.small * typefaces.LINE))
    high = typefaces.height(lesson.title, look.head, side.w, bold=True)
    head = Rect(side.x, line.bottom, side.w, high)
    size = round(look.body * (1.15 if side.w > look.px(320) else 1.0))
    task = _task_height(now, lesson, seen, side.w, look)
    room = side.bottom - head.bottom - task - low - 3 * gap
    wanted = typefaces.height(lesson.text, size, side.w)
    text = Rect(side.x, head.bottom + gap, side.w, max(1, min(wanted, room)))
    box = Rect(side.x, text.bottom + gap, side.w, task)
    foot = Rect(side.x, box.bottom + gap, side.w, low)
    kids = [
        label(line, count, look, name="learn.count", size=look.small, tone=Tone.DIM),
        label(head, lesson.title, look, name="learn.title", size=look.head, bold=True,
              wrap=True),
        widgets.reading("learn.text", text, lesson.text, look, size=size,
                        offset=model.scrolls.get("learn.text", 0)),
    ]  # fmt: skip
    if lesson.task is not None:
        kids.append(_task(now, lesson.task, seen, box, look))
    return [*kids, *widgets.flows(foot, look, items)]


def _says(now: Learning, seen: AnySeen) -> str:
    """Return what came of the last try, else what the game says of the position."""
    if now.said:
        return now.said
    return board.find(now.game).status(seen, now.local)


def _task_height(
    now: Learning, lesson: Lesson, seen: AnySeen, wide: int, look: Look
) -> int:
    """Return how high the box with the task is; 0 without one."""
    if lesson.task is None:
        return 0
    inner = wide - look.px(28)
    wish = typefaces.height(lesson.task.wish, look.body, inner, bold=True)
    texts = (_says(now, seen), lesson.task.done, lesson.task.missed)
    said = max(typefaces.height(text or " ", look.small, inner) for text in texts)
    least = 3 * round(look.small * typefaces.LINE)
    return wish + max(said, least) + look.px(28) + look.gap


def _task(now: Learning, task: Task, seen: AnySeen, rect: Rect, look: Look) -> Node:
    inner = rect.inset(look.px(14))
    high = typefaces.height(task.wish, look.body, inner.w, bold=True)
    wish = Rect(inner.x, inner.y, inner.w, high)
    y = wish.bottom + look.gap
    said = Rect(inner.x, y, inner.w, max(1, inner.bottom - y))
    tone = Tone.GOOD if now.done else Tone.PLAIN if now.said else Tone.DIM
    theme = look.theme
    kids = (
        label(wish, task.wish, look, name="learn.wish", bold=True, wrap=True),
        label(said, _says(now, seen), look, name="learn.said", size=look.small,
              tone=tone, wrap=True),
    )  # fmt: skip
    return Node(
        Role.PANEL, "learn.task", rect, kids=kids, shape=Shape.ROUND,
        radius=look.px(10), bg=theme.panel, border=look.px(2),
        edge=theme.good if now.done else theme.accent,
    )  # fmt: skip


def _buttons(model: Model, now: Learning, lesson: Lesson) -> list[Item]:
    """Return the buttons to go on, to go back, and to try again."""
    if now.course is not Course.LESSONS:
        return buttons(model, now)
    last = now.at == len(courses.lessons(now.game)) - 1
    items: list[Item] = [
        ("learn.back", _("Back"), Tone.PLAIN, now.at > 0, StepBack()),
        ("learn.next", _("Finish") if last else _("Next"), Tone.MAIN, True, StepOn()),
    ]
    if lesson.task is not None:
        items.append(("learn.again", _("Try again"), Tone.PLAIN, True, TryAgain()))
    if last and now.game in courses.games(Course.PUZZLES):
        items.append(("learn.puzzles", _("Puzzles"), Tone.PLAIN, True, ToPuzzles()))
    return items


# What is done.


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done on the page."""
    now = model.learning
    if now is None:
        return same(replace(model, over=Over.NONE))
    if now.course is Course.ANALYSIS:
        return tryout.on_intent(model, now, intent)
    match intent:
        case Key(key="page up", down=True):
            return _anew(model, now, max(0, now.at - 1))
        case Key(key="page down", down=True):
            return _next(model, now)
        case Key(key="escape", down=True):
            return courses.escaped(model, now, courses.seen(model, now), intent)
        case _:
            return _tried(model, now, intent)


@taker
def _clicked(  # noqa: PLR0911 (one a button)
    model: Model, message: Control
) -> Change:
    now = model.learning
    if now is None:
        return same(model)
    match message:
        case StepBack():
            return _anew(model, now, max(0, now.at - 1))
        case StepOn():
            return _next(model, now)
        case TryAgain():
            return again(model, now)
        case Shut():
            return courses.closed(model)
        case ShowKeys():
            return helped(model), ()
        case OtherGame(number=number):
            game = courses.games(now.course, model.settings)[number]
            opens = {Course.LESSONS: opened, Course.MISTAKES: mistakes_opened}
            return opens.get(now.course, puzzle_opened)(model, game)
        case ToLesson(number=number):
            return _anew(model, now, number)


def of_game(
    model: Model, now: Learning, message: board.NewGame | board.QuitGame
) -> Change:
    """Do what a game's own button means here: begin anew, or close the page."""
    if isinstance(message, board.QuitGame):
        return courses.closed(model)
    return again(model, now)


def _next(model: Model, now: Learning) -> Change:
    """Go to the next lesson; after the last one back to the page."""
    if now.at + 1 < len(courses.every(model, now.game, now.course)):
        return _anew(model, now, now.at + 1)
    return courses.closed(model) if now.course is Course.LESSONS else same(model)


def _tried(model: Model, now: Learning, intent: Intent) -> Change:
    """Let the hand do something on the board, and judge the move that comes of it.

    A right one is shown, and what the others do next.
    """
    task = courses.lesson(model, now).task
    if task is None or now.done:
        return same(model)
    in_lesson = now.course is Course.LESSONS

    def made(local: AnyLocal, move: AnyMove, after: AnyState) -> Change:
        if in_lesson:
            done = task.judge(now.state, move, after)
            said = {True: task.done, False: task.missed, None: ""}[done]
        elif now.course is Course.MISTAKES:
            done, said = mistakes.judged(model.settings, now, move)
        else:
            done, said = puzzling.judged(now, move, after)
        if done is False:
            return _missed(model, now, said)
        past = (*now.past, Step(now.state, now.seat, move))
        later = replace(now, state=after, past=past, said=said, done=bool(done))
        if not in_lesson and not later.done:
            later = puzzling.after_answer(later, after)
        seen = courses.seen(replace(model, learning=later), later)
        fresh = board.find(later.game).renew(seen, local)
        shown = replace(model, learning=replace(later, local=fresh))
        if not in_lesson:
            return settled(shown, move)
        return shown, ((Play(Sound.TURN),) if later.done else ())

    return courses.tried(model, now, courses.seen(model, now), intent, made)


def _missed(model: Model, now: Learning, said: str) -> Change:
    """Begin anew after a move that is no answer, and say why it is none."""
    again, _effects = _anew(model, now, now.at)
    assert again.learning is not None  # it has just begun anew
    told = replace(again.learning, said=said)
    sounds = (Play(Sound.REFUSED),)
    if now.course is not Course.MISTAKES:
        return replace(again, learning=told), sounds
    missed, kept = _missed_again(again, told)
    return missed, (*kept, *sounds)


def tick(model: Model) -> Model:
    """Return the model with the picture that is to be seen now."""
    now = model.learning
    if now is None or model.over is not Over.LEARN:
        return model
    if now.course is not Course.LESSONS:
        return model
    moving = courses.lesson(model, now).moving
    if not moving:
        return model
    frame = int((model.now - now.since) / SHOWN) % (moving + 2)
    frame = min(frame, moving)
    if frame == now.frame:
        return model
    now = replace(now, frame=frame)
    local = board.find(now.game).begin(courses.seen(model, now))
    return replace(model, learning=replace(now, local=local))

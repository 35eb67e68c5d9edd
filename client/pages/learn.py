"""How to play: the lessons of a game, on its own board (`client.lessons`)."""

from typing import Final

from msgspec.structs import replace

from client import board, metrics, puzzling, tabs, widgets
from client.board import AnyLocal, AnyMove, AnySeen, AnyState, Step
from client.intents import Click, Intent, Key
from client.layout import columns, rows
from client.lessons import Course, Learning, Lesson, Task, Verdict
from client.model import Change, Model, Over, Page, Play, same
from client.pages import courses, puzzles, tryout
from client.scene import Align, Node, Rect, Role, Shape
from client.sound import Sound
from client.texts import _
from client.theme import Look
from client.widgets import Item, Tone, label
from rules import LISTED

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
    return model.table.game if model.table is not None else model.draft.game


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
    top, middle = rows(rect.inset(look.px(14)), [look.row, 1], look.gap)
    kids = [*_head(now, top, look), *_middle(model, now, middle)]
    face = widgets.panel(rect, look, kids, name="learn")
    name = title(now.game) if now.course is Course.LESSONS else puzzles.title(now)
    return (replace(face, role=Role.DIALOG, value=name),)


def _head(now: Learning, top: Rect, look: Look) -> list[Node]:
    """Return the row of games, with what the page is at its left."""
    closing = [
        ("learn.keys", _("Keys"), Tone.QUIET, True),
        ("learn.close", _("Close"), Tone.QUIET, True),
    ]
    right = widgets.flow(top, look, closing, align=Align.RIGHT)
    name = _("How to play") if now.course is Course.LESSONS else puzzles.title(now)
    head = Rect(top.x, top.y, look.width(name, look.head, bold=True), top.h)
    x = head.right + look.px(12)
    room = Rect(x, top.y, right[0].rect.x - look.gap - x, top.h)
    games = courses.games(now.course)
    titles = [LISTED[game].title for game in games]
    return [
        label(head, name, look, size=look.head, bold=True),
        tabs.row(TABS, room, titles, games.index(now.game), look),
        *right,
    ]


def _middle(model: Model, now: Learning, room: Rect) -> list[Node]:
    """Return the board, and the words and buttons beside it."""
    look = model.look
    gap = look.px(16)
    kids: list[Node] = []
    if room.w >= look.px(_WIDE):
        left, room = columns(room, [0.19, 0.81], gap)
        lessons = now.course is Course.LESSONS
        listed = _listed if lessons else puzzles.numbers
        kids.append(listed(model, now, left))
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
            f"{STEPS}:{i}", spot, text, look, tone=Tone.QUIET, selected=i == now.at
        )
        made.append(replace(face, align=Align.LEFT))
        y = spot.bottom + look.px(6)
    return widgets.group(rect, made, name=STEPS)


def _words(model: Model, now: Learning, seen: AnySeen, side: Rect) -> list[Node]:
    """Return title, text, task and buttons, one below the other."""
    look, lesson, gap = model.look, courses.lesson(model, now), model.look.gap
    items = _buttons(model, now, lesson)
    low = widgets.flow_height(items, side.w, look)
    count = _counted(model, now)
    line = Rect(side.x, side.y, side.w, round(look.small * metrics.LINE))
    high = metrics.height(lesson.title, look.head, side.w, bold=True)
    head = Rect(side.x, line.bottom, side.w, high)
    size = round(look.body * (1.15 if side.w > look.px(320) else 1.0))
    task = _task_height(now, lesson, seen, side.w, look)
    room = side.bottom - head.bottom - task - low - 3 * gap
    wanted = metrics.height(lesson.text, size, side.w)
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
    wish = metrics.height(lesson.task.wish, look.body, inner, bold=True)
    texts = (_says(now, seen), lesson.task.done, lesson.task.missed)
    said = max(metrics.height(text or " ", look.small, inner) for text in texts)
    least = 3 * round(look.small * metrics.LINE)
    return wish + max(said, least) + look.px(28) + look.gap


def _task(now: Learning, task: Task, seen: AnySeen, rect: Rect, look: Look) -> Node:
    inner = rect.inset(look.px(14))
    high = metrics.height(task.wish, look.body, inner.w, bold=True)
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


def _counted(model: Model, now: Learning) -> str:
    """Return how far one is in the course."""
    if now.course is not Course.LESSONS:
        return puzzles.counted(model, now)
    return _("{n} of {m}").format(n=now.at + 1, m=len(courses.lessons(now.game)))


def _buttons(model: Model, now: Learning, lesson: Lesson) -> list[Item]:
    """Return the buttons to go on, to go back, and to try again."""
    if now.course is not Course.LESSONS:
        return puzzles.buttons(model, now)
    last = now.at == len(courses.lessons(now.game)) - 1
    items = [
        ("learn.back", _("Back"), Tone.PLAIN, now.at > 0),
        ("learn.next", _("Finish") if last else _("Next"), Tone.MAIN, True),
    ]
    if lesson.task is not None:
        items.append(("learn.again", _("Try again"), Tone.PLAIN, True))
    if last and now.game in courses.games(Course.PUZZLES):
        items.append(("learn.puzzles", _("Puzzles"), Tone.PLAIN, True))
    return items


# What is done.


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done on the page."""
    now = model.learning
    if now is None:
        return same(replace(model, over=Over.NONE))
    if isinstance(intent, Click) and intent.name == "game.sound":
        return courses.sounded(model)
    if now.course is Course.ANALYSIS:
        return tryout.handle(model, now, intent)
    return _handled(model, now, intent)


def _handled(  # noqa: PLR0911 (one a button)
    model: Model, now: Learning, intent: Intent
) -> Change:
    match intent:
        case Key(key="page up", down=True) | Click(name="learn.back"):
            return _anew(model, now, max(0, now.at - 1))
        case Key(key="page down", down=True) | Click(name="learn.next"):
            return _next(model, now)
        case Click(name="learn.again" | "game.new"):
            return _again(model, now)
        case Click(name="learn.close" | "game.quit"):
            return courses.closed(model)
        case Click(name="learn.puzzles"):
            return puzzles.opened(model, now.game)
        case Click(name="learn.keys"):
            return helped(model), ()
        case Click(name=name) if name.startswith(f"{TABS}:"):
            return _other(model, now, int(name.rpartition(":")[2]))
        case Click(name=name) if name.startswith(f"{STEPS}:"):
            return _anew(model, now, int(name.rpartition(":")[2]))
        case Key(key="escape", down=True):
            return courses.escaped(model, now, courses.seen(model, now), intent)
        case _:
            return _tried(model, now, intent)


def _again(model: Model, now: Learning) -> Change:
    if now.course is Course.LESSONS:
        return _anew(model, now, now.at)
    return puzzles.again(model, now)


def _other(model: Model, now: Learning, number: int) -> Change:
    """Go to the same course of another game."""
    game = courses.games(now.course)[number]
    if now.course is Course.LESSONS:
        return opened(model, game)
    return puzzles.opened(model, game)


def _next(model: Model, now: Learning) -> Change:
    """Go to the next lesson; after the last one back to the page."""
    if now.at + 1 < len(courses.every(model, now.game, now.course)):
        return _anew(model, now, now.at + 1)
    return courses.closed(model) if now.course is Course.LESSONS else same(model)


def _tried(model: Model, now: Learning, intent: Intent) -> Change:
    """Let the hand do something on the board, and judge the move that comes of it."""
    if now.course is not Course.LESSONS and isinstance(intent, Click):
        found = puzzles.clicked(model, now, intent.name)
        if found is not None:
            return found
    if courses.lesson(model, now).task is None or now.done:
        return same(model)

    def made(local: AnyLocal, move: AnyMove, after: AnyState) -> Change:
        done, said = _judged(model, now, move, after)
        if done is False:
            return _missed(model, now, said)
        past = (*now.past, Step(now.state, now.seat, move))
        later = replace(now, state=after, past=past, said=said, done=bool(done))
        return _shown(model, later, local, move)

    return courses.tried(model, now, courses.seen(model, now), intent, made)


def _judged(model: Model, now: Learning, move: AnyMove, after: AnyState) -> Verdict:
    if now.course is not Course.LESSONS:
        return puzzling.judged(now, move, after)
    task = courses.lesson(model, now).task
    assert task is not None  # only called with one
    done = task.judge(now.state, move, after)
    return Verdict(done, {True: task.done, False: task.missed, None: ""}[done])


def _missed(model: Model, now: Learning, said: str) -> Change:
    """Begin anew after a move that is no answer, and say why it is none."""
    again, _effects = _anew(model, now, now.at)
    assert again.learning is not None  # it has just begun anew
    told = replace(again.learning, said=said)
    return replace(again, learning=told), (Play(Sound.REFUSED),)


def _shown(model: Model, now: Learning, local: AnyLocal, move: AnyMove) -> Change:
    """Show a right move, and what the others do next."""
    course = now.course is Course.LESSONS
    if not course and not now.done:
        now = puzzling.answered(now, now.state, model.day)
    before = replace(model, learning=now)
    fresh = board.find(now.game).renew(courses.seen(before, now), local)
    later = replace(model, learning=replace(now, local=fresh))
    if not course:
        return puzzles.settled(later, move)
    return later, ((Play(Sound.TURN),) if now.done else ())


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
    fresh = replace(model, learning=replace(now, frame=frame))
    shown = fresh.learning
    assert shown is not None  # just set
    local = board.find(now.game).begin(courses.seen(fresh, shown))
    return replace(fresh, learning=replace(shown, local=local))

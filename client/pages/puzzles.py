"""The parts of the page that only puzzles and the solitaire have, and what they do."""

from typing import Final

from msgspec.structs import replace

from client import board, puzzling, widgets
from client.lessons import Course, Learning
from client.model import Change, Copy, Model, Over, Play, Store, same, tell
from client.pages import courses
from client.scene import Node, Rect
from client.sound import Sound
from client.texts import _, ngettext
from client.widgets import Item, Tone
from netplay import puzzles

GRID: Final = "puzzle"
"""The numbers of the puzzles, where there is room for them."""

ACROSS: Final = 4

TODAY: Final = "puzzle.today"
SOLUTION: Final = "puzzle.solution"
SOLITAIRE: Final = "puzzle.solitaire"
BACK: Final = "puzzle.all"
"""From the solitaire to the puzzles."""

TOLD: Final = "puzzle.copy"


def opened(model: Model, game: str) -> Change:
    """Open the puzzles of a game: the one of the day, or the first unsolved."""
    known = courses.games(Course.PUZZLES)
    game = game if game in known else known[0]
    at = puzzling.first(model.settings, game, model.day)
    return at_number(replace(model, over=Over.LEARN, open=""), game, at)


def at_number(model: Model, game: str, at: int) -> Change:
    """Begin a puzzle."""
    return courses.begun(model, game, at, Course.PUZZLES)


def again(model: Model, now: Learning) -> Change:
    """Begin a puzzle anew; the solitaire goes on, for the day has only one."""
    if now.course is Course.SOLITAIRE:
        return same(model)
    return at_number(model, now.game, now.at)


# What is drawn.


def title(now: Learning) -> str:
    """Return what the page is called."""
    return _("Solitaire") if now.course is Course.SOLITAIRE else _("Puzzles")


def counted(model: Model, now: Learning) -> str:
    """Return which puzzle it is, and how many are solved."""
    if now.course is Course.SOLITAIRE:
        played = len(model.settings.solitaires)
        text = ngettext("{n} played to its end", "{n} played to their end", played)
        return text.format(n=played)
    count, own = puzzles.count(now.game), model.settings
    done = puzzling.solved(own, now.game)
    parts = [_("{n} of {m}").format(n=now.at + 1, m=count)]
    if now.at == puzzling.today_of(now.game, model.day):
        parts.append(_("today's"))
    parts.append(ngettext("{n} solved", "{n} solved", len(done)).format(n=len(done)))
    return " · ".join(parts)


def numbers(model: Model, now: Learning, rect: Rect) -> Node:
    """Return the numbers of all puzzles; those solved bear a check mark."""
    look, done = model.look, puzzling.solved(model.settings, now.game)
    gap = look.px(6)
    wide = (rect.w - gap * (ACROSS - 1)) // ACROSS
    kids: list[Node] = []
    for i in range(puzzles.count(now.game)):
        x = rect.x + i % ACROSS * (wide + gap)
        spot = Rect(x, rect.y + i // ACROSS * (look.row + gap), wide, look.row)
        text = f"✓ {i + 1}" if i in done else str(i + 1)
        chosen = now.course is Course.PUZZLES and i == now.at
        kids.append(widgets.button(f"{GRID}:{i}", spot, text, look, selected=chosen))
    return widgets.group(rect, kids, name=GRID)


def buttons(model: Model, now: Learning) -> list[Item]:
    """Return the buttons below a puzzle."""
    has = board.find(now.game).TRAITS.solitaire
    if now.course is Course.SOLITAIRE:
        return [
            (TOLD, _("Copy the result"), Tone.MAIN, now.done),
            (BACK, _("Puzzles"), Tone.PLAIN, True),
        ]
    last = now.at == puzzles.count(now.game) - 1
    main = Tone.MAIN if now.done and not last else Tone.PLAIN
    return [
        ("learn.back", _("Back"), Tone.PLAIN, now.at > 0),
        ("learn.next", _("Next"), main, not last),
        ("learn.again", _("Try again"), Tone.PLAIN, True),
        (SOLUTION, _("Solution"), Tone.PLAIN, not now.done),
        (TODAY, _("Today's puzzle"), Tone.PLAIN, True),
        *([(SOLITAIRE, _("Solitaire of the day"), Tone.PLAIN, True)] if has else []),
    ]


# What is done.


def clicked(  # noqa: PLR0911 (one a button)
    model: Model, now: Learning, name: str
) -> Change | None:
    """React to a button of these; None if it is none."""
    head, _colon, tail = name.partition(":")
    if head == GRID:
        return at_number(model, now.game, int(tail))
    match name:
        case "puzzle.today":
            return at_number(model, now.game, puzzling.today_of(now.game, model.day))
        case "puzzle.solution":
            return _solution(model, now)
        case "puzzle.solitaire":
            return courses.begun(model, now.game, 0, Course.SOLITAIRE)
        case "puzzle.all":
            return opened(model, now.game)
        case "puzzle.copy":
            words = _("The result is on the clipboard.")
            text = puzzling.told(now, model.day)
            return tell(said(model, now, words), words), (Copy(text),)
        case _:
            return None


def said(model: Model, now: Learning, words: str) -> Model:
    """Return the model with something said below the task."""
    return replace(model, learning=replace(now, said=words))


def _solution(model: Model, now: Learning) -> Change:
    """Show how a puzzle is solved; it counts as solved only when somebody does it."""
    if now.course is not Course.PUZZLES:
        return same(model)
    fresh, own = puzzling.solution(now)
    module = board.find(now.game)
    shown = courses.seen(model, fresh)
    nobody = ("",) * len(shown.names)
    lines = [module.tell(step, nobody).strip(" :") for step in own]
    text = ", ".join(dict.fromkeys(line for line in lines if line))
    local = module.begin(shown)
    fresh = replace(fresh, local=local, said=text or _("So it is done."))
    return replace(model, learning=fresh), ()


def settled(model: Model, move: object) -> Change:
    """Remember what a right move has done: a puzzle solved, a turn of the solitaire."""
    now = model.learning
    assert now is not None  # only called with one
    own = model.settings
    if now.course is Course.SOLITAIRE:
        own = puzzling.with_move(own, now, model.day, move)
    elif now.done:
        own = puzzling.with_solved(own, now.game, now.at)
    sounds = (Play(Sound.WON),) if now.done else ()
    if own == model.settings:
        return model, sounds
    return replace(model, settings=own), (Store(), *sounds)

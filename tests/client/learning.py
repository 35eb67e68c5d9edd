"""What is said where one learns: lessons, puzzles, and mistakes of one's own."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from client.app import mistakes
from client.app.lessons import Course
from client.app.model import Model, Over
from client.app.settings import Settings
from client.hexagrams.input import ends
from client.pages import courses, finished, learn, play, progress, review, screen
from client.pages.learn import Solve
from client.ui.intents import Click, Key
from client.ui.scene import Node, Role, top, walk
from client.update import Tick
from netplay import puzzles as shelf
from netplay import wire
from netplay.messages import door
from netplay.messages.table_questions import Appraisal, Offer
from rules import GAMES, numlo
from tests.client.clicking import update
from tests.client.networdz_hands import dropped
from tests.client.worlds import base, ended, fed, in_match, status

DAY: Final = 739_578


def reviewed(model: Model | None = None) -> tuple[Model, int]:
    """Return the window after a review of Numlo in which one move was a blunder.

    Returns:
        The window, and the number of the move.
    """
    there = ended(in_match(model or at_day(base()), "numlo", 2, 12))
    model = fed(there, Click(f"{play.TABS}:{play.REVIEW}"), Click(review.PAGE))
    match, wrong = model.match, -1
    assert match is not None
    while requests := [(n, w) for n, w in model.asked.items() if w.startswith("appr")]:
        n, what = requests[0]
        number = int(what.partition(".")[2])
        if len(model.review.known) < 3:  # the game is not known as a whole so far
            assert model.settings.reviewed == there.settings.reviewed
        step, best = match.past[number - match.missed], list[Offer]()
        if step.actor == match.seat and wrong in {-1, number}:
            others = [
                other
                for other in numlo.moves(step.before, step.actor)
                if isinstance(other, numlo.Place) and other != step.move
            ]
            best = [Offer("x", 0, (), (), wire.pack(o), chance=7000) for o in others]
            wrong = number if best else wrong
        lost = 2000 if best else 0
        played = Offer("x", 0, (), (), wire.pack(step.move), chance=5000)
        found = Appraisal(
            number, step.actor, (), played, tuple(best[:1]) or (played,),
            chance_lost=lost, grade="blunder" if lost else "none",
            at_sight=number not in model.review.known,
        )  # fmt: skip
        model = fed(model, door.Done(n, data=wire.pack(found)))
    return model, wrong


def at_day(model: Model, day: int = DAY) -> Model:
    """Return a window at a day."""
    return replace(model, day=day)


def later(own: Settings, days: int) -> Model:
    """Return a fresh window, days after."""
    there = fed(base(), status(), Click("game:2"))
    return at_day(replace(there, settings=own), DAY + days)


def texts(model: Model) -> str:
    """Return all that stands on a page."""
    return "\n".join(n.text for n in walk(screen.scene(model)) if n.text)


def right(own: Settings) -> str:
    """Return the square of the better move."""
    (mistake,) = own.mistakes
    best = mistakes.judgement(mistake).best[0]
    return f"cell:{wire.unpack(best.move, numlo.ABOUT.move).square}"


def wrong(own: Settings) -> str:
    """Return the square of the mistake."""
    (mistake,) = own.mistakes
    made = mistakes.judgement(mistake).played
    return f"cell:{wire.unpack(made.move, numlo.ABOUT.move).square}"


def history(own: Settings) -> Model:
    """Return the page of how well one has played."""
    model = fed(replace(base(), settings=own), status(), Click("finished"))
    return fed(model, Click(f"{finished.TABS}:{progress.TAB}"))


def lines() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is said on the pages, by name, but for what stands on boards."""
    model = fed(base((1280, 800)), status())
    for part in (of_lessons(model), of_puzzles(model), of_mistakes()):
        for name, page in part:
            yield name, tuple(told(top(screen.scene(page))))


def told(node: Node) -> Iterator[str]:
    """Yield the labels on a node, but none of a game's own."""
    own = not node.name or node.name.startswith(("learn.", "puzzle.", "progress."))
    if node.text and own and node.role is Role.LABEL:
        yield f"{node.name} {node.text!r}".strip()
    if node.name not in {"board", "rack"}:
        for kid in node.kids:
            yield from told(kid)


def of_lessons(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield each lesson, and what is said of what was tried in those of Numlo."""
    for game in courses.games(Course.LESSONS):
        now, _effects = learn.opened(model, game)
        for at in range(len(courses.lessons(game))):
            yield f"{game}, lesson {at + 1}", update(now, Click(f"learn.step:{at}"))[0]
    squares, _effects = learn.opened(model, "numlo")
    task = fed(squares, Click("learn.step:1"))
    fewer = fed(task, Click(f"cell:{4 * 8 + 5}"))
    yield "numlo, a move that turns fewer", fewer
    yield "numlo, no move, after that", fed(fewer, Click("cell:0"))
    yield "numlo, the move that was asked for", fed(task, Click(f"cell:{2 * 8 + 7}"))
    yield "numlo, the keys of a lesson", fed(task, Click("learn.keys"))
    last = fed(learn.opened(model, "hexagrams")[0], Click("learn.step:4"))
    assert last.learning is not None
    begun, rules = last.learning.state, GAMES["hexagrams"]
    wins = (m for m in rules.moves(begun, 1) if rules.play(begun, 1, m).winner == 1)
    yield "hexagrams, a capture that wins", fed(last, *stones(next(wins)))
    passing = Click("learn.step:4"), Click("pass"), Click("done")
    kept = fed(learn.opened(model, "networdz")[0], *passing)
    yield "networdz, no tile is discarded", kept
    falls, down = learn.opened(model, "hexcolumns")[0], Key("space", down=True)
    yield "hexcolumns, dropped in the middle", fed(falls, down)
    chain = fed(falls, Click("learn.step:4"), Key("up", down=True), down)
    yield "hexcolumns, a chain", chain


def stones(move: Any) -> tuple[Click, Click]:
    """Return the clicks that move a stone."""
    (a, b), (c, d) = ends(move)
    return Click(f"tile:{a}{b}"), Click(f"cell:{c}{d}")


def of_puzzles(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield a puzzle of each game as it is opened, tried, and solved."""
    at_day = replace(model, day=DAY)
    for game in courses.games(Course.PUZZLES):
        first, _effects = learn.puzzle_opened(at_day, game)
        yield f"{game}, puzzle", first
        yield f"{game}, shown", update(first, Click("solve", means=Solve()))[0]
    puzzle, about = shelf.find("numlo", 3), GAMES["numlo"].ABOUT
    right = wire.unpack(puzzle.line[0][1], about.move).square
    now = learn.at_number(replace(at_day, over=Over.LEARN), "numlo", 3)[0]
    assert now.learning is not None
    moves = numlo.moves(now.learning.state, now.learning.seat)
    placed = (move.square for move in moves if isinstance(move, numlo.Place))
    wrong = next(square for square in placed if square != right)
    yield "numlo, a move that is not enough", fed(now, Click(f"cell:{wrong}"))
    yield "numlo, solved", fed(now, Click(f"cell:{right}"))
    answered = learn.puzzle_opened(at_day, "hexagrams")[0]
    assert answered.learning is not None
    about = GAMES["hexagrams"].ABOUT
    puzzle = shelf.find("hexagrams", answered.learning.at)
    for actor, move in puzzle.line:
        if actor == puzzle.seat:
            answered = fed(answered, *stones(wire.unpack(move, about.move)))
            yield "hexagrams, a right move", answered
    falls = learn.puzzle_opened(at_day, "hexcolumns")[0]
    drop = Key("space", down=True), Key("space", down=False), Tick(9.0)
    yield "hexcolumns, two pieces dropped", fed(falls, *drop * 2)
    over = replace(at_day, over=Over.LEARN)
    best = wire.unpack(
        shelf.find("networdz", 0).line[0][1], GAMES["networdz"].ABOUT.move
    )
    laid = fed(learn.at_number(over, "networdz", 0)[0], *dropped(best))
    yield "networdz, solved", fed(laid, Click("done"))
    yield "solitaire", courses.begun(over, "lhexicon", 0, Course.SOLITAIRE)[0]


def of_mistakes() -> Iterator[tuple[str, Model]]:
    """Yield what is asked of an own mistake, days after it was made."""
    own = reviewed()[0].settings
    page = fed(later(own, 2), Click("puzzles"), Click(learn.MISTAKES))
    yield "a mistake", page
    missed = fed(page, Click(wrong(own)))
    yield "the mistake made again", missed
    yield "found at the second go", fed(missed, Click("learn.again"), Click(right(own)))
    done = fed(page, Click(right(own)))
    yield "found", done
    second = fed(later(done.settings, 7), Click("puzzles"), Click(learn.MISTAKES))
    yield "found for the second time", fed(second, Click(right(done.settings)))
    yield "no figures", history(Settings())
    yield "figures of one game", history(own)

"""The analysis board: moves tried freely from a position, sent to nobody.

It opens from any position of a match that is over, and of one against computers alone.
Whoever is on turn there is moved for, as far as their hand is known; what chance would
do next nobody knows, so that a play that draws tiles ends the line.
"""

from contextlib import suppress
from functools import partial
from typing import Final

from msgspec.structs import replace

from client.app import board, mistakes
from client.app.board import AnyLocal, AnyMove, AnySeen, AnyState, AnyStep, Seen, Step
from client.app.clicks import Asks, taker
from client.app.lessons import Course, Learning
from client.app.model import (
    Change,
    Match,
    Model,
    Over,
    Play,
    ask,
    lower_side,
    same,
    seen,
)
from client.pages import courses
from client.ui import typefaces, widgets
from client.ui.intents import Intent, Key
from client.ui.layout import columns, rows
from client.ui.scene import Means, Node, Rect
from client.ui.sound import Sound
from client.ui.texts import _, ngettext
from client.ui.theme import stands
from client.ui.widgets import Item, Row, Tone, label, row
from netplay import wire
from netplay.errors import PeerError
from netplay.messages.table_questions import Appraisal, DropPrepared, Prepare
from rules import GAMES
from rules.game import CHANCE, IllegalMoveError, Seat

# Moves prepared on condition: made on the analysis board, listed there, removed.
#
# While it is another's turn the board opens from the position of the match. What is
# tried there - the others' moves, then one's own - can be prepared: the node plays it
# by itself once the game has come just so.


PREPARE: Final = "prepare"
"""The button of the match page."""

KEEP: Final = "tryout.prepare"
"""The button on the board that prepares what is tried."""

DROP: Final = "tryout.drop:"
"""Begins the names of the lines that are prepared: a click removes one."""

VERB: Final = "prepare"
"""What a request is remembered as."""


class Open(Means, frozen=True):
    """Open the board."""


class Keep(Means, frozen=True):
    """Prepare what is tried."""


class TakeBack(Means, frozen=True):
    """Take back the move tried last."""


class FromStart(Means, frozen=True):
    """Go back to the position that the board was opened with."""


class Shut(Means, frozen=True):
    """Close the board."""


def may_prepare(model: Model) -> bool:
    """Tell whether something can be prepared for the seat that is shown."""
    table, match = model.table, model.match
    if table is None or match is None or match.covered or match.back >= 0:
        return False
    return match.seat in table.made.prepares


def buttons(model: Model) -> list[Item]:
    """Return the button that opens the board."""
    opens = (PREPARE, _("Prepare…"), Tone.PLAIN, True, Open())
    return [opens] if may_prepare(model) else []


def _tried_steps(now: Learning) -> list[AnyStep]:
    """Return what was tried on the board, from its first position on."""
    return [later.past[-1] for later in (*now.earlier[1:], now) if now.earlier]


def fits(model: Model, now: Learning) -> bool:
    """Tell whether what was tried is a line from here on that ends with one's own."""
    match, tried = model.match, _tried_steps(now)
    if match is None or not tried or not may_prepare(model):
        return False
    here = tried[0].before == seen(model, match).view
    return here and tried[0].actor != match.seat == tried[-1].actor


def prepared(model: Model, now: Learning) -> Change:
    """Ask the node to prepare what was tried."""
    match = model.match
    if match is None or not fits(model, now):
        return same(model)
    moves = tuple(wire.pack(step.move) for step in _tried_steps(now))
    return ask(model, Prepare(match.seat, moves, match.number), VERB)


def prepared_rows(model: Model) -> list[Row]:
    """Return what is prepared as rows of a list; a click on one removes it."""
    right, made, table, match = _("Remove"), list[Row](), model.table, model.match
    if table is None or match is None:
        return []
    rules, module = GAMES[match.game], board.find(match.game)
    lines = (one for one in table.made.prepared if one.seat == match.seat)
    for n, line in enumerate(lines):
        moves = tuple(raw for _seat, raw in line.moves)
        drop = Asks(DropPrepared(line.seat, moves), VERB)
        state, told = seen(model, match).view, list[str]()
        with suppress(IllegalMoveError, PeerError):  # the game has just gone on
            for seat, raw in line.moves:
                move = wire.unpack(raw, rules.ABOUT.move)
                told.append(module.tell(Step(state, seat, move), model.names))
                state = rules.play(state, seat, move)
        text = ", ".join(told)
        made.append(row(f"{DROP}{n}", text, model.look, right=right, means=drop))
    return made


def page(model: Model, now: Learning) -> tuple[list[Item], list[Row], str]:
    """Return the buttons and rows for the board, and what it says of itself."""
    if not may_prepare(model):
        return [], [], ""
    keep = (KEEP, _("Prepare this"), Tone.PLAIN, fits(model, now), Keep())
    note = _(
        "Make the other player's move on the board, then your reply, and prepare it."
    )
    return [keep], prepared_rows(model), note


OPEN: Final = "tryout"
"""The button of the match page."""

BACK: Final = "tryout.back"
AGAIN: Final = "tryout.again"
CLOSE: Final = "tryout.close"
MOVES: Final = "tryout.moves"
"""The list of what was tried."""

SHOWN: Final = 12
"""Entries before the position that the board knows of: the last move is marked."""


def may(model: Model) -> bool:
    """Tell whether moves can be tried from what the window shows."""
    match, table = model.match, model.table
    if match is None or table is None or match.hurries or match.covered:
        return False
    own = table.phase == "playing" and not table.watching
    alone = sum(seat.kind != "computer" for seat in table.seats) == 1
    if not (table.phase == "over" or (own and alone)):
        return False
    return _hand(match.game, seen(model, match).view) is not None


def _hand(game: str, view: AnyState) -> Seat | None:
    """Return who is to move and whose hand is known; None if there is nobody."""
    about = GAMES[game].ABOUT
    for seat in sorted(GAMES[game].actors(view)):
        if seat < 0:
            continue
        known = about.tiled is None or all(
            kind >= 0 for kind in about.tiled.tiles(view).kinds[seat]
        )
        return seat if known else None
    return None


def opened(model: Model) -> Change:
    """Open the board at the position that the window shows."""
    match = model.match
    if match is None or not (may(model) or may_prepare(model)):
        return same(model)
    now = seen(model, match)
    seat = _hand(match.game, now.view)
    if seat is None:
        return same(model)
    fresh = Learning(
        match.game, 0, now.view, now.past[-SHOWN:], None, since=model.now,
        course=Course.ANALYSIS, seat=seat,
    )  # fmt: skip
    return _begun(replace(model, over=Over.LEARN, open=""), fresh), ()


def _begun(model: Model, now: Learning) -> Model:
    """Return the model with a position on the board, nothing laid on it."""
    local = board.find(now.game).begin(_seen(model, now))
    return replace(model, learning=replace(now, local=local))


def _seen(model: Model, now: Learning) -> AnySeen:
    """Return what is on the board, which stands as that of the match does."""
    own = None if model.match is None else model.match.seat
    below = None if own is None else lower_side(model.table, own)
    return Seen(
        now.state, now.seat, model.names, now.past, not now.done, model.now,
        keys=model.settings.keys, below=below, trying=True,
    )  # fmt: skip


# What is drawn.


def scene(model: Model, now: Learning, window: Rect) -> tuple[Node, ...]:
    """Return the page, which fills the window."""
    look = model.look
    rect = window.inset(look.px(6))
    cut = rows if stands(model.size) else columns
    field, side = cut(rect.inset(look.px(14)), [0.66, 0.34], look.px(16))
    shown = _seen(model, now)
    drawn = board.find(now.game).scene(shown, now.local, field, look)
    if now.done:
        drawn = widgets.inert(drawn, look)
    face = widgets.panel(
        rect, look, [drawn, *_side(model, now, shown, side)], name="tryout.page"
    )
    return widgets.whole(window, face, _("Analysis board"), look)


def _side(model: Model, now: Learning, shown: AnySeen, side: Rect) -> list[Node]:
    """Return what is said, what was tried, and the buttons."""
    look, gap = model.look, model.look.gap
    more, kept, wanted = page(model, now)
    note = wanted or _("Nobody sees what you try here, and the game does not change.")
    said = now.said or _status(model, now, shown)
    if not now.said and _sought(model, now) is not None:
        said = _("There was a better move. Which?")
    tried = bool(now.earlier)
    back = _("Back to the game")
    if model.review.again >= 0:  # it was opened from there
        back = _("Back to the review")
    buttons = [
        (BACK, _("Take back"), Tone.PLAIN, tried, TakeBack()),
        (AGAIN, _("From the start"), Tone.PLAIN, tried, FromStart()),
        (CLOSE, back, Tone.MAIN, True, Shut()),
    ]
    items = [*more, *buttons]
    highs = [
        round(look.head * typefaces.LINE),
        typefaces.height(note, look.small, side.w),
        max(3 * look.line, typefaces.height(said, look.body, side.w)),
        1,
        widgets.flow_height(items, side.w, look),
    ]
    head, small, told, listed, foot = rows(side, highs, gap)
    module = board.find(now.game)
    moves = filter(None, (module.tell(s, model.names) for s in _tried_steps(now)))
    lines = (f"{n}  {line}" for n, line in enumerate(moves, 1))
    made: list[Row] = [*kept, *(partial(label, text=line, look=look) for line in lines)]
    pitch = round(look.body * typefaces.LINE)
    return [
        label(head, _("Analysis board"), look, size=look.head, bold=True),
        label(small, note, look, size=look.small, tone=Tone.DIM, wrap=True),
        widgets.reading("tryout.said", told, said, look),
        widgets.scroll(MOVES, listed, made, pitch, look, at_end=True),
        *widgets.flows(foot, look, items),
    ]


def _status(model: Model, now: Learning, shown: AnySeen) -> str:
    """Return what the game says of the hand; of another's turn, whose it is."""
    module, match = board.find(now.game), model.match
    said = module.status(shown, now.local)
    if match is None or now.seat == match.seat or now.done:
        return said
    idle = said == module.status(shown, module.begin(shown))
    whose = _("{name}'s turn").format(name=model.names[now.seat])
    return whose if idle else said


# What is done.


@taker
def _clicked(model: Model, message: Keep | TakeBack | FromStart | Shut) -> Change:
    now = model.learning
    if now is None:
        return same(model)
    match message:
        case Keep():
            start = now.earlier[0] if now.earlier else now
            asked, effects = prepared(model, now)
            fresh = replace(start, since=model.now) if effects else now
            return replace(asked, learning=fresh), effects
        case TakeBack():
            return _back(model, now, -1)
        case FromStart():
            return _back(model, now, 0)
        case Shut():
            return courses.closed(model)


def on_intent(model: Model, now: Learning, intent: Intent) -> Change:
    """React to what is done on the page; the hand does the rest on the board."""

    def made(local: AnyLocal, move: AnyMove, after: AnyState) -> Change:
        return _moved(model, now, local, move, after), (Play(Sound.MOVE),)

    shown = _seen(model, now)
    match intent:
        case Key(key="page up", down=True):
            return _back(model, now, -1)
        case Key(key="escape", down=True):
            return courses.escaped(model, now, shown, intent)
        case _ if now.done:
            return same(model)
        case _:
            return courses.tried(model, now, shown, intent, made)


def _back(model: Model, now: Learning, to: int) -> Change:
    if not now.earlier:
        return same(model)
    return _begun(model, replace(now.earlier[to], since=model.now)), ()


def _moved(
    model: Model, now: Learning, local: AnyLocal, move: AnyMove, after: AnyState
) -> Model:
    """Return the model after a move: the next to move is moved for, if known."""
    seat = _hand(now.game, after)
    past = (*now.past, Step(now.state, now.seat, move))
    found, verdict, solved = _sought(model, now), "", False
    if found is not None:
        verdict, solved = mistakes.verdict(now.game, found, move)
    if solved and model.match is not None:
        number = model.match.missed + model.review.again
        shown = model.review.shown | {number}
        model = replace(model, review=replace(model.review, shown=shown))
    said = "\n".join(filter(None, (verdict, _ended(model, now, after))))
    later = replace(
        now, state=after, past=past, done=seat is None, said=said,
        seat=now.seat if seat is None else seat,
        earlier=(*now.earlier, replace(now, earlier=())),
    )  # fmt: skip
    if later.seat != now.seat:
        return _begun(model, later)
    fresh = board.find(now.game).renew(_seen(model, later), local)
    return replace(model, learning=replace(later, local=fresh))


def _sought(model: Model, now: Learning) -> Appraisal | None:
    """Return the turn for which a better move is looked for, until one is tried."""
    match, again = model.match, model.review.again
    found = None if match is None else model.review.known.get(match.missed + again)
    if again < 0 or now.earlier or not isinstance(found, Appraisal):
        return None
    return found


def _ended(model: Model, now: Learning, after: AnyState) -> str:
    """Return what is worth saying of a position in which nobody can be moved for."""
    scored = GAMES[now.game].ABOUT.scored
    if _hand(now.game, after) is not None or scored is None:
        return ""
    before = scored.scores(now.state)[now.seat]
    points = scored.scores(after)[now.seat] - before
    text = ngettext("{n} point.", "{n} points.", points).format(n=points)
    if CHANCE in GAMES[now.game].actors(after):
        text += " " + _(
            "Nobody knows what will be drawn next. Take the move back to try another."
        )
    return text


def button(model: Model, match: Match) -> list[Item]:
    """Return the button that opens the board, if it can be opened here."""
    back = match.back >= 0 or model.phase not in ("", "over")
    opens = (OPEN, _("Try moves"), Tone.PLAIN, True, Open())
    return [opens] if back and may(model) else []

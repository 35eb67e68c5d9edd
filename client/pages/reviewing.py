"""The review, a page of its own: how the chance to win went, and which turns decided.

The board at the left shows the turn looked at, and dashed beside it the better move of
one that lost something; a click lays one of the others.  Of an own mistake the better
move is hidden at first: *Try again* asks for it.
What the node has not judged yet fills in while one looks.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec.structs import replace

from client.app import board
from client.app.board import AnySeen
from client.app.clicks import taker
from client.app.follow import colours
from client.app.model import Change, Match, Model, Over, same, seen
from client.pages import moves, review, tryout
from client.ui import texts, typefaces, widgets
from client.ui.intents import Intent, Key
from client.ui.layout import centred, columns, rows
from client.ui.scene import (
    Align,
    Mark,
    Means,
    Node,
    Rect,
    Role,
    Shape,
    mix,
    outline,
    walk,
)
from client.ui.texts import _, ngettext
from client.ui.theme import Look, stands
from client.ui.widgets import Item, Row, Tone, label
from netplay.messages.table_questions import TOTAL, Appraisal, Grade, accuracy
from rules import GAMES

CLOSE: Final = "review.close"
SHOW: Final = "review.show"
AGAIN: Final = "review.again"
BEFORE: Final = "review.before"
AFTER: Final = "review.after"
TURN: Final = "judged"
"""Begins the name of a row that leads to a turn."""

POINT: Final = "point"
"""Begins the name of a sign on the line, which leads to its turn."""

BETTER: Final = "better"
"""Begins the name of a row with a better move."""


class BackToGame(Means, frozen=True):
    """Close the page."""


class StepTurn(Means, frozen=True):
    """Look at the turn before, or after."""

    by: int


class LookAtTurn(Means, frozen=True):
    """Look at the turn that stands there among the moves."""

    place: int
    centred: bool = False
    """Bring its row into the middle of the list: it was not that which was clicked."""


class ShowBetter(Means, frozen=True):
    """Show what would have been better."""


class TryAgain(Means, frozen=True):
    """Look for it oneself, on the analysis board."""


Control: TypeAlias = BackToGame | StepTurn | LookAtTurn | ShowBetter | TryAgain

RACK: Final = 56
"""Pixels at 100 % of the tray with the tiles of the turn."""

LIST: Final = "review.turns"
TOLD: Final = "review.told"

DASH: Final = "better.dash"
"""A stroke of the outline of a better move on the board."""

DASHES: Final = 7
"""Strokes and gaps of one side of it, a stroke at either end."""

DECIDED: Final = 3
"""Turns marked on the line: those that lost most."""

SIGNS: Final[dict[Grade, Mark]] = {
    "blunder": Mark.CROSS,
    "mistake": Mark.TRIANGLE,
    "inaccuracy": Mark.RING,
}
"""Beside the word and the colour."""


def opened(model: Model) -> Change:
    """Open the page at the turn that lost most, or at the last one."""
    match = model.match
    if match is None or not review.there(model):
        return same(model)
    model = replace(model, over=Over.REVIEW, open="")
    if model.review.match != match.id:
        model = replace(model, review=replace(model.review, match=match.id, known={}))
    model = replace(model, review=replace(model.review, whole=True))
    worst = next(iter(_worst(model, match)), None)
    if worst is not None and match.back < 0:
        place = worst.number - match.missed
        return _at(_centred(model, place), place)
    return _asked(_centred(model, review.turn(match)))


def _centred(model: Model, place: int) -> Model:
    """Return the model with a turn in the middle of the list."""
    scrolls = {name: at for name, at in model.scrolls.items() if name != LIST}
    return replace(model, scrolls=scrolls, review=replace(model.review, middle=place))


def _asked(model: Model) -> Change:
    """Ask for the turn looked at, then for those that nobody has looked at yet."""
    asked, effects = review.want(model)
    return (asked, effects) if effects else review.more(asked)


def _at(model: Model, place: int) -> Change:
    """Look at a turn."""
    match = model.match
    assert match is not None  # the page is that of a match
    shown = replace(review.hide_play(model), match=replace(match, back=place + 1))
    return _asked(shown)


def _turns(match: Match) -> list[int]:
    """Return the places of the turns that are judged."""
    analysed = board.find(match.game).TRAITS.analysed
    return [
        at
        for at, step in enumerate(match.past)
        if analysed is not None and step.actor >= 0 and analysed.is_turn(step.move)
    ]


def _judged(model: Model, match: Match) -> list[Appraisal]:
    """Return the turns that are known, in their order."""
    if model.review.match != match.id:
        return []
    known = model.review.known
    found = (known.get(match.missed + at) for at in _turns(match))
    return [each for each in found if isinstance(each, Appraisal)]


def _worst(model: Model, match: Match) -> list[Appraisal]:
    """Return the turns that decided: graded ones, the one that lost most first."""
    graded = [each for each in _judged(model, match) if each.grade != "none"]
    return sorted(graded, key=lambda each: (-each.chance_lost, each.number))


# What is drawn.


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the page, which fills the window."""
    look, match = model.look, model.match
    if match is None:
        return ()
    rect = window.inset(look.px(6))
    inner = rect.inset(look.px(12), look.px(10))
    cut = rows if stands(model.size) else columns
    field, side = cut(inner, [0.5, 0.5], look.px(16))
    then = replace(review.on_board(model, seen(model, match)), by_hand=False)
    # Nothing can be done here: no hand, no buttons below the board.
    then = replace(
        then, seat=None, below=then.seat if then.below is None else then.below
    )
    found, kids = review.known(model), list[Node]()
    if GAMES[match.game].ABOUT.tiled is not None:
        # The tiles of that turn, whoever made it, and none of another hand; until those
        # of others are known there is room for them, or the board would jump.
        field, low = rows(field, [1, look.px(RACK)], look.gap)
        held = review.chosen_from(match)
        rack = found.rack if isinstance(found, Appraisal) else held[0] if held else ()
        if rack:
            kids.append(_rack(model, match, rack, low))
    module = board.find(match.game)
    drawn = module.scene(then, module.begin(then), field, look)
    better = _dashed(model, match, then, field, drawn)
    said = _side(model, match, side, dashed=bool(better))
    kids = [widgets.inert(drawn, look), *better, *kids, *said]
    face = widgets.panel(rect, look, kids, name="review.page")
    return widgets.whole(window, face, _("Review"), look)


def _beaten(model: Model, match: Match) -> bool:
    """Tell whether the turn looked at stands beside a better move that may be seen."""
    found = review.known(model)
    if not isinstance(found, Appraisal) or found.grade == "none" or not found.best:
        return False
    own = found.seat == match.seat
    return not own or found.number in model.review.shown


def _dashed(
    model: Model, match: Match, then: AnySeen, field: Rect, drawn: Node
) -> list[Node]:
    """Return the tiles of the better move, where the board has none, in dashed lines.

    Args:
        model: As it is.
        match: What is looked back at.
        then: What is seen of the turn.
        field: Where the board is.
        drawn: The board, with the move that was made.
    """
    look, theme, review_ = model.look, model.look.theme, model.review
    if review_.chosen >= 0 or not _beaten(model, match):
        return []
    first = replace(model, review=replace(review_, chosen=0))
    other = review.on_board(first, seen(first, match))
    other = replace(other, seat=None, below=then.below, by_hand=False)
    module = board.find(match.game)
    laid = module.scene(other, module.begin(other), field, look)
    full = {each.rect for each in walk(drawn) if _is_piece(each, look)}
    pale, made = mix(theme.panel, theme.accent, 0.12), list[Node]()
    for each in walk(laid):
        if _is_piece(each, look) and each.rect not in full:
            bare = replace(each, name="", live=False, drop=False, means=None)
            face = replace(bare, bg=pale, fg=theme.accent, edge=None, depth=0)
            made += [face, *_dashes(each, look)]
    return made


def _is_piece(node: Node, look: Look) -> bool:
    """Tell whether something lies on that place of a board, or was just laid there."""
    lies = node.role is Role.TILE or node.edge == look.theme.latest
    return lies and node.name.startswith(("cell:", "tile:"))


def _dashes(node: Node, look: Look) -> list[Node]:
    """Return a dashed outline of a piece."""
    corners, made = outline(node), list[Node]()
    for (x0, y0), (x1, y1) in pairwise((*corners, corners[0])):
        for n in range(0, DASHES, 2):
            ends = tuple(
                (x0 + (x1 - x0) * at // DASHES, y0 + (y1 - y0) * at // DASHES)
                for at in (n, n + 1)
            )
            made.append(
                Node(Role.LABEL, DASH, node.rect, shape=Shape.LINE, points=ends,
                     edge=look.theme.accent, border=max(2, look.px(2)))
            )  # fmt: skip
    return made


def _rack(model: Model, match: Match, rack: Sequence[int], area: Rect) -> Node:
    """Return what was held before a turn, as tiles."""
    look, analysed = model.look, board.find(match.game).TRAITS.analysed
    letters = "" if analysed is None else analysed.letters(match.state, tuple(rack))
    faces = letters.split(" ")
    side = min(area.h - look.px(10), area.w // len(faces) - look.px(3))
    wide = len(faces) * (side + look.px(3)) + look.px(13)
    tray = centred(area, wide, area.h)
    kids = [
        widgets.piece(
            "",
            Rect(
                tray.x + look.px(8) + i * (side + look.px(3)),
                tray.y + (tray.h - side) // 2,
                side,
                side,
            ),
            letter,
            "",
            look,
        )
        for i, letter in enumerate(faces)
    ]
    return widgets.tray("review.rack", tray, kids, look)


def _side(model: Model, match: Match, side: Rect, *, dashed: bool) -> list[Node]:
    look = model.look
    line = round(look.small * typefaces.LINE)
    high = max(look.px(104), min(look.px(190), side.h * 28 // 100))
    least = 4 * look.line + 2 * look.row if look.thumb else 3 * look.line + look.row
    told = max(least, side.h * 34 // 100)
    head, plot, turn, listed = rows(side, [look.row, high, told, 1], look.gap)
    words = _("Back to the game")
    wide = widgets.button_width(words, look)
    title, close = columns(head, [1, wide], look.gap)
    name = " · ".join([_("Review"), GAMES[match.game].ABOUT.title])
    pitch = look.row if look.thumb else line + look.px(8)
    before = sum(
        each.number - match.missed < model.review.middle
        for each in _judged(model, match)
    )
    middle = before * pitch - (listed.h - pitch) // 2
    return [
        label(title, name, look, bold=True),
        widgets.button(CLOSE, close, words, look, means=BackToGame()),
        *_graph(model, match, plot),
        *_turn(model, match, turn, dashed=dashed),
        widgets.scroll(
            LIST, listed, _listed(model, match), pitch, look,
            offset=model.scrolls.get(LIST, middle),
        ),
    ]  # fmt: skip


def _graph(model: Model, match: Match, area: Rect) -> list[Node]:
    """Return the line of the chance to win, and how well each has played."""
    look = model.look
    line = round(look.small * typefaces.LINE)
    right = max(look.px(96), area.w * 30 // 100)
    left, names = columns(area, [1, right], look.px(12))
    head, plot = rows(left, [line, 1], look.px(6))
    own = max(match.seat, 0)
    whose = _("Your chance to win") if match.seat >= 0 else model.names[own]
    kids = [label(head, whose, look, size=look.small, tone=Tone.DIM)]
    turns, found = _turns(match), _judged(model, match)
    deep = sum(not each.at_sight for each in found)
    text = ""
    if len(found) < len(turns):
        text = _("{n} of {all} turns").format(n=len(found), all=len(turns))
    elif deep < len(found):
        text = _("analysed: {n} of {all}").format(n=deep, all=len(turns))
    if text:
        kids.append(
            label(head, text, look, size=look.small, tone=Tone.DIM, align=Align.RIGHT)
        )
    wide = look.width("100 %", look.small) + look.px(14)  # a sign has room beside it
    plot = Rect(plot.x + wide, plot.y + line // 2, plot.w - wide, plot.h - line)
    for share in (100, 50, 0):
        y = plot.bottom - share * plot.h // 100
        rail = Rect(plot.x, y, plot.w, 1)
        spot = Rect(plot.x - wide, y - line // 2, wide - look.px(14), line)
        kids.append(Node(Role.LABEL, "", rail, shape=Shape.RECT, bg=look.theme.raised))
        kids.append(
            label(spot, f"{share} %", look, size=look.small, tone=Tone.DIM,
                  align=Align.RIGHT)
        )  # fmt: skip
    return [
        *kids,
        *_line(model, match, plot, found),
        *_accuracies(model, match, names, found),
    ]


def chance(found: Appraisal, own: int, seats: int) -> int | None:
    """Return a seat's chance to win after a turn, in ten-thousandths.

    Args:
        found: The turn, judged.
        own: Whose chance is asked for.
        seats: With more than two, only the turns of a seat tell of its chance.
    """
    if found.seat == own:
        return found.played.chance
    return TOTAL - found.played.chance if seats == 2 else None


def _line(
    model: Model, match: Match, plot: Rect, found: Sequence[Appraisal]
) -> list[Node]:
    look, own = model.look, max(match.seat, 0)
    turns = _turns(match)
    place = {match.missed + at: n for n, at in enumerate(turns)}
    spots: dict[int, tuple[int, int]] = {}
    for each in found:
        share = chance(each, own, len(model.names))
        if share is not None and (each.played.chance or each.best):
            x = plot.x + place[each.number] * plot.w // max(1, len(turns) - 1)
            spots[each.number] = x, plot.bottom - share * plot.h // TOTAL
    kids: list[Node] = []
    here = match.missed + review.turn(match)
    if here in spots:
        rail = Rect(spots[here][0], plot.y, look.px(2), plot.h)
        kids.append(
            Node(Role.LABEL, "review.here", rail, shape=Shape.RECT, bg=look.theme.line)
        )
    if len(spots) > 1:
        kids.append(
            Node(Role.LABEL, "review.line", plot, shape=Shape.LINE,
                 points=tuple(spots.values()), edge=colours(look)[0],
                 border=look.px(2))
        )  # fmt: skip
    side, listed = look.px(18), _numbers(model)
    for each in _worst(model, match)[:DECIDED]:
        if each.number not in spots:
            continue
        x, y = spots[each.number]
        at = each.number - match.missed
        kids.append(
            Node(Role.BUTTON, f"{POINT}:{at}",
                 Rect(x - side // 2, y - side // 2, side, side),
                 mark=SIGNS[each.grade], fg=look.theme.latest, live=True,
                 focusable=True, means=LookAtTurn(at, centred=True),
                 value=f"{_named(model, each, listed)}, {_lost(each)}")
        )  # fmt: skip
    return kids


def _accuracies(
    model: Model, match: Match, area: Rect, found: Sequence[Appraisal]
) -> list[Node]:
    """Return for each player how well it has played, and what it got wrong."""
    look = model.look
    line = round(look.small * typefaces.LINE)
    made, wide = list[Row](), area.w - look.px(10)

    def text(words: str, tone: Tone, *, bold: bool = False) -> Row:
        return lambda rect: label(
            rect, words, look, size=look.small, tone=tone, bold=bold
        )

    head = _("Accuracy: 100 % would be the best move in every turn")
    made += [text(part, Tone.DIM) for part in typefaces.wrap(head, look.small, wide)]
    for seat, name in enumerate(model.names):
        own = [each for each in found if each.seat == seat]
        share = accuracy([each.chance_lost for each in own])
        value = "–" if share is None else f"{share:.0f} %"
        told = typefaces.wrap(f"{value}  {name}", look.small, wide, bold=True)
        made += [text(part, Tone.PLAIN, bold=True) for part in told]
        counts: Counter[Grade] = Counter(each.grade for each in own)
        made += [
            _signed(mark, f"{counts[each]} × {review.grade(each)}", look)
            for each, mark in SIGNS.items()
            if counts[each]
        ]
    offset = model.scrolls.get("review.accuracy", 0)
    return [widgets.scroll("review.accuracy", area, made, line, look, offset=offset)]


def _signed(mark: Mark, words: str, look: Look) -> Row:
    """Return a line that begins with a sign of the line above."""

    def make(rect: Rect) -> Node:
        side = min(rect.h, look.px(12))
        spot = Rect(rect.x, rect.y + (rect.h - side) // 2, side, side)
        rest = Rect(spot.right + look.px(5), rect.y, rect.w - side - look.px(5), rect.h)
        sign = Node(Role.LABEL, "", spot, mark=mark, fg=look.theme.latest)
        told = label(rest, words, look, size=look.small, tone=Tone.DIM)
        return widgets.group(rect, [sign, told])

    return make


def _turn(model: Model, match: Match, area: Rect, *, dashed: bool) -> list[Node]:
    """Return what is to be said of the turn looked at, and the buttons."""
    look, found = model.look, review.known(model)
    items: list[Item] = [
        (BEFORE, "‹", Tone.PLAIN, True, StepTurn(-1)),
        (AFTER, "›", Tone.PLAIN, True, StepTurn(1)),
    ]
    made: list[Row] = []
    wide = area.w - look.px(14)

    def text(words: str, tone: Tone, *, bold: bool = False) -> None:
        for part in typefaces.wrap(words, look.body, wide, bold=bold):
            made.append(_row(part, look, tone, bold=bold))

    if not isinstance(found, Appraisal):
        waiting = review.turn(match) >= 0
        words = _("Looking for the best plays…") if found is None else found
        text(texts.phrase(words) if waiting else _nothing(match), Tone.DIM)
    else:
        text(_named(model, found, _numbers(model)), Tone.PLAIN, bold=True)
        # What a small window has room for: what was wrong stands before how much.
        own = found.seat == match.seat and found.grade != "none"
        hidden = own and found.number not in model.review.shown
        if hidden:
            text(_("There was a better move. Which?"), Tone.PLAIN)
            tries = replace(match, back=review.turn(match))
            may = tryout.may(replace(model, match=tries))
            items += [(AGAIN, _("Try again"), Tone.MAIN, may, TryAgain())]
            items += [(SHOW, _("Show it"), Tone.PLAIN, True, ShowBetter())]
        elif found.why:
            text(texts.sentence(found.why), Tone.PLAIN)
        text(_lost(found), Tone.DIM)
        for words in _besides(match, found, dashed=dashed):
            text(words, Tone.DIM)
        if not hidden:
            if told := review.bracketed(found):
                text(told, Tone.DIM)
            made += _betters(model, found)
    low = widgets.flow_height(items, area.w, look)
    listed, foot = rows(area, [1, low], look.px(4))
    pitch = round(look.body * 1.7)
    offset, high = model.scrolls.get(TOLD, 0), widgets.in_reach(made, pitch, look)
    return [
        widgets.scroll(TOLD, listed, made, pitch, look, offset=offset, heights=high),
        *widgets.flows(foot, look, items),
    ]


def _besides(match: Match, found: Appraisal, *, dashed: bool) -> Iterator[str]:
    """Yield what else is to be known of a turn: how it was judged, and what is seen."""
    if found.at_sight:
        yield review.at_sight()
    if found.rack:
        yield review.rack(match, found)
    if dashed:
        yield _("On the board: what was played, and dashed what is better")


def _row(words: str, look: Look, tone: Tone, *, bold: bool) -> Row:
    return lambda rect: label(rect, words, look, tone=tone, bold=bold)


def _betters(model: Model, found: Appraisal) -> list[Row]:
    """Return the moves that were best; a click lays one on the board."""
    made: list[Row] = []
    for at, offer in enumerate(found.best):
        if offer.move and offer.move == found.played.move:
            continue
        right = review.points(offer) if found.rack else f"{offer.chance / 100:.0f} %"
        words = review.offered_as(model, found, offer)
        chosen = model.review.chosen == at
        made.append(
            widgets.row(f"{BETTER}:{at}", words, model.look, right=right,
                        selected=chosen, means=review.Try(at))
        )  # fmt: skip
    return made


def _numbers(model: Model) -> dict[int, int]:
    """Return the number of each move in the list of moves, by its place."""
    return {at: n for n, (at, _text) in enumerate(moves.worthy(model), 1)}


def _named(model: Model, found: Appraisal, listed: Mapping[int, int]) -> str:
    """Return who did what in a turn, and for how many points."""
    match = model.match
    assert match is not None  # the page is that of a match
    place = found.number - match.missed
    number = listed.get(place, place + 1)
    name = model.names[found.seat] if found.seat < len(model.names) else ""
    points = f" {found.played.points}" if found.played.sums else ""
    return f"{number}  {name}: {review.made(model, found)}{points}"


def _lost(found: Appraisal) -> str:
    """Return the class of a turn, and what it lost."""
    if not found.chance_lost:
        if not (found.rack and found.loss):
            return _("nothing lost")
        if found.equity_lost:
            return _("no chance to win lost")
        text = ngettext(
            "nothing lost: {n} point less, but better tiles kept",
            "nothing lost: {n} points less, but better tiles kept",
            found.loss,
        )
        return text.format(n=found.loss)
    text = _("{percent} % of the chance to win lost")
    text = text.format(percent=texts.decimal(found.chance_lost / 100))
    if found.rack and found.equity_lost:
        less = _("worth {n} points less")
        text += f", {less.format(n=texts.decimal(found.equity_lost / 100))}"
    grade = review.grade(found.grade)
    return f"{grade}: {text}" if grade else text


def _nothing(match: Match) -> str:
    """Return why there is no turn to look at."""
    if _turns(match):
        return _("Nobody has made a play yet.")
    return _("Nobody made a play.")


def _listed(model: Model, match: Match) -> list[Row]:
    """Return a row a turn; a click looks at it."""
    look, made = model.look, list[Row]()
    here, listed = review.turn(match), _numbers(model)
    for found in _judged(model, match):
        place = found.number - match.missed
        grade = review.grade(found.grade)
        lost = f"\N{MINUS SIGN}{found.chance_lost / 100:.0f} %"
        right = f"{grade} {lost}" if grade else ""
        made.append(
            widgets.row(
                f"{TURN}:{place}", _named(model, found, listed), look, right=right,
                selected=place == here,
                tone=Tone.PLAIN if grade or place == here else Tone.DIM,
                means=LookAtTurn(place),
            )
        )  # fmt: skip
    return made


# What is done.


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done on the page."""
    match intent:
        case Key(key="escape", down=True):
            return _clicked(model, BackToGame())
        case Key(key="page up", down=True):
            return _stepped(model, -1)
        case Key(key="page down", down=True):
            return _stepped(model, 1)
        case _:
            return same(model)


@taker
def _clicked(model: Model, message: Control) -> Change:
    match message:
        case BackToGame():
            return replace(review.hide_play(model), over=Over.NONE), ()
        case StepTurn(by=by):
            return _stepped(model, by)
        case LookAtTurn(place=place, centred=centred):
            return _at(_centred(model, place) if centred else model, place)
        case ShowBetter():
            return same(_shown(model))
        case TryAgain():
            return _tried(model)


def _stepped(model: Model, by: int) -> Change:
    """Look at the turn before or after."""
    match = model.match
    turns = [] if match is None else _turns(match)
    if match is None or not turns:
        return same(model)
    here = review.turn(match)
    at = turns.index(here) + by if here in turns else 0
    place = turns[max(0, min(at, len(turns) - 1))]
    return _at(_centred(model, place), place)


def _shown(model: Model) -> Model:
    """Return the model with the better move of the turn looked at shown."""
    found = review.known(model)
    if not isinstance(found, Appraisal):
        return model
    shown = model.review.shown | {found.number}
    return replace(model, review=replace(model.review, shown=shown))


def _tried(model: Model) -> Change:
    """Let the reader look for the better move on the analysis board."""
    match = model.match
    if match is None or review.turn(match) < 0:
        return same(model)
    place = review.turn(match)
    before = replace(match, back=place)
    now = replace(model, match=before, review=replace(model.review, again=place))
    return tryout.opened(replace(now, over=Over.NONE))

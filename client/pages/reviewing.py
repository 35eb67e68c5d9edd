"""The review, a page of its own: how the chance to win went, and which turns decided.

The board at the left shows the turn looked at, and dashed beside it the better move of
one that lost something; a click lays one of the others.  Of an own mistake the better
move is hidden at first: *Try again* asks for it.
What the node has not judged yet fills in while one looks.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec.structs import replace

from client.app import board
from client.app.board import AnySeen
from client.app.clicks import taker
from client.app.follow import colours
from client.app.model import Change, Match, Model, Over, same, seen, unscrolled
from client.pages import agreeing, moves, review, tryout, unseen
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
from netplay.said import Said
from rules import GAMES
from rules.game import Seat

CLOSE: Final = "review.close"
SHOW: Final = "review.show"
AGAIN: Final = "review.again"
BEFORE: Final = "review.before"
AFTER: Final = "review.after"
POINT: Final = "point"
"""Begins the name of a sign on the line, which leads to its turn."""

BETTER: Final = "better"
"""Begins the name of a row with a better move."""


class BackToGame(Means, frozen=True):
    """Close the page."""


class StepTurn(Means, frozen=True):
    """Look at the turn before, or after."""

    by: int


class ShowBetter(Means, frozen=True):
    """Show what would have been better."""


class TryAgain(Means, frozen=True):
    """Look for it oneself, on the analysis board."""


STEPS: Final[tuple[Item, ...]] = (
    (BEFORE, "‹", Tone.PLAIN, True, StepTurn(-1)),
    (AFTER, "›", Tone.PLAIN, True, StepTurn(1)),
)
"""Buttons that step through the turns."""

Control: TypeAlias = BackToGame | StepTurn | moves.LookAtTurn | ShowBetter | TryAgain

RACK: Final = 56
"""Pixels at 100 % of the tray with the tiles of the turn."""

LETTER: Final = 28
"""Pixels at 100 % of a row of unseen tiles."""

SMALLER: Final = 0.85
"""How much of its size the board must keep where unseen tiles are drawn below it."""

ENDED: Final = "review.ended"
WHOSE: Final = "review.whose"
JUDGED: Final = "review.judged"
"""What the line shows, and how many turns were judged so far."""

TOLD: Final = "review.told"
PLAYS: Final = "review.plays"

BESIDE: Final = 520
"""Pixels at 100 % from which on the better moves stand beside what is said."""

DASH: Final = "better.dash"
"""A stroke of the outline of a better move on the board."""

DASHES: Final = 7
"""Strokes and gaps of one side of it, a stroke at either end."""

DECIDED: Final = 3
"""Turns marked on the line: those that lost most."""


def opened(model: Model) -> Change:
    """Open the page at the turn that lost most, or at the last one."""
    match = model.match
    if match is None or not review.there(model):
        return same(model)
    model = review.begun(replace(model, over=Over.REVIEW, open=""), match)
    led = replace(model.review, whole=True, leads=match.back < 0)
    model = _centred(replace(model, review=led), review.turn(match))
    return _asked(review.led(model))


def _centred(model: Model, place: int) -> Model:
    """Return the model with a turn in the middle of the list."""
    shown = unscrolled(model, moves.TURNS)
    return replace(shown, review=replace(shown.review, middle=place))


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
    then = review.on_board(model, seen(model, match))
    below = then.seat if then.below is None else then.below
    # Nothing can be done here: no hand, no buttons below the board.
    then = replace(then, by_hand=False, seat=None, below=below)
    found, kids, least = review.known(model), list[Node](), 0
    if GAMES[match.game].ABOUT.tiled is not None:
        if (at := review.turn(match)) >= 0:
            # What was drawn after that turn is still in the pool, and among the unseen.
            view = replace(then.view, tiles=match.past[at].before.tiles)
            then = replace(then, view=view)
        # The tiles of that turn, whoever made it, and none of another hand; until those
        # of others are known there is room for them, or the board would jump.
        rack, high = _held(match, found), look.px(RACK)
        # The board comes first: where it would be much smaller, the unseen tiles stand
        # among the words.
        least = look.line + look.px(4) + 2 * look.px(LETTER)
        spare = field.h - high - 3 * look.gap - look.line
        if min(field.w, spare - least) <= SMALLER * min(field.w, spare):
            least = 0
        field, low = rows(
            field, [1, high + (look.gap + least if least else 0)], look.gap
        )
        tray = Rect(low.x, low.y, low.w, min(low.h, high))
        if rack:
            kids.append(_rack(model, match, rack, tray))
        if rack and least:
            spot = Rect(low.x, low.bottom - least, low.w, least)
            kids += unseen.drawn(match, rack, spot, look)
    module = board.find(match.game)
    drawn = module.scene(then, module.begin(then), field, look)
    better = _dashed(model, match, then, field, drawn)
    said = _side(model, match, side, dashed=bool(better), drawn=bool(least))
    kids = [widgets.inert(drawn, look), *better, *kids, *said]
    face = widgets.panel(rect, look, kids, name="review.page")
    return widgets.whole(window, face, _("Review"), look)


def _dashed(
    model: Model, match: Match, then: AnySeen, field: Rect, drawn: Node
) -> list[Node]:
    """Return the tiles of the better move, where the board has others, in dashed lines.

    A letter lies over another one that was played, or its word could not be read.

    Args:
        model: As it is.
        match: What is looked back at.
        then: What is seen of the turn.
        field: Where the board is.
        drawn: The board, with the move that was made.
    """
    look, theme, review_ = model.look, model.look.theme, model.review
    found = review.known(model)
    if review_.chosen >= 0 or not isinstance(found, Appraisal):
        return []
    if found.grade == "none" or not found.best:
        return []
    if found.best[0].chance <= found.played.chance:
        return []  # the better move is an exchange, which is told, and not laid
    if found.seat == match.seat and found.number not in review_.shown:
        return []
    first = replace(model, review=replace(review_, chosen=0))
    other = review.on_board(first, seen(first, match))
    other = replace(other, seat=None, below=then.below, by_hand=False)
    module = board.find(match.game)
    laid = module.scene(other, module.begin(other), field, look)
    lettered = GAMES[match.game].ABOUT.tiled is not None

    def letter(piece: Node) -> str:
        return piece.text if lettered else ""

    full = {each.rect: letter(each) for each in walk(drawn) if _is_piece(each, look)}
    pale, made = mix(theme.panel, theme.accent, 0.12), list[Node]()
    for each in walk(laid):
        if _is_piece(each, look) and full.get(each.rect) != letter(each):
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


def _held(match: Match, found: Appraisal | Said | None) -> tuple[int, ...]:
    """Return the kinds of the tiles from which the turn looked at was chosen."""
    if isinstance(found, Appraisal) and found.rack:
        return found.rack
    held = review.chosen_from(match)
    return held[0] if held else ()


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


def _side(
    model: Model, match: Match, side: Rect, *, dashed: bool, drawn: bool
) -> list[Node]:
    look = model.look
    high = max(look.px(104), min(look.px(190), side.h * 24 // 100))
    least = 4 * look.line + look.row if look.thumb else 3 * look.line + look.row
    beside = side.w >= look.px(BESIDE)
    share = 24 if beside else 30 if look.thumb else 34
    told = max(least, side.h * share // 100)
    head, rest = _head(model, match, side)
    if not review.turns(match):  # no chance to tell of, and no accuracy
        spot, _rest = rows(rest, [look.line, 1])
        return [*head, label(spot, _("Nobody made a play."), look, tone=Tone.DIM)]
    plot, turn, listed = rows(rest, [high, told, 1], look.gap)
    return [
        *head,
        *_graph(model, match, plot),
        *_turn(model, match, turn, dashed=dashed, drawn=drawn),
        *moves.judged(model, match, review.appraised(model, match), listed),
    ]


def _head(model: Model, match: Match, side: Rect) -> tuple[list[Node], Rect]:
    """Return the title with how the match has ended, and the room below it."""
    look, words = model.look, _("Back to the game")
    # On a phone what steps stands beside the way back: the list needs the height.
    held = STEPS if look.thumb else ()
    wide = widgets.button_width(words, look)
    parts = [1, *[look.row] * len(held), wide]
    top, rest = rows(side, [look.row, 1], look.gap)
    spot, *steps, close = columns(top, parts, look.gap)
    name = " · ".join([_("Review"), GAMES[match.game].ABOUT.title])
    kids = [
        label(spot, name, look, bold=True),
        *(
            widgets.button(button, at, text, look, means=means)
            for at, (button, text, _tone, _may, means) in zip(steps, held, strict=True)
        ),
        widgets.button(CLOSE, close, words, look, means=BackToGame()),
    ]
    told, size = _ended(model, match), look.small
    taken = look.width(name, look.body, bold=True) + look.gap
    end = Rect(spot.x + taken, spot.y, spot.w - taken, spot.h)
    below = look.width(told, size) > end.w
    if below:
        high = typefaces.height(told, size, side.w)
        under = Rect(side.x, top.bottom, side.w, side.bottom - top.bottom)
        end, rest = rows(under, [high, 1], look.gap)
    kids.append(
        label(end, told, look, size=size, tone=Tone.DIM, wrap=below, name=ENDED)
    )
    return kids, rest


def _ended(model: Model, match: Match) -> str:
    """Return how the match has ended: who has won, the points, and why."""
    table, scored = model.table, GAMES[match.game].ABOUT.scored
    if table is None or not table.places:
        return ""
    title, why = agreeing.result(model, table, match)
    if scored is not None and not model.alone:
        points = zip(table.places, scored.scores(match.state), strict=False)
        ends = sorted(points, key=lambda each: each[0])
        title = f"{title} ({' : '.join(str(n) for _place, n in ends)})"
    told = f"{title}. {why}" if why else title
    said = review.doomed(model, match)
    return f"{told.removesuffix('.')}. {said}" if said else told


def _heads(
    room: Rect, whose: str, found: Sequence[Appraisal], turns: int, look: Look
) -> list[Node]:
    """Return what stands above the line: what it shows, and how far all are judged."""
    judged, text = sum(not each.at_sight for each in found), ""
    if len(found) < turns:
        judged = len(found)
        text = _("{n} of {all} turns").format(n=judged, all=turns)
    elif judged < turns:
        text = _("analysed: {n} of {all}").format(n=judged, all=turns)
    left = look.width(whose, look.small) + look.gap
    if text and left + look.width(text, look.small) > room.w:
        text = f"{judged} / {turns}"
    wide = look.width(text, look.small) if text else 0
    first = Rect(room.x, room.y, room.w - wide - (look.gap if text else 0), room.h)
    kids = [label(first, whose, look, size=look.small, tone=Tone.DIM, name=WHOSE)]
    if text:
        last = Rect(room.right - wide, room.y, wide, room.h)
        kids.append(
            label(last, text, look, size=look.small, tone=Tone.DIM, name=JUDGED)
        )
    return kids


def _graph(model: Model, match: Match, area: Rect) -> list[Node]:
    """Return the line of the chance to win, and how well each has played."""
    look = model.look
    line = round(look.small * typefaces.LINE)
    right = max(look.px(96), area.w * 30 // 100)
    left, names = columns(area, [1, right], look.px(12))
    head, plot = rows(left, [line, 1], look.px(6))
    own = max(match.seat, 0)
    whose = _("Your chance to win")
    if match.seat < 0:  # several play here, or one looks on
        whose = _("{name}: chance to win").format(name=model.names[own])
    most, unit, points = 100, " %", list[int]()
    if model.alone:  # nobody to win against: points are all that counts
        scored = GAMES[match.game].ABOUT.scored
        assert scored is not None  # none without points is played alone
        states = [*(step.before for step in match.past[1:]), match.state]
        points = [scored.scores(state)[0] for state in states]
        whose, most, unit = _("Points"), max(1, *points), ""
    turns, found = review.turns(match), review.appraised(model, match)
    kids = _heads(head, whose, found, len(turns), look)
    # A sign has room beside the figures.
    wide = look.width(f"{max(100, most)} %", look.small) + look.px(14)
    plot = Rect(plot.x + wide, plot.y + line // 2, plot.w - wide, plot.h - line)
    for share in (100, 50, 0):
        y = plot.bottom - share * plot.h // 100
        rail = Rect(plot.x, y, plot.w, 1)
        spot = Rect(plot.x - wide, y - line // 2, wide - look.px(14), line)
        kids.append(Node(Role.LABEL, "", rail, shape=Shape.RECT, bg=look.theme.raised))
        kids.append(
            label(spot, f"{share * most // 100}{unit}", look, size=look.small,
                  tone=Tone.DIM, align=Align.RIGHT)
        )  # fmt: skip
    return [
        *kids,
        *_line(model, match, plot, found, turns, points),
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


def _end(
    model: Model, own: int, plot: Rect, points: Sequence[int]
) -> list[tuple[int, int]]:
    """Return where the line ends: at what came of the match, however it ended."""
    if points:
        return [(plot.right, plot.bottom - points[-1] * plot.h // max(1, *points))]
    places = () if model.table is None else model.table.places
    if not places:
        return []
    first = places.count(1) if places[own] == 1 else 0
    share = TOTAL // first if first else 0
    return [(plot.right, plot.bottom - share * plot.h // TOTAL)]


def _spots(
    model: Model,
    match: Match,
    plot: Rect,
    found: Sequence[Appraisal],
    turns: Collection[int],
    points: Sequence[int],
) -> dict[int, tuple[int, int]]:
    """Return where each turn stands on the line, by its number."""
    own, spots = max(match.seat, 0), dict[int, tuple[int, int]]()
    order = {at: n for n, at in enumerate(turns)}
    for each in found:
        place = each.number - match.missed
        share = chance(each, own, len(model.names))
        if points:
            share = TOTAL * points[place] // max(1, *points)
        elif not (each.played.chance or each.best):
            continue  # nobody knows what was exchanged
        if share is not None:
            x = plot.x + order[place] * plot.w // len(turns)
            spots[each.number] = x, plot.bottom - share * plot.h // TOTAL
    return spots


def _line(
    model: Model,
    match: Match,
    plot: Rect,
    found: Sequence[Appraisal],
    turns: Mapping[int, Seat],
    points: Sequence[int],
) -> list[Node]:
    """Return the line, and a button on it for each turn that decided.

    Args:
        model: The window.
        match: Looked back at.
        plot: Where the line is drawn.
        found: What is known of the turns.
        turns: Their places, and whose each was.
        points: Of one who has played alone, after each move; else empty.
    """
    look, own = model.look, max(match.seat, 0)
    spots = _spots(model, match, plot, found, turns, points)
    lines = [list[tuple[int, int]]()]
    known, tells = {each.number for each in found}, len(model.names) < 3
    for at, seat in turns.items():
        number = match.missed + at
        if number in spots:
            lines[-1].append(spots[number])
        elif number not in known and (tells or seat == own):
            lines.append([])  # what is not judged yet is left open
    lines[-1] += _end(model, own, plot, points)
    kids: list[Node] = []
    here = match.missed + review.turn(match)
    if here in spots:
        rail = Rect(spots[here][0], plot.y, look.px(2), plot.h)
        kids.append(
            Node(Role.LABEL, "review.here", rail, shape=Shape.RECT, bg=look.theme.line)
        )
    for line in filter(None, lines):
        drawn = tuple(line)
        if len(line) == 1:  # a short stroke
            (x, y), wide = line[0], look.px(6)
            x = min(x, plot.right - wide)
            drawn = ((x, y), (x + wide, y))
        kids.append(
            Node(Role.LABEL, "review.line", plot, shape=Shape.LINE, points=drawn,
                 edge=colours(look)[0], border=look.px(2))
        )  # fmt: skip
    side, listed = look.px(18), moves.numbers(model)
    for each in review.worst(model, match)[:DECIDED]:
        if each.number not in spots:
            continue
        x, y = spots[each.number]
        at = each.number - match.missed
        kids.append(
            Node(Role.BUTTON, f"{POINT}:{at}",
                 Rect(x - side // 2, y - side // 2, side, side),
                 mark=moves.SIGNS[each.grade], fg=look.theme.latest, live=True,
                 focusable=True, means=moves.LookAtTurn(at, centred=True),
                 value=f"{moves.in_words(model, each, listed)}, {_lost(model, each)}")
        )  # fmt: skip
    return kids


def _accuracies(
    model: Model, match: Match, area: Rect, found: Sequence[Appraisal]
) -> list[Node]:
    """Return for each player how well it has played, and what it got wrong."""
    look = model.look
    line, wide = round(look.small * typefaces.LINE), area.w - look.px(10)

    def signed(mark: Mark, words: str, rect: Rect) -> Node:
        side = min(rect.h, look.px(12))
        spot = Rect(rect.x, rect.y + (rect.h - side) // 2, side, side)
        rest = Rect(spot.right + look.px(5), rect.y, rect.w - side - look.px(5), rect.h)
        sign = Node(Role.LABEL, "", spot, mark=mark, fg=look.theme.latest)
        told = label(rest, words, look, size=look.small, tone=Tone.DIM)
        return widgets.group(rect, [sign, told])

    text = partial(widgets.wrapped, wide=wide, look=look, size=look.small)
    made = text(_("Accuracy"), tone=Tone.DIM)
    for seat, name in enumerate(model.names):
        own = [each for each in found if each.seat == seat]
        share = accuracy(own)
        value = "–" if share is None else f"{share:.0f} %"
        made += text(f"{value}  {name}", bold=True)
        counts: Counter[Grade] = Counter(each.grade for each in own)
        made += [
            partial(signed, mark, f"{counts[each]} × {review.grade(each)}")
            for each, mark in moves.SIGNS.items()
            if counts[each]
        ]
    made += text(_("100 % would be the best move in every turn"), tone=Tone.DIM)
    offset = model.scrolls.get("review.accuracy", 0)
    return [widgets.scroll("review.accuracy", area, made, line, look, offset=offset)]


def _turn(
    model: Model, match: Match, area: Rect, *, dashed: bool, drawn: bool
) -> list[Node]:
    """Return what is to be said of the turn looked at, and the buttons."""
    look, found = model.look, review.known(model)
    items = [] if look.thumb else list(STEPS)
    made, plays = list[Row](), list[Row]()
    several = isinstance(found, Appraisal) and bool(found.rack)
    beside, far = several and area.w >= look.px(BESIDE), area
    if beside:
        area, far = columns(area, [0.56, 0.44], look.px(12))
    wide = area.w - look.px(14)

    def text(words: str, tone: Tone, *, bold: bool = False) -> None:
        made.extend(widgets.wrapped(words, wide, look, tone=tone, bold=bold))

    if not isinstance(found, Appraisal):
        words = _("Looking for the best plays…") if found is None else found
        if review.turn(match) < 0:
            words = _("Nobody has made a play yet.")
        text(texts.phrase(words), Tone.DIM)
    else:
        text(moves.in_words(model, found, moves.numbers(model)), Tone.PLAIN, bold=True)
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
        text(_lost(model, found), Tone.DIM)
        if told := "" if hidden else review.bracketed(found):
            room, small = far.w - look.px(14), look.small
            plays = widgets.wrapped(told, room, look, size=small, tone=Tone.DIM)
        plays = [] if hidden else [*_betters(model, found), *plays]
        made += [] if beside else plays
        for words in _besides(match, found, dashed=dashed, drawn=drawn):
            text(words, Tone.DIM)
    low = widgets.flow_height(items, area.w, look) if items else 2
    listed, foot = rows(area, [1, low], look.px(4))
    pitch = round(look.body * 1.7)
    offset, high = model.scrolls.get(TOLD, 0), widgets.in_reach(made, pitch, look)
    shown = [
        widgets.scroll(TOLD, listed, made, pitch, look, offset=offset, heights=high),
        *widgets.flows(foot, look, items),
    ]
    if beside and plays:
        at = model.scrolls.get(PLAYS, 0)
        shown.append(widgets.scroll(PLAYS, far, plays, pitch, look, offset=at))
    return shown


def _besides(
    match: Match, found: Appraisal, *, dashed: bool, drawn: bool
) -> Iterator[str]:
    """Yield what else is to be known of a turn: how it was judged, and what is seen."""
    if found.at_sight:
        yield review.at_sight()
    if not drawn and (counts := unseen.at_turn(match, _held(match, found))):
        letters = ", ".join(f"{face}\N{NO-BREAK SPACE}{n}" for face, n in counts if n)
        yield f"{unseen.headed(counts)}: {letters}"
    if dashed:
        yield _("On the board: what was played, and dashed what is better")


def _betters(model: Model, found: Appraisal) -> list[Row]:
    """Return the moves that were best; a click lays one on the board."""
    made: list[Row] = []
    for at, offer in enumerate(found.best):
        if offer.move and offer.move == found.played.move:
            continue
        right = f"{offer.chance / 100:.0f} %"
        if found.rack or model.alone:
            right = review.points(offer)
        words = review.offered_as(model, found, offer)
        chosen = model.review.chosen == at
        made.append(
            widgets.row(f"{BETTER}:{at}", words, model.look, right=right,
                        selected=chosen, means=review.Try(at))
        )  # fmt: skip
    return made


def _lost(model: Model, found: Appraisal) -> str:
    """Return the class of a turn, and what it lost."""
    if not found.chance_lost:
        best = found.best[0] if found.best else found.played
        if model.alone and best.chance - found.played.chance >= moves.UNSURE:
            text = _("not sure: perhaps worth {n} points less")
            much = (best.value - found.played.value) / 100
            return text.format(n=texts.decimal(much))
        if best.chance - found.played.chance >= moves.UNSURE:
            text = _("not sure: perhaps {percent} % of the chance to win lost")
            much = (best.chance - found.played.chance) / 100
            return text.format(percent=texts.decimal(much))
        made_up = review.is_made_up(found)
        if not (found.rack and found.loss) or (model.alone and not made_up):
            return _("nothing lost")
        if not made_up:
            return _("no chance to win lost")
        text = ngettext(
            "nothing lost: {n} point less, but better tiles kept",
            "nothing lost: {n} points less, but better tiles kept",
            found.loss,
        )
        return text.format(n=found.loss)
    return review.lost(found, alone=model.alone)


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
        case moves.LookAtTurn(place=place, centred=centred):
            return _at(_centred(model, place) if centred else model, place)
        case ShowBetter():
            found, own = review.known(model), model.review
            if isinstance(found, Appraisal):
                shown = own.shown | {found.number}
                model = replace(model, review=replace(own, shown=shown, leads=False))
            return same(model)
        case TryAgain():  # on the analysis board
            match = model.match
            if match is None or review.turn(match) < 0:
                return same(model)
            place = review.turn(match)
            again = replace(model.review, again=place, leads=False)
            before = replace(match, back=place)
            now = replace(model, match=before, review=again, over=Over.NONE)
            return tryout.opened(now)


def _stepped(model: Model, by: int) -> Change:
    """Look at the turn before or after."""
    match = model.match
    turns = [] if match is None else [*review.turns(match)]
    if match is None or not turns:
        return same(model)
    here = review.turn(match)
    at = turns.index(here) + by if here in turns else 0
    place = turns[max(0, min(at, len(turns) - 1))]
    return _at(_centred(model, place), place)

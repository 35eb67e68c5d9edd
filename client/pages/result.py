"""The end of a match, as a card: who won and why, the way of the scores, the best.

It opens by itself, once, when the match is over.  A click beside it closes it, as
Escape does, and the keys that step through the moves; no other key goes beneath.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client.app import board, follow, results
from client.app.board import AnySeen
from client.app.clicks import taker
from client.app.model import (
    Change,
    Effect,
    Match,
    Model,
    Over,
    Page,
    Store,
    ask,
    same,
    seen,
)
from client.pages import (
    agreeing,
    dictionary,
    host_terms,
    lent,
    play,
    play_input,
    question,
    review,
)
from client.ui import typefaces, widgets
from client.ui.intents import Click, Intent, Key
from client.ui.layout import columns, grid, rows
from client.ui.scene import Mark, Means, Node, Rect, Role, Shape
from client.ui.texts import _, ngettext
from client.ui.theme import Look
from client.ui.widgets import Item, Row, Tone, label
from netplay.messages import door
from netplay.messages.node_questions import DefineWords
from netplay.messages.table_questions import Record, records
from rules import GAMES

FACTS: Final = "result.facts"
"""The list of what is worth telling."""


def due(model: Model) -> bool:
    """Tell whether the card is to be opened: the match has just ended, seen by all."""
    match, table = model.match, model.table
    if match is None or table is None or model.page is not Page.MATCH:
        return False
    told = model.play.celebrated == table.match or model.over is not Over.NONE
    # Who still drops pieces would close it unread.
    told = told or (match.hurries and model.touched + question.CALM > model.now)
    return not told and there(model) and not model.play.waiting


def there(model: Model) -> bool:
    """Tell whether the match has a result that can be shown."""
    match, table = model.match, model.table
    if match is None or table is None or match.id != table.match:
        return False
    if table.phase != "over" or table.disputed or match.covered or not table.places:
        return False
    return board.find(match.game).TRAITS.recalled is not None


def opened(model: Model) -> Change:
    """Open the card over the page; what is among one's best is kept."""
    ended = b"" if model.table is None else model.table.match
    own = results.entered(model)
    effects: tuple[Effect, ...] = () if own == model.settings else (Store(),)
    page = replace(model.play, celebrated=ended, meant=())
    shown = replace(model, over=Over.RESULT, open="", play=page, settings=own)
    zeros = ("0",) * len(model.names)
    looked, asked = review.want(follow.begun(shown, zeros, ()))
    looked, more = _defined(looked)
    return looked, (*effects, *asked, *more)


def _defined(model: Model) -> Change:
    """Ask what the words of the match mean, where it is played with a list."""
    match = model.match
    if match is None or model.guest:
        return same(model)
    if "lexicon" not in GAMES[match.game].ABOUT.resources:
        return same(model)
    recalled = board.find(match.game).TRAITS.recalled
    assert recalled is not None  # there is no card else
    made = recalled.plays(seen(model, replace(match, back=-1)))
    words = tuple(dict.fromkeys(each.text for each in made))
    question = DefineWords(match.state.options.lexicon, words)
    return ask(model, question, dictionary.MEANT) if words else same(model)


# What it tells.


def _facts(model: Model, match: Match, now: AnySeen) -> list[tuple[str, str]]:
    """Return what is worth telling, the best play first."""
    recalled = board.find(match.game).TRAITS.recalled
    if recalled is None:
        return []
    made = recalled.plays(now)
    best = max(made, key=lambda each: each.points, default=None)
    told: list[tuple[str, str]] = []
    if best is not None:
        what = f"{best.text} {best.points}, {model.names[best.seat]}"
        told.append((_("Best move"), what))
    told += [*_missed(model, match), *_against(model, match)]
    if kind := results.terms(model, match):
        own = results.points(model, match)
        every = enumerate(results.of(model.settings, kind), 1)
        mine = [f"{n}. {each}{' ★' * (each == own)}" for n, each in every]
        told += [(_("Your best on these terms"), "   ".join(mine))] if mine else []
    return [*told, *recalled.facts(now, match.local), *_begins(model, match)]


def _missed(model: Model, match: Match) -> list[tuple[str, str]]:
    """Return how many better moves one has missed, once all turns were looked at."""
    if model.review.match != match.id:
        return []
    looked, worse, points = review.missed(model, match)
    if not looked:
        return []
    said = str(worse)
    if match.seat >= 0:
        said = f"{model.names[match.seat]}: {said}"
    if points:
        told = ngettext("{n} point", "{n} points", points).format(n=points)
        said = f"{said} ({told})"
    if not review.is_whole(model, match):
        said = "…"  # none so far is no praise
    return [(_("Better moves missed"), said)]


def _against(model: Model, match: Match) -> list[tuple[str, str]]:
    """Return of each friend in the match how games with them have gone, this too."""
    table, found = model.table, model.past.found
    if table is None or match.seat < 0:
        return []
    told: list[tuple[str, str]] = []
    known = {one.key: one for one in records(found)}
    fresh = all(one.match != match.id for one in found) and not table.watching
    for seat, each in enumerate(table.seats):
        if each.kind != "remote" or not each.key or each.program:
            continue
        one = known.get(each.key)
        if one is None:
            if not model.past.whole:
                continue  # it is not known yet
            one = Record(each.key, each.name)
        mine, theirs = table.places[match.seat], table.places[seat]
        won = one.won + (fresh and mine < theirs)
        lost = one.lost + (fresh and mine > theirs)
        told.append((_("Against {name}").format(name=each.name), f"{won} : {lost}"))
    return told


def _begins(model: Model, match: Match) -> list[tuple[str, str]]:
    """Return who begins the rematch, in which everybody sits one seat on."""
    table, traits = model.table, board.find(match.game).TRAITS
    if table is None or table.watching or match.hurries or len(model.names) < 2:
        return []
    what = _("Starts the rematch")
    if traits.lots is not None and traits.lots(match.state):
        return [(what, _("drawn by lot"))]
    moves = (step for step in match.past if step.actor >= 0)
    first, begin = next(moves, None), GAMES[match.game].actors
    # Who gives up before the first move need not have been the one to make it.
    if first is None or match.missed or first.actor not in begin(first.before):
        return []
    return [(what, model.names[(first.actor + 1) % len(model.names)])]


# What is drawn.


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the card."""
    match, table, look = model.match, model.table, model.look
    if match is None or table is None or not there(model):
        return ()
    room = window.inset(look.px(10))
    wide = look.px(700)
    inner = widgets.inside(min(wide, room.w), look)
    more = 0 if _across(model, inner) >= len(model.names) else look.px(80)
    size = (wide, _high(model, match, inner) + more)

    title, why = agreeing.result(model, table, match)
    if look.width(title, look.title, bold=True) > inner:  # names as long as they may be
        title, why = _("The game is over"), f"{title}. {why}"

    def body(inner: Rect) -> Sequence[Node]:
        return _body(model, table, match, inner, why)

    return (widgets.dialog("result.box", room, size, title, look, body, large=True),)


def _high(model: Model, match: Match, wide: int) -> int:
    """Return how high the card is: without a graph, as high as what it tells."""
    look, most = model.look, model.look.px(520)
    if len(follow.course(match)) > 1 or model.play.meant:
        return most
    facts = _facts(model, match, seen(model, replace(match, back=-1)))
    down = -(-len(facts) // _beside(wide, look))
    return min(most, look.px(280) + 3 * down * round(look.body * typefaces.LINE))


def _beside(wide: int, look: Look) -> int:
    """Return how many facts stand beside each other where there is no graph."""
    return max(1, wide // look.px(300))


def _body(
    model: Model, table: door.TableStatus, match: Match, room: Rect, why: str
) -> list[Node]:
    """Return all that stands below the headline: first why the match is over."""
    look = model.look
    now = seen(model, replace(match, back=-1))
    # What speaks against the match, or that the draw was proved.
    proof, tone = play.against(table), Tone.DANGER
    drawn = GAMES[table.game].ABOUT.tiled is not None and host_terms.is_apart(table)
    if not proof and table.audit == "ok" and drawn:
        proof = _("✓ The draw is proved: every computer checked every tile.")
        tone = Tone.GOOD
    items, wish = _buttons(model, table), agreeing.play_again(model, table)
    names, beside = model.names, _across(model, room.w)
    inner, down = _named(look, room.w, beside), -(-len(names) // beside)
    card = (
        round(look.px(26) * 1.2)
        + 2 * look.px(8)
        + max(
            (typefaces.height(n or "–", look.small, inner, bold=True) for n in names),
            default=0,
        )
    )
    highs = [
        typefaces.height(why, look.body, room.w),
        down * (card + look.gap) - look.gap,
        1,
        typefaces.height(proof, look.small, room.w) if proof else 0,
        widgets.flow_height(items, room.w, look),
    ]
    if wish:  # the card lies over the page, which says so too
        highs.insert(4, typefaces.height(wish, look.body, room.w, bold=True))
    said, cards, middle, foot, *low, buttons = rows(room, highs, look.gap)
    kids = [label(said, why, look, name="result.why", tone=Tone.DIM, wrap=True)]
    kids += _cards(model, table, match, cards)
    kids += _middle(model, match, now, middle)
    if proof:
        kids.append(
            label(foot, proof, look, name="result.proof", size=look.small, tone=tone,
                  wrap=True)
        )  # fmt: skip
    kids += [
        label(each, wish, look, name="result.wish", bold=True, wrap=True)
        for each in low
    ]
    return [*kids, *widgets.flows(buttons, look, items)]


class Rematch(Means, frozen=True):
    """Play the same once more."""


class LookBack(Means, frozen=True):
    """Look at what the turns cost, or at the first move."""


class GoHome(Means, frozen=True):
    """Go to the start."""


class Shut(Means, frozen=True):
    """Close the card."""


def _buttons(model: Model, table: door.TableStatus) -> list[Item]:
    """Return the buttons: what comes after the end."""
    again = play.may_again(model, table)
    look_back = _("Review") if review.there(model) else _("Look back")
    first = [("result.rematch", _("Rematch"), again, Rematch())]
    made: list[tuple[str, str, bool, Means]] = [
        *([] if table.watching else first),
        ("result.review", look_back, True, LookBack()),
        ("result.home", _("To your games"), True, GoHome()),
        ("result.close", _("Close"), True, Shut()),
    ]
    tones = [Tone.MAIN, *[Tone.PLAIN] * len(made)]
    toned = [
        (name, text, tone, on, means)
        for (name, text, on, means), tone in zip(made, tones, strict=False)
    ]
    return lent.offered(model, toned)


SIGNS: Final = (Mark.DOT, Mark.SQUARE, Mark.TRIANGLE, Mark.DIAMOND)
"""Each seat's sign, in its card and at the end of its line."""


FOUR: Final = 460
"""Pixels at 100 % in which the cards of four stand beside each other in any case."""


def _named(look: Look, wide: int, across: int) -> int:
    """Return how much of so many cards beside each other is for the name."""
    return (wide - look.gap * (across - 1)) // across - 2 * look.px(10) - look.px(20)


def _across(model: Model, wide: int) -> int:
    """Return how many cards stand in a row: on a phone two, where words need it."""
    look, count = model.look, max(1, len(model.names))
    words = " ".join(model.names).split()
    longest = max((look.width(w, look.small, bold=True) for w in words), default=0)
    roomy = wide >= look.px(FOUR) or longest <= _named(look, wide, count)
    return count if count < 3 or roomy else 2


def _cards(
    model: Model, table: door.TableStatus, match: Match, area: Rect
) -> list[Node]:
    """Return a card a player: sign, name, score; the winner's has an edge."""
    look, theme = model.look, model.look.theme
    told = board.find(match.game).sheets(seen(model, replace(match, back=-1)))
    across = _across(model, area.w)
    spots = grid(area, across, -(-len(model.names) // across), look.gap)
    first, kids = agreeing.first(table), list[Node]()
    for seat, (name, sheet, spot) in enumerate(
        zip(model.names, told, spots, strict=False)
    ):
        won = len(told) > 1 and seat in first
        won = won and table.offers.ended != "stop"
        inner = spot.inset(look.px(10), look.px(8))
        side = look.px(14)
        sign = Rect(inner.x, inner.y + look.px(2), side, side)
        x = sign.right + look.px(6)
        high = inner.h - round(look.px(26) * 1.2)
        head = Rect(x, inner.y, inner.right - x, high)
        low = Rect(inner.x, head.bottom, inner.w, inner.bottom - head.bottom)
        # What stands for the score in a game without.
        half = "½" if len(first) == len(table.places) else ""
        one = half or ("1" if seat in first else "0")
        score = follow.shown(model, seat, sheet.score) or one
        face = Node(
            Role.PANEL, f"result.player{seat}", spot, shape=Shape.ROUND,
            radius=look.px(9), bg=theme.raised, border=look.px(2 if won else 1),
            edge=theme.good if won else theme.raised, value="winner" if won else "",
            kids=(
                Node(Role.LABEL, "", sign, mark=SIGNS[seat % 4],
                     fg=follow.colours(look)[seat % 4]),
                label(head, name or "–", look, size=look.small, bold=True, wrap=True),
                label(low, score, look, size=look.px(26), bold=True),
            ),
        )  # fmt: skip
        kids.append(face)
    return kids


def _middle(model: Model, match: Match, now: AnySeen, area: Rect) -> list[Node]:
    """Return the graph, and what is worth telling beside it."""
    look = model.look
    left, right = columns(area, [0.56, 0.44], look.px(16))
    course, measure = follow.course(match), ""
    recalled = board.find(match.game).TRAITS.recalled
    if recalled is not None:
        measure = recalled.measure()
    kids: list[Node] = []
    if len(course) > 1 and left.h >= look.px(70):
        kids += follow.drawn(course, measure, left, look, SIGNS)
        across = 1
    else:
        right, across = area, _beside(area.w, look)
    wide, pitch = right.w // across - look.px(12), round(look.body * typefaces.LINE)
    facts = [_fact(*each, wide, look) for each in _facts(model, match, now)]
    bands = [facts[at : at + across] for at in range(0, len(facts), across)]
    if meant := "\n".join(f"{word}: {text}" for word, text in model.play.meant):
        wide = right.w - look.px(12)
        bands.append([_fact(_("What the words mean"), meant, wide, look, bold=False)])
    # The lines of all facts, with room between them where there is some
    highs = [max(map(len, band)) for band in bands]
    roomy = (sum(highs) + len(highs) - 1) * pitch <= right.h
    gap: list[Row] = [lambda rect: widgets.group(rect, ())] if roomy else []
    made: list[tuple[Row, int]] = []
    for band, high in zip(bands, highs, strict=True):
        if len(band) > 1:
            made.append((_in_columns(band, pitch), high * pitch))
        else:
            made += [(line, pitch) for line in band[0]]
        made += [(line, pitch) for line in gap]
    offset = model.scrolls.get(FACTS, 0)
    room = Rect(right.x, right.y, right.w, max(pitch, right.h // pitch * pitch))
    lines, heights = [line for line, _high in made], [high for _line, high in made]
    kids.append(
        widgets.scroll(FACTS, room, lines, pitch, look, offset=offset, heights=heights)
    )
    return kids


def _in_columns(facts: Sequence[Sequence[Row]], pitch: int) -> Row:
    """Return facts that stand beside each other, each read as a whole."""

    def make(rect: Rect) -> Node:
        kids = [
            line(Rect(spot.x, spot.y + n * pitch, spot.w, pitch))
            for fact, spot in zip(facts, columns(rect, [1] * len(facts)), strict=True)
            for n, line in enumerate(fact)
        ]
        return widgets.group(rect, kids)

    return make


def _fact(
    what: str, which: str, wide: int, look: Look, *, bold: bool = True
) -> list[Row]:
    """Return the lines of something worth telling: what, and below it which."""
    head = widgets.wrapped(what, wide, look, size=look.small, tone=Tone.DIM)
    return [*head, *widgets.wrapped(which, wide, look, bold=bold)]


# What is done.


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done besides its buttons."""
    closed = replace(follow.ended(model), over=Over.NONE)
    match intent:
        case Click() | Key(key="escape", down=True):
            return same(closed)
        case Key(key="page up" | "page down" | "home" | "end", down=True):
            return play_input.handle(closed, intent)
        case _:
            return same(model)


@taker
def _clicked(model: Model, message: Rematch | LookBack | GoHome | Shut) -> Change:
    closed = replace(follow.ended(model), over=Over.NONE)
    match message:
        case Rematch():
            return play_input.clicked(closed, play.Again())
        case GoHome():
            return play_input.clicked(closed, play.GoHome())
        case LookBack():
            # What the turns cost, at the end; where none are judged, the first move.
            if review.there(closed):
                return play_input.clicked(closed, play.ToTab(play.REVIEW))
            chosen, effects = play_input.clicked(closed, play.ToTab(play.MOVES))
            first, more = play_input.looked_about(chosen, review.ToEnd(-1))
            return first, (*effects, *more)
        case Shut():
            return same(closed)

"""After a match whose turns can be judged: each turn beside the best plays there were.

The node finds them, turn by turn as they are looked at; what has come is kept for the
match.  A play that is clicked lies on the board until another move is looked at.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from msgspec.structs import replace

from client.app import board, mistakes
from client.app.board import AnySeen, AnyState, Past, Seen, Step
from client.app.model import (
    Change,
    Copy,
    Effect,
    Match,
    Model,
    Over,
    Review,
    Store,
    ask,
    same,
    tell,
)
from client.app.settings import Settings
from client.pages import tryout
from client.ui import texts, typefaces, widgets
from client.ui.layout import rows
from client.ui.scene import Align, Mark, Means, Node, Rect, Role
from client.ui.texts import _, ngettext
from client.ui.theme import Look
from client.ui.widgets import Row, Tone, label
from netplay import drill, wire
from netplay.messages import door, table_questions
from netplay.messages.table_questions import Appraisal, Appraise, Grade, Offer
from netplay.said import Said
from netplay.sentences import Says
from rules import GAMES
from rules.game import Seat

ASKED: Final = "appraise"
"""What a request for a turn's best plays is remembered as, with the move's number."""

OFFER: Final = "offer"
"""Begins the name of a row that shows a play on the board."""

TURN: Final = "turn"
"""Begins the name of a row that leads to a turn."""

WORST: Final = 5
"""Turns named with the summary, at the end of the match."""

FIRST: Final = "step.first"
LESS: Final = "step.less"
MORE: Final = "step.more"
LAST: Final = "step.last"
COPY: Final = "moves.copy"
PAGE: Final = "review.open"
"""The button that opens the page of its own."""

PITCH: Final = 1.7
"""The height of a line, in text heights."""

LOW: Final = 1.45
"""The same where there is hardly room for two."""


class StepMove(Means, frozen=True):
    """Look a move back or on; in a game in real time some way."""

    by: int


class ToEnd(Means, frozen=True):
    """Look at the first move, or at the last."""

    by: int


class LookAt(Means, frozen=True):
    """Look at the board after so many entries; -1 for the live game."""

    place: int


class Try(Means, frozen=True):
    """Show one of the best plays on the board, or take it off again."""

    number: int


class CopyMoves(Means, frozen=True):
    """Put the moves on the clipboard."""


class OpenReview(Means, frozen=True):
    """Open the page of its own."""


STEPS: Final[tuple[tuple[str, str, Means], ...]] = (
    (FIRST, "«", ToEnd(-1)),
    (LESS, "", StepMove(-1)),
    (MORE, "", StepMove(1)),
    (LAST, "»", ToEnd(1)),
)
"""Buttons that step through the moves."""


def there(model: Model) -> bool:
    """Tell whether the turns of the match can be looked at beside the best plays."""
    match, table = model.match, model.table
    if match is None or table is None or board.find(match.game).TRAITS.analysed is None:
        return False
    if model.guest:
        return False  # whoever lent the seat has no time of the computer to give away
    return table.phase == "over" and bool(table.audit) and not match.covered


def turn(match: Match) -> int:
    """Return which of the moves is looked at: the last turn until there, or -1."""
    end = len(match.past) if match.back < 0 else match.back
    return max((at for at in turns(match) if at < end), default=-1)


def turn_of(match: Match, place: int) -> Seat:
    """Return whose turn a move was, below 0 if it is none that is judged."""
    return turns(match).get(place, -1)


def turns(match: Match) -> Mapping[int, Seat]:
    """Return the turns that are judged: the place of each, and whose it was."""
    return _turns(match.game, Past(match.past))


@lru_cache(maxsize=8)  # as the words of the moves
def _turns(game: str, past: Past) -> Mapping[int, Seat]:
    analysed = board.find(game).TRAITS.analysed
    if analysed is None:
        return {}
    every = ((at, analysed.turn_of(step)) for at, step in enumerate(past.steps))
    return {at: seat for at, seat in every if seat is not None and seat >= 0}


def known(model: Model) -> Appraisal | Said | None:
    """Return what is known of the turn looked at: its plays, or why there are none."""
    match, review = model.match, model.review
    if match is None or review.match != match.id:
        return None
    return review.known.get(match.missed + turn(match))


def want(model: Model) -> Change:
    """Ask for the turn looked at, unless it is known or asked for.

    All turns are looked at first, and then thought out one after another.
    """
    match = model.match
    if match is None or not there(model) or turn(match) < 0:
        return same(model)
    model = begun(model, match)
    number = match.missed + turn(match)
    what = f"{ASKED}.{number}"
    if number in model.review.known:
        return more(model)
    if what in model.asked.values():
        return same(model)
    return ask(model, Appraise(number, at_sight=True), what)


def begun(model: Model, match: Match) -> Model:
    """Return the model with the review of a match; what another one lacks is left."""
    if model.review.match == match.id:
        return model
    asked = {
        n: f"{ASKED}." if what.startswith(f"{ASKED}.") else what
        for n, what in model.asked.items()
    }
    fresh = Review(match.id, whole=model.review.whole)
    return replace(model, asked=asked, review=fresh)


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take a turn's best plays, or the reason why there are none."""
    asked = what.partition(".")[2]
    if not asked:  # it is of a match whose review was left
        return more(model)
    number = int(asked)
    found: Appraisal | Said
    before = model.review.known.get(number)
    if isinstance(answer, door.Failed) and isinstance(before, Appraisal):
        found = replace(before, at_sight=False)  # that is all there will be
    elif isinstance(answer, door.Failed):
        found = answer.error.said
    else:
        found = wire.unpack(answer.data, Appraisal)
    review = model.review
    review = replace(review, known={**review.known, number: found})
    model = replace(model, review=review)
    if before is None:
        model = led(model)
    own = _noted(model, number)
    kept: tuple[Effect, ...] = () if own == model.settings else (Store(),)
    model, effects = more(replace(model, settings=own))
    return model, (*kept, *effects)


def appraised(model: Model, match: Match) -> list[Appraisal]:
    """Return the turns that are known, in their order."""
    if model.review.match != match.id:
        return []
    known = model.review.known
    found = (known.get(match.missed + at) for at in turns(match))
    return [each for each in found if isinstance(each, Appraisal)]


def worst(model: Model, match: Match) -> list[Appraisal]:
    """Return the turns that decided: graded ones, the one that lost most first."""
    judged = appraised(model, match)
    return _worse([each for each in judged if each.grade != "none"])


def led(model: Model) -> Model:
    """Return the model with the page at the turn that has lost most so far.

    One of who has not won, if there is any: that lost the game.  Only while the turns
    are looked at first: later it would jump under one's eyes.
    """
    match, table = model.match, model.table
    if match is None or not model.review.leads or model.over is not Over.REVIEW:
        return model
    found = worst(model, match)
    if not found:
        return model
    places = () if table is None else table.places
    lost = [each for each in found if places[each.seat : each.seat + 1] > (1,)]
    place = (lost or found)[0].number - match.missed
    shown = replace(model.review, middle=place, chosen=-1)
    return replace(model, match=replace(match, back=place + 1), review=shown)


def _noted(model: Model, number: int) -> Settings:
    """Return the settings with what a turn tells of the player's own play."""
    match, table, own = model.match, model.table, model.settings
    found = model.review.known.get(number)
    if match is None or table is None or model.review.match != match.id:
        return own
    person = match.seat >= 0 and table.seats[match.seat].kind == "person"
    if not person or not isinstance(found, Appraisal) or found.seat != match.seat:
        return own
    day = max(1, model.day)
    rules, step = GAMES[match.game], match.past[number - match.missed]
    before = rules.view(step.before, match.seat)
    if rules.ABOUT.crossword:
        missed = drill.with_missed(own.missed, before, found, day)
        own = replace(own, missed=missed)
    asks = rules.ABOUT.clocked
    answered = asks is not None and asks.answering(step.before)
    if mistakes.is_puzzle(found) and not answered:  # to doubt a word or not is a guess
        own = mistakes.with_mistake(own, match.game, match.id, before, found, day)
    every = model.review.known
    mine = (at for at, seat in turns(match).items() if seat == match.seat)
    known = [every.get(match.missed + at) for at in mine]
    judged = [each for each in known if isinstance(each, Appraisal)]
    if len(judged) < len(known):
        return own
    played = [one.at for one in model.past.found if one.match == match.id]
    if played:
        day = texts.local(played[0]).toordinal()
    return mistakes.with_figures(own, match.game, match.id, judged, day)


def show_play(model: Model, number: int) -> Change:
    """Show a play on the board, or take it off again."""
    shown = -1 if model.review.chosen == number else number
    return replace(model, review=replace(model.review, chosen=shown, leads=False)), ()


def hide_play(model: Model) -> Model:
    """Return the model without a play shown: another move is looked at."""
    return replace(model, review=replace(model.review, chosen=-1, leads=False))


def on_board(model: Model, seen: AnySeen) -> AnySeen:
    """Return what is seen, with the play that was clicked in place of the one made.

    Where none is clicked an own turn has the tiles that it was chosen from: those of
    the position behind it were drawn for the next one.
    """
    match, found = model.match, known(model)
    chosen = model.review.chosen
    if match is None or not there(model):
        return seen
    analysed = board.find(match.game).TRAITS.analysed
    if not isinstance(found, Appraisal):
        held = chosen_from(match)
        own = held is not None and turn_of(match, turn(match)) == match.seat
        return replace(seen, view=held[1], live=False) if held and own else seen
    offer = found.best[chosen] if 0 <= chosen < len(found.best) else None
    if offer is None and found.rack and found.seat == match.seat and match.back >= 0:
        offer = found.played
    if analysed is None or offer is None:
        return seen
    at = turn(match)
    before, past = match.past[at].before, seen.past
    if offer.move:  # the board marks the last move, which is this one
        move = wire.unpack(offer.move, GAMES[match.game].ABOUT.move)
        past = (*match.past[:at], Step(before, found.seat, move))
    view = analysed.laid(before, found.seat, offer)
    return replace(seen, view=view, past=past, live=False)


def chosen_from(match: Match) -> tuple[tuple[int, ...], AnyState] | None:
    """Return the tiles that the turn looked back at was chosen from, and its view.

    Returns:
        None where there is no such turn, or not all of its tiles are known here; they
        need not be judged to be seen.
    """
    analysed, at = board.find(match.game).TRAITS.analysed, turn(match)
    if analysed is None or at < 0 or match.back < 0:
        return None
    before, end = match.past[at].before, at + 1
    after = match.past[end].before if end < len(match.past) else match.state
    held, view = analysed.chosen_from(before, turn_of(match, at), after)
    return (held, view) if held and min(held) >= 0 else None


# What is drawn.


def inside(model: Model, room: Rect, listed: Mapping[int, int]) -> list[Node]:
    """Return the turn looked at, the plays beside it, and the buttons to step.

    Args:
        model: The window.
        room: Where they stand.
        listed: The number of each move in the list of moves, by its place.
    """
    look = model.look
    # With hardly room for two lines all is lower, but for thumbs.
    usual, low = round(look.body * PITCH), round(look.body * LOW)
    tight = not look.thumb and room.h < look.row + look.px(4) + 2 * usual
    parts = [1, look.row - (look.px(8) if tight else 0)]
    told, foot = rows(room, parts, 1 if tight else look.px(4))
    made = _lines(model, told.w - look.px(16), listed)
    name = "review"
    pitch = min(usual, max(low, told.h // 2)) if tight else usual
    offset = model.scrolls.get(name, 0)
    page = (PAGE, _("Full page"), Tone.PLAIN, True, OpenReview())
    return [
        widgets.scroll(name, told, made, pitch, look, offset=offset),
        *steps(foot, look, [page, *offered(model, copy=False)]),
    ]


def steps(foot: Rect, look: Look, more: Sequence[widgets.Item]) -> list[Node]:
    """Return the buttons to step through the moves, and others at their right.

    Where not all of those have room, the last ones give way.
    """
    marks = {LESS: Mark.LEFT, MORE: Mark.RIGHT}
    made: list[Node] = []
    x = foot.x
    for name, text, means in STEPS:
        spot = Rect(x, foot.y, look.row, foot.h)
        mark = marks.get(name, Mark.NONE)
        made.append(widgets.button(name, spot, text, look, mark=mark, means=means))
        x = spot.right + look.px(4)
    rest = Rect(x + look.px(4), foot.y, max(1, foot.right - x - look.px(4)), foot.h)
    items = list(more)
    while len(items) > 1 and widgets.flow_height(items, rest.w, look) > look.row:
        items.pop()
    return [*made, *widgets.flow(rest, look, items, align=Align.RIGHT)]


def offered(model: Model, *, copy: bool) -> list[widgets.Item]:
    """Return the buttons beside those that step: to try moves, and to copy them."""
    copied = (COPY, _("Copy"), Tone.PLAIN, True, CopyMoves())
    tries = [] if model.match is None else tryout.button(model, model.match)
    return [*tries, copied] if copy else tries


def _lines(model: Model, wide: int, listed: Mapping[int, int]) -> list[Row]:
    """Return the summary and what cost most, at the end; else a turn's best plays."""
    look, found, match = model.look, known(model), model.match
    if match is None:
        return []
    if turn(match) < 0:
        ended = match.back < 0
        text = _("Nobody made a play.") if ended else _("Nobody has made a play yet.")
        return _text(text, look, wide)
    lines: list[Row] = []
    if match.back < 0:
        lines = _summary(model, match, wide)
        lines += _worst(model, match, wide, listed)
    if isinstance(found, Appraisal):
        if match.back < 0 and not found.best:
            # The summary comes first, and until it is there nothing else: the match
            # ended with a turn of which nothing is to be said.
            return lines or _text(_("Looking for the best plays…"), look, wide)
        return [*lines, *_judged(model, match, found, wide)]
    text = _("Looking for the best plays…") if found is None else texts.phrase(found)
    return [*lines, *_text(text, look, wide)]


def _judged(model: Model, match: Match, found: Appraisal, wide: int) -> list[Row]:
    """Return what was played in a turn, and the best plays of it."""
    look = model.look
    name = model.names[found.seat] if found.seat < len(model.names) else ""
    scored = f"  {found.played.points}" if found.played.sums and found.rack else ""
    text = f"{name}: {made(model, found)}{scored}"
    lines = _text(text, look, wide, bold=True)
    if found.chance_lost:
        cost = lost(found, alone=model.alone)
        cost = f"{cost}; {texts.phrase(found.why)}" if found.why else cost
        lines += _text(cost, look, wide)
    if found.at_sight:
        lines += _text(at_sight(), look, wide)
    lines += _sums(found.played, wide, look)
    if found.rack:
        lines += _text(rack(match, found), look, wide)
    if not found.best:
        return [*lines, *_text(_("There was no play."), look, wide)]
    lines += _text(_best(found), look, wide, bold=True)
    if _same(found):
        return lines
    for i, offer in enumerate(found.best):  # a click lays it on the board, explained
        chosen = model.review.chosen == i
        right = points(offer) if found.rack else ""
        words = offered_as(model, found, offer)
        lines.append(
            widgets.row(f"{OFFER}:{i}", words, look, right=right, selected=chosen,
                        means=Try(i))
        )  # fmt: skip
        lines += _sums(offer, wide, look) if chosen else []
    if told := bracketed(found):
        lines += _text(told, look, wide)
    return lines


def _text(text: str, look: Look, wide: int, *, bold: bool = False) -> list[Row]:
    """Return the lines of a text, each to be read aloud: small and pale, or bold."""
    size, tone = (look.body, Tone.PLAIN) if bold else (look.small, Tone.DIM)

    def row(part: str, rect: Rect) -> Node:
        kids = (label(rect, part, look, size=size, tone=tone, bold=bold),)
        return Node(Role.ITEM, "", rect, value=part, kids=kids)

    parts = typefaces.wrap(text, size, wide, bold=bold)
    return [partial(row, part) for part in parts]


def offered_as(model: Model, found: Appraisal, offer: Offer) -> str:
    """Return a move that was possible, as it is listed; the one made is marked."""
    if not found.rack:
        return _named(model, found, offer)
    words, made = spelled(offer), found.played
    if sorted(offer.laid) != sorted(made.laid):
        return words
    return _("{play} (played)").format(play=words)


def made(model: Model, found: Appraisal) -> str:
    """Return what was done in a turn."""
    match = model.match
    assert match is not None  # there is nothing to look at else
    step = match.past[found.number - match.missed]
    if found.played.move and step.actor >= 0:
        return _named(model, found, found.played)
    if found.back:
        return _("{play}, taken back").format(play=found.back)
    if found.played.text and step.actor >= 0:
        return spelled(found.played)
    # How a turn went without a play: passed, out of time, lost otherwise
    nobody = ("",) * len(model.names)
    return board.find(match.game).tell(step, nobody).strip(" :") or _("no play")


def rack(match: Match, found: Appraisal) -> str:
    """Return what was held before a turn."""
    analysed = board.find(match.game).TRAITS.analysed
    letters = "" if analysed is None else analysed.letters(match.state, found.rack)
    return _("Rack before the play: {letters}").format(letters=letters)


def _same(found: Appraisal) -> bool:
    """Tell whether the computer's move is the one that was made."""
    best = found.best[0].move if found.best else b""
    return bool(best) and best == found.played.move


def _named(model: Model, found: Appraisal, offer: Offer) -> str:
    """Return a move of a game that is searched, as its list of moves tells it."""
    match = model.match
    assert match is not None  # there is nothing to look at else
    before = match.past[found.number - match.missed].before
    about = GAMES[match.game].ABOUT
    step = Step(before, found.seat, wire.unpack(offer.move, about.move))
    nobody = ("",) * len(model.names)
    return board.find(match.game).tell(step, nobody).strip(" :")


def _own(model: Model, match: Match) -> list[Appraisal]:
    """Return what is known of one's own turns; of all turns for an onlooker."""
    return [
        each
        for each in model.review.known.values()
        if isinstance(each, Appraisal) and match.seat in {each.seat, -1}
    ]


def _worse(judged: list[Appraisal]) -> list[Appraisal]:
    """Return the turns that lost something, the one that cost most first."""
    worse = [each for each in judged if each.chance_lost]
    return sorted(worse, key=lambda each: (-each.chance_lost, each.number))


def _cost(found: Appraisal) -> int:
    """Return how many points less a turn was worth, 0 where they are not compared."""
    return round(found.equity_lost / 100) if found.rack else 0


def missed(model: Model, match: Match) -> tuple[int, int, int]:
    """Return how many turns of one's own were looked at, and what was better in them.

    Returns:
        Turns; those with a better move; how many points less they were worth than
        that, where points are compared.
    """
    own = _own(model, match)
    worse = _worse(own)
    return len(own), len(worse), sum(map(_cost, worse))


def is_whole(model: Model, match: Match) -> bool:
    """Tell whether all of one's own turns were looked at; an onlooker's are all."""
    own = (at for at, seat in turns(match).items() if match.seat in {seat, -1})
    return all(match.missed + at in model.review.known for at in own)


def _worst(
    model: Model, match: Match, wide: int, listed: Mapping[int, int]
) -> list[Row]:
    """Return the turns that cost most; a click on one leads to it."""
    worse = [
        each
        for each in _worse(_own(model, match))[:WORST]
        if 0 <= each.number - match.missed < len(match.past)
    ]
    if not worse:
        return []
    rows_ = _text(_("Turns to look at:"), model.look, wide, bold=True)
    for each in worse:
        name = "" if each.seat == match.seat else f"{model.names[each.seat]}: "
        cost = short(each, alone=model.alone)  # by which they are in order
        place = each.number - match.missed
        row, means = f"{TURN}:{place}", LookAt(place + 1)
        text = f"{listed.get(place, place + 1)}  {name}{made(model, each)}"
        rows_.append(widgets.row(row, text, model.look, right=cost, means=means))
    return rows_


def _summary(model: Model, match: Match, wide: int) -> list[Row]:
    """Return the rows that sum up what has been looked at."""
    looked, worse, points = missed(model, match)
    if not looked:
        return []
    text = ngettext("{n} better move missed", "{n} better moves missed", worse)
    text = text.format(n=worse)
    if points:
        more = ngettext("{n} point", "{n} points", points).format(n=points)
        text = f"{text}, {more}"
    of = ngettext("in {n} turn", "in {n} turns", looked).format(n=looked)
    said = "\n".join(filter(None, (f"{text} ({of})", doomed(model, match))))
    return _text(said, model.look, wide)


def doomed(model: Model, match: Match) -> str:
    """Return that nothing could have been done, where one had lost from the start."""
    places = model.table.places if model.table is not None else ()
    seat = match.seat
    if len(places) == 2 and (seat < 0 or places[seat] == 1):
        seat = places.index(max(places))
    if not places or places[seat] == 1 or match.missed:
        return ""
    own = [each for each in appraised(model, match) if each.seat == seat]
    known = len(own) == list(turns(match).values()).count(seat)
    if seat < 0 or not (known and table_questions.is_hopeless(own)):
        return ""
    said = _(
        "{name} could not have won: as far as the computer can see, the game was lost "
        "from the start."
    )
    return said.format(name=model.names[seat])


def more(model: Model) -> Change:
    """Ask for the next turn: those nobody has looked at first, then to think them out.

    The turn looked at is thought out first, then those that seem to have lost most.
    """
    match = model.match
    if match is None or not there(model) or model.review.match != match.id:
        return same(model)
    if any(each.startswith(ASKED) for each in model.asked.values()):
        return same(model)
    known, here = model.review.known, match.missed + turn(match)
    wanted = [
        match.missed + at
        for at, seat in turns(match).items()
        if model.review.whole or match.seat in {seat, -1}
    ]
    for number in wanted:
        if number not in known:
            what = f"{ASKED}.{number}"
            return ask(model, Appraise(number, at_sight=True), what)
    seen = [known.get(number) for number in {here, *wanted}]
    vague = [each for each in seen if isinstance(each, Appraisal) and each.at_sight]
    if not vague:
        return same(model)
    vague.sort(key=lambda each: (each.number != here, -each.chance_lost, each.number))
    return ask(model, Appraise(vague[0].number), f"{ASKED}.{vague[0].number}")


def reopened(change: Change, before: door.TableStatus | None) -> Change:
    """Ask again for turns whose tiles were not open yet, once the log has gone on.

    An encrypted bag is opened right behind the end, while the window asks already.
    """
    (model, effects), late = change, Says.ANALYSE_LATER()
    match, table, known = model.match, model.table, model.review.known
    if match is None or table is None or late not in known.values():
        return change
    if before is None or (before.match, before.entries) == (table.match, table.entries):
        return change
    rest = {number: found for number, found in known.items() if found != late}
    model, asked = want(replace(model, review=replace(model.review, known=rest)))
    return model, (*effects, *asked)


def _best(found: Appraisal) -> str:
    if found.best and found.best[0].move:
        if _same(found):
            return _("The computer would have done the same.")
        return _("The computer would have played:")
    if not found.loss:
        return _("No play scored more:")
    if found.chance_lost:  # what that cost is said already, with the tiles kept
        return _("The computer would have played:")
    most = found.loss
    if is_made_up(found):
        text = ngettext(
            "Up to {n} point more, worse tiles kept:",
            "Up to {n} points more, worse tiles kept:",
            most,
        )
    else:  # of those in the list: what scores most of all need not be among them
        most = max((offer.points for offer in found.best), default=0)
        most -= found.played.points
        if most <= 0:
            return _("The computer would have played:")
        text = ngettext(
            "Best plays, {n} point more:", "Best plays, {n} points more:", most
        )
    return text.format(n=most)


def is_made_up(found: Appraisal) -> bool:
    """Tell whether tiles that were kept made up for most of the points given away.

    In a match that is as good as decided neither costs a chance to win.
    """
    lost = max((offer.value for offer in found.best), default=0) - found.played.value
    return not found.equity_lost and 2 * lost <= 100 * found.loss


def spelled(offer: Offer) -> str:
    """Return where a play lies and the words it makes, as the word lists have them.

    Other programs write an exchange as `-QV`; here it is said.
    """
    sign, letters = offer.text[:1], offer.text[1:]
    if sign == "-" and letters:
        return _("exchanges {letters}").format(letters=letters)
    words = [line.partition(":")[0] for line in offer.sums if ":" in line]
    return f"{offer.text.partition(' ')[0]} {' +'.join(words)}"


def points(offer: Offer) -> str:
    """Return what a play scores, and what it is worth with the tiles it keeps."""
    if not offer.value:
        return str(offer.points)
    return f"{offer.points} ({texts.decimal(offer.value / 100)})"


def bracketed(found: Appraisal) -> str:
    """Return what stands in brackets behind the points, if anything does."""
    if not (found.rack and any(offer.value for offer in found.best)):
        return ""
    return _("In brackets: what it is worth with the tiles that are kept")


def grade(found: Grade) -> str:
    """Return the class of a turn in words, empty for one that was good."""
    return {
        "none": "",
        "inaccuracy": _("inaccuracy"),
        "mistake": _("mistake"),
        "blunder": _("blunder"),
    }[found]


def lost(found: Appraisal, *, alone: bool) -> str:
    """Return the class of a turn, and how much of the chance to win it lost.

    Args:
        found: The turn, of which it is sure that it lost something.
        alone: Nobody else played: points are all that counts.
    """
    text = _("{percent} % of the chance to win lost")
    text = text.format(percent=texts.decimal(found.chance_lost / 100))
    if found.equity_lost and (found.rack or alone):
        less = _("worth {n} points less")
        less = less.format(n=texts.decimal(found.equity_lost / 100))
        text = less if alone else f"{text}, {less}"
    named = grade(found.grade)
    return f"{named}: {text}" if named else text


def short(found: Appraisal, *, alone: bool) -> str:
    """Return the same as figures for lists: points where one has played alone."""
    if alone:
        return f"\N{MINUS SIGN}{found.equity_lost / 100:.0f}"
    share = found.chance_lost / 100
    return f"\N{MINUS SIGN}{texts.decimal(share) if share < 1 else f'{share:.0f}'} %"


def at_sight() -> str:
    """Return that a turn was only looked at."""
    return _("At first sight; the computer is still thinking.")


def _sums(offer: Offer, wide: int, look: Look) -> list[Row]:
    bingo = _("all tiles at once")
    told = (line.replace(mistakes.BINGO, bingo, 1) for line in offer.sums)
    return [row for line in told for row in _text(line, look, wide)]


# The moves as a text.


def copied(model: Model, lines: list[tuple[int, str]]) -> Change:
    """Put the moves, the scores and the result on the clipboard.

    Args:
        model: As it is.
        lines: The moves worth a line, in words.
    """
    text = transcript(model, lines)
    if not text:
        return same(model)
    return tell(model, _("The moves are on the clipboard.")), (Copy(text),)


def transcript(model: Model, lines: list[tuple[int, str]]) -> str:
    """Return the match in words, in the language of the window."""
    match, table = model.match, model.table
    if match is None or table is None or match.covered:
        return ""
    title = GAMES[match.game].ABOUT.title
    told = [f"{n:3}. {text}" for n, (_place, text) in enumerate(lines, 1)]
    live = replace(match, back=-1)
    sheets = board.find(match.game).sheets(
        Seen(live.state, None if live.seat < 0 else live.seat, model.names, live.past)
    )
    ends = [
        f"{name}: {sheet.score}".rstrip(": ")
        for name, sheet in zip(model.names, sheets, strict=False)
    ]
    places = [f"{place}. {end}" for place, end in zip(table.places, ends, strict=False)]
    head = f"{title}: {', '.join(model.names)}"
    return "\n".join([head, "", *told, "", *(places or ends)]) + "\n"

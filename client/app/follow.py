"""Scores that count up: to what a move has made of them, and at the end from nothing.

Only what is drawn counts; the scores themselves are what the game says they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from client.app import board, motion
from client.app.board import AnySeen, AnyState, AnyStep, Step
from client.app.model import Change, Match, Model, ask, same, seen
from client.app.motion import Counting
from client.ui import typefaces
from client.ui.scene import Align, Colour, Mark, Node, Rect, Role, Shape
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay import wire
from netplay.messages import door
from rules import GAMES
from rules.game import CHANCE, Game, IllegalMoveError, followed, with_own
from rules.tiles import UNKNOWN, Reveal

LENGTH: Final = 0.7
"""Seconds that it takes at the usual pace."""


def begun(model: Model, before: tuple[str, ...], after: tuple[str, ...]) -> Model:
    """Return the model with scores that count from what they were, if they move."""
    if before == after or not model.settings.pace:
        return model
    return replace(
        model, play=replace(model.play, counting=Counting(before, model.now))
    )


def ended(model: Model) -> Model:
    """Return the model with all scores as they are: somebody will not wait."""
    still = model.play.counting.since == motion.NEVER
    if still:
        return model
    return replace(model, play=replace(model.play, counting=Counting()))


def goes_on(model: Model) -> bool:
    """Tell whether scores are on their way."""
    return _done(model) < 1


def _done(model: Model) -> float:
    """Return how much of the way is done, 0 to 1."""
    since, pace, match = model.play.counting.since, model.settings.pace, model.match
    if since == motion.NEVER or not pace or match is None or match.back >= 0:
        return 1.0
    seconds = (model.now - since) * motion.USUAL / pace
    return motion.part(seconds, 0.0, LENGTH)


def shown(model: Model, seat: int, score: str) -> str:
    """Return the score that is drawn of a seat just now."""
    start, done = model.play.counting.start, _done(model)
    if done == 1 or seat >= len(start):
        return score
    try:
        first, last = int(start[seat]), int(score)
    except ValueError:  # a game without scores, or with other ones
        return score
    return str(first + round((last - first) * done))


def widest(model: Model, seat: int, score: str) -> str:
    """Return the longer of a score and what it counts from: both must have room."""
    start = model.play.counting.start
    if not goes_on(model) or seat >= len(start):
        return score
    return max(score, start[seat], key=len)


# How the points of each seat went through a match, as lines.


Course: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]
"""Where in the match (any unit), and each seat's count there; oldest first."""

MOST: Final = 240
"""Points of a line: more cannot be told apart."""


def course(match: Match) -> Course:
    """Return how a match went; one with turns has a place for each move by a seat."""
    scored = GAMES[match.game].ABOUT.scored
    if match.hurries:
        # The last points may come with no input, as a piece that is out lands.
        last = () if scored is None else scored.scores(match.state)
        if not match.course or match.course[-1][1] == last:
            return _moving(match.course)
        return _moving((*match.course, (match.course[-1][0] + 1, last)))
    recalled = board.find(match.game).TRAITS.recalled
    if recalled is None or not match.past:
        return ()
    found = [
        recalled.standing(step.before)
        for step in match.past
        if step.actor >= 0 and step.before is not None
    ]
    found.append(recalled.standing(match.state))
    return thinned(_moving(tuple(enumerate(found))))


def _moving(found: Course) -> Course:
    """Return a course, empty where nobody came on: level lines tell nothing."""
    return () if all(each == found[0][1] for _at, each in found) else found


def thinned(found: Course) -> Course:
    """Return every second place of a long course, and its last one."""
    if len(found) <= MOST:
        return found
    return thinned((*found[:-1:2], found[-1]))


def colours(look: Look) -> tuple[Colour, ...]:
    """Return a colour a seat, each readable on a card; none stands alone."""
    theme = look.theme
    return theme.accent, theme.latest, theme.text, theme.dim


def drawn(
    found: Course, measure: str, area: Rect, look: Look, signs: Sequence[Mark]
) -> list[Node]:
    """Return the lines, each with its seat's sign at the end, and the scale."""
    line = round(look.small * typefaces.LINE)
    low = min(0, *(min(each) for _at, each in found))
    high = max(1, *(max(each) for _at, each in found))
    wide = max(look.width(str(n), look.small) for n in (low, high)) + look.px(6)
    plot = Rect(
        area.x + wide, area.y + line + look.px(8), area.w - wide - look.px(14),
        area.h - line - look.px(16),
    )  # fmt: skip
    first, last = found[0][0], max(found[-1][0], found[0][0] + 1)

    def spot(at: int, count: int) -> tuple[int, int]:
        x = plot.x + (at - first) * plot.w // (last - first)
        return x, plot.bottom - (count - low) * plot.h // (high - low)

    kids = [
        label(Rect(area.x, area.y, area.w, line), measure, look, size=look.small,
              tone=Tone.DIM),
        *_scale(plot, low, high, wide, look),
    ]  # fmt: skip
    for seat in reversed(range(len(found[0][1]))):
        points = tuple(spot(at, each[seat]) for at, each in found)
        colour, side = colours(look)[seat % 4], look.px(12)
        kids.append(
            Node(Role.LABEL, f"graph.{seat}", plot, shape=Shape.LINE, points=points,
                 edge=colour, border=look.px(2))
        )  # fmt: skip
        x, y = points[-1]
        end = Rect(x + look.px(1), y - side // 2, side, side)
        kids.append(Node(Role.LABEL, "", end, mark=signs[seat % 4], fg=colour))
    return kids


def _scale(plot: Rect, low: int, high: int, wide: int, look: Look) -> list[Node]:
    """Return the lines of nothing and of the most, with their numbers."""
    kids: list[Node] = []
    size = round(look.small * typefaces.LINE)
    for count in dict.fromkeys((high, low)):
        y = plot.bottom - (count - low) * plot.h // (high - low)
        rail = Rect(plot.x, y, plot.w, 1)
        kids.append(Node(Role.LABEL, "", rail, shape=Shape.RECT, bg=look.theme.raised))
        mark = Rect(plot.x - wide, y - size // 2, wide - look.px(4), size)
        kids.append(
            label(mark, str(count), look, size=look.small, tone=Tone.DIM,
                  align=Align.RIGHT)
        )  # fmt: skip
    return kids


# From the door's views to the match on the screen, and its history.
#
# The node sends the newest view, the moves since the last one, and what the watched
# seat has come to know. The positions between are folded here with the rules
# themselves, as everybody saw them, and what the seat knows is put into each: that is
# how every earlier position can be looked at again. A history comes by pieces, the
# newest first, each with the position that it begins with.


RECENT: Final = 200
"""Steps kept of a real-time match, which makes thousands."""

PIECE: Final = "piece"
"""What a piece of the history is asked for."""

Kinds = Mapping[int, int]
"""Number -> kind, of the tiles that the watched seat has drawn."""


def fold_in(model: Model, view: door.View) -> Model:
    """Return the model with a new view folded in."""
    table = model.table
    if table is None:
        return model
    if not view.live:
        match = model.match
        if match is None or (match.id, match.seat) != (view.match, view.seat):
            return model
        if not match.hurries or match.back != view.number:
            return model
        state = wire.unpack(view.state, GAMES[match.game].ABOUT.state)
        at = view.happened[-1].at if view.happened else 0
        return replace(model, match=replace(match, looked=state, looked_at=at))
    game = GAMES[table.game]
    old = None if model.match is None else delivered(model.match)
    if old is not None and (old.id, old.seat) != (view.match, view.seat):
        old = None
    before: Kinds = {} if old is None else old.kinds
    kinds: Kinds = {**before, **dict(view.known)}
    if old is not None and old.kinds != kinds:
        old = _knowing(game, old, kinds)
    past, kinds = _steps(game, view, _first(game, table, view, old), kinds)
    state = wire.unpack(view.state, game.ABOUT.state)
    if view.happened and not past:  # nothing of it can be built: it begins here
        view = replace(view, whole=True)
    made, state = _made(game, view, state)
    past, view = (*past, *made), replace(view, made=view.made[: len(made)])
    if old is None:
        return _begin(model, view, state, past, kinds)
    return _renew(model, replace(old, kinds=kinds), view, state, past)


def earlier(model: Model) -> Change:
    """Ask for what was before the history that is here, if there is more of it.

    Of a game in real time nothing is asked for: its steps are not all kept.
    """
    match = model.match
    if match is None or match.hurries or not match.missed or not match.past:
        return same(model)
    if PIECE in model.asked.values():
        return same(model)
    return ask(model, door.Earlier(match.id, match.seat, match.missed), PIECE)


def longer(model: Model, answer: door.Done | door.Failed) -> Change:
    """Put a piece of the history before what is here, and ask for the next."""
    match = model.match
    if match is None or isinstance(answer, door.Failed):
        return same(model)
    game, piece = GAMES[match.game], wire.unpack(answer.data, door.Piece)
    end = piece.happened[-1].number + 1 if piece.happened else 0
    if end != match.missed or not piece.before:
        return same(model)  # of another match, or of what was taken back since
    known: Kinds = {**match.kinds, **dict(piece.known)}
    first = wire.unpack(piece.before, game.ABOUT.state)
    # A piece of the history as if it were what has happened now
    place = match.id, match.seat, match.number
    past, known = _steps(
        game,
        door.View(*place, b"", piece.happened, live=True, before=piece.before),
        first,
        known,
    )
    if not past:
        return same(model)
    match = _knowing(game, match, known)
    back = match.back + len(past) if match.back >= 0 else match.back
    match = replace(
        match, past=(*past, *match.past), missed=piece.happened[0].number, back=back
    )
    module = board.find(match.game)
    local = module.renew(seen(model, replace(match, back=-1)), match.local)
    return earlier(replace(model, match=replace(match, local=local)))


def delivered(match: Match) -> Match:
    """Return a match without the moves made here that are not delivered yet."""
    if not match.made:
        return match
    first, past = match.past[-match.made], match.past[: -match.made]
    return replace(match, past=past, state=first.before, made=0)


def anew(view: door.View) -> bool:
    """Tell whether a view tells of its match anew, not from the last one on."""
    first = bool(view.happened) and view.happened[0].number == 0
    return view.whole or bool(view.before) or first


def _knowing(game: Game[Any, Any], match: Match, kinds: Kinds) -> Match:
    """Return a match whose positions hold what its seat knows by now."""
    if game.ABOUT.tiled is None or not match.past:
        return replace(match, kinds=kinds)
    seat = match.seat if match.seat >= 0 else None
    moves = [(step.actor, step.move) for step in match.past]
    found = followed(game, match.past[0].before, moves, seat, kinds)
    state = with_own(game, game.view(match.state, None), seat, kinds)
    return replace(
        match, past=tuple(Step(*each) for each in found), state=state, kinds=kinds
    )


def _made(
    game: Game[Any, Any], view: door.View, state: AnyState
) -> tuple[tuple[AnyStep, ...], AnyState]:
    """Return the moves that are not delivered yet, and the state behind them."""
    steps: list[AnyStep] = []
    for raw in view.made:
        move = wire.unpack(raw, game.ABOUT.move)
        try:
            after = game.play(state, view.seat, move)
        except IllegalMoveError:  # the match has gone on without it
            break
        steps.append(Step(state, view.seat, move))
        state = after
    return tuple(steps), state


def parts(model: Model, view: door.View) -> tuple[door.View, ...]:
    """Return a view as several, one for each move by a seat or the clock in it.

    What chance does belongs to the move before it.  The views but the last hold the
    states between, as the rules make them; a view that cannot be followed so far
    back stays whole.
    """
    table = model.table
    if table is None or not view.live or GAMES[table.game].ABOUT.hz:
        return (view,)
    game, match = GAMES[table.game], model.match
    if not view.happened or match is None or anew(view):
        return (view,)
    starts = [i for i, each in enumerate(view.happened) if i and each.actor != CHANCE]
    earlier = [each for each in model.play.waiting if isinstance(each, door.View)]
    state = delivered(match).state
    if earlier:
        state = wire.unpack(earlier[-1].state, game.ABOUT.state)
    kinds = {**match.kinds, **{k: v for e in (*earlier, view) for k, v in e.known}}
    steps, _all = _steps(game, view, state, kinds)
    if not starts or not steps:
        return (view,)
    ends = [*starts, len(view.happened)]
    made: list[door.View] = []
    for start, end in zip((0, *starts), ends, strict=True):
        last = end == len(view.happened)
        packed = view.state if last else wire.pack(steps[end].before)
        behind = view.number if last else match.number
        part = view.happened[start:end]
        waits = view.made if last else ()
        made.append(
            replace(view, state=packed, number=behind, happened=part, made=waits)
        )
    return tuple(made)


def _first(
    game: Game[Any, Any], table: door.TableStatus, view: door.View, old: Match | None
) -> AnyState:
    """Return the state before the first move that came; None if unknown."""
    if view.before:
        return wire.unpack(view.before, game.ABOUT.state)
    if anew(view):
        options = wire.unpack(table.options, game.ABOUT.options)
        return game.start(len(table.seats), options)
    return old.state if old is not None else None


def _steps(
    game: Game[Any, Any], view: door.View, first: AnyState, kinds: Kinds
) -> tuple[tuple[AnyStep, ...], Kinds]:
    """Return the moves that came, each with the state before it, and what is known.

    No position is made up: where one cannot be built there are no steps at all.  In a
    game that hurries none is.
    """
    moves = [
        (each.actor, wire.unpack(each.move, game.ABOUT.move)) for each in view.happened
    ]
    if game.ABOUT.hz:
        recent = moves[-RECENT:]
        return tuple(Step(None, actor, move) for actor, move in recent), kinds
    if first is None:
        return (), kinds
    told = [m for _actor, m in moves if isinstance(m, Reveal) and m.kind != UNKNOWN]
    kinds = {**kinds, **{move.tile: move.kind for move in told}}
    seat = view.seat if view.seat >= 0 else None
    try:
        found = tuple(followed(game, first, moves, seat, kinds))
    except IllegalMoveError:
        return (), kinds
    return tuple(Step(*each) for each in found), kinds


def _begin(
    model: Model,
    view: door.View,
    state: AnyState,
    past: tuple[AnyStep, ...],
    kinds: Kinds,
) -> Model:
    """Return the model with a match seen for the first time from this seat."""
    table = model.table
    assert table is not None  # take() has looked
    match = Match(
        view.match, table.game, view.seat, view.number, state, past,
        _missed(view, past), None, made=len(view.made), kinds=kinds,
    )  # fmt: skip
    module = board.find(table.game)
    kept = model.play.shelf.get(view.seat)
    now = seen(model, match)
    local = module.begin(now) if kept is None else module.renew(now, kept)
    return replace(model, match=replace(match, local=local))


def _missed(view: door.View, past: tuple[AnyStep, ...]) -> int:
    """Return how many moves were made before the steps of a view begin."""
    if not view.happened:
        return 0
    return view.happened[-1].number + 1 - (len(past) - len(view.made))


def _course(old: Match, view: door.View, state: AnyState) -> Course:
    """Return how a game in real time went, as far as this window has seen it."""
    scored = GAMES[old.game].ABOUT.scored
    if not old.hurries or scored is None or not view.happened:
        return old.course
    counts = scored.scores(state)
    if old.course and old.course[-1][1] == counts:
        return old.course
    began = old.course or ((0, (0,) * len(counts)),)
    return thinned((*began, (view.happened[-1].at, counts)))


def _renew(
    model: Model,
    old: Match,
    view: door.View,
    state: AnyState,
    fresh: tuple[AnyStep, ...],
) -> Model:
    past, missed = (*old.past, *fresh), old.missed
    if anew(view) or (
        old.hurries
        and view.happened
        and view.happened[0].number > missed + len(old.past)
    ):
        past, missed = fresh, _missed(view, fresh)
    if GAMES[old.game].ABOUT.hz and len(past) > RECENT:
        missed += len(past) - RECENT
        past = past[-RECENT:]
    match = replace(
        old, number=view.number, state=state, past=past, missed=missed, hint="",
        course=_course(old, view, state), made=len(view.made),
        back=-1 if view.whole else old.back,
    )  # fmt: skip
    now: AnySeen = seen(model, replace(match, back=-1))
    local = board.find(old.game).renew(now, old.local)
    shown = replace(model, match=replace(match, local=local))
    if match.hurries or model.match is None or match.back >= 0:
        return shown
    before = _scores(seen(model, model.match), old.game)
    return begun(shown, before, _scores(now, old.game))


def _scores(now: AnySeen, game: str) -> tuple[str, ...]:
    """Return the scores as the players' cards show them."""
    return tuple(sheet.score for sheet in board.find(game).sheets(now))


# Computers' moves, one at a time: shown no sooner than one can follow them.
#
# A computer answers within milliseconds. What the node tells of its move waits here
# until the move before has been seen for a moment; then the pages learn of it as if it
# had come just now, so that board, clocks, sounds and results always fit each other.
# The game itself waits for nothing: the node and the other windows have gone on.


News: TypeAlias = door.Status | door.View
"""What the node pushes about the match."""

WAITING: Final = 400
"""News that wait at most: a window that fell so far behind shows the newest."""


def take_in_turn(model: Model, news: News) -> tuple[Model, tuple[News, ...]]:
    """Return the model with what must wait, and the news that are shown at once."""
    if not _goes_on(model, news):
        said = model.play.waiting if isinstance(news, door.View) else ()
        behind = tuple(each for each in said if isinstance(each, door.Status))
        return replace(model, play=replace(model.play, waiting=())), (*behind, news)
    each_move = parts(model, news) if isinstance(news, door.View) else (news,)
    now: tuple[News, ...] = ()
    if not model.play.waiting and model.now >= due(model, each_move[0]):
        now, each_move = each_move[:1], each_move[1:]
    waiting = (*model.play.waiting, *each_move)
    return replace(model, play=replace(model.play, waiting=waiting[-WAITING:])), now


def _goes_on(model: Model, news: News) -> bool:
    """Tell whether news are of the match shown, and of a part not shown yet."""
    match = model.match
    if match is None or match.hurries or not model.settings.wait:
        return False
    if isinstance(news, door.View):
        shown = (news.match, news.seat) == (match.id, match.seat)
        fresh = anew(news)  # all of it: to a window that is new
        return news.live and shown and not fresh
    told = news.table
    if told is None or told.match != match.id:
        return False
    return bool(model.play.waiting) or told.entries > match.number


def due(model: Model, news: News) -> float:
    """Return from when on news may be shown: a computer's move after a moment."""
    movers: tuple[int, ...] = ()
    match, shown = model.match, model.table
    if isinstance(news, door.View):
        movers = _movers(news)
    elif news.table is not None and match is not None and shown is not None:
        # A status that tells of moves not shown: whom the match shown waits for
        movers = shown.turn if news.table.entries > match.number else ()
    seats = shown.seats if shown is not None else ()
    if not any(seats[a].kind == "computer" for a in movers if 0 <= a < len(seats)):
        return 0.0
    own = model.settings
    return model.play.seen_at + own.wait + own.pace


def _movers(view: door.View) -> tuple[int, ...]:
    """Return who has moved first in what a view tells."""
    return tuple(each.actor for each in view.happened if each.actor != CHANCE)[:1]


def ready(model: Model) -> bool:
    """Tell whether the news that wait longest may be shown now."""
    return bool(model.play.waiting) and model.now >= due(model, model.play.waiting[0])


def moved(view: door.View) -> bool:
    """Tell whether somebody has moved in what a view tells."""
    return bool(_movers(view))

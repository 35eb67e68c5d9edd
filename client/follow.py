"""From the door's views to the match on the screen, and its history.

The node sends the newest view and the moves since the last one, both as the watched
seat may know them.  A view is a state, so the steps between are folded here with the
rules themselves: that is how every earlier position can be looked at again.
"""

from typing import Any, Final

from msgspec.structs import replace

from client import board, counting, graph
from client.board import AnySeen, AnyState, AnyStep, Step
from client.model import Match, Model, seen
from netplay import wire
from netplay.messages import door
from rules import GAMES
from rules.game import CHANCE, Game, IllegalMoveError

RECENT: Final = 200
"""Steps kept of a real-time match, which makes thousands."""


def take(model: Model, view: door.View) -> Model:
    """Return the model with a new view folded in."""
    table = model.table
    if table is None:
        return model
    if not view.live:
        return _looked(model, view)
    game = GAMES[table.game]
    old = None if model.match is None else delivered(model.match)
    if old is not None and (old.id, old.seat) != (view.match, view.seat):
        old = None
    state = wire.unpack(view.state, game.ABOUT.state)
    first = _first(game, table, view, old)
    past = _steps(game, view, first, state)
    made, state = _made(game, view, state)
    past, view = (*past, *made), replace(view, made=view.made[: len(made)])
    if old is None:
        return _begin(model, view, state, past)
    return _renew(model, old, view, state, past)


def delivered(match: Match) -> Match:
    """Return a match without the moves made here that are not delivered yet."""
    if not match.made:
        return match
    first, past = match.past[-match.made], match.past[: -match.made]
    return replace(match, past=past, state=first.before, made=0)


def anew(view: door.View) -> bool:
    """Tell whether a view tells of its match from the beginning."""
    return view.whole or (bool(view.happened) and view.happened[0].number == 0)


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
    if not view.happened or match is None or view.happened[0].number == 0:
        return (view,)
    starts = [i for i, each in enumerate(view.happened) if i and each.actor != CHANCE]
    earlier = [each for each in model.waiting if isinstance(each, door.View)]
    state = delivered(match).state
    if earlier:
        state = wire.unpack(earlier[-1].state, game.ABOUT.state)
    steps = _steps(game, view, state, None)
    if not starts or any(step.before is None for step in steps):
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


def _looked(model: Model, view: door.View) -> Model:
    match = model.match
    if match is None or (match.id, match.seat) != (view.match, view.seat):
        return model
    if not match.hurries or match.back != view.number:
        return model
    state = wire.unpack(view.state, GAMES[match.game].ABOUT.state)
    at = view.happened[-1].at if view.happened else 0
    return replace(model, match=replace(match, looked=state, looked_at=at))


def _first(
    game: Game[Any, Any], table: door.TableStatus, view: door.View, old: Match | None
) -> AnyState:
    """Return the state before the first move that came; None if unknown."""
    if anew(view):
        options = wire.unpack(table.options, game.ABOUT.options)
        seat = view.seat if view.seat >= 0 else None
        return game.view(game.start(len(table.seats), options), seat)
    return old.state if old is not None else None


def _steps(
    game: Game[Any, Any], view: door.View, state: AnyState, last: AnyState
) -> tuple[AnyStep, ...]:
    """Return the moves that came, each with the state before it."""
    steps: list[AnyStep] = []
    happened = view.happened[-RECENT:] if game.ABOUT.hz else view.happened
    for each in happened:
        move = wire.unpack(each.move, game.ABOUT.move)
        steps.append(Step(last if state is None else state, each.actor, move))
        if game.ABOUT.hz or state is None:
            state = None
            continue
        try:
            state = game.play(state, each.actor, move)
        except IllegalMoveError:  # a gap in what came: show the newest instead
            state = None
    return tuple(steps)


def _begin(
    model: Model, view: door.View, state: AnyState, past: tuple[AnyStep, ...]
) -> Model:
    """Return the model with a match seen for the first time from this seat."""
    table = model.table
    assert table is not None  # take() has looked
    missed = view.happened[0].number if view.happened else 0
    match = Match(
        view.match, table.game, view.seat, view.number, state, past, missed, None,
        made=len(view.made),
    )  # fmt: skip
    module = board.find(table.game)
    kept = model.shelf.get(view.seat)
    now = seen(model, match)
    local = module.begin(now) if kept is None else module.renew(now, kept)
    return replace(model, match=replace(match, local=local))


def _course(old: Match, view: door.View, state: AnyState) -> graph.Course:
    """Return how a game in real time went, as far as this window has seen it."""
    scored = GAMES[old.game].ABOUT.scored
    if not old.hurries or scored is None or not view.happened:
        return old.course
    counts = scored.scores(state)
    if old.course and old.course[-1][1] == counts:
        return old.course
    began = old.course or ((0, (0,) * len(counts)),)
    return graph.thinned((*began, (view.happened[-1].at, counts)))


def _renew(
    model: Model,
    old: Match,
    view: door.View,
    state: AnyState,
    fresh: tuple[AnyStep, ...],
) -> Model:
    past, missed = (fresh, 0) if anew(view) else ((*old.past, *fresh), old.missed)
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
    return counting.begun(shown, before, _scores(now, old.game))


def _scores(now: AnySeen, game: str) -> tuple[str, ...]:
    """Return the scores as the players' cards show them."""
    return tuple(sheet.score for sheet in board.find(game).sheets(now))

"""The window while the others are away: a move that is made and not delivered."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.app.model import Model, Over, seen
from client.pages import screen
from client.ui.intents import Click, Key
from client.ui.scene import find, walk
from netplay import wire
from netplay.messages import door
from netplay.messages.door import Made
from netplay.messages.table_questions import TakeBack
from netplay.text.phrases import held, undelivered
from rules import GAMES
from rules.game import Resign
from tests.client import games
from tests.client.clicking import update
from tests.client.worlds import (
    NAMES,
    asks,
    base,
    fed,
    in_match,
    networdz,
    playing,
    seat,
    status,
    texts,
    view,
)

AWAY = (seat("Anna"), seat("Bert", "remote", state="away", since=5))


def on_turn() -> tuple[Any, tuple[Any, ...]]:
    """Return a match of Networdz in which Anna is on turn."""
    return next(
        (state, past)
        for state, past in (networdz(2, count) for count in range(8, 12))
        if 0 in GAMES["networdz"].actors(state)
    )


def ready(size: tuple[int, int] = (1280, 800)) -> Model:
    """Return a window whose player is on turn while the other is away."""
    state, past = on_turn()
    there = playing(state, 2, waiting="Bert", seats=AWAY)
    return fed(base(size), status(table=there), view(state, past, 0))


def made_move() -> Any:
    state, _past = on_turn()
    game = GAMES["networdz"]
    return next(m for m in game.moves(game.view(state, 0), 0) if hasattr(m, "shown"))


def made(model: Model, back: tuple[int, ...] = (0,)) -> Model:
    """Return the window after the node has taken a move that waits here."""
    state, past = on_turn()
    kept = Made(moves=(0,), back=back, draws=True)
    there = playing(
        state, 2, phase="paused", waiting="Bert", seats=AWAY, turn=(), made=kept
    )
    shown = replace(
        view(state, past, 0, start=len(past)), made=(wire.pack(made_move()),)
    )
    return fed(model, shown, status(table=there))


def test_who_is_on_turn_can_move_and_is_told_that_it_is_delivered_later() -> None:
    model = ready()
    assert model.match is not None

    assert seen(model, model.match).live
    said = texts(screen.scene(model))
    assert "Bert is away: your move is kept, and delivered later." in said
    assert "waits for Bert" not in said


@pytest.mark.parametrize("size", [(1280, 800), (800, 500)])
def test_a_move_that_is_made_stands_on_the_board_and_can_be_taken_back(
    size: tuple[int, int],
) -> None:
    model = made(ready(size))
    state, past = on_turn()
    assert model.match is not None
    game = GAMES["networdz"]

    after = game.play(game.view(state, 0), 0, made_move())
    assert model.match.state == after
    assert model.match.past[-1].move == made_move()
    said = texts(screen.scene(model))
    assert "Your move is made, and not delivered yet." in said
    assert "as soon as Bert can be reached" in said
    assert "Your new tiles come when it is delivered." in said
    assert find(screen.scene(model), "made.back") is not None
    assert asks(model, Click("made.back")) == [TakeBack(0)]
    assert asks(model, Key("z", ctrl=True)) == [TakeBack(0)]
    listed = fed(model, Click("side:1"))
    assert "not delivered yet" in texts(screen.scene(listed))

    there = playing(state, 2, waiting="Bert", seats=AWAY)
    back = fed(model, view(state, past, 0, start=len(past)), status(table=there))
    assert back.match is not None
    assert back.match.state == game.view(state, 0)
    assert len(back.match.past) == len(past)
    assert "not delivered yet" not in texts(screen.scene(back))


def test_one_that_has_left_cannot_be_taken_back_in_the_window() -> None:
    model = made(ready(), back=())

    assert find(screen.scene(model), "made.back") is None
    assert asks(model, Key("z", ctrl=True)) == []
    assert "not delivered yet" in texts(screen.scene(model))


def test_a_turn_and_a_resignation_behind_it_are_both_told_as_not_delivered() -> None:
    model = in_match(base((1920, 1080)), "numlo", 3, 9)
    assert model.match is not None
    rules, state = GAMES["numlo"], model.match.state
    assert rules.actors(state) == {0}
    waits = tuple(map(wire.pack, (next(iter(rules.moves(state, 0))), Resign())))
    count = len(model.match.past)
    model = fed(model, door.View(b"m", 0, count, wire.pack(state), (), True, waits))
    rows = [n for n in walk(screen.scene(model)) if n.name.startswith("move:")]
    told = ["not delivered yet" in texts(row) for row in rows]
    assert told == [False] * (len(rows) - 2) + [True, True]


def test_when_it_is_delivered_the_history_has_it_once() -> None:
    state, past = on_turn()
    game, move = GAMES["networdz"], made_move()
    before = (state, 0, move)
    later = game.play(state, 0, move)
    arrived = door.View(
        b"m", 0, len(past) + 1, wire.pack(game.view(later, 0)),
        (door.Happened(len(past), 0, wire.pack(move), 0),), True,
    )  # fmt: skip
    there = (seat("Anna"), seat("Bert", "remote", state="connected"))

    model = fed(
        made(ready()), arrived, status(table=playing(later, 2, turn=(), seats=there))
    )

    assert model.match is not None
    assert [step.move for step in model.match.past[len(past) :]] == [before[2]]
    assert model.match.state == game.view(later, 0)
    assert not model.match.made
    assert "not delivered" not in texts(screen.scene(model))


@pytest.mark.parametrize("game", ["numlo", "hexagrams", "lhexicon"])
def test_every_game_shows_a_move_that_waits(game: str) -> None:
    rules = GAMES[game]
    state = rules.start(2, rules.ABOUT.options())
    past: list[Any] = []
    while 0 not in rules.actors(state):
        actor = min(rules.actors(state))
        move = next(iter(rules.moves(state, actor)))
        past.append((state, actor, move))
        state = rules.play(state, actor, move)
    model = games.page(base(), game, state, tuple(past))
    move = next(iter(rules.moves(rules.view(state, 0), 0)))
    shown = replace(games.pushed(game, state, (), 0), made=(wire.pack(move),))
    shown = replace(shown, number=len(past))

    waiting = fed(model, shown)

    assert waiting.match is not None
    assert waiting.match.state == rules.play(rules.view(state, 0), 0, move)
    assert waiting.match.past[-1].move == move
    assert screen.scene(waiting)


def test_a_line_nobody_has_says_so_until_somebody_has_it() -> None:
    model = fed(ready(), door.Line("Anna", "Are you there?", 0, number=3))
    table = model.table
    assert table is not None

    def known(lines: int, kept: int = 0) -> str:
        made = Made(lines=lines, lines_kept=(("Carla", kept),) if kept else ())
        there = replace(table, made=made)
        shown = fed(model, status(table=there), Click("side:0"))
        return texts(screen.scene(shown))

    assert "Are you there? (not delivered yet)" in known(3)
    assert "Are you there? (not delivered yet)" in known(3, 3)
    assert "not delivered yet: Carla keeps it" in known(3, 4)
    assert "not delivered yet" not in known(4, 4)


def test_a_consent_that_nobody_knows_of_is_shown() -> None:
    state, past = on_turn()
    kept = Made(consents=((1, "Charlie"),))
    there = playing(state, 2, waiting="Bert", seats=AWAY, made=kept)
    model = fed(base(), status(table=there), view(state, past, 0))

    said = texts(screen.scene(model))

    assert f"You agree that Charlie plays for {NAMES[1]}: not delivered yet." in said


def test_the_key_that_takes_back_is_among_the_keys() -> None:
    model, _effects = update(ready(), Key("f1"))
    assert model.over is Over.HELP
    assert "Ctrl+Z" in texts(screen.scene(model))


def test_who_keeps_a_move_for_whom_is_said_while_it_is_not_delivered() -> None:
    kept = (("Bert", "Carla"),)
    state, past = on_turn()
    model = made(ready(), back=())
    waiting = Made(moves=(0,), kept=kept)
    there = playing(state, 2, phase="paused", waiting="Bert", seats=AWAY, made=waiting)
    said = texts(screen.scene(fed(model, status(table=there))))
    assert (
        "Your move is made, and not delivered yet. Carla is keeping it for Bert."
        in said
    )

    entered = playing(
        state, 2, phase="paused", waiting="Bert", seats=AWAY, made=Made(kept=kept)
    )
    shown = fed(model, status(table=entered), view(state, past, 0))
    said = texts(screen.scene(shown))
    assert "Not delivered to everybody yet. Carla is keeping it for Bert." in said
    assert next(undelivered(entered)) in said

    table = replace(entered, made=Made())
    assert "Carla" not in texts(screen.scene(fed(shown, status(table=table))))
    assert not list(undelivered(table))


def test_who_was_blocked_is_not_said_to_come_back_by_itself() -> None:
    blocked = (seat("Anna"), seat("Bert", "remote", state="blocked", since=-1))
    state, past = on_turn()
    for phase in ("playing", "paused"):
        there = playing(state, 2, phase=phase, waiting="Bert", seats=blocked)
        model = fed(base((1280, 800)), status(table=there), view(state, past, 0))
        told = texts(screen.scene(model))
        assert "You have blocked Bert" in told
        assert "blocked by you" in told
        for wrong in ("is away", "not connected", "delivered later", "by itself"):
            assert wrong not in told
        assert find(screen.scene(model), "retry") is None, "nobody would be called"
    gone = playing(state, 2, phase="paused", waiting="Bert", seats=AWAY)
    model = fed(base((1280, 800)), status(table=gone), view(state, past, 0))
    assert find(screen.scene(model), "retry") is not None


@pytest.mark.parametrize("state", ["away", "elsewhere"])
def test_why_a_game_waits_for_somebody_who_is_there_is_told(state: str) -> None:
    there = seat("Bert", "remote", state=state, since=-1)
    now, past = on_turn()
    paused = playing(
        now, 2, waiting="Bert", phase="paused", seats=(seat("Anna"), there)
    )
    model = fed(base(), status(table=paused), view(now, past, 0))
    assert bool(held(paused)) == (state == "elsewhere")
    assert held(paused) in texts(screen.scene(model)).replace("\n", " ")

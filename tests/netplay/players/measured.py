"""How computer players play, as they did when somebody last measured them.

    python -m tests.netplay.players.measured

writes it anew into measured.txt.  That is to be done when players are changed on
purpose, and then the tables of levels are measured anew (`python -m tools.levels`).  A
player that plays otherwise by mistake is weaker or stronger than its level says, and
nobody would know: its moves are legal all the same.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from netplay.players import player, talent
from netplay.players.evaluating import evaluate
from netplay.players.hexcolumns import delay
from netplay.text import writer
from rules import GAMES
from rules import hexcolumns as game
from rules.game import CHANCE

PLACE: Final = Path(__file__).with_name("measured.txt")

MATCHES: Final[dict[str, tuple[str, tuple[int, ...], dict[str, Any], int]]] = {
    "numlo": ("numlo", (20, 50), {"size": 8}, 99),
    "numlo of three": ("numlo", (35, 60, 70), {"size": 8}, 99),
    "hexagrams": ("hexagrams", (15, 50), {}, 60),
    "numlo, hard": ("numlo", (78, 80), {"size": 8}, 12),
    "hexagrams, hard": ("hexagrams", (78, 72), {}, 12),
    "hexagrams, far apart": ("hexagrams", (72, 40), {}, 60),
    "networdz, far apart": ("networdz", (10, 55), {}, 99),
    "networdz of three": ("networdz", (30, 60, 85), {}, 99),
    "networdz at a tournament": (
        "networdz", (70, 80), {"tournament": True}, 99,
    ),
    "networdz with all options": (
        "networdz", (45, 75), {"trade_blanks": True, "four_of_a_kind": True}, 99,
    ),
    "lhexicon": ("lhexicon", (40, 75), {"side": 6}, 15),
    "lhexicon of three": ("lhexicon", (15, 50, 65), {"side": 6}, 24),
}  # fmt: skip
"""By name: which game, the skills of its seats, options, and moves at most."""

JUDGED: Final = 7
"""Of so many turns one is judged as in a review."""

WORK: Final = {"networdz": 600, "lhexicon": 40, "numlo": 600, "hexagrams": 600}
"""How much is thought of it."""


def match(name: str) -> Iterator[str]:
    """Yield the turns of a match of computers, and what some of them were worth."""
    kind, skills, options, most = MATCHES[name]
    rules, rng, text = GAMES[kind], Random(1), writer(kind)
    choose = player(kind).choose
    state = rules.start(len(skills), rules.ABOUT.options(**options))
    turns = 0
    while rules.actors(state) and turns < most:
        waited = rules.actors(state)
        actor = (
            CHANCE if CHANCE in waited else min(seat for seat in waited if seat >= 0)
        )
        if actor == CHANCE:
            move = rng.choice(list(rules.moves(state, CHANCE)))
        else:
            view = rules.view(state, actor)
            move = choose(view, actor, talent(kind, skills[actor]), rng, clock=float)  # type: ignore[call-arg]  # (each of these can)
            yield f"{actor} {text.written(view, actor, move)}"
            if turns % JUDGED == 1:
                yield from _judged(kind, view, actor, move)
            turns += 1
        state = rules.play(state, actor, move)
    scored = rules.ABOUT.scored
    yield f"places {rules.places(state)}" if not rules.actors(state) else "goes on"
    yield f"points {scored.scores(state)}" if scored else "no points"


def _judged(kind: str, view: Any, seat: int, move: Any) -> Iterator[str]:
    """Yield what the best moves are worth, the move made, and why it was no better."""
    text, reason = writer(kind), player(kind).ABILITIES.reason
    found = evaluate(kind, view, seat, Random(2), WORK[kind], (move,))
    own = found.of(move)
    listed = [*found.candidates[:3], *([own] if own is not None else [])]
    for each in dict.fromkeys(listed):
        words = text.written(view, seat, each.move)
        worth = f"{each.value:.2f} {each.chance:.3f} +-{each.error:.3f}"
        yield f"    {words}: {worth}{' asked' if each.asked else ''}"
    best = found.candidates[0].move
    if reason is not None and best != move:
        why = reason(view, seat, best, move)
        yield f"    why: {(why.code, *why.values) if why is not None else 'not sure'}"


def wells(skill: int) -> Iterator[str]:
    """Yield where two computers steer their pieces, each in its own time."""
    rng = Random(3)
    choose = player("hexcolumns").choose
    state = game.start(2, game.Options(size=6, level=6))
    state = _settled(state, rng)
    while max(well.pieces for well in state.wells) < (50 if skill >= 60 else 25):
        for seat in (0, 1):
            if state.wells[seat].over:
                return
            before = state.wells[seat]
            move = choose(state, seat, skill, rng)
            waited = delay(state, seat, skill)
            state = _settled(game.play(state, seat, move), rng)
            after = state.wells[seat]
            if after.pieces != before.pieces:
                yield f"{seat} {after.pieces} at {before.column} {after.score} {waited}"
        if not any(well.over for well in state.wells):
            for seat in (0, 1):
                state = _settled(game.advance(state, seat, 2)[0], rng)


def _settled(state: Any, rng: Random) -> Any:
    """Return the wells with the pieces that chance owes."""
    while CHANCE in game.actors(state):
        move = rng.choice(list(game.moves(state, CHANCE)))
        state = game.play(state, CHANCE, move)
    return state


WELLS: Final = {f"hexcolumns, skill {skill}": skill for skill in (30, 60, 100)}


def told(name: str) -> str:
    """Return how one match goes, as it stands in the file."""
    lines = wells(WELLS[name]) if name in WELLS else match(name)
    return "\n".join((f"== {name}", *lines, ""))


if __name__ == "__main__":
    PLACE.write_text("\n".join(map(told, (*MATCHES, *WELLS))), "utf-8")

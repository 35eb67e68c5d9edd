"""Time the window's drawing: a board of each game, the scene made and painted anew.

The window's own process does it, without a display.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec

from netplay.arena import Chance
from netplay.wire import pack
from rules import GAMES
from rules.game import CHANCE
from tools.bench.measuring import TURNS, Row, amount, row, spin

MOVES: Final = 10
"""Into the match."""

LISTED: Final = 200
"""Moves to choose among: the discards of a word game are many."""

COUNT: Final = 30


def rows() -> Iterator[Row]:
    """Measure."""
    for game in GAMES:
        times = _times(game)
        million = spin() * 1_000_000 / TURNS
        versus = "a million turns of an empty loop"
        yield row(f"frames: {game}", median(times), "ms", versus, million)


def _times(game: str) -> list[float]:
    """Return the milliseconds of some frames."""
    seats = max(2, GAMES[game].ABOUT.seats[0])
    picture: dict[str, Any] = {
        "game": game,
        "state": pack(GAMES[game].view(_position(game, seats), 0)),
        "names": ("Ada", "Blaise", "Chen", "Dorothy")[:seats],
        "seat": 0,
        "editions": [],
        "lexicons": [],
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view"
        path.write_bytes(msgspec.msgpack.encode(picture))
        words = [sys.executable, "-m", "client", "--home", folder]
        words += ["frames", str(path), "--count", str(amount(COUNT, 2))]
        done = subprocess.run(
            words,
            check=True,
            stdout=subprocess.PIPE,
            env={**os.environ, "SDL_VIDEODRIVER": "dummy"},
        )
    times: list[float] = json.loads(done.stdout)
    return times


def _position(game: str, seats: int) -> Any:  # noqa: ANN401 (any game's state)
    rules: Any = GAMES[game]
    state = rules.start(seats, rules.ABOUT.options())
    chance, rng = Chance(rules, 1), random.Random(1)  # noqa: S311 (no secret)
    made = 0
    while made < MOVES and (actors := rules.actors(state)):
        if CHANCE in actors:
            state = rules.play(state, CHANCE, chance.choose(state))
            continue
        seat = min(actor for actor in actors if actor >= 0)
        listed: list[Any] = list(islice(rules.moves(state, seat), LISTED))
        state = rules.play(state, seat, rng.choice(listed))
        made += 1
    return state

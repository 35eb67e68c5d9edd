"""Matches kept on file, so that nobody changes what an old log folds to unawares.

    python -m tests.rules.golden numlo     writes tests/rules/golden/numlo.json anew

Write one anew only together with raising the game's `ABOUT.version`, or when the
game's moves have become others; `test_golden.py` replays them all.
"""

import hashlib
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from rules import GAMES
from tests.rules.matches import Match, begin, encoded, some_moves
from tests.rules.strategies import all_options

FOLDER = Path(__file__).with_name("golden")

ENTRIES = 400
"""A golden match stops here if it is not over sooner."""

EVERY = 20
"""A digest is kept after so many entries."""


def digest(state: Any) -> str:
    return hashlib.sha256(encoded(state)).hexdigest()[:16]


def record(name: str) -> Match:
    """Return a match of as many as may play, always the same one."""
    about = GAMES[name].ABOUT
    match = begin(name, max(about.seats), next(iter(all_options(about.options))))
    rng = Random(f"{name} 3")  # of the first few seeds, the one of the fullest matches
    while len(match.log) < ENTRIES and (actors := match.game.actors(match.states[-1])):
        order = sorted(actors)
        rng.shuffle(order)
        moved = (
            (actor, move)
            for actor in order
            for move in some_moves(match.game, match.states[-1], actor, rng)
        )
        match.add(*next(moved))
    return match


def write(name: str) -> None:
    """Write the golden match of a game, one entry a line."""
    match = record(name)
    head = {
        "game": name,
        "version": match.game.ABOUT.version,
        "seats": match.seats,
        "options": msgspec.to_builtins(match.options),
        "places": match.game.places(match.states[-1]),
    }
    entries = [
        [actor, msgspec.to_builtins(move)]
        + ([digest(state)] if number % EVERY == 0 or number == len(match.log) else [])
        for number, ((actor, move), state) in enumerate(
            zip(match.log, match.states[1:], strict=True), 1
        )
    ]
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in entries)
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(head)[:-1] + ', "entries": [\n' + lines + "\n]}\n"
    path(name).write_text(text, encoding="utf-8")


def path(name: str) -> Path:
    return FOLDER / f"{name}.json"


if __name__ == "__main__":
    for each in sys.argv[1:]:
        write(each)

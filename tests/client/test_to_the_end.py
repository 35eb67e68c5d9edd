"""Windows of the board games beside Networdz, from the first move to the last."""

import random
from itertools import islice
from typing import Any

import pytest

from client.app.board import Seen, Step, find
from client.ui.scene import Rect, walk
from client.ui.theme import Look
from rules import GAMES
from tests.client.worlds import NAMES

AREA, LOOK = Rect(3, 5, 514, 390), Look()
LONGEST = 70
"""Entries followed of each match; Lhexicon looks for every one of its words."""


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("game", "seats"), [
    ("lhexicon", 2), ("lhexicon", 1), ("numlo", 2), ("numlo", 4), ("hexagrams", 2),
])  # fmt: skip
def test_every_position_can_be_drawn_and_told_to_everybody(
    game: str, seats: int, seed: int
) -> None:
    rules, shown, rng = GAMES[game], find(game), random.Random(seed)
    state = rules.start(seats, rules.ABOUT.options())
    names, eyes = NAMES[:seats], [*range(seats), None]
    past: dict[int | None, list[Step[Any, Any]]] = {eye: [] for eye in eyes}
    locals_ = {
        eye: shown.begin(Seen(rules.view(state, eye), eye, names)) for eye in eyes
    }
    for _ in range(LONGEST):
        if not rules.actors(state):
            break
        actor = min(rules.actors(state))
        move = rng.choice(list(islice(rules.moves(state, actor), 30)))
        for eye in eyes:
            masked = rules.mask(state, actor, move, eye)
            past[eye].append(Step(rules.view(state, eye), actor, masked))
        state = rules.play(state, actor, move)
        for eye in eyes:
            seen = Seen(rules.view(state, eye), eye, names, tuple(past[eye]))
            locals_[eye] = shown.renew(seen, locals_[eye])
            root = shown.scene(seen, locals_[eye], AREA, LOOK)
            assert not [n for n in walk(root) if not AREA.holds(n.rect)]
            assert shown.status(seen, locals_[eye])
            assert len(shown.sheets(seen)) == seats
            if actor >= 0:
                assert shown.tell(past[eye][-1], names).startswith(names[actor])

"""Keys that can do nothing in a well are seen and heard, and lessons say so."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from client.app.board import Seen, find
from client.hexcolumns import input as hands
from client.hexcolumns import wells
from client.ui.intents import Key
from client.ui.sound import Sound
from client.ui.theme import Look
from rules import hexcolumns
from rules.game import CHANCE
from rules.hexcolumns import Gem, Motif, Options, Shift


@dataclass
class At:
    """A well at its spawn, with hands over it."""

    state: hexcolumns.State
    now: float = 10.0

    @property
    def seen(self) -> hands.Now:
        return Seen(self.state, 0, ("Anna",), now=self.now, pace=0.7)

    def press(
        self, local: hands.Local, key: str
    ) -> tuple[hands.Local, hexcolumns.Move | None]:
        return hands.handle(self.seen, local, Key(key, down=True))


def spawned(pieces: int = 3) -> At:
    """Return a well in which a piece has just appeared; without, it is to come."""
    state = hexcolumns.start(1, Options(size=6))
    for _ in range(pieces):
        state = hexcolumns.play(state, CHANCE, Gem(hexcolumns.cell(0, Motif(0))))
    return At(state)


def key_of(name: str) -> str:
    bindings = find("hexcolumns").TRAITS.bindings
    assert bindings is not None
    return bindings.keys_of(name, ())[0]


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_key_without_room_at_the_spawn_shakes_the_piece_and_sounds(side: str) -> None:
    at = spawned()
    well = at.state.wells[0]
    by = Shift(-1 if side == "left" else 1)
    assert hexcolumns.refusal(at.state.size, well, by), "the columns beside are lower"
    local, move = at.press(hands.begin(at.seen), key_of(side))
    assert move is None
    heard = find("hexcolumns").TRAITS.heard_last
    assert heard is not None
    assert heard(local, 0) == (10.0, Sound.REFUSED)
    assert wells.sway(local.refused, 10.02, Look().px(6))


def test_a_key_that_is_held_at_a_wall_is_told_of_once() -> None:
    at = spawned()
    local, _move = at.press(hands.begin(at.seen), key_of("left"))
    at.now = 10.5
    again, move = at.press(local, key_of("left"))
    assert move is None
    assert again.refused == local.refused


def test_before_a_piece_has_come_a_key_is_in_vain_and_that_shows() -> None:
    at = spawned(0)
    local, move = at.press(hands.begin(at.seen), key_of("drop"))
    assert move is None
    assert local.refused == at.now


def test_what_a_key_can_do_is_no_refusal() -> None:
    at = spawned()
    local, move = at.press(hands.begin(at.seen), key_of("rotate"))
    assert move is not None
    assert local.refused < 0
    assert replace(local, held=()) == hands.begin(at.seen)

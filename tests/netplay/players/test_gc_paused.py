import gc
import random
from collections.abc import Iterator
from typing import Any

import pytest

from netplay import arena
from netplay.daemon import computer_players
from netplay.players import hexagrams
from netplay.players.deepening import gc_paused
from rules import GAMES


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    assert gc.isenabled()
    yield
    gc.enable()


def test_the_search_is_put_off_and_taken_up_again() -> None:
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_is_taken_up_again_after_an_error() -> None:
    with pytest.raises(KeyError), gc_paused():
        raise KeyError
    assert gc.isenabled()


def test_whoever_had_it_off_keeps_it_off() -> None:
    gc.disable()
    with gc_paused():
        pass
    assert not gc.isenabled()


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return whether the search was on, at each move of Hexagrams."""
    found: list[bool] = []
    real = hexagrams.choose

    def choose(
        view: Any, seat: int, skill: int, rng: random.Random, **clock: Any
    ) -> Any:
        found.append(gc.isenabled())
        return real(view, seat, skill, rng)

    monkeypatch.setattr(hexagrams, "choose", choose)
    return found


def test_a_worker_thinks_without_it(seen: list[bool]) -> None:
    game = GAMES["hexagrams"]
    view = game.view(game.start(2, game.ABOUT.options()), 0)
    (seat,) = game.actors(view)
    computer_players.chosen_move(
        computer_players.Question("hexagrams", view, seat, 10, 1, None)
    )
    assert seen == [False]
    assert gc.isenabled()


def test_the_arena_s_players_think_without_it(seen: list[bool]) -> None:
    players = (arena.chooser("hexagrams", "0"), arena.chooser("hexagrams", "random"))
    options = GAMES["hexagrams"].ABOUT.options()
    arena.play_group("hexagrams", players, 1, 2, options)
    assert seen
    assert not any(seen)
    assert gc.isenabled()

"""One's own best points in games that keep them, by its terms."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from client.app import results
from client.app.model import Model, Over, Store
from client.app.settings import Settings, load, store
from client.pages import screen
from netplay import wire
from rules.hexcolumns import Options
from tests.client.clicking import update
from tests.client.worlds import base, ended, fed, in_match, status, texts

KIND = "hexcolumns 8 0"


def over(
    model: Model, points: int, **options: int | bool
) -> tuple[Model, tuple[Any, ...]]:
    """Return the window when a match of Hexcolumns has ended, and what it does."""
    model = in_match(
        replace(model, play=replace(model.play, celebrated=b"")), "hexcolumns", 2, 0
    )
    match, table = model.match, model.table
    assert match is not None
    assert table is not None
    own = replace(match.state.wells[0], score=points, over=True)
    rest = replace(match.state.wells[1], over=True)
    model = replace(
        model, match=replace(match, state=replace(match.state, wells=(own, rest)))
    )
    ending = replace(
        table, phase="over", audit="ok", turn=(), places=(1, 2),
        options=wire.pack(Options(**options)),
    )  # fmt: skip
    return update(model, status(table=ending))


def test_the_best_points_are_kept_by_terms_and_shown_at_the_end() -> None:
    model, effects = over(base(), 500)
    assert Store() in effects
    assert model.over is Over.RESULT
    assert results.of(model.settings, KIND) == (500,)
    assert "1. 500 ★" in texts(screen.scene(model))
    for points in (900, 300, 700, 100, 200, 700):
        model, _effects = over(replace(model, over=Over.NONE), points)
    assert results.of(model.settings, KIND) == (900, 700, 500, 300, 200)
    model, _effects = over(replace(model, over=Over.NONE), 50, size=6, level=3)
    assert results.of(model.settings, "hexcolumns 6 3") == (50,)
    model, _effects = over(replace(model, over=Over.NONE), 999, attacks=True)
    assert results.of(model.settings, f"{KIND} attacks") == (999,)
    assert "1. 999 ★" in texts(screen.scene(model))
    assert results.of(model.settings, KIND)[0] == 900


def test_a_computers_points_are_nobodys_own() -> None:
    model = in_match(base(), "hexcolumns", 2, 0)
    match, table = model.match, model.table
    assert match is not None
    assert table is not None
    well = replace(match.state.wells[0], score=900)
    state = replace(match.state, wells=(well, *match.state.wells[1:]))
    match = replace(match, state=state)
    assert results.points(model, match) == 900
    seats = (replace(table.seats[0], kind="computer"), *table.seats[1:])
    model = fed(model, status(table=replace(table, seats=seats)))
    assert results.points(model, match) == 0


def test_they_outlast_the_window(tmp_path: Path) -> None:
    model, _effects = over(base(), 1234)
    store(tmp_path, model.settings)
    kept, _damaged = load(tmp_path)
    assert results.of(kept, KIND) == (1234,)


def test_games_without_them_and_those_of_others_keep_none() -> None:
    model = fed(ended(in_match(base(), "numlo", 2, 6)))
    assert model.settings.best == ()
    watched, _effects = over(base(), 0)
    assert watched.settings.best == Settings().best

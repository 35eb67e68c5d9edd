"""Rows that wells send one another, as the window shows, says and draws them."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client import hexcolumns as shown
from client.app.board import Seen
from client.browser.session import fitting
from client.hexcolumns import text as result
from client.hexcolumns import wells as bursts
from client.hexcolumns.wells import NOTE_SECONDS
from client.pages import screen
from client.speech import Told, news
from client.ui import texts
from client.ui.scene import Node, Rect, find, walk
from client.ui.texts import LANGUAGES
from client.ui.theme import Look
from rules import hexcolumns as game
from rules.hexcolumns import Drop, Options, Rise, Rotate, Shift
from tests.client import games
from tests.client.worlds import base
from tests.rules.hexcolumns.wells import cells, chance, draw

AREA = Rect(0, 0, 900, 700)
SMALL = Rect(0, 0, 480, 430)
NAMES = ("Ann", "Bob", "Cy")


def match(*sent: int, attacks: bool = True) -> game.State:
    """Return wells that have sent so many rows."""
    state = draw(game.start(len(sent), Options(size=6, attacks=attacks)), "r g b")
    wells = (
        replace(well, sent=rows) for well, rows in zip(state.wells, sent, strict=True)
    )
    return replace(state, wells=tuple(wells))


def seen(state: game.State, now: float = 1.0, **more: Any) -> Seen[Any, Any]:
    more = {"pace": 0.7, **more}
    names = NAMES[: len(state.wells)]
    return Seen(state, more.pop("seat", 0), names, now=now, **more)


def scene(at: Seen[Any, Any], local: Any = None, area: Rect = AREA) -> Node:
    return shown.scene(at, local or shown.begin(at), area, Look())


def text(root: Node, name: str) -> str:
    node = find(root, name)
    return "" if node is None else node.text


# What is coming.


@pytest.mark.parametrize("area", [AREA, SMALL])
def test_beside_each_well_stands_how_many_rows_are_coming(area: Rect) -> None:
    root = scene(seen(match(2, 0, 1)), area=area)
    assert [text(root, f"rows:{seat}") for seat in range(3)] == ["↑1", "↑3", "↑2"]
    node = find(root, "rows:1")
    assert node is not None
    assert node.value.startswith("3 rows ")


def test_a_bystander_sees_it_too_and_where_nothing_comes_nothing_stands() -> None:
    root = scene(seen(match(2, 0), seat=None))
    assert (text(root, "rows:0"), text(root, "rows:1")) == ("", "↑2")
    quiet = scene(seen(match(2, 0, attacks=False)))
    assert not any(node.name.startswith("rows:") for node in walk(quiet))
    over = game.play(match(2, 0), 1, game.Resign())
    assert text(scene(seen(over)), "rows:1") == ""


def test_the_number_covers_no_hex_of_a_small_well() -> None:
    root = scene(seen(match(2, 0, 1)), area=SMALL)
    sign = find(root, "rows:1")
    well = find(root, "well:1")
    assert sign is not None
    assert well is not None
    cells = [n.rect for n in walk(well) if n.shape.name == "FLAT" and n.rect.w > 4]
    near = [rect for rect in cells if rect.meets(sign.rect)]
    assert near == []


# What has come.


def test_who_sent_rows_is_told_for_a_moment() -> None:
    local = shown.begin(seen(match(0, 0, 0)))
    after = seen(match(0, 2, 0), 5.0)
    local = shown.renew(after, local)
    assert {"2", "Bob"} < set(text(scene(after, local), "sent").split())
    later = seen(match(0, 2, 0), 5.0 + NOTE_SECONDS)
    local, _move = shown.tick(later, local)
    assert text(scene(later, local), "sent") == ""


def test_a_view_in_which_nobody_sent_anything_changes_nothing() -> None:
    at = seen(match(1, 2))
    local = shown.renew(at, shown.begin(at))
    fallen, _left = game.advance(at.view, 1, 3)
    assert shown.renew(seen(fallen, 1.1), local) is local


def raised(at: game.State, rows: int) -> game.State:
    return game.play(at, 0, Rise(rows))


def outlines(root: Node) -> int:
    return sum(node.value == "risen" for node in walk(root))


def test_rows_rise_one_after_the_other_and_are_outlined_meanwhile() -> None:
    before = match(0, 3)
    local = shown.renew(seen(before), shown.begin(seen(before)))
    after = raised(before, 3)
    local = shown.renew(seen(after, 2.0), local)
    burst = local.bursts[0]
    assert burst is not None
    assert [len(stage.row) for stage in burst.stages] == [10, 10, 10]
    counts = []
    for tenth in range(12):
        now = seen(after, 2.0 + tenth / 10)
        local, _move = shown.tick(now, local)
        counts.append(outlines(scene(now, local)))
    assert counts[0] == 10
    assert counts[-1] == 0


def test_with_reduced_motion_rows_are_there_at_once() -> None:
    before = match(0, 3)
    local = shown.begin(seen(before, pace=0.0))
    after = seen(raised(before, 3), 2.0, pace=0.0)
    local = shown.renew(after, local)
    assert local.bursts == (None, None)
    assert outlines(scene(after, local)) == 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 4))
def test_the_steps_of_a_landing_lead_on_to_the_rows_that_rose_at_once(
    seed: int, rows: int
) -> None:
    """A node lets rows rise as soon as the next piece appears: between two looks."""
    rng = Random(seed)
    state = chance(match(0, 4), rng)
    for _ in range(12):
        move = rng.choice([Shift(-1), Shift(1), Rotate(), Drop(), Drop()])
        if not game.refusal(6, state.wells[0], move):
            state = chance(game.play(state, 0, move), rng)
        if state.wells[0].over:
            return
    before = bursts.landing(state.wells[0])
    landed = chance(game.play(state, 0, Drop()), rng)
    if landed.wells[0].over:
        return
    later = raised(landed, rows)
    after = bursts.landing(later.wells[0])
    found = bursts.burst(6, before, after, 3.0)
    assert found is not None
    assert sum(bool(stage.row) for stage in found.stages) == rows
    assert found.stages[-1].cells == later.wells[0].cells
    went = sum(bool(stage.going) for stage in found.stages)
    assert went == len(landed.wells[0].gone)


# What is said, and the end.


def test_rows_are_said_once_and_the_advice_is_not_said_again() -> None:
    quiet = games.attacked(base(), rows=(0, 0, 0, 0))
    _lines, told = news(Told(), quiet, screen.scene(quiet), "")
    pressed = games.attacked(base())
    lines, told = news(told, pressed, screen.scene(pressed), "")
    (line,) = lines
    assert line.startswith("6 rows ")
    lines, _told = news(told, quiet, screen.scene(quiet), "")
    assert lines == []


def test_the_result_tells_how_many_rows_each_has_sent() -> None:
    at = seen(match(3, 5))
    assert "3 Ann, 5 Bob" in dict(result.facts(at, shown.begin(at))).values()
    without = seen(match(0, 0, attacks=False))
    told = dict(result.facts(without, shown.begin(without)))
    assert "0 Ann, 0 Bob" not in told.values()


def test_who_was_pushed_out_reads_by_whose_rows() -> None:
    state = match(0, 1, 0)
    full = replace(state.wells[0], cells=cells(6, {5: "r b r b r b"}))
    state = game.play(replace(state, wells=(full, *state.wells[1:])), 0, Rise(1))
    told = result.why(seen(state))
    assert [name for name in NAMES if name in told] == ["Ann", "Bob"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (820, 1180)])
def test_whose_a_well_is_can_be_read_beside_any_score(
    size: tuple[int, int], language: str
) -> None:
    texts.speak(language)
    try:
        model = dict(games.pages(base()))["hexcolumns with rows coming"]
        own = replace(model.settings, language=language)
        root = screen.scene(replace(model, size=fitting(*size), settings=own))
        for well in ("well:1", "well:2", "well:3"):
            there = find(root, well)
            assert there is not None
            (name,) = (each for each in walk(there) if each.name.startswith("who:"))
            assert name.text in {"Bert", "Charlie", "Dora"}
            small = model.look.small
            assert model.look.width(name.text, small, bold=True) <= name.rect.w
    finally:
        texts.speak("en")

"""What is marked on the Hexagrams board, and what is said beside it."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client import hexagrams as shown
from client.app.board import Step
from client.hexagrams.geometry import spots
from client.hexagrams.input import NOWHERE, Local, name_of
from client.pages.play import SIDE
from client.ui import tiles
from client.ui.intents import Button, Click, Drop, Hover, Lift
from client.ui.scene import Shape, walk
from rules import hexagrams
from rules.hexagrams import (
    BLACK,
    HEXAGONS,
    OVER,
    TRIANGLES,
    WHITE,
    Hexad,
    Options,
    Resign,
    Triad,
    hexagon,
    triangle,
)
from tests.client.clicking import handle
from tests.client.hexagrams_hands import (
    AREA,
    ESCAPE,
    LOOK,
    after,
    example,
    h,
    marked,
    node,
    position,
    scene,
    seen_of,
    start,
    t,
)

# Marks and words


def test_triads_that_must_capture_and_their_prey_are_marked() -> None:
    seen = start()
    root = scene(seen, Local())
    bad = [n for n in walk(root) if n.edge == LOOK.theme.bad]
    forced = {n.name for n in bad if n.name.startswith("tile:")}
    assert forced == {f"tile:{t(4, x)}" for x in (-1, 1, 3, 5, 7)}
    assert node(seen, Local(), f"cell:{t(5, 1)}").edge == LOOK.theme.bad
    other = start(BLACK)
    assert node(other, Local(), f"tile:{t(4, 1)}").edge != LOOK.theme.bad


def told_more(seen: Any, local: Local) -> set[str]:
    """Return of which stones more is said than of a board that nobody touches."""
    plain = {n.name: n.value for n in walk(scene(seen, Local()))}
    return {n.name for n in walk(scene(seen, local)) if n.value != plain.get(n.name)}


def test_the_triads_in_a_hexads_way_are_marked_whoever_has_them() -> None:
    """H(1,0) is linked to H(0,1), H(1,2) and H(2,1); an own hexad is on the last."""
    state = position(WHITE, ("1,0 2,1", "1,6"), ("5,1 8,3", "3,0 4,1"))
    seen = seen_of(state, WHITE)
    triads = {f"tile:t{number}" for number in range(len(TRIANGLES))}
    between = {f"tile:{each}" for each in (t(3, 0), t(4, 1), t(5, 1))}
    for local in (
        Local(over=("h", hexagon(1, 0))),
        after(seen, Click(f"tile:{h(1, 0)}")),
    ):
        assert told_more(seen, local) & triads == between
    other = after(seen, Click(f"tile:{h(2, 1)}"))
    assert told_more(seen, other) & triads == {f"tile:{t(5, 1)}"}
    assert not told_more(start(), Local(over=("h", hexagon(1, 0))))


def test_targets_are_exactly_the_rules_moves_for_every_stone() -> None:
    state = example()
    for turn in (WHITE, BLACK):
        seen = seen_of(replace(state, turn=turn), turn)
        legal = list(hexagrams.moves(seen.view, turn))
        assert legal
        for place in spots():
            local = Local(picked=place)
            kind = Triad if place[0] == "t" else Hexad
            wanted = {
                f"{place[0]}{m.target}"
                for m in legal
                if isinstance(m, kind) and m.origin == place[1]
            }
            assert marked(seen, local) == wanted


def test_targets_of_the_stone_under_the_pointer_are_shown() -> None:
    seen = seen_of(example(), BLACK)
    local = after(seen, Hover(f"tile:{t(8, 1)}"))
    assert marked(seen, local) == {t(7, 0)}
    assert marked(seen, after(seen, Hover(""), local=local)) == set()


def test_targets_are_shown_while_a_stone_is_dragged_and_no_longer() -> None:
    seen = seen_of(example(), BLACK)
    local = after(seen, Lift(f"tile:{t(8, 1)}"))
    assert marked(seen, local) == {t(7, 0)}
    assert marked(seen, after(seen, Drop(f"tile:{t(8, 1)}", ""), local=local)) == set()


def test_stones_of_the_other_side_are_refused_in_words() -> None:
    seen = start()
    local = after(seen, Click(f"tile:{t(5, 1)}"))
    assert shown.status(seen, local) != shown.status(seen, Local())


@pytest.mark.parametrize(
    "intent", [ESCAPE, Click("", Button.RIGHT), Drop("tile:t16", "")]
)
def test_a_picked_stone_can_be_let_go(intent: Any) -> None:
    seen = start()
    local = after(seen, Click(f"tile:{t(4, 1)}"))
    assert local.picked != NOWHERE
    assert after(seen, intent, local=local).picked == NOWHERE


def test_the_last_move_is_highlighted_from_and_to() -> None:
    state = hexagrams.start(2, Options())
    move = Triad(triangle(4, 1), triangle(5, 1))
    step = Step(state, WHITE, move)
    seen = seen_of(hexagrams.play(state, WHITE, move), BLACK, (step,))
    plain = node(start(), Local(), f"cell:{t(4, 3)}").bg
    for name in (t(4, 1), t(5, 1)):
        assert node(seen, Local(), f"cell:{name}").bg != plain
    assert "Anna: C5xC7" in shown.status(seen, Local())
    assert node(seen, Local(), "captured:1").value == "0 hexads, 1 triads"
    anna, bert = shown.sheets(seen)
    assert anna.lines == (("took 1 △", ""),)
    assert bert.lines == ()


def test_what_was_captured_fits_beside_its_word_in_the_narrowest_panel() -> None:
    """Half of the side column at 800x500, with the most that can be taken."""
    room = (SIDE[0] - LOOK.gap) // 2 - 2 * LOOK.px(10)
    state = replace(hexagrams.start(2, Options()), hexads=(0, 0), triads=(0, 0))
    ((left, right),) = shown.sheets(seen_of(state, WHITE))[0].lines
    assert (left, right) == ("took 5 ⬡ 16 △", "")
    assert LOOK.width(left, LOOK.small) + LOOK.px(8) <= room


def test_the_cursor_and_the_last_move_are_marked_by_different_shapes() -> None:
    """Strokes in the corners are the cursor's; the last move colours whole cells."""
    state = hexagrams.start(2, Options())
    move = Triad(triangle(4, 1), triangle(5, 1))
    step = Step(state, WHITE, move)
    seen = seen_of(hexagrams.play(state, WHITE, move), BLACK, (step,))
    at = ("t", triangle(5, 1))
    sign = node(seen, Local(at=at), "cursor")
    cell = node(seen, Local(at=at), f"cell:{t(5, 1)}")
    assert {kid.shape for kid in sign.kids} == {Shape.LINE}
    assert cell == node(seen, Local(), f"cell:{t(5, 1)}")
    assert cell.bg != node(start(), Local(), f"cell:{t(5, 1)}").bg


def test_cells_may_be_called_as_on_the_page_of_the_game() -> None:
    seen = start()
    assert node(seen, Local(), f"cell:{t(4, 1)}").value == "C5 white"
    assert node(seen, Local(), f"cell:{h(1, 2)}").value == "D6 white"
    tiles.call(tiles.PAGE)
    for number, (row, x) in TRIANGLES.items():
        assert node(seen, Local(), f"cell:t{number}").value.startswith(f"T({row},{x})")
    for number, (row, x) in enumerate(HEXAGONS):
        assert name_of(("h", number)) == f"H({row},{x})"


def test_who_lost_on_time_has_not_resigned() -> None:
    state = replace(example(), turn=OVER, winner=WHITE, ending="resigned")
    late = replace(seen_of(state, WHITE), late=frozenset({BLACK}))
    told = shown.status(late, Local())
    assert "time" in told
    assert "resign" not in told


def test_a_resignation_is_told_and_does_not_end_the_highlight() -> None:
    state = hexagrams.start(2, Options())
    step: Step[Any, Any] = Step(state, WHITE, Resign())
    final = hexagrams.play(state, WHITE, Resign())
    seen = seen_of(final, BLACK, (step,))
    assert [sheet.out for sheet in shown.sheets(seen)] == [True, False]
    scene(seen, Local())


def test_at_the_end_it_is_told_who_captured_what() -> None:
    state = hexagrams.start(2, Options())
    one, two = (1 << cell for cell in list(hexagrams.bits(state.triads[BLACK]))[:2])
    taken = replace(
        state, triads=(state.triads[WHITE], state.triads[BLACK] ^ one ^ two)
    )
    assert shown.TRAITS.recalled is not None
    facts = dict(shown.TRAITS.recalled.facts(seen_of(taken, WHITE), Local()))
    assert (facts["Anna captured"], facts["Bert captured"]) == ("0 ⬡ 2 △", "0 ⬡ 0 △")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_whatever_is_clicked_moves_are_legal_and_scenes_stand(
    data: st.DataObject,
) -> None:
    state = hexagrams.start(2, Options())
    local = Local()
    names = [f"{head}:{p[0]}{p[1]}" for head in ("tile", "cell") for p in spots()]
    for _ in range(12):
        if state.turn == OVER:
            return
        seen = seen_of(state, state.turn)
        forced = list(hexagrams.moves(state, state.turn))
        sure = data.draw(st.sampled_from(forced))
        sort = "t" if isinstance(sure, Triad) else "h"
        intents = [
            Click(data.draw(st.sampled_from(names))),
            Click(f"tile:{sort}{sure.origin}"),
            Click(f"cell:{sort}{sure.target}"),
        ]
        for intent in intents:
            local, move = handle(shown, seen, local, intent)
            assert shown.status(seen, local)
            if move is not None:
                state = hexagrams.play(state, state.turn, move)
                local = shown.renew(seen_of(state, state.turn), local)
                break
        scene(seen_of(state, WHITE), local)


def test_rows_of_cells_do_not_leave_the_area() -> None:
    root = scene(start(), Local())
    for n in walk(root):
        assert AREA.holds(n.rect), n
    xs = sorted({x for _r, x in HEXAGONS})
    assert all(b - a == 1 for a, b in pairwise(xs))

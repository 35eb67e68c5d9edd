"""What is seen of a drop, and of a well that overflows."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from client.app.board import Seen
from client.hexcolumns.input import Local, begin, handle, renew, tick
from client.hexcolumns.view import scene as drawn
from client.hexcolumns.wells import SHAKE_SECONDS, TRAIL_SECONDS
from client.ui.intents import Key
from client.ui.scene import Node, Rect, find, walk
from client.ui.texts import _
from client.ui.theme import Look
from rules import hexcolumns
from tests.client.test_hexcolumns import begun, seen_of, with_well

AREA = Rect(0, 0, 700, 600)
LOOK = Look()


def seen(pace: float = 0.7, seats: int = 1, now: float = 10.0) -> Seen[Any, Any]:
    return seen_of(begun(seats), pace=pace, now=now)


def dropped(now: Seen[Any, Any]) -> Local:
    local, move = handle(now, begin(now), Key("space"))
    assert move == hexcolumns.Drop()
    return local


def trail(now: Seen[Any, Any], local: Local) -> list[Node]:
    return [n for n in walk(drawn(now, local, AREA, LOOK)) if n.value == "dropped"]


def test_a_dropped_piece_leaves_a_trail_that_fades() -> None:
    start = seen()
    local = dropped(start)
    deep = hexcolumns.depth(6, 0)
    assert len(trail(start, local)) == deep - 3  # it lies on the floor
    shades = [
        trail(replace(start, now=10 + part * TRAIL_SECONDS), local)[0].bg
        for part in (0.0, 0.5, 0.9)
    ]
    assert len(set(shades)) == 3
    late = replace(start, now=10 + TRAIL_SECONDS)
    assert trail(late, local) == []
    assert tick(late, local)[0].trail is None


def test_without_animation_there_is_no_trail() -> None:
    assert dropped(seen(pace=0)).trail is None


def places(now: Seen[Any, Any], local: Local, seat: int) -> set[int]:
    """Return where the left edge of a well is within half a second."""
    found = set()
    for i in range(30):
        at = replace(now, now=now.now + i * SHAKE_SECONDS / 30)
        well = find(drawn(at, local, AREA, LOOK), f"well:{seat}")
        assert well is not None
        found.add(min(node.rect.x for node in walk(well) if node.kids and node.clip))
    return found


def over(now: Seen[Any, Any], *, resigned: bool = False) -> Seen[Any, Any]:
    view = with_well(now.view, 1, over=True, resigned=resigned, piece=b"")
    return replace(now, view=view)


def test_a_well_that_overflows_shakes_for_a_moment() -> None:
    start = seen(seats=2)
    local = renew(over(start), begin(start))
    assert local.shaken[1] == 10.0
    assert len(places(over(start), local, 1)) > 1
    still = replace(over(start), now=10 + SHAKE_SECONDS)
    assert len(places(still, local, 1)) == 1
    assert local.shaken[0] < 0


def test_the_second_well_that_overflows_shakes_without_the_first() -> None:
    start = seen(seats=2)
    first = renew(over(start), begin(start))
    both = with_well(over(start).view, 0, over=True, piece=b"")
    assert renew(replace(start, view=both, now=20.0), first).shaken == (20.0, 10.0)


def test_who_gives_up_and_who_wants_no_motion_sees_nothing_shake() -> None:
    start = seen(seats=2)
    gone = over(start, resigned=True)
    assert renew(gone, begin(start)).shaken == (-1.0, -1.0)
    quiet = seen(pace=0, seats=2)
    assert renew(over(quiet), begin(quiet)).shaken == (-1.0, -1.0)
    joined = over(start)  # seen for the first time: it was over before
    assert begin(joined).shaken == (-1.0, -1.0)


# Several wells


def wells(now: Seen[Any, Any], area: Rect) -> list[Rect]:
    root = drawn(now, begin(now), area, LOOK)
    found = [find(root, f"well:{seat}") for seat in range(len(now.view.wells))]
    return [node.rect for node in found if node is not None]


def test_who_plays_in_no_well_sees_all_in_one_size() -> None:
    for seats in (2, 3, 4):
        watched = replace(seen(seats=seats), seat=None)
        for area in (AREA, Rect(0, 0, 1600, 700), Rect(0, 0, 400, 900)):
            found = wells(watched, area)
            assert len({(rect.w, rect.h) for rect in found}) <= 2  # pixels left over
            assert not any(
                a.meets(b) for i, a in enumerate(found) for b in found[i + 1 :]
            )
    wide = wells(replace(seen(seats=4), seat=None), Rect(0, 0, 1600, 500))
    assert len({rect.y for rect in wide}) == 1  # beside each other


def test_wells_of_others_take_the_height_beside_the_buttons() -> None:
    area = Rect(0, 0, 1500, 900)
    found = wells(seen(seats=4), area)
    assert max(rect.bottom for rect in found[1:]) > found[0].bottom


@pytest.mark.parametrize(
    ("resigned", "over", "paused"), [*product((False, True), repeat=3)]
)
def test_of_another_well_it_is_said_why_nothing_falls(
    *, resigned: bool, over: bool, paused: bool
) -> None:
    """Who has given up has a well that is over, and no full one."""
    now = seen(seats=2)
    view = with_well(now.view, 1, resigned=resigned, over=over, paused=paused)
    root = find(drawn(replace(now, view=view), begin(now), AREA, LOOK), "well:1")
    assert root is not None
    ways = [_("resigned"), _("full"), _("pause")]
    holds = zip(ways, (resigned, over, paused), strict=True)
    said = [each.text for each in walk(root) if each.text in ways]
    assert said == [way for way, so in holds if so][:1]

"""How the points of each seat went through a match, as lines."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from client import board, metrics
from client.model import Match
from client.scene import Align, Colour, Mark, Node, Rect, Role, Shape
from client.theme import Look
from client.widgets import Tone, label

Course: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]
"""Where in the match (any unit), and each seat's count there; oldest first."""

MOST: Final = 240
"""Points of a line: more cannot be told apart."""


def course(match: Match) -> Course:
    """Return how a match went; one with turns has a place for each move by a seat."""
    if match.hurries:
        return match.course
    recalled = board.find(match.game).TRAITS.recalled
    if recalled is None or not match.past:
        return ()
    found = [
        recalled.standing(step.before)
        for step in match.past
        if step.actor >= 0 and step.before is not None
    ]
    found.append(recalled.standing(match.state))
    if not any(map(any, found)):
        return ()  # nobody has come to anything: there is no way to be shown
    return thinned(tuple(enumerate(found)))


def thinned(found: Course) -> Course:
    """Return every second place of a long course, and its last one."""
    if len(found) <= MOST:
        return found
    return thinned((*found[:-1:2], found[-1]))


def colours(look: Look) -> tuple[Colour, ...]:
    """Return a colour a seat, each readable on a card; none stands alone."""
    theme = look.theme
    return theme.accent, theme.latest, theme.text, theme.dim


def drawn(
    found: Course, measure: str, area: Rect, look: Look, signs: Sequence[Mark]
) -> list[Node]:
    """Return the lines, each with its seat's sign at the end, and the scale."""
    line = round(look.small * metrics.LINE)
    low = min(0, *(min(each) for _at, each in found))
    high = max(1, *(max(each) for _at, each in found))
    wide = max(look.width(str(n), look.small) for n in (low, high)) + look.px(6)
    plot = Rect(
        area.x + wide, area.y + line + look.px(8), area.w - wide - look.px(14),
        area.h - line - look.px(16),
    )  # fmt: skip
    first, last = found[0][0], max(found[-1][0], found[0][0] + 1)

    def spot(at: int, count: int) -> tuple[int, int]:
        x = plot.x + (at - first) * plot.w // (last - first)
        return x, plot.bottom - (count - low) * plot.h // (high - low)

    kids = [
        label(Rect(area.x, area.y, area.w, line), measure, look, size=look.small,
              tone=Tone.DIM),
        *_scale(plot, low, high, wide, look),
    ]  # fmt: skip
    for seat in reversed(range(len(found[0][1]))):
        points = tuple(spot(at, each[seat]) for at, each in found)
        colour, side = colours(look)[seat % 4], look.px(12)
        kids.append(
            Node(Role.LABEL, f"graph.{seat}", plot, shape=Shape.LINE, points=points,
                 edge=colour, border=look.px(2))
        )  # fmt: skip
        x, y = points[-1]
        end = Rect(x + look.px(1), y - side // 2, side, side)
        kids.append(Node(Role.LABEL, "", end, mark=signs[seat % 4], fg=colour))
    return kids


def _scale(plot: Rect, low: int, high: int, wide: int, look: Look) -> list[Node]:
    """Return the lines of nothing and of the most, with their numbers."""
    kids: list[Node] = []
    size = round(look.small * metrics.LINE)
    for count in dict.fromkeys((high, low)):
        y = plot.bottom - (count - low) * plot.h // (high - low)
        rail = Rect(plot.x, y, plot.w, 1)
        kids.append(Node(Role.LABEL, "", rail, shape=Shape.RECT, bg=look.theme.raised))
        mark = Rect(plot.x - wide, y - size // 2, wide - look.px(4), size)
        kids.append(
            label(mark, str(count), look, size=look.small, tone=Tone.DIM,
                  align=Align.RIGHT)
        )  # fmt: skip
    return kids

"""How well the player plays as time goes on, by the games that were reviewed."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

from client.app.clicks import taker
from client.app.follow import colours
from client.app.model import Change, Model, same
from client.app.settings import Reviewed
from client.ui import typefaces, widgets
from client.ui.layout import columns, rows
from client.ui.scene import Align, Means, Node, Rect, Role, Shape
from client.ui.texts import _, decimal
from client.ui.widgets import Tone, label
from rules import GAMES, LISTED

TAB: Final = 2
"""Its place among the tabs of the page."""

GAMES_ROW: Final = "progress.game"
LIST: Final = "progress.list"
LINE: Final = "progress.line"
"""Begins the name of a line."""

LATEST: Final = 5
"""Games of which the mean is told."""

DRAWN: Final = 50
"""Games that a line shows, the latest."""


class PickGame(Means, frozen=True):
    """Tell of another game."""

    number: int


def _known(model: Model) -> list[Reviewed]:
    """Return the figures that can be told: another version may have kept others."""
    every, last = model.settings.reviewed, date.max.toordinal()
    return [each for each in every if each.game in LISTED and 0 < each.day <= last]


def _reviewed(model: Model) -> list[str]:
    """Return the games of which there are figures, in their usual order."""
    known = {each.game for each in _known(model)}
    return [game for game in LISTED if game in known]


def _game(model: Model) -> str:
    """Return the game that is told of: the one chosen, else the one reviewed last."""
    chosen, known = model.past.skilled, _known(model)
    return chosen if chosen or not known else known[-1].game


def figures(model: Model) -> list[Reviewed]:
    """Return what is known of the game that is told of, the earliest first."""
    return [each for each in _known(model) if each.game == _game(model)]


class _Measure(NamedTuple):
    """Something that is drawn as a line."""

    name: str
    title: str
    value: Callable[[Reviewed], float]
    told: Callable[[float], str]
    top: float
    """Where the scale ends at least."""


def _measures(game: str) -> list[_Measure]:
    """Return what can be told of a game."""
    made = [
        _Measure(
            "accuracy", _("Accuracy"), lambda each: each.accuracy / 10,
            "{:.0f} %".format, 100,
        )
    ]  # fmt: skip
    if GAMES[game].ABOUT.crossword:
        made.append(
            _Measure("bingos", _("Missed bingos"), lambda each: each.bingos, _count, 1)
        )
    if GAMES[game].ABOUT.tiled is not None:
        made.append(
            _Measure(
                "points", _("Points a turn"),
                lambda each: each.points / max(1, each.turns), decimal, 1,
            )
        )  # fmt: skip
    return made


def _count(value: float) -> str:
    return str(int(value)) if value == int(value) else decimal(value)


# What is drawn.


def games(model: Model, room: Rect) -> list[Node]:
    """Return the row of games to choose from, where there are several."""
    known = _reviewed(model)
    if len(known) < 2:
        return []
    titles = [LISTED[game].title for game in known]
    at = known.index(_game(model))
    return [widgets.tab_row(GAMES_ROW, room, titles, at, model.look, means=PickGame)]


def inside(model: Model, room: Rect) -> list[Node]:
    """Return a line for each measure, and a row for each game below."""
    look, known = model.look, figures(model)
    if not known:
        text = _(
            "Nothing yet. Open the review after a game: how well you played is kept "
            "here."
        )
        return [label(room, text, look, name="progress.none", tone=Tone.DIM, wrap=True)]
    measures = _measures(known[0].game)
    upper, lower = rows(room, [0.5, 0.5], look.gap)
    spots = columns(upper, [1 / len(measures)] * len(measures), look.px(16))
    kids: list[Node] = []
    for measure, spot in zip(measures, spots, strict=True):
        kids += _plot(model, measure, known[-DRAWN:], spot)

    def row(number: int, each: Reviewed, rect: Rect) -> Node:
        parts = [f"{one.title}: {one.told(one.value(each))}" for one in measures]
        text = "  ·  ".join([f"{date.fromordinal(max(1, each.day))}", *parts])
        kids = (label(rect, text, look, size=look.small),)
        return Node(Role.ITEM, f"progress:{number}", rect, value=text, kids=kids)

    made = [partial(row, i, each) for i, each in enumerate(reversed(known))]
    offset = model.scrolls.get(LIST, 0)
    pitch = round(look.body * 1.7)
    return [*kids, widgets.scroll(LIST, lower, made, pitch, look, offset=offset)]


def _plot(
    model: Model, measure: _Measure, known: Sequence[Reviewed], area: Rect
) -> list[Node]:
    """Return how a measure has changed, game by game."""
    look = model.look
    line = round(look.small * typefaces.LINE)
    head, said, field = rows(area, [round(look.body * typefaces.LINE), line, 1])
    values = [measure.value(each) for each in known]
    last = values[-LATEST:]
    told = _("lately {value}").format(value=measure.told(sum(last) / len(last)))
    high = max(measure.top, *values)
    wide = look.width(measure.told(high), look.small) + look.px(8)
    plot = Rect(
        field.x + wide, field.y + line // 2, field.w - wide - look.px(4), field.h - line
    )
    kids = [
        label(head, measure.title, look, bold=True),
        label(said, told, look, size=look.small, tone=Tone.DIM),
    ]
    for share, value in ((1.0, high), (0.0, 0.0)):
        y = plot.bottom - round(share * plot.h)
        rail = Rect(plot.x, y, plot.w, 1)
        spot = Rect(field.x, y - line // 2, wide - look.px(8), line)
        kids += [
            Node(Role.LABEL, "", rail, shape=Shape.RECT, bg=look.theme.raised),
            label(spot, measure.told(value), look, size=look.small, tone=Tone.DIM,
                  align=Align.RIGHT),
        ]  # fmt: skip
    points = tuple(
        (
            plot.x + at * plot.w // max(1, len(values) - 1),
            plot.bottom - round(max(0, value) / high * plot.h),
        )
        for at, value in enumerate(values)
    )
    if len(points) == 1:  # a point, from which a line will go on
        points = (*points, (plot.x + look.px(6), points[0][1]))
    line_of = f"{LINE}.{measure.name}"
    kids.append(
        Node(Role.LABEL, line_of, plot, shape=Shape.LINE, points=points,
             edge=colours(look)[0], border=look.px(2))
    )  # fmt: skip
    return kids


# What is done.


@taker
def _picked(model: Model, message: PickGame) -> Change:
    past = replace(model.past, skilled=_reviewed(model)[message.number])
    return same(replace(model, past=past))

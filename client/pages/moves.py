"""The list of moves: place, word, points and running total, each in its column.

And that of the turns that the review has judged: a column a player.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, chain
from typing import Final

from msgspec.structs import replace

from client.app import board
from client.app.board import Entry, Past, Step
from client.app.model import Match, Model, seen
from client.pages import review
from client.ui import texts, tiles, typefaces, widgets
from client.ui.layout import columns, rows
from client.ui.scene import Align, Colour, Mark, Means, Node, Rect, Role, Shape, mix
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Row, Tone, label
from netplay.messages.table_questions import Appraisal, Grade
from rules.game import Resign

LIST: Final = "moves"

PITCH: Final = 1.9
"""The height of a row, in text heights."""

CLOSE: Final = 1.35
"""The same in heights of small text, where there is little room."""

HELD: Final = 24
"""Pixels at 100 % of a row on a phone held upright: what is touched is enlarged."""

LEAST: Final = 20
"""Pixels that a row must have to be hit; fewer only where all is drawn smaller."""

WIDE: Final = 400
"""Pixels at 100 % from which on names have more room."""


def worthy(model: Model) -> list[tuple[int, str]]:
    """Return the moves worth a line: (place in the history, words)."""
    match = model.match
    if match is None or match.covered:
        return []
    called = texts.spoken(), tiles.as_on_page()
    late = seen(model, match).late
    return [*_in_words(match.game, Past(match.past), model.names, late, called)]


@lru_cache(maxsize=8)  # asked several times a frame; guests in browsers see others
def _in_words(
    game: str,
    past: Past,
    names: tuple[str, ...],
    late: frozenset[int],
    _called: tuple[str, bool],
) -> tuple[tuple[int, str], ...]:
    """Return the moves worth a line.

    Args:
        game: Its name.
        past: The moves made.
        names: Of the seats.
        late: Seats whose time is over.
        _called: The language, and how cells are called: what words depend on, too.
    """
    module = board.find(game)

    def words(step: Step[object, object]) -> str:
        if isinstance(step.move, Resign) and step.actor in late:
            return _("{names}: out of time").format(names=names[step.actor])
        return module.tell(step, names)

    lines = ((i, words(step)) for i, step in enumerate(past.steps))
    return tuple((i, text) for i, text in lines if text)


def inside(model: Model, room: Rect) -> list[Node]:
    """Return the list; a click on a row shows the board as it was then."""
    look, match = model.look, model.match
    lines = worthy(model)
    entries = [_entry(match, match.past[i]) for i, _text in lines] if match else []
    words = (_main(entry) for entry in entries if entry is not None)
    # As wide as that all begin below each other.
    longest = max((look.width(each, look.body, bold=True) for each in words), default=0)
    made = [
        _row(model, n, i, text, longest, latest=n == len(lines))
        for n, (i, text) in enumerate(lines, 1)
    ]
    steps = not look.held  # there a row is touched, and the menu has the rest
    tight = look.px(8) if room.h < look.row + look.px(4 + 2 * LEAST) else 0
    listed, foot = rows(room, [1, look.row - tight], look.px(4) if not tight else 1)
    listed, heading = _headed(model, listed, longest) if steps else (room, [])
    at, pitch = model.scrolls.get(LIST), _pitch(look, listed.h)
    if at is None and match is not None and match.back >= 0:
        row = sum(i < match.back for i, _text in lines)
        high = listed.h // pitch * pitch
        at = row * pitch - high  # the move looked at is the last one to be seen
    return [
        *heading,
        widgets.scroll(
            LIST, listed, made, pitch, look, offset=at or 0, at_end=at is None
        ),
        *(review.steps(foot, look, review.offered(model, copy=may_copy(model)))
          if steps else ()),
    ]  # fmt: skip


def _numbered(model: Model) -> int:
    """Return the room for the numbers of the moves, which a game of hundreds has."""
    look, match = model.look, model.match
    last = 0 if match is None else match.missed + len(match.past)
    return max(look.px(26), look.width("0" * len(str(last)), look.small) + look.px(6))


def _headed(model: Model, room: Rect, longest: int) -> tuple[Rect, list[Node]]:
    """Return the room for the list, and what its columns of figures are called."""
    look, match = model.look, model.match
    head = round(look.small * 1.5)
    scored = match is not None and any(
        entry is not None and entry.points is not None
        for entry in (_entry(match, step) for step in match.past)
    )
    if not scored or room.h < head + 3 * _pitch(look, room.h):
        return room, []
    top, rest = rows(room, [head, 1])
    inner = top.inset(look.px(6), 0)
    far_off = _figures(look, inner.w - _numbered(model), longest)[1]
    points, sum_ = columns(inner, [1, far_off], look.px(4))
    size = typefaces.fitting((_("Sum"),), look.small, 8, far_off)
    return rest, [
        label(spot, text, look, size=size, tone=Tone.DIM, align=Align.RIGHT)
        for spot, text in ((points, _("Points")), (sum_, _("Sum")))
    ]


def _figures(look: Look, wide: int, longest: int) -> tuple[int, int]:
    """Return how wide the columns of points and of their sum are, in a row."""
    tight = wide < longest + _named(look, wide) + look.px(42 + 46 + 12)
    return look.px(30 if tight else 42), look.px(36 if tight else 46)


def _named(look: Look, wide: int, names: Sequence[str] = ()) -> int:
    """Return how wide the column of names is, in a row: more where there is room."""
    if wide < look.px(WIDE):
        return look.px(62)
    most = max((look.width(name, look.body) for name in names), default=0)
    return max(look.px(96), min(most + look.px(4), wide // 3))


def _pitch(look: Look, high: int) -> int:
    """Return the height of a row: less where there is hardly room for two."""
    if look.held:
        return look.px(HELD)
    usual, least = round(look.body * PITCH), min(look.px(LEAST), LEAST)
    return usual if high >= 2 * usual else max(round(look.small * CLOSE), least)


def may_copy(model: Model) -> bool:
    """Tell whether there is something to copy: moves worth a line, or a result."""
    match = model.match
    over = model.phase == "over" and match is not None and not match.covered
    return over or bool(worthy(model))


def _main(entry: Entry) -> str:
    """Return what stands bold in a row: where, and the word."""
    return " ".join(filter(None, (entry.where, entry.what)))


def _row(
    model: Model, n: int, i: int, text: str, longest: int, *, latest: bool
) -> widgets.Row:
    """Return what makes the row of a move, when it is to be seen."""

    def make(rect: Rect) -> Node:
        look, match = model.look, model.match
        assert match is not None  # there are no moves else
        chosen = match.back == i + 1
        theme, inner = look.theme, rect.inset(look.px(6), 0)
        number, rest = columns(inner, [_numbered(model), 1])
        entry = _entry(match, match.past[i])
        words = text
        if i >= len(match.past) - match.made:
            told = _("not delivered yet")
            words = f"{text} - {told}"
            entry = None if entry is None else entry._replace(more=told)
        if entry is None:
            kids = [label(rest, words, look, size=look.body)]
        else:
            kids = _columns(model, match, i, entry, rest, longest)
        kids.insert(0, label(number, str(n), look, size=look.small, tone=Tone.DIM))
        bg = theme.accent if chosen else mix(theme.panel, theme.latest, 0.10)
        if chosen:
            kids = [replace(kid, fg=theme.on_accent) for kid in kids]
        else:
            rule = Rect(inner.x, rect.bottom - 1, inner.w, 1)
            edge = mix(theme.panel, theme.line, 0.22)
            kids.append(Node(Role.LABEL, "", rule, shape=Shape.RECT, bg=edge))
        body = chosen or latest  # tiles drawn after it are no move
        return Node(
            Role.ITEM, f"move:{i}", rect, value=words, kids=tuple(kids),
            shape=Shape.RECT if body else Shape.NONE, bg=bg if body else None,
            fg=theme.text, live=True, focusable=True, selected=chosen,
            means=review.LookAt(i + 1),
        )  # fmt: skip

    return make


def _entry(match: Match, step: Step[object, object]) -> Entry | None:
    """Return a step's columns, if its game has them and somebody made it."""
    entered = board.find(match.game).TRAITS.entered
    return entered(step) if entered is not None and step.actor >= 0 else None


def _columns(
    model: Model, match: Match, i: int, entry: Entry, rest: Rect, longest: int
) -> list[Node]:
    """Return who, where and what, the points and the sum of them so far."""
    look, actor = model.look, match.past[i].actor
    wide = _named(look, rest.w, model.names)
    traits = board.find(match.game).TRAITS
    recalled, worth, total = traits.recalled, str(entry.points), ""
    if entry.points is not None and recalled is not None:
        # Each row asks, and for nearly all it is the very next position.
        steps = (match.past[n].before for n in range(i + 1, len(match.past)))
        later = chain(steps, (match.state,))
        first = after = next(later)
        while after is not None and traits.undecided(after):
            after = next(later, None)
        if after is not None:
            had, has = (
                recalled.standing(v)[actor] for v in (match.past[i].before, after)
            )
            total = str(has)
            # As in the list of words: it did not stand.
            worth = "–" if first is not after and had == has else worth
    far, far_off = _figures(look, rest.w, longest)
    far = far if entry.points is not None else 2
    far_off = far_off if total else 2
    main = _main(entry)
    long = look.width(main, look.body, bold=True)
    least = rest.w - far - far_off - 3 * look.px(4) - longest
    wide = max(2, min(wide, least))  # a name is said elsewhere, a word only here
    who, what, points, sum_ = columns(rest, [wide, 1, far, far_off], look.px(4))
    kids = [
        label(who, model.names[actor], look, tone=Tone.DIM),
        label(what, main, look, bold=True),
    ]
    spare = what.w - long - look.px(8)
    if entry.more and spare >= look.width(entry.more, look.small):
        more = Rect(what.right - spare, what.y, spare, what.h)
        kids[1] = label(Rect(what.x, what.y, long, what.h), main, look, bold=True)
        kids.append(label(more, entry.more, look, size=look.small, tone=Tone.DIM))
    if entry.points is not None:
        end = Align.RIGHT
        kids.append(label(points, worth, look, align=end))
        kids.append(label(sum_, total, look, bold=True, align=end))
    return kids


# The turns that are judged, in the review.


class LookAtTurn(Means, frozen=True):
    """Look at the turn that stands there among the moves."""

    place: int
    centred: bool = False
    """Bring its row into the middle of the list: it was not that which was clicked."""


TURN: Final = "judged"
"""Begins the name of a row that leads to a turn."""

TURNS: Final = "review.turns"

COLUMN: Final = 150
"""Pixels at 100 % that a player's column of turns needs at least."""

ROOMY: Final = 240
"""Pixels at 100 % from which on such a column has room for places and reasons."""

NAMED: Final = 40
"""Pixels at 100 % that a name keeps before what was done, however long that is."""

UNSURE: Final = 300
"""What a move may have lost, in ten-thousandths of the chance to win, from which on it
is said where the judge is not sure of it."""

SIGNS: Final[dict[Grade, Mark]] = {
    "blunder": Mark.CROSS,
    "mistake": Mark.TRIANGLE,
    "inaccuracy": Mark.RING,
}
"""Beside the word and the colour."""


def numbers(model: Model) -> dict[int, int]:
    """Return the number of each move in the list of moves, by its place."""
    return {at: n for n, (at, _text) in enumerate(worthy(model), 1)}


def in_words(model: Model, found: Appraisal, listed: Mapping[int, int]) -> str:
    """Return who did what in a turn, and for how many points."""
    match = model.match
    assert match is not None  # the page is that of a match
    place = found.number - match.missed
    number = listed.get(place, place + 1)
    name = model.names[found.seat] if found.seat < len(model.names) else ""
    points = f" {found.played.points}" if found.played.sums else ""
    return f"{number}  {name}: {review.made(model, found)}{points}"


def judged(
    model: Model, match: Match, found: Sequence[Appraisal], area: Rect
) -> list[Node]:
    """Return the turns: a column a player, as score sheets have them, or one list."""
    look = model.look
    every = review.turns(match).values()
    order = [*dict.fromkeys(every)]  # whoever began is at the left
    gap, bar = look.px(12), look.px(8)
    wide = (area.w - bar - gap * (len(order) - 1)) // max(1, len(order))
    parted = len(order) > 1 and wide >= look.px(COLUMN)
    heads = list[Node]()
    if parted:
        head, area = rows(area, [round(look.small * 1.5), 1])
        for i, seat in enumerate(order):
            spot = Rect(head.x + i * (wide + gap), head.y, wide, head.h)
            name = typefaces.shorten(model.names[seat], look.small, wide, bold=True)
            heads.append(label(spot, name, look, size=look.small, tone=Tone.DIM,
                               bold=True))  # fmt: skip
    else:
        wide = area.w - bar
    lines = _lines(found, order) if parted else [{0: each} for each in found]
    made, high, middle = list[Row](), list[int](), 0
    listed = numbers(model)

    def beside(cells: Mapping[int, tuple[int, Row]], rect: Rect) -> Node:
        kids = [
            cell(Rect(rect.x + at * (wide + gap), rect.y, wide, rect.h))
            for at, (_high, cell) in cells.items()
        ]
        return kids[0] if len(kids) == 1 else widgets.group(rect, kids)

    for line in lines:
        cells = {
            at: _cell(model, match, each, wide, listed, named=not parted)
            for at, each in line.items()
        }
        made.append(partial(beside, cells))
        high.append(max(tall for tall, _make in cells.values()))
        if any(e.number - match.missed == model.review.middle for e in line.values()):
            wanted = sum(high) - (area.h + high[-1]) // 2
            # No row is cut at the top.
            middle = max((end for end in accumulate(high) if end <= wanted), default=0)
    return [
        *heads,
        widgets.scroll(
            TURNS, area, made, look.row if look.thumb else look.line, look,
            offset=model.scrolls.get(TURNS, middle), heights=high,
        ),
    ]  # fmt: skip


def _lines(
    found: Sequence[Appraisal], order: Sequence[int]
) -> list[dict[int, Appraisal]]:
    """Return the turns of each line of the list, by their columns."""
    lines, last = list[dict[int, Appraisal]](), len(order)
    for each in found:
        at = order.index(each.seat)
        if at <= last:
            lines.append({})
        lines[-1][at] = each
        last = at
    return lines


def _cell(
    model: Model, match: Match, found: Appraisal, wide: int,
    listed: Mapping[int, int], *, named: bool,
) -> tuple[int, Row]:  # fmt: skip
    """Return how high a turn in the list is, and what draws it; a click looks at it.

    Sign, class and loss stand in a line with the move; below it, where there is room,
    why: of an own mistake only once the better move may be seen.
    """
    look, theme = model.look, model.look.theme
    place = found.number - match.missed
    here, alone = place == review.turn(match), model.alone
    roomy = wide >= look.px(ROOMY)
    grade = review.grade(found.grade)
    line = max(look.line, round(look.small * typefaces.LINE) + look.px(8))
    figures = _numbered(model) + look.px(4)
    hidden = found.seat == match.seat and found.number not in model.review.shown
    why: Sequence[str] = ()
    if grade and found.why and roomy and not hidden:
        room = wide - figures - look.px(8)
        why = typefaces.wrap(texts.phrase(found.why), look.small, room)
    below = len(why) * round(look.small * typefaces.LINE)
    high = max(line + below + (look.px(4) if why else 0), look.row if look.thumb else 0)

    def make(rect: Rect) -> Node:
        room = rect.inset(look.px(4), 0)
        ink = theme.on_accent if here else theme.text
        quiet = theme.on_accent if here else theme.dim
        top = Rect(room.x, room.y, room.w, look.row if look.thumb else line)
        number, rest = columns(top, [figures - look.px(4), 1], look.px(4))
        text = str(listed.get(place, place + 1))
        kids = [
            label(number, text, look, size=look.small, colour=quiet),
            *_ends(found, rest, ink if here else None, look, roomy=roomy, alone=alone),
        ]
        right = min([each.rect.x - look.px(6) for each in kids[1:]], default=rest.right)
        spot = Rect(rest.x, rest.y, max(1, right - rest.x), rest.h)
        kids += _done(model, match, found, spot, ink, full=roomy, named=named)
        low = Rect(rest.x, top.bottom - look.px(2), rest.w, 0)
        for part in why:
            low = Rect(low.x, low.bottom, low.w, round(look.small * typefaces.LINE))
            kids.append(label(low, part, look, size=look.small, colour=quiet))
        lost = review.short(found, alone=alone) if grade else ""
        value = " ".join(filter(None, (in_words(model, found, listed), grade, lost)))
        return Node(
            Role.ITEM, f"{TURN}:{place}", rect, value=value, kids=tuple(kids),
            bg=theme.accent if here else None, fg=ink, live=True, focusable=True,
            shape=Shape.RECT if here else Shape.NONE, selected=here,
            means=LookAtTurn(place),
        )  # fmt: skip

    return high, make


def _done(
    model: Model, match: Match, found: Appraisal, room: Rect, ink: Colour, *,
    full: bool, named: bool,
) -> list[Node]:  # fmt: skip
    """Return what was done in a turn, and its points at the right.

    Where a word lies is told only where it is to be `full`, or after a name.
    """
    look, bold, kids = model.look, bool(review.grade(found.grade)), list[Node]()
    entered = board.find(match.game).TRAITS.entered
    step = match.past[found.number - match.missed]
    entry = None if entered is None or found.back else entered(step)
    if entry is None:
        words, points = review.made(model, found), ""
    else:
        where = entry.where if full or named or not entry.what else ""
        words = " ".join(filter(None, (where, entry.what)))
        points = "" if entry.points is None else str(entry.points)
    if points:
        far = look.width("000", look.body)
        spot = Rect(room.right - far, room.y, far, room.h)
        kids.append(label(spot, points, look, colour=ink, align=Align.RIGHT))
        room = Rect(room.x, room.y, max(1, room.w - far - look.px(6)), room.h)
    if named:  # a name gives way: it is said elsewhere, a word only here
        spare = room.w - look.width(f": {words}", look.body, bold=bold)
        spare = max(look.px(NAMED), spare)
        name = typefaces.shorten(model.names[found.seat], look.body, spare, bold=bold)
        words = f"{name}: {words}"
    return [*kids, label(room, words, look, colour=ink, bold=bold)]


def _ends(
    found: Appraisal, room: Rect, ink: Colour | None, look: Look, *,
    roomy: bool, alone: bool,
) -> list[Node]:  # fmt: skip
    """Return the sign of a turn's class, its word, and what it lost, at the right."""
    grade, right = review.grade(found.grade), room.right
    if not grade:
        return []
    kids: list[Node] = []
    lost = review.short(found, alone=alone)
    for words in (lost, *([grade] if roomy else [])):
        far = look.width(words, look.small) + look.px(4)
        spot = Rect(right - far, room.y, far, room.h)
        kids.append(label(spot, words, look, size=look.small, align=Align.RIGHT,
                          colour=ink))  # fmt: skip
        right = spot.x - look.px(4)
    side = look.px(12)
    spot = Rect(right - side, room.y + (room.h - side) // 2, side, side)
    sign = ink or look.theme.latest
    return [*kids, Node(Role.LABEL, "", spot, mark=SIGNS[found.grade], fg=sign)]


# One of them looked back at.


def looked_at(model: Model, match: Match) -> tuple[str, str]:
    """Return which move is looked back at, and what was done in it."""
    lines = worthy(model)
    if match.hurries:
        minutes, seconds = divmod(match.looked_at // 1000, 60)
        return f"{minutes}:{seconds:02d}", ""
    done = [text for i, text in lines if i < match.back]
    text = _("Move {n} of {all}").format(n=len(done), all=len(lines))
    return text, done[-1] if done else ""


def looking_back(
    model: Model, match: Match, room: Rect, look: Look
) -> tuple[Rect, list[Node]]:
    """Return what says which move is shown, and leads back, and the room between."""
    head, rest, foot = rows(room, [look.line, 1, look.row], look.px(4))
    words = _("Back to the game")
    wide = widgets.button_width(words, look)
    back, forth, live, more = columns(foot, [look.row, look.row, wide, 1], look.gap)
    text = looked_at(model, match)[0]
    if look.held:
        rest, head = Rect(room.x, room.y, room.w, rest.bottom - room.y), more
    return rest, [
        label(head, text, look, name="back.text", bold=True),
        widgets.button(
            "back.less", back, "", look, mark=Mark.LEFT, means=review.StepMove(-1)
        ),
        widgets.button(
            "back.more", forth, "", look, mark=Mark.RIGHT, means=review.StepMove(1)
        ),
        widgets.button(
            "back.live", live, words, look, tone=Tone.MAIN, means=review.LookAt(-1)
        ),
    ]

"""Bystanders: the question whether somebody may watch, and the list of who does."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client.app.clicks import Asks, Closes, Opens, taker
from client.app.model import Change, Model, Over, Who
from client.pages import bar, lending, person
from client.ui import widgets
from client.ui.layout import columns
from client.ui.scene import Mark, Means, Node, Rect, Role
from client.ui.texts import _, phrase
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.table_questions import AnswerWatcher, LetWatch
from netplay.messages.types import Admission
from netplay.said import Said, Words
from netplay.sentences import Says

WISHES: Final[tuple[Admission, ...]] = ("ask", "anybody", "nobody")
"""Who may watch, in the order of the drop-downs."""

ADMISSION: Final = "watchers.admission"
OPEN: Final = "watchers"
LISTED: Final = "watchers.list"
VERB: Final = "watchers"
MOST: Final = 6
"""Rows of the list that are seen at once."""


def wishes() -> tuple[str, ...]:
    """Return who may watch, in words."""
    return _("by consent"), _("anybody"), _("nobody")


def words(admission: Admission) -> str:
    """Return one of these."""
    return wishes()[WISHES.index(admission)]


def wish(text: str) -> str:
    """Return who may watch as the node says it, in words."""
    found = [words(one) for one in WISHES if one == text]
    return found[0] if found else text


def question(table: door.TableStatus) -> str:
    """Return whether somebody may watch, as a question; empty if nobody asks."""
    if not table.asking or table.watching:
        return ""
    name = phrase(table.asking[0][1])
    return _("{name} would like to watch.").format(name=name)


class About(Means, frozen=True):
    """Open the dialog about somebody who would like to watch."""

    who: Who


@taker
def _about(model: Model, message: About) -> Change:
    return person.opened(model, message.who)


def _answer(key: str, *, allow: bool) -> Asks:
    return Asks(AnswerWatcher(allow, key), VERB)


def answers(table: door.TableStatus) -> list[widgets.Item]:
    """Return the buttons that answer it."""
    if not question(table):
        return []
    key = table.asking[0][0]
    return [
        (f"allow:{key}", _("Allow"), Tone.PLAIN, True, _answer(key, allow=True)),
        (f"refuse:{key}", _("Refuse"), Tone.PLAIN, True, _answer(key, allow=False)),
    ]


def width(model: Model) -> int:
    """Return how wide the button with the bystanders is; 0 if there are none."""
    table, look = model.table, model.look
    if table is None or table.watching or not (table.asking or table.watchers):
        return 0
    return look.row + look.width(_count(table), look.body) + look.px(8)


def _number(table: door.TableStatus) -> int:
    return max(table.watched, len(table.watchers))


def _count(table: door.TableStatus) -> str:
    """Return how many watch, and whether more would like to."""
    return f"{_number(table) or ''}{'?' if table.asking else ''}"


def button(table: door.TableStatus, rect: Rect, look: Look) -> Node:
    """Return the button that opens the list of bystanders: an eye, and how many."""
    means = Opens(Over.WATCHERS)
    face = widgets.button(
        OPEN, rect, "", look, selected=bool(table.asking), means=means
    )
    side = look.row * 2 // 3
    spot = Rect(rect.x + look.px(7), rect.y + (rect.h - side) // 2, side, side)
    count = Rect(spot.right + look.px(5), rect.y, rect.right - spot.right, rect.h)
    words = _("Bystanders: {n}").format(n=_number(table))
    kids = (
        Node(Role.LABEL, "", spot, mark=Mark.EYE, fg=face.fg),
        label(count, _count(table), look, colour=face.fg),
    )
    return replace(face, value=words, kids=kids)


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog that lists who watches and who asks, and its drop-down."""
    look, table = model.look, model.table
    if table is None:
        return ()
    made = [_row(model, "", name, watches=True) for name in table.watchers]
    made += [_row(model, key, name, watches=False) for key, name in table.asking]

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        rule = foot.moved(0, -look.row - look.gap)
        space = Rect(room.x, room.y, room.w, rule.y - room.y - look.gap)
        left, right = columns(rule, [0.45, 0.55], look.gap)
        at = model.scrolls.get(LISTED, 0)
        close = ("close", _("Close"), Tone.MAIN, True, Closes())
        pitch = look.row + look.px(4)
        return (
            widgets.scroll(LISTED, space, made, pitch, look, offset=at),
            label(left, _("Who may watch"), look),
            widgets.choice(ADMISSION, right, words(table.bystanders), look),
            *widgets.flow(foot, look, [*lending.way(model, Tone.PLAIN), close]),
        )

    listed: list[tuple[str, Means]] = [
        (text, Asks(LetWatch(one), VERB))
        for one, text in zip(WISHES, wishes(), strict=True)
    ]
    inner = window.inset(look.px(10))
    # Whoever asks stands last, and is to be seen: rows for fingers are higher.
    high = min(len(made), MOST) * (look.row + look.px(4)) + 2 * (look.row + look.gap)
    size = look.px(540), max(look.px(300), widgets.around(high, look))
    title = _("Bystanders")
    face = widgets.dialog("watchers.box", inner, size, title, look, body)
    return face, *bar.open_list(model, window, (face,), {ADMISSION: listed})


def _row(model: Model, key: str, name: Words, *, watches: bool) -> widgets.Row:
    look = model.look

    def make(rect: Rect) -> Node:
        line = Rect(rect.x, rect.y, rect.w, look.row)
        yes, no = _("Allow"), _("End") if watches else _("Refuse")
        if (
            isinstance(name, Said) and name.code == Says.MORE_WATCH.name
        ):  # of a crowd a few are named
            return label(line, phrase(name), look)
        shown = [no] if watches else [yes, no, person.MORE]
        wides = [widgets.button_width(each, look) for each in shown]
        left, *spots = columns(line, [1, *wides], look.gap)
        text = phrase(name)
        text = text if watches else _("{name} would like to watch.").format(name=text)
        kids = [label(left, text, look)]
        if not watches:
            let = _answer(key, allow=True)
            kids.append(widgets.button(f"allow:{key}", spots[0], yes, look, means=let))
        plain = dict(name.values).get("name") if isinstance(name, Said) else name
        who = key or str(plain)  # without what is doubtful about it
        refuse = widgets.button(
            f"refuse:{who}", spots[0 if watches else 1], no, look,
            means=_answer(who, allow=False),
        )  # fmt: skip
        kids.append(refuse)
        if not watches:
            about = About(Who(key, phrase(name)))
            more = widgets.button(
                f"who:{key}",
                spots[-1],
                person.MORE,
                look,
                means=about,
                said=_("About this player"),
            )
            kids.append(more)
        return widgets.group(rect, kids)

    return make

"""The card of the start page with what was left: matches to go on with, and faults."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from msgspec.structs import replace

from client.app.clicks import Asks, taker
from client.app.model import Change, Model, ask, same, tell
from client.pages import bar, lending
from client.ui import typefaces, widgets
from client.ui.layout import columns, rows
from client.ui.scene import Align, Means, Node, Rect
from client.ui.texts import _, ngettext, phrase, sentence
from client.ui.theme import Look
from client.ui.widgets import Item, Tone, label
from netplay.messages import door
from netplay.messages.node_questions import PutAway
from netplay.messages.table_questions import TakeBack
from netplay.said import Said, Words
from netplay.sentences import Says
from netplay.text import phrases
from rules import GAMES

ASKED: Final = "resume"
"""What a wish to go on is remembered as: why it cannot be is said in the card."""

PROGRAM: Final = "program"
"""What the fault of a program at a seat is remembered as: it belongs to a page."""

NEWS: Final = frozenset({Says.UPDATED.name, Says.NEWS.name})
"""What the node goes on telling though nothing is wrong with it."""

ROWS: Final = 4
"""Seen at once; the rest is scrolled to."""


def height(model: Model, room: int) -> int:
    """Return how high the card is, 0 for none.

    Args:
        model: As it is.
        room: Pixels that it may take.
    """
    look, status = model.look, model.status
    # One fault at a time: what begins and goes on with games stays to be seen.
    count = len(faults(model)[:1]) + (0 if status is None else len(status.saved))
    if not count:
        return 0
    if bar.fault(model, ASKED):
        count += 2  # to say why
    above = look.px(58) + min(ROWS, count) * look.row
    if above <= room:
        return above
    # The heading stands at the side, but on a phone, where a row needs all its width.
    head = look.px(58 if look.held else 20)
    fit = (room - head) // look.row
    least = 2 if bar.fault(model, ASKED) else 1
    return head + max(least, min(ROWS, count, fit)) * look.row


def faults(model: Model) -> list[tuple[int, Said]]:
    """Return what is wrong at the node and was not put away, with its place there."""
    told = () if model.status is None else model.status.faults
    return [(i, one) for i, one in enumerate(told) if one not in model.put_away]


def more(wrongs: list[tuple[int, Said]]) -> str:
    """Return how many faults come after the one that is shown."""
    return f"+{len(wrongs) - 1}" if len(wrongs) > 1 else ""


def row_name(path: str) -> str:
    """Return the name of a match's row: the list changes by itself, and its file not.

    Without the folder, which is the same for all and may be long.
    """
    return f"saved:{PurePath(path).stem}"


def _cut(model: Model, rect: Rect, title: str) -> tuple[Rect, Rect]:
    """Return the heading's place, above the list or at its side, and the list's."""
    look = model.look
    inner = rect.inset(look.px(16), look.px(10))
    apart = inner.h >= look.px(38) + look.row and inner.h % look.row
    if look.held or apart:
        head = Rect(inner.x, inner.y, inner.w, look.px(26))
        return head, Rect(inner.x, head.bottom, inner.w, inner.bottom - head.bottom)
    wide = look.width(title, look.body, bold=True) + look.px(4)
    head, room = columns(inner, [max(2, wide), 1], look.gap)
    return Rect(head.x, head.y, head.w, look.row), room


def card(model: Model, rect: Rect) -> Node:
    """Return what is damaged, if anything is, and the matches that can go on."""
    look, status = model.look, model.status
    assert status is not None
    wrongs, saved = faults(model), status.saved
    title = _("Go on with") if saved else _("Something is wrong")
    if not saved and all(one.code in NEWS for _place, one in wrongs):
        title = _("News")
    head, room = _cut(model, rect, title)
    made = [
        lone(f"fault:{i}", phrase(fault), more(wrongs), look, Tone.DANGER,
             means=ReadFault(fault), edge=10)
        if look.held
        else widgets.row(f"fault:{i}", phrase(fault), look, right=more(wrongs),
                         tone=Tone.DANGER, means=ReadFault(fault))
        for i, fault in wrongs[:1]
    ]  # fmt: skip
    made += [  # one that was never audited is conspicuous
        widgets.row(row_name(path), phrase(words), look, right=ago(days),
                    tone=Tone.DANGER if unaudited(words) else Tone.PLAIN,
                    means=Asks(door.Load(path), ASKED))
        for path, words, days in saved
    ]  # fmt: skip
    offset = model.scrolls.get("saved", 0)
    room, told_ = wrong(model, room)
    return widgets.panel(
        rect, look,
        [
            label(head, title, look, size=look.body, bold=True),
            *told_,
            widgets.scroll("saved", room, made, look.row, look, offset=offset),
        ],
        name="saved.card",
    )  # fmt: skip


def lone(
    name: str, words: str, right: str, look: Look, tone: Tone, *, means: Means,
    edge: int = 6,
) -> widgets.Row:  # fmt: skip
    """Return a row with a text that may take two lines."""

    def make(rect: Rect) -> Node:
        room = rect.inset(look.px(edge), look.px(4))
        wide = look.width(right, look.small) + look.px(8) if right else 2
        left, far = columns(room, [1, wide])
        words_ = widgets.note(left, words, look, tone=tone)
        kids = [words_, label(far, right, look, size=look.small, align=Align.RIGHT)]
        return widgets.item(name, rect, words, kids, look, means)

    return make


def wrong(model: Model, room: Rect) -> tuple[Rect, list[Node]]:
    """Return why a match cannot go on, above the list, and the room that is left."""
    look, text = model.look, bar.fault(model, ASKED)
    if not text:
        return room, []
    wide = room.w - look.px(30)
    high = typefaces.height(text, look.small, wide)
    high = max(look.px(24), min(high, room.h - look.row))
    above, rest = rows(room, [high, 1], look.px(2))
    words = widgets.reading(
        "fault", Rect(above.x, above.y, wide, high), text, look, size=look.small,
        tone=Tone.DANGER, offset=model.scrolls.get("fault", 0),
    )  # fmt: skip
    return rest, [words, bar.dismissing(above, look)]


def unaudited(words: Words) -> bool:
    """Tell whether what is said of a match is that nobody has proved it."""
    return isinstance(words, Said) and words.code == Says.NOT_AUDITED.name


class ReadFault(Means, frozen=True):
    """Say a fault in full."""

    fault: Said


@taker
def _read(model: Model, message: ReadFault) -> Change:
    return _put_away(model, message.fault)


def _put_away(model: Model, fault: Said) -> Change:
    """Say a fault in full, once; no list has it any more, in other windows either."""
    said = tell(model, phrase(fault), bad=True)
    said = replace(said, put_away=model.put_away | {fault})
    return ask(said, PutAway(fault))


@taker
def _dismissed(model: Model, _message: bar.Dismiss) -> Change:
    return dismissed(model)


def dismissed(model: Model) -> Change:
    """Put away what went wrong, for good if it is what the node goes on telling."""
    text = "" if model.fault is None else model.fault.text
    for _place, fault in faults(model):
        if text == sentence(fault):
            model, effects = _put_away(model, fault)
            return replace(model, fault=None), effects
    return same(replace(model, fault=None))


def mended(model: Model, faults: Sequence[Said]) -> Model:
    """Say no longer what the node tells no more; if it comes again, it is told again.

    What the player has just read in full stays.
    """
    before = frozenset(model.status.faults if model.status else ())
    over = {sentence(one) for one in before.difference(faults, model.put_away)}
    if model.fault is not None and model.fault.text in over:
        model = replace(model, fault=None)
    return replace(model, put_away=model.put_away.intersection(faults))


def at_table(model: Model, before: door.TableStatus | None) -> Model:
    """Say on the page of a match that the program at one of its seats has failed.

    That it goes on once its players are here is said until then.

    Args:
        model: With the table as it is now.
        before: How the table was.
    """
    table, later = model.table, model.notice
    if later is not None and later.about == ASKED and before is not None and table:
        on = (before.phase, table.phase) == ("paused", "playing")
        model = replace(model, notice=None) if on else model
    if table is None or not table.match or model.fault is not None:
        return model
    for _place, fault in faults(model):
        at = str(dict(fault.values).get("table", ""))
        if fault.code == Says.PROGRAM_FAILED.name and at.startswith(f"{table.number} "):
            return tell(model, sentence(fault), bad=True, about=PROGRAM)
    return model


def ago(days: int) -> str:
    """Return how many days ago something was."""
    if days == 0:
        return _("today")
    return ngettext("{n} day ago", "{n} days ago", days).format(n=days)


# What was done here and is not delivered yet: what is said of it, and taking it back.
#
# A move that is made while the others are away stands on the board as if it were
# entered. It can be taken back as long as it has left this computer by no way.


BACK: Final = "made.back"


class Undo(Means, frozen=True):
    """Take a move back that is made and not delivered."""


@taker
def _undone(model: Model, _message: Undo) -> Change:
    return taken_back(model)


def waits(model: Model) -> bool:
    """Tell whether a move of the seat that is shown is made and not delivered."""
    table, match = model.table, model.match
    return table is not None and match is not None and match.seat in table.made.moves


def may_take_back(model: Model) -> bool:
    """Tell whether that move can be taken back."""
    table, match = model.table, model.match
    return table is not None and match is not None and match.seat in table.made.back


def buttons(model: Model) -> list[Item]:
    """Return the button that takes it back, if it can be."""
    if not may_take_back(model):
        return []
    return [(BACK, _("Take it back"), Tone.PLAIN, True, Undo())]


def taken_back(model: Model) -> Change:
    """Ask the node to take it back."""
    match = model.match
    if match is None or not may_take_back(model):
        return same(model)
    return ask(model, TakeBack(match.seat), "take-back")


def said(model: Model) -> str:
    """Return what is said of what waits, empty if nothing does."""
    table = model.table
    if table is None:
        return ""
    lines: list[str] = []
    if waits(model):
        lines += phrases.moves(table)
    elif absent := missed(model):
        if not GAMES[table.game].ABOUT.hz:  # else one's own well goes on, as is seen
            line = _("{who} is away: your move is kept, and delivered later.")
            lines.append(line.format(who=absent))
    elif held := phrases.held(table):
        lines.append(held)
    return "\n".join((*lines, *phrases.consents(table)))


def missed(model: Model) -> str:
    """Return who is away while the seat shown can move all the same."""
    table, match = model.table, model.match
    if table is None or match is None or table.phase != "playing":
        return ""
    known = table.waiting and not isinstance(table.waiting, Said)
    return phrases.away(table) if known and match.seat in table.turn else ""


def of_line(model: Model, line: door.Line) -> str:
    """Return what is said of a line that is at no other player's yet, and stays so.

    What was said while somebody is there is on its way, and soon heard.
    """
    table = model.table
    if table is None or line.number < table.made.lines:
        return ""
    there = any(seat.state == "connected" for seat in table.seats)
    others = any(
        seat.state in ("away", "blocked", "elsewhere") and not lending.mine(seat)
        for seat in table.seats
    )
    if there or not others:
        return ""
    return phrases.line(table, line.number)

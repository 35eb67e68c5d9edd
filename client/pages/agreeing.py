"""What players offer one another: a draw, to stop, to take back a turn, days off.

A button opens a dialog in which an offer is chosen; the others see it in the box with
the instructions, and buttons to answer it.
"""

from collections.abc import Iterable, Sequence
from typing import Final, get_args

from msgspec.structs import replace

from client.app.model import Change, Kind, Model, Over, ask, same
from client.ui import widgets
from client.ui.intents import Click, Intent, Key
from client.ui.scene import Node, Rect
from client.ui.texts import _
from client.ui.widgets import Item, Tone, label
from netplay.messages import door
from netplay.messages.log import What
from netplay.messages.table import Days
from netplay.messages.table_questions import AnswerOffer, MakeOffer, OfferStatus
from netplay.text import phrases
from netplay.text.phrases import DAY, lasting
from rules import GAMES

# Days to think: the host's choice, what is left of them, and the claim.


DAYS: Final = "days"
"""The drop-down with the choice."""

CLAIM: Final = "claim"
"""The button."""

WISHES: Final[tuple[Days, ...]] = get_args(Days)


def wishes() -> tuple[str, ...]:
    """Return what a host can choose, in the order of `WISHES`."""
    return tuple(map(day_words, WISHES))


def day_words(days: int) -> str:
    """Return so many days in words."""
    if not days:
        return _("no limit")
    return phrases.lasting(days * phrases.DAY)


def chosen(model: Model) -> int | None:
    """Return the days at the table that is agreed on; None where there can be none."""
    table, draft = model.table, model.draft
    if table is not None and not table.hosting:
        return None if GAMES[table.game].ABOUT.hz else table.thinking.days
    apart = any(seat.kind is Kind.REMOTE for seat in draft.seats)
    return draft.days if apart and not GAMES[draft.game].ABOUT.hz else None


def left(seconds: int) -> str:
    """Return the time that is left in words."""
    if seconds <= 0:
        return _("time is over")
    short = phrases.lasting(max(phrases.MINUTE, seconds))
    time = phrases.time_left(seconds) if seconds >= phrases.HOUR else short
    return _("{time} left").format(time=time)


def off(table: door.TableStatus) -> str:
    """Return who has days off, empty if nobody has."""
    seats = table.seats
    return " · ".join(
        absent((seats[seat].name, left) for seat, left in table.offers.off)
    )


def absent(off: Iterable[tuple[str, int]]) -> list[str]:
    """Return of each who has days off for how many seconds that is so, in words."""
    line = _("{name} has days off: {time}")
    return [
        line.format(name=name, time=phrases.lasting(max(60, seconds)))
        for name, seconds in off
    ]


def note(table: door.TableStatus) -> str:
    """Return who has days off, and how long the turn may yet take, if it is limited."""
    return " · ".join(filter(None, (off(table), _left(table))))


def _left(table: door.TableStatus) -> str:
    """Return how long the turn may yet take, or that it was claimed."""
    now = table.thinking
    if table.contested:
        return _("Won on time, contested")
    if now.claim == "made":
        won = now.ends and len(table.seats) == 2
        return _("Won on time, unanswered") if won else _("Claimed, unanswered")
    return "" if now.left is None else left(now.left)


def day_buttons(table: door.TableStatus) -> list[Item]:
    """Return the button that claims the turn, if it may be."""
    if table.thinking.claim != "may":
        return []
    now = table.thinking
    text = _("Claim the game") if now.ends else _("Let the turn pass")
    if not now.days and not now.ends:
        text = _("Say that tiles are withheld")
    return [(CLAIM, text, Tone.PLAIN, True)]


OPEN: Final = "agree"
"""The button that opens the dialog."""

YES: Final = "agree.yes"
NO: Final = "agree.no"
"""The buttons that answer an offer, or take one's own back."""

CHOSEN: Final = "agree.offer"
"""Begins the names of the dialog's buttons: what is offered, and the days."""

VERB: Final = "agree"
"""What a request is remembered as."""

SPANS: Final = (1, 2, 3, 5, 7, 14)
"""Days off that can be chosen."""


def mine(model: Model) -> list[What]:
    """Return what the seat that is shown may offer now."""
    table, match = model.table, model.match
    if table is None or match is None or len(table.seats) < 2:
        return []
    return [what for seat, what in table.offers.may if seat == match.seat]


def _standing(model: Model) -> list[OfferStatus]:
    """Return the offers that the players have yet to answer."""
    table = model.table
    if table is None or table.phase in ("over", "stopped"):
        return []
    return list(table.offers.standing)


def _asked(model: Model) -> list[OfferStatus]:
    """Return those that the seat that is shown has yet to answer."""
    match = model.match
    return [one for one in _standing(model) if match and match.seat in one.asked]


def _own(model: Model) -> list[OfferStatus]:
    """Return those of the seat that is shown."""
    match = model.match
    return [one for one in _standing(model) if match and one.seat == match.seat]


def buttons(model: Model) -> list[Item]:
    """Return the buttons: to answer what is offered, else to offer something."""
    if model.match is None or model.match.covered:
        return []
    asked, own = _asked(model), _own(model)
    if asked:
        return [
            (YES, _("Accept"), Tone.MAIN, True),
            (NO, _("Decline"), Tone.PLAIN, True),
        ]
    if own:
        return [(NO, _("Withdraw"), Tone.PLAIN, True)]
    return [(OPEN, _("Offer…"), Tone.PLAIN, True)] if mine(model) else []


def said(model: Model) -> str:
    """Return what is offered, in words; how the players have ended it, if they have."""
    table, match = model.table, model.match
    if table is None or match is None:
        return ""
    if how := ended(table):
        return how
    names = model.names
    told = [_offered(one, names[one.seat]) for one in _asked(model)]
    for one in _own(model):
        waits = ", ".join(names[seat] for seat in one.asked)
        line = _("You offer: {what}. Yet to answer: {names}")
        told.append(line.format(what=_title(one.what, one.days), names=waits))
    return "\n".join(told)


def told(model: Model, before: str) -> str:
    """Return what the box says of the match, with what is offered before it."""
    words, table = said(model), model.table
    if table is not None and table.offers.ended:
        return words
    return f"{words}\n{before}" if words else before


def ended(table: door.TableStatus) -> str:
    """Return how the players have ended a match, empty if they have not."""
    words = {
        "draw": _("You have agreed to a draw."),
        "stop": _("You have agreed to stop here: nobody has won."),
    }
    return words.get(table.offers.ended, "")


def headline(table: door.TableStatus) -> str:
    """Return the same in a word or two."""
    names = {"draw": _("A draw"), "stop": _("Stopped together")}
    return names.get(table.offers.ended, "")


def _offered(one: OfferStatus, name: str) -> str:
    line = {
        "draw": _("{name} offers a draw."),
        "stop": _("{name} would like to stop here, without a winner."),
        "back": _("{name} would like to take back a turn."),
        "days": _("{name} asks for days off: {time}."),
    }[one.what]
    return line.format(name=name, time=lasting(one.days * DAY))


def _title(what: What, count: int = 0) -> str:
    words = {
        "draw": _("A draw"),
        "stop": _("Stop together"),
        "back": _("Take back my turn"),
        "days": _("Days off: {time}"),
    }[what]
    return words.format(time=day_words(count))


def clicked(model: Model, name: str) -> Change | None:
    """React to a button about offers on the page; None if it is none."""
    if name == OPEN:
        return replace(model, over=Over.AGREE, open=""), ()
    found, match = _asked(model) or _own(model), model.match
    if name in (YES, NO) and found and match is not None:
        return ask(model, AnswerOffer(match.seat, name == YES, found[0].head), VERB)
    return None


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look, may = model.look, mine(model)
    made: list[Item] = [
        (f"{CHOSEN}:{what}", _title(what), Tone.PLAIN, model.linked)
        for what in may
        if what != "days"
    ]
    if "days" in may:
        made += [
            (f"{CHOSEN}:days:{n}", _title("days", n), Tone.PLAIN, model.linked)
            for n in SPANS
        ]

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        note = Rect(room.x, room.y, room.w, 3 * look.line)
        space = Rect(
            room.x, note.bottom, room.w, max(0, foot.y - note.bottom - look.gap)
        )
        words = _("It holds once all others have agreed, until somebody moves.")
        if "back" not in may:
            words += " " + _("Of a turn that drew or showed tiles nothing goes back.")
        close: list[Item] = [("close", _("Close"), Tone.MAIN, True)]
        return (
            label(note, words, look, wrap=True, tone=Tone.DIM),
            *widgets.flows(space, look, made),
            *widgets.flow(foot, look, close),
        )

    size = look.px(520), look.px(380 if "days" in may else 260)
    inner = window.inset(look.px(10))
    title = _("Offer the others")
    return (widgets.dialog("agree.box", inner, size, title, look, body),)


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    match intent:
        case Key(key="escape") | Click(name="close"):
            return replace(model, over=Over.NONE, open=""), ()
        case Click(name=name) if name.startswith(f"{CHOSEN}:"):
            return _chosen(model, name.removeprefix(f"{CHOSEN}:"))
        case _:
            return same(model)


def _chosen(model: Model, name: str) -> Change:
    """Offer what a button of the dialog says."""
    what, _colon, count = name.partition(":")
    may: dict[str, What] = {one: one for one in mine(model)}
    closed = replace(model, over=Over.NONE, open="")
    if what not in may or model.match is None:
        return same(closed)
    offer = MakeOffer(model.match.seat, may[what], int(count or "0"))
    return ask(closed, offer, VERB)

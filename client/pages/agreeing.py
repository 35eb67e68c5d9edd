"""What players offer one another: draw, stop, a turn taken back, days off, a rematch.

A button opens a dialog in which an offer is chosen; the others see it in the box with
the instructions, and buttons to answer it.
"""

from collections.abc import Iterable, Sequence
from typing import Final, get_args

from msgspec.structs import replace

from client.app import board
from client.app.clicks import Asks, Closes, Opens
from client.app.drafts import Kind
from client.app.model import Match, Model, Over, seen
from client.ui import typefaces, widgets
from client.ui.scene import Node, Rect
from client.ui.texts import _
from client.ui.widgets import Item, Tone, label
from netplay.messages import door, table_questions
from netplay.messages.log import What
from netplay.messages.table import Days
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
    table, draft = model.table, model.setup.draft
    if table is not None and not table.hosting:
        return None if GAMES[table.game].ABOUT.hz else table.thinking.days
    apart = any(seat.kind is Kind.REMOTE for seat in draft.seats)
    return draft.days if apart and not GAMES[draft.game].ABOUT.hz else None


def left(seconds: int) -> str:
    """Return the time that is left in words."""
    if seconds <= 0:
        return _("time is over")
    return _("{time} left").format(time=_span(seconds))


def _span(seconds: int) -> str:
    """Return how long something goes on yet, in words: minutes at the least."""
    if seconds >= phrases.HOUR:
        return phrases.time_left(seconds)
    return phrases.lasting(max(phrases.MINUTE, seconds))


def off(table: door.TableStatus) -> str:
    """Return who has days off, empty if nobody has."""
    seats = table.seats
    return " · ".join(
        absent((seats[seat].name, left) for seat, left in table.offers.off)
    )


def absent(off: Iterable[tuple[str, int]]) -> list[str]:
    """Return of each who has days off for how many seconds that is so, in words."""
    line = _("{name} has days off: {time}")
    return [line.format(name=name, time=_span(seconds)) for name, seconds in off]


def note(table: door.TableStatus) -> str:
    """Return who has days off, and how long the turn may yet take, if it is limited."""
    now = table.thinking
    turn = "" if now.left is None else left(now.left)
    if table.contested:
        turn = _("Won on time, contested")
    elif now.claim == "made":
        won = now.ends and len(table.seats) == 2
        turn = _("Won on time, unanswered") if won else _("Claimed, unanswered")
    return " · ".join(filter(None, (off(table), turn)))


def day_buttons(table: door.TableStatus) -> list[Item]:
    """Return the button that claims the turn, if it may be."""
    if table.thinking.claim != "may":
        return []
    now = table.thinking
    text = _("Claim the game") if now.ends else _("Let the turn pass")
    if not now.days and not now.ends:
        text = _("Say that tiles are withheld")
    return [(CLAIM, text, Tone.PLAIN, True, Asks(table_questions.ClaimTime(), "claim"))]


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
    """Return what the seat that is shown may offer now.

    Computers stop with whoever leaves: only a person is asked for that.
    """
    table, match = model.table, model.match
    if table is None or match is None or len(table.seats) < 2:
        return []
    may = [what for seat, what in table.offers.may if seat == match.seat]
    others = [seat for i, seat in enumerate(table.seats) if i != match.seat]
    if all(seat.kind == "computer" or seat.program for seat in others):
        return [what for what in may if what != "stop"]
    return may


def _standing(model: Model) -> list[table_questions.OfferStatus]:
    """Return the offers that the players have yet to answer."""
    table = model.table
    if table is None or table.phase in ("over", "stopped"):
        return []
    return list(table.offers.standing)


def _asked(model: Model) -> list[table_questions.OfferStatus]:
    """Return those that the seat that is shown has yet to answer."""
    match = model.match
    return [one for one in _standing(model) if match and match.seat in one.asked]


def _own(model: Model) -> list[table_questions.OfferStatus]:
    """Return those of the seat that is shown."""
    match = model.match
    return [one for one in _standing(model) if match and one.seat == match.seat]


def buttons(model: Model) -> list[Item]:
    """Return the buttons: to answer what is offered, else to offer something."""
    if model.match is None or model.match.covered:
        return []
    asked, own, seat = _asked(model), _own(model), model.match.seat
    if asked:
        yes, no = (
            table_questions.AnswerOffer(seat, on, asked[0].head) for on in (True, False)
        )
        return [
            (YES, _("Accept"), Tone.PLAIN, True, Asks(yes, VERB)),
            (NO, _("Decline"), Tone.PLAIN, True, Asks(no, VERB)),
        ]
    if own:
        no = table_questions.AnswerOffer(seat, False, own[0].head)
        return [(NO, _("Withdraw"), Tone.PLAIN, True, Asks(no, VERB))]
    offer = (OPEN, _("Ask the others…"), Tone.PLAIN, True, Opens(Over.AGREE))
    return [offer] if mine(model) else []


def said(model: Model) -> str:
    """Return what is offered, in words; how the players have ended it, if they have."""
    table, match = model.table, model.match
    if table is None or match is None:
        return ""
    if how := ended(table):
        return how
    names = model.names
    lines = {
        "draw": _("{name} offers a draw."),
        "stop": _("{name} would like to stop here, without a winner."),
        "back": _("{name} would like to take back a turn."),
        "days": _("{name} asks for days off: {time}."),
    }
    told = [
        lines[one.what].format(name=names[one.seat], time=lasting(one.days * DAY))
        for one in _asked(model)
    ]
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


def _title(what: What, count: int = 0) -> str:
    words = {
        "draw": _("A draw"),
        "stop": _("Stop together"),
        "back": _("Take back my turn"),
        "days": _("Days off: {time}"),
    }[what]
    return words.format(time=day_words(count))


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look, may = model.look, mine(model)
    seat = model.match.seat if model.match else -1

    def button(name: str, what: What, days: int = 0) -> Item:
        offers = Asks(table_questions.MakeOffer(seat, what, days), VERB, closes=True)
        return name, _title(what, days), Tone.PLAIN, model.linked, offers

    made = [button(f"{CHOSEN}:{what}", what) for what in may if what != "days"]
    if "days" in may:
        made += [button(f"{CHOSEN}:days:{n}", "days", n) for n in SPANS]

    words = _(
        "It takes effect once everyone else agrees, and lapses with the next move."
    )
    drawn = model.table and GAMES[model.table.game].ABOUT.tiled is not None
    if drawn and "back" not in may:
        words += " " + _(
            "A turn in which tiles were drawn or shown cannot be taken back."
        )
    inner = window.inset(look.px(10))
    wide = min(look.px(520), inner.w)
    inside = widgets.inside(wide, look)
    told = max(3 * look.line, typefaces.height(words, look.body, inside) + look.gap)

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        note = Rect(room.x, room.y, room.w, told)
        space = Rect(
            room.x, note.bottom, room.w, max(0, foot.y - note.bottom - look.gap)
        )
        close: list[Item] = [("close", _("Close"), Tone.MAIN, True, Closes())]
        return (
            label(note, words, look, wrap=True, tone=Tone.DIM),
            *widgets.flows(space, look, made),
            *widgets.flow(foot, look, close),
        )

    few = look.px(380 if "days" in may else 260)
    high = told + 2 * look.gap + look.row
    high += widgets.flow_height(made, inside, look)
    size = wide, max(few, widgets.around(high, look))
    title = _("Offer the others")
    return (widgets.dialog("agree.box", inner, size, title, look, body),)


# How a match has ended, whoever has ended it.


def result(model: Model, table: door.TableStatus, match: Match) -> tuple[str, str]:
    """Return who has won, and by how much; and why the match is over."""
    title, why = headline(table) or _won(model, table, match), ended(table)
    if table.offers.ended == "draw":  # the title has said the rest
        why = _("By agreement.")
    recalled = board.find(match.game).TRAITS.recalled
    if not why:  # who ran out of time, if that has ended it
        gone = [seat for seat in table.seats if seat.state in ("late", "resigned")]
        late = ", ".join(seat.name for seat in gone if seat.state == "late")
        if late and len(gone) >= len(table.seats) - 1:
            why = _("{names}: out of time").format(names=late)
    if not why and recalled is not None:
        why = recalled.why(seen(model, replace(match, back=-1)))
    return title, why


def _won(model: Model, table: door.TableStatus, match: Match) -> str:
    """Return who has won, and by how much."""
    names, won = model.names, first(table)
    scored = GAMES[match.game].ABOUT.scored
    points = () if scored is None else scored.scores(match.state)
    if model.alone:
        return _("{n} points").format(n=points[0]) if points else _("The game is over")
    if len(won) > 1:
        if len(won) == len(names) and not points:
            return _("A draw")
        return _("A tie: {names}").format(names=", ".join(names[s] for s in won))
    others = [p for seat, p in enumerate(points) if seat not in won]
    ahead = points[won[0]] - max(others) if points and others else 0
    if list(table.persons) == won:
        return _("You win by {n}").format(n=ahead) if ahead > 0 else _("You win")
    name = names[won[0]]
    if ahead > 0:
        return _("{name} wins by {n}").format(name=name, n=ahead)
    return _("{name} wins").format(name=name)


def first(table: door.TableStatus) -> list[int]:
    """Return the seats that have won, several if they tie."""
    return [seat for seat, place in enumerate(table.places) if place == 1]


# A rematch.


def starts(table: door.TableStatus) -> str:
    """Return what goes on before the first move."""
    if GAMES[table.game].ABOUT.tiled is None:
        return _("The game is about to begin.")
    return _("The tiles are being mixed.")


def play_again(model: Model, table: door.TableStatus) -> str:
    """Return who would like a rematch, or why there can be none."""
    if model.guest and model.match is not None:
        name = table.seats[model.match.seat].browser or table.host
        return _("If {name} begins a rematch, you are in it.").format(name=name)
    if table.wished:
        # Only who gives the next game is told, and what others wish comes from there.
        return _("You have asked {name} for a rematch.").format(name=table.host)
    if table.rematch:
        return _("{names} would like a rematch.").format(names=", ".join(table.rematch))
    away = {s.name: None for s in table.seats if s.state == "away" and not s.lent}
    text = _("{names}: away. A rematch waits until all are here.")
    return "" if not away or table.watching else text.format(names=", ".join(away))

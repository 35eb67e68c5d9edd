"""The tables in hand: rows of the start page, and the way from one to the next."""

from client import widgets
from client.model import Change, Model, ask, same, tell
from client.texts import _, ngettext
from client.theme import Look
from client.widgets import Tone
from netplay.messages import door
from rules import GAMES

ROW = "in-hand"
"""Begins the names of the rows."""

OFFER = "offer"
"""Begins the names of the rows of tables to choose from."""

ASKED = "look-at"
"""What a wish to look at another table is remembered as."""


def listed(model: Model) -> tuple[door.GameStatus, ...]:
    """Return the tables in hand, those first that wait for the player."""
    return () if model.status is None else model.status.games


def others(model: Model) -> tuple[door.GameStatus, ...]:
    """Return the other tables that wait for the player."""
    here = 0 if model.table is None else model.table.number
    return tuple(one for one in listed(model) if one.yours and one.number != here)


def waiting(model: Model) -> int:
    """Return how many tables wait for the player, this one among them."""
    return sum(one.yours for one in listed(model))


def offered(model: Model) -> tuple[door.OpenStatus, ...]:
    """Return the tables at a host that was called, of which one is to be chosen."""
    return () if model.status is None else model.status.open


def rows(model: Model) -> list[widgets.Row]:
    """Return a row for each table to choose from, and for each in hand."""
    look = model.look
    chosen = [_offer(i, one, look) for i, one in enumerate(offered(model))]
    in_hand = enumerate(listed(model))
    return [*chosen, *(_row(f"{ROW}:{i}", one, look) for i, one in in_hand)]


def _offer(i: int, one: door.OpenStatus, look: Look) -> widgets.Row:
    """Return the row of a table at a host that was called."""
    words = _("Choose: {game} with {names}").format(
        game=_title(one.game), names=", ".join(one.players)
    )
    free = ngettext("{n} free", "{n} free", one.free).format(n=one.free)
    right = free if one.free else _("playing")
    return widgets.row(f"{OFFER}:{i}", words, look, right=right, tone=Tone.MAIN)


def _title(game: str) -> str:
    """Return what a game is called."""
    return GAMES[game].ABOUT.title if game in GAMES else game


def _row(name: str, one: door.GameStatus, look: Look) -> widgets.Row:
    """Return the row of a table: what, with whom, and whose turn it is."""
    title = _title(one.game)
    who = ", ".join(one.players)
    words = f"{title}: {who}" if title else who
    tone = Tone.MAIN if one.yours else Tone.PLAIN
    return widgets.row(name, words, look, right=_right(one), tone=tone)


def _right(one: door.GameStatus) -> str:
    """Return what stands at the right end of a row: what is to be known first."""
    parts: list[str] = []
    if one.unread:
        parts.append(ngettext("{n} new line", "{n} new lines", one.unread).format(
            n=one.unread))  # fmt: skip
    if one.undelivered:
        parts.append(_("not delivered yet"))
    if one.away:
        parts.append(_("away: {names}").format(names=", ".join(one.away)))
    turn = ", ".join(one.players[seat] for seat in one.turn)
    if one.yours and one.mode == "called":
        parts.append(_("you are called"))
    elif one.yours:
        parts.append(_("Your turn"))
    elif turn and one.phase in {"playing", "paused"}:
        parts.append(_("{name} to move").format(name=turn))
    else:
        parts.append(_(one.phase))
    return " · ".join(parts)


def picked(model: Model, head: str, index: int) -> Change | None:
    """Go to a table of the list, or choose one at a host; None for another row."""
    if head == OFFER:
        return ask(model, door.Choose(index), ASKED)
    if head != ROW:
        return None
    found = listed(model)
    if index >= len(found):
        return same(model)
    return ask(model, door.LookAt(found[index].number), ASKED)


def back(model: Model) -> Change:
    """Go to the list of games; nothing is left by that."""
    return ask(model, door.LookAt(0), ASKED)


def onward(model: Model) -> Change:
    """Go to the next table that waits for the player."""
    found = others(model)
    if not found:
        return same(tell(model, _("No other game waits for you.")))
    here = 0 if model.table is None else model.table.number
    later = [one for one in found if one.number > here]
    return ask(model, door.LookAt((later or found)[0].number), ASKED)

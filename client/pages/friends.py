"""The people one plays with: how they are, head to head, and a challenge by a click."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.app.model import (
    Change,
    Draft,
    Effect,
    Kind,
    Model,
    Page,
    SeatDraft,
    Store,
    Who,
    ask,
    same,
)
from client.app.settings import Rules
from client.pages import finished, host_terms, person
from client.ui import widgets
from client.ui.layout import columns, rows
from client.ui.scene import Align, Colour, Mark, Node, Rect, Role, Shape, mix
from client.ui.texts import _
from client.ui.widgets import Row, Tone, label
from netplay.messages import door
from netplay.messages.table_questions import GetFinished, records
from netplay.text import phrases
from rules import GAMES

ROW: Final = "friend"
CHALLENGE: Final = "challenge"
"""Begin the names of rows, and of their buttons."""

HIGH: Final = 56
"""Pixels of a row at 100 %."""

ROOMY: Final = 330
"""Pixels at 100 % from which on the games won are shown, too."""

KEPT: Final = 50
"""Friends of whom the rules of the last game are remembered."""


class Friend(Struct, frozen=True):
    """Somebody one has played with or called."""

    name: str
    key: str


def known(model: Model) -> list[Friend]:
    """Return the friends by their names, so that none moves away under the pointer."""
    found = model.status.friends if model.status else ()
    every = (Friend(name or "–", key) for name, key in found)
    return sorted(every, key=lambda one: (one.name.casefold(), one.key))


def told(model: Model, one: Friend) -> tuple[str, bool]:
    """Return how a friend is, in words, and whether the friend is awake."""
    status = model.status
    peers = [peer for peer in status.peers if peer.key == one.key] if status else []
    if any(peer.connected for peer in peers):
        games = status.games if status else ()
        playing = any(game.live and one.name in game.players for game in games)
        return (_("awake, plays with you") if playing else _("awake")), True
    since = max((peer.since for peer in peers), default=-1)
    lasting = phrases.lasting(since) if since >= 0 else ""
    return _("asleep for {time}").format(time=lasting) if lasting else _(
        "asleep"
    ), False


def counted(model: Model) -> dict[str, str]:
    """Return of each friend the games that one has won, and lost."""
    return {
        one.key: f"{one.won} : {one.lost}"
        for one in records(model.past.found)
        if one.won or one.lost or one.tied
    }


def listed(model: Model) -> list[Row]:
    """Return a row for each friend."""
    won = counted(model)
    return [
        _row(model, i, one, won.get(one.key, "")) for i, one in enumerate(known(model))
    ]


def _row(model: Model, i: int, one: Friend, won: str) -> Row:
    look, (words, awake) = model.look, told(model, one)

    def make(rect: Rect) -> Node:
        inner = rect.inset(look.px(2), look.px(4))
        text = _("Challenge")
        wide = widgets.button_width(text, look)
        scored = look.width("88 : 88", look.body, bold=True) + look.gap
        scored = scored if rect.w >= look.px(ROOMY) else 2
        tile, names, score, go = columns(inner, [inner.h, 1, scored, wide], look.gap)
        upper, lower = rows(names, [0.55, 0.45])
        high = min(go.h, look.row)
        spot = Rect(go.x, go.y + (go.h - high) // 2, go.w, high)
        kids = [
            *_tile(model, tile, one, awake=awake),
            label(upper, one.name, look, name=f"{ROW}.name{i}", bold=True),
            label(lower, words, look, size=look.small,
                  tone=Tone.GOOD if awake else Tone.DIM),
            *([label(score, won, look, bold=True, align=Align.CENTRE)]
              if scored > 2 else []),
            widgets.button(f"{CHALLENGE}:{i}", spot, text, look, enabled=model.linked),
        ]  # fmt: skip
        value = ", ".join(filter(None, (one.name, words, won)))
        return widgets.item(f"{ROW}:{i}", rect, value, kids, look)

    return make


def _tile(model: Model, rect: Rect, one: Friend, *, awake: bool) -> list[Node]:
    """Return a friend's letter, paler while asleep, with a disc or a ring at it."""
    look, theme = model.look, model.look.theme
    side = min(rect.w, rect.h) - look.px(4)
    spot = Rect(rect.x, rect.y + look.px(4), side, side)
    letter = next((c.upper() for c in one.name if c.isalnum()), "?")
    face = widgets.piece("", spot, letter, "", look)
    if not awake:
        pale: Colour = mix(theme.panel, theme.tile, 0.5)
        face = replace(face, bg=pale, fg=theme.dim)
    size = look.px(12)
    at = spot.right - size * 2 // 3, spot.y - size // 3
    disc = Node(
        Role.LABEL, "", Rect(*at, size, size),
        shape=Shape.ROUND, radius=size // 2, border=look.px(2), mark=Mark.NONE,
        bg=theme.good if awake else theme.panel,
        edge=theme.panel if awake else theme.dim,
    )  # fmt: skip
    return [face, disc]


# What is done.


def picked(model: Model, head: str, index: int) -> Change | None:
    """Challenge a friend, or tell of one; None for other rows."""
    found = known(model)
    if head not in {ROW, CHALLENGE} or index >= len(found):
        return None
    one = found[index]
    if head == ROW:
        return person.opened(model, Who(one.key, one.name, friend=True))
    return _challenged(model, one)


def _challenged(model: Model, one: Friend) -> Change:
    """Open a table for a friend, with game and rules of the last time.

    Who is asleep is asked all the same: the table is kept, and says so.
    """
    rules = dict(model.settings.rules).get(one.key) or Rules(_last(model, one))
    if rules.game not in GAMES:
        rules = Rules(model.draft.game)
    none = SeatDraft(skill=model.draft.seats[1].skill)
    mine = (seat.name for seat in model.draft.seats if seat.kind is Kind.PERSON)
    seats = (
        SeatDraft(Kind.PERSON, next(mine, "")),
        replace(none, kind=Kind.REMOTE, address=f"{one.key} {one.name}"),
        none, none,
    )  # fmt: skip
    draft = Draft(
        rules.game, seats, rules.options, rules.edition, rules.words,
        fairness=rules.fairness, days=rules.days,
    )  # fmt: skip
    model = replace(model, page=Page.TABLE, draft=draft)
    return host_terms.asked(model, draft.terms, "host")


def _last(model: Model, one: Friend) -> str:
    """Return the game that was played last with a friend, else the one chosen now."""
    for past in model.past.found:
        if any(friend.key == one.key for friend in past.friends):
            return past.game
    return model.draft.game


def remembered(model: Model, table: door.TableStatus) -> Change:
    """Remember by which rules a match begins with friends."""
    draft, own = model.draft, model.settings
    keys = [seat.key for seat in table.seats if seat.kind == "remote" and seat.key]
    if not (table.hosting and keys) or draft.game != table.game:
        return same(model)
    rules = Rules(
        draft.game,
        draft.options,
        draft.edition,
        draft.words,
        draft.fairness,
        draft.days,
    )
    rest = [each for each in own.rules if each[0] not in keys]
    kept = (*((key, rules) for key in keys), *rest)[:KEPT]
    if kept == own.rules:
        return same(model)
    return replace(model, settings=replace(own, rules=kept)), (Store(),)


def counting(change: Change) -> Change:
    """Ask how games with friends ended: at first, and when another is over."""
    model, effects = change
    status = model.status
    if model.page is not Page.START or status is None or not status.friends:
        return change
    over = sum(one.phase == "over" for one in status.games)
    if not model.linked or over == model.counted:
        return change
    more: tuple[Effect, ...]
    model, more = ask(replace(model, counted=over), GetFinished(), finished.HEADS)
    return model, (*effects, *more)

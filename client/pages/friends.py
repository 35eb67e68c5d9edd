"""The people one plays with: how they are, head to head, and a challenge by a click."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from client.app import options
from client.app.clicks import Asks, taker
from client.app.drafts import Draft, Kind, SeatDraft
from client.app.model import Change, Effect, Model, Page, Store, Who, ask, same
from client.app.settings import Rules
from client.pages import finished, host_terms, person, writing
from client.ui import typefaces, widgets
from client.ui.layout import columns, rows
from client.ui.scene import (
    Align,
    Colour,
    Mark,
    Means,
    Node,
    Rect,
    Role,
    Shape,
    Unfold,
    mix,
)
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Row, Tone, label
from netplay.messages import door
from netplay.messages.node_questions import Personal, Unblock
from netplay.messages.table_questions import GetFinished, records
from netplay.text import phrases
from rules import GAMES, LISTED, title_of

ROW: Final = "friend"
CHALLENGE: Final = "challenge"
ANOTHER: Final = "challenge.other"
WRITE: Final = "write"
UNBLOCK: Final = "unblock"
"""Begin the names of rows, and of their buttons, each with the friend's key.

The list changes by itself: what is pressed or has the keyboard must stay that friend.
"""

HIGH: Final = 56
"""Pixels of a row at 100 %."""

CARD: Final = 130
"""Pixels of a card of a phone's first page at 100 %, with the space round it."""

REACHED: Final = 58
"""Pixels of it that are for what asks: a thumb finds the button there."""

PEN: Final = "✎"
"""Stands for writing where the word has no room."""

PADDED: Final = 7
"""Pixels at each side of what stands on a button that has little room."""

NAMED: Final = 60
"""Pixels that a name has beside the tile at the least."""

ROOMY: Final = 330
"""Pixels at 100 % from which on the games won are shown, too."""

AT_END: Final = -2
"""Stands for the count of games that are over while the end of one is shown."""

KEPT: Final = 50
"""Friends of whom the rules of the last game are remembered."""


class Friend(Struct, frozen=True):
    """Somebody one has played with or called."""

    name: str
    key: str
    personal: Personal = Personal()
    blocked: bool = False
    """Is not heard here, and can be heard again."""
    last: str = ""
    """The game that was played with them last; empty if none is known."""


class TellOf(Means, frozen=True):
    """Open the dialog about a friend."""

    friend: Friend


class Challenge(Means, frozen=True):
    """Open a table of a game for a friend."""

    friend: Friend
    game: str


def known(model: Model) -> list[Friend]:
    """Return the friends by their names, so that none moves away under the pointer."""
    found = model.status.friends if model.status else ()
    noted = dict(model.status.personal) if model.status else {}
    games = set(GAMES)  # to ask it for one loads that game
    last = {
        friend.key: past.game
        for past in reversed(model.past.found)
        for friend in past.friends
        if past.game in games
    }
    last |= {k: r.game for k, r in reversed(model.settings.rules) if r.game in games}
    every = (
        Friend(name or "–", key, noted.get(key, Personal()), last=last.get(key, ""))
        for name, key in found
    )
    return sorted(every, key=lambda one: (one.name.casefold(), one.key))


def everybody(model: Model) -> list[Friend]:
    """Return the friends, and last who is blocked: that can be undone there, too."""
    found = model.status.blocked if model.status else ()
    shut = (Friend(name or "–", key, blocked=True) for name, key in found)
    return [*known(model), *shut]


def told(model: Model, one: Friend) -> tuple[str, bool]:
    """Return how a friend is, in words, and whether the friend is awake."""
    if one.blocked:
        return _("blocked"), False
    status = model.status
    peers = [peer for peer in status.peers if peer.key == one.key] if status else []
    if any(peer.connected for peer in peers):
        games = status.games if status else ()
        playing = any(game.live and one.key in game.keys for game in games)
        return (_("awake, plays with you") if playing else _("awake")), True
    before = dict(status.seen).get(one.key, -1) if status else -1
    since = max((peer.since for peer in peers), default=before)
    lasting = phrases.lasting(since) if since >= 0 else ""
    if not writing.called(model, one.key):
        last = _("last here {time} ago").format(time=lasting)
        return (last if lasting else _("may be awake")), False
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


def listed(
    model: Model, people: Sequence[Friend], outer: int
) -> tuple[list[Row], list[int]]:
    """Return a row for each friend, and how high each is in a list that is so wide.

    Results have a column once there are any.
    """
    won = counted(model)
    common = cache(partial(_common, model, people, won))
    every = [(one, won.get(one.key, "" if won else None)) for one in people]
    look = model.look
    wide = outer - look.px(8)  # there may be a scroll bar

    def high(one: Friend, scores: str | None) -> int:
        """Return how high a row is: more where name and words need more lines."""
        fitted = _fitted(model, one, wide, scores, common(wide))
        side, scored, *_faces, pressed = fitted
        rest = side + scored + sum(pressed) + (2 + len(pressed)) * look.gap
        room = wide - 2 * look.px(2) - rest
        below = room + (scored + look.gap if scored > 2 else 0)
        lines = _lines(model, one.name, told(model, one)[0], room, below)
        thumb = look.row + 2 * look.px(4) if look.thumb else 0
        return max(look.px(HIGH), thumb, sum(lines) + look.px(14))

    made = [_row(model, one, scores, common) for one, scores in every]
    return made, [high(*each) for each in every]


class Faces(NamedTuple):
    """What the buttons of all rows have in common, so that they stand in columns."""

    first: int = 0
    """How often their faces got shorter, for whoever needs that most."""
    widths: tuple[int, ...] = ()
    """Of the two buttons, at least."""


def _row(
    model: Model, one: Friend, won: str | None, common: Callable[[int], Faces]
) -> Row:
    look, (words, awake) = model.look, told(model, one)

    def make(rect: Rect) -> Node:
        inner = rect.inset(look.px(2), look.px(4))
        side, scored, mark, text, shown = _fitted(
            model, one, rect.w, won, common(rect.w)
        )
        tile, names, score, *places = columns(
            inner, [side, 1, scored, *shown], look.gap
        )
        wide = score.right - names.x if scored > 2 else names.w
        named, said = _lines(model, one.name, words, names.w, wide)
        long = look.width(words, look.small) > names.w
        short = max(named, said) <= look.px(22)
        share = 0.66 if short else named / (named + said)
        upper, lower = rows(names, [share, 1 - share])
        if long:  # below the score, or in two lines
            score = Rect(score.x, upper.y, score.w, upper.h)
            lower = Rect(lower.x, lower.y, wide, lower.h)
        tile = Rect(
            tile.x, tile.y + max(0, tile.h - side) // 2, side, min(side, tile.h)
        )
        high = min(inner.h, look.row)
        places = [Rect(o.x, o.y + (o.h - high) // 2, o.w, high) for o in places]
        who = Who(one.key, one.name, friend=True)
        # Bold, or on two small lines where it is long.
        face = widgets.note(
            upper, one.name, look, name=f"{ROW}.name:{one.key}", tone=Tone.PLAIN
        )
        fits = look.width(one.name, face.size, bold=True) <= upper.w
        whole = writing.face(model, one.key)
        unread = writing.written(model, one.key).unread
        kids = [
            *(tile_of(model, tile, one, awake=awake) if side > 2 else []),
            replace(face, bold=fits and not face.wrap),
            label(lower, words, look, size=look.small,
                  wrap=look.width(words, look.small) > lower.w,
                  tone=Tone.GOOD if awake else Tone.DIM),
            *([label(score, won or "", look, bold=True, align=Align.CENTRE)]
              if scored > 2 else []),
            *([widgets.button(f"{WRITE}:{one.key}", places[0], mark, look,
                              tone=Tone.MAIN if unread else Tone.PLAIN,
                              enabled=model.linked, means=writing.Write(who),
                              said=whole if mark != whole else "")]
              if mark else []),
            *(_proposing(model, one, places[-1], text) if text else []),
        ]  # fmt: skip
        value = ", ".join(filter(None, (one.name, words, won)))
        return widgets.item(f"{ROW}:{one.key}", rect, value, kids, look, TellOf(one))

    return make


def _lines(
    model: Model, name: str, words: str, wide: int, below: int
) -> tuple[int, int]:
    """Return how high a name is, and how high what is said below it."""
    look = model.look
    named = round(look.body * typefaces.LINE)
    if look.width(name, look.body) > wide:
        named = typefaces.height(name, look.small, wide)
    return named, typefaces.height(words, look.small, below)


def _unblocks(one: Friend) -> Asks:
    return Asks(Unblock(one.key), person.ASKED)


def _proposing(model: Model, one: Friend, rect: Rect, text: str) -> list[Node]:
    """Return the button that asks at once, and the one beside it with all games."""
    look, on = model.look, model.linked
    if one.blocked:
        return [widgets.button(f"{UNBLOCK}:{one.key}", rect, text, look, enabled=on,
                               means=_unblocks(one))]  # fmt: skip
    asks, more = columns(rect, [1, _arrow(look) - look.px(2)], look.px(2))
    face = widgets.button(
        f"{CHALLENGE}:{one.key}", asks, text, look, enabled=on,
        means=Challenge(one, _game(model, one)), said=_proposed(model, one),
    )  # fmt: skip
    return [face, _others(model, one, more)]


def _others(model: Model, one: Friend, rect: Rect, tone: Tone = Tone.PLAIN) -> Node:
    """Return the button that lists the games to ask a friend for."""
    name, said = f"{ANOTHER}:{one.key}", _("Another game with {name}")
    look, side = model.look, model.look.px(10)
    face = widgets.button(
        name, rect, "", look, tone=tone, enabled=model.linked, means=Unfold(name),
        said=said.format(name=one.name),
    )  # fmt: skip
    x, y = rect.centre
    spot = Rect(x - side // 2, y - side // 2, side, side)
    arrow = Node(Role.LABEL, "", spot, mark=Mark.DOWN, fg=face.fg)
    return replace(face, kids=(arrow,))


def _arrow(look: Look) -> int:
    """Return how much room that button takes beside the other."""
    return look.row if look.thumb else look.px(24)


def _proposed(model: Model, one: Friend) -> str:
    """Return in words what a click asks a friend for."""
    title = title_of(_game(model, one))
    words = _("Play {game} with {name}, same rules as last time")
    words = words if one.last else _("Play {game} with {name}")
    return words.format(game=title, name=one.name)


def _game(model: Model, one: Friend) -> str:
    """Return the game that one click asks for: of the last time, else chosen here."""
    return one.last or model.setup.draft.game


def asking(model: Model) -> dict[str, list[tuple[str, Means]]]:
    """Return the games to ask a friend for, that of one click first, if they show."""
    again = _("{game}, as last time")
    for one in known(model) if model.open.startswith(ANOTHER) else ():
        name, first = f"{ANOTHER}:{one.key}", _game(model, one)
        if name == model.open:
            games = sorted(LISTED, key=lambda game: game != first)
            words = {g: title_of(g) for g in games}
            words |= {one.last: again.format(game=words[one.last])} if one.last else {}
            return {name: [(words[g], Challenge(one, g)) for g in games]}
    return {}


def cards(model: Model) -> list[Row]:
    """Return rows of two friends, for a phone: a touch asks that friend to play."""
    won, every = counted(model), everybody(model)

    def row(pair: Sequence[Friend], rect: Rect) -> Node:
        gap = model.look.px(8)
        spots = zip(columns(rect.inset(0, gap // 2), [1, 1], gap), pair, strict=False)
        return widgets.group(
            rect, [_card(model, at, one, won.get(one.key, "")) for at, one in spots]
        )

    return [partial(row, every[at : at + 2]) for at in range(0, len(every), 2)]


def _card(model: Model, rect: Rect, one: Friend, won: str) -> Node:
    look, (words, awake) = model.look, told(model, one)
    side, high = look.px(44), look.px(REACHED)
    unread = writing.written(model, one.key).unread
    head = Rect(rect.x, rect.y, rect.w, rect.h - high)
    foot = Rect(rect.x + look.px(10), head.bottom, rect.w - look.px(10), high)
    left, room = columns(head.inset(look.px(10), look.px(8)), [side, 1], look.px(12))
    line = round(look.body * typefaces.LINE)
    upper, middle = rows(room, [line, 1])
    wide = look.width(won, look.body, bold=True) + look.px(4) if won else 2
    name, score = columns(upper, [1, wide])
    tile = Rect(left.x, left.y + (left.h - side) // 2, side, side)
    new = f"{PEN} {unread}" if unread else ""
    told_, fresh = columns(middle, [1, look.width(new, look.small) + look.px(4)])
    lower, more = columns(foot.inset(0, 1), [1, 2 if one.blocked else high])
    ask_ = _("Unblock") if one.blocked else _("Play {game}").format(
        game=title_of(_game(model, one))
    )  # fmt: skip
    whole = look.width(ask_, look.small, bold=True) <= lower.w
    asks_ = widgets.note(lower, ask_, look, size=look.small, tone=Tone.MAIN)
    kids = [
        *tile_of(model, tile, one, awake=awake),
        label(name, one.name, look, name=f"{ROW}.name:{one.key}", bold=True),
        label(score, won, look, bold=True, align=Align.RIGHT),
        widgets.note(told_ if new else middle, words, look, size=look.small,
                     tone=Tone.GOOD if awake else Tone.DIM),
        label(fresh, new, look, size=look.small, align=Align.RIGHT,
              colour=look.theme.latest),
        replace(asks_, bold=whole),
        *([] if one.blocked else [_others(model, one, more, Tone.QUIET)]),
    ]  # fmt: skip
    said = ask_ if one.blocked else _proposed(model, one)
    value = ", ".join(filter(None, (one.name, words, won, said)))
    name_ = UNBLOCK if one.blocked else CHALLENGE
    asks = Challenge(one, _game(model, one))
    means = _unblocks(one) if one.blocked else asks
    face = widgets.item(f"{name_}:{one.key}", rect, value, kids, look, means)
    return replace(widgets.edged(face, 10, look), enabled=model.linked)


SHORTER: Final = 4
"""How often that is needed for all alike before anything else of a row gives way."""

ALIKE: Final = 7
"""Up to which way a row has buttons as wide as those of the others."""


def _common(
    model: Model, people: Sequence[Friend], won: Mapping[str, str], outer: int
) -> Faces:
    """Return what the buttons have in common in rows that are so wide.

    A row that has no room for that, as of a very long name, is for itself.
    """
    found: list[tuple[Friend, tuple[Stage, ...]]] = []
    for one in people:
        if one.blocked:
            continue
        scores = won.get(one.key, "" if won else None)
        stages = _stages(model, one, outer, scores)
        if _first(model, one, outer, stages, Faces()) <= SHORTER:
            found.append((one, stages))
    common = Faces()
    for first in range(SHORTER + 1 if found else 0):
        pressed = (_pressed(model, one, each[first], Faces()) for one, each in found)
        common = Faces(first, tuple(map(max, zip(*pressed, strict=True))))
        if all(_first(model, one, outer, each, common) == first for one, each in found):
            break
    return common


class Stage(NamedTuple):
    """How a row may share its room."""

    tile: int
    results: int
    name: int
    """These three: pixels across."""
    faces: tuple[str, str]
    """What stands on the two buttons; empty for none."""
    tight: bool = False
    """They have little beside their faces."""


def _stages(
    model: Model, one: Friend, outer: int, won: str | None
) -> tuple[Stage, ...]:
    """Return how a row may share its room, from much to little.

    A face that has no room gets shorter; then the results go, then the tile; where one
    button alone has room, it is that for what is new.
    """
    look, unread = model.look, writing.written(model, one.key).unread
    title = title_of(_game(model, one))
    whole, ask = writing.face(model, one.key), _("Play {game}").format(game=title)
    pen = f"{PEN} {unread}" if unread else PEN
    if one.blocked:
        whole, pen, ask = "", "", _("Unblock")
    # Without room the game of that click stands first in the list beside it alone.
    short = ask if one.blocked else _("Play")
    name = max(look.px(NAMED), look.width(one.name, look.body, bold=True) + 2)
    said = look.width(told(model, one)[0], look.small) + 2
    # A long name stands on two small lines.
    words = (look.width(word, look.small) for word in one.name.split())
    least = max((look.px(NAMED), *words)) + 2
    tile = look.px(HIGH) - 2 * look.px(4)
    column_ = look.width("88 : 88", look.body, bold=True) + look.gap
    results = column_ if won is not None and outer >= look.px(ROOMY) else 2
    alone = ("", short) if one.blocked or not unread else (pen, "")
    beside = max(name, said - results)
    between = (whole, short) if unread else (pen, ask)
    return (
        Stage(tile, results, beside, (whole, ask)),
        Stage(tile, results, beside, (whole, ask), tight=True),
        Stage(tile, results, beside, between, tight=True),
        Stage(tile, results, beside, (pen, short), tight=True),
        Stage(tile, results, least, (pen, short), tight=True),
        Stage(tile, 2, max(name, said), (pen, short), tight=True),
        Stage(tile * 2 // 3, 2, max(name, said), (pen, short), tight=True),
        Stage(tile, 2, least, (pen, short), tight=True),
        Stage(tile * 2 // 3, 2, least, (pen, short), tight=True),
        Stage(2, 2, least, (pen, short), tight=True),
        Stage(2, 2, 0, alone, tight=True),
    )


def _first(
    model: Model, one: Friend, outer: int, stages: Sequence[Stage], common: Faces
) -> int:
    """Return the first of the ways to share its room for which a row has room."""
    look = model.look
    inner = outer - 2 * look.px(2)
    for at in range(common.first, len(stages) - 1):
        tile, results, name = stages[at][:3]
        pressed = _pressed(model, one, stages[at], common if at <= ALIKE else Faces())
        wide = sum(pressed) + len(pressed) * look.gap
        if tile + results + name + wide + 2 * look.gap <= inner:
            return at
    return len(stages) - 1


def _pressed(model: Model, one: Friend, stage: Stage, common: Faces) -> list[int]:
    """Return how wide the buttons are that have a face, with what is joined to them."""
    look = model.look
    least = common.widths or (0,) * len(stage.faces)
    wides = [widgets.button_width(face, look) for face in stage.faces]
    if stage.tight and not one.blocked:
        mark, text = stage.faces
        thin = (look.width(mark, look.body, bold=True), look.width(text, look.body))
        wides = [wide + 2 * look.px(PADDED) + 2 for wide in thin]
        wides = [max(wide, look.row) if look.thumb else wide for wide in wides]
    wides[1] += 0 if one.blocked else _arrow(look)
    return [
        max(wide, given)
        for wide, given, face in zip(wides, least, stage.faces, strict=True)
        if face
    ]


def _fitted(
    model: Model, one: Friend, outer: int, won: str | None, common: Faces
) -> tuple[int, int, str, str, list[int]]:
    """Return how wide tile and results are, what is on the buttons, how wide those."""
    common = Faces() if one.blocked else common
    stages = _stages(model, one, outer, won)
    at = _first(model, one, outer, stages, common)
    tile, results, _name, (mark, text), _tight = stages[at]
    pressed = _pressed(model, one, stages[at], common if at <= ALIKE else Faces())
    return tile, results, mark, text, pressed


def tile_of(model: Model, rect: Rect, one: Friend, *, awake: bool) -> list[Node]:
    """Return a friend's tile, paler while asleep, with a disc or a ring at it."""
    look, theme = model.look, model.look.theme
    side = min(rect.w, rect.h) - look.px(4)
    spot = Rect(rect.x, rect.y + look.px(4), side, side)
    shown = person.face(look, spot, one.name, one.personal)
    if not awake:
        pale: Colour = mix(theme.panel, shown.bg or theme.tile, 0.4)
        shown = replace(shown, bg=pale, fg=widgets.ink(pale, look))
    size = look.px(12)
    at = spot.right - size * 2 // 3, spot.y - size // 3
    disc = Node(
        Role.LABEL, "", Rect(*at, size, size),
        shape=Shape.ROUND, radius=size // 2, border=look.px(2), mark=Mark.NONE,
        bg=theme.good if awake else theme.panel,
        edge=theme.panel if awake else theme.dim,
    )  # fmt: skip
    return [shown, disc]


# What is done.


@taker
def _told_of(model: Model, message: TellOf) -> Change:
    one = message.friend
    who = Who(one.key, one.name, friend=not one.blocked, blocked=one.blocked)
    return person.opened(model, who)


@taker
def _challenged(model: Model, message: Challenge) -> Change:
    """Open a table for a friend, with the rules of the last time if it is that game.

    Who is asleep is asked all the same: the table is kept, and says so.
    """
    one, game = message.friend, message.game
    rules = dict(model.settings.rules).get(one.key, Rules(game))
    if rules.game != game:
        rules = Rules(game)
    none = SeatDraft(skill=model.setup.draft.seats[1].skill)
    mine = (seat.name for seat in model.setup.draft.seats if seat.kind is Kind.PERSON)
    seats = (
        SeatDraft(Kind.PERSON, next(mine, "")),
        replace(none, kind=Kind.REMOTE, address=f"{one.key} {one.name}"),
        none, none,
    )  # fmt: skip
    draft = Draft(
        rules.game, seats, rules.options, rules.edition, rules.words,
        fairness=rules.fairness, days=rules.days,
    )  # fmt: skip
    own = replace(model.setup, draft=draft, here=model.setup.draft)
    model = replace(model, page=Page.TABLE, setup=own)
    return host_terms.asked(model, draft.terms, "host")


def remembered(model: Model, table: door.TableStatus) -> Change:
    """Remember by which rules a match begins with friends, whoever has opened it."""
    own = model.settings
    keys = [seat.key for seat in table.seats if seat.kind == "remote" and seat.key]
    if table.watching or not keys:
        return same(model)
    # What only the friend has, has no name here that would open another table.
    rules = Rules(
        table.game,
        options.chosen(table.game, options.agreed(table.game, table.options)),
        table.edition if table.edition in model.edition_names else "",
        table.lexicon if table.lexicon in model.list_names else "",
        host_terms.wished(table),
        table.thinking.days,
    )
    rest = [each for each in own.rules if each[0] not in keys]
    kept = (*((key, rules) for key in keys), *rest)[:KEPT]
    if kept == own.rules:
        return same(model)
    return replace(model, settings=replace(own, rules=kept)), (Store(),)


def counting(change: Change) -> Change:
    """Ask how games ended: at first, and when another is over."""
    model, effects = change
    status, table = model.status, model.table
    if not model.linked or model.guest:  # how other games ended is its host's to know
        return change
    if model.phase == "over":  # it may be gone from the list before that is shown
        if table is None or model.start.counted == AT_END:
            return change
        model = replace(model, start=replace(model.start, counted=AT_END))
        if not any(seat.kind == "remote" and seat.key for seat in table.seats):
            return model, effects
        # The card of the result tells how it stands against each: also in the first
        # game with somebody, and where games follow each other without the start page.
        model, asks = ask(model, GetFinished(), finished.HEADS)
        return model, (*effects, *asks)
    if model.start.counted == AT_END:
        model = replace(model, start=replace(model.start, counted=-1))
        change = model, effects
    over = sum(one.phase == "over" for one in status.games) if status else 0
    if model.page is not Page.START or status is None or over == model.start.counted:
        return change
    more: tuple[Effect, ...]
    model = replace(model, start=replace(model.start, counted=over))
    model, more = ask(model, GetFinished(), finished.HEADS)
    return model, (*effects, *more)

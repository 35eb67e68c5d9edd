"""The page to start from: here, nearby, by address; and matches that can go on."""

from functools import partial
from typing import Final

from msgspec.structs import replace

from client.app import browsing
from client.app.clicks import Asks, taker, taker_of_second
from client.app.drafts import Draft, Kind, SeatDraft
from client.app.model import (
    Change,
    Give,
    Model,
    Over,
    Page,
    Store,
    ToFront,
    ask,
    drafted,
    edit_of,
    same,
    tell,
    with_edit,
)
from client.pages import (
    bar,
    finished,
    friends,
    games,
    here,
    host_terms,
    inviting,
    link_offer,
    nearby,
    question,
    unfinished,
)
from client.ui import hand, widgets
from client.ui import widgets as tabs
from client.ui.intents import Intent, Slide
from client.ui.layout import columns, rows
from client.ui.scene import Align, Means, Node, Rect, Role, Shape, find, mix
from client.ui.texts import _, ngettext, phrase
from client.ui.theme import TABLET, Look
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.door import Clicked
from netplay.messages.node_questions import GetInvitation, Shown
from netplay.messages.table_questions import GameStatus, WatchAt
from rules import GAMES, LISTED

# The card that leads the start page: every game in hand, those that wait first.
#
# Each row has a picture of the board as it stands now, who plays, whose turn it is and
# since when, and whatever else is to be known before one opens it.


LIST: Final = "in-hand.list"
"""The list, and how far it is scrolled."""

OWN: Final = "in-hand.own"
"""Begins the names of texts with players' own words."""

HEADING: Final = 24
"""Pixels of a section's name at 100 %."""

PITCH: Final = 68
MOST: Final = 112
"""Pixels of a row at 100 %: few games have larger pictures."""

KEPT: Final = 48
"""Those of a row without a picture, whose text may take two lines."""

WORDS: Final = 58
"""Pixels of a row's three lines at 100 %."""


class ToCard(Means, frozen=True):
    """Show another way to begin."""

    number: int


def card(model: Model, rect: Rect) -> Node:
    """Return the card."""
    look, status = model.look, model.status
    assert status is not None  # it has games
    inner = rect.inset(look.px(12), look.px(10))
    head, room = rows(inner, [look.row, 1], look.px(4))
    title = _("Your games")
    room, wrong = unfinished.wrong(model, room)
    made = _rows(model)
    fixed = [look.px(high) for _row, high in made if high]
    spare = (room.h - sum(fixed)) // max(1, len(made) - len(fixed))
    pitch = max(look.px(PITCH), min(look.px(MOST), spare))
    listed = widgets.scroll(
        LIST, room, [row for row, _high in made], pitch, look,
        offset=model.scrolls.get(LIST, 0),
        heights=[look.px(high) if high else pitch for _row, high in made],
    )  # fmt: skip
    text = _("History")
    head, right = columns(head, [1, widgets.button_width(text, look)], look.gap)
    return widgets.panel(
        rect, look,
        [
            label(head, title, look, size=look.head, bold=True),
            *_beside(model, head, title),
            widgets.button(
                "finished", right, text, look, tone=Tone.QUIET, means=bar.History()
            ),
            *wrong,
            listed,
        ],
        name="in-hand.card",
    )  # fmt: skip


def _beside(model: Model, head: Rect, title: str) -> list[Node]:
    """Return what stands beside the title.

    Where there are many games, the field to look for some in. Else on a phone, whose
    bar has no room for it, how many games wait.
    """
    look, waits = model.look, games.waiting(model)
    left = look.width(title, look.head, bold=True) + look.px(16)
    rest = Rect(head.x + left, head.y, head.w - left, head.h)
    if games.filtered(model):
        wide = min(rest.w, look.px(220))
        field = Rect(rest.right - wide, rest.y, wide, rest.h)
        edit, hint = edit_of(model, games.FILTER), _("game or friend")
        return [widgets.entry(games.FILTER, field, edit, look, hint=hint)]
    words = ngettext("{n} game waits for you", "{n} games wait for you", waits)
    text = words.format(n=waits)
    fits = look.width(text, look.body, bold=True) <= rest.w
    if not (look.held and waits and fits):
        return []
    return [label(rest, text, look, name="in-hand.waiting", bold=True,
                  align=Align.RIGHT, colour=look.theme.latest)]  # fmt: skip


def _rows(model: Model) -> list[tuple[widgets.Row, int]]:
    """Return what went wrong, tables to choose, games in hand, and those put away.

    On a phone the finished games are one row, and friends stand below.  Beside each row
    how many pixels at 100 % it needs; 0 where it is as high as there is room for.
    """
    look, status = model.look, model.status
    assert status is not None  # it has games
    wrongs = unfinished.faults(model)
    more = unfinished.more(wrongs)
    lone, kept = unfinished.lone, unfinished.ASKED
    made = [  # one at a time: the games stay to be seen
        (lone(f"fault:{i}", phrase(fault), more, look, Tone.DANGER,
              means=unfinished.ReadFault(fault)), 0)
        for i, fault in wrongs[:1]
    ]  # fmt: skip
    made += [
        (lone(f"{games.OFFER}:{i}", *games.offer_words(one), look, Tone.MAIN,
              means=games.Look(door.Choose(i))), 0)
        for i, one in enumerate(status.open)
    ]  # fmt: skip
    last, found = -1, games.shown(model)
    if games.filtered(model) and not found:
        text, dim = _("No game has these words."), Tone.DIM
        none = partial(label, text=text, look=look, name="in-hand.none", tone=dim)
        made.append((none, HEADING))
    folds = look.held and not model.scrolls.get(games.FOLD, 0)
    for one in found:
        if (section := games.section(model, one)) != last:
            name = _heading(games.heading(section), look)
            ended = section == games.ENDED and look.held
            made.append(
                (games.folded(model, found), games.FOLDED) if ended else (name, HEADING)
            )
            last = section
        if not (folds and section == games.ENDED and not games.besides(one)):
            made.append((_game(model, one), 0))
    late = [] if folds and found else finished.late(model)
    if late and last != games.ENDED:
        made.append((_heading(games.heading(games.ENDED), look), HEADING))
    made += [(row, finished.PITCH) for row in late]
    if status.saved:
        made.append((_heading(_("Go on with"), look), HEADING))
    made += [  # a match that was never audited is conspicuous
        (lone(unfinished.row_name(path), phrase(words), unfinished.ago(days), look,
              Tone.DANGER if unfinished.unaudited(words) else Tone.PLAIN,
              means=Asks(door.Load(path), kept)), KEPT)
        for path, words, days in status.saved
    ]  # fmt: skip
    if look.held and status.friends:
        made.append((_heading(_("Friends"), look), HEADING))
        made += [(pair, friends.CARD) for pair in friends.cards(model)]
    return made


def _heading(text: str, look: Look) -> widgets.Row:
    """Return the name of a section, and a line to the end of the row."""

    def make(rect: Rect) -> Node:
        wide = look.width(text, look.small, bold=True) + look.px(10)
        left, rest = columns(rect.inset(look.px(4), 0), [wide, 1])
        middle = rest.y + rest.h // 2
        line = Node(
            Role.LABEL, "", Rect(rest.x, middle, rest.w, 1), shape=Shape.RECT,
            bg=mix(look.theme.panel, look.theme.line, 0.4),
        )  # fmt: skip
        name = label(left, text, look, size=look.small, tone=Tone.DIM, bold=True)
        return widgets.group(rect, [name, line])

    return make


def _game(model: Model, one: GameStatus) -> widgets.Row:
    def make(rect: Rect) -> Node:
        look = model.look
        side = rect.h - look.px(8)
        spot = Rect(rect.x + look.px(4), rect.y + look.px(4), side, side)
        x = spot.right + look.px(10)
        room = Rect(x, spot.y, rect.right - x - look.px(6), side)
        board = here.picture(model, spot, one.game, look.px(6), one.match)
        kids = [board, *_words(model, one, room)]
        face = widgets.item(
            f"{games.ROW}:{one.table}",
            rect,
            games.spoken(model, one),
            kids,
            look,
            games.Look(door.LookAt(one.table)),
        )
        if one.live:
            edge = Rect(rect.x, rect.y + look.px(2), look.px(4), rect.h - look.px(4))
            mark = Node(Role.LABEL, "", edge, shape=Shape.RECT, bg=look.theme.latest)
            face = replace(face, kids=(*face.kids, mark))
        if not (one.mine or one.live):
            return face
        tint = mix(look.theme.panel, look.theme.accent, 0.08)
        return replace(face, shape=Shape.ROUND, radius=look.px(8), bg=tint)

    return make


def _words(model: Model, one: GameStatus, room: Rect) -> list[Node]:
    """Return the texts of a row: who and whose turn; what and how long; what else."""
    look = model.look
    more = games.besides(one)
    high = min(room.h, look.px(WORDS)) * (3 if more else 2) // 3
    block = Rect(room.x, room.y + (room.h - high) // 2, room.w, high)
    first, second, *third = rows(block, [0.38, 0.31, 0.31] if more else [0.55, 0.45])
    turn = games.turn(one)
    wide = min(look.width(turn, look.body, bold=True) + look.px(10), room.w * 6 // 10)
    left, right = columns(first, [1, wide])
    attention = look.theme.latest
    won = one.result in ("won", "won on time")
    tone = Tone.GOOD if won else Tone.DIM
    who, what, at = games.who(one), games.what(model, one), one.table
    on = list[Node]()
    if look.held and one.live and one.mine and one.match:
        text = _("Play on")
        wide = widgets.button_width(text, look)
        spot = Rect(room.right - wide, first.bottom, wide, room.bottom - first.bottom)
        on.append(widgets.button(f"in-hand.on:{at}", spot, text, look, tone=Tone.MAIN,
                                 means=games.Look(door.LookAt(at))))  # fmt: skip
        cut = wide + look.gap
        second, *third = (Rect(r.x, r.y, r.w - cut, r.h) for r in (second, *third))
    if look.width(what, look.small) > second.w:
        what = games.what(model, one, short=True)
    kids = [
        *on,
        label(left, who, look, name=f"{OWN}:who{at}", bold=True),
        label(right, turn, look, name=f"{OWN}:turn{at}", bold=one.mine, tone=tone,
              align=Align.RIGHT, colour=attention if one.live or one.mine else None),
        label(second, what, look, size=look.small, tone=Tone.DIM),
    ]  # fmt: skip
    kids += [
        label(line, more, look, name=f"{OWN}:more{at}", size=look.small, tone=Tone.DIM,
              colour=attention if games.new(one) else None)
        for line in third
    ]  # fmt: skip
    return kids


ADDRESS: Final = link_offer.ADDRESS
INVITES: Final = "invite.to"
"""What it is remembered as that the node is told what to open for who is invited."""

INVITED: Final = link_offer.INVITED
"""Begins an invitation."""
RECENT: Final = 8
"""Addresses remembered."""


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the start page."""
    look = model.look
    head = bar.height(look)
    asked = question.strip(model)
    high = question.foot_height(asked, area.w, look) if asked else 0
    ways = look.px(72 if look.thumb else 58) if look.held else 0
    parts = [head, 1, max(high, bar.foot_height(look)), ways]
    top, rest, foot, low = rows(area, parts)
    note = _("Word and board games, straight from computer to computer")
    nodes = [bar.strip(model, top, "Netplay", note)]
    body = bar.body(rest, look)
    if look.held:
        # On a phone one card at a time, the games in hand first.
        strip = 0 if games.any_of(model) else unfinished.height(model, body.h // 4)
        gap = look.px(10)
        upper, lower = rows(body, [1, strip], gap) if strip else (body, body)
        shown = _shown(model)
        nodes.append((card if shown == IN_HAND else CARDS[shown])(model, upper))
        nodes += [unfinished.card(model, lower)] if strip else []
    else:
        nodes += _with_games(model, body) if games.any_of(model) else _bare(model, body)
    placed = any(find(one, "fault") is not None for one in nodes)
    silent = not bar.passing(replace(model, fault=None) if placed else model)[0]
    # Games that are not in the list yet: their files are being read.
    count = model.status.unopened if model.status and model.linked else 0
    unread = _("Your games are being read: {n} to go …").format(n=count)
    reading = unread if count else ""
    if asked and silent and not reading:
        nodes.append(question.foot(asked, foot, look))
    else:
        note = reading or host_terms.level_note(model)
        nodes.append(bar.foot(model, foot, note, placed=placed))
    if look.held:  # below what is asked, and so behind it for the keyboard
        nodes.append(_ways(model, low))
    lists: dict[str, list[tuple[str, Means]]] = {
        "game": [(listed.title, here.PickGame(one)) for one, listed in LISTED.items()],
        host_terms.LEVEL: [
            (text, host_terms.PlayAt(at))
            for at, text in enumerate(host_terms.level_items(model.setup.draft.game))
        ],
        **friends.asking(model),
    }
    return (*nodes, *bar.open_list(model, area, nodes, lists))


def _bare(model: Model, body: Rect) -> list[Node]:
    """Return the page without games in hand: three cards, and what was left below."""
    look = model.look
    # The card of the game here has most in it.
    wide = columns(bar.body(Rect(0, 0, *model.size), look), [1, 1, 1], look.px(12))[0].w
    text = bar.fault(model, *HERE, *inviting.FAR, *nearby.ASKED)
    head = look.px(24 + 26 + 4) + nearby.note_height(text, wide - look.px(32), look)
    least = head + 5 * look.row + 4 * look.gap + round(look.small * 1.4)
    strip = unfinished.height(model, body.h - least - look.px(10))
    upper, lower = rows(body, [1, strip], look.px(10)) if strip else (body, body)
    spots = _cards(upper, look)
    nodes = [card(model, spot) for card, spot in zip(CARDS, spots, strict=True)]
    return [*nodes, unfinished.card(model, lower)] if strip else nodes


def _with_games(model: Model, body: Rect) -> list[Node]:
    """Return the page that leads with the games in hand; new ones are at its side.

    It is the same before and after the first friend: there is enough that is new then.
    """
    look = model.look
    if body.w >= look.px(_THREE):
        left, middle, right = columns(body, [0.38, 0.31, 0.31], look.px(12))
        people, more = rows(middle, [0.5, 0.5], look.px(10))
        return [
            card(model, left),
            nearby.card(model, people),
            inviting.card(model, more),
            _here(model, right),
        ]
    left, right = columns(body, [0.57, 0.43], look.px(12))
    top, room = rows(right, [look.row, 1], look.px(6))
    known = model.status is not None and bool(model.status.friends)
    first = list(CARDS).index(nearby.card) if known else 0
    shown = model.scrolls.get(TABS, first) % IN_HAND
    return [
        card(model, left),
        tabs.tab_row(TABS, top, _begins(model), shown, look, means=ToCard),
        CARDS[shown](model, room),
    ]


def _begins(model: Model) -> tuple[str, str, str]:
    """Return what the cards are called where one is shown at a time."""
    found = len({one.key for one in model.status.nearby}) if model.status else 0
    near = _("Nearby")
    if model.status and model.status.friends:
        near, found = _("Friends"), 0
    return _("Here"), f"{near} ({found})" if found else near, _("Invite")


def _shown(model: Model) -> int:
    """Return which card a phone shows."""
    shown = model.scrolls.get(TABS, IN_HAND)
    return shown if games.any_of(model) or shown < IN_HAND else 0


SIGNS: Final = {0: "▷", 1: "☺", 2: "+", 3: "▦"}
"""Over the names of the cards at the foot of a phone's page."""


def _ways(model: Model, rect: Rect) -> Node:
    """Return the ways from card to card at the foot of a phone's page."""
    look, shown = model.look, _shown(model)
    titles = dict(enumerate(_begins(model)))
    if games.any_of(model):
        titles = {IN_HAND: _("Games"), **titles}
    theme, kids = look.theme, list[Node]()
    for spot, (number, title) in zip(
        columns(rect, [1] * len(titles)), titles.items(), strict=True
    ):
        here = number == shown
        ink = theme.accent if here else theme.text
        face = widgets.button(
            f"{TABS}:{number}", spot, "", look, tone=Tone.QUIET, means=ToCard(number)
        )
        sign, word = rows(spot.inset(0, look.px(8)), [0.55, 0.45])
        wide = look.px(34)
        mark = Rect(spot.centre[0] - wide // 2, spot.y, wide, look.px(3))
        parts = [
            label(sign, SIGNS[number], look, size=look.head, align=Align.CENTRE,
                  colour=ink),
            label(word, title, look, size=look.small, align=Align.CENTRE, bold=here,
                  colour=ink),
        ]  # fmt: skip
        if here:
            parts.append(Node(Role.LABEL, "", mark, shape=Shape.RECT, bg=theme.accent))
        kids.append(
            replace(face, role=Role.TAB, value=title, selected=here, kids=tuple(parts))
        )
    line = Node(
        Role.LABEL, "", Rect(rect.x, rect.y, rect.w, 1), shape=Shape.RECT,
        bg=mix(theme.ground, theme.line, 0.5),
    )  # fmt: skip
    back = Node(Role.LABEL, "", rect, shape=Shape.RECT, bg=theme.panel)
    return widgets.group(rect, [back, line, *kids], name=TABS)


_THREE: Final = 1180
"""Pixels at 100 % from which on all cards stand beside the games in hand."""

_SIDE: Final = 620
"""Pixels at 100 % that the cards with friends are wide at most; the games grow."""


def _cards(room: Rect, look: Look) -> tuple[Rect, ...]:
    """Return where the three cards stand: the games' one larger, where it may be."""
    gap = look.px(12)
    if room.h > room.w and room.h >= look.px(TABLET):
        upper, lower = rows(room, [0.58, 0.42], gap)
        return upper, *columns(lower, [1, 1], gap)
    if not here.roomy(room, look):
        return columns(room, [1, 1, 1], gap)
    side = min(room.w * 38 // 100, look.px(_SIDE))
    left, right = columns(room, [1, side], gap)
    return left, *rows(right, [0.42, 0.58], gap)


TABS: Final = "begin"
"""What to begin, beside the games in hand: the tabs' names, and which is chosen."""

HERE: Final = ("host", "host.start", "start")


def _here(model: Model, rect: Rect) -> Node:
    """Return the card with the games to play at this computer."""
    look = model.look
    room, kids = nearby.headed(
        model, rect, _("Here"), _("On this computer, against computer players."), HERE
    )
    if not bar.fault(model, *HERE):  # else its place is the button's that ends it
        kids += here.teaching(model, rect.inset(look.px(16), look.px(12)))
    kids += here.inside(model, room)
    return widgets.panel(rect, look, kids, name="here")


CARDS: Final = (_here, nearby.card, inviting.card)
"""The ways to begin, in the order in which they stand."""

IN_HAND: Final = len(CARDS)
"""The number of the games in hand, where they are shown one card at a time."""


def invited(model: Model, line: str) -> Model:
    """Return the model with an invitation that was opened, to be joined by Enter.

    Only shown: who clicks a line somewhere has not yet said that anybody is called.
    """
    far = {**model.scrolls, TABS: list(CARDS).index(inviting.card)}
    model = with_edit(model, ADDRESS, hand.of(line))
    model = replace(model, scrolls=far, focus="join.address")
    return tell(
        model, _("This is an invitation. Join the table if you know who sent it.")
    )


def handle(model: Model, intent: Intent) -> Change | None:
    """React to the start page's own intents."""
    match intent:
        case Slide(name="skill", at=at):
            foe = replace(
                model.setup.draft.seats[1], skill=round(at * 100), custom=True
            )
            return _with_skill(model, foe), ()
        case _:
            return None


def submit(model: Model, name: str) -> Change:
    """React to Enter in a field."""
    return _joined(model, inviting.JoinThere()) if name == ADDRESS else same(model)


@taker
def _joined(model: Model, message: inviting.JoinThere) -> Change:
    address = link_offer.typed(model, ADDRESS)
    if not address:
        return same(model)
    place = address.partition(" ")[0]
    question = WatchAt(place) if message.watch else door.Join(place)
    model, effects = ask(remember(model, address), question, "join")
    return model, (*effects, Store())


@taker
def _waited(model: Model, _message: inviting.Wait) -> Change:
    """Wait to be called, or no more; or stop calling."""
    if model.status is not None and model.status.mode == inviting.CALLING:
        return ask(model, door.LeaveTable(), "left")
    on = not inviting.waits(model)
    return ask(model, door.Answer(on, asks=on), "answer")


def _with_skill(model: Model, foe: SeatDraft) -> Model:
    """Let all computer players here play as well as one does."""
    skill, custom = foe.skill, foe.custom
    seats = tuple(
        replace(s, skill=skill, custom=custom) for s in model.setup.draft.seats
    )
    return drafted(model, replace(model.setup.draft, seats=seats))


@taker
def _turned(model: Model, message: ToCard) -> Change:
    return replace(model, scrolls={**model.scrolls, TABS: message.number}), ()


@taker
def _levelled(model: Model, message: host_terms.PlayAt) -> Change:
    foe = host_terms.level_picked(model.setup.draft.seats[1], message.index)
    return _with_skill(model, foe), ()


def _me(draft: Draft) -> SeatDraft:
    """Return the seat of the person at this window, whichever it had at last."""
    mine = (seat.name for seat in draft.seats if seat.kind is Kind.PERSON)
    return SeatDraft(Kind.PERSON, next(mine, ""))


def _seats(draft: Draft, rivals: int) -> tuple[SeatDraft, ...]:
    none = SeatDraft(skill=draft.seats[1].skill, custom=draft.seats[1].custom)
    foe = replace(none, kind=Kind.COMPUTER)
    return (_me(draft), *[foe] * rivals, *[none] * (3 - rivals))


@taker
def _begun(  # noqa: PLR0911 (one a button)
    model: Model, message: here.Control
) -> Change:
    match message:
        case here.PickGame(game=game):
            draft = model.setup.draft
            # How many opponents to offer for a game: as many as before, if chosen.
            fits, rivals = GAMES[game].ABOUT.seats, here.opponents(model)
            if rivals == GAMES[draft.game].ABOUT.usual - 1:
                rivals = GAMES[game].ABOUT.usual - 1
            seats = _seats(draft, max(min(rivals, fits[-1] - 1), fits[0] - 1))
            fresh = draft
            if game != draft.game:  # else its rules and words have been chosen
                fresh = replace(draft, game=game, options=(), edition="", words="")
            own = replace(model.setup, draft=replace(fresh, seats=seats))
            return replace(model, setup=own, open=""), ()
        case here.Rivals(count=count):
            seats = _seats(model.setup.draft, count)
            return drafted(model, replace(model.setup.draft, seats=seats)), ()
        case here.PlayNow():
            seats = _seats(model.setup.draft, here.opponents(model))
            draft = host_terms.with_hints(replace(model.setup.draft, seats=seats))
            model = drafted(model, draft)
            return host_terms.asked(model, model.setup.draft.terms, "host.start")
        case here.Teach(game=game):
            from client.pages import learn  # noqa: PLC0415 (late, as in `screen`)

            return learn.opened(model, game or model.setup.draft.game)
        case here.ToPuzzles():
            from client.pages import learn  # noqa: PLC0415 (late, as in `screen`)

            return learn.puzzle_opened(model, model.setup.draft.game)
        case here.SetUp():
            model = drafted(model, host_terms.with_hints(model.setup.draft))
            model = replace(model, page=Page.TABLE)
            return host_terms.asked(model, model.setup.draft.terms, "host")
        case here.ShowDemo():
            draft = model.setup.draft
            fits = GAMES[draft.game].ABOUT.seats
            count = max(fits[0], min(fits[-1], max(2, here.opponents(model) + 1)))
            foe = SeatDraft(Kind.COMPUTER, skill=draft.seats[1].skill)
            terms = replace(draft, seats=(foe,) * count).terms
            return host_terms.asked(model, terms, "host.start")


@taker
def _near(
    model: Model, message: nearby.Near | nearby.JoinNear | nearby.OpenTable
) -> Change:
    match message:
        case nearby.Near(row=row):
            return replace(model, start=replace(model.start, chosen=row)), ()
        case nearby.JoinNear():
            return _join_near(model)
        case nearby.OpenTable():
            return _open(model)


def _open(model: Model) -> Change:
    """Open a table for one person from elsewhere, as was chosen for games here."""
    draft = _for_two(model)
    own = replace(model.setup, draft=draft, here=model.setup.draft)
    model = replace(model, page=Page.TABLE, setup=own)
    return host_terms.asked(model, draft.terms, "host")


def _for_two(model: Model) -> Draft:
    """Return the draft of a table for whoever comes from elsewhere.

    Hints that were for games here stay here: they are allowed in no company.
    """
    draft = model.setup.draft
    rest = tuple(pair for pair in draft.options if pair != ("hints", "on"))
    draft = replace(draft, options=rest)
    none = SeatDraft(skill=draft.seats[1].skill)
    seats = (_me(draft), replace(none, kind=Kind.REMOTE), none, none)
    return host_terms.in_language(model, replace(draft, seats=seats))


@taker
def _copying(model: Model, _message: inviting.CopyLine) -> Change:
    """Ask for one's own invitation as it is now."""
    over = Over.NONE if model.over is Over.INVITE else model.over
    return ask(replace(model, over=over), GetInvitation(), "invitation")


@taker
def _pictured(model: Model, _message: inviting.ShowCode) -> Change:
    """Show one's own invitation to a camera: that gives it away as copying does."""
    shown = replace(model, over=Over.INVITE, open="")
    return ask(shown, door.InviteTo(_for_two(model).terms), INVITES)


def copied(model: Model, answer: door.Done) -> Change:
    """Copy one's own invitation, and have a seat for whoever comes by it.

    A table is opened, unless one waits already, or one waits oneself to be called.
    """
    model, effects = inviting.copied(model, answer)
    if not model.guest:
        model, kept = ask(model, door.InviteTo(_for_two(model).terms), INVITES)
        effects = (*effects, *kept)
    change, status = (model, effects), model.status
    free = model.page is Page.START and not model.guest
    if not free or status is None or status.mode == "answering":
        return change
    if any(one.mode == "hosting" and not one.match for one in status.games):
        return change
    model, more = _open(model)
    return model, (*effects, *more)


@taker_of_second
def _joined_near(model: Model, message: nearby.Near) -> Change:
    return _join_near(replace(model, start=replace(model.start, chosen=message.row)))


def _join_near(model: Model) -> Change:
    one = nearby.picked(model)
    if one is None:
        return same(model)
    if not one.game:
        return same(tell(model, _("Open a table, then call them to a seat of it.")))
    if not one.free:
        return ask(model, WatchAt(one.invitation), "watch.at")
    return ask(model, door.Join(one.invitation), "join.near")


def to_call(model: Model) -> tuple[str, ...]:
    """Return whom to call: who waits nearby, friends, and who was called by name.

    A friend may be anywhere, and asleep: the key is enough to ask.  An address that
    nobody has a name for is at Connection.
    """
    found = model.status.nearby if model.status else ()
    waiting = tuple(f"{o.invitation} {o.name}" for o in found if not o.game)
    known = model.status.friends if model.status else ()
    friends = tuple(f"{key} {name}" for name, key in known)
    recent = tuple(each for each in model.settings.recent if " " in each)
    return tuple(dict.fromkeys((*waiting, *friends, *recent)))


def call_words(text: str) -> str:
    """Return somebody to call as people are listed: by name."""
    place, _space, name = text.partition(" ")
    return name or place


def remember(model: Model, address: str) -> Model:
    """Return the model with an address as the newest of the recent ones."""
    recent = browsing.recent(model.settings.recent, address, RECENT)
    return replace(model, settings=replace(model.settings, recent=recent))


# An invitation that was clicked elsewhere, while this window is open.


def shown(model: Model, clicked: Clicked) -> Change:
    """Show the invitation where it can be joined, and come to the front.

    Anybody may have written it: nothing is called, and no key that is on its way to
    something else may do so; the keyboard is given to nothing.  A game in real time
    goes on before the player, and so does the question for a name.
    """
    laid = replace(invited(model, clicked.line), focus=model.focus)
    model, effects = ask(laid, Shown(clicked.number), "shown")
    effects = (*effects, ToFront())
    # Whether a game in real time goes on in this window
    match = model.match
    if match is not None and match.hurries and model.phase == "playing":
        words = _("An invitation is on the start page")
        return tell(model, words), effects
    if model.over is not Over.NAME:
        model = replace(model, over=Over.NONE, open="")
    if model.page is not Page.START:
        model, more = games.back(model)
        effects = (*effects, *more)
    return model, (*effects, Give(""))

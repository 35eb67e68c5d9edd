"""The page to start from: here, nearby, by address; and matches that can go on."""

import re
from typing import Final

from msgspec.structs import replace

from client.app import browsing
from client.app.model import (
    Change,
    Draft,
    Give,
    Kind,
    Model,
    Over,
    Page,
    SeatDraft,
    Store,
    ToFront,
    ask,
    edit_of,
    same,
    tell,
    toggled,
    with_edit,
)
from client.pages import (
    bar,
    friends,
    games,
    here,
    host_terms,
    link_offer,
    nearby,
    network,
    person,
    unfinished,
)
from client.ui import hand, widgets
from client.ui import widgets as tabs
from client.ui.intents import Click, Intent, Slide
from client.ui.layout import columns, rows
from client.ui.scene import Align, Node, Rect, Role, Shape, find, mix
from client.ui.texts import _, phrase
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.door import Clicked
from netplay.messages.node_questions import GetInvitation, Shown
from netplay.messages.table_questions import GameStatus, OpenStatus, WatchAt
from netplay.said import Words
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

WORDS: Final = 58
"""Pixels of a row's three lines at 100 %."""


def card(model: Model, rect: Rect) -> Node:
    """Return the card."""
    look, status = model.look, model.status
    assert status is not None  # it has games
    inner = rect.inset(look.px(12), look.px(10))
    head, room = rows(inner, [look.row, 1], look.px(4))
    title = _("Something is wrong") if unfinished.faults(model) else _("Your games")
    room, wrong = unfinished.wrong(model, room)
    made = _rows(model)
    heads = sum(short for _row, short in made)
    spare = (room.h - heads * look.px(HEADING)) // max(1, len(made) - heads)
    pitch = max(look.px(PITCH), min(look.px(MOST), spare))
    listed = widgets.scroll(
        LIST, room, [row for row, _short in made], pitch, look,
        offset=model.scrolls.get(LIST, 0),
        heights=[look.px(HEADING) if short else pitch for _row, short in made],
    )  # fmt: skip
    text = _("History")
    head, right = columns(head, [1, widgets.button_width(text, look)], look.gap)
    return widgets.panel(
        rect, look,
        [
            label(head, title, look, size=look.head, bold=True),
            widgets.button("finished", right, text, look, tone=Tone.QUIET),
            *wrong,
            listed,
        ],
        name="in-hand.card",
    )  # fmt: skip


def _rows(model: Model) -> list[tuple[widgets.Row, bool]]:
    """Return what went wrong, tables to choose, games in hand, and those put away.

    Beside each row whether it is the name of a section, which takes less room.
    """
    look, status = model.look, model.status
    assert status is not None  # it has games
    wrongs = unfinished.faults(model)
    more = unfinished.more(wrongs)
    made = [  # one at a time: the games stay to be seen
        (_lone(f"fault:{i}", phrase(fault), more, look, Tone.DANGER), False)
        for i, fault in wrongs[:1]
    ]
    made += [(_offer(i, one, look), False) for i, one in enumerate(status.open)]
    last = -1
    for i, one in enumerate(games.listed(model)):
        if (section := games.section(model, one)) != last:
            made.append((_heading(games.heading(section), look), True))
            last = section
        made.append((_game(model, i, one), False))
    if status.saved:
        made.append((_heading(_("Go on with"), look), True))
    made += [
        (_kept(f"saved:{i}", words, unfinished.ago(days), look), False)
        for i, (_path, words, days) in enumerate(status.saved)
    ]
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


def _lone(name: str, words: str, right: str, look: Look, tone: Tone) -> widgets.Row:
    """Return a row with a text that may take two lines."""

    def make(rect: Rect) -> Node:
        room = rect.inset(look.px(6), look.px(8))
        wide = look.width(right, look.small) + look.px(8) if right else 2
        left, far = columns(room, [1, wide])
        words_ = widgets.note(left, words, look, tone=tone)
        kids = [words_, label(far, right, look, size=look.small, align=Align.RIGHT)]
        return widgets.item(name, rect, words, kids, look)

    return make


def _offer(i: int, one: OpenStatus, look: Look) -> widgets.Row:
    words, right = games.offer_words(one)
    return _lone(f"{games.OFFER}:{i}", words, right, look, Tone.MAIN)


def _kept(name: str, words: Words, days: str, look: Look) -> widgets.Row:
    """Return the row of a match that is not in hand and can go on."""
    tone = Tone.DANGER if unfinished.unaudited(words) else Tone.PLAIN
    return _lone(name, phrase(words), days, look, tone)


def _game(model: Model, i: int, one: GameStatus) -> widgets.Row:
    def make(rect: Rect) -> Node:
        look = model.look
        side = rect.h - look.px(8)
        spot = Rect(rect.x + look.px(4), rect.y + look.px(4), side, side)
        x = spot.right + look.px(10)
        room = Rect(x, spot.y, rect.right - x - look.px(6), side)
        kids = [_picture(model, spot, one), *_words(model, one, i, room)]
        face = widgets.item(
            f"{games.ROW}:{i}", rect, games.told(model, one), kids, look
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


def _words(model: Model, one: GameStatus, i: int, room: Rect) -> list[Node]:
    """Return the texts of a row: who and whose turn; what and how long; what else."""
    look = model.look
    high = min(room.h, look.px(WORDS))
    block = Rect(room.x, room.y + (room.h - high) // 2, room.w, high)
    first, second, third = rows(block, [0.38, 0.31, 0.31])
    turn = games.turn(one)
    wide = min(look.width(turn, look.body, bold=True) + look.px(10), room.w * 6 // 10)
    left, right = columns(first, [1, wide])
    tone = Tone.MAIN if one.mine else Tone.DIM
    who, what, more = games.who(one), games.what(model, one), games.besides(one)
    kids = [
        label(left, who, look, name=f"{OWN}:who{i}", bold=True),
        label(right, turn, look, name=f"{OWN}:turn{i}", bold=one.mine, tone=tone,
              align=Align.RIGHT, colour=look.theme.latest if one.live else None),
        label(second, what, look, size=look.small, tone=Tone.DIM),
    ]  # fmt: skip
    if more:
        kids.append(
            label(third, more, look, name=f"{OWN}:more{i}", size=look.small,
                  colour=look.theme.latest)
        )  # fmt: skip
    return kids


def _picture(model: Model, spot: Rect, one: GameStatus) -> Node:
    """Return the board as it stands, as far as the window has seen it."""
    look = model.look
    face = Node(
        Role.LABEL, "", spot, shape=Shape.ROUND, radius=look.px(6),
        bg=look.theme.board,
    )  # fmt: skip
    if not model.settled or one.game not in GAMES:
        return face
    from client.app import thumbnails  # noqa: PLC0415 (late: the first frame has none)

    small = replace(look, scale=100)
    seen = model.boards.get(one.match)
    if seen is None or seen.state is None:
        return replace(face, miniature=thumbnails.of(one.game, small))
    return replace(face, miniature=thumbnails.now(seen, small))


ADDRESS: Final = link_offer.ADDRESS
INVITED: Final = link_offer.INVITED
"""Begins an invitation."""
RECENT: Final = 8
"""Addresses remembered."""


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the start page."""
    look = model.look
    top, rest, foot = rows(area, [bar.height(look), 1, bar.foot_height(look)])
    note = _("Word and board games, straight from computer to computer")
    nodes = [bar.scene(model, top, "Netplay", note)]
    body = bar.body(rest, look)
    nodes += _with_games(model, body) if games.any_of(model) else _bare(model, body)
    placed = any(find(one, "fault") is not None for one in nodes)
    nodes.append(bar.foot(model, foot, placed=placed))
    titles = [listed.title for listed in LISTED.values()]
    lists = {"game": titles, "recent": model.settings.recent}
    return (*nodes, *bar.opened(model, area, nodes, lists))


def _bare(model: Model, body: Rect) -> list[Node]:
    """Return the page without games in hand: three cards, and what was left below."""
    look = model.look
    strip = unfinished.height(model, body.h - _least(model) - look.px(10))
    upper, lower = rows(body, [1, strip], look.px(10)) if strip else (body, body)
    spots = _cards(upper, look)
    nodes = [card(model, spot) for card, spot in zip(CARDS, spots, strict=True)]
    return [*nodes, unfinished.card(model, lower)] if strip else nodes


def _with_games(model: Model, body: Rect) -> list[Node]:
    """Return the page that leads with the games in hand; new ones are at its side."""
    look = model.look
    left, right = columns(body, [0.57, 0.43], look.px(12))
    top, room = rows(right, [look.row, 1], look.px(6))
    found = len(model.status.nearby) if model.status else 0
    near = _("Nearby")
    if model.status and model.status.friends:
        near, found = _("Friends"), 0
    titles = (_("Here"), f"{near} ({found})" if found else near, _("By address"))
    shown = model.scrolls.get(TABS, 0)
    return [
        card(model, left),
        tabs.tab_row(TABS, top, titles, shown, look),
        CARDS[shown](model, room),
    ]


_SIDE: Final = 620
"""Pixels at 100 % that the cards with friends are wide at most; the games grow."""


def _cards(room: Rect, look: Look) -> tuple[Rect, ...]:
    """Return where the three cards stand: the games' one larger, where it may be."""
    gap = look.px(12)
    if not here.roomy(room, look):
        return columns(room, [1, 1, 1], gap)
    side = min(room.w * 38 // 100, look.px(_SIDE))
    left, right = columns(room, [1, side], gap)
    return left, *rows(right, [0.42, 0.58], gap)


TABS: Final = "begin"
"""What to begin, beside the games in hand: the tabs' names, and which is chosen."""

HERE: Final = ("host", "host.start", "start")
CALLING: Final = "calling"
WAITING: Final = ("answering", CALLING)
"""What a node does that waits for others (`door.Status.mode`)."""

FAR: Final = ("join", "answer", "invitation")
"""What is asked for from this card and from `HERE`'s: its faults stand there."""


def _least(model: Model) -> int:
    """Return how high the cards must be: that of the game here has most in it."""
    look = model.look
    wide = columns(bar.body(Rect(0, 0, *model.size), look), [1, 1, 1], look.px(12))[0].w
    text = bar.fault(model, *HERE, *FAR, *nearby.ASKED)
    head = look.px(24 + 26 + 4) + nearby.note_height(text, wide - look.px(32), look)
    return head + 5 * look.row + 4 * look.gap + round(look.small * 1.4)


def _here(model: Model, rect: Rect) -> Node:
    """Return the card with the games to play at this computer."""
    look = model.look
    room, kids = nearby.headed(
        model, rect, _("Here"), _("On this computer, against computer players."), HERE
    )
    if not bar.fault(model, *HERE):  # else its place is the button's that ends it
        kids += here.teaching(rect.inset(look.px(16), look.px(12)), look)
    kids += here.inside(model, room)
    return widgets.panel(rect, look, kids, name="here")


def _address(model: Model, rect: Rect) -> Node:
    """Return the card for calling and being called."""
    look = model.look
    room, kids = nearby.headed(
        model,
        rect,
        _("By address"),
        _("Over the internet, or to a computer you know."),
        FAR,
    )
    line = look.row
    field = Rect(room.x, room.y, room.w - line - look.px(4), line)
    kids.append(
        widgets.entry(
            ADDRESS, field, edit_of(model, ADDRESS), look, hint=_("name or address")
        )
    )
    more = Rect(field.right + look.px(4), room.y, line, line)
    recent = bool(model.settings.recent)
    kids.append(widgets.choice("recent", more, "", look, enabled=recent))
    go = Rect(room.x, field.bottom + look.gap, room.w, line)
    typed = bool(edit_of(model, ADDRESS).text.strip())
    may = model.linked and typed
    watch = _("Watch")
    parts = columns(go, [1, widgets.button_width(watch, look)], look.gap)
    kids += [
        widgets.button("join.address", parts[0], _("Join the table there"), look,
                       enabled=may),
        widgets.button("watch.address", parts[1], watch, look, enabled=may),
    ]  # fmt: skip
    waiting = _waits(model)
    text = _("Stop waiting") if waiting else _("Wait to be called")
    answer, copy, rest = _asking(room, go.bottom + look.gap, look)
    kids.append(
        widgets.button(
            "answer", answer, text, look, enabled=model.linked, selected=waiting
        )
    )
    kids += _own_address(model, rest, copy)
    return widgets.panel(rect, look, kids, name="address")


def _asking(room: Rect, y: int, look: Look) -> tuple[Rect, Rect, Rect]:
    """Return the places of two buttons, wait and invite, and of the words with them."""
    foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
    if room.w + look.px(32) >= look.px(nearby.ACROSS):
        answer, copy = columns(foot, [1, 1], look.gap)
    else:
        answer, copy = Rect(room.x, y, room.w, look.row), foot
        y = answer.bottom + look.gap
    return answer, copy, Rect(room.x, y, room.w, max(0, foot.y - y - look.px(4)))


def _waits(model: Model) -> bool:
    """Tell whether the node waits: to be called, or for an answer to a call."""
    return model.status is not None and model.status.mode in WAITING


def own_addresses(model: Model) -> tuple[str, ...]:
    """Return this computer's addresses, each as others must type it."""
    status = model.status
    if status is None:
        return ()
    if status.network.places:
        return tuple(place.address for place in status.network.places)
    return tuple(
        f"[{a}]:{status.port}" if ":" in a else f"{a}:{status.port}"
        for a in status.addresses
    )


def _own_address(model: Model, words: Rect, foot: Rect) -> list[Node]:
    """Return what others must type to reach this computer, and a copy button."""
    look, waiting = model.look, _waits(model)
    addresses = own_addresses(model)
    if model.computer and model.status is not None and addresses:
        # Source document, Communicate: both the IP name and the IP address are shown.
        addresses = (f"{model.computer}:{model.status.port}", *addresses)
    text = _("Your address: {where}").format(where=", ".join(addresses) or "–")
    if model.status is not None and model.status.key:
        text += "\n" + _("Your key: {key}").format(key=model.status.key)
    text += "".join("\n" + line for line in network.places(model))
    text += "".join("\n" + line for line in network.lines(model))
    if waiting and model.status is not None:
        called = model.status.mode == CALLING
        head = _("Waiting for an answer") if called else _("Waiting for Connection")
        text = f"{head}\n{text}"
    return [
        widgets.reading(
            "own", words, text, look, size=look.small,
            tone=Tone.MAIN if waiting else Tone.DIM,
            offset=model.scrolls.get("own", 0),
        ),
        widgets.button(
            "copy", foot, _("Copy invitation"), look, enabled=bool(addresses)
        ),
    ]  # fmt: skip


CARDS: Final = (_here, nearby.card, _address)
"""The ways to begin, in the order in which they stand."""


def invited(model: Model, line: str) -> Model:
    """Return the model with an invitation that was opened, to be joined by Enter.

    Only shown: who clicks a line somewhere has not yet said that anybody is called.
    """
    far = {**model.scrolls, TABS: list(CARDS).index(_address)}
    model = with_edit(model, ADDRESS, hand.of(line))
    model = replace(model, scrolls=far, focus="join.address")
    return tell(
        model, _("An invitation: join the table there, if you know whose it is")
    )


def handle(model: Model, intent: Intent) -> Change | None:
    """React to the start page's own intents."""
    match intent:
        case Slide(name="skill", at=at):
            return _with_skill(model, round(at * 100)), ()
        case Click(name=name, count=count) if name:
            if chosen := host_terms.read(name):
                return _with_skill(model, chosen[1]), ()
            head, _colon, tail = name.partition(":")
            if head == TABS:
                return replace(model, scrolls={**model.scrolls, TABS: int(tail)}), ()
            if tail.isdigit():
                return _picked(model, head, int(tail), count)
            return _pressed(model, name)
        case _:
            return None


def submit(model: Model, name: str) -> Change:
    """React to Enter in a field."""
    joined = _pressed(model, "join.address") if name == ADDRESS else None
    return joined or same(model)


def _with_skill(model: Model, skill: int) -> Model:
    seats = tuple(replace(s, skill=skill) for s in model.draft.seats)
    return replace(model, draft=replace(model.draft, seats=seats))


def _picked(model: Model, head: str, index: int, count: int) -> Change | None:
    match head:
        case "game":
            game = tuple(GAMES)[index]
            draft = replace(model.draft, game=game, options=(), edition="", words="")
            rivals = _rivals(model, game)
            draft = replace(draft, seats=_seats(draft, rivals))
            return replace(model, draft=draft, open=""), ()
        case "rivals":
            seats = _seats(model.draft, index)
            return replace(model, draft=replace(model.draft, seats=seats)), ()
        case "near":
            chosen = replace(model, chosen=index)
            return _join_near(chosen) if count == 2 else (chosen, ())
        case "recent":
            typed = model.settings.recent[index].partition(" ")[0]
            return replace(with_edit(model, ADDRESS, hand.of(typed)), open=""), ()
        case friends.ROW | friends.CHALLENGE:
            return friends.picked(model, head, index)
        case _:
            return unfinished.picked(model, head, index)


def _rivals(model: Model, game: str) -> int:
    """Return how many opponents to offer for a game: as many as before, if chosen."""
    fits, rivals = GAMES[game].ABOUT.seats, here.opponents(model)
    if rivals == GAMES[model.draft.game].ABOUT.usual - 1:
        rivals = GAMES[game].ABOUT.usual - 1
    return max(min(rivals, fits[-1] - 1), fits[0] - 1)


def _me(draft: Draft) -> SeatDraft:
    """Return the seat of the person at this window, whichever it had at last."""
    mine = (seat.name for seat in draft.seats if seat.kind is Kind.PERSON)
    return SeatDraft(Kind.PERSON, next(mine, ""))


def _seats(draft: Draft, rivals: int) -> tuple[SeatDraft, ...]:
    skill, me = draft.seats[1].skill, _me(draft)
    foes = [SeatDraft(Kind.COMPUTER, skill=skill)] * rivals
    return (me, *foes, *[SeatDraft(skill=skill)] * (3 - rivals))


def _pressed(  # noqa: C901, PLR0911, PLR0912 (one a button)
    model: Model, name: str
) -> Change | None:
    match name:
        case "game" | "recent":
            return toggled(model, name)
        case "play":
            seats = _seats(model.draft, here.opponents(model))
            model = replace(model, draft=replace(model.draft, seats=seats))
            return host_terms.asked(model, model.draft.terms, "host.start")
        case "learn":
            from client.pages import learn  # noqa: PLC0415 (late, as in `screen`)

            return learn.opened(model, model.draft.game)
        case "puzzles":
            from client.pages import learn  # noqa: PLC0415 (late, as in `screen`)

            return learn.puzzle_opened(model, model.draft.game)
        case "setup":
            return _host(model)
        case "demo":
            draft = model.draft
            fits = GAMES[draft.game].ABOUT.seats
            count = max(fits[0], min(fits[-1], max(2, here.opponents(model) + 1)))
            foe = SeatDraft(Kind.COMPUTER, skill=draft.seats[1].skill)
            terms = replace(draft, seats=(foe,) * count).terms
            return host_terms.asked(model, terms, "host.start")
        case "open":
            none = SeatDraft(skill=model.draft.seats[1].skill)
            remote = replace(none, kind=Kind.REMOTE)
            seats = (_me(model.draft), remote, none, none)
            draft = replace(model.draft, seats=seats)
            return _host(replace(model, draft=draft))
        case "join.near":
            return _join_near(model)
        case "join.address":
            return _join(model, edit_of(model, ADDRESS).text.strip())
        case "watch.address":
            return _join(model, edit_of(model, ADDRESS).text.strip(), watch=True)
        case "who.near":
            return person.near(model)
        case "answer":
            if model.status is not None and model.status.mode == CALLING:
                return ask(model, door.LeaveTable(), "left")
            on = not _waits(model)
            return ask(model, door.Answer(on, asks=on), "answer")
        case "copy":
            return ask(model, GetInvitation(), "invitation")
        case _:
            return None


def _host(model: Model) -> Change:
    model = replace(model, page=Page.TABLE)
    return host_terms.asked(model, model.draft.terms, "host")


def _join_near(model: Model) -> Change:
    found = model.status.nearby if model.status else ()
    if not 0 <= model.chosen < len(found):
        return same(model)
    one = found[model.chosen]
    if not one.game:
        return same(tell(model, _("Open a table, then call them to a seat of it.")))
    if not one.free:
        return ask(model, WatchAt(one.invitation), "watch.at")
    return ask(model, door.Join(one.invitation), "join.near")


def _join(model: Model, address: str, *, watch: bool = False) -> Change:
    if not address:
        return same(model)
    model = remember(model, address)
    place = address.partition(" ")[0]
    question = WatchAt(place) if watch else door.Join(place)
    model, effects = ask(model, question, "join")
    return model, (*effects, Store())


_KEY: Final = re.compile("[A-Z2-7]{4}(-[A-Z2-7]{4})+")
"""A fingerprint, as the node writes it."""


def to_call(model: Model) -> tuple[str, ...]:
    """Return whom to call: who waits nearby, addresses used before, and friends.

    A friend may be anywhere, and asleep: the key is enough to ask.
    """
    found = model.status.nearby if model.status else ()
    waiting = tuple(f"{o.invitation} {o.name}" for o in found if not o.game)
    known = model.status.friends if model.status else ()
    friends = tuple(f"{key} {name}" for name, key in known)
    return tuple(dict.fromkeys((*waiting, *model.settings.recent, *friends)))


def call_words(text: str) -> str:
    """Return an address to call as it is listed: of an invitation name and place."""
    place, _space, name = text.partition(" ")
    if name and _KEY.fullmatch(place):
        return f"{name} ({place})"
    if not place.startswith(INVITED) or not name:
        return text
    return f"{name} {place.removeprefix(INVITED).partition('#')[0]}"


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
    if _hurries(model):
        words = _("An invitation is on the start page, By address")
        return tell(model, words), effects
    if model.over is not Over.NAME:
        model = replace(model, over=Over.NONE, open="")
    if model.page is not Page.START:
        model, more = games.back(model)
        effects = (*effects, *more)
    return model, (*effects, Give(""))


def _hurries(model: Model) -> bool:
    """Tell whether a game in real time goes on in this window."""
    match = model.match
    return match is not None and match.hurries and model.phase == "playing"

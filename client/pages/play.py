"""The match page, common to all games: players, scores, instructions, chat, moves."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from client.app import board
from client.app.clicks import Asks, Opens
from client.app.model import Change, Match, Model, Over, Store, seen
from client.pages import (
    agreeing,
    bar,
    bystanders,
    chat,
    host_terms,
    lending,
    lent,
    moves,
    players,
    review,
    tryout,
    unfinished,
    unseen,
)
from client.ui import texts, typefaces, widgets
from client.ui.layout import centred, columns, rows
from client.ui.scene import Align, Means, Node, Rect
from client.ui.texts import _
from client.ui.theme import Look, stands
from client.ui.widgets import Item, Tone, label
from netplay import wire
from netplay.errors import Code
from netplay.messages import door
from netplay.messages.table_questions import Vote
from netplay.said import Said
from netplay.sentences import Says
from netplay.text import phrases
from rules import GAMES

# What is new in the first game against computers: pointed at, once for each game.


LEARN: Final = "tip.learn"
CLOSE: Final = "tip.close"


class Teach(Means, frozen=True):
    """Show how the game is played."""


class GotIt(Means, frozen=True):
    """Point at what is new no more."""


class AskHint(Means, frozen=True):
    """Ask for a play that the computer would make."""


class Again(Means, frozen=True):
    """Play the same once more."""


class GoHome(Means, frozen=True):
    """Put the match that is over aside, and go to the start."""


class Ready(Means, frozen=True):
    """Lift the curtain."""


class ToTab(Means, frozen=True):
    """Show another card beside the board."""

    number: int


Control: TypeAlias = Teach | GotIt | AskHint | Again | GoHome | Ready | ToTab


def due(model: Model) -> bool:
    """Tell whether somebody plays a game for the first time, against computers."""
    match, table = model.match, model.table
    if match is None or table is None or match.game in model.settings.tips:
        return False
    if table.phase != "playing" or match.back >= 0 or match.seat < 0:
        return False
    if board.find(match.game).TRAITS.tip is None:
        return False
    others = [seat.kind for i, seat in enumerate(table.seats) if i != match.seat]
    return bool(others) and set(others) == {"computer"}


def pointed(model: Model, said: str) -> str:
    """Return what the game says, and before it what is new."""
    match = model.match
    if match is None or not due(model):
        return said
    tip = board.find(match.game).TRAITS.tip
    return said if tip is None else f"{tip()}\n{said}"


def first_game_buttons(model: Model) -> list[Item]:
    """Return the buttons that go with it."""
    if not due(model):
        return []
    return [
        (LEARN, _("How to play"), Tone.PLAIN, True, Teach()),
        (CLOSE, _("Got it"), Tone.PLAIN, True, GotIt()),
    ]


def known(change: Change) -> Change:
    """Return a change after which nothing is new in the game any more."""
    model, effects = change
    if model.match is None or not due(model):
        return change
    tips = (*model.settings.tips, model.match.game)
    model = replace(model, settings=replace(model.settings, tips=tips))
    return model, (*effects, Store())


# What the instructions box offers: a hint, to try again, what comes after the end.


_VOTE: Final = Asks(Vote(), "vote")
_RETRY: Final = Asks(door.Retry(), "retry")

HINT: Final = "ask.hint"
"""The page's own button; games have buttons of their own called "hint"."""


def offer_buttons(model: Model) -> list[Item]:
    """Return the buttons of the instructions box: hint, retry, what comes after."""
    table = model.table
    if table is None:
        return []
    asked = [] if model.over is Over.WATCHERS else bystanders.answers(table)
    return lent.offered(model, [*asked, *_others(model, table)])


def _others(model: Model, table: door.TableStatus) -> list[Item]:
    """Return the buttons that have to do with the match itself."""
    # Of two computers, however many play there, neither is outvoted
    both = len({seat.key for seat in table.seats}) > 2 and not table.watching
    asked, held = agreeing.buttons(model), unfinished.buttons(model)
    taken = [*agreeing.day_buttons(table), *held, *asked, *tryout.buttons(model)]
    if table.phase == "paused":
        taken += lending.awaited(table)[1]
        if lending.calls(table):
            taken.append(("retry", _("Try again now"), Tone.PLAIN, True, _RETRY))
        vote = ("vote", _("Go on without"), Tone.PLAIN, True, _VOTE)
        gone = _host_is(table, "away", "blocked", "elsewhere")
        may = both and gone and not table.hosting
        return [*taken, vote] if may else taken  # else in vain
    if table.phase == "stopped" or (table.watching and table.phase == "over"):
        on = Asks(door.Load(""), unfinished.ASKED)
        lost = table.disputed or table.watching or table.waiting == Code.FORK.text
        may_go_on = table.phase == "stopped" and not lost
        go_on = [("go-on", _("Go on"), Tone.MAIN, True, on)] if may_go_on else []
        tone = Tone.PLAIN if go_on else Tone.MAIN
        return [*go_on, ("home", _("To your games"), tone, True, GoHome())]
    if table.phase == "over":
        celebrated = (
            model.table is not None and model.play.celebrated == model.table.match
        )
        card = ("result", _("Result"), Tone.PLAIN, True, Opens(Over.RESULT))
        shown = [card] if celebrated else []
        return [
            ("rematch", _("Rematch"), Tone.MAIN, may_again(model, table), Again()),
            ("home", _("To your games"), Tone.PLAIN, True, GoHome()),
            *(_another_host(table, wanted=bool(table.held_up) and both) or shown),
        ]
    other = _another_host(table, wanted=bool(table.doubt) and both)
    match, new = model.match, first_game_buttons(model)
    if match is not None and match.seat in table.turn and _hints(table):
        return [(HINT, _("Hint"), Tone.PLAIN, True, AskHint()), *new, *asked, *other]
    return [*taken, *new, *other]


def _another_host(table: door.TableStatus, *, wanted: bool) -> list[Item]:
    """Return the button to vote against a host that is there, if it is wanted."""
    vote = ("vote", _("Vote for another host"), Tone.PLAIN, True, _VOTE)
    return [vote] if wanted and not table.hosting else []


def may_again(model: Model, table: door.TableStatus) -> bool:
    """Tell whether this node may propose, or ask the host for, a rematch."""
    wished = table.wished or table.watching or _host_is(table, "blocked")
    return table.hosting or not wished


def _host_is(table: door.TableStatus, *states: str) -> bool:
    """Tell whether a seat of whoever sets the terms is so."""
    return any(s.name == table.host and s.state in states for s in table.seats)


def _hints(table: door.TableStatus) -> bool:
    """Tell whether this match has hints that the game does not give by itself."""
    about = GAMES[table.game].ABOUT
    if about.hinted is not None:
        return about.hinted.hints(wire.unpack(table.options, about.options))
    if about.hz or board.find(table.game).TRAITS.own_hints:
        return False
    return sum(seat.kind != "computer" for seat in table.seats) == 1


SIDE: Final = (290, 560)
"""Least and greatest width of the side panel, in pixels at 100 %."""

REVIEW: Final = 2
"""The tab with the best plays, once a match whose turns can be judged is over."""

WORDS: Final = 3
"""The tab with the word lists, where the players' cards have no room for them."""

CHAT: Final = 0
"""The tab with the chat, where it has no card of its own."""

UNSEEN: Final = 4
"""The tab with the tiles that the player cannot see."""

MOVES: Final = 1
"""The tab with the moves."""

FIELD: Final = 5
"""The board, with what is pressed, over the whole page of a phone that lies."""

TABS: Final = "side"
"""The tabs over chat and moves; the chosen one is kept among the scrolls."""


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the match page."""
    look, match = model.look, model.match
    top, rest = rows(area, [bar.height(model.look), 1])
    left, right = _body(model, rest)
    if match is not None and alone(model):
        if match.hurries:
            return *_above(model, top), *game(model, match, left, look)
        return *_above(model, top), *_beside(model, match, left)
    head = bar.strip(model, top, headline(model), _note(model))
    if match is None:
        words = label(left, _("Waiting for the board…"), look, tone=Tone.DIM)
        return head, words, *_side(model, right)
    return head, *game(model, match, left, look), *_side(model, right)


def _above(model: Model, top: Rect) -> tuple[Node, ...]:
    """Return the bar over a board that is alone, and a button to the rest."""
    look, text = model.look, _titles(model, chat_too=True)[CHAT]
    hurries = model.match is not None and model.match.hurries
    named = {CHAT: text} if hurries else {MOVES: _("Moves"), CHAT: text}
    wides = [widgets.button_width(each, look) + look.gap for each in named.values()]
    top, *spots = columns(top, [1, *wides])
    asked = bool(offer_buttons(model)) or model.fault is not None
    tone = Tone.MAIN if hurries and asked else Tone.QUIET
    buttons = [
        widgets.button(
            "beside" if tab == CHAT else "beside.moves",
            spot.inset(look.px(4), 0), each, look,
            tone=tone, means=ToTab(tab),
        )
        for spot, (tab, each) in zip(spots, named.items(), strict=True)
    ]  # fmt: skip
    said = instruction(model).partition("\n")[0] if hurries else ""
    return bar.strip(model, top, headline(model), _note(model) or said), *buttons


def _beside(model: Model, match: Match, area: Rect) -> tuple[Node, ...]:
    """Return a lying phone's board, and beside it who plays and what is pressed.

    Moves or chat stand there in place of who plays: board and rack stay where they are.
    """
    look, found = model.look, _lying(match)
    assert found is not None  # else there are no turns
    _board, upper, _low = found.cut(area, look)
    large = replace(look, thumb=True)
    drawn = game(model, match, area, large)
    if chosen(model) != FIELD:
        return tabbed(model, upper, chat_too=True), *drawn
    least = players.height(model, upper.w, players.LINED) + look.gap
    tries = [(each, box_height(model, upper.w, 2, each)) for each in (large, look)]
    fits = (each for each in tries if each[1] + least <= upper.h)
    buttons, box = next(fits, tries[1])
    room = upper.h - box - look.gap
    across = players.across(model, upper.w, room)
    cards = players.height(model, upper.w, across)
    top, low = rows(upper, [1, min(cards, room)], look.gap)
    return (
        instructions(model, top, offer_buttons(model), buttons),
        players.scene(model, low, across),
        *drawn,
    )


def _body(model: Model, rest: Rect) -> tuple[Rect, ...]:
    """Return the room for the board, and that for the side panel."""
    body = rest.inset(model.look.px(12), model.look.px(1 if alone(model) else 6))
    if alone(model):
        return body, Rect(body.right, body.y, 0, body.h)
    if stands(model.size):  # the board over the whole width, the rest below
        apart = model.look.px(10)
        # The least height of the side panel where it stands below the board
        wide = body.w
        cards = players.height(model, wide, players.LINED)
        talk = _talk(model)
        low = _lower_least(model.look, talk or 1) + 2 * model.look.gap
        side = box_height(model, wide, 2, model.look) + cards + low + apart
        # A board that can be read, and a smaller one where it is talked.
        side = min(side, body.h - body.w * (7 if talk else 9) // 10)
        high = min(body.w * 135 // 100, body.h * 2 // 3, body.h - side)
        return rows(body, [high, 1], apart)
    return columns(body, [1, side_width(model, body)], model.look.px(16))


def beside(model: Model, area: Rect) -> Rect:
    """Return where a dialog covers nothing of the board; all, if there is no room."""
    right = _body(model, rows(area, [bar.height(model.look), 1])[1])[1]
    fits = right.x > area.x and right.w >= model.look.px(400)
    return right if fits and not stands(model.size) else area


def flat(model: Model) -> bool:
    """Tell whether a phone lies on which a board may have the page for itself."""
    match = model.match
    if match is None or not model.look.lying or match.covered:
        return False
    if match.hurries:  # its keys are of use only while it goes on
        return match.seat >= 0 and match.back < 0 and model.phase == "playing"
    return _lying(match) is not None


def folds(model: Model) -> bool:
    """Tell whether the board of a phone held upright leaves room for tabs alone."""
    match, look = model.match, model.look
    wanted = None if match is None else board.find(match.game).TRAITS.standing
    if match is None or wanted is None or not look.held or match.covered:
        return False
    high = wanted(seen(model, match), model.size[0], look)
    return model.size[1] - high < look.px(120) + 4 * look.row


def _lying(match: Match) -> board.Lying | None:
    return board.find(match.game).TRAITS.lying


def alone(model: Model) -> bool:
    """Tell whether the board has its full room: what is beside it is a tab."""
    turns = model.match is not None and not model.match.hurries
    return flat(model) and (turns or chosen(model) == FIELD)


def side_width(model: Model, body: Rect) -> int:
    """Return the width of the side panel: what the board leaves, or a share."""
    look = model.look
    least, most = (look.px(wide) for wide in SIDE)
    match = model.match
    breadth = 1.0 if match is None else board.find(match.game).TRAITS.breadth
    beside = body.w - round(body.h * breadth) - look.px(12)
    return max(least, min(most, max(body.w * 28 // 100, beside)))


def headline(model: Model) -> str:
    """Return whose turn it is, for the bar and the window's title."""
    table, names = model.table, model.names
    if table is None:
        return "Netplay"
    if table.phase in ("over", "stopped"):
        return _ending(table)
    if table.phase != "playing":
        return _("Waiting")
    if GAMES[table.game].ABOUT.hz:  # no turns
        return _("All play at once") if len(names) > 1 else board_title(model)
    match, turn = model.match, table.turn
    if match is not None and match.seat in turn:
        return _("Waiting") if match.seat in table.face_down else _("Your turn")
    # Whose seat this is comes with the position.
    named = match is not None and len(turn) == 1 and turn[0] < len(names)
    whose = _("{name}'s turn")
    return whose.format(name=names[turn[0]]) if named else board_title(model)


def _ending(table: door.TableStatus) -> str:
    if table.disputed:
        return _("In dispute")
    if table.phase == "stopped":
        return _("Stopped")
    if table.contested:
        return _("Won on time, contested")
    return _("Game over, NOT AUDITED") if table.held_up else _("Game over")


def board_title(model: Model) -> str:
    """Return the name of the game."""
    return GAMES[model.table.game].ABOUT.title if model.table else "Netplay"


def _note(model: Model) -> str:
    table = model.table
    if table is None:
        return ""
    if warning := against(table):
        return warning
    names = ", ".join(map(texts.phrase, table.watchers))
    watchers = _("Watching: {names}").format(names=names) if names else ""
    if table.phase == "stopped":
        return texts.phrase(table.waiting)
    shuffling = Says.SHUFFLING.name
    if isinstance(table.waiting, Said) and table.waiting.code == shuffling:
        return texts.phrase(table.waiting)
    awaited = ""  # for whom the match waits, and what has not come to them
    if unfinished.waits(model):
        awaited = _("Not delivered yet")
    elif absent := unfinished.missed(model):
        awaited = _("{who} is away").format(who=absent)
    elif table.waiting and table.waiting != "chance":
        awaited = _("Waiting for {who}").format(who=texts.phrase(table.waiting))
    told = (agreeing.note(table), awaited, watchers)
    return " · ".join(filter(None, told)) or host_terms.note(table)


def against(table: door.TableStatus) -> str:
    """Return what speaks against a match, empty if nothing does."""
    if table.audit and table.audit != "ok":
        return _("The audit failed: {why}").format(why=texts.phrase(table.audit))
    if table.held_up:
        why = texts.phrase(table.held_up)
        return _("NOT AUDITED: {why}. Nobody knows if it was fair.").format(why=why)
    if table.disputed:
        return _("Unfinished, in dispute")
    return texts.phrase(table.doubt)


def game(model: Model, match: Match, area: Rect, look: Look) -> tuple[Node, ...]:
    """Return the board, or the curtain before it."""
    if match.covered:
        return (_curtain(model, match, area),)
    module = board.find(match.game)
    view = review.on_board(model, seen(model, match))
    if match.back < 0:
        drawn = module.scene(view, match.local, area, look)
        return (lent.without(drawn) if model.guest else drawn,)
    # A hand of that time: what is laid now waits for the live board.
    then = replace(view, by_hand=False)
    drawn = module.scene(then, module.begin(then), area, look)
    drawn = lent.without(drawn) if model.guest else drawn
    return (widgets.inert(drawn, look, board.PAGES_OWN),)


def _next(model: Model, match: Match) -> int:
    return match.seat if model.play.watching is None else model.play.watching


def next_name(model: Model, match: Match) -> str:
    """Return the name of the person for whom the curtain is down."""
    seat = _next(model, match)
    return model.names[seat] if 0 <= seat < len(model.names) else ""


def _curtain(model: Model, match: Match, area: Rect) -> Node:
    """Return what hides the board until the next person at this computer is ready."""
    look = model.look
    name = next_name(model, match)
    rect = centred(area, look.px(420), look.px(156) + look.row)
    inner = rect.inset(look.px(20))
    head, note, foot = rows(inner, [look.px(40), 1, look.row], look.gap)
    title = _("{name}'s turn").format(name=name)
    if all(step.actor < 0 for step in match.past):
        title = _("{name} starts.").format(name=name)
    text = _("Switch places at the keyboard. The rack stays hidden until then.")
    words = _("I am {name}: show the rack")
    table, seat = model.table, _next(model, match)
    if table is not None and seat >= 0 and table.seats[seat].browser:
        words = _("Play for {name}: show the rack")  # its guest's play has ended
    go = widgets.button(
        "ready", foot, words.format(name=name), look, tone=Tone.MAIN, means=Ready()
    )
    middle = Align.CENTRE
    size = typefaces.fitting((title,), look.title, look.body, head.w)
    kids = [
        label(head, title, look, name="curtain.title", size=size, align=middle),
        label(note, text, look, tone=Tone.DIM, wrap=True, align=middle),
        go,
    ]
    return widgets.panel(rect, look, kids, name="curtain")


class Column(NamedTuple):
    """How the parts of the side panel share its height."""

    box: int
    """Of the instructions."""
    panels: int
    across: int
    """Players' cards beside each other; `LINED`: in two lines each, without words."""


def column(model: Model, area: Rect) -> Column:
    """Return how the side panel is shared out: its parts give way in turn.

    First the players' cards, which become two lines each, then what the instructions
    have beyond two lines, for these can be scrolled, then chat and moves.
    """
    look, gap, more = model.look, model.look.gap, 2 * due(model)
    box = box_height(model, area.w, 3 + more, look)
    reviewed = chosen(model) == REVIEW  # the game is over: room to look back
    lower = max(look.px(130), area.h * (48 if reviewed else 32) // 100)
    least = _lower_least(look, _talk(model) or 2)
    room = area.h - box - 2 * gap
    wanted = max(least, lower)
    across = players.across(model, area.w, room - wanted)
    across = across or players.across(model, area.w, room - least)
    cards = players.height(model, area.w, across)
    if across == players.LINED:
        low = box_height(model, area.w, 2 + more, look)
        box = max(low, min(box, area.h - cards - wanted - 2 * gap))
    return Column(box, cards, across)


def box_height(model: Model, wide: int, lines: int, look: Look) -> int:
    """Return how high the instructions are, with so many lines and their buttons."""
    buttons = offer_buttons(model)
    inner = wide - 2 * look.px(14)
    if _aside(buttons, inner, look):
        lined = lines * round(look.small * typefaces.LINE)
        return max(lined, look.row) + 2 * look.px(8)
    if model.match is not None and model.match.back >= 0:
        told = 2 * round(look.small * 1.3) if look.held else lines * look.line
        return 2 * look.px(8) + told + look.row + look.px(8 if look.held else 20)
    high = widgets.flow_height(buttons, inner, look) + look.gap if buttons else 0
    if lines > 2 and not look.held:
        return look.px(22) + lines * look.line + high
    return 2 * look.px(8) + lines * round(look.small * typefaces.LINE) + high


def _aside(buttons: Sequence[widgets.Item], wide: int, look: Look) -> int:
    """Return how wide buttons are beside a text; 0 if they stand below it."""
    each = [widgets.button_width(text, look) + look.gap for _n, text, *_rest in buttons]
    return sum(each) if look.held and sum(each) * 2 <= wide else 0


def _talk(model: Model) -> int:
    """Return how many lines of chat are to be seen; 0 where another tab is open."""
    hurries = model.match is not None and model.match.hurries
    return 4 if chosen(model) == CHAT and not hurries else 0


def _lower_least(look: Look, lines: int) -> int:
    """Return how high the card with chat and moves must be, for some lines of chat."""
    line = round(look.small * typefaces.LINE) + look.px(1)
    return 2 * look.px(8) + 2 * look.row + look.px(10) + lines * line


def _side(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return instructions, players, moves and what else there is, and the chat below.

    Where there is no room for both, the chat is one of the tabs.
    """
    look, shared = model.look, column(model, area)
    box, panels, foot = rows(area, [shared.box, shared.panels, 1], look.gap)
    upper = (
        instructions(model, box, offer_buttons(model), look),
        players.scene(model, panels, shared.across),
    )
    if not _roomy(model, foot.h):
        return *upper, tabbed(model, foot, chat_too=True)
    middle, low = rows(foot, [1, look.px(_CHAT)], look.gap)
    talk = chat.inside(model, low.inset(look.px(10), look.px(8)))
    card = replace(widgets.panel(low, look, talk, name="chat.card"), clip=True)
    return *upper, tabbed(model, middle, chat_too=False), card


def instructions(
    model: Model, rect: Rect, buttons: Sequence[widgets.Item], look: Look
) -> Node:
    """Return the instructions box (source document, Playing words)."""
    match = model.match
    inner = rect.inset(look.px(14), look.px(12))
    foot = widgets.flow_height(buttons, inner.w, look)
    if rect.h < 3 * look.line + 2 * look.px(12) + (foot + look.gap if buttons else 0):
        inner = rect.inset(look.px(14), look.px(8))
    text, rest, tone = instruction(model), "", Tone.PLAIN
    if refused := _refused(model):  # by a sign too, for those who see no red
        first, said, rest = text.partition(refused)
        text, rest, tone = f"✗ {first}{said}", rest.strip("\n"), Tone.DANGER
    kids: list[Node] = []
    if model.fault is not None and model.linked:
        side = look.px(24)
        spot = Rect(rect.right - side - look.px(2), rect.y + look.px(2), side, side)
        kids.append(bar.dismissing(spot, look))
        inner = Rect(inner.x, inner.y, spot.x - inner.x, inner.h)
    if match is not None and match.back >= 0:
        inner, kids = moves.looking_back(model, match, inner, look)
    elif wide := _aside(buttons, inner.w, look):
        inner, spot = columns(inner, [1, wide])
        spot = centred(spot, wide, look.row)
        kids += widgets.flow(spot, look, buttons, align=Align.RIGHT)
    elif buttons:
        spot = Rect(inner.x, inner.bottom - foot, inner.w, foot)
        inner = Rect(inner.x, inner.y, inner.w, spot.y - inner.y - look.gap)
        kids += widgets.flows(spot, look, buttons)
    whole = f"{text}\n{rest}" if rest else text
    size = typefaces.within(whole, look.body, look.small, (inner.w, inner.h))
    news, bad = bar.passing(model)
    long = typefaces.height(text, size, inner.w) > inner.h
    if long and not bad and text.startswith(f"{news}\n"):
        # What is to be done is seen without scrolling; the rest stands in the chat.
        text = f"{text.removeprefix(news).strip()}\n{news}"
    offset = model.scrolls.get("instructions", 0)
    kids.append(
        widgets.reading("instructions", inner, text, look, size=size, tone=tone,
                        offset=offset, rest=rest)
    )  # fmt: skip
    turn = bool(match and model.table and match.seat in model.table.turn)
    face = widgets.panel(rect, look, kids, name="instructions.box")
    edge = look.theme.accent if turn else face.edge
    return replace(face, edge=edge, border=look.px(2 if turn else 1), clip=True)


def _refused(model: Model) -> str:
    """Return why what was tried last cannot be, as the box says it; else nothing."""
    match, table = model.match, model.table
    if match is None or table is None or match.covered:
        return ""
    if model.fault is not None:
        return bar.passing(model)[0]
    refused = board.find(match.game).TRAITS.refused
    waits = match.back >= 0 or _halted(model, table)
    return "" if refused is None or waits else refused(match.local)


def instruction(model: Model) -> str:
    """Return what the instructions box says."""
    match, table = model.match, model.table
    if table is None or match is None:
        return ""
    if match.covered:
        turn = _("{name}'s turn").format(name=next_name(model, match))
        # What is said behind the curtain is for both; what was said before is gone.
        news = bar.passing(replace(model, fault=None))[0]
        return f"{news}\n{turn}" if news else turn
    said, state = bar.passing(model)[0], _state(model)
    if match.back >= 0:
        again = agreeing.play_again(model, table) if table.phase == "over" else ""
        state = "\n".join(
            line for line in (again, moves.looked_at(model, match)[1] or state) if line
        )
    told = [line.removesuffix(".") for line in state.split("\n")]
    if said and said not in told:
        state = f"{said}\n{state}"
    held = model.look.held  # such a phone has no bar for it
    days = _note(model) if held and not against(table) else agreeing.note(table)
    days = days if table.phase == "playing" else ""
    has_room = not held and bar.says(model, headline(model), _note(model))
    if days and not has_room:
        state = f"{state}\n{days}"
    warning = against(table)
    if warning and not bar.says(model, headline(model), warning):
        state = f"{warning}\n{state}"
    return state


def _state(model: Model) -> str:
    """Return what the match waits for, or what the game says."""
    match, table = model.match, model.table
    if table is None or match is None:
        return ""
    said = _halted(model, table)
    if not said:
        said = board.find(match.game).status(seen(model, match), match.local)
        if kept := unfinished.said(model):
            said = f"{kept}\n{said}"
        if "hint" in model.asked.values():
            said = _("Looking for a good move…")
        elif match.hint:
            said = f"{match.hint}\n{said}"
    said = agreeing.told(model, said)
    if asked := bystanders.question(table):
        said = f"{asked}\n{said}"
    for each in (*table.apart, *table.lost, *table.claims):
        said = f"{texts.phrase(each)}\n{said}"
    again = agreeing.play_again(model, table) if table.phase == "over" else ""
    return "\n".join(filter(None, (pointed(model, said), again)))


def _halted(model: Model, table: door.TableStatus) -> str:
    """Return what the match waits for, empty if it goes on."""
    if unfinished.waits(model) and table.phase != "stopped":
        return unfinished.said(model)
    waits = _("The game waits for {who}.").format(who=texts.phrase(table.waiting))
    if table.phase == "paused":
        on = phrases.held(table) or _("It goes on by itself.")
        return "\n".join(filter(None, (waits, on, lending.awaited(table)[0])))
    if table.phase == "stopped":
        if table.disputed:
            return _("The game stays unfinished, in dispute: nobody has won or lost.")
        after_a_stop = (
            _("The game cannot go on. Save keeps it as far as you saw it.")
            if table.waiting == Code.FORK.text
            else _("The game was stopped. It can go on from where it is.")
        )
        return texts.phrase(table.waiting) + "\n" + after_a_stop
    owed = table.waiting if table.face_down and table.phase == "playing" else ""
    mixing = isinstance(owed, Said) and owed.code == Says.SHUFFLING.name
    if mixing or table.phase == "starting":
        return agreeing.starts(table)
    return waits if owed else ""


_CHAT: Final = 132
"""The height of the chat's own card at 100 %."""


def _roomy(model: Model, high: int) -> bool:
    """Tell whether a card below the players' has room for moves and chat."""
    turns = model.match is None or not model.match.hurries
    return turns and high >= model.look.px(_CHAT + 230)


def talks(model: Model) -> bool:
    """Tell whether the chat is seen."""
    if chosen(model) == CHAT:
        return True
    if alone(model) or model.look.held:
        return False
    rest = rows(Rect(0, 0, *model.size), [bar.height(model.look), 1])[1]
    area = _body(model, rest)[1]
    shared = column(model, area)
    foot = rows(area, [shared.box, shared.panels, 1], model.look.gap)[2]
    return _roomy(model, foot.h)


def _titles(model: Model, *, chat_too: bool) -> dict[int, str]:
    """Return the tabs that there are, and what they are called."""
    unread = f" ({model.chat.unread})" if model.chat.unread else ""
    turns = model.phase == "over" or chosen(model) != CHAT or bool(moves.worthy(model))
    titles = {FIELD: _("Board")} if flat(model) or folds(model) else {}
    titles |= {MOVES: _("Moves")} if turns else {}
    if chat_too or not turns:
        titles[CHAT] = _("Chat") + unread
    if review.there(model):
        titles[REVIEW] = _("Review")
    if players.listed(model):
        titles[WORDS] = _("Words")
    if unseen.counted(model):
        titles[UNSEEN] = _("Tiles left")
    return titles


def tabbed(model: Model, rect: Rect, *, chat_too: bool) -> Node:
    """Return the card with moves, analysis and words, one at a time."""
    look, titles = model.look, _titles(model, chat_too=chat_too)
    at = chosen(model)
    at = at if at in titles else next(iter(titles))
    edge = look.px(0 if look.held else 4)  # what is touched has room of its own
    inner = rect if at == FIELD and look.held else rect.inset(look.px(10), 2 * edge)
    foot = [look.px(8)] if look.held and at in (CHAT, REVIEW) else []  # also below
    top, room, *_foot = rows(inner, [look.row, 1, *foot], edge)
    wide = bystanders.width(model)
    top, eye = columns(top, [1, wide], look.px(4)) if wide else (top, top)
    kids = [
        widgets.tab_row(TABS, top, [*titles.values()], at, look, [*titles], means=ToTab)
    ]
    if wide and model.table is not None:
        kids.append(bystanders.button(model.table, eye, look))
    if at == CHAT and room.h >= look.row + look.line:
        kids += chat.inside(model, room)
    elif at == REVIEW:
        kids += review.inside(model, room, moves.numbers(model))
    elif at == WORDS:
        kids += players.inside(model, room)
    elif at == UNSEEN:
        kids += unseen.inside(model, room)
    elif at == MOVES:
        kids += moves.inside(model, room)
    if inner == rect:  # the tabs have no card
        return widgets.group(rect, kids, name="lower")
    return replace(widgets.panel(rect, look, kids, name="lower"), clip=True)


def chosen(model: Model) -> int:
    """Return the tab that was chosen; the moves first, where there are turns."""
    usual = CHAT if model.match is not None and model.match.hurries else MOVES
    usual = FIELD if flat(model) or folds(model) else usual
    at = model.scrolls.get(TABS, usual)
    return at if at != REVIEW or review.there(model) else MOVES

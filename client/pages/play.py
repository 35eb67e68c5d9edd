"""The match page, common to all games: players, scores, instructions, chat, moves."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from client import board, metrics, tabs, texts, widgets
from client.layout import centred, columns, rows
from client.model import Match, Model, seen
from client.pages import (
    agreeing,
    bar,
    bystanders,
    chat,
    days,
    fairness,
    first_game,
    moves,
    offers,
    players,
    review,
    undelivered,
)
from client.scene import Align, Mark, Node, Rect
from client.texts import _
from client.theme import Look, stands
from client.widgets import Tone, label
from netplay.errors import Code
from netplay.messages import door
from netplay.said import Said
from netplay.sentences import Says
from netplay.text import delivery
from rules import GAMES

SIDE: Final = (290, 560)
"""Least and greatest width of the side panel, in pixels at 100 %."""

REVIEW: Final = 2
"""The tab with the best plays, once a match whose turns can be judged is over."""

WORDS: Final = 3
"""The tab with the word lists, where the players' cards have no room for them."""

CHAT: Final = 0
"""The tab with the chat, where it has no card of its own."""

MOVES: Final = 1
"""The tab with the moves."""

TABS: Final = "side"
"""The tabs over chat and moves; the chosen one is kept among the scrolls."""


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the match page."""
    look, match = model.look, model.match
    top, rest = rows(area, [bar.height(look), 1])
    head = bar.scene(model, top, headline(model), _note(model))
    left, right = _body(model, rest)
    if match is None:
        words = label(left, _("Waiting for the board…"), look, tone=Tone.DIM)
        return head, words, *_side(model, right)
    return head, *_game(model, match, left), *_side(model, right)


def picture(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return board, instructions and players alone, for a picture of a match."""
    look, match = model.look, model.match
    body = area.inset(look.px(14))
    left, right = columns(body, [1, _side_width(model, body)], look.px(16))
    if match is None:
        return ()
    box, panels = rows(right, [look.px(40) + 4 * look.line, 1], look.gap)
    across = players.across(model, panels.w, panels.h)
    return (
        *_game(model, match, left),
        _instructions(model, box, ()),
        players.scene(model, panels, across),
    )


def _body(model: Model, rest: Rect) -> tuple[Rect, ...]:
    """Return the room for the board, and that for the side panel."""
    body = rest.inset(model.look.px(12), model.look.px(6))
    if stands(model.size):  # the board over the whole width, the rest below
        high = min(body.w * 13 // 10, body.h * 2 // 3)
        return rows(body, [high, 1], model.look.px(10))
    return columns(body, [1, _side_width(model, body)], model.look.px(16))


def _side_width(model: Model, body: Rect) -> int:
    """Return the width of the side panel: what the board leaves, or a share."""
    look = model.look
    least, most = (look.px(wide) for wide in SIDE)
    beside = body.w - round(body.h * _breadth(model)) - look.px(12)
    return max(least, min(most, max(body.w * 28 // 100, beside)))


def _breadth(model: Model) -> float:
    match = model.match
    return 1.0 if match is None else board.find(match.game).TRAITS.breadth


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
    return _turn(model, table.turn)


def _ending(table: door.TableStatus) -> str:
    if table.disputed:
        return _("In dispute")
    if table.phase == "stopped":
        return _("Stopped")
    if table.contested:
        return _("Won on time, contested")
    return _("Game over, NOT AUDITED") if table.held_up else _("Game over")


def _turn(model: Model, turn: tuple[int, ...]) -> str:
    if model.match is not None and model.match.seat in turn:
        return _("Your turn")
    if len(turn) == 1 and turn[0] < len(model.names):
        return _("{name}'s turn").format(name=model.names[turn[0]])
    return board_title(model)


def board_title(model: Model) -> str:
    """Return the name of the game."""
    return GAMES[model.table.game].ABOUT.title if model.table else "Netplay"


def _note(model: Model) -> str:
    table = model.table
    if table is None:
        return ""
    if warning := against(table):
        return warning
    watchers = ""
    if table.watchers:
        watchers = _("Watching: {names}").format(
            names=", ".join(map(texts.phrase, table.watchers))
        )
    if table.phase == "stopped":
        return texts.phrase(table.waiting)
    shuffling = Says.SHUFFLING.name
    if isinstance(table.waiting, Said) and table.waiting.code == shuffling:
        return texts.phrase(table.waiting)
    told = (days.note(table), _awaited(model, table), watchers)
    return " · ".join(filter(None, told)) or fairness.note(table)


def _awaited(model: Model, table: door.TableStatus) -> str:
    """Return for whom the match waits, and what has not come to them."""
    if undelivered.waits(model):
        return _("Not delivered yet")
    if absent := undelivered.missed(model):
        return _("{who} is away").format(who=absent)
    if table.waiting and table.waiting != "chance":
        return _("Waiting for {who}").format(who=texts.phrase(table.waiting))
    return ""


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


def _game(model: Model, match: Match, area: Rect) -> tuple[Node, ...]:
    """Return the board, or the curtain before it."""
    look = model.look
    if match.covered:
        return (_curtain(model, match, area),)
    module = board.find(match.game)
    view = review.on_board(model, seen(model, match))
    if match.back < 0:
        return (module.scene(view, match.local, area, look),)
    # A hand of that time: what is laid now waits for the live board.
    then = replace(view, by_hand=False)
    drawn = module.scene(then, module.begin(then), area, look)
    return (widgets.inert(drawn, look, PAGES_OWN),)


PAGES_OWN: Final = "game."
"""Begins the names of buttons among a game's that are the page's."""


def next_name(model: Model, match: Match) -> str:
    """Return the name of the person for whom the curtain is down."""
    seat = match.seat if model.watching is None else model.watching
    return model.names[seat] if 0 <= seat < len(model.names) else ""


def _curtain(model: Model, match: Match, area: Rect) -> Node:
    """Return what hides the board until the next person at this computer is ready."""
    look = model.look
    name = next_name(model, match)
    rect = centred(area, look.px(420), look.px(190))
    inner = rect.inset(look.px(20))
    head, note, foot = rows(inner, [look.px(40), 1, look.row], look.gap)
    title = _("{name}'s turn").format(name=name)
    if all(step.actor < 0 for step in match.past):
        title = _("{name} starts.").format(name=name)
    text = _("Switch places at the keyboard. The rack stays hidden until then.")
    go = widgets.button(
        "ready", foot, _("I am {name}: show the rack").format(name=name), look,
        tone=Tone.MAIN,
    )  # fmt: skip
    middle = Align.CENTRE
    size = metrics.fitting((title,), look.title, look.body, head.w)
    kids = [
        label(head, title, look, name="curtain.title", size=size, align=middle),
        label(note, text, look, tone=Tone.DIM, wrap=True, align=middle),
        go,
    ]
    return widgets.panel(rect, look, kids, name="curtain")


def _looked_at(model: Model, match: Match) -> tuple[str, str]:
    lines = moves.told(model)
    if match.hurries:
        minutes, seconds = divmod(match.looked_at // 1000, 60)
        return f"{minutes}:{seconds:02d}", ""
    done = [text for i, text in lines if i < match.back]
    text = _("Move {n} of {all}").format(n=len(done), all=len(lines))
    return text, done[-1] if done else ""


def _looking_back(model: Model, match: Match, room: Rect) -> tuple[Rect, list[Node]]:
    """Return what says which move is shown, and leads back, and the room between."""
    look = model.look
    head, rest, foot = rows(room, [look.line, 1, look.row], look.px(4))
    words = _("Back to the game")
    wide = widgets.button_width(words, look)
    back, forth, live, _none = columns(foot, [look.row, look.row, wide, 1], look.gap)
    text = _looked_at(model, match)[0]
    return rest, [
        label(head, text, look, name="back.text", bold=True),
        widgets.button("back.less", back, "", look, mark=Mark.LEFT),
        widgets.button("back.more", forth, "", look, mark=Mark.RIGHT),
        widgets.button("back.live", live, words, look, tone=Tone.MAIN),
    ]


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
    look, gap = model.look, model.look.gap
    box = _box_height(model, area.w, 3)
    reviewed = chosen(model) == REVIEW  # the game is over: room to look back
    lower = max(look.px(130), area.h * (48 if reviewed else 32) // 100)
    least = _lower_least(look)
    room = area.h - box - 2 * gap
    wanted = max(least, lower)
    across = players.across(model, area.w, room - wanted)
    across = across or players.across(model, area.w, room - least)
    cards = players.height(model, area.w, across)
    if across == players.LINED:
        low = _box_height(model, area.w, 2)
        box = max(low, min(box, area.h - cards - wanted - 2 * gap))
    return Column(box, cards, across)


def _box_height(model: Model, wide: int, lines: int) -> int:
    """Return how high the instructions are, with so many lines and their buttons."""
    look, buttons = model.look, offers.buttons(model)
    inner = wide - 2 * look.px(14)
    if model.match is not None and model.match.back >= 0:
        return 2 * look.px(8) + lines * look.line + look.row + look.px(20)
    high = widgets.flow_height(buttons, inner, look) + look.gap if buttons else 0
    if lines > 2:
        return look.px(22) + lines * look.line + high
    return 2 * look.px(8) + lines * round(look.small * metrics.LINE) + high


def _lower_least(look: Look) -> int:
    """Return how high the card with chat and moves must be: for two lines of chat."""
    two = 2 * (round(look.small * metrics.LINE) + look.px(1)) + look.px(6) + look.row
    return 2 * look.px(8) + look.row + look.px(4) + two


def _side(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return instructions, players, chat and moves, from top to bottom."""
    shared = column(model, area)
    box, panels, foot = rows(area, [shared.box, shared.panels, 1], model.look.gap)
    return (
        _instructions(model, box, offers.buttons(model)),
        players.scene(model, panels, shared.across),
        *_lower(model, foot),
    )


def _instructions(model: Model, rect: Rect, buttons: Sequence[widgets.Item]) -> Node:
    """Return the instructions box (source document, Playing words)."""
    look, match = model.look, model.match
    inner = rect.inset(look.px(14), look.px(12))
    foot = widgets.flow_height(buttons, inner.w, look)
    needed = 3 * look.line + 2 * look.px(12) + (foot + look.gap if buttons else 0)
    if rect.h < needed:
        inner = rect.inset(look.px(14), look.px(8))
    text, tone = instruction(model), Tone.PLAIN
    if text and _is_refused(model):  # by a sign too, for those who see no red
        text, tone = f"✗ {text}", Tone.DANGER
    kids: list[Node] = []
    if model.fault is not None and model.linked:
        side = look.px(24)
        spot = Rect(rect.right - side - look.px(2), rect.y + look.px(2), side, side)
        kids.append(bar.dismissing(spot, look))
        inner = Rect(inner.x, inner.y, spot.x - inner.x, inner.h)
    if match is not None and match.back >= 0:
        inner, kids = _looking_back(model, match, inner)
    elif buttons:
        spot = Rect(inner.x, inner.bottom - foot, inner.w, foot)
        inner = Rect(inner.x, inner.y, inner.w, spot.y - inner.y - look.gap)
        kids += widgets.flows(spot, look, buttons)
    size = look.body
    while (
        size > look.small and metrics.height(text, size, inner.w, bold=False) > inner.h
    ):
        size -= 1
    offset = model.scrolls.get("instructions", 0)
    kids.append(
        widgets.reading(
            "instructions", inner, text, look, size=size, tone=tone, offset=offset
        )
    )
    waited = model.table.turn if model.table else ()
    turn = match is not None and match.seat in waited
    face = widgets.panel(rect, look, kids, name="instructions.box")
    edge = look.theme.accent if turn else face.edge
    return replace(face, edge=edge, border=look.px(2 if turn else 1), clip=True)


def _is_refused(model: Model) -> bool:
    """Tell whether the box begins with why what was tried last cannot be."""
    match, table = model.match, model.table
    if match is None or table is None or match.covered:
        return False
    if model.fault is not None:
        return True
    refused = board.find(match.game).TRAITS.refused
    said = refused is not None and bool(refused(match.local))
    return said and match.back < 0 and not _halted(model, table)


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
        again = offers.again(table) if table.phase == "over" else ""
        state = "\n".join(
            line for line in (again, _looked_at(model, match)[1] or state) if line
        )
    told = [line.removesuffix(".") for line in state.split("\n")]
    if said and said not in told:
        state = f"{said}\n{state}"
    warning = against(table)
    if warning and not bar.says(model, headline(model), warning):
        state = f"{warning}\n{state}"
    return state


def _state(model: Model) -> str:
    """Return what the match waits for, or what the game says."""
    match, table = model.match, model.table
    if table is None or match is None:
        return ""
    if halted := _halted(model, table):
        return halted
    said = board.find(match.game).status(seen(model, match), match.local)
    if kept := undelivered.said(model):
        said = f"{kept}\n{said}"
    if "hint" in model.asked.values():
        said = _("The computer is thinking…")
    elif match.hint:
        said = f"{match.hint}\n{said}"
    said = agreeing.told(model, said)
    if asked := bystanders.question(table):
        said = f"{asked}\n{said}"
    for each in (*table.apart, *table.lost, *table.claims):
        said = f"{texts.phrase(each)}\n{said}"
    again = offers.again(table) if table.phase == "over" else ""
    return "\n".join(filter(None, (first_game.pointed(model, said), again)))


def _halted(model: Model, table: door.TableStatus) -> str:
    """Return what the match waits for, empty if it goes on."""
    if undelivered.waits(model) and table.phase != "stopped":
        return undelivered.said(model)
    if table.phase == "paused":
        said = _("The game waits for {who}.").format(who=texts.phrase(table.waiting))
        held = delivery.left(table) or _("It goes on by itself.")
        return said + "\n" + held
    if table.phase == "stopped":
        if table.disputed:
            dispute = _(
                "The game stays unfinished, in dispute: nobody has won or lost."
            )
            return "\n".join([*map(texts.phrase, table.apart), dispute])
        return texts.phrase(table.waiting) + "\n" + _after_a_stop(table)
    return _("The tiles are being mixed.") if table.phase == "starting" else ""


def _after_a_stop(table: door.TableStatus) -> str:
    if table.waiting == Code.FORK.text:
        return _("The game cannot go on. Save keeps it as far as you saw it.")
    return _("The game was stopped. It can go on from where it is.")


def _lower(model: Model, rect: Rect) -> tuple[Node, ...]:
    """Return the card with moves and what else there is, and below it the chat.

    Where there is no room for both, the chat is one of the tabs.
    """
    look = model.look
    if not _roomy(model, rect.h):
        return (_tabbed(model, rect, chat_too=True),)
    upper, low = rows(rect, [1, look.px(_CHAT)], look.gap)
    talk = chat.inside(model, low.inset(look.px(10), look.px(8)))
    card = replace(widgets.panel(low, look, talk, name="chat.card"), clip=True)
    return _tabbed(model, upper, chat_too=False), card


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
    rest = rows(Rect(0, 0, *model.size), [bar.height(model.look), 1])[1]
    area = _body(model, rest)[1]
    shared = column(model, area)
    foot = rows(area, [shared.box, shared.panels, 1], model.look.gap)[2]
    return _roomy(model, foot.h)


def _tabbed(model: Model, rect: Rect, *, chat_too: bool) -> Node:
    """Return the card with moves, analysis and words, one at a time."""
    look = model.look
    inner = rect.inset(look.px(10), look.px(8))
    unread = f" ({model.chat.unread})" if model.chat.unread else ""
    turns = model.phase == "over" or chosen(model) != CHAT or bool(moves.told(model))
    titles = {MOVES: _("Moves")} if turns else {}
    if chat_too or not turns:
        titles[CHAT] = _("Chat") + unread
    if review.there(model):
        titles[REVIEW] = _("Analysis")
    if players.listed(model):
        titles[WORDS] = _("Words")
    at = chosen(model)
    at = at if at in titles else next(iter(titles))
    top, room = rows(inner, [look.row, 1], look.px(4))
    wide = bystanders.width(model)
    top, eye = columns(top, [1, wide], look.px(4)) if wide else (top, top)
    kids = [tabs.row(TABS, top, [*titles.values()], at, look, [*titles])]
    if wide and model.table is not None:
        kids.append(bystanders.button(model.table, eye, look))
    if at == CHAT and room.h >= 2 * look.row:
        kids += chat.inside(model, room)
    elif at == REVIEW:
        kids += review.inside(model, room)
    elif at == WORDS:
        kids += players.inside(model, room)
    elif at == MOVES:
        kids += moves.inside(model, room)
    return replace(widgets.panel(rect, look, kids, name="lower"), clip=True)


def chosen(model: Model) -> int:
    """Return the tab that was chosen; the moves first, where there are turns."""
    usual = CHAT if model.match is not None and model.match.hurries else MOVES
    at = model.scrolls.get(TABS, usual)
    return at if at != REVIEW or review.there(model) else MOVES

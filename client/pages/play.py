"""The match page, common to all games: players, scores, instructions, chat, moves."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client import board, metrics, texts, widgets
from client.layout import centred, columns, rows
from client.model import Match, Model, seen
from client.pages import bar, gallery, players, review, talk
from client.scene import Align, Mark, Node, Rect
from client.texts import _
from client.widgets import Tone, label
from netplay import wire
from netplay.errors import Code
from netplay.messages import door
from rules import GAMES

SIDE: Final = (250, 380)
"""Least and greatest width of the side panel, in pixels at 100 %."""

REVIEW: Final = 2
"""The tab with the best plays, once a match whose turns can be judged is over."""

HINT: Final = "ask.hint"
"""The page's own button; games have buttons of their own called "hint"."""

TABS: Final = "side"
"""The tabs over chat and moves; the chosen one is kept among the scrolls."""


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the match page."""
    look, match = model.look, model.match
    top, rest = rows(area, [bar.height(look), 1])
    head = bar.scene(model, top, headline(model), _note(model))
    body = rest.inset(look.px(12), look.px(6))
    wide = max(look.px(SIDE[0]), min(look.px(SIDE[1]), body.w * 28 // 100))
    left, right = columns(body, [1, wide], look.px(12))
    if match is None:
        words = label(left, _("Waiting for the board…"), look, tone=Tone.DIM)
        return head, words, *_side(model, right)
    return head, *_game(model, match, left), *_side(model, right)


def picture(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return board, instructions and players alone, for a picture of a match."""
    look, match = model.look, model.match
    body = area.inset(look.px(14))
    wide = max(look.px(SIDE[0]), min(look.px(SIDE[1]), body.w * 28 // 100))
    left, right = columns(body, [1, wide], look.px(12))
    if match is None:
        return ()
    box, panels = rows(right, [look.px(40) + 4 * look.line, 1], look.gap)
    count = max(1, len(model.names))
    return (
        *_game(model, match, left),
        _instructions(model, box, ()),
        players.scene(model, panels, count),
    )


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
    """Return how a match has ended, for the bar."""
    if table.disputed:
        return _("In dispute")
    if table.phase == "stopped":
        return _("Stopped")
    return _("Game over, NOT AUDITED") if table.held_up else _("Game over")


def _turn(model: Model, turn: tuple[int, ...]) -> str:
    """Return whose turn it is."""
    if model.match is not None and model.match.seat in turn:
        return _("Your turn")
    if len(turn) == 1 and turn[0] < len(model.names):
        return _("{name}'s turn").format(name=model.names[turn[0]])
    return board_title(model)


def board_title(model: Model) -> str:
    """Return the name of the game."""
    return GAMES[model.table.game].ABOUT.title if model.table else "Netplay"


def _note(model: Model) -> str:
    """Return what the table waits for."""
    table = model.table
    if table is None:
        return ""
    if warning := _warning(table):
        return warning
    watchers = ""
    if table.watchers:
        watchers = _("Watching: {names}").format(names=", ".join(table.watchers))
    if table.phase == "stopped":
        return texts.told(table.waiting)
    if table.waiting and table.waiting != "chance":
        return _("Waiting for {who}").format(who=texts.told(table.waiting))
    return watchers


def _warning(table: door.TableStatus) -> str:
    """Return what speaks against a match, empty if nothing does."""
    if table.audit and table.audit != "ok":
        return _("The audit failed: {why}").format(why=texts.told(table.audit))
    if table.held_up:
        why = texts.told(table.held_up)
        return _("NOT AUDITED: {why}. Nobody knows if it was fair.").format(why=why)
    if table.disputed:
        return _("Unfinished, in dispute")
    return texts.told(table.doubt)


def _game(model: Model, match: Match, area: Rect) -> tuple[Node, ...]:
    """Return the board, or the curtain before it."""
    look = model.look
    if match.covered:
        return (_curtain(model, match, area),)
    strip: list[Node] = []
    if match.back >= 0:
        band, area = rows(area, [look.row, 1], look.gap)
        strip += _looking_back(model, match, band)
    module = board.find(match.game)
    view = review.on_board(model, seen(model, match))
    drawn = module.scene(view, match.local, area, look)
    return (*strip, drawn)


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
    kids = [
        label(head, title, look, name="curtain.title", size=look.title, align=middle),
        label(note, text, look, tone=Tone.DIM, wrap=True, align=middle),
        go,
    ]
    return widgets.panel(rect, look, kids, name="curtain")


def _looking_back(model: Model, match: Match, band: Rect) -> list[Node]:
    """Return the strip that says which move is shown, and leads back."""
    look = model.look
    places = [i + 1 for i, _line in told(model)]
    done = sum(place <= match.back for place in places)
    text = _("Move {n} of {all}").format(n=done, all=len(places))
    if match.hurries:
        minutes, seconds = divmod(match.looked_at // 1000, 60)
        text = f"{minutes}:{seconds:02d}"
    words = _("Back to the game")
    wide = widgets.button_width(words, look)
    left, back, forth, live = columns(band, [1, look.row, look.row, wide], look.gap)
    return [
        label(left, text, look, name="back.text", bold=True),
        widgets.button("back.less", back, "", look, mark=Mark.LEFT),
        widgets.button("back.more", forth, "", look, mark=Mark.RIGHT),
        widgets.button("back.live", live, words, look, tone=Tone.MAIN),
    ]


def _side(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return instructions, players, chat and moves, from top to bottom."""
    look = model.look
    count = max(1, len(model.names))
    high = look.px(40) + 4 * look.line
    buttons = _end_buttons(model)
    extra = look.row + look.gap if buttons else 0
    share = 48 if tab(model) == REVIEW else 32  # the game is over: room to look back
    lower = max(look.px(130), area.h * share // 100)
    parts: list[float] = [high + extra, 1, lower]
    table = model.table
    if table is not None and "lexicon" not in GAMES[table.game].ABOUT.resources:
        across = 1 if count == 1 else 2  # no word lists: the room is for the moves
        parts = [high + extra, -(-count // across) * look.px(104), 1]
    box, panels, foot = rows(area, parts, look.gap)
    return (
        _instructions(model, box, buttons),
        players.scene(model, panels, count),
        _lower(model, foot),
    )


def _instructions(
    model: Model, rect: Rect, buttons: Sequence[tuple[str, str, Tone, bool]]
) -> Node:
    """Return the instructions box (source document, Playing words)."""
    look, match = model.look, model.match
    inner = rect.inset(look.px(14), look.px(12))
    text = instruction(model)
    kids: list[Node] = []
    if buttons:
        foot = Rect(inner.x, inner.bottom - look.row, inner.w, look.row)
        inner = Rect(inner.x, inner.y, inner.w, foot.y - inner.y - look.gap)
        kids += widgets.flow(foot, look, buttons)
    size = look.body
    while (
        size > look.small and metrics.height(text, size, inner.w, bold=False) > inner.h
    ):
        size -= 1
    if model.fault is not None and model.linked:
        spot = Rect(rect.right - look.px(24), rect.y, look.px(24), look.px(24))
        kids.append(bar.dismissing(spot, look))
    offset = model.scrolls.get("instructions", 0)
    kids.append(
        widgets.reading("instructions", inner, text, look, size=size, offset=offset)
    )
    waited = model.table.turn if model.table else ()
    turn = match is not None and match.seat in waited
    face = widgets.panel(rect, look, kids, name="instructions.box")
    edge = look.theme.accent if turn else face.edge
    return replace(face, edge=edge, border=look.px(2 if turn else 1), clip=True)


def instruction(model: Model) -> str:
    """Return what the instructions box says."""
    match, table = model.match, model.table
    if table is None or match is None:
        return ""
    if match.covered:
        return _("{name}'s turn").format(name=next_name(model, match))
    said, state = bar.passing(model)[0], _state(model)
    told = [line.removesuffix(".") for line in state.split("\n")]
    return f"{said}\n{state}" if said and said not in told else state


def _state(model: Model) -> str:
    """Return what the match waits for, or what the game says."""
    match, table = model.match, model.table
    if table is None or match is None:
        return ""
    if table.phase == "paused":
        said = _("The game waits for {who}.").format(who=texts.told(table.waiting))
        return said + "\n" + _("It goes on by itself.")
    if table.phase == "stopped":
        if table.disputed:
            return "\n".join([*map(texts.told, table.apart), _in_dispute()])
        return texts.told(table.waiting) + "\n" + _after_a_stop(table)
    if table.phase == "starting":
        return _("The tiles are being mixed.")
    said = board.find(match.game).status(seen(model, match), match.local)
    if "hint" in model.asked.values():
        said = _("The computer is thinking…")
    elif match.hint:
        said = f"{match.hint}\n{said}"
    for each in (*table.apart, *table.lost):
        said = f"{texts.told(each)}\n{said}"
    again = _again(table) if table.phase == "over" else ""
    return f"{said}\n{again}" if again else said


def _in_dispute() -> str:
    """Return what becomes of a match whose programs do not see the same."""
    return _("The game stays unfinished, in dispute: nobody has won or lost.")


def _after_a_stop(table: door.TableStatus) -> str:
    """Return whether a match that was stopped can go on."""
    if table.waiting == Code.FORK.text:
        return _("The game cannot go on. Save keeps it as far as you saw it.")
    return _("The game was stopped. It can go on from where it is.")


def _end_buttons(model: Model) -> list[tuple[str, str, Tone, bool]]:
    """Return the buttons of the instructions box: hint, retry, what comes after."""
    table = model.table
    if table is None:
        return []
    both = len(table.seats) > 2 and not table.watching
    if table.phase == "paused":
        again = ("retry", _("Try again now"), Tone.PLAIN, True)
        vote = ("vote", _("Go on without"), Tone.PLAIN, not table.hosting)
        return [again, vote] if both else [again]
    if table.phase == "stopped" or (table.watching and table.phase == "over"):
        return [("home", _("To the start"), Tone.MAIN, True)]
    if table.phase == "over":
        return [
            ("rematch", _("Rematch"), Tone.MAIN, _may_again(model, table)),
            ("home", _("To the start"), Tone.PLAIN, True),
            *_another_host(table, wanted=bool(table.held_up) and both),
        ]
    other = _another_host(table, wanted=bool(table.doubt) and both)
    match = model.match
    if match is not None and match.seat in table.turn and _hints(table):
        return [(HINT, _("Hint"), Tone.PLAIN, True), *other]
    return other


def _another_host(
    table: door.TableStatus, *, wanted: bool
) -> list[tuple[str, str, Tone, bool]]:
    """Return the button to vote against a host that is there, if it is wanted."""
    vote = ("vote", _("Vote for another host"), Tone.PLAIN, True)
    return [vote] if wanted and not table.hosting else []


def _may_again(model: Model, table: door.TableStatus) -> bool:
    """Tell whether this node may propose, or ask the host for, a rematch."""
    wished = model.status is not None and model.status.name in table.rematch
    return table.hosting or not (wished or table.watching or _host_away(table))


def _host_away(table: door.TableStatus) -> bool:
    """Tell whether whoever sets the terms cannot be reached."""
    states = [seat.state for seat in table.seats if seat.name == table.host]
    return bool(states) and "away" in states


def _again(table: door.TableStatus) -> str:
    """Return who would like a rematch, or why there can be none."""
    if table.rematch:
        names = ", ".join(table.rematch)
        return _("{names} would like a rematch.").format(names=names)
    if not table.hosting and _host_away(table):
        return _("{name} is away: no rematch now.").format(name=table.host)
    return ""


def _hints(table: door.TableStatus) -> bool:
    """Tell whether the rules of this match allow hints."""
    about = GAMES[table.game].ABOUT
    if about.hinted is None:
        return False
    return about.hinted.hints(wire.unpack(table.options, about.options))


def _lower(model: Model, rect: Rect) -> Node:
    """Return the card with chat and moves, one at a time."""
    look = model.look
    inner = rect.inset(look.px(10), look.px(8))
    chosen = tab(model)
    unread = f" ({model.chat.unread})" if model.chat.unread else ""
    titles = [_("Chat") + unread, _("Moves")]
    if review.there(model):
        titles.append(_("Analysis"))
    top, room = rows(inner, [look.row, 1], look.px(4))
    kids = [widgets.tabs(TABS, top, titles, chosen, look)]
    if gallery.strip(model):  # here, for above the board it would move the squares
        band, room = rows(room, [gallery.height(model, room.w), 1], look.px(4))
        kids += gallery.told(model, band)
    if chosen == 0:
        kids += talk.inside(model, room)
    elif chosen == REVIEW:
        kids += review.inside(model, room)
    else:
        kids += _moves(model, room)
    return replace(widgets.panel(rect, look, kids, name="lower"), clip=True)


def tab(model: Model) -> int:
    """Return which of chat, moves and analysis is shown."""
    chosen = model.scrolls.get(TABS, 0)
    return chosen if chosen < REVIEW or review.there(model) else 1


def told(model: Model) -> list[tuple[int, str]]:
    """Return the moves worth a line: (place in the history, words)."""
    match = model.match
    if match is None or match.covered:
        return []
    module = board.find(match.game)
    lines = ((i, module.tell(step, model.names)) for i, step in enumerate(match.past))
    return [(i, text) for i, text in lines if text]


def _ended(model: Model) -> bool:
    """Tell whether there is a result to copy, if there are no moves worth a line."""
    over = model.table is not None and model.table.phase == "over"
    return over and model.match is not None and not model.match.covered


def _moves(model: Model, room: Rect) -> list[Node]:
    """Return the list of moves; a click shows the board as it was then."""
    look, match = model.look, model.match
    lines = told(model)
    made = [
        widgets.row(
            f"move:{i}", f"{n}. {text}", look,
            selected=match is not None and match.back == i + 1,
        )
        for n, (i, text) in enumerate(lines, 1)
    ]  # fmt: skip
    at = model.scrolls.get("moves")
    listed, foot = rows(room, [1, look.row], look.px(4))
    return [
        widgets.scroll(
            "moves", listed, made, look.row, look, offset=at or 0, at_end=at is None
        ),
        *review.steps(foot, look, copy=bool(lines) or _ended(model)),
    ]

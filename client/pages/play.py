"""The match page, common to all games: players, scores, instructions, chat, moves."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client import board, metrics, texts, widgets
from client.board import Sheet
from client.layout import centred, columns, rows
from client.model import WORD_GAMES, Match, Model, seen
from client.pages import bar, gallery, review, setup, talk
from client.scene import Align, Colour, Mark, Node, Rect, Role
from client.texts import _
from client.theme import Look
from client.widgets import Tone, label
from netplay.errors import Code
from netplay.messages import door
from rules import GAMES

SIDE: Final = (250, 380)
"""Least and greatest width of the side panel, in pixels at 100 %."""

REVIEW: Final = 2
"""The tab with the best plays, once a match of Networdz is over."""

TABS: Final = "side"
"""The tabs over chat and moves; the chosen one is kept among the scrolls."""

LOW_CLOCK: Final = 60_000
"""Milliseconds from which a clock is shown as running low."""


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
    box, players = rows(right, [look.px(40) + 4 * look.line, 1], look.gap)
    count = max(1, len(model.names))
    return (
        *_game(model, match, left),
        _instructions(model, box, ()),
        _players(model, players, count),
    )


def headline(model: Model) -> str:
    """Return whose turn it is, for the bar and the window's title."""
    table, names = model.table, model.names
    if table is None:
        return "Netplay"
    if table.phase in ("over", "stopped"):
        return _("Game over") if table.phase == "over" else _("Stopped")
    if table.phase != "playing":
        return _("Waiting")
    if GAMES[table.game].ABOUT.hz:  # no turns
        return _("All play at once") if len(names) > 1 else board_title(model)
    return _turn(model, table.turn)


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
    if table.audit and table.audit != "ok":
        return _("The audit failed: {why}").format(why=texts.told(table.audit))
    watchers = ""
    if table.watchers:
        watchers = _("Watching: {names}").format(names=", ".join(table.watchers))
    if table.phase == "stopped":
        return texts.told(table.waiting)
    if table.waiting and table.waiting != "chance":
        return _("Waiting for {who}").format(who=texts.told(table.waiting))
    return watchers


def _game(model: Model, match: Match, area: Rect) -> tuple[Node, ...]:
    """Return the board, or the curtain before it."""
    look = model.look
    if match.covered:
        return (_curtain(model, match, area),)
    strip: list[Node] = []
    if gallery.strip(model):
        band, area = rows(area, [look.row, 1], look.gap)
        strip = gallery.told(model, band)
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
    if model.table is not None and model.table.game not in WORD_GAMES:
        across = 1 if count == 1 else 2  # no word lists: the room is for the moves
        parts = [high + extra, -(-count // across) * look.px(104), 1]
    box, players, foot = rows(area, parts, look.gap)
    return (
        _instructions(model, box, buttons),
        _players(model, players, count),
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
    kids.append(label(inner, text, look, name="instructions", size=size, wrap=True))
    waited = model.table.turn if model.table else ()
    turn = match is not None and match.seat in waited
    face = widgets.panel(rect, look, kids, name="instructions.box")
    edge = look.theme.accent if turn else face.edge
    return replace(face, edge=edge, border=look.px(2 if turn else 1))


def instruction(model: Model) -> str:
    """Return what the instructions box says."""
    match, table = model.match, model.table
    if table is None or match is None:
        return ""
    if match.covered:
        return _("{name}'s turn").format(name=next_name(model, match))
    said = bar.passing(model)[0]
    return f"{said}\n{_state(model)}" if said else _state(model)


def _state(model: Model) -> str:
    """Return what the match waits for, or what the game says."""
    match, table = model.match, model.table
    if table is None or match is None:
        return ""
    if table.phase == "paused":
        said = _("The game waits for {who}.").format(who=texts.told(table.waiting))
        return said + "\n" + _("It goes on by itself.")
    if table.phase == "stopped":
        return texts.told(table.waiting) + "\n" + _after_a_stop(table)
    if table.phase == "starting":
        return _("The tiles are being mixed.")
    said = board.find(match.game).status(seen(model, match), match.local)
    if "hint" in model.asked.values():
        said = _("The computer is thinking…")
    elif match.hint:
        said = f"{match.hint}\n{said}"
    again = _again(table) if table.phase == "over" else ""
    return f"{said}\n{again}" if again else said


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
    if table.phase == "paused":
        again = ("retry", _("Try again now"), Tone.PLAIN, True)
        vote = ("vote", _("Go on without"), Tone.PLAIN, not table.hosting)
        both = len(table.seats) > 2 and not table.watching
        return [again, vote] if both else [again]
    if table.phase == "stopped" or (table.watching and table.phase == "over"):
        return [("home", _("To the start"), Tone.MAIN, True)]
    if table.phase == "over":
        return [
            ("rematch", _("Rematch"), Tone.MAIN, _may_again(model, table)),
            ("home", _("To the start"), Tone.PLAIN, True),
        ]
    match = model.match
    if match is not None and match.seat in table.turn and _hints(match):
        return [("hint", _("Hint"), Tone.PLAIN, True)]
    return []


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


def _hints(match: Match) -> bool:
    """Tell whether the rules of this match allow hints."""
    options = getattr(match.state, "options", None)
    return bool(getattr(options, "hints", False))


def _players(model: Model, area: Rect, count: int) -> Node:
    """Return the players' panels, beside each other and in two rows from three on."""
    look, match, table = model.look, model.match, model.table
    sheets: tuple[Sheet, ...] = ()
    if match is not None:
        sheets = board.find(match.game).sheets(seen(model, match))
    across = 1 if count == 1 else 2
    down = -(-count // across)
    cards: list[Node] = []
    bands = rows(area, [1.0] * down, look.gap)
    for i in range(count):
        spot = columns(bands[i // across], [1.0] * across, look.gap)[i % across]
        if table is not None and i < len(table.seats):
            sheet = sheets[i] if i < len(sheets) else Sheet("")
            cards.append(_player(model, table, i, sheet, spot))
    return widgets.group(area, cards, name="players")


def _player(
    model: Model, table: door.TableStatus, i: int, sheet: Sheet, rect: Rect
) -> Node:
    """Return one player's panel: name, connection, score, tiles left, word list."""
    look, seat = model.look, table.seats[i]
    inner = rect.inset(look.px(10), look.px(8))
    turn = i in table.turn
    big = look.px(22)
    wide = look.width(sheet.score, big, bold=True) + look.px(4) if sheet.score else 1
    top = Rect(inner.x, inner.y, inner.w, round(big * 1.2))
    name, score = columns(top, [1, max(2, wide)], look.px(4))
    won = won_by(table, i)
    crown = look.px(18) if won else 0
    name = Rect(name.x + crown, name.y, max(0, name.w - crown), name.h)
    linked = seat.state in ("here", "connected")
    colour = look.theme.linked if linked else look.theme.unlinked
    kids = [
        label(name, seat.name or "–", look, name=f"player{i}", bold=True, colour=colour)
    ]
    if won:
        kids.append(_star(i, top, look))
    if sheet.score:
        kids.append(
            label(
                score, sheet.score, look, name=f"score{i}", size=big, bold=True,
                align=Align.RIGHT,
            )
        )  # fmt: skip
    pitch = round(look.small * metrics.LINE)
    y = top.bottom
    state = Rect(inner.x, y, inner.w, pitch)
    kids.append(setup.sign(model, seat, state, f"seat{i}.state"))
    y += pitch
    note = "  ".join(filter(None, (sheet.note, _clock(model, seat))))
    if note:
        low = 0 <= left(model, seat) < LOW_CLOCK and seat.ticking
        tone = Tone.DANGER if low else Tone.DIM
        short = metrics.fit(note, look.small, inner.w)[0] == note
        spot = Rect(inner.x, y, inner.w, pitch if short else 2 * pitch)
        kids.append(
            widgets.note(spot, note, look, name=f"note{i}", size=look.small, tone=tone)
        )
        y = spot.bottom
    room = Rect(inner.x, y + look.px(4), inner.w, inner.bottom - y - look.px(4))
    room = Rect(room.x, room.y, room.w, room.h // pitch * pitch)
    if sheet.lines and room.h >= pitch:
        kids.append(_words(model, i, sheet, room, pitch, colour))
    face = widgets.panel(rect, look, kids, name=f"player{i}.card")
    if not (turn or won):
        return face
    value = "winner" if won else "turn"
    return replace(face, edge=look.theme.accent, border=look.px(2), value=value)


def won_by(table: door.TableStatus, i: int) -> bool:
    """Tell whether a seat has won, alone or with others, over somebody."""
    if table.phase != "over" or i >= len(table.places):
        return False
    return table.places[i] == 1 and len(set(table.places)) > 1


def _star(i: int, top: Rect, look: Look) -> Node:
    """Return the winner's star, at the left of the name."""
    side = look.px(14)
    spot = Rect(top.x, top.y + (top.h - side) // 2, side, side)
    return Node(
        Role.LABEL, f"winner{i}", spot, mark=Mark.STAR, fg=look.theme.text,
        value="winner",
    )  # fmt: skip


def left(model: Model, seat: door.SeatStatus) -> int:
    """Return the milliseconds left on a seat's clock now, -1 if it has none."""
    if seat.clock < 0 or not seat.ticking:
        return seat.clock
    return max(0, seat.clock - round((model.now - model.told) * 1000))


def _clock(model: Model, seat: door.SeatStatus) -> str:
    """Return a seat's clock as minutes and seconds."""
    if seat.clock < 0:
        return ""
    minutes, seconds = divmod(-(-left(model, seat) // 1000), 60)
    return f"{minutes}:{seconds:02d}"


def _words(
    model: Model, i: int, sheet: Sheet, room: Rect, pitch: int, colour: Colour
) -> Node:
    """Return a player's list of words and scores, in the colour of the name.

    Source document, Network play: name and word list in blue, and red once connected.
    """
    look = model.look

    def one(left: str, right: str) -> widgets.Row:
        def make(rect: Rect) -> Node:
            wide = look.width(right, look.small) + look.px(8)
            words, points = columns(rect, [1, wide])
            kids = [
                label(words, left, look, size=look.small, colour=colour),
                label(
                    points, right, look, size=look.small, align=Align.RIGHT,
                    colour=colour,
                ),
            ]  # fmt: skip
            return Node(Role.ITEM, "", rect, value=f"{left} {right}", kids=tuple(kids))

        return make

    name = f"words{i}"
    at = model.scrolls.get(name)
    made = [one(left, right) for left, right in sheet.lines]
    return widgets.scroll(
        name, room, made, pitch, look, offset=at or 0, at_end=at is None
    )


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
    if chosen == 0:
        kids += talk.inside(model, room)
    elif chosen == REVIEW:
        kids += review.inside(model, room)
    else:
        kids += _moves(model, room)
    return widgets.panel(rect, look, kids, name="lower")


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
        *review.steps(foot, look, copy=bool(lines)),
    ]

"""Beside the board: the phase, the word that grows, the bank and the buttons."""

from msgspec.structs import replace

from client import widgets
from client.layout import ROOT3, columns
from client.lhexicon import pieces
from client.lhexicon.local import (
    Local,
    Now,
    Phase,
    asked,
    can_discard,
    doubted,
    face,
    idle,
    mine,
    phase,
    rack,
    swappable,
    trapped,
    verdict,
)
from client.scene import Align, Mark, Node, Rect, Role, Shape
from client.texts import _
from client.theme import Look
from client.widgets import Tone, label
from rules import lhexicon
from rules.lhexicon import Refusal
from rules.tiles import bag_size


def phase_name(which: Phase) -> str:
    """Return what players call a phase."""
    return {
        Phase.IDLE: _("Idle"),
        Phase.MOVING: _("Moving"),
        Phase.PROGRESS: _("In progress"),
        Phase.MARKING: _("Marking"),
        Phase.SCORING: _("Scoring"),
    }[which]


def progress(seen: Now, local: Local, area: Rect, look: Look) -> tuple[Node, ...]:
    """Return the name of the phase over five dots, the present one filled."""
    now, theme = phase(seen, local), look.theme
    side = look.px(8)
    title = Rect(area.x, area.y, area.w, min(area.h - side, round(look.head * 1.4)))
    kids = [
        label(title, phase_name(now), look, name="phase", size=look.head, bold=True)
    ]
    kids += [
        Node(
            Role.LABEL, "",
            Rect(area.x + i * 2 * side, title.bottom, side, side), shape=Shape.CIRCLE,
            bg=theme.accent if each is now else theme.ground,
            edge=theme.accent if each is now else theme.line, border=look.px(1),
        )
        for i, each in enumerate(Phase)
    ]  # fmt: skip
    return tuple(kids)


def result(seen: Now, head: Rect, area: Rect, look: Look) -> tuple[Node, ...]:
    """Return the final places and scores, where phase and word stood before."""
    scores, places = seen.view.scores, lhexicon.places(seen.view)
    title = Rect(head.x, head.y, head.w, min(head.h, round(look.head * 1.4)))
    inner = area.inset(look.px(10), look.px(8))
    high = min(round(look.body * 1.7), max(1, inner.h // len(scores)))
    kids: list[Node] = []
    ranked = sorted(range(len(scores)), key=lambda seat: (places[seat], seat))
    for i, seat in enumerate(ranked):
        band = Rect(inner.x, inner.y + i * high, inner.w, high)
        points = str(scores[seat])
        first, bold = places[seat] == 1 and len(scores) > 1, places[seat] == 1
        wide = look.width(points, look.body, bold=True) + look.px(6)
        sign, name, score = columns(band, [look.px(22), 1, wide])
        number = "" if len(scores) == 1 else f"{places[seat]}."
        star = Node(
            Role.LABEL, "", _star(sign, look), mark=Mark.STAR, fg=look.theme.text
        )
        kids += [
            star if first else label(sign, number, look, tone=Tone.DIM),
            label(name, seen.names[seat], look, bold=bold),
            label(score, points, look, bold=bold, align=Align.RIGHT),
        ]
    card = widgets.panel(area, look, kids, name="result")
    words = label(title, _("Result"), look, size=look.head, bold=True)
    return words, card


def _star(room: Rect, look: Look) -> Rect:
    """Return the square of the winner's star at the left of its place."""
    side = look.px(14)
    return Rect(room.x, room.y + (room.h - side) // 2, side, side)


def word(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the word as far as it is marked, and what it would score.

    While a word waits to be accepted or challenged, it is that one.
    """
    letters, text = _letters(seen, local), _score(seen, local)
    foot = round(look.body * 1.5)
    inner = area.inset(look.px(8), look.px(6))
    room = Rect(inner.x, inner.y, inner.w, max(1, inner.h - foot))
    line = Rect(inner.x, inner.bottom - foot, inner.w, foot)
    bad = isinstance(verdict(seen, local), Refusal)
    tone = Tone.DANGER if bad else Tone.GOOD
    kids = _row(letters, room, look)
    if not letters:
        top = Rect(inner.x, inner.y, inner.w, foot)
        kids.append(label(top, _("Your word"), look, tone=Tone.DIM))
    kids.append(
        label(
            line, text, look, name="tentative", bold=True, tone=tone,
            align=Align.CENTRE,
        )
    )  # fmt: skip
    card = widgets.panel(area, look, kids, name="word")
    return replace(card, value="".join(letter for letter, _points in letters))


def _letters(seen: Now, local: Local) -> list[tuple[str, str]]:
    waiting = seen.view.announced
    if waiting is not None:
        return [(face(letter), "") for letter in waiting.word]
    return [pieces.at_cell(seen, local, cell)[:2] for cell in local.path]


def _score(seen: Now, local: Local) -> str:
    """Return the sum beneath the word, or the bonus alone before it is marked."""
    if seen.view.announced is not None:
        return str(seen.view.announced.points)
    found, bonus = verdict(seen, local), trapped(seen, local).points
    if isinstance(found, Refusal):
        return "–"
    if found is None:
        text = _("trap +{n}")
        return text.format(n=bonus) if bonus else ""
    if not bonus:
        return str(found.points)
    return f"{found.points - bonus} + {bonus} = {found.points}"


def _row(letters: list[tuple[str, str]], room: Rect, look: Look) -> list[Node]:
    count = len(letters)
    if not count:
        return []
    high = look.px(44)
    while high > 12 and -(-count // _across(room, high)) * (high + 2) > room.h:
        high -= 1
    across = _across(room, high)
    wide, pitch = round(high * 2 / ROOT3), pieces.step(high)
    down = -(-count // across)
    top = room.y + (room.h - down * (high + 2)) // 2
    left = room.x + round((room.w - min(count, across) * pitch) / 2)
    paint = pieces.marked(look, high)
    kids: list[Node] = []
    for i, (letter, points) in enumerate(letters):
        x, y = left + round(i % across * pitch), top + i // across * (high + 2)
        spot = Rect(x, y, wide, high)
        kids.append(pieces.piece("", spot, letter, points, look, paint))
    return kids


def _across(room: Rect, high: int) -> int:
    return max(1, int(room.w / pieces.step(high)))


def bank(seen: Now, area: Rect, look: Look) -> Node:
    """Return how many letters are left to draw."""
    text = _("In the bank: {n}").format(n=bag_size(seen.view.tiles))
    return label(area, text, look, name="bank", size=look.small, tone=Tone.DIM)


def _items(seen: Now, local: Local) -> list[tuple[str, str, Tone, bool]]:
    """Return the buttons of the phase: name, text, tone, whether it can be pressed."""
    if asked(seen):
        return [
            ("accept", _("Accept"), Tone.MAIN, seen.live),
            ("challenge", _("Challenge"), Tone.DANGER, seen.live),
        ]
    if doubted(seen):
        return [
            ("insist", _("Stand by it"), Tone.MAIN, seen.live),
            ("withdraw", _("Withdraw"), Tone.DANGER, seen.live),
        ]
    turn, still = mine(seen) and seen.live, idle(seen, local) and seen.live
    first = _first(seen, local, turn=turn)
    started = bool(local.laid or local.swaps)
    second = ("back", _("Back"), Tone.PLAIN, True)
    if not local.marking:
        second = ("shuffle", _("Shuffle"), Tone.PLAIN, len(rack(seen)) > 1)
    third = ("recall", _("Recall"), Tone.PLAIN, started)
    if still and swappable(seen):  # nothing is there that could be taken back
        third = ("pickup", _("PICK UP"), Tone.PLAIN, True)
    return [
        first,
        second,
        third,
        ("discard", _("DISCARD"), Tone.PLAIN, still and can_discard(seen) > 0),
        ("pass", _("PASS"), Tone.PLAIN, still),
        ("game.quit", _("QUIT"), Tone.PLAIN, True),
    ]


def _first(seen: Now, local: Local, *, turn: bool) -> tuple[str, str, Tone, bool]:
    """Return the button that goes on: NEXT before marking, DONE after it."""
    started = bool(local.laid or local.swaps)
    if local.marking or local.swaps:
        ready = turn and (bool(local.path) or bool(local.swaps))
        return "done", _("DONE"), Tone.MAIN if ready else Tone.PLAIN, ready
    return "next", _("NEXT"), Tone.MAIN if started else Tone.PLAIN, started


def button_texts(seen: Now, local: Local) -> tuple[str, ...]:
    """Return the texts of the buttons, to make room for them."""
    return tuple(text for _name, text, _tone, _on in _items(seen, local))


def buttons(
    seen: Now, local: Local, area: Rect, look: Look, *, upright: bool
) -> tuple[Node, ...]:
    """Return the buttons, one above the other from below or in a row."""
    items = _items(seen, local)
    if not upright:
        return widgets.flow(area, look, items, align=Align.CENTRE)
    step = look.row + look.px(6)
    top = area.bottom - len(items) * step + look.px(6)
    return tuple(
        widgets.button(
            name, Rect(area.x, top + i * step, area.w, look.row), text, look,
            tone=tone, enabled=enabled,
        )
        for i, (name, text, tone, enabled) in enumerate(items)
    )  # fmt: skip

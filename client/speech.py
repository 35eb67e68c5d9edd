"""The window in words, for who does not see it: what is focused, what happened.

Lines are made of two moments of the same window and written one by one, to standard
output or to a speech program of the user's.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.app import board, follow
from client.app.model import Model, Page, seen
from client.pages import bar, moves, play, screen, setup, unseen
from client.ui.scene import Node, Role, find, is_sign, top, walk
from client.ui.texts import _, phrase
from netplay.messages import door
from netplay.system import processes

Voice: TypeAlias = Callable[[str], None]
"""Says a line."""

STDOUT: Final = "-"
"""The name of standard output on the command line."""


FEW: Final = 4
"""Moves and lines of chat said at once: who comes back is not told the whole match."""


class Told(Struct, frozen=True):
    """What has been said of a window."""

    focus: str = ""
    at: str = ""
    """The name of what has the keyboard: of two tiles alike each is said."""
    dialog: str = ""
    asked: tuple[str, ...] = ()
    """What stands in the dialog beside what the keyboard comes to."""
    title: str = ""
    state: str = ""
    passing: str = ""
    moves: int = 0
    chat: int = 0
    aloud: tuple[str, ...] = ()
    """Of the board and the hand."""
    scores: str = ""


def news(before: Told, model: Model, root: Node, focus: str) -> tuple[list[str], Told]:
    """Return the lines that tell what is new, and what has been said with them.

    Args:
        before: What has been said.
        model: The window as it is now.
        root: Its scene.
        focus: The name of the node that has the keyboard.
    """
    now = _told(model, root, focus)
    if follow.goes_on(model):  # a score is said when it has come
        now = replace(now, focus=before.focus, at=before.at)
    if now.dialog:  # over the board, which waits
        now = replace(now, aloud=before.aloud, scores=before.scores)
    lines: list[str] = [now.title] if before.dialog and not now.dialog else []
    for old, new in (
        (before.title, now.title), (before.dialog, now.dialog),
        (before.passing, now.passing),
    ):  # fmt: skip
        if new and new != old:
            lines.append(new)
    if now.dialog != before.dialog:
        lines += now.asked
    first = before.moves if before.moves <= now.moves else 0
    lines += [_placed(model, i, text) for i, text in moves.worthy(model)[first:][-FEW:]]
    heard = before.chat if before.chat <= now.chat else 0
    said = [
        f"{phrase(line.author)}: {line.text}"
        if isinstance(line, door.Line)
        else phrase(line.said)
        for line in model.chat.lines
    ]
    lines += said[heard:][-FEW:]
    if not before.scores:  # once for each match, and when all is to be said again
        lines.append(now.scores)
    lines += [line for line in now.aloud if line not in before.aloud]
    if now.state and now.state != before.state:
        known = {*lines, *before.state.split("\n")}
        lines += [line for line in now.state.split("\n") if line not in known]
    if now.focus and (now.at, now.focus) != (before.at, before.focus):
        lines.append(now.focus)
    # A notice may be a line of the chat, too.
    return list(dict.fromkeys(filter(None, lines))), now


def _told(model: Model, root: Node, focus: str) -> Told:
    over, node, title = top(root), find(root, focus), screen.title(model)
    if model.page is Page.TABLE:  # whose title is that of the start page
        title = f"{setup.headline(model)} – {title}"
    return Told(
        "" if node is None else described(node),
        focus,
        over.value if over.role is Role.DIALOG else "",
        tuple(_read(over)) if over.role is Role.DIALOG else (),
        title,
        play.instruction(model) if model.page is Page.MATCH else "",
        bar.passing(model)[0],
        len(moves.worthy(model)),
        len(model.chat.lines),
        *_board(model),
    )


def _read(node: Node) -> Iterator[str]:
    """Yield the texts of a dialog but for those of what the keyboard comes to."""
    if node.text:
        yield node.text
    for kid in node.kids:
        if not kid.focusable:
            yield from _read(kid)


def _board(model: Model) -> tuple[tuple[str, ...], str]:
    """Return what is to be said of the board and the hand, and of the scores."""
    match = model.match
    if model.page is not Page.MATCH or match is None or match.covered:
        return (), ""
    game, now = board.find(match.game), seen(model, match)
    aloud = game.TRAITS.aloud
    scores = ", ".join(
        f"{name} {sheet.score or sheet.note}".strip()
        for name, sheet in zip(now.names, game.sheets(now), strict=True)
    )
    told = () if aloud is None else aloud(now, match.local)
    if play.chosen(model) == play.UNSEEN:
        told = (*told, unseen.spoken(model))
    return told, scores


def _placed(model: Model, at: int, text: str) -> str:
    """Return a move of the list with its place on the board."""
    match = model.match
    if match is None or (entered := board.find(match.game).TRAITS.entered) is None:
        return text
    entry = entered(match.past[at])
    where = "" if entry is None else entry.where
    return text if where in text else f"{text}, {where}"


def described(node: Node) -> str:
    """Return what a node is, in words: its text, its kind and its state."""
    words = (
        node.text
        or (node.role is Role.ITEM and node.value)
        or " ".join(each.text for each in walk(node) if each.text and each is not node)
    )
    value = node.value if node.value not in ("on", "off", words) else ""
    if value and is_sign(node):
        words, value = value, ""
    if node.role is Role.TILE and value == "?":
        value = _("blank")
    kind = {
        Role.BUTTON: _("button"),
        Role.ENTRY: _("field"),
        Role.CHOICE: _("list to choose from"),
        Role.CHECK: _("box to tick"),
        Role.SLIDER: _("slider"),
        Role.TAB: _("tab"),
        Role.TILE: _("tile"),
    }.get(node.role, "")
    parts = [words or value, kind]
    if words and value and node.role not in (Role.BUTTON, Role.ITEM):
        parts.append(value)
    if node.role is Role.CHECK:
        parts.append(_("on") if node.value == "on" else _("off"))
    elif node.selected:
        parts.append(_("chosen"))
    if not node.enabled:
        parts.append(_("cannot be used now"))
    return ", ".join(filter(None, parts))


class Program:
    """A program of the user's that reads lines and says them.

    One that is slow or has ended misses lines; the window waits for none.
    """

    def __init__(self, words: str) -> None:
        """Start it.

        Raises:
            OSError: It cannot be started.
            ValueError: The words are no command line.
        """
        self.child = subprocess.Popen(processes.split(words), stdin=subprocess.PIPE)  # noqa: S603 (the user's own program)
        assert self.child.stdin is not None  # as asked for
        self._pipe = self.child.stdin
        if sys.platform != "win32" or sys.version_info >= (3, 12):
            os.set_blocking(self._pipe.fileno(), False)

    def say(self, line: str) -> None:
        """Give it a line to say."""
        if self._pipe.closed:
            return
        with suppress(OSError):  # full, or nobody reads
            os.write(self._pipe.fileno(), f"{line}\n".encode())

    def close(self) -> None:
        """Tell it that nothing more comes."""
        self._pipe.close()


def voice(named: str) -> Voice:
    """Return what says lines: `-` is standard output, else a program that reads them.

    Raises:
        OSError: The program cannot be started.
        ValueError: The words are no command line.
    """
    if named == STDOUT:
        return lambda line: print(line, file=sys.stdout, flush=True)  # noqa: T201 (it is asked for)
    return Program(named).say

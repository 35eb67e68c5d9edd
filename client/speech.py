"""The window in words, for who does not see it: what is focused, what happened.

Lines are made of two moments of the same window and written one by one, to standard
output or to a speech program of the user's.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.app import follow
from client.app.model import Model, Page
from client.pages import bar, moves, play, screen
from client.ui.scene import Node, Role, find, top, walk
from client.ui.texts import _, phrase
from netplay.messages import door

Voice: TypeAlias = Callable[[str], None]
"""Says a line."""

STDOUT: Final = "-"
"""The name of standard output on the command line."""


FEW: Final = 4
"""Moves and lines of chat said at once: who comes back is not told the whole match."""


class Told(Struct, frozen=True):
    """What has been said of a window."""

    focus: str = ""
    dialog: str = ""
    title: str = ""
    state: str = ""
    passing: str = ""
    moves: int = 0
    chat: int = 0


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
        now = replace(now, focus=before.focus)
    lines: list[str] = []
    for old, new in (
        (before.title, now.title), (before.dialog, now.dialog),
        (before.passing, now.passing),
    ):  # fmt: skip
        if new and new != old:
            lines.append(new)
    first = before.moves if before.moves <= now.moves else 0
    lines += [text for _i, text in moves.told(model)[first:]][-FEW:]
    heard = before.chat if before.chat <= now.chat else 0
    lines += _said(model)[heard:][-FEW:]
    if now.state and now.state != before.state:
        known = {*lines, *before.state.split("\n")}
        lines += [line for line in now.state.split("\n") if line not in known]
    if now.focus and now.focus != before.focus:
        lines.append(now.focus)
    return list(dict.fromkeys(lines)), now  # a notice may be a line of the chat, too


def _told(model: Model, root: Node, focus: str) -> Told:
    over = top(root)
    node = find(root, focus)
    return Told(
        "" if node is None else described(node),
        over.value if over.role is Role.DIALOG else "",
        screen.title(model),
        play.instruction(model) if model.page is Page.MATCH else "",
        bar.passing(model)[0],
        len(moves.told(model)),
        len(model.chat.lines),
    )


def _said(model: Model) -> list[str]:
    return [
        f"{phrase(line.author)}: {line.text}"
        if isinstance(line, door.Line)
        else phrase(line.said)
        for line in model.chat.lines
    ]


def described(node: Node) -> str:
    """Return what a node is, in words: its text, its kind and its state."""
    words = node.text or " ".join(
        each.text for each in walk(node) if each.text and each is not node
    )
    value = node.value if node.value not in ("on", "off", words) else ""
    parts = [words or value, _kinds().get(node.role, "")]
    if words and value and node.role not in (Role.BUTTON, Role.ITEM):
        parts.append(value)
    if node.role is Role.CHECK:
        parts.append(_("on") if node.value == "on" else _("off"))
    elif node.selected:
        parts.append(_("chosen"))
    if not node.enabled:
        parts.append(_("cannot be used now"))
    return ", ".join(filter(None, parts))


def _kinds() -> dict[Role, str]:
    """Return what the user calls each kind of thing."""
    return {
        Role.BUTTON: _("button"),
        Role.ENTRY: _("field"),
        Role.CHOICE: _("list to choose from"),
        Role.CHECK: _("box to tick"),
        Role.SLIDER: _("slider"),
        Role.TAB: _("tab"),
        Role.TILE: _("tile"),
    }


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
        self.child = subprocess.Popen(shlex.split(words), stdin=subprocess.PIPE)  # noqa: S603 (the user's own program)
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

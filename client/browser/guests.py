"""A session for somebody who was lent a seat: the match, and nothing else of the home.

What it may ask of the node, and is shown, the node itself decides at its door.  Here it
is kept from what a session can do by itself: files, folders, settings, this computer.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import trio
from msgspec.structs import replace
from typing_extensions import override

from client.app.link import Link, Opener
from client.app.model import (
    Ask,
    Copy,
    Effect,
    Flash,
    FullScreen,
    Give,
    Model,
    Over,
    Paste,
    Play,
    ask,
)
from client.browser import talk
from client.browser.session import PageSession, Send
from client.pages import bar
from client.ui.intents import Click, Key
from client.update import Event
from netplay import VERSION, wire
from netplay.errors import Code, LocalError
from netplay.limits import FRAME_BYTES, KNOCK_SECONDS, READ_BYTES
from netplay.messages import door
from netplay.messages.table_questions import Seen
from netplay.said import Words
from netplay.sentences import Says
from netplay.web_place import GUEST_MARK

SEES: Final = frozenset({
    Over.NONE, Over.HELP, Over.LEARN, Over.RESULT, Over.AGREE, Over.RESIGN,
})  # fmt: skip
"""What may lie over a guest's page."""

NEVER: Final = (bar.Leave, bar.Save, bar.Games, bar.Preferences, bar.Load)
"""What a guest's click can mean nowhere."""


GONE_SECONDS: Final = 2.0
"""Without a page before a guest is away: it may be loaded anew."""


def token_of(text: str) -> bytes:
    """Return what is shown at the door; empty for what was never handed out."""
    try:
        return bytes.fromhex(text.removeprefix(GUEST_MARK))
    except ValueError:
        return b""


async def seat(home: Path, shown: bytes, opener: Opener) -> door.Seated:
    """Return the seat that a link or a token opens.

    Raises:
        LocalError: It opens none, or the node does not answer.
    """
    if not shown:  # the node would take it for its owner's
        raise LocalError(Code.USAGE, Says.SEAT_LENT_NO_MORE())
    found: door.FromNode | None = None
    with trio.move_on_after(KNOCK_SECONDS):
        try:
            stream, _token = await opener(home)
            async with stream:
                knock = door.Knock(b"", VERSION, True, shown)
                await stream.send_all(wire.encode(knock))
                reader = wire.FrameReader(FRAME_BYTES)
                while data := await stream.receive_some(READ_BYTES):
                    reader.feed(bytes(data))
                    if (frame := reader.next()) is not None:
                        found = wire.decode_from_node(frame)
                        break
        except (OSError, ValueError, trio.BrokenResourceError):
            pass
    if isinstance(found, door.Seated):
        return found
    if isinstance(found, door.Failed):
        raise found.error
    raise LocalError(Code.NO_ANSWER, Says.NODE_SILENT())


class GuestSession(PageSession):
    """A session that can look at one match, play there and talk."""

    def __init__(
        self, model: Model, home: Path, shown: bytes, refused: Callable[[Words], None]
    ) -> None:
        """Begin.

        Args:
            model: As it begins; nothing of the owner's is in it.
            home: Of the node that has lent the seat.
            shown: At its door, instead of what its owner shows.
            refused: Told that the seat is lent no more.
        """
        if not shown:
            raise ValueError("a guest without a token would come in as the owner")
        super().__init__(replace(model, guest=True), home)
        self._gone = False
        """Whether the node was told that there is no page."""
        self._shown_at_door = shown
        self._refused = refused

    @override
    def way(self, opener: Opener) -> Link:
        """Return the way to the node, with what was lent and nothing more."""
        return Link(
            self.home, self.hear, self.came, self.gone, opener, self._shown_at_door
        )

    @override
    def attach(self, send: Send, w: int, h: int) -> None:
        super().attach(send, w, h)
        if self._gone:
            self._tell(here=True)

    @override
    def detach(self, send: Send) -> None:
        super().detach(send)
        if not self.shown and self.nursery is not None:
            self.nursery.start_soon(self._left, self.left_at)

    async def _left(self, since: float) -> None:
        """Say that the page has gone, unless it is only loaded anew.

        All at the table are told: nobody is to be told so as often as a page comes.
        """
        await trio.sleep(GONE_SECONDS)
        if not self.shown and self.left_at == since:
            self._tell(here=False)

    @override
    def came(self) -> None:
        super().came()
        if not self.shown:
            self._tell(here=False)

    def _tell(self, *, here: bool) -> None:
        """Tell the node whether there is a page, for others wait for this guest."""
        self._gone = not here
        self.model, effects = ask(self.model, Seen(here))
        self._perform(effects)

    @override
    def store(self) -> None:
        """Keep nothing: settings are the owner's."""

    @override
    def reread(self) -> None:
        """Learn nothing from there either."""

    @override
    def restore(self) -> None:
        """Take up nothing that others have sent here: it is the node's to do."""

    @override
    def brought(self, said: talk.Brought) -> None:
        """Take no file."""

    @override
    def hear(self, message: door.FromNode) -> None:
        match message:
            case door.Seated(seat=number):
                self.model = replace(self.model, looks=number == door.BYSTANDER)
            case door.Failed(id=0) if message.error.said == Says.SEAT_LENT_NO_MORE():
                self._speak(self.model)
                self._refused(message.error.said)
                self.leave()
            case _:
                super().hear(message)

    @override
    def on_event(self, event: Event) -> None:
        match event:
            case Key(key="f2" | "f3" | "f4"):
                return
            case Click(means=means) if isinstance(means, NEVER):
                return
            case _:
                super().on_event(event)
        if self.model.over not in SEES:
            self.model = replace(self.model, over=Over.NONE, chooser=None)

    @override
    def _do(self, effect: Effect) -> None:
        if isinstance(effect, Ask | Give | Copy | Paste | Play | Flash | FullScreen):
            super()._do(effect)

"""A session that is painted by a page: the same model, hand and scene as a window's."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import trio
from msgspec.structs import replace
from typing_extensions import override

from client import speech
from client.app.browsing import Reported
from client.app.link import Link, Opener
from client.app.model import (
    Ask,
    Browse,
    Copy,
    Effect,
    Flash,
    FullScreen,
    LookThere,
    Model,
    OnScreen,
    Paste,
    Peek,
    Play,
    ToFront,
    edit_of,
    with_edit,
)
from client.browser import drawing, talk
from client.browser.transfers import Transfers
from client.pages import screen
from client.session import BEAT, FRAME, Session
from client.ui import hand, intents, texts, tiles
from client.ui.intents import Blur, Button, Click, Focus, Key, Text
from client.ui.scene import Node, Role, Touch, find, stops, top
from client.ui.theme import SMALLEST, UPRIGHT, Look, stands
from client.update import Event, Resized, Settled, lively
from netplay.messages import door

AHEAD: Final = 2
"""Frames sent that a page has not painted yet; a slow one is sent fewer."""

CALM: Final = 1.0
"""Seconds between ticks while no match goes on: little is shown of time then."""

ASLEEP: Final = 1.0
"""Seconds between ticks while no page is there: what has waited is taken at last."""

SAID: Final = 0.25
"""Seconds between what is said: a well changes many times as often."""

THERE: Final = b'{"there":true}'
MORE: Final = b'{"more":true}'

Send: TypeAlias = Callable[[bytes], None]


class PageSession(Session):
    """What runs behind one page, and goes on while it is away for a while."""

    def __init__(self, model: Model, home: Path) -> None:
        """Begin with this model, for a page that is about to come."""
        self._speak(model)
        super().__init__(replace(model, apart=True), home)
        self.transfers = Transfers()
        self._send: Send | None = None
        self._sent: tuple[Node, Touch, Look] | None = None
        """What the page has been told of."""
        self._page = SMALLEST
        """How large the page is, in CSS pixels."""
        self._frame = self._painted = 0
        self._typed: dict[str, int] = {}
        """Of each field, what was typed last: see `talk.Edited`."""
        self._news: list[drawing.Told] = []
        """Told with the next frame: sounds and the like."""
        self._told: speech.Told | None = None
        """What has been said to who does not see the page; it reads the first one."""
        self._told_at = -math.inf
        self._covers = False
        """The curtain was there then: what was said before is for who left."""
        self.left_at = trio.current_time()
        """When its page went, if it has none."""

    @staticmethod
    def _speak(model: Model) -> None:
        """Speak this session's language: others run in the same program."""
        if texts.spoken() != model.settings.language:
            texts.speak(model.settings.language)
        tiles.call(model.settings.cells)

    def way(self, opener: Opener) -> Link:
        """Return the way to the node, with all that its owner may."""
        return Link(self.home, self.hear, self.came, self.gone, opener)

    # The page.

    def attach(self, send: Send, w: int, h: int) -> None:
        """Show all to a page that has come, or come again."""
        self._send, self._sent = send, None
        self._broken_off()
        self.transfers.again()
        self.hand.let_go()  # a page that is loaded anew in the middle of a drag
        self._frame = self._painted = 0
        self._typed.clear()
        self._page = w, h
        self._fit()
        self.wake.set()

    def detach(self, send: Send) -> None:
        """Show nothing more to a page that has gone; another may have come since."""
        if self._send == send:  # a method of a page, anew each time it is named
            self._send = None
            self._broken_off()
            self.left_at = trio.current_time()
            self.feel(Blur(), self.left_at)

    def _broken_off(self) -> None:
        """Say that a file does not come, if one came by a page that has gone."""
        self._speak(self.model)
        if (news := self.transfers.broken()) is not None:
            self.on_event(news)

    @property
    def shown(self) -> bool:
        """Tell whether a page is there."""
        return self._send is not None

    def said(self, message: talk.FromPage) -> None:  # noqa: C901, PLR0912 (one a message)
        """Take what the page says."""
        self.wake.set()
        now = trio.current_time()
        self.model = replace(self.model, now=now)
        match message:
            case talk.Drawn(frame=frame):
                self._painted = max(self._painted, min(frame, self._frame))
            case talk.Sized(w=w, h=h):
                self._page = w, h
                self._fit()
            case talk.Point():
                self._pointed(message, now)
            case talk.Wheel(x=x, y=y, by=by):
                for intent in hand.rolled(self.root, (x, y), lambda _node: by):
                    self.on_event(intent)
            case talk.Pushed(key=key, shift=shift, ctrl=ctrl, alt=alt, down=down):
                if key:
                    self.feel(Key(key, shift, ctrl, alt, down), now)
                if message.text and down and not (ctrl or alt):
                    self.feel(Text(message.text), now)
            case talk.Typed(text=text):
                self.feel(Text(text), now)
            case talk.Used(name=name):
                node = find(top(self.root), name)
                if node is not None and node.live and node.enabled:
                    self.on_event(Click(name, w=node.rect.w, means=node.means))
            case talk.Focused(name=name):
                self._focused(name)
            case talk.Edited():
                self._edited(message)
            case talk.Brought():
                self.brought(message)
            case talk.Away():
                self.hand.rest()
                self.on_event(Blur())
            case talk.There():
                if self._send is not None:
                    self._send(THERE)
            case talk.Hello():
                pass

    def _pointed(self, said: talk.Point, now: float) -> None:
        pos: tuple[int, int] = said.x, said.y
        if said.at:
            # What was touched is what was seen there, wherever it has come to since:
            # a rack may have been sorted, or a question come up, under the finger.
            node = find(top(self.root), said.at)
            if node is None and said.what in ("down", "menu"):
                return
            if node is not None and not node.rect.has(pos):
                pos = node.rect.centre
        match said.what:
            case "down":
                self.feel(intents.Moved(pos), now)
                self.feel(intents.Pressed(pos), now)
            case "menu":
                self.feel(intents.Pressed(pos, Button.RIGHT), now)
            case "move":
                self.feel(intents.Moved(pos), now)
            case "up":
                self.feel(intents.Released(pos), now)
            case _:
                if said.what == "cancel":
                    self.hand.let_go()
                self.feel(intents.Left(), now)

    def _focused(self, name: str) -> None:
        """Let the keyboard go where the page's own went, if Tab stops there."""
        if name and name not in {node.name for node in stops(self.root)}:
            return
        if self.hand.touch.focus != name:
            self.hand.focus(name)
            self.on_event(Focus(name))

    def _edited(self, said: talk.Edited) -> None:
        """Type what makes the field's text of the one before, as a hand would have."""
        node = find(top(self.root), said.name)
        if node is None or node.role is not Role.ENTRY or not node.enabled:
            return
        self._focused(said.name)
        self._typed[said.name] = said.turn
        old, new = node.value, hand.clean(said.text)
        if new != old:
            first = _alike(old, new)
            last = _alike(old[first:][::-1], new[first:][::-1])
            now = edit_of(self.model, said.name, old)
            chosen = replace(now, text=old, anchor=first, caret=len(old) - last)
            self.model = with_edit(self.model, said.name, chosen)
            put = new[first : len(new) - last]
            self.on_event(Text(put) if put else Key("backspace"))
        now = edit_of(self.model, said.name, new)
        if now.text == new and said.name in self.model.edits:
            most = len(new)
            ends = min(said.anchor, most), min(said.caret, most)
            placed = replace(now, anchor=ends[0], caret=ends[1])
            self.model = with_edit(self.model, said.name, placed)
        self._stale = True

    def brought(self, said: talk.Brought) -> None:
        """Take a piece of a file, and ask for the next."""
        self._speak(self.model)
        for news in self.transfers.brought(said, self.model.chooser):
            self.on_event(news)
        if self.transfers.wants_more and self._send is not None:
            self._send(MORE)

    # What goes out.

    @override
    def _do(self, effect: Effect) -> None:
        match effect:
            case Browse():
                pass  # files are where the page is
            case Peek(paths=paths):
                self.on_event(self.transfers.room(paths[0]))
            case Ask(request=request):
                self.transfers.asks(request)
                super()._do(effect)
            case _:
                super()._do(effect)

    @override
    def on_screen(self, effect: OnScreen) -> None:
        """Have the page do what only it can."""
        match effect:
            case Copy(text=text):
                self._news.append({"do": "copy", "text": text})
            case Paste():
                self._news.append({"do": "paste"})
            case Play(sound=sound):
                if self.model.settings.sound and self.model.settings.volume:
                    loud = self.model.settings.volume
                    self._news.append({"do": "play", "sound": sound.name, "loud": loud})
            case FullScreen():
                self._news.append({"do": "full"})
            case Flash(title=title, text=text):
                wanted = text if self.model.settings.notify else ""
                self._news.append({"do": "flash", "title": title, "text": wanted})
            case ToFront() | LookThere():
                pass  # no page can
        del self._news[:-50]  # of a page that is away for long

    @override
    async def _show_page(self, link: str) -> None:
        """Open nothing at the node's computer: nobody may sit there."""

    @override
    def on_event(self, event: Event) -> None:
        self._speak(self.model)
        if isinstance(event, Reported):
            event = self.transfers.reported(event)
        super().on_event(event)

    @override
    def hear(self, message: door.FromNode) -> None:
        super().hear(self.transfers.on_done(message))
        self.wake.set()

    def _fit(self) -> None:
        """Lay the scene out for its page."""
        size = fitting(*self._page)
        if self.shown and self.model.size != size:
            self.on_event(Resized(size))

    def show(self) -> None:
        """Tell the page what has changed, if it has painted what it was told before."""
        if self._send is None or self._frame - self._painted >= AHEAD:
            return
        self._speak(self.model)
        root, touch, look = self.root, self.hand.touch, self.model.look
        told: drawing.Told = {}
        if self._sent is None or self._sent[2] != look:
            told["scene"] = drawing.whole(root, look)
            told["theme"] = drawing.colours(look)
            told["touch"] = _touched(touch)
            told["lang"] = self.model.settings.language
        else:
            changed = drawing.change(self._sent[0], root, look)
            if changed is not None:
                told["change"] = changed
            if self._sent[1] != touch:
                told["touch"] = _touched(touch)
        if told and self._typed:
            told["typed"] = self._typed.copy()
        news, self._news = [*self._news, *filter(None, [self.transfers.piece()])], []
        match, before = self.model.match, self._covers
        self._covers = match is not None and match.covered
        only, now = self._covers and not before, trio.current_time()
        if only or now - self._told_at >= SAID:
            self._told_at, first = now, self._told is None
            # Where the keyboard is a browser says by itself.
            lines, self._told = speech.news(
                self._told or speech.Told(), self.model, root, ""
            )
            lines = [] if first else lines
            if lines or only:
                news.append({"do": "said", "lines": lines, "only": only})
        if news:
            told["news"] = news
        if not told:
            return
        self._sent = root, touch, look
        self._frame += 1
        told["frame"] = self._frame
        told["title"] = screen.title(self.model)
        self._send(msgspec.json.encode(told))

    def pause(self, now: float) -> float:
        """Return how long it may sleep unless something comes."""
        if not self.shown:
            return ASLEEP
        table = self.model.table
        rests = table is None or not table.match or table.phase == "over"
        due = FRAME if lively(self.model) else CALM if rests else BEAT
        return max(0.001, self._beat + due - now)

    async def live(self) -> None:
        """Live until it is done."""
        self.on_event(Settled())
        try:
            await self._live()
        finally:
            self.transfers.close()

    async def _live(self) -> None:
        while not self.done:
            self.wake = trio.Event()
            now = trio.current_time()
            pause = ASLEEP
            try:
                self._speak(self.model)
                self._time(now)
                self._fit()
                self.show()
                pause = self.pause(trio.current_time())
            except Exception as error:  # noqa: BLE001 (whatever it is, the page stays)
                self._mend(error)
            with trio.move_on_after(pause):
                await self.wake.wait()
        if self._send is not None:
            self._send(msgspec.json.encode({"bye": True}))


def fitting(w: int, h: int) -> tuple[int, int]:
    """Return the size in which a page is laid out: its own, or as small as can be.

    The page shows all of it, so it paints smaller what has no room at its size.
    """
    least = UPRIGHT if stands((w, h)) else SMALLEST
    times = max(1.0, least[0] / w, least[1] / h)
    return round(w * times), round(h * times)


def _touched(touch: Touch) -> drawing.Told:
    return {
        "focus": touch.focus, "hover": touch.hover, "pressed": touch.pressed,
        "lift": touch.lift, "by": touch.by, "over": touch.over,
    }  # fmt: skip


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    pairs = zip(one, other, strict=False)
    return next(
        (i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other))
    )

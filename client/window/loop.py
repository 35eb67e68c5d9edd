"""The running window: one thread, owned by trio, that draws only what changed.

Events are polled every 4 ms for 3 s after the last input, then every 16 ms, and every
40 ms once the user has left the window alone for a while (a blocking wait does not
exist: pygame's own is a 1 kHz poll); the node's messages wake the loop at once.

Pygame's events become plain ones, and sounds are played where there is a device.
"""

import gc
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import socket
from typing import Any, Final

import pygame
import pygame.mixer
import trio
from msgspec.structs import replace
from typing_extensions import override

from client import speech
from client.app import browsing, thumbnails
from client.app.input import ARROWS
from client.app.link import Link, Opener
from client.app.model import (
    Copy,
    Flash,
    FullScreen,
    LookThere,
    Model,
    OnScreen,
    Page,
    Paste,
    Play,
    ToFront,
)
from client.desktop import Notices
from client.pages import clipboard, screen
from client.session import FRAME, Session
from client.ui import intents, texts, tiles
from client.ui.scene import Node, Rect, Role, Touch, apart, changes, find, touched
from client.ui.sound import RATE, Sound, samples
from client.ui.theme import Look
from client.ui.typefaces import FONTS
from client.update import Resized, Settled, held, lively, paced
from client.window import debug
from client.window.painter import Painter
from client.window.picture import icon
from netplay import ending
from netplay.door_place import open_door
from netplay.fingerprint import invitation_in
from rules import GAMES

NAMES: Final = {
    pygame.K_RETURN: "enter", pygame.K_KP_ENTER: "enter",
    pygame.K_ESCAPE: "escape", pygame.K_BACKSPACE: "backspace",
    pygame.K_DELETE: "delete", pygame.K_LEFT: "left", pygame.K_RIGHT: "right",
    pygame.K_UP: "up", pygame.K_DOWN: "down", pygame.K_HOME: "home",
    pygame.K_END: "end", pygame.K_PAGEUP: "page up", pygame.K_PAGEDOWN: "page down",
    pygame.K_TAB: "tab", pygame.K_SPACE: "space", pygame.K_INSERT: "insert",
    pygame.K_KP_PLUS: "kp+", pygame.K_KP_MINUS: "kp-", pygame.K_PAUSE: "pause",
}  # fmt: skip
"""Keys that are no text, by the names intents give them."""


def key_of(event: pygame.event.Event) -> intents.Key | None:
    """Return the key of a KEYDOWN or KEYUP event; None for a mere modifier."""
    name = NAMES.get(event.key) or pygame.key.name(event.key)
    if not name or name.endswith((" shift", " ctrl", " alt", " meta", "lock")):
        return None
    held = event.mod
    return intents.Key(
        name,
        shift=bool(held & pygame.KMOD_SHIFT),
        ctrl=bool(held & (pygame.KMOD_CTRL | pygame.KMOD_META)),
        alt=bool(held & pygame.KMOD_ALT),
        down=event.type == pygame.KEYDOWN,
    )


def plain(  # noqa: PLR0911 (one a kind of event)
    event: pygame.event.Event,
) -> intents.Event | None:
    """Return what hands did; None for what is of the window or of nobody."""
    match event.type:
        case pygame.MOUSEBUTTONDOWN if event.button in (1, 3):
            button = intents.Button.LEFT if event.button == 1 else intents.Button.RIGHT
            return intents.Pressed(event.pos, button)
        case pygame.MOUSEMOTION:
            return intents.Moved(event.pos)
        case pygame.MOUSEBUTTONUP if event.button == 1:
            return intents.Released(event.pos)
        case pygame.MOUSEWHEEL:
            return intents.Wheeled(event.y)
        case pygame.KEYDOWN | pygame.KEYUP:
            return key_of(event)
        case pygame.TEXTINPUT:
            return intents.Text(event.text)
        case pygame.TEXTEDITING:
            return intents.Compose(event.text)
        case pygame.WINDOWLEAVE:
            return intents.Left()
        case pygame.WINDOWFOCUSLOST:
            return intents.Blur()
        case _:
            return None


@contextmanager
def _without_alsa() -> Iterator[None]:
    """Leave out what ALSA writes to standard error where there is no sound card."""
    try:
        kept = os.dup(2)
    except OSError:  # there is none, as in a window without a terminal
        yield
        return
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            said.seek(0)
            others = [line for line in said if not line.startswith(b"ALSA lib ")]
            if others:
                os.write(2, b"".join(others))


class Speaker:
    """The sound device, opened at the first sound."""

    def __init__(self) -> None:
        """Open nothing yet: the first frame is more urgent."""
        self._ready: bool | None = None

    def play(self, sound: Sound, volume: int) -> None:
        """Play a sound at a loudness of 0 to 100."""
        if not volume or not self._open():
            return
        made = pygame.mixer.Sound(buffer=samples(sound))
        made.set_volume(volume / 100)
        made.play()

    def _open(self) -> bool:
        """Open the device if need be; tell whether there is one."""
        if self._ready is None:
            try:
                with _without_alsa():
                    pygame.mixer.init(RATE, -16, 2, 512)
            except pygame.error:
                self._ready = False
            else:
                self._ready = True
        return self._ready


MOST: Final = 20_000
"""Characters of the clipboard that are looked through for an invitation."""

QUICK: Final = 0.004
"""Seconds between polls while the user is active: key to answer on screen in 7 ms."""

LEAST: Final = 0.0005
"""Seconds slept at least, so that time passes even where roundings say otherwise."""

USUAL: Final = 0.016
RESTING: Final = 0.04
AWAY: Final = 0.1
"""The same while the window is idle, long idle, and while another has the focus."""

ACTIVE: Final = 3.0
RESTED: Final = 15.0
"""Seconds after the last input that count as active, and from which on it rests."""

LEAD: Final = 0.006
"""Seconds from the beat at which a frame of a fast game is drawn until it is shown: so
long takes much to draw, and frames come evenly whether there is much or little."""

PICTURED: Final = 0.05
"""Seconds between the pictures of two games: the hand is not held up for long."""

SETTLED: Final = 0.5
"""Seconds after the first frame at which the rest of the start is done."""

AGAIN: Final = "f5"
"""The key by which who listens hears again how it stands."""

REPEAT: Final = (400, 35)
"""Milliseconds before a held key repeats, and between repeats, in fields."""


class WindowLoop(Session):
    """A session in a window: the scene on the screen, and the hand's events."""

    def __init__(
        self,
        model: Model,
        home: Path,
        window: pygame.Window,
        disk: browsing.Disk = browsing.apart,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        """Show this model in this window, in its language.

        Args:
            model: What it begins with.
            home: The folder of the settings, and of the node.
            window: Where it is shown.
            disk: Reads folders.
            given: Settings that are those of this window alone, until they are changed.
        """
        texts.speak(model.settings.language)
        tiles.call(model.settings.cells)
        super().__init__(replace(model, size=window.size), home, disk, given)
        self.window = window
        self.speaker = Speaker()
        self.notices = Notices()
        """The desktop's own notifications."""
        self._shown: tuple[Node, Touch] | None = None
        self._look: Look | None = None
        self._title, self._input = "", -ACTIVE
        self._drawn = False
        self._show_at: float | None = None
        self._held = False
        self._full = self._minimized = False
        self.voice: speech.Voice | None = None
        """Says what is focused and what happened, if somebody wants to hear it."""
        self._told = speech.Told()
        self._unheard = False
        """A key of the board's was pressed, and nothing was said since."""

    @override
    def on_screen(self, effect: OnScreen) -> None:
        """Do what only the window can do."""
        match effect:
            case Copy(text=text):
                pygame.scrap.put_text(text)
            case Paste():
                if pygame.scrap.has_text() and (text := pygame.scrap.get_text()):
                    self.on_event(intents.Text(text))
            case Play(sound=sound):
                if self.model.settings.sound:
                    self.speaker.play(sound, self.model.settings.volume)
            case FullScreen():
                self._toggle()
            case Flash():
                self._call_attention(effect)
            case ToFront():
                self._to_front()
            case LookThere():
                self._look_there()

    def _to_front(self) -> None:
        """Bring the window before the others, as far as the desktop lets us."""
        if self._minimized:
            self.window.restore()
        with suppress(pygame.error):
            self.window.focus()
        self._call_attention(Flash())

    def _look_there(self) -> None:
        """Tell of an invitation on the clipboard, and of nothing else there."""
        text = pygame.scrap.get_text() if pygame.scrap.has_text() else ""
        if line := invitation_in(text[:MOST]):
            self.on_event(clipboard.Found(line))

    def _call_attention(self, flash: Flash) -> None:
        """Let the window flash in the list of windows, and the desktop tell why."""
        if self.window.focused:
            self.notices.looked_at()
            return
        with suppress(pygame.error):  # not every desktop can
            self.window.flash(pygame.FLASH_UNTIL_FOCUSED)
        wanted = flash.text and self.model.settings.notify
        if wanted and self.nursery is not None and self.notices.wants(flash.about):
            self.nursery.start_soon(self._tell_desktop, flash.title, flash.text)

    async def _tell_desktop(self, title: str, text: str) -> None:
        """Have the desktop show a notification, if it can."""
        try:
            await self.notices.show(title, text)
        except Exception as error:  # noqa: BLE001 (other people's programs)
            self._note(error)

    def _toggle(self) -> None:
        """Fill the screen, or go back to the window's size."""
        self._full = not self._full
        if self._full:
            self.window.set_fullscreen(desktop=True)
        else:
            self.window.set_windowed()

    # The loop.

    def step(self, now: float) -> None:
        """Take all waiting events, let time pass, and draw if anything changed."""
        waiting = [plain(event) or event for event in pygame.event.get()]
        for event in self.hand.sift(waiting):
            self._event(event, now)
        beaten = self._time(now)
        # Set how held keys repeat, and where an input method shows its list
        keys = held(self.model)
        if keys != self._held:
            self._held = keys
            own = self.model.settings
            pygame.key.set_repeat(*((own.delay, own.repeat) if keys else REPEAT))
        soon = self._beat + FRAME - now < QUICK  # then even what is urgent waits
        fast = paced(self.model)
        if beaten or not fast or (self._urgent and not soon):
            self.draw()
            at_once = self._urgent or not fast
            self._show_at = now if at_once else self._beat + LEAD
            self._urgent = False
        if self._show_at is not None and self._show_at <= now:
            self._show_at = None
            self.show()

    def _event(self, event: pygame.event.Event | intents.Event, now: float) -> None:
        if isinstance(event, pygame.event.Event):
            self._frame(event)
            return
        if self.voice and isinstance(event, intents.Key) and event.down:
            if event.key == AGAIN:  # all that has been said is to be said again
                self._told, self._shown = speech.Told(), None
            self._unheard = event.key in ARROWS
        if self.feel(event, now) or isinstance(event, intents.Moved | intents.Pressed):
            self._input = now

    def _frame(self, event: pygame.event.Event) -> None:
        """Take what happens to the window itself."""
        match event.type:
            case pygame.QUIT | pygame.WINDOWCLOSE:
                self.done = True
            case pygame.WINDOWRESIZED | pygame.WINDOWSIZECHANGED:
                self.on_event(Resized(self.window.size))
            case pygame.WINDOWFOCUSGAINED:
                self.notices.looked_at()
                self.model = replace(self.model, touched=self.model.now)
                self.reread()
                self.on_event(clipboard.ToFront())
            case pygame.WINDOWMINIMIZED:
                self._minimized = True
            case pygame.WINDOWEXPOSED | pygame.WINDOWSHOWN | pygame.WINDOWRESTORED:
                self._shown, self._minimized = None, False
            case _:
                pass

    def draw(self) -> None:
        """Draw the scene, if it is not drawn already, for `show` to bring it out."""
        showing = (self.root, self.hand.touch)
        if self._shown is not None and showing == self._shown:
            if self._unheard:
                self._speak(showing)
            return
        parts = self._parts(showing)
        for part in parts:
            Painter(self.window.get_surface(), self.model.look).paint(*showing, part)
        self._drawn = self._drawn or bool(parts)
        self._speak(showing)
        self._shown, self._look = showing, self.model.look
        title = screen.title(self.model)
        if title != self._title:
            self.window.title = self._title = title
        focused = find(self.root, self.hand.touch.focus) if showing[1].focus else None
        if focused is not None and focused.role is Role.ENTRY:
            pygame.key.set_text_input_rect(pygame.Rect(focused.rect))

    def _speak(self, showing: tuple[Node, Touch]) -> None:
        if self.voice is None:
            return
        root, touch = showing
        lines, self._told = speech.news(self._told, self.model, root, touch.focus)
        if self._unheard and not lines:  # at an edge: where it still is
            lines = list(self._told.aloud[:1])
        self._unheard = False
        for line in lines:
            self.voice(line)

    def show(self) -> None:
        """Bring what is drawn to the screen, if anything is."""
        if self._drawn:
            self.window.flip()
        self._drawn = False

    def _parts(self, showing: tuple[Node, Touch]) -> tuple[Rect, ...]:
        """Return what must be drawn anew; nothing if nothing is to be seen of it."""
        (root, touch), shown = showing, self._shown
        if shown is None or shown[0].rect != root.rect or self._look != self.model.look:
            return (root.rect,)
        found = changes(shown[0], root)
        hands = touched(root, shown[1], touch)
        if hands is not None:
            found = apart((*found, hands))
        return tuple(part.cut(root.rect) for part in found)

    def pause(self, now: float) -> float:
        """Return how long the loop may sleep."""
        if lively(self.model):
            due = self._beat + FRAME if self._show_at is None else self._show_at
            return min(QUICK, max(LEAST, due - now))
        if now - self._input < ACTIVE:
            return QUICK
        if not self.window.focused:
            return AWAY
        return USUAL if now - self._input < RESTED else RESTING

    def showing(self) -> debug.Showing:
        """Return what the window shows, for scripts."""
        model = self.model
        return debug.Showing(self.root, self.hand.touch, model.page.value, model.match)

    def close(self) -> None:
        """Keep the settings and close the window."""
        size = self.model.settings.size if self._full else self.model.size
        own = replace(self.model.settings, size=size)
        self.model = replace(self.model, settings=own)
        self.store()
        self.window.destroy()

    async def run(self) -> None:
        """Go round until the window is closed."""
        while not self.done:
            self.wake = trio.Event()
            try:
                self.step(trio.current_time())
                pause = self.pause(trio.current_time())
            except Exception as error:  # noqa: BLE001 (whatever it is, the window stays)
                self._mend(error)
                self.wake, pause = trio.Event(), USUAL  # not over and over at once
            with trio.move_on_after(pause):
                await self.wake.wait()


async def run(
    loop: WindowLoop, scripts: socket | None = None, opener: Opener = open_door
) -> None:
    """Show a window until it is closed.

    Args:
        loop: What is shown.
        scripts: Where scripts knock, if they may.
        opener: Opens the way to the node.
    """
    assert all(path.exists() for path in FONTS.values())  # they are in the package
    pygame.key.set_repeat(*REPEAT)
    async with trio.open_nursery() as nursery:
        loop.nursery = nursery
        loop.link = Link(loop.home, loop.hear, loop.came, loop.gone, opener)
        nursery.start_soon(loop.link.keep_open)
        nursery.start_soon(_settle, loop)
        if scripts is not None:
            nursery.start_soon(debug.serve, scripts, loop.showing)
        await loop.run()
        nursery.cancel_scope.cancel()
    loop.close()


async def _settle(loop: WindowLoop) -> None:
    """Do what the first frame need not wait for."""
    await trio.sleep(SETTLED)
    loop.window.set_icon(icon(64))
    if loop.model.page is Page.START:
        for game in GAMES:
            thumbnails.of(game, replace(loop.model.look, scale=100))
            await trio.sleep(PICTURED)
    loop.on_event(Settled())
    loop.on_event(loop.links.known())
    loop.wake.set()
    gc.collect()
    gc.freeze()  # what is loaded by now stays: looking it through takes a whole frame
    gc.enable()


# What closes the window from outside: a signal, or the end of whoever started it.


async def show(
    window: WindowLoop, scripts: socket | None, told: Sequence[int] = (), *, leash: bool
) -> None:
    """Show a window until it is closed, by its user or from outside.

    Args:
        window: What is shown.
        scripts: As `loop.run` takes it.
        told: The signals that came before.
        leash: Close the window when standard input is closed.
    """
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_obey, window, told)
        if leash:
            nursery.start_soon(_follow, window)
        await run(window, scripts)
        nursery.cancel_scope.cancel()


async def _obey(window: WindowLoop, told: Sequence[int]) -> None:
    with trio.open_signal_receiver(*ending.signals()) as signals:
        if not told:
            await anext(signals)
        window.leave()


async def _follow(window: WindowLoop) -> None:
    await ending.slipped()
    window.leave()

"""What runs behind a screen of any kind: the model, the hand, and the way to the node.

Whoever paints it - a window, a browser's page - gives it what hands do and what time
it is, draws its `root`, and does what only a screen can do (`on_screen`).
"""

import webbrowser
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Final

import trio
from msgspec.structs import replace

from client.app import browsing, follow, mistakes, settings, thumbnails
from client.app.input import Hand
from client.app.link import Link
from client.app.model import (
    Ask,
    Browse,
    Effect,
    Give,
    Model,
    Notice,
    OnScreen,
    OpenLinks,
    Peek,
    Quit,
    Report,
    Show,
    Store,
    tell,
)
from client.desktop import Links
from client.pages import bar, faults, games, person, screen
from client.pages.faults import written
from client.ui import intents, texts, tiles
from client.ui.intents import Blur, Button, Focus
from client.ui.scene import Node
from client.ui.texts import _, sentence
from client.update import Cut, Event, Linked, Tick, held, lively, paced, update
from netplay import fetched
from netplay.errors import LocalError, NetplayError
from netplay.home import Home
from netplay.journal import failure, to_file
from netplay.messages import door
from netplay.said import Words
from rules import GAMES

# What is shown of the time: a scene is built anew only where it is to be seen.


def shows(before: Model, after: Model) -> bool:
    """Tell whether the passing of time is to be seen."""
    if before.notice != after.notice or before.match is not after.match:
        return True
    silent = bar.trouble_with_node(before) != bar.trouble_with_node(after)
    if silent or follow.goes_on(before):
        return True
    if (
        before.over is not after.over
        or before.offer is not after.offer
        or before.learning is not after.learning
        or before.chooser is not after.chooser
    ):
        return True
    moving = lively(before) or lively(after)  # the last frame of a movement, too
    if moving and not (after.match and GAMES[after.match.game].ABOUT.hz):
        return True  # a game in real time shows its wells, never the time
    if games.aged(before, after):
        return True
    seats = () if after.table is None else after.table.seats
    return any(seat.ticking or person.missed(seat) for seat in seats)


FRAME: Final = 1 / 60
"""Seconds between frames while something moves."""

BEAT: Final = 0.25
"""Seconds between ticks while clocks are shown."""


class Session:
    """A model that lives: what comes in changes it, what is to be done gets done."""

    def __init__(
        self,
        model: Model,
        home: Path,
        disk: browsing.Disk = browsing.apart,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin with this model.

        Args:
            model: What it begins with.
            home: The folder of the settings, and of the node.
            disk: Reads folders.
            given: Settings that are those of this window alone, until they are changed.
        """
        self.model = replace(model, day=browsing.today())
        self.home = home
        self.hand = Hand()
        self.hand.focus(model.focus)
        self.link: Link | None = None
        self.links = Links(home)
        self.nursery: trio.Nursery | None = None
        """Runs what would hold up the loop, such as writing a report."""
        self._kept = settings.read(home) or settings.Settings()
        """As they were kept when they were read or written last."""
        self._lost: Notice | None = None
        """What was said of settings that are not kept, until they are."""
        self._given = dict(given or {})
        self._disk = disk
        self._reading = trio.CancelScope()
        self._root = screen.scene(self.model)
        self._stale = False
        self.done = False
        self.code = 0
        """The exit code."""
        self.wake = trio.Event()
        self.journal = to_file(Home(home).journal)
        self._noted: list[dict[str, str]] = []
        """What went wrong and was written down."""
        self._beat = 0.0
        self._urgent = False

    def on_screen(self, effect: OnScreen) -> None:
        """Do what only the screen can do."""
        raise NotImplementedError

    # What comes in.

    def on_event(self, event: Event) -> None:
        """Let an event make the next model; one that cannot be taken stops no other."""
        try:
            self.model, effects = update(self.model, event)
        except Exception as error:  # noqa: BLE001 (whatever it is, the window stays)
            self._mend(error)
            return
        self._stale = True
        self._perform(effects)

    def _mend(self, error: Exception) -> None:
        """Say on the page what went wrong with it, and go on."""
        self._note(error)
        self.model, self._stale = faults.after(self.model, error), True
        self.wake.set()

    def _note(self, error: Exception) -> None:
        """Write down what went wrong, once."""
        fields = failure(error)
        if fields not in self._noted:
            self._noted.append(fields)
            self.journal("window.fault", **fields)

    @property
    def root(self) -> Node:
        """Return the scene of the model as it is now.

        It is built when somebody looks, not when the model changes: of the many
        messages of a fast game only the last before a frame is drawn.
        """
        if self._stale:
            self._refresh()
        return self._root

    def feel(self, event: intents.Event, now: float) -> bool:
        """Take what a hand does; tell whether it meant anything."""
        if isinstance(event, Blur):
            self.hand.rest()
            self.model = replace(self.model, touched=now)
            self.on_event(event)
            return False
        # Questions that nobody has asked for wait until the hands lie still
        pressed = isinstance(event, intents.Pressed) and event.button is Button.LEFT
        dragged = isinstance(event, intents.Moved) and self.model.touched == inf
        touched = inf if pressed or dragged else now
        self.model = replace(self.model, touched=touched)
        keys = held(self.model)
        seen = self._root if paced(self.model) else self.root
        meant = False
        for intent in self.hand.on_event(event, seen, now, held=keys):
            meant = True
            self.on_event(intent)
        return meant

    def hear(self, message: door.FromNode) -> None:
        """Take what the node tells, and wake the loop if it is to be seen at once."""
        self.model = replace(self.model, now=trio.current_time())
        own = self._own()
        match message:  # of what a friend has sent, maybe
            case door.View() if self.model.match is None:
                self._restored()
            case door.Done(id=number) | door.Failed(id=number):
                if self.model.asked.get(number, "").startswith(games.GLANCE):
                    self._restored()
            case _:
                pass
        self.on_event(message)
        if not paced(self.model) or own is not self._own():
            self._urgent = True
            self.wake.set()

    def came(self) -> None:
        """Learn that the door is open."""
        if self.model.brought:
            own, _damaged = settings.load(self.home)
            self._set(own, own)
            self.model = replace(self.model, brought=False)
        self.reread()
        if mistakes.lacking(self.model.settings):
            self._restored()
        self.on_event(Linked())
        self.wake.set()

    def gone(self, why: Words) -> None:
        """Learn that the door is closed."""
        self.on_event(Cut(why))
        self.wake.set()

    def leave(self) -> None:
        """Close the window soon."""
        self.done = True
        self.wake.set()

    def _refresh(self) -> None:
        """Build the scene anew and let the hand forget what is gone."""
        self._stale = False
        try:
            self._root = screen.scene(self.model)
        except Exception as error:  # noqa: BLE001 (whatever it is, the window stays)
            self._mend(error)
            self._root = screen.scene(self.model)
            self._stale = False
        while thumbnails.wrong:
            self._note(thumbnails.wrong.popleft())
        self.hand.settle(self._root)
        if self.hand.touch.focus != self.model.focus:
            self.model, effects = update(self.model, Focus(self.hand.touch.focus))
            self._root = screen.scene(self.model)
            self._perform(effects)

    # What goes out.

    def _perform(self, effects: Sequence[Effect]) -> None:
        """Do what is to be done; what cannot be done stops nothing else."""
        for effect in effects:
            try:
                self._do(effect)
            except Exception as error:  # noqa: BLE001 (a sound, a file, the desktop)
                self._note(error)
                said = _("That could not be done. What happened: {what}")
                what = f"{type(error).__name__}: {error}"
                self.model = tell(self.model, said.format(what=what), bad=True)

    def _do(self, effect: Effect) -> None:  # noqa: C901 (one an effect)
        match effect:
            case Ask(request=request):
                if self.link is not None:
                    self.link.ask(request)
            case Store():
                self.store()
            case Give(name=name):
                self.hand.focus(name)
                self.on_event(Focus(name))
            case Browse(folder=folder):
                self._look_up(partial(browsing.read_folder, folder))
            case Peek(paths=paths):
                self._look_up(partial(browsing.lying_at, paths))
            case OpenLinks(on=on):
                self._later(partial(self.links.switch, on=on))
            case Report(path=path, over=over):
                self._later(partial(written, self.home, path, over=over))
            case Show(link=link):
                if self.nursery is not None:
                    self.nursery.start_soon(self._show_page, link)
            case Quit(code=code):
                self.code = code
                self.done = True
            case _:
                self.on_screen(effect)

    def restore(self) -> None:
        """Take up editions and word lists that others have sent to the node.

        Raises:
            OSError: They cannot be read.
            NetplayError: They are damaged.
        """
        fetched.restore(self.home)

    def _restored(self) -> None:
        try:
            self.restore()
        except (OSError, NetplayError) as error:  # said by what lacks the words
            self._note(error)

    def reread(self) -> None:
        """Learn what another window, or a terminal, has set meanwhile."""
        there = None if self.model.brought else settings.read(self.home)
        if there is not None:
            self._set(there, settings.merged(there, self._kept, self._lasting()))

    def store(self) -> None:
        """Keep the settings, and learn what was changed elsewhere."""
        if self.model.brought:  # what came is not to be lost for what was set here
            return
        own, before = self._lasting(), self.model
        try:
            kept = settings.store(self.home, own, self._kept)
        except LocalError as error:  # it holds for now, and goes along with the next
            if own != self._kept and self._lost is None and before.fault is None:
                said = _("What you have set holds for now, but is not kept: {why}")
                said = said.format(why=sentence(error.said))
                self.model, self._stale = tell(before, said, bad=True), True
                self._lost = self.model.fault
            return
        if self._lost is not None and self._lost is before.fault:
            self.model, self._stale = replace(before, fault=None), True
        self._lost = None
        self._set(kept, kept)

    def _lasting(self) -> settings.Settings:
        """Return the settings without those that this window was only started with."""
        own = self.model.settings
        for name, value in tuple(self._given.items()):
            if getattr(own, name) != value:  # changed since: from now on as any other
                del self._given[name]
        return replace(own, **{name: getattr(self._kept, name) for name in self._given})

    def _set(self, kept: settings.Settings, own: settings.Settings) -> None:
        """Go on with these settings, which may speak another language."""
        self._kept, own = kept, replace(own, **self._given)
        if own != self.model.settings:
            self.model, self._stale = replace(self.model, settings=own), True
            texts.speak(own.language)
            tiles.call(own.cells)

    def _look_up(self, job: browsing.Job) -> None:
        """Ask the disk; what it was asked before is of no use any more."""
        self._reading.cancel()
        self._reading = trio.CancelScope()
        if self.nursery is not None:
            self.nursery.start_soon(self._await_disk, job, self._reading)

    async def _await_disk(self, job: browsing.Job, scope: trio.CancelScope) -> None:
        """Tell what the disk answers, if it does."""
        with scope:
            try:
                answer = await self._disk(job)
            except Exception as error:  # noqa: BLE001 (what a disk can do)
                self._mend(error)
                return
            if scope.cancel_called:  # too late for it to be stopped on its way
                return
            self.on_event(answer)
            self.wake.set()

    async def _show_page(self, link: str) -> None:
        """Open the browser; where there is none, the link is there to be read."""
        with suppress(webbrowser.Error, OSError):
            await trio.to_thread.run_sync(webbrowser.open, link, abandon_on_cancel=True)

    def _later(self, job: Callable[[], Awaitable[Event]]) -> None:
        """Do what would hold up the loop, and take what comes of it."""
        if self.nursery is not None:
            self.nursery.start_soon(self._bring, job)

    async def _bring(self, job: Callable[[], Awaitable[Event]]) -> None:
        try:
            event = await job()
        except Exception as error:  # noqa: BLE001 (another program, or the disk)
            self._mend(error)
            return
        self.on_event(event)
        self.wake.set()

    def _own(self) -> object:
        """Return the game's local state: another when one's own hand shows."""
        return self.model.match and self.model.match.local

    def _time(self, now: float) -> bool:
        """Let time pass, where something shown depends on it; tell whether it did."""
        due = FRAME if lively(self.model) else BEAT
        if now - self._beat < due:
            return False
        on_time = now - self._beat < 2 * due  # then the beat is kept, without drift
        self._beat = self._beat + due if on_time else now
        before = self.model
        self.model, effects = update(before, Tick(now, browsing.today()))
        self._stale = self._stale or shows(before, self.model)
        self._perform(effects)
        return True

"""From what hands do to intents: clicks, drags, keys and text.

`Hand` keeps what the mouse is doing between events.  It knows the scene only through
the tree it is given, and never drops an event.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from client.ui import hand, intents
from client.ui.scene import (
    Node,
    Point,
    Role,
    Touch,
    dialogs,
    drop_at,
    find,
    hit,
    safe,
    step,
    stops,
    top,
)

THRESHOLD: Final = 4
"""Pixels the pointer moves before a press becomes a drag."""

ARROWS: Final = frozenset({"up", "down", "left", "right"})

DOUBLE: Final = 0.4
"""Seconds within which a second click on the same node is a double click."""

WHEEL: Final = 48
"""Pixels that one notch of the wheel scrolls."""

NUDGE: Final = 0.05
"""How far an arrow key moves a slider."""

T = TypeVar("T")


class Hand:
    """The user's hand: where the pointer is, what it holds, what has the keyboard."""

    def __init__(self) -> None:
        self.touch = Touch()
        self._pressed: Node | None = None
        self._from: Point = (0, 0)
        self._at: Point = (0, 0)
        self._last: tuple[str, float] = ("", -1.0)
        self._chord = ""
        self._typed: tuple[str, float] = ("", -1.0)
        self._down: set[str] = set()
        self._before: set[str] = set()
        """Keys that were down when a dialog opened: they were not meant for it."""
        self._dialogs: list[tuple[str, str]] = []
        """The dialogs, the uppermost last, and where the keyboard was before each."""
        self._settled = ""
        self._stops: tuple[str, ...] = ()
        """Where Tab stopped when the keyboard last had a place."""
        self._place = ""
        """Which of them the keyboard was on when it went: Tab goes on from there."""

    def sift(self, events: Sequence[T]) -> Iterator[T]:
        """Yield waiting events without repeats of keys that have been let go by now.

        While the window is busy a timer goes on repeating the key that is down, for
        nobody has seen yet that it was let go: one tap would move a cursor twice.
        """
        ups = {
            e.key: i
            for i, e in enumerate(events)
            if isinstance(e, intents.Key) and not e.down
        }
        for i, event in enumerate(events):
            match event:
                case intents.Key(key=key, down=True):
                    again = key in self._down
                    self._down.add(key)
                    if again and i < ups.get(key, -1):
                        continue
                case intents.Key(key=key):
                    self._down.discard(key)
                case intents.Blur():
                    self.rest()
                case _:
                    pass
            yield event

    def rest(self) -> None:
        """Forget keys: whether they are let go elsewhere nobody will tell."""
        self._down.clear()
        self._before.clear()

    def settle(self, root: Node) -> None:
        """Forget what the scene no longer has; a drag ends where its node goes.

        A dialog that opens takes the keyboard, and gives it back when it closes.
        """
        given = self.touch.focus != self._settled
        gone = {n for n in (self.touch.focus, self.touch.lift) if n}
        gone = {n for n in gone if not _stands(root, n)}
        if self.touch.lift in gone:
            self.let_go()
        if self.touch.focus in gone:
            # From the list of a drop-down the keyboard goes back to where it opened.
            face, _colon, row = self.touch.focus.rpartition(":")
            back = row.isdigit() and face and _stands(root, face)
            place = self.touch.focus
            self.focus(face if back else safe(top(root)))
            self._place = "" if self.touch.focus else place
        self._attend(root, given=given)
        self._settled = self.touch.focus
        if self.touch.focus:
            self._stops = tuple(n.name for n in stops(root))

    def _attend(self, root: Node, *, given: bool) -> None:
        """Have the keyboard follow the dialogs that have opened and closed.

        Args:
            root: The scene.
            given: Something else has taken the keyboard meanwhile.
        """
        found = list(dialogs(root))
        now = [each.name for each in found if not each.name.endswith(hand.POPUP)]
        pairs = enumerate(zip(self._dialogs, now, strict=False))
        same = next((i for i, (old, new) in pairs if old[0] != new),
                    min(len(self._dialogs), len(now)))  # fmt: skip
        closed = self._dialogs[same:]
        before = closed[0][1] if closed else self._settled
        self._dialogs[same:] = [(name, before) for name in now[same:]]
        upper = [root, *found][-1]
        if now[same:]:
            self._before |= self._down
            if find(upper, self.touch.focus) is None:
                self.focus(safe(upper))
        elif closed and not given:
            last = find(upper, before)
            stands = last is not None and last.enabled
            self.focus(before if stands else safe(upper))

    def focus(self, name: str) -> None:
        """Give the keyboard to a node; empty for none."""
        self._place = ""
        self._set(focus=name)

    def on_event(
        self, event: intents.Event, root: Node, now: float, *, held: bool
    ) -> Iterator[intents.Intent]:
        """Yield what an event means.

        Args:
            event: As it came.
            root: The scene as it is shown.
            now: Seconds on a clock that only goes forward.
            held: The page wants every key, going down and up.
        """
        match event:
            case intents.Pressed():
                yield from self._press(event, root)
            case intents.Moved(pos=pos):
                yield from self._move(pos, root)
            case intents.Released(pos=pos):
                yield from self._release(pos, root, now)
            case intents.Wheeled(notches=notches):
                turned = partial(_turned, notches=notches)
                yield from hand.rolled(root, self._at, turned)
            case intents.Key():
                yield from self._key(event, root, held=held)
            case intents.Text(text=text):
                if not held:
                    yield from self._text(hand.clean(text), root, now)
            case intents.Left():
                yield from self._hover("")
            case intents.Compose() | intents.Blur():
                yield event

    def _text(self, text: str, root: Node, now: float) -> Iterator[intents.Intent]:
        """Take text that was typed: into a field, or to find a row of an open list."""
        if not text or text.lower() == self._chord:
            return  # X11 types what Alt is held with
        if text == " ":
            focused = find(root, self.touch.focus) if self.touch.focus else None
            if focused is not None and _presses(focused, intents.Key("space")):
                return  # it already was a click
        listed = hand.open_list(root)
        if listed is None:
            yield from self._to_board(root, text[:1])
            yield intents.Text(text)
        else:
            # To the row that begins with what is typed.
            before, at = self._typed
            typed = (before if now - at <= hand.PAUSE else "") + text.casefold()
            self._typed = (typed, now)
            here = hand.here(listed, self.touch.focus)
            to = hand.lettered(listed, here, typed)
            if to is not None:
                yield from self._reach(listed, to)

    def _set(self, **changes: Any) -> None:  # noqa: ANN401 (fields of Touch)
        self.touch = replace(self.touch, **changes)

    def _press(self, event: intents.Pressed, root: Node) -> Iterator[intents.Intent]:
        node = hit(root, event.pos)
        self.let_go()  # of a drag whose end was never seen
        if event.button is intents.Button.RIGHT:
            x = event.pos[0] - node.rect.x if node else 0
            means = node.means if node else None
            yield intents.Click(
                node.name if node else "", intents.Button.RIGHT, 1, x, means=means
            )
            return
        self._pressed, self._from, self._place = node, event.pos, ""
        self._set(pressed=node.name if node else "")
        if node is None:
            if top(root) is root:  # a dialog's field keeps the keyboard
                yield from self._refocus("")
            yield intents.Click("")
        elif node.role is Role.ENTRY:
            yield from self._refocus(node.name)
        else:
            yield from self._refocus("")
            if node.role is Role.SLIDER:
                yield _slide(node, event.pos)

    def _refocus(self, name: str) -> Iterator[intents.Intent]:
        if self.touch.focus != name:
            self.focus(name)
            yield intents.Focus(name)

    def _move(self, pos: Point, root: Node) -> Iterator[intents.Intent]:
        node, self._at = self._pressed, pos
        if node is not None and node.role is Role.SLIDER:
            yield _slide(node, pos)
            return
        dx, dy = pos[0] - self._from[0], pos[1] - self._from[1]
        far = max(abs(dx), abs(dy)) >= THRESHOLD
        if node is not None and node.drag and far and not self.touch.lift:
            self._set(lift=node.name, pressed="")
            yield intents.Lift(node.name)
        if self.touch.lift:
            target = drop_at(root, pos)
            self._set(by=(dx, dy), over=target.name if target else "")
            return
        under = hit(root, pos)
        yield from self._hover(under.name if under else "")

    def _hover(self, name: str) -> Iterator[intents.Intent]:
        """Remember what is under the pointer and tell of a change."""
        if name != self.touch.hover:
            self._set(hover=name)
            yield intents.Hover(name)

    def _release(self, pos: Point, root: Node, now: float) -> Iterator[intents.Intent]:
        """Take the left button going up: a drop, or a click."""
        node, lifted = self._pressed, self.touch.lift
        self.let_go()
        if lifted:
            target = drop_at(root, pos)
            yield intents.Drop(lifted, target.name if target else "")
            return
        under = hit(root, pos)
        if node is None or under is None or under.name != node.name:
            return
        if node.role is Role.SLIDER:
            return
        name, at = self._last
        again = name == node.name and now - at <= DOUBLE
        self._last = ("", -1.0) if again else (node.name, now)
        count, x = 2 if again else 1, pos[0] - node.rect.x
        yield intents.Click(
            node.name, intents.Button.LEFT, count, x, node.rect.w, under.means
        )

    def let_go(self) -> None:
        """Hold nothing any more: what was dragged lies where it lay."""
        self._pressed = None
        self._set(pressed="", lift="", by=(0, 0), over="")

    def _note(self, key: intents.Key) -> None:
        """Remember which keys are down."""
        if key.down:
            self._chord = key.key if key.ctrl or key.alt else ""
            self._down.add(key.key)
        else:
            self._down.discard(key.key)
            self._before.discard(key.key)

    def _key(
        self, key: intents.Key, root: Node, *, held: bool
    ) -> Iterator[intents.Intent]:
        self._note(key)
        if not key.down and not held:
            return
        focused = find(root, self.touch.focus) if self.touch.focus else None
        if key.key == "tab" and not key.ctrl and not key.alt:
            if key.down:
                by = -1 if key.shift else 1
                yield from self._refocus(
                    step(root, self.touch.focus, by, self._stops, self._place)
                )
        elif key.down and key.key == "escape" and self.touch.lift:
            self.let_go()
        elif (listed := self._choosing(root, key)) is not None:
            yield from self._choose(listed, key)
        elif key.down and focused is not None and _presses(focused, key):
            if key.key not in self._before:
                # Nothing is pressed where a list has come over it.
                over = top(root)
                means = (
                    focused.means if over is root or find(over, focused.name) else None
                )
                yield intents.Click(focused.name, means=means)
        elif key.down and focused is not None and focused.role is Role.SLIDER:
            yield from _nudge(focused, key)
        elif held or len(key.key) > 1 or key.ctrl or key.alt:
            yield from self._to_board(root, key.key)
            yield key

    def _to_board(self, root: Node, key: str) -> Iterator[intents.Intent]:
        """Give the keyboard back to the board: Enter is for its cursor then."""
        if key not in ARROWS and len(key) > 1:
            return
        focused = find(root, self.touch.focus) if self.touch.focus else None
        pressed = focused is not None and focused.role in (Role.BUTTON, Role.TILE)
        if pressed and top(root) is root and find(root, "cursor") is not None:
            yield from self._refocus("")

    def _choosing(self, root: Node, key: intents.Key) -> Node | None:
        listed = hand.open_list(root)
        if listed is None or not key.down or key.ctrl or key.alt:
            return None
        at = hand.here(listed, self.touch.focus)
        picks = key.key in ("enter", "space") and at >= 0
        return listed if picks or hand.moved(listed, at, key) is not None else None

    def _choose(self, listed: Node, key: intents.Key) -> Iterator[intents.Intent]:
        at = hand.here(listed, self.touch.focus)
        to = hand.moved(listed, at, key)
        if to is None:
            yield intents.Click(hand.name(listed, at), means=hand.chosen(listed, at))
        else:
            yield from self._reach(listed, to)

    def _reach(self, listed: Node, to: int) -> Iterator[intents.Intent]:
        """Give the keyboard to a row of the open list, and bring it into sight."""
        yield intents.Scroll(*hand.scrolled(listed, to))
        yield from self._refocus(hand.name(listed, to))


def _stands(root: Node, name: str) -> bool:
    node = find(root, name)
    return node is not None and node.enabled


def _presses(node: Node, key: intents.Key) -> bool:
    if node.role in (Role.ENTRY, Role.SLIDER) or not node.live or key.ctrl or key.alt:
        return False
    opens = ("up", "down") if node.role is Role.CHOICE else ()
    return key.key in ("enter", "space", *opens)


def _slide(node: Node, pos: Point) -> intents.Slide:
    return intents.Slide(
        node.name, min(1.0, max(0.0, (pos[0] - node.rect.x) / node.rect.w))
    )


def _nudge(node: Node, key: intents.Key) -> Iterator[intents.Intent]:
    """Move a slider's knob with the arrow keys, else pass the key on."""
    by = {"left": -NUDGE, "right": NUDGE, "down": -NUDGE, "up": NUDGE}.get(key.key)
    if by is None:
        yield key
        return
    knob = node.kids[-1].rect
    at = (knob.x - node.rect.x) / max(1, node.rect.w - knob.w)
    yield intents.Slide(node.name, min(1.0, max(0.0, at + by)))


def _turned(node: Node, notches: float) -> int:
    """Return by how many pixels a wheel scrolls a list down.

    Whole notches end where a row begins, if all are alike; finer ones anywhere.
    """
    high = {kid.rect.h for kid in node.kids if kid.rect.x == node.rect.x}  # no bar
    by = -round(notches * WHEEL)
    if len(high) != 1 or not notches or notches % 1:
        return by
    (pitch,) = high
    if node.content % pitch or pitch > node.rect.h:
        return by
    rows = max(1, round(abs(by) / pitch))
    return rows * pitch * (1 if by > 0 else -1) - node.offset % pitch

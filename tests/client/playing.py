"""Play a whole match in real windows, with a real mouse or a real keyboard.

    python -m tests.client.playing numlo --keyboard --nodes 2 --shots DIR

The script looks at the match through the windows' debug ports, lets the computer
players choose the moves, and performs them with the X server's pointer and keys.
"""

import argparse
import base64
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final

from msgspec import Struct

from client.app import settings
from netplay import wire
from netplay.players import player
from rules import GAMES
from rules.hexcolumns import Drop
from rules.tiles import UNKNOWN
from tests.client.hands import HANDS, NAMES
from tests.client.test_two_windows import Player
from tests.client.test_window import desktop
from tests.patience import PATIENCE

SHORT: Final = {
    "numlo": ("size=8",),
    "hexagrams": (),
    "hexcolumns": ("size=6", "level=2"),
    "lhexicon": ("side=6",),
    "networdz": (),
}
"""Options that make a match short."""

SKILL: Final = 40
SKILLS: Final = {"hexcolumns": 0}
"""Of a computer player at the table; one that is too good fills no well."""

NAMED: Final = ("Anna", "Bert")
"""Who sits at the windows."""

KEYBOARDS: Final = {"french": "fr", "german": "de", "spanish": "es", "russian": "ru"}
"""Layouts on which the letters of an edition are keys; typing on another remaps keys,
which a window hears of too late."""

CAREFUL: Final = 60
"""Inputs in a well after which pieces are only dropped, so that it ends."""


class Plan(Struct, frozen=True):
    """What is to be played, and how."""

    game: str
    mouse: bool = True
    nodes: int = 1
    shots: Path | None = None
    most: int = 100_000
    """Moves by these hands after which to stop."""
    options: tuple[str, ...] = ()
    """KEY=VALUE, besides those that make the match short."""
    language: str = "en"
    """Of the windows' texts."""
    fairness: str = ""
    """How tiles are drawn; empty for the usual way."""


class Table(Player):
    """A node and its window, with a match to play by hand."""

    made = 0
    """Moves made by hand."""

    def keys(self, *names: str) -> None:
        """Press keys one after the other."""
        if names:
            told = [NAMES.get(name, name) for name in names]
            self.tool("key", "--delay", "12", *told)

    def type_text(self, text: str) -> None:
        """Type text in any alphabet, as somebody with that keyboard would."""
        self.tool("type", "--delay", "25", text)

    def match(self) -> dict[str, Any]:
        """Return what the debug port tells of the match."""
        found = self.ask("match")
        return found if isinstance(found, dict) else {}

    def local(self) -> dict[str, Any]:
        """Return the game's own state of the window."""
        return dict(self.match()["local"])

    def shown(self, name: str) -> bool:
        """Tell whether a part is to be seen."""
        return self.ask("find", name) is not None

    def elsewhere(self, name: str) -> bool:
        """Tell whether another part has the keyboard."""
        return bool(self.ask("window")["focus"] != name)

    def reach(self, name: str) -> None:
        """Give the keyboard to a button with Tab."""
        self.node_named(name)
        for _ in range(80):
            before = self.ask("window")["focus"]
            if before == name:
                return
            self.keys("Tab")
            self.until(partial(self.elsewhere, before))
        raise AssertionError(f"Tab does not come to {name}")

    def view(self) -> tuple[Any, int, int]:
        """Return the match as the seat sees it, the seat, and the entries in it."""
        told = self.until(lambda: self.match().get("view") and self.match())
        kind = GAMES[told["game"]].ABOUT.state
        state = wire.unpack(base64.b64decode(told["view"]), kind)
        return state, told["seat"], told["number"]

    def shoot(self, to: Path | None, name: str) -> None:
        """Keep a picture of the screen."""
        if to is not None:
            to.mkdir(parents=True, exist_ok=True)
            words = ["scrot", "-o", "-z", str(to / f"{name}.png")]
            subprocess.run(words, env=self.env, check=True, timeout=PATIENCE)


@contextmanager
def tables(home: Path, count: int) -> Iterator[list[Table]]:
    """Start a display, a window manager, and as many nodes with their windows."""
    started: list[subprocess.Popen[bytes]] = []
    made: list[Table] = []
    try:
        env = desktop(started)
        for name in NAMED[:count]:
            made.append(Table(home / name, env, name))
            made[-1].named()
        yield made
    finally:
        for each in made:
            each.close()
        for process in reversed(started):
            process.terminate()
            process.wait(PATIENCE)


def sit(plan: Plan, at: Sequence[Table]) -> None:
    """Open the table, bring everybody to it, and start the match."""
    wanted = (*SHORT[plan.game], *plan.options)
    options = [word for each in wanted for word in ("--option", each)]
    other = "remote" if plan.nodes > 1 else f"computer:{SKILLS.get(plan.game, SKILL)}"
    host = at[0]
    if plan.fairness:
        options += ["--fairness", plan.fairness]
    host.command("host", plan.game, "--seat", "person", "--seat", other, *options)
    if plan.nodes > 1:
        port = host.command("status").split("port ")[1].split()[0]
        at[1].command("join", f"127.0.0.1:{port}")
        host.until(lambda: host.node_named("start").get("enabled", True))
    host.command("start")
    for each in at:
        each.until(each.view)


def over(at: Table) -> bool:
    """Tell whether a window shows that the match is over."""
    return bool(at.shown("rematch") or at.shown("home"))


def turn(plan: Plan, at: Table, rng: random.Random) -> bool:
    """Make a move at a window if it is its turn; tell whether one was made."""
    rules = GAMES[plan.game]
    state, seat, _number = at.view()
    if seat not in rules.actors(state) or over(at):
        return False
    tiled = rules.ABOUT.tiled
    if tiled is not None and UNKNOWN in tiled.tiles(state).kinds[seat]:
        return False  # a tile that was drawn has not come yet
    if rules.ABOUT.hz and at.made >= CAREFUL:
        move: Any = Drop()
    else:
        move = player(plan.game).choose(state, seat, SKILL, rng)
    if plan.nodes > 1:
        at.front()
    try:
        HANDS[plan.game](at, state, move, mouse=plan.mouse)
        if not rules.ABOUT.hz:
            # Entries that are no moves come too; a state changes by this move alone.
            at.until(lambda: at.view()[0] != state or over(at))
    except AssertionError as error:
        raise AssertionError(f"{move} was not made: {at.local()}") from error
    at.made += 1
    return True


def play(plan: Plan, home: Path) -> tuple[int, float]:
    """Play the match; return the moves made by hand and the seconds they took.

    Raises:
        AssertionError: The match does not go on, or a window refuses a legal move.
    """
    rng = random.Random(plan.game)
    edition = "".join(o.partition("=")[2] for o in plan.options if "edition" in o)
    label = f"{edition or plan.game}-{'mouse' if plan.mouse else 'keys'}-{plan.nodes}"
    with tables(home, plan.nodes) as at:
        sit(plan, at)
        keyboard = ["setxkbmap", KEYBOARDS.get(edition, "us")]
        subprocess.run(keyboard, env=at[0].env, check=True, timeout=PATIENCE)
        for each in at:
            if not plan.mouse:
                each.front()
                each.tool("mousemove", "--window", each.id, "5", "5")
        began = last = monotonic()
        latest = 0
        try:
            while not all(map(over, at)) and sum(e.made for e in at) < plan.most:
                for each in at:
                    if (number := each.match()["number"]) > latest:
                        latest, last = number, monotonic()
                    if not turn(plan, each, rng):
                        continue
                    last = monotonic()  # a long word takes its time to type
                    if each.made in (3, 12, 25):
                        each.shoot(plan.shots, f"{label}-{each.made}")
                assert monotonic() - last < PATIENCE, "the match does not go on"
        except BaseException:
            with suppress(Exception):
                at[0].shoot(plan.shots, f"{label}-failed")
            raise
        for each in at:
            each.front()
            each.shoot(plan.shots, f"{label}-over-{each.name}")
        return sum(each.made for each in at), monotonic() - began


def main() -> int:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser("playing", description=__doc__)
    parser.add_argument("game", choices=list(GAMES))
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--mouse", action="store_true", default=True)
    how.add_argument("--keyboard", action="store_true")
    parser.add_argument("--nodes", type=int, choices=(1, 2), default=1)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--language", default="en")
    parser.add_argument("--fairness", default="")
    parser.add_argument("--most", type=int, default=100_000, help="moves by hand")
    parser.add_argument("--shots", type=Path, help="directory for pictures")
    given = parser.parse_args()
    plan = Plan(
        given.game, not given.keyboard, given.nodes, given.shots, given.most,
        tuple(given.option), given.language, given.fairness,
    )  # fmt: skip
    with TemporaryDirectory() as home:
        for name in NAMED:
            place = Path(home) / name / settings.FILE
            place.parent.mkdir()
            settings.store(place.parent, settings.Settings(language=plan.language))
        moves, seconds = play(plan, Path(home))
    how_ = "mouse" if plan.mouse else "keyboard"
    print(f"{plan.game}, {how_}, {plan.nodes} nodes: {moves} moves, {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A whole node at a computer whose clocks are set from outside; perhaps a cheater's.

`python -m tests.hostile.clocked node ...` is `netplay node ...`, but the clock on the
wall and the one that counts sleep are ahead by what stands in the file that CLOCKS
names.  With CHEATS=holds it enters no turn of others and finds no claim too early; with
CHEATS=shows it shows its turns to others, and keeps them from the host.
"""

import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from netplay import steady
from netplay.__main__ import main
from netplay.daemon import starting
from netplay.match.effects import Effects
from netplay.match.submitting import Submitting
from netplay.match.thinking import Thinking
from netplay.messages.log import LogBody, Submit, Turn
from netplay.record.log import read_body
from netplay.wanted import Outgoing
from tests.netplay.deviant import never_early

true_wall = starting.wall
enter = Submitting.on_submit
submit, submit_all = Submitting.submit, Submitting.submit_all


def ahead(which: int) -> float:
    """Return by how many seconds a clock is ahead: 0 the wall's, 1 the other."""
    return float(Path(os.environ["CLOCKS"]).read_text("ascii").split()[which])


def held_back(self: Submitting, key: bytes, submit: Submit, at: int):  # type: ignore[no-untyped-def]  # noqa: ANN201
    """Enter what a member says, unless it is a turn."""
    if isinstance(read_body(submit.body), Turn):
        return ()
    return enter(self, key, submit, at)


def without_turns(effects: Effects) -> Effects:
    """Leave out what would bring a turn to the host."""
    return [
        one
        for one in effects
        if not (
            isinstance(one, Outgoing)
            and isinstance(one.message, Submit)
            and isinstance(read_body(one.message.body), Turn)
        )
    ]


def submit_less(
    self: Submitting, body: LogBody, at: int, *, hold: bool = False
) -> Effects:
    return without_turns(submit(self, body, at, hold=hold))


def submit_all_less(self: Submitting) -> Effects:
    return without_turns(submit_all(self))


def run() -> int:
    starting.wall = lambda: true_wall() + ahead(0)
    computer = SimpleNamespace(
        CLOCK_BOOTTIME=time.CLOCK_BOOTTIME,
        clock_gettime=lambda which: time.clock_gettime(which) + ahead(1),
        monotonic=lambda: time.monotonic() + ahead(1),
    )
    vars(steady)["time"] = computer  # another computer's
    if os.environ.get("CHEATS") == "shows":
        Submitting.submit = submit_less  # type: ignore[method-assign]
        Submitting.submit_all = submit_all_less  # type: ignore[method-assign]
    if os.environ.get("CHEATS") == "holds":
        Submitting.on_submit = held_back  # type: ignore[method-assign]
        Thinking.left = property(lambda _self: 0)  # type: ignore[assignment,method-assign]
        never_early(Thinking)
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(run())

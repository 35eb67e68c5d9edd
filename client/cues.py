"""What is heard when the node tells of a table that has changed."""

from typing import Final

from client.model import Effect, Flash, Play
from client.sound import Sound
from netplay.messages import door

LOW: Final = 60_000
"""Milliseconds left on one's own clock at which one hears of it."""


def heard(
    before: door.TableStatus | None, table: door.TableStatus | None
) -> tuple[Effect, ...]:
    """Return what is heard at a change of the table's state."""
    if before is None or table is None:
        return ()
    own = {i for i, s in enumerate(table.seats) if s.state == "here"}
    own = {i for i in own if table.seats[i].kind == "person"}
    found: list[Effect] = []
    if own.intersection(table.turn) and not own.intersection(before.turn):
        found += [Play(Sound.TURN), Flash()]
    if table.phase == "over" and before.phase != "over":
        found.append(Play(Sound.OVER))
    for old, new in zip(before.seats, table.seats, strict=False):
        own_clock = new.state == "here" and new.kind == "person"
        if own_clock and old.clock > LOW >= new.clock >= 0:
            found.append(Play(Sound.LOW))
    return tuple(found)

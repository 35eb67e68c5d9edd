"""What was carried comes once more: that changes nothing."""

from typing import TYPE_CHECKING, Any

from netplay.errors import Code, NetplayError
from netplay.messages.log import Carried, Have
from netplay.wire import Frame, decode

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World


def play_back(
    world: "World", a: "SimNode", b: "SimNode", message: Carried, refused: set[Code]
) -> None:
    """Let what was carried come once more: that changes nothing, or is refused."""
    if not b.up or b.asleep > world.now or b.drive.broken or b.fuse is not None:
        return
    world.tally("played back")
    again: set[Code] = set()
    try:
        b.node_tables.receive(a.key, message, b.now)
    except NetplayError as error:
        again.add(error.code)
    sent = (each.message for each in b.node_tables.take_outgoing())
    said = [message for message in sent if not _greets(world, message)]
    shown = [push.message for push in b.node_tables.take_pushes()]
    if said or shown or again != refused:
        what = f"{said} {shown} {again} {refused}"
        world.checks.fail(f"{b.name} takes what was played back: {what}")


def _greets(world: "World", message: Any) -> bool:
    """Tell whether a letter says no more than how much is on its author's disk.

    It is the answer to whoever does not know this end of the way.
    """
    if not isinstance(message, Carried):
        return False
    (to, *_) = world.with_key(message.to)
    text = to.signer.unseal(message.letter)
    return isinstance(decode(Frame(text[0], text[1:])), Have)

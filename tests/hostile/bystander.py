"""A bystander that means no good: it asks to watch, and then for much more."""

from contextlib import suppress

import trio

from netplay.messages.log import Entries, Have, Opening, Submit
from netplay.messages.table import Admit, Attend, Bystanders, Decline
from tests.hostile.peer import GoneError, Line, Peer


async def ask_again_and_again(peer: Peer, port: int, count: int) -> None:
    """Ask to watch and go, with a new link every twenty times."""
    for _ in range(count // 20):
        async with peer.call(port) as line:
            with suppress(GoneError):
                for _ in range(20):
                    await line.say(Attend(b""), Decline(b"", 0, 15, "no"))
                    await trio.sleep(0.02)


async def watch(line: Line) -> Entries:
    """Ask to watch, wait until the players have agreed, and get the genesis."""
    await line.say(Attend(b""))
    told = await line.until(Bystanders, lambda b: b.bystanders[0].watches)
    await line.say(Have(told.match, 0, 0, bytes(32)))
    return await line.until(Entries)


async def overstep(peer: Peer, port: int, match: bytes) -> list[str]:
    """Say what only members may, one thing a visit; return how each visit ended."""
    ends: list[str] = []
    for message in (
        Submit(match, 0, b"\x90", bytes(64)),
        Admit(match, peer.key, True),
        Opening(match, ()),
    ):
        async with peer.call(port) as line:
            await watch(line)
            await line.say(message)
            await line.ended()
            ends.append(line.why)
    return ends

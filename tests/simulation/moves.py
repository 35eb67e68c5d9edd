"""No move is lost or doubled: what was made is held against what stands in the logs."""

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import ValidationError, msgpack

from netplay.errors import PeerError
from netplay.messages.log import LogBody, Refused, Response, Submit, Turn
from netplay.wire import unpack
from tests.simulation.book import MAGIC, SECRETS, Page, frames, is_after, resigns
from tests.simulation.drive import Kept
from tests.simulation.prepared import ANY, Lines

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

BODY: Final = 3
"""The tag of a body in a file of secrets; an empty one says that it is gone."""


class Moves:
    """All moves that were made in a world, and those that nodes have kept."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.lines = Lines(world)
        """Those that were prepared on condition."""
        self._made: set[tuple[bytes, int, bytes, int]] = set()
        """Match, seat, move, and after how many moves somebody made it."""
        self._kept: dict[str, dict[int, Turn]] = {}
        """File of secrets -> own number -> what is on the disk there."""
        self._sent: dict[tuple[str, bytes], dict[int, Turn]] = {}
        """Node and match -> own number -> the turn whose signed bytes have left."""
        self._read: dict[str, tuple[int, int]] = {}
        """File of secrets -> how often it was rewritten, and how much was read."""

    def made(self, match: bytes, seat: int, move: bytes, number: int = ANY) -> None:
        """Note that a player makes a move; it may be too late, or refused.

        Args:
            match: In which match.
            seat: At which seat.
            move: Which.
            number: After how many others, if that is plain.
        """
        self._made.add((match, seat, move, number))

    # What has left, and is not to be taken back.

    def sent(self, node: "SimNode", submit: Submit) -> None:
        """Note that the signed bytes of a turn leave a node."""
        body = unpack(submit.body, LogBody)
        if isinstance(body, Turn):
            self._sent.setdefault((node.name, submit.match), {})[submit.own] = body

    def refused(self, node: "SimNode", refused: Refused) -> None:
        """Note that a turn will not be entered: its number is free again."""
        self._sent.get((node.name, refused.match), {}).pop(refused.own, None)

    def lost_power(self, node: "SimNode") -> None:
        """Note that a node has forgotten what was not on its disk: nobody made it."""
        for (name, match), turns in self._sent.items():
            kept = self._kept.get(_secrets(node, match), {})
            if name == node.name:
                for own in [
                    own for own, turn in turns.items() if kept.get(own) != turn
                ]:
                    del turns[own]

    def put_back(self, node: "SimNode") -> None:
        """Note that a node has an older home, which knows nothing of what has left."""
        for (name, _match), turns in self._sent.items():
            if name == node.name:
                turns.clear()

    def taken_back(self, node: "SimNode", match: bytes, seat: int) -> None:
        """Check that what a player takes back has left by no way."""
        page = node.pages(match)[-1]
        self._world.tally("taken back")
        kept = self._kept.get(_secrets(node, match), {})  # without what was taken back
        for own, turn in self._sent.get((node.name, match), {}).items():
            waits = kept.get(own) == turn  # it was a resignation behind it
            if turn.seat == seat and is_after(page, turn.after) and not waits:
                self._world.checks.fail(f"{node.name} takes back what has left")

    # What is kept.

    def synced(self, node: "SimNode", path: str, kept: Kept) -> None:
        """Look at what has come into a file of secrets, and is there for good."""
        times, at = self._read.get(path, (kept.rewritten, len(MAGIC)))
        if times != kept.rewritten:
            at = len(MAGIC)
        for raw, end in frames(kept.durable, at):
            at = end
            record: Any = msgpack.decode(raw)
            if record[0] == BODY:
                late = self._is_entered(node, path, record[1])
                self._take(path, record[1], b"" if late else record[2])
        self._read[path] = kept.rewritten, at

    def _is_entered(self, node: "SimNode", path: str, own: int) -> bool:
        """Tell whether what an author writes with a number stands in a log already.

        Who has lost what was not synced may move again before it hears of that.
        """
        for match in self._world.checks.matches:
            if Path(node.path(match)).stem == Path(path).stem:
                logs = (one.pages(match) for one in self._world.nodes.values())
                return any(
                    dict(p.owns).get(node.key, 0) > own for *_, p in filter(None, logs)
                )
        return False

    def _take(self, path: str, own: int, raw: bytes) -> None:
        bodies = self._kept.setdefault(path, {})
        bodies.pop(own, None)
        if raw:
            try:
                body = unpack(raw, LogBody)
            except (PeerError, ValidationError):
                return
            if isinstance(body, Turn):
                bodies[own] = body

    def judge(self, match: bytes, log: list[Page]) -> None:
        """Hold a log in which all have ended against what was made."""
        checks, backs = self._world.checks, list[int]()
        for before, page in pairwise(log):
            body = page.body
            if isinstance(body, Turn) and self._is_trusted(page.entry.author):
                made = match, body.seat, body.move
                numbers = before.moves, *backs
                clicked = {(*made, n) for n in (ANY, *numbers)} & self._made
                if not clicked and not self.lines.named(log, page, numbers):
                    what = f"move {page.moves} of seat {body.seat}"
                    checks.fail(f"{what} was made by nobody, or elsewhere")
            elif isinstance(body, Response) and page.moves > before.moves:
                backs.append(before.moves)  # what waited then is said again later
        for node in self._world.nodes.values():
            if checks.trusted(node) and not node.dead:
                self._lost(node, match, log)

    def _is_trusted(self, author: bytes) -> bool:
        nodes = self._world.with_key(author)
        return bool(nodes) and all(self._world.checks.trusted(node) for node in nodes)

    def _lost(self, node: "SimNode", match: bytes, log: list[Page]) -> None:
        """Check that a move which is kept was entered where it was made for."""
        places = {page.head: number for number, page in enumerate(log)}
        for turn in self._kept.get(_secrets(node, match), {}).values():
            at = places.get(turn.after)
            if at is None or resigns(log[0].terms, turn.move):
                continue  # made in a history that is none any more
            next_ = next((p for p in log[at:] if p.moves > log[at].moves), None)
            if next_ is None or not isinstance(next_.body, Turn):
                continue  # a clock was first, or all was over
            body = next_.body
            other = (body.seat, body.move) != (turn.seat, turn.move)
            if other and not resigns(log[0].terms, body.move):
                what = f"{node.name} lost a move of seat {turn.seat} that was kept"
                self._world.checks.fail(what)


def _secrets(node: "SimNode", match: bytes) -> str:
    """Return where a node keeps what it has written and the log has not."""
    return str(Path(node.path(match)).with_suffix(SECRETS))

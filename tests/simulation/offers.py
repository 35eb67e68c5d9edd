"""What players offer one another, and how they answer: yes, no, or not at all."""

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from netplay.messages.door import Failed, Question
from netplay.messages.log import What
from netplay.messages.table_questions import AnswerOffer, MakeOffer

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World

WHATS: Final[tuple[What, ...]] = ("back", "back", "back", "back", "draw", "stop")
"""Mostly what lets the match go on."""

ROUNDS: Final = 14
"""Times that somebody offers something."""

ANSWERS: Final = ("yes", "yes", "yes", "no", "")
"""Nothing: the offer is gone with the next move."""


class Offers:
    """The offers of one world."""

    def __init__(self, world: "World", rng: Random) -> None:
        self._world = world
        self._rng = rng

    def begin(self) -> None:
        """Let offers be made now and then; some soon after another, or at once."""
        at = 0.5
        for _ in range(ROUNDS):
            at += self._rng.choice((0.0, 0.3, 1.0, 2.0))
            self._world.later(at, self._offer)

    def _offer(self) -> None:
        """Let somebody offer something, be it possible or not."""
        node = self._rng.choice(self._world.members)
        what = self._rng.choice(WHATS)
        if what != "back" and self._rng.random() < 0.8:
            what = "back"  # else all matches would be short
        for seat in self._seats(node):
            self._does(node, MakeOffer(seat, what), f"offer: {what}")
        for other in self._world.members:
            wait = self._rng.choice((0.05, 0.2, 0.5))
            says = self._rng.choice(ANSWERS)
            self._world.later(wait, partial(self._reply, other, says))

    def _reply(self, node: "SimNode", says: str) -> None:
        """Let somebody answer what stands by then."""
        status = node.status if node.up else None
        if status is None or not says:
            return
        own = self._seats(node)
        for one in status.offers.standing:
            for seat in own:
                if seat in one.asked or (seat == one.seat and says == "no"):
                    answer = AnswerOffer(seat, says == "yes", one.head)
                    self._does(node, answer, f"answer: {says}")

    def _seats(self, node: "SimNode") -> list[int]:
        """Return the seats of a node; who is host has one of a computer, too."""
        status = node.status if node.up else None
        if status is None or not status.match:
            return []
        return [n for n, one in enumerate(status.seats) if one.kind != "remote"]

    def _does(self, node: "SimNode", question: Question, what: str) -> None:
        """Let somebody ask for something; it may be too late for it."""
        if not node.up or node.asleep > self._world.now:
            return

        def act() -> None:
            done = not isinstance(node.ask(question), Failed)
            self._world.tally(f"{what}{'' if done else ' in vain'}")

        self._world.run(node, what, act)

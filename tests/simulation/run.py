"""One run: a table is formed, things happen and go wrong, all is judged at the end."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct
from nacl.bindings import crypto_sign_open

from netplay.messages.table import Fairness
from tests.simulation.acts import Acts, form
from tests.simulation.bags import proofs
from tests.simulation.ending import Ending
from tests.simulation.faults import Faults
from tests.simulation.themes import OPTIONS, Plan
from tests.simulation.world import World

LONGEST = 1500.0
"""Virtual seconds after which a match that has not ended never will."""

MEMORY = Path("/dev/shm")
"""Where files cost least, if there is such a place."""

__all__ = ["OPTIONS", "Result", "simulate"]


class Result(Struct, frozen=True):
    """What came of a run."""

    seed: int
    game: str
    members: int
    fairness: Fairness
    themes: tuple[str, ...]
    failures: tuple[str, ...]
    faults: dict[str, int]
    entries: int
    events: int
    seconds: float
    """Virtual."""
    trace: str
    cells: dict[tuple[str, str], int] = {}
    """Features that have met, and how often."""


@contextmanager
def remembering() -> Generator[None]:
    """Check each signature once, not once at every node.

    The same bytes under the same key hold everywhere; a signature that fails is
    checked by everybody who sees it.
    """
    good: set[tuple[bytes, bytes]] = set()

    def opened(signed: bytes, key: bytes) -> bytes:
        if (signed, key) not in good:
            crypto_sign_open(signed, key)
            good.add((signed, key))
        return b""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("netplay.record.log.crypto_sign_open", opened)
        yield


def simulate(
    seed: int,
    game: str = "",
    themes: tuple[str, ...] | None = None,
    fairness: Fairness | None = None,
) -> Result:
    """Play one match; the seed decides everything.

    Args:
        seed: The seed.
        game: Which game; empty for what the seed says.
        themes: What happens besides cuts and crashes; None for what the seed says.
        fairness: How tiles are drawn; None for what the seed says.
    """
    place = str(MEMORY) if MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="netplay-", dir=place))
    plan = Plan(seed, game, themes, fairness)
    world = World(seed, plan.game, plan.members, folder)
    with remembering(), proofs(seed), world.drives.in_place():
        return played(world, plan)


def played(world: World, plan: Plan) -> Result:
    """Play one match."""
    rng, ending = Random(f"run {plan.seed}"), Ending(world)
    world.timed = "timed" in plan.themes
    world.fairness, world.themes = plan.fairness, plan.themes
    world.begin()
    form(world, plan, rng)
    acts = Acts(world, plan, rng, ending)
    Faults(world, plan, rng).begin()
    acts.begin()
    world.bags.begin()
    while world.heap and world.now < LONGEST and not world.checks.failures:
        world.step()
        if world.calm and world.events % 16 == 0 and ending.settled():
            if acts.once_more():
                continue
            break
    return result_of(world, plan.game, plan.themes, ending.judge())


def result_of(world: World, game: str, themes: tuple[str, ...], entries: int) -> Result:
    """Return what came of a run."""
    return Result(
        world.seed,
        game,
        len(world.members),
        world.fairness,
        themes,
        tuple(world.checks.failures),
        dict(sorted(world.faults.items())),
        entries,
        world.events,
        world.now,
        world.trace.hexdigest(),
    )

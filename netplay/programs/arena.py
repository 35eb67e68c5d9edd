"""Programs as players of `netplay arena`, which thinks of no tasks and no nodes."""

import random  # noqa: TID251 (what the arena gives every player; not used here)
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeAlias

from anyio.from_thread import BlockingPortal, start_blocking_portal

from netplay.programs.player import ProgramPlayer
from netplay.programs.process import runnable
from rules.game import Seat

Choose: TypeAlias = "Callable[[Any, Seat, random.Random], Any]"
"""(view, seat, rng) -> move."""


@contextmanager
def programs() -> Generator[Callable[[str, str], Choose]]:
    """Give what returns the player of a game that is a program, by its path.

    All end when the context does.
    """
    started: list[ProgramPlayer] = []
    with start_blocking_portal("trio") as portal:

        def program(game: str, path: str) -> Choose:
            player = ProgramPlayer(str(runnable(path)))
            started.append(player)
            return _chooser(portal, player, game)

        try:
            yield program
        finally:
            for player in started:
                portal.call(_close, player)


def _chooser(portal: BlockingPortal, player: ProgramPlayer, game: str) -> Choose:
    """Return a program as the arena asks players."""

    def choose(view: Any, seat: Seat, _rng: random.Random) -> Any:  # noqa: ANN401 (any game's)
        return portal.call(player.move, game, b"", seat, view)

    return choose


async def _close(player: ProgramPlayer) -> None:
    """End a program, and wait until it is gone."""
    player.end()
    await player.gone_at_last()

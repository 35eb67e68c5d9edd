"""Programs as players of `netplay arena`, which thinks of no tasks and no nodes."""

import json
import random  # noqa: TID251 (what the arena gives every player; not used here)
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from anyio.from_thread import start_blocking_portal

from netplay.home import read_json, write_whole
from netplay.programs.process import ProgramPlayer, runnable
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

            def choose(view: Any, seat: Seat, _rng: random.Random) -> Any:  # noqa: ANN401 (any game's)
                return portal.call(player.move, game, b"", seat, view)

            return choose

        try:
            yield program
        finally:
            for player in started:
                portal.call(_close, player)


async def _close(player: ProgramPlayer) -> None:
    """End a program, and wait until it is gone."""
    player.end()
    await player.gone_at_last()


# Where the programs of this node's seats lie: what the user has said, and nobody else.
#
# Kept in the home, so that a match goes on as it was when the node has been started
# anew. It is no part of a match: who loads one, is proposed one, or plays one again has
# to name the program again.


KEPT: Final = 200
"""Seats whose programs are remembered, the latest; far more than play at once."""


class ProgramPaths:
    """Match and seat -> the path of a program."""

    def __init__(self, file: Path | None = None) -> None:
        """Read what is kept.

        Args:
            file: Where; None to forget all with the node.
        """
        self._file: Final = file
        known = read_json(file).items() if file is not None else ()
        self._paths: Final = {str(place): str(path) for place, path in known}

    def put(self, match: bytes, seat: Seat, path: str) -> None:
        """Note which program plays a seat.

        Raises:
            LocalError: DISK, it cannot be kept.
        """
        self._paths[_name(match, seat)] = path
        for place in list(islice(self._paths, max(0, len(self._paths) - KEPT))):
            del self._paths[place]
        if self._file is not None:
            write_whole(self._file, json.dumps(self._paths, indent=1).encode())

    def get(self, match: bytes, seat: Seat) -> str | None:
        """Return which program plays a seat, None if that is not known."""
        return self._paths.get(_name(match, seat))


def _name(match: bytes, seat: Seat) -> str:
    """Return what a seat is called in the file."""
    return f"{match.hex()}:{seat}"

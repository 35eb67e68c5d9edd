"""Have the window draw a picture: in a process of its own, without a display."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from netplay.daemon.positions import Position
from netplay.errors import Code, LocalError
from netplay.wire import pack
from rules import editions, lexicon

PATIENCE_SECONDS: Final = 60.0
"""For a picture, on a slow machine."""


def draw(sight: Position, seat: int | None, out: Path) -> None:
    """Draw a position as the window does.

    Args:
        sight: The position, as `seat` knows it; edition and word list go along.
        seat: Whose hand is drawn, None for a bystander's picture.
        out: The PNG file to write.

    Raises:
        LocalError: DISK or USAGE, it could not be drawn; the reason is the window's.
    """
    picture = {
        "game": sight.game,
        "state": pack(sight.view),
        "names": sight.names,
        "seat": seat,
        "editions": _edition(sight.edition),
        "lexicons": _lexicon(sight.lexicon),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view"
        path.write_bytes(msgspec.msgpack.encode(picture))
        words = [sys.executable, "-m", "client", "picture", str(path), str(out)]
        done = subprocess.run(  # noqa: S603 (our own program)
            words, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
        )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["the picture could not be drawn"]
        raise LocalError(Code.USAGE, lines[-1])


def _edition(digest: bytes) -> list[bytes]:
    """Return the edition of a match, encoded, unless it comes with the program."""
    if not digest or digest.hex() in editions.shipped().values():
        return []
    return [editions.encode(editions.find(digest.hex()))]


def _lexicon(digest: bytes) -> list[bytes]:
    """Return the word list of a match, unless it comes with the program."""
    if not digest or digest.hex() in lexicon.shipped().values():
        return []
    return [bytes(lexicon.find(digest.hex()).data)]

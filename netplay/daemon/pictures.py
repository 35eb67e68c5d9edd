"""Have the window draw a picture: in a process of its own, without a display."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from netplay.daemon.positions import Position
from netplay.errors import Code, LocalError
from netplay.home import write_whole
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
    try:
        write_whole(out, _drawn(msgspec.msgpack.encode(picture)))
    except OSError as error:  # where what is not kept lies
        raise LocalError(Code.DISK, error.strerror or str(error)) from None


def _drawn(picture: bytes) -> bytes:
    """Return the PNG file that the window makes of a picture.

    Raises:
        OSError: There is no room.
        LocalError: USAGE, it could not be drawn.
    """
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "view", Path(folder) / "drawn.png"
        path.write_bytes(picture)
        words = [sys.executable, "-m", "client", "picture", str(path), str(out)]
        try:
            done = subprocess.run(  # noqa: S603 (our own program)
                words, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
                check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise LocalError(Code.USAGE, str(error)) from None
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["it could not be drawn"]
            raise LocalError(Code.USAGE, lines[-1])
        return out.read_bytes()


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

"""Files that go to, and come from, where a page is seen.

The node reads and writes them as it does a player's own; for that long they lie here in
a folder that nobody else may open.
"""

import base64
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from tempfile import mkdtemp
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple, replace

from client.app import browsing
from client.app.browsing import Arriving, Chooser, Found, Looked, Looking, Reported
from client.browser import talk
from client.ui.texts import _
from netplay.limits import WEB_FILE_BYTES
from netplay.messages import door
from netplay.said import Value, Words

PIECE_BYTES: Final = 256 * 1024
"""Of a file in one frame to a page, which asks for the next by having painted it."""


ENDING_BYTES: Final = 40
"""Of a name's ending: with the rest of it a disk takes it."""


class Coming(Struct):
    """A file of which a page has brought some."""

    path: Path
    name: str
    size: int
    have: int = 0
    told: int = 0
    """Of a hundred, as it was told last."""


class Going(Struct):
    """A file that a page is told of piece by piece."""

    path: Path
    at: int = 0


class Transfers:
    """The files of a session that are on their way."""

    def __init__(self) -> None:
        """Begin with none, and no folder yet."""
        self._folder: Path | None = None
        self._count = 0
        self._coming: Coming | None = None
        self._going: list[Going] = []
        self._asked: dict[int, Path] = {}
        """Files of which the node was asked something, by the request's number."""
        self._read: set[Path] = set()
        """Those that have come: the node only reads them."""

    def close(self) -> None:
        """Let all of them go."""
        self._coming, self._going = None, []
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def place(self, name: str) -> Path:
        """Return a path for a file of this name that is in nobody's way.

        Raises:
            OSError: The disk takes none.
        """
        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="netplay-")).resolve()
        self._count += 1
        path = self._folder / str(self._count) / name
        path.parent.mkdir()
        return path

    def room(self, name: str) -> Looked | Arriving:
        """Return where a file that is to be written has room, or why none has."""
        try:
            return Looked((Found(str(self.place(name)), "nothing"),))
        except OSError as error:
            return Arriving(name, why=_unkept(error))

    # What comes.

    def brought(
        self, piece: talk.Brought, chooser: Chooser | None
    ) -> Iterator[Arriving | Looked]:
        """Take a piece of a file; yield what is to be told of it.

        Nothing is taken but for a chooser that is to read a file.
        """
        if chooser is None or chooser.purpose.writes or chooser.taken:
            self._drop()
            return
        if piece.at == 0:
            self._drop()
            why = ""
            if piece.size < 0:
                why = _("The file could not be read. Choose it again.")
            elif piece.size > WEB_FILE_BYTES:
                why = _("The file is too large: a browser can bring {most} MB.")
                why = why.format(most=WEB_FILE_BYTES // 2**20)
            if why:
                yield Arriving(piece.name, why=why)
                return
        elif not isinstance(chooser.awaits, Looking):  # given up meanwhile
            self._drop()
        try:
            yield from self._put(piece)
        except OSError as error:
            self._drop()
            yield Arriving(piece.name, why=_unkept(error))

    def _put(self, piece: talk.Brought) -> Iterator[Arriving | Looked]:
        now = self._coming
        if piece.at == 0:
            name = PurePath(piece.name)
            end = browsing.plain(name.suffix, ENDING_BYTES) if name.suffix else ""
            plain = f"{browsing.plain(name.stem)}.{end}".rstrip(".")
            now = self._coming = Coming(self.place(plain), plain, piece.size)
            yield Arriving(now.name)
        if now is None or piece.at != now.have:
            self._drop()
            return
        left = now.size - now.have - len(piece.data)
        if left < 0 or (left and not piece.data):
            self._drop()
            return
        with now.path.open("ab") as file:
            file.write(piece.data)
        now.have += len(piece.data)
        if now.have == now.size:
            self._coming = None
            self._read.add(now.path)
            yield Looked((Found(str(now.path), "file"),))
        elif (done := 100 * now.have // now.size) >= now.told + 5:
            now.told = done
            yield Arriving(now.name, done)

    @property
    def wants_more(self) -> bool:
        """Tell whether a file has begun to come and is not all here."""
        return self._coming is not None

    def broken(self) -> Arriving | None:
        """Forget a file that cannot come any more, as its page has gone."""
        now = self._coming
        self._drop()
        if now is None:
            return None
        return Arriving(
            now.name, why=_("The connection broke off. Choose the file again.")
        )

    def _drop(self) -> None:
        if self._coming is not None:
            _remove(self._coming.path)
            self._coming = None

    # What the node does with them.

    def asks(self, request: door.Request) -> None:
        """Note that the node is asked to read or write one of these files."""
        if self._folder is None:
            return
        here = f"{self._folder}{os.sep}"
        for value in astuple(request.ask):
            if isinstance(value, str) and value.startswith(here):
                self._asked[request.id] = Path(value)

    def on_done(self, message: door.FromNode) -> door.FromNode:
        """Take what the node has done; return it without where that was."""
        if not isinstance(message, door.Done | door.Failed):
            return message
        path = self._asked.pop(message.id, None)
        if path is None:
            return message
        if isinstance(message, door.Failed):
            _remove(path)
            return replace(message, detail=self._bare(message.detail))
        self._let_go(path)
        return replace(message, text=self._bare(message.text))

    def reported(self, event: Reported) -> Reported:
        """Take a report that is written; return it without where that was."""
        path = Path(event.path)
        if event.why:
            return replace(event, why=str(self._bare(event.why)))
        self._let_go(path)
        return replace(event, path=path.name)

    def _let_go(self, path: Path) -> None:
        """Send a file that the node has written; one that it has read goes."""
        if path in self._read:
            self._read.discard(path)
            _remove(path)
        elif path.is_file():
            self._going.append(Going(path))

    def _bare(self, words: Words) -> Words:
        """Return words with names of files alone, not where they lie for a moment."""
        if self._folder is None:
            return words
        slash = re.escape(os.sep)
        way = re.compile(f"{re.escape(str(self._folder))}{slash}[0-9]+{slash}")

        def bare(value: Value) -> Value:
            if isinstance(value, int):
                return value
            if isinstance(value, str):
                return way.sub("", value)
            return replace(value, values=tuple((k, bare(v)) for k, v in value.values))

        found = bare(words)
        assert not isinstance(found, int)  # what was no number is none
        return found

    # What goes.

    def again(self) -> None:
        """Begin anew with what a page that has gone had not all of."""
        for each in self._going:
            each.at = 0

    def piece(self) -> dict[str, object] | None:
        """Return the next piece of a file that goes to the page, None if none does."""
        while self._going:
            now = self._going[0]
            try:
                with now.path.open("rb") as file:
                    file.seek(now.at)
                    data = file.read(PIECE_BYTES)
                    end = not file.read(1)
            except OSError:  # somebody has cleared temporary files away
                del self._going[0]
                continue
            told = {
                "do": "save", "name": now.path.name, "at": now.at, "end": end,
                "data": base64.b64encode(data).decode(),
            }  # fmt: skip
            now.at += len(data)
            if end:
                _remove(now.path)
                del self._going[0]
            return told
        return None


def _unkept(error: OSError) -> str:
    """Return that no file can lie here, in words."""
    why = _("The file cannot be kept on the computer: {why}")
    return why.format(why=error.strerror or error)


def _remove(path: Path) -> None:
    """Remove a file and the folder that was made for it."""
    with suppress(OSError):  # the folder goes with the session
        path.unlink(missing_ok=True)
        path.parent.rmdir()

"""What the server of pages has to give: the page, fonts, sounds and icons."""

import hashlib
import io
import wave
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from client.ui import typefaces
from client.ui.sound import RATE, Sound, samples

KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".otf": "font/otf",
    ".ttf": "font/ttf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
}


class File(NamedTuple):
    """A file to be served."""

    kind: str
    data: bytes
    tag: bytes
    """Changes with what is in it."""


def _file(name: str, data: bytes) -> File:
    kind = KINDS[name[name.rindex(".") :]]
    return File(
        kind, data, b'"' + hashlib.sha256(data).hexdigest()[:20].encode() + b'"'
    )


@cache
def files() -> dict[str, File]:
    """Return path -> file, of all there are."""
    found: dict[str, File] = {}
    for each in sorted(
        resources.files("client.browser").joinpath("page").iterdir(), key=str
    ):
        found[f"/{each.name}"] = _file(each.name, each.read_bytes())
    found["/"] = found.pop("/index.html")
    fonts = {f"{cut.value}": path for cut, path in typefaces.FONTS.items()}
    for number, path in (*fonts.items(), ("3", typefaces.MORE)):
        name = f"font-{number}{path.suffix}"
        found[f"/{name}"] = _file(name, path.read_bytes())
    for sound in Sound:
        name = f"sound-{sound.name}.wav"
        made = io.BytesIO()
        with wave.open(made, "wb") as out:
            out.setnchannels(2)
            out.setsampwidth(2)
            out.setframerate(RATE)
            out.writeframes(samples(sound))
        found[f"/{name}"] = _file(name, made.getvalue())
    return found


@cache
def made() -> str:
    """Return what is another where any file is: a page of an older Netplay sees it."""
    tags = b"".join(file.tag for _path, file in sorted(files().items()))
    return hashlib.sha256(tags).hexdigest()[:20]

"""Signs notices of security releases: `python -m tools.release news`.

The key never lies in the repository: who releases keeps it, and a copy on paper.  A
note is what `netplay/finding/news.py` describes, without its first and last line:
number, day, the first version that is safe, words.
"""

import os
from pathlib import Path

from netplay.finding import news
from netplay.record.log import SecretKey


def run(kind: str, key: Path | None, note: Path | None) -> str:
    """Make a key, or sign a note; return what is to be kept of that.

    Raises:
        SystemExit: A file is missing, is there already, or does not fit.
    """
    if key is None or (kind == "news") is (note is None):
        raise SystemExit("say --key FILE, and for news --note FILE")
    if kind == "key":
        return make(key)
    assert note is not None
    signer = SecretKey(bytes.fromhex(key.read_text("ascii")))
    if signer.key.hex() != news.RELEASE_KEY:
        raise SystemExit("that is not the key that netplay/finding/news.py names")
    return signed(signer, note.read_text("utf-8")).decode()


def make(key: Path) -> str:
    """Make a key, in a file of the user's alone; return its public half."""
    seed = os.urandom(32)
    with open(key, "x", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(seed.hex())
    return SecretKey(seed).key.hex()


def signed(signer: SecretKey, note: str) -> bytes:
    """Return a note with its first and last line."""
    body = f"{news.HEAD}\n{note.strip()}".encode()
    data = body + b"\n" + signer.sign(news.TAG + body).hex().upper().encode() + b"\n"
    news.read(data, signer.key.hex())
    return data

"""A file that opens with a passphrase only.

    magic | salt | secretbox(argon2id(passphrase, salt), content) | SHA-256 of all that

The key is made by Argon2id, which takes a quarter of a gigabyte for each guess; the box
is XSalsa20 with Poly1305.  The sum is no secret's: it tells a damaged file from a wrong
passphrase.
"""

from hashlib import sha256
from typing import Final

from nacl import pwhash
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox
from nacl.utils import random

from netplay.errors import Code, LocalError
from netplay.sentences import Says

MAGIC: Final = b"netplay export 1\n"
SUM_BYTES: Final = 32
PHRASE_CHARACTERS: Final = 8
"""At the least; the file may lie in many places, for years."""


def lock(content: bytes, passphrase: str) -> bytes:
    """Return what opens with a passphrase only.

    Raises:
        LocalError: USAGE, the passphrase is too short, or there is too little memory.
    """
    if len(passphrase) < PHRASE_CHARACTERS:
        raise LocalError(Code.USAGE, Says.PHRASE_SHORT(count=PHRASE_CHARACTERS))
    salt = random(pwhash.argon2id.SALTBYTES)
    body = MAGIC + salt + bytes(SecretBox(_key(passphrase, salt)).encrypt(content))
    return body + sha256(body).digest()


def unlock(data: bytes, passphrase: str, path: object) -> bytes:
    """Return the content.

    Args:
        data: As `lock` made it.
        passphrase: The same.
        path: Where it was read, for errors.

    Raises:
        LocalError: FILE, it is none, or damaged, or has another passphrase.
    """
    check(data, path)
    start = len(MAGIC) + pwhash.argon2id.SALTBYTES
    try:
        box = SecretBox(_key(passphrase, data[len(MAGIC) : start]))
        return bytes(box.decrypt(data[start:-SUM_BYTES]))
    except CryptoError:
        raise LocalError(Code.FILE, Says.OTHER_PHRASE(path=path)) from None


def check(data: bytes, path: object) -> None:
    """Look whether it is such a file, and whole.

    Raises:
        LocalError: FILE, it is not.
    """
    if not data.startswith(MAGIC):
        raise LocalError(Code.FILE, Says.NOT_EXPORTED(path=path))
    body, total = data[:-SUM_BYTES], data[-SUM_BYTES:]
    shortest = len(MAGIC) + pwhash.argon2id.SALTBYTES
    if len(body) < shortest or sha256(body).digest() != total:
        raise LocalError(Code.FILE, Says.EXPORT_DAMAGED(path=path))


def _key(passphrase: str, salt: bytes) -> bytes:
    try:
        return pwhash.argon2id.kdf(
            SecretBox.KEY_SIZE,
            passphrase.encode("utf-8", "surrogateescape"),
            salt,
            opslimit=pwhash.argon2id.OPSLIMIT_MODERATE,
            memlimit=pwhash.argon2id.MEMLIMIT_MODERATE,
        )
    except (MemoryError, RuntimeError):
        raise LocalError(Code.USAGE, Says.MEMORY_SHORT()) from None

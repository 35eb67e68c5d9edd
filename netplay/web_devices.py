"""Browsers of the owner's that are let in: how they are paired, kept and forgotten.

Only hashes are kept, in files for the owner alone.  A code is written by whoever may
write into the home, and read by the server of pages, which runs apart; so neither has
to ask the other.
"""

import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec import Struct

from netplay.errors import LocalError
from netplay.faults import Faults
from netplay.home import read_kept, write_whole
from netplay.limits import WEB_DEVICES, WEB_ENTRY_SECONDS
from netplay.named_files import OWN_BYTES, read_named
from netplay.sentences import Says

DEVICES: Final = "devices.json"
PAIRING: Final = "pairing.json"
CERTIFICATE: Final = "web.pem"
"""Within the home: the certificate that the program makes, with its key."""

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Of a code: none that people take for another."""

CODE: Final = 8
"""Characters: 39 bits, of which fifty are tried at most."""

UNREADABLE: Final = (OSError, LocalError, ValueError, RecursionError)
"""What comes of a file that is missing or damaged."""

NAME_CHARACTERS: Final = 40
YEARS: Final = 10


class Device(Struct, frozen=True):
    """A browser that was paired."""

    name: str
    token: str
    """The hash of what it shows."""
    since: int
    """Unix time in seconds."""


class _Offer(Struct, frozen=True):
    """A code that is good once."""

    code: str
    """Its hash."""
    until: int
    """Unix time in seconds."""


def digest(text: str) -> str:
    """Return the hash by which a token or a code is kept."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def now() -> int:
    """Return the time of day, Unix seconds."""
    return int(dt.datetime.now(dt.UTC).timestamp())


class Devices:
    """The browsers that were paired with a home."""

    def __init__(self, home: Path) -> None:
        """Look into a home; what is there is read whenever it is asked for."""
        self._home: Final = home

    def all(self) -> tuple[Device, ...]:
        """Return those that are let in; none from a damaged file."""
        try:
            found = read_named(self._home / DEVICES, OWN_BYTES)
            return msgspec.json.decode(found, type=tuple[Device, ...])
        except UNREADABLE:
            return ()

    def look_at_file(self, faults: Faults) -> None:
        """Set the file aside if it is damaged: the next pairing would write over it.

        Args:
            faults: Told of it.

        Raises:
            LocalError: DISK, it cannot be.
        """
        take = partial(msgspec.convert, type=tuple[Device, ...])
        read_kept(self._home / DEVICES, take, faults, Says.DEVICES_DAMAGED)

    def offer(self) -> str:
        """Return a code that lets one browser in, once and for some minutes.

        Raises:
            LocalError: DISK, it cannot be kept.
        """
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE))
        kept = _Offer(digest(code), now() + round(WEB_ENTRY_SECONDS))
        self._write(PAIRING, msgspec.json.encode(kept))
        return code

    def offered(self) -> str:
        """Return the hash of the code that is good now; empty for none."""
        try:
            found = read_named(self._home / PAIRING, OWN_BYTES)
            offer = msgspec.json.decode(found, type=_Offer)
        except UNREADABLE:
            return ""
        return offer.code if now() < offer.until else ""

    def withdraw(self) -> bool:
        """Let no code be good any more; tell whether one was."""
        try:
            (self._home / PAIRING).unlink()
        except OSError:
            return False
        return True

    def pair(self, code: str, token: str, name: str) -> bool:
        """Let a browser in that shows the code; tell whether it was right.

        Args:
            code: As it was typed, in letters of any case.
            token: What it shows from now on.
            name: What the owner is to know it by.

        Raises:
            LocalError: DISK, it cannot be kept: then it is not let in.
        """
        wanted = digest(code.strip().upper())
        right = hmac.compare_digest(wanted, self.offered() or digest(""))
        if not right or not code:
            return False
        self.withdraw()
        taken = {one.name for one in self.all()}
        name, number = name[:NAME_CHARACTERS], 1
        free = name
        while free in taken:
            number += 1
            free = f"{name} {number}"
        fresh = Device(free, digest(token), now())
        self._keep((*self.all()[1 - WEB_DEVICES :], fresh))
        return True

    def knows(self, token: str) -> bool:
        """Tell whether a token is a paired browser's, looking at each for as long."""
        wanted, found = digest(token), False
        for one in self.all():
            found |= hmac.compare_digest(wanted, one.token)
        return found

    def forget(self, name: str) -> bool:
        """Let a browser in no more; tell whether there was one so named.

        Raises:
            LocalError: DISK, that cannot be kept.
        """
        every = self.all()
        left = tuple(one for one in every if one.name != name)
        if left == every:
            return False
        self._keep(left)
        return True

    def _keep(self, every: Sequence[Device]) -> None:
        self._write(DEVICES, msgspec.json.encode(every))

    def _write(self, name: str, data: bytes) -> None:
        write_whole(self._home / name, data)
        (self._home / name).chmod(0o600)


def certificate(home: Path) -> Path:
    """Return the file with a certificate and its key, made when it is first wanted.

    Raises:
        LocalError: DISK, it cannot be kept.
    """
    path = home / CERTIFICATE
    if path.exists():
        return path
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Netplay")])
    today = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - dt.timedelta(days=1))
        .not_valid_after(today + dt.timedelta(days=365 * YEARS))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    write_whole(path, private + made.public_bytes(serialization.Encoding.PEM))
    path.chmod(0o600)
    return path


def shown(path: Path) -> str:
    """Return a certificate's fingerprint as browsers show it: SHA-256, in pairs.

    Raises:
        OSError: It cannot be read.
        LocalError: It is no plain file.
        ValueError: It has no certificate.
    """
    found = x509.load_pem_x509_certificate(read_named(path, OWN_BYTES))
    return found.fingerprint(hashes.SHA256()).hex(":").upper()


def names(path: Path) -> tuple[str, ...]:
    """Return the names that a certificate is for, "*" for any first part.

    Raises:
        OSError: It cannot be read.
        LocalError: It is no plain file.
        ValueError: It has no certificate.
    """
    found = x509.load_pem_x509_certificate(read_named(path, OWN_BYTES))
    try:
        listed = found.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return ()
    whole = listed.value.get_values_for_type(x509.DNSName)
    return tuple(dict.fromkeys(name.lower() for name in whole if name != "localhost"))

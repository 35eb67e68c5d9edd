"""A node's key, the certificate it issues itself, and what TLS tells of the other.

Python's ssl cannot ask us about an unknown certificate.  So there is a certificate
authority that anybody may sign with: its private key stands here and in protocol.md.
Its signature proves nothing; it only makes both sides of TLS ask for a certificate
and check that the other holds its key.  That key then *is* the other's identity.
"""

import re
import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from netplay import VERSION
from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.home import Home, set_aside, write_whole
from netplay.messages.link import Hello
from netplay.named_files import OWN_BYTES, read_named
from netplay.peering.link import FEATURES, VERSIONS
from netplay.record.letter import appointed, pair, unseal
from netplay.record.log import SecretKey
from netplay.said import Said
from netplay.sentences import Says

ALPN: Final = "netplay/1"
"""What TLS names the protocol."""

OPEN_CA_CERTIFICATE: Final = """\
-----BEGIN CERTIFICATE-----
MIIBSDCB+6ADAgECAgEBMAUGAytlcDAaMRgwFgYDVQQDDA9uZXRwbGF5IG9wZW4g
Q0EwHhcNMDAwMTAxMDAwMDAwWhcNNDkxMjMxMDAwMDAwWjAaMRgwFgYDVQQDDA9u
ZXRwbGF5IG9wZW4gQ0EwKjAFBgMrZXADIQAQBvFEXdh+hCNMi6l92h1PYhLI2w48
gT6ELh7W9Iqm1KNmMGQwEgYDVR0TAQH/BAgwBgEB/wIBADAOBgNVHQ8BAf8EBAMC
AgQwHQYDVR0OBBYEFAQphp2LZPowiTpqHeY787EtTePDMB8GA1UdIwQYMBaAFAQp
hp2LZPowiTpqHeY787EtTePDMAUGAytlcANBAJTUDOI8DfZTojMXgrnwpeaGoFuA
DSGH+vgXxblnZ96g35Bp8OD4+onYvXb5AYr1T+l9V/zPwevoidU3HJoNfwQ=
-----END CERTIFICATE-----
"""

OPEN_CA_KEY: Final = bytes.fromhex(
    "084cf87834388a8ee7b2c247c9e7310beff38527a91702f11dc37e008d093e21"
)
"""The private key of the authority, for everybody."""

_FINGERPRINT: Final = re.compile(rb"^fingerprint (.*?)\s*$", re.MULTILINE)
"""The line below a key that says whose it is; one from elsewhere may lack it."""

_BEGIN: Final = datetime(2000, 1, 1, tzinfo=UTC)
_END: Final = datetime(2049, 12, 31, tzinfo=UTC)
"""A certificate never expires for a node whose clock is wrong."""


class Identity:
    """A node's key, and TLS with it."""

    def __init__(self, key: Ed25519PrivateKey, leaf: Path, secret: Path) -> None:
        """Prepare TLS.

        Args:
            key: The private key.
            leaf: File with the certificate.
            secret: File with the private key.
        """
        self.private = key
        self.sign = SecretKey(key.private_bytes_raw()).sign
        """Returns the Ed25519 signature of data, 64 bytes."""
        self.key = raw_public(key.public_key())
        self.server = _context(ssl.PROTOCOL_TLS_SERVER, leaf, secret)
        self.client = _context(ssl.PROTOCOL_TLS_CLIENT, leaf, secret)

    def unseal(self, letter: bytes) -> bytes:
        """Return the plain text of a message that was sealed for this node.

        Raises:
            PeerError: BAD_FRAME, it is to somebody else, or has been changed.
        """
        return unseal(self.private.private_bytes_raw(), self.key, letter)

    def pair(self, other: bytes) -> bytes:
        """Return what only this node and another can call the two; empty for none."""
        return pair(self.private.private_bytes_raw(), self.key, other)

    def appointed(self, other: bytes) -> bytes:
        """Return from what only this node and another know where they meet."""
        return appointed(self.private.private_bytes_raw(), self.key, other)


def look_for_key(home: Home) -> None:
    """Refuse a home that has lost its key: another would be another node.

    Raises:
        LocalError: DISK, it has.
    """
    if home.keyless:
        detail = Says.KEY_MISSING(path=home.key)
        raise LocalError(Code.DISK, detail)


def open_identity(home: Home, *, new: bool = False) -> Identity:
    """Return the identity of a home; the first time, make one.

    Args:
        home: Where the key lies.
        new: Make one also where there was one before.

    Raises:
        LocalError: DISK, the key file is missing, or cannot be read or written.
    """
    if not new:
        look_for_key(home)
    key = _read_key(home.key)
    if key is None:
        if home.used:
            home.faults.fault(Says.NEW_KEY())
        key = Ed25519PrivateKey.generate()
        # A key as it is kept, and what it is the key of: it has no checksum
        secret = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        write_whole(home.key, secret + b"fingerprint " + _fingerprint(key) + b"\n")
    try:
        if home.leaf.is_dir():
            set_aside(home.leaf)
        write_whole(home.leaf, issue(key.public_key()))
    except LocalError:  # a disk that is full: the one of the last start is as good
        if not _is_leaf_of(home.leaf, key):
            raise
    return Identity(key, home.leaf, home.key)


def _is_leaf_of(leaf: Path, key: Ed25519PrivateKey) -> bool:
    """Tell whether a file has a certificate for a key."""
    try:
        found = x509.load_pem_x509_certificate(read_named(leaf, OWN_BYTES))
    except (OSError, ValueError, LocalError):
        return False
    return found.public_key() == key.public_key()


def issue(public: Ed25519PublicKey) -> bytes:
    """Return a certificate for a key, signed by the open authority, as PEM."""
    authority = Ed25519PrivateKey.from_private_bytes(OPEN_CA_KEY)
    issuer = x509.load_pem_x509_certificate(OPEN_CA_CERTIFICATE.encode())
    usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "netplay node")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer.subject)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(_BEGIN)
        .not_valid_after(_END)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage(usages), False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()),
            False,
        )
    )
    return builder.sign(authority, None).public_bytes(serialization.Encoding.PEM)


def peer_key(tls: ssl.SSLObject) -> bytes:
    """Return the key of the node at the other end of a finished handshake.

    Raises:
        PeerError: BAD_CERTIFICATE, it spoke another protocol or has another kind of
            key.
    """
    if tls.selected_alpn_protocol() != ALPN:
        raise PeerError(Code.BAD_CERTIFICATE, f"it does not speak {ALPN}")
    certificate = tls.getpeercert(binary_form=True)
    if certificate is None:
        raise PeerError(Code.BAD_CERTIFICATE, "it showed none")
    return certified_key(certificate)


def certified_key(certificate: bytes) -> bytes:
    """Return the Ed25519 key in a certificate.

    Args:
        certificate: DER, from anywhere.

    Raises:
        PeerError: BAD_CERTIFICATE, there is no such key in it.
    """
    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
    except (ValueError, UnsupportedAlgorithm):
        raise PeerError(Code.BAD_CERTIFICATE, "it cannot be read") from None
    if not isinstance(key, Ed25519PublicKey):
        raise PeerError(Code.BAD_CERTIFICATE, "its key is not Ed25519")
    return raw_public(key)


def raw_public(key: Ed25519PublicKey) -> bytes:
    """Return the 32 bytes that name a node."""
    return key.public_bytes_raw()


def _fingerprint(key: Ed25519PrivateKey) -> bytes:
    return fingerprint(raw_public(key.public_key())).encode()


def _read_key(path: Path) -> Ed25519PrivateKey | None:
    """Return the private key in a file, None if there is no file."""
    try:
        data = read_named(path, OWN_BYTES, Code.DISK)
        key = serialization.load_pem_private_key(data, password=None)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LocalError(Code.DISK, Says.AT(place=path, why=error.strerror)) from None
    except (ValueError, TypeError, UnsupportedAlgorithm, InternalError):
        raise LocalError(Code.DISK, Says.KEY_DAMAGED(path=path)) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise LocalError(Code.DISK, Says.KEY_OF_OTHER_KIND(path=path))
    said = _FINGERPRINT.search(data)
    if said and said[1] != _fingerprint(key):
        raise LocalError(Code.DISK, Says.KEY_DAMAGED(path=path))
    return key


_NO_CHECK_TIME: Final = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, which Python does not name.  Dates mean nothing
in our certificates, and computers without a battery for their clock start in 1970."""


def _context(protocol: int, leaf: Path, secret: Path) -> ssl.SSLContext:
    """Return TLS 1.3 that shows our certificate and demands the other's."""
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_STRICT | _NO_CHECK_TIME
    context.load_verify_locations(cadata=OPEN_CA_CERTIFICATE)
    try:
        context.load_cert_chain(leaf, secret)
    except ssl.SSLError:  # it reads less than the library that makes keys
        raise LocalError(Code.DISK, Says.KEY_DAMAGED(path=secret)) from None
    context.set_alpn_protocols([ALPN])
    if protocol == ssl.PROTOCOL_TLS_SERVER:
        context.num_tickets = 0  # sessions are never resumed: each proves its key
    return context


# What nodes say to each other first, and what a player is told of a new one.


def first_words(name: str, port: int, nonce: bytes) -> Hello:
    """Return this program's Hello."""
    return Hello(VERSIONS, FEATURES, name, f"netplay {VERSION}", port, nonce)


def first_contact(of: bytes, name: str, *, invited: bool, lost: bool) -> Said:
    """Return what to say of a peer that was never met before.

    Args:
        of: Its key.
        name: Its player's.
        invited: The player was given an invitation that names the key.
        lost: The list of known keys was damaged: it may have been met.
    """
    who = name or Says.NAMELESS()
    key = fingerprint(of)
    if invited:
        return Says.KEY_INVITED(who=who, key=key)
    if lost:
        return Says.KEYS_UNKNOWN(who=who, key=key)
    return Says.FIRST_CONTACT(who=who, key=key)


# Keys that two running programs use at once, as where somebody has copied a home.
#
# Each start of a program has a nonce of its own. A key whose nonce is another one was
# started anew, and the nonce before is gone for ever. One that comes back belongs to a
# second program with that key; each would take the place of the other without end.


KEYS_KEPT: Final = 256
"""How many keys are remembered; for one more, that seen longest ago is forgotten."""

STARTS_KEPT: Final = 4
"""Of each key, the last."""


class Duplicates:
    """The last starts of each key that was there."""

    def __init__(self) -> None:
        self._starts: Final[dict[bytes, tuple[bytes, ...]]] = {}

    def note_nonce(self, key: bytes, nonce: bytes) -> None:
        """Note the nonce in the Hello of a link that is in use now."""
        before = (n for n in self._starts.pop(key, ()) if n != nonce)
        self._starts[key] = (*before, nonce)[-STARTS_KEPT:]
        if len(self._starts) > KEYS_KEPT:
            del self._starts[next(iter(self._starts))]

    def is_one(self, key: bytes, nonce: bytes) -> bool:
        """Tell whether a nonce was there before another one took its place."""
        return nonce in self._starts.get(key, ())[:-1]

    def absolve(self, key: bytes) -> None:
        """Begin anew with a key whose user was told: either program may go on."""
        self._starts.pop(key, None)

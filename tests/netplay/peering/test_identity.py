import ssl
import stat
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.errors import Code, LocalError, PeerError
from netplay.home import Home
from netplay.peering import identity
from netplay.peering.identity import (
    OPEN_CA_CERTIFICATE,
    OPEN_CA_KEY,
    Identity,
    certified_key,
    issue,
    open_identity,
    peer_key,
    raw_public,
)


def home(path: Path) -> Home:
    made = Home(path)
    made.prepare()
    return made


class Ends:
    """Both ends of a TLS connection, in memory."""

    def __init__(self, client: ssl.SSLContext, server: ssl.SSLContext) -> None:
        up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.client = client.wrap_bio(down, up)
        self.server = server.wrap_bio(up, down, server_side=True)

    def shake(self) -> None:
        for _ in range(4):
            for end in (self.client, self.server):
                try:
                    end.do_handshake()
                except ssl.SSLWantReadError:
                    pass


@pytest.fixture
def two(tmp_path: Path) -> tuple[Identity, Identity]:
    return open_identity(home(tmp_path / "1")), open_identity(home(tmp_path / "2"))


def test_a_clock_that_is_decades_wrong_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To a clock in 2060 all certificates are over, as these are to ours."""
    monkeypatch.setattr(identity, "_END", datetime(2001, 1, 1, tzinfo=UTC))
    one, other = (open_identity(home(tmp_path / name)) for name in "12")
    ends = Ends(one.client, other.server)
    ends.shake()
    assert (peer_key(ends.client), peer_key(ends.server)) == (other.key, one.key)


def test_both_sides_learn_each_others_key(two: tuple[Identity, Identity]) -> None:
    ends = Ends(two[0].client, two[1].server)
    ends.shake()
    assert peer_key(ends.client) == two[1].key
    assert peer_key(ends.server) == two[0].key
    assert ends.client.version() == "TLSv1.3"
    assert two[0].key != two[1].key


def test_the_key_is_made_once_and_private(tmp_path: Path) -> None:
    first = open_identity(home(tmp_path))
    assert open_identity(home(tmp_path)).key == first.key
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600


def test_a_folder_in_the_place_of_the_certificate_stops_no_node(tmp_path: Path) -> None:
    key = open_identity(home(tmp_path)).key
    leaf = tmp_path / "leaf.pem"
    leaf.unlink()
    leaf.mkdir()
    (leaf / "kept").touch()
    again = home(tmp_path)
    assert open_identity(again).key == key
    assert leaf.is_file()
    assert (tmp_path / "leaf.pem.damaged" / "kept").exists()


def test_a_new_key_where_there_was_one_is_told_of_and_a_first_one_is_not(
    tmp_path: Path,
) -> None:
    first = home(tmp_path)
    old = open_identity(first).key
    assert list(first.faults) == []
    first.key.unlink()
    first.peers.write_bytes(b"{}")
    with pytest.raises(LocalError):
        open_identity(first)
    again = home(tmp_path)
    assert open_identity(again, new=True).key != old
    assert [fault.code for fault in again.faults] == ["NEW_KEY"]


def test_a_certificate_carries_the_key_and_what_strict_checks_ask_for() -> None:
    key = Ed25519PrivateKey.generate().public_key()
    leaf = x509.load_pem_x509_certificate(issue(key))
    der = leaf.public_bytes(serialization.Encoding.DER)
    assert certified_key(der) == raw_public(key)
    leaf.verify_directly_issued_by(
        x509.load_pem_x509_certificate(OPEN_CA_CERTIFICATE.encode())
    )
    names = {type(e.value).__name__ for e in leaf.extensions}
    assert names >= {
        "BasicConstraints",
        "SubjectKeyIdentifier",
        "AuthorityKeyIdentifier",
    }


def test_the_open_authoritys_key_is_the_one_in_its_certificate() -> None:
    authority = x509.load_pem_x509_certificate(OPEN_CA_CERTIFICATE.encode())
    key = Ed25519PrivateKey.from_private_bytes(OPEN_CA_KEY).public_key()
    assert authority.public_key() == key


def test_a_caller_without_a_certificate_is_refused(
    two: tuple[Identity, Identity],
) -> None:
    nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    nobody.check_hostname = False
    nobody.load_verify_locations(cadata=OPEN_CA_CERTIFICATE)
    nobody.set_alpn_protocols(["netplay/1"])
    with pytest.raises(ssl.SSLError):
        Ends(nobody, two[1].server).shake()


def test_a_certificate_of_another_authority_is_refused(
    two: tuple[Identity, Identity], tmp_path: Path
) -> None:
    key = Ed25519PrivateKey.generate()
    name = x509.Name([])
    own = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime(2000, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2049, 1, 1, tzinfo=UTC))
        .sign(key, None)
    )
    pem = serialization.Encoding.PEM
    (tmp_path / "leaf").write_bytes(own.public_bytes(pem))
    (tmp_path / "key").write_bytes(
        key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    stranger = Identity(key, tmp_path / "leaf", tmp_path / "key")
    with pytest.raises(ssl.SSLError):
        Ends(stranger.client, two[1].server).shake()
    with pytest.raises(ssl.SSLError):
        Ends(two[0].client, stranger.server).shake()


def test_an_older_tls_is_refused(two: tuple[Identity, Identity]) -> None:
    two[0].client.minimum_version = ssl.TLSVersion.TLSv1_2
    two[0].client.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        Ends(two[0].client, two[1].server).shake()


def test_another_protocol_over_the_same_tls_is_refused(
    two: tuple[Identity, Identity],
) -> None:
    two[0].client.set_alpn_protocols(["http/1.1"])
    ends = Ends(two[0].client, two[1].server)
    ends.shake()
    with pytest.raises(PeerError) as caught:
        peer_key(ends.server)
    assert caught.value.code is Code.BAD_CERTIFICATE


def test_a_certificate_with_another_kind_of_key_is_refused() -> None:
    authority = Ed25519PrivateKey.from_private_bytes(OPEN_CA_KEY)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    leaf = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime(2000, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2049, 1, 1, tzinfo=UTC))
        .sign(authority, None)
    )
    with pytest.raises(PeerError) as caught:
        certified_key(leaf.public_bytes(serialization.Encoding.DER))
    assert caught.value.code is Code.BAD_CERTIFICATE


@given(st.binary(max_size=300))
def test_no_bytes_are_a_certificate_by_chance(data: bytes) -> None:
    with pytest.raises(PeerError) as caught:
        certified_key(data)
    assert caught.value.code is Code.BAD_CERTIFICATE


class NoCertificate:
    def selected_alpn_protocol(self) -> str:
        return "netplay/1"

    def getpeercert(self, *, binary_form: bool) -> None:
        assert binary_form


def test_no_certificate_at_all_is_refused() -> None:
    with pytest.raises(PeerError) as caught:
        peer_key(NoCertificate())  # type: ignore[arg-type]
    assert caught.value.code is Code.BAD_CERTIFICATE


@pytest.mark.parametrize("data", [b"", b"not a key"])
def test_a_damaged_key_file_is_a_sentence_and_stays(
    tmp_path: Path, data: bytes
) -> None:
    (tmp_path / "key.pem").write_bytes(data)
    with pytest.raises(LocalError) as caught:
        open_identity(home(tmp_path))
    assert caught.value.code is Code.DISK
    assert (tmp_path / "key.pem").read_bytes() == data


@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, 10**6), mask=st.integers(1, 255))
def test_one_flipped_byte_in_the_key_file_never_makes_another_node(
    tmp_path_factory: pytest.TempPathFactory, at: int, mask: int
) -> None:
    one = home(tmp_path_factory.mktemp("home"))
    key = open_identity(one).key
    data = bytearray(one.key.read_bytes())
    data[at % len(data)] ^= mask
    one.key.write_bytes(data)
    try:
        assert open_identity(one).key == key
    except LocalError as error:
        assert error.code is Code.DISK
        assert "key.pem" in str(error)
    assert one.key.read_bytes() == data


def test_a_key_from_elsewhere_that_does_not_say_whose_it_is_is_taken(
    tmp_path: Path,
) -> None:
    one = home(tmp_path)
    key = open_identity(one).key
    one.key.write_bytes(one.key.read_bytes().split(b"fingerprint")[0])
    assert open_identity(one).key == key


def test_a_key_of_another_kind_is_a_sentence(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    with pytest.raises(LocalError) as caught:
        open_identity(home(tmp_path))
    assert "Ed25519" in str(caught.value.detail)


@pytest.mark.skipif(sys.platform == "win32", reason="directories are not files there")
def test_a_key_file_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "key.pem").mkdir()
    with pytest.raises(LocalError) as caught:
        open_identity(home(tmp_path))
    assert caught.value.code is Code.DISK

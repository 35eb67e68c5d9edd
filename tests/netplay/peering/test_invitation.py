import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint
from netplay.messages.types import PLACES
from netplay.peering import invitation
from netplay.peering.address import Address

KEY, OTHER = b"a" * 32, b"b" * 32
PRINT = fingerprint(KEY)


def test_an_invitation_names_every_address_and_the_key() -> None:
    text = invitation.write(["192.168.0.12", "2001:db8::12"], KEY, 4770)
    assert text == f"netplay:192.168.0.12:4770,[2001:db8::12]:4770#{PRINT}"
    found = invitation.read(text)
    assert found.places == (
        Address("192.168.0.12", 4770),
        Address("2001:db8::12", 4770),
    )
    assert found.fits(KEY)
    assert not found.fits(OTHER)


def test_a_port_of_the_routers_own_stays_and_nothing_is_named_twice() -> None:
    hosts = ["10.0.0.1", "1.2.3.4:5000", "10.0.0.1:4771", "[2001:db8::1]:9"]
    text = invitation.write(hosts, KEY, 4771)
    named = "10.0.0.1:4771,1.2.3.4:5000,[2001:db8::1]:9"
    assert text.startswith(f"netplay:{named}#")


def test_as_many_addresses_as_may_be_named_are_named_and_read() -> None:
    hosts = [f"10.0.0.{n}" for n in range(1, invitation.PLACES + 2)]
    found = invitation.read(invitation.write(hosts, KEY, 4770))
    assert found.places == tuple(Address(host, 4770) for host in hosts[:-1])


@pytest.mark.parametrize("host", ["::1", "fe80::12", "1:2:3:4:5:6:7:8"])
def test_an_ipv6_address_gets_its_brackets_and_the_port(host: str) -> None:
    text = invitation.write([host], KEY, 4771)
    assert text == f"netplay:[{host}]:4771#{PRINT}"


def test_a_computer_without_an_address_invites_nobody() -> None:
    with pytest.raises(LocalError) as caught:
        invitation.write([], KEY, 4770)
    assert caught.value.code is Code.NO_ADDRESS


@given(st.binary(min_size=32, max_size=32))
def test_every_key_fits_its_own_invitation(key: bytes) -> None:
    text = invitation.write(["10.0.0.1"], key, 4770)
    assert invitation.read(text).fits(key)
    assert invitation.read(text.lower()).fits(key)
    assert invitation.read(text.upper()).fits(key)


@given(st.binary(min_size=32, max_size=32))
def test_characters_that_look_alike_count_as_one(key: bytes) -> None:
    head, _, print_ = invitation.write(["10.0.0.1"], key, 4770).partition("#")
    for wrong, right in ("O0", "I1", "LI", "Z2", "2Z", "S5", "6G", "B8", "Il"):
        copied = print_.replace(wrong, right)
        assert invitation.read(f"{head}#{copied}").fits(key)


def test_dashes_ports_and_a_comment_are_free() -> None:
    found = invitation.read(f"  NetPlay://Host#{PRINT.replace('-', '')} Anna at home")
    assert found.places == (Address("host", 4770),)
    assert found.fits(KEY)


def test_a_key_with_one_character_changed_does_not_fit() -> None:
    for at, character in enumerate(PRINT):
        if character == "-":
            continue
        wrong = "A" if character != "A" else "C"
        copied = PRINT[:at] + wrong + PRINT[at + 1 :]
        assert not invitation.read(f"netplay:h#{copied}").fits(KEY)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "192.168.0.12",
        "netplay:",
        "netplay:#",
        f"netplay:#{PRINT}",
        f"netplay:,#{PRINT}",
        "netplay:host",
        "netplay:host#",
        f"netplay:host#{PRINT[:-1]}",
        f"netplay:host#{PRINT}A",
        f"netplay:host#{PRINT[:-1]}!",
        f"netplay:host:0#{PRINT}",
        f"netplay:ho/st#{PRINT}",
        f"netplay:{'h,' * 9}#{PRINT}",
    ],
)
def test_what_is_no_invitation_is_a_sentence(text: str) -> None:
    with pytest.raises(LocalError) as caught:
        invitation.read(text)
    assert caught.value.code is Code.USAGE
    assert caught.value.detail


@given(st.text(max_size=200))
def test_whatever_is_typed_is_an_invitation_or_a_sentence(text: str) -> None:
    for typed in (text, f"netplay:{text}", f"netplay:{text}#{PRINT}"):
        try:
            places = invitation.read(typed).places
        except LocalError as error:
            assert error.code is Code.USAGE
        else:
            assert 1 <= len(places) <= invitation.PLACES


def test_an_address_and_an_invitation_both_say_where_to_try() -> None:
    assert invitation.places("host:1") == (Address("host", 1),)
    assert invitation.places(f"netplay:a,b:2#{PRINT}") == (
        Address("a", 4770),
        Address("b", 2),
    )


def test_others_are_told_a_plain_address() -> None:
    assert invitation.plain("host:1") == "host:1"
    assert invitation.plain("") == ""
    assert invitation.plain(f"netplay:a,b:2#{PRINT}") == "a:4770"


CARRIER = f"via/{fingerprint(OTHER).replace('-', '')}@[2001:db8::7]:4771"


def test_a_node_that_carries_is_one_more_place() -> None:
    text = invitation.write(["192.168.0.12", CARRIER], KEY, 4770)
    assert text == f"netplay:192.168.0.12:4770,{CARRIER}#{PRINT}"
    place = invitation.read(text).places[1]
    assert place.text() == CARRIER
    assert place.address == Address("2001:db8::7", 4771)  # type: ignore[union-attr]
    assert invitation.plain(text) == "192.168.0.12:4770"


@pytest.mark.parametrize(
    "place", ["via/@1.2.3.4", "via/ABCD@1.2.3.4", f"{CARRIER}x", "via/", "via/A@B@C"]
)
def test_a_place_that_carries_and_is_none_is_refused(place: str) -> None:
    with pytest.raises(LocalError) as error:
        invitation.read(f"netplay:{place}#{PRINT}")
    assert error.value.code is Code.USAGE


def test_who_carries_is_no_address_without_an_invitation() -> None:
    with pytest.raises(LocalError):
        invitation.places(CARRIER)


def test_what_it_takes_to_be_met_in_public_stands_among_the_places() -> None:
    secret = invitation.new_secret(bytes(range(16)))
    line = invitation.write(["192.168.0.12"], KEY, 4770, secret)
    found = invitation.read(line)
    assert found.secret == secret
    assert len(found.places) == 1
    assert invitation.read(line.replace("dht/", "DHT/").lower()) == found
    assert invitation.clicked(line) == line
    bare = invitation.read(invitation.write(["192.168.0.12"], KEY, 4770))
    assert bare.secret == ""
    assert bare.common() != found.common()
    many = [f"10.0.0.{number}" for number in range(PLACES + 1)]
    full = invitation.read(invitation.write(many, KEY, 4770, secret))
    assert (len(full.places), full.secret) == (PLACES, secret)


@pytest.mark.parametrize("secret", ["", "ABCD", "A" * 21, "!" * 20])
def test_a_secret_that_is_not_whole_is_refused(secret: str) -> None:
    line = invitation.write(["192.168.0.12"], KEY, 4770)
    with pytest.raises(LocalError) as caught:
        invitation.read(line.replace("#", f",dht/{secret}#"))
    assert caught.value.code is Code.USAGE


@pytest.mark.parametrize("place", ["192.168.0.12", "via/x"])
def test_what_is_written_down_of_a_line_has_not_its_secret(place: str) -> None:
    secret = invitation.new_secret(bytes(range(16)))
    bare = invitation.write(["192.168.0.12"], KEY, 4770)
    line = invitation.write(["192.168.0.12"], KEY, 4770, secret)
    assert invitation.told(line) == invitation.told(bare) == bare
    assert secret not in invitation.told(f" {line.replace('dht/', 'DHT/')} # {place}")
    assert invitation.told(place) == place

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.peering.address import PORT, Address, parse
from netplay.sentences import Says
from tests.said import says


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("127.0.0.1", "127.0.0.1", PORT),
        ("127.0.0.1:9", "127.0.0.1", 9),
        ("Example.org:65535", "example.org", 65535),
        ("[::1]:4771", "::1", 4771),
        ("[fe80::1%eth0]", "fe80::1%eth0", PORT),
        ("::1", "::1", PORT),
        ("  host:80  Anna at home", "host", 80),
        ("bücher.example", "bücher.example", PORT),
    ],
)
def test_addresses_are_read_as_people_write_them(
    text: str, host: str, port: int
) -> None:
    assert parse(text) == Address(host, port)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        ":80",
        "host:0",
        "host:65536",
        "host:x",
        "host:-1",
        "a/b",
        "host:²",
        "x" * 254,
        "[::1]x",
        "ho\x00st",
    ],
)
def test_what_is_no_address_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(LocalError) as caught:
        parse(text)
    assert caught.value.code is Code.USAGE
    assert caught.value.detail


def test_a_link_for_a_browser_is_called_so() -> None:
    with pytest.raises(LocalError) as caught:
        parse("https://192.0.2.7:4443/lent/abc?x=1 Anna")
    assert says(caught.value.detail, Says.FOR_BROWSERS)


@pytest.mark.parametrize("text", ["x" * 2000, f"host:{'9' * 2000}"])
def test_of_what_is_no_address_only_the_beginning_is_repeated(text: str) -> None:
    with pytest.raises(LocalError) as caught:
        parse(text)
    assert len(str(caught.value.detail)) < 100


@given(st.text(max_size=40))
def test_reading_what_was_written_gives_the_same_address(text: str) -> None:
    try:
        address = parse(text)
    except LocalError:
        return
    assert parse(address.text()) == address

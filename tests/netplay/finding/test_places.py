"""What a node's list of places holds, and in which order."""

from hypothesis import given
from hypothesis import strategies as st

from netplay.finding.places import SEEN, OwnPlaces, Scope, Source, Trial, useful
from netplay.messages.types import PLACES
from netplay.peering.address import Address

BERT = Trial("Bert", 7.0)
FAILED = Trial("Bert", 8.0, "it says nothing")
NEAR = Trial("Bert", 7.0, near=True)


def test_an_address_that_a_friend_has_reached_from_outside_is_confirmed() -> None:
    places = OwnPlaces()
    places.on_addresses(("192.168.0.12",))
    assert places.on_word("8.8.4.4:4770", 4770, BERT)
    home, outside = places.all(4770, (), ())
    assert home.address == Address("192.168.0.12", 4770)
    assert (home.scope, home.tested) == (Scope.NETWORK, None)
    assert outside.address == Address("8.8.4.4", 4770)
    assert (outside.scope, outside.tested) == (Scope.INTERNET, BERT)


def test_a_friend_of_the_same_network_confirms_only_our_own_address() -> None:
    places = OwnPlaces()
    places.on_addresses(("192.168.0.12",))
    assert places.on_word("192.168.0.12:4770", 4770, NEAR)
    assert not places.on_word("192.168.9.9:4770", 4770, NEAR)
    assert not places.on_word("8.8.4.4:4770", 4770, NEAR)
    (home,) = places.all(4770, (), ())
    assert home.tested == NEAR


def test_where_a_friend_saw_us_without_reaching_us_is_a_place_to_try() -> None:
    places = OwnPlaces()
    places.on_addresses(("192.168.0.12",))
    assert places.on_word("8.8.4.4:4770", 4770, FAILED)
    assert not places.on_word("8.8.4.4:61234", 4770, FAILED)
    assert [p.works for p in places.all(4770, (), ())] == [False, False]
    assert places.all(4770, (), ())[1].tested == FAILED
    assert places.all(4770, (), ())[1].source is Source.SEEN


def test_another_network_makes_what_was_told_worthless() -> None:
    places = OwnPlaces()
    assert places.on_addresses(("192.168.0.12",))
    places.on_word("8.8.4.4:4770", 4770, BERT)
    assert not places.on_addresses(("192.168.0.12",))
    assert len(places.all(4770, (), ())) == 2
    assert places.on_addresses(("10.1.1.1",))
    (only,) = places.all(4770, (), ())
    assert only.address.host == "10.1.1.1"


def test_many_interfaces_do_not_crowd_out_the_way_from_the_internet() -> None:
    places = OwnPlaces()
    places.on_addresses(tuple(f"10.0.{n}.1" for n in range(20)))
    found = places.all(4770, (Address("8.8.8.8", 40000),), ("8.8.8.8", "9.9.9.9"))
    assert len(found) == PLACES
    assert [p.address.text() for p in found[:3]] == [
        "10.0.0.1:4770", "8.8.8.8:40000", "9.9.9.9:4770",
    ]  # fmt: skip
    assert found[1].source is Source.ROUTER
    assert found[2].source is Source.OUTSIDE


@given(st.text(), st.booleans())
def test_whatever_a_friend_tells_of_us_names_a_number_or_nothing(
    text: str, near: bool
) -> None:
    places = OwnPlaces()
    places.on_addresses(("192.168.0.12",))
    places.on_word(text, 4770, NEAR if near else BERT)
    for place in places.all(4770, (), ()):
        assert place.scope in Scope


@given(st.text())
def test_whatever_a_peer_tells_of_itself_is_a_number_or_dropped(text: str) -> None:
    assert useful(text) in ("", useful(useful(text)))


def test_places_that_lead_back_or_to_many_are_dropped() -> None:
    wrong = (
        "127.0.0.1:4770", "[::1]:4770", "239.255.47.71:4770", "[ff02::1]:4770",
        "0.0.0.0:4770", "255.255.255.255:4770", "[::ffff:127.0.0.1]:4770",
        "localhost:4770", "bert.example:4770", "a/b", "1.2.3.4:99999",
    )  # fmt: skip
    assert [useful(text) for text in wrong] == [""] * len(wrong)
    assert useful("192.168.0.12") == "192.168.0.12:4770"
    assert useful("[fe80::1%eth7]:9") == "[fe80::1]:9"


def test_of_the_places_where_friends_saw_us_the_latest_are_kept() -> None:
    places = OwnPlaces()
    places.on_addresses(("192.168.0.12",))
    told = [f"8.8.4.{n}:4770" for n in range(1, SEEN + 1)]
    for text in (*told, told[0], "8.8.8.8:4770"):  # the first is confirmed once more
        assert places.on_word(text, 4770, FAILED)
    seen = {
        place.address.text()
        for place in places.all(4770, (), ())
        if place.source is Source.SEEN
    }
    assert seen == {told[0], *told[2:], "8.8.8.8:4770"}

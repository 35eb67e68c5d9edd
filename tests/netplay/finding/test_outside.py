"""What a node believes of what others have seen of it from outside."""

from ipaddress import ip_address

from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.finding.outside import Outside, Ports
from netplay.journal import silent
from netplay.peering.address import Address
from netplay.sentences import Says
from tests.netplay.memory import KEYS, MemoryNet, World

OWN = 4770
HOME = ("192.168.0.12",)


def outside(kept: str = "", keeps: list[str] | None = None) -> Outside:
    net = MemoryNet(World(), KEYS[0])
    noted = [] if keeps is None else keeps
    found = Outside(net, lambda: 1_000, noted.append, silent, kept)
    found.on_addresses(HOME)
    return found


def told(*seen: str, found: Outside | None = None) -> Outside:
    """Return what is known when each of these was told by somebody else."""
    found = found or outside()
    for number, text in enumerate(seen):
        host, _, port = text.partition(":")
        found.learn(f"8.8.{number}.8", Address(host, int(port)))
    return found


def test_two_who_see_the_same_port_name_the_kind_of_router() -> None:
    assert outside().ports(OWN) is Ports.UNKNOWN
    assert told("8.9.3.2:4770").ports(OWN) is Ports.KEEPS
    assert told("8.9.3.2:34770").ports(OWN) is Ports.UNKNOWN
    assert told("8.9.3.2:34770", "8.9.3.2:34770").ports(OWN) is Ports.STEADY
    assert told("8.9.3.2:1", "8.9.3.2:2").ports(OWN) is Ports.RANDOM


class WebNet(MemoryNet):
    """A network where calls to some ports are answered."""

    meets = True
    why = Says.PLACE_SILENT

    async def seen(self, whom: Address) -> Address:
        if whom.port == 443:
            return Address("8.9.3.2", 35_000)
        raise LocalError(Code.NO_ANSWER, self.why(place=whom.text()))


async def test_only_ports_of_the_web_answer_until_another_does() -> None:
    net = WebNet(World(), KEYS[0])
    found = Outside(net, lambda: 1_000, [].append, silent, "")
    found.on_addresses(HOME)
    await found.ask(Address("8.8.1.8", 443))
    assert found.ports(OWN) is Ports.UNKNOWN, "nobody else was asked"
    await found.ask(Address("8.8.2.8", 443))
    await found.ask(Address("8.8.3.8", 3478))
    assert found.ports(OWN) is Ports.WEB
    found.reached(4770)
    assert found.ports(OWN) is Ports.STEADY, "a link shows that more is let out"
    found.on_addresses(("192.168.7.2",))
    await found.ask(Address("8.8.3.8", 3478))
    assert found.ports(OWN) is Ports.UNKNOWN, "another network, where nobody answered"


async def test_where_no_way_leads_nothing_is_known_of_what_is_let_out() -> None:
    net = WebNet(World(), KEYS[0])
    net.why = Says.NO_WAY_TO
    found = Outside(net, lambda: 1_000, [].append, silent, "")
    found.on_addresses(HOME)
    await found.ask(Address("8.8.1.8", 443))
    await found.ask(Address("8.8.3.8", 3478))
    assert found.ports(OWN) is Ports.UNKNOWN


def test_a_place_is_named_where_it_may_hold_for_others() -> None:
    assert told("8.9.3.2:34770").places(OWN) == (Address("8.9.3.2", 34770),)
    assert told("8.9.3.2:1", "8.9.3.2:2").places(OWN) == ()
    moved = told("8.9.3.2:4770", "8.9.3.77:4770")
    assert moved.places(OWN) == (Address("8.9.3.77", 4770), Address("8.9.3.2", 4770))


def test_a_number_whose_ports_change_is_known_without_a_port() -> None:
    found = told("8.9.3.2:1", "8.9.3.2:2", "8.9.3.77:3")
    assert found.hosts() == ("8.9.3.77", "8.9.3.2")


def test_who_is_asked_again_has_only_the_last_word() -> None:
    found = told("8.9.3.2:4770")
    found.learn("8.8.0.8", Address("8.9.3.77", 4770))
    assert found.places(OWN) == (Address("8.9.3.77", 4770),)


def test_nobody_is_believed_what_cannot_be() -> None:
    for host in ("192.168.0.1", "127.0.0.1", "224.0.0.1", "0.0.0.0", "2a00:9::1"):
        found = outside()
        found.learn("8.8.8.8", Address(host, OWN))
        assert found.facts == ()


PORTS = st.sampled_from([OWN, 34770, 1, 2])
SPOTS = st.tuples(st.sampled_from(["8.9.3.2", "8.9.3.3", "8.9.3.4"]), PORTS)


@given(st.lists(SPOTS, max_size=12))
def test_never_more_than_two_places_and_all_of_the_internet(
    spots: list[tuple[str, int]],
) -> None:
    found = told(*(f"{host}:{port}" for host, port in spots))
    places = found.places(OWN)
    assert len(places) <= 2
    assert all(ip_address(place.host).is_global for place in places)


@given(SPOTS, st.sampled_from([(OWN, 1), (34770, 2)]), st.booleans())
def test_a_liar_costs_one_place_more_and_never_the_true_one(
    lie: tuple[str, int], truth: tuple[int, int], first: bool
) -> None:
    port, times = truth
    true = [f"8.9.3.2:{port}"] * times
    lies = [f"{lie[0]}:{lie[1]}"]
    found = told(*(lies + true if first else true + lies))
    assert Address("8.9.3.2", port) in found.places(OWN)
    assert len(found.places(OWN)) <= 2


@given(st.lists(SPOTS, min_size=1, max_size=9), st.sampled_from([OWN, 34770]))
def test_liars_of_one_network_have_one_voice(
    lies: list[tuple[str, int]], port: int
) -> None:
    found = told(f"8.9.3.2:{port}", f"8.9.3.2:{port}")
    for number, (host, lie) in enumerate(lies, 1):
        found.learn(f"9.9.9.{number}", Address(host, lie))
    assert Address("8.9.3.2", port) in found.places(OWN)
    assert found.ports(OWN) is (Ports.KEEPS if port == OWN else Ports.STEADY)
    assert "8.9.3.2" in found.hosts()


def test_what_is_known_outlasts_a_restart_in_the_same_network_only() -> None:
    keeps: list[str] = []
    told("8.9.3.2:34770", found=outside(keeps=keeps))
    again = outside(keeps[-1])
    assert again.places(OWN) == (Address("8.9.3.2", 34770),)
    again.on_addresses(("10.0.0.7",))
    assert again.places(OWN) == ()


DAMAGED = "[]", "[[],[[]]]", "[[1],[[1,2,3]]]", '[[],[["a","1.2.3.4:5",1e999]]]'


@given(st.text(max_size=40) | st.sampled_from(DAMAGED))
def test_what_was_kept_may_be_damaged(kept: str) -> None:
    assert outside(kept).places(OWN) == ()

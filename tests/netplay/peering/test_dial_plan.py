from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis.strategies import lists, sampled_from

from netplay.errors import Code, LocalError
from netplay.limits import (
    HANDSHAKE_SECONDS,
    REDIAL_FAULT_MOST_SECONDS,
    REDIAL_JITTER,
    REDIAL_MOST_SECONDS,
    REDIAL_SECONDS,
    REDIAL_SOON,
    REDIAL_SOON_SECONDS,
    TURN_SECONDS,
)
from netplay.peering.address import Address
from netplay.peering.dial_plan import (
    DUEL_SECONDS,
    HELD,
    LATE,
    LATE_SECONDS,
    BackOff,
    Hearsay,
    HoldBack,
    Rival,
    UdpCalls,
    cure,
    keeps_old,
    patience,
    places,
    told,
)
from netplay.peering.line import via
from netplay.peering.peers import KnownPeers
from netplay.said import Said
from netplay.sentences import Says
from netplay.wanted import Dial

SMALL, LARGE = b"a", b"b"


def test_waits_double_up_to_a_second_and_a_half_to_ten_and_to_less_than_a_minute() -> (
    None
):
    back_off = BackOff(bytes)
    young = [back_off.next() for _ in range(REDIAL_SOON)]
    assert young[0] == REDIAL_SECONDS
    assert all(b == min(2 * a, REDIAL_SOON_SECONDS) for a, b in pairwise(young))
    old = [back_off.next() for _ in range(LATE - REDIAL_SOON)]
    assert all(b == min(2 * a, REDIAL_MOST_SECONDS) for a, b in pairwise(old))
    assert old[-1] == REDIAL_MOST_SECONDS
    late = [back_off.next() for _ in range(9)]
    assert all(b == min(2 * a, LATE_SECONDS) for a, b in pairwise(late))
    assert late[-1] == LATE_SECONDS
    assert back_off.late
    back_off.reset()
    assert not back_off.late
    assert [back_off.next(), back_off.next()] == young[:2]


def test_jitter_shortens_a_wait_by_a_quarter_at_most() -> None:
    back_off = BackOff(lambda size: b"\xff" * size)
    assert back_off.next() == pytest.approx(REDIAL_SECONDS * (1 - REDIAL_JITTER))


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        (Rival(SMALL, b"n", 0.0), Rival(LARGE, b"n", 1.0), True),
        (Rival(LARGE, b"n", 0.0), Rival(SMALL, b"n", 1.0), False),
        (Rival(SMALL, b"n", 0.0), Rival(SMALL, b"n", 1.0), False),
        (Rival(SMALL, b"n", 0.0), Rival(LARGE, b"m", 1.0), False),
        (Rival(SMALL, b"n", 0.0), Rival(LARGE, b"n", DUEL_SECONDS), False),
    ],
    ids=["smaller first", "larger first", "same side", "restarted", "much later"],
)
def test_of_two_links_one_is_kept(old: Rival, new: Rival, *, kept: bool) -> None:
    assert keeps_old(old, new) is kept


def test_both_sides_of_a_duel_decide_alike_in_either_order() -> None:
    one, two = Rival(SMALL, b"n", 0.0), Rival(LARGE, b"n", 0.5)
    assert keeps_old(one, two) is not keeps_old(
        Rival(LARGE, b"n", 0.0), Rival(SMALL, b"n", 0.5)
    )


def test_the_wanted_address_is_tried_first_and_each_once() -> None:
    assert places(["b"], ("a", "b", "c")) == ["b", "a", "c"]
    assert places([], ("a",)) == ["a"]


KEY = bytes(32)
"""A friend's."""

DIAL = Dial("", KEY)


def hearsay(*told: str) -> tuple[Hearsay, KnownPeers]:
    """Give what bounds calls of places that a friend has told."""
    known = KnownPeers(None)
    known.befriend(KEY, "Ann")
    known.tells(KEY, told)
    return Hearsay(known, lambda: ()), known


def calls(of: Hearsay, place: str, seconds: range) -> int:
    """Return how often a place is called that is to be called whenever it may."""
    return sum(of.may(place, DIAL, float(now)) for now in seconds)


def test_a_place_that_only_its_node_names_is_called_for_a_minute_and_then_seldom() -> (
    None
):
    told, _known = hearsay("8.8.4.4:1")
    assert calls(told, "8.8.4.4:1", range(60)) == 24
    assert calls(told, "8.8.4.4:1", range(60, 120)) == 1
    assert calls(told, "8.8.4.4:1", range(120, 3600)) == 5  # at 2, 4, 8, 16, 32 minutes
    assert calls(told, "8.8.4.4:1", range(3600, 86_400)) <= 10


def test_all_ports_of_an_address_and_all_addresses_of_a_network_count_as_one() -> None:
    told, _known = hearsay("8.8.4.4:1", "8.8.4.4:2", "[2600::1]:1", "[2600::2]:1")
    assert calls(told, "8.8.4.4:1", range(30)) == 24
    assert calls(told, "8.8.4.4:2", range(30, 60)) == 0
    assert calls(told, "[2600::1]:1", range(30)) == 24
    assert calls(told, "[2600::2]:1", range(30, 60)) == 0


def test_where_somebody_was_met_it_is_called_as_ever() -> None:
    told, known = hearsay("8.8.4.4:1")
    assert calls(told, "8.8.4.4:1", range(60)) == 24
    known.met(KEY, "Ann", "8.8.4.4:1", dialled=True)
    assert calls(told, "8.8.4.4:1", range(60, 1060)) == 1000


def test_whom_the_player_calls_by_a_place_is_called_as_ever() -> None:
    told, _known = hearsay("8.8.4.4:1")
    asked = Dial("8.8.4.4:1", None)
    assert all(told.may("8.8.4.4:1", asked, float(now)) for now in range(1000))


def test_what_a_table_names_is_hearsay_too() -> None:
    told, _known = hearsay()
    named = Dial("8.8.4.4:1", KEY)
    assert sum(told.may("8.8.4.4:1", named, float(now)) for now in range(60)) == 24


def test_through_a_carrier_who_was_met_somebody_is_called_as_ever() -> None:
    carrier = bytes([7]) * 32
    place = via(carrier, Address("8.8.4.4", 1)).text()
    told, known = hearsay(place)
    assert calls(told, place, range(60)) == 24
    known.met(carrier, "Cyd", "8.8.4.4:1", dialled=True)
    assert calls(told, place, range(60, 120)) == 60


def test_a_sign_lets_it_begin_anew_but_not_for_ever() -> None:
    told, _known = hearsay("8.8.4.4:1")
    counts: list[int] = []
    for minute in range(120):
        counts.append(calls(told, "8.8.4.4:1", range(60 * minute, 60 * minute + 60)))
        told.anew(KEY, 60.0 * minute + 60)
    assert counts[:3] == [24, 24, 24]
    assert sum(count == 24 for count in counts) <= 3 + 120 / 20
    told.anew(bytes([1]) * 32, 9000.0)  # somebody else
    assert not told.fresh("8.8.4.4:1", DIAL, 9000.0)
    told.anew(None, 9000.0)  # we are elsewhere
    assert told.fresh("8.8.4.4:1", DIAL, 9000.0)


def test_a_player_who_tries_again_begins_anew() -> None:
    told, _known = hearsay("8.8.4.4:1")
    assert calls(told, "8.8.4.4:1", range(60)) == 24
    told.forget()
    assert calls(told, "8.8.4.4:1", range(60, 120)) == 24


def test_a_place_is_called_over_udp_by_one_at_a_time_and_by_the_next_then() -> None:
    calls = UdpCalls()
    for _ in range(2):
        with pytest.raises(OSError, match="down"), calls.calling({"here", "there"}):
            assert calls.places == {"here", "there"}
            raise OSError("down")
        assert not calls.places


def test_who_ended_with_an_error_is_held_back_longer_each_time() -> None:
    held, now = HoldBack(), 0.0
    waits: list[float] = []
    for _ in range(9):
        held.ended(b"key", Code.BAD_LOG, 0.1, now)
        waits.append(held.wait(b"key", now))
        now += waits[-1]
    assert waits[:3] == [5.0, 10.0, 20.0]
    assert waits[-1] == REDIAL_FAULT_MOST_SECONDS
    assert held.wait(b"other", now) == held.wait(None, now) == 0.0


def test_a_cut_and_a_plain_goodbye_hold_nobody_back() -> None:
    held = HoldBack()
    held.ended(b"key", None, 1.0, 0.0)
    held.ended(b"key", Code.SILENT, 1.0, 0.0)
    assert held.wait(b"key", 0.0) == 0.0


def test_whoever_was_there_long_before_an_error_begins_anew() -> None:
    held = HoldBack()
    for _ in range(4):
        held.ended(b"key", Code.BAD_LOG, 0.1, 0.0)
    held.ended(b"key", Code.BAD_LOG, 1000.0, 0.0)
    assert held.wait(b"key", 0.0) == 5.0
    held.clear()
    assert held.wait(b"key", 0.0) == 0.0


def test_only_so_many_are_held_back() -> None:
    held = HoldBack()
    for number in range(HELD + 1):
        held.ended(bytes([number // 256, number % 256]), Code.BAD_LOG, 0.1, 0.0)
    assert held.wait(bytes(2), 0.0) == 0.0
    assert held.wait(bytes([0, 1]), 0.0) == 5.0


def test_a_peer_that_is_stopped_waits_for_the_user() -> None:
    held = HoldBack()
    held.stop(SMALL, "why")
    held.stop(LARGE, "why")
    assert held.wait(SMALL, 1e9) == float("inf")
    assert held.reasons == ("why",)
    held.clear()
    assert held.wait(SMALL, 0) == 0
    assert held.reasons == ()
    for number in range(HELD + 1):
        held.stop(bytes([number % 256, number // 256]), str(number))
    assert len(held.reasons) == HELD


def test_what_was_wrong_at_a_peer_is_said_until_it_is_there_again() -> None:
    held = HoldBack()
    held.stop(SMALL, Says.PASTE_THE_LINE())
    held.warn(SMALL, Says.NOTHING_OFFERED())
    held.warn(LARGE, Says.CLAIMED())
    assert len(held.reasons) == 3
    held.here(SMALL)
    assert held.reasons == (Says.CLAIMED(),)
    assert held.wait(SMALL, 0.0) == 0.0


SILENT = (Code.NO_ANSWER, Code.NO_ADDRESS)


@given(lists(sampled_from((*SILENT, Code.WRONG_KEY, Code.VERSION)), min_size=1))
def test_of_several_places_the_one_that_says_most_is_told_of(codes: list[Code]) -> None:
    found = told([LocalError(code) for code in codes]).code
    loud = [code for code in codes if code not in SILENT]
    if Code.WRONG_KEY in codes:
        assert found is Code.WRONG_KEY
    elif loud:
        assert found is loud[0]
    else:  # an address that leads nowhere says less than one where nobody answers
        assert found is min(codes, key=SILENT.index)


class Somewhere:
    """A computer that is on networks of some kinds."""

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def leads_to(self, address: Address) -> bool:
        return ("IPv6" if ":" in address.host else "IPv4") in self.kinds


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("kinds", [(), ("IPv4",), ("IPv6",), ("IPv4", "IPv6")])
@pytest.mark.parametrize("hosts", [(), ("8.8.4.4",), ("2600::1",)])
def test_who_answers_nowhere_is_told_what_helps_if_anything_does(
    hosts: tuple[str, ...], kinds: tuple[str, ...], known: bool
) -> None:
    silence, net = LocalError(Code.NO_ANSWER), Somewhere(*kinds)
    found = [Address(host, 1) for host in hosts]
    said = cure(silence, found, net, known=known)  # type: ignore[arg-type]
    common = any(map(net.leads_to, found))
    helps = ""
    if hosts and kinds and not common:
        helps = Says.NO_COMMON_KIND.name
    elif common and not known:
        helps = Says.PASTE_THE_LINE.name
    assert said.code is Code.NO_ANSWER
    if helps:
        assert isinstance(said.detail, Said)
        then = dict(said.detail.values)["then"]
        assert isinstance(then, Said)
        assert then.code == helps
    else:
        assert said is silence


def test_who_would_watch_waits_longer_for_its_turn_than_a_handshake_takes() -> None:
    assert patience(Dial("", KEY, patient=True)) == TURN_SECONDS
    assert patience(Dial("", KEY)) == HANDSHAKE_SECONDS < TURN_SECONDS

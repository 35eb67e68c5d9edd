"""A table proposed to a friend who is asleep: kept, delivered, answered, given up."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.faults import Faults
from netplay.fingerprint import fingerprint
from netplay.limits import TABLES_OF_A_HOST
from netplay.messages.door import (
    Answer,
    Call,
    ChangeTable,
    Consent,
    Join,
    LeaveTable,
    StartMatch,
    TableStatus,
    Thinking,
)
from netplay.messages.table import Terms
from netplay.messages.table_questions import GameStatus
from netplay.record.store import Disk
from netplay.sentences import Says
from netplay.table.asked import KEPT, WEEK_SECONDS, Asked, Unsaid
from tests.netplay.joined_nodes import SMALL, Net, Node, table
from tests.said import says


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Net]:
    """Return two who know each other; what is kept of asking is in files."""
    one = Net("ann", "bob")
    for name, node in one.nodes.items():
        renew(node, tmp_path / name)
        for other in one.nodes.values():
            if other is not node:
                node.known.befriend(other.key, other.name)
    sleep(one)
    yield one
    one.close()


FILES: Final = WeakKeyDictionary[Node, Path]()
"""Where each keeps what is asked."""


def renew(node: Node, file: Path, now: float = 100.0) -> None:
    """Read what is kept, as a node does that starts."""
    FILES[node] = file
    node.kept_asked = Asked(file)
    node.restart(now)


def restart(net: Net, name: str) -> None:
    net.isolate(name)
    renew(net[name], FILES[net[name]], net.now)


def sleep(net: Net) -> None:
    net.part("ann", "bob")
    net.settle()


def wake(net: Net) -> None:
    net.apart.clear()
    net.settle()


def challenge(net: Net) -> None:
    """Let ann ask bob, by the key that she knows."""
    to = f"remote:{fingerprint(net['bob'].key)}"
    net.done("ann", table("numlo", "person", to, options=SMALL))
    net.settle()


def listed(net: Net, name: str) -> GameStatus:
    [one] = net[name].tables.games(net.now)
    return one


def asked(net: Net) -> str:
    shown: TableStatus = net.status("ann")
    assert listed(net, "ann").asked == shown.seats[1].asked
    return shown.seats[1].asked


def test_who_was_asked_and_says_no_is_named_and_told_of(net: Net) -> None:
    challenge(net)
    wake(net)
    net.done("bob", Consent(accept=False, revision=net.status("bob").revision))
    net.settle()
    assert asked(net) == "declined"
    assert listed(net, "ann").players == ("ann", "bob")


def test_whose_node_has_no_room_for_more_games_of_one_friend_was_not_asked(
    net: Net,
) -> None:
    wake(net)
    for _ in range(TABLES_OF_A_HOST + 1):
        challenge(net)
    rows = net["ann"].tables.games(net.now)
    assert [row.asked for row in rows].count("unanswered") == TABLES_OF_A_HOST
    assert [row.asked for row in rows].count("full") == 1
    assert len(net["bob"].tables.games(net.now)) == TABLES_OF_A_HOST
    heard = net["ann"].lines("system")
    assert any(str(Says.ENOUGH_WAITS()) in line for line in heard)

    for called in net["bob"].tables.games(net.now)[:2]:
        net.done("bob", LeaveTable(), on=called.table)
        net.settle()
    [full] = [row.table for row in rows if row.asked == "full"]
    other = table("numlo", "person", f"remote:{fingerprint(net['bob'].key)}")
    net.done("ann", ChangeTable(other), on=full)
    net.settle()
    assert [r.asked for r in net["ann"].tables.games(net.now)].count("full") == 1
    net.done("ann", Call(fingerprint(net["bob"].key), 1), on=full)
    net.settle()
    states = [row.asked for row in net["ann"].tables.games(net.now)]
    assert states.count("declined") == 2
    assert states.count("unanswered") == TABLES_OF_A_HOST - 1


@pytest.mark.parametrize("awake", [True, False])
def test_what_was_asked_by_who_is_blocked_then_waits_for_nobody(
    net: Net, *, awake: bool
) -> None:
    challenge(net)
    wake(net)
    assert listed(net, "bob").mode == "called"
    if not awake:
        sleep(net)
    net["bob"].known.blocked.add(net["ann"].key, "ann")
    net["bob"].tables.block(net["ann"].key)
    sleep(net)  # as the link ends
    assert not net["bob"].tables.games(net.now)
    restart(net, "bob")
    assert not net["bob"].tables.games(net.now)
    net["bob"].known.blocked.remove(net["ann"].key)
    wake(net)
    assert listed(net, "bob").mode == "called"  # it is as if it had been asked only now


def test_it_is_kept_until_the_friend_comes_and_the_yes_begins_the_match(
    net: Net,
) -> None:
    challenge(net)
    assert asked(net) == "undelivered"
    assert net.status("ann").seats[1].name == "bob"
    number, nonce = listed(net, "ann").table, nonce_of(net, "ann")
    restart(net, "ann")
    assert (listed(net, "ann").table, nonce_of(net, "ann")) == (number, nonce)
    assert asked(net) == "undelivered"

    wake(net)
    assert asked(net) == "unanswered"
    assert net.status("bob").called
    assert listed(net, "bob").mine
    sleep(net)
    restart(net, "ann")
    assert asked(net) == "unanswered"
    restart(net, "bob")
    assert net.status("bob").called
    net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    assert listed(net, "bob").undelivered
    restart(net, "bob")
    assert not net.status("bob").called
    assert listed(net, "bob").undelivered

    wake(net)

    assert net.status("ann").match == net.status("bob").match != b""
    assert not net["ann"].kept_asked.tables
    assert not net["bob"].kept_asked.seats


def nonce_of(net: Net, name: str) -> bytes:
    terms = net[name].table.terms
    assert isinstance(terms, Terms)
    return terms.nonce


def test_a_table_that_is_kept_is_the_same_after_a_restart(net: Net) -> None:
    to = f"remote:{fingerprint(net['bob'].key)}"
    wish = replace(table("numlo", "person", to, options=SMALL), days=3)
    net.done("ann", replace(wish, bystanders="nobody"))
    net.settle()
    before = net.status("ann")

    restart(net, "ann")

    after = net.status("ann")
    assert after.thinking == before.thinking == Thinking(days=3)
    assert after.bystanders == before.bystanders
    assert after.options == before.options


def test_a_no_that_is_said_while_the_host_sleeps_comes_to_it_later(net: Net) -> None:
    challenge(net)
    wake(net)
    sleep(net)
    net.done("bob", Consent(accept=False, revision=net.status("bob").revision))
    assert not net["bob"].tables.games(net.now)
    restart(net, "bob")
    assert not net["bob"].tables.games(net.now)

    wake(net)

    assert asked(net) == "declined"
    assert any(
        says(line, Says.DOES_NOT_PLAY, name="bob")
        for line in net["ann"].lines("system")
    )
    assert not net["bob"].tables.games(net.now)


def test_who_has_said_no_is_not_asked_again_because_the_host_starts_anew(
    tmp_path: Path,
) -> None:
    net = Net("ann", "bob", "cid")
    for name, node in net.nodes.items():
        renew(node, tmp_path / name)
        for other in net.nodes.values():
            if other is not node:
                node.known.befriend(other.key, other.name)
    net.part("ann", "bob")
    net.part("ann", "cid")
    net.settle()
    keys = [f"remote:{fingerprint(net[name].key)}" for name in ("bob", "cid")]
    net.done("ann", table("numlo", "person", *keys))
    net.settle()
    net.apart.discard(frozenset(("ann", "bob")))
    net.settle()
    net.done("bob", Consent(accept=False, revision=net.status("bob").revision))
    net.settle()
    assert [seat.asked for seat in net.status("ann").seats[1:]] == [
        "declined", "undelivered",
    ]  # fmt: skip
    heard = len(net["bob"].lines("system"))

    for _ in range(2):
        restart(net, "ann")
        net.link("ann", "bob")
        net.settle()
        assert not net["bob"].tables.games(net.now)
        assert len(net["bob"].lines("system")) == heard
        assert [seat.asked for seat in net.status("ann").seats[1:]] == [
            "declined", "undelivered",
        ]  # fmt: skip
    net.close()


@pytest.mark.parametrize("while_", ["awake", "asleep"])
def test_who_has_said_no_is_asked_again_when_the_host_means_it(
    net: Net, while_: str
) -> None:
    challenge(net)
    wake(net)
    if while_ == "asleep":  # the host's word of before comes once more
        sleep(net)
    net.done("bob", Consent(accept=False, revision=net.status("bob").revision))
    wake(net)
    assert asked(net) == "declined"
    assert not net["bob"].tables.games(net.now)
    restart(net, "bob")

    again = Call(fingerprint(net["bob"].key), 1)
    net.apart.clear()
    net.link("ann", "bob")
    net.settle()
    net.done("ann", again)
    net.settle()
    assert asked(net) == "unanswered"
    assert net.status("bob").called
    net.done("bob", Consent(accept=False, revision=net.status("bob").revision))
    net.settle()
    assert not net["bob"].tables.games(net.now)
    net.cut("ann", "bob")  # a new link is no word of the player's
    net.link("ann", "bob")
    net.settle()
    assert not net["bob"].tables.games(net.now)
    net.done("ann", again)
    net.settle()
    net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    net.settle()
    assert all(seat.accepted for seat in net.status("ann").seats)


def test_one_that_is_withdrawn_is_gone_when_the_friend_hears_of_it(net: Net) -> None:
    challenge(net)
    wake(net)
    sleep(net)
    net.done("ann", LeaveTable())
    assert net.status("bob").called
    restart(net, "ann")
    assert not net["ann"].tables.games(net.now)

    net.apart.clear()
    net.link("ann", "bob")
    net.settle()

    assert not net["bob"].tables.games(net.now)


def test_after_a_week_nobody_waits_any_more(net: Net) -> None:
    challenge(net)
    wake(net)
    sleep(net)
    for node in net.nodes.values():
        node.unix += WEEK_SECONDS - 1
    net.wake(WEEK_SECONDS - 1)
    assert asked(net) == "unanswered"
    for node in net.nodes.values():
        node.unix += 2

    net.wake(2)

    assert not net["ann"].tables.games(net.now)
    assert any("for a week" in line for line in net["ann"].lines("warning"))
    restart(net, "ann")
    restart(net, "bob")
    assert not net["ann"].tables.games(net.now)
    assert not net["bob"].tables.games(net.now)


def test_a_stranger_s_call_is_not_kept(net: Net) -> None:
    net["bob"].known = type(net["bob"].known)(None)
    net["bob"].restart(net.now)
    challenge(net)
    net.apart.clear()
    net["ann"].tables.peer_up(net["bob"].key, "bob", "bob", net.now)
    net["bob"].tables.peer_up(net["ann"].key, "ann", "ann:1", net.now, friend=False)
    net.links.add(frozenset(("ann", "bob")))
    net.settle()

    assert not net["bob"].tables.games(net.now)
    assert not net["bob"].kept_asked.seats


def test_what_the_disk_does_not_keep_is_told_and_the_table_goes_on(
    net: Net, tmp_path: Path
) -> None:
    net["ann"].kept_asked = Asked(tmp_path / "nowhere" / "asked.json")
    net["ann"].restart(net.now)
    challenge(net)

    assert net["ann"].lines("error")
    assert asked(net) == "undelivered"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tables": [{"nonce": 1}]}'])
def test_a_damaged_file_is_set_aside_and_told_of_and_stops_nobody(
    tmp_path: Path, text: str
) -> None:
    file, faults = tmp_path / "asked.json", Faults()
    file.write_text(text)
    kept = Asked(file, faults)
    assert not kept.tables
    assert (tmp_path / "asked.json.damaged").read_text() == text
    assert "asked.json.damaged" in str(*faults)
    kept.refuse(bytes(32), 5, 1)
    assert Asked(file).is_refused(bytes(32), 1)


def test_who_was_never_met_is_asked_by_an_invitation(tmp_path: Path) -> None:
    net = Net("ann", "bob")
    renew(net["ann"], tmp_path / "ann")
    sleep(net)
    invitation = f"netplay:bob#{fingerprint(net['bob'].key)}"

    net.done("ann", table("numlo", "person", f"remote:{invitation}", options=SMALL))
    net.settle()

    assert asked(net) == "undelivered"
    assert listed(net, "ann").own == (0,)
    assert net["ann"].lines("system"), "that nobody answers is told"
    assert net["ann"].lines("error") == []
    restart(net, "ann")
    assert asked(net) == "undelivered"
    net.done("bob", Answer(on=True))
    net.apart.clear()
    net.link("ann", "bob")
    net.settle()
    seat = net.status("ann").seats[1]
    assert (seat.name, seat.accepted, seat.asked) == ("bob", True, "")
    net.close()


def test_a_disk_that_refuses_a_match_that_begins_by_itself_is_told_of(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_match: bytes) -> Disk:
        raise LocalError(Code.DISK, "the disk is full")

    challenge(net)
    net["ann"].unix += 3600
    wake(net)
    monkeypatch.setattr(net["ann"].archive, "open", refused)
    yes = Consent(accept=True, revision=net.status("bob").revision)
    with pytest.raises(LocalError):
        net.done("bob", yes)
        net.settle()
    net["ann"].pushes += net["ann"].tables.take_pushes()

    [told] = net["ann"].lines("error")
    assert says(told, Says.DISK_IS_FULL)
    assert net.status("ann").phase == "forming"


def no(number: int, to: bytes) -> Unsaid:
    return Unsaid(number.to_bytes(32), number, to, 1, stopped=False)


def test_of_two_answers_no_to_one_friend_each_waits_until_it_is_heard(
    tmp_path: Path,
) -> None:
    kept = Asked(tmp_path / "asked.json")
    friend, other = bytes([1]) * 32, bytes([2]) * 32
    first, second, third = no(1, friend), no(2, friend), no(3, other)
    for one in (first, second, third):
        kept.part(one)
    kept.heard(friend, first.nonce)
    assert [*Asked(tmp_path / "asked.json").unsaid.values()] == [second, third]
    kept.heard(friend)
    assert [*Asked(tmp_path / "asked.json").unsaid.values()] == [third]


def test_of_very_many_answers_no_the_newest_are_kept() -> None:
    kept = Asked()
    for number in range(KEPT + 3):
        kept.part(no(number, bytes(32)))
    dated = [one.since for one in kept.unsaid.values()]
    assert dated == [*range(3, KEPT + 3)]


def test_who_comes_and_goes_at_a_table_that_is_kept_lets_the_disk_rest(
    tmp_path: Path,
) -> None:
    net = Net("ann", "bob", "cyd", "eve")
    file = tmp_path / "ann"
    renew(net["ann"], file)
    for name in ("bob", "cyd"):
        net["ann"].known.befriend(net[name].key, name)
    net.part("ann", "bob")
    net.settle()
    to = f"remote:{fingerprint(net['bob'].key)}"
    seats = "person", to, "remote", "remote"
    net.done("ann", table("numlo", *seats, options=SMALL[:2]))
    net.settle()
    net.done("cyd", Join("ann", -1))
    net.settle()
    found, revisions = [file.read_bytes()], set[int]()
    for _ in range(50):
        net.done("eve", Join("ann", -1))
        net.settle()
        revisions.add(net.status("ann").revision)
        found.append(file.read_bytes())
        net.done("eve", LeaveTable())
        net.settle()
        found.append(file.read_bytes())
    assert len(set(found)) <= 4
    assert len(revisions) == 50
    friend, stranger = (b64encode(net[name].key) for name in ("cyd", "eve"))
    assert all(friend in kept and stranger not in kept for kept in found)
    restart(net, "ann")
    assert net.status("ann").revision >= max(revisions), "no number is given twice"
    net.close()


def test_a_friend_who_changes_what_it_asks_all_the_time_lets_the_disk_rest(
    net: Net,
) -> None:
    wake(net)
    challenge(net)
    file = FILES[net["bob"]]
    found = [file.read_bytes()]
    for number in range(60):
        size = ("size", "10" if number % 2 else "8")
        to = f"remote:{fingerprint(net['bob'].key)}"
        wish = table("numlo", "person", to, options=(size,))
        net.done("ann", ChangeTable(wish))
        net.settle()
        found.append(file.read_bytes())
    assert len(set(found)) <= 20
    net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    net.settle()
    assert file.read_bytes() != found[-1], "the player's own word is kept"


def test_a_friend_who_has_changed_very_much_may_leave_the_game_as_well(
    net: Net,
) -> None:
    """Both are kept, each as often as people do it."""
    wake(net)
    challenge(net)
    to = f"remote:{fingerprint(net['bob'].key)}"
    for number in range(30):
        size = ("size", "10" if number % 2 else "8")
        net.done("ann", ChangeTable(table("numlo", "person", to, options=(size,))))
        net.settle()
    net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    assert net.status("bob").phase == "playing"
    net.done("ann", LeaveTable())
    net.settle()
    assert net.status("bob").phase == "stopped"


def test_a_yes_said_anew_is_kept_after_a_friend_has_changed_very_much(net: Net) -> None:
    wake(net)
    challenge(net)
    to = f"remote:{fingerprint(net['bob'].key)}"
    for number in range(41):
        size = ("size", "10" if number % 2 else "8")
        wish = table("numlo", "person", to, "remote", options=(size,))
        net.done("ann", ChangeTable(wish))
        net.settle()
        if number >= 38:
            net.done("bob", Consent(accept=True, revision=net.status("bob").revision))
            net.settle()
    sleep(net)
    agreed = net.status("bob").revision
    restart(net, "bob")
    assert net.status("bob").revision == agreed
    assert not net.status("bob").called


def coming_and_going(folder: Path) -> tuple[Net, ChangeTable, ChangeTable]:
    """Return a table that waits for bob, at which a stranger was, and two wishes."""
    net = Net("ann", "bob", "eve")
    renew(net["ann"], folder / "ann")
    net["ann"].known.befriend(net["bob"].key, "bob")
    sleep(net)
    to = f"remote:{fingerprint(net['bob'].key)}"
    with_bob, without = (
        table("numlo", "person", who, "remote", options=SMALL[:2])
        for who in (to, "remote")
    )
    net.done("ann", with_bob)
    net.settle()
    net.done("eve", Join("ann", -1))
    net.settle()
    net.done("eve", LeaveTable())
    net.settle()
    return net, ChangeTable(with_bob), ChangeTable(without)


def test_a_table_that_waits_for_nobody_any_more_is_not_kept_later(
    tmp_path: Path,
) -> None:
    net, _with_bob, without = coming_and_going(tmp_path)
    net.done("ann", without)
    net.wake(60.0)
    restart(net, "ann")
    assert not net["ann"].tables.games(net.now)
    net.close()


def test_a_table_that_waits_for_somebody_again_is_kept_again(tmp_path: Path) -> None:
    net, with_bob, without = coming_and_going(tmp_path)
    net.done("ann", without)
    net.done("ann", with_bob)
    net.settle()
    restart(net, "ann")
    assert asked(net) == "undelivered"
    net.close()

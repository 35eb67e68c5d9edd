"""Tables formed by nodes that are joined in memory."""

from typing import Final

import pytest
from msgspec.structs import replace

from netplay.errors import Code
from netplay.messages.door import (
    Answer,
    Call,
    ChangeTable,
    Consent,
    HostTable,
    Join,
    LeaveTable,
    Play,
    SetName,
    StartMatch,
)
from netplay.messages.table_questions import Kick, NameSeat
from netplay.said import listed
from netplay.sentences import Says
from netplay.steady import Steady
from netplay.wanted import Dial
from netplay.wire import pack, unpack
from rules import GAMES
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.said import says

YEAR: Final = 365 * 86_400


def test_a_host_calls_waiting_peers_and_they_accept_by_themselves(net: Net) -> None:
    net.done("bob", Answer(on=True))
    assert net["bob"].tables.mode() == "answering"
    net.done("ann", table("networdz", "person", "remote:bob 2"))
    assert net.status("ann").seats[1].state == "awaited"
    assert net.status("ann").waiting == "bob 2"
    net.settle()
    for name in ("ann", "bob"):
        shown = net.status(name)
        assert shown.phase == "forming"
        assert [seat.name for seat in shown.seats] == ["ann", "bob"]
        assert all(seat.accepted for seat in shown.seats)
    assert net.status("ann").seats[1].address == "bob 2"
    assert net["ann"].tables.mode() == "hosting"
    assert net["bob"].tables.mode() == "joined"


def test_free_seats_wait_for_somebody_once(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote", "browser", "remote:bob"))
    assert net.status("ann").waiting == listed((Says.SOMEBODY_TO_JOIN(), "bob"))


def test_a_peer_joins_a_waiting_host_and_takes_the_seat_it_wants(net: Net) -> None:
    net.done("ann", table("networdz", "remote", "person", "remote"))
    net.done("bob", Join("ann", 2))
    assert net["bob"].tables.mode() == "calling"
    net.settle()
    assert [seat.name for seat in net.status("bob").seats] == ["", "ann", "bob"]
    assert [seat.state for seat in net.status("bob").seats] == [
        "awaited",
        "connected",
        "here",
    ]
    assert not net.status("ann").seats[2].accepted
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert [seat.name for seat in net.status("cyd").seats] == ["cyd", "ann", "bob"]
    assert all(seat.accepted for seat in net.status("ann").seats)


def test_an_invitation_leads_to_a_table_whatever_else_is_played_there(net: Net) -> None:
    net.done("ann", table("numlo", "person", "computer"))
    net.done("ann", StartMatch())
    assert net["ann"].tables.offers() == (), "nobody is waited for in it"
    net["ann"].tables.invite_to(table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    assert says(net["ann"].lines("system")[-1], Says.CAME_INVITED, name="bob")
    assert says(" ".join(net["bob"].lines("system")), Says.HOST_KNOWS, name="ann")
    seats = net.status("bob").seats
    assert [seat.name for seat in seats] == ["ann", "bob"]
    assert len(net["ann"].tables.games(net.now)) == 2
    games = net["ann"].tables.games(net.now)
    (forming,) = (one.table for one in games if not one.match)
    net.done("ann", StartMatch(), on=forming)
    net.settle()
    assert net.status("bob").phase == "playing"
    assert net.status("bob").game == "networdz"
    match = net["bob"].match
    net.done("bob", Play(1, pack(Resign()), match.fold.number))
    net.settle()
    net.done("bob", Join("ann", -1))
    net.settle()
    phases = [one.phase for one in net["ann"].tables.games(net.now)]
    assert sorted(phases) == ["forming", "over", "playing"], "there is time for another"


def test_invited_strangers_fill_no_node_and_who_was_sent_away_stays_so(
    net: Net,
) -> None:
    net["ann"].tables.invite_to(table("numlo", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("cyd", Join("ann", -1))
    net.settle()
    forming = net["ann"].tables.games(net.now)
    assert len(forming) == 2, "each has a table"
    net.done("ann", Kick("cyd"), on=forming[-1].table)
    net.settle()
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert len(net["ann"].tables.games(net.now)) == 2
    assert net["cyd"].tables.mode() == "idle"


def test_no_table_opens_for_strangers_long_after_an_invitation_was_given_away(
    net: Net,
) -> None:
    tables = net["ann"].tables
    wish, at = tables.invite_to(table("numlo", "person", "remote"))
    tables.invite_to(wish, at - 8 * 86_400)
    net.done("bob", Join("ann", -1))
    net.settle()
    assert not tables.games(net.now)
    assert Code.NO_TABLE.text in net["bob"].lines("error")[-1]
    assert tables.invite_to(None)[0] == wish, "given away again: as the last time"
    net.done("bob", Join("ann", -1))
    net.settle()
    assert len(tables.games(net.now)) == 1


@pytest.mark.parametrize("jump", [-3600, 3600, 20 * YEAR, -20 * YEAR])
def test_a_clock_that_jumps_neither_ends_an_invitation_nor_lets_it_last(
    net: Net, jump: int
) -> None:
    """What was given away under a clock that was years ahead would hold for years."""
    ann, passed = net["ann"], [0.0]
    ann.unix = 30 * YEAR
    ann.steady = Steady(None, lambda: float(ann.unix), lambda: passed[0], lambda: "x")
    ann.restart(net.now)
    ann.tables.invite_to(table("numlo", "person", "remote"))
    ann.unix += jump
    net.done("bob", Join("ann", -1))
    net.settle()
    assert len(ann.tables.games(net.now)) == 1
    passed[0], ann.unix = 8 * 86_400.0, ann.unix + 8 * 86_400
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert len(ann.tables.games(net.now)) == 1


@pytest.mark.parametrize("jump", [0, 20 * YEAR, -20 * YEAR])
def test_since_when_a_game_waits_is_told_by_no_clock_that_was_put_forward(
    net: Net, jump: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The own one is ahead for good where a computer once began with such a wall."""
    ann, passed = net["ann"], [0.0]
    net.start("bob")
    ann.unix = 30 * YEAR - min(0, jump)
    ann.steady = Steady(None, lambda: float(ann.unix), lambda: passed[0], lambda: "x")
    monkeypatch.setattr(ann.archive, "written", lambda _match: 30 * YEAR)
    passed[0], ann.unix = 600.0, ann.unix + 600 + jump
    ann.restart(net.now)
    assert [game.since for game in ann.tables.games(net.now)] == [600]


def test_who_keeps_letters_is_told_once_whatever_else_is_changed(net: Net) -> None:
    net["ann"].tables.shared.keepers = (net["cyd"].key,)
    net.done("bob", Answer(on=True))
    wish = replace(table("numlo", "person", "remote:bob"), days=1)
    for each in (wish, replace(wish, options=SMALL), replace(wish, days=2)):
        net.done("ann", each if each is wish else ChangeTable(each))
        net.settle()
    told = net["bob"].lines("system")
    assert sum(says(line, Says.KEEPERS_NAMED) for line in told) == 1


def test_who_finds_no_seat_or_no_table_is_told(net: Net) -> None:
    net.done("bob", Join("ann", -1))
    net.settle()
    assert Code.NO_TABLE.text in net["bob"].lines("error")[-1]
    assert net["bob"].tables.mode() == "idle"
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert Code.TABLE_FULL.text in net["cyd"].lines("error")[-1]


def test_an_address_without_an_answer_is_reported(net: Net) -> None:
    net.done("bob", Join("nowhere", -1))
    net.settle()
    assert net["bob"].lines("error") == ["(nowhere)"]
    assert net["bob"].tables.mode() == "idle"


def test_a_host_goes_on_calling_an_address_that_does_not_answer(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote:nowhere"))
    tables = net["ann"].tables
    assert tables.wants_dial() == [Dial("nowhere", None)]
    tables.unreachable(Dial("nowhere", None), Says.HUNG_UP(), net.now)
    assert tables.wants_dial() == [Dial("nowhere", None)]
    net.done("ann", LeaveTable())
    assert tables.wants_dial() == []


def test_a_stranger_does_not_disturb_who_is_not_waiting_and_a_friend_asks(
    net: Net,
) -> None:
    net["bob"].tables.peer_up(net["ann"].key, "ann", "ann:1", net.now, friend=False)
    net["ann"].tables.peer_up(net["bob"].key, "bob", "bob", net.now)
    net.links.add(frozenset(("ann", "bob")))
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle(200)
    assert net["bob"].tables.table_status(net.now) is None
    net.done("cyd", table("networdz", "person", "remote:bob"))
    net.settle(200)
    assert net.status("bob").called
    assert net["bob"].table.others == []
    assert says(net["ann"].lines("system")[-1], Says.DOES_NOT_PLAY)
    assert net.status("ann").seats[1].state == "awaited"


def test_changed_terms_are_accepted_anew(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()
    before = net.status("bob").revision
    changed = table(
        "networdz", "person", "remote:bob", "computer", options=(("timed", "5"),)
    )
    net.done("ann", ChangeTable(changed))
    assert not net.status("ann").seats[1].accepted
    net.settle()
    after = net.status("bob")
    assert after.revision > before
    assert len(after.seats) == 3
    assert not after.seats[1].accepted  # that is the player's to say
    (what, old, new), timed = after.changes
    assert (what, new, timed) == (
        "players", f"{old}, computer:55", ("timed", "0", "5"),
    )  # fmt: skip
    assert says(net["bob"].lines("warning")[-1], Says.CHANGED_RULES)
    assert net.failed("ann", StartMatch()) is Code.USAGE
    assert net.failed("bob", Consent(True, before)) is Code.STALE
    net.done("bob", Consent(True, after.revision))
    net.settle()
    after = net.status("bob")
    assert after.seats[1].accepted
    assert after.changes == ()
    assert net.status("ann").seats[1].accepted
    options = GAMES["networdz"].ABOUT.options
    assert unpack(after.options, options).timed == 5


def test_who_may_watch_is_accepted_anew(net: Net) -> None:
    plain = table("numlo", "person", "remote")
    net.done("ann", plain)
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("ann", ChangeTable(replace(plain, bystanders="anybody")))
    net.settle()
    asked = net.status("bob")
    assert asked.changes == (("bystanders", "ask", "anybody"),)
    assert not net.status("ann").seats[1].accepted
    assert not asked.seats[1].accepted, "else nothing in the window can be pressed"
    net.done("bob", Consent(True, asked.revision))
    net.settle()
    assert net.status("bob").seats[1].accepted
    net.done("ann", StartMatch())


def test_rules_that_are_changed_back_need_no_new_yes(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    timed = table("networdz", "person", "remote", options=(("timed", "5"),))
    net.done("ann", ChangeTable(timed))
    net.settle()
    assert net.status("bob").changes
    net.done("ann", ChangeTable(table("networdz", "person", "remote")))
    net.settle()
    assert net.status("bob").changes == ()
    assert net.status("bob").seats[1].accepted


def test_a_change_before_the_table_is_full_is_asked_about_too(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    more = ("person", "remote", "remote")
    net.done("ann", ChangeTable(table("networdz", *more, options=(("timed", "5"),))))
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert net.status("cyd").changes == ()  # it has seen no others
    assert net.status("bob").changes == (("timed", "0", "5"),)
    assert [seat.accepted for seat in net.status("ann").seats] == [True, False, True]
    net.done("bob", Consent(False, net.status("bob").revision))
    net.settle()
    assert [seat.name for seat in net.status("ann").seats] == ["ann", "", "cyd"]


def test_a_yes_is_shown_to_who_has_said_it_though_a_seat_is_still_free(
    net: Net,
) -> None:
    seats = "person", "remote", "remote"
    net.done("ann", table("numlo", *seats))
    net.done("bob", Join("ann", -1))
    net.settle()

    def said() -> bool:
        (own,) = [s for s in net.status("bob").seats if s.state == "here"]
        return own.accepted

    assert said(), "by joining"
    assert [s.accepted for s in net.status("ann").seats] == [True, False, False]
    net.done("ann", ChangeTable(replace(table("numlo", *seats), bystanders="anybody")))
    net.settle()
    assert not said()
    net.done("bob", Consent(True, net.status("bob").revision))
    net.settle()
    assert said()
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert all(s.accepted for s in net.status("ann").seats)


def test_terms_that_cannot_be_are_refused_and_the_old_ones_stay(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    bad = [
        table("chess", "person"),
        table("networdz", "dog"),
        table("networdz", "computer:101"),
        table("networdz", *["person"] * 5),
        table("networdz"),
        table("networdz", "person", options=(("speed", "9"),)),
        table("networdz", "person", options=(("timed", "soon"),)),
        table("networdz", "person", options=(("american", "on"),)),
        table("numlo", "person"),
        HostTable("networdz", ("person",), (), "nothere", ""),
        HostTable("networdz", ("person",), (), "", "nothere"),
    ]
    for wish in bad:
        assert net.failed("ann", ChangeTable(wish)) in {
            Code.USAGE,
            Code.BAD_EDITION,
            Code.BAD_WORDS,
        }
        assert net.status("ann").game == "networdz"
        assert len(net.status("ann").seats) == 2


def test_persons_and_computers_without_names_get_some(net: Net) -> None:
    net.done("ann", table("networdz", "person", "person", "person:Zoe", "computer"))
    names = [seat.name for seat in net.status("ann").seats]
    assert names == ["ann", "ann 2", "Zoe", "Computer"]
    assert net.status("ann").seats[3].skill == 55


def test_computers_are_numbered_where_there_are_several(net: Net) -> None:
    net.done("ann", table("numlo", "person", "computer", "computer"))
    names = [seat.name for seat in net.status("ann").seats]
    assert names == ["ann", "Computer 1", "Computer 2"]


def test_an_edition_named_among_the_options_is_the_one_played(net: Net) -> None:
    wish = table("networdz", "person", options=(("edition", "standard"),))
    net.done("ann", wish)
    assert net.status("ann").edition == "standard"
    assert net.status("ann").lexicon == "english"
    wish = HostTable("networdz", ("person",), (), "french", "french")
    net.done("ann", ChangeTable(wish))
    assert (net.status("ann").edition, net.status("ann").lexicon) == (
        "french",
        "french",
    )


def test_a_guest_declines_and_its_seat_is_free_again(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    revision = net.status("bob").revision
    assert net.failed("bob", Consent(accept=True, revision=99)) is Code.STALE
    net.done("bob", Consent(accept=True, revision=revision))
    net.done("bob", Consent(accept=False, revision=revision))
    net.settle()
    assert net["bob"].tables.table_status(net.now) is None
    assert net.status("ann").seats[1].state == "awaited"
    assert net.failed("bob", Consent(accept=True, revision=0)) is Code.NO_TABLE


def test_a_host_that_leaves_tells_its_guests(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.done("ann", LeaveTable())
    net.settle()
    assert net["bob"].tables.mode() == "idle"
    assert net["bob"].lines("error") == []
    assert any(
        str(Says.HAS_LEFT_TABLE(name="ann")) in line
        for line in net["bob"].lines("system")
    )
    net.done("ann", LeaveTable())


def test_a_match_does_not_start_before_all_have_agreed(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    assert net.failed("ann", StartMatch()) is Code.USAGE
    assert net.failed("bob", StartMatch()) is Code.NO_TABLE


def test_calling_fills_a_free_seat(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote", "remote"))
    net.done("ann", Call("bob", 2))
    net.settle()
    assert [seat.name for seat in net.status("ann").seats] == ["ann", "", "bob"]
    net.done("cyd", Answer(on=True))
    net.done("ann", Call("cyd"))
    net.settle()
    assert [seat.name for seat in net.status("ann").seats] == ["ann", "cyd", "bob"]
    assert net.failed("ann", Call("dan")) is Code.TABLE_FULL
    assert net.failed("bob", Call("dan")) is Code.NO_TABLE


def test_who_sits_already_where_they_are_called_is_no_fault(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob", "remote"))
    net.settle()
    net.done("ann", Call("bob", 1))
    net.done("ann", Call("bob"))
    assert net.failed("ann", Call("cyd", 1)) is Code.TABLE_FULL
    assert net.failed("ann", Call("bob", 0)) is Code.TABLE_FULL
    net.settle()
    assert [seat.name for seat in net.status("ann").seats] == ["ann", "bob", ""]


def test_a_peer_that_is_up_already_is_seated_at_once(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.link("ann", "bob")
    net.done("ann", table("networdz", "person", "remote:bob"))
    net.settle()
    assert net.status("ann").seats[1].name == "bob"


def test_several_tables_at_a_time_each_with_its_number(net: Net) -> None:
    net.done("ann", table("networdz", "person"))
    net.done("ann", table("numlo", "person:A", "person:B"))
    numbers = {one.table: one.game for one in net["ann"].tables.games(net.now)}
    assert numbers == {1: "networdz", 2: "numlo"}
    assert net.failed("ann", LeaveTable()) is Code.USAGE  # which?
    assert net.failed("ann", LeaveTable(), on=3) is Code.NO_TABLE
    net.done("ann", LeaveTable(), on=1)
    assert net.status("ann").game == "numlo"
    net.done("ann", table("hexagrams", "person:A", "person:B"))
    assert [one.table for one in net["ann"].tables.games(net.now)] == [2, 3]


def test_a_link_lost_while_forming_is_restored_and_the_seat_kept(net: Net) -> None:
    net.done("ann", table("networdz", "person", "remote"))
    net.done("bob", Join("ann", -1))
    net.settle()
    net.cut("ann", "bob")
    assert net.status("ann").seats[1].state == "away"
    assert net["bob"].tables.wants_dial()
    net.settle()
    assert net.status("ann").seats[1].state == "connected"
    net.done("ann", StartMatch())
    net.settle()
    assert net.status("bob").phase in {"playing", "starting"}


def test_a_name_is_cleaned_and_may_not_be_empty(net: Net) -> None:
    net.done("ann", SetName("  An\x07n \u202e "))
    net.done("ann", table("networdz", "person"))
    assert net.status("ann").seats[0].name == "Ann"
    assert net.failed("ann", SetName("\u200b")) is Code.USAGE


def test_who_comes_before_being_called_does_not_get_the_chair_of_another(
    net: Net,
) -> None:
    net.done("bob", Answer(on=True))
    net.done("cyd", Answer(on=True))
    net.done("ann", table("networdz", "person", "remote:bob", "remote:cyd"))
    net.done("cyd", Join("ann", -1))
    net.link("cyd", "ann")
    while net.deliver():
        pass
    assert [seat.name for seat in net.status("ann").seats] == ["ann", "", ""]
    assert says(net["cyd"].lines("error")[-1], Says.SEATS_KEPT)
    assert says(net["ann"].lines("system")[-1], Says.ASKS_FOR_SEAT)
    net["ann"].tables.peer_up(net["cyd"].key, "cyd", "cyd", net.now)  # it was called
    net.settle()
    assert [seat.name for seat in net.status("ann").seats] == ["ann", "bob", "cyd"]
    assert all(seat.accepted for seat in net.status("ann").seats)
    net.done("ann", StartMatch())


def test_others_are_told_whose_computer_a_browser_is_at_before_they_agree(
    net: Net,
) -> None:
    net.done("ann", table("networdz", "remote", "person", "browser"))
    net.done("bob", Join("ann", -1))
    net.settle()
    seats = net.status("bob").seats
    assert [(seat.name, seat.browser) for seat in seats] == [
        ("bob", ""), ("ann", ""), ("", "ann"),
    ]  # fmt: skip
    assert not net.status("ann").seats[0].accepted
    assert net.failed("ann", StartMatch()) is Code.USAGE
    net.done("ann", NameSeat(2, " Zo\u00eb\u202e "))
    net.settle()
    shown = net.status("bob").seats[2]
    assert (shown.kind, shown.name, shown.browser) == ("remote", "Zo\u00eb", "ann")
    net.done("ann", StartMatch())
    net.settle()
    for who in ("ann", "bob"):
        assert net.status(who).phase == "playing"
        assert net.status(who).seats[2].browser == "ann"


def test_nobody_from_elsewhere_takes_the_seat_for_a_browser(net: Net) -> None:
    net.done("ann", table("networdz", "person", "browser"))
    net.done("bob", Join("ann", 1))
    net.settle()
    assert net.status("ann").seats[1].name == ""
    assert net["ann"].tables.mode() == "hosting"

"""Bystanders: asking, agreeing, watching, coming back, and what they are never sent."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code
from netplay.match.effects import BeHost
from netplay.messages.door import (
    Answer,
    ChangeTable,
    Consent,
    Failed,
    Join,
    LeaveTable,
    Load,
    LookBack,
    Play,
    Say,
    StartMatch,
    Watch,
)
from netplay.messages.log import Ack, Entries, Have, Opening, Share, Submit, Term
from netplay.messages.table import (
    BYSTANDERS,
    Admit,
    Attend,
    Bystander,
    Bystanders,
    Chat,
    Decline,
    Heard,
)
from netplay.messages.table_questions import (
    AnswerWatcher,
    LetWatch,
    StandIn,
    Vote,
    WatchAt,
)
from netplay.record.hidden import KeptGrant
from netplay.record.log import term_data
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.table.shared import Lends
from netplay.table.tables import Tables
from netplay.wire import pack, unpack
from rules import GAMES
from rules.game import Resign
from rules.tiles import UNKNOWN
from tests.netplay.joined_nodes import Net, table
from tests.netplay.table.test_handing_seats import hand
from tests.netplay.table.test_kept_seats import block
from tests.said import like, says

ASKED = ("asked", "would like to watch")


def watch(net: Net, name: str, address: str = "ann") -> None:
    net.done(name, WatchAt(address))
    net.settle()


def say(net: Net, name: str, verdict: str, whom: str = "") -> None:
    net.done(name, AnswerWatcher(verdict == "allow", whom))
    net.settle()


def two(net: Net, game: str = "numlo", computers: bool = False) -> None:
    """Let ann and bob, persons both, begin a match."""
    net.done("bob", Answer(on=True))
    net.done("ann", table(game, "person", "remote:bob"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    if computers:
        for name in ("ann", "bob"):
            net.done(name, StandIn(40))


def seen(net: Net, name: str) -> Any:
    return net[name].match


def test_a_bystander_watches_once_every_player_has_agreed(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    assert net["cyd"].tables.mode() == "calling"
    assert net["cyd"].tables.table_status(net.now) is None
    assert says(net["cyd"].lines("system")[-1], Says.ASKED_TO_WATCH)
    for name in ("ann", "bob"):
        assert [who for _, who in net.status(name).asking] == ["cyd"]
        assert net.status(name).watchers == ()
        assert str(Says.WOULD_WATCH(name="cyd")) in net[name].lines("system")
    say(net, "ann", "allow")
    assert net.status("ann").asking == ()
    assert net["cyd"].tables.mode() == "calling"
    say(net, "bob", "allow", "cyd")
    assert net["cyd"].tables.mode() == "watching"
    for name in ("ann", "bob"):
        assert net.status(name).watchers == ("cyd",)
        assert net[name].lines("system")[-1] == str(Says.WATCHES(name="cyd"))
    shown = net.status("cyd")
    assert shown.watching
    assert shown.phase == "playing"
    assert [seat.state for seat in shown.seats] == ["connected", "connected"]


def looks(net: Net, *letters: bytes) -> None:
    """Let those be there in browsers at ann's computer who have such keys."""
    keys = frozenset(letter * 32 for letter in letters)
    net["ann"].tables.let_look_on(seen(net, "ann").match, keys)
    net.settle()


def test_a_bystander_who_takes_another_name_is_shown_and_let_in_by_it(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    net["ann"].tables.peer_named(net["cyd"].key, "Cydney")
    net.settle()
    for name in ("ann", "bob"):  # who has no link to it hears of it, too
        assert [who for _, who in net.status(name).asking] == ["Cydney"]
        say(net, name, "allow", "Cydney")
        assert net.status(name).asking == ()
    assert net.status("bob").watchers == ("Cydney",)


def test_who_looks_on_in_a_browser_is_one_whom_the_others_are_asked_about(
    net: Net,
) -> None:
    two(net)
    looks(net, b"x")
    tables, match = net["ann"].tables, seen(net, "ann").match
    assert net.status("ann").asking == ()  # who has made the link has agreed
    assert [name for _key, name in net.status("bob").asking] == ["ann (1)"]
    assert not tables.looks(match, b"x" * 32)
    say(net, "bob", "allow")
    assert tables.looks(match, b"x" * 32)
    assert not tables.looks(match, b"y" * 32)
    looks(net)
    for name in ("ann", "bob"):
        assert net.status(name).watchers == ()
        said = net[name].lines("system")
        assert said[-2:] == [
            str(Says.WATCHES(name="ann (1)")),
            str(Says.WATCHES_NO_LONGER(name="ann (1)")),
        ]
    looks(net, b"x", b"y")  # who comes back is asked about no more
    assert tables.looks(match, b"x" * 32)
    assert not tables.looks(match, b"y" * 32)


def test_no_more_look_on_in_all_than_members_can_be_told_of(net: Net) -> None:
    two(net)
    looks(net, *(bytes([n]) for n in range(1, 13)))
    assert len({name for _key, name in net.status("bob").asking}) == 8
    assert net["bob"].errors == []


def test_who_waits_in_a_browser_looks_on_once_a_place_is_free(net: Net) -> None:
    two(net)
    keys = [bytes([n]) for n in range(1, BYSTANDERS + 3)]
    looks(net, *keys)
    tables, match = net["ann"].tables, seen(net, "ann").match
    net.done("bob", LetWatch("anybody"))
    net.settle()
    *there, late, last = (key * 32 for key in keys)
    assert [tables.looks(match, key) for key in (*there, late)] == [True] * 8 + [False]
    say(net, "bob", "refuse", net.status("bob").watchers[0])  # one is turned away
    assert tables.looks(match, late)
    looks(net, *(keys[1:3] + keys[4:]))  # another closes the tab
    assert tables.looks(match, last)
    assert len(net.status("bob").watchers) == BYSTANDERS


def test_who_is_refused_looks_on_no_more_and_is_shown_out(net: Net) -> None:
    two(net)
    out: list[bytes] = []

    class Door(Lends):
        def look_away(self, _match: bytes, key: bytes) -> None:
            out.append(key)

    tables = net["ann"].tables
    tables.lend_by(Door())
    looks(net, b"x")
    say(net, "bob", "refuse")
    assert not tables.looks(seen(net, "ann").match, b"x" * 32)
    assert out == [b"x" * 32]
    assert net.status("bob").asking == ()


def test_who_leaves_while_a_move_is_under_way_watches_no_longer(net: Net) -> None:
    """And does not take it for a match of its own, and ask all for it for ever."""
    two(net, computers=True)
    watch(net, "cyd")
    say(net, "ann", "allow")
    say(net, "bob", "allow")
    while not (thoughts := net["ann"].tables.wants().thoughts):
        assert net.think(Random(1))
        net.settle()
    move = next(iter(GAMES["numlo"].moves(thoughts[0].view, thoughts[0].seat)))
    net["ann"].tables.thought(thoughts[0], move, net.now)
    net.done("cyd", LeaveTable())
    net.settle()
    assert net["cyd"].tables.games(net.now) == ()
    assert not any(node.errors for node in net.nodes.values())
    watch(net, "cyd")
    assert net["cyd"].tables.mode() == "watching"


@pytest.mark.parametrize("last", ["bob", "cyd"])
def test_of_two_others_each_must_agree_before_somebody_watches(
    net: Net, last: str
) -> None:
    net.start("bob", "cyd", computers=False)
    watch(net, "dan")
    say(net, "cyd" if last == "bob" else "bob", "allow")
    assert net["dan"].tables.mode() == "calling"
    assert net.status("ann").watchers == ()
    say(net, last, "allow")
    assert net["dan"].tables.mode() == "watching"


def test_who_has_resigned_and_gone_is_not_waited_for_before_somebody_watches(
    net: Net,
) -> None:
    net.start("bob", "cyd", computers=False)
    net.done("cyd", Play(2, pack(Resign()), -1))
    net.settle()
    net.isolate("cyd")
    watch(net, "dan")
    assert net["dan"].tables.mode() == "calling"
    say(net, "bob", "allow")
    assert net["dan"].tables.mode() == "watching"


def test_a_bystander_gets_every_entry_and_acknowledges_none(net: Net) -> None:
    two(net, computers=True)
    watch(net, "cyd")
    assert net["cyd"].tables.mode() == "watching"  # computer players do not mind
    net.play_out(Random(1))
    logs = [seen(net, name).ledger.raws(0) for name in ("ann", "bob", "cyd")]
    assert logs[0] == logs[1] == logs[2]
    assert seen(net, "cyd").audit() == "ok"
    assert net.status("cyd").places == net.status("ann").places
    for name in ("ann", "bob"):
        match = seen(net, name)
        assert net["cyd"].key not in match.linked | match.members.greeted
    assert {name for name, kind in net["ann"].came if kind is Ack} == {"bob"}


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_a_bystander_is_sent_entries_and_nothing_that_only_players_may_know(
    net: Net, game: str
) -> None:
    two(net, game, computers=True)
    watch(net, "cyd")
    net.done("ann", Say("psst"))
    net.play_out(Random(2))
    kinds = {type(message) for message in net["cyd"].got}
    assert kinds <= {Entries, Bystanders, Decline}
    assert not kinds & {Opening, Share, Chat, Heard, Submit, Ack, Have}
    assert not net["cyd"].lines("chat")
    hidden = seen(net, "cyd").hidden
    assert not hidden.proofs
    assert not hidden.shares


def test_a_bystanders_view_knows_no_tile_on_a_rack(net: Net) -> None:
    two(net, "networdz", computers=True)
    watch(net, "cyd")
    net.done("cyd", Watch(-1))
    for _ in range(4):
        net.think(Random(3))
        net.settle()
    view = net["cyd"].views()[-1]
    assert view.seat == -1
    state = unpack(view.state, GAMES["networdz"].ABOUT.state)
    kinds = {kind for rack in state.tiles.kinds for kind in rack}
    assert kinds == {UNKNOWN}
    answer = net.ask("cyd", Watch(0))
    assert isinstance(answer, Failed)
    assert answer.code == Code.NOT_A_MEMBER.number


def test_a_bystander_looks_back_through_the_match(net: Net) -> None:
    two(net, computers=True)
    for _ in range(5):
        net.think(Random(4))
        net.settle()
    watch(net, "cyd")
    net.done("cyd", Watch(-1))
    net.settle()
    net.done("cyd", LookBack(1))
    net.settle()
    back = [view for view in net["cyd"].views() if not view.live]
    assert back
    assert back[-1].number == 1
    assert back[-1].state != net["cyd"].views()[0].state


def test_a_bystander_has_no_say(net: Net) -> None:
    two(net, computers=True)
    watch(net, "cyd")
    assert net.failed("cyd", Play(0, pack(Resign()), 0)) is Code.NOT_A_MEMBER
    assert net.failed("cyd", Say("hello")) is Code.NO_TABLE
    assert not net["cyd"].tables.wants().thoughts
    for message in (
        Submit(seen(net, "ann").match, 0, b"", bytes(64)),
        Ack(seen(net, "ann").match, 0, 1, bytes(32), b"", bytes(64)),
    ):
        with pytest.raises(Exception, match=like(Code.NOT_A_MEMBER)):
            net["ann"].tables.receive(net["cyd"].key, message, net.now)


def test_one_who_refuses_is_enough_and_is_asked_only_once(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    say(net, "ann", "allow")
    say(net, "bob", "refuse")
    assert net.status("ann").watchers == ()
    assert net.status("ann").asking == ()
    assert net["cyd"].tables.mode() == "idle"
    assert says(net["cyd"].lines("error")[-1], Says.UNWATCHED)
    watch(net, "cyd")
    assert net["cyd"].tables.mode() == "idle"
    asked = [
        line for line in net["bob"].lines("system") if says(line, Says.WOULD_WATCH)
    ]
    assert len(asked) == 1


def test_watching_ends_when_a_player_wants_it_to(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    say(net, "ann", "allow")
    say(net, "bob", "allow")
    size = len(seen(net, "cyd").ledger.log)
    assert net["cyd"].tables.spares(net["ann"].key), "it has just been asked"
    say(net, "bob", "refuse", "cyd")
    assert not net["cyd"].tables.spares(net["ann"].key)
    assert net.status("ann").watchers == net.status("bob").watchers == ()
    assert net.status("cyd").phase == "stopped"
    net.done("ann", StandIn(40))
    net.done("bob", StandIn(40))
    net.think(Random(5))
    net.settle()
    assert len(seen(net, "cyd").ledger.log) == size
    net.done("cyd", LeaveTable())
    net.done("cyd", table("numlo", "computer", "computer"))


@pytest.mark.parametrize("usher", ["ann", "bob"])
def test_who_was_let_watch_and_is_blocked_since_does_not_come_back(
    net: Net, usher: str
) -> None:
    two(net)
    watch(net, "cyd", usher)
    say(net, "ann", "allow")
    say(net, "bob", "allow")
    assert net.status("ann").watchers == ("cyd",)
    block(net, "ann", "cyd")
    net.settle()
    for _ in range(2):
        assert net.status("ann").watchers == net.status("bob").watchers == ()
        net.ask("cyd", LeaveTable())
        net.settle()
        net.ask("cyd", WatchAt(usher))
        net.settle()


def test_a_host_without_a_seat_is_not_taken_as_away_by_who_watches(net: Net) -> None:
    for guest in ("bob", "cyd"):
        net.done(guest, Answer(on=True))
    net.done("ann", table("numlo", "remote:bob", "remote:cyd"))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    watch(net, "dan", "bob")
    for name in ("ann", "bob", "cyd"):
        net.ask(name, AnswerWatcher(allow=True, whom=""))
        net.settle()
    assert net.status("bob").watchers == ("dan",)
    net.part("ann", "cyd")
    net.part("bob", "cyd")
    net.settle()
    assert net.status("dan").waiting == "cyd"
    net.apart.clear()
    net.settle()
    assert net.status("dan").waiting == ""


def test_a_bystander_that_was_cut_off_comes_back_without_asking(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    say(net, "ann", "allow")
    say(net, "bob", "allow")
    net.cut("ann", "cyd")
    assert net.status("ann").watchers == ()
    assert net.status("cyd").phase == "paused"
    net.done("ann", StandIn(40))
    net.done("bob", StandIn(40))
    for _ in range(4):
        net.think(Random(6))
    net.settle()
    assert net.status("ann").watchers == ("cyd",)
    assert seen(net, "cyd").ledger.raws(0) == seen(net, "ann").ledger.raws(0)


def test_bystander_and_players_remember_what_was_agreed_after_a_restart(
    net: Net,
) -> None:
    two(net)
    watch(net, "cyd")
    say(net, "ann", "allow")
    say(net, "bob", "allow")
    for name in ("cyd", "ann"):
        net.isolate(name)
        net[name].restart(net.now)
        for other, node in net.nodes.items():
            if other != name:
                node.tables.shared.places[net[name].key] = name
                net[name].tables.shared.places[node.key] = other
        net.settle()
        assert net["cyd"].tables.mode() == "watching"
        assert net.status("ann").watchers == ("cyd",)
        assert net.status("ann").asking == net.status("bob").asking == ()


def test_a_host_that_comes_back_lets_its_bystander_in_while_another_player_sleeps(
    net: Net,
) -> None:
    two(net)
    watch(net, "cyd")
    say(net, "ann", "allow")
    say(net, "bob", "allow")
    net.part("ann", "bob")
    net.isolate("ann")
    net["ann"].restart(net.now)
    net.settle()

    assert net["cyd"].tables.mode() == "watching"
    assert net.status("ann").watchers == ("cyd",)
    states = [seat.state for seat in net.status("cyd").seats]
    assert states == ["connected", "away"]
    assert net.status("cyd").waiting == "bob"
    net.cut("ann", "cyd")
    states = [seat.state for seat in net.status("cyd").seats]
    assert states == ["away", "away"]


def test_who_waits_to_be_let_in_again_sees_that_the_host_is_there(net: Net) -> None:
    """The host's disk has lost what the others had said of the bystander."""
    two(net)
    watch(net, "cyd")
    say(net, "ann", "allow")
    say(net, "bob", "allow")
    net.part("ann", "bob")
    net.isolate("ann")
    net["ann"].restart(net.now)
    seen(net, "ann").hidden.agreed.clear()
    net.settle()

    assert net.status("ann").watchers == ()
    states = [seat.state for seat in net.status("cyd").seats]
    assert states == ["connected", "away"]
    net.apart.clear()
    net.settle()
    assert net.status("ann").watchers == ("cyd",)


def test_the_file_of_a_bystander_proves_itself_and_can_be_loaded(net: Net) -> None:
    two(net, "networdz", computers=True)
    watch(net, "cyd")
    net.play_out(Random(7))
    archive = net["cyd"].archive
    (path,) = archive.newest()
    net.done("cyd", LeaveTable())
    verdict = verify(bytes(archive.disks[path].data))
    assert verdict.ok
    assert verdict.audit == "ok"
    net.done("cyd", Load(path))
    assert net.status("cyd").watching
    assert net.status("cyd").phase == "over"


def test_a_table_may_be_open_to_anybody_or_nobody(net: Net) -> None:
    net.done("bob", Answer(on=True))
    wish = table("numlo", "person", "remote:bob")
    net.done("ann", wish)
    net.settle()
    net.done("ann", LetWatch("anybody"))
    net.settle()
    assert net.status("bob").bystanders == "anybody"
    assert net.status("bob").changes == (("bystanders", "ask", "anybody"),)
    net.done("bob", Consent(True, net.status("bob").revision))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()
    watch(net, "cyd")
    assert net.status("bob").watchers == ("cyd",)
    net.done("bob", LetWatch("nobody"))
    net.settle()
    assert net.status("ann").watchers == ()
    assert net["ann"].tables.offers()
    net.done("ann", LetWatch("nobody"))
    assert not net["ann"].tables.offers()
    assert net.failed("dan", LetWatch("ask")) is Code.NO_TABLE


def test_a_changed_table_keeps_what_was_said_of_bystanders(net: Net) -> None:
    net.done("ann", table("numlo", "person", "remote"))
    wish = table("numlo", "person", "remote")
    net.done("ann", ChangeTable(type(wish)(*wish_fields(wish), bystanders="nobody")))
    assert net.status("ann").bystanders == "nobody"


def wish_fields(wish: Any) -> tuple[Any, ...]:
    return wish.game, wish.seats, wish.options, wish.edition, wish.words


def test_a_player_who_is_not_host_may_be_asked_to_watch_at(net: Net) -> None:
    two(net)
    watch(net, "cyd", "bob")
    say(net, "ann", "allow")
    say(net, "bob", "allow")
    assert net["cyd"].tables.mode() == "watching"
    assert net.status("ann").watchers == ("cyd",)
    net.done("bob", LeaveTable())
    net.settle()
    assert net.status("ann").watchers == ()


def test_a_match_in_play_is_offered_nearby_and_joining_it_says_so(net: Net) -> None:
    two(net)
    assert net["ann"].tables.offers() == (("numlo", 0),)
    net.done("cyd", Join("ann", -1))
    net.settle()
    assert says(net["cyd"].lines("error")[-1], Says.MATCH_THERE_WATCH)
    assert not any(game for game, _free in net["bob"].tables.offers())


def test_nobody_watches_where_nothing_is_played(net: Net) -> None:
    watch(net, "cyd")
    assert net["cyd"].tables.mode() == "idle"
    assert says(net["cyd"].lines("error")[-1], Says.NO_MATCH_HERE)
    watch(net, "cyd", "nowhere")
    assert net["cyd"].lines("error")[-1] == "(nowhere)"
    assert net["cyd"].tables.mode() == "idle"


def test_nobody_watches_persons_who_take_turns_at_one_computer(net: Net) -> None:
    net.done("ann", table("numlo", "person", "person"))
    net.done("ann", StartMatch())
    net.settle()
    assert not net["ann"].tables.offers()
    watch(net, "cyd")
    assert net["cyd"].tables.mode() == "idle"
    assert says(net["cyd"].lines("error")[-1], Says.NOT_WATCHED)
    assert net.status("ann").asking == ()


def test_one_person_and_a_computer_player_may_be_watched(net: Net) -> None:
    net.done("ann", table("numlo", "person", "computer:40"))
    net.done("ann", StartMatch())
    net.settle()
    assert not net["ann"].tables.offers(), "nobody is waited for"
    watch(net, "cyd")
    say(net, "ann", "allow")
    assert net["cyd"].tables.mode() == "watching"


def test_a_game_against_computers_that_anybody_may_watch_is_told_nearby(
    net: Net,
) -> None:
    net.done("ann", replace(table("numlo", "person", "computer"), bystanders="anybody"))
    net.done("ann", StartMatch())
    assert net["ann"].tables.offers() == (("numlo", 0),)


def test_only_so_many_watch_at_one_node(net: Net) -> None:
    two(net, computers=True)
    tables: Tables = net["ann"].tables
    for n in range(BYSTANDERS + 1):
        key = bytes([n + 1]) * 32
        tables.peer_up(key, f"w{n}", "", net.now)
        tables.receive(key, Attend(b""), net.now)
        if n == BYSTANDERS:
            last = [out.message for out in tables.take_outgoing() if key in out.keys]
            codes = [m.code for m in last if isinstance(m, Decline)]
            assert codes == [Code.TABLE_FULL.number]
        net.settle()
    assert len(net.status("ann").watchers) == BYSTANDERS
    assert not tables.offers()
    tables.take_outgoing()
    tables.receive(bytes([1]) * 32, Attend(b""), net.now)  # who is back on a new line
    assert not any(isinstance(o.message, Decline) for o in tables.take_outgoing())
    assert len(net.status("ann").watchers) == BYSTANDERS


def test_strangers_neither_list_nor_admit_bystanders(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    match = seen(net, "ann").match
    for message in (
        Bystanders(match, (Bystander(net["cyd"].key, "x", watches=True),), (), ()),
        Admit(match, net["cyd"].key, allow=True),
    ):
        with pytest.raises(Exception, match=like(Code.NOT_A_MEMBER)):
            net["ann"].tables.receive(net["cyd"].key, message, net.now)
        net["ann"].tables.receive(
            net["bob"].key, type(message)(bytes(32), *_rest(message)), net.now
        )  # of another match: dropped
    assert net.status("ann").watchers == ()


def _rest(message: Any) -> tuple[Any, ...]:
    names = message.__struct_fields__[1:]
    return tuple(getattr(message, name) for name in names)


def test_the_player_says_whom_where_several_ask(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    watch(net, "dan")
    assert net.failed("ann", AnswerWatcher(allow=True)) is Code.USAGE
    assert net.failed("ann", AnswerWatcher(allow=True, whom="zed")) is Code.USAGE
    assert net.failed("eve", AnswerWatcher(allow=True)) is Code.USAGE
    key = next(key for key, name in net.status("bob").asking if name == "dan")
    say(net, "ann", "allow", "dan")
    say(net, "bob", "allow", key)
    assert net.status("ann").watchers == ("dan",)
    assert net["dan"].tables.mode() == "watching"
    assert net["cyd"].tables.mode() == "calling"


def test_without_a_name_it_is_the_only_one_who_still_asks(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    watch(net, "dan")
    say(net, "ann", "allow", "dan")
    say(net, "ann", "allow")
    say(net, "bob", "allow", "cyd")
    assert net.status("ann").watchers == ("cyd",)
    assert [name for _, name in net.status("bob").asking] == ["dan"]
    say(net, "bob", "allow")
    assert net.status("ann").watchers == tuple(
        sorted(("cyd", "dan"), key=lambda name: net[name].key)
    )


def test_a_bystander_leaves_and_the_match_does_not_mind(net: Net) -> None:
    two(net, computers=True)
    watch(net, "cyd")
    net.done("cyd", LeaveTable())
    net.settle()
    assert net.status("ann").watchers == ()
    assert net.status("ann").phase == "playing"
    net.play_out(Random(8))
    assert net.status("bob").phase == "over"


def test_who_goes_unanswered_and_asks_again_is_told_of_again(net: Net) -> None:
    two(net)
    for times in (1, 2):
        watch(net, "cyd")
        told = net["ann"].lines("system").count(str(Says.WOULD_WATCH(name="cyd")))
        assert told == times
        net.done("cyd", LeaveTable())
        net.settle()
        assert net.status("ann").asking == ()


def test_bystanders_are_told_when_the_table_is_left(net: Net) -> None:
    two(net, computers=True)
    watch(net, "cyd")
    net.done("ann", LeaveTable())
    net.settle()
    assert net.status("cyd").phase == "stopped"
    assert says(str(net.status("cyd").waiting), Says.TABLE_WAS_LEFT)


def test_a_bystander_follows_another_host(net: Net) -> None:
    net.start("bob", "cyd")
    watch(net, "dan", "bob")
    net.isolate("ann")
    net.nodes.pop("ann")
    for name in ("bob", "cyd"):
        net.done(name, Vote())
        net.settle()
    net.wake(2.0)
    net.play_out(Random(9))
    assert seen(net, "dan").ledger.log.term > 0
    assert seen(net, "dan").ledger.raws(0) == seen(net, "bob").ledger.raws(0)


def test_a_bystander_follows_when_the_one_it_watches_at_drops_a_term(net: Net) -> None:
    net.start("bob", "cyd")
    watch(net, "dan", "bob")
    ann, bob, cyd, dan = (seen(net, name) for name in ("ann", "bob", "cyd", "dan"))
    while ann.on_turn() != [0]:
        net.think(Random(9))
        net.settle()
    for name in ("ann", "cyd"):
        net.part("bob", name)
    # Bob takes term 1 with cyd's promise, and only dan ever hears of it.
    log, number = bob.ledger.log, len(bob.ledger.log)
    cyd.keep(KeptGrant(1, cyd.members.vouched()))
    keys = [member.key for member in bob.fold.members]
    data = term_data(bob.match, 1, bob.me, number, log.head)
    votes = sorted((keys.index(m.me), m.signer.sign(data)) for m in (bob, cyd))
    term = Term(keys.index(bob.me), tuple(votes))
    bob.replication.do([BeHost(term, 1)], net.now)
    net.settle()
    assert dan.ledger.log.term == 1
    # The others go on in term 0, and then in another.
    net.think(Random(9))
    net.settle()
    for _ in range(6):
        net.wake(1.0)
    assert ann.ledger.log.lines[number].entry.term == 0
    assert ann.ledger.log.term > 1
    net.apart.clear()
    net.settle()
    assert bob.ledger.raws(0) == ann.ledger.raws(0)
    assert dan.ledger.raws(0) == ann.ledger.raws(0)


def test_to_watch_somebody_needs_an_address(net: Net) -> None:
    two(net)
    assert net.failed("dan", WatchAt("")) is Code.USAGE


def test_a_match_that_hurries_is_watched_too(net: Net) -> None:
    net.start("bob", game="hexcolumns")
    watch(net, "cyd")
    net.done("cyd", Watch(-1))
    for _ in range(20):
        net.wake(0.1)
    assert seen(net, "cyd").ledger.raws(0) == seen(net, "ann").ledger.raws(0)
    assert net["cyd"].views()[-1].number == len(seen(net, "ann").ledger.log)


def test_who_waits_to_watch_is_told_so_once_whoever_comes_and_goes(net: Net) -> None:
    two(net)
    watch(net, "cyd")
    for _ in range(2):
        net.isolate("bob")
        net.settle()
        net.link("ann", "bob")
        net.settle()
    watch(net, "dan")
    say(net, "ann", "allow", "cyd")
    told = [says(line, Says.ASKED_TO_WATCH) for line in net["cyd"].lines("system")]
    assert told.count(True) == 1


def test_whoever_takes_a_seat_over_is_asked_before_anybody_watches_on(net: Net) -> None:
    net.start("bob", "cyd")
    watch(net, "eve")
    assert net["eve"].tables.mode() == "watching"
    net.isolate("cyd")
    gone = net.nodes.pop("cyd")
    net.done("dan", Answer(on=True))
    for name in ("ann", "bob"):
        net.link(name, "dan")
    hand(net, ("ann", "bob"), 2, "dan")
    net.link("eve", "ann")
    assert [who for _, who in net.status("dan").asking] == ["eve"]
    assert net.status("ann").watchers == ()
    assert says(net["eve"].lines("system")[-1], Says.ASKED_TO_WATCH)
    had = len(seen(net, "eve").ledger.log)
    for _ in range(2):  # ann and bob, whose seats computers play
        net.think(Random(3))
        net.settle()
    assert len(seen(net, "ann").ledger.log) > had
    assert len(seen(net, "eve").ledger.log) == had
    say(net, "dan", "allow")
    assert net.status("ann").watchers == ("eve",)
    assert seen(net, "eve").ledger.raws(0) == seen(net, "ann").ledger.raws(0)
    gone.tables.close()

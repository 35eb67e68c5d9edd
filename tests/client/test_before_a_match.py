"""The window's reducer up to the first move: start page and table."""

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Copy, Over, Page, Play, edit_of
from client.pages import screen, start
from client.ui.intents import Click, Focus, Key, Scroll, Slide, Text
from client.ui.scene import find, walk
from client.ui.sound import Sound
from client.update import Linked, Tick
from netplay import wire
from netplay.messages import door
from netplay.messages.node_questions import (
    CheckReach,
    Forget,
    GetInvitation,
    GetKnown,
    KnownNode,
    NameEntries,
    Network,
    Switch,
)
from netplay.messages.table_questions import WatchAt
from netplay.sentences import Says
from rules import GAMES, numlo
from tests.client.clicking import update
from tests.client.games import pushed
from tests.client.listed import game
from tests.client.worlds import (
    NEAR,
    PLAYED,
    SAVED,
    asks,
    base,
    fed,
    in_match,
    near,
    pages,
    seat,
    status,
    table,
    texts,
)


def test_a_first_start_asks_for_a_name_only() -> None:
    model = fed(base(), status(name=""))
    assert model.over is Over.NAME
    assert fed(model, Key("escape")).over is Over.NAME
    named = fed(model, Focus("field.name"), Text("Anna"))
    assert asks(named, Key("enter")) == [door.SetName("Anna")]


@pytest.mark.parametrize("button", ["play", "demo"])
def test_two_quick_clicks_begin_one_game(button: str) -> None:
    model, effects = update(fed(base(), status()), Click(button))
    (request,) = [e.request for e in effects if isinstance(e, Ask)]
    assert asks(model, Click(button)) == []
    model = fed(model, door.Done(request.id))
    assert asks(model, Click(button)) == [], "it is just being started"


def test_play_hosts_a_table_and_starts_it_once_it_is_open() -> None:
    model = fed(base(), status())
    model, effects = update(model, Click("play"))
    (request,) = [e.request for e in effects if isinstance(e, Ask)]
    assert request.ask == door.HostTable(
        "networdz", ("person", "computer:55"), (("hints", "on"),), "", ""
    )
    assert asks(model, door.Done(request.id)) == [door.StartMatch(3)]


@pytest.mark.parametrize("opens", ["open", "copy"])
def test_who_has_played_with_hints_alone_can_open_a_table_for_others(
    opens: str,
) -> None:
    model = fed(base(), status(), Click("play"))
    assert ("hints", "on") in model.setup.draft.options
    model = fed(model, status(table=table()), status())
    asked = asks(model, Click(opens))
    if opens == "copy":
        asked = asks(fed(model, Click("copy")), door.Done(model.next_id, "netplay:"))
        assert asked.pop(0) == door.InviteTo(asked[0])
    (hosted,) = asked
    assert hosted.seats == ("person", "remote")
    assert hosted.options == ()


@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_can_be_chosen_and_hosted_with_a_number_of_seats_it_has(
    game: str,
) -> None:
    model = fed(base(), status(), Click(f"game:{list(GAMES).index(game)}"))
    (hosted,) = asks(model, Click("play"))
    assert hosted.game == game
    assert len(hosted.seats) in GAMES[game].ABOUT.seats
    (shown,) = asks(model, Click("demo"))
    assert set(shown.seats) == {"computer:55"}
    assert len(shown.seats) in GAMES[game].ABOUT.seats


def test_skill_and_number_of_rivals_go_into_the_terms() -> None:
    model = fed(base(), status(), Click("rivals:3"), Slide("skill", 0.8))
    (hosted,) = asks(model, Click("play"))
    assert hosted.seats == ("person", "computer:80", "computer:80", "computer:80")


@pytest.mark.parametrize(("clicked", "words"), [("game:0", "ours"), ("game:1", "")])
def test_words_stay_chosen_until_another_game_is(clicked: str, words: str) -> None:
    model = fed(base(), status())
    draft = replace(model.setup.draft, words="ours")
    model = replace(model, setup=replace(model.setup, draft=draft))
    (hosted,) = asks(model, Click(clicked), Click("play"))
    assert hosted.words == words


def test_a_table_nearby_is_joined_by_its_row() -> None:
    model = fed(base(), status(nearby=NEAR))
    assert asks(model, Click("join.near")) == []
    assert asks(model, Click("near:KEY-Dora"), Click("join.near")) == [
        door.Join("netplay:10.0.0.3:7777#Dora")
    ]
    assert asks(model, Click("near:KEY-Bert"), Click("near:KEY-Bert", count=2)) == [
        door.Join("netplay:10.0.0.2:7777#Bert")
    ]


def test_who_has_several_tables_nearby_stands_there_once() -> None:
    second = replace(NEAR[0], game="numlo", free=0)
    model = fed(base(), status(nearby=(NEAR[0], NEAR[1], second)))
    root = screen.scene(model)
    assert len([n for n in walk(root) if "Bert" in n.text]) == 1
    one, other = find(root, "near:KEY-Bert"), find(root, "near:KEY-Bert.2")
    dora = find(root, "near:KEY-Dora")
    assert one
    assert other
    assert dora
    assert one.rect.y < other.rect.y < dora.rect.y
    assert one.rect.x < other.rect.x
    assert (one.value, other.value) == ("Bert · Networdz", "Bert · Numlo")
    assert asks(model, Click("near:KEY-Bert.2"), Click("join.near")) == [
        WatchAt("netplay:10.0.0.2:7777#Bert")
    ]


def test_escape_goes_from_a_table_to_the_games_as_from_a_match() -> None:
    model = fed(base(), status(table=table(), games=(game(1, "numlo"),)))
    assert model.page is Page.TABLE
    assert asks(model, Key("escape")) == [door.LookAt(0)]
    # What is open in it is closed first.
    assert asks(fed(model, Key("f1")), Key("escape")) == []


def test_ones_own_matches_are_not_told_of_once_more_as_found_nearby() -> None:
    mine = game(1, "numlo", keys=("KEY-Emil",), host=0)
    other = near("10.0.0.4:7777", "Emil", "numlo", 0)  # plays with somebody else, too
    for games, emils in (((), 2), ((mine,), 1), ((mine, replace(mine, table=2)), 0)):
        model = fed(base(), status(nearby=(PLAYED, NEAR[1], other), games=games))
        every = ("near:KEY-Emil", "near:KEY-Dora", "near:KEY-Emil.2")
        rows = [name for name in every if find(screen.scene(model), name)]
        assert len(rows) == emils + 1
        assert "near:KEY-Dora" in rows
        assert asks(model, Click("near:KEY-Dora"), Click("join.near")) == [
            door.Join("netplay:10.0.0.3:7777#Dora")
        ]
    seen = fed(model, status(nearby=(PLAYED,), games=(replace(mine, mode="watching"),)))
    assert find(screen.scene(seen), "near:KEY-Emil")


@pytest.mark.parametrize("host", [-1, 1])
def test_a_friends_own_match_is_told_of_beside_one_that_others_host(host: int) -> None:
    mine = game(1, "numlo", keys=("KEY-Emil", "KEY-Dora"), host=host)
    model = fed(base(), status(nearby=(PLAYED,), games=(mine,)))
    assert find(screen.scene(model), "near:KEY-Emil")


def test_an_address_is_joined_and_remembered_with_its_comment() -> None:
    model = fed(base(), status(), Focus("field.address"), Text("example.org:7 friend"))
    assert asks(model, Key("enter")) == [door.Join("example.org:7")]
    after = fed(model, Key("enter"))
    assert after.settings.recent == ("example.org:7 friend",)
    last = next(number for number, what in after.asked.items() if what == "join")
    there = fed(after, door.Done(last), status(table=table(hosting=False)), status())
    assert edit_of(there, "field.address").text == "", "it has done what it was for"
    again = fed(
        after, Focus(""), Click("connection"), Click("recent"), Click("recent:0")
    )
    assert again.over is Over.NONE
    assert again.edits["field.address"].text == "example.org:7"


def test_answer_waits_and_stops_waiting() -> None:
    model = fed(base(), status())
    assert asks(model, Click("answer")) == [door.Answer(True, asks=True)]
    waiting = fed(model, status(mode="answering"))
    assert asks(waiting, Click("answer")) == [door.Answer(False)]


def test_an_invitation_that_was_opened_is_shown_and_called_only_on_enter() -> None:
    line = "netplay:192.168.0.12:4770#ABCD-EFGH-IJKL-MNOP-QRST"
    model = fed(start.invited(base(), line), status(), Linked())
    assert edit_of(model, "field.address").text == line
    assert model.focus == "join.address"  # whose button Enter presses
    assert asks(model, Click(model.focus)) == [door.Join(line, -1)]


def test_own_addresses_are_shown() -> None:
    model = fed(base(), status(addresses=("10.1.2.3", "fd00::2"), port=99))
    assert "10.1.2.3" not in texts(screen.scene(model)), "people, not addresses"
    there = fed(model, Click("connection"))
    assert "10.1.2.3:99, [fd00::2]:99" in texts(screen.scene(there))


@pytest.mark.parametrize("now", [status(), status(table=table())])
def test_the_nodes_invitation_is_copied(now: door.Status) -> None:
    model = fed(base(), now)
    assert asks(model, Click("copy")) == [GetInvitation()]
    model = fed(model, Click("copy"))
    answer = door.Done(model.next_id - 1, "netplay:10.1.2.3:99#ABCD")
    model, effects = update(model, answer)
    said = "Play with me: open Netplay and paste this line."
    assert Copy(f"{said} netplay:10.1.2.3:99#ABCD") in effects
    assert "10.1.2.3" not in texts(screen.scene(model))


WAITS = near("10.0.0.9:7777", "Nora", "", 0)


def test_who_waits_nearby_is_shown_and_is_called_from_a_table() -> None:
    model = fed(base(), status(nearby=(*NEAR, WAITS)), Click("near:KEY-Nora"))
    assert asks(model, Click("join.near")) == []
    model = fed(model, Click("open"), status(nearby=(WAITS,), table=table()))
    model = fed(model, Click("recent1"))
    shown = texts(screen.scene(model))
    assert "Nora" in shown
    assert "10.0.0.9" not in shown
    assert asks(fed(model, Click("recent1:0")), Click("call1"))[-1:] == [
        door.Call("netplay:10.0.0.9:7777#Nora", 1)
    ]


def test_the_page_of_the_connection_lists_the_nodes_known_and_forgets_one() -> None:
    model = fed(base(), status(), Linked())
    assert asks(model, Click("preferences"), Click("connection")) == [GetKnown()]
    model = fed(model, Click("connection"))
    known = (KnownNode("Nora", "ABCD-EFGH", ("10.0.0.9:7777",), ()),)
    model = fed(model, door.Done(model.next_id - 1, data=wire.pack(known)))
    model = fed(model, Scroll("connection.list", 400), Click("set.forget"))
    asked = fed(model, Click("set.forget:0"))
    assert asks(model, Click("set.forget:0")) == []
    for no in (Click("person.sure.no"), Key("escape")):
        back = fed(asked, no)
        assert (back.over, back.known) == (model.over, known)
    assert asks(asked, Click("person.sure.yes")) == [Forget("ABCD-EFGH")]
    forgotten = fed(asked, Click("person.sure.yes"))
    assert (forgotten.over, forgotten.known) == (model.over, ())


def test_the_page_of_the_connection_says_whether_others_reach_this_computer() -> None:
    known = Network(mapping="refused", reach="no", reached="far")
    there = fed(base(), Click("connection"))
    shown = texts(screen.scene(fed(there, status(network=known))))
    assert "refused\nfar" in shown
    unknown = Network(reach="unknown", reached="UNKNOWN")
    assert "UNKNOWN" not in texts(screen.scene(fed(there, status(network=unknown))))


def test_beacon_and_port_mapping_are_switched_on_their_page() -> None:
    network = Network(beacon=True)
    model = fed(base(), status(network=network), Linked(), Click("connection"))
    assert asks(model, Click("set.beacon")) == [Switch("beacon", on=False)]
    assert asks(model, Click("set.map")) == [Switch("map-port", on=True)]
    assert asks(model, Click("set.pass")) == [Switch("pass-on", on=False)]
    off = fed(model, replace(status(network=network), passes_on=False))
    assert asks(off, Click("set.pass")) == [Switch("pass-on", on=True)]


def test_whether_the_router_may_be_asked_is_asked_when_others_may_come() -> None:
    wanted = Network(may_ask=True)
    model = fed(base(), status(), Linked())
    assert model.over is Over.NONE
    model = fed(model, status(network=wanted, table=table()))
    assert asks(model, Click("router.yes")) == [Switch("map-port", on=True)]
    assert asks(model, Click("router.no")) == [Switch("map-port", on=False)]
    for how in (Click("router.yes"), Click("router.no"), Key("escape")):
        after = fed(model, how, status(network=wanted, table=table()))
        assert after.over is Over.NONE


def test_whether_servers_may_be_asked_is_asked_after_the_router_and_names_them() -> (
    None
):
    servers = ("stun.example.org:443", "stun.example.net:3478")
    both = Network(may_ask=True, may_ask_servers=True, servers=servers)
    model = fed(base(), status(network=both, table=table()), Linked())
    assert model.over is Over.ROUTER
    only = status(network=Network(may_ask_servers=True, servers=servers), table=table())
    model = fed(model, Click("router.yes"), only)
    shown = texts(screen.scene(model))
    for server in servers:
        assert server in shown
    assert asks(model, Click("servers.yes")) == [Switch("ask-servers", on=True)]
    assert asks(model, Click("servers.no")) == [Switch("ask-servers", on=False)]
    for how in (Click("servers.yes"), Click("servers.no"), Key("escape")):
        assert fed(model, how, only).over is Over.NONE


def test_who_refuses_one_way_over_the_internet_is_asked_for_no_other() -> None:
    ways = Network(may_ask=True, may_ask_servers=True, may_ask_dht=True)
    open_ = status(network=ways, table=table())
    for how in (Click("router.no"), Key("escape")):
        model = fed(base(), open_, Linked(), how, open_)
        assert model.over is Over.NONE
        assert fed(model, status(network=ways, mode="calling")).over is Over.NONE
    agreed = fed(base(), open_, Linked(), Click("router.yes"), open_)
    assert agreed.over is Over.SERVERS


def test_the_dht_is_used_after_a_question_that_says_what_strangers_see() -> None:
    nodes = ("dht.example.org:25401", "dht.example.net:6881")
    off, on = (status(network=Network(dht=yes, dht_nodes=nodes)) for yes in (0, 1))
    model = fed(base(), off, Linked(), Click("connection"))
    model = fed(model, Scroll("connection.list", 200), Click("set.dht"))
    shown = texts(screen.scene(model))
    for node in nodes:
        assert node in shown
    assert asks(model, Click("dht.yes")) == [Switch("dht", on=True)]
    for how in (Click("dht.yes"), Click("dht.no"), Key("escape")):
        assert fed(model, how).over is Over.CONNECTION
    model = fed(base(), on, Linked(), Click("connection"))
    model = fed(model, Scroll("connection.list", 200))
    assert asks(model, Click("set.dht")) == [Switch("dht", on=False)]


def test_the_dht_is_asked_about_where_it_would_help_to_meet() -> None:
    nodes = ("dht.example.org:25401",)
    may = Network(may_ask_dht=True, dht_nodes=nodes)
    for waits in (
        status(network=may, mode="calling"),
        status(network=may, table=table()),
    ):
        model = fed(base(), waits, Linked())
        assert model.over is Over.MEET
        shown = texts(screen.scene(model))
        assert nodes[0] in shown
        assert asks(model, Click("meet.yes")) == [Switch("dht", on=True)]
        assert asks(model, Click("meet.no")) == [Switch("dht", on=False)]
        for how in (Click("meet.yes"), Click("meet.no"), Key("escape")):
            assert fed(model, how, waits).over is Over.NONE, "not again"
        assert fed(model, status(network=may)).over is Over.NONE, "nobody is called"
    assert fed(base(), status(network=may), Linked()).over is Over.NONE
    first = Network(may_ask=True, may_ask_dht=True, dht_nodes=nodes)
    assert fed(base(), status(network=first, table=table())).over is Over.ROUTER


def test_the_nodes_by_which_the_dht_is_entered_can_be_changed() -> None:
    network = Network(dht_nodes=("dht.example.org:25401",))
    model = fed(base(), status(network=network), Linked(), Click("connection"))
    model = fed(model, Focus("field.entries"), Text("127.0.0.1:4001"))
    assert asks(model, Key("enter")) == [NameEntries("127.0.0.1:4001")]


def test_a_match_that_begins_puts_the_question_about_the_router_off() -> None:
    may = Network(may_ask=True)
    model = fed(base(), status(network=may, table=table()))
    assert model.over is Over.ROUTER
    begun = table(match=b"m", phase="playing")
    model = fed(model, status(network=may, table=begun))
    assert model.page is Page.MATCH
    assert model.over is Over.NONE
    assert fed(model, status(network=may)).over is Over.NONE, "nobody may come"
    waits = status(network=may, mode="answering")
    assert fed(model, waits).over is Over.ROUTER, "asked afterwards"


def test_who_sits_at_the_table_of_another_is_not_asked_about_the_own_router() -> None:
    may = Network(may_ask=True, may_ask_servers=True)
    guest = table(hosting=False, seats=(seat("Anna"), seat("Bert", "remote")))
    assert fed(base(), status(network=may, table=guest)).over is Over.NONE
    come = table(seats=(seat("Anna"), seat("Bert", "remote", state="connected")))
    assert fed(base(), status(network=may, table=come)).over is Over.NONE, (
        "all are here"
    )
    assert fed(base(), status(network=may)).over is Over.NONE
    hosted = game(1, "numlo", mode="hosting", phase="forming", match=b"", turn=())
    assert fed(base(), status(network=may, games=(hosted,))).over is Over.ROUTER
    full = replace(hosted, mine=True)
    assert fed(base(), status(network=may, games=(full,))).over is Over.NONE, (
        "it waits for the player here alone"
    )


def test_the_rules_that_were_looked_at_are_not_in_the_way_at_the_next_table() -> None:
    here = fed(base(), status(table=replace(table(), number=1)), Click("rules"))
    assert find(screen.scene(here), "seats") is None
    same = fed(here, status(table=replace(table(), number=1)))
    assert find(screen.scene(same), "seats") is None
    there = fed(same, status(table=replace(table(), number=2)))
    assert find(screen.scene(there), "seats") is not None


def test_a_question_about_the_router_waits_for_what_lies_over_the_page() -> None:
    wanted = status(network=Network(may_ask=True), table=table())
    model = fed(base(), status(), Linked(), Click("preferences"), wanted)
    assert model.over is Over.PREFERENCES
    assert fed(model, Key("escape"), wanted).over is Over.ROUTER


def test_friends_programs_are_asked_whether_they_reach_this_computer() -> None:
    model = fed(base(), status(), Linked(), Click("connection"))
    assert asks(model, Click("set.reach")) == [CheckReach()]
    model = fed(model, Click("set.reach"))
    answer = Says.REACHED(name="Nora", kind="IPv6")
    model = fed(model, door.Done(model.next_id - 1, answer))
    assert model.notice is not None
    assert model.notice.text == str(Says.REACHED(name="Nora", kind="IPv6"))


def test_offensive_words_of_computers_are_switched_in_the_preferences() -> None:
    model = fed(base(), status(), Linked(), Click("preferences"))
    model = fed(model, Scroll("settings", 200))
    assert asks(model, Click("set.mild")) == [Switch("offensive-words", on=True)]
    model = fed(model, status(offensive=True))
    assert asks(model, Click("set.mild")) == [Switch("offensive-words", on=False)]


@pytest.mark.parametrize("pace", ["none", "short", "normal"])
def test_one_preference_sets_how_fast_computers_move(pace: str) -> None:
    at = ["none", "short", "normal"].index(pace)
    model = fed(base(), status(paced=pace != "normal"), Linked(), Click("preferences"))
    model = fed(model, Scroll("settings", 200), Click("set.pace"))
    chosen = Click(f"set.pace:{at}")
    assert asks(model, chosen) == [Switch("pace", on=pace == "normal")]
    model = fed(model, chosen, status(paced=pace == "normal"))
    assert model.settings.pause == pace


def test_the_pace_is_kept_while_there_is_no_node() -> None:
    alone = replace(base(), linked=False)
    model = fed(alone, Click("preferences"), Scroll("settings", 200))
    model = fed(model, Click("set.pace"))
    assert asks(model, Click("set.pace:0")) == []
    assert fed(model, Click("set.pace:0")).settings.pause == "none"


def test_what_is_damaged_stands_on_the_start_page() -> None:
    fault = "the secrets of a game are gone"
    model = fed(base(), status(saved=SAVED, faults=(fault,)))
    assert any(fault in text for text in texts(screen.scene(model)).splitlines())
    told = fed(model, Click("fault:0"))
    assert told.fault is not None
    assert told.fault.bad
    assert told.fault.text == fault
    assert asks(model, Click("saved:q")) == [door.Load("q")]


def test_a_saved_game_is_gone_on_with() -> None:
    model = fed(base(), status(saved=SAVED))
    assert asks(model, Click("saved:q")) == [door.Load("q")]
    beside = fed(model, status(saved=SAVED, games=(game(1, "numlo"),)))
    row = find(screen.scene(beside), "saved:q")
    assert row is not None
    assert row.rect.h <= 2 * beside.look.row, "no gap, it has no picture"


def test_a_failure_is_told_in_its_own_words_with_a_sound() -> None:
    model = fed(base(), status())
    model, _effects = update(model, Click("play"))
    number = model.next_id - 1
    model, effects = update(model, door.Failed(number, 26, "SILENT"))
    assert Play(Sound.REFUSED) in effects
    assert "SILENT" in texts(screen.scene(model))
    later = fed(model, Tick(3600.0))
    assert "SILENT" in texts(screen.scene(later))  # until mended or dismissed
    assert "SILENT" not in texts(screen.scene(fed(later, Click("fault.close"))))


def test_the_table_page_sends_every_change_of_the_terms() -> None:
    model = fed(base(), status(table=table()))
    model = fed(model, Click("kind2"))
    (change,) = asks(model, Click("kind2:2"))
    assert change.table.seats == ("person", "remote", "computer:55")
    hinted, effects = update(fed(model, Key("escape")), Click("option.hints"))
    (request,) = [e.request for e in effects if isinstance(e, Ask)]
    assert request.ask.table.options == (("hints", "on"),)
    (change,) = asks(fed(hinted, Click("option.timed")), Click("option.timed:5"))
    assert ("timed", "5") in change.table.options
    (change,) = asks(fed(hinted, Click("edition")), Click("edition:0"))
    assert change.table.edition


def test_a_remote_seat_is_called_at_its_address() -> None:
    model = fed(base(), status(table=table()))
    model = fed(model, Focus("field.seat1"), Text("10.0.0.9:5 Bert"))
    questions = asks(model, Click("call1"))
    assert questions[-1] == door.Call("10.0.0.9:5", 1)
    assert questions[0].table.seats[1] == "remote:10.0.0.9:5 Bert"


def test_a_friend_is_called_by_all_words_of_the_name() -> None:
    model = fed(base(), status(table=table()))
    model = fed(model, Focus("field.seat1"), Text("Aunt Anna"))
    questions = asks(model, Click("call1"))
    assert questions[-1] == door.Call("Aunt Anna", 1)
    assert questions[0].table.seats[1] == "remote:Aunt Anna"


def test_the_table_starts_only_when_nobody_is_awaited() -> None:
    waiting = screen.scene(fed(base(), status(table=table())))
    start = find(waiting, "start")
    assert start is not None
    assert not start.enabled
    ready = fed(base(), status(table=table(waiting="")))
    start = find(screen.scene(ready), "start")
    assert start is not None
    assert start.enabled
    assert asks(ready, Click("start")) == [door.StartMatch(3)]


def test_a_guest_sees_the_terms_and_accepts_them() -> None:
    seats = (seat("Anna", "remote"), seat("Bert", accepted=False))
    terms = table(hosting=False, waiting="", revision=4, seats=seats)
    model = fed(base(), status(table=terms))
    assert asks(model, Click("accept")) == [door.Consent(True, 4)]
    assert asks(model, Click("option.hints")) == []


def test_another_game_is_named_as_everywhere_and_told_once() -> None:
    model = dict(pages(base()))["rules changed"]
    assert model.table is not None
    other = replace(model.table, changes=(("game", "numlo", "hexcolumns"),))
    told = door.Notice("warning", Says.CHANGED_RULES(name="Bert"), 0)
    model = fed(model, status(table=other), told, told, told)
    assert [line for line in model.chat.lines if line == told] == [told]
    assert model.fault is None, "it would stand in the match that begins"
    line = door.Line("Bert", "hm", 0)
    assert fed(model, line, line, told).chat.lines[-4:] == (told, line, line, told)


def test_a_host_chooses_how_tiles_are_drawn() -> None:
    model = fed(base(), status(), Click("open"), Click("kind1"), Click("kind1:3"))
    model = fed(model, Click("rules"))
    assert not model.setup.draft.fairness
    model = fed(model, Click("fairness"), Click("fairness:1"))
    assert model.setup.draft.terms.fairness == "committed"
    model = fed(model, Click("fairness"))
    assert find(screen.scene(model), "fairness:0") is not None
    model = fed(model, Click("fairness:0"))
    assert model.setup.draft.fairness == "encrypted"
    assert model.setup.draft.terms.fairness == "encrypted"
    numlo = replace(model.setup.draft, game="numlo")
    assert not numlo.terms.fairness


def test_how_tiles_are_drawn_is_chosen_against_what_the_node_has_made_of_it() -> None:
    friends = status(table=table(fairness="encrypted", tiled=True))
    model = fed(base(), status(), Click("open"), friends, Click("rules"))
    model = fed(model, Click("fairness"), Click("fairness:1"))
    assert model.setup.draft.terms.fairness == "committed"


def test_who_may_watch_stays_chosen_when_the_game_changes() -> None:
    model = fed(base(), status(), Click("open"), status(table=table()))
    model = fed(model, Click("bystanders"), Click("bystanders:1"))
    assert model.setup.draft.bystanders == "anybody"
    other = fed(model, Click("game"), Click("game:2"))
    assert other.setup.draft.game != model.setup.draft.game
    assert other.setup.draft.bystanders == "anybody"


@pytest.mark.parametrize(
    ("tiles", "words", "told"),
    [
        ("networdz", "english", "English words, no clock"),
        ("standard", "english", "English words, no clock"),
        ("russian", "russian", "Russian words, no clock"),
        (
            "russian",
            "4fae5cc1",
            "A list of words that has no name here, tiles: Russian",
        ),
        ("networdz", "Beer", "Words of Beer, tiles: English, no clock"),
        ("Skat", "german", "German words, tiles: Skat, no clock"),
    ],
)
def test_tiles_that_the_words_do_not_tell_are_told(
    tiles: str, words: str, told: str
) -> None:
    terms = status(table=table(edition=tiles, lexicon=words))
    model = replace(fed(base((1280, 800)), terms), page=Page.TABLE)
    found = find(screen.scene(model), "rules.told")
    assert found is not None
    assert found.text.startswith(told)


@pytest.mark.parametrize("size", [(640, 760), (1280, 800)])
def test_the_card_with_the_rules_shows_the_board_above_or_beside_them(
    size: tuple[int, int],
) -> None:
    model = replace(fed(base(size), status(table=table())), page=Page.TABLE)
    card = find(screen.scene(model), "game.card")
    assert card is not None
    (face,) = (n.rect for n in walk(card) if n.rect.w == n.rect.h > 140)
    words = find(card, "rules.told")
    assert words is not None
    assert card.rect.holds(face)
    assert not face.meets(words.rect)
    assert words.content <= words.rect.h, "all of it is read"


@pytest.mark.parametrize("waiting", ["Bert", ""])
def test_a_rematch_that_begins_while_its_rules_are_changed_closes_them_and_says_so(
    waiting: str,
) -> None:
    seats = (seat("Anna"), seat("Bert", "remote", state="connected"))
    there = table("numlo", seats=seats, hosting=True, waiting=waiting)
    model = fed(base(), status(table=there), Click("rules"), Click("option.size"))
    assert model.open == "option.size"
    going = in_match(base(), "numlo", 2, 0)
    assert going.table is not None is not going.match
    state = going.match.state
    begun = fed(
        model,
        status(table=replace(going.table, hosting=True, seats=seats)),
        pushed("numlo", state, (), 0),
    )
    assert (begun.notice is not None) == bool(waiting), "nobody here has started it"
    free = f"cell:{next(iter(numlo.moves(state, 0))).square}"
    assert [type(each) for each in asks(begun, Click(free))] == [door.Play]
    again = fed(begun, status(table=there))
    assert find(screen.scene(again), "option.size") is None

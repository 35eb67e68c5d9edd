"""The window's reducer: what the node tells and the user does, step by step."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.intents import Button, Click, Drop, Focus, Key, Scroll, Slide, Text
from client.model import Ask, Copy, Flash, Model, Over, Page, Play, seen
from client.pages import whole
from client.scene import find, walk
from client.sound import Sound
from client.update import Cut, Linked, Tick, update
from netplay import wire
from netplay.errors import Code
from netplay.messages import door
from rules import GAMES, networdz
from rules.game import Resign
from tests.client.worlds import (
    NEAR,
    SAVED,
    at_match,
    base,
    fed,
    playing,
    seat,
    status,
    table,
    texts,
    view,
)
from tests.client.worlds import networdz as played


def asks(model: Model, *events: Any) -> list[Any]:
    """Return what the events make the window ask of the node."""
    found: list[Any] = []
    for event in events:
        model, effects = update(model, event)
        found += [e.request.ask for e in effects if isinstance(e, Ask)]
    return found


def test_a_first_start_asks_for_a_name_only() -> None:
    model = fed(base(), status(name=""))
    assert model.over is Over.NAME
    assert fed(model, Key("escape")).over is Over.NAME
    named = fed(model, Focus("field.name"), Text("Anna"))
    assert asks(named, Key("enter")) == [door.SetName("Anna")]


def test_play_hosts_a_table_and_starts_it_once_it_is_open() -> None:
    model = fed(base(), status())
    model, effects = update(model, Click("play"))
    (request,) = [e.request for e in effects if isinstance(e, Ask)]
    assert request.ask == door.HostTable(
        "networdz", ("person", "computer:50"), (), "", ""
    )
    assert asks(model, door.Done(request.id)) == [door.StartMatch()]


@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_can_be_chosen_and_hosted_with_a_number_of_seats_it_has(
    game: str,
) -> None:
    model = fed(base(), status(), Click(f"game:{list(GAMES).index(game)}"))
    (hosted,) = asks(model, Click("play"))
    assert hosted.game == game
    assert len(hosted.seats) in GAMES[game].ABOUT.seats
    (shown,) = asks(model, Click("demo"))
    assert set(shown.seats) == {"computer:50"}
    assert len(shown.seats) in GAMES[game].ABOUT.seats


def test_skill_and_number_of_rivals_go_into_the_terms() -> None:
    model = fed(base(), status(), Click("rivals:3"), Slide("skill", 0.8))
    (hosted,) = asks(model, Click("play"))
    assert hosted.seats == ("person", "computer:80", "computer:80", "computer:80")


def test_a_table_nearby_is_joined_by_its_row() -> None:
    model = fed(base(), status(nearby=NEAR))
    assert asks(model, Click("join.near")) == []
    assert asks(model, Click("near:1"), Click("join.near")) == [
        door.Join("10.0.0.3:7777")
    ]
    assert asks(model, Click("near:0"), Click("near:0", count=2)) == [
        door.Join("10.0.0.2:7777")
    ]


def test_an_address_is_joined_and_remembered_with_its_comment() -> None:
    model = fed(
        base(), status(), Focus("field.address"), Text("example.org:7 my friend")
    )
    assert asks(model, Key("enter")) == [door.Join("example.org:7")]
    after = fed(model, Key("enter"))
    assert after.settings.recent == ("example.org:7 my friend",)
    again = fed(after, Focus(""), Click("recent"), Click("recent:0"))
    assert again.edits["field.address"].text == "example.org:7"


def test_answer_waits_and_stops_waiting() -> None:
    model = fed(base(), status())
    assert asks(model, Click("answer")) == [door.Answer(True)]
    waiting = fed(model, status(mode="answering"))
    assert "Waiting for Connection" in texts(whole.scene(waiting))
    assert asks(waiting, Click("answer")) == [door.Answer(False)]


def test_own_addresses_are_shown() -> None:
    model = fed(base(), status(addresses=("10.1.2.3", "fd00::2"), port=99))
    assert "10.1.2.3:99, [fd00::2]:99" in texts(whole.scene(model))


@pytest.mark.parametrize("now", [status(), status(table=table())])
def test_the_nodes_invitation_is_copied(now: door.Status) -> None:
    model = fed(base(), now)
    assert asks(model, Click("copy")) == [door.Tool("invitation", ())]
    model = fed(model, Click("copy"))
    answer = door.Done(model.next_id - 1, "netplay:10.1.2.3:99#ABCD")
    model, effects = update(model, answer)
    assert effects == (Copy("netplay:10.1.2.3:99#ABCD"),)
    assert "Copied: netplay:10.1.2.3:99#ABCD" in texts(whole.scene(model))


WAITS = ("10.0.0.9:7777", "Nora", "", 0, "0.1.0")


def test_who_waits_nearby_is_shown_and_is_called_from_a_table() -> None:
    model = fed(base(), status(nearby=(*NEAR, WAITS)), Click("near:2"))
    assert "Nora · waits to be called" in texts(whole.scene(model))
    assert asks(model, Click("join.near")) == []
    told = fed(model, Click("near:2", count=2))
    assert "Open a table, then call them" in texts(whole.scene(told))
    model = fed(model, Click("open"), status(nearby=(WAITS,), table=table()))
    model = fed(model, Click("recent1"))
    assert "10.0.0.9:7777 Nora" in texts(whole.scene(model))
    assert asks(fed(model, Click("recent1:0")), Click("call1"))[-1:] == [
        door.Call("10.0.0.9:7777", 1)
    ]


def test_the_preferences_list_the_nodes_known_and_forget_one() -> None:
    model = fed(base(), status(), Linked())
    assert asks(model, Click("preferences")) == [door.Tool("peers", ())]
    model = fed(model, Click("preferences"))
    known = (door.KnownNode("Nora", "ABCD-EFGH", ("10.0.0.9:7777",), ()),)
    model = fed(model, door.Done(model.next_id - 1, data=wire.pack(known)))
    model = fed(model, Click("set.forget"))
    assert "Nora ABCD-EFGH" in texts(whole.scene(model))
    assert asks(model, Click("set.forget:0")) == [door.Tool("forget", ("ABCD-EFGH",))]
    assert fed(model, Click("set.forget:0")).known == ()


def test_the_start_page_says_whether_others_reach_this_computer() -> None:
    known = door.Network(mapping="the router refused: no", reach="no", reached="far")
    shown = texts(whole.scene(fed(base(), status(network=known))))
    assert "the router refused: no\nfar" in shown
    unknown = door.Network(reach="unknown", reached="not known")
    assert "not known" not in texts(whole.scene(fed(base(), status(network=unknown))))


def test_beacon_and_port_mapping_are_switched_in_the_preferences() -> None:
    network = door.Network(beacon=True)
    model = fed(base(), status(network=network), Linked(), Click("preferences"))
    assert asks(model, Click("set.beacon")) == [door.Tool("beacon", ("off",))]
    assert asks(model, Click("set.map")) == [door.Tool("map-port", ("on",))]


def test_a_saved_game_is_gone_on_with() -> None:
    model = fed(base(), status(saved=SAVED))
    assert asks(model, Click("saved:1")) == [door.Load("q")]


def test_a_failure_is_told_in_its_own_words_with_a_sound() -> None:
    model = fed(base(), status())
    model, _effects = update(model, Click("play"))
    number = model.next_id - 1
    model, effects = update(model, door.Failed(number, 26, "no answer: is it on?"))
    assert Play(Sound.REFUSED) in effects
    assert "no answer: is it on?" in texts(whole.scene(model))
    assert "no answer" not in texts(whole.scene(fed(model, Tick(60.0))))


def test_the_table_page_sends_every_change_of_the_terms() -> None:
    model = fed(base(), status(table=table()))
    model = fed(model, Click("kind2"))
    (change,) = asks(model, Click("kind2:2"))
    assert change.table.seats == ("person:Anna", "remote", "computer:50")
    hinted, effects = update(fed(model, Key("escape")), Click("option.hints"))
    (request,) = [e.request for e in effects if isinstance(e, Ask)]
    assert request.ask.table.options == (("hints", "on"),)
    (change,) = asks(fed(hinted, Click("option.timed")), Click("option.timed:5"))
    assert ("timed", "5") in change.table.options
    (change,) = asks(fed(hinted, Click("edition")), Click("edition:0"))
    assert change.table.edition


def test_a_remote_seat_is_called_at_its_address() -> None:
    model = fed(base(), status(table=table()))
    model = fed(model, Focus("field.seat1"), Text("10.0.0.9:5 Bert at home"))
    questions = asks(model, Click("call1"))
    assert questions[-1] == door.Call("10.0.0.9:5", 1)
    assert questions[0].table.seats[1] == "remote:10.0.0.9:5 Bert at home"


def test_the_table_starts_only_when_nobody_is_awaited() -> None:
    waiting = whole.scene(fed(base(), status(table=table())))
    start = find(waiting, "start")
    assert start is not None
    assert not start.enabled
    ready = fed(base(), status(table=table(waiting="")))
    start = find(whole.scene(ready), "start")
    assert start is not None
    assert start.enabled
    assert asks(ready, Click("start")) == [door.StartMatch()]


def test_a_guest_sees_the_terms_and_accepts_them() -> None:
    seats = (seat("Anna", "remote"), seat("Bert", accepted=False))
    terms = table(hosting=False, waiting="", revision=4, seats=seats)
    model = fed(base(), status(table=terms))
    assert asks(model, Click("accept")) == [door.Consent(True, 4)]
    assert asks(model, Click("option.hints")) == []


def test_a_match_begins_with_a_view_of_ones_own_seat() -> None:
    state, past = played(2, 4)
    started, effects = update(base(), status(table=playing(state, 2)))
    watch = [e.request.ask for e in effects if isinstance(e, Ask)]
    assert watch == [door.Watch(0)]
    assert started.page is Page.MATCH
    shown = fed(started, view(state, past, 0))
    assert shown.match is not None
    assert shown.match.state == networdz.view(state, 0)


def test_the_history_is_folded_with_the_rules_to_the_view_that_came() -> None:
    state, past = played(2, 8)
    model = at_match(base())
    assert model.match is not None
    assert len(model.match.past) == len(past)
    for step, (before, actor, _move) in zip(model.match.past, past, strict=True):
        assert step.before == networdz.view(before, 0)
        assert step.actor == actor
    last = model.match.past[-1]
    folded = networdz.play(last.before, last.actor, last.move)
    assert folded == networdz.view(state, 0)


def test_looking_back_shows_an_earlier_board_and_leaves_the_game_alone() -> None:
    model = fed(at_match(base()), Click("side:1"))
    first = next(
        n.name for n in whole_nodes(model) if n.name.startswith("move:")
    )  # fmt: skip
    back = fed(model, Click(first))
    assert back.match is not None
    assert model.match is not None
    now = seen(back, back.match)
    assert not now.live
    assert now.view != model.match.state
    assert fed(back, Key("page down")).match is not None
    live = fed(back, Click("back.live"))
    assert live.match == model.match
    assert fed(back, Key("escape")).match == model.match
    again = fed(model, Key("page up"), Key("page up"))
    assert again.match is not None
    assert again.match.back >= 0


def whole_nodes(model: Model) -> Any:
    return walk(whole.scene(model))


def lay_events(model: Model) -> tuple[Any, list[Any]]:
    """Return the first lay that the rules list, and the drops that make it."""
    assert model.match is not None
    own = model.match.state
    lay = next(m for m in networdz.moves(own, 0) if isinstance(m, networdz.Lay))
    return lay, [Drop(f"tile:{e.tile}", f"cell:{e.cell}") for e in lay.laid]


def test_a_move_goes_out_once_with_the_number_of_its_position() -> None:
    model = at_match(base())
    assert model.match is not None
    lay, drops = lay_events(model)
    model = fed(model, *drops)
    model, effects = update(model, Click("done"))
    (request,) = [e.request for e in effects if isinstance(e, Ask)]
    assert request.ask.number == model.match.number  # type: ignore[union-attr]  # it is
    assert wire.unpack(request.ask.move, GAMES["networdz"].ABOUT.move) == lay
    assert asks(model, Click("done"), Key("enter")) == []
    refused = fed(model, door.Failed(request.id, 24, "an earlier position"))
    assert refused.match is not None
    assert refused.match.local.laid
    assert seen(refused, refused.match).live


def test_a_turn_sounds_other_than_a_move_and_flashes() -> None:
    state, past = played(2, 7)
    away = playing(state, 2, turn=(1,))
    model = fed(base(), status(table=away), view(state, past, 0))
    later, moved = played(2, 8)
    _m, effects = update(model, status(table=playing(later, 2)))
    assert Play(Sound.TURN) in effects
    assert Flash() in effects
    _m, effects = update(model, view(later, moved, 0, len(past)))
    assert effects == (Play(Sound.MOVE),)


def test_the_windows_title_says_whose_turn_it_is() -> None:
    model = at_match(base())
    assert whole.title(model) == "Your turn – Networdz"
    state, _past = played(2, 8)
    other = fed(model, status(table=playing(state, 2, turn=(1,))))
    assert whole.title(other) == "Bert's turn – Networdz"


def two_persons() -> tuple[Model, Any, Any]:
    """Return the window at Anna's turn, with Bert at the same computer."""
    state, past = played(2, 8)
    both = playing(state, 2, persons=(0, 1), turn=(0,))
    model = fed(base(), status(table=both), view(state, past, 0), Key("space"))
    return model, state, past


def test_between_two_persons_the_curtain_hides_all_that_is_private() -> None:
    model, state, past = two_persons()
    assert model.match is not None
    assert not model.match.covered
    laid = fed(model, *lay_events(model)[1])
    moved, effects = update(
        laid, status(table=playing(state, 2, persons=(0, 1), turn=(1,)))
    )
    assert [e.request.ask for e in effects if isinstance(e, Ask)] == [door.Watch(1)]
    for shown in (moved, fed(moved, view(state, past, 1))):
        assert shown.match is not None
        assert shown.match.covered
        tree = whole.scene(shown)
        assert find(tree, "rack") is None
        assert find(tree, "board") is None
        assert find(tree, "curtain") is not None
        assert not any(n.name.startswith("tile:") for n in whole_nodes(shown))
    covered = fed(moved, view(state, past, 1))
    assert find(whole.scene(covered), "curtain.title") is not None
    assert asks(covered, Click("done"), Drop("tile:1", "cell:1"), Text("a")) == []
    open_ = fed(covered, Key("space"))
    assert open_.match is not None
    assert not open_.match.covered
    assert open_.match.seat == 1
    back = fed(
        open_, status(table=playing(state, 2, persons=(0, 1), turn=(0,))),
        view(state, past, 0), Key("space"),
    )  # fmt: skip
    assert back.match is not None
    assert back.match.local.order == laid.match.local.order  # type: ignore[union-attr]  # it is


def test_one_person_and_computers_need_no_curtain() -> None:
    model = at_match(base())
    assert model.match is not None
    assert not model.match.covered


def test_a_bystander_watches_seat_minus_one() -> None:
    state, _past = played(2, 8)
    shown = playing(state, 2, persons=())
    assert asks(base(), status(table=shown)) == [door.Watch(-1)]


def test_chat_counts_as_unread_while_the_moves_are_shown() -> None:
    model = fed(at_match(base()), Click("side:1"))
    model, effects = update(model, door.Line("chat", "Bert", "hi", 0))
    assert effects == (Play(Sound.CHAT),)
    assert model.chat.unread == 1
    assert "Chat (1)" in texts(whole.scene(model))
    assert fed(model, Click("side:0")).chat.unread == 0


def test_chat_is_sent_with_enter_and_scrolls_back_to_its_end() -> None:
    model = fed(at_match(base()), Scroll("chat", 0), Focus("field.chat"), Text("hello"))
    sent, effects = update(model, Key("enter"))
    assert [e.request.ask for e in effects if isinstance(e, Ask)] == [door.Say("hello")]
    assert "chat" not in sent.scrolls
    assert sent.edits["field.chat"].text == ""


def test_letters_typed_into_a_field_never_reach_the_board() -> None:
    model = fed(at_match(base()), Click("cell:17"), Focus("field.chat"), Text("aeiou"))
    assert model.match is not None
    assert model.match.local.laid == ()


def test_a_lost_door_is_told_and_the_seat_is_watched_again() -> None:
    model = at_match(base())
    cut = fed(model, Cut("the node has closed its door"))
    assert "closed its door" in texts(whole.scene(cut))
    assert cut.match is not None
    assert not seen(cut, cut.match).live
    state, past = played(2, 8)
    again = fed(cut, Linked())
    assert asks(again, status(table=playing(state, 2))) == [door.Watch(0)]
    back = fed(again, status(table=playing(state, 2)), view(state, past, 0))
    assert find(whole.scene(back), "curtain") is None
    assert find(whole.scene(back), "rack") is not None


def test_a_paused_game_says_whom_it_waits_for_and_tries_again() -> None:
    state, _past = played(4, 8)
    others = tuple(
        seat(name, "remote", state="away" if name == "Bert" else "connected")
        for name in ("Bert", "Charlie", "Dora")
    )
    seats = (seat("Anna"), *others)
    away = playing(state, 4, phase="paused", waiting="Bert", hosting=False, seats=seats)
    model = fed(at_match(base(), 4), status(table=away))
    text = texts(whole.scene(model))
    assert "waits for Bert" in text
    assert "not connected" in text
    assert asks(model, Click("retry")) == [door.Retry()]
    assert asks(model, Click("vote")) == [door.Tool("vote", ())]


@pytest.mark.parametrize(
    ("why", "then"),
    [
        (Code.FORK.text, "cannot go on"),
        ("Bert has left: the node was stopped", "can go on from where it is"),
    ],
)
def test_a_game_that_was_stopped_says_why_and_whether_it_can_go_on(
    why: str, then: str
) -> None:
    state, _past = played(2, 8)
    stopped = playing(state, 2, phase="stopped", waiting=why)
    text = texts(whole.scene(fed(at_match(base()), status(table=stopped))))
    assert why in text
    assert then in text
    assert "Waiting for" not in text


@pytest.mark.parametrize(
    ("since", "later", "shown"),
    [
        (0, 100, "not connected"),
        (5, 0, "away 5 s"),
        (50, 9, "away 59 s"),
        (50, 15, "away 1 min"),
        (7200, 3599, "away 2 h"),
    ],
)
def test_who_is_away_is_shown_with_the_time_that_goes_on(
    since: int, later: int, shown: str
) -> None:
    state, _past = played(2, 8)
    seats = (seat("Anna"), seat("Bert", "remote", state="away", since=since))
    paused = playing(state, 2, phase="paused", waiting="Bert", seats=seats)
    model = fed(at_match(base()), status(table=paused))
    assert shown in texts(whole.scene(fed(model, Tick(model.now + later))))


def test_a_clock_counts_down_between_the_nodes_words() -> None:
    state, _past = played(2, 8)
    seats = (seat("Anna", clock=90_000, ticking=True), seat("Bert", clock=60_000))
    model = fed(at_match(base()), status(table=playing(state, 2, seats=seats)))
    assert "1:30" in texts(whole.scene(model))
    later = texts(whole.scene(fed(model, Tick(model.now + 31))))
    assert "0:59" in later
    assert "1:00" in later


def test_a_clock_running_low_is_heard_once() -> None:
    state, _past = played(2, 8)

    def at(milliseconds: int) -> door.Status:
        own = (seat("Anna", clock=milliseconds, ticking=True), seat("Bert"))
        return status(table=playing(state, 2, seats=own))

    model = fed(at_match(base()), at(61_000))
    model, effects = update(model, at(60_000))
    assert Play(Sound.LOW) in effects
    _m, effects = update(model, at(59_000))
    assert Play(Sound.LOW) not in effects


def test_leaving_is_asked_about_and_resigning_is_another_thing() -> None:
    model = fed(at_match(base()), Click("leave"))
    assert model.over is Over.LEAVE
    assert asks(model, Click("leave.no")) == []
    assert asks(model, Click("leave.stop")) == [door.LeaveTable()]
    (resigned,) = asks(model, Click("leave.resign"))
    assert resigned.move == wire.pack(Resign())


def test_a_game_is_saved_to_and_loaded_from_a_file_of_ones_own() -> None:
    model = fed(at_match(base()), Click("save"), Focus("field.path"))
    (saved,) = asks(model, Key("enter"))
    assert saved.path.endswith("networdz-Anna-Bert.netplay")
    start = fed(base(), status(), Click("load"), Focus("field.path"), Text("/x/y.z"))
    assert asks(start, Click("file.ok")) == [door.Load("/x/y.z")]


def test_help_lists_the_keys_of_the_page() -> None:
    on_start = texts(whole.scene(fed(base(), status(), Key("f1"))))
    in_match = texts(whole.scene(fed(at_match(base()), Key("f1"))))
    assert "Backspace" not in on_start
    assert "Backspace" in in_match
    assert fed(base(), status(), Key("f1"), Key("f1")).over is Over.NONE


def test_a_click_beside_an_open_list_closes_it_and_does_nothing_else() -> None:
    model = fed(base(), status(table=table()), Click("game"))
    assert find(whole.scene(model), "game:popup") is not None
    closed = fed(model, Click(""))
    assert closed.open == ""
    assert closed.draft == model.draft


def test_the_right_button_takes_tiles_back_wherever_it_is_pressed() -> None:
    model = at_match(base())
    laid = fed(model, *lay_events(model)[1])
    assert laid.match is not None
    assert laid.match.local.laid
    back = fed(laid, Click("", Button.RIGHT))
    assert back.match is not None
    assert back.match.local.laid == ()


def test_a_large_scale_is_held_to_what_the_window_can_show() -> None:
    model = base((800, 500), scale=250)
    assert model.look.scale == 100
    wide = replace(model, size=(2000, 1250))
    assert wide.look.scale == 250

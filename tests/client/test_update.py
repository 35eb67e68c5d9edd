"""The window's reducer in a match: what the node tells and the user does."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.app.browsing import Found, Listing, Looked
from client.app.model import Ask, Flash, Model, Over, Page, Peek, Play, seen
from client.pages import chat, screen, unseen
from client.ui.intents import Button, Click, Drop, Focus, Key, Scroll, Text
from client.ui.scene import find, walk
from client.ui.sound import Sound
from client.ui.texts import speak
from client.update import Cut, Linked, Tick
from netplay import wire
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.table_questions import Vote
from netplay.said import Said
from netplay.sentences import Says
from rules import GAMES, networdz
from rules.game import Resign
from tests.client.clicking import update
from tests.client.listed import game
from tests.client.worlds import (
    SAVED,
    asks,
    at_match,
    base,
    fed,
    in_match,
    playing,
    seat,
    status,
    table,
    texts,
    view,
)
from tests.client.worlds import networdz as played


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
    return walk(screen.scene(model))


def lay_events(model: Model) -> tuple[Any, list[Any]]:
    """Return the first lay listed without blanks, and the drops that make it."""
    assert model.match is not None
    own = model.match.state
    blank = networdz.ground(own.options).blank
    lays = (m for m in networdz.moves(own, 0) if isinstance(m, networdz.Lay))
    lay = next(m for m in lays if all(each.kind != blank for each in m.shown))
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


def test_a_key_of_a_game_in_real_time_that_came_too_late_is_no_fault() -> None:
    """The piece before has filled the well while the key was on its way."""
    model = fed(in_match(base(), "hexcolumns", 2, 40), Tick(1.0))
    model, effects = update(model, Key("space", down=True))
    (sent,) = [each.request for each in effects if isinstance(each, Ask)]
    late = LocalError(Code.ILLEGAL_MOVE, "This well's game has ended.")
    after, effects = update(model, door.failed(sent.id, late))
    assert after.notice == model.notice
    assert after.fault == model.fault
    assert effects == (Play(Sound.REFUSED),)
    wrong = fed(model, door.failed(sent.id, LocalError(Code.DISK, "no space")))
    assert wrong.fault != model.fault


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
    assert screen.title(model).endswith(" – Networdz")
    assert "Bert" not in screen.title(model)
    state, _past = played(2, 8)
    other = fed(model, status(table=playing(state, 2, turn=(1,))))
    assert screen.title(other) == "Bert's turn – Networdz"


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
        tree = screen.scene(shown)
        assert find(tree, "rack") is None
        assert find(tree, "board") is None
        assert find(tree, "curtain") is not None
        assert not any(n.name.startswith("tile:") for n in whole_nodes(shown))
        assert not unseen.counted(shown), "it would tell the rack"
    covered = fed(moved, view(state, past, 1))
    assert find(screen.scene(covered), "curtain.title") is not None
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


def test_the_curtain_stays_though_the_view_comes_when_the_turn_is_over() -> None:
    model, state, past = two_persons()
    at = [playing(state, 2, persons=(0, 1), turn=turn) for turn in ((1,), ())]
    late = fed(model, *(status(table=one) for one in at), view(state, past, 1))
    assert late.match is not None
    assert (late.match.seat, late.match.covered) == (1, True)


def test_tiles_that_one_of_two_has_laid_are_not_in_the_next_game() -> None:
    model, state, past = two_persons()
    at = playing(state, 2, persons=(0, 1), turn=(1,))
    aside = fed(model, *lay_events(model)[1], status(table=at), view(state, past, 1))
    fresh = replace(view(state, past, 0), match=b"n")
    shown = fed(aside, status(table=replace(at, match=b"n", turn=(0,))), fresh)
    first = fed(base(), status(table=replace(at, match=b"n", turn=(0,))), fresh)
    assert shown.match is not None
    assert first.match is not None
    assert shown.match.local == first.match.local


def test_what_was_said_goes_along_into_the_rematch_and_to_no_other_table() -> None:
    model = at_match(base())
    assert model.table is not None
    said = door.Line("Bert", "well played", 0, -1, False, model.table.number)
    again = replace(model.table, match=b"n", seats=model.table.seats[::-1])
    there = fed(model, said, status(table=again))
    assert said in there.chat.lines
    other = replace(again, match=b"o", number=again.number + 1)
    assert said not in fed(there, status(table=other)).chat.lines


def test_one_person_and_computers_need_no_curtain() -> None:
    model = at_match(base())
    assert model.match is not None
    assert not model.match.covered


def test_a_bystander_watches_seat_minus_one() -> None:
    state, _past = played(2, 8)
    shown = playing(state, 2, persons=())
    assert asks(base(), status(table=shown)) == [door.Watch(-1)]


def test_chat_counts_as_unread_while_the_moves_are_shown() -> None:
    model = fed(at_match(base((800, 500))), Click("side:0"), Click("side:1"))
    model, effects = update(model, door.Line("Bert", "hi", 0))
    assert effects == (Play(Sound.CHAT),)
    assert model.chat.unread == 1
    assert "Chat (1)" in texts(screen.scene(model))
    assert fed(model, Click("side:0")).chat.unread == 0
    assert model.table is not None
    other = replace(model.table, number=model.table.number + 1, match=b"other")
    assert fed(model, status(table=other)).chat.unread == 0, "it is of this table"


def test_chat_is_sent_with_enter_and_scrolls_back_to_its_end() -> None:
    model = fed(at_match(base()), Scroll("chat", 0), Focus("field.chat"), Text("hello"))
    sent, effects = update(model, Key("enter"))
    assert [e.request.ask for e in effects if isinstance(e, Ask)] == [door.Say("hello")]
    assert "chat" not in sent.scrolls
    assert sent.edits["field.chat"].text == ""


def test_a_line_that_was_refused_is_written_again_before_what_is_typed_meanwhile() -> (
    None
):
    why = LocalError(Code.TOO_MANY, Says.CHAT_TOO_FAST(count=5, seconds=10))
    model = fed(at_match(base()), Focus("field.chat"))
    numbers = []
    for line in ("first", "second"):
        model, effects = update(fed(model, Text(line)), Key("enter"))
        numbers += [e.request.id for e in effects if isinstance(e, Ask)]
    typed = fed(model, door.Done(numbers[0]), Text("third"))
    assert typed.edits["field.chat"].text == "third", "what was taken is gone"
    back = fed(typed, door.failed(numbers[1], why))
    assert back.edits["field.chat"].text.split() == ["second", "third"]
    alone = fed(model, door.Done(numbers[0]), door.failed(numbers[1], why))
    again, effects = update(alone, Key("enter"))
    assert [e.request.ask for e in effects if isinstance(e, Ask)] == [
        door.Say("second")
    ]
    assert not again.edits["field.chat"].text


@pytest.mark.parametrize("pause", [60, 0])
def test_what_went_wrong_at_one_table_is_not_told_at_the_next(pause: int) -> None:
    """As commands or friends bring a window there: a click puts it away by itself."""
    said = Says.LINK_OPENED_AGAIN()
    model = fed(at_match(base()), door.Notice("error", said, 0))
    model = fed(model, Tick(model.now + pause))
    assert model.table is not None
    model = fed(model, status(table=replace(model.table, entries=9)))
    assert model.fault is not None, "it stays at its own"
    other = replace(model.table, number=model.table.number + 1, match=b"other")
    model = fed(model, status(table=other))
    assert (model.fault is None) == bool(pause), "or it is news of this one"


def test_letters_typed_into_a_field_never_reach_the_board() -> None:
    model = fed(at_match(base()), Click("cell:17"), Focus("field.chat"), Text("aeiou"))
    assert model.match is not None
    assert model.match.local.laid == ()


def test_a_lost_door_is_told_and_the_seat_is_watched_again() -> None:
    model = at_match(base())
    cut = fed(model, Cut("SHUT"))
    assert "SHUT" in texts(screen.scene(cut))
    assert cut.match is not None
    assert not seen(cut, cut.match).live
    state, past = played(2, 8)
    again = fed(cut, Linked())
    assert asks(again, status(table=playing(state, 2))) == [door.Watch(0)]
    back = fed(again, status(table=playing(state, 2)), view(state, past, 0))
    assert find(screen.scene(back), "curtain") is None
    assert find(screen.scene(back), "rack") is not None


def test_who_is_refused_a_second_table_stays_at_the_one_there_is() -> None:
    model = fed(base(), status(table=table(phase="forming", host=True)))
    assert model.page is Page.TABLE
    model = replace(model, asked={**model.asked, 99: "host"})
    refused = fed(model, door.Failed(99, Code.USAGE.number, Said("no")))
    assert refused.page is Page.TABLE
    alone = fed(base(), status())
    alone = replace(alone, page=Page.TABLE, asked={99: "host"})
    refused = fed(alone, door.Failed(99, Code.USAGE.number, Said("no")))
    assert refused.page is Page.START


def test_a_node_that_was_started_anew_owes_no_answers() -> None:
    model = fed(base(), status())
    asked = replace(model, asked={7: "peers", 8: "change"})
    again = fed(asked, Cut("gone"), Linked())
    assert not again.asked.keys() & asked.asked.keys()


def test_a_hint_that_comes_while_one_looks_back_lays_no_tiles() -> None:
    model = fed(at_match(base()), Click("side:1"))
    first = next(n.name for n in whole_nodes(model) if n.name.startswith("move:"))
    assert model.match is not None
    moves = GAMES["networdz"].moves(model.match.state, 0)
    move = wire.pack(next(move for move in moves if isinstance(move, networdz.Lay)))
    for looks in ((), (Click(first),)):
        shown = fed(replace(model, asked={99: "hint"}), *looks)
        shown = fed(shown, door.Done(99, data=move))
        assert shown.match is not None
        assert shown.match.hint
        assert (shown.match.local == model.match.local) == bool(looks)
    state, past = played(2, 10)
    later = fed(shown, view(state, past, 0, shown.match.number), Key("escape"))
    again = fed(model, view(state, past, 0, shown.match.number), Key("escape"))
    assert later.match is not None
    assert not later.match.hint
    assert texts(screen.scene(later)) == texts(screen.scene(again))


def test_a_paused_game_can_be_tried_again_or_go_on_without_its_host() -> None:
    state, _past = played(4, 8)
    others = tuple(
        seat(name, "remote", state="connected", since=-1, key=name)
        for name in ("Charlie", "Dora")
    )
    bert = seat("Bert", "remote", state="away", since=-1, key="Bert")
    seats = (seat("Anna"), bert, *others)
    away = playing(
        state, 4, phase="paused", waiting="Bert", host="Bert", hosting=False,
        seats=seats,
    )  # fmt: skip
    model = fed(at_match(base(), 4), status(table=away))
    assert asks(model, Click("retry")) == [door.Retry()]
    assert asks(model, Click("vote")) == [Vote()]
    for host, hosting in (("Charlie", False), ("Anna", True)):
        other = fed(model, status(table=replace(away, host=host, hosting=hosting)))
        assert find(screen.scene(other), "vote") is None  # another host helps nobody
        assert find(screen.scene(other), "retry") is not None
    computers = [replace(one, key="Bert", state="away") for one in others]
    alone = fed(model, status(table=replace(away, seats=(*seats[:2], *computers))))
    assert find(screen.scene(alone), "vote") is None  # all three play at Bert's
    assert find(screen.scene(alone), "retry") is not None


@pytest.mark.parametrize(
    ("since", "later", "shown"),
    [
        (-1, 100, "not connected"),
        (0, 0, "away 0 s"),
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
    assert shown in texts(screen.scene(fed(model, Tick(model.now + later))))


def test_a_clock_counts_down_between_the_nodes_words() -> None:
    state, _past = played(2, 8)
    seats = (seat("Anna", clock=90_000, ticking=True), seat("Bert", clock=60_000))
    model = fed(at_match(base()), status(table=playing(state, 2, seats=seats)))
    assert "1:30" in texts(screen.scene(model))
    later = texts(screen.scene(fed(model, Tick(model.now + 31))))
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


def test_a_game_that_was_left_in_another_window_is_said_to_be_kept() -> None:
    model = replace(at_match(base()), notice=None)
    assert model.table is not None
    gone = status(saved=SAVED)
    assert fed(model, gone).notice is not None
    left = fed(model, Click("leave"), Click("leave.stop"))
    assert fed(left, gone).notice is None  # who leaves knows
    here = game(model.table.number, model.table.game)
    assert fed(model, replace(gone, games=(here,))).notice is None  # to the games
    for changed in ({"phase": "over"}, {"watching": True}):  # nothing of one's own
        ended = fed(model, status(table=replace(model.table, **changed)))
        assert fed(replace(ended, notice=None), gone).notice is None


def test_leaving_is_asked_about_and_resigning_is_another_thing() -> None:
    model = fed(at_match(base()), Click("leave"))
    assert model.over is Over.LEAVE
    assert asks(model, Click("leave.no")) == []
    assert asks(model, Click("leave.stop")) == [door.LeaveTable()]
    assert asks(model, Click("leave.resign")) == [], "one click gives nothing up"
    asked = fed(model, Click("leave.resign"))
    assert asks(asked, Click("resign.no")) == asks(asked, Key("enter")) == []
    assert fed(asked, Key("enter")).over is Over.NONE


@pytest.mark.parametrize("gone", ["", "resigned", "late"])
def test_who_is_out_already_can_resign_no_more(gone: str) -> None:
    model = at_match(base(), 3)
    assert model.table is not None
    own, *others = model.table.seats
    own = replace(own, state=gone or own.state)
    table = replace(model.table, seats=(own, *others), turn=(1,))
    asked = fed(model, status(table=table), Click("leave"))
    found = find(screen.scene(asked), "leave.resign")
    assert found is not None
    assert found.enabled is not bool(gone)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_nobody_is_told_to_move_while_the_game_waits_for_who_is_away(
    size: tuple[int, int],
) -> None:
    model = at_match(base(size))
    assert model.table is not None
    paused = status(table=replace(model.table, phase="paused", waiting="Bert"))
    moves = find(screen.scene(model), "title")
    waits = find(screen.scene(fed(model, paused)), "title")
    assert moves is not None
    assert waits is None or waits.text != moves.text


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_who_resigns_gives_up_the_own_seat_and_is_told_what_for(seats: int) -> None:
    told = ("The game ends here", "You lose this game", "You are out")
    for own in range(seats):
        state, past = played(seats, 5)
        shown = status(table=playing(state, seats, (own,))), view(state, past, own)
        model = fed(base(), *shown, Click("leave"), Click("leave.resign"))
        assert told[seats - 1] in texts(screen.scene(model))
        wanted = door.Play(own, wire.pack(Resign()), len(past))
        assert asks(model, Click("resign.yes")) == [wanted]


@pytest.mark.parametrize("size", [(800, 500), (1280, 800), (390, 844)])
@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ru"])
def test_a_double_click_on_resign_does_not_resign(
    language: str, size: tuple[int, int]
) -> None:
    speak(language)
    try:
        for seats in (2, 3):
            model = fed(at_match(base(size), seats), Key("escape", ctrl=True))
            first = find(screen.scene(model), "leave.resign")
            second = find(screen.scene(fed(model, Click("leave.resign"))), "resign.yes")
            assert first is not None
            assert second is not None
            assert not first.rect.meets(second.rect)
    finally:
        speak("en")


@pytest.mark.parametrize("clicks", [["leave"], ["leave", "leave.resign"]])
def test_the_question_about_leaving_goes_when_the_game_ends_meanwhile(
    clicks: list[str],
) -> None:
    model = fed(at_match(base()), *map(Click, clicks))
    assert model.table is not None
    same_game = status(table=replace(model.table, turn=(1,)))
    assert fed(model, same_game).over is model.over
    ended = replace(model.table, phase="over", turn=(), places=(1, 2))
    assert fed(model, status(table=ended)).over is Over.RESULT
    assert fed(model, status()).over is Over.NONE


def test_a_game_is_saved_to_and_loaded_from_a_file_of_ones_own() -> None:
    model = fed(at_match(base()), Click("save"), Listing("/home/Anna"))
    model = fed(model, Focus("field.file"), Text("mine"))
    model, (peek,) = update(model, Key("enter"))
    assert peek == Peek(("/home/Anna/mine", "/home/Anna/mine.netplay"))
    found = [Found(path, "nothing") for path in peek.paths]
    assert asks(model, Looked(tuple(found))) == [door.Save("/home/Anna/mine.netplay")]
    start = fed(base(), status(), Click("load"), Listing("/x"), Focus("field.file"))
    _model, (peek,) = update(fed(start, Text("y.z")), Click("file.ok"))
    assert peek == Peek(("/x/y.z", "/x/y.z.netplay"))


def test_help_lists_the_keys_of_the_page() -> None:
    on_start = texts(screen.scene(fed(base(), status(), Key("f1"))))
    in_match = texts(screen.scene(fed(at_match(base()), Key("f1"))))
    assert "Backspace" not in on_start
    assert "Backspace" in in_match
    assert fed(base(), status(), Key("f1"), Key("f1")).over is Over.NONE


def test_a_click_beside_an_open_list_closes_it_and_does_nothing_else() -> None:
    model = fed(base(), status(table=table()), Click("rules"), Click("game"))
    assert find(screen.scene(model), "game:popup") is not None
    closed = fed(model, Click(""))
    assert closed.open == ""
    assert closed.setup.draft == model.setup.draft


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


def test_what_one_has_said_oneself_is_not_unread() -> None:
    model = at_match(base())
    for number, unread in ((-1, 1), (3, 0)):  # one from another window here
        line = door.Line("Anna", "hello", 0, number)
        assert chat.heard(model, line, watched=False).chat.unread == unread


def test_only_a_clock_that_runs_is_shown_as_running_out() -> None:
    model = at_match(base((1280, 800)))
    table = model.table
    assert table is not None
    for ticking in (True, False):
        seats = tuple(replace(s, clock=30_000, ticking=ticking) for s in table.seats)
        clock = find(
            screen.scene(fed(model, status(table=replace(table, seats=seats)))),
            "clock0",
        )
        assert clock is not None
        assert (clock.fg == model.look.theme.latest) == ticking


@pytest.mark.parametrize("way", [Click("leave"), Key("escape", ctrl=True)])
def test_leaving_a_game_that_is_over_is_asked_about_only_with_others(
    way: Click | Key,
) -> None:
    model = at_match(base())
    assert model.table is not None
    ended = replace(model.table, phase="over", turn=(), places=(1, 2))
    anna, bert = ended.seats
    here = (anna, replace(bert, kind="computer"))
    far = (anna, replace(bert, kind="remote", state="connected"))
    lent = (anna, replace(bert, lent=True))
    for seats, others in ((here, False), (far, True), (lent, True)):
        over = fed(model, status(table=replace(ended, seats=seats)), Key("escape"))
        left, effects = update(over, way)
        assert (left.over is Over.LEAVE) is others
        asked = [each.request.ask for each in effects if isinstance(each, Ask)]
        assert asked == ([] if others else [door.LeaveTable()])
        assert (left.page is Page.START) is not others

"""Several games in one window: the list, one click to each, one key to the next."""

import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pygame
import pytest
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app import thumbnails
from client.app.model import Flash, Give, Model, Over, Play, ToFront, edit_of
from client.browser.session import fitting
from client.pages import bar, chat, games, screen
from client.ui.intents import Click, Focus, Hover, Key, Text
from client.ui.scene import Node, Role, find, walk
from client.ui.sound import Sound
from client.update import Cut, Tick
from client.window import first_frame, loop
from netplay import wire
from netplay.errors import Code
from netplay.messages import door
from netplay.messages.door import Summons
from netplay.messages.node_questions import CopyStatus, PutAway
from netplay.messages.table_questions import GetFinished, Glance, OpenStatus
from netplay.sentences import Says
from rules import GAMES as RULES
from rules import LISTED, editions, title_of
from tests.client import past
from tests.client.clicking import update
from tests.client.during import at_table
from tests.client.listed import FEW, board, drawn, game, many
from tests.client.scripted import needs_dummy, window
from tests.client.worlds import (
    NEAR,
    asks,
    base,
    fed,
    networdz,
    playing,
    some_match,
    status,
    texts,
)

GAMES = FEW[:4]


@pytest.mark.parametrize("name", LISTED)
def test_the_picture_of_a_board_shows_it_to_its_edges(name: str) -> None:
    """A picture fills a square, and what is longer than that would be cut off."""
    for side in (thumbnails.SIDE, 2 * thumbnails.SIDE):
        shown = thumbnails.of(name, replace(base().look, scale=100), side)
        wide, high = shown.rect[2:]
        assert abs(wide - high) / 2 <= 0.02 * max(wide, high)


def shown(model: Any) -> list[str]:
    """Return every text in the window."""
    return texts(screen.scene(model)).split("\n")


def listed(model: Model) -> list[int]:
    """Return the tables of the list as they stand there."""
    rows = (n.name for n in walk(screen.scene(model)) if n.name.startswith("in-hand:"))
    return [int(name.rpartition(":")[2]) for name in rows]


def test_the_start_page_lists_the_games_and_goes_to_each() -> None:
    model = fed(base(), status(games=GAMES))
    assert listed(model) == [3, 1, 2, 4]
    for table in listed(model):
        assert asks(model, Click(f"in-hand:{table}")) == [door.LookAt(table)]


@pytest.mark.parametrize("size", [(1280, 800), (800, 500), fitting(390, 844)])
@pytest.mark.parametrize("some", [(), GAMES])
def test_while_games_are_read_it_is_said_how_many_are_to_come(
    size: tuple[int, int], some: tuple[Any, ...]
) -> None:
    offer = CopyStatus(offers=True)
    model = replace(base(size), size=size)
    model = fed(model, status(games=some, copy=offer, unopened=57))
    foot = find(screen.scene(model), "foot")
    assert foot is not None
    assert "57" in texts(foot)
    model = fed(model, status(games=some, copy=offer))
    assert not any("57" in text for text in shown(model))


def test_what_is_being_brought_is_no_lost_line() -> None:
    model = fed(replace(base(), brought=True), Cut(Says.DOOR_CLOSED()))
    assert not bar.passing(model)[1]
    assert bar.passing(fed(base(), Cut(Says.DOOR_CLOSED())))[1]


def test_a_table_to_which_all_have_agreed_waits_for_its_host() -> None:
    ready = game(
        7, "numlo", mode="hosting", phase="forming", turn=(), mine=True, match=b""
    )
    model = at_table(2)
    model = fed(model, status(table=model.table, games=(ready, *GAMES[1:])))
    assert screen.title(model).startswith("(1) ")
    assert asks(model, Key("f4", down=True)) == [door.LookAt(7)]


def test_what_waits_comes_first_and_has_a_ground_of_its_own() -> None:
    root = screen.scene(fed(base(), status(games=GAMES)))
    rows = [node for node in walk(root) if node.name.startswith("in-hand:")]
    assert [row.bg is not None for row in rows] == [True, False, False, False]
    tops = [row.rect.y for row in rows]
    assert tops == sorted(tops)


def pictures(model: Model) -> list[Node]:
    """Return what the pictures of the list show."""
    found = find(screen.scene(model), "in-hand.list")
    assert found is not None
    return [node.miniature for node in walk(found) if node.miniature is not None]


def test_each_row_has_a_picture_of_the_board_as_it_is_now() -> None:
    before = fed(base(), status(games=GAMES))
    wanted = [*(Glance(n) for n in (3, 1, 2, 4)), GetFinished()]
    assert asks(base(), status(games=GAMES)) == wanted
    after = drawn(before)
    now = zip(pictures(before), pictures(after), strict=True)
    assert all(a is not b for a, b in now)
    assert pictures(after) == pictures(fed(after, status(games=GAMES)))
    assert asks(after, status(games=GAMES)) == []
    moved = (replace(GAMES[0], entries=21), *GAMES[1:])
    assert asks(after, status(games=moved)) == [Glance(3)]
    gone = drawn(fed(after, status(games=moved[:1])))
    assert list(gone.start.boards) == [moved[0].match]


def test_a_board_that_cannot_be_drawn_takes_no_other_row_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    after = drawn(fed(base(), status(games=GAMES)))
    module = thumbnails.board.find(GAMES[2].game)

    def fails(*_given: Any, **_more: Any) -> Any:
        raise KeyError(GAMES[2].game)

    wrong = replace(after.start.boards[GAMES[2].match], number=99)
    boards = {**after.start.boards, GAMES[2].match: wrong}
    usual = thumbnails.of(wrong.game, replace(after.look, scale=100))
    assert usual is not None
    monkeypatch.setattr(module, "begin", fails)
    broken = replace(after, start=replace(after.start, boards=boards))
    shown = pictures(broken)
    assert len(shown) == len(GAMES)
    assert usual in shown
    assert not broken.mishap
    assert listed(broken) == [3, 1, 2, 4]


async def test_a_board_of_an_edition_that_a_friend_has_sent_is_in_its_picture(
    tmp_path: Path,
) -> None:
    """The window has not been at that game, and so not taken up the edition yet."""
    mine = replace(editions.load("networdz"), name="of-dora")
    (tmp_path / "words").mkdir()
    kept = tmp_path / "words" / f"{mine.digest}.edition"
    kept.write_bytes(editions.encode(mine))
    one = GAMES[2]
    seen = board(one)
    state = wire.unpack(seen.state, RULES[one.game].ABOUT.state)
    options = replace(state.options, edition=mine.digest)
    data = wire.pack(replace(seen, state=wire.pack(replace(state, options=options))))
    model = fed(base(), status(games=(one,)))
    shown = loop.WindowLoop(model, tmp_path, first_frame.make_window((900, 600)))
    shown.hear(door.Done(min(model.asked), data=data))
    [picture] = pictures(shown.model)
    assert picture not in pictures(model)


def test_no_tile_of_a_rack_is_in_a_picture() -> None:
    after = drawn(fed(base(), status(games=GAMES)))
    for one in pictures(after):
        assert find(one, "rack") is None
        assert not any(node.live for node in walk(one))


def test_a_board_that_cannot_be_had_is_asked_for_once() -> None:
    model = fed(base(), status(games=GAMES[:1]))
    failed = fed(model, door.Failed(min(model.asked), Code.NO_TABLE.number))
    assert asks(failed, status(games=GAMES[:1])) == []
    assert failed.fault is None
    assert len(pictures(failed)) == 1  # of the game, as the lessons have it


def test_the_time_that_a_game_waits_goes_on_while_nothing_is_told() -> None:
    model = fed(base(), status(games=GAMES))
    later = fed(model, Tick(model.now + 2 * 3600))
    assert games.aged(model, later)
    assert not games.aged(later, fed(later, Tick(later.now + 1)))
    assert "Hexagrams · for 5 h" in shown(later)


def test_faults_take_one_row_of_the_list_and_are_put_away_one_by_one() -> None:
    names = ("Rex", "Max", "Bot", "Tic")
    wrong = tuple(
        Says.PROGRAM_FAILED(name=n, seat=2, table="3 (Numlo: Anna, Bert)", why="gone")
        for n in names
    )
    model = fed(base(), status(games=GAMES, faults=wrong))
    for n, name in enumerate(names):
        row = f"fault:{n}"
        found = find(screen.scene(model), row)
        assert found is not None
        assert name in found.value
        assert not any(find(screen.scene(model), f"fault:{m}") for m in range(n + 1, 4))
        assert find(screen.scene(model), "in-hand:3") is not None
        model = fed(model, Click(row))
        assert find(screen.scene(model), row) is None
        assert model.fault is not None
        assert name in model.fault.text
    assert find(screen.scene(model), "fault:0") is None
    fresh = Says.PROGRAM_FAILED(name="New", seat=1, table="4", why="gone")
    model = fed(model, status(games=GAMES, faults=(*wrong, fresh)))
    assert find(screen.scene(model), "fault:4") is not None
    again = fed(model, status(games=GAMES, faults=wrong[1:]), status(faults=wrong))
    assert find(screen.scene(again), "fault:0") is not None, "it was mended meanwhile"


def test_a_match_page_opened_later_names_a_program_that_failed() -> None:
    wrong = tuple(
        Says.PROGRAM_FAILED(name=n, seat=2, table=t, why="gone")
        for n, t in (("Rex", "33 (Numlo: Anna, Rex)"), ("Max", "3 (Numlo: Anna, Max)"))
    )
    begun = at_table(3)
    at = begun.table
    model = fed(begun, status(table=at, faults=wrong))
    assert "Max" in texts(screen.scene(model))
    assert "Rex" not in texts(screen.scene(model))
    assert find(screen.scene(model), "fault.close") is not None
    (put_away,) = [
        one for one in asks(model, Click("fault.close")) if isinstance(one, PutAway)
    ]
    assert put_away.fault == wrong[1]
    model = fed(model, Click("fault.close"), status(table=at, faults=wrong))
    assert model.fault is None
    left = fed(begun, status(table=at, faults=wrong), status(faults=wrong))
    assert left.fault is None, "it belongs to the page of its match"


def test_faults_take_one_row_where_no_game_is_in_hand() -> None:
    wrong = tuple(
        Says.PROGRAM_FAILED(name=n, seat=2, table="3", why="gone") for n in "ABCD"
    )
    one = fed(base(), status(faults=wrong[:1]))
    four = fed(base(), status(faults=wrong))
    places = [find(screen.scene(m), "saved.card") for m in (one, four)]
    assert places[0] is not None
    assert places[1] is not None
    assert places[0].rect == places[1].rect
    assert find(screen.scene(four), "fault:1") is None
    assert find(screen.scene(fed(four, Click("fault:0"))), "fault:1") is not None


def test_nobody_is_said_to_be_away_where_the_game_is_over() -> None:
    late = replace(GAMES[1], mine=False, away=("Bert",))
    for phase, said in (("playing", True), ("paused", True), ("over", False)):
        one = replace(late, phase=phase, result="lost" if phase == "over" else "")
        model = fed(base(), status(games=(one,)))
        more = find(screen.scene(model), f"in-hand.own:more{one.table}")
        assert (more is not None and "Bert" in more.text) is said, phase


def test_what_asks_for_attention_alone_has_its_colour() -> None:
    """Whose turn it is and what is new; not who is away, nor what is on its way."""
    theme, wait = base().look.theme, {"mine": False, "turn": (1,), "unread": 0}
    for changes, turn, more in (
        ({"mine": True, "turn": (0,), "away": ("Bert",)}, theme.latest, theme.dim),
        ({**wait, "undelivered": True}, theme.dim, theme.dim),
        ({**wait, "unread": 2, "away": ("Bert",)}, theme.dim, theme.latest),
        ({**wait, "phase": "over", "result": "won", "unread": 1}, theme.good, None),
        ({**wait, "phase": "over", "result": "lost"}, theme.dim, None),
    ):
        one = game(1, "numlo", **changes)
        root = screen.scene(fed(base(), status(games=(one,))))
        first, second = (
            find(root, f"in-hand.own:{part}1") for part in ("turn", "more")
        )
        assert first is not None
        assert first.fg == turn, changes
        assert first.text[0].isupper() or first.text.startswith("Bert")
        if more is not None:
            assert second is not None
            assert second.fg == more, changes


def test_what_begins_a_game_stands_beside_the_list_in_tabs() -> None:
    model = fed(base((1000, 700)), status(games=GAMES, nearby=NEAR))
    for tab, name in enumerate(("play", "join.near", "join.address")):
        root = screen.scene(fed(model, Click(f"begin:{tab}")))
        assert find(root, name) is not None
        assert find(root, "in-hand.list") is not None
    assert "Nearby (2)" in shown(model)


def test_a_wide_page_with_games_is_the_same_before_and_after_the_first_friend() -> None:
    alone = fed(base(), status(games=GAMES, nearby=NEAR))
    known = fed(base(), status(games=GAMES, nearby=NEAR, friends=(("Bert", "K"),)))
    for name in ("in-hand.list", "nearby", "address", "here"):
        one, other = (find(screen.scene(model), name) for model in (alone, known))
        assert one is not None
        assert other is not None
        assert one.rect == other.rect


def test_without_games_the_page_is_as_it_was() -> None:
    root = screen.scene(fed(base(), status(nearby=NEAR)))
    for name in ("play", "join.near", "join.address"):
        assert find(root, name) is not None


def test_tables_that_are_open_at_a_host_are_there_to_choose_from() -> None:
    offers = (OpenStatus("numlo", 2, ("Zoë",)), OpenStatus("chess", 0, ()))
    model = fed(base(), status(open=offers))
    offer = find(screen.scene(model), "offer:0")
    assert offer is not None
    assert "Zoë" in texts(offer)
    assert asks(model, Click("offer:1")) == [door.Choose(1)]


def test_escape_and_games_go_back_to_the_list_and_leave_nothing() -> None:
    model = at_table(2)
    assert asks(model, Click("games")) == [door.LookAt(0)]
    assert asks(model, Key("escape", down=True)) == [door.LookAt(0)]
    away = fed(model, status(games=GAMES))
    assert away.match is None
    assert listed(away) == [3, 1, 2, 4]


@pytest.mark.parametrize(
    ("size", "sign"), [((1280, 800), "▸ 1 game waits for you"), ((800, 500), "▸ 1")]
)
def test_the_start_page_says_in_words_what_waits_where_it_has_room(
    size: tuple[int, int], sign: str
) -> None:
    model = fed(replace(base(), size=size), status(games=GAMES))
    found = find(screen.scene(model), "games.next")
    assert found is not None
    assert found.text == sign
    assert "1" in found.value
    assert asks(model, Click("games.next")) == [door.LookAt(3)]


def test_a_key_and_a_button_with_their_number_go_to_the_next_game_that_waits() -> None:
    model = at_table(2)
    assert "▸ 1" in shown(model)
    assert asks(model, Click("games.next")) == [door.LookAt(3)]
    assert asks(model, Key("f4", down=True)) == [door.LookAt(3)]
    alone = fed(model, status(table=model.table, games=GAMES[1:]))
    assert asks(alone, Key("f4", down=True)) == []


def test_a_button_whose_face_is_a_sign_has_words_for_the_eye_at_the_pointer() -> None:
    model = at_table(2)
    assert find(screen.scene(model), "tip") is None
    pointed = fed(model, Hover("games.next"))
    tip = find(screen.scene(pointed), "tip")
    assert tip is not None
    (button,) = (n for n in walk(screen.scene(pointed)) if n.name == "games.next")
    assert [kid.text for kid in tip.kids] == [button.value]
    assert screen.scene(pointed).rect.holds(tip.rect)
    named = fed(model, Hover("help"))  # its face has words
    assert find(screen.scene(named), "tip") is None
    assert fed(pointed, Hover("")) == model


LIVE = game(9, "hexcolumns", live=True, mine=True, turn=(0, 1), players=("Anna", "Eve"))


def test_what_is_live_comes_first_in_the_list_and_what_is_over_last() -> None:
    over = game(8, "numlo", phase="over", turn=(), result="won")
    model = fed(base(), status(games=(over, *GAMES, LIVE)))
    assert listed(model) == [9, 3, 1, 2, 4, 8]
    assert asks(model, Key("f4", down=True)) == [door.LookAt(9)]


def test_a_game_that_is_over_stands_once_whether_it_is_in_hand_or_not() -> None:
    over = game(8, "numlo", phase="over", turn=(), result="won")
    found = past.one(0, match=over.match)
    day = date(1970, 1, 1).toordinal() + found.at // past.DAY + 1
    model = replace(base(), day=day, past=replace(base().past, found=(found,)))
    for here in ((over,), ()):
        root = screen.scene(fed(model, status(games=here)))
        rows = ("in-hand:", f"{games.LATE}:")
        assert len([n for n in walk(root) if n.name.startswith(rows)]) == 1


def test_a_row_under_the_pointer_stays_where_it_is_until_the_pointer_goes() -> None:
    model = fed(base(), status(games=GAMES), Hover("in-hand:1"))
    moved = (replace(GAMES[0], mine=False, turn=(1,)), *GAMES[1:3], LIVE,
             replace(GAMES[3], mine=True))  # fmt: skip
    still = fed(model, status(games=moved))
    assert listed(still) == [3, 1, 2, 4, 9]
    gone = fed(still, Hover(""))
    assert listed(gone) == [9, 4, 1, 2, 3]


@needs_dummy
async def test_who_has_the_keyboard_at_a_game_opens_that_game_wherever_it_has_come_to(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        waiting = tuple(game(n, "numlo", mine=True, match=b"") for n in (1, 2))
        script.loop.hear(replace(script.node.status, games=waiting))
        await script.calm()
        script.loop.hand.focus("in-hand:2")
        script.loop.on_event(Focus("in-hand:2"))
        moved = (replace(waiting[0], mine=False), waiting[1])
        script.loop.hear(replace(script.node.status, games=moved))
        await script.calm()
        assert listed(script.loop.model) == [2, 1]
        await script.key(pygame.K_RETURN)
        assert script.node.asked[-1] == door.LookAt(2)


def test_a_live_game_comes_to_the_front_of_who_waits_for_others() -> None:
    called = Summons(9, "live", "hexcolumns", ("Eve",))
    _model, effects = update(fed(base(), status(games=(*GAMES, LIVE))), called)
    assert ToFront() in effects
    assert asks(fed(base(), status(games=(*GAMES, LIVE))), called) == [door.LookAt(9)]


def test_a_live_game_calls_loudly_in_the_middle_of_a_move() -> None:
    model = at_table(2)
    model = fed(model, status(table=model.table, games=(*GAMES, LIVE)))
    called = Summons(9, "live", "hexcolumns", ("Eve",))
    model, effects = update(model, called)
    assert asks(model, called) == []
    assert Play(Sound.TURN) in effects
    assert any(isinstance(one, Flash) and one.text for one in effects)
    assert asks(model, Click("games.next")) == [door.LookAt(9)]
    assert asks(model, Key("f4", down=True)) == [door.LookAt(9)]


@pytest.mark.parametrize("dialog", ["preferences", "leave", "dictionary"])
def test_whoever_goes_to_a_live_game_sees_it_and_no_dialog_of_before(
    dialog: str,
) -> None:
    model = at_table(2)
    model = fed(model, status(table=model.table, games=(*GAMES, LIVE)), Click(dialog))
    assert model.over is not Over.NONE
    assert asks(model, Key("f4", down=True)) == [door.LookAt(9)]
    assert fed(model, Key("f4", down=True)).over is Over.NONE
    first = fed(base(), status(name="", games=(LIVE,)), Key("f4", down=True))
    assert first.over is Over.NAME


def test_the_title_counts_the_games_that_wait() -> None:
    assert screen.title(fed(base(), status(games=GAMES))) == "(1) Netplay"
    assert screen.title(fed(base(), status(games=GAMES[1:]))) == "Netplay"
    assert screen.title(at_table(2)).startswith("(1) ")
    assert not screen.title(at_table(3)).startswith("(")
    own = tuple(replace(one, mine=True, turn=(0,)) for one in GAMES[1:3])
    here = at_table(own[0].table)
    model = fed(here, status(table=here.table, games=(*own, GAMES[0])))
    assert screen.title(model).startswith("(3) ")  # the one here among them


@needs_dummy
async def test_a_real_click_and_a_real_key_go_from_game_to_game(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.node.status = replace(script.node.status, games=GAMES)
        await script.click("play")  # whatever is asked, the status comes with it
        await script.click("leave")
        await script.key(pygame.K_ESCAPE)
        await script.key(pygame.K_F4)
        asked = script.node.asked
    looked = [ask for ask in asked if isinstance(ask, door.LookAt)]
    assert door.LookAt(3) in looked


def test_the_key_goes_round_all_games_that_wait() -> None:
    waiting = tuple(game(number, "numlo", mine=True) for number in (1, 3, 5))
    for here, to in ((1, 3), (3, 5), (5, 1)):
        model = at_table(here)
        model = fed(model, status(table=model.table, games=waiting))
        assert asks(model, Key("f4", down=True)) == [door.LookAt(to)]


def test_words_above_the_list_hide_nothing_where_their_field_is_gone() -> None:
    many = tuple(game(number, "numlo") for number in range(1, games.MANY + 1))
    model = fed(base(), status(games=many), Focus(games.FILTER), Text("nobody"))
    assert games.shown(model) == ()
    few = fed(model, status(games=many[:2]))
    assert find(screen.scene(few), games.FILTER) is None
    assert len(games.shown(few)) == 2
    assert listed(few) == [1, 2]


def test_a_list_in_which_nothing_is_found_says_so() -> None:
    many = tuple(game(number, "numlo") for number in range(1, games.MANY + 1))
    model = fed(base(), status(games=many))
    assert find(screen.scene(model), "in-hand.none") is None
    none = fed(model, Focus(games.FILTER), Text("nobody"))
    assert find(screen.scene(none), "in-hand.none") is not None


def test_no_picture_of_a_game_is_a_strip_out_of_its_board() -> None:
    root = screen.scene(fed(base((1920, 1080)), status(games=FEW)))
    for number in range(len(LISTED)):
        card = find(root, f"game:{number}")
        assert card is not None
        (board,) = (kid.rect for kid in card.kids if kid.miniature is not None)
        assert board.h <= board.w


def test_escape_shows_all_games_again() -> None:
    many = tuple(game(number, "numlo") for number in range(1, games.MANY + 1))
    model = fed(base(), status(games=many), Focus(games.FILTER), Text("nobody"))
    assert games.shown(model) == ()
    model = fed(model, Key("escape", down=True))
    assert len(games.shown(model)) == games.MANY


def test_a_table_that_is_forming_is_not_left_by_going_to_the_list() -> None:
    state, _past = networdz(2, 0)
    forming = replace(playing(state, 2), match=b"", phase="forming", number=4)
    model = fed(base(), status(table=forming, games=GAMES))
    assert asks(model, Click("games")) == [door.LookAt(0)]


def test_the_list_is_narrowed_to_a_friends_games_by_the_name() -> None:
    many = tuple(game(number, "numlo") for number in range(1, games.MANY + 1))
    with_dora = replace(many[4], players=("Dora", "Anna"), own=(1,))
    model = fed(base(), status(games=(*many[:4], with_dora, *many[5:])))
    for typed in ("dora", "DORA num"):
        found = fed(model, Focus(games.FILTER), Text(typed))
        assert [one.table for one in games.shown(found)] == [5]


@pytest.mark.parametrize("live", [False, True])
def test_the_key_goes_to_a_game_that_waits_before_a_live_one_that_does_not(
    *, live: bool
) -> None:
    running = game(7, "hexcolumns", live=True, mine=False)
    waiting = game(9, "numlo", live=live, mine=True)
    model = at_table(2)
    both = fed(model, status(table=model.table, games=(running, waiting)))
    assert asks(both, Key("f4", down=True)) == [door.LookAt(9)]
    calls = find(screen.scene(both), "games.next")
    assert calls is not None
    assert calls.text.startswith(title_of("numlo" if live else "hexcolumns"))
    alone = fed(model, status(table=model.table, games=(running,)))
    assert asks(alone, Key("f4", down=True)) == [door.LookAt(7)]


def test_a_line_that_was_begun_waits_at_its_own_table() -> None:
    model = fed(at_table(2), Focus(chat.FIELD), Text("I was"))
    first = model.table
    other = replace(first, number=4)
    there = fed(model, status(table=other))
    assert hand_of(there) == ""
    _told, effects = update(model, status(table=other))
    assert Give("") in effects
    written = fed(there, Focus(chat.FIELD), Text("Hi"))
    home = fed(written, status(table=None))
    again = fed(home, status(table=first))
    assert hand_of(again) == "I was"
    assert hand_of(fed(again, status(table=other))) == "Hi"


def hand_of(model: Model) -> str:
    return edit_of(model, chat.FIELD).text


def test_a_row_says_how_the_game_stands_own_points_first() -> None:
    (state, _past), three = some_match("networdz", 2, 12), some_match("lhexicon", 3, 12)
    first, second = state.scores
    dora, anna, bert = three[0].scores
    told = "\n".join(shown(drawn(fed(base(), status(games=FEW)))))
    assert f"{first} : {second}" in told
    assert f"{anna} : {dora} : {bert}" in told
    before = "\n".join(shown(fed(base(), status(games=FEW))))
    assert " : " not in before


@pytest.mark.parametrize("count", [13, 24])
@pytest.mark.parametrize("size", [(800, 500), (1280, 800), (480, 853), (480, 1039)])
def test_a_list_at_its_end_cuts_no_row_above(size: tuple[int, int], count: int) -> None:
    """Names of sections are less high than games."""
    model = drawn(fed(base(size), status(games=many()[:count])))
    model = replace(model, scrolls={**model.scrolls, "in-hand.list": 10_000})
    listed = find(screen.scene(model), "in-hand.list")
    assert listed is not None
    assert listed.content > listed.rect.h
    rows = [kid.rect for kid in listed.kids if kid.role is not Role.LABEL]
    assert min(rect.y for rect in rows) == listed.rect.y
    assert max(rect.bottom for rect in rows) <= listed.rect.bottom


@pytest.mark.parametrize("age", range(-1, 9))
def test_a_game_that_is_over_stands_in_the_list_for_seven_days(age: int) -> None:
    model, last = base(), past.one(0)
    day = datetime.fromtimestamp(last.at, UTC).astimezone().toordinal() + age
    known = replace(model.past, found=(last,))
    model = fed(replace(model, day=day, past=known), status(games=GAMES[:1]))
    rows = [n.name for n in walk(screen.scene(model)) if n.name.startswith(games.LATE)]
    assert bool(rows) == (0 <= age < 7)


@settings(max_examples=12, deadline=None)
@given(tables=st.lists(st.sampled_from(NEAR), max_size=5))
def test_the_tab_counts_the_people_nearby_and_not_their_tables(tables: Any) -> None:
    model = fed(base((1000, 700)), status(games=GAMES, nearby=tuple(tables)))
    (tab,) = [n for n in walk(screen.scene(model)) if n.name == "begin:1"]
    people = len({each.key for each in tables})
    assert re.findall(r"\d+", tab.value or tab.text) == [str(people)] * bool(people)

"""After the end: step through the match, beside the best plays, and copy it."""

import re
from collections import Counter
from typing import Any

import pytest

from client.app import board
from client.app.board import Step
from client.app.model import Ask, Copy, Model, seen
from client.pages import play, play_input, review, screen
from client.ui.intents import Click, Key, Scroll, Text
from client.ui.scene import Role, find, hit, walk
from netplay import wire
from netplay.messages import door
from netplay.messages.table_questions import Appraisal, Appraise
from netplay.sentences import Says
from rules import GAMES
from rules.networdz import Draw, ground
from rules.tiles import UNKNOWN, kind_of
from tests.client import worlds
from tests.client.clicking import update
from tests.client.worlds import appraised, at_match, base, ended, fed, in_match, texts
from tests.said import says

GAMES_OF_MOVES = [game for game in GAMES if not GAMES[game].ABOUT.hz]


def asks(model: Model, *events: Any) -> list[Any]:
    """Return what the last of some events asks the node."""
    model = fed(model, *events[:-1])
    _model, effects = update(model, events[-1])
    return [each.request.ask for each in effects if isinstance(each, Ask)]


def back(model: Model) -> int:
    assert model.match is not None
    return model.match.back


@pytest.mark.parametrize("game", GAMES_OF_MOVES)
def test_mouse_and_keys_step_through_a_finished_match_alike(game: str) -> None:
    model = fed(ended(in_match(base(), game, 2, 6)), Click("side:1"))
    places = [place + 1 for place, _text in play_input.worthy(model)]
    pairs = (
        (("step.first",), ("home",)),
        (("step.first", "step.more"), ("home", "page down")),
        (("step.less",), ("page up",)),
        (("step.less", "step.less", "step.last"), ("page up", "page up", "end")),
    )
    for clicks, keys in pairs:
        clicked = fed(model, *map(Click, clicks))
        pressed = fed(model, *map(Key, keys))
        assert back(clicked) == back(pressed), clicks
        assert back(clicked) in (*places, -1)
    first = fed(model, Click("step.first"))
    assert back(first) == places[0]
    rows = [n for n in walk(screen.scene(first)) if n.name.startswith("move:")]
    assert [n.name for n in rows if n.selected] == [f"move:{places[0] - 1}"]
    earlier = model
    for _step in (*places, ""):  # back to the board before the first move
        earlier = fed(earlier, Key("page up"))
        assert back(fed(earlier, Key("escape"))) == -1
    assert back(earlier) == 0


@pytest.mark.parametrize("game", GAMES_OF_MOVES)
def test_the_strip_counts_the_moves_that_are_listed(game: str) -> None:
    model = fed(ended(in_match(base(), game, 2, 6)), Click("side:1"))
    count = len(play_input.worthy(model))
    first = find(screen.scene(fed(model, Key("home"))), "back.text")
    assert first is not None
    assert first.text == f"Move 1 of {count}"


@pytest.mark.parametrize("game", list(GAMES))
def test_the_moves_of_every_game_are_copied_as_text(game: str) -> None:
    model = fed(ended(in_match(base(), game, 2, 6)), Click("side:1"))
    assert find(screen.scene(model), "moves.copy") is not None
    _model, effects = update(model, Click("moves.copy"))
    (copied,) = [each for each in effects if isinstance(each, Copy)]
    lines = copied.text.splitlines()
    assert lines[0] == f"{GAMES[game].ABOUT.title}: Anna, Bert"
    assert lines[-2].startswith("1. Anna")
    assert lines[-1].startswith("2. Bert")
    for _place, text in play_input.worthy(model):
        assert any(line.endswith(text) for line in lines)


@pytest.mark.parametrize("game", ["networdz", "numlo", "hexagrams"])
def test_the_last_move_is_marked_in_the_list_and_the_total_is_its_player_s_score(
    game: str,
) -> None:
    model = in_match(base(), game, 2, 6)
    listed = find(screen.scene(model), "moves")
    assert listed is not None
    rows = [each for each in listed.kids if each.name.startswith("move:")]
    assert [each.bg is not None for each in rows] == [False] * (len(rows) - 1) + [True]
    if game != "hexagrams":
        actor = model.match.past[int(rows[-1].name[5:])].actor  # type: ignore[union-attr]
        score = find(screen.scene(model), f"score{actor}")
        assert score is not None
        assert [each.text for each in rows[-1].kids if each.text][-1] == score.text


@pytest.mark.parametrize("seats", [2, 3])
def test_each_row_bears_what_its_player_had_after_that_move(seats: int) -> None:
    root = screen.scene(in_match(base((1920, 1080)), "networdz", seats, 12))
    listed = find(root, "moves")
    assert listed is not None
    had: Counter[str] = Counter()
    for row in listed.kids:
        told = [kid.text for kid in row.kids if kid.text]
        if row.name.startswith("move:") and told[-1].isdecimal():
            had[told[1]] += int(told[-2])
            assert int(told[-1]) == had[told[1]]
    for seat in range(seats):
        score = find(root, f"score{seat}")
        assert score is not None
        assert int(score.text) in had.values()


def test_nothing_can_be_copied_from_behind_the_curtain() -> None:
    model = ended(at_match(base(), 2, persons=(0, 1)))
    match = model.match
    assert match is not None
    assert match.covered
    assert find(screen.scene(fed(model, Click("side:1"))), "moves.copy") is None
    assert update(model, Click("moves.copy"))[1] == ()


def test_the_best_plays_are_there_only_when_it_is_over_and_opened() -> None:
    playing_ = at_match(base())
    assert find(screen.scene(playing_), "side:2") is None
    over = ended(playing_)
    assert find(screen.scene(over), "side:2") is not None
    fast_ = ended(in_match(base(), "hexcolumns", 2, 0))
    assert find(screen.scene(fast_), "side:2") is None


def test_the_turn_looked_at_is_asked_for_once_and_shown_beside_the_best() -> None:
    before = at_match(base())
    model = ended(before)
    # It is asked for when the match ends, so that the review has something to show.
    assert model.status is not None
    (asked,) = (a for a in asks(before, model.status) if isinstance(a, Appraise))
    model = fed(model, Click("side:2"))
    assert asks(model, Click("side:2")) == []
    assert find(screen.scene(model), "offer:0") is None
    known = appraised(model)
    assert find(screen.scene(known), "offer:0") is not None
    assert asks(known, Click("side:2")) == []
    assert asks(known, Key("home")) == []
    assert find(screen.scene(fed(known, Key("home"))), "offer:0") is None
    earlier = fed(known, *(Key("page up"),) * 3)
    assert earlier.match is not None
    number = review.turn(earlier.match)
    assert number != asked.number
    assert f"appraise.{number}" in earlier.asked.values()


def judged(model: Model) -> Model:
    """Let the node answer every question for a turn's best plays."""
    while asked := [
        (n, int(what.partition(".")[2]))
        for n, what in model.asked.items()
        if what.startswith(review.ASKED)
    ]:
        for n, number in asked:
            found = wire.pack(worlds.judged(number, hasty=True))
            model = fed(model, door.Done(n, data=found))
    return model


@pytest.mark.parametrize("size", [(1280, 800), (800, 500)])
def test_the_analysis_opens_with_the_summary_and_the_turns_that_cost_most(
    size: tuple[int, int],
) -> None:
    """However it is opened, and never at a move of which nothing is to be said."""
    over = ended(at_match(base(size)))
    tab = judged(fed(over, Click("result.close"), Click("side:2")))
    card = judged(fed(over, Click("result.review")))
    assert card.match is not None
    losses = {
        number: each.chance_lost / 100
        for number, each in card.review.known.items()
        if isinstance(each, Appraisal) and each.seat == card.match.seat
    }
    worst = max(losses, key=lambda number: losses[number])
    assert losses[worst] > 0
    for model in (tab, card):
        assert back(model) == -1
        listed = find(screen.scene(model), "review")
        assert listed is not None
        shown = [node.text for node in walk(listed) if node.text]
        assert shown[0].startswith(f"{sum(loss > 0 for loss in losses.values())} ")
        rows = [node for node in walk(listed) if node.name.startswith("turn:")]
        assert rows[0].name == f"turn:{worst}"
        cost = f"\N{MINUS SIGN}{losses[worst]:.0f} %"
        assert cost in [kid.text for kid in rows[0].kids]
        there = fed(model, Click(rows[0].name))
        assert back(there) == worst + 1
        steps = [fed(there, Scroll("review", down)) for down in range(0, 201, 40)]
        told = "".join(texts(screen.scene(step)) for step in steps)
        words = told.replace("\n", " ")
        lost = re.search(r"([0-9.]+) % of the chance", words)
        assert lost is not None
        assert float(lost[1]) == pytest.approx(losses[worst], abs=0.051)


def test_a_blank_drawn_for_the_first_turn_is_called_so() -> None:
    options = GAMES["networdz"].ABOUT.options()
    state = GAMES["networdz"].start(2, options)
    blank = len(ground(options).alphabet)
    names = ("Anna", "Bert")
    tell = board.find("networdz").tell
    told = [tell(Step(state, -1, Draw(0, kind)), names) for kind in (0, blank)]
    assert told == [f"Anna draws {face} for the start" for face in ("A", "blank")]


def test_a_play_that_is_clicked_lies_on_the_board_with_its_sums() -> None:
    known = appraised(fed(ended(at_match(base())), Click("side:2")))
    assert known.match is not None
    (judged,) = known.review.known.values()
    assert not isinstance(judged, str)
    best = judged.best[0]
    chosen = screen.scene(fed(known, Click("offer:0")))
    for cell, _letter, _kind in best.laid:
        node = find(chosen, f"cell:{cell}")
        assert node is not None
        assert node.text
    for line in best.sums:
        assert line in texts(chosen)
    again = screen.scene(fed(known, Click("offer:0"), Click("offer:0")))
    assert again == screen.scene(known)


def test_no_line_of_the_analysis_is_cut() -> None:
    for size in ((800, 500), (900, 620), (1280, 800)):
        known = appraised(fed(ended(at_match(base(size))), Click("side:2")))
        root = screen.scene(known)
        listed = find(root, "review")
        assert listed is not None
        rows = [node for node in walk(listed) if node.role is Role.ITEM]
        assert rows
        for row in rows:
            inside = row.rect.bottom <= listed.rect.bottom
            assert inside or row.rect.y >= listed.rect.bottom, (size, row.value)


def test_words_stand_whole_beside_their_place() -> None:
    known = appraised(fed(ended(at_match(base())), Click("side:2")))
    (judged,) = known.review.known.values()
    assert not isinstance(judged, str)
    words = judged.best[0].sums[0].partition(":")[0]
    row = find(screen.scene(known), "offer:0")
    assert row is not None
    told = [node.text for node in walk(row) if node.text]
    assert any(words in text and "." not in text for text in told)


def test_a_turn_that_cannot_be_judged_says_why() -> None:
    model = fed(ended(at_match(base())), Click("side:2"))
    (number,) = (n for n, what in model.asked.items() if what.startswith("appraise"))
    failed = door.Failed(number, 32, "that turn could not be analysed")
    assert says(texts(screen.scene(fed(model, failed))), Says.NOT_ANALYSED)


def fast(moves: int = 40) -> Model:
    """Return a match of Hexcolumns that is over, a thousand entries long."""
    model = ended(in_match(base(), "hexcolumns", 2, moves))
    assert model.match is not None
    state = wire.pack(model.match.state)
    late = door.Happened(moves + 60, 0, wire.pack(_resign()), 83_000)
    return fed(model, door.View(b"m", 0, 1200, state, (late,), True))


def _resign() -> Any:
    return next(
        move
        for move in GAMES["hexcolumns"].moves(
            GAMES["hexcolumns"].start(1, GAMES["hexcolumns"].ABOUT.options()), -1
        )
    )


def test_a_game_in_real_time_is_looked_back_on_through_the_node() -> None:
    model = fast()
    (asked,) = asks(model, Key("page up"))
    assert asked == door.LookBack(1180)
    (further,) = asks(model, Click("side:1"), Click("step.less"), Click("step.less"))
    assert further == door.LookBack(1160)
    assert asks(model, Key("home")) == [door.LookBack(0)]
    assert back(fed(model, Key("page up"), Key("page down"))) == -1
    assert back(fed(model, Key("home"), Key("end"))) == -1


def test_what_the_node_shows_of_earlier_lies_there_with_its_time() -> None:
    model = fed(fast(), Key("home"))
    match = model.match
    assert match is not None
    game = GAMES["hexcolumns"]
    empty = game.start(2, game.ABOUT.options())
    at = door.Happened(3, 0, wire.pack(_resign()), 65_000)
    late = door.View(b"m", 0, 7, wire.pack(empty), (), False)
    assert fed(model, late).match == match
    shown = fed(model, door.View(b"m", 0, 0, wire.pack(empty), (at,), False))
    assert shown.match is not None
    assert shown.match.looked == empty
    strip = find(screen.scene(shown), "back.text")
    assert strip is not None
    assert strip.text == "1:05"
    assert play.instruction(shown)


def test_a_running_game_in_real_time_is_not_looked_back_on() -> None:
    model = in_match(base(), "hexcolumns", 2, 10)
    assert asks(model, Key("page up")) == []
    assert back(fed(model, Key("page up"))) == -1


def test_every_rack_looked_back_to_was_held_by_somebody() -> None:
    model = fed(ended(at_match(base())), Key("home"))
    racks = {
        tuple(sorted(letters_held(step.before, 0)))
        for step in model.match.past  # type: ignore[union-attr]
        if step.actor >= 0
    }
    stepped = 0
    while back(model) >= 0:
        match = model.match
        assert match is not None
        seen_ = seen(model, match)
        letters = letters_held(seen_.view, 0)
        assert UNKNOWN not in letters
        assert tuple(sorted(letters)) in racks
        model, stepped = fed(model, Key("page down")), stepped + 1
    assert stepped > 2


def letters_held(state: Any, seat: int) -> tuple[int, ...]:
    return tuple(kind_of(state.tiles, tile) for tile in state.tiles.racks[seat])


@pytest.mark.parametrize("game", GAMES_OF_MOVES)
def test_the_first_page_up_shows_the_move_before_the_last(game: str) -> None:
    model = in_match(base(), game, 2, 6)
    assert model.match is not None
    count = len(play_input.worthy(model))
    earlier = fed(model, Key("page up"))
    assert earlier.match is not None
    shown = find(screen.scene(earlier), "back.text")
    assert shown is not None
    assert shown.text == f"Move {count - 1} of {count}"
    assert seen(earlier, earlier.match).view != model.match.state
    assert back(fed(earlier, Key("page down"))) == -1


@pytest.mark.parametrize("game", list(GAMES))
def test_nothing_can_be_done_on_a_board_of_the_past(game: str) -> None:
    over = ended(in_match(base(), game, 2, 6))
    model = fed(over if GAMES[game].ABOUT.hz else in_match(base(), game, 2, 6),
                Key("page up"))  # fmt: skip
    assert model.match is not None
    board = find(screen.scene(model), "game")
    assert board is not None
    for node in walk(board):
        own = node.name.startswith("game.")
        assert own or not (node.drag or node.drop or (node.live and node.enabled))
    for did in (Key("enter"), Key("backspace"), Text("a"), Click("pass"), Click("done"),
                Click("shuffle"), Click("cell:40"), Click("hint")):  # fmt: skip
        assert asks(model, did) == []
        assert fed(model, did).match == model.match


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo"])
def test_the_columns_of_figures_in_the_list_are_named(game: str) -> None:
    said = texts(screen.scene(in_match(base(), game, 2, 6)))
    assert {"Points", "Sum"} <= set(said.splitlines())
    plain = texts(screen.scene(in_match(base(), "hexagrams", 2, 6)))
    assert "Sum" not in plain.splitlines()


def test_the_moves_looked_at_are_in_sight_in_their_list() -> None:
    model = fed(ended(at_match(base((800, 500)), 4, 16)), Click("side:1"))
    for _step in range(12):
        model = fed(model, Key("page up"))
        root = screen.scene(model)
        listed = find(root, "moves")
        assert model.match is not None
        chosen = find(root, f"move:{model.match.back - 1}")
        assert listed is not None
        assert chosen is not None
        assert listed.rect.holds(chosen.rect)


@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
def test_a_click_on_a_player_shows_the_words(size: tuple[int, int]) -> None:
    model = at_match(base(size), 4, 16)
    root = screen.scene(model)
    card = find(root, "words.of:2")
    assert card is not None
    pointed = hit(root, card.rect.centre)
    assert pointed is not None
    shown = screen.scene(fed(model, Click(pointed.name)))
    assert model.match is not None
    word = model.match.state.lists[2][0].word
    listed = find(shown, "words")
    assert listed is not None
    assert any(each.text.startswith("Charlie") for each in listed.kids)
    assert any(node.text == word for node in walk(listed))


def test_numbers_of_hundreds_do_not_touch_what_stands_behind_them() -> None:
    model = fed(in_match(base((1280, 800)), "numlo", 3, 110), Click("side:1"))
    row = next(
        node for node in walk(screen.scene(model))
        if node.name.startswith("move:") and node.kids[0].text.isdigit()
        and int(node.kids[0].text) > 99
    )  # fmt: skip
    number, who = row.kids[0], row.kids[1]
    wide = model.look.width(number.text, number.size)
    assert number.rect.x + wide + 3 <= who.rect.x

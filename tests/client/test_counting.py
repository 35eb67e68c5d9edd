"""Scores count up after a move and at the end; the state never waits for that."""

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from client import session, speech
from client.app import follow
from client.app.follow import LENGTH, goes_on
from client.app.model import Model, Over, seen
from client.app.motion import Counting
from client.app.settings import SPEEDS, Settings
from client.pages import screen
from client.pages.result import SIGNS
from client.ui.intents import Click, Hover, Key, Text
from client.ui.scene import Node, Rect, find, top, walk
from client.update import Tick, lively
from rules import GAMES
from tests.client import games
from tests.client.lettering import fits
from tests.client.worlds import base, fed, in_match, networdz, status

LAST = SPEEDS["normal"]


def moved(animation: str = "normal", size: tuple[int, int] = (1280, 800)) -> Model:
    """Return a window of Networdz at the moment a play has come that scores."""
    state, past = networdz(2, 12)
    before = past
    while True:  # back to a view before somebody's scores changed
        *rest, last = before
        before = tuple(rest)
        if last[0].scores != state.scores and last[1] >= 0:
            break
    model = replace(base(size), settings=Settings(animation=animation, pause="none"))
    model = games.page(model, "networdz", last[0], before)
    pushed = games.pushed("networdz", state, past, 0)
    news = replace(pushed, happened=pushed.happened[len(before) :])
    return fed(fed(model, Tick(5.0)), news)


def scores(model: Model) -> tuple[int, ...]:
    """Return the scores that are drawn in the players' cards."""
    root = screen.scene(model)
    drawn = (find(root, f"score{seat}") for seat in range(len(model.names)))
    return tuple(int(each.text) for each in drawn if each is not None)


def real(model: Model) -> tuple[int, ...]:
    assert model.match is not None
    return tuple(model.match.state.scores)


@pytest.mark.parametrize("count", [1, 2, 240, 241, 242, 481, 482, 1000, 4001])
def test_the_way_of_a_long_match_keeps_its_beginning_and_its_end(count: int) -> None:
    whole = tuple((n, (n, 0)) for n in range(count))
    thin = follow.thinned(whole)
    assert (thin[0], thin[-1]) == (whole[0], whole[-1])
    assert len(thin) <= follow.MOST
    assert list(thin) == sorted(set(thin))


def test_a_score_that_loses_a_digit_has_room_for_what_it_counts_from() -> None:
    model = moved()
    counting = replace(model.play.counting, start=("100", "9"))
    model = replace(model, play=replace(model.play, counting=counting))
    assert follow.widest(model, 0, "99") == "100"
    assert follow.widest(model, 1, "10") == "10"


def test_scores_count_up_from_what_they_were_to_what_they_are() -> None:
    model = moved()
    first, last = scores(model), real(model)
    assert first != last
    frames = [scores(fed(model, Tick(5.0 + n / 12))) for n in range(15)]
    assert frames[-1] == last
    assert len(set(frames)) > 4
    for one, other in pairwise(frames):
        assert all(a <= b for a, b in zip(one, other, strict=True))
    assert lively(model)
    over = fed(model, Tick(5.0 + LENGTH + LAST + 0.1))
    assert not goes_on(over)
    assert not lively(over)


def test_the_frame_in_which_the_scores_have_come_is_drawn_too() -> None:
    before = fed(moved(), Tick(5.0 + LENGTH - 0.01))
    assert session.shows(before, fed(before, Tick(9.0)))
    after = fed(before, Tick(9.0))
    assert not session.shows(after, fed(after, Tick(9.02)))


def test_nothing_counts_where_motion_is_off_nor_in_a_match_just_come_to() -> None:
    still = moved("off")
    assert scores(still) == real(still)
    assert not lively(still)
    state, past = networdz(2, 12)
    come = games.page(base(), "networdz", state, past)
    assert scores(come) == real(come)


@pytest.mark.parametrize("hand", [Click("shuffle"), Key("left"), Text("e")])
def test_a_click_or_a_key_shows_the_scores_at_once(hand: Any) -> None:
    model = moved()
    assert scores(fed(model, Hover("cell:3"))) != real(model)
    done = fed(model, hand)
    assert scores(done) == real(model)
    assert not goes_on(done)


def test_looking_back_shows_the_scores_of_then() -> None:
    model = fed(moved(), Tick(5.1), Key("page up"))
    assert model.match is not None
    then = seen(model, model.match).view
    assert scores(model) == tuple(then.scores) != real(model)


def over(model: Model) -> Model:
    """Return the window at the moment the match is over: the card opens."""
    count = len(model.names)
    assert model.table is not None
    places = tuple(range(1, count + 1))
    ended = replace(model.table, phase="over", turn=(), places=places)
    return fed(model, status(table=ended))


def numbers(root: Node) -> list[int]:
    """Return the scores on the card of the result."""
    cards = [n for n in walk(root) if n.name.startswith("result.player")]
    return [int(card.kids[-1].text) for card in cards]


def test_the_scores_of_the_result_count_up_from_nothing() -> None:
    model = fed(moved(), Tick(8.0))
    ended = over(model)
    assert ended.over is Over.RESULT
    assert numbers(top(screen.scene(ended))) == [0, 0]
    assert lively(ended)
    last = fed(ended, Tick(8.0 + 2 * LAST))
    assert tuple(numbers(top(screen.scene(last)))) == real(ended)
    closed = fed(ended, Key("escape"))
    assert closed.over is Over.NONE
    assert scores(closed) == real(ended)


@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
def test_a_score_that_gets_shorter_has_room_all_the_way(size: tuple[int, int]) -> None:
    model = moved(size=size)
    long = replace(
        model,
        play=replace(
            model.play, counting=replace(model.play.counting, start=("12345", "-1234"))
        ),
    )
    for n in range(8):
        then = fed(long, Tick(5.0 + n / 10))
        for seat in range(2):
            node = find(screen.scene(then), f"score{seat}")
            assert node is not None
            assert fits(node, then)


def test_a_score_is_said_once_and_not_at_every_frame() -> None:
    model = replace(moved(), focus="words.of:0")
    said: list[str] = []
    told = speech.Told()
    for n in range(12):
        then = fed(model, Tick(5.0 + n / 10))
        lines, told = speech.news(told, then, screen.scene(then), "words.of:0")
        said += [
            line for line in lines if "Anna" in line and str(real(then)[0]) in line
        ]
    # The line that has the keyboard names Anna's score, too, once.
    assert [line for line in said if "Bert" in line] == said[:1]
    assert len(said) == len(set(said)) <= 2


@pytest.mark.parametrize("game", GAMES)
def test_a_result_of_every_game_counts_to_its_very_scores(game: str) -> None:
    model = fed(games_over(game), Tick(30.0))
    later = fed(model, Tick(30.0 + 5))
    still = replace(later, settings=replace(later.settings, animation="off"))
    assert screen.scene(later) == screen.scene(still)


def games_over(game: str) -> Model:
    """Return a match of a game that is over."""
    moves = 0 if game == "hexcolumns" else 12
    return over(in_match(base(), game, 2, moves))


def test_a_score_that_falls_is_counted_down() -> None:
    """As at the end of Networdz, where the tiles that are left are taken off."""
    model = moved()
    last = real(model)
    before = tuple(str(score + 40) for score in last)
    play = replace(model.play, counting=Counting(before, 5.0))
    falling = replace(model, play=play)
    frames = [scores(fed(falling, Tick(5.0 + n / 12))) for n in range(1, 15)]
    assert frames[-1] == last
    for one, other in pairwise(frames):
        assert all(a >= b for a, b in zip(one, other, strict=True))
    assert last < frames[0] < tuple(map(int, before))


def test_a_score_below_nothing_stays_within_the_graph() -> None:
    look, area = base((1280, 800)).look, Rect(0, 0, 400, 200)
    course = tuple((at, (at * 10, -at * 20)) for at in range(6))
    for line in follow.drawn(course, "", area, look, SIGNS):
        for _x, y in line.points:
            assert area.y <= y <= area.bottom

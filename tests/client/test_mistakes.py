"""Mistakes of one's own as puzzles, and how well one plays as time goes on."""

from collections.abc import Iterator
from datetime import date
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from client.app import mistakes
from client.app.lessons import Course
from client.app.model import Model
from client.app.settings import Settings, load, store
from client.pages import finished, learn, progress, review, screen
from client.ui import texts as spoken
from client.ui.intents import Click
from client.ui.scene import find, top
from client.ui.texts import LANGUAGES
from netplay import wire
from netplay.messages.table_questions import Appraisal, Offer
from rules import numlo
from tests.client import test_reviewing as reviews
from tests.client import worlds
from tests.client.clicking import update
from tests.client.learning import (
    DAY,
    at_day,
    history,
    later,
    reviewed,
    right,
    texts,
    wrong,
)
from tests.client.lettering import fits, inked, of_the_program
from tests.client.worlds import base, fed, in_match, status


def test_a_blunder_is_asked_for_days_later_until_it_is_found_twice() -> None:
    own = reviewed()[0].settings
    assert len(own.mistakes) == 1

    soon = later(own, 1)
    assert "Puzzles (1)" not in texts(soon)
    assert mistakes.due(own, "numlo", soon.day) == []

    first = later(own, 2)
    assert "Puzzles (1)" in texts(first)
    page = fed(first, Click("puzzles"), Click(learn.MISTAKES))
    assert page.learning is not None
    assert page.learning.course is Course.MISTAKES
    done = fed(page, Click(right(own)))
    assert done.learning is not None
    assert done.learning.done
    assert str(date.fromordinal(DAY + 7)) in done.learning.said
    again = fed(done, Click("learn.again"), Click(right(own)))
    assert again.settings == done.settings  # once a day counts

    own = done.settings
    assert mistakes.due(own, "numlo", DAY + 6) == []
    second = fed(later(own, 7), Click("puzzles"), Click(learn.MISTAKES))
    done = fed(second, Click(right(own)))
    assert done.learning is not None
    assert done.learning.done
    assert done.settings.mistakes[0].found == 2
    gone = fed(later(done.settings, 400), Click("puzzles"), Click(learn.MISTAKES))
    assert gone.settings.mistakes == ()
    assert gone.learning is not None
    assert gone.learning.course is Course.PUZZLES


@pytest.mark.parametrize("waited", [0, 1, 5, 30])
def test_one_that_is_found_comes_again_five_days_after_that_and_not_after_it_was_due(
    waited: int,
) -> None:
    page = fed(later(reviewed()[0].settings, 2 + waited), Click("puzzles"))
    page = fed(page, Click(learn.MISTAKES))
    own = fed(page, Click(right(page.settings))).settings
    days = range(DAY + 2 + waited, DAY + 9 + waited)
    due = [len(mistakes.due(own, "numlo", day)) for day in days]
    assert due == [0, 0, 0, 0, 0, 1, 1]


def test_of_ones_mistakes_one_of_today_is_opened_and_nothing_follows_the_last() -> None:
    own = reviewed()[0].settings
    (one,) = own.mistakes
    both = replace(one, match="00", due=one.due + 30), one
    page = fed(later(replace(own, mistakes=both), 2), Click("puzzles"))
    page = fed(page, Click(learn.MISTAKES))
    assert page.learning is not None
    assert page.learning.at == 1
    ways = [find(screen.scene(page), f"learn.{way}") for way in ("back", "next")]
    assert [way is not None and way.enabled for way in ways] == [True, False]


@pytest.mark.parametrize("shown", [True, False])
def test_one_that_was_not_found_at_the_first_go_comes_again_tomorrow(
    shown: bool,
) -> None:
    own = reviewed()[0].settings
    page = fed(later(own, 2), Click("puzzles"), Click(learn.MISTAKES))
    missed = fed(page, Click(learn.SOLUTION if shown else wrong(own)))
    assert missed.learning is not None
    assert missed.learning.done is shown
    after = fed(missed, Click("learn.again"), Click(right(own)))
    assert after.learning is not None
    assert after.learning.done
    (mistake,) = after.settings.mistakes
    assert (mistake.found, mistake.due) == (0, DAY + 3)


def test_who_looks_at_a_game_again_or_plays_on_after_a_restart_has_it_once(
    tmp_path: Path,
) -> None:
    model, _number = reviewed()
    again, _number = reviewed(replace(at_day(base()), settings=model.settings))
    assert again.settings == model.settings
    store(tmp_path, model.settings)
    kept, damaged = load(tmp_path)
    assert not damaged
    assert kept == model.settings
    page = fed(later(kept, 2), Click("puzzles"), Click(learn.MISTAKES))
    assert page.learning is not None
    assert page.learning.course is Course.MISTAKES


def test_what_another_version_kept_is_left_out() -> None:
    own = reviewed()[0].settings
    (mistake,) = own.mistakes
    for broken in ("", "x", mistake.judged):
        worse = replace(own, mistakes=(replace(mistake, position=broken),))
        page = later(worse, 9)
        assert "Puzzles (1)" not in texts(page)
        assert find(screen.scene(fed(page, Click("puzzles"))), learn.MISTAKES) is None


def test_others_moves_and_those_only_looked_at_are_no_puzzles() -> None:
    model, number = reviewed()
    found = model.review.known[number]
    assert isinstance(found, Appraisal)
    assert mistakes.is_puzzle(found)
    assert not mistakes.is_puzzle(replace(found, at_sight=True))
    assert not mistakes.is_puzzle(replace(found, grade="inaccuracy"))
    better = replace(found.best[0], chance=found.played.chance - 500)
    assert not mistakes.is_puzzle(replace(found, best=(better,)))  # an exchange was
    match = model.match
    assert match is not None
    looking = replace(model, match=replace(match, seat=-1), settings=Settings())
    n, _effects = update(looking, Click(review.PAGE))
    assert n.settings.mistakes == ()


def test_a_mistake_of_networdz_is_found_on_its_board() -> None:
    model = reviews.opened()
    match = model.match
    assert match is not None
    found = reviews.mistake(model)
    worse = replace(found, grade="mistake", chance_lost=2000)
    best = replace(found.best[0], chance=found.played.chance + 2000)
    worse = replace(worse, best=(best, *found.best[1:]))
    before = match.past[found.number - match.missed].before
    own = mistakes.with_mistake(Settings(), "networdz", match.id, before, worse, DAY)
    page = at_day(replace(fed(base(), status()), settings=own), DAY + 2)
    page = fed(page, Click("game:0"), Click("puzzles"), Click(learn.MISTAKES))
    assert page.learning is not None
    assert page.learning.state == before
    assert found.played.text in texts(page)
    solved = fed(page, Click(learn.SOLUTION))
    assert best.text in texts(solved)


def test_a_play_that_was_taken_back_is_named_in_its_puzzle() -> None:
    model = reviews.opened()
    match = model.match
    assert match is not None
    found = reviews.mistake(model)
    nothing = replace(found.played, text="", points=0, sums=(), laid=())
    best = replace(found.best[0], chance=found.played.chance + 2000)
    worse = replace(found, grade="mistake", chance_lost=2000, back="8H TRWB")
    worse = replace(worse, played=nothing, best=(best,))
    before = match.past[found.number - match.missed].before
    own = mistakes.with_mistake(Settings(), "networdz", match.id, before, worse, DAY)
    page = at_day(replace(fed(base(), status()), settings=own), DAY + 2)
    page = fed(page, Click("game:0"), Click("puzzles"), Click(learn.MISTAKES))
    assert " 8H TRWB, " in texts(page)


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
def test_a_window_comes_to_its_node_with_a_mistake_of_each_game(game: str) -> None:
    match = in_match(base(), game, 2, 0).match
    assert match is not None
    found = judged(7000, 5000)
    own = mistakes.with_mistake(Settings(), game, match.id, match.state, found, DAY)
    assert not mistakes.lacking(own), "a window that comes asks this first"
    assert len(mistakes.of(own, game)) == 1


def judged(best: int, played: int, *others: int) -> Appraisal:
    """Return a turn in Numlo by the chances of what was best, done and possible."""
    offers = [
        Offer("x", 0, (), (), wire.pack(numlo.Place(n)), chance=chance)
        for n, chance in enumerate((best, *others, played))
    ]
    lost = best - played
    return Appraisal(1, 0, (), offers[-1], tuple(offers), chance_lost=lost)


def test_of_each_game_the_latest_mistakes_are_kept() -> None:
    own, wanted = Settings(), dict[str, list[int]]()
    for n in range(90):
        game = "networdz" if n % 3 else "numlo"
        found = replace(judged(7000, 5000), number=n)
        own = mistakes.with_mistake(own, game, b"match", "a position", found, DAY + n)
        wanted.setdefault(game, []).append(n)
    for game, numbers in wanted.items():
        kept = [one for one in own.mistakes if one.game == game]
        assert [one.number for one in kept] == numbers[-24:]
        assert [one.due for one in kept] == [DAY + n + 2 for n in numbers[-24:]]
    again = replace(judged(7000, 5000), number=89)
    assert mistakes.with_mistake(own, "networdz", b"match", "", again, DAY) == own


@pytest.mark.parametrize(
    ("chances", "tried", "done"),
    [
        ((7000, 5000), 0, True),
        ((7000, 5000, 6900), 1, True),  # a hundredth below the best is as good
        ((7000, 5000, 6899), 1, False),
        ((7000, 5000, 6000), 1, False),
        ((7000, 5000, 4000), 1, False),
        ((7000, 5000), 1, False),
        ((5050, 5000), 1, False),  # the mistake itself, however little it has lost
        ((5050, 5000, 5010), 1, False),
        ((7000, 5000), 9, False),  # not among what was looked at
    ],
)
def test_only_what_is_as_good_as_the_best_is_the_better_move(
    chances: tuple[int, ...], tried: int, done: bool
) -> None:
    found = judged(*chances)
    assert mistakes.verdict("numlo", found, numlo.Place(tried))[1] is done


# How well one plays.


def figures(count: int, game: str) -> Settings:
    own, rng = Settings(), Random(1)
    for n in range(count):
        turns = [
            Appraisal(
                i, 0, (1,) * 7, Offer("8H A", 20 + n, (), ()),
                (Offer("8H B", 70, ("++ = 50",), ()),) if i == 0 else (),
                chance_lost=rng.randrange(500),
            )
            for i in range(12)
        ]  # fmt: skip
        own = mistakes.with_figures(own, game, n.to_bytes(16), turns, DAY + n)
    return own


def test_the_review_of_a_whole_game_is_kept_for_the_history() -> None:
    empty = history(Settings())
    assert find(screen.scene(empty), "progress.none") is not None
    own = reviewed()[0].settings
    (kept,) = own.reviewed
    assert kept.accuracy < 1000
    shown = texts(history(own))
    assert f"Accuracy: {kept.accuracy / 10:.0f} %" in shown
    bingos = find(screen.scene(history(own)), f"{progress.LINE}.bingos")
    assert bingos is None  # there are none in Numlo


def test_accuracy_missed_bingos_and_points_a_turn_are_lines_over_the_games() -> None:
    own = figures(8, "networdz")
    root = screen.scene(history(own))
    lines = {
        name: find(root, f"{progress.LINE}.{name}")
        for name in ("accuracy", "bingos", "points")
    }
    for line in lines.values():
        assert line is not None
        assert len(line.points) == 8
        inside = line.rect.inset(-1)
        assert all(inside.x <= x < inside.right for x, _y in line.points)
        assert all(inside.y <= y < inside.bottom for _x, y in line.points)
    points = lines["points"]
    assert points is not None
    heights = [y for _x, y in points.points]
    assert heights == sorted(heights, reverse=True)  # 20 a turn, 21, 22 ...
    assert texts(history(own)).count(": 1  ·") == 8  # bingos missed
    assert "lately 25.0" in texts(history(own))


@pytest.mark.parametrize("count", [2, 50, 51, 70])
def test_lines_show_the_latest_games_however_many_there_are(count: int) -> None:
    root = screen.scene(history(figures(count, "networdz")))
    line = find(root, f"{progress.LINE}.points")
    assert line is not None
    values = [20 + n for n in range(count)][-50:]  # a turn
    (_x, top), floor = line.points[-1], line.rect.bottom
    high = (floor - top) / values[-1]
    for value, (_x, y) in zip(values, line.points, strict=True):
        assert abs(floor - y - value * high) <= 2


@pytest.mark.parametrize(
    "odd", [{"game": "tictactoe"}, {"day": 0}, {"day": 10**9}, {"points": -60}]
)
def test_figures_that_this_program_never_wrote_do_not_hurt(odd: dict[str, Any]) -> None:
    own = figures(3, "networdz")
    strange = replace(own.reviewed[-1], match="00", **odd)
    for every in ((strange,), (*own.reviewed, strange)):
        model = history(replace(own, reviewed=every))
        told = texts(model)
        known = len(every) - ("points" not in odd)
        assert len(progress.figures(model)) == known
        assert ("Nothing" in told) is (known == 0)
        line = find(screen.scene(model), f"{progress.LINE}.points")
        if line is not None:
            assert all(y < line.rect.bottom + 1 for _x, y in line.points)


def test_a_single_game_is_a_point_where_later_ones_make_a_line() -> None:
    root = screen.scene(history(figures(1, "networdz")))
    for name in ("accuracy", "bingos", "points"):
        line = find(root, f"{progress.LINE}.{name}")
        assert line is not None
        (left, right) = line.points
        assert left[1] == right[1]
        assert line.rect.inset(-1).x <= left[0] < right[0] < line.rect.right


def test_a_match_judged_again_stays_at_its_day_and_is_counted_once() -> None:
    own = figures(3, "networdz")
    turn = Appraisal(0, 0, (), Offer("8H A", 9, (), ()), (), chance_lost=0)
    again = mistakes.with_figures(
        own, "networdz", (1).to_bytes(16), 5 * [turn], DAY + 50
    )
    assert [one.day for one in again.reviewed] == [DAY, DAY + 1, DAY + 2]
    assert [one.points for one in again.reviewed] == [240, 45, 264]
    assert [one.accuracy for one in again.reviewed][1] == 1000


def test_a_whole_rack_that_was_laid_was_not_missed() -> None:
    bingo, other = ((("++ = 50",), 70), ((), 20))
    pairs = {
        (played, best): mistakes.with_figures(
            Settings(), "networdz", b"m",
            5 * [
                Appraisal(
                    0, 0, (), Offer("a", played[1], played[0], ()),
                    (Offer("b", best[1], best[0], ()),),
                )
            ],
            DAY,
        ).reviewed[0].bingos
        for played in (bingo, other)
        for best in (bingo, other)
    }  # fmt: skip
    assert [pair for pair, missed in pairs.items() if missed] == [(other, bingo)]


def test_each_game_has_figures_of_its_own() -> None:
    own = figures(3, "networdz")
    other = figures(2, "numlo")
    both = replace(own, reviewed=(*other.reviewed, *own.reviewed))
    model = history(both)
    assert len(progress.figures(model)) == 3
    numbers = fed(model, Click(f"{progress.GAMES_ROW}:1"))
    assert {each.game for each in progress.figures(numbers)} == {"numlo"}
    assert len(progress.figures(numbers)) == 2


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    own = figures(60, "networdz")
    both = replace(own, reviewed=(*figures(2, "numlo").reviewed, *own.reviewed))
    both = replace(both, mistakes=reviewed()[0].settings.mistakes)
    both = replace(both, language=model.settings.language)
    model = at_day(replace(model, settings=both), DAY + 2)
    there = fed(model, status())
    draft = replace(there.setup.draft, game="numlo")
    there = replace(there, setup=replace(there.setup, draft=draft))
    yield "start", there
    yield (
        "history",
        fed(there, Click("finished"), Click(f"{finished.TABS}:{progress.TAB}")),
    )
    page = fed(there, Click("puzzles"))
    yield "puzzles", page
    page = fed(page, Click(learn.MISTAKES))
    yield "mistake", page
    yield "solution", fed(page, Click(learn.SOLUTION))
    yield "found", fed(page, Click(right(both)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
def test_no_text_is_cut_or_covered(size: tuple[int, int], language: str) -> None:
    spoken.speak(language)
    start = base(size)
    own = replace(start.settings, language=language)
    bad = list[tuple[str, str, str]]()
    for name, page in pages(replace(start, settings=own)):
        root = screen.scene(page)
        bad += [
            (name, one.text, two.text)
            for (one, a), (two, b) in combinations(list(inked(top(root))), 2)
            if a.meets(b)
        ]
        cut = [node for node in of_the_program(root) if not fits(node, page)]
        bad += [(name, node.name, node.text) for node in cut]
    spoken.speak("en")
    assert not bad


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "You made no play. "), ("-QV", "You exchanged QV. "), ("8H CAT", "You pl")],
)
def test_a_puzzle_says_in_a_sentence_what_was_done_and_what_it_cost(
    text: str, said: str
) -> None:
    for seats, cost in ((2, "20.0 % of your chance to win"), (1, "35.0 points less")):
        before = worlds.networdz(seats, 2)[1][-1][0]
        played = Offer(text, 0, (), (), chance=3000)
        best = Offer("8D CATS", 30, ("CATS: 30",), (), chance=5000)
        worse = Appraisal(
            3, 0, (0,), played, (best,), 30, 3500, chance_lost=2000, grade="blunder"
        )
        own = mistakes.with_mistake(Settings(), "networdz", b"m", before, worse, DAY)
        (lesson,) = mistakes.listed(own, "networdz")
        assert lesson.text.startswith(said)
        assert cost in lesson.text
        assert seats == 2 or "chance" not in lesson.text


def test_mistakes_of_today_are_seen_and_reached_whatever_game_is_chosen() -> None:
    own = reviewed()[0].settings
    for number in range(5):
        there = later(own, 2)
        chosen = fed(there, Click(f"game:{number}"))
        assert "Puzzles (1)" in texts(chosen)
        page = fed(chosen, Click("puzzles"), Click(learn.MISTAKES))
        assert page.learning is not None
        assert (page.learning.course, page.learning.game) == (Course.MISTAKES, "numlo")
        tab = find(screen.scene(page), f"{learn.TABS}:0")
        assert tab is not None
        assert "1" in tab.text
        assert fed(page, Click(right(own))).settings.mistakes[0].found == 1


def test_a_game_whose_mistakes_are_not_for_today_is_shown_where_it_is_asked_for() -> (
    None
):
    own = reviewed()[0].settings
    (one,) = own.mistakes
    page = reviews.opened()
    assert page.match is not None
    found = replace(reviews.mistake(page), grade="blunder")
    best = replace(found.best[0], chance=found.played.chance + 2000)
    found = replace(found, best=(best,), chance_lost=2000)
    before = page.match.past[found.number].before
    word = mistakes.with_mistake(own, "networdz", page.match.id, before, found, DAY)
    (other,) = (each for each in word.mistakes if each != one)
    both = replace(own, mistakes=(replace(one, due=one.due + 30), other))
    page = fed(later(both, 2), Click("puzzles"), Click(learn.MISTAKES))
    assert page.learning is not None
    assert page.learning.game == "networdz"  # though Numlo is chosen
    turned = fed(page, Click(f"{learn.TABS}:1"))
    assert turned.learning is not None
    assert turned.learning.game == "numlo"
    assert turned.learning.course is Course.MISTAKES

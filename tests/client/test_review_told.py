"""What the review tells: how the match ended, to one alone points, what was lost."""

import re
from cProfile import Profile
from itertools import product
from pstats import Stats
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from client import lhexicon as lhexicon_shown
from client import numlo as numlo_shown
from client.app.board import Step
from client.app.model import Model, Over, Page
from client.pages import moves, play, review, reviewing, screen
from client.ui import texts as language
from client.ui import tiles
from client.ui.intents import Click
from client.ui.scene import Node, find, walk
from netplay import wire
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.table_questions import TOTAL, Appraisal, Offer
from netplay.sentences import Says
from rules import GAMES, lhexicon, numlo
from rules.game import CLOCK
from rules.numlo.grid import square_name
from tests.client import worlds
from tests.client.test_reviewing import (
    answered,
    at_mistake,
    mistake,
    node,
    opened,
    texts,
    unjudged,
)
from tests.client.worlds import at_match, base, ended, fed, in_match, status


def alone(game: str) -> Model:
    """Return the page of a match of one, with a turn that was much worse."""
    there = at_match(base((1280, 800)), 1) if game == "networdz" else None
    model = there or in_match(base((1280, 800)), game, 1, 8)
    model = fed(ended(model), Click(f"{play.TABS}:{play.REVIEW}"), Click(review.PAGE))
    match = model.match
    assert match is not None
    first, second = [*review.turns(match)][:2]
    move = b"" if game == "networdz" else wire.pack(match.past[first].move)
    other = b"" if game == "networdz" else wire.pack(match.past[second].move)
    rack = (0, 1) if game == "networdz" else ()
    made = Offer("8D CAT", 10, ("CAT: 10",), (), move, value=900, chance=2500)
    better = Offer("8D CATS", 30, ("CATS: 30",), (), other, value=4400, chance=5000)
    worse = Appraisal(
        match.missed + first, 0, rack, made, (better,), 30, 3500, 2500, "blunder"
    )
    vague = replace(
        worse, number=match.missed + second, equity_lost=0, chance_lost=0, grade="none"
    )
    known = {each.number: each for each in (worse, vague)}
    return replace(model, review=replace(model.review, known=known))


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_who_has_played_alone_is_told_of_points_only(game: str) -> None:
    model = alone(game)
    assert model.match is not None
    first, second = [*review.turns(model.match)][:2]
    for place in (first, second):
        page = fed(model, Click(f"{moves.TURN}:{place}"))
        spoken = [n.value for n in walk(node(page, "review.page")) if n.value]
        told = "\n".join([texts(page), *spoken])
        assert "chance" not in told
        assert "35" in told
        assert "%" not in told.replace("100 % would", "").replace(
            review_accuracy(page), ""
        )
        assert "35.0" in told or place == second
        beside = fed(page, Click(reviewing.CLOSE))
        assert "chance" not in worlds.texts(node(beside, "review"))


def review_accuracy(model: Model) -> str:
    """Return the share that stands before the player's name."""
    said = [n.text for n in walk(node(model, "review.accuracy")) if "Anna" in n.text]
    return said[0]


@pytest.mark.parametrize(
    ("places", "states", "how", "told"),
    [
        ((1, 2), "here here", "", ["You win by {ahead}", "({own} : {other})"]),
        ((2, 1), "late here", "", ["Bert wins", "({other} : {own})", "out of time"]),
        ((1, 1), "here here", "draw", ["A draw", "By agreement"]),
        ((1, 1), "here here", "stop", ["Stopped together", "nobody has won"]),
    ],
)
def test_how_the_match_has_ended_is_said(
    places: tuple[int, ...], states: str, how: Any, told: list[str]
) -> None:
    model = opened()
    assert model.table is not None and model.match is not None
    table = model.table
    seats = tuple(
        replace(each, state=state)
        for each, state in zip(table.seats, states.split(), strict=True)
    )
    offers = replace(table.offers, ended=how)
    table = replace(table, places=places, seats=seats, offers=offers)
    match = replace(
        model.match, state=replace(model.match.state, scores=(301, 254)), back=-1
    )
    shown = fed(replace(model, match=match), worlds.status(table=table))
    said = node(shown, "review.ended").text
    for each in told:
        assert each.format(own=301, other=254, ahead=47) in said


@pytest.mark.parametrize("winner", [0, 1])
def test_who_has_won_is_said_once(winner: int) -> None:
    model = opened("hexagrams")
    assert model.table is not None and model.match is not None
    table = replace(model.table, places=(1, 2) if winner == 0 else (2, 1))
    state = replace(model.match.state, ending="stuck", winner=winner)
    there = replace(model, match=replace(model.match, state=state, back=-1))
    said = node(fed(there, worlds.status(table=table)), "review.ended").text
    assert said.count("win") == 1
    assert model.names[1] in said  # as the winner, or as who has no move
    assert model.names[0] not in said or winner == 1


def test_one_alone_is_told_the_points_at_the_end() -> None:
    model = alone("networdz")
    assert model.match is not None
    (score,) = model.match.state.scores
    assert node(model, "review.ended").text.startswith(f"{score} points")


def lines(model: Model) -> list[Node]:
    return [n for n in walk(node(model, "review.page")) if n.name == "review.line"]


def test_the_line_is_open_where_turns_are_not_judged_yet() -> None:
    model = opened("numlo")
    assert model.match is not None
    (whole,) = lines(model)
    numbers = [model.match.missed + at for at in review.turns(model.match)]
    kept = [n for n in numbers if n not in numbers[5:9]]
    known = {n: model.review.known[n] for n in kept}
    first, second = lines(replace(model, review=replace(model.review, known=known)))
    assert first.points == whole.points[:5]
    assert second.points == whole.points[9:]
    known = {n: model.review.known[n] for n in numbers[:5]}
    first, end = lines(replace(model, review=replace(model.review, known=known)))
    assert first.points == whole.points[:5]
    assert end.points[-1] == whole.points[-1]


def test_the_play_made_is_marked_among_the_best_ones() -> None:
    model = opened()
    assert model.match is not None
    found = next(
        each
        for each in model.review.known.values()
        if isinstance(each, Appraisal)
        and each.played.text in {offer.text for offer in each.best[1:]}
    )
    place = found.number - model.match.missed
    shown = fed(model, Click(f"{moves.TURN}:{place}"), Click(reviewing.SHOW))
    rows = [n for n in walk(node(shown, "review.page")) if n.name.startswith("better:")]
    told = {n.name: n.value or n.text for n in rows}
    at = [offer.text for offer in found.best].index(found.played.text)
    assert [name for name, text in told.items() if "(played)" in text] == [
        f"{reviewing.BETTER}:{at}"
    ]


def test_a_turn_of_lhexicon_that_was_lost_on_time_is_a_turn() -> None:
    """But nobody's turn is lost where nobody answers a word in time."""
    there = fed(
        ended(in_match(base((1280, 800)), "lhexicon", 2, 6)),
        Click(f"{play.TABS}:{play.REVIEW}"), Click(review.PAGE),
    )  # fmt: skip
    assert there.match is not None
    match = there.match
    before = next(
        step.before
        for step in match.past
        if isinstance(step.move, lhexicon.Pass | lhexicon.Lay)
    )
    late = Step(before, CLOCK, lhexicon.Expire())
    match = replace(match, past=(late,), missed=0, back=-1)
    assert [*review.turns(match)] == [0]
    assert review.turn_of(match, 0) == before.turn
    lost = Appraisal(
        0, before.turn, (), Offer("x", 0, (), (), wire.pack(lhexicon.Pass())), ()
    )
    model = replace(there, match=match, review=replace(there.review, known={0: lost}))
    told = lhexicon_shown.tell(late, ("", ""))
    assert review.made(model, lost) == told.strip(" :") != ""


def test_what_was_asked_of_another_match_is_not_taken_for_this_one() -> None:
    """Its turns have the same numbers, and the node may answer late or refuse."""
    first = unjudged(2)
    assert first.match is not None and first.table is not None
    [(number, what)] = [
        (n, w) for n, w in first.asked.items() if w.startswith(review.ASKED)
    ]
    turn = int(what.partition(".")[2])
    late = Appraisal(turn, 0, (), Offer("late", 0, (), ()), ())
    for answer in (
        door.Done(number, data=wire.pack(late)),
        door.failed(number, LocalError(Code.USAGE, Says.ANALYSE_LATER())),
    ):
        rules = GAMES["numlo"]
        state, past = worlds.some_match("numlo", 2, 12, seed=3)
        happened = tuple(
            door.Happened(i, actor, wire.pack(rules.mask(before, actor, move, 0)), 0)
            for i, (before, actor, move) in enumerate(past)
        )
        packed = wire.pack(rules.view(state, 0))
        view = door.View(b"n", 0, len(past), packed, happened, True)
        other = worlds.status(table=replace(first.table, match=b"n"))
        left = fed(first, Click(reviewing.CLOSE), other, view)
        second = fed(left, Click(f"{play.TABS}:{play.REVIEW}"), Click(review.PAGE))
        assert second.match is not None and second.match.id == b"n"
        told = fed(second, answer)
        assert turn not in told.review.known
        whole = answered(told, "numlo")
        assert whole.match is not None
        assert len(whole.review.known) == len([*review.turns(whole.match)])


def drawn(model: Model) -> tuple[int, int]:
    """Return how often a frame puts moves into words, and asks whose turn one was."""
    profile = Profile()
    profile.runcall(screen.scene, model)
    told = turns = 0
    for (where, _line, name), (_own, count, *_) in Stats(profile).stats.items():  # type: ignore[attr-defined]
        place = where.replace("\\", "/")
        told += count * (name == "tell" and place.endswith("lhexicon/text.py"))
        turns += count * (name == "turn_of" and place.endswith("app/results.py"))
    return told, turns


def test_a_frame_of_the_review_finds_words_and_turns_once_and_the_next_not_again() -> (
    None
):
    model = alone("lhexicon")
    assert model.match is not None
    match = replace(model.match, past=model.match.past[:-1])
    model, count = replace(model, match=match), len(match.past)
    own = 2 * len(model.review.known)  # the moves made and the better ones, of few
    told, turns = drawn(model)
    assert (told, turns) == (count + own, count)
    assert drawn(model) == (own, 0)
    language.speak("de")  # in which words are others
    assert drawn(model) == (count + own, 0)
    tiles.call(tiles.PAGE)
    assert drawn(model) == (count + own, 0)
    assert drawn(model) == (own, 0)


@pytest.mark.parametrize("spoken", ["de", "en", "es", "fr", "ru"])
def test_what_the_line_shows_and_how_far_it_is_keep_apart(spoken: str) -> None:
    language.speak(spoken)
    for size in ((640, 400), (800, 600), (1024, 768)):
        model = opened("numlo", size)
        known = dict(model.review.known)
        first, found = next(iter(known.items()))
        assert isinstance(found, Appraisal)
        hasty = {**known, first: replace(found, at_sight=True)}
        fewer = {n: each for n, each in known.items() if n != first}
        assert model.match is not None
        looking = replace(model, match=replace(model.match, seat=-1))
        for one, some in product((model, looking), (hasty, fewer)):
            shown = replace(one, review=replace(one.review, known=some))
            whose, far = node(shown, "review.whose"), node(shown, "review.judged")
            assert whose.rect.right < far.rect.x
            named = model.names[0] in whose.text  # whose chance it is, of no player
            assert named is (one is looking)
            assert len(whose.text) > len(model.names[0]) + 5  # and what the line is
            for each in (whose, far):
                assert shown.look.width(each.text, each.size) <= each.rect.w
                assert "…" not in each.text
            assert str(len(fewer)) in far.text


def test_the_best_plays_are_said_to_score_what_they_do_beside_the_one_made() -> None:
    """What scores most of all need not be among them."""
    model = fed(at_mistake(opened()), Click(reviewing.SHOW), Click(reviewing.CLOSE))
    found = mistake(model)
    made = found.played.points

    def ahead(most: int, *points: int) -> list[str]:
        best = tuple(
            replace(found.best[0], points=each, laid=((n, "A", 1),))
            for n, each in enumerate(points)
        )
        other = replace(found, best=best, most=most, chance_lost=0)
        known = {**model.review.known, found.number: other}
        shown = replace(model, review=replace(model.review, known=known))
        told = [each.value for each in walk(node(shown, "review")) if each.value]
        (head,) = (each for each in told if each.endswith(":"))
        return re.findall(r"\d+", head)

    assert ahead(made + 22, made + 20, made + 18) == ["20"]
    assert ahead(made + 22, made, made - 2) == []


def test_what_a_mistake_cost_is_told_with_one_figure_wherever_it_is_told() -> None:
    """As what it was worth less: what other plays score stands beside them."""
    model = fed(at_mistake(opened()), Click(reviewing.SHOW))
    found, match = mistake(model), model.match
    assert match is not None
    cost = replace(
        found, equity_lost=2430, chance_lost=900, most=found.played.points + 22
    )
    shown = replace(model, review=replace(model.review, known={found.number: cost}))
    at_end = replace(shown, match=replace(match, back=-1), over=Over.NONE)
    costs = re.compile(r"\b\d[\d.]* points?\b")
    said = [
        "\n".join(each.value for each in walk(node(page, "review")))
        for page in (fed(shown, Click(reviewing.CLOSE)), at_end)
    ]
    assert set(costs.findall(said[0])) == {"24.3 points"}
    assert "24 points" in costs.findall(said[1])
    number = moves.numbers(at_end)[found.number - match.missed]
    row = node(at_end, f"turn:{found.number - match.missed}")
    words = [each.text for each in walk(row)]
    assert any(each.startswith(f"{number}  ") for each in words)
    assert "\N{MINUS SIGN}9 %" in words
    small = replace(cost, chance_lost=30)
    known = {found.number: small}
    page = replace(at_end, review=replace(at_end.review, known=known))
    words = [each.text for each in walk(node(page, row.name))]
    assert "\N{MINUS SIGN}0.3 %" in words, "more than nothing"
    assert review.missed(at_end, match) == (1, 1, 24)


@pytest.mark.parametrize("tried", [False, True])
@pytest.mark.parametrize("rematch", [False, True])
def test_a_review_ends_where_its_game_is_deleted_or_played_again(
    *, rematch: bool, tried: bool
) -> None:
    """In another window, or by those who were asked for a rematch meanwhile."""
    model = at_mistake(opened())
    if tried:
        model = fed(model, Click(reviewing.AGAIN))
    table = model.table
    assert table is not None
    again = replace(table, match=b"n", phase="playing", turn=(0,), places=(), audit="")
    model = fed(model, status(table=again if rematch else None))
    if tried:
        model = fed(model, Click("tryout.close"))
    assert model.over is Over.NONE
    assert model.page is (Page.MATCH if rematch else Page.START)
    if not rematch:
        assert fed(model, Click("finished")).over is Over.FINISHED


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_the_pool_is_that_of_before_the_turn_as_the_unseen_tiles_are(game: str) -> None:
    lettered = game == "networdz"
    if lettered:
        page = opened()
    else:
        over = ended(in_match(base(), game, 2, 14))
        page = fed(over, Click(f"{play.TABS}:{play.REVIEW}"), Click(review.PAGE))
    match = page.match
    assert match is not None
    whole = sum(match.past[0].before.tiles.counts)
    for known in (page.review.known, {}):  # judged, or not yet
        there = replace(page, review=replace(page.review, known=known))
        for at in review.turns(match):
            before = match.past[at].before
            laid = sum(each >= lettered for each in before.letters if each is not None)
            left = whole - laid - sum(map(len, before.tiles.racks))
            shown = replace(there, match=replace(match, back=at + 1))
            drawn = find(node(shown, "review.page"), "pool" if lettered else "bank")
            assert drawn is not None
            words = drawn.text.split()
            assert [int(each) for each in words if each.isdigit()] == [left]
    assert {*review.turns(match).values()} == {0, 1}


def test_the_page_goes_to_what_has_lost_most_until_somebody_chooses_a_turn() -> None:
    whole = opened("numlo")
    assert whole.match is not None
    match, known = whole.match, dict(whole.review.known)
    turns = sorted(match.missed + place for place in review.turns(match))
    first = next(n for n, seat in enumerate(review.turns(match).values()) if seat)
    turns = turns[first:]  # Anna has won: the game was lost by one of Bert's
    lost = {turns[2]: 400, turns[4]: 700, turns[7]: 900}
    for number, found in [*known.items()]:
        assert isinstance(found, Appraisal)
        grade = "mistake" if number in lost else "none"
        much = lost.get(number, 0)
        known[number] = replace(found, chance_lost=much, grade=grade, at_sight=True)
    fresh = replace(whole.review, match=b"", known={}, leads=False)
    bare = replace(whole, over=Over.NONE, review=fresh, asked={})
    start = fed(replace(bare, match=replace(match, back=-1)), Click(review.PAGE))
    for chosen in (False, True):
        page, seen = start, list[int]()
        while requests := [
            (n, int(what.partition(".")[2]))
            for n, what in page.asked.items()
            if what.startswith(review.ASKED)
        ]:
            n, number = requests[0]
            if number in page.review.known:
                break  # all were looked at: now they are thought out
            page = fed(page, door.Done(n, data=wire.pack(known[number])))
            assert page.match is not None
            seen.append(review.turn(page.match) + match.missed)
            if chosen and number == turns[2]:
                page = fed(page, Click(reviewing.AFTER))
        least = seen.index(turns[2])
        assert page.match is not None
        here = review.turn(page.match) + match.missed
        if chosen:
            assert here == turns[3]
        else:
            assert turns[4] == here == seen[-1]
            assert set(seen[least:]) == {turns[2], turns[4]}
            later = replace(known[turns[6]], chance_lost=2000, at_sight=False)
            n, number = requests[0]
            thought = replace(later, number=number)
            page = fed(page, door.Done(n, data=wire.pack(thought)))
            assert page.match is not None
            assert review.turn(page.match) + match.missed == turns[4]


def test_that_others_had_no_move_is_not_said_of_who_moved() -> None:
    rng, found = Random(1), 0
    for _match in range(6):
        options = numlo.Options(size=8, values=False)
        state = numlo.start(3, options)
        while actors := numlo.actors(state):
            actor = min(actors)
            move = rng.choice(list(numlo.moves(state, actor)))
            if actor >= 0 and state.passed and isinstance(move, numlo.Place):
                words = numlo_shown.tell(Step(state, actor, move), ("", "", ""))
                where = square_name(8, move.square)
                points = numlo.gain(state, actor, move.square)
                assert words.split() == [where, f"+{points}"]
                found += 1
            state = numlo.play(state, actor, move)
    assert found


def hopeless(model: Model, seat: int, share: int, *, at_sight: bool = False) -> Model:
    """Return the review of a match in which a seat had this chance from the start."""
    match = model.match
    assert match is not None
    known = {
        match.missed + at: Appraisal(
            match.missed + at, step.actor, (),
            Offer("x", 0, (), (), b"", chance=share if step.actor == seat else TOTAL),
            (), at_sight=at_sight,
        )
        for at, step in enumerate(match.past)
        if step.actor >= 0
    }  # fmt: skip
    review_ = replace(model.review, known=known, match=match.id)
    return replace(model, review=review_)


def test_a_game_that_was_lost_from_its_start_is_said_to_be() -> None:
    model = ended(in_match(base(), "hexagrams", 2, 8))
    model = fed(model, Click(f"{play.TABS}:{play.REVIEW}"))
    match, table = model.match, model.table
    assert match is not None
    assert table is not None
    own, other = match.seat, 1 - match.seat
    for loser in (own, other):
        places = tuple(2 if seat == loser else 1 for seat in (0, 1))
        lost = replace(table, places=places)
        there = replace(model, status=status(table=lost))
        said = review.doomed(hopeless(there, loser, 0), match)
        assert model.names[loser] in said
        shown = fed(hopeless(there, loser, 0), Click(review.PAGE))
        found = find(screen.scene(shown), reviewing.ENDED)
        assert found is not None
        assert said in " ".join(found.text.split())
        rest = hopeless(there, loser, 100), hopeless(there, loser, 0, at_sight=True)
        assert [review.doomed(each, match) for each in rest] == ["", ""]
        won = hopeless(there, 1 - loser, 0)
        assert review.doomed(won, match) == "", "it was not lost after all"

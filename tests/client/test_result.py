"""The card that tells how a match has ended, by real clicks and keys."""

from pathlib import Path
from typing import Any

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.app import follow
from client.app.board import Step
from client.app.model import Model, Over
from client.pages import agreeing, screen
from client.ui.intents import Click
from client.ui.scene import Mark, Node, find, walk
from client.update import Tick
from netplay import wire
from netplay.messages import door
from netplay.messages.node_questions import DefineWords
from netplay.messages.table_questions import (
    Agreeing,
    Finished,
    FinishedMatches,
    GetFinished,
    PlayAgain,
)
from netplay.sentences import Says
from rules import GAMES, LISTED, hexcolumns, lexicon
from rules.game import Resign
from tests.client import worlds
from tests.client.past import one
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import asks, base, fed, in_match
from tests.said import says

pytestmark = needs_dummy


def over(game: str, seats: int, moves: int, **table: Any) -> Model:
    """Return the window when such a match has just ended."""
    return told(in_match(base(), game, seats, moves), **table)


def told(model: Model, **table: Any) -> Model:
    assert model.match is not None
    assert model.table is not None
    places = GAMES[model.match.game].places(model.match.state)
    usual = {"phase": "over", "turn": (), "audit": "ok", "places": places, **table}
    return fed(model, worlds.status(table=replace(model.table, **usual)))


def card(model: Model) -> Node:
    found = find(screen.scene(model), "result.box")
    assert found is not None
    return found


def reads(model: Model) -> str:
    return "\n".join(node.text for node in walk(card(model)) if node.text)


def test_the_card_is_gone_when_another_match_begins_at_the_table() -> None:
    model = over("numlo", 2, 200)
    assert model.over is Over.RESULT
    assert model.table is not None
    again = replace(model.table, match=b"another", phase="playing", places=())
    model = fed(model, worlds.status(table=again))
    assert model.over is Over.NONE  # else it eats the first click of the next match


async def played(script: Scripted) -> None:
    """Play a match of Numlo to its end, by clicks on the board."""
    await script.click(f"game:{list(LISTED).index('numlo')}")
    await script.click("play")
    script.node.moves = 999
    while not script.sees("result.box"):
        before = len(script.node.past)
        move = next(iter(script.node.game.moves(script.node.state, 0)))
        await script.click(f"cell:{move.square}")
        assert len(script.node.past) > before


async def test_the_card_opens_by_itself_at_the_end_and_leads_to_what_comes_next(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path, "Anna") as script:
        await played(script)
        await script.click("result.close")
        assert not script.sees("result.box")
        await script.click("result")
        assert script.sees("result.box")
        await script.key(pygame.K_ESCAPE)
        assert not script.sees("result.box")
        await script.click("result")
        await script.click("result.review")
        assert not script.sees("result.box")
        assert script.sees("review")  # with the summary, before any turn
        assert script.loop.model.match is not None
        assert script.loop.model.match.back == -1
        await script.click("result")
        await script.click("result.rematch")
        assert script.node.asked[-1] == PlayAgain()


async def test_a_key_that_steps_through_the_moves_closes_the_card_and_does_so(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path, "Anna") as script:
        await played(script)
        await script.key(pygame.K_PAGEUP)
        assert not script.sees("result.box")
        match = script.loop.model.match
        assert match is not None
        assert match.back == len(match.past) - 1


@pytest.mark.parametrize("game", [*LISTED])
def test_every_game_tells_its_end_in_a_card(game: str) -> None:
    model = over(game, 2, 0 if game == "hexcolumns" else 60)
    assert model.over is Over.RESULT
    names = [node.name for node in walk(card(model))]
    assert {"result.player0", "result.player1", "result.why"} <= set(names)
    assert ("graph.1" in names) == (game != "hexcolumns")


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_the_card_tells_what_the_words_mean_where_their_list_says_so(game: str) -> None:
    before = in_match(base(), game, 2, 60)
    assert before.match is not None
    assert before.table is not None
    places = GAMES[game].places(before.match.state)
    ended = replace(before.table, phase="over", turn=(), audit="ok", places=places)
    (question,) = [
        ask
        for ask in asks(before, worlds.status(table=ended))
        if isinstance(ask, DefineWords)
    ]
    assert question.words == lexicon.shipped()["english"]
    assert len(question.listed) > 5
    assert all(word.isalpha() for word in question.listed)
    model = over(game, 2, 60)
    number = next(n for n, what in model.asked.items() if what == "meant")
    first, second = question.listed[:2]
    assert f"{first}: " not in reads(model)
    data = f"{first}\tlava\n{second}\tpet".encode()
    shown = reads(fed(model, door.Done(number, data=data)))
    assert f"{first}: lava\n{second}: pet" in shown
    refused = fed(model, door.Failed(number, 1))
    assert reads(refused) == reads(model)
    assert refused.fault is None


def test_without_a_list_nobody_is_asked_what_words_mean() -> None:
    model = over("numlo", 2, 400)
    assert "meant" not in model.asked.values()
    before = replace(in_match(base(), "networdz", 2, 60), guest=True)
    assert "meant" not in told(before).asked.values()  # guests may ask little


def test_who_gives_up_before_the_first_move_is_not_said_to_have_begun() -> None:
    begins = "Starts the rematch"
    model = in_match(base(), "hexagrams", 2, 0)
    assert model.match is not None
    before = model.match.state
    gone = Step(before, 1, Resign())
    state = GAMES["hexagrams"].play(before, 1, Resign())
    match = replace(model.match, state=state, past=(gone,))
    model = told(replace(model, match=match))
    said = [node.text for node in walk(card(model))]
    assert begins not in said
    model = over("hexagrams", 2, 3)
    assert begins in [node.text for node in walk(card(model))]
    assert model.match is not None
    later = replace(model, match=replace(model.match, missed=1))
    assert begins not in [node.text for node in walk(card(later))]


def test_it_is_told_once_and_not_of_a_match_in_dispute_or_behind_a_curtain() -> None:
    model = over("numlo", 2, 400)
    closed = fed(model, Click("result.close"))
    assert closed.over is Over.NONE
    assert told(closed).over is Over.NONE
    assert over("numlo", 2, 400, disputed=True).over is Over.NONE
    fresh = in_match(base(), "networdz", 2, 60)
    assert told(fresh).over is Over.RESULT
    assert fresh.match is not None
    hidden = replace(fresh, match=replace(fresh.match, covered=True))
    two = tuple(worlds.seat(name, "person") for name in worlds.NAMES[:2])
    assert told(hidden, seats=two).over is Over.NONE


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo"])
def test_the_last_point_of_each_line_is_the_score(game: str) -> None:
    model = over(game, 2, 60)
    scored = GAMES[game].ABOUT.scored
    assert model.match is not None
    assert scored is not None
    course = follow.course(model.match)
    assert course[-1][1] == scored.scores(model.match.state)
    assert len(course) > 10


@pytest.mark.parametrize("game", ["networdz", "numlo"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_line_ends_in_the_sign_and_colour_of_its_players_card(
    game: str, seats: int
) -> None:
    shown = card(over(game, seats, 30))
    for seat in range(seats):
        line, face = (find(shown, f"{n}{seat}") for n in ("graph.", "result.player"))
        assert line is not None
        assert face is not None
        (sign,) = (each for each in walk(face) if each.mark is not Mark.NONE)
        (end,) = (
            each
            for each in walk(shown)
            if each.fg == line.edge and each.mark is not Mark.NONE and each != sign
        )
        assert (end.mark, end.fg) == (sign.mark, sign.fg)
        x, y = line.points[-1]
        assert abs(end.rect.centre[1] - y) <= 1
        assert 0 <= end.rect.x - x <= end.rect.w


def test_the_lines_of_a_game_in_real_time_end_at_the_scores() -> None:
    """The last points may come with no input, as a piece that is out lands."""
    model = over("hexcolumns", 2, 0)
    assert model.match is not None
    wells = tuple(
        replace(well, score=points)
        for well, points in zip(model.match.state.wells, (20, 10), strict=True)
    )
    state = replace(model.match.state, wells=wells)
    for last in ((15, 10), (20, 10)):
        seen = ((0, (0, 0)), (900, last))
        match = replace(model.match, state=state, course=seen)
        course = follow.course(match)
        assert course[-1][1] == (20, 10)
        assert course[0] == (0, (0, 0))


def test_who_still_drops_pieces_at_the_end_does_not_close_the_card_unread() -> None:
    busy = replace(in_match(base(), "hexcolumns", 2, 0), now=9.0, touched=8.9)
    ended = told(busy)
    assert ended.over is Over.NONE
    later = fed(ended, Tick(9.5))
    assert later.over is Over.NONE
    assert fed(later, Tick(10.0)).over is Over.RESULT


def test_a_match_without_any_points_draws_no_lines() -> None:
    model = over("networdz", 2, 12)
    assert model.match is not None
    assert find(card(model), "graph.0") is not None
    first = next(step for step in model.match.past if step.actor >= 0)
    passed, start = (first,) * 4, first.before  # nothing comes of a pass
    flat = replace(model, match=replace(model.match, past=passed, state=start))
    assert find(card(flat), "graph.0") is None


@pytest.mark.parametrize("game", ["numlo", "hexcolumns"])
def test_who_gives_up_before_the_first_move_leaves_no_lines(game: str) -> None:
    model = over(game, 2, 0)
    match = model.match
    assert match is not None
    gone = Step(match.state, 0, Resign())
    state = GAMES[game].play(match.state, 0, GAMES[game].Resign())
    course = ((0, (0, 0)), (900, (0, 0))) if match.hurries else ()
    flat = replace(match, past=(*match.past, gone), state=state, course=course)
    assert find(card(replace(model, match=flat)), "graph.0") is None


def test_computers_that_stop_with_the_last_person_are_no_reason() -> None:
    model = in_match(base(), "hexcolumns", 2, 0)
    assert model.match is not None
    state = model.match.state
    for seat in (0, 1):
        state = hexcolumns.play(state, seat, hexcolumns.Resign())
    ended = replace(model, match=replace(model.match, state=state))
    why = find(card(told(ended)), "result.why")
    assert why is not None
    assert [name for name in model.names if name in why.text] == ["Anna"]


def test_who_was_pushed_out_by_rows_is_told_whose_they_were() -> None:
    model = over("hexcolumns", 2, 0)
    match = model.match
    assert match is not None
    first, second = match.state.wells
    full = bytes([1]) * len(second.cells)
    first = replace(first, over=True, piece=b"", taken=3)  # room for a piece is left
    second = replace(second, over=True, piece=b"", sent=3, cells=full)
    state = replace(match.state, wells=(first, second))
    ended = replace(model, match=replace(match, state=state))
    why = find(card(told(ended)), "result.why")
    assert why is not None
    assert why.text.index("Anna") < why.text.index("Bert")


def test_the_headline_says_by_how_much_and_of_ties_and_draws() -> None:
    model = over("numlo", 2, 400)
    match, table = model.match, model.table
    scored = GAMES["numlo"].ABOUT.scored
    assert match is not None
    assert table is not None
    assert scored is not None
    scores = scored.scores(match.state)
    ahead = str(max(scores) - min(scores))
    assert ahead in agreeing.result(model, table, match)[0]
    first = table.places.index(1)
    for here, said in (((first,), "You win by"), ((0, 1), model.names[first])):
        kinds = ["person" if seat in here else "remote" for seat in (0, 1)]
        zipped = zip(table.seats, kinds, strict=True)
        seats = tuple(replace(seat, kind=kind) for seat, kind in zipped)
        shown = agreeing.result(model, replace(table, seats=seats), match)[0]
        assert shown.startswith(said), "of two at one window neither is *you*"
    tie = replace(table, places=(1, 1))
    assert agreeing.result(model, tie, match)[0].endswith(": Anna, Bert")
    stones = over("hexagrams", 2, 10, places=(1, 1))
    assert stones.match is not None
    assert stones.table is not None
    assert agreeing.result(stones, stones.table, stones.match)[0] == "A draw"


def test_a_draw_that_was_agreed_to_is_said_once() -> None:
    stones = over("hexagrams", 2, 10, places=(1, 1))
    assert stones.match is not None
    assert stones.table is not None
    agreed = replace(stones.table, offers=Agreeing(ended="draw"))
    title, why = agreeing.result(stones, agreed, stones.match)
    assert "draw" in title
    assert why
    assert "draw" not in why


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("ending", ["hexads", "blocked", "stuck", "count", "resigned"])
@pytest.mark.parametrize("kind", ["person", "computer", "remote"])
def test_who_has_won_at_hexagrams_is_said_once(
    ending: Any, winner: int, kind: str
) -> None:
    stones = over("hexagrams", 2, 10, places=(1 + winner, 2 - winner))
    match, table = stones.match, stones.table
    assert match is not None and table is not None
    table = replace(table, seats=(table.seats[0], replace(table.seats[1], kind=kind)))
    state = replace(match.state, ending=ending, winner=winner)
    title, why = agreeing.result(stones, table, replace(match, state=state))
    first, other = stones.names[winner], stones.names[1 - winner]
    assert other not in title
    assert (first in title) is (winner == 1 or kind == "person")
    assert why
    assert first not in why
    assert (other in why) is (ending != "count")


def test_of_three_the_winner_is_ahead_of_the_second() -> None:
    model = over("numlo", 3, 400)
    scored = GAMES["numlo"].ABOUT.scored
    assert model.match is not None
    assert model.table is not None
    assert scored is not None
    last, second, first = sorted(scored.scores(model.match.state))
    assert last < second < first
    told = agreeing.result(model, model.table, model.match)[0]
    assert told.split()[-1] == str(first - second)


def test_a_draw_of_tiles_that_was_not_proved_is_said_on_the_card() -> None:
    model = told(
        worlds.at_match(base()), audit="", held_up="Bert did not open the pool"
    )
    assert "NOT AUDITED" in reads(model)


def test_a_wish_for_a_rematch_is_read_on_the_card_that_hides_the_page() -> None:
    for size in ((1280, 800), (800, 500)):
        model = told(in_match(base(size), "numlo", 2, 400), rematch=("Bert",))
        assert model.over is Over.RESULT
        wish = find(card(model), "result.wish")
        assert wish is not None
        assert says(wish.text, Says.WOULD_REMATCH, name="Bert")
        again = find(card(model), "result.rematch")
        assert again is not None
        assert again.rect.y - wish.rect.bottom < 20
        assert wish.rect.bottom <= again.rect.y


def test_who_asks_for_a_rematch_is_not_told_so_as_of_somebody_else() -> None:
    asked = {"rematch": ("Anna",), "wished": True, "host": "Bert"}
    model = told(in_match(base(), "numlo", 2, 400), **asked)
    wish = find(card(model), "result.wish")
    assert wish is not None
    assert "Anna" not in wish.text
    assert "Bert" in wish.text


def test_before_a_game_without_tiles_none_are_said_to_be_mixed() -> None:
    said = {}
    for game in LISTED:
        model = in_match(base(), game, 2, 0)
        assert model.table is not None
        begins = fed(model, worlds.status(table=replace(model.table, phase="starting")))
        state = find(screen.scene(begins), "instructions")
        assert state is not None
        said[game] = state.text
    assert said["networdz"] == said["lhexicon"]
    assert said["networdz"] not in {said["hexcolumns"], said["hexagrams"]}


def test_nobody_has_won_what_all_have_agreed_to_stop() -> None:
    model = in_match(base(), "numlo", 2, 40)
    agreed = told(model, places=(1, 1), offers=Agreeing(ended="stop"))
    for ended, winners in ((agreed, 0), (told(model, places=(1, 2)), 1)):
        won = [node for node in walk(card(ended)) if node.value == "winner"]
        assert len(won) == winners


def against(model: Model, *found: Finished) -> list[str]:
    """Return what the card says of each friend in the match, as won : lost."""
    known = replace(model, past=replace(model.past, found=found))
    lines = [node.text for node in walk(card(known)) if node.text]
    return [lines[n + 1] for n, text in enumerate(lines) if text == "Against Bert"]


def test_a_match_counts_once_against_a_friend_whether_the_list_has_it_or_not() -> None:
    model = in_match(base(), "numlo", 2, 400)
    assert model.table is not None
    anna, bert = model.table.seats
    bert = replace(bert, kind="remote", key="BERT-KEYS")
    for places, fresh in (((1, 2), "2 : 1"), ((2, 1), "1 : 2"), ((1, 1), "1 : 1")):
        ended = told(model, seats=(anna, bert), places=places)
        assert ended.match is not None
        old = one(1), one(2, result="lost", places=(2, 1))
        assert against(ended, *old) == [fresh]
        result_ = {(1, 2): "won", (2, 1): "lost", (1, 1): "tied"}[places]
        this = one(3, match=ended.match.id, result=result_, places=places)
        assert against(ended, *old, this) == [fresh]


@pytest.mark.parametrize("old", [(), (one(1), one(2))])
def test_the_first_match_with_a_friend_counts_as_soon_as_all_others_were_read(
    old: tuple[Finished, ...],
) -> None:
    model = in_match(base(), "numlo", 3, 400)
    assert model.table is not None
    anna, bert, dora = model.table.seats
    bert = replace(bert, kind="remote", key="BERT-KEYS")
    dora = replace(dora, kind="remote", key="DORA-KEYS", name="Dora")
    seats = (anna, bert, dora)
    ended = worlds.status(
        table=replace(model.table, phase="over", turn=(), seats=seats, places=(1, 2, 3))
    )
    assert asks(model, ended) == [GetFinished()]
    model = fed(model, ended)
    assert asks(model, ended) == [], "once for each end"
    assert "Against" not in reads(model), "others may not have been read yet"
    wanted = next(n for n, what in model.asked.items() if what == "finished.heads")
    page = wire.pack(FinishedMatches(old, len(old), more=False))
    lines = reads(fed(model, door.Done(wanted, data=page))).splitlines()
    assert lines[lines.index("Against Bert") + 1] == f"{1 + len(old)} : 0"
    assert lines[lines.index("Against Dora") + 1] == "1 : 0"


def test_who_was_late_long_before_the_end_is_not_the_reason_of_it() -> None:
    model = in_match(base(), "numlo", 3, 400)
    assert model.table is not None
    first, second, third = model.table.seats
    late = replace(third, state="late")
    whys = []
    for other in (second, replace(second, state="resigned")):
        why = find(card(told(model, seats=(first, other, late))), "result.why")
        assert why is not None
        whys.append(model.names[2] in why.text)
    assert whys == [False, True]


def test_without_lines_facts_stand_beside_each_other_in_a_low_card() -> None:
    model, none = over("hexcolumns", 2, 0), over("hexagrams", 2, 0)
    assert model.match is not None
    flat = replace(model, match=replace(model.match, course=()))
    high = card(over("numlo", 2, 12)).rect.h
    for each in (flat, none):
        assert find(card(each), "graph.0") is None
        assert card(each).rect.h < high
    assert "⬡" not in reads(none), "nothing was captured, and nothing is told of it"
    facts = find(card(flat), "result.facts")
    assert facts is not None
    lines = [node for node in walk(facts) if node.text]
    first, second = (n for n in lines if n.text in flat.names)
    assert first.rect.y == second.rect.y
    assert first.rect.right <= second.rect.x
    assert lines.index(second) == lines.index(first) + 2, "each is read as a whole"

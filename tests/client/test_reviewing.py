"""The review: the chance to win turn by turn, and better moves asked for."""

from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace

from client import networdz as networdz_shown
from client.app.board import Step
from client.app.model import Ask, Model, Over, Store
from client.browser.session import fitting
from client.pages import moves, play, review, reviewing, screen
from client.ui.intents import Click, Key
from client.ui.scene import Node, Rect, Role, find, hit, walk
from netplay import wire
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.messages.table_questions import TOTAL, Appraisal, Appraise, Offer
from netplay.said import Said
from netplay.sentences import Says
from rules import GAMES, lhexicon, networdz, numlo
from rules.game import CLOCK, Resign
from tests.client import games, worlds
from tests.client.clicking import update
from tests.client.test_networdz_challenges import waits
from tests.client.worlds import at_match, base, ended, fed, in_match

MOVES = {"networdz": 8, "numlo": 30, "hexagrams": 8}


def answered(model: Model, game: str) -> Model:
    """Let the node answer all that is asked for."""
    while asked := [
        (n, int(what.partition(".")[2]))
        for n, what in model.asked.items()
        if what.startswith(review.ASKED)
    ]:
        for n, number in asked:
            model = fed(
                model, door.Done(n, data=wire.pack(judged(model, game, number)))
            )
    return model


def judged(model: Model, game: str, number: int) -> Appraisal:
    assert model.match is not None
    step = model.match.past[number - model.match.missed]
    if game != "networdz":
        before, move = wire.pack(step.before), wire.pack(step.move)
        return worlds.compared(number, step.actor, game, before, move)
    found = worlds.judged(number - model.match.missed, 2, MOVES[game], hasty=True)
    return replace(found, number=number)


def opened(
    game: str = "networdz", size: tuple[int, int] = (1280, 800), missed: int = 0
) -> Model:
    """Return the page of a match that is over, all turns judged.

    Args:
        game: Which.
        size: Of the window.
        missed: Moves that were made before those that the window has.
    """
    word = game == "networdz"
    there = at_match(base(size)) if word else in_match(base(size), game, 2, MOVES[game])
    assert there.match is not None
    there = replace(there, match=replace(there.match, missed=missed))
    model = answered(fed(ended(there), Click(f"{play.TABS}:{play.REVIEW}")), game)
    return answered(fed(model, Click(review.PAGE)), game)


def node(model: Model, name: str) -> Node:
    found = find(screen.scene(model), name)
    assert found is not None, name
    return found


def lines(model: Model, name: str) -> tuple[str, ...]:
    """Return what stands on a node."""
    return tuple(n.text for n in walk(node(model, name)) if n.text)


def texts(model: Model) -> str:
    return "\n".join(lines(model, "review.page"))


def mistake(model: Model) -> Appraisal:
    """Return an own turn that was worse, which the page asks about."""
    assert model.match is not None
    return next(
        each
        for each in model.review.known.values()
        if isinstance(each, Appraisal)
        and each.grade != "none"
        and each.seat == model.match.seat
    )


def at_mistake(model: Model) -> Model:
    assert model.match is not None
    place = mistake(model).number - model.match.missed
    return fed(model, Click(f"{moves.TURN}:{place}"))


@pytest.mark.parametrize("game", list(MOVES))
def test_all_turns_are_asked_for_and_stand_on_the_line(game: str) -> None:
    model = opened(game, missed=7)
    assert model.over is Over.REVIEW
    assert model.match is not None
    analysed = [
        each for each in model.review.known.values() if isinstance(each, Appraisal)
    ]
    assert {each.seat for each in analysed} == {0, 1}
    steps = enumerate(model.match.past, 7)
    assert {each.number for each in analysed} <= {n for n, s in steps if s.actor >= 0}
    assert len(analysed) == MOVES[game]
    line = node(model, "review.line")
    assert len(line.points) == len(analysed) + 1  # how it ended
    own = model.match.seat
    for each, (_x, y) in zip(analysed_in_order(analysed), line.points, strict=False):
        share = each.played.chance if each.seat == own else TOTAL - each.played.chance
        assert line.rect.bottom - share * line.rect.h // TOTAL == y


def analysed_in_order(found: list[Appraisal]) -> list[Appraisal]:
    return sorted(found, key=lambda each: each.number)


def test_a_turn_refused_before_the_bag_was_opened_is_asked_for_again() -> None:
    late = LocalError(Code.USAGE, Says.ANALYSE_LATER())
    model = ended(at_match(base()))
    [first] = [n for n, what in model.asked.items() if what.startswith(review.ASKED)]
    model = answered(fed(model, door.failed(first, late)), "networdz")
    assert model.table is not None
    assert isinstance(review.known(model), Said)
    waiting = fed(model, worlds.status(table=model.table))
    assert waiting.asked == model.asked, "nothing has been opened meanwhile"
    entered = replace(model.table, entries=model.table.entries + 1)
    whole = answered(fed(model, worlds.status(table=entered)), "networdz")
    assert isinstance(review.known(whole), Appraisal)


def test_the_better_move_of_a_mistake_is_asked_for_before_it_is_shown() -> None:
    model = at_mistake(opened())
    found = mistake(model)
    better = review.spelled(found.best[0])
    assert better not in texts(model)
    assert found.why is not None

    shown = fed(model, Click(reviewing.SHOW))

    assert better in texts(shown)
    assert find(screen.scene(shown), reviewing.AGAIN) is None


def test_the_letters_of_an_own_turn_of_lhexicon_lie_below_the_board() -> None:
    past = worlds.some_match("lhexicon", 2, 14)[1]
    over = ended(in_match(base(), "lhexicon", 2, 14))
    page = fed(over, Click(f"{play.TABS}:{play.REVIEW}"), Click(review.PAGE))
    match = page.match
    assert match is not None
    own = [at for at in review.turns(match) if past[at][1] == match.seat]
    assert len(own) > 3
    plain = Offer("", 0, (), ())
    told = {at: Appraisal(at, match.seat, (), plain, (), 0) for at in own[::2]}
    page = replace(page, review=replace(page.review, match=match.id, known=told))
    for at in own:  # judged or not yet: they are known here
        there = replace(page, match=replace(match, back=at + 1))
        held = past[at][0].tiles.kinds[match.seat]
        faces = [lhexicon.text(k) if k < lhexicon.BLANK else "?" for k in held]
        assert [kid.text for kid in node(there, "review.rack").kids] == faces
        drawn = [n for n in walk(screen.scene(there)) if n.name.startswith("unseen:")]
        left = sum(int(n.text) for n in drawn)
        laid = sum(each >= 0 for each in past[at][0].letters)
        assert laid + len(held) + left == sum(past[0][0].tiles.counts)


def inside(small: Rect, large: Rect) -> bool:
    x, y = small.x + small.w // 2, small.y + small.h // 2
    return large.x <= x < large.right and large.y <= y < large.bottom


def test_what_was_played_and_what_is_better_are_on_the_board_at_once() -> None:
    model = at_mistake(opened())
    assert find(screen.scene(model), reviewing.DASH) is None  # it is asked for
    shown = fed(model, Click(reviewing.SHOW))
    found, match = mistake(shown), shown.match
    assert match is not None
    offer = found.best[0]
    cells = {f"cell:{cell}" for cell, _letter, _kind in offer.laid}
    root = node(shown, "review.page")
    empty = {n.name for n in walk(root) if n.name in cells and n.role is Role.CELL}
    assert empty  # the better word has squares of its own
    outlined = {n.rect for n in walk(root) if n.name == reviewing.DASH}
    under = (
        next(n.name for n in walk(root) if n.role is Role.CELL and inside(one, n.rect))
        for one in outlined
    )
    assert sorted(under) == sorted(empty)
    for cell in match.past[found.number - match.missed].move.laid:
        assert node(shown, f"cell:{cell.cell}").role is Role.TILE
    one = fed(shown, Click(f"{reviewing.BETTER}:0"))  # laid alone
    assert find(screen.scene(one), reviewing.DASH) is None


def test_a_better_word_can_be_read_where_it_crosses_what_was_played() -> None:
    shown = fed(at_mistake(opened()), Click(reviewing.SHOW))
    found = mistake(shown)
    made = found.played.laid
    others = tuple((cell, 25 - letter, 25 - kind) for cell, letter, kind in made)
    crossing = (others[0], *made[1:])  # its last letters are those that were played
    for laid, dashed in ((others, others), (crossing, crossing[:1])):
        best = replace(found.best[0], laid=laid)
        known = {**shown.review.known, found.number: replace(found, best=(best,))}
        over = replace(shown, review=replace(shown.review, known=known))
        root = node(over, "review.page")
        outlined = {n.rect for n in walk(root) if n.name == reviewing.DASH}
        places = [find(root, f"cell:{cell}") for cell, _letter, _kind in dashed]
        assert len(outlined) == len(places)
        for place in places:
            assert place is not None
            assert any(inside(one, place.rect) for one in outlined)


@pytest.mark.parametrize("game", ["numlo", "networdz"])
def test_a_better_move_is_dashed_wherever_the_page_says_so(game: str) -> None:
    shown = fed(at_mistake(opened(game)), Click(reviewing.SHOW))
    assert find(screen.scene(shown), reviewing.DASH) is not None
    assert "dashed" in texts(shown)
    found, match = mistake(shown), shown.match
    assert match is not None
    none = replace(found, best=(found.played,))
    known = {**shown.review.known, found.number: none}
    alone = replace(shown, review=replace(shown.review, known=known))
    assert find(screen.scene(alone), reviewing.DASH) is None
    assert "dashed" not in texts(alone)


@pytest.mark.parametrize("game", ["numlo", "networdz"])
def test_the_better_move_is_named_where_no_list_has_to_be_rolled(game: str) -> None:
    model = replace(at_mistake(opened(game)), size=(1240, 680))
    why = replace(mistake(model), why=mistake(at_mistake(opened())).why)
    known = {**model.review.known, why.number: why}
    model = replace(model, review=replace(model.review, known=known))
    shown = fed(model, Click(reviewing.SHOW))
    better = node(shown, f"{reviewing.BETTER}:0").rect
    told = node(shown, reviewing.TOLD if game == "numlo" else reviewing.PLAYS).rect
    assert inside(better, told)


def test_the_card_counts_no_better_moves_before_every_own_turn_was_looked_at() -> None:
    """None of the first turns is no praise for all of them."""

    def counted(model: Model) -> str:
        card = node(replace(model, over=Over.RESULT), "result.facts")
        told = [each.text for each in walk(card) if each.text]
        return told[told.index("Better moves missed") + 1]

    model = opened("numlo")
    whole = counted(model)
    assert whole.startswith(f"{model.names[0]}: ")
    found = mistake(model)
    rest = {n: each for n, each in model.review.known.items() if n != found.number}
    some = replace(model, review=replace(model.review, known=rest))
    assert counted(some) == "…"


@pytest.mark.parametrize("size", [(1280, 800), (800, 500)])
def test_all_tiles_lie_on_the_board_on_the_rack_or_are_told_as_unseen(
    size: tuple[int, int],
) -> None:
    model = opened(size=size)
    assert model.match is not None
    for found in model.review.known.values():
        assert isinstance(found, Appraisal)
        place = found.number - model.match.missed
        before = model.match.past[place].before
        edition = networdz.ground(before.options).edition
        left = Counter(
            dict(zip((e.letters for e in edition.kinds), edition.counts, strict=True))
        )
        left -= Counter(
            edition.kinds[each - 1].letters for each in before.kinds if each
        )
        left -= Counter(edition.kinds[each].letters for each in found.rack)
        shown = fed(model, Click(f"{moves.TURN}:{place}"))
        page = [*walk(node(shown, "review.page"))]
        drawn = {n.value for n in page if n.name.startswith("unseen:")}
        if size[0] > 800:
            every = {edition.kinds[kind].letters for kind in range(len(edition.counts))}
            assert drawn == {f"{face} {left[face]}" for face in every}
        else:
            assert not drawn
            words = ""
            for offset in range(0, 400, 20):
                rolled = replace(shown, scrolls={reviewing.TOLD: offset})
                words += texts(rolled)
            assert all(
                f"{face}\N{NO-BREAK SPACE}{n}" in words for face, n in left.items()
            )


def test_each_player_has_a_column_and_who_began_has_the_left_one() -> None:
    model = opened()
    assert model.match is not None
    seats = {step.actor for step in model.match.past if step.actor >= 0}
    spots: dict[int, list[Rect]] = {seat: [] for seat in seats}
    for each in walk(node(model, moves.TURNS)):
        if each.name.startswith(moves.TURN):
            place = int(each.name.partition(":")[2])
            spots[model.match.past[place].actor].append(each.rect)
    lefts = [{rect.x for rect in rects} for rects in spots.values()]
    assert all(len(xs) == 1 for xs in lefts)
    first = min(found.number for found in model.review.known.values()
                if isinstance(found, Appraisal)) - model.match.missed  # fmt: skip
    began = model.match.past[first].actor
    assert min(rect.x for rect in spots[began]) == min(map(min, lefts))
    assert {r.y for r in spots[0]} & {r.y for r in spots[1]}  # a line for both


def test_the_list_says_why_of_an_own_mistake_only_once_it_is_shown() -> None:
    model = at_mistake(opened())
    better = mistake(model).best[0].text.partition(" ")[0]

    def told(model: Model) -> str:
        listed = walk(node(model, moves.TURNS))
        return "\n".join(n.text for n in listed if n.text)

    assert better not in told(model)
    assert better in told(fed(model, Click(reviewing.SHOW)))


def test_a_loss_smaller_than_the_judge_may_err_is_not_called_nothing() -> None:
    model = opened()
    found = next(
        each
        for each in model.review.known.values()
        if isinstance(each, Appraisal) and not each.chance_lost
    )
    assert model.match is not None
    model = fed(model, Click(f"{moves.TURN}:{found.number - model.match.missed}"))
    before = set(texts(model).splitlines())
    best = replace(found.best[0], chance=found.played.chance + 540)
    doubtful = replace(found, best=(best, *found.best[1:]))
    known = {**model.review.known, found.number: doubtful}
    model = replace(model, review=replace(model.review, known=known))
    after = set(texts(model).splitlines())
    assert "5.4 %" in "".join(after - before)
    assert before - after  # the verdict is another


def test_a_turn_has_the_number_that_it_has_in_the_list_of_moves() -> None:
    model = at_mistake(opened())
    match = model.match
    assert match is not None
    found = mistake(model)
    before = match.past[: found.number - match.missed]
    lines = [networdz_shown.tell(step, model.names) for step in before]
    number = sum(map(bool, lines)) + 1
    assert f"\n{number}  {model.names[found.seat]}: " in texts(model)


def test_the_tiles_of_the_turn_lie_below_its_board_whoever_made_it() -> None:
    model = opened()
    match = model.match
    assert match is not None
    for found in analysed_in_order(
        [each for each in model.review.known.values() if isinstance(each, Appraisal)]
    ):
        shown = fed(model, Click(f"{moves.TURN}:{found.number - match.missed}"))
        faces = [kid for kid in node(shown, "review.rack").kids if kid.name == ""]
        told = review.rack(match, found).partition(": ")[2]
        assert [each.text for each in faces] == told.split(" ")
        assert find(node(shown, "review.page"), "done") is None


def test_the_board_keeps_its_place_and_no_other_hand_lies_there_meanwhile() -> None:
    known = opened()
    match = known.match
    assert match is not None
    other = next(
        at
        for at, step in enumerate(match.past)
        if step.actor == 1 - match.seat
        and review.turn(replace(match, back=at + 1)) == at
    )
    known = fed(known, Click(f"{moves.TURN}:{other}"))
    waits = replace(known, review=replace(known.review, known={}))
    assert find(screen.scene(waits), "review.rack") is None
    page = node(waits, "review.page")
    assert not [n for n in walk(page) if n.name.startswith("tile:")]
    assert find(screen.scene(known), "review.rack") is not None
    assert node(known, "board").rect == node(waits, "board").rect


def test_stepping_back_shows_the_tiles_from_which_a_move_was_chosen() -> None:
    model = opened()
    match = model.match
    assert match is not None
    model = fed(model, Key("escape"))
    seen = 0
    for found in analysed_in_order(
        [each for each in model.review.known.values() if isinstance(each, Appraisal)]
    ):
        place = found.number - match.missed
        if found.seat != match.seat or place + 2 >= len(match.past):
            continue
        there = replace(model, match=replace(match, back=place + 1))
        root = screen.scene(there)
        held = [n.text for n in walk(root) if n.name.startswith("tile:")]
        told = review.rack(match, found).partition(": ")[2]
        whole = told.replace("?", "").split(" ")  # a blank has no letter
        assert sorted(held) == sorted(whole)
        # So it is before the node has judged the turn, here and on the page.
        vague = replace(there, review=replace(there.review, known={}))
        assert tiles(screen.scene(vague), "tile:") == sorted(held)
        page = replace(vague, over=Over.REVIEW)
        rack = node(page, "review.rack")
        assert sorted(kid.text for kid in rack.kids) == sorted(told.split(" "))
        seen += 1
    assert seen


@pytest.mark.parametrize("game", ["numlo", "hexagrams"])
def test_a_better_move_lies_on_the_board_as_if_it_had_been_made(game: str) -> None:
    model, rules = opened(game), GAMES[game]
    assert model.match is not None
    found = next(
        each
        for each in model.review.known.values()
        if isinstance(each, Appraisal) and each.best[0].move != each.played.move
    )
    at = found.number - model.match.missed
    model = fed(model, Click(f"{moves.TURN}:{at}"))
    if find(screen.scene(model), reviewing.SHOW):
        model = fed(model, Click(reviewing.SHOW))
    else:
        model = fed(model, Click(f"{reviewing.BETTER}:0"))
    match = model.match
    assert match is not None
    before, better = match.past[at].before, found.best[0].move
    move = wire.unpack(better, rules.ABOUT.move)
    after = rules.play(before, found.seat, move)
    last = Step(after, 1 - found.seat, Resign())
    past = (*match.past[:at], Step(before, found.seat, move), last)
    made = replace(model, match=replace(match, past=past))
    made = replace(made, review=replace(made.review, chosen=-1))
    assert model.review.chosen == 0
    assert on_the_board(model) == on_the_board(made)


def test_the_list_shows_the_turn_looked_at_until_it_is_scrolled() -> None:
    model = fed(opened("numlo"), Click(reviewing.CLOSE), Click("step.last"))
    for _turn in range(14):
        model = fed(model, Click(review.LESS))
    model = fed(model, Click(review.PAGE))
    for by in (0, -1, 1, 1):
        if by:
            model = fed(model, Click(reviewing.AFTER if by > 0 else reviewing.BEFORE))
        assert model.match is not None
        row = f"{moves.TURN}:{review.turn(model.match)}"
        assert find(node(model, moves.TURNS), row) is not None
    before = node(model, moves.TURNS)
    row = next(n.name for n in walk(before) if n.name.startswith(moves.TURN))
    assert node(fed(model, Click(row)), moves.TURNS).offset == before.offset


def test_a_click_on_a_sign_of_the_line_looks_at_that_turn() -> None:
    model = opened()
    signs = [
        each
        for each in walk(node(model, "review.page"))
        if each.name.startswith(f"{reviewing.POINT}:")
    ]
    assert signs
    for sign in signs:
        x, y = (sign.rect.x + sign.rect.w // 2, sign.rect.y + sign.rect.h // 2)
        under = hit(screen.scene(model), (x, y))
        assert under is not None
        assert under.name in {each.name for each in signs}
        assert model.match is not None
        place = int(under.name.partition(":")[2])
        moved = fed(model, Click(reviewing.BEFORE), Click(under.name))
        assert moved.match is not None
        assert review.turn(moved.match) == place
        row = f"{moves.TURN}:{place}"
        assert find(node(moved, moves.TURNS), row) is not None


def test_a_match_that_ended_before_anybody_moved_says_so() -> None:
    model = ended(in_match(base(), "hexagrams", 2, 0))
    model = replace(model, over=Over.REVIEW)
    assert "Nobody" in texts(model)
    names = {n.name for n in walk(screen.scene(model))}
    assert not names & {"review.line", "review.accuracy", reviewing.WHOSE}


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (1280, 800)])
def test_no_score_of_lhexicon_lies_over_another_in_its_review(
    size: tuple[int, int],
) -> None:
    state, past = worlds.some_match("lhexicon", 2, 2)
    over = GAMES["lhexicon"].play(state, 1, Resign())
    model = games.page(base(), "lhexicon", over, (*past, (state, 1, Resign())))
    page = replace(ended(model), size=fitting(*size), over=Over.REVIEW)
    names = [n.rect for n in walk(screen.scene(page)) if n.text in page.names]
    for one, other in combinations(names, 2):
        assert one.x != other.x or abs(one.y - other.y) >= page.look.small


@pytest.mark.parametrize("game", list(MOVES))
def test_the_board_of_the_review_has_no_buttons(game: str) -> None:
    field = node(opened(game), "review.page").kids[0]
    assert [n.name for n in walk(field) if n.role is Role.BUTTON and n.text] == []


def on_the_board(model: Model) -> list[tuple[object, ...]]:
    field = node(model, "review.page").kids[0]
    return [(n.rect, n.text, n.mark, n.bg, n.edge, n.fg) for n in walk(field)]


def tiles(root: Node, named: str) -> list[str]:
    return sorted(n.text for n in walk(root) if n.name.startswith(named))


def blundered(model: Model) -> Model:
    """Return the page of a match in which the node calls an own move a blunder."""
    match = model.match
    assert match is not None
    number, step, other = next(
        (match.missed + at, step, other)
        for at, step in enumerate(match.past)
        if step.actor == match.seat and isinstance(step.move, numlo.Place)
        for other in numlo.moves(step.before, step.actor)
        if isinstance(other, numlo.Place) and other != step.move
    )
    played, best = (
        Offer("x", 0, (), (), wire.pack(move), chance=chance)
        for move, chance in ((step.move, 3000), (other, 6000))
    )
    worse = Appraisal(
        number, step.actor, (), played, (best,), chance_lost=3000, grade="blunder"
    )
    known = {**model.review.known, number: worse}
    return replace(model, review=replace(model.review, known=known))


def unjudged(seats: int) -> Model:
    """Return the page of a match of which the node has said nothing yet."""
    there = ended(in_match(base((1280, 800)), "numlo", seats, 12))
    return fed(there, Click(f"{play.TABS}:{play.REVIEW}"), Click(review.PAGE))


def test_one_better_move_that_is_shown_gives_no_other_away() -> None:
    model = blundered(unjudged(2))
    assert model.match is not None
    first, missed = mistake(model), model.match.missed
    later = next(
        at
        for at, step in enumerate(model.match.past)
        if step.actor == first.seat and at > first.number - missed
    )
    other = replace(first, number=missed + later)
    known = {**model.review.known, other.number: other}
    model = replace(model, review=replace(model.review, known=known))
    at_first = f"{moves.TURN}:{first.number - missed}"
    shown = fed(model, Click(at_first), Click(reviewing.SHOW))
    assert find(screen.scene(shown), reviewing.SHOW) is None
    second = fed(shown, Click(f"{moves.TURN}:{later}"))
    assert find(screen.scene(second), reviewing.SHOW) is not None
    again = fed(second, Click(at_first))
    assert find(screen.scene(again), reviewing.SHOW) is None


def test_with_three_only_ones_own_turns_tell_of_ones_chance() -> None:
    model = unjudged(3)
    match = model.match
    assert match is not None
    shares = {
        match.missed + at: (step.actor, 1000 + 500 * at)
        for at, step in enumerate(match.past)
        if step.actor >= 0
    }
    known = {
        number: Appraisal(
            number, seat, (), Offer("x", 0, (), (), b"", chance=share), (),
            chance_lost=0, grade="none",
        )
        for number, (seat, share) in shares.items()
    }  # fmt: skip
    model = replace(model, review=replace(model.review, known=known))
    line = node(model, "review.line")
    assert [y for _x, y in line.points][:-1] == [
        line.rect.bottom - share * line.rect.h // TOTAL
        for seat, share in shares.values()
        if seat == match.seat
    ]


@pytest.mark.parametrize(
    ("places", "share"),
    [((2, 1), 0), ((1, 2), 100), ((1, 1), 50), ((1, 1, 1, 4), 33), ((3, 1, 1), 0)],
)
def test_the_line_of_a_match_ends_at_what_came_of_it(
    places: tuple[int, ...], share: int
) -> None:
    """However it ended: who gives up while ahead has lost."""
    model = unjudged(len(places))
    assert model.table is not None
    model = fed(model, worlds.status(table=replace(model.table, places=places)))
    assert model.match is not None
    ahead = Offer("x", 0, (), (), b"", chance=8000)
    match, own = model.match, model.match.seat
    known = {
        match.missed + at: Appraisal(match.missed + at, own, (), ahead, ())
        for at in review.turns(match)
    }
    model = replace(model, review=replace(model.review, known=known))
    line = node(model, "review.line")
    (first, high), *_between, (last, end) = line.points
    assert (first, last) == (line.rect.x, line.rect.right)
    assert line.rect.bottom - 8000 * line.rect.h // TOTAL == high
    assert line.rect.bottom - end == pytest.approx(share * line.rect.h / 100, abs=1)


def test_turns_lost_without_a_play_stand_among_the_others() -> None:
    """Lost on time, or by challenging a word that was right where that costs one."""
    model = opened()
    match = model.match
    assert match is not None
    late = match.past[max(review.turns(match))].before
    seat = late.turn
    state, laid = waits("CAT", "double")
    doubted = Step(state, 1, networdz.Challenge())
    free = Step(waits("CAT")[0], 1, networdz.Challenge())
    wrong = Step(waits("TCA", "double")[0], 1, networdz.Challenge())
    # Behind the last word there is no turn that could be lost.
    over = Step(waits("CAT", rest="", bag="")[0], CLOCK, networdz.Expire())
    past = Step(late, CLOCK, networdz.Expire()), Step(*laid), doubted, free, wrong, over
    match = replace(match, past=past, missed=0, back=-1)
    assert [*review.turns(match)] == [0, 1, 2]
    assert [review.turn_of(match, at) for at in range(6)] == [seat, 0, 1, -1, -1, -1]
    lost = Appraisal(0, seat, (0,), Offer("", 0, (), ()), (), 0)
    model = replace(model, match=match)
    for each in (lost, replace(lost, number=2, seat=1)):
        told = networdz_shown.tell(past[each.number], ("", ""))
        assert review.made(model, each) == told.strip(" :") != ""


def test_points_given_away_in_a_match_that_is_won_are_no_better_tiles() -> None:
    """None costs a chance to win; only the first has kept something for it."""
    model, told = opened(), list[tuple[str, ...]]()
    assert model.match is not None
    at = review.turn(model.match)
    best = Offer("J4 APSIDAL", 77, ("APSIDAL: 77",), (), value=7700, chance=10_000)
    number, seat = model.match.missed + at, review.turn_of(model.match, at)
    for worth, lost in ((7650, 0), (2100, 0), (2100, 5600)):
        made = Offer("7B PAD", 21, ("PAD: 21",), (), value=worth, chance=10_000)
        found = Appraisal(
            number, seat, (0, 1, 2), made, (best,), most=77, equity_lost=lost
        )
        assert review.is_made_up(found) == (worth == 7650)
        known = {**model.review.known, number: found}
        shown = replace(model, review=replace(model.review, known=known))
        beside = walk(screen.scene(fed(shown, Click(reviewing.CLOSE))))
        told.append((texts(shown), *(n.text for n in beside)))
    assert told[0] != told[1] == told[2]


def test_a_better_move_that_is_found_is_told_of_and_leads_back() -> None:
    model = at_mistake(blundered(opened("numlo")))
    found = mistake(model)
    assert model.match is not None
    place = found.number - model.match.missed
    trying = fed(model, Click(reviewing.AGAIN))
    assert trying.over is Over.LEARN
    assert trying.learning is not None
    assert trying.learning.state == model.match.past[place].before

    asked = lines(trying, "tryout.said")
    assert asked
    to_game = node(model, reviewing.CLOSE).text
    assert node(trying, "tryout.close").text != to_game  # it leads to the review

    def laid(offer: Offer) -> Model:
        square = wire.unpack(offer.move, numlo.ABOUT.move).square
        return fed(trying, Click(f"cell:{square}"))

    wrong, right = laid(found.played), laid(found.best[0])
    assert wrong.learning is not None
    assert right.learning is not None
    said = wrong.learning.said, right.learning.said
    assert len({"", *said, "\n".join(asked)}) == 4  # each something else

    for tried, solved in ((wrong, False), (right, True)):
        back = fed(tried, Click("tryout.close"))
        assert not {*asked} & {*lines(tried, "tryout.said")}
        assert back.over is Over.REVIEW
        assert back.match is not None
        assert review.turn(back.match) == place
        assert (find(screen.scene(back), reviewing.SHOW) is None) is solved


def test_keys_go_from_turn_to_turn_and_escape_back_to_the_game() -> None:
    model = opened()
    assert model.match is not None
    first = fed(model, *(Key("page up"),) * 12)
    assert first.match is not None
    turns = [at for at, step in enumerate(first.match.past) if step.actor >= 0]
    assert review.turn(first.match) == turns[0]
    second = fed(first, Key("page down"))
    assert second.match is not None
    assert review.turn(second.match) == turns[1]
    assert fed(second, Key("escape")).over is Over.NONE


def test_turns_that_nobody_judged_yet_are_asked_for_one_after_the_other() -> None:
    over = fed(ended(at_match(base((1280, 800)))), Click(f"{play.TABS}:{play.REVIEW}"))
    page = fed(over, Click(review.PAGE))
    waiting = [w for w in page.asked.values() if w.startswith(review.ASKED)]
    assert len(waiting) == 1
    assert " of 8 turns" in texts(page)


@pytest.mark.parametrize("size", [(800, 500), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("game", list(MOVES))
def test_everything_lies_within_the_window(game: str, size: tuple[int, int]) -> None:
    model = opened(game, size)
    model = at_mistake(model) if game == "networdz" else model
    window = Rect(0, 0, *size)
    for each in walk(node(model, "review.page")):
        if each.role.value == "button":
            assert window.x <= each.rect.x <= each.rect.right <= window.right
            assert window.y <= each.rect.y <= each.rect.bottom <= window.bottom


def test_all_turns_are_looked_at_before_any_is_thought_out() -> None:
    there = ended(in_match(base(), "numlo", 2, 12))
    model = fed(there, Click(f"{play.TABS}:{play.REVIEW}"), Click(review.PAGE))
    match = model.match
    assert match is not None
    assert not match.missed
    turns = [at for at, step in enumerate(match.past) if step.actor >= 0]
    own = [at for at in turns if match.past[at].actor == match.seat]
    wrong, here = own[1], own[3]
    # The list has no turns yet that a hand could click: keys lead back to it.
    model = fed(model, *(Key("page up"),) * (turns[-1] - here))
    asked: list[tuple[int, bool]] = []
    while requests := [(n, w) for n, w in model.asked.items() if w.startswith("appr")]:
        n, what = requests[0]
        number = int(what.partition(".")[2])
        at_sight = number not in model.review.known
        step = match.past[number]
        played = Offer("x", 0, (), (), wire.pack(step.move), chance=5000)
        lost = 900 if number == wrong else 0
        found = Appraisal(
            number, step.actor, (), played, (played,), chance_lost=lost,
            at_sight=at_sight,
        )  # fmt: skip
        model, effects = update(model, door.Done(n, data=wire.pack(found)))
        asked.append((number, at_sight))
        for effect in effects:  # what is asked next is what is still missing
            if isinstance(effect, Store):  # how well the player played is kept
                continue
            assert isinstance(effect, Ask)
            assert isinstance(effect.request.ask, Appraise)
            missing = effect.request.ask.number not in model.review.known
            assert effect.request.ask.at_sight == missing
        if len(asked) == len(turns) + 1:
            assert f"analysed: 1 of {len(turns)}" in texts(model)
            assert review.at_sight() not in texts(model)
            other = fed(model, Click(f"{moves.TURN}:{wrong}"))
            assert review.at_sight() in texts(other)
    hasty, deep = asked[: len(turns)], asked[len(turns) :]
    assert sorted(hasty) == [(number, True) for number in turns]
    assert sorted(deep) == [(number, False) for number in turns]
    assert [number for number, _ in deep[:2]] == [here, wrong]
    assert "analysed: " not in texts(model)

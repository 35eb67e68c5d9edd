"""Looking ahead in Networdz: common draws, what is seen at once as a part, the end."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from netplay.arena import Chance
from netplay.players.evaluating import Work
from netplay.players.networdz import rollouts
from netplay.players.networdz.ending import lay
from netplay.players.networdz.evaluation import evaluate
from netplay.players.networdz.rollouts import Option, Rollouts
from netplay.players.networdz.seen import Seen
from netplay.players.words import kernel as kernels
from netplay.players.words.leaves import Keep, best_of
from netplay.players.words.plays import Finder, Play
from netplay.players.words.position import Board, Rack
from netplay.players.words.squares import rack
from rules import GAMES, editions, networdz, tiles
from rules.game import CHANCE
from rules.networdz import Lay, Pass, State
from tests.rules.networdz.positions import Word, options, position

WORDS = "AT TA AN ANT TAN TOAD TO TOE SO NO ON OX AS DO EAT TEA ATE ARE ROE RATS STAR"
BOARD: list[Word] = [("across", 7, 6, "TAN")]


@pytest.fixture(params=["python", "kernel"], autouse=True)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do everything in Python, and once more in the kernel where it is built."""
    if request.param == "python":
        monkeypatch.setattr(rollouts, "kernel", lambda *_given: None)
    elif kernels.module() is None:
        pytest.skip("the kernel is not built")


class InOrder(Random):
    """Tiles come in the order of their kinds."""

    def shuffle(self, x: object) -> None:
        """Leave them."""


def match_at(seed: int, bag: int) -> State:
    """Return a view of a match of strong plays when so few tiles are left to draw."""
    setting = networdz.Options(edition=editions.shipped()["standard"])
    state, chance = networdz.start(2, setting), Chance(GAMES["networdz"], seed)
    while True:
        if CHANCE in networdz.actors(state):
            state = networdz.play(state, CHANCE, chance.choose(state))
            continue
        view = networdz.view(state, state.turn)
        if tiles.bag_size(state.tiles) <= bag:
            return view
        (best, *_rest) = evaluate(view, state.turn, 1, Random(1)).candidates
        state = networdz.play(state, state.turn, best.move)


def tried(seen: Seen, plays: list[Play]) -> list[Option]:
    return [
        Option(lay(seen.board, seen.rack, play), play.score, float(play.score))
        for play in plays
    ]


def draw(looking: Rollouts, some: Sequence[int], late: Callable[[], bool]) -> None:
    """Look at some plays with one more order of the bag."""
    looking._draw(some, late)


def values(seen: Seen, made: list[Option], draws: int, rng: Random) -> None:
    looking = Rollouts(seen, made, rng)
    budget = Work(draws * rollouts.COST * len(made))
    while not budget.spent(1.0, rollouts.COST * len(made)):
        draw(looking, range(len(made)), budget.late)


def test_the_same_seed_and_work_give_the_same_answer() -> None:
    view = match_at(4, 40)
    first, second = (evaluate(view, view.turn, 4000, Random(9)) for _ in range(2))
    assert first == second
    assert 4000 <= first.work < 6000
    more = evaluate(view, view.turn, 9000, Random(9))
    assert more.work > first.work
    assert max(each.error for each in more.candidates[1:4]) <= max(
        each.error for each in first.candidates[1:4]
    )


def test_equal_candidates_have_equal_luck() -> None:
    view = match_at(4, 40)
    seen = Seen(view, view.turn)
    play = max(seen.finder.plays(), key=lambda play: play.score)
    made = tried(seen, [play, play])

    values(seen, made, 6, Random(3))

    assert made[0].values == made[1].values
    assert len(set(made[0].values)) > 1  # the draws differ


def test_a_rollout_is_the_best_answer_and_one_s_own_best_play_after_it() -> None:
    """Both found here by looking at all plays, with the tiles in a known order."""
    view = match_at(4, 40)
    seen = Seen(view, view.turn)
    play = max(seen.finder.plays(), key=lambda play: play.score)
    made = tried(seen, [play])
    looking = Rollouts(seen, made, InOrder())
    draw(looking, [0], lambda: False)

    order = [k for k, n in enumerate(tiles.unseen(view.tiles)) for _ in range(n)]
    other, bag = rack(seen.ground, tuple(order[:7])), order[7:]
    board, kept = lay(seen.board, seen.rack, play)
    theirs, answer = best(seen, board, other)
    board = lay(board, other, answer)[0] if answer else board
    drawn = rack(seen.ground, tuple(bag[: 7 - len(kept.tiles) - kept.blanks]))
    mine = Rack(
        tiles=kept.tiles + drawn.tiles,
        blanks=kept.blanks + drawn.blanks,
        size=7,
        bonus=kept.bonus,
    )
    ours, _play = best(seen, board, mine)
    assert made[0].values == [pytest.approx(play.score - theirs + ours)]


def best(seen: Seen, board: Board, hand: Rack) -> tuple[float, Play | None]:
    """Return the most that a play, or an exchange, is worth."""
    keep = Keep(hand, seen.table.worth, seen.words)
    plays = Finder(board, hand, seen.words).plays()
    rated = [(each.score + keep.worth(each), at) for at, each in enumerate(plays)]
    most = max(rated, default=(float("-inf"), -1))
    play, _worth = best_of(Finder(board, hand, seen.words), keep)
    return max(most[0], *keep.most[1:]), play


def test_with_few_tiles_in_the_bag_it_goes_on_to_the_end() -> None:
    """O is laid below T and one tile drawn; then nobody has a play any more."""
    opts = options("TO AT")
    state = position("OV", "QZ", bag="J", board=[("across", 7, 6, "AT")], opts=opts)
    view = networdz.view(state, 0)
    seen = Seen(view, 0)
    (play,) = seen.finder.plays()
    made = tried(seen, [play])

    values(seen, made, 12, Random(1))

    ground = networdz.ground(opts)
    points = {x: ground.points[ground.edition.alphabet.index(x)] for x in "VQZJ"}
    unseen = points["Q"] + points["Z"] + points["J"]
    ends = {
        play.score + (unseen - points[own]) - (points[own] + points["V"])
        for own in "QZJ"
    }
    assert set(made[0].values) == ends


def test_few_rollouts_do_not_outweigh_what_is_seen_at_once() -> None:
    view = match_at(4, 40)
    seen = Seen(view, view.turn)
    plays = seen.finder.plays()[:2]
    made = tried(seen, plays)
    looking = Rollouts(seen, made, Random(1))
    made[0].values[:], made[1].values[:] = [0.0], [12.0 + (play_gap := 9.0)]
    (first, _), (second, error) = looking.rated([0, 1])
    static = made[1].static - made[0].static
    assert abs((second - first) - static) < play_gap
    assert 0 < error < rollouts.TRUST

    rng = Random(2)
    made[0].values[:] = [rng.gauss(0, 20) for _ in range(2000)]
    made[1].values[:] = [each + rng.gauss(12, 20) for each in made[0].values]
    (first, _), (second, error) = looking.rated([0, 1])
    assert second - first == pytest.approx(12, abs=2)
    assert error < 1


def test_a_rack_is_not_exchanged_where_a_good_word_lies_ready() -> None:
    """The strongest player laid 20 words a match, and exchanges are rare."""
    exchanged = laid = 0
    for seed in (4, 5):
        for bag in (70, 50, 30):
            view = match_at(seed, bag)
            move = evaluate(view, view.turn, 4000, Random(1)).candidates[0].move
            laid += isinstance(move, Lay)
            exchanged += isinstance(move, Pass)
    assert laid >= 5
    assert exchanged <= 1

"""Worker processes know what the match is played with, and fail without harm."""

import random
from pathlib import Path

import pytest

from netplay.daemon.computer_players import ComputerPlayers, WordChoice
from netplay.daemon.finished_matches import Reviews
from netplay.errors import LocalError
from netplay.review.grading import Turn
from netplay.sentences import Says
from netplay.table.resources import Kind, Shelf
from netplay.wanted import Thought
from rules import GAMES, editions, networdz
from tests.client.worlds import some_match
from tests.rules.networdz.positions import dictionary, options, position
from tests.said import like


class Diary:
    """A journal that is kept."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, object]]] = []

    def __call__(self, event: str, **fields: object) -> None:
        self.lines.append((event, fields))


@pytest.fixture
def diary() -> Diary:
    return Diary()


def thought(**options: str) -> Thought:
    game = GAMES["networdz"]
    state = game.start(2, game.ABOUT.options(**options))
    rng = random.Random(1)
    while -1 in game.actors(state):
        state = game.play(state, -1, rng.choice(list(game.moves(state, -1))))
    (seat,) = game.actors(state)
    return Thought(b"m", seat, 1, "networdz", game.view(state, seat), 40)


def own_edition(folder: Path) -> str:
    """Keep an edition that no other process knows; return its digest."""
    shipped = Path(editions.__file__).with_name("networdz.toml").read_text("utf-8")
    edition = editions.read(shipped.replace("bingo = 50", "bingo = 51"))
    editions.register(edition)
    Shelf(folder).adopt(Kind.EDITION, bytes.fromhex(edition.digest))
    return edition.digest


@pytest.mark.processes
async def test_players_know_the_edition_of_a_match_that_is_nobody_elses(
    diary: Diary, tmp_path: Path
) -> None:
    found = thought(edition=own_edition(tmp_path))
    move = await ComputerPlayers(lambda: 7, diary, tmp_path).think(found)
    assert GAMES[found.game].play(found.view, found.seat, move)
    assert diary.lines == []


def maps(folder: Path) -> int:
    """Return how many maps of words lie in a folder."""
    return len(list(folder.glob("*.map")))


@pytest.mark.processes
@pytest.mark.parametrize("game", list(GAMES))
async def test_what_a_match_needs_is_loaded_before_a_player_is_asked(
    diary: Diary, tmp_path: Path, game: str
) -> None:
    state, _past = some_match(game, 2, 0)
    view = GAMES[game].view(state, 0)
    await ComputerPlayers(lambda: 7, diary, tmp_path).prepare(
        Thought(b"m", 0, 1, game, view, 50)
    )
    assert diary.lines == []
    assert maps(tmp_path) == (game == "networdz")


@pytest.mark.processes
async def test_computers_and_reviews_offend_only_where_the_user_lets_them(
    diary: Diary, tmp_path: Path
) -> None:
    digest = dictionary("FUCK CUT")
    Shelf(tmp_path).adopt(Kind.LEXICON, bytes.fromhex(digest))
    state = position("FUCKTVV", "EEEEEEE", bag="ABC", opts=options("FUCK CUT"))
    view = networdz.view(state, 0)
    found = Thought(b"m", 0, 1, "networdz", view, 100)
    word_choice = WordChoice()
    team = ComputerPlayers(lambda: 7, diary, tmp_path, word_choice)
    reviews = Reviews(diary, tmp_path, word_choice)
    for offensive, word in ((False, "CUT"), (True, "FUCK"), (False, "CUT")):
        word_choice.offensive = offensive
        move = await team.think(found)
        assert len(move.laid) == len(word)
        judged = await reviews.appraise(Turn(3, 0, view, ()))
        assert judged.best[0].text.split()[1] == word
    assert diary.lines == []


@pytest.mark.processes
async def test_turns_of_such_a_match_are_judged_too(
    diary: Diary, tmp_path: Path
) -> None:
    found = thought(edition=own_edition(tmp_path))
    turn = Turn(3, found.seat, found.view, ())
    judged = await Reviews(diary, tmp_path).appraise(turn)
    assert judged.best
    assert diary.lines == []


@pytest.mark.processes
async def test_a_turn_that_cannot_be_judged_is_said_and_the_node_goes_on(
    diary: Diary,
) -> None:
    found = thought()
    turn = Turn(3, 17, found.view, ())
    with pytest.raises(LocalError, match=like(Says.NOT_ANALYSED)):
        await Reviews(diary).appraise(turn)
    assert [event for event, _ in diary.lines] == ["review.failed"]

"""The page of finished games: a few, very many, and results against friends."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from client.app.model import Model
from client.ui.intents import Click, Focus, Text
from netplay import wire
from netplay.errors import Code
from netplay.messages import door
from netplay.messages.table_questions import Finished, FinishedMatches, Friend
from netplay.said import Said
from rules import GAMES
from tests.client.crowded import KEY, LONG, WHY, crowd
from tests.client.worlds import fed, status

DAY = 24 * 60 * 60
LAST = 1_790_000_000
"""When the latest of them ended."""


def one(number: int, game: str = "numlo", **changes: Any) -> Finished:
    """Return a finished game that Anna has won against Bert, so many days ago."""
    scored = GAMES[game].ABOUT.scored is not None
    usual = Finished(
        match=number.to_bytes(32), path=f"/home/anna/matches/{number:032x}.netplay",
        game=game, players=("Anna", "Bert"), places=(1, 2),
        scores=(341, 287) if scored else (), own=(0,),
        friends=(Friend("BERT-KEYS", "Bert"),), result="won", at=LAST - number * DAY,
    )  # fmt: skip
    return replace(usual, **changes)


ROBOT = ("Computer 1", "Anna")

FEW = (
    one(1, "hexagrams"),
    one(2, "networdz", result="lost", places=(2, 1), scores=(287, 341)),
    one(3, "lhexicon", players=ROBOT, own=(1,), friends=(), result="lost"),
    one(5, "numlo", result="tied", scores=(60, 60), places=(1, 1)),
    one(8, "numlo", friends=(Friend("ELSE-KEYS", "Bert"),)),
    one(13, "hexcolumns", players=("Anna",), friends=(), result="", scores=(9000,)),
)


def many(count: int = 1000) -> tuple[Finished, ...]:
    """Return very many finished games of people with long names."""
    names, results = list(GAMES), ("won", "lost", "tied")
    keys = [f"{KEY[:-1]}{letter}" for letter in "ABCDEFGH"]
    return tuple(
        one(
            i, names[i % 5], players=LONG if i % 2 else LONG[:2],
            friends=(Friend(keys[i % 8], LONG[1]), Friend(KEY, LONG[2])),
            scores=(12_345_678,) * (4 if i % 2 else 2), result=results[i % 3],
        )
        for i in range(count)
    )  # fmt: skip


def told(model: Model, *found: Finished, more: bool = False) -> Model:
    """Return the window after the node has told of games."""
    last = max(n for n, what in model.asked.items() if what == "finished.more")
    page = FinishedMatches(found, len(found), more)
    return fed(model, door.Done(last, data=wire.pack(page)))


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the page of finished games."""
    few = told(fed(model, status(), Click("finished")), *FEW)
    yield "finished games", few
    yield "finished games, found", fed(few, Focus("field.finished"), Text("numlo won"))
    yield "finished games, friends", fed(few, Click("finished.tab:1"))
    begun = fed(model, crowd(), Click("finished"))
    yield "finished games, looked for", begun
    full = told(begun, *many(), more=True)
    yield "full finished games", full
    friends = fed(full, Click("finished.tab:1"))
    yield "full finished games, friends", friends
    yield "full finished games, of a friend", fed(friends, Click("finished.friend:1"))
    asked = fed(full, Click("finished.game:3"))
    wrong = door.Failed(max(asked.asked), Code.USAGE.number, Said(WHY))
    yield "full finished games, not opened", fed(asked, wrong)
    yield "full finished games, none", told(begun)

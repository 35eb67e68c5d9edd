"""The start page with games in hand: a few, and as many as there may be."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from client.app.model import Model, Over, Who
from client.ui.intents import Click
from netplay import wire
from netplay.errors import Code
from netplay.messages import door
from netplay.messages.node_questions import Correspondent, Talked, TalkedLine
from netplay.messages.table_questions import GameStatus, OpenStatus
from netplay.said import Said
from rules import GAMES
from tests.client.crowded import FAULTS, LONG, NEAR, WHY, busy, crowd
from tests.client.worlds import fed, some_match, status


def game(number: int, name: str, **changes: Any) -> GameStatus:
    """Return a line of the list of games."""
    usual = GameStatus(
        table=number, match=bytes([number]), mode="joined", phase="playing",
        game=name, players=("Anna", "Bert"), turn=(1,), mine=False, since=90,
        clock=-1, unread=0, undelivered=False, away=(), entries=20, own=(0,),
    )  # fmt: skip
    return replace(usual, **changes)


FEW = (
    game(3, "hexagrams", turn=(0,), mine=True, since=3 * 3600),
    game(1, "numlo", unread=2, away=("Bert",), since=2 * 86400, clock=95_000),
    game(2, "networdz", players=("Anna", "Computer 1"), undelivered=True),
    game(4, "lhexicon", players=("Dora", "Anna", "Bert"), own=(1,), clock=1_300_000),
    game(5, "hexcolumns", phase="over", turn=()),
)


def many() -> tuple[GameStatus, ...]:
    """Return sixty games with long names, each in another state."""
    names = list(GAMES)
    return tuple(
        game(
            i + 1, names[i % 5], players=(LONG[0], *LONG[1 : 2 + i % 3]), unread=i % 4,
            mine=i < 7, turn=(0 if i < 7 else 1,), since=i * i * 200, away=LONG[1:2],
            undelivered=i % 3 == 1, clock=-1 if i % 2 else 100_000 * i,
            phase="paused" if i % 5 == 4 else "playing",
        )
        for i in range(60)
    )  # fmt: skip


def board(one: GameStatus) -> door.View:
    """Return the board of a game as the node shows it to a bystander."""
    packed = seen(one.game, len(one.players))
    return door.View(one.match, -1, one.entries, packed, (), live=False)


@lru_cache
def seen(game: str, count: int) -> bytes:
    rules = GAMES[game]
    fits = rules.ABOUT.seats
    state, _past = some_match(game, max(fits[0], min(count, fits[-1])), 12)
    return wire.pack(rules.view(state, None))


def drawn(model: Model) -> Model:
    """Return the window after the node has answered all that it asks for boards."""
    while wanted := [n for n, what in model.asked.items() if what[:6] == "glance"]:
        listed = () if model.status is None else model.status.games
        number = int(model.asked[wanted[0]].partition(".")[2])
        one = next(each for each in listed if each.table == number)
        model = fed(model, door.Done(wanted[0], data=wire.pack(board(one))))
    return model


def wrote(friends: tuple[tuple[str, str], ...]) -> door.Status:
    """Return a status with friends who have written, and lines that wait for them."""
    news = tuple(Correspondent(key, 188, 300, 7) for _name, key in friends)
    return crowd(games=many(), friends=friends, written=news)


def written(model: Model) -> Model:
    """Return the window with what was written with a friend of a long name."""
    lines = tuple(
        TalkedLine(f"{number} {LONG[number % 4]} " * 9, 86_400 * number, mine, there)
        for number, mine, there in ((1, True, True), (2, False, True), (3, True, False))
    )
    start = replace(model.start, talk=Talked("KEY0", lines, LONG[1]))
    who = Who("KEY0", LONG[0], friend=True)
    return replace(model, over=Over.WRITING, who=who, start=start)


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the start page with games in hand."""
    yield "your games", drawn(fed(model, status(games=FEW, nearby=NEAR[:2])))
    people = (("Bert", "KEY0"), ("Dora", "KEY1"), (LONG[0], "KEY2"))
    live = game(6, "networdz", live=True, mine=True, turn=(0,), clock=252_000)
    rests = (live, *FEW[:2], *FEW[4:])
    with_friends = status(games=rests, friends=people, seen=(("KEY1", 9000),))
    yield "your games, friends", drawn(fed(model, with_friends))
    full = drawn(fed(busy(model), crowd(games=many())))
    yield "full games", full
    yield "full games, nearby", fed(full, Click("begin:1"))
    friends = tuple((LONG[i % 4], f"KEY{i}") for i in range(12))
    yield "full games, friends", drawn(fed(full, crowd(games=many(), friends=friends)))
    yield "full games, writing", written(drawn(fed(full, wrote(friends))))
    waits = crowd(games=many(), mode="answering", faults=FAULTS)
    yield "full games, address, with faults", fed(full, waits, Click("begin:2"))
    offers = tuple(OpenStatus("networdz", i, LONG[i:]) for i in range(3))
    calls = (
        game(
            1,
            "",
            players=("10.20.30.40:7777",),
            mode="calling",
            own=(),
            phase="forming",
            turn=(),
            match=b"",
        ),
    )
    called = (*calls, *(replace(one, match=b"", phase="forming", turn=())
                        for one in many()[:3]))  # fmt: skip
    asked = fed(full, crowd(games=called, open=offers), Click("saved:p0"))
    wrong = door.Failed(max(asked.asked), Code.USAGE.number, Said(WHY))
    # The click has scrolled the list to its row: it is shown from its beginning.
    yield "full games, to choose", replace(fed(asked, wrong), scrolls={})

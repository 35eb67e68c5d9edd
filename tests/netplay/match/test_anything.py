"""Anything that players do, in any order: the laws of `twins` hold behind it.

What is remembered here (a button, a view, a line of moves) is looked at now and then,
so that it may have become stale by the end.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final, TypeAlias

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from netplay.errors import LocalError, PeerError
from netplay.match.match import Match
from netplay.messages.log import What
from netplay.messages.table import Days
from netplay.wire import pack
from rules import GAMES
from rules.game import IllegalMoveError, Resign
from rules.networdz import Pass
from tests.netplay import twins
from tests.netplay.party import Party

DAY: Final = 86_400.0

NOT_NOW: Final = (LocalError, IllegalMoveError, PeerError)
"""What a player is told who may not do something now."""

Act: TypeAlias = Callable[[Party, int, Random], None]
"""Something that a member does."""


def _seats(match: Match) -> list[int]:
    return sorted(match.members.seats)


def _seat(match: Match, rng: Random) -> int:
    """Return a seat of a member; the first where all of its own have passed on."""
    return rng.choice(_seats(match) or [0])


def play(party: Party, n: int, rng: Random) -> None:
    del n
    party.play_one(rng)


def let_by(party: Party, n: int, rng: Random) -> None:
    """Make a turn that shows no tiles, where there is one; some exchange some."""
    lapsing = party.game.ABOUT.lapsing
    for member, seat in party.movers():
        match = party.member(member)
        if lapsing is not None and match.seats.view(seat).up_to_date:
            state = match.seats.view(seat).state
            move = lapsing.lapse(state, seat)
            if isinstance(move, Pass) and rng.random() < 0.5:
                move = Pass(tuple(sorted(state.tiles.racks[seat])[:2]))
            match.play(seat, pack(move), -1, party.now)
            return
    play(party, n, rng)


def offer(what: What, party: Party, n: int, rng: Random) -> None:
    match = party.member(n)
    seat = _seat(match, rng)
    if what == "back" and rng.random() < 0.7:
        seat = next((one.actor for one in match.fold.history[::-1]), seat)
        match = party.member(party.numbers[match.fold.holders[seat]])
    days = rng.randint(1, 5) if what == "days" else 0
    match.say(match.offering.offer(seat, what, days), party.now)


def answer(party: Party, n: int, rng: Random, *, agrees: bool = True) -> None:
    """Answer all that stands."""
    del rng
    match = party.member(n)
    for one in match.fold.offers.standing:
        for seat in _seats(match):
            with suppress(*NOT_NOW):
                said = match.offering.answer(seat, one.head, agrees=agrees)
                match.say(said, party.now)


def all_agree(party: Party, n: int, rng: Random) -> None:
    del n
    for member in range(len(party.keys)):
        answer(party, member, rng)
        party.settle()


def agreed(what: What, party: Party, n: int, rng: Random) -> None:
    """Offer something to which all say yes."""
    with suppress(*NOT_NOW):
        offer(what, party, n, rng)
    party.settle()
    all_agree(party, n, rng)


def amid(party: Party, n: int, rng: Random) -> None:
    """Offer something to which all say yes, but for what happens amid that."""
    what: What = rng.choice(("back", "days", "days", "stop"))
    with suppress(*NOT_NOW):
        offer(what, party, n, rng)
    party.settle()
    answer(party, (n + 1) % len(party.keys), rng)
    party.settle()
    with suppress(*NOT_NOW):
        ACTS[rng.choice(AMID)](party, rng.randrange(len(party.keys)), rng)
    party.settle()
    all_agree(party, n, rng)


def take_back(party: Party, n: int, rng: Random) -> None:
    match = party.member(n)
    match.take_back(_seat(match, rng), party.now)


def prepare(party: Party, n: int, rng: Random) -> None:
    """Prepare an answer to some move of who is on turn."""
    match, game = party.member(n), party.game
    seat = _seat(match, rng)
    state, moves = match.fold.state, list[bytes]()
    while (on := min(game.actors(state), default=-1)) >= 0 and len(moves) < 4:
        move = rng.choice(list(game.moves(state, on))[:5])
        moves.append(pack(move))
        state = game.play(state, on, move)
        if on == seat:
            break
    others = [other for other in _seats(match) if other != seat]
    before = [list(match.preparing.lines_left(other)) for other in others]
    match.prepare(seat, moves, -1, party.now)
    after = [list(match.preparing.lines_left(other)) for other in others]
    assert before == after, "what is prepared for other seats"


def resign(party: Party, n: int, rng: Random) -> None:
    match = party.member(n)
    match.play(_seat(match, rng), pack(Resign()), -1, party.now)


def apart(party: Party, n: int, rng: Random) -> None:
    """Do something while a link is missing."""
    party.cut(n, (n + 1) % len(party.keys))
    party.settle()
    with suppress(*NOT_NOW):
        ACTS[rng.choice(APART)](party, n, rng)
    party.settle()
    party.link_all()


def restart(party: Party, n: int, rng: Random) -> None:
    del rng
    party.crash(n)
    party.start(n)
    _timed(party, n)
    party.link_all()


def wait(party: Party, n: int, rng: Random) -> None:
    del n
    party.wake(rng.choice((1.0, 30.0, 61.0, 1500.0, DAY, 2.5 * DAY)))


def claim(party: Party, n: int, rng: Random) -> None:
    del rng
    party.member(n).claim(party.now)


def late(party: Party, n: int, rng: Random) -> None:
    """Let all time go by, and whoever is kept waiting say so, somebody away perhaps."""
    if rng.random() < 0.5:
        party.cut(n, (n + 1) % len(party.keys))
    party.wake(rng.choice((130.0, 3.2 * DAY)))
    for member in range(len(party.keys)):
        with suppress(*NOT_NOW):
            party.member(member).claim(party.now)
        party.settle()
    if rng.random() < 0.5:
        ACTS[rng.choice(AMID)](party, n, rng)
    party.link_all()
    party.wake(100.0)


def hand(party: Party, n: int, rng: Random) -> None:
    """Let a seat pass to a member, by the word of all the others."""
    fold = party.member(n).fold
    seat = rng.randrange(len(fold.holders))
    to = rng.choice(party.keys).key
    name = next(one.name for one in fold.members if one.key == to)
    for other in range(len(party.keys)):
        if party.keys[other].key != fold.holders[seat]:
            with suppress(*NOT_NOW):
                party.member(other).agree(seat, to, name, party.now)
        party.settle()


def look(party: Party, n: int, rng: Random) -> None:
    del rng
    twins.told(party.member(n))


def _timed(party: Party, n: int) -> None:
    party.member(n).parts.unix = lambda: 1_000_000 + int(party.now)


ACTS: Final[dict[str, Act]] = {
    "play": play,
    "back": partial(offer, "back"),
    "stop": partial(offer, "stop"),
    "draw": partial(offer, "draw"),
    "days": partial(offer, "days"),
    "yes": answer,
    "pass": let_by,
    "went back": partial(agreed, "back"),
    "days off": partial(agreed, "days"),
    "amid": amid,
    "no": partial(answer, agrees=False),
    "take back": take_back,
    "prepare": prepare,
    "resign": resign,
    "apart": apart,
    "restart": restart,
    "wait": wait,
    "claim": claim,
    "late": late,
    "hand": hand,
    "look": look,
}

AMID: Final = ("hand", "hand", "hand", "resign", "play", "restart", "pass")
APART: Final = ("play", "pass", "take back", "prepare", "days", "wait", "restart")
PLAYS: Final = ("play", "play", "pass", "went back", "look")
OFTEN: Final = (
    *PLAYS * 4,
    *("amid", "days off", "late", "prepare") * 3,
    "apart",
    "hand",
)

SELDOM: Final = tuple(name for name in ACTS if name not in {"draw", "stop", "resign"})
"""What ends a match ends what could happen in it."""

NUMLO: Final = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
WORDS: Final = GAMES["networdz"].ABOUT.options
GAMES_PLAYED: Final[tuple[tuple[str, Any, int, int, Days], ...]] = (
    ("hexagrams", None, 2, 0, 3),
    ("numlo", NUMLO, 3, 0, 3),
    ("numlo", NUMLO, 3, 4, 3),
    ("numlo", NUMLO, 4, 0, 3),
    ("numlo", NUMLO, 2, 0, 0),
    ("numlo", NUMLO, 2, 4, 3),
    ("networdz", WORDS(), 2, 0, 3),
    ("networdz", WORDS(), 3, 4, 0),
    ("networdz", WORDS(timed=1), 3, 0, 0),
    ("networdz", WORDS(tournament=True), 2, 0, 0),
    ("lhexicon", None, 3, 0, 3),
)
"""Game, options, members, seats, days."""


@given(
    st.sampled_from(GAMES_PLAYED),
    st.lists(
        st.tuples(st.sampled_from((*OFTEN, *SELDOM)), st.integers(0, 3)),
        min_size=20,
        max_size=60,
    ),
    st.integers(0, 2**16),
)
@settings(
    max_examples=25,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_whatever_players_do_a_match_is_the_same_when_it_is_opened_anew(
    kind: tuple[str, Any, int, int, Days], acts: list[tuple[str, int]], seed: int
) -> None:
    game, options, members, seats, days = kind
    party, rng = Party(game, members, options, seats, days=days), Random(seed)
    for n in range(members):
        _timed(party, n)
    party.link_all()
    party.settle()
    for name, who in acts:
        with suppress(*NOT_NOW):
            ACTS[name](party, who % members, rng)
        party.settle()
        wanted_still(party)
    for match, archive in zip(party.running, party.archives, strict=True):
        twins.check(match, archive)


def wanted_still(party: Party) -> None:
    """See that a member wants to be woken, too, where it is asked a moment before."""
    now, due = party.now, [match.deadline() for match in party.running]
    for match, at in zip(party.running, due, strict=True):
        for party.now in () if at is None else (at - 0.5, at, at + 0.5):
            still = match.deadline()
            assert still is not None
            assert still <= at + 2
    party.now = now

"""Anything that players do, in any order: the laws of `twins` hold behind it.

What is remembered here (a button, a view, a line of moves) is looked at now and then,
so that it may have become stale by the end.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from netplay.errors import LocalError, PeerError
from netplay.match.match import Match
from netplay.messages.log import What
from netplay.messages.table import Days, Fairness
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
        seat = rng.choice([one.actor for one in match.fold.history[-3:]] or [seat])
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
    party.settle()
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


def round_about(party: Party, n: int, rng: Random) -> None:
    """Play on where two have no link, which the carrier's may lose and have again."""
    count = len(party.keys)
    a, b = n, (n + 1) % count
    party.cut(a, b)
    party.settle()
    for _ in range(3):
        with suppress(*NOT_NOW):
            ACTS[rng.choice(APART)](party, rng.choice((a, b)), rng)
        party.settle()
        third = (n + 2) % count
        if rng.random() < 0.5 and third != a:
            party.cut(third, rng.choice((a, b)))
            party.link(third, a)
            party.link(third, b)
            party.settle()
    in_step(party)


def blink(party: Party, n: int, rng: Random) -> None:
    """Play on while links break with messages on them, and are there again."""
    for _ in range(4):
        party.play_one(rng)
        for _ in range(rng.randrange(4)):
            party.deliver()
        party.collect()
        other = rng.choice([m for m in range(len(party.keys)) if m != n])
        party.cut(n, other)
        party.link(n, other)
    party.settle()


def gone(party: Party, n: int, rng: Random) -> None:
    """Be away until the others may have another host, and come back."""
    party.crash(n)
    party.wake(1)
    party.wake(66)
    for _ in range(rng.randrange(3)):
        party.play_one(rng)
        party.settle()
    party.start(n)
    _timed(party, n)
    party.link_all()


def voted(party: Party, n: int, rng: Random) -> None:
    """Vote against the host, some others too."""
    for member in range(len(party.keys)):
        if member == n or rng.random() < 0.5:
            with suppress(*NOT_NOW):
                party.member(member).vote(party.now)
            party.settle()
    party.wake(1.5)


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
    "blink": blink,
    "gone": gone,
    "round about": round_about,
    "vote": voted,
    "look": look,
}

AMID: Final = ("hand", "hand", "hand", "resign", "play", "restart", "pass")
APART: Final = ("play", "pass", "take back", "prepare", "days", "wait", "restart")
PLAYS: Final = ("play", "play", "pass", "went back", "look")
OFTEN: Final = (
    *PLAYS * 4,
    *("amid", "days off", "late", "prepare") * 3,
    *("apart", "blink", "gone", "hand", "round about"),
)

SELDOM: Final = tuple(name for name in ACTS if name not in {"draw", "stop", "resign"})
"""What ends a match ends what could happen in it."""

NUMLO: Final = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)
WORDS: Final = GAMES["networdz"].ABOUT.options
Kind: TypeAlias = tuple[str, Any, int, int, Days, Fairness]

GAMES_PLAYED: Final[tuple[Kind, ...]] = (
    ("hexagrams", None, 2, 0, 3, "committed"),
    ("numlo", NUMLO, 3, 0, 3, "committed"),
    ("numlo", NUMLO, 3, 4, 3, "committed"),
    ("numlo", NUMLO, 4, 0, 3, "committed"),
    ("numlo", NUMLO, 2, 0, 0, "committed"),
    ("numlo", NUMLO, 2, 4, 3, "committed"),
    ("networdz", WORDS(), 2, 0, 3, "committed"),
    ("networdz", WORDS(), 3, 4, 0, "committed"),
    ("networdz", WORDS(timed=1), 3, 0, 0, "committed"),
    ("networdz", WORDS(tournament=True), 2, 0, 0, "committed"),
    ("lhexicon", None, 3, 0, 3, "committed"),
)
"""Game, options, members, seats, days, and who deals."""

ENCRYPTED: Final[tuple[Kind, ...]] = (
    ("networdz", WORDS(), 2, 3, 3, "encrypted"),
    ("networdz", WORDS(), 3, 0, 0, "encrypted"),
    ("networdz", WORDS(), 4, 0, 3, "encrypted"),
    ("lhexicon", None, 3, 0, 3, "encrypted"),
)
"""The same where nobody does."""


ANYTHING: Final = (
    st.lists(
        st.tuples(st.sampled_from((*OFTEN, *SELDOM)), st.integers(0, 3)),
        min_size=20,
        max_size=60,
    ),
    st.integers(0, 2**16),
)

few = partial(
    settings,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@given(st.sampled_from(GAMES_PLAYED), *ANYTHING)
@few(max_examples=14)
def test_whatever_players_do_a_match_is_the_same_when_it_is_opened_anew(
    kind: Kind, acts: list[tuple[str, int]], seed: int
) -> None:
    do_all(kind, acts, seed)


@given(st.sampled_from(ENCRYPTED), *ANYTHING)
@few(max_examples=4)
@pytest.mark.usefixtures("unproved")
def test_so_is_one_where_nobody_deals(
    kind: Kind, acts: list[tuple[str, int]], seed: int
) -> None:
    do_all(kind, acts, seed)


def do_all(kind: Kind, acts: list[tuple[str, int]], seed: int) -> None:
    """Do what is to be done, and look at the laws at rest and in the end."""
    game, options, members, seats, days, fairness = kind
    party = Party(game, members, options, seats, fairness, days)
    rng = Random(seed)
    for n in range(members):
        _timed(party, n)
    party.link_all()
    party.settle()
    for name, who in acts:
        with suppress(*NOT_NOW):
            ACTS[name](party, who % members, rng)
        party.settle()
        wanted_still(party)
        in_step(party)
    for match, archive in zip(party.running, party.archives, strict=True):
        twins.check(match, archive)


def in_step(party: Party) -> None:
    """See that members who hear each other have the same, and know their tiles."""
    if not all(
        match.members.content and match.members.enough for match in party.running
    ):
        return
    if any(match.members.electors - match.members.here for match in party.running):
        return
    logs = party.logs()
    assert all(log == logs[0] for log in logs), "a log that is not the others'"
    for n, match in enumerate(party.running):
        assert match.final == len(logs[0]), f"{n} does not know that all is safe"
        fold, members = match.fold, match.members
        if fold.over and members.greeted == members.others:
            assert match.audit() == "ok", f"{n} cannot prove what was drawn"
        for seat in () if fold.over or fold.stuck else sorted(members.seats):
            if seat not in fold.resigned:
                assert match.seats.view(seat).up_to_date, f"{n} lacks tiles of {seat}"


def wanted_still(party: Party) -> None:
    """See that a member wants to be woken, too, where it is asked a moment before."""
    now, due = party.now, [match.deadline() for match in party.running]
    for match, at in zip(party.running, due, strict=True):
        for party.now in () if at is None else (at - 0.5, at, at + 0.5):
            still = match.deadline()
            assert still is not None
            assert still <= at + 2
    party.now = now

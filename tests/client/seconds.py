"""Pages on which there are two of a thing, or the other one of two, or none.

A fault that takes the first for the second is not seen where there is but one.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from client.app.drafts import Kind, SeatDraft
from client.app.model import Model, Over
from client.pages.result import FACTS
from client.ui.intents import Click, Focus, Scroll, Slide, Text
from netplay import wire
from netplay.messages import door
from netplay.messages.door import Thinking
from netplay.messages.log import What
from netplay.messages.table_questions import (
    Agreeing,
    Friend,
    GameStatus,
    OfferStatus,
    OpenStatus,
)
from netplay.sentences import Says
from rules.hexcolumns import Options
from tests.client import past, worlds
from tests.client.worlds import fed, seat, status, table

KEY: Final = "ABCD-EFGH-IJKL-MNOP-QRST"
OTHER: Final = "UVWX-YZ23-4567-ABCD-EFGH"


def changed(model: Model, **changes: Any) -> Model:
    """Return the window after the node has told of its table anew."""
    assert model.table is not None
    return fed(model, status(table=replace(model.table, **changes)))


def three(model: Model, **changes: Any) -> Model:
    """Return a match of three persons, two of them at other computers."""
    here = worlds.in_match(model, "numlo", 3, 12)
    far = replace(seat("Bert", "remote"), state="connected", key=KEY)
    seats = (seat("Anna"), far, replace(far, name="Dora", key=OTHER))
    return changed(here, seats=seats, **changes)


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the pages, by name."""
    yield from offered(model)
    yield from timed(model)
    yield from ends(model)
    yield from terms(model)
    yield from starts(model)
    moves = fed(worlds.at_match(model, 2, 24), Click("step.first"))
    yield "moves scrolled while looking back", fed(moves, Scroll("moves", 120))


def offered(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield offers: two at once, another's, one answered already, beside computers."""
    days = OfferStatus(1, "days", 3, b"one", (0, 2))
    stop = OfferStatus(2, "stop", 0, b"two", (0,))
    draw = OfferStatus(1, "draw", 0, b"three", (2,))
    own = OfferStatus(0, "back", 0, b"four", (2,))
    may: tuple[tuple[int, What], ...]
    may = ((0, "stop"), (1, "draw"), (0, "days"), (2, "back"))
    here = three(model)
    yield "two offers to answer", changed(here, offers=Agreeing((days, stop)))
    yield "an offer answered already", changed(here, offers=Agreeing((draw,), may))
    yield "one's own offer", changed(here, offers=Agreeing((own,), may))
    asked = replace(here, over=Over.AGREE)
    yield "what one seat of three may offer", changed(asked, offers=Agreeing(may=may))
    assert here.table is not None
    robot = (*here.table.seats[:2], seat("Computer", "computer"))
    both = changed(asked, seats=robot, offers=Agreeing(may=may))
    yield "what may be offered beside a computer", both
    alone = (here.table.seats[0], *(seat(n, "computer") for n in ("One", "Two")))
    yield "what computers are offered", changed(both, seats=alone)
    off = Agreeing(off=((1, 86_400), (2, 30)))
    yield "days off of two", changed(here, offers=off)
    for ended in ("draw", "stop"):
        over = Agreeing(ended=ended)
        places = (1, 1, 1) if ended == "draw" else ()
        kept = {"phase": "over", "turn": (), "audit": "ok", "places": places}
        yield f"ended together: {ended}", changed(here, offers=over, **kept)


def timed(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what is left of a turn, clocks at their limits, and claims."""
    here = three(model)
    for left in (-5, 0, 1, 59, 3_599, 3_600, 90_000):
        shown = changed(here, thinking=Thinking(days=3, left=left))
        yield f"{left} seconds left", shown
    two = worlds.in_match(model, "hexagrams", 2, 6)
    for name, at in (("two", two), ("three", here)):
        for ends in (False, True):
            for claim in ("may", "made"):
                now = Thinking(3, -1, claim, ends)
                yield f"{claim} claim of {name}, {ends}", changed(at, thinking=now)
    ended = Thinking(0, None, "may", ends=True)
    yield "a claim without days", changed(here, thinking=ended)
    withheld = Thinking(0, None, "may")
    yield "tiles withheld", changed(here, thinking=withheld)
    yield "a claim contested", changed(two, contested=True, thinking=Thinking(3, -1))
    assert here.table is not None
    one, two_, last = here.table.seats
    clocks = (
        replace(one, clock=60_001, ticking=True),
        replace(two_, clock=59_999),
        replace(last, clock=0, state="late"),
    )
    yield "clocks about a minute", changed(here, seats=clocks)
    gone = replace(two_, state="away", since=4_000), replace(last, state="resigned")
    yield "one away, one resigned", changed(here, seats=(one, *gone))


def ends(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield results: of another than the first, ties, draws, and one's own best."""
    over = {"phase": "over", "turn": (), "audit": "ok"}
    here = three(model)
    for places in ((2, 1, 3), (2, 1, 1), (1, 1, 1), (3, 2, 1)):
        yield f"places {places}", changed(here, places=places, **over)
    assert here.table is not None
    first, second, last = here.table.seats
    late = (first, replace(second, state="late"), replace(last, state="resigned"))
    yield "out of time", changed(here, places=(1, 2, 3), seats=late, **over)
    played_on = (first, replace(second, state="late"), last)
    yield "played on", changed(here, places=(1, 3, 2), seats=played_on, **over)
    watched = changed(here, places=(2, 1, 3), watching=True, hosting=False, **over)
    yield "a bystander's result", watched
    unproved = {**over, "audit": "", "held_up": Says.HOST_AWAY()}
    drawn = worlds.at_match(model, 2, 8)
    assert drawn.table is not None
    far = replace(drawn.table.seats[1], kind="remote", key=KEY)
    apart = {"seats": (drawn.table.seats[0], far), "tiled": True}
    yield "not proved", changed(drawn, places=(2, 1), **apart, **unproved)
    waits = {**over, "audit": "", "places": (2, 1)}
    yield "not proved yet", changed(drawn, **apart, **waits)
    proved = changed(drawn, places=(2, 1), **apart, **over)
    yield "proved", proved
    yield "result scrolled", fed(proved, Scroll(FACTS, 30))
    two = worlds.in_match(model, "hexagrams", 2, 6)
    for draw in (False, True):
        places_ = (1, 1) if draw else (2, 1)
        yield f"no points, places {places_}", changed(two, places=places_, **over)
    won = replace(past.one(1, "numlo"), match=b"o" * 32, friends=(Friend(KEY, "Bert"),))
    known = replace(here, past=replace(here.past, found=(won,)))
    yield "against a friend", changed(known, places=(2, 1, 3), **over)
    wells = worlds.in_match(model, "hexcolumns", 1, 0)
    best = ((f"hexcolumns {_ranked(wells)}", (900, 300, 0)),)
    own = replace(wells, settings=replace(wells.settings, best=best))
    yield "one's own best", changed(own, places=(1,), **over)


def _ranked(model: Model) -> str:
    from client.hexcolumns import TRAITS  # noqa: PLC0415 (no other needs the game)

    assert model.table is not None
    assert TRAITS.ranked is not None
    return TRAITS.ranked(wire.unpack(model.table.options, Options))


def terms(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield a table with all rules shown, for its host and for a guest."""
    kinds = (
        SeatDraft(Kind.PERSON),
        SeatDraft(Kind.PERSON, "Zoe"),
        SeatDraft(Kind.REMOTE, address=KEY),
        SeatDraft(Kind.COMPUTER, skill=63, custom=True),
    )
    draft = replace(
        model.setup.draft, seats=kinds, days=3, bystanders="nobody",
        options=(("timed", "5"), ("trade_blanks", "on")), words="german",
    )  # fmt: skip
    friend = replace(seat("Bert", "remote"), state="connected", key=KEY, accepted=False)
    seats = (
        seat("Anna"), replace(seat("Zoe"), key="other"), friend,
        replace(seat("Computer", "computer"), skill=63),
    )  # fmt: skip
    agreed = replace(model, setup=replace(model.setup, draft=draft, agreed=draft))
    shown = replace(agreed, scrolls={"rules": 1})
    hosted = table(seats=seats, waiting=Says.SOMEBODY_TO_JOIN(), tiled=True)
    friends = (("Dora", OTHER), ("Bertie", KEY))
    host = fed(shown, status(table=hosted, friends=friends))
    host = replace(host, setup=replace(host.setup, draft=draft, agreed=draft))
    yield "rules of a host", host
    ready = table(seats=seats, waiting="", tiled=True)
    able = fed(host, status(table=ready, friends=friends))
    able = replace(able, setup=replace(able.setup, draft=draft, agreed=draft))
    yield "a table that can begin", able
    other = replace(draft, days=1)
    pending = replace(able, setup=replace(able.setup, draft=other))
    yield "rules that are not agreed yet", pending
    seated = replace(able, scrolls={})
    yield "seats of a host", seated
    for name in ("option.timed", "days", "bystanders", "fairness", "words"):
        yield f"list of {name}", replace(host, open=name)
    for name in ("kind2", "recent2", "level3"):
        yield f"list of {name}", replace(seated, open=name)
    asked = replace(friend, state="awaited", asked="asked", address=KEY, name="")
    program = replace(seat("Computer", "computer"), program=True)
    others = (seats[0], asked, program, replace(seats[1], browser="Anna"))
    guest = table(
        hosting=False, waiting="", host="Bert", fairness="encrypted", tiled=True,
        seats=(friend, seat("Anna"), replace(friend, name="Dora", doubt=worlds.DOUBT)),
        thinking=Thinking(days=7), bystanders="anybody",
    )  # fmt: skip
    yield "rules of a guest", fed(shown, status(table=guest))
    yield "seats of a guest", fed(model, status(table=guest))
    kinds_ = replace(hosted, seats=others)
    near = (*worlds.NEAR, worlds.PLAYED)
    known = fed(model, status(table=kinds_, friends=friends, nearby=near))
    yield "seats of all kinds", known
    yield "whom a host may ask", replace(known, open="recent1")
    called = replace(guest, called=True, tiled=False)
    yield "called to a table", fed(model, status(table=called))


def starts(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the start page with two of a thing: offers, games, people, fields."""
    two = (OpenStatus("numlo", 1, ("Bert",)), OpenStatus("hexagrams", 0, ("Dora", "E")))
    usual = GameStatus(
        4, b"a" * 32, "joined", "playing", "numlo", ("Anna", "Bert"), (0,), True, 90,
        -1, 2, False, (), own=(0,), keys=(KEY,),
    )  # fmt: skip
    live = replace(
        usual, table=9, match=b"b" * 32, game="hexcolumns", live=True, mine=False,
        turn=(), clock=61_000, unread=0,
    )  # fmt: skip
    rest = replace(
        usual, table=7, match=b"c" * 32, game="hexagrams", mine=False, turn=(1,),
        own=(0,), left=3_600, off=(("Bert", 86_400),), away=("Bert",), unread=0,
    )  # fmt: skip
    over = replace(
        rest, table=5, match=b"d" * 32, phase="over", turn=(), result="lost", audit="ok"
    )
    games = status(games=(live, usual, rest, over), open=two)
    yield "four games in hand", fed(model, games)
    friends = (("Bert", KEY), ("Dora", OTHER))
    near = status(nearby=(*worlds.NEAR, worlds.PLAYED), friends=friends)
    chosen = fed(model, near, Click("near:KEY-Emil"))
    yield "a match nearby is chosen", chosen
    yield (
        "a friend's address",
        fed(model, near, Focus("field.address"), Text("1.2.3.4:5 Bert")),
    )
    hints = replace(model.setup.draft, options=(("hints", "on"), ("timed", "5")))
    own = replace(model, setup=replace(model.setup, draft=hints))
    yield "hints for games here", fed(own, status())
    most = fed(model, status(), Click("rivals:3"))
    yield "three rivals", most
    yield "three rivals, at a game of two", fed(most, Click("game:3"))
    yield "level of another", fed(model, status(), Click("level"), Click("level:4"))
    yield "a skill between two levels", fed(model, status(), Slide("skill", 0.63))
    line = door.Clicked(7, "netplay:1.2.3.4:5#ABCD")
    yield "an invitation is clicked", fed(three(model), line)
    yield "one is clicked at the first start", fed(model, status(name=""), line)
    real_time = worlds.in_match(model, "hexcolumns", 2, 0)
    yield "one is clicked in a live game", fed(real_time, line)
    assert real_time.table is not None
    yet = replace(real_time.table.seats[1], kind="remote", accepted=False, key=KEY)
    asked = changed(real_time, seats=(real_time.table.seats[0], yet))
    yield "one who has not accepted, in a match", asked
    waits = status(mode="answering", games=(usual,), friends=friends)
    yield "waiting for friends", fed(model, waits)

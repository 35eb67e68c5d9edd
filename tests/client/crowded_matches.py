"""Every match page with all that players bring, at every moment of a match."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from client.app import follow
from client.app.model import Model, Over, ask
from client.hexcolumns.wells import Rows
from client.networdz.local import PassTurn
from client.pages import play, review
from client.ui.intents import Click, Drop, Focus, Key, Text
from netplay import wire
from netplay.messages import door
from netplay.messages.log import What
from netplay.messages.table_questions import Agreeing, OfferStatus
from netplay.said import Said
from rules import GAMES
from rules.networdz import Line
from tests.client import games, worlds
from tests.client.crowded import KEY, LONG, WHY, crowd, failed, remote
from tests.client.worlds import fed, seat

WATCHERS = ("Wilhelmina Wwwwwwwwwwwww", "Александр Достоевский", "Cyd")
SAID = tuple(
    door.Line(LONG[i % 4], f"{i}: this was a long move, and so is this line", 0)
    for i in range(40)
)
WORDS = (
    tuple(
        Line(word, points)
        for word, points in (("QUIZZICAL", 374), ("+WAXY", 42), ("++", 50), ("AA", 2))
    )
    * 8
)
"""A list of 32 lines, among them as long a word as people lay."""

MOVES = {"numlo": 24, "hexagrams": 12, "hexcolumns": 0}
"""By which a match has begun, and is not over."""

NOT_AUDITED = f"{LONG[1]} did not open the pool"
APART = f"{LONG[2]} sees another position after entry 214"
LOST = f"3 entries that {LONG[3]} had signed for are gone"
DOUBT = f"the clock of {LONG[1]} is 95 s ahead of this computer's"


def seats(count: int) -> tuple[door.SeatStatus, ...]:
    """Return a person here, and others far away in every state there is."""
    own = replace(seat(LONG[0]), key=KEY, clock=754_000, ticking=True)
    others = (
        remote(1, clock=59_000),
        remote(2, state="away", since=4321, clock=3_599_000),
        remote(3, doubt="another key than the one you know by this name"),
    )
    return (own, *others)[:count]


@worlds.kept
def at(model: Model, game: str) -> Model:
    """Return the window in the middle of a crowded match."""
    most = GAMES[game].ABOUT.seats[-1]
    model = at_networdz(model) if game == "networdz" else at_other(model, game, most)
    return fed(model, *SAID)


def at_networdz(model: Model) -> Model:
    """Return the window at a match of Networdz with a list of thirty words each."""
    state, past = worlds.networdz(4, 12)
    full = replace(state, lists=(WORDS,) * 4, scores=(1374, 988, -12, 1004))
    there = worlds.playing(full, 4, seats=seats(4), turn=(0,))
    return fed(model, crowd(table=there), worlds.view(full, past, 0))


def at_other(model: Model, game: str, most: int) -> Model:
    """Return the window at a match of another game, with many moves."""
    if game == "lhexicon":
        state, past = games.leveled()
        model = games.page(model, game, state, past, seat=1)
        assert model.match is not None
        match = replace(model.match, past=model.match.past * 10)
        model = replace(model, match=match)
    else:
        model = worlds.in_match(model, game, most, MOVES[game])
    count = len(model.names)
    placed = seats(count)
    if game == "lhexicon":
        placed = placed[::-1]
    return changed(model, seats=placed, turn=(1,) if game == "lhexicon" else (0,))


def changed(model: Model, **changes: Any) -> Model:
    """Return the window after the node has told something else of the table.

    Scores that begin to count have come: they are to have their room.
    """
    assert model.table is not None
    return follow.ended(fed(model, crowd(table=replace(model.table, **changes))))


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the pages and dialogs of a match of every game, by name."""
    for game in GAMES:
        here = at(model, game)
        yield f"full {game}", here
        for name, page in moments(here, game):
            yield f"full {game}, {name}", page
    yield from dialogs(model)
    yield from at_work(model)


def moments(here: Model, game: str) -> Iterator[tuple[str, Model]]:
    """Yield what may come over a match of any game."""
    # In a game in real time there is no such tab before the match is over.
    moves = fed(here, Click("side:1", means=play.ToTab(play.MOVES)))
    yield "moves", moves
    yield "refused", refused(here)
    yield "told", fed(moves, door.Notice("error", Said(WHY), 0))
    yield "no node", replace(here, linked=False, trouble=WHY)
    asking = ((KEY, LONG[1]), (KEY, LONG[2]))
    yield "asked", changed(here, asking=asking, watchers=WATCHERS)
    yield "watched", changed(here, watchers=WATCHERS)
    yield "doubted", changed(here, doubt=DOUBT, hosting=False, lost=(LOST,))
    waited = f"{LONG[1]}, {LONG[2]}"
    yield "paused", changed(here, phase="paused", waiting=waited, hosting=False)
    yield (
        "stopped",
        changed(here, phase="stopped", apart=(APART,), disputed=True, waiting=waited),
    )
    table = here.table
    assert table is not None
    if not GAMES[game].ABOUT.hz:
        yield "looking back", fed(moves, Key("page up"), Key("page up"))
    yield from ends(moves, game)
    if game == "hexcolumns":
        yield from wells(here)
    yield "covered", covered(here)


def refused(here: Model) -> Model:
    """Return the window whose move the host has refused."""
    assert here.match is not None
    question = door.Play(here.match.seat, b"", here.match.number)

    asked, _effects = ask(here, question, "play")
    return fed(asked, door.Failed(max(asked.asked), 1, WHY))


def ends(here: Model, game: str) -> Iterator[tuple[str, Model]]:
    """Yield the match when it is over: audited, not audited, and gone through."""
    count = len(here.names)
    places = tuple(range(1, count + 1))
    over = changed(
        here, phase="over", turn=(), places=places, audit="ok", rematch=LONG[1:3]
    )
    yield "over, its result", over
    yield "over", fed(over, Click("result.close"))
    kept = {"audit": "", "held_up": NOT_AUDITED, "hosting": False}
    card = changed(over, **kept)
    yield "not audited, its result", card
    unaudited = fed(card, Click("result.close"))
    yield "not audited", unaudited
    wrong = changed(over, audit="the root of the bag does not fit")
    yield "audit failed, its result", wrong
    yield "audit failed", fed(wrong, Click("result.close"))
    yield "over, looking back", fed(unaudited, Click("step.first"))
    yield (
        "over, looking back further",
        fed(over, Click("result.close"), Click("step.first"), Click("step.more")),
    )
    over = fed(over, Click("result.close"))
    bystander = changed(over, watching=True, hosting=False)
    yield "over, watched", bystander
    if game == "networdz":
        yield "analysis", analysed(over)
        yield "review", fed(analysed(over), Click(review.PAGE))
    if game in {"numlo", "hexagrams"}:
        yield "analysis", compared(over, game)
        yield "review", fed(compared(over, game), Click(review.PAGE))


def analysed(over: Model) -> Model:
    """Return the window beside the best plays, one of them laid on the board."""

    asked = fed(over, Click("side:2"))
    assert asked.match is not None
    number = review.turn(asked.match)
    judged = worlds.judged(number, 4, 12)
    wanted = [n for n, what in asked.asked.items() if what.startswith(review.ASKED)]
    answer = door.Done(wanted[0], data=wire.pack(judged))
    return fed(asked, answer, Click("offer:0", means=review.Try(0)))


def compared(over: Model, game: str) -> Model:
    """Return the window beside the computer's move, laid on the board."""
    asked = fed(over, Click("side:2"))
    assert asked.match is not None
    number = review.turn(asked.match)
    before, actor, move = asked.match.past[number].before, *_made(asked, number)
    known = wire.pack(before), wire.pack(move)
    judged = worlds.compared(number, actor, game, *known)
    wanted = [n for n, what in asked.asked.items() if what.startswith(review.ASKED)]
    shown = Click("offer:0", means=review.Try(0))
    return fed(asked, door.Done(wanted[0], data=wire.pack(judged)), shown)


def _made(model: Model, number: int) -> tuple[int, Any]:
    assert model.match is not None
    step = model.match.past[number]
    return step.actor, step.move


def wells(here: Model) -> Iterator[tuple[str, Model]]:
    """Yield wells that stand still: paused, full, given up."""
    assert here.match is not None
    state = here.match.state
    first, *others = state.wells
    for name, changes in (
        ("paused well", {"paused": True}),
        ("full well", {"over": True}),
        ("given up", {"over": True, "resigned": True}),
    ):
        rest = (replace(others[0], over=True), replace(others[1], paused=True))
        fresh = (replace(first, **changes), *rest, *others[2:])
        full = replace(state, wells=fresh)
        yield name, replace(here, match=replace(here.match, state=full))
    sent = tuple(replace(well, sent=30) for well in state.wells)
    pressed = replace(state, wells=sent, attacks=True)
    local = replace(here.match.local, rows=Rows(12, 1, here.now))
    match = replace(here.match, state=pressed, local=local)
    yield "rows coming", replace(here, match=match)


def covered(here: Model) -> Model:
    """Return the window with the curtain before the tiles of a long name."""
    assert here.match is not None
    return replace(here, match=replace(here.match, covered=True))


def dialogs(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what lies over the page of a match."""
    here = at(model, "networdz")
    assert here.match is not None
    for over in (Over.LEAVE, Over.RESIGN, Over.HELP, Over.PREFERENCES):
        yield f"full {over.value}", replace(here, over=over)
    told = "The report is in " + f"{worlds.FULL.folder}/" * 2 + "netplay-report.txt"
    yield "full help, reported", replace(here, over=Over.HELP, report=told)
    asking = tuple((KEY, name) for name in LONG)
    watched = changed(here, asking=asking, watchers=WATCHERS * 3)
    yield "full list of watchers", replace(watched, over=Over.WATCHERS)
    whats: tuple[What, ...] = ("draw", "stop", "back", "days")
    may = Agreeing(may=tuple((here.match.seat, each) for each in whats))
    yield "all that can be offered", replace(changed(here, offers=may), over=Over.AGREE)
    asked = OfferStatus(3, "days", 14, b"", (here.match.seat,))
    off = Agreeing((asked,), off=((1, 86_400), (2, 86_400)))
    yield "an offer to answer", changed(here, offers=off)
    yield "full person", fed(here, Click("who3"))
    chosen = fed(here, Click("save"), worlds.FULL)
    yield "full save", chosen
    yield "full save, refused", failed(chosen, *worlds.named("/x", "nothing"))
    ended = changed(here, phase="over", turn=(), audit="ok", places=(1, 2, 3, 4))
    yield "full leave at the end", replace(ended, over=Over.LEAVE)
    book = fed(model, crowd(editions=("winter",)), Click("dictionary"), Click("editor"))
    named_ = fed(book, Focus("field.ed.name"), Key("a", ctrl=True), Text("winter"))
    yield "edition of a name that is there", fed(named_, Click("ed.save"))
    for game in GAMES:
        if game != "networdz":
            yield f"full help of {game}", replace(at(model, game), over=Over.HELP)


def at_work(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what a player of each game has open in the middle of a turn."""
    here = at(model, "networdz")
    assert here.match is not None
    held = here.match.state.tiles.racks[0]
    passing = Click("pass", means=PassTurn())
    yield "full networdz, discarding", fed(here, passing, Text("a"))
    laid = fed(here, *(Drop(f"tile:{t}", f"cell:{n}") for n, t in enumerate(held)))
    yield "full networdz, all laid", laid
    wish = replace(model, settings=replace(model.settings, draw=True))
    start, past = worlds.networdz(4, 0)
    there = worlds.playing(start, 4, seats=seats(4), turn=(0,))
    yield (
        "full networdz, drawing",
        fed(wish, crowd(table=there), worlds.view(start, past, 0)),
    )
    asks = replace(here.match.state.options, hints=True, show_racks=True)
    hints = replace(here.match.state, options=asks)
    open_ = replace(here, match=replace(here.match, state=hints))
    yield "full networdz, hints", changed(open_, options=wire.pack(asks))
    for name, page in games.pages(model):
        if name.startswith("lhexicon") and page.table is not None:
            yield f"full {name}", fed(changed(page, seats=named(page)), *SAID)
    numlo = at(model, "numlo")
    yield "full numlo, shown", fed(numlo, Click("show"), Click("hint"))
    robots = (seats(4)[0], *(seat(f"Computer {i}", "computer") for i in (1, 2, 3)))
    yield "full numlo, computers", changed(numlo, seats=robots)


def named(page: Model) -> tuple[door.SeatStatus, ...]:
    """Return the seats of a page, with long names."""
    assert page.table is not None
    pairs = zip(page.table.seats, LONG, strict=False)
    return tuple(replace(each, name=name) for each, name in pairs)

"""What the games say of a position, of a move, and aloud, line by line."""

from collections.abc import Iterator
from itertools import product, starmap
from typing import Any, Final

from msgspec.structs import replace

from client import hexagrams, hexcolumns, lhexicon, networdz, numlo, speech
from client.app import board, options
from client.app.board import Seen, Step
from client.app.model import Model
from client.hexagrams.input import Local
from client.hexcolumns import text as columns_told
from client.networdz.local import Local as NetwordzLocal
from client.pages import games, reviewing, screen
from client.ui.intents import Click, Drop, Focus, Hover, Key, Text
from client.ui.scene import find
from netplay import wire
from netplay.commands import games as on_games
from netplay.commands import peers as on_peers
from netplay.commands import status as on_status
from netplay.messages import door
from netplay.messages.door import Clicked
from netplay.messages.node_questions import (
    CarrierStatus,
    CarryStatus,
    KnownNode,
    Network,
    PeerStatus,
    Personal,
    PlaceStatus,
)
from netplay.messages.table_questions import Agreeing, OfferStatus
from netplay.sentences import Says
from rules import GAMES
from rules import hexagrams as stones
from rules import hexcolumns as columns
from rules import lhexicon as words
from rules import networdz as tiles
from rules.game import CLOCK, Resign
from rules.hexagrams import BLACK, OVER, WHITE
from rules.hexagrams.board import cell as stone_cell
from rules.lhexicon import Challenge, Expire, Insist, Options, Pass, Withdraw
from rules.lhexicon.cells import cell_name
from rules.networdz import Laid
from rules.numlo import Options as Squares
from tests.client import hexagrams_hands as by_stone
from tests.client import learning, worlds
from tests.client import lhexicon_hands as by_letter
from tests.client import networdz_hands as by_tile
from tests.client import test_menus as menus
from tests.client import test_review_searched as searched
from tests.client import test_reviewing as reviews
from tests.client.clicking import handle
from tests.client.games import RIGHT, cell, drops, marks
from tests.client.hexagrams_hands import h, t
from tests.client.listed import game
from tests.client.worlds import at_match, base, fed, in_match
from tests.netplay.text.test_position import STATES
from tests.rules.hexcolumns.wells import draw
from tests.rules.lhexicon import matches, worked
from tests.rules.networdz import positions

NAMES: Final = ("Anna", "Bert")

SEVERAL: Final = game(
    1, "numlo", players=("Anna", "Bert", "Cyd"), turn=(1, 2), away=("Dora", "Eve"),
    blocked=("Fay", "Gil"), off=(("Bert", 200_000), ("Cyd", 7_300)),
)  # fmt: skip
"""A game with two of all that it may have several of."""


def seen(game: str, seat: int = 0) -> Any:
    """Return a position of each game as a seat sees it."""
    return Seen(GAMES[game].view(STATES[game](), seat), seat, NAMES)


def said(game: str, local: Any, seat: int = 0) -> tuple[str, ...]:
    """Return what is said aloud of a position."""
    aloud = board.find(game).TRAITS.aloud
    assert aloud is not None
    return aloud(seen(game, seat), local)


def after(
    model: Model, focus: str = "", before: speech.Told | None = None
) -> list[str]:
    """Return what is said of a window that comes after another."""
    told = speech.Told() if before is None else before
    return speech.news(told, model, screen.scene(model), focus)[0]


def known(model: Model, focus: str = "") -> speech.Told:
    """Return what has been said once a window was shown."""
    return speech.news(speech.Told(), model, screen.scene(model), focus)[1]


def lines() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is said, by what it is said of."""
    for part in (
        of_squares, of_stones, of_letters, of_marks, of_challenges, of_tiles, of_doubts,
        of_wells,
    ):  # fmt: skip
        for where, text in part():
            yield where, (text,)
    yield from of_options()
    yield from of_reviews()
    yield from of_commands()
    yield from aloud()
    yield from spoken()
    yield from learning.lines()


def of_squares() -> Iterator[tuple[str, str]]:
    """Yield what Numlo says of a square, and of who cannot move."""
    state = GAMES["numlo"].start(2, Squares(size=8, start="othello", values=False))
    while state.turn < 0:
        state = GAMES["numlo"].play(
            state, state.turn, next(iter(GAMES["numlo"].moves(state, state.turn)))
        )
    at: Seen[Any, Any] = Seen(state, state.turn, NAMES)
    own = next(iter(GAMES["numlo"].moves(state, state.turn))).square
    for name, shown, intent in (
        ("nothing", at, None), ("a square that flips nothing", at, Click("cell:0")),
        ("a taken square", at, Click("cell:27")),
        ("a square that flips", at, Hover(f"cell:{own}")),
        ("out of turn", replace(at, seat=1 - state.turn), Click(f"cell:{own}")),
        ("not ready", replace(at, live=False), Click(f"cell:{own}")),
    ):  # fmt: skip
        local = numlo.begin(shown)
        if intent is not None:
            local = handle(numlo, shown, local, intent)[0]
        yield f"Numlo: {name}", numlo.status(shown, local)
    lost = replace(state, passed=(1 - state.turn,))
    yield (
        "Numlo: one was skipped",
        numlo.status(replace(at, view=lost), numlo.begin(at)),
    )


def of_commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what the commands say of a table and of games in hand."""
    why, left = Says.BAG_NOT_OPENED(names="Bert"), Says.HAS_LEFT_TABLE(name="Bert")
    tables: tuple[tuple[str, dict[str, Any]], ...] = (
        ("at an encrypted table", {"tiled": True, "fairness": "encrypted"}),
        ("at one with too many tiles", {
            "tiled": True, "why_fairness": Says.CANNOT_ENCRYPT(most=140),
        }),
        ("in an encrypted match", {
            "tiled": True, "fairness": "encrypted", "phase": "playing",
        }),
        ("after a match not proved", {"phase": "over", "held_up": why, "again": 2}),
        ("where one has left", {"phase": "stopped", "waiting": left}),
        ("that calls", {"called": True, "hosting": False}),
        ("where nobody confirms a move", {
            "phase": "playing", "made": door.Made(moves=(0,), unconfirmed=9 * 3600),
        }),
    )  # fmt: skip
    for name, changes in tables:
        shown = worlds.status(table=worlds.table(**changes))
        yield f"status {name}", tuple(on_status.lines(shown))
    bert = PeerStatus("Bert", "ABCD", "", connected=False, since=90)
    every = several()
    yield "status with two of everything", tuple(on_status.lines(every))
    known = [
        KnownNode(p.name, p.key, ("192.0.2.1:1", "192.0.2.2:1"), ())
        for p in every.peers
    ]
    known[1] = replace(known[1], addresses=(), personal=Personal("Dorchen", "late"))
    blocked = KnownNode("Eve", "E-KEY", (), (), blocked=True)
    yield "peers", tuple(on_peers.lines((*known, blocked), every))
    yield (
        "status of somebody nowhere",
        tuple(on_status.lines(worlds.status(peers=(bert,)))),
    )
    row = game(1, "numlo", turn=(1,), since=90_000, left=7_300)
    late = replace(row, phase="over", result="unanswered")
    paused = replace(row, phase="paused", waiting="Bert")
    for name, one in (
        ("in hand", row), ("just begun", replace(row, since=5, left=None)),
        ("with two of all", SEVERAL),
        ("won on time", late),
        ("with days off", replace(row, off=(("Bert", 200_000),))),
        ("stopped", replace(row, phase="stopped", waiting=left)),
        ("paused", paused),
        ("gone on", replace(paused, phase="playing", away=("Bert",))),
        ("with an offer", replace(row, mine=True, own=(0,))),
        ("on turn", replace(row, mine=True, own=(0,), turn=(0,))),
    ):  # fmt: skip
        yield f"a game {name}", (on_games.lines(one), games.turn(one))
    forming = replace(row, match=b"", phase="forming", turn=(), left=None)
    for name, one in (
        ("undelivered", replace(row, turn=(), undelivered=True)),
        ("of who has declined", replace(
            forming, mode="hosting", waiting="Bert", asked="declined",
        )),
        ("at another's table", replace(forming, waiting="the host")),
    ):  # fmt: skip
        yield f"a game {name}", (games.turn(one),)


def several() -> door.Status:
    """Return a status with two of all that a node may have several of."""
    bert = PeerStatus("Bert", "B-KEY", "192.0.2.1:1", connected=True, since=9)
    dora = PeerStatus("Dora", "D-KEY", "", connected=False, since=90)
    carriers = CarrierStatus("Gil", "", "away"), CarrierStatus("Hal", "", "carries")
    near = PlaceStatus("192.0.2.7:1", "network", "own")
    places = near, PlaceStatus("192.0.2.8:1", "internet", "router", "Bert", 7_300)
    standing = (
        OfferStatus(1, "days", 3, b"one", (0, 2)),
        OfferStatus(2, "draw", 0, b"two", (1, 0)),
    )
    seats = [worlds.seat("Anna"), *(worlds.seat(n, "remote") for n in ("Bert", "Cyd"))]
    table = worlds.table(
        phase="playing", seats=tuple(seats), turn=(1, 2), waiting="",
        watchers=("Eve", "Fay"), asking=(("E-KEY", "Ida"), ("F-KEY", "Jon")),
        rematch=("Kim", "Leo"), changes=(("side", "3", "4"), ("timed", "", "5")),
        apart=(Says.HOST_AWAY(), Says.SOMEBODY_TO_JOIN()),
        lost=(Says.HAS_LEFT_TABLE(name="Mia"), Says.HAS_LEFT_TABLE(name="Ned")),
        claims=tuple(Says.TIME_CONFIRMED(number=n, late="Bert") for n in (7, 8)),
        beginning=door.Beginning(lacking=("Oda", "Pia")),
        made=door.Made(
            consents=((1, "Quin"), (2, "Rosa")), kept=(("Sam", "Tom"), ("Uli", "Vera")),
        ),
        offers=Agreeing(standing, off=((1, 90_000), (2, 7_300))),
    )  # fmt: skip
    return worlds.status(
        peers=(bert, dora), table=table, seen=(("B-KEY", 7_300), ("D-KEY", 90_000)),
        faults=(Says.HOST_AWAY(), Says.NODE_ENDED()),
        network=Network(places=places, carry=CarryStatus(carriers=carriers)),
    )  # fmt: skip


def of_stones() -> Iterator[tuple[str, str]]:
    """Yield what Hexagrams says of stones that may not go, and of the end."""
    start = by_stone.start()
    yield "a capture is due", hexagrams.status(start, Local())
    for origin in (t(3, 0), h(0, 1), t(5, 1)):
        picked = by_stone.after(start, Click(f"tile:{origin}"))
        yield f"{origin} is clicked then", hexagrams.status(start, picked)
    example = by_stone.seen_of(by_stone.example(), BLACK)
    yield "no capture is due", hexagrams.status(example, Local())
    for origin, target in (
        (t(8, 1), t(6, 0)), (t(8, 1), h(2, 1)), (h(1, 6), t(7, 0)), (h(1, 6), h(0, 1)),
    ):  # fmt: skip
        dropped = by_stone.after(example, Drop(f"tile:{origin}", f"cell:{target}"))
        yield f"{origin} is dropped on {target}", hexagrams.status(example, dropped)
    for name, whites, blacks in (
        (h(1, 0), ("1,0", "1,6"), ("4,1 5,1", "8,3")),
        (t(8, 1), ("0,1", "1,6"), ("8,1", "5,3")),
    ):
        stuck = by_stone.seen_of(by_stone.position(WHITE, whites, blacks), WHITE)
        picked = by_stone.after(stuck, Click(f"tile:{name}"))
        yield f"{name} cannot move", hexagrams.status(stuck, picked)
    drop = Drop(f"tile:{t(5, 1)}", f"tile:{t(4, 1)}")
    waits, late = by_stone.start(BLACK), replace(start, live=False)
    for name, at in (("out of turn", waits), ("not ready", late)):
        yield name, hexagrams.status(at, handle(hexagrams, at, Local(), drop)[0])
    for ending, winner in (
        ("hexads", 0), ("stuck", 1), ("count", 1), ("count", -1), ("resigned", 0),
        ("blocked", 1),
    ):  # fmt: skip
        over: Any = replace(by_stone.example(), turn=OVER, winner=winner, ending=ending)
        ended = hexagrams.status(by_stone.seen_of(over, WHITE), Local())
        yield f"ended by {ending}, {winner}", ended
    quiet = by_stone.seen_of(replace(by_stone.example(), quiet=50), BLACK)
    yield "quiet for fifty moves", hexagrams.status(quiet, Local())
    state = stones.start(2, stones.Options())
    yield "resigned", hexagrams.tell(Step(state, WHITE, Resign()), NAMES)


def of_letters() -> Iterator[tuple[str, str]]:
    """Yield what Lhexicon says of letters and blanks."""
    one = by_letter.coded("CODED?Z")
    typed = by_letter.after(one, Click(f"cell:{cell(0, 0)}"), Text("ab"))
    yield "a letter that is not held", by_letter.said(one, typed)
    word = worked.CODED.replace("E(1,0)", "e(1,0)")
    state = matches.begin("CODDEX?", "RUELIAT")
    state = matches.give(matches.lay(state, word), "IIIAO")
    held = by_letter.seen_of(words.play(state, 1, Pass()), 0)
    yield "a blank can be picked up", by_letter.said(held, lhexicon.begin(held))
    onto = f"cell:{cell(1, 0)}"
    laid = by_letter.after(held, Drop(by_letter.tile(held, "X"), f"cell:{cell(3, 3)}"))
    for name, letter, before in (
        ("it is picked up", "E", None),
        ("another letter on it", "X", None),
        ("beside a letter that is laid", "E", laid),
    ):
        drop = Drop(by_letter.tile(held, letter), onto)
        yield name, by_letter.said(held, by_letter.after(held, drop, local=before))


def of_marks() -> Iterator[tuple[str, str]]:
    """Yield what Lhexicon says of a word that is laid beside others."""
    leveled = by_letter.leveled()
    typed = by_letter.after(leveled, Click(f"cell:{cell(-1, 0)}"), Text("p"))
    yield "another letter lies there", by_letter.said(leveled, typed)
    laid = by_letter.after(leveled, *drops(leveled.view, 1, worked.CODDLE))
    yield "letters are laid", by_letter.said(leveled, laid)
    late = replace(leveled, live=False)
    marked = by_letter.after(
        late, *drops(leveled.view, 1, worked.CODDLE), RIGHT,
        *marks(worked.CODDLE), RIGHT,
    )  # fmt: skip
    yield "the table is not ready", by_letter.said(late, marked)


def of_challenges() -> Iterator[tuple[str, str]]:
    """Yield what Lhexicon says of a word that is announced and doubted."""
    state = matches.begin("CODEDXZ", "RUEL?AT", options=Options(challenge=True))
    laid, path = matches.placed(state, 0, worked.CODED)
    lay = words.lay(state, laid, path)
    backwards = replace(
        lay, path=lay.path[::-1], laid=lay.laid[::-1], shown=lay.shown[::-1]
    )
    for how, word in (("right", lay), ("wrong", backwards)):
        heard = words.play(state, 0, word)
        for seat in (0, 1):
            at = by_letter.seen_of(heard, seat, [(state, 0, word)])
            yield f"announced, {how}, to {seat}", by_letter.said(at, lhexicon.begin(at))
        doubted = words.play(heard, 1, Challenge())
        for seat in (0, 1):
            past = [(state, 0, word), (heard, 1, Challenge())]
            at = by_letter.seen_of(doubted, seat, past)
            yield f"doubted, {how}, to {seat}", by_letter.said(at, lhexicon.begin(at))
        for before, actor, move in (
            (heard, 1, Challenge()), (doubted, 0, Withdraw()), (doubted, 0, Insist()),
            (doubted, CLOCK, Expire()),
        ):  # fmt: skip
            told = lhexicon.tell(Step(before, actor, move), NAMES)
            yield f"{type(move).__name__} of a word that is {how}", told


def of_tiles() -> Iterator[tuple[str, str]]:
    """Yield what Networdz says of a turn, and of what cannot be done in it."""
    seen = by_tile.with_rack(by_tile.seen_of(0), "CATDOGS")
    at, enter, late = "cell:112", "enter", replace(seen, live=False)
    rack = seen.view.tiles.racks[seen.seat]
    own, other = by_tile.seen_of(8, 0), by_tile.seen_of(8, 1)
    for name, now, intents in (
        ("the first turn", seen, ()), ("a later turn", own, ()),
        ("out of turn", other, (Click(at), Text("e"), Key(enter))),
        ("nothing laid", seen, (Key(enter),)),
        ("an arrow", seen, (Click(at),)),
        ("the arrow turned", seen, (Click(at), Click(at))),
        ("a word", seen, (Click(at), Text("cat"))),
        ("not ready", late, (Click(at), Text("cat"), Key(enter))),
        ("no word", seen, (Click(at), Text("tca"))),
        ("a letter that is not held", seen, (Click(at), Text("z"))),
        ("tiles apart", own, (Drop(f"tile:{own.view.tiles.racks[0][0]}", "cell:0"),)),
        ("tiles are discarded", seen, (Click("pass"), Click(f"tile:{rack[0]}"))),
    ):  # fmt: skip
        local, _move = by_tile.after(now, networdz.begin(now), *intents)
        yield f"Networdz: {name}", networdz.status(now, local)
    for shown, rules, move in (
        (networdz, tiles, tiles.Pass(())), (lhexicon, words, Pass()),
    ):  # fmt: skip
        state = worlds.some_match(rules.ABOUT.title.lower(), 2, 0)[0]
        state = replace(state, options=rules.ABOUT.options(timed=3), turn=0)
        past = [(state, CLOCK, rules.Expire())]
        past.append((rules.play(*past[0]), 1, move))
        for name, made in (("out of time", past[:1]), ("the other has passed", past)):
            steps = tuple(Step(rules.view(b, 0), a, m) for b, a, m in made)
            now = Seen(rules.view(rules.play(*made[-1]), 0), 0, NAMES, steps)
            yield f"{rules.ABOUT.title}: {name}", shown.status(now, shown.begin(now))


def of_doubts() -> Iterator[tuple[str, str]]:
    """Yield what Networdz says of a word that may be challenged, and was."""
    for way, word, rest in (
        ("single", "TCA", "EEEE"), ("single", "CAT", "EEEE"), ("double", "CAT", "EEEE"),
        ("five", "CAT", "EEEE"), ("five", "CAT", ""),
    ):  # fmt: skip
        opts = positions.options(challenge=way)
        begun = positions.position(word + rest, "SSS", bag=rest, opts=opts)
        laid = begun, 0, positions.lay(begun, "across", 7, 6, word)
        doubted = tiles.play(*laid), 1, tiles.Challenge()
        came = positions.settled(tiles.play(*doubted))
        for seat, past in product((0, 1), ((laid,), (laid, doubted))):
            state = came if len(past) > 1 else doubted[0]
            steps = tuple(starmap(Step, past))
            at: Seen[Any, Any] = Seen(tiles.view(state, seat), seat, NAMES, steps)
            where = f"{word} before {rest or 'no'}, {way}, {len(past)} moves, to {seat}"
            yield where, networdz.status(at, networdz.begin(at))
            yield f"{where}, the list", repr(networdz.sheets(at)[0].lines)
            discards = Click("pass"), Text("ss")
            local, _move = by_tile.after(at, networdz.begin(at), *discards)
            yield f"{where}, two are discarded", networdz.status(at, local)


def of_wells() -> Iterator[tuple[str, str]]:
    """Yield what Hexcolumns says of wells that send rows, and to who is out."""
    drawn = draw(columns.start(2, columns.Options(size=6, attacks=True)), "r g b")
    before: Seen[Any, Any] = Seen(drawn, 0, NAMES, now=1.0)
    for name, rows in (("quiet", (0, 0)), ("rows come", (0, 2)), ("sent", (1, 0))):
        wells = [replace(w, sent=n) for w, n in zip(drawn.wells, rows, strict=True)]
        at = replace(before, view=replace(drawn, wells=tuple(wells)), now=5.0)
        local = hexcolumns.renew(at, hexcolumns.begin(before))
        yield f"Hexcolumns: {name}", hexcolumns.status(at, local)
        sent = find(hexcolumns.scene(at, local, by_tile.AREA, by_tile.LOOK), "sent")
        yield f"Hexcolumns: {name}, over the well", sent.text if sent else ""
        yield f"Hexcolumns: {name}, at the end", repr(columns_told.facts(at, local))
    out = replace(before, view=columns.play(drawn, 0, columns.Resign()))
    yield "Hexcolumns: out", hexcolumns.status(out, hexcolumns.begin(out))
    for name, count in (("hexcolumns", 2), ("hexcolumns", 1), ("numlo", 2)):
        title = screen.title(in_match(base(), name, count, 0))
        yield f"{name} for {count}, the window's title", title
    yield "the other's turn, the window's title", screen.title(at_match(base(), 2, 7))


def of_reviews() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is said of a turn that is looked at again, and of a better move."""
    asks = reviews.at_mistake(reviews.opened())
    found = reviews.mistake(asks)
    gone = replace(found.played, text="-AG", points=0, sums=())
    lost = replace(gone, text="", laid=(), move=b"")
    pages = [("a mistake", asks), ("it is shown", fed(asks, Click(reviewing.SHOW)))]
    for name, other in (
        ("an exchange", replace(found, played=gone)),
        ("what was taken back", replace(found, played=lost, back="8H TRWB")),
        ("no play", replace(found, played=lost, best=())),
        ("at first sight", replace(found, at_sight=True)),
        ("a reason", replace(found, why=Says.WHY_CORNER_GIVEN())),
    ):
        known = {**asks.review.known, found.number: other}
        pages.append((name, replace(asks, review=replace(asks.review, known=known))))
    for name, page in pages:
        yield f"review: {name}", reviews.lines(page, reviewing.TOLD)
        beside = fed(page, Click(reviewing.CLOSE))
        yield f"beside the board: {name}", reviews.lines(beside, "review")
    first = fed(asks, Click(reviewing.CLOSE), Key("home"))
    yield "before the first turn", reviews.lines(first, "review")
    squares = reviews.at_mistake(reviews.blundered(reviews.opened("numlo")))
    found, again = reviews.mistake(squares), fed(squares, Click(reviewing.AGAIN))
    yield "a better move is looked for", reviews.lines(again, "tryout.said")
    for name, one in (("wrong", found.played), ("found", found.best[0])):
        square = wire.unpack(one.move, GAMES["numlo"].ABOUT.move).square
        tried = fed(again, Click(f"cell:{square}"))
        yield f"it is {name}", reviews.lines(tried, "tryout.said")
    for same in (True, False):
        turn = searched.other(searched.reviewed("numlo"), "numlo", same=same)
        yield f"the computer's move, the same: {same}", reviews.lines(turn, "review")


def of_options() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what the options of each game are called, mean and come to."""
    for name, rules in GAMES.items():
        terms, about = board.find(name).TRAITS.terms, rules.ABOUT
        assert terms is not None
        usual = about.settings(about.options())
        given = {key: options.spell(value) for key, value in usual.items()}
        yield f"{name}, as it is", (", ".join(terms(given)),)
        for field in options.fields(name):
            few = dict.fromkeys((*field.choices[:2], field.choices[-1]))
            said = [f"{o}: {', '.join(terms(given | {field.key: o}))}" for o in few]
            called = options.label(name, field.key), options.note(name, field.key)
            yield f"{name}, {field.key}", (*called, *said)


def aloud() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is said aloud of boards and hands."""
    square = replace(numlo.begin(seen("numlo")), typed=True)
    for at in (0, 1, 9):
        yield f"square {at} of Numlo", said("numlo", replace(square, at=at))
    begun: NetwordzLocal = networdz.begin(seen("networdz", 1))
    for at, down in ((7 * 15 + 10, False), (4 * 15 + 9, True), (0, False)):
        local = replace(begun, cursor=at, down=down)
        yield f"square {at} of Networdz", said("networdz", local, 1)
    now = seen("networdz", 1)
    tile = now.view.tiles.racks[1][0]
    laid = replace(begun, laid=(Laid(7 * 15 + 10, tile, 4),))
    yield "a letter laid", said("networdz", laid, 1)
    kinds = [list(each) for each in now.view.tiles.kinds]
    kinds[1][0] = tiles.ground(now.view.options).blank
    blank = replace(now.view.tiles, kinds=tuple(map(tuple, kinds)))
    held = replace(now, view=replace(now.view, tiles=blank))
    assert networdz.TRAITS.aloud is not None
    yield "a blank laid", networdz.TRAITS.aloud(held, laid)
    place = {cell_name(9, n): n for n in range(217)}
    letters = lhexicon.begin(seen("lhexicon", 1))
    for name in ("I9", "A5"):
        on = replace(letters, cursor=place[name])
        yield f"cell {name} of Lhexicon", said("lhexicon", on, 1)
    stone, spot = hexagrams.begin(seen("hexagrams")), stone_cell("C5")
    assert spot is not None
    yield "cell C5 of Hexagrams", said("hexagrams", replace(stone, at=spot))
    yield "a stone in hand", said("hexagrams", replace(stone, picked=spot))
    empty: Any = Seen(stones.State(0, (1, 1 << 9), (0, 0)), 0, NAMES)
    assert hexagrams.TRAITS.aloud is not None
    yield "an empty cell", hexagrams.TRAITS.aloud(empty, replace(stone, at=spot))
    well = hexcolumns.begin(seen("hexcolumns"))
    yield "a well of Hexcolumns", said("hexcolumns", well)


def spoken() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is said of the window itself when it changes."""
    model = at_match(base())
    told = known(model)
    yield "a match comes up", tuple(after(model))
    for name, event in (
        ("somebody writes", door.Line("Bert", "nice", 0)),
        ("preferences are opened", Click("preferences")),
        ("leaving is asked about", Click("leave")),
        ("the keys are asked for", Key("f1")),
        ("unseen tiles are asked for", Text(".")),
    ):
        yield name, tuple(after(fed(model, event), before=told))
    opened = fed(model, Click("preferences"))
    focused = fed(opened, Focus("set.sound"))
    yield "a box gets the keyboard", tuple(after(focused, "set.sound", known(opened)))
    start = fed(base(), worlds.status())
    forming = fed(start, worlds.status(table=worlds.table()))
    hinted = replace(model, asked={**model.asked, 9: "hint"})
    yield "a hint is asked for", tuple(after(hinted, before=told))
    fast = in_match(base(), "hexcolumns", 2, 0)
    shown = fed(fast, Clicked(1, worlds.LINE))
    yield "an invitation is clicked", tuple(after(shown, before=known(fast)))
    demo = fed(menus.at("numlo", "computer", "computer"), Click("leave"))
    yield "a demo is left", reviews.lines(demo, "leave.ask")
    yield "a table comes up", tuple(after(forming, before=known(start)))
    bert = worlds.status(friends=(("Bert", "B-KEY"),), seen=(("B-KEY", 120),))
    near = fed(base(), worlds.status(nearby=worlds.NEAR), Click("near:KEY-Bert"))
    for at, name in ((fed(base(), bert), "friend:B-KEY"), (near, "who.near")):
        node = find(screen.scene(at), name)
        assert node is not None
        yield f"{name} gets the keyboard", (speech.described(node),)

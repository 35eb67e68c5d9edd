"""Statuses, matches and models for the window's tests: a node that is not there."""

import random
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from itertools import islice
from typing import Any, TypeVar

from msgspec.structs import replace

from client.app.browsing import Arriving, Found, Item, Listing, Looked, Place
from client.app.drafts import Kind, SeatDraft
from client.app.model import Ask, Model, Over, Page
from client.app.settings import Settings
from client.browser.talk import Brought
from client.browser.transfers import Transfers
from client.pages import (
    copying,
    devices,
    dictionary,
    host_terms,
    inviting,
    network,
    notices,
    review,
)
from client.ui.intents import Click, Focus, Key, Text
from client.ui.scene import Node, walk
from client.update import Tick
from netplay import wire
from netplay.catalogues import spoken
from netplay.drill import Missed
from netplay.messages import door
from netplay.messages.node_questions import (
    CarrierStatus,
    CarryStatus,
    CopyStatus,
    KnownNode,
    Neighbour,
    Network,
    PlaceStatus,
)
from netplay.messages.table_questions import Appraisal
from netplay.players import networdz as player
from netplay.review.appraising import appraise
from netplay.review.grading import Choice, Turn, compare
from netplay.sentences import Says
from rules import GAMES, lexicon
from rules import networdz as tiles
from rules.game import CHANCE
from rules.networdz.judging import placed
from tests.client.clicking import update

Made = TypeVar("Made")

NAMES = ("Anna", "Bert", "Charlie", "Dora")
WHEN = "2026-11-22 17:30"


def seat(name: str, kind: str = "person", **changes: Any) -> door.SeatStatus:
    usual = door.SeatStatus(kind, name, "k", "here", 0, True, "", 50, -1, False)
    return replace(usual, **changes)


def table(game: str = "networdz", **changes: Any) -> door.TableStatus:
    usual = door.TableStatus(
        match=b"", phase="forming", game=game,
        options=wire.pack(GAMES[game].ABOUT.options()), edition="networdz",
        lexicon="english", host="Anna", hosting=True, revision=1,
        seats=(seat("Anna"), seat("", "remote", state="awaited")),
        turn=(), entries=0, final=0, places=(), audit="",
        waiting=Says.SOMEBODY_TO_JOIN(), watchers=(),
    )  # fmt: skip
    return replace(usual, **changes)


def status(**changes: Any) -> door.Status:
    usual = door.Status(
        name="Anna", key="k", version="0.1.0", addresses=("192.168.1.23",), port=7777,
        mode="idle", peers=(), table=None, saved=(), nearby=(),
    )  # fmt: skip
    return replace(usual, **changes)


@lru_cache
def networdz(
    seats: int, moves: int, seed: int = 1
) -> tuple[Any, tuple[tuple[Any, int, Any], ...]]:
    """Return a match played by computers: its state, and (before, actor, move)s."""
    game, rng = GAMES["networdz"], random.Random(seed)
    state, past = game.start(seats, game.ABOUT.options()), []
    while game.actors(state) and (moves or CHANCE in game.actors(state)):
        actor = min(game.actors(state))
        if actor == CHANCE:
            move = rng.choice(list(game.moves(state, CHANCE)))
        else:
            moves -= 1
            view = game.view(state, actor)
            move = player.choose(view, actor, 70, rng, clock=float)  # never late
        past.append((state, actor, move))
        state = game.play(state, actor, move)
    return state, tuple(past)


def playing(
    state: Any, count: int, persons: tuple[int, ...] = (0,), **changes: Any
) -> door.TableStatus:
    kinds = ["person" if i in persons else "computer" for i in range(count)]
    turn = tuple(a for a in sorted(GAMES["networdz"].actors(state)) if a >= 0)
    return table(
        **{
            "match": b"m", "phase": "playing", "waiting": "", "turn": turn,
            "seats": tuple(map(seat, NAMES[:count], kinds)), **changes,
        }
    )  # fmt: skip


def view(
    state: Any, past: tuple[tuple[Any, int, Any], ...], at: int, start: int = 0
) -> door.View:
    """Return the node's push for a seat: its view and what happened from `start`."""
    game, eye = GAMES["networdz"], at if at >= 0 else None
    happened = tuple(
        door.Happened(i, actor, wire.pack(game.mask(before, actor, move, eye)), 0)
        for i, (before, actor, move) in enumerate(past)
        if i >= start
    )
    packed = wire.pack(game.view(state, eye))
    return door.View(b"m", at, len(past), packed, happened, True)


def base(
    size: tuple[int, int] = (1280, 800), theme: str = "light", scale: int = 100
) -> Model:
    own = Settings(theme=theme, scale=scale, pause="none", tips=tuple(GAMES))
    return replace(Model(settings=own, size=size), linked=True, settled=True)


def kept(make: Callable[..., Made]) -> Callable[..., Made]:
    """Make once what tests begin with again and again: no model is ever changed."""
    made: dict[tuple[Any, ...], tuple[Model, Made]] = {}

    @wraps(make)
    def get(model: Model, *how: Any, **named: Any) -> Made:
        key = (id(model), spoken(), *how, *named.items())
        if key not in made:
            if len(made) >= 32:
                made.pop(next(iter(made)))
            # The model is kept, too: so the id is its own.
            made[key] = (model, make(model, *how, **named))
        return made[key][1]

    return get


def fed(model: Model, *events: Any) -> Model:
    for event in events:
        model, _effects = update(model, event)
    return model


def asks(model: Model, *events: Any) -> list[Any]:
    """Return what the events make the window ask of the node."""
    found: list[Any] = []
    for event in events:
        model, effects = update(model, event)
        found += [e.request.ask for e in effects if isinstance(e, Ask)]
    return found


@kept
def at_match(
    model: Model, seats: int = 2, moves: int = 8, persons: tuple[int, ...] = (0,)
) -> Model:
    state, past = networdz(seats, moves)
    return fed(
        model,
        status(table=playing(state, seats, persons)),
        view(state, past, 0),
        door.Line("Bert", "Good luck!", 0),
        door.Notice("system", Says.HAS_COME(name="Bert"), 0),
    )


SAVED = (("p", "Networdz with Bert and Charlie", 2), ("q", "Numlo with Dora", 0))


def near(address: str, name: str, game: str, free: int) -> Neighbour:
    invitation = f"netplay:{address}#{name}"
    return Neighbour(
        address, name, game, free, "0.1.0", f"KEY-{name}", invitation=invitation
    )


NEAR = (
    near("10.0.0.2:7777", "Bert", "networdz", 1),
    near("10.0.0.3:7777", "Dora", "numlo", 2),
)
PLAYED = near("10.0.0.4:7777", "Emil", "numlo", 0)
"""A match that may be watched."""


def _in_browsers(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what friends see in a browser before the match."""
    there = replace(model, guest=True)
    yield "a link to look on", fed(there, status(name="?"))
    own, other = (replace(seat(name), browser="Anna") for name in ("", "Charlie"))
    seats = (seat("Anna"), own, replace(other, lent=True))
    asked = table(hosting=False, seats=seats)
    yield "a link to a seat", fed(there, status(name="?", table=asked))
    sits = replace(asked, seats=(seats[0], replace(own, name="Bert"), seats[2]))
    yield "a seat by a link", fed(there, status(name="Bert", table=sits))


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield every page of the window, by name."""
    yield "start", fed(model, status(nearby=(*NEAR, PLAYED)))
    yield "start with saved", fed(model, status(saved=SAVED))
    why = Says.AT_BYTE(offset=9, why=Says.RECORD_CHECKSUM())
    name = f"{'0f' * 16}.netplay.damaged"
    wrong = Says.MATCH_DAMAGED(why=why, count=0, name=name)
    yield "start with faults", fed(model, status(saved=SAVED, faults=(wrong,)))
    yield "name", fed(model, status(name=""))
    setup = fed(model, status(table=table()))
    yield "table", setup
    guest = table(hosting=False, waiting="")
    yield "guest", fed(model, status(table=guest))
    yield from _in_browsers(model)
    for seats in (1, 2, 4):
        yield f"match of {seats}", at_match(model, seats)
    for game in GAMES:
        most = GAMES[game].ABOUT.seats[-1]
        yield f"match of {game}", in_match(model, game, most, 12)
    yield "curtain", _covered(at_match(model))
    for over in (Over.PREFERENCES, Over.HELP, Over.LEAVE, Over.RESIGN):
        yield over.value, replace(at_match(model), over=over)
    yield "links", replace(fed(model, status()), links=False, offer=Over.LINKS)
    yield from watched(at_match(model))
    yield from looked_back(at_match(model))
    yield from craft(fed(model, status()))
    yield from files(model)
    yield from brought(replace(model, apart=True))
    yield from doubted(model)
    yield from dialogs(model)


DOUBT = Says.ANOTHER_KEY(name="Bert")
"""What the node says of a name."""

FALSE = "Веrt"
"""In letters of two alphabets."""


def doubted(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the pages where a known name is shown under another key."""
    false = replace(
        seat(FALSE, "remote"), key=ASKING[0][0], state="connected", doubt=DOUBT
    )
    here = table(seats=(seat("Anna"), *(false,) * 3))
    seats = (SeatDraft(Kind.PERSON), *(SeatDraft(Kind.REMOTE),) * 3)
    draft = replace(model.setup.draft, seats=seats)
    hosted = fed(
        replace(model, setup=replace(model.setup, draft=draft, agreed=draft)),
        status(table=here),
    )
    yield "table in doubt", hosted
    yield "player removed", fed(hosted, Click("who2"))
    changes = (
        ("players", "person", "person, person"), ("timed", "0", "5"),
        ("hints", "off", "on"), ("bystanders", "ask", "anybody"),
    )  # fmt: skip
    both = (seat("Bert", "remote"), seat("Anna"))
    other = table(hosting=False, seats=both, changes=changes)
    yield "rules changed", fed(model, status(table=other))
    guest = replace(here, hosting=False)
    yield "guest in doubt", fed(model, status(table=guest))
    playing = at_match(model)
    assert playing.table is not None
    seats_there = (playing.table.seats[0], false)
    there = fed(playing, status(table=replace(playing.table, seats=seats_there)))
    yield "match in doubt", there
    yield "player blocked", fed(there, Click("who1"))
    found = replace(NEAR[0], name=FALSE, doubt=DOUBT)
    seen = fed(model, status(nearby=(found, *NEAR[1:])))
    yield "nearby in doubt", seen
    yield "neighbour blocked", fed(seen, Click("near:KEY-Bert"), Click("who.near"))


def ended(model: Model) -> Model:
    """Return the window at the same match, over and audited."""
    assert model.table is not None
    places = tuple(range(1, len(model.table.seats) + 1))
    over = replace(model.table, phase="over", audit="ok", turn=(), places=places)
    return fed(model, status(table=over))


@lru_cache
def judged(
    number: int, seats: int = 2, moves: int = 8, *, hasty: bool = False
) -> Appraisal:
    """Return a turn of `networdz`, judged once for all who ask: it takes a second.

    Or hastily, and as if it were not: what judges say is held in the tests of reviews.
    """
    before, actor, move = networdz(seats, moves)[1][number]
    laid = tuple(placed(tiles.ground(before.options), before, move))
    found = appraise(Turn(number, actor, before, laid), at_sight=hasty)
    return replace(found, at_sight=False)


@lru_cache(maxsize=1024)
def compared(
    number: int, seat: int, game: str, before: bytes, move: bytes
) -> Appraisal:
    """Return a turn of a game whose computer players search, judged hastily."""
    choice = Choice(number, seat, game, before, move)
    return replace(compare(choice, random.Random(1), at_sight=True), at_sight=False)


def appraised(model: Model) -> Model:
    """Return the window with the answer to its question for a turn's best plays."""
    assert model.match is not None
    number = review.turn(model.match)
    (asked,) = (n for n, what in model.asked.items() if what == f"appraise.{number}")
    return fed(model, door.Done(asked, data=wire.pack(judged(number))))


MEANT = (
    "AA\trough, cindery lava, so called in Hawaii [n AAS]\n"
    "RETAIN\tto keep possession of, not to let go of; to hold back in the mind and be "
    "able to tell it later, as one retains the words of a song or the way to a house "
    "that one has seen once, many years ago, and by night [v RETAINED, RETAINING] …"
)
"""What two words mean, one of them as long as a list may tell it."""


def looked_back(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the pages of a match that is over: its moves, and its best plays."""
    over = ended(model)
    yield "result", over
    meant = next(n for n, what in over.asked.items() if what == dictionary.MEANT)
    yield "result with meanings", fed(over, door.Done(meant, data=MEANT.encode()))
    over = fed(over, Click("result.close"))
    yield "over", over
    yield "looking back", fed(over, Click("side:1"), Click("step.first"))
    asked = fed(over, Click("side:2"))
    yield "analysis awaited", asked
    known = appraised(asked)
    yield "analysis", known
    yield "analysis of a play", fed(known, Click("offer:0"))


ASKING = (("ABCD-EFGH-IJKL-MNOP-QRST", "Dora"),)
"""Who would like to watch."""


def watched(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield a match that is watched, asked about, and seen by a bystander."""
    assert model.table is not None
    seen = replace(model.table, watchers=("Charlie",), asking=ASKING)
    asked = fed(model, status(table=seen))
    yield "asked to be watched", asked
    yield "watched", fed(model, status(table=replace(seen, asking=())))
    yield "watchers", replace(asked, over=Over.WATCHERS)
    there = replace(seat("Anna", "remote"), state="connected")
    table = replace(
        model.table, watching=True, hosting=False,
        seats=(there, replace(there, name="Bert")),
    )  # fmt: skip
    yield "bystander", fed(model, status(table=table, mode="watching"))


def craft(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the dictionary's dialog and each page of the editor of editions."""
    model = fed(model, Click("dictionary"))
    yield "dictionary", model
    missed = Missed(lexicon.shipped()["english"], "RETAINS", 0)
    own = replace(model.settings, missed=(missed,))
    asked = fed(replace(model, settings=own), Focus("field.word"), Click("book.drill"))
    drilled = fed(asked, Text("retains"), Key("enter", down=True))
    meaning = MEANT.rpartition("\n")[2].replace("RETAIN", "RETAINS", 1).encode()
    meant = door.Done(max(drilled.asked), data=meaning)
    yield "word of the drill with its meaning", fed(drilled, meant)
    yield "dictionary in company", fed(at_match(model), status(table=table()))
    model = fed(model, Click("editor"))
    for tab in range(4):
        yield f"editor {tab}", fed(model, Click(f"ed.tab:{tab}"))
    bad = fed(model, Focus("field.ed.rack"), Text("x"), Focus(""))
    yield "editor with a fault", bad
    dark = fed(model, Click("ed.tab:3"))
    for name in ("tile", "square", "L2", "L3", "W2"):
        dark = fed(dark, Focus(f"field.ed.colour.{name}"), Text("#202020"))
    yield "editor of dark tiles", fed(dark, Focus(""), Click("ed.save"))


FULL = Listing(
    "/home/Anna Magdalena/Documents/Games that were saved/Of the long winter/At home",
    (
        *(
            Item(f"Folder {n} " + "with a long name " * (n % 7) + "x", True)
            for n in range(9)
        ),
        *(
            Item(f"networdz-{n}-{'Maximiliane-' * (n % 9)}Bert{end}", False, WHEN)
            for n in range(90)
            for end in (".netplay", ".txt", ".toml")
        ),
    ),
    (Place("home", "/home/Anna Magdalena"), Place("documents", "/home/Anna/Docs")),
)
"""A folder of which a chooser shows but a part."""


def named(path: str, kind: str) -> tuple[Any, ...]:
    """Return what happens when a file is named in a chooser, and looked for."""
    typed = (Focus("field.file"), Text("a"), Key("enter"))
    return Listing("/x"), *typed, Looked((Found(path, kind),))


def choosing(model: Model) -> Iterator[tuple[str, Model, str]]:
    """Yield what a file is chosen for, the page before, and the click."""
    playing, book = at_match(model), fed(model, status(), Click("dictionary"))
    draft = fed(book, Click("editor"))
    yield "save", playing, "save"
    yield "load", fed(model, status()), "load"
    yield "import", book, "book.import"
    yield "export", book, "book.export"
    yield "open edition", draft, "ed.open"
    yield "export edition", draft, "ed.export"


def brought(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the same for a browser, which has the files itself."""
    for name, before, click in choosing(model):
        yield f"browser to {name}", fed(before, Click(click))
    load = fed(model, status(), Click("load"))
    long = "networdz-" + "Anna-Magdalena-" * 12 + ".netplay"
    coming = fed(load, Arriving(long))
    yield "file on its way", fed(coming, Arriving(long, 45))
    refused = Transfers().brought(Brought(long, 2**40), load.chooser)
    yield "file that is too large", fed(load, *refused)


def files(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the chooser for each purpose, in a full folder, and its question."""
    for name, before, click in choosing(model):
        own = replace(before.settings, places=(FULL.folder, "/mnt/" + "deep/" * 40))
        chooser = fed(replace(before, settings=own), Click(click))
        chooser = fed(chooser, FULL)
        yield f"chooser to {name}", chooser
        path = FULL.folder + "/" + "very-long-" * 15
        if chooser.chooser is not None and chooser.chooser.purpose.writes:
            yield f"{name} over", fed(chooser, *named(path, "file"))
        else:
            yield f"nothing to {name}", fed(chooser, *named(path, "nowhere"))
        yield f"places to {name}", fed(chooser, Click("file.places"))
        if name != "load":
            continue
        yield "a folder is marked", fed(chooser, Click("file:0"))
        there = fed(replace(before, settings=own), Click(click))
        lost = Listing("/home/Anna", lost="/mnt/gone")
        yield "a folder that has gone", fed(there, lost)
        slow = fed(there, Tick(9.0))
        yield "a folder is read slowly", slow
        yield "a drive never answers", fed(slow, Key("escape"))
        wish = Listing("/x"), Focus("field.file"), Text("a"), Key("enter"), Tick(9.0)
        yield "a file is looked for slowly", fed(there, *wish)


LINE = "netplay:192.0.2.7:4770#ABCD-EFGH-IJKL-MNOP-QRST"


def dialogs(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what else may lie over a page, or be asked at the foot of the first."""
    carriers = (CarrierStatus("Dora", LINE, "carries"),)
    places = (
        PlaceStatus("192.168.0.12:4770", "network", "own", by="Bert", ago=90),
        PlaceStatus("[2001:db8::7]:4770", "internet", "own"),
    )
    net = Network(
        servers=("stun.example.org:3478", "stun.example.net:3478"), places=places,
        dht_nodes=("dht.example.org:6881",),
        carry=CarryStatus("friends", 2, 70, 1, carriers),
    )  # fmt: skip
    copy = CopyStatus(offers=True, place="/media/anna/stick")
    start = fed(model, status(network=net, copy=copy))
    yield "copy offered", start
    phrase = Focus("field.copy.phrase"), Text("four words and more")
    yield "copy", fed(start, Click("copy.offer", means=copying.Offer()), *phrase)
    brings, _gives = copying.chosen(start, "/media/anna/stick/netplay-1.copy")
    opens = Focus("field.bring.phrase"), Text("four words and more")
    yield "everything brought", fed(brings, *opens)
    friend = fed(model, status(friends=(("Bert", "BBBB-KEY"), ("Charlie", "CCCC-KEY"))))
    friend = fed(friend, Click("friend:BBBB-KEY"), Click("person.new"))
    yield "new key", fed(friend, Focus("field.new-key"), Text(LINE))
    news = fed(start, Click("set.news", means=notices.Name()), Focus("field.news"))
    yield "news", fed(news, Text("https://example.org/netplay/news"))
    shown = fed(start, Click("code", means=inviting.ShowCode()))
    yield "invitation", told(shown, inviting.LINE, text=LINE)
    bert = KnownNode("Bert", "BBBB-KEY", ("192.0.2.9:4770",), ("192.0.2.9:4770",))
    mallory = replace(bert, name="Mallory", key="MMMM-KEY", blocked=True)
    net_page = fed(start, Click("connection", means=network.Connect()))
    yield "connection", told(net_page, "peers", data=wire.pack((bert, mallory)))
    browsers = fed(start, Click("devices", means=devices.Browsers()))
    two = (("Phone", 1_760_000_000), ("Tablet", 1_770_000_000))
    yield "browsers", told(browsers, devices.LISTED, data=wire.pack(two))
    for over in (Over.ROUTER, Over.SERVERS, Over.DHT, Over.MEET, Over.CLIPBOARD):
        own = replace(start.settings, clipped=LINE)
        yield over.value, replace(start, over=over, settings=own)
    yield "may look", replace(start, offer=Over.MAY_LOOK)
    for over in (Over.KEYLESS, Over.MOVED):
        yield over.value, replace(model, over=over, refusal="/home/anna/key.pem")
    awaited = seat("", key="ABCD", browser="Anna", state="awaited")
    lending = fed(model, status(table=table(seats=(seat("Anna"), awaited))))
    yield "lend", fed(lending, Click("who1"))
    rules = (("challenge", "five"),)
    wish = door.HostTable("networdz", ("person", "remote"), rules, "", "winter")
    wanted = replace(start.setup, wanted=(wish, "host"))
    yield "refused", host_terms.refused(replace(start, setup=wanted), "No.")


def told(model: Model, what: str, **answer: Any) -> Model:
    """Return the window after the node has answered what was asked so."""
    (number,) = (n for n, each in model.asked.items() if each == what)
    return fed(model, door.Done(number, **answer))


def _covered(model: Model) -> Model:
    assert model.match is not None
    assert model.page is Page.MATCH
    return replace(model, match=replace(model.match, covered=True))


def texts(root: Node) -> str:
    """Return everything that stands in a tree, values and names included."""
    return "\n".join(
        part for n in walk(root) for part in (n.name, n.text, n.value, n.corner)
    )


@lru_cache
def some_match(
    game: str, seats: int, moves: int, seed: int = 2
) -> tuple[Any, tuple[tuple[Any, int, Any], ...]]:
    """Return a match of any game played at random: its state and its steps."""
    rules, rng = GAMES[game], random.Random(seed)
    state, past = rules.start(seats, rules.ABOUT.options()), []
    while actors := sorted(rules.actors(state)):
        actor = CHANCE if CHANCE in actors else rng.choice(actors)
        if actor != CHANCE and not moves:
            break
        move = rng.choice(list(islice(rules.moves(state, actor), 300)))
        past.append((state, actor, move))
        state = rules.play(state, actor, move)
        moves -= actor != CHANCE
    return state, tuple(past)


def in_match(model: Model, game: str, seats: int, moves: int) -> Model:
    """Return the window at a match of any game, seen from the first seat."""
    rules = GAMES[game]
    state, past = some_match(game, seats, moves)
    turn = tuple(a for a in sorted(rules.actors(state)) if a >= 0)
    kinds = ["person", *["computer"] * (seats - 1)]
    terms = table(
        game, match=b"m", phase="playing", waiting="", turn=turn,
        seats=tuple(map(seat, NAMES[:seats], kinds)),
    )  # fmt: skip
    happened = tuple(
        door.Happened(i, actor, wire.pack(rules.mask(before, actor, move, 0)), 0)
        for i, (before, actor, move) in enumerate(past)
    )
    packed = wire.pack(rules.view(state, 0))
    seen = door.View(b"m", 0, len(past), packed, happened, True)
    return fed(model, status(table=terms), seen)

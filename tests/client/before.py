"""What is said before a match: on the start page, at a table, of friends and ways."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from client.app.model import Model
from client.ui.intents import Click, Hover, Scroll
from client.update import Linked
from netplay import wire
from netplay.messages import door
from netplay.messages.door import Beginning
from netplay.messages.node_questions import (
    Correspondent,
    KnownNode,
    Network,
    PeerStatus,
    PlaceStatus,
    Talked,
    TalkedLine,
)
from netplay.messages.table_questions import (
    AskedState,
    Finished,
    FinishedMatches,
    Friend,
)
from netplay.said import Said
from netplay.sentences import Says
from tests.client import worlds
from tests.client.listed import FEW, game
from tests.client.worlds import NEAR, base, fed, near, seat, status, table

KEY: Final = "ABCD-EFGH-IJKL-MNOP-QRST"
LINE: Final = f"netplay:192.168.0.12:4770#{KEY}"
PLACES: Final = (PlaceStatus("192.168.0.12:4770", "network", "own"),)

FRIENDS: Final = (("Zoë", "ZZZZ-KEY"), ("Bert", "BBBB-KEY"), ("Carla", "CCCC-KEY"))
PEERS: Final = (
    PeerStatus("Bert", "BBBB-KEY", "192.0.2.2:4770", connected=True, since=9),
    PeerStatus("Carla", "CCCC-KEY", "192.0.2.3:4770", connected=False, since=7300),
)


def invited(line: str = LINE, **network: Any) -> Model:
    """Return a start page that has been told its own invitation."""
    model = fed(base(), status(network=Network(places=PLACES, **network)))
    number = next(n for n, what in model.asked.items() if what == "line.own")
    return fed(model, door.Done(number, line))


def with_friend(asked: AskedState = "") -> Model:
    """Return a window with a table whose second seat is kept for somebody."""
    remote = seat("Bert", "remote", state="awaited", address=KEY, accepted=False)
    seats = (seat("Anna"), replace(remote, asked=asked))
    shown = status(table=table(seats=seats), friends=(("Bert", KEY),))
    return fed(base(), shown)


def won(number: int, result: Any, name: str = "lhexicon") -> Finished:
    """Return a match that was played against Bert."""
    return Finished(
        match=bytes([number]) * 32, path="", game=name, players=("Anna", "Bert"),
        places=(1, 2), scores=(), own=(0,), friends=(Friend("BBBB-KEY", "Bert"),),
        result=result, at=number,
    )  # fmt: skip


def among_friends(**changes: Any) -> Model:
    """Return the start page of somebody with three friends and three results."""
    model = fed(base(), status(friends=FRIENDS, peers=PEERS, **changes))
    wanted = next(n for n, what in model.asked.items() if what == "finished.heads")
    found = (won(3, "won"), won(2, "lost", "numlo"), won(1, "won"))
    page = FinishedMatches(found, 3, more=False)
    return fed(model, door.Done(wanted, data=wire.pack(page)))


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the pages, by name."""
    yield from waiting(model)
    yield from reached(model)
    yield from agreed(model)
    yield from drawn(model)
    yield from friends(model)
    yield from in_hand(model)


def waiting(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what is waited for, and how far a friend was asked."""
    yield "nobody is waited for", fed(model, status())
    yield "friends may call", fed(model, status(mode="answering"))
    yield "a call waits", fed(model, status(mode="calling"))
    waits = near("10.0.0.9:7777", "Nora", "", 0)
    nora = fed(model, status(nearby=(*NEAR, waits)), Click("near:KEY-Nora"))
    yield "who waits to be called", nora
    yield "who waits is not joined", fed(nora, Click("near:KEY-Nora", count=2))
    states: tuple[AskedState, ...]
    states = ("", "undelivered", "unanswered", "left", "declined", "full")
    for state in states:
        yield f"a friend was asked, {state}", with_friend(state)
    one = game(
        3,
        "numlo",
        match=b"",
        mode="hosting",
        phase="forming",
        turn=(),
        asked="undelivered",
    )
    more = (one, replace(one, table=4, asked="unanswered"))
    yield "asked, in the list", fed(model, status(games=more))
    place = f"netplay:10.0.0.7:4770,[::1]:4770#{KEY}"
    awaited = replace(one, players=("Anna", ""), waiting=place)
    yield "asked at a place, in the list", fed(model, status(games=(awaited,)))
    bert = seat("Bert", "remote", state="awaited", asked="declined", accepted=False)
    refused = table(waiting="Bert", seats=(seat("Anna"), bert))
    yield "a friend has said no", fed(model, status(table=refused))


def reached(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield where an invitation works, and what is known of one's own places."""
    networks: tuple[dict[str, Any], ...] = (
        {}, *({"inviting": how} for how in ("near", "random", "web", "meets", "calls")),
        {"reach": "internet"}, {"reach": "no", "reached": Says.REACHED_HERE()},
    )  # fmt: skip
    for network in networks:
        start = invited(**network)
        copied = fed(start, Click("copy"), door.Done(start.next_id, LINE))
        yield f"invitation copied, {' '.join(map(str, network.values()))}", copied
    alone = fed(model, status(addresses=()))
    yield "on no network", alone
    yield "nothing is known of the node", model
    wide = Network(places=PLACES, inviting="fine")
    copied = invited(inviting="near")
    copied = fed(copied, Click("copy"), door.Done(copied.next_id, LINE))
    copied = fed(copied, status(network=wide))
    again = next(n for n, what in copied.asked.items() if what == "line.again")
    yield "copied again", fed(copied, door.Done(again, LINE))
    places = (
        PlaceStatus("192.168.0.12:99", "network", "own", "Carla", 20),
        PlaceStatus("[2001:db8::1]:99", "internet", "own"),
        PlaceStatus("5.6.7.8:41", "internet", "router", "Bert", 200),
        PlaceStatus("5.6.7.9:99", "internet", "outside"),
        PlaceStatus("[fe80::1%eth0]:99", "link", "own"),
        PlaceStatus("5.6.7.1:99", "internet", "own", "Dora", 65, Says.TRIED_SILENT()),
    )
    there = status(network=Network(places=places), port=99)
    connection = fed(model, there, Linked(), Click("connection"))
    yield "every place of this computer", connection
    trying = fed(connection, Click("set.reach"))
    yield "friends try to reach it", trying
    asks = connection.next_id - 1
    known = (KnownNode("Nora", "ABCD-EFGH", ("10.0.0.9:7777",), ()),)
    told = fed(connection, door.Done(asks, data=wire.pack(known)))
    told = fed(told, Scroll("connection.list", 400), Click("set.forget"))
    yield "nodes that are known", told
    yield "one is to be forgotten", fed(told, Click("set.forget:0"))
    for pace in ("none", "short", "normal"):
        own = replace(model.settings, pause=pace)
        chosen = fed(replace(model, settings=own), status(), Linked())
        chosen = fed(chosen, Click("preferences"), Scroll("settings", 200))
        yield f"computers move, {pace}", chosen


def agreed(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what a host and guests see of each other, and of changed rules."""
    lacking = table(waiting="", beginning=Beginning(lacking=("Bert",)))
    yield "not all are there", fed(model, status(table=lacking))
    seats = (seat("Anna", "remote"), seat("Bert", accepted=True))
    terms = table(hosting=False, waiting="", revision=4, seats=seats)
    for name, beginning in (
        ("asked whether one is there", Beginning(asked=True)),
        ("it begins in two seconds", Beginning(seconds=2)),
    ):
        yield name, fed(model, status(table=replace(terms, beginning=beginning)))
    new = replace(terms, seats=(seats[0], seat("Bert", accepted=False)))
    yield "a guest has not accepted", fed(model, status(table=new))
    called = replace(new, called=True)
    yield "called by somebody unknown", fed(model, status(table=called))
    carla = seat("Carla", "remote", state="connected", accepted=False)
    three = replace(terms, seats=(seats[0], seat("Bert"), carla), waiting="the host")
    yield "another guest has not, to a guest", fed(model, status(table=three))
    hosted = status(table=replace(three, hosting=True))
    yield "another guest has not, to the host", fed(model, hosted)
    changed = dict(worlds.doubted(model))["rules changed"]
    assert changed.table is not None
    bert, anna = changed.table.seats
    waits = replace(changed.table, seats=(bert, replace(anna, accepted=False)))
    yield "changed rules to accept", fed(changed, status(table=waits))
    other = replace(changed.table, changes=(("game", "numlo", "hexcolumns"),))
    yield "changed game", fed(changed, status(table=other))


def drawn(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield how tiles are drawn, as a host and a guest read it."""
    opened = fed(model, status(), Click("open"), Click("kind1"), Click("kind1:3"))
    yield "tiles at a new table", opened
    rules = fed(opened, Click("rules"))
    yield "tiles, nothing chosen", rules
    committed = fed(rules, Click("fairness"), Click("fairness:1"))
    yield "tiles, committed", committed
    encrypted = fed(committed, Click("fairness"), Click("fairness:0"))
    yield "tiles, encrypted", encrypted
    why = Says.CANNOT_ENCRYPT(most=140)
    for name, given in (
        ("encrypted", {"fairness": "encrypted"}),
        ("committed", {"fairness": "committed"}),
        ("too many to encrypt", {"fairness": "committed", "why_fairness": why}),
    ):
        own = status(table=table(tiled=True, **given))
        yield f"tiles by the node, {name}", fed(model, own, Click("rules"))
    offered = table(hosting=False, fairness="encrypted", tiled=True)
    guest = fed(model, status(table=offered))
    yield "tiles before a guest", guest
    changes = (("fairness", "committed", "encrypted"),)
    read = fed(guest, Click("rules"))
    yield (
        "tiles, changed for a guest",
        fed(read, status(table=replace(offered, changes=changes))),
    )


def friends(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield how friends are, and what is written with them."""
    yield "three friends", among_friends()
    seen = (("ZZZZ-KEY", 3 * 86400), ("BBBB-KEY", 60))
    yield "friends seen before", among_friends(seen=seen)
    quiet = replace(status().network, greet=False)
    one = game(1, "numlo", keys=("CCCC-KEY",))
    uncalled = among_friends(network=quiet, seen=seen[:1], games=(one,))
    uncalled = replace(fed(uncalled, Click("begin:1")), size=(1600, 1200))
    yield "friends whom nobody calls", uncalled
    yield "writing to one of them", fed(uncalled, Click("write:ZZZZ-KEY"))
    assert uncalled.status is not None
    yield "never seen", fed(uncalled, replace(uncalled.status, seen=()))
    narrow = replace(among_friends(games=(one,)), size=(800, 500))
    yield "friends in a small window", fed(narrow, Click("begin:1"))
    yield "who a friend is", fed(among_friends(), Click("friend:BBBB-KEY"))
    live = game(1, "hexcolumns", live=True, players=("Anna", "Bert"))
    for name, keys in (("a friend", ("BBBB-KEY",)), ("somebody of the name", ())):
        at_play = among_friends(games=(replace(live, keys=keys),))
        yield f"{name} plays along", fed(at_play, Click("begin:1"))
    new = status(
        friends=FRIENDS, peers=PEERS, written=(Correspondent("CCCC-KEY", 2, 2, 0),)
    )
    yield "two new lines of a friend", fed(among_friends(), new)
    for name, line, by, kept in (
        ("what a friend wrote", TalkedLine("hello", 9, False, False), "", 0),
        ("what a friend keeps", TalkedLine("there?", 9, True, False), "Bert", 1),
    ):
        news = replace(new, written=(Correspondent("CCCC-KEY", 0, 3, kept),))
        asks = fed(among_friends(), news, Click("write:CCCC-KEY"))
        number = max(n for n, each in asks.asked.items() if each == "talk")
        talk = Talked("CCCC-KEY", (line,), by)
        yield name, fed(asks, door.Done(number, data=wire.pack(talk)))
    met = Says.FIRST_CONTACT(who="Dora", key="DDDD-KEY")
    yield "a first meeting", fed(among_friends(), door.Notice("system", met, 0))


def in_hand(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield games in hand, as they are, ready, claimed, off, behind a fault."""
    yield "four games", fed(model, status(games=FEW[:4]))
    ready = game(
        7, "numlo", mode="hosting", phase="forming", turn=(), mine=True, match=b""
    )
    yield "a game that can begin", fed(model, status(games=(ready,)))
    for result, phase in (
        ("unanswered", "playing"), ("contested", "over"), ("won on time", "over"),
        ("lost on time", "over"),
    ):  # fmt: skip
        one = game(1, "numlo", mine=False, result=result, phase=phase)
        yield f"a game {result}", fed(model, status(games=(one,)))
    off = (game(1, "numlo", off=(("Bert", 2 * 86_400),)), game(2, "hexagrams"))
    yield "a game with days off", fed(model, status(games=off))
    left = (game(1, "numlo", left=3 * 86_400), game(2, "hexagrams", left=-1))
    yield "games with days left", fed(model, status(games=left))
    wrong = tuple(
        Says.PROGRAM_FAILED(name=n, seat=2, table="3 (Numlo: Anna, Bert)", why="gone")
        for n in ("Rex", "Max")
    )
    faulty = fed(model, status(games=FEW[:4], faults=wrong))
    yield "a program has failed", faulty
    yield "a fault is read", fed(faulty, Click("fault:0"))
    told = Said("there is no answer at that address")
    yield "a fault at a table", fed(with_friend(), door.Notice("error", told, 0))
    listed = fed(model, status(games=FEW[:4]), Hover("games.next"))
    yield "the next game at the pointer", listed

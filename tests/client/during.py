"""What is said in a match: of who is away, of offers, of carriers, and of its end."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from client.app.model import Model, Over
from client.pages import agreeing
from client.ui.intents import Click, Key, Scroll
from client.update import Linked
from netplay import wire
from netplay.errors import Code
from netplay.messages import door
from netplay.messages.door import Made, Thinking
from netplay.messages.log import What
from netplay.messages.node_questions import (
    CarrierStatus,
    CarryStatus,
    Network,
    PeerStatus,
)
from netplay.messages.table_questions import Agreeing, OfferStatus, Phase
from netplay.sentences import Says
from rules import GAMES
from rules.game import Resign
from tests.client import games, seconds, worlds
from tests.client.listed import FEW
from tests.client.seconds import changed
from tests.client.worlds import base, fed, in_match, networdz, playing, seat, status
from tests.client.worlds import view as viewed

HEAD: Final = bytes(range(32))
AWAY: Final = (seat("Anna"), seat("Bert", "remote", state="away", since=5))
LINE: Final = "netplay:8.9.3.2:4770#ABCD-EFGH-IJKL-MNOP-QRST"
CARLA: Final = CarrierStatus("Carla", LINE, "carries")


def on_turn() -> tuple[Any, tuple[Any, ...]]:
    """Return a match of Networdz in which Anna is on turn."""
    return next(
        (state, past)
        for state, past in (networdz(2, count) for count in range(8, 12))
        if 0 in GAMES["networdz"].actors(state)
    )


def ready(size: tuple[int, int] = (1280, 800)) -> Model:
    """Return a window whose player is on turn while the other is away."""
    state, past = on_turn()
    there = playing(state, 2, waiting="Bert", seats=AWAY)
    return fed(base(size), status(table=there), viewed(state, past, 0))


def made_move() -> Any:
    """Return a move that lays tiles."""
    state, _past = on_turn()
    game = GAMES["networdz"]
    return next(m for m in game.moves(game.view(state, 0), 0) if hasattr(m, "shown"))


def made(model: Model, back: tuple[int, ...] = (0,)) -> Model:
    """Return the window after the node has taken a move that waits here."""
    state, past = on_turn()
    kept = Made(moves=(0,), back=back, draws=True)
    there = playing(
        state, 2, phase="paused", waiting="Bert", seats=AWAY, turn=(), made=kept
    )
    pushed = viewed(state, past, 0, start=len(past))
    shown = replace(pushed, made=(wire.pack(made_move()),))
    return fed(model, shown, status(table=there))


def twice_made() -> Model:
    """Return a window with a turn and a resignation behind it that wait here."""
    model = in_match(base((1920, 1080)), "numlo", 3, 9)
    assert model.match is not None
    rules, state = GAMES["numlo"], model.match.state
    waits = tuple(map(wire.pack, (next(iter(rules.moves(state, 0))), Resign())))
    count = len(model.match.past)
    return fed(model, door.View(b"m", 0, count, wire.pack(state), (), True, waits))


def at_table(number: int) -> Model:
    """Return a window that looks at a match of Networdz."""
    state, past = networdz(2, 0)
    table = replace(playing(state, 2), number=number)
    model = fed(base(), status(table=table, games=FEW[:4]), viewed(state, past, 0))
    assert model.match is not None
    return model


def offered(offers: Agreeing, phase: Phase = "playing") -> Model:
    """Return a window at seat 0 of a match with these offers."""
    model = at_table(2)
    places = (1, 1) if phase == "over" else ()
    return changed(model, offers=offers, phase=phase, places=places)


def standing(what: What, seat: int, asked: int, days_off: int = 0) -> Agreeing:
    """Return an offer that waits for an answer."""
    return Agreeing((OfferStatus(seat, what, days_off, HEAD, (asked,)),))


def connection(carry: CarryStatus) -> Model:
    """Return the page of the network, at its end."""
    network = Network(carry=carry)
    model = fed(base(), status(network=network), Linked(), Click("connection"))
    return fed(model, Scroll("connection.list", 400))


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the pages, by name."""
    yield from away(model)
    yield from stands_still(model)
    yield from offers(model)
    yield from carried(model)
    yield from called(model)


def away(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what is made while the others are away."""
    yield "on turn while the other is away", ready()
    yield "a move that waits", made(ready())
    yield "a move that waits, in the list", fed(made(ready()), Click("side:1"))
    yield "a move that has left", made(ready(), back=())
    yield "a turn and a resignation that wait", twice_made()
    state, past = on_turn()
    at: dict[str, Any] = {"waiting": "Bert", "seats": AWAY}
    kept = Made(moves=(0,), kept=(("Bert", "Carla"),))
    for name, waits in (
        ("a friend keeps it", kept),
        ("entered, kept", replace(kept, moves=())),
    ):
        there = playing(state, 2, phase="paused", made=waits, **at)
        yield name, fed(made(ready(), back=()), status(table=there))
    line = door.Line("Anna", "Are you there?", 0, number=3)
    for lines, keeps in ((3, ()), (3, (("Carla", 4),)), (4, (("Carla", 4),))):
        there = playing(state, 2, made=Made(lines=lines, lines_kept=keeps), **at)
        said = fed(ready(), line, status(table=there), Click("side:0"))
        yield f"a line behind {lines}, {len(keeps)} keep it", said
    consents = playing(state, 2, made=Made(consents=((1, "Charlie"),)), **at)
    yield "a consent", fed(model, status(table=consents), viewed(state, past, 0))
    blocked = (AWAY[0], replace(AWAY[1], state="blocked", since=-1))
    for phase in ("playing", "paused"):
        there = playing(state, 2, phase=phase, waiting="Bert", seats=blocked)
        shown = fed(model, status(table=there), viewed(state, past, 0))
        yield f"{phase}, and the other is blocked", shown


def stands_still(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield a match that waits for one of three, one that was stopped, late tiles."""
    state, _past = networdz(4, 8)
    others = (
        seat(name, "remote", state="connected", since=-1, key=name)
        for name in worlds.NAMES[2:]
    )
    bert = seat("Bert", "remote", state="away", since=-1, key="Bert")
    there = playing(
        state, 4, phase="paused", waiting="Bert", host="Bert", hosting=False,
        seats=(seat("Anna"), bert, *others),
    )  # fmt: skip
    yield (
        "one of three is waited for",
        fed(worlds.at_match(model, 4), status(table=there)),
    )
    here = worlds.at_match(model)
    left = "Bert has left: the node was stopped"
    for name, why in (("disputed", Code.FORK.text), ("left", left)):
        yield f"stopped, {name}", changed(here, phase="stopped", waiting=why)
    over = worlds.ended(worlds.at_match(model, 3))
    yield (
        "over, held up",
        changed(
            over, audit="", held_up=Says.BAG_NOT_OPENED(names="Bert"), hosting=False
        ),
    )
    late = (seat("Anna"), seat("Bert", "computer", state="late"))
    timed_out = changed(at_table(3), phase="over", places=(1, 2), seats=late)
    yield "over, one was late", timed_out
    far = (AWAY[0], seat("Bert", "remote", state="connected"))
    for days in (0, 3):
        with_days = changed(at_table(2), thinking=Thinking(days), seats=far)
        yield f"left, {days} days", fed(with_days, Click("leave"))
    yield "left alone", fed(at_table(2), Click("leave"))
    two_days = changed(at_table(2), thinking=Thinking(3, 2 * 86_400 + 5))
    yield "two days left", two_days
    bystander = dict(worlds.watched(here))["bystander"]
    yield "a bystander leaves", fed(bystander, Click("leave"))


def offers(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what may be offered, what stands, and how it has ended."""
    may = Agreeing(may=((0, "draw"), (0, "back"), (1, "stop")))
    yield "what may be offered", fed(offered(may), Click(agreeing.OPEN))
    days = offered(Agreeing(may=((0, "days"),)))
    yield "days off may be offered", fed(days, Click(agreeing.OPEN))
    for name in ("numlo", "networdz"):
        here = in_match(model, name, 2, 3)
        asked = changed(here, offers=Agreeing(may=((0, "stop"), (0, "back"))))
        yield f"to stop in {name}", replace(asked, over=Over.AGREE)
        assert asked.table is not None
        robot = (asked.table.seats[0], replace(asked.table.seats[1], kind="computer"))
        beside = replace(changed(asked, seats=robot), over=Over.AGREE)
        yield f"to stop in {name} beside a computer", beside
    whats: tuple[What, ...] = ("draw", "stop", "back", "days")
    for what in whats:
        off = 5 if what == "days" else 0
        yield f"another offers {what}", offered(standing(what, 1, 0, off))
    yield "one offers to stop", offered(standing("stop", 0, 1))
    told = door.Notice("system", Says.OFFERS_DAYS(name="Bert", days="3"), 0)
    yield "days off, told", fed(offered(standing("days", 1, 0, 3)), told)
    for ended in ("stop", "draw"):
        over = offered(Agreeing(ended=ended), "over")
        yield f"ended by a {ended}", fed(over, Click("result.close"))
    yield "one has days off", offered(Agreeing(off=((1, 3 * 86_400 - 240),)))
    wish = in_match(model, "numlo", 2, 12)
    over_ = changed(wish, phase="over", places=(1, 2), rematch=("Bert",))
    yield "a wish for a rematch", over_
    yield "a wish, looking back", fed(over_, Click("result.close"), Key("page up"))


def carried(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield who is linked through whom, and for whom messages are passed on."""
    yield "for whom to carry", fed(connection(CarryStatus()), Click("set.carry"))
    yield "who carries", connection(CarryStatus(carriers=(CARLA,)))
    bert = replace(seat("Bert", "remote"), key="B-KEY", state="connected")
    peer = PeerStatus("Bert", "B-KEY", "8.9.2.2:4770", True, 3)
    for name, linked in (
        ("through a friend", replace(peer, through="Carla")),
        ("over UDP", replace(peer, udp=True)), ("straight", peer),
    ):  # fmt: skip
        seats = (seat("Ann"), bert)
        told = status(peers=(linked,), table=worlds.table(seats=seats))
        shown = fed(model, told, Linked())
        yield f"linked {name}", shown
        yield f"a player linked {name}", fed(shown, Click("who1"), Click("person.show"))


def called(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield what is told in a match of other games."""
    here = at_table(2)
    alone = status(table=here.table, games=FEW[1:4])
    yield "no other game waits", fed(here, alone, Key("f4", down=True))
    live = replace(FEW[0], table=9, match=b"l", game="hexcolumns", live=True)
    live = replace(live, turn=(0, 1), players=("Anna", "Eve"))
    other = replace(live, table=10, match=b"o", players=("Anna", "Fay"))
    clocked = replace(live, game="networdz", clock=90_000, own=(0,))
    rest = replace(clocked, mine=False, turn=(1,))
    for name, more in (
        ("a live game", (live,)), ("two live games", (live, other)),
        ("one's turn in another", (replace(clocked, turn=(0,)),)),
        ("another's turn in another", (rest,)),
    ):  # fmt: skip
        yield name, fed(here, status(table=here.table, games=(*FEW[:4], *more)))
    wrong = Says.PROGRAM_FAILED(
        name="Max", seat=2, table="2 (Numlo: Anna, Max)", why="gone"
    )
    yield "a program fails here", fed(here, status(table=here.table, faults=(wrong,)))
    silent = games.page(model, "numlo", *worlds.some_match("numlo", 2, 4))
    yield "chat beside the moves", fed(silent, door.Line("Bert", "hi", 0))
    yield "seats of three", seconds.three(model)

"""Every page with all that players bring: long names, long lists, errors."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from client.app.drafts import Kind, SeatDraft
from client.app.model import Model
from client.app.settings import Settings
from client.pages.seating import Invite
from client.ui.intents import Click, Focus, Text
from netplay.errors import Code
from netplay.messages import door
from netplay.messages.node_questions import Network
from netplay.said import Said
from netplay.sentences import Says
from tests.client.worlds import fed, near, seat, status, table

LONG = (
    "Maximiliane von Würzburg",
    "Конструктор Автомобильев",
    "Bartholomäus Wwwwwwwwwww",
    "ŽOFIE MAXIMILIÁNA ŠŤASTN",
)
"""As long as names may be."""

KEY = "ABCD-EFGH-IJKL-MNOP-QRST"
ADDRESSES = (
    "192.168.178.123",
    "10.8.127.101",
    "2001:db8:1234:5678:9abc:def0:1234:5678",
)
SAVED = tuple(
    (f"p{i}", f"Networdz with {LONG[1]}, {LONG[2]} and {LONG[3]}", 9 * i)
    for i in range(12)
)
NEAR = tuple(
    near(f"10.0.0.{i}:7777", LONG[i % 4], "hexcolumns", i % 3) for i in range(12)
)
DAMAGED = (
    "the file of a game was damaged (at byte 9: the checksum of a record is wrong): "
    f"entries left: 0, the others come from its players; it is kept as {'0f' * 16}"
)
FAULTS = (Said(DAMAGED), Said("the list of known players was damaged"))
WHY = (
    "there is no answer at that address: the other may not be waiting, may be asleep, "
    "or there is a firewall in between"
)
"""The longest kind of error that is usual."""


def crowd(**changes: Any) -> door.Status:
    """Return a status in which much is going on."""
    network = Network(
        beacon=True, map_port=True, reach="network",
        mapping=Says.MAPPED_BEHIND_ROUTER(where="10.20.30.40:7777"),
        reached=Says.REACHED_NEAR(name=LONG[1]),
    )  # fmt: skip
    usual = status(
        name=LONG[0], key=KEY, addresses=ADDRESSES, saved=SAVED, nearby=NEAR,
        network=network, editions=(f"my-{'w' * 29}",), dictionaries=("d" * 32,),
    )  # fmt: skip
    return replace(usual, **changes)


def failed(model: Model, *events: Any, why: str = WHY) -> Model:
    """Return the window after the node has refused what these ask for."""
    before = set(model.asked)
    model = fed(model, *events)
    last = max(set(model.asked) - before)
    return fed(model, door.Failed(last, Code.USAGE.number, Said(why)))


def busy(model: Model) -> Model:
    """Return a window whose player has called many."""
    recent = tuple(f"10.20.30.{i}:7777 {LONG[i % 4]}" for i in range(8))
    own: Settings = replace(model.settings, recent=recent)
    return replace(model, settings=own, computer="maximiliane-notebook.example.org")


def remote(i: int, **changes: Any) -> door.SeatStatus:
    """Return the seat of somebody far away with a long name."""
    key = KEY[:-1] + str(i)  # each is at a computer of their own
    usual = replace(seat(LONG[i], "remote"), key=key, state="connected")
    return replace(usual, **changes)


def pages(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the window's pages, by name, each as full as it may get."""
    model = busy(model)
    yield from starts(model)
    yield from tables(model)


def starts(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the start page."""
    full = fed(model, crowd())
    yield "full start", full
    waiting = fed(model, crowd(mode="answering", faults=FAULTS))
    yield "full start, waiting, with faults", fed(waiting, Click("game:1"))
    typed = fed(full, Focus("field.address"), Text("10.20.30.40:7777"))
    yield "full start, not joined", failed(typed, Click("join.address"))
    yield (
        "full start, joined none nearby",
        failed(full, Click(f"near:KEY-{LONG[1]}"), Click("join.near")),
    )
    yield "full start, not loaded", failed(full, Click("saved:p0"))
    yield "full start, not begun", failed(fed(full, Click("game:2")), Click("play"))
    asked = fed(full, Click("copy"))
    told = door.Done(max(asked.asked), f"netplay:[{ADDRESSES[2]}]:7777#{KEY}")
    yield "full start, invitation", fed(asked, told)
    yield "full start, told", fed(full, door.Notice("error", Said(WHY), 0))
    yield "full start, no node", replace(full, linked=False, trouble=WHY)


def tables(model: Model) -> Iterator[tuple[str, Model]]:
    """Yield the table page, for host and guest."""
    long = f"{LONG[1]}, {LONG[2]} and {LONG[3]}"
    own = replace(seat(LONG[0]), key=KEY)
    far = tuple(remote(i, accepted=False) for i in (1, 2, 3))
    drafts = (SeatDraft(Kind.PERSON), *(SeatDraft(Kind.REMOTE, address=KEY),) * 3)
    options = (("hints", "on"), ("timed", "5"))
    draft = replace(model.setup.draft, seats=drafts, options=options)
    seated = replace(model, setup=replace(model.setup, draft=draft, agreed=draft))
    here = table(seats=(own, *far), host=LONG[0], waiting=long)
    hosted = fed(seated, crowd(table=here))
    yield "full table", hosted
    kinds = (SeatDraft(Kind.COMPUTER), SeatDraft(Kind.REMOTE, address="10.20.30.40"))
    open_ = replace(
        draft, seats=(SeatDraft(Kind.PERSON), *kinds, SeatDraft(Kind.REMOTE))
    )
    free = tuple(replace(seat("", "remote"), state="awaited") for _ in range(2))
    robot = seat("Computer 1", "computer")
    awaited = replace(here, seats=(own, robot, *free))
    forming = fed(
        replace(model, setup=replace(model.setup, draft=open_, agreed=open_)),
        crowd(table=awaited),
    )
    yield "full table, awaited", forming
    yield "full table, not called", failed(forming, Click("call2", means=Invite(2)))
    ruled = fed(hosted, Click("rules"))
    yield "full table, not changed", failed(ruled, Click("option.hints"))
    ready = fed(seated, crowd(table=replace(here, waiting="")))
    yield "full table, not begun", failed(ready, Click("start"))
    yield "full table, told", fed(hosted, door.Notice("error", Said(WHY), 0))
    away = tuple(remote(i, state="away", since=i * 4000) for i in (2, 3))
    guests = (remote(1), replace(own, accepted=False), *away)
    guest = replace(here, seats=guests, hosting=False, host=LONG[1])
    yield "full guest", fed(model, crowd(table=guest))
    new = replace(guest, seats=(guests[0], *far))
    yield (
        "full guest, not accepted",
        failed(fed(model, crowd(table=replace(new, called=True))), Click("accept")),
    )
    changes = (
        ("players", "person", "person, person"), ("timed", "0", "5"),
        ("hints", "off", "on"), ("bystanders", "ask", "anybody"), ("edition", "", "x"),
    )  # fmt: skip
    yield (
        "full guest, rules changed",
        fed(model, crowd(table=replace(new, changes=changes))),
    )

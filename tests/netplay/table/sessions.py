"""Evenings at tables as texts that somebody has read: who does what, what all see.

    python -m tests.netplay.table.sessions

writes them anew into tests/netplay/table/sessions, one file an evening.  Read what git
shows as changed.  A line without indent is what somebody does and is answered; below it
stands, by node, what it hears, what its player is told, and what its windows show now.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from netplay.fingerprint import fingerprint
from netplay.messages.door import (
    Answer,
    Call,
    ChangeTable,
    Choose,
    Consent,
    Join,
    LeaveTable,
    Load,
    LookAt,
    LookBack,
    Retry,
    Say,
    StartMatch,
    Watch,
)
from netplay.messages.node_questions import Personal
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    ClaimTime,
    HandSeat,
    Kick,
    LetWatch,
    MakeOffer,
    Mute,
    NameSeat,
    PlayAgain,
    Prepare,
    TakeBack,
    Vote,
    WatchAt,
)
from netplay.table.asked import WEEK_SECONDS
from netplay.wire import pack
from rules import networdz
from tests.netplay.joined_nodes import Bare, table
from tests.netplay.table.evening import Evening, open_table

PLACE: Final = Path(__file__).with_name("sessions")

DAY: Final = 86_400


def forming() -> Evening:
    """Guests come, are called, turned away, removed, and say no."""
    here = Evening("ann", "bob", "cyd", "dan")
    here.ask("bob", Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", "remote"))
    here.ask("cyd", Join("ann", -1))
    here.ask("dan", Join("ann", -1))
    here.ask("ann", Say("hello"))
    here.ask("ann", Kick("cyd"))
    here.ask("ann", Kick("cyd"))
    here.ask("cyd", Join("ann", -1))
    here.ask("dan", Join("ann", 1))
    here.ask("dan", Join("ann", -1))
    here.ask("ann", NameSeat(0, "Anna"))
    here.ask("ann", LetWatch("nobody"))
    here.ask("bob", Consent(accept=True, revision=1))
    here.consent("dan", accept=False)
    here.ask("ann", StartMatch())
    here.ask("ann", Call("dan"))
    here.part("ann", "bob")
    here.ask("ann", ChangeTable(open_table("person", "remote:bob")))
    here.join()
    here.block("bob", "ann")
    here.ask("ann", LeaveTable())
    return here


def ready() -> Evening:
    """A game in real time is counted down, with one who goes and terms that change."""
    here = Evening("ann", "bob", "cyd")
    for guest in ("bob", "cyd"):
        here.ask(guest, Answer(on=True, asks=True))
    here.ask("ann", open_table("person", "remote:bob", "remote:cyd", game="hexcolumns"))
    here.consent("bob")
    here.consent("cyd")
    here.wake(120)
    here.ask("ann", StartMatch(5))
    here.consent("bob")
    here.part("ann", "bob")
    here.consent("cyd")
    here.join()
    here.consent("bob")
    here.wake(2)
    seats = ("person", "remote:cyd", "remote:bob")
    here.ask("ann", ChangeTable(open_table(*seats, game="hexcolumns")))
    here.wake(10)
    here.consent("bob")
    here.ask("ann", StartMatch(3))
    here.consent("cyd")
    here.ask("ann", StartMatch(3))
    here.wake(1)
    here.wake(3)
    return here


def playing() -> Evening:
    """Three play: moves, chat, somebody away, a seat handed on, one who resigns."""
    here = Evening("ann", "bob", "cyd", "dan")
    for guest in ("bob", "cyd"):
        here.ask(guest, Answer(on=True))
    here.ask("ann", open_table("person", "remote:bob", "remote:cyd"))
    here.ask("cyd", Say("before"))
    here.ask("ann", StartMatch())
    here.ask("bob", Watch(1))
    here.move("ann")
    here.ask("bob", Say("one"))
    here.part("cyd", "ann", "bob")
    here.move("bob")
    here.ask("bob", Say("two"))
    here.ask("ann", Mute(on=True, whom="bob"))
    here.join()
    here.move("cyd", 1)
    here.ask("bob", Say("three"))
    here.part("ann", "bob", "cyd")
    here.ask("bob", Vote())
    here.ask("cyd", Vote())
    here.join()
    here.ask("bob", Retry())
    here.ask("dan", Answer(on=True))
    here.meet("dan", "ann", "bob", "cyd")
    here.ask("bob", HandSeat(1, "dan"))
    here.ask("ann", HandSeat(1, "dan"))
    here.ask("cyd", HandSeat(1, "dan"))
    here.restart("cyd")
    here.resign("cyd", 2)
    here.ask("cyd", LeaveTable())
    here.resign("ann", 0)
    return here


def offers() -> Evening:
    """Two offer each other what they may, twice, at Hexagrams."""
    here = Evening("ann", "bob")
    here.begin("bob", game="hexagrams", days=3)
    here.move("ann")
    here.ask("ann", MakeOffer(0, "back"))
    here.ask("bob", AnswerOffer(1, agrees=False))
    here.ask("ann", MakeOffer(0, "back"))
    here.ask("bob", AnswerOffer(1, agrees=True))
    here.move("ann", 1)
    here.ask("bob", MakeOffer(1, "draw"))
    here.ask("bob", AnswerOffer(1, agrees=False))
    here.move("bob")
    here.ask("ann", MakeOffer(0, "days", 2))
    here.ask("bob", MakeOffer(1, "stop"))
    here.move("ann")
    here.ask("bob", AnswerOffer(1, agrees=True))
    here.part("ann", "bob")
    here.move("bob")
    here.ask("bob", TakeBack(1))
    here.move("bob", 1)
    here.join()
    here.ask("ann", MakeOffer(0, "draw"))
    here.restart("bob")
    here.ask("bob", AnswerOffer(1, agrees=True))
    return here


def rematches() -> Evening:
    """After the end: asked for, proposed, taken back, left, and played."""
    here = Evening("ann", "bob", "cyd")
    here.begin("bob", "cyd")
    here.ask("ann", PlayAgain())
    here.resign("bob", 1)
    here.resign("ann", 0)
    here.ask("bob", PlayAgain())
    here.ask("bob", PlayAgain())
    here.part("ann", "cyd")
    here.ask("ann", PlayAgain())
    here.join()
    here.ask("ann", PlayAgain())
    here.ask("cyd", LeaveTable())
    here.ask("ann", LeaveTable())
    here.ask("bob", PlayAgain())
    return here


def late() -> Evening:
    """Who was away at the end comes back when the rematch is proposed already."""
    here = Evening("ann", "bob", "cyd")
    here.begin("bob", "cyd")
    here.resign("cyd", 2)
    here.part("cyd", "ann", "bob")
    here.restart("ann")
    here.resign("bob", 1)
    here.ask("ann", PlayAgain())
    here.join()
    here.ask("bob", PlayAgain())
    here.ask("cyd", PlayAgain())
    return here


def again() -> Evening:
    """Two play a match, a rematch, and one more, with a late word of the first."""
    here = Evening("ann", "bob")
    here.begin("bob")
    here.ask("ann", LetWatch("anybody"))
    here.move("ann")
    here.resign("bob", 1)
    here.ask("ann", PlayAgain())
    here.ask("bob", Say("well"))
    here.ask("bob", PlayAgain())
    here.consent("bob")
    here.move("bob")
    here.restart("ann")
    here.resign("ann", 1)
    here.ask("bob", PlayAgain())
    here.ask("ann", PlayAgain())
    here.ask("bob", Say("third"))
    here.move("ann")
    here.ask("bob", LeaveTable())
    return here


def watching() -> Evening:
    """Two bystanders ask, are let in, shut out, cut off, and see a seat go on."""
    here = Evening("ann", "bob", "cyd", "dan")
    here.begin("bob", game="hexagrams")
    here.ask("cyd", WatchAt("ann"))
    here.ask("ann", AnswerWatcher(allow=True))
    here.ask("dan", WatchAt("bob"))
    here.ask("bob", AnswerWatcher(allow=True, whom="cyd"))
    here.ask("bob", AnswerWatcher(allow=True))
    here.ask("ann", AnswerWatcher(allow=False, whom="dan"))
    here.move("ann")
    here.part("cyd", "ann")
    here.move("bob")
    here.join()
    here.part("bob", "ann")
    here.join()
    here.ask("ann", AnswerWatcher(allow=True, whom="dan"))
    here.ask("dan", WatchAt("bob"))
    here.ask("ann", LetWatch("nobody"))
    here.ask("ann", LetWatch("anybody"))
    here.ask("cyd", Answer(on=True))
    here.ask("bob", HandSeat(1, "cyd"))
    here.ask("ann", HandSeat(1, "cyd"))
    here.move("ann")
    here.block("ann", "dan")
    here.resign("ann", 0)
    here.ask("cyd", LeaveTable())
    return here


def several() -> Evening:
    """Three tables at once: which is meant, which is looked at, which is left."""
    here = Evening("ann", "bob", "cyd")
    here.ask("ann", open_table("person", "remote"))
    here.ask("ann", open_table("person", "remote", game="hexagrams"))
    here.ask("bob", Join("ann", -1))
    here.ask("bob", Choose(2))
    here.ask("bob", Choose(1))
    here.ask("cyd", Join("ann", -1))
    here.ask("ann", StartMatch(), on=2)
    here.ask("ann", StartMatch(), on=1)
    here.ask("cyd", Join("bob", -1))
    here.ask("ann", LookAt(1))
    here.move("cyd" if here.net["cyd"].match.on_turn()[0] else "ann")
    here.ask("ann", LeaveTable(), on=2)
    here.ask("bob", LeaveTable())
    here.restart("ann")
    here.ask("ann", Load(""))
    here.ask("ann", LeaveTable(), on=1)
    return here


def drawn() -> Evening:
    """Three play with tiles: draws, an exchange, one who resigns and leaves."""
    here = Evening("ann", "bob", "cyd")
    here.begin("bob", "cyd", game="networdz")
    for seat, who in enumerate(here.net.nodes):
        here.ask(who, Watch(seat))
    for turn in range(4):
        match = here.net["ann"].match
        seat = match.fold.state.turn
        who = list(here.net.nodes)[seat]
        rack = match.fold.state.tiles.racks[seat]
        here.play(who, networdz.Pass((rack[turn % 2],)))
        if turn == 1:
            here.restart("bob")
    here.resign("bob", 1)
    here.ask("bob", LeaveTable())
    here.part("bob", "ann", "cyd")
    here.ask("ann", LookBack(4))
    here.part("ann", "cyd")
    here.ask("cyd", Vote())
    here.join()
    here.resign("cyd", 2)
    return here


def turned_out() -> Evening:
    """Who was removed from one of two tables finds the other; who has gone is told."""
    here = Evening("ann", "bob", "cyd")
    here.ask("ann", open_table("person", "remote", "remote"))
    here.ask("ann", open_table("person", "remote", game="hexagrams"))
    here.ask("bob", Join("ann", -1))
    here.ask("bob", Choose(0))
    here.ask("ann", Kick("bob"), on=1)
    here.ask("bob", Join("ann", -1))
    here.ask("cyd", Join("ann", -1))
    here.ask("cyd", LeaveTable())
    here.part("cyd", "ann")
    here.ask("cyd", Join("ann", -1))
    here.ask("cyd", Join("nowhere", -1))
    here.join()
    here.ask("cyd", LeaveTable())
    here.ask("cyd", WatchAt("ann"))
    here.ask("ann", StartMatch(), on=2)
    here.ask("cyd", WatchAt("ann"))
    here.ask("ann", AnswerWatcher(allow=True), on=2)
    here.ask("bob", AnswerWatcher(allow=True))
    here.part("cyd", "ann", "bob")
    here.join()
    here.part("bob", "ann")
    here.resign("ann", 0)
    here.join()
    return here


def counted() -> Evening:
    """The host is lost while a game in real time is counted down; one is shut out."""
    here = Evening("ann", "bob", "cyd", "dan")
    here.block("bob", "dan")
    for guest in ("bob", "cyd", "dan"):
        here.ask(guest, Answer(on=True, asks=True))
    seats = ("person", "remote:cyd", "remote:dan", "remote:bob")
    here.ask("ann", open_table(*seats, game="hexcolumns"))
    here.ask("ann", LeaveTable())
    here.ask("ann", open_table("person", "remote:bob", game="hexcolumns"))
    here.consent("bob")
    here.ask("ann", StartMatch(5))
    here.wake(1)
    here.part("ann", "bob")
    here.wake(9)
    here.join()
    here.wake(1)
    here.consent("bob")
    here.ask("ann", StartMatch(0))
    here.resign("bob", 1)
    return here


def claims() -> Evening:
    """Turns of a day are let pass and claimed, among three and between two."""
    here = Evening("ann", "bob", "cyd")
    here.begin("bob", "cyd", days=1)
    here.ask("bob", ClaimTime())
    here.later("twenty hours", 20 * 3_600)
    here.later("five hours", 5 * 3_600)
    here.ask("cyd", ClaimTime())
    here.ask("ann", ClaimTime())
    here.later("two days", 2 * DAY)
    here.ask("bob", MakeOffer(1, "days", 2))
    here.move("cyd")
    here.later("twenty-six hours", 26 * 3_600)
    here.ask("bob", ClaimTime())
    here.part("ann", "bob", "cyd")
    here.later("six hours", 6 * 3_600)
    here.join()
    here.resign("cyd", 2)
    return here


def last_turn() -> Evening:
    """Between two a claim ends the match; the one who is late may object."""
    here = Evening("ann", "bob")
    here.begin("bob", game="hexagrams", days=1)
    here.move("ann")
    here.part("ann", "bob")
    here.later("two days", 2 * DAY)
    here.ask("ann", ClaimTime())
    here.move("bob")
    here.later("a day", DAY)
    here.join()
    here.later("two days", 2 * DAY)
    here.ask("bob", ClaimTime())
    here.later("two days", 2 * DAY)
    here.restart("ann")
    return here


def looking_on() -> Evening:
    """Two look on while a seat goes to another, who goes away."""
    here = Evening("ann", "bob", "cyd", "dan", "eve")
    here.begin("bob", game="hexagrams")
    here.ask("ann", LetWatch("anybody"))
    here.ask("bob", LetWatch("anybody"))
    here.ask("dan", WatchAt("ann"))
    here.ask("eve", WatchAt("bob"))
    here.ask("cyd", Answer(on=True))
    here.meet("cyd", "ann", "bob")
    here.ask("bob", HandSeat(1, "cyd"))
    here.ask("ann", HandSeat(1, "cyd"))
    here.move("ann")
    here.wake(1)
    here.part("cyd", "ann", "bob")
    here.join()
    here.ask("cyd", LetWatch("anybody"))
    here.part("cyd", "ann", "bob")
    here.join()
    here.part("dan", "ann")
    here.join()
    here.block("eve", "bob")
    here.resign("ann", 0)
    here.wake(1)
    here.ask("ann", LeaveTable())
    here.ask("dan", LeaveTable())
    return here


def alone() -> Evening:
    """One plays against computers: nobody is waited for, but may be let watch."""
    here = Evening("ann", "bob")
    here.ask("ann", open_table("person", "computer:40"))
    here.ask("ann", StartMatch())
    here.ask("ann", LetWatch("anybody"))
    here.ask("bob", WatchAt("ann"))
    here.move("ann")
    here.wake(1)
    here.resign("ann", 0)
    here.ask("ann", PlayAgain())
    return here


def prepared() -> Evening:
    """Moves that are prepared, dropped and taken back, while others are away."""
    here = Evening("ann", "bob")
    here.begin("bob", game="hexagrams")
    match = here.net["bob"].match
    game, state = match.fold.game, match.fold.state
    first = next(iter(game.moves(state, 0)))
    after = game.play(state, 0, first)
    replies = list(game.moves(after, 1))
    line = (pack(first), pack(replies[0]))
    here.ask("bob", Prepare(1, line))
    here.ask("bob", Prepare(1, (pack(first), pack(replies[1]))))
    here.move("ann")
    here.part("ann", "bob")
    here.move("ann")
    here.ask("ann", TakeBack(0))
    here.ask("ann", TakeBack(0))
    here.move("ann", 2)
    here.restart("ann")
    here.join()
    return here


def friends(here: Evening) -> None:
    """Let all know each other; Ann has a name of her own for Bob."""
    for node in here.net.nodes.values():
        for other in here.net.nodes.values():
            if other is not node:
                node.known.befriend(other.key, other.name)
    ann, bob = here.net["ann"], here.net["bob"]
    ann.known.describe(bob.key, Personal("Bobby"))


def away() -> Evening:
    """Friends who sleep are asked by their keys: one comes, one does not in a week."""
    here = Evening("ann", "bob", "cyd")
    friends(here)
    here.part("ann", "bob", "cyd")
    keys = [fingerprint(here.net[name].key) for name in ("bob", "cyd")]
    here.ask("ann", open_table("person", *(f"remote:{key}" for key in keys)))
    here.wake(100)
    here.do("ann and bob can be reached", lambda: here.net.apart.discard(
        frozenset(("ann", "bob"))
    ))  # fmt: skip
    here.consent("bob")
    here.part("ann", "bob")
    here.restart("ann")
    here.later("six days", WEEK_SECONDS - DAY)
    here.later("another day and a second", DAY + 1)
    here.join()
    return here


def asked() -> Evening:
    """A friend who was away says yes later, and the match begins by itself."""
    here = Evening("ann", "bob")
    friends(here)
    here.part("ann", "bob")
    key = fingerprint(here.net["bob"].key)
    here.ask("ann", open_table("person", f"remote:{key}", days=3))
    here.net["ann"].unix += 3_600
    here.wake(3_600)
    here.join()
    here.consent("bob")
    here.move("ann")
    return here


def blocked() -> Evening:
    """Guests and players are blocked: at a table, while watching, in a match."""
    here = Evening("ann", "bob", "cyd", "dan")
    here.ask("ann", open_table("person", "remote", "remote"))
    here.ask("bob", Join("ann", -1))
    here.ask("cyd", Join("ann", -1))
    here.block("ann", "cyd")
    here.ask("cyd", Join("ann", -1))
    here.ask("ann", ChangeTable(open_table("person", "remote")))
    here.consent("bob")
    here.ask("ann", StartMatch())
    here.ask("dan", WatchAt("ann"))
    here.block("bob", "dan")
    here.move("ann")
    here.block("bob", "ann")
    here.ask("bob", LeaveTable())
    return here


def words_sent() -> Evening:
    """A guest without the words fetches them, is cut off, and goes on."""
    here = Evening("ann", "bob", "cyd")
    for name in ("bob", "cyd"):
        here.net[name].shelf = Bare()
        here.net[name].restart(here.net.now)
    here.ask("bob", Answer(on=True))
    net = here.net
    wish = table("lhexicon", "person", "remote:bob", options=(("side", "6"),))
    net.ask("ann", wish)
    for _ in range(24):
        net.dial()
        net.deliver()
    here.part("ann", "bob")
    here.join()
    here.ask("ann", StartMatch())
    here.ask("ann", LetWatch("anybody"))
    here.ask("bob", LetWatch("anybody"))
    here.ask("cyd", WatchAt("ann"))
    here.part("bob", "ann", "cyd")
    here.join()
    here.resign("bob", 1)
    return here


EVENINGS: Final[dict[str, Callable[[], Evening]]] = {
    each.__name__: each
    for each in (
        forming, ready, playing, offers, rematches, late, again, watching, several,
        prepared, drawn, away, asked, blocked, words_sent,
        turned_out, counted,
        claims, last_turn, looking_on, alone,
    )
}  # fmt: skip


def told(name: str) -> str:
    """Return an evening as it stands in its file."""
    evening = EVENINGS[name]()
    try:
        return "\n".join((*evening.lines, ""))
    finally:
        evening.net.close()


def main() -> None:
    """Write all evenings anew."""
    PLACE.mkdir(exist_ok=True)
    for name in EVENINGS:
        (PLACE / f"{name}.txt").write_text(told(name), "utf-8")


if __name__ == "__main__":
    main()

"""Tables of nodes in memory: formed, started, looked at."""

import hashlib

from netplay.errors import Code
from netplay.messages.door import Answer, Failed, Question, StartMatch, TableStatus
from netplay.messages.letters import LetterReceipt
from netplay.messages.table_questions import StandIn
from netplay.table.letters import Written
from tests.netplay.joined_nodes import Net, table

SMALL = (("size", "8"), ("values", "off"), ("start", "othello"))


def status(net: Net, name: str) -> TableStatus:
    found = net[name].tables.table_status(net.now)
    assert found is not None
    return found


def failed(net: Net, name: str, question: Question, on: int = 0) -> Code:
    answer = net.ask(name, question, on=on)
    assert isinstance(answer, Failed), answer
    assert answer.reason
    return next(code for code in Code if code.number == answer.code)


def start(net: Net, *guests: str, game: str = "numlo", computers: bool = True) -> None:
    """Let ann host a match with guests, everybody played by a computer if wished."""
    for guest in guests:
        net.done(guest, Answer(on=True))
        if computers:
            net.done(guest, StandIn(40))
    seats = ("computer:40", *(f"remote:{guest}" for guest in guests))
    options: tuple[tuple[str, str], ...] = SMALL if game == "numlo" else ()
    if game == "numlo" and len(guests) > 1:
        options = SMALL[:2]
    net.done("ann", table(game, *seats, options=options))
    net.settle()
    net.done("ann", StartMatch())
    net.settle()


def receipt_of(written: Written) -> LetterReceipt:
    """Return what somebody who keeps a letter says of it; the shell checks such."""
    digest = hashlib.sha256(written.parts[-1]).digest()
    place = bytes(32), bytes(32), written.to, written.box, written.about, digest
    return LetterReceipt(*place, 1, 1, 2, bytes(64))

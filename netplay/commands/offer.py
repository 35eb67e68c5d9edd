"""`netplay offer`: offer the other players something, or answer what they offer."""

import argparse
import json
from collections.abc import Sequence
from typing import Final, get_args

from netplay import home
from netplay.commands.asking import add_table, meant
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError, NetplayError
from netplay.language import phrase
from netplay.messages.door import TableStatus
from netplay.messages.log import DAYS_OFF, What
from netplay.messages.table_questions import AnswerOffer, MakeOffer
from netplay.sentences import Says

HELP = "offer a draw, to stop, to take back a turn, days off; or answer: yes, no"

ANSWERS: Final = ("yes", "no")
WHATS: Final[tuple[What, ...]] = get_args(What)


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "what", choices=(*WHATS, *ANSWERS),
        help="a draw, to stop together, to take back your last turn, days off; "
        "yes or no to what another offers, no to take back your own offer",
    )  # fmt: skip
    parser.add_argument(
        "days", nargs="?", type=int, default=0, help="how many days off"
    )
    parser.add_argument(
        "--seat", type=int, default=0, metavar="N", help="whose offer, from 1"
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node.

    Returns:
        0, or 1 if it was refused, of which JSON tells as well.
    """
    try:
        with Visit(home.find(None), table=max(0, arguments.table)) as visit:
            table = meant(visit.status())
            seat = arguments.seat - 1 if arguments.seat > 0 else None
            wish = question((arguments.what, str(arguments.days)), table, seat)
            told = phrase(visit.ask(wish).text)
    except NetplayError as error:
        if not arguments.json:
            raise
        print(json.dumps({"done": False, "reason": phrase(error.said)}))
        return 1
    answer = {"done": True, "reason": "", "told": told}
    print(json.dumps(answer, ensure_ascii=False) if arguments.json else told)
    return 0


def question(
    words: Sequence[str], table: TableStatus | None, seat: int | None
) -> MakeOffer | AnswerOffer:
    """Return what is to be asked of the node.

    Args:
        words: `draw`, `stop`, `back`, `days` with a number, `yes` or `no`.
        table: At which.
        seat: For whom; None for whoever here it can be.

    Raises:
        LocalError: USAGE.
    """
    if table is None or not table.match:
        raise LocalError(Code.USAGE, Says.NOTHING_TO_PLAY())
    head, *rest = words or ("",)
    if head in ANSWERS:
        return AnswerOffer(_answering(table, seat, head == "yes"), head == "yes")
    if head not in WHATS:
        raise LocalError(Code.USAGE, Says.OFFER_WHAT())
    what, days = head, 0
    if what == "days":
        days = int(rest[0]) if rest and rest[0].isdecimal() else 0
        if not 1 <= days <= DAYS_OFF:
            raise LocalError(Code.USAGE, Says.DAYS_OFF_RANGE(most=DAYS_OFF))
    may = [each for each, one in table.offers.may if one == what]
    return MakeOffer(_one(table, seat, may), what, days)


def _answering(table: TableStatus, seat: int | None, agrees: bool) -> int:
    standing = table.offers.standing
    may = [each for one in standing for each in one.asked]
    if not agrees:
        may += [one.seat for one in standing]
    return _one(table, seat, may)


def _one(table: TableStatus, seat: int | None, may: Sequence[int]) -> int:
    """Return the seat that is meant: one of a person here."""
    if seat is not None:
        return seat
    own = table.persons
    if not own:
        raise LocalError(Code.USAGE, Says.NO_SEAT_HERE())
    return next((each for each in own if each in may), own[0])

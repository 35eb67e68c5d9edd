"""`netplay games`: the tables in hand: who plays, whose turn it is and since when."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from typing import Final, Literal, get_args

from msgspec.structs import asdict

from netplay import home
from netplay.commands import Command
from netplay.commands.asking import add_table, ask, consent, invite, meant, node_status
from netplay.commands.sharing import whole
from netplay.commands.status import asking, plain
from netplay.daemon.finished_matches import FinishedFiles
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError, NetplayError
from netplay.language import _, ngettext, phrase
from netplay.messages import table_questions
from netplay.messages.door import Answer, Notice, Status, TableStatus
from netplay.messages.log import DAYS_OFF, What
from netplay.messages.table_questions import (
    AnswerOffer,
    AnswerWatcher,
    LetWatch,
    MakeOffer,
)
from netplay.messages.types import Admission
from netplay.peering.identity import open_identity
from netplay.sentences import Says
from netplay.text import phrases
from netplay.text.phrases import asked, awaited
from rules import title_of

HELP = "the tables in hand, those that wait for you first"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--all", action="store_true", help="those that are over, too")
    parser.add_argument(
        "--finished", nargs="?", const="", metavar="TEXT",
        help="instead those that are over, with results against each friend; "
        "of TEXT only those with its words in game, names or result",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """List the tables."""
    if arguments.finished is not None:
        return _finished(arguments.finished, as_json=arguments.json)
    games = node_status().games
    known, now = {game.match for game in games}, datetime.now(UTC).timestamp()
    over = [] if not arguments.all else [
        one for one in _matching(home.find(None), "") if one.match not in known
    ]  # fmt: skip
    if arguments.json:
        rows = [*games, *(as_game(one, now) for one in over)]
        print(json.dumps(plain(tuple(rows)), ensure_ascii=False))
        return 0
    for line in (*map(lines, games), *map(_line, over)):
        print(line)
    if not games and not over:
        print(_("no table"))
    return 0


def as_game(one: table_questions.Finished, now: float) -> table_questions.GameStatus:
    """Return a match that is over as the list of tables has those in hand.

    Its table is 0, for it is at none; and nothing is said of an audit, which is not
    worked out again for a list.
    """
    return table_questions.GameStatus(
        table=0, match=one.match, mode="finished", phase="over", game=one.game,
        players=one.players, turn=(), mine=False, since=max(0, int(now - one.at)),
        clock=-1, unread=0, undelivered=False, away=(), own=one.own, result=one.result,
    )  # fmt: skip


def _finished(text: str, *, as_json: bool) -> int:
    """List the matches of the home that are over; no node need run for that."""
    place = home.find(None)
    found = list(_matching(place, text)) if place.key.exists() else []
    if as_json:
        print(json.dumps(plain(tuple(found)), ensure_ascii=False))
        return 0
    for one in found:
        print(_line(one))
    every = table_questions.records(found)
    for against in every:
        words = _("{name}: {won} won, {lost} lost, {tied} tied")
        name = table_questions.told_apart(against, every)
        print(words.format(**{**asdict(against), "name": name}))
    if not found:
        print(_("no finished game"))
    return 0


def _line(one: table_questions.Finished) -> str:
    """Return what there is to say of a match that is over."""
    day = datetime.fromtimestamp(one.at, UTC).date().isoformat()
    told = f"{day}  {one.title}: {', '.join(one.players)}", phrases.result(one.result)
    return "; ".join(filter(None, (*told, one.path)))


def _matching(place: home.Home, text: str) -> Iterator[table_questions.Finished]:
    """Yield the finished matches with every word of a text in what is told of them."""
    for one in FinishedFiles(place, open_identity(place).key).all():
        names = " ".join(
            (one.title, *one.players, one.result, phrases.result(one.result))
        )
        if table_questions.has_words(names, text):
            yield one


def lines(game: table_questions.GameStatus) -> str:
    """Return what there is to say of a table in hand, on one line."""
    return "; ".join(_told(game))


def _told(game: table_questions.GameStatus) -> Iterator[str]:
    title = title_of(game.game)
    mark = "*" if game.mine else " "
    what = title or _(game.mode)
    yield f"{mark}{game.table}  {what}: {', '.join(game.players)}"
    yield _(game.phase)
    if game.result:
        yield phrases.result(game.result)
    if game.audit:
        yield _("audit: {result}").format(result=phrase(game.audit))
    turn = ", ".join(game.players[seat] for seat in game.turn)
    if turn:
        since = phrases.lasting(game.since)
        several = len(game.turn)
        line = ngettext("{name} is on turn", "{name} are on turn", several)
        if since:
            line = ngettext(
                "{name} is on turn, for {time}", "{name} are on turn, for {time}",
                several,
            )  # fmt: skip
        yield line.format(name=turn, time=since)
    yield from _besides(game)


def _awaits(game: table_questions.GameStatus) -> Iterator[str]:
    """Yield whom a table waits for, how far they were asked, and what is asked here."""
    # Whoever is on turn may move while others are away: that is told below.
    goes_on = game.phase == "playing" and game.waiting == ", ".join(game.away)
    if game.waiting and not goes_on:
        yield awaited(game.phase, game.waiting)
    if game.asked:
        yield asked(game.asked)
    if game.mine and not phrases.moves_here(game):
        yield _("you are asked")


def _besides(game: table_questions.GameStatus) -> Iterator[str]:
    """Yield what else is to be known: time, chat, what has not left, who is away."""
    if game.left is not None and game.turn:
        over = game.left <= 0
        line = _("time is over") if over else _("{time} left")
        yield line.format(time=phrases.time_left(game.left))
    for name, seconds in game.off:
        line = _("{name} has days off, for {time}")
        yield line.format(name=name, time=phrases.time_left(seconds))
    yield from _awaits(game)
    if game.unread:
        yield _("{count} unread").format(count=game.unread)
    if game.undelivered:
        yield _("not delivered yet")
    if game.muted:
        yield _("muted")
    if game.away:
        away = ngettext("away: {names}", "away: {names}", len(game.away))
        yield away.format(names=", ".join(game.away))
    if game.blocked:
        yield _("blocked: {names}").format(names=", ".join(game.blocked))


# `netplay offer`: offer the other players something, or answer what they offer.


ANSWERS: Final = ("yes", "no")
WHATS: Final[tuple[What, ...]] = get_args(What)


def add_offer(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "what", choices=(*WHATS, *ANSWERS),
        help="a draw, to stop together, to take back your last turn, days off; "
        "yes or no to what another offers, no to take back your own offer",
    )  # fmt: skip
    parser.add_argument(
        "days",
        nargs="?",
        metavar="DAYS",
        type=whole(),
        default=0,
        help="how many days off",
    )
    parser.add_argument(
        "--seat", type=whole(1), default=0, metavar="N", help="whose offer, from 1"
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    add_table(parser)


def run_offer(arguments: argparse.Namespace) -> int:
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
        agrees, standing = head == "yes", table.offers.standing
        may = [each for one in standing for each in one.asked]
        if not agrees:
            may += [one.seat for one in standing]
        return AnswerOffer(_one(table, seat, may), agrees)
    if head not in WHATS:
        raise LocalError(Code.USAGE, Says.OFFER_WHAT())
    what, days = head, 0
    if what == "days":
        days = int(rest[0]) if rest and rest[0].isdecimal() else 0
        if not 1 <= days <= DAYS_OFF:
            raise LocalError(Code.USAGE, Says.DAYS_OFF_RANGE(most=DAYS_OFF))
    may = [each for each, one in table.offers.may if one == what]
    return MakeOffer(_one(table, seat, may), what, days)


def _one(table: TableStatus, seat: int | None, may: Sequence[int]) -> int:
    """Return the seat that is meant: one of a person here."""
    if seat is not None:
        return seat
    own = table.persons
    if not own:
        raise LocalError(Code.USAGE, Says.NO_SEAT_HERE())
    return next((each for each in own if each in may), own[0])


# `netplay watchers`: who looks on at the game here, and whether they may.


def add_watchers(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "verdict",
        nargs="?",
        choices=("allow", "refuse", "ask", "anybody", "nobody"),
        help="allow or refuse one; or for this game: ask about each, let anybody "
        "watch, let nobody (nothing: only say who is there)",
    )
    parser.add_argument(
        "whom",
        nargs="?",
        metavar="NAME",
        default="",
        help="name or key; not needed if only one asks",
    )
    add_table(parser)


def run_watchers(arguments: argparse.Namespace) -> int:
    """Tell the node, or print who watches."""
    verdict: Literal["allow", "refuse"] | Admission | None = arguments.verdict
    if verdict == "allow" or verdict == "refuse":  # noqa: PLR1714 (so that types follow)
        return ask(AnswerWatcher(verdict == "allow", arguments.whom), arguments.table)
    if verdict is not None:
        return ask(LetWatch(verdict), arguments.table)
    table = meant(node_status(arguments.table))
    if table is None:
        print(_("no table"))
        return 0
    for name in table.watchers:
        print(phrase(Says.WATCHES(name=name)))
    for line in asking(table):
        print(line)
    print(_("who may watch: {who}").format(who=_(table.bystanders)))
    return 0


# `netplay answer`: wait for a host's call.


def add_answer(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--anybody",
        action="store_true",
        help="sit down with the first who calls, whoever it is, without asking",
    )
    parser.add_argument("--off", action="store_true", help="wait no longer")


def run_answer(arguments: argparse.Namespace) -> int:
    """Tell the node to wait; on a terminal, ask of whoever calls."""
    waits = not arguments.off
    question = Answer(on=waits, first=waits and arguments.anybody)
    # Who calls while the command starts is met as well: a friend is sat down with at
    # once, perhaps before the next visit.
    games = node_status().games if waits else ()
    before = frozenset(one.table for one in games if one.mode == "joined")
    code = invite(question, comes=waits)
    if not waits or arguments.anybody:
        return code
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(phrase(Says.YES_BY_ACCEPT()))
        return code
    with suppress(KeyboardInterrupt, EOFError):  # Ctrl-C, Ctrl-D
        return attend(before)
    return code


def attend(before: frozenset[int], answer: Callable[[str], str] = input) -> int:
    """Wait for a call, and ask the player of it where somebody unknown calls.

    Args:
        before: The tables of others at which this node sat before it was to wait.
        answer: Shows a question and returns what was typed.

    Returns:
        0 as soon as this node sits at another's table, or nobody is to be asked.
    """
    print(_("Ctrl-C ends this; the node goes on waiting."))
    refused = set[int]()
    while (number := _next_call(before, refused)) is not None:
        typed = answer(" / ".join((_("Yes"), _("No"))) + ": ").strip().casefold()
        yes = bool(typed) and typed[0] in {"y", _("Yes")[0].casefold()}
        consent(number, accept=yes)
        if yes:
            return 0
        refused.add(number)
    return 0


def _next_call(before: frozenset[int], refused: set[int]) -> int | None:
    """Wait until somebody calls; say who.

    Returns:
        The table of one that the player is to be asked of, None where there is none:
        a friend was sat down with, or the node waits no longer.
    """
    with Visit(home.find(None), pushes=True) as visit:
        # What stands already is looked at first: nothing new may be said of a call
        # that came while the player answered the one before.
        for message in chain([visit.status()], visit.heard(None)):
            if isinstance(message, Notice):
                print(phrase(message.said))  # a key that is new is told so
            if not isinstance(message, Status):
                continue
            for one in message.games:
                if one.mode == "called" and one.table not in refused:
                    names = ", ".join(filter(None, one.players))
                    print(phrase(Says.CALLS_YOU(names=names, game=title_of(one.game))))
                    return one.table
                if one.mode == "joined" and one.table not in before:
                    return None
            if message.mode == "idle":
                return None
    return None


ROWS: Final[Mapping[str, Command]] = {
    "offer": Command(
        HELP=(
            "offer a draw, to stop, to take back a turn, days off; or answer: yes, no"
        ),
        add=add_offer,
        run=run_offer,
    ),
    "watchers": Command(
        HELP="who looks on at the game here; let them, or not",
        add=add_watchers,
        run=run_watchers,
    ),
    "answer": Command(
        HELP=(
            "wait for a host's call: friends are sat down with; of anybody else"
            " you are asked here, or say so by `netplay accept`"
        ),
        add=add_answer,
        run=run_answer,
    ),
}
"""What else is here, beside the command of this name."""

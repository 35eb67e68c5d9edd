"""`netplay plays`: every legal play in a position of another program."""

import argparse
import json
import random  # noqa: TID251 (the rng of a judge; nobody's secret)
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from msgspec.structs import replace

from netplay import drill, home, puzzles
from netplay.commands import Command
from netplay.commands.host import add_option
from netplay.commands.sharing import counted, set_up, whole
from netplay.commands.show import say_damage
from netplay.daemon.computer_players import wished
from netplay.daemon.positions import checked, read_position
from netplay.errors import Code, LocalError
from netplay.formats import cgp
from netplay.formats.meant import meant
from netplay.formats.placing import Faults
from netplay.formats.sheet import from_bytes, is_sheet, shown_names
from netplay.home import Home
from netplay.language import _, decimal, phrase
from netplay.messages.table_questions import TOTAL, Appraisal, Offer, accuracy
from netplay.peering.identity import open_identity
from netplay.players.words.plays import BLANK, Finder, Play
from netplay.players.words.squares import board, limit_blanks, made, rack, word_map
from netplay.players.words.vocabulary import allowing, unwanted
from netplay.puzzles import Puzzle, Stand
from netplay.record import archive
from netplay.review import grading
from netplay.review.appraising import OFFERS, appraise
from netplay.review.grading import Choice, Judged, Turn, compare
from netplay.said import Words, spoken, worded
from netplay.sanitize import visible
from netplay.sentences import Says
from netplay.table.resources import OwnFiles, Shelf, find_edition, find_words
from netplay.text import writer
from netplay.text.phrases import wish
from rules import GAMES, LISTED, editions, networdz
from rules.game import CHANCE, Game, IllegalMoveError, OptionsError, Seat
from rules.networdz import Ground
from rules.networdz.judging import square_name

HELP = "every legal play in a position"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--cgp", required=True, help="the position, as a CGP line")
    parser.add_argument(
        "--edition",
        default="",
        metavar="NAME",
        help="tiles and board (those that the line names, else standard)",
    )
    parser.add_argument(
        "--words",
        default="",
        metavar="FILE",
        help="a word list: its name, a packed graph, or text with one word a line",
    )
    parser.add_argument(
        "--top", type=whole(0), default=10, metavar="N", help="how many to list (10)"
    )
    parser.add_argument(
        "--offensive-words",
        action=argparse.BooleanOptionalAction,
        help="list plays with words that offend, too (as is set; off)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """List the plays."""
    place = home.find(None)
    Shelf(place.words)
    OwnFiles(place).refresh()
    try:
        ground, remarks = _ground(arguments)
        position = cgp.read(arguments.cgp, ground)
    except (cgp.CgpError, Faults) as error:
        raise LocalError(Code.USAGE, spoken(error)) from error
    warnings = [*remarks, *cgp.surplus(position, ground)]
    lying = board(ground, position.letters, position.kinds)
    held = rack(ground, position.racks[0])
    words = word_map(ground.words.digest, ground.edition.longest)
    tried = limit_blanks(held, words.letters)
    if tried.blanks < held.blanks:
        warnings.append(cgp.untried(held.blanks, tried.blanks))
    finder = Finder(lying, tried, words)
    with allowing(words_that_offend=wished(place, arguments.offensive_words)):
        barred = unwanted(ground.words.digest)

    def is_offered(play: Play) -> bool:
        return barred.isdisjoint(map(tuple, made(lying, play)))

    # Legal are all; those with words that offend are counted, but not listed.
    plays = finder.plays()
    plays.sort(key=lambda play: -play.score)
    listed = [
        {"play": _describe(finder, ground, play), "score": play.score}
        for play in islice(filter(is_offered, plays), arguments.top)
    ]
    report: dict[str, Any] = {
        "count": len(plays),
        "sum": sum(play.score for play in plays),
        "best": plays[0].score if plays else 0,
        "top": listed,
    }
    for warning in warnings:
        note = _("note: {text}").format(text=phrase(worded(warning)))
        print(visible(f"netplay plays: {note}"), file=sys.stderr)
    if arguments.json:
        named = {"edition": ground.edition.name, "warnings": [*map(str, warnings)]}
        print(json.dumps(report | named, ensure_ascii=False))
    else:
        heading = _("plays: {count}, points in all: {sum}")
        lines = [heading.format(count=report["count"], sum=report["sum"])]
        lines += [f"{play['score']:5}  {play['play']}" for play in report["top"]]
        print("\n".join(lines))
    return 0


def _ground(arguments: argparse.Namespace) -> tuple[Ground, tuple[str, ...]]:
    """Return what the position is played with, and what is to be said of it.

    Raises:
        LocalError: The edition or the words cannot be read, or are none.
        Faults: The line names what is not here.
    """
    chosen = find_edition(arguments.edition).hex() if arguments.edition else ""
    named = cgp.names(arguments.cgp)
    if arguments.words:
        named = replace(named, words="" if chosen else named.words)
    found = meant(named, chosen)
    edition, digest, remarks = (
        editions.find(found.edition),
        found.lexicon,
        found.remarks,
    )
    if arguments.words:
        digest, remarks = find_words(arguments.words, edition.alphabet).hex(), ()
    options = networdz.Options(edition=edition.digest, lexicon=digest)
    try:
        return networdz.ground(options), remarks
    except OptionsError as error:
        raise LocalError(Code.BAD_WORDS, spoken(error)) from error


def _describe(finder: Finder, ground: Ground, play: Play) -> str:
    """Return a play as other programs write it: `8D WORD`, `D8` for a column.

    Blanks are lower case; letters that lay already stand in parentheses.
    """
    lane, begin = play.window.lane, play.window.begin
    where = square_name(ground, lane.squares[begin], down=lane.down)
    laid = {square: points for square, _, points in finder.tiles(play)}
    text = ""
    for at, index in enumerate(play.word):
        name = ground.alphabet[index]
        points = laid.get(lane.squares[begin + at])
        if points is None:
            text += f"({name})"
        else:
            text += name.lower() if points == BLANK else name
    return f"{where} {text.replace(')(', '')}"


# `netplay analyse`: the best plays of a finished game beside those made.


def add_analyse(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--top", type=whole(1), default=OFFERS, metavar="N", help="plays to name (5)"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="judge each turn at a glance; Numlo and Hexagrams take minutes otherwise",
    )
    parser.add_argument(
        "--offensive-words",
        action=argparse.BooleanOptionalAction,
        help="name plays with words that offend, too (as is set; off)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_analyse(arguments: argparse.Namespace) -> int:
    """Judge turn after turn, and say so at once: each takes a moment."""
    place = home.find(None)
    damage: Words = ""
    data = checked(arguments.file, place)
    if is_sheet(data):
        sheet = from_bytes(data)
        names = shown_names(sheet)
        found: Iterator[Judged] = grading.of_sheet(sheet)
    else:
        position = read_position(data)
        names, damage = tuple(position.fold.names), position.damage
        found = grading.judged(position.fold)
    code = say_damage(arguments.file, damage)
    offensive = wished(place, arguments.offensive_words)
    reports: list[dict[str, Any]] = []
    own, seen = _own(arguments.file, place), list[tuple[Turn, Appraisal]]()
    found_of: dict[int, list[Appraisal]] = {}
    try:
        for turn in counted(_("turns"), found):
            with allowing(words_that_offend=offensive):
                if isinstance(turn, Choice):
                    rng = random.Random(turn.number)  # noqa: S311 (a player's whims are no secret)
                    judged = compare(turn, rng, at_sight=arguments.quick)
                else:
                    judged = appraise(turn, arguments.top, at_sight=arguments.quick)
            if turn.seat in own and isinstance(turn, Turn):
                seen.append((turn, judged))
            found_of.setdefault(turn.seat + 1, []).append(judged)
            reports.append(_report_analyse(judged, names))
            if not arguments.json:
                print("\n".join(_text(judged, names)), flush=True)
    finally:  # who breaks it off keeps what was found, written once
        if seen:
            drill.change(place.path, partial(_with_all, seen=seen))
    for report in reports:
        report["accuracy"] = accuracy(found_of[report["seat"]])
    if arguments.json:
        print(json.dumps(reports, ensure_ascii=False))
    else:
        print("\n".join(_summary(reports, names)))
    return code


def _with_all(missed: drill.Kept, seen: list[tuple[Turn, Appraisal]]) -> drill.Kept:
    """Return the words that `words drill` asks for, with those missed in turns."""
    today = date.today().toordinal()  # noqa: DTZ011 (the player's own day)
    for turn, judged in seen:
        missed = drill.with_missed(missed, turn.before, judged, today)
    return missed


def _own(path: Path, place: Home) -> tuple[int, ...]:
    """Return the seats that persons have played here, of a match of this home."""
    if path.resolve().parent != place.matches.resolve() or not place.key.exists():
        return ()
    with suppress(LookupError):
        found = archive.finished_in(path, open_identity(place).key, bytes.hex)
        return found.own if found else ()
    return ()


def _report_analyse(judged: Appraisal, names: tuple[str, ...]) -> dict[str, Any]:
    alone = len(names) == 1  # nobody to win against
    return {
        "number": judged.number,
        "seat": judged.seat + 1,
        "name": names[judged.seat],
        "played": _offer(judged.played, alone=alone),
        "taken_back": judged.back,
        "best": [_offer(each, alone=alone) for each in judged.best],
        "loss": judged.loss,
        "equity_lost": judged.equity_lost / 100,
        "chance_lost": None if alone else judged.chance_lost / TOTAL,
        "class": judged.grade,
        "why": str(judged.why) if judged.why else "",
        "work": judged.work,
    }


def _offer(offer: Offer, *, alone: bool) -> dict[str, Any]:
    return {
        "play": offer.text,
        "score": offer.points,
        "sums": offer.sums,
        "equity": offer.value / 100,
        "chance": None if alone else offer.chance / TOTAL,
    }


def _text(judged: Appraisal, names: tuple[str, ...]) -> Iterator[str]:
    played, alone = judged.played, len(names) == 1
    loss = f"   ({_grade(judged, alone=alone)})" if judged.chance_lost else ""
    what = played.text  # a move says itself what it scores
    if not played.move:
        what = f"{played.text} = {played.points}" if played.text else _("no play")
    if judged.back:
        what = _("{play}, taken back").format(play=judged.back)
    yield f"{names[judged.seat]}: {what}{loss}"
    if judged.why:
        yield f"      {phrase(judged.why)}"
    yield from (f"      {line}" for line in played.sums)
    for each in judged.best:
        if each.move == played.move != b"":
            continue
        if each.move and not alone:
            yield f"   {each.chance / 100:4.0f} %  {each.text}"
            continue
        value, text = decimal(each.value / 100, "+"), each.text
        if not each.move and sorted(each.laid) == sorted(played.laid):
            text = _("{play} (played)").format(play=text)
        yield f"   {each.points:4}  {value:>6}  {text}"


def _grade(judged: Appraisal, *, alone: bool) -> str:
    """Return what a turn lost, and how bad that is."""
    words = {
        "inaccuracy": _("inaccuracy"),
        "mistake": _("mistake"),
        "blunder": _("blunder"),
    }
    lost = _("{percent} % of the chance to win lost")
    lost = lost.format(percent=decimal(judged.chance_lost / 100))
    if alone:
        lost = _("worth {n} points less")
        lost = lost.format(n=decimal(judged.equity_lost / 100))
    word = words.get(judged.grade, "")
    return f"{word}: {lost}" if word else lost


def _summary(reports: list[dict[str, Any]], names: tuple[str, ...]) -> Iterator[str]:
    for seat, name in enumerate(names, 1):
        mine = [each for each in reports if each["seat"] == seat]
        if not mine:
            continue
        text = _(
            "{name}: turns: {turns}, worse than the best: {worse}, accuracy: {accuracy}"
        )
        share = mine[0]["accuracy"]
        yield text.format(
            name=name,
            turns=len(mine),
            worse=sum(each["class"] != "none" for each in mine),
            accuracy="–" if share is None else f"{decimal(share)} %",
        )


# `netplay puzzle`: a position with one best move, in the terminal.


TODAY: Final = "today"


def add_puzzle(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("game", choices=tuple(LISTED), metavar="GAME")
    parser.add_argument(
        "number", nargs="?", default=TODAY, metavar="NUMBER", help="from 1, or today"
    )
    parser.add_argument(
        "moves", nargs="*", metavar="MOVE", help="your solution, a word a move"
    )


def run_puzzle(arguments: argparse.Namespace) -> int:
    """Show the puzzle, or say whether moves solve it; exits with 1 if they do not."""
    game, text = arguments.game, arguments.number
    count = puzzles.count(game)
    if text == TODAY and count:
        number = puzzles.today(game, date.today())  # noqa: DTZ011 (the user's own day)
    elif text.isdecimal() and 1 <= int(text) <= count:
        number = int(text) - 1
    else:
        title = GAMES[game].ABOUT.title
        raise LocalError(Code.USAGE, Says.NO_PUZZLE(game=title, count=count))
    puzzle = puzzles.find(game, number)
    stand = puzzles.position(game, puzzle)
    if not arguments.moves:
        print(_("Puzzle {n}").format(n=number + 1))
        print(_shown(game, puzzle, stand))
        print(wish(puzzle))
        return 0
    return _tried(game, puzzle, stand, arguments.moves)


def _shown(game: str, puzzle: Puzzle, stand: Stand) -> str:
    """Return the board, with what is in one's own hand."""
    others = iter(("Ben", "Cleo", "Dora"))
    seats = range(puzzle.seats)
    names = [_("You") if seat == puzzle.seat else next(others) for seat in seats]
    view = GAMES[game].view(stand.state, puzzle.seat)
    return writer(game).board(view, names, puzzle.seat)


def _tried(game: str, puzzle: Puzzle, stand: Stand, moves: list[str]) -> int:
    """Say what each of the typed moves is, until one is wrong or all is solved."""
    found = puzzles.Judged.WRONG
    for words in moves:
        try:
            if GAMES[game].ABOUT.hz:
                title = GAMES[game].ABOUT.title
                raise LocalError(Code.USAGE, Says.TOO_FAST_TO_TYPE(game=title))
            view = GAMES[game].view(stand.state, puzzle.seat)
            move = writer(game).read(view, puzzle.seat, words)
            after = GAMES[game].play(stand.state, puzzle.seat, move)
        except IllegalMoveError as error:
            print(f"{words}: {phrase(spoken(error))}")
            return 1
        found = puzzles.judged(game, puzzle, stand, move, after)
        said = {
            puzzles.Judged.SOLVED: _("Solved."),
            puzzles.Judged.ON: _("Right. Go on."),
        }.get(found, _("That is not it."))
        print(f"{words}: {said}")
        if found is not puzzles.Judged.ON:
            break
        stand = puzzles.after_answer(game, puzzle, Stand(after, stand.past, stand.at))
        print(_shown(game, puzzle, stand))
    return 0 if found is puzzles.Judged.SOLVED else 1


# `netplay perft`: the count of leaves at a depth ("perft", from chess programming)
# finds mistakes in the listing and playing of moves that nothing else finds, when it
# is compared with counts found in another way.


def add_perft(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("game", choices=tuple(GAMES), metavar="GAME")
    parser.add_argument("depth", type=whole(), metavar="DEPTH", help="plies")
    add_option(parser, _("one of the game's rules; `seats=N` for how many play"))
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_perft(arguments: argparse.Namespace) -> int:
    """Count and print."""
    game = GAMES[arguments.game]
    options = dict(arguments.option)
    seats = options.pop("seats", "")
    if seats and not (seats.isdecimal() and int(seats) in game.ABOUT.seats):
        low, high = game.ABOUT.seats[0], game.ABOUT.seats[-1]
        detail = Says.SEATS_TAKEN(
            game=game.ABOUT.title, low=low, high=high, seats=seats
        )
        raise LocalError(Code.USAGE, detail)
    if arguments.depth < 0:
        raise LocalError(Code.USAGE, Says.DEPTH_RANGE())
    count = int(seats or game.ABOUT.seats[0])
    _, state = set_up(game, count, options.items())
    nodes = perft(game, settled(game, state), arguments.depth)
    print(json.dumps({"nodes": nodes}) if arguments.json else nodes)
    return 0


@runtime_checkable
class Passing(Protocol):
    """A state of a game in which who cannot move passes without a move of its own."""

    @property
    def passed(self) -> tuple[Seat, ...]:
        """The seats that had no move between the last one and this turn."""
        ...


def settled(game: Game[Any, Any], state: Any) -> Any:  # noqa: ANN401 (any game's)
    """Return the state in which players begin: chance does the first it may."""
    while CHANCE in game.actors(state):
        state = game.play(state, CHANCE, next(game.moves(state, CHANCE)))
    return state


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:  # noqa: ANN401
    """Return the number of different sequences of `depth` plies.

    A forced pass is a ply; a match that has ended earlier has no leaf.

    Args:
        game: Whose rules are to be counted.
        state: Where to start; of all who may move, each one's moves are counted.
        depth: Plies; 0 counts the state itself.
    """
    if depth <= 0:
        return 1
    leaves = 0
    for actor in sorted(game.actors(state)):
        if depth == 1:
            leaves += sum(1 for _ in game.moves(state, actor))
            continue
        for move in game.moves(state, actor):
            after = game.play(state, actor, move)
            passes = len(after.passed) if isinstance(after, Passing) else 0
            leaves += perft(game, after, depth - 1 - passes)
    return leaves


ROWS: Final[Mapping[str, Command]] = {
    "analyse": Command(
        HELP=(
            "each turn of a game that is over, or of a score sheet, beside the"
            " best plays"
        ),
        add=add_analyse,
        run=run_analyse,
    ),
    "perft": Command(
        HELP="count the leaves at a depth, to compare with what others have counted",
        add=add_perft,
        run=run_perft,
    ),
    "puzzle": Command(
        HELP="a puzzle: a position with one best move", add=add_puzzle, run=run_puzzle
    ),
}
"""What else is here, beside the command of this name."""

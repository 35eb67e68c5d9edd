"""`netplay show`: the board of a game's file as text, or the whole match.

Of the whole: who played what, the scores as they grew, how it ended.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from netplay import home
from netplay.commands import Command
from netplay.commands.sharing import add_force, png, spare, whole
from netplay.daemon.finished_matches import draw
from netplay.daemon.positions import (
    after,
    checked,
    number_of,
    position_in,
    read_position,
)
from netplay.errors import Code, LocalError
from netplay.formats import GAME, gcg, matching
from netplay.formats.gcg import GcgError, Taken
from netplay.formats.scoring import replayed
from netplay.formats.sheet import Sheet, from_bytes, is_sheet, shown_names, to_bytes
from netplay.home import Home, write_whole
from netplay.language import _, phrase
from netplay.named_files import RECORD_BYTES, command_memory, read_named
from netplay.record.clocks import timed_out
from netplay.record.clocks import told as told_of_time
from netplay.record.fold import Fold
from netplay.record.views import moments, moves_made, scores
from netplay.said import Said, Words, worded
from netplay.sanitize import clean, visible
from netplay.sentences import Says
from netplay.table.resources import OwnFiles, Shelf, find_edition
from netplay.text import writer
from netplay.text.phrases import resigned
from rules import GAMES
from rules.game import CHANCE, CLOCK
from rules.tiles import Reveal, Show

HELP = "the board of a game's file as text"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    add_entry(parser)
    one = parser.add_mutually_exclusive_group()  # what is told is the same for all
    add_seat(one)
    one.add_argument(
        "--moves", action="store_true", help="every move in words, and the result"
    )


def add_entry(parser: argparse.ArgumentParser) -> None:
    """Take an entry."""
    parser.add_argument(
        "--entry", type=whole(), metavar="N", help="after N entries (all)"
    )


def add_seat(parser: argparse._ActionsContainer) -> None:
    """Take a seat."""
    parser.add_argument(
        "--seat", type=whole(1), default=0, metavar="K", help="as seat K saw it, from 1"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the board."""
    place, path = home.find(None), arguments.file
    with command_memory(path):
        damage: Words = ""
        waited: tuple[Said, ...] = ()
        if arguments.moves:
            data, entries = checked(path, place), arguments.entry
            if is_sheet(data):
                text = of_sheet(from_bytes(data), entries)
            else:
                found = read_position(data)
                damage = found.damage
                if entries is None:
                    text, waited = of_match(found.fold), found.waited
                else:
                    text = of_match(after(found.raws, entries))
        else:
            seen = position_in(path, place, arguments.entry, arguments.seat - 1)
            below = arguments.seat - 1 if arguments.seat else None
            text = writer(seen.game).board(seen.view, seen.names, below)
            damage, waited = seen.damage, seen.waited
    print("\n".join([text, *map(phrase, waited)]))
    return say_damage(arguments.file, damage)


def say_damage(path: Path, damage: Words) -> int:
    """Say what is wrong with a file of which a part was shown; return the exit code."""
    if not damage:
        return 0
    print(visible(phrase(Says.DAMAGED_BUT(path=path, why=damage))), file=sys.stderr)
    return 1


LINE_CHARACTERS: Final = 200
"""Shown of a line of another program's record."""


def of_match(fold: Fold) -> str:
    """Return the transcript of a match, finished or not."""
    lines = [f"{fold.game.ABOUT.title}: {', '.join(fold.names)}", ""]
    lines += _told(fold)
    lines += ["", *_end(fold)]
    return "\n".join(lines)


def _told(fold: Fold) -> Iterator[str]:
    """Yield a line a move, with the score it led to."""
    tell = writer(fold.terms.game).line
    if fold.hz:
        pieces = moves_made(fold.game, fold.state, fold.moves)
        text = _("pieces by seats that each play at their own time: {count}")
        yield text.format(count=pieces)
        return
    number = 0
    for moment in moments(fold):
        if moment.actor == CHANCE and isinstance(moment.move, Reveal | Show):
            continue
        told = tell(moment.before, moment.actor, moment.move, fold.names)
        if moment.actor in {CHANCE, CLOCK}:
            yield f"     {told}"
            continue
        number += 1
        scored = fold.game.ABOUT.scored
        total = (
            ""
            if scored is None
            else f"   [{scored.scores(moment.after)[moment.actor]}]"
        )
        yield f"{number:3}. {told}{total}"


def _end(fold: Fold) -> Iterator[str]:
    """Yield score and place of each seat."""
    counted = scores(fold.game, fold.state)
    if not fold.over:
        yield _("The game is not over.")
    if fold.disputed:
        yield _("The programs differ: the game is unfinished, in dispute.")
    yield from map(phrase, told_of_time(fold))
    late = timed_out(fold.claims, fold.history)
    for seat, name in enumerate(fold.names):
        place = f"{fold.places[seat]}. " if fold.places else ""
        gone = f" {resigned()}" if seat in fold.resigned - late else ""
        gone = " (" + _("out of time") + ")" if seat in late else gone
        yield f"{place}{name}: {counted[seat]}{gone}"


def of_sheet(sheet: Sheet, events: int | None = None) -> str:
    """Return the transcript of a score sheet, or of so many events of it.

    Raises:
        LocalError: BAD_LOG, it contradicts itself; USAGE, it has not so many events.
    """
    players = shown_names(sheet)
    found = replayed(sheet)
    events = number_of(sheet, events)
    heading = f"{GAMES[GAME].ABOUT.title}: {', '.join(players)}"
    last = zip(players, found.positions[events].scores, strict=True)
    totals = [f"{name}: {score}" for name, score in last]
    lines: list[str] = []
    for number, event in enumerate(sheet.events[:events], 1):
        # Anybody may have written it.
        shown = clean(gcg.line(sheet, event).removeprefix(">"), LINE_CHARACTERS)
        lines.append(f"{number:3}. {shown}")
        said = (phrase(worded(text)) for at, text in found.remarks if at == number)
        lines += (f"     ! {text}" for text in said)
    return "\n".join([heading, "", *lines, "", *totals])


# `netplay picture`: the board of a game's file as a picture.


def add_picture(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("picture", type=png, metavar="OUT.png")
    add_entry(parser)
    add_seat(parser)
    add_force(parser)


def run_picture(arguments: argparse.Namespace) -> int:
    """Draw the board."""
    out = spare(arguments.picture, arguments)
    place = home.find(None)
    seen = position_in(arguments.file, place, arguments.entry, arguments.seat - 1)
    seat = arguments.seat - 1 if arguments.seat > 0 else None
    draw(seen, seat, out)
    print(_("drawn to {path}").format(path=out))
    return say_damage(arguments.file, seen.damage)


# `netplay gcg`: the game records of other word-game programs.


def add_gcg(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    one = verbs.add_parser("import", help="make a score sheet of a record")
    one.add_argument("source", type=Path, metavar="FILE.gcg")
    one.add_argument("out", type=Path, metavar="OUT")
    add_force(one)
    one.add_argument(
        "--edition",
        default="",
        metavar="NAME",
        help="tiles and board of the game, whatever the record names",
    )
    one = verbs.add_parser("export", help="write a game or a score sheet as a record")
    one.add_argument("source", type=Path, metavar="FILE")
    one.add_argument("out", type=Path, metavar="OUT.gcg")
    add_force(one)


def run_gcg(arguments: argparse.Namespace) -> int:
    """Do what the verb says."""
    place, out = home.find(None), spare(arguments.out, arguments)
    if arguments.verb == "import":
        taken = _import(arguments.source, place, arguments.edition)
        write_whole(out, to_bytes(taken.sheet))
        read = _(
            "events read into {path}: {count}; `netplay show` and `netplay analyse` "
            "read it"
        )
        print(read.format(path=out, count=len(taken.sheet.events)))
        for line, remark in taken.remarks:
            text = phrase(worded(remark))
            where = _("line {n}: {text}").format(n=line, text=text) if line else text
            print(visible(_("note: {text}").format(text=where)), file=sys.stderr)
        scored = sum("scores" in text for _line, text in taken.remarks)
        if scored > len(taken.sheet.events) // 3:
            doubt = _(
                "so many scores differ that the game may have had other tiles or "
                "another board; --edition says which"
            )
            print(_("note: {text}").format(text=doubt), file=sys.stderr)
        return 0
    damage: Words = ""
    data = checked(arguments.source, place)
    if is_sheet(data):
        sheet = from_bytes(data)
        replayed(sheet)  # what contradicts itself is not passed on
    else:
        found = read_position(data)
        sheet, damage = matching.sheet_of(found.fold), found.damage
    write_whole(out, gcg.write(sheet))
    written = _("events written to {path}: {count}")
    print(written.format(path=out, count=len(sheet.events)))
    return say_damage(arguments.source, damage)


def _import(path: Path, place: Home, edition: str) -> Taken:
    """Return the score sheet of a record.

    Raises:
        LocalError: It cannot be read, or something in it cannot be; the words say on
            which line.
    """
    Shelf(place.words)
    OwnFiles(place).refresh()
    chosen = find_edition(edition).hex() if edition else ""
    try:
        return gcg.take(read_named(path, RECORD_BYTES), chosen)
    except OSError as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error.strerror)) from error
    except GcgError as error:
        raise LocalError(Code.FILE, Says.BESIDE(first=path, other=error)) from error


ROWS: Final[Mapping[str, Command]] = {
    "picture": Command(
        HELP=("the board of a game's file as a picture, drawn as the window draws it"),
        add=add_picture,
        run=run_picture,
    ),
    "gcg": Command(
        HELP="read and write GCG, the game records of other word-game programs",
        add=add_gcg,
        run=run_gcg,
    ),
}
"""What else is here, beside the command of this name."""

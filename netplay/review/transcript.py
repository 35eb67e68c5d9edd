"""A match as text: who played what, the scores as they grew, how it ended."""

from collections.abc import Iterator
from typing import Any, Final

from netplay.formats import GAME, gcg
from netplay.formats.scoring import Replayed, replayed
from netplay.formats.sheet import Sheet, shown_names
from netplay.language import _, phrase
from netplay.record.clocks import timed_out, told
from netplay.record.fold import Fold
from netplay.record.views import moments, moves_made, scores
from netplay.said import worded
from netplay.sanitize import clean
from netplay.text import writer
from netplay.text.phrases import resigned
from rules import GAMES
from rules.game import CHANCE, CLOCK
from rules.tiles import Reveal, Show

LINE_CHARACTERS: Final = 200
"""Shown of a line of another program's record."""


def of_match(fold: Fold) -> str:
    """Return the transcript of a match, finished or not."""
    lines = [f"{fold.game.ABOUT.title}: {', '.join(fold.names)}", ""]
    lines += _moves(fold)
    lines += ["", *_end(fold)]
    return "\n".join(lines)


def _moves(fold: Fold) -> Iterator[str]:
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
        yield f"{number:3}. {told}{_total(fold, moment.after, moment.actor)}"


def _total(fold: Fold, state: Any, seat: int) -> str:  # noqa: ANN401 (any game's)
    """Return a seat's score behind its move, where the game counts points."""
    scored = fold.game.ABOUT.scored
    return "" if scored is None else f"   [{scored.scores(state)[seat]}]"


def _end(fold: Fold) -> Iterator[str]:
    """Yield score and place of each seat."""
    counted = scores(fold.game, fold.state)
    if not fold.over:
        yield _("The match is not over.")
    if fold.disputed:
        yield _("The programs differ: the match is unfinished, in dispute.")
    yield from map(phrase, told(fold))
    late = timed_out(fold.claims, fold.history)
    for seat, name in enumerate(fold.names):
        place = f"{fold.places[seat]}. " if fold.places else ""
        gone = f" {resigned()}" if seat in fold.resigned - late else ""
        gone = " (" + _("out of time") + ")" if seat in late else gone
        yield f"{place}{name}: {counted[seat]}{gone}"


def of_sheet(sheet: Sheet) -> str:
    """Return the transcript of a score sheet.

    Raises:
        LocalError: BAD_LOG, it contradicts itself.
    """
    players = shown_names(sheet)
    found = replayed(sheet)
    heading = f"{GAMES[GAME].ABOUT.title}: {', '.join(players)}"
    last = zip(players, found.positions[-1].scores, strict=True)
    totals = [f"{name}: {score}" for name, score in last]
    return "\n".join([heading, "", *_events(found, sheet), "", *totals])


def _events(found: Replayed, sheet: Sheet) -> Iterator[str]:
    for number, event in enumerate(sheet.events, 1):
        yield f"{number:3}. {_shown(gcg.line(sheet, event))}"
        said = (phrase(worded(text)) for at, text in found.remarks if at == number)
        yield from (f"     ! {text}" for text in said)


def _shown(line: str) -> str:
    """Return a line of a record as it is shown: anybody may have written it."""
    return clean(line.removeprefix(">"), LINE_CHARACTERS)

"""Check the file of a score sheet: what a verdict can say of what nobody signed."""

from netplay.errors import LocalError
from netplay.formats import GAME, replaying
from netplay.formats.placing import Faults
from netplay.formats.scoring import TURNS
from netplay.formats.sheet import from_bytes
from netplay.record.verify import Finding, Verdict
from netplay.said import chained, spoken, worded
from netplay.sentences import Says
from rules.game import IllegalMoveError, OptionsError
from rules.sentence import sentence

UNSIGNED = sentence("none: a score sheet, which nobody has signed")
"""In place of an audit."""


def verify(data: bytes) -> Verdict:
    """Check a score sheet: all of it is played and counted again.

    Args:
        data: The whole file.
    """
    try:
        sheet = from_bytes(data)
    except LocalError as error:
        return Verdict("bad", "", 0, 0, (), "", error.said)
    events = len(sheet.events)
    moves = sum(event.kind in TURNS for event in sheet.events)
    try:
        found = replaying.replay(sheet)
    except OptionsError as error:
        return Verdict("unknown", GAME, events, moves, (), "", spoken(error))
    except (Faults, IllegalMoveError) as error:
        return Verdict("bad", GAME, events, moves, (), "", spoken(error))
    last = found.positions[-1]
    places = _places(last.scores) if last.over else ()
    odd = chained(
        [Says.SHEET_EVENT(number=n, why=worded(why)) for n, why in found.remarks]
    )
    verdict: Finding = "good" if last.over else "unfinished"
    return Verdict(verdict, GAME, events, moves, places, UNSIGNED, odd)


def _places(scores: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 + sum(other > own for other in scores) for own in scores)

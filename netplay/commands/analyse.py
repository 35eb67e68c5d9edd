"""`netplay analyse`: the best plays of a finished match beside those made."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from netplay import home
from netplay.commands.numbers import whole
from netplay.commands.show import told
from netplay.daemon.positions import checked, opened
from netplay.daemon.word_choice import wished
from netplay.formats.sheet import from_bytes, is_sheet, shown_names
from netplay.home import Home
from netplay.language import _
from netplay.messages.review import Appraisal, Offer
from netplay.players.words.offensive import allowing
from netplay.review import turns
from netplay.review.appraising import OFFERS, appraise
from netplay.review.turns import Turn
from netplay.said import Words

HELP = "each turn of a match that is over, or of a score sheet, beside the best plays"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--top", type=whole(1), default=OFFERS, metavar="N", help="plays to name (5)"
    )
    parser.add_argument(
        "--offensive-words",
        action=argparse.BooleanOptionalAction,
        help="name plays with words that offend, too (as is set; off)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Judge turn after turn, and say so at once: each takes a moment."""
    place = home.find(None)
    names, found, damage = _turns(arguments.file, place)
    code = told(arguments.file, damage)
    offensive = wished(place, arguments.offensive_words)
    reports: list[dict[str, Any]] = []
    for turn in found:
        with allowing(words_that_offend=offensive):
            judged = appraise(turn, arguments.top)
        reports.append(_report(judged, names))
        if not arguments.json:
            print("\n".join(_text(judged, names)), flush=True)
    if arguments.json:
        print(json.dumps(reports, ensure_ascii=False))
    else:
        print("\n".join(_summary(reports, names)))
    return code


def _turns(path: Path, place: Home) -> tuple[tuple[str, ...], Iterator[Turn], Words]:
    """Return names and turns of a match or a score sheet, and what is damaged."""
    data = checked(path, place)
    if is_sheet(data):
        sheet = from_bytes(data)
        return shown_names(sheet), turns.of_sheet(sheet), ""
    fold, damage = opened(data)[1:]
    return tuple(fold.names), turns.of_match(fold), damage


def _report(judged: Appraisal, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "number": judged.number,
        "seat": judged.seat + 1,
        "name": names[judged.seat],
        "played": _offer(judged.played),
        "best": [_offer(each) for each in judged.best],
        "loss": judged.loss,
    }


def _offer(offer: Offer) -> dict[str, Any]:
    return {"play": offer.text, "score": offer.points, "sums": offer.sums}


def _text(judged: Appraisal, names: tuple[str, ...]) -> Iterator[str]:
    played = judged.played
    less = _("{n} less than the best").format(n=judged.loss)
    loss = f"   ({less})" if judged.loss else ""
    what = f"{played.text} = {played.points}" if played.text else _("no play")
    yield f"{names[judged.seat]}: {what}{loss}"
    yield from (f"      {line}" for line in played.sums)
    for each in judged.best:
        yield f"   {each.points:4}  {each.text}"


def _summary(reports: list[dict[str, Any]], names: tuple[str, ...]) -> Iterator[str]:
    for seat, name in enumerate(names, 1):
        missed = [each["loss"] for each in reports if each["seat"] == seat]
        text = _("{name}: turns: {turns}, points below the best plays: {points}")
        yield text.format(name=name, turns=len(missed), points=sum(missed))

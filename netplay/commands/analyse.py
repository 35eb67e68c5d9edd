"""`netplay analyse`: the best plays of a finished match beside those made."""

import argparse
import json
import random  # noqa: TID251 (the rng of a judge; nobody's secret)
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from netplay import home
from netplay.commands.progress import counted
from netplay.commands.sharing import whole
from netplay.commands.show import told
from netplay.daemon.computer_players import wished
from netplay.daemon.positions import checked, opened
from netplay.formats.sheet import from_bytes, is_sheet, shown_names
from netplay.home import Home
from netplay.language import _, decimal, phrase
from netplay.messages.table_questions import TOTAL, Appraisal, Offer, accuracy
from netplay.players.words.offensive import allowing
from netplay.review import grading
from netplay.review.appraising import OFFERS, appraise
from netplay.review.grading import Choice, Judged, compare
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
    for turn in counted(_("turns"), found):
        with allowing(words_that_offend=offensive):
            judged = _judge(turn, arguments.top)
        reports.append(_report(judged, names))
        if not arguments.json:
            print("\n".join(_text(judged, names)), flush=True)
    for report in reports:
        report["accuracy"] = _accuracy(reports, report["seat"])
    if arguments.json:
        print(json.dumps(reports, ensure_ascii=False))
    else:
        print("\n".join(_summary(reports, names)))
    return code


def _turns(path: Path, place: Home) -> tuple[tuple[str, ...], Iterator[Judged], Words]:
    """Return names and turns of a match or a score sheet, and what is damaged."""
    data = checked(path, place)
    if is_sheet(data):
        sheet = from_bytes(data)
        return shown_names(sheet), grading.of_sheet(sheet), ""
    _, fold, damage, _ = opened(data)
    return tuple(fold.names), grading.judged(fold), damage


def _judge(turn: Judged, top: int) -> Appraisal:
    """Return a turn beside the best there was."""
    if isinstance(turn, Choice):
        rng = random.Random(turn.number)  # noqa: S311 (a player's whims are no secret)
        return compare(turn, rng)
    return appraise(turn, top)


def _accuracy(reports: list[dict[str, Any]], seat: int) -> float | None:
    """Return how well a seat has played, 0 to 100."""
    lost = [
        round(TOTAL * each["chance_lost"]) for each in reports if each["seat"] == seat
    ]
    return accuracy(lost)


def _report(judged: Appraisal, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "number": judged.number,
        "seat": judged.seat + 1,
        "name": names[judged.seat],
        "played": _offer(judged.played),
        "best": [_offer(each) for each in judged.best],
        "loss": judged.loss,
        "equity_lost": judged.equity_lost / 100,
        "chance_lost": judged.chance_lost / TOTAL,
        "class": judged.grade,
        "why": str(judged.why) if judged.why else "",
        "work": judged.work,
    }


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "play": offer.text,
        "score": offer.points,
        "sums": offer.sums,
        "equity": offer.value / 100,
        "chance": offer.chance / TOTAL,
    }


def _text(judged: Appraisal, names: tuple[str, ...]) -> Iterator[str]:
    played = judged.played
    loss = f"   ({_grade(judged)})" if judged.chance_lost else ""
    what = f"{played.text} = {played.points}" if played.text else _("no play")
    yield f"{names[judged.seat]}: {what}{loss}"
    if judged.why:
        yield f"      {phrase(judged.why)}"
    yield from (f"      {line}" for line in played.sums)
    for each in judged.best:
        yield f"   {each.points:4}  {each.value / 100:+6.1f}  {each.text}"


def _grade(judged: Appraisal) -> str:
    """Return what a turn lost, and how bad that is."""
    words = {
        "inaccuracy": _("inaccuracy"),
        "mistake": _("mistake"),
        "blunder": _("blunder"),
    }
    lost = _("{percent} % of the chance to win lost")
    lost = lost.format(percent=decimal(judged.chance_lost / 100))
    word = words.get(judged.grade, "")
    return f"{word}: {lost}" if word else lost


def _summary(reports: list[dict[str, Any]], names: tuple[str, ...]) -> Iterator[str]:
    for seat, name in enumerate(names, 1):
        mine = [each for each in reports if each["seat"] == seat]
        if not mine:
            continue
        text = _(
            "{name}: turns: {turns}, worse than the best: {worse}, accuracy: "
            "{accuracy} %"
        )
        yield text.format(
            name=name,
            turns=len(mine),
            worse=sum(each["class"] != "none" for each in mine),
            accuracy=_accuracy(reports, seat),
        )

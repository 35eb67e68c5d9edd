"""Mistakes of the player's own as puzzles: offered days later, until found twice.

The review finds them, and how well the player has played on the whole; both are kept
with the settings of the window.  Nothing of it is sent to anybody.
"""

from base64 import b85decode, b85encode
from datetime import date
from functools import cache, partial
from typing import Any, Final, TypeVar
from zlib import compress, decompress, error

from msgspec.structs import replace

from client.app import board
from client.app.board import AnyMove, AnyState, Step
from client.app.lessons import Learning, Lesson, Position, Task, Verdict
from client.app.settings import Mistake, Reviewed, Settings
from client.ui import texts
from client.ui.texts import _
from netplay import wire
from netplay.errors import PeerError
from netplay.messages.table_questions import Appraisal, Offer, accuracy
from rules import GAMES, editions, lexicon
from rules.game import played_alone

AFTER: Final = (2, 5)
"""Days until a mistake is offered, and until it is offered again once it was found."""

KEPT: Final = 24
"""Mistakes of a game that are kept, the latest."""

GAMES_KEPT: Final = 1000
"""Matches of which it is kept how well the player has played."""

NEAR: Final = 100
"""A move so many ten-thousandths of the chance to win below the best is as good."""

BINGO: Final = "++"
"""Begins the line of a play's sums that tells of a whole rack laid."""


# What the review has found.


def is_bingo(offer: Offer) -> bool:
    """Tell whether a play laid a whole rack."""
    return any(line.startswith(BINGO) for line in offer.sums)


def is_puzzle(found: Appraisal) -> bool:
    """Tell whether a turn can be asked for again: a mistake, with the better move."""
    if found.at_sight or found.grade not in {"mistake", "blunder"} or not found.best:
        return False  # what was better may also be an exchange, which is not listed
    return found.best[0].chance - found.played.chance >= found.chance_lost - NEAR


def with_mistake(
    own: Settings, game: str, match: bytes, before: AnyState, found: Appraisal, day: int
) -> Settings:
    """Return the settings with a mistake kept.

    Args:
        own: The settings.
        game: Which.
        match: Where it was made.
        before: What the player knew before the move.
        found: What is known of the move.
        day: Today.
    """
    name, number = match.hex(), found.number
    if any((each.match, each.number) == (name, number) for each in own.mistakes):
        return own
    fewer = replace(found, best=found.best[:3])
    fresh = Mistake(game, name, number, _line(before), _line(fewer), day + AFTER[0])
    kept = [each for each in own.mistakes if each.game == game][-KEPT + 1 :]
    others = [each for each in own.mistakes if each.game != game]
    return replace(own, mistakes=(*others, *kept, fresh))


def with_figures(
    own: Settings, game: str, match: bytes, turns: list[Appraisal], day: int
) -> Settings:
    """Return the settings with how well the player has played in a match.

    Args:
        own: The settings.
        game: Which.
        match: Which match.
        turns: All turns of the player's own.
        day: When it was played.
    """
    share = accuracy(turns)
    if share is None:
        return own
    missed = sum(
        not is_bingo(each.played) and any(map(is_bingo, each.best)) for each in turns
    )
    points = sum(each.played.points for each in turns)
    fresh = Reviewed(
        match.hex(), game, day, round(10 * share), len(turns), points, missed
    )
    before = [each for each in own.reviewed if each.match == fresh.match]
    if before:  # thought out since: the day stays
        fresh = replace(fresh, day=before[0].day)
    rest = [each for each in own.reviewed if each.match != fresh.match]
    every = sorted([*rest, fresh], key=lambda each: each.day)
    return replace(own, reviewed=tuple(every[-GAMES_KEPT:]))


T = TypeVar("T")


def _line(value: object) -> str:
    return b85encode(compress(wire.pack(value), 9)).decode("ascii")


def _read(line: str, kind: type[T]) -> T:
    found: T = wire.unpack(decompress(b85decode(line)), kind)
    return found


@cache
def _before(mistake: Mistake) -> AnyState:
    state: Any = _read(mistake.position, GAMES[mistake.game].ABOUT.state)
    return state


@cache
def judgement(mistake: Mistake) -> Appraisal:
    """Return what is known of a move."""
    return _read(mistake.judged, Appraisal)


# The puzzles.


def of(own: Settings, game: str) -> list[Mistake]:
    """Return the mistakes of a game that can be shown here."""
    return [each for each in own.mistakes if each.game == game and _is_here(each)]


def _is_here(mistake: Mistake) -> bool:
    """Tell whether a mistake can be read, its edition and its word list included."""
    try:
        about = GAMES[mistake.game].ABOUT
        state, _found = _before(mistake), judgement(mistake)
        # Not every game's state keeps the options; one that uses words does.
        digests = about.digests(state.options) if about.resources else {}
        for resource, digest in digests.items():
            book = editions if resource == "edition" else lexicon
            book.find(digest)
    except (LookupError, PeerError, ValueError, error):
        return False  # kept by another version, or its words are not here
    return True


def lacking(own: Settings) -> bool:
    """Tell whether a mistake needs an edition or words that this window lacks."""
    return not all(map(_is_here, own.mistakes))


def due(own: Settings, game: str, day: int) -> list[int]:
    """Return the places of the mistakes of a game that are offered today."""
    return [
        at
        for at, each in enumerate(of(own, game))
        if each.due <= day and each.found < len(AFTER)
    ]


def without_learned(own: Settings) -> Settings:
    """Return the settings without the mistakes that were found often enough."""
    left = tuple(each for each in own.mistakes if each.found < len(AFTER))
    return replace(own, mistakes=left)


def listed(own: Settings, game: str) -> tuple[Lesson, ...]:
    """Return the mistakes of a game as lessons, in the language of the window."""
    return tuple(_lesson(at, each) for at, each in enumerate(of(own, game)))


def _lesson(at: int, mistake: Mistake) -> Lesson:
    found = judgement(mistake)
    lost = _("That lost {percent} % of your chance to win.")
    lost = lost.format(percent=texts.decimal(found.chance_lost / 100))
    if played_alone(GAMES[mistake.game], _before(mistake)):
        lost = _("It was worth {n} points less than the best one.")
        lost = lost.format(n=texts.decimal(found.equity_lost / 100))
    return Lesson(
        _("Your mistake {n}").format(n=at + 1),
        f"{_done(mistake, found)} {lost}",
        partial(_position, mistake),
        Task(_("Find the better move."), _undecided, "", "-"),
    )


def _done(mistake: Mistake, found: Appraisal) -> str:
    """Return what the player did, in a sentence."""
    told, letters = _told(mistake, found.played), found.played.text[1:]
    if found.back:
        told = _("{play}, taken back").format(play=found.back)
    elif not found.played.move and not found.played.text:
        return _("You made no play.")
    elif found.played.text.startswith("-") and letters:
        return _("You exchanged {letters}.").format(letters=letters)
    return _("You played {move}.").format(move=told)


def _undecided(_before: AnyState, _move: AnyMove, _after: AnyState) -> None:
    """Judge nothing: `judged` does, which knows what was better."""


@cache
def _position(mistake: Mistake) -> Position:
    return Position(_before(mistake), judgement(mistake).seat)


def _told(mistake: Mistake, offer: Offer) -> str:
    """Return a move in words."""
    if not offer.move:
        return f"{offer.text} ({offer.points})" if offer.text else _("no play")
    about, module = GAMES[mistake.game].ABOUT, board.find(mistake.game)
    step = Step(
        _before(mistake), judgement(mistake).seat, wire.unpack(offer.move, about.move)
    )
    return module.tell(step, ("",) * max(about.seats)).strip(" :")


def verdict(game: str, found: Appraisal, move: AnyMove) -> tuple[str, bool]:
    """Return what is said of a move tried for a better one, and whether that was it.

    Args:
        game: Which.
        found: What is known of the move that was made.
        move: The one tried.
    """
    analysed = board.find(game).TRAITS.analysed
    same = [
        offer
        for offer in found.best
        if analysed is not None and analysed.same(offer, move)
    ]
    if not same:
        return _("There is a better one."), False
    tried, best, played = same[0], found.best[0], found.played
    if tried == best or tried.chance >= best.chance - NEAR > played.chance:
        return _("Yes, that is the better move."), True
    if tried.chance > played.chance:
        return _("Better than what was played; there is a better one still."), False
    return _("There is a better one."), False


def judged(own: Settings, now: Learning, move: AnyMove) -> Verdict:
    """Return what a legal move is, in words."""
    mistake = of(own, now.game)[now.at]
    said, done = verdict(now.game, judgement(mistake), move)
    return Verdict(done=done, said=said)


def solution(own: Settings, now: Learning) -> Learning:
    """Return a mistake with the better move on the board, and why it is better."""
    mistake = of(own, now.game)[now.at]
    found, analysed = judgement(mistake), board.find(now.game).TRAITS.analysed
    assert analysed is not None  # only such games have mistakes
    state = analysed.laid(_before(mistake), found.seat, found.best[0])
    said = _told(mistake, found.best[0])
    if found.why:
        said = f"{said}: {texts.phrase(found.why)}"
    return replace(now, state=state, done=True, shown=True, said=said)


# What is remembered of them.


def with_result(own: Settings, now: Learning, day: int, *, found: bool) -> Settings:
    """Return the settings after the better move was found, or not.

    Found counts once a day, and only at the first go; else it comes again tomorrow.
    """
    mistake = of(own, now.game)[now.at]
    if mistake.due > day:
        return own
    times = mistake.found + found
    later = AFTER[min(times, len(AFTER) - 1)] if found else 1
    fresh = replace(mistake, found=times, due=day + later)
    kept = tuple(fresh if each == mistake else each for each in own.mistakes)
    return replace(own, mistakes=kept)


def again(own: Settings, now: Learning, day: int) -> str:
    """Return when a mistake comes again."""
    mistake = of(own, now.game)[now.at]
    if mistake.found >= len(AFTER):
        return _("Found twice: it does not come again.")
    if mistake.due <= day:
        return ""
    text = _("It comes again on {day}.")
    return text.format(day=date.fromordinal(max(1, mistake.due)))

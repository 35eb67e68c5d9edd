"""A finished match of a home: with whom it was played, how it ended, and when."""

from collections.abc import Callable, Sequence
from pathlib import Path

from netplay.errors import NetplayError
from netplay.messages.finished import Finished, Friend, Result
from netplay.messages.table import Terms
from netplay.record.copies import read_copy
from netplay.record.fold import Fold
from netplay.record.lapses import timed_out
from netplay.record.ledger import read_terms
from netplay.record.log import match_of
from netplay.record.saved import ended, written
from netplay.record.store import SECRETS
from netplay.record.verify import lacking, replay
from netplay.sanitize import shown_name
from rules.game import IllegalMoveError


def is_over(path: Path) -> bool:
    """Tell whether the secrets beside the file of a match say that it is over."""
    return ended(path.with_suffix(SECRETS)).standing == "over"


def read(path: Path, me: bytes, sign: Callable[[bytes], str]) -> Finished | None:
    """Return how a match has ended; None if its file does not tell.

    Args:
        path: Of the file.
        me: This node's key.
        sign: Returns what a key is shown as.

    Raises:
        LookupError: Its rules, its edition or its words are not here; see `untold`.
    """
    try:
        entries = read_copy(path).entries
        terms = read_terms(entries[0])
        if missing := lacking(terms):
            raise LookupError(str(missing))
        fold = replay(entries)
    except (NetplayError, IllegalMoveError, IndexError):
        return None
    return _told(path, me, sign, terms, fold) if fold.over else None


def _told(
    path: Path, me: bytes, sign: Callable[[bytes], str], terms: Terms, fold: Fold
) -> Finished:
    """Return how a match has ended."""
    holders = fold.holders
    here = _here(holders, me)
    own = [
        n
        for n, seat in enumerate(terms.seats)
        if holders[n] == here and seat.kind == "person"
    ]
    scored = fold.game.ABOUT.scored
    return Finished(
        match=match_of(terms),
        path=str(path),
        game=terms.game,
        players=tuple(map(shown_name, fold.names)),
        places=fold.places,
        scores=() if scored is None else scored.scores(fold.state),
        own=tuple(own),
        friends=_friends(holders, fold.names, me, sign),
        result=_result(fold, own),
        at=int(written(path)),
    )


def _result(fold: Fold, own: Sequence[int]) -> Result:
    """Return how a match has ended for some of its seats."""
    if fold.claims.contested:
        return "contested"
    if fold.ended == "stop":
        return ""
    return on_time(result_of(fold.places, own), fold)


def on_time(result: Result, fold: Fold) -> Result:
    """Return a result as one on time, if that of somebody was over and ended it."""
    moves = [past.actor for past in fold.history if past.actor >= 0]
    if not moves or moves[-1] not in timed_out(fold.claims, fold.history):
        return result
    on_time_: dict[Result, Result] = {"won": "won on time", "lost": "lost on time"}
    return on_time_.get(result, result)


def untold(path: Path, me: bytes, sign: Callable[[bytes], str]) -> Finished | None:
    """Return a match that is over but cannot be replayed here: who played, no more."""
    try:
        terms = read_terms(read_copy(path).entries[0])
    except (NetplayError, IndexError):
        return None
    holders = [terms.members[seat.member].key for seat in terms.seats]
    names = [seat.name for seat in terms.seats]
    return Finished(
        match=match_of(terms),
        path=str(path),
        game=shown_name(terms.game),
        players=tuple(map(shown_name, names)),
        places=(),
        scores=(),
        own=(),
        friends=_friends(holders, names, me, sign),
        result="",
        at=int(written(path)),
    )


def _here(holders: Sequence[bytes], me: bytes) -> bytes:
    """Return the key that plays here: a match at one computer has one of its own."""
    return me if me in holders or len(set(holders)) > 1 else holders[0]


def _friends(
    holders: Sequence[bytes],
    names: Sequence[str],
    me: bytes,
    sign: Callable[[bytes], str],
) -> tuple[Friend, ...]:
    """Return who played at other nodes, each once."""
    found: dict[str, Friend] = {}
    here = _here(holders, me)
    for key, name in zip(holders, names, strict=True):
        if key != here:
            found.setdefault(sign(key), Friend(sign(key), shown_name(name)))
    return tuple(found.values())


def result_of(places: Sequence[int], own: Sequence[int]) -> Result:
    """Return how a match ended for some of its seats."""
    if not places or not own or len(own) == len(places):
        return ""
    best = min(places[seat] for seat in own)
    rest = min(place for seat, place in enumerate(places) if seat not in own)
    if best == rest:
        return "tied"
    return "won" if best < rest else "lost"

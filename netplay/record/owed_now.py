"""Who owes a match what, and when something came of them last: in words, by the log."""

from collections.abc import Iterator

from netplay.record.fold import Fold
from netplay.record.log import Log
from netplay.said import Said
from netplay.sentences import Says


def owed_now(fold: Fold, log: Log) -> tuple[Said, ...]:
    """Return, of a match that is not over, what it waits for and of whom.

    Times are the host's, who may delay what others say; that it came is signed by them.
    """
    if fold.over or fold.hz or len(fold.members) < 2 or not fold.number:
        return ()
    return tuple(_owed(fold, log))


def _owed(fold: Fold, log: Log) -> Iterator[Said]:
    """Yield a line a seat that is waited for."""
    for seat in sorted(fold.overdue()):
        key, name, what = fold.holders[seat], fold.names[seat], _what(fold, seat)
        last = next((n for n in reversed(log.lines) if n.entry.author == key), None)
        if last is None:
            yield Says.OWES_FIRST(name=name, what=what)
            continue
        seconds = last.entry.at // 1000
        time = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        yield Says.OWES(name=name, what=what, number=last.entry.number, time=time)


def _what(fold: Fold, seat: int) -> Said:
    """Return what a seat's player is to say next."""
    key, bag = fold.holders[seat], fold.bag
    if seat not in fold.withholding:
        return Says.OWED_TURN()
    if bag is None or not bag.owes(key, fold.owners()):
        return Says.OWED_CHANCE()
    if key in bag.holders and key not in bag.masks:
        return Says.OWED_KEY()
    wanted = bag.wanted()
    if wanted is not None and wanted.mixer == key:
        return Says.OWED_MIXING()
    if key in bag.awaited or key in bag.lacks_spare():
        return Says.OWED_SPARE()
    return Says.OWED_TILES()

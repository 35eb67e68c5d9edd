"""What `verify` has to say of a match file at each of its prefixes.

Who is out of step, and whether the match is in dispute, is worked out here by section
12 of protocol.md.  The positions themselves are the program's, asked one by one.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from netplay.messages.log import Clock, Late, Position, Turn, Wish
from netplay.record.store import whole
from netplay.record.verify import Replay, Verdict, verify
from tests.simulation.book import Page, is_after, quorum, resigns

BETWEEN: Final = 40
"""Entries from one prefix to the next that is verified though nothing changed."""


def check(pages: Sequence[Page], who: str) -> int:
    """Check the verdict on a file as it grew; return how many were asked for.

    Raises:
        AssertionError: A verdict is not what it has to be.
    """
    count = 0
    before: tuple[str, frozenset[int]] = "", frozenset()
    for page, disputed, done in _grown(pages):
        fold = done.fold
        assert fold is not None
        at = f"{who}, behind entry {page.entry.number}"
        assert fold.disputed == disputed, f"{at}: in dispute"
        over = fold.over or bool(page.ended)
        assert fold.over == over, f"{at}: over"
        no_places = disputed or not over or fold.claims.contested
        assert bool(fold.places) != no_places, f"{at}: places"
        now = f"{disputed} {over}", fold.resigned
        if now != before or page.number % BETWEEN == 0 or page is pages[-1]:
            found = verify(whole(each.raw for each in pages[: page.number]))
            _check_one(found, page, at, open_end=disputed or not over)
            assert found.disputed == disputed, f"{at}: {found}"
            assert bool(found.places) != no_places, f"{at}: {found}"
            count += 1
        before = now
    return count


def _check_one(found: Verdict, page: Page, at: str, *, open_end: bool) -> None:
    assert found.entries == page.number, f"{at}: {found}"
    wanted = {"unfinished"} if open_end else {"good", "unaudited"}
    assert found.verdict in wanted, f"{at}: {found}"
    if found.verdict == "good":
        assert found.audit == "ok", f"{at}: {found}"
    if found.disputed or found.verdict == "unaudited":
        assert found.reason, f"{at}: nobody is told why"


def _grown(pages: Sequence[Page]) -> Iterator[tuple[Page, bool, Replay]]:
    """Yield each entry, whether the match is in dispute behind it, and the replay."""
    done = Replay()
    claimed, apart = False, set[bytes]()
    said: dict[bytes, set[bytes]] = {}
    for page in pages:
        fold, body = done.fold, page.body
        here = b"" if fold is None else fold.digest()
        ended = fold is not None and fold.over
        done.on_entry(page.raw)
        author = page.entry.author
        if page.before is not None and _is_compared(page.before, page):
            assert isinstance(body, Turn | Clock | Late | Wish | Position)
            if body.state == here:
                apart.discard(author)
            elif not (ended and here in said.get(author, ())):  # D7
                apart.add(author)
            if isinstance(body, Position):
                said.setdefault(author, set()).add(body.state)
        electors = page.electors
        claimed = claimed or isinstance(body, Late)
        if claimed:  # the book does not follow claims, by which a seat may be lost
            assert done.fold is not None
            electors = done.fold.electors
        out = apart & electors
        left = len(electors) - len(out)
        yield page, bool(out) and left < quorum(len(electors)), done


def _is_compared(before: Page, page: Page) -> bool:
    """Tell whether an entry says in which position it was made (D1)."""
    body = page.body
    match body:
        case Turn() if resigns(page.terms, body.move):
            return False
        case Turn() | Late() | Wish() | Position():
            return not page.wrong and is_after(before, body.after)
        case Clock():
            return not page.wrong
        case _:
            return False

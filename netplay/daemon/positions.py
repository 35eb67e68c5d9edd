"""Look at a match or a score sheet: a position, as a seat or a bystander saw it."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from netplay.errors import Code, LocalError, PeerError
from netplay.formats import GAME, gcg, scoring
from netplay.formats.sheet import Sheet, from_bytes, is_sheet, shown_names
from netplay.home import Home
from netplay.limits import MATCH_BYTES
from netplay.named_files import read_named
from netplay.record.chance import Round
from netplay.record.clocks import waited_for
from netplay.record.fold import Fold
from netplay.record.ledger import read_terms
from netplay.record.store import MAGIC, DamageError, copy_of
from netplay.record.verify import Replay, lacking, replay
from netplay.record.views import Whole
from netplay.said import Said, Words, spoken
from netplay.sentences import Says
from netplay.table.enclosed_files import take_along
from netplay.table.resources import Shelf
from rules.game import IllegalMoveError

EVERYBODY = -1
"""In place of a seat: what a bystander sees."""


class Position(NamedTuple):
    """A position of a match."""

    game: str
    names: tuple[str, ...]
    view: Any
    """The state as the seat, or a bystander, knows it."""
    edition: bytes
    """Digest; empty for a game without."""
    lexicon: bytes
    damage: Words = ""
    """What is wrong with the file and where; empty if nothing is."""
    waited: tuple[Said, ...] = ()
    """At the end of a match that is not over: who owes what, and has sent what."""


class Opened(NamedTuple):
    """A match file, as far as it is good."""

    raws: tuple[bytes, ...]
    fold: Fold
    """The public state after all of them."""
    damage: Words
    """What is wrong with the file and where; empty if nothing is."""
    waited: tuple[Said, ...]
    """Of a match that is not over: who owes what, and what each has sent."""


def position_in(path: Path, home: Home, entries: int | None, seat: int) -> Position:
    """Return a position of a match file or of a score sheet.

    Args:
        path: The file.
        home: Where editions and word lists that do not come with the program lie.
        entries: How many entries, or events of a sheet, to play; None for all.
        seat: Whose view, or `EVERYBODY`.

    Raises:
        LocalError: It cannot be read, or there is no such entry or seat.
        PeerError: Nothing of it is good, or it is neither.
    """
    data = checked(path, home)
    if is_sheet(data):
        sheet = from_bytes(data)  # it hides nothing from anybody
        number, played = number_of(sheet, entries, seat), scoring.replayed(sheet)
        state = scoring.state(played.sheet, played.positions[number], number)
        edition, words = bytes.fromhex(sheet.edition), bytes.fromhex(sheet.lexicon)
        return Position(GAME, shown_names(sheet), state, edition, words)
    found = read_position(data)
    seen = position_of(found.raws, entries, seat)._replace(damage=found.damage)
    return seen._replace(waited=found.waited) if entries is None else seen


def number_of(sheet: Sheet, entries: int | None, seat: int = EVERYBODY) -> int:
    """Return after how many events of a sheet is meant, None for all.

    Raises:
        LocalError: USAGE, it has no such event or seat.
    """
    last, players = len(sheet.events), len(sheet.players)
    number = last if entries is None else entries
    if not 0 <= number <= last or seat >= players:
        detail = Says.NO_SUCH_EVENT(last=last, players=players)
        raise LocalError(Code.USAGE, detail)
    return number


def read_position(data: bytes) -> Opened:
    """Return a match file, as far as it is good.

    Raises:
        PeerError: Nothing of it is, or it is no match file.
        LocalError: FILE, what it was played by is not here; BAD_LOG, not even its
            beginning can be played.
    """
    copy, done, good = copy_of(data), Replay(), 0
    damage = copy.damage
    for raw in copy.entries:
        try:
            done.on_entry(raw)
        except (PeerError, IllegalMoveError) as error:
            if done.fold is None or not good:
                raise _unplayable(raw, error) from error
            damage = Says.DAMAGED_ENTRY(number=good, why=error)
            break
        good += 1
    if done.fold is None:
        raise DamageError(0, Says.NO_MATCH_THERE(), tail=False)
    waited = () if done.log is None else waited_for(done.fold, done.log)
    return Opened(copy.entries[:good], done.fold, damage, waited)


def _unplayable(beginning: bytes, error: Exception) -> LocalError:
    """Return why nothing of a match can be played, and that it may be whole."""
    with suppress(PeerError):
        if missing := lacking(read_terms(beginning)):
            return LocalError(Code.FILE, missing)
    return LocalError(Code.BAD_LOG, spoken(error))


def position_of(raws: Sequence[bytes], entries: int | None, seat: int) -> Position:
    """Return a position of a match.

    Args:
        raws: The entries of its file.
        entries: How many to fold in; None for all.
        seat: Whose view, or `EVERYBODY`.

    Raises:
        LocalError: USAGE, there is no such entry or seat, or the seat's tiles are not
            in the file: they are once the match is over.
        PeerError: The entries are no match.
    """
    fold = after(raws, entries)
    try:
        view = fold.state if seat < 0 else _seen(raws, fold, seat)
    except IllegalMoveError as error:
        raise LocalError(Code.BAD_LOG, spoken(error)) from error
    terms, names = fold.terms, tuple(fold.names)
    return Position(terms.game, names, view, terms.edition, terms.lexicon)


def after(raws: Sequence[bytes], entries: int | None) -> Fold:
    """Return a match as it was after some of its entries, None for all.

    Raises:
        LocalError: USAGE, there is no such entry.
        PeerError: The entries are no match.
    """
    if entries is not None and not 1 <= entries <= len(raws):
        detail = Says.NO_SUCH_ENTRY(last=len(raws), number=entries)
        raise LocalError(Code.USAGE, detail)
    try:
        return replay(raws[:entries])
    except IllegalMoveError as error:
        raise LocalError(Code.BAD_LOG, spoken(error)) from error


def _seen(raws: Sequence[bytes], fold: Fold, seat: int) -> Any:  # noqa: ANN401 (any game's state)
    """Return what a seat saw.

    Raises:
        LocalError: USAGE, there is no such seat, or its tiles are not known.
    """
    if seat >= len(fold.names):
        detail = Says.NO_SUCH_SEAT(last=len(fold.names), number=seat + 1)
        raise LocalError(Code.USAGE, detail)
    if fold.hz:  # nothing is hidden, and its ticks are no moves to be played again
        return fold.game.view(fold.state, seat)
    known = {round_.number: round_.secret for round_ in replay(raws).rounds}

    def secret(round_: Round) -> bytes | None:
        return known.get(round_.number)

    whole = Whole(fold, secret)
    if not whole.advance():
        detail = Says.TILES_NOT_OPEN()
        raise LocalError(Code.USAGE, detail)
    return fold.game.view(whole.state, seat)


def check_is_match(path: Path) -> None:
    """Look whether a file may be that of a match, damaged or not.

    Raises:
        LocalError: FILE, it is something else; the words say what.
    """
    try:
        data = read_named(path, MATCH_BYTES)
    except (OSError, ValueError):
        return  # whoever reads it says so
    if gcg.is_record(data):
        raise LocalError(Code.FILE, Says.OTHER_PROGRAMS_RECORD(path=path))
    if is_sheet(data):
        raise LocalError(Code.FILE, Says.SHEET_TO_READ(path=path))


def checked(path: Path, home: Home) -> bytes:
    """Return the bytes of a match file, to be verified.

    Raises:
        LocalError: FILE, it cannot be read, or is another program's.
    """
    Shelf(home.words)
    try:
        data = read_named(path, MATCH_BYTES)
    except (OSError, ValueError) as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from error
    if gcg.is_record(data):
        detail = Says.OTHER_PROGRAMS_RECORD(path=path)
        raise LocalError(Code.FILE, detail)
    if data.startswith(MAGIC):
        with suppress(DamageError):  # told by whoever reads the entries
            take_along(copy_of(data))
    return data

"""Moves on condition as they are typed in `netplay play`: if X then Y if Z then W."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from netplay import wire
from netplay.commands.asking import meant
from netplay.errors import Code, LocalError, PeerError
from netplay.language import _, phrase
from netplay.messages.door import Done, GetStatus, Question, Status, TableStatus
from netplay.messages.preparing import DropPrepared, Prepare, PreparedLine
from netplay.said import spoken
from netplay.sentences import Says
from netplay.text import writer
from rules import GAMES
from rules.game import IllegalMoveError

MARKS: Final = re.compile(r"\b(if|then)\b", re.IGNORECASE)


def conditional(
    words: str,
    table: TableStatus,
    seat: int,
    state: Any,  # noqa: ANN401 (the game's)
    number: int,
    ask: Callable[[Question], Done],
) -> tuple[str, list[str]]:
    """Do what a line says; return what came of it, and what is prepared then.

    Args:
        words: What was typed, beginning with "if".
        table: At which.
        seat: Whose line.
        state: What the seat sees, with what it has made on top.
        number: Of the entries that it has seen.
        ask: Asks the node.

    Raises:
        LocalError: It is no line; or the node's reason.
    """
    game, names = table.game, [one.name for one in table.seats]
    wish, text = asked(words, game, state, seat, names), ""
    if wish is not None:
        if isinstance(wish, Prepare):
            wish = replace(wish, number=number)
        text = phrase(ask(wish).text)
    now = meant(wire.unpack(ask(GetStatus()).data, Status))
    kept = () if now is None else now.made.prepared
    lines = [told(one, game, state, names) for one in kept if one.seat == seat]
    return text or "\n".join(lines) or phrase(Says.PREPARED_NONE()), lines


def asked(
    words: str,
    game: str,
    state: Any,  # noqa: ANN401 (the game's)
    seat: int,
    names: Sequence[str],
) -> Prepare | DropPrepared | None:
    """Return what is to be asked of the node; None if only a list is wanted.

    Args:
        words: What was typed, beginning with "if".
        game: Which.
        state: What the seat sees, with what it has made on top.
        seat: Whose line.
        names: Of the players.

    Raises:
        LocalError: USAGE, it is no line; ILLEGAL_MOVE, a move of it is none.
    """
    if words.lower() == "if":
        return None
    if words.lower().split() == ["if", "none"]:
        return DropPrepared(seat)
    try:
        return Prepare(seat, tuple(_moves(words, game, state, seat, names)))
    except IllegalMoveError as error:
        raise LocalError(Code.ILLEGAL_MOVE, spoken(error)) from error


def _moves(
    words: str,
    game: str,
    state: Any,  # noqa: ANN401 (the game's)
    seat: int,
    names: Sequence[str],
) -> Iterator[bytes]:
    """Yield the moves that are typed, encoded."""
    rules, typed = GAMES[game], writer(game).TYPED
    assert typed is not None  # a game that hurries has no terminal
    _before, *parts = MARKS.split(words)
    for mark, text in zip(parts[::2], parts[1::2], strict=True):
        actor = min(rules.actors(state), default=-1)
        if actor < 0:
            raise LocalError(Code.USAGE, Says.PREPARED_NO_FURTHER())
        wanted = "then" if actor == seat else "if"
        if mark.lower() != wanted:
            name, move = names[actor], text.strip()
            says = Says.PREPARED_WORD(name=name, word=wanted, move=move)
            raise LocalError(Code.USAGE, says)
        move = typed.read(state, actor, text.strip())
        state = rules.play(state, actor, move)
        yield wire.pack(move)


def told(
    line: PreparedLine,
    game: str,
    state: Any,  # noqa: ANN401 (the game's)
    names: Sequence[str],
) -> str:
    """Return a line in words."""
    rules, text, found = GAMES[game], writer(game), list[str]()
    with suppress(IllegalMoveError, PeerError):  # the game has just gone on
        for actor, raw in line.moves:
            move = wire.unpack(raw, rules.ABOUT.move)
            said = _("then {move}") if actor == line.seat else _("if {move}")
            found.append(said.format(move=text.line(state, actor, move, names)))
            state = rules.play(state, actor, move)
    return ", ".join(found)

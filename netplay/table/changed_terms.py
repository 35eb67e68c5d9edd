"""What has changed between two proposals that a player should know of before a yes.

That somebody takes a free seat is no news: it is what everybody waits for.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from netplay.fingerprint import fingerprint
from netplay.messages.table import Proposal, Terms
from netplay.said import shortened
from netplay.wire import unpack
from rules import GAMES

Change: TypeAlias = tuple[str, str, str]
"""What - `game`, `players`, `edition`, `words`, `bystanders` or an option -, and how it
was and is."""


def changed(old: Proposal, new: Proposal, me: bytes) -> tuple[Change, ...]:
    """Return what is not as it was; both can be played here.

    Args:
        old: To that the player has said yes.
        new: As it is now.
        me: This node, whose player is to sit where that was.
    """
    if old.terms.game != new.terms.game:
        return (("game", old.terms.game, new.terms.game),)
    before, after = dict(_rules(old, me)), dict(_rules(new, me))
    return tuple(
        (what, shortened(before.get(what, "")), shortened(value))
        for what, value in after.items()
        if before.get(what) != value
    )


def _rules(proposal: Proposal, me: bytes) -> Iterator[tuple[str, str]]:
    """Yield what is played by."""
    terms = proposal.terms
    yield "players", ", ".join(_players(terms, me))
    yield from _options(terms).items()
    yield "edition", terms.edition.hex()[:8]
    yield "words", terms.lexicon.hex()[:8]
    yield "bystanders", proposal.bystanders
    yield "fairness", terms.fairness
    yield "days", str(terms.days)
    yield "keepers", ", ".join(map(fingerprint, terms.keepers))


def _players(terms: Terms, me: bytes) -> Iterator[str]:
    """Yield who plays each seat, whoever it is, and which are our own."""
    for seat in terms.seats:
        computer = seat.kind == "computer"
        who = f"computer:{seat.skill}" if computer else seat.kind
        yield f"{who} here" if terms.members[seat.member].key == me else who


def _options(terms: Terms) -> Mapping[str, str]:
    """Return the game's options as they are typed."""
    about = GAMES[terms.game].ABOUT
    settings = about.settings(unpack(terms.options, about.options))
    return {name: _typed(value) for name, value in settings.items()}


def _typed(value: object) -> str:
    """Return an option's value as it is typed."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)

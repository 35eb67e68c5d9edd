"""A game's options as a form: what can be set, read off the options struct itself."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.inspect import BoolType, IntType, LiteralType, StructType

from client.app import board
from client.ui.texts import _, ngettext
from netplay import wire
from rules import GAMES


class Field(Struct, frozen=True):
    """One option."""

    key: str
    default: str
    """As the command line spells it."""
    choices: tuple[str, ...]
    """All values, as the command line spells them."""

    @property
    def switch(self) -> bool:
        """Tell whether it is a box to tick."""
        return self.choices == ("off", "on")


def label(game: str, key: str) -> str:
    """Return an option's name for the user."""
    words = board.find(game).option_words()
    return words.get(key, key.replace("_", " ").capitalize())


def note(game: str, key: str) -> str:
    """Return what an option means, for the user; empty if nobody says."""
    notes = board.find(game).TRAITS.notes
    return notes().get(key, "") if notes is not None else ""


def shown(game: str, key: str, value: str) -> str:
    """Return a value of an option for the user; a turn of no minutes is not timed."""
    if (key, value) == ("timed", "0"):
        return _("off")
    words = {"on": _("on"), "off": _("off"), **board.find(game).option_words()}
    return words.get(value, value.replace("_", " "))


def minutes(timed: str) -> str:
    """Return how long a turn may take, as part of a sentence."""
    if timed == "0":
        return _("no clock")
    n = int(timed)
    return ngettext("{n} minute a turn", "{n} minutes a turn", n).format(n=n)


def spell(value: Any) -> str:  # noqa: ANN401 (a field of any options struct)
    """Return a value as the command line spells it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


@lru_cache(maxsize=16)
def fields(game: str) -> tuple[Field, ...]:
    """Return what can be set in a game."""
    about = GAMES[game].ABOUT
    info = msgspec.inspect.type_info(about.options)
    assert isinstance(info, StructType)  # what ABOUT promises
    usual = about.settings(about.options())
    hints = get_type_hints(about.options)
    return tuple(
        Field(each.name, spell(usual[each.name]), choices)
        for each in info.fields
        if each.name in usual and (choices := _choices(each.type, hints[each.name]))
    )


def _choices(kind: msgspec.inspect.Type, hint: Any) -> tuple[str, ...]:  # noqa: ANN401 (any type)
    """Return the values a field may have; none for one that is no choice.

    Those of a `Literal` come as the rules list them: msgspec sorts them by alphabet.
    """
    match kind:
        case BoolType():
            return "off", "on"
        case LiteralType():
            return tuple(map(spell, get_args(hint)))
        case IntType(ge=int(low), le=int(high)) if high - low <= 120:
            return tuple(str(n) for n in range(low, high + 1))
        case _:
            return ()


def agreed(game: str, encoded: bytes) -> dict[str, str]:
    """Return the options of a table as the command line spells them."""
    value = wire.unpack(encoded, GAMES[game].ABOUT.options)
    return {name: spell(each) for name, each in msgspec.structs.asdict(value).items()}


def chosen(game: str, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the options that are not as the game has them by itself."""
    return tuple(
        (field.key, values[field.key])
        for field in fields(game)
        if values.get(field.key, field.default) != field.default
    )

"""Which options of a game exclude each other, found by trying them."""

import typing
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from netplay.wire import pack
from rules import GAMES
from tests.netplay.party import Key, make_terms


class Setting(NamedTuple):
    """An option, or the number of seats, and its value."""

    name: str
    value: Any


class Tried(NamedTuple):
    """A game, and all that its options and seats may be one by one."""

    game: str
    values: dict[str, list[Any]]
    plain: dict[str, Any]
    """The defaults, at two seats."""

    def taken(self, *settings: Setting) -> bool:
        """Tell whether a game starts so, all else as it is by default."""
        chosen = {**self.plain, **dict(settings)}
        seats = chosen.pop("seats")
        try:
            GAMES[self.game].start(seats, GAMES[self.game].ABOUT.options(**chosen))
        except ValueError:
            return False
        return True

    def partners(self, one: Setting) -> Iterator[tuple[str, list[Any]]]:
        """Yield other options with those of their values that go with a setting."""
        for name, values in self.values.items():
            if name != one.name:
                fit = [v for v in values if self.taken(one, Setting(name, v))]
                usual = [v for v in values if self.taken(Setting(name, v))]
                if fit and fit != usual and set(usual) != set(fit):
                    yield name, fit


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield (game, setting, what else has to be so) for each that limits another."""
    for game in GAMES:
        tried = _tried(game)
        settings = [Setting(n, v) for n, vs in tried.values.items() for v in vs]
        for one in settings:
            if one.value == tried.plain[one.name]:
                continue
            needs = [_written(n, vs) for n, vs in tried.partners(one)]
            if needs:
                yield f"`{game}`", _written(one.name, [one.value]), ", ".join(needs)


def _written(name: str, values: list[Any]) -> str:
    """Return an option with values as the page has them."""
    return f"`{name}` " + " or ".join(_value(name, each) for each in values)


def _value(name: str, value: Any) -> str:  # noqa: ANN401 (any option's)
    """Return a value; a number above the least stands for all of these."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool) or name == "seats" or not value:
        return str(value).lower()
    return "above 0"


def _tried(game: str) -> Tried:
    """Return what a game may be given."""
    about = GAMES[game].ABOUT
    plain = msgspec.structs.asdict(about.options())
    values = {
        f.name: found
        for f in msgspec.structs.fields(about.options)
        if (found := _choices(f.type))
    }
    seats = list(about.seats)
    return Tried(game, {**values, "seats": seats}, {**plain, "seats": 2})


def _choices(kind: Any) -> list[Any]:  # noqa: ANN401 (any annotation)
    """Return the values to try of a type; none of names and digests."""
    args = typing.get_args(kind)
    match typing.get_origin(kind):
        case typing.Literal:
            return list(args)
        case typing.Annotated if args[0] is int:
            return [args[1].ge, args[1].le]
        case _:
            return [False, True] if kind is bool else []


def refused() -> Iterator[dict[str, Any]]:
    """Yield terms for each row: with what goes together, and with what does not."""
    for game in GAMES:
        tried = _tried(game)
        settings = [Setting(n, v) for n, vs in tried.values.items() for v in vs]
        for one in settings:
            if one.value == tried.plain[one.name]:
                continue
            for name, fit in tried.partners(one):
                good = Setting(name, fit[0])
                yield _terms(tried, one, good) | {"error": ""}
                for bad in (v for v in tried.values[name] if v not in fit):
                    wrong = Setting(name, bad)
                    yield _terms(tried, one, wrong) | {"error": "ILLEGAL_MOVE"}


def _terms(tried: Tried, *settings: Setting) -> dict[str, Any]:
    """Return terms with some settings, the rest as it is by default."""
    chosen = {**tried.plain, **dict(settings)}
    seats = chosen.pop("seats")
    options: Any = GAMES[tried.game].ABOUT.options(**chosen)
    keys = [Key(f"member {n}") for n in range(seats)]
    return {
        "rule": "S1",
        "game": tried.game,
        "name": ", ".join(_written(name, [value]) for name, value in settings),
        "terms": pack(make_terms(tried.game, keys, options)).hex(),
    }

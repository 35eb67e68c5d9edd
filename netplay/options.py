"""A game's options from KEY=VALUE, as people type them."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from netplay.errors import Code, LocalError
from netplay.said import Said
from netplay.sentences import Says
from rules.game import Game

TRUE: Final = frozenset({"on", "yes", "true", "1"})
FALSE: Final = frozenset({"off", "no", "false", "0"})


def read_options(
    game: Game[Any, Any], pairs: Iterable[tuple[str, str]], **more: str
) -> Any:  # noqa: ANN401 (each game has options of its own)
    """Return the options struct of a game.

    Args:
        game: Whose options.
        pairs: (key, value) as typed; later ones replace earlier ones.
        more: Options that are not typed: the digests of edition and word list.

    Raises:
        LocalError: USAGE, there is no such option, or it has no such value.
    """
    kind = game.ABOUT.options
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for key, text in pairs:
        name = key.strip().lower().replace("-", "_")
        if name not in fields:
            names = ", ".join(fields) or "none"
            detail = Says.NO_OPTION(game=game.ABOUT.title, name=key, names=names)
            raise LocalError(Code.USAGE, detail)
        values[name] = _value(name, text.strip(), fields[name].type)
    return kind(**values, **more)


def _value(name: str, text: str, kind: Any) -> Any:  # noqa: ANN401 (as annotated)
    """Return the value that a text means for a field.

    Raises:
        LocalError: USAGE, it means none.
    """
    word = text.lower()
    if kind is bool:
        if word in TRUE or word in FALSE:
            return word in TRUE
        raise LocalError(Code.USAGE, Says.ON_OR_OFF(name=name, wish=text))
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:
        wanted = _values(kind)
        raise LocalError(
            Code.USAGE, Says.VALUE_NOT(name=name, wanted=wanted, word=text)
        ) from error


def _values(kind: Any) -> Said:  # noqa: ANN401 (as annotated)
    """Say in words which values a field may have."""
    match msgspec.inspect.type_info(kind):
        case msgspec.inspect.IntType(ge=int(least), le=int(most), multiple_of=step):
            whole = {None: Says.WHOLE(), 2: Says.EVEN()}.get(
                step, Says.EVERY(step=step)
            )
            return Says.NUMBER_BETWEEN(whole=whole, least=least, most=most)
        case msgspec.inspect.IntType(ge=int(least)):
            return Says.NUMBER_AT_LEAST(least=least)
        case msgspec.inspect.IntType():
            return Says.A_NUMBER()
        case msgspec.inspect.LiteralType(values=values):
            return Says.ONE_OF(values=", ".join(map(str, values)))
        case _:
            return Says.A_TEXT()

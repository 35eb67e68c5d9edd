"""What a node says: a code with values; who shows it puts it into words.

No prose crosses the door.  The codes are those of `netplay.sentences` and of the error
registry; of what the rules of a game say, the English sentence itself is the code.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from typing_extensions import override

from netplay.sanitize import visible
from rules.sentence import RulesError, Sentence


class Said(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One sentence; made by what stands in `Says` and by nothing else."""

    code: str
    values: "tuple[tuple[str, Said | str | int], ...]" = ()
    """Field of the template, value."""

    @override
    def __str__(self) -> str:
        """Return the sentence in English, for logs and other nodes."""
        values = {name: str(value) for name, value in self.values}
        return filled(TEMPLATES.get(self.code, self.code), values)


Words: TypeAlias = Said | str
"""A sentence; or what is shown as it is: a name, an address, the words of somebody
else.  Empty for nothing."""

Value: TypeAlias = Said | str | int
"""What stands in a sentence."""

VALUE_CHARACTERS: Final = 1000
"""Of a value: a path, or what a file has where it is wrong.  A line of a file, or what
another program says, is of any length; what a node says has to fit a frame."""

SAID_CHARACTERS: Final = 4 * VALUE_CHARACTERS
"""Of all values of a sentence that stands in another one."""

LISTED: Final = 20
"""Sentences put together in one; the rest is left out."""

MORE: Final = "…"
"""Stands behind them for the rest."""

TEMPLATES: Final[dict[str, str]] = {}
"""The English sentence of each code; the registries put theirs in."""


def fields(template: str) -> tuple[str, ...]:
    """Return the names of a sentence's values, each once, in their order."""
    return tuple(dict.fromkeys(re.findall(r"{(\w+)}", template)))


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a sentence with its values in their places, as plain text."""
    return re.sub(r"{(\w+)}", lambda found: values.get(found[1], ""), template)


def shortened(text: str) -> str:
    """Return as much of a text as a sentence may have in it."""
    if len(text) <= VALUE_CHARACTERS:
        return text
    return f"{text[: VALUE_CHARACTERS - 1]}…"


def characters(value: Value) -> int:
    """Return how much there is in a value, a sentence with all that stands in it."""
    if isinstance(value, int):
        return 0
    if isinstance(value, str):
        return len(value)
    return sum(characters(each) for _, each in value.values)


BRIEF: Final = 250
"""Characters of what is said of one thing among many: windows are told of all."""


def brief(words: Words) -> Words:
    """Return what is said, or its beginning in English where that would be too much."""
    if characters(words) <= BRIEF:
        return words
    return f"{str(words)[:BRIEF]}…"


def known(words: str) -> Words:
    """Return what another node wrote, fit to be shown; what is ours, as our code.

    Nodes tell each other reasons in English, which may say anything: what is no
    sentence of this program's is quoted.
    """
    codes = {text: code for code, text in TEMPLATES.items() if not fields(text)}
    if words in codes:
        return Said(codes[words])
    return Said("QUOTE", (("words", shortened(words)),)) if words else ""


def spoken(error: Exception) -> Words:
    """Return what an error says: a sentence with values, if it has one."""
    if isinstance(error, RulesError):
        return worded(error.words)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror  # without a number, and the path that is said beside it
    said: Words | None = getattr(error, "said", None)
    return said or shortened(str(error))


def worded(words: str) -> Said:
    """Return what the rules said: the sentence in English is its own code."""
    if not isinstance(words, Sentence):
        return Said(shortened(words))
    found = words.values.items()
    values = (
        (k, worded(v) if isinstance(v, Sentence) else shortened(v)) for k, v in found
    )
    return Said(words.template, tuple(values))


def listed(words: Sequence[Words]) -> Words:
    """Return one after the other, with commas between them; empty for none."""
    return _joined(words, "BESIDE", "other")


def chained(words: Sequence[Words]) -> Words:
    """Return one after the other, with semicolons between them; empty for none."""
    return _joined(words, "THEN", "then")


def _joined(words: Sequence[Words], code: str, name: str) -> Words:
    """Return sentences put together by a code of two values, the other so named."""
    found: Words = words[0] if words else ""
    for other in (*words[1:LISTED], *(MORE for _ in words[LISTED : LISTED + 1])):
        found = Said(code, (("first", found), (name, other)))
    return found


def plain(value: Value) -> object:
    """Return a value as JSON has it: of a sentence code and values."""
    if not isinstance(value, Said):
        return value
    values = {name: plain(each) for name, each in value.values}
    return {"code": value.code, "values": values}


class Saying:
    """A code, and its sentence in English with a name for each value."""

    name: str
    """The code: what the list calls it."""

    def __init__(self, value: str) -> None:
        """Take the sentence as a template, with its values in braces."""
        self.value: Final = value

    def __set_name__(self, _list: type, name: str) -> None:
        """Learn the code."""
        # What another class calls it later is no code: it would change for everybody.
        if "name" not in vars(self):
            self.name = name

    @override
    def __repr__(self) -> str:
        return self.name

    def __call__(self, **values: object) -> Said:
        """Return the sentence with its values.

        Args:
            values: Each field of the template; an error stands for what it says, and
                anything but text, numbers and sentences for how it is written.
        """
        assert values.keys() == set(fields(self.value)), self
        return Said(self.name, tuple((k, _value(v)) for k, v in values.items()))


def _value(value: object) -> Value:
    """Return a value as it travels; nothing in it can disturb a window or terminal."""
    said = spoken(value) if isinstance(value, Exception) else value
    if isinstance(said, int):
        return said
    if isinstance(said, Said):
        return said if characters(said) <= SAID_CHARACTERS else shortened(str(said))
    return visible(shortened(str(said)))

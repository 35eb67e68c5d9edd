"""One sentence of the list: a code, and its English with a name for each value."""

from typing import Final

from typing_extensions import override

from netplay.said import (
    SAID_CHARACTERS,
    Said,
    Value,
    characters,
    fields,
    shortened,
    spoken,
)
from netplay.sanitize import visible


class Saying:
    """A code, and its sentence in English with a name for each value."""

    name: str
    """The code: what the list calls it."""

    def __init__(self, value: str) -> None:
        """Take the sentence as a template, with its values in braces."""
        self.value: Final = value

    def __set_name__(self, _list: type, name: str) -> None:
        """Learn the code."""
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

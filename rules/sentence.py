"""What the rules say to a player: a sentence that knows its values.

It is plain text to whoever only reads it.  Who puts it into another language takes the
sentence with the names of its values, and the values apart.
"""

import re
from collections.abc import Mapping


class Sentence(str):
    """A text in English, made of a template and values."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, str]


def sentence(template: str, **values: object) -> Sentence:
    """Return a sentence.

    Args:
        template: With `{name}` where a value stands.
        values: Each of them; a sentence, or anything for how it is written.
    """
    found = {k: v if isinstance(v, str) else str(v) for k, v in values.items()}
    made = Sentence(
        re.sub(r"{(\w+)}", lambda place: found.get(place[1], place[0]), template)
    )
    made.template, made.values = template, found
    return made


def nested(words: str) -> Sentence:
    """Return what an error says, to be a value of another sentence."""
    return words if isinstance(words, Sentence) else sentence(words)


class RulesError(Exception):
    """Something that the rules refuse; its message is what the player sees."""

    def __init__(self, text: str, **values: object) -> None:
        """Say why.

        Args:
            text: A sentence; with values a template, as `sentence` takes it.
            values: Likewise.
        """
        super().__init__(sentence(text, **values) if values else text)

    @property
    def words(self) -> str:
        """The message, a `Sentence` where it has values."""
        said: str = self.args[0]
        return said

"""The window's own texts in the user's language, switchable while running.

Call `_` where a text is shown, never where a module is loaded, or it stays in the
language of the start.
"""

from datetime import UTC, datetime

from netplay.language import (
    LANGUAGES,
    LOCALE,
    _,
    capital,
    decimal,
    ngettext,
    phrase,
    sentence,
    speak,
    spoken,
)
from netplay.said import MORE, Said, Words, listed, worded
from netplay.sentences import Says


def local(unix: float) -> datetime:
    """Return a moment, in seconds of Unix time, as this computer's clock has it."""
    return datetime.fromtimestamp(unix, UTC).astimezone()


def told(words: str) -> str:
    """Return what the rules said in the language."""
    return phrase(worded(words))


def plainly(said: Words, whom: str = "") -> Words:
    """Return what a node says as the window says it: no address in it, and no key.

    Who looks for these has the page Connection; the terminal says them, too.

    Args:
        said: By the node.
        whom: Who was called, by name; then there is no need to say where.
    """
    if not isinstance(said, Said):
        return said
    values = dict(said.values)
    who = str(values.get("who", "")) or whom
    keyless = {
        "FIRST_CONTACT": Says.FIRST_MET(who=who),
        "KEY_INVITED": Says.INVITED_BY(who=who),
        "KEYS_UNKNOWN": Says.KEYS_LOST(who=who),
        "KEY_CHANGED": Says.HAS_OTHER_KEY(who=who),
    }
    placeless = {
        "PLACE_REFUSES": Says.NO_PROGRAM_THERE(),
        "PLACE_SILENT": Says.NOTHING_ANSWERS(),
        "NO_WAY_TO": Says.TRIED_NO_WAY(),
        "NO_ANSWER": Says.WHO_NOT_REACHED(who=whom),
    }
    if said.code == "BESIDE":  # of several places one reason is enough
        told = list(dict.fromkeys(plainly(each, whom) for each in _parts(said)))
        if len(told) == 2 and told[1] == MORE:  # than are listed, of the same
            told.pop()
        return listed(told)
    known = keyless | placeless if whom else keyless
    if said.code in known:
        return known[said.code]
    found = ((k, v if isinstance(v, int) else plainly(v, whom)) for k, v in said.values)
    return Said(said.code, tuple(found))


def _word(value: Said | str | int | None) -> Words:
    return value if isinstance(value, Said) else str(value or "")


def _parts(said: Words) -> tuple[Words, ...]:
    """Return the sentences that a list of some is made of."""
    if not isinstance(said, Said) or said.code != "BESIDE":
        return (said,)
    return tuple(each for _name, value in said.values for each in _parts(_word(value)))


__all__ = [
    "LANGUAGES",
    "LOCALE",
    "_",
    "capital",
    "decimal",
    "ngettext",
    "phrase",
    "plainly",
    "sentence",
    "speak",
    "spoken",
    "told",
]

"""Every form that a hunspell dictionary holds.

Hunspell's own `unmunch` is wrong for dictionaries of today.  This knows flags of one
and two characters, conditions, two suffixes one after the other, a prefix before
either, suffixes that a prefix brings along, and the flags NEEDAFFIX, CIRCUMFIX,
ONLYINCOMPOUND and FORBIDDENWORD; it makes no compounds.  See hunspell(5).
"""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

Flags = frozenset[str]

NO_FLAGS: Final[Flags] = frozenset()

_FIELD: Final = re.compile(r"\s+[a-z]{2}:")
"""After a word in a line of a dictionary: its part of speech and the like."""


class Affix(NamedTuple):
    """One way to change a word's beginning or end."""

    strip: str
    add: str
    condition: re.Pattern[str]
    flags: Flags
    """What may come on top of it, and what it needs."""

    cross: bool
    """Whether a prefix and a suffix may come together."""


Affixes = Mapping[str, list[Affix]]
"""Flag -> the affixes it stands for."""


class Rules(NamedTuple):
    """What an affix file says."""

    prefixes: Affixes
    suffixes: Affixes
    needs: Flags
    """Marks of what is no word before an affix is added, or only part of one."""

    circumfix: Flags
    """Marks of prefixes and suffixes that come only with one another."""

    forbidden: Flags
    """Marks of words that are wrong although the rules would make them."""

    long: bool
    """Whether a flag has two characters."""


class Form(NamedTuple):
    """A word on its way through the affixes."""

    text: str
    flags: Flags
    cross: bool = True


def read_rules(path: Path, without: Collection[str] = ()) -> Rules:
    """Read an affix file, without what adds an apostrophe: such words are not played.

    Args:
        path: A file in UTF-8.
        without: Flags to leave out, with everything they lead to.
    """
    lines = [line.split() for line in path.read_text("utf-8-sig").splitlines()]
    options = {line[0]: line[1] for line in lines if len(line) == 2}
    long = options.get("FLAG") == "long"
    prefixes: dict[str, list[Affix]] = {}
    suffixes: dict[str, list[Affix]] = {}
    crossing: dict[str, bool] = {}
    for line in lines:
        match line:
            case ["PFX" | "SFX", flag, cross, count, *_] if flag not in crossing:
                assert count.isdigit()
                crossing[flag] = cross == "Y"
            case ["PFX" | "SFX" as kind, flag, strip, add, *more]:
                if flag not in without and "'" not in add.partition("/")[0]:
                    affix = _affix(kind, strip, add, more, long, crossing[flag])
                    table = prefixes if kind == "PFX" else suffixes
                    table.setdefault(flag, []).append(affix)
            case _:
                pass
    needs, circumfix, forbidden = (
        frozenset(options[name] for name in names if name in options)
        for names in (("NEEDAFFIX", "ONLYINCOMPOUND"), ["CIRCUMFIX"], ["FORBIDDENWORD"])
    )
    return Rules(prefixes, suffixes, needs, circumfix, forbidden, long)


def _affix(
    kind: str, strip: str, add: str, more: list[str], long: bool, cross: bool
) -> Affix:
    """Return an affix from the fields of its line; 0 stands for nothing."""
    text, _, flags = add.partition("/")
    condition = more[0] if more and not _FIELD.match(f" {more[0]}") else "."
    pattern = condition if kind == "PFX" else f"(?:{condition})$"
    strip, text = ("" if part == "0" else part for part in (strip, text))
    return Affix(strip, text, re.compile(pattern), _split(flags, long), cross)


def _split(flags: str, long: bool) -> Flags:
    """Return the flags that stand together in a file."""
    step = 2 if long else 1
    return frozenset(flags[at : at + step] for at in range(0, len(flags), step))


def read_words(path: Path, rules: Rules) -> Iterator[Form]:
    """Yield the entries of a dictionary file, each with its flags."""
    for line in path.read_text("utf-8-sig").splitlines()[1:]:
        entry = _FIELD.split(line, maxsplit=1)[0].split("\t")[0]
        text, _, flags = entry.partition("/")
        yield Form(text, _split(flags, rules.long))


def expand(rules: Rules, words: Iterator[Form]) -> set[str]:
    """Return every form of every word."""
    found: set[str] = set()
    forbidden: set[str] = set()
    for word in words:
        if word.flags & rules.forbidden:
            forbidden.add(word.text)
        else:
            found.update(_forms(rules, word))
    return found - forbidden


def _forms(rules: Rules, word: Form) -> Iterator[str]:
    """Yield the forms of one entry, some twice."""
    suffixed = list(_suffixed(rules, word, word.flags))
    twice = [more for form in suffixed for more in _suffixed(rules, form, form.flags)]
    unfinished = rules.needs | rules.circumfix
    for form in [word, *suffixed, *twice]:
        if not form.flags & unfinished:
            yield form.text
        if form.cross:
            yield from _prefixed(rules, word.flags, form, plain=form is word)


def _suffixed(rules: Rules, form: Form, flags: Flags) -> Iterator[Form]:
    """Yield a form with each of the suffixes that some flags allow."""
    for flag in flags & rules.suffixes.keys():
        for affix in rules.suffixes[flag]:
            text = form.text
            if text.endswith(affix.strip) and affix.condition.search(text):
                stem = text[: len(text) - len(affix.strip)]
                yield Form(stem + affix.add, affix.flags, affix.cross)


def _prefixed(rules: Rules, flags: Flags, form: Form, *, plain: bool) -> Iterator[str]:
    """Yield the words that prefixes make of a form.

    Args:
        rules: The affix file.
        flags: Those of the entry; the form's last suffix may have brought more.
        form: A word with or without suffixes.
        plain: Whether the form is the entry itself.
    """
    for flag in (flags | form.flags) & rules.prefixes.keys():
        for affix in rules.prefixes[flag]:
            if not (plain or affix.cross) or not _together(rules, affix, form, plain):
                continue
            text = form.text
            if text.startswith(affix.strip) and affix.condition.match(text):
                made = affix.add + text[len(affix.strip) :]
                if not (plain and affix.flags & rules.needs):
                    yield made
                if plain:
                    brought = _suffixed(rules, Form(made, NO_FLAGS), affix.flags)
                    yield from (more.text for more in brought)


def _together(rules: Rules, affix: Affix, form: Form, plain: bool) -> bool:
    """Return whether a prefix may stand before a form.

    Circumfixes come in pairs; a bare stem that needs an affix has one now.
    """
    both = NO_FLAGS if plain else form.flags
    return bool(affix.flags & rules.circumfix) == bool(both & rules.circumfix)

"""Which texts are shown in the user's language, found in sources and registries.

Babel finds those that are marked as texts, the syntax trees what the rules refuse.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from babel.messages.extract import extract_from_file

from netplay.commands import COMMANDS
from netplay.errors import Code
from netplay.sentences import SAYINGS

ROOT: Final = Path(__file__).parents[2]
EXTRA: Final = Path(__file__).parent / "extra.txt"
"""Texts that reach `_` as values and are raised nowhere; one a line."""

Text = tuple[str, ...]
"""A text; or the forms of a text with a count, for one and for many."""

_MARKS: Final = {"_": None, "ngettext": (1, 2)}
"""What marks a text, and which arguments are its forms: the first, if not said."""

_SPEAKING: Final = ("commands", "demo", "review", "text")
"""Where netplay/ puts into words what people read at once."""

_REFUSALS: Final = {
    "IllegalMoveError": 0,
    "OptionsError": 0,
    "LexiconError": 0,
    "LineError": 1,
    "EditionError": 0,
    "Refusal": 0,
    "Verdict": 0,
    "sentence": 0,
    "Problem": 1,
    "_problem": 1,
}
"""What the rules say no with, and which argument is the sentence."""

_DOUBTS: Final = {
    "Faults": 0,
    "CgpError": 0,
    "LetterError": 0,
    "GcgError": 1,
    "OptionsError": 0,
    "Last": 4,
    "sentence": 0,
    "_remark": 0,
}
"""The same of what is said of records and positions of other programs."""


def texts() -> tuple[Text, ...]:
    """Return every text that is to be translated, once, in the order of the sources."""
    found: dict[Text, None] = {}
    for room in ("client", *(f"netplay/{each}" for each in _SPEAKING)):
        for path in sorted((ROOT / room).rglob("*.py")):
            found.update(dict.fromkeys(marked(path)))
    found.update(dict.fromkeys(marked(ROOT / "netplay/levels.py")))
    for path in sorted((ROOT / "netplay/commands").glob("*.py")):
        found.update(dict.fromkeys(helped(path.read_text("utf-8"))))
    found.update(dict.fromkeys((text,) for text in COMMANDS.values()))
    main, parser = (ROOT / f"netplay/{name}.py" for name in ("__main__", "parser"))
    told = *marked(main), *marked(parser), *helped(main.read_text("utf-8"))
    found.update(dict.fromkeys(told))
    for path in sorted((ROOT / "netplay/text").rglob("*.py")):
        found.update(dict.fromkeys(refused(path.read_text("utf-8"))))
    for path in sorted((ROOT / "netplay/formats").rglob("*.py")):
        found.update(dict.fromkeys(refused(path.read_text("utf-8"), _DOUBTS)))
    for path in sorted((ROOT / "rules").rglob("*.py")):
        found.update(dict.fromkeys(refused(path.read_text("utf-8"))))
        found.update(dict.fromkeys(listed(path.read_text("utf-8"))))
    said = (*(code.text for code in Code), *(each.value for each in SAYINGS.values()))
    found.update(dict.fromkeys((text,) for text in said))
    lines = EXTRA.read_text("utf-8").splitlines()
    found.update(dict.fromkeys((each,) for each in lines if each[:1] not in {"", "#"}))
    return tuple(text for text in found if _speaks(text[0]))


def _speaks(text: str) -> bool:
    """Tell whether a text has words of its own, besides its values."""
    return any(sign.isalpha() for sign in re.sub(r"{\w+}", "", text))


def marked(path: Path) -> Iterator[Text]:
    """Yield the texts that a module gives to `_` and `ngettext`."""
    for _line, text, *_rest in extract_from_file("python", path, _MARKS):
        yield text if isinstance(text, tuple) else (text,)


def helped(source: str) -> Iterator[Text]:
    """Yield what a module says of a command and of its arguments."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.keyword(arg="help" | "HELP", value=text):
                yield (_constant(text),)
            case ast.Assign(targets=[ast.Name(id="HELP")], value=text):
                yield (_constant(text),)
            case _:
                pass


def listed(source: str) -> Iterator[Text]:
    """Yield the few words on each game in the list of games."""
    for call in _calls(source):
        if _name(call) == "Listed":
            yield (_constant(call.args[1]),)


def refused(source: str, by: Mapping[str, int] = _REFUSALS) -> Iterator[Text]:
    """Yield the sentences with which a module refuses or doubts something.

    Args:
        source: The module.
        by: What it does so with, and which argument is the sentence.
    """
    for call in _calls(source):
        at = by.get(_name(call))
        if at is None:
            continue
        args = [*call.args[at : at + 1]]
        args += [k.value for k in call.keywords if k.arg == "error"]
        for arg in args:
            choices = [arg.body, arg.orelse] if isinstance(arg, ast.IfExp) else [arg]
            yield from ((text,) for each in choices if (text := _constant(each)))


def _calls(source: str) -> Iterator[ast.Call]:
    """Yield a module's calls."""
    yield from (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call))


def _name(call: ast.Call) -> str:
    """Return what is called, without the module it is from."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _constant(node: ast.expr) -> str:
    """Return a literal text; empty for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case _:
            return ""

"""Which texts the window shows, found in the sources.

Babel finds those that are marked as texts; the words of rules and node, which are not,
are found by the syntax trees.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.extract import extract_from_file

ROOT: Final = Path(__file__).parents[2]
EXTRA: Final = Path(__file__).parent / "extra.txt"
"""Texts that reach `_` as values and are raised nowhere; one a line."""

Text = tuple[str, ...]
"""A text; or the forms of a text with a count, for one and for many."""

_MARKS: Final = {"_": None, "ngettext": (1, 2)}
"""What marks a text, and which arguments are its forms: the first, if not said."""

_REFUSALS: Final = ("IllegalMoveError", "OptionsError", "Refusal", "Verdict")
"""What the rules say no with; the window shows their words."""


_ROOMS: Final = ("daemon", "finding", "match", "peering", "record", "table")
"""The rooms of the node whose words reach a window."""

_SPOKEN: Final = {
    "tell": 0,
    "notice": 0,
    "fault": 0,
    "LocalError": 1,
    "Refusal": 1,
    "Problem": 1,
}
"""What the node speaks with, and which argument is the sentence."""


def texts() -> tuple[Text, ...]:
    """Return every text that is to be translated, once, in the order of the sources."""
    found: dict[Text, None] = {}
    for path in sorted((ROOT / "client").rglob("*.py")):
        found.update(dict.fromkeys(marked(path)))
    for path in sorted((ROOT / "rules").rglob("*.py")):
        found.update(dict.fromkeys(refused(path.read_text("utf-8"))))
        found.update(dict.fromkeys(listed(path.read_text("utf-8"))))
    for room in _ROOMS:
        for path in sorted((ROOT / "netplay" / room).rglob("*.py")):
            found.update(dict.fromkeys(spoken(path.read_text("utf-8"))))
    for path in sorted((ROOT / "rules" / "editions").rglob("*.py")):
        found.update(dict.fromkeys(spoken(path.read_text("utf-8"))))
    codes = (ROOT / "netplay" / "errors.py").read_text("utf-8")
    found.update(dict.fromkeys(registered(codes)))
    lines = EXTRA.read_text("utf-8").splitlines()
    said = (line for line in lines if line and not line.startswith("#"))
    found.update(dict.fromkeys((line,) for line in said))
    return tuple(found)


def marked(path: Path) -> Iterator[Text]:
    """Yield the texts that a module gives to `_` and `ngettext`."""
    for _line, text, *_rest in extract_from_file("python", path, _MARKS):
        yield text if isinstance(text, tuple) else (text,)


def listed(source: str) -> Iterator[Text]:
    """Yield the few words on each game in the list of games."""
    for call in _calls(source):
        if _name(call) == "Listed":
            yield (_constant(call.args[1]),)


def refused(source: str) -> Iterator[Text]:
    """Yield the sentences with which a module of the rules refuses something."""
    for call in _calls(source):
        if _name(call) not in _REFUSALS:
            continue
        args = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "error")]
        for arg in args:
            choices = [arg.body, arg.orelse] if isinstance(arg, ast.IfExp) else [arg]
            yield from ((text,) for each in choices if (text := _constant(each)))


def spoken(source: str) -> Iterator[Text]:
    """Yield what a module of the node says, with `{0}` and so on for values."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call() if len(node.args) > (at := _SPOKEN.get(_name(node), 99)):
                said = node.args[at]
            case ast.Assign(targets=[ast.Name(id="detail")], value=said):
                pass
            case _:
                continue
        text = _phrase(said)
        if any(c.isalpha() for c in re.sub(r"{\d}", "", text)):
            yield (text,)


def phrases() -> tuple[str, ...]:
    """Return the sentences with values in them, those with most words first."""
    whole = {each for (each, *_) in texts() if re.search(r"{\d}", each)}
    return tuple(sorted(whole, key=lambda each: (-len(each), each)))


def registered(source: str) -> Iterator[Text]:
    """Yield what the user is told of each registered error."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            yield from ((t,) for e in node.value.elts if (t := _constant(e)))


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


def _phrase(node: ast.expr) -> str:
    """Return a sentence with its values numbered; empty for what is not written out."""
    if not isinstance(node, ast.JoinedStr):
        return _constant(node)
    parts: list[str] = []
    for part in node.values:
        written = _constant(part)
        values = sum(each.startswith("{") for each in parts)
        parts.append(written or f"{{{values}}}")
    return "".join(parts)


def _constant(node: ast.expr) -> str:
    """Return a literal text; empty for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case _:
            return ""

"""The tables of protocol.md, drawn from the code, so that both say the same.

    python tools/protocol/tables.py          # rewrite the tables in protocol.md

A table stands between `<!-- table: NAME -->` and `<!-- end -->`.  NAME is `limits`,
`errors`, `link`, or `message Hello`, `body Genesis`, `struct Terms`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from netplay import errors, limits, link, wire

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "protocol.md"
MESSAGES: Final = ROOT / "netplay" / "messages"
_BLOCK: Final = re.compile(r"<!-- table: ([^>]+) -->\n.*?<!-- end -->", re.DOTALL)


class Field(NamedTuple):
    """A field of a message as the source has it."""

    name: str
    type: str
    meaning: str


class Message(NamedTuple):
    """A message as the source has it."""

    purpose: str
    tag: str
    fields: tuple[Field, ...]


def fill(text: str) -> str:
    """Return the page with every table drawn anew."""
    return _BLOCK.sub(
        lambda found: f"<!-- table: {found[1]} -->\n{table(found[1])}<!-- end -->",
        text,
    )


def table(name: str) -> str:
    """Return one table.

    Raises:
        KeyError: There is none of this name.
    """
    drawn = {"limits": _limits, "errors": _errors, "link": _link}
    if name in drawn:
        return drawn[name]()
    kind, message = name.split()
    found = messages()[message]
    head = ""
    if kind == "message":
        head = f"Type {number(message)}. "
    elif kind == "body":
        head = f"Tag {found.tag}. "
    rows = [(f.name, f.type, f.meaning) for f in found.fields]
    drawing = _draw(("field", "type", "meaning"), rows) if rows else "No fields.\n"
    return f"{head}{found.purpose}\n\n{drawing}"


def number(message: str) -> int:
    """Return the type number of a message between nodes."""
    return next(n for n, kind in wire.KINDS.items() if kind.__name__ == message)


def messages() -> dict[str, Message]:
    """Return every struct of the messages between nodes, by name."""
    found: dict[str, Message] = {}
    for name in ("link", "table", "log"):
        tree = ast.parse((MESSAGES / f"{name}.py").read_text("utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = _message(node)
    return found


def _message(node: ast.ClassDef) -> Message:
    """Return what a class says of a message."""
    tag = next((ast.unparse(k.value) for k in node.keywords if k.arg == "tag"), "")
    purpose = " ".join((ast.get_docstring(node) or "").split())
    return Message(purpose, tag, tuple(_fields(node)))


def _fields(node: ast.ClassDef) -> Iterator[Field]:
    """Yield the fields with the strings below them."""
    for at, each in enumerate(node.body):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            after = node.body[at + 1] if at + 1 < len(node.body) else None
            yield Field(each.target.id, _type(each.annotation), _string(after))


def _string(node: ast.stmt | None) -> str:
    """Return a string that stands alone, on one line."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


def _type(node: ast.expr) -> str:
    """Return a type as protocol.md writes it, limits included."""
    text = ast.unparse(node)
    text = re.sub(r"Meta\((.*?)\)", lambda found: _limit(found[1]), text)
    return text.replace("Annotated", "").replace("|", "or")


def _limit(text: str) -> str:
    """Return limits with named sizes replaced by their numbers."""
    return re.sub(r"[A-Z][A-Z_]+", lambda found: str(_size(found[0])), text)


def _size(name: str) -> int:
    """Return a named size of the messages."""
    for module in ("types", "table", "log"):
        found = getattr(sys.modules[f"netplay.messages.{module}"], name, None)
        if isinstance(found, int):
            return found
    raise KeyError(name)


def _limits() -> str:
    """Return every limit and timer with its reason."""
    tree = ast.parse((ROOT / "netplay" / "limits.py").read_text("utf-8"))
    rows: list[tuple[str, str, str]] = []
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            value = getattr(limits, name)
            rows.append((f"`{name}`", f"{value}", _string(tree.body[at + 1])))
    return _draw(("name", "value", "why"), rows)


def _errors() -> str:
    """Return the error registry."""
    rows = [(str(c.number), f"`{c.name}`", c.text) for c in errors.Code]
    return _draw(("number", "name", "what the user is told"), rows)


def _link() -> str:
    """Return the state table of a link."""
    triggers = list(link.Trigger)
    rows = [
        (
            f"**{state.name}**",
            *[
                after.name if (after := link.MOVES.get((state, trigger))) else "-"
                for trigger in triggers
            ],
        )
        for state in link.State
    ]
    return _draw(("in state", *[trigger.name for trigger in triggers]), rows)


def _draw(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(fill(PAGE.read_text("utf-8")), "utf-8")

"""The tables of protocol.md, drawn from the code, so that both say the same.

    python -m tools.protocol.tables          # rewrite the tables in protocol.md

A table stands between `<!-- table: NAME -->` and `<!-- end -->`.  NAME is one of

    kinds, bodies, types, errors, link
    limits wire, limits own         those that nodes agree on, and the others
    message Hello, body Genesis, struct Terms
    constants netplay.match.election      every named number of a module with its reason
    game numlo                      options and moves of a game
    exclusions                      options of games that exclude each other
    numbers triangles               cells, letters, outcomes: see `numbering`
    transcript                      two nodes from Hello to the audit
"""

import ast
import re
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from netplay import errors, wire
from netplay.messages import log as log_messages
from netplay.peering import link
from rules import GAMES
from tools.protocol import excluding, numbering
from tools.protocol.annotations import described
from tools.protocol.retelling import retold

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "protocol.md"
MESSAGES: Final = ROOT / "netplay" / "messages"
LETTERS: Final = MESSAGES / "letters.py"
DISCOVERY: Final = ROOT / "netplay" / "finding" / "discovery.py"
_BLOCK: Final = re.compile(r"<!-- table: ([^>]+) -->\n.*?<!-- end -->", re.DOTALL)


class Field(NamedTuple):
    """A field of a message, or a named number, as the source has it."""

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
        lambda found: f"<!-- table: {found[1]} -->\n{table(found[1])}<!-- end -->", text
    )


def names(text: str) -> list[str]:
    """Return the names of the tables in a page."""
    return [found[1] for found in _BLOCK.finditer(text)]


def table(name: str) -> str:
    """Return one table.

    Raises:
        KeyError: There is none of this name.
    """
    kind, _, rest = name.partition(" ")
    return _DRAWERS[kind](rest)


def number(message: str) -> int:
    """Return the type number of a message between nodes."""
    return next(n for n, kind in wire.KINDS.items() if kind.__name__ == message)


def messages() -> dict[str, Message]:
    """Return every struct of the messages between nodes, by name."""
    found: dict[str, Message] = {}
    paths = [MESSAGES / f"{name}.py" for name in ("link", "table", "log")]
    for path in (*paths, DISCOVERY):
        for node in _source(path):
            if isinstance(node, ast.ClassDef) and _travels(node):
                found[node.name] = _message(node)
    return found | _structs(LETTERS)


def _structs(path: Path) -> dict[str, Message]:
    """Return the structs of a module that travel, by name."""
    classes = [node for node in _source(path) if isinstance(node, ast.ClassDef)]
    return {node.name: _message(node) for node in classes if _travels(node)}


def _travels(node: ast.ClassDef) -> bool:
    """Tell whether a class is a struct that travels between nodes."""
    bases = (ast.unparse(base) for base in node.bases)
    return any(base.rpartition(".")[2] == "Message" for base in bases)


def _source(path: Path) -> list[ast.stmt]:
    """Return the statements of a module."""
    return ast.parse(path.read_text("utf-8")).body


def _message(node: ast.ClassDef) -> Message:
    """Return what a class says of a message."""
    tag = next((ast.unparse(k.value) for k in node.keywords if k.arg == "tag"), "")
    purpose = " ".join((ast.get_docstring(node) or "").split())
    return Message(purpose, tag, tuple(_fields(node.body)))


def _fields(body: list[ast.stmt]) -> Iterator[Field]:
    """Yield annotated names with the strings below them."""
    for each, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield Field(each.target.id, described(each.annotation), _string(after))


def _string(node: ast.stmt | None) -> str:
    """Return a string that stands alone, on one line."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


def _kinds(_: str) -> str:
    """Return all messages by type number."""
    found = messages()
    rows = [
        (str(n), f"`{kind.__name__}`", found[kind.__name__].purpose)
        for n, kind in sorted(wire.KINDS.items())
    ]
    return _draw(("type", "message", "purpose"), rows)


def bodies() -> list[str]:
    """Return the names of the bodies of the log, by tag."""
    kinds = typing.get_args(log_messages.LogBody)
    return [
        kind.__name__ for kind in sorted(kinds, key=lambda k: k.__struct_config__.tag)
    ]


def _bodies(_: str) -> str:
    """Return all bodies of the log by tag."""
    found = messages()
    rows = [(found[n].tag, f"`{n}`", found[n].purpose) for n in bodies()]
    return _draw(("tag", "body", "purpose"), rows)


def _struct(kind: str) -> Callable[[str], str]:
    """Return what draws the fields of a message, body or struct."""

    def drawn(name: str) -> str:
        found = messages()[name]
        head = {"message": f"Type {number(name)}. " if kind == "message" else ""}
        before = head.get(kind, f"Tag {found.tag}. " if found.tag else "")
        rows = [(f"`{f.name}`", f.type, f.meaning) for f in found.fields]
        drawing = _draw(("field", "type", "meaning"), rows)
        return f"{before}{found.purpose}\n\n{drawing}"

    return drawn


def _types(_: str) -> str:
    """Return the named types that the fields of messages use."""
    rows: list[tuple[str, str]] = []
    paths = [MESSAGES / f"{name}.py" for name in ("types", "table", "log")]
    for path in (*paths, LETTERS, DISCOVERY):
        for node in _source(path):
            match node:
                case ast.AnnAssign(ast.Name(alias), ast.Name("TypeAlias"), value=kind):
                    if isinstance(kind, ast.Subscript) and not _called(kind):
                        rows.append((f"`{alias}`", described(kind)))
                case _:
                    pass
    return _draw(("name", "type"), rows)


def _called(kind: ast.Subscript) -> bool:
    """Tell whether a named type is of something that is called, and never travels."""
    return isinstance(kind.value, ast.Name) and kind.value.id == "Callable"


def _constants(module: str) -> str:
    """Return every named number of a module with its reason."""
    return _draw_numbers(_numbers(module))


def _numbers(module: str) -> list[tuple[str, str, str]]:
    """Return name, value and reason of every named number of a module."""
    found = import_module(module)
    path = ROOT / (module.replace(".", "/") + ".py")
    return [
        (name, str(value), meaning)
        for name, _, meaning in _fields(_source(path))
        if isinstance(value := getattr(found, name, None), int | float)
        and not name.startswith("_")
    ]


def _draw_numbers(rows: list[tuple[str, str, str]]) -> str:
    """Return a table of named numbers."""
    return _draw(("name", "value", "why"), [(f"`{n}`", v, why) for n, v, why in rows])


AGREED: Final = frozenset(
    {
        "HANDSHAKE_FRAME_BYTES",
        "FRAME_BYTES",
        "ENTRY_BYTES",
        "HANDSHAKE_SECONDS",
        "PING_SECONDS",
        "SILENCE_SECONDS",
        "FRAME_SECONDS",
        "FRAMES_A_SECOND",
        "FRAMES_AT_ONCE",
        "HANDSHAKE_FRAMES",
        "MEMBER_FRAMES_A_SECOND",
        "MEMBER_FRAMES_AT_ONCE",
        "MATCH_ENTRIES",
        "MATCH_BYTES",
        "RESOURCE_BYTES",
        "PIECES_A_SECOND",
        "PIECES_AT_ONCE",
        "CARRIED_A_SECOND",
        "CARRIED_AT_ONCE",
        "LINE_WINDOW_BYTES",
        "LINES_CARRIED",
        "LINES_A_PEER",
        "LINES_OPENED_A_SECOND",
        "LINES_OPENED_AT_ONCE",
        "LETTERS_A_PEER",
        "LETTERS_A_PEER_BYTES",
        "LETTERS_A_PAIR",
        "LETTERS_A_PAIR_BYTES",
        "LETTERS_A_SECOND",
        "LETTERS_AT_ONCE",
        "CHAT_LINES",
        "CHAT_SECONDS",
        "CHAT_RATE",
        "CHAT_KEPT",
        "WRITTEN_KEPT",
        "BEACON_PORT",
        "BEACON_BYTES",
        "BEACON_LIFE_SECONDS",
        "BEACON_SKEW_SECONDS",
        "PROBE_PAUSE_SECONDS",
        "PROBES_AT_ONCE",
    }
)
"""Limits that another node meets: whoever goes over them is refused or not heard."""


def _limits(*, agreed: bool) -> str:
    """Return the limits that nodes agree on, or those that are each one's own."""
    rows = [row for row in _numbers("netplay.limits") if (row[0] in AGREED) is agreed]
    return _draw_numbers(rows)


def _errors(_: str) -> str:
    """Return the error registry."""
    rows = [(str(c.number), f"`{c.name}`", c.text) for c in errors.Code]
    return _draw(("number", "name", "what the user is told"), rows)


def _link(_: str) -> str:
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


def _game(name: str) -> str:
    """Return options and moves of a game, as they are encoded."""
    about = GAMES[name].ABOUT
    seats = f"{about.seats[0]} to {about.seats[-1]}"
    head = f"`{name}`, rules version {about.version}, seats {seats}"
    head += f", {about.hz} ticks a second.\n\n" if about.hz else ".\n\n"
    fields = msgspec.structs.fields(about.options)
    options = [(f"`{f.name}`", _plain(f.type)) for f in fields]
    moves = [_move(kind) for kind in typing.get_args(about.move)]
    return (
        head
        + _draw(("option", "type"), options)
        + "\n"
        + _draw(("move", "array", "meaning"), moves)
    )


def _move(kind: Any) -> tuple[str, str, str]:  # noqa: ANN401 (any game's move)
    """Return a move: name, encoding and meaning."""
    fields = [f"{f.name}: {_plain(f.type)}" for f in msgspec.structs.fields(kind)]
    array = ", ".join([f'"{kind.__struct_config__.tag}"', *fields])
    meaning = " ".join((kind.__doc__ or "").split("\n\n", maxsplit=1)[0].split())
    return f"`{kind.__name__}`", f"[{array}]", meaning


def _plain(kind: Any) -> str:  # noqa: ANN401 (any annotation)
    """Return a type of the rules as protocol.md writes it."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        parts = [f"{f.name}: {_plain(f.type)}" for f in msgspec.structs.fields(kind)]
        return f"[{', '.join(parts)}]"
    args = typing.get_args(kind)
    match typing.get_origin(kind):
        case typing.Annotated:
            return f"{_plain(args[0])} {args[1].ge}..{args[1].le}"
        case typing.Literal:
            return " or ".join(f'"{each}"' for each in args)
        case origin if origin is tuple:
            return f"array of {_plain(args[0])}"
        case _:
            name: str = kind.__name__
            return {"bytes": "bin"}.get(name, name)


def _draw(head: tuple[str, ...], rows: list[Any]) -> str:
    """Return a table in Markdown; words for one without rows."""
    if not rows:
        return "No fields.\n"
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_DRAWERS: Final[dict[str, Callable[[str], str]]] = {
    "kinds": _kinds,
    "bodies": _bodies,
    "types": _types,
    "errors": _errors,
    "limits": lambda which: _limits(agreed=which == "wire"),
    "link": _link,
    "message": _struct("message"),
    "body": _struct("body"),
    "struct": _struct("struct"),
    "constants": _constants,
    "game": _game,
    "exclusions": lambda _: _draw(("game", "option", "goes with"), [*excluding.rows()]),
    "transcript": lambda _: retold(),
    "numbers": lambda name: _draw(*numbering.drawing(name)),
}


if __name__ == "__main__":
    PAGE.write_text(fill(PAGE.read_text("utf-8")), "utf-8")

"""How many rooms the program has, and how deep they are: `python -m tools.rooms`.

Prints the figures that CONTRIBUTING asks to keep an eye on, one a line, or as JSON
(`--json`); with `--whys`, where a guard lacks a word on why.
Nothing of the program is imported or run: files are read as text and
parsed, so a checkout that does not start can be measured, too.
"""

import argparse
import ast
import io
import json
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("netplay", "client", "rules")
LONGEST: Final = 800
"""Lines of a module at most, as CONTRIBUTING says."""
DEEPEST: Final = 60
"""Lines of a function at most."""

GUARDED: Final = {
    "netplay/match/replicated.py": (
        "receive",
        "accept",
        "step",
        "outgoing",
        "deadline",
    ),
    "netplay/match/dealing.py": ("owed",),
    "netplay/match/election.py": ("vote", "wake", "deadline", "on_claim", "on_grant"),
    "netplay/match/journal.py": (
        "write",
        "sync",
        "release",
        "may_wait",
        "ring",
        "keep",
    ),
    "netplay/match/members.py": ("renew", "look"),
    "netplay/match/parts.py": ("renew",),
    "netplay/table/tables.py": ("ask", "answer", "receive"),
    "netplay/table/answers.py": ("at_table",),
    "netplay/daemon/node.py": ("answer",),
}
"""Where each guard says why: what a match owes and in which order, who may be host, and
where questions and messages go.  What these functions call of their own file counts."""

_SKIPPED: Final = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Room:
    """One module, parsed."""

    def __init__(self, path: Path) -> None:
        """Read and parse a file."""
        self.path: Final = path
        self.text: Final = path.read_text("utf-8")
        self.tree: Final = ast.parse(self.text)
        self.nodes: Final = list(ast.walk(self.tree))
        self.docstrings: Final = _docstrings(self.nodes)
        self.comments: Final = _comments(self.text)

    def code(self) -> set[int]:
        """Return the numbers of the lines that hold code."""
        lines: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type not in _SKIPPED and token.string:
                lines.update(range(token.start[0], token.end[0] + 1))
        return lines - self.docstrings

    def imports(self) -> set[int]:
        """Return the numbers of the lines that import."""
        return {
            line
            for node in self.nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }

    def functions(self) -> list[Function]:
        """Return all functions and methods."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return [node for node in self.nodes if isinstance(node, kinds)]

    def called_once(self) -> list[Function]:
        """Return the private functions that this file names once, to call them."""
        named: Counter[str] = Counter()
        for node in self.nodes:
            if isinstance(node, ast.Name):
                named[node.id] += 1
            elif isinstance(node, ast.Attribute):
                named[node.attr] += 1
        return [f for f in self.functions() if is_private(f) and named[f.name] == 1]

    def whyless(self, named: tuple[str, ...]) -> list[int]:
        """Return where guards lack a comment, in functions and what they call.

        Args:
            named: The functions.
        """
        own = {function.name: function for function in self.functions()}
        todo, seen = [own[name] for name in named], set[str]()
        lines: list[int] = []
        while todo:
            function = todo.pop()
            if function.name in seen:
                continue
            seen.add(function.name)
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                    todo += [own[node.attr]] if node.attr in own else []
                if isinstance(node, ast.If | ast.While) and not self._says_why(node):
                    lines.append(node.lineno)
        return sorted(lines)

    def _says_why(self, guard: ast.If | ast.While) -> bool:
        """Tell whether a comment stands above, beside, or first in what is guarded."""
        return any(
            n in self.comments
            for n in range(guard.lineno - 1, guard.body[0].lineno + 1)
        )


def is_private(function: Function) -> bool:
    """Tell whether a function is its module's own."""
    return function.name.startswith("_") and not function.name.startswith("__")


def _docstrings(nodes: list[ast.AST]) -> set[int]:
    """Return the lines of docstrings, those behind a field or constant among them."""
    lines: set[int] = set()
    for node in nodes:
        body = getattr(node, "body", None)  # one expression in a lambda
        for child in body if isinstance(body, list) else ():
            if not isinstance(child, ast.Expr):
                continue
            value = child.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                last = child.end_lineno or child.lineno
                lines.update(range(child.lineno, last + 1))
    return lines


def _comments(text: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {t.start[0] for t in tokens if t.type == tokenize.COMMENT}


def rooms() -> Iterator[Room]:
    """Yield all modules of the program."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield Room(path)


def whyless() -> list[tuple[str, int]]:
    """Return where a guard of `GUARDED` lacks a word on why."""
    return [
        (path, line)
        for path, named in GUARDED.items()
        for line in Room(ROOT / path).whyless(named)
    ]


def measure(found: list[Room]) -> dict[str, int | float | str]:
    """Return the figures by name.

    Args:
        found: The modules, at least one.
    """
    code = sum(len(room.code()) for room in found)
    functions = [f for room in found for f in room.functions()]
    owners: defaultdict[str, set[Path]] = defaultdict(set)
    for room in found:
        for function in room.functions():
            if not function.name.startswith("_"):
                owners[function.name].add(room.path)
    verb, files = max(owners.items(), key=lambda item: (len(item[1]), item[0]))
    longest = max(found, key=lambda room: room.text.count("\n"))
    lengths = [(f.end_lineno or f.lineno) - f.lineno + 1 for f in functions]
    return {
        "files": len(found),
        "code": code,
        "imports, percent": round(100 * sum(len(r.imports()) for r in found) / code, 1),
        "comments, percent": round(100 * sum(len(r.comments) for r in found) / code, 1),
        "private functions": sum(map(is_private, functions)),
        "called once": sum(len(room.called_once()) for room in found),
        "functions past the limit": sum(length > DEEPEST for length in lengths),
        "most used public name": f"{verb} ({len(files)} files)",
        "guards without a why": len(whyless()),
        "longest module": longest.text.count("\n"),
        "longest module's path": longest.path.relative_to(ROOT).as_posix(),
        "modules past the limit": sum(r.text.count("\n") > LONGEST for r in found),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the program's structure.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--whys", action="store_true", help="list guards without why")
    arguments = parser.parse_args()
    if arguments.whys:
        for path, line in whyless():
            print(f"{path}:{line}")
        return
    figures = measure(list(rooms()))
    if arguments.json:
        print(json.dumps(figures))
        return
    width = max(map(len, figures))
    for name, value in figures.items():
        print(f"{name:{width}}  {value}")


if __name__ == "__main__":
    main()

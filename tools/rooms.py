"""How many rooms the program has, and how deep they are: `python -m tools.rooms`.

Prints the figures that CONTRIBUTING asks to keep an eye on, one a line, or as JSON
(`--json`); with `--whys`, where a guard lacks a word on why; with `--privates` and
`--prose`, where tests reach into private names and compare sentences; with
`--collection`, how many seconds of processor pytest takes to collect the tests.
Nothing of the program is imported or run: files are read as text and
parsed, so a checkout that does not start can be measured, too.
"""

import argparse
import ast
import io
import json
import os
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("netplay", "client", "rules")
LONGEST: Final = 800
"""Lines of a module at most, as CONTRIBUTING says."""
DEEPEST: Final = 60
"""Lines of a function at most."""
MEANINGS: Final = 12
"""Files in which a public name of a function has a meaning of its own, at most."""

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

    @cached_property
    def docstrings(self) -> set[int]:
        """The lines of docstrings; to tell takes long, and few ask."""
        return _docstrings(self.nodes)

    @cached_property
    def comments(self) -> set[int]:
        """The lines that have a comment; likewise."""
        return _comments(self.text)

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
        """Return the private functions that this file names once, to call them.

        Not those that are handed to somebody who calls them: an entry of a registry, a
        task, a key to sort by.
        """
        named = Counter(map(_name, self.nodes))
        called = {_name(node.func) for node in self.nodes if isinstance(node, ast.Call)}
        return [
            f
            for f in self.functions()
            if is_private(f.name) and named[f.name] == 1 and f.name in called
        ]

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


def _name(node: ast.AST) -> str:
    """Return what a node names, empty for nothing."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_private(name: str) -> bool:
    """Tell whether a name is its module's, or its class's, own."""
    return name.startswith("_") and not name.startswith("__") and name != "_"


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


class Clicks:
    """Where a click is known by the name of its node, in place of what it means.

    A name is followed from `Click(name=...)` and `intent.name` into the functions of
    the window that it is handed to.
    """

    def __init__(self, rooms_: list[Room]) -> None:
        """Look at the rooms of the window."""
        self._functions: Final = {
            (room.path.stem, function.name): function
            for room in rooms_
            for function in room.functions()
        }
        self._seen: Final[set[tuple[str, str, str]]] = set()
        self.count = 0
        for room in rooms_:
            for node in room.nodes:
                if isinstance(node, ast.match_case):
                    self._case(room.path.stem, node)
            for function in room.functions():
                self._follow(room.path.stem, function, set())

    def _case(self, stem: str, case: ast.match_case) -> None:
        """Count what a case of a click asks of its name."""
        for pattern in ast.walk(case.pattern):
            if not (
                isinstance(pattern, ast.MatchClass)
                and isinstance(pattern.cls, ast.Name)
                and pattern.cls.id == "Click"
            ):
                continue
            for key, value in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
                if key != "name":
                    continue
                self.count += _alternatives(value)
                if isinstance(value, ast.MatchAs) and value.name:
                    for part in (case.guard, *case.body):
                        if part is not None:
                            self._follow(stem, part, {value.name})

    def _follow(self, stem: str, root: ast.AST, names: set[str]) -> None:
        """Count what is asked of a name below a node, and where it is handed to."""
        if names:
            for node in ast.walk(root):
                if isinstance(node, ast.Assign) and _holds(node.value, names):
                    names |= {
                        each.id
                        for target in node.targets
                        for each in ast.walk(target)
                        if isinstance(each, ast.Name)
                        and isinstance(node.value, ast.Call | ast.Name)
                        and not _hands_on(node.value)
                    }
        for node in ast.walk(root):
            if isinstance(node, ast.Compare):
                self.count += _holds_itself([node.left, *node.comparators], names)
            elif isinstance(node, ast.Match) and _holds(node.subject, names):
                self.count += sum(_alternatives(each.pattern) for each in node.cases)
            elif isinstance(node, ast.Subscript):
                self.count += _holds_itself([node.slice], names)
            elif isinstance(node, ast.Call):
                self._call(stem, node, names)

    def _call(self, stem: str, call: ast.Call, names: set[str]) -> None:
        """Count a question to the name, or follow it into a function."""
        if isinstance(call.func, ast.Attribute):
            self.count += bool(
                call.func.attr in _ASKED and _holds_itself([call.func.value], names)
            )
            owner = call.func.value
            stem = owner.id if isinstance(owner, ast.Name) else ""
            called = call.func.attr
        else:
            called = call.func.id if isinstance(call.func, ast.Name) else ""
        function = self._functions.get((stem, called))
        if function is None:
            return
        for parameter, given in zip(function.args.args, call.args, strict=False):
            key = stem, called, parameter.arg
            if _holds_itself([given], names) and key not in self._seen:
                self._seen.add(key)
                for part in function.body:
                    self._follow(stem, part, {parameter.arg})


_ASKED: Final = frozenset({"startswith", "partition", "rpartition", "removeprefix"})
"""What is done with a name to know what it is of."""


def _hands_on(value: ast.expr) -> bool:
    """Tell whether a call is one of a function, not of a text's own method."""
    return isinstance(value, ast.Call) and not (
        isinstance(value.func, ast.Attribute) and value.func.attr in _ASKED
    )


def _alternatives(pattern: ast.pattern) -> int:
    """Return how many texts a pattern compares with."""
    if isinstance(pattern, ast.MatchOr):
        return sum(map(_alternatives, pattern.patterns))
    return int(isinstance(pattern, ast.MatchValue))


def _is_named(node: ast.AST, names: frozenset[str] | set[str] = frozenset()) -> bool:
    """Tell whether a node is the name of a click."""
    if isinstance(node, ast.Name):
        return node.id in names
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "name"
        and isinstance(node.value, ast.Name)
        and node.value.id in {"intent", "click"}
    )


def _holds_itself(nodes: list[ast.expr], names: set[str]) -> int:
    """Return 1 if one of some expressions is the name of a click."""
    return int(any(_is_named(node, names) for node in nodes))


def _holds(root: ast.AST, names: set[str]) -> bool:
    return any(_is_named(node, names) for node in ast.walk(root))


class Interface(NamedTuple):
    """What a class promises, or what a class or module has."""

    path: Path
    shapes: dict[str, tuple[int, str]]
    """Of each public function: how many parameters, and what it returns."""

    bases: list[str]
    is_protocol: bool = False


def owned(found: list[Room]) -> dict[str, set[Path]]:
    """Return in which files each public name of a function has a meaning of its own.

    A method of a protocol means one thing, however many there are who have it: forty
    pages each have the `scene` that `client/pages/screen.py` asks of a page, and a
    reader who knows one knows them all.  So whoever has all functions of a protocol,
    with as many parameters and the same result (any, where the protocol says `Any`), is
    counted as the protocol's file; and a method that overrides one of a class of the
    program as the file of that class.

    Args:
        found: The modules.
    """
    scopes = [scope for room in found for scope in _scopes(room)]
    named = {name: scope for name, scope in scopes if name}
    protocols = [scope for _, scope in scopes if scope.is_protocol]
    owners: defaultdict[str, set[Path]] = defaultdict(set)
    for _, scope in scopes:
        for name in scope.shapes:
            owners[name].add(_declaring(name, scope, named, protocols).path)
    return owners


def _declaring(
    name: str, scope: Interface, named: dict[str, Interface], protocols: list[Interface]
) -> Interface:
    """Return what has declared a name that somebody has."""
    for base in (named[each] for each in scope.bases if each in named):
        if base is not scope and name in base.shapes:
            return _declaring(name, base, named, protocols)
    return next(
        (p for p in protocols if name in p.shapes and _has_all(scope, p)), scope
    )


def _has_all(scope: Interface, protocol: Interface) -> bool:
    """Tell whether somebody has all functions of a protocol."""
    return all(
        (has := scope.shapes.get(name)) is not None
        and has[0] == count
        and result in {has[1], "Any"}
        for name, (count, result) in protocol.shapes.items()
    )


def _scopes(room: Room) -> Iterator[tuple[str, Interface]]:
    """Yield the public functions of a module and of its classes, with their names."""
    yield "", Interface(room.path, _shapes(room.tree.body, 0), [])
    for node in room.nodes:
        if isinstance(node, ast.ClassDef):
            bases = [ast.unparse(base).partition("[")[0] for base in node.bases]
            bases = [base.rpartition(".")[2] for base in bases]
            is_protocol = "Protocol" in bases
            yield (
                node.name,
                Interface(room.path, _shapes(node.body, 1), bases, is_protocol),
            )


def _shapes(body: list[ast.stmt], own: int) -> dict[str, tuple[int, str]]:
    """Return what the public functions of a body take and return; no properties.

    Args:
        body: Statements.
        own: Parameters that nobody hands over: `self`.
    """
    return {
        each.name: (
            len(each.args.args) + len(each.args.posonlyargs) - own
            + len(each.args.kwonlyargs),
            ast.unparse(each.returns) if each.returns else "",
        )
        for each in body
        if isinstance(each, Function)
        and not each.name.startswith("_")
        and not each.decorator_list
    }  # fmt: skip


def measure(found: list[Room]) -> dict[str, int | float | str]:
    """Return the figures by name.

    Args:
        found: The modules, at least one.
    """
    code = sum(len(room.code()) for room in found)
    functions = [f for room in found for f in room.functions()]
    owners = owned(found)
    verb, files = max(owners.items(), key=lambda item: (len(item[1]), item[0]))
    longest = max(found, key=lambda room: room.text.count("\n"))
    lengths = [(f.end_lineno or f.lineno) - f.lineno + 1 for f in functions]
    return {
        "files": len(found),
        "code": code,
        "imports, percent": round(100 * sum(len(r.imports()) for r in found) / code, 1),
        "comments, percent": round(100 * sum(len(r.comments) for r in found) / code, 1),
        "private functions": sum(is_private(f.name) for f in functions),
        "called once": sum(len(room.called_once()) for room in found),
        "functions past the limit": sum(length > DEEPEST for length in lengths),
        "most used public name": f"{verb} ({len(files)} files)",
        "guards without a why": len(whyless()),
        "clicks matched by string": Clicks(
            [room for room in found if room.path.is_relative_to(ROOT / "client")]
        ).count,
        "longest module": longest.text.count("\n"),
        "longest module's path": longest.path.relative_to(ROOT).as_posix(),
        "modules past the limit": sum(r.text.count("\n") > LONGEST for r in found),
    }


class Suite:
    """The tests: how long they are, and what they lean on."""

    def __init__(self, folder: Path = ROOT / "tests") -> None:
        """Read and parse all files below a folder."""
        self.folder: Final = folder
        self.lines = 0
        self._privates: list[str] = []
        self._prose: list[tuple[str, str]] = []
        for path in sorted(folder.rglob("*.py")):
            # No tree outlives its file: all together are a million objects, which would
            # be looked through for garbage again and again.
            text, name = path.read_text("utf-8"), path.relative_to(folder).as_posix()
            nodes = list(ast.walk(ast.parse(text)))
            self.lines += text.count("\n")
            self._privates += [
                f"{name}:{getattr(node, 'lineno', 0)}: {what}"
                for node, what in _foreign(nodes)
            ]
            self._prose += [
                (name, f"{name}:{getattr(node, 'lineno', 0)}: {what}")
                for node, what in _compared(nodes)
            ]

    def privates(self) -> list[str]:
        """Return where a private name of somebody else is used, as `path:line: name`.

        That is an attribute `_x` of anything but `self` and `cls`, unless the file has
        made the name itself; and `_x` imported from another file.
        """
        return self._privates

    def prose(self, below: str = "") -> list[str]:
        """Return where a sentence is compared, as `path:line: text`.

        A sentence is two words beside each other, one of them in small letters, in a
        literal (or in the list, tuple or mapping of such) that `==`, `!=`, `in`,
        `not in`, `startswith`, `endswith`, `count` or `match=` compares with something.
        It is counted once for each comparison.

        Left out are the tests of what makes the sentences (`WORDED`), and those of the
        rules, by whose design the English sentence is the code (`netplay/said.py`):
        they are listed when asked for by their folder, as any other folder is.  For the
        same reason what is compared with the `error` of a step, which the rules have
        raised, is no sentence anywhere.

        Args:
            below: A folder or file of the tests, to count whatever lies there.
        """
        return [
            told
            for name, told in self._prose
            if name.startswith(below) and (below or not name.startswith(WORDED))
        ]


WORDED: Final = (
    "rules/",  # the sentence is the code
    "tools/",  # said to those who make the program
    "fuzz/",
    "simulation/",  # names of what it does: it looks at no text of the program
    "test_book.py",  # documents
    "test_protocol_md.py",
    "client/test_languages.py",  # the catalogues
    "client/test_source_document.py",
    "netplay/test_sentences.py",
    "netplay/text/",  # what it makes is sentences
)
"""Tests of what makes the sentences, where each may be compared once."""

_SENTENCE: Final = re.compile(
    r"[^\W\d_]{2,}[,;:.]? (?![A-Z\W\d])[^\W\d_]{2,}"
    r"|\b(?![A-Z\W\d])[^\W\d_]{2,}[,;:.]? [^\W\d_]{2,}"
)
_COMPARING: Final = frozenset({"startswith", "endswith", "count"})


_DOCUMENTED: Final = frozenset({"_asdict", "_exit", "_replace"})
"""Of the standard library, public in spite of their names."""


def _foreign(nodes: list[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """Yield what uses a private name of somebody else, and the name."""
    attributes = [n for n in nodes if isinstance(n, ast.Attribute)]
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    own = {n.name for n in nodes if isinstance(n, defined)} | _DOCUMENTED
    own |= {n.id for n in nodes if _is_made(n) and isinstance(n, ast.Name)}
    own |= {n.attr for n in attributes if _is_made(n) and _is_of_self(n)}
    for each in attributes:
        if is_private(each.attr) and not _is_of_self(each) and each.attr not in own:
            yield each, each.attr
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names = (each.name for each in node.names)
            yield from ((node, name) for name in names if is_private(name))


def _is_made(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _is_of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}


def _compared(nodes: list[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """Yield what compares a sentence, and the first sentence there."""
    for node in nodes:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(isinstance(n, ast.Attribute) and n.attr == "error" for n in sides):
                continue
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            sides = node.args if node.func.attr in _COMPARING else []
        elif isinstance(node, ast.keyword) and node.arg == "match":
            sides = [node.value]
        else:
            continue
        texts = (text for side in sides for text in _literals(side))
        text = next((each for each in texts if _SENTENCE.search(each)), None)
        if text is not None:
            yield node, text


def _literals(node: ast.expr) -> Iterator[str]:
    """Yield the texts that are written out in an expression, none of its calls'."""
    if isinstance(node, ast.Constant):
        yield from [node.value] if isinstance(node.value, str) else []
    elif isinstance(
        node,
        ast.JoinedStr | ast.List | ast.Tuple | ast.Set | ast.Dict | ast.BinOp
        | ast.Starred | ast.BoolOp | ast.IfExp,
    ):  # fmt: skip
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from _literals(child)


def collection() -> float:
    """Return how many seconds of processor pytest needs to collect the tests."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only"]
    before = os.times()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    spent = after.children_user - before.children_user
    return round(spent + after.children_system - before.children_system, 1)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the program's structure.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--whys", action="store_true", help="list guards without why")
    parser.add_argument("--privates", action="store_true", help="list private names")
    parser.add_argument(
        "--prose", nargs="?", const="", metavar="BELOW", help="list compared sentences"
    )
    parser.add_argument("--collection", action="store_true", help="time collecting")
    arguments = parser.parse_args()
    if arguments.whys:
        for path, line in whyless():
            print(f"{path}:{line}")
        return
    suite = Suite()
    if arguments.privates or arguments.prose is not None:
        listed = suite.privates() if arguments.privates else []
        if arguments.prose is not None:
            listed += suite.prose(arguments.prose)
        print(*listed, sep="\n")
        return
    figures = measure(list(rooms())) | {
        "lines of tests": suite.lines,
        "private names in tests": len(suite.privates()),
        "sentences in tests": len(suite.prose()),
        "sentences of rules in tests": len(suite.prose("rules/")),
    }
    if arguments.collection:
        figures["collecting, seconds of processor"] = collection()
    if arguments.json:
        print(json.dumps(figures))
        return
    width = max(map(len, figures))
    for name, value in figures.items():
        print(f"{name:{width}}  {value}")


if __name__ == "__main__":
    main()

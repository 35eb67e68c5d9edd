"""The figures of structure and tests, and that each guard of the core says why."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tools.rooms import DEEPEST, MEANINGS, Room, Suite, owned, rooms, whyless

SOURCE = """
class Match:
    def step(self):
        if self.over:
            return
        # Nobody else can.
        if self.host:
            self._enter()
        while self.waiting:  # in their order
            self._enter()

    def _enter(self):
        if self.stopped:
            # The disk has failed.
            return
        if self.full:
            return

    def other(self):
        if self.any:
            return
"""


def test_a_guard_without_a_comment_is_found_also_in_what_a_function_calls(
    tmp_path: Path,
) -> None:
    path = tmp_path / "match.py"
    path.write_text(SOURCE, "utf-8")
    assert Room(path).whyless(("step",)) == [4, 16]


def test_each_guard_of_the_core_and_of_dispatch_says_why() -> None:
    assert whyless() == []


ONCE = """
class Match:
    def ask(self, question):
        if self._is_over():
            return None
        return {Play: self._play, Stop: _stop}[type(question)](question)

    def _is_over(self):
        return sorted(self.seats, key=_place)[0] is None

    def _play(self, question):
        return _twice(_twice(question))

def _stop(question): ...
def _place(seat): ...
def _twice(question): ...
"""


def test_what_is_handed_to_somebody_who_calls_it_is_not_called_once(
    tmp_path: Path,
) -> None:
    path = tmp_path / "match.py"
    path.write_text(ONCE, "utf-8")
    assert [each.name for each in Room(path).called_once()] == ["_is_over"]


def test_no_function_is_too_long_and_no_verb_has_too_many_meanings() -> None:
    found = list(rooms())
    past = [
        f"{room.path.name}:{function.name}"
        for room in found
        for function in room.functions()
        if (function.end_lineno or 0) - function.lineno >= DEEPEST
    ]
    assert past == []
    owners = owned(found)
    assert {name: len(has) for name, has in owners.items() if len(has) > MEANINGS} == {}


DECLARED = """
class Page(Protocol):
    def scene(self, model: Model) -> Node: ...

class Typed(Protocol):
    def read(self, words: str) -> Any: ...

class State:
    def wake(self, now: float) -> None: ...
"""

FULFILLED = """
def scene(seen: Model) -> Node:
    return seen.node

class Rack:
    def read(self, words: str) -> Move:
        return words

class Book:
    def read(self) -> Any:
        return 1

class Playing(state.State):
    def wake(self, now: float) -> None:
        self.now = now

class Bell:
    def wake(self) -> bool:
        return True
"""


def test_who_fulfils_a_protocol_or_overrides_gives_a_verb_no_other_meaning(
    tmp_path: Path,
) -> None:
    written = []
    for name, text in {"screen": DECLARED, "start": FULFILLED}.items():
        path = tmp_path / f"{name}.py"
        path.write_text(text, "utf-8")
        written.append(Room(path))
    found = {
        name: {path.stem for path in paths} for name, paths in owned(written).items()
    }
    assert found == {
        "read": {"screen", "start"},
        "scene": {"screen"},
        "wake": {"screen", "start"},
    }


TESTED = """
from program import _reached


class Fake:
    def __init__(self):
        self._own = 1


def test_it(node, cls):
    assert Fake()._own == node._links[0]._replace(a=1)
    cls._mine = node.__dict__
    node._door.close()
    assert "you are blocked" in node.told and node.said == "Anna"
    assert [f"{node} has left", node] != said("you are blocked"), "one word"
    assert node.told.startswith(("Ann plays", "no")) or node.word == "e4 c5"
    with raises(ValueError, match="too many"):
        node.press("save the game")
    assert node.told == {"why": "Das war's: die Tür ist zu"}
    assert step.error == "The time is over"
    assert step.error.text in ("The time is over", step.error)
"""


def test_private_names_of_others_and_compared_sentences_are_found(
    tmp_path: Path,
) -> None:
    (tmp_path / "rules").mkdir()
    for name in ("test_it.py", "rules/test_it.py"):
        (tmp_path / name).write_text(TESTED, "utf-8")
    suite = Suite(tmp_path)
    assert {each for each in suite.privates() if each.startswith("test")} == {
        "test_it.py:11: _links",
        "test_it.py:13: _door",
        "test_it.py:2: _reached",
    }
    lines = [14, 15, 16, 17, 19, 21]
    assert sorted(int(each.split(":")[1]) for each in suite.prose()) == lines
    assert len(suite.prose("rules/")) == len(lines)
    assert suite.lines == 2 * TESTED.count("\n")


def test_tests_lean_on_no_more_private_names_and_sentences_than_they_did() -> None:
    # A ceiling goes down with what it holds, and never up: ask for a status, a view, a
    # file, a message on the wire; compare a code (`Says`), a key or a value.
    suite = Suite()
    assert len(suite.privates()) <= 18
    assert len(suite.prose()) <= 27


HASTY = """
async def test_it(node):
    with trio.fail_after(20):
        await node.answer()
    with pytest.raises(trio.TooSlowError), trio.fail_after(1.5):
        await node.never()
    with trio.fail_after(PATIENCE), open(node) as file:
        await node.wait()

async def test_that(autojump_clock):
    with trio.fail_after(5):
        await node.answer()
"""


def hasty(text: str) -> Iterator[int]:
    """Yield the lines at which real time is waited for, two minutes at the most."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, functions) or "clock" in ast.unparse(function.args):
            continue
        for block in ast.walk(function):
            if isinstance(block, ast.With | ast.AsyncWith):
                managers = [each.context_expr for each in block.items]
                if "TooSlowError" in " ".join(map(ast.unparse, managers)):
                    continue
                for each in managers:
                    match each:
                        case ast.Call(
                            func=ast.Attribute(attr="fail_after"),
                            args=[ast.Constant(value=int() | float() as seconds)],
                        ) if seconds < 120:
                            yield each.lineno


def test_no_test_is_so_hasty_that_a_busy_machine_fails_it() -> None:
    """`PATIENCE` costs nothing while all is well."""
    assert list(hasty(HASTY)) == [3]
    tests = Path(__file__).parents[1]
    found = {
        f"{path.relative_to(tests)}:{line}"
        for path in tests.rglob("*.py")
        if "fail_after" in (text := path.read_text("utf-8"))
        for line in hasty(text)
    }
    assert found == set()

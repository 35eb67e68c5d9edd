"""The figures of the structure, and that each guard of the match's core says why."""

from pathlib import Path

from tools.rooms import Room, whyless

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

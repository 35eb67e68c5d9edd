"""Links between the nodes: streams that are slow, cut and full of holes."""

from collections import deque

SILENCE = 12.0
"""Seconds after which a link that says nothing is given up."""


class Link:
    """A stream each way between two nodes."""

    def __init__(self, a: str, b: str) -> None:
        self.open = {a: True, b: True}
        """Which side believes in it."""
        self.arrives = {a: 0.0, b: 0.0}
        """When the last message to a side arrives."""
        self.queue: dict[str, deque[tuple[bytes, str]]] = {a: deque(), b: deque()}
        """What is under way to a side, and the lie if it is one: streams keep order."""

    def other(self, name: str) -> str:
        return next(end for end in self.open if end != name)

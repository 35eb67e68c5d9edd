"""How far long work is, on a terminal; nothing is said in a pipe, or with `--json`.

It stands on standard error, under what is printed meanwhile, and is gone at the end.
"""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def progress(text: str, total: int | None = None) -> Generator[Callable[[int], None]]:
    """Show a bar while something goes on.

    Args:
        text: What goes on, in the user's language.
        total: How much there is to do; None if nobody knows.

    Yields:
        What is told how much is done.
    """
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    # Imported late: it takes longer than most commands.
    from rich.console import Console  # noqa: PLC0415 (as above)
    from rich.progress import Progress  # noqa: PLC0415 (as above)

    console = Console(stderr=True, highlight=False)
    # What is written into a pipe has to go there, not over the bar.
    shown = sys.stdout.isatty()
    with Progress(console=console, transient=True, redirect_stdout=shown) as bar:
        task = bar.add_task(text, total=total)
        yield lambda done: bar.update(task, completed=done)


def counted(text: str, what: Iterable[T] | Sequence[T]) -> Iterator[T]:
    """Yield one thing after the other, and show how many have been done."""
    things = list(what)
    with progress(text, len(things)) as tell:
        for number, thing in enumerate(things):
            tell(number)
            yield thing

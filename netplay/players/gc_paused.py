"""A thought without the search for circles among its objects."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Generator[None]:
    """Put the search off until the end.

    A thought holds up to a million small objects.  To go through them all takes a
    tenth of a second, now and then, in vain: hardly any are in a circle, and the
    others go when nobody needs them.  What is left over is found afterwards.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()

"""Numbers on the command line: what is none is said in the user's language."""

import argparse
import math
from collections.abc import Callable

from netplay.language import _


def whole(least: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number, for `add_argument`.

    Args:
        least: The smallest that will do; None for any.
    """

    def read(text: str) -> int:
        try:
            found = int(text)
        except ValueError:
            why = _("{text} is not a whole number").format(text=repr(text))
            raise argparse.ArgumentTypeError(why) from None
        if least is not None and found < least:
            why = _("{text} is less than {least}").format(text=text, least=least)
            raise argparse.ArgumentTypeError(why)
        return found

    return read


def real(text: str) -> float:
    """Return a number that may have a fraction.

    Raises:
        argparse.ArgumentTypeError: It is none.
    """
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        why = _("{text} is not a number").format(text=repr(text))
        raise argparse.ArgumentTypeError(why)
    return found

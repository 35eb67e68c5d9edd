"""The lexicons at hand, found by digest: see `rules.shelf`.

Of a shipped one only the header is looked at, so that it costs nothing at the start
of a program.
"""

from importlib.resources import as_file
from importlib.resources.abc import Traversable
from typing import Final

from rules.lexicon.graph import Lexicon, open_file
from rules.shelf import Shelf


def _opened(place: Traversable) -> Lexicon:
    # A package inside an archive is unpacked for the moment; the mapping stays.
    with as_file(place) as path:
        return open_file(path)


_SHELF: Final = Shelf("words", ".graph", _opened)

find = _SHELF.find
forget = _SHELF.forget
load = _SHELF.load
own = _SHELF.own
register = _SHELF.register
shipped = _SHELF.shipped

"""The editions at hand, found by digest: see `rules.shelf`."""

from importlib.resources.abc import Traversable
from typing import Final

from rules.editions.edition import Edition
from rules.editions.reading import read
from rules.shelf import Shelf


def _opened(place: Traversable) -> Edition:
    return read(place.read_text("utf-8"))


_SHELF: Final = Shelf("editions", ".toml", _opened)

find = _SHELF.find
forget = _SHELF.forget
load = _SHELF.load
own = _SHELF.own
register = _SHELF.register
shipped = _SHELF.shipped

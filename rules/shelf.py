"""Things at hand, found by digest: those shipped with the program and later ones.

Editions and word lists are kept the same way: a folder of the package holds those
that are shipped, each by its name, and whatever else the program comes to know is
registered as long as it runs - by its digest, and by a name if the user gave it one.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final, Generic, Protocol, TypeVar


class Item(Protocol):
    """What has a digest for its true name."""

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal digits."""
        ...


T = TypeVar("T", bound=Item)


class Shelf(Generic[T]):
    """The things of one kind."""

    def __init__(
        self, folder: str, suffix: str, opened: Callable[[Traversable], T]
    ) -> None:
        """Look at nothing yet.

        Args:
            folder: Of the package `rules`, with a file for each thing shipped.
            suffix: How the names of those files end.
            opened: Returns the thing of a file.
        """
        self._folder: Final = folder
        self._suffix: Final = suffix
        self._opened: Final = opened
        self._loaded: Final[dict[str, T]] = {}
        self._registered: Final[dict[str, T]] = {}
        self._own: Final[dict[str, str]] = {}

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The names of what is shipped, in alphabetical order."""
        entries = (entry.name for entry in (files("rules") / self._folder).iterdir())
        found = (name for name in entries if name.endswith(self._suffix))
        return tuple(sorted(name.removesuffix(self._suffix) for name in found))

    @cached_property
    def _shipped(self) -> Mapping[str, str]:
        return MappingProxyType({name: self.load(name).digest for name in self._names})

    def shipped(self) -> Mapping[str, str]:
        """Return what is shipped: name -> digest, in alphabetical order."""
        return self._shipped

    def own(self) -> Mapping[str, str]:
        """Return what the user has under a name: name -> digest, in that order."""
        return MappingProxyType(dict(sorted(self._own.items())))

    def load(self, name: str) -> T:
        """Return what is shipped under a name, such as "english".

        Raises:
            LookupError: Nothing is.
        """
        if name not in self._names:
            raise LookupError(name)
        if name not in self._loaded:
            place = files("rules") / self._folder / f"{name}{self._suffix}"
            self._loaded[name] = self._opened(place)
        return self._loaded[name]

    def register(self, item: T, name: str = "") -> None:
        """Make something be found, as long as the program runs.

        Args:
            item: What is to be found by its digest.
            name: The user's own name for it; empty for none.  It then no longer
                stands for what it stood for; that is still found by its digest.
        """
        self._registered[item.digest] = item
        if name:
            self._own[name] = item.digest

    def forget(self, name: str) -> None:
        """Forget a name of the user's own; what it stood for is still found."""
        self._own.pop(name, None)

    def find(self, digest: str) -> T:
        """Return what has a digest, shipped or registered.

        Raises:
            LookupError: It is not here.
        """
        if digest in self._registered:
            return self._registered[digest]
        for name, other in self.shipped().items():
            if other == digest:
                return self.load(name)
        raise LookupError(digest)

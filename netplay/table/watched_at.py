"""The member at whose node this one watches a match, or asks to."""

from collections.abc import Iterable, Iterator

from netplay.desk import Dial
from netplay.errors import Code
from netplay.messages.table import Attend, Bystanders
from netplay.table.shared import Shared


class WatchedAt:
    """Whom this node asks to watch, and what came of it."""

    def __init__(self, shared: Shared, address: str, match: bytes = b"") -> None:
        """Begin by looking for a member.

        Args:
            shared: What all tables of the node have in common.
            address: Where to call; empty for any member whose address is known.
            match: Which match, once it is known.
        """
        self._shared = shared
        self._address = address
        self.match = match
        self.key: bytes | None = None
        """The member where this node watches."""
        self.watches = False
        self.given_up = False
        """Nobody is to be asked any more; what is here can be looked at."""

    def calls(self, address: str) -> bool:
        """Tell whether an address is called and has not answered yet."""
        waits = self.key is None and not self.given_up
        return waits and bool(address) and address == self._address

    def dials(self, members: Iterable[bytes]) -> Iterator[Dial]:
        """Yield the links that are missing.

        Args:
            members: Whoever plays in the match, as far as that is known.
        """
        places, key = self._shared.places, self.key
        if self.given_up:
            return
        if key is not None:
            yield Dial(places.get(key, self._address), key)
        elif self._address:
            yield Dial(self._address, None)
        else:
            for member in members:
                yield Dial(places.get(member, ""), member)

    def up(self, key: bytes, address: str, *, member: bool = False) -> None:
        """Ask whoever has come, if it is the one called, or any member will do."""
        called = bool(self._address) and address == self._address
        mine = key == self.key if self.key else called or member
        if mine and not self.given_up:
            self.key = key
            self._shared.befriend((key,))
            self._shared.changed = self._shared.moved = True
            self._shared.say((key,), Attend(self.match))

    def told(self, key: bytes, message: Bystanders) -> bool:
        """Take how things stand; return whether this node may watch from now on."""
        shared = self._shared
        mine = [one for one in message.bystanders if one.key == shared.me]
        if key != self.key or not mine or self.match not in {b"", message.match}:
            return False
        self.match = message.match
        watches = mine[0].watches
        if not watches and not self.watches:
            name = shared.name_of(key)
            shared.tell(f"asked to watch; waiting for the players at {name}")
        begins, self.watches = watches and not self.watches, watches
        return begins

    def leave(self) -> None:
        """Watch no longer."""
        if self.key is not None and not self.given_up:
            self._shared.decline(self.key, Code.STOPPED, "left")
        self.end()

    def end(self) -> None:
        """Ask nobody any more."""
        self.given_up, self.watches = True, False
        self._shared.moved = True

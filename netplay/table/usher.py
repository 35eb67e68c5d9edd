"""Answers to windows and commands about watching, being watched, and playing again."""

from collections.abc import Mapping
from typing import Final, get_args

from netplay.errors import Code, LocalError
from netplay.messages.door import Tool
from netplay.messages.types import Admission
from netplay.table.attending import Attending
from netplay.table.sitting import NONCE_BYTES, Sitting

_WISHES: Final[Mapping[str, Admission]] = {one: one for one in get_args(Admission)}


class Usher:
    """Shows bystanders in and out."""

    def __init__(self, sitting: Sitting) -> None:
        """Stand at the desk."""
        self._sitting: Final = sitting

    def answer(self, ask: Tool, now: float) -> str:
        """Return the answer to one of the verbs.

        `watch ADDRESS`; `watchers allow|refuse [WHOM]`; `rematch`;
        `bystanders ask|anybody|nobody`.

        Raises:
            LocalError: It cannot be done.
        """
        match ask.verb, ask.arguments:
            case "watch", (address,) if address.strip():
                return self._watch(address.strip())
            case "watchers", ("allow" | "refuse" as said, *rest) if len(rest) < 2:
                return self._choose("".join(rest), allow=said == "allow")
            case "bystanders", (wish,):
                return self._admission(wish)
            case "rematch", ():
                return self._rematch(now)
            case _:
                detail = f"{ask.verb} {' '.join(ask.arguments)}: that is not understood"
                raise LocalError(Code.USAGE, detail)

    def _watch(self, address: str) -> str:
        """Ask a player at an address to be let watch."""
        sitting = self._sitting
        if sitting.busy:
            raise LocalError(Code.USAGE, "leave the table you are at first")
        sitting.drop()
        sitting.joining = None
        sitting.attending = Attending(sitting, address)
        for key, peer in sitting.peers.items():
            if peer.up and peer.address == address:
                sitting.attending.up(key, address)
        return f"calling {address}"

    def _choose(self, whom: str, *, allow: bool) -> str:
        """Let somebody watch, or not."""
        with self._sitting.guarded:
            name = self._sitting.gallery.choose(whom, allow=allow)
        return f"{name} may watch" if allow else f"{name} may not watch"

    def _admission(self, wish: str) -> str:
        """Choose who may watch without being asked about."""
        sitting = self._sitting
        found = _WISHES.get(wish)
        if found is None:
            raise LocalError(Code.USAGE, f"ask, anybody or nobody, not {wish!r}")
        if sitting.match is not None and not sitting.match.watching:
            with sitting.guarded:
                sitting.gallery.admission(found)
        elif sitting.forming is not None:
            sitting.forming.admit(found)
            sitting.propose()
        else:
            raise LocalError(Code.NO_TABLE, "no match is being played here")
        return f"bystanders: {found}"

    def _rematch(self, now: float) -> str:
        """Play again."""
        sitting = self._sitting
        text, offer = sitting.rematch.want(sitting.means.entropy(NONCE_BYTES))
        if offer is not None:
            sitting.look_at(*offer)
        elif sitting.forming is not None:
            sitting.propose()
            if sitting.forming.agreed:
                sitting.start(now)
        return text

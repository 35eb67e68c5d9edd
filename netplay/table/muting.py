"""What windows and commands ask about being told: mute, and quiet hours."""

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint
from netplay.peering.peers import one_met
from netplay.said import Said
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.muted import Muted, voice
from netplay.table.place import Place
from netplay.table.places import Places
from netplay.table.shared import Shared


def set_quiet(muted: Muted, hours: str) -> Said:
    """Set the quiet hours; return what to say.

    Raises:
        LocalError: USAGE, these are none; DISK.
    """
    muted.set_hours(hours)
    if muted.hours is None:
        return Says.NEVER_QUIET()
    start, _, end = str(muted.hours).partition("-")
    return Says.QUIET(start=start, end=end)


def mute_player(
    shared: Shared, places: Places, whom: str, guest: str, *, on: bool
) -> Said:
    """Mute a player's chat, or a guest's there, or no longer; return what to say.

    Raises:
        LocalError: USAGE, nobody is called so, or several are; DISK.
    """
    key, name = one_met(places.players(), shared.means.known.names(), whom)
    shared.means.muted.mute_player(voice(key, guest), on=on)
    name = shown_name(guest or name) or fingerprint(key)
    return Says.MUTED(name=name) if on else Says.NO_LONGER_MUTED(name=name)


def mute_table(muted: Muted, place: Place | None, *, on: bool) -> Said:
    """Mute a table, or no longer; return what to say.

    Raises:
        LocalError: NO_TABLE, there is none; DISK.
    """
    terms = None if place is None else place.table.terms
    if terms is None:
        raise LocalError(Code.NO_TABLE)
    muted.mute_table(terms.nonce, on=on)
    return Says.TABLE_MUTED() if on else Says.TABLE_NO_LONGER_MUTED()

"""Who is meant: a player by name, or by the fingerprint of the key."""

from collections.abc import Mapping

from netplay.errors import Code, LocalError
from netplay.fingerprint import fingerprint, folded
from netplay.peering.namesakes import alike
from netplay.sentences import Says


def one_met(
    here: Mapping[bytes, str], met: Mapping[bytes, str], whom: str
) -> tuple[bytes, str]:
    """Return key and name of who is meant: who is here before anybody else.

    Args:
        here: What each player who is here is called.
        met: The same of all who were ever met.
        whom: As for `one_named`.

    Raises:
        LocalError: USAGE, nobody or more than one is called so.
    """
    try:
        key = one_named(here, whom)
    except LocalError:
        key = one_named({**met, **here}, whom)
    return key, here.get(key) or met.get(key, "")


def one_named(names: Mapping[bytes, str], whom: str) -> bytes:
    """Return the key that is meant.

    Args:
        names: What each player is called.
        whom: A fingerprint, or a name as somebody may type it.

    Raises:
        LocalError: USAGE, nobody or more than one is called so.
    """
    by_key = [key for key in names if folded(fingerprint(key)) == folded(whom)]
    exact = [key for key, name in names.items() if name == whom]
    similar = [key for key, name in names.items() if alike(name, whom)]
    found = by_key or exact or similar
    if len(found) > 1:
        keys = ", ".join(map(fingerprint, found))
        detail = Says.SEVERAL_NAMED(whom=whom, keys=keys)
        raise LocalError(Code.USAGE, detail)
    if not found:
        known = ", ".join(sorted({name for name in names.values() if name}))
        detail = Says.NOT_AMONG(name=whom, names=known)
        if not known:
            detail = Says.NOBODY_HERE()
        raise LocalError(Code.USAGE, detail)
    return found[0]

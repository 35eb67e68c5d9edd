"""The port that the user has chosen for the next starts of the node."""

from typing import Final

from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.peering.address import PORT
from netplay.sentences import Says

NAME: Final = "port"
"""A setting."""


def kept_port(home: Home) -> int:
    """Return where a node listens, unless its command line says otherwise."""
    text = home.setting(NAME)
    return int(text) if _is_port(text) else PORT


def keep_port(home: Home, text: str) -> int:
    """Keep a port for the next starts of the node, and return it.

    Raises:
        LocalError: USAGE, it is none; DISK, it cannot be kept.
    """
    if not _is_port(text):
        raise LocalError(Code.USAGE, Says.PORT_RANGE())
    home.set(NAME, str(int(text)))
    return int(text)


def _is_port(text: str) -> bool:
    """Tell whether a text is a port that others can be told."""
    return text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) < 65536

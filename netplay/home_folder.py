"""Which folder is the home: all that whoever only asks for it has to load.

`--help` asks, too, for the language that was chosen there.  To load `pathlib` takes as
long as all the rest of that, which is why names of files are texts here.
"""

import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

VARIABLE: Final = "NETPLAY_HOME"


def home_folder(chosen: str | None = None) -> "Path":
    """Return the folder the user chose, by option or environment, or the usual one.

    Args:
        chosen: By an option; None for none.
    """
    from pathlib import Path  # noqa: PLC0415 (as above)

    name = chosen or os.environ.get(VARIABLE)
    # pathlib's own raises where there is no such user
    return Path(os.path.expanduser(name)).absolute() if name else Path(_usual())


def home_name() -> str:
    """Return the same folder as a text, from wherever we are: nothing was chosen."""
    name = os.environ.get(VARIABLE)
    return os.path.expanduser(name) if name else _usual()


def _usual() -> str:
    if sys.platform == "linux":  # by the rule of the desktops, as platformdirs has it
        base = os.environ.get("XDG_DATA_HOME", "")
        if not os.path.isabs(base):
            base = os.path.expanduser("~/.local/share")
        return f"{base}/netplay"
    import platformdirs  # noqa: PLC0415 (most programs of ours are told the home)

    return platformdirs.user_data_dir("netplay", appauthor=False)

"""Which folder is the home: all that whoever only asks for it has to load."""

import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "NETPLAY_HOME"


def home_folder(chosen: str | None = None) -> Path:
    """Return the folder the user chose, by option or environment, or the usual one.

    Args:
        chosen: By an option; None for none.
    """
    name = chosen or os.environ.get(VARIABLE)
    if name:
        return Path(name).expanduser().absolute()
    import platformdirs  # noqa: PLC0415 (most programs of ours are told the home)

    return platformdirs.user_data_path("netplay", appauthor=False)

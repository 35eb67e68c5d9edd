"""What the user wants of computers' words."""

from typing import Final

from netplay.home import Home
from netplay.messages.node_questions import Setting

OFFENSIVE: Final[Setting] = "offensive-words"


def wished(home: Home, chosen: bool | None) -> bool:
    """Return whether words that offend are wanted: now, or by the setting.

    Args:
        home: Where the setting is.
        chosen: What the user says now; None to go by the setting.
    """
    return home.setting(OFFENSIVE, "off") == "on" if chosen is None else chosen


class WordChoice:
    """Which words computer players here lay, and hints and analysis offer.

    The node changes it when the user does; whoever thinks asks before each thought.
    """

    def __init__(self, *, offensive: bool = False) -> None:
        """Begin.

        Args:
            offensive: Whether words that offend may be among them.
        """
        self.offensive = offensive

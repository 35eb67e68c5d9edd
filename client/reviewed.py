"""What a window knows of the turns of a match that is over."""

from collections.abc import Mapping

from msgspec import Struct, field

from netplay.messages.review import Appraisal
from netplay.said import Said


class Review(Struct, frozen=True):
    """What is known of the turns of a match that is over."""

    match: bytes = b""
    known: Mapping[int, Appraisal | Said] = field(
        default_factory=dict[int, Appraisal | Said]
    )
    """By the move's place in the history: the plays, or why there are none."""
    chosen: int = -1
    """The play that lies on the board."""

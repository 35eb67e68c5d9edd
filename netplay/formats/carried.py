"""An edition of one's own inside a record, as notes that other programs pass over.

    #note netplay-edition 1/2 Base64...
    #note netplay-edition 2/2 Base64...

They stand behind everything else.  What they carry is the edition as it travels between
nodes, and is checked as if it came from one.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from typing import Final

from netplay.formats.placing import Faults
from rules import editions
from rules.editions import MAX_BYTES, Edition
from rules.sentence import RulesError, nested

LINE_CHARACTERS: Final = 480
"""Of Base64 in a line: a usual edition takes some five.  Programs that read no line of
more than 512 characters read these, too."""

LINES: Final = -(-MAX_BYTES * 4 // 3 // LINE_CHARACTERS) + 1
"""No edition takes more."""

_LINE: Final = re.compile(
    r"#note netplay-edition (\d{1,3})/(\d{1,3}) ([A-Za-z0-9+/=]+)"
)
_OURS: Final = "#note netplay-edition "


def is_part(line: str) -> bool:
    """Tell whether a line carries part of an edition."""
    return line.startswith(_OURS)


def lines(data: bytes) -> Iterator[str]:
    """Yield the lines that carry an edition, as it travels."""
    text = base64.b64encode(data).decode("ascii")
    starts = range(0, len(text), LINE_CHARACTERS)
    for number, start in enumerate(starts, 1):
        part = text[start : start + LINE_CHARACTERS]
        yield f"{_OURS}{number}/{len(starts)} {part}"


def edition(parts: Iterable[str]) -> Edition | None:
    """Return the edition that lines carry, None if there are none.

    Raises:
        Faults: Lines are missing or too many, or it is no edition.
    """
    found = list(parts)
    if not found:
        return None
    text: list[str] = []
    for number, line in enumerate(found, 1):
        part = _LINE.fullmatch(line)
        wanted = (number, len(found))
        if part is None or (int(part[1]), int(part[2])) != wanted or number > LINES:
            raise Faults("the lines of the edition in this record are not complete")
        text.append(part[3])
    try:
        return editions.decode(base64.b64decode("".join(text), validate=True))
    except (ValueError, binascii.Error) as error:
        why = nested(error.words) if isinstance(error, RulesError) else error
        raise Faults("the edition in this record is damaged: {why}", why=why) from None

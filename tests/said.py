"""Whether a sentence of the node is said, whatever its values are.

Tests name the code; the sentence itself stands in `netplay/sentences/` alone.
"""

import re

from netplay.said import Saying


def says(text: object, code: Saying) -> bool:
    """Tell whether a text has the sentence of a code in it, with any values."""
    parts = re.split(r"{\w+}", code.value)
    wanted = r"(?:.|\n)*?".join(map(re.escape, parts))
    return re.search(wanted.replace(r"\ ", r"\s+"), str(text)) is not None

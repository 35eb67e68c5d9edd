"""Whether a sentence of the node is said, and with which values.

Tests name the code; the sentence itself stands in `netplay/sentences/` alone.
"""

import re

from netplay.errors import Code
from netplay.said import Saying


def like(code: Saying | Code, **values: object) -> str:
    """Return the pattern of a sentence, for `re` and for `match=` of `raises`.

    Args:
        code: Its code.
        values: What stands in it; any value will do where none is given.
    """
    template = code.text if isinstance(code, Code) else code.value
    assert all(f"{{{name}}}" in template for name in values), (code, values)
    parts = re.split(r"{(\w+)}", template)
    for n, part in enumerate(parts):
        known = n % 2 == 0 or part in values
        # A line may be broken in it, and a capital stand where it begins one.
        text = re.escape(str(values[part]) if n % 2 else part) if known else ""
        parts[n] = text.replace(r"\ ", r"\s+") if known else r"(?:.|\n)*?"
    if parts[0]:
        parts[0] = re.sub(r"^[a-z]", lambda a: f"[{a[0]}{a[0].upper()}]", parts[0])
    return "".join(parts)


def says(text: object, code: Saying | Code, **values: object) -> bool:
    """Tell whether a text has the sentence of a code in it, as `like` takes it."""
    return re.search(like(code, **values), str(text)) is not None

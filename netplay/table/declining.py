"""Saying no to another node, and being told: always with a reason to be read."""

from netplay.errors import Code, by_number
from netplay.messages.table import Decline
from netplay.messages.types import REASON_CHARACTERS
from netplay.said import Said, Words, known
from netplay.sanitize import clean


def declining(table: bytes, code: Code, why: Words = "", revision: int = 0) -> Decline:
    """Return a Decline.

    Args:
        table: Which table; empty where none was named.
        code: What it means.
        why: What exactly; what the code means if that is not known.
        revision: Of the proposal that is declined.
    """
    reason = str(why)[:REASON_CHARACTERS] or code.text
    return Decline(table, revision, code.number, reason)


def heard(decline: Decline) -> Words:
    """Return why somebody says no, fit to be shown."""
    code = by_number(decline.code) or Code.UNEXPECTED
    return known(clean(decline.reason, REASON_CHARACTERS)) or Said(code.name)

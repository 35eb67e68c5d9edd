"""Spans of time in words, in the unit that tells most."""

from netplay.language import _, ngettext

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def lasting(seconds: int) -> str:
    """Return how long something lasts; empty for less than a minute."""
    if seconds < MINUTE:
        return ""
    if seconds < HOUR:
        return _("{n} min").format(n=seconds // MINUTE)
    if seconds < DAY:
        return _("{n} h").format(n=seconds // HOUR)
    days = seconds // DAY
    return ngettext("{n} day", "{n} days", days).format(n=days)


def left(seconds: int) -> str:
    """Return how much time is left, to the second where that may matter."""
    if seconds >= HOUR:  # four seconds into three days there are three left
        unit = DAY if seconds >= DAY else HOUR
        return lasting(seconds + unit // 2)
    minutes, rest = divmod(seconds, MINUTE)
    return f"{minutes}:{rest:02d}"

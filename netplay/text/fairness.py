"""How tiles are drawn, and what that promises, in words for window and terminal."""

from netplay.language import _, phrase
from netplay.messages.door import TableStatus
from netplay.messages.table import Fairness


def promise(fairness: Fairness) -> str:
    """Return what is promised, in a sentence or two."""
    if fairness == "encrypted":
        return _(
            "Encrypted: no computer, the host's included, can look into the bag; "
            "draws need everybody's. No outside cryptographer has reviewed it."
        )
    return _(
        "Committed: nobody can change a tile unnoticed, but the host's program "
        "could look."
    )


def promised(table: TableStatus) -> str:
    """Return what is promised at a table, and why not more."""
    return " ".join(filter(None, (promise(table.fairness), reason(table))))


def reason(table: TableStatus) -> str:
    """Return why tiles are not drawn in the usual way, empty if they are."""
    return f"({phrase(table.why_fairness)})" if table.why_fairness else ""

"""What the cells of a board are called, where a game knows two ways.

Letter and number are usual; a game's own page may have other names.  Like the language
the choice holds for the whole window, and is looked up where a name is shown.
"""

from typing import Final

LETTERS: Final = "letters"
"""By letter and number."""

PAGE: Final = "page"
"""As the game's page writes them."""


class _Current:
    """What is chosen now."""

    way: str = LETTERS


def call(way: str) -> None:
    """Use other names from now on."""
    _Current.way = way


def as_on_page() -> bool:
    """Tell whether cells are called as the game's page does."""
    return _Current.way == PAGE

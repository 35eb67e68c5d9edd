"""The five games, written from appendix C of protocol.md alone.

Nothing of netplay or rules is imported here.  Editions and word lists are given as
plain values.  Moves are taken for legal: it is the outcome that is compared.
"""

from typing import Any

from tests.second_rules.game import CHANCE, CLOCK
from tests.second_rules.hexagrams import Hexagrams
from tests.second_rules.hexcolumns import Hexcolumns
from tests.second_rules.lhexicon import Lhexicon
from tests.second_rules.networdz import Networdz
from tests.second_rules.numlo import Numlo

__all__ = ["CHANCE", "CLOCK", "GAMES"]

GAMES: dict[str, Any] = {
    "networdz": Networdz,
    "lhexicon": Lhexicon,
    "numlo": Numlo,
    "hexagrams": Hexagrams,
    "hexcolumns": Hexcolumns,
}

"""Every sentence that a node says, each with its code and its values.

An attribute of `Says` is a code; what it is called with are the values of its template.
Windows and commands put it into words (`netplay.language`), each in its user's
language.

It is one list, parted by subject: a code is looked up in `Says` wherever it stands, and
no two sentences get the same one.
"""

from collections.abc import Mapping
from typing import Final

from netplay.said import TEMPLATES, Saying
from netplay.sentences.home import OfFiles, OfTheHome, OfTheNode
from netplay.sentences.match import OfAMatch
from netplay.sentences.peers import OfPeers
from netplay.sentences.table import OfATable


class Says(OfTheHome, OfTheNode, OfPeers, OfATable, OfAMatch, OfFiles):
    """The whole list; of its own it has how sentences go together."""

    BECAUSE = Saying("{what}: {why}")
    THEN = Saying("{first}; {then}")
    BESIDE = Saying("{first}, {other}")
    DOUBTFUL = Saying("{name} ({doubt})")
    WORDS = Saying("{words}")
    QUOTE = Saying("“{words}”")
    ONE_OF = Saying("one of {values}")
    AT_BYTE = Saying("at byte {offset}: {why}")
    TAKEN_THERE = Saying("{path}; take another name, or --force to write over it")


SAYINGS: Final[Mapping[str, Saying]] = {
    name: one
    for part in Says.__mro__
    for name, one in vars(part).items()
    if isinstance(one, Saying)
}
"""The list by codes."""

TEMPLATES.update((code, one.value) for code, one in SAYINGS.items())

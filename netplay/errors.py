"""What can go wrong, in the user's words: the error registry of protocol.md.

Three kinds of error exist: `rules.game.IllegalMoveError` is part of play,
`PeerError` means that the other node broke the protocol (say why, hang up), and
`LocalError` that the user asked for something that cannot be.
"""

from enum import Enum
from typing import Final

from netplay.said import TEMPLATES, Said, Words, shortened
from netplay.sentences import Says


class Code(Enum):
    """A registered error: its number on the wire and what the user is told."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text

    BAD_FRAME = (1, "the other program sent bytes that are not a message")
    TOO_LARGE = (2, "the other program sent a message larger than is allowed")
    NOT_CANONICAL = (3, "the other program wrote a message in a forbidden way")
    UNEXPECTED = (4, "the other program sent a message out of place")
    VERSION = (5, "the other program speaks another version of the protocol")
    RULES = (6, "the other program has another version of this game's rules")
    WRONG_KEY = (7, "somebody else answers there")
    BAD_SIGNATURE = (8, "a signature does not fit what it signs")
    BAD_CERTIFICATE = (9, "the other node's certificate is not one of ours")
    SILENT = (10, "the other node fell silent")
    TOO_MANY = (11, "the other node sent more than is allowed in the time")
    BUSY = (12, "the other node has no room for another connection")
    NO_TABLE = (13, "no table is open there")
    TABLE_FULL = (14, "every seat of the table is taken")
    DECLINED = (15, "the proposal was declined")
    NOT_YOUR_TURN = (16, "it is not your turn")
    ILLEGAL_MOVE = (17, "the rules do not allow that move")
    BAD_PROOF = (18, "a tile is not the one that was drawn")
    FORK = (19, "the host signed two different histories of this game")
    BAD_LOG = (20, "the record of the game is damaged")
    BAD_DIGEST = (21, "the file received is not the one that was announced")
    UNKNOWN_MATCH = (22, "that game is not known here")
    NOT_A_MEMBER = (23, "that node has no seat in this game")
    STALE = (24, "that move was made for an earlier position")
    SELF = (25, "that is your own invitation or address")
    NO_ANSWER = (26, "there is no answer at that address")
    NO_ADDRESS = (27, "that address cannot be found")
    PORT_IN_USE = (28, "another program is using that port")
    BAD_WORDS = (29, "the word list cannot be read")
    BAD_EDITION = (30, "the edition cannot be read")
    DISK = (31, "a file could not be read or kept")
    USAGE = (32, "that is not something this program can do")
    TERM = (33, "another node is host of this game now")
    STOPPED = (34, "the game was stopped")
    FILE = (35, "that file cannot be read")
    NO_NODE = (36, "no node is running for this home")
    OUT_OF_STEP = (37, "the programs here see different positions")
    TAKEN = (38, "there is such a file already")
    KEY_IN_USE = (39, "one key is in use on two computers")
    NO_ROOM = (40, "as many tables are in hand here as there may be")
    TOO_EARLY = (41, "there is time left to think")
    FAULT = (42, "the program has made a mistake")


TEMPLATES.update((code.name, code.text) for code in Code)


class NetplayError(Exception):
    """An error with a registered code and a sentence for the user."""

    def __init__(self, code: Code, detail: Words = "") -> None:
        """Remember the code and what exactly happened, if more is known.

        Args:
            code: What it means.
            detail: A sentence; or a name, path or address, or the words of another
                program, which are shown as they are.
        """
        self.code: Final = code
        self.detail: Final = shortened(detail) if isinstance(detail, str) else detail
        super().__init__(str(self.said))

    @property
    def said(self) -> Said:
        """What the user is told: what the code means, and what exactly happened."""
        what = Said(self.code.name)
        if not self.detail or self.detail in {what, self.code.text}:
            return what
        said = self.detail
        if self.code in {Code.USAGE, Code.NO_TABLE}:  # what is wrong says as much
            return said if isinstance(said, Said) else Says.WORDS(words=said)
        if self.code is Code.TOO_MANY and isinstance(self, LocalError):
            # The player, of whom the code's words would say that another has erred
            return said if isinstance(said, Said) else Says.WORDS(words=said)
        apart = {Code.VERSION, Code.RULES, Code.NOT_A_MEMBER}
        if self.code in apart and isinstance(said, Said):
            return said  # so does who has to update, or who plays there
        return Says.BECAUSE(what=what, why=self.detail)

    @property
    def reason(self) -> str:
        """What another node is told of it; what is wrong here is our own business."""
        told = self.detail if isinstance(self, PeerError) else ""
        return str(told) or self.code.text


class PeerError(NetplayError):
    """The other node broke the protocol; a text says how, for those who wrote it."""


class LocalError(NetplayError):
    """The user, or a program of the user's, asked for what cannot be."""


def by_number(number: int) -> Code | None:
    """Return the registered code with a number, or None if there is none."""
    return next((code for code in Code if code.number == number), None)

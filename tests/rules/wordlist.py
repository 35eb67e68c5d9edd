"""A word list of a hundred words, so that random word games are quick.

In the shipped list a late position may have a hundred thousand plays, and finding
out that a move is not among them takes minutes.
"""

from functools import cache
from string import ascii_uppercase

from rules import lexicon

WORDS = """
AD ADD AH AIMS AR ARM AS ASIDE AT AX AY BANK BID BIND BLOCK BO BOX CALL CODE DAY DEEM
DOZEN DREW EATS EH END FEW FIRE FOOT FUN GI GO GOT GREAT GREW GROW HA HAIR HAS HE
HEAVY HERE HIM HINT ICE IS ITS JO JOBS KEY KI KILL KINDS LA LAW LED LO LOGS LOVE LUV
MA ME MOVIE MU NEW OD OR OUR OWN OX PAYS POET POP PUTT RE ROLL SAT SEEK SHAME SHE SIGN
SO SON SORRY TE THAN TIE TILL TRULY UH UP USES VAN WAY WHEN WIN WORN XI YES YOU
""".split()  # noqa: SIM905 (a list of words is easier to read so)


@cache
def small() -> str:
    """Return the digest of the word list, which rules can find from now on."""
    words = [[ascii_uppercase.index(letter) for letter in word] for word in WORDS]
    made = lexicon.read(lexicon.build(ascii_uppercase, words))
    lexicon.register(made)
    return made.digest

"""A word list of a few hundred words, so that random word games are quick.

In the shipped list a late position may have a hundred thousand plays, and finding
out that a move is not among them takes minutes.
"""

from functools import cache
from string import ascii_uppercase

from rules import lexicon

WORDS = """
AD ADD AH AIMS AND AR ARM AS ASIDE AT AWARD AWARE AWAY AX AY BANK BASED BED BID BILL
BIND BIT BITES BLOCK BO BORE BOUND BOX BREAK BUG CALL CARE CODE COULD DARK DAY DEEM
DELAY DOOR DOZEN DREW DUE EACH EATS EH END ENTRY EXTRA EYE FACE FEW FINDS FIRE FIVE
FLY FOOT FUN FUNDS GAP GI GO GOES GOT GREAT GREEN GREW GREY GROW GUARD GUESS GUN HA
HACK HAIR HAS HE HEADS HEAVY HELP HERE HES HIGH HIM HINT HOT HOUSE ICE ILL INFO IS
ISSUE ITEMS ITS JO JOB JOBS JOIN KEY KI KID KILL KILLS KINDS LA LABEL LABOR LAW LAY
LEADS LED LEFT LO LOG LOGS LOSS LOVE LUV MA MARRY ME MET MOVIE MU NEVER NEW NOISE OD
OIL OR OUR OWE OWN OX PATH PAY PAYS PIPE POET POP PUTS PUTT QUIT RE ROLL ROW SAT SAVE
SAW SEEK SEEKS SEEMS SHAME SHE SHEET SHIFT SHIP SHOWN SIGN SIX SLEEP SO SON SORRY
STOP SUGAR SUM TE TENDS TERMS THAN THIN THINK TIE TILL TRULY TRUTH TURN TWO UH UP
USES VALUE VAN WANT WAS WAY WHEN WHERE WHO WILD WIN WON WORN WRITE XI YEAR YES YET YOU
""".split()  # noqa: SIM905 (a list of words is easier to read so)


@cache
def small() -> str:
    """Return the digest of the word list, which rules can find from now on."""
    words = [[ascii_uppercase.index(letter) for letter in word] for word in WORDS]
    made = lexicon.read(lexicon.build(ascii_uppercase, words))
    lexicon.register(made)
    return made.digest

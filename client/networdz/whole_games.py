"""A whole game of Networdz in each language, as two computer players have played it.

The picture of the game and its last lesson show how it ended: a player who reads German
is not to find a board full of English words.
"""

from typing import Final, NamedTuple


class Played(NamedTuple):
    """Tiles and words; a small letter among tiles is a tile of several (CH, LL, RR)."""

    edition: str
    """Its name; the words are its own."""

    drawn: str
    """Who starts, and both racks."""

    turns: tuple[tuple[str, str], ...]
    """Each word as it is typed, and what came for it; at the end what the other has
    left."""


WHOLE: Final = {
    "en": Played(
        "networdz",
        "UAODPEMKRITEUIDI",
        (
            ("8D POKED", "ERICE"),
            ("D8 PITIED", "NBRET"),
            ("C12 RICE", "THOA"),
            ("B6 TRIBUNE", "VIDNERA"),
            ("A5 HAEM", "SY?E"),
            ("C1 INVADER", "WYTEIIR"),
            ("H8 DEsTROYS", "TAWCAIN"),
            ("A12 WIRY", "SZAL"),
            ("G7 NEW", "LE"),
            ("10F ASSIZE", "OEUQV"),
            ("1B CILIATE", "UGP?DF"),
            ("12H REVOLT", "NOEHL"),
            ("M12 TUFA", "OXA"),
            ("15J EQUAL", "REGU"),
            ("O11 GOADs", "ISOFA"),
            ("3B OVERHUNG", "TBLJAOA"),
            ("4B FAX", "NG"),
            ("E5 JABOT", "SMNO"),
            ("L5 PIANOS", ""),
            ("M2 MONAS", ""),
            ("K10 EGO", "LO"),
        ),
    ),
    "fr": Played(
        "french",
        "RHRIX?ANICHUEAAM",
        (
            ("8D XIANg", "TMECL"),
            ("D1 CHAMEAUX", "ODOTBNE"),
            ("3C CALMIR", "ISOJI"),
            ("H1 BORD", "NRB"),
            ("5A JOSEI", "EUED"),
            ("F7 BATONNER", "LKIPEHT"),
            ("5H ETUDIEE", "FEUISEI"),
            ("M3 KLEPHTE", "YDFPAA"),
            ("11E UNIFIEES", "EORNONV"),
            ("H10 AFFADI", "M?SGA"),
            ("8K VOTER", "IAEU"),
            ("A3 PYJAMaS", "ULOSTE"),
            ("6H EON", "LTT"),
            ("O1 GOUTS", "ZUEER"),
            ("O8 RUTILANT", "GVAWARS"),
            ("B9 ELUEREZ", "NSLEQRE"),
            ("10K VASAT", ""),
            ("G6 NENE", ""),
            ("7C WU", ""),
            ("I5 TORS", ""),
            ("12B ERG", "LQ"),
        ),
    ),
    "de": Played(
        "german",
        "YJEJOIEMURWNYISN",
        (
            ("8H EMOJI", "MBROD"),
            ("M6 NYS", "FBR"),
            ("K8 JUMBO", "RIES"),
            ("H7 BEWIRF", "ANMDE"),
            ("13K SIR", "ETO"),
            ("M3 NANNYS", "LÜT"),
            ("G5 DEO", "RAZ"),
            ("L12 MILD", "VED"),
            ("11A ZARTERER", "GSHTUPE"),
            ("C5 VERTÜDRE", "EUIUTLE"),
            ("N9 GEPUSHT", "HEQDCEA"),
            ("13C TUE", "TSN"),
            ("A11 ZACHE", "FXSU"),
            ("E6 UNEITELES", "IENGHSL"),
            ("4K QUADS", "KSEM"),
            ("8A ENTGEH", "ÄKGC"),
            ("O1 KESSEM", "IUÖ?E"),
            ("14E SÄCK", "THN"),
            ("5J XI", "NE"),
            ("6I HIS", "A?N"),
            ("15K ÖDETE", "NAR"),
            ("A1 aNLANGTE", "FU?NNAR"),
        ),
    ),
    "es": Played(
        "spanish",
        "NNZANTEDSAESEYrUEO",
        (
            ("H2 SEDANTE", "BUIISSO"),
            ("4H DERRUYO", "NAELE"),
            ("9D UBIOS", "ZGOOA"),
            ("C8 ENEALES", "ÑSLCRPR"),
            ("2D GOZOS", "?EQO"),
            ("M2 PROL", "PRM"),
            ("E8 OBSEQuIA", "UABNJEC"),
            ("8A PREÑO", "cEM"),
            ("15E ABUJE", "lOLR"),
            ("E1 CORCHE", "ICAT"),
            ("6B LLORAN", "AIHXA"),
            ("C3 MIMO", "IAH"),
            ("N1 XI", "ID"),
            ("14I CAHITAS", "EAOG?OU"),
            ("O8 HILADAS", "OACSNN"),
            ("F1 AZOO", "AFD"),
            ("B13 CON", "ATT"),
            ("11J FUGADA", "VEDED"),
            ("I1 TA", "RL"),
            ("B10 VE", "U"),
            ("J11 FACAS", ""),
            ("J2 sERRE", ""),
            ("4A TRINCHO", ""),
            ("10A UVE", ""),
            ("1E CAL", "DD"),
        ),
    ),
    "ru": Played(
        "russian",
        "ЕУИАНПЭЫЕЛЕОР?АЦ",
        (
            ("H7 НЭПА", "УЪКС"),
            ("7C ОРЛЕАНЦе", "ЛЕКТНМО"),
            ("E4 СЪЕЛИ", "ДЯТЩ"),
            ("K1 ТОЛКНЕМ", "ИЗУЕАЬР"),
            ("1G КУТЯТ", "ЕЕИД"),
            ("4H ЗАИКУ", "ЁУТО"),
            ("3G ЩИ", "СР"),
            ("4B ЕРЁСЬ", "ООСС"),
            ("B2 СРЕДЫ", "АКБТ"),
            ("2D СОСУ", "ЙПРК"),
            ("A6 БАТЕК", "ОЫЬЛГ"),
            ("10E ОТПАРКОЙ", "ЛАВРУБВ"),
            ("2J ГОЛОДЕ", "ИГЯОН"),
            ("O1 ВЕРБ", "ПИА"),
            ("K10 ОГОНЬ", "?ФВШ"),
            ("9K ПАВУ", "ЮСОН"),
            ("8L ФИфЫ", "ХООА"),
            ("12K ОСИЛЮ", "ТНЕП"),
            ("N11 ШЛЯХА", "ЗДВА"),
            ("I3 ТАНЕЦ", "ЧЕД"),
            ("O14 АЗ", "ММ"),
            ("14F ДОПЕЧЬ", "Ж"),
            ("15E ДОМОМ", ""),
            ("6E ЕЖ", ""),
            ("O7 ВЫ", ""),
            ("3B РАН", "В"),
        ),
    ),
}
"""By the language of the window."""

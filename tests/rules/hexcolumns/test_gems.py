"""How likely each hex is, in the source document's numbers."""

from collections import Counter
from fractions import Fraction

from rules import hexcolumns as game
from rules.game import CHANCE

MOTIFS = Counter(
    game.motif(gem.cell) for gem in game.moves(game.start(1, game.Options()), CHANCE)
)
TOTAL = sum(MOTIFS.values())


def test_the_six_colours_are_equally_likely() -> None:
    state = game.start(1, game.Options())
    drawn = Counter(game.colour(gem.cell) for gem in game.moves(state, CHANCE))
    assert drawn == dict.fromkeys(range(6), 120)


def test_one_hex_in_ten_has_a_motif() -> None:
    with_motif = TOTAL - MOTIFS[game.Motif.PLAIN]
    assert Fraction(with_motif, TOTAL) == Fraction(1, 10)


def test_two_motifs_in_three_are_squares() -> None:
    with_motif = TOTAL - MOTIFS[game.Motif.PLAIN]
    assert Fraction(MOTIFS[game.Motif.SQUARE], with_motif) == Fraction(2, 3)


def test_each_other_motif_is_one_in_twelve() -> None:
    with_motif = TOTAL - MOTIFS[game.Motif.PLAIN]
    others = [game.Motif.PLUS, game.Motif.MINUS, game.Motif.STAR, game.Motif.BOMB]
    assert {Fraction(MOTIFS[motif], with_motif) for motif in others} == {
        Fraction(1, 12)
    }


def test_there_are_five_motifs() -> None:
    assert len(set(MOTIFS) - {game.Motif.PLAIN}) == 5


def test_colour_and_motif_are_independent() -> None:
    state = game.start(1, game.Options())
    pairs = Counter(gem.cell for gem in game.moves(state, CHANCE))
    assert set(pairs) == set(range(1, game.KINDS + 1))
    for cell, times in pairs.items():
        assert times == MOTIFS[game.motif(cell)] // 6


def test_a_cell_keeps_its_colour_and_motif() -> None:
    for colour in range(6):
        for motif in game.Motif:
            cell = game.cell(colour, motif)
            assert (game.colour(cell), game.motif(cell)) == (colour, motif)

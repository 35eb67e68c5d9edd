"""After a match: each turn judged, each score explained, the whole as text."""

import json
from collections import Counter
from functools import cache
from math import prod
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from netplay.__main__ import main
from netplay.commands import show
from netplay.errors import LocalError
from netplay.formats import gcg
from netplay.messages.table_questions import TOTAL
from netplay.players.words.plays import Finder
from netplay.players.words.squares import board_of, lay_of, rack_of, words_of
from netplay.record.archive import describe
from netplay.record.fold import Fold
from netplay.record.ledger import make_genesis
from netplay.record.log import terms_data
from netplay.record.verify import replay
from netplay.record.views import moments
from netplay.review import grading
from netplay.review.appraising import appraise, offer
from netplay.sentences import Says
from rules import GAMES, networdz
from rules.game import CHANCE
from rules.networdz import Lay
from rules.networdz.judging import placed
from tests.netplay.party import Key, Party, make_terms, out_of_time
from tests.rules.networdz.positions import options, position
from tests.said import like

RECORD = """\
#player1 ann Ann
#player2 ben Ben
>ann: CEHORSS 8D CHORE +26 26
>ben: DINPTT? - +0 0
>ann: ENSSTUW D8 .UTES +14 40
"""


@cache
def whole(game: str = "networdz", moves: int = -1) -> Fold:
    small = {"numlo": {"size": 8, "values": False, "start": "othello"}}.get(game, {})
    party = Party(game, 2, GAMES[game].ABOUT.options(**small))
    party.link_all()
    if moves < 0:
        party.play_out(Random(5))
    else:
        party.settle()
        for _ in range(moves):
            party.play_one(Random(5))
            party.settle()
    return replay([line.raw for line in party.member(0).ledger.log.lines])


def test_each_turn_of_a_finished_match_stands_beside_the_best_plays() -> None:
    """Of the first turns: to judge one takes a second."""
    history = list(moments(whole()))
    for turn in list(grading.of_match(whole()))[:3]:
        judged = appraise(turn)
        move = history[turn.number].move
        after = history[turn.number].after
        if isinstance(move, Lay):
            assert judged.played.points == after.last.points
            assert {at for at, _, _ in judged.played.laid} == set(after.last.cells)
        assert judged.best == tuple(sorted(judged.best, key=lambda b: -b.value))
        assert judged.best[0].value >= judged.played.value
        assert judged.most >= max(each.points for each in judged.best)
        assert judged.loss == judged.most - judged.played.points
        for each in judged.best:
            assert each.points == sum(int(s.rsplit("= ")[-1]) for s in each.sums)


def test_a_turn_whose_time_ran_out_is_judged_as_its_seats() -> None:
    fold, seats = out_of_time(GAMES["networdz"].ABOUT.options(timed=1), "networdz")
    turns = list(grading.of_match(fold))
    assert [(turn.seat, turn.laid) for turn in turns] == [(seat, ()) for seat in seats]
    assert all(turn.lapsed for turn in turns)
    assert appraise(turns[0], at_sight=True).lapsed


def test_a_score_is_explained_word_by_word_with_its_premiums() -> None:
    sheet = gcg.read(RECORD.encode())
    first, second, third = grading.of_sheet(sheet)

    chore, passed, cutes = (
        appraise(each, at_sight=True).played for each in (first, second, third)
    )
    assert chore.sums == ("CHORE: (3×2 + 4 + 1 + 1 + 1) × 2 = 26",)
    assert passed.text == ""
    assert cutes.sums == ("CUTES: (3 + 1 + 1 + 1 + 1) × 2 = 14",)


def worth(added: str) -> int:
    """Return what a sum comes to that tells how points come about."""
    inner, _brackets, times = added.removeprefix("(").partition(") ")
    parts = (part.split("×") for part in inner.split(" + "))
    whole = sum(prod(map(int, part)) for part in parts)
    return whole * prod(int(each) for each in times.split("×") if each.strip())


def test_every_sum_that_is_shown_comes_out_and_all_make_the_points() -> None:
    lines = RECORD.splitlines()[:2]
    lines += [">ann: CHOREXX H4 CHORE +20 20", ">ben: NOTINGA 5E NOT.ING +44 44"]
    _first, second = grading.of_sheet(gcg.read("\n".join(lines).encode()))
    state, ground = second.before, networdz.ground(second.before.options)
    twice = 0
    for play in networdz.lays(state, second.seat):
        found = offer(state, placed(ground, state, play))
        scored = 0
        for line in found.sums:
            added, _is, total = line.partition(": ")[2].rpartition(" = ")
            if added:
                assert worth(added) == int(total), line
            scored += int(line.rpartition(" = ")[2])
        assert scored == found.points
        twice += "× 2 × 2" in "".join(found.sums)
    assert twice  # a word over two squares for words is among them


def test_the_command_names_plays_that_offend_only_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, sheet = tmp_path / "a.gcg", str(tmp_path / "a.netplay")
    lines = ("#player1 ann Ann", "#player2 ben Ben", ">ann: FUCKTVV 8G CUT +10 10")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    home = ("--home", str(tmp_path))
    assert main([*home, "gcg", "import", str(file), sheet]) == 0
    capsys.readouterr()

    def best(*more: str) -> str:
        assert main([*home, "analyse", sheet, "--json", "--quick", *more]) == 0
        (turn,) = json.loads(capsys.readouterr().out)
        assert turn["played"]["play"] == "8G CUT"
        return str(turn["best"][0]["play"].split()[1])

    assert best() != "FUCK"
    assert best("--offensive-words") == "FUCK"


def test_a_match_that_goes_on_is_not_analysed() -> None:
    with pytest.raises(LocalError, match=like(Says.ANALYSE_LATER)):
        list(grading.of_match(whole(moves=3)))


def test_a_game_without_turns_says_so() -> None:
    with pytest.raises(LocalError) as caught:
        list(grading.judged(whole("hexcolumns", 2)))
    assert caught.value.said == Says.NO_TURNS(game="Hexcolumns")


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
def test_a_transcript_has_a_line_for_every_move_and_the_result(game: str) -> None:
    fold = whole(game)
    lines = show.of_match(fold).splitlines()

    assert lines[0] == f"{GAMES[game].ABOUT.title}: S0, S1"
    numbered = [line for line in lines if line[:3].strip().isdigit()]
    assert len([line for line in numbered if line[3:5] == ". "]) >= fold.moves
    assert any(line.startswith("1. S") for line in lines[-2:])
    # Behind each move stands what its seat has as the next one begins
    steps, scored = list(moments(fold)), GAMES[game].ABOUT.scored
    after = [*(step.before for step in steps[1:]), fold.state]
    totals = [
        f"[{scored.scores(state)[step.actor]}]"
        for step, state in zip(steps, after, strict=True)
        if step.actor >= 0 and scored is not None
    ]
    assert [line.split()[-1] for line in numbered if line[-1] == "]"] == totals


def test_the_transcript_of_a_match_that_goes_on_shows_no_hidden_tile() -> None:
    text = show.of_match(whole(moves=2))

    drawn = [line.split() for line in text.splitlines() if " draws " in line]
    assert [len(letters) for _who, _draws, letters, *_more in drawn] == [1, 1]


def test_the_transcript_of_a_score_sheet_is_its_record() -> None:
    sheet = gcg.read(RECORD.encode())

    first = next(line for line in RECORD.splitlines() if line.startswith(">"))
    assert f"  1. {first[1:]}\n" in show.of_sheet(sheet)
    assert show.of_sheet(sheet).endswith("Ann: 40\nBen: 0")


def test_nobodys_name_moves_the_cursor() -> None:
    names = ("\x1b[2JEve", "\u202eevE")
    keys = [Key(name) for name in names]
    terms = make_terms("numlo", keys, GAMES["numlo"].ABOUT.options(size=8))
    seats = zip(terms.seats, names, strict=True)
    terms = structs.replace(
        terms,
        members=tuple(structs.replace(m, name="\x07") for m in terms.members),
        seats=tuple(structs.replace(seat, name=name) for seat, name in seats),
    )
    signatures = [key.sign(terms_data(terms)) for key in keys]
    fold = replay([make_genesis(keys[0], terms, signatures)])
    assert fold.names == ["[2JEve", "evE"]
    assert [member.name for member in fold.members] == ["?", "?"]
    shown = f"Numlo: {', '.join(fold.names)}"
    assert show.of_match(fold).splitlines()[0] == describe(terms) == shown
    assert fold.terms == terms  # what was signed stays


def test_nobodys_record_moves_the_cursor() -> None:
    faulty = RECORD.replace("ann Ann", "ann An\x1b[2Jn").replace(
        "+14 40", "+14 40 x\x07"
    )
    lines = show.of_sheet(gcg.read(faulty.encode())).splitlines()
    assert lines[0] == "Networdz: An[2Jn, Ben"
    assert all(line.isprintable() for line in lines)


ENDING_WORDS = """
CAT CATS AT TA AN ANT TAN TOAD TO TOE SO NO ON OX AS DO EAT TEA ATE SEA EAR ARE ERA
NET TEN ONE ROE ORE ROD DOT TOT OAT ART RAT TAR STAR RATS TARS NEAR EARN STONE NOTES
"""


def endings(state: networdz.State) -> dict[networdz.Move, int]:
    """Return what each move of an empty bag leads to, 1 won to -1 lost, by the rules.

    Both do the best they can, and all that they can is tried.
    """
    seat = state.turn
    finder = Finder(board_of(state), rack_of(state, seat), words_of(state))
    plays = [each for window in finder.windows() for each in finder.fill(window)]
    moves = [*(lay_of(state, seat, finder, each) for each in plays), networdz.Pass()]
    return {move: led_to(networdz.play(state, seat, move), seat) for move in moves}


@cache
def led_to(state: networdz.State, seat: int) -> int:
    while CHANCE in networdz.actors(state):  # what is left on the racks is shown
        state = networdz.play(state, CHANCE, next(networdz.moves(state, CHANCE)))
    if not networdz.actors(state):
        mine, other = networdz.places(state)[seat], networdz.places(state)[1 - seat]
        return (mine < other) - (mine > other)
    best = max(endings(state).values())
    return best if state.turn == seat else -best


@pytest.mark.parametrize("american", [False, True])
def test_a_turn_of_an_end_is_a_mistake_if_a_better_end_was_open_and_not_else(
    american: bool,
) -> None:
    rng, seen = Random(5), Counter[tuple[int, int]]()
    opts = options(ENDING_WORDS, tournament=american, american=american)
    for _ in range(10):
        letters = rng.sample("AENORSTTDO", 5)
        hand, other = "".join(letters[:3]), "".join(letters[3:])
        state = position(hand, other, board=[("across", 7, 6, "CaT")], opts=opts)
        state = structs.replace(state, scores=(100, 100 + rng.randrange(-6, 30)))
        ends = endings(state)
        best = max(ends.values())
        for move in rng.sample(sorted(ends, key=str), min(4, len(ends))):
            laid: tuple[networdz.Placed, ...] = ()
            if isinstance(move, networdz.Lay):
                laid = tuple(placed(networdz.ground(opts), state, move))
            found = appraise(grading.Turn(0, 0, state, laid))
            lost = TOTAL * (best - ends[move]) // 2
            assert (found.chance_lost, found.grade != "none") == (lost, lost > 0)
            assert (found.why is None) == (not lost)
            seen[best, ends[move]] += 1
    assert all(seen[ends] for ends in ((1, 1), (1, -1), (-1, -1)))

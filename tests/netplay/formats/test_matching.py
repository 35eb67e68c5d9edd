"""Our own matches as records: out and in again, nothing changes."""

from collections.abc import Mapping
from functools import cache
from itertools import islice
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from netplay.errors import LocalError
from netplay.formats import gcg, placing, scoring
from netplay.formats.matching import sheet_of
from netplay.formats.sheet import Kind, Sheet
from netplay.record.fold import Fold
from netplay.record.verify import replay
from netplay.record.views import moments
from netplay.review import grading
from netplay.sentences import Says
from netplay.wire import pack
from rules import editions, lexicon, networdz
from rules.game import CLOCK, Resign
from rules.networdz import Lay, Options, Pass, State
from rules.tiles import bag_size
from tests.netplay.party import Party
from tests.said import like, says
from tools.protocol.games import doubtful

ENGLISH = lexicon.shipped()["english"]

Board: TypeAlias = tuple[bytes, bytes, tuple[int, ...]]
"""Letters, kinds and scores."""

Evening: TypeAlias = tuple[str, Mapping[str, Any], int, int, int]


def options(edition: str = "standard", **more: Any) -> Options:
    found = editions.find(editions.shipped()[edition])
    words = lexicon.shipped()[found.words]
    return Options(edition=found.digest, lexicon=words, **more)


def played(chosen: Options, seed: int, moves: int, seats: int = 2) -> Fold:
    """Return a match of two members some moves old, or played out."""
    party = Party("networdz", 2, chosen, seats)
    party.link_all()
    if moves < 0:
        party.play_out(Random(seed))
    else:
        party.settle()
        for number in range(moves):
            party.play_one(Random(seed + number))
            party.settle()
    return replay([line.raw for line in party.member(0).ledger.log.lines])


def quarrelled(
    edition: str, rules: Mapping[str, Any], seed: int, moves: int, seats: int
) -> Fold:
    """Return a match with exchanges, wrong words and doubts, whose players leave.

    Args:
        edition: The name of its edition.
        rules: Its options.
        seed: Of all that happens.
        moves: So many; the last of all, if there are more than of the match.
        seats: How many play.
    """
    chosen = options(edition, **rules)
    party, rng = Party("networdz", 2, chosen, seats), Random(seed)
    party.link_all()
    party.settle()
    for _ in range(moves):
        for number, seat in party.movers()[:1]:
            view = party.member(number).seats.view(seat).state
            last = networdz.accepted(view).phase is not networdz.Phase.PLAY
            if chosen.timed and rng.random() < (0.5 if last else 0.1):
                party.wake(61)
            else:
                move = _any_move(view, seat, rng)
                party.member(number).play(seat, pack(move), -1, party.now)
        party.settle()
    for seat in rng.sample(range(seats), seats):
        fold = party.member(0).fold
        if not fold.over and seat not in fold.resigned:
            holder = next(m for m in party.running if m.me == fold.holders[seat])
            holder.play(seat, pack(Resign()), -1, party.now)
            party.settle()
    return replay([line.raw for line in party.member(0).ledger.log.lines])


def _any_move(view: State, seat: int, rng: Random) -> networdz.Move | Resign:
    """Return a doubt, an exchange, a word or one that is none, seldom a farewell."""
    lot, after = rng.random(), networdz.accepted(view)
    if lot < 0.02 and len(view.scores) > 2:
        return Resign()
    if view.pending is not None and lot < 0.5:
        return networdz.Challenge()
    if after.phase is not networdz.Phase.PLAY or (view.pending and lot < 0.6):
        return networdz.Accept()
    rack, pool = after.tiles.racks[seat], bag_size(after.tiles)
    most = 0 if view.options.tournament and pool < 7 else min(len(rack), pool)
    if rng.random() < 0.2:
        return Pass(tuple(sorted(rng.sample(rack, rng.randint(0, most)))))
    plays = list(islice(networdz.lays(after, seat), 60))
    if not plays:
        return Pass()
    move = rng.choice(plays)
    unsure = view.options.tournament or view.options.challenge != "none"
    if not unsure or rng.random() < 0.6:
        return move
    turned = [*zip(move.laid, move.shown, strict=True)][::-1]
    laid = [
        structs.replace(a, cell=b.cell)
        for (a, _), b in zip(turned, move.laid, strict=True)
    ]
    return Lay(tuple(laid), tuple(shown for _, shown in turned))


evenings = st.tuples(
    st.sampled_from(["standard", "networdz", "spanish", "russian"]),
    st.sampled_from(
        [
            {},
            {"tournament": True},
            {"challenge": "single", "timed": 1},
            {"challenge": "double"},
            {"challenge": "five"},
        ]
    ),
    st.integers(0, 10_000),
    st.sampled_from([3, 12, 12, 30, 200]),
    st.integers(2, 4),
)
"""Edition, rules, seed, moves and seats."""


@settings(max_examples=12, phases=[Phase.explicit, Phase.generate], deadline=None)
@given(evening=evenings)
def test_a_match_written_and_read_again_has_the_same_positions_and_scores(
    evening: Evening,
) -> None:
    fold = quarrelled(*evening)
    sheet = sheet_of(fold)
    again = gcg.read(gcg.write(sheet))

    assert again.events == sheet.events
    assert _positions(again) == _turns(fold)


@settings(max_examples=8, phases=[Phase.explicit, Phase.generate], deadline=None)
@given(evening=evenings, rng=st.randoms(use_true_random=False))
def test_the_less_is_said_of_racks_and_exchanges_the_less_there_is_to_doubt(
    evening: Evening, rng: Random
) -> None:
    sheet = sheet_of(quarrelled(*evening))
    for often in (0.2, 0.5, 0.9):
        said = list(sheet.events)
        for number, event in enumerate(said):
            tiles, rack = event.tiles, event.rack
            if event.kind is Kind.EXCHANGE and rng.random() < often:
                tiles = str(len(placing.tokens(tiles)))
            rack = "" if rng.random() < often else rack
            said[number] = structs.replace(event, tiles=tiles, rack=rack)
        assert not _doubts(structs.replace(sheet, events=tuple(said)))


@settings(max_examples=8, phases=[Phase.explicit, Phase.generate], deadline=None)
@given(evening=evenings)
@example(evening=("standard", {"challenge": "single", "timed": 1}, 19, 300, 2))
def test_a_review_of_a_match_and_of_its_record_find_the_same_turns(
    evening: Evening,
) -> None:
    """In the example nobody answers to the last word before its time is over."""
    fold = quarrelled(*evening)
    history = list(moments(fold))
    found = list(grading.of_match(fold))
    for turn in found:
        assert turn.lapsed == (history[turn.number].actor == CLOCK)
    for turn, same in zip(found, grading.of_sheet(sheet_of(fold)), strict=True):
        assert (turn.seat, turn.laid, turn.back) == (same.seat, same.laid, same.back)
        assert sorted(turn.gone) == sorted(same.gone)
        for state in (turn.before, same.before):
            assert state.turn == turn.seat
        assert turn.before.letters == same.before.letters
        assert turn.before.scores == same.before.scores


def _doubts(sheet: Sheet) -> list[str]:
    """Return what is odd about a sheet, but for what our rules have otherwise.

    Other clubs end a game sooner, and know nobody who leaves and is passed over.
    """
    left = any("resigns" in each for event in sheet.events for each in event.note)
    ours = ["by the usual rules", *["by their order"] * left]
    said = (text for _, text in scoring.replay(sheet).remarks)
    return [text for text in said if not any(words in text for words in ours)]


def _positions(sheet: Sheet) -> list[Board]:
    """Return board and scores after each turn of a sheet."""
    replay_ = scoring.replay(sheet)
    assert not _doubts(sheet)
    found = replay_.positions
    turns = {Kind.PLAY, Kind.PASS, Kind.EXCHANGE}
    kept: list[Board] = []
    for event, after in zip(sheet.events, found[1:], strict=True):
        board = (after.letters, after.kinds, after.scores)
        if event.kind in turns:
            kept.append(board)
        elif kept:
            kept[-1] = board
    return kept


def _turns(fold: Fold) -> list[Board]:
    """Return board and scores after each turn of a match."""
    kept: list[Board] = []
    for moment in moments(fold):
        after: State = moment.after
        board = (after.letters, after.kinds, after.scores)
        lost = networdz.forfeited(moment.before, moment.move) is not None
        if isinstance(moment.move, Lay | Pass) or lost:
            kept.append(board)
        elif kept:
            kept[-1] = board
    return kept


def test_a_finished_match_is_written_with_every_rack_and_what_it_brought() -> None:
    party = Party("networdz", 2, options(), 3)
    party.link_all()
    party.settle()
    number, seat = party.movers()[0]
    party.member(number).play(seat, pack(Resign()), -1, party.now)
    party.play_out(Random(3))
    sheet = sheet_of(replay([line.raw for line in party.member(0).ledger.log.lines]))

    rests = [event for event in sheet.events if event.kind is Kind.REST]
    assert all(event.rack for event in sheet.events if event not in rests)
    assert sheet.left == ("", "", "")
    (gained,) = (event.tiles for event in rests if event.points > 0)
    (left,) = (event.tiles for event in rests if event.points < 0)
    assert gained == left, "nothing of who had resigned"


def test_a_match_that_goes_on_tells_of_no_hidden_tile() -> None:
    sheet = sheet_of(played(options(), 3, 6))

    assert not any(event.rack for event in sheet.events)
    assert ("incomplete", "") in sheet.pragmas


def test_the_edition_is_named_unless_it_is_the_standard_one() -> None:
    assert ("tile-set", "networdz") in sheet_of(
        played(options("networdz"), 1, 2)
    ).pragmas
    assert not any(
        word == "tile-set" for word, _ in sheet_of(played(options(), 1, 2)).pragmas
    )


@cache
def of_four() -> Fold:
    return played(options(), 1, 2, 4)


@given(
    st.lists(
        st.sampled_from(["Eva", "Eva 3", "Eva_3", "Eva:4", "Eva_4", "Éva"]),
        min_size=4,
        max_size=4,
    )
)
def test_whatever_players_are_called_a_record_tells_them_apart(
    names: list[str],
) -> None:
    fold = of_four()
    fold.names = names

    sheet = sheet_of(fold)

    assert [name for _, name in sheet.players] == names
    again = gcg.read(gcg.write(sheet))
    assert (again.players, again.events) == (sheet.players, sheet.events)


def test_another_game_has_no_such_record() -> None:
    party = Party("numlo", 2)
    party.link_all()
    party.settle()
    fold = replay([line.raw for line in party.member(0).ledger.log.lines])

    with pytest.raises(LocalError, match=like(Says.NO_RECORD_OF)):
        sheet_of(fold)


def test_an_invalid_play_of_a_tournament_is_laid_and_withdrawn() -> None:
    party = Party("networdz", 2, options(tournament=True))
    party.link_all()
    party.settle()
    number, seat = party.movers()[0]
    match = party.member(number)
    state = match.seats.view(seat).state
    tiles, field = state.tiles, networdz.ground(state.options)
    laid = [
        networdz.Laid(field.start + at, tile, 0)
        for at, tile in enumerate(tiles.racks[seat][:5])
    ]
    move = networdz.lay(state, seat, laid)
    assert networdz.judge_lay(state, move).error
    match.play(seat, pack(move), -1, party.now)
    party.settle()

    sheet = sheet_of(match.fold)

    assert [event.kind for event in sheet.events] == [Kind.PLAY, Kind.WITHDRAWN]
    assert says(sheet.events[1].note[0], Says.NO_WORD)
    assert gcg.read(gcg.write(sheet)).events == sheet.events


def test_a_match_with_an_edition_of_ones_own_brings_it_into_its_record() -> None:
    mine = structs.replace(editions.load("networdz"), name="mine", bingo=35)
    editions.register(mine)
    fold = played(Options(edition=mine.digest, lexicon=ENGLISH), 3, -1)

    data = gcg.write(sheet_of(fold))
    taken = gcg.take(data)

    assert b"#tile-set mine\n" in data
    assert b"#note netplay-edition 1/" in data
    assert taken.sheet.edition == mine.digest
    assert not [said for line, said in taken.remarks if line]
    assert taken.sheet.events == sheet_of(fold).events


@pytest.mark.parametrize(
    ("way", "told"), [("five", Kind.CHALLENGE), ("double", Kind.PASS)]
)
def test_challenges_are_written_as_other_programs_do(way: str, told: Kind) -> None:
    party = Party("networdz", 2, structs.replace(options(), challenge=way))
    party.link_all()
    party.settle()
    for turn in range(9):
        [(n, seat)] = party.movers()
        view = party.member(n).seats.view(seat).state
        party.member(n).play(seat, pack(doubtful(view, seat, turn)), -1, party.now)
        party.settle()
    fold = replay([line.raw for line in party.member(0).ledger.log.lines])

    sheet = sheet_of(fold)
    written = gcg.write(sheet)

    kinds = [event.kind for event in sheet.events]
    assert kinds[:2] == [Kind.PLAY, Kind.WITHDRAWN]
    assert told in kinds
    assert b"--" in written
    assert (b"(challenge) +5" in written) == (way == "five")
    assert gcg.read(written).events == sheet.events
    found = scoring.replay(sheet)
    assert not found.remarks
    state = fold.state
    last = found.positions[-1]
    assert (last.letters, last.scores) == (state.letters, state.scores)

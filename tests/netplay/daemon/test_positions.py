"""A match file is looked at: every position that it has, and none besides."""

from pathlib import Path
from random import Random

import pytest

from netplay.daemon.positions import EVERYBODY, check_is_match, number_of, position_in
from netplay.errors import Code, LocalError
from netplay.formats.sheet import Event, Kind, Sheet
from netplay.home import Home
from netplay.record.store import whole
from netplay.said import Said
from netplay.sentences import Says
from rules import GAMES
from tests.netplay.party import Party

NUMLO = GAMES["numlo"].ABOUT.options(size=8, start="scatter", values=False)


def played(moves: int) -> Party:
    party, rng = Party("numlo", 3, NUMLO, days=3), Random(5)
    party.link_all()
    party.settle()
    for _ in range(moves):
        assert party.play_one(rng)
        party.settle()
    return party


def test_each_position_of_a_match_is_shown_and_no_other(tmp_path: Path) -> None:
    party, home, path = played(5), Home(tmp_path / "home"), tmp_path / "one.netplay"
    raws, fold = party.logs()[0], party.member(0).fold
    path.write_bytes(whole(raws))
    moves = {past.number: n for n, past in enumerate(fold.history)}
    for number in range(1, len(raws) + 1):
        for seat in (EVERYBODY, 0, 2):
            seen = position_in(path, home, number, seat)
            state = fold.game.view(fold.playable.start(), None)
            done = [n for entry, n in moves.items() if entry < number]
            for past in fold.history[: 1 + max(done, default=-1)]:
                state = fold.game.play(state, past.actor, past.move)
            assert seen.view == state
            assert (seen.waited, seen.damage) == ((), "")
    last = position_in(path, home, None, EVERYBODY)
    assert last.view == fold.state
    assert last.waited  # the match is not over
    for entries, seat, why in (
        (0, EVERYBODY, Says.NO_SUCH_ENTRY(last=len(raws), number=0)),
        (len(raws) + 1, 0, Says.NO_SUCH_ENTRY(last=len(raws), number=len(raws) + 1)),
        (None, 3, Says.NO_SUCH_SEAT(last=3, number=4)),
    ):
        with pytest.raises(LocalError) as refused:
            position_in(path, home, entries, seat)
        assert refused.value.code is Code.USAGE
        assert refused.value.detail == why


@pytest.mark.parametrize("at", [0.5, 0.7, 0.95])
def test_a_damaged_match_is_shown_as_far_as_it_is_good(
    tmp_path: Path, at: float
) -> None:
    party, home, path = played(5), Home(tmp_path / "home"), tmp_path / "one.netplay"
    data = bytearray(whole(party.logs()[0]))
    data[int(len(data) * at)] ^= 0xFF
    path.write_bytes(data)
    check_is_match(path)
    seen = position_in(path, home, None, EVERYBODY)
    assert isinstance(seen.damage, Said)
    good = [
        number
        for number in range(1, len(party.logs()[0]) + 1)
        if _shown(path, home, number)
    ]
    assert good == list(range(1, len(good) + 1))
    assert 0 < len(good) < len(party.logs()[0])
    assert position_in(path, home, len(good), EVERYBODY).view == seen.view


def _shown(path: Path, home: Home, number: int) -> bool:
    try:
        position_in(path, home, number, EVERYBODY)
    except LocalError as error:
        assert error.code is Code.USAGE
        return False
    return True


@pytest.mark.parametrize("events", [0, 3])
def test_a_score_sheet_has_its_events_and_players_and_no_more(events: int) -> None:
    turn = Event(0, Kind.PASS, "", "", "", 0, 0)
    sheet = Sheet((("A", "Ann"), ("B", "Bob")), "", "", (turn,) * events, ())
    for seat in (EVERYBODY, 0, 1):
        assert number_of(sheet, None, seat) == events
        assert [number_of(sheet, n, seat) for n in range(events + 1)] == [
            *range(events + 1)
        ]
    for number, seat in ((-1, 0), (events + 1, 0), (0, 2), (None, 2)):
        with pytest.raises(LocalError) as refused:
            number_of(sheet, number, seat)
        assert refused.value.code is Code.USAGE

"""A table as it is set up, and the file chooser, before anything is asked of a node."""

from itertools import product
from pathlib import Path

import pytest

from client.app import browsing
from client.app.drafts import Draft, Kind, SeatDraft
from rules import GAMES, LISTED


@pytest.mark.parametrize("kinds", [*product((Kind.NONE, Kind.PERSON), repeat=4)])
def test_a_position_and_its_seat_are_the_same_player(kinds: tuple[Kind, ...]) -> None:
    seats = tuple(SeatDraft(kind, name=f"p{n}") for n, kind in enumerate(kinds))
    draft = Draft(seats=seats)
    for place, seat in enumerate(seats):
        if seat.kind is not Kind.NONE:
            assert draft.taken[draft.seat_of(place)] == seat


@pytest.mark.parametrize("game", LISTED)
@pytest.mark.parametrize("kind", [Kind.REMOTE, Kind.COMPUTER])
def test_days_to_think_are_asked_for_where_somebody_far_has_a_turn(
    game: str, kind: Kind
) -> None:
    draft = Draft(game, (SeatDraft(Kind.PERSON), SeatDraft(kind)), days=3)
    wanted = 3 if kind is Kind.REMOTE and not GAMES[game].ABOUT.hz else 0
    assert draft.terms.days == wanted
    assert draft.changes.days == wanted


def test_what_was_used_lately_stands_once_and_in_front() -> None:
    used: tuple[str, ...] = ()
    for each in "abacadaeafag":
        used = browsing.recent(used, each)
    assert used == tuple("gafedc")


def test_names_in_a_folder_stand_as_in_a_telephone_book(tmp_path: Path) -> None:
    for name in ("b.toml", "A.toml", "a.toml", "C.toml", "Zoo", "ant"):
        path = tmp_path / name
        path.write_text("") if "." in name else path.mkdir()
    names = [item.name for item in browsing.read_folder(str(tmp_path)).items]
    assert names == ["ant", "Zoo", "A.toml", "a.toml", "b.toml", "C.toml"]


def test_who_wished_for_a_folder_that_is_gone_is_told_so(tmp_path: Path) -> None:
    gone = tmp_path / "gone" / "farther"
    listing = browsing.read_folder(str(gone))
    assert (listing.folder, listing.lost) == (str(tmp_path), str(gone))
    assert browsing.read_folder(str(tmp_path)).lost == ""

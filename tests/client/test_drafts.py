"""A table as it is set up, and the file chooser, before anything is asked of a node."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app import browsing
from client.app.drafts import Draft, Kind, SeatDraft
from client.app.model import drafted
from client.pages import screen
from client.ui.scene import find
from rules import GAMES, LISTED
from tests.client.worlds import base, fed, status, table


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


FOUR = st.tuples(*[st.sampled_from([*Kind])] * 4)


@settings(max_examples=40)
@given(FOUR, st.sampled_from(((1280, 800), (800, 500), (390, 844))))
def test_of_all_persons_here_the_first_alone_is_framed_as_the_one_at_the_window(
    kinds: tuple[Kind, ...], size: tuple[int, int]
) -> None:
    model = fed(base(size), status(table=table()))
    draft = replace(model.setup.draft, seats=tuple(map(SeatDraft, kinds)))
    root = screen.scene(drafted(model, draft))
    framed = [
        i
        for i in range(4)
        if (found := find(root, f"seat{i}")) and found.edge == model.look.theme.accent
    ]
    assert framed == [i for i, kind in enumerate(kinds) if kind is Kind.PERSON][:1]

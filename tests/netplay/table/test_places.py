"""What is shown of tables that go, of logs that are cut and of what was missed."""

from random import Random

import pytest

from netplay.limits import QUORUM_SECONDS
from netplay.match.match import Match
from netplay.messages.door import (
    BYSTANDER,
    Happened,
    Join,
    LeaveTable,
    LookAt,
    Play,
    View,
)
from netplay.messages.table_questions import PlayAgain
from netplay.table.places import Views, news
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.joined_nodes import SMALL, Net, table
from tests.netplay.match.matches import NUMLO, ready, until_turn_of


class Watching:
    """A window that puts together what it is told of a match, however seldom."""

    def __init__(self, match: Match) -> None:
        self._views = Views()
        self._views.up(1)
        self._views.watch(1, BYSTANDER, match)
        self.told: list[Happened] = []
        self.first = 0
        """The place of the first that it has: what was before is asked for."""

    def look(self, match: Match) -> list[View]:
        """Take what it is told now."""
        view = news(match, self._views.windows[1])
        found = [] if view is None else [view]
        for view in found:
            if view.before or view.whole:
                self.told, self.first = [], 0
            for one in view.happened:
                self.first = self.first if self.told else one.number
                self.told.append(one)
        return found

    def has_seen(self, match: Match) -> bool:
        """Tell whether it has what happened, from its first move on."""
        past = match.fold.history[self.first :]
        made = [(n, p.actor, pack(p.move)) for n, p in enumerate(past, self.first)]
        return made == [(one.number, one.actor, one.move) for one in self.told]


@pytest.mark.parametrize(("limit", "most"), [("PIECE_MOVES", 4), ("PIECE_BYTES", 40)])
def test_a_window_is_never_told_more_at_once_than_it_takes(
    limit: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("netplay.table.places", "netplay.record.views"):
        monkeypatch.setattr(f"{module}.{limit}", most)
    party, rng = ready("numlo", 2, options=NUMLO), Random(1)
    match = party.member(1)
    window = Watching(match)
    for count in (1, 2, 3, 9, 2, 6):
        for _ in range(count):
            assert party.play_one(rng)
            party.settle()
        [view] = window.look(match)
        moves = [one.move for one in view.happened]
        size = len(moves) if limit == "PIECE_MOVES" else sum(map(len, moves))
        assert size <= most
        assert window.has_seen(match)


def test_a_window_has_the_moves_of_the_log_that_took_the_place_of_another() -> None:
    party, rng = ready("numlo", 3, options=NUMLO), Random(1)
    until_turn_of(party, 0)
    host = party.member(0)
    window = Watching(host)
    window.look(host)
    moves = [*party.game.moves(host.fold.state, 0)]
    host.play(0, pack(moves[0]), -1, party.now)
    party.collect_from(0)
    window.look(host)
    assert window.has_seen(host)
    for other in (1, 2):  # the move is on its way, and nobody gets it
        party.cut(0, other)
    party.wake(QUORUM_SECONDS + 1)
    for other in (1, 2):
        heir = party.keys[1].key
        party.member(other).agree(0, heir, "heir", party.now)
    party.settle()
    party.member(1).play(0, pack(moves[-1]), -1, party.now)
    party.settle()
    party.play_one(rng)
    party.settle()
    assert len(party.member(1).fold.history) > len(host.fold.history)
    party.link_all()
    party.settle()
    window.look(host)
    assert host.fold.history[-2:] == party.member(1).fold.history[-2:]
    assert window.has_seen(host)


def test_a_window_whose_table_goes_is_shown_none_of_the_others_unasked(
    net: Net,
) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams", computers=False)
    tables, found = net["bob"].tables, net.games("bob")
    for window, game in ((1, "numlo"), (2, "hexagrams")):
        tables.window_up(window)
        net.done("bob", LookAt(found[game].table), window)
    net.done("bob", LeaveTable(), on=found["numlo"].table)
    net.settle()
    assert tables.table_status(net.now, 1) is None
    net.done("bob", LeaveTable(), on=found["hexagrams"].table)
    net.settle()
    net.done("cyd", table("numlo", "person", "remote:bob", options=SMALL))
    net.settle()
    shown = [tables.table_status(net.now, window) for window in (1, 2)]
    assert [one and one.game for one in shown] == [None, "numlo"]


def test_a_rematch_waits_at_its_match_though_the_host_was_asked_for_a_seat_elsewhere(
    net: Net,
) -> None:
    net.start("bob", computers=False)
    over = net.status("bob").number
    net.done("bob", Play(1, pack(Resign()), 0))
    net.settle()
    for game in ("networdz", "hexagrams"):
        net.done("ann", table(game, "person", "remote"))
    net.done("bob", Join("ann:1", -1))
    net.settle()
    modes = [one.mode for one in net["bob"].tables.games(net.now)]
    assert modes == ["joined", "joined"]
    net.done("ann", PlayAgain())
    net.settle()
    shown = net["bob"].tables.table_status(net.now, number=over)
    assert shown is not None
    assert shown.rematch == ("ann",)


def test_of_matches_that_are_over_a_command_means_the_last(net: Net) -> None:
    net.begin_several("ann", "bob", "numlo", "hexagrams", computers=False)
    found = net.games("bob")
    for game in ("hexagrams", "numlo"):
        net.done("bob", Play(1, pack(Resign()), 0), on=found[game].table)
        net.settle()
    net.done("bob", PlayAgain())
    net.settle()
    wished = {game: net.status_of("ann", game).rematch for game in found}
    assert wished == {"numlo": (), "hexagrams": ("bob",)}

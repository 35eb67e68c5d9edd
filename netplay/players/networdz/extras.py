"""What a turn may be besides laying a word: passing, and what the options allow."""

from typing import Final

from netplay.players.networdz.seen import Seen
from rules import networdz, tiles
from rules.game import Seat
from rules.networdz import Move, Pass, Renew, State, Trade
from rules.networdz.playing import ALIKE, ENOUGH
from rules.tiles import Shown

TRADING: Final = 20
"""From this skill on, a player takes a blank off the board when it can."""

RENEWING: Final = 40
"""From this skill on, a player gives up a rack with four of a kind."""


def free_move(view: State, seat: Seat, skill: int) -> Move | None:
    """Return a move that costs no turn and is always worth it, if there is one."""
    if view.options.trade_blanks and skill >= TRADING:
        trade = _trade(view, seat)
        if trade is not None:
            return trade
    if view.options.four_of_a_kind and skill >= RENEWING:
        return _renew(view, seat)
    return None


def _trade(view: State, seat: Seat) -> Trade | None:
    """Return the trade of a tile for a blank on the board, if the rack has the tile."""
    ground = networdz.ground(view.options)
    mine = tiles.on_rack(view.tiles, seat)
    for cell, _ in view.blanks:
        for tile, kind in mine.items():
            counts = kind >= 0 and kind != ground.blank
            if counts and ground.counted(kind) == view.letters[cell] - 1:
                return Trade(cell, (Shown(tile, kind),))
    return None


def _renew(view: State, seat: Seat) -> Renew | None:
    """Return the exchange of a rack with four of a kind, if the rules allow it."""
    ground = networdz.ground(view.options)
    rack, kinds = tiles.on_rack(view.tiles, seat), view.tiles.kinds[seat]
    if tiles.bag_size(view.tiles) < max(ENOUGH, len(rack)):
        return None
    for kind in set(kinds):
        if kind >= 0 and kind != ground.blank and kinds.count(kind) >= ALIKE:
            held = [tile for tile, own in rack.items() if own == kind]
            return Renew(tuple(Shown(tile, kind) for tile in sorted(held)[:ALIKE]))
    return None


def discards(seen: Seen) -> tuple[tuple[int, ...], float]:
    """Return the tiles to discard that leave most, and what they leave.

    Without a pool, or in a tournament with too small a one, there are none.
    """
    view, pool = seen.view, seen.pool
    if not pool or (view.options.tournament and pool < ENOUGH):
        return (), float("-inf")
    ground = seen.ground
    mine = sorted(
        (kind if kind == ground.blank else ground.counted(kind), tile)
        for tile, kind in tiles.on_rack(view.tiles, seen.seat).items()
        if kind >= 0
    )
    best: tuple[int, ...] = ()
    most = float("-inf")
    for chosen in range(1, 1 << len(mine)):
        if chosen.bit_count() <= pool:
            kept = [own for at, (own, _) in enumerate(mine) if not chosen >> at & 1]
            worth = seen.table.worth(kept)
            if worth > most:
                gone = [tile for at, (_, tile) in enumerate(mine) if chosen >> at & 1]
                best, most = tuple(sorted(gone)), worth
    return best, most


def passing(seen: Seen, gone: tuple[int, ...]) -> Pass:
    """Return a pass that discards some tiles, as far as the rules let go of them."""
    if seen.view.options.tournament and seen.pool < ENOUGH:
        return Pass()
    return Pass(tuple(sorted(gone[: seen.pool])))

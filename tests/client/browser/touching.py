"""What a thumb does on a phone: reads a link from a picture, makes a chosen move.

A move is made by taps alone, each after the page shows what the one before has done.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

import pygame
from segno import consts

from client.hexagrams.input import ends
from client.hexcolumns.input import INPUTS
from rules import lhexicon, networdz
from tests.client.browser.chromium import Tab, follow
from tests.patience import PATIENCE, until

MARKED: Final = 5.0
"""Seconds for a cell to show that it is marked; the turn itself is waited for."""

AGAIN: Final = 30.0
"""Seconds after which a thumb taps again, where nothing came of it."""

# A QR code, as a camera reads it from its modules.

MASKS: Final[tuple[Callable[[int, int], bool], ...]] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: (y * x) % 2 + (y * x) % 3 == 0,
    lambda y, x: ((y * x) % 2 + (y * x) % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + (y * x) % 3) % 2 == 0,
)
"""ISO/IEC 18004, table 10."""

LEVELS: Final = (1, 0, 3, 2)
"""The two bits that say how much is corrected -> segno's number."""


def modules(picture: pygame.Surface) -> list[list[bool]]:
    """Return the modules of a code that a picture shows, light all around."""
    wide, high = picture.get_size()
    dark = [
        [sum(picture.get_at((i, j))[:3]) < 300 for i in range(wide)]
        for j in range(high)
    ]
    rows = [j for j, row in enumerate(dark) if any(row)]
    first, last = rows[0], rows[-1] + 1
    left = min(row.index(True) for row in dark if any(row))
    edge = next(i for i in range(wide) if not dark[first][left + i])  # 7 modules
    module = edge / 7
    count = round((last - first) / module)
    at = [int((n + 0.5) * module) for n in range(count)]
    return [[dark[first + j][left + i] for i in at] for j in at]


def read(seen: list[list[bool]]) -> str:
    """Return the text of a code whose modules are all seen well: bytes, version 1-6."""
    side = len(seen)
    version = (side - 17) // 4
    assert 1 <= version <= 6, version  # larger ones say more about themselves
    format_ = sum(seen[8][x] << (4 - x) for x in range(5)) ^ 0b10101
    level, mask = LEVELS[format_ >> 3], MASKS[format_ & 7]
    words = _codewords(seen, side, version, mask)
    blocks = [
        block.num_data
        for block in _blocks(version, level)
        for _each in range(block.num_blocks)
    ]
    parts: list[list[int]] = [[] for _block in blocks]
    at = 0
    for row in range(max(blocks)):
        for part, size in zip(parts, blocks, strict=True):
            if row < size:
                part.append(words[at])
                at += 1
    bits = "".join(f"{word:08b}" for part in parts for word in part)
    assert bits[:4] == "0100"  # bytes
    count = int(bits[4:12], 2)
    return bytes(int(bits[12 + 8 * i : 20 + 8 * i], 2) for i in range(count)).decode()


def _blocks(version: int, level: int) -> Any:
    """Return the blocks of a code, which segno lists by version and level."""
    names = consts.ERROR_LEVEL_L, consts.ERROR_LEVEL_M
    named = (*names, consts.ERROR_LEVEL_Q, consts.ERROR_LEVEL_H)[level]
    listed: Any = consts.ECC
    return listed[version][named]


def _codewords(
    seen: list[list[bool]], side: int, version: int, mask: Callable[[int, int], bool]
) -> list[int]:
    """Return the bytes of a code, in the order in which they stand there."""
    middle = side - 7 if version > 1 else -10

    def is_data(y: int, x: int) -> bool:
        corner = (y < 9 and (x < 9 or x > side - 9)) or (y > side - 9 and x < 9)
        aligned = abs(y - middle) <= 2 and abs(x - middle) <= 2
        return not (corner or aligned or 6 in (y, x))

    bits: list[bool] = []
    up = True
    for right in [x - (x < 7) for x in range(side - 1, 0, -2)]:
        for y in range(side - 1, -1, -1) if up else range(side):
            both = (right, right - 1)
            bits += [seen[y][x] != mask(y, x) for x in both if is_data(y, x)]
        up = not up
    whole = len(bits) // 8
    return [
        sum(bit << (7 - i) for i, bit in enumerate(bits[8 * n : 8 * n + 8]))
        for n in range(whole)
    ]


# What is typed, and moves.


def typed(tab: Tab, name: str, text: str) -> None:
    """Touch a field, again where the page was not laid out yet, and type."""

    def there() -> bool:
        tab.press(name)
        script = "document.activeElement?.told?.n"
        return bool(tab.page.evaluate(script) == name)

    def comes() -> bool:
        script = "document.activeElement?.value"
        return bool(tab.page.evaluate(script) == text)

    for _ in range(2):  # a page that has lost the node begins anew, without the field
        for _again in range(2):
            until(partial(still, tab))
            until(there)
        tab.page.keyboard.press("Control+a")
        tab.page.keyboard.type(text)
        with suppress(AssertionError):
            until(comes, AGAIN)
            return
    raise AssertionError(f"{name} is not {text!r}: {tab.errors} {tab.reads()!r}")


def shown(tab: Tab, name: str) -> str:
    """Return all that the page was told of something, as text; empty for nothing."""
    script = (
        "name => { const e = [...document.querySelectorAll('#document *')]"
        ".find(e => e.told?.n === name);"
        "return e ? JSON.stringify(e.told) : '' }"
    )
    return str(tab.page.evaluate(script, name))


def still(tab: Tab) -> bool:
    """Tell whether the page stands still: what is found by name follows the picture."""
    script = (
        "() => JSON.stringify([...document.querySelectorAll('#document *')]"
        ".map(e => [e.told?.n, e.told?.b]))"
    )
    before = tab.page.evaluate(script)
    follow(tab.page)
    return bool(tab.page.evaluate(script) == before)


def touch(tab: Tab, name: str, seconds: float = PATIENCE) -> None:
    """Tap something, and wait until it shows that; tap again where nothing comes of it.

    A busy machine lifts a finger late now and then, and it was held.
    """
    before, tries = shown(tab, name), max(1, int(seconds // AGAIN))
    for _ in range(tries):
        tab.press(name)
        with suppress(AssertionError):
            until(lambda: shown(tab, name) != before, seconds / tries)
            return
    raise AssertionError(f"{name} shows nothing: {tab.reads()!r}")


def put(tab: Tab, tile: str, cell: str) -> None:
    """Tap a tile, then a square."""
    touch(tab, tile)
    tab.press(cell)


def numlo(tab: Tab, _view: Any, move: Any) -> None:
    """Lay the tile."""
    tab.press(f"cell:{move.square}")


def hexagrams(tab: Tab, _view: Any, move: Any) -> None:
    """Tap a stone, then where it goes."""
    origin, target = (f"{sort}{number}" for sort, number in ends(move))
    put(tab, f"tile:{origin}", f"cell:{target}")


def hexcolumns(tab: Tab, _view: Any, move: Any) -> None:
    """Press what stands for an input."""
    tab.press("press:" + next(name for name, known in INPUTS.items() if known == move))


def networdz_(tab: Tab, view: Any, move: Any) -> None:
    """Lay a word, or pass with or without tiles."""
    if isinstance(move, networdz.Pass):
        tab.press("pass")
        until(lambda: tab.names().get("pass") == "Back")
        for tile in move.discards:
            touch(tab, f"tile:{tile}")
    else:
        blank = networdz.ground(view.options).blank
        kinds = {each.tile: each.kind for each in move.shown}
        _lay(tab, move.laid, {tile for tile in kinds if kinds[tile] == blank})
    tab.press("done")


def _lay(tab: Tab, laid: Any, blanks: set[int]) -> None:
    for each in laid:
        until(partial(still, tab))  # what is said may have moved all else
        tile = f"tile:{each.tile}"
        rack = until(partial(tab.place, tile))
        lies, letter = partial(_lies, tab, tile, rack), f"letter:{each.letter}"
        named = each.tile in blanks
        _tapped(
            tab,
            tile,
            f"cell:{each.cell}",
            partial(tab.place, letter) if named else lies,
        )
        if named:
            tab.press(letter)
            until(partial(_is_chosen, tab, letter))
            until(lies)


def _is_chosen(tab: Tab, letter: str) -> bool:
    return tab.place(letter) is None


def _tapped(tab: Tab, tile: str, cell: str, came: Callable[[], Any]) -> None:
    """Tap a tile and a square, again where the page has moved under the thumb.

    A tile that was taken and not laid is let go of by the next tap.
    """
    for _ in range(4):
        put(tab, tile, cell)
        with suppress(AssertionError):
            until(came, AGAIN)
            return
    told = [shown(tab, name) for name in (tile, cell, "done", "pass")]
    raise AssertionError(f"{tile} does not come to {cell}: {told} {tab.reads()!r}")


def _lies(tab: Tab, tile: str, rack: tuple[float, float]) -> bool:
    """Tell whether a tile lies on the board, which is above the rack."""
    found = tab.place(tile)
    return found is not None and found[1] < rack[1] - 20


def lhexicon_(tab: Tab, _view: Any, move: Any) -> None:
    """Take a turn, or answer to a word."""
    match move:
        case lhexicon.Lay():
            kinds = {each.tile: each.kind for each in move.shown}
            blanks = {tile for tile in kinds if kinds[tile] == lhexicon.BLANK}
            _lay(tab, move.laid, blanks)
            laid = {each.cell: each.tile for each in move.laid}
            tab.press("next")
            until(lambda: tab.names().get("next", "none"))
            for cell in move.path:
                name = f"tile:{laid[cell]}" if cell in laid else f"cell:{cell}"
                with suppress(AssertionError):  # what was guessed is marked already
                    touch(tab, name, MARKED)
            tab.press("done" if tab.place("done") else "next")
        case lhexicon.Discard():
            tab.press("discard")
            for tile in move.tiles:
                until(partial(tab.place, f"give:{tile}"))
                touch(tab, f"give:{tile}")
            tab.press("exchange")
        case lhexicon.Pass():
            tab.press("pass")
            tab.press("yes")
        case lhexicon.PickUp():
            tab.press("pickup")
            tab.press("done")
        case lhexicon.Challenge():
            tab.press("challenge")
        case lhexicon.Insist():
            tab.press("insist")
        case lhexicon.Withdraw():
            tab.press("withdraw")
        case _:
            tab.press("accept")


THUMBS: Final[dict[str, Callable[[Tab, Any, Any], None]]] = {
    "numlo": numlo, "hexagrams": hexagrams, "hexcolumns": hexcolumns,
    "lhexicon": lhexicon_, "networdz": networdz_,
}  # fmt: skip

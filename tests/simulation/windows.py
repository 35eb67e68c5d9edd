"""What windows are told: no more than their seat knows, and each line once."""

from typing import TYPE_CHECKING

from netplay.messages.door import Line, Notice, View
from netplay.wanted import Push
from netplay.wire import unpack
from rules import GAMES
from rules.tiles import Reveal, Show, Tiles

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World


class Windows:
    """The promises of the program to those who look at it."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.said_at: dict[str, bytes] = {}
        """Line -> the match at whose table it was said."""
        self._shown: dict[tuple[str, int, int, int, str], int] = {}

    def pushed(self, node: "SimNode", pushes: list[Push]) -> None:
        """Look at what is shown."""
        for push in pushes:
            match push.message:
                case Notice(tone="error", said=said):
                    self._world.checks.errors.add((node.name, node.runs))
                    self._world.note("error", node.name, str(said))
                case Notice(tone="system", said=said):
                    self._world.checks.notices[node.name].append(str(said))
                case Line(author=author, text=text):
                    self._hears(node, push, str(author), text)
                case View() as view:
                    self._view(node, view)
                case _:
                    pass

    def _hears(self, node: "SimNode", push: Push, author: str, text: str) -> None:
        """Check that a line was said there by its author, and comes once, in order."""
        checks, name = self._world.checks, node.name
        said = checks.lines[author]
        if text not in said:
            checks.fail(f"{name} shows a line that {author} has not said")
            return
        table = node.tables.get(push.table)
        at = self.said_at.get(text, b"")
        if table is not None and table.match and at not in (b"", table.match):
            checks.fail(f"{name} shows a line at another table")
        if author in checks.lied_about:
            return  # it may have forgotten what it has said, and say other things
        number, mark = (
            said.index(text),
            (name, node.runs, push.window, push.table, author),
        )
        if number <= self._shown.get(mark, -1):
            checks.fail(f"{name} shows lines of {author} twice or out of order")
        self._shown[mark] = number

    def _view(self, node: "SimNode", view: View) -> None:
        """Check that a window is shown no more than its seat sees."""
        pages = node.pages(view.match)
        if not 0 < view.number <= len(pages):
            return
        page = pages[view.number - 1]
        game = GAMES[page.terms.game]
        if view.seat >= 0:
            node.shown[view.match, view.seat] = unpack(view.state, game.ABOUT.state)
        if not hasattr(game.ABOUT.options(), "edition"):
            return
        drawn_by = self._world.book.fold(page).drawn_by
        for past in view.happened:
            move = unpack(past.move, game.ABOUT.move | Reveal | Show)
            if isinstance(move, Reveal) and move.kind >= 0:
                own = drawn_by.get(move.tile) == view.seat
                if not own and move.tile not in page.faces:
                    self._world.checks.fail(
                        f"a window of seat {view.seat} saw tile {move.tile}"
                    )
        tiles: Tiles = unpack(view.state, game.ABOUT.state).tiles
        for seat, (rack, kinds) in enumerate(
            zip(tiles.racks, tiles.kinds, strict=True)
        ):
            for tile, kind in zip(rack, kinds, strict=True):
                if kind >= 0 and seat != view.seat and tile not in page.faces:
                    self._world.checks.fail(
                        f"{node.name}: seat {view.seat} sees tile {tile}"
                    )

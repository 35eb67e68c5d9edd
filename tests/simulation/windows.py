"""What windows are told: no more than their seat knows, and each line once."""

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from client.app import board, follow
from client.app.model import Model, seen
from client.ui.scene import Rect
from client.ui.theme import Look
from netplay.limits import PIECE_MOVES
from netplay.messages.door import Line, Notice, View
from netplay.wanted import Push
from netplay.wire import unpack
from rules import GAMES
from rules.tiles import Reveal, Show, Tiles
from tests.client import worlds
from tests.simulation.liars import STRANGE

if TYPE_CHECKING:
    from tests.simulation.node import SimNode
    from tests.simulation.world import World


AREA: Final = Rect(0, 0, 700, 560)
LOOK: Final = Look()

SELDOM: Final = 12
"""Views that are looked at between those of which every position is drawn."""

MOSTLY: Final = 8
"""Views of a run between those that are looked at, where not all are."""

_every: list[int] = [MOSTLY]


def look_at_all() -> None:
    """Look at every view from now on: it takes twice as long as all the rest."""
    _every[:] = [1]


class Windows:
    """The promises of the program to those who look at it."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.said_at: dict[str, bytes] = {}
        """Line -> the match at whose table it was said."""
        self._shown: dict[tuple[str, int, int, int, str], int] = {}
        self._models: dict[tuple[str, int, int], Model] = {}
        """(node, its run, window) -> what such a window knows."""
        self._come, self._views = world.seed, 0
        """Views that have come, and those that were looked at."""

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
                    self._follows(node, push.window, view)
                case _:
                    pass

    def _hears(self, node: "SimNode", push: Push, author: str, text: str) -> None:
        """Check that a line was said there by its author, and comes once, in order."""
        checks, name = self._world.checks, node.name
        said = checks.lines[author]
        if text == STRANGE:
            return
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

    def _follows(self, node: "SimNode", window: int, view: View) -> None:
        """Check that every position up to a view can be built, and now and then drawn.

        What everybody sees of it must be what the log says.
        """
        pages = node.pages(view.match)
        if not view.live or not 0 < view.number <= len(pages):
            return
        page, at = pages[view.number - 1], (node.name, node.runs, window)
        model = self._models.get(at)
        if model is None or model.table is None or model.table.match != view.match:
            model = _begun(page.terms, view.match)
        model = self._models[at] = follow.fold_in(model, view)
        match = model.match
        self._come += 1
        if match is None or match.hurries or self._come % _every[0]:
            return
        fold = self._world.book.fold(page)
        if len(fold.history) > PIECE_MOVES:
            return
        past = follow.delivered(match).past
        if len(past) != len(fold.history):
            self._fail(node, view, f"{len(past)} of {len(fold.history)} moves")
            return
        state = fold.game.view(fold.playable.start(), None)
        for step, true in zip(past, fold.history, strict=True):
            if fold.game.view(step.before, None) != state or step.actor != true.actor:
                self._fail(node, view, "a position that never was")
                return
            state = fold.game.play(state, true.actor, true.move)
        self._views += 1
        self._draw(node, view, model, every=self._views % SELDOM == 0)

    def _draw(self, node: "SimNode", view: View, model: Model, *, every: bool) -> None:
        """Draw the newest position, or every one."""
        match = model.match
        assert match is not None  # just looked at
        module = board.find(match.game)
        try:
            for back in (-1, *(range(len(match.past)) if every else ())):
                now: Any = seen(model, replace(match, back=back))
                local = module.begin(now)
                module.scene(now, local, AREA, LOOK)
                module.status(now, local)
                module.sheets(now)
            for step in match.past if every else match.past[-1:]:
                module.tell(step, model.names)
        except Exception as error:  # noqa: BLE001 (whatever it is, it ends the run)
            self._fail(node, view, f"{type(error).__name__}: {error}")

    def _fail(self, node: "SimNode", view: View, why: str) -> None:
        where = f"{node.name}, seat {view.seat}, {view.number} entries"
        self._world.checks.fail(f"a past that cannot be shown ({where}): {why}")


def _begun(terms: Any, match: bytes) -> Model:
    """Return what a window knows that has just come to a match."""
    seats = tuple(map(worlds.seat, worlds.NAMES[: len(terms.seats)]))
    table = worlds.table(
        terms.game, match=match, phase="playing", options=terms.options, seats=seats,
        edition="", lexicon="",
    )  # fmt: skip
    return replace(worlds.base(), status=worlds.status(table=table))

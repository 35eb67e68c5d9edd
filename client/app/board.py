"""What a game's window part is: the Protocol each `client.<game>` module satisfies.

A game module draws one match's board into the rectangle it is given and turns intents
into moves.  It is pure: no pygame, no clock, no door.  The match page around it shows
players, scores, word lists, chat, move list, instructions, clocks, curtain and the
end; `client.networdz` is the model to copy.

How it is called
- `begin` once when the match (or a rejoined one) appears, `renew` whenever the view
  changed: both return the game's own *local* state, a frozen struct - rack order,
  tiles laid but not committed, direction arrow, an open chooser.  What still makes
  sense after somebody else's move must survive `renew`.
- `scene` before each drawing: build the whole node tree anew, it is cheap.  The tree
  must stay inside `area`, name every node that can be clicked, dragged or focused, say
  what a click on it `means`, and show nothing that the view does not hold.  Dialogs of
  the game (role DIALOG, built with `widgets.dialog`) go last and may cover `area`
  only; while one is shown it alone takes the input.
- What a click means is a frozen struct of the game's, a `Means`; `handle` matches
  its type: `case Click(means=LayAt(at=at))`.
- `handle` for each intent that no field, list or page key has taken.  Return the new
  local state and the move to send, or None.  Moves go out only if `seen.live`; while
  the host has not answered, `live` is False.  Check a move with the rules before
  sending it and keep the refusal's words in the local state for `status`.
- Drag and drop: set `drag` and `drop` on nodes; the toolkit lifts a picture of the
  node, follows the pointer and tells the end as `Drop(name, onto)`.
- Focus: nodes with `focusable` are Tab stops; a focused node gets `Click` on Enter or
  space.  Arrow keys reach you as `Key` unless a field has the focus.  Buttons that a
  mouse clicks do not keep the focus, so Enter is yours again.
- Colours, sizes and distances come from `look` only; texts through `client.ui.texts._`,
  looked up at call time (the language may change any time).
- Real-time games (`ABOUT.hz > 0`): `tick` is called before every frame and may return
  a move; `TRAITS.held` asks for `Key` going down and up.  Views wait for the next
  frame where `renew` returns the very same local state: it must be another one when
  the view shows what the player did.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from msgspec import Struct
from typing_extensions import override

from client.ui.intents import Intent
from client.ui.layout import columns, rows
from client.ui.scene import Means, Node, Rect
from client.ui.sound import Sound
from client.ui.texts import _
from client.ui.theme import Look
from netplay.messages.table_questions import Offer
from rules.game import Actor, Seat

S = TypeVar("S")
L = TypeVar("L")
M = TypeVar("M")


class Recall(Means, frozen=True):
    """Take back what is laid; the page means it, too, before it asks for a hint."""


class NewGame(Means, frozen=True):
    """Begin again: a button of a game's own that the page around it takes."""


class SoundOnOff(Means, frozen=True):
    """Let sounds be heard, or no more: the page's, too."""


class QuitGame(Means, frozen=True):
    """Leave the game: the page's, too."""


PAGES_OWN: Final = (NewGame, SoundOnOff, QuitGame)
"""What a game's buttons mean that the page takes, whatever the board shows."""


class Step(Struct, Generic[S, M], frozen=True):
    """One entry of the log as this seat sees it."""

    before: S
    """The view before it."""
    actor: Actor
    move: M


class Seen(Struct, Generic[S, M], frozen=True):
    """All a game may know when it draws or reacts."""

    view: S
    """The state as `seat` knows it."""
    seat: Seat | None
    """Whose hand is drawn and who moves here; None for a bystander."""
    names: tuple[str, ...]
    """Each seat's name."""
    past: tuple[Step[S, M], ...] = ()
    """The entries before `view`, newest last; of real-time games only the newest."""
    live: bool = True
    """False while looking back, and while a move of ours is on its way."""
    now: float = 0.0
    """Seconds on a clock that only goes forward; for animation."""
    pace: float = 0.0
    """Seconds that the animation of somebody's move takes; 0: none is wanted."""
    by_hand: bool = False
    """The player wants to draw tiles by hand (source document, Preferences)."""
    keys: tuple[tuple[str, str], ...] = ()
    """Pairs of a button and the key the player has chosen for it; real-time games."""
    computers: frozenset[Seat] = frozenset()
    """Seats that computer players have."""
    disputed: bool = False
    """The programs of the match differ: nobody has won, whatever the view says."""
    below: Seat | None = None
    """Whose side stays the lower one as others move; None: `seat`'s; -1: nobody's."""
    ended: bool = False
    """The match is over, by agreement or on time, though the view may go on."""
    late: frozenset[Seat] = frozenset()
    """Seats that are out of it because their time is over."""
    trying: bool = False
    """The board is one for analysis: whatever is done can be taken back."""


def not_yet(seen: Seen[Any, Any], actors: Iterable[int]) -> str:
    """Return whose turn it is, for a player who wants to make a move before."""
    actors = sorted(actors)
    if seen.ended or not actors:
        return _("The game is over")
    names = ", ".join(seen.names[seat] for seat in actors if seat >= 0)
    if not names:
        return _("It is not your turn")
    return _("It is {name}'s turn, not yours.").format(name=names)


def not_now(seen: Seen[Any, Any]) -> str:
    """Return why a player who is on turn cannot move all the same."""
    return (
        _("The game is over") if seen.ended else _("The table is not ready for a move")
    )


AnyState: TypeAlias = Any
"""A state of any game, or what a seat sees of it."""

AnyMove: TypeAlias = Any
AnyLocal: TypeAlias = Any
"""A move of any game, and a local state of its window."""

AnyStep: TypeAlias = Step[Any, Any]
AnySeen: TypeAlias = Seen[Any, Any]


class Past:
    """Steps as the key of what follows from them: the very same ones, or others.

    To compare them would take as long as to work it out again.
    """

    def __init__(self, steps: tuple[AnyStep, ...]) -> None:
        """Hold them, so that no other ones can come to be taken for them."""
        self.steps: Final = steps

    @override
    def __eq__(self, other: object) -> bool:
        """Tell whether the other holds the very same steps."""
        return isinstance(other, Past) and self.steps is other.steps

    @override
    def __hash__(self) -> int:
        """Return what goes with that."""
        return id(self.steps)


class Sheet(Struct, frozen=True):
    """What the players' panel shows for one seat."""

    score: str
    """Large, beside the name; empty in games without scores."""
    note: str = ""
    """Below the name: tiles left, pieces lost."""
    lines: tuple[tuple[str, str], ...] = ()
    """A list at its side: left and right text, oldest first (words and scores)."""
    out: bool = False
    """This seat has resigned."""


Chosen: TypeAlias = tuple[tuple[str, str], ...]
"""Pairs of a button and the key that the player has chosen for it."""


class Bindings(Protocol):
    """The buttons of a game whose keys a player may choose, in the preferences."""

    @property
    def USUAL(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802 (a module's constant)
        """The buttons, and their keys as long as no other is chosen."""
        ...

    def keys_of(self, button: str, chosen: Chosen) -> tuple[str, ...]:
        """Return the keys that press a button."""
        ...

    def choose(self, chosen: Chosen, button: str, key: str) -> Chosen:
        """Return the choices with another key for a button."""
        ...

    def short(self, button: str) -> str:
        """Return what a button is called where there is little room."""
        ...

    def called(self, key: str) -> str:
        """Return a key's name for the user."""
        ...


class Analysed(Protocol):
    """A game whose turns can be looked at beside the best plays, once it is over."""

    def turn_of(self, step: AnyStep) -> Seat | None:
        """Return whose turn a step was, None if it is none that is judged."""
        ...

    def laid(self, before: AnyState, seat: Seat, offer: Offer) -> AnyState:
        """Return the view before a turn with another play laid in it."""
        ...

    def same(self, offer: Offer, move: AnyMove) -> bool:
        """Tell whether a move does what a play does."""
        ...

    def letters(self, view: AnyState, rack: tuple[int, ...]) -> str:
        """Return the tiles of a rack, -1 for one unknown, in words."""
        ...

    def chosen_from(
        self, before: AnyState, seat: Seat, after: AnyState
    ) -> tuple[tuple[int, ...], AnyState]:
        """Return the kinds held before a turn, and the view after it with them.

        Nothing is held where that is not told.
        """
        ...


class Made(NamedTuple):
    """A play that scored, in a match looked back at."""

    place: int
    """The entries before it."""
    seat: Seat
    text: str
    """The word, or where it was."""
    points: int


class Entry(NamedTuple):
    """A move as the list of moves has it, in columns."""

    where: str
    """The place on the board, by its coordinates."""
    what: str
    """The word, or what else was done there."""
    more: str = ""
    """Less important: further words."""
    points: int | None = None
    """What it scored; None in games without."""


class Recalled(Protocol):
    """What a game has to tell of a match that is over, for the card of the result."""

    def why(self, seen: AnySeen) -> str:
        """Return why the match ended, in a sentence."""
        ...

    def plays(self, seen: AnySeen) -> Sequence[Made]:
        """Return the plays that scored, oldest first; nothing if none is known."""
        ...

    def facts(self, seen: AnySeen, local: AnyLocal) -> Sequence[tuple[str, str]]:
        """Return (what, which) of what else is worth telling."""
        ...

    def standing(self, view: AnyState) -> tuple[int, ...]:
        """Return what is drawn of each seat as the match goes on."""
        ...

    def measure(self) -> str:
        """Return what `standing` counts, in a word or two."""
        ...


class Refusing(Protocol):
    """A local state that keeps why what was tried last cannot be."""

    @property
    def notice(self) -> str:
        """The words; empty if nothing was refused."""
        ...


def notice(local: Refusing) -> str:
    """Return why what was tried last cannot be; nothing if it can."""
    return local.notice


class Lying(NamedTuple):
    """How a game lies on a phone: its board at the left, what is pressed low right."""

    breadth: float
    """How wide the board is, in its height."""
    high: int
    """How high what is pressed is, in pixels at 100 %."""
    least: int = 464
    """How much the board leaves beside it: for a rack of seven, as thumbs need it."""

    def cut(self, area: Rect, look: Look) -> tuple[Rect, Rect, Rect]:
        """Return room for the board, for the page's own, and for what is pressed."""
        apart = look.px(12)
        wide = min(round(area.h * self.breadth), area.w - look.px(self.least) - apart)
        board, right = columns(area, [wide, 1], apart)
        upper, low = rows(right, [1, look.px(self.high)], look.gap)
        return board, upper, low


class Traits(NamedTuple):
    """What the pages must know of a game besides how it is drawn and played."""

    held: bool = False
    """`Key` intents must come for every key, going down and up."""

    bindings: Bindings | None = None
    analysed: Analysed | None = None
    recalled: Recalled | None = None

    own_hints: bool = False
    """It has a button for hints among its own."""

    hinted: Callable[[Any, Any], Any] | None = None
    """Takes a local state and a move; returns the state with the move on the board, as
    if the player had laid or picked it, to be made or taken back."""

    unseen: Callable[[Any], Sequence[tuple[str, int]]] | None = None
    """Takes what is seen; returns each letter and how many tiles with it the player
    cannot see, nothing where the rules of the table forbid to count them."""

    taught: bool = False
    """`client.<name>.lessons` tells how it is played (see `client.app.lessons`)."""

    cells: tuple[str, str] | None = None
    """What a cell is called by letter and number, and as on the game's page."""

    solitaire: bool = False
    """It is played alone, with the same tiles for everybody on a day."""

    ranked: Callable[[Any], str] | None = None
    """Takes the options; returns under what one's own best points are kept."""

    breadth: float = 1.0
    """How wide the game wants to be, in its height; side panels take the rest."""

    lying: Lying | None = None
    """How it lies on a phone, if it can: `look.apart` says where it is to."""

    standing: Callable[[Any, int, Look], int] | None = None
    """Takes what is seen, a width and a look; returns how high the game is on a phone
    held upright whose width its board fills.  None: it takes all that is left."""
    rises: bool = False
    """At the end, without its buttons, it is so much less high there."""

    notes: Callable[[], Mapping[str, str]] | None = None
    """Returns what each option means, in a sentence."""

    terms: Callable[[Mapping[str, str]], Sequence[str]] | None = None
    """Takes all options as they are spelled; returns what they come to, in parts of a
    sentence."""

    pictured: int = -1
    """Which lesson has the position that stands for the game, from 0."""

    lots: Callable[[Any], bool] | None = None
    """Whether who begins is drawn by lot in matches like that of a state."""

    tinted: bool = False
    """Names are blue, and red once connected, as a source document has it."""

    heard: Callable[[Any, Any], Sound | None] | None = None
    """Takes a step and the view after it; returns what it sounds like, if not usual."""

    heard_last: Callable[[Any, Seat], tuple[float, Sound | None]] | None = None
    """Takes a local state and a seat; returns what is heard there last, and when."""

    refused: Callable[[Any], str] | None = None
    """Takes a local state; returns why what was tried last cannot be, or nothing."""

    aloud: Callable[[Any, Any], tuple[str, ...]] | None = None
    """Takes `seen` and a local state; returns lines that are spoken when they change:
    what lies where the keyboard is, and around it, and what the hand holds."""

    tip: Callable[[], str] | None = None
    """Returns what is new in the first match against computers, in a sentence."""

    helping: tuple[type[Means], ...] = ()
    """What clicks mean that ask for help: what is new is pointed at after them, too."""

    entered: Callable[[Any], Entry | None] | None = None
    """Returns a step's columns in the list of moves; None for a line in words."""

    undecided: Callable[[Any], bool] = lambda _view: False
    """Takes a view; tells whether what was played last may yet be taken back, and
    counts only then."""


class Board(Protocol[S, L, M]):
    """The names a module in client/ must define to show a game."""

    @property
    def TRAITS(self) -> Traits:  # noqa: N802 (a module's constant, seen as a property)
        """What the pages must know of the game; `Traits()` is fine for most."""
        ...

    def begin(self, seen: Seen[S, M]) -> L:
        """Return the local state for a match seen for the first time."""
        ...

    def renew(self, seen: Seen[S, M], local: L) -> L:
        """Return the local state fitted to a view that has changed."""
        ...

    def scene(self, seen: Seen[S, M], local: L, area: Rect, look: Look) -> Node:
        """Return the board, the hand and the game's buttons, inside `area`."""
        ...

    def handle(self, seen: Seen[S, M], local: L, intent: Intent) -> tuple[L, M | None]:
        """Return the local state after the intent, and a move to send if any."""
        ...

    def tick(self, seen: Seen[S, M], local: L) -> tuple[L, M | None]:
        """Return the local state at `seen.now`, and a move to send if any.

        Called before every frame in real-time games, else only while `busy`.
        """
        ...

    def busy(self, seen: Seen[S, M], local: L) -> bool:
        """Tell whether something moves by itself, so that frames are needed."""
        ...

    def status(self, seen: Seen[S, M], local: L) -> str:
        """Return the text of the instructions box: whose turn it is, what to do.

        Also why the last try was refused, what a tentative play would score and
        which words it makes.
        """
        ...

    def sheets(self, seen: Seen[S, M]) -> tuple[Sheet, ...]:
        """Return what the players' panel shows, one a seat."""
        ...

    def tell(self, step: Step[S, M], names: tuple[str, ...]) -> str:
        """Return one line on an entry for the move list; empty: not listed."""
        ...

    def option_words(self) -> Mapping[str, str]:
        """Return what the game's options are called, and those of their values.

        Numbers, and what is switched on or off, need no words.
        """
        ...

    def keys(self, chosen: Chosen) -> tuple[tuple[str, str], ...]:
        """Return (keys, what they do) for the help page.

        Args:
            chosen: The keys that the player has chosen for buttons of `bindings`.
        """
        ...


AnyBoard = Board[Any, Any, Any]


def find(game: str) -> AnyBoard:
    """Return the module that shows a game of `rules.GAMES`."""
    return cast("AnyBoard", import_module(f"client.{game}"))


# What lies where the keyboard is on a board, and around it, in words to be heard.

ABOVE, RIGHT, BELOW, LEFT = "above", "right", "below", "left"
ABOVE_RIGHT, BELOW_RIGHT = "above right", "below right"
ABOVE_LEFT, BELOW_LEFT = "above left", "below left"


def around(place: str, there: Sequence[str], near: Iterable[tuple[str, str]]) -> str:
    """Return a line on a cell.

    Args:
        place: What it is called.
        there: What lies there, and what is special about it.
        near: Ways and what lies there; nothing of a way is left out.
    """
    words = {
        ABOVE: _("above: {what}"),
        ABOVE_RIGHT: _("above right: {what}"),
        RIGHT: _("right: {what}"),
        BELOW_RIGHT: _("below right: {what}"),
        BELOW: _("below: {what}"),
        BELOW_LEFT: _("below left: {what}"),
        LEFT: _("left: {what}"),
        ABOVE_LEFT: _("above left: {what}"),
    }
    ways = [words[way].format(what=what) for way, what in near if what]
    return "; ".join((f"{place}: {', '.join(filter(None, there))}", *ways))

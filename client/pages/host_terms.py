"""Why no table can be opened on these terms, and the ways out of it."""

from typing import Final, Literal

from msgspec.structs import replace

from client.app.model import Change, Kind, Model, Over, ask, same
from client.pages.ways_out import Way, dialog
from client.ui import typefaces, widgets
from client.ui.intents import Click, Intent, Key
from client.ui.layout import columns
from client.ui.scene import Align, Node, Rect
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.levels import SKILLS
from netplay.messages import door
from netplay.messages.table import USUALLY, Fairness
from netplay.text.phrases import promise
from netplay.text.phrases import promised as told
from rules import GAMES


def asked(model: Model, terms: door.HostTable, what: str) -> Change:
    """Open a table on some terms; they are kept in case they are refused.

    Args:
        model: As it is.
        terms: Game, seats, rules, edition and word list.
        what: `host` for a table, `host.start` for a match that begins at once.
    """
    return ask(replace(model, wanted=(terms, what)), terms, what)


def refused(model: Model, why: str) -> Model:
    """Return the model with the question what to do about terms that are refused."""
    return replace(model, over=Over.REFUSED, refusal=why, open="")


def ways(model: Model) -> list[tuple[str, str]]:
    """Return what can be given up, as far as it differs from the usual: name, text."""
    if model.wanted is None:
        return []
    terms, _what = model.wanted
    rules = [("refused.rules", _("Take the usual rules"))]
    files = [("refused.files", _("Take the usual tiles and words"))]
    return [
        *(rules if terms.options else ()),
        *(files if terms.edition or terms.words else ()),
    ]


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    buttons = [Way(name, text, Tone.MAIN) for name, text in ways(model)]
    buttons.append(Way("refused.no", _("Not now"), Tone.PLAIN))
    title = _("This cannot be played so")
    return dialog(model, window, title, model.refusal, buttons, (480, 170))


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    match intent:
        case Key(key="escape") | Click(name="refused.no"):
            return same(replace(model, over=Over.NONE))
        case Key(key="enter", down=True) if ways(model):
            return handle(model, Click(ways(model)[0][0]))
        case Click(name="refused.rules"):
            return _again(model, rules=True)
        case Click(name="refused.files"):
            return _again(model, rules=False)
        case _:
            return same(model)


def _again(model: Model, *, rules: bool) -> Change:
    """Ask once more, without the rules, or without the files, that were chosen."""
    model = replace(model, over=Over.NONE)
    if model.wanted is None:
        return same(model)
    terms, what = model.wanted
    if rules:
        draft, terms = replace(model.draft, options=()), replace(terms, options=())
    else:
        draft = replace(model.draft, edition="", words="")
        terms = replace(terms, edition="", words="")
    return asked(replace(model, draft=draft), terms, what)


# How tiles are drawn: the choice of a host, and what it means, in words.


FAIRNESS: Final = "fairness"
"""The drop-down with the choice."""

WISHES: Final[tuple[Fairness, ...]] = ("encrypted", "committed")


def wishes() -> tuple[str, ...]:
    """Return what a host can choose, in the order of `WISHES`."""
    return _("Encrypted"), _("Committed")


def wish(fairness: str) -> str:
    """Return how tiles are drawn, in a word."""
    encrypted, committed = wishes()
    return encrypted if fairness == "encrypted" else committed


def promised(model: Model, fairness: Fairness) -> str:
    """Return what is promised, in a sentence or two, and why not more."""
    table = model.table
    agreed = table is not None and table.fairness == fairness
    if table is None or not agreed or model.draft.fairness:
        return promise(fairness)
    return told(table)


def note(table: door.TableStatus) -> str:
    """Return how tiles are drawn in a match; empty where there are none."""
    if not table.tiled:
        return ""
    return _("How tiles are drawn: {how}").format(how=wish(table.fairness))


def chosen(model: Model) -> Fairness | None:
    """Return how tiles are drawn at the table that is agreed on.

    None where there are none, or where all play at one computer.
    """
    table, draft = model.table, model.draft
    if table is not None and not table.hosting:
        return table.fairness if table.tiled else None
    about = GAMES[draft.game].ABOUT
    apart = any(seat.kind is Kind.REMOTE for seat in draft.seats)
    if not apart or about.tiled is None:
        return None
    return draft.fairness or usual(table, draft.game)


def usual(table: door.TableStatus | None, game: str) -> Fairness:
    """Return how tiles are drawn where the host has no wish; the node knows best."""
    known = table is not None and table.game == game and is_apart(table)
    return table.fairness if table is not None and known else USUALLY


def is_apart(table: door.TableStatus) -> bool:
    """Tell whether somebody plays from another computer."""
    return any(seat.kind == "remote" for seat in table.seats)


def wished(table: door.TableStatus) -> Fairness | Literal[""]:
    """Return what a host has wished for, as far as a table tells."""
    other = table.tiled and is_apart(table) and table.fairness != USUALLY
    return table.fairness if other and not table.why_fairness else ""


# How well a computer player plays: a slider, or three levels where a game has them.


_HIGHEST: Final = (33, 66, 100)
"""Up to which skill the players of those games play each level."""

_LEVEL: Final = ".level:"


def control(game: str, name: str, rect: Rect, skill: int, look: Look) -> list[Node]:
    """Return what chooses the skill of a computer player.

    Args:
        game: The game's name.
        name: Of the slider; `read` knows the names of the levels.
        rect: Where it stands.
        skill: The present one, 0-100.
        look: Sizes and colours.
    """
    if GAMES[game].ABOUT.levels:
        return _levels(name, rect, skill, look)
    left, right = _("dumb"), _("smart")  # source document of Networdz, Players
    wides = [look.width(text, look.small) + look.px(6) for text in (left, right)]
    ends = columns(rect, [wides[0], 1, wides[1]], look.px(4))
    return [
        label(ends[0], left, look, size=look.small, tone=Tone.DIM),
        widgets.slider(name, ends[1], skill / 100, look, value=str(skill)),
        label(ends[2], right, look, size=look.small, tone=Tone.DIM, align=Align.RIGHT),
    ]


def _levels(name: str, rect: Rect, skill: int, look: Look) -> list[Node]:
    """Return a button a level, the present one pressed; all texts of one size."""
    texts, skills = (_("Easy"), _("Medium"), _("Hard")), SKILLS.values()
    now = next(i for i, highest in enumerate(_HIGHEST) if skill <= highest)
    spots = columns(rect, [1.0] * len(texts), look.px(4))
    room = min(spot.w for spot in spots) - look.px(8)
    size = typefaces.fitting(texts, look.body, 8, room)
    return [
        replace(
            widgets.button(
                f"{name}{_LEVEL}{value}", spot, text, look, selected=i == now
            ),
            size=size,
        )
        for i, (value, spot, text) in enumerate(zip(skills, spots, texts, strict=True))
    ]


def read(name: str) -> tuple[str, int] | None:
    """Return whose level a button chooses, and the skill; None for other buttons."""
    whose, found, value = name.partition(_LEVEL)
    return (whose, int(value)) if found and value.isdigit() else None

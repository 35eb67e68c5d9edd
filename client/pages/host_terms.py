"""Why no table can be opened on these terms, and the ways out of it."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from client.app import options
from client.app.clicks import Closes, taker
from client.app.drafts import Draft, Kind, SeatDraft
from client.app.model import Change, Model, Over, ask, drafted, same
from client.pages import agreeing, bystanders
from client.pages.ways_out import Way, dialog
from client.ui import typefaces, widgets
from client.ui.layout import columns
from client.ui.scene import Align, Means, Node, Rect
from client.ui.texts import _, capital
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay import levels
from netplay.errors import Code
from netplay.levels import SKILLS, name_of
from netplay.messages import door
from netplay.messages.table import USUALLY, Days, Fairness
from netplay.messages.types import Admission
from netplay.text.phrases import promise
from netplay.text.phrases import promised as told
from rules import GAMES, title_of

_LANGUAGES: Final = {
    "de": "german", "fr": "french", "es": "spanish", "ru": "russian",
}  # fmt: skip
"""The program's own tiles and words for a language; English is the usual one."""

_A_TO_Z: Final = ("french",)
"""Of these the lists that have the letters A to Z and no others."""


# What a host may change of the terms, by a click.


class SetGame(Means, frozen=True):
    """Play another game."""

    game: str


class SetEdition(Means, frozen=True):
    """Play with other tiles."""

    name: str


class SetWords(Means, frozen=True):
    """Play with other words; with its own for no name."""

    name: str


class SetAdmission(Means, frozen=True):
    """Let others watch, or not."""

    to: Admission


class SetDays(Means, frozen=True):
    """Let a turn take so long."""

    days: Days


class SetFairness(Means, frozen=True):
    """Draw tiles in another way."""

    to: Fairness


class SetOption(Means, frozen=True):
    """Let an option of the game be something else."""

    key: str
    value: str


Terms: TypeAlias = (
    SetGame | SetEdition | SetWords | SetAdmission | SetDays | SetFairness | SetOption
)


def in_language(model: Model, draft: Draft) -> Draft:
    """Return a draft with tiles and words of the player's language, if none is chosen.

    Where a game has tiles of its own, only words that can be laid with them are taken.
    """
    name = _LANGUAGES.get(model.settings.language, "")
    resources = GAMES[draft.game].ABOUT.resources
    if draft.edition or draft.words or not name:
        return draft
    if "edition" in resources:
        return replace(draft, edition=name)
    laid = "lexicon" in resources and name in _A_TO_Z
    return replace(draft, words=name) if laid else draft


def with_hints(draft: Draft) -> Draft:
    """Return a draft with hints, if nobody but the player is hurt by them."""
    return replace(draft, options=draft.terms.with_hints)


def seated(before: Draft, draft: Draft) -> Draft:
    """Return a draft in which others sit than before.

    Hints come with being alone, and go with it: they are allowed in no company. Who
    has refused them has refused them afterwards, too.
    """
    if draft.terms.alone == before.terms.alone:
        return draft
    if draft.terms.alone:
        return with_hints(draft)
    rest = tuple(pair for pair in draft.options if pair != ("hints", "on"))
    return replace(draft, options=rest)


def language_of(words: str) -> str:
    """Return what a list of words is called in a sentence."""
    known = {
        "english": _("English words"),
        "german": _("German words"),
        "french": _("French words"),
        "spanish": _("Spanish words"),
        "russian": _("Russian words"),
    }
    if re.fullmatch(r"[0-9a-f]{8}", words):  # has no name here
        return _("a list of words that has no name here")
    return known.get(words) or _("words of {name}").format(name=words)


def spoken_name(name: str) -> str:
    """Return what tiles or words of the program are called; others as they are.

    Tiles without a name are the usual ones.
    """
    known = {
        "english": _("English"),
        "networdz": _("English"),
        "": _("English"),
        "standard": _("English, standard"),
        "german": _("German"),
        "french": _("French"),
        "spanish": _("Spanish"),
        "russian": _("Russian"),
    }
    return known.get(name, name)


def tiles_beside(words: str, edition: str) -> str:
    """Return what tiles are called, empty where the words played with them tell it."""
    usual = "english" if edition in {"networdz", "standard"} else edition
    return spoken_name(edition) if words and usual not in {"", words} else ""


def asked(model: Model, terms: door.HostTable, what: str) -> Change:
    """Open a table on some terms; they are kept in case they are refused.

    Args:
        model: As it is.
        terms: Game, seats, rules, edition and word list.
        what: `host` for a table, `host.start` for a match that begins at once.
    """
    draft = in_language(model, model.setup.draft)
    if draft != model.setup.draft and terms.game == draft.game:
        terms = replace(terms, edition=draft.edition, words=draft.words)
        model = drafted(model, draft)
    if opening(model, what) and model.setup.wanted == (terms, what):
        return same(model)
    model = replace(model, setup=replace(model.setup, wanted=(terms, what)))
    return ask(model, terms, what)


def opening(model: Model, what: str) -> bool:
    """Tell whether a table is being opened: a second click is meant for the first."""
    waits = {what, "start"} if what == "host.start" else {what}
    return not waits.isdisjoint(model.asked.values())


AT_FAULT: Final = frozenset(
    {
        Code.USAGE,
        Code.ILLEGAL_MOVE,
        Code.RULES,
        Code.BAD_WORDS,
        Code.BAD_EDITION,
        Code.FILE,
    }
)
"""Why a table was refused that other terms could have."""


def refused(model: Model, why: str) -> Model:
    """Return the model with the question what to do about terms that are refused."""
    return replace(model, over=Over.REFUSED, refusal=why, open="")


class GiveUp(Means, frozen=True):
    """Ask once more, without what was chosen."""

    what: Literal["rules", "files"]


def ways(model: Model) -> list[Way]:
    """Return what can be given up, as far as it differs from the usual."""
    if model.setup.wanted is None:
        return []
    terms, _what = model.setup.wanted
    usual_rules, usual_files = (
        _("Use the standard rules"),
        _("Use the standard tiles and words"),
    )
    rules = [Way("refused.rules", usual_rules, Tone.MAIN, GiveUp("rules"))]
    files = [Way("refused.files", usual_files, Tone.MAIN, GiveUp("files"))]
    usual = replace(terms, options=()).with_hints
    return [
        *(rules if terms.options not in {(), usual} else ()),
        *(files if terms.edition or terms.words else ()),
    ]


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    buttons = ways(model)
    buttons.append(Way("refused.no", _("Not now"), Tone.PLAIN, Closes()))
    title = _("The game could not begin")
    return dialog(model, window, title, model.refusal, buttons, (480, 170))


@taker
def _given_up(model: Model, message: GiveUp) -> Change:
    """Ask once more, without the rules, or without the files, that were chosen."""
    model = replace(model, over=Over.NONE)
    if model.setup.wanted is None:
        return same(model)
    terms, what = model.setup.wanted
    if message.what == "rules":
        draft = with_hints(replace(model.setup.draft, options=()))
        terms = replace(terms, options=replace(terms, options=()).with_hints)
    else:
        draft = replace(model.setup.draft, edition="", words="")
        terms = replace(terms, edition="", words="")
    return asked(drafted(model, draft), terms, what)


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
    if table is None or not agreed or model.setup.draft.fairness:
        return promise(fairness)
    return told(table)


def secrecy(how: Fairness) -> str:
    """Return who could see into the pool."""
    if how == "encrypted":
        return _("nobody can see into the pool")
    return _("the host's program could look into the pool")


def note(table: door.TableStatus) -> str:
    """Return who else could see into the bag of a match; empty where nobody could."""
    if not table.tiled:
        return ""
    if table.fairness != "encrypted" and table.hosting:
        return ""
    words = secrecy(table.fairness)
    return f"{words[0].upper()}{words[1:]}"


def chosen(model: Model) -> Fairness | None:
    """Return how tiles are drawn at the table that is agreed on.

    None where there are none, or where all play at one computer.
    """
    table, draft = model.table, model.setup.draft
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


# How well a computer player plays: a level, or a slider for whatever lies between.


class PlayAt(Means, frozen=True):
    """Let all computer players here play so well, by the number in the list."""

    index: int


LEVEL: Final = "level"
"""The drop-down of levels."""


def level_items(game: str) -> tuple[str, ...]:
    """Return what one chooses among; the last is a skill of one's own."""
    return (*(levels.label(game, name) for name in SKILLS), _("Custom"))


def control(
    game: str, names: tuple[str, str], rect: Rect, seat: SeatDraft, look: Look
) -> list[Node]:
    """Return what chooses the skill of a computer player.

    Args:
        game: The game's name.
        names: Of the drop-down and of the slider.
        rect: Where they stand.
        seat: The player's.
        look: Sizes and colours.
    """
    items, level = level_items(game), name_of(seat.skill)
    custom = seat.custom or not level
    if not custom:
        text = items[list(SKILLS).index(level)]
        return [widgets.choice(names[0], rect, text, look)]
    wide = min(rect.w // 2, look.width(items[-1], look.body) + look.px(40))
    chosen, rest = columns(rect, [wide, 1], look.px(4))
    left, right = _("dumb"), _("smart")  # source document of Networdz, Players
    wides = [look.width(text, look.small) + look.px(6) for text in (left, right)]
    ends = columns(rest, [wides[0], 1, wides[1]], look.px(4))
    value = str(seat.skill)
    return [
        widgets.choice(names[0], chosen, items[-1], look),
        label(ends[0], left, look, size=look.small, tone=Tone.DIM),
        widgets.slider(names[1], ends[1], seat.skill / 100, look, value=value),
        label(ends[2], right, look, size=look.small, tone=Tone.DIM, align=Align.RIGHT),
    ]


def level_note(model: Model) -> str:
    """Return how the level plays that the pointer is at, or the one chosen there."""
    head, _colon, tail = model.hover.partition(":")
    place = head.removeprefix(LEVEL)
    if head == place or not (place or "1").isdigit():
        return ""
    draft, names = model.setup.draft, tuple(SKILLS)
    name = name_of(draft.seats[int(place or 1)].skill)
    if tail.isdigit():
        name = names[int(tail)] if int(tail) < len(names) else ""
    if not name:
        return ""
    told = levels.about(draft.game, name), levels.scores(draft.game, name)
    text = "; ".join(filter(None, told))
    return capital(text)


def level_picked(seat: SeatDraft, index: int) -> SeatDraft:
    """Return a computer player's seat with the level, or the wish, of a list's row."""
    if index == len(SKILLS):
        return replace(seat, custom=True)
    return replace(seat, skill=tuple(SKILLS.values())[index], custom=False)


# What the host has changed of the terms since the player said yes, in red.


def changed_rows(
    model: Model, game: str, wide: int
) -> tuple[list[widgets.Row], list[int]]:
    """Return a row for each change, and how high each is: nothing in it is touched."""
    changes = () if model.table is None else model.table.changes
    look, told = model.look, [(each[0], _how(game, *each)) for each in changes]
    high = [typefaces.height(text, look.small, wide) + look.px(6) for _w, text in told]
    red = partial(label, look=look, size=look.small, tone=Tone.DANGER, wrap=True)
    return [
        partial(red, text=text, name=f"changed:{what}") for what, text in told
    ], high


def _how(game: str, what: str, before: str, now: str) -> str:
    titles = {
        "game": _("Game"),
        "players": _("Players"),
        "edition": _("Edition"),
        "words": _("Words"),
        "bystanders": _("Who may watch"),
        "fairness": _("How tiles are drawn"),
        "days": _("Days to think"),
        "keepers": _("Who is believed about letters"),
    }
    if what in {"players", "edition", "words", "keepers"}:
        return _("Changed: {what}").format(what=titles[what])
    shown: dict[str, Callable[[str], str]] = {
        "game": title_of,
        "bystanders": bystanders.wish,
        "fairness": wish,
        "days": lambda count: agreeing.day_words(int(count)),
    }
    title = titles.get(what) or options.label(game, what)
    said = shown.get(what) or partial(options.shown, game, what)
    return f"{title}: {said(before)} → {said(now)}"

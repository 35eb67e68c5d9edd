"""The dictionary's dialog: check, add, delete, import, export, choose.

Source document, Dictionary.  The node does the work, with the code of the command
`netplay words`; nothing waits for it, and the match goes on below.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from client.app.browsing import Purpose
from client.app.clicks import Closes, taker
from client.app.model import (
    Change,
    Give,
    Model,
    Over,
    Page,
    Play,
    Store,
    ask,
    edit_of,
    game_with,
    same,
    tell,
    untouched,
)
from client.pages import bar, chooser, editor_input, host_terms, setup
from client.pages.host_terms import spoken_name
from client.ui import widgets
from client.ui.layout import columns
from client.ui.scene import Means, Node, Rect
from client.ui.sound import Sound
from client.ui.texts import _, phrase, told
from client.ui.widgets import Tone, label
from netplay import drill
from netplay.messages import door
from netplay.messages.node_questions import (
    ChangeWords,
    CheckWord,
    DefineWords,
    ExportWords,
    ImportWords,
    RateTiles,
    Search,
    SearchWords,
    WordQuestion,
)
from rules import GAMES, editions, lexicon

WORD: Final = "field.word"
LIST: Final = "field.list"

NAME: Final = 32
"""Characters of a list's name."""


MEANT: Final = "meant"
"""Begins what questions about meanings are remembered as; behind a dot what is said of
the word of the drill."""

SEARCHES: Final = frozenset({"words.anagrams", "words.hooks", "words.pattern"})

FITS: Final = 330
"""Characters of words that fit: what the dialog has room for."""

SEARCHED: Final[dict[str, Callable[[], str]]] = {
    "book.anagrams": lambda: _("Words that these letters spell; ? is a blank"),
    "book.hooks": lambda: _("Words that a letter before or behind makes of this one"),
    "book.worth": lambda: _("What these tiles are worth on the rack; ? is a blank"),
    "book.drill": lambda: _("Words that you missed in your games, by their letters"),
    "book.pattern": lambda: _("Words that look so: ? is a letter, * any number"),
}
"""What each button looks for."""


def unnamed(model: Model) -> str:
    """Return the digest of the words in play, where no list of this home has them."""
    table, match = model.table, model.match
    if table is None or match is None or table.lexicon in model.list_names:
        return ""
    has_words = "lexicon" in GAMES[match.game].ABOUT.resources
    return str(match.state.options.lexicon) if has_words else ""


def opened(model: Model) -> Change:
    """Open the dialog on the dictionary of the table, or of the draft."""
    table, book = model.table, model.book
    edition = table.edition if table else model.setup.draft.edition
    words = table.lexicon if table else model.setup.draft.words
    if not (table or book.opened):  # at first in the player's language
        draft = replace(model.setup.draft, game=game_with("edition"))
        edition = host_terms.in_language(model, draft).edition
    if edition in model.edition_names:
        book = replace(book, edition=edition)
    if words in model.list_names:
        book = replace(book, words=words)
    elif edition in editions.shipped():
        words = unnamed(model) or editions.load(edition).words
        book = replace(book, words=words)
    book = replace(book, said="", bad=False, drill="", opened=True)
    model = replace(model, over=Over.DICTIONARY, open="", book=book)
    # Written first: what a terminal has asked for meanwhile is read then.
    return untouched(model, WORD, LIST), (Store(), Give(WORD))


class OfEdition(Means, frozen=True):
    """Look words up in the letters of another edition, and its list."""

    name: str


class OfWords(Means, frozen=True):
    """Look words up in another list."""

    name: str


class Check(Means, frozen=True):
    """Tell whether the word that is typed is one."""


class ChangeList(Means, frozen=True):
    """Add the word that is typed, or delete it."""

    change: Literal["add", "delete"]


class SearchList(Means, frozen=True):
    """Look for words that fit what is typed."""

    how: Search


class RateRack(Means, frozen=True):
    """Tell what the tiles that are typed are worth on a rack."""


class Drill(Means, frozen=True):
    """Ask for a word that was missed in a game, by its letters."""


class ImportList(Means, frozen=True):
    """Choose a file of words."""


class ExportList(Means, frozen=True):
    """Choose where to write the words."""


class PlayWith(Means, frozen=True):
    """Play the next game with edition and list."""


class OpenEditor(Means, frozen=True):
    """Open the editor of editions."""


Control: TypeAlias = (
    Check
    | ChangeList
    | SearchList
    | RateRack
    | Drill
    | ImportList
    | ExportList
    | PlayWith
    | OpenEditor
)


def called(model: Model, words: str) -> str:
    """Return what a list is called, also one that has no name here."""
    if words in model.list_names:
        return spoken_name(words)
    return _("the words of this game")


def target(model: Model) -> str:
    """Return under which name a changed list is kept, unless the user says another."""
    words = model.book.words
    if words not in model.list_names:  # others' words have no name here
        return f"my-{model.book.edition}"[:NAME]
    return f"my-{words}"[:NAME] if words in lexicon.shipped() else words


def company(model: Model) -> bool:
    """Tell whether somebody plays from elsewhere: then words stay as they are."""
    return model.table is not None and host_terms.is_apart(model.table)


def busy(model: Model) -> bool:
    """Tell whether the node works on words."""
    return any(what.startswith("words.") for what in model.asked.values())


_ROWS, _USUAL = 8, 36
"""Rows of the dialog, and how high they are where no thumb touches them."""


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog, and its drop-down if one is open."""
    look = model.look
    high = look.px(520) + _ROWS * max(0, look.row - look.px(_USUAL))
    face = widgets.dialog(
        "dictionary.box", window, (look.px(620), high), _("Dictionary"), look,
        lambda room: _body(model, room),
    )  # fmt: skip
    lists: dict[str, list[tuple[str, Means]]] = {
        "book.edition": [(spoken_name(n), OfEdition(n)) for n in model.edition_names],
        "book.words": [
            (called(model, n), OfWords(n))
            for n in (*model.list_names, unnamed(model))
            if n
        ],
    }
    return face, *bar.open_list(model, window, (face,), lists)


def _body(model: Model, room: Rect) -> Sequence[Node]:
    """Return what stands in the dialog, from top to bottom."""
    look, book = model.look, model.book
    free = model.linked and not busy(model)
    may = free and not company(model)
    y = room.y
    kids: list[Node] = []

    def line(title: str, high: int = 0) -> Rect:
        nonlocal y
        row = Rect(room.x, y, room.w, high or look.row)
        y = row.bottom + look.px(6)
        if not title:
            return row
        left, right = columns(row, [0.3, 0.7], look.gap)
        kids.append(label(left, title, look))
        return right

    def field(name: str, title: str, hint: str, start: str = "") -> str:
        edit = edit_of(model, name, start)
        kids.append(widgets.entry(name, line(title), edit, look, hint=hint))
        return edit.text.strip()

    spot = line(_("Letters of edition"))
    left, right = columns(spot, [1, widgets.button_width(_("Editor"), look)], look.gap)
    kids.append(widgets.choice("book.edition", left, spoken_name(book.edition), look))
    kids.append(widgets.button("editor", right, _("Editor"), look, means=OpenEditor()))
    spot = line(_("Dictionary"))
    text = _("Play with it")
    left, right = columns(spot, [1, widgets.button_width(text, look)], look.gap)
    kids.append(widgets.choice("book.words", left, called(model, book.words), look))
    kids.append(
        widgets.button(
            "book.use", right, text, look, enabled=may_choose(model), means=PlayWith()
        )
    )
    word = field(WORD, _("Word"), _("a word"))
    drilled = bool(drill.due(model.settings.missed, model.day)) and not busy(model)
    looked = bool(word) and (free or bool(book.drill))
    of_word, of_list = _of_word(
        looked=looked, changed=may and bool(word), drilled=drilled
    )
    kids += widgets.flow(columns(line(""), [0.3, 0.7], look.gap)[1], look, of_word)
    kids += widgets.flow(line(_("Look for")), look, of_list)
    field(LIST, _("Changes go to"), _("name"), target(model))
    items: list[widgets.Item] = [
        ("book.import", _("Import") + "…", Tone.PLAIN, may, ImportList()),
        ("book.export", _("Export") + "…", Tone.PLAIN, free, ExportList()),
    ]
    kids += widgets.flow(line(_("Text file")), look, items)
    foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
    said, tone = _said(model)
    rest = Rect(room.x, y, room.w, max(0, foot.y - y - look.px(4)))
    size = look.small
    kids.append(
        label(rest, said, look, name="book.said", size=size, tone=tone, wrap=True)
    )
    close = ("close", _("Close"), Tone.PLAIN, True, Closes())
    return (*kids, *widgets.flow(foot, look, [close]))


def _of_word(
    *, looked: bool, changed: bool, drilled: bool
) -> tuple[list[widgets.Item], list[widgets.Item]]:
    """Return the buttons about the word that is typed, and those that look for others.

    Args:
        looked: Words can be looked up now,
        changed: and the list be changed.
        drilled: There are words that the player has missed.
    """
    delete = ChangeList("delete")
    changes: list[widgets.Item] = [
        ("book.check", _("Check"), Tone.MAIN, looked, Check()),
        ("book.add", _("Add"), Tone.PLAIN, changed, ChangeList("add")),
        ("book.delete", _("Delete"), Tone.PLAIN, changed, delete),
        ("book.drill", _("Drill"), Tone.PLAIN, drilled, Drill()),
    ]
    titles: tuple[tuple[Search, str], ...] = (
        ("anagrams", _("Anagrams")),
        ("hooks", _("Hooks")),
        ("pattern", _("Pattern")),
    )
    found: list[widgets.Item] = [
        (f"book.{how}", title, Tone.PLAIN, looked, SearchList(how))
        for how, title in titles
    ]
    found.append(("book.worth", _("Worth"), Tone.PLAIN, looked, RateRack()))
    return changes, found


def _said(model: Model) -> tuple[str, Tone]:
    """Return what came of the last wish, or why nothing can be changed."""
    if busy(model):
        return _("The dictionary is being worked on. The game goes on."), Tone.DIM
    if model.book.said:
        return model.book.said, Tone.DANGER if model.book.bad else Tone.GOOD
    if company(model):
        words = "the dictionary stays as it is while a remote player is at the table"
        return told(words), Tone.DANGER
    text = _("The program's own lists stay as they are: changes go to a list of yours.")
    if searched := SEARCHED.get(model.hover):
        text = searched()
    return text, Tone.DIM


def may_choose(model: Model) -> bool:
    """Tell whether this player chooses the words of the next game."""
    table = model.table
    if model.page is Page.MATCH:
        return False
    return table is None or table.hosting


@taker
def _picked(model: Model, message: OfEdition | OfWords) -> Change:
    book, name = replace(model.book, said="", bad=False, drill=""), message.name
    if isinstance(message, OfWords):
        return untouched(replace(model, book=replace(book, words=name)), LIST), ()
    fresh = replace(book, edition=name)
    if name in editions.shipped():
        fresh = replace(fresh, words=editions.load(name).words)
    return untouched(replace(model, book=fresh), LIST), ()


@taker
def _pressed(  # noqa: C901, PLR0911 (one a button)
    model: Model, message: Control
) -> Change:
    match message:
        case Check():
            return _check(model)
        case ChangeList(change=change):
            book, into = model.book, _typed(model, LIST, target(model))
            word = _typed(model, WORD)
            question = ChangeWords(change, book.edition, book.words, into, word)
            return _ask(model, change, question)
        case ImportList():
            into = _typed(model, LIST, target(model))
            own = model.status.dictionaries if model.status else ()
            replaced = into if into in own else ""
            return chooser.opened(model, Purpose.IMPORT, goes=replaced)
        case ExportList():
            return chooser.opened(model, Purpose.EXPORT, model.book.words)
        case PlayWith():
            draft, book = model.setup.draft, model.book
            if "lexicon" not in GAMES[draft.game].ABOUT.resources:
                draft = replace(draft, game=game_with("lexicon"), options=())
            made_of_tiles = "edition" in GAMES[draft.game].ABOUT.resources
            edition = book.edition if made_of_tiles else ""
            said = _("The next game will use {words}.").format(words=book.words)
            model = replace(model, book=replace(book, said=said, bad=False))
            draft = replace(draft, edition=edition, words=book.words)
            return setup.changed(model, draft)
        case SearchList(how=how):
            return _ask(
                model,
                how,
                SearchWords(
                    model.book.edition, model.book.words, how, _typed(model, WORD)
                ),
            )
        case RateRack():
            book, tiles = model.book, _typed(model, WORD)
            return _ask(model, "worth", RateTiles(book.edition, book.words, tiles))
        case Drill():
            return _drilled(model)
        case OpenEditor():
            return editor_input.opened(model, model.book.edition)


def submit(model: Model) -> Change:
    """React to Enter in a field: a word is checked."""
    return _check(model) if model.focus == WORD else same(model)


def _typed(model: Model, name: str, start: str = "") -> str:
    return edit_of(model, name, start).text.strip()


def _ask(model: Model, what: str, question: WordQuestion) -> Change:
    """Ask the node for something, unless it is at work already."""
    if busy(model):
        return same(model)
    model = replace(model, book=replace(model.book, said="", bad=False, drill=""))
    return ask(model, question, f"words.{what}")


def _check(model: Model) -> Change:
    word, book = _typed(model, WORD), model.book
    if not word:
        return same(model)
    if book.drill:
        return _answered_drill(model, word)
    return _ask(model, "check", CheckWord(book.edition, book.words, word))


def _drilled(model: Model, before: str = "") -> Change:
    """Ask for the next word that was missed.

    Args:
        model: As it is.
        before: What came of the last one.
    """
    waiting = drill.due(model.settings.missed, model.day)
    if not waiting:
        text, word = _("No more words for today."), ""
    else:
        text, word = _("Which word has these letters? {letters}"), waiting[0].word
        text = text.format(letters=drill.letters(waiting[0]))
        if words := drill.list_name(waiting[0]):
            text = f"{spoken_name(words)}: {text}"
    said = "\n".join(filter(None, (before, text)))
    book = replace(model.book, said=said, bad=False, drill=word)
    return untouched(replace(model, book=book), WORD), (Give(WORD),)


def _answered_drill(model: Model, typed: str) -> Change:
    """Tell whether that was the word, and ask for the next one."""
    waiting = drill.due(model.settings.missed, model.day)
    asked = next((one for one in waiting if one.word == model.book.drill), None)
    if asked is None:
        return _drilled(model)
    found = drill.is_right(asked, typed)
    own = model.settings
    missed = drill.with_result(own.missed, asked, model.day, found=found)
    own = replace(own, missed=missed)
    text = _("Yes, {word}.") if found else _("No: it was {word}.")
    word = typed.upper() if found else asked.word
    text = text.format(word=word)
    model, effects = _drilled(replace(model, settings=own), text)
    model, asks = ask(model, DefineWords(asked.words, (word,)), f"{MEANT}.{text}")
    return model, (Store(), *effects, *asks)


def defined(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take what words mean: behind the word of the drill, or on the card of the end."""
    told = meanings(answer)
    text, book = what.partition(".")[2], model.book
    if not text:
        return same(replace(model, play=replace(model.play, meant=told)))
    if told and book.said.startswith(text):
        said = book.said.replace(text, f"{text}\n{told[0][1]}", 1)
        model = replace(model, book=replace(book, said=said))
    return same(model)


def meanings(answer: door.Done | door.Failed) -> tuple[tuple[str, str], ...]:
    """Return words and what they mean, as the node has told it."""
    if isinstance(answer, door.Failed):
        return ()
    lines = (line.partition("\t") for line in answer.data.decode().split("\n"))
    return tuple((word, meaning) for word, _tab, meaning in lines if meaning)


def imported(model: Model, path: str) -> Change:
    """Make a list of the file that was chosen."""
    into = _typed(model, LIST, target(model))
    return _ask(model, "import", ImportWords(model.book.edition, into, path))


def exported(model: Model, path: str, *, over: bool) -> Change:
    """Write the list to the file that was chosen; `over` what lies there."""
    book = model.book
    return _ask(model, "export", ExportWords(book.edition, book.words, path, over))


def _fitting(text: str, data: bytes) -> str:
    """Return how many words fit, and as many of them as there is room for."""
    words, shown = data.decode().split("\n"), ""
    for word in words:
        if len(shown) > FITS:
            return f"{text}\n{shown} …"
        shown = f"{shown}  {word}" if shown else word
    return f"{text}\n{shown}" if shown else text


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take the node's answer; a changed list becomes the one looked at."""
    bad = isinstance(answer, door.Failed)
    no = isinstance(answer, door.Done) and answer.data == b"no"  # the word is none
    text = phrase(
        answer.detail or answer.error.said
        if isinstance(answer, door.Failed)
        else answer.text
    )
    if isinstance(answer, door.Done) and what in SEARCHES:
        text, no = _fitting(text, answer.data), not answer.data
    book = replace(model.book, said=text, bad=bad or no)
    if not bad and what in ("words.add", "words.delete", "words.import"):
        book = replace(book, words=_typed(model, LIST, target(model)))
        model = untouched(model, LIST)
    model = replace(model, book=book)
    if model.over is not Over.DICTIONARY:
        model = tell(model, text, bad=bad)
    return model, (Play(Sound.REFUSED),) if bad else ()

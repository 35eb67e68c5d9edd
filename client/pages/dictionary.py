"""The dictionary's dialog: check, add, delete, import, export, choose.

Source document, Dictionary.  The node does the work, with the code of the command
`netplay words`; nothing waits for it, and the match goes on below.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from client.app.browsing import Purpose
from client.app.model import (
    Change,
    Give,
    Model,
    Over,
    Page,
    Play,
    ask,
    edit_of,
    game_with,
    same,
    tell,
    toggled,
    untouched,
)
from client.pages import bar, chooser, editor_input, host_terms, setup
from client.ui import widgets
from client.ui.intents import Click, Intent, Key
from client.ui.layout import columns
from client.ui.scene import Node, Rect
from client.ui.sound import Sound
from client.ui.texts import _, phrase, told
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.word_questions import (
    ChangeWords,
    CheckWord,
    ExportWords,
    ImportWords,
    WordQuestion,
)
from rules import GAMES, editions, lexicon

WORD: Final = "field.word"
LIST: Final = "field.list"

NAME: Final = 32
"""Characters of a list's name."""


def opened(model: Model) -> Change:
    """Open the dialog on the dictionary of the table, or of the draft."""
    table, book = model.table, model.book
    edition = table.edition if table else model.draft.edition
    words = table.lexicon if table else model.draft.words
    if edition in model.edition_names:
        book = replace(book, edition=edition)
    if words in model.list_names:
        book = replace(book, words=words)
    elif edition in editions.shipped():
        book = replace(book, words=editions.load(edition).words)
    book = replace(book, said="", bad=False)
    model = replace(model, over=Over.DICTIONARY, open="", book=book)
    return untouched(model, WORD, LIST), (Give(WORD),)


def target(model: Model) -> str:
    """Return under which name a changed list is kept, unless the user says another."""
    words = model.book.words
    return f"my-{words}"[:NAME] if words in lexicon.shipped() else words


def company(model: Model) -> bool:
    """Tell whether somebody plays from elsewhere: then words stay as they are."""
    return model.table is not None and host_terms.is_apart(model.table)


def busy(model: Model) -> bool:
    """Tell whether the node works on words."""
    return any(what.startswith("words.") for what in model.asked.values())


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog, and its drop-down if one is open."""
    look = model.look
    face = widgets.dialog(
        "dictionary.box", window, (look.px(620), look.px(480)), _("Dictionary"), look,
        lambda room: _body(model, room),
    )  # fmt: skip
    lists = {"book.edition": model.edition_names, "book.words": model.list_names}
    return face, *bar.opened(model, window, (face,), lists)


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
    kids.append(widgets.choice("book.edition", left, book.edition, look))
    kids.append(widgets.button("editor", right, _("Editor"), look))
    spot = line(_("Dictionary"))
    text = _("Play with it")
    left, right = columns(spot, [1, widgets.button_width(text, look)], look.gap)
    kids.append(widgets.choice("book.words", left, book.words, look))
    kids.append(
        widgets.button("book.use", right, text, look, enabled=may_choose(model))
    )
    word = field(WORD, _("Word"), _("a word"))
    items = [
        ("book.check", _("Check"), Tone.MAIN, free and bool(word)),
        ("book.add", _("Add"), Tone.PLAIN, may and bool(word)),
        ("book.delete", _("Delete"), Tone.PLAIN, may and bool(word)),
    ]
    kids += widgets.flow(columns(line(""), [0.3, 0.7], look.gap)[1], look, items)
    field(LIST, _("Changes go to"), _("name"), target(model))
    items = [
        ("book.import", _("Import") + "…", Tone.PLAIN, may),
        ("book.export", _("Export") + "…", Tone.PLAIN, free),
    ]
    kids += widgets.flow(line(_("Text file")), look, items)
    foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
    said, tone = _said(model)
    rest = Rect(room.x, y, room.w, max(0, foot.y - y - look.px(4)))
    size = look.small
    kids.append(
        label(rest, said, look, name="book.said", size=size, tone=tone, wrap=True)
    )
    return (*kids, *widgets.flow(foot, look, [("close", _("Close"), Tone.PLAIN, True)]))


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
    return text, Tone.DIM


def may_choose(model: Model) -> bool:
    """Tell whether this player chooses the words of the next game."""
    table = model.table
    if model.page is Page.MATCH:
        return False
    return table is None or table.hosting


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    match intent:
        case Key(key="escape"):
            return replace(model, over=Over.NONE, open=""), ()
        case Click(name=name) if name:
            head, _colon, tail = name.partition(":")
            if tail.isdigit():
                return _picked(replace(model, open=""), head, int(tail))
            return _pressed(model, name)
        case _:
            return same(model)


def _picked(model: Model, head: str, index: int) -> Change:
    book = replace(model.book, said="", bad=False)
    if head == "book.words":
        fresh = replace(book, words=model.list_names[index])
        return untouched(replace(model, book=fresh), LIST), ()
    name = model.edition_names[index]
    fresh = replace(book, edition=name)
    if name in editions.shipped():
        fresh = replace(fresh, words=editions.load(name).words)
    return untouched(replace(model, book=fresh), LIST), ()


def _pressed(model: Model, name: str) -> Change:
    verbs: dict[str, Callable[[Model], Change]] = {
        "book.check": _check,
        "book.add": lambda model: _word(model, "add"),
        "book.delete": lambda model: _word(model, "delete"),
        "book.import": lambda model: chooser.opened(
            model, Purpose.IMPORT, goes=_replaced(model)
        ),
        "book.export": lambda model: chooser.opened(
            model, Purpose.EXPORT, model.book.words
        ),
        "book.use": _use,
    }
    if name in verbs:
        return verbs[name](model)
    if name in ("book.edition", "book.words"):
        return toggled(model, name)
    if name == "editor":
        return editor_input.opened(model, model.book.edition)
    if name == "close":
        return replace(model, over=Over.NONE, open=""), ()
    return same(model)


def submit(model: Model) -> Change:
    """React to Enter in a field: a word is checked."""
    return _check(model) if model.focus == WORD else same(model)


def _typed(model: Model, name: str, start: str = "") -> str:
    return edit_of(model, name, start).text.strip()


def _ask(model: Model, what: str, question: WordQuestion) -> Change:
    """Ask the node for something, unless it is at work already."""
    if busy(model):
        return same(model)
    model = replace(model, book=replace(model.book, said="", bad=False))
    return ask(model, question, f"words.{what}")


def _check(model: Model) -> Change:
    word, book = _typed(model, WORD), model.book
    if not word:
        return same(model)
    return _ask(model, "check", CheckWord(book.edition, book.words, word))


def _word(model: Model, change: Literal["add", "delete"]) -> Change:
    book, into = model.book, _typed(model, LIST, target(model))
    word = _typed(model, WORD)
    question = ChangeWords(change, book.edition, book.words, into, word)
    return _ask(model, change, question)


def _replaced(model: Model) -> str:
    into = _typed(model, LIST, target(model))
    own = model.status.dictionaries if model.status else ()
    return into if into in own else ""


def imported(model: Model, path: str) -> Change:
    """Make a list of the file that was chosen."""
    into = _typed(model, LIST, target(model))
    return _ask(model, "import", ImportWords(model.book.edition, into, path))


def exported(model: Model, path: str, *, over: bool) -> Change:
    """Write the list to the file that was chosen; `over` what lies there."""
    book = model.book
    return _ask(model, "export", ExportWords(book.edition, book.words, path, over))


def _use(model: Model) -> Change:
    """Play the next game with this edition and dictionary."""
    draft, book = model.draft, model.book
    if "lexicon" not in GAMES[draft.game].ABOUT.resources:
        draft = replace(draft, game=game_with("lexicon"), options=())
    made_of_tiles = "edition" in GAMES[draft.game].ABOUT.resources
    edition = book.edition if made_of_tiles else ""
    said = _("The next game is played with {words}.").format(words=book.words)
    model = replace(model, book=replace(book, said=said, bad=False))
    draft = replace(draft, edition=edition, words=book.words)
    return setup.changed(model, draft)


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take the node's answer; a changed list becomes the one looked at."""
    bad = isinstance(answer, door.Failed)
    no = isinstance(answer, door.Done) and answer.data == b"no"  # the word is none
    text = phrase(
        answer.detail or answer.error.said
        if isinstance(answer, door.Failed)
        else answer.text
    )
    book = replace(model.book, said=text, bad=bad or no)
    if not bad and what in ("words.add", "words.delete", "words.import"):
        book = replace(book, words=_typed(model, LIST, target(model)))
        model = untouched(model, LIST)
    model = replace(model, book=book)
    if model.over is not Over.DICTIONARY:
        model = tell(model, text, bad=bad)
    return model, (Play(Sound.REFUSED),) if bad else ()

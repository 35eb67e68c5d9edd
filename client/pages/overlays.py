"""What may lie over any page: the name, preferences, help, leaving."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

from msgspec.structs import replace

from client.app import board, clicks
from client.app.browsing import Purpose
from client.app.lessons import Course
from client.app.model import (
    Change,
    Effect,
    Give,
    Model,
    Over,
    Page,
    Play,
    Store,
    ask,
    edit_of,
    same,
)
from client.app.settings import Settings
from client.pages import (
    agreeing,
    bar,
    bystanders,
    chooser,
    chooser_input,
    clipboard,
    copying,
    courses,
    devices,
    dictionary,
    editor_input,
    finished,
    games,
    host_terms,
    inviting,
    learn,
    leaving,
    lending,
    network,
    new_key,
    notices,
    person,
    play_input,
    preferences,
    result,
    reviewing,
    router,
    ways_out,
    writing,
)
from client.ui import texts, tiles, typefaces, widgets
from client.ui.intents import Intent, Key, Slide
from client.ui.layout import columns, rows
from client.ui.scene import Means, Node, Rect
from client.ui.sound import Sound
from client.ui.texts import _
from client.ui.theme import SCALES
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.sanitize import NAME_CHARACTERS

NAME: Final = "field.name"
REPORT: Final = "report"
"""The button that writes what to send with a complaint."""


class TakeName(Means, frozen=True):
    """Take the name that was typed."""


class Shut(Means, frozen=True):
    """Close the dialog; from the keys back to the lessons."""


class Teach(Means, frozen=True):
    """Show how the game is played."""


class WriteReport(Means, frozen=True):
    """Choose where to write what to send with a complaint."""


class _Dialog(Protocol):
    """A dialog large enough for a module of its own."""

    def scene(self, model: Model, window: Rect) -> tuple[Node, ...]: ...


_MODULES: Final[dict[Over, _Dialog]] = {
    Over.DICTIONARY: dictionary,
    Over.EDITION: editor_input,
    Over.WATCHERS: bystanders,
    Over.REFUSED: host_terms,
    Over.KEYLESS: ways_out,
    Over.MOVED: ways_out,
    Over.PERSON: person,
    Over.WRITING: writing,
    Over.NEW_KEY: new_key,
    Over.CONNECTION: network,
    Over.INVITE: inviting,
    Over.COPY: copying,
    Over.BRING: copying,
    Over.NEWS: notices,
    Over.LEAVE: leaving,
    Over.LEND: lending,
    Over.RESIGN: leaving,
    Over.DEVICES: devices,
    Over.FILE: chooser_input,
    Over.LEARN: learn,
    Over.RESULT: result,
    Over.REVIEW: reviewing,
    Over.ROUTER: router,
    Over.SERVERS: router,
    Over.DHT: router,
    Over.MEET: router,
    Over.CLIPBOARD: clipboard,
    Over.FINISHED: finished,
    Over.AGREE: agreeing,
}


_ESCAPED: Final[dict[Over, Callable[[Model], Change]]] = {
    Over.KEYLESS: ways_out.escaped,
    Over.MOVED: ways_out.escaped,
    Over.PERSON: person.escaped,
    Over.WRITING: writing.escaped,
    Over.NEW_KEY: new_key.escaped,
    Over.COPY: copying.escaped,
    Over.BRING: copying.escaped,
    Over.NEWS: notices.escaped,
    Over.LEND: lending.escaped,
    Over.ROUTER: router.escaped,
    Over.SERVERS: router.escaped,
    Over.DHT: router.escaped,
    Over.MEET: router.escaped,
}
"""What Escape does, where it does more than close the dialog."""


class _Keyed(Protocol):
    """A dialog with keys of its own beside Escape."""

    def handle(self, model: Model, intent: Intent) -> Change: ...


_KEYED: Final[dict[Over, _Keyed]] = {
    Over.EDITION: editor_input,
    Over.LEAVE: leaving,
    Over.RESIGN: leaving,
    Over.FILE: chooser_input,
    Over.LEARN: learn,
    Over.RESULT: result,
    Over.REVIEW: reviewing,
}


class _Filled(Protocol):
    """A dialog with a field in which Enter is pressed."""

    def submit(self, model: Model) -> Change: ...


_FILLED: Final[dict[Over, _Filled]] = {
    Over.DICTIONARY: dictionary,
    Over.FILE: chooser_input,
    Over.FINISHED: finished,
    Over.NEW_KEY: new_key,
    Over.PERSON: person,
    Over.WRITING: writing,
    Over.CONNECTION: network,
    Over.COPY: copying,
    Over.BRING: copying,
    Over.NEWS: notices,
}


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog that lies over the page, if any, and its drop-down."""
    if model.over is Over.AGREE and model.match is not None:
        from client.pages import play  # noqa: PLC0415 (late, as in `screen`)

        window = play.beside(model, window)
    if model.over in _MODULES:
        return _MODULES[model.over].scene(model, window)
    made = {Over.NAME: _name, Over.PREFERENCES: _preferences, Over.HELP: _help}
    if model.over not in made:
        return ()
    face = made[model.over](model, window.inset(model.look.px(10)))
    lists: dict[str, list[tuple[str, Means]]] = {
        name: [
            (words, preferences.Set(name.removeprefix("set."), value))
            for value, words in pairs
        ]
        for name, pairs in preferences.look_lists(model.size).items()
    }
    lists |= preferences.told_lists(model)
    return face, *bar.open_list(model, window, (face,), lists)


def _name(model: Model, window: Rect) -> Node:
    """Return the question for the player's name; the only one at the first start."""
    look = model.look
    text = _("The other players will see this name.")
    wide = min(look.px(400), window.w)
    high = typefaces.height(text, look.body, widgets.inside(wide, look))

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, high)
        field = Rect(room.x, note.bottom + look.gap, room.w, look.row)
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        edit = edit_of(model, NAME, model.status.name if model.status else "")
        typed = bool(edit.text.strip())
        items: list[widgets.Item] = [
            ("name.ok", _("OK"), Tone.MAIN, typed, TakeName()),
            copying.bringing("name.bring", model),
        ]
        return (
            label(note, text, look, wrap=True, tone=Tone.DIM),
            widgets.entry(NAME, field, edit, look, hint=_("name")),
            *widgets.flow(foot, look, items),
        )

    size = wide, widgets.around(high + 2 * look.row + look.gap + look.px(16), look)
    return widgets.dialog("name", window, size, _("What is your name?"), look, body)


def _cramped(model: Model) -> str:
    """Return why there are no larger scales to choose from, if there are none."""
    if model.look.scale < model.settings.look.scale:
        text = _("This window is too small for {n} %: everything is shown at {m} %.")
        return text.format(n=model.settings.scale, m=model.look.scale)
    if (offered := preferences.scales(model.size)) == SCALES:
        return ""
    text = _("A larger window has room for more than {n} %.")
    return text.format(n=offered[-1])


def _preferences(model: Model, window: Rect) -> Node:
    """Return the preferences (source document, Preferences, and the theme)."""
    look, made = model.look, _settings(model)

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        space = Rect(room.x, room.y, room.w, foot.y - room.y - look.gap)
        wrong, kids = bar.fault(model, "network"), list[Node]()
        if wrong:
            high = typefaces.height(wrong, look.small, room.w - look.px(30))
            told_, space = rows(space, [max(look.px(24), high), 1], look.px(4))
            kids = bar.wrong(wrong, told_, look)
        offset = model.scrolls.get("settings", 0)
        pitch = look.row + look.px(6)
        listed = widgets.scroll("settings", space, made, pitch, look, offset=offset)
        more = _("Network"), Tone.PLAIN, True, network.Connect()
        done: list[widgets.Item] = [
            ("close", _("Close"), Tone.MAIN, True, Shut()),
            (network.OPEN, *more),
            (devices.OPEN, _("Browser"), Tone.PLAIN, True, devices.Browsers()),
        ]
        return *kids, listed, *widgets.flow(foot, look, done)

    # On a phone held upright rows are higher, and there is room for more of them.
    size = (look.px(500), window.h if look.held else look.px(640))
    return widgets.dialog("settings.box", window, size, _("Preferences"), look, body)


def _settings(model: Model) -> list[widgets.Row]:
    """Return the rows of the preferences."""
    look, settings = model.look, model.settings
    lists = preferences.look_lists(model.size)

    def pick(name: str) -> widgets.Row:
        key = name.removeprefix("set.")
        chosen = str(getattr(settings, key))
        value = dict(lists[name]).get(chosen, f"{chosen} %" if key == "scale" else "")
        return preferences.choice(name, preferences.look_titles()[name], value, look)

    def volume(spot: Rect) -> Node:
        own, on = settings.volume, settings.sound
        return widgets.slider(
            "set.volume", spot, own / 100, look, enabled=on, value=str(own)
        )

    def note(rect: Rect) -> Node:
        return label(
            preferences.line(rect, look), _cramped(model), look, name="set.scale.note",
            size=look.small, tone=Tone.DIM, wrap=True,
        )  # fmt: skip

    made = [pick(name) for name in lists if name not in preferences.key_lists()]
    if _cramped(model):
        made.insert(list(lists).index("set.scale") + 1, note)

    def box(key: str, title: str, *, on: bool) -> widgets.Row:
        turn = preferences.Set(key, not on)
        return preferences.box(f"set.{key}", title, look, on=on, means=turn)

    made += [
        box("easy", _("Larger letters and points on tiles"), on=settings.easy),
        box("sound", _("Sound"), on=settings.sound),
        preferences.titled(_("Loudness"), look, volume),
        box("draw", _("Draw my tiles from the pool myself"), on=settings.draw),
    ]
    made += copying.rows(model) + notices.rows(model)
    made += preferences.told_rows(model)
    made += [pick(name) for name in preferences.key_lists()]
    return [*made, *preferences.key_rows(model)]


def _of_board(model: Model) -> list[tuple[str, str]]:
    """Return (key, what it does) on the board that is seen."""
    learning, match = model.learning, model.match
    if learning is not None:
        game = learning.game
    elif model.page is Page.MATCH and match is not None:
        game = match.game
    else:
        return []
    found = list(board.find(game).keys(model.settings.keys))
    if not (model.look.held or model.look.lying):
        return found
    touches = {
        _("Escape, right click"): _("hold a finger still"),
        _("Enter, right click"): _("hold a finger still"),
        _("double click"): _("double tap"),
    }
    made = [(touches[key], words) for key, words in found if key in touches]
    laid = (_("tap, tap"), _("a piece, then where it goes; or drag it there"))
    return [
        *([laid] if made else []),  # else there is nothing to take up
        *made,
        (_("pinch"), _("enlarge the page; a double tap beside everything does, too")),
        *((key, words) for key, words in found if key not in touches),
    ]


def keys_here(model: Model) -> list[tuple[str, str]]:
    """Return (key, what it does) of the help page."""
    found = _of_board(model)
    if model.learning is None and model.page is Page.MATCH and model.match is not None:
        found.append((_("Page Up, Page Down"), _("look back, and forward again")))
        if play_input.aborts(model):
            found.append((_("Ctrl+Esc"), _("ask whether to leave the game")))
        if not model.guest:
            found.append((_("Ctrl+Z"), _("take back a move not delivered yet")))
    found += [
        (_("Tab, Shift+Tab"), _("next, previous button or field")),
        (_("Enter, space"), _("press the button with the ring")),
        ("F1", _("this page")),
    ]
    if bar.words(model) and not model.guest:
        found.append(("F2", _("the dictionary, and the editor of tiles and board")))
    if model.page is Page.START and model.linked:
        found.append(("F3", _("finished games, and results against friends")))
    if model.linked and games.listed(model):
        found.append(("F4", _("the next game that waits for you")))
    if model.spoken:
        found.append(("F5", _("hear again how it stands")))
    escape = (
        _("close what lies over the page, else go to the games")
        if model.page is not Page.START and games.listed(model)
        else _("close what lies over the page")
    )
    found += [
        ("F11", _("full screen, and back")),
        (_("Escape"), escape),
        (_("Ctrl+C, Ctrl+X, Ctrl+V"), _("copy, cut, paste in a field")),
    ]
    return found


def _help(model: Model, window: Rect) -> Node:
    """Return the help page: the keys that work here."""
    look = model.look

    size = look.px(640)
    inner = min(size, window.w) - 2 * look.px(18) - look.px(10)
    wide = columns(Rect(0, 0, inner, 1), [0.4, 0.6], look.gap)[1].w

    def one(keys: str, words: str) -> widgets.Row:
        def make(rect: Rect) -> Node:
            left, right = columns(rect, [0.4, 0.6], look.gap)
            kids = [label(left, keys, look, bold=True), label(right, words, look)]
            return widgets.group(rect, kids)

        return make

    made = [
        one("" if i else keys, line)
        for keys, words in keys_here(model)
        for i, line in enumerate(typefaces.wrap(words, look.body, wide))
    ]

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        said = 2 * round(look.small * typefaces.LINE) if model.report else 0
        told_ = Rect(room.x, foot.y - look.gap - said, room.w, said)
        space = Rect(room.x, room.y, room.w, told_.y - room.y - look.px(4))
        offset = model.scrolls.get("keys", 0)
        pitch = round(look.line * 1.3)
        listed = widgets.scroll("keys", space, made, pitch, look, offset=offset)
        items: list[widgets.Item] = [
            ("close", _("Close"), Tone.PLAIN, True, Shut()),
            (REPORT, _("Write a report"), Tone.PLAIN, True, WriteReport()),
        ]
        items = items[:1] if model.guest else items  # its disk is the owner's
        game = learn.game_here(model)
        if game in courses.games(Course.LESSONS) and model.learning is None:
            first = ("help.learn", learn.title(game), Tone.MAIN, True, Teach())
            items.insert(0, first)
        words = widgets.reading(
            "report.told", told_, model.report, look, size=look.small,
            offset=model.scrolls.get("report.told", 0),
        )  # fmt: skip
        shown = (words,) if model.report else ()
        return listed, *shown, *widgets.flow(foot, look, items)

    high = round(look.line * 1.3) * len(made) + look.row + look.px(110)
    return widgets.dialog("help.box", window, (size, high), _("Keys"), look, body)


def handle(model: Model, intent: Intent) -> Change | None:
    """React to the dialog's own intents."""
    if model.over in _KEYED:
        return _KEYED[model.over].handle(model, intent)
    if model.over not in _MODULES:
        return _handled(model, intent)
    match intent:
        case Key(key="escape", down=True) if model.over in _ESCAPED:
            return _ESCAPED[model.over](model)
        case Key(key="escape", down=True):
            return replace(model, over=Over.NONE, open=""), ()
        case _:
            return same(model)


def _handled(model: Model, intent: Intent) -> Change | None:
    found = preferences.keyed(model, intent)
    if found is not None:
        return found
    named = model.status is None or bool(model.status.name)
    match intent:
        case Key(key="escape") if named or model.over is not Over.NAME:
            return _closed(model), ()
        case Key(key="enter", down=True):
            return submit(model) if model.over is Over.NAME else same(model)
        case Slide(name="set.volume", at=at):
            volume = round(at * 100)
            changed = replace(model, settings=replace(model.settings, volume=volume))
            return changed, (Store(),)
        case _:
            return same(model)


def _closed(model: Model) -> Model:
    """Return the model without the dialog; the keys may lead back to lessons."""
    if model.over is Over.HELP:
        return learn.helped(model)
    return replace(model, over=Over.NONE, open="")


Control: TypeAlias = TakeName | Shut | Teach | WriteReport


@clicks.taker
def _clicked(model: Model, message: Control) -> Change:
    match message:
        case TakeName():
            return submit(model)
        case Teach():
            return learn.opened(model, learn.game_here(model))
        case WriteReport():
            model = replace(model, report="")
            return chooser.opened(model, Purpose.REPORT, "netplay-report")
        case Shut():
            return _closed(model), ()


@clicks.taker
def _set(model: Model, message: preferences.Set) -> Change:
    key, value = message.key, message.value
    number = int(value) if key in ("scale", "delay", "repeat") else value
    settings: Settings = replace(model.settings, **{key: number})
    if key == "language":
        texts.speak(settings.language)
    tiles.call(settings.cells)
    effects: tuple[Effect, ...] = (Store(),)
    if key == "sound" and settings.sound:
        effects = (Store(), Play(Sound.TILE))
    return replace(model, settings=settings), effects


def submit(model: Model) -> Change:
    """Take what was typed in the dialog's field."""
    if model.over in _FILLED:
        return _FILLED[model.over].submit(model)
    if model.over is not Over.NAME:
        return same(model)
    start = model.status.name if model.status else ""
    name = edit_of(model, NAME, start).text.strip()[:NAME_CHARACTERS]
    if not name:
        return model, (Give(NAME),)
    return ask(replace(model, over=Over.NONE), door.SetName(name), "name")


# What the buttons of the bar do.


@clicks.taker
def on_bar(  # noqa: C901, PLR0911 (one a button)
    model: Model, message: bar.Control
) -> Change:
    """Do what a button of the bar says; keys do it, too, whatever lies over a page."""
    match message:
        case bar.Help():
            return learn.helped(model), ()
        case bar.Preferences():
            return _turned(model, Over.PREFERENCES)
        case bar.Rename():
            return _turned(model, Over.NAME)
        case bar.Leave():
            return leaving.leave(model)
        case bar.Dictionary() if model.over is not Over.NONE:
            return _turned(model, Over.DICTIONARY)
        case _ if model.over is not Over.NONE:
            return same(model)
        case bar.Dictionary():
            return dictionary.opened(model)
        case bar.Load() | bar.Save():
            if isinstance(message, bar.Load) or model.table is None:
                return chooser.opened(model, Purpose.LOAD)
            names = "-".join(each for each in model.names if each)
            return chooser.opened(model, Purpose.SAVE, f"{model.table.game}-{names}")
        case bar.History():
            return finished.opened(model)
        case bar.Games():
            return finished.back(model)
        case bar.NextGame():
            return games.onward(model)


def _turned(model: Model, over: Over) -> Change:
    """Open a dialog, or close it if it is the one that is open."""
    if model.over is over:
        return replace(model, over=Over.NONE, open=""), ()
    gives = (Give("field.name"),) if over is Over.NAME else ()
    return replace(model, over=over, open=""), gives

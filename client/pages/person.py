"""A player at another computer: what is noted of a friend, the key, doubts, block."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from client.app.clicks import Asks, Closes, taker
from client.app.model import Change, Model, Over, Who, ask, edit_of, same, untouched
from client.pages import bar, lending, new_key, preferences, question, writing
from client.ui import typefaces, widgets
from client.ui.scene import Colour, Means, Node, Rect
from client.ui.texts import _, local, phrase
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.messages import door, node_questions
from netplay.messages.table_questions import Kick, Mute
from netplay.said import Words
from rules import GAMES

MORE: Final = "…"
"""On the button that opens the dialog."""

WARNED: Final = "!"
"""The same where there is a doubt."""

ASKED: Final = "person"
"""What a request is remembered as."""


def missed(seat: door.SeatStatus) -> bool:
    """Tell whether somebody is away, and since when is known."""
    return seat.state == "away" and seat.since >= 0


def elsewhere(seat: door.SeatStatus) -> bool:
    """Tell whether somebody plays a seat at another computer."""
    taken = bool(seat.key) and seat.state != "awaited"
    return seat.kind == "remote" and taken


def more(model: Model, seat: door.SeatStatus) -> bool:
    """Tell whether there is a button beside a player's name."""
    return elsewhere(seat) or lending.lends(model, seat)


def away_for(seconds: int) -> str:
    """Return for how long somebody has been away, in the unit that tells most."""
    if seconds < 60:
        return _("away {n} s").format(n=seconds)
    if seconds < 3600:
        return _("away {n} min").format(n=seconds // 60)
    return _("away {n} h").format(n=seconds // 3600)


def short() -> str:
    """Return what is said of a doubtful name where there is little room."""
    return _("other key!")


class About(Means, frozen=True):
    """Open the dialog about who has a seat."""

    place: int
    """Of the seat on the page."""


class NewKey(Means, frozen=True):
    """Ask the others to let the player of the dialog come by another key."""


class MuteWho(Means, frozen=True):
    """Hear the player of the dialog no more, or again."""


def button(model: Model, i: int, rect: Rect, doubt: Words) -> Node:
    """Return the button beside the name of who has a seat."""
    face, tone = (WARNED, Tone.DANGER) if doubt else (MORE, Tone.QUIET)
    return widgets.button(
        f"who{i}", rect, face, model.look, tone=tone, means=About(i),
        said=_("About this player"),
    )  # fmt: skip


@taker
def _about(model: Model, message: About) -> Change:
    table, seat = model.table, seat_at(model, message.place)
    if table is None or seat is None:
        return same(model)
    if lending.lends(model, seat):
        number = next(n for n, one in enumerate(table.seats) if one is seat)
        return lending.opened(model, number, seat)  # free ones are equal
    seated = table.hosting and not table.match
    guest = seat.name if seat.browser else ""
    who = Who(seat.key, seat.name, seat.doubt, seated, guest)
    return opened(model, replace(who, blocked=seat.state == "blocked"))


def through(model: Model, key: str) -> str:
    """Return in words who carries the link to a player; nothing where nobody does."""
    peers = model.status.peers if model.status else ()
    names = [one.through for one in peers if one.key == key and one.connected]
    return _("through {name}").format(name=names[0]) if names and names[0] else ""


def seat_at(model: Model, i: int) -> door.SeatStatus | None:
    """Return the seat at a place of the page.

    A host that forms a table sees four places, some of them unused.
    """
    table = model.table
    if table is None:
        return None
    if table.hosting and not table.match:
        i = model.setup.draft.seat_of(i)
    return table.seats[i] if i < len(table.seats) else None


def opened(model: Model, who: Who) -> Change:
    """Open the dialog about somebody; a friend is one wherever one comes from."""
    known = model.status.friends if model.status else ()
    if not who.guest and any(key == who.key for _name, key in known):
        who = replace(who, friend=True)
    model = untouched(model, *FIELDS)
    return replace(model, over=Over.PERSON, who=who, open=""), ()


def _is_muted(model: Model, who: Who) -> bool:
    """Tell whether a player is muted, or the guest who is meant."""
    voice = f"{who.key} {who.guest}".strip()
    return model.status is not None and voice in model.status.muted


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look, who = model.look, model.who
    if who is None:
        return ()
    if who.forgets:
        return (_forgetting(model, who, window),)
    wide = min(look.px(500), window.w - look.px(20))
    inner = widgets.inside(wide, look)
    ask_them = _("Ask them, and compare the key, before you play.")
    doubt = f"{who.name}: {phrase(who.doubt)}. {ask_them}" if who.doubt else ""
    doubt, words = bar.fault(model, NOTED) or doubt, _note(who)
    keyed = who.keyed or bool(who.doubt)
    peers = model.status.peers if model.status else ()
    udp = any(one.udp for one in peers if one.key == who.key and one.connected)
    way = through(model, who.key) or (_("over UDP") if udp else "")
    parts = [who.key if keyed else "", way]
    line = " ".join(filter(None, parts))
    items = _buttons(model, who)
    made = _noted(model, who) if who.friend else []
    pitch = look.row + look.px(6)
    texts = [(_played(model, who), "person.played", look.small, Tone.DIM),
             (line, "person.key", look.body, Tone.PLAIN),
             (doubt, "person.doubt", look.body, Tone.DANGER),
             (words, "", look.small, Tone.DIM)]  # fmt: skip
    texts = [text for text in texts if text[0]]
    highs = [typefaces.height(text, size, inner) for text, _n, size, _t in texts]
    low = widgets.flow_height(items, inner, look)

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - low, room.w, low)
        kids: list[Node] = []
        y = room.y
        for row in made:
            kids.append(row(Rect(room.x, y, room.w, look.row)))
            y += pitch
        for (text, name, size, tone), high in zip(texts, highs, strict=True):
            spot = Rect(room.x, y, room.w, max(0, min(high, foot.y - y)))
            kids.append(label(spot, text, look, name=name, size=size, tone=tone,
                              wrap=True))  # fmt: skip
            y += high + look.px(8)
        return (*kids, *widgets.flows(foot, look, items))

    above = len(made) * pitch + sum(highs) + look.px(8) * len(highs)
    size = wide, widgets.around(above + look.px(12) + low, look)
    title = writing.named(model, who)
    return (widgets.dialog("person", window, size, title, look, body),)


def _forgetting(model: Model, who: Who, window: Rect) -> Node:
    """Return the question whether to forget a friend: there is no way back."""
    name = writing.named(model, who)
    text = _(
        "What you have noted of {name} and all that you have written to each other"
        " outside of games will be gone. Games stay."
    )
    forget = Forgo(node_questions.Forget(who.key))
    return question.dialog(
        model, window, "person.sure", _("Forget {name}?").format(name=name),
        text.format(name=name), yes=forget, no=AskForget(asks=False),
        verb=_("Forget"),
    )  # fmt: skip


def _played(model: Model, who: Who) -> str:
    """Return what was played with a friend last, and when."""
    for past in model.past.found if who.friend else ():
        if past.game in GAMES and any(one.key == who.key for one in past.friends):
            return _("Last played: {game}, {day}").format(
                game=GAMES[past.game].ABOUT.title, day=f"{local(past.at):%Y-%m-%d}"
            )
    return ""


# What the player notes of a friend: another name, a line of words, the tile's look.


NAME: Final = "field.friend.name"
NOTE: Final = "field.friend.note"
LETTER: Final = "field.friend.letter"
FIELDS: Final = (NAME, NOTE, LETTER)
"""What was typed there is taken by leaving them, too."""

NOTED: Final = "noted"
"""What the request to keep it is remembered as."""


COLOURS: Final[Mapping[node_questions.TileColour, Colour]] = {
    "green": (0x9D, 0xCF, 0xA6),
    "blue": (0xA4, 0xC6, 0xE9),
    "red": (0xF0, 0xAE, 0xA3),
    "violet": (0xCB, 0xB5, 0xE4),
    "grey": (0xC9, 0xC9, 0xC4),
}
"""Of friends' tiles, for dark letters in every theme."""

INK: Final[Colour] = (0x1E, 0x24, 0x22)


def face(look: Look, rect: Rect, name: str, own: node_questions.Personal) -> Node:
    """Return a friend's tile: the letter and the colour that the player has chosen."""
    letter = own.letter or next((c.upper() for c in name if c.isalnum()), "?")
    made = widgets.piece("", rect, letter, "", look)
    if own.colour not in COLOURS:
        return made
    return replace(made, bg=COLOURS[own.colour], fg=INK)


class Paint(Means, frozen=True):
    """Give a friend's tile a colour."""

    colour: node_questions.TileColour


class ShowKey(Means, frozen=True):
    """Show the key, to be compared."""


class Forgo(Means, frozen=True):
    """Forget, block or unblock a player, without a dialog of theirs from then on."""

    question: node_questions.Forget | node_questions.Block | node_questions.Unblock


class AskForget(Means, frozen=True):
    """Ask whether to forget the player of the dialog, or ask no more."""

    asks: bool


def _personal(model: Model, who: Who) -> node_questions.Personal:
    """Return what the node has kept of a friend."""
    noted = dict(model.status.personal) if model.status else {}
    return noted.get(who.key, node_questions.Personal())


def typed(model: Model, name: str) -> str:
    """Return what a field shows before it is touched."""
    if model.who is None:
        return ""
    own = _personal(model, model.who)
    return {NAME: own.called, NOTE: own.note, LETTER: own.letter}[name]


def _noted(model: Model, who: Who) -> list[widgets.Row]:
    """Return the rows in which a friend is described."""
    look, own = model.look, _wanted(model, who)

    def tile(spot: Rect) -> Node:
        side = spot.h
        swatches: list[node_questions.TileColour] = ["", *COLOURS]
        count = len(swatches)
        step = min(side + look.px(4), (spot.w - side - look.px(52)) // count)
        name = writing.named(model, who)
        kids = [face(look, Rect(spot.x, spot.y, side, side), name, own)]
        letter = Rect(spot.x + side + look.px(8), spot.y, look.px(40), spot.h)
        edit = edit_of(model, LETTER, typed(model, LETTER))
        kids.append(widgets.entry(LETTER, letter, edit, look, enabled=model.linked))
        x = letter.right + look.px(8)
        high = min(step - look.px(4), spot.h)
        for i, colour in enumerate(swatches):
            place = Rect(x + i * step, spot.y + (spot.h - high) // 2, high, high)
            made = widgets.button(f"tile.{colour or 'usual'}", place, "", look,
                                  selected=colour == own.colour, means=Paint(colour),
                                  enabled=model.linked)  # fmt: skip
            shade = COLOURS.get(colour, look.theme.tile)
            edge = look.theme.accent if colour == own.colour else look.theme.line
            thick = look.px(3) if colour == own.colour else 1
            # A colour's name, for those who hear it
            names: dict[node_questions.TileColour, str] = {
                "": _("as other tiles"), "green": _("green"), "blue": _("blue"),
                "red": _("red"), "violet": _("violet"), "grey": _("grey"),
            }  # fmt: skip
            kids.append(replace(made, bg=shade, edge=edge, border=thick,
                                value=names[colour]))  # fmt: skip
        return widgets.group(spot, kids)

    kept = _personal(model, who)
    return [
        preferences.field(model, NAME, _("Your name for them"), kept.called, who.name),
        preferences.field(model, NOTE, _("Note, for you alone"), kept.note),
        preferences.titled(_("Letter and colour"), look, tile),
    ]


def _wanted(model: Model, who: Who) -> node_questions.Personal:
    """Return what is noted as it is typed now."""
    kept = _personal(model, who)
    called, note, letter = (
        edit_of(model, name, typed(model, name)).text.strip() for name in FIELDS
    )
    return node_questions.Personal(called, note, letter[:1].upper(), kept.colour)


def submit(model: Model) -> Change:
    """Have kept what was typed, if it is something else."""
    who = model.who
    if who is None or not who.friend or _wanted(model, who) == _personal(model, who):
        return same(model)
    return ask(model, node_questions.Describe(who.key, _wanted(model, who)), NOTED)


@taker
def _painted(model: Model, message: Paint) -> Change:
    who = model.who
    if who is None:
        return same(model)
    own = replace(_wanted(model, who), colour=message.colour)
    return ask(model, node_questions.Describe(who.key, own), NOTED)


@taker
def _keyed(model: Model, _message: ShowKey) -> Change:
    who = model.who
    return same(model if who is None else replace(model, who=replace(who, keyed=True)))


def _note(who: Who) -> str:
    """Return what removing and blocking do."""
    words = _("You hear nothing from people you block until you unblock them.")
    if who.guest:
        words = _(
            "Removing or blocking applies to everyone who plays at that computer."
        )
    if not who.seated or who.guest:
        return words
    return _("Whoever you remove cannot come back to this table.") + " " + words


def _buttons(model: Model, who: Who) -> list[widgets.Item]:
    mute = _("Unmute") if _is_muted(model, who) else _("Mute")
    kick, block, unblock = (
        Asks(wish(who.key), ASKED, closes=True)
        for wish in (Kick, node_questions.Block, node_questions.Unblock)
    )
    forget = AskForget(asks=True)
    on = model.linked
    made: list[widgets.Item] = [("close", _("Close"), Tone.MAIN, True, Closes())]
    if not (who.keyed or who.doubt):
        made.append(("person.show", _("Show the key"), Tone.PLAIN, True, ShowKey()))
    if who.seated:
        made.append(("person.kick", _("Remove"), Tone.PLAIN, on, kick))
    made.append(("person.mute", mute, Tone.PLAIN, on, MuteWho()))
    if who.friend:
        face = writing.face(model, who.key)
        made.append(("person.write", face, Tone.PLAIN, on, writing.Write(who)))
        made.append(("person.forget", _("Forget"), Tone.PLAIN, on, forget))
    if new_key.offered(model, who):
        made.append(("person.new", _("New key …"), Tone.PLAIN, on, NewKey()))
    if who.blocked:
        return [*made, ("person.unblock", _("Unblock"), Tone.PLAIN, on, unblock)]
    return [*made, ("person.block", _("Block"), Tone.DANGER, on, block)]


def escaped(model: Model) -> Change:
    """Take back the question whether to forget somebody, or close the dialog."""
    if model.who is not None and model.who.forgets:
        return _doubted(model, AskForget(asks=False))
    return replace(model, over=Over.NONE, who=None), ()


@taker
def _doubted(model: Model, message: AskForget) -> Change:
    who = model.who
    if who is None:
        return same(model)
    if who.listed:
        return same(_closed(model))
    return same(replace(model, who=replace(who, forgets=message.asks), focus=""))


def _closed(model: Model) -> Model:
    """Return a model without the dialog, with the page that it came from."""
    listed = model.who is not None and model.who.listed
    over = Over.CONNECTION if listed else Over.NONE
    return replace(model, over=over, who=None, focus="")


@taker
def _forgone(model: Model, message: Forgo) -> Change:
    left = tuple(one for one in model.known if one.key != message.question.whom)
    model = model if model.who is None else _closed(model)
    return ask(replace(model, known=left), message.question, ASKED)


@taker
def _renewed(model: Model, _message: NewKey) -> Change:
    return new_key.opened(model)


@taker
def _muted(model: Model, _message: MuteWho) -> Change:
    who = model.who
    if who is None:
        return same(model)
    on = not _is_muted(model, who)
    model = replace(model, over=Over.NONE, who=None)
    return ask(model, Mute(on, who.key, who.guest), ASKED)

"""What the user does on the table page: set the terms, call, accept, start."""

from collections.abc import Mapping

from msgspec.structs import replace

from client import options
from client.intents import Click, Intent, Slide
from client.model import Change, Model, ask, same, toggled, untouched
from client.pages import bystanders, chat, days, fairness, levels, person
from client.pages.setup import game_of, hosting, value_of
from client.pages.start import remember, to_call
from client.table_draft import Draft, Kind, SeatDraft
from netplay.messages import door
from netplay.messages.node_questions import GetInvitation
from rules import GAMES


def adopt(model: Model) -> Model:
    """Return the model with a draft that agrees with the table the node has.

    The table may have been opened by a command, or loaded from a file.
    """
    table, draft = model.table, model.draft
    if table is None or not table.hosting:
        return model
    kinds = [(Kind(s.kind), s.kind == "computer" and s.program) for s in table.seats]
    changed = _chosen(table.game, options.agreed(table.game, table.options))
    same_seats = (
        draft.game == table.game and [(s.kind, s.program) for s in draft.taken] == kinds
    )
    if same_seats and _chosen(table.game, dict(draft.options)) == changed:
        return replace(model, agreed=draft)
    usual = draft.seats[1].skill  # of computer players; a person or friend has none
    seats = [
        SeatDraft(
            Kind(s.kind),
            _typed_name(model, s),
            s.skill if s.kind == "computer" else usual,
            program=s.kind == "computer" and s.program,
        )
        for s in table.seats
    ]
    spare = [SeatDraft(skill=usual)] * (len(draft.seats) - len(seats))
    words = table.edition, table.lexicon
    apart = table.bystanders, fairness.wished(table)
    fresh = Draft(table.game, (*seats, *spare), changed, *words, *apart)
    fresh = replace(fresh, days=table.thinking.days)
    return replace(model, draft=fresh, agreed=fresh)


def _typed_name(model: Model, seat: door.SeatStatus) -> str:
    """Return the name that a person here was given for a seat, not the player's own.

    Whoever plays elsewhere has a name of their own, which is not for the next table.
    """
    own = model.status.name if model.status else ""
    return seat.name if seat.kind == "person" and seat.name != own else ""


def _chosen(game: str, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the options that are not as the game has them by itself."""
    return tuple(
        (field.key, values[field.key])
        for field in options.fields(game)
        if values.get(field.key, field.default) != field.default
    )


def settled(model: Model, *, taken: bool) -> Model:
    """Return the model after the node's answer to a draft: what is shown is agreed.

    A refused change goes back to the terms that stand, or nobody would see which do.
    """
    if not taken:
        return replace(model, draft=model.agreed)
    waits = {"change", "host"}.intersection(model.asked.values())
    return model if waits else replace(model, agreed=model.draft)


def handle(model: Model, intent: Intent) -> Change | None:
    """React to the table page's own intents."""
    match intent:
        case Slide(name=name, at=at) if name.startswith("skill") and hosting(model):
            return _with_skill(model, name, round(at * 100))
        case Click(name=name) if (chosen := levels.read(name)) and hosting(model):
            return _with_skill(model, *chosen)
        case Click(name=name) if name:
            head, _colon, tail = name.partition(":")
            if tail.isdigit() and head == model.open:
                closed = replace(model, open="")
                return _picked(closed, head, int(tail))
            return _pressed(model, name)
        case _:
            return None


def _with_skill(model: Model, name: str, value: int) -> Change:
    """Let the computer player whose slider or levels these are play so well."""
    i = int(name.removeprefix("skill"))
    seat = replace(model.draft.seats[i], skill=value)
    return changed(model, _with_seat(model.draft, i, seat))


def submit(model: Model, name: str) -> Change:
    """React to Enter in, or leaving, a field."""
    if name == chat.FIELD:
        return chat.say(model)
    if not name.startswith("field.seat") or name not in model.edits:
        return same(model)
    i = int(name.removeprefix("field.seat"))
    text, seat = model.edits[name].text.strip(), model.draft.seats[i]
    person = seat.kind is Kind.PERSON
    fresh = replace(seat, name=text) if person else replace(seat, address=text)
    if fresh == seat:
        return same(model)
    return changed(model, _with_seat(model.draft, i, fresh))


def _with_seat(draft: Draft, i: int, seat: SeatDraft) -> Draft:
    seats = (*draft.seats[:i], seat, *draft.seats[i + 1 :])
    return replace(draft, seats=seats)


def changed(model: Model, draft: Draft) -> Change:
    """Take a new draft, and tell the node if it can be a table."""
    if draft == model.draft:
        return same(model)
    model = replace(model, draft=draft)
    if len(draft.taken) not in GAMES[draft.game].ABOUT.seats or model.table is None:
        return same(model)
    return ask(model, door.ChangeTable(draft.changes), "change")


def _picked(  # noqa: PLR0911 (one a drop-down)
    model: Model, head: str, index: int
) -> Change | None:
    draft = model.draft
    for prefix in ("kind", "recent"):
        if head.startswith(prefix) and head.removeprefix(prefix).isdigit():
            return _seat_picked(model, prefix, int(head.removeprefix(prefix)), index)
    if head.startswith("option."):
        key = head.removeprefix("option.")
        field = next(f for f in options.fields(draft.game) if f.key == key)
        return changed(model, _with_option(draft, key, field.choices[index]))
    match head:
        case "game":
            return changed(model, _with_game(draft, tuple(GAMES)[index]))
        case "edition":
            name = model.edition_names[index]
            return changed(model, replace(draft, edition=name, words=""))
        case "bystanders":
            return changed(model, replace(draft, bystanders=bystanders.WISHES[index]))
        case days.DAYS:
            return changed(model, replace(draft, days=days.WISHES[index]))
        case fairness.FAIRNESS:
            return changed(model, replace(draft, fairness=fairness.WISHES[index]))
        case "words":
            name = ("", *model.list_names)[index]
            return changed(model, replace(draft, words=name))
        case _:
            return None


def _with_option(draft: Draft, key: str, value: str) -> Draft:
    others = tuple(pair for pair in draft.options if pair[0] != key)
    return replace(draft, options=(*others, (key, value)))


def _with_game(draft: Draft, game: str) -> Draft:
    most = GAMES[game].ABOUT.seats[-1]
    seats = list(draft.seats)
    used = [i for i, s in enumerate(seats) if s.kind is not Kind.NONE]
    for i in used[most:]:
        seats[i] = replace(seats[i], kind=Kind.NONE)
    return Draft(game, tuple(seats), bystanders=draft.bystanders)


def _seat_picked(model: Model, prefix: str, i: int, index: int) -> Change:
    """Take the kind or the recent address chosen for a position."""
    seat = model.draft.seats[i]
    if prefix == "recent":
        seat = replace(seat, address=to_call(model)[index])
    else:
        seat = replace(seat, kind=list(Kind)[index], program=False)
    fresh = untouched(model, f"field.seat{i}")
    return changed(fresh, _with_seat(model.draft, i, seat))


def _pressed(  # noqa: PLR0911 (one a button)
    model: Model, name: str
) -> Change | None:
    if found := person.clicked(model, name):
        return found
    if name == "start":
        return ask(model, door.StartMatch(), "start")
    if name == "accept" and model.table is not None:
        consent = door.Consent(True, model.table.revision)
        return ask(model, consent, "accept")
    if not hosting(model):
        return None
    if name == "copy":
        return ask(model, GetInvitation(), "invitation")
    if name.startswith("call") and name[4:].isdigit():
        return _call(model, int(name[4:]))
    if name.startswith("option."):
        key = name.removeprefix("option.")
        field = next(f for f in options.fields(game_of(model)) if f.key == key)
        if field.switch:
            value = "off" if value_of(model, field) == "on" else "on"
            return changed(model, _with_option(model.draft, key, value))
    lists = ("game", "edition", "words", "bystanders", fairness.FAIRNESS, days.DAYS)
    if name in lists or name.startswith(("kind", "recent", "option.")):
        return toggled(model, name)
    return None


def _call(model: Model, i: int) -> Change:
    """Call the peer whose address stands at a position."""
    model, effects = submit(model, f"field.seat{i}")
    address = model.draft.seats[i].address
    call = door.Call(address.partition(" ")[0], model.draft.seat_of(i))
    model, more = ask(remember(model, address), call, f"call{i}")
    return model, (*effects, *more)

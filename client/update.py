"""The next model, from what the user wants and what the node tells."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client import cues
from client.app import board, clicks, follow
from client.app.board import Step
from client.app.browsing import Arriving, Listing, Looked, Reported
from client.app.model import (
    Change,
    Copy,
    Effect,
    FullScreen,
    Give,
    Match,
    Model,
    Over,
    Page,
    Paste,
    Play,
    ask,
    edit_of,
    same,
    seen,
    tell,
    unscrolled,
    with_edit,
)
from client.pages import (
    agreeing,
    bar,
    chat,
    chooser,
    chooser_input,
    clipboard,
    copying,
    devices,
    dictionary,
    editor_input,
    faults,
    finished,
    friends,
    games,
    host_terms,
    inviting,
    learn,
    leaving,
    lending,
    lent,
    link_offer,
    moves,
    network,
    new_key,
    notices,
    overlays,
    person,
    play_input,
    players,
    preferences,
    question,
    result,
    review,
    router,
    seating,
    setup,
    start,
    unfinished,
    writing,
)
from client.ui import hand, intents
from client.ui.scene import Write
from client.ui.sound import Sound
from client.ui.texts import _, phrase, plainly, sentence
from netplay import wire
from netplay.errors import Code
from netplay.fingerprint import invitation_in
from netplay.messages import door
from netplay.messages.door import Clicked, Summons
from netplay.messages.node_questions import GetKnown
from netplay.messages.table import COUNTED
from netplay.said import Words
from rules import GAMES
from rules.game import CHANCE

# What the node answers to the questions of a window.


def take_answer(model: Model, answer: door.Done | door.Failed) -> Change:
    """Take what the node answers to a question of this window."""
    asked: Mapping[int, str] = model.asked
    what = asked.get(answer.id, "")
    rest = {number: why for number, why in asked.items() if number != answer.id}
    model = replace(model, asked=rest)
    match = model.match
    if match is not None and match.sent == answer.id:
        model = replace(model, match=replace(match, sent=0))
    answered = {
        "words": dictionary.answered,
        dictionary.MEANT: dictionary.defined,
        "edition": editor_input.answered,
        review.ASKED: review.answered,
        games.GLANCE: games.glanced,
        finished.ASKED: finished.answered,
        writing.ASKED: writing.answered,
        writing.SAID: writing.answered,
        new_key.ASKED: new_key.answered,
        "line": inviting.answered,
        copying.ASKED: copying.answered,
        copying.BROUGHT: copying.answered,
        notices.ASKED: notices.answered,
        devices.LISTED: devices.answered,
        devices.PAIRED: devices.answered,
    }
    if what == follow.PIECE:
        return follow.longer(model, answer)
    if what == chat.SAID:
        model = chat.given_back(model, answer)
    if (tool := what.partition(".")[0]) in answered:
        return answered[tool](model, what, answer)
    return _answered(model, what, answer)


_SEEN: Final = frozenset(
    {"name", "host", "change", "start", "network", "left", "rematch", start.INVITES}
    | {agreeing.VERB, person.NOTED}
)
"""What came of these is to be seen anyway."""


_TOO_LATE: Final = {Code.ILLEGAL_MOVE, Code.NOT_YOUR_TURN, Code.STALE}
"""In a game in real time a key may be on its way while something else happens."""


def _answered(  # noqa: PLR0911 (one a kind of request)
    model: Model, what: str, answer: door.Done | door.Failed
) -> Change:
    if isinstance(answer, door.Failed):
        return _failed(model, what, answer)
    if what in ("host", "change", "host.start"):
        model = setup.settled(model, taken=True)
    model = chooser_input.file_done(faults.called(model, what), what)
    match what:
        case "host.start":
            return ask(model, door.StartMatch(COUNTED), "start")
        case _ if what in _SEEN:
            return same(model)
        case "crashed":
            return same(replace(model, crashed=False))
        case "hint":
            return _hint(model, answer)
        case lending.ASKED:
            return lending.answered(model, answer)
        case person.ASKED:
            known = ask(model, GetKnown(), "peers")
            return tell(known[0], phrase(answer.text)), known[1]
        case "peers" | "invitation":
            taken = network.answered if what == "peers" else start.copied
            return taken(model, answer)
        case _:
            told = tell(model, sentence(answer.text), about=what)
            return same(told if answer.text else model)


def _failed(model: Model, what: str, answer: door.Failed) -> Change:
    """Say why something was refused; of terms also what can be done about it."""
    hurries = model.match is not None and model.match.hurries
    if what == "play" and hurries and answer.error.code in _TOO_LATE:
        return model, (Play(Sound.REFUSED),)  # the well has filled meanwhile
    if what == "host":
        model = replace(model, page=Page.TABLE if model.table else Page.START)
    about = what
    if what == "change":
        about = setup.at_fault(model)
        model = setup.settled(model, taken=False)
    why = phrase(answer.error.said)
    terms = what in ("host", "host.start") and answer.error.code in host_terms.AT_FAULT
    if terms and host_terms.ways(model):
        return host_terms.refused(model, why), (Play(Sound.REFUSED),)
    if (file := chooser_input.refused(model, what, why)) is not None:
        assert file.chooser is not None  # it says so there
        gives = Give(chooser.field(file.chooser, file))
        return file, (Play(Sound.REFUSED), gives)
    said = plainly(answer.error.said, faults.whom(model, what))
    wrong = tell(model, sentence(said), bad=True, about=about)
    return wrong, (Play(Sound.REFUSED),)


def _hint(model: Model, answer: door.Done) -> Change:
    """Show a hint in words, as long as the turn goes on."""
    if model.match is None or model.match.covered:
        return same(model)
    play = _as_listed(model.match, answer.data) or phrase(answer.text)
    hint = _("Hint: {play}").format(play=play)
    match = replace(model.match, hint=hint)
    shown = board.find(match.game).TRAITS.hinted
    if shown is not None and answer.data and match.back < 0:
        move = wire.unpack(answer.data, GAMES[match.game].ABOUT.move)
        match = replace(match, local=shown(match.local, move))
    return replace(model, match=match), ()


def _as_listed(match: Match, data: bytes) -> str:
    """Return a move as the list of moves has it, with the names along the board.

    Args:
        match: In which it may be made.
        data: The move as the node has sent it.

    Returns:
        Nothing for what is no play on the board.
    """
    entered = board.find(match.game).TRAITS.entered
    if entered is None or not data:
        return ""
    move = wire.unpack(data, GAMES[match.game].ABOUT.move)
    found = entered(Step(match.state, match.seat, move))
    if found is None:
        return ""
    points = "" if found.points is None else str(found.points)
    return " ".join(filter(None, (found.where, found.what, points)))


LONGEST: Final = 500
"""Characters a field holds."""


class Tick(Struct, frozen=True):
    """Time has passed; the day is as `date.toordinal` counts, 0 if unknown."""

    now: float
    day: int = 0


class Settled(Struct, frozen=True):
    """The start is over: what is drawn is of use, not needed."""


class Resized(Struct, frozen=True):
    """The window has another size."""

    size: tuple[int, int]


class Linked(Struct, frozen=True):
    """The node's door is open."""


class Cut(Struct, frozen=True):
    """The node's door is closed."""

    why: Words


Event: TypeAlias = (
    intents.Intent
    | door.FromNode
    | Tick
    | Resized
    | Settled
    | Linked
    | Cut
    | Listing
    | Looked
    | Reported
    | Arriving
    | link_offer.LinksKnown
    | clipboard.ToFront
    | clipboard.Found
)

_LISTS: Final = (setup.OPTIONS, chat.LIST, moves.LIST, players.WORDS, result.FACTS)
"""What is scrolled at a table."""

_PAGES: Final = {Page.START: start, Page.TABLE: setup, Page.MATCH: play_input}


def update(  # noqa: C901, PLR0911, PLR0912 (one a kind of event)
    model: Model, event: Event
) -> Change:
    """Return the model after an event, and what is to be done in the world."""
    match event:
        case Tick(now=now, day=day):
            later, effects = _tick(replace(model, now=now, day=day or model.day))
            if question.calmed(model, later):
                return _unasked((later, effects))
            return later, effects
        case Settled():
            return replace(model, settled=True), ()
        case Resized(size=size):
            return replace(model, size=size, open=""), ()
        case Linked():
            play = replace(model.play, watching=None, waiting=())
            fresh = replace(model, linked=True, trouble="", play=play, asked={})
            fresh = chat.unsaid(fresh)
            if model.match is not None:
                fresh = replace(fresh, match=replace(model.match, sent=0))
            # A window that looks at no table is shown the only one: not after a fault.
            return (
                ask(fresh, door.LookAt(0), "crashed") if model.crashed else same(fresh)
            )
        case Cut(why=why):
            return same(replace(model, linked=False, trouble=why))
        case Listing() | Looked() | Reported() | Arriving():
            return chooser_input.on_news(model, event)
        case door.Status() | door.View():
            model, shown = follow.take_in_turn(model, event)
            given: tuple[Effect, ...] = ()
            for each in shown:
                model, more = _shown(model, each)
                given += more
            return model, given
        case door.Line() | door.Notice():
            return cues.line(model, event)
        case Summons():
            return cues.summoned(model, event)
        case link_offer.LinksKnown():
            return link_offer.known(model, event)
        case clipboard.ToFront():
            return clipboard.fronted(model)
        case clipboard.Found(line=line):
            return clipboard.found(model, line)
        case Clicked():
            return start.shown(model, event)
        case door.Seated():
            return same(model)  # the answer to a guest's knock: not to this window
        case door.Done() | door.Failed():
            return games.glances(take_answer(model, event))
        case _:
            after, effects = _intent(model, event)
            after = question.handled(model, after, event)
            if after.open and after.open != model.open:
                # A list that opens shows its choice, wherever it was scrolled before
                after = unscrolled(after, f"{after.open}:list")
            after = faults.kept(model, after)
            opened = model.over is Over.NONE is not after.over
            return _blurred(after, effects) if opened else (after, effects)


def _shown(model: Model, news: follow.News) -> Change:
    return _view(model, news) if isinstance(news, door.View) else _status(model, news)


def _tick(model: Model) -> Change:
    """Let what moves by itself move on, and show what has waited long enough."""
    effects: tuple[Effect, ...] = ()
    while follow.ready(model):
        news, *rest = model.play.waiting
        model = replace(model, play=replace(model.play, waiting=tuple(rest)))
        model, more = _shown(model, news)
        effects += more
    model, more = _moved(chooser_input.ticked(learn.tick(model)))
    return model, (*effects, *more)


def _moved(model: Model) -> Change:
    notice = model.notice
    if notice is not None and notice.until <= model.now:
        model = replace(model, notice=None)
    match = model.match
    if match is None or match.covered or match.back >= 0:
        return same(model)
    module, now = board.find(match.game), seen(model, match)
    if not (GAMES[match.game].ABOUT.hz or module.busy(now, match.local)):
        return same(model)
    local, move = module.tick(now, match.local)
    if local is match.local and move is None:
        return same(model)
    return play_input.moved(model, match, local, move)


def _status(model: Model, status: door.Status) -> Change:
    """Take the node's state; what went wrong with a page's wishes stays with it."""
    if model.crashed:  # it has not been told yet that no game is to be shown
        status = replace(status, table=None)
    after, effects = _stated(model, status)
    if after.page is not model.page and after.fault and after.fault.about:
        after = replace(after, fault=None)
    if after.mishap and not faults.stands(after):
        after = replace(after, mishap="")
    after, effects = _celebrated((leaving.outdated(model, after), effects))
    after, effects = review.reopened((after, effects), model.table)
    told = _offered(games.glances((question.left(model, after), effects)))
    return writing.refreshed(inviting.drawn(friends.counting(told)))


def _offered(change: Change) -> Change:
    """Ask what may be asked now, if anything, though nobody has asked for it."""
    model, effects = change
    return link_offer.offered((copying.offered(router.offered(model)), effects))


def _unasked(change: Change) -> Change:
    """Ask what waited until the hands lie still."""
    model, effects = change
    if model.came_back:
        model, more = clipboard.fronted(model)
        effects = (*effects, *more)
    return _offered(_celebrated((model, effects)))


def _celebrated(change: Change) -> Change:
    """Open the card of the result, once the match is over and its last move seen."""
    model, effects = change
    if model.phase != "over":
        return change
    from client.pages import result  # noqa: PLC0415 (when it is first shown)

    shown, more = result.opened(model) if result.due(model) else same(model)
    match = shown.match
    if shown.over is Over.RESULT and match and shown.review.match != match.id:
        shown, looked = review.want(shown)  # its audit has come after the end
        more = (*more, *looked)
    return shown, (*effects, *more)


def _stated(model: Model, status: door.Status) -> Change:
    """Take the node's state: it says which page there is."""
    before = model.table
    unnamed = model.status is not None and not model.status.name
    if unnamed and status.name and model.over is Over.NAME:
        model = replace(model, over=Over.NONE)  # it was said in another window
    model = unfinished.mended(model, status.faults)
    model = replace(model, status=status, told=model.now)
    if not status.name and model.over is Over.NONE:
        return replace(model, over=Over.NAME), (Give(overlays.NAME),)
    games.foreseen(status)
    table = status.table
    effects: tuple[Effect, ...] = cues.changed(model, before, table)
    model, given = _stays(model, before, table)
    effects = (*effects, *given)
    if table is None:
        page = Page.START if model.page is not Page.START and before else model.page
        model = _away(model if before is None else chat.unsaid(model))
        if page is Page.START and model.setup.here is not None:
            own = replace(model.setup, draft=model.setup.here, here=None)
            model = replace(model, setup=own)
        ended = replace(model.play, ended=b"")
        return replace(model, page=page, play=ended), effects
    if not table.match:
        if model.calling == "join":  # what was typed has done what it was for
            model = with_edit(model, start.ADDRESS, hand.of(""))
        model = faults.settled(replace(_away(model), page=Page.TABLE))
        busy = {"host", "host.start", "change"}.intersection(model.asked.values())
        return model if busy else _adopted(model, before, table), effects
    if table.match == model.play.ended:
        return model, effects
    if model.match is not None and model.match.id != table.match:
        model = _away(model)
    model = unfinished.at_table(replace(model, page=Page.MATCH), before)
    model, kept = same(model)
    if before is not None and not before.match:
        model, kept = friends.remembered(setup.begun(model, before), table)
    model, more = _watch(model, table)
    return model, (*effects, *kept, *more)


def _is_put_away(model: Model, before: door.TableStatus) -> bool:
    """Tell whether a game that could go on was left in another window, or terminal."""
    live = before.phase in {"playing", "paused"} and not before.watching
    status, leaves = model.status, "left" in model.asked.values()
    if status is None or not (live and status.saved) or leaves:
        return False
    return before.number not in {one.table for one in status.games}


def _stays(
    model: Model, before: door.TableStatus | None, table: door.TableStatus | None
) -> Change:
    """Let what was said, and what was begun to be said, stay at its own table."""
    given: tuple[Effect, ...] = ()
    numbers = [0 if each is None else each.number for each in (before, table)]
    if numbers[0] != numbers[1]:
        model = chat.moved(model, *numbers)
        # Each table begins with who plays, and where its own lists begin
        model = unscrolled(model, setup.RULES, *_LISTS)
        if model.focus == chat.FIELD:
            given = (Give(""),)  # keys are for the board of the game there
    if before is not None and table is None and _is_put_away(model, before):
        kept = _("Your game is kept: “Go on with” on the start page.")
        model = tell(model, kept)
    if table is not None and _another(before, table):
        model = chat.fresh(model, table.number)
    elif table and before and before.match and before.match != table.match:
        model = chat.rematched(model)
    return model, given


def _adopted(
    model: Model, before: door.TableStatus | None, table: door.TableStatus
) -> Model:
    """Take over the terms of a table; what is chosen for games here is kept aside."""
    kept, model = model.setup, setup.adopt(model)
    if kept.here or model.setup.draft is kept.draft or not _another(before, table):
        return model
    return replace(model, setup=replace(model.setup, here=kept.draft))


def _another(before: door.TableStatus | None, table: door.TableStatus) -> bool:
    """Tell whether it is another table: a rematch is not, its players talk on."""
    if before is None or before.number != table.number:
        return True
    seated = [sorted(seat.name for seat in each.seats) for each in (before, table)]
    other = bool(before.match) and table.match != before.match
    return other and seated[0] != seated[1]


def _away(model: Model) -> Model:
    """Return the model without a match: none is watched until it is asked for.

    A card with its result and its review go, too: they would lie over what comes next,
    unseen.
    """
    over = Over.NONE if model.over in {Over.RESULT, Over.REVIEW} else model.over
    page = replace(model.play, shelf={}, watching=None)
    looked = replace(model.review, again=-1)
    return replace(model, over=over, match=None, play=page, review=looked)


def _watch(model: Model, table: door.TableStatus) -> Change:
    """Watch the seat that is on turn here; draw the curtain between two persons."""
    own = table.persons
    turns = [seat for seat in own if seat in table.turn]
    wanted = turns[0] if turns else model.play.watching
    if wanted is None or (wanted not in own and own):
        wanted = own[0] if len(own) == 1 else -1  # of several, only who is on turn
    match = model.match
    # What whoever has left for a browser saw here last is for nobody who stays.
    hides = table.shared or (match is not None and 0 <= match.seat not in own)
    if match is not None and match.covered and not hides:
        match = replace(match, covered=False)  # the other one has left
        model = replace(model, match=match)
    if wanted == model.play.watching:
        return same(model)
    if match is not None and match.seat != wanted:
        # Put the other person's tiles aside, unseen.
        shelf = {**model.play.shelf, match.seat: match.local}
        covered = replace(match, covered=hides, hint="")
        # A hint, too, is for the one who asked.
        model = replace(
            model, play=replace(model.play, shelf=shelf), match=covered, notice=None
        )
    model = replace(model, play=replace(model.play, watching=wanted))
    return ask(model, door.Watch(wanted), "watch")


def _view(model: Model, view: door.View) -> Change:
    old, table = model.match, model.table
    if table is None or view.match != table.match or faults.stands(model):
        return same(model)
    if view.seat >= 0 and table.seats[view.seat].lent:
        return same(model)  # sent before it was asked for: it is nobody's here to see
    first = old is None or old.seat != view.seat
    model = follow.fold_in(model, view)
    if follow.moved(view):
        model = replace(model, play=replace(model.play, seen_at=model.now))
    match = model.match
    if match is None:
        return same(model)
    curtain = table.shared and match.seat >= 0
    heard = () if first else _heard(old, match, view)
    if first:
        turn = match.seat in table.turn
        covered = curtain and (turn or old is not None)
        model = replace(model, match=replace(match, covered=covered))
    kept: tuple[Effect, ...] = ()
    moved = first and any(step.actor in table.persons for step in match.past)
    if first and not match.missed and not moved:
        # It may have begun while no window looked: nobody here has moved in it.
        model, kept = friends.remembered(model, table)
    model, asked = follow.earlier(model)
    return _celebrated((model, (*heard, *kept, *asked)))


def _heard(old: Match | None, match: Match, view: door.View) -> tuple[Effect, ...]:
    """Return what is heard of what happened: a chain, a capture, or just a move."""
    traits = board.find(match.game).TRAITS
    if GAMES[match.game].ABOUT.hz:
        if traits.heard_last is None or old is None:
            return ()
        now, sound = traits.heard_last(match.local, match.seat)
        fresh = sound and now != traits.heard_last(old.local, match.seat)[0]
        return (Play(sound),) if sound and fresh else ()
    movers = [h.actor for h in view.happened if h.actor != CHANCE]
    if not movers or view.whole:
        return ()
    last = next((s for s in reversed(match.past) if s.actor == movers[-1]), None)
    own = traits.heard(last, match.state) if traits.heard and last else None
    if own is None and all(actor == view.seat for actor in movers):
        return ()
    return (Play(own or Sound.MOVE),)


def _intent(  # noqa: C901, PLR0911, PLR0912 (one a kind of intent)
    model: Model, intent: intents.Intent
) -> Change:
    """React to the user: fields and lists first, then dialog, page and game."""
    match intent:
        case intents.Scroll(name=name, offset=offset):
            return replace(model, scrolls={**model.scrolls, name: offset}), ()
        case intents.Focus(name=name):
            left = model.focus
            model = replace(model, focus=name)
            return _submit(model, left) if _leaves(model, left) else same(model)
        case intents.Hover(name=name):
            return _page(games.pointed(replace(model, hover=name)), intent)
        case intents.Blur():
            return _blurred(model)
        case intents.Key(key="f1", down=True):
            return learn.helped(model), ()
        case intents.Key(key="f2" | "f3" | "f4", down=True) if model.over is Over.HELP:
            # Keys are tried where they are listed: the list makes room.
            return _intent(replace(model, over=Over.NONE), intent)
        case intents.Key(key="f2", down=True) if bar.words(model):
            return overlays.on_bar(model, bar.Dictionary())
        case intents.Key(key="f3", down=True) if (
            model.page is Page.START and model.linked
        ):
            return overlays.on_bar(model, bar.History())
        case intents.Key(key="f4", down=True) if model.linked and games.listed(model):
            return games.onward(model)
        case intents.Key(key="f11", down=True):
            return model, (FullScreen(),)
        case intents.Key(key="v", ctrl=True) if clipboard.takes(model):
            return model, (Paste(),)
        case intents.Text(text=text) if clipboard.takes(model) and invitation_in(text):
            return clipboard.pasted(model, text)
        case _:
            pass
    if model.focus.startswith("field."):
        found = _field(model, intent)
        if found is not None:
            return found
    return _page(model, intent)


def _blurred(model: Model, before: tuple[Effect, ...] = ()) -> Change:
    """Tell a game in real time that nobody looks, if no other person plays on."""
    match, table = model.match, model.table
    if match is None or table is None or table.phase != "playing":
        return model, before
    persons = sum(seat.kind != "computer" for seat in table.seats)
    if not GAMES[match.game].ABOUT.hz or persons > 1:
        return model, before
    fresh, effects = play_input.handle(model, intents.Blur())
    return fresh, (*before, *effects)


def _leaves(model: Model, name: str) -> bool:
    """Tell whether leaving a field takes what was typed; chat waits for Enter."""
    if name in network.FIELDS:
        return model.over is Over.CONNECTION  # Escape has closed it otherwise
    if name in person.FIELDS:
        return model.over is Over.PERSON
    return name.startswith("field.seat")


def _field(  # noqa: C901, PLR0911 (one a kind of intent)
    model: Model, intent: intents.Intent
) -> Change | None:
    name = model.focus
    now = edit_of(model, name, _typed(model, name))
    if name == chooser.FIELD and (found := chooser_input.typing(model, now, intent)):
        return found
    match intent:
        case intents.Text(text=text):
            if whole := link_offer.whole(name, text):  # what was there is no part of it
                now, text = hand.Edit(), whole
            longer = hand.insert(now, text, LONGEST)
            return same(with_edit(model, name, longer))
        case intents.Compose(text=text):
            return same(with_edit(model, name, replace(now, composing=text)))
        case intents.Click(means=Write(field=clicked), x=x, w=w) if clicked == name:
            pad = model.look.px(10)
            spot = hand.place(now, x - pad, model.look.body, w - 2 * pad)
            return same(with_edit(model, name, spot))
        case intents.Key(key="enter"):
            return _submit(model, name)
        case intents.Key(key="escape") if model.over is Over.NONE:
            if name == games.FILTER:  # else rows would be missing, and nobody know why
                model = with_edit(model, name, hand.Edit())
            return replace(model, focus=""), (Give(""),)
        case intents.Key(key="v", ctrl=True):
            return model, (Paste(),)
        case intents.Key(key="c" | "x", ctrl=True) if now.selection:
            cut = hand.insert(now, "", LONGEST) if intent.key == "x" else now
            return with_edit(model, name, cut), (Copy(now.selection),)
        case intents.Key():
            fresh = hand.press(now, intent)
            return None if fresh is None else same(with_edit(model, name, fresh))
        case _:
            return None


def _typed(model: Model, name: str) -> str:
    """Return what a field shows before it is touched."""
    made: Mapping[str, Callable[[Model], str]] = {
        overlays.NAME: lambda model: model.status.name if model.status else "",
        network.PORT: network.typed,
        dictionary.LIST: dictionary.target,
    }
    if name in made:
        return made[name](model)
    if name in (copying.FOLDER, copying.PHRASE):
        return copying.typed(model, name)
    if name in person.FIELDS:
        return person.typed(model, name)
    if name.startswith("field.ed."):
        return editor_input.typed(model, name)
    if name.startswith("field.seat"):
        return seating.typed(model, int(name.removeprefix("field.seat")))
    return ""


def _submit(model: Model, name: str) -> Change:
    if model.over is not Over.NONE:
        return overlays.submit(model)
    page = lent if _is_guests(model) else _PAGES[model.page]
    changed: Change = page.submit(model, name)
    return changed


def _page(  # noqa: PLR0911 (one a place that may take it)
    model: Model, intent: intents.Intent
) -> Change:
    """React to everything that no field has taken."""
    if bar.dismisses(model, intent):
        return unfinished.dismissed(model)
    if isinstance(intent, intents.Click):
        # At a match, scores that count have come then.
        here = model.page is Page.MATCH and model.over is Over.NONE
        if found := clicks.taken(follow.ended(model) if here else model, intent):
            return found
    if model.over is Over.NONE and faults.stands(model):
        return faults.handle(model, intent) or same(model)
    if preferences.waits(model) and isinstance(intent, intents.Key):
        return overlays.handle(model, intent) or same(model)
    # It closes the open drop-down and does nothing else.
    if model.open and (
        isinstance(intent, intents.Click)
        or (isinstance(intent, intents.Key) and intent.key == "escape")
    ):
        return same(replace(model, open=""))
    if model.over is not Over.NONE:
        return overlays.handle(model, intent) or same(model)
    page = lent if _is_guests(model) else _PAGES[model.page]
    changed: Change | None = page.handle(model, intent)
    escape = isinstance(intent, intents.Key) and intent.down and intent.key == "escape"
    if changed is None and page is setup and escape and games.listed(model):
        return games.back(model)
    return changed or same(model)


def _is_guests(model: Model) -> bool:
    """Tell whether the page is the one that a guest sees before the match."""
    return model.guest and model.page is not Page.MATCH


def held(model: Model) -> bool:
    """Tell whether every key must come, going down and up."""
    if preferences.waits(model):
        return True
    if model.over is Over.LEARN and model.learning is not None:
        return bool(board.find(model.learning.game).TRAITS.held)
    match: Match | None = model.match
    if match is None or model.page is not Page.MATCH or match.covered:
        return False
    if model.over is not Over.NONE or model.focus.startswith("field."):
        return False
    return bool(board.find(match.game).TRAITS.held)


def lively(model: Model) -> bool:
    """Tell whether frames are needed without any input."""
    match = model.match
    if match is None or model.page is not Page.MATCH or match.back >= 0:
        return False
    if follow.goes_on(model):
        return True
    if GAMES[match.game].ABOUT.hz:
        return model.phase == "playing"
    return bool(board.find(match.game).busy(seen(model, match), match.local))


def paced(model: Model) -> bool:
    """Tell whether frames come so fast by themselves that what changes waits for one.

    In a game in real time four wells tell of themselves some hundred times a second.
    """
    return model.match is not None and model.match.hurries and lively(model)

"""What the user does on the match page: look back, leave, rematch, and play."""

from typing import Final

from msgspec.structs import replace

from client.app import board, follow
from client.app.model import (
    Change,
    Match,
    Model,
    Over,
    Page,
    ask,
    same,
    seen,
    tell,
    turned_up,
    unscrolled,
)
from client.pages import (
    agreeing,
    bystanders,
    chat,
    courses,
    finished,
    games,
    host_terms,
    learn,
    person,
    play,
    players,
    review,
    reviewing,
    setup,
    tryout,
    unfinished,
)
from client.pages.moves import told
from client.pages.play import REVIEW, TABS, WORDS, chosen
from client.ui.intents import Click, Focus, Hover, Intent, Key, Scroll
from client.ui.texts import _
from netplay import wire
from netplay.messages import door
from netplay.messages.table_questions import ClaimTime, PlayAgain, Vote
from rules import GAMES

STRIDE: Final = 10
"""Entries between two looks back at a game in real time, at least."""


def handle(model: Model, intent: Intent) -> Change:
    """React to the match page's own intents; scores that count have come then."""
    if not isinstance(intent, Hover | Scroll | Focus):
        model = follow.ended(model)
    return _handled(model, intent) or same(model)


def _handled(  # noqa: C901, PLR0911 (one a kind of intent)
    model: Model, intent: Intent
) -> Change | None:
    """React to the page's own intents; the game gets what is left."""
    match intent:
        case Click(name=name) if name:
            found = _clicked(model, name)
            return found if found is not None else _play(model, intent)
        case Key(key="space" | "enter") if model.match and model.match.covered:
            return _uncover(model)
        case Key(key="z", ctrl=True, down=True) if unfinished.may_take_back(model):
            return unfinished.taken_back(model)
        case Key(key="page up", down=True):
            return _back(model, -1)
        case Key(key="page down", down=True):
            return _back(model, 1)
        case Key(key="home", down=True) if steps_by_key(model):
            return _end(model, -1)
        case Key(key="end", down=True) if steps_by_key(model):
            return _end(model, 1)
        case Key(key="escape") if model.match and model.match.back >= 0:
            return _at(model, -1)
        case Key(key="escape", ctrl=True, down=True) if aborts(model):
            return _clicked(model, "game.quit")
        case Key(key="escape", down=True) if games.listed(model):
            return _to_games(model, intent)
        case _:
            return _play(model, intent)


def _to_games(model: Model, intent: Intent) -> Change:
    """Let the game close what is open in it, else go to the list of games."""
    found = _play(model, intent)
    if found is None or (found[0].match == model.match and not found[1]):
        return finished.back(model)
    return found


def steps_by_key(model: Model) -> bool:
    """Tell whether Home and End lead to the ends of the match: when it is over."""
    match = model.match
    return model.phase == "over" and match is not None and not match.covered


def aborts(model: Model) -> bool:
    """Tell whether Ctrl and Escape ask to leave the match, as QUIT does.

    Lhexicon's source document aborts a game by Escape alone, which here goes one step
    back and then to the list of games, as everywhere.  A game in real time has a
    meaning of its own for the keys.
    """
    match = model.match
    return match is not None and not board.find(match.game).TRAITS.held


def _clicked(  # noqa: C901, PLR0911, PLR0912 (one a button)
    model: Model, name: str
) -> Change | None:
    """React to a click on a part of the page that is not the game's."""
    head, _colon, tail = name.partition(":")
    if head == TABS:
        talk = replace(model.chat, unread=0) if tail == "0" else model.chat
        scrolls = {**model.scrolls, TABS: int(tail)}
        return _reviewed(replace(model, scrolls=scrolls, chat=talk))
    if (
        head in {"move", review.TURN}
        and model.match is not None
        and not model.match.hurries
    ):
        return _at(model, int(tail) + 1)
    if name.startswith(players.SHOW):
        at = players.place(model, int(name.removeprefix(players.SHOW)))
        scrolls = {**model.scrolls, TABS: WORDS, players.WORDS: at}
        return same(replace(model, scrolls=scrolls))
    if head == review.OFFER:
        return review.choose(model, int(tail))
    found = bystanders.clicked(model, name) or person.clicked(model, name)
    found = found or agreeing.clicked(model, name)
    if found is not None:
        return found
    match name:
        case play.LEARN:
            return learn.opened(model, learn.game_here(model))
        case play.CLOSE:
            return play.known(same(model))
        case "ready":
            return _uncover(model)
        case "back.live":
            return _at(model, -1)
        case "back.less" | review.LESS:
            return _back(model, -1)
        case "back.more" | review.MORE:
            return _back(model, 1)
        case review.FIRST:
            return _end(model, -1)
        case review.LAST:
            return _end(model, 1)
        case review.PAGE:
            return reviewing.opened(model)
        case review.COPY:
            return review.copied(model, told(model))
        case unfinished.BACK:
            return unfinished.taken_back(model)
        case tryout.OPEN | tryout.PREPARE:
            return tryout.opened(model)
        case "retry":
            return ask(model, door.Retry(), "retry")
        case "vote":
            return ask(model, Vote(), "vote")
        case agreeing.CLAIM:
            return ask(model, ClaimTime(), "claim")
        case play.HINT if model.match is not None:
            recalled, effects = _play(model, Click("recall")) or same(model)
            hint = door.Hint(model.match.seat)
            asked, more = ask(recalled, hint, "hint")
            return asked, (*effects, *more)
        case "result":
            return same(replace(model, over=Over.RESULT, open=""))
        case "rematch":
            return ask(model, PlayAgain(), "rematch")
        case "game.new":
            return _new(model)
        case "game.sound":
            return courses.sounded(model)
        case "game.quit":
            return replace(model, over=Over.LEAVE, open=""), ()
        case "home":
            ended = model.table.match if model.table else b""
            model = replace(model, page=Page.START, match=None, ended=ended)
            return ask(model, door.LeaveTable(), "left")
        case _:
            return None


def _new(model: Model) -> Change:
    """Begin again on the same terms; the match there was stays among the saved."""
    table = model.table
    if table is None:
        return same(model)
    if not table.hosting or sum(seat.kind != "computer" for seat in table.seats) > 1:
        words = _("A new game begins when all have finished this one.")
        return same(tell(model, words))
    terms = setup.adopt(model).draft.terms
    model = replace(model, match=None, watching=None)
    left, effects = ask(model, door.LeaveTable(), "left")
    begun, more = host_terms.asked(left, terms, "host.start")
    return begun, (*effects, *more)


def _uncover(model: Model) -> Change:
    if model.match is None or model.match.seat != model.watching:
        return same(model)  # what is behind it is still the other person's
    return replace(model, match=replace(model.match, covered=False)), ()


def _back(model: Model, by: int) -> Change:
    """Look one listed move further back or forward."""
    match = model.match
    if match is None:
        return same(model)
    if match.hurries:
        here = match.back if match.back >= 0 else match.number
        return _at(model, max(0, here + by * max(STRIDE, match.number // 60)))
    model = unscrolled(model, "moves")
    places = [i + 1 for i, _text in told(model)]
    live = next((p for p in places if _is_live(match, p)), len(match.past))
    here = match.back if match.back >= 0 else live
    if by < 0:
        return _at(model, max((p for p in places if p < here), default=0))
    return _at(model, next((p for p in places if p > here), len(match.past)))


def _is_live(match: Match, place: int) -> bool:
    """Tell whether nothing but chance happened since: the board is the live one."""
    return turned_up(replace(match, back=place)) >= len(match.past)


def _at(model: Model, place: int) -> Change:
    """Look at the board after so many entries; -1 for the live game."""
    match = model.match
    if match is None:
        return same(model)
    if match.hurries:
        return _looked(model, match, place)
    place = -1 if place < 0 or _is_live(match, place) else place
    model = review.forget(model)
    return _reviewed(replace(model, match=replace(match, back=place)))


def _looked(model: Model, match: Match, place: int) -> Change:
    """Look back in a game in real time, once it is over; the node knows how it was."""
    if model.phase != "over" or not 0 <= place < match.number:
        return replace(model, match=replace(match, back=-1, looked=None)), ()
    model = replace(model, match=replace(match, back=place))
    return ask(model, door.LookBack(place), "look")


def _end(model: Model, by: int) -> Change:
    """Look at the first listed move, or at the last."""
    if model.match is not None and model.match.hurries:
        return _at(model, 0 if by < 0 else model.match.number)
    model = unscrolled(model, "moves")
    places = [i + 1 for i, _text in told(model)]
    return _at(model, (places or [-1])[0 if by < 0 else -1])


def _reviewed(model: Model) -> Change:
    """Ask for the best plays of the turn looked at, if they are shown."""
    return review.want(model) if chosen(model) == REVIEW else same(model)


def _play(model: Model, intent: Intent) -> Change | None:
    """Let the game react, and send its move."""
    match = model.match
    if match is None or match.covered or match.back >= 0:
        return None  # of a board of the past nothing is to be changed
    module = board.find(match.game)
    local, move = module.handle(seen(model, match), match.local, intent)
    change = moved(model, match, local, move)
    if isinstance(intent, Hover) or (local == match.local and move is None):
        return change
    return play.known(change)


def moved(model: Model, match: Match, local: object, move: object) -> Change:
    """Return the model with the game's new local state, and its move sent."""
    match = replace(match, local=local)
    model = replace(model, match=match)
    if move is None or not seen(model, match).live:
        return same(model)
    sent = model.next_id
    question = door.Play(match.seat, wire.pack(move), match.number)
    if not GAMES[match.game].ABOUT.hz:
        match = replace(match, sent=sent)
    return ask(replace(model, match=match), question, "play")


def submit(model: Model, name: str) -> Change:
    """React to Enter in a field."""
    return chat.say(model) if name == chat.FIELD else same(model)

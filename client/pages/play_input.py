"""What the user does on the match page: look back, leave, rematch, and play."""

from typing import Final

from msgspec.structs import replace

from client.app import board, follow
from client.app.clicks import taker
from client.app.model import (
    Change,
    Match,
    Model,
    Over,
    Page,
    Play,
    ask,
    same,
    seen,
    tell,
    turned_up,
    unscrolled,
)
from client.pages import (
    chat,
    courses,
    finished,
    games,
    host_terms,
    learn,
    leaving,
    play,
    players,
    review,
    reviewing,
    setup,
    tryout,
    unfinished,
    unseen,
)
from client.pages.moves import LIST, worthy
from client.pages.play import REVIEW, TABS, WORDS, chosen
from client.ui.intents import Click, Focus, Hover, Intent, Key, Scroll, Text
from client.ui.texts import _
from netplay import wire
from netplay.messages import door
from netplay.messages.table_questions import PlayAgain
from rules import GAMES

STRIDE: Final = 10
"""Entries between two looks back at a game in real time, at least."""


def handle(  # noqa: C901, PLR0911 (one a kind of intent)
    model: Model, intent: Intent
) -> Change:
    """React to the match page's own intents; the game gets what is left."""
    if not isinstance(intent, Hover | Scroll | Focus):
        model = follow.ended(model)  # scores that count have come then
    match intent:
        case Key(key="space" | "enter") if model.match and model.match.covered:
            return _uncover(model)
        case Key(key="z", ctrl=True, down=True) if unfinished.may_take_back(model):
            return unfinished.taken_back(model)
        case Key(key="page up" | "page down" as key, down=True):
            return _back(model, -1 if key == "page up" else 1)
        case Key(key="home" | "end" as key, down=True) if steps_by_key(model):
            return _end(model, -1 if key == "home" else 1)
        case Text(text=".") if unseen.counted(model):
            at = play.MOVES if chosen(model) == play.UNSEEN else play.UNSEEN
            return clicked(model, play.ToTab(at))
        case Key(key="escape") if model.match and model.match.back >= 0:
            return _at(model, -1)
        case Key(key="escape", ctrl=True, down=True) if aborts(model):
            return of_game(model, board.QuitGame())
        case Key(key="escape", down=True) if games.listed(model):
            # The game closes first what is open in it.
            found = _play(model, intent)
            if found is None or (found[0].match == model.match and not found[1]):
                return finished.back(model)
            return found
        case _:
            return _play(model, intent) or same(model)


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
    if match is None or model.guest:  # whose game is its owner's to leave
        return False
    return not board.find(match.game).TRAITS.held


@taker
def looked_about(
    model: Model, message: review.StepMove | review.ToEnd | review.LookAt | review.Try
) -> Change:
    """Look at another moment of the match, or at another play."""
    match message:
        case review.StepMove(by=by):
            return _back(model, by)
        case review.ToEnd(by=by):
            return _end(model, by)
        case review.LookAt(place=place):
            listed = place >= 0 and model.match is not None and model.match.hurries
            return same(model) if listed else _at(model, place)
        case review.Try(number=number):
            return review.show_play(model, number)


@taker
def _reviewing(model: Model, message: review.CopyMoves | review.OpenReview) -> Change:
    if isinstance(message, review.OpenReview):
        return reviewing.opened(model)
    return review.copied(model, worthy(model))


@taker
def _words(model: Model, message: players.ShowWords) -> Change:
    at = players.place(model, message.seat)
    scrolls = {**model.scrolls, TABS: WORDS, players.WORDS: at}
    return same(replace(model, scrolls=scrolls))


@taker
def _board(model: Model, _message: tryout.Open) -> Change:
    return tryout.opened(model)


@taker
def of_game(
    model: Model, message: board.NewGame | board.SoundOnOff | board.QuitGame
) -> Change:
    """Do what a game's own button means on the page where the board is."""
    if isinstance(message, board.SoundOnOff):
        return courses.sounded(model)
    if model.over is Over.LEARN and model.learning is not None:
        return learn.of_game(model, model.learning, message)
    if isinstance(message, board.NewGame):
        return _new(model)
    return leaving.leave(model)


@taker
def clicked(  # noqa: PLR0911 (one a button)
    model: Model, message: play.Control
) -> Change:
    """Do what a button of the page means."""
    match message:
        case play.ToTab(number=number):
            talk = replace(model.chat, unread=0) if not number else model.chat
            scrolls = {**model.scrolls, TABS: number}
            return _reviewed(replace(model, scrolls=scrolls, chat=talk))
        case play.Teach():
            return learn.opened(model, learn.game_here(model))
        case play.GotIt():
            return play.known(same(model))
        case play.Ready():
            return _uncover(model)
        case play.AskHint():
            if model.match is None:
                return same(model)
            recall = Click("", means=board.Recall())
            recalled, effects = _play(model, recall) or same(model)
            asked, more = ask(recalled, door.Hint(model.match.seat), "hint")
            return asked, (*effects, *more)
        case play.Again():
            return ask(model, PlayAgain(), "rematch")
        case play.GoHome():
            table, others = model.table, False
            page = replace(model.play, ended=table.match if table else b"")
            model = replace(model, page=Page.START, match=None, play=page)
            if table is not None and table.phase == "over" and not table.watching:
                others = any(seat.kind == "remote" for seat in table.seats)
            # A game with others that is over stays at hand: one of them may yet want a
            # rematch, or write. *Leave* puts it away.
            left = door.LeaveTable()
            return games.back(model) if others else ask(model, left, "left")


def _new(model: Model) -> Change:
    """Begin again on the same terms; the match there was stays among the saved."""
    table = model.table
    if table is None or host_terms.opening(model, "host.start"):
        return same(model)
    if not table.hosting or sum(seat.kind != "computer" for seat in table.seats) > 1:
        words = _("A new game begins when all have finished this one.")
        return same(tell(model, words))
    terms = setup.adopt(model).setup.draft.terms
    model = replace(model, match=None, play=replace(model.play, watching=None))
    left, effects = ask(model, door.LeaveTable(), "left")
    begun, more = host_terms.asked(left, terms, "host.start")
    if table.phase not in ("over", "stopped"):
        begun = tell(begun, _("Your game is kept: “Go on with” on the start page."))
    return begun, (*effects, *more)


def _uncover(model: Model) -> Change:
    if model.match is None or model.match.seat != model.play.watching:
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
    model = unscrolled(model, LIST)
    places = [i + 1 for i, _text in worthy(model)]
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
        # Look back in a game in real time, once it is over; the node knows how it was
        if model.phase != "over" or not 0 <= place < match.number:
            return replace(model, match=replace(match, back=-1, looked=None)), ()
        model = replace(model, match=replace(match, back=place))
        return ask(model, door.LookBack(place), "look")
    place = -1 if place < 0 or _is_live(match, place) else place
    model = review.hide_play(model)
    return _reviewed(replace(model, match=replace(match, back=place)))


def _end(model: Model, by: int) -> Change:
    """Look at the first listed move, or at the last."""
    if model.match is not None and model.match.hurries:
        return _at(model, 0 if by < 0 else model.match.number)
    model = unscrolled(model, LIST)
    places = [i + 1 for i, _text in worthy(model)]
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
    heard = module.TRAITS.heard_last
    if heard is not None:
        at, sound = heard(local, match.seat)
        if sound is not None and at != heard(match.local, match.seat)[0]:
            change = change[0], (*change[1], Play(sound))
    if isinstance(intent, Hover) or (local == match.local and move is None):
        return change
    if isinstance(intent, Click) and isinstance(intent.means, module.TRAITS.helping):
        return change  # who asks for help still needs it
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

"""Lhexicon in words: the move list, and each seat's words."""

from functools import lru_cache

from client.board import Entry, Sheet, Step
from client.lhexicon.local import Now, face
from client.sound import Sound
from client.texts import _, ngettext
from rules import lexicon, lhexicon
from rules.game import Resign, Seat
from rules.lhexicon import (
    Accept,
    Challenge,
    Discard,
    Expire,
    Insist,
    Lay,
    Move,
    Pass,
    PickUp,
    Refusal,
    State,
    Verdict,
    Withdraw,
    judge_lay,
)
from rules.lhexicon.notation import cell_name


def sheets(seen: Now) -> tuple[Sheet, ...]:
    """Return score, letters left and word list of each seat."""
    view, words = seen.view, _words(seen)
    return tuple(
        Sheet(
            str(view.scores[seat]),
            _letters(seen, seat),
            tuple(words[seat]),
            view.gone[seat],
        )
        for seat in range(len(view.scores))
    )


def _letters(seen: Now, seat: Seat) -> str:
    """Return how many letters a seat holds, and whether it loses turns."""
    count, debt = len(seen.view.tiles.racks[seat]), seen.view.debts[seat]
    text = ngettext("{n} letter", "{n} letters", count).format(n=count)
    if not debt:
        return text
    lost = ngettext("loses {n} turn", "loses {n} turns", debt).format(n=debt)
    return f"{text}, {lost}"


def _words(seen: Now) -> list[list[tuple[str, str]]]:
    """Return each seat's words and what they scored, oldest first."""
    found: list[list[tuple[str, str]]] = [[] for _seat in seen.view.scores]
    for step in seen.past:
        match step.move:
            case Lay():
                verdict_ = judged(step.before, step.actor, step.move)
                if isinstance(verdict_, Verdict):
                    found[step.actor].append((verdict_.text, _sum(verdict_)))
            case Withdraw():
                _withdrawn(found[step.actor])
            case Insist() | Expire() if _falls(step.before):
                _withdrawn(found[step.before.turn])
            case Resign() if step.before.announced and step.actor == step.before.turn:
                _withdrawn(found[step.actor])
            case _:
                pass
    return found


def _withdrawn(words: list[tuple[str, str]]) -> None:
    """Write at the last word that it did not stand."""
    if words:
        words[-1] = (words[-1][0], "–")


@lru_cache(maxsize=400)
def judged(before: State, seat: Seat, move: Lay) -> Verdict | Refusal:
    """Return what a word scored; kept, for every drawing asks again."""
    return judge_lay(before, seat, move)


def stands(state: State) -> bool:
    """Tell whether the announced word is in the dictionary."""
    word = state.announced
    return word is not None and lexicon.find(state.options.lexicon).has(word.word)


def _falls(state: State) -> bool:
    word = state.announced
    return word is not None and word.challenger is not None and not stands(state)


def tell(  # noqa: C901, PLR0911 (one a kind of move)
    step: Step[State, Move], names: tuple[str, ...]
) -> str:
    """Return one line on an entry for the move list."""
    move, name = step.move, names[step.actor] if step.actor >= 0 else ""
    match move:
        case Lay():
            found = judged(step.before, step.actor, move)
            if isinstance(found, Refusal):
                return ""
            return f"{name}: {found.text}  {parts(found)}"
        case Discard(tiles=tiles):
            n = len(tiles)
            text = ngettext("discards {n} letter", "discards {n} letters", n)
            return f"{name}: {text.format(n=n)}"
        case PickUp(shown=shown):
            letters = ", ".join(lhexicon.text(each.kind) for each in shown)
            text = _("picks up a blank for {letters}")
            return f"{name}: {text.format(letters=letters)}"
        case Pass():
            return f"{name}: " + _("passes")
        case Accept():
            return f"{name}: " + _("accepts")
        case Challenge():
            return _about(step.before, _("{name} challenges {word}"), name)
        case Withdraw():
            return _about(step.before, _("{name} withdraws {word}"), name)
        case Insist():
            return _insisted(step.before, names)
        case Expire():
            return _expired(step.before, names)
        case Resign():
            return f"{name}: " + _("resigns")
        case _:
            return ""


def entered(step: Step[State, Move]) -> Entry | None:
    """Return place, word and points of a word, or None for all else."""
    if not isinstance(step.move, Lay):
        return None
    found = judged(step.before, step.actor, step.move)
    if isinstance(found, Refusal):
        return None
    where = cell_name(step.before.options.side, step.move.path[0])
    extra = found.bonus.points
    more = _("{trap} by traps").format(trap=extra) if extra else ""
    return Entry(where, found.text, more, found.points)


def heard(step: Step[State, Move], after: State) -> Sound | None:
    """Return the sound of a trap that closes."""
    if not isinstance(step.move, Lay):
        return None
    found = judged(step.before, step.actor, step.move)
    trapped = isinstance(found, Verdict) and found.bonus.points
    return Sound.TRAP if trapped else None


def _about(before: State, text: str, name: str, other: str = "") -> str:
    word = before.announced
    assert word is not None  # no other entry gets a line
    letters = "".join(face(letter) for letter in word.word)
    return text.format(name=name, word=letters, other=other)


def _challenger(before: State, names: tuple[str, ...]) -> str:
    word = before.announced
    if word is None or word.challenger is None:
        return ""
    return names[word.challenger]


def _insisted(before: State, names: tuple[str, ...]) -> str:
    text = _("{name} stands by {word}: it is wrong and goes back")
    if stands(before):
        text = _("{name} stands by {word}: it is right, {other} loses a turn")
    return _about(before, text, names[before.turn], _challenger(before, names))


def _expired(before: State, names: tuple[str, ...]) -> str:
    name, other = names[before.turn], _challenger(before, names)
    if before.announced is None:
        return _("{name}: out of time").format(name=name)
    if not other:
        return _("Nobody challenged in time")
    text = _("{name}: out of time. {word} is wrong and goes back")
    if stands(before):
        text = _("{name}: out of time. {word} is right, {other} loses a turn")
    return _about(before, text, name, other)


def _sum(found: Verdict) -> str:
    """Return "9 + 12", or the points alone: there is little room in a list."""
    extra = found.bonus.points
    return f"{found.points - extra} + {extra}" if extra else str(found.points)


def parts(found: Verdict) -> str:
    """Return "9 word + 12 trap", or the points alone."""
    extra = found.bonus.points
    if not extra:
        return str(found.points)
    text = _("{word} word + {trap} trap")
    return text.format(word=found.points - extra, trap=extra)

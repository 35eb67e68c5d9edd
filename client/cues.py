"""What calls the player: sounds when the table changes, and what the desktop tells."""

from typing import Final

from msgspec.structs import replace

from client.app.model import (
    Change,
    Effect,
    Flash,
    Model,
    Over,
    Page,
    Play,
    ToFront,
    same,
    tell,
)
from client.pages import chat, faults, games, play, setup
from client.pages.preferences import is_muted
from client.ui.sound import Sound
from client.ui.texts import _, phrase, plainly, sentence
from netplay.messages import door
from netplay.messages.door import Summons
from netplay.sentences import Says
from rules import GAMES

LOW: Final = 60_000
"""Milliseconds left on one's own clock at which one hears of it."""


def changed(
    model: Model, before: door.TableStatus | None, table: door.TableStatus | None
) -> tuple[Effect, ...]:
    """Return what is heard at a change of the table's state."""
    if before is None or table is None:
        return ()
    own = set(table.persons)
    found: list[Effect] = []
    if _may_move(table, own) and not _may_move(before, own):
        found += () if is_muted(model, table.number) else (Play(Sound.TURN), Flash())
    if table.phase == "over" and before.phase != "over":
        first = [seat for seat, place in enumerate(table.places) if place == 1]
        won = len(table.seats) > 1 and len(first) == 1 and first[0] in own
        found.append(Play(Sound.WON if won else Sound.OVER))
    for i, (old, new) in enumerate(zip(before.seats, table.seats, strict=False)):
        if i in own and old.clock > LOW >= new.clock >= 0:
            found.append(Play(Sound.LOW))
    return tuple(found)


def _may_move(table: door.TableStatus, own: set[int]) -> bool:
    """Tell whether a turn waits here: of one whose tiles lie face down nobody does."""
    turn = own.intersection(table.turn).difference(table.face_down)
    return table.phase != "paused" and bool(turn)


def summoned(model: Model, summons: Summons) -> Change:
    """Call a player who looks elsewhere: who and why, and no more than that."""
    title = summons.game or "Netplay"
    if summons.game in GAMES:
        title = GAMES[summons.game].ABOUT.title
    names = ", ".join(summons.who)
    words = {
        "turn": _("It is your turn: {names}"),
        "time": _("Little time is left for your turn: {names}"),
        "over": _("The game is over: {names}"),
        "chat": _("{names} has written to you"),
        "offer": _("You are offered something: {names}"),
        "agreed": _("The game can begin: {names}"),
        "ready": _("Are you ready? {names} would like to begin"),
        "live": _("The game has begun: {names}"),
        "resumed": _("The game goes on: {names}"),
    }[summons.reason]
    text = words.format(names=names)
    call = Flash(title, text, f"{summons.reason}:{summons.table}")
    if summons.reason in {"live", "resumed", "ready"}:
        if model.guest or (
            model.table is not None and model.table.number == summons.table
        ):
            return model, (call,)
        effects: tuple[Effect, ...] = (Play(Sound.TURN), call, ToFront())
        # Whoever is in the middle of a move keeps it: the bar calls until then.
        if busy(model):
            return tell(model, f"{call.title}: {call.text}"), effects
        shown, asked = games.to_table(model, summons.table)
        return shown, (*effects, *asked)
    return model, (call,)


def busy(model: Model) -> bool:
    """Tell whether the player is in the middle of something here."""
    if model.over is not Over.NONE or model.focus.startswith("field."):
        return True
    match, table = model.match, model.table
    if model.page is not Page.MATCH or match is None or table is None:
        return False
    return table.phase in {"starting", "playing"} and (
        match.hurries or match.seat in table.turn
    )


def line(model: Model, said: door.Line | door.Notice) -> Change:
    """Take a line of chat, or what the node tells of."""
    watched = setup.talks(model) if model.page is Page.TABLE else play.talks(model)
    model = chat.heard(model, said, watched=watched)
    if isinstance(said, door.Line):
        if said.muted or chat.mine(model, said):
            return same(model)
        told = tell(model, f"{phrase(said.author)}: {said.text}")
        return told, (Play(Sound.CHAT),)
    whom = faults.whom(model)
    words = sentence(plainly(said.said, whom))
    if whom and words != (whole := sentence(said.said)):
        model = replace(model, start=replace(model.start, in_vain=whole))
    bad = said.tone != "system"
    bad = bad and said.said.code != Says.CHANGED_RULES.name  # the table says it, too
    if said.tone != "error":
        if said.said.code == Says.OFFERS_DAYS.name and model.page is Page.MATCH:
            return same(model)  # the match says it, with days in words
        return same(tell(model, words, bad=bad))
    about, model = faults.about(model), faults.unsaid(model)
    return same(tell(faults.settled(model), words, bad=True, about=about))

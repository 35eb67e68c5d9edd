"""Two persons and a computer at one window: nobody sees the other's letters.

A whole match is played through the window's own model and real tables.  Every byte that
the door gives is looked at, and after every message the scene, the title and the
picture: what stands there may only be what the person at the window may know.
"""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from client.app.model import Ask, Model, Page, tell
from client.pages import moves, play_input, screen
from client.ui.intents import Click, Key
from client.ui.scene import Node as Drawn
from client.ui.scene import Touch, find, walk
from client.window.painter import Painter
from netplay import wire
from netplay.messages import door
from netplay.messages.door import StartMatch
from netplay.sentences import Says
from rules import GAMES
from rules.game import CHANCE
from rules.tiles import UNKNOWN, UNREVEALED, Reveal
from tests.client import worlds
from tests.client.clicking import update
from tests.netplay.joined_nodes import Node

SEATS = ("person:Anna", "person:Bert", "computer:60")
PERSONS = (0, 1)
NAMES = ("Anna", "Bert", "Computer 3")


class Here:
    """A window of a node that plays all seats, without a screen or a socket."""

    def __init__(self, game: str, seats: tuple[str, ...] = SEATS) -> None:
        self.node = Node("Anna")
        self.game = GAMES[game]
        self.model = worlds.base((900, 600))
        self.now = 0.0
        self.rng = random.Random(5)
        self.sent: list[door.FromNode] = []
        """Everything that came through the door, in order."""
        self.node.tables.window_up(1)
        self.request(door.HostTable(game, seats, (), "", ""))
        self.request(StartMatch())

    @property
    def tables(self) -> Any:
        return self.node.tables

    @property
    def match(self) -> Any:
        match = self.node.match
        assert match is not None
        return match

    def request(self, question: door.Question) -> None:
        """Ask the node outside of the window."""
        answer = self.tables.ask(9, door.Request(1, question), self.now)
        assert isinstance(answer, door.Done), answer

    def give(self, event: Any) -> None:
        """Let the window take an event, and the node what the window asks for."""
        self.model, effects = update(self.model, event)
        self.check()
        for effect in effects:
            if isinstance(effect, Ask):
                self.through(self.tables.ask(1, effect.request, self.now))

    def through(self, message: door.FromNode) -> None:
        """Let a message go through the door, as bytes."""
        data = wire.encode(message)
        frame = wire.FrameReader(len(data))
        frame.feed(data)
        found = frame.next()
        assert found is not None
        arrived = wire.decode_from_node(found)
        self.sent.append(arrived)
        self.check_bytes(arrived)
        self.give(arrived)

    def settle(self) -> None:
        """Let node and window talk until neither has anything to say."""
        for _ in range(20):
            self.tables.take_outgoing()
            pushes = self.tables.take_pushes()
            changed = self.tables.take_news().changed
            if not pushes and not changed:
                return
            for push in pushes:
                if push.window in {1, -1}:
                    self.through(push.message)
            table = self.tables.table_status(self.now)
            self.through(worlds.status(name="Anna", mode="hosting", table=table))
        raise AssertionError("they never stop talking")

    # What may be known.

    def seat(self) -> int:
        """Return whose eyes the window may have at present."""
        return -1 if self.model.play.watching is None else self.model.play.watching

    def check_bytes(self, message: door.FromNode) -> None:
        """No letter of another's rack is in what the door gives for a seat."""
        if not isinstance(message, door.View):
            for key in ("kinds", "tiles", "rack"):
                assert key not in str(message).lower()
            return
        state = wire.unpack(message.state, self.game.ABOUT.state)
        tiles = state.tiles
        for seat, rack in enumerate(tiles.racks):
            known = {
                tile
                for tile, kind in zip(rack, tiles.kinds[seat], strict=True)
                if kind not in {UNKNOWN, UNREVEALED}
            }
            if seat != message.seat:
                assert known <= set(tiles.open), (message.seat, seat)
        for each in message.happened:
            move = wire.unpack(each.move, self.game.ABOUT.move)
            if isinstance(move, Reveal) and move.kind != UNKNOWN:
                assert self.match.fold.drawn_by[move.tile] == message.seat

    def check(self) -> None:
        """The window shows nothing of a rack but its own, and none while covered."""
        model = self.model
        if model.page is not Page.MATCH or model.match is None:
            return
        root, match = screen.scene(model), model.match
        tiles = self.match.fold.state.tiles
        shown = {
            int(node.name.partition(":")[2])
            for node in walk(root)
            if node.name.startswith("tile:")
        }
        for seat, rack in enumerate(tiles.racks):
            if match.covered or seat != match.seat:
                secret = set(rack) - set(tiles.open)
                assert not shown & secret, (seat, match.seat, match.covered)
        assert match.seat in {*PERSONS, -1}
        if match.covered:
            self.check_covered(root, model, match)

    def check_covered(self, root: Drawn, model: Model, match: Any) -> None:
        """Behind the curtain is nothing: scene and picture do not depend on it."""
        assert moves.worthy(model) == []
        assert not [n for n in walk(root) if n.name == "rack"]
        blind = self.game.view(match.state, None)
        past = tuple(map(self.blind, match.past))
        other = replace(model, match=replace(match, state=blind, past=past, local=None))
        assert screen.scene(other) == root
        assert screen.title(other) == screen.title(model)
        if self.rng.random() < 0.1:
            assert picture(other) == picture(model)

    def blind(self, step: Any) -> Any:
        """Return a step of the match as a bystander saw it."""
        before, actor, move = step.before, step.actor, step.move
        mask = self.game.mask(before, actor, move, None)
        return type(step)(self.game.view(before, None), actor, mask)

    # Playing.

    def turn(self) -> bool:
        """Let whoever is on turn move; return whether anybody could."""
        self.now += 1.0
        self.tables.wake(self.now)
        self.settle()
        thoughts = self.tables.wants().thoughts
        if thoughts:
            moves = self.game.moves(thoughts[0].view, thoughts[0].seat)
            move = self.rng.choice(list(islice(moves, 40)))
            self.tables.thought(thoughts[0], move, self.now)
            self.settle()
            return True
        on = [seat for seat in self.match.on_turn() if seat in PERSONS]
        if not on:
            return False
        self.person(on[0])
        return True

    def person(self, seat: int) -> None:
        """Let a person take the place at the window and move."""
        match = self.model.match
        assert match is not None
        assert self.seat() == match.seat == seat
        if match.covered:
            title = find(screen.scene(self.model), "curtain.title")
            assert title is not None
            assert NAMES[seat] in title.text
            ready = self.rng.choice([Click("ready"), Key("enter"), Key("space")])
            self.give(ready)
        match = self.model.match
        assert match is not None
        assert not match.covered
        moves = self.game.moves(match.state, seat)
        move = self.rng.choice(list(islice(moves, 40)))
        self.model, effects = play_input.moved(self.model, match, match.local, move)
        for effect in effects:
            assert isinstance(effect, Ask)
            self.through(self.tables.ask(1, effect.request, self.now))
        self.settle()


def picture(model: Model) -> bytes:
    surface = pygame.Surface(model.size)
    Painter(surface, model.look).paint(screen.scene(model), Touch())
    return pygame.image.tobytes(surface, "RGB")


@pytest.fixture(params=["networdz", "lhexicon"])
def here(request: pytest.FixtureRequest) -> Iterator[Here]:
    one = Here(request.param)
    yield one
    one.tables.close()


def test_a_match_of_two_persons_and_a_computer_shows_each_only_their_own(
    here: Here,
) -> None:
    here.settle()
    covered: set[int] = set()
    for _ in range(400):
        match = here.model.match
        if match is not None and match.covered:
            covered.add(match.seat)
        if not here.turn():
            break
    assert here.match.fold.over
    assert covered == set(PERSONS)
    seats = {m.seat for m in here.sent if isinstance(m, door.View)}
    assert seats >= set(PERSONS)
    moves = [past for past in here.match.fold.history if past.actor != CHANCE]
    assert len(moves) > 12


def test_the_curtain_falls_before_the_other_persons_view_has_come() -> None:
    here = Here("networdz", SEATS[:2])
    here.settle()
    first = here.seat()
    here.person(first)
    table = here.tables.table_status(here.now)
    model = replace(
        here.model,
        play=replace(here.model.play, watching=first),
        match=here.model.match,
    )
    assert model.match is not None
    before = replace(model, match=replace(model.match, seat=first, covered=False))
    after, _effects = update(before, worlds.status(name="Anna", table=table))
    assert after.match is not None
    assert after.match.covered
    assert after.match.seat == first  # the other's view has not come yet
    pressed, _effects = update(after, Click("ready"))
    assert pressed.match is not None
    assert pressed.match.covered
    title = find(screen.scene(after), "curtain.title")
    assert title is not None
    assert NAMES[1 - first] in title.text


def test_a_hint_is_forgotten_when_the_curtain_falls() -> None:
    here = Here("networdz", SEATS[:2])
    here.settle()
    first = here.seat()
    here.model = tell(here.model, "Hint: SECRET")
    here.person(first)
    assert here.seat() != first
    here.give(Click("ready"))
    assert "SECRET" not in worlds.texts(screen.scene(here.model))


def test_that_a_match_was_saved_is_told_before_the_curtain_is_raised() -> None:
    here = Here("networdz", SEATS[:2])
    here.settle()
    here.person(here.seat())
    assert here.model.match is not None
    assert here.model.match.covered
    here.model = tell(here.model, "saved as mine.netplay")
    shown = worlds.texts(screen.scene(here.model))
    assert str(Says.SAVED_AS(path="mine.netplay")) in shown

"""Colours of editions: whatever they say, what is drawn with them can be read."""

from pathlib import Path

import pytest
import trio.testing
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app import board, edition_changes
from client.app.model import seen
from client.ui.scene import Rect, Role, contrast, walk
from client.ui.theme import LIGHT, Look
from netplay.messages.node_questions import SaveEdition
from rules import editions
from rules.editions import COLOURS, Edition
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import at_match, base

CODE = st.tuples(*[st.integers(0, 255)] * 3).map(edition_changes.code)
GAUDY = st.dictionaries(st.sampled_from(COLOURS), CODE)


def coloured(colours: dict[str, str]) -> Edition:
    fresh = tuple(sorted(colours.items()))
    return replace(editions.load("networdz"), colours=fresh)


@given(GAUDY)
def test_letters_can_be_read_whatever_colours_an_edition_brings(
    colours: dict[str, str],
) -> None:
    theme = edition_changes.tinted(Look(LIGHT), coloured(colours)).theme
    assert contrast(theme.tile_text, theme.tile) >= 4.5
    assert contrast(theme.blank, theme.tile) >= 4.5
    assert not edition_changes.alike(theme.blocked, theme.cell)


@given(GAUDY)
def test_the_way_out_leaves_colours_that_can_be_told_apart(
    colours: dict[str, str],
) -> None:
    mended = edition_changes.mended(coloured(colours))
    assert not edition_changes.faults(mended)
    assert not list(editions.problems(mended))


@pytest.mark.parametrize("name", editions.shipped())
def test_the_programs_own_editions_are_left_alone(name: str) -> None:
    edition = editions.load(name)
    assert not edition_changes.faults(edition)
    assert edition_changes.mended(edition) == edition


def test_a_match_with_a_peers_dark_tiles_and_dark_letters_is_drawn_readable() -> None:
    dark = dict.fromkeys(COLOURS, "#101010")
    model = at_match(base())
    assert model.match is not None
    edition = coloured(dark)
    editions.register(edition)
    state = replace(
        model.match.state,
        options=replace(model.match.state.options, edition=edition.digest),
    )
    match = replace(model.match, state=state, past=())
    area, now = Rect(0, 0, 1000, 700), seen(model, match)
    root = board.find("networdz").scene(now, match.local, area, model.look)
    letters = [n for n in walk(root) if n.role is Role.TILE and n.text]
    assert len(letters) > 7
    assert all(contrast(n.fg or (0, 0, 0), n.bg or (0, 0, 0)) >= 4.5 for n in letters)


async def opened(script: Scripted, name: str) -> None:
    """Open the editor beside an edition in the dictionary."""
    await script.click("dictionary")
    await script.click("book.edition")
    place = script.loop.model.edition_names.index(name)
    await script.click(f"book.edition:{place}")
    await script.click("editor")


async def filled(script: Scripted, field: str, text: str) -> None:
    await script.click(f"field.ed.{field}")
    await script.type(text)


def saves(script: Scripted) -> list[SaveEdition]:
    return [ask for ask in script.node.asked if isinstance(ask, SaveEdition)]


@needs_dummy
async def test_dark_tiles_with_dark_letters_are_not_saved_without_a_word(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "german")
        await script.click("ed.tab:3")
        await filled(script, "colour.tile", "#202020")
        await script.click("ed.tab:0")
        await script.click("ed.save")
        assert script.sees("ed.back")
        assert not saves(script)
        await script.click("ed.back")
        assert script.sees("field.ed.colour.tile")
        await script.click("ed.save")
        await script.click("ed.readable")
        (tool,) = saves(script)
        read = editions.read(tool.text)
        assert dict(read.colours)["tile"] == "#202020"
        assert not edition_changes.faults(read)
        await filled(script, "colour.W4", "#7a347b")
        await filled(script, "colour.W3", "#7a347a")
        await script.click("ed.use")
        assert "word 4x – word 3x" in script.reads()
        await script.click("ed.anyway")
        (_first, tool) = saves(script)
        assert dict(editions.read(tool.text).colours)["W3"] == "#7a347a"


@needs_dummy
async def test_the_editor_opens_the_edition_beside_it_and_keeps_what_was_begun(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "spanish")
        await filled(script, "title", "mine")
        await script.click("close")
        await opened(script, "german")
        assert script.node_named("field.ed.name").value == "my-german"
        assert script.node_named("field.ed.language").value == "de"
        await script.click("close")
        await opened(script, "spanish")
        assert script.node_named("field.ed.name").value == "my-spanish"
        assert script.node_named("field.ed.title").value.endswith("mine")


@needs_dummy
async def test_how_many_there_are_of_a_tile_covers_no_letter(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await opened(script, "spanish")
        await script.click("ed.tab:1")
        tiles = [n for n in walk(script.loop.root) if n.name.startswith("tile:ed.")]
        assert len(tiles) == editions.load("spanish").blank
        counts = [kid for tile in tiles for kid in tile.kids]
        assert all(kid.text.endswith("×") for kid in counts)
        for kid in counts:
            assert not any(kid.rect.meets(tile.rect) for tile in tiles)

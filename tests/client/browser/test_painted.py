"""The window's painter and the page's paint the same."""

import base64
import io
import os
from typing import Any, Final

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
import pytest
from msgspec.structs import replace

from client.app.model import Model
from client.browser.session import fitting
from client.ui.scene import Node, Touch
from client.window.painter import Painter
from tests.client.browser.chromium import needs_chromium
from tests.client.browser.paged import models, paged

pytestmark = [pytest.mark.slow, pytest.mark.processes, needs_chromium]

SIZES: Final = (
    (1280, 800),
    (820, 1180),
    (800, 500),
    fitting(844, 390),
    fitting(640, 360),
)
"""The last two as phones that lie lay pages out."""

NEAR: Final = 32
"""How far a colour may be from what is seen there, or a pixel beside it, of 255."""

MOST: Final = 0.01
"""The part of the pixels that may differ beyond antialiasing."""

COMPARED: Final = """
async ([one, other, near]) => {
  const read = async (data) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await read(one), await read(other)];
  const { width: w, height: h } = a, off = new Uint8Array(w * h);
  const look = (from, to) => {
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++)
        for (let c = 0; c < 3; c++) {
          let low = 255, high = 0;
          for (let v = Math.max(0, y - 1); v <= Math.min(h - 1, y + 1); v++)
            for (let u = Math.max(0, x - 1); u <= Math.min(w - 1, x + 1); u++) {
              const seen = to[4 * (v * w + u) + c];
              if (seen < low) low = seen;
              if (seen > high) high = seen;
            }
          const value = from[4 * (y * w + x) + c];
          if (value < low - near || value > high + near) off[y * w + x] = 1;
        }
  };
  look(a.data, b.data);
  look(b.data, a.data);
  const boxes = [];
  off.forEach((is, i) => { if (is) boxes.push([i % w, Math.floor(i / w)]); });
  return boxes;
}
"""
"""A pixel not between the colours round it in the other picture is no edge's."""


def off(page: Any, here: bytes, there: bytes) -> list[tuple[int, int]]:
    """Return the pixels that differ beyond antialiasing."""
    both = [base64.b64encode(each).decode() for each in (here, there)]
    found: list[tuple[int, int]] = page.evaluate(COMPARED, [*both, NEAR])
    return found


def ours(root: Node, model: Model) -> bytes:
    """Return a scene as the window paints it."""
    surface = pygame.Surface(model.size)
    Painter(surface, model.look).paint(root, Touch())
    made = io.BytesIO()
    pygame.image.save(surface, made, "x.png")
    return made.getvalue()


@pytest.mark.parametrize("size", SIZES)
def test_both_painters_paint_every_page_alike(size: tuple[int, int]) -> None:
    apart: dict[str, float] = {}
    with paged(size) as page:
        for name, model in models().items():
            model = replace(model, size=size)  # noqa: PLW2901 (the same in a size)
            root = page.show(model)
            found = off(page.page, ours(root, model), page.page.screenshot())
            apart[name] = len(found) / (size[0] * size[1])
    assert len(apart) >= 50
    assert {name: part for name, part in apart.items() if part > MOST} == {}

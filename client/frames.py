"""How long the window takes for a frame: `python -m client frames VIEW`.

For whoever measures: prints the milliseconds of each of so many frames of a view, the
scene made and painted anew, as a line of JSON.
"""

import json
from time import perf_counter  # noqa: TID251 (time is what is measured)
from typing import Final

import pygame

from client.paint import Painter
from client.picture import Picture, model_of, scene
from client.scene import Touch
from client.settings import Settings

WARM: Final = 3
"""Frames drawn before, which load fonts and round corners once."""


def measure(
    picture: Picture, settings: Settings, size: tuple[int, int], count: int
) -> str:
    """Return the milliseconds of each frame as JSON."""
    model = model_of(picture, settings, size)
    painter = Painter(pygame.Surface(size), model.look)
    times: list[float] = []
    for _ in range(WARM + count):
        began = perf_counter()
        painter.paint(scene(model), Touch())
        times.append((perf_counter() - began) * 1000)
    return json.dumps(times[WARM:])

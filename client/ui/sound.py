"""Short sounds as numbers; `loop` plays them where there is a device."""

from array import array
from enum import Enum
from functools import cache
from math import exp, pi, sin
from typing import Final

RATE: Final = 44_100
"""Samples a second."""

LOUD: Final = 9_000
"""Greatest amplitude of one voice, of 32,767."""


class Sound(Enum):
    """What can be heard: (frequencies in Hz one after another, seconds each)."""

    TILE = ((660,), 0.05)
    MOVE = ((440, 554), 0.07)
    """Somebody moved."""
    TURN = ((523, 659, 784), 0.11)
    """It is your turn: other than any move's sound."""
    CHAT = ((880, 740), 0.06)
    REFUSED = ((196, 165), 0.10)
    LOW = ((988, 988), 0.12)
    """The clock runs low."""
    OVER = ((523, 659, 784, 1047), 0.16)
    WON = ((523, 659, 784, 659, 784, 1047), 0.13)
    """One's own seat has won, or a puzzle is solved."""
    FLIP = ((494, 587, 698), 0.04)
    """Tiles turn over."""
    CAPTURE = ((330, 247), 0.08)
    TRAP = ((392, 494, 587, 784), 0.06)
    """A trap has closed."""
    BURST = ((440, 554), 0.05)
    """Hexes explode; the longer the chain, the higher it rises."""
    CHAIN_2 = ((440, 554, 659), 0.05)
    CHAIN_3 = ((440, 554, 659, 880), 0.05)
    CHAIN_4 = ((440, 554, 659, 880, 1109), 0.05)


CHAINS: Final = (Sound.BURST, Sound.CHAIN_2, Sound.CHAIN_3, Sound.CHAIN_4)
"""By the links of a chain."""


@cache
def samples(sound: Sound) -> bytes:
    """Return the sound as 16-bit stereo samples at `RATE`."""
    tones, seconds = sound.value
    wave = array("h")
    length = round(RATE * seconds)
    for tone in tones:
        for i in range(length):
            at = i / RATE
            swell = min(1.0, i / 200) * exp(-4 * at / seconds)
            over = 0.3 * sin(4 * pi * tone * at)
            level = round(LOUD * swell * (sin(2 * pi * tone * at) + over))
            wave.extend((level, level))
    return wave.tobytes()

"""Plays sounds where there is a device, and is silent where there is none."""

import pygame
import pygame.mixer

from client.ui.sound import RATE, Sound, samples


class Speaker:
    """The sound device, opened at the first sound."""

    def __init__(self) -> None:
        """Open nothing yet: the first frame is more urgent."""
        self._ready: bool | None = None

    def play(self, sound: Sound, volume: int) -> None:
        """Play a sound at a loudness of 0 to 100."""
        if not volume or not self._open():
            return
        made = pygame.mixer.Sound(buffer=samples(sound))
        made.set_volume(volume / 100)
        made.play()

    def _open(self) -> bool:
        """Open the device if need be; tell whether there is one."""
        if self._ready is None:
            try:
                pygame.mixer.init(RATE, -16, 2, 512)
            except pygame.error:
                self._ready = False
            else:
                self._ready = True
        return self._ready

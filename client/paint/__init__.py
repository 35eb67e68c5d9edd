"""Draw a node tree on a surface; with `input` and `loop` the only users of pygame."""

from client.paint.painter import Painter

__all__ = ["Painter"]

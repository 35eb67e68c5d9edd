"""Draw a node tree on a surface; with the loop the only user of pygame."""

from client.paint.painter import Painter

__all__ = ["Painter"]

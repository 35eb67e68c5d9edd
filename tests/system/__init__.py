"""Real node processes on real sockets, and what may happen between them."""

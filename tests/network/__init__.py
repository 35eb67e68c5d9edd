"""Networks of their own: homes behind routers, and an internet between them."""

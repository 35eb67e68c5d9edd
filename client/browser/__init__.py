"""The window in a browser: a server beside the node, a session a page, and the page."""

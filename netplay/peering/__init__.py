"""Other nodes: who they are, the links to them, and the bytes on those links."""

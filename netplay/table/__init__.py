"""Where a match is agreed and kept: chairs, terms, windows' wishes, chat, editions."""

"""A sixth game, tic-tac-toe: its modules, laid out as they would lie in the program.

`netplay`, `rules` and `client` here hold what belongs into the packages of that name;
`LINE` goes into the list of games.  `tests/test_sixth_game.py` plays it.
"""

LINE = '    "tictactoe": Listed("Tic-tac-toe", "three in a row"),\n'
"""The one line in a file that is not the game's own: `LISTED` in rules/__init__.py."""

"""The games as text for the terminal: a board of several lines, a move in one.

`netplay.text.<game>` has `board(view) -> str` and `line(before, actor, move, names)
-> str`.
"""

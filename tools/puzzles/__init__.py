"""Make puzzles by letting the computer players play, and look for one best move.

    python -m tools.puzzles GAME --number 24 > netplay/puzzles/GAME.txt

Each game has a module here, `makings(seed)`: puzzles for as long as they are asked for.
"""

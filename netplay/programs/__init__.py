"""Programs of the user's own at a seat: started, asked for moves, and ended.

They speak JSON, a line at a time, on their standard input and output (`talk`, and
docs/programs.md for those who write one).  `player` asks one; `process` starts it in
the care of `keeper`, which ends it and all it has started.
"""

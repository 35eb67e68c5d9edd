"""After a match: what was played at each turn, what it scored and why, what was best.

`turns` finds the turns of a match or a score sheet, `appraising` judges one of them
(in a worker process, for it takes a computer player's time), `transcript` tells the
whole as text.
"""

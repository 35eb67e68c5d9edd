"""A whole match between node processes on this computer, to see that all works.

`player` plays a seat through a node's door, as a window does; `show` is the
performance: it keeps the processes, and makes the words that only the host has.
"""

"""A whole match between node processes on this computer, to see that all works.

`caller` talks to a node through its door, `puppet` plays a seat that way, `stage` keeps
the processes, `words` makes an edition and a word list that only the host has, and
`show` is the performance.
"""

"""A whole match between node processes on this computer, to see that all works.

`door_client` talks to a node through its door, `player` plays a seat that way,
`node_processes` keeps the processes, `words` makes an edition and a word list that only
the host has, and `show` is the performance.
"""

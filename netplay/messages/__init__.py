"""The messages as frozen structs, one module per part of protocol.md.

`link` opens and keeps a connection, `table` agrees on a match, `log` carries it,
and `door` is the talk between a node and its own windows and commands.
"""

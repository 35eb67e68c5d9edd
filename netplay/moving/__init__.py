"""Take what a player has to another computer: one file, under a passphrase.

`packed_files` says what goes along and puts it into one piece, `sealed` locks that,
`homes` takes it out of one home and puts it into another.
"""

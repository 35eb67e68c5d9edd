"""Take what a player has to another computer: one file, under a passphrase.

`homes` takes it out of one home, locks it, and puts it into another; `copies` keeps
such a file fresh, for the day on which a disk is lost.
"""

"""Finding words: every play in a position, and the best one without the rest.

Made for any game whose words lie in the rows and columns of a rectangle.  A position
is plain numbers (`position`), words are looked up by the multiset of their letters
(`wordmap`), and what remains is a walk over the *windows* of each row and column:
stretches that a play can fill (`windows`).  `plays` lists all, `best` the best one.
"""

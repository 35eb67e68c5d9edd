"""A bag of tiles that nobody can see into: masks, shuffles with proofs, draws.

Each holder of a seat has a secret mask; a tile is an ElGamal pair under the sum of all
masks, so that it takes everybody to read one.  Every holder shuffles and masks the
whole bag anew and proves that it changed nothing else; a draw is lifted by all others
for its owner alone, with a proof.

Pure: bytes and numbers in, bytes out, no state, no node.  `group` alone knows the
library.  No outside cryptographer has reviewed this.

Sources: ElGamal (1985); Chaum and Pedersen (1992) for equal logarithms; Terelius and
Wikstroem (2010) for the shuffle, in the form of Haenni, Locher, Koenig and Dubuis,
"Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets" (2017); Bernhard,
Pereira and Warinschi (2012) for what a challenge must hash: the whole statement.
"""

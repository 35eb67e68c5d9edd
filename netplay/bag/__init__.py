"""A bag of tiles that nobody can see into: masks, shuffles with proofs, draws.

Each holder of a seat has a secret mask; a tile is an ElGamal pair under the sum of all
masks, so that it takes everybody to read one.  Every holder shuffles and masks the
whole bag anew and proves that it changed nothing else; a draw is lifted by all others
for its owner alone, with a proof.  Each module names the sources of its formulas.

Pure: bytes and numbers in, bytes out, no state, no node; `group` alone knows the
library.  No outside cryptographer has reviewed this.
"""

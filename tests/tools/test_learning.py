"""What is learned by self-play is the same whoever plays the matches."""

from argparse import Namespace

from rules import editions, lexicon, networdz
from tools.learning.leaves import Wanted, collect


def test_two_processes_learn_from_the_matches_that_one_would_have_played() -> None:
    edition = editions.load("standard")
    options = networdz.Options(
        edition=edition.digest, lexicon=lexicon.load(edition.words).digest
    )
    wanted = Wanted(options, None, "7 0")
    alone = collect(wanted, Namespace(samples=60, jobs=1, scheduler=""))
    both = collect(wanted, Namespace(samples=60, jobs=2, scheduler=""))
    assert len(alone) >= 60
    assert both == alone

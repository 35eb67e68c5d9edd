"""Who asks to watch, leaves, and asks again, is asked about as at first."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.messages.door import LeaveTable
from netplay.sentences import Says
from tests.netplay.joined_nodes import Net
from tests.netplay.table.test_bystanders import say, two, watch

PLAYERS, OTHERS = ("ann", "bob"), ("cyd", "dan", "eve")


class Rules:
    """Who watches and who is asked about, by what players are told of it alone."""

    def __init__(self) -> None:
        self.said: dict[tuple[str, str], bool] = {}
        """Player, bystander -> what the player has said, for good."""
        self.asking: set[str] = set()
        self.watching: set[str] = set()
        self.told: dict[str, list[str]] = {name: [] for name in PLAYERS}
        """Player -> of whom it has been told that they would watch."""

    def waits(self, player: str) -> list[str]:
        """Return whom a player has to answer."""
        return sorted(one for one in self.asking if (player, one) not in self.said)

    def comes(self, one: str) -> None:
        if one in self.asking or one in self.watching:
            return
        said = [self.said.get((player, one)) for player in PLAYERS]
        if False in said:
            return
        if None in said:
            self.asking.add(one)
            for player, word in zip(PLAYERS, said, strict=True):
                if word is None:
                    self.told[player].append(one)
        else:
            self.watching.add(one)

    def goes(self, one: str) -> None:
        self.asking.discard(one)
        self.watching.discard(one)

    def answers(self, player: str, one: str, *, allow: bool) -> None:
        self.said[player, one] = allow
        if not allow:
            self.goes(one)
        elif one in self.asking and all(self.said.get((p, one)) for p in PLAYERS):
            self.asking.remove(one)
            self.watching.add(one)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_who_watches_and_who_is_asked_follows_from_what_each_has_said(
    seed: int,
) -> None:
    rng, rules, net = Random(seed), Rules(), Net(*PLAYERS, *OTHERS)
    try:
        two(net)
        for _ in range(12):
            one = rng.choice(OTHERS)
            here = one in rules.asking or one in rules.watching
            kind = rng.choice(("comes", "goes", "answers"))
            if kind == "comes" and not here:
                watch(net, one)
                rules.comes(one)
            elif kind == "goes" and here:
                net.done(one, LeaveTable())
                net.settle()
                rules.goes(one)
            elif kind == "answers" and here:
                player, allow = rng.choice(PLAYERS), rng.random() < 0.8
                say(net, player, "allow" if allow else "refuse", one)
                rules.answers(player, one, allow=allow)
            for player in PLAYERS:
                shown = net.status(player)
                asking = sorted(name for _key, name in shown.asking)
                assert asking == rules.waits(player)
                assert sorted(shown.watchers) == sorted(rules.watching)
                lines = net[player].lines("system")
                for name in OTHERS:
                    wish = str(Says.WOULD_WATCH(name=name))
                    assert lines.count(wish) == rules.told[player].count(name), name
    finally:
        net.close()

"""Friends with days to think, over weeks: wrong clocks, letters, and one who lies.

Whole tables of two to four nodes, in memory, each at a computer with clocks of its own.
One of the friends is a liar: it puts its clock forward and back, claims whatever it
says, enters no turn of others, is deaf for one of them, or shows its own turn to one of
them alone, or what nobody could enter.  Keepers of letters, whom
the host names, may lie as well.  In the end the liar's program is honest again, but its
player moves no more, and everybody is awake for two hours a day.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Final

from netplay.errors import NetplayError
from netplay.match.match import Match
from netplay.match.thinking import DAY_SECONDS, SLACK_SECONDS
from netplay.messages.letters import AskLeft, LetterReceipt, NothingLeft
from netplay.messages.table_questions import ClaimTime
from netplay.record.clocks import TimeUp, told
from netplay.record.fold import Fold
from netplay.record.letter import signed_nothing, signed_receipt
from netplay.record.verify import Verdict, verify
from netplay.table.letters import Written
from rules.game import CHANCE, Resign
from tests.hostile.days import HOUR, START, Friends
from tests.netplay.party import Key
from tests.simulation.run import Result

STEPS: Final = 40

NAMES: Final = ("ann", "bob", "cyd", "dan")

LIES: Final = ("", "", "drops", "denies", "mute", "earlier", "both")
"""What a keeper may do: nothing wrong, most often."""

REFUSED: Final = NetplayError, AssertionError, StopIteration, ValueError
"""What a step may come to that cannot be taken now: it is left out."""


class Keeper:
    """Who keeps letters, and signs that it does."""

    def __init__(self, name: str, rng: Random) -> None:
        self.key = Key(name)
        self.name = name
        self.lie = rng.choice(LIES)
        self.skew = rng.choice((0, 0, 0, -300, 240))
        self.friend = b""
        """For whom it lies, where it lies for somebody."""
        self._boxes: dict[tuple[bytes, bytes, bytes], list[bytes]] = {}
        self._last: dict[tuple[bytes, bytes, bytes], tuple[bytes, int, int]] = {}

    def leave(self, author: bytes, what: Written, unix: int) -> LetterReceipt:
        """Take a letter, or say so."""
        place, at = (author, what.to, what.box), unix + self.skew
        about, first, _ = self._last.get(place, (b"", at, at))
        first = first if about == what.about and about else at
        self._last[place] = what.about, first, at
        if self.lie == "earlier" and author == self.friend:
            first -= 30 * HOUR
        if self.lie != "drops":
            self._boxes[place] = [*what.parts]
        whole = hashlib.sha256(what.parts[-1]).digest()
        until = at + what.days * DAY_SECONDS
        said = LetterReceipt(
            b"", *place, what.about, whole, first, at, until, bytes(64)
        )  # fmt: skip
        return signed_receipt(self.key, said)

    def hand(self, reader: bytes) -> Iterator[bytes]:
        """Hand over what is there for somebody."""
        for place in [place for place in self._boxes if place[1] == reader]:
            yield from self._boxes.pop(place)

    def say(self, asked: AskLeft, unix: int) -> NothingLeft | None:
        """Say that nothing was left, if that is so, or is to seem so."""
        place, at = (asked.author, asked.to, asked.box), unix + self.skew
        last = self._last.get(place)
        lies = self.lie in {"denies", "both"} and self.friend == asked.to
        if self.lie == "mute" or (
            last is not None and last[2] >= asked.since and not lies
        ):
            return None
        said = NothingLeft(b"", *place, asked.since, at, bytes(64))
        return signed_nothing(self.key, said)


class Days:
    """What happens to some friends, and what may never happen to the honest ones."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(f"days {seed}")
        self.names = NAMES[: rng.choice((2, 2, 3, 3, 4))]
        keepers = rng.choice((0, 0, 1, 2))
        self.keepers = [Keeper(f"keeper {n}", rng) for n in range(keepers)]
        self.game = rng.choice((*("numlo",) * 9, "networdz"))
        named = tuple(one.key.key for one in self.keepers)
        self.friends = Friends(*self.names, game=self.game, keepers=named)
        self.match = self.friends.match("ann").match
        self.liar = rng.choice(self.names)
        for keeper in self.keepers:
            keeper.friend = self.friends.net[self.liar].key
        self.reach = {
            (name, keeper.name)
            for name in self.names
            for keeper in self.keepers
            if name == "ann" or rng.random() < 0.7
        }
        self.hours = 0.0
        self.began: dict[int, float] = {0: 0.0}
        """Turn -> true hours when it began."""
        self.moved: dict[str, int] = {}
        """Who has made its move of which turn, entered or not."""
        self.heard: dict[str, int] = {}
        """The same, where somebody honest could be told of it: cut off from all but the
        liar, without a keeper, nobody can know that a move was made."""
        self.counts = Counter[str]()
        self.trace = hashlib.sha256()
        self._folds: dict[bytes, Fold] = {}
        """Last entry -> the fold of the log with it."""
        self.over = False
        doing: tuple[tuple[Callable[[], None], int], ...] = (
            (self._pass, 4), (self._restart, 1), (self._off, 1), (self._part, 2),
            (self._meet, 2), (self._move, 6), (self._claim, 3),
            (self._claim_falsely, 3),
            (self._set_clock, 2), (self._hold_back, 1), (self._ignore, 1),
            (self._whisper, 3),
            (self._post, 4 if self.keepers else 0), (self._kill, 1),
        )  # fmt: skip
        self._acts, self._weights = zip(*doing, strict=True)

    def turn(self) -> int:
        return max((found.fold.moves for _, found in self.matches()), default=0)

    def matches(self) -> list[tuple[str, Match]]:
        """Return the matches in hand; one that is over is not opened again."""
        nodes = ((name, self.friends.net[name].table.match) for name in self.names)
        return [(name, found) for name, found in nodes if found is not None]

    def unix(self) -> int:
        return int(START + self.hours * HOUR)

    # What happens.

    def step(self) -> None:
        act = self.rng.choices(self._acts, self._weights)[0]
        with suppress(*REFUSED):
            act()
            self.counts[act.__name__.strip("_").replace("_", " ")] += 1
        self.look()

    def _any(self) -> str:
        return self.rng.choice(self.names)

    def _pass(self) -> None:
        hours = self.rng.choice((0.3, 2, 7, 13, 25))
        self.hours += hours
        self.friends.hours(hours)

    def _set_clock(self) -> None:
        self.friends.set_wall(self.liar, self.rng.choice((-30, -5, 5, 25, 50)))

    def _restart(self) -> None:
        self.friends.restart(self._any())
        self.friends.meet()

    def _kill(self) -> None:
        self.friends.restart(self._any())  # and nobody can reach it

    def _off(self) -> None:
        self.friends.restart(self.liar, off=self.rng.choice((1, 25, 60)))
        self.friends.meet()

    def _part(self) -> None:
        self.friends.net.part(*self.rng.sample(self.names, 2))

    def _meet(self) -> None:
        self.friends.meet()

    def _claim(self) -> None:
        self.friends.net.done(self._any(), ClaimTime())
        self.friends.net.settle()

    def _claim_falsely(self) -> None:
        against = self.rng.choice([n for n in self.names if n != self.liar])
        self.friends.claim_anyway(self.liar, against)

    def _hold_back(self) -> None:
        assert self.friends.match(self.liar).hosting
        self.friends.hold_turns_back(self.liar)

    def _ignore(self) -> None:
        others = [name for name in self.names if name != self.liar]
        self.friends.ignore(self.liar, self.rng.choice(others))

    def _whisper(self) -> None:
        found, to = self.friends.match(self.liar), self._any()
        assert found.may_move()
        assert to != self.liar
        assert not self.friends.match(to).hosting
        self.friends.show_alone(self.liar, to, skipped=self.rng.choice((0, 0, 0, 1)))

    def _move(self) -> None:
        name = self._any()
        found = self.friends.match(name)
        if any(found.seats.is_own(seat) for seat in found.on_turn()):
            turn = found.fold.moves
            self.friends.move(name)
            in_time = (self.hours - self.began.get(turn, 0.0)) * HOUR <= DAY_SECONDS
            if in_time or len(self.names) == 2:
                self.moved[name] = turn  # of two the one who is late may still move

    def _post(self) -> None:
        """Let somebody leave letters, and take what was left for it."""
        name = self._any()
        node, now = self.friends.net[name], self.friends.net.now
        letters = node.tables.letters
        near = [one for one in self.keepers if (name, one.name) in self.reach]
        for owed in tuple(letters.owed()) if near else ():
            written = letters.write(owed, now)
            if written is not None:
                for keeper in near:
                    receipt = keeper.leave(node.key, written, self.unix())
                    letters.kept(written, keeper.name, receipt)
        for keeper in near:
            for sealed in keeper.hand(node.key):
                letters.on_letter(sealed, now)
            for asked in tuple(letters.questions(keeper.key.key)):
                word = keeper.say(asked, self.unix())
                if word is not None:
                    letters.keep_nothing(word)
        self.friends.net.settle()

    # What must hold.

    def look(self) -> None:
        """Check that nobody honest has lost a turn that was made, or had time left."""
        self.began.setdefault(self.turn(), self.hours)
        for name, turn in self.moved.items():
            honest = {one for one in self.names if one not in {name, self.liar}}
            links = self.friends.net.links
            near = any(frozenset((name, one)) in links for one in honest)
            if turn == self.turn() and (near or self.keepers or not honest):
                self.heard[name] = turn
        for name, found in self.matches():
            fold = found.fold
            self.over = self.over or fold.over
            self.trace.update(found.ledger.log.head)
            alone = self._alone(found)
            assert alone.claims == fold.claims
            assert alone.digest() == fold.digest()
            self._shown(name, found)
            for done in fold.claims.done:
                self._judged(fold, done)

    def _alone(self, found: Match) -> Fold:
        """Return what somebody finds who has nothing but the log."""
        lines = found.ledger.log.lines
        for number in range(len(lines), 0, -1):
            raw = lines[number - 1].raw
            if raw in self._folds:
                fold, known = self._folds.pop(raw), number
                break
        else:
            fold, known = Fold(found.fold.terms), 0
        for line in lines[known:]:
            fold.apply(line)
        self._folds[lines[-1].raw] = fold
        return fold

    def _shown(self, name: str, found: Match) -> None:
        """Check that nobody is shown an end, or somebody gone, before a judgement."""
        fold = found.fold
        status = self.friends.net[name].tables.table_status(self.friends.net.now)
        late = {done.seat for done in fold.claims.done}
        gone = {p.actor for p in fold.history if isinstance(p.move, Resign)}
        assert gone <= late, "nobody resigns here"
        if status is not None and not late:
            assert not status.places, "won and lost before a judgement"
            assert status.phase != "over"
            assert "resigned" not in {seat.state for seat in status.seats}

    def _judged(self, fold: Fold, done: TimeUp) -> None:
        """Look at a claim that has taken effect."""
        late = self.names[done.seat]
        if done.contested:
            out = sum(one.number < done.number for one in fold.claims.done)
            assert len(self.names) - out == 2, "others could have told"
            assert not fold.places, "contested, and somebody has won"
        if done.contested or late == self.liar:
            return
        place = next(p for p in fold.history if p.number == done.number)
        before = fold.history[: fold.history.index(place)]
        turn = sum(past.actor != CHANCE for past in before)
        assert self.heard.get(late) != turn, "a turn that was made is lost"
        passed = (self.hours - self.began.get(turn, 0.0)) * HOUR
        assert passed >= DAY_SECONDS - 2 * SLACK_SECONDS, "time was left"
        self.counts["on time"] += 1

    def end(self) -> None:
        """See that an honest claim works, two hours a day, and that all agree."""
        friends = self.friends
        friends.meet()
        self.look()
        if not self.over:
            friends.restart(self.liar)  # its program is as it should be, from now on
            friends.true_clock(self.liar, self.unix())
            friends.meet()
            self._wait_for_liar()
        self._agree()

    def _wait_for_liar(self) -> None:
        """Move until the liar is on turn, and claim when it has had its day."""
        for _ in range(4 * len(self.names)):
            on = {name for name, match in self.matches() if match.may_move()}
            if self.over or self.liar in on or not on:
                break
            for name in on:
                with suppress(*REFUSED):
                    self.friends.move(name)
            self.look()
        before = self._done()
        for _ in range(6):
            if self.over or self._done() > before:
                return
            self.hours += 22
            self.friends.night(22)
            self.hours += 2
            self.friends.hours(2)
            for name in self.names:
                if name != self.liar:
                    with suppress(*REFUSED):
                        self.friends.net.done(name, ClaimTime())
                        self.friends.net.settle()
            self.friends.hours(0.1)
            self.hours += 0.1
            self.look()
        if self.over or not self.matches() or self._done() > before:
            return
        # Of two, the liar's own record may say anything: then nobody has won.
        two = [found for _, found in self.matches() if len(found.fold.electors) == 2]
        stands = any(found.fold.claims.standing for found in two)
        hosts = any(name == self.liar and one.hosting for name, one in self.matches())
        assert stands or (two and hosts), "an honest claim does not work"

    def _done(self) -> int:
        """Return how many claims have taken effect."""
        done = (len(found.fold.claims.done) for _, found in self.matches())
        return max(done, default=0)

    def _agree(self) -> None:
        """Check that everybody, and whoever reads a file alone, finds the same."""
        for name, found in self.matches():
            read = self._read(name)
            assert read.claims == told(found.fold), "verify finds other claims"
            assert read.contested == found.fold.claims.contested
        files = [self._file(name) for name in self.names]
        whole = max(files, key=len)
        # Who was away when it ended gets the rest when it meets one who has it in hand.
        assert all(whole.startswith(one) for one in files), "the logs part"
        reads = [self._read(n) for n in self.names if self._file(n) == whole]
        said = {(one.claims, one.contested, one.places) for one in reads}
        assert len(said) == 1, "not all agree"

    def _file(self, name: str) -> bytes:
        return self.friends.net[name].archive.open(self.match).read()

    def _read(self, name: str) -> Verdict:
        """Check a file of the match, trusting nobody."""
        read = verify(self._file(name))
        assert read.ok is not False, read.reason
        return read


def simulate_days(seed: int) -> Result:
    """Let the days of one seed pass."""
    days, failures = Days(seed), list[str]()
    try:
        for _ in range(STEPS):
            days.step()
        days.end()
    except AssertionError as error:
        failures.append(str(error) or repr(error))
    entries = max((len(found.ledger.log) for _, found in days.matches()), default=0)
    days.friends.net.close()
    lies = tuple(one.lie for one in days.keepers if one.lie)
    return Result(
        seed,
        days.game,
        len(days.names),
        "committed",
        lies,
        tuple(failures),
        dict(sorted(days.counts.items())),
        entries,
        STEPS,
        days.hours * HOUR,
        days.trace.hexdigest(),
    )

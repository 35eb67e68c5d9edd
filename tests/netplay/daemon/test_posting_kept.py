"""Letters that are left with keepers who come, answer, lie and go by chance."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing
from hypothesis import example, given
from hypothesis import strategies as st

from netplay import limits
from netplay.daemon.posting import AGAIN_SECONDS, ASK_AGAIN_SECONDS, Posting
from netplay.errors import Code, PeerError
from netplay.faults import Faults
from netplay.home import Home
from netplay.journal import silent
from netplay.messages.letters import (
    AskLeft,
    LeaveLetter,
    LetterKept,
    LetterReceipt,
    LettersFrom,
    NothingLeft,
    SaidLeft,
)
from netplay.record import letter
from netplay.record.log import SecretKey
from netplay.table.letters import Owed, Written
from tests.netplay.memory import SECRETS

ME, *OTHERS = SECRETS[:7]
READERS, KEEPERS = OTHERS[:2], OTHERS  # who reads may keep letters, too
ANY_MATCH = {one.key for one in KEEPERS[:4]}
"""Who keeps letters of any match; the others those of who sits with them."""


class Tables:
    """What is owed, as a table would say it."""

    signer = ME
    counted = staticmethod(lambda: 1_700_000_000)

    def __init__(self) -> None:
        self.letters = self
        self.what: dict[tuple[bytes, bytes], Owed] = {}
        self.parts: dict[bytes, int] = {}
        self.here = list[LetterReceipt]()
        self.told = list[tuple[bytes, str]]()
        self.gone, self.liars = list[LetterReceipt](), list[str]()
        self.late = False
        """Somebody seems to be late, whose letter a keeper may have."""

    def authors(self, *, friends: bool) -> tuple[bytes, ...]:
        return (READERS[0].key,) if friends else (READERS[1].key,)

    def keep_with(self, keys: Iterator[bytes]) -> None:
        self.relied = set(keys)

    def sit_together(self, *keys: bytes) -> bool:
        return KEEPERS[-1].key in keys

    def receipts(self, keeper: bytes) -> Iterator[LetterReceipt]:
        return (one for one in self.here if one.keeper == keeper)

    def questions(self, _keeper: bytes) -> Iterator[AskLeft]:
        if self.late:
            yield AskLeft(READERS[0].key, ME.key, bytes(16), 0)

    def owed(self) -> Iterator[Owed]:
        return iter(self.what.values())

    def write(self, owed: Owed, _now: float) -> Written:
        count, digest = self.parts[owed.mark], hashlib.sha256(owed.mark).digest()
        texts = (b"%d %d of " % (n, owed.lines) + owed.mark for n in range(count))
        place = 1_700_000_000_000, owed.mark, digest[:16], owed.lines
        return Written(owed.match, owed.to, *place, tuple(texts))

    def kept(self, written: Written, by: str, receipt: LetterReceipt) -> None:
        self.told.append((written.mark, by))
        self.here.append(receipt)

    def lost(self, receipt: LetterReceipt) -> None:
        self.here.remove(receipt)
        self.gone.append(receipt)

    def keep_nothing(self, _word: NothingLeft) -> None:
        """Leave it."""

    def tell_of_liar(self, keeper: str, _reader: bytes) -> None:
        self.liars.append(keeper)


class Keepers:
    """Who is there, and what each was sent."""

    def __init__(self) -> None:
        self.there = dict[bytes, bool]()
        self.sent = list[tuple[bytes, Any]]()

    def keepers(self) -> dict[bytes, bool]:
        return self.there

    def is_chosen(self, key: bytes) -> bool:
        return key in ANY_MATCH

    def name(self, key: bytes) -> str:
        return f"keeper {[one.key for one in KEEPERS].index(key)}"

    def send(self, key: bytes, message: Any) -> None:
        self.sent.append((key, message))


class Author:
    """Says what is owed and waits for answers: what `Posting` is to do at each time."""

    def __init__(self, path: Path) -> None:
        self.home = Home(path)
        self.home.prepare()
        self.tables, self.marks = Tables(), 0
        self.liars = list[bytes]()
        self.start()

    def start(self) -> None:
        self.around = Keepers()
        parts: Any = SimpleNamespace(
            tables=self.tables, journal=silent, home=self.home, faults=Faults(),
            on_letter={},
        )  # fmt: skip
        around: Any = self.around
        self.posting = Posting(parts, around)
        self.since = dict[tuple[bytes, bytes], tuple[bytes, float]]()
        self.tried = dict[tuple[bytes, bytes], tuple[bytes, int, float]]()
        self.queues = dict[bytes, list[tuple[Written, int]]]()
        """Keeper -> letters that it has not answered, and the parts it has kept."""
        self.asked = dict[bytes, list[Any]]()
        self.next = dict[bytes, float]()
        self.wanted = list[tuple[bytes, Any]]()

    def comes(self, keeper: SecretKey) -> None:
        self.around.there[keeper.key] = keeper.key in ANY_MATCH
        self.tried.clear()
        self.posting.look()
        self.wish()

    def goes(self, key: bytes) -> None:
        del self.around.there[key]
        for kept in (self.queues, self.asked, self.next):
            kept.pop(key, None)
        self.posting.peer_down(key)

    def wish(self) -> None:
        """Each is told of whom letters are taken, and asked what it has, once."""
        now = trio.current_time()
        for key, chosen in self.around.there.items():
            if key not in self.asked:
                authors = self.tables.authors(friends=chosen)
                self.wanted.append((key, LettersFrom(authors)))
                self.asked[key] = list(self.tables.receipts(key))
                for one in self.asked[key]:
                    ask = AskLeft(one.author, one.to, one.box, one.at)
                    self.wanted.append((key, ask))
            if self.tables.late and now >= self.next.get(key, now):
                self.next[key] = now + ASK_AGAIN_SECONDS
                for ask in self.tables.questions(key):
                    self.asked[key].append(ask)
                    self.wanted.append((key, ask))

    def leave(self, *, hurry: bool) -> None:
        """What has been owed for long enough goes to the first honest keepers."""
        now, before, self.since = trio.current_time(), self.since, {}
        self.posting.wish()
        self.posting.leave(hurry=hurry)
        self.wish()
        for name, owed in self.tables.what.items():
            old = before.get(name)
            fresh = old is None or old[0] != owed.mark
            since = now if fresh or old is None else old[1]
            self.since[name] = owed.mark, since
            mark, lines, at = self.tried.get(name, (b"", 0, 0.0))
            pause = AGAIN_SECONDS if lines == owed.lines else limits.LETTER_CHAT_SECONDS
            waits = mark == owed.mark and now < at + pause
            waits &= not hurry or lines == owed.lines
            may = [
                key
                for key, any_match in self.around.there.items()
                if key != owed.to and (any_match or KEEPERS[-1].key in {key, owed.to})
            ]
            may = [k for k in may if k not in self.liars] + [
                k for k in may if k in self.liars
            ]
            if waits or not may or not (hurry or now - since >= owed.patience):
                continue
            self.tried[name] = owed.mark, owed.lines, now
            for key in may[: limits.CARRIERS]:
                waiting = self.queues.setdefault(key, [])
                waiting.append((self.tables.write(owed, now), 0))
                if len(waiting) == 1:
                    self.next_part(key)

    def next_part(self, key: bytes) -> None:
        written, part = self.queues[key][0]
        place = written.to, written.box, part, written.parts[part]
        self.wanted.append((key, LeaveLetter(*place, written.days, written.about)))

    def answers(self, keeper: SecretKey, how: str) -> None:
        """A keeper says what has become of the letter that it was left."""
        key = keeper.key
        if not self.queues.get(key):
            with pytest.raises(PeerError):
                self.says(keeper, bytes(32), 0, ())
            return
        written, part = self.queues[key][0]
        digest = hashlib.sha256(written.parts[part]).digest()
        place = ME.key, written.to, written.box, written.about
        bare = LetterReceipt(b"", *place, digest, 5, 5, 9, bytes(64))
        receipt = letter.signed_receipt(keeper, bare)
        told = list(self.tables.told)
        if how == "wrong":
            other = letter.signed_receipt(
                OTHERS[0] if key != OTHERS[0].key else ME, bare
            )
            for found in ((digest, 0, ()), (digest, 0, (other,)), (bytes(32), 0, ())):
                with pytest.raises(PeerError):
                    self.says(keeper, *found)
            self.goes(key)  # it has broken the protocol
        elif how == "refuse":
            self.says(keeper, digest, Code.BUSY.number, ())
            self.queues[key].pop(0)
        else:
            self.says(keeper, digest, 0, (receipt,))
            self.queues[key][0] = written, part + 1
            if part + 1 == len(written.parts):
                self.queues[key].pop(0)
                if key not in self.liars:
                    told.append((written.mark, self.around.name(key)))
        assert self.tables.told == told, "of what it is said that somebody keeps it"
        if key in self.queues:
            if self.queues[key]:
                self.next_part(key)
            else:
                del self.queues[key]

    def says(
        self, keeper: SecretKey, digest: bytes, code: int, receipts: tuple[Any, ...]
    ) -> None:
        said = LetterKept(digest, code, "", receipts)
        self.posting.receive(keeper.key, said, trio.current_time())

    def shows(self, keeper: SecretKey, how: str) -> None:
        """A keeper that was asked says whether it has the letter still."""
        key, now = keeper.key, trio.current_time()
        if not self.asked.get(key):
            with pytest.raises(PeerError):
                self.posting.receive(key, SaidLeft(bytes(16), (), ()), now)
            return
        one = self.asked[key].pop(0)
        since = 0 if how == "lie" else 6  # behind the receipt: it has lost its disk
        bare = NothingLeft(b"", one.author, one.to, one.box, since, 9, bytes(64))
        nothing = (letter.signed_nothing(keeper, bare),) if how != "shown" else ()
        if how != "shown" and isinstance(one, LetterReceipt):
            self.tried.clear()
            if how == "lie" and key not in self.liars:
                self.liars.append(key)
        self.posting.receive(key, SaidLeft(one.box, (), nothing), now)
        lost = how != "shown" and one in self.tables.gone
        assert lost is (how != "shown" and isinstance(one, LetterReceipt))

    def compare(self) -> None:
        assert self.around.sent == self.wanted
        self.around.sent.clear()
        self.wanted.clear()
        names = [self.around.name(key) for key in self.liars]
        assert self.tables.liars == names
        kept = self.home.setting("liars").split()
        assert kept == [key.hex() for key in self.liars]

    def owes(self, number: int, *, news: bool) -> None:
        """Say something new to somebody about one of three matches."""
        name = bytes((number % 3,)) * 32, READERS[number % 2].key
        self.marks += 1
        mark = self.marks.to_bytes(32, "big")
        self.tables.parts[mark] = 1 + number % 2
        self.tables.what[name] = Owed(*name, mark, news, number % 2)

    def chats(self, number: int) -> None:
        """Say a line more with what is owed."""
        for name in list(self.tables.what)[number % 3 :][:1]:
            owed = self.tables.what[name]
            more = Owed(*name, owed.mark, owed.news, owed.lines + 1)
            self.tables.what[name] = more


ANSWERS, SHOWS = ("keep", "refuse", "wrong"), ("shown", "lie", "lost")
SAYS = (*ANSWERS, *SHOWS)
ACTS = st.tuples(
    st.sampled_from(
        (
            "owe", "owe", "chat", "done", "come", "come", "go", "look", "hurry",
            "wait", "wait", "wait", "keep", "keep", "refuse", "wrong", "late",
            "shown", "lie", "lost", "start",
        )
    ),
    st.integers(0, 5) | st.integers(0, 700),
)  # fmt: skip
LEFT = [("come", 2), ("owe", 0), ("wait", 0), ("wait", 3)]
KEPT = [*LEFT, ("keep", 0)]
BACK = [("go", 2), ("come", 2)]
LIED = [*KEPT, *BACK, ("lie", 0), ("come", 3), ("owe", 0), ("wait", 0), ("wait", 3)]


@given(acts=st.lists(ACTS, max_size=50))
@example(acts=[*LEFT, *BACK, ("wait", 1), ("keep", 0), ("wait", 600)])
@example(acts=[*LIED, ("keep", 0), ("keep", 0), ("go", 3), ("come", 3), ("lie", 1)])
@example(acts=[*LIED, ("start", 0), ("come", 4), *LEFT, ("come", 3), ("wait", 700)])
@example(acts=[("late", 0), *BACK[1:], *BACK, ("wait", 60), ("wait", 60)])
@example(acts=[*(("come", n) for n in range(6)), *LEFT[1:], ("owe", 1), ("wait", 9)])
@example(acts=[*LEFT, ("owe", 2), ("owe", 3), ("hurry", 0), *[("keep", 0)] * 9])
@example(acts=[*LEFT[:1], ("owe", 3), ("hurry", 0), ("keep", 0), ("refuse", 0)])
@example(acts=[*LEFT[:1], ("owe", 3), ("hurry", 0), ("refuse", 0), ("keep", 0)])
@example(acts=[*KEPT, ("chat", 0), ("wait", 29), ("wait", 2), ("keep", 0), ("chat", 0)])
def test_whatever_keepers_do_each_letter_is_left_once_with_those_who_may_have_it(
    acts: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def main() -> None:
        author = Author(tmp_path_factory.mktemp("author"))
        for what, number in acts:
            asked = author.queues if what in ANSWERS else author.asked
            wait = [one for one in KEEPERS if asked.get(one.key) and what in SAYS]
            keepers = wait or KEEPERS
            keeper = keepers[number % len(keepers)]
            there = keeper.key in author.around.there
            match what:
                case "owe":
                    author.owes(number, news=number % 4 < 3)
                case "chat":
                    author.chats(number)
                case "done" if author.tables.what:
                    del author.tables.what[next(iter(author.tables.what))]
                case "come" if not there:
                    author.comes(keeper)
                case "go" if there:
                    author.goes(keeper.key)
                case "look":
                    author.tried.clear()
                    author.posting.look()
                    author.wish()
                case "wait" | "hurry":
                    clock.jump(number)
                    author.leave(hurry=what == "hurry")
                case _ if what in ANSWERS and there:
                    author.answers(keeper, what)
                case _ if what in SHOWS and there:
                    author.shows(keeper, what)
                case "late":
                    author.tables.late = not author.tables.late
                case "start":
                    author.start()
                case _:
                    pass
            author.compare()

    clock = trio.testing.MockClock()
    trio.run(main, clock=clock)

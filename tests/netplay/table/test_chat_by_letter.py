"""Chat that goes by letter between two who are never awake together."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.limits import CHAT_KEPT, CHAT_SECONDS, LETTER_CHAT_BYTES
from netplay.messages.door import Answer, Done, Line, Play, Say, StartMatch
from netplay.messages.log import Have
from netplay.messages.table import Chat, Heard
from netplay.messages.table_questions import Mute
from netplay.messages.types import CHAT_CHARACTERS, LETTER_PARTS
from netplay.record import letter
from netplay.table import letters as tables_letters
from netplay.table.chat import chat_data, size_of
from netplay.table.letters import Owed, Written
from netplay.wire import encode
from tests.netplay.joined_nodes import SMALL, Net, receipt_of, table
from tests.netplay.party import Key
from tests.netplay.table.test_away import asleep, awake, begun, move, on_turn

KEEPER = "Carla"


def owed(net: Net, author: str) -> list[Owed]:
    return list(net[author].tables.letters.owed())


def write(net: Net, author: str, *, kept: bool = True) -> list[Written]:
    """Return the letters that an author owes; somebody keeps them."""
    letters = net[author].tables.letters
    found = [letters.write(one, net.now) for one in owed(net, author)]
    written = [one for one in found if one is not None]
    for one in written if kept else ():
        letters.kept(one, KEEPER, receipt_of(one))
    net.settle()
    return written


def take(net: Net, reader: str, *written: Written) -> None:
    """Hand letters over to whom they are for."""
    for one in written:
        assert one.to == net[reader].key
        for part in one.parts:
            net[reader].tables.letters.on_letter(part, net.now)
    net.settle()


def post(net: Net, author: str, reader: str) -> None:
    """Have an author's letters written, kept and read."""
    take(net, reader, *write(net, author))


def says(net: Net, name: str, *texts: str) -> None:
    for text in texts:
        net.now += CHAT_SECONDS
        net.done(name, Say(text))
    net.settle()


def shown(net: Net, name: str) -> list[str]:
    return net[name].lines("chat")


def apart(net: Net) -> None:
    """Have Ann and Bob play, and never meet again."""
    begun(net, "bob")
    asleep(net, "ann", "bob")


# What players see.


def test_lines_said_to_a_sleeper_come_once_in_order_and_are_known_to_have(
    net: Net,
) -> None:
    apart(net)
    says(net, "ann", "one", "two")
    assert net.status("ann").made.lines == 0

    written = write(net, "ann")
    assert net.status("ann").made.lines == 0
    assert net.status("ann").made.lines_kept == ((KEEPER, 2),)
    take(net, "bob", *written, *written)

    assert shown(net, "bob") == ["one", "two"]
    assert net.status("ann").made.lines == 0, "nobody has said so yet"
    post(net, "bob", "ann")
    assert net.status("ann").made.lines == 2
    assert net.status("ann").made.lines_kept == ()
    assert not owed(net, "ann")
    assert not owed(net, "bob")


def test_what_was_heard_before_the_match_is_not_undelivered_in_it(net: Net) -> None:
    net.done("bob", Answer(on=True))
    net.done("ann", table("hexagrams", "person", "remote:bob"))
    net.settle()
    says(net, "ann", "welcome")
    net.done("ann", StartMatch())
    assert net.status("ann").made.lines == 1
    asleep(net, "ann", "bob")
    assert [one.lines for one in owed(net, "ann")] == [0]


def test_what_was_said_is_left_once_and_again_after_a_restart_only_if_it_was_not(
    net: Net,
) -> None:
    apart(net)
    says(net, "ann", "one")
    write(net, "ann", kept=False)
    net["ann"].restart(net.now)
    assert [one.lines for one in owed(net, "ann")] == [1]
    written = write(net, "ann")
    net["ann"].restart(net.now)
    assert not owed(net, "ann")
    net["bob"].restart(net.now)
    take(net, "bob", *written)
    net["bob"].restart(net.now)
    assert [line.text for line in net["bob"].chat.talk.came()] == ["one"]
    post(net, "bob", "ann")
    net["ann"].restart(net.now)
    assert net.status("ann").made.lines == 1


def test_an_answer_says_what_came_and_what_is_answered(net: Net) -> None:
    apart(net)
    says(net, "ann", "well?")
    post(net, "ann", "bob")
    says(net, "bob", "fine", "you?")
    post(net, "bob", "ann")
    assert shown(net, "ann") == ["well?", "fine", "you?"]
    assert net.status("ann").made.lines == 1
    post(net, "ann", "bob")
    assert net.status("bob").made.lines == 2
    assert not owed(net, "ann")
    assert not owed(net, "bob")


def test_a_move_and_what_is_said_with_it_go_in_one_letter(net: Net) -> None:
    apart(net)
    name, seat = on_turn(net)
    other = "bob" if name == "ann" else "ann"
    net.done(name, Play(seat, move(net, name), 10_000))
    says(net, name, "yours")
    [written] = write(net, name)
    take(net, other, written)
    match = net[other].match
    assert match.fold.moves == 1
    assert shown(net, other)[-1:] == ["yours"]


def test_chat_alone_is_no_reason_to_play_on_without_a_link(net: Net) -> None:
    apart(net)
    match = net["ann"].match
    says(net, "ann", "where are you?")
    [one] = owed(net, "ann")
    assert not one.news
    write(net, "ann")
    assert not match.by_mail


def test_lines_that_were_heard_over_a_link_go_by_no_letter(net: Net) -> None:
    begun(net, "bob")
    says(net, "ann", "one", "two")
    says(net, "bob", "three")
    asleep(net, "ann", "bob")
    assert not owed(net, "ann")
    assert not owed(net, "bob")
    says(net, "ann", "four")
    [written] = write(net, "ann")
    awake(net)
    before = shown(net, "bob")
    assert before == ["one", "two", "three", "four"]
    take(net, "bob", written)  # it was under way all the time
    assert shown(net, "bob") == before


def test_a_line_that_came_by_letter_is_passed_on_to_who_has_no_link_to_its_author(
    net: Net,
) -> None:
    begun(net, "bob", "cyd")
    asleep(net, "ann")
    says(net, "ann", "hello")
    to_bob = [one for one in write(net, "ann") if one.to == net["bob"].key]
    take(net, "bob", *to_bob)
    assert shown(net, "bob") == shown(net, "cyd") == ["hello"]
    awake(net)
    assert shown(net, "cyd") == ["hello"]
    assert net.status("ann").made.lines == 1


def test_much_chat_goes_bit_by_bit_the_oldest_lines_first(net: Net) -> None:
    apart(net)
    said = [f"{number} ".ljust(CHAT_CHARACTERS, "я") for number in range(250)]
    says(net, "ann", *said)
    assert len(said) * size_of(net["ann"].chat.talk.own(0, 10_000)[0]) > (
        2 * LETTER_CHAT_BYTES
    )
    trips = 0
    while owed(net, "ann"):
        [written] = write(net, "ann")
        assert sum(map(len, written.parts)) < LETTER_CHAT_BYTES + 10_000
        assert not owed(net, "ann"), "the rest waits for the answer"
        take(net, "bob", written)
        post(net, "bob", "ann")
        trips += 1
    assert shown(net, "bob") == said
    assert trips > 2
    assert net.status("ann").made.lines == len(said)


def test_where_the_match_fills_the_letters_chat_waits(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart(net)
    says(net, "ann", *["x" * CHAT_CHARACTERS] * 150)
    monkeypatch.setattr(tables_letters, "LETTER_PARTS", 1)
    [written] = write(net, "ann")
    assert written.lines == 0
    assert len(written.parts) == 1
    assert [one.lines for one in owed(net, "ann")] == [150]
    monkeypatch.setattr(tables_letters, "LETTER_PARTS", LETTER_PARTS)
    post(net, "ann", "bob")
    assert len(shown(net, "bob")) == 150


def test_who_is_blocked_gets_no_letter_and_is_not_read(net: Net) -> None:
    apart(net)
    says(net, "bob", "let me in")
    written = write(net, "bob")
    ann, bob = net["ann"], net["bob"]
    ann.known.blocked.add(bob.key, "bob")
    ann.tables.block(bob.key)
    says(net, "ann", "never")
    assert not owed(net, "ann")
    take(net, "ann", *written)
    assert shown(net, "ann") == ["never"]
    assert ann.chat.talk.said_here() == len(list(ann.chat.talk.said()))


def test_who_is_muted_is_shown_and_not_told_of(net: Net) -> None:
    begun(net, "bob")
    net.done("ann", Mute(on=True, whom="bob"))
    asleep(net, "ann", "bob")
    net["ann"].tables.take_news()
    says(net, "bob", "psst")
    post(net, "bob", "ann")
    lines = [p.message for p in net["ann"].pushes if isinstance(p.message, Line)]
    assert [(line.text, line.muted) for line in lines] == [("psst", True)]
    assert not net["ann"].tables.take_news().summons


def test_who_is_not_muted_is_told_of(net: Net) -> None:
    apart(net)
    net["ann"].tables.take_news()
    says(net, "bob", "psst")
    post(net, "bob", "ann")
    [summons] = net["ann"].tables.take_news().summons
    assert (summons.reason, summons.who) == ("chat", ("bob",))


# A hostile author.


def forged(net: Net, number: int, *messages: Any) -> bytes:
    """Return a letter of Bob's to Ann that says what it likes."""
    bob, match = net["bob"], net["ann"].match
    assert match is not None
    frames = b"".join(map(encode, messages))
    once = number.to_bytes(32, "big")
    to = net["ann"].key
    return letter.written(bob.signer, match.match, to, number, frames, once)


def line(net: Net, number: int, text: str, signer: Key | None = None) -> Chat:
    """Return a line of chat, well signed."""
    signer = signer or net["bob"].signer
    nonce = net["ann"].chat.nonce
    data = chat_data(nonce, number, text)
    return Chat(nonce, signer.key, number, text, signer.sign(data))


def of_another_table(net: Net) -> Chat:
    nonce, bob = bytes(32), net["bob"].signer
    data = chat_data(nonce, 1, "psst")
    return Chat(nonce, bob.key, 1, "psst", bob.sign(data))


def of_a_stranger(net: Net) -> Chat:
    return line(net, 0, "psst", Key("eve"))


def in_anothers_name(net: Net) -> Chat:
    return replace(line(net, 0, "I give up"), author=net["ann"].key)


def changed(net: Net) -> Chat:
    return replace(line(net, 1, "yes"), text="no")


def too_long(net: Net) -> Chat:
    return line(net, 1, "x" * (CHAT_CHARACTERS + 1))


def of_another_match(net: Net) -> Have:
    del net
    return Have(bytes(32), 0, 0, bytes(32))


WRONG: list[Callable[[Net], Any]] = [
    of_another_table,
    of_a_stranger,
    in_anothers_name,
    changed,
    too_long,
    of_another_match,
]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_comes_before_something_wrong_stands_and_nothing_behind_it(
    net: Net, wrong: Callable[[Net], Any]
) -> None:
    apart(net)
    good, later = line(net, 0, "good"), line(net, 1, "later")
    ann = net["ann"]
    ann.tables.letters.on_letter(forged(net, 1, good, wrong(net), later), net.now)
    net.settle()
    assert shown(net, "ann") == ["good"]
    assert [str(one) for one in ann.lines("system") if "letter" in str(one)]
    ann.tables.letters.on_letter(forged(net, 2, later), net.now)
    net.settle()
    assert shown(net, "ann") == ["good", "later"]


def test_a_line_that_is_said_again_or_too_early_is_not_taken(net: Net) -> None:
    apart(net)
    lines = [line(net, number, f"{number}") for number in range(4)]
    ann = net["ann"]
    first = forged(net, 1, lines[0], lines[0], lines[2])
    for sealed in (first, first, forged(net, 2, *lines), forged(net, 3, *lines)):
        ann.tables.letters.on_letter(sealed, net.now)
    net.settle()
    assert shown(net, "ann") == ["0", "1", "2", "3"]
    other = forged(net, 4, replace(lines[3], text="5"))
    ann.tables.letters.on_letter(other, net.now)
    net.settle()
    assert len(shown(net, "ann")) == 4


def test_of_ten_thousand_lines_no_more_are_kept_than_over_a_link(net: Net) -> None:
    apart(net)
    ann, match = net["ann"], net["ann"].match
    assert match is not None
    for start in range(0, 10_000, 250):
        lines = [line(net, n, "x") for n in range(start, start + 250)]
        ann.tables.letters.on_letter(forged(net, start + 1, *lines), net.now)
    net.settle()
    assert len(shown(net, "ann")) == 2 * CHAT_KEPT
    assert len(match.hidden.chat) == 2 * CHAT_KEPT
    assert len(owed(net, "ann")) == 1, "one answer to all of it"


def test_nobody_is_believed_by_letter_to_have_what_was_never_said(net: Net) -> None:
    apart(net)
    says(net, "ann", "one")
    ann = net["ann"]
    lie = Heard(ann.chat.nonce, ((ann.key, 2**40), (bytes(32), 3)), asks=True)
    ann.tables.letters.on_letter(forged(net, 1, lie), net.now)
    net.settle()
    assert net.status("ann").made.lines == 1
    says(net, "ann", "two")
    assert net.status("ann").made.lines == 1
    assert [one.lines for one in owed(net, "ann")] == [2]


# A disk that refuses.


def test_a_full_disk_takes_no_chat_and_the_letter_is_good_when_there_is_room(
    net: Net,
) -> None:
    apart(net)
    says(net, "ann", "one", "two")
    written = write(net, "ann")
    bob = net["bob"]
    assert bob.table.match is not None
    bob.match.journal.failed = LocalError(Code.DISK, "full")
    with pytest.raises(LocalError) as caught:
        take(net, "bob", *written)
    assert caught.value.code is Code.DISK
    net.settle()
    bob.pushes.clear()
    bob.restart(net.now)
    take(net, "bob", *written)
    assert [line.text for line in bob.chat.talk.came()] == ["one", "two"]
    post(net, "bob", "ann")
    assert net.status("ann").made.lines == 2


def test_nothing_is_left_that_the_authors_own_disk_refuses(net: Net) -> None:
    apart(net)
    says(net, "ann", "one")
    ann = net["ann"]
    assert ann.table.match is not None
    [one] = owed(net, "ann")
    ann.match.journal.failed = LocalError(Code.DISK, "full")
    with pytest.raises(LocalError):
        ann.tables.letters.write(one, net.now)
    ann.restart(net.now)
    post(net, "ann", "bob")
    assert shown(net, "bob") == ["one"]


# Whatever happens.


class Penfriends:
    """Two who talk by letters that may be lost, late, or come when they are linked."""

    def __init__(self, seed: int) -> None:
        self.net = Net("ann", "bob")
        self.rng = Random(seed)
        self.said: dict[str, list[str]] = {"ann": [], "bob": []}
        self.under_way: list[tuple[str, Written]] = []
        self.net.done("bob", Answer(on=True))
        self.net.done("ann", table("numlo", "person", "remote:bob", options=SMALL))
        self.net.settle()
        self.net.done("ann", StartMatch())
        self.net.settle()
        asleep(self.net, "ann", "bob")

    def say(self) -> None:
        name = self.rng.choice(("ann", "bob"))
        self.net.now += CHAT_SECONDS
        text = f"{name} {len(self.said[name])}"
        assert isinstance(self.net.ask(name, Say(text)), Done)
        self.said[name].append(text)
        self.net.settle()

    def write(self) -> None:
        name = self.rng.choice(("ann", "bob"))
        other = "bob" if name == "ann" else "ann"
        kept = self.rng.random() < 0.7
        written = write(self.net, name, kept=kept)
        self.under_way += [(other, one) for one in written]

    def read(self) -> None:
        if self.under_way:
            at = self.rng.randrange(len(self.under_way))
            reader, written = self.under_way[at]
            if self.rng.random() < 0.7:  # else it may come once more
                del self.under_way[at]
            take(self.net, reader, written)
        self.check()

    def restart(self) -> None:
        name = self.rng.choice(("ann", "bob"))
        self.net.isolate(name)
        self.net[name].restart(self.net.now)
        self.net.settle()

    def meet(self) -> None:
        awake(self.net)
        asleep(self.net, "ann", "bob")
        self.check()

    def heard(self, name: str, author: str) -> list[str]:
        talk, key = self.net[name].chat.talk, self.net[author].key
        return [line.text for line in talk.said() if line.author == key]

    def check(self) -> None:
        for author, other in (("ann", "bob"), ("bob", "ann")):
            there = self.heard(other, author)
            assert there == self.said[author][: len(there)]
            assert self.net.status(author).made.lines <= len(there)


@settings(max_examples=25, deadline=None)
@given(
    steps=st.lists(
        st.sampled_from(["say", "say", "write", "read", "read", "restart", "meet"]),
        max_size=25,
    ),
    seed=st.integers(0, 10_000),
)
def test_chat_by_letter_and_by_link_comes_once_in_order_and_is_known_to_have_come(
    steps: list[str], seed: int
) -> None:
    two = Penfriends(seed)
    for step in steps:
        getattr(two, step)()
    for _ in range(2):
        for author, reader in (("ann", "bob"), ("bob", "ann")):
            two.net[author].unix += 8 * 24 * 3600  # what was kept and lost has lapsed
            post(two.net, author, reader)
    two.check()
    for author, other in (("ann", "bob"), ("bob", "ann")):
        assert two.heard(other, author) == two.said[author]
        assert two.net.status(author).made.lines == len(two.said[author])
        assert not owed(two.net, other)
    two.net.close()

"""Bystanders who pass a match on: a crowd, cuts, liars, and who is sent away."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netplay.errors import Code
from netplay.limits import (
    BEAT_SECONDS,
    BELOW_LOST_SECONDS,
    DIRECT,
    LEVELS,
    SILENT_SECONDS,
    TICKET_SECONDS,
)
from netplay.limits import SILENT_SPREAD_SECONDS as SPREAD
from netplay.messages.door import LeaveTable
from netplay.messages.log import Entries, Have
from netplay.messages.table import (
    OUT,
    PASSED_TO,
    Beat,
    Bystanders,
    Decline,
    Passed,
    Ticket,
)
from netplay.messages.table_questions import AnswerWatcher, LetWatch, WatchAt
from netplay.record.chance import number_bytes, tag
from netplay.sentences import Says
from netplay.table.passing import FAILED
from tests.netplay.table.crowd import Crowd, level
from tests.netplay.table.test_guests_away import Lent
from tests.said import says

THIN = 64_000
"""Bits a second: ISDN, or the edge of a mobile network."""


def crowd(count: int, *, come: bool = True, who: str = "anybody") -> Crowd:
    """Return a match of ann's and bob's at which so many look on; w004 and on below."""
    names = [f"w{n:03}" for n in range(count)]
    made = Crowd("ann", "bob", *names, rates={"ann": THIN}, rate=1_000_000)
    made.begin(who=who)
    if come:
        made.come(names, 1.0)
        made.run(10)
    return made


def onlookers(made: Crowd) -> list[str]:
    return [name for name in made.nodes if name.startswith("w")]


def behind(made: Crowd) -> list[str]:
    """Return who looks on and has not all that ann has."""
    there = [name for name in onlookers(made) if name not in made.down]
    return [n for n in there if made.entries(n) != made.entries("ann")]


def at_ticket(made: Crowd, name: str) -> Any:
    """Return the ticket by which somebody watches, None at a player's."""
    table: Any = made[name].table
    return table.at.ticket


def parent(made: Crowd, name: str) -> str:
    ticket = at_ticket(made, name)
    return "ann" if ticket is None else made.by_key[ticket.parent]


def children(made: Crowd, name: str) -> list[str]:
    there = made.watching(onlookers(made))
    return [one for one in there if parent(made, one) == name]


def test_two_hundred_look_on_behind_a_thin_line() -> None:
    made = crowd(0)
    made.close()
    names = [f"w{n:03}" for n in range(200)]
    made = Crowd("ann", "bob", *names, rates={"ann": THIN}, rate=1_000_000)
    made.begin()
    made.come(names, 0.7)
    made.run(60)
    assert made.watching(names) == names
    levels = [level(made, name) for name in names]
    assert levels.count(0) <= DIRECT + 1
    assert max(levels) <= LEVELS
    assert max(len(children(made, name)) for name in names) <= PASSED_TO
    assert not any(node.errors for node in made.nodes.values())
    rng, late, sent = Random(1), list[float](), list[int]()
    for _ in range(5):
        made.come_at.clear()
        before, since = made.bytes["ann"], made.now
        whole = made.move(rng)
        made.run(BEAT_SECONDS - 0.5)
        sent.append(made.bytes["ann"] - before)
        arrived = {n: made.come_at[n, whole] - since for n in [*names, "bob"]}
        direct = max(arrived[name] for name in names if parent(made, name) == "ann")
        late.append(max(arrived.values()) - direct)
        assert max(arrived.values()) < 2
    print("host, bytes a move in 4 s:", sent, "later than at the host:", late)
    assert max(late) < 2
    assert max(sent) < THIN / 8 * BEAT_SECONDS / 2  # half of the line is free
    # Nobody's window lists two hundred names.
    for name in ("ann", "bob"):
        shown = made.status(name)
        assert shown.watched == 200
        assert len(shown.watchers) == 13
        assert str(shown.watchers[-1]) == "188 more"
    made.close()


def test_below_one_sees_what_is_seen_at_a_player_and_the_match_proves_itself() -> None:
    made = crowd(12)
    assert {level(made, name) for name in onlookers(made)} == {0, 1}
    rng = Random(3)
    for _ in range(200):
        made.move(rng)
        made.run(1)
        if made["ann"].match.fold.over:
            break
    made.run(60)
    logs = {name: made[name].match for name in made.nodes}
    assert all(match.audit() == "ok" for match in logs.values())
    assert len({match.ledger.raws(0) for match in logs.values()}) == 1
    got = {type(message) for message in made["w011"].got}
    assert got <= {Entries, Bystanders, Ticket, Beat, Passed, Have, Decline}
    made.close()


def test_when_a_parent_dies_those_below_come_elsewhere_without_a_gap() -> None:
    made = crowd(30)
    rng = Random(1)
    dead = max(onlookers(made), key=lambda name: len(children(made, name)))
    orphans = children(made, dead)
    assert len(orphans) == PASSED_TO
    made.move(rng)
    made.kill(dead)
    for _ in range(3):
        made.move(rng)
        made.run(2)
    assert not behind(made)
    assert all(parent(made, name) != dead for name in orphans)
    assert made.status("bob").watched == 29
    made.close()


def test_when_the_host_is_cut_off_all_come_back_but_not_at_once() -> None:
    made = crowd(30)
    at_host = [*made.since["ann"]]
    for name in at_host:
        made.part("ann", name)
    made.run(12)
    made.apart.clear()
    made.everybody()
    made.run(SILENT_SECONDS + SPREAD + 20)
    rng = Random(2)
    for _ in range(3):
        made.move(rng)
        made.run(3)
    made.run(30)
    assert not behind(made)
    made.close()


@pytest.mark.parametrize("kinds", [(Entries,), (Entries, Beat)])
def test_who_keeps_entries_back_loses_those_below(kinds: tuple[type, ...]) -> None:
    made = crowd(20)
    liar = parent(made, "w010")

    def withheld(a: str, b: str, message: Any) -> Any:
        kept = a == liar and b.startswith("w") and isinstance(message, kinds)
        return None if kept else message

    made.altered = withheld
    made.move(Random(1))
    made.run(SILENT_SECONDS + SPREAD + 30)
    assert children(made, liar) == []
    assert not behind(made)
    made.close()


def test_who_kept_entries_back_is_sent_nobody_new_while_others_have_room() -> None:
    made = crowd(34, come=False)
    names = onlookers(made)
    made.come(names[:30], 1.0)
    made.run(10)
    liar = max(names, key=lambda name: len(children(made, name)))
    assert len(children(made, liar)) >= FAILED

    def withheld(a: str, b: str, message: Any) -> Any:
        kept = a == liar and b.startswith("w") and isinstance(message, Entries)
        return None if kept else message

    made.altered = withheld
    made.move(Random(1))
    made.run(SILENT_SECONDS + SPREAD + 30)
    assert children(made, liar) == []
    made.come(names[30:], 1.0)
    made.run(5)
    for name in names[30:]:
        sent = [m for m in made[name].got if isinstance(m, Ticket)]
        assert sent
        assert made[liar].key not in {ticket.parent for ticket in sent}
    made.close()


def test_who_passes_on_what_the_host_has_not_signed_is_left() -> None:
    made = crowd(20)
    liar = parent(made, "w010")

    def forged(a: str, b: str, message: Any) -> Any:
        if a == liar and b.startswith("w") and isinstance(message, Entries):
            raws = [raw[:-1] + bytes([raw[-1] ^ 1]) for raw in message.entries]
            return Entries(message.match, tuple(raws))
        return message

    made.altered = forged
    below = children(made, liar)
    made.move(Random(1))
    made.run(60)
    assert any(made[name].errors for name in below)
    assert not behind(made)
    assert len({made[name].match.ledger.raws(0) for name in made.nodes}) == 1
    made.close()


def test_a_beat_that_the_host_has_not_signed_sends_nobody_away() -> None:
    made = crowd(20)
    liar = parent(made, "w010")

    def forged(a: str, b: str, message: Any) -> Any:
        if a == liar and b.startswith("w") and isinstance(message, Beat):
            return replace(message, over=True, number=message.number + 100)
        return message

    made.altered = forged
    made.run(90)
    made.move(Random(1))
    made.run(30)
    assert children(made, liar) == []
    assert not behind(made)
    made.close()


def say_no(made: Crowd, by: str, whom: str) -> None:
    made.done(by, AnswerWatcher(False, whom))
    made.touch(by)


@pytest.mark.parametrize("by", ["ann", "bob"])
def test_who_is_refused_is_cut_off_wherever_it_is(by: str) -> None:
    made = crowd(30)
    out = next(n for n in reversed(onlookers(made)) if level(made, n) == 1)
    before = made.entries("ann")
    say_no(made, by, out)
    made.run(10)
    made.move(Random(1))
    made.run(20)
    assert made.entries(out) == before
    assert any(says(line, Says.WATCHING_ENDED) for line in made[out].lines("error"))
    assert [name for name in behind(made) if name != out] == []
    assert made.status("bob").watched == made.status("ann").watched == 29
    made.close()


def test_who_was_refused_gets_in_nowhere_with_its_old_ticket() -> None:
    made = crowd(20)
    ticket = at_ticket(made, out := "w010")
    above = made.by_key[ticket.parent]
    say_no(made, "ann", out)
    made.run(6)
    before = len(made[out].got)
    made.dialled(out, above, None)
    made.send(out, above, replace(ticket, address=""))
    made.send(out, above, Have(ticket.match, 1, 1, bytes(32)))
    made.run(10)
    answers = [type(message) for message in made[out].got[before:]]
    assert Entries not in answers
    assert Bystanders not in answers
    made.close()


def test_all_have_to_go_when_nobody_may_watch_any_more() -> None:
    made = crowd(40)
    before = made.entries("ann")
    made.done("bob", LetWatch("nobody"))
    made.touch("bob")
    made.run(60)
    made.move(Random(1))
    made.run(20)
    assert {made.entries(name) for name in onlookers(made)} == {before}
    assert made.status("ann").watched == 0
    made.close()


def test_who_was_shown_out_with_many_gets_in_nowhere_with_its_old_ticket() -> None:
    made = crowd(30)
    below = [one for one in onlookers(made) if level(made, one)]
    near = (one for one in below if level(made, one) == 1)
    out = max(near, key=lambda one: at_ticket(made, one).until)  # it would be good yet
    refused = [one for one in below if one != out]
    ticket = at_ticket(made, out)
    above = made.by_key[ticket.parent]
    for one in (out, *refused[:OUT]):
        say_no(made, "ann", one)
    made.run(6)
    assert any(isinstance(m, Beat) and m.over for m in made[above].got)
    before = len(made[out].got)
    made.dialled(out, above, None)
    made.send(out, above, replace(ticket, address=""))
    made.send(out, above, Have(ticket.match, 1, 1, bytes(32)))
    made.run(10)
    answers = [type(message) for message in made[out].got[before:]]
    assert Entries not in answers
    assert Bystanders not in answers
    made.close()


def refusals(made: Crowd) -> list[str]:
    """Return who was told by another that looks on that it has no place there."""
    return [
        name
        for name in onlookers(made)
        for message in made[name].got
        if isinstance(message, Decline) and says(message.reason, Says.WATCH_AT_PLAYERS)
    ]


def test_who_was_forgotten_and_comes_back_is_let_in_where_it_is_sent() -> None:
    made = crowd(20)
    out = next(n for n in onlookers(made) if level(made, n) == 1)
    above, match = parent(made, out), made["ann"].match
    for here in (False, True):  # its parent had to begin anew, and says who is there
        keys = made[out].key, made[above].key
        made.send(above, "ann", Passed(match.match, *keys, here))
    made.run(3)
    assert any(isinstance(m, Beat) and made[out].key in m.out for m in made[above].got)
    assert at_ticket(made, out) is not None
    assert refusals(made) == []
    made.move(Random(1))
    made.run(2)
    assert not behind(made)
    made.close()


def test_whom_a_host_that_began_anew_does_not_know_is_sent_away() -> None:
    made = crowd(2)  # it has said no beat yet
    stranger, above = bytes([7]) * 32, made["w000"]
    match = made["ann"].match.match
    made.send("w000", "ann", Passed(match, stranger, above.key, True))
    made.run(2 * BEAT_SECONDS)
    beats = [message for message in above.got if isinstance(message, Beat)]
    assert [beat.out for beat in beats] == [(stranger,)] * len(beats)
    assert len(beats) > 1
    made.close()


def test_who_has_to_ask_again_with_all_is_let_in_where_it_is_sent() -> None:
    made = crowd(30)
    below = [one for one in onlookers(made) if level(made, one)]
    for one in below[: OUT + 1]:
        say_no(made, "ann", one)
    made.run(6)
    rest = below[OUT + 1 :]
    assert made.watching(rest) == rest
    assert refusals(made) == []
    made.move(Random(1))
    made.run(2)
    assert set(behind(made)) == {*below[: OUT + 1]}
    made.close()


def test_a_liar_sends_nobody_away_by_telling_of_many_who_are_not_there() -> None:
    made = crowd(30)
    liar = next(n for n in onlookers(made) if level(made, n) == 0)
    before = {n: at_ticket(made, n) for n in onlookers(made)}
    match, keys = made["ann"].match, [made[n].key for n in onlookers(made)]
    for n, key in enumerate(keys):
        made.send(liar, "ann", Passed(match.match, bytes([n]) * 32, key, True))
        own = Passed(match.match, bytes([n + 100]) * 32, made[liar].key, True)
        made.send(liar, "ann", own)
    made.run(3 * BEAT_SECONDS)
    assert {n: at_ticket(made, n) for n in onlookers(made)} == before
    made.close()


def test_who_came_while_the_way_up_was_broken_is_told_of_later() -> None:
    made = crowd(16, come=False)
    names = onlookers(made)
    made.come(names[:DIRECT], 1.0)
    made.run(10)
    silent = True

    def unheard(a: str, b: str, message: Any) -> Any:
        lost = silent and (a, b) == ("w000", "ann") and isinstance(message, Passed)
        return None if lost else message

    made.altered = unheard
    made.come(names[DIRECT:], 1.0)
    made.run(5)
    before = {name: at_ticket(made, name) for name in names[DIRECT:]}
    assert len(children(made, "w000")) > 1
    made.cut("ann", "w000")
    silent = False
    made.everybody()
    made.run(TICKET_SECONDS + 3 * BEAT_SECONDS)
    assert {name: at_ticket(made, name) for name in names[DIRECT:]} == before
    assert made.status("bob").watched == 16
    made.close()


def test_who_came_far_below_or_left_while_the_way_up_broke_is_told_of_later() -> None:
    made = crowd(24, come=False)
    names = onlookers(made)
    roots, late = names[:DIRECT], names[DIRECT + DIRECT * PASSED_TO :]
    made.come([name for name in names if name not in late], 1.0)
    made.run(10)
    far = next(name for name in onlookers(made) if level(made, name) == 1)
    silent = True

    def unheard(a: str, b: str, message: Any) -> Any:
        lost = silent and a in roots and b == "ann" and isinstance(message, Passed)
        return None if lost else message

    made.altered = unheard
    made.come(late, 1.0)
    made.run(5)
    assert {level(made, name) for name in late} == {2}
    made.done(far, LeaveTable())
    made.touch(far)
    made.run(2)
    before = {name: at_ticket(made, name) for name in late}
    assert made.status("ann").watched == 24
    for root in roots:
        made.cut("ann", root)
    silent = False
    made.everybody()
    made.run(TICKET_SECONDS + 3 * BEAT_SECONDS)
    assert {name: at_ticket(made, name) for name in late} == before
    assert made.status("ann").watched == made.status("bob").watched == 23
    made.close()


def test_nobody_is_let_in_whom_the_host_has_not_sent_there() -> None:
    made = crowd(12)
    stranger, above = made["w011"], made["w000"]
    usher = made["ann"].key
    match = made["ann"].match
    key, until = stranger.key, made["ann"].unix + 1000
    said = tag("ticket") + match.match + usher + above.key + key + number_bytes(until)
    bad = Ticket(
        match.match, usher, above.key, key, until, stranger.signer.sign(said), ""
    )
    real: Any = next(m for m in made["w010"].got if isinstance(m, Ticket))
    made.dialled("w011", "w000", None)
    for ticket in (replace(real, address=""), replace(real, key=key, parent=above.key)):
        made.send("w011", "w000", ticket)
        made.run(2)
        assert not isinstance(stranger.got[-1], Entries)
    made.dialled("w011", "w000", None)
    made.send("w011", "w000", bad)
    made.run(2)
    codes = {error.code for error in above.errors}
    assert codes == {Code.BAD_SIGNATURE}
    made.close()


def test_nobody_goes_where_its_usher_has_not_sent_it() -> None:
    made = crowd(8, come=False)
    made.come(onlookers(made)[:6], 1.0)
    match, victim, liar = made["ann"].match, made["w007"], made["w006"]
    assert match is not None
    liar.tables.pass_on(on=False)
    made.come(["w006", "w007"], 1.0)
    made.run(10)
    at: Any = victim.table
    real: Ticket = at.at.ticket
    above = made.by_key[real.parent]
    # Whom it watches by sends it on to another, as does one that it does not know.
    for sender in (above, "w006", "ann"):
        false = replace(real, parent=liar.key, address="198.51.100.7:9")
        made.since[sender]["w007"] = made.since["w007"][sender] = made.now
        made.links.add(frozenset((sender, "w007")))
        made.send(sender, "w007", false)
        made.run(3)
        assert at.at.ticket == real
    made.close()


def test_a_liar_can_report_nobody_as_gone_that_is_not_below_it() -> None:
    made = crowd(30)
    at_host = [n for n in onlookers(made) if level(made, n) == 0]
    liar = at_host[0]
    other = next(
        n for n in onlookers(made) if level(made, n) and parent(made, n) != liar
    )
    match = made["ann"].match
    for parent_ in (parent(made, other), liar):
        keys = made[other].key, made[parent_].key
        made.send(liar, "ann", Passed(match.match, *keys, False))
    made.run(5)
    assert made.status("ann").watched == 30
    made.close()


def test_places_that_lead_nowhere_are_tried_three_times_and_then_seldom() -> None:
    made = crowd(8)
    made.down |= {"w000", "w001", "w002", "w003", "w004", "w005", "w006"}
    before = len([m for m in made["w007"].got if isinstance(m, Ticket)])
    made.cut("w007", parent(made, "w007"))
    made.run(50)
    tickets = [m for m in made["w007"].got if isinstance(m, Ticket)]
    assert 1 <= len(tickets) - before <= 4
    made.close()


def test_without_passing_on_eight_watch_and_the_ninth_is_told_so() -> None:
    made = crowd(9, come=False)
    names = onlookers(made)
    for name in names:
        made[name].tables.pass_on(on=False)
    made.come(names, 1.0)
    assert made.watching(names) == names[:8]
    assert says(made["w008"].lines("error")[-1], Says.TOO_MANY_WATCH)
    for name in names:
        assert not any(isinstance(m, Ticket | Beat) for m in made[name].got)
    made.close()


def test_who_looks_on_at_a_player_who_is_away_is_listed_by_nobody_else() -> None:
    made = crowd(12)
    assert made.status("bob").watched == 12
    made.part("ann", "bob")
    assert made.status("bob").watched == 0
    made.apart.clear()
    made.everybody()
    made.run(10)
    assert made.status("bob").watched == 12
    made.close()


def test_who_leaves_below_is_counted_no_more_and_its_place_is_given_again() -> None:
    made = crowd(40)
    gone = next(n for n in onlookers(made) if len(children(made, n)) and level(made, n))
    below = children(made, gone)
    made.done(gone, LeaveTable())
    made.touch(gone)
    made.run(20)
    assert made.status("ann").watched == made.status("bob").watched == 39
    made.move(Random(1))
    made.run(5)
    assert [name for name in behind(made) if name != gone] == []
    assert all(parent(made, name) != gone for name in below)
    made.done(gone, WatchAt("ann"))
    made.touch(gone)
    made.run(10)
    assert made.watching([gone]) == [gone]
    made.close()


def test_who_looks_on_below_one_that_was_cut_off_for_a_moment_is_counted_on() -> None:
    made = crowd(12)
    root = next(n for n in onlookers(made) if children(made, n) and not level(made, n))
    below = children(made, root)
    for _ in range(2):  # the second time as well as the first
        made.part("ann", root)
        made.run(BEAT_SECONDS + 2)
        made.apart.clear()
        made.touch(root)
        made.run(BELOW_LOST_SECONDS + 20)
        assert made.status("ann").watched == made.status("bob").watched == 12
        assert {*made.watching(below)} == {*below}
    told = [line for name in ("ann", "bob") for line in made[name].lines("system")]
    gone = [line for line in told if says(line, Says.WATCHES_NO_LONGER)]
    assert not any(name in line for line in gone for name in below)
    made.close()


def test_who_comes_and_goes_makes_no_ring_and_no_long_way() -> None:
    made, rng = crowd(60), Random(7)
    for _ in range(12):
        name = rng.choice([n for n in onlookers(made) if n not in made.down])
        other = parent(made, name)
        if rng.random() < 0.5:
            made.cut(name, other)
        else:
            made.kill(name)
        made.run(rng.random() * 10)
    made.run(SILENT_SECONDS + SPREAD + 20)
    made.move(rng)
    made.run(20)
    assert not behind(made)
    there = [name for name in onlookers(made) if name not in made.down]
    assert max(level(made, name) for name in there) < 2 * LEVELS
    assert made.status("ann").watched == len(there)
    made.close()


def test_a_clock_is_shown_below_as_at_the_host() -> None:
    made = crowd(10, come=False)
    made.close()
    names = [f"w{n:03}" for n in range(10)]
    made = Crowd("ann", "bob", *names, rates={"ann": THIN}, rate=1_000_000)
    made.begin("networdz", options=(("timed", "5"),))
    made.come(names, 1.0)
    made.run(20)
    assert level(made, "w009") == 1
    matches = [made[name].match for name in ("ann", "w009")]
    times = [match.timing.at(made.now) for match in matches]
    assert abs(times[0] - times[1]) < 1000
    assert times[0] > 10_000
    made.close()


def test_below_one_sees_a_guest_away_and_that_play_goes_on() -> None:
    made = crowd(6)
    lending = Lent()
    [turn] = made.status("ann").turn
    seat = 1 - turn
    tables = made[("ann", "bob")[seat]].tables
    tables.lend_by(lending)
    match = made["ann"].match
    lending.away = frozenset({seat})
    tables.guest_seen(match.match, seat, here=False)
    made.run(10)
    assert level(made, "w005") == 1
    told = made.status("w005")
    assert told.seats[seat].state == "away"
    assert told.phase == "playing"
    made.close()

"""Slips that the simulation must find: what stands in a line, and what instead."""

from collections.abc import Callable
from typing import Final

from netplay.messages.table import Fairness
from tests.simulation import test_rare as rare
from tests.simulation.planting import Planted, Slip
from tests.simulation.themes import OFFERS, PREPARED

ELECTION: Final = "election"
FINALITY: Final = "finality"
RELAYING: Final = "relaying"
CHAT: Final = "chat"
TIME: Final = "time"
DISKS: Final = "disks"
SEATS: Final = "seats"
BYSTANDERS: Final = "bystanders"
RESOURCES: Final = "resources"
REMATCH: Final = "rematch"
BAGS: Final = "encrypted bags"
PREPARING: Final = "moves on condition"


def slip(there: str, instead: str) -> tuple[Slip, ...]:
    return (Slip(there, instead),)


VOUCHED = slip("if self._members.bound and hidden.vouched > branch.start:", "if False:")
RESIGNED_VOTES = slip(
    "counted = now.electors.intersection(voters)", "counted = frozenset(voters)"
)
CLEAN_BEFORE_SYNC = slip(
    "            self._disk.sync()\n        except LocalError as error:\n",
    "            self.dirty = False\n            self._disk.sync()\n"
    "        except LocalError as error:\n",
)
FILE_CLEAN_BEFORE_SYNC = slip(
    "        try:\n            sync: Callable",
    "        self._dirty = False\n        try:\n            sync: Callable",
)
CHAT_FOR_A_NONCE = slip(
    "if heard.table != self.nonce or key not in self._company.others:",
    "if heard.table != self.nonce:",
)
TIME_WHILE_AWAY = slip("return not self.missed.isdisjoint(waited)", "return False")
DURABLE_NOT_LOWERED = slip(
    "{key: min(number, durable) for key, durable in known}", "dict(known)"
)
PLAYED_BACK = slip(
    "news = carried.number > way.got", "news = carried.number >= way.got"
)
PROMISE_BEFORE_SYNC = slip(
    "            if type(kept) is KeptGrant:\n                self._ledger.sync()\n", ""
)
SHORT_WRITE = slip(
    "            while written < len(data):\n"
    "                written += os.write(self._number, data[written:])\n",
    "",
)
CUT_WITHOUT_SYNC = slip(
    "            os.truncate(self._number, size)\n"
    "            (FULL_SYNC or os.fsync)(self._number)\n",
    "            os.truncate(self._number, size)\n",
)

STALE_MOVE = (
    Slip("return head == present or head in self._heads", "return True"),
    Slip(
        "seen not in {-1, fold.moves} or self.is_moving(seat)", "self.is_moving(seat)"
    ),
    Slip(
        "return Turn(seat, head, fold.digest(), raw, proofs)",
        "head = head if seen in {-1, fold.moves} else bytes(32)\n"
        "        return Turn(seat, head, fold.digest(), raw, proofs)",
    ),
)

OLD_VOTES = slip(
    "if claim is None or place != (claim.term, claim.number, claim.head):",
    "if claim is None:",
)
FINAL_BEFORE_SYNC = slip("min(vouched, self.saved)", "vouched")
LETTER_UNSIGNED = slip(
    "check_signature(carried.author, carried.signature, carried_data(carried))", "pass"
)
LETTER_TWO_STEPS = slip("if not mine and carried.author != key:", "if False:")
CARRIED_BEFORE_SYNC = slip(
    "case Carried(author=author) if author != self._me:", "case Carried():"
)
LINE_UNSIGNED = slip("check_signature(line.author, line.signature, data)", "pass")
LINE_OF_A_STRANGER = slip("if line.author not in allowed:", "if False:")
LINE_WITH_A_GAP = slip(
    "if line.number != author.next and not begins:", "if line.number < author.next:"
)
NAME_NOT_SYNCED = slip("        sync_folder(self._path.parent)\n", "")
RENAMED_UNSYNCED = slip(
    "            file.write(data)\n            file.flush()\n"
    "            (FULL_SYNC or os.fsync)(file.fileno())\n",
    "            file.write(data)\n",
)
LEFT_BY_THE_KILLED = slip("self.dirty = bool(self.entries)", "self.dirty = False")
DISK_ERROR_PASSED_OVER = slip(
    "or why.code not in _SPOILING:", "or why.code is not Code.BAD_LOG:"
)
CONSENT_OF_ONE = slip(
    "if not voters >= (self.electors - {old}) | {self.host}:", "if not voters:"
)
CONSENT_TWICE = slip(
    "numbers = number_bytes(seat) + number_bytes(after)",
    "numbers = number_bytes(seat) + number_bytes(0)",
)
MOVE_FOR_ANOTHER = slip(
    "if seat >= len(self.holders) or self.holders[seat] != author:",
    "if seat >= len(self.holders):",
)
HEIR_NOT_GREETED = slip(
    "            if key not in match.relaying.direct:\n"
    "                match.link_up(key, now)\n        self.await_guests()\n"
    "        match.step(now)\n        self.chat.greet(up)",
    "            pass\n        self.await_guests()\n        self.chat.greet(up)",
)
NOT_BACK = slip(
    "            self.left.discard(key)\n            self._resume()",
    "            self._resume()",
)
WATCHED_UNASKED = slip("elif None in said:", "elif None in ():")
BYSTANDER_ACKS = slip(
    "if not self._members.watching and place != self._acked:",
    "if place != self._acked:",
)
WATCHED_ON = slip("if False in said:", "if False in said and not guest.watches:")
WATCHED_BEFORE_SYNC = slip(
    "        if match.ledger.dirty:\n            return  # a member's",
    "        if match.ledger.dirty:\n            pass  # a member's",
)
ACCEPTED_WITHOUT_WORDS = slip(
    "if proposal is None or self.fetches or self.refusal:",
    "if proposal is None or self.refusal:",
)
NOT_ASKED_AGAIN = slip("self._asked = len(self._data)", "pass")
SAME_SEATS = slip("rotated = (*chairs[1:], chairs[0])", "rotated = tuple(chairs)")


WHEREVER = (
    Slip("if played != [(step.seat, step.move) for step in line.steps[:count]]:",
         "if False:"),
    Slip("return count if line.steps[count].state == match.digest() else None",
         "return count"),
)  # fmt: skip
MADE_AGAIN = (
    Slip(
        "    count = match.moves - line.moves\n",
        "    count = len(match.history) - line.place\n",
    ),
    Slip("if count is not None and count >= line.made:", "if count is not None:"),
)
LINE_NOT_SYNCED = slip(
    "        self._replication.do(self._preparing.prepare(seat, moves, seen), now)\n"
    "        self._journal.sync()\n",
    "        self._replication.do(self._preparing.prepare(seat, moves, seen), now)\n",
)
OLD_LINE_KEPT = slip("if parting not in (None, seat):", "if parting is not None:")

LIFTED_EARLY = slip(
    "return self._members.by_mail or self._drawn_in(tile) <",
    "return True or self._drawn_in(tile) <",
)
PART_FORGOTTEN = slip("if left.first == self._me:", "if False:")


def _bug(
    kind: str,
    name: str,
    slips: tuple[Slip, ...],
    *themes: str,
    seeds: int = 60,
    games: tuple[str, ...] = ("numlo",),
    tests: tuple[Callable[[], None], ...] = (),
    fairness: Fairness | None = None,
) -> Planted:
    return Planted(
        name,
        slips,
        kind=kind,
        games=games,
        themes=themes,
        seeds=seeds,
        tests=tests,
        fairness=fairness,
    )


WORDS: Final = ("networdz",)

GIVEN: Final = (
    _bug(
        ELECTION,
        "what a node stands for is not lowered for a branch",
        VOUCHED,
        tests=(rare.test_who_follows_a_term_older_than_promised_stands_for_none_of_it,),
    ),
    _bug(ELECTION, "votes of those who have resigned count", RESIGNED_VOTES, "resign"),
    _bug(
        DISKS,
        "a disk is called clean before its sync succeeded",
        CLEAN_BEFORE_SYNC,
        tests=(rare.test_a_file_whose_sync_failed_is_not_clean,),
    ),
    _bug(CHAT, "chat is sent to whoever knows the nonce", CHAT_FOR_A_NONCE, "stranger"),
    _bug(TIME, "time runs while the one on turn is away", TIME_WHILE_AWAY),
    _bug(
        FINALITY,
        "who has an entry is not forgotten when it goes",
        DURABLE_NOT_LOWERED,
        tests=(rare.test_who_had_entries_that_are_gone_has_them_no_more,),
    ),
    _bug(RELAYING, "what is played back is taken", PLAYED_BACK, "played back"),
    _bug(
        ELECTION, "a promise is written before the log is synced", PROMISE_BEFORE_SYNC
    ),
    _bug(DISKS, "a short write is accepted", SHORT_WRITE),
    _bug(
        DISKS,
        "a file is cut without a sync",
        CUT_WITHOUT_SYNC,
        tests=(rare.test_what_was_cut_stays_cut_when_the_power_fails,),
    ),
)
"""Those that survived all tests there were, together."""

OURS: Final = (
    _bug(ELECTION, "a stale move is accepted", STALE_MOVE),
    _bug(ELECTION, "votes for an older claim count", OLD_VOTES),
    _bug(FINALITY, "an own copy counts before its sync", FINAL_BEFORE_SYNC),
    _bug(
        RELAYING, "a letter's signature is not checked", LETTER_UNSIGNED, "lying guest"
    ),
    _bug(RELAYING, "a letter goes two steps", LETTER_TWO_STEPS, "lying guest"),
    _bug(RELAYING, "an answer is carried before the sync", CARRIED_BEFORE_SYNC),
    _bug(CHAT, "a line's signature is not checked", LINE_UNSIGNED, "lying guest"),
    _bug(CHAT, "a stranger may speak", LINE_OF_A_STRANGER, "stranger"),
    _bug(CHAT, "lines are taken with gaps", LINE_WITH_A_GAP),
    _bug(
        DISKS,
        "the name of a new file is not synced",
        NAME_NOT_SYNCED,
        tests=(rare.test_the_name_of_a_new_file_outlives_a_power_cut,),
    ),
    _bug(DISKS, "a file is renamed before its sync", RENAMED_UNSYNCED),
    _bug(
        DISKS,
        "what a killed program left counts as safe",
        LEFT_BY_THE_KILLED,
        tests=(rare.test_what_a_killed_program_left_is_safe_before_it_is_told,),
    ),
    _bug(DISKS, "play goes on behind a disk error", DISK_ERROR_PASSED_OVER),
    _bug(SEATS, "a seat passes by the consent of one", CONSENT_OF_ONE, "lying host"),
    _bug(SEATS, "a consent serves twice", CONSENT_TWICE, "hand", "lying host"),
    _bug(SEATS, "a member moves for another", MOVE_FOR_ANOTHER, "lying guest"),
    _bug(SEATS, "an heir is not greeted", HEIR_NOT_GREETED, "hand", "watch"),
    _bug(SEATS, "who comes back stays away", NOT_BACK, "leave", seeds=240),
    _bug(BYSTANDERS, "somebody watches unasked", WATCHED_UNASKED, "watch"),
    _bug(BYSTANDERS, "a bystander acknowledges", BYSTANDER_ACKS, "watch"),
    _bug(BYSTANDERS, "who is refused watches on", WATCHED_ON, "watch"),
    _bug(
        BYSTANDERS, "a bystander is sent what may be lost", WATCHED_BEFORE_SYNC, "watch"
    ),
    _bug(
        RESOURCES,
        "terms are accepted without the words",
        ACCEPTED_WITHOUT_WORDS,
        "resources",
        games=WORDS,
    ),
    _bug(
        RESOURCES,
        "what a cut took is not asked for again",
        NOT_ASKED_AGAIN,
        "resources",
        games=WORDS,
    ),
    _bug(REMATCH, "a rematch leaves everybody in place", SAME_SEATS, "rematch"),
    _bug(PREPARING, "a prepared move is made anywhere", WHEREVER, PREPARED),
    _bug(
        PREPARING,
        "a prepared move that was taken back is made again",
        MADE_AGAIN,
        PREPARED,
        OFFERS,
        games=("hexagrams",),
    ),
    _bug(PREPARING, "a line is lost in a crash", LINE_NOT_SYNCED, PREPARED),
    _bug(PREPARING, "a line that was replaced is played", OLD_LINE_KEPT, PREPARED),
    _bug(
        BAGS,
        "tiles are lifted whose draw may be lost",
        LIFTED_EARLY,
        games=WORDS,
        fairness="encrypted",
    ),
    _bug(
        BAGS,
        "a part of a leaver's mask is not taken over",
        PART_FORGOTTEN,
        "resign",
        games=WORDS,
        fairness="encrypted",
    ),
)
"""More of those kinds."""

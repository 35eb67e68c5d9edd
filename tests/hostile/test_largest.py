"""The largest of every message that a node sends fits its frame.

What a hostile member, friend, stranger or file may put into a message is bounded by the
types; where no type does it, by what makes it: `BOUNDS` says by what.  A field with
neither fails here.
"""

import json
import zlib
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest
import trio

from netplay.daemon import rpc
from netplay.daemon.dictionary_tools import SHOWN as OWN_NAMES
from netplay.daemon.finished_matches import PAGE
from netplay.demo.show import living
from netplay.finding.appointments import MOST_ENTRIES
from netplay.finding.outside import FACTS
from netplay.home import Home
from netplay.limits import (
    BLOCKED,
    CARRIERS,
    DOOR_FRAME_BYTES,
    ENTRIES_BYTES,
    ENTRY_BYTES,
    FRAME_BYTES,
    HANDSHAKE_FRAME_BYTES,
    LINKS,
    NEIGHBOURS,
    PEERS_AWAY,
    PIECE_BYTES,
    PIECE_MOVES,
    SUBMITS_WAITING,
    TABLES,
    WRITTEN_KEPT,
)
from netplay.messages.door import FromNode, GetStatus, Piece, Status, ToNode, View
from netplay.messages.link import Hello, Welcome
from netplay.messages.log import Entries, Entry, What
from netplay.messages.node_questions import GetKnown, KnownNode, Paired, Talked
from netplay.messages.table import BYSTANDERS, OFFERS, OPEN_TABLES
from netplay.messages.table_questions import MOVES as PREPARED
from netplay.messages.table_questions import Appraisal, FinishedMatches, Record
from netplay.messages.types import (
    BODY_BYTES,
    CHAT_CHARACTERS,
    KEY_BYTES,
    PLACES,
    SEATS,
    DoorMessage,
)
from netplay.peering.link import FEATURES
from netplay.peering.peers import ADDRESSES_A_PEER, NOTE_CHARACTERS
from netplay.record.archive import SHOWN as SAVED
from netplay.record.offers import LINES
from netplay.review.appraising import OFFERS as BEST
from netplay.said import (
    BRIEF,
    SAID_CHARACTERS,
    TEMPLATES,
    VALUE_CHARACTERS,
    Said,
    fields,
)
from netplay.sanitize import NAME_CHARACTERS
from netplay.sentences import Says
from netplay.table.muted import MOST as MUTED
from netplay.table.table_status import TOLD
from netplay.wire import KINDS, PeerMessage
from rules import GAMES
from rules.editions import (
    MAX_KINDS,
    MAX_LETTERS,
    MAX_RACK,
    MAX_SIDE,
    MAX_TILES,
    MAX_WORD,
)
from tests.hostile.largest import WIDE, Largest, beyond
from tests.hostile.nodes import Victim, needs_proc
from tests.patience import PATIENCE
from tests.said import says

NAME: Final = NAME_CHARACTERS  # cleaned where it comes in, and where a file is read
PRINT: Final = 24  # a fingerprint; in ASCII, of course
PATH: Final = 1024  # times four: no system takes longer ones
PLACE: Final = 64  # times four: 253 characters of a host that is ASCII, and a port
LINE: Final = PLACES * (PLACE + 16)  # an invitation
TILES: Final = MAX_TILES
CELLS: Final = MAX_SIDE**2  # of a board
MOVE: Final = PIECE_BYTES // PIECE_MOVES  # of so many: see `places._too_much`
DOUBT: Final = 2 * NAME + 40  # a sentence of ours about one name
DIGEST: Final = 64
PLAY: Final = MAX_RACK  # tiles of a play, or put back
WORD: Final = MAX_WORD * MAX_LETTERS
# A play lays a tile that stays on the board, and makes a word along it and one across.
LISTED: Final = -(-2 * TILES // SEATS)
HEXES: Final = 31 * 31  # of Lhexicon's largest board, with its edge
FIELD: Final = 400  # of Hexcolumns' largest well, with its edge

# Three for each piece that hands may drop: a day and a night without a break.  Whoever
# goes on is told that it cannot be shown, and the node goes on (`test_door`).
GEMS: Final = 3 * 4 * 24 * 3600

POSITIONS: Final[dict[str, dict[str, int]]] = {
    "networdz": {
        "Options.edition": DIGEST, "Options.lexicon": DIGEST,
        "State.letters": CELLS, "State.kinds": CELLS, "State.scores": SEATS,
        "State.lists": SEATS, "State.lists.": LISTED, "Line.word": WORD,
        "State.blanks": TILES, "State.draws": SEATS * PLAY, "State.resigned": SEATS,
        "State.tally": SEATS, "Last.cells": MAX_WORD * (PLAY + 1),
        "Last.error": (PLAY + 1) * (WORD + 2) + 200,
        "Tiles.counts": MAX_KINDS + 1, "Tiles.racks": SEATS, "Tiles.racks.": PLAY,
        "Tiles.kinds": SEATS, "Tiles.kinds.": PLAY, "Tiles.open": 2 * SEATS * PLAY,
        "Tiles.returned": SEATS * PLAY, "Lay.laid": PLAY, "Lay.shown": PLAY,
        "Pass.discards": PLAY, "Renew.shown": PLAY, "Trade.shown": PLAY,
        "Pending.laid": PLAY, "Pending.shown": PLAY,
    },
    "lhexicon": {
        "Options.lexicon": DIGEST, "Announced.answers": SEATS, "Announced.laid": PLAY,
        "Announced.shown": PLAY, "Announced.word": MAX_WORD, "State.letters": HEXES,
        "State.numbers": HEXES, "State.blanks": HEXES, "State.debts": SEATS,
        "State.gone": SEATS, "State.passes": SEATS, "State.scores": SEATS,
        "Tiles.counts": MAX_KINDS + 1, "Tiles.racks": SEATS, "Tiles.racks.": PLAY,
        "Tiles.kinds": SEATS, "Tiles.kinds.": PLAY, "Tiles.open": 2 * SEATS * PLAY,
        "Tiles.returned": SEATS * PLAY, "Discard.tiles": PLAY, "Lay.laid": PLAY,
        "Lay.path": MAX_WORD, "Lay.shown": PLAY, "PickUp.shown": PLAY,
        "PickUp.swaps": PLAY,
    },
    "numlo": {
        "State.gone": SEATS, "State.passed": SEATS, "State.tiles": SEATS,
        "State.tiles.": 22 * 22, "State.values": 22 * 22, "State.open": 22 * 22,
    },
    "hexagrams": {},
    "hexcolumns": {
        "State.gems": GEMS, "State.wells": SEATS, "Well.cells": FIELD, "Well.piece": 8,
        "Well.gone": FIELD // 3, "Gone.cells": FIELD, "Gone.cells.": FIELD,
        "Gone.round": FIELD,
    },
}  # fmt: skip
"""What the rules of each game let a position and a move have; tried below."""


def longest_sentence() -> Said:
    """Return a sentence with as many values, and as much in each, as there may be."""
    most = max(len(fields(text)) for text in TEMPLATES.values())
    value = WIDE * SAID_CHARACTERS
    return Said("C" * 40, tuple((f"name{number:07}", value) for number in range(most)))


def largest_of_games(part: str) -> dict[str, int]:
    """Return how large the position, or a move, of each game may get, in bytes."""
    found = dict[str, int]()
    for name, game in GAMES.items():
        bounds = Largest(POSITIONS[name], longest_sentence())
        found[name] = size(bounds.of(getattr(game.ABOUT, part)))
        assert bounds.missing == set(), name
    return found


def size(message: Any) -> int:
    return len(msgspec.msgpack.encode(message)) + 1


STATE: Final = max(largest_of_games("state").values())
OWN_MOVE: Final = max(largest_of_games("move").values())
MANY_SEATS: Final = {
    f"{at}": SEATS
    for at in (
        "TableStatus.seats", "TableStatus.turn", "TableStatus.places",
        "TableStatus.face_down",
        "TableStatus.rematch", "GameStatus.rematch", "GameStatus.players",
        "GameStatus.turn",
        "GameStatus.away", "GameStatus.off", "GameStatus.own", "OpenStatus.players",
        "OfferStatus.asked", "Agreeing.off", "Made.moves", "Made.back",
        "Made.consents", "Made.kept", "Made.lines_kept", "Made.prepares",
        "Summons.who", "Beginning.lacking", "GameStatus.keys",
    )
}  # fmt: skip
NAMES: Final = dict.fromkeys(
    (
        "Status.name", "Status.friends..0", "Status.blocked..0", "Status.editions.",
        "Status.dictionaries.",
        "SeatStatus.name", "SeatStatus.kind", "SeatStatus.browser", "PeerStatus.name",
        "PeerStatus.through", "Talked.by", "Beginning.lacking.",
        "KnownNode.name", "Neighbour.name", "Neighbour.game", "Neighbour.version",
        "GameStatus.away.", "GameStatus.game", "GameStatus.mode", "GameStatus.off..0",
        "OpenStatus.game", "OpenStatus.players.", "TableStatus.game",
        "TableStatus.edition", "TableStatus.lexicon", "TableStatus.host",
        "TableStatus.rematch.", "Made.consents..1",
        "Made.kept..0", "Made.kept..1",
        "Made.lines_kept..0", "CarrierStatus.name", "PlaceStatus.by", "Summons.game",
        "Summons.who.", "Status.mode", "Status.quiet", "Status.version",
        "Personal.called", "Personal.letter",
    ),
    max(NAME, 32),
)  # fmt: skip
PRINTS: Final = dict.fromkeys(
    (
        "Status.key", "Status.friends..1", "Status.blocked..1", "Status.muted.",
        "SeatStatus.key",
        "PeerStatus.key", "KnownNode.key", "Neighbour.key", "TableStatus.asking..0",
        "GameStatus.keys.", "Status.personal..0", "Status.seen..0",
        "Correspondent.key", "Talked.key",
    ),
    PRINT,
)  # fmt: skip
PLACE_FIELDS: Final = dict.fromkeys(
    (
        "Status.addresses.", "PeerStatus.address", "KnownNode.addresses.",
        "KnownNode.trusted.", "Neighbour.address", "Network.external",
        "PlaceStatus.address", "Network.servers.", "Network.dht_nodes.",
    ),
    PLACE,
)  # fmt: skip
DOUBTS: Final = dict.fromkeys(
    (
        "SeatStatus.doubt", "PeerStatus.doubt", "KnownNode.doubt", "Neighbour.doubt",
        "TableStatus.watchers.", "TableStatus.asking..1", "Line.author",
    ),
    DOUBT,
)  # fmt: skip
BRIEFS: Final = dict.fromkeys(
    (
        "GameStatus.waiting", "GameStatus.audit", "GameStatus.players.",
        "Status.saved..1",
    ),
    BRIEF + 1,
)  # fmt: skip
MATCHES: Final = dict.fromkeys(
    ("GameStatus.match", "TableStatus.match", "View.match", "OfferStatus.head"),
    KEY_BYTES,
)
BOUNDS: Final[dict[str, int]] = {
    # A seat is but one of the two: the bound of who is away is that of both.
    "GameStatus.blocked": 0, "GameStatus.blocked.": 0,
    **MANY_SEATS, **NAMES, **PRINTS, **PLACE_FIELDS, **DOUBTS, **BRIEFS, **MATCHES,
    "Status.addresses": rpc.ADDRESSES_TOLD,
    "Status.peers": LINKS + PEERS_AWAY,
    "Status.saved": SAVED,
    "Status.saved..0": PATH,
    "Status.nearby": NEIGHBOURS * OFFERS,
    "Status.editions": OWN_NAMES,
    "Status.dictionaries": OWN_NAMES,
    "Status.faults": rpc.FAULTS_TOLD,
    "Status.faults.": VALUE_CHARACTERS + 100,
    "Status.games": TABLES,
    "Status.friends": rpc.FRIENDS,
    "Status.blocked": rpc.BLOCKED_TOLD,
    "Status.personal": rpc.FRIENDS,
    "Status.written": rpc.FRIENDS,
    "Status.seen": rpc.FRIENDS,
    "Talked.lines": 4 * WRITTEN_KEPT,
    "TalkedLine.text": CHAT_CHARACTERS,
    "Personal.note": NOTE_CHARACTERS,
    "CopyStatus.folder": PATH,
    "Status.news": LINE,
    "CopyStatus.place": PATH,
    "Network.servers": FACTS,
    "Network.dht_nodes": MOST_ENTRIES,
    "Status.open": OPEN_TABLES,
    "Status.muted": MUTED,
    "Network.places": PLACES,
    "CarryStatus.carriers": CARRIERS,
    "CarrierStatus.invitation": LINE,
    "Neighbour.invitation": PLACE + 40,
    "SeatStatus.address": VALUE_CHARACTERS,
    "TableStatus.options": BODY_BYTES,  # as in the terms
    "TableStatus.watchers": BYSTANDERS,
    "TableStatus.asking": BYSTANDERS,
    "TableStatus.apart": TOLD,
    "TableStatus.lost": TOLD,
    "TableStatus.claims": TOLD,
    "TableStatus.apart.": BRIEF + 100,  # and the names of a few values
    "TableStatus.lost.": BRIEF + 100,
    "TableStatus.claims.": BRIEF + 100,
    "TableStatus.changes": 7 + 20,  # of terms, and of options: no game has as many
    "TableStatus.changes..0": NAME,
    "TableStatus.changes..1": VALUE_CHARACTERS,
    "TableStatus.changes..2": VALUE_CHARACTERS,
    "Agreeing.standing": SEATS * 4,  # of a seat until somebody moves
    "Agreeing.may": SEATS * len(get_args(What)),
    "Made.prepared": SEATS * LINES,
    "PreparedLine.moves": PREPARED,
    "PreparedLine.moves..1": 32,  # of a game without tiles: cells of a board
    "View.state": STATE,
    "View.before": STATE,
    "View.happened": PIECE_MOVES,
    "View.known": TILES,
    "View.made": SUBMITS_WAITING + 1,  # and one that is held back for a while
    "View.made.": OWN_MOVE,  # by the rules, since it is one's own
    "Happened.move": MOVE,
    "Piece.before": STATE,
    "Piece.happened": PIECE_MOVES,
    "Piece.known": TILES,
    "Line.text": CHAT_CHARACTERS,
    "Clicked.line": LINE,
    "FinishedMatches.found": PAGE,
    "Finished.path": PATH,
    "KnownNode.addresses": ADDRESSES_A_PEER,
    "KnownNode.trusted": rpc.TRUSTED_TOLD,
    "Paired.link": LINE,
    "Paired.fingerprint": PRINT,
    "Appraisal.rack": TILES,
    "Appraisal.best": BEST,
    "Appraisal.back": 64,
    "Offer.text": 64,
    "Offer.sums": 16,  # words of a play
    "Offer.sums.": VALUE_CHARACTERS,
    "Offer.laid": CELLS,
    "Offer.move": BODY_BYTES,
}  # fmt: skip

ANSWERS: Final[dict[str, Any]] = {
    "Status": Status,
    "KnownNodes": tuple[KnownNode, ...],
    "FinishedMatches": FinishedMatches,
    "Piece": Piece,
    "View": View,
    "Appraisal": Appraisal,
    "Paired": Paired,
    "Talked": Talked,
}
"""What `Done.data` holds, encoded; an edition is a file of a megabyte at most."""


def generator() -> Largest:
    return Largest(BOUNDS, longest_sentence())


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.__name__)
def test_the_largest_of_each_message_to_a_peer_fits_its_frame(
    kind: type[PeerMessage],
) -> None:
    bounds = generator()
    largest = bounds.of(kind)
    if kind in (Hello, Welcome):  # what others say is read no further than the frame
        versions = {"versions": (1,)} if kind is Hello else {}
        largest = msgspec.structs.replace(
            largest, features=tuple(sorted(FEATURES)), **versions
        )
    if kind is Entries:  # see `ENTRIES_BYTES`: so many bytes, or one alone
        entry = size(bounds.of(Entry))
        assert entry <= ENTRY_BYTES
        alone = (bytes(entry),)
        largest = Entries(largest.match, alone)
        short = (bytes(1),) * 256
        assert ENTRIES_BYTES + size(Entries(largest.match, short)) <= FRAME_BYTES
    assert bounds.missing == set()
    assert size(largest) <= (
        HANDSHAKE_FRAME_BYTES if kind in (Hello, Welcome) else FRAME_BYTES
    )


def largest_to_a_window() -> dict[str, int]:
    """Return how large each message and answer may get, in bytes."""
    bounds = generator()
    found: dict[str, int] = {}
    for name, kind in ANSWERS.items():
        if kind == tuple[KnownNode, ...]:
            known = bounds.of(KnownNode)
            shut = KnownNode(known.name, known.key, (), (), blocked=True)
            found[name] = size((known,) * rpc.KNOWN + (shut,) * BLOCKED)
        else:
            found[name] = size(bounds.of(kind))
    bounds.bounds["Done.data"] = max(found.values())
    for kind in get_args(FromNode):
        found[kind.__name__] = size(bounds.of(kind))
    assert bounds.missing == set()
    assert bounds.used == set(bounds.bounds)
    return found


WIDEST: Final[dict[str, dict[str, Any]]] = {
    "lhexicon": {"side": 10},
    "numlo": {"size": 20},
    "hexcolumns": {"size": 9, "attacks": True},
}
"""Options with the largest boards."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))]
)
def test_no_position_of_a_match_has_more_than_its_bounds_say(
    name: str, seed: int
) -> None:
    game, rng, most = GAMES[name], Random(seed), 0
    seats = max(game.ABOUT.seats)
    state = game.start(seats, game.ABOUT.options(**WIDEST.get(name, {})))
    for _ in range(1500):
        actors = sorted(game.actors(state))
        if not actors:
            break
        actor = rng.choice(actors)
        some = list(islice(game.moves(state, actor), 60))
        move = rng.choice(some)
        assert [*beyond(move, POSITIONS[name])] == []
        assert size(move) <= OWN_MOVE
        state = game.play(state, actor, move)
        assert [*beyond(state, POSITIONS[name])] == []
        most = max(most, size(state))
    assert most <= largest_of_games("state")[name]


def test_the_largest_of_each_message_and_answer_to_a_window_fits_its_frame() -> None:
    found = largest_to_a_window()
    for name, most in sorted(found.items(), key=lambda each: -each[1]):
        print(f"\n{name:18} {most:>9,} of {DOOR_FRAME_BYTES:,}")
    for name, most in largest_of_games("state").items():
        print(f"\na position of {name:10} {most:>9,}")
    assert max(found.values()) <= DOOR_FRAME_BYTES


def test_no_answer_to_a_window_is_forgotten() -> None:
    reached: set[type] = {Record}  # which a window makes for itself

    def follow(kind: Any) -> None:
        for part in get_args(kind):
            follow(part)
        new = isinstance(kind, type) and issubclass(kind, DoorMessage)
        if new and kind not in reached:
            reached.add(kind)
            for field in msgspec.structs.fields(kind):
                follow(field.type)

    for kind in (ToNode, FromNode, *ANSWERS.values()):
        follow(kind)
    there = {
        one for one in DoorMessage.__subclasses__() if "netplay." in one.__module__
    }
    assert there - reached == set()


LONG: Final = WIDE * 200_000


def fill(home: Home) -> None:
    """Write files as nobody but their owner could, and no program of ours would."""
    home.prepare()
    met = {
        bytes((number % 256, number // 256) + (7,) * 30).hex(): {
            "name": LONG if number < 3 else WIDE * 5_000 if number < 50 else "Zoe",
            "addresses": [f"{place}.{number}.example:{place}" for place in range(200)]
            if number < 50
            else ["x.example:1"],
            "told": ["y" * 500],
            "friend": True,
        }
        for number in range(6_000)
    }
    whole: dict[str, object] = {"peers": met, "answered": {LONG: next(iter(met))}}
    whole["check"] = zlib.crc32(json.dumps(whole, sort_keys=True).encode())
    home.peers.write_text(json.dumps(whole))
    keys = [bytes((number % 256, number // 256) * 16).hex() for number in range(60_000)]
    home.muted.write_text(json.dumps({"players": keys, "tables": keys}))
    home.settings.write_text(json.dumps({"name": LONG}))
    home.results.write_bytes(bytes(1000))


@needs_proc
@pytest.mark.processes
async def test_whatever_the_files_of_a_home_say_a_window_is_told_in_a_frame(
    tmp_path: Path,
) -> None:
    near = Victim(tmp_path)
    near.name = ""
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.window.ask(GetStatus())  # it has a key of its own now
        fill(near.home)
        async with living(near):
            await near.until(lambda status: len(status.friends) == rpc.FRIENDS)
            told = await near.window.ask(GetKnown())
            known = msgspec.msgpack.decode(told.data, type=tuple[KnownNode, ...])
            status = near.window.status
    assert status is not None
    assert len(known) == rpc.KNOWN
    assert len(status.muted) == MUTED
    assert max(len(one.name) for one in known) <= NAME
    assert len(status.name) <= NAME
    assert not any(says(one.said, Says.NOT_SHOWN) for one in near.window.told)

"""The transcript as protocol.md tells it: each kind of frame once, byte by byte."""

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

from netplay.errors import by_number
from netplay.messages.log import Commit, Open, Root, Seed
from netplay.record.chance import ZERO, pick, public_key
from netplay.record.fold import Fold
from netplay.record.ledger import empty_log, follow, read_terms
from netplay.record.log import read_entry
from netplay.wire import PeerMessage
from rules import editions
from tests.second_match import Match
from tests.second_node import pack, sha, tag
from tools.protocol.dissecting import Dissector, bodies, body_of, entry_in_words, lines
from tools.protocol.transcript import EDITION, WORDS, Talk, talk

DRAWN: Final = 8
"""The entry after which the racks are full."""

NOTES: Final[Mapping[str, str]] = {
    "Hello": "Bob has dialled Ann and TLS is done. Both say Hello without waiting.",
    "Welcome": "Each has judged the other's Hello; the link is open for who has said "
    "and heard Welcome.",
    "Ask": "Bob would like any free seat.",
    "Decline": "Ann has no table yet. Bob's player asks again when she has.",
    "Proposal": "Ann's table: the terms with Bob in the second seat. SHA-256 of "
    "`pack(Terms)` is the name of the match to be.",
    "Heard": "Ann tells how much chat of this table she has: none.",
    "Want": "Bob has neither the edition nor the words, and asks for the first piece "
    "of each.",
    "Piece": "The edition is a single piece. Its SHA-256 is the digest asked for.",
    "Accept": "Everything is here and checked, and Bob's player has joined this table "
    "by himself: his node signs.",
    "Chat": "A line, signed, with a number of Bob's own.",
    "Ping": "Five seconds have gone by.",
    "Pong": "At once.",
    "Have": "Ann's player starts: the genesis is on her disk. Bob answers with a Have "
    "of 0 entries (next), so that he gets it.",
    "Ack": "Ann answers every Have with an Ack first; Bob, who does not know the match "
    "yet, drops this one (N2).",
    "Entries": "The genesis. Bob finds his own signature in it, keeps it, and says "
    "Have with number 1.",
    "Submit": "Bob's commitment to his seed of round 1, the bag; that of round 0, "
    "which says who begins, follows. Both go out again when Ann says Have; "
    "she drops what is entered already.",
    "Seed": "Both have committed to round 0, so Ann shows her seed of it at once. Of "
    "the bag, round 1, she is the dealer, and keeps her seed to the end.",
    "Root": "Bob's seed of round 1 was the last that was missing there: Ann fixes the "
    "bag. His seed of round 0 follows in the next frame; with it everybody plays the "
    "draw for the start, and fills the racks by the numbers of the bag.",
    "Opening": "To Bob alone: what his two tiles are, with the proofs.",
    "Turn": "A move out of turn, which Bob's program should not have sent.",
    "Refused": "Ann does not enter it. Its own number is free again.",
    "Turn with proofs": "Ann lays two tiles, and proves both; the two that she draws "
    "she knows as the dealer.",
    "Face": "Ann has gone out: the rules ask for the tiles on Bob's rack, and her "
    "node, which knows them as the dealer, turns them up.",
    "Position": "The match is over. Each says what it sees (D3).",
    "Open": "Ann opens the bag, whose seed she had committed to: now all is audited.",
    "Bye": "Bob's program ends. Ann answers with a Bye of her own.",
}
"""What happens when a kind of message, or of body, is met for the first time."""


def retold() -> str:
    """Return the transcript."""
    said = talk()
    return "\n".join([*_before(said), *_told(said), *_after(said)]) + "\n"


def _told(said: Talk) -> Iterator[str]:
    """Yield the frames: in full what is new, in a word what is not."""
    dissector, passed = Dissector(known(said)), list[str]()
    for number, step in enumerate(said.steps, 1):
        if not dissector.is_new(step.message):
            passed.append(f"{number} {step.sender}: {in_words(step.message)}")
            continue
        if passed:
            yield from (f"- {each}" for each in passed)
            yield ""
            passed.clear()
        notes = [NOTES[kind] for kind in dissector.news(step.message)]
        yield (
            f"**{number}. {step.sender}: {type(step.message).__name__}.** "
            + " ".join(notes)
        )
        yield ""
        yield "```"
        yield from lines(dissector.parts(step.data, step.message))
        yield "```"
        yield ""
    yield from (f"- {each}" for each in passed)


def in_words(message: PeerMessage) -> str:
    """Return a message in a few words."""
    name, rest = type(message).__name__, ""
    said: Any = message
    match name:
        case "Entries":
            rest = "; ".join(entry_in_words(read_entry(raw)) for raw in said.entries)
        case "Submit":
            (body,) = bodies(message)
            rest = f"own {said.own}, {type(body).__name__}"
        case "Have" | "Ack":
            rest = f"{said.number} entries"
        case "Decline" | "Refused" | "Bye":
            code = by_number(said.code)
            rest = "0" if code is None else code.name
        case "Opening":
            rest = f"tiles {', '.join(str(proof.tile) for proof in said.proofs)}"
        case _:
            pass
    return f"{name}, {rest}" if rest else name


def known(said: Talk) -> dict[bytes, str]:
    """Return what to call keys, digests and seeds."""
    terms = read_terms(said.raws[0])
    log, fold = empty_log(terms), Fold(terms)
    found = {
        ZERO: "ZERO",
        log.match: "SHA-256(pack(Terms)), the match",
        terms.nonce: "the nonce of the terms",
        terms.edition: "the edition",
        terms.lexicon: "the word list",
        **{node.key: f"{name}'s key" for name, node in said.nodes.items()},
    }
    for number, raw in enumerate(said.raws):
        body = body_of(read_entry(raw))
        follow(log, fold, log.checked(raw, fold.host_after))
        found[log.heads[number + 1]] = f"head after entry {number}"
        found.setdefault(fold.digest(), f"position after entry {number}")
        match body:
            case Commit():
                found[body.digest] = 'over tag("commit") and the seed, section 16'
            case Seed() | Open():
                found[body.seed] = "the seed"
            case Root():
                found[body.root] = "the root of the tree"
            case _:
                pass
    return found


def _before(said: Talk) -> Iterator[str]:
    """Yield what both begin with."""
    for name, node in said.nodes.items():
        yield f"- {name}'s secret key: `{node.signer.seed.hex()}`"
        yield f"- {name}'s public key: `{node.key.hex()}`"
    data = editions.encode(EDITION)
    yield f"- the edition, {len(data)} bytes: eight tiles (4 A, 3 B, a blank), a"
    yield "  board of 5 x 5, racks of two tiles"
    yield f"- the word list, {len(said.words)} bytes: {', '.join(sorted(WORDS))}"
    yield ""


def _after(said: Talk) -> Iterator[str]:
    """Yield what follows from the log, as the second reader finds it."""
    match = Match(lambda *_: (_plain_edition(), _is_word))
    position = b""
    for raw in said.raws:
        if read_entry(raw).number == DRAWN + 1:
            position = pack(match.game.position())
        match.entry(raw)
    shown = match.seeds[0]
    key = public_key(match.match, [shown[author] for author in sorted(shown)])
    kinds = [n for n, kind in enumerate(EDITION.kinds) for _ in range(kind.count)]
    order = match.order(1, kinds)
    assert match.root(1, order) == match.roots[1][1]
    draws = [move for actor, move in match.happened if actor < 0 and move[0] == "draw"]
    yield ""
    yield "What follows from the log:"
    yield ""
    yield f"- `match` = `{match.match.hex()}`"
    yield f"- the key of round 0 = `{key.hex()}`"
    left = len(kinds)
    for number, (_, seat, kind) in enumerate(draws):
        index = pick(key, number, left)
        letter = EDITION.kinds[kind].letters
        yield f"- `pick(key, {number}, {left})` = {index}: seat {seat} draws {letter}"
        left -= 1
        if number % 2:
            left = len(kinds)
    yield f"- the public position after entry {DRAWN}, packed: `{position.hex()}`;"
    digest = sha(tag("state"), match.match, position)
    yield f"  its digest, which frame 44 and entry {DRAWN + 1} name: `{digest.hex()}`"
    yield f"- kinds of the bag, ascending: {kinds}; its order: {order}"
    yield f"- the root = `{match.roots[1][1].hex()}`, as the Root says: the audit is ok"
    yield f"- scores {match.game.scores}, places {match.game.places()}"


def _plain_edition() -> SimpleNamespace:
    """Return the edition as the second rules take it."""
    kinds = [(kind.letters, kind.count, kind.points) for kind in EDITION.kinds]
    names = ("board", "start", "rack", "bingo", "longest")
    return SimpleNamespace(
        kinds=kinds, **{name: getattr(EDITION, name) for name in names}
    )


def _is_word(kinds: Sequence[int]) -> bool:
    """Tell whether letters, as kinds, are one of the words."""
    return "".join(EDITION.alphabet[kind] for kind in kinds) in WORDS

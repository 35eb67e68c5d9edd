"""Messages that are wrong and well signed: what a changed program may say."""

import hashlib
from collections.abc import Callable
from typing import Any, Final

import msgspec

from netplay.messages.table import Terms
from netplay.record.log import author_data, hand_data, term_data, terms_data
from netplay.table.chat import chat_data
from tests.fuzz.mutation import Mutator, pack, unpack
from tests.fuzz.worlds import World
from tools.protocol.examples import BODIES, TERMS


def plain(value: Any) -> Any:
    """Return the tree of a struct."""
    return unpack(msgspec.msgpack.encode(value))


BODY_TREES: Final = [plain(body) for bodies in BODIES.values() for body in bodies]


def _sign_entries(mutator: Mutator, world: World, sender: str, tree: Any) -> Any:
    """Make the entry that comes next, of a body that is somewhat wrong."""
    del tree
    target = world.net[world.target]
    match = target.table.match
    if match is None:
        return _genesis(mutator, world, sender)
    log, rng = match.ledger.log, mutator.rng
    if rng.random() < 0.1:
        return _fork(mutator, world, sender)
    bodies = [unpack(line.entry.body) for line in log.lines[-8:]] + rng.sample(
        BODY_TREES, 2
    )
    body = mutator.payload(rng.choice(bodies))
    if rng.random() < 0.1:
        body = pack(rng.choice(bodies))
    keys = match.ledger.fold.keys
    names = [n for n, node in world.net.nodes.items() if node.key in keys]
    author = world.net[rng.choice(names)].signer
    host = next(n for n in world.net.nodes.values() if n.key == log.host)
    own = log.own(author.key)
    term = log.term + (rng.random() < 0.05)
    fields = [len(log), term, log.head, log.at + rng.choice((0, 0, 5, 10**9))]
    fields += [author.key, own, body, author.sign(author_data(log.match, own, body))]
    if rng.random() < 0.1:
        fields = mutator.tree(fields)
    data = b"netplay/1 entry\0" + log.match + pack(fields)
    raw = pack([*fields, host.signer.sign(data)])
    return [log.match, [raw]]


def _fork(mutator: Mutator, world: World, sender: str) -> Any:
    """Make another entry in the place of one that is there."""
    del sender
    match = world.net[world.target].match
    log = match.ledger.log
    line = mutator.rng.choice(log.lines)
    fields = mutator.tree(unpack(line.raw)[:8])
    host = next(n for n in world.net.nodes.values() if n.key == log.host)
    data = b"netplay/1 entry\0" + log.match + pack(fields)
    return [log.match, [pack([*fields, host.signer.sign(data)])]]


def _genesis(mutator: Mutator, world: World, sender: str) -> Any:
    """Make a match of terms that are somewhat wrong, with all signatures."""
    nodes = [world.net[sender], world.net[world.target]]
    terms = plain(TERMS)
    terms[5] = [[node.key, node.name] for node in nodes]
    if mutator.often(0.8):
        terms = mutator.tree(terms)
    match = hashlib.sha256(pack(terms)).digest()
    signatures = [node.signer.sign(b"netplay/1 terms\0" + match) for node in nodes]
    body = pack([0, terms, signatures])
    host = nodes[0].signer
    fields = [0, 0, bytes(32), 0, host.key, 0, body]
    fields.append(host.sign(author_data(match, 0, body)))
    raw = pack([*fields, host.sign(b"netplay/1 entry\0" + match + pack(fields))])
    return [match, [raw]]


def _sign_submit(mutator: Mutator, world: World, sender: str, tree: Any) -> Any:
    match, _, body, _ = tree
    signer = world.net[sender].signer
    target = world.net[world.target].table.match
    own = target.ledger.log.own(signer.key) if target else 0
    body = mutator.payload(unpack(body) if mutator.often(0.7) else _body(mutator))
    return [match, own, body, signer.sign(author_data(match, own, body))]


def _body(mutator: Mutator) -> Any:
    return mutator.rng.choice(BODY_TREES)


def _sign_chat(mutator: Mutator, world: World, sender: str, tree: Any) -> Any:
    signer = world.net[sender].signer
    table, _, number, text = mutator.tree(tree[:4])
    return [
        table,
        signer.key,
        number,
        text,
        signer.sign(chat_data(table, number, text)),
    ]


def _sign_accept(mutator: Mutator, world: World, sender: str, tree: Any) -> Any:
    terms = world.net[world.target].table.terms
    if not isinstance(terms, Terms):
        raise TypeError("there is no table")
    signature = world.net[sender].signer.sign(terms_data(terms))
    return [*mutator.tree(tree[:2]), signature]


def _sign_grant(mutator: Mutator, world: World, sender: str, tree: Any) -> Any:
    match, term, number, head = mutator.tree(tree[:4])
    key = world.net[world.target].key
    data = term_data(match, term, key, number, head)
    return [match, term, number, head, world.net[sender].signer.sign(data)]


def _sign_consent(mutator: Mutator, world: World, sender: str, tree: Any) -> Any:
    match, seat, key, name = mutator.tree(tree[:4])
    data = hand_data(match, seat, key, name, 0)
    return [match, seat, key, name, world.net[sender].signer.sign(data)]


SIGNERS: Final[dict[str, Callable[[Mutator, World, str, Any], Any]]] = {
    "Entries": _sign_entries,
    "Submit": _sign_submit,
    "Chat": _sign_chat,
    "Accept": _sign_accept,
    "Grant": _sign_grant,
    "Consent": _sign_consent,
}

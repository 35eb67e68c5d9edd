"""Encrypted bags read by a second program, which was written from protocol.md alone."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import second_bag, second_match, second_node
from tests.second_bag import Bag, G, RefusedError, decode, encode, mul, same, sub, u64
from tests.test_vectors_games import resources

PLACE = Path(__file__).parent / "vectors" / "bag.json"
MASK, MIX, SPARE, LIFT, BLAME, OPEN, ROOT = 12, 13, 14, 15, 16, 7, 3


@cache
def vectors() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PLACE.read_text("utf-8"))
    return found


def raw(each: dict[str, Any], name: str) -> bytes:
    return bytes.fromhex(each[name])


def test_points_of_names_are_those_of_the_page() -> None:
    match = raw(vectors()["mixes"][0], "match")
    for kind, point in zip((0, 1, 26, 139), vectors()["tiles"], strict=True):
        assert encode(second_bag.big_p("tile", match, u64(kind))).hex() == point
    for index, point in zip((0, 1, 2, 140), vectors()["generators"], strict=True):
        assert encode(second_bag.g(index)).hex() == point


def test_masks_are_proved_to_be_somebodys() -> None:
    for each in vectors()["masks"]:
        parts = [raw(each, name) for name in ("match", "author", "mask", "spare")]
        second_bag.check_mask(*parts, raw(each, "proof"))
        secret = int.from_bytes(raw(each, "secret_mask"), "little")
        assert encode(mul(secret, G)) == parts[2]
        for at in range(4):
            changed = [*parts]
            changed[at] = parts[at][::-1] if at > 1 else bytes(32)
            with pytest.raises(RefusedError):
                second_bag.check_mask(*changed, raw(each, "proof"))


def test_parts_of_masks_are_those_that_two_can_work_out() -> None:
    [each] = vectors()["spares"]
    takers = [bytes.fromhex(key) for key in each["takers"]]
    for key, shared, point in zip(takers, each["shared"], each["points"], strict=True):
        data = raw(each, "match") + u64(each["epoch"]) + raw(each, "dealer") + key
        scalar = second_bag.big_s("spare", data, bytes.fromhex(shared))
        assert encode(mul(scalar, G)).hex() == point


def test_lifts_are_proved() -> None:
    for each in vectors()["lifts"]:
        shares = [
            (tile, bytes.fromhex(a), bytes.fromhex(d)) for tile, a, d in each["shares"]
        ]
        at = raw(each, "match"), raw(each, "author"), decode(raw(each, "mask"))
        second_bag.check_lift(*at, shares, raw(each, "proof"))
        lies = [
            [(shares[0][0] + 1, *shares[0][1:]), *shares[1:]],
            [(*shares[0][:2], encode(mul(2, decode(shares[0][2])))), *shares[1:]],
        ]
        for lie in lies:
            with pytest.raises(RefusedError):
                second_bag.check_lift(*at, lie, raw(each, "proof"))


def mix(each: dict[str, Any], **other: bytes) -> None:
    parts = {name: raw(each, name) for name in ("old", "new", "proof")}
    at = raw(each, "match"), raw(each, "author"), (each["round"], each["step"])
    second_bag.check_mix(*at, decode(raw(each, "common")), **{**parts, **other})


@pytest.mark.parametrize("number", range(5))
def test_a_bag_that_was_mixed_is_proved_to_be_the_same(number: int) -> None:
    mix(vectors()["mixes"][number])


@pytest.mark.parametrize("word", range(4 * 2 + 5))
def test_every_word_of_the_proof_of_a_mix_counts(word: int) -> None:
    each = vectors()["mixes"][1]
    words = second_bag.words(raw(each, "proof"))
    for junk in (bytes(32), words[word][::-1], encode(mul(word + 7, G))):
        with pytest.raises(RefusedError):
            mix(each, proof=b"".join([*words[:word], junk, *words[word + 1 :]]))


def test_another_deck_is_refused() -> None:
    each = vectors()["mixes"][2]
    new = raw(each, "new")
    for lie in (new[64:] + new[:64], new[:64] * 3, new[:-64], raw(each, "old")):
        with pytest.raises(RefusedError):
            mix(each, new=lie)


class SecretMatch(second_match.Match):
    """A whole log with an encrypted bag, by the second reader and the second rules."""

    def __init__(self, given: Any) -> None:
        super().__init__(given)
        self.bag: Bag
        self.mover = self.author = b""
        self.shown: dict[bytes, int] = {}

    def begin(self, said: Any) -> None:
        super().begin(said)
        second_node.need(self.terms[1][1] == "encrypted", "no encrypted bag")
        counts = self.game.kinds_counts
        kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
        seated = [key for key in self.members if key in self.holders]
        self.bag = Bag(self.match, kinds, seated)
        self.mover = seated[0]
        self.bag.begin(0, (), seated[0])

    def take(self, author: bytes, said: Any, place: tuple[int, int, bytes]) -> None:
        kind, rest = said[0], said[1:]
        self.author = author
        if kind in {ROOT, BLAME}:
            raise RefusedError("nobody deals, and nobody was blamed")
        if kind == OPEN:
            second_bag.need(not self.game.waits_for(), "an opening before the end")
            self.shown[author] = second_bag.number(rest[1])
            mask = mul(self.shown[author], G)
            second_bag.need(same(mask, self.bag.masks[author]), "another mask")
        elif kind == MASK:
            self.bag.mask(author, rest)
        elif kind == MIX:
            self.bag.mix(author, rest)
        elif kind == SPARE:
            self.bag.spare(author, rest)
        elif kind == LIFT:
            for tile in rest[0]:
                second_bag.need(self.owner(tile) not in {author, b""}, "not drawn")
            self.bag.lift(author, rest)
        else:
            if kind == second_node.TURN:
                self.mover = author
            super().take(author, said, place)

    def owner(self, tile: int) -> bytes:
        racks = enumerate(self.game.tiles.racks)
        return next((self.holders[seat] for seat, rack in racks if tile in rack), b"")

    def proof(self, tile: int, kind: int, salt: bytes, path: list[bytes]) -> None:
        second_bag.need(self.owner(tile) == self.author, "another's tile")
        self.bag.show(self.author, (tile, kind, salt, path))
        self.proofs += 1

    def chosen(self) -> list[Any] | None:
        if self.game.next_reveal():
            return ["reveal", min(self.game.tiles.unrevealed), -1]
        return super().chosen()

    def play(self, actor: int, move: list[Any]) -> None:
        tiles = self.game.tiles
        deal, left = tiles.deal, [*range(tiles.first, tiles.end), *sorted(tiles.back)]
        super().play(actor, move)
        if tiles.deal != deal:
            self.bag.begin(tiles.first, left, self.mover)

    def kind(self, tile: int) -> int:
        """Return a tile's kind, once every mask is shown."""
        a, b = map(decode, self.bag.pairs[tile])
        point = sub(b, mul(sum(self.shown.values()), a))
        kinds = range(len(self.game.kinds_counts))
        points = [second_bag.big_p("tile", self.match, u64(k)) for k in kinds]
        return next(kind for kind, each in enumerate(points) if same(each, point))


def read_through(data: bytes) -> SecretMatch:
    match = SecretMatch(resources)
    match.file(data)
    return match


def test_a_second_program_checks_a_whole_encrypted_match() -> None:
    """Every proof of it, and that all the tiles are what they were shown to be."""
    vector = vectors()["match"]
    match = read_through(raw(vector, "file"))
    assert match.number == vector["entries"]
    assert match.game.places() == vector["places"]
    assert match.agreed == 6, "positions that turns name"
    assert match.proofs > 10
    assert len(match.shown) == 2
    for tile, kind in vector["kinds"][:10]:
        assert match.kind(tile) == kind

"""Mutated match files, read in every way that a node reads them."""

import hashlib
from random import Random
from typing import Any, Final

from netplay.errors import Code, LocalError, PeerError
from netplay.record.hidden import Hidden
from netplay.record.ledger import Ledger, read_terms
from netplay.record.log import author_data
from netplay.record.store import MAGIC, SUFFIX, MemoryDisk, frame, records
from netplay.record.verify import verify
from tests.fuzz.mutation import Mutator, pack, unpack
from tests.fuzz.tally import Tally
from tests.fuzz.worlds import STRANGER, playing
from tests.netplay.memory_archive import MemoryArchive
from tests.netplay.party import Dice, Key

KEYS: Final = {key.key: key for key in map(Key, ("ann", "bob", "cyd", STRANGER))}

MATCHES: Final = 40
"""Files to begin with."""

ENTRIES: Final = 24
"""Of a changed file at the most, nine times in ten: every entry costs two signatures,
and what is wrong is found at the first that is."""


class Files:
    """Files of several games, changed."""

    def __init__(self, seed: int, tally: Tally) -> None:
        self.rng: Final = Random(seed)
        self.mutator: Final = Mutator(self.rng)
        self.tally: Final = tally
        self.matches: Final[list[list[bytes]]] = []
        self.secrets: Final[list[bytes]] = []
        while len(self.matches) < MATCHES:
            self._gather()

    def _gather(self) -> None:
        """Add the files of a match, somewhere between its beginning and its end."""
        world = playing(self.rng)
        for _ in range(self.rng.choice((1, 2, 4, 40))):
            world.go_on()
        world.net.close()
        for name, disk in world.net["ann"].archive.disks.items():
            if name.endswith(SUFFIX):
                self.matches.append([record.entry for record in records(disk.read())])
            elif len(disk.read()) > len(MAGIC):
                self.secrets.append(disk.read())

    def one(self) -> None:
        """Change a file, and read it in one of the ways."""
        if self.mutator.often(0.1):
            self._open_secrets()
            return
        data = self._changed()
        way = self.rng.random()
        if way < 0.5:
            self._verify(data)
        elif way < 0.9:
            self._go_on(data)
        else:
            self._look(data)

    # Reading.

    def _verify(self, data: bytes) -> None:
        """Check a file, as `netplay verify` does: it never raises anything."""
        with self.tally.one("verify", data, fine="verified"):
            verdict = verify(data)
            assert verdict.ok or verdict.reason
            assert verdict.verdict != "good" or not verdict.reason
            if not verdict.ok:
                raise PeerError(Code.BAD_LOG, verdict.reason)

    def _go_on(self, data: bytes) -> None:
        """Open a file to go on with it, as a node does at its start."""
        with self.tally.one("going on", data, fine="opened"):
            ledger = Ledger(MemoryDisk(data))
            ledger.file.sync()

    def _look(self, data: bytes) -> None:
        """Load a file that was sent, and read the terms as the list of matches does."""
        archive = MemoryArchive()
        archive.disks["sent"] = MemoryDisk(data)
        with self.tally.one("looking", data, fine="looked at"):
            entries = archive.read("sent").entries
            for entry in entries[:1]:
                read_terms(entry)

    def _open_secrets(self) -> None:
        """Open a changed file of secrets."""
        data = self._records_changed(
            [record.entry for record in records(self.rng.choice(self.secrets))]
        )
        with self.tally.one("secrets", data, fine="opened"):
            try:
                Hidden(MemoryDisk(data), Dice("x")).sync()
            except LocalError as error:
                assert error.code is Code.BAD_LOG
                raise PeerError(error.code) from error

    # Changing.

    def _changed(self) -> bytes:
        """Return a file with something wrong in it."""
        entries = self.rng.choice(self.matches)
        if not self.mutator.often(0.1):
            entries = entries[: self.rng.randint(1, ENTRIES)]
        if self.mutator.often(0.55):
            return self._records_changed(entries)
        return _file(self._signed(entries))

    def _records_changed(self, entries: list[bytes]) -> bytes:
        """Change bytes anywhere, records, or an entry under a good checksum."""
        rng, how = self.rng, self.rng.random()
        at = rng.randrange(len(entries))
        if how < 0.4:
            data = _file(entries)
            for _ in range(rng.choice((1, 1, 3))):
                data = self.mutator.flipped(data)
            return data
        if how < 0.6:
            other = rng.choice(rng.choice(self.matches))
            return _file(
                rng.choice(
                    (
                        [*entries[:at], *entries[at + 1 :]],
                        [*entries[: at + 1], *entries[at:]],
                        [*entries[:at], other, *entries[at:]],
                        entries[::-1],
                    )
                )
            )
        changed = self.mutator.payload(unpack(entries[at]))
        return _file([*entries[:at], changed, *entries[at + 1 :]])

    def _signed(self, entries: list[bytes]) -> list[bytes]:
        """Change what an entry says and sign it again, as its author and the host."""
        at = self.rng.randrange(len(entries))
        if at == 0:
            return [self._genesis(unpack(entries[0]))]
        fields: list[Any] = unpack(entries[at])[:8]
        terms = unpack(unpack(entries[0])[6])[1]
        match = hashlib.sha256(pack(terms)).digest()
        body = unpack(fields[6])
        if self.mutator.often(0.1):
            body = unpack(unpack(self.rng.choice(entries))[6])
        body = self.mutator.payload(body)
        author = KEYS[fields[4]]
        fields[6:8] = [body, author.sign(author_data(match, fields[5], body))]
        return [*entries[:at], _sealed(KEYS[terms[5][0][0]], match, fields)]

    def _genesis(self, entry: Any) -> bytes:
        """Return a genesis of changed terms that all members have signed."""
        fields: list[Any] = entry[:8]
        tag, terms, _ = unpack(fields[6])
        keys = [KEYS[key] for key, _ in terms[5]]
        terms = self.mutator.tree(terms)
        match = hashlib.sha256(pack(terms)).digest()
        signatures = [key.sign(b"netplay/1 terms\0" + match) for key in keys]
        body = pack([tag, terms, signatures])
        fields[6:8] = [body, keys[0].sign(author_data(match, 0, body))]
        return _sealed(keys[0], match, fields)


def _sealed(host: Key, match: bytes, fields: list[Any]) -> bytes:
    """Return an entry with the host's signature."""
    data = b"netplay/1 entry\0" + match + pack(fields)
    return pack([*fields, host.sign(data)])


def _file(entries: list[bytes]) -> bytes:
    """Return a match file."""
    return MAGIC + b"".join(map(frame, entries))

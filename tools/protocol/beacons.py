"""Vectors of beacons: whole datagrams, and what is not heard."""

from typing import Any, Final

import msgspec

from netplay.finding.discovery import MAGIC, Beacon, Offer, beacon_data
from netplay.limits import BEACON_BYTES
from netplay.wire import pack
from tools.protocol.signing import ANN, BOB

UNIX: Final = 1_700_000_000_000
"""Of the first, in milliseconds."""


def beacons() -> dict[str, Any]:
    """Return the vectors."""
    offers = Offer("numlo", 1), Offer("hexagrams", 0)
    table = Beacon(ANN.key, "Ann", 4770, offers, "0.1.0", asks=False, time=UNIX)
    later = msgspec.structs.replace(table, port=0, time=UNIX + 1)
    asks = Beacon(BOB.key, "", 0, (), "0.1.0", asks=True, time=UNIX)
    good = _datagram(table)
    other = msgspec.structs.replace(table, port=4771)
    false = {
        "of another version": b"netplay\x02" + good[len(MAGIC) :],
        "without a signature": MAGIC + pack(table),
        "signed by another": MAGIC + pack(table) + BOB.sign(beacon_data(pack(table))),
        "signed without its use": MAGIC + pack(table) + ANN.sign(pack(table)),
        "with another's signature": MAGIC + pack(other) + good[-64:],
        "a bit changed": good[:-1] + bytes([good[-1] ^ 1]),
        "a byte more": good + b"\0",
        "a byte less": good[:-1],
        "too long": good + bytes(BEACON_BYTES),
    }
    return {
        "heard": [_heard(table), _heard(asks), _heard(later)],
        "ignored": [
            {"name": name, "datagram": data.hex()} for name, data in false.items()
        ],
    }


def _datagram(beacon: Beacon) -> bytes:
    """Return the datagram of a beacon."""
    signer = ANN if beacon.key == ANN.key else BOB
    packed = pack(beacon)
    return MAGIC + packed + signer.sign(beacon_data(packed))


def _heard(beacon: Beacon) -> dict[str, Any]:
    """Return a beacon that is heard."""
    fields = msgspec.to_builtins(beacon, builtin_types=(bytes,))
    plain = [each.hex() if isinstance(each, bytes) else each for each in fields]
    return {"datagram": _datagram(beacon).hex(), "fields": plain}

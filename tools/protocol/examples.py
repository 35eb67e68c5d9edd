"""One or two examples of every message, body and struct that travels."""

from typing import Any, Final

from msgspec.structs import replace

from netplay.finding.discovery import Beacon, Offer
from netplay.messages.letters import (
    AskLeft,
    HandLetter,
    LeaveLetter,
    LetterKept,
    LetterReceipt,
    LettersFrom,
    LetterTaken,
    NothingLeft,
    SaidLeft,
)
from netplay.messages.link import (
    Bye,
    Carries,
    CloseLine,
    DialBack,
    DialedBack,
    Hello,
    LineBytes,
    LineTaken,
    NewName,
    OpenLine,
    Ping,
    Places,
    Pong,
    Ring,
    Tried,
    Welcome,
)
from netplay.messages.log import (
    Ack,
    Blame,
    Carried,
    Claim,
    Clock,
    Commit,
    Consent,
    Entries,
    Entry,
    Face,
    Fork,
    Genesis,
    Grant,
    Hand,
    Have,
    Hour,
    Judgement,
    Late,
    Lift,
    Linked,
    LinkTo,
    Mask,
    MatchTime,
    Mix,
    Open,
    Opening,
    Position,
    Proof,
    Receipt,
    Receipts,
    Refused,
    Response,
    Root,
    Seed,
    Share,
    Spare,
    Submit,
    Term,
    Ticks,
    Turn,
    Vacant,
    Wish,
)
from netplay.messages.table import (
    Accept,
    Admit,
    Ask,
    Attend,
    Beat,
    Beyond,
    Bystander,
    Bystanders,
    Chat,
    Decline,
    Heard,
    Member,
    OpenTable,
    OpenTables,
    Passed,
    PassOn,
    Piece,
    Proposal,
    Ready,
    SeatTerms,
    Terms,
    Ticket,
    UnseenBag,
    Want,
)
from netplay.wire import pack

MOST: Final = 2**53
OFFERS: Final = (Offer("numlo", 1), Offer("hexagrams", 0), Offer("", 0))


def filled(number: int, size: int = 32) -> bytes:
    """Return bytes that are easy to tell from others."""
    return bytes((number + at) % 256 for at in range(size))


MATCH: Final = filled(0x10)
KEYS: Final = (filled(0x40), filled(0x60), filled(0x80), filled(0xA0))
SIGNATURE: Final = filled(0xC0, 64)
PROOF: Final = Proof(7, 4, filled(0x20), (filled(0x21), filled(0x22)))
TERMS: Final = Terms(
    "numlo",
    1,
    pack(["othello"]),
    b"",
    b"",
    (Member(KEYS[0], "Ann"), Member(KEYS[1], "Bjørn")),
    (SeatTerms("person", "Ann", 0, 0), SeatTerms("computer", "HAL", 1, 50)),
    filled(0x30),
    0,
    (),
)
WORDS: Final = Terms(
    "networdz",
    UnseenBag(1, "encrypted"),
    b"\x90",
    filled(0x31),
    filled(0x32),
    (Member(KEYS[0], ""),),
    (SeatTerms("person", "", 0, 100),),
    filled(0x30),
    14,
    (KEYS[2],),
)
GUEST: Final = replace(
    TERMS, seats=(TERMS.seats[0], SeatTerms("browser", "Zoë", 0, 0), TERMS.seats[1])
)
RECEIPT: Final = LetterReceipt(
    KEYS[2], KEYS[0], KEYS[1], bytes(range(16)), filled(9), filled(6),
    1_700_000_000, 1_700_000_060, 1_701_814_460, SIGNATURE,
)  # fmt: skip
NOTHING: Final = NothingLeft(
    KEYS[2], KEYS[0], KEYS[1], bytes(range(16)), 1_700_000_000, 1_700_086_400, SIGNATURE
)

MESSAGES: Final[dict[type[Any], tuple[Any, ...]]] = {
    Hello: (
        Hello((1,), (), "Ann", "netplay 0.1.0", 4770, filled(1)),
        Hello((1, 2, MOST), ("alpha", "beta"), "", "", 0, bytes(32)),
    ),
    Welcome: (Welcome(1, ()), Welcome(2, ("alpha",))),
    Ping: (Ping(1), Ping(MOST)),
    Pong: (Pong(1), Pong(127), Pong(128), Pong(65536)),
    Bye: (Bye(0, ""), Bye(4, "a Pong without its Ping")),
    Ask: (Ask(b"", -1), Ask(filled(0x21), 3)),
    Proposal: (
        Proposal(3, TERMS, ("", "192.0.2.7:4770"), "ask", b""),
        Proposal(0, WORDS, (), "nobody", filled(0x22)),
        Proposal(4, GUEST, ("", "192.0.2.7:4770"), "ask", b""),
    ),
    Accept: (Accept(filled(0x21), 3, SIGNATURE),),
    Decline: (Decline(filled(0x21), 3, 15, "not these terms"), Decline(b"", 0, 13, "")),
    Ready: (Ready(filled(0x21), 3, 0), Ready(filled(0x21), 3, 3)),
    Want: (
        Want(filled(0x21), filled(0x31), 0),
        Want(filled(0x21), filled(0x31), 49152),
    ),
    Piece: (
        Piece(filled(0x21), filled(0x31), 5, 0, b"words"),
        Piece(filled(0x21), filled(0x31), 1, 0, b""),
    ),
    Chat: (Chat(filled(0x30), KEYS[0], 0, "schön, 漢字!", SIGNATURE),),
    Attend: (Attend(b""), Attend(MATCH)),
    OpenTables: (
        OpenTables(
            (
                OpenTable(filled(0x21), "numlo", 2, ("Ann", "Bjørn")),
                OpenTable(filled(0x22), "hexagrams", 0, ()),
            )
        ),
    ),
    Bystanders: (
        Bystanders(MATCH, (), (), ()),
        Bystanders(MATCH, (Bystander(KEYS[2], "Zoë", watches=True),), (0,), (3,)),
    ),
    Admit: (Admit(MATCH, KEYS[2], allow=False),),
    PassOn: (PassOn(b"", 1), PassOn(MATCH, 4)),
    Ticket: (
        Ticket(MATCH, KEYS[0], KEYS[2], KEYS[3], 1_800_000_030, SIGNATURE, ""),
        Ticket(MATCH, KEYS[0], KEYS[2], KEYS[3], 30, SIGNATURE, "203.0.113.7:4770"),
    ),
    Beat: (
        Beat(MATCH, KEYS[0], 1_800_000_000, 17, (), (), (), False, SIGNATURE),
        Beat(MATCH, KEYS[0], 1, 0, (0,), (3,), (KEYS[2], KEYS[3]), True, SIGNATURE),
    ),
    Passed: (Passed(MATCH, KEYS[3], KEYS[2], here=True),),
    Beyond: (
        Beyond(MATCH, (), (KEYS[3],)),
        Beyond(MATCH, (Bystander(KEYS[2], "Zoë", watches=True),), ()),
    ),
    Heard: (
        Heard(filled(0x30), (), asks=True),
        Heard(filled(0x30), ((KEYS[0], 12), (KEYS[1], 0)), asks=False),
    ),
    Have: (Have(MATCH, 0, 0, bytes(32)), Have(MATCH, 2, 512, filled(3))),
    Submit: (Submit(MATCH, 5, b"\x93\x02\x00\xc4\x00", SIGNATURE),),
    Refused: (Refused(MATCH, 5, SIGNATURE, 16, ""),),
    Entries: (Entries(MATCH, ()), Entries(MATCH, (b"\x99", b"\x90"))),
    Ack: (
        Ack(MATCH, 1, 512, filled(3), filled(7), SIGNATURE),
        Ack(MATCH, 0, 0, bytes(32), b"", SIGNATURE),
    ),
    Opening: (Opening(MATCH, ()), Opening(MATCH, (PROOF, PROOF))),
    Share: (Share(MATCH, 1, filled(5)),),
    Claim: (Claim(MATCH, 1, 512, filled(3)),),
    Grant: (Grant(MATCH, 1, 512, filled(3), SIGNATURE),),
    Fork: (Fork(MATCH, b"\x99", b"\x98"),),
    Consent: (Consent(MATCH, 2, KEYS[3], "Zoë", SIGNATURE),),
    Linked: (
        Linked(MATCH, ()),
        Linked(MATCH, (LinkTo(KEYS[0], 1), LinkTo(KEYS[2], 7))),
    ),
    Carried: (
        Carried(
            *(MATCH, KEYS[0], KEYS[2], b"\x17" * 16, bytes(16), 0, b"\x93", SIGNATURE)
        ),
    ),
    Receipts: (
        Receipts(MATCH, (Receipt(KEYS[1], 1, 512, filled(3), filled(7), SIGNATURE),)),
    ),
    MatchTime: (MatchTime(MATCH, 83_000),),
    Hour: (Hour(MATCH, 1_800_000_000),),
    Vacant: (Vacant(MATCH, (1,)), Vacant(MATCH, ())),
    DialBack: (
        DialBack(1, 4770, ("192.168.0.12:4770", "[2001:db8::12]:4770")),
        DialBack(2, 4770, ()),
    ),
    DialedBack: (
        DialedBack(
            1,
            (
                Tried("198.51.100.3:4770", reached=True, reason=""),
                Tried("[2001:db8::12]:4770", reached=False, reason="it says nothing"),
            ),
        ),
        DialedBack(2, ()),
    ),
    Places: (
        Places(
            KEYS[0],
            1_700_000_000,
            ("192.168.0.12:4770", "[2001:db8::12]:4770", "[fe80::1]:4770"),
            SIGNATURE,
            (bytes(range(16)), bytes(range(1, 17))),
        ),
        Places(KEYS[1], 0, (), SIGNATURE, ()),
        Places(
            KEYS[1],
            MOST,
            ("via/ABCDEFGHIJKLMNOPQRST@[2001:db8::12]:4770",),
            SIGNATURE,
            (),
        ),
    ),
    NewName: (NewName("Ann"), NewName("")),
    Carries: (Carries(carries=True, letters=True),),
    OpenLine: (OpenLine(1, "ABCDEFGHIJKLMNOPQRST"),),
    Ring: (Ring(2, "ABCD-EFGH-IJKL-MNOP-QRST"),),
    LineBytes: (LineBytes(1, b"\x16"),),
    LineTaken: (LineTaken(2, 16_384),),
    CloseLine: (CloseLine(1, 0, ""), CloseLine(3, 15, "the proposal was declined")),
    LettersFrom: (LettersFrom((KEYS[0],)), LettersFrom(())),
    LeaveLetter: (
        LeaveLetter(KEYS[1], bytes(range(16)), 0, b"\x16", 7, b""),
        LeaveLetter(KEYS[1], bytes(range(16)), 15, b"\x16", 35, filled(9)),
    ),
    LetterKept: (
        LetterKept(filled(6), 0, "", (RECEIPT,)),
        LetterKept(filled(6), 15, "no", ()),
    ),
    HandLetter: (HandLetter(b"\x16"),),
    LetterTaken: (LetterTaken(filled(6)),),
    AskLeft: (AskLeft(KEYS[0], KEYS[1], bytes(range(16)), 1_700_000_000),),
    SaidLeft: (
        SaidLeft(bytes(range(16)), (RECEIPT,), ()),
        SaidLeft(bytes(range(16)), (), (NOTHING,)),
        SaidLeft(bytes(range(16)), (), ()),
    ),
}
"""Of every message between nodes; the contents mean nothing."""

BODIES: Final[dict[type[Any], tuple[Any, ...]]] = {
    Genesis: (Genesis(TERMS, (SIGNATURE, SIGNATURE)),),
    Commit: (Commit(0, filled(1)),),
    Seed: (Seed(0, filled(2)),),
    Root: (Root(1, filled(3), 100, (filled(4), filled(5))), Root(1, filled(3), 1, ())),
    Turn: (
        Turn(0, filled(3), filled(7), b"\x92\xa5place\x2a", ()),
        Turn(3, bytes(32), bytes(32), b"", (PROOF,)),
    ),
    Ticks: (
        Ticks(1, 90, ((60, b"\x91\xa4drop"), (61, b"\x91\xa6rotate")), filled(7)),
        Ticks(0, 1, (), b""),
    ),
    Clock: (Clock(filled(7), b"\x91\xa6expire"),),
    Position: (Position(filled(3), filled(7)),),
    Open: (Open(1, filled(6)),),
    Term: (Term(1, ((1, SIGNATURE), (2, SIGNATURE))),),
    Hand: (Hand(2, KEYS[3], "Zoë", ((0, SIGNATURE),)),),
    Face: (Face((PROOF,)),),
    Mask: (Mask(filled(8), filled(9), filled(0xB0, 96)),),
    Mix: (
        Mix(1, 0, filled(3), filled(0x11, 64), filled(0x12, 288)),
        Mix(MOST, 3, filled(3), b"", b""),
    ),
    Spare: (Spare(0, (filled(8), filled(9)), filled(0xD)), Spare(1, (), bytes(32))),
    Lift: (
        Lift((7, 9), (filled(8), filled(9)), SIGNATURE),
        Lift((0,), (filled(8),), SIGNATURE),
    ),
    Late: (Late(1, filled(3), filled(7), 1_800_000_000, (NOTHING,)),),
    Judgement: (
        Judgement(filled(3), agrees=True, receipts=()),
        Judgement(filled(7), agrees=False, receipts=()),
    ),
    Wish: (
        Wish(1, "draw", 0, filled(3), filled(7)),
        Wish(0, "days", 14, filled(3), filled(7)),
    ),
    Response: (
        Response(2, filled(3), agrees=True),
        Response(0, filled(3), agrees=False),
    ),
    Blame: (Blame(1, KEYS[2], filled(8), SIGNATURE),),
}
"""Of every body of the log."""

STRUCTS: Final[dict[type[Any], tuple[Any, ...]]] = {
    Terms: (TERMS, WORDS),
    Beacon: (
        Beacon(KEYS[0], "Ann", 4770, OFFERS, "0.1.0", asks=False, time=1000),
        Beacon(KEYS[0], "", 0, (), "0.1.0", asks=True, time=2**53),
    ),
    Proof: (PROOF, Proof(0, 0, filled(0x20), ())),
    Entry: (
        Entry(9, 0, filled(3), 1234, KEYS[1], 2, b"body", SIGNATURE, SIGNATURE),
        Entry(0, 0, bytes(32), 0, KEYS[0], 0, b"", SIGNATURE, SIGNATURE),
    ),
}
"""Of the structs that are signed or hashed by themselves."""

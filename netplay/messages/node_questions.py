"""What windows and commands ask of the node: whom it knows, how it is reached.

And about words and editions, those of the user's own above all: an edition is given by
its name, a list by name, digest or path.
"""

from typing import Literal, TypeAlias

from netplay.messages.table_questions import GetFinished
from netplay.messages.types import DoorMessage, Natural
from netplay.said import Said, Words


class GetKnown(DoorMessage, frozen=True, tag="known"):
    """Reply with every node that was met or blocked, as `KnownNode`s."""


class Forget(DoorMessage, frozen=True, tag="forget"):
    """Trust another key from now on."""

    whom: str
    """A key, a name or an address."""


class Block(DoorMessage, frozen=True, tag="block"):
    """Hear from a player never again."""

    whom: str
    """A key or a name."""


class Unblock(DoorMessage, frozen=True, tag="unblock"):
    """Hear a player again who was blocked."""

    whom: str
    """A key or a name."""


class GetInvitation(DoorMessage, frozen=True, tag="invitation"):
    """Reply with the line that leads a friend to this node.

    Whoever pastes it is looked for in the DHT, if that is used.
    """

    shown: bool = False
    """It is not given to anybody now, and nobody is looked for because of this."""


Setting: TypeAlias = Literal[
    "beacon", "map-port", "ask-servers", "dht", "offensive-words", "pace", "pass-on",
    "greet",
]  # fmt: skip
"""What is on or off; the name by which it is kept, too."""


class Switch(DoorMessage, frozen=True, tag="switch"):
    """Switch something on or off, for later starts too."""

    setting: Setting
    on: bool


Carry: TypeAlias = Literal["off", "known", "friends"]
"""For whom a node carries: nobody, those whom its player knows, or also those whom
these want or let in."""


class SetCarry(DoorMessage, frozen=True, tag="carry"):
    """Carry for others, for later starts too."""

    carry: Carry


class AddCarrier(DoorMessage, frozen=True, tag="through"):
    """Be reached through a friend's node."""

    invitation: str


class RemoveCarrier(DoorMessage, frozen=True, tag="not-through"):
    """Be reached so no longer."""

    whom: str
    """An invitation, a key or a name."""


class Befriend(DoorMessage, frozen=True, tag="befriend"):
    """Treat a node that was met as one whom the player has called."""

    whom: str
    """A key or a name."""


class Succeed(DoorMessage, frozen=True, tag="succeed"):
    """Take a friend back who has lost the key and has another one now."""

    whom: str
    """The friend, by the old key or the name."""
    key: str
    """The new fingerprint, or an invitation with it; a name would prove nothing."""


class KeepCopy(DoorMessage, frozen=True, tag="keep-copy"):
    """Keep an encrypted copy of everything fresh in a folder."""

    folder: str
    """As it was typed."""
    phrase: str
    """With which it opens."""


class KeepNoCopy(DoorMessage, frozen=True, tag="keep-no-copy"):
    """Make no more copies, and do not offer to."""


class BringHome(DoorMessage, frozen=True, tag="bring-home"):
    """Go on with what another computer has exported, in place of what is here."""

    file: str
    """As it was typed."""
    phrase: str
    """With which it opens."""


class LookForNews(DoorMessage, frozen=True, tag="look-for-news"):
    """Look for notices of security releases at a place, now and once a day."""

    place: str
    """A file or an address of the web, as it was typed; empty: look no more."""


TileColour: TypeAlias = Literal["", "green", "blue", "red", "violet", "grey"]
"""Of a friend's tile; nothing for that of any other tile."""


class Personal(DoorMessage, frozen=True):
    """What the player has noted of a friend; nobody else is told."""

    called: str = ""
    """What the player calls the friend; empty for the friend's own name."""
    note: str = ""
    letter: str = ""
    """On the tile; empty for the first of the name."""
    colour: TileColour = ""


class Describe(DoorMessage, frozen=True, tag="describe"):
    """Note something of a node that was met, instead of what was noted before."""

    whom: str
    """A key or a name."""
    personal: Personal


class WriteTo(DoorMessage, frozen=True, tag="write"):
    """Write to a friend, with whom there need be no table."""

    whom: str
    """A key or a name."""
    text: str


class GetTalk(DoorMessage, frozen=True, tag="talk"):
    """Reply with what was written to and by a friend, as `Talked`."""

    whom: str
    """A key or a name."""
    read: bool = True
    """The player sees it: nothing of it is unread any more."""


class TalkedLine(DoorMessage, frozen=True):
    """A line that was written without a table."""

    text: str
    at: Natural
    """Unix time in seconds when it was said, or came here."""
    mine: bool
    there: bool
    """Of the player's own: it is at the friend's."""


class Talked(DoorMessage, frozen=True):
    """What the player and a friend have written to each other, as far as it is kept."""

    key: str
    """The friend's fingerprint."""
    lines: tuple[TalkedLine, ...]
    by: str = ""
    """Who keeps what the friend, who is away, does not have yet; empty for nobody."""


class Correspondent(DoorMessage, frozen=True):
    """A friend with whom something was written."""

    key: str
    unread: int
    """Lines of the friend's that the player has not seen."""
    lines: int
    waiting: int
    """Lines of the player's that the friend does not have yet."""


class SetPort(DoorMessage, frozen=True, tag="port"):
    """Listen at another port from the next start."""

    port: str
    """As it was typed."""


class NameEntries(DoorMessage, frozen=True, tag="dht-nodes"):
    """Enter the public DHT by these nodes from now on, if it is used."""

    nodes: str
    """Addresses, with spaces or commas between; empty for the usual ones."""


class NameServers(DoorMessage, frozen=True, tag="servers"):
    """Ask these public servers where our calls come from, instead of the usual ones."""

    servers: str
    """Addresses, as they were typed; nothing for the usual ones."""


class CheckReach(DoorMessage, frozen=True, tag="reach"):
    """Reply whether others reach this node, once they have tried."""


class CountWindows(DoorMessage, frozen=True, tag="windows"):
    """Reply how many windows are open."""


class ShowLine(DoorMessage, frozen=True, tag="show-line"):
    """Show an invitation that was clicked in a window that is open.

    Reply what was done, or nothing where no window has taken it.
    """

    line: str


class Shown(DoorMessage, frozen=True, tag="shown"):
    """This window has taken what was `Clicked`."""

    number: Natural


class PutAway(DoorMessage, frozen=True, tag="put-away"):
    """Tell of a fault no more, in no window, as long as this node lives."""

    fault: Said


class Pair(DoorMessage, frozen=True, tag="pair"):
    """Let one browser of the owner's in, once and for some minutes; reply `Paired`."""

    here: bool
    """On this computer alone; else from the local network, over TLS."""


class Paired(DoorMessage, frozen=True):
    """What lets a browser in."""

    link: str
    """With a code that is good once."""
    fingerprint: str
    """Of the certificate there; empty where there is none."""


class GetDevices(DoorMessage, frozen=True, tag="devices"):
    """Reply with the browsers of the owner's that are let in: (name, Unix time)."""


class ForgetDevice(DoorMessage, frozen=True, tag="forget-device"):
    """Let a browser of the owner's in no more; reply with the others."""

    name: str


class CodeWithdrawn(DoorMessage, frozen=True, tag="code-withdrawn"):
    """The pages have let no code be good any more: too many wrong ones were shown."""


NodeQuestion: TypeAlias = (
    GetKnown
    | Pair
    | CodeWithdrawn
    | GetDevices
    | ForgetDevice
    | PutAway
    | Forget
    | Block
    | Unblock
    | GetInvitation
    | Switch
    | SetPort
    | NameServers
    | NameEntries
    | SetCarry
    | AddCarrier
    | RemoveCarrier
    | Befriend
    | Describe
    | WriteTo
    | GetTalk
    | Succeed
    | KeepCopy
    | KeepNoCopy
    | BringHome
    | LookForNews
    | CheckReach
    | CountWindows
    | ShowLine
    | Shown
    | GetFinished
)


# Other nodes as windows show them: on a link, met before, found nearby.


class PeerStatus(DoorMessage, frozen=True):
    """A node this one knows of."""

    name: str
    key: str
    address: str
    connected: bool
    since: int
    doubt: Words = ""
    """As of a seat."""
    through: str = ""
    """Who carries the link, by name; empty where nobody does."""
    udp: bool = False
    """The link goes over UDP."""


class KnownNode(DoorMessage, frozen=True):
    """A node that was met before: what the verb `peers` tells."""

    name: str
    key: str
    """Its fingerprint."""
    addresses: tuple[str, ...]
    """Where it was last, the latest first."""
    trusted: tuple[str, ...]
    """Addresses at which only its key will do."""
    blocked: bool = False
    """Nothing is heard from it."""
    doubt: Words = ""
    """As of a seat."""
    personal: Personal = Personal()


class Neighbour(DoorMessage, frozen=True):
    """A node found on the network."""

    address: str
    name: str
    """Of the host's player, or of the one who waits to be called."""
    game: str
    """Empty for one who waits."""
    free: int
    """Seats, 0 for a match that may be watched."""
    version: str
    key: str = ""
    """Its fingerprint."""
    doubt: Words = ""
    """As of a seat."""
    invitation: str = ""
    """How to call it, so that no other node will do."""


# What a window shows of lines: those carried for others, and who carries for us.


class CarrierStatus(DoorMessage, frozen=True):
    """A friend's node through which this one may be reached."""

    name: str
    invitation: str
    state: Literal["away", "carries", "declines"]


class CarryStatus(DoorMessage, frozen=True):
    """What is carried, for others and for us."""

    carry: Carry = "off"
    lines: int = 0
    """Carried for others now."""
    carried: Natural = 0
    """KiB, since the node was started."""
    letters: int = 0
    """Kept for others now."""
    carriers: tuple[CarrierStatus, ...] = ()
    """Through whom this node may be reached."""


class CopyStatus(DoorMessage, frozen=True):
    """The encrypted copy of everything that the node keeps fresh."""

    folder: str = ""
    """Where it is; empty: none is made."""
    made: int = 0
    """Unix time of the last, 0 if there is none."""
    offers: bool = False
    """The player might want one, has somebody to lose, and has not said yet."""
    place: str = ""
    """A folder to propose: that of another disk, if one is there."""


# How others find a node and reach it, as windows show it.


Reached: TypeAlias = Literal["unknown", "no", "computer", "network", "internet"]
"""From how far away others have reached this node, as far as is known."""


class PlaceStatus(DoorMessage, frozen=True):
    """A place where this node may be reached."""

    address: str
    """As others must type it."""
    scope: Literal["network", "link", "internet"]
    """From where."""
    source: Literal["own", "router", "outside", "seen"]
    """An interface's address; the router passes the port on; the router's address, and
    nobody says that it does; a friend has seen us there."""
    by: str = ""
    """Who has tried it, empty for nobody yet."""
    ago: Natural = 0
    """Seconds since."""
    failed: Words = ""
    """Why that friend has not reached us there, empty if it has."""


DhtStands: TypeAlias = Literal["off", "lacks", "rests", "silent", "looks", "waits"]
"""Whether the DHT is used: not installed, nobody missing, no entry node answers, so;
and only for who comes by an invitation."""

PortsKind: TypeAlias = Literal["unknown", "keeps", "steady", "random", "web"]
"""What a router does with the port where a node listens: see `outside`."""

Inviting: TypeAlias = Literal[
    "fine", "near", "random", "meets", "calls", "web", "nowhere"
]
"""Of an invitation: it names a place of the internet; it does not; it cannot.  In the
DHT whoever has it is looked for: the next two, instead of the two before.  And one of a
network that lets out the web alone."""


class Network(DoorMessage, frozen=True):
    """How others find this node and reach it."""

    beacon: bool = False
    """Its open table is told to the network, and those of others are heard."""
    map_port: bool = False
    """The router is asked to pass the port on."""
    ask_servers: bool = False
    """Public servers are asked where our calls come from."""
    may_ask: bool = False
    """It might be, others may want to come, and the player has not said yet."""
    mapping: Words = ""
    """What became of that."""
    servers: tuple[str, ...] = ()
    """The public servers that are asked, or would be."""
    may_ask_servers: bool = False
    """They might be, it would help, and the player has not said yet."""
    dht: bool = False
    """Missing friends are looked for in the public DHT."""
    may_ask_dht: bool = False
    """They might be, it would help now, and the player has not said yet."""
    dht_nodes: tuple[str, ...] = ()
    """The nodes by which it is entered, or would be."""
    dht_stands: DhtStands = "off"
    dht_missing: int = 0
    """How many friends are looked for there."""
    external: str = ""
    """Where the router passes it on, empty if it does not."""
    reach: Reached = "unknown"
    reached: Words = ""
    """The same as a sentence."""
    places: tuple[PlaceStatus, ...] = ()
    """All the places of this node, the most likely first: what an invitation names."""
    ports: PortsKind = "unknown"
    """What the router does with our port."""
    outer: int = 0
    """What it makes of it, if that is steady."""
    inviting: Inviting = "fine"
    """What is to be known of an invitation that leads here now."""
    carry: CarryStatus = CarryStatus()
    greet: bool = True
    """Friends are called now and then, so that both see who is awake."""


class CheckWord(DoorMessage, frozen=True, tag="check-word"):
    """Reply whether a word is in a list; the data is `yes` or `no`."""

    edition: str
    words: str
    word: str


class DefineWords(DoorMessage, frozen=True, tag="define-words"):
    """Reply what words mean; the data is a line each, the word, a tab, its meaning.

    Those of which the list does not say it are left out.
    """

    words: str
    """The list, by its digest."""
    listed: tuple[str, ...]


Search: TypeAlias = Literal["pattern", "anagrams", "hooks"]
"""What is known of words that are looked for."""


class SearchWords(DoorMessage, frozen=True, tag="search-words"):
    """Reply with the words that fit; the data is one a line, the likeliest first."""

    edition: str
    words: str
    how: Search
    text: str


class RateTiles(DoorMessage, frozen=True, tag="rate-tiles"):
    """Reply what tiles kept on the rack are worth with the words of a list."""

    edition: str
    words: str
    tiles: str


class ChangeWords(DoorMessage, frozen=True, tag="change-words"):
    """Add a word to a list, or delete it."""

    change: Literal["add", "delete"]
    edition: str
    words: str
    """The list as it is."""
    into: str
    """The name of the changed one, one of the user's own."""
    word: str


class ImportWords(DoorMessage, frozen=True, tag="import-words"):
    """Make a list of a file of text."""

    edition: str
    into: str
    """Its name, one of the user's own."""
    path: str


class ExportWords(DoorMessage, frozen=True, tag="export-words"):
    """Write a list as text."""

    edition: str
    words: str
    path: str
    over: bool = False
    """What lies there may go."""


class OpenEdition(DoorMessage, frozen=True, tag="open-edition"):
    """Reply with an edition."""

    name: str
    """Or path."""


class WriteEdition(DoorMessage, frozen=True, tag="write-edition"):
    """Write an edition to a file."""

    path: str
    text: str
    over: bool = False
    """What lies there may go."""


class SaveEdition(DoorMessage, frozen=True, tag="save-edition"):
    """Keep an edition as one of the user's own."""

    name: str
    text: str


WordQuestion: TypeAlias = (
    CheckWord
    | DefineWords
    | SearchWords
    | RateTiles
    | ChangeWords
    | ImportWords
    | ExportWords
    | OpenEdition
    | WriteEdition
    | SaveEdition
)

"""The nodes this one has met: names, addresses, and which key answered where.

The first key that answers at an address is trusted and remembered.  Another key at that
address later stops loudly: it may be somebody in between.  Only what this node itself
dialled is remembered so; what a peer says of itself never is.

A name belongs to the key that was the first to be known by it: another key that comes
under it, or under one that looks like it, is told of wherever the name is shown.
Friends who go by one name are numbered, so that each can be meant.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast
from zlib import crc32

from msgspec import Struct, ValidationError, convert
from msgspec.structs import astuple, replace

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint, folded
from netplay.home import DAMAGED, read_json, set_aside, write_whole
from netplay.limits import BLOCKED, PEERS_REMEMBERED
from netplay.messages.link import Places
from netplay.messages.node_questions import Personal
from netplay.messages.types import KEY_BYTES, PLACE_CHARACTERS, PLACES
from netplay.named_files import OWN_BYTES, read_named
from netplay.peering.address import parse
from netplay.said import Said, Words
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.wire import pack, unpack

# Letters and signs of all alphabets that look like Latin letters or digits.
#
# Mostly from `confusables.txt` of the Unicode Security Mechanisms (UTS #39), the
# licence of which lies beside this file; Coptic, Hebrew, Arabic, small capitals,
# letters with hooks and bars, and letters in boxes and circles were added. What a
# compatibility decomposition (NFKD) turns into Latin letters is left out.

LOOK_ALIKES: Final = {
    "2": "ƧϨᒿꙄꛯꝚ",
    "3": "ƷȜЗӠⳌꝪꞫ𑣊𖼻𝈆",
    "4": "Ꮞ𑢯",
    "5": "Ƽ𑢻",
    "6": "бᏮⳒ𑣕",
    "7": "𐓒𑣆𝈒",
    "8": "Ȣȣ৪੪𐌚",
    "9": "৭੧୨൭ⳊꝮ𑢬𑣌𑣖",
    "a": "ȺɐɑΑαАаᎪᗅᗩᴀ∀⍺⒜ⱥꓮ𐊠𖽀🄐🄰🅐🅰🇦",
    "aa": "Ꜳꜳ",
    "ae": "ÆæӔӕ",
    "ao": "Ꜵꜵ",
    "ar": "🜇",
    "au": "Ꜷꜷ",
    "av": "ꜸꜹꜺꜻ",
    "ay": "Ꜽꜽ",
    "b": "ƀƁƂƃƄɃɓʙΒВЬ฿ᏏᏴᑲᖯᗷḇⲂⲃꓐꞴ𐊂𐊡𐌁🄱🅑🅱🇧",
    "bl": "Ы",
    "c": "¢ȻȼʗϲϹСсᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲🄲🅒🅲🇨🝌",
    "d": "ƊƋƌɗԁժᎠᏧᑯᗞᗪꓒꓓ🄳🅓🅳🇩",
    "dz": "ʣ",
    "e": "ƎƐǝɘɛΕЄЕеєҽᎬ€℮⋿ⴹꓰꬲ𐊆𑢦𑢮🄴🅔🅴🇪",
    "f": "ƑϜքᖴẝꓝꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂𝈓🄵🅕🅵🇫",
    "g": "ƍǤǥɡɢԌցᏀᏳᶃꓖ🄶🅖🅶🇬",
    "h": "ĦħʜΗНһԧհᎻᏂᕼⱧⱨⲎⵁꓧ𐋏🄷🅗🅷🇭",
    "i": "¡ıƗɨɩɪιіӏᎥ⍳ꙇꭵ𑣃🄸🅘🅸🇮",
    "j": "ɈɉʝͿϳЈјᎫᒍꓙꞲ🄹🅙🅹🇯",
    "k": "ĸƘƙΚКᏦᛕᴋ₭ⱩⱪⲔꓗ𐔘🄺🅚🅺🇰",
    "l": "£ŁłƖƚǀȽɭʟΙІӀוןا۱Ꮮᒪᛁ∣⏽ⱠⱡⲒⳐⵏꓡꓲ𐊊𐌉𐌠𐐛𐔦𑢣𑢲𖼖𖼨𝈪🄻🅛🅻🇱",
    "ll": "ǁ‖∥",
    "lo": "Ю",
    "ls": "ʪ",
    "lt": "₶",
    "lz": "ʫ",
    "m": "ɱʍΜϺМᎷᗰᛖᴍṃⱮⲘꓟ𐊰𐌑🄼🅜🅼🇲",
    "mb": "🝫",
    "n": "ŊŋƝƞȠɲɴΝηղոռⲚꓠ𐔓🄽🅝🅽🇳",
    "o": ("ØøƟɵʘΟοσϴОоӨөՕօסهھہە۵०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐᴏᴑⲞⲟⵔ〇ꓳꬽ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑓐𑢵𑣈𑣗𑣠🄾🅞🅾🇴"),
    "oe": "Œœ",
    "oo": "∞ꚘꚙꝎꝏ",
    "p": "ƤƥΡρРрᏢᑭᴘ⍴ⱣⲢⲣꓑ𐊕🄿🅟🅿🇵",
    "q": "Ɋɋԛգզⵕꞯ🅀🅠🆀🇶",
    "qe": "🜀",
    "r": "ƦɌɍʀгᎡᏒᖇᴦⲅꓣꭇꭈꮁ𐒴𖼵𝈖🅁🅡🆁🇷",
    "rn": "𑜀𑣣",
    "s": "§ƽʂЅѕՏᏕᏚꓢꜱꮪ𐊖𐐠𐑈𑣁𖼺🅂🅢🆂🇸",
    "sss": "🝜",
    "t": "†ŦŧƬƭƮȾʈΤТᎢᴛ⊤⟙ⱦⲦꓔ𐊗𐊱𐌕𑢼𖼊🅃🅣🆃🇹🝨",
    "t3": "Ꜩ",
    "tf": "ꝷ",
    "ts": "ʦ",
    "u": "ɄʉʋυՍսሀᑌᴜᶙ∪⋃ꓴꞟꭎꭒ𐓎𐓶𑢸𑣘𖽂🅄🅤🆄🇺",
    "ue": "ᵫ",
    "uo": "ꭣ",
    "v": "ƲνѴѵ۷ᏙᐯᴠỼ∨⋁ⱱⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈𝈍🅅🅥🆅🇻",
    "vb": "🝬",
    "w": "ɯωѡԜԝաᎳᏔᴡẁⱲⱳꓪꮃ𑜊𑜎𑜏𑣦𑣯🅆🅦🆆🇼",
    "x": "×ΧχХхᕁᕽ᙭᙮ᚷ╳⤫⤬⨯ⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬🅇🅧🆇🇽",
    "y": "¥ƳƴɎɏɣʏΥγУуҮүყᎩᎽᶌỿⲨꓬꭚ𐊲𑢤𑣜𖽃🅈🅨🆈🇾",
    "z": "ƵƶȤȥʐΖᏃᴢⱫⱬⴭꓜꮓ𐋵𑢩𑣄𑣥🅉🅩🆉🇿",
}
"""What it looks like, in small letters -> all that looks so."""


# Names that look alike: whoever takes a known one under another key is told of.
#
# Two names are alike if people would read them as one: whatever the case, the spaces
# and signs between the letters, the accents, and the alphabet that a letter of that
# look comes from. It is better to warn of one name too many than of one too few.

_LETTERS: Final = {
    ord(one): look for look, alike in LOOK_ALIKES.items() for one in alike
}

_SMALL: Final = str.maketrans("εκτвгкмнптьєđð01358|!$@¦", "ektbrkmhntbeddolesbllsal")
"""Small letters whose capitals look Latin, and signs that look like a letter."""

_PAIRS: Final = (("i", "l"), ("rn", "m"), ("vv", "w"), ("cl", "d"))
"""What looks like one letter, or like another: single letters first, so that what is
alike stays alike, however often it is looked at."""


@lru_cache(maxsize=4096)
def looks(name: str) -> frozenset[str]:
    """Return how a name looks as it stands, and in capitals.

    Greek has letters that look Latin in one case only.

    Args:
        name: Of a player, sanitised.
    """
    return frozenset((_look(name), _look(name.upper()))) - {""}


def alike(one: str, other: str) -> bool:
    """Tell whether people may take a name for another."""
    return not looks(one).isdisjoint(looks(other))


def _look(name: str) -> str:
    """Return what all names have in common that look like this one."""
    bare = name
    for _ in range(2):  # what is left in plain letters may look like others
        # A text in plain letters: accents, widths and styles are taken off
        apart = unicodedata.normalize("NFKD", bare.translate(_LETTERS))
        bare = "".join(c for c in apart if not unicodedata.combining(c))
    bare = bare.casefold().translate(_SMALL)
    letters = "".join(c for c in bare if c.isalnum())
    for pair, letter in _PAIRS:
        letters = letters.replace(pair, letter)
    return letters or "".join(bare.split())


# The keys that this node's player never wants to hear from again.
#
# They are told nothing: a connection of theirs is closed as soon as the handshake has
# shown the key, before a word is said.


def _nothing() -> None:
    """Tell nobody."""


class Blocked:
    """The file of blocked keys."""

    def __init__(self, path: Path | None) -> None:
        """Read the file; without one nobody is blocked.

        Args:
            path: Where it lies; None to keep nothing.

        Raises:
            LocalError: DISK, it is damaged: nobody is to be let in again unnoticed.
        """
        self._path: Final = path
        self._names: dict[bytes, str] = {}
        self.changed: Callable[[], None] = _nothing
        """Told when somebody has been added or removed."""
        if path is not None:
            self._names = _read(path)

    def __contains__(self, key: object) -> bool:
        """Tell whether a key is blocked."""
        return key in self._names

    def all(self) -> Mapping[bytes, str]:
        """Return the keys, the latest last, with what their players were called."""
        return self._names

    def add(self, key: bytes, name: str) -> None:
        """Block a key.

        Raises:
            LocalError: USAGE, too many are blocked; or DISK.
        """
        if key not in self._names and len(self._names) >= BLOCKED:
            detail = Says.BLOCKED_FULL(count=BLOCKED)
            raise LocalError(Code.USAGE, detail)
        self._write({**self._names, key: name})

    def remove(self, key: bytes) -> None:
        """Block a key no longer.

        Raises:
            LocalError: DISK.
        """
        self._write({k: name for k, name in self._names.items() if k != key})

    def _write(self, names: dict[bytes, str]) -> None:
        """Replace the file, and only then what is known here."""
        if self._path is not None:
            blocked = {key.hex(): name for key, name in names.items()}
            whole = {"blocked": blocked, "check": _check_blocked(blocked)}
            text = json.dumps(whole, indent=1)
            write_whole(self._path, text.encode())
        self._names = names
        self.changed()


def _read(path: Path) -> dict[bytes, str]:
    """Return what a file says.

    Raises:
        LocalError: DISK, it cannot be read, or is damaged.
    """
    try:
        found: Any = json.loads(read_named(path, OWN_BYTES, Code.DISK))
        blocked: dict[str, str] = found.get("blocked", {})
        names = {
            _key(text): clean(str(name), NAME_CHARACTERS)
            for text, name in blocked.items()
        }
        damaged = found.get("check") != _check_blocked(blocked)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise LocalError(Code.DISK, Says.AT(place=path, why=error.strerror)) from None
    except (AttributeError, ValueError, RecursionError):
        damaged, names = True, {}
    if damaged:
        detail = Says.BLOCKED_DAMAGED(path=path)
        raise LocalError(Code.DISK, detail)
    return names


def _check_blocked(blocked: Mapping[str, Any]) -> int:
    """Return the checksum of what the file says: one digit more is another key."""
    return crc32(json.dumps(blocked, sort_keys=True).encode())


SEEN_SECONDS: Final = 60
"""When a friend was here last is kept no more often, however often links are cut."""

ADDRESSES_A_PEER: Final = 4
"""The last few: where it was called, and where it may be listening; names, too."""

PIN: Final = re.compile(r'^\s*"([^"\\]+)": "([0-9a-f]{64})",?$', re.MULTILINE)
"""A line of the file that says which key answered where."""


class Peer(Struct):
    """What is known of a node."""

    name: str
    addresses: tuple[str, ...] = ()
    """The latest first."""
    friend: bool = False
    """The player has said yes to a table with it."""
    told: tuple[str, ...] = ()
    """Where it says that it may be found, the most likely first."""
    word: Places | None = None
    """The same as it has said and signed it, for friends in common."""
    named: int = 0
    """The smaller, the longer it has been known by its name."""
    heir: bytes = b""
    """The key that the player has taken in the place of this one, which is lost."""
    personal: Personal = Personal()
    """What the player has noted, for nobody else."""
    seen: int = 0
    """When a friend was here last, in seconds of Unix time; 0: that is not known."""
    past: tuple[str, ...] = ()
    """What it was called before, the latest first: games keep the names of then."""


class KnownPeers:
    """The file of known peers."""

    def __init__(self, path: Path | None, blocked: Blocked | None = None) -> None:
        """Read the file; a missing or damaged one knows nobody.

        Args:
            path: Where it lies; None to keep nothing.
            blocked: The keys that are never to be heard from; nobody's if None.
        """
        self._path = path
        self.blocked: Final = blocked or Blocked(None)
        self._peers: dict[bytes, Peer] = {}
        self._answered: dict[str, bytes] = {}
        self._owners: dict[str, bytes] = {}
        """Who was the first to be known by a name that looks so."""
        self._numbers: dict[bytes, int] = {}
        """Of friends who go by one name, from 1."""
        self.damage: Said | None = None
        """What was wrong with the file, in words."""
        self.changed: Callable[[], None] = _nothing
        """Told when something else is known than before."""
        if path is not None:
            self._open(path)
        self._find_owners()

    @property
    def lost(self) -> bool:
        """Whether keys that were known may be gone: while a damaged file lies there."""
        path = self._path
        return path is not None and path.with_name(path.name + DAMAGED).exists()

    def _open(self, path: Path) -> None:
        """Read the file; of a damaged one keep what can be read, and set it aside.

        Raises:
            LocalError: DISK, it cannot be set aside.
        """
        found = read_json(path)
        self._read(found)
        if not path.exists() or found.get("check") == _check(found):
            return
        text = ""
        with suppress(OSError, LocalError):  # a folder in its place has no text
            text = read_named(path, OWN_BYTES).decode(errors="replace")
        for address, key in PIN.findall(text):
            self._answered.setdefault(address, bytes.fromhex(key))
        aside = set_aside(path, self._text())
        self.damage = Says.PEERS_DAMAGED(count=len(self._answered), name=aside.name)

    def name(self, key: bytes) -> str:
        """Return what a node's player was last called, empty if it was never met."""
        peer = self._peers.get(key)
        return peer.name if peer else ""

    def called(self, key: bytes) -> str:
        """Return what the player here calls a node, else what it calls itself."""
        peer = self._peers.get(key)
        name = _shown(peer) if peer else ""
        number = self._numbers.get(key, 0)
        return f"{name} ({number})" if number else name

    def own_name(self, key: bytes, name: str) -> str:
        """Return what whoever plays under a name is called here now, else the name.

        Of a computer or a second person at that node the name stays as it is.
        """
        peer = self._peers.get(key)
        if not (name and peer and name in {peer.name, *peer.past}):
            return name
        named = name != peer.name or peer.personal.called or key in self._numbers
        return self.called(key) if named else name  # it is asked with every move

    def describe(self, key: bytes, personal: Personal) -> None:
        """Keep what the player has noted of a node that was met; it leaves the rest.

        Raises:
            LocalError: DISK.
        """
        self._peers[key].personal = _cleaned(personal)
        self._find_owners()
        self._write()

    def one_met(
        self, here: Mapping[bytes, str], met: Mapping[bytes, str], whom: str
    ) -> tuple[bytes, str]:
        """Return key and name of who is meant: who is here before anybody else.

        Args:
            here: What each player who is here is called.
            met: The same of all who were ever met.
            whom: As for `one_named`.

        Raises:
            LocalError: USAGE, nobody or more than one is called so.
        """
        try:
            key = self.one_named(here, whom)
        except LocalError:
            key = self.one_named({**met, **here}, whom)
        return key, here.get(key) or met.get(key, "")

    def one_named(self, names: Mapping[bytes, str], whom: str) -> bytes:
        """Return the key that is meant.

        Args:
            names: What each player is called.
            whom: A fingerprint, or a name as somebody may type it, the player's own
                for a friend, too.

        Raises:
            LocalError: USAGE, nobody or more than one is called so.
        """
        now = {key: self.own_name(key, name) for key, name in names.items()}
        by_key = [key for key in names if folded(fingerprint(key)) == folded(whom)]
        exact = (
            [k for k, name in each.items() if name == whom] for each in (now, names)
        )
        similar = (
            [k for k, name in each.items() if alike(name, whom)]
            for each in (now, names)
        )
        found = next(filter(None, (by_key, *exact, *similar)), [])
        if len(found) > 1:
            ways = ", ".join(sorted(map(self._apart, found)))
            raise LocalError(Code.USAGE, Says.SEVERAL_NAMED(whom=whom, ways=ways))
        if not found:
            known = ", ".join(sorted({name for name in now.values() if name}))
            detail = Says.NOT_AMONG(name=whom, names=known)
            raise LocalError(Code.USAGE, detail if known else Says.NOBODY_HERE())
        return found[0]

    def _apart(self, key: bytes) -> str:
        """Return what tells a node from its namesakes."""
        return self.called(key) if key in self._numbers else fingerprint(key)

    def namesake(self, key: bytes, name: str) -> str:
        """Return another friend's name for which a name may be taken; empty if none."""
        for one in self.friends():
            shown = _shown(self._peers[one])
            if one != key and (alike(shown, name) or alike(self.called(one), name)):
                return shown
        return ""

    def names(self) -> dict[bytes, str]:
        """Return what each node that was met was last called."""
        return {key: peer.name for key, peer in self._peers.items()}

    def addresses(self, key: bytes) -> tuple[str, ...]:
        """Return where to try a node, the best place first."""
        return peer.addresses if (peer := self._peers.get(key)) else ()

    def places_told(self, key: bytes) -> tuple[str, ...]:
        """Return where a node has said that it may be found."""
        return peer.told if (peer := self._peers.get(key)) else ()

    def word(self, key: bytes) -> Places | None:
        """Return what a node has said of its places, as it has signed it."""
        return peer.word if (peer := self._peers.get(key)) else None

    def tells(
        self, key: bytes, told: tuple[str, ...], word: Places | None = None
    ) -> None:
        """Remember where a known node says that it may be found; it pins nothing.

        Args:
            key: Its key.
            told: Where it may be tried.
            word: What it has signed.

        Raises:
            LocalError: DISK.
        """
        peer = self._peers.get(key)
        if peer is not None and (peer.told, peer.word) != (told, word):
            peer.told, peer.word = told, word
            self._write()

    def saw(self, key: bytes, unix: int) -> None:
        """Remember when a friend was here last, to a minute: links come and go.

        Args:
            key: The friend's.
            unix: The time of day, by a clock that nobody sets.

        Raises:
            LocalError: DISK.
        """
        peer = self._peers.get(key)
        if peer is not None and peer.friend and abs(unix - peer.seen) >= SEEN_SECONDS:
            peer.seen = unix
            self._write()

    def knows(self, key: bytes) -> bool:
        """Return whether a node was ever met."""
        return key in self._peers

    def is_friend(self, key: bytes) -> bool:
        """Return whether the player has called a node, or agreed to play with it.

        That this node dialled it is not enough: a host says where its guests are.
        """
        peer = self._peers.get(key)
        return peer is not None and peer.friend

    def friends(self) -> list[bytes]:
        """Return the friends, the latest met last."""
        return [key for key, peer in self._peers.items() if peer.friend]

    def befriend(self, key: bytes, name: str) -> None:
        """Remember that the player agreed to play with a node.

        Raises:
            LocalError: DISK.
        """
        peer = self._peers.setdefault(key, Peer(name, named=self._next()))
        # Who comes by a lost key is nobody's friend, whatever is agreed to by mistake.
        if not peer.friend and not peer.heir:
            peer.friend = True
            self._find_owners()
            self._write()

    def succeed(self, old: bytes, new: bytes, name: str) -> None:
        """Take a friend back under another key: the one before is lost.

        The new one stands where the old one stood, with its right to the name; at
        addresses where only the old one would do, whoever answers next is trusted.

        Args:
            old: The key that is lost.
            new: The key that the friend has now.
            name: What the friend is called there.

        Raises:
            LocalError: DISK.
        """
        gone = self._peers[old]
        here = self._peers.setdefault(new, Peer(name))
        here.friend, here.named, here.heir = True, gone.named, b""
        here.personal, gone.personal = gone.personal, Personal()
        gone.friend, gone.heir, gone.named = False, new, self._next()
        gone.addresses, gone.told, gone.word = (), (), None
        for address in [at for at, other in self._answered.items() if other == old]:
            del self._answered[address]
        self._find_owners()
        self._write()

    def heir(self, key: bytes) -> bytes:
        """Return the key that a friend has now who had this one; empty for none."""
        seen, found = {key}, b""
        while (peer := self._peers.get(key)) is not None and peer.heir:
            found = key = peer.heir
            if key in seen:  # a file may say anything
                return b""
            seen.add(key)
        return found

    def _next(self) -> int:
        return 1 + max((peer.named for peer in self._peers.values()), default=-1)

    def all(self) -> Iterator[tuple[bytes, Peer, tuple[str, ...]]]:
        """Yield the nodes, the latest met last, with where each is trusted."""
        for key, peer in self._peers.items():
            trusted = (at for at, other in self._answered.items() if other == key)
            yield key, peer, tuple(trusted)

    def pinned(self, address: str) -> bytes | None:
        """Return the key that is trusted at an address as people write it, if any."""
        try:
            return self._answered.get(parse(address).text())
        except LocalError:
            return None

    def with_fingerprint(self, text: str) -> bytes | None:
        """Return the key of the node with a fingerprint, if it was ever met."""
        wanted = folded(text)
        return next((k for k in self._peers if folded(fingerprint(k)) == wanted), None)

    def doubt(self, key: bytes, name: str, own: str = "") -> Words:
        """Return what is to be said where a name is shown; empty if there is no doubt.

        Args:
            key: Whose name it is.
            name: What its player is called, sanitised.
            own: What this node's own player is called.
        """
        if heir := self.heir(key):
            return Says.LOST_KEY(name=self.name(heir))
        peer = self._peers.get(key)
        if peer and peer.friend and peer.name == name:
            name = _shown(peer)  # by which the player tells the two apart
        owners = {self._owners.get(look, key) for look in looks(name)} - {key}
        if owners:
            first = self._peers[max(owners, key=self._standing)]
            same = alike(first.name, name)
            return Says.ANOTHER_KEY(name=first.name if same else _shown(first))
        return Says.YOUR_NAME() if own and alike(name, own) else ""

    def check(self, address: str, key: bytes) -> None:
        """Compare the key that answers at an address with the one that did before.

        Raises:
            PeerError: WRONG_KEY, it is another.
        """
        before = self._answered.get(address, key)
        if before != key:
            who = self.name(before) or "unnamed"
            detail = Says.KEY_CHANGED(
                address=address,
                who=who,
                before=fingerprint(before),
                key=fingerprint(key),
            )
            raise PeerError(Code.WRONG_KEY, detail)

    def met(self, key: bytes, name: str, address: str, *, dialled: bool) -> None:
        """Remember a node after its Welcome.

        Args:
            key: Its key.
            name: Its player's name, sanitised.
            address: Where it was dialled or seems to listen; may be empty.
            dialled: We dialled it there: from now on only that key will do.
        """
        old = self._peers.get(key, Peer(name))
        addresses = _latest(address, old.addresses)
        known = not dialled or self._answered.get(address) == key
        fresh = key not in self._peers or looks(name) != looks(old.name)
        number = self._next() if fresh else old.named
        peer = replace(old, name=name, addresses=addresses, named=number)
        if name != old.name:
            peer.past = _latest(old.name, old.past)
        if known and self._peers.get(key) == peer:
            return
        self._peers.pop(key, None)  # the latest met stand last
        self._peers[key] = peer
        if dialled:
            self._answered[address] = key
        # Strangers who came long ago are forgotten: a crowd must not fill the disk.
        trusted = set(self._answered.values())
        strangers = [
            other
            for other, one in self._peers.items()
            if other not in trusted and not (one.friend or one.heir)
        ]
        for other in strangers[: max(0, len(strangers) - PEERS_REMEMBERED)]:
            del self._peers[other]
        self._find_owners()
        self._write()

    def trust_next(self, address: str) -> bool:
        """Trust whoever answers at an address next; return whether it was known."""
        known = self._answered.pop(address, None) is not None
        if known:
            self._find_owners()
            self._write()
        return known

    def forget_key(self, key: bytes) -> bool:
        """Forget a node with its addresses; return whether it was known."""
        if self._peers.pop(key, None) is None:
            return False
        for address in [at for at, other in self._answered.items() if other == key]:
            del self._answered[address]
        self._find_owners()
        self._write()
        return True

    def _find_owners(self) -> None:
        """Note whose each name is: a friend's before all others."""
        found = sorted(self._peers, key=self._standing)
        self._owners = {}
        same: dict[str, list[bytes]] = {}
        for key in found:
            peer = self._peers[key]
            names = {peer.name, _shown(peer)} if peer.friend else {peer.name}
            self._owners |= {look: key for name in names for look in looks(name)}
            if peer.friend:
                same.setdefault(_shown(peer).casefold(), []).append(key)
        self._numbers = {
            key: number
            for keys in same.values()
            if len(keys) > 1
            for number, key in enumerate(reversed(keys), 1)
        }

    def _standing(self, key: bytes) -> tuple[bool, int]:
        """Return what is the greater, the more of a right a node has to its name."""
        peer = self._peers[key]
        trusted = peer.friend or key in self._answered.values()
        return trusted, -peer.named

    def _read(self, found: Any) -> None:  # noqa: ANN401 (JSON)
        """Take what the file says, as far as it makes sense."""
        senseless = AttributeError, KeyError, TypeError, ValueError, OverflowError
        for kind, take in (("peers", self._take_peer), ("answered", self._take_place)):
            with suppress(*senseless):
                for name, told in found.get(kind, {}).items():
                    with suppress(*senseless):
                        take(name, told)

    def _take_peer(self, text: str, peer: Any) -> None:  # noqa: ANN401 (JSON)
        """Take what the file says of a node."""
        names = peer["name"], *peer.get("past", ())
        name, *past = (clean(str(each), NAME_CHARACTERS) for each in names)
        addresses = tuple(_places(peer["addresses"]))[:ADDRESSES_A_PEER]
        friend, named = peer.get("friend") is True, int(peer.get("named", 0))
        told = tuple(_places(peer.get("told", ())))[:PLACES]
        heir = _key(peer["heir"]) if peer.get("heir") else b""
        word, own = _word(peer.get("word")), _personal(peer.get("personal"))
        seen = max(0, int(peer.get("seen", 0)))
        kept = friend, told, word, named, heir, own, seen, tuple(past)
        self._peers[_key(text)] = Peer(name, addresses, *kept)

    def _take_place(self, place: str, key: str) -> None:
        """Take what the file says of who has answered somewhere."""
        for address in _places((place,)):
            self._answered[address] = _key(key)

    def _write(self) -> None:
        if self._path is not None:
            write_whole(self._path, self._text())
        self.changed()

    def _text(self) -> bytes:
        """Return what the file is to say."""
        peers = {
            key.hex(): {
                "name": peer.name,
                "addresses": peer.addresses,
                "friend": peer.friend,
                "told": peer.told,
                "named": peer.named,
                **({"word": pack(peer.word).hex()} if peer.word else {}),
                **({"heir": peer.heir.hex()} if peer.heir else {}),
                **({"seen": peer.seen} if peer.seen else {}),
                **({"past": peer.past} if peer.past else {}),
                **({"personal": own} if any(own := astuple(peer.personal)) else {}),
            }
            for key, peer in self._peers.items()
        }
        answered = {address: key.hex() for address, key in self._answered.items()}
        whole: dict[str, object] = {"peers": peers, "answered": answered}
        whole["check"] = _check(whole)
        return json.dumps(whole, indent=1).encode()


def _shown(peer: Peer) -> str:
    """Return what the player here calls a node, before namesakes are numbered."""
    return peer.personal.called or peer.name


NOTE_CHARACTERS: Final = 200
"""Of a note on a friend: a line or two."""


def _personal(found: object) -> Personal:
    """Return what the file says that the player has noted, as far as it can be so."""
    with suppress(ValidationError):
        return _cleaned(convert(found or (), Personal))
    return Personal()


def _word(found: object) -> Places | None:
    """Return what the file says that a node has signed of its places, if it can be."""
    with suppress(PeerError, ValueError):
        return cast("Places", unpack(bytes.fromhex(str(found or "")), Places))
    return None


def _cleaned(own: Personal) -> Personal:
    """Return what the player has noted as it may be shown."""
    letter = next((c.upper() for c in own.letter if c.isalnum()), "")
    called, note = clean(own.called, NAME_CHARACTERS), clean(own.note, NOTE_CHARACTERS)
    return Personal(called, note, letter[:1], own.colour)


def _places(found: Iterable[object]) -> Iterator[str]:
    """Yield what can be a place: windows are told of it, whatever a file says."""
    for place in found:
        if not isinstance(place, str) or len(place) > PLACE_CHARACTERS:
            continue
        if place.isprintable():  # half of a character cannot be told
            yield place


def _key(text: str) -> bytes:
    """Return a key written in hexadecimal digits.

    Raises:
        ValueError: It is none.
    """
    key = bytes.fromhex(text)
    if len(key) != KEY_BYTES:
        raise ValueError(text)
    return key


def _check(found: Mapping[str, Any]) -> int:
    said = [found.get("peers"), found.get("answered")]
    return crc32(json.dumps(said, sort_keys=True).encode())


def _latest(address: str, addresses: tuple[str, ...]) -> tuple[str, ...]:
    if not address:
        return addresses
    rest = tuple(a for a in addresses if a != address)
    return (address, *rest)[:ADDRESSES_A_PEER]

"""What is said of other computers: who they are, and how they are reached."""

from netplay.said import Saying


class OfPeers:
    """Addresses, keys, links and routers."""

    # Addresses, keys and links.

    NAMELESS = Saying("somebody without a name")
    NO_ADDRESS_GIVEN = Saying("an address is missing")
    NOT_AN_ADDRESS = Saying("'{word}' is not an address")
    NEITHER_NAME_NOR_PLACE = Saying(
        "'{word}' is neither a friend, an invitation nor an address"
    )
    FOR_BROWSERS = Saying("that is a link for a browser: open it there")
    PORT_NOT = Saying("'{word}': a port is a number from 1 to 65535")
    BLOCKED_DAMAGED = Saying(
        "{path} is damaged; put back a copy, or delete it to block nobody"
    )
    BLOCKED_FULL = Saying("{count} keys are blocked already; unblock one first")
    NOT_AMONG = Saying("there is no '{name}' here; there are {names}")
    NOBODY_HERE = Saying("there is nobody here")
    CARRIER_AWAY = Saying("{name}, who is to carry, cannot be reached")
    NOT_CARRIED = Saying("through {name}: {why}")
    CARRIES_NOT = Saying("that node does not carry for you, or not to there")
    CARRIES_ENOUGH = Saying("that node carries as much as it may")
    NOT_THERE = Saying("who is called has no link to that node now")
    NOT_THROUGH = Saying("who is called does not answer")
    LED_ASTRAY = Saying("that node led to somebody else")
    LINKED_ALREADY = Saying("there is a link already")
    CARRIERS_FULL = Saying("no more than {count} nodes may carry for you")
    CARRIER_ADDED = Saying("you are reached through {name} too")
    CARRIER_REMOVED = Saying("you are no longer reached through {name}")
    LETTERS_NOT_KEPT = Saying(
        "the disk does not keep what friends leave here for others: look at {path}"
    )
    LETTER_DAMAGED = Saying(
        "what a friend had left here for somebody else was damaged, and is gone: the "
        "friend's node is told so when it comes, and leaves it again"
    )
    NO_CARRIER = Saying("nobody called '{name}' carries for you")
    CARRIES_FOR_NOBODY = Saying("nothing is carried for others")
    CARRIES_FOR_KNOWN = Saying("messages are carried between those whom you know")
    CARRIES_FOR_FRIENDS = Saying(
        "messages are carried between those whom you know and those whom they name"
    )
    BEFRIENDED = Saying("{name} is known to you now")
    NOTED = Saying("noted of {name}")
    UNBLOCK_FIRST = Saying("{name} is blocked here; unblock them first")
    OTHER_KEY_ANSWERED = Saying(
        "{wanted} was wanted, {found} answered; ask them: a seat belongs to its key"
    )
    SOMEBODY_ELSE_ANSWERED = Saying(
        "{name} was wanted; ask them: a seat belongs to its key"
    )
    NOT_THE_INVITER = Saying(
        "it is not the one that invited you; ask for a new invitation"
    )
    KEY_MISSING = Saying(
        "{path} is missing, though there are games or known players here; put it "
        "back from a copy, or start once with: netplay node --new-key (friends "
        "will be told of another key, open games cannot go on)"
    )
    KEY_OF_OTHER_KIND = Saying("{path} is not an Ed25519 key")
    NEW_KEY = Saying("this home has a new key; friends will be told of it")
    KEY_DAMAGED = Saying("{path} is not a key; it may be damaged")
    INVITATION_NOT_WHOLE = Saying(
        "the invitation is not whole: its end, after #, is wrong or missing"
    )
    NO_NETWORK = Saying("this computer has no address; is it on a network?")
    NOT_AN_INVITATION = Saying("'{word}' is not an invitation")
    INVITATION_NAMES_ADDRESSES = Saying("an invitation names 1 to {count} addresses")
    FIRST_CONTACT = Saying(
        "first contact with {who}: ask them whether their key is {key}"
    )
    KEY_INVITED = Saying("{who} has the key that the invitation names: {key}")
    KEYS_UNKNOWN = Saying(
        "the list of known keys was damaged, so nobody can tell whether {who} is "
        "who it was; before you play, ask them whether their key is {key}"
    )
    KEY_USED_AT = Saying(
        "your key is in use at {address}, too: close one of the two, then try again "
        "at the other"
    )
    KEY_USED_SAYS = Saying(
        "{who} says that your key is in use on two computers: close one of the two, "
        "then try again at the other"
    )
    KEY_USED_TWICE = Saying(
        "the key of {who} is in use on two computers; tell them to use one"
    )
    PORT_TAKEN = Saying("port {port} is in use; choose another with --port")
    PORT_NEEDS_RIGHTS = Saying(
        "the system lets only administrators listen at port {port}; on Linux this "
        "allows it: sudo sysctl net.ipv4.ip_unprivileged_port_start={port}"
    )
    HUNG_UP = Saying("it hung up")
    FIRST_MET = Saying(
        "you meet {who} for the first time: if you want to be sure, compare keys; "
        "they are behind the name"
    )
    INVITED_BY = Saying("Checked: the invitation is from {who}")
    KEYS_LOST = Saying(
        "the list of known keys was damaged, so nobody can tell whether {who} is "
        "who it was; before you play, compare keys: they are behind the name"
    )
    HAS_OTHER_KEY = Saying(
        "{who} has another key now: ask them, and if it is theirs forget the old one"
    )
    WHO_NOT_REACHED = Saying("{who} cannot be reached now")
    NO_PROGRAM_THERE = Saying("no Netplay runs there")
    NOTHING_ANSWERS = Saying(
        "nothing answers: asleep, or a router or firewall in between"
    )
    WAITING_TOGETHER = Saying(
        "no answer yet; waiting for {who} to call too, with your invitation"
    )
    WAITING_IN_PUBLIC = Saying("no answer yet; looking for {who} in the public DHT")
    THE_OTHER = Saying("the other")
    PLACE_REFUSES = Saying("{place} refuses: no Netplay waits there")
    PLACE_SILENT = Saying("{place} says nothing")
    PLACE_SLOW = Saying("{place} answers, but says nothing in time")
    CALLED_AGAIN = Saying("{why}; it is called again for three minutes")
    NO_WAY_TO = Saying("no way leads to {place}")
    PLACE_IS_OURS = Saying("{place} is this computer itself")
    NO_COMMON_KIND = Saying(
        "they are reached by {kinds} only, and here there is no way by that: go "
        "through somebody whom both of you reach and whose node carries"
    )
    PASTE_THE_LINE = Saying(
        "if a router keeps callers out there, paste their whole line (netplay:...) "
        "instead of the address, and let them paste yours: both of you then call at "
        "the same time"
    )
    ANOTHER_KEY = Saying("another key than the {name} you know")
    YOUR_NAME = Saying("goes by your own name")
    CALLED_AS_FRIEND = Saying(
        "{name} is another friend’s name: call this one something else"
    )
    CALLED_AS_YOU = Saying("{name} is your own name: call your friend something else")
    LOST_KEY = Saying("the lost key of {name}, who has another one now")
    OLD_KEY_BACK = Saying(
        "somebody is here with {key}, the lost key of {name}: it is not {name}, and "
        "gets no seat back"
    )
    HEIR_BY_KEY = Saying(
        "{text} is no fingerprint and no invitation: a name alone proves nothing"
    )
    HEIR_UNMET = Saying(
        "nobody has been here with that key: put in the new invitation, which says "
        "where to call"
    )
    HEIR_BLOCKED = Saying("{key} is blocked, or is a lost key itself")
    HEIR_OLD = Saying("that is no new key")
    HEIR_SELF = Saying("that is your own key: put in the new one of your friend")
    HEIR_TAKEN = Saying(
        "{name} is your friend under {key} now, and the key before is lost"
    )
    HEIR_SEATED = Saying(
        "{name} is your friend under {key} now, and the key before is lost; seats in "
        "games pass once all others agree: {count}"
    )
    HEIR_STUCK = Saying(
        "{name} is your friend under {key} now, and the key before is lost; games that "
        "cannot go on: {count}, each says why"
    )
    HEIR_CANNOT = Saying("{name} cannot play on here under the new key: {why}")
    KEY_CHANGED = Saying(
        "{address} was {who}, {before}, and is {key} now; ask them, and if it is "
        "theirs forget the old key"
    )
    PEERS_DAMAGED = Saying(
        "the list of known players was damaged: keys that could be read: {count}; "
        "compare keys again when you meet others; it is kept as {name} (delete that "
        "when you have)"
    )
    NO_ADDRESS_KNOWN = Saying("none is known")

    # Being found and reached.

    ROUTER_VERSION = Saying("it speaks another version of {language}")
    ROUTER_OFF = Saying("port mapping is switched off in it")
    ROUTER_OFFLINE = Saying(
        "it has no address of the internet itself: it is offline, or behind another "
        "router, often the provider's"
    )
    ROUTER_FULL = Saying("it has no port left")
    ROUTER_UNABLE = Saying("it does not map ports")
    ROUTER_NOT_NEXT = Saying("another router is in between")
    ROUTER_ERROR = Saying("error {result}")
    MAPPED = Saying("the router passes {where} on to this computer")
    MAPPED_BOTH = Saying("the router passes {where} on to this computer, and {udp}")
    MAPPED_BEHIND_ROUTER = Saying(
        "the router passes {where} on to this computer, but that is no address of "
        "the internet: another router follows"
    )
    MAPPED_SHARED = Saying(
        "the router passes {where} on to this computer, but your provider shares "
        "that address among many: use IPv6, or let the friend wait"
    )
    ROUTER_BABBLES = Saying("the router's answer makes no sense")
    ROUTER_REFUSED = Saying("the router refused: {why}")
    ROUTER_SILENT = Saying("the router does not answer ({language})")
    NO_ROUTER = Saying("no router is known")
    REACH_UNKNOWN = Saying(
        "not known: nobody is connected who could try; call a friend first"
    )
    TRIED_REFUSES = Saying("it refuses")
    TRIED_SILENT = Saying("it says nothing")
    TRIED_NO_WAY = Saying("no way leads there")
    NOT_REACHED = Saying(
        "not reached by {kind}: {name} dialled {host}: {why}. {advice}"
    )
    ADVICE_ROUTER = Saying(
        "Let the router pass the port on (TCP), let the friend wait instead, or call "
        "each other at the same time"
    )
    ADVICE_SHARED = Saying(
        "Your provider shares one address among many: use IPv6, let the friend open "
        "the table, or go through somebody whom both of you reach"
    )
    ADVICE_RANDOM = Saying(
        "Your router takes another port for every call: join the friend instead, or "
        "be reached through one whom both of you reach and whose node carries "
        "(netplay node --carry known --port 443 there)"
    )
    ADVICE_TWO_ROUTERS = Saying(
        "Your router is behind another one ({outside} is no address of the internet), "
        "at home or your provider's: let that one pass the port on, too, use IPv6, or "
        "let the friend open the table"
    )
    ADVICE_OTHER_WAY = Saying(
        "You come from {host}, and your router is at {outside}: a VPN or your provider "
        "is in between; do without the VPN, use IPv6, or let the friend open the table"
    )
    ADVICE_BEHIND_MAPPING = Saying(
        "The router lets calls in, so it may be this computer's own firewall: let it "
        "take calls for Netplay"
    )
    ADVICE_OWN_FIREWALL = Saying(
        "No router is in between: let this computer's own firewall take calls for "
        "Netplay"
    )
    ADVICE_SIX = Saying(
        "Let the firewall of the router, and this computer's, take calls by IPv6 for "
        "this port (TCP), or call each other at the same time"
    )
    ADVICE_SIX_ROUTER = Saying(
        "This computer takes calls by IPv6, the router's firewall does not: open this "
        "port (TCP) for it there, or call each other at the same time"
    )
    PORTS_KEEP = Saying(
        "your router keeps ports: with a friend whose router does so too, or turns one "
        "port into another, always the same, you meet when both of you call at the "
        "same time"
    )
    PORTS_STEADY = Saying(
        "your router turns the port of your node into {outer}, always the same: "
        "with a friend whose router does so too, or keeps ports, you meet when both "
        "of you call at the same time"
    )
    PORTS_RANDOM = Saying(
        "your router takes another port for every call, so calling at the same time "
        "does not help: join a friend who can be reached, or be reached through one "
        "whose node carries (there: netplay node --carry known --port 443)"
    )
    PORTS_WEB = Saying(
        "so far only calls to ports of the web (80 and 443) were answered from here: "
        "join a friend whose node waits at one of them, or be reached through one "
        "whose node carries (there: netplay node --carry known --port 443)"
    )
    INVITES_NEAR = Saying(
        "this line leads here from your own network only: no address of the internet "
        "is known. Let Netplay ask your router or public servers, or join a friend "
        "outside first"
    )
    INVITES_RANDOM = Saying(
        "this line leads here from your own network only, since your router takes "
        "another port for every call: join your friend instead, or be reached through "
        "a friend whose node carries"
    )
    INVITES_WEB = Saying(
        "this line leads here from your own network only, which seems to let nothing "
        "out but the web: join your friend instead, or be reached through a friend "
        "whose node carries"
    )
    INVITES_MEETS = Saying(
        "nobody can reach this computer from the internet yet. For the next hour "
        "Netplay looks in the public DHT for whoever pastes this line, and you call "
        "each other; your friend has to allow the DHT, too"
    )
    INVITES_CALLS = Saying(
        "your router uses another port for every call, so nobody can come in. For the "
        "next hour Netplay looks in the public DHT for whoever pastes this line, and "
        "calls them; your friend has to allow the DHT, too, and be reachable from "
        "outside"
    )
    DHT_WOULD_HELP = Saying(
        "Netplay could find whoever invited you through the public DHT, if you allow "
        "it: Network, or netplay reach --dht (netplay reach --help says what strangers "
        "see)"
    )
    SERVERS_NAMED = Saying("these are asked: {servers}")
    DHT_RESTS = Saying("public DHT: nobody is missing, so nothing is asked there")
    DHT_LOOKS = Saying("public DHT: missing friends are looked for there ({count})")
    DHT_WAITS = Saying(
        "public DHT: Netplay looks there for whoever pastes your last invitation, for "
        "an hour after you gave it away"
    )
    DHT_SILENT = Saying(
        "public DHT: none of its entry nodes answers; other ones can be named"
    )
    DHT_LACKS = Saying(
        "public DHT: libtorrent is not installed (pip install 'netplay[dht]')"
    )
    REACHED_HERE = Saying("only programs of this computer have reached this node yet")
    REACHED_NEAR = Saying(
        "{name} reached this node from the same network; whether others can from the "
        "internet is not known"
    )
    REACHED_INSIDE = Saying("{name} reached this node from the same network")
    REACHED = Saying("{name} reached this node from the internet, by {kind}")
    REACHED_CALLED = Saying(
        "{name} reached this node from the internet, by {kind}, but you had called "
        "there first: whether others can is not known"
    )
    SOMEBODY = Saying("somebody")
    DIAL_FAILED = Saying("it could not")

"""Every sentence that a node says, each with its code and its values.

A member is a code; what it is called with are the values of its template.  Windows and
commands put it into words (`netplay.language`), each in its user's language.

It is one list, however long: a code is looked up in one place, and no two sentences
get the same one.
"""

from enum import Enum

from netplay.said import (
    SAID_CHARACTERS,
    TEMPLATES,
    Said,
    Value,
    characters,
    fields,
    shortened,
    spoken,
)
from netplay.sanitize import visible


class Says(Enum):
    """A code, and its sentence in English with a name for each value."""

    def __call__(self, **values: object) -> Said:
        """Return the sentence with its values.

        Args:
            values: Each field of the template; an error stands for what it says, and
                anything but text, numbers and sentences for how it is written.
        """
        assert values.keys() == set(fields(self.value)), self
        return Said(self.name, tuple((k, _value(v)) for k, v in values.items()))

    # How sentences go together.

    BECAUSE = "{what}: {why}"
    THEN = "{first}; {then}"
    BESIDE = "{first}, {other}"
    DOUBTFUL = "{name} ({doubt})"
    WORDS = "{words}"
    QUOTE = "“{words}”"
    ONE_OF = "one of {values}"
    AT_BYTE = "at byte {offset}: {why}"
    TAKEN_THERE = "{path}; take another name, or --force to write over it"

    # The home and its options.

    A_FOLDER = "{path}: this is a folder"
    NO_PLAIN_FILE = "{path}: this is no plain file, but a device, a pipe or the like"
    FILE_TOO_LARGE = (
        "{path}: the file has more than {count} bytes, the most there may be"
    )
    NAME_NOT_KEPT = "the name could not be kept, and holds until the node ends: {why}"
    DRIVE_SILENT = "{path}: the drive has not answered for {seconds} seconds"
    OTHERS_MAY_WRITE = "others on this computer may write to {path}"
    NODE_RUNNING = "a node is already running for {path}"
    NO_HOURS = "'{text}' are no hours; write them as 22:00-07:00"
    SETTINGS_DAMAGED = "the settings were damaged; they are kept as {name}"
    ASKED_DAMAGED = (
        "what was kept of friends who were asked to a game was damaged; it is kept as "
        "{name}: ask them again"
    )
    NO_OPTION = "{game} has no option '{name}'; there are {names}"
    NUMBER_BETWEEN = "{whole} number from {least} to {most}"
    NUMBER_AT_LEAST = "a whole number from {least} on"
    A_NUMBER = "a whole number"
    A_TEXT = "a text"
    VALUE_NOT = "{name} is {wanted}, not '{word}'"
    EVERY = "every {step}th"
    WHOLE = "a whole"
    EVEN = "an even"
    NO_PLAYER = "there is no player '{name}'; there are {names}"
    BYTES_ALLOWED = "{length} bytes, {limit} allowed"

    # Addresses, keys and links.

    NAMELESS = "somebody without a name"
    NO_ADDRESS_GIVEN = "an address is missing"
    NOT_AN_ADDRESS = "'{word}' is not an address"
    PORT_NOT = "'{word}': a port is a number from 1 to 65535"
    BLOCKED_DAMAGED = "{path} is damaged; put back a copy, or delete it to block nobody"
    BLOCKED_FULL = "{count} keys are blocked already; unblock one first"
    NOT_AMONG = "there is no '{name}' here; there are {names}"
    NOBODY_HERE = "there is nobody here"
    CARRIER_AWAY = "{name}, who is to carry, cannot be reached"
    NOT_CARRIED = "through {name}: {why}"
    CARRIES_NOT = "that node does not carry for you, or not to there"
    CARRIES_ENOUGH = "that node carries as much as it may"
    NOT_THERE = "who is called has no link to that node now"
    NOT_THROUGH = "who is called does not answer"
    LED_ASTRAY = "that node led to somebody else"
    LINKED_ALREADY = "there is a link already"
    CARRIERS_FULL = "no more than {count} nodes may carry for you"
    CARRIER_ADDED = "you are reached through {name} too"
    CARRIER_REMOVED = "you are no longer reached through {name}"
    LETTERS_NOT_KEPT = (
        "the disk does not keep what friends leave here for others: look at {path}"
    )
    NO_CARRIER = "nobody called '{name}' carries for you"
    CARRIES_FOR_NOBODY = "nothing is carried for others"
    CARRIES_FOR_KNOWN = "messages are carried between those whom you know"
    CARRIES_FOR_FRIENDS = (
        "messages are carried between those whom you know and those whom they name"
    )
    BEFRIENDED = "{name} is known to you now"
    UNBLOCK_FIRST = "{name} is blocked here; unblock them first"
    OTHER_KEY_ANSWERED = (
        "{wanted} was wanted, {found} answered; ask them: a seat belongs to its key"
    )
    NOT_THE_INVITER = "{place} is {key}, not the one that invited"
    KEY_MISSING = (
        "{path} is missing, though there are matches or known players here; put it "
        "back from a copy, or start once with: netplay node --new-key (friends "
        "will be told of another key, open matches cannot go on)"
    )
    KEY_OF_OTHER_KIND = "{path} is not an Ed25519 key"
    NEW_KEY = "this home has a new key; friends will be told of it"
    KEY_DAMAGED = "{path} is not a key; it may be damaged"
    INVITATION_NOT_WHOLE = (
        "the invitation is not whole: its end, after #, is wrong or missing"
    )
    NO_NETWORK = "this computer has no address; is it on a network?"
    NOT_AN_INVITATION = "'{word}' is not an invitation"
    INVITATION_NAMES_ADDRESSES = "an invitation names 1 to {count} addresses"
    LINK_CLOSED = "the link is not open"
    FIRST_CONTACT = "first contact with {who}: ask them whether their key is {key}"
    KEY_INVITED = "{who} has the key that the invitation names: {key}"
    KEYS_UNKNOWN = (
        "the list of known keys was damaged, so nobody can tell whether {who} is "
        "who it was; before you play, ask them whether their key is {key}"
    )
    KEY_USED_AT = (
        "your key is in use at {address}, too: close one of the two, then try again "
        "at the other"
    )
    KEY_USED_SAYS = (
        "{who} says that your key is in use on two computers: close one of the two, "
        "then try again at the other"
    )
    KEY_USED_TWICE = "the key of {who} is in use on two computers; tell them to use one"
    PORT_TAKEN = "port {port} is in use; choose another with --port"
    HUNG_UP = "it hung up"
    WAITING_TOGETHER = (
        "no answer yet; waiting for {who} to call too, with your invitation"
    )
    THE_OTHER = "the other"
    PLACE_REFUSES = "{place} refuses: no Netplay waits there"
    PLACE_SILENT = "{place} says nothing"
    NO_WAY_TO = "no way leads to {place}"
    ANOTHER_KEY = "another key than the {name} you know"
    YOUR_NAME = "goes by your own name"
    KEY_CHANGED = (
        "{address} was {who}, {before}, and is {key} now; ask them, and if it is "
        "theirs forget the old key"
    )
    PEERS_DAMAGED = (
        "the list of known players was damaged: keys that could be read: {count}; "
        "compare keys again when you meet others; it is kept as {name} (delete that "
        "when you have)"
    )
    NO_ADDRESS_KNOWN = "none is known"

    # Being found and reached.

    ROUTER_VERSION = "it speaks another version of {language}"
    ROUTER_OFF = "port mapping is switched off in it"
    ROUTER_OFFLINE = "it has no connection itself"
    ROUTER_FULL = "it has no port left"
    ROUTER_UNABLE = "it does not map ports"
    ROUTER_NOT_NEXT = "another router is in between"
    ROUTER_ERROR = "error {result}"
    MAPPED = "the router passes {where} on to this computer"
    MAPPED_BEHIND_ROUTER = (
        "the router passes {where} on to this computer, but that is no address of "
        "the internet: another router follows"
    )
    MAPPED_SHARED = (
        "the router passes {where} on to this computer, but your provider shares "
        "that address among many: use IPv6, or let the friend wait"
    )
    ROUTER_BABBLES = "the router's answer makes no sense"
    ROUTER_REFUSED = "the router refused: {why}"
    ROUTER_SILENT = "the router does not answer ({language})"
    NO_ROUTER = "no router is known"
    REACH_UNKNOWN = "not known: nobody is connected who could try; call a friend first"
    TRIED_REFUSES = "it refuses"
    TRIED_SILENT = "it says nothing"
    TRIED_NO_WAY = "no way leads there"
    NOT_REACHED = "not reached by {kind}: {name} dialled {host}: {why}. {advice}"
    ADVICE_ROUTER = (
        "Let the router pass the port on (TCP), let the friend wait instead, or call "
        "each other at the same time"
    )
    ADVICE_SHARED = (
        "Your provider shares one address among many: use IPv6, let the friend open "
        "the table, or go through somebody whom both of you reach"
    )
    ADVICE_TWO_ROUTERS = (
        "Your router is behind another one ({outside} is no address of the internet), "
        "at home or your provider's: let that one pass the port on, too, use IPv6, or "
        "let the friend open the table"
    )
    ADVICE_OTHER_WAY = (
        "You come from {host}, and your router is at {outside}: a VPN or your provider "
        "is in between; do without the VPN, use IPv6, or let the friend open the table"
    )
    ADVICE_BEHIND_MAPPING = (
        "The router lets calls in, so it may be this computer's own firewall: let it "
        "take calls for Netplay"
    )
    ADVICE_OWN_FIREWALL = (
        "No router is in between: let this computer's own firewall take calls for "
        "Netplay"
    )
    ADVICE_SIX = (
        "Let the firewall of the router, and this computer's, take calls by IPv6 for "
        "this port (TCP), or call each other at the same time"
    )
    ADVICE_SIX_ROUTER = (
        "This computer takes calls by IPv6, the router's firewall does not: open this "
        "port (TCP) for it there, or call each other at the same time"
    )
    PORTS_KEEP = (
        "your router keeps ports: with a friend whose router does so too, or turns one "
        "port into another, always the same, you meet when both of you call at the "
        "same time"
    )
    PORTS_STEADY = (
        "your router turns the port of your node into {outer}, always the same: "
        "with a friend whose router does so too, or keeps ports, you meet when both "
        "of you call at the same time"
    )
    PORTS_RANDOM = (
        "your router takes another port for every call, so calling at the same time "
        "does not help: join a friend who can be reached, or be reached through one "
        "whose node carries"
    )
    INVITES_NEAR = (
        "this line leads here from your own network only: no address of the internet "
        "is known. Let Netplay ask your router or public servers, or join a friend "
        "outside first"
    )
    INVITES_RANDOM = (
        "this line leads here from your own network only, since your router takes "
        "another port for every call: join your friend instead, or be reached through "
        "a friend whose node carries"
    )
    SERVERS_NAMED = "these are asked: {servers}"
    REACHED_HERE = "only programs of this computer have reached this node yet"
    REACHED_NEAR = (
        "{name} reached this node from the same network; whether others can from the "
        "internet is not known"
    )
    REACHED_INSIDE = "{name} reached this node from the same network"
    REACHED = "{name} reached this node from the internet, by {kind}"
    SOMEBODY = "somebody"
    DIAL_FAILED = "it could not"

    # The table.

    ASKED_TO_WATCH = "asked to watch; waiting for the players at {name}"
    WATCHING_ENDED = "watching has ended: {why}"
    CHAT_TOO_FAST = "{count} lines in {seconds} seconds, please"
    CHAT_EMPTY = "there is nothing to say in that line"
    CHAT_FULL = "this table has talked enough"
    TABLE_OPEN = "the table is open"
    ASKED_AGAIN = "everybody is asked again"
    CALLING = "calling {address}"
    WHOEVER_INVITED = "whoever sent the invitation"
    LOST_SIGHT_OF = "it is not known where {name} is now: ask for a new invitation"
    MATCH_BEGINS = "the match begins"
    BEGINS_IN = "everyone is ready: the match begins in {count} seconds"
    READY_ASKED = "the match starts as soon as these say that they are ready: {names}"
    TABLE_LEFT = "the table is left"
    AGREED_TO_HAND = "agreed that {name} plays on"
    WAITING_FOR_CALL = "waiting for a call"
    YES_BY_ACCEPT = (
        "somebody unknown waits for your yes: netplay accept, or a window, says it"
    )
    CALLS_YOU = "{names} would like to play {game} with you: sit down?"
    WAITING_NO_MORE = "not waiting for a call any more"
    WAS_NO_TABLE = "there was no table"
    VOTED = "voted to go on with another host"
    REMOVED = "{name} is removed from the table"
    NO_VERB = "there is no '{name}' here"
    STANDS_IN = "a computer player stands in"
    STANDS_IN_NO_MORE = "you play yourself"
    NAME_EMPTY = "a name needs at least one character"
    TABLES_IN_HAND = "{count} tables are in hand; leave one first"
    WHICH_TABLE = "say which table: {tables}"
    NO_SUCH_TABLE = "there is no table {number} here"
    SEVERAL_OPEN = "{name} has {count} tables open: choose one"
    WHICH_OPEN = "several tables are open there; say --open N: {tables}"
    NO_SUCH_OFFER = "there is no such table to choose; open tables: {count}"
    SEAT_ASKED = "asking for a seat"
    NO_TABLE_FORMING = "no table is being formed here"
    NOTHING_PROPOSED = "nobody has proposed a match"
    TERMS_CHANGED = "the terms have changed since"
    NO_MATCH_HERE = "no match is being played here"
    NOBODY_TO_TALK_TO = "there is nobody to talk to"
    NO_MATCH_FOR_HINTS = "there is no match to give hints in"
    MATCH_STUCK = "{match} cannot go on: {why}"
    MISTAKE_MADE = (
        "the program has made a mistake, and goes on; a report says where it was made: "
        "netplay report"
    )
    TABLE_CLOSED = (
        "the program has made a mistake at this table and closed it; what was played "
        "is kept, and everything else goes on. A report says where it was made: "
        "netplay report"
    )
    DEADLY_MATCH = (
        "{match}: the program ended twice while it opened this match, and leaves it "
        "alone; what was played is kept. Load it to try again"
    )
    NOT_SHOWN = "something is too large to be shown here ({what}): {why}"
    ANSWER_TOO_LARGE = "the answer is too large to be shown: {why}"
    COMPUTER_ERRED = "a computer player erred: {why}"
    DICTIONARY_IN_USE = (
        "the dictionary stays as it is while a remote player is at the table"
    )
    IMPORTED = "words imported: {count}"
    ADDED = "added: {count}"
    DELETED = "deleted: {count}"
    NOW_IN = "{done}, now in {path}"
    LIST_CHANGED = "{name}: {done}"
    KEEPS_WORDS = "a game that has begun keeps its words"
    WORDS_EXPORTED = "words exported to {path}: {count}"
    OTHER_LETTERS = "{name} has other letters than the edition {edition}"
    NOT_UTF_8 = "{path}: this is not UTF-8 text"
    NO_WORDS_IN = "{path}: there are no words in this file"
    LIST_NOT_ALONG = (
        "the word list {digest} of this match is neither here nor in the file; it "
        "goes along with what {name} saves"
    )
    EDITION_NOT_ALONG = (
        "the edition {digest} of this match is neither here nor in the file; it "
        "goes along with what {name} saves"
    )
    HINTS_NOT_ALLOWED = "Hints are not allowed with players at other computers"
    SEAT_KINDS = "a seat is person, computer, program, browser or remote, not '{word}'"
    PROGRAM_FAILED = (
        "the program {name} at seat {seat} of table {table} plays no more, "
        "a computer player does: {why}"
    )
    PROGRAM_UNKNOWN = (
        "where it lies is not known here; whoever opens a table says that with "
        "--seat program:PATH"
    )
    PROGRAM_NO_PATH = (
        "a program at a seat is named on the command line: --seat program:PATH"
    )
    PROGRAM_NOT_RUNNABLE = "{path}: this is no program that can be run"
    PROGRAM_SILENT = "it has not chosen a move in {seconds} s"
    PROGRAM_ENDED = "it has ended: {why}"
    PROGRAM_RUBBISH = "it says what is no answer: {words}"
    PROGRAM_LONG_LINE = "it says a line of more than {count} bytes"
    PROGRAM_TALKS = "it has said {count} lines without choosing a move"
    SKILL_RANGE = "skill is a number from 0 to 100, not '{word}'"
    NO_GAME = "there is no game '{game}'; play {names}"
    SEATS_RANGE = "a table has 1 to {count} seats"
    NOT_ALL_ACCEPTED = "not everybody has accepted yet"
    WATCHES = "{name} watches"
    WATCHES_NO_LONGER = "{name} watches no longer"
    NOBODY_WATCHES = "nobody asks to watch, and nobody watches"
    SAY_WHOM = "say whom: {who}"
    WOULD_WATCH = "{name} would like to watch"
    MATCH_LACKS_WORDS = (
        "a match kept here lacks its words or its edition; they are fetched as "
        "soon as one of its players is here"
    )
    MATCH_GONE = (
        "the file of a match in hand is empty or gone; if it had begun, it comes back "
        "from its players"
    )
    NOTHING_TO_ANALYSE = "there is no finished match to analyse"
    NO_TURN = "move {number} is no turn of a seat's"
    KEPT_MATCH_STUCK = "a match that is kept here cannot go on: {why}"
    NAME_LETTERS = "'{name}' is no name; write up to 32 of a-z, 0-9, - and _"
    OWN_FILE_FAULTY = "your file {name} is faulty: {why}"
    NAME_SHIPPED = "{name} is the program's own and stays as it is; take another name"
    NAME_DIFFERS = "the name in it is {name}, not {other}"
    NO_REMATCH_NOW = "{name} proposes no rematch any more"
    REMATCH_PROPOSED = "the rematch is proposed"
    WOULD_REMATCH = "{name} would like a rematch"
    REMATCH_LATER = "there is a rematch when the match is over"
    REMATCH_IT_IS = "a rematch it is"
    REMATCH_ASKED = "the host is told that you would like a rematch"
    AWAY = "{names}: away"
    HOST_AWAY = "the host is away; host a table instead"
    RESOURCES_DAMAGED = (
        "words or an edition of other players were damaged, and are fetched again "
        "where a match needs them; they are kept as {name}"
    )
    NO_EDITION = "there is no edition '{name}'; there are {names}, or a TOML file"
    NO_LIST = "{path}: {why}; the lists with a name are {names}"
    OPEN_TO_ALL = (
        "whoever has the file can play every seat, and could look at every rack"
    )
    NEXT_DRAW = "tiles are drawn anew; send the file to {names}"
    SAVED_AS = "saved as {path}"
    AND_NOW = "{done}: {then}"
    TURN = "{names}'s turn"
    TURN_OPEN = "{turn} ({warning})"
    REST_LOST = "{why}: the rest is lost"
    NEW_ENTRIES = "new entries: {count}"
    GOES_ON_LATER = "the match goes on when its players are here"
    NEXT_SEND = "send the file to {names}"
    NEXT_SEND_TO_HOST = "the move is made; send the file to {name}"
    NO_MATCH_KEPT = "no match is kept here"
    WATCHING_KEPT = "watching a match kept here"
    GOES_ON = "the match goes on"
    NOTHING_TO_SAVE = "there is no match to save"
    NOBODY_PLAYS = "nobody here plays in that match"
    NOTHING_TO_PLAY = (
        "no match is going on here; see `netplay host` and `netplay start`"
    )
    NO_SEAT_HERE = "every seat is another's"
    SEAT_NOT_YOURS = "seat {seat} is not yours"
    TOO_FAST_TO_TYPE = "{game} goes too fast to be typed"
    JSON_NEEDS_MOVE = "--json needs a move"
    NO_MATCH_IN = "{path}: there is no match in it"
    NOTHING_WHOLE = "nothing is whole"
    CAN_BEGIN = "{name} has accepted, and the game can begin"
    HAS_COME = "{name} has come to the table"
    ASKS_FOR_SEAT = "{who} asks for a seat; those free are kept for others"
    DOES_NOT_PLAY = "{name} does not play: {why}"
    NO_SEAT = "no seat at the table of {name}: {why}"
    SOMEBODY_TO_JOIN = "somebody to join"
    THE_DICTIONARY = "the dictionary"
    THE_HOST = "the host"
    LINES_LEFT_OUT = "lines left out: {count}"
    CHANGED_RULES = "{name} has changed the rules"
    NO_SEAT_BLOCKED = "no seat at that table: {names} is blocked here"
    CALLS = "{name} calls to a table"
    LEFT_TABLE = "left the table"
    TABLE_WAS_LEFT = "the table was left"
    HAS_LEFT = "{name} has left: {why}"
    BUSY_HERE = "busy with another match"
    NO_ROOM_HERE = "too many tables are in hand there"
    NOT_WAITING = "not waiting for calls"
    NOT_NOW = "not now"
    NOT_WITH_THESE = "not with these players"
    NOT_THESE_TERMS = "not these terms"
    NO_REMATCH = "no rematch"
    MATCH_THERE = "a match is being played there"
    MATCH_THERE_WATCH = "a match is being played there; ask to watch it"
    SEATS_KEPT = "the free seats are kept for others"
    SEAT_FREED = "the host has freed your seat"
    WATCH_AT_PLAYERS = "watch at a player's"
    SEAT_WAITS = "a seat is waiting for you"
    NOT_WATCHED = "persons at one computer are not watched"
    TOO_MANY_WATCH = "too many are watching already"
    UNWATCHED = "the players do not want to be watched"
    ACCEPTED = "accepted"
    DECLINED_TERMS = "declined"
    STRANGERS_LEFT_OUT = "lines about strangers left out: {count}"
    BYSTANDERS = "bystanders: {wish}"
    MAY_WATCH = "{name} may watch"
    MAY_NOT_WATCH = "{name} may not watch"
    NO_MATCH_TO_LOOK_BACK = "there is no match to look back on"
    NO_EDITIONS = "{game} has no editions"
    WITHOUT_WORDS = "{game} is played without words"

    # The match.

    BAG_NOT_OPENED = "{names} did not open the bag"
    BAG_NOT_OPENED_SHARES_WRONG = (
        "{names} did not open the bag and gave wrong shares of its seed"
    )
    NEW_HOST_DRAWS_AGAIN = "{name} is host now: a draw begins again, number {number}"
    NEW_SEAT_DRAWS_AGAIN = "a seat has passed on: a draw begins again, number {number}"
    OUT_OF_STEP_AT = (
        "{name} sees another position at entry {number}: {theirs} there, {ours} here"
    )
    FALSE_MIX = (
        "{name} has changed tiles in the bag: the match stops, entry {number} proves it"
    )
    FALSE_PART = "{name} gave a wrong part of its key: the match stops"
    NOTHING_TO_ENCRYPT = (
        "an encrypted bag needs a game with tiles and players at two computers"
    )
    CANNOT_ENCRYPT = (
        "an encrypted bag has at most {most} tiles, and needs a libsodium with Ed25519"
    )
    IN_DISPUTE = "the programs differ: the game stays unfinished, in dispute"
    TOO_FEW = "there are too few for another host"
    HOST_SILENT = "the host has not answered for long"
    AGREES_TO_HAND = "{name} agrees that {other} plays on for {seat}"
    NOBODY_PLAYS_SEAT = "nobody plays that seat"
    SEAT_STAYS = "that seat need not pass to anybody"
    TILES_STAY = "nobody else could read the tiles of that seat: it cannot pass"
    GONE_BACK = "the match has gone back: please make your last move again"
    ANOTHER_MOVE_CAME = (
        "another move of yours has come into the match than the one that waited here"
    )
    NOTHING_TO_TAKE_BACK = "there is no move of yours here that waits to be delivered"
    LINE_KEPT = "not delivered yet: it goes by itself when somebody can be reached"
    ASKED_A_WEEK = "nobody has answered for a week: the table is given up"
    TAKEN_BACK = "your move is taken back"
    PREPARED = "that is prepared: it is played by itself if the game goes so"
    PREPARED_DROPPED = "it is not prepared any more"
    PREPARED_MADE = "the move that you had prepared is made"
    PREPARED_FAILED = "the move that you had prepared could not be made: {why}"
    PREPARED_HIDDEN = (
        "moves can be prepared only where nothing is hidden, not in {game}"
    )
    PREPARED_NOT_NOW = "moves are prepared while it is another's turn"
    PREPARED_NO_FURTHER = "nobody can know how the game goes on from there"
    PREPARED_LENGTH = (
        "a prepared line begins with another's move and ends with yours; it has at "
        "most {most} moves"
    )
    PREPARED_WORD = "there it is the turn of {name}: type it as {word} {move}"
    PREPARED_RESIGNING = "nobody's resigning can be prepared"
    PREPARED_ENOUGH = "there are {most} prepared lines already"
    PREPARED_NONE = "no such moves are prepared"
    HAS_LEFT_HERE = (
        "the move has left this computer: only the other players can let you take it "
        "back"
    )
    NOT_RUNNING = "the match does not run"
    CLAIMS_TO_HAVE_MORE = (
        "{name} claims to have more of the match than this computer, which waits a "
        "moment for it"
    )
    SHOWED_NO_MORE = (
        "{name} has not shown more of the match, which goes on without that"
    )
    FILES_TOO_OLD = (
        "the files of this computer were too old: the others have more of the match; "
        "what is missing is fetched, and a new term begins"
    )
    PLAYED_ON_TWICE = (
        "the file and the match kept here differ from entry {number} on: both were "
        "played on from the same place"
    )
    PART_OF_NO_USE = "part of the file is of no use: {why}"
    LETTER_OF_NO_USE = "a letter that a friend's node kept is of no use: {why}"
    UNCONFIRMED = "nobody confirms your move yet: {hours} h left"
    KEEPERS_NAMED = "by these terms all believe when letters came to: {names}"
    KEEPER_LIED = (
        "{keeper} signed that it keeps your letter to {name}, and now that none was "
        "left: what it alone keeps does not count any more"
    )
    LETTERS_OF_NO_USE = (
        "letters that friends' nodes kept are of no use: {count} more; of the last: "
        "{why}"
    )
    WAITS_FOR_PLAYERS = "the match waits for its players"
    PUT_BACK_HERE = "this computer has put back an older copy of the match"
    PUT_BACK = "{name} has put back an older copy of the match"
    SIGNED_AND_GONE = "{names} had signed for entries that are gone"
    FINAL_AND_GONE = (
        "final entries from {number} on are gone: {names} had signed for them"
    )
    NO_HINTS = "there are no hints at this table"
    PLAYED_ELSEWHERE = "that seat is played elsewhere"
    TILES_FROM = "the tiles from {names}"
    SHUFFLING = "Shuffling: {done} of {count}"
    TILE_NOT_LIFTED = "the other computers have not let go of that tile yet"
    TILE_NOT_OPENED = "the host has not opened that tile yet"
    CLAIM_TOO_SOON = (
        "{name} says that your time to think is over; this computer does not confirm "
        "that: by its record there is time left, or your move was made in time"
    )
    OWES = (
        "{name} owes {what}; the last that came of {name} is entry {number}, {time} "
        "after the beginning"
    )
    OWES_FIRST = "{name} owes {what}; nothing has come of {name} yet"
    OWES_LONG = "{name} owes {what}; nothing from {name} in the last {count} entries"
    SENT = "last received from {name}: {what}"
    SENT_NOTHING = "{name} has sent none of what the others are waiting for"
    SENT_LAST = "{what} (entry {number}, {time})"
    SENT_KEYS = "the key to the bag"
    SENT_MIXINGS = "a mixing"
    SENT_SPARES = "parts of the key"
    SENT_LIFTS = "tiles let go"
    SENT_OPENS = "the bag opened"
    SENT_ROOTS = "the tiles sealed"
    SENT_COMMITS = "a sealed seed"
    SENT_SEEDS = "a seed shown"
    SENT_FACES = "tiles turned up"
    SENT_CLAIMS = "a claim"
    SENT_JUDGEMENTS = "an answer to a claim"
    OWED_TURN = "a turn"
    OWED_CHANCE = "its part of chance"
    OWED_KEY = "its key to the bag"
    OWED_MIXING = "a mixing of the bag"
    OWED_SPARE = "the parts of its key to the bag"
    OWED_TILES = "to let go of tiles"
    KEEPERS_FAR = (
        "your computer has no link to {names}: as long as it has none, nobody but the "
        "other players can confirm when you moved"
    )
    KEEPER_NOTHING = (
        "entry {number}: {keeper}, which keeps letters, signs that {late} left none "
        "for {name} from {since} to {until}"
    )
    KEEPER_SILENT = (
        "entry {number}: {keeper}, which keeps letters, is silent: the claim of {name} "
        "has no word of it on letters of {late}"
    )
    KEEPER_BOTH = (
        "entry {number}: {keeper} has signed that {late} left a letter, and that none "
        "was left: its word counts for nothing"
    )
    OBJECTED = (
        "you have said that your time is not over; the others judge the claim of "
        "{name}: make your move once they have"
    )
    OBJECTED_ALREADY = "the others judge the claim against you first"
    TIME_UNANSWERED = "{name} claims that the time of {late} is over: unanswered"
    TIME_LATE = "entry {number}: {late} was late by the clock of {name}, and played on"
    TIME_CONFIRMED = "entry {number}: the time of {late} was over, as was confirmed"
    TIME_CONTESTED = (
        "entry {number}: won on time by {name}, contested: {late} objects, and nobody "
        "can tell who is right"
    )
    WITHHELD = (
        "{name} says that {late} withholds what the others wait for; that is the word "
        "of {name}, and no result"
    )
    CLOCK_AHEAD = (
        "this computer was off, and its clock is ahead by {hours} h of that of {name}: "
        "that is not counted as time to think"
    )
    CLOCK_FORWARD = (
        "the clock of this computer was put forward by about {hours} h: turns are "
        "counted without that"
    )
    CLOCK_BACK = (
        "the clock of this computer was put back by about {hours} h: turns are counted "
        "without that"
    )
    NO_DAYS_HERE = "days to think need turns, and players at other computers"
    TIME_CLAIMED = "you have claimed that the time is over"
    NOTHING_TO_CLAIM = "nobody here keeps you waiting for longer than was agreed"
    CLAIMED = "you have claimed that already; the others have not answered yet"
    OFFER_WHAT = "say draw, stop, back or days and a number"
    NOTHING_OFFERED = "there is no such offer that you could answer"
    NOTHING_TO_AGREE = "there is nothing to be agreed on now"
    NO_DRAW = "no draw can be offered in this game"
    NOTHING_TO_GO_BACK = (
        "you have no turn that could be taken back: tiles were drawn or shown since, "
        "or it is taken back already"
    )
    NO_DAYS_OFF = "there are no days off here, or you had as often as there may be"
    DAYS_OFF_RANGE = "days off are a number from 1 to {most}"
    OFFERS_ENOUGH = "you have made as many offers as there may be before a move"
    OFFER_MADE = "your offer is made; all others have to agree"
    OFFER_ANSWERED = "your answer is given"
    OFFER_LATE = "your offer or answer came too late: the match had gone on"
    OFFERS_DRAW = "{name} offers a draw"
    OFFERS_STOP = "{name} would like to stop here, without a winner"
    OFFERS_BACK = "{name} would like to take back a turn"
    OFFERS_DAYS = "{name} asks for days off: {days}"
    AGREED_DRAW = "all have agreed to a draw"
    AGREED_STOP = "all have agreed to stop here"
    AGREED_BACK = "all have agreed: {name} takes back a turn"
    AGREED_DAYS = "all have agreed: {name} has days off ({days})"
    OFFER_WITHDRAWN = "{name} takes the offer back"
    DECLINED_DRAW = "the draw that {name} offered is declined"
    DECLINED_STOP = "not all would like to stop, as {name} would"
    DECLINED_BACK = "the turn of {name} is not taken back"
    DECLINED_DAYS = "the days off for {name} are declined"
    CLOCK_TOO_SOON = (
        "the clock of {name} took a turn {seconds} s too soon: not confirmed"
    )

    # What checking the file of a match finds.

    IN_ENTRY = "entry {number}, {what}"
    AUDIT_FOUND = "the audit: {what}"
    POSITIONS_DIFFER = "the programs see different positions"
    SAW_ANOTHER = "entry {number}: {name} saw position {theirs}, here it is {ours}"
    DRAW_NOT_PROVED = "the draw is not proved, the seed is missing {seeds}"
    SEED_OF = "of {name} for deal {deals}"
    DRAWN_AGAIN = "entry {number}: {why}, {what} began again"
    BECAME_HOST = "{name} became host"
    SEAT_PASSED_ON = "a seat passed on"
    PUBLIC_CHANCE = "public chance"
    DEAL = "deal {number}"
    GAME_UNKNOWN = "the game '{game}' is not known here"
    RULES_MISSING = "rules {rules} of {game} are missing: here are rules {version}"
    EDITION_MISSING = "edition {digest} is missing"
    LIST_MISSING = "list {digest} is missing"

    # Files of matches.

    IN_HAND_DAMAGED = (
        "{name}, which names the matches in hand, is damaged or gone: all that are not "
        "over were taken up again"
    )
    NO_SUCH_FILE = "{path}: there is no such file"
    THE_MATCH = "the match"
    THE_ENCLOSURES = "what goes along"
    DAMAGED_BEHIND = "{what} is damaged behind entry {number}, {why}"
    TOO_MANY_BYTES = "larger than {count} bytes"
    SECRETS = "the secrets: {why}"
    SECRETS_GONE = (
        "the secrets of a match are gone, or were emptied: {name} in the folder of the "
        "matches. A backup of that file may be put back while no node runs; without "
        "one, if the others wait for a seed in it, only resigning helps"
    )
    MEMORY_LIMIT = "{path}: it takes more memory than there may be for one file"
    READER_ENDED = (
        "{path}: the part of the program that was reading it has ended without a "
        "word: somebody has ended it, or this computer is short of memory"
    )
    MATCH_DAMAGED = (
        "the file of a match was damaged ({why}): entries left: {count}, the "
        "others come from its players; it is kept as {name}"
    )
    SECRETS_DAMAGED = (
        "the secrets of a match were damaged: those that could be read: {count}, and "
        "what is lost may be a seed that the others wait for; kept as {name}"
    )
    RULES_VERSION = (
        "the match needs version {rules} of the rules of {game}; this program has "
        "version {version}"
    )
    NOT_A_SHEET = "this is not the file of a score sheet"
    SHEET_CONTRADICTS = "the score sheet contradicts itself"
    SHEET_TORN = "the score sheet is torn: {count} of its {due} bytes are there"
    SHEET_GOES_ON = (
        "the score sheet is damaged: something follows its end at byte {offset}"
    )
    SHEET_DAMAGED = (
        "the score sheet is damaged: its checksum is wrong, from byte {offset} on"
    )
    NOT_THE_SHEETS = "it is not the one of the score sheet"
    SHEET_EVENT = "event {number}: {why}"
    NO_RECORD_OF = "only Networdz has such a record, not {game}"
    BOARD_TOO_WIDE = "the board is wider than {columns} columns"
    RENEWAL_UNRECORDED = (
        "player {number} exchanged four of a kind and kept the turn: records have no "
        "line for that"
    )
    TRADE_UNRECORDED = (
        "player {number} traded a tile for a blank on the board: records have no line "
        "for that"
    )
    NOT_A_MATCH_FILE = "this is not the file of a match"
    RECORD_CUT = "the file ends within a record"
    NOT_AUDITED = "{match}, NOT AUDITED: {why}"
    DAMAGED = "{name}: damaged"
    NEEDS_RULES = "{match} (needs version {rules} of its rules)"
    RECORD_LENGTH = "the length of a record is wrong"
    RECORD_CHECKSUM = "the checksum of a record is wrong"
    MATCH_TOO_LONG = "the match has become too long to be kept"

    # After the match.

    ONLY_NETWORDZ = "only matches of Networdz can be analysed"
    ANALYSE_LATER = "a match can be analysed when it is over and its tiles are open"
    NO_LIST_FOR_LETTERS = "no word list for its letters is here"
    WHY_BINGO = "{play} would have laid the whole rack"
    WHY_GOING_OUT = "{play} would have gone out"
    WHY_POINTS = "{play} scores {count} points more"
    WHY_ENDING = "with {play} the end comes out better"
    WHY_EXCHANGE = "exchanging {letters} was worth more"
    WHY_NO_PLAY = "{play} could have been laid"
    WHY_BLANK = "the blank was worth more on the rack"
    WHY_KEPT = "these tiles were better laid than kept: {letters}"
    WHY_LEAVE = "the better play leaves more for the turns to come"
    WHY_WIN_MISSED = "a sure win was there"
    WHY_LOST = "after this the match was lost"
    WHY_CORNER_MISSED = "a corner was there to be taken"
    WHY_CORNER_GIVEN = "this gave a corner away"
    WHY_HEXAD_MISSED = "a hexad was there to be taken"
    WHY_HEXAD_LEFT = "this left a hexad to be taken"

    # The node.

    EDITION_SAVED = "{name} is saved"
    NO_WORD = "{word} is not in the dictionary"
    NO_PUZZLE = "{game} has puzzles 1 to {count}"
    OTHERS_HAVE_IT = "these have it: {lists}"
    NO_LIST_HAS_IT = "no other list of these letters has it, either"
    SAVED_WITHOUT_DICTIONARY = "{saved}; there is no dictionary {words} yet, import one"
    SAVED_WITH_OTHER_LETTERS = (
        "{saved}; the dictionary {words} has other letters, import one"
    )
    A_WORD = "{word} is in the dictionary"
    WHOLE_PATH = "{path}: write the whole path, from the root"
    EDITION_WRITTEN = "the edition is written to {path}"
    OTHER_VERSION = "the node is version {node}, this program is {program}"
    AT = "{place}: {why}"
    SWITCHED = "{name} is {wish}"
    BLOCKED = "{name} is blocked"
    NO_LONGER_BLOCKED = "{name} is no longer blocked"
    MUTED = "{name} is muted"
    NO_LONGER_MUTED = "{name} is no longer muted"
    TABLE_MUTED = "you are told nothing more of this table"
    TABLE_NO_LONGER_MUTED = "you are told of this table again"
    QUIET = "you are told nothing from {start} to {end}"
    NEVER_QUIET = "there are no quiet hours"
    WAS_KNOWN = "{address} was known"
    WAS_UNKNOWN = "{address} was not known"
    FORGOTTEN = "{name} is forgotten"
    SEVERAL_NAMED = "several are called '{whom}'; name the key: {keys}"
    ON_OR_OFF = "{name} is on or off, not '{wish}'"
    NOBODY_BLOCKED = "nobody is blocked"
    NODE_STOPS = "the node stops"
    NO_SUCH_EVENT = "the sheet has events 0 to {last} and players 1 to {players}"
    NO_SUCH_ENTRY = "the match has entries 1 to {last}, not {number}"
    NO_SUCH_SEAT = "the match has seats 1 to {last}, not {number}"
    TILES_NOT_OPEN = "the tiles of a seat are in the file only when the match is over"
    OTHER_PROGRAMS_RECORD = (
        "{path} is another program's: make it ours with `netplay gcg import`"
    )
    NO_MATCH_THERE = "there is no match in the file"
    DAMAGED_ENTRY = "the match is damaged at entry {number}: {why}"
    DOUBTED = "{name} ({doubt}): ask them whether their key is {key}"
    PORT_RANGE = "a port is a number from 1 to 65535"
    NOT_ANALYSED = "that turn could not be analysed"
    DOOR_CLOSED = "the node closed its door"
    START_NODE = "start one with `netplay node`"
    NODE_DEAF = "the node does not take what this window sends"
    NO_NODE_ANSWERS = "no node answers for this home ({why})"
    NOT_FOR_GUESTS = "a guest's browser may not do that"
    SEAT_LENT_NO_MORE = "this seat is lent no more"
    NO_DEVICE = "no device called {name} is let in; netplay web --devices lists them"
    NO_OWN_PAGES = "start `netplay web --own` first, on this computer"
    NO_PAGES_SERVED = "start `netplay web` first, for others `netplay web --lan`"
    NO_SEAT_TO_LEND = "only a person's seat here, in a match, can be lent"
    NO_BROWSER_SEAT = "no guest in a browser can sit down there now"
    NAME_IN_USE = "somebody here is called {name} already; take another name"
    BROWSER_SEATS = "at most {count} seats can be for guests in browsers"
    SAT_DOWN = "{name} sits down"
    PAGES_NOT_SERVED = "the pages for browsers could not be served; see the journal"
    LINK_OPENED_AGAIN = (
        "somebody has opened a link to a seat that was taken already; nobody came in"
    )
    DOOR_BROKE = "the connection to the node broke"
    PREFERENCES_DAMAGED = (
        "the preferences of this window were damaged; they are kept as {name}"
    )
    NODE_SILENT = "the node does not answer"
    STILL_CALLING = "still calling: no answer yet"
    STILL_NO_TABLE = "connected; waiting for the host to show the table"
    NO_ANSWER_YET = "no answer yet: netplay games shows what comes of it"

    # Hints.

    HINT_EXCHANGE = "exchange {letters}"
    HINT_FOUR = "show four {letters} and exchange the whole rack"
    HINT_TRADE = "put your {letters} in place of the blank at {where}"
    HINT_PICK_UP = "take the blank off the board for {letters}"
    HINT_PASS = "pass"  # noqa: S105 (no password)
    HINT_ACCEPT = "accept the word"
    HINT_CHALLENGE = "challenge the word"
    HINT_WITHDRAW = "withdraw the word"
    HINT_INSIST = "stand by the word"

    # To another computer.

    MOVED = (
        "what was here has moved to another computer, on {day}; never play with one "
        "key at two. If {file} was not imported anywhere: netplay export --undo"
    )
    MOVED_BACK = "you play here again; do not import the file anywhere now"
    NOT_MOVED = "{path}: nothing has moved from here"
    NOTHING_TO_EXPORT = "{path}: there is nothing here to take along"
    TOO_MUCH_TO_EXPORT = "there are more than {count} bytes to take along"
    EXPORT_WHERE = "say the file to write, or --undo"
    MOVED_OUT = (
        "{path} has your key, friends, words, settings and {matches} matches: now "
        "`netplay import` it at the other computer. This one plays no more with your "
        "key"
    )
    MOVED_IN = (
        "{path} has your key, friends, words, settings and {matches} matches. Play "
        "here from now on, and no more at the other computer"
    )
    PUT_ASIDE = "what was here before is in {path}"
    HOME_TAKEN = "{path} is in use; --force puts what is there into {aside}"
    NOT_EXPORTED = "{path}: this is no file of `netplay export`"
    EXPORT_DAMAGED = "{path}: the file is damaged, or not whole"
    OTHER_PHRASE = "{path}: it has another passphrase"
    PHRASE_SHORT = "a passphrase has at least {count} characters"
    PHRASES_DIFFER = "these are two different passphrases"
    PHRASE_NEEDED = "nobody can be asked for the passphrase: --passphrase-file FILE"
    MEMORY_SHORT = "there is too little memory: a passphrase takes 256 MB"

    # A copy of everything, kept fresh.

    COPY_BEGUN = (
        "{path} is a copy of your key, friends, matches, words and settings. The node "
        "keeps it fresh. If this disk is lost: `netplay import` it"
    )
    COPY_THERE = "{path} is your copy, of {day}"
    COPY_NONE = "there is no copy of what is here: netplay backup DIR"
    COPY_ENDED = "no more copies are made; the last one stays where it is"
    COPY_FAILED = "no copy of what is here can be kept in {path}"
    COPY_NO_FOLDER = "{path} is no folder: make it, or name another one"
    COPY_INSIDE = "{path} would be lost together with what it is a copy of"
    COPY_OR_OFF = "say the folder, or --off"

    # Commands.

    LINKS_OPENED = "netplay: lines are opened in the window now ({where})"
    LINKS_REMOVED = "netplay: lines are not opened by this program any more"
    LINKS_NOT_OPENED = "netplay: lines were not opened by this program"
    LINKS_NO_TOOL = (
        "{tool} could not do it: paste such lines into the window, By address"
    )
    SHOWN_IN_WINDOW = "the window that is open shows it"

    LIST_SHIPPED = "a list of the program's own stays as it is; give --out FILE"
    NOT_FOR_SEATS = "{game} is not for {seats} seats"
    ONE_GAME = "at least one game, please"
    BUDGET_RANGE = "a budget is more than 0 seconds"
    SHARE_RANGE = "a share is from 0 to 100 %"
    SEATS_TAKEN = "{game} takes {low} to {high} seats, not '{seats}'"
    DEPTH_RANGE = "a depth is 0 or more"
    NO_DISPLAY = (
        "there is no display for a window. On a terminal there are: {names} "
        "(netplay --help)"
    )
    DAMAGED_BUT = "{path}: {why}; what came before it is here"
    CONNECTED_TO = "connected to {names}"
    WATCHING = "watching; see `netplay status`, leave with `netplay leave`"


def _value(value: object) -> Value:
    """Return a value as it travels; nothing in it can disturb a window or terminal."""
    said = spoken(value) if isinstance(value, Exception) else value
    if isinstance(said, int):
        return said
    if isinstance(said, Said):
        return said if characters(said) <= SAID_CHARACTERS else shortened(str(said))
    return visible(shortened(str(said)))


TEMPLATES.update((member.name, member.value) for member in Says)

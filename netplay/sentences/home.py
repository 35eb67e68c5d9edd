"""What is said of what lies on this computer, and by commands about it.

So is what is found in files of matches and sheets, and what the node says of itself
and answers to its windows.
"""

from netplay.said import Saying


class OfTheHome:
    """Folders, options, moving away, copies, notices, what commands refuse."""

    # The home and its options.

    A_FOLDER = Saying("{path}: this is a folder")
    DISK_IS_FULL = Saying("the disk is full")
    DISK_IS_READ_ONLY = Saying("this disk can only be read")
    DISK_FAILS = Saying("the disk fails")
    FILE_AT_LIMIT = Saying("the file would be larger than is allowed here")
    NOT_ALLOWED = Saying("this program may not do that here")
    NO_FILE_THERE = Saying("there is no such file or folder")
    NO_PLAIN_FILE = Saying(
        "{path}: this is no plain file, but a device, a pipe or the like"
    )
    FILE_TOO_LARGE = Saying(
        "{path}: the file has more than {count} bytes, the most there may be"
    )
    NAME_NOT_KEPT = Saying(
        "the name could not be kept, and holds until the node ends: {why}"
    )
    DRIVE_SILENT = Saying("{path}: the drive has not answered for {seconds} seconds")
    OTHERS_MAY_WRITE = Saying("others on this computer may write to {path}")
    NODE_RUNNING = Saying(
        "Netplay is already running for {path}: 'netplay stop' ends it"
    )
    NO_HOURS = Saying("'{text}' are no hours; write them as 22:00-07:00")
    SETTINGS_DAMAGED = Saying("the settings were damaged; they are kept as {name}")
    ASKED_DAMAGED = Saying(
        "what was kept of friends who were asked to a game was damaged; it is kept as "
        "{name}: ask them again"
    )
    DEVICES_DAMAGED = Saying(
        "the list of devices that are let in was damaged; it is kept as {name}: let "
        "them in again"
    )
    NO_OPTION = Saying("{game} has no option '{name}'; there are {names}")
    NUMBER_BETWEEN = Saying("{whole} number from {least} to {most}")
    NUMBER_AT_LEAST = Saying("a whole number from {least} on")
    A_NUMBER = Saying("a whole number")
    A_TEXT = Saying("a text")
    VALUE_NOT = Saying("{name} is {wanted}, not '{word}'")
    EVERY = Saying("every {step}th")
    WHOLE = Saying("a whole")
    EVEN = Saying("an even")
    NO_PLAYER = Saying("there is no player '{name}'; there are {names}")
    BYTES_ALLOWED = Saying("{length} bytes, {limit} allowed")

    # To another computer.

    MOVED = Saying(
        "what was here has moved to another computer, on {day}; never play with one "
        "key at two. If {file} was not imported anywhere: netplay export --undo"
    )
    MOVE_NOT_NOTED = Saying(
        "{path} can only be read, so nothing there says that you have moved: do not "
        "play from there again once the file is imported"
    )
    MOVED_BACK = Saying("you play here again; do not import the file anywhere now")
    NOT_MOVED = Saying("{path}: nothing has moved from here")
    NOTHING_TO_EXPORT = Saying("{path}: there is nothing here to take along")
    TOO_MUCH_TO_EXPORT = Saying("there are more than {count} bytes to take along")
    EXPORT_WHERE = Saying("say the file to write, or --undo")
    PUT_ASIDE = Saying("what was here before is in {path}")
    HOME_TAKEN = Saying("{path} is in use; --force puts what is there into {aside}")
    NOT_EXPORTED = Saying("{path}: this is no file of `netplay export`")
    EXPORT_DAMAGED = Saying("{path}: the file is damaged, or not whole")
    OTHER_PHRASE = Saying("{path}: it has another passphrase")
    PHRASE_SHORT = Saying("a passphrase has at least {count} characters")
    HOME_BROUGHT = Saying(
        "everything is here now: play here from now on, not at the other computer"
    )
    PHRASES_DIFFER = Saying("these are two different passphrases")
    PHRASE_NEEDED = Saying(
        "nobody can be asked for the passphrase: --passphrase-file FILE"
    )
    MEMORY_SHORT = Saying("there is too little memory: a passphrase takes 256 MB")

    # A copy of everything, kept fresh.

    COPY_BEGUN = Saying(
        "{path} is a copy of your key, friends, games, words and settings, kept "
        "fresh while Netplay runs. If this disk is lost, `netplay import` takes it up"
    )
    COPY_THERE = Saying("{path} is your copy, of {day}")
    COPY_NONE = Saying("there is no copy of what is here: netplay backup DIR")
    COPY_ENDED = Saying("no more copies are made; the last one stays where it is")
    COPY_NOT_WANTED = Saying(
        "no copy is made of what is here; the preferences offer it again"
    )
    COPY_FAILED = Saying(
        "no copy of what is here can be kept in {path}: see whether that disk is "
        "there, has room, and may be written"
    )
    COPY_NO_FOLDER = Saying("{path} is no folder: make it, or name another one")
    COPY_INSIDE = Saying("{path} would be lost together with what it is a copy of")
    NEWS = Saying(
        "update Netplay to version {version} or later: a security release of {day} "
        "says: {words}"
    )
    NEWS_NOTHING = Saying("the last notice, of {day}, does not concern this version")
    NEWS_OFF = Saying("no notices are looked for: netplay news --from PLACE")
    NEWS_ENDED = Saying("no notices of security releases are looked for any more")
    NEWS_OR_OFF = Saying("say the place, or --off")
    NEWS_NO_KEY = Saying(
        "this program knows no key by which notices are signed: nobody has released it "
        "yet"
    )
    NEWS_FORGED = Saying("what lies there is no notice that who releases has signed")
    NEWS_OLDER = Saying(
        "that is notice {number}, and {last} was here already: an old one"
    )
    NEWS_NOT_THERE = Saying(
        "{place}: no notice is to be had there, or too long or too slow"
    )
    COPY_OR_OFF = Saying("say the folder, or --off")

    # Commands.

    LINKS_OPENED = Saying("netplay: lines are opened in the window now ({where})")
    LINKS_REMOVED = Saying("netplay: lines are not opened by this program any more")
    LINKS_NOT_OPENED = Saying("netplay: lines were not opened by this program")
    LINKS_NO_TOOL = Saying("{tool} could not do it: paste such lines into the window")
    SHOWN_IN_WINDOW = Saying("the window that is open shows it")

    LIST_SHIPPED = Saying("a list of the program's own stays as it is; give --out FILE")
    NOT_FOR_SEATS = Saying("{game} is not for {seats} seats")
    ONE_GAME = Saying("at least one game, please")
    NO_DISTRIBUTED = Saying("several computers need pip install 'netplay[cluster]'")
    NO_SCHEDULER = Saying("no scheduler answers at {address}: {why}")
    OTHER_WORKERS = Saying(
        "the workers have Netplay {found}, and this computer has {version}"
    )
    WORKERS_FAILED = Saying("the workers have failed: {why}")
    BUDGET_RANGE = Saying("a budget is more than 0 seconds")
    SHARE_RANGE = Saying("a share is from 0 to 100 %")
    SEATS_TAKEN = Saying("{game} takes {low} to {high} seats, not '{seats}'")
    DEPTH_RANGE = Saying("a depth is 0 or more")
    NO_DISPLAY = Saying(
        "there is no display for a window. On a terminal there are: {names} "
        "(netplay --help)"
    )
    KEY_WITHOUT_CERTIFICATE = Saying("--key FILE needs --certificate FILE")
    NO_CERTIFICATE = Saying(
        "in {path} there is no certificate (PEM), or in {key} no key without "
        "a passphrase that fits it"
    )
    DAMAGED_BUT = Saying("{path}: {why}; what came before it is here")
    CONNECTED_TO = Saying("connected to {names}")
    WATCHING = Saying("watching; see `netplay status`, leave with `netplay leave`")


class OfFiles:
    """Files, and their verification."""

    # What checking the file of a match finds.

    IN_ENTRY = Saying("entry {number}, {what}")
    AUDIT_FOUND = Saying("the audit: {what}")
    POSITIONS_DIFFER = Saying("the programs see different positions")
    SAW_ANOTHER = Saying(
        "entry {number}: {name} saw position {theirs}, here it is {ours}"
    )
    DRAW_NOT_PROVED = Saying("the draw is not proved, the seed is missing {seeds}")
    SEED_OF = Saying("of {name} for deal {deals}")
    SEAT_PASSED = Saying(
        "entry {number}: the seat of {seat} has passed to {other} ({key}), as {names} "
        "agreed"
    )
    DRAWN_AGAIN = Saying("entry {number}: {why}, {what} began again")
    BECAME_HOST = Saying("{name} became host")
    SEAT_PASSED_ON = Saying("a seat passed on")
    PUBLIC_CHANCE = Saying("public chance")
    DEAL = Saying("deal {number}")
    GAME_UNKNOWN = Saying("the game '{game}' is not known here")
    RULES_MISSING = Saying(
        "rules {rules} of {game} are missing: here are rules {version}"
    )
    EDITION_MISSING = Saying("edition {digest} is missing")
    LIST_MISSING = Saying("list {digest} is missing")

    # Files of matches.

    IN_HAND_DAMAGED = Saying(
        "{name}, which names the games in hand, is damaged or gone: all that are not "
        "over were taken up again"
    )
    NO_SUCH_FILE = Saying("{path}: there is no such file")
    THE_MATCH = Saying("the game")
    THE_ENCLOSURES = Saying("what goes along")
    DAMAGED_BEHIND = Saying("{what} is damaged behind entry {number}, {why}")
    TOO_MANY_BYTES = Saying("larger than {count} bytes")
    SECRETS = Saying("the secrets: {why}")
    SECRETS_GONE = Saying(
        "the secrets of a game are gone, or were emptied: {name} in the folder of the "
        "games. A backup of that file may be put back while no node runs; without "
        "one, if the others wait for a seed in it, only resigning helps"
    )
    MEMORY_LIMIT = Saying("{path}: it takes more memory than there may be for one file")
    READER_ENDED = Saying(
        "{path}: the part of the program that was reading it has ended without a "
        "word: somebody has ended it, or this computer is short of memory"
    )
    MATCH_DAMAGED = Saying(
        "the file of a game was damaged ({why}): entries left: {count}; what others "
        "have of it comes from them; it is kept as {name}"
    )
    SECRETS_DAMAGED = Saying(
        "the secrets of a game were damaged: those that could be read: {count}, and "
        "what is lost may be a seed that the others wait for; kept as {name}"
    )
    RULES_VERSION = Saying(
        "the game needs version {rules} of the rules of {game}, and this program has "
        "version {version}: whoever has version {older} has to update Netplay, and the "
        "game stays as it is until then"
    )
    NOT_A_SHEET = Saying("this is not the file of a score sheet")
    SHEET_CONTRADICTS = Saying("the score sheet contradicts itself")
    SHEET_TORN = Saying("the score sheet is torn: {count} of its {due} bytes are there")
    SHEET_GOES_ON = Saying(
        "the score sheet is damaged: something follows its end at byte {offset}"
    )
    SHEET_DAMAGED = Saying(
        "the score sheet is damaged: its checksum is wrong, from byte {offset} on"
    )
    NOT_THE_SHEETS = Saying("it is not the one of the score sheet")
    SHEET_EVENT = Saying("event {number}: {why}")
    NO_RECORD_OF = Saying("only Networdz has such a record, not {game}")
    BOARD_TOO_WIDE = Saying("the board is wider than {columns} columns")
    RENEWAL_UNRECORDED = Saying(
        "player {number} exchanged four of a kind and kept the turn: records have no "
        "line for that"
    )
    TRADE_UNRECORDED = Saying(
        "player {number} traded a tile for a blank on the board: records have no line "
        "for that"
    )
    NOT_A_MATCH_FILE = Saying("this is not the file of a game")
    RECORD_CUT = Saying("the file ends within a record")
    NOT_AUDITED = Saying("{match}, NOT AUDITED: {why}")
    DAMAGED = Saying("{name}: damaged")
    KEPT_AT_POINTS = Saying("{match} ({points}, {names} to move, last played {when})")
    KEPT_AT_TURN = Saying("{match} ({names} to move, last played {when})")
    KEPT_SINCE = Saying("{match} (last played {when})")
    NEEDS_RULES = Saying("{match} (needs version {rules} of its rules)")
    RECORD_LENGTH = Saying("the length of a record is wrong")
    RECORD_CHECKSUM = Saying("the checksum of a record is wrong")
    MATCH_TOO_LONG = Saying("the game has become too long to be kept")


class OfTheNode:
    """The node, and its door."""

    EDITION_SAVED = Saying("{name} is saved")
    NO_WORD = Saying("{word} is not in the dictionary")
    NO_PUZZLE = Saying("{game} has puzzles 1 to {count}")
    OTHERS_HAVE_IT = Saying("these have it: {lists}")
    NO_LIST_HAS_IT = Saying("no other list of these letters has it, either")
    SAVED_WITHOUT_DICTIONARY = Saying(
        "{saved}; there is no dictionary {words} yet, import one"
    )
    SAVED_WITH_OTHER_LETTERS = Saying(
        "{saved}; the dictionary {words} has other letters, import one"
    )
    A_WORD = Saying("{word} is in the dictionary")
    MEANS = Saying("{first}: {meaning}")
    WORDS_FIT = Saying("words that fit: {count}")
    NO_WORD_FITS = Saying("no word fits")
    TILES_WORTH = Saying("{tiles} on the rack: {points} points for the turns to come")
    DECIMAL = Saying("{whole}.{part}")
    NO_LEAVES = Saying(
        "what tiles are worth is known of the program's own lists, not of {name}"
    )
    NOTHING_SOUGHT = Saying("say what to look for")
    LETTERS_MOST = Saying("give at most {count} letters, and at most two blanks (?)")
    WHOLE_PATH = Saying("{path}: write the whole path, from the root")
    EDITION_WRITTEN = Saying("the edition is written to {path}")
    PROTOCOLS = Saying(
        "version {ours} of the protocol here, {theirs} there: whoever has version "
        "{older} has to update Netplay, and games stay as they are until then"
    )
    OTHER_VERSION = Saying(
        "version {node} of Netplay still runs, and this is {program}: netplay stop "
        "ends it, and games go on when you start Netplay anew"
    )
    OTHER_PROGRAM = Saying(
        "the node that runs is of another version of Netplay: netplay stop ends it, "
        "and games go on when you start Netplay anew"
    )
    UPDATED = Saying(
        "Netplay has been updated: close its windows (or netplay stop) and start it "
        "again; games go on"
    )
    AT = Saying("{place}: {why}")
    SWITCHED = Saying("{name} is {wish}")
    BLOCKED = Saying("{name} is blocked")
    NO_LONGER_BLOCKED = Saying("{name} is no longer blocked")
    MUTED = Saying("{name} is muted")
    NO_LONGER_MUTED = Saying("{name} is no longer muted")
    TABLE_MUTED = Saying("you are told nothing more of this table")
    TABLE_NO_LONGER_MUTED = Saying("you are told of this table again")
    QUIET = Saying("you are told nothing from {start} to {end}")
    NEVER_QUIET = Saying("there are no quiet hours")
    WAS_KNOWN = Saying("{address} was known")
    WAS_UNKNOWN = Saying("{address} was not known")
    FORGOTTEN = Saying("{name} is forgotten")
    SEVERAL_NAMED = Saying("several are called '{whom}'; say which: {ways}")
    ON_OR_OFF = Saying("{name} is on or off, not '{wish}'")
    NOBODY_BLOCKED = Saying("nobody is blocked")
    NODE_STOPS = Saying("the node stops")
    NO_SUCH_EVENT = Saying(
        "the sheet has events 0 to {last} and players 1 to {players}"
    )
    NO_SUCH_ENTRY = Saying("the game has entries 1 to {last}, not {number}")
    NO_SUCH_SEAT = Saying("the game has seats 1 to {last}, not {number}")
    TILES_NOT_OPEN = Saying(
        "the tiles of a seat are in the file only when the game is over"
    )
    OTHER_PROGRAMS_RECORD = Saying(
        "{path} is another program's: `netplay gcg import` makes it ours, for "
        "`netplay show` and `netplay analyse`"
    )
    SHEET_TO_READ = Saying(
        "{path} is a score sheet, which nobody has signed: `netplay show` and "
        "`netplay analyse` read it, but nobody can go on with it"
    )
    NO_MATCH_THERE = Saying("there is no game in the file")
    DAMAGED_ENTRY = Saying("the game is damaged at entry {number}: {why}")
    DOUBTED = Saying("{name} ({doubt}): ask them whether their key is {key}")
    PORT_RANGE = Saying("a port is a number from 1 to 65535")
    NOT_ANALYSED = Saying("that turn could not be analysed")
    DOOR_CLOSED = Saying("the node closed its door")
    START_NODE = Saying("start one with `netplay node`")
    NODE_DEAF = Saying("the node does not take what this window sends")
    NO_NODE_ANSWERS = Saying("no node answers for this home ({why})")
    NODE_ENDED = Saying(
        "it has ended. Open the window anew to start it, or run `netplay node`"
    )
    NODE_FAILED = Saying(
        "it could not start: {why}. Once that is mended, open the window anew"
    )
    NOT_FOR_GUESTS = Saying("a guest's browser may not do that")
    SEAT_LENT_NO_MORE = Saying(
        "this link lends no seat any more; whoever sent it can make a new one"
    )
    NO_DEVICE = Saying(
        "no device called {name} is let in; netplay web --devices lists them"
    )
    NO_OWN_PAGES = Saying("start `netplay web --own` first, on this computer")
    NO_PAGES_SERVED = Saying(
        "start `netplay web` first, for others `netplay web --lan`"
    )
    TOO_MANY_GUESTS = Saying("too many guests are here; there is room once one leaves")
    NOT_TO_BE_WATCHED = Saying("nobody may watch this game")
    NO_SEAT_TO_LEND = Saying("only a person's seat here, in a game, can be lent")
    NO_BROWSER_SEAT = Saying("no guest in a browser can sit down there now")
    NAME_IN_USE = Saying("somebody here is called {name} already; take another name")
    BROWSER_SEATS = Saying("at most {count} seats can be for guests in browsers")
    SAT_DOWN = Saying("{name} sits down")
    PAGES_NOT_SERVED = Saying(
        "the pages for browsers could not be served; see the journal"
    )
    LINK_OPENED_AGAIN = Saying(
        "somebody has opened a link to a seat that was taken already; nobody came in"
    )
    CODE_WITHDRAWN = Saying(
        "too many wrong codes were tried at your pages for browsers: no link or code "
        "of before is good any more, so make a new one"
    )
    DOOR_BROKE = Saying("the connection to the node broke")
    PREFERENCES_DAMAGED = Saying(
        "the preferences of this window were damaged; they are kept as {name}"
    )
    NODE_SILENT = Saying("the node does not answer")
    STILL_CALLING = Saying("still calling: no answer yet")
    STILL_NO_TABLE = Saying("connected; waiting for the host to show the table")
    NO_ANSWER_YET = Saying("no answer yet: netplay games shows what comes of it")

"""What is said at a table, before and around its match."""

from netplay.said import Saying


class OfATable:
    """A table."""

    ASKED_TO_WATCH = Saying("asked to watch; waiting for the players at {name}")
    WATCHING_ENDED = Saying("watching has ended: {why}")
    PASSING_ON = Saying(
        "if many watch, this computer passes the game on to up to {count} of them, or "
        "gets it from one; they see its address (netplay watch --no-pass-on)"
    )
    CHAT_TOO_FAST = Saying("{count} lines in {seconds} seconds, please")
    CHAT_EMPTY = Saying("there is nothing to say in that line")
    CHAT_FULL = Saying("this table has talked enough")
    WRITTEN_KEPT = Saying(
        "not delivered yet: it goes by itself when {name} can be reached"
    )
    WRITTEN_FULL = Saying(
        "{count} lines wait for your friend already: write on when they have come"
    )
    WRITTEN_DAMAGED = Saying(
        "what you and a friend had written was damaged; it is kept as {name}"
    )
    TABLE_OPEN = Saying("the table is open")
    ASKED_AGAIN = Saying("everybody is asked again")
    CALLING = Saying("calling {address}")
    WHOEVER_INVITED = Saying("whoever sent the invitation")
    LOST_SIGHT_OF = Saying(
        "it is not known where {name} is now: ask for a new invitation"
    )
    MATCH_BEGINS = Saying("the game begins")
    BEGINS_IN = Saying("everyone is ready: the game begins in {count} seconds")
    READY_ASKED = Saying(
        "the game starts as soon as these say that they are ready: {names}"
    )
    TABLE_LEFT = Saying("the table is left")
    AGREED_TO_HAND = Saying("agreed that {name} plays on")
    WAITING_FOR_CALL = Saying("waiting for a call")
    YES_BY_ACCEPT = Saying(
        "somebody unknown waits for your yes: netplay accept, or a window, says it"
    )
    CALLS_YOU = Saying("{names} would like to play {game} with you: sit down?")
    WAITING_NO_MORE = Saying("not waiting for a call any more")
    WAS_NO_TABLE = Saying("there was no table")
    VOTED = Saying("voted to go on with another host")
    REMOVED = Saying("{name} is removed from the table")
    NO_VERB = Saying("there is no '{name}' here")
    STANDS_IN = Saying("a computer player stands in")
    STANDS_IN_NO_MORE = Saying("you play yourself")
    NAME_EMPTY = Saying("a name needs at least one character")
    TABLES_IN_HAND = Saying("{count} tables are in hand; leave one first")
    WHICH_TABLE = Saying("say which table: {tables}")
    NO_SUCH_TABLE = Saying("there is no table {number} here")
    SEVERAL_OPEN = Saying("{name} has {count} tables open: choose one")
    WHICH_OPEN = Saying("several tables are open there; say --open N: {tables}")
    NO_SUCH_OFFER = Saying("there is no such table to choose; open tables: {count}")
    SEAT_ASKED = Saying("asking for a seat")
    NO_TABLE_FORMING = Saying("no table is being formed here")
    NOTHING_PROPOSED = Saying("nobody has proposed a game")
    TERMS_CHANGED = Saying("the terms have changed since")
    NO_MATCH_HERE = Saying("no game is being played here")
    NOBODY_TO_TALK_TO = Saying("there is nobody to talk to")
    NO_MATCH_FOR_HINTS = Saying("there is no game to give hints in")
    MATCH_STUCK = Saying("{match} cannot go on: {why}")
    MISTAKE_MADE = Saying(
        "the program has made a mistake, and goes on; a report says where it was made: "
        "netplay report"
    )
    TABLE_CLOSED = Saying(
        "the program has made a mistake at this table and closed it; what was played "
        "is kept, and everything else goes on. A report says where it was made: "
        "netplay report"
    )
    DEADLY_MATCH = Saying(
        "{match}: the program ended twice while it opened this game, and leaves it "
        "alone; what was played is kept. Load it to try again"
    )
    NOT_SHOWN = Saying("something is too large to be shown here ({what}): {why}")
    ANSWER_TOO_LARGE = Saying("the answer is too large to be shown: {why}")
    COMPUTER_ERRED = Saying("a computer player erred: {why}")
    DICTIONARY_IN_USE = Saying(
        "the dictionary stays as it is while a remote player is at the table"
    )
    IMPORTED = Saying("words imported: {count}")
    ADDED = Saying("added: {count}")
    DELETED = Saying("deleted: {count}")
    NOW_IN = Saying("{done}, now in {path}")
    LIST_CHANGED = Saying("{name}: {done}")
    KEEPS_WORDS = Saying("a game that has begun keeps its words")
    WORDS_EXPORTED = Saying("words exported to {path}: {count}")
    OTHER_LETTERS = Saying("{name} has other letters than the edition {edition}")
    NOT_UTF_8 = Saying("{path}: this is not UTF-8 text")
    NO_WORDS_IN = Saying("{path}: there are no words in this file")
    LIST_NOT_ALONG = Saying(
        "the word list {digest} of this game is neither here nor in the file; it "
        "goes along with what {name} saves"
    )
    EDITION_NOT_ALONG = Saying(
        "the edition {digest} of this game is neither here nor in the file; it "
        "goes along with what {name} saves"
    )
    HINTS_NOT_ALLOWED = Saying("Hints are not allowed with players at other computers")
    SEAT_KINDS = Saying(
        "a seat is person, computer, program, browser or remote, not '{word}'"
    )
    PROGRAM_FAILED = Saying(
        "the program {name} at seat {seat} of table {table} plays no more, "
        "a computer player does: {why}"
    )
    PROGRAM_UNKNOWN = Saying(
        "where it lies is not known here; whoever opens a table says that with "
        "--seat program:PATH"
    )
    PROGRAM_NO_PATH = Saying(
        "a program at a seat is named on the command line: --seat program:PATH"
    )
    NOTICE_FAILED = Saying("the command for notices has failed: {why}")
    NO_KEY_BEFORE_COMMAND = Saying("a line is a key and a command: {line}")
    NOTICE_SLOW = Saying("it was ended after {seconds} s")
    NOTICE_STATUS = Saying("it has ended with status {status}")
    PROGRAM_NOT_RUNNABLE = Saying("{path}: this is no program that can be run")
    PROGRAM_SILENT = Saying("it has not chosen a move in {seconds} s")
    PROGRAM_ENDED = Saying("it has ended: {why}")
    PROGRAM_RUBBISH = Saying("it says what is no answer: {words}")
    PROGRAM_LONG_LINE = Saying("it says a line of more than {count} bytes")
    PROGRAM_TALKS = Saying("it has said {count} lines without choosing a move")
    SKILL_RANGE = Saying("skill is a number from 0 to 100 or a level, not '{word}'")
    NO_GAME = Saying("there is no game '{game}'; play {names}")
    SEATS_RANGE = Saying("a table has 1 to {count} seats")
    NOT_ALL_ACCEPTED = Saying("not everybody has accepted yet")
    WATCHES = Saying("{name} watches")
    MORE_WATCH = Saying("{count} more")
    WATCHES_NO_LONGER = Saying("{name} watches no longer")
    NOBODY_WATCHES = Saying("nobody asks to watch, and nobody watches")
    SAY_WHOM = Saying("say whom: {who}")
    WOULD_WATCH = Saying("{name} would like to watch")
    MATCH_LACKS_WORDS = Saying(
        "a game kept here lacks its words or its edition; they are fetched as "
        "soon as one of its players is here"
    )
    MATCH_GONE = Saying(
        "the file of a game in hand is empty or gone; a game with others comes back "
        "from them, one against computers alone only from a backup"
    )
    NOTHING_TO_ANALYSE = Saying("there is no finished game to analyse")
    NO_TURN = Saying("move {number} is no turn of a seat's")
    KEPT_MATCH_STUCK = Saying("a game that is kept here cannot go on: {why}")
    NAME_LETTERS = Saying("'{name}' is no name; write up to 32 of a-z, 0-9, - and _")
    OWN_FILE_FAULTY = Saying("your file {name} is faulty: {why}")
    NAME_SHIPPED = Saying(
        "{name} is the program's own and stays as it is; take another name"
    )
    NAME_DIFFERS = Saying("the name in it is {name}, not {other}")
    NO_REMATCH_NOW = Saying("{name} proposes no rematch any more")
    REMATCH_PROPOSED = Saying("the rematch is proposed")
    WOULD_REMATCH = Saying("{name} would like a rematch")
    WOULD_GO_ON = Saying("{name} would like to go on with a game kept here: {match}")
    REMATCH_LATER = Saying("there is a rematch when the game is over")
    REMATCH_IT_IS = Saying("a rematch it is")
    REMATCH_ASKED = Saying("the host is told that you would like a rematch")
    AWAY = Saying("{names}: away")
    HOST_AWAY = Saying("the host is away; host a table instead")
    RESOURCES_DAMAGED = Saying(
        "words or an edition of other players were damaged, and are fetched again "
        "where a game needs them; they are kept as {name}"
    )
    NO_EDITION = Saying(
        "there is no edition '{name}'; there are {names}, or a TOML file"
    )
    NO_LIST = Saying("{path}: {why}; the lists with a name are {names}")
    OPEN_TO_ALL = Saying(
        "whoever has the file can play every seat, and could look at every rack"
    )
    NEXT_DRAW = Saying("tiles are drawn anew; send the file to {names}")
    SAVED_AS = Saying("saved as {path}")
    AND_NOW = Saying("{done}: {then}")
    TURN = Saying("{names}'s turn")
    TURN_OPEN = Saying("{turn} ({warning})")
    REST_LOST = Saying("{why}: the rest is lost")
    NEW_ENTRIES = Saying("new entries: {count}")
    NO_NEW_ENTRIES = Saying("there was nothing new in the file")
    GOES_ON_LATER = Saying("the game goes on when its players are here")
    NEXT_SEND = Saying("send the file to {names}")
    NEXT_SEND_TO_HOST = Saying("the move is made; send the file to {name}")
    NO_MATCH_KEPT = Saying("no game is kept here")
    WATCHING_KEPT = Saying("watching a game kept here")
    GOES_ON = Saying("the game goes on")
    IS_OVER = Saying("the game is over")
    NOTHING_TO_SAVE = Saying("there is no game to save")
    NOBODY_PLAYS = Saying("nobody here plays in that game")
    NOTHING_TO_PLAY = Saying(
        "no game is going on here; see `netplay host` and `netplay start`"
    )
    NO_SEAT_HERE = Saying("every seat is another's")
    SEAT_NOT_YOURS = Saying("seat {seat} is not yours")
    TOO_FAST_TO_TYPE = Saying("{game} goes too fast to be typed")
    NO_MATCH_IN = Saying("{path}: there is no game in it")
    NOTHING_WHOLE = Saying("nothing is whole")
    CAN_BEGIN = Saying("{name} has accepted, and the game can begin")
    HAS_COME = Saying("{name} has come to the table")
    CAME_INVITED = Saying(
        "{name} is here by your invitation: a table is open for you both, under Games"
    )
    HOST_KNOWS = Saying("{name} has been told that you are here")
    ASKS_FOR_SEAT = Saying("{who} asks for a seat; those free are kept for others")
    DOES_NOT_PLAY = Saying("{name} does not play: {why}")
    TABLE_IN_HAND = Saying("the table of {name} is in your list already")
    NO_SEAT = Saying("no seat at the table of {name}: {why}")
    SOMEBODY_TO_JOIN = Saying("somebody to join")
    THE_DICTIONARY = Saying("the dictionary")
    THE_HOST = Saying("the host")
    LINES_LEFT_OUT = Saying("lines left out: {count}")
    CHANGED_RULES = Saying("{name} has changed the rules")
    BEGUN_TWICE = Saying(
        "{name} has begun another game at this table, by earlier rules: "
        "it is not taken up"
    )
    NO_SEAT_BLOCKED = Saying("no seat at that table: {names} is blocked here")
    CALLS = Saying("{name} calls to a table")
    LEFT_TABLE = Saying("left the table")
    TABLE_WAS_LEFT = Saying("the table was left")
    HAS_LEFT = Saying("{name} has left: {why}")
    HAS_LEFT_TABLE = Saying("{name} has left the table")
    BUSY_HERE = Saying("busy with another game")
    ENOUGH_WAITS = Saying("your earlier games wait for an answer there")
    NO_ROOM_HERE = Saying("too many tables are in hand there")
    NOT_WAITING = Saying("not waiting for calls")
    NOT_NOW = Saying("not now")
    NOT_WITH_THESE = Saying("not with these players")
    NOT_THESE_TERMS = Saying("not these terms")
    NO_REMATCH = Saying("no rematch")
    MATCH_THERE = Saying("a game is being played there")
    MATCH_THERE_WATCH = Saying("a game is being played there; ask to watch it")
    SEATS_KEPT = Saying("the free seats are kept for others")
    SEAT_FREED = Saying("the host has freed your seat")
    WATCH_AT_PLAYERS = Saying("watch at a player's")
    SEAT_WAITS = Saying("a seat is waiting for you")
    NOT_WATCHED = Saying("persons at one computer are not watched")
    TOO_MANY_WATCH = Saying("too many are watching already")
    UNWATCHED = Saying("the players do not want to be watched")
    ACCEPTED = Saying("accepted")
    DECLINED_TERMS = Saying("declined")
    STRANGERS_LEFT_OUT = Saying("lines about strangers left out: {count}")
    BYSTANDERS = Saying("bystanders: {wish}")
    MAY_WATCH = Saying("{name} may watch")
    MAY_NOT_WATCH = Saying("{name} may not watch")
    NO_MATCH_TO_LOOK_BACK = Saying("there is no game to look back on")
    NO_EDITIONS = Saying("{game} has no editions")
    WITHOUT_WORDS = Saying("{game} is played without words")

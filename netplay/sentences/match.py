"""What is said in a match, in hints for it, and when it is looked back on."""

from netplay.said import Saying


class OfAMatch:
    """A match."""

    # The match.

    BAG_NOT_OPENED = Saying("{names} did not open the pool")
    BAG_NOT_OPENED_SHARES_WRONG = Saying(
        "{names} did not open the pool and gave wrong shares of its seed"
    )
    NEW_HOST_DRAWS_AGAIN = Saying(
        "{name} is host now: a draw begins again, number {number}"
    )
    NEW_SEAT_DRAWS_AGAIN = Saying(
        "a seat has passed on: a draw begins again, number {number}"
    )
    OUT_OF_STEP_AT = Saying(
        "{name} sees another position at entry {number}: {theirs} there, {ours} here"
    )
    FALSE_MIX = Saying(
        "{name} has changed tiles in the pool: the game stops, entry {number} proves it"
    )
    FALSE_PART = Saying("{name} gave a wrong part of its key: the game stops")
    NOTHING_TO_ENCRYPT = Saying(
        "an encrypted pool needs a game with tiles and players at two computers"
    )
    CANNOT_ENCRYPT = Saying(
        "an encrypted pool has at most {most} tiles, and needs a libsodium with Ed25519"
    )
    IN_DISPUTE = Saying("the programs differ: the game stays unfinished, in dispute")
    TOO_FEW = Saying("there are too few for another host")
    HOST_SILENT = Saying("the host has not answered for long")
    AGREES_TO_HAND = Saying("{name} agrees that {other} plays on for {seat}")
    AGREES_TO_NEW = Saying(
        "{name} agrees that {other}, who is new here with the key {key}, plays on for "
        "{seat}; before you agree, ask {seat}, but not here, whether that is right"
    )
    PLAYS_ON = Saying("{other} ({key}) plays on for {seat} from now on")
    HANDED_AWAY = Saying(
        "the others have taken {seat} away from this key: {other} ({key}) plays on"
    )
    NOBODY_PLAYS_SEAT = Saying("nobody plays that seat")
    SEAT_STAYS = Saying("that seat need not pass to anybody")
    SEATS_HERE_STAY = Saying(
        "a game of persons at one computer hands no seat to another computer"
    )
    TILES_STAY = Saying("nobody else could read the tiles of that seat: it cannot pass")
    NO_PLACE_FREE = Saying(
        "{count} have taken part in this game: nobody else can take over a seat"
    )
    GONE_BACK = Saying("the game has gone back: please make your last move again")
    ANOTHER_MOVE_CAME = Saying(
        "another move of yours has come into the game than the one that waited here"
    )
    NOTHING_TO_TAKE_BACK = Saying(
        "there is no move of yours here that waits to be delivered"
    )
    LINE_KEPT = Saying(
        "not delivered yet: it goes by itself when somebody can be reached"
    )
    ASKED_A_WEEK = Saying("nobody has answered for a week: the table is given up")
    TAKEN_BACK = Saying("your move is taken back")
    PREPARED = Saying("that is prepared: it is played by itself if the game goes so")
    PREPARED_DROPPED = Saying("it is not prepared any more")
    PREPARED_MADE = Saying("the move that you had prepared is made")
    PREPARED_FAILED = Saying("the move that you had prepared could not be made: {why}")
    PREPARED_HIDDEN = Saying(
        "moves can be prepared only where nothing is hidden, not in {game}"
    )
    PREPARED_NOT_NOW = Saying("moves are prepared while it is another's turn")
    PREPARED_NO_FURTHER = Saying("nobody can know how the game goes on from there")
    PREPARED_LENGTH = Saying(
        "a prepared line begins with another's move and ends with yours; it has at "
        "most {most} moves"
    )
    PREPARED_WORD = Saying("there it is the turn of {name}: type it as {word} {move}")
    PREPARED_RESIGNING = Saying("nobody's resigning can be prepared")
    PREPARED_ENOUGH = Saying("there are {most} prepared lines already")
    PREPARED_NONE = Saying("no such moves are prepared")
    HAS_LEFT_HERE = Saying(
        "the move has left this computer: only the other players can let you take it "
        "back"
    )
    NOT_RUNNING = Saying("the game does not run")
    CLAIMS_TO_HAVE_MORE = Saying(
        "{name} claims to have more of the game than this computer, which waits a "
        "moment for it"
    )
    SHOWED_NO_MORE = Saying(
        "{name} has not shown more of the game, which goes on without that"
    )
    FILES_TOO_OLD = Saying(
        "the files of this computer were too old: the others have more of the game; "
        "what is missing is fetched, and a new term begins"
    )
    PLAYED_ON_TWICE = Saying(
        "the file and the game kept here differ from entry {number} on: both were "
        "played on from the same place"
    )
    PART_OF_NO_USE = Saying("part of the file is of no use: {why}")
    LETTER_OF_NO_USE = Saying("a letter that a friend's node kept is of no use: {why}")
    UNCONFIRMED = Saying("nobody confirms your move yet: {hours} h left")
    KEEPERS_NAMED = Saying("by these terms all believe when letters came to: {names}")
    KEEPER_LIED = Saying(
        "{keeper} signed that it keeps your letter to {name}, and now that none was "
        "left: what it alone keeps does not count any more"
    )
    LETTERS_OF_NO_USE = Saying(
        "letters that friends' nodes kept are of no use: {count} more; of the last: "
        "{why}"
    )
    WAITS_FOR_PLAYERS = Saying("the game waits for its players")
    PUT_BACK_HERE = Saying("this computer has put back an older copy of the game")
    PUT_BACK = Saying("{name} has put back an older copy of the game")
    SIGNED_AND_GONE = Saying("{names} had signed for entries that are gone")
    FINAL_AND_GONE = Saying(
        "final entries from {number} on are gone: {names} had signed for them"
    )
    NO_HINTS = Saying("there are no hints at this table")
    PLAYED_ELSEWHERE = Saying("that seat is played elsewhere")
    TILES_FROM = Saying("the tiles from {names}")
    SHUFFLING = Saying("Shuffling: {done} of {count}")
    TILE_NOT_LIFTED = Saying("the other computers have not let go of that tile yet")
    TILE_NOT_OPENED = Saying("the host has not opened that tile yet")
    CLAIM_TOO_SOON = Saying(
        "{name} says that your time to think is over; this computer does not confirm "
        "that: by its record there is time left, or your move was made in time"
    )
    OWES = Saying(
        "{name} owes {what}; the last that came of {name} is entry {number}, {time} "
        "after the beginning"
    )
    OWES_FIRST = Saying("{name} owes {what}; nothing has come of {name} yet")
    OWES_LONG = Saying(
        "{name} owes {what}; nothing from {name} in the last {count} entries"
    )
    SENT = Saying("last received from {name}: {what}")
    SENT_NOTHING = Saying("{name} has sent none of what the others are waiting for")
    SENT_LAST = Saying("{what} (entry {number}, {time})")
    SENT_KEYS = Saying("the key to the pool")
    SENT_MIXINGS = Saying("a mixing")
    SENT_SPARES = Saying("parts of the key")
    SENT_LIFTS = Saying("tiles let go")
    SENT_OPENS = Saying("the pool opened")
    SENT_ROOTS = Saying("the tiles sealed")
    SENT_COMMITS = Saying("a sealed seed")
    SENT_SEEDS = Saying("a seed shown")
    SENT_FACES = Saying("tiles turned up")
    SENT_CLAIMS = Saying("a claim")
    SENT_JUDGEMENTS = Saying("an answer to a claim")
    OWED_TURN = Saying("a turn")
    OWED_CHANCE = Saying("its part of chance")
    OWED_KEY = Saying("its key to the pool")
    OWED_MIXING = Saying("a mixing of the pool")
    OWED_SPARE = Saying("the parts of its key to the pool")
    OWED_TILES = Saying("to let go of tiles")
    KEEPERS_FAR = Saying(
        "your computer has no link to {names}: as long as it has none, nobody but the "
        "other players can confirm when you moved"
    )
    KEEPER_NOTHING = Saying(
        "entry {number}: {keeper}, which keeps letters, signs that {late} left none "
        "for {name} from {since} to {until}"
    )
    KEEPER_SILENT = Saying(
        "entry {number}: {keeper}, which keeps letters, is silent: the claim of {name} "
        "has no word of it on letters of {late}"
    )
    KEEPER_BOTH = Saying(
        "entry {number}: {keeper} has signed that {late} left a letter, and that none "
        "was left: its word counts for nothing"
    )
    OBJECTED = Saying(
        "you have said that your time is not over; the others judge the claim of "
        "{name}: make your move once they have"
    )
    OBJECTED_ALREADY = Saying("the others judge the claim against you first")
    TIME_UNANSWERED = Saying(
        "{name} claims that the time of {late} is over: unanswered"
    )
    TIME_LATE = Saying(
        "entry {number}: {late} was late by the clock of {name}, and played on"
    )
    TIME_CONFIRMED = Saying(
        "{late} ran out of time, and the others confirmed it (entry {number})"
    )
    TIME_CONTESTED = Saying(
        "entry {number}: won on time by {name}, contested: {late} objects, and nobody "
        "can tell who is right"
    )
    WITHHELD = Saying(
        "{name} says that {late} withholds what the others wait for; that is the word "
        "of {name}, and no result"
    )
    CLOCK_AHEAD = Saying(
        "this computer was off, and its clock is ahead by {hours} h of that of {name}: "
        "that is not counted as time to think"
    )
    CLOCK_FORWARD = Saying(
        "the clock of this computer was put forward by about {hours} h: turns are "
        "counted without that"
    )
    CLOCK_BACK = Saying(
        "the clock of this computer was put back by about {hours} h: turns are counted "
        "without that"
    )
    NO_DAYS_HERE = Saying("days to think need turns, and players at other computers")
    TIME_CLAIMED = Saying("you have claimed that the time is over")
    NOTHING_TO_CLAIM = Saying(
        "nobody here keeps you waiting for longer than was agreed"
    )
    CLAIMED = Saying("you have claimed that already; the others have not answered yet")
    OFFER_WHAT = Saying("say draw, stop, back or days and a number")
    NOTHING_OFFERED = Saying("there is no such offer that you could answer")
    NOTHING_TO_AGREE = Saying("there is nothing to be agreed on now")
    NO_DRAW = Saying("no draw can be offered in this game")
    NOTHING_TO_GO_BACK = Saying(
        "no turn of yours can be taken back: you have made none, tiles were drawn or "
        "shown since, or it is taken back already"
    )
    NO_DAYS_OFF = Saying(
        "there are no days off here, or you had as often as there may be"
    )
    DAYS_OFF_RANGE = Saying("days off are a number from 1 to {most}")
    OFFERS_ENOUGH = Saying("you have made as many offers as there may be before a move")
    OFFERS_AFTER_MOVE = Saying(
        "your move is not delivered yet: offers can be made once it is"
    )
    OFFER_MADE = Saying("your offer is made; all others have to agree")
    OFFER_ANSWERED = Saying("your answer is given")
    OFFER_LATE = Saying("your offer or answer came too late: the game had gone on")
    OFFERS_DRAW = Saying("{name} offers a draw")
    OFFERS_STOP = Saying("{name} would like to stop here, without a winner")
    OFFERS_BACK = Saying("{name} would like to take back a turn")
    OFFERS_DAYS = Saying("{name} asks for days off: {days}")
    AGREED_DRAW = Saying("all have agreed to a draw")
    AGREED_STOP = Saying("all have agreed to stop here")
    AGREED_BACK = Saying("all have agreed: {name} takes back a turn")
    AGREED_DAYS = Saying("all have agreed: {name} has days off ({days})")
    OFFER_WITHDRAWN = Saying("{name} takes the offer back")
    DECLINED_DRAW = Saying("the draw that {name} offered is declined")
    DECLINED_STOP = Saying("not all would like to stop, as {name} would")
    DECLINED_BACK = Saying("the turn of {name} is not taken back")
    DECLINED_DAYS = Saying("the days off for {name} are declined")
    CLOCK_TOO_SOON = Saying(
        "the clock of {name} took a turn {seconds} s too soon: not confirmed"
    )

    # Hints.

    HINT_EXCHANGE = Saying("exchange {letters}")
    HINT_FOUR = Saying("show four {letters} and exchange the whole rack")
    HINT_TRADE = Saying("put your {letters} in place of the blank at {where}")
    HINT_PICK_UP = Saying("take the blank off the board for {letters}")
    HINT_PASS = Saying("pass")
    HINT_ACCEPT = Saying("accept the word")
    HINT_CHALLENGE = Saying("challenge the word")
    HINT_WITHDRAW = Saying("withdraw the word")
    HINT_INSIST = Saying("stand by the word")

    # After the match.

    NO_TURNS = Saying("{game} has no turns that could be analysed")
    ANALYSE_LATER = Saying(
        "a game can be analysed when it is over and its tiles are open"
    )
    NO_LIST_FOR_LETTERS = Saying("no word list for its letters is here")
    WHY_BINGO = Saying("{play} would have laid the whole rack")
    WHY_GOING_OUT = Saying("{play} would have gone out")
    WHY_WON = Saying("{play} would have won the game")
    WHY_POINTS = Saying("{play} scores more points: +{count}")
    WHY_ENDING = Saying("{play} does better in the endgame")
    WHY_EXCHANGE = Saying("exchanging {letters} was worth more")
    WHY_WORD = Saying("{word} is in the word list")
    WHY_NO_WORD = Saying("{word} is not in the word list")
    WHY_NO_PLAY = Saying("{play} could have been laid")
    WHY_BLANK = Saying("the blank was worth more on the rack")
    WHY_KEPT = Saying("these tiles were better laid than kept: {letters}")
    WHY_KEPT_ONE = Saying("this tile was better laid than kept: {letters}")
    WHY_LEAVE = Saying("the better play keeps better tiles")
    WHY_AHEAD = Saying("{play} does better in the turns to come")
    WHY_LATER = Saying("{play} is further ahead a few moves on: +{count}")
    WHY_WIN_MISSED = Saying("there was a sure win here")
    WHY_ALLOWED = Saying("this allowed {move}")
    WHY_LOST = Saying("after this the game was lost")
    WHY_CORNER_MISSED = Saying("a corner was there to be taken")
    WHY_CORNER_GIVEN = Saying("this gave a corner away")
    WHY_CORNER_LEFT = Saying("this left a corner to be taken")
    WHY_CORNER_COST = Saying("a few moves on this costs a corner")
    WHY_CHOICES = Saying(
        "this left the next player {count} squares to choose from; {play}: {fewer}"
    )
    WHY_HEXAD_COST = Saying("a few moves on this costs a hexad")
    WHY_WAYS_COST = Saying(
        "a few moves on this leaves hexads fewer ways to go: -{count}"
    )
    WHY_WAYS_LEFT = Saying(
        "a few moves on this leaves the other's hexads more ways to go: +{count}"
    )
    WHY_TRIADS_COST = Saying("a few moves on this costs triads: {count}")
    WHY_HEXAD_MISSED = Saying("a hexad was there to be taken")
    WHY_HEXAD_LEFT = Saying("this left a hexad to be taken")

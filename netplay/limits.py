"""Every limit and timer of a node, each with its reason; equal to protocol.md.

Sizes that belong to the shape of a message stand in `netplay.messages`.  Times are in
seconds, sizes in bytes, unless the name says otherwise.
"""

from typing import Final

# Tables.

TABLES: Final = 100
"""In hand at once, in all states: more than anybody looks after."""

TABLES_OF_A_HOST: Final = 8
"""Of those, to which one host has called, before play: so nobody fills a node."""

INVITED_TABLES: Final = 4
"""Being formed at once, up to which another opens by itself for who is invited."""

# Frames.

HANDSHAKE_FRAME_BYTES: Final = 1024
"""Of a frame before the link is open: a Hello needs half of it, no stranger more."""

FRAME_BYTES: Final = 64 * 1024
"""Of a frame on an open link: two entries that prove a fork (30 KiB each) or one
chunk of a word list (48 KiB), and yet small enough to hold for every link."""

DOOR_FRAME_BYTES: Final = 4 * 1024 * 1024
"""Of a frame through the door: a whole view with its history; both ends are ours."""

PIECE_MOVES: Final = 500
"""Of the moves that a window is told together; it asks for what was before them."""

PIECE_BYTES: Final = 256 * 1024
"""The same in bytes: moves of 28 KiB, the largest that an entry takes, are few."""

READ_BYTES: Final = 64 * 1024
"""Asked of a socket at once."""

ENTRIES_BYTES: Final = 48 * 1024
"""Of entries sent together, so that they fit a frame; a larger one travels alone."""

ENTRY_BYTES: Final = 60_000
"""Of one encoded entry; a body is at most 28 KiB and the rest is small."""

# A link.

HANDSHAKE_SECONDS: Final = 10.0
"""From the first byte, or its turn, to Welcome: slow lines manage it in two."""

PING_SECONDS: Final = 5.0
"""Without a byte before a ping, and between pings on a link that says nothing: twice
within the silence allowed, and once to spare."""

SILENCE_SECONDS: Final = 12.0
"""Without a byte before a link counts as lost: what a player would wait."""

FRAME_SECONDS: Final = 20.0
"""For a whole frame once begun: 64 KiB at 3.2 KiB/s; slower is an attack."""

BYE_SECONDS: Final = 2.0
"""For a goodbye to be written before the transport is cut."""

FRAMES_A_SECOND: Final = 100.0
"""Sustained on an open link by somebody who is not in our match: answering, asking for
a seat and fetching a word list need fewer."""

FRAMES_AT_ONCE: Final = 400.0
"""The burst allowed above that."""

MEMBER_FRAMES_A_SECOND: Final = 10_000.0
"""The same for a member of our match.  People need ten, arcade play a hundred, two
computer players that do not think 6,000; more would keep a node busy for nothing."""

MEMBER_FRAMES_AT_ONCE: Final = 20_000.0
"""The burst allowed above that: the tail of a long match after a reconnect."""

HANDSHAKE_FRAMES: Final = 4
"""Before a link is open: a Hello, a Welcome or Bye, and unknown odd ones."""

QUEUE_FRAMES: Final = 4096
"""Waiting to be written to one peer before the link is dropped: the peer is stuck,
and it gets what it missed when it returns."""

QUEUE_BYTES: Final = 8 * 1024 * 1024
"""The same in bytes: a piece of memory that a stuck peer may cost."""

REDIAL_SECONDS: Final = 0.2
"""Before the first attempt to restore a lost link: most cuts are short."""

REDIAL_SOON_SECONDS: Final = 1.5
"""Between attempts at the most while the loss is young: twice the wait before."""

REDIAL_SOON: Final = 100
"""Attempts before a loss is no longer young: two minutes or so."""

REDIAL_MOST_SECONDS: Final = 10.0
"""Between attempts at the most from then on, for half an hour or so."""

REDIAL_AGAIN_SECONDS: Final = 1.5
"""Before an attempt without any answer is no longer waited for alone: what it sent may
have been lost, and the system would send it again only much later."""

REDIAL_TOGETHER: Final = 5
"""Attempts at one address that may wait for an answer at the same time."""

PROVING_SECONDS: Final = 4.0
"""For which a handshake over TCP goes on before another is begun at the same place: a
line of 64 kbit/s with three seconds of others' bytes before it takes that long."""

CROWDED_SECONDS: Final = 2.0
"""Before a player's call of an address is repeated where somebody may have no time:
twice as long each time, so that a crowd at a thin line is not always there at once."""

CROWDED_TRIES: Final = 6
"""Such waits: three minutes or so, with the calls between them."""

REDIAL_FAULT_SECONDS: Final = 5.0
"""After a link that ended with an error, which seldom goes away; then twice as long."""

REDIAL_FAULT_MOST_SECONDS: Final = 300.0
"""The longest such wait; who mends something need not wait, but says Try again now."""

REDIAL_OVER_SECONDS: Final = 60.0
"""Between attempts once the match is over, at the most: nobody waits for a move."""

GREET_SECONDS: Final = 60
"""Between the first calls to a friend for whom nobody waits; then twice each time."""

GREET_MOST_SECONDS: Final = 960
"""The longest such wait: sixteen minutes, a multiple of all before it."""

GREET_AT_ONCE: Final = 8
"""Friends called so at a time, each once."""

REDIAL_JITTER: Final = 0.25
"""Part of each wait that is random, so that nodes do not dial in step."""

DOOR_TRIES: Final = 4
"""Attempts, soon after one another, where somebody answers and hangs up before a key is
proved: a node with a crowd at its door does so, now and then."""

CALM_SECONDS: Final = 30.0
"""Without a byte before a ping where nobody sits at a table with the other."""

CALM_UDP_SECONDS: Final = 15.0
"""The same over UDP: routers forget a path of half a minute's silence."""

QUIET_SECONDS: Final = 6.0
"""Without a byte on a link before another is dialled beside it: an answer to a ping is
due, and a line that was dead is up sooner for a new connection."""

SEGMENT_BYTES: Final = 1220
"""Of a TCP segment: with its headers as large as the smallest packet that IPv6 allows
(1280), for paths that swallow larger ones without a word."""

MEETING_SECONDS: Final = 8.0
"""For one call from the node's own port, before the next: the system asks again behind
one, three and seven seconds, and then seldom."""

MEETING_HANDSHAKE_SECONDS: Final = 3.0
"""For the other to begin the handshake on a connection that both have called: it waits
in vain where only this side has, and the ordinary call does better."""

MEETING_CALLS: Final = 400
"""From the node's own port to a place where the player waits for somebody: whoever made
the invitation may have named anybody's.  At 60 or 80 bytes each it gets 32 KiB; two who
paste each other's line within a minute need no more."""

TOGETHER_SECONDS: Final = 60.0
"""For which a player who calls by invitation waits for the other to call, too."""

TOGETHER_LEAST_SECONDS: Final = 5.0
"""The same for members of a table whose addresses others have named."""

TOGETHER_PAUSE_SECONDS: Final = 8.0
"""Between two beginnings of that: a few a minute, and no longer than one lasts, or two
could call by turns for ever."""

DIAL_SECONDS: Final = 8.0
"""For one attempt to connect, of every address of a name together."""

# Meeting by the DHT.

INVITED_SECONDS: Final = 3600
"""After an invitation was handed out, for which whoever pastes it is looked for."""

INVITED_SOON_SECONDS: Final = 600.0
"""Of these, the first, when most come."""

INVITED_LOOK_SECONDS: Final = 10.0
"""Between two looks then, and while somebody calls."""

INVITED_LATER_SECONDS: Final = 30.0
"""Between two looks afterwards: half of what a caller waits."""

INTRODUCED: Final = 32
"""Keys by which one invitation can have this node call; the next has a new secret."""

INTRODUCED_SECONDS: Final = 30.0
"""For which a stranger is called who has left word, and between two of our own."""

INTRODUCED_PLACES: Final = 4
"""Of a stranger's places that are called, and of an invitation's outside networks at
home."""

INTRODUCED_PORTS: Final = 2
"""Of these, at one address."""

INTRODUCED_CALLS: Final = 4
"""Of each by one word.  A call is one packet of 80 bytes at most where nobody answers:
so an address gets 640 bytes then, and the word alone has 768."""

INTRODUCED_CALL_SECONDS: Final = 0.7
"""For one of these: behind a second the system would ask again."""

# Strangers.

HALF_OPEN: Final = 256
"""Connections that have not said Welcome yet, in all: so many come at once to look on.
Each costs 60 KiB at most; for one more, the one that has got least far makes room."""

TURN_SECONDS: Final = 240.0
"""For which somebody waits at the door for its handshake to begin: on 64 kbit/s two
hundred take nearly as long, and to call again costs the line more than to wait."""

FIRST_WORD_BYTES: Final = 4096
"""Of the first word of TLS, which must have come before we work for a connection: it
has 500 bytes, 2,000 with keys of a later kind."""

HANDSHAKES_A_SECOND: Final = 50.0
"""Begun for one IPv4 address or IPv6 /64 network (sustained).  A household that
reconnects needs ten a minute; one costs 2 ms, so this is a tenth of a core."""

HANDSHAKES_AT_ONCE: Final = 100.0
"""The burst allowed above that."""

STRANGER_QUEUE_BYTES: Final = 256 * 1024
"""Waiting to be written to a peer that no table needs: five pieces of a word list.  One
that never reads costs three times as much: what waits, what is written, and what TLS
has made of it."""

STRANGER_LINES_A_SECOND: Final = 0.2
"""Written in the journal about strangers (sustained): a crowd must not fill the disk.
What is left out is counted."""

STRANGER_LINES_AT_ONCE: Final = 100.0
"""The burst allowed above that."""

LINES_A_SECOND: Final = 1.0
"""Lines that a player is shown of what happens at the table, chat and errors apart, in
the long run: a member can leave and come back ten thousand times a second."""

LINES_AT_ONCE: Final = 100.0
"""Such lines at once."""

COMER_LINES_AT_ONCE: Final = 20.0
"""The burst for each node that is expected, whose link comes and goes."""

COMERS_REMEMBERED: Final = 64
"""Such nodes whose lines are counted; the one that was quiet longest is forgotten."""

DIAL_LINES_A_SECOND: Final = 0.01
"""Written in the journal about calls that nobody answered (sustained): a friend who is
away for days is called ten thousand times a day.  What is left out is counted."""

DIAL_LINES_AT_ONCE: Final = 50.0
"""The burst allowed above that."""

SHOWN_A_SECOND: Final = 0.02
"""Lines about strangers that a player is shown (sustained): whoever comes and goes must
not push the game out of sight.  What is left out is counted."""

SHOWN_AT_ONCE: Final = 8.0
"""The burst allowed above that: a table of four with its bystanders comes together."""

CALLS_A_SECOND: Final = 0.005
"""Calls to a table, by somebody unknown, that the player is asked about (sustained)."""

CALLS_AT_ONCE: Final = 3.0
"""The burst allowed above that."""

DIALS: Final = 16
"""Links looked for at the same time: a table needs three, and a call one."""

PROBES_AT_ONCE: Final = 4
"""Dials for peers that want to know whether they can be reached."""

ADDRESSES_REMEMBERED: Final = 4096
"""Addresses whose rate is counted; the longest quiet one is forgotten first."""

PEERS_REMEMBERED: Final = 256
"""Nodes that came and were never called, by name and address; the longest ago met is
forgotten first.  Whoever was called is kept until the user forgets them."""

PEERS_AWAY: Final = 32
"""Nodes that were linked and have gone, of which the status tells: those seen last."""

BLOCKED: Final = 1024
"""Keys that may be blocked.  None is ever forgotten to make room for another."""

LINKS: Final = 24
"""Open links in all: three other players, their bystanders, and friends asking."""

# Bystanders who pass a match on.

DIRECT: Final = 4
"""Who watch at a member itself, where others would pass on to more: a line of 64 kbit/s
sends a move to four in a third of a second.  The other places are for who asks."""

WAITING: Final = 16
"""Bystanders beyond the places of a member who may wait to be sent on: fewer than it
has links."""

LEVELS: Final = 4
"""Of bystanders below those at a member, each of which gets a move later."""

ONLOOKERS: Final = 256
"""Below one member in all."""

BEAT_SECONDS: Final = 4.0
"""Between two beats: they cost 400 bytes a second for eight who pass them on."""

SILENT_SECONDS: Final = 15.0
"""Without a beat before a bystander asks the usher for another place."""

SILENT_SPREAD_SECONDS: Final = 30.0
"""The most that it waits beyond that, drawn by lot: where the usher itself was cut off,
two hundred must not come at once to a thin line."""

TICKET_SECONDS: Final = 30
"""For which a ticket is good, counted by the numbers of beats."""

PLACING_SECONDS: Final = 8.0
"""For a bystander to be let in where it was sent, before it asks again."""

PLACED_AGAIN_SECONDS: Final = 60.0
"""Before it asks again where the last few places have led nowhere."""

PLACED_IN_VAIN: Final = 3
"""Such places: each may be somebody's who has nothing to do with it, and gets a few
hundred bytes; the handshake with whoever named them had more."""

BELOW_LOST_SECONDS: Final = 90.0
"""For which somebody is still counted whose way to the usher is cut."""

# The door.

DOOR_CLIENTS: Final = 16
"""Windows and commands at once."""

DOOR_GUESTS: Final = 8
"""Browsers of guests besides: they cannot take the room of the owner's windows."""

LENT_LOOKS: Final = 4
"""Browsers that look on by a link, of one table and at once; one more has to wait."""

LENT_SEATS: Final = 32
"""Seats lent to browsers at once, in all matches; a newer one ends the oldest."""

BROWSER_SEATS: Final = 4
"""Of one table, for guests in browsers: as many as a game has seats at most."""

DOOR_QUEUE: Final = 512
"""Frames waiting for a window before it is shown the door: it hangs."""

DOOR_KNOCKING: Final = 64
"""Connections at the door without the token; one more turns the oldest away."""

DOOR_COMERS_A_SECOND: Final = 100.0
"""Connections taken at a door that is a port, to which everybody on the computer may
come: more wait in the system, and cost the node nothing."""

DOOR_COMERS_AT_ONCE: Final = 64
"""The burst above it."""

KNOCK_SECONDS: Final = 5.0
"""For the first message through the door."""

# Matches.

MATCH_ENTRIES: Final = 200_000
"""Entries of a match: an hour of four wells at ten a second."""

MATCH_BYTES: Final = 64 * 1024 * 1024
"""Of a match file; what a node is ready to fetch and to read."""

SUBMITS_WAITING: Final = 256
"""Bodies a node has submitted that the host has not entered yet."""

WITNESSED_A_SECOND: Final = 64.0
"""Bytes kept of the turns and hours that one member says (sustained): five megabytes a
day; a turn has some hundred bytes."""

WITNESSED_AT_ONCE: Final = 1024.0 * 1024
"""The burst allowed above that: thousands of turns."""

CARRIED_A_SECOND: Final = 2_000.0
"""KiB begun that are carried for one member to others who have no link to it: two of
them leave a link its speed, and people need ten."""

CARRIED_AT_ONCE: Final = 3_072.0
"""The burst allowed above that; two of them fit the queue of a link."""

QUORUM_SECONDS: Final = 60.0
"""A host must be away before the others may go on without it."""

# Chat.

CHAT_LINES: Final = 5
"""Lines a person may say within `CHAT_SECONDS`."""

CHAT_SECONDS: Final = 10.0
"""See `CHAT_LINES`."""

CHAT_KEPT: Final = 1000
"""Lines of each author kept for those who come back: so many to twice as many."""

WRITTEN_KEPT: Final = 200
"""Lines kept of each of two friends who write to each other without a table: so many to
twice as many.  No more may wait until a friend who is away has them."""

CHAT_RATE: Final = 1.0
"""Lines a second taken of one author: twice what a person may say.  The burst above it
is all that an author may have to send again, twice `CHAT_KEPT`; of all strangers
together it is twice `CHAT_LINES`."""

CHAT_BYTES: Final = 16 * 1024 * 1024
"""Of a table's chat that a node keeps on its disk, a quarter of it for each author: a
long evening needs 100 KiB.  What comes after that is dropped."""

# Editions and word lists.

RESOURCE_BYTES: Final = 16 * 1024 * 1024
"""Of an edition or word list fetched from a host: five times the largest known."""

RESOURCE_WANTS: Final = 4
"""Pieces asked for ahead, which keeps a line of 200 ms at 1 MB/s busy."""

PIECES_A_SECOND: Final = 10.0
"""Sent to one peer at the table (sustained): half a megabyte a second, of a file that
it needs once."""

PIECES_AT_ONCE: Final = 700.0
"""The burst allowed above that: an edition and the longest list, twice."""

# Computer players.

THINK_SECONDS: Final = 20.0
"""For a computer player's move before a simpler one takes its place."""

PACE_LEAST_SECONDS: Final = 0.3
"""For a computer player's move where there are two, so that each of them is seen."""

PACE_MOST_SECONDS: Final = 1.2
"""The same where there are many: what the strongest ones think for, and no longer."""

PACE_WAYS: Final = 64
"""So many moves are many: from there on a player takes `PACE_MOST_SECONDS`."""

PACE_SHARE: Final = 1 / 40
"""Of what its clock has left, the most that a player seems to think for."""

BOT_WORKERS: Final = 2
"""Computer players thinking at the same time."""

PROGRAM_SECONDS: Final = 30.0
"""For a move of a user's own program at a seat before our player takes its place; less
where its clock has less."""

PROGRAM_LINES: Final = 100
"""Said by such a program for one move: it needs two, one that asks for the moves."""

PROGRAM_LINE_BYTES: Final = 64 * 1024
"""Of a line it says: the longest move has a few hundred."""

PROGRAM_MOVES: Final = 1000
"""Of the legal moves that it is told: word games have millions of discards."""

# Nearby.

BEACON_PORT: Final = 4771
"""Where beacons are sent and heard (UDP): next to the port of nodes."""

BEACON_BYTES: Final = 512
"""Of a beacon: passes every network unbroken, and a quarter is enough."""

BEACON_SECONDS: Final = 3.0
"""Between two beacons of a node that others may come to."""

BEACON_LIFE_SECONDS: Final = 12.0
"""After its last beacon a node is no longer nearby: four in a row were lost."""

BEACON_PAUSE_SECONDS: Final = 0.5
"""Between beacons at the least, whatever changes and whoever asks."""

BEACON_SKEW_SECONDS: Final = 86_400.0
"""Between the time in a beacon and the listener's clock at the most: clocks are wrong
by hours now and then, and a beacon of last week is not to be said again."""

BEACONS_A_SECOND: Final = 20.0
"""Looked at from one address (sustained): a node says two at the most, and each costs
a signature's check of 0.1 ms."""

BEACONS_AT_ONCE: Final = 40.0
"""The burst allowed above that."""

NEIGHBOURS_REMEMBERED: Final = 1024
"""Keys whose latest beacon is remembered after they have gone, so that it cannot be
said again; those that were never met are forgotten first."""

NEIGHBOURS: Final = 64
"""Nodes nearby that are remembered: more than a room holds."""

NEIGHBOURS_AN_ADDRESS: Final = 8
"""The same at one address, so that one computer cannot fill the list."""

# Reaching a node from outside.

LEASE_SECONDS: Final = 1200
"""For which a router is asked to pass a port on; asked again after half of it, so
that a router that was restarted is without it for ten minutes at the most."""

LEASE_LEAST_SECONDS: Final = 120
"""The shortest lease that is taken at its word: a router must not keep a node busy."""

ROUTER_PAGE_SECONDS: Final = 8.0
"""For a router to tell by UPnP what it can do, and to do it: three slow pages."""

GIVE_BACK_SECONDS: Final = 6.0
"""For a router to take a port back while the node ends: to ask by UPnP begins a process
and takes a slow router seconds.  Left open, it would be so until the lease is over."""

ROUTER_SECONDS: Final = 0.25
"""For a router's first answer; each further wait is twice the one before (RFC 6886)."""

ROUTER_TRIES: Final = 6
"""Questions before a router counts as one that does not answer: 16 s in all; the RFC's
nine would be two minutes."""

WORDS_A_SECOND: Final = 0.1
"""Times that a peer's word of its places, or name, is taken (sustained): to disk."""

WORDS_AT_ONCE: Final = 6.0
"""The burst allowed above that: a network that comes up changes a few times."""

PASSED_A_SECOND: Final = 0.5
"""Times that a friend may pass on the word of another (sustained); what is no newer
costs nothing."""

PASSED_AT_ONCE: Final = 64.0
"""The burst allowed above that: as many friends as two can have in common."""

PROBE_SECONDS: Final = 15.0
"""For a peer to dial us back and tell: a dial and a handshake, and the way there."""

PROBE_PAUSE_SECONDS: Final = 20.0
"""Between two dials of a place that a peer may ask of us; of nine at the most."""

# A command of the user's, for each turn.

ON_TURN_SECONDS: Final = 10.0
"""For which it may run, with all that it has started."""

ON_TURN_APART: Final = 60.0
"""Seconds, at least, between two runs for one table."""

# A path over UDP.

UDP_HEAD_START_SECONDS: Final = 0.3
"""For which a call over TCP has the field to itself: it costs less, and where it is let
through it is answered by then."""

UDP_AFTER_SECONDS: Final = 1.0
"""From the beginning of a call, for UDP where TCP was refused: whoever calls a place
where nobody is wants to know."""

UDP_ANSWERED_SECONDS: Final = 7.0
"""The same where TCP was answered, and nobody has proved a key yet: there is a thin
line more often than a network that answers in another's place."""

UDP_MEETING_SECONDS: Final = 12.0
"""Between two calls over UDP to a place that is to call, too: routers keep open for
half a minute what a call has opened."""

UDP_CALLS_A_SECOND: Final = 1 / 30
"""Over UDP to one place (sustained): a friend who is away is called for days, and who
has made an invitation may have named anybody's.  A call is four packets of 1,200
bytes."""

UDP_CALLS_AT_ONCE: Final = 8.0
"""The burst allowed above that: 40 KB."""

UDP_PLACES: Final = 256
"""Of which it is remembered how often they were called over UDP."""

QUIC_GUESTS: Final = 64
"""Connections over UDP that others have made, in all: twice as many as links."""

QUIC_GUESTS_A_NETWORK: Final = 16
"""The same from one network: a household, or a carrier's router."""

QUIC_HANDSHAKES_A_SECOND: Final = 10.0
"""Of QUIC, begun for one network (sustained): one costs 10 ms, so this is a tenth of a
core.  Those of TLS inside are counted at the gate."""

QUIC_HANDSHAKES_AT_ONCE: Final = 40.0
"""The burst allowed above that."""

QUIC_CALLS: Final = 64
"""Connections over UDP that the node has made, those not answered yet among them."""

QUIC_WAITING_BYTES: Final = 128 * 1024
"""Received on a connection and not read yet; datagrams above that are lost.  Two frames
fit."""

QUIC_GAP_BYTES: Final = 2 * 1024 * 1024
"""Received beyond something that is missing: more than is ever on its way on a line
that this path can fill.  Whoever goes over it is hung up on."""

QUIC_PENDING_BYTES: Final = 64 * 1024
"""Given to a connection and not sent for the first time, before more must wait."""

QUIC_IDLE_SECONDS: Final = 20.0
"""Without a packet before a connection over UDP is forgotten: a link is lost sooner."""

QUIC_LOOK_SECONDS: Final = 0.4
"""Between looks whether calls leave from another address now: a match shall not stand
still for a second."""

QUIC_LINGER_SECONDS: Final = 0.5
"""For which a connection whose both ends have closed remains: what was said last may
have to be sent again."""

# Lines that a node carries for others.

LINE_WINDOW_BYTES: Final = 64 * 1024
"""On their way over a line in one direction, not yet taken off it: the most that a slow
end makes the carrier hold."""

LINES_CARRIED: Final = 32
"""Carried at once, in all: each may cost two windows."""

LINES_A_PEER: Final = 8
"""Of those, lines that one node has opened, or that lead to it: one for each of its
friends is enough, since one link serves all tables."""

LINES_OPENED_A_SECOND: Final = 0.5
"""Lines that one node may open (sustained): who redials needs fewer."""

LINES_OPENED_AT_ONCE: Final = 16.0
"""The burst allowed above that."""

CARRIERS: Final = 4
"""Nodes of friends through which a node may be reached."""

CARRIERS_TOLD: Final = 2
"""Of those, named in an invitation, where a node's own places want room, too."""

VIA_SECONDS: Final = 2.0
"""Head start of a node's own places before it is called through others."""

CARRIER_SECONDS: Final = 15.0
"""For the link to a node that is to carry: as long as a call takes."""

# Letters that a node keeps for others.

LETTER_SECONDS: Final = 3.0
"""For which a member has been away, and nothing more was done here, before a letter
leaves: most cuts are shorter, and so long a move can be taken back."""

LETTER_CHAT_SECONDS: Final = 30.0
"""For which chat alone is gathered before a letter leaves with it; with one about the
match it goes at once."""

LETTER_CHAT_BYTES: Final = 128 * 1024
"""Of chat in a letter, the oldest lines that its reader lacks: an evening's.  The rest
goes once the reader has told that these have come."""

LETTERS_KEPT: Final = 4_000
"""In all; with `LETTERS_KEPT_BYTES` what the disk of a friend may be asked for.  Half
of it is for members of matches alone, whom their readers name first."""

LETTERS_KEPT_BYTES: Final = 128 * 1024 * 1024
"""The same in bytes."""

LETTERS_REMEMBERED: Final = 4_000
"""Boxes of which is remembered when something was last left in them."""

LETTERS_A_PEER: Final = 200
"""Kept of one author; or for one reader, beside what members of its matches have for
themselves."""

LETTERS_A_PEER_BYTES: Final = 16 * 1024 * 1024
"""The same in bytes, of an author counted once for each week of their life."""

LETTERS_A_PAIR: Final = 40
"""Kept of one author for one reader: two for each of twenty matches."""

LETTERS_A_PAIR_BYTES: Final = 8 * 1024 * 1024
"""The same in bytes, counted once for each week of their life."""

LETTER_READERS: Final = 256
"""Nodes of which is remembered whose letters they take; the one that was here longest
ago makes room, unless something is kept for it."""

LETTERS_A_SECOND: Final = 4.0
"""Letters and wishes taken of one node (sustained): each is written to disk."""

LETTERS_AT_ONCE: Final = 128.0
"""The burst allowed above that."""

# Browsers.  An IPv6 /64 network counts as one address, as it does for peers.

WEB_CONNECTIONS: Final = 128
"""To the server of pages at once, half-open ones included: a page needs a few."""

WEB_CONNECTIONS_OF_ONE: Final = 32
"""Of those, from one address: a browser opens six, homes share one; idle ones go."""

WEB_COMES_A_SECOND: Final = 40.0
"""Connections from one address: who comes faster is hung up on, and delays nobody."""

WEB_COMES_AT_ONCE: Final = 120
"""The same at once: a household whose pages all come back."""

WEB_CONNECTIONS_A_SECOND: Final = 800.0
"""Of all together; one that is hung up on counts a fifth.  More wait in the system."""

WEB_CONNECTIONS_TOGETHER: Final = 32
"""The same at once: pages that come back when the server does."""

WEB_HEAD_BYTES: Final = 16 * 1024
"""Of a request's line and headers: browsers send one or two KiB."""

WEB_HEAD_SECONDS: Final = 10.0
"""For a whole request, and between two on a connection that is kept."""

WEB_ANSWER_SECONDS: Final = 60.0
"""For a request and all of its answer to be taken: a font over a bad connection."""

WEB_REQUESTS_A_SECOND: Final = 20.0
"""From one address: each costs 0.3 ms, several over TLS.  Who asks faster waits."""

WEB_REQUESTS_AT_ONCE: Final = 300
"""The same at once: a page asks for a dozen files, and a home may share an address."""

WEB_MESSAGE_BYTES: Final = 32 * 1024
"""Of what a page says at once: a pasted text of 4,000 characters, escaped."""

WEB_MESSAGES_A_SECOND: Final = 200.0
"""From one page: a pointer that moves, sixty times a second, and keys held down."""

WEB_MESSAGES_AT_ONCE: Final = 400
"""The same at once, after a stall."""

WEB_WORK: Final = 0.25
"""Of a second's time, as much as a page may keep its server busy with what it says."""

WEB_WORK_AT_ONCE: Final = 5.0
"""The same at once: a tile that is dragged for a while, on a slow computer."""

WEB_QUEUE_BYTES: Final = 8 * 1024 * 1024
"""Waiting for a page before it counts as hung: a whole scene is 100 KiB."""

WEB_FILE_BYTES: Final = RESOURCE_BYTES
"""Of a file that a page brings, piece by piece: a word list, or a hundred matches."""

WEB_SILENCE_SECONDS: Final = 45.0
"""Without a byte before a page counts as gone; it is pinged twice within."""

WEB_SESSIONS: Final = 8
"""Kept at once: each is a window at the door, which takes sixteen."""

WEB_ASLEEP_SECONDS: Final = 600.0
"""For a page to come back before its session ends: a phone in a pocket."""

WEB_LOOKS_ASLEEP_SECONDS: Final = 30.0
"""The same for who only looks on: until then it is told to all that it watches.  Its
token lets it in again after that, too, and it has no move begun that could be lost."""

WEB_ENTRY_SECONDS: Final = 300.0
"""How long a link lets somebody in, once."""

WEB_DEVICES: Final = 16
"""Browsers of the owner's that are paired; a newer one takes the oldest's place."""

WEB_KNOCKS_A_SECOND: Final = 0.5
"""From one address, of guests with links and tokens: nobody guesses 128 bits, and each
costs the node a look."""

WEB_KNOCKS_AT_ONCE: Final = 20
"""The same at once: a household, and a friend who tries an old link again."""

WEB_WRONG_OF_ONE: Final = 5
"""Wrong codes from one address before it is heard no more until the next start."""

WEB_WRONG: Final = 50
"""The same from all; then no open link is good any more."""

/* Finding words, as netplay/players/words does it, and rollouts made of it.

   The Python code is the reference: same plays, same scores, same worth, and of several
   best plays the same one.  All plays are found by walking down a tree of letters from
   each square a word may begin on.  For the best one that is too long a way where a
   blank may be any letter: as in Python, it is looked for in windows, the one that may
   be worth most first, by asking what the tiles laid in it can spell.  Nothing here
   keeps state between calls but the words, which are only read: several threads may ask
   at once. */

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#define EMPTY (-1)
#define BLOCKED (-2)
#define NONE UINT32_MAX
#define SIDE 40
#define CELLS (SIDE * SIDE)
#define RACK 16
#define BAG 1024
#define NO_MEMORY (-1)
#define UNFIT (-2)
#define ASKED 2048
#define KEPT 16384
#define NOTHING (-DBL_MAX)

typedef uint64_t Mask;

static inline Mask bit(int letter) { return (Mask)1 << letter; }

/* ---- words ---- */

/* No gaps: compared.  Bit n of `ends`: some word ends n letters further down. */
typedef struct { Mask kids; uint32_t first, ends; } Node;

/* A set of letters, by a part of its code, and the first of the words it spells; the
   last of them comes before the first of the next slot. */
typedef struct { uint32_t name, first; } Slot;

struct Words {
    Node *nodes; uint32_t count; int letters, longest;
    /* The same by what they are spelled with. */
    Slot *slots; uint32_t size, *starts; uint8_t *text;
    Mask *maybe;  /* of most sets that spell nothing a bit says so, without a look */
    uint64_t codes[64];
};

static uint64_t code_of(int letter)
{
    /* A number of its own for each letter (splitmix64); those of a word are added. */
    uint64_t code = (uint64_t)(letter + 1) * 0x9E3779B97F4A7C15u;
    code = (code ^ code >> 30) * 0xBF58476D1CE4E5B9u;
    code = (code ^ code >> 27) * 0x94D049BB133111EBu;
    return code ^ code >> 31;
}

static inline uint32_t slot_of(const Words *words, uint64_t code)
{
    uint32_t name = (uint32_t)(code >> 32) | 1, slot = (uint32_t)code;
    for (;; slot++) {
        slot &= words->size - 1;
        if (!words->slots[slot].name || words->slots[slot].name == name) return slot;
    }
}

static inline uint32_t place_of(const Words *words, uint64_t code)
{
    return (uint32_t)(code >> 24) & (words->size * 8 - 1);
}

static inline int spelled(const Words *words, uint64_t code)
{
    uint32_t place = place_of(words, code);
    return words->maybe[place >> 6] >> (place & 63) & 1;
}

static int gather(Words *words, const uint8_t *text, const uint32_t *starts,
                  uint32_t count)
{
    /* Two sets may share a slot by chance: whoever takes words from it looks at them. */
    uint32_t *slot_of_word = malloc(((size_t)count + 1) * sizeof *slot_of_word);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    for (words->size = 16; words->size < 2 * count + 1;) words->size *= 2;
    words->slots = calloc((size_t)words->size + 1, sizeof *words->slots);
    words->starts = malloc(((size_t)count + 1) * sizeof *words->starts);
    words->text = malloc((size_t)starts[count] + 1);
    words->maybe = calloc(words->size / 8, sizeof *words->maybe);
    int good = slot_of_word && order && words->slots && words->starts && words->text
        && words->maybe;
    for (int letter = 0; letter < 64; letter++) words->codes[letter] = code_of(letter);
    for (uint32_t word = 0; good && word < count; word++) {
        uint64_t code = 0;
        for (uint32_t i = starts[word]; i < starts[word + 1]; i++)
            code += words->codes[text[i]];
        uint32_t slot = slot_of(words, code), place = place_of(words, code);
        words->maybe[place >> 6] |= (Mask)1 << (place & 63);
        words->slots[slot].name = (uint32_t)(code >> 32) | 1;
        words->slots[slot].first++;
        slot_of_word[word] = slot;
    }
    for (uint32_t slot = 0, sum = 0; good && slot <= words->size; slot++)
        words->slots[slot].first = sum += words->slots[slot].first;
    for (uint32_t word = count; good && word-- > 0;)
        order[--words->slots[slot_of_word[word]].first] = word;
    for (uint32_t at = 0, end = 0; good && at <= count; at++) {
        words->starts[at] = end;
        if (at == count) break;
        uint32_t from = starts[order[at]], length = starts[order[at] + 1] - from;
        memcpy(words->text + end, text + from, length);
        end += length;
    }
    free(slot_of_word); free(order);
    return good;
}

static int ones(Mask mask);

static uint32_t shared(Node *nodes, uint32_t count)
{
    /* Words end alike: of equal sets of children one is kept, which is a fifth of the
       tree and fits the processor's cache.  Children come after their parent, so that
       from the last to the first each is done before it is asked for. */
    uint32_t size = 1;
    while (size < 2 * count) size *= 2;
    uint32_t *slots = calloc(size, sizeof *slots), done = 1;
    Node *made = malloc((size_t)(count + 1) * sizeof *made);
    if (!slots || !made) { free(slots); free(made); return count; }
    for (uint32_t at = count; at-- > 0;) {
        int many = ones(nodes[at].kids);
        if (!many) { nodes[at].first = 0; continue; }
        const Node *kids = &nodes[nodes[at].first];
        for (int i = 0; i < many; i++) nodes[at].ends |= kids[i].ends << 1;
        uint64_t hash = (uint64_t)many;
        for (int i = 0; i < many; i++) {
            hash = (hash ^ kids[i].kids) * 0x9E3779B97F4A7C15u;
            hash = (hash ^ kids[i].first ^ (uint64_t)kids[i].ends << 40)
                * 0xC2B2AE3D27D4EB4Fu;
            hash ^= hash >> 29;
        }
        uint32_t slot = (uint32_t)hash & (size - 1);
        /* Equal beginnings are not enough, but whatever follows a kept set belongs to
           it or to one kept later: comparing `many` of them is exact. */
        while (slots[slot] && (slots[slot] + many > done ||
               memcmp(&made[slots[slot]], kids, many * sizeof *kids)))
            slot = (slot + 1) & (size - 1);
        if (!slots[slot]) {
            slots[slot] = done;
            memcpy(&made[done], kids, many * sizeof *kids);
            done += many;
        }
        nodes[at].first = slots[slot];
    }
    made[0] = nodes[0];
    memcpy(nodes, made, done * sizeof *made);
    free(slots); free(made);
    return done;
}

Words *kernel_words(const uint8_t *text, const uint32_t *starts, uint32_t count,
                    int letters, int longest)
{
    /* Words, sorted; starts[count] is the end of the text.  Breadth first, so that
       the children of a node lie side by side, in the order of their letters. */
    size_t most = (size_t)starts[count] + 1;
    Words *words = calloc(1, sizeof *words);
    Node *nodes = calloc(most, sizeof *nodes);
    uint32_t *low = malloc(most * sizeof *low), *high = malloc(most * sizeof *high);
    uint8_t *deep = malloc(most);
    if (!words || !nodes || !low || !high || !deep) {
        free(words); free(nodes); free(low); free(high); free(deep);
        return NULL;
    }
    uint32_t done = 1;
    low[0] = 0; high[0] = count; deep[0] = 0;
    for (uint32_t at = 0; at < done; at++) {
        uint32_t from = low[at], to = high[at], depth = deep[at];
        if (from < to && starts[from + 1] - starts[from] == depth) {
            nodes[at].ends = 1;
            from++;
        }
        nodes[at].first = done;
        while (from < to) {
            uint8_t letter = text[starts[from] + depth];
            uint32_t next = from + 1;
            while (next < to && text[starts[next] + depth] == letter) next++;
            nodes[at].kids |= bit(letter);
            low[done] = from; high[done] = next; deep[done] = (uint8_t)(depth + 1);
            done++;
            from = next;
        }
    }
    free(low); free(high); free(deep);
    done = shared(nodes, done);
    Node *less = realloc(nodes, done * sizeof *nodes);
    words->nodes = less ? less : nodes;
    words->count = done; words->letters = letters; words->longest = longest;
    if (!gather(words, text, starts, count)) { kernel_free(words); return NULL; }
    return words;
}

void kernel_free(Words *words)
{
    if (!words) return;
    free(words->nodes); free(words->slots); free(words->starts); free(words->text);
    free(words->maybe); free(words);
}

static int ones(Mask mask)
{
#if defined(__GNUC__)
    return __builtin_popcountll(mask);
#else
    int count = 0;
    while (mask) { mask &= mask - 1; count++; }
    return count;
#endif
}

static inline int lowest(Mask mask)
{
#if defined(__GNUC__)
    return __builtin_ctzll(mask);
#else
    int at = 0;
    while (!(mask >> at & 1)) at++;
    return at;
#endif
}

static inline uint32_t child(const Words *words, uint32_t node, int letter)
{
    const Node *here = &words->nodes[node];
    if (!(here->kids >> letter & 1)) return NONE;
    return here->first + ones(here->kids & (bit(letter) - 1));
}

/* ---- position ---- */

/* Tiles to lay: how many, how many of them are blanks, the points of all and of the best
   of them, the code of the letters, what they leave. */
typedef struct { int tiles, blanks, points, best; uint64_t code; double worth; } Set;

typedef struct {
    int count[64], points[64];
    int tiles, blanks, usable, size, bonus;  /* tiles: blanks included */
    int kinds[RACK], kind_count;  /* letters held; the blank is words->letters */
    int stride[65];
    int top[RACK + 1];            /* points of the best, by their number */
    double most[RACK + 1];        /* what is left is worth at most, by the number laid */
    Set *sets;                    /* each that can be laid */
    uint32_t *order;              /* the same by their number of tiles */
    uint32_t from[RACK + 2];      /* where in `order` those of a number begin */
    int many; size_t room;
} Hand;

typedef struct {
    int8_t letters[SIDE]; int16_t worth[SIDE]; uint8_t by_letter[SIDE], by_word[SIDE];
    Mask allowed[SIDE]; int across[SIDE]; uint8_t anchor[SIDE];
    int length, base, step, down, last;
} Lane;

/* A stretch that a play can fill, as words/windows.py has it. */
typedef struct {
    double bound, hope;      /* what it is worth at most: in Python, and as known here */
    uint64_t code;
    int16_t lane, begin, end, tiles, blanks; int points, extra, times, gain, at;
} Window;

/* Which sets of letters were asked for with what lies in a window, and where those that
   spell something are kept. */
typedef struct { uint64_t code; uint32_t used, first, count, known; } Asked;

typedef struct {
    const Words *words; Hand *hand; Lane *lanes; KernelPlay *out;
    /* for all plays: a walk down the tree of words */
    const Lane *lane; int begin, tiles[SIDE + 1], times[SIDE + 1];
    int count[64], blanks;
    Mask left, blank_at; uint8_t word[SIDE];
    int32_t room, found;
    /* for the best one */
    Window *windows; size_t windows_room; int many;
    Asked asked[ASKED]; uint32_t kept[KEPT], kept_count;
    int fixed, weight[SIDE], have[64];
    double bound; int at;    /* of the window with the best play so far */
} Search;

static int held_of(const Hand *hand, const Words *words, int letter)
{
    return letter < words->letters ? hand->count[letter] : hand->blanks;
}

/* As words/squares.py: so many blanks of a rack are thought of, not to be late. */
static int in_time(const Hand *hand, int letters)
{
    int blanks = hand->blanks < 3 ? hand->blanks : 3;
    for (; blanks; blanks--) {
        double sets = 1;
        for (int i = 1; i <= blanks; i++) sets = sets * (letters + i) / i;
        for (int i = hand->blanks; i < hand->tiles; i++) sets *= 2;
        if (sets <= 400000) break;
    }
    return blanks;
}

static int prepare_hand(Hand *hand, const Words *words)
{
    int points[RACK], many = 0;
    hand->kind_count = 0;
    hand->tiles = hand->blanks;
    hand->many = 1;
    for (int letter = 0; letter <= words->letters; letter++) {
        int count = held_of(hand, words, letter);
        if (!count) continue;
        if (letter < words->letters) hand->tiles += count;
        hand->kinds[hand->kind_count++] = letter;
        hand->stride[letter] = hand->many;
        hand->many *= count + 1;
        if (letter == words->letters) break;
        while (count--) {  /* few: insertion, the best first */
            int at = many++;
            for (; at && points[at - 1] < hand->points[letter]; at--)
                points[at] = points[at - 1];
            points[at] = hand->points[letter];
        }
    }
    hand->top[0] = 0;
    for (int i = 0; i < hand->tiles; i++)
        hand->top[i + 1] = hand->top[i] + (i < many ? points[i] : 0);
    hand->usable = in_time(hand, words->letters);
    size_t room = (size_t)hand->many;
    if (room <= hand->room) return 1;
    free(hand->sets); free(hand->order);
    hand->sets = malloc(room * sizeof *hand->sets);
    hand->order = malloc(room * sizeof *hand->order);
    hand->room = hand->sets && hand->order ? room : 0;
    return hand->room > 0;
}

static int value_hand(Hand *hand, const Words *words, const double *single,
                      const double *pairs, double gone)
{
    /* Without a table what is kept costs its points, and nothing kept gains `gone`. */
    int width = words->letters + 1;
    if (!prepare_hand(hand, words)) return 0;
    for (int i = 0; i <= hand->tiles; i++) hand->most[i] = NOTHING;
    memset(hand->from, 0, sizeof hand->from);
    for (int used = 0; used < hand->many; used++) {
        int kept[RACK], many = 0, rest = used;
        Set *set = &hand->sets[used];
        memset(set, 0, sizeof *set);
        for (int i = 0; i < hand->kind_count; i++) {
            int letter = hand->kinds[i], held = held_of(hand, words, letter);
            int laid = rest % (held + 1);
            rest /= held + 1;
            for (int left = held - laid; left--;) kept[many++] = letter;
            if (letter == words->letters) set->blanks = laid;
            else if (laid) {
                set->code += (uint64_t)laid * words->codes[letter];
                set->points += laid * hand->points[letter];
                if (hand->points[letter] > set->best) set->best = hand->points[letter];
            }
        }
        double worth = 0;
        if (single) {
            for (int i = 0; i < many; i++) {
                worth += single[kept[i]];
                for (int j = i + 1; j < many; j++)
                    worth += pairs[kept[i] * width + kept[j]];
            }
        } else if (many) {
            for (int i = 0; i < many; i++)
                worth -= kept[i] < words->letters ? hand->points[kept[i]] : 0;
        } else worth = gone;
        set->worth = worth;
        set->tiles = hand->tiles - many;
        if (worth > hand->most[set->tiles]) hand->most[set->tiles] = worth;
        hand->from[set->tiles + 1]++;
    }
    for (int i = 0; i <= hand->tiles; i++) hand->from[i + 1] += hand->from[i];
    uint32_t at[RACK + 1];
    memcpy(at, hand->from, sizeof at);
    for (int used = 0; used < hand->many; used++)
        hand->order[at[hand->sets[used].tiles]++] = (uint32_t)used;
    return 1;
}

static void cross(const Words *words, Lane *lane, int at, Mask *allowed, int *across)
{
    int begin = at, end = at + 1, points = 0;
    while (begin && lane->letters[begin - 1] >= 0) points += lane->worth[--begin];
    while (end < lane->length && lane->letters[end] >= 0) points += lane->worth[end++];
    *across = points;
    uint32_t node = 0;
    for (int i = begin; i < at && node != NONE; i++)
        node = child(words, node, lane->letters[i]);
    *allowed = 0;
    if (node == NONE) return;
    for (Mask kids = words->nodes[node].kids; kids; kids &= kids - 1) {
        int letter = lowest(kids);
        uint32_t next = child(words, node, letter);
        for (int i = at + 1; i < end && next != NONE; i++)
            next = child(words, next, lane->letters[i]);
        if (next != NONE && words->nodes[next].ends & 1) *allowed |= bit(letter);
    }
}

/* Whether a board is one that can be read. */
static int readable(const KernelBoard *board, const Words *words)
{
    if (board->width < 1 || board->width > SIDE) return 0;
    if (board->height < 1 || board->height > SIDE) return 0;
    for (int i = 0; i < board->width * board->height; i++)
        if (board->letters[i] < BLOCKED || board->letters[i] >= words->letters) return 0;
    return 1;
}

static int fill_lanes(const KernelBoard *board, const Words *words, Lane *lanes)
{
    int across = board->width > 1, down = board->height > 1, count = 0, first = 1;
    for (int i = 0; i < board->width * board->height; i++)
        if (board->letters[i] >= 0) first = 0;
    for (int turn = 0; turn < 2; turn++) {
        int lines = turn ? board->width : board->height;
        for (int line = 0; line < lines; line++) {
            Lane *lane = &lanes[turn * board->height + line];
            lane->down = turn;
            lane->length = turn ? board->height : board->width;
            lane->base = turn ? line : line * board->width;
            lane->step = turn ? board->width : 1;
            for (int i = 0; i < lane->length; i++) {
                int square = lane->base + i * lane->step;
                lane->letters[i] = board->letters[square];
                lane->worth[i] = board->worth[square];
                lane->by_letter[i] = board->by_letter[square];
                lane->by_word[i] = board->by_word[square];
                lane->allowed[i] = ~(Mask)0;
                lane->across[i] = -1;
            }
        }
    }
    for (int turn = 0; turn < 2; turn++) {
        int lines = turn ? board->width : board->height;
        for (int line = 0; line < lines; line++) {
            Lane *lane = &lanes[turn * board->height + line];
            for (int i = 0; i < lane->length; i++) {
                if (lane->letters[i] != EMPTY) continue;
                if (!((i && lane->letters[i - 1] >= 0) ||
                      (i + 1 < lane->length && lane->letters[i + 1] >= 0))) continue;
                Lane *other = &lanes[(turn ? 0 : board->height) + i];
                cross(words, lane, i, &other->allowed[line], &other->across[line]);
            }
        }
    }
    for (int turn = 0; turn < 2; turn++) {
        int lines = turn ? board->width : board->height;
        for (int line = 0; line < lines; line++) {
            Lane *lane = &lanes[turn * board->height + line];
            lane->last = -1;
            for (int i = 0; i < lane->length; i++) {
                int square = lane->base + i * lane->step;
                lane->anchor[i] = lane->letters[i] == EMPTY &&
                    ((i && lane->letters[i - 1] >= 0) ||
                     (i + 1 < lane->length && lane->letters[i + 1] >= 0) ||
                     lane->across[i] >= 0 || (first && square == board->start));
                if (lane->anchor[i]) lane->last = i;
            }
            if (!(turn ? down : across)) lane->last = -1;
            count++;
        }
    }
    return count;
}

/* ---- all plays: down the tree ---- */

static void tell(KernelPlay *play, const Lane *lane, int begin, int end, int score,
                 double worth)
{
    play->score = score; play->worth = worth; play->down = lane->down;
    play->square = lane->base + begin * lane->step;
    play->length = end - begin;
}

static void step(Search *search, int at, uint32_t node, int sum, int more, int used,
                 Mask ends)
{
    const Lane *lane = search->lane;
    const Hand *hand = search->hand;
    const Words *words = search->words;
    for (; at < lane->length && lane->letters[at] >= 0; at++) {
        node = child(words, node, lane->letters[at]);
        if (node == NONE) return;
        search->word[at - search->begin] = (uint8_t)lane->letters[at];
        sum += lane->worth[at];
    }
    const Node *here = &words->nodes[node];
    if (here->ends & ends >> at & 1 && search->found++ < search->room) {
        KernelPlay *play = &search->out[search->found - 1];
        int tiles = search->tiles[at];
        int score = sum * search->times[at] + more
            + (tiles == hand->size ? hand->bonus : 0);
        tell(play, lane, search->begin, at, score, score + hand->sets[used].worth);
        play->tiles = tiles; play->blanks = search->blank_at;
        memcpy(play->word, search->word, (size_t)play->length);
    }
    if (!(ends >> at >> 1)) return;
    Mask fits = lane->allowed[at] & here->kids;
    if (!search->blanks) fits &= search->left;
    for (; fits; fits &= fits - 1) {
        int letter = lowest(fits);
        uint32_t next = here->first + (uint32_t)ones(here->kids & (bit(letter) - 1));
        Mask still = ends & (Mask)words->nodes[next].ends << at << 1;
        if (!still) continue;
        search->word[at - search->begin] = (uint8_t)letter;
        for (int blank = 0; blank < 2; blank++) {
            int *left = blank ? &search->blanks : &search->count[letter];
            if (!*left) continue;
            int points = blank ? 0 : hand->points[letter] * lane->by_letter[at];
            int across = lane->across[at] < 0 ? 0
                : (lane->across[at] + points) * lane->by_word[at];
            int laid = used + hand->stride[blank ? words->letters : letter];
            if (!--*left && !blank) search->left &= ~bit(letter);
            if (blank) search->blank_at |= bit(at - search->begin);
            step(search, at + 1, next, sum + points, more + across, laid, still);
            if (blank) search->blank_at &= ~bit(at - search->begin);
            else search->left |= bit(letter);
            ++*left;
        }
    }
}

static int add_window(Search *search, const Window *window)
{
    if ((size_t)search->many == search->windows_room) {
        size_t room = search->windows_room * 2 + 256;
        Window *more = realloc(search->windows, room * sizeof *more);
        if (!more) return 0;
        search->windows = more; search->windows_room = room;
    }
    search->windows[search->many] = *window;
    search->windows[search->many].at = search->many;
    search->many++;
    return 1;
}

/* Notes where plays may end that begin at a square: for the walk as bits, for the best
   play as windows, whose bound is the one of words/windows.py and leaves.py. */
static int windows_from(Search *search, int line, int begin, int all, Mask *ends)
{
    const Hand *hand = search->hand;
    const Lane *lane = &search->lanes[line];
    Window window = {0};
    int joined = 0, lone = 0, best = hand->tiles ? hand->top[1] : 0;
    *ends = 0;
    window.times = 1; window.lane = (int16_t)line; window.begin = (int16_t)begin;
    for (int at = begin;; at++) {
        search->tiles[at] = window.tiles; search->times[at] = window.times;
        if (joined && at - begin > 1 && !(window.tiles == 1 && lone) &&
            (at == lane->length || lane->letters[at] < 0)) {
            *ends |= bit(at);
            int tiles = window.tiles;
            window.end = (int16_t)at;
            window.bound = (window.points + window.extra * best + hand->top[tiles])
                * window.times + window.gain + (tiles == hand->size ? hand->bonus : 0)
                + hand->most[tiles];
            window.hope = window.bound;
            if (!all && !add_window(search, &window)) return 0;
        }
        if (at == lane->length || at - begin == search->words->longest) return 1;
        if (lane->letters[at] >= 0) {
            window.points += lane->worth[at];
            window.code += search->words->codes[lane->letters[at]];
            continue;
        }
        Mask fits = lane->allowed[at], own = fits & search->left;
        if (lane->letters[at] != EMPTY || window.tiles == hand->tiles) return 1;
        if (!(hand->usable ? fits : own)) return 1;
        window.tiles++;
        if (lane->across[at] >= 0) {
            int most = 0;
            for (; own; own &= own - 1)
                if (hand->points[lowest(own)] > most) most = hand->points[lowest(own)];
            window.gain += (lane->across[at] + most * lane->by_letter[at])
                * lane->by_word[at];
            lone |= lane->down;  /* found across, if it makes a word there */
        }
        window.times *= lane->by_word[at];
        window.extra += lane->by_letter[at] - 1;
        joined |= lane->anchor[at];
    }
}

/* ---- the best play: windows, the one that may be worth most first ---- */

static int sooner(const Window *one, const Window *other)
{
    return one->hope != other->hope ? one->hope > other->hope : one->at < other->at;
}

static void sink(Window *heap, int many, int at)
{
    Window kept = heap[at];
    for (int next; (next = 2 * at + 1) < many; at = next) {
        if (next + 1 < many && sooner(&heap[next + 1], &heap[next])) next++;
        if (!sooner(&heap[next], &kept)) break;
        heap[at] = heap[next];
    }
    heap[at] = kept;
}

static void weigh(Search *search, const Window *window)
{
    const Lane *lane = &search->lanes[window->lane];
    search->fixed = window->points * window->times
        + (window->tiles == search->hand->size ? search->hand->bonus : 0);
    for (int at = window->begin; at < window->end; at++) {
        int weight = 0;
        if (lane->letters[at] < 0) {
            weight = lane->by_letter[at] * window->times;
            if (lane->across[at] >= 0) {
                weight += lane->by_letter[at] * lane->by_word[at];
                search->fixed += lane->across[at] * lane->by_word[at];
            }
        }
        search->weight[at - window->begin] = weight;
    }
}

/* Whether of two plays worth the same the search in Python would take this one: in the
   window it looks at first; there the first word, its blanks on the first squares. */
static int first(const Search *search, const Window *window, const uint8_t *word,
                 Mask blanks)
{
    const KernelPlay *other = search->out;
    if (window->at != search->at)
        return window->bound != search->bound ? window->bound > search->bound
            : window->at < search->at;
    int order = memcmp(word, other->word, (size_t)other->length);
    if (order) return order < 0;
    int more = ones(blanks) - ones(other->blanks);
    Mask differ = blanks ^ other->blanks;
    return more ? more < 0 : (blanks & differ & (~differ + 1)) != 0;
}

static void try_word(Search *search, const Window *window, const Set *set,
                     uint32_t number)
{
    const Words *words = search->words;
    const Lane *lane = &search->lanes[window->lane];
    const uint8_t *word = words->text + words->starts[number];
    int length = window->end - window->begin, score = search->fixed, lacking = 0;
    uint8_t wild[SIDE];
    if (words->starts[number + 1] - words->starts[number] != (uint32_t)length) return;
    for (int i = 0; i < length; i++) {
        int at = window->begin + i, lies = lane->letters[at];
        if (lies >= 0 ? lies != word[i] : !(lane->allowed[at] >> word[i] & 1)) return;
    }
    for (int i = 0; i < length; i++) {
        if (!search->weight[i]) continue;
        score += search->hand->points[word[i]] * search->weight[i];
        if (search->have[word[i]]-- <= 0) wild[lacking++] = word[i];
    }
    for (int i = 0; i < length; i++) if (search->weight[i]) search->have[word[i]]++;
    if (lacking != set->blanks) return;
    Mask blanks = 0;
    for (int each = 0; each < lacking; each++) {
        /* Where it costs least, of equal squares on the first. */
        int at = -1, points = search->hand->points[wild[each]];
        for (int i = 0; i < length; i++)
            if (search->weight[i] && word[i] == wild[each] && !(blanks >> i & 1) &&
                (at < 0 || points * search->weight[i] < points * search->weight[at]))
                at = i;
        blanks |= bit(at);
        score -= points * search->weight[at];
    }
    double worth = score + set->worth;
    KernelPlay *out = search->out;
    if (search->found && worth <= out->worth &&
        (worth < out->worth || !first(search, window, word, blanks))) return;
    search->found = 1; search->bound = window->bound; search->at = window->at;
    tell(out, lane, window->begin, window->end, score, worth);
    out->tiles = window->tiles; out->blanks = blanks;
    memcpy(out->word, word, (size_t)length);
}

static void try_slot(Search *search, const Window *window, const Set *set, uint32_t slot)
{
    const Words *words = search->words;
    for (uint32_t i = words->slots[slot].first; i < words->slots[slot + 1].first; i++)
        try_word(search, window, set, i);
}

static void spell(Search *search, const Window *window, const Set *set, uint64_t code,
                  int blanks, int from)
{
    const Words *words = search->words;
    if (blanks) {
        for (int letter = from; letter < words->letters; letter++) {
            uint64_t more = code + words->codes[letter];
            if (blanks > 1 || spelled(words, more))  /* looked at here: many are not */
                spell(search, window, set, more, blanks - 1, letter);
        }
        return;
    }
    if (!spelled(words, code)) return;
    uint32_t slot = slot_of(words, code);
    if (!words->slots[slot].name) return;
    if (search->kept_count < KEPT) search->kept[search->kept_count] = slot;
    search->kept_count++;
    try_slot(search, window, set, slot);
}

static void try_set(Search *search, const Window *window, uint32_t used)
{
    const Set *set = &search->hand->sets[used];
    uint64_t key = (window->code ^ used) * 0x9E3779B97F4A7C15u;
    Asked *asked = NULL;
    for (uint32_t i = 0; i < 8; i++) {
        asked = &search->asked[((uint32_t)(key >> 40) + i) & (ASKED - 1)];
        if (!asked->known) break;
        if (asked->code != window->code || asked->used != used) continue;
        for (uint32_t each = 0; each < asked->count; each++)
            try_slot(search, window, set, search->kept[asked->first + each]);
        return;
    }
    uint32_t kept = search->kept_count;
    spell(search, window, set, window->code + set->code, set->blanks, 0);
    if (search->kept_count > KEPT || asked->known) search->kept_count = kept;
    else {
        asked->known = 1; asked->code = window->code; asked->used = used;
        asked->first = kept; asked->count = search->kept_count - kept;
    }
}

static void try_window(Search *search, Window *window)
{
    /* With one more blank each time: there are many more sets to ask for, and what was
       found until then rules most of them out. */
    const Hand *hand = search->hand;
    int bonus = window->tiles == hand->size ? hand->bonus : 0, weighed = 0;
    double hope = NOTHING;
    for (uint32_t i = hand->from[window->tiles]; i < hand->from[window->tiles + 1]; i++) {
        uint32_t used = hand->order[i];
        const Set *set = &hand->sets[used];
        if (set->blanks < window->blanks || set->blanks > hand->usable) continue;
        double most = (window->points + set->points + window->extra * set->best)
            * window->times + window->gain + bonus + set->worth;
        if (search->found && most < search->out->worth) continue;
        if (set->blanks > window->blanks) {
            if (most > hope) hope = most;
            continue;
        }
        for (int k = 0, rest = (int)used; k < hand->kind_count; k++) {
            int held = held_of(hand, search->words, hand->kinds[k]);
            if (hand->kinds[k] < search->words->letters)
                search->have[hand->kinds[k]] = rest % (held + 1);
            rest /= held + 1;
        }
        if (!weighed) weigh(search, window);
        weighed = 1;
        try_set(search, window, used);
    }
    window->hope = hope;
    window->blanks++;
}

/* Returns how many plays there are, of the best one 1 or 0. */
static int32_t search_board(Search *search, const KernelBoard *board, int all)
{
    const Hand *hand = search->hand;
    int count = fill_lanes(board, search->words, search->lanes);
    search->found = search->many = 0; search->kept_count = 0;
    search->blank_at = search->left = 0; search->blanks = hand->usable;
    memset(search->have, 0, sizeof search->have);
    memset(search->asked, 0, sizeof search->asked);
    for (int i = 0; i < search->words->letters; i++) {
        search->count[i] = hand->count[i];
        if (hand->count[i]) search->left |= bit(i);
    }
    for (int line = 0; line < count; line++)
        for (int begin = 0; begin <= search->lanes[line].last; begin++) {
            Mask ends;
            if (begin && search->lanes[line].letters[begin - 1] >= 0) continue;
            if (!windows_from(search, line, begin, all, &ends)) return NO_MEMORY;
            search->lane = &search->lanes[line]; search->begin = begin;
            if (all && ends) step(search, begin, 0, 0, 0, 0, ends);
        }
    for (int at = search->many / 2; at-- > 0;) sink(search->windows, search->many, at);
    while (search->many) {
        Window *window = search->windows;
        if (search->found && window->hope < search->out->worth) break;
        try_window(search, window);
        if (window->hope <= NOTHING) *window = search->windows[--search->many];
        sink(window, search->many, 0);
    }
    return search->found;
}

static int held(const KernelHand *rack, int letters)
{
    int count = rack->blanks;
    for (int i = 0; i < letters; i++) count += rack->count[i];
    return count;
}

/* Returns whether a rack is one that can be thought of. */
static int take_hand(Hand *hand, const KernelHand *given, const Words *words)
{
    for (int i = 0; i < words->letters; i++) {
        hand->count[i] = given->count[i];
        hand->points[i] = given->points[i];
    }
    hand->blanks = given->blanks;
    hand->size = given->size; hand->bonus = given->bonus;
    return given->blanks >= 0 && held(given, words->letters) <= RACK;
}

static void drop_hand(Hand *hand) { free(hand->sets); free(hand->order); }

int32_t kernel_search(const Words *words, const KernelBoard *board,
                      const KernelHand *given, const double *single,
                      const double *pairs, double gone, KernelPlay *out, int32_t room,
                      int all)
{
    Hand hand = {0};
    Lane *lanes = malloc(2 * SIDE * sizeof *lanes);
    Search *search = malloc(sizeof *search);
    int32_t found = NO_MEMORY;
    if (!take_hand(&hand, given, words) || !readable(board, words)) found = UNFIT;
    else if (lanes && search && value_hand(&hand, words, single, pairs, gone)) {
        search->words = words; search->hand = &hand; search->lanes = lanes;
        search->out = out; search->room = room;
        search->windows = NULL; search->windows_room = 0;
        found = search_board(search, board, all);
        free(search->windows);
    }
    drop_hand(&hand); free(lanes); free(search);
    return found;
}

/* ---- rollouts: netplay/players/networdz/rollouts.py, ending.py ---- */

typedef struct {
    const Words *words; const double *single, *pairs;
    KernelBoard board; int8_t letters[CELLS]; int16_t worth[CELLS];
    Hand hand; Lane lanes[2 * SIDE]; Search search;
    KernelHand racks[2];
} Table_;

static int burden(const KernelHand *rack, int letters)
{
    int points = 0;
    for (int i = 0; i < letters; i++) points += rack->count[i] * rack->points[i];
    return points;
}

static int fill_up(KernelHand *rack, const uint8_t *bag, int left, int letters)
{
    int taken = 0;
    for (int need = rack->size - held(rack, letters); need > 0 && taken < left; need--) {
        int letter = bag[taken++];
        if (letter == letters) rack->blanks++;
        else rack->count[letter]++;
    }
    return taken;
}

static void lay(Table_ *table, const KernelPlay *play, KernelHand *rack)
{
    int pace = play->down ? table->board.width : 1;
    for (int i = 0; i < play->length; i++) {
        int square = play->square + i * pace;
        if (table->letters[square] >= 0) continue;
        table->letters[square] = (int8_t)play->word[i];
        if (play->blanks >> i & 1) { rack->blanks--; table->worth[square] = 0; }
        else {
            rack->count[play->word[i]]--;
            table->worth[square] = (int16_t)rack->points[play->word[i]];
        }
    }
}

/* Returns whether there is a play; with a table an exchange is thought of, too. */
static int best(Table_ *table, const KernelHand *rack, int with_table, double gone,
                KernelPlay *play, double *worth)
{
    *worth = NOTHING;
    if (!take_hand(&table->hand, rack, table->words)) return UNFIT;
    if (!value_hand(&table->hand, table->words, with_table ? table->single : NULL,
                    table->pairs, gone)) return NO_MEMORY;
    table->search.out = play;
    int found = search_board(&table->search, &table->board, 0);
    if (found < 0) return found;
    if (found) *worth = play->worth;
    if (with_table)
        for (int laid = 1; laid <= table->hand.tiles; laid++)
            if (table->hand.most[laid] > *worth) *worth = table->hand.most[laid];
    return found;
}

static double to_the_end(Table_ *table, double total, const uint8_t *bag, int left,
                         int longest)
{
    /* racks[0] is the other's, who moves next. */
    int letters = table->words->letters, mover = 0, passed = 0;
    double sign = -1, worth;
    for (int ply = 0; ply < longest; ply++) {
        KernelHand *rack = &table->racks[mover], *other = &table->racks[1 - mover];
        KernelPlay play;
        int found = best(table, rack, left > 0, 2.0 * burden(other, letters), &play,
                         &worth);
        if (found < 0) return NOTHING;
        if (!found) { if (++passed == 2) break; }
        else {
            passed = 0;
            total += sign * play.score;
            lay(table, &play, rack);
            int taken = fill_up(rack, bag, left, letters);
            bag += taken; left -= taken;
            if (!left && !held(rack, letters))
                return total + sign * 2 * burden(other, letters);
        }
        mover = 1 - mover; sign = -sign;
    }
    return total + sign * (burden(&table->racks[1 - mover], letters)
                           - burden(&table->racks[mover], letters));
}

static int known(const uint8_t *tiles, int count, const Words *words)
{
    for (int i = 0; i < count; i++) if (tiles[i] > words->letters) return 0;
    return count >= 0;
}

int kernel_rollouts(const Words *words, const KernelBoard *boards, int count,
                    const KernelHand *kept, const int32_t *scores,
                    const uint8_t *const *gone, const int32_t *gone_counts,
                    const uint8_t *order, int tiles, int others, int size, int bonus,
                    const uint8_t *points, const double *single, const double *pairs,
                    int near, int longest, double *values)
{
    int letters = words->letters, found = 0;
    if (others < 0 || others > RACK || others > tiles || tiles > BAG || size > RACK ||
        !known(order, tiles, words)) return UNFIT;
    for (int at = 0; at < count; at++)
        if (!readable(&boards[at], words) || tiles - others + gone_counts[at] > BAG ||
            !known(gone[at], gone_counts[at], words)) return UNFIT;
    Table_ *table = calloc(1, sizeof *table);
    if (!table) return NO_MEMORY;
    table->search.words = words; table->search.hand = &table->hand;
    table->search.lanes = table->lanes; table->search.room = 1;
    table->words = words; table->single = single; table->pairs = pairs;
    KernelHand fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.size = size; fresh.bonus = bonus;
    for (int i = 0; i < letters; i++) fresh.points[i] = points[i];
    for (int i = 0; i < others; i++) {
        if (order[i] == letters) fresh.blanks++;
        else fresh.count[order[i]]++;
    }
    uint8_t bag[BAG];
    for (int at = 0; at < count && found >= 0; at++) {
        int left = tiles - others, cells = boards[at].width * boards[at].height;
        memcpy(bag, order + others, (size_t)left);
        memcpy(table->letters, boards[at].letters, (size_t)cells);
        memcpy(table->worth, boards[at].worth, (size_t)cells * sizeof *table->worth);
        table->board = boards[at];
        table->board.letters = table->letters; table->board.worth = table->worth;
        table->racks[0] = fresh; table->racks[1] = kept[at];
        int taken = fill_up(&table->racks[1], bag, left, letters);
        left -= taken;
        if (near) {
            memcpy(bag + taken + left, gone[at], (size_t)gone_counts[at]);
            values[at] = to_the_end(table, scores[at], bag + taken,
                                    left + gone_counts[at], longest);
            if (values[at] <= NOTHING) found = UNFIT;
            continue;
        }
        KernelPlay play;
        double theirs, ours = 0;
        found = best(table, &table->racks[0], 1, 0, &play, &theirs);
        if (found > 0) lay(table, &play, &table->racks[0]);
        if (found >= 0) found = best(table, &table->racks[1], 1, 0, &play, &ours);
        values[at] = scores[at] - theirs + ours;
    }
    drop_hand(&table->hand); free(table->search.windows); free(table);
    return found < 0 ? found : 1;
}

/* Finding words, as netplay/players/words does it, and rollouts made of it.

   The Python code is the reference: same plays, same scores, same worth.  Here words
   are a tree of letters, walked from each square a word may begin on; a walk ends
   where no end of it could still beat the best play found (the bounds are those of
   words/windows.py).  Nothing here keeps state between calls but the tree, which is
   only read: several threads may ask at once. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#define EMPTY (-1)
#define NONE UINT32_MAX
#define SIDE 40
#define CELLS (SIDE * SIDE)
#define RACK 16
#define TABLE 8192
#define FAR_DOWN (-1e18)

typedef uint64_t Mask;

static inline Mask bit(int letter) { return (Mask)1 << letter; }

/* ---- words ---- */

typedef struct { Mask kids; uint32_t first, end; } Node;  /* no gaps: compared */

struct Words { Node *nodes; uint32_t count; int letters, longest; };

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
        uint64_t hash = (uint64_t)many;
        for (int i = 0; i < many; i++) {
            hash = (hash ^ kids[i].kids) * 0x9E3779B97F4A7C15u;
            hash = (hash ^ kids[i].first ^ (uint64_t)kids[i].end << 40)
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
    Words *words = malloc(sizeof *words);
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
            nodes[at].end = 1;
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
    return words;
}

void kernel_free(Words *words) { if (words) { free(words->nodes); free(words); } }

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

typedef struct {
    int count[64], points[64];
    int tiles, blanks, size, bonus;   /* tiles: blanks included */
    int kinds[RACK + 1], kind_count;  /* letters held; the blank is words->letters */
    int stride[65];
    double worth[TABLE];              /* of what is left, by what is laid */
    double most[RACK + 1];            /* the same at best, by the number laid */
    double most_blank[RACK + 1];      /* of those, with a blank laid */
    Mask mask;
    int top[RACK + 1];
} Hand;

typedef struct {
    int8_t letters[SIDE]; int16_t worth[SIDE]; uint8_t by_letter[SIDE], by_word[SIDE];
    Mask allowed[SIDE]; int across[SIDE]; uint8_t anchor[SIDE];
    int length, base, step, down, last;
} Lane;

typedef struct { double bound; int lane, begin; } Begin;

typedef struct {
    const Words *words; const Hand *hand;
    Lane *lane; int begin;
    double until[SIDE + 1];  /* the most that ends from here on may be worth */
    int count[64], blanks;
    uint8_t word[SIDE]; uint64_t blank_at;
    double best; KernelPlay *out; int32_t room, found; int all;
    int blank;               /* only plays that lay one: the others are known */
} Walk;

static int prepare_hand(Hand *hand, const Words *words)
{
    hand->kind_count = 0;
    hand->tiles = hand->blanks;
    hand->mask = 0;
    int size = 1, held[RACK], many = 0;
    for (int letter = 0; letter <= words->letters; letter++) {
        int count = letter < words->letters ? hand->count[letter] : hand->blanks;
        if (!count) continue;
        hand->kinds[hand->kind_count++] = letter;
        hand->stride[letter] = size;
        size *= count + 1;
        if (letter == words->letters) { hand->mask = ~(Mask)0; break; }
        hand->tiles += count;
        hand->mask |= bit(letter);
        for (int i = 0; i < count && many < RACK; i++)
            held[many++] = hand->points[letter];
    }
    if (size > TABLE || hand->tiles > RACK) return 0;
    for (int i = 1; i < many; i++)  /* few: insertion */
        for (int j = i; j && held[j] > held[j - 1]; j--) {
            int kept = held[j]; held[j] = held[j - 1]; held[j - 1] = kept;
        }
    hand->top[0] = 0;
    for (int i = 0; i < hand->tiles; i++)
        hand->top[i + 1] = hand->top[i] + (i < many ? held[i] : 0);
    return size;
}

static int value_hand(Hand *hand, const Words *words, const double *single,
                      const double *pairs, double gone)
{
    /* Without a table what is kept costs its points, and nothing kept gains `gone`. */
    int size = prepare_hand(hand, words), width = words->letters + 1;
    if (!size) return 0;
    for (int i = 0; i <= hand->tiles; i++)
        hand->most[i] = hand->most_blank[i] = FAR_DOWN;
    for (int used = 0; used < size; used++) {
        int kept[RACK], many = 0, rest = used;
        for (int i = 0; i < hand->kind_count; i++) {
            int letter = hand->kinds[i];
            int held = letter < words->letters ? hand->count[letter] : hand->blanks;
            int left = held - rest % (held + 1);
            rest /= held + 1;
            while (left--) kept[many++] = letter;
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
        hand->worth[used] = worth;
        int laid = hand->tiles - many;
        if (worth > hand->most[laid]) hand->most[laid] = worth;
        int blanks = 0;
        for (int i = 0; i < many; i++) blanks += kept[i] == words->letters;
        if (blanks < hand->blanks && worth > hand->most_blank[laid])
            hand->most_blank[laid] = worth;
    }
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
        if (next != NONE && words->nodes[next].end) *allowed |= bit(letter);
    }
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

static double bounds(const Walk *walk, const Lane *lane, int begin, double *until)
{
    /* As words/windows.py: the best tiles on the best squares, the best words across. */
    const Hand *hand = walk->hand;
    int tiles = 0, points = 0, times = 1, gain = 0, joined = 0, at = begin;
    int best = hand->tiles ? hand->top[1] : 0;
    double ends[SIDE + 1];
    for (int i = 0; i <= SIDE; i++) ends[i] = FAR_DOWN;
    while (at < lane->length && at - begin < walk->words->longest) {
        if (lane->letters[at] >= 0) points += lane->worth[at];
        else {
            if (lane->letters[at] != EMPTY || tiles == hand->tiles) break;
            if (!(lane->allowed[at] & hand->mask)) break;
            tiles++;
            if (lane->across[at] >= 0) {
                int most = 0;
                for (int i = 0; i < hand->kind_count; i++) {
                    int letter = hand->kinds[i];
                    if (letter < walk->words->letters &&
                        lane->allowed[at] >> letter & 1 && hand->points[letter] > most)
                        most = hand->points[letter];
                }
                gain += (lane->across[at] + most * lane->by_letter[at])
                    * lane->by_word[at];
            }
            times *= lane->by_word[at];
            points += (lane->by_letter[at] - 1) * best;
            joined |= lane->anchor[at];
        }
        at++;
        if (joined && at - begin > 1 && (at == lane->length || lane->letters[at] < 0))
            ends[at] = (points + hand->top[walk->blank ? tiles - 1 : tiles]) * times
                + gain + (walk->blank ? hand->most_blank : hand->most)[tiles]
                + (tiles == hand->size ? hand->bonus : 0);
    }
    double most = FAR_DOWN;
    for (int i = SIDE; i >= 0; i--) {
        if (ends[i] > most) most = ends[i];
        until[i] = most;
    }
    return most;
}

static void tell(Walk *walk, int end, int score, int tiles, double worth)
{
    Lane *lane = walk->lane;
    KernelPlay *play = walk->out;
    if (walk->all) {
        if (walk->found < walk->room) play = &walk->out[walk->found];
        else play = NULL;
        walk->found++;
    } else {
        walk->best = worth;
        walk->found = 1;
    }
    if (!play) return;
    play->score = score; play->worth = worth; play->down = lane->down;
    play->square = lane->base + walk->begin * lane->step;
    play->length = end - walk->begin; play->tiles = tiles;
    play->blanks = walk->blank_at;
    memcpy(play->word, walk->word, play->length);
}

static void step(Walk *walk, int at, uint32_t node, int sum, int times, int more,
                 int tiles, int joined, int used)
{
    Lane *lane = walk->lane;
    const Hand *hand = walk->hand;
    if (walk->until[at] <= walk->best) return;
    const Node *here = &walk->words->nodes[node];
    if (at < lane->length && lane->letters[at] >= 0) {
        int letter = lane->letters[at];
        uint32_t next = child(walk->words, node, letter);
        if (next == NONE) return;
        walk->word[at - walk->begin] = (uint8_t)letter;
        step(walk, at + 1, next, sum + lane->worth[at], times, more, tiles, joined,
             used);
        return;
    }
    if (joined && here->end && at - walk->begin > 1 &&
        !(walk->blank && !walk->blank_at)) {
        int lone = 0;
        if (tiles == 1 && lane->down)  /* found across, if it makes a word there */
            for (int i = walk->begin; i < at; i++)
                lone |= lane->letters[i] == EMPTY && lane->across[i] >= 0;
        int score = sum * times + more + (tiles == hand->size ? hand->bonus : 0);
        double worth = score + hand->worth[used];
        if (!lone && (walk->all || worth > walk->best))
            tell(walk, at, score, tiles, worth);
    }
    if (at == lane->length || lane->letters[at] != EMPTY || tiles == hand->tiles)
        return;
    Mask fits = lane->allowed[at];
    if (!walk->blanks) fits &= hand->mask;
    if (!(fits & here->kids)) return;
    uint32_t next = here->first;  /* children lie side by side: counted, not looked up */
    for (Mask kids = here->kids; kids; kids &= kids - 1, next++) {
        int letter = lowest(kids);
        if (!(fits >> letter & 1)) continue;
        walk->word[at - walk->begin] = (uint8_t)letter;
        for (int blank = 0; blank < 2; blank++) {
            int *left = blank ? &walk->blanks : &walk->count[letter];
            if (!*left) continue;
            int points = blank ? 0 : hand->points[letter] * lane->by_letter[at];
            int extra = lane->across[at] < 0 ? 0
                : (lane->across[at] + points) * lane->by_word[at];
            --*left;
            if (blank) walk->blank_at |= (uint64_t)1 << (at - walk->begin);
            step(walk, at + 1, next, sum + points, times * lane->by_word[at],
                 more + extra, tiles + 1, joined | lane->anchor[at],
                 used + hand->stride[blank ? walk->words->letters : letter]);
            if (blank) walk->blank_at &= ~((uint64_t)1 << (at - walk->begin));
            ++*left;
        }
    }
}

static int by_bound(const void *one, const void *other)
{
    const Begin *a = one, *b = other;
    if (a->bound != b->bound) return a->bound > b->bound ? -1 : 1;
    return a->lane != b->lane ? a->lane - b->lane : a->begin - b->begin;
}

static void search_lanes(Walk *walk, Lane *lanes, int count)
{
    Begin begins[2 * CELLS];
    int many = 0;
    for (int at = 0; at < count; at++)
        for (int begin = 0; begin <= lanes[at].last; begin++) {
            if (begin && lanes[at].letters[begin - 1] >= 0) continue;
            double bound = bounds(walk, &lanes[at], begin, walk->until);
            if (bound <= FAR_DOWN || (!walk->all && bound <= walk->best)) continue;
            begins[many].bound = bound; begins[many].lane = at;
            begins[many++].begin = begin;
        }
    if (!walk->all) qsort(begins, many, sizeof *begins, by_bound);
    for (int i = 0; i < many; i++) {
        if (!walk->all && begins[i].bound <= walk->best) break;
        walk->lane = &lanes[begins[i].lane];
        walk->begin = begins[i].begin;
        bounds(walk, walk->lane, walk->begin, walk->until);
        step(walk, walk->begin, 0, 0, 1, 0, 0, 0, 0);
    }
}

static int32_t search(const KernelBoard *board, const Words *words, Hand *hand,
                      Lane *lanes, KernelPlay *out, int32_t room, int all)
{
    int count = fill_lanes(board, words, lanes), blanks = hand->blanks;
    Walk walk;
    walk.words = words; walk.hand = hand; walk.best = FAR_DOWN; walk.out = out;
    walk.room = room; walk.found = 0; walk.all = all; walk.blank_at = 0;
    walk.blank = 0;
    memcpy(walk.count, hand->count, sizeof walk.count);
    if (blanks && !all) {
        /* What keeps its blanks is usually best: found first, it rules most out. */
        Mask mask = hand->mask;
        hand->mask = 0;
        for (int i = 0; i < words->letters; i++)
            if (hand->count[i]) hand->mask |= bit(i);
        walk.blanks = 0;
        search_lanes(&walk, lanes, count);
        hand->mask = mask;
        walk.blank = 1;
    }
    walk.blanks = blanks;
    search_lanes(&walk, lanes, count);
    return walk.found;
}

static void take_hand(Hand *hand, const KernelHand *given, const Words *words)
{
    for (int i = 0; i < words->letters; i++) {
        hand->count[i] = given->count[i];
        hand->points[i] = given->points[i];
    }
    hand->blanks = given->blanks; hand->size = given->size; hand->bonus = given->bonus;
}

int32_t kernel_search(const Words *words, const KernelBoard *board,
                      const KernelHand *given, const double *single,
                      const double *pairs, double gone, KernelPlay *out, int32_t room,
                      int all)
{
    Hand *hand = calloc(1, sizeof *hand);
    Lane *lanes = malloc(2 * SIDE * sizeof *lanes);
    int32_t found = -1;
    if (hand && lanes) {
        take_hand(hand, given, words);
        if (value_hand(hand, words, single, pairs, gone))
            found = search(board, words, hand, lanes, out, room, all);
    }
    free(hand); free(lanes);
    return found;
}

/* ---- rollouts: netplay/players/networdz/rollouts.py, ending.py ---- */

typedef struct {
    const Words *words; const double *single, *pairs;
    KernelBoard board; int8_t letters[CELLS]; int16_t worth[CELLS];
    Hand hand; Lane lanes[2 * SIDE];
    KernelHand racks[2];
} Table_;

static int held(const KernelHand *rack, int letters)
{
    int count = rack->blanks;
    for (int i = 0; i < letters; i++) count += rack->count[i];
    return count;
}

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
    take_hand(&table->hand, rack, table->words);
    *worth = FAR_DOWN;
    if (!value_hand(&table->hand, table->words, with_table ? table->single : NULL,
                    table->pairs, gone)) return -1;
    int found = search(&table->board, table->words, &table->hand, table->lanes, play, 1,
                       0);
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
        if (found < 0) return FAR_DOWN;
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

int kernel_rollouts(const Words *words, const KernelBoard *boards, int count,
                    const KernelHand *kept, const int32_t *scores,
                    const uint8_t *const *gone, const int32_t *gone_counts,
                    const uint8_t *order, int tiles, int others, int size, int bonus,
                    const uint8_t *points, const double *single, const double *pairs,
                    int near, int longest, double *values)
{
    Table_ *table = calloc(1, sizeof *table);
    if (!table) return 0;
    int good = 1, letters = words->letters;
    table->words = words; table->single = single; table->pairs = pairs;
    KernelHand fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.size = size; fresh.bonus = bonus;
    for (int i = 0; i < letters; i++) fresh.points[i] = points[i];
    for (int i = 0; i < others; i++) {
        if (order[i] == letters) fresh.blanks++;
        else fresh.count[order[i]]++;
    }
    uint8_t bag[1024];
    for (int at = 0; at < count && good; at++) {
        int left = tiles - others, cells = boards[at].width * boards[at].height;
        memcpy(bag, order + others, left);
        memcpy(table->letters, boards[at].letters, cells);
        memcpy(table->worth, boards[at].worth, cells * sizeof *table->worth);
        table->board = boards[at];
        table->board.letters = table->letters; table->board.worth = table->worth;
        table->racks[0] = fresh; table->racks[1] = kept[at];
        int taken = fill_up(&table->racks[1], bag, left, letters);
        left -= taken;
        if (near) {
            memcpy(bag + taken + left, gone[at], gone_counts[at]);
            values[at] = to_the_end(table, scores[at], bag + taken,
                                    left + gone_counts[at], longest);
            good = values[at] > FAR_DOWN / 2;
            continue;
        }
        KernelPlay play;
        double theirs, ours;
        int found = best(table, &table->racks[0], 1, 0, &play, &theirs);
        if (found > 0) lay(table, &play, &table->racks[0]);
        good = found >= 0 && best(table, &table->racks[1], 1, 0, &play, &ours) >= 0;
        values[at] = scores[at] - theirs + ours;
    }
    free(table);
    return good;
}

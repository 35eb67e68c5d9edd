typedef struct Words Words;

typedef struct {
    int32_t width, height, start;
    const int8_t *letters;    /* -1 empty, -2 blocked */
    const int16_t *worth;
    const uint8_t *by_letter, *by_word;
} KernelBoard;

typedef struct {
    uint8_t count[64], points[64];
    int32_t blanks, size, bonus;
} KernelHand;

typedef struct {
    double worth;             /* the score, and what is left */
    uint64_t blanks;          /* places in the word, as bits */
    int32_t score, square, length, down, tiles;
    uint8_t word[40];
} KernelPlay;

Words *kernel_words(const uint8_t *text, const uint32_t *starts, uint32_t count,
                    int letters, int longest);
void kernel_free(Words *words);
int32_t kernel_search(const Words *words, const KernelBoard *board,
                      const KernelHand *given, const double *single,
                      const double *pairs, double gone, KernelPlay *out, int32_t room,
                      int all);
int kernel_rollouts(const Words *words, const KernelBoard *boards, int count,
                    const KernelHand *kept, const int32_t *scores,
                    const uint8_t *const *gone, const int32_t *gone_counts,
                    const uint8_t *order, int tiles, int others, int size, int bonus,
                    const uint8_t *points, const double *single, const double *pairs,
                    int near, int longest, double *values);

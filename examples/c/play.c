/*
 * Let bots play whole hands, and print what each seat scored.
 *
 *     rookery library here --rules kd_tournament
 *     cc -Ihere examples/c/play.c -Lhere -lrookery -Wl,-rpath,here -o play
 *     ./play here/kd_tournament.table 1000 papa hog papa hog
 *
 * One line for each stream of hands: its number, the deals that nobody wanted, and each seat's
 * scores. Python gives the same: rookery.lab.run.streams.play_plain.
 */
#include "rookery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; int64_t number; } bots[] = {
    {"karapet", ROOKERY_BOT_KARAPET}, {"papa", ROOKERY_BOT_PAPA}, {"hog", ROOKERY_BOT_HOG},
    {"rabbit", ROOKERY_BOT_RABBIT},   {"random", ROOKERY_BOT_RANDOM}, {"club", ROOKERY_BOT_CLUB},
};

static int refuse(const char *what, const char *which) {
    fprintf(stderr, "play: %s%s\n", what, which);
    return 2;
}

static int64_t bot_called(const char *name) {
    for (size_t i = 0; i < sizeof bots / sizeof *bots; i++)
        if (strcmp(name, bots[i].name) == 0) return bots[i].number;
    return -1;
}

/* Read a rule table; it has to be as long as this program expects. */
static int read_table(FILE *file, rookery_rule_table *table) {
    int whole = fread(table, sizeof *table, 1, file) == 1 && fgetc(file) == EOF;
    fclose(file);
    return whole;
}

int main(int count, char **words) {
    static rookery_rule_table table;
    if (count < 4) return refuse("expected TABLE HANDS BOT...", "");
    if (rookery_api_version() / 1000000 != ROOKERY_API_MAJOR)
        return refuse("the library is of another version", "");
    FILE *file = fopen(words[1], "rb");
    if (file == NULL) return refuse("cannot be opened: ", words[1]);
    if (!read_table(file, &table))
        return refuse("no rule table of this version: ", words[1]);
    int64_t hands = strtoll(words[2], NULL, 10);
    if (hands < 1) return refuse("expected a number of hands, got ", words[2]);

    int64_t kinds[ROOKERY_PLACES] = {0};
    for (int64_t seat = 0; seat < table.seats; seat++) {
        const char *name = words[3 + seat % (count - 3)]; /* bots sit down in turn */
        if ((kinds[seat] = bot_called(name)) < 0) return refuse("no such bot: ", name);
    }

    rookery_state state = {0};
    rookery_hidden hidden = {0};
    rookery_seat_info seats[ROOKERY_PLACES] = {{0}};
    int64_t order[ROOKERY_CARDS];
    for (int64_t stream = 0; stream < 4; stream++) {
        int64_t total[ROOKERY_PLACES] = {0};
        int64_t cancelled = rookery_play_stream(
            &table, &state, &hidden, seats, table.seats, kinds, table.seats, order, ROOKERY_CARDS,
            1906, stream, hands, total, table.seats);
        printf("%lld %lld", (long long)stream, (long long)cancelled);
        for (int64_t seat = 0; seat < table.seats; seat++)
            printf(" %lld", (long long)total[seat]);
        printf("\n");
    }
    return 0;
}

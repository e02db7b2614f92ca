/*
 * Play by what rookery.h says and no more: every record begins as zeros.
 *
 *     zeros TABLE hand KIND    one hand with bots of a kind: what each seat scored
 *     zeros TABLE search ROOM  searches in the play, with a list of ROOM ways and a guard behind it
 */
#include "rookery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD (1 << 17)
#define UNTOUCHED (-7.25)

static rookery_rule_table table;
static rookery_state state, begun, trial;
static rookery_hidden hidden, world, closed;
static rookery_seat_info seats[ROOKERY_PLACES], scratch[ROOKERY_PLACES];
static rookery_constraints known;
static rookery_search search;
static double ways[GUARD];

static int64_t decided(int64_t seat, int64_t kind) {
    if (state.phase == ROOKERY_PHASE_PLAY) {
        rookery_observe_trick(&table, &state, &hidden, &seats[seat]);
        return rookery_decide_card(&table, &state, &seats[seat], kind);
    }
    rookery_observe(&table, &state, &hidden, &seats[seat]);
    return rookery_decide(&table, &state, &seats[seat], kind);
}

static void deal(void) {
    int64_t order[ROOKERY_CARDS];
    rookery_shuffle(&table, &hidden, order, ROOKERY_CARDS);
    rookery_deal(&table, &state, &hidden, order, ROOKERY_CARDS, 0);
    for (int64_t seat = 0; seat < table.seats; seat++) rookery_clear_notes(&seats[seat]);
}

static int play(int64_t kind) {
    do {
        deal();
        for (int64_t seat; (seat = rookery_actor(&state)) >= 0;)
            rookery_apply(&table, &state, &hidden, decided(seat, kind));
    } while (state.phase != ROOKERY_PHASE_DONE);
    for (int64_t seat = 0; seat < table.seats; seat++)
        printf("%lld\n", (long long)state.score[seat]);
    return 0;
}

static int search_all(int64_t room) {
    hidden.rng = rookery_seeded(1, 0);
    for (int64_t seat = 0; seat < table.seats; seat++)
        seats[seat].rng = rookery_seeded(1, 1 + seat);
    for (int64_t i = 0; i < GUARD; i++) ways[i] = UNTOUCHED;
    deal();
    int searches = 0;
    for (int64_t seat; (seat = rookery_actor(&state)) >= 0;) {
        int64_t action = decided(seat, ROOKERY_BOT_PAPA);
        if (state.tricks + state.trick_size == 0) begun = state; /* no card has been led */
        memset(&search, 0, sizeof search);
        search.use_calls = 1;
        search.bid_noise = 25;
        search.defence = 4;
        search.odd_card = 1024;
        rookery_seat_info mine = seats[seat]; /* so that the bot plays on as if alone */
        rookery_begin_search(&table, &state, &mine, &known, &world, &search, ways, room);
        rookery_run_rollouts(
            &table, &state, &mine, &known, &world, &trial, &closed, scratch, table.seats, &search,
            ways, room, &begun, 3);
        rookery_rank(&search);
        searches++;
        rookery_apply(&table, &state, &hidden, action);
    }
    for (int64_t i = room; i < GUARD; i++)
        if (ways[i] != UNTOUCHED) {
            printf("written behind %lld: %lld\n", (long long)room, (long long)i);
            return 1;
        }
    printf("%d\n", searches);
    return 0;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    FILE *file = fopen(words[1], "rb");
    if (file == NULL || fread(&table, sizeof table, 1, file) != 1) return 2;
    fclose(file);
    int64_t number = strtoll(words[3], NULL, 10);
    return strcmp(words[2], "hand") == 0 ? play(number) : search_all(number);
}

#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/stop.h"

/* Members parse deep trees with explicit stacks; 8 MiB leaves room for the libraries' own depth. */
enum { STACK_BYTES = 8 * 1024 * 1024, MEMBERS_MAX = 1024 };

struct member {
    pthread_t thread;
    team_work *work;
    void *shared;
    size_t index;
};

static void *
member_main(void *argument)
{
    struct member *member = argument;
    member->work(member->shared, member->index);
    return NULL;
}

void
team_run(size_t n_members, team_work *work, void *shared)
{
    if (n_members > MEMBERS_MAX)
        n_members = MEMBERS_MAX;
    struct member *members = n_members > 1 ? calloc(n_members, sizeof(*members)) : NULL;
    size_t n_started = 0;
    if (members) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
        for (size_t i = 1; i < n_members; i++) {
            struct member *member = &members[n_started];
            *member = (struct member){.work = work, .shared = shared, .index = n_started + 1};
            if (pthread_create(&member->thread, &attributes, member_main, member) != 0)
                break;
            n_started++;
        }
        pthread_attr_destroy(&attributes);
    }
    work(shared, 0);
    for (size_t i = 0; i < n_started; i++)
        pthread_join(members[i].thread, NULL);
    free(members);
}

struct for_each {
    atomic_size_t next;
    size_t n_items;
    team_work *do_item;
    void *shared;
};

static void
for_each_member(void *shared, size_t index)
{
    (void)index;
    struct for_each *loop = shared;
    while (!stop_requested()) {
        size_t item = atomic_fetch_add(&loop->next, 1);
        if (item >= loop->n_items)
            return;
        loop->do_item(loop->shared, item);
    }
}

void
team_for_each(size_t n_members, size_t n_items, team_work *do_item, void *shared)
{
    struct for_each loop = {.n_items = n_items, .do_item = do_item, .shared = shared};
    team_run(n_members < n_items ? n_members : n_items ? n_items : 1, for_each_member, &loop);
}

size_t
team_default_size(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n < 1 ? 1 : (size_t)n;
}

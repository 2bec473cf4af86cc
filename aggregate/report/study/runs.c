/*
 * Agent runs: trajectories of one setup, and the best run of each model.
 *
 * The trajectories of agents are sorted by setup, then problem; every stretch of equal setups is a
 * run.
 */
#include <stdlib.h>

#include "aggregate/stats/compensated.h"
#include "aggregate/report/study/study.h"

static int
by_run(const void *left, const void *right)
{
    const struct trajectory *a = *(const struct trajectory *const *)left;
    const struct trajectory *b = *(const struct trajectory *const *)right;
    int order = run_setup_compare(&a->setup, &b->setup);
    return order != 0 ? order : bytes_compare(a->problem, b->problem);
}

/* Add to RUN what TRAJECTORY, one of its problems, has solved.  Costs are added to COST. */
static void
add_problem(struct agent_run *run, const struct trajectory *trajectory, struct compensated *cost,
            bool *has_cost)
{
    size_t n_records = 0, n_strict = 0;
    bool knows_last = false, has_last = false, is_partial = false;
    for (size_t i = 0; i < trajectory->n_points; i++) {
        const struct record *record = trajectory->points[i].record;
        if (!record)
            continue;
        n_records++;
        n_strict += record_is_solved(record, FIELD_STRICT_PASS_RATE);
        run->isolated += record_is_solved(record, FIELD_ISOLATED_PASS_RATE);
        run->core += record_is_solved(record, FIELD_CORE_PASS_RATE);
        is_partial = is_partial || record_value(record, FIELD_STRICT_PASS_RATE) == 1.0;
        knows_last = knows_last || record_has(record, FIELD_IS_LAST);
        has_last = has_last || record_value(record, FIELD_IS_LAST) == 1;
        if (record_has(record, FIELD_COST)) {
            compensated_add(cost, record_value(record, FIELD_COST));
            *has_cost = true;
        }
    }
    run->n_records += n_records;
    run->n_problems += n_records > 0;
    run->n_expected += trajectory->n_configured;
    run->strict += n_strict;
    run->partial += is_partial;
    run->solved += n_records > 0 && n_strict == n_records && (has_last || !knows_last);
}

static void
fill_run(struct agent_run *run, struct trajectory **trajectories, size_t n_trajectories)
{
    struct compensated cost = {0};
    bool has_cost = false;
    *run = (struct agent_run){.trajectories = trajectories,
                              .n_trajectories = n_trajectories,
                              .setup = trajectories[0]->setup,
                              .is_after_step = trajectories[0]->is_after_step};
    for (size_t i = 0; i < n_trajectories; i++)
        add_problem(run, trajectories[i], &cost, &has_cost);
    run->cost = has_cost ? compensated_value(&cost) : NAN;
}

bool
agent_run_is_better(const struct agent_run *a, const struct agent_run *b)
{
    if (a->isolated != b->isolated)
        return a->isolated > b->isolated;
    if (a->core != b->core)
        return a->core > b->core;
    if (a->strict != b->strict)
        return a->strict > b->strict;
    return a->cost / (double)a->n_records < b->cost / (double)b->n_records;
}

/* Set is_best of the best run of each model; RUNS are sorted by model. */
static void
choose_best(struct study *study, const struct study_options *options)
{
    struct agent_run *best = NULL;
    for (size_t i = 0; i <= study->n_runs; i++) {
        struct agent_run *run = i < study->n_runs ? &study->runs[i] : NULL;
        if (best && (!run || !bytes_equal(best->setup.model, run->setup.model))) {
            best->is_best = true;
            best = NULL;
        }
        if (!run)
            break;
        if (options->all_runs)
            run->is_best = true;
        else if (!run->is_after_step &&
                 (options->baseline_prompt.len == 0 || run->setup.prompt.len == 0 ||
                  bytes_equal(run->setup.prompt, options->baseline_prompt)) &&
                 (!best || agent_run_is_better(run, best)))
            best = run;
    }
}

int
study_find_runs(struct study *study, const struct study_options *options, struct err *err)
{
    struct trajectory **agents =
        ARENA_ARRAY(&study->arena, study->n_trajectories, struct trajectory *);
    study->runs = ARENA_ARRAY(&study->arena, study->n_trajectories, struct agent_run);
    if (!agents || !study->runs)
        return err_nomem(err, "agent runs");
    size_t n = 0;
    for (size_t i = 0; i < study->n_trajectories; i++)
        if (study->trajectories[i].is_agent)
            agents[n++] = &study->trajectories[i];
    if (n > 1)
        qsort(agents, n, sizeof(struct trajectory *), by_run);
    for (size_t from = 0; from < n;) {
        size_t to = from + 1;
        while (to < n && run_setup_compare(&agents[from]->setup, &agents[to]->setup) == 0)
            to++;
        fill_run(&study->runs[study->n_runs++], agents + from, to - from);
        from = to;
    }
    choose_best(study, options);
    for (size_t i = 0; i < study->n_runs; i++)
        for (size_t k = 0; k < study->runs[i].n_trajectories; k++)
            study->runs[i].trajectories[k]->is_compared = study->runs[i].is_best;
    return 0;
}

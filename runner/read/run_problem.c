/*
 * One problem of a run: its configured checkpoints, and those that have a folder.
 *
 * The folder of a checkpoint is recognised by the files that only checkpoints have; its name may be
 * any.  A problem that cannot be read gets a note and stays, since records may name it.
 */
#include "base/num.h"
#include "runner/read/run_private.h"

static bool
has_folder(const struct source_entry *entries, size_t n, const char *name)
{
    const struct source_entry *entry = source_find(entries, n, name);
    return entry && source_is_folder(entry);
}

bool
run_has_file(const struct source_entry *entries, size_t n, const char *name)
{
    const struct source_entry *entry = source_find(entries, n, name);
    return entry && source_is_file(entry);
}

bool
run_is_checkpoint(const struct source_entry *entries, size_t n)
{
    return has_folder(entries, n, "snapshot") || run_has_file(entries, n, "checkpoint.yaml") ||
           run_has_file(entries, n, "inference_result.json") ||
           run_has_file(entries, n, "evaluation.json");
}

/* The number NAME ends in, or -1. */
static int64_t
number_at_end(struct bytes name)
{
    size_t from = name.len;
    uint64_t number;
    while (from > 0 && name.data[from - 1] >= '0' && name.data[from - 1] <= '9')
        from--;
    if (num_parse_u64(bytes_slice(name, from, name.len), 0, INT32_MAX, &number) < 0)
        return -1;
    return (int64_t)number;
}

struct run_checkpoint *
run_need_checkpoint(struct run_problem *problem, struct bytes name, struct arena *arena)
{
    for (uint32_t i = 0; i < problem->n_checkpoints; i++)
        if (bytes_equal(problem->checkpoints[i].name, name))
            return &problem->checkpoints[i];
    if (problem->n_checkpoints == problem->capacity) {
        uint32_t capacity = problem->capacity ? problem->capacity * 2 : 8;
        struct run_checkpoint *grown = ARENA_ARRAY(arena, capacity, struct run_checkpoint);
        if (!grown)
            return NULL;
        if (problem->n_checkpoints)
            memcpy(grown, problem->checkpoints, problem->n_checkpoints * sizeof(*grown));
        problem->checkpoints = grown;
        problem->capacity = capacity;
    }
    struct run_checkpoint *checkpoint = &problem->checkpoints[problem->n_checkpoints++];
    *checkpoint = (struct run_checkpoint){
        .name = name, .idx = number_at_end(name), .state = BYTES("unknown")};
    return checkpoint;
}

static void
mark_ends(struct run_problem *problem)
{
    struct run_checkpoint *first = problem->checkpoints, *last = problem->checkpoints;
    for (uint32_t i = 1; i < problem->n_checkpoints; i++) {
        struct run_checkpoint *checkpoint = &problem->checkpoints[i];
        if (checkpoint->idx < first->idx)
            first = checkpoint;
        if (checkpoint->idx >= last->idx)
            last = checkpoint;
    }
    if (first) {
        first->is_first = true;
        last->is_last = true;
    }
}

/* Add the configured checkpoints of problem.yaml. */
static int
read_problem_yaml(const struct run_folder *folder, struct run_problem *problem, struct err *err)
{
    const struct yaml_value *yaml;
    if (run_read_yaml(folder, "problem.yaml", &yaml, err) < 0)
        return -1;
    struct bytes name = run_yaml_text(yaml, "name");
    if (name.len)
        problem->name = name;
    if (num_parse_i64(run_yaml_text(yaml, "version"), 0, INT32_MAX, &problem->version) < 0)
        problem->version = -1;
    const struct yaml_value *checkpoints = run_yaml_mapping(yaml, "checkpoints");
    for (uint32_t i = 0; checkpoints && i < checkpoints->n_items; i++) {
        const struct yaml_item *item = &checkpoints->items[i];
        struct run_checkpoint *checkpoint = run_need_checkpoint(problem, item->key, folder->arena);
        if (!checkpoint)
            return err_nomem(err, "checkpoints");
        checkpoint->is_configured = true;
        checkpoint->idx = i + 1;
        (void)num_parse_i64(run_yaml_text(item->value, "order"), 0, INT32_MAX, &checkpoint->idx);
        problem->n_configured++;
    }
    mark_ends(problem);
    return 0;
}

static int
read_run_info(const struct run_folder *folder, struct run *run, struct run_problem *problem,
              struct err *err)
{
    const struct yaml_value *info;
    if (run_read_yaml(folder, "run_info.yaml", &info, err) < 0)
        return -1;
    const struct yaml_value *summary = run_yaml_mapping(info, "summary");
    const struct yaml_value *states = run_yaml_mapping(summary, "checkpoints");
    problem->state = run_yaml_text(summary, "state");
    problem->started = run_yaml_text(summary, "started");
    for (uint32_t i = 0; i < problem->n_checkpoints; i++) {
        struct run_checkpoint *checkpoint = &problem->checkpoints[i];
        for (uint32_t k = 0; states && k < states->n_items; k++)
            if (bytes_equal(states->items[k].key, checkpoint->name) &&
                states->items[k].value->text.len)
                checkpoint->state = states->items[k].value->text;
    }
    /* The same facts of the agent, in case config.yaml is missing. */
    if (!run->model.len)
        run->model = run_yaml_text(info, "model_name");
    if (!run->agent_type.len)
        run->agent_type = run_yaml_text(info, "agent_type");
    if (!run->agent_version.len)
        run->agent_version = run_yaml_text(info, "agent_version");
    return 0;
}

/* Mark the checkpoints that have a folder.  How many there are, or -1. */
static int
find_checkpoint_folders(const struct run_folder *folder, struct run_problem *problem,
                        struct err *err)
{
    int n_found = 0;
    for (size_t i = 0; i < folder->n_entries; i++) {
        struct bytes name = folder->entries[i].name;
        struct source_entry *entries;
        size_t n;
        if (!source_is_folder(&folder->entries[i]))
            continue;
        struct bytes path = run_path(folder->arena, folder->path, name);
        if (!path.data)
            return err_nomem(err, "path");
        if (source_list(folder->source, path, folder->arena, &entries, &n, err) < 0)
            return -1;
        if (!run_is_checkpoint(entries, n))
            continue;
        struct run_checkpoint *checkpoint = run_need_checkpoint(problem, name, folder->arena);
        if (!checkpoint)
            return err_nomem(err, "checkpoints");
        checkpoint->has_folder = true;
        checkpoint->has_after_step = has_folder(entries, n, "after_skill");
        n_found++;
    }
    return n_found;
}

int
run_read_problem(struct source *source, struct bytes name, struct arena *arena, struct run *run,
                 struct err *err)
{
    struct bytes path = run_path(arena, run->place, name);
    if (!path.data)
        return err_nomem(err, "path");
    struct run_problem *problem = run_add_problem(run, name, arena);
    if (!problem)
        return err_nomem(err, "problems");
    struct run_folder folder = {.source = source, .arena = arena, .notes = &problem->notes};
    problem->has_folder = true;
    int n_found = -1;
    if (run_folder_open(&folder, path, err) == 0 && read_problem_yaml(&folder, problem, err) == 0)
        n_found = find_checkpoint_folders(&folder, problem, err);
    if (n_found < 0 || read_run_info(&folder, run, problem, err) < 0) {
        struct err why = *err;
        return notes_add_failure(&problem->notes, BYTES(""), &why, err);
    }
    if (n_found == 0 && problem->n_configured == 0)
        run->n_problems--; /* not the folder of a problem */
    return 0;
}

/*
 * One run: its config.yaml, its problems, its records, and what its folder's name says.
 *
 * Problems come from folders and from records, whichever there are; checkpoints from problem.yaml,
 * from folders and from records.  Those with neither a folder nor a record are dropped at the end,
 * since the run never reached them.
 */
#include "runner/read/run.h"

#include <stdlib.h>

#include "runner/read/run_private.h"
#include "runner/read/run_text.h"

struct bytes
run_path(struct arena *arena, struct bytes folder, struct bytes name)
{
    const char *slash = folder.len && name.len ? "/" : "";
    char *path = arena_format(arena, "%.*s%s%.*s", BYTES_ARG(folder), slash, BYTES_ARG(name));
    return path ? bytes_of_text(path) : (struct bytes){NULL, 0};
}

/* ---- The run's folder ---------------------------------------------------------------------- */

static bool
cut_prefix(struct bytes *text, struct bytes prefix)
{
    if (!prefix.len || !bytes_starts_with(*text, prefix))
        return false;
    *text = bytes_slice(*text, prefix.len, text->len);
    return true;
}

static bool
cut_suffix(struct bytes *text, struct bytes suffix)
{
    if (!suffix.len || text->len <= suffix.len || !bytes_ends_with(*text, suffix))
        return false;
    *text = bytes_slice(*text, 0, text->len - suffix.len);
    return true;
}

/* Is TEXT "YYYYmmddTHHMM"? */
static bool
is_time(struct bytes text)
{
    if (text.len != 13 || text.data[8] != 'T')
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (i != 8 && (text.data[i] < '0' || text.data[i] > '9'))
            return false;
    return true;
}

/*
 * Read the folder's name, AGENT-VERSION_VARIANT_THINKING_TIME.  Any part may be missing; what is
 * left after the parts that are known from elsewhere is the variant.
 */
static void
read_folder_name(struct run *run)
{
    struct bytes rest = run->folder;
    if (rest.len >= 13 && is_time(bytes_slice(rest, rest.len - 13, rest.len))) {
        run->started = bytes_slice(rest, rest.len - 13, rest.len);
        rest.len -= 13;
        (void)cut_suffix(&rest, BYTES("_"));
    }
    cut_prefix(&rest, BYTES("DEBUG_"));
    if (cut_prefix(&rest, run->agent_type)) {
        if (cut_prefix(&rest, BYTES("-")))
            cut_prefix(&rest, run->agent_version);
        cut_prefix(&rest, BYTES("_"));
    }
    if (cut_suffix(&rest, run->thinking))
        (void)cut_suffix(&rest, BYTES("_"));
    run->variant = rest.len ? rest : run->folder;
}

/* The last part of PATH without its ending: "just-solve" of "configs/prompts/just-solve.jinja". */
static struct bytes
stem_of(struct bytes path)
{
    for (size_t i = path.len; i > 0; i--)
        if (path.data[i - 1] == '/') {
            path = bytes_slice(path, i, path.len);
            break;
        }
    for (size_t i = path.len; i > 1; i--)
        if (path.data[i - 1] == '.')
            return bytes_slice(path, 0, i - 1);
    return path;
}

/* Read the list of texts under KEY of MAPPING; *OUT is NULL when there is not one. */
static int
read_names(const struct yaml_value *mapping, const char *key, struct arena *arena,
           struct bytes **out, size_t *n_out, struct err *err)
{
    const struct yaml_value *list = mapping ? yaml_member(mapping, key) : NULL;
    *out = NULL;
    *n_out = 0;
    if (!list || list->type != YAML_LIST)
        return 0;
    struct bytes *names = ARENA_ARRAY(arena, list->n_items, struct bytes);
    if (!names)
        return err_nomem(err, "problems of a run");
    for (uint32_t i = 0; i < list->n_items; i++)
        if (list->items[i].value->type == YAML_TEXT)
            names[(*n_out)++] = list->items[i].value->text;
    *out = names;
    return 0;
}

static int
read_config(const struct run_folder *folder, struct run *run, struct err *err)
{
    const struct yaml_value *config;
    if (run_read_yaml(folder, "config.yaml", &config, err) < 0)
        return -1;
    const struct yaml_value *model = run_yaml_mapping(config, "model");
    const struct yaml_value *agent = run_yaml_mapping(config, "agent");
    run->model = run_yaml_text(model, "name");
    run->provider = run_yaml_text(model, "provider");
    run->agent_type = run_yaml_text(agent, "type");
    run->agent_version = run_yaml_text(agent, "version");
    run->thinking = run_yaml_text(config, "thinking");
    run->prompt = stem_of(run_yaml_text(config, "prompt_path"));
    run->output = run_yaml_text(config, "output_path");
    if (!run->output.len)
        run->output = run->folder;
    run->has_post_step = run_yaml_mapping(config, "post_checkpoint_skill") != NULL;
    return read_names(config, "problems", folder->arena, &run->configured, &run->n_configured, err);
}

/* ---- Problems ------------------------------------------------------------------------------ */

struct run_problem *
run_add_problem(struct run *run, struct bytes folder, struct arena *arena)
{
    if (run->n_problems == run->capacity) {
        uint32_t capacity = run->capacity ? run->capacity * 2 : 16;
        struct run_problem *problems = ARENA_ARRAY(arena, capacity, struct run_problem);
        if (!problems)
            return NULL;
        if (run->n_problems)
            memcpy(problems, run->problems, run->n_problems * sizeof(*problems));
        run->problems = problems;
        run->capacity = capacity;
    }
    struct run_problem *problem = &run->problems[run->n_problems++];
    *problem = (struct run_problem){
        .folder = folder, .name = folder, .version = -1, .notes = {.arena = arena}};
    return problem;
}

static int
compare_problems(const void *a, const void *b)
{
    return bytes_compare(((const struct run_problem *)a)->folder,
                         ((const struct run_problem *)b)->folder);
}

static int
compare_checkpoints(const void *a, const void *b)
{
    const struct run_checkpoint *x = a, *y = b;
    if (x->idx != y->idx)
        return (uint64_t)x->idx < (uint64_t)y->idx ? -1 : 1; /* -1, not known, comes last */
    return bytes_compare(x->name, y->name);
}

/* Drop the checkpoints without folder and record, which the run never reached, and sort the others.
 */
static int
arrange_checkpoints(struct run_problem *problem, struct err *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < problem->n_checkpoints; i++)
        if (problem->checkpoints[i].has_folder || problem->checkpoints[i].record.data)
            problem->checkpoints[n++] = problem->checkpoints[i];
    problem->n_checkpoints = n;
    if (n > 1)
        qsort(problem->checkpoints, n, sizeof(*problem->checkpoints), compare_checkpoints);
    return n ? 0 : notes_addf(&problem->notes, BYTES(""), err, "it has no checkpoint");
}

int
run_read(struct source *source, struct bytes place, struct bytes name, struct arena *arena,
         struct run *out, struct err *err)
{
    struct run *run = out;
    *run = (struct run){.place = place, .folder = name, .notes = {.arena = arena}};
    struct run_folder folder = {.source = source, .arena = arena, .notes = &run->notes};
    if (run_folder_open(&folder, place, err) < 0 || read_config(&folder, run, err) < 0)
        return -1;
    for (size_t i = 0; i < folder.n_entries; i++)
        if (source_is_folder(&folder.entries[i]) &&
            run_read_problem(source, folder.entries[i].name, arena, run, err) < 0)
            return -1;
    if (run_read_records(&folder, run, err) < 0)
        return -1;
    read_folder_name(run);
    if (run->n_problems > 1)
        qsort(run->problems, run->n_problems, sizeof(*run->problems), compare_problems);
    for (uint32_t i = 0; i < run->n_problems; i++)
        if (arrange_checkpoints(&run->problems[i], err) < 0)
            return -1;
    return 0;
}

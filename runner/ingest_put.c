/*
 * Writing what was read.
 *
 * Facts are put in the order of blob ids and trees in their own, so that the store sees the same
 * puts whichever thread read what.  A trajectory that the store has already, the same in every
 * field, is not written again.
 */
#include "runner/ingest_put.h"

#include <stdlib.h>

#include "base/json_write.h"
#include "runner/read/checkpoint_record.h"
#include "runner/same.h"

/* ---- Trees --------------------------------------------------------------------------------- */

struct fact {
    const struct ingest_blob *blob;
    const struct ingest_unit *unit;
};

static int
compare_facts(const void *a, const void *b)
{
    return oid_compare(&((const struct fact *)a)->blob->id, &((const struct fact *)b)->blob->id);
}

static int
put_facts(struct store_writer *writer, const struct ingest_context *context,
          struct ingest_unit *units, size_t n_units, struct err *err)
{
    size_t n = 0, n_facts = 0;
    for (size_t i = 0; i < n_units; i++)
        n += units[i].n_blobs;
    struct fact *facts = reallocarray(NULL, n ? n : 1, sizeof(*facts));
    if (!facts)
        return err_nomem(err, "facts");
    for (size_t i = 0; i < n_units; i++)
        for (size_t k = 0; k < units[i].n_blobs; k++)
            facts[n_facts++] = (struct fact){&units[i].blobs[k], &units[i]};
    if (n > 1)
        qsort(facts, n, sizeof(*facts), compare_facts);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        const struct ingest_blob *blob = facts[i].blob;
        size_t end = blob->at + blob->made.facts_len + blob->made.hits_len;
        struct bytes encoded = bytes_slice(buf_bytes(&facts[i].unit->encoded), blob->at, end);
        rc = encoded_blob_put(&blob->made, encoded, &blob->id, &context->facts, &context->rules,
                              writer, err);
    }
    free(facts);
    return rc;
}

/* Leave out the files whose blobs could not be read. */
static int
drop_lost_files(struct ingest_unit *unit, const struct map *claimed, struct err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < unit->n_files; i++) {
        char hex[OID_HEX_SIZE];
        const struct store_file *file = &unit->files[i];
        const uint64_t *what = map_get(claimed, oid_bytes(&file->blob));
        if (!what || *what != INGEST_BLOB_LOST)
            unit->files[n++] = *file;
        else if (notes_addf(&unit->notes, file->path, err,
                            "blob %s is missing or damaged in the repository",
                            oid_to_hex(&file->blob, hex)) < 0)
            return -1;
    }
    unit->n_files = n;
    return 0;
}

static void
count_tree(const struct ingest_unit *unit, struct runner_run *counts)
{
    counts->n_checkpoints += !unit->after_step;
    counts->n_trees += unit->has_tree;
    counts->n_empty += unit->has_tree && unit->n_files == 0;
    counts->n_files += unit->n_files;
    counts->n_analysed += unit->n_blobs;
    for (size_t i = 0; i < unit->n_blobs; i++)
        counts->n_taken_over += unit->blobs[i].made.is_taken_over;
    counts->n_bytes += unit->n_bytes;
    counts->n_made_records += unit->record.len > 0;
}

int
ingest_put_trees(struct store_writer *writer, struct ingest_context *context,
                 struct ingest_unit *units, size_t n_units, struct runner_run *counts,
                 struct err *err)
{
    if (put_facts(writer, context, units, n_units, err) < 0)
        return -1;
    for (size_t i = 0; i < n_units; i++) {
        struct ingest_unit *unit = &units[i];
        if (!unit->is_read)
            continue;
        if (drop_lost_files(unit, &context->claimed, err) < 0 ||
            store_put_listing(writer, unit->files, unit->n_files, &unit->listing, err) < 0)
            return -1;
        count_tree(unit, counts);
        ingest_unit_release_facts(unit);
    }
    return store_writer_commit(writer, err);
}

/* ---- Trajectories -------------------------------------------------------------------------- */

static void
write_text(struct json_writer *json, const char *key, struct bytes value)
{
    if (value.len)
        json_member_bytes(json, key, value);
}

/* Write the setup of the run and of the problem, with the names that records and summaries use. */
static int
write_params(const struct ingest_unit *unit, struct buf *out, struct err *err)
{
    const struct run *run = unit->run;
    const struct run_problem *problem = unit->problem;
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    write_text(&json, "model", run->model);
    write_text(&json, "provider", run->provider);
    write_text(&json, "prompt", run->prompt);
    write_text(&json, "variant", run->variant);
    write_text(&json, "run", run->started.len ? run->started : run->folder);
    write_text(&json, "run_folder", run->folder);
    write_text(&json, "agent_type", run->agent_type);
    write_text(&json, "agent_version", run->agent_version);
    write_text(&json, "thinking", run->thinking);
    json_member_bool(&json, "post_step", run->has_post_step);
    if (unit->after_step)
        json_member_text(&json, "tree", "after_skill");
    write_text(&json, "problem", problem->name);
    if (problem->version >= 0)
        json_member_i64(&json, "version", problem->version);
    if (problem->n_configured)
        json_member_u64(&json, "n_checkpoints", problem->n_configured);
    write_text(&json, "state", problem->state);
    write_text(&json, "started", problem->started);
    json_end_object(&json);
    return buf_failed(out) ? err_nomem(err, "trajectory") : 0;
}

static struct bytes
record_of(const struct ingest_unit *unit)
{
    if (unit->record.len)
        return buf_bytes(&unit->record);
    return unit->after_step ? (struct bytes){NULL, 0} : unit->checkpoint->record;
}

static int
make_checkpoint(struct ingest_unit *unit, const struct ingest_unit *before, uint32_t ordinal,
                struct store_checkpoint *out, struct err *err)
{
    struct bytes earlier = before ? record_of(before) : (struct bytes){NULL, 0};
    if (unit->record.len && earlier.len && !unit->after_step &&
        checkpoint_record_add_deltas(earlier, &unit->record, err) < 0)
        return -1;
    *out = (struct store_checkpoint){.ordinal = ordinal,
                                     .name = unit->checkpoint->name,
                                     .listing = unit->listing,
                                     .record = record_of(unit),
                                     .notes = unit->notes.items,
                                     .n_notes = unit->notes.n_items};
    out->has_time = checkpoint_record_time(out->record, &out->time_s) == 0;
    if (!out->has_time) {
        out->time_s = 0;
        out->date_problem = BYTES("its record gives no time");
    }
    return 0;
}

static int
put_if_new(struct store_writer *writer, struct store_reader *reader,
           const struct store_trajectory *trajectory, const struct store_checkpoint *checkpoints,
           size_t n, struct runner_run *counts, struct err *err)
{
    int is_same = same_trajectory(reader, trajectory, checkpoints, n, err);
    if (is_same != 0)
        return is_same < 0 ? -1 : 0;
    counts->n_new++;
    return store_put_trajectory(writer, trajectory, checkpoints, n, err);
}

static int
put_trajectory(struct store_writer *writer, struct store_reader *reader,
               const struct ingest_origin *origin, struct bytes id, struct ingest_unit *units,
               size_t n_units, struct runner_run *counts, struct err *err)
{
    struct arena *arena = &units[0].arena;
    const struct run_problem *problem = units[0].problem;
    struct buf params = {0};
    struct store_checkpoint *checkpoints = ARENA_ARRAY(arena, n_units, struct store_checkpoint);
    struct store_trajectory trajectory = {
        .id = id,
        .kind = BYTES("agent"),
        .origin = run_path(arena, origin->place, problem->folder),
        .stars = -1,
        .ref = origin->revision ? bytes_of_text(origin->revision) : (struct bytes){NULL, 0},
        .head = origin->commit,
        .status = problem->notes.n_items ? STORE_STATUS_PARTIAL : STORE_STATUS_DONE,
        .n_checkpoints = (uint32_t)n_units,
        .notes = problem->notes.items,
        .n_notes = problem->notes.n_items};
    int rc = checkpoints && trajectory.origin.data ? write_params(&units[0], &params, err)
                                                   : err_nomem(err, "trajectory");
    for (size_t i = 0; rc == 0 && i < n_units; i++) {
        rc =
            make_checkpoint(&units[i], i ? &units[i - 1] : NULL, (uint32_t)i, &checkpoints[i], err);
        if (units[i].notes.n_items)
            trajectory.status = STORE_STATUS_PARTIAL;
    }
    trajectory.params = buf_bytes(&params);
    if (rc == 0)
        rc = put_if_new(writer, reader, &trajectory, checkpoints, n_units, counts, err);
    buf_clear(&params);
    return rc;
}

int
ingest_put_trajectory(struct store_writer *writer, struct store_reader *reader,
                      const struct ingest_origin *origin, struct map *ids,
                      struct ingest_unit *units, size_t n_units, struct runner_run *counts,
                      struct err *err)
{
    struct ingest_unit *first = &units[0];
    struct bytes id = run_path(&first->arena, origin->name, first->problem->folder);
    if (id.data && first->after_step)
        id = run_path(&first->arena, id, BYTES("after_skill"));
    bool is_new = false;
    if (!id.data || !map_put(ids, id, &is_new))
        return err_nomem(err, "trajectory");
    if (!is_new)
        return notes_addf(&first->notes, id, err,
                          "another run has this name; this one is left out");
    if (id.len > STORE_ID_MAX)
        return notes_addf(&first->notes, id, err,
                          "the name is longer than %d bytes; the problem is left out",
                          STORE_ID_MAX);
    return put_trajectory(writer, reader, origin, id, units, n_units, counts, err);
}

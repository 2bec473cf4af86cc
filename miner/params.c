/*
 * The parameters of a trajectory.  Trajectories are compared by these bytes, so the order of the
 * members and the spelling of values must never change.
 */
#include "miner/params.h"

#include "base/json_write.h"

void
params_write(const struct miner_options *options, const struct source_filter *filter,
             struct buf *out)
{
    const struct sampling *sampling = &options->sampling;
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    json_key(&json, "sampling");
    json_begin_object(&json);
    json_member_text(&json, "strategy", sampling_strategy_name(sampling->strategy));
    if (sampling->strategy != SAMPLING_ALL)
        json_member_u64(&json, "commits", sampling->n_commits);
    if (sampling->strategy == SAMPLING_RANDOM)
        json_member_u64(&json, "seed", sampling->seed);
    json_member_text(&json, "history", sampling_history_name(sampling->history));
    json_member_bool(&json, "merges", sampling->merges);
    json_member_bool(&json, "mode_changes", !options->content_only);
    json_end_object(&json);
    source_filter_write(filter, "source", &json);
    json_end_object(&json);
}

/*
 * The table of a run: a row per repository, then a line for each that lacks something, then sums.
 * Names of repositories are padded to a common width and printed without control characters.
 */
#include "cli/mine_print.h"

#include "base/json_write.h"
#include "base/printable.h"

static const char *
status_name(const struct miner_result *result)
{
    bool is_unchanged = result->status == STORE_STATUS_DONE && result->was_done;
    return is_unchanged ? "unchanged" : store_status_name(result->status);
}

static size_t
name_width(const struct miner_repository *repositories, size_t n)
{
    size_t width = sizeof("repository") - 1;
    for (size_t i = 0; i < n; i++)
        if (printable_width(repositories[i].id) > width)
            width = printable_width(repositories[i].id);
    return width < 48 ? width : 48;
}

static void
append_padded(struct buf *out, struct bytes name, size_t width)
{
    size_t from = out->len;
    printable_append(out, name);
    for (size_t n = printable_width(bytes_slice(buf_bytes(out), from, out->len)); n < width; n++)
        buf_append_byte(out, ' ');
}

static void
append_row(struct buf *out, const struct miner_repository *repository, const struct miner_result *r,
           size_t width)
{
    append_padded(out, repository->id, width);
    buf_printf(out, "  %-10s %8llu %7llu %8llu %8llu %8llu %8llu %9.1f\n", status_name(r),
               (unsigned long long)r->n_commits, (unsigned long long)r->n_tested,
               (unsigned long long)r->n_checkpoints, (unsigned long long)r->n_files,
               (unsigned long long)r->n_blobs, (unsigned long long)r->n_analysed,
               (double)r->n_bytes / 1e6);
}

static void
append_notes(struct buf *out, const struct miner_repository *repository,
             const struct miner_result *r)
{
    if (r->reason[0] != '\0') {
        printable_append(out, repository->id);
        buf_printf(out, ": %s: ", status_name(r));
        printable_append(out, bytes_of_text(r->reason));
        if (r->n_notes > 1)
            buf_printf(out, " (and %llu more, see `strata store export`)",
                       (unsigned long long)(r->n_notes - 1));
        buf_append_byte(out, '\n');
    }
    if (r->n_bad_dates > 0) {
        printable_append(out, repository->id);
        buf_printf(out, ": %llu committer dates cannot be real and are not used as times\n",
                   (unsigned long long)r->n_bad_dates);
    }
    if (r->has_moved) {
        printable_append(out, repository->id);
        buf_append_text(out, ": its head has moved since it was mined; its checkpoints are kept "
                             "(--moved extend or --moved anew takes the new commits)\n");
    }
    if (r->has_grafts) {
        printable_append(out, repository->id);
        buf_append_text(out, ": replacement refs and grafts are not followed\n");
    }
}

void
mine_print_taken_over(uint64_t n_blobs, uint32_t n_rules_run, struct buf *out)
{
    if (n_blobs > 0)
        buf_printf(out, "the hits of unchanged rules were kept for %llu blobs; %u %s run\n",
                   (unsigned long long)n_blobs, n_rules_run,
                   n_rules_run == 1 ? "rule was" : "rules were");
}

void
mine_print_table(const struct miner_repository *repositories, const struct miner_result *results,
                 size_t n, struct buf *out)
{
    size_t width = name_width(repositories, n);
    size_t n_status[STORE_STATUS_SKIPPED + 1] = {0};
    struct miner_result sum = {0};
    buf_printf(out, "%-*s  %-10s %8s %7s %8s %8s %8s %8s %9s\n", (int)width, "repository", "status",
               "commits", "tested", "sampled", "files", "blobs", "new", "new MB");
    for (size_t i = 0; i < n; i++) {
        const struct miner_result *r = &results[i];
        append_row(out, &repositories[i], r, width);
        n_status[r->status]++;
        sum.n_checkpoints += r->n_checkpoints;
        sum.n_files += r->n_files;
        sum.n_analysed += r->n_analysed;
        sum.n_taken_over += r->n_taken_over;
        sum.n_fresh_rules = r->n_fresh_rules ? r->n_fresh_rules : sum.n_fresh_rules;
        sum.n_bytes += r->n_bytes;
    }
    buf_append_byte(out, '\n');
    for (size_t i = 0; i < n; i++)
        append_notes(out, &repositories[i], &results[i]);
    buf_printf(out,
               "%zu repositories: %zu done, %zu partial, %zu skipped, %zu unfinished; "
               "%llu checkpoints, %llu files; %llu blobs analysed, %.1f MB\n",
               n, n_status[STORE_STATUS_DONE], n_status[STORE_STATUS_PARTIAL],
               n_status[STORE_STATUS_SKIPPED], n_status[STORE_STATUS_UNFINISHED],
               (unsigned long long)sum.n_checkpoints, (unsigned long long)sum.n_files,
               (unsigned long long)sum.n_analysed, (double)sum.n_bytes / 1e6);
    mine_print_taken_over(sum.n_taken_over, sum.n_fresh_rules, out);
}

void
mine_print_json(const struct miner_repository *repositories, const struct miner_result *results,
                size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct miner_result *r = &results[i];
        struct json_writer json = json_writer_init(out, 0);
        json_begin_object(&json);
        json_member_bytes(&json, "repository", repositories[i].id);
        json_member_text(&json, "status", status_name(r));
        json_member_u64(&json, "commits", r->n_commits);
        json_member_u64(&json, "tested", r->n_tested);
        json_member_u64(&json, "touching", r->n_touching);
        json_member_u64(&json, "checkpoints", r->n_checkpoints);
        json_member_u64(&json, "files", r->n_files);
        json_member_u64(&json, "blobs", r->n_blobs);
        json_member_u64(&json, "analysed", r->n_analysed);
        json_member_u64(&json, "hits_taken_over", r->n_taken_over);
        json_member_u64(&json, "rules_run_on_these", r->n_taken_over ? r->n_fresh_rules : 0);
        json_member_u64(&json, "bytes", r->n_bytes);
        json_member_u64(&json, "bad_dates", r->n_bad_dates);
        json_member_bool(&json, "head_moved", r->has_moved);
        json_member_u64(&json, "notes", r->n_notes);
        json_member_text(&json, "reason", r->reason[0] ? r->reason : NULL);
        json_end_object(&json);
        buf_append_byte(out, '\n');
    }
}

void
mine_print_counts_head(struct buf *out)
{
    buf_printf(out, "%9s %9s %9s %9s %9s  repository\n", "commits", "single", "source", "mode only",
               "unknown");
}

void
mine_print_counts(struct bytes id, const struct miner_counts *counts, const char *why, bool as_json,
                  struct buf *out)
{
    if (as_json) {
        struct json_writer json = json_writer_init(out, 0);
        json_begin_object(&json);
        json_member_bytes(&json, "repository", id);
        if (!why) {
            json_member_u64(&json, "commits", counts->n_commits);
            json_member_u64(&json, "single", counts->n_single);
            json_member_u64(&json, "source", counts->n_content);
            json_member_u64(&json, "mode_only", counts->n_mode);
            json_member_u64(&json, "unknown", counts->n_unknown);
        }
        json_member_text(&json, "reason", why);
        json_end_object(&json);
        buf_append_byte(out, '\n');
        return;
    }
    if (why)
        buf_printf(out, "%9s %9s %9s %9s %9s  ", "-", "-", "-", "-", "-");
    else
        buf_printf(out, "%9llu %9llu %9llu %9llu %9llu  ", (unsigned long long)counts->n_commits,
                   (unsigned long long)counts->n_single, (unsigned long long)counts->n_content,
                   (unsigned long long)counts->n_mode, (unsigned long long)counts->n_unknown);
    printable_append(out, id);
    if (why) {
        buf_append_text(out, ": ");
        printable_append(out, bytes_of_text(why));
    }
    buf_append_byte(out, '\n');
}

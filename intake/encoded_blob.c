/*
 * Encoded blobs: from the bytes of a blob to its facts and hits in a store, in two steps.
 *
 * Any thread with a reader of its own encodes; the thread that writes puts.  In between, the
 * encodings of many blobs are in one buffer: for each blob its facts, then its hits.
 */
#include <assert.h>

#include "intake/intake.h"

int
encoded_blob_make(struct encoded_blob *made, const struct blob_encoding *with, const struct oid *id,
                  int wants, struct bytes source, struct buf *out, struct err *err)
{
    struct encode_request request = {.facts = wants & STORE_WANT_FACTS,
                                     .hits = wants & ~STORE_WANT_FACTS};
    struct encode_result result;
    arena_reset(with->scratch);
    if (wants & STORE_WANT_FRESH_HITS &&
        store_get_base_hits(with->reader, id, &with->rules->groups, with->scratch,
                            &request.base_hits, err) == STORE_FAILED)
        return -1;
    if (blob_encoder_run(with->encoder, source, &request, out, &result, err) < 0)
        return -1;
    *made = (struct encoded_blob){.has_facts = request.facts,
                                  .has_hits = request.hits,
                                  .is_taken_over = request.hits && !result.ran_all,
                                  .facts_len = result.facts_len,
                                  .hits_len = result.hits_len};
    return 0;
}

int
encoded_blob_put(const struct encoded_blob *made, struct bytes encoded, const struct oid *id,
                 const struct store_key *fingerprint, const struct run_rules *rules,
                 struct store_writer *writer, struct err *err)
{
    assert(encoded.len == made->facts_len + made->hits_len);
    struct bytes facts = bytes_slice(encoded, 0, made->facts_len);
    struct bytes hits = bytes_slice(encoded, made->facts_len, encoded.len);
    if (made->has_facts &&
        store_put_facts(writer, id, fingerprint, facts, facts_hash_bytes(facts), err) < 0)
        return -1;
    return made->has_hits ? store_put_hits(writer, id, &rules->groups.group, hits, err) : 0;
}

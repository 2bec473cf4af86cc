/* Any bytes as what the manifests room reads; the first byte says as what.  A manifest that is
 * taken is written and read back the same. */
#include <stdlib.h>

#include "fuzz.h"
#include "manifests/manifests.h"

static void
read_manifest(struct bytes text, struct arena *arena)
{
    struct manifest manifest;
    struct err err;
    if (manifest_parse(text, "m", arena, &manifest, &err) < 0)
        return;
    struct buf first = {0}, second = {0};
    manifest_write(&manifest, &first);
    if (manifest_parse(buf_bytes(&first), "m", arena, &manifest, &err) < 0)
        abort();
    manifest_write(&manifest, &second);
    if (!bytes_equal(buf_bytes(&first), buf_bytes(&second)))
        abort();
    buf_clear(&first);
    buf_clear(&second);
}

static void
draw_panel(struct bytes table, struct arena *arena)
{
    struct panel_draw draw = panel_draw_default();
    struct manifest manifest;
    struct err err;
    for (int tier = 0; tier < TIER_N; tier++)
        draw.counts[tier] = tier == TIER_HOBBY;
    panel_draw(&draw, table, "t", arena, &manifest, &err);
}

/* A glob, a line end, a path. */
static void
match_glob(struct bytes text)
{
    const uint8_t *end = text.len ? memchr(text.data, '\n', text.len) : NULL;
    size_t len = end ? (size_t)(end - text.data) : text.len;
    struct bytes glob = bytes_slice(text, 0, len);
    glob_matches(glob, bytes_slice(text, len + (end != NULL), text.len));
    glob_fault(glob);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct bytes text = {data + 1, size - 1};
    struct profile profile;
    struct arena arena;
    struct err err;
    arena_init(&arena, 0);
    switch (data[0]) {
    case 'm':
        read_manifest(text, &arena);
        break;
    case 'p':
        profile_parse(text, "p", &arena, &profile, &err);
        break;
    case 'c':
        draw_panel(text, &arena);
        break;
    default:
        match_glob(text);
    }
    arena_clear(&arena);
    return 0;
}

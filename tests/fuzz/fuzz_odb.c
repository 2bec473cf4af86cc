/* Any bytes as the description of a folder of objects, which is then read in every way.
 *
 * The description is a list of records, each a letter and what it needs: 'L' a loose object, 'F' a
 * loose object's file as it is, 'E' an entry of the pack, 'O' and 'R' a delta by distance and by
 * id, 'I' ends the pack with an index, 'M' adds a multi-pack index, 'A' alternates.  Sizes, counts
 * and distances are given as differences from the right ones, and 'X' changes a byte of the file
 * that was written last, so that small changes of the input are small changes of one field.
 *
 * What must hold beyond not crashing: the header agrees with the object, an object read twice is
 * the same, and neither the cache of bases nor the size of windows changes an outcome. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/decoder.h"
#include "fuzz.h"
#include "git/odb_box.h"

enum { N_IDS = 16, CONTENT_MAX = 512, OBJECT_BYTES_MAX = 256 * 1024, BUDGET = 4 * 1024 * 1024 };

static void
expect(bool holds)
{
    if (!holds)
        abort();
}

static struct oid
id_of(uint8_t n)
{
    return box_id((uint8_t)(n % N_IDS * 33), n % N_IDS);
}

/* The next string: a byte of its length, and its bytes. */
static struct bytes
take_text(struct decoder *in)
{
    size_t n = decoder_byte(in);
    return decoder_take(in, n < decoder_left(in) ? n : decoder_left(in));
}

/* A content: a string, repeated. */
static void
take_content(struct decoder *in, struct buf *out)
{
    struct bytes text = take_text(in);
    size_t times = 1 + decoder_byte(in) % 8;
    buf_reset(out);
    for (size_t i = 0; i < times && out->len < CONTENT_MAX; i++)
        buf_append_bytes(out, text);
}

static int8_t
take_difference(struct decoder *in)
{
    return (int8_t)decoder_byte(in);
}

/* ---- Writing ------------------------------------------------------------------------------- */

struct writer {
    struct odb_box box;
    struct buf content, file;
    char name[80];            /* of file, which was written last */
    unsigned n_places[N_IDS]; /* where each object is */
};

static void
write_file(struct writer *writer, const char *name)
{
    snprintf(writer->name, sizeof(writer->name), "%s", name);
    box_write(&writer->box, name, buf_bytes(&writer->file));
}

static void
write_loose(struct writer *writer, struct decoder *in, bool is_deflated)
{
    static const char *const kinds[] = {"blob", "tree", "commit", "tag", "blo"};
    struct oid id = id_of(decoder_byte(in));
    char hex[OID_HEX_SIZE], name[80];
    const char *kind = kinds[decoder_byte(in) % (sizeof(kinds) / sizeof(*kinds))];
    int8_t difference = take_difference(in);
    struct buf raw = {0};
    take_content(in, &writer->content);
    buf_printf(&raw, "%s %lld", kind, (long long)writer->content.len + difference);
    buf_append_byte(&raw, 0);
    buf_append_bytes(&raw, buf_bytes(&writer->content));
    buf_reset(&writer->file);
    if (is_deflated)
        box_deflate(buf_bytes(&raw), &writer->file);
    else
        buf_append_bytes(&writer->file, buf_bytes(&writer->content));
    buf_clear(&raw);
    writer->n_places[id.id[OID_SHA1_BYTES - 1]]++;
    oid_to_hex(&id, hex);
    snprintf(name, sizeof(name), "%.2s/%s", hex, hex + 2);
    write_file(writer, name);
}

/* The content of an entry, deflated and then perhaps cut. */
static void
add_stream(struct writer *writer, uint8_t n_cut)
{
    struct buf *pack = &writer->box.pack;
    size_t before = pack->len;
    box_deflate(buf_bytes(&writer->content), pack);
    size_t n = pack->len - before;
    pack->len -= n_cut < n ? n_cut : n;
}

static void
write_entry(struct writer *writer, struct decoder *in, char letter)
{
    struct odb_box *box = &writer->box;
    struct oid id = id_of(decoder_byte(in));
    uint8_t place = decoder_byte(in);
    int8_t difference = take_difference(in);
    uint8_t n_cut = decoder_byte(in);
    take_content(in, &writer->content);
    if (box->n_entries == BOX_ENTRIES_MAX)
        return;
    uint64_t size = (uint64_t)((int64_t)writer->content.len + difference);
    uint64_t at = box_entry(box, &id, letter == 'O' ? 6 : letter == 'R' ? 7 : place & 7, size);
    if (letter == 'R') {
        struct oid base = id_of(place);
        buf_append(&box->pack, base.id, base.len);
    } else if (letter == 'O') {
        uint64_t base = box->entries[place % box->n_entries].offset;
        box_distance(box, at - base);
    }
    add_stream(writer, n_cut);
    writer->n_places[id.id[OID_SHA1_BYTES - 1]]++;
}

static void
write_pack(struct writer *writer, struct decoder *in)
{
    struct odb_box *box = &writer->box;
    uint8_t version = decoder_byte(in), large_from = decoder_byte(in);
    int8_t difference = take_difference(in);
    uint32_t n = (uint32_t)((int64_t)box->n_entries + difference);
    for (size_t i = 0; i < 4; i++)
        box->pack.data[8 + i] = (uint8_t)(n >> (24 - 8 * i));
    box_pack_end(box, 1 + version % 2, large_from < 128 ? large_from : UINT64_MAX);
    buf_reset(&writer->file);
    box_make_index(box, 1 + version % 2, large_from < 128 ? large_from : UINT64_MAX, &writer->file);
    write_file(writer, "pack/pack-a.idx");
    if (version & 4) {
        buf_reset(&writer->file);
        buf_append_bytes(&writer->file, buf_bytes(&box->pack));
        write_file(writer, "pack/pack-a.pack");
    }
    box_pack_begin(box, 0);
}

/* Ids and places of the entries as they are now, in the order in which they were written. */
static void
write_multi(struct writer *writer, struct decoder *in)
{
    static const char *const chunks[] = {"PNAM", "OIDF", "OIDL", "OOFF", "LOFF", ""};
    struct odb_box *box = &writer->box;
    struct buf *out = &writer->file;
    uint8_t large_from = decoder_byte(in), pack = decoder_byte(in);
    size_t n = box->n_entries, n_large = 0;
    const size_t sizes[] = {12, 1024, n * OID_SHA1_BYTES, n * 8, n * 8, 0};
    uint64_t at = 12 + 6 * 12;
    buf_reset(out);
    buf_append(out, "MIDX\1\1\5\0\0\0\0\1", 12);
    for (size_t i = 0; i < 6; i++) {
        buf_append(out, chunks[i][0] ? chunks[i] : "\0\0\0\0", 4);
        buf_append_be64(out, at);
        at += sizes[i];
    }
    buf_append(out, "pack-a.idx\0", 12);
    qsort(box->entries, n, sizeof(box->entries[0]), box_compare_entries);
    box_append_fan(box, out);
    for (size_t i = 0; i < n; i++)
        buf_append(out, box->entries[i].id.id, OID_SHA1_BYTES);
    for (size_t i = 0; i < N_IDS; i++)
        writer->n_places[i]++;
    for (size_t i = 0; i < n; i++) {
        bool is_large = box->entries[i].offset >= large_from;
        buf_append_be32(out, pack & 3);
        buf_append_be32(out, is_large ? 0x80000000 | (uint32_t)n_large++
                                      : (uint32_t)box->entries[i].offset);
    }
    for (size_t i = 0; i < n; i++)
        buf_append_be64(out, box->entries[i].offset);
    box_append_checksum(out);
    write_file(writer, "pack/multi-pack-index");
}

static void
change_byte(struct writer *writer, struct decoder *in)
{
    size_t at = decoder_be32(in) & 0xffff;
    uint8_t byte = decoder_byte(in);
    struct buf *file = &writer->file;
    if (!writer->name[0] || file->len == 0)
        return;
    if (at & 0x8000)
        file->len = at % file->len;
    else
        file->data[at % file->len] ^= byte;
    box_write(&writer->box, writer->name, buf_bytes(file));
}

static void
write_record(struct writer *writer, struct decoder *in)
{
    char letter = (char)decoder_byte(in);
    switch (letter) {
    case 'L':
    case 'F':
        write_loose(writer, in, letter == 'L');
        break;
    case 'E':
    case 'O':
    case 'R':
        write_entry(writer, in, letter);
        break;
    case 'I':
        write_pack(writer, in);
        break;
    case 'M':
        write_multi(writer, in);
        break;
    case 'A':
        buf_reset(&writer->file);
        buf_append_bytes(&writer->file, take_text(in));
        write_file(writer, "info/alternates");
        break;
    case 'X':
        change_byte(writer, in);
        break;
    default:
        break;
    }
}

/* ---- Reading ------------------------------------------------------------------------------- */

struct seen {
    enum odb_outcome outcome;
    enum odb_kind kind;
    size_t len;
    uint64_t hash;
};

static void
look(struct odb *odb, const struct oid *id, struct seen *out)
{
    struct odb_object object;
    *out = (struct seen){.outcome = odb_read(odb, id, SIZE_MAX, &object)};
    expect(out->outcome == ODB_OK || odb_reason(odb)[0] != 0);
    out->kind = object.kind;
    out->len = object.data.len;
    if (out->outcome == ODB_OK)
        out->hash = map_hash(object.data);
    odb_object_clear(&object);
}

static bool
is_same(const struct seen *a, const struct seen *b)
{
    return a->outcome == b->outcome && a->kind == b->kind && a->len == b->len && a->hash == b->hash;
}

static void
check_object(struct odb *odb, const struct oid *id, bool is_alone, struct seen *out)
{
    struct seen again;
    enum odb_kind kind;
    uint64_t size;
    enum odb_outcome header = odb_read_header(odb, id, &kind, &size);
    look(odb, id, out);
    look(odb, id, &again);
    expect(is_same(out, &again));
    if (is_alone && out->outcome == ODB_OK && header == ODB_OK)
        expect(out->kind == kind && out->len == size);
    if (out->outcome == ODB_OK)
        expect(odb_exists(odb, id) == ODB_OK);
}

static int
count(void *context, const struct oid *id)
{
    (void)id;
    return ++*(size_t *)context == 100000;
}

/* Ask for what is not about the content of one object. */
static void
ask_about_all(struct odb *odb)
{
    size_t n = 0;
    int result;
    for (uint8_t i = 0; i < N_IDS; i++) {
        struct oid id = id_of(i), found;
        if (odb_find_prefix(odb, &id, 9, &found) == ODB_OK)
            expect(memcmp(found.id, id.id, 4) == 0);
    }
    (void)odb_each(odb, count, &n, &result);
    (void)odb_problem(odb);
}

static bool
read_all(const struct writer *writer, const struct odb_options *options, struct seen out[N_IDS])
{
    struct odb *odb;
    struct err err;
    if (odb_open(writer->box.path, options, &odb, &err) < 0)
        return false;
    for (uint8_t i = 0; i < N_IDS; i++) {
        struct oid id = id_of(i);
        check_object(odb, &id, writer->n_places[i] <= 1, &out[i]);
    }
    if (options->budget)
        ask_about_all(odb);
    odb_close(odb);
    return true;
}

static void
read_in_every_way(const struct writer *writer)
{
    struct seen small[N_IDS], large[N_IDS], bounded[N_IDS];
    struct odb_budget budget;
    odb_budget_init(&budget, BUDGET);
    struct odb_options options = {
        .object_bytes_max = OBJECT_BYTES_MAX, .cache_bytes = 1, .window_bytes = 1};
    bool is_open = read_all(writer, &options, small);
    options.cache_bytes = 1 << 20;
    options.window_bytes = 1 << 20;
    expect(read_all(writer, &options, large) == is_open);
    for (size_t i = 0; is_open && i < N_IDS; i++)
        expect(is_same(&small[i], &large[i]));
    options.verify = true; /* no id here is that of its content */
    options.budget = &budget;
    is_open = read_all(writer, &options, bounded);
    for (size_t i = 0; is_open && i < N_IDS; i++)
        expect(bounded[i].outcome != ODB_OK);
}

/* ---- One input ----------------------------------------------------------------------------- */

static void
remove_files(const struct odb_box *box)
{
    static const char *const names[] = {"pack/pack-a.pack", "pack/pack-a.idx",
                                        "pack/multi-pack-index", "info/alternates"};
    char path[256], hex[OID_HEX_SIZE];
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        snprintf(path, sizeof(path), "%s/%s", box->path, names[i]);
        unlink(path);
    }
    for (uint8_t i = 0; i < N_IDS; i++) {
        struct oid id = id_of(i);
        oid_to_hex(&id, hex);
        snprintf(path, sizeof(path), "%s/%.2s/%s", box->path, hex, hex + 2);
        unlink(path);
    }
}

/* What changed just now is listed again for each object that is not there: let it be long ago. */
static void
make_old(const struct odb_box *box)
{
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    char path[256];
    snprintf(path, sizeof(path), "%s/pack", box->path);
    (void)utimensat(AT_FDCWD, path, times, 0);
}

static char folder[64];

static void
remove_folder(void)
{
    struct odb_box box = {0};
    memcpy(box.path, folder, sizeof(folder));
    box_run("rm -rf '%s'", box.path);
}

/* In memory where that can be. */
static void
make_folder(void)
{
    bool has_memory = access("/dev/shm", W_OK) == 0;
    snprintf(folder, sizeof(folder), "%s/strata-fuzz.XXXXXX", has_memory ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder))
        box_fail("mkdtemp");
    atexit(remove_folder);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct decoder in = decoder_init((struct bytes){data, size});
    struct writer writer = {0};
    if (!folder[0])
        make_folder();
    memcpy(writer.box.path, folder, sizeof(folder));
    box_pack_begin(&writer.box, 0);
    while (decoder_left(&in) > 0)
        write_record(&writer, &in);
    make_old(&writer.box);
    read_in_every_way(&writer);
    remove_files(&writer.box);
    buf_clear(&writer.box.pack);
    buf_clear(&writer.content);
    buf_clear(&writer.file);
    return 0;
}

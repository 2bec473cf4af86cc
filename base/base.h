/*
 * base: what every folder uses.
 *
 * Errors with a sentence for people, bytes with a length, growing buffers and arrays, decoders,
 * arenas, hash maps, object ids, bounded queues, thread pools, progress, a stop flag, files, JSON
 * in and out, YAML in. Includes no other folder.  Unless a header says otherwise, a value is used
 * by one thread at a time and two values never share state.
 */
#ifndef STRATA_BASE_H
#define STRATA_BASE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/decoder.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/num.h"
#include "base/oid.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/queue.h"
#include "base/stop.h"
#include "base/thread_pool.h"
#include "base/utf8.h"
#include "base/yaml_read.h"

#endif

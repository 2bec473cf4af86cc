/*
 * base: what every room uses.
 *
 * Errors with a sentence for the person, bytes with a length, growing buffers, arenas, hash maps,
 * object ids, bounded queues, threads, progress, a stop flag, files, JSON in and out, YAML in.
 * Includes no other room.  Unless a header says otherwise a value is used by one thread at a time
 * and two values never share state.
 */
#ifndef STRATA_BASE_H
#define STRATA_BASE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/map.h"
#include "base/num.h"
#include "base/oid.h"
#include "base/progress.h"
#include "base/queue.h"
#include "base/shown.h"
#include "base/stop.h"
#include "base/team.h"
#include "base/utf8.h"
#include "base/yaml_read.h"

#endif

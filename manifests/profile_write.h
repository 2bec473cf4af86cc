/*
 * Profile JSON: a profile as the text of a file that reads as the same profile.
 */
#ifndef STRATA_MANIFESTS_PROFILE_WRITE_H
#define STRATA_MANIFESTS_PROFILE_WRITE_H

#include "base/json_write.h"
#include "manifests/manifests.h"

/* As profiles spell them. */
const char *size_term_name(enum profile_size_term size);
const char *clones_name(enum profile_clones clones);

void profile_json_write(struct json_writer *json, const struct profile *profile);

#endif

/*
 * Name: what a repository is called, "owner/name".
 *
 * Names become paths below a folder of mirrors, so none may lead out of it.  Hosts fold case, so
 * names that differ in ASCII case alone are one repository.
 */
#ifndef STRATA_MANIFESTS_NAME_H
#define STRATA_MANIFESTS_NAME_H

#include "base/bytes.h"

enum { NAME_MAX_BYTES = 200 };

/* Why NAME cannot be one ("has an empty part between slashes"), or NULL when it can. */
const char *name_fault(struct bytes name);
/* Whether URL may be an address of a repository: what git would take for an option or for a command
 * to run may not. */
bool url_is_address(struct bytes url);
/* A good NAME in lower case, in FOLDED. */
struct bytes name_fold(struct bytes name, uint8_t folded[NAME_MAX_BYTES]);

#endif

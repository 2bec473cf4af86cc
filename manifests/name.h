/*
 * Name: what a repository is called, "owner/name".
 *
 * A name becomes a path below a folder of mirrors, so it must not lead out of that folder.  Hosting
 * services ignore case, so names that differ only in ASCII case are one repository.
 */
#ifndef STRATA_MANIFESTS_NAME_H
#define STRATA_MANIFESTS_NAME_H

#include "base/bytes.h"

enum { NAME_MAX_BYTES = 200 };

/* Why NAME is not a valid name ("has an empty part between slashes"), or NULL when it is.  Static.
 */
const char *name_fault(struct bytes name);
/* May URL be the address of a repository?  Not if git would take it for an option ("-x") or for a
 * transport that runs a command ("ext::"). */
bool url_is_address(struct bytes url);
/* NAME, which is valid, in ASCII lower case, borrowed from FOLDED. */
struct bytes name_fold(struct bytes name, uint8_t folded[NAME_MAX_BYTES]);

#endif

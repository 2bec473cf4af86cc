/*
 * Rules: loading them from files, and what the `strata rules` commands share.
 */
#ifndef STRATA_CLI_RULES_H
#define STRATA_CLI_RULES_H

#include "analyzer/analyzer.h"
#include "base/base.h"
#include "cli/cli.h"

/* The option --rules of the struct REQUEST, whose MEMBER is a struct cli_list. */
#define RULES_FILES_OPTION(request, member)                                              \
    {                                                                                    \
        .name = "--rules", .value = "PATH",                                              \
        .help = "a file of rules, or a folder for its *.yml and *.yaml, instead of the " \
                "built-in rules",                                                        \
        CLI_LIST(request, member)                                                        \
    }

/* Values of --selection, in the order of rules_selection_names. */
enum rules_selection { RULES_OF_BOTH, RULES_STRICT, RULES_CALIBRATED };
extern const char *const rules_selection_names[];

/* The option --selection of the struct REQUEST, whose MEMBER is unsigned. */
#define RULES_SELECTION_OPTION(request, member)                                           \
    {                                                                                     \
        .name = "--selection", .value = "NAME",                                           \
        .help = "only rules of this selection, and those whose metadata do not name one", \
        .choices = rules_selection_names, CLI_CHOICE(request, member)                     \
    }

/* Is RULE of SELECTION (enum rules_selection)?  A rule whose metadata do not name a selection is
 * of both. */
bool cli_selects(unsigned selection, const struct rule_info *rule);

/* Which rules a command runs. */
struct rules_args {
    struct cli_list files; /* none: the built-in rules */
    bool none;             /* run no rules */
};

/* MEMBER is a struct rules_args of the struct REQUEST. */
#define RULES_ARGS_OPTIONS(request, member)                                          \
    RULES_FILES_OPTION(request, member.files),                                       \
    {                                                                                \
        .name = "--no-rules", .help = "run no rules", CLI_FLAG(request, member.none) \
    }

/* Load what ARGS name.  CLI_DONE with *OUT, which is the caller's and NULL when there are none; or
 * the status after printing what is wrong. */
int rules_args_load(const struct cli_command *command, const struct rules_args *args,
                    struct ruleset **out);

/*
 * Load the rules of NAMES (files, or folders of *.yml and *.yaml), or the built-in ones when there
 * are none.  *OUT is the caller's, to ruleset_destroy.  ERR_INPUT, ERR_IO, ERR_NOMEM.
 */
int cli_load_rules(const struct cli_list *names, struct ruleset **out, struct err *err);

/* YAML files that were read, for instance of rules or of their tests. */
struct cli_sources {
    struct rule_source *items;
    size_t n, capacity;
    struct arena arena;
};

/* Read NAMES: files, and folders for their *.yml and *.yaml.  *OUT is the caller's, to
 * cli_sources_clear.  ERR_INPUT, ERR_IO, ERR_NOMEM. */
int cli_read_yaml(const struct cli_list *names, struct cli_sources *out, struct err *err);
/* Free the texts of SOURCES. */
void cli_sources_clear(struct cli_sources *sources);

/* Set ERR to a sentence that no rule is called ID and which one may be meant.  Always -1. */
int cli_refuse_id(const struct ruleset *rules, const char *id, struct err *err);

/*
 * Do the `files` and `ignores` of rule INDEX let it apply to a file?  PATH is as the user gave it;
 * DISK is the path on disk, NULL for a file of a repository.  On disk, globs are compared with the
 * path below the folder of the rule file if the file is below that folder, otherwise with PATH.
 */
bool
cli_rule_applies(const struct ruleset *rules, uint32_t index, struct bytes path, const char *disk);
/* Remove from HITS, sorted by rule, those of rules that do not apply to the file. */
void cli_drop_outside(const struct ruleset *rules, struct bytes path, const char *disk,
                      struct hit *hits, uint32_t *n_hits);

/* One scanned file and its hits. */
struct scanned_file {
    struct bytes path;
    enum skip_reason skipped;
    struct hit *hits;
    uint32_t n_hits;
    uint32_t *gave_up;
    uint32_t n_gave_up;
};

/* Remove from FILE the hits of rules that are not of SELECTION, and these rules from gave_up. */
void
cli_drop_unselected(const struct ruleset *rules, unsigned selection, struct scanned_file *file);

enum hit_format { HITS_TEXT, HITS_JSONL, HITS_SARIF, HITS_LINES };

/* How hits are printed: all of SARIF is one document, the others go file by file. */
struct hit_printer {
    enum hit_format format;
    bool no_path; /* HITS_LINES: leave the path out */
    const struct ruleset *rules;
    struct buf *out;
    struct json_writer json; /* HITS_SARIF */
};

/* Write what goes before the first file. */
void hit_printer_begin(struct hit_printer *printer);
/* Write the hits of FILE, whose content is SOURCE; sorts them.  ERR_NOMEM. */
int hit_printer_file(struct hit_printer *printer, const struct scanned_file *file,
                     struct bytes source, struct err *err);
/* Write what goes after the last file. */
void hit_printer_end(struct hit_printer *printer);

#endif

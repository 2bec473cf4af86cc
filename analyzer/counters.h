/*
 * Counters: the constructs that are counted in each callable, one row a counter.
 *
 * This table makes enum counter, the names in profiles, JSON and exported columns, and the list in
 * docs/data-dictionary.md.  Stores keep counters by number, so rows are only ever appended.
 *
 * To add a counter:
 * 1. append its row here, with the next schema as the one that it came with;
 * 2. raise FACTS_SCHEMA to it and add a line to FACTS_SCHEMAS, here too;
 * 3. count it in analyzer/facts/callables.c;
 * 4. add it to the source of every_counter_once in tests/analyzer/facts/callables_test.c;
 * 5. add the bytes of the new schema to tests/analyzer/data/golden_test.c, and write
 *    docs/data-dictionary.md again (target data_dictionary).
 * A step that is forgotten is an error of the compiler or a failing test.
 */
#ifndef STRATA_ANALYZER_COUNTERS_H
#define STRATA_ANALYZER_COUNTERS_H

/* What facts hold and mean, and how they are encoded.  It is the first byte of encoded facts and
 * part of the fingerprint they are stored under.  Raise it with every change of either. */
#define FACTS_SCHEMA 4

/* X(schema, number of counters it knows) for each schema that is still read, oldest first.  Stores
 * hold facts of these, so a line is never changed, only removed.  A counter that a schema does not
 * know is 0 in its facts. */
#define FACTS_SCHEMAS(X) X(4, 29)

/* X(identifier, name, schema that it came with, what it counts) */
#define FACTS_COUNTERS(X)                                                   \
    X(IF, "if", 4, "if statements")                                         \
    X(ELIF, "elif", 4, "elif clauses")                                      \
    X(ELSE, "else", 4, "else clauses of if statements")                     \
    X(FOR, "for", 4, "for statements")                                      \
    X(WHILE, "while", 4, "while statements")                                \
    X(EXCEPT, "except", 4, "except clauses")                                \
    X(EXCEPT_STAR, "except*", 4, "except* clauses")                         \
    X(FINALLY, "finally", 4, "finally clauses")                             \
    X(WITH, "with", 4, "with statements")                                   \
    X(ASSERT, "assert", 4, "assert statements")                             \
    X(LIST_COMP, "list_comp", 4, "list comprehensions")                     \
    X(SET_COMP, "set_comp", 4, "set comprehensions")                        \
    X(DICT_COMP, "dict_comp", 4, "dictionary comprehensions")               \
    X(GENERATOR, "generator", 4, "generator expressions")                   \
    X(COMP_IF, "comp_if", 4, "conditions of comprehensions and generators") \
    X(CASE, "case", 4, "case clauses of match statements")                  \
    X(CASE_GUARD, "case_guard", 4, "conditions of case clauses")            \
    X(AND_OR, "and_or", 4, "and and or operators")                          \
    X(TERNARY, "ternary", 4, "conditional expressions")                     \
    X(LAMBDA, "lambda", 4, "lambda expressions")                            \
    X(LOOP_ELSE, "loop_else", 4, "else clauses of for and while")           \
    X(TRY_ELSE, "try_else", 4, "else clauses of try statements")            \
    X(RETURN, "return", 4, "return statements")                             \
    X(RAISE, "raise", 4, "raise statements")                                \
    X(YIELD, "yield", 4, "yield expressions")                               \
    X(AWAIT, "await", 4, "await expressions")                               \
    X(BREAK, "break", 4, "break statements")                                \
    X(CONTINUE, "continue", 4, "continue statements")                       \
    X(CALL, "call", 4, "calls")

#define FACTS_COUNTER_ID(id, name, schema, what) COUNT_##id,
enum counter { FACTS_COUNTERS(FACTS_COUNTER_ID) COUNT_N };
#undef FACTS_COUNTER_ID

#define FACTS_SCHEMA_SIZE(schema, n_counters) COUNT_N_OF_##schema = (n_counters),
enum { FACTS_SCHEMAS(FACTS_SCHEMA_SIZE) };
#undef FACTS_SCHEMA_SIZE

/* "if", "and_or" and so on: the names that profiles use. */
const char *counter_name(enum counter counter);
/* What is counted, in the plural: "if statements". */
const char *counter_description(enum counter counter);

#endif

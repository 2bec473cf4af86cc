/* Any bytes as a rule file: refused with a message, or run to the end on a small source. */
#include "run_rules.h"

static const char source[] =
    "# ast-grep-ignore: b\n"
    "@d\nclass C(B):\n"
    "    def f(self, a, b=1, *c):\n"
    "        if a == b == 2:\n            return [f(x, 1) for x in b]\n"
    "        elif not a:\n            x, y = {'k': (1, 2)}, lambda z: z\n"
    "        else:\n            print('a' + f\"{x}\")  # note\n"
    "        try:\n            import os\n        except E as e:\n            raise\n"
    "f(1, f(1), [1, 2], [1,2])\n";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rule_source rules = {"fuzz.yaml", {data, size}};
    struct ruleset *set;
    struct err err;
    if (ruleset_load(&rules, 1, &set, &err) < 0) {
        require(err.text[0] != 0);
        return 0;
    }
    run_rules(set, bytes_of_text(source));
    ruleset_destroy(set);
    return 0;
}

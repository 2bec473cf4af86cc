#!/bin/sh
# Rule files without a rule, folders of a project, files named twice and tests of rules that do not
# exist are reported.
# usage: rules_odd_test.sh STRATA
. "$(dirname "$0")/begin.sh"
cd "$out"

mkdir -p tree/inner
echo 'f(1)' > tree/a.py
echo 'f(2)' > tree/inner/b.py
ln -s tree link
cat > rules.yml <<'RULE'
id: call
language: python
severity: warning
rule: {kind: call}
RULE

"$strata" rules scan --quiet --format lines --rules rules.yml tree tree/ link tree/inner tree/a.py >hits
[ "$(wc -l <hits)" -eq 2 ] || fail "files named more than once: $(cat hits)"

printf '# nothing yet\n' > empty.yml
for words in "rules scan tree" "rules list" "check tree"; do
    # shellcheck disable=SC2086 # several words
    "$strata" $words --rules empty.yml >result 2>messages
    [ $? -eq 3 ] && grep -q "empty.yml: there is no rule in it" messages ||
        fail "$words: a file without a rule goes unseen: $(cat messages)"
done

mkdir project
echo 'ruleDirs: [rules]' > project/sgconfig.yml
"$strata" rules list --rules project 2>messages
[ $? -eq 3 ] && grep -q "project/sgconfig.yml.*ruleDirs" messages ||
    fail "the folder of a project is taken for one of rules: $(cat messages)"

printf 'id: none\ninvalid: [f(1)]\n---\nid: call\ninvalid: [f(1), x]\n' > tests.yml
"$strata" rules test --rules rules.yml tests.yml >result
[ $? -eq 1 ] || fail "a test of no rule is no finding"
grep -q '^tests.yml:1: there is no rule "none"$' result || fail "it is not named: $(cat result)"
grep -q '^2 examples, 1 wrong; 0 of 1 rules have none; 1 tests are of rules that do not exist$' result ||
    fail "the others are not run: $(cat result)"
exit $failed

# Sourced by the tests of commands: the program is "$strata", a folder for the test alone "$out", and
# what fail says ends the test as failed, at "exit $failed".
set -u
strata=$(realpath "$1")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

fail() {
    echo "$1"
    failed=1
}

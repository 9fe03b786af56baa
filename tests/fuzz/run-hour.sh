#!/bin/sh
# Runs all libFuzzer targets for an hour each (or for the seconds given), one process each, at the same time.
#
#     cmake --preset asan && cmake --build --preset asan && tests/fuzz/run-hour.sh [seconds]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-3600}
build="$root/build/asan/tests/fuzz"
processes=
for corpus in "$root"/tests/fuzz/corpus/fuzz_*; do
    target=$(basename "$corpus")
    mkdir -p "$build/$target.found"
    (cd "$build" && "./$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 \
        "$target.found" "$root/tests/fuzz/corpus/$target" >"$target.log" 2>&1) &
    processes="$processes $!"
done
status=0
for process in $processes; do wait "$process" || status=1; done
tail -n 12 "$build"/fuzz_*.log
exit $status

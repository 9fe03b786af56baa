#!/bin/sh
# Runs all libFuzzer targets for an hour each (or for the seconds given), one process each, at the same time.
#
#     cmake --preset asan && cmake --build --preset asan && tests/fuzz/run-hour.sh [seconds]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-3600}
build="$root/build/asan/tests/fuzz"
processes=
for target in fuzz_interpreter fuzz_json fuzz_reader fuzz_tape fuzz_writer; do
    mkdir -p "$build/$target.found"
    (cd "$build" && "./$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 \
        "$target.found" "$root/tests/fuzz/corpus/$target" >"$target.log" 2>&1) &
    processes="$processes $!"
done
status=0
for process in $processes; do wait "$process" || status=1; done
tail -n 12 "$build/fuzz_interpreter.log" "$build/fuzz_json.log" "$build/fuzz_reader.log" "$build/fuzz_tape.log" "$build/fuzz_writer.log"
exit $status

#!/bin/sh
# symbols.sh SHARED_LIBRARY HEADER: the library exports what the header declares, and nothing else.
set -eu

exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)
declared=$(grep '^WCBOR_API' "$2" | grep -o 'wcbor_[a-z0-9_]*(' | tr -d '(' | sort)

if [ "$exported" != "$declared" ]; then
    printf 'exported:\n%s\ndeclared:\n%s\n' "$exported" "$declared"
    exit 1
fi

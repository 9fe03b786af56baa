#!/bin/sh
# plain.sh PROJECT: the library compiles without the build system, and its header stands alone in C and in C++.
set -eu

project=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$project"/src/*.c
cc -c "$project"/src/*.c

echo '#include "wcbor.h"' > alone.c
gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -I "$project/src" -fsyntax-only alone.c

cat > main.cpp << 'END'
#include "wcbor.h"

int main() {
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    wcbor_writer writer;
    return wcbor_writer_init(&writer, &options, nullptr, 0);
}
END
g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I "$project/src" main.cpp ./*.o -o main
./main

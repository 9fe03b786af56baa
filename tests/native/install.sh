#!/bin/sh
# install.sh PROJECT BUILD HEX: the installed library is found by CMake and by pkg-config, shared and static, and the
# example that is built against it prints HEX.
set -eu

project=$1
build=$2
hex=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

cmake --install "$build" --prefix "$prefix" > "$scratch/log"
headers=$(ls "$prefix/include")
if [ "$headers" != wcbor.h ]; then
    echo "include/ holds $headers"
    exit 1
fi

# An installed tree may be moved.
mv "$prefix" "$scratch/moved"
prefix=$scratch/moved

check() {
    if [ "$2" != "$hex" ]; then
        echo "$1: the example prints $2, not $hex"
        exit 1
    fi
    echo "$1: ok"
}

for shared in OFF ON; do
    cmake -G Ninja -S "$project/demo/native" -B "$scratch/cmake-$shared" -DCMAKE_PREFIX_PATH="$prefix" \
        -DBUILD_SHARED_LIBS=$shared > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    cmake --build "$scratch/cmake-$shared" > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    check "find_package, shared $shared" "$("$scratch/cmake-$shared/wcbor_example")"
done

pc=$(find "$prefix" -name wcbor.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # the flags are words
cc "$project/demo/native/main.c" -o "$scratch/example" $(pkg-config --cflags --libs wcbor)
libraries=$(pkg-config --variable=libdir wcbor)
check pkg-config "$(LD_LIBRARY_PATH=$libraries "$scratch/example")"

# A clang that targets WebAssembly with wasi-libc: the wasi-sdk at WASI_SDK_PREFIX, else Debian's clang-22, lld-22,
# wasi-libc and libclang-rt-22-dev-wasm32.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)

# CMake's checks of the compiler must not link: a program without main is no program to it.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# CMake 3.25 knows no platform of this name and says so on every run without a module for it.
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/cmake")

if(DEFINED ENV{WASI_SDK_PREFIX} AND NOT "$ENV{WASI_SDK_PREFIX}" STREQUAL "")
  set(wasi_sdk "$ENV{WASI_SDK_PREFIX}")
  set(CMAKE_C_COMPILER "${wasi_sdk}/bin/clang")
  set(CMAKE_AR "${wasi_sdk}/bin/llvm-ar")
  set(CMAKE_RANLIB "${wasi_sdk}/bin/llvm-ranlib")
  set(CMAKE_SYSROOT "${wasi_sdk}/share/wasi-sysroot")
else()
  set(CMAKE_C_COMPILER clang-22)
  # Debian's wasi-libc lies in /usr under the target's older name, which clang warns of, and next to the headers of the
  # host; links to it make a sysroot of its own.
  get_filename_component(wasi_sysroot "${CMAKE_CURRENT_LIST_DIR}/../build/wasi-sysroot" ABSOLUTE)
  foreach(directory IN ITEMS include lib)
    file(MAKE_DIRECTORY "${wasi_sysroot}/${directory}")
    file(CREATE_LINK "/usr/${directory}/wasm32-wasi" "${wasi_sysroot}/${directory}/wasm32-wasip1" SYMBOLIC)
  endforeach()
  set(CMAKE_SYSROOT "${wasi_sysroot}")
endif()
set(CMAKE_C_COMPILER_TARGET wasm32-wasip1)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

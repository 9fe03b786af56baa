# Finds the Emscripten that `emcc` on PATH belongs to, and hands over to its own toolchain file.
if(DEFINED ENV{EMSDK} AND EXISTS "$ENV{EMSDK}/upstream/emscripten")
  set(emscripten_root "$ENV{EMSDK}/upstream/emscripten")
else()
  find_program(emcc_on_path emcc NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(REAL_PATH "${emcc_on_path}" emcc_real)
  get_filename_component(emscripten_root "${emcc_real}" DIRECTORY)
  # Debian's emcc is a wrapper in /usr/bin.
  if(NOT EXISTS "${emscripten_root}/cmake" AND EXISTS /usr/share/emscripten/cmake)
    set(emscripten_root /usr/share/emscripten)
  endif()
endif()
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")

# tests/fuzz/fuzz_*.c: one libFuzzer executable each, in <build>/fuzz. `make fuzz` runs them.
weft_glob(fuzz_sources tests/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
    cmake_path(GET source STEM name)
    weft_executable(${name} DIR fuzz SOURCES ${source} INCLUDES src src/stream cli tests/support tests/fuzz)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
endforeach()

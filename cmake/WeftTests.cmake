# tests/<room>/test_*.c, tests/algo/<x>/test_*.c: one CTest test each, in a program for each room. test_*.sh there: one CTest test each.
# tests/fuzz/fuzz_*.c: with tests/fuzz/driver.c as main, a smoke test over the corpus that needs no libFuzzer.
# Exit code 77 means "skipped", and CTest says so by name.
set(WEFT_SHARED_DATA "${PROJECT_SOURCE_DIR}/../shared/data" CACHE PATH "Folder of large test graphs, if there is one")

# C tests that call CUDA's run-time library themselves, as a caller would.
set(weft_cuda_tests test_guest_gpu)
# Tests of how much of the GPU's memory is free: others that use it at the same time would be counted.
set(weft_lone_gpu_tests test_guest_gpu test_guest_torch)
# Tests of the lab come with a ladder of their own, in the place of lab/ladders.c.
set(weft_lab_tests test_lab_measure test_lab_charts)

# Over three seconds on 2 cores, the longest first, as CTest starts them: the end is not one long test. The label "long" keeps them out of
# `make quick`, and WEFT_LONG_TESTS=OFF out of the build.
set(weft_long_tests
    test_python_packages test_cli test_ranks_mpi test_matrix test_wheel test_python test_plan_memory test_lab test_networkx
    test_ranks_failure test_ranks_matrix test_cancel test_ranks_checkpoint test_fork test_report test_ranks_mpi_matrix
    test_build test_abi test_nx_suite test_run_failures test_ranks_grid test_webgraph_codes test_ranks_read
    test_lab_ladders_ranks test_stops test_stops_graphs test_ranks_stops test_networkx_formats test_networkx_attributes test_mpi4py test_ranks_rows test_clustering test_draw
    test_pagerank_runs test_reference test_graph_property test_lab_ladders test_ranks_write
    test_docs test_numbers test_aggregate_types test_closed_streams test_machine test_second_run test_memory_limit
    test_ranks_gpu_mpi test_roundtrip test_aggregate test_alloc_failure test_check test_components
    test_edgelist_blocks test_kcore test_lab_measure test_labelprop test_ranks_memory test_sssp_filter
    test_table_property test_dynamic_model test_lab_ladders_graphs test_locale test_sink test_source_encodings
    test_triangles test_aggregate_backward test_compressed test_install test_dynamic_failures test_cycle
    test_ranks_gpu test_shared_data test_truths)
# So long under sanitizers: `make sanitize-quick` leaves them to `make sanitize`.
if(WEFT_SANITIZE AND NOT WEFT_LONG_TESTS)
    list(APPEND weft_long_tests test_dynamic_power test_sssp test_bfs_runs)
endif()
# These need what test_python_packages fetches, and do not start before: whoever waits would take the place of another test.
set(weft_package_tests test_python test_wheel test_reference test_nx_suite test_mpi4py test_networkx test_networkx_formats
    test_networkx_attributes test_drawn_files test_typed_tables)
# Tests whose cases are dealt out to so many, test_cli.1 and so on, that run side by side.
set(weft_parts_test_matrix 2)
set(weft_parts_test_cli 4)
set(weft_parts_test_lab 3)
set(weft_parts_test_python 3)
set(weft_parts_test_ranks_mpi 2)
set(weft_parts_test_ranks_failure 2)
set(weft_parts_test_ranks_checkpoint 2)
set(weft_parts_test_ranks_mpi_matrix 2)
# What runs on a GPU as well takes longest there, and begins first.
if(WEFT_HAVE_CUDA AND gpu_here)
    list(PREPEND weft_long_tests test_ranks_gpu_mpi test_ranks_gpu test_device test_cancel_gpu test_matrix test_dynamic_gpu)
    list(REMOVE_DUPLICATES weft_long_tests)
    set(weft_parts_test_matrix 4)
    set(weft_parts_test_device 4)
    set(weft_parts_test_ranks_gpu 4)
    set(weft_parts_test_cancel_gpu 2)
    set(weft_parts_test_ranks_gpu_mpi 2)
    set(weft_parts_test_cli 8)
endif()
set(test_environment WEFT_BIN=${PROJECT_BINARY_DIR}/weft WEFT_SOURCE_DIR=${PROJECT_SOURCE_DIR}
                     WEFT_BINARY_DIR=${PROJECT_BINARY_DIR} WEFT_SHARED_DATA=${WEFT_SHARED_DATA})
set(shell_environment "")
set(weft_test_timeout 600)
if(WEFT_COVERAGE OR WEFT_SANITIZE)
    set(weft_test_timeout 1800)
endif()
if(WEFT_SANITIZE STREQUAL "address")
    list(APPEND test_environment UBSAN_OPTIONS=print_stacktrace=1
                                 LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0)
    # The leak check walks a table of 2^28 regions on aarch64, 3 seconds for each process: too much for scripts that
    # start hundreds, and where only short tests run it would take longer than they. `make sanitize` keeps it for test executables.
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
        set(shell_environment ASAN_OPTIONS=detect_leaks=0)
        if(NOT WEFT_LONG_TESTS)
            list(APPEND test_environment ASAN_OPTIONS=detect_leaks=0)
        endif()
    endif()
    list(APPEND shell_environment WEFT_NETWORKX_GRAPHS=50)
elseif(WEFT_SANITIZE STREQUAL "thread")
    set(tsan_options second_deadlock_stack=1)
    if(EXISTS ${PROJECT_SOURCE_DIR}/tests/tsan.supp)
        string(APPEND tsan_options ":suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
    endif()
    # Archer tells ThreadSanitizer of libomp's barriers; it lies beside libomp.
    if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND OpenMP_omp_LIBRARY)
        file(REAL_PATH ${OpenMP_omp_LIBRARY} omp_library)
        cmake_path(GET omp_library PARENT_PATH omp_folder)
        find_library(WEFT_ARCHER archer HINTS ${omp_folder})
        mark_as_advanced(WEFT_ARCHER)
        if(WEFT_ARCHER)
            string(APPEND tsan_options ":ignore_noninstrumented_modules=1")
            list(APPEND test_environment OMP_TOOL_LIBRARIES=${WEFT_ARCHER})
        else()
            message(WARNING "libarcher was not found beside ${OpenMP_omp_LIBRARY}: expect false reports of races")
        endif()
    endif()
    list(APPEND test_environment TSAN_OPTIONS=${tsan_options})
    list(APPEND shell_environment WEFT_NETWORKX_GRAPHS=50)
endif()

# CTest runs tests side by side: each takes a few threads, and threads that wait let others work.
list(APPEND test_environment OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive)

# Labels: unit, shell (starts other programs) or fuzz; the room; and long.  After them, more for its environment.
function(weft_register name label room)
    set(environment ${test_environment} ${ARGN})
    set(labels ${label} ${room})
    string(REGEX REPLACE "\\.[0-9]+$" "" whole ${name})
    list(FIND weft_long_tests ${whole} place)
    list(LENGTH weft_long_tests cost)
    if(place EQUAL -1)
        set(cost 0)
    else()
        list(APPEND labels long)
        math(EXPR cost "${cost} - ${place}")
    endif()
    if(label STREQUAL "shell")
        list(APPEND environment ${shell_environment})
    endif()
    set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} SKIP_RETURN_CODE 77 TIMEOUT ${weft_test_timeout} COST ${cost}
                                            LABELS "${labels}" ENVIRONMENT "${environment}")
    if(whole IN_LIST weft_package_tests)
        set_tests_properties(${name} PROPERTIES DEPENDS test_python_packages)
    endif()
    if(WEFT_HAVE_CUDA AND name IN_LIST weft_lone_gpu_tests)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()

# A test of CTest, or one for each part; after label and room, the command.
function(weft_add_test name label room)
    if(NOT weft_parts_${name})
        add_test(NAME ${name} COMMAND ${ARGN})
        weft_register(${name} ${label} ${room})
        return()
    endif()
    foreach(part RANGE 1 ${weft_parts_${name}})
        add_test(NAME ${name}.${part} COMMAND ${ARGN})
        weft_register(${name}.${part} ${label} ${room} WEFT_TEST_PART=${part}/${weft_parts_${name}})
    endforeach()
endfunction()

# Name and room (the folder below tests/) of a test's source.
function(weft_place source)
    cmake_path(GET source STEM name)
    string(REGEX REPLACE "^tests/([^/]+)/.*" "\\1" room ${source})
    set(name ${name} PARENT_SCOPE)
    set(room ${room} PARENT_SCOPE)
endfunction()

weft_glob(stray_tests tests/test_*)
if(stray_tests)
    message(FATAL_ERROR "tests lie in rooms, tests/<room>/, as what they test does: ${stray_tests}")
endif()

# A program with a main for each of these sources, build/tests/<name> being a link to it: the name that it is called by says which of them
# runs.  One link instead of hundreds; `ninja test_x` builds the program that has test_x.
function(weft_test_program program)
    cmake_parse_arguments(arg "" "" "SOURCES;INCLUDES;LIBRARIES" ${ARGN})
    set(declared "")
    set(listed "")
    foreach(source ${arg_SOURCES})
        cmake_path(GET source STEM name)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS main=main_of_${name})
        string(APPEND declared "int main_of_${name}(int argc, char **argv);\n")
        string(APPEND listed "    if (!strcmp(name, \"${name}\")) return main_of_${name}(argc, argv);\n")
        file(CREATE_LINK ${program} ${PROJECT_BINARY_DIR}/tests/${name} SYMBOLIC)
        add_custom_target(${name} DEPENDS ${program})
    endforeach()
    weft_generate(${program}.c "#include <stdio.h>\n#include <string.h>\n\n${declared}
int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
${listed}    fprintf(stderr, \"%s: call it by the name of a test\\n\", name);
    return 1;\n}\n")
    weft_executable(${program} DIR tests SOURCES ${arg_SOURCES} ${weft_generated}/${program}.c INCLUDES ${arg_INCLUDES}
                    LIBRARIES ${arg_LIBRARIES})
    weft_test_flags(${program})
endfunction()

# Tests are compiled for little of the compiler's time, a fifth of what speed would take: what they test is compiled for speed.
function(weft_test_flags program)
    target_link_libraries(${program} PRIVATE weft_option_sets OpenMP::OpenMP_C ZLIB::ZLIB ZSTD::ZSTD)
    target_compile_options(${program} PRIVATE -O0)
    if(WEFT_HAVE_CUDA)
        target_compile_definitions(${program} PRIVATE WEFT_HAVE_CUDA=1)
    endif()
    if(TARGET weft)
        add_dependencies(${program} weft)
    endif()
endfunction()

# Functions of the system or of the library that a test puts its own in the place of (ld --wrap).
set(weft_wraps_test_dynamic_power open pread pwrite write ftruncate fdatasync fsync fchmod linkat rename)
set(weft_wraps_test_place open write pwrite fsync linkat rename close)
set(weft_wraps_test_binary mmap)
set(weft_wraps_test_dynamic_rules wfi_gpu_rows_new wfi_gpu_rows_merge wfi_gpu_rows_download wfi_gpu_rows_bytes wfi_gpu_rows_count
    wfi_gpu_rows_index wfi_gpu_rows_keep wfi_gpu_rows_drop wfi_mirror_adopt)
set(weft_wraps_test_dynamic_trail ${weft_wraps_test_dynamic_rules})
if(WEFT_HAVE_CUDA)
    set(weft_wraps_test_second_run cudaMalloc cudaMallocAsync cudaMallocFromPoolAsync cudaMallocHost cudaHostAlloc)
endif()

# What a test of this name is linked with besides; and its source with.
function(weft_test_parts name room)
    set(parts "")
    set(libraries "")
    if(name IN_LIST weft_lab_tests)
        set(parts tests/lab/crooked.c)
        set(libraries weft_lab)
    elseif(name MATCHES "^test_lab_ladders") # the ladders there are
        set(parts ${lab_ladder_list})
        set(libraries weft_lab)
    elseif(room STREQUAL "cli" OR name STREQUAL "test_place")
        set(libraries weft_cli)
    elseif(WEFT_HAVE_CUDA AND name IN_LIST weft_cuda_tests)
        set(libraries CUDA::cudart_static)
    endif()
    set(parts "${parts}" PARENT_SCOPE)
    set(libraries "${libraries}" PARENT_SCOPE)
endfunction()

# Most tests of a room share a program.  A test has its own if it is linked with something, or has a function that is not static:
# the others would call that one, too.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tests) # for links
set(weft_test_includes src tests/support ${weft_generated})
# The option sets of the algorithms are compiled once: most tests go through the registry and need all of them.
add_library(weft_option_sets STATIC tests/support/option_sets.c)
target_include_directories(weft_option_sets PRIVATE ${weft_test_includes})
target_link_libraries(weft_option_sets PRIVATE weft_flags weft_check weft_static)
target_compile_options(weft_option_sets PRIVATE -O0)
weft_glob(test_sources tests/*/test_*.c tests/algo/*/test_*.c)
set(rooms "")
foreach(source ${test_sources})
    weft_place(${source})
    if(name IN_LIST weft_long_tests AND NOT WEFT_LONG_TESTS)
        continue()
    endif()
    if(name IN_LIST weft_long_tests)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -O1)
    endif()
    weft_test_parts(${name} ${room})
    file(STRINGS ${source} seen REGEX "^[a-z_]+ [a-z_ *]*[a-z_]+\\(.*{$")
    list(FILTER seen EXCLUDE REGEX "^(static|int main\\()")
    if(seen OR parts OR libraries OR weft_wraps_${name})
        weft_executable(${name} DIR tests SOURCES ${source} ${parts} INCLUDES ${weft_test_includes} LIBRARIES ${libraries})
        weft_test_flags(${name})
        list(TRANSFORM weft_wraps_${name} PREPEND LINKER:--wrap= OUTPUT_VARIABLE wraps)
        target_link_options(${name} PRIVATE ${wraps})
    else()
        list(APPEND rooms ${room})
        list(APPEND tests_of_${room} ${source})
    endif()
    weft_add_test(${name} unit ${room} ${WEFT_TEST_LAUNCHER} ${PROJECT_BINARY_DIR}/tests/${name})
endforeach()
list(REMOVE_DUPLICATES rooms)
foreach(room ${rooms})
    weft_test_program(tests_${room} SOURCES ${tests_of_${room}} INCLUDES ${weft_test_includes})
endforeach()

# The program with made-up algorithms and a made-up machine, for test_cli.sh.
if(TARGET weft)
    weft_executable(weft_made_up DIR tests SOURCES cli/main.c tests/cli/made_up.c tests/cli/made_up_machine.c INCLUDES src
                    LIBRARIES weft_cli)
    target_link_options(weft_made_up PRIVATE LINKER:--wrap=weft_machine_describe
                        LINKER:--wrap=wfi_control_group_limits)
    # LD_PRELOAD of test_cli.sh, which no sanitizer goes with.
    if(NOT WEFT_SANITIZE)
        add_library(fail_after_place MODULE tests/cli/fail_after_place.c)
        set_target_properties(fail_after_place PROPERTIES PREFIX "" C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
        target_link_libraries(fail_after_place PRIVATE ${CMAKE_DL_LIBS})
        add_dependencies(weft_made_up fail_after_place)
    endif()
    # weft-lab with a ladder that goes wrong, for test_lab.sh.
    weft_executable(weft_crooked DIR tests SOURCES $<TARGET_OBJECTS:weft_lab_program> tests/lab/crooked.c
                    LIBRARIES weft_lab weft_cli)
endif()

weft_glob(script_sources tests/*/test_*.sh)
foreach(source ${script_sources})
    weft_place(${source})
    if(name IN_LIST weft_long_tests AND NOT WEFT_LONG_TESTS)
        continue()
    endif()
    weft_add_test(${name} shell ${room} bash ${PROJECT_SOURCE_DIR}/${source})
endforeach()

# All fuzz targets are one program: each with a copy of the driver, under names of its own.
weft_glob(fuzz_targets tests/fuzz/fuzz_*.c)
if(NOT EXPAT_FOUND)
    list(REMOVE_ITEM fuzz_targets tests/fuzz/fuzz_xml_expat.c)
endif()
set(fuzz_sources "")
foreach(source ${fuzz_targets})
    cmake_path(GET source STEM name)
    set(renamed "")
    foreach(word LLVMFuzzerTestOneInput fuzz_format fuzz_graphs)
        string(APPEND renamed "#define ${word} ${word}_of_${name}\n")
    endforeach()
    weft_generate(${name}.c "${renamed}#include \"${PROJECT_SOURCE_DIR}/${source}\"\n#include \"${PROJECT_SOURCE_DIR}/tests/fuzz/driver.c\"\n")
    list(APPEND fuzz_sources ${weft_generated}/${name}.c)
    add_test(NAME ${name} COMMAND ${WEFT_TEST_LAUNCHER} ${PROJECT_BINARY_DIR}/tests/${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
    weft_register(${name} fuzz "")
endforeach()
if(fuzz_sources)
    weft_test_program(tests_fuzz SOURCES ${fuzz_sources} INCLUDES src src/stream cli tests/support tests/fuzz)
    if(EXPAT_FOUND)
        target_link_libraries(tests_fuzz PRIVATE EXPAT::EXPAT)
    endif()
endif()

# The public headers must be C99, alone and without a warning, for those who include them from elsewhere.
if(EXISTS ${PROJECT_SOURCE_DIR}/include/weft.h)
    file(CONFIGURE OUTPUT ${weft_generated}/header_c99.c CONTENT "#include <weft_experimental.h>\nextern int weft_header_is_c99;\n")
    add_library(weft_header_c99 OBJECT ${weft_generated}/header_c99.c)
    target_include_directories(weft_header_c99 PRIVATE include)
    target_compile_options(weft_header_c99 PRIVATE -Wall -Wextra -pedantic-errors -Werror)
    set_target_properties(weft_header_c99 PROPERTIES C_STANDARD 99)
endif()

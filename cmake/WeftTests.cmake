# tests/<room>/test_*.c, tests/algo/<x>/test_*.c: one executable and one CTest test each. test_*.sh there: one CTest test each.
# tests/fuzz/fuzz_*.c: with tests/fuzz/driver.c as main, a smoke test over the corpus that needs no libFuzzer.
# Exit code 77 means "skipped", and CTest says so by name.
set(WEFT_SHARED_DATA "${PROJECT_SOURCE_DIR}/../shared/data" CACHE PATH "Folder of large test graphs, if there is one")

# C tests that call CUDA's run-time library themselves, as a caller would.
set(weft_cuda_tests test_guest_gpu)
# Tests of how much of the GPU's memory is free: others that use it at the same time would be counted.
set(weft_lone_gpu_tests test_guest_gpu test_guest_torch)
# Tests of the lab come with a ladder of their own, in the place of lab/ladders.c.
set(weft_lab_tests test_lab_measure test_lab_charts)

# Over three seconds on 2 cores: the label "long" keeps them out of `make quick`, and WEFT_LONG_TESTS=OFF out of the build.
set(weft_long_tests
    test_abi test_aggregate test_aggregate_backward test_aggregate_types test_alloc_failure test_build test_cancel test_check
    test_cli test_closed_streams test_clustering test_components test_compressed test_cycle test_docs test_dynamic_failures test_dynamic_model
    test_edgelist_blocks test_fork test_graph_property test_install test_kcore test_lab test_lab_ladders_ranks test_lab_measure
    test_labelprop test_machine test_matrix test_memory_limit test_mpi4py test_networkx test_networkx_formats test_numbers
    test_nx_suite test_pagerank_runs test_plan_memory test_python test_ranks_checkpoint test_ranks_failure
    test_ranks_gpu test_ranks_gpu_mpi test_ranks_grid test_ranks_matrix test_ranks_mpi test_ranks_mpi_matrix test_ranks_read test_ranks_rows test_ranks_write test_reference test_report test_run_failures
    test_second_run
    test_shared_data test_sink test_source_encodings test_table_property test_triangles test_truths test_webgraph_codes test_wheel)
set(test_environment WEFT_BIN=${PROJECT_BINARY_DIR}/weft WEFT_SOURCE_DIR=${PROJECT_SOURCE_DIR}
                     WEFT_BINARY_DIR=${PROJECT_BINARY_DIR} WEFT_SHARED_DATA=${WEFT_SHARED_DATA})
set(shell_environment "")
set(weft_test_timeout 600)
if(WEFT_COVERAGE OR WEFT_SANITIZE)
    set(weft_test_timeout 1800)
endif()
if(WEFT_COVERAGE)
    list(APPEND shell_environment WEFT_NETWORKX_GRAPHS=50)
elseif(WEFT_SANITIZE STREQUAL "address")
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

# Labels: unit, shell (starts other programs) or fuzz; the room; and long.
function(weft_register name label room)
    set(environment ${test_environment})
    set(labels ${label} ${room})
    if(name IN_LIST weft_long_tests)
        list(APPEND labels long)
    endif()
    if(label STREQUAL "shell")
        list(APPEND environment ${shell_environment})
    endif()
    set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} SKIP_RETURN_CODE 77 TIMEOUT ${weft_test_timeout}
                                            LABELS "${labels}" ENVIRONMENT "${environment}")
    if(WEFT_HAVE_CUDA AND name IN_LIST weft_lone_gpu_tests)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
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

weft_glob(test_sources tests/*/test_*.c tests/algo/*/test_*.c)
foreach(source ${test_sources})
    weft_place(${source})
    if(name IN_LIST weft_long_tests AND NOT WEFT_LONG_TESTS)
        continue()
    endif()
    set(lab_parts "")
    set(lab_library "")
    if(name IN_LIST weft_lab_tests)
        set(lab_parts tests/lab/crooked.c)
        set(lab_library weft_lab)
    elseif(name MATCHES "^test_lab_ladders") # the ladders there are
        set(lab_parts ${lab_ladder_list})
        set(lab_library weft_lab)
    endif()
    if(room STREQUAL "cli" OR name STREQUAL "test_place")
        set(lab_library weft_cli)
    endif()
    weft_executable(${name} DIR tests SOURCES ${source} ${lab_parts} INCLUDES src tests/support ${weft_generated}
                    LIBRARIES ${lab_library})
    target_link_libraries(${name} PRIVATE OpenMP::OpenMP_C ZLIB::ZLIB ZSTD::ZSTD)
    if(name STREQUAL "test_dynamic_power")
        foreach(call open pread pwrite write ftruncate fdatasync fsync fchmod linkat rename)
            target_link_options(${name} PRIVATE LINKER:--wrap=${call})
        endforeach()
    endif()
    if(name STREQUAL "test_place")
        foreach(call open write pwrite fsync linkat rename close)
            target_link_options(${name} PRIVATE LINKER:--wrap=${call})
        endforeach()
    endif()
    if(name STREQUAL "test_binary")
        target_link_options(${name} PRIVATE LINKER:--wrap=mmap)
    endif()
    if(name STREQUAL "test_dynamic_rules" OR name STREQUAL "test_dynamic_trail")
        foreach(call gpu_rows_new gpu_rows_merge gpu_rows_bring gpu_rows_bytes gpu_rows_count gpu_rows_index gpu_rows_keep gpu_rows_drop mirror_adopt)
            target_link_options(${name} PRIVATE LINKER:--wrap=wfi_${call})
        endforeach()
    endif()
    if(WEFT_HAVE_CUDA)
        target_compile_definitions(${name} PRIVATE WEFT_HAVE_CUDA=1)
        if(name IN_LIST weft_cuda_tests)
            target_link_libraries(${name} PRIVATE CUDA::cudart_static)
        endif()
        if(name STREQUAL "test_second_run")
            foreach(taking cudaMalloc cudaMallocAsync cudaMallocFromPoolAsync cudaMallocHost cudaHostAlloc)
                target_link_options(${name} PRIVATE LINKER:--wrap=${taking})
            endforeach()
        endif()
    endif()
    add_test(NAME ${name} COMMAND ${WEFT_TEST_LAUNCHER} $<TARGET_FILE:${name}>)
    weft_register(${name} unit ${room})
    if(TARGET weft)
        add_dependencies(${name} weft)
    endif()
endforeach()

# The program with made-up algorithms and a made-up machine, for test_cli.sh.
if(TARGET weft)
    weft_executable(weft_made_up DIR tests SOURCES cli/main.c tests/cli/made_up.c tests/cli/made_up_machine.c INCLUDES src
                    LIBRARIES weft_cli)
    target_link_options(weft_made_up PRIVATE LINKER:--wrap=weft_machine_describe LINKER:--wrap=weft_calibrate
                        LINKER:--wrap=wfi_control_group_limits)
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
    add_test(NAME ${name} COMMAND bash ${PROJECT_SOURCE_DIR}/${source})
    weft_register(${name} shell ${room})
endforeach()

weft_glob(fuzz_sources tests/fuzz/fuzz_*.c)
if(EXISTS ${PROJECT_SOURCE_DIR}/tests/fuzz/driver.c)
    foreach(source ${fuzz_sources})
        cmake_path(GET source STEM name)
        weft_executable(${name} DIR tests SOURCES ${source} tests/fuzz/driver.c INCLUDES src tests/support tests/fuzz cli)
        add_test(NAME ${name} COMMAND ${WEFT_TEST_LAUNCHER} $<TARGET_FILE:${name}>
                                      ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
        weft_register(${name} fuzz "")
    endforeach()
endif()

# The public headers must be C99, alone and without a warning, for those who include them from elsewhere.
if(EXISTS ${PROJECT_SOURCE_DIR}/include/weft.h)
    file(CONFIGURE OUTPUT ${weft_generated}/header_c99.c CONTENT "#include <weft_experimental.h>\nextern int weft_header_is_c99;\n")
    add_library(weft_header_c99 OBJECT ${weft_generated}/header_c99.c)
    target_include_directories(weft_header_c99 PRIVATE include)
    target_compile_options(weft_header_c99 PRIVATE -Wall -Wextra -pedantic-errors -Werror)
    set_target_properties(weft_header_c99 PROPERTIES C_STANDARD 99)
endif()

# Two interface libraries: weft_flags, with which every file of ours is compiled, and weft_link_flags, with which
# every program of ours and the shared library are linked. Sets weft_native (ON or OFF: what was really done).
include(CheckCSourceRuns)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(weft_flags INTERFACE)
add_library(weft_link_flags INTERFACE)

function(weft_c_flags)
    foreach(flag ${ARGN})
        target_compile_options(weft_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:${flag}>)
    endforeach()
endfunction()

target_compile_definitions(weft_flags INTERFACE _GNU_SOURCE)
weft_c_flags(-Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -ffunction-sections -fdata-sections)
weft_c_flags(-Werror=implicit-function-declaration) # a missing #include would cut results to an int
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    weft_c_flags(-Wno-sign-conversion) # gcc's -Wconversion leaves it out: both ask for the same
endif()

# Tables for unwinding the stack are a tenth of a stripped release and nothing of ours throws. Debuggers and sanitizers
# want them.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT WEFT_SANITIZE)
    weft_c_flags(-fno-asynchronous-unwind-tables -fno-unwind-tables)
endif()
# The same bits on every machine: no fused multiply-add unless the source asks for it, and never -ffast-math.
weft_c_flags(-ffp-contract=off -fno-math-errno)
target_compile_options(weft_flags INTERFACE
                       $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>
                       "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fopenmp>")
if(WEFT_WERROR)
    weft_c_flags(-Werror)
    target_compile_options(weft_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>")
endif()

# "native" is a guess from the name of the core. A virtual machine may hide SVE from a core that has it, and clang
# then emits instructions that trap: so each candidate is run, and must not promise what the kernel does not offer.
set(weft_native OFF)
if(WEFT_NATIVE)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
        set(native_flags -mcpu=native -mcpu=native+nosve)
    else()
        set(native_flags -march=native)
    endif()
    foreach(flag ${native_flags})
        string(MAKE_C_IDENTIFIER "WEFT_RUNS${flag}" flag_runs)
        set(CMAKE_REQUIRED_FLAGS "${flag} -O2")
        check_c_source_runs("
            #if defined(__aarch64__) && defined(__linux__)
            #include <asm/hwcap.h>
            #include <sys/auxv.h>
            #endif
            int main(void) {
            #if defined(__ARM_FEATURE_SVE) && defined(HWCAP_SVE)
                if (!(getauxval(AT_HWCAP) & HWCAP_SVE)) return 1;
            #endif
                return 0;
            }" ${flag_runs})
        unset(CMAKE_REQUIRED_FLAGS)
        if(${flag_runs})
            weft_c_flags(${flag})
            set(weft_native ON)
            set(weft_native_flag ${flag})
            break()
        endif()
    endforeach()
    # On aarch64 segments are laid out for pages of up to 64 KiB, which pads the program and the library by as much
    # each. A build for this machine needs no more than this machine's pages.
    execute_process(COMMAND getconf PAGESIZE OUTPUT_VARIABLE page_size OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(weft_native AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$" AND page_size MATCHES "^[0-9]+$")
        target_link_options(weft_link_flags INTERFACE LINKER:-z,max-page-size=${page_size})
    endif()
endif()

target_link_options(weft_link_flags INTERFACE LINKER:--gc-sections LINKER:--as-needed)
if(WEFT_HAVE_CUDA)
    # The program asks nothing of the machine it runs on but libc and OpenMP.
    target_link_options(weft_link_flags INTERFACE -static-libstdc++ -static-libgcc)
endif()

# The whole build is instrumented alike: these flags are global on purpose.
if(WEFT_FUZZ AND WEFT_SANITIZE)
    message(FATAL_ERROR "WEFT_FUZZ brings its own sanitizers; leave WEFT_SANITIZE empty")
elseif(WEFT_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "WEFT_FUZZ needs clang (libFuzzer); configure with -DCMAKE_C_COMPILER=clang")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined)
    add_link_options(-fsanitize=address,undefined)
elseif(WEFT_SANITIZE STREQUAL "address")
    add_compile_options(-fsanitize=address,undefined)
    add_link_options(-fsanitize=address,undefined)
elseif(WEFT_SANITIZE STREQUAL "thread")
    add_compile_options(-fsanitize=thread)
    add_link_options(-fsanitize=thread)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(WARNING "ThreadSanitizer does not see libgomp's barriers and reports races that are none; "
                        "prefer -DCMAKE_C_COMPILER=clang, whose libomp explains itself (archer)")
    endif()
elseif(WEFT_SANITIZE)
    message(FATAL_ERROR "WEFT_SANITIZE is '${WEFT_SANITIZE}'; it can be empty, address or thread")
endif()
# A program with a sanitizer in it takes the usual linker a second and a half, and lld a quarter of that.
if(WEFT_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    find_program(WEFT_LLD ld.lld)
    mark_as_advanced(WEFT_LLD)
    if(WEFT_LLD)
        add_link_options(-fuse-ld=lld)
    endif()
endif()
if(WEFT_COVERAGE)
    # -O1 keeps lines apart, once nothing is inlined.  Counters that are not atomic are ten times faster, and as good where all
    # threads of a process share one CPU, as scripts/coverage sees to.
    add_compile_options(--coverage -fprofile-update=single -O1 -fno-inline)
    add_link_options(--coverage)
    target_compile_definitions(weft_flags INTERFACE WEFT_COVERAGE=1)
endif()
if(WEFT_FUZZ OR WEFT_SANITIZE)
    add_compile_options(-fno-sanitize-recover=all -fno-omit-frame-pointer -UNDEBUG)
endif()

# generated/weft_config.h: what the library says of its own build. The commit is empty outside a git checkout.
set(weft_commit "")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
    execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --short=12 --verify HEAD
                    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                    OUTPUT_VARIABLE weft_commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    # A new commit configures again, so that the figure is never stale.
    execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --path-format=absolute --git-path logs/HEAD
                    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                    OUTPUT_VARIABLE git_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(git_log AND EXISTS ${git_log})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${git_log})
    endif()
endif()
if(weft_native)
    set(weft_native_01 1)
else()
    set(weft_native_01 0)
endif()
# What decides the speed: the build type's flags and the tuning. Spaces are made single.
string(TOUPPER "${CMAKE_BUILD_TYPE}" weft_type_upper)
string(REGEX REPLACE "[ \t]+" " " weft_build_flags
       "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${weft_type_upper}} ${weft_native_flag}")
string(STRIP "${weft_build_flags}" weft_build_flags)
string(REPLACE "\"" "\\\"" weft_build_flags "${weft_build_flags}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/weft_config.h.in ${PROJECT_BINARY_DIR}/generated/weft_config.h @ONLY)

# Finds libzstd: pkg-config first, the usual places otherwise. Defines ZSTD::ZSTD, ZSTD_FOUND, ZSTD_VERSION.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(PC_ZSTD QUIET libzstd)
endif()
find_path(ZSTD_INCLUDE_DIR zstd.h HINTS ${PC_ZSTD_INCLUDE_DIRS})
find_library(ZSTD_LIBRARY zstd HINTS ${PC_ZSTD_LIBRARY_DIRS})
mark_as_advanced(ZSTD_INCLUDE_DIR ZSTD_LIBRARY)

if(ZSTD_INCLUDE_DIR)
    file(STRINGS ${ZSTD_INCLUDE_DIR}/zstd.h zstd_lines REGEX "define ZSTD_VERSION_(MAJOR|MINOR|RELEASE) +[0-9]+")
    if(zstd_lines MATCHES "MAJOR +([0-9]+).*MINOR +([0-9]+).*RELEASE +([0-9]+)")
        set(ZSTD_VERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
    endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ZSTD REQUIRED_VARS ZSTD_LIBRARY ZSTD_INCLUDE_DIR VERSION_VAR ZSTD_VERSION)
if(ZSTD_FOUND AND NOT TARGET ZSTD::ZSTD)
    add_library(ZSTD::ZSTD UNKNOWN IMPORTED)
    set_target_properties(ZSTD::ZSTD PROPERTIES IMPORTED_LOCATION "${ZSTD_LIBRARY}"
                                                INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")
endif()

# Installs the programs, both libraries, the headers, weft.pc, the CMake package, the man pages and the completions.
# Components are the Debian packages (WeftPackages.cmake): program, lab, library, development, mpi, and python (python/CMakeLists.txt).
include(CMakePackageConfigHelpers)

set(weft_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

install(TARGETS weft_shared EXPORT weft-shared LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS weft_static EXPORT weft-static ARCHIVE COMPONENT development)
install(EXPORT weft-shared NAMESPACE weft:: DESTINATION ${weft_cmake_dir} COMPONENT development)
install(EXPORT weft-static NAMESPACE weft:: DESTINATION ${weft_cmake_dir} COMPONENT development)
if(TARGET weft)
    install(TARGETS weft RUNTIME COMPONENT program)
    install(TARGETS weft-lab RUNTIME COMPONENT lab) # side by side: weft looks for weft-lab in its own folder
endif()
if(weft_mpi_plugins)
    install(TARGETS ${weft_mpi_plugins} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/weft COMPONENT mpi) # where src/ranks/launch.c looks
endif()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN *.h)
# The verifiers, experimental: an archive that goes before either libweft.
install(FILES $<TARGET_FILE:weft_check> DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)

configure_package_config_file(cmake/weftConfig.cmake.in ${weft_generated}/weftConfig.cmake
                              INSTALL_DESTINATION ${weft_cmake_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${weft_generated}/weftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${weft_generated}/weftConfig.cmake ${weft_generated}/weftConfigVersion.cmake cmake/FindZSTD.cmake
        DESTINATION ${weft_cmake_dir} COMPONENT development)

# weft.pc names its prefix relative to itself, so that an installed tree can be moved.
set(weft_pc_libs_private "-lzstd -lz ${OpenMP_C_FLAGS} -lm")
if(WEFT_HAVE_CUDA)
    string(APPEND weft_pc_libs_private " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lstdc++ -ldl -lrt -lpthread")
endif()
file(RELATIVE_PATH weft_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" weft_pc_prefix "${weft_pc_prefix}")
configure_file(cmake/weft.pc.in ${weft_generated}/weft.pc @ONLY)
set(weft_pc_openmp ${OpenMP_C_FLAGS})
configure_file(cmake/weft-check.pc.in ${weft_generated}/weft-check.pc @ONLY)
install(FILES ${weft_generated}/weft.pc ${weft_generated}/weft-check.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

set(component_of_weft program)
set(component_of_weft-lab lab)
foreach(program weft weft-lab) # bash-completion loads the file of the command's name
    set(component COMPONENT ${component_of_${program}} OPTIONAL)
    install(FILES docs/man/${program}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${component})
    install(FILES completions/weft.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME ${program} ${component})
    install(FILES completions/weft.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
            RENAME ${program}.fish ${component})
endforeach()
set(weft_zsh_dir ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version) # zsh of Debian keeps that folder for /usr/local
    set(weft_zsh_dir ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()
install(FILES completions/_weft DESTINATION ${weft_zsh_dir} COMPONENT program OPTIONAL)

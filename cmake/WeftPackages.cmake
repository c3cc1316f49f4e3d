# Debian packages of the installed components, by CPack: `make packages`. What Debian asks of a package beside its files (copyright,
# changelogs, packed man pages) is added by WeftPackageFiles.cmake before the archives are made.
set(WEFT_MAINTAINER "Weft developers <weft@weft.invalid>" CACHE STRING "Who answers for the packages, with an address")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${WEFT_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_WEFT_CUDA ${WEFT_HAVE_CUDA}) # for the copyright
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/WeftPackageFiles.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SOURCE weft)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENTS_ALL "")
set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

# weft_package(component name section synopsis text [FIELD value]...): FIELD as in CPACK_DEBIAN_<COMPONENT>_PACKAGE_<FIELD>.
macro(weft_package component name section synopsis text)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    string(TOUPPER ${component} weft_upper)
    set(CPACK_COMPONENT_${weft_upper}_DESCRIPTION "${synopsis}\n${text}")
    set(weft_fields NAME ${name} SECTION ${section} ${ARGN})
    while(weft_fields)
        list(POP_FRONT weft_fields weft_field weft_value)
        set(CPACK_DEBIAN_${weft_upper}_PACKAGE_${weft_field} ${weft_value})
    endwhile()
endmacro()

weft_package(program weft science "graph analytics with the same bits on CPU cores and GPUs"
"Ranks, searches, components, triangles, communities, topological order,
distances, drawings and more, of graphs in some thirty file formats. Results
do not depend on the number of threads, of processes or on the device."
             SUGGESTS "weft-lab, weft-mpi, bash-completion")
weft_package(lab weft-lab science "ladders of graph algorithms, from naive to fast"
"The program behind \"weft lab\": each algorithm of Weft in several versions,
from the one that one would write first to the engine, each timed only after
its answer was verified, with a report that explains the steps."
             DEPENDS "weft ${same_version}")
weft_package(library libweft libs "graph analytics with the same bits on CPU cores and GPUs - library"
"The shared library of Weft, for programs in C and in languages that call C.
It never prints, exits or installs signal handlers."
             PROVIDES "libweft${PROJECT_VERSION_MAJOR} ${same_version}" SUGGESTS weft-mpi
             CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/library/triggers)
weft_package(development libweft-dev libdevel "graph analytics with the same bits on CPU cores and GPUs - development"
"The header, the static library, the verifiers, and what pkg-config and CMake
need to compile programs against libweft."
             DEPENDS "libweft ${same_version}" RECOMMENDS "zlib1g-dev, libzstd-dev" SUGGESTS "weft-mpi, libopenmpi-dev | libmpich-dev")
if(weft_mpi_plugins)
    weft_package(mpi weft-mpi science "runs of Weft that several processes share, over MPI"
"Plug-ins for Open MPI and MPICH, with which \"mpirun -n 16 weft pagerank\" is
one run of sixteen processes, on one machine or on many, and a program of
yours can share a run of libweft among its processes."
                 DEPENDS "weft ${same_version} | libweft ${same_version}" RECOMMENDS "openmpi-bin | mpich" ENHANCES "weft, libweft")
endif()
if(WEFT_HAVE_PYTHON)
    weft_package(python python3-weftgraph python "graph analytics with the same bits on CPU cores and GPUs - Python"
"The Python package weftgraph: each algorithm of Weft a method, results as
tables that NumPy, Arrow and others take without a copy, and a backend of
NetworkX."
                 DEPENDS "python3 (>= 3.11)" SUGGESTS "python3-numpy, python3-scipy, python3-pandas, python3-networkx")
    set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/python/postinst ${PROJECT_SOURCE_DIR}/packaging/python/prerm)
endif()
include(CPack)

# Run by CPack when the components are staged and before their archives are made: what Debian asks of each package beside its files.
# usr/share/doc/NAME has copyright, changelog.gz (CHANGELOG.md) and changelog.Debian.gz; man pages are packed; overrides of lintian come from
# packaging/NAME.lintian-overrides. SOURCE_DATE_EPOCH, if set, is the date.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH source)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)

function(weft_gzip)
    execute_process(COMMAND gzip -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
    set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
    string(TOUPPER ${component} upper)
    set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    set(doc ${root}/share/doc/${name})
    file(COPY ${source}/packaging/copyright DESTINATION ${doc})
    if(CPACK_WEFT_CUDA)
        file(READ ${source}/packaging/copyright.cuda cuda)
        file(APPEND ${doc}/copyright "${cuda}")
    endif()
    configure_file(${source}/CHANGELOG.md ${doc}/changelog COPYONLY)
    file(WRITE ${doc}/changelog.Debian "weft (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
               "  * Version ${CPACK_PACKAGE_VERSION}; changelog.gz has what changed.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    file(GLOB_RECURSE pages ${root}/share/man/*.1)
    weft_gzip(${doc}/changelog ${doc}/changelog.Debian ${pages})
    if(EXISTS ${source}/packaging/${name}.lintian-overrides)
        configure_file(${source}/packaging/${name}.lintian-overrides ${root}/share/lintian/overrides/${name} COPYONLY)
    endif()
    file(GLOB archives ${root}/lib/*/*.a)
    if(archives)
        execute_process(COMMAND strip --strip-debug --remove-section=.comment --enable-deterministic-archives ${archives} COMMAND_ERROR_IS_FATAL ANY)
    endif()
endforeach()

# Device code in a hurry (WEFT_CUDA=CHECK where there is no GPU): CUB and cooperative groups take most of the time of the files that include
# them, so files that can be are compiled together, as one source that cmake/one_unit.awk makes of them. All others, and all
# files in any other build, are compiled alone. A file can join if no header of its own has a name of another one's.
set(weft_unit_1
    src/engines/sliced_ellpack/sell.cu src/engines/sliced_ellpack/sell_order.cu src/engines/triangles/oriented_cuda.cu src/engines/triangles/middle.cu src/algo/hits/hits_cuda.cu
    src/algo/layout/layout_cuda.cu src/algo/pagerank/pagerank_cuda.cu src/cuda/mirror.cu src/cuda/ceilings.cu src/engines/sliced_ellpack/sweep.cu)
set(weft_unit_2
    src/cuda/arc_merge.cu src/engines/kahn/kahn_cuda.cu src/algo/sssp/light.cu src/engines/row_chunks/row_chunks.cu
    src/algo/components/split_cuda.cu src/algo/components/weak_cuda.cu src/algo/components/strong_cuda.cu src/algo/components/peel_cuda.cu
    src/algo/kcore/kcore_cuda.cu)
set(weft_unit_3 src/engines/bfs/search.cu src/algo/bfs/bfs_stream.cu src/engines/kahn/kahn_bits.cu)
set(weft_unit_4
    src/algo/aggregate/aggregate_cuda.cu src/algo/aggregate/back_max_cuda.cu src/algo/pagerank/pagerank_stream.cu src/algo/sssp/unit_cuda.cu
    src/algo/triangles/triangles_cuda.cu src/engines/triangles/hubs.cu src/engines/triangles/oriented_kept.cu src/engines/triangles/triangles_cuda.cu
    src/algo/clustering/clustering_cuda.cu src/algo/clustering/directed_cuda.cu src/algo/degree/degree_cuda.cu
    src/algo/components/weak_sparse.cu src/algo/components/weak_stream.cu src/algo/components/flatten_cuda.cu src/algo/bfs/bfs_cuda.cu
    src/engines/fixed_sums/row_sums.cu src/ops/add_rows.cu src/algo/ppr/ppr_cuda.cu)
set(weft_unit_5 src/cuda/transfer.cu src/cuda/pinned.cu src/cuda/device.cu src/cuda/gpu_rows.cu src/cuda/gpu.cu src/cuda/stream_pack.cu)
set(weft_unit_6
    src/algo/leiden/gpu.cu src/algo/truss/truss_cuda.cu src/algo/bicomponents/bicomponents_cuda.cu src/algo/mst/mst_cuda.cu
    src/algo/similarity/similarity_cuda.cu)
set(weft_unit_7
    src/ranks/device_messages.cu src/algo/aggregate/aggregate_ranks_cuda.cu src/algo/components/weak_ranks_cuda.cu src/algo/components/strong_ranks_cuda.cu src/algo/sssp/sssp_ranks_cuda.cu
    src/algo/bfs/bfs_ranks_cuda.cu src/algo/degree/degree_ranks_cuda.cu src/algo/kcore/kcore_ranks_cuda.cu
    src/algo/pagerank/pagerank_ranks_cuda.cu)
set(weft_unit_8
    src/algo/closeness/hops.cu src/algo/closeness/balls.cu src/algo/betweenness/brandes.cu
    src/algo/betweenness/betweenness_cuda.cu src/algo/eigenvector/eigenvector_cuda.cu src/algo/katz/katz_cuda.cu)

# All is compiled for the oldest architecture of packages. Sources with code for newer ones only, of their own or of a header, are compiled for
# the newest as well; src/cuda/ is in the headers of all of them.
weft_glob(headers src/*/*.cuh src/*/*/*.cuh)
set(newer "__CUDA_ARCH__ >=")
foreach(header ${headers})
    file(STRINGS ${header} found REGEX "__CUDA_ARCH__ >=" LIMIT_COUNT 1)
    if(found AND NOT header MATCHES "^src/cuda/")
        cmake_path(GET header FILENAME name)
        string(APPEND newer "|^#include .*/${name}\"")
    endif()
endforeach()
foreach(source ${weft_backend})
    file(STRINGS ${source} found REGEX "${newer}" LIMIT_COUNT 1)
    if(found)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -gencode=arch=compute_90,code=compute_90)
    endif()
endforeach()

find_program(WEFT_AWK awk)
mark_as_advanced(WEFT_AWK)
set(units "")
foreach(k RANGE 1 8)
    set(parts ${weft_unit_${k}})
    list(FILTER parts INCLUDE REGEX "\\.cu$")
    foreach(part ${parts})
        if(NOT part IN_LIST weft_backend)
            list(REMOVE_ITEM parts ${part})
        endif()
    endforeach()
    if(NOT WEFT_AWK OR NOT parts)
        continue()
    endif()
    set(unit ${weft_generated}/device_code_${k}.cu)
    set(unit_options "")
    foreach(part ${parts})
        get_source_file_property(options ${part} COMPILE_OPTIONS)
        if(options)
            list(APPEND unit_options ${options})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES unit_options)
    set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS "${unit_options}")
    list(TRANSFORM parts PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
    add_custom_command(OUTPUT ${unit}
                       COMMAND ${WEFT_AWK} -f ${PROJECT_SOURCE_DIR}/cmake/one_unit.awk ${parts} > ${unit}
                       WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DEPENDS ${paths} cmake/one_unit.awk VERBATIM)
    list(REMOVE_ITEM weft_backend ${parts})
    list(APPEND units ${unit})
endforeach()
list(PREPEND weft_backend ${units})
